/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"

G_BEGIN_DECLS

/* Lists the protobuf fields of a file by path, number, type, count and size; @values: some of their
 * values as well. @json: (nullable): into the open object, else to standard output. FALSE with
 * @error if the file cannot be read */
gboolean cli_wire (CliJson *json, const char *path, gboolean values, GCancellable *cancellable,
                   GError **error);

G_END_DECLS
