/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-annotations-private.h"

#include <glib/gi18n-lib.h>

#define MAX_UNDO 100

enum
{
  CHANGED,
  SELECTION_CHANGED,
  FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];
/* Identity -> StriaAnnotations, not owned */
static GHashTable *known;

G_DEFINE_FINAL_TYPE (StriaAnnotations, stria_annotations, G_TYPE_OBJECT)

guint32
stria_annotation_color (guint i)
{
  static const guint32 colors[STRIA_ANNOTATION_N_COLORS]
      = { 0x1c71d8, 0xc01c28, 0x26a269, 0x9141ac, 0xe66100, 0x0e8a8f, 0xb5487d, 0x865e3c };

  return colors[i % STRIA_ANNOTATION_N_COLORS];
}

static GPtrArray *
new_items (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) stria_annotation_free);
}

static GPtrArray *
copy_items (GPtrArray *items)
{
  GPtrArray *copy = new_items ();

  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add (copy, stria_annotation_copy (items->pdata[i]));
  return copy;
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const StriaAnnotation *x = *(StriaAnnotation *const *) a;
  const StriaAnnotation *y = *(StriaAnnotation *const *) b;

  if (x->t0 != y->t0)
    return x->t0 < y->t0 ? -1 : 1;
  if (x->t1 != y->t1)
    return x->t1 < y->t1 ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

void
stria_annotations_take_items (StriaAnnotations *self, GPtrArray *items)
{
  for (guint i = 0; i < items->len; i++)
    {
      StriaAnnotation *item = stria_annotation_copy (items->pdata[i]);

      item->id = ++self->next_id;
      if (item->t1 > item->t0)
        self->next_range++;
      else
        self->next_marker++;
      g_ptr_array_add (self->items, item);
    }
  g_ptr_array_sort (self->items, compare_items);
}

/* -- the file -------------------------------------------------------------------------------- */

static char *
file_text (GObject *owner)
{
  StriaAnnotations *self = STRIA_ANNOTATIONS (owner);

  return self->items->len > 0
             ? stria_annotations_write (self->items, self->identity, self->title)
             : NULL;
}

static gpointer
parse_file (const char *text, gsize length, const char *path, GError **error)
{
  return stria_annotations_read (text, (gssize) length, path, NULL, error);
}

static void
on_file_read (GObject *owner, gpointer parsed)
{
  StriaAnnotations *self = STRIA_ANNOTATIONS (owner);
  g_autoptr (GPtrArray) items = parsed;

  if (items->len == 0)
    return;
  stria_annotations_take_items (self, items);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_file_failed (GObject *owner, const char *message)
{
  g_signal_emit (owner, signals[FAILED], 0, message);
}

static const StriaKeptFuncs file_funcs = {
  .text = file_text,
  .parse = parse_file,
  .read = on_file_read,
  .failed = on_file_failed,
  .free_parsed = (GDestroyNotify) g_ptr_array_unref,
};

void
stria_annotations_flush (StriaAnnotations *self)
{
  g_return_if_fail (STRIA_IS_ANNOTATIONS (self));

  if (self->file != NULL)
    stria_kept_file_flush (self->file);
}

/* -- the object ------------------------------------------------------------------------------ */

static void
stria_annotations_finalize (GObject *object)
{
  StriaAnnotations *self = STRIA_ANNOTATIONS (object);

  if (known != NULL && self->identity != NULL
      && g_hash_table_lookup (known, self->identity) == self)
    g_hash_table_remove (known, self->identity);
  g_clear_pointer (&self->file, stria_kept_file_free);
  g_free (self->sets);
  g_free (self->identity);
  g_free (self->title);
  g_ptr_array_unref (self->items);
  g_ptr_array_unref (self->undo);
  g_ptr_array_unref (self->redo);
  G_OBJECT_CLASS (stria_annotations_parent_class)->finalize (object);
}

static void
stria_annotations_class_init (StriaAnnotationsClass *klass)
{
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = stria_annotations_finalize;
  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[SELECTION_CHANGED] = g_signal_new ("selection-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                             NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
stria_annotations_init (StriaAnnotations *self)
{
  self->items = new_items ();
  self->undo = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  self->redo = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
}

StriaAnnotations *
stria_annotations_new (const char *path)
{
  StriaAnnotations *self = g_object_new (STRIA_TYPE_ANNOTATIONS, NULL);

  if (path != NULL)
    {
      self->file = stria_kept_file_new (path, G_OBJECT (self), &file_funcs);
      self->sets = g_strconcat (path, ".sets", NULL);
    }
  return self;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char *
stria_annotations_identity (StriaCapture *capture)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  g_return_val_if_fail (STRIA_IS_CAPTURE (capture), NULL);

  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);
      const char *digest = stria_artifact_get_digest (artifact);

      /* Where nobody has read the bytes the name has to do. */
      g_ptr_array_add (lines, g_strdup_printf ("%" G_GUINT64_FORMAT " %s\n",
                                               stria_artifact_get_size (artifact),
                                               digest != NULL && digest[0] != '\0'
                                                   ? digest
                                                   : stria_artifact_get_name (artifact)));
    }
  g_ptr_array_sort (lines, compare_texts);
  for (guint i = 0; i < lines->len; i++)
    g_checksum_update (sum, lines->pdata[i], -1);
  return g_strdup (g_checksum_get_string (sum));
}

StriaAnnotations *
stria_annotations_get (StriaCapture *capture)
{
  g_autofree char *identity = stria_annotations_identity (capture);
  g_autofree char *name = g_strdup_printf ("%s.json", identity);
  g_autofree char *path = NULL;
  StriaAnnotations *self;

  if (known == NULL)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self = g_hash_table_lookup (known, identity);
  if (self != NULL)
    return g_object_ref (self);
  path = g_build_filename (g_get_user_data_dir (), "stria", "annotations", name, NULL);
  self = stria_annotations_new (path);
  self->title = g_strdup (stria_capture_get_title (capture));
  self->identity = g_steal_pointer (&identity);
  g_hash_table_insert (known, g_strdup (self->identity), self);
  return self;
}

guint
stria_annotations_size (StriaAnnotations *self)
{
  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), 0);

  return self->items->len;
}

