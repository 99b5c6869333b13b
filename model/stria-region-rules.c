/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-lane-class.h"
#include "stria-regions-private.h"
#include "stria-table.h"
#include "stria-transfers.h"

#include <glib/gi18n-lib.h>

/* @name: (transfer full) */
void
stria_region_add (StriaRegionSearch *self, const StriaRegionRule *rule, guint number, gint64 t0, gint64 t1,
            guint32 artifact, StriaRef ref, char *name)
{
  StriaRegion region = { .t0 = t0, .t1 = MAX (t1, t0), .rule = number, .artifact = artifact,
                         .ref = ref, .bytes = -1 };
  guint *n = &g_array_index (self->set->n_of_rule, guint, number);

  *n += 1;
  if (self->set->regions->len >= STRIA_REGIONS_MAX)
    {
      self->set->is_cut = TRUE;
      g_free (name);
      return;
    }
  if (rule->name[0] != '\0')
    {
      region.name = g_strdup_printf ("%s %u", rule->name, *n);
      g_free (name);
    }
  else
    region.name = name;
  g_array_append_val (self->set->regions, region);
}

void
stria_region_set_absent (StriaRegionSearch *self, guint number, const char *text)
{
  g_free (self->set->absent->pdata[number]);
  self->set->absent->pdata[number] = g_strdup (text);
}

const StriaColumns *
stria_region_load_slices (StriaRegionSearch *self, StriaLane *lane, GError **error)
{
  const StriaLaneKind kind = stria_lane_get_kind (lane);
  const StriaColumns *columns;

  if (kind == STRIA_LANE_COUNTER || kind == STRIA_LANE_INSTANTS
      || !stria_lane_load (lane, self->cancellable, error))
    return NULL;
  columns = stria_lane_get_columns (lane);
  return columns->dur != NULL ? columns : NULL;
}

/* -- names ------------------------------------------------------------------------------------ */

enum
{
  NAME_UNKNOWN,
  NAME_MATCHES,
  NAME_DIFFERS,
};

/* Whether a slice lies in another one that matches: a recursion counts once. */
static gboolean
is_inside (const StriaColumns *columns, guint64 i, const guint8 *names, const guint8 *categories)
{
  if (columns->parent == NULL)
    return FALSE;
  for (guint32 up = columns->parent[i]; up != G_MAXUINT32; up = columns->parent[up])
    if (names[columns->name[up]] == NAME_MATCHES
        && (categories == NULL || categories[columns->category[up]] != 0))
      return TRUE;
  return FALSE;
}

/* @categories: (nullable): flags of those that count */
gboolean
stria_region_find_names (StriaRegionSearch *self, const StriaRegionRule *rule, guint number,
            StriaPattern *pattern, const guint8 *categories, GError **error)
{
  StriaTrace *trace = self->trace;
  g_autofree guint8 *names
      = g_new0 (guint8, stria_strings_size (stria_trace_get_strings (trace)) + 1);
  g_autofree guint8 *mirrors = g_new0 (guint8, stria_trace_get_n_categories (trace) + 1);
  static const char *const mirrored[] = { "gpu_user_annotation", NULL };
  GError *inner = NULL;

  stria_trace_flag_categories (trace, mirrored, 1, mirrors);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *columns = stria_region_load_slices (self, lane, &inner);

      if (inner != NULL)
        {
          g_propagate_error (error, inner);
          return FALSE;
        }
      for (guint64 i = 0; columns != NULL && i < columns->n; i++)
        {
          const guint32 name = columns->name[i];

          if (categories != NULL && categories[columns->category[i]] == 0)
            continue;
          /* The profiler's own copy of an annotation, at the device */
          if (mirrors[columns->category[i]] != 0)
            continue;
          if (names[name] == NAME_UNKNOWN)
            names[name] = stria_pattern_match (pattern, stria_trace_get_string (trace, name))
                              ? NAME_MATCHES
                              : NAME_DIFFERS;
          if (names[name] == NAME_MATCHES && !is_inside (columns, i, names, categories))
            stria_region_add (self, rule, number, columns->start[i],
                        columns->start[i] + columns->dur[i], stria_lane_get_artifact (lane),
                        (StriaRef){ l, (guint32) i },
                        g_strdup (stria_trace_get_string (trace, name)));
        }
    }
  return TRUE;
}

/* -- collectives ------------------------------------------------------------------------------ */

typedef struct
{
  gint64   start;
  guint32  artifact;
  guint32  process;
  StriaRef ref;
  guint32  name;
} Collective;

