/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-values
 *
 * A stack machine that builds lists and dicts of plain data and gives them away as soon as they are
 * whole, so that no object graph stands in memory. The pickle and the JSON reader drive it; a
 * client says which dicts are rows of its own (a frame, an event, a block) and takes them.
 *
 * No code is named or run by data. Every operation checks its operands and latches the first error.
 */

/* Caps. A snapshot's real depth is 6; its lists hold millions. */
#define STRIA_VALUES_MAX_STACK ((gsize) 64 << 20)
#define STRIA_VALUES_MAX_MARKS 4096
#define STRIA_VALUES_MAX_MEMO ((gsize) 1 << 29)
#define STRIA_VALUES_MAX_HOLES ((gsize) 1 << 16) /* memo entries that are passed over, in all */
#define STRIA_VALUES_MAX_STRING ((gsize) 64 << 20)
#define STRIA_VALUES_MAX_BYTES ((gsize) 6 << 30) /* of everything that is kept at once */

typedef enum
{
  STRIA_VALUE_KIND_NIL,
  STRIA_VALUE_KIND_BOOL,
  STRIA_VALUE_KIND_INT,
  STRIA_VALUE_KIND_BIG, /* an integer of more than 60 bits */
  STRIA_VALUE_KIND_REAL,
  STRIA_VALUE_KIND_STRING, /* id */
  STRIA_VALUE_KIND_LIST,
  STRIA_VALUE_KIND_DICT,
  STRIA_VALUE_KIND_PAIR, /* a tuple of two integers of 0 .. 2^29-1 */
  STRIA_VALUE_KIND_OPAQUE, /* an object that is not data: string id of what it is */
  STRIA_VALUE_KIND_ROW,    /* what the client made of a dict or list */
  STRIA_VALUE_KIND_MARK,
} StriaValueKind;

/* Kind in the low four bits, payload above. */
typedef guint64 StriaDatum;

static inline StriaValueKind
stria_datum_kind (StriaDatum value)
{
  return (StriaValueKind) (value & 15);
}
static inline guint64
stria_datum_payload (StriaDatum value)
{
  return value >> 4;
}
static inline StriaDatum
stria_datum (StriaValueKind kind, guint64 payload)
{
  return payload << 4 | kind;
}

typedef struct
{
  StriaDatum key;
  StriaDatum value;
} StriaDatumPair;

typedef struct _StriaValues StriaValues;

/**
 * StriaValuesClient:
 * @intern: id of a text; bytes need not be UTF-8
 * @text: the text of an id
 * @dict: a dict of fewer than 1000 keys is whole; returns a ROW datum for it, or 0 to keep it.
 *   @under: what stands under it on the stack: its key, where it is the value of one; or 0
 * @append: items were appended to list @list; TRUE if the client took them and they need not be
 *   kept
 * @listed: type, the low three bits of the payload, of rows that @append takes none of, from 1; 0:
 *   of none. Lists of them alone can be read by stria_values_rows(), and @append may not be asked.
 * @opaque: an object that is not plain data was met and replaced (for a notice)
 */
typedef struct
{
  guint32 (*intern) (gpointer data, const char *text, gsize length);
  const char *(*text) (gpointer data, guint32 id);
  StriaDatum (*dict) (gpointer data, StriaDatum under, const StriaDatumPair *pairs, gsize n);
  gboolean (*append) (gpointer data, guint64 list, const StriaDatum *items, gsize n);
  void (*opaque) (gpointer data, const char *what);
  guint8 listed;
} StriaValuesClient;

StriaValues *stria_values_new (const StriaValuesClient *client, gpointer data);
void stria_values_free (StriaValues *self);

void stria_values_get_client (StriaValues *self, const StriaValuesClient **client, gpointer *data);

/* The first error, or NULL. */
const GError *stria_values_error (StriaValues *self);
void stria_values_fail (StriaValues *self, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* -- operations ------------------------------------------------------------------------------ */

void stria_values_push (StriaValues *self, StriaDatum value);
void stria_values_push_int (StriaValues *self, gint64 value);
/* An integer of up to 128 bits, two's complement, little endian. */
void stria_values_push_bytes_int (StriaValues *self, const guint8 *bytes, gsize n);
void stria_values_push_uint (StriaValues *self, guint64 value);
void stria_values_push_real (StriaValues *self, double value);
void stria_values_push_string (StriaValues *self, const char *text, gsize length);
void stria_values_push_list (StriaValues *self);
void stria_values_push_dict (StriaValues *self);
void stria_values_push_opaque (StriaValues *self, const char *what);
void stria_values_mark (StriaValues *self);
/* Items above the mark go to the list below it, and so on. */
void stria_values_appends (StriaValues *self);
void stria_values_append (StriaValues *self);
void stria_values_setitems (StriaValues *self);
void stria_values_setitem (StriaValues *self);
/* Pops to the mark and pushes a tuple (n < 0) or pops @n items; tuples are lists from then on. */
void stria_values_tuple (StriaValues *self, int n);
void stria_values_pop (StriaValues *self);
void stria_values_pop_mark (StriaValues *self);
void stria_values_dup (StriaValues *self);
void stria_values_memoize (StriaValues *self);
void stria_values_put (StriaValues *self, guint64 index);
void stria_values_get (StriaValues *self, guint64 index);
/* Pops the topmost value. */
StriaDatum stria_values_take (StriaValues *self);
/* The topmost value, without popping; NIL if there is none. */
StriaDatum stria_values_top (StriaValues *self);
gsize stria_values_depth (StriaValues *self);

/* The text was cut: closes what is open from the inside out, dropping the dict that was being
 * filled, and leaves the outermost value on the stack. */
void stria_values_unwind (StriaValues *self);

/* -- reading what was kept ------------------------------------------------------------------- */

/* Follows a dict or list that has become a row. */
StriaDatum stria_values_resolve (StriaValues *self, StriaDatum value);
const StriaDatum *stria_values_list (StriaValues *self, StriaDatum value, gsize *n);
const StriaDatumPair *stria_values_dict (StriaValues *self, StriaDatum value, gsize *n);
/* The newest list, where it holds listed rows alone: words that have the row's payload, without its
 * type, from bit STRIA_LISTED_SHIFT on. NULL for other lists, and for such that had to be kept as
 * they all are. Valid until the next operation. */
#define STRIA_LISTED_SHIFT 7
const guint32 *stria_values_rows (StriaValues *self, StriaDatum value, gsize *n);
/* A list becomes a row; what it held is freed. From the client's dict() only, which then returns a row:
 * the list's number may be another's afterwards. */
void stria_values_replace_list (StriaValues *self, StriaDatum list, StriaDatum row);
/* Integers as the low 64 bits; FALSE if it is none, or needs more. A negative one is its two's
 * complement (writers that have no unsigned integers write addresses so). */
gboolean stria_values_u64 (StriaValues *self, StriaDatum value, guint64 *out);
gboolean stria_values_i64 (StriaValues *self, StriaDatum value, gint64 *out);
gboolean stria_values_real (StriaValues *self, StriaDatum value, double *out);
/* Any value as JSON text, cut at @max bytes and 32 levels. */
void stria_values_to_json (StriaValues *self, StriaDatum value, GString *out, gsize max);

G_END_DECLS
