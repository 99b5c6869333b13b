/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "stria-builder-private.h"
#include "stria-sort.h"

/* Slices of parks that are nested at one time, some 34 bytes each; a larger thread goes alone. */
#define MAX_NESTING 4000000

/* A thread's title, from its name or its key. Returns: (transfer full) */
static char *
thread_title (StriaBuilder *self, const StriaStagedThread *thread)
{
  g_autofree char *name = g_strdup (stria_strings_get (self->strings, thread->name));

  g_strstrip (name);
  if (name[0] != '\0')
    return g_steal_pointer (&name);
  if (thread->key[0] == '\0')
    return g_strdup (_("(no thread)"));
  return g_strdup_printf (_("thread %s"), thread->key);
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const StriaEvent *x = a, *y = b;

  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Adds @change to how many begins of @name are open, and returns it. */
static guint
count_open (GHashTable *n_open, guint32 name, gint change)
{
  gpointer key = GUINT_TO_POINTER (name);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (n_open, key)) + (guint) change;

  if (change != 0)
    g_hash_table_insert (n_open, key, GUINT_TO_POINTER (n));
  return n;
}

/* Begins and ends of one thread become slices: an end closes the innermost open begin of its name
 * (any, if it has none), and the ones above it with it. */
static void
pair_marks (StriaBuilder *self, StriaStagedThread *thread, gint64 last_ns)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (StriaEvent));
  /* How many begins of a name are open: an end of none must not walk through all of them. */
  g_autoptr (GHashTable) n_open = g_hash_table_new (NULL, NULL);
  guint64 unmatched = 0, unfinished = 0;

  g_array_sort (thread->marks, compare_marks);
  for (guint i = 0; i < thread->marks->len; i++)
    {
      const StriaEvent *mark = &g_array_index (thread->marks, StriaEvent, i);
      gint found = -1;

      if (mark->kind == STRIA_EVENT_BEGIN)
        {
          g_array_append_val (open, *mark);
          count_open (n_open, mark->name, 1);
          continue;
        }
      gboolean possible = mark->name == 0 || count_open (n_open, mark->name, 0) > 0
                          || count_open (n_open, 0, 0) > 0;
      for (gint k = (gint) open->len - 1; possible && k >= 0; k--)
        {
          guint32 name = g_array_index (open, StriaEvent, k).name;
          if (mark->name == 0 || name == 0 || name == mark->name)
            {
              found = k;
              break;
            }
        }
      if (found < 0)
        {
          unmatched++;
          continue;
        }
      while ((gint) open->len > found)
        {
          StriaEvent slice = g_array_index (open, StriaEvent, open->len - 1);
          slice.dur_ns = mark->ts_ns - slice.ts_ns;
          count_open (n_open, slice.name, -1);
          if (slice.name == 0)
            slice.name = mark->name;
          if (slice.args == STRIA_NO_ARGS)
            slice.args = mark->args;
          stria_staged_add (&thread->slices, &slice,
                            stria_builder_category (self, slice.category));
          g_array_set_size (open, open->len - 1);
        }
    }
  for (guint i = 0; i < open->len; i++)
    {
      StriaEvent slice = g_array_index (open, StriaEvent, i);
      slice.dur_ns = MAX (0, last_ns - slice.ts_ns);
      slice.flags |= STRIA_EVENT_UNFINISHED;
      stria_staged_add (&thread->slices, &slice, stria_builder_category (self, slice.category));
      unfinished++;
    }
  if (unmatched > 0)
    stria_notices_count (self->notices, STRIA_SEVERITY_WARNING, "end-without-begin", self->file, -1,
                         unmatched, _("An end event has no begin event before it; it was left out"));
  if (unfinished > 0)
    stria_notices_count (self->notices, STRIA_SEVERITY_INFO, "begin-without-end", self->file, -1,
                         unfinished,
                         _("A begin event has no end; it is drawn to the end of the trace"));
}

static gint64
last_of_park (const StriaStaged *staged)
{
  gint64 start, end = G_MININT64;

  if (staged->park != NULL)
    stria_park_range (staged->park, &start, &end);
  return end;
}

