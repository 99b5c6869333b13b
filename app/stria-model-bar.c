/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-bar.h"

#include <glib/gi18n-lib.h>

#include "stria-key-bindings.h"
#include "stria-model-text.h"
#include "stria-wrap-box.h"

struct _StriaModelBar
{
  GtkWidget parent_instance;

  StriaModelState *state;
  gboolean         is_filling;

  StriaWrapBox    *bar;
  GtkWidget       *switcher;
  GtkDropDown     *sets;
  GtkDropDown     *methods;
  GtkDropDown     *units;
  GtkDropDown     *counters;
  GtkDropDown     *aggregations;
  GtkWidget       *spinner;
  GtkWidget       *back;
  GtkWidget       *forward;
};

G_DEFINE_FINAL_TYPE (StriaModelBar, stria_model_bar, GTK_TYPE_WIDGET)

static const StriaAggregation offered[]
    = { STRIA_AGGREGATION_P50, STRIA_AGGREGATION_MEAN, STRIA_AGGREGATION_MIN, STRIA_AGGREGATION_MAX,
        STRIA_AGGREGATION_SUM };

static void
on_set (StriaModelBar *self)
{
  if (!self->is_filling)
    stria_model_state_choose_set (self->state, gtk_drop_down_get_selected (self->sets));
}

static void
on_method (StriaModelBar *self)
{
  if (!self->is_filling)
    stria_model_state_choose_method (self->state, gtk_drop_down_get_selected (self->methods));
}

static void
on_unit (StriaModelBar *self)
{
  if (!self->is_filling)
    stria_model_state_choose_unit (self->state,
                                   (StriaTimeUnit) gtk_drop_down_get_selected (self->units));
}

static void
on_counter (StriaModelBar *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  const guint chosen = gtk_drop_down_get_selected (self->counters);

  if (self->is_filling || index == NULL)
    return;
  stria_model_state_set_counter (self->state, chosen > 0 && chosen <= index->counters->len
                                                  ? index->counters->pdata[chosen - 1]
                                                  : NULL);
}

static void
on_aggregation (StriaModelBar *self)
{
  const guint chosen = gtk_drop_down_get_selected (self->aggregations);

  if (!self->is_filling && chosen < G_N_ELEMENTS (offered))
    stria_model_state_set_aggregation (self->state, offered[chosen]);
}

static void
on_back (StriaModelBar *self)
{
  stria_model_state_step (self->state, FALSE);
}

static void
on_forward (StriaModelBar *self)
{
  stria_model_state_step (self->state, TRUE);
}

static void
fill (GtkDropDown *drop_down, const char *const *names, guint selected, guint least)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (names);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (list));

  gtk_drop_down_set_model (drop_down, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (drop_down, selected);
  gtk_widget_set_visible (GTK_WIDGET (drop_down), n >= least);
}

static void
fill_counters (StriaModelBar *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  const char *chosen = stria_model_state_get_metric (self->state)->counter;
  const StriaModelMetric usual = { NULL, STRIA_AGGREGATION_SUM };
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  StriaModelScale scale = { 0 };
  guint selected = 0;

  if (index != NULL)
    stria_model_index_scale (index, &usual, STRIA_ENTITY_CHAIN, &scale);
  if (scale.name != NULL)
    /* Translators: the counter that is shown if nothing else is chosen */
    gtk_string_list_take (names, g_strdup_printf (_ ("%s (default)"), scale.name));
  else
    gtk_string_list_append (names, _ ("No counters"));
  for (guint i = 0; index != NULL && i < index->counters->len; i++)
    {
      gtk_string_list_append (names, index->counters->pdata[i]);
      if (g_strcmp0 (chosen, index->counters->pdata[i]) == 0)
        selected = i + 1;
    }
  gtk_drop_down_set_model (self->counters, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->counters, selected);
  gtk_widget_set_visible (GTK_WIDGET (self->counters), scale.name != NULL);
}

static void
update (StriaModelBar *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  const gboolean has_dump
      = index != NULL && stria_profile_get_set (index->profile)->dump != STRIA_NO_REF;

  self->is_filling = TRUE;
  fill (self->sets, stria_model_state_get_sets (self->state),
        stria_model_state_get_set (self->state), 2);
  fill (self->methods, stria_model_state_get_methods (self->state),
        stria_model_state_get_method (self->state), 2);
  fill_counters (self);
  gtk_widget_set_visible (GTK_WIDGET (self->units), has_dump);
  gtk_widget_set_visible (GTK_WIDGET (self->aggregations), has_dump);
  self->is_filling = FALSE;
}

