/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

#define STRIA_ANNOTATIONS_MAX 10000
/* Bytes of a file that is read back, beyond which it is none of ours */
#define STRIA_ANNOTATIONS_MAX_FILE (16 << 20)
#define STRIA_ANNOTATION_MAX_TEXT 4096
#define STRIA_ANNOTATION_N_COLORS 8

/**
 * StriaAnnotation:
 * @id: tells it from the others of this run of the program; never 0
 * @t0: nanoseconds, on the capture's clock
 * @t1: equal to @t0 in a marker, greater in a range
 * @rgb: colour, 0xRRGGBB
 * @name: never empty
 * @note: free text, may be empty
 *
 * What a person wrote at a time or a stretch of time.
 */
typedef struct
{
  guint64 id;
  gint64  t0;
  gint64  t1;
  guint32 rgb;
  char   *name;
  char   *note;
} StriaAnnotation;

#define STRIA_TYPE_ANNOTATIONS (stria_annotations_get_type ())
G_DECLARE_FINAL_TYPE (StriaAnnotations, stria_annotations, STRIA, ANNOTATIONS, GObject)

/**
 * StriaAnnotations:
 *
 * The annotations of one capture, ordered by start, and which of them is selected. Each change is
 * written to a file of the user's data folder by a worker (to a new file that then takes the old
 * one's place), and can be undone. Main thread only.
 *
 * Signals: "changed"; "selection-changed"; "failed" (const char *message): a file could not be read
 * or written.
 */
/* @path: (nullable): the file; NULL keeps nothing. What is in it arrives later, with "changed". */
StriaAnnotations *stria_annotations_new      (const char *path);
/* Those of a capture: everybody who asks gets the same ones. Captures are alike if their files are.
 * Returns: (transfer full) */
StriaAnnotations *stria_annotations_get      (StriaCapture *capture);
/* What tells captures apart whatever they are called, wherever they lie and whenever they were
 * copied. Returns: (transfer full): 64 hexadecimal digits */
char             *stria_annotations_identity (StriaCapture *capture);

guint                  stria_annotations_size (StriaAnnotations *self);
/* By start. Returns: (transfer none): until the next change */
const StriaAnnotation *stria_annotations_at   (StriaAnnotations *self, guint i);
/* Returns: (transfer none) (nullable) */
const StriaAnnotation *stria_annotations_find (StriaAnnotations *self, guint64 id);
/* The nearest one that begins after (before) @ns. Returns: (transfer none) (nullable) */
const StriaAnnotation *stria_annotations_next (StriaAnnotations *self, gint64 ns, gboolean forward);

/* @name: (nullable): NULL names it by its number. @rgb: 0 takes the next colour.
 * Returns: its id, or 0 if there are too many */
guint64  stria_annotations_add       (StriaAnnotations *self, gint64 t0, gint64 t1, const char *name,
                                      guint32 rgb);
/* Adds copies of many, as one step to undo, as far as there is room. @items: (element-type
 * StriaAnnotation): their ids do not matter */
void     stria_annotations_add_all   (StriaAnnotations *self, GPtrArray *items);
/* An empty name is not taken. */
void     stria_annotations_set_name  (StriaAnnotations *self, guint64 id, const char *name);
void     stria_annotations_set_note  (StriaAnnotations *self, guint64 id, const char *note);
void     stria_annotations_set_color (StriaAnnotations *self, guint64 id, guint32 rgb);
/* Ends in the wrong order are swapped. */
void     stria_annotations_set_span  (StriaAnnotations *self, guint64 id, gint64 t0, gint64 t1);
gboolean stria_annotations_remove    (StriaAnnotations *self, guint64 id);
void     stria_annotations_clear     (StriaAnnotations *self);

gboolean stria_annotations_undo      (StriaAnnotations *self);
gboolean stria_annotations_redo      (StriaAnnotations *self);
gboolean stria_annotations_can_undo  (StriaAnnotations *self);
gboolean stria_annotations_can_redo  (StriaAnnotations *self);

guint64  stria_annotations_get_selected (StriaAnnotations *self);
void     stria_annotations_select    (StriaAnnotations *self, guint64 id);

guint32  stria_annotation_color      (guint i);

/* All of them as the text of a file to share. @title: (nullable): the capture's, for people.
 * Returns: (transfer full) */
char    *stria_annotations_to_json   (StriaAnnotations *self, const char *title);
/* Adds those of such a file, but for those that are there already; one step to undo. @path: for
 * messages.
 * @n_added: (out). FALSE: the text is no such file, and nothing was added */
gboolean stria_annotations_take_json (StriaAnnotations *self, const char *text, gssize length,
                                      const char *path, guint *n_added, GError **error);
/* Whether a file's annotations were made on other files than this one's. */
gboolean stria_annotations_is_foreign (StriaAnnotations *self, const char *text, gssize length);
/* As a table, RFC 4180, times in nanoseconds since @origin_ns. Returns: (transfer full) */
char    *stria_annotations_to_csv    (StriaAnnotations *self, gint64 origin_ns);
/* Waits until everything is on disk: for the end of the program, and for tests. */
void     stria_annotations_flush     (StriaAnnotations *self);

G_END_DECLS
