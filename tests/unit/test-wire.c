/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-proto.h"
#include "stria-wire.h"

#include "debug_info.pb-c.h"
#include "descriptors.pb-c.h"
#include "neuron_trace.pb-c.h"
#include "ntff.pb-c.h"

typedef GByteArray Bytes;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Bytes, g_byte_array_unref)

static void
add_varint (Bytes *out, guint64 value)
{
  do
    {
      guint8 byte = (value & 0x7F) | (value > 0x7F ? 0x80 : 0);

      g_byte_array_append (out, &byte, 1);
      value >>= 7;
    }
  while (value > 0);
}

static void
add_number (Bytes *out, guint number, guint64 value)
{
  add_varint (out, number << 3);
  add_varint (out, value);
}

static void
add_bytes (Bytes *out, guint number, const void *data, gsize length)
{
  add_varint (out, number << 3 | 2);
  add_varint (out, length);
  g_byte_array_append (out, data, length);
}

static void
add_text (Bytes *out, guint number, const char *text)
{
  add_bytes (out, number, text, strlen (text));
}

static void
add_message (Bytes *out, guint number, Bytes *inner)
{
  add_bytes (out, number, inner->data, inner->len);
  g_byte_array_unref (inner);
}

static StriaWireFault
fault_of (const char *bytes, gsize length)
{
  StriaWire wire;
  StriaWireField field;

  stria_wire_init (&wire, bytes, length);
  while (stria_wire_next (&wire, &field))
    ;
  return wire.fault;
}

#define FAULT(text) fault_of (text, sizeof text - 1)

static void
test_fields (void)
{
  static const char bytes[] = "\x08\x96\x01"                          /* 1: 150 */
                              "\x11\x01\0\0\0\0\0\0\x80"              /* 2: fixed64 */
                              "\x1A\x03" "abc"                        /* 3: "abc" */
                              "\x25\xFF\xFF\xFF\xFF"                  /* 4: fixed32 */
                              "\x80\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"; /* 16: -1 */
  StriaWire wire;
  StriaWireField field;

  stria_wire_init (&wire, bytes, sizeof bytes - 1);
  g_assert_true (stria_wire_next (&wire, &field));
  g_assert_cmpuint (field.number, ==, 1);
  g_assert_cmpuint (field.value, ==, 150);
  g_assert_true (stria_wire_next (&wire, &field));
  g_assert_cmpuint (field.type, ==, STRIA_WIRE_FIXED64);
  g_assert_cmphex (field.value, ==, 0x8000000000000001);
  g_assert_true (stria_wire_next (&wire, &field));
  g_assert_cmpmem (field.bytes, field.length, "abc", 3);
  g_assert_true (stria_wire_next (&wire, &field));
  g_assert_cmpuint (field.value, ==, 0xFFFFFFFF);
  g_assert_true (stria_wire_next (&wire, &field));
  g_assert_cmpuint (field.number, ==, 16);
  g_assert_cmphex (field.value, ==, G_MAXUINT64);
  g_assert_cmpint (stria_wire_zigzag (field.value), ==, G_MININT64);
  g_assert_false (stria_wire_next (&wire, &field));
  g_assert_true (stria_wire_is_done (&wire));
}