static int
compare_collectives (gconstpointer a, gconstpointer b)
{
  const Collective *x = a;
  const Collective *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->ref.index < y->ref.index ? -1 : x->ref.index > y->ref.index;
}

/* Collectives of a device profile, and the kernels of NCCL and RCCL */
static GArray *
load_collectives (StriaRegionSearch *self, StriaPattern *pattern, GError **error)
{
  StriaTrace *trace = self->trace;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Collective));
  g_autofree guint8 *kernels = g_new0 (guint8, stria_trace_get_n_categories (trace) + 1);
  GError *inner = NULL;

  stria_trace_flag_categories (trace, stria_categories_kernel, 1, kernels);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const gboolean is_neuron = stria_lane_is_of_table (lane, "CcOp");
      gsize length = 0;
      const StriaColumns *columns = NULL;

      if (!is_neuron && stria_lane_get_table (lane, &length) != NULL)
        continue;
      columns = stria_region_load_slices (self, lane, &inner);
      if (inner != NULL)
        {
          g_propagate_error (error, inner);
          return NULL;
        }
      for (guint64 i = 0; columns != NULL && i < columns->n; i++)
        {
          const char *name = stria_trace_get_string (trace, columns->name[i]);
          Collective one = { columns->start[i], stria_lane_get_artifact (lane),
                             stria_lane_get_process (lane), { l, (guint32) i }, columns->name[i] };

          if (!is_neuron
              && (kernels[columns->category[i]] == 0
                  || (!g_str_has_prefix (name, "nccl") && !g_str_has_prefix (name, "rccl"))))
            continue;
          if (stria_pattern_match (pattern, name))
            g_array_append_val (found, one);
        }
    }
  g_array_sort (found, compare_collectives);
  return g_steal_pointer (&found);
}

static gboolean
find_collectives (StriaRegionSearch *self, const StriaRegionRule *rule, guint number,
                  StriaPattern *pattern, GError **error)
{
  const char *second = rule->type2[0] != '\0' ? rule->type2 : rule->type1;
  g_autoptr (StriaPattern) type1 = stria_pattern_new (rule->type1, error);
  g_autoptr (StriaPattern) type2 = type1 != NULL ? stria_pattern_new (second, error) : NULL;
  g_autoptr (GArray) all = type2 != NULL ? load_collectives (self, pattern, error) : NULL;
  const guint stride = MAX (rule->stride, 1);
  const Collective *open = NULL;
  guint n = 0, taken = 0;

  if (all == NULL)
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    {
      const Collective *one = &g_array_index (all, Collective, i);
      const char *name = stria_trace_get_string (self->trace, one->name);

      if (open != NULL && open->process != one->process)
        {
          open = NULL;
          n = taken = 0;
        }
      if (open != NULL && stria_pattern_match (type2, name))
        {
          const gboolean is_taken = n >= rule->offset && (n - rule->offset) % stride == 0
                                    && (rule->count == 0 || taken < rule->count);

          n++;
          if (is_taken)
            {
              taken++;
              stria_region_add (self, rule, number, open->start, one->start, open->artifact, open->ref,
                          g_strdup_printf ("%s \xe2\x86\x92 %s",
                                           stria_trace_get_string (self->trace, open->name), name));
            }
          open = NULL;
        }
      if (open == NULL && stria_pattern_match (type1, name))
        open = one;
    }
  if (all->len == 0)
    stria_region_set_absent (self, number,
                pattern == NULL || rule->pattern[0] == '\0'
                    ? _ ("not available because there are no collectives in the capture")
                    : _ ("No collective matches"));
  return TRUE;
}

gboolean
stria_region_rule_find (StriaRegionSearch *self, const StriaRegionRule *rule, guint i,
                        GError **error)
{
  g_autoptr (GError) inner = NULL;
  g_autoptr (StriaPattern) pattern = stria_pattern_new (rule->pattern, &inner);

  if (pattern == NULL)
    {
      stria_region_set_absent (self, i, inner->message);
      return TRUE;
    }
  switch (rule->kind)
    {
    case STRIA_REGION_NAME:
      return stria_region_find_names (self, rule, i, pattern, NULL, error);
    case STRIA_REGION_LAYER:
      return stria_region_find_layers (self, rule, i, pattern, error);
    case STRIA_REGION_COLLECTIVE:
      return find_collectives (self, rule, i, pattern, error);
    case STRIA_REGION_KERNEL:
      return stria_region_find_kernels (self, rule, i, pattern, error);
    case STRIA_REGION_N_KINDS:
    default:
      return TRUE;
    }
}
