/* SPDX-License-Identifier: Apache-2.0 */
/* What trees of operators and their figures are called. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-operators.h"

static const struct
{
  const char *title;
  const char *unit;
  const char *formula;
} infos[STRIA_N_OPERATOR_FIGURES] = {
  [STRIA_OPERATOR_TOTAL] = { N_ ("Total"), "ns",
    N_ ("Sum of the durations of the slices, nested ones of the same node once") },
  [STRIA_OPERATOR_SELF] = { N_ ("Self"), "ns",
    N_ ("Total less the slices right below that have a node of their own") },
  [STRIA_OPERATOR_SHARE] = { N_ ("Share"), "of 1",
    N_ ("Total ÷ total of the first row") },
  [STRIA_OPERATOR_COUNT] = { N_ ("Count"), "",
    N_ ("Number of slices that overlap the range") },
  [STRIA_OPERATOR_MEAN] = { N_ ("Mean"), "ns",
    N_ ("Total ÷ count") },
  [STRIA_OPERATOR_ENGINE] = { N_ ("Engine time"), "ns",
    N_ ("Sum of the durations of the instructions of all engines, which run "
        "side by side") },
  [STRIA_OPERATOR_DEVICE] = { N_ ("Device"), "ns",
    N_ ("Sum of the durations of what was launched on devices below this node, "
        "found by the correlation of the launch") },
  [STRIA_OPERATOR_LAUNCHED] = { N_ ("Launched"), "",
    N_ ("Number of kernels, copies and fills on devices that were launched "
        "below this node") },
  [STRIA_OPERATOR_MFU] = { N_ ("MFU"), "of 1",
    N_ ("(raw_flops − flops_transpose) ÷ (rows × columns × 2 × clock of the "
        "tensor engine × total)") },
  [STRIA_OPERATOR_HFU] = { N_ ("HFU"), "of 1",
    N_ ("raw_flops ÷ (rows × columns × 2 × clock of the tensor engine × total)") },
  [STRIA_OPERATOR_FLOPS] = { N_ ("FLOPs"), "",
    N_ ("Sum of raw_flops of the instructions that overlap the range") },
  [STRIA_OPERATOR_HBM_READ] = { N_ ("HBM read"), "B",
    N_ ("Sum of hbm_read_bytes") },
  [STRIA_OPERATOR_HBM_WRITE] = { N_ ("HBM written"), "B",
    N_ ("Sum of hbm_write_bytes") },
  [STRIA_OPERATOR_SBUF_READ] = { N_ ("SBUF read"), "B",
    N_ ("Sum of sbuf_read_bytes") },
  [STRIA_OPERATOR_SBUF_WRITE] = { N_ ("SBUF written"), "B",
    N_ ("Sum of sbuf_write_bytes") },
  [STRIA_OPERATOR_SPILL] = { N_ ("Spilled"), "B",
    N_ ("Sum of spill_save_bytes and spill_reload_bytes") },
  [STRIA_OPERATOR_WEIGHTS] = { N_ ("Weights"), "B",
    N_ ("load_weight_bytes of the export") },
  [STRIA_OPERATOR_N_TENSOR] = { N_ ("Tensor"), "",
    N_ ("Number of instructions of the tensor engine") },
  [STRIA_OPERATOR_N_VECTOR] = { N_ ("Vector"), "",
    N_ ("Number of instructions of the vector engine") },
  [STRIA_OPERATOR_N_SCALAR] = { N_ ("Scalar"), "",
    N_ ("Number of instructions of the scalar engine") },
  [STRIA_OPERATOR_N_GPSIMD] = { N_ ("GpSimd"), "",
    N_ ("Number of instructions of the GpSimd engine") },
  [STRIA_OPERATOR_N_SYNC] = { N_ ("Sync"), "",
    N_ ("Number of instructions of the sync engine") },
  [STRIA_OPERATOR_PERIOD_TENSOR] = { N_ ("Period Tensor"), "ns",
    N_ ("From the first begin to the last end on the tensor engine") },
  [STRIA_OPERATOR_PERIOD_VECTOR] = { N_ ("Period Vector"), "ns",
    N_ ("From the first begin to the last end on the vector engine") },
  [STRIA_OPERATOR_PERIOD_SCALAR] = { N_ ("Period Scalar"), "ns",
    N_ ("From the first begin to the last end on the scalar engine") },
  [STRIA_OPERATOR_PERIOD_GPSIMD] = { N_ ("Period GpSimd"), "ns",
    N_ ("From the first begin to the last end on the GpSimd engine") },
  [STRIA_OPERATOR_PERIOD_SYNC] = { N_ ("Period Sync"), "ns",
    N_ ("From the first begin to the last end on the sync engine") },
  [STRIA_OPERATOR_CHANNELS_SCALAR] = { N_ ("Channels Scalar"), "",
    N_ ("total_channels_scalar of the export") },
  [STRIA_OPERATOR_CHANNELS_VECTOR] = { N_ ("Channels Vector"), "",
    N_ ("total_channels_vector of the export") },
};

const char *
stria_operator_figure_title (StriaOperatorFigure figure)
{
  return _ (infos[figure].title);
}

const char *
stria_operator_figure_unit (StriaOperatorFigure figure)
{
  return infos[figure].unit;
}

char *
stria_operator_figure_text (StriaOperatorFigure figure, double value)
{
  if (isnan (value))
    return g_strdup ("–");
  if (g_str_equal (infos[figure].unit, "ns"))
    return stria_format_duration ((gint64) (value + 0.5), 4);
  if (g_str_equal (infos[figure].unit, "of 1"))
    return stria_format_percent (value);
  if (g_str_equal (infos[figure].unit, "B"))
    return stria_format_bytes ((gint64) value);
  return figure == STRIA_OPERATOR_FLOPS ? stria_format_value (value, NULL)
                                        : stria_format_count ((guint64) (value + 0.5));
}

const char *
stria_operator_figure_formula (StriaOperatorsKind kind, StriaOperatorFigure figure)
{
  if (kind == STRIA_OPERATORS_NODES)
    switch (figure)
      {
      case STRIA_OPERATOR_TOTAL:
        return _ ("Union of time_intervals of the export");
      case STRIA_OPERATOR_SHARE:
        break;
      default:
        return _ ("As the export says in its table FrameworkNode, for the whole profile");
      }
  if (kind == STRIA_OPERATORS_LAYERS)
    switch (figure)
      {
      case STRIA_OPERATOR_TOTAL:
        return _ ("Time in which at least one of its instructions ran, on any engine");
      case STRIA_OPERATOR_SELF:
        return _ ("The same of the instructions of this very operator, without operators below it");
      case STRIA_OPERATOR_SHARE:
        return _ ("Total ÷ total of the first row; engines run side by side, so that shares of "
                  "neighbours may add up to more than 100 %");
      case STRIA_OPERATOR_COUNT:
        return _ ("Number of instructions that overlap the range");
      default:
        break;
      }
  if (kind == STRIA_OPERATORS_CATEGORIES && figure == STRIA_OPERATOR_TOTAL)
    return _ ("Sum of the durations of the slices, less the slices nested in them");
  if (kind == STRIA_OPERATORS_CATEGORIES && figure == STRIA_OPERATOR_SELF)
    return _ ("The same as the total: slices count without what is nested in them");
  return _ (infos[figure].formula);
}

const char *
stria_operators_kind_title (StriaOperatorsKind kind)
{
  switch (kind)
    {
    case STRIA_OPERATORS_LAYERS:
      return _ ("Framework Layers");
    case STRIA_OPERATORS_NODES:
      return _ ("Layers of the Export");
    case STRIA_OPERATORS_MODULES:
      return _ ("Modules");
    case STRIA_OPERATORS_CATEGORIES:
      return _ ("Categories");
    case STRIA_OPERATORS_CALLS:
    case STRIA_N_OPERATORS_KINDS:
    default:
      return _ ("Calls");
    }
}

/* -- CSV ------------------------------------------------------------------------------------- */