static gint64
last_time (StriaBuilder *self)
{
  gint64 last = G_MININT64;

  for (guint t = 0; t < self->threads->len; t++)
    {
      StriaStagedThread *thread = self->threads->pdata[t];

      last = MAX (last, last_of_park (&thread->slices));
      last = MAX (last, last_of_park (&thread->instants));
      for (gsize i = 0; thread->slices.park == NULL && i < thread->slices.c.n; i++)
        last = MAX (last, thread->slices.c.start[i] + thread->slices.c.dur[i]);
      for (gsize i = 0; thread->instants.park == NULL && i < thread->instants.c.n; i++)
        last = MAX (last, thread->instants.c.start[i]);
      for (guint i = 0; thread->marks != NULL && i < thread->marks->len; i++)
        last = MAX (last, g_array_index (thread->marks, StriaEvent, i).ts_ns);
    }
  for (guint p = 0; p < self->async->len; p++)
    {
      GArray *events = self->async->pdata[p];
      for (guint i = 0; events != NULL && i < events->len; i++)
        last = MAX (last, g_array_index (events, StriaEvent, i).ts_ns);
    }
  return last;
}

static guint64
n_slices (const StriaStagedThread *thread)
{
  return thread->slices.c.n
         + (thread->slices.park != NULL ? stria_park_size (thread->slices.park) : 0);
}

/* Slices that were in a park come back to memory to be nested: not all threads' at once. */
static void
take_share (StriaBuilder *self, guint64 n)
{
  g_mutex_lock (&self->nest_mutex);
  while (self->n_nesting > 0 && self->n_nesting + n > MAX_NESTING)
    g_cond_wait (&self->nest_cond, &self->nest_mutex);
  self->n_nesting += n;
  g_mutex_unlock (&self->nest_mutex);
}

static void
give_share (StriaBuilder *self, guint64 n)
{
  g_mutex_lock (&self->nest_mutex);
  self->n_nesting -= n;
  g_cond_broadcast (&self->nest_cond);
  g_mutex_unlock (&self->nest_mutex);
}

static void
nest_task (gpointer data, gpointer user_data)
{
  StriaStagedThread *thread = data;
  StriaBuilder *self = user_data;
  g_autofree char *title = thread_title (self, thread);

  const guint64 share = thread->slices.is_uneven ? n_slices (thread) : 0;

  take_share (self, share);
  stria_nest_thread (thread, title, thread->has_flows, self->spill);
  give_share (self, share);
#ifdef __GLIBC__
  /* Arrays that are smaller than the largest ones freed so far stay in the heap otherwise. */
  if (share > MAX_NESTING / 4)
    malloc_trim (0);
#endif
  if (thread->instants.c.n > 0 || thread->instants.park != NULL)
    thread->bodies[3] = stria_nest_instants (title, thread->key, &thread->instants, self->spill);
}

static int
compare_size (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const guint64 x = n_slices (a), y = n_slices (b);

  return x > y ? -1 : x < y;
}

