/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-tools.h"

#include <glib/gi18n-lib.h>

#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-paint-size.h"

#define SEARCH_DELAY_MS 200
#define NARROW_WIDTH    ((int) stria_text_px (620)) /* below it the search has a row of its own */

struct _StriaModelTools
{
  GtkWidget parent_instance;

  StriaGraphArea *area; /* not owned: it stands beside */
  gboolean        outline;
  gboolean        is_narrow;
  gboolean        is_syncing; /* buttons follow the area, not the other way */
  guint           relayout;   /* idle source */
  char           *searched;   /* what the matches are of */
  guint           n_matches;

  GtkWidget       *rows;
  GtkWidget       *bar;
  GtkWidget       *search_box;
  GtkWidget       *direction;
  GtkWidget       *inputs;
  GtkWidget       *outputs;
  GtkWidget       *entry;
  GtkLabel        *count;
  GtkWidget       *previous;
  GtkWidget       *next;
};

enum
{
  PROP_OUTLINE = 1,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (StriaModelTools, stria_model_tools, GTK_TYPE_WIDGET)

static void
on_fit (StriaModelTools *self)
{
  stria_graph_area_fit (self->area);
}

static void
on_direction (StriaModelTools *self, GtkToggleButton *button)
{
  if (self->is_syncing)
    return;
  stria_graph_area_set_direction (self->area, gtk_toggle_button_get_active (button)
                                                  ? STRIA_GRAPH_TOP_TO_BOTTOM
                                                  : STRIA_GRAPH_LEFT_TO_RIGHT);
}

static void
on_trace (StriaModelTools *self)
{
  if (self->is_syncing)
    return;
  stria_graph_area_set_trace (self->area,
                              gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->inputs)),
                              gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->outputs)));
}

/* The graph has keys of its own for the same. */
static void
sync_buttons (StriaModelTools *self)
{
  gboolean inputs, outputs;

  self->is_syncing = TRUE;
  stria_graph_area_get_trace (self->area, &inputs, &outputs);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->inputs), inputs);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->outputs), outputs);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->direction),
                                stria_graph_area_get_direction (self->area)
                                    == STRIA_GRAPH_TOP_TO_BOTTOM);
  self->is_syncing = FALSE;
}

static void
show_count (StriaModelTools *self, guint at)
{
  g_autofree char *n = stria_format_count (self->n_matches);
  g_autofree char *text = NULL;

  if (gtk_editable_get_text (GTK_EDITABLE (self->entry))[0] == '\0')
    text = g_strdup ("");
  else if (at > 0)
    text = g_strdup_printf (ngettext ("%u of %s match", "%u of %s matches", self->n_matches), at,
                            n);
  else
    text = g_strdup_printf (ngettext ("%s match", "%s matches", self->n_matches), n);
  gtk_label_set_label (self->count, text);
  gtk_widget_set_sensitive (self->previous, self->n_matches > 0);
  gtk_widget_set_sensitive (self->next, self->n_matches > 0);
}

static void
on_search (StriaModelTools *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  /* Enter does not wait for the entry's delay, after which it says the same again. */
  if (g_strcmp0 (text, self->searched) == 0)
    return;
  g_free (self->searched);
  self->searched = g_strdup (text);
  self->n_matches = stria_graph_area_search (self->area, text);
  show_count (self, 0);
}

void
stria_model_tools_search_step (StriaModelTools *self, gboolean forward)
{
  g_return_if_fail (STRIA_IS_MODEL_TOOLS (self));

  if (self->n_matches > 0)
    show_count (self, stria_graph_area_search_next (self->area, forward));
}

static void
on_next (StriaModelTools *self)
{
  stria_model_tools_search_step (self, TRUE);
}

static void
on_previous (StriaModelTools *self)
{
  stria_model_tools_search_step (self, FALSE);
}

static void
on_enter (StriaModelTools *self)
{
  /* What was typed in the last moments has not been looked for yet. */
  on_search (self);
  on_next (self);
}

static void
on_stop_search (StriaModelTools *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->area));
}

void
stria_model_tools_search (StriaModelTools *self)
{
  g_return_if_fail (STRIA_IS_MODEL_TOOLS (self));

  gtk_widget_grab_focus (self->entry);
}

static void
level_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const gint32 level = g_variant_get_int32 (parameter);

  stria_graph_area_set_level (STRIA_MODEL_TOOLS (widget)->area,
                              level < 0 ? G_MAXUINT : (guint) level);
}

static void
isolate_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaModelTools *self = STRIA_MODEL_TOOLS (widget);
  gint32 up, down;

  g_variant_get (parameter, "(ii)", &up, &down);
  if (!stria_graph_area_isolate (self->area, up < 0 ? G_MAXUINT : (guint) up,
                                 down < 0 ? G_MAXUINT : (guint) down))
    stria_tell (widget, _ ("Select a node or a group first"));
}

static void
show_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_show_all (STRIA_MODEL_TOOLS (widget)->area);
}

