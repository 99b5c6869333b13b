/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"
#include "stria-warnings-private.h"

#include <glib/gi18n-lib.h>

#define SMALL_DMA_GAP_NS    5000
#define SMALL_DMA_LEAST     16
#define SMALL_COPIES_GAP_NS 100000
#define SMALL_COPIES_LEAST  4
#define SPILL_GAP_NS        10000

/* -- small transfers -------------------------------------------------------------------------- */

/* A stretch of small transfers while it grows */
typedef struct
{
  gint64   t0;
  gint64   t1;
  guint64  n_small;
  gint64   bytes;
  StriaRef first;
} Stretch;

typedef struct
{
  StriaWarningRule rule;
  guint            kind;     /* flag that tells copies from DMA */
  guint            required; /* flags that a transfer must have */
  gint64           gap;
  guint            least;
} SmallRule;

static gboolean
is_of (const StriaTransfer *transfer, const SmallRule *rule, guint32 process)
{
  return transfer->process == process && transfer->bytes >= 0
         && (transfer->flags & STRIA_TRANSFER_COPY) == rule->kind
         && (transfer->flags & rule->required) == rule->required;
}

static void
end_stretch (StriaWarningSearch *self, const SmallRule *rule, guint32 process, const Stretch *stretch)
{
  guint64 n_all = 0;
  g_autofree char *limit = NULL;
  g_autofree char *mean = NULL;
  g_autofree char *small = NULL;
  g_autofree char *all = NULL;

  if (stretch->n_small < rule->least)
    return;
  for (guint i = stria_transfers_from (self->transfers, stretch->t0); i < self->transfers->len; i++)
    {
      const StriaTransfer *transfer = &g_array_index (self->transfers, StriaTransfer, i);

      if (transfer->start >= stretch->t1 && transfer->start > stretch->t0)
        break;
      if (!is_of (transfer, rule, process))
        continue;
      n_all++;
    }
  if (stretch->n_small * 2 < n_all)
    return;
  n_all = MAX (n_all, stretch->n_small);
  limit = stria_warning_format_limit (rule->rule, self->limits[rule->rule]);
  mean = stria_format_bytes (stretch->bytes / (gint64) stretch->n_small);
  small = stria_format_count (stretch->n_small);
  all = stria_format_count (n_all);
  stria_warning_add (self, rule->rule, stretch->t0, stretch->t1, process, stretch->first,
       (double) stretch->n_small,
       /* Translators: two counts, a size, another size */
       g_strdup_printf (_ ("%s of %s transfers are below %s; those are %s on average"), small, all,
                        limit, mean));
}

static void
find_small (StriaWarningSearch *self, const SmallRule *rule)
{
  const guint32 n = stria_trace_get_n_processes (self->trace);
  g_autofree Stretch *open = g_new0 (Stretch, n + 1);

  for (guint i = 0; i < self->transfers->len; i++)
    {
      const StriaTransfer *transfer = &g_array_index (self->transfers, StriaTransfer, i);
      Stretch *stretch = &open[MIN (transfer->process, n)];

      if (!is_of (transfer, rule, transfer->process)
          || (double) transfer->bytes >= self->limits[rule->rule])
        continue;
      if (stretch->n_small > 0 && transfer->start - stretch->t1 >= rule->gap)
        {
          end_stretch (self, rule, transfer->process, stretch);
          stretch->n_small = 0;
        }
      if (stretch->n_small == 0)
        *stretch = (Stretch){ .t0 = transfer->start, .t1 = transfer->end, .first = transfer->ref };
      stretch->t1 = MAX (stretch->t1, transfer->end);
      stretch->n_small++;
      stretch->bytes += transfer->bytes;
    }
  for (guint32 p = 0; p < n; p++)
    end_stretch (self, rule, p, &open[p]);
  stria_warning_take (self, rule->rule);
}

