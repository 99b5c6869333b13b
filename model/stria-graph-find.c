/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-find.h"

#include <string.h>

/* What a text has to do with a word. */
enum
{
  HAS = 1 << 0,    /* the word is in it */
  ENDS = 1 << 1,   /* it ends with what stands before the word's colon */
  BEGINS = 1 << 2, /* it begins with what stands behind it */
};

#define MAX_WORDS 16
#define FEW       8 /* below this part of all nodes, each is looked at by itself */

struct _StriaGraphFind
{
  StriaGraph *graph;
  GString *blob;        /* texts in lower case, each behind the other with its NUL */
  GArray *starts;       /* gsize by text: where it begins in the blob */
  guint32 *node_start;  /* n_nodes + 1 */
  GArray *node_texts;   /* guint32: texts of nodes */
  guint32 *pair_start;  /* n_nodes + 1 */
  GArray *node_pairs;   /* guint32, two for an attribute: texts of its key and its value */
  guint8 *found;        /* by text, of the word in work */
};

typedef struct
{
  StriaGraphFind *find;
  guint32 *text_of; /* by string of the facts: its text + 1 */
} Build;

static guint32
text_of (Build *build, guint32 string)
{
  StriaGraphFind *self = build->find;
  const char *text;
  const gsize start = self->blob->len;
  gboolean is_ascii = TRUE;

  if (build->text_of[string] != 0)
    return build->text_of[string] - 1;
  text = stria_graph_text (self->graph, string);
  for (const char *at = text; *at != '\0' && is_ascii; at++)
    is_ascii = (guchar) *at < 0x80;
  if (is_ascii)
    for (const char *at = text; *at != '\0'; at++)
      g_string_append_c (self->blob, g_ascii_tolower (*at));
  else
    {
      g_autofree char *folded = g_utf8_casefold (text, -1);

      g_string_append (self->blob, folded);
    }
  g_string_append_c (self->blob, '\0');
  g_array_append_val (self->starts, start);
  build->text_of[string] = self->starts->len;
  return self->starts->len - 1;
}

static void
add_text (Build *build, guint32 string)
{
  guint32 text;

  if (string == 0)
    return;
  text = text_of (build, string);
  g_array_append_val (build->find->node_texts, text);
}

static void
add_ports (Build *build, const StriaGraphPortRow *ports, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    {
      add_text (build, ports[i].name);
      add_text (build, ports[i].type);
    }
}

static void
add_node (Build *build, guint32 number)
{
  StriaGraph *graph = build->find->graph;
  const StriaGraphNodeRow *node = stria_graph_node (graph, number);
  const StriaGraphAttrRow *attrs = stria_graph_attrs (graph, node->first_attr);
  const guint32 group = stria_graph_node_group (graph, number);
  const StriaGraphPortRow *ports;
  guint32 n;

  add_text (build, node->label);
  add_text (build, node->id);
  if (group != STRIA_NO_GROUP)
    add_text (build, stria_graph_group (graph, group)->id);
  ports = stria_graph_inputs (graph, number, &n);
  add_ports (build, ports, n);
  ports = stria_graph_outputs (graph, number, &n);
  add_ports (build, ports, n);
  for (guint32 i = 0; i < node->n_attrs; i++)
    {
      const guint32 pair[2] = { text_of (build, attrs[i].key), text_of (build, attrs[i].value) };

      g_array_append_vals (build->find->node_pairs, pair, 2);
    }
}

StriaGraphFind *
stria_graph_find_new (StriaGraph *graph)
{
  StriaGraphFind *self = g_new0 (StriaGraphFind, 1);
  StriaStrings *strings = stria_facts_get_strings (stria_graph_get_facts (graph));
  const guint32 n = stria_graph_n_nodes (graph);
  g_autofree guint32 *known = g_new0 (guint32, MAX (stria_strings_size (strings), 1));
  Build build = { self, known };

  self->graph = stria_graph_ref (graph);
  self->blob = g_string_new (NULL);
  self->starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->node_texts = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->node_pairs = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->node_start = g_new (guint32, (gsize) n + 1);
  self->pair_start = g_new (guint32, (gsize) n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      self->node_start[i] = self->node_texts->len;
      self->pair_start[i] = self->node_pairs->len;
      add_node (&build, i);
    }
  self->node_start[n] = self->node_texts->len;
  self->pair_start[n] = self->node_pairs->len;
  self->found = g_malloc0 (MAX (self->starts->len, 1));
  return self;
}

void
stria_graph_find_free (StriaGraphFind *self)
{
  if (self == NULL)
    return;
  g_string_free (self->blob, TRUE);
  g_array_unref (self->starts);
  g_array_unref (self->node_texts);
  g_array_unref (self->node_pairs);
  g_free (self->node_start);
  g_free (self->pair_start);
  g_free (self->found);
  stria_graph_unref (self->graph);
  g_free (self);
}

static gsize
start_of (const StriaGraphFind *self, guint32 text)
{
  return text < self->starts->len ? g_array_index (self->starts, gsize, text) : self->blob->len;
}

