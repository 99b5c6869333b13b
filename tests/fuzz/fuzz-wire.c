/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile protobuf: walked, listed, unpacked as each message of ours, and read as a user's
 * definitions, by which it is unpacked once more. */
#include "config.h"

#include "stria-wire-view.h"

#include "debug_info.pb-c.h"
#include "descriptors.pb-c.h"
#include "neuron_trace.pb-c.h"
#include "ntff.pb-c.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
unpack (StriaProtoSchema *schema, const guint8 *data, gsize size)
{
  static const ProtobufCMessageDescriptor *const messages[] = {
    &ntff__ntff_info__descriptor,    &ntff__ntrace_info__descriptor,
    &ntff__ntrace_event__descriptor, &neuroncc__debug_info__ir_debug_info__descriptor,
    &stria__descriptors__file_descriptor_set__descriptor,
  };
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (8 << 20);

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    for (StriaProtoFlags flags = 0; flags < 2; flags++)
      {
        g_autoptr (GError) error = NULL;
        StriaProtoReport report = { 0 };
        gpointer message = stria_proto_unpack (schema, messages[i], arena, data, size, flags,
                                               &report, &error);

        g_assert_true ((message != NULL) == (error == NULL));
        stria_proto_arena_reset (arena);
      }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_new_builtin ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (StriaProtoSchema) theirs = NULL;
  g_autoptr (StriaWireView) view = stria_wire_view_new (schema, data, size, TRUE);
  StriaWire wire;
  StriaWireField field;

  stria_wire_init (&wire, data, size);
  while (stria_wire_next (&wire, &field))
    g_assert_true (field.bytes == NULL
                   || (field.bytes >= data && field.bytes + field.length <= data + size));
  g_assert_cmpuint (view->message_bytes + view->other_bytes, ==, size);
  unpack (schema, data, size);
  theirs = stria_proto_schema_new_set (bytes, "fuzz.pb", NULL);
  if (theirs != NULL)
    {
      g_autoptr (StriaWireView) named = stria_wire_view_new (theirs, data, size, FALSE);

      g_assert_cmpuint (named->message_bytes + named->other_bytes, ==, size);
      unpack (theirs, data, size);
    }
  return 0;
}
