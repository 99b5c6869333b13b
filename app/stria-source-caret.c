/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that a person chooses in the text, what is said of them, and lines that do not fit the
 * capture. */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-format.h"
#include "stria-source-lines.h"
#include "stria-source-list.h"
#include "stria-source-view-private.h"

#define LINES_DELAY_MS 150
/* From its line, or the first decorator before it, to the one that has a function's name */
#define MAX_DECORATION 30
/* Longer texts are not gone through for what does not fit */
#define MAX_CHARACTERS (2 * 1024 * 1024)

static GtkTextBuffer *
buffer_of (StriaSourceView *self)
{
  return gtk_text_view_get_buffer (
      GTK_TEXT_VIEW (stria_source_page_get_text (STRIA_SOURCE_PAGE (self->page))));
}

static guint
caret_line (StriaSourceView *self)
{
  GtkTextIter iter;
  GtkTextBuffer *buffer = buffer_of (self);

  gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
  return (guint) gtk_text_iter_get_line (&iter) + 1;
}

void
stria_source_view_say_line (StriaSourceView *self)
{
  const guint line = caret_line (self);
  g_autofree char *all = stria_source_gutter_describe (self->gutter, line);
  g_autofree char *text = NULL;
  StriaSourceMetric metric;
  const guint32 *places;
  guint n = 0;

  places = self->index != NULL ? stria_source_index_places (self->index, self->file, line, line, &n)
                               : NULL;
  if (self->index != NULL && self->heat == NULL && stria_source_view_get_metric (self, &metric)
      && gtk_drop_down_get_selected (self->scope_chooser) == STRIA_SOURCE_SELECTED)
    text = g_strdup (_ ("No range is selected on the timeline"));
  else if (n > 0 && self->heat != NULL
           && !isnan (stria_source_heat_of_place (self->heat, places[0])))
    {
      const double value = stria_source_heat_of_place (self->heat, places[0]);
      const double whole = stria_source_heat_whole (self->heat);
      g_autofree char *number = stria_source_metric_format (
          stria_source_heat_get_metric (self->heat), value, FALSE);
      g_autofree char *share = stria_format_percent (whole > 0 ? value / whole : 0);

      /* Translators: number of a line, its value, and that as a share */
      text = g_strdup_printf (_ ("Line %u: %s, %s"), line, number, share);
    }
  gtk_label_set_label (self->status, text != NULL ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status), all);
}

/* -- choosing lines --------------------------------------------------------------------------- */

/* The line above that events name: traces of Python know where functions begin. */
static void
say_none (StriaSourceView *self, const char *text, guint line)
{
  guint n;
  const guint32 *places
      = stria_source_index_places (self->index, self->file, 0, line - 1, &n);
  g_autofree char *sentence = NULL;

  if (n == 0)
    {
      stria_source_lines_clear (STRIA_SOURCE_LINES (self->lines));
      return;
    }
  {
    const StriaSourcePlace above = stria_source_index_get_place (self->index, places[n - 1]);

    sentence = above.function != NULL
                   /* Translators: a line of source; number of a line, name of a function */
                   ? g_strdup_printf (_ ("%s: no event names it; the next above is line %u, %s"),
                                      text, above.line, above.function)
                   : g_strdup_printf (_ ("%s: no event names it; the next above is line %u"), text,
                                      above.line);
  }
  stria_source_lines_say (STRIA_SOURCE_LINES (self->lines), sentence);
}

void
stria_source_view_choose (StriaSourceView *self, const char *path, guint first, guint last)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = first == last ? g_strdup_printf ("%s:%u", name, first)
                                        : g_strdup_printf ("%s:%u–%u", name, first, last);
  const guint32 *places;
  guint32 file;
  guint n;

  if (self->index == NULL || !stria_source_index_has_events (self->index))
    return;
  file = stria_source_index_find_file (self->index, path);
  if (file == G_MAXUINT32)
    return;
  places = stria_source_index_places (self->index, file, first, last, &n);
  if (n > 0)
    stria_source_lines_choose (STRIA_SOURCE_LINES (self->lines), self->index, places, n, text);
  else
    say_none (self, text, first);
}

static gboolean
on_lines_delay (gpointer user_data)
{
  StriaSourceView *self = user_data;
  const char *path = stria_source_page_get_path (STRIA_SOURCE_PAGE (self->page));
  GtkTextIter start, end;
  guint last;

  self->lines_delay = 0;
  if (path == NULL || !stria_source_page_has_text (STRIA_SOURCE_PAGE (self->page)))
    return G_SOURCE_REMOVE;
  gtk_text_buffer_get_selection_bounds (buffer_of (self), &start, &end);
  last = (guint) gtk_text_iter_get_line (&end) + 1;
  /* A selection of whole lines ends where the next one begins */
  if (gtk_text_iter_starts_line (&end) && !gtk_text_iter_equal (&start, &end))
    last--;
  stria_source_view_choose (self, path, (guint) gtk_text_iter_get_line (&start) + 1, last);
  return G_SOURCE_REMOVE;
}

