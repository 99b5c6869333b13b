/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-area.h"
#include "stria-graph-find.h"
#include "stria-graph-walk.h"

G_BEGIN_DECLS

#define STRIA_GRAPH_HEADER  26.0 /* of an open group, in the scene */
#define STRIA_GRAPH_CHEVRON 24.0 /* what opens and closes a group, from its left edge */

/* What a box is, whatever its number in a scene. All three "none": nothing. */
typedef struct
{
  guint32 node;
  guint32 group;
  guint32 section; /* G_MAXUINT32: the whole group */
} StriaGraphSpot;

#define STRIA_NO_SPOT ((StriaGraphSpot){ STRIA_NO_NODE, STRIA_NO_GROUP, G_MAXUINT32 })

/* A finished picture, and where its corner stands in the scene. */
typedef struct
{
  GdkTexture *texture;
  double      x;
  double      y;
  double      zoom;
  double      width; /* pixels */
  double      height;
  gboolean    in_motion; /* of boxes that move: shown as it was made */
} StriaGraphPicture;

/* What is done with the view when a scene comes; of two that wait, the greater one. */
typedef enum
{
  STRIA_AFTER_STAY,   /* the anchor stays where it is */
  STRIA_AFTER_FIT,
  STRIA_AFTER_START,  /* the first picture of a graph */
  STRIA_AFTER_REVEAL, /* what is to be revealed comes into sight */
} StriaGraphAfter;

typedef enum
{
  STRIA_GRAPH_DRAG_NONE,
  STRIA_GRAPH_DRAG_PAN,
  STRIA_GRAPH_DRAG_SELECT,
  STRIA_GRAPH_DRAG_ZOOM,
  STRIA_GRAPH_DRAG_MINIMAP,
} StriaGraphDrag;

/* Boxes on their way from one scene to the next. */
typedef struct
{
  StriaScene *scene; /* whose boxes they are, or NULL: nothing moves */
  float      *from;  /* x, y, width, height by item */
  float      *to;
  guint16    *marks; /* of its items */
  double      x0, y0; /* the view */
  double      x1, y1;
  gint64      began_us; /* 0: with the next frame */
  double      share;    /* of the way, eased */
} StriaGraphMove;

struct _StriaGraphArea
{
  GtkWidget parent_instance;

  StriaGraph *graph;
  StriaFold  *fold;
  StriaScene *scene;
  gboolean    dark;

  /* Layout */
  GCancellable   *cancellable; /* of the layout in work; NULL: none is */
  guint           busy_source;
  GtkWidget      *busy;
  StriaGraphSpot  anchor;
  StriaGraphAfter after;
  StriaGraphSpot  reveal;

  /* View: scene coordinates of the widget's corner, pixels a unit */
  double   x;
  double   y;
  double   zoom;
  gboolean fitted; /* follows the widget's size */
  gboolean placed; /* the scene was shown in some size */
  gboolean allocating;
  guint    view_source; /* tells of a change of view when sizes are settled */

  /* What boxes show. Shared with workers: replaced, never changed */
  guint16          *node_marks; /* as given */
  guint16          *group_marks;
  guint16          *item_marks; /* of the scene, all joined */
  StriaGraphFigure *node_figures;
  StriaGraphFigure *group_figures;
  gboolean          diverging;
  float            *boxes; /* of the view that was given out last, while boxes move */

  /* Selection, search */
  StriaGraphSpot  spot;
  GArray         *nodes; /* guint32 */
  gboolean        trace_inputs;
  gboolean        trace_outputs;
  StriaGraphFind *find;
  GArray         *matches; /* guint32, in the graph's order */
  guint           match;   /* from 1; 0: none was gone to */
  char           *description;

  /* Pictures */
  StriaGraphPicture picture;
  StriaGraphPicture minimap;
  gboolean          working;
  gboolean          wanted;
  gboolean          minimap_stale;
  gboolean          minimap_shown;
  guint             serial; /* of the scene */

  /* Motion */
  guint          tick;
  gint64         tick_us;
  gboolean       gliding;
  double         goal_x;
  double         goal_y;
  double         goal_zoom;
  double         fling_x; /* pixels a second */
  double         fling_y;
  StriaGraphMove move;

  /* Pointer */
  double          pointer_x;
  double          pointer_y;
  gboolean        pointer_inside;
  guint32         hover_item;
  guint32         hover_wire;
  StriaGraphDrag  drag;
  gboolean        drag_moved;
  double          drag_x;
  double          drag_y;
  double          drag_now_x;
  double          drag_now_y;
  double          drag_view_x;
  double          drag_view_y;
  GtkGesture     *drag_gesture;
  double          pinch_scale;
  double          pinch_x;
  double          pinch_y;
  GtkWidget      *menu;
};

