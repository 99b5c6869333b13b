/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-mapped.h"
#include "stria-neff-chain.h"
#include "stria-neuron-emitter.h"
#include "stria-ntff-pairs.h"
#include "stria-ntff-record.h"
#include "stria-ntff.h"
#include "stria-proto-private.h"

#include "ntff.pb-c.h"

G_BEGIN_DECLS

#define STRIA_NTFF_HEADER ((gsize) 128)
/* The message of one file, and what it takes unpacked */
#define STRIA_NTFF_MAX_MESSAGE ((guint64) 256 << 20)
#define STRIA_NTFF_MAX_UNPACKED ((gsize) 512 << 20)
/* Records that are read before pages of the file are given back */
#define STRIA_NTFF_DROP_RECORDS ((guint64) 2 << 20)
/* Blobs that one message may list */
#define STRIA_NTFF_MAX_BLOBS (1u << 20)

/* How the fields of one message agree with a schema; what lies inside is not looked at. */
typedef struct
{
  guint64 n_known;
  guint64 n_unknown;
  guint64 n_bad; /* of another wire type, or not to be read */
} StriaNtffFit;

void stria_ntff_fit (const StriaProtoMessage *message, const guint8 *data, gsize length,
                     StriaNtffFit *out);

/* --- where the blobs are ---------------------------------------------------------------------- */

/**
 * StriaNtffBlob:
 * @is_code: instructions, else notifications
 * @is_inline: @offset is one in the file already
 * @graph: number of the graph, -1 for a ring of the session
 * @offset: as the message has it, then in the file
 * @length: as the message has it, then what is there of it
 * @block, @engine_index, @pcore: of the ring or the program
 * @kind: of rings notification_trace_type, of instructions nc_engine_type
 * @function: instructions of a function section
 * @collectives: instructions of a CC-core
 * @start_address: device address of the first instruction
 */
typedef struct
{
  gboolean is_code;
  gboolean is_inline;
  gint32 graph;
  guint64 offset;
  guint64 length;
  guint32 block;
  guint32 engine_index;
  guint32 pcore;
  guint32 kind;
  gboolean function;
  gboolean collectives;
  guint64 start_address;
} StriaNtffBlob;

typedef enum
{
  STRIA_NTFF_BASE_NONE,      /* no rule held */
  STRIA_NTFF_BASE_INLINE,    /* nothing lies behind the message */
  STRIA_NTFF_BASE_SECTION,   /* each kind from where its section begins, by the sum of sizes */
  STRIA_NTFF_BASE_SECTION_END, /* the same, by the end of the last blob of instructions */
  STRIA_NTFF_BASE_MESSAGE,   /* from the end of the message */
  STRIA_NTFF_BASE_FILE,      /* from the beginning of the file */
} StriaNtffBase;

/* What the tests of one rule counted. */
typedef struct
{
  StriaNtffBase base;
  gboolean inside;    /* every range lies in the file */
  gboolean tiled;     /* ranges of a section follow one another without gap or overlap */
  gboolean divisible; /* notifications by 16, instructions by 64 */
  gboolean ends;      /* the last byte used is the file's last */
  guint64 n_sampled;
  guint64 n_legal;    /* sampled records of a type that the ring can have */
  guint64 n_back;     /* times that were earlier than the one before, beyond one a blob */
  guint64 first_missing; /* where the file ends before a range does; 0: nowhere */
} StriaNtffBaseTest;

const char *stria_ntff_base_name (StriaNtffBase base);

/**
 * stria_ntff_place_blobs:
 * @blobs: (element-type StriaNtffBlob): as the message has them; placed in the file on return
 * @body: where the message ends
 * @tests: (array fixed-size=4): what each rule came to
 * @chosen: (out): number of the test that was chosen, -1 for none
 *
 * Tries the rules for what offsets count from, in order; the first that passes all tests is taken.
 * A file that ends too early fails two of them: then the first rule is taken whose other tests pass
 * on what is there, and blobs are cut.
 *
 * Returns: the rule; with %STRIA_NTFF_BASE_NONE no blob may be read
 */
