/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-hash.h"
#include "stria-neuron-emitter-private.h"

/* More arrows than this are not drawn, and more ends are not kept: the Flow table has them all. */
#define MAX_ARROWS (1 << 20)
#define MAX_ENDS   (2 << 20)

typedef struct
{
  gint64 from;
  gint64 to;
  guint8 from_kind;
  guint8 to_kind;
  guint32 type;
} Edge;

/* A row that an edge may name */
typedef struct
{
  gint64 id;
  gint64 ts;
  guint32 thread;
  guint32 seq;
} End;

/* An event of the system profile with something that others may share */
typedef struct
{
  guint64 key; /* id of an event, or text of a flow */
  gint64 ts;
  guint32 process;
  guint32 thread;
  guint32 seq;
} Knot;

struct _NeuronLinks
{
  GArray *edges;  /* Edge */
  GArray *ends[NEURON_N_ENDS];
  GHashTable *wanted[NEURON_N_ENDS]; /* gint64 ids; NULL: every row may be meant */
  GArray *flows;    /* Knot: by flow id */
  GArray *events;   /* Knot: by event id */
  GArray *children; /* Knot: by the parent's id */
  guint64 left_out;
  gboolean given_up;
  gboolean sealed;
};

NeuronLinks *
neuron_links_new (void)
{
  NeuronLinks *self = g_new0 (NeuronLinks, 1);

  self->edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  for (guint i = 0; i < NEURON_N_ENDS; i++)
    self->ends[i] = g_array_new (FALSE, FALSE, sizeof (End));
  self->flows = g_array_new (FALSE, FALSE, sizeof (Knot));
  self->events = g_array_new (FALSE, FALSE, sizeof (Knot));
  self->children = g_array_new (FALSE, FALSE, sizeof (Knot));
  return self;
}

void
neuron_links_free (NeuronLinks *self)
{
  g_array_unref (self->edges);
  for (guint i = 0; i < NEURON_N_ENDS; i++)
    {
      g_array_unref (self->ends[i]);
      g_clear_pointer (&self->wanted[i], g_hash_table_unref);
    }
  g_array_unref (self->flows);
  g_array_unref (self->events);
  g_array_unref (self->children);
  g_free (self);
}

/* "instruction" and "dma_block" are the documented names. */
static gboolean
kind_of (const char *table, guint8 *kind)
{
  if (g_ascii_strcasecmp (table, "instruction") == 0)
    *kind = NEURON_END_INSTRUCTION;
  else if (g_ascii_strcasecmp (table, "dma_block") == 0
           || g_ascii_strcasecmp (table, "DmaPacketAggregated") == 0)
    *kind = NEURON_END_TRANSFER;
  else
    return FALSE;
  return TRUE;
}

static void
add_edge (NeuronLinks *self, const char *from_table, gint64 from, const char *to_table, gint64 to,
          guint32 type)
{
  Edge edge = { from, to, 0, 0, type };

  if (!kind_of (from_table, &edge.from_kind) || !kind_of (to_table, &edge.to_kind)
      || self->edges->len >= MAX_ARROWS)
    self->left_out++;
  else
    g_array_append_val (self->edges, edge);
}

void
neuron_links_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 from, to;

  for (guint32 row = 0; row < n_rows; row++)
    {
      guint32 from_table = neuron_text (self, table, 2, row);
      guint32 to_table = neuron_text (self, table, 3, row);
      guint32 type = neuron_text (self, table, 4, row);

      if (neuron_int (table, 0, row, &from) && neuron_int (table, 1, row, &to))
        add_edge (self->links, self->sink->text (self->sink, from_table), from,
                  self->sink->text (self->sink, to_table), to, type);
    }
}

void
stria_neuron_emitter_edge (StriaNeuronEmitter *self, const char *from_table, gint64 from,
                           const char *to_table, gint64 to, const char *type)
{
  add_edge (self->links, from_table, from, to_table, to,
            type != NULL ? neuron_intern (self, type) : 0);
}

