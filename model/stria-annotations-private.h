/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-annotations.h"

G_BEGIN_DECLS

struct _StriaAnnotations
{
  GObject parent_instance;

  char      *path; /* NULL: kept nowhere */
  char      *identity;
  char      *title;
  GPtrArray *items; /* StriaAnnotation, by start */
  GPtrArray *undo;  /* GPtrArray of StriaAnnotation */
  GPtrArray *redo;
  guint64    next_id;
  guint64    selected;
  guint      next_marker;
  guint      next_range;
  gboolean   loading;
  gboolean   writing;
  gboolean   dirty;
};

/* Adds copies, with ids of their own. */
void stria_annotations_take_items (StriaAnnotations *self, GPtrArray *items);
/* To be called before and after a change */
void stria_annotations_remember   (StriaAnnotations *self);
void stria_annotations_changed    (StriaAnnotations *self);

/* -- files: stria-annotations-file.c -------------------------------------------------------- */

StriaAnnotation *stria_annotation_copy (const StriaAnnotation *self);
void             stria_annotation_free (StriaAnnotation *self);

/* Returns: (transfer full): text of a file */
char      *stria_annotations_write (GPtrArray *items, const char *identity, const char *title);
/* @identity: (out) (optional) (transfer full) (nullable): what the file says it is of.
 * Returns: (transfer full) (element-type StriaAnnotation) (nullable): without ids; NULL with
 * @error */
GPtrArray *stria_annotations_read  (const char *text, gssize length, const char *path,
                                    char **identity, GError **error);
/* Puts @text where @path is; NULL removes it. Blocks: for a worker */
gboolean   stria_annotations_store (const char *path, const char *text, GError **error);

G_END_DECLS