StriaNtffBase stria_ntff_place_blobs (GArray *blobs, const guint8 *data, gsize length, guint64 body,
                                      StriaNtffBaseTest tests[4], int *chosen);

/* Whether a record of that type can be in a ring of that kind (notification_trace_type) */
gboolean stria_ntff_is_legal (guint32 ring, guint8 type);

/* --- instructions ----------------------------------------------------------------------------- */

#define STRIA_NTFF_WORD 64

typedef enum
{
  STRIA_NTFF_PC_UNKNOWN, /* neither origin fits: no opcodes */
  STRIA_NTFF_PC_ZERO,    /* pc 0 is the first instruction */
  STRIA_NTFF_PC_ADDRESS, /* pc is the device address by 64 */
  STRIA_NTFF_PC_BOTH,    /* the two are the same here */
} StriaNtffPcOrigin;

/* Why an instruction has no names */
typedef enum
{
  STRIA_NTFF_GAP_NONE,
  STRIA_NTFF_GAP_PROGRAM,    /* its .neff is not in the capture */
  STRIA_NTFF_GAP_UNREADABLE, /* or can't be read */
  STRIA_NTFF_GAP_DEBUG,      /* or has no debug information */
  STRIA_NTFF_GAP_LISTING,    /* or none by instruction */
  STRIA_NTFF_GAP_DIFFERS,    /* what it has by instruction is not of the instructions that ran */
  STRIA_NTFF_GAP_PC,         /* its place in the compiled stream is not known */
  STRIA_NTFF_GAP_NAMES,      /* the records lead to no layer */
  STRIA_NTFF_GAP_FRAMES,     /* or to no line */
  STRIA_NTFF_N_GAPS,
} StriaNtffGap;

typedef struct _StriaNtffCode StriaNtffCode;

/* The instructions of one engine of one graph. */
StriaNtffCode *stria_ntff_code_new      (StriaNtffEngine engine);
void           stria_ntff_code_free     (StriaNtffCode *self);
void           stria_ntff_code_add      (StriaNtffCode *self, const guint8 *words, guint64 n_words,
                                         guint64 start_address, gboolean function);
void           stria_ntff_code_patch    (StriaNtffCode *self, guint32 offset, guint32 count,
                                         guint32 type);
/* Shows it the pc of a record, for settling where pc counts from. */
void           stria_ntff_code_sample   (StriaNtffCode *self, guint32 pc);
StriaNtffPcOrigin stria_ntff_code_settle (StriaNtffCode *self);
StriaNtffPcOrigin stria_ntff_code_origin (const StriaNtffCode *self);
void           stria_ntff_code_samples  (StriaNtffCode *self, guint64 *n, guint64 *zero,
                                         guint64 *address);
/* NULL: there is none, or it is not known where pc counts from */
const guint8  *stria_ntff_code_word     (StriaNtffCode *self, guint32 pc, gboolean *function);
/* What the compiler's program counter was; FALSE: the edits do not tell */
gboolean       stria_ntff_code_compiler_pc (StriaNtffCode *self, guint32 pc, guint32 *out);
guint64        stria_ntff_code_n_words  (StriaNtffCode *self);
/* @listing: (nullable): what names the instructions; taken if the opcodes agree. Once settled */
void           stria_ntff_code_set_listing (StriaNtffCode *self, const StriaNeffListing *listing,
                                            StriaNtffGap gap);
/* Returns: (transfer none) (nullable): NULL: for the reason in @gap */
const StriaNeffListing *stria_ntff_code_listing (const StriaNtffCode *self, StriaNtffGap *gap);
typedef void (*StriaNtffWordFunc) (const guint8 *word, guint64 address, gboolean function,
                                   gpointer user_data);
/* All instructions, in order of sections */
void           stria_ntff_code_foreach  (StriaNtffCode *self, StriaNtffWordFunc func,
                                         gpointer user_data);
/* "$S[5]>=16 S[8]++@complete": wait and update of an instruction, as far as recovered. FALSE: a
 * mode is not known; then @text has what is. */
gboolean       stria_ntff_operands      (const guint8 *word, char *text, gsize size);

/* --- rings in order of time ------------------------------------------------------------------- */

