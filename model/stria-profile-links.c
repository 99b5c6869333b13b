/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-mapping.h"

/* What one debug database relates, by string ids of the dump. */
typedef struct
{
  GPtrArray *chains;    /* string ids, in the database's order */
  GHashTable *fused_of; /* chain -> GArray of fused */
  GHashTable *tosa_of;  /* fused -> GArray of rows of nx_tosa */
  GHashTable *label_of; /* tosa -> GArray of labels */
} Relations;

typedef struct
{
  StriaProfile *profile;
  GHashTable *operators; /* "vgf/segment/label", and the SPIR-V id in place of the label, ->
                            GArray of rows of vgf_operator */
  GHashTable *labels;    /* row of vgf_operator -> GArray of labels */
  guint n_unmatched;     /* labels */
  /* Of the call at hand: */
  const StriaProfileSegment *segment;
  guint32 vgf;     /* of its companion, or STRIA_NO_REF */
  gint32 index_of; /* instruction that `index` is of, or -1 */
  StriaLabelIndex *index;
} Linker;

static void
array_unref (gpointer data)
{
  g_array_unref (data);
}

static void
add_number (GHashTable *table, gpointer key, guint32 number)
{
  GArray *numbers = g_hash_table_lookup (table, key);

  if (numbers == NULL)
    {
      numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (table, key, numbers);
    }
  g_array_append_val (numbers, number);
}

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, array_unref);
}

static void
relations_init (Relations *self, StriaProfile *profile, guint32 segment)
{
  StriaFacts *dump = profile->dump;
  const GArray *rows;

  self->chains = g_ptr_array_new ();
  self->fused_of = new_table ();
  self->tosa_of = new_table ();
  self->label_of = new_table ();
  rows = stria_profile_rows_of (profile->fused_rows, segment);
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      const StriaNxFusedRow *row = STRIA_ROWS (dump, StriaNxFusedRow, STRIA_TABLE_NX_FUSED)
                                   + g_array_index (rows, guint32, i);
      gpointer chain = GUINT_TO_POINTER (row->chain);

      if (!g_hash_table_contains (self->fused_of, chain))
        g_ptr_array_add (self->chains, chain);
      add_number (self->fused_of, chain, row->fused);
    }
  rows = stria_profile_rows_of (profile->tosa_rows, segment);
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      guint32 number = g_array_index (rows, guint32, i);

      add_number (
          self->tosa_of,
          GUINT_TO_POINTER (STRIA_ROWS (dump, StriaNxTosaRow, STRIA_TABLE_NX_TOSA)[number].fused),
          number);
    }
  rows = stria_profile_rows_of (profile->label_rows, segment);
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      const StriaNxLabelRow *row = STRIA_ROWS (dump, StriaNxLabelRow, STRIA_TABLE_NX_LABEL)
                                   + g_array_index (rows, guint32, i);

      add_number (self->label_of, GUINT_TO_POINTER (row->tosa), row->label);
    }
}

static void
relations_clear (Relations *self)
{
  g_ptr_array_unref (self->chains);
  g_hash_table_unref (self->fused_of);
  g_hash_table_unref (self->tosa_of);
  g_hash_table_unref (self->label_of);
}

static guint32
compiler_entity (Linker *linker, gint32 instruction, const StriaVgfOperatorRow *row)
{
  /* [DOC: MLIA output schema 1.2.0] */
  g_autofree char *id
      = stria_profile_nx_id (linker->profile, instruction, "source_operator/segment_%u/spirv-%u",
                             row->segment, row->spirv_id);

  return stria_profile_find_entity (linker->profile, id);
}

