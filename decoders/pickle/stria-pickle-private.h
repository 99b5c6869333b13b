/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <string.h>

#include "stria-load.h"
#include "stria-values-private.h"

G_BEGIN_DECLS

/* Opcodes (formats: pytorch-formats A1.2), by the names of the pickle format. */
enum
{
  OP_MARK = '(',
  OP_EMPTY_TUPLE = ')',
  OP_STOP = '.',
  OP_POP = '0',
  OP_POP_MARK = '1',
  OP_DUP = '2',
  OP_BINBYTES = 'B',
  OP_SHORT_BINBYTES = 'C',
  OP_BINFLOAT = 'G',
  OP_BININT = 'J',
  OP_BININT1 = 'K',
  OP_BININT2 = 'M',
  OP_NONE = 'N',
  OP_BINPERSID = 'Q',
  OP_REDUCE = 'R',
  OP_BINUNICODE = 'X',
  OP_EMPTY_LIST = ']',
  OP_APPEND = 'a',
  OP_BUILD = 'b',
  OP_GLOBAL = 'c',
  OP_DICT = 'd',
  OP_APPENDS = 'e',
  OP_BINGET = 'h',
  OP_LONG_BINGET = 'j',
  OP_LIST = 'l',
  OP_OBJ = 'o',
  OP_BINPUT = 'q',
  OP_LONG_BINPUT = 'r',
  OP_SETITEM = 's',
  OP_TUPLE = 't',
  OP_SETITEMS = 'u',
  OP_EMPTY_DICT = '}',
  OP_PROTO = 0x80,
  OP_NEWOBJ = 0x81,
  OP_EXT1 = 0x82,
  OP_EXT2 = 0x83,
  OP_EXT4 = 0x84,
  OP_TUPLE1 = 0x85,
  OP_TUPLE2 = 0x86,
  OP_TUPLE3 = 0x87,
  OP_NEWTRUE = 0x88,
  OP_NEWFALSE = 0x89,
  OP_LONG1 = 0x8a,
  OP_LONG4 = 0x8b,
  OP_SHORT_BINUNICODE = 0x8c,
  OP_BINUNICODE8 = 0x8d,
  OP_BINBYTES8 = 0x8e,
  OP_EMPTY_SET = 0x8f,
  OP_ADDITEMS = 0x90,
  OP_FROZENSET = 0x91,
  OP_NEWOBJ_EX = 0x92,
  OP_STACK_GLOBAL = 0x93,
  OP_MEMOIZE = 0x94,
  OP_FRAME = 0x95,
  OP_BYTEARRAY8 = 0x96,
  OP_NEXT_BUFFER = 0x97,
  OP_READONLY_BUFFER = 0x98,
};

/* Short texts that come again and again as new ones */
#define STRIA_SHORT_TEXT_BITS 8
typedef struct
{
  guint64 key;
  guint32 id;
} StriaShortText;

typedef struct
{
  StriaValues *values;
  const StriaValuesClient *client;
  gpointer client_data;
  const char *name;
  guint64 base;
  gboolean stopped;
  StriaShortText short_texts[1 << STRIA_SHORT_TEXT_BITS];
} StriaPickle;

void stria_pickle_prepare (StriaPickle *self);
/* Reads on from @p while operations are of the frequent and simple kind, and whole; returns where
 * one is not, or failed. */
const guint8 *stria_pickle_run (StriaPickle *self, const guint8 *p, const guint8 *end);

G_END_DECLS