static void
nest_all (StriaBuilder *self)
{
  gsize total = 0;

  for (guint i = 0; i < self->threads->len; i++)
    total += n_slices (self->threads->pdata[i]);
  if (total < 20000)
    {
      for (guint i = 0; i < self->threads->len; i++)
        nest_task (self->threads->pdata[i], self);
      return;
    }
  /* Largest first, so that none is left running alone at the end. */
  GThreadPool *pool = g_thread_pool_new (nest_task, self, (gint) g_get_num_processors (), FALSE,
                                         NULL);
  g_thread_pool_set_sort_function (pool, compare_size, NULL);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_pool_push (pool, self->threads->pdata[i], NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
}

static guint32
take_lane (StriaBuilt *built, StriaLaneBody *body, guint32 process, gboolean is_counted)
{
  StriaBuiltLane lane = { body, process, is_counted };

  g_array_append_val (built->lanes, lane);
  return built->lanes->len - 1;
}

static StriaLaneBody *
counter_body (StriaBuilder *self, StriaStagedCounter *counter)
{
  const char *name = stria_strings_get (self->strings, counter->name);
  const char *series = stria_strings_get (self->strings, counter->series);
  g_autofree char *title = NULL;
  StriaLaneBody *body;

  /* One series that repeats the counter's name, or has none, adds nothing to its title. */
  if (series[0] == '\0' || g_str_equal (series, name))
    title = g_strdup (name[0] != '\0' ? name : _("counter"));
  else
    title = g_strdup_printf ("%s: %s", name, series);
  /* Others are one of many in their thread, whose key means nothing to them. */
  const char *key = ((StriaStagedThread *) self->threads->pdata[counter->thread])->key;
  body = stria_nest_instants (title, g_str_has_prefix (key, STRIA_TABLE_LANE_KEY) ? key : "",
                              &counter->samples, self->spill);
  if (self->counter_units != NULL)
    {
      gpointer unit = g_hash_table_lookup (self->counter_units, GUINT_TO_POINTER (counter->name));
      body->unit = unit != NULL ? g_strdup (stria_strings_get (self->strings,
                                                               GPOINTER_TO_UINT (unit)))
                                : NULL;
    }
  return body;
}

typedef struct
{
  guint64 id;
  guint32 category;
  guint32 name;  /* ANY_NAME: the stack of all names */
  guint32 first; /* index + 1 of the newest begin, some of which may be closed; 0 = none */
} AsyncKey;

#define ANY_NAME G_MAXUINT32

static guint
async_hash (gconstpointer key)
{
  const AsyncKey *k = key;
  return (guint) (k->id * 0x9e3779b97f4a7c15u >> 32) ^ k->category ^ k->name * 0x9e3779b9u;
}

static gboolean
async_equal (gconstpointer a, gconstpointer b)
{
  const AsyncKey *x = a, *y = b;
  return x->id == y->id && x->category == y->category && x->name == y->name;
}

static void
push_async (GHashTable *open, guint32 *below, const StriaEvent *event, guint32 name, guint32 i)
{
  AsyncKey probe = { event->id, event->category, name, 0 };
  AsyncKey *key = g_hash_table_lookup (open, &probe);

  if (key == NULL)
    {
      key = g_memdup2 (&probe, sizeof probe);
      g_hash_table_add (open, key);
    }
  below[i] = key->first;
  key->first = i + 1;
}

/* Takes the newest begin that is still open. Returns: its index + 1, or 0 */
static guint32
pop_async (GHashTable *open, const guint32 *below, const guint8 *closed, const StriaEvent *event,
           guint32 name)
{
  AsyncKey probe = { event->id, event->category, name, 0 };
  AsyncKey *key = g_hash_table_lookup (open, &probe);

  while (key != NULL && key->first != 0)
    {
      guint32 at = key->first;
      key->first = below[at - 1];
      if (!closed[at - 1])
        return at;
    }
  return 0;
}

static void
add_async_slice (StriaBuilder *self, GHashTable *lanes, StriaEvent *slice)
{
  StriaStaged *staged = g_hash_table_lookup (lanes, GUINT_TO_POINTER (slice->category + 1));

  if (staged == NULL)
    {
      staged = g_new0 (StriaStaged, 1);
      g_hash_table_insert (lanes, GUINT_TO_POINTER (slice->category + 1), staged);
    }
  slice->id = 0;
  stria_staged_add (staged, slice, stria_builder_category (self, slice->category));
}

/* Asynchronous events of one process: an end closes the innermost begin of its id, category and
 * name. One lane a category, packed into rows. */
static void
build_async (StriaBuilder *self, StriaBuilt *built, guint32 process, GArray *events, gint64 last_ns)
{
  g_autoptr (GHashTable) open = g_hash_table_new_full (async_hash, async_equal, g_free, NULL);
  g_autoptr (GHashTable) lanes = g_hash_table_new (NULL, NULL);
  guint n = events->len;
  /* Every begin stands on two stacks, that of its name and that of all names of its id. */
  g_autofree guint32 *below_named = g_new0 (guint32, n);
  g_autofree guint32 *below_any = g_new0 (guint32, n);
  g_autofree guint8 *closed = g_new0 (guint8, n);
  guint64 unmatched = 0, unfinished = 0;

  g_array_sort (events, compare_marks);
  for (guint i = 0; i < n; i++)
    {
      StriaEvent *event = &g_array_index (events, StriaEvent, i);

      if (event->kind == STRIA_EVENT_ASYNC_INSTANT)
        {
          StriaEvent slice = *event;
          slice.dur_ns = 0;
          add_async_slice (self, lanes, &slice);
          closed[i] = TRUE;
          continue;
        }
      if (event->kind == STRIA_EVENT_ASYNC_BEGIN)
        {
          push_async (open, below_named, event, event->name, i);
          push_async (open, below_any, event, ANY_NAME, i);
          continue;
        }
      closed[i] = TRUE;
      guint32 at = event->name != 0 ? pop_async (open, below_named, closed, event, event->name)
                                    : pop_async (open, below_any, closed, event, ANY_NAME);
      if (at != 0)
        {
          StriaEvent slice = g_array_index (events, StriaEvent, at - 1);
          slice.dur_ns = event->ts_ns - slice.ts_ns;
          if (slice.args == STRIA_NO_ARGS)
            slice.args = event->args;
          add_async_slice (self, lanes, &slice);
          closed[at - 1] = TRUE;
        }
      if (at == 0)
        unmatched++;
    }
  for (guint i = 0; i < n; i++)
    if (!closed[i])
      {
        StriaEvent slice = g_array_index (events, StriaEvent, i);
        slice.dur_ns = MAX (0, last_ns - slice.ts_ns);
        slice.flags |= STRIA_EVENT_UNFINISHED;
        add_async_slice (self, lanes, &slice);
        unfinished++;
      }
  if (unmatched > 0)
    stria_notices_count (self->notices, STRIA_SEVERITY_WARNING, "async-end-without-begin",
                         self->file, -1, unmatched,
                         _("An asynchronous end has no begin of its id and name; it was left out"));
  if (unfinished > 0)
    stria_notices_count (self->notices, STRIA_SEVERITY_INFO, "async-begin-without-end", self->file,
                         -1, unfinished,
                         _("An asynchronous begin has no end; it is drawn to the trace's end"));

  /* In the order of the categories, which does not depend on the hash table. */
  for (guint c = 0; c < self->categories->len; c++)
    {
      gpointer category = GUINT_TO_POINTER (GPOINTER_TO_UINT (self->categories->pdata[c]) + 1);
      StriaStaged *staged = g_hash_table_lookup (lanes, category);
      if (staged == NULL)
        continue;
      const char *name = stria_strings_get (self->strings,
                                            GPOINTER_TO_UINT (self->categories->pdata[c]));
      StriaSortPair *pairs = g_new (StriaSortPair, staged->c.n);
      guint32 *order = g_new (guint32, staged->c.n), *place = g_new (guint32, staged->c.n);

      for (gsize i = 0; i < staged->c.n; i++)
        pairs[i] = (StriaSortPair){ (guint64) staged->c.start[i] ^ ((guint64) 1 << 63), (guint32) i };
      stria_sort_pairs (pairs, staged->c.n);
      for (gsize i = 0; i < staged->c.n; i++)
        order[i] = pairs[i].value;
      take_lane (built,
                 stria_nest_packed (STRIA_LANE_ASYNC, name[0] != '\0' ? name : _("async"), "",
                                    staged, order, staged->c.n, place),
                 process, FALSE);
      g_free (pairs);
      g_free (order);
      g_free (place);
      stria_staged_clear (staged);
      g_free (staged);
    }
}

typedef struct
{
  guint32 number;
  gint64 sort;
} Ordered;

static int
compare_ordered (gconstpointer a, gconstpointer b)
{
  const Ordered *x = a, *y = b;

  if (x->sort != y->sort)
    return x->sort < y->sort ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Whether a counter stands where its thread would, not above all threads of the process */
static gboolean
has_place (StriaBuilder *self, const StriaStagedCounter *counter)
{
  const StriaStagedThread *thread = self->threads->pdata[counter->thread];

  return thread->has_sort && g_str_has_prefix (thread->key, STRIA_TABLE_LANE_KEY);
}

static void
take_lanes (StriaBuilder *self, StriaBuilt *built, gint64 last_ns)
{
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (Ordered));
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (Ordered));

  for (guint p = 0; p < self->processes->len; p++)
    {
      const StriaBuiltProcess *process = self->processes->pdata[p];
      Ordered item = { p, process->has_sort ? process->sort : G_MAXINT64 };
      g_array_append_val (processes, item);
    }
  for (guint t = 0; t < self->threads->len; t++)
    {
      const StriaStagedThread *thread = self->threads->pdata[t];
      Ordered item = { t, thread->has_sort ? thread->sort : G_MAXINT64 };
      g_array_append_val (threads, item);
    }
  g_array_sort (processes, compare_ordered);
  g_array_sort (threads, compare_ordered);

  /* Threads by process, so that this stays linear with thousands of both. */
  g_autofree GArray **by_process = g_new0 (GArray *, MAX (processes->len, 1));
  for (guint t = 0; t < threads->len; t++)
    {
      guint32 number = g_array_index (threads, Ordered, t).number;
      guint32 process = ((StriaStagedThread *) self->threads->pdata[number])->process;
      if (by_process[process] == NULL)
        by_process[process] = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (by_process[process], number);
    }
  g_autofree GPtrArray **placed = g_new0 (GPtrArray *, MAX (threads->len, 1));
  for (guint c = 0; c < self->counters->len; c++)
    {
      StriaStagedCounter *counter = self->counters->pdata[c];
      if (!has_place (self, counter))
        continue;
      if (placed[counter->thread] == NULL)
        placed[counter->thread] = g_ptr_array_new ();
      g_ptr_array_add (placed[counter->thread], counter);
    }

  for (guint p = 0; p < processes->len; p++)
    {
      guint32 old = g_array_index (processes, Ordered, p).number;
      StriaBuiltProcess *process = self->processes->pdata[old];
      StriaBuiltProcess copy = *process;
      guint32 new = built->processes->len;
      guint before = built->lanes->len;

      copy.key = g_strdup (process->key);
      for (guint c = 0; c < self->counters->len; c++)
        {
          StriaStagedCounter *counter = self->counters->pdata[c];
          if (counter->process == old && !has_place (self, counter))
            take_lane (built, counter_body (self, counter), new, FALSE);
        }
      for (guint t = 0; by_process[old] != NULL && t < by_process[old]->len; t++)
        {
          guint32 number = g_array_index (by_process[old], guint32, t);
          StriaStagedThread *thread = self->threads->pdata[number];
          for (guint c = 0; placed[number] != NULL && c < placed[number]->len; c++)
            take_lane (built, counter_body (self, placed[number]->pdata[c]), new, FALSE);
          g_clear_pointer (&placed[number], g_ptr_array_unref);
          if (thread->bodies[3] != NULL)
            take_lane (built, g_steal_pointer (&thread->bodies[3]), new, FALSE);
          /* Annotations stand above the thread they belong to, overflow below it. */
          static const guint order[3] = { 1, 0, 2 };
          for (guint i = 0; i < 3; i++)
            if (thread->bodies[order[i]] != NULL)
              thread->lanes[order[i]]
                  = take_lane (built, stria_lane_body_ref (thread->bodies[order[i]]), new,
                               thread->slices.park != NULL);
        }
      if (old < self->async->len && self->async->pdata[old] != NULL)
        build_async (self, built, new, self->async->pdata[old], last_ns);
      g_clear_pointer (&by_process[old], g_array_unref);

      /* Metadata often names devices that did nothing: no lane, no process. */
      if (built->lanes->len > before)
        g_array_append_val (built->processes, copy);
      else
        g_free (copy.key);
    }
}

