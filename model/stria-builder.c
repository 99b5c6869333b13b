/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-builder-private.h"
#include "stria-hash.h"
#include "stria-sort.h"

guint16
stria_builder_category (StriaBuilder *self, guint32 string)
{
  if (G_UNLIKELY (string >= self->category_capacity))
    {
      gsize n = MAX ((gsize) string + 1, self->category_capacity * 2);
      self->category_of = g_renew (guint16, self->category_of, n);
      memset (self->category_of + self->category_capacity, 0,
              (n - self->category_capacity) * sizeof *self->category_of);
      self->category_capacity = n;
    }
  if (self->category_of[string] == 0)
    {
      if (self->categories->len >= G_MAXUINT16 - 1)
        {
          stria_notices_add (self->notices, STRIA_SEVERITY_WARNING, "category-limit", self->file,
                             -1, _("More than 65534 categories; the rest count as none"));
          return 0;
        }
      g_ptr_array_add (self->categories, GUINT_TO_POINTER (string));
      self->category_of[string] = (guint16) self->categories->len;
    }
  return self->category_of[string] - 1;
}

static guint32
sink_intern (StriaSink *sink, const char *text, gsize length)
{
  StriaBuilder *self = (StriaBuilder *) sink;
  guint32 before = stria_strings_size (self->strings);
  guint32 id = stria_strings_intern (self->strings, text, length);

  if (G_LIKELY (id != before))
    {
      if (G_LIKELY (self->repaired == NULL))
        return id;
      gpointer known = g_hash_table_lookup (self->repaired, GUINT_TO_POINTER (id));
      return known != NULL ? GPOINTER_TO_UINT (known) - 1 : id;
    }
  if (g_utf8_validate_len (text, length, NULL))
    return id;

  /* The bad text stays in the table, unused, so that it is repaired and told of once. (A NUL counts
   * as bad: JSON can write one, a C string can't hold it.) */
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);
  stria_notices_add (self->notices, STRIA_SEVERITY_WARNING, "text-encoding", self->file, -1,
                     _("A text is not UTF-8; its bad bytes are shown as “�”: %.80s"), valid);
  if (self->repaired == NULL)
    self->repaired = g_hash_table_new (NULL, NULL);
  guint32 repaired = stria_strings_intern (self->strings, valid, strlen (valid));
  g_hash_table_insert (self->repaired, GUINT_TO_POINTER (id), GUINT_TO_POINTER (repaired + 1));
  return repaired;
}

static const char *
sink_text (StriaSink *sink, guint32 string)
{
  return stria_strings_get (((StriaBuilder *) sink)->strings, string);
}

static guint32
sink_process (StriaSink *sink, const char *key, gsize length)
{
  StriaBuilder *self = (StriaBuilder *) sink;
  g_autofree char *text = g_utf8_make_valid (key, (gssize) length);
  gpointer known = g_hash_table_lookup (self->process_ids, text);

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  StriaBuiltProcess *process = g_new0 (StriaBuiltProcess, 1);
  process->key = g_strdup (text);
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->processes, process);
  g_mutex_unlock (&self->mutex);
  g_hash_table_insert (self->process_ids, g_steal_pointer (&text),
                       GUINT_TO_POINTER (self->processes->len));
  return self->processes->len - 1;
}

static guint32
sink_thread (StriaSink *sink, guint32 process, const char *key, gsize length)
{
  StriaBuilder *self = (StriaBuilder *) sink;
  g_autofree char *valid = g_utf8_make_valid (key, (gssize) length);
  g_autofree char *text = g_strdup_printf ("%u\x1f%s", process, valid);
  gpointer known = g_hash_table_lookup (self->thread_ids, text);

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  StriaStagedThread *thread = g_new0 (StriaStagedThread, 1);
  thread->process = process;
  thread->key = g_steal_pointer (&valid);
  thread->is_table = self->spill != NULL && g_str_has_prefix (thread->key, STRIA_TABLE_LANE_KEY);
  thread->density = g_new0 (StriaDensity, 1);
  for (guint i = 0; i < 3; i++)
    thread->lanes[i] = G_MAXUINT32;
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->threads, thread);
  g_mutex_unlock (&self->mutex);
  g_hash_table_insert (self->thread_ids, g_steal_pointer (&text),
                       GUINT_TO_POINTER (self->threads->len));
  return self->threads->len - 1;
}

