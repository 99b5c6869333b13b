/* SPDX-License-Identifier: Apache-2.0 */
/* What is remembered of lanes from one trace of a capture to the next, and from one run of the program
 * to the next; and which lanes are left out. */
#include "config.h"

#include "stria-timeline-layout-private.h"

#include <string.h>

#define SAVED_TYPE "a(syqu)"

/* What is kept of a process or lane. */
typedef struct
{
  guint8  flags;
  guint16 height;
  guint32 rank; /* place among its siblings */
} Kept;

/* Keys and names come from files and may hold anything; \x1f keeps the parts apart. */
static char *
group_identity (StriaTimelineLayout *self, guint32 group)
{
  if (self->grouping == STRIA_GROUPING_FILE)
    return g_strdup (self->groups->keys[group]);
  return g_strdup_printf ("%s\x1f%s\x1f", stria_grouping_word (self->grouping),
                          self->groups->keys[group]);
}

static char *
process_identity (StriaTrace *trace, guint32 process)
{
  const StriaProcess *p = stria_trace_get_process (trace, process);

  return g_strdup_printf ("%s\x1f%u", p->key != NULL ? p->key : "", p->artifact);
}

static char *
lane_identity (StriaTrace *trace, guint32 number)
{
  StriaLane *lane = stria_trace_get_lane (trace, number);
  const guint32 process_number = stria_lane_get_process (lane);
  const guint32 artifact = stria_lane_get_artifact (lane);
  g_autofree char *process = process_identity (trace, process_number);
  g_autofree char *file = NULL;
  const char *key = stria_lane_get_key (lane);

  /* Lanes of the files of one process may have the same key. */
  if (artifact != stria_trace_get_process (trace, process_number)->artifact)
    file = g_strdup_printf ("\x1f%u", artifact);
  return g_strdup_printf ("%s\x1f%s\x1f%s\x1f%d%s", process, key != NULL ? key : "",
                          stria_lane_get_name (lane), (int) stria_lane_get_kind (lane),
                          file != NULL ? file : "");
}

static void
keep (GHashTable *kept, char *identity, guint8 flags, guint16 height, guint32 rank)
{
  Kept *value = g_new (Kept, 1);

  value->flags = flags & (STATE_COLLAPSED | STATE_PINNED | STATE_HIDDEN);
  value->height = height;
  value->rank = rank;
  g_hash_table_replace (kept, identity, value);
}

GHashTable *
stria_timeline_layout_keep (StriaTimelineLayout *self)
{
  GHashTable *kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint32 i = 0; i < self->n_processes; i++)
    {
      const guint32 process = self->process_order[i];

      keep (kept, group_identity (self, process), self->process_state[process], 0, i);
      for (guint32 j = self->lane_begin[process]; j < self->lane_begin[process + 1]; j++)
        keep (kept, lane_identity (self->trace, self->lane_order[j]),
              self->lane_state[self->lane_order[j]], self->lane_height[self->lane_order[j]],
              j - self->lane_begin[process]);
    }
  return kept;
}

typedef struct
{
  guint32 number;
  guint32 rank;
  guint32 place;
} Ranked;

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const Ranked *left = a;
  const Ranked *right = b;

  if (left->rank != right->rank)
    return left->rank < right->rank ? -1 : 1;
  return left->place < right->place ? -1 : left->place > right->place;
}

/* Puts numbers in the order that was kept; a new one stays behind the one it follows in the trace. */
static void
restore_order (guint32 *order, guint32 n, const guint32 *rank_of)
{
  g_autofree Ranked *ranked = g_new (Ranked, MAX (n, 1));
  guint32 last = 0;

  for (guint32 i = 0; i < n; i++)
    {
      const guint32 rank = rank_of[order[i]];

      if (rank != G_MAXUINT32)
        last = rank;
      ranked[i] = (Ranked){ order[i], last, i };
    }
  qsort (ranked, n, sizeof *ranked, compare_ranked);
  for (guint32 i = 0; i < n; i++)
    order[i] = ranked[i].number;
}

/* Returns: its rank, or %G_MAXUINT32 */
static guint32
take_state (StriaTimelineLayout *self, GHashTable *kept, char *identity, guint8 *state,
            guint16 *height)
{
  const Kept *value = g_hash_table_lookup (kept, identity);

  if (value == NULL && self->saved != NULL)
    value = g_hash_table_lookup (self->saved, identity);
  g_free (identity);
  if (value == NULL)
    return G_MAXUINT32;
  *state = value->flags;
  if (height != NULL)
    *height = value->height;
  return value->rank;
}

