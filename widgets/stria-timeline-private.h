/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-paint-flows.h"
#include "stria-annotations.h"
#include "stria-regions.h"
#include "stria-timeline-painter.h"
#include "stria-timeline.h"
#include "stria-warnings.h"

G_BEGIN_DECLS

/* A part of the widget under a point. */
typedef enum
{
  REGION_NONE,
  REGION_CORNER,
  REGION_BORDER, /* between headers and lanes: drags the width of the headers */
  REGION_MINIMAP,
  REGION_RULER,
  REGION_MARKS, /* the strip of annotations, regions and warnings */
  REGION_PINNED_HEADER,
  REGION_HEADER,
  REGION_HEADER_EDGE, /* below a counter's header: drags its height */
  REGION_PINNED,
  REGION_LANES,
} Region;

/* What a drag that began somewhere does. */
typedef enum
{
  DRAG_NONE,
  DRAG_BORDER,
  DRAG_MINIMAP,
  DRAG_MINIMAP_LEFT,
  DRAG_MINIMAP_RIGHT,
  DRAG_PAN,
  DRAG_RANGE,
  DRAG_HEADER,
  DRAG_MARK,
  DRAG_HEIGHT,
} DragKind;

/* A finished picture of lanes, and where it belongs. Times are those of its edges. */
typedef struct
{
  GdkTexture *texture;
  gint64      t0;
  gint64      t1;
  double      width;
  double      height;
  double      y; /* of its top edge in the scrolled (or pinned) area */
} Picture;

/* A part of the snapshot that is kept until something it depends on changes. */
typedef struct
{
  GskRenderNode *node;
  gboolean       stale;
} Layer;

typedef enum
{
  LAYER_CORNER,
  LAYER_RULER,
  LAYER_MINIMAP_FRAME,
  LAYER_HEADERS,
  LAYER_PINNED_HEADERS,
  LAYER_OVERLAY,
  LAYER_MARKS,
  LAYER_MARK_TITLES,
  N_LAYERS,
} LayerKind;

struct _StriaTimeline
{
  GtkWidget parent_instance;

  StriaSession        *session;
  StriaTimelineLayout *layout;
  GtkAdjustment       *vadjustment;
  GtkWidget           *scrollbar;
  GtkWidget           *menu;
  double               header_width;
  gboolean             dark;
  gboolean             show_wall;

  /* Pictures */
  Picture  lanes;
  Picture  pinned;
  Picture  minimap;
  gint64   minimap_t0;
  gint64   minimap_t1;
  Layer    layers[N_LAYERS];
  gboolean working;
  gboolean wanted; /* something changed since the picture in work was asked for */
  gboolean minimap_stale;
  guint    preview_source;
  StriaRef reveal; /* still to be brought into sight */

  /* Pointer */
  double       pointer_x;
  double       pointer_y;
  gboolean     pointer_inside;
  StriaRef     hover;
  PangoLayout *card_title;
  PangoLayout *card_rows;
  GtkGesture  *drag;
  DragKind     drag_kind;
  double       drag_x;
  double       drag_y;
  gboolean     drag_moved;
  gint64       drag_t0; /* view when it began */
  gint64       drag_t1;
  double       drag_scroll;
  gint64       range_from; /* a range that is being dragged */
  gint64       range_to;
  double       drag_now_y;
  gboolean     range_all;
  StriaLayoutItem drag_item; /* header being moved */
  StriaLayoutItem menu_item;

  /* Motion */
  guint    tick;
  gint64   tick_us;
  gboolean gliding;
  gint64   glide_t0;
  gint64   glide_t1;
  double   fling_x; /* pixels a second */
  double   fling_y;
  gboolean moving_view; /* the change of view comes from here */
  double   pinch_scale;
  double   pinch_x;

  char    *description;    /* of what is selected: stria-timeline-tell.c */
  gboolean describes_mark;
  guint    tell_source;

  /* Annotations, regions and warnings: stria-timeline-marks-private.h */
  StriaAnnotations *annotations;
  StriaRegions     *regions;
  StriaWarnings    *warnings;
  StriaTimeMarks   *marks;
  guint64           mark_id; /* annotation that is being dragged */
  int               mark_edge;
  gint64            mark_from0;
  gint64            mark_from1;
  gint64            mark_t0;
  gint64            mark_t1;
  gint64            menu_ns;
  GtkWidget        *mark_entry;

  /* Groups of lanes, and arrows */
  GSimpleActionGroup *system;
  gboolean            show_flows;
  StriaFlowCount      flow_count; /* of the picture that is shown */

  /* What is chosen of its looks */
  GSimpleActionGroup *options;
  StriaColorBy        color_by;
  guint               color_depth;
  StriaColoring      *coloring;   /* NULL: by name, or of no trace yet */
  GCancellable       *coloring_cancellable;
  gboolean            show_legend;
  gboolean            pan_lanes;  /* a drag over the lanes moves them, and selects nothing */
  GArray             *legend;     /* StriaLegendEntry */
  guint32             resized;    /* lane whose height is being dragged */
  double              resized_from;
};

