/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "alloc-maker.h"

static const char *const categories[] = { "parameter", "gradient", "activation" };

/* -- lives, found the slow way ---------------------------------------------------------------- */

/* The event that gave @address to whom has it before @event, or STRIA_NO_EVENT. */
static guint32
holder (const AllocMaker *self, guint64 address, guint32 event)
{
  for (guint32 i = event; i-- > 0;)
    {
      const StriaAllocEvent *e = &g_array_index (self->events, StriaAllocEvent, i);

      if (e->address == address && e->action == STRIA_ALLOC_ALLOC)
        return i;
      if (e->address == address && e->action == STRIA_ALLOC_FREE_COMPLETED)
        return STRIA_NO_EVENT;
    }
  return STRIA_NO_EVENT;
}

/* The first free of @address that was asked for after @from and before @to. */
static guint32
request_between (const AllocMaker *self, guint64 address, guint32 from, guint32 to)
{
  for (guint32 i = from; i < to; i++)
    {
      const StriaAllocEvent *e = &g_array_index (self->events, StriaAllocEvent, i);

      if (e->address == address && e->action == STRIA_ALLOC_FREE_REQUESTED)
        return i;
    }
  return STRIA_NO_EVENT;
}

static guint32
last_change (const AllocMaker *self, guint64 address, guint32 before)
{
  for (guint32 i = before; i-- > 0;)
    {
      const StriaAllocEvent *e = &g_array_index (self->events, StriaAllocEvent, i);

      if (e->address == address
          && (e->action == STRIA_ALLOC_ALLOC || e->action == STRIA_ALLOC_FREE_COMPLETED))
        return i + 1;
    }
  return 0;
}

static void
add_life (GArray *lives, const StriaElement *element, gboolean initial)
{
  AllocLife life = { *element, initial };

  if (element->death == STRIA_NO_EVENT)
    life.e.flags |= STRIA_ELEMENT_LIVE;
  g_array_append_val (lives, life);
}

static void
find_ghosts (AllocMaker *self)
{
  for (guint b = self->blocks->len; b-- > 0;)
    {
      const StriaAllocBlock *block = &g_array_index (self->blocks, StriaAllocBlock, b);
      StriaElement           e = {
        .address = block->address,
        .size = block->requested_size,
        .rounded = block->size,
        .birth = STRIA_NO_EVENT,
        .request = STRIA_NO_EVENT,
        .death = STRIA_NO_EVENT,
        .stack = block->stack,
        .flags = STRIA_ELEMENT_GHOST,
      };

      if (block->state == STRIA_BLOCK_ALLOCATED
          && holder (self, block->address, self->n_events) == STRIA_NO_EVENT)
        add_life (self->lives, &e, TRUE);
    }
}

static void
find_unmatched (AllocMaker *self)
{
  for (guint32 i = self->n_events; i-- > 0;)
    {
      const StriaAllocEvent *event = &g_array_index (self->events, StriaAllocEvent, i);
      StriaElement           e = {
        .address = event->address,
        .size = event->size,
        .birth = STRIA_NO_EVENT,
        .death = i,
        .stack = event->stack,
        .category = event->category,
        .flags = STRIA_ELEMENT_UNMATCHED,
      };

      if (event->action != STRIA_ALLOC_FREE_COMPLETED
          || holder (self, event->address, i) != STRIA_NO_EVENT)
        continue;
      e.request = request_between (self, event->address, last_change (self, event->address, i), i);
      add_life (self->lives, &e, TRUE);
    }
}

static void
find_born (AllocMaker *self)
{
  for (guint32 i = 0; i < self->n_events; i++)
    {
      const StriaAllocEvent *event = &g_array_index (self->events, StriaAllocEvent, i);
      StriaElement           e = {
        .address = event->address,
        .size = event->size,
        .birth = i,
        .death = STRIA_NO_EVENT,
        .stack = event->stack,
        .category = event->category,
      };

      if (event->action != STRIA_ALLOC_ALLOC)
        continue;
      for (guint32 k = i + 1; k < self->n_events && e.death == STRIA_NO_EVENT; k++)
        {
          const StriaAllocEvent *end = &g_array_index (self->events, StriaAllocEvent, k);

          if (end->address == e.address
              && (end->action == STRIA_ALLOC_ALLOC || end->action == STRIA_ALLOC_FREE_COMPLETED))
            e.death = k;
        }
      e.request = request_between (self, e.address, i, MIN (e.death, self->n_events));
      for (guint b = 0; b < self->blocks->len && e.death == STRIA_NO_EVENT; b++)
        {
          const StriaAllocBlock *block = &g_array_index (self->blocks, StriaAllocBlock, b);

          if (block->address == e.address
              && (block->state == STRIA_BLOCK_ALLOCATED || block->state == STRIA_BLOCK_PENDING_FREE))
            e.rounded = block->size;
        }
      add_life (self->lives, &e, FALSE);
    }
}

gboolean
alloc_life_is_live (const AllocLife *life, guint32 step)
{
  return (life->initial || life->e.birth < step) && life->e.death >= step;
}

