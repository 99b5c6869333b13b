/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-mapped.h"
#include "stria-neuron-emitter.h"
#include "stria-pb-frames.h"

G_BEGIN_DECLS

/**
 * StriaPbStream:
 * @info: (nullable): what trace_info.pb says
 * @instance: (nullable): the machine; from trace_info.pb or the folder's name
 * @pid: of the process, if @has_pid
 * @n_records: messages that were taken by the last pass
 * @n_rejected: those that were no such message, by the last pass
 *
 * A stream file of a system profile, opened: its framing is known, and its messages can be walked.
 */
typedef struct
{
  StriaStreamKind     kind;
  StriaDecodeContext *context;
  StriaSink          *sink;
  StriaProtoSchema   *schema;
  StriaProtoArena    *arena;
  StriaTraceInfo     *info;
  char               *instance;
  gint64              pid;
  gboolean            has_pid;
  StriaMapped         bytes;
  const guint8       *data;
  gsize               length;
  StriaFrames         frames;
  guint64             n_records;
  guint64             n_rejected;
  guint64             n_unknown;
} StriaPbStream;

/**
 * stria_pb_stream_open:
 *
 * Reads or maps @source, finds trace_info.pb beside it and the framing, and says what it found in
 * the notices and in meta "neuron_framing".
 *
 * Returns: FALSE with @error if the file has no bytes, can't be read, or no framing validates;
 *   clear it all the same
 */
gboolean stria_pb_stream_open  (StriaPbStream *self, StriaStreamKind kind, StriaSource *source,
                                StriaSink *sink, StriaDecodeContext *context, GError **error);
/* Reads or maps @source only; the caller sets @info and @frames. */
gboolean stria_pb_stream_load  (StriaPbStream *self, StriaStreamKind kind, StriaSource *source,
                                StriaSink *sink, StriaDecodeContext *context, GError **error);
/* Sets @instance and @pid from @info and the artifact's name. */
void     stria_pb_stream_place (StriaPbStream *self);
void     stria_pb_stream_clear (StriaPbStream *self);

/* @message: lives until the next one. */
typedef void (*StriaPbFunc) (gconstpointer message, gsize offset, gsize length, gpointer user_data);

/**
 * stria_pb_stream_each:
 * @last: whether this is the last pass: what is wrong is noticed, and pages are given back
 *
 * Calls @func for each message that is one. Returns: FALSE with @error only if it was cancelled
 */
gboolean stria_pb_stream_each  (StriaPbStream *self, gboolean last, StriaPbFunc func,
                                gpointer user_data, GError **error);
/* Unpacks a message that stria_pb_stream_each() gave before, into @arena. */
gpointer stria_pb_stream_again (StriaPbStream *self, StriaProtoArena *arena, gsize offset,
                                gsize length);

/* How sure a decoder is of the first bytes of a file; @usual: the documented name of such files */
guint    stria_pb_stream_probe (StriaStreamKind kind, const char *usual, const char *name,
                                const guint8 *head, gsize length, gboolean whole);

void     stria_pb_give_number  (StriaSink *sink, const char *key, guint64 value);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaPbStream, stria_pb_stream_clear)

G_END_DECLS
