/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-profile.h"

G_BEGIN_DECLS

/* Translated words for what the model view shows. Static unless said otherwise. */

/* "ETRecord Chain Mapping" */
const char *stria_model_graph_title       (StriaGraphKind kind);
/* "Source operator" */
const char *stria_model_kind_title        (StriaEntityKind kind);
/* "Chains", as a heading */
const char *stria_model_kinds_title       (StriaEntityKind kind);
/* "Median" */
const char *stria_model_aggregation_title (StriaAggregation aggregation);
/* "Exact", and a sentence that says what that means */
const char *stria_model_evidence_title    (StriaEvidence evidence);
const char *stria_model_evidence_note     (StriaEvidence evidence);
/* "Runtime"; names of counters stay as the hardware has them */
const char *stria_model_metric_title      (const char *name);
/* Less is faster where it is time; of other counters it is only less. */
gboolean    stria_model_metric_is_time    (const char *name);
/* "0.983 ms"; @brief: four digits at most, for boxes. Returns: (transfer full) */
char       *stria_model_value_text        (double value, const char *unit, gboolean brief);
/* "3 of 3 executions". Returns: (transfer full) */
char       *stria_model_coverage_text     (guint32 samples, guint32 executions);
/* "NX"; "not known" */
const char *stria_model_placement_text    (const StriaEntity *entity);
/* What an entity is called for people: "Chain 30", "aten.add.Tensor". Returns: (transfer full) */
char       *stria_model_entity_text       (const StriaEntity *entity);

G_END_DECLS
