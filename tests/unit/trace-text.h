/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/* A capture with one artifact of that name and no file, for rows and events that a test makes */
StriaCapture *trace_text_capture (const char *name);
/* The whole timeline as lines, for tests that state what they expect:
 * "process | lane", for counters " [unit]", then each event on a line of its own, "  start+duration
 * name (category) #seq", deeper rows with a ">" for each; counters "  start value"; and at the end
 * the arrows, "from -> to name", sorted. */
char *trace_text (StriaCapture *capture);
/* A table as lines: names with units, then rows with "|" between cells and "-" for none */
char *trace_text_table (StriaCapture *capture, guint artifact, const char *name);

G_END_DECLS
