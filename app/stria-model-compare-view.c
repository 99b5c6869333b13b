/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-compare-view.h"

#include <glib/gi18n-lib.h>

#include "stria-focus.h"
#include "stria-key-bindings.h"
#include "stria-model-compare-link.h"

struct _StriaModelCompareView
{
  GtkWidget parent_instance;

  StriaModelCompare     *compare;
  StriaModelCompareLink *link;
  GArray                *graphs; /* guint, by row of the chooser: number in the first capture */
  guint                  graph;
  gboolean               is_second; /* has the keyboard */
  gboolean               is_filling;

  GtkWidget       *box;
  GtkDropDown     *chooser;
  GtkToggleButton *together;
  GtkLabel        *summary;
  GtkPaned        *paned;
  GtkLabel        *captions[2];
  GtkWidget       *slots[2];
  GtkWidget       *tabs[2]; /* owned by the slots */
  GtkLabel        *status;
};

enum
{
  SHOWN,
  REVEAL,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaModelCompareView, stria_model_compare_view, GTK_TYPE_WIDGET)

static void
drop_tabs (StriaModelCompareView *self)
{
  g_clear_pointer (&self->link, stria_model_compare_link_free);
  for (guint i = 0; i < 2; i++)
    {
      if (self->tabs[i] != NULL)
        gtk_box_remove (GTK_BOX (self->slots[i]), self->tabs[i]);
      self->tabs[i] = NULL;
    }
}

static void
on_focus (GtkEventController *controller, gpointer user_data)
{
  StriaModelCompareView *self = user_data;

  self->is_second
      = gtk_widget_get_parent (gtk_event_controller_get_widget (controller)) == self->slots[1];
}

static void
add_tab (StriaModelCompareView *self, guint side, guint graph)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->tabs[side]
      = stria_model_tab_new (stria_model_compare_get_state (self->compare, side == 1), graph);
  gtk_widget_set_vexpand (self->tabs[side], TRUE);
  gtk_widget_set_hexpand (self->tabs[side], TRUE);
  g_signal_connect_object (focus, "enter", G_CALLBACK (on_focus), self, 0);
  gtk_widget_add_controller (self->tabs[side], focus);
  gtk_box_append (GTK_BOX (self->slots[side]), self->tabs[side]);
}

static GtkWidget *
absence_new (void)
{
  GtkWidget *label = gtk_label_new (_ ("The second capture has no such graph."));

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_vexpand (label, TRUE);
  return label;
}

static void
show_graph (StriaModelCompareView *self, guint graph)
{
  const guint other = stria_model_compare_get_graph (self->compare, graph);
  StriaGraphArea *areas[2] = { NULL };

  drop_tabs (self);
  self->graph = graph;
  add_tab (self, 0, graph);
  if (other != G_MAXUINT)
    add_tab (self, 1, other);
  else
    {
      self->tabs[1] = absence_new ();
      gtk_box_append (GTK_BOX (self->slots[1]), self->tabs[1]);
    }
  for (guint i = 0; i < 2; i++)
    if (STRIA_IS_MODEL_TAB (self->tabs[i]))
      areas[i] = stria_model_tab_get_area (STRIA_MODEL_TAB (self->tabs[i]));
  gtk_widget_set_sensitive (GTK_WIDGET (self->together), areas[0] != NULL && areas[1] != NULL);
  if (areas[0] != NULL && areas[1] != NULL)
    {
      self->link = stria_model_compare_link_new (
          areas[0], areas[1], stria_model_compare_get_partners (self->compare, graph));
      stria_model_compare_link_set_active (self->link,
                                           gtk_toggle_button_get_active (self->together));
    }
  for (guint i = 0; i < self->graphs->len; i++)
    if (g_array_index (self->graphs, guint, i) == graph)
      {
        self->is_filling = TRUE;
        gtk_drop_down_set_selected (self->chooser, i);
        self->is_filling = FALSE;
      }
  g_signal_emit (self, signals[SHOWN], 0);
}

static void
on_chosen (StriaModelCompareView *self)
{
  const guint chosen = gtk_drop_down_get_selected (self->chooser);

  if (!self->is_filling && chosen < self->graphs->len)
    show_graph (self, g_array_index (self->graphs, guint, chosen));
}

