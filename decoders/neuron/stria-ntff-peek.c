/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-private.h"

#include <string.h>

#include "stria-load.h"
#include "stria-proto.h"

/* Programs of one file that are told by name; more are not needed to pair it. */
#define MAX_UIDS 65536

typedef enum
{
  IN_INFO,
  IN_NODE,
  IN_CORES,
  IN_GRAPH,
  IN_TRACE,
  IN_EXECUTION,
} Where;

typedef struct
{
  StriaNtffPeek *out;
  GHashTable *executions; /* texts of @out->execution_uids */
  guint64 n_known;
  guint64 n_unknown;
  guint64 n_mismatched;
} Look;

char *
stria_ntff_hex (const guint8 *data, gsize length)
{
  GString *text = g_string_sized_new (2 * length);

  for (gsize i = 0; i < length; i++)
    g_string_append_printf (text, "%02x", data[i]);
  return g_string_free (text, FALSE);
}

static char *
text_of (const StriaWireField *field)
{
  return field->length > 0 ? g_utf8_make_valid ((const char *)field->bytes, (gssize)field->length)
                           : NULL;
}

static void
set_text (char **to, const StriaWireField *field)
{
  g_free (*to);
  *to = text_of (field);
}

static void
look_number (StriaNtffPeek *out, const char *name, guint64 value)
{
  if (g_str_equal (name, "pid"))
    {
      out->pid = value;
      out->has_pid = TRUE;
    }
  else if (g_str_equal (name, "start_nc"))
    {
      out->start_nc = (gint32)value;
      out->has_start_nc = TRUE;
    }
  else if (g_str_equal (name, "session_id"))
    {
      out->session_id = value;
      out->has_session_id = TRUE;
    }
  else if (g_str_equal (name, "profile_start_time"))
    out->profile_start_time = (gint64)value;
}

static void
look_info_bytes (StriaNtffPeek *out, const char *name, const StriaWireField *field)
{
  if (g_str_equal (name, "name"))
    set_text (&out->name, field);
  else if (g_str_equal (name, "instance_id"))
    set_text (&out->instance_id, field);
  else if (g_str_equal (name, "instance_type"))
    set_text (&out->instance_type, field);
  else if (g_str_equal (name, "uuid") && field->length > 0 && field->length <= 64)
    {
      g_free (out->uuid);
      out->uuid = stria_ntff_hex (field->bytes, field->length);
    }
}

static void
look_uid (Look *self, Where where, const StriaWireField *field)
{
  GPtrArray *list = where == IN_NODE ? self->out->node_uids : self->out->execution_uids;
  g_autofree char *uid = NULL;

  if (field->length == 0 || field->length > 64 || list->len >= MAX_UIDS)
    return;
  uid = stria_ntff_hex (field->bytes, field->length);
  if (where == IN_EXECUTION && g_hash_table_contains (self->executions, uid))
    return;
  if (where == IN_EXECUTION)
    g_hash_table_add (self->executions, uid);
  g_ptr_array_add (list, g_steal_pointer (&uid));
}

