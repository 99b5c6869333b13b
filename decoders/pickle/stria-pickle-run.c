/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pickle-private.h"

/* Fifty operations of a snapshot are one event, and nearly all of them are of a dozen kinds. These
 * are read here, as long as nothing is odd about them: whatever would be an error, needs more room
 * or ends beyond the block is left to the reader proper, which knows all kinds and says what is
 * wrong. */

/* Bytes that the longest of these operations has, texts apart, and that may be looked at */
#define LOOK_AHEAD 16

/* Kinds that are copied out of the memo as they are */
#define IS_PLAIN(kind)                                                                             \
  ((1u << (kind)                                                                                   \
    & ~(1u << STRIA_VALUE_KIND_LIST | 1u << STRIA_VALUE_KIND_DICT | 1u << STRIA_VALUE_KIND_MARK))  \
   != 0)

#define NO_TEXT G_MAXUINT64

void
stria_pickle_prepare (StriaPickle *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->short_texts); i++)
    self->short_texts[i].key = NO_TEXT;
}

static guint32
intern (StriaPickle *self, const guint8 *text, gsize length)
{
  return self->client->intern (self->client_data, (const char *) text, length);
}

/* The same writer gives the same few texts to each event, and each time as a new one. Eight bytes
 * may be read at @text. */
static inline guint32
intern_short (StriaPickle *self, const guint8 *text, gsize length)
{
  /* Shifts by 64 are none. */
  const guint64 bytes = stria_load64 (text) << 1 << (63 - 8 * length) >> (63 - 8 * length) >> 1;
  const guint64 key = bytes | (guint64) length << 56;
  StriaShortText *known
      = &self->short_texts[key * 0x9e3779b97f4a7c15u >> (64 - STRIA_SHORT_TEXT_BITS)];

  if (G_LIKELY (known->key == key))
    return known->id;

  const guint32 id = intern (self, text, length);
  /* What is not plain text may be told of. */
  for (gsize i = 0; i < length; i++)
    if (text[i] == 0 || text[i] >= 0x80)
      return id;
  *known = (StriaShortText){ key, id };
  return id;
}

/* At @p is what stands behind the mark that an empty list has above it. If that is nothing but rows
 * of the memo that the client lists, up to the end of the list, the list has them; returns what
 * follows, else NULL. */
static const guint8 *
take_rows (StriaValues *v, guint64 id, const guint8 *p, const guint8 *end)
{
  const guint32 mask = 127, tag = STRIA_VALUE_KIND_ROW | (guint32) v->client->listed << 4;
  const guint32 *memo = v->memo;
  const gsize n_memo = v->n_memo;
  StriaList *list = &v->lists[id];
  gsize n = 0;

  if (list->n != 0 || list->capacity != 0)
    return NULL;
  /* Another list's rows make room. */
  stria_values_keep_rows (v);
  while (end - p >= LOOK_AHEAD && n < STRIA_MAX_LISTED)
    {
      guint64 index;

      /* One branch a length: the next operation need not wait for what this one is. */
      if (G_LIKELY (*p == OP_LONG_BINGET))
        {
          index = stria_load32 (p + 1);
          p += 5;
        }
      else if (*p == OP_BINGET)
        {
          index = p[1];
          p += 2;
        }
      else
        break;
      if (G_UNLIKELY (index >= n_memo))
        return NULL;
      guint32 word = memo[index];
      if (G_UNLIKELY ((word & mask) != tag))
        return NULL;
      v->rows[n++] = word;
    }
  if (n == 0 || end - p < LOOK_AHEAD || *p != OP_APPENDS)
    return NULL;
  list->n = n;
  v->rows_list = id + 1;
  return p + 1;
}

