/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-memory-view.h"

#include <glib/gi18n-lib.h>

#include "stria-alloc-details.h"
#include "stria-alloc-events.h"
#include "stria-alloc-map-view.h"
#include "stria-alloc-plot.h"
#include "stria-alloc-settings.h"
#include "stria-alloc-stacks.h"
#include "stria-alloc-text.h"
#include "stria-format.h"
#include "stria-neuron-memory-view.h"
#include "stria-paint-size.h"
#include "stria-retell.h"
#include "stria-wrap-box.h"

#define DETAILS_WIDTH ((int) stria_text_px (276))
#define PLOT_HEIGHT   ((int) stria_text_px (330))

struct _StriaMemoryView
{
  GtkWidget parent_instance;

  StriaSession    *session;
  StriaAllocState *state;
  GPtrArray       *snapshots; /* StriaSnapshotData */
  gboolean         filling;

  GtkWidget   *box;
  GtkWidget   *switcher; /* of the pages, where there is more than one */
  GtkStack    *pages;    /* "allocator", "neuron" */
  GtkDropDown *snapshot_chooser;
  GtkDropDown *device_chooser;
  GtkWidget   *by_time_button;
  GtkWidget   *pools_button;
  GtkLabel    *summary;
};

G_DEFINE_FINAL_TYPE (StriaMemoryView, stria_memory_view, GTK_TYPE_WIDGET)

static gboolean
has_snapshots (StriaCapture *capture)
{
  g_autoptr (GPtrArray) snapshots = stria_capture_get_snapshots (capture);

  for (guint i = 0; snapshots != NULL && i < snapshots->len; i++)
    if (stria_snapshot_get_n_devices (g_ptr_array_index (snapshots, i)) > 0)
      return TRUE;
  return FALSE;
}

gboolean
stria_memory_view_has_data (StriaCapture *capture)
{
  return has_snapshots (capture) || stria_neuron_memory_view_has_data (capture);
}

static void
update_summary (StriaMemoryView *self)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  StriaAllocTotals totals, peak;
  g_autofree char *allocated = NULL;
  g_autofree char *reserved = NULL;
  g_autofree char *most = NULL;
  g_autofree char *when = NULL;
  g_autofree char *text = NULL;

  if (allocator == NULL)
    return;
  stria_allocator_totals (allocator, stria_alloc_state_get_step (self->state), &totals);
  stria_allocator_totals (
      allocator, stria_allocator_peak (allocator, 0, stria_allocator_get_n_events (allocator)),
      &peak);
  allocated = stria_format_bytes ((gint64) totals.allocated);
  reserved = stria_format_bytes ((gint64) totals.reserved);
  most = stria_format_bytes ((gint64) peak.allocated);
  when = stria_alloc_step_text (allocator, stria_alloc_state_get_step (self->state));
  /* Translators: a time, bytes allocated, bytes reserved, bytes at the peak */
  text = g_strdup_printf (_ ("%s: %s of %s reserved · peak %s"), when, allocated, reserved, most);
  gtk_label_set_label (self->summary, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->summary), text);
}

static void
choose (StriaMemoryView *self)
{
  const guint i = gtk_drop_down_get_selected (self->snapshot_chooser);
  const guint j = gtk_drop_down_get_selected (self->device_chooser);
  StriaSnapshotData *snapshot = NULL;
  StriaAllocator *allocator = NULL;

  if (self->filling)
    return;
  if (self->snapshots != NULL && i < self->snapshots->len)
    snapshot = g_ptr_array_index (self->snapshots, i);
  if (snapshot != NULL && j < stria_snapshot_get_n_devices (snapshot))
    allocator = stria_snapshot_get_device (snapshot, j);
  stria_alloc_state_set_allocator (self->state, snapshot, allocator);
  gtk_widget_set_sensitive (self->by_time_button,
                            allocator != NULL && stria_allocator_has_times (allocator)
                                && stria_allocator_get_n_events (allocator) > 0);
  gtk_widget_set_visible (self->pools_button,
                          allocator != NULL && stria_allocator_get_n_private_pools (allocator) > 0);
  update_summary (self);
}

