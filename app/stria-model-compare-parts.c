/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-compare-parts.h"

#include "stria-model-compare-table.h"
#include "stria-model-compare-view.h"
#include "stria-model-details.h"

struct _StriaModelCompareParts
{
  GObject parent_instance;

  StriaModelState   *state;
  StriaModelCompare *compare;
  gboolean           was_active;
  /* Not owned: what holds this has them */
  GtkStack  *graphs;
  GtkStack  *table;
  GtkStack  *details;
  GtkWidget *view;
};

enum
{
  CHANGED,
  SHOWN,
  REVEAL,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaModelCompareParts, stria_model_compare_parts, G_TYPE_OBJECT)

gboolean
stria_model_compare_parts_is_active (StriaModelCompareParts *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_COMPARE_PARTS (self), FALSE);

  return stria_model_compare_get_comparison (self->compare) != NULL;
}

static void
show_side (StriaModelCompareParts *self)
{
  const char *name = stria_model_compare_is_second (self->compare) ? "second" : "first";

  /* A metric may change before there are details of the sides. */
  if (!stria_model_compare_parts_is_active (self)
      || gtk_stack_get_child_by_name (self->details, name) == NULL)
    name = "alone";
  gtk_stack_set_visible_child_name (self->details, name);
}

/* Details are of a state, and each comparison has its own. */
static void
replace_details (StriaModelCompareParts *self)
{
  static const char *const names[] = { "first", "second" };

  gtk_stack_set_visible_child_name (self->details, "alone");
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *old = gtk_stack_get_child_by_name (self->details, names[i]);
      StriaModelState *state = stria_model_compare_get_state (self->compare, i == 1);

      if (old != NULL)
        gtk_stack_remove (self->details, old);
      if (state != NULL)
        gtk_stack_add_named (self->details, stria_model_details_new (state), names[i]);
    }
}

static void
on_changed (StriaModelCompareParts *self)
{
  const gboolean active = stria_model_compare_parts_is_active (self);

  if (!active && !self->was_active)
    return;
  self->was_active = active;
  gtk_stack_set_visible_child_name (self->graphs, active ? "compare" : "alone");
  gtk_stack_set_visible_child_name (self->table, active ? "compare" : "alone");
  replace_details (self);
  show_side (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_shown (StriaModelCompareParts *self)
{
  g_signal_emit (self, signals[SHOWN], 0);
}

static void
on_reveal (StriaModelCompareParts *self)
{
  g_signal_emit (self, signals[REVEAL], 0);
}

static void
stria_model_compare_parts_dispose (GObject *object)
{
  StriaModelCompareParts *self = STRIA_MODEL_COMPARE_PARTS (object);

  if (self->compare != NULL)
    g_signal_handlers_disconnect_by_data (self->compare, self);
  g_clear_object (&self->compare);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_model_compare_parts_parent_class)->dispose (object);
}

static void
stria_model_compare_parts_class_init (StriaModelComparePartsClass *klass)
{
  static const char *const names[N_SIGNALS]
      = { [CHANGED] = "changed", [SHOWN] = "shown", [REVEAL] = "reveal" };

  G_OBJECT_CLASS (klass)->dispose = stria_model_compare_parts_dispose;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_model_compare_parts_init (StriaModelCompareParts *self)
{
}

StriaModelCompareParts *
stria_model_compare_parts_new (StriaModelState *state)
{
  StriaModelCompareParts *self = g_object_new (STRIA_TYPE_MODEL_COMPARE_PARTS, NULL);

  self->state = g_object_ref (state);
  self->compare = stria_model_compare_new (state);
  return self;
}

StriaModelCompare *
stria_model_compare_parts_get_compare (StriaModelCompareParts *self)
{
  return self->compare;
}

GtkWidget *
stria_model_compare_parts_graphs (StriaModelCompareParts *self, GtkWidget *widget)
{
  self->graphs = GTK_STACK (gtk_stack_new ());
  self->view = stria_model_compare_view_new (self->compare);
  gtk_stack_add_named (self->graphs, widget, "alone");
  gtk_stack_add_named (self->graphs, self->view, "compare");
  gtk_stack_set_hhomogeneous (self->graphs, FALSE);
  g_signal_connect_object (self->view, "shown", G_CALLBACK (on_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "reveal", G_CALLBACK (on_reveal), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self->graphs);
}

GtkWidget *
stria_model_compare_parts_table (StriaModelCompareParts *self, GtkWidget *widget)
{
  self->table = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->table, widget, "alone");
  gtk_stack_add_named (self->table, stria_model_compare_table_new (self->compare), "compare");
  gtk_stack_set_hhomogeneous (self->table, FALSE);
  return GTK_WIDGET (self->table);
}

/* To be called last: then the parts hear of a comparison after what they show does. */
GtkWidget *
stria_model_compare_parts_details (StriaModelCompareParts *self, GtkWidget *widget)
{
  self->details = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->details, widget, "alone");
  g_signal_connect_object (self->compare, "changed", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compare, "selected", G_CALLBACK (show_side), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self->details);
}

void
stria_model_compare_parts_show (StriaModelCompareParts *self, guint graph)
{
  stria_model_compare_view_show (STRIA_MODEL_COMPARE_VIEW (self->view), graph);
}

guint
stria_model_compare_parts_get_graph (StriaModelCompareParts *self)
{
  return stria_model_compare_view_get_graph (STRIA_MODEL_COMPARE_VIEW (self->view));
}

StriaModelTab *
stria_model_compare_parts_get_tab (StriaModelCompareParts *self)
{
  return stria_model_compare_view_get_tab (STRIA_MODEL_COMPARE_VIEW (self->view));
}

StriaModelState *
stria_model_compare_parts_get_state (StriaModelCompareParts *self)
{
  return stria_model_compare_get_state (
      self->compare, stria_model_compare_view_is_second (STRIA_MODEL_COMPARE_VIEW (self->view)));
}

gboolean
stria_model_compare_parts_cycle (StriaModelCompareParts *self, gboolean forward)
{
  return stria_model_compare_view_cycle (STRIA_MODEL_COMPARE_VIEW (self->view), forward);
}
