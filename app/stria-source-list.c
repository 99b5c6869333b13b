/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-list.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-row.h"
#include "stria-format.h"
#include "stria-source-link.h"

#define MAX_FILES 20000

struct _StriaSourceList
{
  GtkWidget parent_instance;

  StriaSession       *session;
  GCancellable       *cancellable;
  char               *path;
  gboolean            stale;
  gboolean            filling;
  GtkWidget          *box;
  GtkLabel           *summary;
  GtkWidget          *heading; /* of the bytes, where some file has any */
  GtkWidget          *no_match;
  GListStore         *files; /* StriaAllocRow: name, path as colour name */
  GtkFilter          *filter;
  GtkSingleSelection *selection;
  char               *wanted; /* text of the filter, folded */
};

enum
{
  FILE_CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaSourceList, stria_source_list, GTK_TYPE_WIDGET)

gboolean
stria_source_list_has_data (StriaCapture *capture)
{
  g_autoptr (GPtrArray) snapshots = stria_capture_get_snapshots (capture);
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);

  for (guint i = 0; snapshots != NULL && i < snapshots->len; i++)
    if (stria_snapshot_get_n_frames (g_ptr_array_index (snapshots, i)) > 0)
      return TRUE;
  for (guint32 i = 0; trace != NULL && i < stria_trace_get_n_categories (trace); i++)
    if (g_strcmp0 (stria_trace_get_category (trace, i), "python_function") == 0)
      return TRUE;
  return FALSE;
}

/* -- collecting ------------------------------------------------------------------------------- */

typedef struct
{
  guint64 bytes;
  guint64 count;
  guint32 seen; /* the last stack that was counted */
} Use;

static Use *
use_of (GHashTable *uses, const char *path, gsize length)
{
  g_autofree char *key = g_strndup (path, length);
  Use *use = g_hash_table_lookup (uses, key);

  if (use == NULL && g_hash_table_size (uses) < MAX_FILES)
    {
      use = g_new0 (Use, 1);
      use->seen = G_MAXUINT32;
      g_hash_table_insert (uses, g_steal_pointer (&key), use);
    }
  return use;
}

static void
add_stacks (GHashTable *uses, StriaSnapshotData *snapshot, StriaAllocator *allocator,
            GCancellable *cancellable)
{
  const guint32 peak
      = stria_allocator_peak (allocator, 0, stria_allocator_get_n_events (allocator));
  g_autoptr (GArray) rows
      = stria_allocator_group (allocator, STRIA_GROUP_STACK, peak, peak, cancellable, NULL);
  GHashTableIter iter;
  gpointer value;

  /* Stacks of another device have the same numbers */
  g_hash_table_iter_init (&iter, uses);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ((Use *) value)->seen = G_MAXUINT32;
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      const StriaAllocGroupRow *row = &g_array_index (rows, StriaAllocGroupRow, i);
      guint32 n;
      const guint32 *frames = stria_snapshot_get_stack (snapshot, (guint32) row->key, &n);

      for (guint32 f = 0; f < n; f++)
        {
          const StriaAllocFrame *frame = stria_snapshot_get_frame (snapshot, frames[f]);
          const char *path = stria_snapshot_get_string (snapshot, frame->filename);
          const gboolean has_line = frame->line > 0 && frame->line <= G_MAXINT32;
          Use *use = has_line && stria_source_is_file (path) ? use_of (uses, path, strlen (path))
                                                             : NULL;

          if (use == NULL || use->seen == i)
            continue;
          use->seen = i;
          use->bytes += row->live_bytes;
          use->count += row->live_count;
        }
    }
}

static void
add_functions (GHashTable *uses, StriaTrace *trace, GCancellable *cancellable)
{
  StriaStrings *strings = stria_trace_get_strings (trace);
  const guint32 n = stria_strings_size (strings);

  for (guint32 i = 0; i < n && !g_cancellable_is_cancelled (cancellable); i++)
    {
      g_autofree char *path = NULL;
      guint line;

      if (stria_trace_get_name_count (trace, i) > 0
          && stria_source_parse_name (stria_trace_get_string (trace, i), &path, &line, NULL))
        use_of (uses, path, strlen (path));
    }
}

