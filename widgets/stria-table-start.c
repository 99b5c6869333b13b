/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-table-start.h"

#include "stria-paint-size.h"
#include "stria-table-sort.h"

#define TITLE_CHAR  8  /* pixels of a heading's letter */
#define TITLE_SPACE 34 /* beside it: padding, and the arrow of a sorted column */

/* Of an adjustment */
typedef struct
{
  GtkWidget *table; /* not owned: it holds the adjustment's handlers */
  double     away;  /* pixels from the start, which is the adjustment's end */
  gboolean   ours;
} Start;

static double
end_of (GtkAdjustment *adjustment)
{
  return MAX (gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment), 0);
}

static gboolean
is_mirrored (const Start *self)
{
  return gtk_widget_get_direction (self->table) == GTK_TEXT_DIR_RTL;
}

static void
on_changed (GtkAdjustment *adjustment, Start *self)
{
  if (!is_mirrored (self))
    return;
  self->ours = TRUE;
  gtk_adjustment_set_value (adjustment, MAX (end_of (adjustment) - self->away, 0));
  self->ours = FALSE;
}

static void
on_value_changed (GtkAdjustment *adjustment, Start *self)
{
  if (!self->ours)
    self->away = MAX (end_of (adjustment) - gtk_adjustment_get_value (adjustment), 0);
}

static void
start_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
on_adjustment (GtkWidget *table)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (table));
  Start *self;

  if (adjustment == NULL || g_object_get_data (G_OBJECT (adjustment), "stria-start") != NULL)
    return;
  self = g_new0 (Start, 1);
  self->table = table;
  g_object_set_data (G_OBJECT (adjustment), "stria-start", self);
  g_signal_connect (adjustment, "value-changed", G_CALLBACK (on_value_changed), self);
  g_signal_connect_data (adjustment, "changed", G_CALLBACK (on_changed), self, start_free, 0);
}

void
stria_table_keep_start (GtkWidget *table)
{
  g_return_if_fail (GTK_IS_COLUMN_VIEW (table));

  g_signal_connect (table, "notify::hadjustment", G_CALLBACK (on_adjustment), NULL);
  on_adjustment (table);
  stria_table_add_sort_key (table);
}

int
stria_table_width (int px, const char *title)
{
  const int least = (int) g_utf8_strlen (title, -1) * TITLE_CHAR + TITLE_SPACE;

  return (int) stria_text_px (MAX (px, least));
}