/* The operators of a call's VGF are there whether or not something names them. */
static void
add_compiler_operators (Linker *linker, gint32 instruction, guint32 vgf)
{
  StriaProfile *self = linker->profile;
  const StriaVgfOperatorRow *rows
      = STRIA_ROWS (self->program, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR);
  guint32 graph = STRIA_ROWS (self->program, StriaVgfRow, STRIA_TABLE_VGF)[vgf].graph;

  for (gsize i = 0; i < stria_facts_size (self->program, STRIA_TABLE_VGF_OPERATOR); i++)
    {
      if (rows[i].vgf != vgf)
        continue;
      g_autofree char *id
          = stria_profile_nx_id (self, instruction, "source_operator/segment_%u/spirv-%u",
                                 rows[i].segment, rows[i].spirv_id);
      g_autofree char *segment
          = stria_profile_nx_id (self, instruction, "segment/%u", rows[i].segment);
      guint32 entity = stria_profile_add_entity (self, STRIA_ENTITY_COMPILER_OPERATOR, id,
                                                 stria_facts_text (self->program, rows[i].name));
      guint32 parent = stria_profile_find_entity (self, segment);
      StriaEntity *added = stria_profile_get_entity (self, entity);

      added->key = rows[i].spirv_id;
      added->executions_of = self->executions->len;
      added->unmatched = TRUE;
      if (parent != STRIA_NO_REF)
        stria_profile_nest (self, parent, entity);
      if (graph != STRIA_NO_REF && rows[i].node != STRIA_NO_REF)
        stria_profile_place (
            self, entity, self->program, graph,
            rows[i].node
                - STRIA_ROWS (self->program, StriaGraphRow, STRIA_TABLE_GRAPH)[graph].first_node);
    }
}

/* Takes @key. */
static void
name_operator (Linker *linker, char *key, guint32 row)
{
  GArray *named = g_hash_table_lookup (linker->operators, key);

  if (named == NULL)
    {
      named = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (linker->operators, key, named);
    }
  else
    g_free (key);
  g_array_append_val (named, row);
}

static void
index_companion (Linker *linker)
{
  StriaProfile *self = linker->profile;
  const StriaProgramPlanRow *plan
      = STRIA_ROWS (self->program, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN) + self->plan;
  const StriaVgfOperatorRow *operators
      = STRIA_ROWS (self->program, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR);
  const StriaVgfLabelRow *labels
      = STRIA_ROWS (self->program, StriaVgfLabelRow, STRIA_TABLE_VGF_LABEL);

  for (guint32 i = 0; i < plan->n_instructions; i++)
    {
      guint32 vgf = stria_profile_call_vgf (self, (gint32) i);

      if (vgf != STRIA_NO_REF)
        add_compiler_operators (linker, (gint32) i, vgf);
    }
  for (gsize i = 0; i < stria_facts_size (self->program, STRIA_TABLE_VGF_OPERATOR); i++)
    name_operator (linker,
                   g_strdup_printf ("%u/%u/\x1f%u", operators[i].vgf, operators[i].segment,
                                    operators[i].spirv_id),
                   (guint32) i);
  for (gsize i = 0; i < stria_facts_size (self->program, STRIA_TABLE_VGF_LABEL); i++)
    {
      const StriaVgfOperatorRow *of
          = labels[i].operator_row != STRIA_NO_REF ? &operators[labels[i].operator_row] : NULL;

      if (of == NULL)
        continue;
      name_operator (linker,
                     g_strdup_printf ("%u/%u/%s", of->vgf, of->segment,
                                      stria_facts_text (self->program, labels[i].label)),
                     labels[i].operator_row);
      add_number (linker->labels, GUINT_TO_POINTER (labels[i].operator_row), labels[i].label);
    }
}

/* Source operators that a label means, among those of the delegate call. */
static GArray *
find_sources (Linker *linker, const char *label, StriaEvidence *evidence, char **note)
{
  StriaProfile *self = linker->profile;

  if (self->source == NULL || !stria_label_is_json (label))
    return NULL;
  if (linker->index_of != linker->segment->instruction)
    {
      g_autoptr (GArray) nodes = stria_profile_operators_of (self, linker->segment->instruction);

      g_clear_pointer (&linker->index, stria_label_index_free);
      linker->index = stria_label_index_new (self->source, (const guint32 *) (void *) nodes->data,
                                             nodes->len);
      linker->index_of = linker->segment->instruction;
    }
  return stria_label_index_find (linker->index, label, evidence, note);
}

