/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-details.h"

#include <glib/gi18n-lib.h>

#include "stria-alloc-text.h"
#include "stria-details-rows.h"
#include "stria-format.h"
#include "stria-retell.h"
#include "stria-source-link.h"

#define MAX_FRAMES 400

struct _StriaAllocDetails
{
  GtkWidget parent_instance;

  StriaAllocState *state;
  GtkWidget       *scrolled;
  GtkWidget       *box;
  GtkWidget       *moment; /* box */
  guint            later;  /* source that fills all of it */
  gboolean         all_frames;
};

G_DEFINE_FINAL_TYPE (StriaAllocDetails, stria_alloc_details, GTK_TYPE_WIDGET)

static void update (StriaAllocDetails *self);

static void
add (GtkWidget *table, const char *name, char *value)
{
  stria_details_table_add (table, name, value, NULL);
  g_free (value);
}

static void
on_all_frames (StriaAllocDetails *self, GParamSpec *pspec, GtkSwitch *widget)
{
  self->all_frames = gtk_switch_get_active (widget);
  update (self);
}

static GtkWidget *
frame_label (const char *text, gboolean dim)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_lines (GTK_LABEL (label), 4);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (label, text);
  gtk_widget_add_css_class (label, "caption");
  if (dim)
    gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static GtkWidget *
plain_frame_new (const char *function, const char *file)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = frame_label (function, FALSE);

  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_widget_set_focusable (label, FALSE);
  gtk_box_append (GTK_BOX (box), label);
  if (file != NULL)
    {
      GtkWidget *below = frame_label (file, TRUE);

      gtk_label_set_lines (GTK_LABEL (below), 1);
      gtk_widget_set_focusable (below, FALSE);
      gtk_box_append (GTK_BOX (box), below);
    }
  gtk_widget_set_margin_top (box, 2);
  gtk_widget_set_margin_bottom (box, 2);
  return box;
}

/* A link to the line where the file is known, else its text. */
static GtkWidget *
frame_new (StriaSnapshotData *snapshot, guint32 number, guint times)
{
  const StriaAllocFrame *frame = stria_snapshot_get_frame (snapshot, number);
  const char *path = stria_snapshot_get_string (snapshot, frame->filename);
  const char *function = stria_snapshot_get_string (snapshot, frame->name);
  g_autofree char *line = NULL;
  g_autofree char *place = NULL;

  line = times > 1 ? g_strdup_printf (_ ("%s (%u times)"), function, times) : g_strdup (function);
  if (frame->line == 0 || frame->line > G_MAXINT32 || !stria_source_is_file (path))
    return plain_frame_new (line, stria_source_is_file (path) ? path : NULL);
  place = stria_source_text (path, (guint) frame->line);
  return stria_source_link_new (line, place, path, (guint) frame->line);
}

/* Equal neighbours, as recursion has them, are one line. */
static void
add_frames (StriaAllocDetails *self, GtkWidget *body, const guint32 *frames, guint32 n)
{
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  guint n_shown = 0;

  for (guint32 i = 0; i < n && n_shown < MAX_FRAMES;)
    {
      guint32 end = i + 1;

      while (end < n && frames[end] == frames[i])
        end++;
      if (!self->all_frames && stria_snapshot_frame_is_noise (snapshot, frames[i]))
        {
          i = end;
          continue;
        }
      gtk_box_append (GTK_BOX (body), frame_new (snapshot, frames[i], end - i));
      n_shown++;
      i = end;
    }
}

static void
on_copy_stack (StriaAllocDetails *self, GtkWidget *button)
{
  const guint32 stack = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "stack"));
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  g_autoptr (GString) text = g_string_new (NULL);
  guint32 n;
  const guint32 *frames = stria_snapshot_get_stack (snapshot, stack, &n);

  for (guint32 i = 0; i < n; i++)
    if (self->all_frames || !stria_snapshot_frame_is_noise (snapshot, frames[i]))
      {
        g_autofree char *frame = stria_snapshot_frame_text (snapshot, frames[i]);

        g_string_append_printf (text, "%s\n", frame);
      }
  gtk_widget_activate_action (button, "win.copy-text", "s", text->str);
}

