/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-hash.h"
#include "stria-strings.h"

/* Ids are looked up through two levels, so that a table that grows never moves what a reader on
 * another thread may be looking at. */
#define ENTRY_BITS 14
#define ENTRIES_PER_CHUNK (1u << ENTRY_BITS)
#define MAX_CHUNKS (1u << (32 - ENTRY_BITS))
#define ARENA_SIZE ((gsize) 256 << 10)

typedef struct
{
  const char *text;
  guint32 length;
  guint32 hash;
} Entry;

struct _StriaStrings
{
  gatomicrefcount refs;
  Entry **chunks;
  guint32 size;
  guint32 *slots; /* id + 1, 0 = free */
  guint32 slot_mask;
  GPtrArray *arenas;
  char *arena;
  gsize arena_used;
  gsize arena_size;
};

static Entry *
get_entry (StriaStrings *self, guint32 id)
{
  return &self->chunks[id >> ENTRY_BITS][id & (ENTRIES_PER_CHUNK - 1)];
}

static char *
arena_copy (StriaStrings *self, const char *text, gsize length)
{
  if (self->arena == NULL || self->arena_size - self->arena_used < length + 1)
    {
      gsize size = MAX (ARENA_SIZE, length + 1);

      self->arena = g_malloc (size);
      self->arena_size = size;
      self->arena_used = 0;
      g_ptr_array_add (self->arenas, self->arena);
    }
  char *copy = self->arena + self->arena_used;
  memcpy (copy, text, length);
  copy[length] = '\0';
  self->arena_used += length + 1;
  return copy;
}

static void
grow_slots (StriaStrings *self)
{
  guint32 n = (self->slot_mask + 1) * 2;
  guint32 *slots = g_new0 (guint32, n);

  for (guint32 id = 0; id < self->size; id++)
    {
      guint32 i = get_entry (self, id)->hash & (n - 1);
      while (slots[i] != 0)
        i = (i + 1) & (n - 1);
      slots[i] = id + 1;
    }
  g_free (self->slots);
  self->slots = slots;
  self->slot_mask = n - 1;
}

/**
 * stria_strings_new:
 *
 * Returns: (transfer full): a table that holds the empty string as id 0
 */
StriaStrings *
stria_strings_new (void)
{
  StriaStrings *self = g_new0 (StriaStrings, 1);

  g_atomic_ref_count_init (&self->refs);
  self->chunks = g_new0 (Entry *, MAX_CHUNKS);
  self->slots = g_new0 (guint32, 4096);
  self->slot_mask = 4095;
  self->arenas = g_ptr_array_new_with_free_func (g_free);
  stria_strings_intern (self, "", 0);
  return self;
}

StriaStrings *
stria_strings_ref (StriaStrings *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_strings_unref (StriaStrings *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint32 i = 0; i < MAX_CHUNKS && self->chunks[i] != NULL; i++)
    g_free (self->chunks[i]);
  g_free (self->chunks);
  g_free (self->slots);
  g_ptr_array_unref (self->arenas);
  g_free (self);
}

/**
 * stria_strings_intern:
 * @text: (array length=length): UTF-8, need not end in NUL
 *
 * Returns: the id of the text
 */
guint32
stria_strings_intern (StriaStrings *self, const char *text, gsize length)
{
  guint32 hash = (guint32) stria_hash_bytes (text, length);
  guint32 i = hash & self->slot_mask;

  while (self->slots[i] != 0)
    {
      const Entry *entry = get_entry (self, self->slots[i] - 1);
      if (entry->hash == hash && entry->length == length && memcmp (entry->text, text, length) == 0)
        return self->slots[i] - 1;
      i = (i + 1) & self->slot_mask;
    }

  guint32 id = self->size;
  if (self->chunks[id >> ENTRY_BITS] == NULL)
    self->chunks[id >> ENTRY_BITS] = g_new (Entry, ENTRIES_PER_CHUNK);
  *get_entry (self, id) = (Entry){ arena_copy (self, text, length), (guint32) length, hash };
  self->slots[i] = id + 1;
  self->size++;
  if ((guint64) self->size * 2 > self->slot_mask)
    grow_slots (self);
  return id;
}

guint32
stria_strings_find (StriaStrings *self, const char *text, gsize length)
{
  guint32 hash = (guint32) stria_hash_bytes (text, length);
  guint32 i = hash & self->slot_mask;

  for (; self->slots[i] != 0; i = (i + 1) & self->slot_mask)
    {
      const Entry *entry = get_entry (self, self->slots[i] - 1);
      if (entry->hash == hash && entry->length == length && memcmp (entry->text, text, length) == 0)
        return self->slots[i] - 1;
    }
  return G_MAXUINT32;
}

/**
 * stria_strings_get:
 *
 * Returns: (transfer none): the text, NUL-terminated; the empty string for an unknown id
 */
const char *
stria_strings_get (StriaStrings *self, guint32 id)
{
  if (G_UNLIKELY (id >= self->size))
    return "";
  return get_entry (self, id)->text;
}

gsize
stria_strings_length (StriaStrings *self, guint32 id)
{
  if (G_UNLIKELY (id >= self->size))
    return 0;
  return get_entry (self, id)->length;
}

guint32
stria_strings_size (StriaStrings *self)
{
  return self->size;
}
