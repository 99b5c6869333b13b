/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-capture-tree
 *
 * How the files of a capture belong together: nodes, processes, sessions, device profiles with the
 * programs that they ran, system profiles, exports. Made by the scan from names and from what the files
 * say of themselves; nothing has been decoded for it.
 */

#define STRIA_NO_GROUP G_MAXUINT32

typedef enum
{
  STRIA_FILES_CAPTURE,  /* the root */
  STRIA_FILES_NODE,     /* an instance: one machine */
  STRIA_FILES_PROCESS,
  STRIA_FILES_SESSION,  /* of a process, by the time it began */
  STRIA_FILES_DEVICE,   /* a device profile: one .ntff and the .neff files that it ran */
  STRIA_FILES_SYSTEM,   /* a system profile: the .pb files of one session */
  STRIA_FILES_PROGRAMS, /* programs that are alike, or that no device profile ran */
  STRIA_FILES_EXPORT,   /* a processed profile: Parquet tables or JSON */
  STRIA_FILES_FRAMEWORK,/* traces and snapshots of the framework */
  STRIA_FILES_SOURCE,   /* source code */
  STRIA_FILES_OTHER,    /* what belongs to none of these */
} StriaFilesKind;

typedef enum
{
  STRIA_FILES_COMPLETE,
  STRIA_FILES_PARTIAL,   /* usable; what is missing is in the reason */
  STRIA_FILES_IDLE,      /* an empty .ntff: a core that did not run; no fault */
  STRIA_FILES_AMBIGUOUS, /* several programs could be meant: a person chooses */
  STRIA_FILES_REFUSED,   /* not shown as a device profile; why is in the reason */
} StriaFilesState;

/* How a program was found for a device profile, the surest first. */
typedef enum
{
  STRIA_PAIR_NONE,
  STRIA_PAIR_UUID,      /* the uuid inside both files */
  STRIA_PAIR_EXECUTION, /* uid of an execution or node in the .ntff, uuid of the .neff */
  STRIA_PAIR_CHOICE,    /* a person said so */
  STRIA_PAIR_HASH,      /* the number in both names; a hint only */
  STRIA_PAIR_STEM,      /* both names without their endings */
  STRIA_PAIR_ONLY,      /* the only program in the folder */
} StriaPairRule;

/**
 * StriaFiles:
 * @parent: number of the group that it is in; %STRIA_NO_GROUP for the root
 * @title: name for people: an instance's, a folder's, a file's
 * @code: (nullable): stable name of a trouble ("ERROR_PROCESS_INCOMPLETE")
 * @reason: (nullable): translated: what is missing or wrong
 * @remedy: (nullable): translated: how it is captured
 * @rule: how its programs were found
 * @children: (element-type guint): groups in it, in the order in which they were added
 * @artifacts: (element-type guint): artifacts that it is made of; a device profile's .ntff comes first,
 *   then the programs that it ran
 * @candidates: (element-type guint): programs that could be meant
 * @pid, @nc, @vnc, @session, @rank, @exec, @instance_number: -1 where neither name nor file says it
 * @n_alike: files that are the same as the first artifact, itself among them
 */
typedef struct
{
  StriaFilesKind kind;
  StriaFilesState state;
  StriaPairRule rule;
  guint parent;
  GArray *children;
  char *title;
  char *code;
  char *reason;
  char *remedy;
  GArray *artifacts;
  GArray *candidates;
  gint64 pid;
  gint64 nc;
  gint64 vnc;
  gint64 session;
  gint64 rank;
  gint64 exec;
  gint64 instance_number;
  guint n_alike;
} StriaFiles;

/**
 * StriaLack:
 * @group: the group that lacks it
 * @code: stable name ("no-system-profile")
 * @reason: translated: what is not there, and what can't be known for it
 * @remedy: translated: the capture or compile setting that brings it, or NULL
 *
 * Something that a group could have and has not: no fault.
 */
typedef struct
{
  guint group;
  char *code;
  char *reason;
  char *remedy;
} StriaLack;

typedef enum
{
  STRIA_PROFILE_DEVICE = 1 << 0,
  STRIA_PROFILE_SYSTEM = 1 << 1,
} StriaProfileTypes;

typedef struct _StriaCaptureTree StriaCaptureTree;

StriaCaptureTree *stria_capture_tree_new      (void);
StriaCaptureTree *stria_capture_tree_ref      (StriaCaptureTree *self);
void              stria_capture_tree_unref    (StriaCaptureTree *self);
/* Number of the new group */
guint             stria_capture_tree_add      (StriaCaptureTree *self, guint parent,
                                               StriaFilesKind kind, const char *title);
guint             stria_capture_tree_size     (StriaCaptureTree *self);
StriaFiles       *stria_capture_tree_get      (StriaCaptureTree *self, guint group);
/* The first group of @parent with that kind and title, or %STRIA_NO_GROUP */
guint             stria_capture_tree_find     (StriaCaptureTree *self, guint parent,
                                               StriaFilesKind kind, const char *title);
/* The first group that an artifact is in, or %STRIA_NO_GROUP */
guint             stria_capture_tree_of       (StriaCaptureTree *self, guint artifact);
void              stria_capture_tree_add_lack (StriaCaptureTree *self, guint group, const char *code,
                                               const char *reason, const char *remedy);
guint             stria_capture_tree_n_lacks  (StriaCaptureTree *self);
const StriaLack  *stria_capture_tree_get_lack (StriaCaptureTree *self, guint i);
/* What a group and all groups in it can show: a device profile counts when it is complete, partial or
 * still to be chosen. */
StriaProfileTypes stria_capture_tree_types    (StriaCaptureTree *self, guint group);
/* Stable, untranslated names for machines ("device", "complete", "uuid"); and titles for people */
const char       *stria_files_kind_name       (StriaFilesKind kind);
const char       *stria_files_kind_title      (StriaFilesKind kind);
const char       *stria_files_state_name      (StriaFilesState state);
const char       *stria_files_state_title     (StriaFilesState state);
const char       *stria_profile_types_name    (StriaProfileTypes types);
const char       *stria_profile_types_title   (StriaProfileTypes types);
const char       *stria_pair_rule_name        (StriaPairRule rule);
const char       *stria_pair_rule_title       (StriaPairRule rule);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaCaptureTree, stria_capture_tree_unref)

G_END_DECLS
