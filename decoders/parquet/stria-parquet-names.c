/* SPDX-License-Identifier: Apache-2.0 */
/* What types and codecs are called. */
#include "config.h"

#include "stria-parquet-private.h"

const char *
stria_parquet_physical_name (StriaParquetPhysical physical)
{
  static const char *const names[]
    = { "bool", "int32", "int64", "int96", "float", "double", "bytes", "fixed" };

  return physical < G_N_ELEMENTS (names) ? names[physical] : "?";
}

const char *
stria_parquet_codec_name (StriaParquetCodec codec)
{
  static const char *const names[]
    = { "UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW" };

  return codec < G_N_ELEMENTS (names) ? names[codec] : "?";
}

static const char *
unit_name (guint64 unit_ns)
{
  return unit_ns == 1 ? "ns" : unit_ns == 1000 ? "us" : "ms";
}

static void
append_leaf (GString *text, const StriaParquetNode *node)
{
  static const char *const names[] = {
    [STRIA_PARQUET_STRING] = "string", [STRIA_PARQUET_ENUM] = "enum", [STRIA_PARQUET_JSON] = "json",
    [STRIA_PARQUET_BSON] = "bson", [STRIA_PARQUET_UUID] = "uuid", [STRIA_PARQUET_DATE] = "date",
    [STRIA_PARQUET_INTERVAL] = "interval", [STRIA_PARQUET_FLOAT16] = "float16",
    [STRIA_PARQUET_NULLS] = "null",
  };

  switch (node->logical)
    {
    case STRIA_PARQUET_DECIMAL:
      g_string_append_printf (text, "decimal(%d,%d)", node->precision, node->scale);
      return;
    case STRIA_PARQUET_INTEGER:
      g_string_append_printf (text, "%sint%u", node->is_signed ? "" : "u", node->bits);
      return;
    case STRIA_PARQUET_TIME:
      g_string_append_printf (text, "time[%s]", unit_name (node->unit_ns));
      return;
    case STRIA_PARQUET_TIMESTAMP:
      g_string_append_printf (text, "timestamp[%s%s]", unit_name (node->unit_ns),
                              node->is_utc ? ", UTC" : "");
      return;
    default:
      break;
    }
  if (node->logical < G_N_ELEMENTS (names) && names[node->logical] != NULL)
    g_string_append (text, names[node->logical]);
  else if (node->physical == STRIA_PARQUET_FIXED)
    g_string_append_printf (text, "fixed[%u]", node->length);
  else
    g_string_append (text, stria_parquet_physical_name (node->physical));
}

static void append_type (const StriaParquet *file, GString *text, guint node, gboolean repeated);

static void
append_children (const StriaParquet *file, GString *text, guint node, gboolean named)
{
  const StriaParquetNode *group = stria_parquet_get_node (file, node);

  for (guint i = node + 1; i < group->next; i = stria_parquet_get_node (file, i)->next)
    {
      const StriaParquetNode *child = stria_parquet_get_node (file, i);

      if (i > node + 1)
        g_string_append (text, ", ");
      if (named)
        g_string_append_printf (text, "%s: ", child->name);
      append_type (file, text, i, child->repetition == STRIA_PARQUET_REPEATED);
    }
}

/* What the elements of a list are: its repeated node, or the only child of that, unless the names
 * say that the node is the element itself (two levels, as old writers have it). */
static guint
list_element (const StriaParquet *file, guint list)
{
  const StriaParquetNode *outer = stria_parquet_get_node (file, list);
  const StriaParquetNode *inner = stria_parquet_get_node (file, list + 1);
  g_autofree char *tuple = g_strconcat (outer->name, "_tuple", NULL);

  if (inner->n_children != 1 || g_str_equal (inner->name, "array")
      || g_str_equal (inner->name, tuple))
    return list + 1;
  return list + 2;
}

/* @repeated: without an annotation that says so */
static void
append_type (const StriaParquet *file, GString *text, guint node, gboolean repeated)
{
  const StriaParquetNode *self = stria_parquet_get_node (file, node);
  gboolean one_repeated = self->n_children == 1
                          && stria_parquet_get_node (file, node + 1)->repetition
                               == STRIA_PARQUET_REPEATED;

  if (repeated)
    g_string_append (text, "list<");
  if (self->n_children == 0)
    append_leaf (text, self);
  else if (self->logical == STRIA_PARQUET_LIST && one_repeated)
    {
      g_string_append (text, "list<");
      append_type (file, text, list_element (file, node), FALSE);
      g_string_append_c (text, '>');
    }
  else if (self->logical == STRIA_PARQUET_MAP && one_repeated)
    {
      g_string_append (text, "map<");
      append_children (file, text, node + 1, FALSE);
      g_string_append_c (text, '>');
    }
  else
    {
      g_string_append (text, "struct<");
      append_children (file, text, node, TRUE);
      g_string_append_c (text, '>');
    }
  if (repeated)
    g_string_append_c (text, '>');
}

char *
stria_parquet_type_text (const StriaParquet *self, guint node)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (node < self->nodes->len, NULL);
  append_type (self, text, node,
               stria_parquet_get_node (self, node)->repetition == STRIA_PARQUET_REPEATED);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
