/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-icicle.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-drawn.h"
#include "stria-paint-icicle.h"

struct _StriaIcicle
{
  GtkWidget parent_instance;

  StriaOperators *tree;
  guint32         zoom;
  guint32         selected; /* G_MAXUINT32: none */
  GArray         *boxes;    /* StriaIcicleBox; NULL: not made for this width yet */
  int             width;
};

enum
{
  SELECTED,
  ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaIcicle, stria_icicle, GTK_TYPE_WIDGET)

/* -- text ------------------------------------------------------------------------------------ */

char *
stria_icicle_describe (StriaOperators *tree, guint32 node)
{
  static const StriaOperatorFigure shown[] = {
    STRIA_OPERATOR_TOTAL, STRIA_OPERATOR_SELF,   STRIA_OPERATOR_SHARE,    STRIA_OPERATOR_COUNT,
    STRIA_OPERATOR_MEAN,  STRIA_OPERATOR_DEVICE, STRIA_OPERATOR_LAUNCHED, STRIA_OPERATOR_MFU,
    STRIA_OPERATOR_HFU,   STRIA_OPERATOR_FLOPS,  STRIA_OPERATOR_HBM_READ, STRIA_OPERATOR_HBM_WRITE,
  };
  const StriaOperator *op = stria_operators_get (tree, node);
  GString *text = g_string_new (op->name);

  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    if (!isnan (op->figures[shown[i]]))
      {
        g_autofree char *value = stria_operator_figure_text (shown[i], op->figures[shown[i]]);

        g_string_append_printf (text, "\n%s: %s", stria_operator_figure_title (shown[i]), value);
      }
  return g_string_free (text, FALSE);
}

