/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture-tree.h"
#include "stria-names.h"
#include "stria-pair.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_ROLE_NONE,
  STRIA_ROLE_NTFF,
  STRIA_ROLE_NEFF,
  STRIA_ROLE_TRACE_INFO,
  STRIA_ROLE_NTRACE,
  STRIA_ROLE_CPU,
  STRIA_ROLE_MEMORY,
  STRIA_ROLE_PARQUET,
  STRIA_ROLE_JSON,
  STRIA_ROLE_FRAMEWORK,
  STRIA_ROLE_SNAPSHOT,
  STRIA_ROLE_SOURCE,
  STRIA_ROLE_OTHER,
} StriaRole;

/* One artifact on its way into the tree. */
typedef struct
{
  guint number;
  StriaArtifact *artifact;
  StriaRole role;
  const char *base;  /* base name, of @place */
  char *place;       /* folder and name as one path, the member's inside its archive */
  char *folder;
  StriaNeuronName name; /* of .ntff and .neff */
  const StriaIdentity *identity; /* nullable */
  guint alike;       /* programs: number of the first with the same bytes, or its own */
  guint n_alike;     /* of the first one */
  gboolean is_used;  /* programs: a device profile ran it */
  guint group;       /* that its folder or process has */
} StriaMember;

typedef struct
{
  StriaCapture *capture;
  StriaCaptureTree *tree;
  StriaMember *members;
  guint n_members;
  GHashTable *by_uuid;   /* uuid -> GArray of members' numbers: programs, one a content */
  GHashTable *by_folder; /* folder -> GArray of members' numbers: programs, one a content */
  GHashTable *said;      /* folder -> number + 1 of a member that names instance and process */
  GHashTable *choices;
} StriaPairing;

/* stria-pair-programs.c: finds the programs of a device profile and fills its group. */
void stria_pair_index_programs (StriaPairing *self);
void stria_pair_device (StriaPairing *self, StriaMember *member, guint group);
/* stria-pair-lacks.c: says what each process and session lacks. */
void stria_pair_find_lacks (StriaPairing *self);

G_END_DECLS
