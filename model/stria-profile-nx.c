/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* Counters of a chain, a cascade, or all of a segment, by execution. */
typedef struct
{
  guint32 entity; /* STRIA_NO_REF: of a segment, which has no figures of its own */
  StriaSeries *op, *total;
  GHashTable *counters;   /* name -> StriaSeries */
  StriaSeries *n_stripes; /* how many there were */
  StriaSeries *stripes;   /* mixed from their numbers: below 2^63 for any number of stripes */
  GString *list;          /* stripes of the first execution, for people */
  guint32 list_of;        /* that execution */
  gboolean from_sum;
} Measured;

typedef struct
{
  StriaProfile *profile;
  guint32 n;                /* executions */
  GHashTable *measured;     /* entity -> Measured */
  GHashTable *of_segment;   /* entity -> Measured */
  GHashTable *by_key;       /* "instruction/segment" -> StriaProfileSegment */
  const char *first_reason; /* why something could not be used */
  guint64 n_compute, n_placeholders;
} Reader;

static void
measured_free (gpointer data)
{
  Measured *self = data;

  stria_series_free (self->op);
  stria_series_free (self->total);
  g_hash_table_unref (self->counters);
  stria_series_free (self->n_stripes);
  stria_series_free (self->stripes);
  g_string_free (self->list, TRUE);
  g_free (self);
}

static Measured *
measured_in (Reader *reader, GHashTable *table, guint32 entity)
{
  Measured *self = g_hash_table_lookup (table, GUINT_TO_POINTER (entity));

  if (self != NULL)
    return self;
  self = g_new0 (Measured, 1);
  self->entity = entity;
  self->op = stria_series_new (reader->n);
  self->total = stria_series_new (reader->n);
  self->counters = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) stria_series_free);
  self->n_stripes = stria_series_new (reader->n);
  self->stripes = stria_series_new (reader->n);
  self->list = g_string_new (NULL);
  self->list_of = STRIA_NO_REF;
  g_hash_table_insert (table, GUINT_TO_POINTER (entity), self);
  return self;
}

static const StriaVgfSegmentRow *
companion_segment (StriaProfile *self, gint32 instruction, gint64 number)
{
  guint32 vgf = self->companion == STRIA_COMPANION_MATCHES
                    ? stria_profile_call_vgf (self, instruction)
                    : STRIA_NO_REF;

  if (vgf == STRIA_NO_REF)
    return NULL;
  const StriaVgfRow *row = STRIA_ROWS (self->program, StriaVgfRow, STRIA_TABLE_VGF) + vgf;
  return number >= 0 && number < row->n_segments
             ? STRIA_ROWS (self->program, StriaVgfSegmentRow, STRIA_TABLE_VGF_SEGMENT)
                   + row->first_segment + number
             : NULL;
}

char *
stria_profile_nx_id (StriaProfile *self, gint32 instruction, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *rest = g_strdup_vprintf (format, args);
  va_end (args);
  return self->many_calls ? g_strdup_printf ("instr_%d/%s", instruction, rest)
                          : g_steal_pointer (&rest);
}

