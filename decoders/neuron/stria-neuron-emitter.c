/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-hash.h"
#include "stria-neuron-emitter-private.h"

/* -- cells ----------------------------------------------------------------------------------- */

guint32
neuron_intern (StriaNeuronEmitter *self, const char *text)
{
  return self->sink->intern (self->sink, text, strlen (text));
}

static guint32
text_of_number (StriaNeuronEmitter *self, const NeuronTable *table, int column, guint32 row)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (table->types[column] == STRIA_CELL_REAL)
    g_ascii_dtostr (text, sizeof text, table->batch[column].reals[row]);
  else
    g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, table->batch[column].ints[row]);
  return neuron_intern (self, text);
}

guint32
neuron_text (StriaNeuronEmitter *self, NeuronTable *table, guint role, guint32 row)
{
  int c = table->column[role];
  const StriaColumnData *data;
  const char *text;
  guint32 length, *known;

  if (c < 0 || !stria_column_data_has (&table->batch[c], row))
    return 0;
  data = &table->batch[c];
  if (table->types[c] != STRIA_CELL_TEXT)
    return text_of_number (self, table, c, row);
  if (data->index == NULL)
    {
      text = stria_column_data_text (data, row, &length);
      return self->sink->intern (self->sink, text, length);
    }
  known = &table->texts[role].ids[data->index[row]];
  if (*known == 0)
    {
      text = stria_column_data_text (data, row, &length);
      *known = self->sink->intern (self->sink, text, length) + 1;
    }
  return *known - 1;
}

gboolean
neuron_span (StriaNeuronEmitter *self, NeuronTable *table, guint start, guint end, guint duration,
             guint32 row, gint64 *ts, gint64 *dur, guint8 *flags)
{
  gint64 to;

  *flags = 0;
  if (!neuron_int (table, start, row, ts))
    {
      self->without_time++;
      return FALSE;
    }
  if (!neuron_int (table, duration, row, dur))
    {
      if (!neuron_int (table, end, row, &to))
        *dur = 0;
      else if (__builtin_sub_overflow (to, *ts, dur))
        {
          *dur = to > *ts ? G_MAXINT64 : -1;
          *flags |= STRIA_EVENT_CLAMPED;
        }
    }
  if (*dur < 0)
    {
      *dur = 0;
      *flags |= STRIA_EVENT_NEGATIVE_DUR;
    }
  if (*ts > G_MAXINT64 - *dur)
    {
      *dur = G_MAXINT64 - *ts;
      *flags |= STRIA_EVENT_CLAMPED;
    }
  return TRUE;
}

/* -- lanes ----------------------------------------------------------------------------------- */

static guint32
lane_slot (const NeuronLane *lanes, guint32 capacity, guint32 kind, guint32 a, guint32 b, guint32 c)
{
  guint64 hash = ((guint64) kind << 32 ^ a) * 0x9e3779b97f4a7c15u;
  guint32 slot;

  hash = (hash ^ hash >> 29 ^ ((guint64) b << 32 | c)) * 0xbf58476d1ce4e5b9u;
  for (slot = (guint32) (hash >> 32);; slot++)
    {
      const NeuronLane *lane = &lanes[slot & (capacity - 1)];
      if (lane->kind == 0
          || (lane->a == a && lane->b == b && lane->c == c && lane->kind == kind))
        return slot & (capacity - 1);
    }
}

static void
grow_lanes (StriaNeuronEmitter *self)
{
  guint32 capacity = MAX (256, self->lane_capacity * 2);
  NeuronLane *lanes = g_new0 (NeuronLane, capacity);

  for (guint32 i = 0; i < self->lane_capacity; i++)
    {
      const NeuronLane *lane = &self->lanes[i];
      if (lane->kind != 0)
        lanes[lane_slot (lanes, capacity, lane->kind, lane->a, lane->b, lane->c)] = *lane;
    }
  g_free (self->lanes);
  self->lanes = lanes;
  self->lane_capacity = capacity;
}

