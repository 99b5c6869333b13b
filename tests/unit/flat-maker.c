/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "flat-maker.h"

#include <string.h>

#define NONE G_MAXUINT32

typedef enum
{
  TABLE,
  STRING,
  VECTOR,
  LIST,
} Kind;

typedef struct
{
  guint8  kind;
  guint8  size; /* of an element of a vector */
  guint32 n;    /* elements; of a table, fields */
  guint32 item; /* the last one of a table or list, or NONE */
  gsize   data; /* where the bytes of a string or vector stand */
  guint32 at;   /* in the buffer; 0: not laid out yet */
} Node;

/* A field of a table or an element of a list, in a chain from the last one to the first. */
typedef struct
{
  guint32 before;
  guint32 node; /* NONE: a number */
  guint64 value;
  guint16 field;
  guint8  size;
} Item;

struct _FlatMaker
{
  GArray     *nodes;
  GArray     *items;
  GByteArray *data;
  GByteArray *out;
  GArray     *order;   /* guint32: nodes, children before their parents */
  GHashTable *vtables; /* GBytes -> where it stands */
  GArray     *borders;
};

FlatMaker *
flat_maker_new (void)
{
  FlatMaker *self = g_new0 (FlatMaker, 1);

  self->nodes = g_array_new (FALSE, TRUE, sizeof (Node));
  self->items = g_array_new (FALSE, TRUE, sizeof (Item));
  self->data = g_byte_array_new ();
  return self;
}

void
flat_maker_free (FlatMaker *self)
{
  g_array_unref (self->nodes);
  g_array_unref (self->items);
  g_byte_array_unref (self->data);
  g_free (self);
}

static Node *
node_at (FlatMaker *self, guint32 node)
{
  g_assert_cmpuint (node, <, self->nodes->len);
  return &g_array_index (self->nodes, Node, node);
}

static guint32
add_node (FlatMaker *self, Kind kind, gconstpointer data, guint32 n, guint size)
{
  Node node = { .kind = kind, .size = size, .n = n, .item = NONE, .data = self->data->len };

  if (n > 0)
    g_byte_array_append (self->data, data, n * size);
  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

guint32
flat_maker_table (FlatMaker *self)
{
  return add_node (self, TABLE, NULL, 0, 0);
}

guint32
flat_maker_string (FlatMaker *self, const char *text)
{
  return add_node (self, STRING, text, strlen (text), 1);
}

guint32
flat_maker_vector (FlatMaker *self, gconstpointer data, guint32 n, guint size)
{
  return add_node (self, VECTOR, data, n, size);
}

guint32
flat_maker_list (FlatMaker *self)
{
  return add_node (self, LIST, NULL, 0, 4);
}

static void
add_item (FlatMaker *self, guint32 to, Item item)
{
  Node *node = node_at (self, to);

  item.before = node->item;
  node->item = self->items->len;
  node->n++;
  g_array_append_val (self->items, item);
}

void
flat_maker_push (FlatMaker *self, guint32 list, guint32 node)
{
  g_assert_cmpint (node_at (self, list)->kind, ==, LIST);
  add_item (self, list, (Item) { .node = node, .size = 4 });
}

static void
add_field (FlatMaker *self, guint32 table, guint field, guint64 value, guint8 size)
{
  g_assert_cmpint (node_at (self, table)->kind, ==, TABLE);
  add_item (self, table, (Item) { .node = NONE, .field = field, .value = value, .size = size });
}

void
flat_maker_u8 (FlatMaker *self, guint32 table, guint field, guint8 value)
{
  add_field (self, table, field, value, 1);
}

void
flat_maker_u16 (FlatMaker *self, guint32 table, guint field, guint16 value)
{
  add_field (self, table, field, value, 2);
}

void
flat_maker_u32 (FlatMaker *self, guint32 table, guint field, guint32 value)
{
  add_field (self, table, field, value, 4);
}

void
flat_maker_i32 (FlatMaker *self, guint32 table, guint field, gint32 value)
{
  add_field (self, table, field, (guint32) value, 4);
}

void
flat_maker_u64 (FlatMaker *self, guint32 table, guint field, guint64 value)
{
  add_field (self, table, field, value, 8);
}

void
flat_maker_i64 (FlatMaker *self, guint32 table, guint field, gint64 value)
{
  add_field (self, table, field, (guint64) value, 8);
}

void
flat_maker_f32 (FlatMaker *self, guint32 table, guint field, float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  add_field (self, table, field, bits, 4);
}

void
flat_maker_f64 (FlatMaker *self, guint32 table, guint field, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  add_field (self, table, field, bits, 8);
}

void
flat_maker_node (FlatMaker *self, guint32 table, guint field, guint32 node)
{
  g_assert_cmpint (node_at (self, table)->kind, ==, TABLE);
  g_assert_cmpuint (node, <, self->nodes->len);
  add_item (self, table, (Item) { .node = node, .field = field, .size = 4 });
}

void
flat_maker_text (FlatMaker *self, guint32 table, guint field, const char *text)
{
  flat_maker_node (self, table, field, flat_maker_string (self, text));
}

/* -- layout ---------------------------------------------------------------------------------- */

static void
put (FlatMaker *self, guint64 value, guint size)
{
  for (guint i = 0; i < size; i++)
    {
      guint8 byte = (guint8) (value >> 8 * i);
      g_byte_array_append (self->out, &byte, 1);
    }
}

static void
set_u32 (FlatMaker *self, guint32 at, guint32 value)
{
  for (guint i = 0; i < 4; i++)
    self->out->data[at + i] = (guint8) (value >> 8 * i);
}

/* Zeros until @ahead bytes from here is a multiple of @alignment. */
static void
align (FlatMaker *self, guint alignment, guint ahead)
{
  while ((self->out->len + ahead) % alignment != 0)
    put (self, 0, 1);
}

static void
border (FlatMaker *self)
{
  guint32 at = self->out->len;

  if (self->borders != NULL)
    g_array_append_val (self->borders, at);
}

/* Marks with at = 1 what has been seen. */
static void
sort_below (FlatMaker *self, guint32 number)
{
  guint32 item = node_at (self, number)->item;

  if (node_at (self, number)->at != 0)
    return;
  node_at (self, number)->at = 1;
  for (; item != NONE; item = g_array_index (self->items, Item, item).before)
    if (g_array_index (self->items, Item, item).node != NONE)
      sort_below (self, g_array_index (self->items, Item, item).node);
  g_array_append_val (self->order, number);
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const Item *x = *(Item *const *) a, *y = *(Item *const *) b;

  return x->size != y->size ? (int) y->size - x->size : (int) x->field - y->field;
}

static guint32
put_vtable (FlatMaker *self, const guint16 *entries, guint n)
{
  g_autoptr (GBytes) bytes = g_bytes_new (entries, n * sizeof *entries);
  gpointer known = g_hash_table_lookup (self->vtables, bytes);

  if (known != NULL)
    return GPOINTER_TO_UINT (known);
  align (self, 2, 0);
  border (self);
  g_hash_table_insert (self->vtables, g_steal_pointer (&bytes), GUINT_TO_POINTER (self->out->len));
  for (guint i = 0; i < n; i++)
    put (self, entries[i], 2);
  return self->out->len - 2 * n;
}

/* Where an offset to @node stands, it is 0 and the node's own number + 1 waits in @later. */
static void
put_table (FlatMaker *self, Node *node, GArray *later)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_autoptr (GArray) entries = g_array_new (FALSE, TRUE, sizeof (guint16));
  guint16 size = 4;
  guint32 vtable;

  for (guint32 i = node->item; i != NONE; i = g_array_index (self->items, Item, i).before)
    g_ptr_array_add (fields, &g_array_index (self->items, Item, i));
  g_ptr_array_sort (fields, compare_sizes);
  g_array_set_size (entries, 2);
  for (guint i = 0; i < fields->len; i++)
    {
      const Item *item = fields->pdata[i];

      if (item->field + 3u > entries->len)
        g_array_set_size (entries, item->field + 3u);
      g_array_index (entries, guint16, item->field + 2) = size;
      size += item->size;
    }
  g_array_index (entries, guint16, 0) = entries->len * 2;
  g_array_index (entries, guint16, 1) = size;
  vtable = put_vtable (self, (const guint16 *) entries->data, entries->len);

  align (self, 8, 4);
  border (self);
  node->at = self->out->len;
  put (self, node->at - vtable, 4);
  for (guint i = 0; i < fields->len; i++)
    {
      const Item *item = fields->pdata[i];

      if (item->node != NONE)
        {
          guint32 pair[] = { self->out->len, item->node };
          g_array_append_vals (later, pair, 2);
        }
      put (self, item->value, item->size);
    }
}

