/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-picture-check.h"

#include <adwaita.h>

#include "stria-color.h"
#include "stria-paint-size.h"

#define SLACK_PX  1.5f
#define MARGIN_PX 8.0f /* styles pull some widgets out of their parents by so much, at both sides, */
#define EDGE_PX   5.5f /* or by so much at one, to have their text stand in line */

static gboolean
is_pulled (float before, float after)
{
  return before <= MARGIN_PX && before > 0 && ABS (before - after) <= SLACK_PX;
}

/* Of those a part is seen at a time, by design. */
static gboolean
shows_a_part (GtkWidget *widget)
{
  return GTK_IS_SCROLLABLE (widget) || GTK_IS_SCROLLED_WINDOW (widget) || GTK_IS_STACK (widget)
         || GTK_IS_REVEALER (widget) || GTK_IS_TEXT (widget) || ADW_IS_FLAP (widget)
         || ADW_IS_LEAFLET (widget);
}

static char *
path_of (GtkWidget *widget)
{
  GString *path = g_string_new (NULL);

  for (guint depth = 0; widget != NULL && depth < 7; widget = gtk_widget_get_parent (widget), depth++)
    {
      const char *text = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : NULL;

      if (path->len > 0)
        g_string_append (path, " < ");
      g_string_append (path, G_OBJECT_TYPE_NAME (widget));
      if (text != NULL)
        g_string_append_printf (path, " “%.40s”", text);
    }
  return g_string_free (path, FALSE);
}

static void
tell (const char *name, const char *what, GtkWidget *widget)
{
  g_autofree char *path = path_of (widget);

  g_printerr ("look: %s: %s: %s\n", name, what, path);
}

static void
check_bounds (GtkWidget *widget, const char *name)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);
  graphene_rect_t bounds;
  float left, right, top, bottom;

  if (parent == NULL || GTK_IS_NATIVE (widget) || GTK_IS_RANGE (parent)
      || gtk_widget_get_ancestor (parent, GTK_TYPE_RANGE) != NULL || shows_a_part (parent)
      || gtk_widget_get_width (widget) == 0 || gtk_widget_get_height (widget) == 0
      || !gtk_widget_compute_bounds (widget, parent, &bounds))
    return;
  left = -bounds.origin.x;
  right = bounds.origin.x + bounds.size.width - (float) gtk_widget_get_width (parent);
  top = -bounds.origin.y;
  bottom = bounds.origin.y + bounds.size.height - (float) gtk_widget_get_height (parent);
  if ((MAX (left, right) > EDGE_PX && !is_pulled (left, right))
      || (MAX (top, bottom) > SLACK_PX && !is_pulled (top, bottom)))
    {
      g_autofree char *what = g_strdup_printf (
          "out of its parent (%.0f, %.0f, %.0f×%.0f in %d×%d)", (double) bounds.origin.x,
          (double) bounds.origin.y, (double) bounds.size.width, (double) bounds.size.height,
          gtk_widget_get_width (parent), gtk_widget_get_height (parent));

      tell (name, what, widget);
    }
}

/* Names out of a capture may be as long as they like; what we write ourselves must fit. */
static gboolean
must_be_whole (GtkWidget *label)
{
  if (gtk_label_get_ellipsize (GTK_LABEL (label)) == PANGO_ELLIPSIZE_MIDDLE
      || gtk_label_get_ellipsize (GTK_LABEL (label)) == PANGO_ELLIPSIZE_START)
    return FALSE;
  for (GtkWidget *at = gtk_widget_get_parent (label); at != NULL; at = gtk_widget_get_parent (at))
    {
      if (GTK_IS_DROP_DOWN (at) || GTK_IS_LIST_VIEW (at) || GTK_IS_TEXT (at))
        return FALSE;
      if (GTK_IS_BUTTON (at) || GTK_IS_CHECK_BUTTON (at)
          || g_str_equal (gtk_widget_get_css_name (at), "header"))
        return TRUE;
    }
  return FALSE;
}

static void
check (GtkWidget *widget, const char *name)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_get_child_visible (widget))
    return;
  check_bounds (widget, name);
  if (GTK_IS_LABEL (widget) && must_be_whole (widget)
      && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
    tell (name, "cut", widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check (child, name);
}

void
stria_picture_check (GtkWidget *window, const char *name)
{
  g_return_if_fail (GTK_IS_WIDGET (window));

  if (g_getenv ("STRIA_PICTURE_CHECK") == NULL)
    return;
  g_printerr ("looked at: %s: %s, %.0f %%, %s\n", name,
              gtk_widget_get_direction (window) == GTK_TEXT_DIR_RTL ? "right-to-left"
                                                                    : "left-to-right",
              stria_text_get_scale () * 100,
              stria_color_get_high_contrast () ? "high contrast" : "usual contrast");
  check (window, name);
}
