/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-events.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-event-list.h"
#include "stria-alloc-text.h"
#include "stria-format.h"
#include "stria-table-start.h"
#include "stria-wrap-box.h"

#define FILTER_DELAY_MS 200

typedef enum
{
  COLUMN_NUMBER,
  COLUMN_TIME,
  COLUMN_ACTION,
  COLUMN_SIZE,
  COLUMN_ADDRESS,
  COLUMN_STREAM,
  COLUMN_POOL,
  COLUMN_OWNER,
  N_COLUMNS,
} Column;

struct _StriaAllocEvents
{
  GtkWidget parent_instance;

  StriaAllocState     *state;
  GtkWidget           *box;
  GtkDropDown         *action;
  GtkDropDown         *stream;
  GtkDropDown         *pool;
  GtkEditable         *size;
  GtkEditable         *address;
  GtkEditable         *text;
  GtkLabel            *count;
  GtkWidget           *no_match;
  GtkColumnView       *table;
  StriaAllocEventList *list;
  GtkSingleSelection  *selection;
  GCancellable        *cancellable;
  guint                timeout;
  guint                scroll_tick;
  guint                scroll_wait; /* frames */
  gboolean             stale;
  gboolean             selecting;
};

G_DEFINE_FINAL_TYPE (StriaAllocEvents, stria_alloc_events, GTK_TYPE_WIDGET)

static void update (StriaAllocEvents *self);

typedef struct
{
  StriaSnapshotData *snapshot;
  StriaAllocator    *allocator;
  StriaAllocFilter   filter;
  char              *text;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  stria_snapshot_data_unref (question->snapshot);
  g_free (question->text);
  g_free (question);
}

static void
ask_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Question *question = task_data;
  g_autoptr (GError) error = NULL;
  GArray *numbers
      = stria_allocator_filter (question->allocator, &question->filter, cancellable, &error);

  if (numbers == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, numbers, (GDestroyNotify) g_array_unref);
}

/* The inner list of a column view has the action to scroll. It must have had its size since it got
 * its items, or it shows but the first of them. */
static gboolean
on_scroll_tick (GtkWidget *table, GdkFrameClock *clock, gpointer data)
{
  StriaAllocEvents *self = data;
  const guint position = gtk_single_selection_get_selected (self->selection);

  if (self->scroll_wait > 0)
    {
      self->scroll_wait--;
      return G_SOURCE_CONTINUE;
    }
  self->scroll_tick = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (table);
       child != NULL && position != GTK_INVALID_LIST_POSITION;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
  return G_SOURCE_REMOVE;
}

static void
scroll_to_selected (StriaAllocEvents *self)
{
  self->scroll_wait = 3;
  if (self->scroll_tick == 0)
    self->scroll_tick
        = gtk_widget_add_tick_callback (GTK_WIDGET (self->table), on_scroll_tick, self, NULL);
}

static void
show_selected (StriaAllocEvents *self)
{
  guint32 event = stria_alloc_state_get_event (self->state);
  const guint32 element = stria_alloc_state_get_selected (self->state);
  StriaAllocView view;
  guint position;

  if (stria_alloc_state_get_allocator (self->state) == NULL || self->selecting)
    return;
  stria_alloc_state_fill_view (self->state, &view);
  if (event == STRIA_NO_EVENT && element != STRIA_NO_ELEMENT && view.kind == STRIA_PLOT_BLOCKS)
    {
      StriaElement e;

      stria_allocator_get_element (view.allocator, element, &e);
      event = e.birth != STRIA_NO_EVENT ? e.birth : e.death;
    }
  self->selecting = TRUE;
  position = event != STRIA_NO_EVENT ? stria_alloc_event_list_find (self->list, event)
                                     : GTK_INVALID_LIST_POSITION;
  if (position < g_list_model_get_n_items (G_LIST_MODEL (self->list)))
    {
      g_autoptr (StriaAllocEventItem) item = g_list_model_get_item (G_LIST_MODEL (self->list),
                                                                    position);

      if (stria_alloc_event_item_get (item) == event)
        {
          gtk_single_selection_set_selected (self->selection, position);
          scroll_to_selected (self);
        }
      else
        gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
    }
  else
    gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->selecting = FALSE;
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StriaAllocEvents *self = STRIA_ALLOC_EVENTS (source);
  GArray *numbers = g_task_propagate_pointer (G_TASK (result), NULL);
  StriaAllocator *allocator;
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;

  if (numbers == NULL)
    return;
  allocator = self->table != NULL ? stria_alloc_state_get_allocator (self->state) : NULL;
  if (allocator == NULL)
    {
      g_array_unref (numbers);
      return;
    }
  count = stria_format_count (numbers->len);
  text = g_strdup_printf (ngettext ("%s event", "%s events", numbers->len), count);
  gtk_label_set_label (self->count, text);
  gtk_widget_set_visible (self->no_match, numbers->len == 0
                                              && stria_allocator_get_n_events (allocator) > 0);
  self->selecting = TRUE;
  stria_alloc_event_list_set (self->list, numbers);
  self->selecting = FALSE;
  show_selected (self);
}

