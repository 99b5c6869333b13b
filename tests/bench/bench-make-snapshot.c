/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench-snapshot.h"
#include "stria-error.h"

#define DEPTH      40
#define N_FRAMES   3000
#define N_STACKS   20000
#define N_KEPT     2000 /* blocks that were there before: weights and the optimizer's states */
#define N_FORWARD  3000 /* blocks of an iteration that live until its backward pass */
#define SLOT       ((guint64) 2 << 20)
#define SEGMENT    ((guint64) 20 << 20)
#define BASE       G_GUINT64_CONSTANT (0x7f0000000000)
#define BATCH      1000
#define NOT_SET    G_MAXUINT32

/* Texts that are one object in the writing program, so that a pickle has each of them once. */
enum
{
  TEXT_name, TEXT_filename, TEXT_line, TEXT_action, TEXT_addr, TEXT_size, TEXT_stream, TEXT_time_us,
  TEXT_compile_context, TEXT_user_metadata, TEXT_frames, TEXT_alloc, TEXT_free_requested,
  TEXT_free_completed, TEXT_device, TEXT_address, TEXT_total_size, TEXT_allocated_size,
  TEXT_active_size, TEXT_requested_size, TEXT_segment_type, TEXT_segment_pool_id,
  TEXT_is_expandable, TEXT_blocks, TEXT_state, TEXT_large, TEXT_active_allocated, TEXT_inactive,
  TEXT_segments, TEXT_device_traces, TEXT_external_annotations, TEXT_stage, TEXT_START, TEXT_END,
  N_TEXTS
};

static const char *const texts[] = {
  "name", "filename", "line", "action", "addr", "size", "stream", "time_us",
  "compile_context", "user_metadata", "frames", "alloc", "free_requested",
  "free_completed", "device", "address", "total_size", "allocated_size",
  "active_size", "requested_size", "segment_type", "segment_pool_id",
  "is_expandable", "blocks", "state", "large", "active_allocated", "inactive",
  "segments", "device_traces", "external_annotations", "stage", "START", "END",
};

typedef struct
{
  FILE    *file;
  guint32  n_memo;
  guint32  text[N_TEXTS];
  guint32  frame[N_FRAMES];
  guint32  stack[N_STACKS][DEPTH];
  guint64  random;
  guint64  time_us;
  guint64  n_left; /* events to write */
  guint    in_batch;
} Writer;

static guint32
next_random (Writer *w, guint32 below)
{
  w->random ^= w->random << 13;
  w->random ^= w->random >> 7;
  w->random ^= w->random << 17;
  return (guint32) ((w->random >> 32) % below);
}

static void
put (Writer *w, guint8 byte)
{
  putc_unlocked (byte, w->file);
}

static void
put_number (Writer *w, guint64 value, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++)
    put (w, (guint8) (value >> (8 * i)));
}

static guint32
memoize (Writer *w)
{
  put (w, 0x94);
  return w->n_memo++;
}

static void
get (Writer *w, guint32 index)
{
  put (w, index < 256 ? 'h' : 'j');
  put_number (w, index, index < 256 ? 1 : 4);
}

static void
push_int (Writer *w, guint64 value)
{
  if (value < 256)
    {
      put (w, 'K');
      put_number (w, value, 1);
    }
  else if (value < 65536)
    {
      put (w, 'M');
      put_number (w, value, 2);
    }
  else if (value < (guint64) 1 << 31)
    {
      put (w, 'J');
      put_number (w, value, 4);
    }
  else
    {
      guint n = 4;

      while (n < 8 && value >> (8 * n - 1) != 0)
        n++;
      put (w, 0x8a);
      put (w, (guint8) n);
      put_number (w, value, n);
    }
}

static guint32
push_new_text (Writer *w, const char *text)
{
  gsize length = strlen (text);

  put (w, 0x8c);
  put (w, (guint8) length);
  fwrite (text, 1, length, w->file);
  return memoize (w);
}

static void
push_text (Writer *w, guint text)
{
  if (w->text[text] == NOT_SET)
    w->text[text] = push_new_text (w, texts[text]);
  else
    get (w, w->text[text]);
}

static void
open_container (Writer *w, char kind)
{
  put (w, (guint8) kind);
  memoize (w);
  put (w, '(');
}

