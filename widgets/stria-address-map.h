/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-address-map-painter.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ADDRESS_MAP (stria_address_map_get_type ())
G_DECLARE_FINAL_TYPE (StriaAddressMap, stria_address_map, STRIA, ADDRESS_MAP, GtkWidget)

/**
 * StriaAddressMap:
 *
 * A memory over time: addresses that are occupied, how full parts of it are, or what HBM is held
 * for. A worker paints. Zoomed and panned by wheel, drag and keys as other plots are.
 *
 * Signals: "selected" after a click or a key chose a range or a moment, "activated" when a double
 * click or Return asks for what lies behind the selected range.
 */
GtkWidget *stria_address_map_new       (void);
/* @memory: (nullable). All of it is shown; nothing is selected. */
void       stria_address_map_show      (StriaAddressMap *self, StriaNeuronMemory *memory,
                                        StriaAddressKind kind, guint subject, gint32 core,
                                        gint32 partition);
void       stria_address_map_set_color (StriaAddressMap *self, StriaAddressColor color);
/* What is shown, until it changes */
const StriaAddressView *stria_address_map_get_view (StriaAddressMap *self);
void       stria_address_map_fit       (StriaAddressMap *self);
/* Chooses the moment with most bytes of what is seen. FALSE: nothing is seen */
gboolean   stria_address_map_go_peak   (StriaAddressMap *self);
void       stria_address_map_select    (StriaAddressMap *self, guint range);

G_END_DECLS
