/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph.h"
#include "stria-vgf-private.h"

G_BEGIN_DECLS

/* Resource of the file as a node */
typedef struct
{
  guint32 node;    /* STRIA_NO_NODE until it is made */
  guint32 in, out; /* its ports, or STRIA_NO_REF */
  guint8  use;     /* how graph segments use it */
} StriaVgfNode;

/**
 * StriaVgfMaker:
 * @resources: one a resource of the file
 * @operands: of all operators, ports and edges are no more than these
 * @words_left: how many words may be walked; a module may serve several segments
 * @text_left: bytes of values and names that may be kept: small constants can be long as text
 * @full: something was left out since one of these ended
 *
 * The graph of all graph segments while it is made.
 */
typedef struct
{
  StriaVgfReader    *reader;
  StriaFacts        *facts;
  StriaGraphBuilder *builder;
  StriaVgfNode      *resources;
  guint32            n_resources;
  GHashTable        *group_names; /* labels in use */
  GHashTable        *names; /* of the model's inputs and outputs: resource + 1 -> text */
  guint32            graph_inputs; /* node */
  guint64            operands;
  guint64            words_left;
  guint64            text_left;
  gboolean           full;
} StriaVgfMaker;

/* Slots of a segment's inputs or outputs */
typedef struct
{
  GArray     *resources; /* of guint32, by place */
  GHashTable *places;    /* binding -> place + 1 */
} StriaVgfSlots;

const StriaVgfRow *stria_vgf_maker_row    (StriaVgfMaker *self);
void               stria_vgf_maker_notice (StriaVgfMaker *self, const char *code,
                                           const char *message);
/* Whether another node and @n operands fit */
gboolean           stria_vgf_maker_take   (StriaVgfMaker *self, guint n);
/* The node of a resource, made when it is first asked for; NULL if there is no such resource, or no
 * room for it */
StriaVgfNode      *stria_vgf_maker_node   (StriaVgfMaker *self, guint32 resource);

const StriaVgfSegmentRow *stria_vgf_maker_segment (StriaVgfMaker *self, guint32 number);
/* The code of a segment's module and the name of its graph, if it may be walked once more */
gboolean           stria_vgf_maker_open   (StriaVgfMaker *self, guint32 segment, StriaSpirv *spirv,
                                           const char **graph_name);

/* Adds the operators of a segment and joins them to the resources. @slots: inputs and outputs;
 * @constants: numbers of the file's constants. Returns: FALSE if it was cancelled */
gboolean           stria_vgf_add_operators (StriaVgfMaker *self, guint32 segment,
                                            const StriaVgfSlots slots[2],
                                            StriaFlatVector constants, GError **error);

G_END_DECLS
