/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-proto-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-error.h"

#include "debug_info.pb-c.h"
#include "descriptors.pb-c.h"
#include "neuron_trace.pb-c.h"
#include "ntff.pb-c.h"

#define MAX_SET_BYTES ((goffset) 64 << 20)

struct _StriaProtoMessage
{
  char *name;
  GPtrArray *fields; /* of StriaProtoField, by number */
};

struct _StriaProtoSchema
{
  gatomicrefcount refs;
  char *source;
  char *digest;
  GHashTable *messages; /* full name -> StriaProtoMessage */
  StriaProtoSchema *builtin; /* what is not in a user's file; NULL for the built-in one itself */
  GHashTable *copies;   /* descriptor of ours -> its copy with other numbers; NULL: none */
  GPtrArray *missing;
  guint n_replaced;
};

static const ProtobufCMessageDescriptor *const roots[] = {
  &ntff__ntff_info__descriptor,
  &ntff__ntrace_info__descriptor,
  &ntff__ntrace_event__descriptor,
  &ntff__cpu_util__descriptor,
  &ntff__host_mem_usage__descriptor,
  &neuroncc__debug_info__ir_debug_info__descriptor,
};

static void
field_free (gpointer data)
{
  StriaProtoField *field = data;

  g_free (field->name);
  g_free (field);
}

static void
message_free (gpointer data)
{
  StriaProtoMessage *message = data;

  g_ptr_array_unref (message->fields);
  g_free (message->name);
  g_free (message);
}

static void
copy_free (gpointer data)
{
  ProtobufCMessageDescriptor *copy = data;

  g_free ((gpointer)copy->fields);
  g_free ((gpointer)copy->field_ranges);
  g_free (copy);
}

static StriaProtoMessage *
message_new (StriaProtoSchema *self, const char *name)
{
  StriaProtoMessage *message = g_new0 (StriaProtoMessage, 1);

  message->name = g_strdup (name);
  message->fields = g_ptr_array_new_with_free_func (field_free);
  g_hash_table_insert (self->messages, message->name, message);
  return message;
}

static StriaProtoField *
message_add (StriaProtoMessage *self, guint32 number, const char *name, ProtobufCType type,
             gboolean repeated)
{
  StriaProtoField *field = g_new0 (StriaProtoField, 1);

  field->number = number;
  field->name = g_strdup (name);
  field->type = type;
  field->repeated = repeated;
  g_ptr_array_add (self->fields, field);
  return field;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const StriaProtoField *const *left = a, *const *right = b;

  return (*left)->number < (*right)->number ? -1 : (*left)->number > (*right)->number;
}

/* Adds a message of ours and all below it, unless there is one of that name. */
static StriaProtoMessage *
add_ours (StriaProtoSchema *self, const ProtobufCMessageDescriptor *ours)
{
  StriaProtoMessage *message = g_hash_table_lookup (self->messages, ours->name);

  if (message != NULL)
    return message;
  message = message_new (self, ours->name);
  for (unsigned i = 0; i < ours->n_fields; i++)
    {
      const ProtobufCFieldDescriptor *from = &ours->fields[i];
      StriaProtoField *field = message_add (message, from->id, from->name, from->type,
                                            from->label == PROTOBUF_C_LABEL_REPEATED);

      if (from->type == PROTOBUF_C_TYPE_MESSAGE)
        field->message = add_ours (self, from->descriptor);
    }
  return message;
}

static StriaProtoSchema *
schema_new (void)
{
  StriaProtoSchema *self = g_new0 (StriaProtoSchema, 1);

  g_atomic_ref_count_init (&self->refs);
  self->messages = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, message_free);
  self->missing = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/**
 * stria_proto_schema_new_builtin:
 *
 * Returns: (transfer full): the numbers of proto/
 */
StriaProtoSchema *
stria_proto_schema_new_builtin (void)
{
  StriaProtoSchema *self = schema_new ();

  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    add_ours (self, roots[i]);
  return self;
}