static void
update_steps (StriaModelBar *self)
{
  gtk_widget_set_sensitive (self->back, stria_model_state_can_step (self->state, FALSE));
  gtk_widget_set_sensitive (self->forward, stria_model_state_can_step (self->state, TRUE));
}

static GtkDropDown *
drop_down_new (StriaModelBar *self, const char *const *names, const char *label,
               const char *tooltip, GCallback callback)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (names);

  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (drop_down, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect_object (drop_down, "notify::selected", callback, self, G_CONNECT_SWAPPED);
  stria_wrap_box_append (self->bar, drop_down);
  return GTK_DROP_DOWN (drop_down);
}

static GtkWidget *
step_new (StriaModelBar *self, const char *icon, const char *name, const char *tooltip,
          GCallback callback)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped (button, "clicked", callback, self);
  stria_wrap_box_append (self->bar, button);
  return button;
}

static void
stria_model_bar_dispose (GObject *object)
{
  StriaModelBar *self = STRIA_MODEL_BAR (object);

  if (self->bar != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->bar));
  self->bar = NULL;
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_model_bar_parent_class)->dispose (object);
}

static void
stria_model_bar_class_init (StriaModelBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_model_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
add_choosers (StriaModelBar *self)
{
  const char *none[] = { NULL };
  /* Translators: what one tick of an ETDump is */
  const char *units[] = { _ ("Ticks are ns"), _ ("Ticks are µs"), _ ("Ticks are ms"),
                          _ ("Ticks are s"),  _ ("Ticks are cycles"), NULL };
  const char *names[G_N_ELEMENTS (offered) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (offered); i++)
    names[i] = stria_model_aggregation_title (offered[i]);
  self->sets = drop_down_new (self, none, _ ("Files"), _ ("Which files belong together"),
                              G_CALLBACK (on_set));
  self->methods = drop_down_new (self, none, _ ("Method"), _ ("Method of the program"),
                                 G_CALLBACK (on_method));
  self->units = drop_down_new (
      self, units, _ ("Time unit"),
      _ ("An ETDump does not say what its ticks are. Nanoseconds are usual; some targets write "
         "cycles."),
      G_CALLBACK (on_unit));
  self->counters = drop_down_new (self, none, _ ("Counter"),
                                  _ ("What the colours of segments, cascades and chains say"),
                                  G_CALLBACK (on_counter));
  self->aggregations
      = drop_down_new (self, names, _ ("Aggregation"),
                       _ ("How runtimes and counters of several executions become one figure"),
                       G_CALLBACK (on_aggregation));
}

static void
stria_model_bar_init (StriaModelBar *self)
{
  GtkWidget *bar = stria_wrap_box_new (6, 3);
  GtkWidget *space = gtk_label_new (NULL);

  self->bar = STRIA_WRAP_BOX (bar);
  gtk_widget_add_css_class (bar, "panel-header");
  gtk_widget_add_css_class (bar, "view-bar");
  self->switcher = gtk_stack_switcher_new ();
  gtk_widget_set_valign (self->switcher, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->switcher), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Pages of the model"), -1);
  stria_wrap_box_append (self->bar, self->switcher);
  self->back = step_new (self, "go-previous-symbolic", _ ("Previous selection"),
                         _ ("Back to the selection before (Alt+Left)"), G_CALLBACK (on_back));
  self->forward = step_new (self, "go-next-symbolic", _ ("Next selection"),
                            _ ("Forward again (Alt+Right)"), G_CALLBACK (on_forward));
  stria_key_tooltip (GTK_WIDGET (self->back), "model.previous-selection");
  stria_key_tooltip (GTK_WIDGET (self->forward), "model.next-selection");
  self->spinner = gtk_spinner_new ();
  stria_wrap_box_append (self->bar, self->spinner);
  gtk_widget_set_hexpand (space, TRUE);
  stria_wrap_box_append (self->bar, space);
  add_choosers (self);
  gtk_widget_set_parent (bar, GTK_WIDGET (self));
}

GtkWidget *
stria_model_bar_new (StriaModelState *state, GtkStack *stack)
{
  StriaModelBar *self = g_object_new (STRIA_TYPE_MODEL_BAR, NULL);

  self->state = g_object_ref (state);
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (self->switcher), stack);
  g_object_bind_property (state, "busy", self->spinner, "spinning", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (state, "sets-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (update_steps), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "profile-changed", G_CALLBACK (update_steps), self,
                           G_CONNECT_SWAPPED);
  update (self);
  update_steps (self);
  return GTK_WIDGET (self);
}

void
stria_model_bar_add (StriaModelBar *self, GtkWidget *widget)
{
  g_return_if_fail (STRIA_IS_MODEL_BAR (self));

  stria_wrap_box_append (self->bar, widget);
}
