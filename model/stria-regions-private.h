/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-regions.h"

G_BEGIN_DECLS

typedef struct
{
  StriaTrace     *trace;
  StriaRegionSet *set;
  GCancellable   *cancellable;
} StriaRegionSearch;

/* @name: (transfer full) */
void     stria_region_add        (StriaRegionSearch *self, const StriaRegionRule *rule, guint number,
                                  gint64 t0, gint64 t1, guint32 artifact, StriaRef ref, char *name);
/* Why rule @number found nothing */
void     stria_region_set_absent (StriaRegionSearch *self, guint number, const char *text);
/* Columns of a lane of slices; NULL: it is of another kind, or @error */
const StriaColumns *stria_region_load_slices (StriaRegionSearch *self, StriaLane *lane,
                                              GError **error);
/* @categories: (nullable): flags of those that count */
gboolean stria_region_find_names (StriaRegionSearch *self, const StriaRegionRule *rule,
                                  guint number, StriaPattern *pattern, const guint8 *categories,
                                  GError **error);
/* By texts of rows of Instruction: stria-region-rows.c */
gboolean stria_region_find_layers (StriaRegionSearch *self, const StriaRegionRule *rule,
                                   guint number, StriaPattern *pattern, GError **error);
gboolean stria_region_find_kernels (StriaRegionSearch *self, const StriaRegionRule *rule,
                                    guint number, StriaPattern *pattern, GError **error);

/* Adds the regions of rule @i to the set: stria-region-rules.c. FALSE with @error */
gboolean stria_region_rule_find (StriaRegionSearch *self, const StriaRegionRule *rule, guint i,
                                 GError **error);
/* Groups, and their figures of each region: stria-region-measure.c. FALSE with @error */
gboolean stria_region_measure   (StriaRegionSearch *self, GError **error);

/* -- files: stria-region-file.c ------------------------------------------------------------- */

/* Returns: (transfer full) (element-type StriaRegionRule): none */
GPtrArray *stria_region_rules_new   (void);
/* Returns: (transfer full): text of a file */
char      *stria_region_rules_write (GPtrArray *rules);
/* Returns: (transfer full) (element-type StriaRegionRule) (nullable): NULL with @error */
GPtrArray *stria_region_rules_read  (const char *text, gsize length, const char *path,
                                     GError **error);

G_END_DECLS
