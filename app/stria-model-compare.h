/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-model-partners.h"
#include "stria-model-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_COMPARE (stria_model_compare_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelCompare, stria_model_compare, STRIA, MODEL_COMPARE, GObject)

/**
 * StriaModelCompare:
 *
 * A second capture of the model that a state shows: read on a worker, as any capture is, and
 * matched with the first. Both sides have a state of their own, which follow each other's selection
 * and the metric of the one that is compared; that one is left alone. Main thread only.
 *
 * Signals: "changed" (reading, an error, another comparison or none), "selected" (what is selected
 * on either side). Property: "busy".
 */
StriaModelCompare *stria_model_compare_new        (StriaModelState *base);
/* Reads @paths as one capture and compares; what was compared before stays until then */
void               stria_model_compare_open       (StriaModelCompare *self,
                                                   const char *const *paths);
/* Stops reading; what was compared before stays. Forgets an error. */
void               stria_model_compare_cancel     (StriaModelCompare *self);
/* Forgets the second capture */
void               stria_model_compare_end        (StriaModelCompare *self);
/* Name of what is being read, or could not be read */
const char        *stria_model_compare_get_name   (StriaModelCompare *self);
/* Why there is no comparison, or NULL */
const char        *stria_model_compare_get_error  (StriaModelCompare *self);
gboolean           stria_model_compare_is_busy    (StriaModelCompare *self);

/* Returns: (transfer none) (nullable): NULL: nothing is compared */
StriaComparison   *stria_model_compare_get_comparison (StriaModelCompare *self);
/* Returns: (transfer none) (nullable) */
StriaModelState   *stria_model_compare_get_state  (StriaModelCompare *self, gboolean second);
/* Of graph @graph of the first capture. Returns: (transfer none) */
const StriaModelPartners *stria_model_compare_get_partners (StriaModelCompare *self, guint graph);
/* The number of that graph in the second one, or %G_MAXUINT */
guint              stria_model_compare_get_graph  (StriaModelCompare *self, guint graph);
/* The side on which something was selected last */
gboolean           stria_model_compare_is_second  (StriaModelCompare *self);
/* What is selected in both in a sentence: figures, or that it has no partner. Returns:
 * (transfer full) (nullable): NULL: nothing is */
char              *stria_model_compare_describe   (StriaModelCompare *self);

G_END_DECLS
