/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-dependencies.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-error.h"
#include "stria-hash.h"
#include "stria-json-text.h"

/* -- kinds ----------------------------------------------------------------------------------- */

static const struct
{
  const char *title;
  const char *note;
} kinds[] = {
  [STRIA_DEPENDENCY_FLOW]
  = { NC_ ("dependency", "flow"),
      N_ ("The later one reads what the earlier one wrote") },
  [STRIA_DEPENDENCY_ANTI]
  = { NC_ ("dependency", "anti"),
      N_ ("The later one overwrites what the earlier one read") },
  [STRIA_DEPENDENCY_OUTPUT]
  = { NC_ ("dependency", "output"),
      N_ ("The later one overwrites what the earlier one wrote") },
  [STRIA_DEPENDENCY_LAUNCH]
  = { NC_ ("dependency", "launch"),
      N_ ("A call on the host, and what it started on a device (ac2g)") },
  [STRIA_DEPENDENCY_BACKWARD]
  = { NC_ ("dependency", "backward"),
      N_ ("A forward operator, and the backward one made for it (fwdbwd)") },
  [STRIA_DEPENDENCY_CORRELATION]
  = { NC_ ("dependency", "correlation"),
      N_ ("Both have the same correlation id; the earlier one is taken for the "
                              "cause") },
  [STRIA_DEPENDENCY_FLOW_ID]
  = { NC_ ("dependency", "flow id"),
      N_ ("Both have the same flow id in the system profile, in the order of their "
                          "starts") },
  [STRIA_DEPENDENCY_PARENT]
  = { NC_ ("dependency", "parent"),
      N_ ("The later one names the earlier one as its parent (parent_id)") },
  [STRIA_DEPENDENCY_ORDER]
  = { NC_ ("dependency", "order"),
      N_ ("The earlier one stood before the later one in the same lane") },
  [STRIA_DEPENDENCY_OTHER]
  = { NC_ ("dependency", "arrow"),
      N_ ("The file has an arrow between them") },
};

const char *
stria_dependency_kind_title (StriaDependencyKind kind)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "dependency", kinds[kind].title);
}

const char *
stria_dependency_kind_note (StriaDependencyKind kind)
{
  return _ (kinds[kind].note);
}

static gboolean
begins (const char *text, const char *word)
{
  return g_ascii_strncasecmp (text, word, strlen (word)) == 0;
}

/**
 * stria_dependency_kind_of:
 * @category: of an arrow
 * @name: of the same
 *
 * Returns: what the two say that it means
 */
StriaDependencyKind
stria_dependency_kind_of (const char *category, const char *name)
{
  if (g_str_equal (category, "dependency"))
    {
      if (begins (name, "anti"))
        return STRIA_DEPENDENCY_ANTI;
      if (begins (name, "output"))
        return STRIA_DEPENDENCY_OUTPUT;
      return begins (name, "flow") ? STRIA_DEPENDENCY_FLOW : STRIA_DEPENDENCY_OTHER;
    }
  if (g_str_equal (category, "flow"))
    return STRIA_DEPENDENCY_FLOW_ID;
  if (g_str_equal (category, "parent_id"))
    return STRIA_DEPENDENCY_PARENT;
  if (begins (category, "ac2g") || begins (category, "async_cpu_to_gpu") || begins (name, "ac2g"))
    return STRIA_DEPENDENCY_LAUNCH;
  if (begins (category, "fwdbwd") || begins (name, "fwdbwd"))
    return STRIA_DEPENDENCY_BACKWARD;
  return STRIA_DEPENDENCY_OTHER;
}

/* -- one step -------------------------------------------------------------------------------- */

