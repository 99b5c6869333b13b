/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Ids of the types and constants that vgf_maker_prelude() defines */
enum
{
  ID_INT32 = 1,
  ID_INT8,
  ID_BOOL,
  ID_TRUE,
  ID_FALSE,
  ID_0,     /* int32 constants */
  ID_1,
  ID_2,
  ID_3,
  ID_4,
  ID_8,
  ID_RANK4, /* array of four int32 */
  ID_SHAPE, /* 1, 8, 8, 4 */
  ID_TENSOR8,  /* 1×8×8×4 int8 */
  ID_TENSOR32, /* the same of int32 */
  ID_PAIR,  /* array of two int32 */
  ID_TWO_ONES,
  ID_FOUR_ZEROS,
  ID_TOSA,  /* import */
  ID_GRAPH, /* id of the graph */
  ID_GRAPH_TYPE,
  ID_IN,    /* variables of the interface */
  ID_OUT,
  ID_POINTER,
  ID_WEIGHT, /* constant 0 of the segment */
  ID_FREE = 50,
};

/* Words of a module */
GArray *spirv_maker_new  (guint32 bound);
/* Ends with -1 */
void    spirv_maker_op   (GArray *words, guint op, ...);
/* An instruction that ends with a text and, behind it, numbers to -1 */
void    spirv_maker_text (GArray *words, guint op, const guint32 *before, guint n,
                          const char *text, ...);
/* Types, constants and imports with the ids above; @binding of input and output */
GArray *spirv_maker_prelude (const char *graph_name, guint32 in_binding, guint32 out_binding);
void    spirv_maker_begin_graph (GArray *words, guint32 input);
void    spirv_maker_end_graph   (GArray *words, guint32 output);

typedef struct
{
  guint8      type; /* 1: graph */
  const char *name;
  guint32     module;
  guint32     in_binding, in; /* a resource */
  guint32     out_binding, out;
  guint32     constants[4];
  guint       n_constants;
} VgfMakerSegment;

typedef struct
{
  guint8      type;
  const char *name;
  GArray     *words; /* NULL: GLSL */
} VgfMakerModule;

typedef struct
{
  guint8 category;
  gint64 shape[4];
  guint  rank;
} VgfMakerResource;

/* What a VGF holds. */
typedef struct
{
  guint8                  major, minor, patch;
  gboolean                old_magic;
  gboolean                legacy; /* constants */
  const VgfMakerModule   *modules;
  guint                   n_modules;
  const VgfMakerSegment  *segments;
  guint                   n_segments;
  const VgfMakerResource *resources;
  guint                   n_resources;
  const guint32          *constants; /* resource of each; of 4 bytes */
  guint                   n_constants;
} VgfMaker;

/* @borders: (out) (optional): where each section and each part of its tables begins */
GByteArray *vgf_maker_finish (const VgfMaker *self, GArray **borders);

G_END_DECLS
