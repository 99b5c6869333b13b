/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that snapshots of an allocator hold through lines of source. */
#include "config.h"

#include "stria-source-place.h"
#include "stria-source-private.h"

typedef struct
{
  StriaSourceIndex *self;
  StriaSnapshotData *snapshot;
  GArray *stack_of; /* guint32 by stack of the snapshot; G_MAXUINT32: not asked yet */
  GArray *bytes;    /* double by place, then kept */
  GArray *file_bytes;
} Snapshots;

static guint32
stack_of (Snapshots *all, guint32 stack)
{
  g_autoptr (GArray) places = NULL;
  const guint32 *frames;
  guint32 n, known = g_array_index (all->stack_of, guint32, stack);

  if (known != G_MAXUINT32)
    return known;
  places = g_array_new (FALSE, FALSE, sizeof (guint32));
  frames = stria_snapshot_get_stack (all->snapshot, stack, &n);
  for (guint32 f = 0; f < n; f++)
    {
      const StriaAllocFrame *frame = stria_snapshot_get_frame (all->snapshot, frames[f]);
      const char *path = stria_snapshot_get_string (all->snapshot, frame->filename);
      guint32 place;

      if (frame->line <= 0 || frame->line > G_MAXINT32 || !stria_source_is_file (path))
        continue;
      place = stria_source_place (all->self, path, -1, (guint32) frame->line,
                                  stria_snapshot_get_string (all->snapshot, frame->name));
      g_array_append_val (places, place);
    }
  known = stria_source_stack (all->self, (const guint32 *) (gpointer) places->data, places->len);
  g_array_index (all->stack_of, guint32, stack) = known;
  return known;
}

static void
add_bytes (GArray *bytes, const guint32 *targets, guint32 n, double value)
{
  for (guint32 i = 0; i < n; i++)
    {
      if (bytes->len <= targets[i])
        g_array_set_size (bytes, targets[i] + 1);
      g_array_index (bytes, double, targets[i]) += value;
    }
}

static void
add_device (Snapshots *all, StriaAllocator *allocator, GCancellable *cancellable)
{
  const guint32 peak
      = stria_allocator_peak (allocator, 0, stria_allocator_get_n_events (allocator));
  g_autoptr (GArray) rows
      = stria_allocator_group (allocator, STRIA_GROUP_STACK, peak, peak, cancellable, NULL);

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      const StriaAllocGroupRow *row = &g_array_index (rows, StriaAllocGroupRow, i);
      const SourceStack *stack;
      const guint32 *targets;

      if (row->key >= all->stack_of->len)
        continue;
      all->self->all_bytes += (double) row->live_bytes;
      stack = stria_source_get_stack (all->self, stack_of (all, (guint32) row->key));
      targets = (const guint32 *) (gpointer) all->self->targets->data;
      add_bytes (all->bytes, targets + stack->first_place, stack->n_places,
                 (double) row->live_bytes);
      add_bytes (all->file_bytes, targets + stack->first_file, stack->n_files,
                 (double) row->live_bytes);
    }
}

void
stria_source_add_snapshots (StriaSourceIndex *self, GPtrArray *snapshots,
                            GCancellable *cancellable)
{
  Snapshots all = { .self = self,
                    .bytes = g_array_new (FALSE, TRUE, sizeof (double)),
                    .file_bytes = g_array_new (FALSE, TRUE, sizeof (double)) };

  for (guint i = 0; i < snapshots->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      const guint32 none = G_MAXUINT32;

      all.snapshot = g_ptr_array_index (snapshots, i);
      all.stack_of = g_array_new (FALSE, FALSE, sizeof (guint32));
      for (guint32 s = 0; s < stria_snapshot_get_n_stacks (all.snapshot); s++)
        g_array_append_val (all.stack_of, none);
      for (guint d = 0; d < stria_snapshot_get_n_devices (all.snapshot); d++)
        add_device (&all, stria_snapshot_get_device (all.snapshot, d), cancellable);
      g_array_unref (all.stack_of);
    }
  if (all.bytes->len > 0)
    {
      g_array_set_size (all.bytes, self->places->len);
      g_array_set_size (all.file_bytes, self->files->len);
      self->place_bytes = g_memdup2 (all.bytes->data, all.bytes->len * sizeof (double));
      self->file_bytes = g_memdup2 (all.file_bytes->data, all.file_bytes->len * sizeof (double));
    }
  g_array_unref (all.bytes);
  g_array_unref (all.file_bytes);
}
