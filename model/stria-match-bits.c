/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-match-private.h"

#include <string.h>

/* Events that match by name alone: as many as there are in a word at a time, without branches. */
static guint64
names_word (const StriaMatchLane *at, const guint32 *names, guint n)
{
  guint64 word = 0;

  for (guint k = 0; k < n; k++)
    word |= (guint64) (names[k] < at->n_ids && stria_match_bit (at->names, names[k])) << k;
  return word;
}

static guint64
events_word (const StriaMatchLane *at, const StriaColumns *c, guint64 first, guint n)
{
  guint64 word = 0;

  for (guint k = 0; k < n; k++)
    word |= (guint64) stria_match_lane_event (at, c, first + k) << k;
  return word;
}

static StriaMatchBits *
bits_new (StriaMatch *match, StriaLane *lane)
{
  const StriaColumns *c = &lane->body->columns;
  StriaMatchBits *self = g_new0 (StriaMatchBits, 1);
  const guint64 n_words = (c->n + 63) / 64;
  const gboolean counts = lane->body->kind != STRIA_LANE_COUNTER;
  StriaMatchLane at;
  guint32 rank = 0;

  stria_match_lane (match, lane, &at);
  self->n = c->n;
  self->words = g_new0 (guint64, n_words + 1);
  self->ranks = g_new0 (guint32, (c->n >> STRIA_MATCH_RANK_SHIFT) + 2);
  for (guint64 w = 0; w < n_words; w++)
    {
      const guint64 first = w * 64;
      const guint n = (guint) MIN (64, c->n - first);
      guint64 word = 0;

      if ((first & ((1u << STRIA_MATCH_RANK_SHIFT) - 1)) == 0)
        self->ranks[first >> STRIA_MATCH_RANK_SHIFT] = rank;
      if (counts && !at.by_event && at.args == NULL)
        word = names_word (&at, c->name + first, n);
      else if (counts && !(at.by_event && at.events == NULL))
        word = events_word (&at, c, first, n);
      self->words[w] = word;
      rank += (guint32) __builtin_popcountll (word);
    }
  if ((c->n & ((1u << STRIA_MATCH_RANK_SHIFT) - 1)) == 0)
    self->ranks[c->n >> STRIA_MATCH_RANK_SHIFT] = rank;
  return self;
}

void
stria_match_bits_free (StriaMatchBits *self)
{
  g_free (self->words);
  g_free (self->ranks);
  g_free (self);
}

const StriaMatchBits *
stria_match_get_bits (StriaMatch *self, StriaLane *lane)
{
  StriaMatchBits *made = NULL, *known;

  g_mutex_lock (&self->mutex);
  known = g_hash_table_lookup (self->bits, lane);
  g_mutex_unlock (&self->mutex);
  if (known != NULL)
    return known;
  made = bits_new (self, lane);
  g_mutex_lock (&self->mutex);
  known = g_hash_table_lookup (self->bits, lane);
  if (known == NULL)
    {
      g_hash_table_insert (self->bits, stria_lane_ref (lane), made);
      known = g_steal_pointer (&made);
    }
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&made, stria_match_bits_free);
  return known;
}

guint64
stria_match_bits_rank (const StriaMatchBits *self, guint64 i)
{
  guint64 rank = self->ranks[i >> STRIA_MATCH_RANK_SHIFT];

  for (guint64 w = i >> STRIA_MATCH_RANK_SHIFT << (STRIA_MATCH_RANK_SHIFT - 6); w < i / 64; w++)
    rank += (guint64) __builtin_popcountll (self->words[w]);
  if (i % 64 != 0)
    rank += (guint64) __builtin_popcountll (self->words[i / 64] << (64 - i % 64));
  return rank;
}

guint64
stria_match_bits_next (const StriaMatchBits *self, guint64 i, guint64 end)
{
  guint64 word;

  if (i >= end)
    return end;
  word = self->words[i / 64] >> (i % 64) << (i % 64);
  for (guint64 w = i / 64; word == 0; word = self->words[w])
    if (++w * 64 >= end)
      return end;
    else
      i = w * 64;
  return MIN ((i / 64) * 64 + (guint64) __builtin_ctzll (word), end);
}

guint64
stria_match_bits_previous (const StriaMatchBits *self, guint64 begin, guint64 i)
{
  guint64 w, word;

  if (i <= begin)
    return G_MAXUINT64;
  w = (i - 1) / 64;
  word = self->words[w] << (63 - (i - 1) % 64) >> (63 - (i - 1) % 64);
  while (word == 0)
    {
      if (w == 0 || w * 64 <= begin)
        return G_MAXUINT64;
      word = self->words[--w];
    }
  i = w * 64 + 63 - (guint64) __builtin_clzll (word);
  return i >= begin ? i : G_MAXUINT64;
}
