/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>

#include "stria-display-list.h"
#include "stria-paint-size.h"

G_BEGIN_DECLS

#define STRIA_TIME_MARKS_ROW_HEIGHT stria_text_px (17.0)

/* From top to bottom */
typedef enum
{
  STRIA_MARK_ANNOTATION,
  STRIA_MARK_REGION,
  STRIA_MARK_WARNING,
  STRIA_MARK_N_KINDS
} StriaMarkKind;

/**
 * StriaTimeMark:
 * @t0: nanoseconds, as the lanes count
 * @t1: equal to @t0: a moment
 * @id: the adder's own
 * @rgb: 0xRRGGBB
 * @kind: a #StriaMarkKind
 * @row: of the strip
 * @selected: stands out
 * @label: never NULL
 */
typedef struct
{
  gint64   t0;
  gint64   t1;
  guint64  id;
  guint32  rgb;
  guint8   kind;
  guint8   row;
  gboolean selected;
  char    *label;
} StriaTimeMark;

/**
 * StriaTimeMarks:
 *
 * Moments and stretches of time that stand out over all lanes: annotations, regions, warnings. They
 * are labelled in a strip above the lanes whose rows do not depend on the zoom, and painted over
 * the lanes as lines and bands. No GTK: the widget and tests share it.
 */
typedef struct _StriaTimeMarks StriaTimeMarks;

StriaTimeMarks *stria_time_marks_new  (void);
void            stria_time_marks_free (StriaTimeMarks *self);
void            stria_time_marks_add  (StriaTimeMarks *self, StriaMarkKind kind, guint64 id, gint64 t0,
                                       gint64 t1, guint32 rgb, gboolean selected, const char *label);
/* Gives rows; nothing is added after it. */
void            stria_time_marks_seal (StriaTimeMarks *self);
guint           stria_time_marks_size (StriaTimeMarks *self);
/* By row, in it by start. Returns: (transfer none) */
const StriaTimeMark *stria_time_marks_get (StriaTimeMarks *self, guint i);
guint           stria_time_marks_n_rows (StriaTimeMarks *self);
/* First row of a kind, and how many it has */
guint           stria_time_marks_rows_of (StriaTimeMarks *self, StriaMarkKind kind, guint *first);
/* Of the strip, in pixels; 0 without marks */
double          stria_time_marks_height (StriaTimeMarks *self);

/* Where a mark's flag or bar stands in the strip: for painting and for the pointer. FALSE: not in
 * sight. @room: (out): where the next one of its row begins */
gboolean        stria_time_marks_place (StriaTimeMarks *self, guint i, gint64 t0, gint64 t1,
                                        double width, double *x0, double *x1, double *room);
/* The mark at a point of the strip, or %G_MAXUINT */
guint           stria_time_marks_hit  (StriaTimeMarks *self, gint64 t0, gint64 t1, double width,
                                       double x, double y);
/* The annotation whose line is within @slack pixels of @x, or %G_MAXUINT. @edge: (out): -1 the
 * start of a range, 1 its end, 0 a moment */
guint           stria_time_marks_hit_line (StriaTimeMarks *self, gint64 t0, gint64 t1, double width,
                                           double x, double slack, int *edge);

/* stria-paint-marks.c */
typedef struct _StriaStrings StriaStrings;
/* The strip, labels that do not overlap in it */
void            stria_time_marks_paint_strip (StriaTimeMarks *self, cairo_t *cr,
                                              StriaStrings *strings, double font_size, gboolean dark,
                                              gint64 t0, gint64 t1, double width, double height);
/* Titles of the strip's rows, for the column of the headers */
void            stria_time_marks_paint_titles (StriaTimeMarks *self, cairo_t *cr,
                                               StriaStrings *strings, double font_size, gboolean dark,
                                               double width, double height);
/* Over the lanes */
void            stria_time_marks_paint_bands (StriaTimeMarks *self, cairo_t *cr, gboolean dark,
                                              gint64 t0, gint64 t1, double width, double height);
/* Ticks over the minimap, which shows [t0, t1) */
void            stria_time_marks_paint_ticks (StriaTimeMarks *self, cairo_t *cr, gint64 t0, gint64 t1,
                                              double width, double height);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTimeMarks, stria_time_marks_free)

G_END_DECLS