static void
on_together (StriaModelCompareView *self)
{
  if (self->link != NULL)
    stria_model_compare_link_set_active (self->link,
                                         gtk_toggle_button_get_active (self->together));
}

static char *
caption_of (StriaModelCompareView *self, gboolean second)
{
  StriaModelState *state = stria_model_compare_get_state (self->compare, second);
  StriaProfile *profile = stria_model_state_get_index (state)->profile;
  const char *method = stria_profile_get_method (profile);
  const guint32 n = stria_profile_n_executions (profile);
  g_autofree char *executions
      = g_strdup_printf (ngettext ("%u execution", "%u executions", n), n);

  return g_strdup_printf ("%s: %s%s%s · %s",
                          second ? C_ ("capture", "Second") : C_ ("capture", "First"),
                          stria_capture_get_title (stria_model_state_get_capture (state)),
                          method != NULL ? " · " : "", method != NULL ? method : "", executions);
}

static void
update_captions (StriaModelCompareView *self)
{
  StriaComparison *comparison = stria_model_compare_get_comparison (self->compare);
  GPtrArray *remarks = stria_comparison_get_remarks (comparison);
  g_autoptr (GString) notes = g_string_new (NULL);
  g_autofree char *text = NULL;
  guint n[4] = { 0 };

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *caption = caption_of (self, i == 1);

      gtk_label_set_label (self->captions[i], caption);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->captions[i]), caption);
    }
  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    n[stria_comparison_pair (comparison, i)->state]++;
  text = g_strdup_printf (
      /* Translators: numbers of operators, chains and so on of two captures */
      _ ("%u the same, %u only in the first, %u only in the second, %u only of the same name"),
      n[STRIA_PAIR_BOTH], n[STRIA_PAIR_REMOVED], n[STRIA_PAIR_ADDED], n[STRIA_PAIR_UNMATCHED]);
  g_string_append (notes, text);
  for (guint i = 0; i < remarks->len; i++)
    g_string_append_printf (notes, "\n%s", ((StriaRemark *) remarks->pdata[i])->message);
  if (remarks->len > 0)
    {
      g_autofree char *more = g_strdup_printf (
          ngettext ("%s · %u note", "%s · %u notes", remarks->len), text, remarks->len);

      gtk_label_set_label (self->summary, more);
    }
  else
    gtk_label_set_label (self->summary, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->summary), notes->str);
}

static void
on_selected (StriaModelCompareView *self)
{
  g_autofree char *text = stria_model_compare_describe (self->compare);
  const gboolean second = stria_model_compare_is_second (self->compare);
  StriaModelState *other = stria_model_compare_get_state (self->compare, !second);
  GtkWidget *tab = self->tabs[!second];

  gtk_label_set_label (self->status,
                       text != NULL ? text
                                    : _ ("Select a node or a group to see what changed of it."));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status), text);
  /* Areas that move together have it in sight already. */
  if (other != NULL && STRIA_IS_MODEL_TAB (tab)
      && !(self->link != NULL && gtk_toggle_button_get_active (self->together))
      && stria_model_state_get_selection (other)->graph != G_MAXUINT)
    stria_model_tab_reveal (STRIA_MODEL_TAB (tab));
}

/* Somebody goes to an entity, of whatever graph. */
static void
reveal (StriaModelCompareView *self, gboolean second)
{
  StriaModelState *state = stria_model_compare_get_state (self->compare, second);
  guint graph = stria_model_state_get_selection (state)->graph;

  for (guint i = 0; second && i < self->graphs->len; i++)
    if (stria_model_compare_get_graph (self->compare, g_array_index (self->graphs, guint, i))
        == graph)
      {
        graph = g_array_index (self->graphs, guint, i);
        break;
      }
  if (graph != self->graph)
    show_graph (self, graph);
  g_signal_emit (self, signals[REVEAL], 0);
  if (STRIA_IS_MODEL_TAB (self->tabs[second]))
    {
      stria_model_tab_reveal (STRIA_MODEL_TAB (self->tabs[second]));
      gtk_widget_grab_focus (self->tabs[second]);
    }
}

static void
on_reveal (StriaModelCompareView *self, StriaModelState *state)
{
  reveal (self, state == stria_model_compare_get_state (self->compare, TRUE));
}

