/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-annotations.h"
#include "stria-kept-file.h"

G_BEGIN_DECLS

struct _StriaAnnotations
{
  GObject parent_instance;

  char      *identity;
  char      *title;
  GPtrArray *items; /* StriaAnnotation, by start */
  StriaKeptFile *file; /* NULL: kept nowhere */
  char      *sets; /* folder of the sets that are kept by name; NULL: none can be */
  GPtrArray *undo;  /* GPtrArray of StriaAnnotation */
  GPtrArray *redo;
  guint64    next_id;
  guint64    selected;
  guint      next_marker;
  guint      next_range;
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
/* What the file says that it is called. Returns: (transfer full) (nullable) */
char      *stria_annotations_read_title (const char *text, const char *path);

G_END_DECLS
