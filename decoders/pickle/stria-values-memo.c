/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-error.h"
#include "stria-values-private.h"

/* The memo of the machine: what was put away under a number. A million events are four million
 * entries, so that they are of 32 bits. */

#define MAX_WIDE ((1 << 28) - 1)

void
stria_values_set_memo (StriaValues *self, guint64 index, StriaDatum value)
{
  guint32 *entry = &self->memo[index];

  if (G_LIKELY (value <= G_MAXUINT32))
    {
      *entry = (guint32) value;
      return;
    }
  if ((*entry & 15) != STRIA_VALUE_KIND_MARK || *entry >> 4 == 0)
    {
      if (self->wide->len >= MAX_WIDE || !stria_values_charge (self, sizeof value))
        {
          stria_values_fail (self, STRIA_ERROR_LIMIT, "more than %d numbers in the memo", MAX_WIDE);
          return;
        }
      g_array_set_size (self->wide, self->wide->len + 1);
      *entry = (guint32) stria_datum (STRIA_VALUE_KIND_MARK, self->wide->len);
    }
  g_array_index (self->wide, StriaDatum, (*entry >> 4) - 1) = value;
}

void
stria_values_put (StriaValues *self, guint64 index)
{
  if (!stria_values_need (self, 1))
    return;
  if (index >= STRIA_VALUES_MAX_MEMO || index > self->n_memoized + STRIA_VALUES_MAX_HOLES)
    {
      /* Writers count up; a leap would only make us hold nothing. */
      stria_values_fail (self, STRIA_ERROR_LIMIT, "memo index %" G_GUINT64_FORMAT " after %"
                         G_GSIZE_FORMAT " entries", index, self->n_memo);
      return;
    }
  if (index >= self->memo_capacity)
    {
      gsize capacity = MAX (MAX (index + 1, 4096), self->memo_capacity + self->memo_capacity / 2);
      capacity = MIN (capacity, STRIA_VALUES_MAX_MEMO);
      if (!stria_values_charge (self, (capacity - self->memo_capacity) * sizeof *self->memo))
        return;
      self->memo = g_renew (guint32, self->memo, capacity);
      self->memo_capacity = capacity;
    }
  for (; self->n_memo <= index; self->n_memo++)
    self->memo[self->n_memo] = STRIA_VALUE_KIND_MARK;
  self->n_memoized += self->memo[index] == STRIA_VALUE_KIND_MARK;
  stria_values_set_memo (self, index, self->stack[self->n_stack - 1]);
  guint32 *holder = stria_values_holder (self, self->stack[self->n_stack - 1]);
  if (holder != NULL)
    *holder = *holder == 0 ? (guint32) index + 1 : STRIA_MEMO_MANY;
}

void
stria_values_memoize (StriaValues *self)
{
  stria_values_put (self, self->n_memoized);
}

void
stria_values_get (StriaValues *self, guint64 index)
{
  if (self->error != NULL)
    return;
  if (index >= self->n_memo || self->memo[index] == STRIA_VALUE_KIND_MARK)
    {
      stria_values_fail (self, STRIA_ERROR_MALFORMED, "memo entry %" G_GUINT64_FORMAT
                         " is read and was never set", index);
      return;
    }
  StriaDatum value = stria_values_memo (self, index);
  StriaValueKind kind = stria_datum_kind (value);
  if (kind == STRIA_VALUE_KIND_DICT || kind == STRIA_VALUE_KIND_LIST)
    {
      /* What has become a row is one from now on. */
      StriaDatum row = stria_values_resolve (self, value);
      if (row != value)
        stria_values_set_memo (self, index, row);
      value = row;
      stria_values_copied (self, value);
    }
  stria_values_push (self, value);
}
