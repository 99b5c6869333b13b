/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "vgf-maker.h"

#include <stdarg.h>
#include <string.h>

#include "flat-maker.h"

#define HEADER 128

/* -- SPIR-V, word by word ------------------------------------------------------------------- */

GArray *
spirv_maker_new (guint32 bound)
{
  const guint32 head[] = { 0x07230203, 0x00010500, 0, bound, 0 };
  GArray       *words = g_array_new (FALSE, FALSE, 4);

  g_array_append_vals (words, head, G_N_ELEMENTS (head));
  return words;
}

static void
end_op (GArray *words, guint at, guint op)
{
  g_array_index (words, guint32, at) = (guint32) op | (words->len - at) << 16;
}

static void
add_words (GArray *words, va_list args)
{
  for (int value = va_arg (args, int); value != -1; value = va_arg (args, int))
    g_array_append_val (words, value);
}

void
spirv_maker_op (GArray *words, guint op, ...)
{
  guint   at = words->len;
  va_list args;

  g_array_append_val (words, op);
  va_start (args, op);
  add_words (words, args);
  va_end (args);
  end_op (words, at, op);
}

void
spirv_maker_text (GArray *words, guint op, const guint32 *before, guint n, const char *text, ...)
{
  guint   at = words->len;
  gsize   length = strlen (text) / 4 + 1;
  va_list args;

  g_array_append_val (words, op);
  g_array_append_vals (words, before, n);
  for (gsize i = 0; i < length; i++)
    {
      char word[4] = { 0 };

      memcpy (word, text + i * 4, MIN (4, strlen (text) - i * 4));
      g_array_append_vals (words, word, 1);
    }
  va_start (args, text);
  add_words (words, args);
  va_end (args);
  end_op (words, at, op);
}

GArray *
spirv_maker_prelude (const char *graph_name, guint32 in_binding, guint32 out_binding)
{
  const guint32 tosa = ID_TOSA, graph = ID_GRAPH;
  GArray       *words = spirv_maker_new (1000);
  static const struct
  {
    guint id, value;
  } numbers[] = { { ID_0, 0 }, { ID_1, 1 }, { ID_2, 2 }, { ID_3, 3 }, { ID_4, 4 }, { ID_8, 8 } };

  spirv_maker_op (words, 17, 4191, -1);
  spirv_maker_text (words, 11, &tosa, 1, "TOSA.001000.1", -1);
  spirv_maker_op (words, 71, ID_IN, 33, in_binding, -1);
  spirv_maker_op (words, 71, ID_OUT, 33, out_binding, -1);
  spirv_maker_op (words, 21, ID_INT32, 32, 0, -1);
  spirv_maker_op (words, 21, ID_INT8, 8, 0, -1);
  spirv_maker_op (words, 20, ID_BOOL, -1);
  spirv_maker_op (words, 41, ID_BOOL, ID_TRUE, -1);
  spirv_maker_op (words, 42, ID_BOOL, ID_FALSE, -1);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    spirv_maker_op (words, 43, ID_INT32, numbers[i].id, numbers[i].value, -1);
  spirv_maker_op (words, 28, ID_RANK4, ID_INT32, ID_4, -1);
  spirv_maker_op (words, 44, ID_RANK4, ID_SHAPE, ID_1, ID_8, ID_8, ID_4, -1);
  spirv_maker_op (words, 4163, ID_TENSOR8, ID_INT8, ID_4, ID_SHAPE, -1);
  spirv_maker_op (words, 4163, ID_TENSOR32, ID_INT32, ID_4, ID_SHAPE, -1);
  spirv_maker_op (words, 28, ID_PAIR, ID_INT32, ID_2, -1);
  spirv_maker_op (words, 4461, ID_PAIR, ID_TWO_ONES, ID_1, -1);
  spirv_maker_op (words, 46, ID_RANK4, ID_FOUR_ZEROS, -1);
  spirv_maker_op (words, 4181, ID_TENSOR8, ID_WEIGHT, 0, -1);
  spirv_maker_op (words, 32, ID_POINTER, 0, ID_TENSOR8, -1);
  spirv_maker_op (words, 59, ID_POINTER, ID_IN, 0, -1);
  spirv_maker_op (words, 59, ID_POINTER, ID_OUT, 0, -1);
  spirv_maker_op (words, 4190, ID_GRAPH_TYPE, 1, ID_TENSOR8, ID_TENSOR8, -1);
  spirv_maker_text (words, 4182, &graph, 1, graph_name, ID_IN, ID_OUT, -1);
  return words;
}

