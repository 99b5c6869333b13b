/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-compare-page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-capture-page.h"
#include "stria-choosers.h"
#include "stria-compare-dialog.h"
#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-retell.h"
#include "stria-timeline.h"
#include "stria-trace-compare-jobs.h"
#include "stria-trace-compare-link.h"
#include "stria-trace-compare-slot.h"
#include "stria-trace-compare-table.h"

/* What is visible may move for a while before it is summed. */
#define RUN_DELAY_MS 250

struct _StriaTraceComparePage
{
  GtkWidget parent_instance;

  StriaSession      *window_session;
  GPtrArray         *slots; /* StriaTraceCompareSlot, owned by the box */
  StriaTraceLink    *link;
  StriaTraceCompare *compare;
  guint              base;
  GCancellable      *cancellable; /* of the comparison */
  GCancellable      *finding;     /* of events */
  guint              run_timeout;
  gboolean           sizing;      /* header widths */
  gboolean           placed;      /* the divider */
  /* What captures are counted from in the mode of events; of @compare */
  const StriaTraceRow *anchor_row;

  GtkWidget     *stack;
  GtkWidget     *timelines;
  GtkWidget     *paned;
  GtkWidget     *table;
  GtkWidget     *add_button;
  GtkDropDown   *mode;
  GtkWidget     *ordinal;
  GtkLabel      *hint;
};

G_DEFINE_FINAL_TYPE (StriaTraceComparePage, stria_trace_compare_page, GTK_TYPE_WIDGET)

static StriaTraceCompareSlot *
slot (StriaTraceComparePage *self, guint i)
{
  return STRIA_TRACE_COMPARE_SLOT (g_ptr_array_index (self->slots, i));
}

static gboolean
all_are_ready (StriaTraceComparePage *self)
{
  for (guint i = 0; i < self->slots->len; i++)
    if (!stria_trace_compare_slot_is_ready (slot (self, i)))
      return FALSE;
  return self->slots->len > 1;
}

gboolean
stria_trace_compare_page_is_comparing (StriaTraceComparePage *self)
{
  return self->slots->len > 1;
}

/* -- the tables ------------------------------------------------------------------------------ */

static void
show_compare (StriaTraceComparePage *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) titles = NULL;

  for (guint i = 0; i < self->slots->len; i++)
    {
      g_autofree char *title = stria_trace_compare_slot_dup_title (slot (self, i));

      g_strv_builder_add (builder, title);
    }
  titles = g_strv_builder_end (builder);
  stria_trace_compare_table_set (STRIA_TRACE_COMPARE_TABLE (self->table), self->compare,
                                 self->base, (const char *const *) titles);
}

static void
forget (StriaTraceComparePage *self)
{
  g_cancellable_cancel (self->finding);
  self->anchor_row = NULL;
  g_clear_pointer (&self->compare, stria_trace_compare_unref);
}

static void update_mode (StriaTraceComparePage *self);

static void
on_compared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaTraceComparePage) self = user_data;
  const gboolean stale = g_task_get_cancellable (G_TASK (result)) != self->cancellable;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaTraceCompare) compare = g_task_propagate_pointer (G_TASK (result), &error);

  if (stale || self->stack == NULL)
    return;
  g_clear_object (&self->cancellable);
  forget (self);
  self->compare = g_steal_pointer (&compare);
  if (self->compare == NULL)
    stria_trace_compare_table_set_note (STRIA_TRACE_COMPARE_TABLE (self->table), error->message);
  show_compare (self);
  update_mode (self);
}

static void
run (StriaTraceComparePage *self)
{
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_object_unref);
  const gboolean visible
      = stria_trace_compare_table_is_visible_only (STRIA_TRACE_COMPARE_TABLE (self->table));
  StriaTraceSpan spans[STRIA_TRACE_COMPARE_MAX];

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (!all_are_ready (self))
    return;
  for (guint i = 0; i < self->slots->len; i++)
    {
      StriaSession *session = stria_trace_compare_slot_get_session (slot (self, i));

      g_ptr_array_add (captures, g_object_ref (stria_session_get_capture (session)));
      stria_session_get_view (session, &spans[i].t0, &spans[i].t1);
    }
  self->cancellable = g_cancellable_new ();
  stria_trace_compare_run (captures, visible ? spans : NULL, self->cancellable, on_compared,
                           g_object_ref (self));
}

