/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-help-text.h"

#include <pango/pango.h>
#include <string.h>

#define FOLDER "/io/github/stria/Stria/help/"

static const char *const pages[]
    = { "captures", "timeline", "device",   "memory",  "allocator", "model",  "operators", "tables",
        "summary",  "source",   "profiles", "compare", "layouts",   "marks",  "keys",
        "command-line", NULL };

const char *const *
stria_help_pages (void)
{
  return pages;
}

gboolean
stria_help_has_page (const char *id)
{
  return g_strv_contains (pages, id);
}

const char *
stria_help_page_of_view (const char *view)
{
  if (g_strcmp0 (view, "timeline2") == 0)
    return "timeline";
  return view != NULL && stria_help_has_page (view) ? view : "captures";
}

/* Names of languages go from the closest on: "de_AT.UTF-8", "de_AT", "de", "C". */
char *
stria_help_load (const char *id)
{
  const char *const *languages = g_get_language_names ();

  for (guint i = 0; languages[i] != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf (FOLDER "%s/%s.md", languages[i], id);
      g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      gsize length;
      const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

      if (data != NULL)
        return g_strndup (data, length);
    }
  return NULL;
}

static void
block_free (gpointer data)
{
  StriaHelpBlock *block = data;

  g_free (block->markup);
  g_free (block->second);
  g_free (block);
}

/* -- within a line --------------------------------------------------------------------------- */

static void
append_escaped (GString *out, const char *text, gsize length)
{
  g_autofree char *escaped = g_markup_escape_text (text, (gssize) length);

  g_string_append (out, escaped);
}

/* A span between two marks of @width characters each. Returns: where it ends, NULL if it does not */
static const char *
append_span (GString *out, const char *p, const char *mark, const char *open, const char *close)
{
  const gsize width = strlen (mark);
  const char *end = strstr (p + width, mark);

  if (end == NULL)
    return NULL;
  g_string_append (out, open);
  append_escaped (out, p + width, (gsize) (end - p) - width);
  g_string_append (out, close);
  return end + width;
}

/* "[text](page)". Returns: where it ends, NULL if it is none */
static const char *
append_link (GString *out, const char *p)
{
  const char *middle = strstr (p, "](");
  const char *end = middle != NULL ? strchr (middle, ')') : NULL;
  g_autofree char *page = NULL;

  if (end == NULL || memchr (p, '\n', (gsize) (end - p)) != NULL)
    return NULL;
  page = g_markup_escape_text (middle + 2, end - middle - 2);
  g_string_append_printf (out, "<a href=\"%s\">", page);
  append_escaped (out, p + 1, (gsize) (middle - p) - 1);
  g_string_append (out, "</a>");
  return end + 1;
}

static char *
markup_of (const char *text)
{
  GString *out = g_string_new (NULL);
  const char *p = text;

  while (*p != '\0')
    {
      const char *next = NULL;

      if (*p == '`')
        next = append_span (out, p, "`", "<tt>", "</tt>");
      else if (p[0] == '*' && p[1] == '*')
        next = append_span (out, p, "**", "<b>", "</b>");
      else if (*p == '[')
        next = append_link (out, p);
      if (next == NULL)
        {
          next = g_utf8_next_char (p);
          append_escaped (out, p, (gsize) (next - p));
        }
      p = next;
    }
  return g_string_free (out, FALSE);
}

/* -- lines ----------------------------------------------------------------------------------- */

static void
take (GPtrArray *blocks, StriaHelpKind kind, char *markup, char *second)
{
  StriaHelpBlock *block = g_new (StriaHelpBlock, 1);

  *block = (StriaHelpBlock){ kind, markup, second };
  g_ptr_array_add (blocks, block);
}

/* Lines of one paragraph or item, which end at the next that is something else */
static void
flush (GPtrArray *blocks, GString *text, StriaHelpKind kind)
{
  if (text->len > 0)
    take (blocks, kind, markup_of (text->str), NULL);
  g_string_truncate (text, 0);
}

static void
parse_picture (GPtrArray *blocks, const char *line)
{
  const char *middle = strstr (line, "](");
  const char *end = middle != NULL ? strchr (middle, ')') : NULL;

  if (end != NULL)
    take (blocks, STRIA_HELP_PICTURE, g_strndup (middle + 2, (gsize) (end - middle) - 2),
          g_strndup (line + 2, (gsize) (middle - line) - 2));
}

/* "| key | what it does |"; lines of dashes between head and body say nothing. */
static void
parse_row (GPtrArray *blocks, const char *line)
{
  g_auto (GStrv) cells = g_strsplit (line, "|", 4);

  if (g_strv_length (cells) < 4 || strstr (line, "---") != NULL)
    return;
  take (blocks, STRIA_HELP_ROW, markup_of (g_strstrip (cells[1])),
        markup_of (g_strstrip (cells[2])));
}

GPtrArray *
stria_help_parse (const char *text)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func (block_free);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) open = g_string_new (NULL);
  StriaHelpKind kind = STRIA_HELP_PARAGRAPH;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = g_strchomp (lines[i]);
      const gboolean is_item = g_str_has_prefix (line, "- ");

      if (*line != '\0' && strchr ("#|", *line) == NULL && !is_item
          && !g_str_has_prefix (line, "![") && !g_str_has_prefix (line, "<!--"))
        {
          if (open->len > 0)
            g_string_append_c (open, ' ');
          g_string_append (open, g_strchug (line));
          continue;
        }
      flush (blocks, open, kind);
      kind = is_item ? STRIA_HELP_ITEM : STRIA_HELP_PARAGRAPH;
      if (is_item)
        g_string_append (open, line + 2);
      else if (g_str_has_prefix (line, "## "))
        take (blocks, STRIA_HELP_HEADING, markup_of (line + 3), NULL);
      else if (g_str_has_prefix (line, "# "))
        take (blocks, STRIA_HELP_TITLE, markup_of (line + 2), NULL);
      else if (*line == '|')
        parse_row (blocks, line);
      else if (g_str_has_prefix (line, "!["))
        parse_picture (blocks, line);
    }
  flush (blocks, open, kind);
  return blocks;
}

char *
stria_help_plain (const StriaHelpBlock *block)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (block->kind == STRIA_HELP_PICTURE)
    return g_strdup (block->second);
  if (!pango_parse_markup (block->markup, -1, 0, NULL, &first, NULL, NULL))
    return NULL;
  if (block->second == NULL)
    return g_steal_pointer (&first);
  pango_parse_markup (block->second, -1, 0, NULL, &second, NULL, NULL);
  return g_strdup_printf ("%s: %s", first, second != NULL ? second : "");
}
