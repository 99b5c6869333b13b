/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-export-tables.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-table.h"
#include "cli-target.h"
#include "stria-format.h"
#include "stria-lane-class.h"

typedef struct
{
  CliTarget target;
  char     *path;
} Table;

typedef struct
{
  const CliExport    *export;
  const char         *folder;
  guint               pixels;
  int                *fraction;
  StriaTraceExported *exported;
  GHashTable         *tables; /* name -> Table */
  guint64             n_done;
} Writer;

static const char head[]
    = "timeline_track,process,thread,name,category,start_ns,dur_ns,end_ns,value,depth,correlation,"
      "external_id,args\r\n";

/* Names of tables come from files. */
static char *
file_name (const char *name)
{
  char *safe = g_strdup (name);

  for (char *c = safe; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      *c = '_';
  return safe;
}

static FILE *
table_file (Writer *self, const char *name, const char *head_line, GError **error)
{
  Table *table = g_hash_table_lookup (self->tables, name);
  g_autofree char *file = NULL;
  g_autofree char *base = NULL;

  if (table != NULL)
    return table->target.file;
  file = file_name (name);
  base = g_strconcat (file, ".csv", NULL);
  table = g_new0 (Table, 1);
  table->path = g_build_filename (self->folder, base, NULL);
  if (!cli_target_open (&table->target, table->path, error))
    {
      g_free (table->path);
      g_free (table);
      return NULL;
    }
  g_hash_table_insert (self->tables, g_strdup (name), table);
  fputs (head_line, table->target.file);
  return table->target.file;
}

static gboolean
close_tables (Writer *self, gboolean keep, GError **error)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->tables);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Table *table = value;

      keep = cli_target_close (&table->target, keep, keep ? error : NULL) && keep;
      if (self->exported->path == NULL)
        self->exported->path = g_strdup (table->path);
      self->exported->n_files++;
      g_free (table->path);
      g_free (table);
    }
  return keep;
}

static void
cell (FILE *file, const char *text)
{
  cli_csv_cell (file, FALSE, text, strlen (text));
}

static void
key_cell (FILE *file, const guint64 *column, guint64 k)
{
  if (column != NULL && column[k] != 0)
    fprintf (file, ",%" G_GUINT64_FORMAT, column[k]);
  else
    fputc (',', file);
}

static gboolean
write_event (Writer *self, FILE *file, StriaRef ref, guint32 row, const char *track, GError **error)
{
  StriaTrace *trace = self->export->trace;
  StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
  const StriaColumns *c = stria_lane_get_columns (lane);
  const guint64 k = ref.index;
  g_autoptr (GError) failed = NULL;
  g_autoptr (GBytes) args = stria_trace_get_args (trace, ref, &failed);

  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  cli_csv_cell (file, TRUE, track, strlen (track));
  cell (file, stria_trace_get_process (trace, stria_lane_get_process (lane))->key);
  cell (file, stria_lane_get_key (lane));
  cell (file, stria_trace_get_string (trace, c->name[k]));
  cell (file, stria_trace_get_category (trace, c->category[k]));
  fprintf (file, ",%" G_GINT64_FORMAT, c->start[k]);
  if (c->dur != NULL)
    {
      gint64 end;

      if (__builtin_add_overflow (c->start[k], c->dur[k], &end))
        end = G_MAXINT64;
      fprintf (file, ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT, c->dur[k], end);
    }
  else
    fputs (",,", file);
  if (c->value != NULL)
    {
      g_autofree char *value = stria_format_c_double (c->value[k]);

      fprintf (file, ",%s,", value);
    }
  else
    fprintf (file, ",,%u", row);
  key_cell (file, c->correlation, k);
  key_cell (file, c->external, k);
  if (args != NULL)
    cli_csv_cell (file, FALSE, g_bytes_get_data (args, NULL), g_bytes_get_size (args));
  else
    fputc (',', file);
  fputs ("\r\n", file);
  self->exported->n_events++;
  return TRUE;
}

static double
pixel_of (const Writer *self, gint64 ns)
{
  return ((double) ns - (double) self->export->t0)
         / ((double) self->export->t1 - (double) self->export->t0) * self->pixels;
}

/* Whether another event of the pixel stands for it: of slices the longest, else the last. @kept: what
 * stands for the pixel of @k so far, G_MAXUINT64 for none */
static gboolean
is_better (const StriaColumns *c, guint64 k, guint64 kept)
{
  return c->dur == NULL || c->dur[k] > c->dur[kept];
}

static gboolean
flush (Writer *self, FILE *file, guint32 lane, guint32 row, guint64 kept, const char *track,
       GError **error)
{
  return kept == G_MAXUINT64
         || write_event (self, file, (StriaRef){ lane, (guint32) kept }, row, track, error);
}