static void
sink_set_name (StriaSink *sink, StriaThreadField field, guint32 process, guint32 thread,
               guint32 string)
{
  StriaBuilder *self = (StriaBuilder *) sink;

  if (field == STRIA_FIELD_PROCESS_NAME)
    ((StriaBuiltProcess *) self->processes->pdata[process])->name = string;
  else if (field == STRIA_FIELD_PROCESS_LABELS)
    ((StriaBuiltProcess *) self->processes->pdata[process])->labels = string;
  else if (field == STRIA_FIELD_THREAD_NAME)
    ((StriaStagedThread *) self->threads->pdata[thread])->name = string;
}

static void
sink_set_sort (StriaSink *sink, StriaThreadField field, guint32 process, guint32 thread,
               gint64 index)
{
  StriaBuilder *self = (StriaBuilder *) sink;

  if (field == STRIA_FIELD_PROCESS_SORT)
    {
      StriaBuiltProcess *built = self->processes->pdata[process];
      built->sort = index;
      built->has_sort = TRUE;
    }
  else if (field == STRIA_FIELD_THREAD_SORT)
    {
      StriaStagedThread *staged = self->threads->pdata[thread];
      staged->sort = index;
      staged->has_sort = TRUE;
    }
}

static guint64
sink_args (StriaSink *sink, guint32 seq, const char *text, gsize length)
{
  return stria_args_append (((StriaBuilder *) sink)->args, seq, text, length);
}

static guint
counter_hash (gconstpointer key)
{
  const StriaStagedCounter *counter = key;

  return (guint) stria_hash_u64 ((guint64) counter->name << 32
                                 ^ (guint64) counter->process << 24 ^ counter->series);
}

static gboolean
counter_equal (gconstpointer a, gconstpointer b)
{
  const StriaStagedCounter *x = a, *y = b;

  return x->process == y->process && x->name == y->name && x->series == y->series;
}

static void
add_staged (StriaBuilder *self, StriaStagedThread *thread, StriaStaged *staged,
            const StriaEvent *event)
{
  stria_staged_add (staged, event, stria_builder_category (self, event->category));
  if (staged->c.n == STRIA_PACK_EVENTS && thread->is_table)
    stria_staged_spill (self, staged);
}

static void
add_counter (StriaBuilder *self, StriaStagedThread *thread, const StriaEvent *event)
{
  StriaStagedCounter key = { thread->process, event->name, event->extra, event->thread,
                             { .is_counter = TRUE } };
  StriaStagedCounter *counter = g_hash_table_lookup (self->counter_ids, &key);

  if (counter == NULL)
    {
      counter = g_memdup2 (&key, sizeof key);
      g_ptr_array_add (self->counters, counter);
      g_hash_table_add (self->counter_ids, counter);
    }
  add_staged (self, thread, &counter->samples, event);
}

static void
add_async (StriaBuilder *self, guint32 process, const StriaEvent *event)
{
  if (self->async->len <= process)
    g_ptr_array_set_size (self->async, (gint) process + 1);
  if (self->async->pdata[process] == NULL)
    self->async->pdata[process] = g_array_new (FALSE, FALSE, sizeof (StriaEvent));
  g_array_append_vals (self->async->pdata[process], event, 1);
}

static void
sink_events (StriaSink *sink, const StriaEvent *events, gsize n)
{
  StriaBuilder *self = (StriaBuilder *) sink;

  g_mutex_lock (&self->mutex);
  for (gsize i = 0; i < n; i++)
    {
      const StriaEvent *event = &events[i];
      StriaStagedThread *thread = self->threads->pdata[event->thread];

      switch ((StriaEventKind) event->kind)
        {
        case STRIA_EVENT_SLICE:
          add_staged (self, thread, &thread->slices, event);
          stria_density_add (thread->density, event->ts_ns, event->ts_ns + event->dur_ns);
          break;
        case STRIA_EVENT_BEGIN:
        case STRIA_EVENT_END:
          if (thread->marks == NULL)
            thread->marks = g_array_new (FALSE, FALSE, sizeof (StriaEvent));
          g_array_append_val (thread->marks, *event);
          break;
        case STRIA_EVENT_INSTANT:
          add_staged (self, thread, &thread->instants, event);
          break;
        case STRIA_EVENT_COUNTER:
          add_counter (self, thread, event);
          break;
        case STRIA_EVENT_ASYNC_BEGIN:
        case STRIA_EVENT_ASYNC_END:
        case STRIA_EVENT_ASYNC_INSTANT:
          add_async (self, thread->process, event);
          break;
        case STRIA_EVENT_FLOW_START:
        case STRIA_EVENT_FLOW_STEP:
        case STRIA_EVENT_FLOW_END:
          thread->has_flows = TRUE;
          g_array_append_val (self->flows, *event);
          break;
        default:
          g_assert_not_reached ();
        }
    }
  self->n_events += n;
  g_mutex_unlock (&self->mutex);
}

