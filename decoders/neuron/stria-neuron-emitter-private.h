/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-neuron-emitter.h"
#include "stria-neuron-flops.h"
#include "stria-neuron-schema.h"

G_BEGIN_DECLS

/* Columns of one table that the timeline may need */
#define NEURON_MAX_ROLES 32

typedef struct _NeuronTable NeuronTable;
typedef struct _NeuronLinks NeuronLinks;

/**
 * NeuronSource:
 * @table: published name
 * @is_system: times are nanoseconds since the epoch; else since the profile's start
 * @roles: (array zero-terminated=1): columns that @rows asks for, by their place in this list
 * @rows: puts the rows of a batch on the timeline
 *
 * How the rows of a table become events.
 */
typedef struct
{
  const char *table;
  gboolean is_system;
  const char *const *roles;
  void (*rows) (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows);
} NeuronSource;

/* Sink's ids of a batch's texts: id + 1, 0 for those that nobody asked for yet */
typedef struct
{
  guint32 *ids;
  guint32 capacity;
} NeuronTexts;

struct _NeuronTable
{
  const NeuronSource *source; /* NULL: no times */
  char *name;
  guint32 number; /* among the emitter's */
  StriaTableBuilder *builder;
  guint n_columns;
  guint8 *types;
  int column[NEURON_MAX_ROLES]; /* -1: the table has no such column */
  NeuronTexts texts[NEURON_MAX_ROLES];
  const StriaColumnData *batch;
  guint64 first_row; /* of the batch */
  guint64 n_rows;
};

/* A lane or counter that was met: what kind, and three numbers that tell it from others of the kind
 */
typedef struct
{
  guint32 kind; /* 0: a free place */
  guint32 a, b, c;
  guint32 thread;
  guint32 name;     /* counters: name; others: name of events that have none */
  guint32 series;   /* counters */
  guint32 category;
  guint32 beside;   /* thread of the lane below it, G_MAXUINT32 until there is one */
} NeuronLane;

/* Groups of lanes, from top to bottom */
typedef enum
{
  NEURON_EXECUTION = 1,
  NEURON_ERROR,
  NEURON_TRANSFER,
  NEURON_PACKET,
  NEURON_ENGINE,
  NEURON_BARRIER,
  NEURON_ACTIVE,
  NEURON_COLLECTIVE,
  NEURON_CC_CORE,
  NEURON_THROTTLE,
  NEURON_SAMPLE,
  NEURON_UTILIZATION,
  NEURON_SEMAPHORE,
  NEURON_FRAMEWORK_THREAD,
  NEURON_FRAMEWORK_STREAM,
  NEURON_RUNTIME,
  NEURON_HARDWARE,
  NEURON_OTHER,
  NEURON_HOST,
  NEURON_PROCESS, /* no lane: @thread is a process */
  NEURON_CANON,   /* no lane: @name is the spelling of an engine that is shown */
} NeuronLaneKind;

/* Counters whose values are percents or fractions, which only all of them together tell */
typedef enum
{
  NEURON_SHARE_PSUM,
  NEURON_SHARE_SBUF,
  NEURON_N_SHARES,
} NeuronShare;

struct _StriaNeuronEmitter
{
  StriaSink *sink;
  char *profile;
  GPtrArray *tables; /* NeuronTable */
  NeuronLane *lanes;
  guint32 n_lanes;
  guint32 lane_capacity;
  StriaEvent *events;
  guint n_events;
  NeuronLinks *links;
  double share_max[NEURON_N_SHARES];
  GArray *share_names[NEURON_N_SHARES]; /* guint32: names of counters */
  GHashTable *flops; /* physical core -> NeuronFlops; NULL: none */
  double flops_peak; /* of the tensor engine of a core, an ns; 0: not known */
  guint64 without_time;
  guint32 wait_name;
  guint32 wait_category;
  gboolean any_system;
  gboolean any_device;
  gboolean has_base;
  gint64 base_ns;
};

extern const NeuronSource neuron_device_sources[];
extern const NeuronSource neuron_sample_sources[];
extern const NeuronSource neuron_system_sources[];

#define NEURON_BATCH_EVENTS 2048

/* -- cells ----------------------------------------------------------------------------------- */

static inline gboolean
neuron_has (const NeuronTable *table, guint role, guint32 row)
{
  return table->column[role] >= 0
         && stria_column_data_has (&table->batch[table->column[role]], row);
}

/* FALSE: there is no such column, or no value, or it is no number */
static inline gboolean
neuron_int (const NeuronTable *table, guint role, guint32 row, gint64 *value)
{
  int c = table->column[role];

  if (c < 0 || !stria_column_data_has (&table->batch[c], row) || table->types[c] == STRIA_CELL_TEXT)
    return FALSE;
  if (table->types[c] == STRIA_CELL_REAL)
    {
      double real = table->batch[c].reals[row];
      if (!(real > -9.2e18 && real < 9.2e18))
        return FALSE;
      *value = (gint64) real;
    }
  else
    *value = table->batch[c].ints[row];
  return TRUE;
}

