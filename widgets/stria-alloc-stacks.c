/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-stacks-private.h"

#include <glib/gi18n-lib.h>

#include "stria-alloc-text.h"
#include "stria-source-link.h"
#include "stria-wrap-box.h"

static const char *const grouping_names[] = {
  N_ ("Call tree"), N_ ("Stack"), N_ ("Frame"),  N_ ("Size class"),     N_ ("Category"),
  N_ ("Pool"),      N_ ("Stream"), N_ ("Lifetime"), N_ ("Leak suspects"), NULL,
};

G_DEFINE_FINAL_TYPE (StriaAllocStacks, stria_alloc_stacks, GTK_TYPE_WIDGET)

/* -- answers from a worker -------------------------------------------------------------------- */

typedef struct
{
  StriaSnapshotData *snapshot;
  StriaAllocator    *allocator;
  guint32            step;
  guint32            base;
  StriaStacksGrouping grouping;
  gboolean           hide_noise;
} Question;

static void
question_free (gpointer data)
{
  stria_snapshot_data_unref (((Question *) data)->snapshot);
  g_free (data);
}

static void
answer_free (gpointer data)
{
  StriaStacksAnswer *answer = data;

  g_clear_pointer (&answer->nodes, g_array_unref);
  g_clear_pointer (&answer->groups, g_array_unref);
  g_clear_pointer (&answer->leaks, g_array_unref);
  g_free (answer);
}

static void
ask_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  static const StriaAllocGroup groups[] = {
    [STRIA_STACKS_BY_STACK] = STRIA_GROUP_STACK,
    [STRIA_STACKS_BY_FRAME] = STRIA_GROUP_FRAME,
    [STRIA_STACKS_BY_SIZE] = STRIA_GROUP_SIZE,
    [STRIA_STACKS_BY_CATEGORY] = STRIA_GROUP_CATEGORY,
    [STRIA_STACKS_BY_POOL] = STRIA_GROUP_POOL,
    [STRIA_STACKS_BY_STREAM] = STRIA_GROUP_STREAM,
    [STRIA_STACKS_BY_LIFETIME] = STRIA_GROUP_LIFETIME,
  };
  Question *q = task_data;
  StriaStacksAnswer *answer = g_new0 (StriaStacksAnswer, 1);
  g_autoptr (GError) error = NULL;

  answer->grouping = q->grouping;
  answer->nodes = stria_allocator_flame (q->allocator, q->step, q->base, q->hide_noise, cancellable,
                                         &error);
  if (error == NULL && q->grouping == STRIA_STACKS_LEAKS)
    answer->leaks = stria_allocator_leaks (q->allocator, NULL, 3, cancellable, &error);
  else if (error == NULL && q->grouping != STRIA_STACKS_BY_TREE)
    answer->groups = stria_allocator_group (q->allocator, groups[q->grouping], q->step, q->base,
                                            cancellable, &error);
  if (error == NULL)
    {
      g_task_return_pointer (task, answer, answer_free);
      return;
    }
  answer_free (answer);
  g_task_return_error (task, g_steal_pointer (&error));
}

static void
update_summary (StriaAllocStacks *self)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  const guint32 base = stria_alloc_state_get_base (self->state);
  g_autofree char *step = stria_alloc_step_text (allocator,
                                                 stria_alloc_state_get_step (self->state));
  g_autofree char *before = NULL;
  g_autofree char *text = NULL;

  if (gtk_drop_down_get_selected (self->grouping) == STRIA_STACKS_LEAKS)
    text = g_strdup (_ ("Stacks whose live bytes only grow from step to step"));
  else if (base == G_MAXUINT32)
    /* Translators: a time or number of an action */
    text = g_strdup_printf (_ ("What is alive at %s"), step);
  else
    {
      before = stria_alloc_step_text (allocator, base);
      text = g_strdup_printf (_ ("What is alive at %s, growth since %s"), step, before);
    }
  gtk_label_set_label (self->summary, text);
}

