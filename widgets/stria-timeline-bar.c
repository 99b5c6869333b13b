/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-bar.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-timeline-legend.h"
#include "stria-timeline-painter.h"

#define LAYER_DEPTHS 6

struct _StriaTimelineBar
{
  GtkWidget parent_instance;

  StriaTimeline   *timeline; /* not owned: both live in one page */
  StriaTrace      *trace;    /* that the menus are of */
  GtkWidget       *box;
  GtkMenuButton   *color_button;
  GtkWidget       *spinner;
  GtkMenuButton   *lanes_button;
  GtkSearchEntry  *filter;
  GtkLabel        *count;
  GtkWidget       *legend;
};

G_DEFINE_FINAL_TYPE (StriaTimelineBar, stria_timeline_bar, GTK_TYPE_WIDGET)

static const struct
{
  StriaColorBy by;
  const char  *action;
  const char  *label; /* in the menu */
  const char  *title; /* on the button */
} colors[] = {
  { STRIA_COLOR_BY_NAME, "name", N_ ("_Name"), N_ ("Name") },
  { STRIA_COLOR_BY_OPERATOR, "operator", N_ ("Framework _Operator"), N_ ("Operator") },
  { STRIA_COLOR_BY_OPCODE, "opcode", N_ ("O_pcode"), N_ ("Opcode") },
  { STRIA_COLOR_BY_LANE, "lane", N_ ("_Engine or Queue"), N_ ("Engine") },
  { STRIA_COLOR_BY_CATEGORY, "category", N_ ("_Category"), N_ ("Category") },
  { STRIA_COLOR_BY_STALL, "stall", N_ ("_Stall: Share of Waiting"), N_ ("Stall") },
};

/* In the order of the classes */
static const struct
{
  const char *action;
  const char *label;
} classes[STRIA_LANE_N_CLASSES] = {
  { "lanes.show-threads", N_ ("Threads and _Streams") },
  { "lanes.show-engines", N_ ("_Engines") },
  { "lanes.show-dma-queues", N_ ("DMA _Queues") },
  { "lanes.show-dma-engines", N_ ("_DMA Engines") },
  { "lanes.show-collectives", N_ ("_Collectives") },
  { "lanes.show-usage", N_ ("_Usage and Counters") },
  { "lanes.show-semaphores", N_ ("Se_maphores") },
  { "lanes.show-errors", N_ ("E_rrors") },
};

static void
append_target (GMenu *menu, const char *label, const char *action, const char *target)
{
  g_autofree char *detailed = g_strdup_printf ("%s::%s", action, target);

  g_menu_append (menu, label, detailed);
}

static GMenuModel *
color_menu (StriaTrace *trace)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) by = g_menu_new ();
  g_autoptr (GMenu) legend = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    {
      if (stria_coloring_applies (trace, colors[i].by, NULL))
        append_target (by, _ (colors[i].label), "lanes.color", colors[i].action);
      if (colors[i].by == STRIA_COLOR_BY_OPERATOR
          && stria_coloring_applies (trace, STRIA_COLOR_BY_LAYER, NULL))
        {
          g_autoptr (GMenu) depths = g_menu_new ();

          for (guint depth = 1; depth <= LAYER_DEPTHS; depth++)
            {
              g_autofree char *target = g_strdup_printf ("layer:%u", depth);
              g_autofree char *label = g_strdup_printf (
                  ngettext ("%u Step of the Path", "%u Steps of the Path", depth), depth);

              append_target (depths, label, "lanes.color", target);
            }
          append_target (depths, _ ("Whole Path"), "lanes.color", "layer:0");
          g_menu_append_submenu (by, _ ("_Layer"), G_MENU_MODEL (depths));
        }
    }
  g_menu_append (legend, _ ("_Show Legend"), "lanes.legend");
  g_menu_append_section (menu, _ ("Colour By"), G_MENU_MODEL (by));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (legend));
  return G_MENU_MODEL (g_steal_pointer (&menu));
}

