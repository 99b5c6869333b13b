/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-wire-view.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-json-text.h"
#include "stria-load.h"
#include "stria-ntff-private.h"

#define MAX_TEXT 120
#define MAX_HEX 48

/* A field by path. */
typedef struct _Node Node;
struct _Node
{
  guint32 number;
  const StriaProtoField *known;
  const StriaProtoMessage *message; /* what it holds, by the schema */
  GPtrArray *children;              /* by number once they are all there */
  GHashTable *by_number;
  guint64 n_no_message; /* contents that are none */
  StriaWireLine line;
};

typedef struct
{
  Node *root;
  guint n_nodes;
  gboolean values;
  guint64 n_left_out;
} Walk;

static void
line_clear (StriaWireLine *line)
{
  g_free (line->path);
  g_free (line->name);
  g_free (line->message);
  g_clear_pointer (&line->values, g_ptr_array_unref);
}

static void
line_free (gpointer line)
{
  line_clear (line);
  g_free (line);
}

static void
node_free (gpointer data)
{
  Node *node = data;

  g_clear_pointer (&node->children, g_ptr_array_unref);
  g_clear_pointer (&node->by_number, g_hash_table_unref);
  line_clear (&node->line);
  g_free (node);
}

static Node *
node_new (guint32 number, const StriaProtoField *known, const StriaProtoMessage *message)
{
  Node *node = g_new0 (Node, 1);

  node->number = number;
  node->known = known;
  node->message = message;
  node->line.least = G_MAXUINT64;
  return node;
}

/* NULL: there are too many */
static Node *
child_of (Walk *self, Node *parent, guint32 number)
{
  const StriaProtoField *known;
  Node *node;

  if (parent->by_number == NULL)
    {
      parent->by_number = g_hash_table_new (NULL, NULL);
      parent->children = g_ptr_array_new_with_free_func (node_free);
    }
  node = g_hash_table_lookup (parent->by_number, GUINT_TO_POINTER (number));
  if (node != NULL)
    return node;
  if (self->n_nodes >= STRIA_WIRE_MAX_LINES)
    {
      self->n_left_out++;
      return NULL;
    }
  known = parent->message != NULL ? stria_proto_message_field (parent->message, number) : NULL;
  node = node_new (number, known, known != NULL ? known->message : NULL);
  g_hash_table_insert (parent->by_number, GUINT_TO_POINTER (number), node);
  g_ptr_array_add (parent->children, node);
  self->n_nodes++;
  return node;
}

/* --- values ----------------------------------------------------------------------------------- */

static gboolean
is_printable (const guint8 *bytes, gsize length)
{
  const char *text = (const char *)bytes;

  if (!g_utf8_validate (text, (gssize)length, NULL))
    return FALSE;
  for (const char *p = text; p < text + length; p = g_utf8_next_char (p))
    if (!g_unichar_isprint (g_utf8_get_char (p)))
      return FALSE;
  return TRUE;
}

static void
append_double (GString *out, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, ",\"%s\":", name);
  /* JSON has no name for what is no number. */
  if (value - value == 0)
    g_string_append (out, g_ascii_dtostr (text, sizeof text, value));
  else
    g_string_append (out, "null");
}

