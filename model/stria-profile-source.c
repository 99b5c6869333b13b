/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What is known to have run a source operator. */
typedef struct
{
  GArray *entities; /* guint32: events of delegates, or else instructions */
  gboolean has_events;
  guint32 shared;
} Evidence;

static void
evidence_free (gpointer data)
{
  g_array_unref (((Evidence *) data)->entities);
  g_free (data);
}

static void
add_operators (StriaProfile *self)
{
  guint32 n = stria_graph_n_nodes (self->source);

  self->source_entity = g_new (guint32, n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      const StriaGraphNodeRow *node = stria_graph_node (self->source, i);

      self->source_entity[i] = STRIA_NO_REF;
      if (node->kind != STRIA_NODE_OPERATOR && node->kind != STRIA_NODE_DELEGATE)
        continue;
      g_autofree char *id
          = g_strdup_printf ("source_operator/%s", stria_graph_text (self->source, node->id));
      guint32 entity = stria_profile_add_entity (self, STRIA_ENTITY_SOURCE_OPERATOR, id,
                                                 stria_graph_text (self->source, node->label));
      StriaEntity *added = stria_profile_get_entity (self, entity);
      added->key = node->key;
      added->executions_of = self->executions->len;
      added->unmatched = TRUE;
      stria_profile_place (self, entity, self->record, self->source_row, i);
      stria_profile_nest (self, self->model, entity);
      self->source_entity[i] = entity;
    }
}

/* Operators with one of the debug handles, each once: a handle may be on several nodes, and a call
 * may name a handle twice. */
static GArray *
operators_of_handles (StriaProfile *self, const gint64 *handles, guint n, guint *n_unknown)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint h = 0; h < n; h++)
    {
      guint32 n_found;
      const guint32 *found = stria_graph_find_key (self->source, handles[h], &n_found);

      *n_unknown += n_found == 0;
      for (guint32 i = 0; i < n_found; i++)
        if (self->source_entity[found[i]] != STRIA_NO_REF
            && g_hash_table_add (seen, GUINT_TO_POINTER (found[i])))
          g_array_append_val (nodes, found[i]);
    }
  return nodes;
}

static void
prove (GHashTable *evidence, guint32 entity, guint32 by, guint32 shared, gboolean is_event)
{
  Evidence *known = g_hash_table_lookup (evidence, GUINT_TO_POINTER (entity));

  if (known == NULL)
    {
      known = g_new0 (Evidence, 1);
      known->entities = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (evidence, GUINT_TO_POINTER (entity), known);
    }
  /* An event of the delegate says more than the call around it. */
  if (known->has_events && !is_event)
    return;
  if (is_event && !known->has_events)
    {
      g_array_set_size (known->entities, 0);
      known->shared = 0;
    }
  known->has_events = is_event;
  known->shared = MAX (known->shared, shared);
  g_array_append_val (known->entities, by);
}

GArray *
stria_profile_operators_of (StriaProfile *self, gint32 instruction)
{
  gint64 key = instruction;
  const GArray *handles = g_hash_table_lookup (self->handles, &key);
  guint n_unknown = 0;

  return operators_of_handles (self,
                               handles != NULL ? (const gint64 *) (void *) handles->data : NULL,
                               handles != NULL ? handles->len : 0, &n_unknown);
}

