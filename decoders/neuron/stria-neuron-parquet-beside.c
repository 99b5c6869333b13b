/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-mapped.h"
#include "stria-neuron-parquet-private.h"

/* -- files ----------------------------------------------------------------------------------- */

StriaParquet *
neuron_parquet_open (const char *path, const char *member, GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (StriaSource) source = stria_source_open_full (path, member, cancellable, error);
  g_autofree char *name = g_path_get_basename (member != NULL ? member : path);
  gsize length;
  int fd;

  if (source == NULL)
    return NULL;
  if (member == NULL && !stria_source_is_compressed (source))
    return stria_parquet_open_file (path, NULL, error);
  fd = stria_source_spool (source, name, cancellable, &length, NULL, error);
  return fd >= 0 ? stria_parquet_open_fd (name, fd, NULL, error) : NULL;
}

char *
neuron_parquet_table_name (const char *file)
{
  char *name = g_path_get_basename (file);
  char *dot = strchr (name, '.');
  gsize end;

  if (dot != NULL && dot != name)
    *dot = '\0';
  end = strlen (name);
  while (end > 0 && g_ascii_isdigit (name[end - 1]))
    end--;
  if (end > 1 && name[end] != '\0' && name[end - 1] == '_')
    name[end - 1] = '\0';
  return name;
}

StriaParquet *
neuron_parquet_sibling (const char *path, const char *member, const char *table,
                        GCancellable *cancellable)
{
  static const char *const endings[] = { ".parquet", "_0.parquet" };
  g_autofree char *folder = g_path_get_dirname (member != NULL ? member : path);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *file = g_strconcat (table, endings[i], NULL);
      g_autofree char *beside = g_str_equal (folder, ".") && member != NULL
                                    ? g_strdup (file)
                                    : g_build_filename (folder, file, NULL);
      StriaParquet *parquet;

      if (member == NULL && !g_file_test (beside, G_FILE_TEST_IS_REGULAR))
        continue;
      parquet = member == NULL ? neuron_parquet_open (beside, NULL, cancellable, NULL)
                               : neuron_parquet_open (path, beside, cancellable, NULL);
      if (parquet != NULL)
        return parquet;
    }
  return NULL;
}

/* -- SchemaFields ---------------------------------------------------------------------------- */

#define MAX_FIELDS 100000

struct _NeuronUnits
{
  GHashTable *units; /* "table\x1fcolumn" in lower case -> unit */
  GHashTable *notes;
};

static char *
field_key (const char *table, const char *column)
{
  g_autofree char *key = g_strdup_printf ("%s\x1f%s", table, column);

  return g_ascii_strdown (key, -1);
}