static void
push_pair_int (Writer *w, guint key, guint64 value)
{
  push_text (w, key);
  push_int (w, value);
}

static void
push_frame (Writer *w, guint32 frame)
{
  char name[64];

  if (w->frame[frame] != NOT_SET)
    {
      get (w, w->frame[frame]);
      return;
    }
  put (w, '}');
  w->frame[frame] = memoize (w);
  put (w, '(');
  push_text (w, TEXT_name);
  g_snprintf (name, sizeof name, "%s_%u", frame % 3 == 0 ? "at::native::kernel" : "forward", frame);
  push_new_text (w, name);
  push_text (w, TEXT_filename);
  g_snprintf (name, sizeof name, "/opt/program/layers/module_%u.py", frame % 211);
  push_new_text (w, frame % 3 == 0 ? "??" : name);
  push_pair_int (w, TEXT_line, frame % 3 == 0 ? 0 : frame % 900 + 1);
  put (w, 'u');
}

static guint32
push_stack (Writer *w, guint32 stack)
{
  guint32 index;

  push_text (w, TEXT_frames);
  put (w, ']');
  index = memoize (w);
  put (w, '(');
  for (guint i = 0; i < DEPTH; i++)
    push_frame (w, w->stack[stack][i]);
  put (w, 'e');
  return index;
}

/* Stacks share their outer frames, as those of a program do. */
static void
make_stacks (Writer *w)
{
  for (guint32 s = 0; s < N_STACKS; s++)
    for (guint i = 0; i < DEPTH; i++)
      {
        guint32 branch = i < 4 ? s : i < 10 ? s / 12 : i < 25 ? s / 300 : s / 5000;

        w->stack[s][i] = (branch * 2654435761u + i * 40503u) % N_FRAMES;
      }
}

static guint64
address_of (guint32 slot)
{
  return BASE + slot * SLOT;
}

/* Bytes that a slot's block takes: always the same, so that the snapshot need not be kept. */
static guint64
size_of (guint32 slot)
{
  return 512 + ((guint64) slot * 2654435761u) % (SLOT - 1024);
}

static void
write_block (Writer *w, guint64 address, guint64 size, guint64 requested, gboolean held, guint32 stack)
{
  open_container (w, '}');
  push_pair_int (w, TEXT_address, address);
  push_pair_int (w, TEXT_size, size);
  push_pair_int (w, TEXT_requested_size, requested);
  push_text (w, TEXT_state);
  push_text (w, held ? TEXT_active_allocated : TEXT_inactive);
  if (held)
    push_stack (w, stack);
  put (w, 'u');
}

static void
write_segments (Writer *w)
{
  const guint32 n_slots = N_KEPT + N_FORWARD + 64;
  const guint32 slots_each = (guint32) (SEGMENT / SLOT);

  push_text (w, TEXT_segments);
  open_container (w, ']');
  for (guint32 first = 0; first < n_slots; first += slots_each)
    {
      open_container (w, '}');
      push_pair_int (w, TEXT_device, 0);
      push_pair_int (w, TEXT_address, address_of (first));
      push_pair_int (w, TEXT_total_size, SEGMENT);
      push_pair_int (w, TEXT_stream, 0);
      push_text (w, TEXT_segment_type);
      push_text (w, TEXT_large);
      push_text (w, TEXT_segment_pool_id);
      push_int (w, 0);
      push_int (w, 0);
      put (w, 0x86);
      memoize (w);
      push_text (w, TEXT_is_expandable);
      put (w, 0x89);
      push_text (w, TEXT_blocks);
      open_container (w, ']');
      for (guint32 slot = first; slot < first + slots_each; slot++)
        {
          gboolean held = slot < N_KEPT;
          guint64  size = held ? (size_of (slot) + 511) / 512 * 512 : SLOT;

          write_block (w, address_of (slot), size, held ? size_of (slot) : 0, held,
                       slot % N_STACKS);
          if (size < SLOT)
            write_block (w, address_of (slot) + size, SLOT - size, 0, FALSE, 0);
        }
      put (w, 'e');
      put (w, 'u');
    }
  put (w, 'e');
}