static void
test_faults (void)
{
  g_assert_cmpint (FAULT (""), ==, STRIA_WIRE_OK);
  g_assert_cmpint (FAULT ("\x08"), ==, STRIA_WIRE_SHORT);
  g_assert_cmpint (FAULT ("\x08\x80"), ==, STRIA_WIRE_SHORT);
  g_assert_cmpint (FAULT ("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"), ==,
                   STRIA_WIRE_LONG_VARINT);
  g_assert_cmpint (FAULT ("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"), ==,
                   STRIA_WIRE_LONG_VARINT);
  g_assert_cmpint (FAULT ("\x00\x01"), ==, STRIA_WIRE_BAD_NUMBER);
  g_assert_cmpint (FAULT ("\x80\x80\x80\x80\x10\x01"), ==, STRIA_WIRE_BAD_NUMBER);
  g_assert_cmpint (FAULT ("\xF8\xFF\xFF\xFF\x0F\x01"), ==, STRIA_WIRE_OK);
  g_assert_cmpint (FAULT ("\x0B\x0C"), ==, STRIA_WIRE_GROUP);
  g_assert_cmpint (FAULT ("\x0C"), ==, STRIA_WIRE_GROUP);
  g_assert_cmpint (FAULT ("\x0E"), ==, STRIA_WIRE_BAD_TYPE);
  g_assert_cmpint (FAULT ("\x0F"), ==, STRIA_WIRE_BAD_TYPE);
  g_assert_cmpint (FAULT ("\x0A\x02" "a"), ==, STRIA_WIRE_BAD_LENGTH);
  g_assert_cmpint (FAULT ("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01" "a"), ==,
                   STRIA_WIRE_BAD_LENGTH);
  g_assert_cmpint (FAULT ("\x0A\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01" "a"), ==,
                   STRIA_WIRE_BAD_LENGTH);
  g_assert_cmpint (FAULT ("\x0D\0\0\0"), ==, STRIA_WIRE_SHORT);
  g_assert_cmpint (FAULT ("\x09\0\0\0\0\0\0\0"), ==, STRIA_WIRE_SHORT);
  g_assert_cmpstr (stria_wire_fault_text (STRIA_WIRE_OK), ==, "");
  g_assert_cmpstr (stria_wire_fault_text (STRIA_WIRE_GROUP), !=, "");
}

static void
test_packed (void)
{
  g_assert_true (stria_wire_is_packed ((const guint8 *)"\x01\x80\x01", 3, STRIA_WIRE_VARINT));
  g_assert_false (stria_wire_is_packed ((const guint8 *)"\x01\x80", 2, STRIA_WIRE_VARINT));
  g_assert_true (stria_wire_is_packed ((const guint8 *)"12345678", 8, STRIA_WIRE_FIXED64));
  g_assert_false (stria_wire_is_packed ((const guint8 *)"123456789", 9, STRIA_WIRE_FIXED64));
  g_assert_false (stria_wire_is_packed ((const guint8 *)"12345", 5, STRIA_WIRE_FIXED32));
  g_assert_false (stria_wire_is_packed ((const guint8 *)"", 0, STRIA_WIRE_BYTES));
}

/* A message in which each fault that an inner message may have lies beside good ones. */
static Bytes *
make_info (void)
{
  Bytes *info = g_byte_array_new (), *version = g_byte_array_new ();

  add_text (info, 1, "name");
  add_bytes (info, 2, "0123456789abcdef", 16);
  add_number (info, 99, 5);         /* not known */
  add_text (info, 3, "no number");  /* of another wire type */
  add_number (version, 1, 2);
  add_number (version, 2, 31);
  add_message (info, 8, version);
  add_bytes (info, 11, "\x08", 1); /* an inner message that is cut */
  add_number (info, 18, G_MAXUINT64);
  add_number (info, 19, (guint64)-7);
  return info;
}

static void
test_unpack (void)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_new_builtin ();
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (1 << 20);
  g_autoptr (Bytes) bytes = make_info ();
  g_autoptr (GError) error = NULL;
  StriaProtoReport report = { 0 };
  Ntff__NtffInfo *info = stria_proto_unpack (schema, &ntff__ntff_info__descriptor, arena,
                                             bytes->data, bytes->len, STRIA_PROTO_DEFAULT, &report,
                                             &error);

  g_assert_no_error (error);
  g_assert_cmpstr (info->name, ==, "name");
  g_assert_cmpmem (info->uuid.data, info->uuid.len, "0123456789abcdef", 16);
  g_assert_false (info->has_id);
  g_assert_cmpuint (info->neuron_runtime_version->minor_version, ==, 31);
  g_assert_null (info->neuron_driver_version);
  g_assert_cmpuint (info->pid, ==, G_MAXUINT64);
  g_assert_cmpint (info->start_nc, ==, -7);
  g_assert_cmpuint (report.n_unknown, ==, 1);
  g_assert_cmpuint (report.n_mismatched, ==, 1);
  g_assert_cmpuint (report.n_broken, ==, 1);
  g_assert_cmpuint (report.n_messages, ==, 3);
  g_assert_cmpstr (report.first_bad, ==, "3");
}