static GMenuModel *
lanes_menu (StriaTimelineLayout *layout)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) kinds = g_menu_new ();
  g_autoptr (GMenu) dma = g_menu_new ();
  g_autoptr (GMenu) usage = g_menu_new ();
  g_autoptr (GMenu) all = g_menu_new ();

  for (guint i = 0; i < STRIA_LANE_N_CLASSES; i++)
    {
      const guint32 n = stria_timeline_layout_count_class (layout, (StriaLaneClass) i);
      /* Translators: a kind of lanes, and how many there are */
      g_autofree char *label = g_strdup_printf (_ ("%s (%u)"), _ (classes[i].label), n);

      if (n > 0)
        g_menu_append (kinds, label, classes[i].action);
    }
  g_menu_append_section (menu, _ ("Lanes Shown"), G_MENU_MODEL (kinds));
  if (stria_timeline_layout_count_class (layout, STRIA_LANE_CLASS_DMA_QUEUES) > 0
      && stria_timeline_layout_count_class (layout, STRIA_LANE_CLASS_DMA_ENGINES) > 0)
    {
      append_target (dma, _ ("Transfers by Queue"), "lanes.dma", "queue");
      append_target (dma, _ ("Packets by Engine (Expanded)"), "lanes.dma", "engine");
      append_target (dma, _ ("Both"), "lanes.dma", "both");
      g_menu_append_section (menu, _ ("DMA"), G_MENU_MODEL (dma));
    }
  if (stria_timeline_layout_has_stacks (layout))
    g_menu_append (usage, _ ("S_tack Parts of a Buffer"), "lanes.stacked");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (usage));
  g_menu_append (all, _ ("Show _All Lanes"), "timeline.show-all");
  g_menu_append (all, _ ("Co_llapse All"), "timeline.collapse-all");
  g_menu_append (all, _ ("E_xpand All"), "timeline.expand-all");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  return G_MENU_MODEL (g_steal_pointer (&menu));
}

/* Menus are made anew when the trace has changed: what can be chosen depends on it. */
static void
update_menus (StriaTimelineBar *self)
{
  StriaTimelineLayout *layout = stria_timeline_get_layout (self->timeline);
  StriaTrace *trace = stria_timeline_layout_get_trace (layout);
  g_autoptr (GMenuModel) color = NULL;
  g_autoptr (GMenuModel) lanes = NULL;

  if (trace == NULL || trace == self->trace)
    return;
  g_clear_pointer (&self->trace, stria_trace_unref);
  self->trace = stria_trace_ref (trace);
  color = color_menu (trace);
  lanes = lanes_menu (layout);
  gtk_menu_button_set_menu_model (self->color_button, color);
  gtk_menu_button_set_menu_model (self->lanes_button, lanes);
}

static char *
color_title (const char *name)
{
  if (g_str_has_prefix (name, "layer:"))
    {
      const int depth = atoi (name + strlen ("layer:"));

      /* Translators: slices are coloured by this many steps of their layer's path */
      return depth > 0 ? g_strdup_printf (_ ("Layer, %d deep"), depth) : g_strdup (_ ("Layer"));
    }
  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    if (g_str_equal (colors[i].action, name))
      return g_strdup (_ (colors[i].title));
  return g_strdup ("");
}

static void
update_count (StriaTimelineBar *self)
{
  guint32 n = 0, shown = 0;
  g_autofree char *text = NULL;

  stria_timeline_layout_count (stria_timeline_get_layout (self->timeline), &n, &shown);
  if (shown < n)
    /* Translators: lanes that are shown, of all */
    text = g_strdup_printf (_ ("%u of %u"), shown, n);
  gtk_label_set_label (self->count, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->count), text != NULL);
}

