/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-table.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define KEPT_ROWS      500
#define GAP            2
#define LEAST_CUT      16
#define MAX_CELL_CHARS 4096

typedef struct
{
  char    *title;
  gboolean right;
  guint    width;
} Column;

struct _CliTable
{
  FILE      *file;
  GArray    *columns; /* Column */
  GPtrArray *cells;   /* the kept rows, row by row */
  gboolean   started; /* the head is out */
  gboolean   is_tty;
  guint      tty_width;
  guint      cut_column;
  guint64    n_cells;
};

static void
column_clear (gpointer data)
{
  g_free (((Column *) data)->title);
}

char *
cli_printable (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString         *out = NULL;

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_iscntrl (c) || g_unichar_type (c) == G_UNICODE_FORMAT
          || g_unichar_type (c) == G_UNICODE_LINE_SEPARATOR
          || g_unichar_type (c) == G_UNICODE_PARAGRAPH_SEPARATOR)
        {
          if (out == NULL)
            out = g_string_new_len (valid, p - valid);
          if (c == '\n')
            g_string_append (out, "\\n");
          else if (c == '\t')
            g_string_append (out, "\\t");
          else
            g_string_append_printf (out, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
        }
      else if (out != NULL)
        g_string_append_unichar (out, c);
    }
  return out != NULL ? g_string_free (out, FALSE) : g_steal_pointer (&valid);
}

static guint
char_width (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

static guint
text_width (const char *text)
{
  guint width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    width += char_width (g_utf8_get_char (p));
  return width;
}

/* Appends at most @room columns of @text; returns how many. */
static guint
append_cut (GString *line, const char *text, guint room)
{
  guint       width = text_width (text);
  guint       used = 0;
  const char *p = text;

  if (width <= room)
    {
      g_string_append (line, text);
      return width;
    }
  for (; *p != '\0'; p = g_utf8_next_char (p))
    {
      guint w = char_width (g_utf8_get_char (p));

      if (used + w + 1 > room)
        break;
      used += w;
    }
  g_string_append_len (line, text, p - text);
  g_string_append (line, "…");
  return used + 1;
}

static void
append_padding (GString *line, guint width, guint wanted)
{
  for (; width < wanted; width++)
    g_string_append_c (line, ' ');
}

static void
print_row (CliTable *self, const char *const *cells)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = &g_array_index (self->columns, Column, i);

      if (i > 0)
        append_padding (line, 0, GAP);
      if (column->right)
        {
          append_padding (line, text_width (cells[i]), column->width);
          g_string_append (line, cells[i]);
        }
      else
        {
          gboolean cut = self->is_tty && i == self->cut_column;
          guint    width = append_cut (line, cells[i], cut ? column->width : G_MAXUINT);

          append_padding (line, width, column->width);
        }
    }
  while (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
  g_string_append_c (line, '\n');
  fwrite (line->str, 1, line->len, self->file);
}

static void
find_widths (CliTable *self)
{
  guint n = self->columns->len;
  guint total = 0;

  for (guint i = 0; i < n; i++)
    {
      Column *column = &g_array_index (self->columns, Column, i);

      column->width = text_width (column->title);
      for (guint j = i; j < self->cells->len; j += n)
        column->width = MAX (column->width, text_width (g_ptr_array_index (self->cells, j)));
      total += column->width + (i > 0 ? GAP : 0);
      if (!column->right
          && (self->cut_column == G_MAXUINT
              || column->width > g_array_index (self->columns, Column, self->cut_column).width))
        self->cut_column = i;
    }

  if (self->is_tty && self->cut_column != G_MAXUINT && total > self->tty_width)
    {
      Column *column = &g_array_index (self->columns, Column, self->cut_column);
      guint   excess = total - self->tty_width;

      column->width = column->width > excess + LEAST_CUT ? column->width - excess
                                                         : MIN (column->width, LEAST_CUT);
    }
}

static void
start (CliTable *self)
{
  guint                   n = self->columns->len;
  g_autofree const char **titles = g_new0 (const char *, n + 1);

  find_widths (self);
  self->started = TRUE;

  for (guint i = 0; i < n; i++)
    titles[i] = g_array_index (self->columns, Column, i).title;
  if (self->is_tty)
    fputs ("\033[1m", self->file);
  print_row (self, titles);
  if (self->is_tty)
    fputs ("\033[0m", self->file);
}

static void
print_kept (CliTable *self)
{
  guint n = self->columns->len;

  for (guint i = 0; i + n <= self->cells->len; i += n)
    print_row (self, (const char *const *) &self->cells->pdata[i]);
  g_ptr_array_set_size (self->cells, 0);
}

CliTable *
cli_table_new (FILE *file)
{
  CliTable      *self = g_new0 (CliTable, 1);
  struct winsize size;

  self->file = file;
  self->columns = g_array_new (FALSE, TRUE, sizeof (Column));
  g_array_set_clear_func (self->columns, column_clear);
  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->cut_column = G_MAXUINT;
  self->tty_width = 80;
  self->is_tty = isatty (fileno (file)) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
  if (self->is_tty && ioctl (fileno (file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    self->tty_width = size.ws_col;
  return self;
}

void
cli_table_finish (CliTable *self)
{
  if (self->columns->len > 0)
    {
      if (!self->started)
        start (self);
      print_kept (self);
    }
  g_array_unref (self->columns);
  g_ptr_array_unref (self->cells);
  g_free (self);
}

void
cli_table_column (CliTable *self, const char *title, gboolean right)
{
  Column column = { .title = cli_printable (title), .right = right };

  g_array_append_val (self->columns, column);
}

void
cli_table_align_right (CliTable *self, guint column)
{
  if (!self->started)
    g_array_index (self->columns, Column, column).right = TRUE;
}

void
cli_table_take (CliTable *self, char *text)
{
  g_autofree char *owned = text;
  char            *cell = cli_printable (owned == NULL ? "" : owned);

  if (strlen (cell) > MAX_CELL_CHARS)
    {
      *g_utf8_find_prev_char (cell, cell + MAX_CELL_CHARS) = '\0';
      char *cut = g_strconcat (cell, "…", NULL);
      g_free (cell);
      cell = cut;
    }
  g_ptr_array_add (self->cells, cell);
  self->n_cells++;

  if (self->cells->len % self->columns->len == 0)
    {
      if (!self->started && self->cells->len / self->columns->len >= KEPT_ROWS)
        start (self);
      if (self->started)
        print_kept (self);
    }
}

void
cli_table_cell (CliTable *self, const char *text)
{
  cli_table_take (self, g_strdup (text));
}

guint64
cli_table_n_rows (CliTable *self)
{
  return self->columns->len == 0 ? 0 : self->n_cells / self->columns->len;
}

void
cli_csv_cell (FILE *file, gboolean first, const char *text, gsize length)
{
  gboolean quoted = FALSE;

  if (!first)
    fputc (',', file);
  for (gsize i = 0; i < length && !quoted; i++)
    quoted = strchr (",\"\r\n", text[i]) != NULL;
  if (!quoted)
    {
      fwrite (text, 1, length, file);
      return;
    }

  fputc ('"', file);
  for (gsize i = 0; i < length; i++)
    {
      if (text[i] == '"')
        fputc ('"', file);
      fputc (text[i], file);
    }
  fputc ('"', file);
}
