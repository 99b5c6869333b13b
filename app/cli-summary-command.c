#include "cli-summary.h"
#include "stria-activity.h"
#include "stria-bounds.h"
#include "stria-neuron-groups.h"
  if (!cli_parse (context, &cli_command_summary, argc, argv, entries, 1, G_MAXUINT))
const CliCommand cli_command_summary = {