static void
on_options_changed (StriaTimelineBar *self)
{
  GActionGroup *group
      = G_ACTION_GROUP (stria_timeline_get_options (self->timeline));
  g_autoptr (GVariant) color = g_action_group_get_action_state (group, "color");
  g_autoptr (GVariant) legend = g_action_group_get_action_state (group, "legend");
  g_autofree char *title = color_title (g_variant_get_string (color, NULL));
  const char *filter
      = stria_timeline_layout_get_filter (stria_timeline_get_layout (self->timeline));

  update_menus (self);
  update_count (self);
  gtk_menu_button_set_label (self->color_button, title);
  gtk_widget_set_visible (self->legend, g_variant_get_boolean (legend));
  gtk_widget_set_visible (self->spinner, stria_timeline_is_coloring (self->timeline));
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner),
                            stria_timeline_is_coloring (self->timeline));
  /* Cleared by "show all", or found again as it was; not typed over */
  if (g_strcmp0 (filter, gtk_editable_get_text (GTK_EDITABLE (self->filter))) != 0
      && !gtk_widget_has_focus (GTK_WIDGET (gtk_editable_get_delegate (
          GTK_EDITABLE (self->filter)))))
    gtk_editable_set_text (GTK_EDITABLE (self->filter), filter);
}

static void
on_filter (StriaTimelineBar *self)
{
  if (self->timeline != NULL)
    stria_timeline_set_filter (self->timeline, gtk_editable_get_text (GTK_EDITABLE (self->filter)));
}

static void
on_filter_done (StriaTimelineBar *self)
{
  stria_timeline_grab_focus (self->timeline);
}

static void
on_filter_stop (StriaTimelineBar *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->filter), "");
  stria_timeline_set_filter (self->timeline, NULL);
  stria_timeline_grab_focus (self->timeline);
}

void
stria_timeline_bar_focus_filter (StriaTimelineBar *self)
{
  g_return_if_fail (STRIA_IS_TIMELINE_BAR (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->filter));
}

static void
stria_timeline_bar_dispose (GObject *object)
{
  StriaTimelineBar *self = STRIA_TIMELINE_BAR (object);

  if (self->timeline != NULL)
    g_signal_handlers_disconnect_by_data (self->timeline, self);
  g_clear_weak_pointer (&self->timeline);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (stria_timeline_bar_parent_class)->dispose (object);
}

static void
stria_timeline_bar_class_init (StriaTimelineBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_timeline_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
}

static void
stria_timeline_bar_init (StriaTimelineBar *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Timeline tools"), -1);
}