/* One pass over all texts: a match ends at the NUL of its text, for no word has one. */
static void
look_for (StriaGraphFind *self, const char *word)
{
  const char *at = self->blob->str;
  const char *const end = at + self->blob->len;
  const gsize length = strlen (word);
  guint32 text = 0;

  while ((at = memmem (at, (gsize) (end - at), word, length)) != NULL)
    {
      const gsize offset = (gsize) (at - self->blob->str);
      guint32 last = self->starts->len;

      /* The text that it is in, by halves from the one before. */
      while (last - text > 1)
        {
          const guint32 middle = text + (last - text) / 2;

          if (start_of (self, middle) <= offset)
            text = middle;
          else
            last = middle;
        }
      self->found[text] |= HAS;
      at = self->blob->str + start_of (self, text + 1);
    }
}

static guint8
is_split (const StriaGraphFind *self, guint32 text, const char *word, const char *colon)
{
  const gsize before = (gsize) (colon - word);
  const gsize behind = strlen (colon + 1);
  const char *at = self->blob->str + start_of (self, text);
  const gsize length = start_of (self, text + 1) - start_of (self, text) - 1;

  return (length >= before && memcmp (at + length - before, word, before) == 0 ? ENDS : 0)
         | (length >= behind && memcmp (at, colon + 1, behind) == 0 ? BEGINS : 0);
}

static void
look_for_pair (StriaGraphFind *self, const char *word, const char *colon)
{
  for (guint32 t = 0; t < self->starts->len; t++)
    self->found[t] |= is_split (self, t, word, colon);
}

static gboolean
has_word (const StriaGraphFind *self, guint32 node, gint64 number, gboolean has_pairs)
{
  const guint32 *texts = (const guint32 *) (gpointer) self->node_texts->data;
  const guint32 *pairs = (const guint32 *) (gpointer) self->node_pairs->data;

  if (number >= 0 && stria_graph_node (self->graph, node)->key == number)
    return TRUE;
  for (guint32 i = self->node_start[node]; i < self->node_start[node + 1]; i++)
    if ((self->found[texts[i]] & HAS) != 0)
      return TRUE;
  for (guint32 i = self->pair_start[node]; i < self->pair_start[node + 1]; i += 2)
    {
      const guint8 key = self->found[pairs[i]];
      const guint8 value = self->found[pairs[i + 1]];

      if (((key | value) & HAS) != 0
          || (has_pairs && (key & ENDS) != 0 && (value & BEGINS) != 0))
        return TRUE;
    }
  return FALSE;
}

static gboolean
text_has (const StriaGraphFind *self, guint32 text, const char *word)
{
  return strstr (self->blob->str + start_of (self, text), word) != NULL;
}

/* The same for few nodes: only their texts are read. */
static gboolean
has_word_itself (const StriaGraphFind *self, guint32 node, const char *word, const char *colon,
                 gint64 number)
{
  const guint32 *texts = (const guint32 *) (gpointer) self->node_texts->data;
  const guint32 *pairs = (const guint32 *) (gpointer) self->node_pairs->data;

  if (number >= 0 && stria_graph_node (self->graph, node)->key == number)
    return TRUE;
  for (guint32 i = self->node_start[node]; i < self->node_start[node + 1]; i++)
    if (text_has (self, texts[i], word))
      return TRUE;
  for (guint32 i = self->pair_start[node]; i < self->pair_start[node + 1]; i += 2)
    if (text_has (self, pairs[i], word) || text_has (self, pairs[i + 1], word)
        || (colon != NULL && (is_split (self, pairs[i], word, colon) & ENDS) != 0
            && (is_split (self, pairs[i + 1], word, colon) & BEGINS) != 0))
      return TRUE;
  return FALSE;
}

static gint64
number_of (const char *word)
{
  char *end = NULL;
  const gint64 number = g_ascii_strtoll (word, &end, 10);

  return g_ascii_isdigit (*word) && *end == '\0' ? number : -1;
}

GArray *
stria_graph_find_run (StriaGraphFind *self, const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text != NULL ? text : "", -1);
  g_auto (GStrv) words = g_strsplit_set (folded, " \t\n", -1);
  const guint32 n = stria_graph_n_nodes (self->graph);
  GArray *nodes = NULL;

  for (guint w = 0, n_words = 0; words[w] != NULL && n_words < MAX_WORDS; w++)
    {
      const char *colon = strchr (words[w], ':');
      const gint64 number = number_of (words[w]);
      GArray *before = nodes;
      gboolean is_few;

      if (words[w][0] == '\0')
        continue;
      n_words++;
      colon = colon != NULL && colon > words[w] ? colon : NULL;
      is_few = before != NULL && before->len <= n / FEW;
      if (!is_few)
        {
          memset (self->found, 0, self->starts->len);
          look_for (self, words[w]);
          if (colon != NULL)
            look_for_pair (self, words[w], colon);
        }
      nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
      for (guint32 i = 0; i < (before != NULL ? before->len : n); i++)
        {
          const guint32 node = before != NULL ? g_array_index (before, guint32, i) : i;

          if (is_few ? has_word_itself (self, node, words[w], colon, number)
                     : has_word (self, node, number, colon != NULL))
            g_array_append_val (nodes, node);
        }
      g_clear_pointer (&before, g_array_unref);
    }
  return nodes != NULL ? nodes : g_array_new (FALSE, FALSE, sizeof (guint32));
}
