/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

#include "stria-alloc-row.h"
#include "stria-alloc-stacks.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_STACKS_BY_TREE,
  STRIA_STACKS_BY_STACK,
  STRIA_STACKS_BY_FRAME,
  STRIA_STACKS_BY_SIZE,
  STRIA_STACKS_BY_CATEGORY,
  STRIA_STACKS_BY_POOL,
  STRIA_STACKS_BY_STREAM,
  STRIA_STACKS_BY_LIFETIME,
  STRIA_STACKS_LEAKS,
} StriaStacksGrouping;

typedef struct
{
  GArray             *nodes;  /* StriaFlameNode */
  GArray             *groups; /* StriaAllocGroupRow, NULL for the tree */
  GArray             *leaks;  /* StriaLeakSuspect */
  StriaStacksGrouping grouping;
} StriaStacksAnswer;

struct _StriaAllocStacks
{
  GtkWidget parent_instance;

  StriaAllocState *state;
  GtkWidget       *box;
  GtkWidget       *flame;
  GtkDropDown     *grouping;
  GtkLabel        *summary;
  GtkWidget       *all_frames;
  GtkColumnView   *table;
  GtkColumnViewColumn *columns[STRIA_N_ALLOC_VALUES];
  GtkStack        *stack;
  GListStore      *roots;
  GArray          *nodes; /* StriaFlameNode */
  guint32          root;
  guint32          hover; /* under the pointer, or chosen by keys; G_MAXUINT32: none */
  GCancellable    *cancellable;
  gboolean         stale;
  gboolean         working;
  gboolean         wanted;
};

/* Shows the source of a frame, or a menu of its place. FALSE if it has none. */
gboolean   stria_alloc_stacks_go_to_frame (StriaAllocStacks *self, guint32 number,
                                           GtkWidget *menu_parent, double x, double y);

/* The flame graph. Has other nodes now: what stood out does no longer. */
GtkWidget *stria_alloc_stacks_flame_new     (StriaAllocStacks *self);
void       stria_alloc_stacks_flame_changed (StriaAllocStacks *self);

/* The table */
GtkWidget *stria_alloc_stacks_table_new    (StriaAllocStacks *self);
void       stria_alloc_stacks_fill_groups  (StriaAllocStacks        *self,
                                            const StriaStacksAnswer *answer);
void       stria_alloc_stacks_fill_tree    (StriaAllocStacks *self);
void       stria_alloc_stacks_unfold       (StriaAllocStacks *self);
void       stria_alloc_stacks_show_columns (StriaAllocStacks *self, StriaStacksGrouping grouping);

G_END_DECLS