static GtkWidget *
copy_stack_button_new (StriaAllocDetails *self, guint32 stack)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Copy the stack"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Copy the stack"), -1);
  g_object_set_data (G_OBJECT (button), "stack", GUINT_TO_POINTER (stack));
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_copy_stack), self, G_CONNECT_SWAPPED);
  return button;
}

static void
add_stack (StriaAllocDetails *self, guint32 stack, const char *title)
{
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  guint32 n;
  const guint32 *frames = stria_snapshot_get_stack (snapshot, stack, &n);
  GtkWidget *body;

  gtk_box_append (GTK_BOX (self->box), stria_details_section_new (title, NULL, &body));
  if (n == 0)
    {
      gtk_box_append (GTK_BOX (body),
                      frame_label (_ ("No stack: it was allocated before the recording began, stacks "
                                      "were not recorded, or it ran in C++ while only Python was "
                                      "recorded."),
                                   TRUE));
      return;
    }
  else
    {
      GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      GtkWidget *label = gtk_label_new (_ ("All frames"));
      GtkWidget *toggle = gtk_switch_new ();

      gtk_switch_set_active (GTK_SWITCH (toggle), self->all_frames);
      gtk_widget_set_tooltip_text (
          toggle, _ ("Also show the frames of the unwinder, the dispatcher and the interpreter"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("All frames"), -1);
      g_signal_connect_object (toggle, "notify::active", G_CALLBACK (on_all_frames), self,
                               G_CONNECT_SWAPPED);
      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
      gtk_widget_set_margin_top (row, 3);
      gtk_widget_set_margin_bottom (row, 3);
      gtk_box_append (GTK_BOX (row), label);
      gtk_box_append (GTK_BOX (row), copy_stack_button_new (self, stack));
      gtk_box_append (GTK_BOX (row), toggle);
      gtk_box_append (GTK_BOX (body), row);
    }
  add_frames (self, body, frames, n);
}

static char *
when (StriaAllocator *allocator, guint32 event, const char *none)
{
  g_autofree char *time = NULL;
  g_autofree char *number = NULL;

  if (event == STRIA_NO_EVENT)
    return g_strdup (none);
  time = stria_alloc_step_text (allocator, event + 1);
  number = stria_format_count (event);
  if (!stria_allocator_has_times (allocator))
    return g_strdup_printf (_ ("event %s"), number);
  /* Translators: a time, and the number of an event */
  return g_strdup_printf (_ ("%s, event %s"), time, number);
}

static void
add_text (StriaAllocDetails *self, const char *title, guint32 id)
{
  const char *text = stria_snapshot_get_string (stria_alloc_state_get_snapshot (self->state), id);
  GtkWidget *body;

  if (id == 0 || text == NULL || *text == '\0')
    return;
  gtk_box_append (GTK_BOX (self->box), stria_details_section_new (title, NULL, &body));
  gtk_box_append (GTK_BOX (body), frame_label (text, FALSE));
}

static void
add_event (StriaAllocDetails *self, guint32 number, gboolean with_stack)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  StriaAllocEvent event;
  GtkWidget *body, *table = stria_details_table_new ();

  stria_allocator_get_event (allocator, number, &event);
  gtk_box_append (GTK_BOX (self->box), stria_details_section_new (_ ("Event"), NULL, &body));
  gtk_box_append (GTK_BOX (body), table);
  add (table, _ ("Action"), g_strdup (stria_alloc_action_title (event.action)));
  add (table, _ ("When"), when (allocator, number, NULL));
  if (event.time_us != STRIA_NO_TIME && event.time_us < G_MAXINT64 / 1000
      && event.time_us > G_MININT64 / 1000)
    add (table, _ ("Time of day"), stria_format_wall (event.time_us * 1000, NULL));
  add (table, _ ("Size"), stria_alloc_exact_bytes (event.size));
  if (event.address != 0)
    add (table, _ ("Address"), stria_alloc_address_text (event.address, 0));
  if (event.action == STRIA_ALLOC_OOM)
    add (table, _ ("Free on the device"), stria_alloc_exact_bytes (event.extra));
  if (event.label != 0)
    add (table, _ ("Label"), g_strdup (stria_snapshot_get_string (snapshot, event.label)));
  if (event.context != 0)
    add (table, _ ("Compile context"),
         g_strdup (stria_snapshot_get_string (snapshot, event.context)));
  add_text (self, _ ("Metadata"), event.metadata);
  if (with_stack)
    add_stack (self, event.stack, _ ("Stack"));
  add_text (self, _ ("Stack of the Forward Pass"), event.forward);
}

