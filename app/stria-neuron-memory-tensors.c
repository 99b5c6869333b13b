/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-memory-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-paint-size.h"
#include "stria-summary-cards.h"
#include "stria-table-start.h"

#define STRIA_TYPE_MEMORY_TENSOR_ITEM (stria_memory_tensor_item_get_type ())
G_DECLARE_FINAL_TYPE (StriaMemoryTensorItem, stria_memory_tensor_item, STRIA, MEMORY_TENSOR_ITEM,
                      GObject)

struct _StriaMemoryTensorItem
{
  GObject parent_instance;

  StriaNeuronMemory       *memory;
  const StriaMemoryTensor *tensor; /* of @memory */
};

G_DEFINE_FINAL_TYPE (StriaMemoryTensorItem, stria_memory_tensor_item, G_TYPE_OBJECT)

static void
stria_memory_tensor_item_finalize (GObject *object)
{
  stria_neuron_memory_unref (STRIA_MEMORY_TENSOR_ITEM (object)->memory);
  G_OBJECT_CLASS (stria_memory_tensor_item_parent_class)->finalize (object);
}

static void
stria_memory_tensor_item_class_init (StriaMemoryTensorItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_memory_tensor_item_finalize;
}

static void
stria_memory_tensor_item_init (StriaMemoryTensorItem *self)
{
}

/* -- columns --------------------------------------------------------------------------------- */

typedef enum
{
  NAME,
  TYPE,
  SIZE,
  LOADED,
  LOADS,
  REPEAT,
  SAVED,
  SAVES,
  RELOADED,
  RELOADS,
  RANGES,
  SHAPE,
  FORMAT,
  NODE,
  CORE,
  N_COLUMNS,
} Column;

typedef enum
{
  AS_TEXT,
  AS_BYTES,
  AS_COUNT,
  AS_FACTOR,
} Look;

static const struct
{
  const char *title;
  Look        look;
  const char *note;
} columns[N_COLUMNS] = {
  [NAME] = { N_ ("Tensor"), AS_TEXT,
             N_ ("TensorInfo.variable_name, DmaPacketAggregated.variable or "
                 "SbufAllocation.tensor_name") },
  [TYPE] = { N_ ("Type"), AS_TEXT, N_ ("TensorInfo.type: IN, OUT or WEIGHT") },
  [SIZE] = { N_ ("Size"), AS_BYTES, N_ ("TensorInfo.size") },
  [LOADED] = { N_ ("Loaded"), AS_BYTES,
               N_ ("TensorInfo.load_to_sbuf_total_size_bytes; where it has no value, the sum of "
                   "DmaPacketAggregated.transfer_bytes with this variable whose dest has [SB] and "
                   "whose source is not VIRTUAL") },
  [LOADS] = { N_ ("Loads"), AS_COUNT,
              N_ ("TensorInfo.load_to_sbuf_dma_count; where it has no value, as many transfers as "
                  "“Loaded” sums") },
  [REPEAT] = { N_ ("Repeat"), AS_FACTOR,
               N_ ("TensorInfo.load_to_sbuf_repeat_factor; where it has no value, loaded ÷ size") },
  [SAVED] = { N_ ("Spilled"), AS_BYTES,
              N_ ("Sum of DmaPacketAggregated.transfer_bytes with this variable whose dest has "
                  "VIRTUAL") },
  [SAVES] = { N_ ("Spills"), AS_COUNT, N_ ("How many transfers “Spilled” sums") },
  [RELOADED] = { N_ ("Reloaded"), AS_BYTES,
                 N_ ("Sum of DmaPacketAggregated.transfer_bytes with this variable whose source "
                     "has VIRTUAL") },
  [RELOADS] = { N_ ("Reloads"), AS_COUNT, N_ ("How many transfers “Reloaded” sums") },
  [RANGES] = { N_ ("Ranges"), AS_COUNT, N_ ("Rows of SbufAllocation with this tensor_name") },
  [SHAPE] = { N_ ("Shape"), AS_TEXT, N_ ("TensorInfo.shape") },
  [FORMAT] = { N_ ("Format"), AS_TEXT, N_ ("TensorInfo.format") },
  [NODE] = { N_ ("Node"), AS_COUNT, N_ ("TensorInfo.node") },
  [CORE] = { N_ ("Core"), AS_COUNT, N_ ("pcore_idx") },
};

