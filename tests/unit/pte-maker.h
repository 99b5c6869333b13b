/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "flat-maker.h"
#include "stria-capture.h"
#include "stria-graph.h"

G_BEGIN_DECLS

/**
 * PteMaker:
 *
 * A program that is being written: plans, and in the last plan values, operators, delegates, a chain
 * and its instructions.
 */
typedef struct
{
  FlatMaker *maker;
  guint32    root;
  guint32    plans, blobs, segments;
  guint32    n_segments, n_blobs;
  guint32    plan;
  guint32    values, operators, delegates, chains;
  guint32    n_values;
  guint32    delegate, specs;      /* of the last delegate */
  guint32    chain, instructions;  /* of the last chain */
  GByteArray *data;                /* of segments */
  gboolean   has_header;
} PteMaker;

void    pte_maker_init     (PteMaker *self);
void    pte_maker_clear    (PteMaker *self);
/* @inputs, @outputs: int32 up to -1 */
void    pte_maker_plan     (PteMaker *self, const char *name, const gint32 *inputs,
                            const gint32 *outputs);
/* Returns: number of the value. @node: table of the union, or 0 for none */
gint32  pte_maker_value    (PteMaker *self, guint8 type, guint32 node);
gint32  pte_maker_null     (PteMaker *self);
gint32  pte_maker_int      (PteMaker *self, gint64 value);
gint32  pte_maker_double   (PteMaker *self, double value);
gint32  pte_maker_list     (PteMaker *self, guint8 type, gconstpointer data, guint32 n, guint size);
/* A table Tensor. @sizes: n of them */
guint32 pte_maker_tensor_table (PteMaker *self, guint8 scalar, const gint32 *sizes, guint32 n);
/* Planned in memory 1 at @offset */
gint32  pte_maker_tensor   (PteMaker *self, guint8 scalar, const gint32 *sizes, guint32 n,
                            guint32 offset);
gint32  pte_maker_constant (PteMaker *self, guint8 scalar, const gint32 *sizes, guint32 n,
                            guint32 buffer);
void    pte_maker_operator (PteMaker *self, const char *name, const char *overload);
/* @location: 0 inline, 1 segment */
void    pte_maker_delegate (PteMaker *self, const char *id, guint8 location, guint32 index);
void    pte_maker_spec     (PteMaker *self, const char *key, gconstpointer value, guint32 n);
/* Return their numbers */
guint32 pte_maker_blob     (PteMaker *self, gconstpointer data, guint32 n);
guint32 pte_maker_segment  (PteMaker *self, gconstpointer data, guint32 n);
void    pte_maker_chain    (PteMaker *self);
/* An instruction of which the first field is @first; @args: int32 up to -1, or NULL */
void    pte_maker_call     (PteMaker *self, guint8 type, gint32 first, const gint32 *args);
/* One whose fields are @first and @second */
void    pte_maker_jump     (PteMaker *self, guint8 type, gint32 first, gint32 second);
/* With an extended header if there are segments. @borders as flat_maker_finish() gives them */
GByteArray *pte_maker_finish (PteMaker *self, GArray **borders);

#define PTE_ARGS(...) ((const gint32[]) { __VA_ARGS__, -1 })
#define PTE_NO_ARGS ((const gint32[]) { -1 })

/* A small VGF: one segment of a graph, and no code */
GByteArray *pte_maker_vgf  (void);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PteMaker, pte_maker_clear)

/* What was read. */
typedef struct
{
  StriaCapture *capture;
  StriaFacts   *facts;
  GError       *error;
  gboolean      good;
} PteRead;

void        pte_read_init    (PteRead *self, const guint8 *data, gsize length);
void        pte_read_clear   (PteRead *self);
gsize       pte_read_size    (PteRead *self, guint table);
const char *pte_read_text    (PteRead *self, guint32 string);
guint64     pte_read_notices (PteRead *self, const char *code);
/* Returns: (transfer full): the graph of the method */
StriaGraph *pte_read_graph   (PteRead *self, const char *method);

#define PTE_ROWS(read, Type, table) STRIA_ROWS ((read)->facts, Type, table)

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PteRead, pte_read_clear)

G_END_DECLS
