/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-neuron-emitter.h"
#include "stria-neuron-parquet-private.h"
#include "stria-neuron-parquet.h"

/* Batches between the thread that reads and the one that makes rows of them */
#define N_BATCHES 3
/* Edges beyond which the arrows are no help */
#define MAX_EDGES (1 << 20)
/* Columns of Metadata that tell the tensor engine's peak: rows, columns, clock in GHz */
#define N_TENSOR_ENGINE 3

typedef struct
{
  StriaParquet *file;
  const GArray *columns;
  GAsyncQueue *full;
  GAsyncQueue *empty;
  GCancellable *cancellable;
  gint stop;
} Pipe;

typedef struct
{
  StriaDecodeContext *context;
  StriaSink *sink;
  StriaSource *source;
  const char *path; /* NULL: a test's bytes */
  const char *member;
  char *table;
  double tensor_engine[N_TENSOR_ENGINE]; /* 0 or NAN: not known */
  StriaNeuronEmitter *emitter;
} Job;

/* -- reading on a thread of its own ---------------------------------------------------------- */

static gpointer
read_batches (gpointer data)
{
  Pipe *pipe = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaParquetReader) reader = stria_parquet_reader_new (pipe->file, NULL, &error);
  gboolean more = reader != NULL;

  while (TRUE)
    {
      NeuronParquetBatch *batch = g_async_queue_pop (pipe->empty);
      const StriaParquetBatch *from = NULL;
      StriaParquetCounts counts = { 0 };

      batch->n_rows = 0;
      if (more && !g_atomic_int_get (&pipe->stop))
        from = stria_parquet_reader_next (reader, &error);
      if (from != NULL && !neuron_parquet_batch_fill (batch, pipe->columns, from, &error))
        {
          batch->n_rows = 0;
          more = FALSE;
        }
      if (reader != NULL)
        stria_parquet_reader_get_counts (reader, &counts);
      batch->bytes_read = counts.bytes_read;
      batch->error = error;
      /* A row group that can't be read is no reason to miss the ones behind it. */
      if (from == NULL && error != NULL && reader != NULL)
        stria_parquet_reader_skip_group (reader);
      else if (from == NULL)
        more = FALSE;
      error = NULL;
      batch->is_last = !more;
      g_async_queue_push (pipe->full, batch);
      if (!more)
        return NULL;
    }
}

/* -- what lies beside the file --------------------------------------------------------------- */

static char *
text_cell (StriaParquet *file, const char *name)
{
  guint column = stria_parquet_find_column (file, name);
  StriaParquetReadOptions options = { .columns = &column, .n_columns = 1, .batch_rows = 1 };
  g_autoptr (StriaParquetReader) reader = NULL;
  const StriaParquetBatch *batch;
  gsize length;
  const guint8 *bytes;

  if (column == STRIA_PARQUET_NONE)
    return NULL;
  reader = stria_parquet_reader_new (file, &options, NULL);
  batch = reader != NULL ? stria_parquet_reader_next (reader, NULL) : NULL;
  if (batch == NULL || batch->n_rows == 0 || batch->columns[0].n_lists > 0
      || (batch->columns[0].form != STRIA_PARQUET_FORM_BYTES
          && batch->columns[0].form != STRIA_PARQUET_FORM_INDEX))
    return NULL;
  bytes = stria_parquet_value_bytes (&batch->columns[0], 0, &length);
  return bytes != NULL ? g_utf8_make_valid ((const char *) bytes, (gssize) length) : NULL;
}

