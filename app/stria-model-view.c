/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-view-private.h"

#include <glib/gi18n-lib.h>

#include "stria-capture-page.h"
#include "stria-choosers.h"
#include "stria-compare-dialog.h"
#include "stria-focus.h"
#include "stria-key-bindings.h"
#include "stria-model-bar.h"
#include "stria-model-compare-banner.h"
#include "stria-model-counters.h"
#include "stria-model-details.h"
#include "stria-model-export-menu.h"
#include "stria-model-legend.h"
#include "stria-model-notes.h"
#include "stria-model-slices.h"
#include "stria-model-table.h"
#include "stria-model-text.h"
#include "stria-paint-size.h"

#define DETAILS_WIDTH  ((int) stria_text_px (300))
#define DETAILS_HEIGHT ((int) stria_text_px (160)) /* where they lie below */
#define NARROW_WIDTH   ((int) stria_text_px (760)) /* below it the details lie below the graphs */

G_DEFINE_FINAL_TYPE (StriaModelView, stria_model_view, GTK_TYPE_WIDGET)

static gboolean
has_rows (StriaCapture *capture, const StriaFactTableNumber *tables, guint n_tables)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaFacts *facts = stria_capture_ref_facts (capture, i);
      gboolean has = FALSE;

      for (guint t = 0; facts != NULL && t < n_tables; t++)
        has = has || stria_facts_size (facts, tables[t]) > 0;
      g_clear_pointer (&facts, stria_facts_unref);
      if (has)
        return TRUE;
    }
  return FALSE;
}

gboolean
stria_model_view_has_graphs (StriaCapture *capture)
{
  static const StriaFactTableNumber tables[] = { STRIA_TABLE_GRAPH, STRIA_TABLE_NX_SEGMENT };

  return has_rows (capture, tables, G_N_ELEMENTS (tables));
}

gboolean
stria_model_view_has_data (StriaCapture *capture)
{
  static const StriaFactTableNumber tables[]
      = { STRIA_TABLE_GRAPH, STRIA_TABLE_NX_SEGMENT, STRIA_TABLE_DUMP };

  return has_rows (capture, tables, G_N_ELEMENTS (tables));
}

static void
update_banner (StriaModelView *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  GtkMessageType type = GTK_MESSAGE_INFO;
  g_autofree char *text = index != NULL ? stria_model_notes_text (index, &type) : NULL;

  gtk_label_set_label (self->banner_label, text != NULL ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->banner_label), text);
  gtk_info_bar_set_message_type (self->banner, type);
  gtk_info_bar_set_revealed (self->banner, text != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->banner), text != NULL);
}

static void
go_to_slice (StriaModelView *self)
{
  const StriaRef ref = self->wanted;
  guint32 entity;

  self->wanted = STRIA_REF_NONE;
  if (stria_ref_is_none (ref))
    return;
  entity = stria_model_entity_of_slice (self->state, self->session, ref);
  if (entity != STRIA_NO_REF)
    stria_model_state_go (self->state, entity);
  else
    stria_tell (GTK_WIDGET (self), _ ("Nothing in the model is timed by this event"));
}

static void
show_event_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaModelView *self = STRIA_MODEL_VIEW (widget);

  if (!stria_model_show_event (widget, self->state, self->session,
                               g_variant_get_uint32 (parameter)))
    stria_tell (widget, _ ("The timeline does not have this event"));
}

static void
on_profile_changed (StriaModelView *self)
{
  const char *error = stria_model_state_get_error (self->state);
  StriaModelIndex *index = stria_model_state_get_index (self->state);

  update_banner (self);
  if (error != NULL)
    {
      g_autofree char *markup = g_markup_escape_text (error, -1);

      adw_status_page_set_description (self->error_page, markup);
    }
  gtk_stack_set_visible_child_name (self->graphs, index != NULL ? "panes" : "error");
  go_to_slice (self);
}

static guint64
shown_graphs (StriaModelView *self)
{
  guint graph;

  if (!stria_model_compare_parts_is_active (self->compared))
    return stria_model_panes_shown (self->panes);
  graph = stria_model_compare_parts_get_graph (self->compared);
  return graph < 64 ? G_GUINT64_CONSTANT (1) << graph : 0;
}