void
stria_warning_find_small (StriaWarningSearch *self)
{
  SmallRule dma = { STRIA_WARNING_SMALL_DMA, 0, 0, SMALL_DMA_GAP_NS, SMALL_DMA_LEAST };
  const SmallRule copies = { STRIA_WARNING_SMALL_COPIES, STRIA_TRANSFER_COPY, 0,
                             SMALL_COPIES_GAP_NS, SMALL_COPIES_LEAST };
  guint64 n_dma = 0, n_copies = 0;

  for (guint i = 0; i < self->transfers->len; i++)
    {
      const StriaTransfer *transfer = &g_array_index (self->transfers, StriaTransfer, i);

      if (transfer->bytes < 0)
        continue;
      if ((transfer->flags & STRIA_TRANSFER_COPY) != 0)
        n_copies++;
      else
        n_dma++;
      if ((transfer->flags & STRIA_TRANSFER_DYNAMIC_HARDWARE) != 0)
        dma.required = STRIA_TRANSFER_DYNAMIC_HARDWARE;
    }
  if (n_dma == 0)
    self->set->absent[STRIA_WARNING_SMALL_DMA]
        = N_ ("not available because there are no DMA transfers with bytes in the capture");
  else if (self->limits[STRIA_WARNING_SMALL_DMA] >= 0)
    find_small (self, &dma);
  if (n_copies == 0)
    self->set->absent[STRIA_WARNING_SMALL_COPIES]
        = N_ ("not available because there are no copies of a GPU with bytes in the capture");
  else if (self->limits[STRIA_WARNING_SMALL_COPIES] >= 0)
    find_small (self, &copies);
}

/* -- spills ----------------------------------------------------------------------------------- */

typedef struct
{
  gint64   t0;
  gint64   t1;
  gint64   bytes;
  guint64  n;
  StriaRef first;
} Spill;

static void
end_spill (StriaWarningSearch *self, guint32 process, const Spill *spill)
{
  gint64 all = 0;
  double share;
  g_autofree char *count = NULL, *bytes = NULL, *percent = NULL;

  if (spill->n == 0 || spill->bytes <= 0)
    return;
  for (guint i = stria_transfers_from (self->transfers, spill->t0); i < self->transfers->len; i++)
    {
      const StriaTransfer *transfer = &g_array_index (self->transfers, StriaTransfer, i);

      if (transfer->start >= spill->t1 && transfer->start > spill->t0)
        break;
      if (transfer->process == process && (transfer->flags & STRIA_TRANSFER_COPY) == 0
          && transfer->bytes > 0)
        all += transfer->bytes;
    }
  share = (double) spill->bytes / (double) MAX (all, spill->bytes);
  if (share * 100 <= self->limits[STRIA_WARNING_SPILLS])
    return;
  count = stria_format_count (spill->n);
  bytes = stria_format_bytes (spill->bytes);
  percent = stria_format_percent (share);
  stria_warning_add (self, STRIA_WARNING_SPILLS, spill->t0, spill->t1, process, spill->first,
       (double) spill->bytes,
       /* Translators: a count, a size, a percentage */
       g_strdup_printf (ngettext ("%s spill transfer of %s: %s of all bytes moved meanwhile",
                                  "%s spill transfers of %s: %s of all bytes moved meanwhile",
                                  spill->n),
                        count, bytes, percent));
}

void
stria_warning_find_spills (StriaWarningSearch *self)
{
  const guint32 n = stria_trace_get_n_processes (self->trace);
  g_autofree Spill *open = g_new0 (Spill, n + 1);
  gboolean has_dma = FALSE;

  for (guint i = 0; i < self->transfers->len; i++)
    {
      const StriaTransfer *transfer = &g_array_index (self->transfers, StriaTransfer, i);
      Spill *spill = &open[MIN (transfer->process, n)];

      has_dma = has_dma || (transfer->flags & STRIA_TRANSFER_COPY) == 0;
      if ((transfer->flags & (STRIA_TRANSFER_SPILL_SAVE | STRIA_TRANSFER_SPILL_RELOAD)) == 0)
        continue;
      if (spill->n > 0 && transfer->start - spill->t1 >= SPILL_GAP_NS)
        {
          end_spill (self, transfer->process, spill);
          spill->n = 0;
        }
      if (spill->n == 0)
        *spill = (Spill){ .t0 = transfer->start, .t1 = transfer->end, .first = transfer->ref };
      spill->t1 = MAX (spill->t1, transfer->end);
      spill->bytes += MAX (transfer->bytes, 0);
      spill->n++;
    }
  for (guint32 p = 0; p < n; p++)
    end_spill (self, p, &open[p]);
  if (!has_dma)
    self->set->absent[STRIA_WARNING_SPILLS]
        = N_ ("not available because there are no DMA transfers in the capture");
  stria_warning_take (self, STRIA_WARNING_SPILLS);
}