static double
number_of (const StriaMemoryTensor *tensor, guint column)
{
  switch ((Column) column)
    {
    case SIZE:
      return (double) tensor->size;
    case LOADED:
      return tensor->load_bytes;
    case LOADS:
      return tensor->load_count;
    case REPEAT:
      return tensor->repeat;
    case SAVED:
      return tensor->save_bytes;
    case SAVES:
      return tensor->save_count;
    case RELOADED:
      return tensor->reload_bytes;
    case RELOADS:
      return tensor->reload_count;
    case RANGES:
      return (double) tensor->n_ranges;
    case NODE:
      return (double) tensor->node;
    case CORE:
      return tensor->core;
    case NAME:
    case TYPE:
    case SHAPE:
    case FORMAT:
    case N_COLUMNS:
    default:
      return -1;
    }
}

static const char *
text_of (const StriaMemoryTensor *tensor, guint column)
{
  switch (column)
    {
    case TYPE:
      return tensor->type;
    case SHAPE:
      return tensor->shape;
    case FORMAT:
      return tensor->format;
    default:
      return tensor->name;
    }
}

/* NULL: not known */
static char *
cell_text (const StriaMemoryTensor *tensor, guint column)
{
  const double value = number_of (tensor, column);

  if (columns[column].look == AS_TEXT)
    return *text_of (tensor, column) != '\0' ? g_strdup (text_of (tensor, column)) : NULL;
  if (value < 0)
    return NULL;
  if (columns[column].look == AS_BYTES)
    return stria_format_bytes ((gint64) MIN (value, 9e18));
  if (columns[column].look == AS_FACTOR)
    return g_strdup_printf ("%.2f ×", value);
  return stria_format_count ((guint64) MIN (value, 9e18));
}

static const char *
why_missing (const StriaMemoryTensor *tensor, guint column)
{
  switch (column)
    {
    case SAVED:
    case SAVES:
    case RELOADED:
    case RELOADS:
      return _ ("Not available because the capture has no DmaPacketAggregated with source, dest "
                "and transfer_bytes");
    case RANGES:
      return _ ("Not available because the capture has no SbufAllocation");
    case LOADED:
    case LOADS:
      return _ ("Not available because TensorInfo does not say it and no transfer names this "
                "tensor on its way into SBUF");
    case REPEAT:
      return _ ("Not available because the size or what was loaded is not known");
    default:
      return tensor->is_declared
                 ? _ ("Not available because TensorInfo has no value here")
                 : _ ("Not available because TensorInfo does not declare this tensor");
    }
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label),
                        columns[GPOINTER_TO_UINT (column)].look == AS_TEXT ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const guint column = GPOINTER_TO_UINT (data);
  const StriaMemoryTensor *tensor
      = STRIA_MEMORY_TENSOR_ITEM (gtk_list_item_get_item (item))->tensor;
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = cell_text (tensor, column);
  const gboolean is_sum = (column == LOADED || column == LOADS) && tensor->loads_counted;

  gtk_label_set_label (GTK_LABEL (label), text != NULL ? text : "–");
  stria_summary_explain (label, text == NULL ? why_missing (tensor, column)
                                : is_sum ? _ ("A sum of transfers: TensorInfo does not say it")
                                : column == NAME ? tensor->name : NULL);
  if (text == NULL)
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
}

static int
compare_items (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint column = GPOINTER_TO_UINT (data);
  const StriaMemoryTensor *p = STRIA_MEMORY_TENSOR_ITEM ((gpointer) a)->tensor;
  const StriaMemoryTensor *q = STRIA_MEMORY_TENSOR_ITEM ((gpointer) b)->tensor;
  const double x = number_of (p, column), y = number_of (q, column);

  if (columns[column].look == AS_TEXT)
    return strcmp (text_of (p, column), text_of (q, column));
  return x < y ? -1 : x > y;
}

/* -- the page -------------------------------------------------------------------------------- */

typedef struct
{
  StriaNeuronMemoryView *view; /* it owns the page */
  GListStore            *store;
  GtkFilter             *filter;
  GtkSelectionModel     *selection;
  GtkWidget             *entry;
  GtkLabel              *count;
} Page;

static void
page_free (gpointer data)
{
  Page *page = data;

  g_object_unref (page->store);
  g_object_unref (page->filter);
  g_object_unref (page->selection);
  g_free (page);
}

static gboolean
is_wanted (gpointer item, gpointer data)
{
  const Page *page = data;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (page->entry));
  g_autofree char *wanted = g_utf8_casefold (text, -1);
  g_autofree char *name
      = g_utf8_casefold (STRIA_MEMORY_TENSOR_ITEM (item)->tensor->name, -1);

  return *wanted == '\0' || strstr (name, wanted) != NULL;
}

static void
update_count (Page *page)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (page->selection));
  g_autofree char *count = stria_format_count (n);
  g_autofree char *text = g_strdup_printf (ngettext ("%s tensor", "%s tensors", n), count);

  gtk_label_set_label (page->count, text);
}

