/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-neuron-json-private.h"

enum
{
  F_ID, F_NAME, F_START, F_END, F_DURATION, F_SOURCE, F_THREAD, F_NC, F_WORKER, F_TRACKING, F_LOCAL,
  F_SEQUENCE, F_ATTRIBUTES, F_STOP_ATTRIBUTES,
};
static const char *const columns[] = { "id",
                                       "name",
                                       "start_ts",
                                       "end_ts",
                                       "duration_ns",
                                       "trace_event_source",
                                       "thread_id",
                                       "nc_idx",
                                       "worker_gid",
                                       "tracking_id:i",
                                       "nc_local_id:i",
                                       "nrta_seq_id:i",
                                       "extra_attributes_json",
                                       "stop_attributes_json:s",
                                       NULL };

/* A start whose stop has not come yet */
typedef struct
{
  char *name;
  gint64 nc;
  gint64 tracking;
  gint64 numbers[F_ATTRIBUTES]; /* of the columns that hold some */
  guint32 has;                  /* bit n: numbers[n] is there */
  char *attributes;
} Start;

struct _NeuronJsonFetch
{
  StriaNeuronRows *rows;
  GHashTable *open; /* Start: the newest of its name, core and tracking id */
  guint64 n_stops;
  guint64 n_starts;
};

static guint
start_hash (gconstpointer key)
{
  const Start *start = key;

  return g_str_hash (start->name) ^ (guint) (start->tracking * 0x9e3779b97f4a7c15 >> 32)
         ^ (guint) start->nc << 7;
}

static gboolean
start_equal (gconstpointer a, gconstpointer b)
{
  const Start *x = a, *y = b;

  return x->nc == y->nc && x->tracking == y->tracking && g_str_equal (x->name, y->name);
}

static void
start_free (gpointer data)
{
  Start *start = data;

  g_free (start->name);
  g_free (start->attributes);
  g_free (start);
}

const char *
neuron_json_source_of (const char *name)
{
  static const char *const hardware[]
      = { "nc_exec_running", "cc_running", "cc_exec_barrier", "numerical_err", "nc_model_switch" };

  for (guint i = 0; i < G_N_ELEMENTS (hardware); i++)
    if (g_ascii_strcasecmp (hardware[i], name) == 0)
      return "neuron_hw";
  return "neuron_rt";
}

NeuronJsonFetch *
neuron_json_fetch_new (StriaNeuronEmitter *emitter)
{
  NeuronJsonFetch *self = g_new0 (NeuronJsonFetch, 1);

  self->rows = stria_neuron_rows_new (emitter, "SystemProfileEvents", columns);
  self->open = g_hash_table_new_full (start_hash, start_equal, start_free, NULL);
  return self;
}

static void
write_event (NeuronJsonFetch *self, const Start *start, gboolean has_end, gint64 end,
             const char *stop_attributes)
{
  for (guint i = 0; i < F_ATTRIBUTES; i++)
    if (start->has & 1u << i)
      stria_neuron_rows_int (self->rows, i, start->numbers[i]);
  stria_neuron_rows_text (self->rows, F_NAME, start->name, -1);
  stria_neuron_rows_text (self->rows, F_SOURCE, neuron_json_source_of (start->name), -1);
  if (has_end)
    {
      gint64 duration;

      stria_neuron_rows_int (self->rows, F_END, end);
      if (!__builtin_sub_overflow (end, start->numbers[F_START], &duration))
        stria_neuron_rows_int (self->rows, F_DURATION, duration);
    }
  if (start->attributes != NULL)
    stria_neuron_rows_text (self->rows, F_ATTRIBUTES, start->attributes, -1);
  if (stop_attributes != NULL)
    stria_neuron_rows_text (self->rows, F_STOP_ATTRIBUTES, stop_attributes, -1);
  stria_neuron_rows_end (self->rows);
}

static char *
take_text (NeuronJsonTable *keys, const NeuronJsonRow *row, const char *key)
{
  const NeuronJsonCell *cell
      = neuron_json_row_find (row, neuron_json_table_column (keys, key, strlen (key)));

  return cell != NULL ? g_utf8_make_valid (row->text->str + cell->offset, cell->length) : NULL;
}

static void
take_number (
    NeuronJsonTable *keys, const NeuronJsonRow *row, const char *key, guint to, Start *start)
{
  const NeuronJsonCell *cell
      = neuron_json_row_find (row, neuron_json_table_column (keys, key, strlen (key)));

  if (neuron_json_cell_int (row, cell, &start->numbers[to]))
    start->has |= 1u << to;
}

void
neuron_json_fetch_add (NeuronJsonFetch *self, NeuronJsonTable *keys, const NeuronJsonRow *row)
{
  static const struct
  {
    const char *key;
    guint to;
  } numbers[] = {
    { "id", F_ID }, { "timestamp_ns", F_START }, { "thread_id", F_THREAD }, { "nc_idx", F_NC },
    { "worker_gid", F_WORKER }, { "tracking_id", F_TRACKING }, { "nc_local_id", F_LOCAL },
    { "nrta_seq_id", F_SEQUENCE },
  };
  g_autofree char *phase = take_text (keys, row, "phase");
  Start *start = g_new0 (Start, 1);
  Start *old;

  start->name = take_text (keys, row, "event_type");
  start->attributes = take_text (keys, row, "data");
  if (start->name == NULL)
    start->name = g_strdup ("");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    take_number (keys, row, numbers[i].key, numbers[i].to, start);
  start->nc = start->has & 1u << F_NC ? start->numbers[F_NC] : -1;
  start->tracking = start->numbers[F_TRACKING];
  if (phase == NULL || g_ascii_strcasecmp (phase, "instant") == 0
      || (g_ascii_strcasecmp (phase, "start") != 0 && g_ascii_strcasecmp (phase, "stop") != 0))
    {
      write_event (self, start, FALSE, 0, NULL);
      start_free (start);
      return;
    }
  old = g_hash_table_lookup (self->open, start);
  if (g_ascii_strcasecmp (phase, "stop") == 0)
    {
      if (old != NULL)
        {
          write_event (self, old, (start->has & 1u << F_START) != 0, start->numbers[F_START],
                       start->attributes);
          g_hash_table_remove (self->open, old);
        }
      else
        self->n_stops++;
      start_free (start);
      return;
    }
  if (old != NULL)
    {
      /* A second start of the same: the first never stopped. */
      write_event (self, old, FALSE, 0, NULL);
      self->n_starts++;
    }
  g_hash_table_replace (self->open, start, start);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const Start *x = *(const Start *const *) a, *y = *(const Start *const *) b;

  if (x->numbers[F_START] != y->numbers[F_START])
    return x->numbers[F_START] < y->numbers[F_START] ? -1 : 1;
  return strcmp (x->name, y->name);
}

void
neuron_json_fetch_free (NeuronJsonFetch *self, guint64 *n_stops, guint64 *n_starts)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer start;

  g_hash_table_iter_init (&iter, self->open);
  while (g_hash_table_iter_next (&iter, &start, NULL))
    g_ptr_array_add (left, start);
  g_ptr_array_sort (left, compare_starts);
  for (guint i = 0; i < left->len; i++)
    write_event (self, left->pdata[i], FALSE, 0, NULL);
  *n_stops = self->n_stops;
  *n_starts = self->n_starts + left->len;
  stria_neuron_rows_free (self->rows);
  g_hash_table_unref (self->open);
  g_free (self);
}
