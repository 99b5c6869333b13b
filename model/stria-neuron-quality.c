/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-quality.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-neuron-summary.h"

static void
quality_free (gpointer data)
{
  StriaQuality *self = data;

  g_free (self->text);
  g_free (self->source);
  g_free (self->remedy);
  g_free (self);
}

static void
add (GPtrArray *all, guint artifact, StriaSeverity severity, char *text, const char *source,
     const char *remedy)
{
  StriaQuality *self = g_new0 (StriaQuality, 1);

  self->artifact = artifact;
  self->severity = severity;
  self->text = text;
  self->source = g_strdup (source);
  self->remedy = g_strdup (remedy);
  g_ptr_array_add (all, self);
}

/* -- what the import met --------------------------------------------------------------------- */

static const char *
compile_remedy (void)
{
  return _("Compile with XLA_IR_DEBUG=1 and XLA_HLO_DEBUG=1 (kernels: NKI_DEBUG_INFO=1), and profile "
           "that program: those in the compiler's cache stay without");
}

static const char *
remedy_of (const char *code)
{
  if (g_str_equal (code, "neuron-no-names"))
    return compile_remedy ();
  if (g_str_equal (code, "neuron-events-lost"))
    return "NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC, NEURON_RT_INSPECT_EVENT_FILTER_NC";
  if (g_str_equal (code, "neuron-lost"))
    return _("Profile fewer cores or a shorter time");
  if (g_str_equal (code, "neuron-cut") || g_str_equal (code, "truncated"))
    return _("Copy the file again from where it was captured; a full disk or a job that was killed "
             "cuts files, too");
  return NULL;
}

/* The artifact with that base name, if it is one, or G_MAXUINT. */
static guint
artifact_of (StriaCapture *capture, const char *file)
{
  guint found = G_MAXUINT;

  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      const char *name = stria_artifact_get_name (stria_capture_get_artifact (capture, i));
      const char *slash = strrchr (name, '/');

      if (!g_str_equal (slash != NULL ? slash + 1 : name, file))
        continue;
      if (found != G_MAXUINT)
        return G_MAXUINT;
      found = i;
    }
  return found;
}

static void
add_notices (GPtrArray *all, StriaCapture *capture)
{
  g_autoptr (GPtrArray) notices = stria_notices_list (stria_capture_get_notices (capture));

  for (guint i = 0; i < notices->len; i++)
    {
      const StriaNotice *notice = notices->pdata[i];
      const char *remedy = remedy_of (notice->code);
      guint artifact;
      g_autofree char *count = NULL;

      if (remedy == NULL)
        continue;
      artifact = artifact_of (capture, notice->file);
      count = notice->count > 1 ? stria_format_count (notice->count) : NULL;
      add (all, artifact, notice->severity,
           artifact == G_MAXUINT && count != NULL
               ? g_strdup_printf ("%s: %s (%s×)", notice->file, notice->message, count)
           : artifact == G_MAXUINT ? g_strdup_printf ("%s: %s", notice->file, notice->message)
           : count != NULL         ? g_strdup_printf ("%s (%s×)", notice->message, count)
                                   : g_strdup (notice->message),
           _("Counted while the file was read"), remedy);
    }
}

static gboolean
has_notice (StriaCapture *capture, guint artifact, const char *code)
{
  g_autoptr (GPtrArray) notices = stria_notices_list (stria_capture_get_notices (capture));
  const char *name = stria_artifact_get_name (stria_capture_get_artifact (capture, artifact));

  for (guint i = 0; i < notices->len; i++)
    {
      const StriaNotice *notice = notices->pdata[i];
      if (g_str_equal (notice->code, code) && g_str_has_suffix (name, notice->file))
        return TRUE;
    }
  return FALSE;
}

/* -- rows ------------------------------------------------------------------------------------ */

/* Rows with a text in a column; FALSE: cancelled. */
static gboolean
count_texts (StriaTable *table, const char *name, GCancellable *cancellable, guint64 *n)
{
  int column = stria_table_find_column (table, name);

  if (column < 0 || stria_table_get_column (table, (guint) column)->type != STRIA_CELL_TEXT)
    return TRUE;
  for (guint32 k = 0; k < stria_table_get_n_chunks (table); k++)
    {
      StriaColumnChunk *chunk;
      guint32 length;

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      chunk = stria_table_load (table, (guint) column, k, NULL);
      if (chunk == NULL)
        continue;
      for (guint32 r = 0; r < chunk->n_rows; r++)
        if (stria_column_data_has (&chunk->data, r))
          {
            stria_column_data_text (&chunk->data, r, &length);
            *n += length > 0;
          }
      stria_column_chunk_free (chunk);
    }
  return TRUE;
}