/* Times of an event; loads its lane. */
static gboolean
span_of (StriaTrace *trace, StriaRef ref, gint64 *start, gint64 *end, GCancellable *cancellable,
         GError **error)
{
  const StriaColumns *columns;
  StriaLane *lane;

  if (ref.lane >= stria_trace_get_n_lanes (trace))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND, _ ("There is no lane number %u"),
                   ref.lane);
      return FALSE;
    }
  lane = stria_trace_get_lane (trace, ref.lane);
  if (!stria_lane_load (lane, cancellable, error))
    return FALSE;
  columns = stria_lane_get_columns (lane);
  if (columns == NULL || ref.index >= columns->n)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                   _ ("Lane “%s” has no event number %u"), stria_lane_get_name (lane), ref.index);
      return FALSE;
    }
  *start = *end = columns->start[ref.index];
  if (columns->dur != NULL && __builtin_add_overflow (*start, columns->dur[ref.index], end))
    *end = G_MAXINT64;
  return TRUE;
}

static gint64
minus (gint64 a, gint64 b)
{
  gint64 difference;

  if (__builtin_sub_overflow (a, b, &difference))
    return a > b ? G_MAXINT64 : G_MININT64;
  return difference;
}

static int
compare_before (gconstpointer a, gconstpointer b)
{
  const StriaDependency *x = a, *y = b;

  if (x->end_ns != y->end_ns)
    return x->end_ns > y->end_ns ? -1 : 1;
  if (x->start_ns != y->start_ns)
    return x->start_ns > y->start_ns ? -1 : 1;
  if (x->ref.lane != y->ref.lane)
    return x->ref.lane < y->ref.lane ? -1 : 1;
  return x->ref.index < y->ref.index ? -1 : x->ref.index > y->ref.index;
}

static int
compare_after (gconstpointer a, gconstpointer b)
{
  const StriaDependency *x = a, *y = b;

  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  if (x->ref.lane != y->ref.lane)
    return x->ref.lane < y->ref.lane ? -1 : 1;
  return x->ref.index < y->ref.index ? -1 : x->ref.index > y->ref.index;
}

static gboolean
has (const GArray *found, StriaRef ref)
{
  for (guint i = 0; i < found->len; i++)
    if (stria_ref_equal (g_array_index (found, StriaDependency, i).ref, ref))
      return TRUE;
  return FALSE;
}

/* Fills in the times of @found.ref, an event beside one from @start to @end. */
static gboolean
add (StriaTrace *trace, GArray *list, StriaDependency found, StriaDependencySide side, gint64 start,
     gint64 end, GCancellable *cancellable, GError **error)
{
  if (!span_of (trace, found.ref, &found.start_ns, &found.end_ns, cancellable, error))
    return FALSE;
  found.gap_ns = side == STRIA_DEPENDENCY_BEFORE ? minus (start, found.end_ns)
                                                 : minus (found.start_ns, end);
  g_array_append_val (list, found);
  return TRUE;
}