static void
add_block (StriaAllocDetails *self, guint32 number)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  const guint32 event = stria_alloc_state_get_event (self->state);
  StriaElement e;
  GtkWidget *body, *table = stria_details_table_new ();

  stria_allocator_get_element (allocator, number, &e);
  gtk_box_append (GTK_BOX (self->box), stria_details_section_new (_ ("Block"), NULL, &body));
  gtk_box_append (GTK_BOX (body), table);
  add (table, _ ("Owner"), stria_alloc_stack_short (snapshot, e.stack));
  add (table, _ ("Requested"), stria_alloc_exact_bytes (e.size));
  if (e.rounded > 0)
    add (table, _ ("Takes"), stria_alloc_exact_bytes (e.rounded));
  add (table, _ ("Address"), stria_alloc_address_text (e.address, e.version));
  add (table, _ ("Stream"), stria_alloc_stream_text (allocator, e.stream));
  add (table, _ ("Pool"), stria_alloc_pool_text (allocator, e.pool));
  if (e.category != 0)
    add (table, _ ("Category"), g_strdup (stria_snapshot_get_string (snapshot, e.category)));
  add (table, _ ("Allocated"), when (allocator, e.birth, _ ("before the recording")));
  if (e.request != STRIA_NO_EVENT)
    add (table, _ ("Free requested"), when (allocator, e.request, NULL));
  add (table, _ ("Freed"), when (allocator, e.death, _ ("alive at the end")));
  add (table, _ ("Lifetime"), stria_alloc_lifetime_text (allocator, &e));
  add (table, _ ("State"),
       g_strdup (stria_alloc_element_state (&e, stria_alloc_state_get_step (self->state))));
  if (event != STRIA_NO_EVENT)
    {
      add_event (self, event, TRUE);
      return;
    }
  add_stack (self, e.stack,
             (e.flags & STRIA_ELEMENT_UNMATCHED) != 0 ? _ ("Stack of Its Free")
                                                      : _ ("Stack of Its Allocation"));
  if (e.birth != STRIA_NO_EVENT)
    {
      StriaAllocEvent birth;

      stria_allocator_get_event (allocator, e.birth, &birth);
      add_text (self, _ ("Metadata"), birth.metadata);
      add_text (self, _ ("Stack of the Forward Pass"), birth.forward);
    }
}

static void
add_segment (StriaAllocDetails *self, guint32 number)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  StriaSegmentLife life;
  GtkWidget *body, *table = stria_details_table_new ();

  stria_allocator_get_segment_life (allocator, number, &life);
  gtk_box_append (GTK_BOX (self->box), stria_details_section_new (_ ("Segment"), NULL, &body));
  gtk_box_append (GTK_BOX (body), table);
  add (table, _ ("Size"), stria_alloc_exact_bytes (life.size));
  add (table, _ ("Address"), stria_alloc_address_text (life.address, 0));
  add (table, _ ("Stream"), stria_alloc_stream_text (allocator, life.stream));
  add (table, _ ("Pool"), stria_alloc_pool_text (allocator, life.pool));
  add (table, _ ("Reserved"), when (allocator, life.birth, _ ("before the recording")));
  add (table, _ ("Returned"), when (allocator, life.death, _ ("there at the end")));
  add_stack (self, life.stack, _ ("Stack"));
}