void
stria_neuron_emitter_seal_edges (StriaNeuronEmitter *self)
{
  NeuronLinks *links = self->links;

  links->sealed = TRUE;
  for (guint i = 0; i < NEURON_N_ENDS; i++)
    links->wanted[i] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < links->edges->len; i++)
    {
      const Edge *edge = &g_array_index (links->edges, Edge, i);
      g_hash_table_add (links->wanted[edge->from_kind], g_memdup2 (&edge->from, sizeof edge->from));
      g_hash_table_add (links->wanted[edge->to_kind], g_memdup2 (&edge->to, sizeof edge->to));
    }
}

gboolean
neuron_links_wanted (const NeuronLinks *self)
{
  return !self->given_up && (!self->sealed || self->edges->len > 0);
}

void
neuron_links_row (StriaNeuronEmitter *self, guint kind, gint64 id, gint64 ts, guint32 thread,
                  guint32 row)
{
  NeuronLinks *links = self->links;
  End end = { id, ts, thread, self->events[self->n_events - 1].seq };

  if (links->given_up
      || (links->wanted[kind] != NULL && !g_hash_table_contains (links->wanted[kind], &id)))
    return;
  if (links->ends[kind]->len >= MAX_ENDS)
    {
      links->given_up = TRUE;
      for (guint i = 0; i < NEURON_N_ENDS; i++)
        g_array_set_size (links->ends[i], 0);
      return;
    }
  g_array_append_val (links->ends[kind], end);
}

/* -- the system profile ---------------------------------------------------------------------- */

static void
add_flows (StriaNeuronEmitter *self, const char *text, guint32 length, Knot knot)
{
  const char *end = text + length;

  /* A JSON list of texts or numbers: what lies between its marks */
  while (text < end)
    {
      const char *from;

      while (text < end && strchr ("[]\", \t\n", *text) != NULL)
        text++;
      from = text;
      while (text < end && strchr ("[]\", \t\n", *text) == NULL)
        text++;
      if (text == from)
        break;
      if ((text - from == 4 && memcmp (from, "null", 4) == 0)
          || self->links->flows->len >= MAX_ENDS)
        continue;
      knot.key = self->sink->intern (self->sink, from, (gsize) (text - from));
      g_array_append_val (self->links->flows, knot);
    }
}

void
neuron_links_system (StriaNeuronEmitter *self,
                     guint32 process,
                     gint64 id,
                     gint64 parent,
                     const char *flows,
                     guint32 flows_length,
                     gint64 ts,
                     guint32 thread,
                     guint32 row)
{
  NeuronLinks *links = self->links;
  Knot knot = { (guint64) id, ts, process, thread, self->events[self->n_events - 1].seq };

  if (flows_length > 0)
    add_flows (self, flows, flows_length, knot);
  if (id != 0 && links->events->len < MAX_ENDS)
    g_array_append_val (links->events, knot);
  knot.key = (guint64) parent;
  if (parent != 0 && links->children->len < MAX_ENDS)
    g_array_append_val (links->children, knot);
}

static int
compare_knots (gconstpointer a, gconstpointer b)
{
  const Knot *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  if (x->ts != y->ts)
    return x->ts < y->ts ? -1 : 1;
  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const Knot *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return compare_knots (a, b);
}

static void
add_arrow_end (StriaNeuronEmitter *self, StriaEventKind kind, guint64 id, guint32 name,
               guint32 category, gint64 ts, guint32 thread, guint32 seq)
{
  if (self->n_events == NEURON_BATCH_EVENTS)
    neuron_flush (self);
  /* Number and time of the slice that is meant, just behind it as a file would have it */
  self->events[self->n_events++] = (StriaEvent){
    .ts_ns = ts,
    .id = id,
    .args = STRIA_NO_ARGS,
    .thread = thread,
    .name = name,
    .category = category,
    .seq = seq + 1,
    .kind = (guint8)kind,
    .flags = STRIA_EVENT_BIND_ENCLOSING,
  };
}

