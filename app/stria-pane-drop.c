/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pane-drop.h"

/* How far from a side its zone reaches, as a part of the width or height */
#define ZONE 0.28

struct _StriaPaneDrop
{
  GtkWidget parent_instance;

  GtkLabel     *label;
  StriaPaneRect rect;
};

G_DEFINE_FINAL_TYPE (StriaPaneDrop, stria_pane_drop, GTK_TYPE_WIDGET)

StriaSide
stria_pane_drop_side (const StriaPaneRect *rect, double x, double y)
{
  const double u = rect->width > 0 ? (x - rect->x) / rect->width : 0.5;
  const double v = rect->height > 0 ? (y - rect->y) / rect->height : 0.5;
  const double distances[] = { [STRIA_SIDE_LEFT] = u,
                               [STRIA_SIDE_RIGHT] = 1 - u,
                               [STRIA_SIDE_TOP] = v,
                               [STRIA_SIDE_BOTTOM] = 1 - v,
                               [STRIA_SIDE_CENTER] = ZONE };
  StriaSide nearest = STRIA_SIDE_CENTER;

  for (guint i = 0; i < STRIA_SIDE_CENTER; i++)
    if (distances[i] < distances[nearest])
      nearest = (StriaSide) i;
  return nearest;
}

StriaPaneRect
stria_pane_drop_part (const StriaPaneRect *rect, StriaSide side)
{
  StriaPaneRect part = *rect;

  if (side == STRIA_SIDE_LEFT || side == STRIA_SIDE_RIGHT)
    part.width /= 2;
  else if (side == STRIA_SIDE_TOP || side == STRIA_SIDE_BOTTOM)
    part.height /= 2;
  if (side == STRIA_SIDE_RIGHT)
    part.x += rect->width - part.width;
  else if (side == STRIA_SIDE_BOTTOM)
    part.y += rect->height - part.height;
  return part;
}

void
stria_pane_drop_show (StriaPaneDrop *self, const StriaPaneRect *part, const char *text)
{
  g_return_if_fail (STRIA_IS_PANE_DROP (self));

  self->rect = *part;
  gtk_label_set_label (self->label, text);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_widget_queue_allocate (gtk_widget_get_parent (GTK_WIDGET (self)));
}

void
stria_pane_drop_hide (StriaPaneDrop *self)
{
  g_return_if_fail (STRIA_IS_PANE_DROP (self));

  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

const StriaPaneRect *
stria_pane_drop_get_rect (StriaPaneDrop *self)
{
  return &self->rect;
}

static void
stria_pane_drop_dispose (GObject *object)
{
  StriaPaneDrop *self = STRIA_PANE_DROP (object);

  g_clear_pointer ((GtkWidget **) &self->label, gtk_widget_unparent);
  G_OBJECT_CLASS (stria_pane_drop_parent_class)->dispose (object);
}

static void
stria_pane_drop_class_init (StriaPaneDropClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_pane_drop_dispose;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "panedrop");
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_pane_drop_init (StriaPaneDrop *self)
{
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_END);
  gtk_widget_set_halign (GTK_WIDGET (self->label), GTK_ALIGN_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self->label), GTK_ALIGN_CENTER);
  gtk_widget_set_parent (GTK_WIDGET (self->label), GTK_WIDGET (self));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
stria_pane_drop_new (void)
{
  return g_object_new (STRIA_TYPE_PANE_DROP, NULL);
}
