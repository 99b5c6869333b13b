/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-settings.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-details-rows.h"
#include "stria-fields.h"
#include "stria-format.h"

struct _StriaAllocSettings
{
  GtkWidget parent_instance;

  StriaAllocState *state;
  GtkWidget       *scrolled;
  GtkWidget       *box;
};

G_DEFINE_FINAL_TYPE (StriaAllocSettings, stria_alloc_settings, GTK_TYPE_WIDGET)

static GtkWidget *
section (StriaAllocSettings *self, const char *title)
{
  GtkWidget *body;

  gtk_box_append (GTK_BOX (self->box), stria_details_section_new (title, NULL, &body));
  return body;
}

static void
add_note (GtkWidget *body, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_margin_bottom (label, 6);
  gtk_box_append (GTK_BOX (body), label);
}

static void
add_ring (StriaAllocSettings *self, StriaAllocator *allocator)
{
  GtkWidget *body = section (self, _ ("How Complete the Recording Is"));
  g_autofree char *events = stria_format_count (stria_allocator_get_n_events (allocator));
  g_autofree char *initial = stria_format_count (stria_allocator_get_n_initial (allocator));
  GtkWidget *table = stria_details_table_new ();

  switch (stria_allocator_get_ring (allocator))
    {
    case STRIA_RING_OVERFLOWED:
      add_note (body, _ ("The ring of events overflowed: the oldest were dropped. What was allocated "
                         "before the first one that is left stands at the bottom of the plot "
                         "without its time, and often without its stack. Record with a larger "
                         "max_entries to see all."));
      break;
    case STRIA_RING_INFERRED:
      add_note (body, _ ("Some blocks have no event that allocated them: they were there before the "
                         "recording began, or the ring of events dropped its oldest. They stand at "
                         "the bottom of the plot; the time of their allocation is not known."));
      break;
    case STRIA_RING_COMPLETE:
    default:
      add_note (body, _ ("Every block has the event that allocated it: nothing is missing."));
    }
  gtk_box_append (GTK_BOX (body), table);
  stria_details_table_add (table, _ ("Events"), events, NULL);
  stria_details_table_add (table, _ ("Blocks from before"), initial, NULL);
}

static void
add_settings (StriaAllocSettings *self, StriaSnapshotData *snapshot)
{
  const char *json = stria_snapshot_get_settings (snapshot);
  GtkWidget *body = section (self, _ ("Allocator Settings"));
  g_autoptr (StriaField) fields = json != NULL ? stria_fields_parse (json, strlen (json)) : NULL;
  GtkWidget *table;

  if (fields == NULL || fields->children == NULL)
    {
      add_note (body, _ ("The snapshot has no allocator settings."));
      return;
    }
  table = stria_details_table_new ();
  gtk_box_append (GTK_BOX (body), table);
  for (guint i = 0; i < fields->children->len; i++)
    {
      const StriaField *field = g_ptr_array_index (fields->children, i);

      stria_details_table_add_widget (table, field->key != NULL ? field->key : "",
                                      stria_details_field_new (field));
      /* There is room for long names here */
      gtk_label_set_max_width_chars (
          GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (table), 0, (int) i)), 40);
    }
}

static void
add_other (StriaAllocSettings *self, StriaSnapshotData *snapshot)
{
  GHashTable *other = stria_snapshot_get_other (snapshot);
  GHashTableIter iter;
  gpointer key, value;
  GtkWidget *table;

  if (other == NULL || g_hash_table_size (other) == 0)
    return;
  table = stria_details_table_new ();
  gtk_box_append (GTK_BOX (section (self, _ ("Keys That Are Not Known"))), table);
  g_hash_table_iter_init (&iter, other);
  while (g_hash_table_iter_next (&iter, &key, &value))
    stria_details_table_add (table, key, value, NULL);
}

static void
update (StriaAllocSettings *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  if (stria_alloc_state_get_allocator (self->state) != NULL)
    {
      add_ring (self, stria_alloc_state_get_allocator (self->state));
      add_settings (self, stria_alloc_state_get_snapshot (self->state));
      add_other (self, stria_alloc_state_get_snapshot (self->state));
    }
  stria_details_show (self->scrolled, self->box);
}

static void
stria_alloc_settings_dispose (GObject *object)
{
  StriaAllocSettings *self = STRIA_ALLOC_SETTINGS (object);

  g_clear_object (&self->state);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (stria_alloc_settings_parent_class)->dispose (object);
}

static void
stria_alloc_settings_class_init (StriaAllocSettingsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_alloc_settings_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_alloc_settings_init (StriaAllocSettings *self)
{
  self->scrolled = stria_details_scrolled_new ();
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

GtkWidget *
stria_alloc_settings_new (StriaAllocState *state)
{
  StriaAllocSettings *self = g_object_new (STRIA_TYPE_ALLOC_SETTINGS, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "device-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
