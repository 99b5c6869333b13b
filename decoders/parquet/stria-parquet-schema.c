/* SPDX-License-Identifier: Apache-2.0 */
/* The schema: a list of elements from front to back, each with the number of its children. */
#include "config.h"

#include "stria-parquet-schema.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"

/* Names are repeated in the paths of all that is below them. */
#define MAX_TEXT ((gsize) 64 << 20)

#define NS_PER_MS 1000000
#define NS_PER_US 1000

/* One SchemaElement as it stands in the file */
typedef struct
{
  StriaParquetNode node;
  gint32 type; /* -1: a group */
  gint32 n_children;
  gint32 converted; /* -1: none */
  gboolean has_logical;
  const guint8 *name;
  gsize name_length;
  gsize position;
} Element;

/* parquet.thrift, ConvertedType */
static void
take_converted (Element *element)
{
  static const StriaParquetLogical kinds[] = {
    STRIA_PARQUET_STRING,    STRIA_PARQUET_MAP,       STRIA_PARQUET_OTHER,
    STRIA_PARQUET_LIST,      STRIA_PARQUET_ENUM,      STRIA_PARQUET_DECIMAL,
    STRIA_PARQUET_DATE,      STRIA_PARQUET_TIME,      STRIA_PARQUET_TIME,
    STRIA_PARQUET_TIMESTAMP, STRIA_PARQUET_TIMESTAMP, STRIA_PARQUET_INTEGER,
    STRIA_PARQUET_INTEGER,   STRIA_PARQUET_INTEGER,   STRIA_PARQUET_INTEGER,
    STRIA_PARQUET_INTEGER,   STRIA_PARQUET_INTEGER,   STRIA_PARQUET_INTEGER,
    STRIA_PARQUET_INTEGER,   STRIA_PARQUET_JSON,      STRIA_PARQUET_BSON,
    STRIA_PARQUET_INTERVAL,
  };
  StriaParquetNode *node = &element->node;
  gint32 n = element->converted;

  if (n < 0)
    return;
  node->logical = n < (gint32) G_N_ELEMENTS (kinds) ? kinds[n] : STRIA_PARQUET_OTHER;
  if (node->logical == STRIA_PARQUET_TIME || node->logical == STRIA_PARQUET_TIMESTAMP)
    {
      node->unit_ns = n == 7 || n == 9 ? NS_PER_MS : NS_PER_US;
      node->is_utc = TRUE;
    }
  if (node->logical == STRIA_PARQUET_INTEGER)
    {
      node->bits = 8 << ((n - 11) & 3);
      node->is_signed = n >= 15;
    }
}

/* A union of empty structs: the number of the one that is set */
static gint32
read_unit (StriaThrift *thrift, guint8 type)
{
  StriaThriftStruct s = { 0 };
  gint32 unit = 0;

  if (type != STRIA_THRIFT_STRUCT)
    {
      stria_thrift_skip (thrift, type);
      return 0;
    }
  while (stria_thrift_field (thrift, &s))
    {
      unit = s.id;
      stria_thrift_skip (thrift, s.type);
    }
  return unit;
}

static void
read_logical_fields (StriaThrift *thrift, StriaParquetNode *node)
{
  StriaThriftStruct s = { 0 };
  StriaParquetLogical kind = node->logical;
  gint32 unit = 0;

  while (stria_thrift_field (thrift, &s))
    if (kind == STRIA_PARQUET_DECIMAL && s.id == 1)
      node->scale = stria_thrift_i32 (thrift, s.type);
    else if (kind == STRIA_PARQUET_DECIMAL && s.id == 2)
      node->precision = stria_thrift_i32 (thrift, s.type);
    else if (kind == STRIA_PARQUET_INTEGER && s.id == 1)
      node->bits = (guint8) stria_thrift_i32 (thrift, s.type);
    else if (kind == STRIA_PARQUET_INTEGER && s.id == 2)
      node->is_signed = stria_thrift_bool (thrift, s.type);
    else if ((kind == STRIA_PARQUET_TIME || kind == STRIA_PARQUET_TIMESTAMP) && s.id == 1)
      node->is_utc = stria_thrift_bool (thrift, s.type);
    else if ((kind == STRIA_PARQUET_TIME || kind == STRIA_PARQUET_TIMESTAMP) && s.id == 2)
      unit = read_unit (thrift, s.type);
    else
      stria_thrift_skip (thrift, s.type);
  if (kind == STRIA_PARQUET_TIME || kind == STRIA_PARQUET_TIMESTAMP)
    node->unit_ns = unit == 1 ? NS_PER_MS : unit == 2 ? NS_PER_US : 1;
}