static gboolean
on_run_timeout (gpointer user_data)
{
  StriaTraceComparePage *self = user_data;

  self->run_timeout = 0;
  run (self);
  return G_SOURCE_REMOVE;
}

static void
run_soon (StriaTraceComparePage *self)
{
  g_clear_handle_id (&self->run_timeout, g_source_remove);
  self->run_timeout = g_timeout_add (RUN_DELAY_MS, on_run_timeout, self);
}

/* -- how they move together ------------------------------------------------------------------ */

static void
set_hint (StriaTraceComparePage *self, const char *text)
{
  gtk_label_set_label (self->hint, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->hint), text);
}

static void
update_mode (StriaTraceComparePage *self)
{
  const StriaLinkMode mode = (StriaLinkMode) gtk_drop_down_get_selected (self->mode);
  gboolean is_wall = FALSE;

  stria_trace_link_set_mode (self->link, mode);
  gtk_widget_set_visible (self->ordinal, mode == STRIA_LINK_EVENT && self->anchor_row != NULL);
  switch (mode)
    {
    case STRIA_LINK_CLOCK:
      if (!stria_trace_link_overlaps (self->link, &is_wall))
        set_hint (self, is_wall ? _ ("The captures have no wall time in common")
                                : _ ("The captures have no time in common; not all say what their "
                                     "clocks count from"));
      else
        set_hint (self, is_wall ? _ ("Wall time") : _ ("Times as the files have them"));
      break;
    case STRIA_LINK_SHARE:
      set_hint (self, _ ("Time is stretched: as long as the first"));
      break;
    case STRIA_LINK_EVENT:
      if (self->anchor_row == NULL)
        set_hint (self, _ ("Select an event or a name that all captures have"));
      break;
    case STRIA_LINK_START:
    default:
      set_hint (self, "");
      break;
    }
}

static void
on_mode (StriaTraceComparePage *self)
{
  update_mode (self);
  stria_trace_link_fit (self->link);
}

typedef struct
{
  StriaTraceComparePage *page;
  const StriaTraceRow   *row;
  gboolean               shows_match;
} Finding;

static void
show_anchor (StriaTraceComparePage *self, const StriaTraceRow *row,
             const StriaComparedEvents *found)
{
  guint least = G_MAXUINT;
  g_autofree char *text = NULL;

  for (guint i = 0; i < found->n; i++)
    least = MIN (least, found->counts[i]);
  if (found->ordinal == 0 || least == 0)
    {
      set_hint (self, _ ("Not all captures have this"));
      return;
    }
  self->anchor_row = row;
  stria_trace_link_set_anchors (self->link, found->times, found->has, found->n);
  g_signal_handlers_block_matched (self->ordinal, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->ordinal), 1, least);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->ordinal), found->ordinal);
  g_signal_handlers_unblock_matched (self->ordinal, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self);
  gtk_widget_set_visible (self->ordinal, TRUE);
  /* Translators: number of an event in the spin button before it, how many there are, their name */
  text = g_strdup_printf (_ ("of %u: %s"), least, row->name);
  set_hint (self, text);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Finding *finding = user_data;
  g_autoptr (StriaTraceComparePage) self = finding->page;
  const gboolean stale = g_task_get_cancellable (G_TASK (result)) != self->finding
                         || g_cancellable_is_cancelled (self->finding);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaComparedEvents) found = g_task_propagate_pointer (G_TASK (result), &error);

  if (stale || self->stack == NULL || found == NULL || found->n != self->slots->len)
    return;
  for (guint i = 0; finding->shows_match && i < found->n; i++)
    stria_session_show_match (stria_trace_compare_slot_get_session (slot (self, i)),
                              found->matches[i]);
  if (gtk_drop_down_get_selected (self->mode) == STRIA_LINK_EVENT)
    show_anchor (self, finding->row, found);
}

