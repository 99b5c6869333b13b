/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pte-maker.h"

#include <string.h>

#include "stria-decoder.h"
#include "stria-error.h"

#define HEADER 32
#define SEGMENT_ALIGNMENT 128

static void
put_u32 (guint8 *at, guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (at, &value, sizeof value);
}

static void
put_u64 (guint8 *at, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (at, &value, sizeof value);
}

static guint32
int_vector (PteMaker *self, const gint32 *numbers)
{
  guint32 n = 0;

  while (numbers[n] != -1)
    n++;
  return flat_maker_vector (self->maker, numbers, n, sizeof (gint32));
}

void
pte_maker_init (PteMaker *self)
{
  *self = (PteMaker) { .maker = flat_maker_new (), .data = g_byte_array_new () };
  self->root = flat_maker_table (self->maker);
  self->plans = flat_maker_list (self->maker);
  self->blobs = flat_maker_list (self->maker);
  self->segments = flat_maker_list (self->maker);
  flat_maker_node (self->maker, self->root, 1, self->plans);
  flat_maker_node (self->maker, self->root, 3, self->blobs);
  flat_maker_node (self->maker, self->root, 4, self->segments);
}

void
pte_maker_clear (PteMaker *self)
{
  flat_maker_free (self->maker);
  g_byte_array_unref (self->data);
}

void
pte_maker_plan (PteMaker *self, const char *name, const gint32 *inputs, const gint32 *outputs)
{
  FlatMaker *maker = self->maker;

  self->plan = flat_maker_table (maker);
  self->values = flat_maker_list (maker);
  self->chains = flat_maker_list (maker);
  self->operators = flat_maker_list (maker);
  self->delegates = flat_maker_list (maker);
  self->n_values = 0;
  if (name != NULL)
    flat_maker_text (maker, self->plan, 0, name);
  flat_maker_node (maker, self->plan, 2, self->values);
  flat_maker_node (maker, self->plan, 3, int_vector (self, inputs));
  flat_maker_node (maker, self->plan, 4, int_vector (self, outputs));
  flat_maker_node (maker, self->plan, 5, self->chains);
  flat_maker_node (maker, self->plan, 6, self->operators);
  flat_maker_node (maker, self->plan, 7, self->delegates);
  flat_maker_push (maker, self->plans, self->plan);
}

gint32
pte_maker_value (PteMaker *self, guint8 type, guint32 node)
{
  guint32 value = flat_maker_table (self->maker);

  flat_maker_u8 (self->maker, value, 0, type);
  flat_maker_node (self->maker, value, 1, node);
  flat_maker_push (self->maker, self->values, value);
  return (gint32) self->n_values++;
}

gint32
pte_maker_null (PteMaker *self)
{
  return pte_maker_value (self, 1, flat_maker_table (self->maker));
}

gint32
pte_maker_int (PteMaker *self, gint64 value)
{
  guint32 table = flat_maker_table (self->maker);

  flat_maker_i64 (self->maker, table, 0, value);
  return pte_maker_value (self, 2, table);
}

gint32
pte_maker_double (PteMaker *self, double value)
{
  guint32 table = flat_maker_table (self->maker);

  flat_maker_f64 (self->maker, table, 0, value);
  return pte_maker_value (self, 4, table);
}

gint32
pte_maker_list (PteMaker *self, guint8 type, gconstpointer data, guint32 n, guint size)
{
  guint32 table = flat_maker_table (self->maker);

  flat_maker_node (self->maker, table, 0, flat_maker_vector (self->maker, data, n, size));
  return pte_maker_value (self, type, table);
}

guint32
pte_maker_tensor_table (PteMaker *self, guint8 scalar, const gint32 *sizes, guint32 n)
{
  guint32 tensor = flat_maker_table (self->maker);
  guint8 order[8];

  g_assert (n <= sizeof order);
  for (guint8 i = 0; i < n; i++)
    order[i] = i;
  flat_maker_u8 (self->maker, tensor, 0, scalar);
  flat_maker_node (self->maker, tensor, 2,
                   flat_maker_vector (self->maker, sizes, n, sizeof (gint32)));
  flat_maker_node (self->maker, tensor, 3, flat_maker_vector (self->maker, order, n, 1));
  return tensor;
}

gint32
pte_maker_tensor (PteMaker *self, guint8 scalar, const gint32 *sizes, guint32 n, guint32 offset)
{
  guint32 tensor = pte_maker_tensor_table (self, scalar, sizes, n);
  guint32 allocation = flat_maker_table (self->maker);

  flat_maker_u32 (self->maker, allocation, 0, 1);
  flat_maker_u32 (self->maker, allocation, 1, offset);
  flat_maker_node (self->maker, tensor, 6, allocation);
  return pte_maker_value (self, 5, tensor);
}

