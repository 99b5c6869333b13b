/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-json.h"

#include <math.h>
#include <string.h>

#define FLUSH_BYTES (64 << 10)

static void
flush (CliJson *json)
{
  fwrite (json->buffer->str, 1, json->buffer->len, json->file);
  g_string_truncate (json->buffer, 0);
}

static void
new_line (CliJson *json)
{
  g_string_append_c (json->buffer, '\n');
  for (guint i = 0; i < json->depth; i++)
    g_string_append (json->buffer, "  ");
}

static void
append_escaped (GString *out, const char *text, gsize length)
{
  g_autofree char *repaired = NULL;
  gsize            run = 0;

  if (!g_utf8_validate_len (text, length, NULL))
    {
      repaired = g_utf8_make_valid (text, (gssize) length);
      text = repaired;
      length = strlen (repaired);
    }

  for (gsize i = 0; i < length; i++)
    {
      guchar c = (guchar) text[i];

      if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
        continue;
      g_string_append_len (out, text + run, (gssize) (i - run));
      run = i + 1;
      switch (c)
        {
        case '"':
          g_string_append (out, "\\\"");
          break;
        case '\\':
          g_string_append (out, "\\\\");
          break;
        case '\n':
          g_string_append (out, "\\n");
          break;
        case '\r':
          g_string_append (out, "\\r");
          break;
        case '\t':
          g_string_append (out, "\\t");
          break;
        default:
          g_string_append_printf (out, "\\u%04x", c);
        }
    }
  g_string_append_len (out, text + run, (gssize) (length - run));
}

static void
begin_member (CliJson *json, const char *key)
{
  if (json->has_members[json->depth])
    g_string_append_c (json->buffer, ',');
  if (json->depth > 0 && json->depth <= json->line_depth)
    new_line (json);
  else if (json->has_members[json->depth])
    g_string_append_c (json->buffer, ' ');
  json->has_members[json->depth] = TRUE;

  if (key != NULL)
    {
      g_string_append_c (json->buffer, '"');
      append_escaped (json->buffer, key, strlen (key));
      g_string_append (json->buffer, "\": ");
    }
  if (json->buffer->len > FLUSH_BYTES)
    flush (json);
}

static void
begin_container (CliJson *json, const char *key, char bracket)
{
  begin_member (json, key);
  g_string_append_c (json->buffer, bracket);
  g_assert (json->depth + 1 < CLI_JSON_MAX_DEPTH);
  json->depth++;
  json->has_members[json->depth] = FALSE;
}

static void
end_container (CliJson *json, char bracket)
{
  gboolean was_filled = json->has_members[json->depth];
  gboolean in_lines = json->depth <= json->line_depth;

  g_assert (json->depth > 0);
  json->depth--;
  if (was_filled && in_lines)
    new_line (json);
  g_string_append_c (json->buffer, bracket);
}

void
cli_json_init (CliJson *json, FILE *file, guint line_depth)
{
  *json = (CliJson){ .file = file, .line_depth = line_depth };
  json->buffer = g_string_sized_new (FLUSH_BYTES + 4096);
}

void
cli_json_finish (CliJson *json)
{
  g_string_append_c (json->buffer, '\n');
  flush (json);
  g_string_free (json->buffer, TRUE);
  json->buffer = NULL;
}

void
cli_json_begin_object (CliJson *json, const char *key)
{
  begin_container (json, key, '{');
}

void
cli_json_end_object (CliJson *json)
{
  end_container (json, '}');
}

void
cli_json_begin_array (CliJson *json, const char *key)
{
  begin_container (json, key, '[');
}

void
cli_json_end_array (CliJson *json)
{
  end_container (json, ']');
}

void
cli_json_text (CliJson *json, const char *key, const char *value, gsize length)
{
  begin_member (json, key);
  g_string_append_c (json->buffer, '"');
  append_escaped (json->buffer, value, length);
  g_string_append_c (json->buffer, '"');
}

void
cli_json_string (CliJson *json, const char *key, const char *value)
{
  if (value == NULL)
    cli_json_null (json, key);
  else
    cli_json_text (json, key, value, strlen (value));
}

