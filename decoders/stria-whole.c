/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-whole.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"

static gboolean
within (guint64 length, guint64 cap, StriaDecodeContext *context, GError **error)
{
  if (length <= cap)
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
               _("%s: offset %" PRIu64 ": expected the file's end, found more bytes than are read"),
               context->name, cap);
  return FALSE;
}

/* Says how far reading is, and whether it may go on. */
static gboolean
step (StriaDecodeContext *context, guint64 done, GError **error)
{
  if (context->progress != NULL)
    context->progress (done, 0, context->user_data);
  return !g_cancellable_set_error_if_cancelled (context->cancellable, error);
}

static GBytes *
take_map (const guint8 *map, gsize length, StriaDecodeContext *context, GChecksum *sum,
          GError **error)
{
  for (gsize at = 0; sum != NULL && at < length; at += STRIA_SOURCE_BLOCK)
    {
      g_checksum_update (sum, map + at, MIN (STRIA_SOURCE_BLOCK, length - at));
      if (!step (context, MIN (at + STRIA_SOURCE_BLOCK, length), error))
        return NULL;
    }
  return g_bytes_new_static (map, length);
}

static GBytes *
take_blocks (StriaSource *source, guint64 cap, StriaDecodeContext *context, GChecksum *sum,
             GError **error)
{
  g_autoptr (GString) all = g_string_new (NULL);
  const guint8 *data;
  gsize length;

  do
    {
      if (!stria_source_read (source, &data, &length, error)
          || !within (all->len + length, cap, context, error))
        return NULL;
      if (length > 0)
        g_string_append_len (all, (const char *) data, length);
      if (sum != NULL)
        g_checksum_update (sum, data, length);
      if (!step (context, stria_source_get_position (source), error))
        return NULL;
    }
  while (length > 0);
  return g_string_free_to_bytes (g_steal_pointer (&all));
}

GBytes *
stria_whole_read (StriaSource *source, guint64 cap, StriaDecodeContext *context, char **sha256,
                  GError **error)
{
  g_autoptr (GChecksum) sum = sha256 != NULL ? g_checksum_new (G_CHECKSUM_SHA256) : NULL;
  const guint8 *map;
  GBytes *bytes;
  gsize length;

  if (!stria_source_is_compressed (source)
      && !within (stria_source_get_size (source), cap, context, error))
    return NULL;
  map = stria_source_map (source, &length);
  if (map != NULL)
    bytes = within (length, cap, context, error) ? take_map (map, length, context, sum, error) : NULL;
  else
    bytes = take_blocks (source, cap, context, sum, error);
  if (bytes != NULL && sha256 != NULL)
    *sha256 = g_strdup (g_checksum_get_string (sum));
  return bytes;
}