/* @frames: memo index of the frames, or NOT_SET. Returns: that of those written */
static guint32
write_event (Writer *w, guint action, guint32 slot, guint32 stack, guint32 frames)
{
  if (w->n_left == 0)
    return NOT_SET;
  w->n_left--;
  if (w->in_batch == BATCH)
    {
      put (w, 'e');
      put (w, '(');
      w->in_batch = 0;
    }
  w->in_batch++;
  w->time_us += 1 + next_random (w, 9);
  open_container (w, '}');
  push_text (w, TEXT_action);
  push_text (w, action);
  push_pair_int (w, TEXT_addr, address_of (slot));
  push_pair_int (w, TEXT_size, size_of (slot));
  push_pair_int (w, TEXT_stream, 0);
  push_pair_int (w, TEXT_time_us, w->time_us);
  push_text (w, TEXT_compile_context);
  push_new_text (w, "N/A");
  push_text (w, TEXT_user_metadata);
  push_new_text (w, "");
  if (frames == NOT_SET)
    frames = push_stack (w, stack);
  else
    {
      push_text (w, TEXT_frames);
      get (w, frames);
    }
  put (w, 'u');
  return frames;
}

static void
write_free (Writer *w, guint32 slot, guint32 stack)
{
  guint32 frames = write_event (w, TEXT_free_requested, slot, stack, NOT_SET);

  write_event (w, TEXT_free_completed, slot, stack, frames);
}

/* Iterations of a training program: blocks of the forward pass with short-lived ones between, then the
 * backward pass, which frees them from the last to the first. */
static void
write_trace (Writer *w, GArray *marks)
{
  open_container (w, ']');
  for (guint iteration = 0; w->n_left > 0; iteration++)
    {
      g_array_append_val (marks, w->time_us);
      for (guint32 k = 0; k < N_FORWARD; k++)
        {
          guint32 temporary = N_KEPT + N_FORWARD + next_random (w, 64);
          guint32 stack = (k * 5 + iteration % 2) % N_STACKS;

          write_event (w, TEXT_alloc, N_KEPT + k, stack, NOT_SET);
          write_event (w, TEXT_alloc, temporary, stack + 1, NOT_SET);
          write_free (w, temporary, stack + 2);
        }
      for (guint32 k = N_FORWARD; k-- > 0;)
        write_free (w, N_KEPT + k, (k * 5 + 3) % N_STACKS);
      g_array_append_val (marks, w->time_us);
    }
  put (w, 'e');
}

static void
write_marks (Writer *w, const GArray *marks)
{
  push_text (w, TEXT_external_annotations);
  open_container (w, ']');
  for (guint i = 0; i < marks->len; i++)
    {
      char name[32];

      g_snprintf (name, sizeof name, "ProfilerStep#%u", i / 2);
      open_container (w, '}');
      push_text (w, TEXT_stage);
      push_text (w, i % 2 == 0 ? TEXT_START : TEXT_END);
      push_text (w, TEXT_name);
      push_new_text (w, name);
      push_pair_int (w, TEXT_device, 0);
      push_pair_int (w, TEXT_time_us, g_array_index (marks, guint64, i));
      put (w, 'u');
    }
  put (w, 'e');
}

gboolean
bench_make_snapshot (const char *path, guint64 n_events, GError **error)
{
  g_autofree Writer *w = g_new0 (Writer, 1);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (guint64));
  gboolean           good;

  G_STATIC_ASSERT (G_N_ELEMENTS (texts) == N_TEXTS);
  w->file = fopen (path, "wb");
  if (w->file == NULL)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
      return FALSE;
    }
  setvbuf (w->file, NULL, _IOFBF, 1 << 20);
  memset (w->text, 0xff, sizeof w->text);
  memset (w->frame, 0xff, sizeof w->frame);
  w->random = 88172645463325252;
  w->time_us = 1700000000000000;
  w->n_left = n_events;
  make_stacks (w);

  put (w, 0x80);
  put (w, 4);
  open_container (w, '}');
  write_segments (w);
  push_text (w, TEXT_device_traces);
  open_container (w, ']');
  write_trace (w, marks);
  put (w, 'e');
  write_marks (w, marks);
  put (w, 'u');
  put (w, '.');
  good = !ferror (w->file);
  good = fclose (w->file) == 0 && good;
  if (!good)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
  return good;
}
