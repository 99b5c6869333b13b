/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-source.h"
#include "stria-capture.h"

G_BEGIN_DECLS

/**
 * StriaDecodeContext:
 * @capture: the capture; decoders use its tree and artifacts that belong to theirs, no more
 * @artifact: number of the artifact in the capture
 * @name: base name for messages
 * @notices: where trouble goes
 * @cancellable: (nullable)
 * @progress: called now and then (each MiB or so) with what has been read
 *
 * What a decoder is given beside its source and sink.
 */
typedef struct
{
  StriaCapture *capture;
  guint         artifact;
  const char   *name;
  StriaNotices *notices;
  GCancellable *cancellable;
  void        (*progress) (guint64 bytes_read, guint64 events, gpointer user_data);
  gpointer      user_data;
} StriaDecodeContext;

/**
 * StriaDecoder:
 * @kind: stable short name ("pytorch-trace")
 * @title: title to translate ("PyTorch trace")
 * @probe: how sure it is, 0..100, that bytes which begin with @head (inflated, at most 64 KiB)
 *   under the name @name are of its format; content counts for more than the name
 * @decode: reads all of @source into @sink. FALSE and @error when nothing could be read; what was
 *   read before a later error is kept, with a notice, and the answer is TRUE.
 *
 * One file format.
 */
typedef struct
{
  const char *kind;
  const char *title;
  guint     (*probe)  (const char *name, const guint8 *head, gsize length, gboolean whole);
  gboolean  (*decode) (StriaSource *source, StriaSink *sink, StriaDecodeContext *context,
                       GError **error);
} StriaDecoder;

/* NULL-terminated, in order of registration */
const StriaDecoder *const *stria_decoders (void);
const StriaDecoder *stria_decoder_by_kind (const char *kind);
/* The surest decoder, or NULL. @confidence (out, nullable) */
const StriaDecoder *stria_decoder_probe   (const char *name, const guint8 *head, gsize length,
                                           gboolean whole, guint *confidence);

G_END_DECLS
