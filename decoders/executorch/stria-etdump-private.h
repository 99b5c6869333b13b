/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-etdump.h"
#include "stria-fact-tables.h"
#include "stria-flat.h"

G_BEGIN_DECLS

/* The schema's own names; numbers are those of the fields in order of declaration.
 * [CODE: executorch devtools/etdump/etdump_schema_flatcc.fbs] */
#define STRIA_ETDUMP_IDENTIFIER "ED00"

enum
{
  ETDUMP_VERSION,
  ETDUMP_RUN_DATA,
};

enum
{
  RUN_DATA_NAME,
  RUN_DATA_BUNDLED_INPUT_INDEX,
  RUN_DATA_ALLOCATORS,
  RUN_DATA_EVENTS,
};

enum
{
  ALLOCATOR_NAME,
};

enum
{
  EVENT_PROFILE_EVENT,
  EVENT_ALLOCATION_EVENT,
  EVENT_DEBUG_EVENT,
};

enum
{
  PROFILE_EVENT_NAME,
  PROFILE_EVENT_CHAIN_INDEX,
  PROFILE_EVENT_INSTRUCTION_ID,
  PROFILE_EVENT_DELEGATE_DEBUG_ID_INT,
  PROFILE_EVENT_DELEGATE_DEBUG_ID_STR,
  PROFILE_EVENT_DELEGATE_DEBUG_METADATA,
  PROFILE_EVENT_START_TIME,
  PROFILE_EVENT_END_TIME,
};

enum
{
  ALLOCATION_EVENT_ALLOCATOR_ID,
  ALLOCATION_EVENT_ALLOCATION_SIZE,
};

enum
{
  DEBUG_EVENT_CHAIN_INDEX,
  DEBUG_EVENT_INSTRUCTION_ID,
  DEBUG_EVENT_DEBUG_ENTRY,
  DEBUG_EVENT_DELEGATE_DEBUG_ID_INT,
  DEBUG_EVENT_DELEGATE_DEBUG_ID_STR,
  DEBUG_EVENT_NAME,
};

enum
{
  VALUE_VAL,
  VALUE_TENSOR,
  VALUE_TENSOR_LIST,
  VALUE_INT_VALUE,
  VALUE_FLOAT_VALUE,
  VALUE_DOUBLE_VALUE,
  VALUE_BOOL_VALUE,
  VALUE_OUTPUT,
};

enum
{
  VALUE_TYPE_NULL,
  VALUE_TYPE_INT,
  VALUE_TYPE_BOOL,
  VALUE_TYPE_FLOAT,
  VALUE_TYPE_DOUBLE,
  VALUE_TYPE_TENSOR,
  VALUE_TYPE_TENSOR_LIST,
  VALUE_TYPE_STRING,
};

enum
{
  TENSOR_SCALAR_TYPE,
  TENSOR_SIZES,
  TENSOR_STRIDES,
  TENSOR_OFFSET,
};

enum
{
  TENSOR_LIST_TENSORS,
};

/* Type and value of a debug entry as text, into @row. */
void stria_etdump_read_value (StriaFacts *facts, StriaFlatTable value, StriaDumpDebugRow *row);

/* Ticks from @start to @end, by Inspector's rule for clocks of 32 bits; sets @wrapped. */
guint64 stria_etdump_elapsed (guint64 start, guint64 end, guint8 *wrapped);

/* Fills the parents of the @n events of one run; @rows[0] is row @first of its table.
 * Returns: (nullable): see the function */
guint32 *stria_etdump_nest (StriaDumpEventRow *rows, guint32 first, guint32 n);

/* What a dump is on the timeline: a process with a thread for each run. */
typedef struct _StriaEtdumpTimeline StriaEtdumpTimeline;

StriaEtdumpTimeline *stria_etdump_timeline_new  (StriaSink *sink, StriaFacts *facts,
                                                 const char *file);
void                 stria_etdump_timeline_free (StriaEtdumpTimeline *self);
/* There will be a run of this name (a string of the facts). */
void stria_etdump_timeline_expect (StriaEtdumpTimeline *self, guint32 name);
/* @places: (nullable): what stria_etdump_nest() returned; @first_seq: events in the runs before */
void stria_etdump_timeline_run    (StriaEtdumpTimeline *self, guint32 run, guint32 name,
                                   const StriaDumpEventRow *rows, guint32 n, const guint32 *places,
                                   guint64 first_seq);

G_END_DECLS
