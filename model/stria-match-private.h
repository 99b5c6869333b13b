/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-lane-private.h"
#include "stria-match-bits.h"
#include "stria-match-query.h"
#include "stria-match.h"

G_BEGIN_DECLS

struct _StriaMatch
{
  gatomicrefcount refs;
  StriaTrace *trace;
  char *text;
  gboolean has_args;
  guint32 n_ids;
  guint8 *names;    /* bit by string id */
  guint8 **by_args; /* per artifact: bit by seq; NULL where nothing matches */
  guint64 *n_bits;
  guint32 n_artifacts;
  guint32 n_names;
  guint64 n_events;
  guint64 n_by_args;
  GHashTable *by_lane; /* StriaLane -> bit by index; NULL: what matches goes by text */

  char *error; /* why the text is no search, or NULL */

  GMutex mutex; /* of the bits */
  GHashTable *bits; /* StriaLane -> StriaMatchBits, made when they are asked for */
  gint is_prepared; /* atomic: whether those of all lanes are */
};

static inline gboolean
stria_match_bit (const guint8 *bits, guint64 i)
{
  return bits[i >> 3] >> (i & 7) & 1;
}

/* What there is to ask about the events of one lane: the bits of all of them, or of their names and of
 * those with arguments. */
typedef struct
{
  gboolean      by_event;
  const guint8 *events; /* NULL: none */
  const guint8 *names;
  guint32       n_ids;
  const guint8 *args;   /* by seq; NULL: none */
  guint64       n_args;
  const StriaMatchBits *bits; /* nullable: set by those who ask for many events */
} StriaMatchLane;

void stria_match_lane (const StriaMatch *self, StriaLane *lane, StriaMatchLane *out);

static inline gboolean
stria_match_lane_event (const StriaMatchLane *self, const StriaColumns *c, guint64 index)
{
  if (self->by_event)
    return self->events != NULL && stria_match_bit (self->events, index);
  if (c->name[index] < self->n_ids && stria_match_bit (self->names, c->name[index]))
    return TRUE;
  return self->args != NULL && c->args[index] != G_MAXUINT64 && c->seq[index] < self->n_args
         && stria_match_bit (self->args, c->seq[index]);
}

/* Evaluates a query over all events; @self has its text, and no answer yet. For a worker. */
gboolean stria_match_evaluate (StriaMatch *self, StriaMatchQuery *query, gboolean with_args,
                               GCancellable *cancellable, GError **error);

G_END_DECLS