NeuronLane *
neuron_lane (StriaNeuronEmitter *self, guint32 kind, guint32 a, guint32 b, guint32 c)
{
  NeuronLane *lane;

  if (self->n_lanes * 2 >= self->lane_capacity)
    grow_lanes (self);
  lane = &self->lanes[lane_slot (self->lanes, self->lane_capacity, kind, a, b, c)];
  if (lane->kind == 0)
    {
      *lane = (NeuronLane){ .kind = kind, .a = a, .b = b, .c = c, .thread = G_MAXUINT32,
                            .beside = G_MAXUINT32 };
      self->n_lanes++;
    }
  return lane;
}

guint32
neuron_process (StriaNeuronEmitter *self, const char *title, gint64 place)
{
  guint32 name = neuron_intern (self, title);
  NeuronLane *known = neuron_lane (self, NEURON_PROCESS, name, 0, 0);

  if (known->thread == G_MAXUINT32)
    {
      /* The key is the name as well, so that no number of ours is shown beside it. */
      known->thread = self->sink->process (self->sink, title, strlen (title));
      self->sink->set_name (self->sink, STRIA_FIELD_PROCESS_NAME, known->thread, STRIA_NO_THREAD,
                            name);
      self->sink->set_sort (self->sink, STRIA_FIELD_PROCESS_SORT, known->thread, STRIA_NO_THREAD,
                            place);
    }
  return known->thread;
}

guint32
neuron_profile (StriaNeuronEmitter *self)
{
  return neuron_process (self, self->profile != NULL ? self->profile : _("Device profile"), 0);
}

guint32
neuron_thread (StriaNeuronEmitter *self, const NeuronTable *table, guint32 process, guint32 kind,
               gint64 place, char *key, char *title)
{
  g_autofree char *whole = g_strdup_printf (STRIA_TABLE_LANE_KEY "%s\x1f%s", table->name, key);
  guint32 thread = self->sink->thread (self->sink, process, whole, strlen (whole));

  self->sink->set_name (self->sink, STRIA_FIELD_THREAD_NAME, process, thread,
                        neuron_intern (self, title));
  self->sink->set_sort (self->sink, STRIA_FIELD_THREAD_SORT, process, thread,
                        ((gint64) kind << 40) + place);
  g_free (key);
  g_free (title);
  return thread;
}

char *
neuron_core_title (char *title, guint32 core)
{
  char *with_core;

  if (core == G_MAXUINT32)
    return title;
  with_core = g_strdup_printf ("%s (nc%u)", title, core);
  g_free (title);
  return with_core;
}

/* -- events ---------------------------------------------------------------------------------- */

void
neuron_flush (StriaNeuronEmitter *self)
{
  if (self->n_events > 0)
    self->sink->events (self->sink, self->events, self->n_events);
  self->n_events = 0;
}

void
neuron_unit (StriaNeuronEmitter *self, guint32 counter, const char *unit)
{
  if (self->sink->set_unit != NULL)
    self->sink->set_unit (self->sink, counter, neuron_intern (self, unit));
}

/* -- Metadata -------------------------------------------------------------------------------- */

/* "2025-12-18 15:35:56.592459482 +0000 UTC": what GLib reads, with the zone's name cut off and the
 * digits of a second taken by themselves, since it keeps six of them only. */
static gboolean
parse_date (const char *text, gsize length, gint64 *ns)
{
  g_autofree char *whole = g_strndup (text, length);
  g_autoptr (GDateTime) time = NULL;
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  gint64 fraction = 0, scale = 100000000;
  char *end, *dot;
  g_autofree char *seconds = NULL;

  if (length < 19 || (whole[10] != ' ' && whole[10] != 'T'))
    return FALSE;
  whole[10] = 'T';
  dot = whole + 19;
  if (*dot == '.')
    for (dot++; g_ascii_isdigit (*dot); dot++, scale /= 10)
      fraction += (*dot - '0') * scale;
  while (*dot == ' ')
    dot++;
  end = strchr (dot, ' ');
  if (end != NULL)
    *end = '\0';
  if (g_str_equal (dot, "UTC"))
    *dot = '\0';
  seconds = g_strdup_printf ("%.19s%s", whole, dot);
  time = g_date_time_new_from_iso8601 (seconds, utc);
  if (time == NULL)
    return FALSE;
  return !__builtin_mul_overflow (g_date_time_to_unix (time), G_GINT64_CONSTANT (1000000000), ns)
         && !__builtin_add_overflow (*ns, fraction, ns);
}

