/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of one column: values and which are null, and for lists the offsets that the levels of
 * Dremel stand for. */
#include "config.h"

#include "stria-parquet-leaf.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"

/* Levels of a batch for each byte that it may have of a column */
#define BYTES_PER_LEVEL 16

/* From the root down: a repeated node is a list; what is optional may be null. */
static void
find_rings (StriaParquetLeaf *self)
{
  const StriaParquetNode *node = self->node;
  guint i = self->n_rings = node->repetition_level;

  self->rings = g_new0 (StriaParquetRing, i);
  self->lists = g_new0 (StriaParquetList, i);
  for (; i > 0; node = stria_parquet_get_node (self->shared->file, node->parent))
    if (node->repetition == STRIA_PARQUET_REPEATED)
      {
        i--;
        self->rings[i].element = (guint8) node->definition;
        self->rings[i].exists = (guint8) (node->definition - 1);
      }
}

void
stria_parquet_leaf_init (StriaParquetLeaf *self, StriaParquetShared *shared, guint column,
                         guint64 limit)
{
  *self = (StriaParquetLeaf){
    .shared = shared,
    .column = column,
    .node = stria_parquet_get_column (shared->file, column),
  };
  find_rings (self);
  if (self->n_rings > 0)
    {
      self->block_definitions = g_malloc (STRIA_PARQUET_BLOCK);
      self->block_repetitions = g_malloc (STRIA_PARQUET_BLOCK);
    }
  stria_parquet_output_init (&self->output, self->node, limit);
  stria_parquet_output_init (&self->dictionary_values, self->node, G_MAXUINT32);
}

void
stria_parquet_leaf_clear (StriaParquetLeaf *self)
{
  for (guint i = 0; i < self->n_rings; i++)
    {
      g_free (self->rings[i].offsets);
      g_free (self->rings[i].valid);
    }
  g_free (self->rings);
  g_free (self->lists);
  g_clear_pointer (&self->places, g_array_unref);
  stria_parquet_pages_clear (&self->pages);
  stria_parquet_values_clear (&self->values);
  stria_parquet_output_clear (&self->output);
  stria_parquet_output_clear (&self->dictionary_values);
  g_free (self->block_definitions);
  g_free (self->block_repetitions);
  g_free (self->valid);
  g_free (self->all_definitions);
  g_free (self->all_repetitions);
  g_free (self->halves);
}

static gboolean
too_much (StriaParquetLeaf *self, GError **error)
{
  stria_parquet_fault (self->shared->file, error, STRIA_ERROR_LIMIT, self->page.offset,
                       _("expected at most %" PRIu64 " bytes of column %s at a time, found more"),
                       self->output.limit, self->node->path);
  return FALSE;
}

static gboolean
room (gpointer *memory, gsize *size, gsize wanted)
{
  gpointer larger;

  if (wanted <= *size)
    return TRUE;
  wanted += wanted / 2;
  larger = g_try_realloc (*memory, wanted);
  if (larger == NULL)
    return FALSE;
  *memory = larger;
  *size = wanted;
  return TRUE;
}

/* Brings the output to a form that can take values of the page at hand, with room for @n in all. */
static gboolean
prepare_output (StriaParquetLeaf *self, guint64 n, GError **error)
{
  StriaParquetOutput *output = &self->output;
  gboolean by_index = output->natural == STRIA_PARQUET_FORM_BYTES && !self->plain_bytes
                      && stria_parquet_values_are_indices (&self->values);

  if (output->n == 0)
    output->form = by_index ? STRIA_PARQUET_FORM_INDEX : output->natural;
  else if (output->form == STRIA_PARQUET_FORM_INDEX && !by_index
           && !stria_parquet_output_resolve (output, &self->dictionary_values))
    return too_much (self, error);
  return stria_parquet_output_reserve (output, n) || too_much (self, error);
}

static gsize
count_equal (const guint8 *levels, gsize n, guint8 level)
{
  gsize count = 0;

  for (gsize i = 0; i < n; i++)
    count += levels[i] == level;
  return count;
}