static void
fill_devices (StriaMemoryView *self)
{
  const guint i = gtk_drop_down_get_selected (self->snapshot_chooser);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (self->filling)
    return;
  if (self->snapshots != NULL && i < self->snapshots->len)
    {
      StriaSnapshotData *snapshot = g_ptr_array_index (self->snapshots, i);

      for (guint d = 0; d < stria_snapshot_get_n_devices (snapshot); d++)
        {
          StriaAllocator *allocator = stria_snapshot_get_device (snapshot, d);

          gtk_string_list_take (
              names, stria_allocator_is_host (allocator)
                         ? g_strdup (_ ("Host"))
                         : g_strdup_printf (_ ("Device %u"),
                                            stria_allocator_get_device (allocator)));
        }
    }
  self->filling = TRUE;
  gtk_drop_down_set_model (self->device_chooser, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->device_chooser, 0);
  gtk_widget_set_visible (GTK_WIDGET (self->device_chooser),
                          g_list_model_get_n_items (G_LIST_MODEL (names)) > 1);
  self->filling = FALSE;
  choose (self);
}

static void
fill_snapshots (StriaMemoryView *self)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  g_autoptr (GPtrArray) snapshots = stria_capture_get_snapshots (capture);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (snapshots == NULL || (self->snapshots != NULL && snapshots->len == self->snapshots->len
                            && snapshots->len > 0
                            && g_ptr_array_index (snapshots, 0)
                                   == g_ptr_array_index (self->snapshots, 0)))
    return;
  for (guint i = 0; i < snapshots->len; i++)
    gtk_string_list_append (
        names, stria_artifact_get_name (stria_capture_get_artifact (
                   capture, stria_snapshot_get_artifact (g_ptr_array_index (snapshots, i)))));
  stria_alloc_state_set_allocator (self->state, NULL, NULL);
  g_clear_pointer (&self->snapshots, g_ptr_array_unref);
  self->snapshots = g_ptr_array_ref (snapshots);
  self->filling = TRUE;
  gtk_drop_down_set_model (self->snapshot_chooser, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->snapshot_chooser, 0);
  gtk_widget_set_visible (GTK_WIDGET (self->snapshot_chooser), snapshots->len > 1);
  self->filling = FALSE;
  fill_devices (self);
}

static void
on_by_time (StriaMemoryView *self, GParamSpec *pspec, GtkDropDown *chooser)
{
  stria_alloc_state_set_by_time (self->state, gtk_drop_down_get_selected (chooser) == 0);
}

static void
on_kind (StriaMemoryView *self, GParamSpec *pspec, GtkDropDown *chooser)
{
  stria_alloc_state_set_kind (self->state, gtk_drop_down_get_selected (chooser) == 0
                                               ? STRIA_PLOT_BLOCKS
                                               : STRIA_PLOT_SEGMENTS);
}

static void
on_color (StriaMemoryView *self, GParamSpec *pspec, GtkDropDown *chooser)
{
  stria_alloc_state_set_color (self->state,
                               (StriaAllocColorMode) gtk_drop_down_get_selected (chooser));
}

static void
on_pools (StriaMemoryView *self, GtkToggleButton *button)
{
  stria_alloc_state_set_pools (self->state, gtk_toggle_button_get_active (button));
}

static void
on_highlight (StriaMemoryView *self, GtkSearchEntry *entry)
{
  stria_alloc_state_set_highlight (self->state, gtk_editable_get_text (GTK_EDITABLE (entry)));
}

static void
on_peak (StriaMemoryView *self)
{
  stria_alloc_state_go_peak (self->state);
}

static void
on_fit (StriaMemoryView *self)
{
  stria_alloc_state_fit (self->state);
}

static GtkDropDown *
drop_down_new (StriaMemoryView *self, GtkWidget *bar, const char *const *names, const char *label,
               GCallback callback)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (names);

  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (drop_down, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect_swapped (drop_down, "notify::selected", callback, self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), drop_down);
  return GTK_DROP_DOWN (drop_down);
}