/* The readings that the bytes allow: unsigned, signed, zig-zag, float; text; else hexadecimal */
static char *
value_of (const StriaWireField *field)
{
  GString *out = g_string_new ("{");

  switch (field->type)
    {
    case STRIA_WIRE_VARINT:
      g_string_append_printf (out,
                              "\"unsigned\":%" G_GUINT64_FORMAT ",\"zigzag\":%" G_GINT64_FORMAT,
                              field->value, stria_wire_zigzag (field->value));
      if (field->value > G_MAXINT64)
        g_string_append_printf (out, ",\"signed\":%" G_GINT64_FORMAT, (gint64)field->value);
      break;
    case STRIA_WIRE_FIXED32:
      {
        guint32 bits = (guint32)field->value;
        float value;

        memcpy (&value, &bits, sizeof value);
        g_string_append_printf (out, "\"unsigned\":%u", bits);
        append_double (out, "float", value);
        break;
      }
    case STRIA_WIRE_FIXED64:
      {
        double value;

        memcpy (&value, &field->value, sizeof value);
        g_string_append_printf (out, "\"unsigned\":%" G_GUINT64_FORMAT, field->value);
        append_double (out, "double", value);
        break;
      }
    case STRIA_WIRE_BYTES:
    default:
      if (field->length <= MAX_TEXT && is_printable (field->bytes, field->length))
        {
          g_string_append (out, "\"text\":");
          stria_json_append_text (out, (const char *)field->bytes, (gssize)field->length);
        }
      else
        {
          g_autofree char *hex = stria_ntff_hex (field->bytes, MIN (field->length, MAX_HEX));

          g_string_append_printf (out, "\"hex\":\"%s%s\"", hex,
                                  field->length > MAX_HEX ? "..." : "");
        }
      break;
    }
  g_string_append_c (out, '}');
  return g_string_free (out, FALSE);
}

/* --- walking ---------------------------------------------------------------------------------- */

static guint64
size_of (const StriaWireField *field, const StriaWire *wire)
{
  return field->type == STRIA_WIRE_BYTES ? field->length : wire->position - field->offset;
}

static gboolean
is_mismatched (const Node *node, const StriaWireField *field)
{
  return node->known != NULL && field->type != stria_proto_wire_type (node->known->type)
         && !(node->known->repeated && field->type == STRIA_WIRE_BYTES);
}

static void walk (Walk *self, Node *parent, const guint8 *data, gsize length, guint depth);

static void
walk_content (Walk *self, Node *node, const StriaWireField *field, guint depth)
{
  gboolean may_be = node->known != NULL ? node->known->type == PROTOBUF_C_TYPE_MESSAGE : TRUE;

  if (!may_be || depth + 1 >= STRIA_WIRE_MAX_DEPTH)
    {
      node->n_no_message++;
      return;
    }
  /* One that is no message is enough for it to be none. */
  if (node->known == NULL
      && (node->n_no_message > 0 || field->length == 0
          || !stria_wire_is_message (field->bytes, field->length, NULL)))
    {
      node->n_no_message += field->length > 0;
      return;
    }
  walk (self, node, field->bytes, field->length, depth + 1);
}

static void
walk (Walk *self, Node *parent, const guint8 *data, gsize length, guint depth)
{
  StriaWire wire;
  StriaWireField field;

  stria_wire_init (&wire, data, length);
  while (stria_wire_next (&wire, &field))
    {
      Node *node = child_of (self, parent, field.number);
      StriaWireLine *line;
      guint64 size;

      if (node == NULL)
        continue;
      line = &node->line;
      size = size_of (&field, &wire);
      line->types |= 1u << field.type;
      line->count++;
      line->bytes += size;
      line->least = MIN (line->least, size);
      line->most = MAX (line->most, size);
      line->mismatched += is_mismatched (node, &field);
      if (self->values && (node->known == NULL || node->known->type != PROTOBUF_C_TYPE_MESSAGE))
        {
          if (line->values == NULL)
            line->values = g_ptr_array_new_with_free_func (g_free);
          if (line->values->len < STRIA_WIRE_MAX_VALUES)
            g_ptr_array_add (line->values, value_of (&field));
        }
      if (field.type == STRIA_WIRE_BYTES)
        walk_content (self, node, &field, depth);
    }
}

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  const Node *const *left = a, *const *right = b;

  return (*left)->number < (*right)->number ? -1 : (*left)->number > (*right)->number;
}

