/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-notices.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_ARTIFACT_WAITING,   /* found, not read yet */
  STRIA_ARTIFACT_IMPORTING,
  STRIA_ARTIFACT_IMPORTED,
  STRIA_ARTIFACT_EMPTY,     /* nothing in it; not a fault */
  STRIA_ARTIFACT_UNREADABLE,/* why: stria_artifact_get_reason() */
  STRIA_ARTIFACT_UNKNOWN,   /* no decoder for what it is */
  STRIA_ARTIFACT_REFUSED,  /* known and whole, but not to be shown: why is in the reason */
  STRIA_ARTIFACT_ALIKE,    /* the same bytes as another one, which stands for it */
  STRIA_ARTIFACT_CANCELLED,
} StriaArtifactState;

#define STRIA_TYPE_ARTIFACT (stria_artifact_get_type ())
G_DECLARE_FINAL_TYPE (StriaArtifact, stria_artifact, STRIA, ARTIFACT, GObject)

/**
 * StriaArtifact:
 *
 * One file of a capture, or one member of an archive. Properties: "path", "name", "kind", "state",
 * "reason", "size", "fraction". Setters may be called from any thread; "notify" is emitted on the
 * main context (or not at all if no main loop runs).
 */
/* @path: the file on disk. @member: (nullable): path inside it when it is an archive.
 * @name: path relative to the capture's root, for people. */
StriaArtifact     *stria_artifact_new          (const char *path, const char *member, const char *name,
                                                guint64 size, gint64 mtime_ns);
const char        *stria_artifact_get_path     (StriaArtifact *self);
const char        *stria_artifact_get_member   (StriaArtifact *self);
const char        *stria_artifact_get_name     (StriaArtifact *self);
guint64            stria_artifact_get_size     (StriaArtifact *self);
gint64             stria_artifact_get_mtime    (StriaArtifact *self);
/* Stable short name of the decoder that takes it ("pytorch-trace"), or NULL */
const char        *stria_artifact_get_kind     (StriaArtifact *self);
/* Translated title of the kind ("PyTorch trace") */
const char        *stria_artifact_get_title    (StriaArtifact *self);
void               stria_artifact_set_kind     (StriaArtifact *self, const char *kind, const char *title);
StriaArtifactState stria_artifact_get_state    (StriaArtifact *self);
/* Returns: (transfer full) (nullable) */
char              *stria_artifact_dup_reason   (StriaArtifact *self);
void               stria_artifact_set_state    (StriaArtifact *self, StriaArtifactState state,
                                                const char *reason);
/* SHA-256 of the first and last 64 KiB, hexadecimal; empty until the scan has read them */
const char        *stria_artifact_get_digest   (StriaArtifact *self);
void               stria_artifact_set_digest   (StriaArtifact *self, const char *digest);
guint64            stria_artifact_get_n_events (StriaArtifact *self);
void               stria_artifact_set_n_events (StriaArtifact *self, guint64 n);
/* How much of it has been read, 0..1 */
double             stria_artifact_get_fraction (StriaArtifact *self);
void               stria_artifact_set_fraction (StriaArtifact *self, double fraction);
/* Stable, untranslated name for machines ("imported") */
const char        *stria_artifact_state_name   (StriaArtifactState state);

G_END_DECLS