gint32
pte_maker_constant (PteMaker *self, guint8 scalar, const gint32 *sizes, guint32 n, guint32 buffer)
{
  guint32 tensor = pte_maker_tensor_table (self, scalar, sizes, n);

  flat_maker_u32 (self->maker, tensor, 5, buffer);
  return pte_maker_value (self, 5, tensor);
}

void
pte_maker_operator (PteMaker *self, const char *name, const char *overload)
{
  guint32 table = flat_maker_table (self->maker);

  flat_maker_text (self->maker, table, 0, name);
  flat_maker_text (self->maker, table, 1, overload);
  flat_maker_push (self->maker, self->operators, table);
}

void
pte_maker_delegate (PteMaker *self, const char *id, guint8 location, guint32 index)
{
  guint32 reference = flat_maker_table (self->maker);

  self->delegate = flat_maker_table (self->maker);
  self->specs = flat_maker_list (self->maker);
  flat_maker_text (self->maker, self->delegate, 0, id);
  flat_maker_u8 (self->maker, reference, 0, location);
  flat_maker_u32 (self->maker, reference, 1, index);
  flat_maker_node (self->maker, self->delegate, 1, reference);
  flat_maker_node (self->maker, self->delegate, 2, self->specs);
  flat_maker_push (self->maker, self->delegates, self->delegate);
}

void
pte_maker_spec (PteMaker *self, const char *key, gconstpointer value, guint32 n)
{
  guint32 spec = flat_maker_table (self->maker);

  flat_maker_text (self->maker, spec, 0, key);
  flat_maker_node (self->maker, spec, 1, flat_maker_vector (self->maker, value, n, 1));
  flat_maker_push (self->maker, self->specs, spec);
}

guint32
pte_maker_blob (PteMaker *self, gconstpointer data, guint32 n)
{
  guint32 table = flat_maker_table (self->maker);

  flat_maker_node (self->maker, table, 0, flat_maker_vector (self->maker, data, n, 1));
  flat_maker_push (self->maker, self->blobs, table);
  return self->n_blobs++;
}

guint32
pte_maker_segment (PteMaker *self, gconstpointer data, guint32 n)
{
  guint32 table = flat_maker_table (self->maker);

  flat_maker_u64 (self->maker, table, 0, self->data->len);
  flat_maker_u64 (self->maker, table, 1, n);
  flat_maker_push (self->maker, self->segments, table);
  g_byte_array_append (self->data, data, n);
  while (self->data->len % SEGMENT_ALIGNMENT != 0)
    g_byte_array_append (self->data, (const guint8 *) "", 1);
  self->has_header = TRUE;
  return self->n_segments++;
}

void
pte_maker_chain (PteMaker *self)
{
  self->chain = flat_maker_table (self->maker);
  self->instructions = flat_maker_list (self->maker);
  flat_maker_node (self->maker, self->chain, 2, self->instructions);
  flat_maker_push (self->maker, self->chains, self->chain);
}

static void
add_instruction (PteMaker *self, guint8 type, guint32 call)
{
  guint32 table = flat_maker_table (self->maker);

  flat_maker_u8 (self->maker, table, 0, type);
  flat_maker_node (self->maker, table, 1, call);
  flat_maker_push (self->maker, self->instructions, table);
}

void
pte_maker_call (PteMaker *self, guint8 type, gint32 first, const gint32 *args)
{
  guint32 call = flat_maker_table (self->maker);

  flat_maker_i32 (self->maker, call, 0, first);
  if (args != NULL)
    flat_maker_node (self->maker, call, 1, int_vector (self, args));
  add_instruction (self, type, call);
}

void
pte_maker_jump (PteMaker *self, guint8 type, gint32 first, gint32 second)
{
  guint32 call = flat_maker_table (self->maker);

  flat_maker_i32 (self->maker, call, 0, first);
  flat_maker_i32 (self->maker, call, 1, second);
  add_instruction (self, type, call);
}

