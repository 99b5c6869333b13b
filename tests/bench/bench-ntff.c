/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-ntff.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench-figures.h"
#include "stria-error.h"
#include "stria-importer.h"
#include "stria-scan.h"

#define RECORD 16
#define WORDS 4096
#define BLOCK_RECORDS 65536
#define FIRST_TICK G_GUINT64_CONSTANT (5000000000)

/* --- a file ----------------------------------------------------------------------------------- */

static void
put_varint (GByteArray *out, guint64 value)
{
  for (;;)
    {
      guint8 byte = (value & 0x7F) | (value > 0x7F ? 0x80 : 0);

      g_byte_array_append (out, &byte, 1);
      if (value <= 0x7F)
        return;
      value >>= 7;
    }
}

static void
put_number (GByteArray *out, guint field, guint64 value)
{
  put_varint (out, field << 3);
  put_varint (out, value);
}

static void
put_message (GByteArray *out, guint field, GByteArray *inner)
{
  put_varint (out, field << 3 | 2);
  put_varint (out, inner->len);
  g_byte_array_append (out, inner->data, inner->len);
  g_byte_array_unref (inner);
}

static void
put_trace (GByteArray *graph, guint kind, guint block, guint64 offset, guint64 size)
{
  GByteArray *trace = g_byte_array_new ();

  put_number (trace, 1, kind);
  put_number (trace, 3, block);
  put_number (trace, 5, offset);
  put_number (trace, 6, size);
  put_message (graph, 6, trace);
}

static GByteArray *
make_message (guint64 n_core, guint64 n_dma)
{
  static const guint clocks[] = { 1, 2, 3, 4, 5, 6 };
  GByteArray *info = g_byte_array_new (), *node = g_byte_array_new (), *cores = g_byte_array_new ();
  GByteArray *graph = g_byte_array_new (), *times = g_byte_array_new ();
  GByteArray *name = g_byte_array_new ();

  for (guint engine = 0; engine < 5; engine++)
    {
      GByteArray *code = g_byte_array_new ();

      put_number (code, 1, engine);
      put_number (code, 7, (guint64)engine * WORDS * 64);
      put_number (code, 8, WORDS * 64);
      put_message (graph, 4, code);
    }
  put_trace (graph, 0, 0, 0, n_core * RECORD);
  put_trace (graph, 4, 1, n_core * RECORD, n_dma * RECORD);
  for (guint i = 0; i < G_N_ELEMENTS (clocks); i++)
    {
      GByteArray *clock = g_byte_array_new ();

      put_number (clock, 1, FIRST_TICK);
      put_number (clock, 2, 1000);
      put_number (clock, 3, 1001);
      put_message (times, clocks[i], clock);
    }
  put_message (graph, 10, times);
  put_message (cores, 1, graph);
  put_message (node, 4, cores);
  g_byte_array_append (name, (const guint8 *)"made", 4);
  put_message (info, 1, name);
  put_number (info, 5, 2);
  put_message (info, 4, node);
  return info;
}

static guint64
next_random (guint64 *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void
put_record (guint8 *to, guint type, guint32 body0, guint32 body1, guint64 time)
{
  guint32 first = GUINT32_TO_LE ((body0 & 0xFFFFFF) | type << 24);

  body1 = GUINT32_TO_LE (body1);
  time = GUINT64_TO_LE (time);
  memcpy (to, &first, 4);
  memcpy (to + 4, &body1, 4);
  memcpy (to + 8, &time, 8);
}

static gboolean
put_block (FILE *file, const guint8 *block, gsize length, GError **error)
{
  if (fwrite (block, 1, length, file) == length)
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "the file could not be written: %s",
               g_strerror (errno));
  return FALSE;
}

static gboolean
put_code (FILE *file, GError **error)
{
  static const guint8 opcodes[5][4] = { { 0x01, 0x02, 0x02, 0xA0 }, { 0x21, 0x25, 0xA4, 0xA0 },
                                        { 0x45, 0x47, 0x46, 0xA0 }, { 0x41, 0x43, 0x48, 0xA0 },
                                        { 0xA0, 0xA2, 0xA5, 0xA9 } };
  g_autofree guint8 *words = g_malloc0 (WORDS * 64);

  for (guint engine = 0; engine < 5; engine++)
    {
      for (guint i = 0; i < WORDS; i++)
        {
          guint8 *word = words + i * 64;

          word[0] = opcodes[engine][i * 7 / 5 % 4];
          word[1] = 16;
          word[4] = i % 3 == 0 ? 5 : 0;
          word[5] = (guint8)(i % 32);
          word[6] = i % 4 == 0 ? 19 : 0;
          word[7] = (guint8)(i % 16);
          word[8] = (guint8)(i % 64);
        }
      if (!put_block (file, words, WORDS * 64, error))
        return FALSE;
    }
  return TRUE;
}

