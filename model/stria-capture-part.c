/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-merge.h"
#include "stria-fact-tables.h"

/* Times that are likely since the epoch: from 2001 to 2096 */
#define EPOCH_MIN G_GINT64_CONSTANT (1000000000000000000)
#define EPOCH_MAX G_GINT64_CONSTANT (4000000000000000000)

void
stria_part_free (gpointer data)
{
  StriaPart *part = data;

  if (part == NULL)
    return;
  g_array_unref (part->processes);
  g_ptr_array_unref (part->bodies);
  g_free (part->lane_process);
  g_free (part->name_ids);
  g_free (part->name_counts);
  g_array_unref (part->flows);
  g_clear_pointer (&part->snapshot, stria_snapshot_data_unref);
  g_clear_pointer (&part->facts, stria_facts_unref);
  g_clear_pointer (&part->tables, g_ptr_array_unref);
  g_clear_pointer (&part->args, stria_args_unref);
  g_clear_pointer (&part->meta, g_hash_table_unref);
  g_free (part);
}

guint16
stria_capture_category_index (StriaCapture *self, const char *name)
{
  gpointer known = g_hash_table_lookup (self->category_ids, name);

  if (known != NULL)
    return (guint16) (GPOINTER_TO_UINT (known) - 1);
  if (self->categories->len >= G_MAXUINT16)
    return 0;
  g_ptr_array_add (self->categories, g_strdup (name));
  g_hash_table_insert (self->category_ids, g_strdup (name),
                       GUINT_TO_POINTER (self->categories->len));
  return (guint16) (self->categories->len - 1);
}

/* Local string ids and categories of a result become the capture's. Under the mutex. */
static void
translate (StriaCapture *self, StriaBuilt *built, guint32 *string_of, guint16 *category_of)
{
  guint32 n = stria_strings_size (built->strings);

  for (guint32 id = 0; id < n; id++)
    string_of[id] = stria_strings_intern (self->strings, stria_strings_get (built->strings, id),
                                          stria_strings_length (built->strings, id));
  for (guint c = 0; c < built->categories->len; c++)
    category_of[c] = stria_capture_category_index (
        self, stria_strings_get (built->strings,
                                 GPOINTER_TO_UINT (built->categories->pdata[c])));
}

void
stria_part_shift (StriaLaneBody *body, gint64 shift)
{
  if (body->park != NULL)
    stria_park_shift (body->park, shift);
  for (guint64 i = 0; i < body->columns.n; i++)
    body->columns.start[i] += shift;
  body->start_ns += shift;
  body->end_ns += shift;
}

/* Those count from their own start (documented); traces of other kinds without a base do not say what
 * they count from. */
static gboolean
is_device_profile (StriaCapture *self, guint artifact)
{
  const char *kind = stria_artifact_get_kind (self->artifact_array->pdata[artifact]);

  return kind != NULL && g_str_has_prefix (kind, "neuron-");
}

static void
name_lane (StriaCapture *self, guint artifact, StriaLaneBody *body, const char *process_key)
{
  g_autofree char *prefix
      = stria_merge_lane_prefix (self->tree, artifact, process_key, body->key);
  char *name;

  if (prefix == NULL)
    return;
  name = g_strdup_printf ("%s · %s", prefix, body->name);
  g_free (body->name);
  body->name = name;
}