StriaProtoSchema *
stria_proto_schema_ref (StriaProtoSchema *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_proto_schema_unref (StriaProtoSchema *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_pointer (&self->copies, g_hash_table_unref);
  g_clear_pointer (&self->builtin, stria_proto_schema_unref);
  g_hash_table_unref (self->messages);
  g_ptr_array_unref (self->missing);
  g_free (self->source);
  g_free (self->digest);
  g_free (self);
}

/* --- a user's definitions --------------------------------------------------------------------- */

/* Type numbers of field_descriptor.type; a published list. 0 and 10 (a group) are none of ours. */
static gboolean
type_from_set (int type, ProtobufCType *out)
{
  static const gint8 types[] = {
    -1,
    PROTOBUF_C_TYPE_DOUBLE,
    PROTOBUF_C_TYPE_FLOAT,
    PROTOBUF_C_TYPE_INT64,
    PROTOBUF_C_TYPE_UINT64,
    PROTOBUF_C_TYPE_INT32,
    PROTOBUF_C_TYPE_FIXED64,
    PROTOBUF_C_TYPE_FIXED32,
    PROTOBUF_C_TYPE_BOOL,
    PROTOBUF_C_TYPE_STRING,
    -1,
    PROTOBUF_C_TYPE_MESSAGE,
    PROTOBUF_C_TYPE_BYTES,
    PROTOBUF_C_TYPE_UINT32,
    PROTOBUF_C_TYPE_ENUM,
    PROTOBUF_C_TYPE_SFIXED32,
    PROTOBUF_C_TYPE_SFIXED64,
    PROTOBUF_C_TYPE_SINT32,
    PROTOBUF_C_TYPE_SINT64,
  };

  if (type < 0 || type >= (int)G_N_ELEMENTS (types) || types[type] < 0)
    return FALSE;
  *out = types[type];
  return TRUE;
}

static void
add_theirs (StriaProtoSchema *self, const char *scope,
            const Stria__Descriptors__MessageDescriptor *theirs, GHashTable *type_names)
{
  g_autofree char *name = NULL;
  StriaProtoMessage *message;

  if (theirs->name == NULL || !g_utf8_validate (theirs->name, -1, NULL))
    return;
  name = *scope != '\0' ? g_strconcat (scope, ".", theirs->name, NULL) : g_strdup (theirs->name);
  if (g_hash_table_contains (self->messages, name))
    return;
  message = message_new (self, name);
  for (size_t i = 0; i < theirs->n_field; i++)
    {
      const Stria__Descriptors__FieldDescriptor *from = theirs->field[i];
      ProtobufCType type;
      StriaProtoField *field;

      if (from->name == NULL || !g_utf8_validate (from->name, -1, NULL) || from->number <= 0
          || !type_from_set (from->type, &type))
        continue;
      field = message_add (message, (guint32)from->number, from->name, type, from->label == 3);
      if (type == PROTOBUF_C_TYPE_MESSAGE && from->type_name != NULL)
        g_hash_table_insert (type_names, field,
                             g_strdup (from->type_name + (from->type_name[0] == '.')));
    }
  g_ptr_array_sort (message->fields, compare_numbers);
  for (size_t i = 0; i < theirs->n_nested_type; i++)
    add_theirs (self, name, theirs->nested_type[i], type_names);
}

static const char *
last_part (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL ? dot + 1 : name;
}

/* By the whole name, else by its last part if one message only has it. */
static StriaProtoMessage *
find_message (StriaProtoSchema *self, const char *name)
{
  StriaProtoMessage *found = g_hash_table_lookup (self->messages, name);
  GHashTableIter iter;
  gpointer value;

  if (found != NULL)
    return found;
  g_hash_table_iter_init (&iter, self->messages);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      StriaProtoMessage *message = value;

      if (!g_str_equal (last_part (message->name), last_part (name)))
        continue;
      if (found != NULL)
        return NULL;
      found = message;
    }
  return found;
}