static inline gboolean
neuron_real (const NeuronTable *table, guint role, guint32 row, double *value)
{
  int c = table->column[role];

  if (c < 0 || !stria_column_data_has (&table->batch[c], row) || table->types[c] == STRIA_CELL_TEXT)
    return FALSE;
  *value = table->types[c] == STRIA_CELL_REAL ? table->batch[c].reals[row]
                                              : (double) table->batch[c].ints[row];
  return TRUE;
}

/* The sink's id of a text; 0 if there is none or it is empty. Numbers are written out. */
guint32 neuron_text      (StriaNeuronEmitter *self, NeuronTable *table, guint role, guint32 row);
guint32 neuron_intern    (StriaNeuronEmitter *self, const char *text);
/* Begin and length of a row with two or three of the columns start, end, duration. Negative lengths
 * are 0, with a flag. FALSE: it has no time */
gboolean neuron_span     (StriaNeuronEmitter *self, NeuronTable *table, guint start, guint end,
                          guint duration, guint32 row, gint64 *ts, gint64 *dur, guint8 *flags);

/* -- lanes ----------------------------------------------------------------------------------- */

/* Its place; @thread is G_MAXUINT32 if it is new. Valid until the next call. */
NeuronLane *neuron_lane  (StriaNeuronEmitter *self, guint32 kind, guint32 a, guint32 b, guint32 c);
/* The process of the device profile */
guint32 neuron_profile   (StriaNeuronEmitter *self);
/* @place: order among the processes */
guint32 neuron_process   (StriaNeuronEmitter *self, const char *title, gint64 place);
/* @title: (transfer full); @key: (transfer full): behind "table\x1f" NAME "\x1f"; @place: order
 * among lanes of its kind */
guint32 neuron_thread    (StriaNeuronEmitter *self, const NeuronTable *table, guint32 process,
                          guint32 kind, gint64 place, char *key, char *title);
/* " (nc1)" behind a title, for rows that have a physical core. @title: (transfer full) */
char   *neuron_core_title (char *title, guint32 core);

/* Numbers of physical cores, where G_MAXUINT32 is none */
static inline guint32
neuron_core (const NeuronTable *table, guint role, guint32 row)
{
  gint64 core;

  return neuron_int (table, role, row, &core) && core >= 0 && core < 4096 ? (guint32) core
                                                                          : G_MAXUINT32;
}

/* nc1 stands above nc0. */
static inline gint64
neuron_core_place (guint32 core)
{
  return core == G_MAXUINT32 ? 0 : 4096 - (gint64) core;
}

/* -- events ---------------------------------------------------------------------------------- */

void neuron_flush (StriaNeuronEmitter *self);

static inline StriaEvent *
neuron_event (StriaNeuronEmitter *self, const NeuronTable *table, StriaEventKind kind,
              guint32 thread, guint32 row, gint64 ts)
{
  StriaEvent *event;

  if (self->n_events == NEURON_BATCH_EVENTS)
    neuron_flush (self);
  event = &self->events[self->n_events++];
  *event = (StriaEvent){ .ts_ns = ts, .args = STRIA_NO_ARGS, .thread = thread,
                         .seq = (guint32) (table->first_row + row), .kind = (guint8) kind };
  return event;
}

static inline void
neuron_slice (StriaNeuronEmitter *self, const NeuronTable *table, guint32 thread, guint32 row,
              gint64 ts, gint64 dur, guint8 flags, guint32 name, guint32 category)
{
  StriaEvent *event = neuron_event (self, table, STRIA_EVENT_SLICE, thread, row, ts);

  event->dur_ns = dur;
  event->name = name;
  event->category = category;
  event->flags = table->source->is_system ? flags : flags | STRIA_EVENT_EXACT;
}

/* Of a physical core */
NeuronFlops *neuron_flops_of  (StriaNeuronEmitter *self, guint32 core);
/* Puts what share of the tensor engine's peak was used on the timeline. */
void neuron_flops_finish      (StriaNeuronEmitter *self);

void neuron_unit (StriaNeuronEmitter *self, guint32 counter, const char *unit);

/* -- links ----------------------------------------------------------------------------------- */

NeuronLinks *neuron_links_new    (void);
void         neuron_links_free   (NeuronLinks *self);
/* Rows of a Flow table */
void         neuron_links_rows   (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows);
/* A row that an edge may name */
void         neuron_links_row    (StriaNeuronEmitter *self, guint kind, gint64 id, gint64 ts,
                                  guint32 thread, guint32 row);
gboolean     neuron_links_wanted (const NeuronLinks *self);
/* An event of the system profile. @flows: list as JSON text, or NULL; @parent: 0 for none */
void         neuron_links_system (StriaNeuronEmitter *self, guint32 process, gint64 id,
                                  gint64 parent, const char *flows, guint32 flows_length, gint64 ts,
                                  guint32 thread, guint32 row);
/* Puts the arrows on the timeline. */
void         neuron_links_finish (StriaNeuronEmitter *self);

enum
{
  NEURON_END_INSTRUCTION,
  NEURON_END_TRANSFER,
  NEURON_N_ENDS,
};

G_END_DECLS