/* NAN: there is none */
static double
number_cell (StriaParquet *file, const char *name)
{
  guint column = stria_parquet_find_column (file, name);
  StriaParquetReadOptions options = { .columns = &column, .n_columns = 1, .batch_rows = 1 };
  g_autoptr (StriaParquetReader) reader = NULL;
  const StriaParquetBatch *batch;
  const StriaParquetColumn *cells;

  if (column == STRIA_PARQUET_NONE)
    return NAN;
  reader = stria_parquet_reader_new (file, &options, NULL);
  batch = reader != NULL ? stria_parquet_reader_next (reader, NULL) : NULL;
  if (batch == NULL || batch->n_rows == 0 || batch->columns[0].n_lists > 0)
    return NAN;
  cells = &batch->columns[0];
  if (cells->valid != NULL && !cells->valid[0])
    return NAN;
  switch (cells->form)
    {
    case STRIA_PARQUET_FORM_DOUBLE:
      return cells->doubles[0];
    case STRIA_PARQUET_FORM_FLOAT:
      return cells->floats[0];
    case STRIA_PARQUET_FORM_INT64:
      return (double) cells->int64s[0];
    case STRIA_PARQUET_FORM_INT32:
      return cells->int32s[0];
    default:
      return NAN;
    }
}

static void
give_text (StriaSink *sink, const char *key, const char *text)
{
  g_autoptr (GString) json = g_string_new ("\"");

  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (json, "\\%c", *text);
    else if ((guchar) *text >= 0x20)
      g_string_append_c (json, *text);
  g_string_append_c (json, '"');
  sink->meta (sink, key, json->str, json->len);
}

static const char *const tensor_engine[N_TENSOR_ENGINE]
    = { "tensor_engine_num_rows", "tensor_engine_num_cols", "tensor_engine_clock_freq" };

/* Version of the schema, size of the tensor engine, and where the device's times begin */
static void
take_metadata (Job *self, StriaParquet *file)
{
  g_autofree char *version = text_cell (file, "profile_schema_version");
  g_autofree char *explorer = text_cell (file, "explorer_version");
  g_autofree char *first = text_cell (file, "first_ts");
  const StriaNeuronTable *schema = stria_neuron_schema_table (self->table);
  gint64 ns;

  if (version != NULL)
    {
      give_text (self->sink, "neuron_schema_version", version);
      if (atoi (version) != atoi (stria_neuron_schema_version ())
          && g_ascii_strcasecmp (self->table, "Metadata") == 0)
        stria_notices_add (self->context->notices, STRIA_SEVERITY_INFO, "neuron-schema-version",
                           self->context->name, -1,
                           _("The profile's schema is version %s, the one known here %s: columns "
                             "may have other meanings"),
                           version, stria_neuron_schema_version ());
    }
  if (explorer != NULL)
    give_text (self->sink, "neuron_explorer_version", explorer);
  /* Device times are documented as counted from the profile's start; that Metadata's first time is
   * that start is inferred. */
  if (first != NULL && schema != NULL && stria_neuron_parse_time (first, -1, &ns))
    self->sink->base_time (self->sink, ns);
  for (guint i = 0; i < G_N_ELEMENTS (tensor_engine); i++)
    self->tensor_engine[i] = number_cell (file, tensor_engine[i]);
}