static gboolean
no_more_rows (StriaParquetLeaf *self, guint32 expected, guint32 found, GError **error)
{
  stria_parquet_fault (self->shared->file, error, STRIA_ERROR_MALFORMED, self->pages.at,
                       _("expected %u rows more of column %s, found %u"), expected,
                       self->node->path, found);
  return FALSE;
}

/* -- without lists ----------------------------------------------------------------------------- */

static gboolean
read_flat (StriaParquetLeaf *self, guint32 n, GError **error)
{
  guint8 most = (guint8) self->node->definition;

  if (most > 0 && !room ((gpointer *) &self->valid, &self->valid_size, n))
    return too_much (self, error);
  if (self->keep_levels
      && !room ((gpointer *) &self->all_definitions, &self->all_definitions_size, n))
    return too_much (self, error);
  for (guint32 done = 0; done < n;)
    {
      guint32 m;
      gsize n_values;

      if (self->page_left == 0)
        {
          gboolean more;

          if (!stria_parquet_leaf_page (self, &more, error))
            return FALSE;
          if (!more)
            return no_more_rows (self, n, done, error);
        }
      m = (guint32) MIN (n - done, self->page_left);
      n_values = m;
      if (most > 0)
        {
          guint8 *valid = self->valid + done;

          if (!stria_parquet_leaf_levels (self, &self->definitions, most, valid, m, error))
            return FALSE;
          if (self->keep_levels)
            memcpy (self->all_definitions + done, valid, m);
          n_values = count_equal (valid, m, most);
          if (most > 1)
            for (guint32 i = 0; i < m; i++)
              valid[i] = valid[i] == most;
        }
      else if (self->keep_levels)
        memset (self->all_definitions + done, 0, m);
      if (!prepare_output (self, n, error)
          || !stria_parquet_values_read (&self->values, &self->output, n_values, error))
        return FALSE;
      self->page_left -= m;
      done += m;
    }
  self->n_levels = n;
  return TRUE;
}

/* -- lists ------------------------------------------------------------------------------------- */

/* Looks at more levels of the page. */
static gboolean
fill_block (StriaParquetLeaf *self, GError **error)
{
  guint32 n = (guint32) MIN (STRIA_PARQUET_BLOCK, self->page_left);

  if (!stria_parquet_leaf_levels (self, &self->repetitions, self->node->repetition_level,
                                  self->block_repetitions, n, error)
      || !stria_parquet_leaf_levels (self, &self->definitions, self->node->definition,
                                     self->block_definitions, n, error))
    return FALSE;
  self->page_left -= n;
  self->block = n;
  self->block_at = 0;
  return TRUE;
}

/* Takes the levels of the block up to @end, and their values. */
static gboolean
take_block (StriaParquetLeaf *self, guint32 end, GError **error)
{
  guint32 m = end - self->block_at;
  const guint8 *definitions = self->block_definitions + self->block_at;
  gsize wanted = (gsize) self->n_levels + m;
  gsize n_values = count_equal (definitions, m, (guint8) self->node->definition);

  if (wanted > self->output.limit / BYTES_PER_LEVEL
      || !room ((gpointer *) &self->all_definitions, &self->all_definitions_size, wanted)
      || !room ((gpointer *) &self->all_repetitions, &self->all_repetitions_size, wanted))
    return too_much (self, error);
  memcpy (self->all_definitions + self->n_levels, definitions, m);
  memcpy (self->all_repetitions + self->n_levels, self->block_repetitions + self->block_at, m);
  self->n_levels += m;
  self->block_at = end;
  return prepare_output (self, self->output.n + n_values, error)
         && stria_parquet_values_read (&self->values, &self->output, n_values, error);
}