StriaPart *
stria_part_new (StriaCapture *self, guint artifact, StriaBuilt *built)
{
  StriaPart *part = g_new0 (StriaPart, 1);
  guint32 *string_of = g_new (guint32, stria_strings_size (built->strings));
  g_autofree guint16 *category_of = g_new (guint16, built->categories->len);
  gint64 start = G_MAXINT64;

  part->artifact = artifact;
  part->n_events = built->n_events;
  part->unbound_flows = built->n_unbound_flows;
  part->args = stria_args_ref (built->args);
  part->meta = g_hash_table_ref (built->meta);
  part->processes = g_array_new (FALSE, TRUE, sizeof (StriaProcess));
  g_array_set_clear_func (part->processes, stria_process_clear);
  part->bodies = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_lane_body_unref);
  part->lane_process = g_new (guint32, MAX (built->lanes->len, 1));
  part->flows = g_array_new (FALSE, FALSE, sizeof (StriaFlow));

  g_mutex_lock (&self->mutex);
  translate (self, built, string_of, category_of);
  for (guint i = 0; i < built->lanes->len; i++)
    start = MIN (start, g_array_index (built->lanes, StriaBuiltLane, i).body->start_ns);
  part->has_base = built->has_base || (start > EPOCH_MIN && start < EPOCH_MAX);
  part->base_ns = built->has_base ? built->base_ns : 0;
  if (part->has_base && !self->has_base)
    {
      self->has_base = TRUE;
      self->base_ns = part->base_ns;
    }
  /* Artifacts that count from other origins are brought to the first one's. */
  if (part->has_base)
    part->shift_ns = part->base_ns - self->base_ns;
  else
    part->is_floating = built->lanes->len > 0 && is_device_profile (self, artifact);
  part->n_name_counts = stria_strings_size (built->strings);
  part->name_counts = g_new0 (guint64, part->n_name_counts);
  part->name_ids = string_of;
  g_mutex_unlock (&self->mutex);

  for (guint p = 0; p < built->processes->len; p++)
    {
      const StriaBuiltProcess *from = &g_array_index (built->processes, StriaBuiltProcess, p);
      StriaProcess to = { 0 };

      to.key = g_strdup (from->key);
      to.name = from->name != 0 ? g_strdup (stria_strings_get (built->strings, from->name)) : NULL;
      to.labels
          = from->labels != 0 ? g_strdup (stria_strings_get (built->strings, from->labels)) : NULL;
      to.sort_index = from->sort;
      to.artifact = artifact;
      g_array_append_val (part->processes, to);
    }
  for (guint i = 0; i < built->lanes->len; i++)
    {
      const StriaBuiltLane *lane = &g_array_index (built->lanes, StriaBuiltLane, i);
      StriaColumns *c = &lane->body->columns;

      if (lane->body->park != NULL)
        stria_park_translate (lane->body->park, string_of, stria_strings_size (built->strings),
                              category_of, built->categories->len);
      for (guint64 e = 0; e < c->n; e++)
        {
          part->name_counts[c->name[e]]
              += lane->body->kind != STRIA_LANE_COUNTER && !lane->is_counted;
          c->name[e] = string_of[c->name[e]];
          c->category[e] = category_of[c->category[e]];
        }
      if (part->shift_ns != 0)
        stria_part_shift (lane->body, part->shift_ns);
      part->lane_process[i] = lane->process;
      name_lane (self, artifact, lane->body,
                 g_array_index (part->processes, StriaProcess, lane->process).key);
      g_ptr_array_add (part->bodies, stria_lane_body_ref (lane->body));
    }
  for (guint i = 0; i < built->flows->len; i++)
    {
      const StriaBuiltFlow *from = &g_array_index (built->flows, StriaBuiltFlow, i);
      const StriaColumns *a = &((StriaLaneBody *) part->bodies->pdata[from->from.lane])->columns;
      const StriaColumns *b = &((StriaLaneBody *) part->bodies->pdata[from->to.lane])->columns;
      const char *category = stria_strings_get (built->strings, from->category);
      StriaFlow to = { from->from, from->to, string_of[from->name], 0, 0 };

      g_mutex_lock (&self->mutex);
      to.category = stria_capture_category_index (self, category);
      g_mutex_unlock (&self->mutex);
      to.backwards = b->start[to.to.index] < a->start[to.from.index];
      g_array_append_val (part->flows, to);
    }
  for (guint32 id = 0; id < built->n_by_name->len; id++)
    part->name_counts[id] += g_array_index (built->n_by_name, guint64, id);
  /* Those whose events were asked for until here */
  for (guint i = 0; i < built->lanes->len; i++)
    {
      const StriaBuiltLane *lane = &g_array_index (built->lanes, StriaBuiltLane, i);

      if (lane->is_counted && lane->body->park == NULL)
        stria_lane_body_park (lane->body, built->spill);
    }
  if (built->allocs != NULL)
    {
      g_autofree char *file
          = g_path_get_basename (stria_artifact_get_name (self->artifact_array->pdata[artifact]));
      part->snapshot
          = stria_alloc_builder_finish (g_steal_pointer (&built->allocs), artifact, self->strings,
                                        string_of, self->notices, file);
      for (guint d = 0; d < stria_snapshot_get_n_devices (part->snapshot); d++)
        part->n_events += stria_allocator_count_records (stria_snapshot_get_device (part->snapshot, d));
    }
  if (built->facts != NULL && !stria_facts_is_empty (built->facts))
    {
      part->facts = stria_facts_ref (built->facts);
      part->n_events += stria_facts_size (part->facts, STRIA_TABLE_GRAPH_NODE);
      /* Those of a dump that are on no timeline. */
      part->n_events += stria_facts_size (part->facts, STRIA_TABLE_DUMP_ALLOCATION)
                        + stria_facts_size (part->facts, STRIA_TABLE_DUMP_DEBUG);
    }
  if (built->tables != NULL)
    {
      part->tables = g_ptr_array_ref (built->tables);
      /* Rows that are on a timeline were counted as its events. */
      if (built->n_events == 0)
        for (guint i = 0; i < built->tables->len; i++)
          part->n_events += stria_table_get_n_rows (built->tables->pdata[i]);
    }
  return part;
}