static void
append_cell (GString *csv, const char *text)
{
  if (csv->len > 0 && csv->str[csv->len - 1] != '\n')
    g_string_append_c (csv, ',');
  if (strpbrk (text, "\",\r\n") == NULL)
    {
      g_string_append (csv, text);
      return;
    }
  g_string_append_c (csv, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *text);
    }
  g_string_append_c (csv, '"');
}

char *
stria_operators_to_csv (StriaOperators *self)
{
  static const char *const names[STRIA_N_OPERATOR_FIGURES] = {
    "total_ns", "self_ns", "share", "count", "mean_ns", "engine_ns", "device_ns", "launched", "mfu",
    "hfu", "flops", "hbm_read_bytes", "hbm_write_bytes", "sbuf_read_bytes", "sbuf_write_bytes",
    "spill_bytes", "load_weight_bytes", "tensor_count", "vector_count", "scalar_count",
    "gpsimd_count", "sync_count", "period_tensor_ns", "period_vector_ns", "period_scalar_ns",
    "period_gpsimd_ns", "period_sync_ns", "total_channels_scalar", "total_channels_vector",
  };
  GString *csv = g_string_new ("path,depth");
  gboolean has[STRIA_N_OPERATOR_FIGURES];

  for (guint f = 0; f < STRIA_N_OPERATOR_FIGURES; f++)
    if ((has[f] = stria_operators_has_figure (self, f, NULL)))
      append_cell (csv, names[f]);
  g_string_append (csv, "\r\n");
  for (guint32 n = 0; n < stria_operators_n_nodes (self); n++)
    {
      const StriaOperator *node = stria_operators_get (self, n);
      g_autofree char *path = stria_operators_path (self, n);
      g_autofree char *depth = g_strdup_printf ("%u", node->depth);

      for (char *p = path; *p != '\0'; p++)
        if (*p == '\x1f')
          *p = '/';
      g_string_append (csv, path[0] == '\0' ? "/" : "");
      if (path[0] != '\0')
        append_cell (csv, path);
      append_cell (csv, depth);
      for (guint f = 0; f < STRIA_N_OPERATOR_FIGURES; f++)
        {
          g_autofree char *number
              = isnan (node->figures[f]) ? g_strdup ("") : stria_format_c_double (node->figures[f]);

          if (has[f])
            append_cell (csv, number);
        }
      g_string_append (csv, "\r\n");
    }
  return g_string_free (csv, FALSE);
}
