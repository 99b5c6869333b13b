/* SPDX-License-Identifier: Apache-2.0 */
/* The delegates of a plan and what their blobs hold. */
#include "config.h"

#include "stria-pte-private.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-vgf.h"

#define CONTENT_VGF "VGF"

#define SPEC_BYTES_MOST 64    /* of a value that is no text */
#define SPEC_TEXT_MOST 65536  /* of one that is */

enum
{
  DELEGATE_ID = 0,
  DELEGATE_PROCESSED = 1,
  DELEGATE_COMPILE_SPECS = 2,

  LOCATION_INLINE = 0,
  LOCATION_SEGMENT = 1,
};

/* What was read of a blob. */
typedef struct
{
  guint32 vgf;
  guint32 error;
} Blob;

static StriaProgramDelegateRow *
delegate_row (StriaPte *self, guint32 row)
{
  return STRIA_ROWS (self->facts, StriaProgramDelegateRow, STRIA_TABLE_PROGRAM_DELEGATE) + row;
}

/* -- compile specs ---------------------------------------------------------------------------- */

static guint32
spec_value (StriaPte *self, const guint8 *bytes, gsize length)
{
  g_autoptr (GString) text = NULL;
  gboolean is_text = length <= SPEC_TEXT_MOST && g_utf8_validate ((const char *) bytes,
                                                                  (gssize) length, NULL);

  for (gsize i = 0; is_text && i < length; i++)
    is_text = bytes[i] >= ' ' || bytes[i] == '\n' || bytes[i] == '\t' || bytes[i] == '\r';
  if (is_text)
    return stria_facts_intern (self->facts, (const char *) bytes, (gssize) length);
  text = g_string_new ("0x");
  for (gsize i = 0; i < MIN (length, SPEC_BYTES_MOST); i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  if (length > SPEC_BYTES_MOST)
    g_string_append (text, "…");
  return stria_facts_intern (self->facts, text->str, (gssize) text->len);
}

static void
read_specs (StriaPte *self, StriaFlatTable delegate, guint32 row)
{
  StriaFlatVector specs = stria_flat_vector (delegate, DELEGATE_COMPILE_SPECS, 4);

  stria_pte_settle (self, "program-spec", stria_flat_offset (delegate));
  for (guint32 i = 0; i < specs.n && !stria_flat_failed (&self->flat); i++)
    {
      StriaFlatTable table = stria_flat_at_table (specs, i);
      StriaFlatVector value = stria_flat_vector (table, 1, 1);
      StriaProgramSpecRow spec = {
        .delegate = row,
        .key = stria_pte_intern (self, table, 0),
        .size = value.n,
      };

      if (stria_pte_settle (self, "program-spec", stria_flat_offset (table)))
        continue;
      if (value.n > 0)
        spec.value = spec_value (self, stria_flat_bytes (value), value.n);
      stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_SPEC, &spec);
    }
}

/* -- blobs ------------------------------------------------------------------------------------ */

static void
find_inline (StriaPte *self, StriaProgramDelegateRow *row)
{
  StriaFlatVector all = stria_flat_vector (self->root, PROGRAM_BACKEND_DELEGATE_DATA, 4);

  if (row->index >= all.n)
    {
      stria_pte_warn (self, "program-blob", 0,
                      _ ("Delegate %u has its data in inline blob %u, and there are %u"),
                      row->number, row->index, all.n);
      return;
    }
  StriaFlatVector data = stria_flat_vector (stria_flat_at_table (all, row->index), 0, 1);
  const guint8 *bytes = stria_flat_bytes (data);
  if (bytes == NULL)
    return;
  row->offset = (guint64) (bytes - self->data);
  row->size = data.n;
}

static void
find_segment (StriaPte *self, StriaProgramDelegateRow *row)
{
  guint64 offset, size;

  if (row->index >= self->n_segments)
    stria_pte_warn (self, "program-blob", 0,
                    _ ("Delegate %u has its data in segment %u, and there are %u"), row->number,
                    row->index, self->n_segments);
  else if (stria_pte_segment (self, row->index, &offset, &size))
    {
      row->offset = offset;
      row->size = size;
    }
}

