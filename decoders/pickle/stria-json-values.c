/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "stria-error.h"
#include "stria-pickle.h"

/* Drives the values machine with JSON: each value goes into its container at once, so that nothing
 * waits on the stack for the end of a list of millions. */
typedef struct
{
  StriaValues *values;
  GByteArray *open; /* '[' or '{' of each level */
  gboolean done;
} Json;

/* A value stands on top of the stack: into what holds it. */
static int
close_value (Json *self)
{
  if (self->open->len == 0)
    self->done = TRUE;
  else if (self->open->data[self->open->len - 1] == '[')
    stria_values_append (self->values);
  return stria_values_error (self->values) == NULL;
}

static int
on_null (void *data)
{
  Json *self = data;
  stria_values_push (self->values, stria_datum (STRIA_VALUE_KIND_NIL, 0));
  return close_value (self);
}

static int
on_boolean (void *data, int value)
{
  Json *self = data;
  stria_values_push (self->values, stria_datum (STRIA_VALUE_KIND_BOOL, value != 0));
  return close_value (self);
}

static int
on_number (void *data, const char *text, size_t length)
{
  Json *self = data;
  char digits[64];
  char *stop;

  if (length >= sizeof digits)
    stria_values_fail (self->values, STRIA_ERROR_LIMIT, _("a number of %zu digits"),
                       length);
  else
    {
      memcpy (digits, text, length);
      digits[length] = '\0';
      if (strpbrk (digits, ".eE") != NULL)
        stria_values_push_real (self->values, g_ascii_strtod (digits, NULL));
      else if (digits[0] == '-')
        stria_values_push_int (self->values, g_ascii_strtoll (digits, &stop, 10));
      else
        stria_values_push_uint (self->values, g_ascii_strtoull (digits, &stop, 10));
    }
  return close_value (self);
}

static int
on_string (void *data, const unsigned char *text, size_t length)
{
  Json *self = data;
  stria_values_push_string (self->values, (const char *) text, length);
  return close_value (self);
}

static int
open_level (Json *self, guint8 kind)
{
  if (self->open->len >= STRIA_VALUES_MAX_MARKS)
    {
      stria_values_fail (self->values, STRIA_ERROR_LIMIT, _("nested deeper than %d"),
                         STRIA_VALUES_MAX_MARKS);
      return FALSE;
    }
  g_byte_array_append (self->open, &kind, 1);
  return stria_values_error (self->values) == NULL;
}

static int
on_start_map (void *data)
{
  Json *self = data;
  stria_values_push_dict (self->values);
  stria_values_mark (self->values);
  return open_level (self, '{');
}

static int
on_key (void *data, const unsigned char *text, size_t length)
{
  Json *self = data;
  stria_values_push_string (self->values, (const char *) text, length);
  return stria_values_error (self->values) == NULL;
}

static int
on_end_map (void *data)
{
  Json *self = data;
  stria_values_setitems (self->values);
  g_byte_array_set_size (self->open, self->open->len - 1);
  return close_value (self);
}

static int
on_start_array (void *data)
{
  Json *self = data;
  stria_values_push_list (self->values);
  return open_level (self, '[');
}

static int
on_end_array (void *data)
{
  Json *self = data;
  g_byte_array_set_size (self->open, self->open->len - 1);
  return close_value (self);
}

static const yajl_callbacks callbacks = {
  .yajl_null = on_null,
  .yajl_boolean = on_boolean,
  .yajl_number = on_number,
  .yajl_string = on_string,
  .yajl_start_map = on_start_map,
  .yajl_map_key = on_key,
  .yajl_end_map = on_end_map,
  .yajl_start_array = on_start_array,
  .yajl_end_array = on_end_array,
};

gboolean
stria_json_read_values (StriaSource *source, StriaValues *values, const char *name, gboolean *cut,
                        GCancellable *cancellable, void (*progress) (guint64 bytes, gpointer data),
                        gpointer data, GError **error)
{
  Json self = { .values = values, .open = g_byte_array_new () };
  yajl_handle parser = yajl_alloc (&callbacks, NULL, &self);
  guint64 base = 0;
  gboolean ok = TRUE;

  *cut = FALSE;
  yajl_config (parser, yajl_dont_validate_strings, 1);
  yajl_config (parser, yajl_allow_trailing_garbage, 1);
  while (ok && !self.done)
    {
      const guint8 *block;
      gsize length;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          ok = FALSE;
          break;
        }
      if (!stria_source_read (source, &block, &length, error))
        {
          ok = FALSE;
          break;
        }
      if (length == 0)
        {
          *cut = yajl_complete_parse (parser) != yajl_status_ok || !self.done;
          break;
        }
      yajl_status status = yajl_parse (parser, block, length);
      if (status != yajl_status_ok)
        {
          const GError *found = stria_values_error (values);
          guint64 offset = base + yajl_get_bytes_consumed (parser);
          if (found != NULL)
            g_set_error (error, found->domain, found->code,
                         _("%s: at offset %" PRIu64 ": %s"), name, offset, found->message);
          else
            g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                         _("%s: not JSON at offset %" PRIu64), name, offset);
          ok = FALSE;
        }
      base += length;
      if (progress != NULL)
        progress (base, data);
    }
  if (!self.done)
    stria_values_unwind (values);
  yajl_free (parser);
  g_byte_array_unref (self.open);
  return ok;
}
