/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-values.h"

G_BEGIN_DECLS

/* One past the greatest member of a PAIR datum. */
#define STRIA_PAIR_MEMBER_MAX (1 << 29)

typedef struct
{
  StriaDatumPair *pairs; /* NULL when it has become a row */
  StriaDatum row;
  guint32 n;
  guint32 capacity;
  guint32 memo;  /* as a list's */
} StriaDict;

typedef struct
{
  StriaDatum *items; /* NULL while they are the machine's rows */
  union
  {
    StriaDatum row; /* where capacity is STRIA_ROW_CAPACITY */
    guint64 n;
  };
  guint32 capacity;
  guint32 memo; /* the memo entry that holds it, from 1; 0: none */
} StriaList;

/* Held by more than its place on the stack and one memo entry. */
#define STRIA_MEMO_MANY G_MAXUINT32

/* Capacity of a list that has become a row. */
#define STRIA_ROW_CAPACITY G_MAXUINT32

/* Rows of a list that are kept as words: as many as a list has before its last batch, at most */
#define STRIA_MAX_LISTED 1000

typedef struct
{
  guint64 low;
  gint64 high;
} StriaBig;

struct _StriaValues
{
  const StriaValuesClient *client;
  gpointer data;
  GError *error;

  StriaDatum *stack;
  gsize n_stack, stack_capacity;
  gsize marks[STRIA_VALUES_MAX_MARKS];
  gsize n_marks;
  guint32 *memo; /* see stria_values_memo() */
  gsize n_memo, memo_capacity;
  gsize n_memoized; /* of them set */
  GArray *wide;     /* StriaDatum that 32 bits do not hold */

  /* The items of the newest list of rows that its client lists: nearly all lists are stacks of
   * frames that are made and used at once. */
  guint32 rows[STRIA_MAX_LISTED];
  guint64 rows_list; /* number of the list + 1; 0: none */

  StriaDict *dicts;
  gsize n_dicts, dict_capacity;
  StriaList *lists;
  gsize n_lists, list_capacity;
  GArray *bigs;
  GArray *reals;
  gsize bytes; /* kept now */
};

/* More is kept; FALSE with an error beyond the cap. */
gboolean stria_values_charge (StriaValues *self, gsize bytes);
/* Whether there are @n values on the stack above the topmost mark; else it is an error. */
gboolean stria_values_need (StriaValues *self, gsize n);
/* @index is one of the memo's. */
void stria_values_set_memo (StriaValues *self, guint64 index, StriaDatum value);
/* The rows that are kept apart become items as those of any list. */
void stria_values_keep_rows (StriaValues *self);

/* An entry of the memo is a datum that 32 bits hold, as nearly all do, or else MARK with the
 * number, from 1, of a wide one; MARK with 0 where nothing was set. */
static inline StriaDatum
stria_values_memo (const StriaValues *self, guint64 index)
{
  StriaDatum value = self->memo[index];

  if (G_UNLIKELY (stria_datum_kind (value) == STRIA_VALUE_KIND_MARK) && value >> 4 != 0)
    return g_array_index (self->wide, StriaDatum, (value >> 4) - 1);
  return value;
}

/* Where it is noted who holds a list or dict; NULL for other values. */
static inline guint32 *
stria_values_holder (StriaValues *self, StriaDatum value)
{
  switch (stria_datum_kind (value))
    {
    case STRIA_VALUE_KIND_DICT:
      return &self->dicts[stria_datum_payload (value)].memo;
    case STRIA_VALUE_KIND_LIST:
      return &self->lists[stria_datum_payload (value)].memo;
    default:
      return NULL;
    }
}

/* There is one more of @value. */
static inline void
stria_values_copied (StriaValues *self, StriaDatum value)
{
  guint32 *holder = stria_values_holder (self, value);

  if (holder != NULL)
    *holder = STRIA_MEMO_MANY;
}

G_END_DECLS
