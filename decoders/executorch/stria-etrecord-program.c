/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-etrecord-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-json-parts.h"

/* An exported program as JSON: [CODE ET exir/serde/schema.py, export_serialize.py, union.py] */

enum
{
  PART_NODE,
  PART_TENSOR,
  PART_INPUT,
  PART_RESULT,
  PART_INPUT_SPEC,
  PART_VERSION,
  PART_DIALECT,
};

static const char *const paths[] = {
  [PART_NODE] = "graph_module/graph/nodes/*",
  [PART_TENSOR] = "graph_module/graph/tensor_values/*",
  [PART_INPUT] = "graph_module/graph/inputs/*",
  [PART_RESULT] = "graph_module/graph/outputs/*",
  [PART_INPUT_SPEC] = "graph_module/signature/input_specs/*",
  [PART_VERSION] = "schema_version",
  [PART_DIALECT] = "dialect",
  NULL,
};

void
stria_record_program_init (StriaRecordProgram *self,
                           StriaFacts *facts,
                           StriaDecodeContext *context,
                           const char *member)
{
  *self = (StriaRecordProgram){
    .facts = facts,
    .context = context,
    .member = member,
    .nodes = g_array_new (FALSE, FALSE, sizeof (StriaRecordNode)),
    .arguments = g_array_new (FALSE, FALSE, sizeof (StriaRecordArgument)),
    .outputs = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .metadata = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .inputs = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .results = g_array_new (FALSE, FALSE, sizeof (StriaRecordArgument)),
    .types = g_hash_table_new (NULL, NULL),
    .specs = g_hash_table_new (NULL, NULL),
    .major = -1,
    .minor = -1,
  };
}

void
stria_record_program_clear (StriaRecordProgram *self)
{
  g_array_unref (self->nodes);
  g_array_unref (self->arguments);
  g_array_unref (self->outputs);
  g_array_unref (self->metadata);
  g_array_unref (self->inputs);
  g_array_unref (self->results);
  g_hash_table_unref (self->types);
  g_hash_table_unref (self->specs);
}

static guint32
intern (StriaRecordProgram *self, const char *text)
{
  return stria_facts_intern (self->facts, text, -1);
}

static JsonObject *
object_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static JsonArray *
array_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* Returns: (transfer none) (nullable) */
static const char *
text_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
                 && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

static JsonNode *
member_of (JsonNode *node, const char *name)
{
  JsonObject *object = object_of (node);

  return object != NULL ? json_object_get_member (object, name) : NULL;
}

static gint64
int_of (JsonNode *node, gint64 otherwise)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
                 && json_node_get_value_type (node) == G_TYPE_INT64
             ? json_node_get_int (node)
             : otherwise;
}

/* A union is an object of one member: its variant. */
static const char *
variant_of (JsonNode *node, JsonNode **value)
{
  JsonObject *object = object_of (node);
  JsonObjectIter iter;
  const char *name = NULL;

  *value = NULL;
  if (object == NULL || json_object_get_size (object) != 1)
    return NULL;
  json_object_iter_init (&iter, object);
  json_object_iter_next (&iter, &name, value);
  return name;
}

/* The serialised ScalarType, whose numbers are not those of FlatBuffers. [CODE] */
static const char *
scalar_name (gint64 type)
{
  static const char *const names[]
      = { "unknown", "uint8",    "int8",    "int16",       "int32",        "int64",
          "float16", "float32",  "float64", "complex32",   "complex64",    "complex128",
          "bool",    "bfloat16", "uint16",  "float8_e5m2", "float8_e4m3fn" };

  return type >= 0 && type < (gint64)G_N_ELEMENTS (names) ? names[type] : "unknown";
}

static void
append_size (GString *text, JsonNode *node)
{
  JsonNode *value;
  const char *variant = variant_of (node, &value);
  const char *expression;

  if (variant != NULL && g_str_equal (variant, "as_int"))
    g_string_append_printf (text, "%" PRId64, int_of (value, 0));
  else if (variant != NULL && (expression = text_of (member_of (value, "expr_str"))) != NULL)
    g_string_append (text, expression);
  else
    g_string_append_c (text, '?');
}

static void
read_tensor (StriaRecordProgram *self, const char *name, JsonNode *node)
{
  JsonArray *sizes = array_of (member_of (node, "sizes"));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; sizes != NULL && i < json_array_get_length (sizes); i++)
    {
      if (i > 0)
        g_string_append (text, "×");
      append_size (text, json_array_get_element (sizes, i));
    }
  if (text->len > 0)
    g_string_append_c (text, ' ');
  g_string_append (text, scalar_name (int_of (member_of (node, "dtype"), 0)));
  g_hash_table_insert (self->types, GUINT_TO_POINTER (intern (self, name)),
                       GUINT_TO_POINTER (intern (self, text->str)));
}