/* parquet.thrift, LogicalType: a union whose field says which */
static void
read_logical (StriaThrift *thrift, guint8 type, Element *element)
{
  static const StriaParquetLogical kinds[] = {
    STRIA_PARQUET_OTHER,     STRIA_PARQUET_STRING, STRIA_PARQUET_MAP,     STRIA_PARQUET_LIST,
    STRIA_PARQUET_ENUM,      STRIA_PARQUET_DECIMAL, STRIA_PARQUET_DATE,   STRIA_PARQUET_TIME,
    STRIA_PARQUET_TIMESTAMP, STRIA_PARQUET_OTHER,  STRIA_PARQUET_INTEGER, STRIA_PARQUET_NULLS,
    STRIA_PARQUET_JSON,      STRIA_PARQUET_BSON,   STRIA_PARQUET_UUID,    STRIA_PARQUET_FLOAT16,
  };
  StriaThriftStruct s = { 0 };

  if (type != STRIA_THRIFT_STRUCT)
    {
      stria_thrift_skip (thrift, type);
      return;
    }
  while (stria_thrift_field (thrift, &s))
    {
      if (s.type != STRIA_THRIFT_STRUCT)
        {
          stria_thrift_skip (thrift, s.type);
          continue;
        }
      element->has_logical = TRUE;
      element->node.logical = s.id > 0 && s.id < (gint32) G_N_ELEMENTS (kinds)
                                ? kinds[s.id] : STRIA_PARQUET_OTHER;
      element->node.unit_ns = 0;
      read_logical_fields (thrift, &element->node);
    }
}

static void
read_element (StriaThrift *thrift, Element *element)
{
  StriaThriftStruct s = { 0 };
  StriaParquetNode logical;
  gint32 repetition = 0;

  *element = (Element){
    .node = { .column = STRIA_PARQUET_NONE, .parent = STRIA_PARQUET_NONE, .field_id = -1 },
    .type = -1,
    .converted = -1,
    .position = thrift->position,
  };
  while (stria_thrift_field (thrift, &s))
    switch (s.id)
      {
      case 1: element->type = stria_thrift_i32 (thrift, s.type); break;
      case 2: element->node.length = (guint) stria_thrift_i32 (thrift, s.type); break;
      case 3: repetition = stria_thrift_i32 (thrift, s.type); break;
      case 4: element->name = stria_thrift_binary (thrift, s.type, &element->name_length); break;
      case 5: element->n_children = stria_thrift_i32 (thrift, s.type); break;
      case 6: element->converted = stria_thrift_i32 (thrift, s.type); break;
      case 7: element->node.scale = stria_thrift_i32 (thrift, s.type); break;
      case 8: element->node.precision = stria_thrift_i32 (thrift, s.type); break;
      case 9: element->node.field_id = stria_thrift_i32 (thrift, s.type); break;
      case 10: read_logical (thrift, s.type, element); break;
      default: stria_thrift_skip (thrift, s.type); break;
      }
  if (repetition < 0 || repetition > STRIA_PARQUET_REPEATED)
    stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, element->position,
                        _("expected a repetition from 0 to 2, found %d"), repetition);
  element->node.repetition = (StriaParquetRepetition) repetition;
  if (!element->has_logical)
    take_converted (element);
  else if (element->node.logical == STRIA_PARQUET_OTHER && element->converted >= 0)
    {
      /* A newer logical type with an older one beside it for readers that don't know it */
      logical = element->node;
      take_converted (element);
      if (element->node.logical == STRIA_PARQUET_OTHER)
        element->node = logical;
    }
}

