/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "debug_info.pb-c.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_NEFF_LEVEL_LISTING, /* a record an instruction of an engine's program ("asm") */
  STRIA_NEFF_LEVEL_BIR,
  STRIA_NEFF_LEVEL_PENGUIN,
  STRIA_NEFF_LEVEL_HLO,
  STRIA_NEFF_LEVEL_FRAMEWORK,
  STRIA_NEFF_N_LEVELS,
} StriaNeffLevel;

/**
 * StriaNeffStep:
 * @n: different records that were come to
 * @id, @name: of the only one; @name is NULL if there are several with different names, or none
 *
 * What one level says of an instruction.
 */
typedef struct
{
  guint n;
  guint64 id;
  const char *name;
} StriaNeffStep;

/**
 * StriaNeffOrigin:
 * @steps: by level
 * @frames: (nullable): "[4, 7]": call frames of the lowest level that has any
 * @bir_place: (nullable): "file:line" of the BIR level's frame, if there is one
 * @frame_place: (nullable): "file:line" of the frame, whatever its level, if there is one
 *
 * What a program's debug information says of one instruction; texts live as long as the levels.
 */
typedef struct
{
  StriaNeffStep steps[STRIA_NEFF_N_LEVELS];
  char *frames;
  char *bir_place;
  char *frame_place;
} StriaNeffOrigin;

void stria_neff_origin_clear (StriaNeffOrigin *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaNeffOrigin, stria_neff_origin_clear)

/**
 * StriaNeffLevels:
 *
 * The records of a program's debug information by level and id. Filled, sealed, then asked from any
 * thread.
 */
typedef struct _StriaNeffLevels StriaNeffLevels;

StriaNeffLevels *stria_neff_levels_new  (void);
void             stria_neff_levels_free (StriaNeffLevels *self);
/**
 * stria_neff_levels_add:
 * @level: %STRIA_NEFF_N_LEVELS: the file has call frames only
 * @subgraph: of the folder that the file lies in, -1: none
 * @n_left: (inout): records that may still be taken
 *
 * Takes one file's records. Returns: number of the first record of a listing, for
 * stria_neff_levels_find(); else 0
 */
guint stria_neff_levels_add   (StriaNeffLevels *self, StriaNeffLevel level, gint64 subgraph,
                               const Neuroncc__DebugInfo__IrDebugInfo *info, guint64 *n_left);
void  stria_neff_levels_seal  (StriaNeffLevels *self);
/* Subgraph of the BIR ids in records of a listing (documented packing); -1: they are of several, or
 * there are none */
gint64 stria_neff_levels_subgraph (const StriaNeffLevels *self, guint first, guint n);
/* Records of the levels above the listing, and frames */
guint64 stria_neff_levels_size (const StriaNeffLevels *self);
/* FALSE: the record of the listing leads nowhere. @out: clear it either way */
gboolean stria_neff_levels_find (const StriaNeffLevels *self, gint64 subgraph, guint record,
                                 StriaNeffOrigin *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNeffLevels, stria_neff_levels_free)

G_END_DECLS