static void update (StriaAllocStacks *self);

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StriaAllocStacks *self = STRIA_ALLOC_STACKS (source);
  StriaStacksAnswer *answer = g_task_propagate_pointer (G_TASK (result), NULL);
  GListModel *model;

  self->working = FALSE;
  if (self->wanted && self->state != NULL)
    update (self);
  if (answer == NULL)
    return;
  if (self->state == NULL || stria_alloc_state_get_allocator (self->state) == NULL)
    {
      answer_free (answer);
      return;
    }
  g_list_store_remove_all (self->roots);
  g_clear_pointer (&self->nodes, g_array_unref);
  self->nodes = g_steal_pointer (&answer->nodes);
  if (answer->grouping == STRIA_STACKS_BY_TREE)
    {
      stria_alloc_stacks_fill_tree (self);
      stria_alloc_stacks_unfold (self);
    }
  else
    stria_alloc_stacks_fill_groups (self, answer);
  stria_alloc_stacks_show_columns (self, answer->grouping);
  model = G_LIST_MODEL (self->roots);
  gtk_stack_set_visible_child_name (self->stack,
                                    g_list_model_get_n_items (model) > 0 ? "table" : "empty");
  update_summary (self);
  stria_alloc_stacks_flame_changed (self);
  answer_free (answer);
}

/* One question at a time: while the moment is dragged, each answer is shown and the newest question
 * comes next. */
static void
update (StriaAllocStacks *self)
{
  g_autoptr (GTask) task = NULL;
  Question *q;

  self->stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  self->wanted = self->working && !self->stale;
  if (self->stale || self->working || stria_alloc_state_get_allocator (self->state) == NULL)
    return;
  self->working = TRUE;
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  q = g_new0 (Question, 1);
  q->snapshot = stria_snapshot_data_ref (stria_alloc_state_get_snapshot (self->state));
  q->allocator = stria_alloc_state_get_allocator (self->state);
  q->step = stria_alloc_state_get_step (self->state);
  q->base = stria_alloc_state_get_base (self->state);
  if (q->base == G_MAXUINT32)
    q->base = q->step;
  q->grouping = (StriaStacksGrouping) gtk_drop_down_get_selected (self->grouping);
  q->hide_noise = !gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->all_frames));
  task = g_task_new (self, self->cancellable, on_answer, NULL);
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, q, question_free);
  g_task_run_in_thread (task, ask_in_thread);
}

static void
on_device_changed (StriaAllocStacks *self)
{
  g_list_store_remove_all (self->roots);
  g_clear_pointer (&self->nodes, g_array_unref);
  stria_alloc_stacks_flame_changed (self);
  g_cancellable_cancel (self->cancellable);
  update (self);
}

/* -- source ------------------------------------------------------------------------------------ */

gboolean
stria_alloc_stacks_go_to_frame (StriaAllocStacks *self, guint32 number, GtkWidget *menu_parent,
                                double x, double y)
{
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  const StriaAllocFrame *frame;
  const char *path;

  if (snapshot == NULL || number >= stria_snapshot_get_n_frames (snapshot))
    return FALSE;
  frame = stria_snapshot_get_frame (snapshot, number);
  path = stria_snapshot_get_string (snapshot, frame->filename);
  if (!stria_source_is_file (path) || frame->line == 0 || frame->line > G_MAXINT32)
    return FALSE;
  if (menu_parent != NULL)
    stria_source_popup_menu (menu_parent, x, y, path, (guint) frame->line);
  else
    stria_source_show (GTK_WIDGET (self), path, (guint) frame->line);
  return TRUE;
}

/* -- the bar above ---------------------------------------------------------------------------- */

static void
on_set_base (StriaAllocStacks *self)
{
  stria_alloc_state_set_base (self->state, stria_alloc_state_get_step (self->state));
}

