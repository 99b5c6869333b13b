/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-proto-private.h"

#define ALIGN ((gsize) 16)
#define BLOCK ((gsize) 64 << 10)

typedef struct _Block Block;
struct _Block
{
  Block *next;
  gsize size; /* of what follows */
  gsize used;
  gsize pad;
};

G_STATIC_ASSERT (sizeof (Block) % ALIGN == 0);

struct _StriaProtoArena
{
  ProtobufCAllocator allocator;
  Block *blocks; /* the first one is filled; the last one is kept when all is freed */
  gsize total;
  gsize limit;
  gboolean exhausted;
};

static Block *
block_new (StriaProtoArena *self, gsize size)
{
  Block *block;

  if (size > self->limit || self->total > self->limit - size)
    {
      self->exhausted = TRUE;
      return NULL;
    }
  block = g_try_malloc (sizeof *block + size);
  if (block == NULL)
    {
      self->exhausted = TRUE;
      return NULL;
    }
  *block = (Block){ .size = size };
  self->total += size;
  return block;
}

static void *
arena_alloc (void *data, size_t size)
{
  StriaProtoArena *self = data;
  Block *block = self->blocks;
  void *found;

  if (size > self->limit)
    {
      self->exhausted = TRUE;
      return NULL;
    }
  size = (MAX (size, 1) + ALIGN - 1) / ALIGN * ALIGN;
  if (block == NULL || block->size - block->used < size)
    {
      gboolean large = size > BLOCK / 4;

      block = block_new (self, large ? size : BLOCK);
      if (block == NULL)
        return NULL;
      /* A large one is full at once: the block that is being filled stays the first. */
      if (large && self->blocks != NULL)
        {
          block->next = self->blocks->next;
          self->blocks->next = block;
        }
      else
        {
          block->next = self->blocks;
          self->blocks = block;
        }
    }
  found = (guint8 *)(block + 1) + block->used;
  block->used += size;
  return found;
}

static void
arena_free (void *data, void *pointer)
{
  /* All at once, later. */
}

/**
 * stria_proto_arena_new:
 * @limit: bytes that may be in use at once
 *
 * Returns: (transfer full): an empty arena
 */
StriaProtoArena *
stria_proto_arena_new (gsize limit)
{
  StriaProtoArena *self = g_new0 (StriaProtoArena, 1);

  self->allocator = (ProtobufCAllocator){ arena_alloc, arena_free, self };
  self->limit = MAX (limit, BLOCK);
  return self;
}

void
stria_proto_arena_reset (StriaProtoArena *self)
{
  Block *kept = NULL;

  for (Block *block = self->blocks, *next; block != NULL; block = next)
    {
      next = block->next;
      if (kept == NULL && block->size == BLOCK)
        {
          block->used = 0;
          block->next = NULL;
          kept = block;
        }
      else
        g_free (block);
    }
  self->blocks = kept;
  self->total = kept != NULL ? BLOCK : 0;
  self->exhausted = FALSE;
}

void
stria_proto_arena_free (StriaProtoArena *self)
{
  if (self == NULL)
    return;
  stria_proto_arena_reset (self);
  g_free (self->blocks);
  g_free (self);
}

ProtobufCAllocator *
stria_proto_arena_allocator (StriaProtoArena *self)
{
  return &self->allocator;
}

gboolean
stria_proto_arena_is_exhausted (StriaProtoArena *self)
{
  return self->exhausted;
}

gsize
stria_proto_arena_get_limit (StriaProtoArena *self)
{
  return self->limit;
}
