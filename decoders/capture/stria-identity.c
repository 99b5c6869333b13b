/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-identity.h"

StriaIdentity *
stria_identity_read (
    const char *kind, const guint8 *head, gsize length, gboolean whole, guint64 size)
{
  g_autoptr (StriaIdentity) self = g_new0 (StriaIdentity, 1);

  if (g_strcmp0 (kind, "neuron-neff") == 0)
    {
      self->neff = g_new0 (StriaNeffHeader, 1);
      return stria_neff_header_parse (head, length, size, self->neff) ? g_steal_pointer (&self)
                                                                      : NULL;
    }
  if (g_strcmp0 (kind, "neuron-ntff") == 0)
    {
      self->ntff = g_new0 (StriaNtffPeek, 1);
      stria_ntff_peek (head, length, size, self->ntff);
      return g_steal_pointer (&self);
    }
  if (g_strcmp0 (kind, "neuron-trace-info") == 0)
    {
      self->info = stria_trace_info_peek (head, length, whole, NULL);
      return self->info != NULL ? g_steal_pointer (&self) : NULL;
    }
  return NULL;
}

gboolean
stria_identity_wants_more (const StriaIdentity *self)
{
  return (self->ntff != NULL && self->ntff->partial) || (self->info != NULL && self->info->is_cut);
}

void
stria_identity_free (StriaIdentity *self)
{
  if (self == NULL)
    return;
  g_free (self->neff);
  if (self->ntff != NULL)
    stria_ntff_peek_clear (self->ntff);
  g_free (self->ntff);
  g_clear_pointer (&self->info, stria_trace_info_unref);
  g_free (self);
}
