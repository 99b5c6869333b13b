/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-alloc-private.h"

/* Who holds the memory: sums over elements by something they share. */

static guint32
element_stack (const StriaAllocator *self, guint32 element)
{
  return element < self->n_initial ? self->initial[element].stack
                                   : self->stack[self->birth[element]];
}

/* Smallest power of @base that is at least @value. */
static guint64
class_of (guint64 value, guint64 base)
{
  guint64 bound = 1;

  while (bound < value && bound <= G_MAXUINT64 / base)
    bound *= base;
  return bound;
}

static guint64
group_key (StriaAllocator *self, StriaAllocGroup by, guint32 element)
{
  StriaElement e;

  switch (by)
    {
    case STRIA_GROUP_STACK:
      return element_stack (self, element);
    case STRIA_GROUP_FRAME:
      return stria_snapshot_stack_label (self->snapshot, element_stack (self, element));
    case STRIA_GROUP_SIZE:
      return class_of (self->element_size[element], 2);
    case STRIA_GROUP_LIFETIME:
      {
        guint32 birth = self->birth[element], death = self->death[element];
        if (death == STRIA_NO_EVENT)
          return 0;
        return class_of (death - (birth == STRIA_NO_EVENT ? 0 : birth), 10);
      }
    case STRIA_GROUP_CATEGORY:
      stria_allocator_get_element (self, element, &e);
      return e.category;
    case STRIA_GROUP_POOL:
      stria_allocator_get_element (self, element, &e);
      return e.pool;
    case STRIA_GROUP_STREAM:
      stria_allocator_get_element (self, element, &e);
      return e.stream;
    default:
      g_assert_not_reached ();
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const StriaAllocGroupRow *x = a, *y = b;

  if (x->live_bytes != y->live_bytes)
    return x->live_bytes > y->live_bytes ? -1 : 1;
  if (x->total_bytes != y->total_bytes)
    return x->total_bytes > y->total_bytes ? -1 : 1;
  return x->key < y->key ? -1 : x->key > y->key;
}

typedef struct
{
  guint64 key;
  double life_sum;
  guint64 life_count;
} Life;

GArray *
stria_allocator_group (StriaAllocator *self, StriaAllocGroup by, guint32 step, guint32 base_step,
                       GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) index = g_hash_table_new (g_int64_hash, g_int64_equal);
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (StriaAllocGroupRow));
  g_autoptr (GArray) lives = g_array_new (FALSE, TRUE, sizeof (Life));
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  guint64 last_key = 0;
  guint last_row = G_MAXUINT;

  step = MIN (step, self->n_events);
  base_step = MIN (base_step, self->n_events);
  for (guint32 e = 0; e < self->n_elements; e++)
    {
      guint64 key = group_key (self, by, e);
      guint row;

      if ((e & 65535) == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          g_array_unref (rows);
          return NULL;
        }
      if (last_row != G_MAXUINT && key == last_key)
        row = last_row;
      else
        {
          gint64 probe = (gint64) key;
          gpointer known = g_hash_table_lookup (index, &probe);
          if (known == NULL)
            {
              StriaAllocGroupRow fresh = { .key = key, .mean_life = -1 };
              Life life = { .key = key };
              gint64 *stored = g_new (gint64, 1);
              *stored = (gint64) key;
              g_ptr_array_add (keys, stored);
              g_array_append_val (rows, fresh);
              g_array_append_val (lives, life);
              g_hash_table_insert (index, stored, GUINT_TO_POINTER (rows->len));
              row = rows->len - 1;
            }
          else
            row = GPOINTER_TO_UINT (known) - 1;
          last_key = key;
          last_row = row;
        }
      StriaAllocGroupRow *r = &g_array_index (rows, StriaAllocGroupRow, row);
      guint64 size = self->element_size[e];
      if (stria_allocator_is_live (self, e, step))
        {
          r->live_bytes += size;
          r->live_count++;
          r->growth_bytes += (gint64) size;
        }
      if (stria_allocator_is_live (self, e, base_step))
        r->growth_bytes -= (gint64) size;
      if (self->birth[e] != STRIA_NO_EVENT)
        {
          r->total_bytes += size;
          r->total_count++;
          if (self->death[e] != STRIA_NO_EVENT)
            {
              Life *life = &g_array_index (lives, Life, row);
              life->life_sum += self->death[e] - self->birth[e];
              life->life_count++;
            }
        }
    }
  for (guint i = 0; i < rows->len; i++)
    {
      const Life *life = &g_array_index (lives, Life, i);
      if (life->life_count > 0)
        g_array_index (rows, StriaAllocGroupRow, i).mean_life
            = life->life_sum / (double) life->life_count;
    }
  g_array_sort (rows, compare_rows);
  return rows;
}

