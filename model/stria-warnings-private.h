/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-transfers.h"
#include "stria-warnings.h"

G_BEGIN_DECLS

typedef struct
{
  StriaTrace      *trace;
  GPtrArray       *tables;
  const double    *limits;
  GArray          *transfers;
  StriaWarningSet *set;
  GArray          *found; /* StriaWarning of the rule that is asked */
  GCancellable    *cancellable;
  GError         **error;
} StriaWarningSearch;

/* Of the rule that is asked. @numbers: (transfer full) */
void stria_warning_add         (StriaWarningSearch *self, StriaWarningRule rule, gint64 t0,
                                gint64 t1, guint32 process, StriaRef ref, double severity,
                                char *numbers);
/* Takes over what a rule found, the worst of it if that is too much. */
void stria_warning_take        (StriaWarningSearch *self, StriaWarningRule rule);
/* About transfers: stria-warning-transfers.c */
void stria_warning_find_small  (StriaWarningSearch *self);
void stria_warning_find_spills (StriaWarningSearch *self);

G_END_DECLS