static void
find_events (StriaTraceComparePage *self, const StriaTraceRow *row, guint trace, StriaRef ref,
             guint ordinal, gboolean shows_match)
{
  Finding *finding = g_new0 (Finding, 1);

  finding->page = g_object_ref (self);
  finding->row = row;
  finding->shows_match = shows_match;
  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
  self->finding = g_cancellable_new ();
  stria_trace_compare_find_events (self->compare, row, trace, ref, ordinal, self->finding,
                                   on_found, finding);
}

static void
on_row_chosen (StriaTraceComparePage *self, gpointer row)
{
  g_cancellable_cancel (self->finding);
  if (row != NULL && self->compare != NULL)
    find_events (self, row, 0, STRIA_REF_NONE, 1, TRUE);
  else
    for (guint i = 0; i < self->slots->len; i++)
      if (stria_trace_compare_slot_get_session (slot (self, i)) != NULL)
        stria_session_show_match (stria_trace_compare_slot_get_session (slot (self, i)), NULL);
}

static void
on_ordinal (StriaTraceComparePage *self)
{
  if (self->compare != NULL && self->anchor_row != NULL)
    find_events (self, self->anchor_row, 0, STRIA_REF_NONE,
                 (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->ordinal)),
                 FALSE);
}

/* An event that is selected is what captures are counted from, in the mode of events. */
static void
on_selection (StriaSession *session, StriaTraceComparePage *self)
{
  const StriaRef ref = stria_session_get_selection (session);
  StriaTrace *trace = stria_session_get_trace (session);
  const StriaColumns *c;

  if (stria_ref_is_none (ref) || self->compare == NULL || trace == NULL)
    return;
  c = stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane));
  for (guint i = 0; c != NULL && i < self->slots->len && i < self->compare->n; i++)
    if (stria_trace_compare_slot_get_session (slot (self, i)) == session
        && self->compare->traces[i] == trace)
      {
        const StriaTraceRow *row = stria_trace_compare_find (
            self->compare, i, c->category[ref.index], c->name[ref.index]);

        if (row != NULL && gtk_drop_down_get_selected (self->mode) == STRIA_LINK_EVENT)
          find_events (self, row, i, ref, 0, FALSE);
      }
}

static void
on_view_changed (StriaTraceComparePage *self)
{
  if (stria_trace_compare_table_is_visible_only (STRIA_TRACE_COMPARE_TABLE (self->table)))
    run_soon (self);
}

/* Lanes begin at one place, so that time stands above time. */
static void
on_header_width (StriaTraceComparePage *self, StriaTimeline *timeline)
{
  if (self->sizing)
    return;
  self->sizing = TRUE;
  for (guint i = 0; i < self->slots->len; i++)
    {
      GtkWidget *other = stria_trace_compare_slot_get_timeline (slot (self, i));

      if (other != NULL && other != GTK_WIDGET (timeline))
        stria_timeline_set_header_width (STRIA_TIMELINE (other),
                                         stria_timeline_get_header_width (timeline));
    }
  self->sizing = FALSE;
}

/* -- the captures ---------------------------------------------------------------------------- */

static void
update_slots (StriaTraceComparePage *self)
{
  const gboolean comparing = self->slots->len > 1;
  const int height = gtk_widget_get_height (GTK_WIDGET (self));

  /* Half for the tables, as long as nobody moves it */
  if (comparing && !self->placed && height > 0)
    {
      self->placed = TRUE;
      gtk_paned_set_position (GTK_PANED (self->paned), height / 2);
    }
  for (guint i = 0; i < self->slots->len; i++)
    stria_trace_compare_slot_set_number (slot (self, i), i + 1, i == self->base);
  gtk_widget_set_sensitive (self->add_button, self->slots->len < STRIA_TRACE_COMPARE_MAX);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), comparing ? "compare" : "empty");
}