static StriaAllocRow *
row_new (const char *path, const Use *use)
{
  const char *end = path + strlen (path);
  guint n_slashes = 0;
  StriaAllocRow *row;

  /* Its folder tells one __init__.py from another */
  while (end > path && n_slashes < 2)
    if (*--end == '/' || *end == '\\')
      n_slashes++;
  row = stria_alloc_row_new (n_slashes == 2 ? end + 1 : path, path, G_MAXUINT32);
  if (use->bytes > 0)
    stria_alloc_row_set (row, STRIA_ALLOC_VALUE_LIVE, (double) use->bytes);
  return row;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  StriaAllocRow *left = *(StriaAllocRow *const *) a;
  StriaAllocRow *right = *(StriaAllocRow *const *) b;
  const double x = stria_alloc_row_get (left, STRIA_ALLOC_VALUE_LIVE);
  const double y = stria_alloc_row_get (right, STRIA_ALLOC_VALUE_LIVE);

  /* None is not a number, which is never greater */
  if (x > y || (x == x && y != y))
    return -1;
  if (y > x || (y == y && x != x))
    return 1;
  return strcmp (stria_alloc_row_get_color_name (left), stria_alloc_row_get_color_name (right));
}

static void
collect_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  StriaCapture *capture = data;
  g_autoptr (GPtrArray) snapshots = stria_capture_get_snapshots (capture);
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
  g_autoptr (GHashTable) uses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer path, use;

  for (guint i = 0; snapshots != NULL && i < snapshots->len; i++)
    {
      StriaSnapshotData *snapshot = g_ptr_array_index (snapshots, i);

      for (guint d = 0; d < stria_snapshot_get_n_devices (snapshot); d++)
        add_stacks (uses, snapshot, stria_snapshot_get_device (snapshot, d), cancellable);
    }
  if (trace != NULL)
    add_functions (uses, trace, cancellable);
  g_hash_table_iter_init (&iter, uses);
  while (g_hash_table_iter_next (&iter, &path, &use))
    g_ptr_array_add (rows, row_new (path, use));
  g_ptr_array_sort (rows, compare_rows);
  g_task_return_pointer (task, g_steal_pointer (&rows), (GDestroyNotify) g_ptr_array_unref);
}

static void
select_path (StriaSourceList *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint found = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; self->path != NULL && i < n && found == GTK_INVALID_LIST_POSITION; i++)
    {
      g_autoptr (StriaAllocRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (g_str_equal (stria_alloc_row_get_color_name (row), self->path))
        found = i;
    }
  self->filling = TRUE;
  gtk_single_selection_set_selected (self->selection, found);
  self->filling = FALSE;
}

static gboolean
has_bytes (StriaSourceList *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->files));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StriaAllocRow) row = g_list_model_get_item (G_LIST_MODEL (self->files), i);

      if (stria_alloc_row_get (row, STRIA_ALLOC_VALUE_LIVE) > 0)
        return TRUE;
    }
  return FALSE;
}

static void
show_whether_matched (StriaSourceList *self)
{
  gtk_widget_set_visible (self->no_match,
                          self->wanted != NULL && *self->wanted != '\0'
                              && g_list_model_get_n_items (G_LIST_MODEL (self->selection)) == 0);
}

static void
update_summary (StriaSourceList *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->files));
  g_autofree char *count = stria_format_count (n);
  g_autofree char *text = g_strdup_printf (ngettext ("%s file", "%s files", n), count);

  gtk_label_set_label (self->summary, text);
  gtk_widget_set_visible (self->heading, has_bytes (self));
  show_whether_matched (self);
}

static void
on_collected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StriaSourceList *self = STRIA_SOURCE_LIST (source);
  g_autoptr (GPtrArray) rows = g_task_propagate_pointer (G_TASK (result), NULL);

  if (rows == NULL || self->session == NULL)
    return;
  self->filling = TRUE;
  g_list_store_splice (self->files, 0, g_list_model_get_n_items (G_LIST_MODEL (self->files)),
                       rows->pdata, rows->len);
  self->filling = FALSE;
  select_path (self);
  update_summary (self);
}

static void
update (StriaSourceList *self)
{
  g_autoptr (GTask) task = NULL;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (self->stale)
    return;
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, on_collected, NULL);
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, g_object_ref (stria_session_get_capture (self->session)),
                        g_object_unref);
  g_task_run_in_thread (task, collect_in_thread);
}

/* -- the list --------------------------------------------------------------------------------- */

static gboolean
is_wanted (gpointer item, gpointer user_data)
{
  StriaSourceList *self = user_data;
  g_autofree char *folded = NULL;

  if (self->wanted == NULL || *self->wanted == '\0')
    return TRUE;
  folded = g_utf8_casefold (stria_alloc_row_get_color_name (item), -1);
  return strstr (folded, self->wanted) != NULL;
}

static void
on_search (StriaSourceList *self, GtkSearchEntry *entry)
{
  g_free (self->wanted);
  self->wanted = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (entry)), -1);
  self->filling = TRUE;
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  self->filling = FALSE;
  select_path (self);
  show_whether_matched (self);
}