/* -- the flame graph ------------------------------------------------------------------------- */

typedef struct
{
  guint64 bytes;
  guint64 count;
  gint64 growth;
} StackSum;

static void
add_step (StriaAllocator *self, guint32 step, gint sign, StackSum *sums, guint32 n_stacks)
{
  g_autoptr (GArray) live = stria_allocator_live (self, step);

  for (guint i = 0; i < live->len; i++)
    {
      guint32 element = g_array_index (live, guint32, i);
      guint32 stack = element_stack (self, element);
      StackSum *sum = &sums[stack < n_stacks ? stack : n_stacks];
      gint64 size = (gint64) self->element_size[element];

      sum->growth += sign * size;
      if (sign > 0)
        {
          sum->bytes += (guint64) size;
          sum->count++;
        }
    }
}

typedef struct
{
  StriaFlameNode node;
  guint32 next; /* sibling */
  guint32 child;
} Grown;

static guint32
child_of (GArray *nodes, GHashTable *index, guint32 parent, guint32 frame)
{
  guint64 key = (guint64) parent << 32 | frame;
  gpointer known = g_hash_table_lookup (index, GSIZE_TO_POINTER (key + 1));

  if (known != NULL)
    return GPOINTER_TO_UINT (known);
  Grown grown = {
    .node = { .frame = frame,
              .parent = parent,
              .depth = g_array_index (nodes, Grown, parent).node.depth + 1 },
    .next = g_array_index (nodes, Grown, parent).child,
    .child = 0,
  };
  g_array_append_val (nodes, grown);
  g_array_index (nodes, Grown, parent).child = nodes->len - 1;
  g_hash_table_insert (index, GSIZE_TO_POINTER (key + 1), GUINT_TO_POINTER (nodes->len - 1));
  return nodes->len - 1;
}

static void
add_stack (StriaAllocator *self, GArray *nodes, GHashTable *index, guint32 stack,
           const StackSum *sum, gboolean hide_noise)
{
  guint32 n, at = 0;
  const guint32 *frames = stria_snapshot_get_stack (self->snapshot, stack, &n);

#define ADD(i)                                                                                     \
  G_STMT_START                                                                                     \
  {                                                                                                \
    StriaFlameNode *node_ = &g_array_index (nodes, Grown, (i)).node;                               \
    node_->bytes += sum->bytes;                                                                    \
    node_->count += sum->count;                                                                    \
    node_->growth += sum->growth;                                                                  \
  }                                                                                                \
  G_STMT_END
  ADD (0);
  if (n == 0)
    {
      at = child_of (nodes, index, 0, G_MAXUINT32);
      ADD (at);
    }
  /* Stacks are innermost first; the tree grows from the outermost. */
  for (guint32 i = n; i-- > 0;)
    {
      if (hide_noise && stria_snapshot_frame_is_noise (self->snapshot, frames[i]))
        continue;
      at = child_of (nodes, index, at, frames[i]);
      ADD (at);
    }
#undef ADD
  g_array_index (nodes, Grown, at).node.self_bytes += sum->bytes;
}

static int
compare_children (gconstpointer a, gconstpointer b, gpointer data)
{
  const GArray *nodes = data;
  const StriaFlameNode *x = &g_array_index (nodes, Grown, *(const guint32 *) a).node;
  const StriaFlameNode *y = &g_array_index (nodes, Grown, *(const guint32 *) b).node;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* Breadth first, so that the children of each node stand together. */
static GArray *
in_order (GArray *nodes)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (StriaFlameNode));
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 root = 0;

  g_array_append_val (out, g_array_index (nodes, Grown, 0).node);
  g_array_append_val (queue, root);
  for (guint q = 0; q < queue->len; q++)
    {
      guint32 old = g_array_index (queue, guint32, q);
      g_array_set_size (children, 0);
      for (guint32 c = g_array_index (nodes, Grown, old).child; c != 0;
           c = g_array_index (nodes, Grown, c).next)
        g_array_append_val (children, c);
      g_array_sort_with_data (children, compare_children, nodes);
      g_array_index (out, StriaFlameNode, q).first_child = out->len;
      g_array_index (out, StriaFlameNode, q).n_children = children->len;
      for (guint i = 0; i < children->len; i++)
        {
          guint32 c = g_array_index (children, guint32, i);
          StriaFlameNode node = g_array_index (nodes, Grown, c).node;
          node.parent = q;
          g_array_append_val (out, node);
          g_array_append_val (queue, c);
        }
    }
  return out;
}

