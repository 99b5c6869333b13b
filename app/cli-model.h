/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-model-index.h"

G_BEGIN_DECLS

/* What of a capture's model is asked for, as the command line has it; all may be NULL. */
typedef struct
{
  char *set;
  char *method;
  char *unit;
  char *metric;
  char *aggregation;
} CliModelOptions;

typedef struct
{
  GPtrArray       *sets; /* StriaProfileSet */
  StriaProfile    *profile;
  StriaModelIndex *index;
  StriaModelMetric metric;
} CliModel;

/* "ns" (also for NULL), "us", "ms", "s", "cycles" */
gboolean cli_parse_time_unit     (const char *text, StriaTimeUnit *unit);
/* "all" or a number of levels that are open */
gboolean cli_parse_level         (const char *text, guint *level, GError **error);
void     cli_model_options_clear (CliModelOptions *options);
/* Errors: %STRIA_ERROR_QUERY if the command line is to be mended, else what is not there */
gboolean cli_model_open          (StriaCapture *capture, const CliModelOptions *options,
                                  CliModel *out, GError **error);
void     cli_model_clear         (CliModel *model);

/* Which kinds of entities a graph shows: bits by #StriaEntityKind */
guint    cli_model_kinds         (CliModel *model, const StriaModelGraph *graph);
/* "net.pte · forward · 3 executions". Returns: (transfer full) */
char    *cli_model_subtitle      (CliModel *model);
/* "Median (P50) · 3 executions": what the values of a scale are. Returns: (transfer full) */
char    *cli_model_scale_note    (CliModel *model, const StriaModelScale *scale);
/* What a reader of a graph has to know: what was assumed, what is wrong, what was measured in part.
 * Returns: (transfer full) (element-type utf8) (array zero-terminated=1) */
GPtrArray *cli_model_notes       (CliModel *model, const StriaModelGraph *graph);
/* Levels that can be open with at most @most boxes seen; all of them: G_MAXUINT */
guint    cli_graph_level         (StriaGraph *graph, guint most);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliModel, cli_model_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliModelOptions, cli_model_options_clear)

G_END_DECLS
