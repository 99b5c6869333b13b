/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-event-names.h"

#include <string.h>

#include "neuron-events.h"

/* Distinct numbers that a category without a telling name has to map before it is believed. */
#define ENOUGH_NUMBERS 3
/* Texts of events that are kept as names */
#define MAX_NAMES 65536

struct _StriaEventNames
{
  StriaTraceInfo *info;
  GHashTable *seen;   /* guint32 */
  GHashTable *names;  /* key -> StriaEventName */
  GHashTable *hints;  /* text -> StriaEventName */
  GStringChunk *texts;
  const StriaTraceTexts *category;
  gboolean has_table;
};

/* Recovered: enum ntrace_data_type, without what tells a start from an end. */
static const char *const type_names[] = {
  "generic", "nc_timestamp_sync", "cpu_timestamp_sync", "device_exec", "device_exec", "cpu_exec",
  "cpu_exec", "cc", "cc", "cc_barrier", "cc_barrier", "io_copy", "io_copy", "mem_alloc",
  "mem_free",
};

/* Documented: the events that are in the device's clock. */
static const char *const hardware_names[] = {
  "nc_exec_running", "cc_running", "cc_exec_barrier", "numerical_err", "nc_model_switch",
  "timestamp_sync_point", "hw_notify",
};

StriaEventNames *
stria_event_names_new (StriaTraceInfo *info)
{
  StriaEventNames *self = g_new0 (StriaEventNames, 1);

  self->info = info != NULL ? stria_trace_info_ref (info) : NULL;
  self->seen = g_hash_table_new (NULL, NULL);
  self->names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->hints = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  self->texts = g_string_chunk_new (4096);
  for (guint i = 0; info != NULL && i < G_N_ELEMENTS (neuron_events); i++)
    self->has_table |= neuron_events[i].version == info->data_version;
  return self;
}

void
stria_event_names_free (StriaEventNames *self)
{
  g_clear_pointer (&self->info, stria_trace_info_unref);
  g_hash_table_unref (self->seen);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->hints);
  g_string_chunk_free (self->texts);
  g_free (self);
}

void
stria_event_names_seen (StriaEventNames *self, guint32 number)
{
  g_hash_table_add (self->seen, GUINT_TO_POINTER (number));
}

static gboolean
names_all (StriaEventNames *self, const StriaTraceTexts *texts, guint *n_mapped)
{
  GHashTableIter iter;
  gpointer key;
  gboolean all = TRUE;

  *n_mapped = 0;
  g_hash_table_iter_init (&iter, self->seen);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      guint64 number = GPOINTER_TO_UINT (key);

      if (g_hash_table_contains (texts->texts, &number))
        *n_mapped += number != 0;
      else
        all &= number == 0;
    }
  return all && *n_mapped > 0;
}

/* What the categories are is unknown. One whose name tells of events and that maps some of the
 * file's numbers is taken; else the only one that maps them all, if they are several. */
void
stria_event_names_settle (StriaEventNames *self)
{
  const StriaTraceTexts *only = NULL;
  guint n_all = 0;

  for (guint i = 0; self->info != NULL && i < self->info->texts->len; i++)
    {
      const StriaTraceTexts *texts = g_ptr_array_index (self->info->texts, i);
      g_autofree char *lower = g_ascii_strdown (texts->category, -1);
      guint n_mapped;
      gboolean all = names_all (self, texts, &n_mapped);

      if (strstr (lower, "event") != NULL && n_mapped > 0 && self->category == NULL)
        self->category = texts;
      if (all && n_mapped >= ENOUGH_NUMBERS)
        {
          only = texts;
          n_all++;
        }
    }
  if (self->category == NULL && n_all == 1)
    self->category = only;
}

const char *
stria_event_names_category (StriaEventNames *self)
{
  return self->category != NULL ? self->category->category : NULL;
}

gboolean
stria_event_names_has_table (StriaEventNames *self)
{
  return self->has_table;
}