static void
on_shown (StriaModelView *self)
{
  const gboolean seen
      = g_strcmp0 (gtk_stack_get_visible_child_name (self->pages), "graphs") == 0;

  if (self->legend != NULL)
    stria_model_legend_update (STRIA_MODEL_LEGEND (self->legend),
                               seen ? shown_graphs (self) : 0);
}

static void
on_compared (StriaModelView *self)
{
  const gboolean active = stria_model_compare_parts_is_active (self->compared);

  stria_model_legend_set_state (STRIA_MODEL_LEGEND (self->legend),
                                active ? stria_model_compare_get_state (
                                    stria_model_compare_parts_get_compare (self->compared), FALSE)
                                       : self->state);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "model.end-compare", active);
  on_shown (self);
}

/* Whoever asks to see something sees the graphs. */
static void
on_reveal (StriaModelView *self)
{
  gtk_stack_set_visible_child_name (self->pages, "graphs");
}

static void
on_banner_response (StriaModelView *self, int response)
{
  if (response == GTK_RESPONSE_CLOSE)
    gtk_info_bar_set_revealed (self->banner, FALSE);
  else
    gtk_stack_set_visible_child_name (self->pages, "notes");
}

void
stria_model_view_compare_with (StriaModelView *self, const char *const *paths)
{
  StriaModelPane *pane = stria_model_panes_current (self->panes);

  if (pane != NULL && !stria_model_compare_parts_is_active (self->compared))
    stria_model_compare_parts_show (self->compared, stria_model_pane_get_graph (pane));
  stria_model_compare_open (stria_model_compare_parts_get_compare (self->compared), paths);
}

static void
on_compare_chosen (gpointer owner, const char *const *paths)
{
  stria_model_view_compare_with (STRIA_MODEL_VIEW (owner), paths);
}

static void
compare_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaModelView *self = STRIA_MODEL_VIEW (widget);
  GtkWidget *page = gtk_widget_get_ancestor (widget, STRIA_TYPE_CAPTURE_PAGE);
  char **paths = page != NULL ? stria_capture_page_get_paths (STRIA_CAPTURE_PAGE (page)) : NULL;

  if (stria_model_state_get_index (self->state) != NULL)
    stria_compare_dialog_present (
        GTK_WINDOW (gtk_widget_get_root (widget)),
        _ ("Choose one of the same model, or drop it here. Figures of that one are held against those "
           "of this one."),
        (const char *const *) paths, on_compare_chosen, self);
}

static void
end_compare_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaModelView *self = STRIA_MODEL_VIEW (widget);

  stria_model_compare_end (stria_model_compare_parts_get_compare (self->compared));
  if (stria_model_view_shows_graphs (self))
    gtk_widget_grab_focus (GTK_WIDGET (self->panes));
}

static void
export_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaModelView *self = STRIA_MODEL_VIEW (widget);
  StriaModelTab *tab = stria_model_view_current_tab (self);

  stria_model_export_ask (
      widget, g_variant_get_string (parameter, NULL), stria_model_view_current_state (self),
      tab != NULL ? stria_model_tab_get_area (tab) : NULL,
      tab != NULL ? stria_model_tab_get_graph (tab) : 0,
      g_strcmp0 (gtk_stack_get_visible_child_name (self->pages), "counters") == 0);
}

void
stria_model_view_search (StriaModelView *self)
{
  StriaModelTab *tab;

  g_return_if_fail (STRIA_IS_MODEL_VIEW (self));

  gtk_stack_set_visible_child_name (self->pages, "graphs");
  tab = stria_model_view_current_tab (self);
  if (tab != NULL)
    stria_model_tab_search (tab);
}

void
stria_model_view_search_step (StriaModelView *self, gboolean forward)
{
  StriaModelTab *tab;

  g_return_if_fail (STRIA_IS_MODEL_VIEW (self));

  tab = stria_model_view_current_tab (self);
  if (tab != NULL)
    stria_model_tab_search_step (tab, forward);
}

void
stria_model_view_show_slice (StriaModelView *self, StriaRef ref)
{
  guint set;

  g_return_if_fail (STRIA_IS_MODEL_VIEW (self));

  set = stria_model_set_of_slice (self->session, ref);
  if (set == G_MAXUINT)
    return;
  self->wanted = ref;
  if (set != stria_model_state_get_set (self->state))
    stria_model_state_choose_set (self->state, set);
  else if (stria_model_state_get_index (self->state) != NULL
           && !stria_model_state_is_busy (self->state))
    go_to_slice (self);
  else
    stria_model_state_load (self->state);
}