/* Levels and values of @n rows. A row ends where the next begins, which may be a page further. */
static gboolean
read_levels (StriaParquetLeaf *self, guint32 n, GError **error)
{
  guint32 rows = 0;

  self->n_levels = 0;
  for (;;)
    {
      guint32 end;

      if (self->block_at == self->block)
        {
          if (self->page_left == 0)
            {
              gboolean more;

              if (!stria_parquet_leaf_page (self, &more, error))
                return FALSE;
              if (!more)
                return rows == n || no_more_rows (self, n, rows, error);
            }
          if (!fill_block (self, error))
            return FALSE;
        }
      for (end = self->block_at; end < self->block; end++)
        if (self->block_repetitions[end] == 0 && rows++ == n)
          break;
      if (end > self->block_at && !take_block (self, end, error))
        return FALSE;
      if (end < self->block)
        return TRUE;
    }
}

static gboolean
room_for_rings (StriaParquetLeaf *self)
{
  gsize n = self->n_levels;

  for (guint i = 0; i < self->n_rings; i++)
    {
      StriaParquetRing *ring = &self->rings[i];

      if (!room ((gpointer *) &ring->offsets, &ring->offsets_size, (n + 1) * 4)
          || !room ((gpointer *) &ring->valid, &ring->valid_size, n + 1))
        return FALSE;
      ring->list = (StriaParquetList){ 0 };
      ring->n_nulls = 0;
    }
  return room ((gpointer *) &self->valid, &self->valid_size, n + 1);
}

static gboolean
bad_nesting (StriaParquetLeaf *self, GError **error)
{
  stria_parquet_fault (self->shared->file, error, STRIA_ERROR_MALFORMED, self->page.offset,
                       _("expected levels of lists in column %s that fit each other, found others"),
                       self->node->path);
  return FALSE;
}

/* One level of lists, by far the most common: as below, with all that is constant taken out */
static gboolean
build_one (StriaParquetLeaf *self, guint32 *n_slots, GError **error)
{
  StriaParquetRing *ring = &self->rings[0];
  const guint8 *definitions = self->all_definitions, *repetitions = self->all_repetitions;
  guint8 most = (guint8) self->node->definition, element = ring->element, exists = ring->exists;
  guint32 n = 0, slots = 0, nulls = 0;
  guint8 before = 0, bad = 0;

  for (guint32 i = 0; i < self->n_levels; i++)
    {
      guint8 definition = definitions[i];
      gboolean has_element = definition >= element;

      if (repetitions[i] == 0)
        {
          ring->offsets[n] = slots;
          ring->valid[n] = definition >= exists;
          nulls += definition < exists;
          n++;
        }
      else
        bad |= !has_element || before < element;
      self->valid[slots] = definition == most;
      slots += has_element;
      before = definition;
    }
  if (bad)
    return bad_nesting (self, error);
  ring->offsets[n] = slots;
  ring->list.n = n;
  ring->n_nulls = nulls;
  *n_slots = slots;
  return TRUE;
}

/* An entry of repetition level r begins a list in each level of lists behind r, as far as the list
 * around it has an element. */
static gboolean
build_many (StriaParquetLeaf *self, guint32 *n_slots, GError **error)
{
  guint8 most = (guint8) self->node->definition, before = 0;
  guint last = self->n_rings - 1;
  guint32 slots = 0;

  for (guint32 i = 0; i < self->n_levels; i++)
    {
      guint8 definition = self->all_definitions[i];
      guint d = self->all_repetitions[i];

      if (d > 0 && (definition < self->rings[d - 1].element || before < self->rings[d - 1].element))
        return bad_nesting (self, error);
      for (; d <= last && (d == 0 || definition >= self->rings[d - 1].element); d++)
        {
          StriaParquetRing *ring = &self->rings[d];
          guint32 n = ring->list.n++;

          ring->offsets[n] = d == last ? slots : self->rings[d + 1].list.n;
          ring->valid[n] = definition >= ring->exists;
          ring->n_nulls += !ring->valid[n];
        }
      if (definition >= self->rings[last].element)
        self->valid[slots++] = definition == most;
      before = definition;
    }
  for (guint d = 0; d <= last; d++)
    self->rings[d].offsets[self->rings[d].list.n]
      = d == last ? slots : self->rings[d + 1].list.n;
  *n_slots = slots;
  return TRUE;
}