/* Instructions that begin and end by turns on each engine, with a semaphore now and then */
static gboolean
put_core (FILE *file, guint64 n, GError **error)
{
  g_autofree guint8 *block = g_malloc (BLOCK_RECORDS * RECORD);
  guint64 state = 88172645463325252, time = FIRST_TICK;
  guint32 pc[5] = { 0 };
  gboolean open[5] = { FALSE };

  for (guint64 done = 0; done < n;)
    {
      guint64 now = MIN (n - done, BLOCK_RECORDS);

      for (guint64 i = 0; i < now; i++)
        {
          guint64 r = next_random (&state);
          guint engine = (guint)(r % 5);

          time += r >> 20 & 0x7FFF;
          if (r >> 40 & 15)
            put_record (block + i * RECORD, 4 + 4 * engine + open[engine], pc[engine],
                        (guint32)(r >> 32), time);
          else
            {
              put_record (block + i * RECORD, 7 + 4 * engine, (r >> 44 & 31) | 1 << 8 | 19 << 16,
                          (guint32)(done + i) & 1023, time);
              continue;
            }
          if (open[engine])
            pc[engine] = (pc[engine] + 1) % WORDS;
          open[engine] = !open[engine];
        }
      if (!put_block (file, block, now * RECORD, error))
        return FALSE;
      done += now;
    }
  return TRUE;
}

static gboolean
put_dma (FILE *file, guint64 n, GError **error)
{
  static const guint kinds[] = { 1, 2, 4, 5 };
  g_autofree guint8 *block = g_malloc (BLOCK_RECORDS * RECORD);
  guint64 time = FIRST_TICK, state = 362436069;

  for (guint64 done = 0; done < n;)
    {
      guint64 now = MIN (n - done, BLOCK_RECORDS);

      for (guint64 i = 0; i < now; i++)
        {
          guint64 r = next_random (&state);

          time += r & 0xFFFF;
          put_record (block + i * RECORD, 2, 4096,
                      kinds[(done + i) % 4] | ((done + i) / 4 % 16) << 4 | (guint32)(r >> 48) << 8,
                      time);
        }
      if (!put_block (file, block, now * RECORD, error))
        return FALSE;
      done += now;
    }
  return TRUE;
}

gboolean
bench_make_ntff (const char *path, guint megabytes, GError **error)
{
  guint64 n = (guint64)megabytes * 1000000 / RECORD, n_dma = n / 5 / 4 * 4, n_core = n - n_dma;
  g_autoptr (GByteArray) message = make_message (n_core, n_dma);
  guint64 length = GUINT64_TO_LE ((guint64)message->len);
  guint8 header[128] = { 6 };
  FILE *file = fopen (path, "wb");
  gboolean good;

  if (file == NULL)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
      return FALSE;
    }
  memcpy (header + 1, &length, sizeof length);
  good = put_block (file, header, sizeof header, error)
         && put_block (file, message->data, message->len, error) && put_code (file, error)
         && put_core (file, n_core, error) && put_dma (file, n_dma, error);
  if (fclose (file) != 0 && good)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
      good = FALSE;
    }
  return good;
}

/* --- reading it ------------------------------------------------------------------------------- */

static guint64
count_rows (StriaCapture *capture)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);
  guint64 n = 0;

  for (guint i = 0; tables != NULL && i < tables->len; i++)
    n += stria_table_get_n_rows (tables->pdata[i]);
  return n;
}

static gboolean
job_import (const char *path, gboolean no_store, GError **error)
{
  const char *paths[] = { path, NULL };
  g_autoptr (StriaCapture) capture = stria_scan (paths, NULL, error);
  g_autoptr (StriaImporter) importer = capture != NULL ? stria_importer_new (capture) : NULL;
  gint64 start = g_get_monotonic_time ();

  if (importer == NULL)
    return FALSE;
  stria_importer_set_reimport (importer, TRUE);
  stria_importer_set_no_store (importer, no_store);
  if (!stria_importer_run (importer, NULL, error))
    return FALSE;
  figure ("total_s", seconds_since (start));
  figure ("rows", (double)count_rows (capture));
  return TRUE;
}

static gboolean
job_bare (const char *path, GError **error)
{
  g_autofree guint8 *block = g_malloc (1 << 20);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  gint64 start = g_get_monotonic_time ();
  guint64 sum = 0;
  gssize n;

  while (fd >= 0 && (n = read (fd, block, 1 << 20)) > 0)
    for (gssize i = 0; i + 8 <= n; i += 8)
      {
        guint64 value;

        memcpy (&value, block + i, sizeof value);
        sum += value;
      }
  if (fd < 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
      return FALSE;
    }
  close (fd);
  figure ("bare_s", seconds_since (start));
  /* So that the sum is made */
  figure ("sum", (double)(sum & 0xFFFF));
  return TRUE;
}

gboolean
bench_ntff_job (const char *name, const char *argument, GError **error)
{
  if (g_str_equal (name, "ntff"))
    return job_import (argument, FALSE, error);
  if (g_str_equal (name, "ntff-rows"))
    return job_import (argument, TRUE, error);
  if (g_str_equal (name, "ntff-bare"))
    return job_bare (argument, error);
  return FALSE;
}
