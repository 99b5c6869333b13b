/* SPDX-License-Identifier: Apache-2.0 */
/* Walks hostile bytes as a FlatBuffer of no schema: each field is asked for as everything that it
 * could be. What is handed out must lie inside the bytes, and the walk must end. */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-flat.h"

#define N_FIELDS 9
#define N_ELEMENTS 5

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static guint64 sum;

static void
touch (const StriaFlat *flat, gconstpointer from, gsize length)
{
  const guint8 *bytes = from;

  g_assert_true (bytes >= flat->data && bytes + length <= flat->data + flat->length);
  for (gsize i = 0; i < length; i++)
    sum += bytes[i];
}

static void
touch_string (const StriaFlat *flat, const char *text, gsize length)
{
  if (text == NULL)
    return;
  g_assert_true (text[length] == '\0');
  touch (flat, text, length + 1);
}

static void walk (StriaFlatTable table);

static void
walk_vector (StriaFlatTable table, guint field, guint element)
{
  StriaFlatVector vector = stria_flat_vector (table, field, element);
  StriaFlat *flat = table.flat;
  gsize length;

  if (vector.n > 0)
    touch (flat, stria_flat_bytes (vector), (gsize) vector.n * element);
  sum += stria_flat_at_u8 (vector, vector.n) + stria_flat_at_u64 (vector, 0);
  for (guint32 i = 0; i < MIN (vector.n, N_ELEMENTS) && element == 4; i++)
    {
      const char *text = stria_flat_at_string (vector, i, &length);

      touch_string (flat, text, length);
      stria_flat_forgive (flat, NULL);
      walk (stria_flat_at_table (vector, i));
      stria_flat_forgive (flat, NULL);
    }
}

static void
walk (StriaFlatTable table)
{
  StriaFlat *flat = table.flat;

  if (!stria_flat_is (table))
    return;
  g_assert_true (stria_flat_offset (table) >= flat->base + 4);
  for (guint field = 0; field < N_FIELDS && flat->visited <= flat->budget; field++)
    {
      gsize length;
      const char *text;

      sum += stria_flat_has (table, field) + stria_flat_u8 (table, field, 1)
             + stria_flat_u16 (table, field, 2);
      stria_flat_forgive (flat, NULL);
      sum += stria_flat_u32 (table, field, 3) + (guint64) (stria_flat_f32 (table, field, 1) > 0);
      stria_flat_forgive (flat, NULL);
      sum += stria_flat_u64 (table, field, 4) + (guint64) (stria_flat_f64 (table, field, 1) > 0);
      stria_flat_forgive (flat, NULL);
      text = stria_flat_string (table, field, &length);
      touch_string (flat, text, length);
      stria_flat_forgive (flat, NULL);
      for (guint element = 1; element <= 16; element *= 2)
        {
          walk_vector (table, field, element);
          stria_flat_forgive (flat, NULL);
        }
      walk (stria_flat_table (table, field));
      stria_flat_forgive (flat, NULL);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  StriaFlat flat;
  gsize shift = size > 0 ? data[size - 1] % 5 : 0;

  if (size < shift)
    return 0;
  stria_flat_init (&flat, "fuzz", data + shift, size - shift, shift);
  /* Small inputs have a budget that takes longer than a mutation is worth. */
  flat.budget = STRIA_FLAT_BUDGET_FACTOR * (guint64) size + 4096;
  walk (stria_flat_root (&flat, NULL));
  if (!stria_flat_check (&flat, &error))
    g_assert_true (error->domain == STRIA_ERROR && strstr (error->message, "offset") != NULL);
  stria_flat_clear (&flat);
  return 0;
}