/* Geometry: stria-timeline.c */
double   stria_timeline_lanes_width  (StriaTimeline *self);
double   stria_timeline_top          (StriaTimeline *self); /* of the pinned lanes */
double   stria_timeline_pinned_shown (StriaTimeline *self);
double   stria_timeline_lanes_height (StriaTimeline *self);
double   stria_timeline_scroll       (StriaTimeline *self);
Region   stria_timeline_region_at    (StriaTimeline *self, double x, double y);
/* The item under a point of headers or lanes, or NULL */
const StriaLayoutItem *stria_timeline_item_at (StriaTimeline *self, double x, double y);
/* The counter whose header ends at a height of the widget, or NULL */
const StriaLayoutItem *stria_timeline_edge_at (StriaTimeline *self, double y);
/* Time under a horizontal position of the widget */
gint64   stria_timeline_time_at      (StriaTimeline *self, double x);
/* FALSE while there is no trace. Lanes of the range and the rest are the session's. */
gboolean stria_timeline_fill_view    (StriaTimeline *self, StriaTimelineView *view);
void     stria_timeline_layout_changed (StriaTimeline *self);
void     stria_timeline_stale        (StriaTimeline *self, LayerKind layer);
void     stria_timeline_bring_into_sight (StriaTimeline *self, StriaRef ref);

/* For screen readers: stria-timeline-tell.c */
void     stria_timeline_tell         (StriaTimeline *self);
void     stria_timeline_tell_later   (StriaTimeline *self);

/* Pictures: stria-timeline-pictures.c */
void     stria_timeline_want_picture (StriaTimeline *self);
void     stria_timeline_drop_pictures (StriaTimeline *self);

/* The time that is pointed at: stria-timeline-pointer.c */
void     stria_timeline_add_pointer  (StriaTimeline *self);
void     stria_timeline_tell_pointer (StriaTimeline *self);
gboolean stria_timeline_pointed      (StriaTimeline *self, const StriaTimelineView *view, gint64 *ns,
                                      double *x);

/* Drawing: stria-timeline-snapshot.c */
void     stria_timeline_snapshot     (GtkWidget *widget, GtkSnapshot *snapshot);
void     stria_timeline_drop_layers  (StriaTimeline *self);

/* Card: stria-timeline-card.c */
void     stria_timeline_set_hover    (StriaTimeline *self, StriaRef ref);
void     stria_timeline_draw_card    (StriaTimeline *self, GtkSnapshot *snapshot);
char    *stria_timeline_describe     (StriaTimeline *self, StriaRef ref);

/* What is chosen of the looks: stria-timeline-options.c, stria-timeline-coloring.c */
void     stria_timeline_add_options    (StriaTimeline *self);
void     stria_timeline_drop_options   (StriaTimeline *self);
void     stria_timeline_options_changed (StriaTimeline *self);
void     stria_timeline_emit_legend    (StriaTimeline *self);
void     stria_timeline_set_color_by   (StriaTimeline *self, StriaColorBy by, guint depth);
/* The trace has changed: colours by what it has now */
void     stria_timeline_recolor        (StriaTimeline *self);
void     stria_timeline_install_lane_actions (GtkWidgetClass *klass);
/* What the lane actions are about: the header whose menu is open, the one under the pointer, else the
 * selected event's lane; G_MAXUINT32: nothing */
guint32  stria_timeline_lane_meant     (StriaTimeline *self);

/* Groups, arrows, other profiles: stria-timeline-system.c */
void     stria_timeline_add_system   (StriaTimeline *self);
void     stria_timeline_drop_system  (StriaTimeline *self);
void     stria_timeline_system_changed (StriaTimeline *self);
void     stria_timeline_install_system_keys (GtkWidgetClass *klass);
GMenuModel *stria_timeline_system_menu (StriaTimeline *self);
GMenuModel *stria_timeline_grouping_menu (StriaTimeline *self);
void     stria_timeline_follow_flow  (StriaTimeline *self, gboolean forward);
void     stria_timeline_draw_flow_words (StriaTimeline *self, GtkSnapshot *snapshot);

/* Motion: stria-timeline-motion.c */
void     stria_timeline_glide_to     (StriaTimeline *self, gint64 t0, gint64 t1);
void     stria_timeline_zoom_at      (StriaTimeline *self, double x, double factor, gboolean smooth);
void     stria_timeline_pan_px       (StriaTimeline *self, double px, gboolean smooth);
void     stria_timeline_set_view     (StriaTimeline *self, gint64 t0, gint64 t1);
void     stria_timeline_fling        (StriaTimeline *self, double vx, double vy);
void     stria_timeline_stop         (StriaTimeline *self);

/* Input: stria-timeline-input.c, stria-timeline-drag.c, stria-timeline-actions.c */
void     stria_timeline_add_controllers (StriaTimeline *self);
void     stria_timeline_add_drag     (StriaTimeline *self);
void     stria_timeline_update_hover (StriaTimeline *self);
void     stria_timeline_install_actions (GtkWidgetClass *klass);
void     stria_timeline_update_actions (StriaTimeline *self);
/* Takes nothing of @model; the menu is of no lane */
void     stria_timeline_popup_model  (StriaTimeline *self, GMenuModel *model, double x, double y);
void     stria_timeline_popup_menu   (StriaTimeline *self, double x, double y);
/* Time at a point, or the edge of a slice that is near: of the row there; in the strip of marks of any
 * row in sight */
gint64   stria_timeline_snapped      (StriaTimeline *self, double x, double y);
/* Where a header that is dragged would go: the y of the line, and the number to put it before */
double   stria_timeline_drop_line    (StriaTimeline *self, guint32 *before);
gboolean stria_timeline_pin_button   (StriaTimeline *self, const StriaLayoutItem *item,
                                      graphene_rect_t *button);

G_END_DECLS
