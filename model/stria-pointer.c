/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pointer.h"

struct _StriaPointer
{
  GObject parent_instance;

  gint64   ns;
  gpointer owner; /* NULL: nobody points */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (StriaPointer, stria_pointer, G_TYPE_OBJECT)

static void
stria_pointer_class_init (StriaPointerClass *klass)
{
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_pointer_init (StriaPointer *self)
{
}

StriaPointer *
stria_pointer_of (StriaSession *session)
{
  StriaPointer *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = g_object_get_data (G_OBJECT (session), "stria-pointer");
  if (self == NULL)
    {
      self = g_object_new (STRIA_TYPE_POINTER, NULL);
      g_object_set_data_full (G_OBJECT (session), "stria-pointer", self, g_object_unref);
    }
  return self;
}

gboolean
stria_pointer_get (StriaPointer *self, gint64 *ns)
{
  g_return_val_if_fail (STRIA_IS_POINTER (self), FALSE);

  if (self->owner == NULL)
    return FALSE;
  *ns = self->ns;
  return TRUE;
}

void
stria_pointer_set (StriaPointer *self, gint64 ns, gpointer owner)
{
  g_return_if_fail (STRIA_IS_POINTER (self));
  g_return_if_fail (owner != NULL);

  if (self->owner == owner && self->ns == ns)
    return;
  self->owner = owner;
  self->ns = ns;
  g_signal_emit (self, changed_signal, 0);
}

void
stria_pointer_clear (StriaPointer *self, gpointer owner)
{
  g_return_if_fail (STRIA_IS_POINTER (self));

  if (self->owner == NULL || self->owner != owner)
    return;
  self->owner = NULL;
  g_signal_emit (self, changed_signal, 0);
}