/* Each instruction of the record's map and the source operators that it ran. */
static void
link_instruction (StriaProfile *self, GHashTable *evidence, gint64 instruction,
                  const gint64 *handles, guint n_handles, guint *n_unknown)
{
  guint32 entity = stria_profile_add_instruction (self, 0, (gint32) instruction);
  gboolean is_delegate
      = stria_entity_attribute (stria_profile_get_entity (self, entity), "delegate") != NULL;
  g_autoptr (GArray) nodes = operators_of_handles (self, handles, n_handles, n_unknown);

  stria_profile_get_entity (self, entity)->shared = MAX (nodes->len, 1);
  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 to = self->source_entity[g_array_index (nodes, guint32, i)];

      if (is_delegate)
        stria_profile_add_link (
            self, entity, to, "partition", STRIA_EVIDENCE_PARTITION,
            _ ("The delegate call runs the whole partition that the operator is "
               "in"));
      else
        stria_profile_add_link (self, entity, to, "instruction", STRIA_EVIDENCE_EXACT,
                                _ ("The record gives the instruction the operator’s debug handle"));
      stria_profile_get_entity (self, to)->placement
          = stria_profile_get_entity (self, entity)->placement;
      prove (evidence, to, entity, nodes->len, FALSE);
    }
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  gint64 x = **(gint64 *const *) a;
  gint64 y = **(gint64 *const *) b;

  return x < y ? -1 : x > y;
}

static void
link_instructions (StriaProfile *self, GHashTable *evidence)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;
  guint n_unknown = 0;

  g_hash_table_iter_init (&iter, self->handles);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (*(gint64 *) key >= 0 && *(gint64 *) key <= G_MAXINT32)
      g_ptr_array_add (sorted, key);
  g_ptr_array_sort (sorted, compare_numbers);
  for (guint i = 0; i < sorted->len; i++)
    {
      const GArray *handles = g_hash_table_lookup (self->handles, sorted->pdata[i]);

      link_instruction (self, evidence, *(gint64 *) sorted->pdata[i],
                        (const gint64 *) (void *) handles->data, handles->len, &n_unknown);
    }
  if (n_unknown > 0)
    stria_profile_warn (
        self, "handles-without-nodes",
        g_dngettext (GETTEXT_PACKAGE, "%u debug handle of the record’s map is on no operator.",
                     "%u debug handles of the record’s map are on no operator.", n_unknown),
        n_unknown);
}

/* What the record's map of one delegate says. */
typedef struct
{
  GHashTable *handles; /* id (string of the record) -> GArray of gint64 */
  GHashTable *by_text; /* id as text -> the same */
  GArray *ids;         /* guint32, in the record's order */
} DelegateMap;

/* More comparisons of names with ids than any real map needs are not made. */
#define MAX_COMPARISONS 20000000

static void
array_unref (gpointer data)
{
  g_array_unref (data);
}

static void
delegate_map_init (DelegateMap *map, StriaProfile *self, gsize delegate)
{
  const GArray *rows = stria_profile_rows_of (self->delegate_handles, delegate);

  map->handles = g_hash_table_new_full (NULL, NULL, NULL, array_unref);
  map->by_text = g_hash_table_new (g_str_hash, g_str_equal);
  map->ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      const StriaRecordDelegateHandleRow *row
          = STRIA_ROWS (self->record, StriaRecordDelegateHandleRow,
                        STRIA_TABLE_RECORD_DELEGATE_HANDLE)
            + g_array_index (rows, guint32, i);
      GArray *handles = g_hash_table_lookup (map->handles, GUINT_TO_POINTER (row->id));

      if (handles == NULL)
        {
          handles = g_array_new (FALSE, FALSE, sizeof (gint64));
          g_hash_table_insert (map->handles, GUINT_TO_POINTER (row->id), handles);
          g_hash_table_insert (map->by_text, (gpointer) stria_facts_text (self->record, row->id),
                               handles);
          g_array_append_val (map->ids, row->id);
        }
      g_array_append_val (handles, row->handle);
    }
}

static void
delegate_map_clear (DelegateMap *map)
{
  g_hash_table_unref (map->by_text);
  g_hash_table_unref (map->handles);
  g_array_unref (map->ids);
}

/* [CODE: ET devtools/inspector/_inspector.py] the map's key that is the event's id, or else, the
 * last one that is a part of its text. */
static const GArray *
find_handles (StriaProfile *self, const DelegateMap *map, const char *name, gboolean in_part,
              gboolean *is_exact)
{
  const GArray *handles = g_hash_table_lookup (map->by_text, name);

  *is_exact = handles != NULL;
  for (guint i = map->ids->len; in_part && handles == NULL && i > 0; i--)
    {
      guint32 id = g_array_index (map->ids, guint32, i - 1);
      const char *text = stria_facts_text (self->record, id);

      if (text[0] != '\0' && strstr (name, text) != NULL)
        handles = g_hash_table_lookup (map->handles, GUINT_TO_POINTER (id));
    }
  return handles;
}

