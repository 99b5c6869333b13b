/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-alloc-private.h"
#include "stria-hash.h"

/* -- addresses ------------------------------------------------------------------------------- */

/* What is known of an address while the events are replayed. */
typedef struct
{
  guint64 address;
  guint32 element; /* + 1; 0 = not live */
  guint32 version;
  guint32 request; /* event + 1 of a free request without a live block */
  guint32 used;
} Address;

typedef struct
{
  Address *slots;
  gsize mask;
  gsize n;
} Addresses;

static Address *
address_of (Addresses *self, guint64 address)
{
  gsize i = stria_hash_u64 (address) & self->mask;

  while (self->slots[i].used)
    {
      if (self->slots[i].address == address)
        return &self->slots[i];
      i = (i + 1) & self->mask;
    }
  if (self->n * 2 > self->mask)
    {
      Addresses grown = { g_new0 (Address, (self->mask + 1) * 2), self->mask * 2 + 1, self->n };
      for (gsize k = 0; k <= self->mask; k++)
        if (self->slots[k].used)
          {
            gsize j = stria_hash_u64 (self->slots[k].address) & grown.mask;
            while (grown.slots[j].used)
              j = (j + 1) & grown.mask;
            grown.slots[j] = self->slots[k];
          }
      g_free (self->slots);
      *self = grown;
      i = stria_hash_u64 (address) & self->mask;
      while (self->slots[i].used)
        i = (i + 1) & self->mask;
    }
  self->n++;
  self->slots[i] = (Address){ .address = address, .used = 1 };
  return &self->slots[i];
}

/* -- elements (formats: A3.2) ---------------------------------------------------------------- */

/* Elements born in the trace are numbered from 0 while events are replayed, those from before it in
 * a list of their own; TEMPORARY marks the latter until all are known. */
#define TEMPORARY 0x80000000u

static void
add_ghosts (StriaAllocator *self, Addresses *addresses, GArray *initial)
{
  for (guint s = 0; s < self->segments->len; s++)
    {
      const StriaFinalSegment *segment = &g_array_index (self->segments, StriaFinalSegment, s);
      guint16 stream = stria_ordinal (self->streams, &self->stream_index, segment->segment.stream);
      guint16 pool = stria_ordinal (self->pools, &self->pool_index, segment->segment.pool);

      for (guint b = 0; b < segment->n_blocks; b++)
        {
          const StriaAllocBlock *block
              = &g_array_index (self->blocks, StriaAllocBlock, segment->first_block + b);
          Address *address;

          if (block->state != STRIA_BLOCK_ALLOCATED)
            continue;
          address = address_of (addresses, block->address);
          if (address->element != 0)
            continue;
          StriaElement ghost = {
            .address = block->address,
            .size = block->requested_size,
            .rounded = block->size,
            .birth = STRIA_NO_EVENT,
            .request = STRIA_NO_EVENT,
            .death = STRIA_NO_EVENT,
            .stack = block->stack,
            .version = address->version,
            .stream = stream,
            .pool = pool,
            .flags = STRIA_ELEMENT_GHOST | STRIA_ELEMENT_LIVE,
          };
          g_array_append_val (initial, ghost);
          address->element = (TEMPORARY | (initial->len - 1)) + 1;
          self->n_ghosts++;
        }
    }
}

static guint32
count_allocations (const StriaAllocator *self)
{
  guint32 n = 0;

  for (guint32 i = 0; i < self->n_events; i++)
    n += self->action[i] == STRIA_ALLOC_ALLOC;
  return n;
}

typedef struct
{
  guint32 *birth;
  guint32 *death;
  guint32 *request;
  guint32 *version;
  guint64 *size;
  guint32 n;
} Born;

static void
free_event (StriaAllocator *self, Born *born, GArray *initial, Address *address, guint32 event)
{
  if (address->element == 0)
    {
      StriaElement element = {
        .address = self->address[event],
        .size = self->size[event],
        .birth = STRIA_NO_EVENT,
        .request = address->request != 0 ? address->request - 1 : STRIA_NO_EVENT,
        .death = event,
        .stack = self->stack[event],
        .version = address->version,
        .stream = self->stream[event],
        .pool = self->pool[event],
        .category = self->category != NULL ? self->category[event] : 0,
        .flags = STRIA_ELEMENT_UNMATCHED,
      };
      g_array_append_val (initial, element);
      self->event_element[event] = TEMPORARY | (initial->len - 1);
      if (element.request != STRIA_NO_EVENT)
        self->event_element[element.request] = self->event_element[event];
      self->n_unmatched++;
    }
  else
    {
      guint32 element = address->element - 1;
      self->event_element[event] = element;
      if (element & TEMPORARY)
        g_array_index (initial, StriaElement, element & ~TEMPORARY).death = event;
      else
        born->death[element] = event;
    }
  address->element = 0;
  address->request = 0;
  address->version++;
}