gboolean
stria_neuron_parse_time (const char *text, gssize length, gint64 *ns)
{
  gsize n = length < 0 ? strlen (text) : (gsize) length;
  gint64 value = 0;

  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isdigit (text[i]))
      return parse_date (text, n, ns);
    else if (__builtin_mul_overflow (value, 10, &value)
             || __builtin_add_overflow (value, text[i] - '0', &value))
      return FALSE;
  *ns = value;
  return n > 0;
}

/* Size and clock of the tensor engine */
static void
take_peak (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  double rows, columns, clock;

  if (n_rows > 0 && neuron_real (table, 1, 0, &rows) && neuron_real (table, 2, 0, &columns)
      && neuron_real (table, 3, 0, &clock))
    stria_neuron_emitter_set_tensor_engine (self, rows, columns, clock);
}

/* Where device times begin: documented as nanoseconds from the profile's start; that this is the
 * first time of the trace is inferred. */
static void
take_metadata (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  guint32 length;
  int c = table->column[0];

  take_peak (self, table, n_rows);
  if (c < 0 || table->types[c] != STRIA_CELL_TEXT || self->has_base || n_rows == 0
      || !stria_column_data_has (&table->batch[c], 0))
    return;
  const char *text = stria_column_data_text (&table->batch[c], 0, &length);
  self->has_base = stria_neuron_parse_time (text, length, &self->base_ns);
}

static const char *const metadata_roles[]
    = { "first_ts", "tensor_engine_num_rows", "tensor_engine_num_cols",
        "tensor_engine_clock_freq", NULL };
static const char *const flow_roles[]
    = { "in_id", "out_id", "in_table", "out_table", "dependency_type", NULL };
static const NeuronSource other_sources[] = {
  { "Metadata", FALSE, metadata_roles, take_metadata },
  { "Flow", FALSE, flow_roles, neuron_links_rows },
  { NULL, FALSE, NULL, NULL },
};

/* -- tables ---------------------------------------------------------------------------------- */

static const NeuronSource *
find_source (const char *name)
{
  const NeuronSource *const lists[]
      = { neuron_device_sources, neuron_sample_sources, neuron_system_sources, other_sources };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (const NeuronSource *source = lists[l]; source->table != NULL; source++)
      if (g_ascii_strcasecmp (source->table, name) == 0)
        return source;
  return NULL;
}

static void
table_free (gpointer data)
{
  NeuronTable *table = data;

  for (guint i = 0; i < NEURON_MAX_ROLES; i++)
    g_free (table->texts[i].ids);
  g_free (table->types);
  g_free (table->name);
  g_free (table);
}