/* stria-graph-area.c */
void     stria_graph_area_set_view    (StriaGraphArea *self, double x, double y, double zoom);
void     stria_graph_area_select_spot (StriaGraphArea *self, StriaGraphSpot spot);
/* @nodes: (transfer full): several; @spot is the one that is spoken of */
void     stria_graph_area_select_all  (StriaGraphArea *self, GArray *nodes, StriaGraphSpot spot);
void     stria_graph_area_emit_activated (StriaGraphArea *self, guint32 node);
void     stria_graph_area_emit_laid_out (StriaGraphArea *self);
void     stria_graph_area_emit_hover_changed (StriaGraphArea *self);
/* Nodes that are selected, or those of the selected group. Returns: (transfer full) */
GArray  *stria_graph_area_meant_nodes (StriaGraphArea *self);
gboolean stria_graph_area_minimap_rect (StriaGraphArea *self, graphene_rect_t *rect);
/* What the minimap shows of the scene */
void     stria_graph_area_minimap_view (StriaGraphArea *self, const graphene_rect_t *rect,
                                        StriaGraphView *view);

/* stria-graph-area-layout.c */
StriaGraphSpot stria_graph_spot       (const StriaScene *scene, guint32 item);
gboolean stria_graph_spot_is_none     (StriaGraphSpot spot);
/* Its box, or the closed one that holds it, or STRIA_NO_ITEM */
guint32  stria_graph_spot_find        (const StriaScene *scene, StriaGraphSpot spot);
gboolean stria_graph_spot_is_item     (const StriaScene *scene, StriaGraphSpot spot, guint32 item);
void     stria_graph_area_relayout    (StriaGraphArea *self, StriaGraphSpot anchor,
                                       StriaGraphAfter after);
void     stria_graph_area_cancel_layout (StriaGraphArea *self);
/* Nothing for a node */
void     stria_graph_area_set_open    (StriaGraphArea *self, StriaGraphSpot spot, gboolean open);
/* What stays in place when nothing is named: what is under the pointer, selected, or in the
 * middle */
StriaGraphSpot stria_graph_area_default_anchor (StriaGraphArea *self);
guint    stria_graph_first_level      (StriaGraph *graph);
/* The scene as it is shown at first */
void     stria_graph_area_show_first  (StriaGraphArea *self);

/* stria-graph-area-animate.c */
gboolean stria_graph_area_is_animated (StriaGraphArea *self);
void     stria_graph_area_glide_to    (StriaGraphArea *self, double x, double y, double zoom);
void     stria_graph_area_zoom_at     (StriaGraphArea *self, double x, double y, double factor,
                                       gboolean smooth);
void     stria_graph_area_pan         (StriaGraphArea *self, double dx, double dy, gboolean smooth);
void     stria_graph_area_fling       (StriaGraphArea *self, double vx, double vy);
void     stria_graph_area_bring       (StriaGraphArea *self, guint32 item);
void     stria_graph_area_stop        (StriaGraphArea *self);
/* Lets the boxes of @old move to their places in the scene, if there are not too many */
void     stria_graph_area_begin_move  (StriaGraphArea *self, StriaScene *old, guint16 *old_marks,
                                       double x0, double y0);
void     stria_graph_area_end_move    (StriaGraphArea *self);
/* Boxes of the move as they are now. Returns: (transfer full): shared memory */
float   *stria_graph_area_moved_boxes (StriaGraphArea *self);

/* stria-graph-area-pictures.c */
void     stria_graph_area_want_picture (StriaGraphArea *self);
void     stria_graph_area_drop_pictures (StriaGraphArea *self);

/* stria-graph-area-snapshot.c */
void     stria_graph_area_snapshot    (GtkWidget *widget, GtkSnapshot *snapshot);

/* stria-graph-area-search.c */
/* Joins all marks by box; for a new scene or when any of them changed */
void     stria_graph_area_update_marks (StriaGraphArea *self);
void     stria_graph_area_clear_search (StriaGraphArea *self);
void     stria_graph_area_prepare_search (StriaGraphArea *self);

/* stria-graph-area-text.c */
char    *stria_graph_area_describe    (StriaGraphArea *self, StriaGraphSpot spot);
/* Pango markup. Returns: (transfer full) (nullable) */
char    *stria_graph_area_item_card   (StriaGraphArea *self, guint32 item);
char    *stria_graph_area_wire_card   (StriaGraphArea *self, guint32 wire);

/* stria-graph-area-input.c */
void     stria_graph_area_add_controllers (StriaGraphArea *self);
void     stria_graph_area_update_hover (StriaGraphArea *self);
gboolean stria_graph_area_cancel_drag (StriaGraphArea *self);

/* stria-graph-area-actions.c */
void     stria_graph_area_install_actions (GtkWidgetClass *klass);
void     stria_graph_area_update_actions (StriaGraphArea *self);
void     stria_graph_area_popup_menu  (StriaGraphArea *self, double x, double y);

G_END_DECLS