static void
replay (StriaAllocator *self, Addresses *addresses, Born *born, GArray *initial)
{
  for (guint32 i = 0; i < self->n_events; i++)
    {
      Address *address;

      self->event_element[i] = STRIA_NO_ELEMENT;
      switch ((StriaAllocAction) self->action[i])
        {
        case STRIA_ALLOC_ALLOC:
          address = address_of (addresses, self->address[i]);
          if (address->element != 0)
            {
              /* Its free is missing: it ends where the address is used again. */
              guint32 old = address->element - 1;
              if (!(old & TEMPORARY))
                born->death[old] = i;
              self->n_overlaps++;
              address->version++;
            }
          born->birth[born->n] = i;
          born->death[born->n] = STRIA_NO_EVENT;
          born->request[born->n] = STRIA_NO_EVENT;
          born->version[born->n] = address->version;
          born->size[born->n] = self->size[i];
          self->event_element[i] = born->n;
          address->element = born->n + 1;
          address->request = 0;
          born->n++;
          break;
        case STRIA_ALLOC_FREE_REQUESTED:
          address = address_of (addresses, self->address[i]);
          if (address->element == 0)
            address->request = address->request != 0 ? address->request : i + 1;
          else
            {
              self->event_element[i] = address->element - 1;
              /* The first request counts. */
              if (!((address->element - 1) & TEMPORARY)
                  && born->request[address->element - 1] == STRIA_NO_EVENT)
                born->request[address->element - 1] = i;
            }
          break;
        case STRIA_ALLOC_FREE_COMPLETED:
          free_event (self, born, initial, address_of (addresses, self->address[i]), i);
          break;
        case STRIA_ALLOC_ANNOTATE:
          address = address_of (addresses, self->address[i]);
          if (address->element != 0)
            self->event_element[i] = address->element - 1;
          break;
        default:
          break;
        }
    }
}

/* The array itself with room for @m before its @n: there need not be two of them at once. */
static gpointer
behind (gpointer array, gsize n, gsize m, gsize size)
{
  guint8 *grown = g_realloc_n (array, MAX (m + n, 1), size);

  memmove (grown + m * size, grown, n * size);
  return grown;
}

/* Final numbers: those from before, reversed, then those born. */
static void
number_elements (StriaAllocator *self, Born *born, GArray *initial)
{
  guint32 m = initial->len, n = born->n;

  self->n_initial = m;
  self->n_elements = m + n;
  self->initial = g_new0 (StriaElement, MAX (m, 1));
  for (guint32 i = 0; i < m; i++)
    self->initial[m - 1 - i] = g_array_index (initial, StriaElement, i);
  self->birth = behind (born->birth, n, m, sizeof (guint32));
  self->death = behind (born->death, n, m, sizeof (guint32));
  self->request = behind (born->request, n, m, sizeof (guint32));
  self->version = behind (born->version, n, m, sizeof (guint32));
  self->element_size = behind (born->size, n, m, sizeof (guint64));
  self->rounded = g_new0 (guint64, MAX (m + n, 1));
  for (guint32 i = 0; i < m; i++)
    {
      self->birth[i] = STRIA_NO_EVENT;
      self->death[i] = self->initial[i].death;
      self->request[i] = self->initial[i].request;
      self->version[i] = self->initial[i].version;
      self->element_size[i] = self->initial[i].size;
      self->rounded[i] = self->initial[i].rounded;
    }
  for (guint32 i = 0; i < self->n_events; i++)
    {
      guint32 element = self->event_element[i];
      if (element == STRIA_NO_ELEMENT)
        continue;
      self->event_element[i] = element & TEMPORARY ? m - 1 - (element & ~TEMPORARY) : m + element;
    }
}

static void
find_rounded (StriaAllocator *self, Addresses *addresses)
{
  for (guint b = 0; b < self->blocks->len; b++)
    {
      const StriaAllocBlock *block = &g_array_index (self->blocks, StriaAllocBlock, b);
      if (block->state != STRIA_BLOCK_ALLOCATED && block->state != STRIA_BLOCK_PENDING_FREE)
        continue;
      const Address *address = address_of (addresses, block->address);
      if (address->element == 0 || (address->element - 1) & TEMPORARY)
        continue;
      self->rounded[self->n_initial + address->element - 1] = block->size;
    }
}

void
stria_allocator_build_elements (StriaAllocator *self)
{
  guint32 n = count_allocations (self);
  Addresses addresses = { g_new0 (Address, 1024), 1023, 0 };
  g_autoptr (GArray) initial = g_array_new (FALSE, FALSE, sizeof (StriaElement));
  Born born = {
    g_new (guint32, MAX (n, 1)), g_new (guint32, MAX (n, 1)), g_new (guint32, MAX (n, 1)),
    g_new (guint32, MAX (n, 1)), g_new (guint64, MAX (n, 1)), 0,
  };

  self->event_element = g_new (guint32, MAX (self->n_events, 1));
  replay (self, &addresses, &born, initial);
  add_ghosts (self, &addresses, initial);
  number_elements (self, &born, initial);
  find_rounded (self, &addresses);
  g_free (addresses.slots);
}
