/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neff-header.h"

#include <string.h>

static guint64
get_u64 (const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT64_FROM_LE (value);
}

static guint32
get_u32 (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_LE (value);
}

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
  header->pkg_version = get_u64 (bytes);
  header->header_size = get_u64 (bytes + 0x008);
  header->data_size = get_u64 (bytes + 0x010);
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

  header->version_major = get_u64 (bytes + 0x018);
  header->version_minor = get_u64 (bytes + 0x020);
  get_text (bytes + 0x028, 128, header->build_version);
  header->num_tpb = get_u32 (bytes + 0x0a8);
  memcpy (header->hash, bytes + 0x0ac, sizeof header->hash);
  memcpy (header->uuid, bytes + 0x0cc, sizeof header->uuid);
  get_text (bytes + 0x0dc, 256, header->name);
  header->requested_tpb_count = get_u32 (bytes + 0x1dc);
  memcpy (header->tpb_per_node, bytes + 0x1e0, sizeof header->tpb_per_node);
  header->feature_bits = get_u64 (bytes + 0x220);
  header->lnc_size = get_u32 (bytes + 0x228);
  for (guint i = 0; i < sizeof header->uuid; i++)
    if (header->uuid[i] != 0)
      {
        for (guint b = 0; b < sizeof header->uuid; b++)
          g_snprintf (header->uuid_text + b * 2, 3, "%02x", header->uuid[b]);
        break;
      }
  return TRUE;
}