static void
constants_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaModelTools *self = STRIA_MODEL_TOOLS (widget);
  const gboolean show = g_variant_get_boolean (parameter);

  stria_graph_area_show_kind (self->area, STRIA_NODE_PARAMETER, show);
  stria_graph_area_show_kind (self->area, STRIA_NODE_CONSTANT, show);
}

static GMenuModel *
levels_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) levels = g_menu_new ();
  g_autoptr (GMenu) constants = g_menu_new ();

  g_menu_append (levels, _ ("Fold All"), "tools.level(0)");
  for (int i = 1; i <= 3; i++)
    {
      g_autofree char *text = g_strdup_printf (ngettext ("Open %d Level", "Open %d Levels", i), i);
      g_autofree char *action = g_strdup_printf ("tools.level(%d)", i);

      g_menu_append (levels, text, action);
    }
  g_menu_append (levels, _ ("Open All"), "tools.level(-1)");
  g_menu_append (constants, _ ("Show Parameters and Constants"), "tools.constants(true)");
  g_menu_append (constants, _ ("Hide Parameters and Constants"), "tools.constants(false)");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (levels));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (constants));
  return G_MENU_MODEL (menu);
}

static GMenuModel *
isolate_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) some = g_menu_new ();
  g_autoptr (GMenu) all = g_menu_new ();

  for (int i = 1; i <= 3; i++)
    {
      g_autofree char *text
          = g_strdup_printf (ngettext ("%d Step Up and Down", "%d Steps Up and Down", i), i);
      g_autofree char *action = g_strdup_printf ("tools.isolate((%d,%d))", i, i);

      g_menu_append (some, text, action);
    }
  g_menu_append (some, _ ("All That It Needs"), "tools.isolate((-1,0))");
  g_menu_append (some, _ ("All That Needs It"), "tools.isolate((0,-1))");
  g_menu_append (all, _ ("Show All Again"), "tools.show-all");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (some));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  return G_MENU_MODEL (menu);
}

static void
name_widget (GtkWidget *widget, const char *name, const char *tooltip)
{
  gtk_widget_set_tooltip_text (widget, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
}

static GtkWidget *
icon_button_new (StriaModelTools *self, GtkWidget *bar, const char *icon, const char *name,
                 GCallback callback)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  name_widget (button, name, name);
  g_signal_connect_swapped (button, "clicked", callback, self);
  gtk_box_append (GTK_BOX (bar), button);
  return button;
}

static GtkWidget *
toggle_new (StriaModelTools *self, GtkWidget *bar, const char *label, const char *tooltip)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  gtk_widget_add_css_class (button, "flat");
  name_widget (button, label, tooltip);
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (on_trace), self);
  gtk_box_append (GTK_BOX (bar), button);
  return button;
}

/* Takes @menu. */
static void
add_menu (GtkWidget *bar, const char *label, const char *tooltip, GMenuModel *menu)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), label);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
  gtk_widget_add_css_class (button, "flat");
  name_widget (button, label, tooltip);
  gtk_box_append (GTK_BOX (bar), button);
  g_object_unref (menu);
}

static GtkWidget *
search_box_new (StriaModelTools *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);

  self->entry = gtk_search_entry_new ();
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (self->entry), SEARCH_DELAY_MS);
  g_object_set (self->entry, "placeholder-text", _ ("Search"), NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 20);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_widget_set_halign (self->entry, GTK_ALIGN_FILL);
  name_widget (self->entry, _ ("Search the graph"),
               _ ("Name, type, attribute (key:value), debug handle or group; all of several words "
                  "must be there (Ctrl+F)"));
  stria_key_tooltip (self->entry, "win.search");
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_search), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_enter), self);
  g_signal_connect_swapped (self->entry, "next-match", G_CALLBACK (on_next), self);
  g_signal_connect_swapped (self->entry, "previous-match", G_CALLBACK (on_previous), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (on_stop_search), self);
  gtk_box_append (GTK_BOX (bar), self->entry);
  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "numeric");
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->count));
  self->previous = icon_button_new (self, bar, "go-up-symbolic", _ ("Previous match"),
                                    G_CALLBACK (on_previous));
  self->next = icon_button_new (self, bar, "go-down-symbolic", _ ("Next match"),
                                G_CALLBACK (on_next));
  gtk_widget_set_sensitive (self->previous, FALSE);
  gtk_widget_set_sensitive (self->next, FALSE);
  gtk_widget_set_hexpand (bar, TRUE);
  return bar;
}

static gboolean
on_relayout (gpointer user_data)
{
  StriaModelTools *self = user_data;
  GtkWidget *parent = gtk_widget_get_parent (self->search_box);
  GtkWidget *wanted = self->is_narrow ? self->rows : self->bar;

  self->relayout = 0;
  if (parent == wanted)
    return G_SOURCE_REMOVE;
  g_object_ref (self->search_box);
  gtk_box_remove (GTK_BOX (parent), self->search_box);
  gtk_box_append (GTK_BOX (wanted), self->search_box);
  if (self->is_narrow)
    gtk_widget_add_css_class (self->search_box, "panel-header");
  else
    gtk_widget_remove_css_class (self->search_box, "panel-header");
  g_object_unref (self->search_box);
  return G_SOURCE_REMOVE;
}