static gboolean
write_row (Writer *self, FILE *file, guint32 number, guint32 row, const char *track, GError **error)
{
  StriaLane *lane = stria_trace_get_lane (self->export->trace, number);
  const StriaColumns *c = stria_lane_get_columns (lane);
  guint64 begin, end, kept = G_MAXUINT64;
  double pixel = -1;

  stria_lane_get_row (lane, row, &begin, &end);
  for (guint64 k = begin; k < end; k++)
    {
      double at;

      if (self->n_done++ % 4096 == 0)
        {
          const double all = (double) MAX (stria_trace_get_n_events (self->export->trace), 1);

          g_atomic_int_set (self->fraction, (int) MIN (1000.0 * (double) self->n_done / all, 1000));
          if (g_cancellable_set_error_if_cancelled (self->export->cancellable, error))
            return FALSE;
        }
      if (!cli_export_takes (self->export, (StriaRef){ number, (guint32) k }))
        continue;
      self->exported->n_all++;
      at = self->pixels > 0 ? (double) (gint64) pixel_of (self, c->start[k]) : -1;
      if (self->pixels > 0 && kept != G_MAXUINT64 && at == pixel)
        {
          kept = is_better (c, k, kept) ? k : kept;
          continue;
        }
      if (!flush (self, file, number, row, kept, track, error))
        return FALSE;
      kept = k;
      pixel = at;
    }
  return flush (self, file, number, row, kept, track, error);
}

static char *
table_name (StriaLane *lane)
{
  gsize length = 0;
  const char *table = stria_lane_get_table (lane, &length);

  if (table != NULL && length > 0)
    return g_strndup (table, length);
  switch (stria_lane_get_kind (lane))
    {
    case STRIA_LANE_COUNTER:
      return g_strdup ("counters");
    case STRIA_LANE_INSTANTS:
      return g_strdup ("instants");
    case STRIA_LANE_SLICES:
    case STRIA_LANE_ANNOTATIONS:
    case STRIA_LANE_OVERFLOW:
    case STRIA_LANE_ASYNC:
    default:
      return g_strdup ("slices");
    }
}

static gboolean
write_lane (Writer *self, guint32 number, GError **error)
{
  StriaTrace *trace = self->export->trace;
  StriaLane *lane = stria_trace_get_lane (trace, number);
  g_autofree char *process = stria_trace_process_title (trace, stria_lane_get_process (lane));
  g_autofree char *track = g_strdup_printf ("%s / %s", process, stria_lane_get_name (lane));
  g_autofree char *name = table_name (lane);
  FILE *file;
  gint64 t0, t1;

  if (!stria_lane_get_range (lane, &t0, &t1)
      || (self->export->has_range && (t0 >= self->export->t1 || t1 < self->export->t0)))
    return TRUE;
  if (!stria_lane_load (lane, self->export->cancellable, error))
    return FALSE;
  file = table_file (self, name, head, error);
  for (guint32 row = 0; file != NULL && row < stria_lane_get_n_rows (lane); row++)
    if (!write_row (self, file, number, row, track, error))
      return FALSE;
  return file != NULL;
}

static void
write_end (FILE *file, StriaTrace *trace, StriaRef ref, gboolean first)
{
  StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
  const StriaColumns *c = stria_lane_get_columns (lane);

  cli_csv_cell (file, first, stria_lane_get_name (lane), strlen (stria_lane_get_name (lane)));
  cell (file, stria_trace_get_string (trace, c->name[ref.index]));
  fprintf (file, ",%" G_GINT64_FORMAT, c->start[ref.index]);
}

static gboolean
write_flows (Writer *self, GError **error)
{
  StriaTrace *trace = self->export->trace;
  gsize n;
  const StriaFlow *flows = stria_trace_get_flows (trace, &n);
  FILE *file = NULL;

  for (gsize i = 0; i < n; i++)
    {
      if (i % 4096 == 0 && g_cancellable_set_error_if_cancelled (self->export->cancellable, error))
        return FALSE;
      if (!stria_lane_load (stria_trace_get_lane (trace, flows[i].from.lane),
                            self->export->cancellable, error)
          || !stria_lane_load (stria_trace_get_lane (trace, flows[i].to.lane),
                               self->export->cancellable, error))
        return FALSE;
      if (!cli_export_takes (self->export, flows[i].from)
          || !cli_export_takes (self->export, flows[i].to))
        continue;
      if (file == NULL)
        file = table_file (self, "arrows",
                           "from_track,from_name,from_start_ns,to_track,to_name,to_start_ns,name,"
                           "category\r\n",
                           error);
      if (file == NULL)
        return FALSE;
      write_end (file, trace, flows[i].from, TRUE);
      write_end (file, trace, flows[i].to, FALSE);
      cell (file, stria_trace_get_string (trace, flows[i].name));
      cell (file, stria_trace_get_category (trace, flows[i].category));
      fputs ("\r\n", file);
    }
  return TRUE;
}

gboolean
stria_trace_export_tables (const CliExport *export, const char *folder, guint pixels, int *fraction,
                           StriaTraceExported *exported, GError **error)
{
  Writer self = { .export = export,
                  .folder = folder,
                  .pixels = pixels,
                  .fraction = fraction,
                  .exported = exported };
  gboolean done = TRUE;

  self.tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint32 i = 0; i < stria_trace_get_n_lanes (export->trace) && done; i++)
    done = write_lane (&self, i, error);
  done = done && write_flows (&self, error);
  done = close_tables (&self, done, done ? error : NULL) && done;
  g_hash_table_unref (self.tables);
  return done;
}