static gboolean
begins (const guint8 *data, gsize length, gsize at, const char *magic)
{
  return length >= at + 4 && memcmp (data + at, magic, 4) == 0;
}

/* VGF and its old magic, a Vela stream, and the header of an XNNPACK blob; others are not known.
 * [CODE: VGFLIB src/header.hpp, ET backends/arm, ET backends/xnnpack/runtime/XNNHeader.h] */
static const char *
content_of (const guint8 *data, gsize length)
{
  if (begins (data, length, 0, "VGF1") || begins (data, length, 0, "\xc3\xd2\xe1\xf0"))
    return CONTENT_VGF;
  if (begins (data, length, 0, "vela"))
    return "Vela";
  if (begins (data, length, 4, "XH00"))
    return "XNNPACK";
  return NULL;
}

static void
find_blob (StriaPte *self, StriaFlatTable delegate, StriaProgramDelegateRow *row)
{
  StriaFlatTable processed = stria_flat_table (delegate, DELEGATE_PROCESSED);
  int location = stria_flat_i8 (processed, 0, LOCATION_INLINE);

  row->location = (guint8) location;
  row->index = stria_flat_u32 (processed, 1, 0);
  if (!stria_flat_is (processed))
    return;
  if (location == LOCATION_INLINE)
    find_inline (self, row);
  else if (location == LOCATION_SEGMENT)
    find_segment (self, row);
  else
    stria_pte_warn (self, "program-blob", stria_flat_offset (processed),
                    _ ("Delegate %u has its data at a place of kind %d; inline (0) and segment (1) "
                       "are known"),
                    row->number, location);
  if (row->size > 0)
    row->content = stria_facts_intern (
        self->facts, content_of (self->data + row->offset, (gsize) row->size), -1);
}

static Blob
read_vgf (StriaPte *self, guint32 row, const char *graph_name, GError **error)
{
  const StriaProgramDelegateRow *delegate = delegate_row (self, row);
  const char *method = stria_facts_text (
      self->facts, stria_pte_plan_row (self, delegate->plan)->name);
  Blob blob = { .vgf = STRIA_NO_REF };
  g_autoptr (GError) why = NULL;

  if (delegate->size > self->blob_budget)
    {
      blob.error = stria_facts_intern (
          self->facts, _ ("not read: the program's blobs lie over each other many times"), -1);
      return blob;
    }
  self->blob_budget -= delegate->size;
  if (stria_vgf_read (self->facts, graph_name, method, row, self->data + delegate->offset,
                      (gsize) delegate->size, delegate->offset, self->context, &blob.vgf, &why))
    return blob;
  blob.vgf = STRIA_NO_REF;
  if (why->domain == G_IO_ERROR)
    g_propagate_error (error, g_steal_pointer (&why));
  else
    blob.error = stria_facts_intern (self->facts, why->message, -1);
  return blob;
}

/* Identical blobs share a segment [CODE: ET exir/_serialize/_program.py], and one reading. */
static gboolean
read_blob (StriaPte *self, guint32 row, const char *graph_name, GError **error)
{
  const StriaProgramDelegateRow *delegate = delegate_row (self, row);
  g_autofree char *key = g_strdup_printf ("%" PRIu64 ":%" PRIu64, delegate->offset,
                                          delegate->size);
  const Blob *known = g_hash_table_lookup (self->blobs, key);
  Blob blob;

  if (known != NULL)
    blob = *known;
  else
    {
      GError *why = NULL;

      blob = read_vgf (self, row, graph_name, &why);
      if (why != NULL)
        {
          g_propagate_error (error, why);
          return FALSE;
        }
      if (blob.error != 0)
        stria_pte_warn (self, "program-blob", delegate_row (self, row)->offset, "%s",
                        stria_facts_text (self->facts, blob.error));
      g_hash_table_insert (self->blobs, g_steal_pointer (&key), g_memdup2 (&blob, sizeof blob));
    }
  delegate_row (self, row)->vgf = blob.vgf;
  delegate_row (self, row)->error = blob.error;
  return TRUE;
}