static GtkWidget *
button_new (GtkWidget *button, const char *icon, const char *name, const char *tooltip,
            const char *action)
{
  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

/* The timeline's own actions are its class's: they are reached through the widget. */
static void
on_zoom (GtkWidget *button, gpointer data)
{
  StriaTimelineBar *self
      = STRIA_TIMELINE_BAR (gtk_widget_get_ancestor (button, STRIA_TYPE_TIMELINE_BAR));

  gtk_widget_activate_action (GTK_WIDGET (self->timeline), data, NULL);
}

static void
append_zoom (StriaTimelineBar *self, GtkWidget *row)
{
  static const struct
  {
    const char *icon;
    const char *name;
    const char *tooltip;
    const char *action;
  } zooms[] = {
    { "zoom-out-symbolic", N_ ("Zoom out"), N_ ("Zoom out (S)"), "timeline.zoom-out" },
    { "zoom-in-symbolic", N_ ("Zoom in"), N_ ("Zoom in (W)"), "timeline.zoom-in" },
    { "zoom-fit-best-symbolic", N_ ("Show all"), N_ ("Show all (0)"), "timeline.fit-all" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      GtkWidget *button = button_new (gtk_button_new (), zooms[i].icon, _ (zooms[i].name),
                                      _ (zooms[i].tooltip), NULL);

      g_signal_connect (button, "clicked", G_CALLBACK (on_zoom), (gpointer) zooms[i].action);
      stria_key_tooltip (button, zooms[i].action);
      gtk_box_append (GTK_BOX (row), button);
    }
}

static GtkWidget *
filter_new (StriaTimelineBar *self)
{
  GtkWidget *filter = gtk_search_entry_new ();

  self->filter = GTK_SEARCH_ENTRY (filter);
  g_object_set (filter, "placeholder-text", _ ("Filter lanes"), NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (filter), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (filter), 22);
  gtk_widget_set_valign (filter, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (filter, TRUE);
  gtk_widget_set_halign (filter, GTK_ALIGN_END);
  gtk_widget_set_tooltip_text (filter,
                               _ ("Show only lanes with this in their name, or in that of their "
                                  "process: several with | between them, or an /expression/ (/)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (filter), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter lanes"), -1);
  g_signal_connect_swapped (filter, "search-changed", G_CALLBACK (on_filter), self);
  g_signal_connect_swapped (filter, "activate", G_CALLBACK (on_filter_done), self);
  g_signal_connect_swapped (filter, "stop-search", G_CALLBACK (on_filter_stop), self);
  return filter;
}

static GtkWidget *
row_new (StriaTimelineBar *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *color = gtk_menu_button_new ();
  GtkWidget *lanes = gtk_menu_button_new ();
  GtkWidget *count = gtk_label_new (NULL);
  GtkWidget *legend, *box;

  self->color_button = GTK_MENU_BUTTON (color);
  gtk_widget_add_css_class (color, "flat");
  gtk_widget_set_valign (color, GTK_ALIGN_CENTER);
  gtk_menu_button_set_always_show_arrow (self->color_button, TRUE);
  gtk_widget_set_tooltip_text (color, _ ("What the colours of slices stand for (C: the next)"));
  stria_key_tooltip (color, "timeline.next-color");
  gtk_accessible_update_property (GTK_ACCESSIBLE (color), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Colour by"), -1);
  gtk_box_append (GTK_BOX (row), color);
  legend = button_new (gtk_toggle_button_new (), "view-list-bullet-symbolic", _ ("Legend"),
                       _ ("Legend of the colours in view (L)"), "lanes.legend");
  stria_key_tooltip (legend, "timeline.toggle-legend");
  gtk_box_append (GTK_BOX (row), legend);
  self->spinner = gtk_spinner_new ();
  gtk_widget_set_tooltip_text (self->spinner, _ ("Reading what slices are coloured by"));
  gtk_widget_set_visible (self->spinner, FALSE);
  gtk_box_append (GTK_BOX (row), self->spinner);
  gtk_box_append (GTK_BOX (row), filter_new (self));
  self->count = GTK_LABEL (count);
  gtk_widget_add_css_class (count, "dim-label");
  gtk_widget_add_css_class (count, "numeric");
  gtk_widget_set_tooltip_text (count, _ ("Lanes shown"));
  gtk_box_append (GTK_BOX (row), count);
  self->lanes_button = GTK_MENU_BUTTON (lanes);
  gtk_menu_button_set_icon_name (self->lanes_button, "view-more-horizontal-symbolic");
  gtk_widget_add_css_class (lanes, "flat");
  gtk_widget_set_valign (lanes, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (lanes, _ ("Which lanes are shown"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (lanes), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Lanes"), -1);
  gtk_box_append (GTK_BOX (row), lanes);
  gtk_box_append (GTK_BOX (row), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  box = button_new (gtk_toggle_button_new (), "edit-select-all-symbolic", _ ("Box selection"),
                    _ ("A drag over the lanes selects a box of lanes and time; else it moves them "
                       "(V; Shift and the arrows change the box)"),
                    "lanes.box");
  stria_key_tooltip (box, "timeline.toggle-box");
  gtk_box_append (GTK_BOX (row), box);
  append_zoom (self, row);
  return row;
}

/**
 * stria_timeline_bar_new:
 * @timeline: what it is about
 *
 * Returns: (transfer floating): the tools of a timeline
 */
GtkWidget *
stria_timeline_bar_new (StriaTimeline *timeline)
{
  StriaTimelineBar *self = NULL;
  GtkWidget *row = NULL;

  g_return_val_if_fail (STRIA_IS_TIMELINE (timeline), NULL);

  self = g_object_new (STRIA_TYPE_TIMELINE_BAR, NULL);
  g_set_weak_pointer (&self->timeline, timeline);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "lanes",
                                  G_ACTION_GROUP (stria_timeline_get_options (timeline)));
  row = row_new (self);
  gtk_widget_add_css_class (row, "timeline-bar");
  self->legend = stria_timeline_legend_new (timeline);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), row);
  gtk_box_append (GTK_BOX (self->box), self->legend);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_swapped (timeline, "options-changed", G_CALLBACK (on_options_changed), self);
  on_options_changed (self);
  return GTK_WIDGET (self);
}
