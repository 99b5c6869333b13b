/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-whole.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>
#include <nettle/sha2.h>

#include "stria-error.h"

static gboolean
within (guint64 length, guint64 cap, StriaDecodeContext *context, GError **error)
{
  if (length <= cap)
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
               _("%s: offset %" PRIu64 ": expected the file’s end, found more bytes than are read"),
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
take_map (const guint8 *map, gsize length, StriaDecodeContext *context, struct sha256_ctx *sum,
          GError **error)
{
  for (gsize at = 0; sum != NULL && at < length; at += STRIA_SOURCE_BLOCK)
    {
      sha256_update (sum, MIN (STRIA_SOURCE_BLOCK, length - at), map + at);
      if (!step (context, MIN (at + STRIA_SOURCE_BLOCK, length), error))
        return NULL;
    }
  return g_bytes_new_static (map, length);
}

static GBytes *
take_blocks (StriaSource *source, guint64 cap, StriaDecodeContext *context, struct sha256_ctx *sum,
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
      if (sum != NULL && length > 0)
        sha256_update (sum, length, data);
      if (!step (context, stria_source_get_position (source), error))
        return NULL;
    }
  while (length > 0);
  return g_string_free_to_bytes (g_steal_pointer (&all));
}

static char *
to_hex (struct sha256_ctx *sum)
{
  guint8 digest[SHA256_DIGEST_SIZE];
  GString *text = g_string_sized_new (2 * SHA256_DIGEST_SIZE + 1);

  sha256_digest (sum, sizeof digest, digest);
  for (guint i = 0; i < sizeof digest; i++)
    g_string_append_printf (text, "%02x", digest[i]);
  return g_string_free (text, FALSE);
}

GBytes *
stria_whole_read (StriaSource *source, guint64 cap, StriaDecodeContext *context, char **sha256,
                  GError **error)
{
  /* Nettle's is several times faster than GLib's, and these files can be gigabytes. */
  struct sha256_ctx state, *sum = sha256 != NULL ? &state : NULL;
  const guint8 *map;
  GBytes *bytes;
  gsize length;

  if (sum != NULL)
    sha256_init (sum);
  if (!stria_source_is_compressed (source)
      && !within (stria_source_get_size (source), cap, context, error))
    return NULL;
  map = stria_source_map (source, &length);
  if (map != NULL)
    bytes = within (length, cap, context, error) ? take_map (map, length, context, sum, error)
                                                 : NULL;
  else
    bytes = take_blocks (source, cap, context, sum, error);
  if (bytes != NULL && sha256 != NULL)
    *sha256 = to_hex (sum);
  return bytes;
}