static GtkWidget *
bar_new (StriaMemoryView *self)
{
  const char *none[] = { NULL };
  const char *kinds[] = { _ ("Blocks"), _ ("Segments"), NULL };
  const char *axes[] = { _ ("Time"), _ ("Action index"), NULL };
  const char *colors[] = { _ ("Stack"), _ ("Size"), _ ("Category"), _ ("Pool"), _ ("Stream"), NULL };
  GtkWidget *bar = stria_wrap_box_new (6, 4);
  GtkWidget *entry = gtk_search_entry_new ();
  GtkWidget *peak = gtk_button_new_with_label (_ ("Peak"));
  GtkWidget *fit = gtk_button_new_from_icon_name ("zoom-fit-best-symbolic");

  gtk_widget_add_css_class (bar, "panel-header");
  self->snapshot_chooser = drop_down_new (self, bar, none, _ ("Snapshot"),
                                          G_CALLBACK (fill_devices));
  self->device_chooser = drop_down_new (self, bar, none, _ ("Device"), G_CALLBACK (choose));
  drop_down_new (self, bar, kinds, _ ("What is stacked"), G_CALLBACK (on_kind));
  self->by_time_button = GTK_WIDGET (drop_down_new (self, bar, axes, _ ("Horizontal axis"),
                                                    G_CALLBACK (on_by_time)));
  drop_down_new (self, bar, colors, _ ("What the colour says"), G_CALLBACK (on_color));
  self->pools_button = gtk_toggle_button_new_with_label (_ ("Private pools"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->pools_button), TRUE);
  gtk_widget_set_tooltip_text (
      self->pools_button,
      _ ("Give each private pool a band as high as it was ever, with its blocks inside"));
  gtk_widget_set_valign (self->pools_button, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->pools_button, FALSE);
  g_signal_connect_swapped (self->pools_button, "toggled", G_CALLBACK (on_pools), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), self->pools_button);
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (entry), 250);
  g_object_set (entry, "placeholder-text", _ ("Highlight a frame"), NULL);
  gtk_widget_set_tooltip_text (entry, _ ("Blocks without this text in their stack stand back"));
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 7);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 18);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Highlight a frame"), -1);
  g_signal_connect_swapped (entry, "search-changed", G_CALLBACK (on_highlight), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), entry);
  gtk_widget_set_tooltip_text (peak, _ ("Go to the moment with most bytes (P)"));
  g_signal_connect_swapped (peak, "clicked", G_CALLBACK (on_peak), self);
  gtk_widget_set_valign (peak, GTK_ALIGN_CENTER);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), peak);
  gtk_widget_set_tooltip_text (fit, _ ("Show the whole recording (F)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (fit), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Show the whole recording"), -1);
  g_signal_connect_swapped (fit, "clicked", G_CALLBACK (on_fit), self);
  gtk_widget_set_valign (fit, GTK_ALIGN_CENTER);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), fit);
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->summary, 1);
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "dim-label");
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), GTK_WIDGET (self->summary));
  return bar;
}

static GtkWidget *
pages_new (StriaMemoryView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *switcher = gtk_stack_switcher_new ();
  GtkWidget *stack = gtk_stack_new ();

  gtk_stack_add_titled (GTK_STACK (stack), stria_alloc_stacks_new (self->state), "stacks",
                        _ ("Stacks"));
  gtk_stack_add_titled (GTK_STACK (stack), stria_alloc_map_view_new (self->state), "map",
                        _ ("Segment Map"));
  gtk_stack_add_titled (GTK_STACK (stack), stria_alloc_events_new (self->state), "events",
                        _ ("Events"));
  gtk_stack_add_titled (GTK_STACK (stack), stria_alloc_settings_new (self->state), "settings",
                        _ ("Settings"));
  gtk_stack_set_hhomogeneous (GTK_STACK (stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (stack), FALSE);
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (stack));
  /* As wide as their words: all as wide as the longest is more than narrow windows have. */
  gtk_box_layout_set_homogeneous (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (switcher)),
                                  FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (switcher), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Pages of the allocator"), -1);
  gtk_widget_add_css_class (bar, "view-bar");
  gtk_box_append (GTK_BOX (bar), switcher);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_widget_set_vexpand (stack, TRUE);
  gtk_box_append (GTK_BOX (box), stack);
  return box;
}