/* "4096", "512K", "2 MiB" */
static gboolean
parse_size (const char *text, guint64 *bytes)
{
  char *end;
  double value = g_strtod (text, &end);

  while (*end == ' ')
    end++;
  if (end == text || value < 0)
    return FALSE;
  switch (g_ascii_toupper (*end))
    {
    case 'K':
      value *= 1024;
      break;
    case 'M':
      value *= 1024 * 1024;
      break;
    case 'G':
      value *= 1024.0 * 1024 * 1024;
      break;
    default:
      break;
    }
  *bytes = value < 1.8e19 ? (guint64) value : G_MAXUINT64;
  return TRUE;
}

static void
fill_filter (StriaAllocEvents *self, Question *question)
{
  const guint action = gtk_drop_down_get_selected (self->action);
  const guint stream = gtk_drop_down_get_selected (self->stream);
  const guint pool = gtk_drop_down_get_selected (self->pool);
  const char *address = gtk_editable_get_text (self->address);
  StriaAllocFilter *filter = &question->filter;

  filter->max_size = G_MAXUINT64;
  if (action > 0 && action != GTK_INVALID_LIST_POSITION)
    filter->actions = 1u << (action - 1);
  filter->has_stream = stream > 0 && stream != GTK_INVALID_LIST_POSITION;
  filter->stream = (guint16) (filter->has_stream ? stream - 1 : 0);
  filter->has_pool = pool > 0 && pool != GTK_INVALID_LIST_POSITION;
  filter->pool = (guint16) (filter->has_pool ? pool - 1 : 0);
  parse_size (gtk_editable_get_text (self->size), &filter->min_size);
  if (g_str_has_prefix (address, "b'") || g_str_has_prefix (address, "s'"))
    address += 2;
  filter->address = g_ascii_strtoull (address, NULL, 16);
  question->text = g_strdup (gtk_editable_get_text (self->text));
  filter->text = *question->text != '\0' ? question->text : NULL;
}

static void
update (StriaAllocEvents *self)
{
  g_autoptr (GTask) task = NULL;
  Question *question;

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (self->stale || stria_alloc_state_get_allocator (self->state) == NULL)
    return;
  self->cancellable = g_cancellable_new ();
  question = g_new0 (Question, 1);
  question->snapshot = stria_snapshot_data_ref (stria_alloc_state_get_snapshot (self->state));
  question->allocator = stria_alloc_state_get_allocator (self->state);
  fill_filter (self, question);
  task = g_task_new (self, self->cancellable, on_answer, NULL);
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, ask_in_thread);
}

