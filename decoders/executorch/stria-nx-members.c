/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-nx-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "stria-error.h"

#define MAX_DEPTH 16
#define MAX_MEMBERS 200000

typedef struct
{
  GHashTable *members;
  GString *path;
  gsize ends[MAX_DEPTH + 1]; /* of the path outside each container */
  guint64 counts[MAX_DEPTH + 1];
  gboolean is_array[MAX_DEPTH + 1];
  guint depth;
  gboolean too_much;
} Reader;

static void
member_free (gpointer data)
{
  StriaNxMember *member = data;

  g_clear_pointer (&member->text, g_bytes_unref);
  g_free (member);
}

/* The path of the next value: in an array the number of it. */
static void
next_value (Reader *self)
{
  if (self->depth == 0 || !self->is_array[self->depth])
    return;
  g_string_truncate (self->path, self->ends[self->depth]);
  g_string_append_printf (self->path, "%s%" PRIu64, self->path->len > 0 ? "." : "",
                          self->counts[self->depth]++);
}

static int
put (Reader *self, StriaNxMemberType type, gint64 integer, const void *text, size_t length)
{
  StriaNxMember *member = g_new0 (StriaNxMember, 1);

  next_value (self);
  member->type = type;
  member->integer = integer;
  if (type == STRIA_NX_TEXT)
    member->text = g_bytes_new (text, length);
  g_hash_table_replace (self->members, g_strdup (self->path->str), member);
  self->too_much = self->too_much || g_hash_table_size (self->members) > MAX_MEMBERS;
  return !self->too_much;
}

static int
on_null (void *ctx)
{
  return put (ctx, STRIA_NX_NULL, 0, NULL, 0);
}

static int
on_boolean (void *ctx, int value)
{
  return put (ctx, STRIA_NX_BOOL, value, NULL, 0);
}

static int
on_integer (void *ctx, long long value)
{
  return put (ctx, STRIA_NX_INT, value, NULL, 0);
}

static int
on_double (void *ctx, double value)
{
  return put (ctx, STRIA_NX_REAL, 0, NULL, 0);
}

static int
on_string (void *ctx, const unsigned char *text, size_t length)
{
  return put (ctx, STRIA_NX_TEXT, 0, text, length);
}

static int
begin (Reader *self, gboolean is_array)
{
  next_value (self);
  if (self->depth >= MAX_DEPTH)
    {
      self->too_much = TRUE;
      return 0;
    }
  self->depth++;
  self->ends[self->depth] = self->path->len;
  self->counts[self->depth] = 0;
  self->is_array[self->depth] = is_array;
  return 1;
}

static int
on_begin_map (void *ctx)
{
  return begin (ctx, FALSE);
}

static int
on_begin_array (void *ctx)
{
  return begin (ctx, TRUE);
}

static int
on_key (void *ctx, const unsigned char *text, size_t length)
{
  Reader *self = ctx;

  g_string_truncate (self->path, self->ends[self->depth]);
  if (self->path->len > 0)
    g_string_append_c (self->path, '.');
  g_string_append_len (self->path, (const char *)text, (gssize)length);
  return 1;
}

static int
on_end_map (void *ctx)
{
  Reader *self = ctx;

  g_string_truncate (self->path, self->ends[self->depth--]);
  return 1;
}

static int
on_end_array (void *ctx)
{
  Reader *self = ctx;
  StriaNxMember *member = g_new0 (StriaNxMember, 1);

  member->type = STRIA_NX_INT;
  member->integer = (gint64)self->counts[self->depth];
  g_string_truncate (self->path, self->ends[self->depth--]);
  g_hash_table_replace (self->members, g_strconcat (self->path->str, ".#", NULL), member);
  return 1;
}

GHashTable *
stria_nx_members (const guint8 *text, gsize length, GError **error)
{
  static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_integer = on_integer,
    .yajl_double = on_double,
    .yajl_string = on_string,
    .yajl_start_map = on_begin_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end_map,
    .yajl_start_array = on_begin_array,
    .yajl_end_array = on_end_array,
  };
  Reader self = { .path = g_string_new (NULL) };
  g_autoptr (GHashTable) members
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, member_free);
  yajl_handle handle = yajl_alloc (&callbacks, NULL, &self);
  yajl_status status;

  self.members = members;
  status = yajl_parse (handle, text, length);
  if (status == yajl_status_ok)
    status = yajl_complete_parse (handle);
  gsize consumed = yajl_get_bytes_consumed (handle);
  yajl_free (handle);
  g_string_free (self.path, TRUE);
  if (status == yajl_status_ok)
    return g_steal_pointer (&members);
  if (self.too_much)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT, _ ("more than %d members or %d levels"),
                 MAX_MEMBERS, MAX_DEPTH);
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                 _ ("expected JSON, which ends or breaks at its byte %zu"), consumed);
  return NULL;
}
