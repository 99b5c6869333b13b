/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-swatch.h"

#include <adwaita.h>

#include "stria-color.h"

struct _StriaSwatch
{
  GtkWidget parent_instance;

  char    *name;
  double   share;
  gboolean is_bar;
  gboolean has_number;
  guint    number;
};

G_DEFINE_FINAL_TYPE (StriaSwatch, stria_swatch, GTK_TYPE_WIDGET)

static void
stria_swatch_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaSwatch *self = STRIA_SWATCH (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  GskRoundedRect outline;
  StriaColor color;
  GdkRGBA rgba;
  gboolean dark;

  if (self->name == NULL)
    return;

  dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  color = self->has_number ? stria_color_for_number (self->number, dark)
                           : stria_color_for_name (self->name, dark);
  rgba = (GdkRGBA){ (float) color.r, (float) color.g, (float) color.b, 1.0f };
  if (self->is_bar)
    {
      GdkRGBA trough;

      gtk_style_context_get_color (gtk_widget_get_style_context (widget), &trough);
      trough.alpha *= 0.12f;
      gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (0, 0, width, height), 2);
      gtk_snapshot_push_rounded_clip (snapshot, &outline);
      gtk_snapshot_append_color (snapshot, &trough, &GRAPHENE_RECT_INIT (0, 0, width, height));
      width *= (float) self->share;
      gtk_snapshot_append_color (snapshot, &rgba, &GRAPHENE_RECT_INIT (0, 0, width, height));
      gtk_snapshot_pop (snapshot);
    }
  else
    {
      gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (0, 0, width, height), 3);
      gtk_snapshot_push_rounded_clip (snapshot, &outline);
      gtk_snapshot_append_color (snapshot, &rgba, &GRAPHENE_RECT_INIT (0, 0, width, height));
      gtk_snapshot_pop (snapshot);
    }
}

static void
stria_swatch_dispose (GObject *object)
{
  StriaSwatch *self = STRIA_SWATCH (object);

  g_clear_pointer (&self->name, g_free);
  G_OBJECT_CLASS (stria_swatch_parent_class)->dispose (object);
}

static void
stria_swatch_class_init (StriaSwatchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_swatch_dispose;
  widget_class->snapshot = stria_swatch_snapshot;
  gtk_widget_class_set_css_name (widget_class, "swatch");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
stria_swatch_init (StriaSwatch *self)
{
  self->share = 1.0;
  /* The colour of a name differs between light and dark. */
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

GtkWidget *
stria_swatch_new (void)
{
  GtkWidget *widget = g_object_new (STRIA_TYPE_SWATCH, "valign", GTK_ALIGN_CENTER, NULL);

  gtk_widget_set_size_request (widget, 12, 12);
  return widget;
}

GtkWidget *
stria_swatch_new_bar (void)
{
  GtkWidget *widget = g_object_new (STRIA_TYPE_SWATCH, "valign", GTK_ALIGN_CENTER, NULL);

  STRIA_SWATCH (widget)->is_bar = TRUE;
  gtk_widget_set_size_request (widget, 48, 6);
  return widget;
}

void
stria_swatch_set_name (StriaSwatch *self, const char *name)
{
  g_return_if_fail (STRIA_IS_SWATCH (self));

  if (g_strcmp0 (self->name, name) == 0)
    return;
  g_free (self->name);
  self->name = g_strdup (name);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
stria_swatch_set_number (StriaSwatch *self, guint n)
{
  g_return_if_fail (STRIA_IS_SWATCH (self));

  self->has_number = TRUE;
  self->number = n;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
stria_swatch_set_share (StriaSwatch *self, double share)
{
  g_return_if_fail (STRIA_IS_SWATCH (self));

  self->share = CLAMP (share, 0.0, 1.0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
