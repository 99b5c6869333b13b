/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-profile-private.h"

G_BEGIN_DECLS

/**
 * StriaViewMaker:
 *
 * Makes one graph of the profile's own, and remembers the entity of each of its nodes and groups.
 */
typedef struct
{
  StriaProfile      *profile;
  StriaGraphKind     kind;
  StriaFacts        *facts;
  StriaGraphBuilder *builder;
  GArray            *nodes;  /* guint32 entities */
  GArray            *groups;
  GHashTable        *ports;  /* (nullable): port row of what is copied -> row of the copy + 1 */
} StriaViewMaker;

void    stria_view_maker_init   (StriaViewMaker *self, StriaProfile *profile, StriaGraphKind kind);
void    stria_view_maker_finish (StriaViewMaker *self);
/* As the builder's, with the entity that it is of, or STRIA_NO_REF */
guint32 stria_view_maker_group  (StriaViewMaker *self, guint32 parent, const char *label,
                                 StriaGroupKind kind, guint32 entity);
guint32 stria_view_maker_node   (StriaViewMaker *self, const char *id, const char *label,
                                 guint32 group, StriaNodeKind kind, gint64 key, guint32 entity);
/* A node of another graph, with its attributes and ports */
guint32 stria_view_maker_copy   (StriaViewMaker *self, StriaGraph *from, guint32 node,
                                 const char *id, guint32 group, guint32 entity);
guint32 stria_view_maker_port   (StriaViewMaker *self, StriaGraph *from, guint32 port);
void    stria_view_maker_copy_edges (StriaViewMaker *self, StriaGraph *from, const guint32 *copies);
/* Returns: (transfer full): "Chain 30" */
char   *stria_view_label        (const StriaEntity *entity);

G_END_DECLS
