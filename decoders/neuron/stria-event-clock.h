/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How the time of an event of the device came to be one of the host. */
typedef enum
{
  STRIA_CLOCK_HOST,        /* it is an event of the host */
  STRIA_CLOCK_RECORDED,    /* the file has it in the host's clock already */
  STRIA_CLOCK_ALIGNED,     /* by the sync point of its core and its execution */
  STRIA_CLOCK_APPROXIMATE, /* by the nearest sync point of its core */
  STRIA_CLOCK_DEVICE,      /* there is none: it stays in the device's clock */
} StriaEventClock;

/**
 * StriaClockSync:
 *
 * Sync points of a session: times at which both clocks were read (documented:
 * host = host_sync + (device - device_sync), with the sync point of the same core and exec_id).
 */
typedef struct _StriaClockSync StriaClockSync;

/**
 * StriaClockResidual:
 * @n_points: sync points
 * @n_steps: pairs of neighbours of one core
 * @max_ns: largest difference between the host's time of a sync point and what its predecessor
 *   says of it
 * @sum_ns: of all of them, without signs
 * @n_recorded: events whose time the file gives in both clocks
 * @max_recorded_ns: largest difference between the recorded time and the one by the sync point
 */
typedef struct
{
  guint64 n_points;
  guint64 n_steps;
  guint64 max_ns;
  guint64 sum_ns;
  guint64 n_recorded;
  guint64 max_recorded_ns;
} StriaClockResidual;

StriaClockSync *stria_clock_sync_new   (void);
void            stria_clock_sync_free  (StriaClockSync *self);
/* @exec: (nullable): attribute exec_id */
void            stria_clock_sync_add   (StriaClockSync *self, guint32 core, const char *exec,
                                        gint64 device_ns, gint64 host_ns);
/* Sorts; after the last point and before the first question */
void            stria_clock_sync_seal  (StriaClockSync *self);
/* Returns: ALIGNED or APPROXIMATE with @host_ns, or DEVICE */
StriaEventClock stria_clock_sync_align (StriaClockSync *self, guint32 core, const char *exec,
                                        gint64 device_ns, gint64 *host_ns);
/* An event that the file gives in both clocks */
void            stria_clock_sync_check (StriaClockSync *self, guint32 core, const char *exec,
                                        gint64 device_ns, gint64 recorded_ns);
void            stria_clock_sync_get_residual (StriaClockSync *self, StriaClockResidual *out);
/* Stable, untranslated name ("aligned") */
const char     *stria_event_clock_id   (StriaEventClock clock);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaClockSync, stria_clock_sync_free)

G_END_DECLS