static gboolean
on_timeout (gpointer user_data)
{
  StriaAllocEvents *self = user_data;

  self->timeout = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
on_filter_changed (StriaAllocEvents *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add (FILTER_DELAY_MS, on_timeout, self);
}

static void
on_selected (StriaAllocEvents *self)
{
  StriaAllocEventItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (item == NULL || self->selecting)
    return;
  self->selecting = TRUE;
  stria_alloc_state_select_event (self->state, stria_alloc_event_item_get (item));
  self->selecting = FALSE;
}

/* Streams and pools are those of the device. */
static void
on_device_changed (StriaAllocEvents *self)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  g_autoptr (GtkStringList) streams = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) pools = gtk_string_list_new (NULL);

  self->selecting = TRUE;
  stria_alloc_event_list_set (self->list, NULL);
  self->selecting = FALSE;
  gtk_string_list_append (streams, _ ("All streams"));
  gtk_string_list_append (pools, _ ("All pools"));
  for (guint16 i = 0; allocator != NULL && i < stria_allocator_get_n_streams (allocator); i++)
    gtk_string_list_take (streams, stria_alloc_stream_text (allocator, i));
  for (guint16 i = 0; allocator != NULL && i < stria_allocator_get_n_pools (allocator); i++)
    gtk_string_list_take (pools, stria_alloc_pool_text (allocator, i));
  gtk_drop_down_set_model (self->stream, G_LIST_MODEL (streams));
  gtk_drop_down_set_model (self->pool, G_LIST_MODEL (pools));
  /* A choice of one is none */
  gtk_widget_set_visible (GTK_WIDGET (self->stream),
                          g_list_model_get_n_items (G_LIST_MODEL (streams)) > 2);
  gtk_widget_set_visible (GTK_WIDGET (self->pool),
                          g_list_model_get_n_items (G_LIST_MODEL (pools)) > 2);
  update (self);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  const Column column = (Column) GPOINTER_TO_UINT (data);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label),
                        column == COLUMN_ACTION || column == COLUMN_OWNER ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (list_item, label);
}

static char *
cell_text (StriaAllocEvents *self, guint32 number, Column column)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  StriaAllocEvent event;
  guint32 element;

  if (allocator == NULL || number >= stria_allocator_get_n_events (allocator))
    return g_strdup ("");
  stria_allocator_get_event (allocator, number, &event);
  switch (column)
    {
    case COLUMN_NUMBER:
      return stria_format_count (number);
    case COLUMN_TIME:
      return stria_allocator_has_times (allocator) ? stria_alloc_step_text (allocator, number + 1)
                                                   : g_strdup ("");
    case COLUMN_ACTION:
      return g_strdup (stria_alloc_action_title (event.action));
    case COLUMN_SIZE:
      return stria_format_bytes ((gint64) MIN (event.size, G_MAXINT64));
    case COLUMN_ADDRESS:
      return event.address != 0 ? stria_alloc_address_text (event.address, 0) : g_strdup ("");
    case COLUMN_STREAM:
      return event.stream != 0 ? g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", event.stream)
                               : g_strdup ("0");
    case COLUMN_POOL:
      element = stria_allocator_event_element (allocator, number);
      if (event.pool == 0)
        return g_strdup (_ ("default"));
      if (event.pool != STRIA_NO_POOL)
        return g_strdup_printf (_ ("private (%u, %u)"), (guint) (event.pool >> 32),
                                (guint) (event.pool & G_MAXUINT32));
      if (element != STRIA_NO_ELEMENT)
        {
          StriaElement e;

          stria_allocator_get_element (allocator, element, &e);
          return stria_alloc_pool_text (allocator, e.pool);
        }
      return g_strdup ("");
    case COLUMN_OWNER:
    case N_COLUMNS:
    default:
      return stria_alloc_stack_short (stria_alloc_state_get_snapshot (self->state), event.stack);
    }
}

typedef struct
{
  StriaAllocEvents *self; /* outlives its columns */
  Column            column;
} CellData;

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  CellData *cell = data;
  StriaAllocEventItem *item = gtk_list_item_get_item (list_item);
  g_autofree char *text
      = cell_text (cell->self, stria_alloc_event_item_get (item), cell->column);

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (list_item)), text);
}

static void
cell_data_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