/* The dependencies among rows of this very file; those between files are no arrows. */
static void
take_edges (Job *self)
{
  static const char *const names[] = { "in_id", "out_id", "in_table", "out_table",
                                       "dependency_type" };
  const char *kind = g_ascii_strcasecmp (self->table, "Instruction") == 0 ? "instruction"
                     : g_ascii_strcasecmp (self->table, "DmaPacketAggregated") == 0 ? "dma_block"
                                                                                    : NULL;
  g_autoptr (StriaParquet) file = NULL;
  g_autoptr (StriaParquetReader) reader = NULL;
  const StriaParquetBatch *batch;
  guint columns[G_N_ELEMENTS (names)], n_edges = 0;

  if (kind != NULL && self->path != NULL)
    file = neuron_parquet_sibling (self->path, self->member, "Flow", self->context->cancellable);
  for (guint i = 0; file != NULL && i < G_N_ELEMENTS (names); i++)
    if ((columns[i] = stria_parquet_find_column (file, names[i])) == STRIA_PARQUET_NONE)
      g_clear_pointer (&file, stria_parquet_unref);
  if (file != NULL)
    {
      StriaParquetReadOptions options = { .columns = columns, .n_columns = G_N_ELEMENTS (names) };
      reader = stria_parquet_reader_new (file, &options, NULL);
    }
  while (reader != NULL && n_edges < MAX_EDGES
         && (batch = stria_parquet_reader_next (reader, NULL)) != NULL)
    {
      const StriaParquetColumn *c = batch->columns;

      if (c[0].form != STRIA_PARQUET_FORM_INT64 || c[1].form != STRIA_PARQUET_FORM_INT64)
        break;
      for (guint32 row = 0; row < batch->n_rows && n_edges < MAX_EDGES; row++)
        {
          g_autofree char *texts[3] = { NULL };
          gsize length;
          gboolean is_ours = TRUE;

          for (guint i = 0; i < 2; i++)
            {
              const guint8 *bytes = NULL;
              if (c[2 + i].form == STRIA_PARQUET_FORM_BYTES
                  || c[2 + i].form == STRIA_PARQUET_FORM_INDEX)
                bytes = stria_parquet_value_bytes (&c[2 + i], row, &length);
              is_ours &= bytes != NULL && length == strlen (kind)
                         && g_ascii_strncasecmp ((const char *) bytes, kind, length) == 0;
            }
          if (!is_ours)
            continue;
          if (c[4].form == STRIA_PARQUET_FORM_BYTES || c[4].form == STRIA_PARQUET_FORM_INDEX)
            {
              const guint8 *bytes = stria_parquet_value_bytes (&c[4], row, &length);
              texts[0] = bytes != NULL ? g_strndup ((const char *) bytes, length) : NULL;
            }
          stria_neuron_emitter_edge (self->emitter, kind, c[0].int64s[row], kind, c[1].int64s[row],
                                     texts[0]);
          n_edges++;
        }
    }
  stria_neuron_emitter_seal_edges (self->emitter);
}

/* -- the decoder ----------------------------------------------------------------------------- */

static gboolean
take_rows (Job *self, StriaParquet *file, const GArray *columns, guint table, GError **error)
{
  Pipe pipe = {
    .file = file,
    .columns = columns,
    .full = g_async_queue_new (),
    .empty = g_async_queue_new_full ((GDestroyNotify) neuron_parquet_batch_free),
  };
  StriaDecodeContext *context = self->context;
  g_autoptr (GError) first = NULL;
  guint64 rows = 0;
  gboolean last = FALSE;
  GThread *thread;

  for (guint i = 0; i < N_BATCHES; i++)
    g_async_queue_push (pipe.empty, neuron_parquet_batch_new (columns->len));
  thread = g_thread_new ("parquet", read_batches, &pipe);
  while (!last)
    {
      NeuronParquetBatch *batch = g_async_queue_pop (pipe.full);

      last = batch->is_last;
      if (batch->error != NULL)
        {
          stria_notices_add (context->notices, STRIA_SEVERITY_ERROR, "parquet-row-group",
                             context->name, -1, "%s", batch->error->message);
          if (first == NULL)
            first = g_steal_pointer (&batch->error);
          g_clear_error (&batch->error);
        }
      if (g_cancellable_is_cancelled (context->cancellable))
        g_atomic_int_set (&pipe.stop, 1);
      else if (batch->n_rows > 0)
        stria_neuron_emitter_rows (self->emitter, table, batch->columns, batch->n_rows);
      rows += batch->n_rows;
      stria_source_done_to (self->source, batch->bytes_read);
      if (context->progress != NULL)
        context->progress (batch->bytes_read, rows, context->user_data);
      g_async_queue_push (pipe.empty, batch);
    }
  g_thread_join (thread);
  g_async_queue_unref (pipe.full);
  g_async_queue_unref (pipe.empty);
  if (g_cancellable_set_error_if_cancelled (context->cancellable, error))
    return FALSE;
  if (rows == 0 && first != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return FALSE;
    }
  return TRUE;
}

/* Name of the profile: of the folder, which is "<name>@latest" for an export and has a file or more of each
 * table */