static void
test_references (void)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_new_builtin ();
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (1 << 20);
  g_autoptr (Bytes) bytes = make_info ();
  g_autoptr (GError) error = NULL;
  Ntff__NtffInfo *info = stria_proto_unpack (schema, &ntff__ntff_info__descriptor, arena,
                                             bytes->data, bytes->len, STRIA_PROTO_REFERENCES, NULL,
                                             &error);
  guint64 offset = 0, length = 0;
  ProtobufCBinaryData none = { 0 };

  g_assert_no_error (error);
  g_assert_true (stria_proto_reference (&info->uuid, &offset, &length));
  g_assert_cmpmem (bytes->data + offset, length, "0123456789abcdef", 16);
  g_assert_false (stria_proto_reference (&none, &offset, &length));
}

/* Every cut of the message is unpacked as far as it goes, or refused; none does harm. */
static void
test_cuts (void)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_new_builtin ();
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (1 << 20);
  g_autoptr (Bytes) bytes = make_info ();

  for (guint length = 0; length < bytes->len; length++)
    for (guint flags = 0; flags < 2; flags++)
      {
        g_autofree guint8 *cut = g_memdup2 (bytes->data, length);
        StriaProtoReport report = { 0 };
        Ntff__NtffInfo *info = stria_proto_unpack (schema, &ntff__ntff_info__descriptor, arena, cut,
                                                   length, flags, &report, NULL);

        g_assert_nonnull (info);
        g_assert_false (info->has_start_nc);
        stria_proto_arena_reset (arena);
      }
}