static GtkWidget *
table_new (StriaAllocEvents *self)
{
  static const int widths[N_COLUMNS] = { 84, 110, 160, 92, 128, 90, 110, 0 };
  const char *titles[N_COLUMNS]
      = { _ ("Event"),   C_ ("point", "Time"), _ ("Action"), _ ("Size"),
          _ ("Address"), _ ("Stream"), _ ("Pool"),   _ ("Owner") };
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *overlay = gtk_overlay_new ();

  self->list = stria_alloc_event_list_new ();
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->list)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_swapped (self->selection, "notify::selected-item", G_CALLBACK (on_selected),
                            self);
  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (
      g_object_ref (self->selection))));
  stria_table_keep_start (GTK_WIDGET (self->table));
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "stats");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Events of the allocator"), -1);
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;
      CellData *cell = g_new0 (CellData, 1);

      cell->self = self;
      cell->column = (Column) i;
      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (i));
      g_signal_connect_data (factory, "bind", G_CALLBACK (on_bind), cell, cell_data_free, 0);
      column = gtk_column_view_column_new (titles[i], factory);
      gtk_column_view_column_set_resizable (column, TRUE);
      if (widths[i] > 0)
        gtk_column_view_column_set_fixed_width (column, stria_table_width (widths[i], titles[i]));
      else
        gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (self->table, column);
    }
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  self->no_match = gtk_label_new (_ ("No matches"));
  gtk_widget_add_css_class (self->no_match, "dim-label");
  gtk_widget_set_can_target (self->no_match, FALSE);
  gtk_widget_set_halign (self->no_match, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->no_match, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->no_match, FALSE);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), scrolled);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->no_match);
  gtk_widget_set_vexpand (overlay, TRUE);
  return overlay;
}

static GtkDropDown *
drop_down_new (StriaAllocEvents *self, GtkWidget *header, const char *const *names,
               const char *label)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (names);

  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (drop_down, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect_swapped (drop_down, "notify::selected", G_CALLBACK (on_filter_changed), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (header), drop_down);
  return GTK_DROP_DOWN (drop_down);
}

static GtkEditable *
entry_new (StriaAllocEvents *self, GtkWidget *header, const char *placeholder, const char *label,
           int chars)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), placeholder);
  gtk_widget_set_tooltip_text (entry, label);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), chars);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (on_filter_changed), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (header), entry);
  return GTK_EDITABLE (entry);
}

static GtkWidget *
header_new (StriaAllocEvents *self)
{
  GtkWidget *header = stria_wrap_box_new (6, 4);
  const char *actions[STRIA_N_ALLOC_ACTIONS + 2] = { NULL };
  const char *none[] = { _ ("All"), NULL };

  actions[0] = _ ("All actions");
  for (guint i = 0; i < STRIA_N_ALLOC_ACTIONS; i++)
    actions[i + 1] = stria_alloc_action_title ((StriaAllocAction) i);
  gtk_widget_add_css_class (header, "panel-header");
  self->action = drop_down_new (self, header, actions, _ ("Action"));
  self->stream = drop_down_new (self, header, none, _ ("Stream"));
  self->pool = drop_down_new (self, header, none, _ ("Pool"));
  self->size = entry_new (self, header, _ ("Least size"),
                          _ ("Only events of at least this many bytes: 4096, 512K, 2M"), 7);
  self->address = entry_new (self, header, _ ("Address"),
                             _ ("Only events of the block that contains this address"), 9);
  self->text = entry_new (self, header, _ ("Text in the stack"),
                          _ ("Only events with this text in their stack, metadata or category"),
                          8);
  gtk_widget_set_hexpand (GTK_WIDGET (self->text), TRUE);
  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->count, PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (self->count, 8);
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "numeric");
  stria_wrap_box_append (STRIA_WRAP_BOX (header), GTK_WIDGET (self->count));
  return header;
}

static void
stria_alloc_events_map (GtkWidget *widget)
{
  StriaAllocEvents *self = STRIA_ALLOC_EVENTS (widget);

  GTK_WIDGET_CLASS (stria_alloc_events_parent_class)->map (widget);
  if (self->stale)
    update (self);
}

static void
stria_alloc_events_dispose (GObject *object)
{
  StriaAllocEvents *self = STRIA_ALLOC_EVENTS (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  if (self->scroll_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->table), self->scroll_tick);
  self->scroll_tick = 0;
  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_object (&self->selection);
  g_clear_object (&self->list);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_alloc_events_parent_class)->dispose (object);
}

static void
stria_alloc_events_class_init (StriaAllocEventsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_alloc_events_dispose;
  GTK_WIDGET_CLASS (klass)->map = stria_alloc_events_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_alloc_events_init (StriaAllocEvents *self)
{
  self->stale = TRUE;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), header_new (self));
  gtk_box_append (GTK_BOX (self->box), table_new (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_alloc_events_new (StriaAllocState *state)
{
  StriaAllocEvents *self = g_object_new (STRIA_TYPE_ALLOC_EVENTS, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "device-changed", G_CALLBACK (on_device_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (show_selected), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