static char *
profile_title (const Job *self)
{
  g_autofree char *folder = NULL, *base = NULL;

  if (self->path == NULL)
    return g_strdup (self->table);
  folder = g_path_get_dirname (self->member != NULL ? self->member : self->path);
  base = g_path_get_basename (folder);
  if (g_str_has_suffix (base, "@latest"))
    base[strlen (base) - strlen ("@latest")] = '\0';
  return g_str_equal (base, ".") || base[0] == '\0' ? g_strdup (self->table)
                                                    : g_steal_pointer (&base);
}

static gboolean
read_file (Job *self, StriaParquet *file, GError **error)
{
  const StriaNeuronTable *schema = stria_neuron_schema_table (self->table);
  NeuronUnits *units = NULL;
  g_autoptr (GArray) columns = NULL;
  g_autoptr (GArray) infos = g_array_new (FALSE, FALSE, sizeof (StriaColumnInfo));
  g_autofree char *title = profile_title (self);
  gboolean ok;

  if (self->path != NULL)
    units = neuron_units_new (self->path, self->member, self->context->cancellable);
  columns = neuron_parquet_columns (file, schema, units, self->table);
  neuron_units_free (units);
  if (columns->len < stria_parquet_get_n_columns (file))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _("%s: expected at most %d columns, found %u"), self->context->name,
                   STRIA_TABLE_MAX_COLUMNS, stria_parquet_get_n_columns (file));
      return FALSE;
    }
  if (schema != NULL)
    neuron_parquet_shares (file, columns, self->table);
  for (guint c = 0; c < columns->len; c++)
    g_array_append_val (infos, g_array_index (columns, NeuronParquetColumn, c).info);
  if (g_ascii_strcasecmp (self->table, "Metadata") == 0)
    take_metadata (self, file);
  else if (self->path != NULL && schema != NULL && !g_str_has_prefix (schema->name, "System")
           && !g_str_equal (schema->name, "CpuUsage")
           && !g_str_equal (schema->name, "HostMemUsage"))
    {
      g_autoptr (StriaParquet) metadata = neuron_parquet_sibling (
          self->path, self->member, "Metadata", self->context->cancellable);
      if (metadata != NULL)
        take_metadata (self, metadata);
    }
  self->emitter = stria_neuron_emitter_new (self->sink, title);
  stria_neuron_emitter_set_tensor_engine (self->emitter, self->tensor_engine[0],
                                          self->tensor_engine[1], self->tensor_engine[2]);
  take_edges (self);
  guint table = stria_neuron_emitter_table (self->emitter, self->table,
                                            (const StriaColumnInfo *) (gpointer) infos->data,
                                            infos->len);
  ok = take_rows (self, file, columns, table, error);
  stria_neuron_emitter_free (self->emitter);
  return ok;
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  StriaArtifact *artifact
      = context->capture != NULL ? stria_capture_get_artifact (context->capture, context->artifact)
                                 : NULL;
  Job self = { .context = context, .sink = sink, .source = source };
  g_autofree char *table = neuron_parquet_table_name (context->name);
  g_autoptr (StriaParquet) file = NULL;
  const guint8 *map;
  gsize length;

  self.table = table;
  if (artifact != NULL && stria_artifact_get_path (artifact) != NULL
      && g_file_test (stria_artifact_get_path (artifact), G_FILE_TEST_IS_REGULAR))
    {
      self.path = stria_artifact_get_path (artifact);
      self.member = stria_artifact_get_member (artifact);
      file = neuron_parquet_open (self.path, self.member, context->cancellable, error);
    }
  else if ((map = stria_source_map (source, &length)) != NULL)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (map, length);
      file = stria_parquet_open_bytes (context->name, bytes, NULL, error);
    }
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
                 _("%s: cannot be read by offsets"), context->name);
  /* Only so that the position in the file can be told. */
  stria_source_map (source, &length);
  return file != NULL && read_file (&self, file, error);
}

static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (head != NULL && stria_parquet_is (head, length))
    return 95;
  return g_str_has_suffix (lower, ".parquet") ? 20 : 0;
}

const StriaDecoder stria_neuron_parquet_decoder = {
  .kind = "neuron-parquet",
  .title = N_ ("Parquet table"),
  .probe = probe,
  .decode = decode,
};
