/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-profile-private.h"

G_BEGIN_DECLS

/**
 * stria_companion_check:
 *
 * Whether the program of the set may be the one that the dump was recorded of, point by point; each
 * point is added to the profile's checks. A structural match is no proof of origin.
 */
StriaCompanion stria_companion_check (StriaProfile *self);

G_END_DECLS
