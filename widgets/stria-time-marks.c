/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-time-marks.h"

#include <math.h>

/* Rows that marks of a kind may take; more of them at once share the last one. */
static const guint most_rows[STRIA_MARK_N_KINDS] = { 3, 2, 2 };

#define BAR_LEAST  3.0
#define FLAG_WIDTH 9.0 /* of a moment's flag without its label */
#define LABEL_ROOM stria_text_px (150.0)

struct _StriaTimeMarks
{
  GArray *marks; /* StriaTimeMark */
  guint   n_rows;
  guint   first[STRIA_MARK_N_KINDS + 1];
  guint  *row_begin; /* n_rows + 1: indices into @marks */
};

static void
mark_clear (gpointer data)
{
  g_free (((StriaTimeMark *) data)->label);
}

StriaTimeMarks *
stria_time_marks_new (void)
{
  StriaTimeMarks *self = g_new0 (StriaTimeMarks, 1);

  self->marks = g_array_new (FALSE, FALSE, sizeof (StriaTimeMark));
  g_array_set_clear_func (self->marks, mark_clear);
  return self;
}

void
stria_time_marks_free (StriaTimeMarks *self)
{
  g_array_unref (self->marks);
  g_free (self->row_begin);
  g_free (self);
}

void
stria_time_marks_add (StriaTimeMarks *self, StriaMarkKind kind, guint64 id, gint64 t0, gint64 t1,
                      guint32 rgb, gboolean selected, const char *label)
{
  const StriaTimeMark mark = { .t0 = t0, .t1 = MAX (t1, t0), .id = id, .rgb = rgb,
                               .kind = (guint8) kind, .selected = selected,
                               .label = g_strdup (label != NULL ? label : "") };

  g_return_if_fail (kind < STRIA_MARK_N_KINDS && self->row_begin == NULL);

  g_array_append_val (self->marks, mark);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const StriaTimeMark *x = a;
  const StriaTimeMark *y = b;

  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->t0 != y->t0)
    return x->t0 < y->t0 ? -1 : 1;
  if (x->t1 != y->t1)
    return x->t1 > y->t1 ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const StriaTimeMark *x = a;
  const StriaTimeMark *y = b;

  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  return compare_starts (a, b);
}

void
stria_time_marks_seal (StriaTimeMarks *self)
{
  guint i = 0;

  g_return_if_fail (self->row_begin == NULL);

  g_array_sort (self->marks, compare_starts);
  for (guint kind = 0; kind < STRIA_MARK_N_KINDS; kind++)
    {
      gint64 ends[4] = { 0 };
      guint used = 0;

      self->first[kind] = self->n_rows;
      for (; i < self->marks->len
             && g_array_index (self->marks, StriaTimeMark, i).kind == kind; i++)
        {
          StriaTimeMark *mark = &g_array_index (self->marks, StriaTimeMark, i);
          guint row = 0;

          while (row < used && ends[row] > mark->t0)
            row++;
          row = MIN (row, most_rows[kind] - 1);
          ends[row] = row < used ? MAX (ends[row], mark->t1) : mark->t1;
          used = MAX (used, row + 1);
          mark->row = (guint8) (self->n_rows + row);
        }
      self->n_rows += used;
    }
  self->first[STRIA_MARK_N_KINDS] = self->n_rows;
  g_array_sort (self->marks, compare_rows);
  self->row_begin = g_new0 (guint, self->n_rows + 1);
  for (guint m = 0; m < self->marks->len; m++)
    self->row_begin[g_array_index (self->marks, StriaTimeMark, m).row + 1] = m + 1;
}

guint
stria_time_marks_size (StriaTimeMarks *self)
{
  return self->marks->len;
}

const StriaTimeMark *
stria_time_marks_get (StriaTimeMarks *self, guint i)
{
  return &g_array_index (self->marks, StriaTimeMark, i);
}

guint
stria_time_marks_n_rows (StriaTimeMarks *self)
{
  return self->n_rows;
}

