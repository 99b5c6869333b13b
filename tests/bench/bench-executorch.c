/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <nettle/sha2.h>
#include <string.h>

#include "bench-executorch.h"
#include "bench-figures.h"
#include "stria-error.h"
#include "stria-fact-tables.h"
#include "stria-importer.h"
#include "stria-scan.h"

/* -- the least that a reader can do ----------------------------------------------------------- */

static guint32
number_at (const guint8 *p)
{
  guint32 value;

  memcpy (&value, p, sizeof value);
  return GUINT32_FROM_LE (value);
}

/* Where field @i of a table is; NULL if it has none */
static const guint8 *
field (const guint8 *table, guint i)
{
  const guint8 *vtable = table - (gint32) number_at (table);
  guint16 size, offset;

  memcpy (&size, vtable, sizeof size);
  if (4 + 2 * i >= GUINT16_FROM_LE (size))
    return NULL;
  memcpy (&offset, vtable + 4 + 2 * i, sizeof offset);
  return offset != 0 ? table + GUINT16_FROM_LE (offset) : NULL;
}

static const guint8 *
follow (const guint8 *p)
{
  return p + number_at (p);
}

/* All events of a sound dump, each field and the first byte of its name, without a check. */
static gboolean
job_walk (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  gint64 start_us = g_get_monotonic_time ();
  guint64 sum = 0, n = 0;

  if (file == NULL)
    return FALSE;
  const guint8 *data = (const guint8 *) g_mapped_file_get_contents (file);
  const guint8 *runs = follow (field (follow (data + 4), 1));
  for (guint32 r = 0; r < number_at (runs); r++)
    {
      const guint8 *events = follow (field (follow (runs + 4 + 4 * r), 3));

      for (guint32 i = 0; i < number_at (events); i++)
        {
          const guint8 *event = follow (field (follow (events + 4 + 4 * i), 0));

          for (guint f = 0; f < 8; f++)
            {
              const guint8 *at = field (event, f);

              sum += at != NULL ? (f == 0 ? follow (at)[4] : number_at (at)) : 0;
            }
          n++;
        }
    }
  figure ("walk_s", seconds_since (start_us));
  figure ("file_mb", (double) g_mapped_file_get_length (file) / 1e6);
  figure ("events", (double) n);
  figure ("walk_sum", (double) sum);
  return TRUE;
}

static gboolean
job_digest (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  gint64 start_us = g_get_monotonic_time ();
  struct sha256_ctx sum;
  guint8 digest[SHA256_DIGEST_SIZE];

  if (file == NULL)
    return FALSE;
  sha256_init (&sum);
  sha256_update (&sum, g_mapped_file_get_length (file),
                 (const guint8 *) g_mapped_file_get_contents (file));
  sha256_digest (&sum, sizeof digest, digest);
  figure ("digest_s", seconds_since (start_us));
  return TRUE;
}

static gboolean
job_python (const char *path, GError **error)
{
  static const char program[]
      = "import gc, json, resource, sys, time\n"
        "gc.disable()\n"
        "start = time.perf_counter()\n"
        "kept = json.load(open(sys.argv[1], 'rb'))\n"
        "print('python_s', time.perf_counter() - start)\n"
        "print('python_mb', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,"
        " flush=True)\n"
        "import os; os._exit(0)\n";
  const char *const argv[] = { "python3", "-c", program, path, NULL };
  g_autofree char *out = NULL;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL,
                     error))
    return FALSE;
  fputs (out, stdout);
  fflush (stdout);
  return TRUE;
}

/* -- import ----------------------------------------------------------------------------------- */

static gboolean
job_import (const char *path, GError **error)
{
  const char *const paths[] = { path, NULL };
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (StriaCapture) capture = stria_scan (paths, NULL, error);

  if (capture == NULL)
    return FALSE;
  g_autoptr (StriaImporter) importer = stria_importer_new (capture);
  gint64 scanned_us = g_get_monotonic_time ();
  stria_importer_set_reimport (importer, TRUE);
  if (!stria_importer_run (importer, NULL, error))
    return FALSE;
  figure ("store_s", seconds_since (start_us));
  figure ("facts_s", (double) (scanned_us - start_us + stria_importer_get_picture_us (importer))
                         / 1e6);
  g_autoptr (StriaFacts) facts = stria_capture_ref_facts (capture, 0);
  if (facts == NULL)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: nothing was read", path);
      return FALSE;
    }
  figure ("facts_mb", (double) stria_facts_bytes (facts) / 1e6);
  figure ("events", (double) stria_facts_size (facts, STRIA_TABLE_DUMP_EVENT));
  figure ("nodes", (double) stria_facts_size (facts, STRIA_TABLE_GRAPH_NODE));
  return TRUE;
}

/* As a second start of the program: from the store that the import before left. */
static gboolean
job_reopen (const char *path, GError **error)
{
  const char *const paths[] = { path, NULL };
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (StriaCapture) capture = stria_scan (paths, NULL, error);

  if (capture == NULL)
    return FALSE;
  g_autoptr (StriaImporter) importer = stria_importer_new (capture);
  if (!stria_importer_run (importer, NULL, error))
    return FALSE;
  g_autoptr (StriaFacts) facts = stria_capture_ref_facts (capture, 0);
  if (facts == NULL || !stria_importer_was_cached (importer))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: no store was there", path);
      return FALSE;
    }
  figure ("reopen_ms", 1e3 * seconds_since (start_us));
  return TRUE;
}

gboolean
bench_executorch_job (const char *name, const char *argument, GError **error)
{
  if (g_str_equal (name, "executorch"))
    return job_import (argument, error);
  if (g_str_equal (name, "executorch-reopen"))
    return job_reopen (argument, error);
  if (g_str_equal (name, "executorch-walk"))
    return job_walk (argument, error);
  if (g_str_equal (name, "executorch-digest"))
    return job_digest (argument, error);
  return job_python (argument, error);
}