void
stria_timeline_layout_restore (StriaTimelineLayout *self, GHashTable *kept)
{
  g_autofree guint32 *rank = g_new (guint32, MAX (self->n_lanes, self->n_processes) + 1);

  for (guint32 i = 0; i < self->n_processes; i++)
    rank[i] = take_state (self, kept, group_identity (self, i), &self->process_state[i], NULL);
  if (self->moved)
    restore_order (self->process_order, self->n_processes, rank);
  for (guint32 i = 0; i < self->n_lanes; i++)
    rank[i] = take_state (self, kept, lane_identity (self->trace, i), &self->lane_state[i],
                          &self->lane_height[i]);
  for (guint32 i = 0; self->moved && i < self->n_processes; i++)
    restore_order (self->lane_order + self->lane_begin[i],
                   self->lane_begin[i + 1] - self->lane_begin[i], rank);
}


/* -- which lanes are left out ------------------------------------------------------------------ */

static gboolean
contains (const char *folded, const char *text)
{
  g_autofree char *other = text != NULL ? g_utf8_casefold (text, -1) : NULL;

  return other != NULL && strstr (other, folded) != NULL;
}

/* Parts between bars: one of them has to be in the name of the lane, or of its process. */
static gboolean
passes (StriaTimelineLayout *self, StriaLane *lane, GRegex *regex, char **parts)
{
  const StriaProcess *process
      = stria_trace_get_process (self->trace, stria_lane_get_process (lane));
  const char *name = stria_lane_get_name (lane);

  if (regex != NULL)
    return g_regex_match (regex, name, 0, NULL)
           || (process->name != NULL && g_regex_match (regex, process->name, 0, NULL));
  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0' && (contains (parts[i], name) || contains (parts[i], process->name)))
      return TRUE;
  return FALSE;
}

static GRegex *
filter_regex (const char *filter)
{
  const gsize length = strlen (filter);
  g_autofree char *inner = NULL;

  if (length < 3 || filter[0] != '/' || filter[length - 1] != '/')
    return NULL;
  inner = g_strndup (filter + 1, length - 2);
  return g_regex_new (inner, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL);
}

static gboolean
has_class (StriaTimelineLayout *self, StriaLaneClass class)
{
  for (guint32 i = 0; i < self->n_lanes; i++)
    if (stria_lane_get_class (stria_trace_get_lane (self->trace, i)) == class)
      return TRUE;
  return FALSE;
}

void
stria_timeline_layout_mask (StriaTimelineLayout *self)
{
  const gboolean filtered = self->filter != NULL && self->filter[0] != '\0';
  g_autoptr (GRegex) regex = filtered ? filter_regex (self->filter) : NULL;
  g_auto (GStrv) parts = NULL;
  guint left_out = self->hidden_classes;

  if (filtered)
    {
      g_autofree char *folded = g_utf8_casefold (self->filter, -1);

      parts = g_strsplit (folded, "|", -1);
      for (guint i = 0; parts[i] != NULL; i++)
        g_strstrip (parts[i]);
    }
  /* A way of showing transfers leaves out the other one only where there is something to show. */
  if (self->dma == STRIA_DMA_BY_QUEUE && has_class (self, STRIA_LANE_CLASS_DMA_QUEUES))
    left_out |= 1u << STRIA_LANE_CLASS_DMA_ENGINES;
  if (self->dma == STRIA_DMA_BY_ENGINE && has_class (self, STRIA_LANE_CLASS_DMA_ENGINES))
    left_out |= 1u << STRIA_LANE_CLASS_DMA_QUEUES;
  for (guint32 i = 0; i < self->n_lanes; i++)
    {
      StriaLane *lane = stria_trace_get_lane (self->trace, i);
      const StriaLaneStack *stack
          = self->stacks != NULL ? stria_lane_stacks_of (self->stacks, i) : NULL;
      guint8 *state = &self->lane_state[i];

      *state &= (guint8) ~STATE_MASKED;
      if ((left_out >> stria_lane_get_class (lane) & 1) != 0
          || (stack != NULL && !self->separate && stack->leader != i)
          || (filtered && (*state & STATE_PINNED) == 0 && !passes (self, lane, regex, parts)))
        *state |= STATE_MASKED;
    }
}

/* -- from one run to the next ------------------------------------------------------------------ */

/**
 * stria_timeline_layout_save:
 *
 * Returns: (transfer full): what was chosen of the lanes, as a text for stria_timeline_layout_load()
 */
