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
} StriaList;

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

G_END_DECLS
