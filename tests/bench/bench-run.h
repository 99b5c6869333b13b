/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Jobs, each in a process of its own, and what is printed of them. */

/* Figures of one job: name -> GArray of double, one a run */
typedef GHashTable Figures;

extern gboolean bench_as_json;
extern int bench_runs; /* of each job */

Figures *figures_new    (void);
/* -1: there is no such figure */
double   median         (Figures *figures, const char *name);
/* Runs a job once; its figures and its peak of memory join @figures. */
gboolean run_job        (Figures *figures, const char *job, const char *argument);
/* (transfer full): of all runs; NULL: one failed */
Figures *run_jobs       (const char *job, const char *argument);
/* Names of jobs, each followed by where its figures go (Figures **), NULL last. FALSE: one failed,
 * and those behind it were not run */
gboolean run_all        (const char *argument, ...) G_GNUC_NULL_TERMINATED;
/* Returns: FALSE */
gboolean report_failure (const GError *error);

void     print_section  (const char *title);
void     print_number   (const char *section, const char *name, double value, const char *unit,
                         const char *aim);

G_END_DECLS