/* -- calls ------------------------------------------------------------------------------------ */

#define NO_CALL G_MAXUINT64

/* First call of each delegate: chain << 32 | instruction */
static guint64 *
find_calls (StriaPte *self, StriaFlatTable plan, guint32 n)
{
  StriaFlatVector chains = stria_flat_vector (plan, PLAN_CHAINS, 4);
  guint64 *calls = g_new (guint64, n);

  memset (calls, 0xff, n * sizeof calls[0]);
  for (guint32 c = 0; c < chains.n && !stria_flat_failed (&self->flat); c++)
    {
      StriaFlatVector list
          = stria_flat_vector (stria_flat_at_table (chains, c), CHAIN_INSTRUCTIONS, 4);

      for (guint32 i = 0; i < list.n && !stria_flat_failed (&self->flat); i++)
        {
          StriaFlatTable instruction = stria_flat_at_table (list, i);

          if (stria_flat_u8 (instruction, INSTRUCTION_ARGS_TYPE, 0) == STRIA_INSTRUCTION_DELEGATE)
            {
              gint32 number
                  = stria_flat_i32 (stria_flat_table (instruction, INSTRUCTION_ARGS), 0, 0);

              if (number >= 0 && (guint32) number < n && calls[number] == NO_CALL)
                calls[number] = (guint64) c << 32 | i;
            }
          /* The pass that makes the plan's graph tells what is wrong here. */
          stria_flat_forgive (&self->flat, NULL);
        }
      stria_flat_forgive (&self->flat, NULL);
    }
  return calls;
}

static char *
graph_name (const char *plan, guint32 delegate, guint64 call)
{
  if (call == NO_CALL)
    return g_strdup_printf ("%s_delegate_%u", plan, delegate);
  return g_strdup_printf ("%s_%u_%u", plan, (guint32) (call >> 32), (guint32) call);
}

/**
 * stria_pte_delegates:
 * @self: a program
 * @plan: one of its plans
 * @plan_row: its row
 * @error: only of a cancellation
 *
 * Adds the plan's delegates, their compile specs, and what their blobs hold. The graph of a VGF is
 * named after the first call of its delegate.
 *
 * Returns: FALSE if it was cancelled
 */
gboolean
stria_pte_delegates (StriaPte *self, StriaFlatTable plan, guint32 plan_row, GError **error)
{
  StriaFlatVector delegates = stria_flat_vector (plan, PLAN_DELEGATES, 4);
  guint32 first = (guint32) stria_facts_size (self->facts, STRIA_TABLE_PROGRAM_DELEGATE);
  guint32 vgf = stria_facts_intern (self->facts, CONTENT_VGF, -1);
  guint32 n = 0;
  gboolean good = TRUE;

  stria_pte_settle (self, "program-delegate", stria_flat_offset (plan));
  for (; n < delegates.n && !stria_flat_failed (&self->flat); n++)
    {
      StriaFlatTable table = stria_flat_at_table (delegates, n);
      StriaProgramDelegateRow row = {
        .plan = plan_row,
        .number = n,
        .id = stria_pte_intern (self, table, DELEGATE_ID),
        .vgf = STRIA_NO_REF,
      };

      find_blob (self, table, &row);
      stria_pte_settle (self, "program-delegate", stria_flat_offset (table));
      stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_DELEGATE, &row);
      read_specs (self, table, first + n);
    }
  stria_pte_plan_row (self, plan_row)->n_delegates = n;
  if (n == 0)
    return TRUE;

  g_autofree guint64 *calls = find_calls (self, plan, n);
  g_autofree char *name = g_strdup (
      stria_facts_text (self->facts, stria_pte_plan_row (self, plan_row)->name));
  for (guint32 i = 0; i < n && good; i++)
    if (delegate_row (self, first + i)->content == vgf)
      {
        g_autofree char *graph = graph_name (name, i, calls[i]);
        good = read_blob (self, first + i, graph, error);
      }
  return good;
}
