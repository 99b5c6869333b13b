/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-sort.h"

#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)

void
stria_sort_pairs (StriaSortPair *pairs, gsize n)
{
  guint64 min, max;
  gboolean sorted = TRUE;

  if (n < 2)
    return;
  min = max = pairs[0].key;
  for (gsize i = 1; i < n; i++)
    {
      sorted &= pairs[i - 1].key <= pairs[i].key;
      min = MIN (min, pairs[i].key);
      max = MAX (max, pairs[i].key);
    }
  if (sorted)
    return;

  if (n <= 64)
    {
      for (gsize i = 1; i < n; i++)
        {
          StriaSortPair pair = pairs[i];
          gsize j = i;
          for (; j > 0 && pairs[j - 1].key > pair.key; j--)
            pairs[j] = pairs[j - 1];
          pairs[j] = pair;
        }
      return;
    }

  StriaSortPair *from = pairs;
  StriaSortPair *scratch = g_new (StriaSortPair, n);
  StriaSortPair *to = scratch;
  gsize *offsets = g_new (gsize, N_DIGITS);

  for (guint shift = 0; shift < 64 && (max - min) >> shift != 0; shift += DIGIT_BITS)
    {
      memset (offsets, 0, N_DIGITS * sizeof *offsets);
      for (gsize i = 0; i < n; i++)
        offsets[((from[i].key - min) >> shift) & (N_DIGITS - 1)]++;
      gsize sum = 0;
      for (guint d = 0; d < N_DIGITS; d++)
        {
          gsize count = offsets[d];
          offsets[d] = sum;
          sum += count;
        }
      for (gsize i = 0; i < n; i++)
        to[offsets[((from[i].key - min) >> shift) & (N_DIGITS - 1)]++] = from[i];
      StriaSortPair *swap = from;
      from = to;
      to = swap;
    }
  if (from != pairs)
    memcpy (pairs, from, n * sizeof *pairs);
  g_free (offsets);
  g_free (scratch);
}

gint64
stria_select_quantile (gint64 *values, gsize n, double q)
{
  gssize low = 0, high = (gssize) n - 1;
  gssize rank = (gssize) ceil (q * (double) n);
  gssize k = CLAMP (rank - 1, 0, high);

  /* Hoare's selection: equal values stop both scans, so that runs of them stay linear. */
  while (low < high)
    {
      gint64 pivot = values[k];
      gssize i = low, j = high;

      do
        {
          while (values[i] < pivot)
            i++;
          while (pivot < values[j])
            j--;
          if (i <= j)
            {
              gint64 swap = values[i];
              values[i++] = values[j];
              values[j--] = swap;
            }
        }
      while (i <= j);
      if (j < k)
        low = i;
      if (k < i)
        high = j;
    }
  return values[k];
}