static void
spill_rest (StriaBuilder *self, StriaStaged *staged)
{
  if (staged->park != NULL)
    stria_staged_spill (self, staged);
}

/* Of lanes whose first events are in a park the last ones go there, too. */
static void
spill_all (StriaBuilder *self)
{
  for (guint t = 0; t < self->threads->len; t++)
    {
      StriaStagedThread *thread = self->threads->pdata[t];

      spill_rest (self, &thread->slices);
      spill_rest (self, &thread->instants);
    }
  for (guint c = 0; c < self->counters->len; c++)
    spill_rest (self, &((StriaStagedCounter *) self->counters->pdata[c])->samples);
}

static void
check_parks (StriaBuilder *self, StriaBuilt *built)
{
  for (guint i = 0; i < built->lanes->len; i++)
    {
      StriaLaneBody *body = g_array_index (built->lanes, StriaBuiltLane, i).body;
      g_autoptr (GError) error = NULL;

      if (body->park != NULL && !stria_park_check (body->park, &error))
        stria_notices_add (self->notices, STRIA_SEVERITY_ERROR, "lane-lost", self->file, -1,
                           "%s: %s", body->name, error->message);
    }
}

/* A table that could not be kept is told of; the others are there. */
static GPtrArray *
finish_tables (StriaBuilder *self)
{
  GPtrArray *tables;

  if (self->tables == NULL)
    return NULL;
  tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
  for (guint i = 0; i < self->tables->len; i++)
    {
      g_autoptr (GError) error = NULL;
      StriaTable *table = stria_table_builder_finish (self->tables->pdata[i], &error);

      if (table != NULL)
        g_ptr_array_add (tables, table);
      else
        stria_notices_add (self->notices, STRIA_SEVERITY_ERROR, "table-lost", self->file, -1, "%s",
                           error->message);
    }
  g_ptr_array_set_size (self->tables, 0);
  return tables;
}