static void
check_column (StriaThrift *thrift, Element *element)
{
  StriaParquetNode *node = &element->node;

  if (element->type < 0 || element->type > STRIA_PARQUET_FIXED)
    {
      stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, element->position,
                          _("expected a column of a type from 0 to 7, found %d"), element->type);
      return;
    }
  node->physical = (StriaParquetPhysical) element->type;
  if (node->physical != STRIA_PARQUET_FIXED)
    node->length = 0;
  else if (node->length == 0 || node->length > G_MAXINT32)
    stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, element->position,
                        _("expected values of 1 to %d bytes, found %u"), G_MAXINT32, node->length);
  if (node->physical == STRIA_PARQUET_INT96 && node->logical == STRIA_PARQUET_PLAIN)
    {
      node->logical = STRIA_PARQUET_TIMESTAMP;
      node->unit_ns = 1;
    }
  if (node->logical == STRIA_PARQUET_FLOAT16
      && (node->physical != STRIA_PARQUET_FIXED || node->length != 2))
    node->logical = STRIA_PARQUET_OTHER;
  if (node->logical == STRIA_PARQUET_UUID
      && (node->physical != STRIA_PARQUET_FIXED || node->length != 16))
    node->logical = STRIA_PARQUET_OTHER;
}

/* Gives the element its texts and its levels. FALSE after a fault */
static gboolean
take_element (StriaParquet *self, StriaThrift *thrift, Element *element, gsize *text)
{
  StriaParquetNode *node = &element->node;
  const StriaParquetNode *parent
    = node->parent != STRIA_PARQUET_NONE ? stria_parquet_get_node (self, node->parent) : NULL;
  g_autofree char *name = g_utf8_make_valid (element->name != NULL ? (const char *) element->name
                                                                   : "",
                                             (gssize) element->name_length);
  g_autofree char *path = NULL;

  *text += 2 * strlen (name) + (parent != NULL && parent->path != NULL ? strlen (parent->path) : 0);
  if (*text > MAX_TEXT)
    {
      stria_thrift_fault (thrift, STRIA_ERROR_LIMIT, element->position,
                          _("expected at most %u MiB of column names, found more"),
                          (guint) (MAX_TEXT >> 20));
      return FALSE;
    }
  node->name = g_string_chunk_insert (self->texts, name);
  if (parent == NULL)
    return TRUE;
  if (parent->path != NULL)
    path = g_strconcat (parent->path, ".", name, NULL);
  node->path = path != NULL ? g_string_chunk_insert (self->texts, path) : node->name;
  node->definition = parent->definition + (node->repetition != STRIA_PARQUET_REQUIRED);
  node->repetition_level = parent->repetition_level + (node->repetition == STRIA_PARQUET_REPEATED);
  return TRUE;
}

/**
 * stria_parquet_read_schema:
 *
 * An element without children is a column. The tree is walked with the number of children that are
 * still to come at each depth.
 */
