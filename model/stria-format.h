/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What durations and times are told in. Automatic: what fits each of them best. */
typedef enum
{
  STRIA_SHOWN_AUTO,
  STRIA_SHOWN_NS,
  STRIA_SHOWN_US,
  STRIA_SHOWN_MS,
  STRIA_SHOWN_S,
} StriaShownUnit;

/* Of the whole program, for texts that are made from then on; any thread. */
void stria_format_set_time_unit (StriaShownUnit unit);
/* Keeps shares and moments as they are read, in languages that are read from right to left. Any
 * thread. */
void stria_format_set_mirrored (gboolean mirrored);
/* @tz: (nullable): NULL = local */
void stria_format_set_time_zone (GTimeZone *tz);
/* The one that was set, else the local one. Returns: (transfer full) */
GTimeZone *stria_format_ref_time_zone (void);

/* Numbers for people, in the user's locale. All return (transfer full). */
/* "12.345 ms": at most @digits significant digits, unit chosen by size */
char *stria_format_duration  (gint64 ns, guint digits);
/* Exact: "1.898 821 ms (1 898 821 ns)" is the caller's to compose; this gives "1 898 821 ns" */
char *stria_format_ns        (gint64 ns);
/* Time since the capture's start with the digits that a tick step of @step_ns needs: "1.234 56 s" */
char *stria_format_time      (gint64 ns, gint64 step_ns);
/* Wall time in @tz (NULL = stria_format_ref_time_zone()): "2024-04-03 18:02:11.123456789", and the
 * zone's short name if one was set */
char *stria_format_wall      (gint64 epoch_ns, GTimeZone *tz);
char *stria_format_count     (guint64 n);
char *stria_format_bytes     (gint64 bytes);
char *stria_format_value     (double value, const char *unit);
char *stria_format_percent   (double share);
/* Numbers for machines, in the C locale: "1898821" / "0.125" */
char *stria_format_c_double  (double value);

/* Step of a ruler, in ns, such that ticks stand at least @min_px apart: 1, 2 or 5 times a power
 * of ten. */
gint64 stria_format_tick_step (gint64 range_ns, double width_px, double min_px);

G_END_DECLS