static void
list (const Node *parent, const char *path, guint depth, GPtrArray *lines)
{
  if (parent->children == NULL)
    return;
  g_ptr_array_sort (parent->children, compare_nodes);
  for (guint i = 0; i < parent->children->len; i++)
    {
      Node *node = parent->children->pdata[i];
      StriaWireLine *line = g_memdup2 (&node->line, sizeof *line);

      node->line.values = NULL;
      line->path = *path != '\0' ? g_strdup_printf ("%s.%u", path, node->number)
                                 : g_strdup_printf ("%u", node->number);
      line->name = node->known != NULL ? g_strdup (node->known->name) : NULL;
      line->depth = depth;
      line->is_message = node->known != NULL
                             ? node->known->type == PROTOBUF_C_TYPE_MESSAGE
                             : node->children != NULL && node->n_no_message == 0;
      if (node->message != NULL)
        line->message = g_strdup (stria_proto_message_name (node->message));
      g_ptr_array_add (lines, line);
      if (line->is_message)
        {
          /* Its fields tell its values. */
          g_clear_pointer (&line->values, g_ptr_array_unref);
          list (node, line->path, depth + 1, lines);
        }
    }
}

/* --- how the file is messages ----------------------------------------------------------------- */

static guint
length_at (StriaWireForm form, const guint8 *data, gsize length, guint64 *value)
{
  guint width = form == STRIA_WIRE_FORM_U32 ? 4 : 8;

  if (form == STRIA_WIRE_FORM_VARINT)
    return stria_load_varint (data, length, value);
  if (length < width)
    return 0;
  *value = 0;
  for (guint i = 0; i < width; i++)
    *value |= (guint64)data[i] << (8 * i);
  return width;
}

/* Whether lengths lead to the end, and what lies between them are messages; @n: (out): how many */
static gboolean
is_framed (StriaWireForm form, const guint8 *data, gsize length, guint64 *n)
{
  gsize at = 0;

  *n = 0;
  while (at < length)
    {
      guint64 size;
      guint taken = length_at (form, data + at, length - at, &size);

      if (taken == 0 || size > length - at - taken
          || !stria_wire_is_message (data + at + taken, size, NULL))
        return FALSE;
      at += taken + size;
      (*n)++;
    }
  return *n > 1;
}

/* The outermost message whose fields fit best; NULL: none does */
static const StriaProtoMessage *
guess_message (StriaProtoSchema *schema, const guint8 *data, gsize length, gint64 *score)
{
  static const char *const names[] = { "ntff_info",      "ntrace_info", "ntrace_event", "cpu_util",
                                       "host_mem_usage", "ir_debug_info" };
  const StriaProtoMessage *best = NULL;

  *score = 0;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const StriaProtoMessage *message = stria_proto_schema_message (schema, names[i]);
      StriaNtffFit fit;
      gint64 mine;

      if (message == NULL)
        continue;
      stria_ntff_fit (message, data, length, &fit);
      mine = (gint64)fit.n_known - 2 * (gint64)fit.n_unknown - 8 * (gint64)fit.n_bad;
      if (mine > *score)
        {
          *score = mine;
          best = message;
        }
    }
  return best;
}

static const StriaProtoMessage *
choose_form (StriaWireView *self, StriaProtoSchema *schema, const guint8 *data, gsize length,
             gsize *begin, gsize *end)
{
  g_auto (StriaNtffPeek) peek = { 0 };
  const StriaProtoMessage *message;
  guint64 n, size = 0;
  gint64 score, framed_score = 0;

  *begin = 0;
  *end = length;
  stria_ntff_peek (data, length, length, &peek);
  if (peek.message_offset == STRIA_NTFF_HEADER && length > STRIA_NTFF_HEADER)
    {
      self->form = STRIA_WIRE_FORM_NTFF;
      self->version = peek.version;
      *begin = STRIA_NTFF_HEADER;
      *end = STRIA_NTFF_HEADER + MIN (peek.message_length, length - STRIA_NTFF_HEADER);
      return stria_proto_schema_message (schema, "ntff_info");
    }
  message = guess_message (schema, data, length, &score);
  for (StriaWireForm form = STRIA_WIRE_FORM_VARINT; form <= STRIA_WIRE_FORM_U64; form++)
    {
      const StriaProtoMessage *framed;
      guint taken;

      if (!is_framed (form, data, length, &n))
        continue;
      taken = length_at (form, data, length, &size);
      framed = guess_message (schema, data + taken, size, &framed_score);
      if (framed != NULL || !stria_wire_is_message (data, length, NULL))
        {
          self->form = form;
          return framed;
        }
    }
  self->form = stria_wire_is_message (data, length, NULL) ? STRIA_WIRE_FORM_MESSAGE
                                                          : STRIA_WIRE_FORM_NONE;
  return message;
}