static void
on_show_graph (StriaModelCompareView *self, guint graph, StriaModelState *state)
{
  const gboolean second = state == stria_model_compare_get_state (self->compare, TRUE);

  for (guint i = 0; i < self->graphs->len; i++)
    {
      const guint first = g_array_index (self->graphs, guint, i);

      if ((second ? stria_model_compare_get_graph (self->compare, first) : first) == graph)
        {
          show_graph (self, first);
          return;
        }
    }
}

static void
fill_graphs (StriaModelCompareView *self)
{
  GPtrArray *graphs
      = stria_model_state_get_index (stria_model_compare_get_state (self->compare, FALSE))->graphs;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  g_array_set_size (self->graphs, 0);
  for (guint i = 0; i < graphs->len; i++)
    {
      const StriaModelGraph *graph = graphs->pdata[i];

      if (graph->graph == NULL && stria_model_compare_get_graph (self->compare, i) == G_MAXUINT)
        continue;
      g_array_append_val (self->graphs, i);
      gtk_string_list_append (names, graph->title);
    }
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->chooser, G_LIST_MODEL (names));
  self->is_filling = FALSE;
}

static void
on_changed (StriaModelCompareView *self)
{
  StriaModelIndex *index;
  StriaModelState *state = stria_model_compare_get_state (self->compare, FALSE);
  guint graph = self->graph;

  if (state == NULL)
    {
      drop_tabs (self);
      return;
    }
  /* Only something is being read, or could not be. */
  if (self->tabs[0] != NULL && g_object_get_data (G_OBJECT (self->tabs[0]), "of") == state)
    return;
  index = stria_model_state_get_index (state);
  fill_graphs (self);
  update_captions (self);
  for (guint i = 0; i < 2; i++)
    {
      StriaModelState *side = stria_model_compare_get_state (self->compare, i == 1);

      g_signal_connect_object (side, "reveal", G_CALLBACK (on_reveal), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (side, "show-graph", G_CALLBACK (on_show_graph), self,
                               G_CONNECT_SWAPPED);
    }
  if (graph >= index->graphs->len
      || ((StriaModelGraph *) index->graphs->pdata[graph])->graph == NULL)
    graph = stria_model_index_first (index);
  show_graph (self, graph != G_MAXUINT ? graph : 0);
  g_object_set_data (G_OBJECT (self->tabs[0]), "of", state);
  on_selected (self);
}

guint
stria_model_compare_view_get_graph (StriaModelCompareView *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_COMPARE_VIEW (self), G_MAXUINT);

  return self->graph;
}

void
stria_model_compare_view_show (StriaModelCompareView *self, guint graph)
{
  g_return_if_fail (STRIA_IS_MODEL_COMPARE_VIEW (self));

  if (stria_model_compare_get_comparison (self->compare) != NULL && graph != self->graph)
    show_graph (self, graph);
  self->graph = graph;
}

StriaModelTab *
stria_model_compare_view_get_tab (StriaModelCompareView *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_COMPARE_VIEW (self), NULL);

  return STRIA_IS_MODEL_TAB (self->tabs[self->is_second])
             ? STRIA_MODEL_TAB (self->tabs[self->is_second])
             : NULL;
}

gboolean
stria_model_compare_view_is_second (StriaModelCompareView *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_COMPARE_VIEW (self), FALSE);

  return self->is_second;
}

gboolean
stria_model_compare_view_cycle (StriaModelCompareView *self, gboolean forward)
{
  GtkWidget *focus;
  gboolean inside;

  g_return_val_if_fail (STRIA_IS_MODEL_COMPARE_VIEW (self), FALSE);

  focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  inside = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->paned));
  if (inside && forward == self->is_second)
    return FALSE;
  return gtk_widget_grab_focus (self->tabs[inside ? !self->is_second : !forward]);
}

static gboolean
stria_model_compare_view_grab_focus (GtkWidget *widget)
{
  StriaModelTab *tab = stria_model_compare_view_get_tab (STRIA_MODEL_COMPARE_VIEW (widget));

  return tab != NULL && gtk_widget_grab_focus (GTK_WIDGET (tab));
}