static void
on_activate (StriaSourceList *self, guint position)
{
  g_autoptr (StriaAllocRow) row
      = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (row != NULL && !self->filling)
    g_signal_emit (self, signals[FILE_CHOSEN], 0, stria_alloc_row_get_color_name (row));
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *bytes = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_START);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_label_set_xalign (GTK_LABEL (bytes), 1);
  gtk_widget_add_css_class (bytes, "numeric");
  gtk_widget_add_css_class (bytes, "dim-label");
  gtk_widget_add_css_class (bytes, "caption");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), bytes);
  gtk_list_item_set_child (item, box);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  StriaAllocRow *row = gtk_list_item_get_item (item);
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *name = gtk_widget_get_first_child (box);
  const double bytes = stria_alloc_row_get (row, STRIA_ALLOC_VALUE_LIVE);
  g_autofree char *text = bytes > 0 ? stria_format_bytes ((gint64) bytes) : NULL;

  gtk_label_set_label (GTK_LABEL (name), stria_alloc_row_get_name (row));
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (name)), text != NULL ? text : "");
  gtk_widget_set_tooltip_text (box, stria_alloc_row_get_color_name (row));
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (box)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, stria_alloc_row_get_name (row),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text != NULL ? text : "",
                                  -1);
}

static void
stria_source_list_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_source_list_parent_class)->map (widget);
  if (STRIA_SOURCE_LIST (widget)->stale)
    update (STRIA_SOURCE_LIST (widget));
}

static void
stria_source_list_dispose (GObject *object)
{
  StriaSourceList *self = STRIA_SOURCE_LIST (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_object (&self->files);
  g_clear_object (&self->selection);
  g_clear_object (&self->filter);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->wanted, g_free);
  G_OBJECT_CLASS (stria_source_list_parent_class)->dispose (object);
}

static void
stria_source_list_class_init (StriaSourceListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_source_list_dispose;
  GTK_WIDGET_CLASS (klass)->map = stria_source_list_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[FILE_CHOSEN] = g_signal_new ("file", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static GtkWidget *
list_new (StriaSourceList *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkFilterListModel *filtered;
  GtkWidget *list;

  self->files = g_list_store_new (STRIA_TYPE_ALLOC_ROW);
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_wanted, self, NULL));
  filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->files)),
                                        g_object_ref (self->filter));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (filtered));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  list = gtk_list_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection)), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (list), TRUE);
  gtk_widget_add_css_class (list, "artifacts");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Files that the capture mentions"), -1);
  g_signal_connect_swapped (list, "activate", G_CALLBACK (on_activate), self);
  return list;
}

static void
stria_source_list_init (StriaSourceList *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *entry = gtk_search_entry_new ();
  GtkWidget *overlay = gtk_overlay_new ();

  self->stale = TRUE;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->summary, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "numeric");
  self->heading = gtk_label_new (_ ("Live at peak"));
  gtk_widget_set_tooltip_text (self->heading,
                               _ ("Bytes of blocks whose stack passes through the file, at the "
                                  "moment with most bytes"));
  gtk_widget_set_visible (self->heading, FALSE);
  gtk_widget_add_css_class (self->heading, "dim-label");
  gtk_widget_add_css_class (self->heading, "caption");
  gtk_widget_set_margin_end (self->heading, 6);
  gtk_widget_add_css_class (header, "panel-header");
  gtk_box_append (GTK_BOX (header), GTK_WIDGET (self->summary));
  gtk_box_append (GTK_BOX (header), self->heading);
  gtk_box_append (GTK_BOX (self->box), header);
  g_object_set (entry, "placeholder-text", _ ("Filter files"), NULL);
  gtk_widget_set_margin_top (entry, 6);
  gtk_widget_set_margin_start (entry, 6);
  gtk_widget_set_margin_end (entry, 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter files"), -1);
  g_signal_connect_swapped (entry, "search-changed", G_CALLBACK (on_search), self);
  gtk_box_append (GTK_BOX (self->box), entry);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list_new (self));
  self->no_match = gtk_label_new (_ ("No matches"));
  gtk_widget_add_css_class (self->no_match, "dim-label");
  gtk_widget_set_can_target (self->no_match, FALSE);
  gtk_widget_set_halign (self->no_match, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->no_match, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->no_match, FALSE);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), scrolled);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->no_match);
  gtk_widget_set_vexpand (overlay, TRUE);
  gtk_box_append (GTK_BOX (self->box), overlay);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_source_list_new (StriaSession *session)
{
  StriaSourceList *self = g_object_new (STRIA_TYPE_SOURCE_LIST, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
stria_source_list_set_path (StriaSourceList *self, const char *path)
{
  g_return_if_fail (STRIA_IS_SOURCE_LIST (self));

  g_free (self->path);
  self->path = g_strdup (path);
  select_path (self);
}