char *
stria_timeline_layout_save (StriaTimelineLayout *self)
{
  g_autoptr (GHashTable) kept = stria_timeline_layout_keep (self);
  GHashTable *both[] = { self->saved, kept };
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  g_autoptr (GVariant) whole = NULL;
  GVariantBuilder items;

  g_variant_builder_init (&items, G_VARIANT_TYPE (SAVED_TYPE));
  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    {
      GHashTableIter iter;
      gpointer key, value;

      if (both[i] == NULL)
        continue;
      g_hash_table_iter_init (&iter, both[i]);
      while (g_hash_table_iter_next (&iter, &key, &value))
        {
          const Kept *k = value;

          if ((i == 0 && g_hash_table_contains (kept, key)) || !g_utf8_validate (key, -1, NULL)
              || (k->flags == 0 && k->height == 0 && !self->moved))
            continue;
          g_variant_builder_add (&items, "(syqu)", key, k->flags, k->height, k->rank);
        }
    }
  g_variant_dict_insert_value (&dict, "lanes", g_variant_builder_end (&items));
  g_variant_dict_insert (&dict, "moved", "b", self->moved);
  g_variant_dict_insert (&dict, "dma", "u", (guint32) self->dma);
  g_variant_dict_insert (&dict, "hidden", "u", self->hidden_classes);
  g_variant_dict_insert (&dict, "separate", "b", self->separate);
  g_variant_dict_insert (&dict, "grouping", "s", stria_grouping_word (self->grouping));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  return g_variant_print (whole, FALSE);
}

/**
 * stria_timeline_layout_load:
 * @text: what stria_timeline_layout_save() gave
 *
 * Lanes that the trace has take what was saved of them at once, others when they come. A text that
 * is not one of those changes nothing.
 */
void
stria_timeline_layout_load (StriaTimelineLayout *self, const char *text)
{
  g_autoptr (GVariant) whole = g_variant_parse (G_VARIANT_TYPE_VARDICT, text, NULL, NULL, NULL);
  g_autoptr (GVariant) items = NULL;
  g_autoptr (GHashTable) none = g_hash_table_new (g_str_hash, g_str_equal);
  GVariantIter iter;
  const char *identity = NULL;
  const char *grouping = NULL;
  guint8 flags = 0;
  guint16 height = 0;
  guint32 rank = 0, dma = 0, hidden = 0;

  if (whole == NULL)
    return;
  items = g_variant_lookup_value (whole, "lanes", G_VARIANT_TYPE (SAVED_TYPE));
  g_clear_pointer (&self->saved, g_hash_table_unref);
  self->saved = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_variant_lookup (whole, "moved", "b", &self->moved);
  g_variant_lookup (whole, "separate", "b", &self->separate);
  if (g_variant_lookup (whole, "dma", "u", &dma) && dma <= STRIA_DMA_BOTH)
    self->dma = (StriaDmaLanes) dma;
  if (g_variant_lookup (whole, "hidden", "u", &hidden))
    self->hidden_classes = hidden & ((1u << STRIA_LANE_N_CLASSES) - 1);
  if (items != NULL)
    {
      g_variant_iter_init (&iter, items);
      while (g_variant_iter_next (&iter, "(&syqu)", &identity, &flags, &height, &rank))
        keep (self->saved, g_strdup (identity), flags, (guint16) MIN (height, STRIA_LAYOUT_HEIGHT_MOST),
              rank);
    }
  if (g_variant_lookup (whole, "grouping", "&s", &grouping))
    self->grouping = stria_grouping_parse (grouping);
  stria_timeline_layout_rebuild (self, none);
}

/* -- what is chosen ---------------------------------------------------------------------------- */

static void
chosen (StriaTimelineLayout *self)
{
  stria_timeline_layout_mask (self);
  stria_timeline_layout_place (self);
}

/**
 * stria_timeline_layout_set_filter:
 * @filter: (nullable): what a lane's name, or its process's, must have in it to be shown; several with
 *   "|" between them, or a regular expression between slashes. Case does not count. Pinned lanes stay.
 */
void
stria_timeline_layout_set_filter (StriaTimelineLayout *self, const char *filter)
{
  g_autofree char *copy = g_strstrip (g_strdup (filter != NULL ? filter : ""));

  if (g_strcmp0 (copy, self->filter != NULL ? self->filter : "") == 0)
    return;
  g_free (self->filter);
  self->filter = g_steal_pointer (&copy);
  chosen (self);
}

const char *
stria_timeline_layout_get_filter (StriaTimelineLayout *self)
{
  return self->filter != NULL ? self->filter : "";
}