static const StriaProtoField *
find_field (const StriaProtoMessage *self, const char *name)
{
  for (guint i = 0; i < self->fields->len; i++)
    {
      const StriaProtoField *field = self->fields->pdata[i];

      if (g_str_equal (field->name, name))
        return field;
    }
  return NULL;
}

static gsize
storage_of (ProtobufCType type)
{
  switch (type)
    {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
      return 8;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_ENUM:
      return 4;
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_DOUBLE:
    case PROTOBUF_C_TYPE_BOOL:
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
    default:
      return 0;
    }
}

StriaWireType
stria_proto_wire_type (ProtobufCType type)
{
  switch (type)
    {
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
      return STRIA_WIRE_FIXED32;
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
      return STRIA_WIRE_FIXED64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
      return STRIA_WIRE_BYTES;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_BOOL:
    case PROTOBUF_C_TYPE_ENUM:
    default:
      return STRIA_WIRE_VARINT;
    }
}

/* How values of @theirs are read into a member made for @ours. FALSE: they are not. */
static gboolean
merge_types (ProtobufCType ours, ProtobufCType theirs, ProtobufCType *merged)
{
  gboolean zigzag = theirs == PROTOBUF_C_TYPE_SINT32 || theirs == PROTOBUF_C_TYPE_SINT64;

  *merged = ours;
  if (ours == theirs)
    return TRUE;
  if (ours == PROTOBUF_C_TYPE_MESSAGE || theirs == PROTOBUF_C_TYPE_MESSAGE)
    return FALSE;
  if (zigzag && storage_of (ours) != 0)
    {
      *merged = storage_of (ours) == 8 ? PROTOBUF_C_TYPE_SINT64 : PROTOBUF_C_TYPE_SINT32;
      return TRUE;
    }
  if (storage_of (ours) != 0 && storage_of (ours) == storage_of (theirs))
    {
      *merged = theirs;
      return TRUE;
    }
  /* A number of another width, or text called bytes: the same on the wire. */
  return !zigzag && stria_proto_wire_type (ours) == stria_proto_wire_type (theirs)
         && stria_proto_wire_type (ours) != STRIA_WIRE_FIXED32
         && stria_proto_wire_type (ours) != STRIA_WIRE_FIXED64;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const ProtobufCFieldDescriptor *left = a, *right = b;

  return left->id < right->id ? -1 : left->id > right->id;
}

static void
set_fields (ProtobufCMessageDescriptor *copy, GArray *fields)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (ProtobufCIntRange));
  const ProtobufCFieldDescriptor *all;
  ProtobufCIntRange last = { 0, 0 };

  g_array_sort (fields, compare_ids);
  for (guint i = 1; i < fields->len;)
    if (g_array_index (fields, ProtobufCFieldDescriptor, i).id
        == g_array_index (fields, ProtobufCFieldDescriptor, i - 1).id)
      g_array_remove_index (fields, i);
    else
      i++;
  all = (const ProtobufCFieldDescriptor *)fields->data;
  for (guint i = 0; i < fields->len; i++)
    if (i == 0 || all[i].id != all[i - 1].id + 1)
      {
        ProtobufCIntRange range = { (int)all[i].id, i };

        g_array_append_val (ranges, range);
      }
  copy->n_field_ranges = ranges->len;
  last.orig_index = fields->len;
  g_array_append_val (ranges, last);
  copy->n_fields = fields->len;
  copy->field_ranges = (const ProtobufCIntRange *)g_array_free (ranges, FALSE);
  copy->fields = (const ProtobufCFieldDescriptor *)g_array_free (fields, FALSE);
}

