/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define STRIA_TYPE_TOUR (stria_tour_get_type ())
G_DECLARE_FINAL_TYPE (StriaTour, stria_tour, STRIA, TOUR, AdwWindow)

/**
 * StriaTour:
 *
 * Three pages about what can be done first: open, look around, ask. By itself it is shown once, at the
 * first start without files.
 */
void stria_tour_present    (GtkWindow *parent);
/* Shows it if it was never seen, a little later, over a window that shows the start page then. Where
 * STRIA_NO_TOUR is set, as for tests, it never does. */
void stria_tour_first_time (GtkWindow *parent);

G_END_DECLS
