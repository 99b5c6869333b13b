/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-profile.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-mapping
 *
 * What labels of a compiler's debug information name. [CODE: MLIA-NT provenance.py; ET
 * backends/arm/debug/schema.py] a label is "<name>_spirv_id_<n>", the name of a SPIR-V debug
 * operation, or a JSON object that says where an operator comes from.
 */

/* Whether @label ends with "_spirv_id_<n>".
 * @name: (out) (optional) (transfer full): what is before that */
gboolean stria_label_spirv_id (const char *label, guint32 *id, char **name);
/* Whether @label is a JSON object */
gboolean stria_label_is_json  (const char *label);
/* Returns: (transfer full): what to show: the node that a JSON label names, else the label */
char    *stria_label_display  (const char *label);

/**
 * StriaLabelIndex:
 *
 * Nodes of a source graph that a label may mean: those of one partition.
 */
typedef struct _StriaLabelIndex StriaLabelIndex;

StriaLabelIndex *stria_label_index_new  (StriaGraph *source, const guint32 *nodes, guint32 n);
void             stria_label_index_free (StriaLabelIndex *self);

/**
 * stria_label_index_find:
 * @label: of any form
 * @evidence: (out): %STRIA_EVIDENCE_EXACT, %STRIA_EVIDENCE_APPROXIMATE, or
 *   %STRIA_EVIDENCE_AMBIGUOUS where there are several nodes
 * @note: (out) (optional) (transfer full): how it was found, for people
 *
 * [PROPOSAL, spec 5.6] a JSON label means the node that it names, itself or through what the node
 * was made from (exact); else the one with the same stack trace and module stack (approximate).
 *
 * Returns: (transfer full) (nullable) (element-type guint32): nodes; NULL if none is meant
 */
GArray          *stria_label_index_find (StriaLabelIndex *self, const char *label,
                                         StriaEvidence *evidence, char **note);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaLabelIndex, stria_label_index_free)

G_END_DECLS
