/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neff-header.h"

#include <string.h>

#include "stria-load.h"

static void
get_text (const guint8 *bytes, gsize length, char *text)
{
  const char *end = memchr (bytes, 0, length);
  g_autofree char *valid = g_utf8_make_valid (
      (const char *) bytes, end != NULL ? (gssize) (end - (const char *) bytes) : (gssize) length);

  /* A repair can be longer than what it repairs. */
  g_strlcpy (text, valid, length + 1);
  if (!g_utf8_validate (text, -1, (const char **) &end))
    text[end - text] = '\0';
}

gboolean
stria_neff_header_parse (const guint8 *bytes, gsize length, guint64 size, StriaNeffHeader *header)
{
  gboolean is_gzip, is_tar;
  const guint8 *payload = bytes + STRIA_NEFF_HEADER_BYTES;
  gsize n;

  if (length < STRIA_NEFF_HEADER_BYTES)
    return FALSE;
  memset (header, 0, sizeof *header);
  header->pkg_version = stria_load64 (bytes);
  header->header_size = stria_load64 (bytes + 0x008);
  header->data_size = stria_load64 (bytes + 0x010);
  if (header->header_size != STRIA_NEFF_HEADER_BYTES || header->pkg_version == 0
      || header->pkg_version > 255)
    return FALSE;
  n = length - STRIA_NEFF_HEADER_BYTES;
  is_gzip = n >= 2 && payload[0] == 0x1f && payload[1] == 0x8b;
  is_tar = n >= 262 && memcmp (payload + 257, "ustar", 5) == 0;
  /* A file that was cut in its first bytes is still one if all the rest of the header fits. */
  if (!is_gzip && !is_tar && (n >= 262 || header->data_size == 0))
    return FALSE;
  if (size > 0 && header->data_size > (G_GUINT64_CONSTANT (1) << 50))
    return FALSE;

  header->version_major = stria_load64 (bytes + 0x018);
  header->version_minor = stria_load64 (bytes + 0x020);
  get_text (bytes + 0x028, 128, header->build_version);
  header->num_tpb = stria_load32 (bytes + 0x0a8);
  memcpy (header->hash, bytes + 0x0ac, sizeof header->hash);
  memcpy (header->uuid, bytes + 0x0cc, sizeof header->uuid);
  get_text (bytes + 0x0dc, 256, header->name);
  header->requested_tpb_count = stria_load32 (bytes + 0x1dc);
  memcpy (header->tpb_per_node, bytes + 0x1e0, sizeof header->tpb_per_node);
  header->feature_bits = stria_load64 (bytes + 0x220);
  header->lnc_size = stria_load32 (bytes + 0x228);
  for (guint i = 0; i < sizeof header->uuid; i++)
    if (header->uuid[i] != 0)
      {
        for (guint b = 0; b < sizeof header->uuid; b++)
          g_snprintf (header->uuid_text + b * 2, 3, "%02x", header->uuid[b]);
        break;
      }
  return TRUE;
}
