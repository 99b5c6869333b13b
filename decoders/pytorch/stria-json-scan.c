/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "stria-json-scan.h"

enum
{
  PLAIN,
  QUOTE,
  OPEN,
  CLOSE,
};

static const guint8 kind_of[256] = {
  ['"'] = QUOTE, ['{'] = OPEN, ['['] = OPEN, ['}'] = CLOSE, [']'] = CLOSE,
};

const char *
stria_json_skip_value (const char *p, const char *end)
{
  gboolean escaped = FALSE;
  guint64 depth = 0;

  if (p >= end)
    return NULL;
  if (*p == '"')
    {
      p = stria_json_string_end (p + 1, end, &escaped);
      return p != NULL ? p + 1 : NULL;
    }
  if (*p != '{' && *p != '[')
    {
      /* A number or a word: up to what can't be part of one. */
      const char *start = p;
      while (p < end && *p != ',' && *p != '}' && *p != ']' && *p != ' ' && *p != '\n'
             && *p != '\r' && *p != '\t' && *p != ':' && *p != '"')
        p++;
      return p < end || p == start ? (p < end ? p : NULL) : NULL;
    }
  while (p < end)
    {
      switch (kind_of[(guint8) *p])
        {
        case QUOTE:
          p = stria_json_string_end (p + 1, end, &escaped);
          if (p == NULL)
            return NULL;
          break;
        case OPEN:
          depth++;
          break;
        case CLOSE:
          if (--depth == 0)
            return p + 1;
          break;
        default:
          break;
        }
      p++;
    }
  return NULL;
}

static gint
hex_digit (char c)
{
  return g_ascii_isxdigit (c) ? g_ascii_xdigit_value (c) : -1;
}

static gboolean
hex4 (const char *p, const char *end, guint32 *value)
{
  if (end - p < 4)
    return FALSE;
  *value = 0;
  for (guint i = 0; i < 4; i++)
    {
      gint digit = hex_digit (p[i]);
      if (digit < 0)
        return FALSE;
      *value = *value << 4 | (guint32) digit;
    }
  return TRUE;
}

void
stria_json_unescape (const char *p, const char *end, GString *out)
{
  while (p < end)
    {
      const char *slash = memchr (p, '\\', (gsize) (end - p));
      guint32 unit, low;

      g_string_append_len (out, p, (slash != NULL ? slash : end) - p);
      if (slash == NULL || slash + 1 >= end)
        return;
      p = slash + 2;
      switch (slash[1])
        {
        case 'n':
          g_string_append_c (out, '\n');
          break;
        case 't':
          g_string_append_c (out, '\t');
          break;
        case 'r':
          g_string_append_c (out, '\r');
          break;
        case 'b':
          g_string_append_c (out, '\b');
          break;
        case 'f':
          g_string_append_c (out, '\f');
          break;
        case 'u':
          if (!hex4 (p, end, &unit))
            {
              g_string_append (out, "\\u");
              break;
            }
          p += 4;
          if (unit >= 0xd800 && unit < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u'
              && hex4 (p + 2, end, &low) && low >= 0xdc00 && low < 0xe000)
            {
              unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
              p += 6;
            }
          if (unit >= 0xd800 && unit < 0xe000)
            unit = 0xfffd;
          g_string_append_unichar (out, unit);
          break;
        default:
          /* \" \\ \/ and, as others read it, any other character for itself */
          g_string_append_c (out, slash[1]);
          break;
        }
    }
}

static void
strip_quotes (const char **p, const char **end)
{
  if (*end - *p >= 2 && **p == '"' && (*end)[-1] == '"')
    {
      (*p)++;
      (*end)--;
      while (*p < *end && **p == ' ')
        (*p)++;
      while (*p < *end && (*end)[-1] == ' ')
        (*end)--;
    }
}

/* A number with an exponent, in thousandths. Not strtold(): its decimal point is the locale's. */
static gboolean
milli_with_exponent (const char *p, const char *end, long double *value)
{
  guint64 digits = 0;
  gint scale = 3, exponent = 0;
  gboolean negative = FALSE, fraction = FALSE, below = FALSE, any = FALSE;

  if (p < end && (*p == '-' || *p == '+'))
    negative = *p++ == '-';
  for (; p < end && (g_ascii_isdigit (*p) || (*p == '.' && !fraction)); p++)
    {
      if (*p == '.')
        {
          fraction = TRUE;
          continue;
        }
      any = TRUE;
      if (digits < G_GUINT64_CONSTANT (100000000000000000))
        {
          digits = digits * 10 + (guint64) (*p - '0');
          scale -= fraction;
        }
      else
        scale += !fraction;
    }
  if (!any || p >= end || (*p != 'e' && *p != 'E'))
    return FALSE;
  p++;
  if (p < end && (*p == '-' || *p == '+'))
    below = *p++ == '-';
  if (p >= end)
    return FALSE;
  for (; p < end && g_ascii_isdigit (*p); p++)
    exponent = MIN (exponent * 10 + (*p - '0'), 100000);
  if (p != end)
    return FALSE;
  scale += below ? -exponent : exponent;
  *value = scale < 0 ? (long double) digits / powl (10, -scale)
                     : (long double) digits * powl (10, scale);
  if (digits == 0)
    *value = 0;
  if (negative)
    *value = -*value;
  return TRUE;
}

