/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-error.h"

G_DEFINE_QUARK (stria-error-quark, stria_error)

/**
 * stria_error_code_name:
 * @code: a #StriaError
 *
 * Returns: (transfer none): the stable, untranslated name of @code for machines ("truncated");
 *   "failed" for a number that is no code
 */
const char *
stria_error_code_name (int code)
{
  switch ((StriaError) code)
    {
    case STRIA_ERROR_FAILED:
      return "failed";
    case STRIA_ERROR_NOT_FOUND:
      return "not-found";
    case STRIA_ERROR_PERMISSION:
      return "permission";
    case STRIA_ERROR_EMPTY:
      return "empty";
    case STRIA_ERROR_BAD_MAGIC:
      return "bad-magic";
    case STRIA_ERROR_TRUNCATED:
      return "truncated";
    case STRIA_ERROR_MALFORMED:
      return "malformed";
    case STRIA_ERROR_UNSUPPORTED:
      return "unsupported";
    case STRIA_ERROR_MISMATCH:
      return "mismatch";
    case STRIA_ERROR_LIMIT:
      return "limit";
    case STRIA_ERROR_STORE:
      return "store";
    case STRIA_ERROR_QUERY:
      return "query";
    default:
      return "failed";
    }
}
