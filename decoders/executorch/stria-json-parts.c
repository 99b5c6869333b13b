/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-json-parts.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "stria-error.h"

#define MAX_WORD 16

typedef struct
{
  gboolean is_array;
  guint64 index; /* of the next element */
  guint64 alive; /* paths (bits) that this container is on, by their first `depth` members */
} Level;

struct _StriaJsonParts
{
  GPtrArray *paths; /* char ** */
  StriaJsonPartsFunc func;
  gpointer user_data;
  yajl_handle handle;
  Level levels[STRIA_JSON_PARTS_MAX_DEPTH + 1];
  guint depth;
  GString *key;      /* of the value that comes next */
  JsonBuilder *tree; /* of a part that is being read, or NULL */
  guint tree_depth;  /* containers open in it */
  guint part;
  char *part_key;
  GError *error;
  /* Bare words that JSON does not know: */
  gboolean in_string, escaped;
  char word[MAX_WORD + 1];
  guint word_length;
  GByteArray *clean;
  guint64 consumed; /* bytes of blocks before */
};

/* Comes to the next value. Returns: bits of the paths that it is on; @complete gets the one that
 * ends with it. */
static guint64
descend (StriaJsonParts *self, int *complete)
{
  Level *level = &self->levels[self->depth];
  guint64 bits = level->alive, after = 0;

  *complete = -1;
  if (self->depth > 0 && level->is_array)
    g_string_printf (self->key, "%" PRIu64, level->index++);
  if (bits == 0)
    return 0;
  for (guint p = 0; p < self->paths->len; p++)
    {
      char **path = self->paths->pdata[p];
      guint at = self->depth; /* members matched when it is inside `depth` containers */
      if (!(bits & (guint64)1 << p))
        continue;
      if (self->depth > 0)
        {
          const char *member = path[at - 1];
          if (member == NULL
              || (!g_str_equal (member, "*") && !g_str_equal (member, self->key->str)))
            continue;
        }
      if (path[at] == NULL && *complete < 0)
        *complete = (int)p;
      after |= (guint64)1 << p;
    }
  return after;
}

static int
end_part (StriaJsonParts *self)
{
  g_autoptr (JsonNode) root = json_builder_get_root (self->tree);
  gboolean ok = self->func (self->part, self->part_key, root, self->user_data, &self->error);

  g_clear_object (&self->tree);
  g_clear_pointer (&self->part_key, g_free);
  return ok;
}

static void
begin_part (StriaJsonParts *self, int part)
{
  /* Immutable trees would be checked and sealed node by node. */
  self->tree = json_builder_new ();
  self->part = (guint)part;
  self->part_key = g_strdup (self->key->str);
  self->tree_depth = 0;
}

typedef enum
{
  SCALAR_NULL,
  SCALAR_BOOL,
  SCALAR_INT,
  SCALAR_REAL,
  SCALAR_TEXT,
} Scalar;

/* A scalar that is a part by itself: a builder takes no scalar as its root. */
static int
put_alone (StriaJsonParts *self, guint part, Scalar type, gint64 integer, double real,
           const char *text)
{
  g_autoptr (JsonNode) node = json_node_alloc ();

  switch (type)
    {
    case SCALAR_NULL:
      json_node_init_null (node);
      break;
    case SCALAR_BOOL:
      json_node_init_boolean (node, integer != 0);
      break;
    case SCALAR_INT:
      json_node_init_int (node, integer);
      break;
    case SCALAR_REAL:
      json_node_init_double (node, real);
      break;
    case SCALAR_TEXT:
      json_node_init_string (node, text);
      break;
    }
  return self->func (part, self->key->str, node, self->user_data, &self->error);
}