static void
put_list (FlatMaker *self, Node *node, GArray *later)
{
  guint32 first, i = node->item;

  align (self, 4, 0);
  border (self);
  node->at = self->out->len;
  put (self, node->n, 4);
  first = self->out->len;
  for (guint32 k = 0; k < node->n; k++)
    put (self, 0, 4);
  for (guint32 k = node->n; k > 0; k--)
    {
      guint32 pair[] = { first + 4 * (k - 1), g_array_index (self->items, Item, i).node };

      g_array_append_vals (later, pair, 2);
      i = g_array_index (self->items, Item, i).before;
    }
}

static void
put_bytes (FlatMaker *self, Node *node)
{
  align (self, MAX (node->size, 4), 4);
  border (self);
  node->at = self->out->len;
  put (self, node->n, 4);
  g_byte_array_append (self->out, self->data->data + node->data, node->n * node->size);
  if (node->kind == STRING)
    put (self, 0, 1);
}

GByteArray *
flat_maker_finish (FlatMaker *self, guint32 root, const char *identifier, gboolean prefixed,
                   GArray **borders)
{
  /* Pairs: where an offset stands, and the node that it is to lead to. */
  g_autoptr (GArray) later = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 start = prefixed ? 4 : 0;

  g_byte_array_append (self->data, (const guint8 *) "", 1);
  self->out = g_byte_array_new ();
  self->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->vtables = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                         (GDestroyNotify) g_bytes_unref, NULL);
  self->borders = borders != NULL ? g_array_new (FALSE, FALSE, sizeof (guint32)) : NULL;
  for (guint i = 0; i < self->nodes->len; i++)
    node_at (self, i)->at = 0;

  put (self, 0, start + 4);
  if (identifier != NULL)
    g_byte_array_append (self->out, (const guint8 *) identifier, 4);
  sort_below (self, root);
  for (guint i = self->order->len; i > 0; i--)
    {
      Node *node = node_at (self, g_array_index (self->order, guint32, i - 1));

      if (node->kind == TABLE)
        put_table (self, node, later);
      else if (node->kind == LIST)
        put_list (self, node, later);
      else
        put_bytes (self, node);
    }
  for (guint i = 0; i < later->len; i += 2)
    {
      guint32 at = g_array_index (later, guint32, i);

      set_u32 (self, at, node_at (self, g_array_index (later, guint32, i + 1))->at - at);
    }
  align (self, 8, 0);
  set_u32 (self, start, node_at (self, root)->at - start);
  if (prefixed)
    set_u32 (self, 0, self->out->len - 4);

  g_array_unref (self->order);
  g_hash_table_unref (self->vtables);
  if (borders != NULL)
    *borders = self->borders;
  return g_steal_pointer (&self->out);
}