void
cli_json_int (CliJson *json, const char *key, gint64 value)
{
  begin_member (json, key);
  g_string_append_printf (json->buffer, "%" G_GINT64_FORMAT, value);
}

void
cli_json_uint (CliJson *json, const char *key, guint64 value)
{
  begin_member (json, key);
  g_string_append_printf (json->buffer, "%" G_GUINT64_FORMAT, value);
}

void
cli_json_double (CliJson *json, const char *key, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      cli_json_null (json, key);
      return;
    }

  begin_member (json, key);
  /* 15 digits where they say it all: 0.1 and not 0.10000000000000001 */
  g_ascii_formatd (digits, sizeof digits, "%.15g", value);
  if (g_ascii_strtod (digits, NULL) != value)
    g_ascii_dtostr (digits, sizeof digits, value);
  g_string_append (json->buffer, digits);
}

void
cli_json_bool (CliJson *json, const char *key, gboolean value)
{
  begin_member (json, key);
  g_string_append (json->buffer, value ? "true" : "false");
}

void
cli_json_null (CliJson *json, const char *key)
{
  begin_member (json, key);
  g_string_append (json->buffer, "null");
}

void
cli_json_us (CliJson *json, const char *key, gint64 ns)
{
  guint64 magnitude = ns < 0 ? 0 - (guint64) ns : (guint64) ns;

  begin_member (json, key);
  g_string_append_printf (json->buffer, "%s%" G_GUINT64_FORMAT ".%03u", ns < 0 ? "-" : "",
                          magnitude / 1000, (guint) (magnitude % 1000));
}

/* Returns: length of the word at @text that JSON does not know as a number, or 0 */
static gsize
bare_word (const char *text, gsize length)
{
  static const char *const words[] = { "NaN", "-NaN", "Infinity", "-Infinity", "nan", "-nan",
                                       "inf", "-inf" };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize n = strlen (words[i]);

      if (n <= length && memcmp (text, words[i], n) == 0
          && (n == length || !g_ascii_isalnum (text[n])))
        return n;
    }
  return 0;
}

static void
append_compact (GString *out, const char *text, gsize length)
{
  g_autofree char *repaired = NULL;
  gboolean         in_string = FALSE;
  gsize            run = 0; /* from here on, nothing is out yet */

  if (!g_utf8_validate_len (text, length, NULL))
    {
      repaired = g_utf8_make_valid (text, (gssize) length);
      text = repaired;
      length = strlen (repaired);
    }

  for (gsize i = 0; i < length; i++)
    {
      guchar c = (guchar) text[i];

      if (in_string)
        {
          if (c == '\\' && i + 1 < length && (guchar) text[i + 1] >= 0x20)
            i++;
          else if (c == '"')
            in_string = FALSE;
          else if (c < 0x20)
            {
              g_string_append_len (out, text + run, (gssize) (i - run));
              g_string_append_printf (out, "\\u%04x", c);
              run = i + 1;
            }
        }
      else if (c == '"')
        in_string = TRUE;
      else if (g_ascii_isspace (c))
        {
          g_string_append_len (out, text + run, (gssize) (i - run));
          run = i + 1;
        }
      else if (c == ',')
        {
          gsize next = i + 1;

          while (next < length && g_ascii_isspace (text[next]))
            next++;
          if (next < length && (text[next] == '}' || text[next] == ']'))
            {
              g_string_append_len (out, text + run, (gssize) (i - run));
              run = i + 1;
            }
        }
      else if (c == '-' || g_ascii_isalpha (c))
        {
          gsize n = bare_word (text + i, length - i);

          if (n > 0)
            {
              g_string_append_len (out, text + run, (gssize) (i - run));
              g_string_append_c (out, '"');
              g_string_append_len (out, text + i, (gssize) n);
              g_string_append_c (out, '"');
              run = i + n;
              i += n - 1;
            }
        }
    }
  g_string_append_len (out, text + run, (gssize) (length - run));
}

void
cli_json_trace_text (CliJson *json, const char *key, const char *text, gsize length)
{
  begin_member (json, key);
  append_compact (json->buffer, text, length);
}

char *
cli_json_compact (const char *text)
{
  GString *out = g_string_new (NULL);

  append_compact (out, text, strlen (text));
  return g_string_free (out, FALSE);
}
