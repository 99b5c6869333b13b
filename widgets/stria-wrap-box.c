/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-wrap-box.h"

struct _StriaWrapBox
{
  GtkWidget parent_instance;

  int spacing;
  int row_spacing;
};

G_DEFINE_FINAL_TYPE (StriaWrapBox, stria_wrap_box, GTK_TYPE_WIDGET)

static GtkWidget *
next_shown (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* The width that @child has in a row as wide as @width */
static int
width_in (GtkWidget *child, int width)
{
  int minimum, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return MAX (minimum, MIN (natural, width));
}

static int
height_of (GtkWidget *child, int width)
{
  int natural;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

/* One row from @first on. Returns: what the next one begins with, or NULL */
static GtkWidget *
measure_row (StriaWrapBox *self, GtkWidget *first, int width, int *used, int *height,
             guint *n_expand)
{
  GtkWidget *child = first;

  *used = *height = 0;
  *n_expand = 0;
  for (; child != NULL; child = next_shown (gtk_widget_get_next_sibling (child)))
    {
      const int wide = width_in (child, width);

      if (child != first && *used + self->spacing + wide > width)
        break;
      *used += wide + (child != first ? self->spacing : 0);
      *height = MAX (*height, height_of (child, wide));
      *n_expand += gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL);
    }
  return child;
}

static void
allocate_row (StriaWrapBox *self, GtkWidget *first, GtkWidget *end, int width, int top, int height,
              int left_over, guint n_expand)
{
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  int x = 0;

  for (GtkWidget *child = first; child != end;
       child = next_shown (gtk_widget_get_next_sibling (child)))
    {
      int wide = width_in (child, width);

      if (n_expand > 0 && gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL))
        {
          const int more = left_over / (int)n_expand;

          wide += more;
          left_over -= more;
          n_expand--;
        }
      gtk_widget_size_allocate (
          child, &(GtkAllocation){ mirrored ? width - x - wide : x, top, wide, height }, -1);
      x += wide + self->spacing;
    }
}

/* Returns: the height of all rows. @allocate: whether children get their places */
static int
go_through_rows (StriaWrapBox *self, int width, gboolean allocate)
{
  GtkWidget *first = next_shown (gtk_widget_get_first_child (GTK_WIDGET (self)));
  int y = 0;

  while (first != NULL)
    {
      int used, height;
      guint n_expand;
      GtkWidget *next = measure_row (self, first, width, &used, &height, &n_expand);

      if (allocate)
        allocate_row (self, first, next, width, y, height, MAX (width - used, 0), n_expand);
      y += height + (next != NULL ? self->row_spacing : 0);
      first = next;
    }
  return y;
}

static void
stria_wrap_box_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  StriaWrapBox *self = STRIA_WRAP_BOX (widget);
  GtkWidget *child = next_shown (gtk_widget_get_first_child (widget));

  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= 0)
    {
      *minimum = *natural = go_through_rows (self, for_size, FALSE);
      return;
    }
  for (gboolean is_first = TRUE; child != NULL; is_first = FALSE)
    {
      int least, wanted;

      gtk_widget_measure (child, orientation, -1, &least, &wanted, NULL, NULL);
      *minimum = MAX (*minimum, least);
      if (orientation == GTK_ORIENTATION_VERTICAL)
        *natural = MAX (*natural, wanted);
      else
        *natural += wanted + (is_first ? 0 : self->spacing);
      child = next_shown (gtk_widget_get_next_sibling (child));
    }
}

static void
stria_wrap_box_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  go_through_rows (STRIA_WRAP_BOX (widget), width, TRUE);
}

static GtkSizeRequestMode
stria_wrap_box_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
stria_wrap_box_dispose (GObject *object)
{
  stria_wrap_box_clear (STRIA_WRAP_BOX (object));
  G_OBJECT_CLASS (stria_wrap_box_parent_class)->dispose (object);
}

static void
stria_wrap_box_class_init (StriaWrapBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_wrap_box_dispose;
  widget_class->measure = stria_wrap_box_measure;
  widget_class->size_allocate = stria_wrap_box_size_allocate;
  widget_class->get_request_mode = stria_wrap_box_get_request_mode;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stria_wrap_box_init (StriaWrapBox *self)
{
}

void
stria_wrap_box_append (StriaWrapBox *self, GtkWidget *child)
{
  g_return_if_fail (STRIA_IS_WRAP_BOX (self));

  gtk_widget_insert_before (child, GTK_WIDGET (self), NULL);
}

void
stria_wrap_box_clear (StriaWrapBox *self)
{
  GtkWidget *child;

  g_return_if_fail (STRIA_IS_WRAP_BOX (self));

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
}

GtkWidget *
stria_wrap_box_new (int spacing, int row_spacing)
{
  StriaWrapBox *self = g_object_new (STRIA_TYPE_WRAP_BOX, NULL);

  self->spacing = spacing;
  self->row_spacing = row_spacing;
  return GTK_WIDGET (self);
}
