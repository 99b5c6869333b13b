/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-flat.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-load.h"

/* Offsets are unsigned and count from where they stand, so none can lead back or to itself. */
#define LEAST_OFFSET 4
#define VTABLE_HEAD 4 /* its own size and that of the table */
#define TABLE_HEAD 4  /* way back to the vtable */
#define LENGTH_HEAD 4 /* number of elements of a vector or string */

typedef enum
{
  A_TABLE,
  A_VTABLE,
  A_VECTOR,
  A_STRING,
} Thing;

/* -- faults ---------------------------------------------------------------------------------- */

static void
take_fault (StriaFlat *self, int code, gsize at, char *fault)
{
  self->failed = TRUE;
  self->fault_code = code;
  self->fault_at = self->base + at;
  g_free (self->fault);
  self->fault = fault;
}

static char *
say_outside (const StriaFlat *self, Thing thing, guint64 first, guint64 length)
{
  guint64 from = self->base + first;
  guint64 end = self->base + self->length;

  switch (thing)
    {
    case A_TABLE:
      return g_strdup_printf (_("expected a table within the buffer, which ends at %" PRIu64
                                ", found %" PRIu64 " bytes from %" PRIu64 " on"),
                              end, length, from);
    case A_VTABLE:
      return g_strdup_printf (_("expected a vtable within the buffer, which ends at %" PRIu64
                                ", found %" PRIu64 " bytes from %" PRIu64 " on"),
                              end, length, from);
    case A_VECTOR:
      return g_strdup_printf (_("expected a vector within the buffer, which ends at %" PRIu64
                                ", found %" PRIu64 " bytes from %" PRIu64 " on"),
                              end, length, from);
    case A_STRING:
    default:
      return g_strdup_printf (_("expected a string within the buffer, which ends at %" PRIu64
                                ", found %" PRIu64 " bytes from %" PRIu64 " on"),
                              end, length, from);
    }
}

/* @from: where to look for what led here */
static inline gboolean
is_inside (StriaFlat *self, Thing thing, gsize from, guint64 at, guint64 length)
{
  if (G_LIKELY (at <= self->length && length <= self->length - at))
    return TRUE;
  take_fault (self, STRIA_ERROR_TRUNCATED, from, say_outside (self, thing, at, length));
  return FALSE;
}

static inline gboolean
is_aligned (StriaFlat *self, gsize from, guint64 at, guint alignment)
{
  if (G_LIKELY ((at & (alignment - 1)) == 0))
    return TRUE;
  take_fault (self, STRIA_ERROR_MALFORMED, from,
              g_strdup_printf (_("expected an offset to a multiple of %u, found one to %" PRIu64),
                               alignment, at));
  return FALSE;
}

static inline gboolean
visit (StriaFlat *self, gsize at, guint64 length)
{
  self->visited += length;
  if (G_LIKELY (self->visited <= self->budget))
    return TRUE;
  take_fault (self, STRIA_ERROR_LIMIT, at,
              g_strdup_printf (_("expected at most %" PRIu64 " bytes to visit, found more: parts "
                                 "of the buffer are used again and again"),
                               self->budget));
  return FALSE;
}

static inline gboolean
is_shallow (StriaFlat *self, gsize at, guint depth)
{
  if (G_LIKELY (depth <= STRIA_FLAT_MAX_DEPTH))
    return TRUE;
  take_fault (self, STRIA_ERROR_LIMIT, at,
              g_strdup_printf (_("expected at most %d tables inside each other, found more"),
                               STRIA_FLAT_MAX_DEPTH));
  return FALSE;
}

/* -- bytes ----------------------------------------------------------------------------------- */

