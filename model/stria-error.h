/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StriaError:
 * @STRIA_ERROR_FAILED: a failure that no other code names
 * @STRIA_ERROR_NOT_FOUND: the file or folder does not exist
 * @STRIA_ERROR_PERMISSION: it exists and may not be read
 * @STRIA_ERROR_EMPTY: it has no bytes, or no events
 * @STRIA_ERROR_BAD_MAGIC: the bytes are of another kind than asked for, or of none that is known
 * @STRIA_ERROR_TRUNCATED: the bytes end before the format allows it
 * @STRIA_ERROR_MALFORMED: the bytes break a rule of the format
 * @STRIA_ERROR_UNSUPPORTED: a version or feature of the format that is known and not read
 * @STRIA_ERROR_MISMATCH: two artifacts that do not belong together
 * @STRIA_ERROR_LIMIT: a stated cap (length, depth, count, ratio) was reached
 * @STRIA_ERROR_STORE: the cache could not be written or read
 * @STRIA_ERROR_QUERY: a question (SQL, a filter, a range) that cannot be answered as put
 *
 * Codes of the domain %STRIA_ERROR. Cancellation is %G_IO_ERROR_CANCELLED of the GIO domain.
 * Each message names the file, the offset where there is one, what was expected and what was found.
 */
typedef enum
{
  STRIA_ERROR_FAILED,
  STRIA_ERROR_NOT_FOUND,
  STRIA_ERROR_PERMISSION,
  STRIA_ERROR_EMPTY,
  STRIA_ERROR_BAD_MAGIC,
  STRIA_ERROR_TRUNCATED,
  STRIA_ERROR_MALFORMED,
  STRIA_ERROR_UNSUPPORTED,
  STRIA_ERROR_MISMATCH,
  STRIA_ERROR_LIMIT,
  STRIA_ERROR_STORE,
  STRIA_ERROR_QUERY,
} StriaError;

#define STRIA_ERROR (stria_error_quark ())

GQuark      stria_error_quark     (void);
const char *stria_error_code_name (int code);

G_END_DECLS