/* "nanoseconds" as the labels that are used here */
static const char *
short_unit (const char *unit)
{
  static const struct
  {
    const char *word, *unit;
  } words[] = {
    { "nanoseconds", "ns" },    { "nanosecond", "ns" },        { "seconds", "s" },
    { "bytes", "B" },           { "bytes/second", "B/s" },     { "bytes per second", "B/s" },
    { "bytes_per_second", "B/s" }, { "percent", "%" },         { "percentage", "%" },
    { "flops", "flop" },        { "gigahertz", "GHz" },        { "microseconds", "µs" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (unit, words[i].word) == 0)
      return words[i].unit;
  return unit;
}

static char *
cell (const StriaParquetColumn *column, guint32 row)
{
  gsize length;
  const guint8 *bytes;

  if (column->n_lists > 0
      || (column->form != STRIA_PARQUET_FORM_BYTES && column->form != STRIA_PARQUET_FORM_INDEX))
    return NULL;
  bytes = stria_parquet_value_bytes (column, row, &length);
  return bytes != NULL ? g_utf8_make_valid ((const char *) bytes, (gssize) length) : NULL;
}

NeuronUnits *
neuron_units_new (const char *path, const char *member, GCancellable *cancellable)
{
  static const char *const names[] = { "table_name", "field_name", "field_unit",
                                       "field_description" };
  g_autoptr (StriaParquet) file
      = neuron_parquet_sibling (path, member, "SchemaFields", cancellable);
  guint columns[G_N_ELEMENTS (names)];
  g_autoptr (StriaParquetReader) reader = NULL;
  const StriaParquetBatch *batch;
  NeuronUnits *self;

  if (file == NULL || stria_parquet_get_n_rows (file) > MAX_FIELDS)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if ((columns[i] = stria_parquet_find_column (file, names[i])) == STRIA_PARQUET_NONE)
      return NULL;
  StriaParquetReadOptions options = { .columns = columns, .n_columns = G_N_ELEMENTS (names) };
  reader = stria_parquet_reader_new (file, &options, NULL);
  if (reader == NULL)
    return NULL;
  self = g_new0 (NeuronUnits, 1);
  self->units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->notes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  while ((batch = stria_parquet_reader_next (reader, NULL)) != NULL)
    for (guint32 row = 0; row < batch->n_rows; row++)
      {
        g_autofree char *table = cell (&batch->columns[0], row);
        g_autofree char *field = cell (&batch->columns[1], row);
        char *unit = cell (&batch->columns[2], row), *note = cell (&batch->columns[3], row);

        if (table != NULL && field != NULL && unit != NULL && unit[0] != '\0')
          g_hash_table_insert (self->units, field_key (table, field), g_strdup (short_unit (unit)));
        if (table != NULL && field != NULL && note != NULL && note[0] != '\0')
          g_hash_table_insert (self->notes, field_key (table, field), g_strdup (note));
        g_free (unit);
        g_free (note);
      }
  return self;
}

void
neuron_units_free (NeuronUnits *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->units);
  g_hash_table_unref (self->notes);
  g_free (self);
}

gboolean
neuron_units_find (const NeuronUnits *self, const char *table, const char *column,
                   const char **unit, const char **note)
{
  g_autofree char *key = NULL;

  if (self == NULL)
    return FALSE;
  key = field_key (table, column);
  *unit = g_hash_table_lookup (self->units, key);
  *note = g_hash_table_lookup (self->notes, key);
  return *unit != NULL || *note != NULL;
}

/* -- percents -------------------------------------------------------------------------------- */

/* What the values of a column in percent say of it */
typedef struct
{
  guint column;
  int active;    /* columns of the ratio that it should be, -1: none */
  guint fraction; /* rows where it is the ratio */
  guint percent;  /* rows where it is a hundred times that */
  gboolean over_one;
} Share;

static int
find_column (const GArray *columns, const char *name)
{
  for (guint c = 0; c < columns->len; c++)
    {
      const NeuronParquetColumn *column = &g_array_index (columns, NeuronParquetColumn, c);
      if (g_ascii_strcasecmp (column->info.name, name) == 0
          && column->info.type == STRIA_CELL_REAL)
        return (int) c;
    }
  return -1;
}

static double
real_at (const StriaParquetColumn *column, guint32 row)
{
  if (column->valid != NULL && !column->valid[row])
    return NAN;
  return column->form == STRIA_PARQUET_FORM_DOUBLE ? column->doubles[row]
                                                   : (double) column->floats[row];
}

static void
look_at (Share *share, double value, double ratio)
{
  if (isnan (value))
    return;
  share->over_one |= value > 1.0;
  /* A ratio near 0 is near both. */
  if (!(ratio > 1e-6) || !isfinite (ratio))
    return;
  share->fraction += fabs (value - ratio) <= ratio * 0.02;
  share->percent += fabs (value - ratio * 100) <= ratio * 2;
}

