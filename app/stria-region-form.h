/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-regions.h"

G_BEGIN_DECLS

#define STRIA_TYPE_REGION_FORM (stria_region_form_get_type ())
G_DECLARE_FINAL_TYPE (StriaRegionForm, stria_region_form, STRIA, REGION_FORM, GtkWidget)

/**
 * StriaRegionForm:
 *
 * What a person says a rule by.
 *
 * Signal: "add": the rule is to be added.
 */
GtkWidget       *stria_region_form_new      (void);
/* Returns: (transfer full) */
StriaRegionRule *stria_region_form_get_rule (StriaRegionForm *self);
/* One sentence about a rule. Returns: (transfer full) */
char            *stria_region_form_describe (const StriaRegionRule *rule);

G_END_DECLS