static void
test_limits (void)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_new_builtin ();
  g_autoptr (StriaProtoArena) small = stria_proto_arena_new (1);
  g_autoptr (Bytes) many = g_byte_array_new ();
  Bytes *deep = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 20000; i++)
    add_bytes (many, 4, "", 0);
  g_assert_null (stria_proto_unpack (schema, &ntff__ntff_info__descriptor, small, many->data,
                                     many->len, STRIA_PROTO_DEFAULT, NULL, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
  g_clear_error (&error);

  for (guint i = 0; i < 40; i++)
    {
      Bytes *outer = g_byte_array_new ();

      add_message (outer, i == 39 ? 4 : 3, deep);
      deep = outer;
    }
  g_assert_null (stria_proto_unpack (schema, &stria__descriptors__file_descriptor__descriptor,
                                     small, deep->data, deep->len, STRIA_PROTO_DEFAULT, NULL, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
  g_byte_array_unref (deep);
}

static void
add_field (Bytes *message, const char *name, guint number, guint label, guint type,
           const char *type_name)
{
  Bytes *field = g_byte_array_new ();

  add_text (field, 1, name);
  add_number (field, 3, number);
  add_number (field, 4, label);
  add_number (field, 5, type);
  if (type_name != NULL)
    add_text (field, 6, type_name);
  add_message (message, 2, field);
}

/* Another numbering of ntff_info: name and uuid changed places, pid is zigzag, id a text. */
static GBytes *
make_set (void)
{
  Bytes *set = g_byte_array_new (), *file = g_byte_array_new (), *info = g_byte_array_new ();
  Bytes *version = g_byte_array_new ();

  add_text (file, 1, "theirs.proto");
  add_text (file, 2, "theirs");
  add_text (info, 1, "ntff_info");
  add_field (info, "name", 2, 1, 9, NULL);
  add_field (info, "uuid", 1, 1, 12, NULL);
  add_field (info, "id", 3, 1, 9, NULL);
  add_field (info, "neuron_runtime_version", 600, 1, 11, ".theirs.Version");
  add_field (info, "pid", 7, 1, 18, NULL);
  add_field (info, "more", 8, 1, 9, NULL);
  add_message (file, 4, info);
  add_text (version, 1, "Version");
  add_field (version, "minor_version", 5, 1, 13, NULL);
  add_message (file, 4, version);
  add_message (set, 1, file);
  return g_byte_array_free_to_bytes (set);
}

static void
test_set (void)
{
  g_autoptr (GBytes) set = make_set ();
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_new_set (set, "theirs.pb", &error);
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (1 << 20);
  g_autoptr (Bytes) bytes = g_byte_array_new ();
  Bytes *version = g_byte_array_new ();
  const StriaProtoMessage *message;
  const StriaProtoField *field;
  Ntff__NtffInfo *info;

  g_assert_no_error (error);
  g_assert_cmpstr (stria_proto_schema_get_source (schema), ==, "theirs.pb");
  g_assert_cmpuint (stria_proto_schema_number (schema, "ntff_info", "uuid"), ==, 1);
  g_assert_cmpuint (stria_proto_schema_number (schema, "ntff_info", "session_id"), ==, 0);
  g_assert_cmpuint (stria_proto_schema_number (schema, "ntrace_event", "nrta_seq_id"), ==, 16);
  g_assert_cmpuint (stria_proto_schema_n_replaced (schema), ==, 2);
  g_assert_cmpuint (stria_proto_schema_get_missing (schema)->len, >, 10);
  message = stria_proto_schema_message (schema, "ntff_info");
  field = stria_proto_message_field (message, 600);
  g_assert_cmpstr (field->name, ==, "neuron_runtime_version");
  g_assert_cmpstr (stria_proto_message_name (field->message), ==, "theirs.Version");

  add_text (bytes, 2, "name");
  add_text (bytes, 1, "uuid");
  add_number (bytes, 7, 83);
  add_number (version, 5, 31);
  add_message (bytes, 600, version);
  info = stria_proto_unpack (schema, &ntff__ntff_info__descriptor, arena, bytes->data, bytes->len,
                             STRIA_PROTO_DEFAULT, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (info->name, ==, "name");
  g_assert_cmpmem (info->uuid.data, info->uuid.len, "uuid", 4);
  g_assert_cmpuint (info->pid, ==, (guint64)-42);
  g_assert_cmpuint (info->neuron_runtime_version->minor_version, ==, 31);
}

static void
test_bad_sets (void)
{
  g_autoptr (GBytes) good = make_set ();
  gsize length;
  const guint8 *data = g_bytes_get_data (good, &length);
  g_autoptr (GBytes) text = g_bytes_new_static ("syntax = \"proto3\";", 18);
  g_autoptr (GError) error = NULL;

  for (gsize n = 0; n < length; n++)
    {
      g_autoptr (GBytes) cut = g_bytes_new (data, n);

      g_assert_null (stria_proto_schema_new_set (cut, "cut.pb", &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
  g_assert_null (stria_proto_schema_new_set (text, "text.proto", &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
  g_clear_error (&error);
  g_assert_null (stria_proto_schema_new_file ("no-such-file.pb", &error));
  g_assert_nonnull (error);
}

static void
test_default (void)
{
  g_autoptr (GBytes) set = make_set ();
  g_autoptr (StriaProtoSchema) theirs = stria_proto_schema_new_set (set, "theirs.pb", NULL);
  g_autoptr (StriaProtoSchema) before = stria_proto_schema_get_default (), now = NULL;

  g_assert_null (stria_proto_schema_get_source (before));
  stria_proto_schema_set_default (theirs);
  now = stria_proto_schema_get_default ();
  g_assert_true (now == theirs);
  stria_proto_schema_set_default (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/fields", test_fields);
  g_test_add_func ("/wire/faults", test_faults);
  g_test_add_func ("/wire/packed", test_packed);
  g_test_add_func ("/wire/unpack", test_unpack);
  g_test_add_func ("/wire/references", test_references);
  g_test_add_func ("/wire/cuts", test_cuts);
  g_test_add_func ("/wire/limits", test_limits);
  g_test_add_func ("/wire/set", test_set);
  g_test_add_func ("/wire/bad-sets", test_bad_sets);
  g_test_add_func ("/wire/default", test_default);
  return g_test_run ();
}