static void
on_mark_set (StriaSourceView *self, GtkTextIter *iter, GtkTextMark *mark)
{
  GtkTextBuffer *buffer = buffer_of (self);
  GtkWidget *text
      = GTK_WIDGET (stria_source_page_get_text (STRIA_SOURCE_PAGE (self->page)));

  if (mark != gtk_text_buffer_get_insert (buffer)
      && mark != gtk_text_buffer_get_selection_bound (buffer))
    return;
  stria_source_view_say_line (self);
  g_clear_handle_id (&self->lines_delay, g_source_remove);
  if (stria_source_page_is_moving (STRIA_SOURCE_PAGE (self->page))
      || gtk_widget_get_visible (self->find) || !gtk_widget_has_focus (text))
    return;
  self->lines_delay = g_timeout_add (LINES_DELAY_MS, on_lines_delay, self);
}

void
stria_source_view_watch_caret (StriaSourceView *self)
{
  g_signal_connect_object (buffer_of (self), "mark-set", G_CALLBACK (on_mark_set), self,
                           G_CONNECT_SWAPPED);
}

/* -- lines that do not fit -------------------------------------------------------------------- */

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (c & 0x80) != 0;
}

/* The first line of each word of a text, and how many lines it has */
static GHashTable *
words_of (const char *text, guint *n_lines)
{
  GHashTable *words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  *n_lines = 1;
  for (const char *p = text; *p != '\0';)
    {
      const char *begin = p;
      g_autofree char *word = NULL;

      while (is_word (*p))
        p++;
      if (p == begin)
        {
          *n_lines += *p == '\n';
          p++;
          continue;
        }
      word = g_strndup (begin, (gsize) (p - begin));
      if (!g_hash_table_contains (words, word))
        g_hash_table_insert (words, g_steal_pointer (&word), GUINT_TO_POINTER (*n_lines));
    }
  return words;
}

/* Whether a function of that name is said anywhere up to the place, or a little behind it where
 * decorators come first. What only Python itself names can't be told. */
static gboolean
fits (GHashTable *words, const StriaSourcePlace *place)
{
  const char *dot = strrchr (place->function, '.');
  const char *name = dot != NULL ? dot + 1 : place->function;
  guint first;

  for (const char *p = name; *p != '\0'; p++)
    if (!is_word (*p))
      return TRUE;
  first = GPOINTER_TO_UINT (g_hash_table_lookup (words, name));
  return *name == '\0' || (first > 0 && first <= place->line + MAX_DECORATION);
}

void
stria_source_view_find_doubts (StriaSourceView *self)
{
  g_autoptr (GHashTable) doubts = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) words = NULL;
  g_autofree char *text = NULL;
  g_autofree char *warning = NULL;
  const guint32 *places = NULL;
  GtkTextIter start, end;
  guint n = 0, n_behind = 0, n_lines;

  if (self->index != NULL && stria_source_page_has_text (STRIA_SOURCE_PAGE (self->page))
      && gtk_text_buffer_get_char_count (buffer_of (self)) <= MAX_CHARACTERS)
    places = stria_source_index_places (self->index, self->file, 0, G_MAXUINT32 - 1, &n);
  if (n > 0)
    {
      gtk_text_buffer_get_bounds (buffer_of (self), &start, &end);
      text = gtk_text_buffer_get_text (buffer_of (self), &start, &end, TRUE);
      words = words_of (text, &n_lines);
    }
  for (guint i = 0; i < n; i++)
    {
      const StriaSourcePlace place = stria_source_index_get_place (self->index, places[i]);

      if (place.line > n_lines)
        n_behind++;
      else if (place.function != NULL && !fits (words, &place))
        g_hash_table_add (doubts, GUINT_TO_POINTER (place.line));
    }
  stria_source_gutter_set_doubts (self->gutter, doubts);
  if (n_behind > 0)
    {
      g_autofree char *count = stria_format_count (n_behind);

      warning = g_strdup_printf (
          ngettext ("%s line that the capture names lies behind the end: another version",
                    "%s lines that the capture names lie behind the end: another version",
                    n_behind),
          count);
    }
  else if (g_hash_table_size (doubts) > 0)
    {
      const guint size = g_hash_table_size (doubts);
      g_autofree char *count = stria_format_count (size);

      warning = g_strdup_printf (ngettext ("%s function is not where the capture says: another version",
                                           "%s functions are not where the capture says: another "
                                           "version",
                                           size),
                                 count);
    }
  stria_source_page_set_warning (STRIA_SOURCE_PAGE (self->page), warning);
}