static void
stria_model_compare_view_dispose (GObject *object)
{
  StriaModelCompareView *self = STRIA_MODEL_COMPARE_VIEW (object);

  if (self->chooser != NULL)
    g_signal_handlers_disconnect_by_data (self->chooser, self);
  self->chooser = NULL;
  if (self->box != NULL)
    drop_tabs (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->compare);
  g_clear_pointer (&self->graphs, g_array_unref);
  G_OBJECT_CLASS (stria_model_compare_view_parent_class)->dispose (object);
}

static void
together_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaModelCompareView *self = STRIA_MODEL_COMPARE_VIEW (widget);

  gtk_toggle_button_set_active (self->together, !gtk_toggle_button_get_active (self->together));
}

static void
stria_model_compare_view_class_init (StriaModelCompareViewClass *klass)
{
  static const char *const names[N_SIGNALS] = { [SHOWN] = "shown", [REVEAL] = "reveal" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_model_compare_view_dispose;
  widget_class->focus = stria_focus_children;
  widget_class->grab_focus = stria_model_compare_view_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "compare.together", NULL, together_action);
  stria_key_bind_class (widget_class, GDK_KEY_l, GDK_CONTROL_MASK, "compare.together");
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
bar_new (StriaModelCompareView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *end = gtk_button_new_with_label (_ ("End Comparison"));

  gtk_widget_add_css_class (bar, "panel-header");
  self->chooser = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  gtk_widget_set_valign (GTK_WIDGET (self->chooser), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->chooser), _ ("Graph that both sides show"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chooser), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Compared graph"), -1);
  g_signal_connect_swapped (self->chooser, "notify::selected", G_CALLBACK (on_chosen), self);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->chooser));
  self->together = GTK_TOGGLE_BUTTON (gtk_toggle_button_new ());
  gtk_button_set_icon_name (GTK_BUTTON (self->together), "insert-link-symbolic");
  gtk_toggle_button_set_active (self->together, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->together), "flat");
  gtk_widget_set_valign (GTK_WIDGET (self->together), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->together),
                               _ ("Both sides move together (Ctrl+L)"));
  stria_key_tooltip (GTK_WIDGET (self->together), "compare.together");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->together), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Move together"), -1);
  g_signal_connect_swapped (self->together, "toggled", G_CALLBACK (on_together), self);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->together));
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->summary, 0);
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "dim-label");
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->summary));
  gtk_widget_set_valign (end, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (end, _ ("Back to the panes of this capture (Ctrl+Shift+D)"));
  stria_key_tooltip (end, "model.end-compare");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (end), "model.end-compare");
  gtk_box_append (GTK_BOX (bar), end);
  return bar;
}

static GtkWidget *
slot_new (StriaModelCompareView *self, guint side)
{
  self->slots[side] = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->captions[side] = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->captions[side], 0);
  gtk_label_set_ellipsize (self->captions[side], PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (GTK_WIDGET (self->captions[side]), "heading");
  gtk_widget_add_css_class (GTK_WIDGET (self->captions[side]), "compare-caption");
  gtk_box_append (GTK_BOX (self->slots[side]), GTK_WIDGET (self->captions[side]));
  return self->slots[side];
}

static void
stria_model_compare_view_init (StriaModelCompareView *self)
{
  self->graph = G_MAXUINT;
  self->graphs = g_array_new (FALSE, FALSE, sizeof (guint));
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->paned = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_paned_set_start_child (self->paned, slot_new (self, 0));
  gtk_paned_set_end_child (self->paned, slot_new (self, 1));
  gtk_paned_set_shrink_start_child (self->paned, FALSE);
  gtk_paned_set_shrink_end_child (self->paned, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->paned), TRUE);
  self->status = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->status, 0);
  gtk_label_set_ellipsize (self->status, PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (self->status, FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->status), "compare-status");
  gtk_box_append (GTK_BOX (self->box), bar_new (self));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->paned));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->status));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_model_compare_view_new (StriaModelCompare *compare)
{
  StriaModelCompareView *self = g_object_new (STRIA_TYPE_MODEL_COMPARE_VIEW, NULL);

  self->compare = g_object_ref (compare);
  g_signal_connect_object (compare, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (compare, "selected", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