guint
stria_time_marks_rows_of (StriaTimeMarks *self, StriaMarkKind kind, guint *first)
{
  *first = self->first[kind];
  return self->first[kind + 1] - self->first[kind];
}

double
stria_time_marks_height (StriaTimeMarks *self)
{
  return self->n_rows > 0 ? self->n_rows * STRIA_TIME_MARKS_ROW_HEIGHT + 3 : 0;
}

gboolean
stria_time_marks_place (StriaTimeMarks *self, guint i, gint64 t0, gint64 t1, double width,
                        double *x0, double *x1, double *room)
{
  const StriaTimeMark *mark = stria_time_marks_get (self, i);
  const gboolean is_last = i + 1 >= self->row_begin[mark->row + 1];

  *x0 = floor (stria_time_to_x (mark->t0, t0, t1, width));
  if (mark->t1 > mark->t0)
    *x1 = MAX (floor (stria_time_to_x (mark->t1, t0, t1, width)), *x0 + BAR_LEAST);
  else
    *x1 = *x0 + FLAG_WIDTH;
  *room = is_last ? width + LABEL_ROOM
                  : floor (stria_time_to_x (stria_time_marks_get (self, i + 1)->t0, t0, t1, width));
  /* Those that share a row, and those a pixel apart */
  *room = MAX (*room, *x0 + 1);
  if (*x0 > width || MAX (*x1, mark->t1 > mark->t0 ? *x1 : *x0 + LABEL_ROOM) < 0)
    return FALSE;
  *x0 = MAX (*x0, -4);
  *x1 = MIN (*x1, width + 4);
  return TRUE;
}

guint
stria_time_marks_hit (StriaTimeMarks *self, gint64 t0, gint64 t1, double width, double x, double y)
{
  const int row = (int) floor ((y - 1) / STRIA_TIME_MARKS_ROW_HEIGHT);
  guint best = G_MAXUINT;
  double distance = 6;

  if (row < 0 || row >= (int) self->n_rows)
    return G_MAXUINT;
  for (guint i = self->row_begin[row]; i < self->row_begin[row + 1]; i++)
    {
      double x0 = 0, x1 = 0, room = 0, off;

      if (!stria_time_marks_place (self, i, t0, t1, width, &x0, &x1, &room))
        continue;
      /* The label of a moment belongs to it. */
      if (stria_time_marks_get (self, i)->t1 <= stria_time_marks_get (self, i)->t0)
        x1 = MAX (x1, MIN (room - 2, x0 + LABEL_ROOM));
      off = x < x0 ? x0 - x : x > x1 ? x - x1 : 0;
      /* Of several the one that begins last: it lies on top. */
      if (off < distance || (off <= 0 && best != G_MAXUINT))
        {
          best = i;
          distance = MAX (off, 0.001);
        }
    }
  return best;
}

guint
stria_time_marks_hit_line (StriaTimeMarks *self, gint64 t0, gint64 t1, double width, double x,
                           double slack, int *edge)
{
  const guint end
      = self->first[STRIA_MARK_ANNOTATION + 1] > 0
            ? self->row_begin[self->first[STRIA_MARK_ANNOTATION + 1]]
            : 0;
  guint best = G_MAXUINT;
  double distance = slack;

  for (guint i = 0; i < end; i++)
    {
      const StriaTimeMark *mark = stria_time_marks_get (self, i);
      const double left = fabs (floor (stria_time_to_x (mark->t0, t0, t1, width)) - x);
      const double right = fabs (floor (stria_time_to_x (mark->t1, t0, t1, width)) - x);

      if (left <= distance)
        {
          best = i;
          distance = left;
          *edge = mark->t1 > mark->t0 ? -1 : 0;
        }
      if (mark->t1 > mark->t0 && right <= distance)
        {
          best = i;
          distance = right;
          *edge = 1;
        }
    }
  return best;
}