static void
link_delegate_event (StriaProfile *self, GHashTable *evidence, guint32 event,
                     const DelegateMap *map, gboolean in_part, guint *n_unknown)
{
  const char *name = stria_profile_get_entity (self, event)->name;
  gboolean is_exact;
  const GArray *handles
      = find_handles (self, map, name, in_part && !g_ascii_isdigit (name[0]), &is_exact);

  if (handles == NULL)
    return;
  g_autoptr (GArray) nodes = operators_of_handles (self, (const gint64 *) (void *) handles->data,
                                                   handles->len, n_unknown);
  stria_profile_get_entity (self, event)->shared = MAX (nodes->len, 1);
  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 to = self->source_entity[g_array_index (nodes, guint32, i)];

      stria_profile_add_link (self, event, to, "delegate-event",
                              is_exact ? STRIA_EVIDENCE_EXACT : STRIA_EVIDENCE_ASSUMED,
                              is_exact
                                  ? _ ("The record gives the delegate’s event the operator’s "
                                       "debug handle")
                                  : _ ("The event’s name contains the id that the record gives "
                                       "the operator’s debug handle"));
      prove (evidence, to, event, nodes->len, TRUE);
    }
}

static void
link_delegate_events (StriaProfile *self, GHashTable *evidence)
{
  gsize n = stria_facts_size (self->record, STRIA_TABLE_RECORD_DELEGATE);
  guint n_unknown = 0;

  for (gsize d = 0; d < n; d++)
    {
      const StriaRecordDelegateRow *delegate
          = STRIA_ROWS (self->record, StriaRecordDelegateRow, STRIA_TABLE_RECORD_DELEGATE) + d;

      if (delegate->method != self->record_method || delegate->instruction < 0
          || delegate->instruction > G_MAXINT32)
        continue;
      guint32 call = stria_profile_add_instruction (self, 0, (gint32) delegate->instruction);
      /* Linking adds no children. */
      const GArray *children = stria_profile_get_entity (self, call)->children;
      DelegateMap map;
      delegate_map_init (&map, self, d);
      gboolean in_part = (guint64) map.ids->len * children->len <= MAX_COMPARISONS;
      for (guint i = 0; i < children->len; i++)
        {
          guint32 child = g_array_index (children, guint32, i);

          if (stria_profile_get_entity (self, child)->kind == STRIA_ENTITY_DELEGATE_EVENT)
            link_delegate_event (self, evidence, child, &map, in_part, &n_unknown);
        }
      delegate_map_clear (&map);
    }
}

/* Figures of what alone ran an operator are those of the operator. */
static void
copy_runtime (StriaProfile *self, guint32 from, guint32 to)
{
  const GArray *metrics = stria_profile_get_entity (self, from)->metrics;

  for (guint i = 0; i < metrics->len; i++)
    {
      const StriaMetric *metric = stria_profile_metric (self, g_array_index (metrics, guint32, i));

      if (!g_str_equal (metric->name, "runtime"))
        continue;
      if (metric->available)
        stria_profile_add_value (self, to, "runtime", metric->unit, metric->aggregation,
                                 metric->value, metric->samples);
      else
        stria_profile_add_unavailable (self, to, "runtime", metric->unit, metric->reason);
    }
}

/* [PROPOSAL, spec 2.5] what independent events of one operator took is added within an execution;
 * where they cover different executions there is no figure. */