/* -- feeding ---------------------------------------------------------------------------------- */

typedef struct
{
  StriaSink      *sink;
  StriaAllocSink *alloc;
  guint32         category[G_N_ELEMENTS (categories)];
} Feed;

static void
open_feed (AllocMaker *self, Feed *feed)
{
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/made", NULL, "made", 1, 0);

  self->capture = stria_capture_new ("/made");
  stria_capture_add_artifact (self->capture, artifact);
  feed->sink = stria_capture_open_sink (self->capture, 0);
  feed->alloc = feed->sink->allocator (feed->sink);
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    feed->category[i] = feed->sink->intern (feed->sink, categories[i], strlen (categories[i]));
  for (guint i = 0; i < G_N_ELEMENTS (self->stacks); i++)
    {
      guint32 frames[4];
      guint   n = 1 + i % G_N_ELEMENTS (frames);

      for (guint k = 0; k < n; k++)
        {
          g_autofree char *name = g_strdup_printf ("function_%u", (i + k * 3) % 5);
          const char      *file = (i + k) % 3 == 0 ? "??" : "step.py";
          guint32 name_id = feed->sink->intern (feed->sink, name, strlen (name));
          guint32 file_id = feed->sink->intern (feed->sink, file, strlen (file));

          frames[k] = feed->alloc->frame (feed->alloc, name_id, file_id, (i + k * 3) % 5, 0);
        }
      self->stacks[i] = feed->alloc->stack (feed->alloc, frames, n);
    }
}

static void
close_feed (AllocMaker *self, Feed *feed, const StriaAllocAnnotation *marks, guint n_marks)
{
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (StriaAllocBlock));
  guint              done = 0;

  for (guint s = 0; s < self->segments->len; s++)
    {
      const StriaAllocSegment *segment = &g_array_index (self->segments, StriaAllocSegment, s);

      g_array_set_size (blocks, 0);
      for (; done < self->blocks->len
             && g_array_index (self->blocks, StriaAllocBlock, done).address
                    < segment->address + segment->total_size;
           done++)
        g_array_append_val (blocks, g_array_index (self->blocks, StriaAllocBlock, done));
      feed->alloc->segment (feed->alloc, segment, (const StriaAllocBlock *) blocks->data,
                            blocks->len);
    }
  /* In pieces, as a decoder gives them. */
  for (guint32 i = 0; i < self->n_events;)
    {
      guint32 n = (guint32) g_test_rand_int_range (1, 100);

      n = MIN (n, self->n_events - i);
      feed->alloc->events (feed->alloc, 0, &g_array_index (self->events, StriaAllocEvent, i), n);
      i += n;
    }
  feed->alloc->trace (feed->alloc, 0, 0, FALSE);
  for (guint i = 0; i < n_marks; i++)
    {
      StriaAllocAnnotation mark = marks[i];
      g_autofree char     *name = g_strdup_printf ("ProfilerStep#%u", marks[i].name);

      mark.name = feed->sink->intern (feed->sink, name, strlen (name));
      feed->alloc->annotation (feed->alloc, &mark);
    }
  stria_capture_close_sink (self->capture, feed->sink, TRUE);
  self->snapshots = stria_capture_get_snapshots (self->capture);
  g_assert_cmpuint (self->snapshots->len, ==, 1);
  self->data = self->snapshots->pdata[0];
  g_assert_cmpuint (stria_snapshot_get_n_devices (self->data), ==, 1);
  self->allocator = stria_snapshot_get_device (self->data, 0);
  find_ghosts (self);
  find_unmatched (self);
  find_born (self);
}

static AllocMaker *
maker_new (void)
{
  AllocMaker *self = g_new0 (AllocMaker, 1);

  self->events = g_array_new (FALSE, FALSE, sizeof (StriaAllocEvent));
  self->segments = g_array_new (FALSE, FALSE, sizeof (StriaAllocSegment));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (StriaAllocBlock));
  self->lives = g_array_new (FALSE, TRUE, sizeof (AllocLife));
  return self;
}

/* Three segments, with gaps between in which some slots lie, of what is live at the end and of blocks
 * that no event tells of. */
static void
make_segments (AllocMaker *self)
{
  static const guint borders[][2] = { { 0, 12 }, { 14, 25 }, { 25, 38 } };

  for (guint s = 0; s < G_N_ELEMENTS (borders); s++)
    {
      StriaAllocSegment segment = {
        .address = ALLOC_BASE + (guint64) borders[s][0] * ALLOC_SLOT,
        .has_address = TRUE,
        .total_size = (guint64) (borders[s][1] - borders[s][0]) * ALLOC_SLOT,
        .stream = 0,
        .pool = STRIA_POOL (0, 0),
        .stack = STRIA_NO_STACK,
      };

      g_array_append_val (self->segments, segment);
      for (guint slot = borders[s][0]; slot < borders[s][1]; slot++)
        {
          StriaAllocBlock block = {
            .address = ALLOC_BASE + (guint64) slot * ALLOC_SLOT,
            .size = ALLOC_SLOT,
            .stack = self->stacks[slot % 8],
            .state = STRIA_BLOCK_INACTIVE,
          };
          guint32 event = holder (self, block.address, self->n_events);

          if (event != STRIA_NO_EVENT)
            {
              block.state = STRIA_BLOCK_ALLOCATED;
              block.requested_size = g_array_index (self->events, StriaAllocEvent, event).size;
            }
          else if (g_test_rand_int_range (0, 4) == 0)
            {
              block.state = STRIA_BLOCK_ALLOCATED;
              block.requested_size = (guint64) g_test_rand_int_range (1, ALLOC_SLOT + 1);
            }
          g_array_append_val (self->blocks, block);
        }
    }
}

