/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

#define STRIA_SCAN_MAX_DEPTH 16
#define STRIA_SCAN_MAX_FILES 200000

/**
 * stria_scan:
 * @paths: (array zero-terminated=1): files, folders, or archives (.zip, .tar, .tar.gz, ...)
 * @cancellable: (nullable)
 *
 * Finds the artifacts: walks folders (links that loop are met once, and noticed), lists archive
 * members, probes each file by content first and name second, takes its digest. Reads only the
 * first and last 64 KiB of each. Files of no known kind become artifacts of state UNKNOWN, so that
 * people see that they were seen; unreadable ones UNREADABLE with the reason.
 *
 * Returns: (transfer full): a capture, or NULL with @error only if none of @paths exists or can be
 * read at all
 */
StriaCapture *stria_scan (const char *const *paths, GCancellable *cancellable, GError **error);

/* The same; @choices: (nullable) (element-type utf8 utf8): names of .ntff artifacts -> names of the
 * .neff artifacts that a person chose for them. */
StriaCapture *stria_scan_paired (const char *const *paths, GHashTable *choices,
                                 GCancellable *cancellable, GError **error);

G_END_DECLS
