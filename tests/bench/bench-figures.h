/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>
#include <time.h>

#include <glib.h>

G_BEGIN_DECLS

static inline void
figure (const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  printf ("%s %s\n", name, g_ascii_dtostr (text, sizeof text, value));
  fflush (stdout);
}

static inline double
seconds_since (gint64 start_us)
{
  return (double) (g_get_monotonic_time () - start_us) / 1e6;
}

/* Of all threads of this process: what others on the machine do does not count */
static inline double
processor_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static inline int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static inline double
percentile (GArray *values, double share)
{
  g_array_sort (values, compare_doubles);
  return g_array_index (values, double, (guint) (share * (values->len - 1) + 0.5));
}

G_END_DECLS