static void
add_moment (StriaAllocDetails *self)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  const guint32 step = stria_alloc_state_get_step (self->state);
  const guint32 base = stria_alloc_state_get_base (self->state);
  StriaAllocTotals totals;
  GtkWidget *body, *table = stria_details_table_new ();
  char *count;

  stria_allocator_totals (allocator, step, &totals);
  gtk_box_append (GTK_BOX (self->moment), stria_details_section_new (_ ("Moment"), NULL, &body));
  gtk_box_append (GTK_BOX (body), table);
  add (table, _ ("At"), stria_alloc_step_text (allocator, step));
  count = stria_format_count (step);
  add (table, _ ("Events before"), count);
  add (table, _ ("Requested"), stria_alloc_exact_bytes (totals.allocated));
  add (table, _ ("Rounded up"), stria_alloc_exact_bytes (totals.occupied));
  if (totals.pending > 0)
    add (table, _ ("Waiting for free"), stria_alloc_exact_bytes (totals.pending));
  add (table, _ ("Reserved"), stria_alloc_exact_bytes (totals.reserved));
  count = stria_format_count (totals.n_live);
  add (table, _ ("Live blocks"), count);
  if (base != G_MAXUINT32)
    {
      StriaAllocTotals before;
      gint64 growth;
      g_autofree char *size = NULL;

      stria_allocator_totals (allocator, base, &before);
      growth = (gint64) (totals.allocated - before.allocated);
      size = stria_format_bytes (ABS (growth));
      add (table, _ ("Against the base"), g_strdup_printf ("%s%s", growth < 0 ? "−" : "+", size));
    }
}

static void
clear (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
}

static void
fill (StriaAllocDetails *self)
{
  guint32 selected;
  StriaAllocView view;

  if (stria_alloc_state_get_allocator (self->state) == NULL)
    return;
  add_moment (self);
  selected = stria_alloc_state_get_selected (self->state);
  stria_alloc_state_fill_view (self->state, &view);
  if (selected != STRIA_NO_ELEMENT && view.kind == STRIA_PLOT_SEGMENTS)
    add_segment (self, selected);
  else if (selected != STRIA_NO_ELEMENT)
    add_block (self, selected);
  else if (stria_alloc_state_get_event (self->state) != STRIA_NO_EVENT)
    add_event (self, stria_alloc_state_get_event (self->state), TRUE);
  else
    {
      GtkWidget *hint = gtk_label_new (
          _ ("Click a block in the plot for its size, its life and its stack. Drag over the plot to "
             "zoom, over its axis to move the moment; drag with Ctrl to compare two moments."));

      gtk_label_set_xalign (GTK_LABEL (hint), 0);
      gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (hint), 34);
      gtk_widget_add_css_class (hint, "caption");
      gtk_widget_add_css_class (hint, "dim-label");
      gtk_widget_set_margin_top (hint, 12);
      gtk_box_append (GTK_BOX (self->box), hint);
    }
}

static void
update (StriaAllocDetails *self)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  g_clear_handle_id (&self->later, g_source_remove);
  self->moment = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  fill (self);
  gtk_box_append (GTK_BOX (content), self->moment);
  gtk_box_append (GTK_BOX (content), self->box);
  stria_details_show (self->scrolled, content);
}

static gboolean
update_later (gpointer user_data)
{
  StriaAllocDetails *self = user_data;

  self->later = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

/* While the moment is dragged, the pictures come first: a stack is hundreds of widgets. */
static void
on_moment_changed (StriaAllocDetails *self)
{
  clear (self->moment);
  if (stria_alloc_state_get_allocator (self->state) != NULL)
    add_moment (self);
  if (self->later == 0)
    self->later = g_idle_add_full (G_PRIORITY_LOW, update_later, self, NULL);
}

static void
stria_alloc_details_dispose (GObject *object)
{
  StriaAllocDetails *self = STRIA_ALLOC_DETAILS (object);

  g_clear_handle_id (&self->later, g_source_remove);
  g_clear_object (&self->state);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (stria_alloc_details_parent_class)->dispose (object);
}

static void
stria_alloc_details_class_init (StriaAllocDetailsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_alloc_details_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stria_alloc_details_init (StriaAllocDetails *self)
{
  self->scrolled = stria_details_scrolled_new ();
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Details of the block"), -1);
}

GtkWidget *
stria_alloc_details_new (StriaAllocState *state)
{
  StriaAllocDetails *self = g_object_new (STRIA_TYPE_ALLOC_DETAILS, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "device-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (update));
  g_signal_connect_object (state, "moment-changed", G_CALLBACK (on_moment_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
