/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-match-query
 *
 * What a person types to search: words that stand for themselves, or terms that all have to hold.
 *
 *     matmul                      events whose name has it
 *     name:matmul lane:Tensor     both; AND may stand between them
 *     /^gemm.*_v[23]$/            a regular expression, Perl's kind
 *     category:kernel             also cat:
 *     arg:stream                  an argument, or a text column of a table, has it
 *     arg:bytes>4096              the one of that name: = is "has it" for texts; < <= > >= numbers
 *     "a b"                       words with a space in between
 *
 * Letters match without regard to case. A text without any of these is one phrase, spaces and all.
 */
typedef enum
{
  STRIA_TERM_ANY, /* name, or argument where these are searched */
  STRIA_TERM_NAME,
  STRIA_TERM_CATEGORY,
  STRIA_TERM_LANE,
  STRIA_TERM_ARG,
} StriaTermField;

typedef enum
{
  STRIA_TERM_HAS,
  STRIA_TERM_LESS,
  STRIA_TERM_LESS_EQUAL,
  STRIA_TERM_GREATER,
  STRIA_TERM_GREATER_EQUAL,
} StriaTermTest;

/**
 * StriaTerm:
 * @key: (nullable): name of the argument; NULL = any
 * @text: (nullable): what is looked for, with case folded
 * @regex: (nullable): instead of @text
 * @number: what numbers are compared with; meant where @has_number
 */
typedef struct
{
  StriaTermField field;
  StriaTermTest  test;
  char          *key;
  char          *text;
  GRegex        *regex;
  double         number;
  gboolean       has_number;
} StriaTerm;

typedef struct _StriaMatchQuery StriaMatchQuery;

/* Returns: (transfer full): NULL with @error if it holds an expression that is none */
StriaMatchQuery *stria_match_query_new       (const char *text, GError **error);
void             stria_match_query_free      (StriaMatchQuery *self);
/* (transfer none): terms, all of which have to hold */
const StriaTerm *stria_match_query_get_terms (StriaMatchQuery *self, guint *n);
/* One phrase without fields and expressions */
gboolean         stria_match_query_is_phrase (StriaMatchQuery *self);
/* Whether names alone do not tell what matches */
gboolean         stria_match_query_needs_events (StriaMatchQuery *self);
/* Whether a term holds for a text */
gboolean         stria_term_has              (const StriaTerm *self, const char *text);
gboolean         stria_term_has_number       (const StriaTerm *self, double number);
/* Whether it holds for arguments as a file wrote them: a JSON object */
gboolean         stria_term_has_json         (const StriaTerm *self, const char *json);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaMatchQuery, stria_match_query_free)

G_END_DECLS
