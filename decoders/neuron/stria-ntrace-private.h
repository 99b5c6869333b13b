/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "neuron_trace.pb-c.h"
#include "stria-event-clock.h"
#include "stria-event-names.h"
#include "stria-pb-stream.h"

G_BEGIN_DECLS

typedef Ntff__NtraceEvent StriaNtraceEvent;

typedef enum
{
  STRIA_PHASE_SINGLE, /* a point, or a span by its recorded duration */
  STRIA_PHASE_START,
  STRIA_PHASE_STOP,
} StriaNtracePhase;

/* How a row came to have its two ends. */
typedef enum
{
  STRIA_PAIRING_INSTANT,   /* a point */
  STRIA_PAIRING_DURATION,  /* the event has a duration */
  STRIA_PAIRING_PAIRED,    /* a start and a stop */
  STRIA_PAIRING_OPEN,      /* a start without a stop: no end */
  STRIA_PAIRING_STOP_ONLY, /* a stop without a start: a point */
} StriaNtracePairing;

typedef struct _StriaNtraceMemory StriaNtraceMemory;
typedef struct _StriaNtracePairs StriaNtracePairs;

/**
 * StriaNtrace:
 * @host_from, @host_to: times that are of the host's clock: the session, or what the events of the
 *   host span, widened by an hour
 * @first_ns, @last_ns: of the events as they are shown
 *
 * A file of runtime events while it is decoded.
 */
typedef struct
{
  StriaPbStream      *stream;
  StriaNeuronEmitter *emitter;
  StriaNeuronRows    *rows;
  StriaEventNames    *names;
  StriaClockSync     *sync;
  StriaNtraceMemory  *memory;
  StriaNtracePairs   *pairs;
  GString            *json;
  gint64              host_from;
  gint64              host_to;
  gboolean            has_host;
  gint64              first_ns;
  gint64              last_ns;
  gboolean            has_times;
  guint64             n_rows;
  guint64             n_clocks[STRIA_CLOCK_DEVICE + 1];
  guint64             n_sources[STRIA_NAME_NUMBER + 1];
  guint64             n_pairings[STRIA_PAIRING_STOP_ONLY + 1];
  guint64             n_backward;
  guint64             n_strange; /* events of a phase or type that is not known */
} StriaNtrace;

/* What an event's attributes say; NULL where they do not */
const char *stria_ntrace_attribute (const StriaNtraceEvent *event, const char *key);
/* Decimal, or hexadecimal behind 0x. FALSE: it is none, or beyond 63 bits */
gboolean    stria_ntrace_number    (const char *text, gint64 *number);
gboolean    stria_ntrace_attribute_number (const StriaNtraceEvent *event, const char *key,
                                           gint64 *number);
StriaNtracePhase stria_ntrace_phase (const StriaNtraceEvent *event);

/* The time of an event on the host's clock. @exec: (nullable): the execution it belongs to.
 * FALSE: there is none; @clock is then DEVICE */
gboolean    stria_ntrace_time      (StriaNtrace *self, const StriaNtraceEvent *event,
                                    const StriaEventName *name, const char *exec, gint64 *ns,
                                    StriaEventClock *clock);

void        stria_ntrace_rows_begin (StriaNtrace *self);
/* A row of one event, or of a start and its stop (@second) */
void        stria_ntrace_row       (StriaNtrace *self, const StriaNtraceEvent *event,
                                    const StriaNtraceEvent *second, StriaNtracePairing pairing);

/* Starts wait for their stops. */
StriaNtracePairs *stria_ntrace_pairs_new  (void);
void              stria_ntrace_pairs_free (StriaNtracePairs *self);
void              stria_ntrace_pairs_take (StriaNtrace *self, const StriaNtraceEvent *event,
                                           gsize offset, gsize length);
/* What was left alone */
void              stria_ntrace_pairs_end  (StriaNtrace *self);

/* Device memory and transfers, out of what the events say of them */
StriaNtraceMemory *stria_ntrace_memory_new  (StriaNtrace *self);
void               stria_ntrace_memory_free (StriaNtraceMemory *self);
void               stria_ntrace_memory_take (StriaNtrace *self, const StriaNtraceEvent *event);
/* A copy that took from @from to @to */
void               stria_ntrace_memory_copy (StriaNtrace *self, StriaEventRole role, guint32 core,
                                             gint64 from, gint64 to, gint64 bytes);
void               stria_ntrace_memory_end  (StriaNtrace *self);

/* Decodes the events of an opened stream. */
gboolean           stria_ntrace_decode      (StriaPbStream *stream, StriaNeuronEmitter *emitter,
                                             GError **error);

G_END_DECLS
