/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"
#include "stria-neff-header.h"
#include "stria-neuron-emitter.h"
#include "stria-proto.h"

G_BEGIN_DECLS

#define STRIA_NEFF_MAX_MEMBERS 100000
/* Members that are read whole: JSON of a graph is a few MB, debug information is split at 1.75 GiB. */
#define STRIA_NEFF_MAX_JSON  (G_GUINT64_CONSTANT (256) << 20)
#define STRIA_NEFF_MAX_DEBUG (G_GUINT64_CONSTANT (256) << 20)
#define STRIA_NEFF_MAX_CODE  (G_GUINT64_CONSTANT (1) << 30)

typedef enum
{
  STRIA_NEFF_DEFINITION,  /* sgNN/def.json */
  STRIA_NEFF_ENGINE,      /* sgNN/pe.json and the like */
  STRIA_NEFF_CODE,        /* sgNN/pe.bin and the like */
  STRIA_NEFF_INFO,        /* info.json */
  STRIA_NEFF_DEBUG,       /* *.dbg */
  STRIA_NEFF_KERNEL,      /* kernel_debug_info.json and one JSON a kernel */
  STRIA_NEFF_OTHER,
} StriaNeffMemberKind;

/* Rows of one program on their way out. */
typedef struct
{
  StriaDecodeContext *context;
  StriaSink *sink;
  StriaNeuronEmitter *emitter;
  StriaProtoSchema *schema;
  StriaNeuronRows *members;
  StriaNeuronRows *variables;
  StriaNeuronRows *tensors;
  StriaNeuronRows *queues;
  StriaNeuronRows *published_queues;
  StriaNeuronRows *transfers;
  StriaNeuronRows *code;
  StriaNeuronRows *debug;
  StriaNeuronRows *frames[4]; /* frames, locations, file names, function names */
  StriaNeuronRows *kernel;
  guint n_members;
  guint n_debug_files;
  char *compiler_version;
} StriaNeff;

/* Which kind a member is by its name; @subgraph: (out): number of `sgNN`, or -1; @engine: (out)
 * (transfer none) (nullable): the engine as exports show it */
StriaNeffMemberKind stria_neff_member_kind (const char *name, gint64 *subgraph, const char **engine);

/* Which level a member of debug information is of, by its name: "framework", "hlo", "penguin", "bir",
 * "asm", "stack_frame_index", or "unknown" */
const char         *stria_neff_debug_level (const char *member);

/* Each takes one member's bytes. Trouble becomes a notice. */
void stria_neff_read_definition (StriaNeff *self, const char *member, gint64 subgraph,
                                 const guint8 *data, gsize length);
void stria_neff_read_engine     (StriaNeff *self, const char *member, gint64 subgraph,
                                 const char *engine, const guint8 *data, gsize length);
void stria_neff_read_info       (StriaNeff *self, const char *member, const guint8 *data, gsize length);
void stria_neff_read_code       (StriaNeff *self, gint64 subgraph, const char *engine,
                                 const guint8 *data, gsize length);
void stria_neff_read_debug      (StriaNeff *self, const char *member, const guint8 *data, gsize length);
void stria_neff_read_kernel     (StriaNeff *self, const char *member, const guint8 *data, gsize length);

/* @text and a number that may be missing (below 0) */
void stria_neff_rows_number     (StriaNeuronRows *rows, guint column, gint64 value);

G_END_DECLS