static void
stria_model_tools_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline,
                           int *natural_baseline)
{
  gtk_widget_measure (STRIA_MODEL_TOOLS (widget)->rows, orientation, for_size, minimum, natural,
                      NULL, NULL);
  /* What does not fit is cut: the graph has keys and a menu for all of it. */
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = 0;
}

static void
stria_model_tools_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaModelTools *self = STRIA_MODEL_TOOLS (widget);
  int minimum;

  gtk_widget_measure (self->rows, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_allocate (self->rows, MAX (width, minimum), height, baseline, NULL);
  if (self->is_narrow == (width < NARROW_WIDTH))
    return;
  self->is_narrow = width < NARROW_WIDTH;
  if (self->relayout == 0)
    self->relayout = g_idle_add (on_relayout, self);
}

static void
stria_model_tools_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_OUTLINE)
    g_value_set_boolean (value, STRIA_MODEL_TOOLS (object)->outline);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
stria_model_tools_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_OUTLINE)
    STRIA_MODEL_TOOLS (object)->outline = g_value_get_boolean (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
stria_model_tools_dispose (GObject *object)
{
  StriaModelTools *self = STRIA_MODEL_TOOLS (object);

  g_clear_handle_id (&self->relayout, g_source_remove);
  g_clear_pointer (&self->rows, gtk_widget_unparent);
  g_clear_pointer (&self->searched, g_free);
  G_OBJECT_CLASS (stria_model_tools_parent_class)->dispose (object);
}

static void
stria_model_tools_class_init (StriaModelToolsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stria_model_tools_get_property;
  object_class->set_property = stria_model_tools_set_property;
  object_class->dispose = stria_model_tools_dispose;
  props[PROP_OUTLINE] = g_param_spec_boolean ("outline", NULL, NULL, FALSE,
                                              G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  widget_class->measure = stria_model_tools_measure;
  widget_class->size_allocate = stria_model_tools_size_allocate;
  gtk_widget_class_install_action (widget_class, "tools.level", "i", level_action);
  gtk_widget_class_install_action (widget_class, "tools.isolate", "(ii)", isolate_action);
  gtk_widget_class_install_action (widget_class, "tools.show-all", NULL, show_all_action);
  gtk_widget_class_install_action (widget_class, "tools.constants", "b", constants_action);
}

static void
stria_model_tools_init (StriaModelTools *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  GtkWidget *outline = gtk_toggle_button_new ();
  GtkWidget *direction = gtk_toggle_button_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_widget_add_css_class (bar, "panel-header");
  gtk_button_set_icon_name (GTK_BUTTON (outline), "view-list-symbolic");
  gtk_widget_add_css_class (outline, "flat");
  name_widget (outline, _ ("Outline"), _ ("Tree and list of the nodes beside the graph"));
  g_object_bind_property (outline, "active", self, "outline", G_BINDING_SYNC_CREATE);
  gtk_box_append (GTK_BOX (bar), outline);
  icon_button_new (self, bar, "zoom-fit-best-symbolic", _ ("Fit the whole graph"),
                   G_CALLBACK (on_fit));
  gtk_button_set_icon_name (GTK_BUTTON (direction), "object-rotate-right-symbolic");
  gtk_widget_add_css_class (direction, "flat");
  name_widget (direction, _ ("Top to bottom"), _ ("Lay out from top to bottom"));
  g_signal_connect_swapped (direction, "toggled", G_CALLBACK (on_direction), self);
  gtk_box_append (GTK_BOX (bar), direction);
  add_menu (bar, _ ("Levels"), _ ("How far groups are open, and what is left out"),
            levels_menu ());
  add_menu (bar, _ ("Isolate"), _ ("Show only the neighbourhood of what is selected"),
            isolate_menu ());
  self->inputs = toggle_new (self, bar, _ ("Inputs"),
                             _ ("Make all that the selection needs stand out"));
  self->outputs = toggle_new (self, bar, _ ("Outputs"),
                              _ ("Make all that needs the selection stand out"));
  self->bar = bar;
  self->direction = direction;
  self->search_box = search_box_new (self);
  gtk_box_append (GTK_BOX (bar), self->search_box);
  self->rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  /* Buttons that do not fit are cut, and come into sight when the keyboard comes to them. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), bar);
  gtk_box_append (GTK_BOX (self->rows), scroller);
  gtk_widget_set_parent (self->rows, GTK_WIDGET (self));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
stria_model_tools_new (StriaGraphArea *area)
{
  static const char *const heard[] = { "view-changed", "laid-out", "selection-changed" };
  StriaModelTools *self = g_object_new (STRIA_TYPE_MODEL_TOOLS, NULL);

  self->area = area;
  for (guint i = 0; i < G_N_ELEMENTS (heard); i++)
    g_signal_connect_object (area, heard[i], G_CALLBACK (sync_buttons), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
