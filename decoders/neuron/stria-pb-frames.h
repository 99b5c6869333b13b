/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-proto.h"
#include "stria-trace-info.h"

G_BEGIN_DECLS

/* A record may be no longer than this: one is a few hundred bytes. */
#define STRIA_FRAME_MAX_RECORD ((gsize) 1 << 20)
/* Records whose content is held against the message at the beginning and at the end of a file */
#define STRIA_FRAME_HEAD 4096
#define STRIA_FRAME_TAIL 256

typedef enum
{
  STRIA_STREAM_EVENTS, /* ntrace_event */
  STRIA_STREAM_CPU,    /* cpu_util */
  STRIA_STREAM_MEMORY, /* host_mem_usage */
} StriaStreamKind;

/* How messages may follow one another in a file; which one is used is unknown. */
typedef enum
{
  STRIA_FRAMING_VARINT,  /* F1: a varint with the length before each */
  STRIA_FRAMING_U32,     /* F2: four bytes with the length, low one first */
  STRIA_FRAMING_U64,     /* F3: eight bytes */
  STRIA_FRAMING_WRAPPED, /* F4: the repeated field of one message around all */
  STRIA_FRAMING_INFO,    /* F4: field `events` of one ntrace_info with its other fields */
  STRIA_FRAMING_BARE,    /* F5: nothing between them; a field that does not rise begins the next */
  STRIA_N_FRAMINGS,
} StriaFraming;

typedef enum
{
  STRIA_VERDICT_UNKNOWN, /* there was nothing to hold it against */
  STRIA_VERDICT_NO,
  STRIA_VERDICT_PART,
  STRIA_VERDICT_YES,
} StriaVerdict;

/**
 * StriaFrames:
 * @framing: a #StriaFraming
 * @begin: offset of the first record; above 0 there is a header before it (F6)
 * @end: offset behind the last record that counts
 * @field: WRAPPED: number of the repeated field
 * @n_records: whole records up to @end
 * @n_failed: of those that were looked at, the ones that were no such message
 * @n_unknown: fields with numbers that the message does not have, in those
 * @exact: (a) the records fill the file; PART: only up to @end
 * @fields: (b) records have known fields of the right types; PART: with at most 1 in 64 that has not
 * @session: (c) times lie inside the session, widened by an hour
 * @count: (d) as many records as trace_info.pb says
 * @range: (e) percentages lie in 0..100 and cores below their number
 * @plausible: without a session to hold them against: most times lie in the years 2015 to 2100
 * @truncated: the last record is cut off
 * @score: how much speaks for it
 * @accepted: whether enough does
 *
 * One way to read a file as records, and what came of trying it.
 */
typedef struct
{
  StriaFraming framing;
  gsize        begin;
  gsize        end;
  guint32      field;
  guint64      n_records;
  guint64      n_checked;
  guint64      n_failed;
  guint64      n_unknown;
  StriaVerdict exact;
  StriaVerdict fields;
  StriaVerdict session;
  StriaVerdict count;
  StriaVerdict range;
  gboolean     plausible;
  gboolean     truncated;
  int          score;
  gboolean     accepted;
} StriaFrames;

/**
 * stria_frames_detect:
 * @info: (nullable): what trace_info.pb says
 * @chosen: (out caller-allocates): the one that validates
 * @all: (nullable) (element-type StriaFrames): takes every one that was tried, for the report
 *
 * Tries every framing on all of a file.
 *
 * Returns: FALSE with %STRIA_ERROR_MALFORMED if none validates, or two equally well
 */
gboolean    stria_frames_detect  (StriaProtoSchema *schema, StriaStreamKind kind, const guint8 *data,
                                  gsize length, StriaTraceInfo *info, const char *name,
                                  StriaFrames *chosen, GArray *all, GError **error);
/* The same for the first bytes of a file, without anything to hold it against. Returns: whole
 * records that passed, 0 for none. */
guint64     stria_frames_probe   (StriaProtoSchema *schema, StriaStreamKind kind, const guint8 *data,
                                  gsize length, gboolean whole);
/* "F1", "F6+F1". Returns: (transfer full) */
char       *stria_frames_id      (const StriaFrames *self);
/* Translated: what that is. */
const char *stria_framing_title  (StriaFraming framing);
/* What was tried and found, as a JSON object. Returns: (transfer full) */
char       *stria_frames_to_json (const StriaFrames *chosen, const GArray *all);
/* Checks that were passed, of those that could be made */
guint       stria_frames_passed  (const StriaFrames *self, guint *n_made);
/* The message that a record of such a file is */
const ProtobufCMessageDescriptor *stria_stream_descriptor (StriaStreamKind kind);

typedef enum
{
  STRIA_FRAME_RECORD,
  STRIA_FRAME_END,
  STRIA_FRAME_CUT, /* the bytes end inside a record */
  STRIA_FRAME_BAD, /* no record begins here */
} StriaFrameStep;

/* Walks records; lives on the stack. */
typedef struct
{
  StriaFraming  framing;
  guint32       field;
  const guint8 *data;
  gsize         length;
  gsize         at;
  guint32       map;  /* number of the one field that may repeat in a record */
  const StriaProtoMessage *info;
} StriaFrameWalk;

/* @length: where to stop: the length of the file, or StriaFrames.end */
void           stria_frame_walk_init (StriaFrameWalk *self, StriaProtoSchema *schema,
                                      StriaStreamKind kind, const StriaFrames *frames,
                                      const guint8 *data, gsize length);
/* At RECORD: @offset and @n are the message's place and length. Else the walk stays where it is. */
StriaFrameStep stria_frame_walk_next (StriaFrameWalk *self, gsize *offset, gsize *n);

G_END_DECLS