GArray *
stria_allocator_flame (StriaAllocator *self, guint32 step, guint32 base_step, gboolean hide_noise,
                       GCancellable *cancellable, GError **error)
{
  guint32 n_stacks = stria_snapshot_get_n_stacks (self->snapshot);
  g_autofree StackSum *sums = g_new0 (StackSum, (gsize) n_stacks + 1);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (Grown));
  g_autoptr (GHashTable) index = g_hash_table_new (NULL, NULL);
  Grown root = { .node = { .frame = G_MAXUINT32, .parent = G_MAXUINT32 } };

  add_step (self, step, 1, sums, n_stacks);
  if (base_step != step)
    add_step (self, base_step, -1, sums, n_stacks);
  else
    for (guint32 s = 0; s <= n_stacks; s++)
      sums[s].growth = 0;
  g_array_append_val (nodes, root);
  for (guint32 s = 0; s <= n_stacks; s++)
    {
      if ((s & 4095) == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (sums[s].count > 0 || sums[s].growth != 0)
        add_stack (self, nodes, index, s < n_stacks ? s : STRIA_NO_STACK, &sums[s], hide_noise);
    }
  return in_order (nodes);
}

/* -- leaks ----------------------------------------------------------------------------------- */

/* The part of a name before a number at its end, with what introduces it: "ProfilerStep#12" gives
 * 13 characters. 0 if there is no number. */
static gsize
numbered_prefix (const char *name)
{
  gsize length = strlen (name), end = length;

  while (end > 0 && g_ascii_isdigit (name[end - 1]))
    end--;
  return end < length && end > 0 ? end : 0;
}

static GArray *
leak_points (StriaAllocator *self, const char *prefix)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *found = g_strdup (prefix);

  if (found == NULL)
    {
      g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      guint most = 1;
      for (guint i = 0; i < self->bands->len; i++)
        {
          const StriaAllocBand *band = &g_array_index (self->bands, StriaAllocBand, i);
          const char *name = stria_snapshot_get_string (self->snapshot, band->name);
          gsize length = numbered_prefix (name);
          if (length == 0)
            continue;
          char *key = g_strndup (name, length);
          guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1;
          if (count > most)
            {
              most = count;
              g_free (found);
              found = g_strdup (key);
            }
          g_hash_table_replace (counts, key, GUINT_TO_POINTER (count));
        }
    }
  for (guint i = 0; found != NULL && i < self->bands->len; i++)
    {
      const StriaAllocBand *band = &g_array_index (self->bands, StriaAllocBand, i);
      const char *name = stria_snapshot_get_string (self->snapshot, band->name);
      if (g_str_has_prefix (name, found) && band->end_us != STRIA_NO_TIME)
        g_array_append_val (points, band->end_step);
    }
  if (points->len == 0)
    for (guint32 i = 1; i <= 10; i++)
      {
        guint32 step = (guint32) ((guint64) self->n_events * i / 10);
        g_array_append_val (points, step);
      }
  return points;
}

static int
compare_leaks (gconstpointer a, gconstpointer b)
{
  const StriaLeakSuspect *x = a, *y = b;
  guint64 gx = x->last_bytes - x->first_bytes, gy = y->last_bytes - y->first_bytes;

  if (gx != gy)
    return gx > gy ? -1 : 1;
  return x->stack < y->stack ? -1 : x->stack > y->stack;
}

GArray *
stria_allocator_leaks (StriaAllocator *self, const char *prefix, guint min_points,
                       GCancellable *cancellable, GError **error)
{
  guint32 n_stacks = stria_snapshot_get_n_stacks (self->snapshot);
  g_autoptr (GArray) points = leak_points (self, prefix);
  g_autofree guint64 *first = g_new0 (guint64, (gsize) n_stacks + 1);
  g_autofree guint64 *last = g_new0 (guint64, (gsize) n_stacks + 1);
  g_autofree guint64 *now = g_new0 (guint64, (gsize) n_stacks + 1);
  g_autofree guint32 *grew = g_new0 (guint32, (gsize) n_stacks + 1);
  g_autofree guint8 *shrank = g_new0 (guint8, (gsize) n_stacks + 1);
  g_autofree guint64 *count = g_new0 (guint64, (gsize) n_stacks + 1);
  GArray *suspects = g_array_new (FALSE, FALSE, sizeof (StriaLeakSuspect));

  if (points->len < MAX (min_points, 2))
    return suspects;
  for (guint p = 0; p < points->len; p++)
    {
      g_autoptr (GArray) live = stria_allocator_live (self, g_array_index (points, guint32, p));

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          g_array_unref (suspects);
          return NULL;
        }
      memset (now, 0, ((gsize) n_stacks + 1) * sizeof *now);
      memset (count, 0, ((gsize) n_stacks + 1) * sizeof *count);
      for (guint i = 0; i < live->len; i++)
        {
          guint32 e = g_array_index (live, guint32, i);
          guint32 stack = MIN (element_stack (self, e), n_stacks);
          now[stack] += self->element_size[e];
          count[stack]++;
        }
      for (guint32 s = 0; s < n_stacks; s++)
        {
          if (p == 0)
            first[s] = now[s];
          else
            {
              shrank[s] |= now[s] < last[s];
              grew[s] += now[s] > last[s];
            }
          last[s] = now[s];
        }
    }
  /* What grew once only is as likely a cache that filled: twice at least. */
  for (guint32 s = 0; s < n_stacks; s++)
    if (!shrank[s] && grew[s] >= MIN (2, points->len - 1) && last[s] > first[s])
      {
        StriaLeakSuspect suspect = { s, points->len, first[s], last[s], count[s] };
        g_array_append_val (suspects, suspect);
      }
  g_array_sort (suspects, compare_leaks);
  return suspects;
}