static void
tell_operator (StriaProfile *self, guint32 entity, const Evidence *evidence)
{
  StriaEntity *operator= stria_profile_get_entity (self, entity);
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  g_autoptr (StriaSeries) sum = NULL;
  const char *unit = stria_measure_unit (self->unit);
  gboolean overlaps = FALSE;
  gint64 last_call = -1;
  guint32 alone = STRIA_NO_REF;

  operator->shared = MAX (evidence->shared, 1);
  if (operator->shared> 1)
    {
      g_autofree char *n = g_strdup_printf ("%u", operator->shared);

      stria_profile_attribute (self, entity, "shared_by", n);
    }
  for (guint i = 0; i < evidence->entities->len; i++)
    {
      guint32 by = g_array_index (evidence->entities, guint32, i);
      StriaSeries *series = g_hash_table_lookup (self->series, GUINT_TO_POINTER (by));

      if (series == NULL)
        continue;
      overlaps = overlaps
                 || (evidence->has_events && parts->len > 0
                     && stria_profile_get_entity (self, by)->key == last_call);
      last_call = stria_profile_get_entity (self, by)->key;
      g_ptr_array_add (parts, series);
      alone = by;
    }
  if (parts->len == 0)
    return;
  if (parts->len == 1)
    {
      operator->executions = stria_series_coverage (parts->pdata[0]);
      operator->unmatched = FALSE;
      copy_runtime (self, alone, entity);
      return;
    }
  if (overlaps)
    {
      stria_profile_add_unavailable (self, entity, "runtime", unit,
                                     _ ("several events of one delegate call, which may overlap"));
      return;
    }
  sum = stria_series_new (self->executions->len);
  StriaCombine state = stria_series_combine (sum, (StriaSeries *const *) parts->pdata, parts->len);
  if (state != STRIA_COMBINE_OK)
    {
      g_autofree char *reason = stria_combine_reason (state);

      stria_profile_add_unavailable (self, entity, "runtime", unit, reason);
      return;
    }
  operator->executions = stria_series_coverage (sum);
  operator->unmatched = FALSE;
  stria_profile_add_series (self, entity, "runtime", self->unit, sum, TRUE);
}

/* What was logged of an instruction that the record's map does not have. */
static void
warn_of_unmapped (StriaProfile *self)
{
  guint n = 0;

  for (guint32 i = 0; i < self->entities->len; i++)
    {
      const StriaEntity *entity = stria_profile_get_entity (self, i);

      if (entity->kind != STRIA_ENTITY_METHOD_CALL || entity->executions == 0
          || entity->key >> 32 != 0 || entity->links->len > 0)
        continue;
      n++;
    }
  if (n > 0)
    stria_profile_warn (
        self, "instructions-without-handles",
        g_dngettext (GETTEXT_PACKAGE, "%u instruction that ran is linked to no source operator.",
                     "%u instructions that ran are linked to no source operator.", n),
        n);
}

/**
 * stria_profile_read_source:
 *
 * Source operators of the record, and which instructions and delegate events ran them.
 */
void
stria_profile_read_source (StriaProfile *self)
{
  g_autoptr (GHashTable) evidence = g_hash_table_new_full (NULL, NULL, NULL, evidence_free);

  if (self->record_method == STRIA_NO_REF)
    return;
  const StriaRecordMethodRow *method
      = STRIA_ROWS (self->record, StriaRecordMethodRow, STRIA_TABLE_RECORD_METHOD)
        + self->record_method;
  if (!method->in_handle_map)
    stria_profile_warn (
        self, "missing-handle-map",
        _ ("The record has no debug handle map for “%s”, so what ran can’t be linked "
           "to operators."),
        self->method);
  if (!method->in_delegate_map)
    stria_profile_warn (self, "missing-delegate-map",
                        _ ("The record has no delegate map for “%s”."), self->method);
  if (self->source == NULL)
    return;
  add_operators (self);
  link_instructions (self, evidence);
  link_delegate_events (self, evidence);
  for (guint32 i = 0; i < self->entities->len; i++)
    {
      const Evidence *known = g_hash_table_lookup (evidence, GUINT_TO_POINTER (i));

      if (known != NULL)
        tell_operator (self, i, known);
    }
  if (self->dump != NULL && method->in_handle_map)
    warn_of_unmapped (self);
}