const StriaAnnotation *
stria_annotations_at (StriaAnnotations *self, guint i)
{
  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self) && i < self->items->len, NULL);

  return self->items->pdata[i];
}

static StriaAnnotation *
find (StriaAnnotations *self, guint64 id)
{
  for (guint i = 0; i < self->items->len; i++)
    if (((StriaAnnotation *) self->items->pdata[i])->id == id)
      return self->items->pdata[i];
  return NULL;
}

const StriaAnnotation *
stria_annotations_find (StriaAnnotations *self, guint64 id)
{
  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), NULL);

  return find (self, id);
}

const StriaAnnotation *
stria_annotations_next (StriaAnnotations *self, gint64 ns, gboolean forward)
{
  const StriaAnnotation *before = NULL;

  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      const StriaAnnotation *item = self->items->pdata[i];

      if (forward && item->t0 > ns)
        return item;
      if (!forward && item->t0 < ns)
        before = item;
    }
  return before;
}

/* -- changes --------------------------------------------------------------------------------- */

void
stria_annotations_remember (StriaAnnotations *self)
{
  if (self->undo->len >= MAX_UNDO)
    g_ptr_array_remove_index (self->undo, 0);
  g_ptr_array_add (self->undo, copy_items (self->items));
  g_ptr_array_set_size (self->redo, 0);
}

void
stria_annotations_changed (StriaAnnotations *self)
{
  g_ptr_array_sort (self->items, compare_items);
  if (self->file != NULL)
    stria_kept_file_changed (self->file);
  if (self->selected != 0 && find (self, self->selected) == NULL)
    stria_annotations_select (self, 0);
  g_signal_emit (self, signals[CHANGED], 0);
}

guint64
stria_annotations_add (StriaAnnotations *self, gint64 t0, gint64 t1, const char *name, guint32 rgb)
{
  StriaAnnotation *item;
  const gboolean is_range = t0 != t1;

  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), 0);

  if (self->items->len >= STRIA_ANNOTATIONS_MAX)
    return 0;
  stria_annotations_remember (self);
  item = g_new0 (StriaAnnotation, 1);
  item->id = ++self->next_id;
  item->t0 = MIN (t0, t1);
  item->t1 = MAX (t0, t1);
  if (name != NULL && name[0] != '\0')
    item->name = g_strdup (name);
  else if (is_range)
    item->name = g_strdup_printf (_ ("Range %u"), self->next_range + 1);
  else
    item->name = g_strdup_printf (_ ("Marker %u"), self->next_marker + 1);
  item->note = g_strdup ("");
  item->rgb = rgb != 0 ? rgb : stria_annotation_color (self->next_marker + self->next_range);
  if (is_range)
    self->next_range++;
  else
    self->next_marker++;
  g_ptr_array_add (self->items, item);
  stria_annotations_changed (self);
  return item->id;
}

