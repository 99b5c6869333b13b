/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-pairs.h"

#define NONE G_MAXUINT32

/* In two lists: those of its key, oldest first, and all by age */
typedef struct
{
  StriaNtffOpen open;
  guint32 next_of_key; /* or the next free node */
  guint32 older;
  guint32 newer;
} Node;

/* Where the queue of a key begins and ends; an empty slot has both NONE and is not @used */
typedef struct
{
  guint32 key;
  guint32 first;
  guint32 last;
  gboolean used;
} Slot;

struct _StriaNtffPairs
{
  GArray *nodes;
  guint32 free_node;
  Slot *slots;
  guint32 capacity; /* power of two */
  guint32 n_used;
  guint32 oldest;
  guint32 newest;
  guint n_open;
  guint32 last_key;
  gboolean has_last;
};

StriaNtffPairs *
stria_ntff_pairs_new (void)
{
  StriaNtffPairs *self = g_new0 (StriaNtffPairs, 1);

  self->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  self->free_node = self->oldest = self->newest = NONE;
  self->capacity = 64;
  self->slots = g_new0 (Slot, self->capacity);
  return self;
}

void
stria_ntff_pairs_free (StriaNtffPairs *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_free (self->slots);
  g_free (self);
}

static inline Node *
node_at (StriaNtffPairs *self, guint32 i)
{
  return &g_array_index (self->nodes, Node, i);
}

static Slot *
find_slot (StriaNtffPairs *self, guint32 key)
{
  guint32 i = (guint32)((key * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)) >> 32);

  for (;; i++)
    {
      Slot *slot = &self->slots[i & (self->capacity - 1)];

      if (!slot->used || slot->key == key)
        return slot;
    }
}

static void
grow (StriaNtffPairs *self)
{
  Slot *old = self->slots;
  guint32 n = self->capacity;

  /* Keys without a queue are dropped on the way. */
  self->capacity = self->n_used > 0 ? n * 2 : n;
  self->slots = g_new0 (Slot, self->capacity);
  self->n_used = 0;
  for (guint32 i = 0; i < n; i++)
    if (old[i].used && old[i].first != NONE)
      {
        *find_slot (self, old[i].key) = old[i];
        self->n_used++;
      }
  g_free (old);
}

static guint32
take_node (StriaNtffPairs *self)
{
  guint32 i = self->free_node;
  Node node = { .next_of_key = NONE };

  if (i != NONE)
    {
      self->free_node = node_at (self, i)->next_of_key;
      return i;
    }
  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

/* Takes the first of the slot's queue. */
static void
take_first (StriaNtffPairs *self, Slot *slot, StriaNtffOpen *open)
{
  guint32 i = slot->first;
  Node *node = node_at (self, i);

  *open = node->open;
  slot->first = node->next_of_key;
  if (slot->first == NONE)
    slot->last = NONE;
  if (node->older != NONE)
    node_at (self, node->older)->newer = node->newer;
  else
    self->oldest = node->newer;
  if (node->newer != NONE)
    node_at (self, node->newer)->older = node->older;
  else
    self->newest = node->older;
  node->next_of_key = self->free_node;
  self->free_node = i;
  self->n_open--;
}

gboolean
stria_ntff_pairs_begin (StriaNtffPairs *self, const StriaNtffOpen *open, StriaNtffOpen *evicted)
{
  gboolean full = self->n_open >= STRIA_NTFF_MAX_OPEN;
  guint32 i;
  Slot *slot;
  Node *node;

  if (full)
    stria_ntff_pairs_pop (self, evicted);
  if (self->n_used * 2 >= self->capacity)
    grow (self);
  i = take_node (self);
  node = node_at (self, i);
  *node = (Node){ *open, NONE, self->newest, NONE };
  if (self->newest != NONE)
    node_at (self, self->newest)->newer = i;
  else
    self->oldest = i;
  self->newest = i;

  slot = find_slot (self, open->key);
  if (!slot->used)
    {
      *slot = (Slot){ open->key, NONE, NONE, TRUE };
      self->n_used++;
    }
  if (slot->last != NONE)
    node_at (self, slot->last)->next_of_key = i;
  else
    slot->first = i;
  slot->last = i;
  self->n_open++;
  self->last_key = open->key;
  self->has_last = TRUE;
  return full;
}

gboolean
stria_ntff_pairs_end (StriaNtffPairs *self, guint32 key, StriaNtffOpen *open)
{
  Slot *slot = find_slot (self, key);

  if (!slot->used || slot->first == NONE)
    return FALSE;
  take_first (self, slot, open);
  return TRUE;
}

gboolean
stria_ntff_pairs_pop (StriaNtffPairs *self, StriaNtffOpen *open)
{
  Slot *slot;

  if (self->oldest == NONE)
    return FALSE;
  /* The oldest of all is the oldest of its key. */
  slot = find_slot (self, node_at (self, self->oldest)->open.key);
  take_first (self, slot, open);
  return TRUE;
}

guint
stria_ntff_pairs_size (StriaNtffPairs *self)
{
  return self->n_open;
}

gboolean
stria_ntff_pairs_last (StriaNtffPairs *self, guint32 *key)
{
  *key = self->last_key;
  return self->has_last;
}
