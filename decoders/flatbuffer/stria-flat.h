/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Caps: a buffer whose tables share parts can make a small file a large walk. */
#define STRIA_FLAT_MAX_DEPTH 64                    /* tables inside tables */
#define STRIA_FLAT_BUDGET_FACTOR 16                /* bytes visited : bytes there are */
#define STRIA_FLAT_BUDGET_LEAST ((guint64) 1 << 20)

/**
 * StriaFlat:
 * @data: the buffer; need not be aligned
 * @length: its bytes
 * @base: where @data stands in the file, for messages
 * @name: base name of the file
 *
 * A FlatBuffer, read without trusting it: every offset, vtable, length and the NUL of every string
 * is checked before it is used. Lives on the stack; owns nothing but its fault.
 *
 * The first fault is kept with its offset and what was expected there; from then on nothing is
 * there any more: no table, an empty vector, the default of a number. stria_flat_check() turns it into an
 * error; stria_flat_forgive() does so and goes on, for lists of which one element is damaged.
 *
 * Each table, vector and string counts its bytes each time it is asked for, so ask once for a
 * vector that is walked. What is aligned to more than four bytes is not checked for it: a size prefix in
 * front of the buffer shifts it.
 */
typedef struct
{
  const guint8 *data;
  gsize         length;
  guint64       base;
  const char   *name;
  /* private */
  guint64       visited;
  guint64       budget;
  gboolean      failed;
  int           fault_code; /* a #StriaError */
  guint64       fault_at;   /* in the file */
  char         *fault;      /* translated: what was expected and what was found */
} StriaFlat;

/* A table, or none (@flat NULL). By value; as long as the buffer. */
typedef struct
{
  StriaFlat *flat;
  gsize      at;       /* of the table in the buffer */
  gsize      vtable;
  guint16    n_fields; /* in its vtable */
  guint16    size;     /* bytes of its inline part, by its vtable; a field may lie beyond */
  guint8     depth;
} StriaFlatTable;

/* A vector; n is 0 if there is none. */
typedef struct
{
  StriaFlat *flat;
  gsize      at;      /* of its first element */
  guint32    n;
  guint16    element; /* bytes */
  guint8     depth;
} StriaFlatVector;

void            stria_flat_init    (StriaFlat *self, const char *name, const guint8 *data,
                                    gsize length, guint64 base);
void            stria_flat_clear   (StriaFlat *self);
/* @identifier: (nullable): the four characters that must stand at byte 4 (else the fault is
 * %STRIA_ERROR_BAD_MAGIC). For a size-prefixed buffer give the bytes after the prefix to
 * stria_flat_init(). */
StriaFlatTable  stria_flat_root    (StriaFlat *self, const char *identifier);

gboolean        stria_flat_failed  (const StriaFlat *self);
/* Returns: TRUE if nothing went wrong; else FALSE with %STRIA_ERROR_TRUNCATED (something reaches
 *   outside the buffer), _MALFORMED or _LIMIT that names the file, the offset in the file, what was
 *   expected and what was found */
gboolean        stria_flat_check   (const StriaFlat *self, GError **error);
/* As above, and reading goes on: the fault is forgotten, what was visited is not. The budget cannot
 * be forgiven. */
gboolean        stria_flat_forgive (StriaFlat *self, GError **error);
/* Offset in the file of the last fault, forgiven or not */
guint64         stria_flat_fault_offset (const StriaFlat *self);

/* @field: number of the field, from 0 in order of declaration (a union takes two). A field that is
 * not there answers @otherwise. */
gboolean        stria_flat_has     (StriaFlatTable table, guint field);
guint8          stria_flat_u8      (StriaFlatTable table, guint field, guint8 otherwise);
gint8           stria_flat_i8      (StriaFlatTable table, guint field, gint8 otherwise);
guint16         stria_flat_u16     (StriaFlatTable table, guint field, guint16 otherwise);
guint32         stria_flat_u32     (StriaFlatTable table, guint field, guint32 otherwise);
gint32          stria_flat_i32     (StriaFlatTable table, guint field, gint32 otherwise);
guint64         stria_flat_u64     (StriaFlatTable table, guint field, guint64 otherwise);
gint64          stria_flat_i64     (StriaFlatTable table, guint field, gint64 otherwise);
float           stria_flat_f32     (StriaFlatTable table, guint field, float otherwise);
double          stria_flat_f64     (StriaFlatTable table, guint field, double otherwise);

/* Whether a table is there: stria_flat_is (table) */
static inline gboolean
stria_flat_is (StriaFlatTable table)
{
  return table.flat != NULL;
}
StriaFlatTable  stria_flat_table   (StriaFlatTable table, guint field);
/* @element: bytes of an element: 4 for tables and strings */
StriaFlatVector stria_flat_vector  (StriaFlatTable table, guint field, guint element);
/* Returns: (nullable): its bytes inside the buffer, NUL behind them; not checked for UTF-8 */
const char     *stria_flat_string  (StriaFlatTable table, guint field, gsize *length);

/* Elements; beyond the end, or of more bytes than @element, answers nothing and is the caller's
 * mistake, not a fault. */
guint8          stria_flat_at_u8   (StriaFlatVector vector, guint32 i);
guint32         stria_flat_at_u32  (StriaFlatVector vector, guint32 i);
gint32          stria_flat_at_i32  (StriaFlatVector vector, guint32 i);
guint64         stria_flat_at_u64  (StriaFlatVector vector, guint32 i);
gint64          stria_flat_at_i64  (StriaFlatVector vector, guint32 i);
double          stria_flat_at_f64  (StriaFlatVector vector, guint32 i);
StriaFlatTable  stria_flat_at_table (StriaFlatVector vector, guint32 i);
const char     *stria_flat_at_string (StriaFlatVector vector, guint32 i, gsize *length);
/* Returns: (nullable): the vector's bytes (n x element) inside the buffer, NULL only if n is 0:
 * what was found to be there stays after a fault */
const guint8   *stria_flat_bytes   (StriaFlatVector vector);
/* Offset in the file of a table, for messages */
guint64         stria_flat_offset  (StriaFlatTable table);

G_END_DECLS
