/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-error.h"
#include "stria-values-private.h"

/* Numbers of the machine, as they come and as they are asked for. */

void
stria_values_push_int (StriaValues *self, gint64 value)
{
  if (G_LIKELY (value >= -(G_GINT64_CONSTANT (1) << 59) && value < (G_GINT64_CONSTANT (1) << 59)))
    stria_values_push (self, stria_datum (STRIA_VALUE_KIND_INT, (guint64) value));
  else
    {
      StriaBig big = { (guint64) value, value < 0 ? -1 : 0 };
      g_array_append_val (self->bigs, big);
      stria_values_push (self, stria_datum (STRIA_VALUE_KIND_BIG, self->bigs->len - 1));
    }
}

void
stria_values_push_uint (StriaValues *self, guint64 value)
{
  if (value <= G_MAXINT64)
    stria_values_push_int (self, (gint64) value);
  else
    {
      StriaBig big = { value, 0 };
      g_array_append_val (self->bigs, big);
      stria_values_push (self, stria_datum (STRIA_VALUE_KIND_BIG, self->bigs->len - 1));
    }
}

void
stria_values_push_bytes_int (StriaValues *self, const guint8 *bytes, gsize n)
{
  guint64 words[2] = { 0, 0 };

  if (n > 16)
    {
      stria_values_fail (self, STRIA_ERROR_LIMIT, "an integer of %" G_GSIZE_FORMAT " bytes; 16 at most", n);
      return;
    }
  if (n > 0 && bytes[n - 1] & 0x80)
    words[0] = words[1] = G_MAXUINT64;
  for (gsize i = 0; i < n; i++)
    {
      guint shift = (guint) (i & 7) * 8;
      words[i >> 3] = (words[i >> 3] & ~((guint64) 0xff << shift)) | (guint64) bytes[i] << shift;
    }
  if ((gint64) words[1] == ((gint64) words[0] < 0 ? -1 : 0))
    stria_values_push_int (self, (gint64) words[0]);
  else
    {
      StriaBig big = { words[0], (gint64) words[1] };
      g_array_append_val (self->bigs, big);
      stria_values_push (self, stria_datum (STRIA_VALUE_KIND_BIG, self->bigs->len - 1));
    }
}

void
stria_values_push_real (StriaValues *self, double value)
{
  g_array_append_val (self->reals, value);
  stria_values_push (self, stria_datum (STRIA_VALUE_KIND_REAL, self->reals->len - 1));
}

gboolean
stria_values_u64 (StriaValues *self, StriaDatum value, guint64 *out)
{
  switch (stria_datum_kind (value))
    {
    case STRIA_VALUE_KIND_INT:
      *out = (guint64) ((gint64) value >> 4);
      return TRUE;
    case STRIA_VALUE_KIND_BIG:
      {
        const StriaBig *big = &g_array_index (self->bigs, StriaBig, stria_datum_payload (value));
        *out = big->low;
        return big->high == 0 || (big->high == -1 && (gint64) big->low < 0);
      }
    case STRIA_VALUE_KIND_BOOL:
      *out = stria_datum_payload (value);
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
stria_values_i64 (StriaValues *self, StriaDatum value, gint64 *out)
{
  guint64 bits;

  if (stria_datum_kind (value) == STRIA_VALUE_KIND_BIG)
    {
      const StriaBig *big = &g_array_index (self->bigs, StriaBig, stria_datum_payload (value));
      *out = (gint64) big->low;
      return big->high == ((gint64) big->low < 0 ? -1 : 0);
    }
  if (!stria_values_u64 (self, value, &bits))
    return FALSE;
  *out = (gint64) bits;
  return TRUE;
}

gboolean
stria_values_real (StriaValues *self, StriaDatum value, double *out)
{
  gint64 integer;

  if (stria_datum_kind (value) == STRIA_VALUE_KIND_REAL)
    {
      *out = g_array_index (self->reals, double, stria_datum_payload (value));
      return TRUE;
    }
  if (!stria_values_i64 (self, value, &integer))
    return FALSE;
  *out = (double) integer;
  return TRUE;
}