static void
sink_meta (StriaSink *sink, const char *key, const char *json, gsize length)
{
  StriaBuilder *self = (StriaBuilder *) sink;

  g_hash_table_replace (self->meta, g_strdup (key), g_utf8_make_valid (json, (gssize) length));
}

static void
sink_base_time (StriaSink *sink, gint64 base_ns)
{
  StriaBuilder *self = (StriaBuilder *) sink;

  self->has_base = TRUE;
  self->base_ns = base_ns;
}

static StriaAllocSink *
sink_allocator (StriaSink *sink)
{
  StriaBuilder *self = (StriaBuilder *) sink;

  if (self->allocs == NULL)
    self->allocs = stria_alloc_builder_new ();
  return stria_alloc_builder_get_sink (self->allocs);
}

static StriaFacts *
sink_facts (StriaSink *sink)
{
  StriaBuilder *self = (StriaBuilder *) sink;

  if (self->facts == NULL)
    self->facts = stria_facts_new ();
  return self->facts;
}

static StriaTableBuilder *
sink_table (StriaSink *sink, const char *name, gconstpointer columns, guint n_columns)
{
  StriaBuilder *self = (StriaBuilder *) sink;

  if (self->spill == NULL)
    self->spill = stria_spill_new ();
  if (self->tables == NULL)
    self->tables = g_ptr_array_new ();
  g_ptr_array_add (self->tables, stria_table_builder_new (name, self->artifact, columns, n_columns,
                                                          self->spill));
  return self->tables->pdata[self->tables->len - 1];
}

static void
sink_set_unit (StriaSink *sink, guint32 counter, guint32 unit)
{
  StriaBuilder *self = (StriaBuilder *) sink;

  if (self->counter_units == NULL)
    self->counter_units = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (self->counter_units, GUINT_TO_POINTER (counter), GUINT_TO_POINTER (unit));
}

void
stria_builder_set_spill (StriaBuilder *self, StriaSpill *spill)
{
  g_clear_pointer (&self->spill, stria_spill_unref);
  self->spill = stria_spill_ref (spill);
}

static void
free_process (gpointer data)
{
  StriaBuiltProcess *process = data;

  g_free (process->key);
  g_free (process);
}

static void
free_thread (gpointer data)
{
  StriaStagedThread *thread = data;

  stria_staged_clear (&thread->slices);
  stria_staged_clear (&thread->instants);
  g_clear_pointer (&thread->marks, g_array_unref);
  g_free (thread->density);
  g_free (thread->place);
  g_free (thread->place_lane);
  for (guint i = 0; i < G_N_ELEMENTS (thread->bodies); i++)
    g_clear_pointer (&thread->bodies[i], stria_lane_body_unref);
  g_free (thread->key);
  g_free (thread);
}

static void
free_counter (gpointer data)
{
  StriaStagedCounter *counter = data;

  stria_staged_clear (&counter->samples);
  g_free (counter);
}

static void
free_array (gpointer data)
{
  if (data != NULL)
    g_array_unref (data);
}

/**
 * stria_builder_new:
 * @artifact: number of the artifact in its capture
 * @file: base name for notices
 *
 * Returns: (transfer full): an empty builder
 */
StriaBuilder *
stria_builder_new (guint artifact, const char *file, StriaNotices *notices)
{
  StriaBuilder *self = g_new0 (StriaBuilder, 1);

  self->sink = (StriaSink){
    .intern = sink_intern,
    .text = sink_text,
    .process = sink_process,
    .thread = sink_thread,
    .set_name = sink_set_name,
    .set_sort = sink_set_sort,
    .args = sink_args,
    .events = sink_events,
    .meta = sink_meta,
    .base_time = sink_base_time,
    .allocator = sink_allocator,
    .facts = sink_facts,
    .table = sink_table,
    .set_unit = sink_set_unit,
  };
  self->artifact = artifact;
  self->file = g_strdup (file);
  self->notices = stria_notices_ref (notices);
  self->strings = stria_strings_new ();
  self->args = stria_args_new ();
  self->meta = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_mutex_init (&self->mutex);
  g_mutex_init (&self->nest_mutex);
  g_cond_init (&self->nest_cond);
  self->processes = g_ptr_array_new_with_free_func (free_process);
  self->threads = g_ptr_array_new_with_free_func (free_thread);
  self->process_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->thread_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->counters = g_ptr_array_new_with_free_func (free_counter);
  self->counter_ids = g_hash_table_new (counter_hash, counter_equal);
  self->async = g_ptr_array_new_with_free_func (free_array);
  self->flows = g_array_new (FALSE, FALSE, sizeof (StriaEvent));
  self->categories = g_ptr_array_new ();
  self->n_by_name = g_array_new (FALSE, TRUE, sizeof (guint64));
  stria_builder_category (self, 0);
  return self;
}