static StriaProfileSegment *
segment_of (Reader *reader, const StriaNxPayloadRow *payload, const StriaNxSegmentRow *row)
{
  StriaProfile *self = reader->profile;
  g_autofree char *key = g_strdup_printf ("%d/%" PRId64, payload->instruction, row->number);
  StriaProfileSegment *segment = g_hash_table_lookup (reader->by_key, key);

  if (segment != NULL)
    return segment;
  const StriaVgfSegmentRow *named = companion_segment (self, payload->instruction, row->number);
  g_autofree char *id
      = stria_profile_nx_id (self, payload->instruction, "segment/%" PRId64, row->number);
  g_autofree char *name = named != NULL && stria_facts_text (self->program, named->name)[0] != '\0'
                              ? g_strdup (stria_facts_text (self->program, named->name))
                              : g_strdup_printf (_ ("Segment %" PRId64), row->number);

  segment = g_new0 (StriaProfileSegment, 1);
  segment->instruction = payload->instruction;
  segment->number = row->number;
  segment->relations = g_ptr_array_new ();
  segment->entity = stria_profile_add_entity (self, STRIA_ENTITY_SEGMENT, id, name);
  segment->instruction_entity
      = stria_profile_add_instruction (self, MAX (payload->chain, 0), payload->instruction);
  StriaEntity *entity = stria_profile_get_entity (self, segment->entity);
  entity->placement = "NX";
  entity->key = row->number;
  entity->executions_of = reader->n;
  stria_profile_get_entity (self, segment->instruction_entity)->placement = "NX";
  stria_profile_nest (self, segment->instruction_entity, segment->entity);
  g_ptr_array_add (self->segments, segment);
  g_hash_table_insert (self->segment_of, GUINT_TO_POINTER (segment->entity),
                       GUINT_TO_POINTER (self->segments->len));
  g_hash_table_insert (reader->by_key, g_steal_pointer (&key), segment);
  return segment;
}

guint32
stria_profile_segment_part (StriaProfile *self, const StriaProfileSegment *segment,
                            StriaEntityKind kind, const char *number)
{
  gboolean is_chain = kind == STRIA_ENTITY_CHAIN;
  g_autofree char *id
      = stria_profile_nx_id (self, segment->instruction, "%s/segment_%" PRId64 "/%s",
                             is_chain ? "chain" : "cascade", segment->number, number);
  guint32 known = stria_profile_find_entity (self, id);
  guint64 key;

  if (known != STRIA_NO_REF)
    return known;
  /* [CODE: MLIA-NT performance.py] "<segment name>/Chain <id>" */
  g_autofree char *name
      = g_strdup_printf (is_chain ? "%s/Chain %s" : "%s/Cascade %s",
                         stria_profile_get_entity (self, segment->entity)->name, number);
  guint32 entity = stria_profile_add_entity (self, kind, id, name);
  StriaEntity *added = stria_profile_get_entity (self, entity);
  added->placement = "NX";
  added->executions_of = self->executions->len;
  if (g_ascii_string_to_unsigned (number, 10, 0, G_MAXINT64, &key, NULL))
    added->key = (gint64) key;
  stria_profile_attribute (self, entity, "number", number);
  return entity;
}