static gboolean
link_to_sources (Linker *linker, guint32 chain, guint32 operator, const char * label)
{
  StriaProfile *self = linker->profile;
  StriaEvidence evidence;
  g_autofree char *note = NULL;
  g_autoptr (GArray) nodes = find_sources (linker, label, &evidence, &note);

  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    {
      guint32 source = self->source_entity[g_array_index (nodes, guint32, i)];

      if (source == STRIA_NO_REF)
        continue;
      stria_profile_add_link (self, operator, source, "operator-source", evidence, note);
      stria_profile_add_link (self, chain, source, "chain-source", evidence, note);
      stria_profile_get_entity (self, source)->unmatched = FALSE;
    }
  return nodes != NULL;
}

static void
link_to_operator (Linker *linker, guint32 chain, guint32 trace, guint32 row, StriaEvidence evidence,
                  const char *note)
{
  StriaProfile *self = linker->profile;
  const StriaVgfOperatorRow *operator= STRIA_ROWS (self->program, StriaVgfOperatorRow,
                                                   STRIA_TABLE_VGF_OPERATOR)
      + row;
  guint32 entity = compiler_entity (linker, linker->segment->instruction, operator);
  const GArray *labels = g_hash_table_lookup (linker->labels, GUINT_TO_POINTER (row));

  if (entity == STRIA_NO_REF)
    return;
  stria_profile_get_entity (self, entity)->unmatched = FALSE;
  stria_profile_get_entity (self, entity)->placement = "NX";
  stria_profile_nest (self, chain, entity);
  stria_profile_add_link (self, trace, entity, "trace-compiler", evidence, note);
  stria_profile_add_link (self, chain, entity, "chain-compiler", evidence, note);
  for (guint i = 0; labels != NULL && i < labels->len; i++)
    link_to_sources (linker, chain, entity,
                     stria_facts_text (self->program, g_array_index (labels, guint32, i)));
}

/* [CODE: MLIA-NT provenance.py] first the result id at the label's end, then a debug name. */
static gboolean
link_to_companion (Linker *linker, guint32 chain, guint32 trace, const char *label)
{
  guint32 id;

  if (stria_label_spirv_id (label, &id, NULL))
    {
      g_autofree char *place
          = g_strdup_printf ("%u/%" PRId64 "/\x1f%u", linker->vgf, linker->segment->number, id);
      const GArray *found = g_hash_table_lookup (linker->operators, place);

      if (found != NULL)
        link_to_operator (linker, chain, trace, g_array_index (found, guint32, 0),
                          STRIA_EVIDENCE_EXACT, _ ("The label ends with the operator’s SPIR-V id"));
      return found != NULL;
    }
  g_autofree char *key
      = g_strdup_printf ("%u/%" PRId64 "/%s", linker->vgf, linker->segment->number, label);
  const GArray *named = g_hash_table_lookup (linker->operators, key);
  for (guint i = 0; named != NULL && i < named->len; i++)
    link_to_operator (linker, chain, trace, g_array_index (named, guint32, i),
                      named->len > 1 ? STRIA_EVIDENCE_AMBIGUOUS : STRIA_EVIDENCE_EXACT,
                      _ ("The VGF gives the operator this debug name"));
  return named != NULL;
}

static void
link_label (Linker *linker, guint32 chain, guint32 trace, const char *label)
{
  gboolean has_companion = linker->vgf != STRIA_NO_REF;
  gboolean could
      = has_companion || (linker->profile->source != NULL && stria_label_is_json (label));
  gboolean found = has_companion && link_to_companion (linker, chain, trace, label);

  found = link_to_sources (linker, chain, trace, label) || found;
  linker->n_unmatched += could && !found;
}

static guint32
add_trace_operator (Linker *linker, guint32 chain, guint32 fused, const StriaNxTosaRow *row)
{
  StriaProfile *self = linker->profile;
  const char *number = stria_facts_text (self->dump, row->tosa);
  g_autofree char *id = stria_profile_nx_id (self, linker->segment->instruction,
                                             "trace_operator/segment_%" PRId64 "/%s",
                                             linker->segment->number, number);
  guint32 entity = stria_profile_add_entity (self, STRIA_ENTITY_TRACE_OPERATOR, id,
                                             stria_facts_text (self->dump, row->type));
  StriaEntity *added = stria_profile_get_entity (self, entity);
  guint64 key;

  added->placement = "NX";
  added->executions_of = self->executions->len;
  if (g_ascii_string_to_unsigned (number, 10, 0, G_MAXINT64, &key, NULL))
    added->key = (gint64) key;
  stria_profile_attribute (self, entity, "number", number);
  stria_profile_attribute (self, entity, "fused", stria_facts_text (self->dump, fused));
  stria_profile_nest (self, chain, entity);
  stria_profile_add_link (self, chain, entity, "chain-trace", STRIA_EVIDENCE_EXACT,
                          _ ("The capture’s debug database says so"));
  return entity;
}