/* What is no tensor, as compact JSON, cut where it is very long. */
static guint32
value_text (StriaRecordProgram *self, JsonNode *node)
{
  const char *plain = text_of (node);
  g_autofree char *json = NULL;

  if (plain == NULL)
    json = node != NULL ? json_to_string (node, FALSE) : g_strdup ("None");
  const char *text = plain != NULL ? plain : json;
  gsize length = strlen (text);
  if (length <= STRIA_ETRECORD_MAX_VALUE)
    return stria_facts_intern (self->facts, text, (gssize)length);
  return stria_facts_intern_printf (self->facts, _ ("%.*s… (%zu bytes)"), 256, text, length);
}

static void
add_argument (GArray *arguments, guint32 name, guint32 tensor, guint32 value)
{
  StriaRecordArgument argument = { name, tensor, value };

  g_array_append_val (arguments, argument);
}

/* Tensors that an argument names; an argument without any is one value. */
static void
read_argument (StriaRecordProgram *self, GArray *arguments, guint32 name, JsonNode *node)
{
  JsonNode *value;
  const char *variant = variant_of (node, &value);
  JsonArray *list = array_of (value);
  const char *text;

  if (variant == NULL)
    {
      add_argument (arguments, name, 0, value_text (self, node));
      return;
    }
  if ((g_str_equal (variant, "as_tensor") || g_str_equal (variant, "as_custom_obj"))
      && (text = text_of (member_of (value, "name"))) != NULL)
    {
      add_argument (arguments, name, intern (self, text), 0);
      return;
    }
  if (list != NULL
      && (g_str_equal (variant, "as_tensors") || g_str_equal (variant, "as_optional_tensors")))
    {
      for (guint i = 0; i < json_array_get_length (list); i++)
        {
          JsonNode *element = json_array_get_element (list, i);
          JsonNode *inner;
          const char *kind = variant_of (element, &inner);

          text = text_of (member_of (element, "name"));
          if (text == NULL && kind != NULL && g_str_equal (kind, "as_tensor"))
            text = text_of (member_of (inner, "name"));
          if (text != NULL)
            add_argument (arguments, name, intern (self, text), 0);
          else
            add_argument (arguments, name, 0, intern (self, "None"));
        }
      return;
    }
  if (g_str_equal (variant, "as_none"))
    add_argument (arguments, name, 0, intern (self, "None"));
  else
    add_argument (arguments, name, 0, value_text (self, value));
}

/* A lowered module stands as JSON in the first argument of a delegate call; it may be tens of
 * megabytes. Only its backend is kept here. [CODE] */
static guint32
lowered_backend (StriaRecordProgram *self, JsonNode *argument)
{
  JsonNode *value;
  const char *variant = variant_of (argument, &value);
  const char *text = text_of (value);
  const char *at;

  if (variant == NULL || !g_str_equal (variant, "as_string") || text == NULL || *text != '{')
    return 0;
  at = strstr (text, "\"backend_id\"");
  if (at == NULL)
    return 0;
  at += strlen ("\"backend_id\"");
  at += strspn (at, " :");
  if (*at != '"')
    return 0;
  gsize length = strcspn (at + 1, "\"\\");
  return length > 0 && length < 256 ? stria_facts_intern (self->facts, at + 1, (gssize)length) : 0;
}

static void
read_inputs (StriaRecordProgram *self, StriaRecordNode *row, JsonNode *node)
{
  JsonArray *inputs = array_of (member_of (node, "inputs"));

  row->first_input = self->arguments->len;
  for (guint i = 0; inputs != NULL && i < json_array_get_length (inputs); i++)
    {
      JsonNode *input = json_array_get_element (inputs, i);
      guint32 name = intern (self, text_of (member_of (input, "name")));
      JsonNode *argument = member_of (input, "arg");

      if (i == 0)
        row->lowered = lowered_backend (self, argument);
      if (i == 0 && row->lowered != 0)
        add_argument (self->arguments, name, 0, row->lowered);
      else
        read_argument (self, self->arguments, name, argument);
    }
  row->n_inputs = self->arguments->len - row->first_input;
}

static void
read_outputs (StriaRecordProgram *self, StriaRecordNode *row, JsonNode *node)
{
  JsonArray *outputs = array_of (member_of (node, "outputs"));
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (StriaRecordArgument));

  row->first_output = self->outputs->len;
  for (guint i = 0; outputs != NULL && i < json_array_get_length (outputs); i++)
    read_argument (self, named, 0, json_array_get_element (outputs, i));
  for (guint i = 0; i < named->len; i++)
    {
      guint32 tensor = g_array_index (named, StriaRecordArgument, i).tensor;
      if (tensor != 0)
        g_array_append_val (self->outputs, tensor);
    }
  row->n_outputs = self->outputs->len - row->first_output;
}