void
spirv_maker_begin_graph (GArray *words, guint32 input)
{
  spirv_maker_op (words, 4183, ID_GRAPH_TYPE, ID_GRAPH, -1);
  spirv_maker_op (words, 4184, ID_TENSOR8, input, ID_0, -1);
}

void
spirv_maker_end_graph (GArray *words, guint32 output)
{
  spirv_maker_op (words, 4185, output, ID_0, -1);
  spirv_maker_op (words, 4186, -1);
}

/* -- tables --------------------------------------------------------------------------------- */

static guint32
add_slots (FlatMaker *maker, guint32 binding, guint32 resource)
{
  guint32 list = flat_maker_list (maker);
  guint32 slot = flat_maker_table (maker);

  flat_maker_u32 (maker, slot, 0, binding);
  flat_maker_u32 (maker, slot, 1, resource);
  flat_maker_push (maker, list, slot);
  return list;
}

static GByteArray *
make_modules (const VgfMaker *self, GArray **borders)
{
  g_autoptr (FlatMaker) maker = flat_maker_new ();
  guint32               root = flat_maker_table (maker);
  guint32               list = flat_maker_list (maker);

  for (guint i = 0; i < self->n_modules; i++)
    {
      const VgfMakerModule *m = &self->modules[i];
      guint32               module = flat_maker_table (maker);
      guint32               code = flat_maker_table (maker);

      flat_maker_u8 (maker, module, 0, m->type);
      flat_maker_text (maker, module, 1, m->name);
      flat_maker_text (maker, module, 2, m->name);
      flat_maker_u8 (maker, module, 3, m->words != NULL ? 1 : 2);
      flat_maker_node (maker, module, 4, code);
      if (m->words != NULL)
        flat_maker_node (maker, code, 0,
                         flat_maker_vector (maker, m->words->data, m->words->len, 4));
      else
        flat_maker_text (maker, code, 0, "void main () {}");
      flat_maker_push (maker, list, module);
    }
  flat_maker_node (maker, root, 0, list);
  return flat_maker_finish (maker, root, NULL, FALSE, borders);
}

static GByteArray *
make_sequence (const VgfMaker *self, GArray **borders)
{
  static const guint32  dispatch[] = { 1, 2, 3 };
  g_autoptr (FlatMaker) maker = flat_maker_new ();
  guint32               root = flat_maker_table (maker);
  guint32               list = flat_maker_list (maker);
  guint32               names = flat_maker_list (maker);

  for (guint i = 0; i < self->n_segments; i++)
    {
      const VgfMakerSegment *s = &self->segments[i];
      guint32                segment = flat_maker_table (maker);

      flat_maker_u8 (maker, segment, 0, s->type);
      flat_maker_text (maker, segment, 1, s->name);
      flat_maker_u32 (maker, segment, 2, s->module);
      flat_maker_node (maker, segment, 4, add_slots (maker, s->in_binding, s->in));
      flat_maker_node (maker, segment, 5, add_slots (maker, s->out_binding, s->out));
      flat_maker_node (maker, segment, 6,
                       flat_maker_vector (maker, s->constants, s->n_constants, 4));
      if (s->type == 0)
        flat_maker_node (maker, segment, 7, flat_maker_vector (maker, dispatch, 3, 4));
      flat_maker_push (maker, list, segment);
    }
  flat_maker_node (maker, root, 0, list);
  flat_maker_node (maker, root, 1, add_slots (maker, 0, 0));
  flat_maker_push (maker, names, flat_maker_string (maker, "image"));
  flat_maker_node (maker, root, 3, names);
  return flat_maker_finish (maker, root, NULL, FALSE, borders);
}

