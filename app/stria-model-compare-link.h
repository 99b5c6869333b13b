/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-area.h"
#include "stria-model-partners.h"

G_BEGIN_DECLS

/**
 * StriaModelCompareLink:
 *
 * Two areas that move together: zoom, place and open groups of the one that somebody moves go over
 * to the other. What corresponds to each other stands in the same place, also where the layouts
 * differ.
 */
typedef struct _StriaModelCompareLink StriaModelCompareLink;

/* @partners: of the graphs of the areas; lives longer */
StriaModelCompareLink *stria_model_compare_link_new  (StriaGraphArea *a, StriaGraphArea *b,
                                                      const StriaModelPartners *partners);
void stria_model_compare_link_free       (StriaModelCompareLink *self);
/* The second area takes over from the first when it becomes active */
void stria_model_compare_link_set_active (StriaModelCompareLink *self, gboolean active);

G_END_DECLS