static gboolean
read_nested (StriaParquetLeaf *self, guint32 n, guint32 *n_slots, GError **error)
{
  if (!read_levels (self, n, error))
    return FALSE;
  if (!room_for_rings (self))
    return too_much (self, error);
  if (self->n_levels > 0 && self->all_repetitions[0] != 0)
    return bad_nesting (self, error);
  if (self->n_rings == 1 ? !build_one (self, n_slots, error) : !build_many (self, n_slots, error))
    return FALSE;
  for (guint i = 0; i < self->n_rings; i++)
    {
      StriaParquetRing *ring = &self->rings[i];

      ring->list.offsets = ring->offsets;
      ring->list.valid = ring->n_nulls > 0 ? ring->valid : NULL;
      self->lists[i] = ring->list;
    }
  return stria_parquet_output_reserve (&self->output, *n_slots) || too_much (self, error);
}

/* -- the column of a batch --------------------------------------------------------------------- */

static float
half_to_float (guint16 half)
{
  guint32 sign = (guint32) (half & 0x8000) << 16;
  guint32 exponent = half >> 10 & 0x1f, fraction = half & 0x3ff, bits;
  float value;

  if (exponent == 0x1f)
    bits = sign | 0x7f800000 | fraction << 13;
  else if (exponent != 0)
    bits = sign | (exponent + 112) << 23 | fraction << 13;
  else
    {
      value = (float) fraction / 16777216.0f;
      return sign != 0 ? -value : value;
    }
  memcpy (&value, &bits, sizeof value);
  return value;
}

static gboolean
take_halves (StriaParquetLeaf *self, StriaParquetColumn *column, GError **error)
{
  const guint8 *from = self->output.values;

  if (!room ((gpointer *) &self->halves, &self->halves_size, (gsize) column->n * sizeof (float)))
    return too_much (self, error);
  for (guint32 i = 0; i < column->n; i++)
    self->halves[i] = half_to_float ((guint16) (from[2 * i] | from[2 * i + 1] << 8));
  column->form = STRIA_PARQUET_FORM_FLOAT;
  column->floats = self->halves;
  return TRUE;
}

gboolean
stria_parquet_leaf_read (StriaParquetLeaf *self, guint32 n, StriaParquetColumn *column,
                         GError **error)
{
  StriaParquetOutput *output = &self->output;
  guint32 n_slots = n, n_values;

  stria_parquet_output_reset (output);
  if (self->n_rings > 0 ? !read_nested (self, n, &n_slots, error) : !read_flat (self, n, error))
    return FALSE;
  self->row += n;
  /* No page at all: no room was made, and a batch without rows has none either. */
  if (output->n == 0 && !stria_parquet_output_reserve (output, n_slots))
    return too_much (self, error);
  n_values = output->n;
  if (n_values < n_slots)
    stria_parquet_output_spread (output, self->valid, n_slots);
  *column = (StriaParquetColumn){
    .column = self->column,
    .node = self->node,
    .form = output->form,
    .n = n_slots,
    .n_nulls = n_slots - n_values,
    .valid = n_values < n_slots ? self->valid : NULL,
    .n_lists = self->n_rings,
    .lists = self->lists,
  };
  if (output->form == STRIA_PARQUET_FORM_BYTES)
    {
      column->data = output->data != NULL ? output->data : (const guint8 *) "";
      column->offsets = output->offsets;
    }
  else
    column->data = output->values;
  if (output->form == STRIA_PARQUET_FORM_INDEX)
    column->dictionary = &self->dictionary;
  if (output->form == STRIA_PARQUET_FORM_FIXED)
    column->stride = output->width;
  if (self->keep_levels)
    {
      column->n_levels = self->n_levels;
      column->levels = self->all_definitions;
      column->repetitions = self->n_rings > 0 ? self->all_repetitions : NULL;
    }
  return self->node->logical != STRIA_PARQUET_FLOAT16 || take_halves (self, column, error);
}
