/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-counter-bars.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-format.h"

#define MAX_TOLD 12

struct _StriaCounterBar
{
  GtkWidget parent_instance;

  GArray     *parts; /* StriaCounterPart */
  double      full;
  const char *unit;
};

G_DEFINE_FINAL_TYPE (StriaCounterBar, stria_counter_bar, GTK_TYPE_WIDGET)

static void
stria_counter_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaCounterBar *self = STRIA_COUNTER_BAR (widget);
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));

  stria_counter_bars_paint (cr, (const StriaCounterPart *) (gpointer) self->parts->data,
                            self->parts->len, self->full, width, height,
                            adw_style_manager_get_dark (adw_style_manager_get_default ()));
  cairo_destroy (cr);
}

static void
append_part (GString *text, const StriaCounterPart *part, const char *unit)
{
  g_autofree char *value = stria_format_value (part->value, unit);

  g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", part->name, value);
}

static gboolean
on_query_tooltip (StriaCounterBar *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const double width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)));
  double end = 0;

  for (guint i = 0; !keyboard && i < self->parts->len; i++)
    {
      const StriaCounterPart *part = &g_array_index (self->parts, StriaCounterPart, i);

      end += part->value / self->full * width;
      if (x < end)
        {
          append_part (text, part, self->unit);
          break;
        }
    }
  for (guint i = 0; text->len == 0 && i < MIN (self->parts->len, MAX_TOLD); i++)
    append_part (text, &g_array_index (self->parts, StriaCounterPart, i), self->unit);
  if (text->len == 0)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text->str);
  return TRUE;
}

static void
stria_counter_bar_finalize (GObject *object)
{
  g_array_unref (STRIA_COUNTER_BAR (object)->parts);
  G_OBJECT_CLASS (stria_counter_bar_parent_class)->finalize (object);
}

static void
stria_counter_bar_class_init (StriaCounterBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = stria_counter_bar_finalize;
  widget_class->snapshot = stria_counter_bar_snapshot;
  gtk_widget_class_set_css_name (widget_class, "counterbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
stria_counter_bar_init (StriaCounterBar *self)
{
  self->parts = g_array_new (FALSE, FALSE, sizeof (StriaCounterPart));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

GtkWidget *
stria_counter_bar_new (void)
{
  GtkWidget *self = g_object_new (STRIA_TYPE_COUNTER_BAR, NULL);

  gtk_widget_set_size_request (self, 120, 16);
  return self;
}

void
stria_counter_bar_set_parts (StriaCounterBar *self, const StriaCounterPart *parts, guint n,
                             double full, const char *unit)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_if_fail (STRIA_IS_COUNTER_BAR (self));

  g_array_set_size (self->parts, 0);
  g_array_append_vals (self->parts, parts, n);
  self->full = full;
  self->unit = unit;
  for (guint i = 0; i < MIN (n, MAX_TOLD); i++)
    append_part (text, &parts[i], unit);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  n > 0 ? text->str : _ ("Nothing was counted"), -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