static void
read_chain (Linker *linker, const Relations *relations, guint32 chain_string)
{
  StriaProfile *self = linker->profile;
  guint32 chain = stria_profile_segment_part (self, linker->segment, STRIA_ENTITY_CHAIN,
                                              stria_facts_text (self->dump, chain_string));
  const GArray *fused = g_hash_table_lookup (relations->fused_of, GUINT_TO_POINTER (chain_string));

  if (stria_profile_get_entity (self, chain)->parents->len == 0)
    {
      stria_profile_get_entity (self, chain)->unmatched = TRUE;
      stria_profile_nest (self, linker->segment->entity, chain);
    }
  for (guint f = 0; f < fused->len; f++)
    {
      guint32 fused_string = g_array_index (fused, guint32, f);
      const GArray *tosa
          = g_hash_table_lookup (relations->tosa_of, GUINT_TO_POINTER (fused_string));

      for (guint t = 0; tosa != NULL && t < tosa->len; t++)
        {
          const StriaNxTosaRow *row = STRIA_ROWS (self->dump, StriaNxTosaRow, STRIA_TABLE_NX_TOSA)
                                      + g_array_index (tosa, guint32, t);
          const GArray *labels
              = g_hash_table_lookup (relations->label_of, GUINT_TO_POINTER (row->tosa));
          guint32 operator= add_trace_operator (linker, chain, fused_string, row);
          g_autoptr (GString) shown = g_string_new (NULL);

          for (guint l = 0; labels != NULL && l < labels->len; l++)
            {
              const char *label = stria_facts_text (self->dump, g_array_index (labels, guint32, l));
              g_autofree char *display = stria_label_display (label);

              g_string_append_printf (shown, shown->len > 0 ? "; %s" : "%s", display);
              link_label (linker, chain, operator, label);
            }
          if (shown->len > 0)
            stria_profile_attribute (self, operator, "labels", shown->str);
        }
    }
}

static void
link_segment (Linker *linker)
{
  StriaProfile *self = linker->profile;

  linker->vgf = self->companion == STRIA_COMPANION_MATCHES
                    ? stria_profile_call_vgf (self, linker->segment->instruction)
                    : STRIA_NO_REF;
  for (guint i = 0; i < linker->segment->relations->len; i++)
    {
      Relations relations;

      relations_init (&relations, self, GPOINTER_TO_UINT (linker->segment->relations->pdata[i]));
      for (guint c = 0; c < relations.chains->len; c++)
        read_chain (linker, &relations, GPOINTER_TO_UINT (relations.chains->pdata[c]));
      relations_clear (&relations);
    }
}

/**
 * stria_profile_link_chains:
 *
 * From each chain, by what the capture's debug database says: to its TOSA operations, by their
 * labels to TOSA operators of the companion, and to operators of the record. What no label names
 * stays, marked as unmatched.
 */
void
stria_profile_link_chains (StriaProfile *self)
{
  Linker linker = { .profile = self, .vgf = STRIA_NO_REF, .index_of = -1 };

  linker.operators = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, array_unref);
  linker.labels = new_table ();
  if (self->companion == STRIA_COMPANION_MATCHES)
    index_companion (&linker);
  for (guint i = 0; i < self->segments->len; i++)
    {
      linker.segment = self->segments->pdata[i];
      link_segment (&linker);
    }
  if (linker.n_unmatched > 0)
    stria_profile_warn (self, "unmatched-labels",
                        g_dngettext (GETTEXT_PACKAGE,
                                     "%u label of the debug database names nothing that is known.",
                                     "%u labels of the debug database name nothing that is known.",
                                     linker.n_unmatched),
                        linker.n_unmatched);
  g_hash_table_unref (linker.operators);
  g_hash_table_unref (linker.labels);
  g_clear_pointer (&linker.index, stria_label_index_free);
}