/* A copy of @ours with the numbers of @theirs (nullable: our own), and of all below it. */
static ProtobufCMessageDescriptor *
copy_descriptor (StriaProtoSchema *self, const ProtobufCMessageDescriptor *ours,
                 const StriaProtoMessage *theirs)
{
  ProtobufCMessageDescriptor *copy = g_hash_table_lookup (self->copies, ours);
  GArray *fields;

  if (copy != NULL)
    return copy;
  copy = g_new0 (ProtobufCMessageDescriptor, 1);
  *copy = *ours;
  copy->fields = NULL;
  copy->field_ranges = NULL;
  copy->fields_sorted_by_name = NULL;
  /* The generated one would put the descriptor of our numbers into the message. */
  copy->message_init = NULL;
  g_hash_table_insert (self->copies, (gpointer)ours, copy);
  /* A field may lead back to a message of ours. */
  if (theirs == NULL || g_hash_table_lookup (self->messages, theirs->name) != theirs)
    theirs = find_message (self, ours->name);
  self->n_replaced += theirs != NULL;

  fields = g_array_new (FALSE, FALSE, sizeof (ProtobufCFieldDescriptor));
  for (unsigned i = 0; i < ours->n_fields; i++)
    {
      ProtobufCFieldDescriptor field = ours->fields[i];
      const StriaProtoField *their_field = theirs != NULL ? find_field (theirs, field.name) : NULL;

      if (theirs != NULL
          && (their_field == NULL
              || their_field->repeated != (field.label == PROTOBUF_C_LABEL_REPEATED)
              || !merge_types (field.type, their_field->type, &field.type)))
        {
          g_ptr_array_add (self->missing, g_strdup_printf ("%s.%s", ours->name, field.name));
          continue;
        }
      if (their_field != NULL)
        field.id = their_field->number;
      if (field.type == PROTOBUF_C_TYPE_MESSAGE)
        field.descriptor = copy_descriptor (self, field.descriptor,
                                            their_field != NULL ? their_field->message : NULL);
      g_array_append_val (fields, field);
    }
  set_fields (copy, fields);
  return copy;
}

/**
 * stria_proto_schema_new_set:
 * @set: a FileDescriptorSet
 * @name: base name of its file
 * @error: %STRIA_ERROR_MALFORMED, or _MISMATCH if no message of ours is in it
 *
 * Returns: (transfer full) (nullable): its numbers, and ours for messages that it does not name
 */
StriaProtoSchema *
stria_proto_schema_new_set (GBytes *set, const char *name, GError **error)
{
  g_autoptr (StriaProtoSchema) builtin = stria_proto_schema_new_builtin ();
  g_autoptr (StriaProtoSchema) self = schema_new ();
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new ((gsize)256 << 20);
  g_autoptr (GHashTable) type_names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GError) local = NULL;
  StriaProtoReport report = { 0 };
  gsize length;
  const guint8 *data = g_bytes_get_data (set, &length);
  Stria__Descriptors__FileDescriptorSet *files
      = stria_proto_unpack (builtin, &stria__descriptors__file_descriptor_set__descriptor, arena,
                            data, length, STRIA_PROTO_DEFAULT, &report, &local);
  GHashTableIter iter;
  gpointer field, type_name;

  if (files == NULL || report.n_broken > 0 || files->n_file == 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _ ("%s: expected a FileDescriptorSet as protoc --descriptor_set_out writes"
                      " it: %s"),
                   name, local != NULL ? local->message : _ ("it holds no definitions"));
      return NULL;
    }
  for (size_t i = 0; i < files->n_file; i++)
    {
      const Stria__Descriptors__FileDescriptor *file = files->file[i];
      const char *package = file->package != NULL && g_utf8_validate (file->package, -1, NULL)
                                ? file->package : "";

      for (size_t j = 0; j < file->n_message_type; j++)
        add_theirs (self, package, file->message_type[j], type_names);
    }
  self->builtin = g_steal_pointer (&builtin);
  g_hash_table_iter_init (&iter, type_names);
  while (g_hash_table_iter_next (&iter, &field, &type_name))
    ((StriaProtoField *)field)->message = stria_proto_schema_message (self, type_name);

  self->source = g_strdup (name);
  self->digest = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, set);
  self->copies = g_hash_table_new_full (NULL, NULL, NULL, copy_free);
  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    copy_descriptor (self, roots[i], NULL);
  if (self->n_replaced == 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MISMATCH,
                   _ ("%s: expected definitions of Neuron's messages (such as ntff_info or"
                      " ntrace_info), found %u others"),
                   name, g_hash_table_size (self->messages));
      return NULL;
    }
  return g_steal_pointer (&self);
}