static inline double
get_f64 (const guint8 *p)
{
  guint64 bits = stria_load64 (p);
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* Where the offset at @at leads; 0 after a fault. */
static inline gsize
follow (StriaFlat *self, gsize at)
{
  guint32 offset = stria_load32 (self->data + at);

  if (G_UNLIKELY (offset < LEAST_OFFSET))
    {
      take_fault (self, STRIA_ERROR_MALFORMED, at,
                  g_strdup_printf (_("expected an offset of %d or more, found %" PRIu32),
                                   LEAST_OFFSET, offset));
      return 0;
    }
  return is_aligned (self, at, (guint64) at + offset, 4) ? at + offset : 0;
}

static inline StriaFlatTable
table_at (StriaFlat *self, gsize from, guint depth)
{
  const StriaFlatTable none = { 0 };
  gsize at = follow (self, from);
  gint64 vtable;
  guint16 vtable_size, size;

  if (at == 0 || !is_shallow (self, from, depth)
      || !is_inside (self, A_TABLE, from, at, TABLE_HEAD))
    return none;
  vtable = (gint64) at - (gint32) stria_load32 (self->data + at);
  /* One that would begin before the buffer wraps to a huge offset here, and is outside as well. */
  if (!is_inside (self, A_VTABLE, at, (guint64) vtable, VTABLE_HEAD)
      || !is_aligned (self, at, (guint64) vtable, 2))
    return none;
  vtable_size = stria_load16 (self->data + vtable);
  size = stria_load16 (self->data + vtable + 2);
  if (G_UNLIKELY (vtable_size < VTABLE_HEAD || (vtable_size & 1) != 0 || size < TABLE_HEAD))
    {
      take_fault (self, STRIA_ERROR_MALFORMED, (gsize) vtable,
                  g_strdup_printf (_("expected a vtable of an even number of bytes for a table of "
                                     "4 bytes or more, found one of %u bytes for a table of %u"),
                                   vtable_size, size));
      return none;
    }
  /* The size of the table says nothing: Python's builder gives tables one vtable whose fields have
   * the same places and whose sizes differ, and programs are written with it. */
  if (!is_inside (self, A_VTABLE, at, (guint64) vtable, vtable_size)
      || !visit (self, at, (guint64) vtable_size + size))
    return none;
  return (StriaFlatTable) {
    .flat = self,
    .at = at,
    .vtable = (gsize) vtable,
    .n_fields = (vtable_size - VTABLE_HEAD) / 2,
    .size = size,
    .depth = (guint8) depth,
  };
}

static inline const char *
string_at (StriaFlat *self, gsize from, gsize *length)
{
  gsize at = follow (self, from);
  guint32 n;

  if (at == 0 || !is_inside (self, A_STRING, from, at, LENGTH_HEAD))
    return NULL;
  n = stria_load32 (self->data + at);
  if (!is_inside (self, A_STRING, at, (guint64) at + LENGTH_HEAD, (guint64) n + 1)
      || !visit (self, at, (guint64) n + LENGTH_HEAD + 1))
    return NULL;
  if (G_UNLIKELY (self->data[at + LENGTH_HEAD + n] != 0))
    {
      take_fault (self, STRIA_ERROR_MALFORMED, at + LENGTH_HEAD + n,
                  g_strdup_printf (_("expected a zero byte behind a string, found 0x%02x"),
                                   self->data[at + LENGTH_HEAD + n]));
      return NULL;
    }
  if (length != NULL)
    *length = n;
  return (const char *) self->data + at + LENGTH_HEAD;
}

/* Offset of a field's @bytes bytes in the buffer; 0: not there. */
static inline gsize
field_at (StriaFlatTable table, guint field, guint bytes)
{
  StriaFlat *self = table.flat;
  guint offset;

  if (self == NULL || self->failed || field >= table.n_fields)
    return 0;
  offset = stria_load16 (self->data + table.vtable + VTABLE_HEAD + 2 * (gsize) field);
  if (offset == 0)
    return 0;
  if (G_UNLIKELY (offset < TABLE_HEAD))
    {
      take_fault (self, STRIA_ERROR_MALFORMED, table.vtable + VTABLE_HEAD + 2 * (gsize) field,
                  g_strdup_printf (_("expected a field %d bytes or more into its table, found "
                                     "its offset to be %u"),
                                   TABLE_HEAD, offset));
      return 0;
    }
  if (!is_inside (self, A_TABLE, table.vtable + VTABLE_HEAD + 2 * (gsize) field,
                  (guint64) table.at + offset, bytes))
    return 0;
  return is_aligned (self, table.vtable + VTABLE_HEAD + 2 * (gsize) field,
                     (guint64) table.at + offset, MIN (bytes, 4))
             ? table.at + offset
             : 0;
}

/* -- the buffer ------------------------------------------------------------------------------ */

/**
 * stria_flat_init:
 * @self: what need not be initialized
 * @name: base name of the file; must outlive @self
 * @data: the buffer; must outlive @self
 * @length: its bytes; what stands behind the FlatBuffer does no harm
 * @base: where @data stands in the file, for messages
 *
 * Looks at nothing yet.
 */
void
stria_flat_init (StriaFlat *self, const char *name, const guint8 *data, gsize length, guint64 base)
{
  *self = (StriaFlat) {
    .data = data,
    .length = length,
    .base = base,
    .name = name,
    .budget = MAX (STRIA_FLAT_BUDGET_LEAST, (guint64) length * STRIA_FLAT_BUDGET_FACTOR),
  };
}

void
stria_flat_clear (StriaFlat *self)
{
  g_clear_pointer (&self->fault, g_free);
  *self = (StriaFlat) { 0 };
}

StriaFlatTable
stria_flat_root (StriaFlat *self, const char *identifier)
{
  const StriaFlatTable none = { 0 };
  guint head = identifier != NULL ? 8 : 4;

  if (self->failed)
    return none;
  if (self->length < head)
    {
      take_fault (self, STRIA_ERROR_TRUNCATED, 0,
                  g_strdup_printf (_("expected a FlatBuffer of %u bytes or more, found %" PRIu64),
                                   head, (guint64) self->length));
      return none;
    }
  if (identifier != NULL && memcmp (self->data + 4, identifier, 4) != 0)
    {
      g_autofree char *found = g_strndup ((const char *) self->data + 4, 4);

      for (guint i = 0; i < 4; i++)
        if (!g_ascii_isprint (found[i]))
          {
            g_free (found);
            found = g_strdup_printf ("0x%02x%02x%02x%02x", self->data[4], self->data[5],
                                     self->data[6], self->data[7]);
            break;
          }
      take_fault (self, STRIA_ERROR_BAD_MAGIC, 4,
                  g_strdup_printf (_("expected the identifier “%.4s”, found “%s”"), identifier,
                                   found));
      return none;
    }
  return table_at (self, 0, 1);
}

gboolean
stria_flat_failed (const StriaFlat *self)
{
  return self->failed;
}

gboolean
stria_flat_check (const StriaFlat *self, GError **error)
{
  if (!self->failed)
    return TRUE;
  g_set_error (error, STRIA_ERROR, self->fault_code, _("%s: offset %" PRIu64 ": %s"), self->name,
               self->fault_at, self->fault);
  return FALSE;
}

gboolean
stria_flat_forgive (StriaFlat *self, GError **error)
{
  if (stria_flat_check (self, error))
    return TRUE;
  if (self->visited <= self->budget)
    {
      self->failed = FALSE;
      g_clear_pointer (&self->fault, g_free);
    }
  return FALSE;
}

guint64
stria_flat_fault_offset (const StriaFlat *self)
{
  return self->fault_at;
}

/* -- fields ---------------------------------------------------------------------------------- */

gboolean
stria_flat_has (StriaFlatTable table, guint field)
{
  return field_at (table, field, 1) != 0;
}

guint8
stria_flat_u8 (StriaFlatTable table, guint field, guint8 otherwise)
{
  gsize at = field_at (table, field, 1);
  return at != 0 ? table.flat->data[at] : otherwise;
}

gint8
stria_flat_i8 (StriaFlatTable table, guint field, gint8 otherwise)
{
  gsize at = field_at (table, field, 1);
  return at != 0 ? (gint8) table.flat->data[at] : otherwise;
}

guint16
stria_flat_u16 (StriaFlatTable table, guint field, guint16 otherwise)
{
  gsize at = field_at (table, field, 2);
  return at != 0 ? stria_load16 (table.flat->data + at) : otherwise;
}

guint32
stria_flat_u32 (StriaFlatTable table, guint field, guint32 otherwise)
{
  gsize at = field_at (table, field, 4);
  return at != 0 ? stria_load32 (table.flat->data + at) : otherwise;
}

gint32
stria_flat_i32 (StriaFlatTable table, guint field, gint32 otherwise)
{
  gsize at = field_at (table, field, 4);
  return at != 0 ? (gint32) stria_load32 (table.flat->data + at) : otherwise;
}

guint64
stria_flat_u64 (StriaFlatTable table, guint field, guint64 otherwise)
{
  gsize at = field_at (table, field, 8);
  return at != 0 ? stria_load64 (table.flat->data + at) : otherwise;
}

gint64
stria_flat_i64 (StriaFlatTable table, guint field, gint64 otherwise)
{
  gsize at = field_at (table, field, 8);
  return at != 0 ? (gint64) stria_load64 (table.flat->data + at) : otherwise;
}

float
stria_flat_f32 (StriaFlatTable table, guint field, float otherwise)
{
  gsize at = field_at (table, field, 4);
  guint32 bits;
  float value;

  if (at == 0)
    return otherwise;
  bits = stria_load32 (table.flat->data + at);
  memcpy (&value, &bits, sizeof value);
  return value;
}

double
stria_flat_f64 (StriaFlatTable table, guint field, double otherwise)
{
  gsize at = field_at (table, field, 8);
  return at != 0 ? get_f64 (table.flat->data + at) : otherwise;
}

StriaFlatTable
stria_flat_table (StriaFlatTable table, guint field)
{
  const StriaFlatTable none = { 0 };
  gsize at = field_at (table, field, 4);

  return at != 0 ? table_at (table.flat, at, table.depth + 1u) : none;
}

StriaFlatVector
stria_flat_vector (StriaFlatTable table, guint field, guint element)
{
  const StriaFlatVector none = { 0 };
  StriaFlat *self = table.flat;
  gsize from, at;
  guint32 n;

  g_return_val_if_fail (element > 0 && element <= G_MAXUINT16, none);

  from = field_at (table, field, 4);
  if (from == 0 || (at = follow (self, from)) == 0
      || !is_inside (self, A_VECTOR, from, at, LENGTH_HEAD))
    return none;
  n = stria_load32 (self->data + at);
  if (!is_inside (self, A_VECTOR, at, (guint64) at + LENGTH_HEAD, (guint64) n * element)
      || !visit (self, at, LENGTH_HEAD + (guint64) n * element))
    return none;
  return (StriaFlatVector) {
    .flat = self,
    .at = at + LENGTH_HEAD,
    .n = n,
    .element = (guint16) element,
    .depth = table.depth,
  };
}

const char *
stria_flat_string (StriaFlatTable table, guint field, gsize *length)
{
  gsize at = field_at (table, field, 4);

  if (length != NULL)
    *length = 0;
  return at != 0 ? string_at (table.flat, at, length) : NULL;
}

/* -- elements -------------------------------------------------------------------------------- */

static inline const guint8 *
element_at (StriaFlatVector vector, guint32 i, guint bytes)
{
  if (G_UNLIKELY (vector.flat == NULL || vector.flat->failed || i >= vector.n
                  || bytes > vector.element))
    return NULL;
  return vector.flat->data + vector.at + (gsize) i * vector.element;
}

guint8
stria_flat_at_u8 (StriaFlatVector vector, guint32 i)
{
  const guint8 *p = element_at (vector, i, 1);
  return p != NULL ? *p : 0;
}

guint32
stria_flat_at_u32 (StriaFlatVector vector, guint32 i)
{
  const guint8 *p = element_at (vector, i, 4);
  return p != NULL ? stria_load32 (p) : 0;
}

gint32
stria_flat_at_i32 (StriaFlatVector vector, guint32 i)
{
  return (gint32) stria_flat_at_u32 (vector, i);
}

guint64
stria_flat_at_u64 (StriaFlatVector vector, guint32 i)
{
  const guint8 *p = element_at (vector, i, 8);
  return p != NULL ? stria_load64 (p) : 0;
}

gint64
stria_flat_at_i64 (StriaFlatVector vector, guint32 i)
{
  return (gint64) stria_flat_at_u64 (vector, i);
}

double
stria_flat_at_f64 (StriaFlatVector vector, guint32 i)
{
  const guint8 *p = element_at (vector, i, 8);
  return p != NULL ? get_f64 (p) : 0;
}

StriaFlatTable
stria_flat_at_table (StriaFlatVector vector, guint32 i)
{
  const StriaFlatTable none = { 0 };
  const guint8 *p = element_at (vector, i, 4);

  return p != NULL ? table_at (vector.flat, p - vector.flat->data, vector.depth + 1u) : none;
}

const char *
stria_flat_at_string (StriaFlatVector vector, guint32 i, gsize *length)
{
  const guint8 *p = element_at (vector, i, 4);

  if (length != NULL)
    *length = 0;
  return p != NULL ? string_at (vector.flat, p - vector.flat->data, length) : NULL;
}

const guint8 *
stria_flat_bytes (StriaFlatVector vector)
{
  return vector.n > 0 ? vector.flat->data + vector.at : NULL;
}

guint64
stria_flat_offset (StriaFlatTable table)
{
  return table.flat != NULL ? table.flat->base + table.at : 0;
}