typedef struct
{
  const guint8 *data;
  gsize length; /* a multiple of the record's */
} StriaNtffSpan;

/* What a first pass over a ring counted. */
typedef struct
{
  guint64 n_records;
  guint64 n_by_type[32];
  guint64 first[32]; /* earliest time by type */
  guint64 last[32];
  guint64 n_lost_before;
  guint64 n_lost_after;
  guint64 first_lost; /* time of the first record that tells of a loss */
  guint64 n_phases;   /* changes of the phase bit */
  guint64 n_runs;     /* stretches in which time does not go back */
  guint64 n_zero;     /* records of 16 zero bytes: room that was never written */
  GArray *runs;       /* StriaNtffSpan; NULL if there are too many */
} StriaNtffSurvey;

/* @drop: (nullable): called with what was read now and then */
void     stria_ntff_survey       (const StriaNtffSpan *spans, guint n_spans, StriaNtffSurvey *out,
                                  StriaMapped *bytes, GCancellable *cancellable);
void     stria_ntff_survey_clear (StriaNtffSurvey *self);

typedef struct _StriaNtffMerge StriaNtffMerge;

/* All records of a ring by time; equal times as they lie. Returns: NULL with @error if they had to
 * be sorted on disk and could not be */
StriaNtffMerge *stria_ntff_merge_new  (const StriaNtffSpan *spans, guint n_spans,
                                       const StriaNtffSurvey *survey, GError **error);
gboolean        stria_ntff_merge_next (StriaNtffMerge *self, StriaNtffRecord *out);
void            stria_ntff_merge_free (StriaNtffMerge *self);

/* --- rows ------------------------------------------------------------------------------------- */

typedef struct _StriaNtffDevice StriaNtffDevice;

/* A graph of the message: a core's program and what was recorded of it. */
typedef struct
{
  const Ntff__SubgraphInfo *info;
  const Ntff__NeffNodeInfo *node;
  char *uid; /* (nullable) hexadecimal */
  guint32 pcore;
} StriaNtffGraph;

/**
 * StriaNtffFile:
 *
 * What is known of a file while it is read.
 */
typedef struct
{
  StriaDecodeContext *context;
  StriaSink *sink;
  StriaNeuronEmitter *emitter;
  StriaMapped *bytes;
  StriaProtoSchema *schema;
  const Ntff__NtffInfo *info;
  const guint8 *message; /* what references of the unpacked message count from */
  guint64 message_offset;
  guint64 message_length;
  guint version;
  StriaProtoReport report;
  GArray *graphs;  /* StriaNtffGraph */
  GArray *blobs;   /* StriaNtffBlob */
  StriaNtffBaseTest tests[4];
  int chosen;
  StriaNtffBase base;
  gint64 zero_ns;  /* earliest record by its block's clock */
  gint64 end_ns;   /* latest, from zero */
  guint64 first_ticks;
  guint64 last_ticks;
  guint64 n_records;
  gboolean timeline_is_ticks; /* executions' times are those of the device's counter */
  GPtrArray *rings; /* JsonNode: what was counted of each ring */
  GPtrArray *codes; /* JsonNode: where pc counts from, by engine */
} StriaNtffFile;

/* "recovered format, this file differs: ...", counted under "neuron-recovered-" @what */
void stria_ntff_differs (StriaNtffFile *self, const char *what, gint64 offset, guint64 count,
                         const char *format, ...) G_GNUC_PRINTF (5, 6);

/* Returns: (transfer full): lower-case hexadecimal */
char *stria_ntff_hex        (const guint8 *data, gsize length);
/* Returns: (transfer full) (nullable): "weights"; NULL: the number is not known */
char *stria_ntff_queue_type (int type);

/* Rows that the message alone gives: queues, memory, collectives, executions, metadata */
void stria_ntff_static_rows    (StriaNtffFile *self);
/* Rows of the notification records. FALSE with @error when cancelled */
gboolean stria_ntff_device_rows (StriaNtffFile *self, GError **error);
/* Metadata and what is said of the file; after the records */
void stria_ntff_closing_rows   (StriaNtffFile *self);

G_END_DECLS