void
stria_parquet_read_schema (StriaParquet *self, StriaThrift *thrift, guint8 type)
{
  guint8 element_type;
  guint32 n = stria_thrift_list (thrift, type, &element_type);
  g_autofree guint32 *left = g_new (guint32, self->limits.depth + 2);
  g_autofree guint *open = g_new (guint, self->limits.depth + 2);
  guint depth = 0;
  gsize text = 0;

  for (guint32 i = 0; i < n && !thrift->failed; i++)
    {
      Element element;
      gboolean is_group;

      read_element (thrift, &element);
      if (thrift->failed)
        return;
      is_group = element.n_children > 0 || i == 0;
      if (element.n_children < 0)
        stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, element.position,
                            _("expected a number of children, found %d"), element.n_children);
      if (i > 0 && depth == 0)
        stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, element.position,
                            _("expected %u elements in the schema, found %u"), i, n);
      if (is_group && depth > self->limits.depth)
        stria_thrift_fault (thrift, STRIA_ERROR_LIMIT, element.position,
                            _("expected at most %u groups inside each other, found more"),
                            self->limits.depth);
      if (self->leaves->len >= self->limits.columns || i / 4 > self->limits.columns)
        stria_thrift_fault (thrift, STRIA_ERROR_LIMIT, element.position,
                            _("expected at most %u columns, found more"), self->limits.columns);
      if (i > 0)
        element.node.parent = open[depth > 0 ? depth - 1 : 0];
      else
        element.node.repetition = STRIA_PARQUET_REQUIRED;
      if (!is_group)
        {
          element.node.column = self->leaves->len;
          check_column (thrift, &element);
        }
      if (thrift->failed || !take_element (self, thrift, &element, &text))
        return;
      element.node.next = i + 1;
      element.node.n_children = (guint) element.n_children;
      g_array_append_val (self->nodes, element.node);
      if (depth > 0)
        left[depth - 1]--;
      if (!is_group)
        g_array_append_val (self->leaves, i);
      else if (element.n_children > 0)
        {
          open[depth] = i;
          left[depth++] = (guint32) element.n_children;
        }
      while (depth > 0 && left[depth - 1] == 0)
        g_array_index (self->nodes, StriaParquetNode, open[--depth]).next = i + 1;
    }
  if (n > 0)
    stria_thrift_leave (thrift);
  if (depth > 0)
    stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, thrift->position,
                        _("expected more elements in the schema, found %u"), n);
}

/* Old writers compared bytes as if they were signed, and unsigned integers too. */
static gboolean
old_order_holds (const StriaParquetNode *node)
{
  switch (node->physical)
    {
    case STRIA_PARQUET_BOOLEAN:
    case STRIA_PARQUET_FLOAT:
    case STRIA_PARQUET_DOUBLE:
      return TRUE;
    case STRIA_PARQUET_INT32:
    case STRIA_PARQUET_INT64:
      return node->logical != STRIA_PARQUET_INTEGER || node->is_signed;
    default:
      return FALSE;
    }
}

void
stria_parquet_read_statistics (const StriaParquetNode *node, StriaThrift *thrift, guint8 type,
                               StriaParquetStatistics *statistics)
{
  StriaThriftStruct s = { 0 };
  const guint8 *values[4] = { NULL };
  gsize lengths[4] = { 0 };
  guint min, max;

  *statistics = (StriaParquetStatistics){ .nulls = -1 };
  if (type != STRIA_THRIFT_STRUCT)
    {
      stria_thrift_skip (thrift, type);
      return;
    }
  while (stria_thrift_field (thrift, &s))
    switch (s.id)
      {
      case 1: values[0] = stria_thrift_binary (thrift, s.type, &lengths[0]); break;
      case 2: values[1] = stria_thrift_binary (thrift, s.type, &lengths[1]); break;
      case 3: statistics->nulls = stria_thrift_i64 (thrift, s.type); break;
      case 5: values[2] = stria_thrift_binary (thrift, s.type, &lengths[2]); break;
      case 6: values[3] = stria_thrift_binary (thrift, s.type, &lengths[3]); break;
      default: stria_thrift_skip (thrift, s.type); break;
      }
  max = values[2] != NULL || values[3] != NULL ? 2 : 0;
  min = max + 1;
  if (thrift->failed || (max == 0 && !old_order_holds (node)))
    return;
  statistics->max = values[max];
  statistics->max_length = (guint32) MIN (lengths[max], G_MAXUINT32);
  statistics->min = values[min];
  statistics->min_length = (guint32) MIN (lengths[min], G_MAXUINT32);
}