StriaBuilt *
stria_builder_finish (StriaBuilder *self)
{
  StriaBuilt *built = g_new0 (StriaBuilt, 1);
  g_autofree guint32 *slice_of_flow = g_new (guint32, MAX (self->flows->len, 1));

  built->processes = g_array_new (FALSE, FALSE, sizeof (StriaBuiltProcess));
  built->lanes = g_array_new (FALSE, FALSE, sizeof (StriaBuiltLane));
  built->flows = g_array_new (FALSE, FALSE, sizeof (StriaBuiltFlow));

  spill_all (self);
  g_mutex_lock (&self->mutex);
  for (guint t = 0; t < self->threads->len; t++)
    {
      StriaStagedThread *thread = self->threads->pdata[t];

      if (thread->slices.park == NULL)
        g_clear_pointer (&thread->density, g_free);
    }
  g_mutex_unlock (&self->mutex);

  stria_flows_before_nesting (self, slice_of_flow);
  gint64 last_ns = last_time (self);
  for (guint t = 0; t < self->threads->len; t++)
    {
      StriaStagedThread *thread = self->threads->pdata[t];
      if (thread->marks != NULL)
        {
          pair_marks (self, thread, last_ns);
          g_clear_pointer (&thread->marks, g_array_unref);
        }
    }
  nest_all (self);
  take_lanes (self, built, last_ns);
  stria_flows_bind (self, slice_of_flow, built);
  stria_args_finish (self->args);
  check_parks (self, built);

  guint64 overlaps = 0;
  for (guint i = 0; i < built->lanes->len; i++)
    {
      StriaLaneBody *body = g_array_index (built->lanes, StriaBuiltLane, i).body;
      if (body->kind == STRIA_LANE_OVERFLOW || body->kind == STRIA_LANE_ANNOTATIONS)
        overlaps += body->n_events;
    }
  if (overlaps > 0)
    stria_notices_count (self->notices, STRIA_SEVERITY_INFO, "partial-overlap", self->file, -1,
                         overlaps,
                         _("A slice partly overlaps another of its thread; it stands in a lane of "
                           "its own"));

  built->n_events = self->n_events;
  built->strings = g_steal_pointer (&self->strings);
  built->categories = g_steal_pointer (&self->categories);
  built->args = g_steal_pointer (&self->args);
  built->allocs = g_steal_pointer (&self->allocs);
  built->facts = g_steal_pointer (&self->facts);
  built->tables = finish_tables (self);
  built->meta = g_steal_pointer (&self->meta);
  built->n_by_name = g_steal_pointer (&self->n_by_name);
  built->spill = self->spill != NULL ? stria_spill_ref (self->spill) : NULL;
  built->has_base = self->has_base;
  built->base_ns = self->base_ns;
  stria_builder_free (self);
  return built;
}

void
stria_built_free (StriaBuilt *built)
{
  for (guint i = 0; i < built->processes->len; i++)
    g_free (g_array_index (built->processes, StriaBuiltProcess, i).key);
  for (guint i = 0; i < built->lanes->len; i++)
    stria_lane_body_unref (g_array_index (built->lanes, StriaBuiltLane, i).body);
  g_array_unref (built->processes);
  g_array_unref (built->lanes);
  g_array_unref (built->flows);
  g_ptr_array_unref (built->categories);
  stria_strings_unref (built->strings);
  stria_args_unref (built->args);
  g_clear_pointer (&built->allocs, stria_alloc_builder_free);
  g_clear_pointer (&built->facts, stria_facts_unref);
  g_clear_pointer (&built->tables, g_ptr_array_unref);
  g_hash_table_unref (built->meta);
  g_array_unref (built->n_by_name);
  g_clear_pointer (&built->spill, stria_spill_unref);
  g_free (built);
}