/* Puts the topmost value into the memo, if it is the next entry and simply goes there. */
static inline gboolean
put_next (StriaValues *v, const StriaDatum *top, gsize index)
{
  const gsize floor = v->n_marks > 0 ? v->marks[v->n_marks - 1] : 0;
  guint32 *holder;

  /* None were passed over. */
  if (index != v->n_memo || index != v->n_memoized || index >= v->memo_capacity
      || (gsize) (top - v->stack) <= floor || top[-1] > G_MAXUINT32)
    return FALSE;
  v->memo[index] = (guint32) top[-1];
  v->n_memo = v->n_memoized = index + 1;
  holder = stria_values_holder (v, top[-1]);
  if (holder != NULL)
    *holder = *holder == 0 ? (guint32) index + 1 : STRIA_MEMO_MANY;
  return TRUE;
}

const guint8 *
stria_pickle_run (StriaPickle *self, const guint8 *p, const guint8 *end)
{
  /* Each operation jumps to the next one by itself: what follows which is nearly always the same in
   * a snapshot, and so a processor foresees it. */
  enum
  {
    RARE, LONG_GET, GET, MEMOIZE, PUT, LONG_PUT, NONE, NEWTRUE, NEWFALSE, INT1, INT2, INT4, LONG1,
    SHORT_TEXT, TEXT, EMPTY_DICT, EMPTY_LIST, MARK, SETITEMS, APPENDS,
  };
  static const void *const places[] = {
    [RARE] = &&out, [LONG_GET] = &&long_get, [GET] = &&get, [MEMOIZE] = &&memoize, [PUT] = &&put,
    [LONG_PUT] = &&long_put, [NONE] = &&none, [NEWTRUE] = &&newtrue, [NEWFALSE] = &&newfalse,
    [INT1] = &&int1, [INT2] = &&int2, [INT4] = &&int4, [LONG1] = &&long1,
    [SHORT_TEXT] = &&short_text, [TEXT] = &&text, [EMPTY_DICT] = &&empty_dict,
    [EMPTY_LIST] = &&empty_list, [MARK] = &&mark, [SETITEMS] = &&setitems, [APPENDS] = &&appends,
  };
  static const guint8 kinds[256] = {
    [OP_LONG_BINGET] = LONG_GET,
    [OP_BINGET] = GET,
    [OP_MEMOIZE] = MEMOIZE,
    [OP_BINPUT] = PUT,
    [OP_LONG_BINPUT] = LONG_PUT,
    [OP_NONE] = NONE,
    [OP_NEWTRUE] = NEWTRUE,
    [OP_NEWFALSE] = NEWFALSE,
    [OP_BININT1] = INT1,
    [OP_BININT2] = INT2,
    [OP_BININT] = INT4,
    [OP_LONG1] = LONG1,
    [OP_SHORT_BINUNICODE] = SHORT_TEXT,
    [OP_BINUNICODE] = TEXT,
    [OP_EMPTY_DICT] = EMPTY_DICT,
    [OP_EMPTY_LIST] = EMPTY_LIST,
    [OP_MARK] = MARK,
    [OP_SETITEMS] = SETITEMS,
    [OP_APPENDS] = APPENDS,
  };
  StriaValues *v = self->values;
  StriaDatum *top = v->stack + v->n_stack;
  const StriaDatum *limit = v->stack + v->stack_capacity;
  gsize index, length;

#define NEXT(used)                                                                                 \
  G_STMT_START                                                                                     \
  {                                                                                                \
    p += (used);                                                                                   \
    if (G_UNLIKELY (end - p < LOOK_AHEAD || top >= limit))                                         \
      goto out;                                                                                    \
    goto *places[kinds[*p]];                                                                       \
  }                                                                                                \
  G_STMT_END

  NEXT (0);

long_get:
  index = stria_load32 (p + 1);
  if (G_UNLIKELY (index >= v->n_memo || !IS_PLAIN (v->memo[index] & 15)))
    goto out;
  *top++ = v->memo[index];
  NEXT (5);
get:
  index = p[1];
  if (G_UNLIKELY (index >= v->n_memo || !IS_PLAIN (v->memo[index] & 15)))
    goto out;
  *top++ = v->memo[index];
  NEXT (2);

put:
  if (G_UNLIKELY (!put_next (v, top, p[1])))
    goto out;
  NEXT (2);
long_put:
  if (G_UNLIKELY (!put_next (v, top, stria_load32 (p + 1))))
    goto out;
  NEXT (5);
memoize:
  if (G_UNLIKELY (!put_next (v, top, v->n_memo)))
    goto out;
  NEXT (1);

none:
  *top++ = stria_datum (STRIA_VALUE_KIND_NIL, 0);
  NEXT (1);
newtrue:
  *top++ = stria_datum (STRIA_VALUE_KIND_BOOL, TRUE);
  NEXT (1);
newfalse:
  *top++ = stria_datum (STRIA_VALUE_KIND_BOOL, FALSE);
  NEXT (1);
int1:
  *top++ = stria_datum (STRIA_VALUE_KIND_INT, p[1]);
  NEXT (2);
int2:
  *top++ = stria_datum (STRIA_VALUE_KIND_INT, (guint64) p[1] | (guint64) p[2] << 8);
  NEXT (3);
int4:
  *top++ = stria_datum (STRIA_VALUE_KIND_INT, (guint64) (gint64) (gint32) stria_load32 (p + 1));
  NEXT (5);
long1:
  length = p[1];
  if (G_UNLIKELY (length < 1 || length > 8))
    goto out;
  const guint shift = 64 - 8 * (guint) length;
  const gint64 value = (gint64) (stria_load64 (p + 2) << shift) >> shift;
  /* Sixty bits hold it. */
  if (G_UNLIKELY (value < -(G_GINT64_CONSTANT (1) << 59) || value >= G_GINT64_CONSTANT (1) << 59))
    goto out;
  *top++ = stria_datum (STRIA_VALUE_KIND_INT, (guint64) value);
  NEXT (2 + length);

short_text:
  length = p[1];
  if (G_UNLIKELY (length + 2 > (gsize) (end - p)))
    goto out;
  *top++ = stria_datum (STRIA_VALUE_KIND_STRING, length < 8 ? intern_short (self, p + 2, length)
                                                            : intern (self, p + 2, length));
  NEXT (2 + length);
text:
  length = stria_load32 (p + 1);
  if (G_UNLIKELY (length > STRIA_VALUES_MAX_STRING || length + 5 > (gsize) (end - p)))
    goto out;
  *top++ = stria_datum (STRIA_VALUE_KIND_STRING, length < 8 ? intern_short (self, p + 5, length)
                                                            : intern (self, p + 5, length));
  NEXT (5 + length);

empty_dict:
  if (G_UNLIKELY (v->n_dicts == v->dict_capacity))
    goto out;
  v->dicts[v->n_dicts] = (StriaDict){ 0 };
  *top++ = stria_datum (STRIA_VALUE_KIND_DICT, v->n_dicts++);
  NEXT (1);
empty_list:
  if (G_UNLIKELY (v->n_lists == v->list_capacity))
    goto out;
  v->lists[v->n_lists] = (StriaList){ 0 };
  *top++ = stria_datum (STRIA_VALUE_KIND_LIST, v->n_lists++);
  NEXT (1);
mark:
  if (G_UNLIKELY (v->n_marks == STRIA_VALUES_MAX_MARKS))
    goto out;
  if (top > v->stack && stria_datum_kind (top[-1]) == STRIA_VALUE_KIND_LIST
      && v->client->listed != 0)
    {
      const guint8 *behind = take_rows (v, stria_datum_payload (top[-1]), p + 1, end);
      if (behind != NULL)
        NEXT ((gsize) (behind - p));
      if (G_UNLIKELY (v->error != NULL))
        goto out;
    }
  v->marks[v->n_marks++] = (gsize) (top - v->stack);
  NEXT (1);

setitems:
  v->n_stack = (gsize) (top - v->stack);
  stria_values_setitems (v);
  top = v->stack + v->n_stack;
  if (G_UNLIKELY (v->error != NULL))
    goto out;
  NEXT (1);
appends:
  v->n_stack = (gsize) (top - v->stack);
  stria_values_appends (v);
  top = v->stack + v->n_stack;
  if (G_UNLIKELY (v->error != NULL))
    goto out;
  NEXT (1);

out:
  v->n_stack = (gsize) (top - v->stack);
  return p;
#undef NEXT
}
