/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-json-scan
 *
 * The smallest steps of a pull scanner over JSON text in memory. It finds borders and does not
 * judge: control characters and bad UTF-8 inside strings pass. Each step takes [p, end) and returns
 * the place behind what it took, or %NULL when the text ends first. Behind @end there must be
 * %STRIA_JSON_PADDING readable bytes.
 */

#define STRIA_JSON_PADDING 16

static inline const char *
stria_json_blanks (const char *p, const char *end)
{
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
    p++;
  return p;
}

/* From behind an opening quote to its closing one (not behind it). @escaped is set to TRUE if there
 * is a backslash, and left alone otherwise. */
static inline const char *
stria_json_string_end (const char *p, const char *end, gboolean *escaped)
{
  const guint64 ones = 0x0101010101010101u, highs = 0x8080808080808080u;

  while (p < end)
    {
      guint64 word, quotes, slashes, hits;

      /* Eight bytes at a time: a byte is zero in x ^ pattern where it equals the pattern. */
      memcpy (&word, p, 8);
      word = GUINT64_FROM_LE (word);
      quotes = word ^ (ones * '"');
      slashes = word ^ (ones * '\\');
      hits = ((quotes - ones) & ~quotes & highs) | ((slashes - ones) & ~slashes & highs);
      if (hits == 0)
        {
          p += 8;
          continue;
        }
      p += __builtin_ctzll (hits) >> 3;
      if (p >= end)
        return NULL;
      if (*p == '"')
        return p;
      *escaped = TRUE;
      p += 2;
    }
  return NULL;
}

/* Behind a value of any kind, however deep. A malformed one ends where brackets balance. */
const char *stria_json_skip_value (const char *p, const char *end);

/* Text of a string's inside with its escapes undone (lone surrogates become U+FFFD), appended to
 * @out. */
void stria_json_unescape (const char *p, const char *end, GString *out);

/* Whether the number or string at [p, end) is a number of ASCII digits with an optional sign,
 * fraction and exponent; quotes around it are allowed. The value in thousandths, rounded half away
 * from zero; @overflow is set when it does not fit. This is how microseconds become nanoseconds
 * without passing through a double. */
gboolean stria_json_milli (const char *p, const char *end, gint64 *value, gboolean *overflow);
/* As unsigned integer; FALSE if it is none or does not fit */
gboolean stria_json_u64 (const char *p, const char *end, guint64 *value);
gboolean stria_json_double (const char *p, const char *end, double *value);

/* A skip that can stop in the middle and go on in the next piece of text: for values that are too
 * large to hold. */
typedef struct
{
  guint64 depth;
  gboolean in_string;
  gboolean after_backslash;
  gboolean started;
} StriaJsonSkip;

/* Returns: behind the value's end, or NULL if it goes on */
const char *stria_json_skip_some (StriaJsonSkip *skip, const char *p, const char *end);

G_END_DECLS
