/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-rows-model.h"

#include "stria-format.h"

#define PAGE_ROWS  128
#define KEPT_PAGES 48

struct _StriaRowsItem
{
  GObject parent_instance;

  StriaRowsModel *model; /* NULL when that is gone */
  guint           position;
};

typedef struct
{
  StriaRowsPage *page;
  guint64        used;
} Kept;

struct _StriaRowsModel
{
  GObject parent_instance;

  StriaRows    *rows;
  guint         n_rows;
  guint8       *wanted;
  GHashTable   *items;   /* position -> StriaRowsItem, not owned */
  GHashTable   *pages;   /* number -> Kept */
  GArray       *waiting; /* guint: numbers of pages, the last first */
  GCancellable *cancellable; /* of the pages of these columns */
  gboolean      is_loading;
  guint64       clock;
  char         *error;
};

enum
{
  ITEM_CHANGED,
  N_ITEM_SIGNALS
};
enum
{
  FAILED,
  N_SIGNALS
};

static guint item_signals[N_ITEM_SIGNALS];
static guint signals[N_SIGNALS];

static void list_model_init (GListModelInterface *iface);
static void load_next (StriaRowsModel *self);

G_DEFINE_FINAL_TYPE (StriaRowsItem, stria_rows_item, G_TYPE_OBJECT)
G_DEFINE_FINAL_TYPE_WITH_CODE (StriaRowsModel, stria_rows_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

/* -- items ----------------------------------------------------------------------------------- */

static void
stria_rows_item_finalize (GObject *object)
{
  StriaRowsItem *self = STRIA_ROWS_ITEM (object);

  if (self->model != NULL)
    g_hash_table_remove (self->model->items, GUINT_TO_POINTER (self->position));
  G_OBJECT_CLASS (stria_rows_item_parent_class)->finalize (object);
}

static void
stria_rows_item_class_init (StriaRowsItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_rows_item_finalize;
  item_signals[ITEM_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass),
                                             G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                             0);
}

static void
stria_rows_item_init (StriaRowsItem *self)
{
}

guint64
stria_rows_item_get_row (StriaRowsItem *self)
{
  return self->position;
}

static void
ask_for (StriaRowsModel *self, guint number)
{
  for (guint i = 0; i < self->waiting->len; i++)
    if (g_array_index (self->waiting, guint, i) == number)
      {
        g_array_remove_index (self->waiting, i);
        break;
      }
  g_array_append_val (self->waiting, number);
  load_next (self);
}

/* The page of a position; it is asked for if it is not there. */
static const StriaRowsPage *
page_of (StriaRowsModel *self, guint position)
{
  const guint number = position / PAGE_ROWS;
  Kept *kept = g_hash_table_lookup (self->pages, GUINT_TO_POINTER (number));

  if (kept == NULL)
    {
      ask_for (self, number);
      return NULL;
    }
  kept->used = ++self->clock;
  return kept->page;
}

const StriaCell *
stria_rows_item_get_cell (StriaRowsItem *self, guint column)
{
  const StriaRowsPage *page
      = self->model != NULL ? page_of (self->model, self->position) : NULL;

  if (page == NULL || self->position - page->first >= page->n_rows || column >= page->n_columns)
    return NULL;
  return &page->cells[(self->position - page->first) * page->n_columns + column];
}

gboolean
stria_rows_item_get_id (StriaRowsItem *self, gint64 *row_id)
{
  const StriaRowsPage *page
      = self->model != NULL ? page_of (self->model, self->position) : NULL;

  if (page == NULL || self->position - page->first >= page->n_rows)
    return FALSE;
  *row_id = page->row_ids[self->position - page->first];
  return TRUE;
}

char *
stria_cell_dup_text (const StriaCell *cell)
{
  switch (cell->kind)
    {
    case STRIA_CELL_KIND_INT:
      return g_strdup_printf ("%" G_GINT64_FORMAT, cell->integer);
    case STRIA_CELL_KIND_REAL:
      return stria_format_c_double (cell->real);
    case STRIA_CELL_KIND_BOOL:
      return g_strdup (cell->integer != 0 ? "true" : "false");
    case STRIA_CELL_KIND_TEXT:
      return g_strdup (cell->text);
    case STRIA_CELL_KIND_NONE:
    default:
      return NULL;
    }
}

/* -- loading --------------------------------------------------------------------------------- */

typedef struct
{
  StriaRows *rows;
  guint      number;
  guint8    *wanted;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  stria_rows_unref (job->rows);
  g_free (job->wanted);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  StriaRowsPage *page = stria_rows_load (job->rows, (guint64) job->number * PAGE_ROWS, PAGE_ROWS,
                                         job->wanted, cancellable, &error);

  if (page == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, page, (GDestroyNotify) stria_rows_page_free);
}

static void
kept_free (gpointer data)
{
  stria_rows_page_free (((Kept *) data)->page);
  g_free (data);
}

static void
drop_oldest (StriaRowsModel *self)
{
  GHashTableIter iter;
  gpointer key, value, oldest = NULL;
  guint64 used = G_MAXUINT64;

  if (g_hash_table_size (self->pages) < KEPT_PAGES)
    return;
  g_hash_table_iter_init (&iter, self->pages);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (((Kept *) value)->used < used)
      {
        used = ((Kept *) value)->used;
        oldest = key;
      }
  g_hash_table_remove (self->pages, oldest);
}