static guint64
mix (guint64 number)
{
  number = (number ^ (number >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  number = (number ^ (number >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return number ^ (number >> 31);
}

static void
measure_stripe (Reader *reader, Measured *to, guint32 execution, const StriaNxStripeRow *stripe,
                gboolean counters)
{
  const StriaNxCounterRow *rows
      = STRIA_ROWS (reader->profile->dump, StriaNxCounterRow, STRIA_TABLE_NX_COUNTER);

  stria_series_add (to->op, execution, stripe->op_cycles);
  stria_series_add (to->total, execution, stripe->total_cycles);
  stria_series_add (to->n_stripes, execution, 1);
  stria_series_add (to->stripes, execution, mix ((guint64) stripe->number + 1) >> 33);
  to->from_sum = to->from_sum || stripe->total_from_sum;
  if (to->list_of == STRIA_NO_REF)
    to->list_of = execution;
  if (to->list_of == execution && to->list->len < 200)
    g_string_append_printf (to->list, to->list->len > 0 ? ", %u" : "%u", stripe->number);
  else if (to->list_of == execution && !g_str_has_suffix (to->list->str, "…"))
    g_string_append (to->list, ", …");
  for (guint32 i = 0; counters && i < stripe->n_counters; i++)
    {
      const StriaNxCounterRow *counter = &rows[stripe->first_counter + i];
      StriaSeries *series = g_hash_table_lookup (to->counters, GUINT_TO_POINTER (counter->name));

      if (series == NULL)
        {
          series = stria_series_new (reader->n);
          g_hash_table_insert (to->counters, GUINT_TO_POINTER (counter->name), series);
        }
      stria_series_add (series, execution, counter->value);
    }
}

static void
read_segment (Reader *reader, const StriaNxPayloadRow *payload, const StriaNxSegmentRow *row,
              guint32 number, guint32 execution)
{
  StriaProfile *self = reader->profile;
  StriaProfileSegment *segment = segment_of (reader, payload, row);
  Measured *all = measured_in (reader, reader->of_segment, segment->entity);
  guint32 relations = row->relations != STRIA_NO_REF ? row->relations : number;

  if (!g_ptr_array_find (segment->relations, GUINT_TO_POINTER (relations), NULL))
    g_ptr_array_add (segment->relations, GUINT_TO_POINTER (relations));
  /* A segment without a stripe was measured too. */
  stria_series_add (all->op, execution, 0);
  stria_series_add (all->total, execution, 0);
  for (guint32 i = 0; i < row->n_stripes; i++)
    {
      const StriaNxStripeRow *stripe
          = STRIA_ROWS (self->dump, StriaNxStripeRow, STRIA_TABLE_NX_STRIPE) + row->first_stripe
            + i;
      guint32 chain = stria_profile_segment_part (self, segment, STRIA_ENTITY_CHAIN,
                                                  stria_facts_text (self->dump, stripe->chain));
      guint32 cascade = stria_profile_segment_part (self, segment, STRIA_ENTITY_CASCADE,
                                                    stria_facts_text (self->dump, stripe->cascade));

      stria_profile_nest (self, segment->entity, cascade);
      stria_profile_nest (self, cascade, chain);
      measure_stripe (reader, all, execution, stripe, FALSE);
      measure_stripe (reader, measured_in (reader, reader->measured, chain), execution, stripe,
                      TRUE);
      measure_stripe (reader, measured_in (reader, reader->measured, cascade), execution, stripe,
                      TRUE);
      if (!stripe->placeholder)
        continue;
      reader->n_placeholders++;
      stria_profile_attribute (self, chain, "note", _ ("Not in the capture’s debug database"));
    }
}

/* Whether the same stripes were recorded in each execution that has any. */
static gboolean
has_same_stripes (const Measured *of)
{
  for (guint32 i = 1; i < stria_series_coverage (of->n_stripes); i++)
    if (stria_series_nth (of->n_stripes, i) != stria_series_nth (of->n_stripes, 0)
        || stria_series_nth (of->stripes, i) != stria_series_nth (of->stripes, 0))
      return FALSE;
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer facts)
{
  return strcmp (stria_facts_text (facts, GPOINTER_TO_UINT (*(gconstpointer *) a)),
                 stria_facts_text (facts, GPOINTER_TO_UINT (*(gconstpointer *) b)));
}

static void
tell_measured (Reader *reader, const Measured *of)
{
  StriaProfile *self = reader->profile;
  StriaEntity *entity = stria_profile_get_entity (self, of->entity);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  entity->executions = stria_series_coverage (of->op);
  stria_profile_attribute (self, of->entity, "stripe_ids", of->list->str);
  if (of->from_sum)
    stria_profile_attribute (self, of->entity, "total_cycles",
                             _ ("Sum of the counters, where nx_active is 0"));
  if (!has_same_stripes (of))
    {
      g_autofree char *reason = stria_combine_reason (STRIA_COMBINE_COVERAGE);

      stria_profile_add_unavailable (self, of->entity, "total_cycles", "cycles", reason);
      stria_profile_add_unavailable (self, of->entity, "op_cycles", "cycles", reason);
      return;
    }
  stria_profile_add_series (self, of->entity, "total_cycles", STRIA_UNIT_COUNTERS, of->total, TRUE);
  stria_profile_add_series (self, of->entity, "op_cycles", STRIA_UNIT_COUNTERS, of->op, TRUE);
  g_hash_table_iter_init (&iter, of->counters);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (names, key);
  g_ptr_array_sort_with_data (names, compare_names, self->dump);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *name = g_strdup_printf (
          "%s_cycles", stria_facts_text (self->dump, GPOINTER_TO_UINT (names->pdata[i])));

      stria_profile_add_series (self, of->entity, g_intern_string (name), STRIA_UNIT_COUNTERS,
                                g_hash_table_lookup (of->counters, names->pdata[i]), FALSE);
    }
}

static void
tell_all (Reader *reader)
{
  StriaProfile *self = reader->profile;

  for (guint32 i = 0; i < self->entities->len; i++)
    {
      const Measured *of = g_hash_table_lookup (reader->measured, GUINT_TO_POINTER (i));
      const Measured *segment = g_hash_table_lookup (reader->of_segment, GUINT_TO_POINTER (i));

      if (of != NULL)
        tell_measured (reader, of);
      if (segment != NULL)
        stria_profile_get_entity (self, i)->executions = stria_series_coverage (segment->op);
    }
}

/* A delegate call of the VGF backend that the record names and no statistics are of. */
static gboolean
has_silent_call (StriaProfile *self)
{
  gsize n = self->record != NULL ? stria_facts_size (self->record, STRIA_TABLE_RECORD_DELEGATE) : 0;
  g_autoptr (GHashTable) heard = g_hash_table_new (NULL, NULL);
  gboolean silent = FALSE;

  for (guint i = 0; i < self->segments->len; i++)
    g_hash_table_add (
        heard, GINT_TO_POINTER (((StriaProfileSegment *) self->segments->pdata[i])->instruction));
  for (gsize i = 0; i < n; i++)
    {
      const StriaRecordDelegateRow *row
          = STRIA_ROWS (self->record, StriaRecordDelegateRow, STRIA_TABLE_RECORD_DELEGATE) + i;

      if (row->method != self->record_method
          || !g_str_equal (stria_facts_text (self->record, row->name), "VgfBackend"))
        continue;
      if (g_hash_table_contains (heard, GINT_TO_POINTER ((gint) row->instruction)))
        continue;
      silent = TRUE;
      stria_profile_warn (
          self, "vgf-call-without-statistics",
          _ ("Instruction %" PRId64 " is a call of the VGF backend and has no usable statistics."),
          row->instruction);
    }
  return silent;
}

/* Whether a call that has statistics has none that can be used. @seen: as in
 * stria_profile_warn_of_coverage() */
static gboolean
has_useless_call (GHashTable *seen)
{
  GHashTableIter iter;
  gpointer count;

  g_hash_table_iter_init (&iter, seen);
  while (g_hash_table_iter_next (&iter, NULL, &count))
    if (GPOINTER_TO_UINT (count) == 0)
      return TRUE;
  return FALSE;
}

/* [DOC seed] cycles of the model, where all of its segments were recorded in the same executions.
 */
static void
tell_model (Reader *reader, GHashTable *seen)
{
  StriaProfile *self = reader->profile;
  g_autoptr (GPtrArray) op = g_ptr_array_new ();
  g_autoptr (GPtrArray) total = g_ptr_array_new ();
  g_autoptr (StriaSeries) all_op = stria_series_new (reader->n);
  g_autoptr (StriaSeries) all_total = stria_series_new (reader->n);
  StriaCombine state = STRIA_COMBINE_OK;
  g_autofree char *reason = NULL;
  StriaSummary sum_op, sum_total;

  for (guint i = 0; i < self->segments->len; i++)
    {
      const StriaProfileSegment *segment = self->segments->pdata[i];
      const Measured *of
          = g_hash_table_lookup (reader->of_segment, GUINT_TO_POINTER (segment->entity));

      if (of == NULL || !has_same_stripes (of))
        state = STRIA_COMBINE_COVERAGE;
      if (of == NULL)
        continue;
      g_ptr_array_add (op, of->op);
      g_ptr_array_add (total, of->total);
    }
  if ((has_silent_call (self) || has_useless_call (seen)) && self->segments->len > 0)
    state = STRIA_COMBINE_COVERAGE;
  if (state == STRIA_COMBINE_OK)
    state = stria_series_combine (all_op, (StriaSeries *const *) op->pdata, op->len);
  if (state == STRIA_COMBINE_OK)
    state = stria_series_combine (all_total, (StriaSeries *const *) total->pdata, total->len);
  if (state == STRIA_COMBINE_EMPTY && reader->first_reason != NULL)
    reason = g_strdup (reader->first_reason);
  else if (state == STRIA_COMBINE_COVERAGE)
    reason = g_strdup (_ ("its VGF calls or segments were recorded in different executions"));
  else if (state != STRIA_COMBINE_OK)
    reason = stria_combine_reason (state);
  if (reason != NULL)
    {
      stria_profile_add_unavailable (self, self->model, "total_cycles", "cycles", reason);
      stria_profile_add_unavailable (self, self->model, "compute_cycles", "cycles", reason);
      stria_profile_add_unavailable (self, self->model, "target_utilization", "%", reason);
      if (state == STRIA_COMBINE_COVERAGE)
        stria_profile_warn (self, "different-executions",
                            _ ("VGF calls or segments were recorded in different executions, so "
                               "there are no cycles of the whole model."));
      return;
    }
  stria_profile_add_series (self, self->model, "total_cycles", STRIA_UNIT_COUNTERS, all_total,
                            TRUE);
  stria_profile_add_series (self, self->model, "compute_cycles", STRIA_UNIT_COUNTERS, all_op, TRUE);
  if (stria_series_summarise (all_op, STRIA_UNIT_COUNTERS, &sum_op) == STRIA_COMBINE_OK
      && stria_series_summarise (all_total, STRIA_UNIT_COUNTERS, &sum_total) == STRIA_COMBINE_OK
      && sum_total.total > 0)
    stria_profile_add_value (self, self->model, "target_utilization", "%", STRIA_AGGREGATION_MEAN,
                             sum_op.total / sum_total.total * 100, sum_total.count);
}

static void
warn_of_segments (Reader *reader)
{
  StriaProfile *self = reader->profile;

  if (reader->n_compute > 0)
    stria_profile_warn (
        self, "compute-segments",
        _ ("Compute segments do not run on the NX and have no statistics; they were "
           "left out %" PRIu64 " times."),
        reader->n_compute);
  if (reader->n_placeholders > 0)
    stria_profile_warn (self, "stripes-without-relation",
                        _ ("%" PRIu64 " measured stripes are not in the capture’s debug database."),
                        reader->n_placeholders);
}

static guint32
execution_of (StriaProfile *self, const StriaNxPayloadRow *payload)
{
  return payload->event < self->execution_of->len
             ? g_array_index (self->execution_of, guint32, payload->event)
             : STRIA_NO_REF;
}

/* Whether more than one call has segments: by the statistics, or by the companion. */
static gboolean
find_many_calls (StriaProfile *self)
{
  g_autoptr (GHashTable) calls = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < stria_facts_size (self->dump, STRIA_TABLE_NX_PAYLOAD); i++)
    {
      const StriaNxPayloadRow *payload
          = STRIA_ROWS (self->dump, StriaNxPayloadRow, STRIA_TABLE_NX_PAYLOAD) + i;

      if (execution_of (self, payload) != STRIA_NO_REF)
        g_hash_table_add (calls, GINT_TO_POINTER (payload->instruction));
    }
  if (self->companion == STRIA_COMPANION_MATCHES)
    {
      const StriaProgramPlanRow *plan
          = STRIA_ROWS (self->program, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN) + self->plan;

      for (guint32 i = 0; i < plan->n_instructions; i++)
        if (stria_profile_call_vgf (self, (gint32) i) != STRIA_NO_REF)
          g_hash_table_add (calls, GUINT_TO_POINTER (i));
    }
  return g_hash_table_size (calls) > 1;
}

static void
read_payload (Reader *reader, const StriaNxPayloadRow *payload, guint32 execution,
              GHashTable *troubles)
{
  StriaProfile *self = reader->profile;

  for (guint32 s = 0; s < payload->n_segments; s++)
    {
      guint32 number = payload->first_segment + s;
      const StriaNxSegmentRow *row
          = STRIA_ROWS (self->dump, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT) + number;

      if (!row->is_graph)
        reader->n_compute++;
      else if (row->state != STRIA_NX_OK)
        {
          /* A segment that can't be read is one all the same: the others are not the whole model.
           */
          measured_in (reader, reader->of_segment, segment_of (reader, payload, row)->entity);
          stria_profile_count_trouble (self, troubles, row->state, row->code, row->reason);
          if (reader->first_reason == NULL)
            reader->first_reason = stria_facts_text (self->dump, row->reason);
        }
      else
        read_segment (reader, payload, row, number, execution);
    }
}

/**
 * stria_profile_read_nx:
 *
 * [CODE: MLIA-NT performance.py; DOC seed] cycles of chains and cascades, added over the stripes of
 * one execution and then summarised over executions; cycles of the model.
 */
void
stria_profile_read_nx (StriaProfile *self)
{
  Reader reader = { .profile = self, .n = self->executions->len };
  g_autoptr (GHashTable) troubles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  const StriaNxPayloadRow *settings = NULL;
  guint n_payloads = 0;

  if (self->dump == NULL || stria_facts_size (self->dump, STRIA_TABLE_NX_PAYLOAD) == 0)
    return;
  reader.measured = g_hash_table_new_full (NULL, NULL, NULL, measured_free);
  reader.of_segment = g_hash_table_new_full (NULL, NULL, NULL, measured_free);
  reader.by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->many_calls = find_many_calls (self);
  for (gsize i = 0; i < stria_facts_size (self->dump, STRIA_TABLE_NX_PAYLOAD); i++)
    {
      const StriaNxPayloadRow *payload
          = STRIA_ROWS (self->dump, StriaNxPayloadRow, STRIA_TABLE_NX_PAYLOAD) + i;
      guint32 execution = execution_of (self, payload);

      if (execution == STRIA_NO_REF)
        continue;
      if (payload->instruction < 0)
        {
          stria_profile_warn (self, "payload-outside-calls",
                              _ ("A set of NX statistics is of no instruction and was left out."));
          continue;
        }
      gpointer call = GINT_TO_POINTER (payload->instruction);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (seen, call));
      n_payloads++;
      g_hash_table_insert (seen, call, GUINT_TO_POINTER (n + (payload->state == STRIA_NX_OK)));
      if (settings == NULL || settings->state != STRIA_NX_OK)
        settings = payload;
      if (payload->state == STRIA_NX_OK)
        read_payload (&reader, payload, execution, troubles);
      else
        {
          stria_profile_count_trouble (self, troubles, payload->state, payload->code,
                                       payload->reason);
          if (reader.first_reason == NULL)
            reader.first_reason = stria_facts_text (self->dump, payload->reason);
        }
    }
  if (n_payloads > 0)
    {
      stria_profile_state (self, "payloads", "%u", n_payloads);
      stria_profile_state_settings (self, settings);
      stria_profile_warn_of_payloads (self, troubles);
      stria_profile_warn_of_coverage (self, seen);
      warn_of_segments (&reader);
      tell_all (&reader);
      tell_model (&reader, seen);
    }
  g_hash_table_unref (reader.measured);
  g_hash_table_unref (reader.of_segment);
  g_hash_table_unref (reader.by_key);
}
