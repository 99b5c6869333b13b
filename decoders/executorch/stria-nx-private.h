/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-nx.h"

G_BEGIN_DECLS

/* Layout of counters by device and mode [DOC seed; CODE MLIA-NT]: words of a task, tasks of a
 * block. */
typedef struct
{
  guint generation; /* 1 Mali-G1, 2 Mali-G2 */
  guint mode;
  guint words_per_task;
  guint tasks_per_block;
} StriaNxLayout;

/* Returns: (nullable) */
const StriaNxLayout *stria_nx_layout (guint generation, guint mode);

/* A member of the payload, by its path ("target.vendor_id", "segments.0.debug_database.data"). */
typedef enum
{
  STRIA_NX_NULL,
  STRIA_NX_BOOL,
  STRIA_NX_INT,
  STRIA_NX_REAL,
  STRIA_NX_TEXT,
} StriaNxMemberType;

typedef struct
{
  StriaNxMemberType type;
  gint64 integer; /* BOOL too */
  GBytes *text;   /* TEXT; not NUL-terminated */
} StriaNxMember;

/* Every scalar of a JSON text by its path, and "path.#" for the length of each array. NULL with
 * @error if it is no JSON or beyond the caps. */
GHashTable *stria_nx_members (const guint8 *text, gsize length, GError **error);

/* Blobs, each with %STRIA_ERROR_MALFORMED and a sentence on failure. */

/* Stripe ids in @info, each once, in order. (transfer full) (element-type guint32) */
GArray *stria_nx_parse_info (const guint8 *info, gsize length, gboolean is_text, GError **error);

/* Adds the rows nx_stripe and nx_counter of one segment (its number and state are there); chain and
 * cascade are left to stria_nx_relate(). */
gboolean stria_nx_parse_memory (StriaFacts *facts,
                                guint32 segment,
                                const StriaNxLayout *layout,
                                guint leading_blocks,
                                const guint8 *memory,
                                gsize length,
                                GArray *listed,
                                GString *remarks,
                                GError **error);

/* What the debug database says of a stripe. Strings of the facts; 0: it says nothing. */
typedef struct
{
  guint32 chain, cascade;
} StriaNxRelation;

/* Adds the rows nx_fused, nx_tosa and nx_label of @segment. Returns: (transfer full): text of a
 * stripe index -> StriaNxRelation */
GHashTable *stria_nx_parse_database (
    StriaFacts *facts, guint32 segment, const guint8 *text, gsize length, GError **error);

G_END_DECLS
