/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <string.h>

#include "stria-pytorch-event.h"

G_BEGIN_DECLS

/* From the text of one event to where its fields stand in it; what they mean is the caller's. */

typedef struct
{
  const char *start; /* of the value; NULL if the key was not there */
  const char *end;
  gboolean escaped; /* strings: has a backslash */
} StriaSpan;

/* The fields of one event, as they stand in the text. */
typedef struct
{
  StriaSpan ph, name, cat, pid, tid, ts, dur, args, id, id_local, id_global, bind_id, scope;
  StriaSpan async_scope, bp, flow_in, flow_out;
  StriaSpan correlation, external, python; /* keys of args */
} StriaEventFields;

static inline gboolean
stria_span_is (StriaSpan span, const char *text)
{
  gsize length = strlen (text);
  return span.start != NULL && (gsize) (span.end - span.start) == length
         && memcmp (span.start, text, length) == 0;
}

static inline gboolean
stria_span_is_string (StriaSpan span)
{
  return span.start != NULL && *span.start == '"';
}

/* Without the quotes. */
static inline StriaSpan
stria_span_inside (StriaSpan span)
{
  if (stria_span_is_string (span))
    return (StriaSpan){ span.start + 1, span.end - 1, span.escaped };
  return span;
}

/* Finds the fields of the event at @p, an opening brace. @duplicates: counts keys that came twice
 * (the last one wins). @stop: behind the event, or where it broke or was cut. */
StriaEventResult stria_event_fields_read (StriaEventFields *fields, const char *p, const char *end,
                                          guint64 *duplicates, const char **stop);

G_END_DECLS