static void
read_metadata (StriaRecordProgram *self, StriaRecordNode *row, JsonNode *node)
{
  JsonObject *metadata = object_of (member_of (node, "metadata"));
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  row->handle = -1;
  row->first_meta = self->metadata->len / 2;
  if (metadata == NULL)
    return;
  json_object_iter_init (&iter, metadata);
  while (json_object_iter_next (&iter, &key, &value))
    {
      const char *text = text_of (value);
      guint32 pair[2] = { intern (self, key), 0 };

      pair[1] = text != NULL ? intern (self, text) : value_text (self, value);
      g_array_append_vals (self->metadata, pair, 2);
      if (text == NULL)
        continue;
      if (g_str_equal (key, "debug_handle"))
        {
          guint64 handle;
          if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &handle, NULL))
            row->handle = (gint64)handle;
          else
            stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "etrecord-handle",
                               self->context->name, -1,
                               _ ("%s: expected a debug handle to be a number, found \"%.40s\""),
                               self->member, text);
        }
      else if (g_str_equal (key, "nn_module_stack"))
        row->modules = pair[1];
      else if (g_str_equal (key, "stack_trace"))
        row->trace = pair[1];
    }
  row->n_meta = self->metadata->len / 2 - row->first_meta;
}

static gboolean
read_node (StriaRecordProgram *self, JsonNode *node, GError **error)
{
  StriaRecordNode row = { 0 };

  if (self->nodes->len >= STRIA_ETRECORD_MAX_NODES)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT, _ ("more than %d nodes"),
                   STRIA_ETRECORD_MAX_NODES);
      return FALSE;
    }
  if (object_of (node) == NULL)
    {
      stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "etrecord-node",
                         self->context->name, -1,
                         _ ("%s: expected node %u to be an object; it was left out"), self->member,
                         self->nodes->len);
      return TRUE;
    }
  row.name = intern (self, text_of (member_of (node, "name")));
  row.target = intern (self, text_of (member_of (node, "target")));
  read_inputs (self, &row, node);
  read_outputs (self, &row, node);
  read_metadata (self, &row, node);
  g_array_append_val (self->nodes, row);
  return TRUE;
}

/* "parameter conv.weight": which tensor an input is. */
static void
read_input_spec (StriaRecordProgram *self, JsonNode *node)
{
  JsonNode *value;
  const char *variant = variant_of (node, &value);
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (StriaRecordArgument));
  g_autofree char *key = NULL;
  JsonNode *argument = member_of (value, "arg");

  if (variant == NULL || argument == NULL)
    return;
  /* An argument is a union, or where only a tensor can stand, the tensor itself. */
  const char *direct = text_of (member_of (argument, "name"));
  if (direct != NULL)
    add_argument (named, 0, intern (self, direct), 0);
  else
    read_argument (self, named, 0, argument);
  key = g_strconcat (variant, "_name", NULL);
  const char *name = text_of (member_of (value, key));
  g_autofree char *text
      = name != NULL ? g_strconcat (variant, " ", name, NULL) : g_strdup (variant);
  for (guint i = 0; i < named->len; i++)
    if (g_array_index (named, StriaRecordArgument, i).tensor != 0)
      g_hash_table_insert (self->specs,
                           GUINT_TO_POINTER (g_array_index (named, StriaRecordArgument, i).tensor),
                           GUINT_TO_POINTER (intern (self, text)));
}

static gboolean
on_part (guint part, const char *key, JsonNode *node, gpointer user_data, GError **error)
{
  StriaRecordProgram *self = user_data;
  g_autoptr (GArray) named = NULL;

  switch (part)
    {
    case PART_NODE:
      return read_node (self, node, error);
    case PART_TENSOR:
      read_tensor (self, key, node);
      break;
    case PART_INPUT:
      named = g_array_new (FALSE, FALSE, sizeof (StriaRecordArgument));
      read_argument (self, named, 0, node);
      for (guint i = 0; i < named->len; i++)
        if (g_array_index (named, StriaRecordArgument, i).tensor != 0)
          g_array_append_val (self->inputs, g_array_index (named, StriaRecordArgument, i).tensor);
      break;
    case PART_RESULT:
      read_argument (self, self->results, 0, node);
      break;
    case PART_INPUT_SPEC:
      read_input_spec (self, node);
      break;
    case PART_VERSION:
      self->major = int_of (member_of (node, "major"), -1);
      self->minor = int_of (member_of (node, "minor"), -1);
      break;
    case PART_DIALECT:
      self->dialect = intern (self, text_of (node));
      break;
    default:
      g_assert_not_reached ();
    }
  return !g_cancellable_set_error_if_cancelled (self->context->cancellable, error);
}

StriaJsonParts *
stria_record_program_reader (StriaRecordProgram *self)
{
  return stria_json_parts_new (paths, on_part, self);
}
