/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-model-index.h"
#include "stria-profile-compare.h"
#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_STATE (stria_model_state_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelState, stria_model_state, STRIA, MODEL_STATE, GObject)

/* What is selected: something in a graph, which need not be an entity that the profile knows. */
typedef struct
{
  guint   graph;  /* number in the index' graphs, or G_MAXUINT */
  guint32 node;   /* of that graph, or STRIA_NO_NODE */
  guint32 group;  /* or STRIA_NO_GROUP */
  guint32 entity; /* or STRIA_NO_REF */
} StriaModelSelection;

/**
 * StriaModelState:
 *
 * What a person looks at in the model of a capture: which set of files, method and time unit, what
 * the colours say, what is selected. Panes and panels listen to it and set it, and do not know each
 * other. The profile is made on a worker. Main thread only.
 *
 * Signals: "sets-changed" (sets or methods), "profile-changed" (another index, or none),
 * "metric-changed", "selection-changed", "reveal" (somebody asks to see what is selected),
 * "show-graph" (guint: somebody asks to see that graph). Property: "busy".
 */
StriaModelState *stria_model_state_new          (StriaCapture *capture);
/* Of one side of @comparison: @index is of its second profile if @second, else of its first. Set,
 * method and unit stay as they are. */
StriaModelState *stria_model_state_new_compared (StriaCapture *capture, StriaModelIndex *index,
                                                 StriaComparison *comparison, gboolean second);
/* Returns: (transfer none) (nullable): NULL: it is no side of one */
StriaComparison *stria_model_state_get_comparison (StriaModelState *self, gboolean *second);
StriaCapture    *stria_model_state_get_capture  (StriaModelState *self);
/* Looks at the capture again; does nothing if it has been read */
void             stria_model_state_load         (StriaModelState *self);

/* Names of the sets. Returns: (transfer none) (nullable) */
const char *const *stria_model_state_get_sets   (StriaModelState *self);
guint            stria_model_state_get_set      (StriaModelState *self);
void             stria_model_state_choose_set   (StriaModelState *self, guint set);
/* Returns: (transfer none) (nullable) */
const char *const *stria_model_state_get_methods (StriaModelState *self);
guint            stria_model_state_get_method   (StriaModelState *self);
void             stria_model_state_choose_method (StriaModelState *self, guint method);
StriaTimeUnit    stria_model_state_get_unit     (StriaModelState *self);
void             stria_model_state_choose_unit  (StriaModelState *self, StriaTimeUnit unit);

/* Returns: (transfer none) (nullable) */
StriaModelIndex *stria_model_state_get_index    (StriaModelState *self);
/* Why there is none, or NULL */
const char      *stria_model_state_get_error    (StriaModelState *self);
gboolean         stria_model_state_is_busy      (StriaModelState *self);

const StriaModelMetric *stria_model_state_get_metric (StriaModelState *self);
/* @counter: (nullable): one of the index' */
void             stria_model_state_set_counter  (StriaModelState *self, const char *counter);
void             stria_model_state_set_aggregation (StriaModelState *self,
                                                    StriaAggregation aggregation);

const StriaModelSelection *stria_model_state_get_selection (StriaModelState *self);
/* @origin: (nullable): who sets it, for listeners that need not hear of their own */
void             stria_model_state_select       (StriaModelState *self, guint graph, guint32 node,
                                                 guint32 group, gpointer origin);
gpointer         stria_model_state_get_origin   (StriaModelState *self);
/* Selects an entity where it is, and asks for it to be shown. FALSE: no graph has it */
gboolean         stria_model_state_go           (StriaModelState *self, guint32 entity);
/* Graphs that panes show, a bit each: stria_model_state_go() would rather stay in them. */
void             stria_model_state_set_shown    (StriaModelState *self, guint64 graphs);
void             stria_model_state_show_graph   (StriaModelState *self, guint graph);
/* By entity: how it corresponds to the selection. Returns: (transfer none) (nullable): NULL if
 * nothing is selected */
const guint8    *stria_model_state_get_relation (StriaModelState *self);
gboolean         stria_model_state_can_step     (StriaModelState *self, gboolean forward);
/* Through the selections that were */
gboolean         stria_model_state_step         (StriaModelState *self, gboolean forward);

G_END_DECLS
