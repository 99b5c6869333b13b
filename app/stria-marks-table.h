/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MARK_ITEM (stria_mark_item_get_type ())
G_DECLARE_FINAL_TYPE (StriaMarkItem, stria_mark_item, STRIA, MARK_ITEM, GObject)

/* A row of a table of things on the timeline. */
StriaMarkItem *stria_mark_item_new      (guint64 id, guint n_cells);
guint64        stria_mark_item_get_id   (StriaMarkItem *self);
/* @text: (transfer full). @key: what it is sorted by, NAN sorts by the text. @tooltip: (nullable)
 * (transfer full) */
void           stria_mark_item_set_cell (StriaMarkItem *self, guint i, char *text, double key,
                                         char *tooltip);
const char    *stria_mark_item_get_text (StriaMarkItem *self, guint i);
/* A dot of this colour before the first cell */
void           stria_mark_item_set_color (StriaMarkItem *self, guint32 rgb);

#define STRIA_TYPE_MARKS_TABLE (stria_marks_table_get_type ())
G_DECLARE_FINAL_TYPE (StriaMarksTable, stria_marks_table, STRIA, MARKS_TABLE, GtkWidget)

/**
 * StriaMarksTable:
 *
 * A table of things that have a place in time: sorted by any column, filtered by the text of the
 * first one, one row selected. Summary rows stay on top, whatever it is sorted by.
 *
 * Signals: "activated" (StriaMarkItem *): Enter or a double click; "selected": another row is.
 */
GtkWidget     *stria_marks_table_new         (const char *label);
/* @titles: one a column, NULL last; the first takes the room that is left, and is text. Those of
 * which
 * @is_text is not 0 are text too, and grow where it is 2. Columns that are there are replaced. */
void           stria_marks_table_set_columns (StriaMarksTable *self, const char *const *titles,
                                              const guint8 *is_text);
void           stria_marks_table_sort_by     (StriaMarksTable *self, guint column, gboolean descending);
/* @items, @summary: (element-type StriaMarkItem) (nullable). The row with the same id stays
 * selected. */
void           stria_marks_table_set_items   (StriaMarksTable *self, GPtrArray *items,
                                              GPtrArray *summary);
void           stria_marks_table_set_filter  (StriaMarksTable *self, const char *text);
/* Returns: (transfer none) (nullable): never one of the summary */
StriaMarkItem *stria_marks_table_get_selected (StriaMarksTable *self);
void           stria_marks_table_select      (StriaMarksTable *self, guint64 id);

/* Shows a stretch of time or a moment: moves there if it is not in sight. @zoom: as large as it
 * goes */
void           stria_marks_show_time         (StriaSession *session, gint64 t0, gint64 t1,
                                              gboolean zoom);
/* Since the beginning of what the ruler counts from. Returns: (transfer full) */
char          *stria_marks_format_time       (StriaSession *session, gint64 ns);
gint64         stria_marks_origin            (StriaSession *session);

G_END_DECLS
