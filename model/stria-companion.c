/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-companion.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <nettle/sha2.h>
#include <string.h>

#include "stria-error.h"
#include "stria-mapping.h"

#define VGF_BACKEND "VgfBackend"

/* [PROPOSAL, spec 6.3] the exact test that others make is not public. Each check adds what
 * contradicts the program and what confirms it. */
typedef struct
{
  StriaProfile *profile;
  const StriaProgramPlanRow *plan;
  const StriaProgramInstructionRow *instructions;
  gboolean refused;
  gboolean confirmed;
} Checker;

static void
report (Checker *checker, const char *name, guint n_good, guint n_bad, const char *first_bad,
        gboolean confirms)
{
  if (n_bad > 0)
    {
      checker->refused = TRUE;
      stria_profile_check (checker->profile, name, STRIA_CHECK_FAIL,
                           _ ("%u agree, %u do not; the first: %s"), n_good, n_bad, first_bad);
    }
  else if (n_good > 0)
    {
      checker->confirmed = checker->confirmed || confirms;
      stria_profile_check (checker->profile, name, STRIA_CHECK_PASS, _ ("%u agree"), n_good);
    }
  else
    stria_profile_check (checker->profile, name, STRIA_CHECK_UNKNOWN,
                         _ ("there is nothing to compare"));
}

