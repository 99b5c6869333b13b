/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-nx-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-load.h"

#define INFO_MAGIC 0x2211EEFFu
#define MAX_WORDS 64

/* [CODE MLIA-NT parser.py and its tests] */
static const StriaNxLayout layouts[] = {
  { 1, 0, 16, 512 },
  { 1, 1, 32, 256 },
  { 2, 0, 16, 1024 },
  { 2, 1, 64, 256 },
};

/* Names of the words of a task in mode 1, by word; word 0 is not used. What the abbreviations stand
 * for is [UNKNOWN]: the hardware's own names are shown. [CODE MLIA-NT] */
static const char *const mode1_names[] = { NULL,
                                           "nx_active",
                                           "dl_active",
                                           "ir_active",
                                           "wf_active",
                                           "ce_active",
                                           "ve_active",
                                           "tu_active",
                                           "ow_active",
                                           "task_init_stall",
                                           "rd_ll_stall",
                                           "rd_hl_stall",
                                           "dma_wr_stall",
                                           "ir_idx_stall",
                                           "ce_src0_stall",
                                           "ce_src1_stall",
                                           "ve_src0_ir_stall",
                                           "ve_src0_ce_stall",
                                           "ve_src0_ve_stall",
                                           "ve_src0_tu_stall",
                                           "ve_src1_ir_stall",
                                           "ve_src1_ve_stall",
                                           "ve_src1_tu_stall",
                                           "tu_src0_ir_stall",
                                           "tu_src0_ve_stall",
                                           "tu_src0_tu_stall",
                                           "ow_src0_ir_stall",
                                           "ow_src0_ve_stall",
                                           "ow_src0_tu_stall",
                                           "ow_idx_stall",
                                           NULL, /* reserved (Mali-G2), not used (Mali-G1) */
                                           "me_src0_stall",
                                           "me_src1_stall" };

const StriaNxLayout *
stria_nx_layout (guint generation, guint mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (layouts[i].generation == generation && layouts[i].mode == mode)
      return &layouts[i];
  return NULL;
}

static guint32
word_at (const guint8 *bytes, gsize word)
{
  return stria_load32 (bytes + word * 4);
}

static gboolean
add_id (GArray *ids, GHashTable *seen, guint32 id, GError **error)
{
  if (!g_hash_table_add (seen, GUINT_TO_POINTER (id)))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _ ("statistics_info lists stripe %u twice"), id);
      return FALSE;
    }
  if (ids->len >= STRIA_NX_MAX_STRIPES)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("statistics_info lists more than %d stripes"), STRIA_NX_MAX_STRIPES);
      return FALSE;
    }
  g_array_append_val (ids, id);
  return TRUE;
}

/* Tokens between white space, commas and semicolons: decimal or 0x hexadecimal. */
static gboolean
parse_text (const guint8 *info, gsize length, GArray *ids, GHashTable *seen, GError **error)
{
  while (length > 0 && info[length - 1] == 0)
    length--;
  g_autofree char *text = g_strndup ((const char *)info, length);
  g_auto (GStrv) tokens = g_strsplit_set (text, " \t\r\n\v\f,;", -1);

  for (guint i = 0; tokens[i] != NULL; i++)
    {
      const char *token = tokens[i];
      gboolean is_hex = g_ascii_strncasecmp (token, "0x", 2) == 0;
      guint64 id;

      if (*token == '\0')
        continue;
      if (!g_ascii_string_to_unsigned (is_hex ? token + 2 : token, is_hex ? 16 : 10, 0, G_MAXUINT32,
                                       &id, NULL))
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                       _ ("statistics_info: expected a stripe number, found \"%.20s\""), token);
          return FALSE;
        }
      if (!add_id (ids, seen, (guint32)id, error))
        return FALSE;
    }
  if (ids->len > 0)
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED, _ ("statistics_info lists no stripe"));
  return FALSE;
}

GArray *
stria_nx_parse_info (const guint8 *info, gsize length, gboolean is_text, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  if (is_text)
    return parse_text (info, length, ids, seen, error) ? g_steal_pointer (&ids) : NULL;
  /* Whether a driver frames it is [UNKNOWN]: both are taken. */
  if (length >= 12 && word_at (info, 0) == INFO_MAGIC)
    {
      if (word_at (info, 1) != 1 || word_at (info, 2) != length - 12)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                       _ ("statistics_info: expected a frame of version 1 with %zu bytes, found "
                          "version %u with %u"),
                       length - 12, word_at (info, 1), word_at (info, 2));
          return NULL;
        }
      info += 12;
      length -= 12;
    }
  if (length % 4 != 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _ ("statistics_info: expected whole 32-bit words, found %zu bytes"), length);
      return NULL;
    }
  for (gsize i = 0; i < length / 4; i++)
    if (!add_id (ids, seen, word_at (info, i), error))
      return NULL;
  return g_steal_pointer (&ids);
}