static int
put (StriaJsonParts *self, Scalar type, gint64 integer, double real, const void *text,
     size_t length)
{
  g_autofree char *copy = NULL;

  if (self->tree == NULL)
    {
      int part;
      descend (self, &part);
      if (part < 0)
        return 1;
      copy = type == SCALAR_TEXT ? g_strndup (length > 0 ? text : "", length) : NULL;
      return put_alone (self, (guint) part, type, integer, real, copy);
    }
  switch (type)
    {
    case SCALAR_NULL:
      json_builder_add_null_value (self->tree);
      break;
    case SCALAR_BOOL:
      json_builder_add_boolean_value (self->tree, integer != 0);
      break;
    case SCALAR_INT:
      json_builder_add_int_value (self->tree, integer);
      break;
    case SCALAR_REAL:
      json_builder_add_double_value (self->tree, real);
      break;
    case SCALAR_TEXT:
      copy = g_strndup (length > 0 ? text : "", length);
      json_builder_add_string_value (self->tree, copy);
      break;
    }
  return 1;
}

static int
on_null (void *ctx)
{
  return put (ctx, SCALAR_NULL, 0, 0, NULL, 0);
}

static int
on_boolean (void *ctx, int value)
{
  return put (ctx, SCALAR_BOOL, value, 0, NULL, 0);
}

/* Numbers as they stand: whole ones beyond 64 bits become reals. */
static int
on_number (void *ctx, const char *text, size_t length)
{
  char copy[64];
  gint64 integer;

  if (length < sizeof copy)
    {
      memcpy (copy, text, length);
      copy[length] = '\0';
      if (strpbrk (copy, ".eE") == NULL
          && g_ascii_string_to_signed (copy, 10, G_MININT64, G_MAXINT64, &integer, NULL))
        return put (ctx, SCALAR_INT, integer, 0, NULL, 0);
      return put (ctx, SCALAR_REAL, 0, g_ascii_strtod (copy, NULL), NULL, 0);
    }
  g_autofree char *longer = g_strndup (text, length);
  return put (ctx, SCALAR_REAL, 0, g_ascii_strtod (longer, NULL), NULL, 0);
}

static int
on_string (void *ctx, const unsigned char *text, size_t length)
{
  return put (ctx, SCALAR_TEXT, 0, 0, text, length);
}

static int
begin (StriaJsonParts *self, gboolean is_array)
{
  guint64 alive = 0;
  int part = -1;

  if (self->depth + self->tree_depth >= STRIA_JSON_PARTS_MAX_DEPTH)
    {
      g_set_error (&self->error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("more than %d levels of nesting"), STRIA_JSON_PARTS_MAX_DEPTH);
      return 0;
    }
  if (self->tree == NULL)
    {
      alive = descend (self, &part);
      if (part >= 0)
        begin_part (self, part);
    }
  if (self->tree != NULL)
    {
      self->tree_depth++;
      if (is_array)
        json_builder_begin_array (self->tree);
      else
        json_builder_begin_object (self->tree);
      return 1;
    }
  self->depth++;
  self->levels[self->depth] = (Level){ is_array, 0, alive };
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
  StriaJsonParts *self = ctx;

  if (self->tree != NULL)
    {
      g_autofree char *copy = g_strndup ((const char *)text, length);
      json_builder_set_member_name (self->tree, copy);
      return 1;
    }
  g_string_truncate (self->key, 0);
  g_string_append_len (self->key, (const char *)text, (gssize)length);
  return 1;
}

static int
end (StriaJsonParts *self, gboolean is_array)
{
  if (self->tree == NULL)
    {
      self->depth--;
      return 1;
    }
  if (is_array)
    json_builder_end_array (self->tree);
  else
    json_builder_end_object (self->tree);
  return --self->tree_depth == 0 ? end_part (self) : 1;
}

static int
on_end_map (void *ctx)
{
  return end (ctx, FALSE);
}

static int
on_end_array (void *ctx)
{
  return end (ctx, TRUE);
}

