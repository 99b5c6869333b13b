/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/**
 * stria_whole_read:
 * @source: at its first byte
 * @cap: bytes at most
 * @context: for progress, the name in messages, and its cancellable
 * @sha256: (out) (optional): SHA-256 of what was read, in hexadecimal
 * @error: %STRIA_ERROR_LIMIT beyond @cap, %G_IO_ERROR_CANCELLED, or what stria_source_read() says
 *
 * Reads all of a source, for formats that are read by offsets. Bytes that the source can map are
 * not copied.
 *
 * Returns: (transfer full) (nullable): all bytes; valid no longer than @source is
 */
GBytes *stria_whole_read (StriaSource *source, guint64 cap, StriaDecodeContext *context,
                          char **sha256, GError **error);

G_END_DECLS