StriaProtoSchema *
stria_proto_schema_new_file (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE,
                                                  G_FILE_QUERY_INFO_NONE, NULL, error);
  g_autoptr (GBytes) bytes = NULL;

  if (info == NULL)
    return NULL;
  if (g_file_info_get_size (info) > MAX_SET_BYTES)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: expected a FileDescriptorSet of at most %d MiB"), name,
                   (int)(MAX_SET_BYTES >> 20));
      return NULL;
    }
  bytes = g_file_load_bytes (file, NULL, NULL, error);
  return bytes != NULL ? stria_proto_schema_new_set (bytes, name, error) : NULL;
}

/* --- looking up ------------------------------------------------------------------------------- */

const char *
stria_proto_schema_get_source (StriaProtoSchema *self)
{
  return self->source;
}

const char *
stria_proto_schema_get_digest (StriaProtoSchema *self)
{
  return self->digest;
}

guint
stria_proto_schema_n_replaced (StriaProtoSchema *self)
{
  return self->n_replaced;
}

const GPtrArray *
stria_proto_schema_get_missing (StriaProtoSchema *self)
{
  return self->missing;
}

const StriaProtoMessage *
stria_proto_schema_message (StriaProtoSchema *self, const char *name)
{
  const StriaProtoMessage *found = find_message (self, name);

  return found == NULL && self->builtin != NULL ? find_message (self->builtin, name) : found;
}

const char *
stria_proto_message_name (const StriaProtoMessage *self)
{
  return self->name;
}

const StriaProtoField *
stria_proto_message_field (const StriaProtoMessage *self, guint32 number)
{
  guint low = 0, high = self->fields->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const StriaProtoField *field = self->fields->pdata[middle];

      if (field->number == number)
        return field;
      if (field->number < number)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

guint32
stria_proto_schema_number (StriaProtoSchema *self, const char *message, const char *field)
{
  const StriaProtoMessage *found = stria_proto_schema_message (self, message);
  const StriaProtoField *there = found != NULL ? find_field (found, field) : NULL;

  return there != NULL ? there->number : 0;
}

const ProtobufCMessageDescriptor *
stria_proto_schema_descriptor (StriaProtoSchema *self, const ProtobufCMessageDescriptor *ours)
{
  const ProtobufCMessageDescriptor *copy
      = self->copies != NULL ? g_hash_table_lookup (self->copies, ours) : NULL;

  return copy != NULL ? copy : ours;
}

/* --- the one in use --------------------------------------------------------------------------- */

static GMutex default_lock;
static StriaProtoSchema *default_schema; /* guarded by the lock */

void
stria_proto_schema_set_default (StriaProtoSchema *self)
{
  StriaProtoSchema *before;

  g_mutex_lock (&default_lock);
  before = default_schema;
  default_schema = self != NULL ? stria_proto_schema_ref (self) : NULL;
  g_mutex_unlock (&default_lock);
  stria_proto_schema_unref (before);
}

StriaProtoSchema *
stria_proto_schema_get_default (void)
{
  StriaProtoSchema *found;

  g_mutex_lock (&default_lock);
  if (default_schema == NULL)
    default_schema = stria_proto_schema_new_builtin ();
  found = stria_proto_schema_ref (default_schema);
  g_mutex_unlock (&default_lock);
  return found;
}