GByteArray *
pte_maker_finish (PteMaker *self, GArray **borders)
{
  GByteArray *bytes = flat_maker_finish (self->maker, self->root, "ET12", FALSE, borders);
  guint8 header[HEADER] = "eh00";
  guint32 root;

  if (!self->has_header)
    return bytes;
  memcpy (&root, bytes->data, sizeof root);
  put_u32 (bytes->data, GUINT32_FROM_LE (root) + HEADER);
  for (guint i = 0; borders != NULL && i < (*borders)->len; i++)
    g_array_index (*borders, guint32, i) += HEADER;
  guint32 program = bytes->len + HEADER;
  guint32 base = (program + SEGMENT_ALIGNMENT - 1) / SEGMENT_ALIGNMENT * SEGMENT_ALIGNMENT;
  put_u32 (header + 4, HEADER);
  put_u64 (header + 8, program);
  put_u64 (header + 16, base);
  put_u64 (header + 24, self->data->len);
  guint old = bytes->len;
  g_byte_array_set_size (bytes, base);
  memmove (bytes->data + 8 + HEADER, bytes->data + 8, old - 8);
  memcpy (bytes->data + 8, header, HEADER);
  memset (bytes->data + program, 0, base - program);
  g_byte_array_append (bytes, self->data->data, self->data->len);
  return bytes;
}

/* Tables of modules and of resources are empty; that of sequences has a segment. */
static guint32
vgf_table (FlatMaker *maker, gboolean has_segment)
{
  guint32 root = flat_maker_table (maker);

  if (has_segment)
    {
      guint32 list = flat_maker_list (maker);
      guint32 segment = flat_maker_table (maker);

      flat_maker_u8 (maker, segment, 0, 1);
      flat_maker_text (maker, segment, 1, "graph_segment_0");
      flat_maker_push (maker, list, segment);
      flat_maker_node (maker, root, 0, list);
    }
  return root;
}

GByteArray *
pte_maker_vgf (void)
{
  static const guint offsets[] = { 16, 32, 48 };
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_set_size (bytes, 128);
  memset (bytes->data, 0, bytes->len);
  memcpy (bytes->data, "VGF1", 4);
  bytes->data[9] = 4;
  bytes->data[10] = 3;
  for (guint i = 0; i <= G_N_ELEMENTS (offsets); i++)
    {
      g_autoptr (FlatMaker) maker = flat_maker_new ();
      g_autoptr (GByteArray) table
          = i < G_N_ELEMENTS (offsets)
                ? flat_maker_finish (maker, vgf_table (maker, i == 1), NULL, FALSE, NULL)
                : g_byte_array_append (g_byte_array_new (),
                                       (const guint8 *) "CONST00\0\0\0\0\0\0\0\0", 16);
      guint at = i < G_N_ELEMENTS (offsets) ? offsets[i] : 64;

      while (bytes->len % 8 != 0)
        g_byte_array_append (bytes, (const guint8 *) "", 1);
      put_u64 (bytes->data + at, bytes->len);
      put_u64 (bytes->data + at + 8, table->len);
      g_byte_array_append (bytes, table->data, table->len);
    }
  return bytes;
}

/* -- reading ---------------------------------------------------------------------------------- */

void
pte_read_init (PteRead *self, const guint8 *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, length);
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/model.pte", NULL, "model.pte", length, 0);
  g_autoptr (StriaSource) source = NULL;
  const StriaDecoder *decoder = stria_decoder_by_kind ("pte");
  StriaSink *sink;

  *self = (PteRead) { .capture = stria_capture_new ("/model.pte") };
  stria_capture_add_artifact (self->capture, artifact);
  StriaDecodeContext context = {
    .capture = self->capture,
    .name = "model.pte",
    .notices = stria_capture_get_notices (self->capture),
  };
  source = stria_source_new_bytes ("model.pte", bytes, &self->error);
  if (source == NULL)
    return;
  sink = stria_capture_open_sink (self->capture, 0);
  self->good = decoder->decode (source, sink, &context, &self->error);
  g_assert_true (self->good == (self->error == NULL));
  stria_capture_close_sink (self->capture, sink, TRUE);
  self->facts = stria_capture_ref_facts (self->capture, 0);
}

void
pte_read_clear (PteRead *self)
{
  g_clear_pointer (&self->facts, stria_facts_unref);
  g_clear_error (&self->error);
  g_clear_object (&self->capture);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

gsize
pte_read_size (PteRead *self, guint table)
{
  return self->facts != NULL ? stria_facts_size (self->facts, table) : 0;
}

const char *
pte_read_text (PteRead *self, guint32 string)
{
  return stria_facts_text (self->facts, string);
}

guint64
pte_read_notices (PteRead *self, const char *code)
{
  return stria_notices_total (stria_capture_get_notices (self->capture), code);
}

StriaGraph *
pte_read_graph (PteRead *self, const char *method)
{
  guint32 number = stria_graph_lookup (self->facts, STRIA_GRAPH_PLAN, method);

  g_assert_cmpuint (number, !=, STRIA_NO_REF);
  return stria_graph_new (self->facts, number);
}
