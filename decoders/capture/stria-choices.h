/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-choices
 *
 * Which program a person chose for a device profile is remembered from one opening of a capture to the
 * next: in the file `programs` of the cache's folder, never in the capture. It is kept for the profile at
 * its path with its size and time: another file that lies there later is asked about again.
 */

/**
 * stria_choices_recall:
 * @capture: with its artifacts
 * @given: (nullable) (element-type utf8 utf8): names of profiles to names of programs, said now; an empty
 *   name of a program takes back what is remembered
 *
 * Returns: (transfer full): what was said now, and what is remembered for all other profiles
 */
GHashTable *stria_choices_recall   (StriaCapture *capture, GHashTable *given);
/* Keeps those of @given that the capture's tree was made with, and forgets those taken back. */
void        stria_choices_remember (StriaCapture *capture, GHashTable *given);

G_END_DECLS