static void
on_filter (Page *page)
{
  gtk_filter_changed (page->filter, GTK_FILTER_CHANGE_DIFFERENT);
  update_count (page);
}

static void
on_activate (Page *page, guint position)
{
  g_autoptr (StriaMemoryTensorItem) item
      = g_list_model_get_item (G_LIST_MODEL (page->selection), position);

  if (item != NULL
      && !stria_neuron_memory_view_reveal (page->view, item->tensor->name, item->tensor->core))
    stria_tell (GTK_WIDGET (page->view), _ ("No row of SbufAllocation names this tensor"));
}

static void
add_column (GtkColumnView *table, guint column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *view_column;
  g_autoptr (GtkSorter) sorter = GTK_SORTER (
      gtk_custom_sorter_new (compare_items, GUINT_TO_POINTER (column), NULL));

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), GUINT_TO_POINTER (column));
  view_column = gtk_column_view_column_new (_ (columns[column].title), factory);
  gtk_column_view_column_set_sorter (view_column, sorter);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_expand (view_column, column == NAME);
  if (column == NAME)
    gtk_column_view_column_set_fixed_width (view_column, (int) stria_text_px (200));
  gtk_column_view_append_column (table, view_column);
  g_object_unref (view_column);
}

/* Headings are made by the table: each gets told what its column says. */
static void
explain_headings (GtkWidget *table)
{
  GtkWidget *header = gtk_widget_get_first_child (table);
  guint column = 0;

  for (GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
       title != NULL && column < N_COLUMNS; title = gtk_widget_get_next_sibling (title))
    stria_summary_explain (title, _ (columns[column++].note));
}

GtkWidget *
stria_memory_tensors_new (StriaNeuronMemoryView *view)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *table = gtk_column_view_new (NULL);
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (table));
  Page *page = g_new0 (Page, 1);
  GListModel *filtered, *sorted;

  stria_table_keep_start (table);
  page->view = view;
  page->store = g_list_store_new (STRIA_TYPE_MEMORY_TENSOR_ITEM);
  page->entry = gtk_search_entry_new ();
  page->filter = GTK_FILTER (gtk_custom_filter_new (is_wanted, page, NULL));
  filtered = G_LIST_MODEL (gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (page->store)),
                                                      g_object_ref (page->filter)));
  sorted = G_LIST_MODEL (gtk_sort_list_model_new (filtered, g_object_ref (sorter)));
  page->selection = GTK_SELECTION_MODEL (gtk_single_selection_new (sorted));
  gtk_single_selection_set_autoselect (GTK_SINGLE_SELECTION (page->selection), FALSE);
  gtk_single_selection_set_can_unselect (GTK_SINGLE_SELECTION (page->selection), TRUE);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (table), page->selection);
  gtk_column_view_set_show_column_separators (GTK_COLUMN_VIEW (table), TRUE);
  gtk_widget_add_css_class (table, "data-table");
  for (guint column = 0; column < N_COLUMNS; column++)
    add_column (GTK_COLUMN_VIEW (table), column);
  explain_headings (table);
  gtk_accessible_update_property (GTK_ACCESSIBLE (table), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Tensors and spills"), -1);
  gtk_widget_set_tooltip_text (table, NULL);
  g_signal_connect_swapped (table, "activate", G_CALLBACK (on_activate), page);

  gtk_widget_add_css_class (bar, "panel-header");
  g_object_set (page->entry, "placeholder-text", _ ("Filter tensors"), NULL);
  gtk_widget_set_tooltip_text (page->entry,
                               _ ("A double click or Return on a row shows the tensor’s first "
                                  "range in SBUF"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (page->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter tensors"), -1);
  g_signal_connect_swapped (page->entry, "search-changed", G_CALLBACK (on_filter), page);
  page->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (page->count), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (page->count), "numeric");
  gtk_box_append (GTK_BOX (bar), page->entry);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (page->count));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), table);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), scrolled);
  g_object_set_data_full (G_OBJECT (box), "page", page, page_free);
  return box;
}

void
stria_memory_tensors_set (GtkWidget *tensors, StriaNeuronMemory *memory)
{
  Page *page = g_object_get_data (G_OBJECT (tensors), "page");
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < memory->tensors->len; i++)
    {
      StriaMemoryTensorItem *item = g_object_new (STRIA_TYPE_MEMORY_TENSOR_ITEM, NULL);

      item->memory = stria_neuron_memory_ref (memory);
      item->tensor = memory->tensors->pdata[i];
      g_ptr_array_add (items, item);
    }
  g_list_store_splice (page->store, 0, g_list_model_get_n_items (G_LIST_MODEL (page->store)),
                       items->pdata, items->len);
  update_count (page);
}