void
stria_timeline_layout_set_dma_lanes (StriaTimelineLayout *self, StriaDmaLanes dma)
{
  if (self->dma == dma)
    return;
  self->dma = dma;
  chosen (self);
}

StriaDmaLanes
stria_timeline_layout_get_dma_lanes (StriaTimelineLayout *self)
{
  return self->dma;
}

void
stria_timeline_layout_set_class_hidden (StriaTimelineLayout *self, StriaLaneClass class,
                                        gboolean hidden)
{
  const guint bit = 1u << class;

  if (((self->hidden_classes & bit) != 0) == (hidden != FALSE))
    return;
  self->hidden_classes ^= bit;
  chosen (self);
}

gboolean
stria_timeline_layout_get_class_hidden (StriaTimelineLayout *self, StriaLaneClass class)
{
  return (self->hidden_classes >> class & 1) != 0;
}

gboolean
stria_timeline_layout_hides_classes (StriaTimelineLayout *self)
{
  for (guint i = 0; i < STRIA_LANE_N_CLASSES; i++)
    if ((self->hidden_classes >> i & 1) != 0 && has_class (self, (StriaLaneClass) i))
      return TRUE;
  return FALSE;
}

guint32
stria_timeline_layout_count_class (StriaTimelineLayout *self, StriaLaneClass class)
{
  guint32 n = 0;

  for (guint32 i = 0; i < self->n_lanes; i++)
    n += stria_lane_get_class (stria_trace_get_lane (self->trace, i)) == class;
  return n;
}

void
stria_timeline_layout_collapse_class (StriaTimelineLayout *self, StriaLaneClass class,
                                      gboolean collapsed)
{
  for (guint32 i = 0; i < self->n_lanes; i++)
    if (stria_lane_get_class (stria_trace_get_lane (self->trace, i)) == class)
      self->lane_state[i] = (guint8) (collapsed ? self->lane_state[i] | STATE_COLLAPSED
                                                : self->lane_state[i] & ~STATE_COLLAPSED);
  stria_timeline_layout_place (self);
}

void
stria_timeline_layout_set_stacked (StriaTimelineLayout *self, gboolean stacked)
{
  if (self->separate == !stacked)
    return;
  self->separate = !stacked;
  chosen (self);
}

gboolean
stria_timeline_layout_get_stacked (StriaTimelineLayout *self)
{
  return !self->separate;
}

gboolean
stria_timeline_layout_has_stacks (StriaTimelineLayout *self)
{
  for (guint32 i = 0; self->stacks != NULL && i < self->n_lanes; i++)
    if (stria_lane_stacks_of (self->stacks, i) != NULL)
      return TRUE;
  return FALSE;
}

const StriaLaneStack *
stria_timeline_layout_stack_of (StriaTimelineLayout *self, guint32 lane)
{
  return self->separate || self->stacks == NULL ? NULL : stria_lane_stacks_of (self->stacks, lane);
}

/**
 * stria_timeline_layout_set_lane_height:
 * @lane: number of a counter's lane
 * @height: pixels, less the padding; 0 = as usual. It goes with the size of text afterwards.
 */
void
stria_timeline_layout_set_lane_height (StriaTimelineLayout *self, guint32 lane, double height)
{
  guint16 px = 0;

  g_return_if_fail (lane < self->n_lanes);

  if (height > 0)
    px = (guint16) CLAMP (height / stria_text_get_scale (), STRIA_LAYOUT_HEIGHT_LEAST,
                          STRIA_LAYOUT_HEIGHT_MOST);
  if (self->lane_height[lane] == px)
    return;
  self->lane_height[lane] = px;
  stria_timeline_layout_place (self);
}

/**
 * stria_timeline_layout_rescale:
 *
 * Places everything anew after the size of text has changed.
 */
void
stria_timeline_layout_rescale (StriaTimelineLayout *self)
{
  if (self->trace != NULL)
    stria_timeline_layout_place (self);
}

/* How many lanes there are, and how many of them stand somewhere (parts of a stack with it) */
void
stria_timeline_layout_count (StriaTimelineLayout *self, guint32 *n_lanes, guint32 *n_shown)
{
  *n_lanes = self->n_lanes;
  *n_shown = 0;
  for (guint32 i = 0; i < self->n_lanes; i++)
    {
      const StriaLaneStack *stack = stria_timeline_layout_stack_of (self, i);

      *n_shown += (self->lane_state[stack != NULL ? stack->leader : i]
                   & (STATE_HIDDEN | STATE_MASKED))
                  == 0;
    }
}
