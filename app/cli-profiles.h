/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"
#include "cli-json.h"
#include "stria-profile.h"

G_BEGIN_DECLS

/* The set of @sets that is called @name, or the only one. NULL with @error: there is none, or one
 * has to be named. */
const StriaProfileSet *cli_find_set (GPtrArray *sets, const char *name, GError **error);

/* A graph in the form of the Model Explorer: an object of its list "graphs" */
void  cli_json_graph   (CliJson *json, StriaGraph *graph);
/* A graph for Graphviz: groups as clusters */
char *cli_dot_graphs   (GPtrArray *graphs);

void  cli_json_profile  (CliJson *json, StriaProfile *profile, StriaCapture *capture,
                         char **arguments);
void  cli_print_profile (StriaProfile *profile);
/* Returns: (transfer full): digits without a group, at most six decimals */
char *cli_metric_text   (const StriaMetric *metric);

G_END_DECLS
