/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* From the text of one event to records: what each field means (formats: B1.2 to B2.3). */
typedef struct _StriaPytorchEvents StriaPytorchEvents;

typedef enum
{
  STRIA_EVENT_READ,     /* taken, or knowingly left out and counted */
  STRIA_EVENT_CUT,      /* the text ends inside the event */
  STRIA_EVENT_BROKEN,   /* not JSON at *@stop */
} StriaEventResult;

StriaPytorchEvents *stria_pytorch_events_new (StriaSink *sink, StriaNotices *notices,
                                              const char *file);
/* @p: an opening brace; there are STRIA_JSON_PADDING bytes behind @end. @offset: of @p in the whole
 * text, for messages. @stop (out): behind the event, or where it broke. */
StriaEventResult stria_pytorch_events_read (StriaPytorchEvents *self, const char *p,
                                            const char *end, guint64 offset, const char **stop);
/* Counts an event that could not be read. */
void stria_pytorch_events_lost (StriaPytorchEvents *self);
guint64 stria_pytorch_events_count (StriaPytorchEvents *self);
/* Sends what is left, the counts by phase and category, and frees. */
void stria_pytorch_events_finish (StriaPytorchEvents *self);

G_END_DECLS
