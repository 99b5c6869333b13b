/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib/gi18n-lib.h>

#include "stria-alloc-records.h"
#include "stria-pickle.h"
#include "stria-snapshot.h"

G_BEGIN_DECLS

/* Keys and words of the format, interned first, so that their ids are known. The order is that of
 * the enum. */
#define WORDS(X)                                                                                   \
  X (segments) X (device_traces) X (allocator_settings) X (external_annotations)                   \
  X (host_segments) X (host_traces) X (categories) X (segment_version) X (block_version)           \
  X (device) X (address) X (total_size) X (allocated_size) X (active_size) X (requested_size)      \
  X (stream) X (segment_type) X (segment_pool_id) X (is_expandable) X (frames) X (blocks)          \
  X (registration_counter) X (size) X (state) X (history) X (active_allocated)                     \
  X (active_pending_free) X (active_awaiting_free) X (inactive) X (action) X (addr)                \
  X (device_free) X (time_us) X (compile_context) X (user_metadata) X (pool_id)                    \
  X (forward_frames) X (category) X (alloc) X (free_requested) X (free_completed)                  \
  X (segment_alloc) X (segment_free) X (segment_map) X (segment_unmap) X (snapshot) X (oom)        \
  X (annotate) X (user_defined) X (name) X (filename) X (line) X (stage) X (START) X (END)         \
  X (real_size) X (cpp_frames) X (version)

enum
{
  WORD_NONE,
#define X(word) WORD_##word,
  WORDS (X)
#undef X
  N_WORDS,
};

/* What a dict or list has become. Payload of a ROW datum: type in the low three bits. */
typedef enum
{
  ROW_NOTHING, /* told already, nothing to keep */
  ROW_FRAME,   /* sink's frame id */
  ROW_STACK,   /* sink's stack id */
  ROW_EVENT,   /* index in the events that wait for their list */
  ROW_BLOCK,   /* index in the blocks that wait for their segment */
  ROW_SEGMENT, /* index in the segments that wait for the end */
} StriaSnapshotRow;

typedef struct
{
  StriaAllocSegment segment;
  StriaAllocBlock *blocks;
  gsize n_blocks;
  gboolean is_given;
} StriaReadSegment;

/* What a user_defined event says in the place of a frame (formats: A2.4). */
typedef struct
{
  guint32 name;
  guint32 filename;
} StriaFrameWords;

/* What a dict is. */
typedef enum
{
  DICT_OTHER,
  DICT_EVENT,
  DICT_FRAME,
  DICT_SEGMENT,
  DICT_BLOCK,
} StriaSnapshotDict;

/* What a dict is by its keys, and which of them stands where: a writer has few forms of dicts, and
 * writes a million of each. */
#define STRIA_FORM_KEYS 24
typedef struct
{
  gsize n;
  StriaDatum keys[STRIA_FORM_KEYS];
  guint8 words[STRIA_FORM_KEYS];
  guint16 place[N_WORDS]; /* of the last such key, from 1; 0: there is none */
  StriaSnapshotDict type;
} StriaSnapshotForm;

typedef struct
{
  StriaSink *trace_sink;
  StriaAllocSink *sink;
  StriaDecodeContext *context;
  StriaValues *values;
  guint32 word[N_WORDS]; /* sink id of each word */
  guint32 *word_of;      /* word by sink id, for the low ids */
  guint32 n_word_of;
  guint32 not_available; /* "N/A" */

  GArray *events;   /* StriaAllocEvent, not given to a list yet */
  GArray *blocks;   /* StriaAllocBlock, not given to a segment yet */
  GArray *segments; /* StriaReadSegment */
  GHashTable *lists; /* machine's list id + 1 -> trace list number + 1 */
  GHashTable *named; /* trace list numbers + 1 that have a device */
  guint n_lists;
  GArray *stack;     /* scratch: frame ids */
  GArray *frame_words; /* StriaFrameWords by frame id */
  StriaSnapshotForm forms[4];
  guint last_form; /* that was met, and replaced */
  guint next_form;
  guint64 n_events;
  gboolean failed_root;
} StriaSnapshotReader;

static inline StriaDatum
stria_snapshot_row (StriaSnapshotRow type, guint64 index)
{
  return stria_datum (STRIA_VALUE_KIND_ROW, index << 3 | type);
}

static inline gboolean
stria_snapshot_is_row (StriaDatum value, StriaSnapshotRow type, guint64 *index)
{
  if (stria_datum_kind (value) != STRIA_VALUE_KIND_ROW || (stria_datum_payload (value) & 7) != type)
    return FALSE;
  *index = stria_datum_payload (value) >> 3;
  return TRUE;
}

static inline guint32
stria_snapshot_word (const StriaSnapshotReader *self, StriaDatum value)
{
  guint64 id = stria_datum_payload (value);

  if (stria_datum_kind (value) != STRIA_VALUE_KIND_STRING || id >= self->n_word_of)
    return WORD_NONE;
  return self->word_of[id];
}

static inline void
stria_snapshot_notice (StriaSnapshotReader *self, StriaSeverity severity, const char *code, const char *message)
{
  stria_notices_count (self->context->notices, severity, code, self->context->name, -1, 1, message);
}

/* A number of the file; what is none is counted and taken as 0. */
guint64 stria_snapshot_u64 (StriaSnapshotReader *self, StriaDatum value);
/* A text, or any other value as JSON: string id. */
guint32 stria_snapshot_text_of (StriaSnapshotReader *self, StriaDatum value);
/* A whole dict: a row if it is a frame, an event, a block or a segment, else 0. */
StriaDatum stria_snapshot_take_dict (gpointer data, StriaDatum under, const StriaDatumPair *pairs,
                                     gsize n);

G_END_DECLS
