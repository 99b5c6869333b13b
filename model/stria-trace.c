/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "stria-trace-private.h"

/* Times in nanoseconds between 2001 and 2096 are taken for time since the epoch. */
#define EPOCH_MIN G_GINT64_CONSTANT (1000000000000000000)
#define EPOCH_MAX G_GINT64_CONSTANT (4000000000000000000)

void
stria_process_clear (gpointer data)
{
  StriaProcess *process = data;

  g_free (process->key);
  g_free (process->name);
  g_free (process->labels);
}

static void
unref_args (gpointer data)
{
  if (data != NULL)
    stria_args_unref (data);
}

StriaTrace *
stria_trace_new (void)
{
  StriaTrace *self = g_new0 (StriaTrace, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  g_mutex_init (&self->rows_mutex);
  self->lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_lane_unref);
  self->processes = g_array_new (FALSE, TRUE, sizeof (StriaProcess));
  g_array_set_clear_func (self->processes, stria_process_clear);
  self->categories = g_ptr_array_new_with_free_func (g_free);
  self->args = g_ptr_array_new_with_free_func (unref_args);
  return self;
}

StriaTrace *
stria_trace_ref (StriaTrace *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_trace_unref (StriaTrace *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->lanes);
  g_array_unref (self->processes);
  g_ptr_array_unref (self->categories);
  g_ptr_array_unref (self->args);
  g_clear_pointer (&self->snapshots, g_ptr_array_unref);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_clear_pointer (&self->tree, stria_capture_tree_unref);
  g_clear_pointer (&self->rows, stria_trace_rows_free);
  g_mutex_clear (&self->rows_mutex);
  g_clear_pointer (&self->strings, stria_strings_unref);
  g_free (self->name_counts);
  g_clear_pointer (&self->flows, g_array_unref);
  g_free (self->flows_by_to);
  if (self->flow_loader_destroy != NULL)
    self->flow_loader_destroy (self->flow_loader_data);
  for (gsize a = 0; a < self->n_artifacts; a++)
    for (guint k = 0; k < 3; k++)
      g_free (self->links[a][k].pairs);
  g_free (self->links);
  g_free (self->lane_first);
  g_free (self->overview);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
stria_trace_finish (StriaTrace *self)
{
  self->start_ns = G_MAXINT64;
  self->end_ns = G_MININT64;
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const StriaLaneBody *body = ((StriaLane *) self->lanes->pdata[i])->body;
      if (body->n_events == 0)
        continue;
      self->start_ns = MIN (self->start_ns, body->start_ns);
      self->end_ns = MAX (self->end_ns, body->end_ns);
      self->has_range = TRUE;
    }
  if (!self->has_range)
    self->start_ns = self->end_ns = 0;
  else
    stria_trace_find_view_range (self);
}

guint32
stria_trace_get_n_lanes (StriaTrace *self)
{
  return self->lanes->len;
}

StriaLane *
stria_trace_get_lane (StriaTrace *self, guint32 lane)
{
  g_return_val_if_fail (lane < self->lanes->len, NULL);
  return self->lanes->pdata[lane];
}

guint32
stria_trace_get_n_processes (StriaTrace *self)
{
  return self->processes->len;
}

const StriaProcess *
stria_trace_get_process (StriaTrace *self, guint32 process)
{
  g_return_val_if_fail (process < self->processes->len, NULL);
  return &g_array_index (self->processes, StriaProcess, process);
}

char *
stria_trace_process_title (StriaTrace *self, guint32 process)
{
  const StriaProcess *p = stria_trace_get_process (self, process);
  gboolean named = p->name != NULL && p->name[0] != '\0';
  gboolean labelled = p->labels != NULL && p->labels[0] != '\0';

  if (named && labelled && strstr (p->name, p->labels) == NULL)
    return g_strdup_printf ("%s · %s (%s)", p->labels, p->name, p->key);
  if (named)
    return g_str_equal (p->name, p->key) ? g_strdup (p->name)
                                         : g_strdup_printf ("%s (%s)", p->name, p->key);
  if (labelled)
    return g_strdup_printf ("%s (%s)", p->labels, p->key);
  if (p->key[0] == '\0')
    return g_strdup (_("(no process)"));
  return g_strdup_printf (_("process %s"), p->key);
}

StriaStrings *
stria_trace_get_strings (StriaTrace *self)
{
  return self->strings;
}