static gboolean
sum_bytes (StriaTable *table, GCancellable *cancellable, double *bytes, gboolean *any)
{
  int column = stria_table_find_column (table, "transfer_bytes");

  if (column < 0 || stria_table_get_column (table, (guint) column)->type != STRIA_CELL_INT)
    return TRUE;
  for (guint32 k = 0; k < stria_table_get_n_chunks (table); k++)
    {
      StriaColumnChunk *chunk;

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      chunk = stria_table_load (table, (guint) column, k, NULL);
      if (chunk == NULL)
        continue;
      for (guint32 r = 0; r < chunk->n_rows; r++)
        if (stria_column_data_has (&chunk->data, r))
          *bytes += (double) chunk->data.ints[r];
      stria_column_chunk_free (chunk);
    }
  *any = TRUE;
  return TRUE;
}

/* What the rows of one profile were found to have. */
typedef struct
{
  guint64 n;
  guint64 n_lines;
  guint64 n_layers;
  double packets;
  double transfers;
  gboolean has_packets;
  gboolean has_transfers;
} Seen;

static gboolean
look (GPtrArray *tables, GCancellable *cancellable, Seen *seen)
{
  for (guint i = 0; i < tables->len; i++)
    {
      StriaTable *table = tables->pdata[i];
      const char *name = stria_table_get_name (table);

      if (g_ascii_strcasecmp (name, "Instruction") == 0)
        {
          guint64 compiled = 0, kernels = 0;

          seen->n += stria_table_get_n_rows (table);
          if (!count_texts (table, "bir_debug_info_source_location", cancellable, &compiled)
              || !count_texts (table, "nki_source_location", cancellable, &kernels)
              || !count_texts (table, "layer", cancellable, &seen->n_layers))
            return FALSE;
          /* Those of a kernel have both. */
          seen->n_lines += MAX (compiled, kernels);
        }
      else if (g_ascii_strcasecmp (name, "DmaPacket") == 0)
        {
          if (!sum_bytes (table, cancellable, &seen->packets, &seen->has_packets))
            return FALSE;
        }
      else if (g_ascii_strcasecmp (name, "DmaPacketAggregated") == 0)
        {
          if (!sum_bytes (table, cancellable, &seen->transfers, &seen->has_transfers))
            return FALSE;
        }
    }
  return TRUE;
}

/* Of a share that is whole there is nothing to say. */
static void
add_lines (GPtrArray *all, guint artifact, const Seen *seen)
{
  g_autofree char *lines = stria_format_count (seen->n_lines);
  g_autofree char *layers = stria_format_count (seen->n_layers);
  g_autofree char *whole = stria_format_count (seen->n);

  if (seen->n_lines >= seen->n && seen->n_layers >= seen->n)
    return;
  add (all, artifact, STRIA_SEVERITY_INFO,
       g_strdup_printf (_("Of %s instructions, %s (%.1f %%) say their line of source and %s (%.1f %%) "
                          "their layer"),
                        whole, lines, 100.0 * (double) seen->n_lines / (double) seen->n, layers,
                        100.0 * (double) seen->n_layers / (double) seen->n),
       _("Rows of Instruction with a value in bir_debug_info_source_location or "
         "nki_source_location, and in layer"),
       compile_remedy ());
}

static void
add_coverage (GPtrArray *all, guint artifact, const Seen *seen)
{
  g_autofree char *packets = NULL, *transfers = NULL;
  double share;

  if (!seen->has_packets || seen->packets <= 0 || seen->transfers >= seen->packets)
    return;
  share = 100 * seen->transfers / seen->packets;
  packets = stria_format_bytes ((gint64) seen->packets);
  transfers = stria_format_bytes ((gint64) seen->transfers);
  add (all, artifact, STRIA_SEVERITY_INFO,
       g_strdup_printf (_("Transfers stand for %s of the %s that DMA packets moved (%.1f %%); of the "
                          "rest no tensor is known"),
                        transfers, packets, share),
       _("Sum of transfer_bytes of DmaPacketAggregated / that of DmaPacket"),
       "NEURON_RT_ENABLE_DGE_NOTIFICATIONS=1");
}

GPtrArray *
stria_neuron_quality (StriaCapture *capture, GCancellable *cancellable)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (quality_free);
  g_autoptr (GPtrArray) profiles = NULL;

  if (stria_capture_get_tree (capture) == NULL)
    return all;
  add_notices (all, capture);
  profiles = stria_neuron_profiles (capture);
  for (guint p = 0; p < profiles->len; p++)
    {
      const StriaNeuronProfile *profile = profiles->pdata[p];
      g_autoptr (GPtrArray) tables = stria_neuron_summary_tables (capture, profile->artifact);
      Seen seen = { 0 };

      if (!look (tables, cancellable, &seen))
        break;
      /* A raw profile says so by itself, with the reasons. */
      if (!has_notice (capture, profile->artifact, "neuron-no-names"))
        add_lines (all, profile->artifact, &seen);
      add_coverage (all, profile->artifact, &seen);
    }
  return all;
}