static void
take_text (StriaEventNames *self, StriaEventName *name, const char *text)
{
  g_autofree char *lower = g_ascii_strdown (text, -1);

  name->name = g_string_chunk_insert (self->texts, text);
  for (guint i = 0; i < G_N_ELEMENTS (hardware_names); i++)
    name->is_hardware |= g_str_equal (lower, hardware_names[i]);
  for (guint i = 0; i < G_N_ELEMENTS (neuron_events); i++)
    name->is_hardware |= neuron_events[i].is_hardware
                         && g_ascii_strcasecmp (lower, neuron_events[i].name) == 0;
  /* Documented for dmem_buf_copyin and dmem_buf_copyout; inferred for the batches. */
  if (g_str_equal (lower, "dmem_buf_copyin") || g_str_equal (lower, "dmem_buf_batch_copyin"))
    name->role = STRIA_EVENT_ROLE_COPY_IN;
  if (g_str_equal (lower, "dmem_buf_copyout") || g_str_equal (lower, "dmem_buf_batch_copyout"))
    name->role = STRIA_EVENT_ROLE_COPY_OUT;
}

static void
name_number (StriaEventNames *self, guint32 number, guint32 type, StriaEventName *name)
{
  guint64 key = number;
  const char *interned
      = self->category != NULL ? g_hash_table_lookup (self->category->texts, &key) : NULL;
  g_autofree char *unnamed = NULL;

  if (interned != NULL && interned[0] != '\0')
    {
      name->source = STRIA_NAME_INTERNED;
      take_text (self, name, interned);
      return;
    }
  if (number == 0 && type > 0 && type < G_N_ELEMENTS (type_names))
    {
      name->source = STRIA_NAME_TYPE;
      take_text (self, name, type_names[type]);
      return;
    }
  for (guint i = 0; self->has_table && i < G_N_ELEMENTS (neuron_events); i++)
    if (neuron_events[i].version == self->info->data_version && neuron_events[i].number == number)
      {
        name->source = STRIA_NAME_TABLE;
        take_text (self, name, neuron_events[i].shown);
        name->is_hardware = neuron_events[i].is_hardware;
        return;
      }
  name->source = STRIA_NAME_NUMBER;
  unnamed = g_strdup_printf ("event %u", number);
  take_text (self, name, unnamed);
}

static const StriaEventName *
name_hint (StriaEventNames *self, const char *hint)
{
  StriaEventName *name = g_hash_table_lookup (self->hints, hint);

  if (name == NULL && g_hash_table_size (self->hints) < MAX_NAMES)
    {
      g_autofree char *valid = g_utf8_make_valid (hint, -1);

      name = g_new0 (StriaEventName, 1);
      name->source = STRIA_NAME_FILE;
      take_text (self, name, valid);
      g_hash_table_insert (self->hints, g_string_chunk_insert (self->texts, hint), name);
    }
  return name;
}

const StriaEventName *
stria_event_names_get (StriaEventNames *self, guint32 number, guint32 type, const char *hint)
{
  guint64 key = (guint64) (number == 0 ? type : 0) << 32 | number;
  StriaEventName *name = g_hash_table_lookup (self->names, &key);

  if (name == NULL)
    {
      name = g_new0 (StriaEventName, 1);
      name_number (self, number, type, name);
      g_hash_table_insert (self->names, g_memdup2 (&key, sizeof key), name);
    }
  if (name->source != STRIA_NAME_INTERNED && hint != NULL && hint[0] != '\0')
    {
      const StriaEventName *own = name_hint (self, hint);

      if (own != NULL)
        return own;
    }
  return name;
}

const char *
stria_event_names_resolve (StriaEventNames *self, const char *key, const char *value)
{
  guint64 number;
  const char *end;

  if (self->info == NULL || self->info->texts->len == 0 || !g_ascii_isdigit (value[0]))
    return NULL;
  number = g_ascii_strtoull (value, (char **) &end, 10);
  if (*end != '\0')
    return NULL;
  for (guint i = 0; i < self->info->texts->len; i++)
    {
      const StriaTraceTexts *texts = g_ptr_array_index (self->info->texts, i);

      if (texts != self->category && g_ascii_strcasecmp (texts->category, key) == 0)
        return g_hash_table_lookup (texts->texts, &number);
    }
  return NULL;
}

const char *
stria_name_source_id (StriaNameSource source)
{
  static const char *const ids[] = { "interned", "file", "table", "type", "number" };

  return ids[source];
}
