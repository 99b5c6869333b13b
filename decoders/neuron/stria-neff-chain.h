/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"
#include "stria-neff-levels.h"
#include "stria-ntff-record.h"

G_BEGIN_DECLS

/**
 * StriaNeffChain:
 *
 * The way from an instruction of a program to the names it was made of: place in the compiled
 * stream of its engine -> record of the listing -> BIR -> Penguin -> HLO -> framework (recovered). Cannot
 * be changed once it is read; any thread.
 */
typedef struct _StriaNeffChain StriaNeffChain;
/* One engine's program and its listing; either may be missing */
typedef struct _StriaNeffListing StriaNeffListing;

/**
 * stria_neff_chain_open:
 * @artifact: number of a .neff in @capture
 *
 * Reads what names the program's instructions. While anybody holds it, it is read once for all who
 * ask; the last one frees it with stria_neff_chain_unref().
 *
 * Returns: (transfer full): NULL with @error if the file can't be read
 */
StriaNeffChain *stria_neff_chain_open  (StriaCapture *capture, guint artifact,
                                        GCancellable *cancellable, GError **error);
void            stria_neff_chain_unref (StriaNeffChain *self);

/* Lower-case hexadecimal, "" if the program says none */
const char *stria_neff_chain_get_uuid  (const StriaNeffChain *self);
/* Whether there is any debug information */
gboolean    stria_neff_chain_has_debug (const StriaNeffChain *self);
/* @graph: (nullable): name that the device profile has for the core's graph; @pcore: physical core.
 * Returns: (transfer none) (nullable) */
const StriaNeffListing *stria_neff_chain_listing (const StriaNeffChain *self, const char *graph,
                                                  guint pcore, StriaNtffEngine engine);

/* First byte of each instruction of the compiled stream. NULL: the program has none */
const guint8 *stria_neff_listing_opcodes     (const StriaNeffListing *self, gsize *n);
/* Records; 0: there is no listing, or it does not fit the program, see
 * stria_neff_listing_is_odd() */
guint         stria_neff_listing_size        (const StriaNeffListing *self);
gboolean      stria_neff_listing_is_odd      (const StriaNeffListing *self);
/* FALSE: no name leads from there. @out: clear it either way */
gboolean      stria_neff_listing_find        (const StriaNeffListing *self, guint32 compiler_pc,
                                              StriaNeffOrigin *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNeffChain, stria_neff_chain_unref)

G_END_DECLS
