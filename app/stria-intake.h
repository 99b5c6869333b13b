/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/**
 * StriaIntakeVerdict:
 * @STRIA_INTAKE_OPEN: a capture, for a window that has none
 * @STRIA_INTAKE_SOURCES: source code of the capture that is open
 * @STRIA_INTAKE_ADD: files that the capture lacks: a companion, a program, a snapshot
 * @STRIA_INTAKE_ASK: a capture of its own, or more of the one that is open: only a person knows
 * @STRIA_INTAKE_ALREADY: files that are open
 * @STRIA_INTAKE_REFUSED: nothing that can be read
 */
typedef enum
{
  STRIA_INTAKE_OPEN,
  STRIA_INTAKE_SOURCES,
  STRIA_INTAKE_ADD,
  STRIA_INTAKE_ASK,
  STRIA_INTAKE_ALREADY,
  STRIA_INTAKE_REFUSED,
} StriaIntakeVerdict;

/**
 * StriaIntake:
 * @paths: (array zero-terminated=1): what was brought
 * @what: what will be done with it, for people, in a few words
 * @reason: (nullable): why it is refused, or why it belongs to the capture
 * @may_compare: of ASK: both captures have something of the same kind
 * @same_folder: of ASK: they lie beside each other
 *
 * Files and folders that were dropped, pasted or chosen, and what they are for a window.
 */
typedef struct
{
  StriaIntakeVerdict verdict;
  char             **paths;
  char              *what;
  char              *reason;
  gboolean           may_compare;
  gboolean           same_folder;
} StriaIntake;

void         stria_intake_free   (StriaIntake *self);
/* What is known at once, by names alone; @capture (nullable): the one that is open.
 * Returns: (transfer full): for people: "Drop to open “trace.json”" */
char        *stria_intake_guess  (const char *const *paths, gboolean has_capture);
/* Looks into the files; blocks: for a worker. @capture: (nullable): the one that is open, from
 * @open_paths. Returns: (transfer full) (nullable): NULL only if cancelled, with @error */
StriaIntake *stria_intake_look   (const char *const *paths, StriaCapture *capture,
                                  const char *const *open_paths, GCancellable *cancellable,
                                  GError **error);
/* The same on a worker; @callback gets a #GTask for stria_intake_look_finish(). */
void         stria_intake_look_async  (const char *const *paths, StriaCapture *capture,
                                       const char *const *open_paths, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
StriaIntake *stria_intake_look_finish (GAsyncResult *result, GError **error);

/* Paths in a text that was copied: file:// URIs, absolute paths and those that begin with ~/, one a
 * line, quoted or not. Lines that are none make it no list of paths.
 * Returns: (transfer full) (nullable) */
char       **stria_intake_paths_of_text (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaIntake, stria_intake_free)

G_END_DECLS
