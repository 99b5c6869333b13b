/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"
#include "stria-fact-tables.h"

G_BEGIN_DECLS

/* String delegate id of the event that carries a payload. */
#define STRIA_NX_DELEGATE_ID "VGF_NEURAL_STATISTICS"

/* Caps on one payload. */
#define STRIA_NX_MAX_TEXT    ((gsize) 384 << 20) /* JSON text, bytes */
#define STRIA_NX_MAX_DECODED ((gsize) 256 << 20) /* of one blob, bytes */
#define STRIA_NX_MAX_STRIPES 1000000

/**
 * StriaNx:
 *
 * Reads the NX statistics payloads of one ETDump. It remembers debug databases, so that the same
 * text is parsed once for all executions.
 */
typedef struct _StriaNx StriaNx;

StriaNx *stria_nx_new  (StriaFacts *facts, StriaDecodeContext *context);
void     stria_nx_free (StriaNx *self);

/**
 * stria_nx_read:
 * @text: delegate metadata of the event
 * @length: bytes
 * @offset: where it stands in the file
 * @row: what is known of the event (event, run, instruction, chain); the rest is filled here
 *
 * Adds the payload's rows to the facts whatever its state is: one that is malformed, unavailable or
 * rejected has its row with state, code and reason, and a notice.
 *
 * Returns: row of nx_payload; %STRIA_NO_REF if the text is valid JSON of another schema, which is
 *   no fault
 */
guint32  stria_nx_read (StriaNx *self, const guint8 *text, gsize length, guint64 offset,
                        const StriaNxPayloadRow *row);

/* After the last payload: payloads of one dump that disagree in mode, device or layout are rejected
 * as conflicting. */
void     stria_nx_finish (StriaNx *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNx, stria_nx_free)

G_END_DECLS