/* Where only one has something, that is shown, without a switch. */
static void
update_pages (StriaMemoryView *self)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  const gboolean has_allocator = has_snapshots (capture);
  const gboolean has_neuron = stria_neuron_memory_view_has_data (capture);

  gtk_widget_set_visible (self->switcher, has_allocator && has_neuron);
  if (has_allocator != has_neuron)
    gtk_stack_set_visible_child_name (self->pages, has_neuron ? "neuron" : "allocator");
}

static void
on_trace_changed (StriaMemoryView *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    update_pages (self);
}

static void
stria_memory_view_dispose (GObject *object)
{
  StriaMemoryView *self = STRIA_MEMORY_VIEW (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->state);
  g_clear_object (&self->session);
  g_clear_pointer (&self->snapshots, g_ptr_array_unref);
  G_OBJECT_CLASS (stria_memory_view_parent_class)->dispose (object);
}

static void
stria_memory_view_map (GtkWidget *widget)
{
  update_pages (STRIA_MEMORY_VIEW (widget));
  GTK_WIDGET_CLASS (stria_memory_view_parent_class)->map (widget);
  fill_snapshots (STRIA_MEMORY_VIEW (widget));
}

static void
stria_memory_view_class_init (StriaMemoryViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_memory_view_dispose;
  GTK_WIDGET_CLASS (klass)->map = stria_memory_view_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
add_pages (StriaMemoryView *self, GtkWidget *allocator)
{
  GtkWidget *switcher = gtk_stack_switcher_new ();

  self->pages = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_titled (self->pages, allocator, "allocator", _ ("PyTorch Allocator"));
  gtk_stack_set_hhomogeneous (self->pages, FALSE);
  gtk_stack_set_vhomogeneous (self->pages, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->pages), TRUE);
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), self->pages);
  gtk_accessible_update_property (GTK_ACCESSIBLE (switcher), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Kinds of memory"), -1);
  self->switcher = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->switcher, "view-bar");
  gtk_widget_set_visible (self->switcher, FALSE);
  gtk_box_append (GTK_BOX (self->switcher), switcher);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), self->switcher);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->pages));
}

static void
stria_memory_view_init (StriaMemoryView *self)
{
  GtkWidget *across = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *down = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  GtkWidget *allocator = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *details, *pages;

  self->state = stria_alloc_state_new ();
  gtk_box_append (GTK_BOX (allocator), bar_new (self));
  details = stria_alloc_details_new (self->state);
  pages = pages_new (self);
  gtk_widget_add_css_class (details, "side-panel");
  gtk_widget_set_size_request (details, DETAILS_WIDTH, -1);
  gtk_widget_set_size_request (pages, -1, 240);
  gtk_paned_set_start_child (GTK_PANED (down), stria_alloc_plot_new (self->state));
  gtk_paned_set_end_child (GTK_PANED (down), pages);
  gtk_paned_set_shrink_start_child (GTK_PANED (down), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (down), FALSE);
  /* Said, so that the plot does not move when another page wants more or less */
  gtk_paned_set_position (GTK_PANED (down), PLOT_HEIGHT);
  gtk_paned_set_start_child (GTK_PANED (across), down);
  gtk_paned_set_end_child (GTK_PANED (across), details);
  gtk_paned_set_resize_end_child (GTK_PANED (across), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (across), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (across), FALSE);
  gtk_widget_set_vexpand (across, TRUE);
  gtk_box_append (GTK_BOX (allocator), across);
  add_pages (self, allocator);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  stria_retell_connect (self, G_CALLBACK (update_summary));
  g_signal_connect_object (self->state, "moment-changed", G_CALLBACK (update_summary), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
stria_memory_view_new (StriaSession *session)
{
  StriaMemoryView *self = g_object_new (STRIA_TYPE_MEMORY_VIEW, NULL);

  self->session = g_object_ref (session);
  gtk_stack_add_titled (self->pages, stria_neuron_memory_view_new (session), "neuron",
                        _ ("Neuron"));
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (fill_snapshots), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (on_trace_changed), self,
                           G_CONNECT_SWAPPED);
  fill_snapshots (self);
  return GTK_WIDGET (self);
}