static void
walk_one (StriaWireView *self, Walk *state, const guint8 *data, gsize at, gsize length)
{
  StriaWire wire;
  StriaWireField field;

  self->n_messages++;
  self->message_bytes += length;
  walk (state, state->root, data + at, length, 0);
  if (self->fault != NULL)
    return;
  stria_wire_init (&wire, data + at, length);
  while (stria_wire_next (&wire, &field))
    ;
  if (wire.fault != STRIA_WIRE_OK)
    {
      self->fault = g_strdup (stria_wire_fault_text (wire.fault));
      self->fault_at = at + wire.fault_at;
    }
}

StriaWireView *
stria_wire_view_new (StriaProtoSchema *schema, const guint8 *data, gsize length, gboolean values)
{
  StriaWireView *self = g_new0 (StriaWireView, 1);
  Walk state = { .values = values };
  const StriaProtoMessage *message;
  gsize begin, end;

  self->lines = g_ptr_array_new_with_free_func (line_free);
  self->schema = g_strdup (stria_proto_schema_get_source (schema));
  message = choose_form (self, schema, data, length, &begin, &end);
  self->message = message != NULL ? g_strdup (stria_proto_message_name (message)) : NULL;
  state.root = node_new (0, NULL, message);
  if (self->form == STRIA_WIRE_FORM_VARINT || self->form == STRIA_WIRE_FORM_U32
      || self->form == STRIA_WIRE_FORM_U64)
    for (gsize at = 0; at < length;)
      {
        guint64 size = 0;
        guint taken = length_at (self->form, data + at, length - at, &size);

        walk_one (self, &state, data, at + taken, size);
        at += taken + size;
      }
  else
    walk_one (self, &state, data, begin, end - begin);
  self->other_bytes = length - self->message_bytes;
  self->n_left_out = state.n_left_out;
  list (state.root, "", 1, self->lines);
  node_free (state.root);
  return self;
}

StriaWireView *
stria_wire_view_new_file (StriaProtoSchema *schema, const char *path, gboolean values,
                          GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaSource) source = stria_source_open_full (path, NULL, cancellable, error);
  /* What there is of a file that was cut is shown. */
  g_autoptr (GError) fault = NULL;
  g_autofree char *name = g_path_get_basename (path);
  g_auto (StriaMapped) bytes = { 0 };

  if (source == NULL || !stria_mapped_open (&bytes, source, name, cancellable, &fault, error))
    return NULL;
  return stria_wire_view_new (schema, bytes.data, bytes.length, values);
}

void
stria_wire_view_free (StriaWireView *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->lines);
  g_free (self->message);
  g_free (self->schema);
  g_free (self->fault);
  g_free (self);
}

const char *
stria_wire_form_name (StriaWireForm form)
{
  static const char *const names[]
      = { "message", "ntff", "varint-length", "u32-length", "u64-length", "none" };

  return names[form];
}

const char *
stria_wire_type_name (StriaWireType type)
{
  switch (type)
    {
    case STRIA_WIRE_VARINT:
      return "varint";
    case STRIA_WIRE_FIXED64:
      return "fixed64";
    case STRIA_WIRE_BYTES:
      return "bytes";
    case STRIA_WIRE_FIXED32:
    default:
      return "fixed32";
    }
}
