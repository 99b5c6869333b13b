/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define STRIA_TYPE_APPLICATION (stria_application_get_type ())
G_DECLARE_FINAL_TYPE (StriaApplication, stria_application, STRIA, APPLICATION, AdwApplication)

/**
 * StriaApplication:
 *
 * The program: one process for all windows of a person. Opens what is named on the command line or
 * handed over by the desktop.
 */
StriaApplication *stria_application_new (void);

/* Applies colours, units and the time zone of the preferences to all windows. */
void              stria_application_apply_look (void);
/* Colours the timelines of all windows by what the preferences say. */
void              stria_application_apply_color_by (void);
/* Takes the definitions of Neuron's messages that the preferences name, for captures that are
 * opened from now on. FALSE with @error if they cannot be read; then the recovered ones hold. */
gboolean          stria_application_apply_definitions (GError **error);

G_END_DECLS