const char *
stria_trace_get_string (StriaTrace *self, guint32 id)
{
  return stria_strings_get (self->strings, id);
}

guint32
stria_trace_get_n_categories (StriaTrace *self)
{
  return self->categories->len;
}

const char *
stria_trace_get_category (StriaTrace *self, guint32 category)
{
  return category < self->categories->len ? self->categories->pdata[category] : "";
}

StriaCaptureTree *
stria_trace_get_tree (StriaTrace *self)
{
  return self->tree;
}

guint64
stria_trace_get_n_events (StriaTrace *self)
{
  return self->n_events;
}

guint64
stria_trace_get_name_count (StriaTrace *self, guint32 name)
{
  return name < self->n_name_counts ? self->name_counts[name] : 0;
}

gboolean
stria_trace_get_range (StriaTrace *self, gint64 *start_ns, gint64 *end_ns)
{
  *start_ns = self->start_ns;
  *end_ns = self->end_ns;
  return self->has_range;
}

gboolean
stria_trace_get_view_range (StriaTrace *self, gint64 *start_ns, gint64 *end_ns)
{
  *start_ns = self->view_start_ns;
  *end_ns = self->view_end_ns;
  return self->has_range;
}

gboolean
stria_trace_get_wall_base (StriaTrace *self, gint64 *base_ns)
{
  if (self->has_wall)
    *base_ns = self->wall_ns;
  else if (self->has_range && self->view_start_ns > EPOCH_MIN && self->view_start_ns < EPOCH_MAX)
    *base_ns = 0;
  else
    return FALSE;
  return TRUE;
}

static int
compare_from (gconstpointer a, gconstpointer b)
{
  const StriaFlow *x = a, *y = b;

  if (x->from.lane != y->from.lane)
    return x->from.lane < y->from.lane ? -1 : 1;
  if (x->from.index != y->from.index)
    return x->from.index < y->from.index ? -1 : 1;
  if (x->to.lane != y->to.lane)
    return x->to.lane < y->to.lane ? -1 : 1;
  return x->to.index < y->to.index ? -1 : x->to.index > y->to.index;
}

static int
compare_to (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GArray *flows = user_data;
  const StriaFlow *x = &g_array_index (flows, StriaFlow, *(const guint32 *) a);
  const StriaFlow *y = &g_array_index (flows, StriaFlow, *(const guint32 *) b);

  if (x->to.lane != y->to.lane)
    return x->to.lane < y->to.lane ? -1 : 1;
  return x->to.index < y->to.index ? -1 : x->to.index > y->to.index;
}

/* Under the mutex. */
static void
ensure_flows (StriaTrace *self)
{
  if (self->flows == NULL)
    {
      if (self->flow_loader != NULL)
        self->flows = self->flow_loader (self->flow_loader_data, NULL);
      if (self->flows == NULL)
        self->flows = g_array_new (FALSE, FALSE, sizeof (StriaFlow));
    }
  if (self->flows_by_to == NULL)
    {
      g_array_sort (self->flows, compare_from);
      self->flows_by_to = g_new (guint32, MAX (self->flows->len, 1));
      for (guint i = 0; i < self->flows->len; i++)
        self->flows_by_to[i] = i;
      g_qsort_with_data (self->flows_by_to, (gint) self->flows->len, sizeof (guint32), compare_to,
                         self->flows);
    }
}

const StriaFlow *
stria_trace_get_flows (StriaTrace *self, gsize *n)
{
  g_mutex_lock (&self->mutex);
  ensure_flows (self);
  g_mutex_unlock (&self->mutex);
  *n = self->flows->len;
  return (const StriaFlow *) self->flows->data;
}

const guint32 *
stria_trace_get_flows_by_to (StriaTrace *self)
{
  g_mutex_lock (&self->mutex);
  ensure_flows (self);
  g_mutex_unlock (&self->mutex);
  return self->flows_by_to;
}

static int
compare_ref (StriaRef a, StriaRef b)
{
  if (a.lane != b.lane)
    return a.lane < b.lane ? -1 : 1;
  return a.index < b.index ? -1 : a.index > b.index;
}

