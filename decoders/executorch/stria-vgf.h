/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"
#include "stria-facts.h"

G_BEGIN_DECLS

extern const StriaDecoder stria_vgf_decoder;

/**
 * stria_vgf_read:
 * @facts: gets the rows of vgf and its tables, and one graph of kind %STRIA_GRAPH_VGF
 * @graph_name: name of the graph: "main" for a file of its own, "<method>_<chain>_<instruction>"
 *   of the call for a delegate's
 * @method: (nullable): method that it belongs to
 * @delegate: row of program_delegate, or %STRIA_NO_REF for a file of its own
 * @data: the VGF; need not be aligned
 * @length: its bytes
 * @base: where it stands in the file
 * @context: name for messages, notices, cancellable
 * @vgf: (out): row of vgf
 *
 * Reads one VGF. Damage inside a module's code or the constants is a notice and the rest stays.
 *
 * Returns: FALSE with @error if its header or one of its tables could not be read; no rows are left
 *   half-filled then (what was added is consistent)
 */
gboolean stria_vgf_read (StriaFacts *facts, const char *graph_name, const char *method,
                         guint32 delegate, const guint8 *data, gsize length, guint64 base,
                         StriaDecodeContext *context, guint32 *vgf, GError **error);

G_END_DECLS