static void
tell_items (StriaRowsModel *self, guint first, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      StriaRowsItem *item = g_hash_table_lookup (self->items, GUINT_TO_POINTER (first + i));

      if (item != NULL)
        g_signal_emit (item, item_signals[ITEM_CHANGED], 0);
    }
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaRowsModel) self = user_data;
  const Job *job = g_task_get_task_data (G_TASK (result));
  const gboolean is_current = g_task_get_cancellable (G_TASK (result)) == self->cancellable;
  g_autoptr (GError) error = NULL;
  StriaRowsPage *page = g_task_propagate_pointer (G_TASK (result), &error);

  self->is_loading = FALSE;
  if (page != NULL && is_current)
    {
      Kept *kept = g_new (Kept, 1);

      *kept = (Kept){ page, ++self->clock };
      drop_oldest (self);
      g_hash_table_insert (self->pages, GUINT_TO_POINTER (job->number), kept);
      tell_items (self, job->number * PAGE_ROWS, page->n_rows);
    }
  else
    {
      g_clear_pointer (&page, stria_rows_page_free);
      if (is_current && error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_free (self->error);
          self->error = g_strdup (error->message);
          g_array_set_size (self->waiting, 0);
          g_signal_emit (self, signals[FAILED], 0);
        }
    }
  load_next (self);
}

/* One page at a time, what was asked for last first: that is where the person looks. */
static void
load_next (StriaRowsModel *self)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  if (self->is_loading || self->waiting->len == 0)
    return;
  /* Pages that were scrolled past need not come. */
  if (self->waiting->len > KEPT_PAGES / 4)
    g_array_remove_range (self->waiting, 0, self->waiting->len - KEPT_PAGES / 4);
  job = g_new0 (Job, 1);
  job->rows = stria_rows_ref (self->rows);
  job->number = g_array_index (self->waiting, guint, self->waiting->len - 1);
  g_array_set_size (self->waiting, self->waiting->len - 1);
  if (self->wanted != NULL)
    job->wanted = g_memdup2 (self->wanted, stria_rows_get_n_columns (self->rows));
  self->is_loading = TRUE;
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_loaded, g_object_ref (self));
  g_task_set_source_tag (task, load_next);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

void
stria_rows_model_set_wanted (StriaRowsModel *self, const guint8 *wanted)
{
  GHashTableIter iter;
  gpointer value;

  g_return_if_fail (STRIA_IS_ROWS_MODEL (self));

  g_free (self->wanted);
  self->wanted = g_memdup2 (wanted, stria_rows_get_n_columns (self->rows));
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_hash_table_remove_all (self->pages);
  g_array_set_size (self->waiting, 0);
  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ask_for (self, STRIA_ROWS_ITEM (value)->position / PAGE_ROWS);
}

StriaRows *
stria_rows_model_get_rows (StriaRowsModel *self)
{
  return self->rows;
}

const char *
stria_rows_model_get_error (StriaRowsModel *self)
{
  return self->error;
}

/* -- the list -------------------------------------------------------------------------------- */

static GType
stria_rows_model_get_item_type (GListModel *list)
{
  return STRIA_TYPE_ROWS_ITEM;
}

static guint
stria_rows_model_get_n_items (GListModel *list)
{
  return STRIA_ROWS_MODEL (list)->n_rows;
}

static gpointer
stria_rows_model_get_item (GListModel *list, guint position)
{
  StriaRowsModel *self = STRIA_ROWS_MODEL (list);
  StriaRowsItem *item;

  if (position >= self->n_rows)
    return NULL;
  item = g_hash_table_lookup (self->items, GUINT_TO_POINTER (position));
  if (item != NULL)
    return g_object_ref (item);
  item = g_object_new (STRIA_TYPE_ROWS_ITEM, NULL);
  item->model = self;
  item->position = position;
  g_hash_table_insert (self->items, GUINT_TO_POINTER (position), item);
  return item;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = stria_rows_model_get_item_type;
  iface->get_n_items = stria_rows_model_get_n_items;
  iface->get_item = stria_rows_model_get_item;
}

static void
stria_rows_model_finalize (GObject *object)
{
  StriaRowsModel *self = STRIA_ROWS_MODEL (object);
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    STRIA_ROWS_ITEM (value)->model = NULL;
  g_hash_table_unref (self->items);
  g_hash_table_unref (self->pages);
  g_array_unref (self->waiting);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  stria_rows_unref (self->rows);
  g_free (self->wanted);
  g_free (self->error);
  G_OBJECT_CLASS (stria_rows_model_parent_class)->finalize (object);
}

static void
stria_rows_model_class_init (StriaRowsModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_rows_model_finalize;
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_rows_model_init (StriaRowsModel *self)
{
  self->items = g_hash_table_new (NULL, NULL);
  self->pages = g_hash_table_new_full (NULL, NULL, NULL, kept_free);
  self->waiting = g_array_new (FALSE, FALSE, sizeof (guint));
  self->cancellable = g_cancellable_new ();
}

StriaRowsModel *
stria_rows_model_new (StriaRows *rows)
{
  StriaRowsModel *self = g_object_new (STRIA_TYPE_ROWS_MODEL, NULL);

  self->rows = stria_rows_ref (rows);
  self->n_rows = (guint) MIN (stria_rows_get_n_rows (rows), G_MAXINT32);
  return self;
}