StriaNeuronEmitter *
stria_neuron_emitter_new (StriaSink *sink, const char *profile)
{
  StriaNeuronEmitter *self = g_new0 (StriaNeuronEmitter, 1);

  self->sink = sink;
  self->profile = profile != NULL && profile[0] != '\0' ? g_strdup (profile) : NULL;
  self->tables = g_ptr_array_new_with_free_func (table_free);
  self->events = g_new (StriaEvent, NEURON_BATCH_EVENTS);
  self->links = neuron_links_new ();
  for (guint i = 0; i < NEURON_N_SHARES; i++)
    self->share_names[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

guint
stria_neuron_emitter_table (StriaNeuronEmitter *self, const char *name,
                            const StriaColumnInfo *columns, guint n_columns)
{
  const StriaNeuronTable *schema = stria_neuron_schema_table (name);
  NeuronTable *table = g_new0 (NeuronTable, 1);
  g_autofree StriaColumnInfo *labelled = g_new (StriaColumnInfo, MAX (n_columns, 1));

  n_columns = MIN (n_columns, STRIA_TABLE_MAX_COLUMNS);
  table->name = g_strdup (schema != NULL ? schema->name : name);
  table->source = find_source (table->name);
  table->n_columns = n_columns;
  table->types = g_new (guint8, MAX (n_columns, 1));
  for (guint i = 0; i < NEURON_MAX_ROLES; i++)
    table->column[i] = -1;
  for (guint c = 0; c < n_columns; c++)
    {
      const StriaNeuronColumn *known = stria_neuron_schema_column (schema, columns[c].name);

      labelled[c] = columns[c];
      table->types[c] = (guint8) columns[c].type;
      if (known != NULL && (labelled[c].unit == NULL || labelled[c].unit[0] == '\0'))
        labelled[c].unit = (char *) known->unit;
      if (labelled[c].unit == NULL)
        labelled[c].unit = (char *) "";
      if (known != NULL && labelled[c].note == NULL && known->note[0] != '\0')
        labelled[c].note = (char *) known->note;
      for (guint i = 0; table->source != NULL && table->source->roles[i] != NULL; i++)
        if (table->column[i] < 0
            && g_ascii_strcasecmp (table->source->roles[i], columns[c].name) == 0)
          table->column[i] = (int) c;
    }
  table->builder = self->sink->table (self->sink, table->name, labelled, n_columns);
  table->number = self->tables->len;
  g_ptr_array_add (self->tables, table);
  return table->number;
}

/* Forgets the ids of the texts of the batch before. */
static void
clear_texts (NeuronTable *table)
{
  for (guint i = 0; table->source->roles[i] != NULL; i++)
    {
      const StriaColumnData *data = &table->batch[MAX (table->column[i], 0)];
      NeuronTexts *texts = &table->texts[i];

      if (table->column[i] < 0 || table->types[table->column[i]] != STRIA_CELL_TEXT
          || data->index == NULL)
        continue;
      if (texts->capacity < data->n_texts)
        {
          g_free (texts->ids);
          texts->ids = g_new0 (guint32, data->n_texts);
          texts->capacity = data->n_texts;
        }
      else if (data->n_texts > 0)
        memset (texts->ids, 0, data->n_texts * sizeof *texts->ids);
    }
}

void
stria_neuron_emitter_rows (StriaNeuronEmitter *self, guint number, const StriaColumnData *columns,
                           guint32 n_rows)
{
  NeuronTable *table = self->tables->pdata[number];

  if (n_rows == 0)
    return;
  stria_table_builder_add (table->builder, columns, n_rows);
  table->first_row = table->n_rows;
  table->n_rows += n_rows;
  if (table->source == NULL)
    return;
  table->batch = columns;
  clear_texts (table);
  self->any_system |= table->source->is_system;
  self->any_device |= !table->source->is_system;
  table->source->rows (self, table, n_rows);
  table->batch = NULL;
}

/* Percents that are none: all of a group's values are at most 1 (documented as percent, seen as
 * fractions; which of the two is inferred from the values). */
static void
finish_shares (StriaNeuronEmitter *self)
{
  for (guint i = 0; i < NEURON_N_SHARES; i++)
    for (guint n = 0; n < self->share_names[i]->len; n++)
      neuron_unit (self, g_array_index (self->share_names[i], guint32, n),
                   self->share_max[i] <= 1.0 ? _("of 1 (inferred)") : "%");
}

void
stria_neuron_emitter_free (StriaNeuronEmitter *self)
{
  neuron_links_finish (self);
  neuron_flops_finish (self);
  neuron_flush (self);
  finish_shares (self);
  if (self->any_system)
    self->sink->base_time (self->sink, 0);
  else if (self->has_base && self->any_device)
    self->sink->base_time (self->sink, self->base_ns);
  if (self->without_time > 0)
    {
      g_autofree char *n = g_strdup_printf ("%" G_GUINT64_FORMAT, self->without_time);
      self->sink->meta (self->sink, "neuron_rows_without_time", n, strlen (n));
    }
  neuron_links_free (self->links);
  g_clear_pointer (&self->flops, g_hash_table_unref);
  for (guint i = 0; i < NEURON_N_SHARES; i++)
    g_array_unref (self->share_names[i]);
  g_ptr_array_unref (self->tables);
  g_free (self->lanes);
  g_free (self->events);
  g_free (self->profile);
  g_free (self);
}