static gboolean
is_zero (const guint8 *bytes, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (bytes[i] != 0)
      return FALSE;
  return TRUE;
}

static void
add_counter (StriaFacts *facts, guint32 stripe, guint32 name, guint64 value)
{
  StriaNxCounterRow row = { stripe, name, value };

  stria_facts_add (facts, STRIA_TABLE_NX_COUNTER, &row);
}

/* One block: sums of each word over its tasks. At most 2^28 words of 32 bits: no sum can overflow.
 */
static void
add_stripe (StriaFacts *facts,
            guint32 segment,
            guint32 number,
            const StriaNxLayout *layout,
            const guint8 *block,
            gsize n_tasks)
{
  guint64 sums[MAX_WORDS] = { 0 };
  StriaNxStripeRow row = {
    .segment = segment,
    .number = number,
    .first_counter = (guint32)stria_facts_size (facts, STRIA_TABLE_NX_COUNTER),
  };
  guint32 stripe = (guint32)stria_facts_size (facts, STRIA_TABLE_NX_STRIPE);
  guint64 all = 0;

  for (gsize t = 0; t < n_tasks; t++)
    for (guint w = 0; w < layout->words_per_task; w++)
      sums[w] += word_at (block, t * layout->words_per_task + w);
  for (guint w = 0; w < layout->words_per_task; w++)
    {
      if (layout->mode == 0)
        add_counter (facts, stripe, stria_facts_intern_printf (facts, "section_%u", w), sums[w]);
      else if (w < G_N_ELEMENTS (mode1_names) && mode1_names[w] != NULL)
        add_counter (facts, stripe, stria_facts_intern (facts, mode1_names[w], -1), sums[w]);
      else
        continue;
      all += sums[w];
      row.n_counters++;
    }
  row.op_cycles = layout->mode == 0 ? all : sums[1];
  row.total_cycles = row.op_cycles;
  if (layout->mode == 1 && sums[1] == 0 && all > 0)
    {
      /* Seen for structured captures; whether it holds here too is [UNKNOWN]: the row says so. */
      row.total_cycles = all;
      row.total_from_sum = TRUE;
    }
  stria_facts_add (facts, STRIA_TABLE_NX_STRIPE, &row);
}

gboolean
stria_nx_parse_memory (StriaFacts *facts,
                       guint32 segment,
                       const StriaNxLayout *layout,
                       guint leading_blocks,
                       const guint8 *memory,
                       gsize length,
                       GArray *listed,
                       GString *remarks,
                       GError **error)
{
  gsize task = (gsize)layout->words_per_task * 4;
  gsize block = task * layout->tasks_per_block;
  gsize n_blocks = (length + block - 1) / block;
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);

  if (length == 0 || length % 64 != 0 || length % task != 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _ ("statistics_memory: expected tasks of %zu bytes, found %zu bytes"), task,
                   length);
      return FALSE;
    }
  for (guint i = 0; i < listed->len; i++)
    {
      guint32 id = g_array_index (listed, guint32, i);
      if (id >= n_blocks)
        {
          g_set_error (
              error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
              _ ("statistics_info lists stripe %u, and statistics_memory holds %zu blocks"), id,
              n_blocks);
          return FALSE;
        }
      g_hash_table_add (wanted, GUINT_TO_POINTER (id));
    }
  for (gsize b = 0; b < n_blocks; b++)
    {
      gsize bytes = MIN (block, length - b * block);

      if (g_hash_table_contains (wanted, GSIZE_TO_POINTER (b))
          || is_zero (memory + b * block, bytes))
        continue;
      /* How leading blocks are used is [UNKNOWN]; they belong to no stripe and are passed over. */
      if (b < leading_blocks)
        {
          g_string_append_printf (remarks, _ ("leading block %zu holds counters of no stripe; "),
                                  b);
          continue;
        }
      g_set_error (
          error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
          _ ("statistics_memory: block %zu holds counters, and statistics_info does not list it"),
          b);
      return FALSE;
    }
  StriaNxSegmentRow *row = STRIA_ROWS (facts, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT) + segment;
  row->n_blocks = (guint32)n_blocks;
  row->last_block_tasks = (guint32)((length - (n_blocks - 1) * block) / task);
  row->first_stripe = (guint32)stria_facts_size (facts, STRIA_TABLE_NX_STRIPE);
  row->n_stripes = listed->len;
  for (guint i = 0; i < listed->len; i++)
    {
      gsize id = g_array_index (listed, guint32, i);
      add_stripe (facts, segment, (guint32)id, layout, memory + id * block,
                  MIN (block, length - id * block) / task);
    }
  return TRUE;
}