/* What the first case of trouble is; later ones only count. */
static void note_bad (char **first, guint *n_bad, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
note_bad (char **first, guint *n_bad, const char *format, ...)
{
  va_list args;

  *n_bad += 1;
  if (*first != NULL)
    return;
  va_start (args, format);
  *first = g_strdup_vprintf (format, args);
  va_end (args);
}

static const char *
delegate_id (const Checker *checker, const StriaProgramInstructionRow *row)
{
  StriaFacts *facts = checker->profile->program;

  if (row == NULL || row->type != STRIA_INSTRUCTION_DELEGATE || row->delegate == STRIA_NO_REF)
    return NULL;
  return stria_facts_text (
      facts,
      STRIA_ROWS (facts, StriaProgramDelegateRow, STRIA_TABLE_PROGRAM_DELEGATE)[row->delegate].id);
}

static void
check_instructions (Checker *checker)
{
  StriaProfile *self = checker->profile;
  gsize n = self->record != NULL ? stria_facts_size (self->record, STRIA_TABLE_RECORD_HANDLE) : 0;
  g_autofree char *first = NULL;
  guint n_good = 0, n_bad = 0;
  gint64 n_planned = 0;

  for (guint32 i = 0; i < checker->plan->n_instructions; i++)
    n_planned += checker->instructions[i].chain == 0;
  for (gsize i = 0; i < n; i++)
    {
      const StriaRecordHandleRow *row
          = STRIA_ROWS (self->record, StriaRecordHandleRow, STRIA_TABLE_RECORD_HANDLE) + i;

      if (row->method != self->record_method)
        continue;
      if (row->instruction >= 0 && row->instruction < n_planned)
        n_good++;
      else
        note_bad (&first, &n_bad,
                  _ ("instruction %" PRId64 " of the record; the plan has %" PRId64),
                  row->instruction, n_planned);
    }
  report (checker, "instructions-in-plan", n_good, n_bad, first, FALSE);
}

static void
check_delegates (Checker *checker)
{
  StriaProfile *self = checker->profile;
  gsize n = self->record != NULL ? stria_facts_size (self->record, STRIA_TABLE_RECORD_DELEGATE) : 0;
  g_autoptr (GHashTable) recorded = g_hash_table_new (NULL, NULL);
  g_autofree char *first = NULL;
  guint n_good = 0, n_bad = 0;
  gboolean has_map = self->record_method != STRIA_NO_REF
                     && STRIA_ROWS (self->record, StriaRecordMethodRow,
                                    STRIA_TABLE_RECORD_METHOD)[self->record_method]
                            .in_delegate_map;

  for (gsize i = 0; i < n; i++)
    {
      const StriaRecordDelegateRow *row
          = STRIA_ROWS (self->record, StriaRecordDelegateRow, STRIA_TABLE_RECORD_DELEGATE) + i;
      const char *name = stria_facts_text (self->record, row->name);

      if (row->method != self->record_method)
        continue;
      const StriaProgramInstructionRow *planned
          = row->instruction >= 0 && row->instruction <= G_MAXINT32
                ? stria_profile_plan_instruction (self, 0, (gint32) row->instruction)
                : NULL;
      const char *id = delegate_id (checker, planned);
      g_hash_table_add (recorded, GINT_TO_POINTER ((gint) row->instruction));
      if (id != NULL && g_str_equal (id, name))
        n_good++;
      else
        note_bad (&first, &n_bad,
                  _ ("instruction %" PRId64 " is a call of %s in the record and %s in the "
                     "program"),
                  row->instruction, name, id != NULL ? id : _ ("no delegate call"));
    }
  for (guint32 i = 0; has_map && i < checker->plan->n_instructions; i++)
    {
      const StriaProgramInstructionRow *row = &checker->instructions[i];
      const char *id = delegate_id (checker, row);

      if (id != NULL && row->chain == 0
          && !g_hash_table_contains (recorded, GUINT_TO_POINTER (row->number)))
        note_bad (&first, &n_bad,
                  _ ("instruction %u is a call of %s in the program and not in the record"),
                  row->number, id);
    }
  report (checker, "delegates-agree", n_good, n_bad, first, TRUE);
}

static gboolean
is_of_execution (StriaProfile *self, guint32 event)
{
  return event < self->execution_of->len
         && g_array_index (self->execution_of, guint32, event) != STRIA_NO_REF;
}

/* The calls that were recorded, and that each event of the VGF backend is inside one of its calls.
 */
static void
check_events (Checker *checker)
{
  StriaProfile *self = checker->profile;
  gsize n = self->dump != NULL ? stria_facts_size (self->dump, STRIA_TABLE_DUMP_EVENT) : 0;
  g_autofree char *first_call = NULL;
  g_autofree char *first_vgf = NULL;
  guint n_good = 0, n_bad = 0, n_vgf = 0, n_bad_vgf = 0;

  for (gsize i = 0; i < n; i++)
    {
      const StriaDumpEventRow *event
          = STRIA_ROWS (self->dump, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT) + i;
      gboolean is_call
          = event->kind == STRIA_DUMP_DELEGATE_CALL || event->kind == STRIA_DUMP_OPERATOR_CALL;
      gboolean is_vgf
          = event->kind == STRIA_DUMP_DELEGATE
            && g_str_has_prefix (stria_facts_text (self->dump, event->delegate_name), "VGF_");

      if ((!is_call && !is_vgf) || event->chain < 0 || !is_of_execution (self, (guint32) i))
        continue;
      const StriaProgramInstructionRow *row
          = stria_profile_plan_instruction (self, event->chain, event->instruction);
      const char *id = delegate_id (checker, row);
      if (is_vgf && id != NULL && g_str_equal (id, VGF_BACKEND))
        n_vgf++;
      else if (is_vgf)
        note_bad (&first_vgf, &n_bad_vgf, _ ("%s at instruction %d, which is %s in the program"),
                  stria_facts_text (self->dump, event->delegate_name), event->instruction,
                  id != NULL ? id : _ ("no delegate call"));
      else if (row != NULL && (id != NULL) == (event->kind == STRIA_DUMP_DELEGATE_CALL))
        n_good++;
      else
        note_bad (&first_call, &n_bad, _ ("%s at instruction %d, which is %s in the program"),
                  stria_facts_text (self->dump, event->name), event->instruction,
                  row == NULL ? _ ("not there") : stria_facts_text (self->program, row->label));
    }
  report (checker, "calls-in-plan", n_good, n_bad, first_call, FALSE);
  report (checker, "vgf-events-in-plan", n_vgf, n_bad_vgf, first_vgf, TRUE);
}

static const StriaVgfSegmentRow *
find_segment (StriaProfile *self, guint32 vgf, gint64 number)
{
  const StriaVgfRow *row = STRIA_ROWS (self->program, StriaVgfRow, STRIA_TABLE_VGF) + vgf;

  return number >= 0 && number < row->n_segments
             ? STRIA_ROWS (self->program, StriaVgfSegmentRow, STRIA_TABLE_VGF_SEGMENT)
                   + row->first_segment + number
             : NULL;
}

/* The TOSA operator with that result id in a segment, or STRIA_NO_REF. */
static GHashTable *
index_operators (StriaProfile *self)
{
  gsize n = stria_facts_size (self->program, STRIA_TABLE_VGF_OPERATOR);
  GHashTable *index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (gsize i = 0; i < n; i++)
    {
      const StriaVgfOperatorRow *row
          = STRIA_ROWS (self->program, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR) + i;

      g_hash_table_insert (index,
                           g_strdup_printf ("%u/%u/%u", row->vgf, row->segment, row->spirv_id),
                           GSIZE_TO_POINTER (i + 1));
    }
  return index;
}

static void
check_label (StriaProfile *self, GHashTable *operators, guint32 vgf,
             const StriaNxSegmentRow *segment, const char *label, guint *n_good, guint *n_bad,
             char **first)
{
  g_autofree char *name = NULL;
  guint32 id;

  if (!stria_label_spirv_id (label, &id, &name))
    return;
  g_autofree char *key = g_strdup_printf ("%u/%" PRId64 "/%u", vgf, segment->number, id);
  gsize found = GPOINTER_TO_SIZE (g_hash_table_lookup (operators, key));
  if (found == 0)
    {
      note_bad (first, n_bad, _ ("%s, and segment %" PRId64 " has no such TOSA operator"), label,
                segment->number);
      return;
    }
  const StriaVgfOperatorRow *row
      = STRIA_ROWS (self->program, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR) + found - 1;
  const char *operator_name = stria_facts_text (self->program, row->name);
  /* "TOSACONV2D": where the label carries the operator's name it has to agree. */
  if (g_str_has_prefix (name, "TOSA") && operator_name[0] != '\0')
    {
      g_autofree char *plain = g_ascii_strup (name + strlen ("TOSA"), -1);
      const char *expected = plain[0] == '_' ? plain + 1 : plain;

      if (!g_str_equal (expected, operator_name))
        {
          note_bad (first, n_bad, _ ("%s, and the operator is %s"), label, operator_name);
          return;
        }
    }
  *n_good += 1;
}

static void
check_labels_of (StriaProfile *self, GHashTable *operators, GHashTable *done, guint32 vgf,
                 const StriaNxSegmentRow *segment, guint32 number, guint *n_good, guint *n_bad,
                 char **first)
{
  guint32 relations = segment->relations != STRIA_NO_REF ? segment->relations : number;
  g_autofree char *key = g_strdup_printf ("%u/%" PRId64 "/%u", vgf, segment->number, relations);

  /* The debug database is the same in each execution. */
  if (!g_hash_table_add (done, g_steal_pointer (&key)))
    return;
  const GArray *rows = stria_profile_rows_of (self->label_rows, relations);
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    check_label (self, operators, vgf, segment,
                 stria_facts_text (
                     self->dump, STRIA_ROWS (self->dump, StriaNxLabelRow,
                                             STRIA_TABLE_NX_LABEL)[g_array_index (rows, guint32, i)]
                                     .label),
                 n_good, n_bad, first);
}

static void
check_segments (Checker *checker)
{
  StriaProfile *self = checker->profile;
  gsize n = self->dump != NULL ? stria_facts_size (self->dump, STRIA_TABLE_NX_PAYLOAD) : 0;
  g_autoptr (GHashTable) operators = index_operators (self);
  g_autoptr (GHashTable) done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *first = NULL;
  g_autofree char *first_label = NULL;
  guint n_good = 0, n_bad = 0, n_labels = 0, n_bad_labels = 0;

  for (gsize i = 0; i < n; i++)
    {
      const StriaNxPayloadRow *payload
          = STRIA_ROWS (self->dump, StriaNxPayloadRow, STRIA_TABLE_NX_PAYLOAD) + i;

      if (payload->state != STRIA_NX_OK || !is_of_execution (self, payload->event))
        continue;
      guint32 vgf = stria_profile_call_vgf (self, payload->instruction);
      if (vgf == STRIA_NO_REF)
        {
          note_bad (&first, &n_bad, _ ("instruction %d has statistics and no readable VGF"),
                    payload->instruction);
          continue;
        }
      for (guint32 s = 0; s < payload->n_segments; s++)
        {
          const StriaNxSegmentRow *segment
              = STRIA_ROWS (self->dump, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT)
                + payload->first_segment + s;
          const StriaVgfSegmentRow *planned = find_segment (self, vgf, segment->number);

          if (planned == NULL)
            note_bad (&first, &n_bad, _ ("segment %" PRId64 ", which the VGF does not have"),
                      segment->number);
          else if ((planned->type == 1) != (segment->is_graph != 0))
            note_bad (&first, &n_bad,
                      segment->is_graph ? _ ("segment %" PRId64 ", which is no graph in the VGF")
                                        : _ ("segment %" PRId64 ", which is a graph in the VGF"),
                      segment->number);
          else
            {
              n_good++;
              check_labels_of (self, operators, done, vgf, segment, payload->first_segment + s,
                               &n_labels, &n_bad_labels, &first_label);
            }
        }
    }
  report (checker, "segments-in-vgf", n_good, n_bad, first, TRUE);
  report (checker, "labels-in-vgf", n_labels, n_bad_labels, first_label, TRUE);
}

/* Inputs that are the user's. Outputs that write to a buffer are none of the plan, so a different
 * number of outputs shows nothing. */
static void
check_inputs (Checker *checker)
{
  StriaProfile *self = checker->profile;
  guint n_inputs = 0, n_outputs = 0;
  guint n_bad_inputs;

  if (self->source == NULL)
    {
      stria_profile_check (self, "inputs-agree", STRIA_CHECK_UNKNOWN,
                           _ ("there is nothing to compare"));
      return;
    }
  for (guint32 i = 0; i < stria_graph_n_nodes (self->source); i++)
    {
      const StriaGraphNodeRow *node = stria_graph_node (self->source, i);

      n_inputs += node->kind == STRIA_NODE_INPUT ? MAX (node->n_outputs, 1) : 0;
      n_outputs += node->kind == STRIA_NODE_OUTPUT ? MAX (node->n_inputs, 1) : 0;
    }
  n_bad_inputs = n_inputs != checker->plan->n_inputs;
  g_autofree char *inputs = g_strdup_printf (_ ("%u inputs in the record, %u in the program"),
                                             n_inputs, checker->plan->n_inputs);
  report (checker, "inputs-agree", !n_bad_inputs, n_bad_inputs, inputs, FALSE);
  if (n_outputs == checker->plan->n_outputs)
    report (checker, "outputs-agree", 1, 0, NULL, FALSE);
  else
    stria_profile_check (self, "outputs-agree", STRIA_CHECK_UNKNOWN,
                         _ ("%u outputs in the record, %u in the program, which leaves out those "
                            "that write to buffers"),
                         n_outputs, checker->plan->n_outputs);
}

static gboolean
has_vgf_delegate (const Checker *checker)
{
  for (guint32 i = 0; i < checker->plan->n_instructions; i++)
    {
      const char *id = delegate_id (checker, &checker->instructions[i]);

      if (id != NULL && g_str_equal (id, VGF_BACKEND))
        return TRUE;
    }
  return FALSE;
}

/* Whether an execution of the method has NX statistics. */
static gboolean
has_statistics (StriaProfile *self)
{
  gsize n = self->dump != NULL ? stria_facts_size (self->dump, STRIA_TABLE_NX_PAYLOAD) : 0;

  for (gsize i = 0; i < n; i++)
    if (is_of_execution (
            self, STRIA_ROWS (self->dump, StriaNxPayloadRow, STRIA_TABLE_NX_PAYLOAD)[i].event))
      return TRUE;
  return FALSE;
}

StriaCompanion
stria_companion_check (StriaProfile *self)
{
  Checker checker = { .profile = self };
  gboolean has_payload = has_statistics (self);

  if (self->program == NULL)
    return STRIA_COMPANION_NONE;
  if (self->plan == STRIA_NO_REF)
    {
      stria_profile_check (self, "method-exists", STRIA_CHECK_FAIL,
                           _ ("the program has no method “%s”"),
                           self->method != NULL ? self->method : "");
      return STRIA_COMPANION_REFUSED;
    }
  checker.plan
      = STRIA_ROWS (self->program, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN) + self->plan;
  checker.instructions = checker.plan->n_instructions > 0
                             ? STRIA_ROWS (self->program, StriaProgramInstructionRow,
                                           STRIA_TABLE_PROGRAM_INSTRUCTION)
                                   + checker.plan->first_instruction
                             : NULL;
  if (!has_vgf_delegate (&checker) && !has_payload)
    return STRIA_COMPANION_NONE;

  stria_profile_check (self, "method-exists", STRIA_CHECK_PASS, _ ("the program has “%s”"),
                       self->method);
  check_instructions (&checker);
  check_delegates (&checker);
  check_events (&checker);
  check_segments (&checker);
  check_inputs (&checker);
  if (checker.refused)
    {
      stria_profile_warn (self, "companion-refused",
                          _ ("The program contradicts the capture, so nothing is linked to it."));
      return STRIA_COMPANION_REFUSED;
    }
  return checker.confirmed && has_payload ? STRIA_COMPANION_MATCHES
                                          : STRIA_COMPANION_NOT_VERIFIABLE;
}

/* SHA-256 of the bytes of @path, in hexadecimal. */
static char *
digest_file (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  struct sha256_ctx sum;
  guint8 digest[SHA256_DIGEST_SIZE];
  const gsize chunk = 1 << 20;

  if (stream == NULL)
    return NULL;
  g_autofree guint8 *bytes = g_malloc (chunk);
  sha256_init (&sum);
  for (;;)
    {
      gssize n = g_input_stream_read (G_INPUT_STREAM (stream), bytes, chunk, NULL, error);

      if (n < 0)
        return NULL;
      if (n == 0)
        break;
      sha256_update (&sum, (gsize) n, bytes);
    }
  sha256_digest (&sum, sizeof digest, digest);
  g_autoptr (GString) text = g_string_new (NULL);
  for (gsize i = 0; i < sizeof digest; i++)
    g_string_append_printf (text, "%02x", digest[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What is in an archive can't be read here: the archive has to be as it was scanned. */
static gboolean
is_archive_unchanged (StriaProfile *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->program_path);
  g_autoptr (GFileInfo) info
      = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_TIME_MODIFIED,
                           G_FILE_QUERY_INFO_NONE, NULL, NULL);

  return info != NULL;
}

gboolean
stria_profile_verify_companion (StriaProfile *self, GError **error)
{
  g_autofree char *digest = NULL;
  const char *expected;

  if (self->program == NULL)
    return TRUE;
  expected = stria_facts_text (
      self->program, STRIA_ROWS (self->program, StriaProgramRow, STRIA_TABLE_PROGRAM)->sha256);
  if (self->program_packed)
    {
      if (is_archive_unchanged (self))
        return TRUE;
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MISMATCH,
                   _ ("“%s” is gone since it was analysed; open the capture again to analyse it"),
                   self->program_path);
      return FALSE;
    }
  digest = digest_file (self->program_path, error);
  if (digest == NULL)
    return FALSE;
  if (g_str_equal (digest, expected))
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_MISMATCH,
               _ ("“%s” has changed since it was analysed (SHA-256 %s, expected %s); open the "
                  "capture again to analyse it"),
               self->program_path, digest, expected);
  return FALSE;
}
