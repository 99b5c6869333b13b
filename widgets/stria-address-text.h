/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-address-map-painter.h"

G_BEGIN_DECLS

/* A column of SbufAllocation or something made from it, for people */
typedef struct
{
  const char *name;
  const char *note; /* (nullable): what the published schema says of it */
  char       *value;
} StriaAddressField;

void       stria_address_field_free (gpointer field);
/* Columns of a range that have a value.
 * Returns: (transfer full) (element-type StriaAddressField) */
GPtrArray *stria_address_fields     (const StriaAddressView *view, guint range);
/* Hover cards as markup. Return: (transfer full); of samples (nullable): none holds there */
char      *stria_address_card       (const StriaAddressView *view, guint range);
char      *stria_address_sample_card (const StriaAddressView *view, gint64 time, int part);
/* What is shown and selected, in a sentence, for screen readers. Returns: (transfer full) */
char      *stria_address_describe   (const StriaAddressView *view);
/* A time of the view, with its unit. Returns: (transfer full) */
char      *stria_address_time_text  (const StriaAddressView *view, gint64 time);
/* A column's name without "_bytes" and underscores. Returns: (transfer full) */
char      *stria_address_category_text (const char *column);

G_END_DECLS