char *
stria_model_view_name_slice (StriaModelView *self, StriaRef ref)
{
  guint32 entity;

  g_return_val_if_fail (STRIA_IS_MODEL_VIEW (self), NULL);

  entity = stria_model_entity_of_slice (self->state, self->session, ref);
  return entity != STRIA_NO_REF
             ? stria_model_entity_text (stria_profile_entity (
                 stria_model_state_get_index (self->state)->profile, entity))
             : NULL;
}

static gboolean
on_relayout (gpointer user_data)
{
  StriaModelView *self = user_data;

  self->relayout = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->across),
                                  self->is_narrow ? GTK_ORIENTATION_VERTICAL
                                                  : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (self->details, self->is_narrow ? -1 : DETAILS_WIDTH,
                               self->is_narrow ? DETAILS_HEIGHT : -1);
  gtk_paned_set_position (self->across, -1);
  return G_SOURCE_REMOVE;
}

static void
stria_model_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                          int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (STRIA_MODEL_VIEW (widget)->box, orientation, for_size, minimum, natural,
                      NULL, NULL);
}

static void
stria_model_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaModelView *self = STRIA_MODEL_VIEW (widget);

  if (self->is_narrow != (width < NARROW_WIDTH))
    {
      self->is_narrow = width < NARROW_WIDTH;
      /* Not while places are given away */
      if (self->relayout == 0)
        self->relayout = g_idle_add (on_relayout, self);
    }
  gtk_widget_size_allocate (self->box, &(GtkAllocation){ 0, 0, width, height }, -1);
}

static GtkSizeRequestMode
stria_model_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
stria_model_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_model_view_parent_class)->map (widget);
  stria_model_state_load (STRIA_MODEL_VIEW (widget)->state);
}

static void
stria_model_view_dispose (GObject *object)
{
  StriaModelView *self = STRIA_MODEL_VIEW (object);

  g_clear_handle_id (&self->relayout, g_source_remove);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->compared);
  g_clear_object (&self->state);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (stria_model_view_parent_class)->dispose (object);
}

static void
stria_model_view_class_init (StriaModelViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_model_view_dispose;
  widget_class->map = stria_model_view_map;
  widget_class->focus = stria_focus_children;
  widget_class->grab_focus = stria_model_view_take_focus;
  widget_class->measure = stria_model_view_measure;
  widget_class->size_allocate = stria_model_view_size_allocate;
  widget_class->get_request_mode = stria_model_view_get_request_mode;
  gtk_widget_class_install_action (widget_class, "model.show-event", "u", show_event_action);
  gtk_widget_class_install_action (widget_class, "model.compare", NULL, compare_action);
  gtk_widget_class_install_action (widget_class, "model.export", "s", export_action);
  gtk_widget_class_install_action (widget_class, "model.end-compare", NULL, end_compare_action);
}

static void
stria_model_view_init (StriaModelView *self)
{
  self->wanted = STRIA_REF_NONE;
}

/* The bar gives its closing button a picture and no name. */
static void
name_close_button (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (GTK_IS_BUTTON (child) && gtk_widget_has_css_class (child, "close"))
        {
          gtk_widget_set_tooltip_text (child, _ ("Close"));
          gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                          _ ("Close the banner"), -1);
        }
      else
        name_close_button (child);
    }
}

static GtkWidget *
banner_new (StriaModelView *self)
{
  GtkWidget *banner = gtk_info_bar_new ();
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *button;

  self->banner = GTK_INFO_BAR (banner);
  self->banner_label = GTK_LABEL (label);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_info_bar_add_child (self->banner, label);
  button = gtk_info_bar_add_button (self->banner, _ ("Show Notes"), GTK_RESPONSE_ACCEPT);
  gtk_widget_set_tooltip_text (button, _ ("Assumptions, warnings and checks in full"));
  gtk_info_bar_set_show_close_button (self->banner, TRUE);
  gtk_widget_add_css_class (banner, "model-banner");
  gtk_widget_set_visible (banner, FALSE);
  name_close_button (banner);
  g_signal_connect_swapped (banner, "response", G_CALLBACK (on_banner_response), self);
  return banner;
}

