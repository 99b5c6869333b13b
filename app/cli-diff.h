/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"

G_BEGIN_DECLS

extern const CliCommand cli_command_diff;

G_END_DECLS
