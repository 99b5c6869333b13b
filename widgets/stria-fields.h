/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  STRIA_FIELD_NULL,
  STRIA_FIELD_BOOLEAN,
  STRIA_FIELD_NUMBER,
  STRIA_FIELD_STRING,
  STRIA_FIELD_ARRAY,
  STRIA_FIELD_OBJECT,
} StriaFieldType;

/**
 * StriaField:
 * @key: name of the member, or NULL in arrays and at the root
 * @text: strings: what they say; other scalars: the digits or word of the file, so that numbers
 *   stay exact; arrays and objects: NULL
 * @children: (element-type StriaField) (nullable): of arrays and objects
 * @type: what it is
 *
 * A JSON value as it is shown to people.
 */
typedef struct
{
  char          *key;
  char          *text;
  GPtrArray     *children;
  StriaFieldType type;
} StriaField;

/* Deeper values are not taken apart, and a text of more values not at all. */
#define STRIA_FIELDS_MAX_DEPTH  64
#define STRIA_FIELDS_MAX_VALUES 200000

StriaField *stria_fields_parse  (const char *text, gsize length);
void        stria_field_free    (StriaField *field);
StriaField *stria_field_get     (const StriaField *object, const char *key);
/* The whole value on one line, or NULL if that takes more than @max_length bytes (0 = any) */
char       *stria_field_inline  (const StriaField *field, gsize max_length);
/* On several lines, indented */
char       *stria_field_pretty  (const StriaField *field);
/* Strict JSON on one line; numbers keep their digits, and a NaN or Infinity becomes null */
char       *stria_field_to_json (const StriaField *field);
/* A scalar for people, by what its key says it counts: bytes with their unit, counts in groups,
 * identifiers as they are. */
char       *stria_field_display (const StriaField *field);

/* The first @max_bytes or so of a text; for labels, which take seconds to lay out a megabyte */
char       *stria_text_cut      (const char *text, gsize max_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaField, stria_field_free)

G_END_DECLS