static void
on_ready (StriaTraceComparePage *self, StriaTraceCompareSlot *of)
{
  StriaSession *session = stria_trace_compare_slot_get_session (of);

  if (g_object_get_data (G_OBJECT (session), "linked") == NULL)
    {
      g_object_set_data (G_OBJECT (session), "linked", GINT_TO_POINTER (TRUE));
      g_signal_connect_object (session, "selection-changed", G_CALLBACK (on_selection), self, 0);
      g_signal_connect_object (session, "view-changed", G_CALLBACK (on_view_changed), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (stria_trace_compare_slot_get_timeline (of), "header-width-changed",
                               G_CALLBACK (on_header_width), self, G_CONNECT_SWAPPED);
      stria_trace_link_add (self->link, session);
    }
  update_mode (self);
  stria_trace_link_fit (self->link);
  run_soon (self);
}

static void
on_remove (StriaTraceComparePage *self, StriaTraceCompareSlot *of)
{
  guint i;

  if (!g_ptr_array_find (self->slots, of, &i))
    return;
  forget (self);
  show_compare (self);
  if (stria_trace_compare_slot_get_session (of) != NULL)
    stria_trace_link_remove (self->link, stria_trace_compare_slot_get_session (of));
  g_ptr_array_remove_index (self->slots, i);
  self->base = self->base == i ? 0 : self->base > i ? self->base - 1 : self->base;
  gtk_box_remove (GTK_BOX (self->timelines), GTK_WIDGET (of));
  update_slots (self);
  run_soon (self);
}

static void
on_base (StriaTraceComparePage *self, StriaTraceCompareSlot *of)
{
  if (!g_ptr_array_find (self->slots, of, &self->base))
    return;
  update_slots (self);
  show_compare (self);
}

static void
add_slot (StriaTraceComparePage *self, GtkWidget *widget)
{
  g_ptr_array_add (self->slots, widget);
  g_signal_connect_object (widget, "ready", G_CALLBACK (on_ready), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (widget, "remove", G_CALLBACK (on_remove), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (widget, "base", G_CALLBACK (on_base), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->timelines), widget);
  update_slots (self);
}

void
stria_trace_compare_page_add (StriaTraceComparePage *self, const char *const *paths)
{
  g_return_if_fail (STRIA_IS_TRACE_COMPARE_PAGE (self));

  if (self->slots->len >= STRIA_TRACE_COMPARE_MAX)
    return;
  /* The window's capture has its own session here from the first comparison on. */
  if (self->slots->len == 0)
    {
      GtkWidget *first
          = stria_trace_compare_slot_new_open (stria_session_get_capture (self->window_session));

      add_slot (self, first);
      if (stria_trace_compare_slot_is_ready (STRIA_TRACE_COMPARE_SLOT (first)))
        on_ready (self, STRIA_TRACE_COMPARE_SLOT (first));
    }
  forget (self);
  stria_trace_compare_table_set_note (STRIA_TRACE_COMPARE_TABLE (self->table),
                                      _ ("The captures are compared when all are read"));
  show_compare (self);
  add_slot (self, stria_trace_compare_slot_new (paths));
}

static void
on_chosen (gpointer owner, const char *const *paths)
{
  stria_trace_compare_page_add (STRIA_TRACE_COMPARE_PAGE (owner), paths);
}

void
stria_trace_compare_page_ask (StriaTraceComparePage *self)
{
  GtkWidget *page;

  g_return_if_fail (STRIA_IS_TRACE_COMPARE_PAGE (self));

  if (self->slots->len >= STRIA_TRACE_COMPARE_MAX)
    {
      stria_tell (GTK_WIDGET (self), _ ("More than four captures can't be compared at once"));
      return;
    }
  page = gtk_widget_get_ancestor (GTK_WIDGET (self), STRIA_TYPE_CAPTURE_PAGE);
  stria_compare_dialog_present (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                _ ("Choose a capture, or drop it here. Its timeline is shown below "
                                   "this one, with a table of what got slower and faster."),
                                page != NULL ? (const char *const *) stria_capture_page_get_paths (
                                                   STRIA_CAPTURE_PAGE (page))
                                             : NULL,
                                on_chosen, self);
}

/* -- the widget ------------------------------------------------------------------------------ */

static GtkWidget *
bar_new (StriaTraceComparePage *self)
{
  const char *const modes[] = { _ ("From Their Starts"), _ ("Same Share"), _ ("Same Clock"),
                                _ ("From an Event"), NULL };
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *hint = gtk_label_new (NULL);
  GtkWidget *mode = gtk_drop_down_new_from_strings (modes);

  gtk_widget_add_css_class (bar, "panel-header");
  gtk_widget_set_valign (mode, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (mode, _ ("How timelines move together: from where each begins, the "
                                        "same share of each, the same time on the clock, or from an "
                                        "event that all have"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (mode), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("How timelines move together"), -1);
  g_signal_connect_swapped (mode, "notify::selected", G_CALLBACK (on_mode), self);
  self->ordinal = gtk_spin_button_new_with_range (1, 1, 1);
  gtk_widget_set_valign (self->ordinal, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->ordinal, FALSE);
  gtk_widget_set_tooltip_text (self->ordinal, _ ("Which of them, in order of time"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->ordinal), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Which of the events"), -1);
  g_signal_connect_swapped (self->ordinal, "value-changed", G_CALLBACK (on_ordinal), self);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_label_set_ellipsize (GTK_LABEL (hint), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_set_hexpand (hint, TRUE);
  self->add_button = gtk_button_new_with_mnemonic (_ ("_Add Capture…"));
  gtk_widget_set_valign (self->add_button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->add_button,
                               _ ("Compare with another capture, too; up to four (Ctrl+D)"));
  stria_key_tooltip (self->add_button, "win.compare");
  g_signal_connect_swapped (self->add_button, "clicked",
                            G_CALLBACK (stria_trace_compare_page_ask), self);
  self->mode = GTK_DROP_DOWN (mode);
  self->hint = GTK_LABEL (hint);
  gtk_box_append (GTK_BOX (bar), mode);
  gtk_box_append (GTK_BOX (bar), self->ordinal);
  gtk_box_append (GTK_BOX (bar), hint);
  gtk_box_append (GTK_BOX (bar), self->add_button);
  return bar;
}

static GtkWidget *
empty_new (StriaTraceComparePage *self)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Choose a Capture…"));

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "view-dual-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _ ("Compare Captures"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page),
                                   _ ("Timelines above each other, and what got slower"));
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "pill");
  gtk_widget_add_css_class (button, "suggested-action");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (stria_trace_compare_page_ask), self);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), button);
  return page;
}