GArray *
stria_trace_flows_of (StriaTrace *self, StriaRef ref)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (StriaFlow));
  gsize n;
  const StriaFlow *flows = stria_trace_get_flows (self, &n);
  gsize low = 0, high = n;

  while (low < high)
    {
      gsize mid = low + (high - low) / 2;
      if (compare_ref (flows[mid].from, ref) < 0)
        low = mid + 1;
      else
        high = mid;
    }
  for (; low < n && stria_ref_equal (flows[low].from, ref); low++)
    g_array_append_val (found, flows[low]);

  low = 0;
  high = n;
  while (low < high)
    {
      gsize mid = low + (high - low) / 2;
      if (compare_ref (flows[self->flows_by_to[mid]].to, ref) < 0)
        low = mid + 1;
      else
        high = mid;
    }
  for (; low < n && stria_ref_equal (flows[self->flows_by_to[low]].to, ref); low++)
    if (!stria_ref_equal (flows[self->flows_by_to[low]].from, ref))
      g_array_append_val (found, flows[self->flows_by_to[low]]);
  return found;
}

guint64
stria_trace_get_unbound_flows (StriaTrace *self)
{
  return self->unbound_flows;
}

GBytes *
stria_trace_get_args (StriaTrace *self, StriaRef ref, GError **error)
{
  g_return_val_if_fail (ref.lane < self->lanes->len, NULL);
  StriaLane *lane = self->lanes->pdata[ref.lane];

  if (!stria_lane_load (lane, NULL, error))
    return NULL;
  g_return_val_if_fail (ref.index < lane->body->columns.n, NULL);
  guint64 args = lane->body->columns.args[ref.index];
  if (args == G_MAXUINT64)
    return stria_trace_get_row (self, lane, lane->body->columns.seq[ref.index], error);
  StriaArgs *store = stria_trace_get_artifact_args (self, lane->artifact);
  return store != NULL ? stria_args_get (store, args, error) : NULL;
}

StriaArgs *
stria_trace_get_artifact_args (StriaTrace *self, guint32 artifact)
{
  return artifact < self->args->len ? self->args->pdata[artifact] : NULL;
}

static const guint64 *
link_column (const StriaColumns *columns, StriaLinkKind kind)
{
  switch (kind)
    {
    case STRIA_LINK_CORRELATION:
      return columns->correlation;
    case STRIA_LINK_EXTERNAL:
      return columns->external;
    case STRIA_LINK_PYTHON:
      return columns->python;
    default:
      g_assert_not_reached ();
    }
}

/* Under the mutex; all lanes are loaded. */
static StriaLinkIndex *
ensure_links (StriaTrace *self, guint32 artifact, StriaLinkKind kind)
{
  if (self->links == NULL)
    {
      self->n_artifacts = MAX (1, self->args->len);
      self->links = g_malloc0 (self->n_artifacts * sizeof *self->links);
      self->lane_first = g_new0 (guint64, self->lanes->len + 1);
      for (guint i = 0; i < self->lanes->len; i++)
        self->lane_first[i + 1]
            = self->lane_first[i] + stria_lane_get_n_events (self->lanes->pdata[i]);
    }
  if (artifact >= self->n_artifacts)
    return NULL;
  StriaLinkIndex *index = &self->links[artifact][kind];
  if (index->built)
    return index;

  gsize n = 0;
  for (guint pass = 0; pass < 2; pass++)
    {
      if (pass == 1)
        index->pairs = g_new (StriaSortPair, MAX (n, 1));
      n = 0;
      for (guint i = 0; i < self->lanes->len; i++)
        {
          StriaLane *lane = self->lanes->pdata[i];
          const guint64 *keys = link_column (&lane->body->columns, kind);
          if (lane->artifact != artifact || keys == NULL)
            continue;
          for (guint64 e = 0; e < lane->body->columns.n; e++)
            if (keys[e] != 0)
              {
                if (pass == 1)
                  index->pairs[n] = (StriaSortPair){ keys[e], (guint32) (self->lane_first[i] + e) };
                n++;
              }
        }
    }
  stria_sort_pairs (index->pairs, n);
  index->n = n;
  index->built = TRUE;
  return index;
}

GArray *
stria_trace_find_linked (StriaTrace *self, guint32 artifact, StriaLinkKind kind, guint64 key)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (StriaRef));

  if (key == 0 || !stria_trace_load_all (self, NULL, NULL))
    return found;
  g_mutex_lock (&self->mutex);
  StriaLinkIndex *index = ensure_links (self, artifact, kind);
  g_mutex_unlock (&self->mutex);
  if (index == NULL)
    return found;

  gsize low = 0, high = index->n;
  while (low < high)
    {
      gsize mid = low + (high - low) / 2;
      if (index->pairs[mid].key < key)
        low = mid + 1;
      else
        high = mid;
    }
  for (; low < index->n && index->pairs[low].key == key; low++)
    {
      guint32 number = index->pairs[low].value;
      guint32 a = 0, b = self->lanes->len;
      while (b - a > 1)
        {
          guint32 mid = a + (b - a) / 2;
          if (self->lane_first[mid] <= number)
            a = mid;
          else
            b = mid;
        }
      StriaRef ref = { a, (guint32) (number - self->lane_first[a]) };
      g_array_append_val (found, ref);
    }
  return found;
}