void
stria_builder_free (StriaBuilder *self)
{
  g_free (self->file);
  stria_notices_unref (self->notices);
  g_clear_pointer (&self->repaired, g_hash_table_unref);
  g_clear_pointer (&self->strings, stria_strings_unref);
  g_clear_pointer (&self->args, stria_args_unref);
  g_clear_pointer (&self->allocs, stria_alloc_builder_free);
  g_clear_pointer (&self->facts, stria_facts_unref);
  for (guint i = 0; self->tables != NULL && i < self->tables->len; i++)
    stria_table_builder_free (self->tables->pdata[i]);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_clear_pointer (&self->spill, stria_spill_unref);
  g_clear_pointer (&self->meta, g_hash_table_unref);
  g_ptr_array_unref (self->processes);
  g_ptr_array_unref (self->threads);
  g_hash_table_unref (self->process_ids);
  g_hash_table_unref (self->thread_ids);
  g_hash_table_unref (self->counter_ids);
  g_clear_pointer (&self->counter_units, g_hash_table_unref);
  g_ptr_array_unref (self->counters);
  g_ptr_array_unref (self->async);
  g_array_unref (self->flows);
  g_clear_pointer (&self->categories, g_ptr_array_unref);
  g_clear_pointer (&self->n_by_name, g_array_unref);
  g_free (self->category_of);
  g_mutex_clear (&self->mutex);
  g_mutex_clear (&self->nest_mutex);
  g_cond_clear (&self->nest_cond);
  g_free (self);
}

StriaSink *
stria_builder_get_sink (StriaBuilder *self)
{
  return &self->sink;
}

StriaBuilder *
stria_builder_from_sink (StriaSink *sink)
{
  return (StriaBuilder *) sink;
}

guint
stria_builder_get_artifact (StriaBuilder *self)
{
  return self->artifact;
}

guint64
stria_builder_get_n_events (StriaBuilder *self)
{
  g_mutex_lock (&self->mutex);
  guint64 n = self->n_events;
  g_mutex_unlock (&self->mutex);
  return n;
}

gboolean
stria_builder_preview (StriaBuilder *self, gint64 *t0, gint64 *t1, guint *n_bins,
                       guint64 *n_events, StriaPreviewFunc func, gpointer user_data)
{
  gint64 from = G_MAXINT64, to = G_MININT64;
  g_autofree double *own = g_new (double, STRIA_DENSITY_BINS);
  g_autofree double *common = g_new (double, STRIA_DENSITY_BINS);

  g_mutex_lock (&self->mutex);
  *n_events = self->n_events;
  for (guint i = 0; i < self->threads->len; i++)
    {
      const StriaDensity *density = ((StriaStagedThread *) self->threads->pdata[i])->density;
      if (density == NULL || density->bin_ns == 0)
        continue;
      from = MIN (from, density->t0);
      to = MAX (to, density->t0 + density->bin_ns * STRIA_DENSITY_BINS);
    }
  if (from < to)
    {
      double width = (double) (to - from) / STRIA_DENSITY_BINS;

      for (guint i = 0; i < self->threads->len; i++)
        {
          StriaStagedThread *thread = self->threads->pdata[i];
          if (thread->density == NULL || thread->density->bin_ns == 0)
            continue;
          stria_density_get (thread->density, own);
          memset (common, 0, STRIA_DENSITY_BINS * sizeof *common);
          for (guint b = 0; b < STRIA_DENSITY_BINS; b++)
            {
              double x = (double) (thread->density->t0 + (gint64) b * thread->density->bin_ns
                                   + thread->density->bin_ns / 2 - from) / width;
              common[CLAMP ((gint) x, 0, STRIA_DENSITY_BINS - 1)] += own[b];
            }
          const char *name = thread->name != 0 ? stria_strings_get (self->strings, thread->name)
                                               : thread->key;
          func (name, common, STRIA_DENSITY_BINS, user_data);
        }
    }
  g_mutex_unlock (&self->mutex);
  *t0 = from;
  *t1 = to;
  *n_bins = STRIA_DENSITY_BINS;
  return from < to;
}