static gboolean
on_find_key (GtkWidget *widget, GVariant *args, gpointer data)
{
  StriaTraceComparePage *self = STRIA_TRACE_COMPARE_PAGE (widget);

  stria_trace_compare_table_focus_filter (STRIA_TRACE_COMPARE_TABLE (self->table));
  return TRUE;
}

static void
stria_trace_compare_page_dispose (GObject *object)
{
  StriaTraceComparePage *self = STRIA_TRACE_COMPARE_PAGE (object);

  g_clear_handle_id (&self->run_timeout, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
  g_clear_pointer (&self->link, stria_trace_link_free);
  g_clear_pointer (&self->compare, stria_trace_compare_unref);
  g_clear_pointer (&self->slots, g_ptr_array_unref);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_object (&self->window_session);
  G_OBJECT_CLASS (stria_trace_compare_page_parent_class)->dispose (object);
}

static void
stria_trace_compare_page_class_init (StriaTraceComparePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_trace_compare_page_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_slash, GDK_SHIFT_MASK, on_find_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_t, GDK_CONTROL_MASK, on_find_key, NULL);
}

static void
stria_trace_compare_page_init (StriaTraceComparePage *self)
{
  self->slots = g_ptr_array_new ();
  self->link = stria_trace_link_new ();
}

GtkWidget *
stria_trace_compare_page_new (StriaSession *session)
{
  StriaTraceComparePage *self = g_object_new (STRIA_TYPE_TRACE_COMPARE_PAGE, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->window_session = g_object_ref (session);
  self->timelines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->table = stria_trace_compare_table_new ();
  gtk_widget_set_size_request (self->table, -1, 120);
  stria_retell_connect (self, G_CALLBACK (show_compare));
  g_signal_connect_object (self->table, "row-chosen", G_CALLBACK (on_row_chosen), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "scope-changed", G_CALLBACK (run_soon), self,
                           G_CONNECT_SWAPPED);
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (self->paned), self->timelines);
  gtk_paned_set_end_child (GTK_PANED (self->paned), self->table);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  gtk_widget_set_vexpand (self->paned, TRUE);
  gtk_box_append (GTK_BOX (box), bar_new (self));
  gtk_box_append (GTK_BOX (box), self->paned);
  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), empty_new (self), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), box, "compare");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
