/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  STRIA_ALLOC_VALUE_LIVE,   /* bytes */
  STRIA_ALLOC_VALUE_COUNT,
  STRIA_ALLOC_VALUE_GROWTH, /* bytes */
  STRIA_ALLOC_VALUE_TOTAL,  /* bytes */
  STRIA_ALLOC_VALUE_TIMES,
  STRIA_ALLOC_VALUE_LIFE,   /* actions */
  STRIA_N_ALLOC_VALUES,
} StriaAllocValue;

#define STRIA_TYPE_ALLOC_ROW (stria_alloc_row_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocRow, stria_alloc_row, STRIA, ALLOC_ROW, GObject)

/**
 * StriaAllocRow:
 *
 * A row of the tables of who holds memory: a name and numbers, NAN where there is none.
 */
StriaAllocRow *stria_alloc_row_new      (const char *name, const char *color_name, guint32 node);
const char    *stria_alloc_row_get_name (StriaAllocRow *self);
/* Text that its colour comes from */
const char    *stria_alloc_row_get_color_name (StriaAllocRow *self);
/* Number of its node in the flame graph, or %G_MAXUINT32 */
guint32        stria_alloc_row_get_node (StriaAllocRow *self);
/* Frame that it stands for: where its source is. %G_MAXUINT32 = none, as at first */
void           stria_alloc_row_set_frame (StriaAllocRow *self, guint32 frame);
guint32        stria_alloc_row_get_frame (StriaAllocRow *self);
double         stria_alloc_row_get      (StriaAllocRow *self, StriaAllocValue value);
void           stria_alloc_row_set      (StriaAllocRow *self, StriaAllocValue value, double number);

G_END_DECLS
