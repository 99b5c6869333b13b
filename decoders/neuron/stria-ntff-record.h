/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-load.h"

G_BEGIN_DECLS

/* Notification records: 16 bytes, little-endian (recovered, from a header that the vendor ships).
 * */
#define STRIA_NTFF_RECORD 16

typedef enum
{
  STRIA_NTFF_PE,
  STRIA_NTFF_ACT,
  STRIA_NTFF_POOL,
  STRIA_NTFF_DVE,
  STRIA_NTFF_SP,
  STRIA_NTFF_N_ENGINES,
} StriaNtffEngine;

typedef enum
{
  STRIA_NTFF_RECORD_NONE, /* a type that is not assigned */
  STRIA_NTFF_RECORD_START,
  STRIA_NTFF_RECORD_END,
  STRIA_NTFF_RECORD_EXPLICIT,
  STRIA_NTFF_RECORD_EVT_SEM,
  STRIA_NTFF_RECORD_DMA,
  STRIA_NTFF_RECORD_ERROR,
  STRIA_NTFF_RECORD_HAM,
  STRIA_NTFF_RECORD_TPB_ERROR,
} StriaNtffRecordKind;

/* Kinds of DMA notification: the low 4 bits of the second word (inferred: only so the fields of an
 * address request fill their 56 bits) */
enum
{
  STRIA_NTFF_M2S_SOP = 1,
  STRIA_NTFF_M2S_EOP = 2,
  STRIA_NTFF_M2S_COMPLETION = 3,
  STRIA_NTFF_S2M_SOP = 4,
  STRIA_NTFF_S2M_EOP = 5,
  STRIA_NTFF_S2M_COMPLETION = 6,
};

/* debug_hint of an EXPLICIT record that tells of generated descriptors */
#define STRIA_NTFF_HINT_DGE 1

/* A record as it lies there. */
typedef struct
{
  guint64 time;
  guint32 body0; /* 24 bits */
  guint32 body1;
  guint8 type;   /* 5 bits */
  gboolean lost_before; /* software overflow: earlier records are missing */
  gboolean lost_after;  /* hardware overflow: following records are missing */
  gboolean phase;
} StriaNtffRecord;

static inline void
stria_ntff_record_read (const guint8 *data, StriaNtffRecord *out)
{
  guint32 first = stria_load32 (data);

  out->time = stria_load64 (data + 8);
  out->body0 = first & 0xFFFFFF;
  out->body1 = stria_load32 (data + 4);
  out->type = first >> 24 & 0x1F;
  out->lost_before = (first >> 29 & 1) != 0;
  out->lost_after = (first >> 30 & 1) != 0;
  out->phase = first >> 31 != 0;
}

static inline StriaNtffRecordKind
stria_ntff_record_kind (guint8 type)
{
  if (type >= 0x04 && type <= 0x17)
    return STRIA_NTFF_RECORD_START + (type & 3);
  switch (type)
    {
    case 0x02:
      return STRIA_NTFF_RECORD_DMA;
    case 0x03:
      return STRIA_NTFF_RECORD_ERROR;
    case 0x1B:
      return STRIA_NTFF_RECORD_EVT_SEM;
    case 0x1E:
      return STRIA_NTFF_RECORD_HAM;
    case 0x1F:
      return STRIA_NTFF_RECORD_TPB_ERROR;
    default:
      return STRIA_NTFF_RECORD_NONE;
    }
}

/* Of types 0x04..0x17; the order of their blocks is that of StriaNtffEngine */
static inline StriaNtffEngine
stria_ntff_record_engine (guint8 type)
{
  return (StriaNtffEngine)((type >> 2) - 1);
}

static inline guint32
stria_ntff_record_pc (const StriaNtffRecord *self)
{
  return self->body0 & 0xFFFFF;
}

static inline guint
stria_ntff_record_hint (const StriaNtffRecord *self)
{
  return self->body0 >> 20;
}

/* DGE: an EXPLICIT whose hint is 1. 0 packets stand for 4096 (recovered). */
static inline guint
stria_ntff_record_dge_packets (const StriaNtffRecord *self)
{
  guint n = self->body1 >> 16 & 0xFFF;

  return n == 0 ? 4096 : n;
}

/* Names that exports use, "Tensor" and so on (documented) */
const char *stria_ntff_engine_name       (StriaNtffEngine engine);
/* Of a TPB_ERROR record; NULL: not known */
const char *stria_ntff_error_name        (guint id);
/* Of debug_hint_extended of an EXPLICIT record in the status ring; NULL: not known */
const char *stria_ntff_status_name       (guint hint);
/* Of a wait or update (instruction words and EVT_SEM records); NULL: not known */
const char *stria_ntff_wait_name         (guint mode);
/* "sem_inc" and so on as exports say it, and "read" or "complete"; FALSE: the mode is not known */
gboolean    stria_ntff_update_name       (guint mode, const char **operation, const char **timing);

/**
 * StriaNtffClock:
 *
 * Turns the ticks of one block into nanoseconds:
 * (ticks - init) * expected / actual / 1000 (recovered, medium confidence), rounded down.
 */
typedef struct
{
  guint64 init;
  guint32 numerator; /* 0 and 0: no correction, as well as for equal ones */
  guint32 denominator;
} StriaNtffClock;

StriaNtffClock stria_ntff_clock_make (guint64 init, guint32 actual, guint32 expected);
/* Saturates at the ends of gint64 */
gint64         stria_ntff_clock_ns   (const StriaNtffClock *self, guint64 ticks);

G_END_DECLS