AllocMaker *
alloc_maker_new (guint n_events, guint wild, gboolean times)
{
  AllocMaker *self = maker_new ();
  Feed        feed = { 0 };
  guint64     sizes[ALLOC_SLOTS] = { 0 };
  gint64      time_us = 1000;

  open_feed (self, &feed);
  for (guint i = 0; i < n_events; i++)
    {
      guint           slot = (guint) g_test_rand_int_range (0, ALLOC_SLOTS);
      gboolean        breaks = (guint) g_test_rand_int_range (0, 100) < wild;
      StriaAllocEvent event = {
        .address = ALLOC_BASE + (guint64) slot * ALLOC_SLOT,
        .stream = 0,
        .pool = STRIA_POOL (0, 0),
        .time_us = times ? time_us : STRIA_NO_TIME,
        .stack = self->stacks[g_test_rand_int_range (0, 8)],
        .category = feed.category[g_test_rand_int_range (0, 3)],
      };

      time_us += g_test_rand_int_range (0, 3);
      if (breaks)
        event.action = (guint8) g_test_rand_int_range (0, 3);
      else if (g_test_rand_int_range (0, 20) == 0)
        event.action = STRIA_ALLOC_ANNOTATE;
      else
        event.action = sizes[slot] == 0 ? STRIA_ALLOC_ALLOC : STRIA_ALLOC_FREE_COMPLETED;
      if (event.action == STRIA_ALLOC_ALLOC)
        sizes[slot] = (guint64) g_test_rand_int_range (1, ALLOC_SLOT + 1);
      event.size = sizes[slot] != 0 ? sizes[slot] : 77;
      if (event.action == STRIA_ALLOC_FREE_COMPLETED)
        {
          sizes[slot] = 0;
          if (g_test_rand_int_range (0, 2) == 0)
            {
              StriaAllocEvent request = event;

              request.action = STRIA_ALLOC_FREE_REQUESTED;
              g_array_append_val (self->events, request);
            }
        }
      g_array_append_val (self->events, event);
    }
  self->n_events = self->events->len;
  make_segments (self);
  close_feed (self, &feed, NULL, 0);
  return self;
}

AllocMaker *
alloc_maker_feed (const StriaAllocEvent *events, guint n, const StriaAllocBlock *blocks,
                  guint n_blocks, const StriaAllocAnnotation *marks, guint n_marks)
{
  AllocMaker       *self = maker_new ();
  Feed              feed = { 0 };
  StriaAllocSegment segment = {
    .address = ALLOC_BASE,
    .has_address = TRUE,
    .total_size = ALLOC_SLOTS * ALLOC_SLOT,
    .pool = STRIA_POOL (0, 0),
    .stack = STRIA_NO_STACK,
  };

  open_feed (self, &feed);
  g_array_append_vals (self->events, events, n);
  self->n_events = n;
  if (n_blocks > 0)
    {
      g_array_append_vals (self->blocks, blocks, n_blocks);
      g_array_append_val (self->segments, segment);
    }
  close_feed (self, &feed, marks, n_marks);
  return self;
}

void
alloc_maker_free (AllocMaker *self)
{
  g_ptr_array_unref (self->snapshots);
  g_object_unref (self->capture);
  g_array_unref (self->events);
  g_array_unref (self->segments);
  g_array_unref (self->blocks);
  g_array_unref (self->lives);
  g_free (self);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

AllocMaker *
alloc_maker_case (guint i)
{
  static const guint sizes[] = { 1, 3, 40, 300, 700, 1500, 3000 };
  static const guint wild[] = { 0, 10, 60 };

  return alloc_maker_new (sizes[i % G_N_ELEMENTS (sizes)], wild[i % G_N_ELEMENTS (wild)],
                          i % 2 == 0);
}

const AllocLife *
alloc_maker_life (const AllocMaker *made, guint32 element)
{
  return &g_array_index (made->lives, AllocLife, element);
}

guint32
alloc_maker_step (const AllocMaker *made)
{
  return (guint32) g_test_rand_int_range (0, (gint) made->n_events + 1);
}

guint64
alloc_maker_bytes (const AllocMaker *made, guint32 step)
{
  guint64 bytes = 0;

  for (guint32 e = 0; e < made->lives->len; e++)
    if (alloc_life_is_live (alloc_maker_life (made, e), step))
      bytes += alloc_maker_life (made, e)->e.size;
  return bytes;
}
