/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <string.h>

/* A file says how many rows there are of anything, so what is looked for again and again is not
 * searched for row by row. */

static void
array_unref (gpointer data)
{
  g_array_unref (data);
}

/* Rows of a table by the reference that is their first member: guint32 -> GArray of guint32 */
static GHashTable *
rows_by_first (StriaFacts *facts, guint table)
{
  GHashTable *index = g_hash_table_new_full (NULL, NULL, NULL, array_unref);
  gsize n = facts != NULL ? stria_facts_size (facts, table) : 0;
  const guint8 *rows = n > 0 ? stria_facts_rows (facts, table) : NULL;

  for (gsize i = 0; i < n; i++)
    {
      guint32 row = (guint32) i;
      guint32 key;

      memcpy (&key, rows + i * stria_fact_tables[table].row_size, sizeof key);
      GArray *of = g_hash_table_lookup (index, GUINT_TO_POINTER (key));
      if (of == NULL)
        {
          of = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (index, GUINT_TO_POINTER (key), of);
        }
      g_array_append_val (of, row);
    }
  return index;
}

static GHashTable *
new_numbers (GDestroyNotify value_destroy)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, value_destroy);
}

static gint64 *
copy_number (gint64 number)
{
  return g_memdup2 (&number, sizeof number);
}

static void
index_plan (StriaProfile *self)
{
  if (self->plan == STRIA_NO_REF)
    return;
  const StriaProgramPlanRow *plan
      = STRIA_ROWS (self->program, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN) + self->plan;
  const StriaProgramInstructionRow *rows
      = STRIA_ROWS (self->program, StriaProgramInstructionRow, STRIA_TABLE_PROGRAM_INSTRUCTION);

  for (guint32 i = plan->first_instruction; i < plan->first_instruction + plan->n_instructions; i++)
    g_hash_table_insert (self->planned, copy_number ((gint64) rows[i].chain << 32 | rows[i].number),
                         GSIZE_TO_POINTER ((gsize) i + 1));
}

static void
index_record (StriaProfile *self)
{
  if (self->record_method == STRIA_NO_REF)
    return;
  const StriaRecordDelegateRow *delegates
      = STRIA_ROWS (self->record, StriaRecordDelegateRow, STRIA_TABLE_RECORD_DELEGATE);
  const StriaRecordHandleRow *handles
      = STRIA_ROWS (self->record, StriaRecordHandleRow, STRIA_TABLE_RECORD_HANDLE);

  for (gsize i = 0; i < stria_facts_size (self->record, STRIA_TABLE_RECORD_DELEGATE); i++)
    if (delegates[i].method == self->record_method
        && !g_hash_table_contains (self->delegated, &delegates[i].instruction))
      g_hash_table_insert (self->delegated, copy_number (delegates[i].instruction),
                           GSIZE_TO_POINTER (i + 1));
  for (gsize i = 0; i < stria_facts_size (self->record, STRIA_TABLE_RECORD_HANDLE); i++)
    {
      if (handles[i].method != self->record_method)
        continue;
      GArray *of = g_hash_table_lookup (self->handles, &handles[i].instruction);
      if (of == NULL)
        {
          of = g_array_new (FALSE, FALSE, sizeof (gint64));
          g_hash_table_insert (self->handles, copy_number (handles[i].instruction), of);
        }
      g_array_append_val (of, handles[i].handle);
    }
}

void
stria_profile_make_index (StriaProfile *self)
{
  self->planned = new_numbers (NULL);
  self->delegated = new_numbers (NULL);
  self->handles = new_numbers (array_unref);
  self->delegate_handles = rows_by_first (self->record, STRIA_TABLE_RECORD_DELEGATE_HANDLE);
  self->fused_rows = rows_by_first (self->dump, STRIA_TABLE_NX_FUSED);
  self->tosa_rows = rows_by_first (self->dump, STRIA_TABLE_NX_TOSA);
  self->label_rows = rows_by_first (self->dump, STRIA_TABLE_NX_LABEL);
  index_plan (self);
  index_record (self);
}

void
stria_profile_drop_index (StriaProfile *self)
{
  GHashTable **indexes[]
      = { &self->planned,    &self->delegated, &self->handles,   &self->delegate_handles,
          &self->fused_rows, &self->tosa_rows, &self->label_rows };

  for (guint i = 0; i < G_N_ELEMENTS (indexes); i++)
    g_clear_pointer (indexes[i], g_hash_table_unref);
}

const StriaProgramInstructionRow *
stria_profile_plan_instruction (StriaProfile *self, gint32 chain, gint32 instruction)
{
  gint64 key = (gint64) chain << 32 | (guint32) instruction;

  if (chain < 0 || instruction < 0)
    return NULL;
  gsize row = GPOINTER_TO_SIZE (g_hash_table_lookup (self->planned, &key));
  return row == 0 ? NULL
                  : STRIA_ROWS (self->program, StriaProgramInstructionRow,
                                STRIA_TABLE_PROGRAM_INSTRUCTION)
                        + row - 1;
}

const char *
stria_profile_recorded_delegate (StriaProfile *self, gint32 instruction)
{
  gint64 key = instruction;
  gsize row = GPOINTER_TO_SIZE (g_hash_table_lookup (self->delegated, &key));

  return row == 0
             ? NULL
             : stria_facts_text (self->record, STRIA_ROWS (self->record, StriaRecordDelegateRow,
                                                           STRIA_TABLE_RECORD_DELEGATE)[row - 1]
                                                   .name);
}

const GArray *
stria_profile_rows_of (GHashTable *index, gsize key)
{
  return g_hash_table_lookup (index, GSIZE_TO_POINTER (key));
}