/* -- events by filter ------------------------------------------------------------------------ */

static gboolean
contains (const char *text, const char *needle, gsize length)
{
  char lower = g_ascii_tolower (needle[0]), upper = g_ascii_toupper (needle[0]);

  for (; *text != '\0'; text++)
    if ((*text == lower || *text == upper) && g_ascii_strncasecmp (text, needle, length) == 0)
      return TRUE;
  return FALSE;
}

/* Stacks with a frame that has the text: frames are few, so each text is looked at once. */
static guint8 *
matching_stacks (StriaAllocator *self, const char *text)
{
  StriaSnapshotData *data = self->snapshot;
  guint32 n_stacks = stria_snapshot_get_n_stacks (data);
  guint32 n_frames = stria_snapshot_get_n_frames (data);
  g_autofree guint8 *frames = g_new0 (guint8, MAX (n_frames, 1));
  guint8 *stacks = g_new0 (guint8, (gsize) n_stacks + 1);

  for (guint32 f = 0; f < n_frames; f++)
    {
      g_autofree char *line = stria_snapshot_frame_text (data, f);
      frames[f] = contains (line, text, strlen (text));
    }
  for (guint32 s = 0; s < n_stacks; s++)
    {
      guint32 n;
      const guint32 *stack = stria_snapshot_get_stack (data, s, &n);
      for (guint32 i = 0; i < n && !stacks[s]; i++)
        stacks[s] = frames[stack[i]];
    }
  return stacks;
}

static gboolean
text_matches (StriaAllocator *self, guint32 event, const guint8 *stacks, const char *text)
{
  guint32 stack = self->stack[event];
  const guint32 *columns[] = { self->metadata, self->category, self->context, self->label };

  if (stack != STRIA_NO_STACK && stacks[stack])
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i] != NULL && columns[i][event] != 0
        && contains (stria_snapshot_get_string (self->snapshot, columns[i][event]), text,
                     strlen (text)))
      return TRUE;
  return FALSE;
}

/* The first event of a kind behind @event, no further than the next time that a cancel is looked for */
static guint32
next_of (const StriaAllocator *self, guint8 action, guint32 event)
{
  const guint32 limit = MIN ((event | 65535) + 1, self->n_events);
  const guint8 *found
      = memchr (self->action + event, action, limit - event);

  return found != NULL ? (guint32) (found - self->action) : limit;
}

GArray *
stria_allocator_filter (StriaAllocator *self, const StriaAllocFilter *filter,
                        GCancellable *cancellable, GError **error)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean has_text = filter->text != NULL && filter->text[0] != '\0';
  g_autofree guint8 *stacks = has_text ? matching_stacks (self, filter->text) : NULL;

  for (guint32 i = 0; i < self->n_events; i++)
    {
      if ((i & 65535) == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          g_array_unref (events);
          return NULL;
        }
      if (filter->actions != 0 && !(filter->actions >> self->action[i] & 1))
        {
          /* One kind of event is asked for again and again, and is mostly rare */
          if ((filter->actions & (filter->actions - 1)) == 0)
            i = next_of (self, (guint8) g_bit_nth_lsf (filter->actions, -1), i) - 1;
          continue;
        }
      if (filter->has_stream && self->stream[i] != filter->stream)
        continue;
      if (filter->has_pool && self->pool[i] != filter->pool)
        continue;
      if (self->size[i] < filter->min_size || self->size[i] > filter->max_size)
        continue;
      if (filter->address != 0
          && (filter->address < self->address[i]
              || filter->address - self->address[i] >= MAX (self->size[i], 1)))
        continue;
      if (has_text && !text_matches (self, i, stacks, filter->text))
        continue;
      g_array_append_val (events, i);
    }
  return events;
}