static void
on_clear_base (StriaAllocStacks *self)
{
  stria_alloc_state_set_base (self->state, G_MAXUINT32);
}

static GtkWidget *
button_new (StriaAllocStacks *self, const char *label, const char *tooltip, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static GtkWidget *
header_new (StriaAllocStacks *self)
{
  GtkWidget *header = stria_wrap_box_new (6, 4);
  const char *names[G_N_ELEMENTS (grouping_names)] = { NULL };

  for (guint i = 0; grouping_names[i] != NULL; i++)
    names[i] = _ (grouping_names[i]);
  gtk_widget_add_css_class (header, "panel-header");
  self->grouping = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (names));
  gtk_widget_set_valign (GTK_WIDGET (self->grouping), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->grouping), _ ("What the rows of the table are"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->grouping), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Group by"), -1);
  g_signal_connect_swapped (self->grouping, "notify::selected", G_CALLBACK (update), self);
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->summary, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  self->all_frames = gtk_toggle_button_new_with_label (_ ("All Frames"));
  gtk_widget_set_valign (self->all_frames, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (
      self->all_frames, _ ("Also show the frames of the unwinder, the dispatcher and the interpreter"));
  g_signal_connect_swapped (self->all_frames, "toggled", G_CALLBACK (update), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (header), GTK_WIDGET (self->grouping));
  stria_wrap_box_append (STRIA_WRAP_BOX (header), GTK_WIDGET (self->summary));
  stria_wrap_box_append (STRIA_WRAP_BOX (header), self->all_frames);
  stria_wrap_box_append (STRIA_WRAP_BOX (header),
                         button_new (
                             self, _ ("Set as Base"),
                             _ ("Compare with the chosen moment from now on (B in the plot)"),
                             G_CALLBACK (on_set_base)));
  stria_wrap_box_append (STRIA_WRAP_BOX (header),
                         button_new (self, _ ("Clear Base"), _ ("Compare with nothing"),
                                     G_CALLBACK (on_clear_base)));
  return header;
}

static void
stria_alloc_stacks_map (GtkWidget *widget)
{
  StriaAllocStacks *self = STRIA_ALLOC_STACKS (widget);

  GTK_WIDGET_CLASS (stria_alloc_stacks_parent_class)->map (widget);
  if (self->stale)
    update (self);
}

static void
stria_alloc_stacks_dispose (GObject *object)
{
  StriaAllocStacks *self = STRIA_ALLOC_STACKS (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  for (guint i = 0; i < STRIA_N_ALLOC_VALUES; i++)
    g_clear_object (&self->columns[i]);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->state);
  g_clear_object (&self->roots);
  g_clear_pointer (&self->nodes, g_array_unref);
  G_OBJECT_CLASS (stria_alloc_stacks_parent_class)->dispose (object);
}

static void
stria_alloc_stacks_class_init (StriaAllocStacksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_alloc_stacks_dispose;
  GTK_WIDGET_CLASS (klass)->map = stria_alloc_stacks_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_alloc_stacks_init (StriaAllocStacks *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  GtkWidget *empty = gtk_label_new (_ ("Nothing here at this moment"));

  self->stale = TRUE;
  self->hover = G_MAXUINT32;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_box_append (GTK_BOX (self->box), header_new (self));
  gtk_widget_add_css_class (empty, "dim-label");
  gtk_stack_add_named (self->stack, stria_alloc_stacks_table_new (self), "table");
  gtk_stack_add_named (self->stack, empty, "empty");
  gtk_paned_set_start_child (GTK_PANED (paned), stria_alloc_stacks_flame_new (self));
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self->stack));
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_position (GTK_PANED (paned), 150);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_box_append (GTK_BOX (self->box), paned);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_alloc_stacks_new (StriaAllocState *state)
{
  StriaAllocStacks *self = g_object_new (STRIA_TYPE_ALLOC_STACKS, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "device-changed", G_CALLBACK (on_device_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "moment-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