/* The value of "Python parent id" in an args text, 0 if it is null or missing. */
static guint64
python_parent (StriaTrace *self, StriaRef ref)
{
  g_autoptr (GBytes) args = stria_trace_get_args (self, ref, NULL);
  static const char key[] = "\"Python parent id\"";

  if (args == NULL)
    return 0;
  const char *at = strstr (g_bytes_get_data (args, NULL), key);
  if (at == NULL)
    return 0;
  at += strlen (key);
  while (*at == ' ' || *at == ':' || *at == '\t' || *at == '\n' || *at == '\r' || *at == '"')
    at++;
  return g_ascii_isdigit (*at) ? strtoull (at, NULL, 10) : 0;
}

#define MAX_STACK 4096

GArray *
stria_trace_python_stack (StriaTrace *self, StriaRef ref)
{
  GArray *stack = g_array_new (FALSE, FALSE, sizeof (StriaRef));
  GArray *enclosing = g_array_new (FALSE, FALSE, sizeof (StriaRef));
  StriaLane *lane = stria_trace_get_lane (self, ref.lane);
  StriaRef frame = STRIA_REF_NONE;

  if (!stria_lane_load (lane, NULL, NULL))
    {
      g_array_unref (enclosing);
      return stack;
    }
  const StriaColumns *c = stria_lane_get_columns (lane);

  /* Up by nesting to the first Python frame, then by the ids: those make the true tree. */
  for (guint32 i = ref.index; i != G_MAXUINT32; i = c->parent != NULL ? c->parent[i] : G_MAXUINT32)
    {
      StriaRef at = { ref.lane, i };
      if (c->python != NULL && c->python[i] != 0)
        {
          frame = at;
          break;
        }
      if (i != ref.index)
        g_array_append_val (enclosing, at);
    }
  while (!stria_ref_is_none (frame) && stack->len < MAX_STACK)
    {
      g_array_append_val (stack, frame);
      guint64 parent = python_parent (self, frame);
      frame = STRIA_REF_NONE;
      if (parent != 0)
        {
          g_autoptr (GArray) found
              = stria_trace_find_linked (self, lane->artifact, STRIA_LINK_PYTHON, parent);
          if (found->len > 0)
            frame = g_array_index (found, StriaRef, 0);
        }
    }
  if (stack->len > 0)
    {
      g_array_unref (enclosing);
      return stack;
    }
  g_array_unref (stack);
  return enclosing;
}

gboolean
stria_trace_allocations (StriaTrace *self, StriaRef ref, StriaAllocWindow *window)
{
  StriaLane *lane = stria_trace_get_lane (self, ref.lane);
  gint64 wall;
  gboolean any = FALSE;

  *window = (StriaAllocWindow){ 0 };
  if (self->snapshots == NULL || !stria_trace_get_wall_base (self, &wall)
      || !stria_lane_load (lane, NULL, NULL))
    return FALSE;
  const StriaColumns *c = stria_lane_get_columns (lane);
  if (c->dur == NULL || ref.index >= c->n)
    return FALSE;
  gint64 start, end;
  if (__builtin_add_overflow (wall, c->start[ref.index], &start)
      || __builtin_add_overflow (start, c->dur[ref.index], &end))
    return FALSE;
  for (guint s = 0; s < self->snapshots->len; s++)
    for (guint d = 0; d < stria_snapshot_get_n_devices (self->snapshots->pdata[s]); d++)
      {
        StriaAllocator *allocator = stria_snapshot_get_device (self->snapshots->pdata[s], d);
        if (!stria_allocator_has_times (allocator))
          continue;
        any = TRUE;
        stria_allocator_window (allocator, start / 1000, end / 1000, window);
      }
  return any;
}

gboolean
stria_trace_load_all (StriaTrace *self, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < self->lanes->len; i++)
    if (!stria_lane_load (self->lanes->pdata[i], cancellable, error))
      return FALSE;
  return TRUE;
}