static void
set_text (StriaAnnotations *self, guint64 id, gsize offset, const char *text)
{
  StriaAnnotation *item = find (self, id);
  char **place = item != NULL ? G_STRUCT_MEMBER_P (item, offset) : NULL;

  if (item == NULL || g_str_equal (*place, text))
    return;
  stria_annotations_remember (self);
  g_free (*place);
  *place = g_utf8_make_valid (text, (gssize) MIN (strlen (text), STRIA_ANNOTATION_MAX_TEXT));
  stria_annotations_changed (self);
}

void
stria_annotations_set_name (StriaAnnotations *self, guint64 id, const char *name)
{
  g_return_if_fail (STRIA_IS_ANNOTATIONS (self) && name != NULL);

  if (name[0] != '\0')
    set_text (self, id, G_STRUCT_OFFSET (StriaAnnotation, name), name);
}

void
stria_annotations_set_note (StriaAnnotations *self, guint64 id, const char *note)
{
  g_return_if_fail (STRIA_IS_ANNOTATIONS (self) && note != NULL);

  set_text (self, id, G_STRUCT_OFFSET (StriaAnnotation, note), note);
}

void
stria_annotations_set_color (StriaAnnotations *self, guint64 id, guint32 rgb)
{
  StriaAnnotation *item;

  g_return_if_fail (STRIA_IS_ANNOTATIONS (self));

  item = find (self, id);
  if (item == NULL || item->rgb == rgb)
    return;
  stria_annotations_remember (self);
  item->rgb = rgb & 0xffffff;
  stria_annotations_changed (self);
}

void
stria_annotations_set_span (StriaAnnotations *self, guint64 id, gint64 t0, gint64 t1)
{
  StriaAnnotation *item;

  g_return_if_fail (STRIA_IS_ANNOTATIONS (self));

  item = find (self, id);
  if (item == NULL || (item->t0 == MIN (t0, t1) && item->t1 == MAX (t0, t1)))
    return;
  stria_annotations_remember (self);
  item->t0 = MIN (t0, t1);
  item->t1 = MAX (t0, t1);
  stria_annotations_changed (self);
}

gboolean
stria_annotations_remove (StriaAnnotations *self, guint64 id)
{
  StriaAnnotation *item;

  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), FALSE);

  item = find (self, id);
  if (item == NULL)
    return FALSE;
  stria_annotations_remember (self);
  g_ptr_array_remove (self->items, item);
  stria_annotations_changed (self);
  return TRUE;
}

void
stria_annotations_clear (StriaAnnotations *self)
{
  g_return_if_fail (STRIA_IS_ANNOTATIONS (self));

  if (self->items->len == 0)
    return;
  stria_annotations_remember (self);
  g_ptr_array_set_size (self->items, 0);
  stria_annotations_changed (self);
}

static gboolean
swap (StriaAnnotations *self, GPtrArray *from, GPtrArray *to)
{
  if (from->len == 0)
    return FALSE;
  g_ptr_array_add (to, self->items);
  self->items = g_ptr_array_steal_index (from, from->len - 1);
  stria_annotations_changed (self);
  return TRUE;
}

gboolean
stria_annotations_undo (StriaAnnotations *self)
{
  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), FALSE);

  return swap (self, self->undo, self->redo);
}

gboolean
stria_annotations_redo (StriaAnnotations *self)
{
  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), FALSE);

  return swap (self, self->redo, self->undo);
}

gboolean
stria_annotations_can_undo (StriaAnnotations *self)
{
  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), FALSE);

  return self->undo->len > 0;
}

gboolean
stria_annotations_can_redo (StriaAnnotations *self)
{
  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), FALSE);

  return self->redo->len > 0;
}

guint64
stria_annotations_get_selected (StriaAnnotations *self)
{
  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), 0);

  return self->selected;
}

void
stria_annotations_select (StriaAnnotations *self, guint64 id)
{
  g_return_if_fail (STRIA_IS_ANNOTATIONS (self));

  if (self->selected == id || (id != 0 && find (self, id) == NULL))
    return;
  self->selected = id;
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}