/* Events that share the correlation and that no arrow has named */
static gboolean
add_correlated (StriaTrace *trace, GArray *list, StriaRef ref, StriaDependencySide side,
                gint64 start, gint64 end, GCancellable *cancellable, GError **error)
{
  StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  g_autoptr (GArray) refs = NULL;

  if (columns->correlation == NULL || columns->correlation[ref.index] == 0)
    return TRUE;
  refs = stria_trace_find_linked (trace, stria_lane_get_artifact (lane), STRIA_LINK_CORRELATION,
                                  columns->correlation[ref.index]);
  for (guint i = 0; refs != NULL && i < refs->len; i++)
    {
      StriaDependency found = { .ref = g_array_index (refs, StriaRef, i), .via = ref,
                                .kind = STRIA_DEPENDENCY_CORRELATION, .depth = 1 };
      gint64 other_start, other_end;
      gboolean before;

      if (stria_ref_equal (found.ref, ref) || has (list, found.ref))
        continue;
      if (!span_of (trace, found.ref, &other_start, &other_end, cancellable, error))
        return FALSE;
      before = other_start != start ? other_start < start
               : found.ref.lane != ref.lane ? found.ref.lane < ref.lane
                                            : found.ref.index < ref.index;
      if (before == (side == STRIA_DEPENDENCY_BEFORE)
          && !add (trace, list, found, side, start, end, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * stria_dependencies_get:
 * @ref: an event
 * @side: which of its neighbours
 *
 * Flows, and events of the same correlation id that no flow names.
 *
 * Returns: (transfer full) (nullable) (element-type StriaDependency): NULL with @error if a lane
 *   could not be read
 */
GArray *
stria_dependencies_get (StriaTrace *trace, StriaRef ref, StriaDependencySide side,
                        GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (StriaDependency));
  g_autoptr (GArray) flows = NULL;
  gint64 start, end;

  if (!span_of (trace, ref, &start, &end, cancellable, error))
    return NULL;
  flows = stria_trace_flows_of (trace, ref);
  for (guint i = 0; i < flows->len; i++)
    {
      const StriaFlow *flow = &g_array_index (flows, StriaFlow, i);
      const gboolean before = side == STRIA_DEPENDENCY_BEFORE;
      const char *name = stria_trace_get_string (trace, flow->name);
      StriaDependency found = { .ref = before ? flow->from : flow->to, .via = ref, .label = name,
                                .depth = 1 };

      if (!stria_ref_equal (before ? flow->to : flow->from, ref)
          || stria_ref_equal (flow->to, flow->from))
        continue;
      found.kind
          = stria_dependency_kind_of (stria_trace_get_category (trace, flow->category), name);
      if (!add (trace, list, found, side, start, end, cancellable, error))
        return NULL;
    }
  if (!add_correlated (trace, list, ref, side, start, end, cancellable, error)
      || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  g_array_sort (list, side == STRIA_DEPENDENCY_BEFORE ? compare_before : compare_after);
  return g_steal_pointer (&list);
}

/* -- all the way ----------------------------------------------------------------------------- */

static guint
ref_hash (gconstpointer key)
{
  const StriaRef *ref = key;

  return (guint) stria_hash_u64 ((guint64) ref->lane << 32 | ref->index);
}

static gboolean
ref_equal (gconstpointer a, gconstpointer b)
{
  return stria_ref_equal (*(const StriaRef *) a, *(const StriaRef *) b);
}

/* FALSE: it was there before */
static gboolean
visit (GHashTable *seen, StriaRef ref)
{
  if (g_hash_table_contains (seen, &ref))
    return FALSE;
  return g_hash_table_add (seen, g_memdup2 (&ref, sizeof ref));
}

/**
 * stria_dependencies_chain:
 * @limit: most events that are wanted
 * @is_cut: (out): whether there are more
 *
 * Returns: (transfer full) (nullable) (element-type StriaDependency): nearest first; NULL with
 *   @error
 */
GArray *
stria_dependencies_chain (StriaTrace *trace, StriaRef ref, StriaDependencySide side, guint limit,
                          gboolean *is_cut, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (StriaDependency));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (ref_hash, ref_equal, g_free, NULL);
  guint next = 0, depth = 0;

  *is_cut = FALSE;
  visit (seen, ref);
  while (TRUE)
    {
      g_autoptr (GArray) step
          = stria_dependencies_get (trace, ref, side, cancellable, error);

      if (step == NULL)
        return NULL;
      for (guint i = 0; i < step->len; i++)
        {
          StriaDependency *found = &g_array_index (step, StriaDependency, i);

          if (!visit (seen, found->ref))
            continue;
          if (chain->len == limit)
            {
              *is_cut = TRUE;
              return g_steal_pointer (&chain);
            }
          found->depth = depth + 1;
          g_array_append_val (chain, *found);
        }
      if (next == chain->len)
        return g_steal_pointer (&chain);
      ref = g_array_index (chain, StriaDependency, next).ref;
      depth = g_array_index (chain, StriaDependency, next++).depth;
    }
}

static int
compare_place (gconstpointer a, gconstpointer b)
{
  const StriaDependency *x = a, *y = b;

  if (x->ref.lane != y->ref.lane)
    return x->ref.lane < y->ref.lane ? -1 : 1;
  return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static int
compare_lanes (gconstpointer a, gconstpointer b)
{
  const StriaDependencyLane *x = a, *y = b;

  if (x->blamed_ns != y->blamed_ns)
    return x->blamed_ns > y->blamed_ns ? -1 : 1;
  if (x->busy_ns != y->busy_ns)
    return x->busy_ns > y->busy_ns ? -1 : 1;
  return x->lane < y->lane ? -1 : x->lane > y->lane;
}

/**
 * stria_dependencies_lanes:
 * @chain: (element-type StriaDependency): what stria_dependencies_chain() found
 *
 * Returns: (transfer full) (element-type StriaDependencyLane): how much of it ran in which lane
 */
GArray *
stria_dependencies_lanes (const GArray *chain)
{
  GArray *lanes = g_array_new (FALSE, FALSE, sizeof (StriaDependencyLane));
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (StriaDependency));
  gint64 covered = G_MININT64;

  if (chain->len > 0)
    g_array_append_vals (sorted, chain->data, chain->len);
  g_array_sort (sorted, compare_place);
  for (guint i = 0; i < sorted->len; i++)
    {
      const StriaDependency *event = &g_array_index (sorted, StriaDependency, i);
      StriaDependencyLane *lane;

      if (i == 0 || event[-1].ref.lane != event->ref.lane)
        {
          const StriaDependencyLane fresh = { .lane = event->ref.lane };

          g_array_append_val (lanes, fresh);
          covered = G_MININT64;
        }
      lane = &g_array_index (lanes, StriaDependencyLane, lanes->len - 1);
      lane->n++;
      if (event->end_ns > covered)
        {
          lane->busy_ns += minus (event->end_ns, MAX (event->start_ns, covered));
          covered = event->end_ns;
        }
    }
  g_array_sort (lanes, compare_lanes);
  return lanes;
}

/* -- the chain that ended last --------------------------------------------------------------- */

/* The event before another one in its row, below the same parent. FALSE: none, or an error */
static gboolean
before_in_lane (StriaTrace *trace, StriaRef ref, StriaDependency *found)
{
  StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  guint64 begin, end;

  if (columns->dur == NULL || ref.index == 0)
    return FALSE;
  stria_lane_get_row (lane, stria_lane_row_of (lane, ref.index), &begin, &end);
  if (ref.index == begin
      || (columns->parent != NULL
          && columns->parent[ref.index] != columns->parent[ref.index - 1]))
    return FALSE;
  *found = (StriaDependency){ .ref = { ref.lane, ref.index - 1 }, .via = ref, .depth = 1,
                              .kind = STRIA_DEPENDENCY_ORDER };
  return TRUE;
}

static void
blame (GArray *lanes, guint32 lane, gint64 ns)
{
  StriaDependencyLane fresh = { .lane = lane, .n = 1, .busy_ns = ns, .blamed_ns = ns };

  for (guint i = 0; i < lanes->len; i++)
    {
      StriaDependencyLane *known = &g_array_index (lanes, StriaDependencyLane, i);

      if (known->lane != lane)
        continue;
      known->n++;
      known->busy_ns += ns;
      known->blamed_ns += ns;
      return;
    }
  g_array_append_val (lanes, fresh);
}

/* Of the predecessors that began before @start and were not there yet, the one that ended last. At
 * one time, an arrow tells more than the order in a lane. */
static gboolean
last_of (StriaTrace *trace, StriaRef ref, gint64 start, gboolean in_lane, GHashTable *seen,
         StriaDependency *best, gboolean *found_one, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) list
      = stria_dependencies_get (trace, ref, STRIA_DEPENDENCY_BEFORE, cancellable, error);
  StriaDependency neighbour;

  *found_one = FALSE;
  if (list == NULL)
    return FALSE;
  if (in_lane && before_in_lane (trace, ref, &neighbour) && !has (list, neighbour.ref)
      && !add (trace, list, neighbour, STRIA_DEPENDENCY_BEFORE, start, start, cancellable, error))
    return FALSE;
  for (guint i = 0; i < list->len; i++)
    {
      const StriaDependency *one = &g_array_index (list, StriaDependency, i);

      if (one->start_ns > start || g_hash_table_contains (seen, &one->ref))
        continue;
      /* The order's is last in the list, so that it has to be later to win. */
      if (!*found_one || MIN (one->end_ns, start) > MIN (best->end_ns, start)
          || (one->kind != STRIA_DEPENDENCY_ORDER
              && MIN (one->end_ns, start) == MIN (best->end_ns, start)
              && one->start_ns > best->start_ns))
        *best = *one;
      *found_one = TRUE;
    }
  return TRUE;
}

/**
 * stria_dependencies_stall:
 * @ref: an event
 * @in_lane: whether an event also waits for the one before it in its lane
 * @limit: most steps
 *
 * Returns: (transfer full) (nullable): why it did not start earlier; NULL with @error
 */
StriaStall *
stria_dependencies_stall (StriaTrace *trace, StriaRef ref, gboolean in_lane, guint limit,
                          GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaStall) self = g_new0 (StriaStall, 1);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (ref_hash, ref_equal, g_free, NULL);
  gint64 start, end;

  self->steps = g_array_new (FALSE, FALSE, sizeof (StriaStallStep));
  self->lanes = g_array_new (FALSE, FALSE, sizeof (StriaDependencyLane));
  if (!span_of (trace, ref, &start, &end, cancellable, error))
    return NULL;
  visit (seen, ref);
  while (TRUE)
    {
      StriaDependency best = { .ref = STRIA_REF_NONE };
      StriaStallStep step;
      gboolean found;
      gint64 until;

      if (!last_of (trace, ref, start, in_lane, seen, &best, &found, cancellable, error))
        return NULL;
      if (!found)
        break;
      if (self->steps->len == limit)
        {
          self->is_cut = TRUE;
          break;
        }
      until = MIN (best.end_ns, start);
      step = (StriaStallStep){ .ref = best.ref, .kind = best.kind, .label = best.label,
                               .ran_ns = minus (until, best.start_ns),
                               .waited_ns = minus (start, until) };
      g_array_append_val (self->steps, step);
      blame (self->lanes, best.ref.lane, step.ran_ns);
      self->waited_ns += step.waited_ns;
      self->total_ns += step.waited_ns + step.ran_ns;
      visit (seen, best.ref);
      ref = best.ref;
      start = best.start_ns;
    }
  g_array_sort (self->lanes, compare_lanes);
  return g_steal_pointer (&self);
}

void
stria_stall_free (StriaStall *self)
{
  g_clear_pointer (&self->steps, g_array_unref);
  g_clear_pointer (&self->lanes, g_array_unref);
  g_free (self);
}

/* -- text ------------------------------------------------------------------------------------ */

static void
append_member (GString *json, const char *key, const char *text)
{
  stria_json_append_text (json, key, -1);
  g_string_append_c (json, ':');
  stria_json_append_text (json, text, -1);
  g_string_append_c (json, ',');
}

/**
 * stria_dependency_to_json:
 *
 * Times are those of the file, in nanoseconds. Its lane is loaded, as it is after it was found.
 *
 * Returns: (transfer full): a JSON object
 */
char *
stria_dependency_to_json (StriaTrace *trace, const StriaDependency *self)
{
  static const char *const words[] = { "flow", "anti", "output", "launch", "fwdbwd", "correlation",
                                       "flow_id", "parent", "order", "other" };
  GString *json = g_string_new ("{");
  StriaLane *lane = stria_trace_get_lane (trace, self->ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  g_autofree char *process = stria_trace_process_title (trace, stria_lane_get_process (lane));

  if (columns != NULL && self->ref.index < columns->n)
    append_member (json, "name", stria_trace_get_string (trace, columns->name[self->ref.index]));
  append_member (json, "lane", stria_lane_get_name (lane));
  append_member (json, "process", process);
  append_member (json, "kind", words[self->kind]);
  if (self->label != NULL)
    append_member (json, "label", self->label);
  g_string_append_printf (json,
                          "\"depth\":%u,\"start_ns\":%" G_GINT64_FORMAT
                          ",\"end_ns\":%" G_GINT64_FORMAT ",\"gap_ns\":%" G_GINT64_FORMAT "}",
                          self->depth, self->start_ns, self->end_ns, self->gap_ns);
  return g_string_free (json, FALSE);
}