static GByteArray *
make_resources (const VgfMaker *self, GArray **borders)
{
  g_autoptr (FlatMaker) maker = flat_maker_new ();
  guint32               root = flat_maker_table (maker);
  guint32               list = flat_maker_list (maker);

  for (guint i = 0; i < self->n_resources; i++)
    {
      const VgfMakerResource *r = &self->resources[i];
      guint32                 entry = flat_maker_table (maker);
      guint32                 description = flat_maker_table (maker);

      if (r->category != 3)
        flat_maker_u32 (maker, entry, 0, 1000460000);
      flat_maker_u32 (maker, entry, 1, 14);
      flat_maker_u8 (maker, entry, 2, r->category);
      flat_maker_node (maker, entry, 3, description);
      flat_maker_node (maker, description, 0, flat_maker_vector (maker, r->shape, r->rank, 8));
      flat_maker_push (maker, list, entry);
    }
  flat_maker_node (maker, root, 0, list);
  return flat_maker_finish (maker, root, NULL, FALSE, borders);
}

static GByteArray *
make_legacy_constants (const VgfMaker *self, GArray **borders)
{
  g_autoptr (FlatMaker) maker = flat_maker_new ();
  guint32               root = flat_maker_table (maker);
  guint32               list = flat_maker_list (maker);

  for (guint i = 0; i < self->n_constants; i++)
    {
      guint32 constant = flat_maker_table (maker);

      flat_maker_u32 (maker, constant, 0, self->constants[i]);
      flat_maker_i64 (maker, constant, 1, -1);
      flat_maker_node (maker, constant, 2, flat_maker_vector (maker, "\1\2\3\4", 4, 1));
      flat_maker_push (maker, list, constant);
    }
  flat_maker_node (maker, root, 0, list);
  return flat_maker_finish (maker, root, NULL, FALSE, borders);
}

static GByteArray *
make_raw_constants (const VgfMaker *self, GArray **borders)
{
  GByteArray *bytes = g_byte_array_new ();
  guint64     count = self->n_constants;
  guint32     border = 0;

  *borders = g_array_new (FALSE, FALSE, 4);
  g_byte_array_append (bytes, (const guint8 *) "CONST00", 8);
  g_byte_array_append (bytes, (const guint8 *) &count, 8);
  for (guint i = 0; i < self->n_constants; i++)
    {
      const struct
      {
        guint32 resource;
        gint32  sparsity;
        guint64 size, offset;
      } entry = { self->constants[i], -1, 4, i * 4 };

      border = bytes->len;
      g_array_append_val (*borders, border);
      g_byte_array_append (bytes, (const guint8 *) &entry, sizeof entry);
    }
  for (guint i = 0; i < self->n_constants; i++)
    g_byte_array_append (bytes, (const guint8 *) "\1\2\3\4", 4);
  return bytes;
}

GByteArray *
vgf_maker_finish (const VgfMaker *self, GArray **borders)
{
  GArray     *parts[4] = { NULL };
  GByteArray *sections[] = {
    make_modules (self, &parts[0]),
    make_sequence (self, &parts[1]),
    make_resources (self, &parts[2]),
    self->legacy ? make_legacy_constants (self, &parts[3]) : make_raw_constants (self, &parts[3]),
  };
  GByteArray *out = g_byte_array_new ();
  GArray     *all = g_array_new (FALSE, FALSE, 4);

  g_byte_array_set_size (out, HEADER);
  memset (out->data, 0, HEADER);
  memcpy (out->data, self->old_magic ? "\xc3\xd2\xe1\xf0" : "VGF1", 4);
  out->data[8] = self->major;
  out->data[9] = self->minor;
  out->data[10] = self->patch;
  for (guint i = 0; i < 4; i++)
    {
      guint64 range[2] = { out->len, sections[i]->len };

      memcpy (out->data + 16 + i * 16, range, sizeof range);
      for (guint k = 0; k < parts[i]->len; k++)
        {
          guint32 border = out->len + g_array_index (parts[i], guint32, k);

          g_array_append_val (all, border);
        }
      g_byte_array_append (out, sections[i]->data, sections[i]->len);
      while (out->len % 8 != 0)
        g_byte_array_append (out, (const guint8 *) "", 1);
      g_array_unref (parts[i]);
      g_byte_array_unref (sections[i]);
    }
  if (borders != NULL)
    *borders = all;
  else
    g_array_unref (all);
  return out;
}
