/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define STRIA_NEFF_HEADER_BYTES 1024

/**
 * StriaNeffHeader:
 *
 * The documented header of a .neff file. Texts are UTF-8 and end before the first NUL.
 */
typedef struct
{
  guint64 pkg_version;  /* recovered: 1 = plain tar with SHA-256, 2 = gzip with MD5 */
  guint64 header_size;
  guint64 data_size;    /* bytes of the archive behind the header */
  guint64 version_major;
  guint64 version_minor;
  char    build_version[129];
  guint32 num_tpb;      /* cores needed */
  guint8  hash[32];
  guint8  uuid[16];
  char    uuid_text[33]; /* lower-case hexadecimal; "" if all bytes are 0 */
  char    name[257];
  guint32 requested_tpb_count;
  guint8  tpb_per_node[64];
  guint64 feature_bits;
  guint32 lnc_size;     /* 0 in old files; inferred: means 1 */
} StriaNeffHeader;

/**
 * stria_neff_header_parse:
 * @bytes: first bytes of a file
 * @length: how many
 * @size: length of the whole file; 0 if it is not known
 * @header: (out): filled if the answer is TRUE
 *
 * There is no magic number: a header is told by its size field, by a payload that fits the file, and by
 * the payload's first bytes, which must be gzip's or have tar's mark (@bytes should hold 1 KiB + 512).
 */
gboolean stria_neff_header_parse (const guint8 *bytes, gsize length, guint64 size,
                                  StriaNeffHeader *header);

G_END_DECLS