static void
look_through (StriaParquet *file, const GArray *columns, GArray *shares, int total)
{
  guint n = columns->len;
  g_autofree guint *wanted = g_new (guint, n);
  g_autofree guint *place = g_new0 (guint, n);
  g_autoptr (StriaParquetReader) reader = NULL;
  const StriaParquetBatch *batch;
  guint n_wanted = 0;

  for (guint c = 0; c < n; c++)
    {
      gboolean use = (int) c == total;

      for (guint s = 0; s < shares->len; s++)
        use |= g_array_index (shares, Share, s).column == c
               || g_array_index (shares, Share, s).active == (int) c;
      place[c] = n_wanted;
      if (use)
        wanted[n_wanted++] = c;
    }
  StriaParquetReadOptions options = { .columns = wanted, .n_columns = n_wanted };
  reader = stria_parquet_reader_new (file, &options, NULL);
  while (reader != NULL && (batch = stria_parquet_reader_next (reader, NULL)) != NULL)
    for (guint s = 0; s < shares->len; s++)
      {
        Share *share = &g_array_index (shares, Share, s);
        const StriaParquetColumn *values = &batch->columns[place[share->column]];

        for (guint32 row = 0; row < batch->n_rows; row++)
          look_at (share, real_at (values, row),
                   share->active >= 0 && total >= 0
                       ? real_at (&batch->columns[place[share->active]], row)
                             / real_at (&batch->columns[place[total]], row)
                       : NAN);
      }
}

static void
label (NeuronParquetColumn *column, const char *unit, const char *how)
{
  g_autofree char *note = column->info.note;

  g_free (column->info.unit);
  column->info.unit = g_strdup (unit);
  column->info.note = note != NULL && note[0] != '\0' ? g_strdup_printf ("%s; %s", note, how)
                                                      : g_strdup (how);
}

/* Documented as percent; public dumps hold fractions. Where the same ratio can be had from other
 * columns it decides, else that no value of the table's is above 1. Never of CpuUsage and
 * HostMemUsage, whose percents are documented as such. */
void
neuron_parquet_shares (StriaParquet *file, GArray *columns, const char *table)
{
  g_autoptr (GArray) shares = g_array_new (FALSE, TRUE, sizeof (Share));
  gboolean over_one = FALSE;

  if (g_ascii_strcasecmp (table, "CpuUsage") == 0
      || g_ascii_strcasecmp (table, "HostMemUsage") == 0)
    return;
  for (guint c = 0; c < columns->len; c++)
    {
      const NeuronParquetColumn *column = &g_array_index (columns, NeuronParquetColumn, c);
      Share share = { .column = c, .active = -1 };

      if (column->info.type != STRIA_CELL_REAL
          || (!g_str_equal (column->info.unit, "%")
              && !g_str_has_suffix (column->info.name, "_percent")))
        continue;
      if (g_str_has_suffix (column->info.name, "_active_time_percent"))
        {
          g_autofree char *active = g_strndup (column->info.name, strlen (column->info.name) - 8);
          share.active = find_column (columns, active);
        }
      g_array_append_val (shares, share);
    }
  if (shares->len == 0)
    return;
  look_through (file, columns, shares, find_column (columns, "total_time"));
  for (guint s = 0; s < shares->len; s++)
    over_one |= g_array_index (shares, Share, s).over_one;
  for (guint s = 0; s < shares->len; s++)
    {
      const Share *share = &g_array_index (shares, Share, s);
      NeuronParquetColumn *column = &g_array_index (columns, NeuronParquetColumn, share->column);

      if (g_ascii_strcasecmp (column->info.name, "max_achievable_util_with_throttling_percent")
          == 0)
        label (column, _("of 1"), _("documented with 1 as the whole"));
      else if (share->fraction > share->percent)
        label (column, _("of 1"), _("called percent; a fraction, as the times beside it show"));
      else if (share->percent > share->fraction)
        label (column, "%", _("percent, as the times beside it show"));
      else if (!over_one)
        label (column, _("of 1 (inferred)"),
               _("called percent; taken for a fraction, since no value of the table is above 1"));
      else
        label (column, "%", _("taken for percent, since values of the table are above 1"));
    }
}