gboolean
stria_json_milli (const char *p, const char *end, gint64 *value, gboolean *overflow)
{
  gboolean negative = FALSE;
  guint64 whole = 0, milli = 0;
  const char *start;

  *overflow = FALSE;
  strip_quotes (&p, &end);
  start = p;
  if (p < end && (*p == '-' || *p == '+'))
    negative = *p++ == '-';
  if (p >= end || !(g_ascii_isdigit (*p) || *p == '.'))
    return FALSE;
  for (; p < end && g_ascii_isdigit (*p); p++)
    {
      if (whole > 9000000000000000u)
        *overflow = TRUE;
      else
        whole = whole * 10 + (guint64) (*p - '0');
    }
  if (p < end && *p == '.')
    {
      guint digits = 0;
      for (p++; p < end && g_ascii_isdigit (*p); p++, digits++)
        {
          if (digits < 3)
            milli = milli * 10 + (guint64) (*p - '0');
          else if (digits == 3 && *p >= '5')
            milli++;
        }
      for (; digits < 3; digits++)
        milli *= 10;
    }
  if (p < end && (*p == 'e' || *p == 'E'))
    {
      /* Only writers that went through a double write exponents: nothing exact is lost here. */
      long double number;
      if (!milli_with_exponent (start, end, &number))
        return FALSE;
      *overflow = fabsl (number) > 9.2e18L;
      *value = *overflow ? (number < 0 ? -G_MAXINT64 : G_MAXINT64) : llroundl (number);
      return TRUE;
    }
  if (p != end)
    return FALSE;
  if (whole > 9200000000000000u)
    *overflow = TRUE;
  if (*overflow)
    {
      *value = negative ? -G_MAXINT64 : G_MAXINT64;
      return TRUE;
    }
  *value = (gint64) (whole * 1000 + milli);
  if (negative)
    *value = -*value;
  return TRUE;
}

gboolean
stria_json_u64 (const char *p, const char *end, guint64 *value)
{
  guint64 v = 0;

  strip_quotes (&p, &end);
  if (p >= end)
    return FALSE;
  for (; p < end; p++)
    {
      if (!g_ascii_isdigit (*p))
        return FALSE;
      guint64 digit = (guint64) (*p - '0');
      if (v > (G_MAXUINT64 - digit) / 10)
        return FALSE;
      v = v * 10 + digit;
    }
  *value = v;
  return TRUE;
}

gboolean
stria_json_double (const char *p, const char *end, double *value)
{
  char text[64];
  char *stop;

  strip_quotes (&p, &end);
  if (p >= end || (gsize) (end - p) >= sizeof text
      || !(g_ascii_isdigit (*p) || *p == '-' || *p == '+' || *p == '.'))
    return FALSE;
  memcpy (text, p, (gsize) (end - p));
  text[end - p] = '\0';
  *value = g_ascii_strtod (text, &stop);
  return stop == text + (end - p) && isfinite (*value);
}

const char *
stria_json_skip_some (StriaJsonSkip *skip, const char *p, const char *end)
{
  for (; p < end; p++)
    {
      if (skip->in_string)
        {
          if (skip->after_backslash)
            skip->after_backslash = FALSE;
          else if (*p == '\\')
            skip->after_backslash = TRUE;
          else if (*p == '"')
            {
              skip->in_string = FALSE;
              if (skip->depth == 0)
                return p + 1;
            }
          continue;
        }
      switch (kind_of[(guint8) *p])
        {
        case QUOTE:
          skip->in_string = TRUE;
          skip->started = TRUE;
          break;
        case OPEN:
          skip->depth++;
          skip->started = TRUE;
          break;
        case CLOSE:
          if (skip->depth == 0)
            return p; /* the end of what holds a number or word */
          if (--skip->depth == 0)
            return p + 1;
          break;
        default:
          if (skip->depth == 0 && skip->started
              && (*p == ',' || *p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
            return p;
          skip->started = TRUE;
          break;
        }
    }
  return NULL;
}