static GtkWidget *
graphs_new (StriaModelView *self)
{
  GtkWidget *panes = stria_model_panes_new (self->state);
  GtkWidget *error = adw_status_page_new ();
  GtkWidget *waiting = gtk_spinner_new ();

  self->panes = STRIA_MODEL_PANES (panes);
  self->error_page = ADW_STATUS_PAGE (error);
  self->graphs = GTK_STACK (gtk_stack_new ());
  adw_status_page_set_title (self->error_page, _ ("Nothing to Show Here"));
  gtk_widget_set_halign (waiting, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (waiting, GTK_ALIGN_CENTER);
  g_object_bind_property (self->state, "busy", waiting, "spinning", G_BINDING_SYNC_CREATE);
  gtk_stack_add_named (self->graphs, waiting, "waiting");
  gtk_stack_add_named (self->graphs, panes, "panes");
  gtk_stack_add_named (self->graphs, error, "error");
  gtk_widget_set_vexpand (GTK_WIDGET (self->graphs), TRUE);
  g_signal_connect_object (panes, "shown", G_CALLBACK (on_shown), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self->graphs);
}

static GtkWidget *
compare_button_new (StriaModelView *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("view-dual-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Compare with another capture (Ctrl+D)"));
  stria_key_tooltip (button, "win.compare");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Compare"), -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "model.compare");
  return button;
}

static void
build (StriaModelView *self)
{
  GtkWidget *across = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *bar;

  self->across = GTK_PANED (across);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->pages = GTK_STACK (gtk_stack_new ());
  self->compared = stria_model_compare_parts_new (self->state);
  gtk_stack_add_titled (self->pages,
                        stria_model_compare_parts_graphs (self->compared, graphs_new (self)),
                        "graphs", _ ("Graphs"));
  gtk_stack_add_titled (
      self->pages,
      stria_model_compare_parts_table (self->compared, stria_model_table_new (self->state)),
      "table", _ ("Table"));
  gtk_stack_add_titled (self->pages, stria_model_counters_new (self->state), "counters",
                        _ ("Counters"));
  gtk_stack_add_titled (self->pages, stria_model_notes_new (self->state), "notes", _ ("Notes"));
  gtk_stack_set_hhomogeneous (self->pages, FALSE);
  self->details = stria_model_compare_parts_details (self->compared,
                                                     stria_model_details_new (self->state));
  gtk_widget_add_css_class (self->details, "side-panel");
  gtk_widget_set_size_request (self->details, DETAILS_WIDTH, -1);
  gtk_paned_set_start_child (GTK_PANED (across), GTK_WIDGET (self->pages));
  gtk_paned_set_end_child (GTK_PANED (across), self->details);
  gtk_paned_set_resize_end_child (GTK_PANED (across), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (across), TRUE);
  gtk_paned_set_shrink_end_child (GTK_PANED (across), FALSE);
  gtk_widget_set_vexpand (across, TRUE);
  bar = stria_model_bar_new (self->state, self->pages);
  stria_model_bar_add (STRIA_MODEL_BAR (bar), compare_button_new (self));
  self->export_button = stria_model_export_button_new ();
  stria_model_bar_add (STRIA_MODEL_BAR (bar), self->export_button);
  gtk_box_append (GTK_BOX (self->box), bar);
  gtk_box_append (GTK_BOX (self->box), banner_new (self));
  gtk_box_append (GTK_BOX (self->box),
                  stria_model_compare_banner_new (
                      stria_model_compare_parts_get_compare (self->compared)));
  gtk_box_append (GTK_BOX (self->box), across);
  self->legend = stria_model_legend_new (self->state);
  gtk_widget_set_visible (self->legend, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->legend);
  g_signal_connect_object (self->pages, "notify::visible-child", G_CALLBACK (on_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compared, "changed", G_CALLBACK (on_compared), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compared, "shown", G_CALLBACK (on_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compared, "reveal", G_CALLBACK (on_reveal), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "model.end-compare", FALSE);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_model_view_new (StriaSession *session)
{
  StriaModelView *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = g_object_new (STRIA_TYPE_MODEL_VIEW, NULL);
  self->session = g_object_ref (session);
  self->state = stria_model_state_new (stria_session_get_capture (session));
  build (self);
  stria_model_view_add_keys (self);
  g_signal_connect_object (self->state, "profile-changed", G_CALLBACK (on_profile_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "metric-changed", G_CALLBACK (on_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "reveal", G_CALLBACK (on_reveal), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
