/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-annotations-private.h"
#include "stria-error.h"

#include <glib/gi18n-lib.h>

char *
stria_annotations_to_json (StriaAnnotations *self, const char *title)
{
  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), NULL);

  return stria_annotations_write (self->items, self->identity,
                                  title != NULL ? title : self->title);
}

static gboolean
has_alike (StriaAnnotations *self, const StriaAnnotation *item)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const StriaAnnotation *other = self->items->pdata[i];

      if (other->t0 == item->t0 && other->t1 == item->t1 && g_str_equal (other->name, item->name)
          && g_str_equal (other->note, item->note))
        return TRUE;
    }
  return FALSE;
}

void
stria_annotations_add_all (StriaAnnotations *self, GPtrArray *items)
{
  g_autoptr (GPtrArray) fitting = g_ptr_array_new ();

  g_return_if_fail (STRIA_IS_ANNOTATIONS (self) && items != NULL);

  for (guint i = 0; i < items->len && self->items->len + i < STRIA_ANNOTATIONS_MAX; i++)
    if (!has_alike (self, items->pdata[i]))
      g_ptr_array_add (fitting, items->pdata[i]);
  if (fitting->len == 0)
    return;
  stria_annotations_remember (self);
  stria_annotations_take_items (self, fitting);
  stria_annotations_changed (self);
}

gboolean
stria_annotations_take_json (StriaAnnotations *self, const char *text, gssize length,
                             const char *path, guint *n_added, GError **error)
{
  g_autoptr (GPtrArray) items = NULL;

  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self) && text != NULL && n_added != NULL, FALSE);

  items = stria_annotations_read (text, length, path, NULL, error);
  if (items == NULL)
    return FALSE;
  for (guint i = items->len; i-- > 0;)
    if (has_alike (self, items->pdata[i]))
      g_ptr_array_remove_index (items, i);
  *n_added = items->len;
  if (items->len == 0)
    return TRUE;
  if (self->items->len + items->len > STRIA_ANNOTATIONS_MAX)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: expected at most %u annotations with those that are there, found %u"),
                   path, (guint) STRIA_ANNOTATIONS_MAX, self->items->len + items->len);
      return FALSE;
    }
  stria_annotations_remember (self);
  stria_annotations_take_items (self, items);
  stria_annotations_changed (self);
  return TRUE;
}

gboolean
stria_annotations_is_foreign (StriaAnnotations *self, const char *text, gssize length)
{
  g_autofree char *identity = NULL;
  g_autoptr (GPtrArray) items = NULL;

  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self) && text != NULL, FALSE);

  items = stria_annotations_read (text, length, "", &identity, NULL);
  return items != NULL && identity != NULL && identity[0] != '\0'
         && g_strcmp0 (identity, self->identity) != 0;
}

static void
append_csv (GString *csv, const char *text)
{
  g_string_append_c (csv, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *p);
    }
  g_string_append_c (csv, '"');
}

char *
stria_annotations_to_csv (StriaAnnotations *self, gint64 origin_ns)
{
  g_autoptr (GString) csv = g_string_new ("name,start_ns,end_ns,duration_ns,color,note\r\n");

  g_return_val_if_fail (STRIA_IS_ANNOTATIONS (self), NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      const StriaAnnotation *item = self->items->pdata[i];

      append_csv (csv, item->name);
      g_string_append_printf (csv,
                              ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                              ",#%06x,",
                              item->t0 - origin_ns, item->t1 - origin_ns, item->t1 - item->t0,
                              item->rgb);
      append_csv (csv, item->note);
      g_string_append (csv, "\r\n");
    }
  return g_string_free (g_steal_pointer (&csv), FALSE);
}