static void
finish_flows (StriaNeuronEmitter *self)
{
  GArray *flows = self->links->flows;
  guint32 category = flows->len > 0 ? neuron_intern (self, "flow") : 0;

  g_array_sort (flows, compare_knots);
  for (guint i = 0; i < flows->len;)
    {
      const Knot *first = &g_array_index (flows, Knot, i);
      guint n = 1;

      while (i + n < flows->len && first[n].key == first->key)
        n++;
      for (guint k = 0; n > 1 && k < n; k++)
        add_arrow_end (self,
                       k == 0       ? STRIA_EVENT_FLOW_START
                       : k + 1 == n ? STRIA_EVENT_FLOW_END
                                    : STRIA_EVENT_FLOW_STEP,
                       first->key, (guint32) first->key, category, first[k].ts, first[k].thread,
                       first[k].seq);
      i += n;
    }
}

/* From parents to children in other lanes; in the parent's own lane, nesting shows it. */
static void
finish_parents (StriaNeuronEmitter *self)
{
  GArray *events = self->links->events, *children = self->links->children;
  guint32 name = children->len > 0 ? neuron_intern (self, "parent_id") : 0;
  guint64 n = 0;

  g_array_sort (events, compare_events);
  g_array_sort (children, compare_events);
  for (guint c = 0, e = 0; c < children->len && n < MAX_ARROWS; c++)
    {
      const Knot *child = &g_array_index (children, Knot, c);
      const Knot *event = NULL;

      while (e < events->len)
        {
          event = &g_array_index (events, Knot, e);
          if (event->process > child->process
              || (event->process == child->process && event->key >= child->key))
            break;
          e++;
        }
      if (e == events->len || event->process != child->process || event->key != child->key
          || event->thread == child->thread)
        continue;
      add_arrow_end (self, STRIA_EVENT_FLOW_START, n, name, name, event->ts, event->thread,
                     event->seq);
      add_arrow_end (self, STRIA_EVENT_FLOW_END, n, name, name, child->ts, child->thread,
                     child->seq);
      n++;
    }
}

/* -- the device profile ---------------------------------------------------------------------- */

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  const End *x = a, *y = b;

  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static const End *
find_end (GArray *ends, gint64 id)
{
  guint low = 0, high = ends->len;

  while (low < high)
    {
      guint mid = low + (high - low) / 2;
      if (g_array_index (ends, End, mid).id < id)
        low = mid + 1;
      else
        high = mid;
    }
  return low < ends->len && g_array_index (ends, End, low).id == id
             ? &g_array_index (ends, End, low)
             : NULL;
}

void
neuron_links_finish (StriaNeuronEmitter *self)
{
  NeuronLinks *links = self->links;
  guint32 category = links->edges->len > 0 ? neuron_intern (self, "dependency") : 0;

  finish_flows (self);
  finish_parents (self);
  for (guint i = 0; i < NEURON_N_ENDS; i++)
    g_array_sort (links->ends[i], compare_ends);
  for (guint i = 0; i < links->edges->len; i++)
    {
      const Edge *edge = &g_array_index (links->edges, Edge, i);
      const End *from = find_end (links->ends[edge->from_kind], edge->from);
      const End *to = find_end (links->ends[edge->to_kind], edge->to);

      if (from == NULL || to == NULL)
        {
          links->left_out++;
          continue;
        }
      add_arrow_end (self, STRIA_EVENT_FLOW_START, i, edge->type, category, from->ts, from->thread,
                     from->seq);
      add_arrow_end (self, STRIA_EVENT_FLOW_END, i, edge->type, category, to->ts, to->thread,
                     to->seq);
    }
  if (links->left_out > 0)
    {
      g_autofree char *n = g_strdup_printf ("%" G_GUINT64_FORMAT, links->left_out);
      self->sink->meta (self->sink, "neuron_edges_not_drawn", n, strlen (n));
    }
}
