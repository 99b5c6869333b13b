/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "profile-maker.h"

G_BEGIN_DECLS

/* What a test changes of the usual capture. */
typedef struct
{
  gboolean no_payload_2;     /* the second execution has no statistics */
  gboolean no_segment_1_2;   /* nor has its second segment */
  gboolean two_calls;        /* instruction 2 is a VGF call too */
  gboolean second_call_once; /* with statistics in the first execution only */
  gboolean rejected;         /* all statistics contradict each other */
  gboolean two_methods;
  gboolean other_delegate; /* the program calls something else */
  gboolean bad_label;      /* the debug database names what the VGF does not have */
  gboolean bad_segment;    /* the second segment can never be read */
  gboolean other_stripes;  /* other stripes of a chain in the second execution */
} MadeChanges;

/* A record, a dump of two executions and a program that belong together; or parts of that. */
void made_add_record (ProfileMaker *maker, const MadeChanges *changes);
void made_add_dump (ProfileMaker *maker, const MadeChanges *changes);
void made_add_program (ProfileMaker *maker, const MadeChanges *changes, const char *path,
                       guint64 size, const char *sha256);
void made_capture (ProfileMaker *maker, const MadeChanges *changes);
StriaProfile *made_profile (ProfileMaker *maker);

/* What a profile says; the test ends where it does not say it. */
const StriaEntity *made_entity (StriaProfile *profile, const char *id);
const StriaMetric *made_metric (StriaProfile *profile, const char *id, const char *name,
                                StriaAggregation aggregation);
double made_value (StriaProfile *profile, const char *id, const char *name,
                   StriaAggregation aggregation);
const StriaLink *made_link (StriaProfile *profile, const char *from, const char *to,
                            const char *kind);
gboolean made_remark (GPtrArray *remarks, const char *code);
StriaCheckState made_check (StriaProfile *profile, const char *name);

G_END_DECLS
