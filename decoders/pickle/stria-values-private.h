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
  StriaDatum *items;
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
  StriaDatum *memo; /* 0 (NIL with payload 0) is set as any; unset slots are MARK */
  gsize n_memo, memo_capacity;
  gsize n_memoized; /* of them set */

  StriaDict *dicts;
  gsize n_dicts, dict_capacity;
  StriaList *lists;
  gsize n_lists, list_capacity;
  GArray *bigs;
  GArray *reals;
  gsize bytes; /* kept now */
};

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
