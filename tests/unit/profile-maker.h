/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"
#include "stria-fact-tables.h"
#include "stria-graph.h"
#include "stria-profile.h"

G_BEGIN_DECLS

/**
 * SECTION:profile-maker
 *
 * ExecuTorch facts made by hand, as decoders would fill them. A file is begun, filled and ended;
 * its number is that of the artifact.
 */
typedef struct
{
  StriaCapture *capture;
  StriaSink    *sink;  /* of the file at hand */
  StriaFacts   *facts; /* of the file at hand */
  guint         n_files;
  guint32       run;   /* of the file at hand */
  guint32       order;
} ProfileMaker;

void    maker_init        (ProfileMaker *self);
void    maker_clear       (ProfileMaker *self);
/* @path: need not be there */
void    maker_begin       (ProfileMaker *self, const char *path, guint64 size);
guint   maker_end         (ProfileMaker *self);

/* ETRecord: @nodes: {id, debug handle, stack trace, module stack, from_node}, in a row of edges */
typedef struct
{
  const char *id;
  gint64      handle;
  const char *stack;
  const char *modules;
  const char *from_node;
} MakerNode;
void    maker_record      (ProfileMaker *self);
guint32 maker_method      (ProfileMaker *self, const char *name, const MakerNode *nodes, guint n);
void    maker_handle      (ProfileMaker *self, guint32 method, gint64 instruction, gint64 handle);
guint32 maker_delegate    (ProfileMaker *self, guint32 method, gint64 instruction,
                           const char *name);
void    maker_delegate_handle (ProfileMaker *self, guint32 delegate, const char *id, gint64 handle);

/* ETDump. Times are ticks. */
void    maker_dump        (ProfileMaker *self);
void    maker_run         (ProfileMaker *self, const char *name);
guint32 maker_event       (ProfileMaker *self, StriaDumpEventKind kind, gint32 instruction,
                           const char *name, guint64 start, guint64 end);
guint32 maker_delegate_event (ProfileMaker *self, gint32 instruction, const char *id, guint64 start,
                              guint64 end);

/* NX statistics, of the last event */
guint32 maker_payload     (ProfileMaker *self, guint32 event, gint32 instruction);
guint32 maker_segment     (ProfileMaker *self, guint32 payload, gint64 number, gboolean is_graph);
void    maker_stripe      (ProfileMaker *self, guint32 segment, guint32 number, const char *chain,
                           const char *cascade, guint64 cycles);
void    maker_relation    (ProfileMaker *self, guint32 segment, const char *chain,
                           const char *fused, const char *tosa, const char *type, const char *label);

/* PTE: @labels: of instructions; "VgfBackend" is a delegate call with a VGF whose segment 0 has
 * the TOSA operators CONV2D (SPIR-V id 504) and RESCALE (505) and whose segment 1 has ADD (601) */
void    maker_program     (ProfileMaker *self, guint64 size, const char *sha256);
guint32 maker_plan        (ProfileMaker *self, const char *name, const char *const *labels,
                           guint n);

G_END_DECLS