StriaJsonParts *
stria_json_parts_new (const char *const *paths, StriaJsonPartsFunc func, gpointer user_data)
{
  static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_begin_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end_map,
    .yajl_start_array = on_begin_array,
    .yajl_end_array = on_end_array,
  };
  StriaJsonParts *self = g_new0 (StriaJsonParts, 1);

  self->paths = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  for (guint p = 0; paths[p] != NULL; p++)
    {
      g_assert (p < 64);
      g_ptr_array_add (self->paths, g_strsplit (paths[p], "/", -1));
      self->levels[0].alive |= (guint64)1 << p;
    }
  self->func = func;
  self->user_data = user_data;
  self->key = g_string_new (NULL);
  self->clean = g_byte_array_new ();
  self->handle = yajl_alloc (&callbacks, NULL, self);
  return self;
}

void
stria_json_parts_free (StriaJsonParts *self)
{
  if (self == NULL)
    return;
  yajl_free (self->handle);
  g_ptr_array_unref (self->paths);
  g_string_free (self->key, TRUE);
  g_byte_array_unref (self->clean);
  g_clear_object (&self->tree);
  g_free (self->part_key);
  g_clear_error (&self->error);
  g_free (self);
}

/* A bare word is whole: what JSON does not know goes on as a text. */
static void
end_word (StriaJsonParts *self)
{
  gboolean foreign = self->word_length > 0
                     && (g_str_equal (self->word, "NaN") || g_str_equal (self->word, "Infinity")
                         || g_str_equal (self->word, "-Infinity"));

  if (foreign)
    g_byte_array_append (self->clean, (const guint8 *)"\"", 1);
  g_byte_array_append (self->clean, (const guint8 *)self->word, self->word_length);
  if (foreign)
    g_byte_array_append (self->clean, (const guint8 *)"\"", 1);
  self->word_length = 0;
}

/* Copies the block with its bare words made readable. Most of a document is strings: those go over
 * in one piece. */
static void
clean_block (StriaJsonParts *self, const guint8 *data, gsize length)
{
  gsize i = 0;

  g_byte_array_set_size (self->clean, 0);
  while (i < length)
    {
      guint8 c = data[i];

      if (self->in_string)
        {
          gsize from = i;
          while (i < length)
            {
              c = data[i++];
              if (self->escaped)
                self->escaped = FALSE;
              else if (c == '\\')
                self->escaped = TRUE;
              else if (c == '"')
                {
                  self->in_string = FALSE;
                  break;
                }
            }
          g_byte_array_append (self->clean, data + from, (guint)(i - from));
          continue;
        }
      i++;
      if (g_ascii_isalpha (c) || (c == '-' && self->word_length == 0))
        {
          if (self->word_length == MAX_WORD)
            end_word (self);
          self->word[self->word_length++] = (char)c;
          self->word[self->word_length] = '\0';
          continue;
        }
      if (self->word_length > 0)
        end_word (self);
      self->in_string = c == '"';
      g_byte_array_append (self->clean, &c, 1);
    }
}

static gboolean
check (StriaJsonParts *self, yajl_status status, GError **error)
{
  if (status == yajl_status_ok)
    return TRUE;
  if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                 _ ("expected JSON, which breaks near byte %" PRIu64),
                 self->consumed + yajl_get_bytes_consumed (self->handle));
  return FALSE;
}

gboolean
stria_json_parts_feed (StriaJsonParts *self, const guint8 *data, gsize length, GError **error)
{
  yajl_status status;

  clean_block (self, data, length);
  status = yajl_parse (self->handle, self->clean->data, self->clean->len);
  if (!check (self, status, error))
    return FALSE;
  self->consumed += length;
  return TRUE;
}

gboolean
stria_json_parts_finish (StriaJsonParts *self, GError **error)
{
  yajl_status status;

  g_byte_array_set_size (self->clean, 0);
  end_word (self);
  status = yajl_parse (self->handle, self->clean->data, self->clean->len);
  if (status == yajl_status_ok)
    status = yajl_complete_parse (self->handle);
  return check (self, status, error);
}
