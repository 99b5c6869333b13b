/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"
#include "cli-model.h"
#include "stria-profile-compare.h"

G_BEGIN_DECLS

/* Another capture to compare with, as --compare names it. */
typedef struct
{
  CliCapture       capture;
  CliModel         model;
  StriaComparison *comparison; /* from the one at hand to that one */
} CliOther;

/* Opens @path and compares it with @profile: the set of the same name or the only one, the same
 * method or the only one. Returns: CLI_OK or CLI_PARTIAL with @out filled, else what to exit
 * with */
CliExit cli_other_open  (CliContext *context, const char *path, const CliModelOptions *options,
                         StriaProfile *profile, CliOther *out);
void    cli_other_clear (CliOther *other);

void    cli_print_comparison (StriaComparison *comparison, StriaAggregation aggregation);
void    cli_json_comparison  (CliJson *json, StriaComparison *comparison);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliOther, cli_other_clear)

G_END_DECLS