/* Which message a field leads into, or -1 */
static int
inner_of (Where where, const char *name)
{
  static const struct
  {
    Where where;
    const char *name;
    Where inner;
  } inner[] = {
    { IN_INFO, "neff_nodes", IN_NODE },
    { IN_INFO, "execution_timeline", IN_EXECUTION },
    { IN_INFO, "session_notifications", IN_TRACE },
    { IN_NODE, "nd_node", IN_CORES },
    { IN_CORES, "graphs", IN_GRAPH },
    { IN_GRAPH, "traces", IN_TRACE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (inner); i++)
    if (inner[i].where == where && g_str_equal (inner[i].name, name))
      return (int)inner[i].inner;
  return -1;
}

static void
look_message (Look *self, Where where, const StriaProtoMessage *message, const guint8 *data,
              gsize length)
{
  StriaWire wire;
  StriaWireField field;

  stria_wire_init (&wire, data, length);
  while (stria_wire_next (&wire, &field))
    {
      const StriaProtoField *known = stria_proto_message_field (message, field.number);
      int inner;

      if (known == NULL)
        {
          self->n_unknown++;
          continue;
        }
      if (field.type != stria_proto_wire_type (known->type)
          && !(known->repeated && field.type == STRIA_WIRE_BYTES))
        {
          self->n_mismatched++;
          continue;
        }
      self->n_known++;
      inner = inner_of (where, known->name);
      if (inner >= 0 && known->message != NULL)
        {
          self->out->n_executions += inner == IN_EXECUTION;
          self->out->n_graphs += inner == IN_GRAPH;
          self->out->n_session_rings += inner == IN_TRACE && where == IN_INFO;
          look_message (self, (Where)inner, known->message, field.bytes, field.length);
        }
      else if (where == IN_INFO && field.type == STRIA_WIRE_BYTES)
        look_info_bytes (self->out, known->name, &field);
      else if (where == IN_INFO)
        look_number (self->out, known->name, field.value);
      else if (g_str_equal (known->name, "uid"))
        look_uid (self, where, &field);
      else if (where == IN_TRACE && g_str_equal (known->name, "trace"))
        self->out->n_records += field.length / STRIA_NTFF_RECORD;
      else if (where == IN_TRACE && g_str_equal (known->name, "trace_size"))
        self->out->n_records += field.value / STRIA_NTFF_RECORD;
    }
  self->n_mismatched += wire.fault != STRIA_WIRE_OK && wire.fault != STRIA_WIRE_BAD_LENGTH
                        && wire.fault != STRIA_WIRE_SHORT;
}

/* Reads what is there of a message. Returns: whether it looks like an ntff_info. Behind a header
 * the message may have odd fields; one that stands alone has to be one by itself. */
static gboolean
look_at (StriaNtffPeek *out, StriaProtoSchema *schema, const guint8 *data, gsize length,
         gboolean cut, gboolean strict)
{
  const StriaProtoMessage *info = stria_proto_schema_message (schema, "ntff_info");
  g_autoptr (GHashTable) executions = g_hash_table_new (g_str_hash, g_str_equal);
  Look look = { .out = out, .executions = executions };

  if (info == NULL)
    return FALSE;
  look_message (&look, IN_INFO, info, data, length);
  if (!cut && !stria_wire_is_message (data, length, NULL))
    return FALSE;
  if (strict)
    return look.n_mismatched == 0 && look.n_known > look.n_unknown;
  return 4 * look.n_known > look.n_unknown + look.n_mismatched;
}

static void
reset (StriaNtffPeek *out)
{
  stria_ntff_peek_clear (out);
  out->node_uids = g_ptr_array_new_with_free_func (g_free);
  out->execution_uids = g_ptr_array_new_with_free_func (g_free);
}

static guint64
number_at (const guint8 *data, guint width)
{
  guint64 value = 0;

  for (guint i = 0; i < width; i++)
    value |= (guint64)data[i] << (8 * i);
  return value;
}

static gboolean
is_zero (const guint8 *data, gsize from, gsize to)
{
  for (gsize i = from; i < to; i++)
    if (data[i] != 0)
      return FALSE;
  return TRUE;
}

/* A header of 128 bytes with its length at @at, and nothing else in it but the version */
static gboolean
header_fits (const guint8 *data, gsize length, guint64 size, gsize at, guint width, guint64 *n)
{
  if (length < STRIA_NTFF_HEADER || !is_zero (data, 1, at)
      || !is_zero (data, at + width, STRIA_NTFF_HEADER))
    return FALSE;
  *n = number_at (data + at, width);
  return size == 0 || *n <= size - STRIA_NTFF_HEADER;
}

/* Whether the bytes begin with messages of a system profile: several events with a length before
 * each, or one ntrace_info. */
static gboolean
is_system (StriaProtoSchema *schema, const guint8 *data, gsize length)
{
  const StriaProtoMessage *event = stria_proto_schema_message (schema, "ntrace_event");
  const StriaProtoMessage *info = stria_proto_schema_message (schema, "ntrace_info");
  guint good = 0;

  for (gsize at = 0; event != NULL && at < length && good < 8; good++)
    {
      guint64 n = 0;
      guint taken = stria_load_varint (data + at, length - at, &n);
      StriaNtffFit fit;

      if (taken == 0 || n == 0)
        return FALSE;
      at += taken;
      if (n > length - at)
        break; /* cut by the length of what is looked at */
      stria_ntff_fit (event, data + at, n, &fit);
      if (fit.n_bad > 0 || fit.n_unknown > 0 || fit.n_known < 2)
        {
          good = 0;
          break;
        }
      at += n;
    }
  if (good > 0)
    return TRUE;
  if (info != NULL && stria_wire_is_message (data, length, NULL))
    {
      StriaNtffFit fit;

      stria_ntff_fit (info, data, length, &fit);
      return fit.n_bad == 0 && fit.n_unknown == 0 && fit.n_known >= 3;
    }
  return FALSE;
}

void
stria_ntff_fit (const StriaProtoMessage *message, const guint8 *data, gsize length,
                StriaNtffFit *out)
{
  StriaWire wire;
  StriaWireField field;

  *out = (StriaNtffFit){ 0 };
  stria_wire_init (&wire, data, length);
  while (stria_wire_next (&wire, &field))
    {
      const StriaProtoField *known = stria_proto_message_field (message, field.number);

      if (known == NULL)
        out->n_unknown++;
      else if (field.type != stria_proto_wire_type (known->type)
               && !(known->repeated && field.type == STRIA_WIRE_BYTES))
        out->n_bad++;
      else
        out->n_known++;
    }
  out->n_bad += wire.fault != STRIA_WIRE_OK;
}

/* A header of version 6 as it is recovered, of the others as they may be (which is unknown): the
 * same one, or with its length where an aligned one would stand. */
static gboolean
peek_header (StriaNtffPeek *out, StriaProtoSchema *schema, const guint8 *data, gsize length,
             guint64 size)
{
  static const struct
  {
    guint8 at;
    guint8 width;
  } places[] = { { 1, 8 }, { 8, 8 }, { 4, 4 } };
  guint version = data[0];
  guint64 n;

  for (guint i = 0; i < (version == 6 ? 1 : G_N_ELEMENTS (places)); i++)
    {
      guint64 there;
      gboolean cut;

      if (!header_fits (data, length, size, places[i].at, places[i].width, &n))
        continue;
      reset (out);
      there = MIN (n, length - STRIA_NTFF_HEADER);
      cut = there < n;
      if (!look_at (out, schema, data + STRIA_NTFF_HEADER, there, cut, FALSE)
          && !(version == 6 && n == 0))
        continue;
      out->shape = version == 6 ? STRIA_NTFF_V6 : version < 6 ? STRIA_NTFF_OLDER : STRIA_NTFF_NEWER;
      out->version = version;
      out->message_offset = STRIA_NTFF_HEADER;
      out->message_length = n;
      out->partial = cut;
      return TRUE;
    }
  reset (out);
  return FALSE;
}

gboolean
stria_ntff_peek (const guint8 *data, gsize length, guint64 size, StriaNtffPeek *out)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_get_default ();
  gboolean whole = size != 0 && length >= size;

  *out = (StriaNtffPeek){ 0 };
  reset (out);
  if (length == 0)
    {
      out->shape = size == 0 ? STRIA_NTFF_EMPTY : STRIA_NTFF_NOT;
      return size == 0;
    }
  if (data[0] >= 1 && data[0] < 0x20 && length >= STRIA_NTFF_HEADER
      && peek_header (out, schema, data, length, size))
    return TRUE;
  /* The whole file is one message: a name or a uuid comes first. */
  if ((data[0] == 0x0A || (length > 1 && data[0] == 0x12 && data[1] == 0x10))
      && look_at (out, schema, data, length, !whole, TRUE) && out->uuid != NULL)
    {
      out->shape = STRIA_NTFF_OLDER;
      out->bare = TRUE;
      out->message_length = size != 0 ? size : length;
      out->partial = !whole;
      return TRUE;
    }
  reset (out);
  if (data[0] >= 1 && data[0] <= 6
      && (length < STRIA_NTFF_HEADER || is_zero (data, 9, STRIA_NTFF_HEADER)))
    {
      out->shape = is_zero (data, MIN (9, length), MIN (length, STRIA_NTFF_HEADER))
                       ? STRIA_NTFF_DAMAGED : STRIA_NTFF_NOT;
      out->version = data[0];
      out->message_offset = STRIA_NTFF_HEADER;
      out->message_length = length >= 9 ? number_at (data + 1, 8) : 0;
    }
  if (out->shape == STRIA_NTFF_NOT && is_system (schema, data, length))
    out->shape = STRIA_NTFF_SYSTEM;
  return FALSE;
}

void
stria_ntff_peek_clear (StriaNtffPeek *self)
{
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->uuid, g_free);
  g_clear_pointer (&self->instance_id, g_free);
  g_clear_pointer (&self->instance_type, g_free);
  g_clear_pointer (&self->node_uids, g_ptr_array_unref);
  g_clear_pointer (&self->execution_uids, g_ptr_array_unref);
  *self = (StriaNtffPeek){ 0 };
}