static void
tell (StriaIcicle *self)
{
  g_autofree char *about = NULL;
  g_autofree char *label = NULL;

  if (self->tree == NULL)
    label = g_strdup (_ ("Hierarchy: nothing to show"));
  else if (self->selected == G_MAXUINT32)
    label = g_strdup (_ ("Hierarchy; nothing is selected"));
  else
    {
      about = stria_icicle_describe (self->tree, self->selected);
      /* Translators: a name and its figures */
      label = g_strdup_printf (_ ("Hierarchy; selected: %s"), about);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  stria_drawn_describe (GTK_WIDGET (self), label, _ ("Operators and their figures"));
}

/* -- state ----------------------------------------------------------------------------------- */

static void
drop_boxes (StriaIcicle *self)
{
  g_clear_pointer (&self->boxes, g_array_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
zoom_to (StriaIcicle *self, guint32 node)
{
  if (self->zoom == node)
    return;
  self->zoom = node;
  drop_boxes (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static gboolean
is_below (StriaIcicle *self, guint32 node, guint32 top)
{
  return node - top < stria_operators_get (self->tree, top)->size;
}

static void
show_node (StriaIcicle *self, guint32 node)
{
  self->selected = node;
  while (node != G_MAXUINT32 && !is_below (self, node, self->zoom)
         && stria_operators_get (self->tree, self->zoom)->parent != G_MAXUINT32
         && !is_below (self, self->zoom, node))
    zoom_to (self, stria_operators_get (self->tree, self->zoom)->parent);
  tell (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
choose (StriaIcicle *self, guint32 node)
{
  show_node (self, node);
  g_signal_emit (self, signals[SELECTED], 0, node);
}

void
stria_icicle_select (StriaIcicle *self, guint32 node)
{
  g_return_if_fail (STRIA_IS_ICICLE (self));

  if (self->tree != NULL && node != self->selected)
    show_node (self, node);
}

static guint32
same_node (StriaOperators *from, guint32 node, StriaOperators *to)
{
  g_autofree char *path = NULL;

  if (from == NULL || node == G_MAXUINT32)
    return node == G_MAXUINT32 ? node : 0;
  path = stria_operators_path (from, node);
  return stria_operators_find_path (to, path);
}

void
stria_icicle_set_tree (StriaIcicle *self, StriaOperators *tree)
{
  g_return_if_fail (STRIA_IS_ICICLE (self));

  if (tree != NULL)
    {
      self->zoom = same_node (self->tree, self->zoom, tree);
      self->selected = self->tree != NULL ? same_node (self->tree, self->selected, tree)
                                          : G_MAXUINT32;
      stria_operators_ref (tree);
    }
  g_clear_pointer (&self->tree, stria_operators_unref);
  self->tree = tree;
  tell (self);
  drop_boxes (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
make_boxes (StriaIcicle *self)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self));

  if (self->boxes != NULL && self->width == width)
    return;
  g_clear_pointer (&self->boxes, g_array_unref);
  self->width = width;
  if (self->tree != NULL && width > 0)
    self->boxes = stria_icicle_layout (self->tree, self->zoom, width);
}

/* -- input ----------------------------------------------------------------------------------- */

static const StriaIcicleBox *
box_at (StriaIcicle *self, double x, double y)
{
  make_boxes (self);
  return self->boxes != NULL ? stria_icicle_box_at (self->boxes, x, y) : NULL;
}

static void
on_pressed (StriaIcicle *self, int n_press, double x, double y)
{
  const StriaIcicleBox *box = box_at (self, x, y);
  guint32 node;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (box == NULL || box->node == G_MAXUINT32)
    return;
  node = box->node;
  if (n_press == 1)
    {
      choose (self, node);
      /* A leaf as wide as the picture would show nothing more. */
      if (stria_operators_get (self->tree, node)->size > 1)
        zoom_to (self, node);
    }
  else if (n_press == 2 && self->selected != G_MAXUINT32)
    g_signal_emit (self, signals[ACTIVATED], 0, self->selected);
}

static guint32
neighbour (StriaIcicle *self, int step)
{
  int at = -1;

  make_boxes (self);
  for (guint i = 0; self->boxes != NULL && i < self->boxes->len; i++)
    if (g_array_index (self->boxes, StriaIcicleBox, i).node == self->selected)
      at = (int) i;
  if (at < 0)
    return G_MAXUINT32;
  for (int i = at + step; i >= 0 && i < (int) self->boxes->len; i += step)
    {
      const StriaIcicleBox *box = &g_array_index (self->boxes, StriaIcicleBox, i);

      if (box->row != g_array_index (self->boxes, StriaIcicleBox, at).row)
        break;
      if (box->node != G_MAXUINT32)
        return box->node;
    }
  return G_MAXUINT32;
}

static gboolean
on_key (StriaIcicle *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  const StriaOperator *op;
  guint32 to = G_MAXUINT32;

  if (self->tree == NULL)
    return GDK_EVENT_PROPAGATE;
  if (self->selected == G_MAXUINT32)
    self->selected = self->zoom;
  op = stria_operators_get (self->tree, self->selected);
  switch (keyval)
    {
    case GDK_KEY_Up:
      to = op->parent;
      break;
    case GDK_KEY_Down:
      to = stria_operators_first (self->tree, self->selected);
      break;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      to = neighbour (self, keyval == GDK_KEY_Left ? -1 : 1);
      break;
    case GDK_KEY_Home:
      to = 0;
      zoom_to (self, 0);
      break;
    case GDK_KEY_BackSpace:
      if (stria_operators_get (self->tree, self->zoom)->parent != G_MAXUINT32)
        zoom_to (self, to = stria_operators_get (self->tree, self->zoom)->parent);
      break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      if ((modifiers & GDK_CONTROL_MASK) != 0)
        g_signal_emit (self, signals[ACTIVATED], 0, self->selected);
      else if (op->size > 1)
        zoom_to (self, to = self->selected);
      break;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  if (to != G_MAXUINT32)
    choose (self, to);
  return GDK_EVENT_STOP;
}

static gboolean
on_query_tooltip (StriaIcicle *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const StriaIcicleBox *box = keyboard ? NULL : box_at (self, x, y);
  const guint32 node = keyboard ? self->selected : box != NULL ? box->node : G_MAXUINT32;
  g_autofree char *text = NULL;

  if (self->tree == NULL || (box == NULL && node == G_MAXUINT32))
    return FALSE;
  text = node != G_MAXUINT32 ? stria_icicle_describe (self->tree, node)
                             : g_strdup (_ ("Several, each too short to be drawn at this width"));
  gtk_tooltip_set_text (tooltip, text);
  if (box != NULL)
    gtk_tooltip_set_tip_area (tooltip,
                              &(GdkRectangle){ (int) box->x, (int) box->row * STRIA_ICICLE_ROW,
                                               MAX (1, (int) box->width), STRIA_ICICLE_ROW });
  return TRUE;
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
stria_icicle_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaIcicle *self = STRIA_ICICLE (widget);
  const float width = (float) gtk_widget_get_width (widget);
  const float height = (float) gtk_widget_get_height (widget);
  cairo_t *cr;

  make_boxes (self);
  if (self->boxes == NULL)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  stria_icicle_paint (cr, self->tree, self->boxes, self->zoom, self->selected,
                      gtk_widget_is_focus (widget),
                      adw_style_manager_get_dark (adw_style_manager_get_default ()));
  stria_drawn_paint_focus (widget, cr,
                           adw_style_manager_get_dark (adw_style_manager_get_default ()));
  cairo_destroy (cr);
}

static void
stria_icicle_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  StriaIcicle *self = STRIA_ICICLE (widget);

  *minimum = *natural
      = orientation == GTK_ORIENTATION_HORIZONTAL ? 120
        : self->tree != NULL ? (int) stria_icicle_n_rows (self->tree, self->zoom) * STRIA_ICICLE_ROW
                             : STRIA_ICICLE_ROW;
}

static GtkSizeRequestMode
stria_icicle_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
stria_icicle_finalize (GObject *object)
{
  StriaIcicle *self = STRIA_ICICLE (object);

  g_clear_pointer (&self->tree, stria_operators_unref);
  g_clear_pointer (&self->boxes, g_array_unref);
  G_OBJECT_CLASS (stria_icicle_parent_class)->finalize (object);
}

static void
stria_icicle_class_init (StriaIcicleClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = stria_icicle_finalize;
  widget_class->snapshot = stria_icicle_snapshot;
  widget_class->measure = stria_icicle_measure;
  widget_class->get_request_mode = stria_icicle_get_request_mode;
  signals[SELECTED] = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
stria_icicle_init (StriaIcicle *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->selected = G_MAXUINT32;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (gtk_widget_queue_draw), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  tell (self);
}

GtkWidget *
stria_icicle_new (void)
{
  return g_object_new (STRIA_TYPE_ICICLE, NULL);
}
