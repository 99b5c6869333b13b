/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Path of the sample capture that comes with the program: in $STRIA_DATA_DIR, where it was
 * installed, or in the tree that the program was built in. Returns: (transfer full) (nullable) */
char *stria_sample_path (void);

G_END_DECLS
