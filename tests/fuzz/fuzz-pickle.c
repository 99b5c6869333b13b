/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as a pickle, or as JSON, in one block and in small ones, which must come to the
 * same: the same values, the same rows, the same error. */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-pickle.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* The type of rows that are read as a list of them */
#define LISTED 1

/* A client that makes rows of dicts with three keys, takes lists of rows, and makes rows of lists
 * that hold only such as it takes none of. */
typedef struct
{
  StriaValues *values;
  GHashTable *ids;
  GPtrArray  *texts;
  guint64     n_rows;
  guint64     n_taken;
  guint64     n_opaque;
  guint64     n_listed;
  guint64     sum_listed;
} Client;

static guint32
intern (gpointer data, const char *text, gsize length)
{
  Client         *self = data;
  g_autofree char *copy = g_strndup (text, length);
  gpointer        known = g_hash_table_lookup (self->ids, copy);

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  g_ptr_array_add (self->texts, copy);
  g_hash_table_insert (self->ids, g_steal_pointer (&copy), GUINT_TO_POINTER (self->texts->len));
  return self->texts->len - 1;
}

static const char *
text (gpointer data, guint32 id)
{
  Client *self = data;

  g_assert_cmpuint (id, <, self->texts->len);
  return self->texts->pdata[id];
}

static gboolean
is_listed (StriaDatum value)
{
  return stria_datum_kind (value) == STRIA_VALUE_KIND_ROW
         && (stria_datum_payload (value) & 7) == LISTED;
}

/* A list of listed rows comes to the same whether it was kept as rows or as any list. */
static void
read_list (Client *self, StriaDatum list)
{
  gsize             n;
  guint64           sum = 0;
  const guint32    *rows = stria_values_rows (self->values, list, &n);
  const StriaDatum *items;

  if (rows != NULL)
    for (gsize i = 0; i < n; i++)
      sum = sum * 31 + (rows[i] >> STRIA_LISTED_SHIFT);
  else
    {
      items = stria_values_list (self->values, list, &n);
      for (gsize i = 0; i < n; i++)
        {
          StriaDatum item = stria_values_resolve (self->values, items[i]);

          if (!is_listed (item))
            return;
          sum = sum * 31 + (stria_datum_payload (item) >> 3);
        }
    }
  if (n == 0)
    return;
  self->n_listed += n;
  self->sum_listed = self->sum_listed * 37 + sum;
  stria_values_replace_list (self->values, list,
                             stria_datum (STRIA_VALUE_KIND_ROW, sum % 1000 * 8));
}

static StriaDatum
dict (gpointer data, StriaDatum under, const StriaDatumPair *pairs, gsize n)
{
  Client *self = data;

  if (n != 3)
    return 0;
  for (gsize i = 0; i < n; i++)
    read_list (self, pairs[i].value);
  return stria_datum (STRIA_VALUE_KIND_ROW, self->n_rows++);
}

static gboolean
append (gpointer data, guint64 list, const StriaDatum *items, gsize n)
{
  Client *self = data;

  for (gsize i = 0; i < n; i++)
    if (stria_datum_kind (items[i]) != STRIA_VALUE_KIND_ROW || is_listed (items[i]))
      return FALSE;
  self->n_taken += n;
  return n > 0;
}

static void
opaque (gpointer data, const char *what)
{
  Client *self = data;

  g_assert_nonnull (what);
  self->n_opaque++;
}

typedef struct
{
  Client   client;
  char    *json;
  GError  *error;
  gboolean cut;
} Result;

static Result
read_values (const guint8 *data, gsize size, gsize block, gboolean is_json)
{
  const StriaValuesClient functions = { intern, text, dict, append, opaque, LISTED };
  Result                  result = {
    .client = { .ids = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, NULL),
                .texts = g_ptr_array_new_with_free_func (g_free) },
  };
  g_autoptr (GBytes)      bytes = g_bytes_new_static (data, size);
  g_autoptr (StriaSource) source = stria_source_new_bytes ("fuzz.pickle", bytes, &result.error);
  g_autoptr (GString)     out = g_string_new (NULL);
  StriaValues            *values;
  gboolean                good;

  if (source == NULL)
    return result;
  stria_source_set_block_size (source, block);
  values = result.client.values = stria_values_new (&functions, &result.client);
  good = (is_json ? stria_json_read_values : stria_pickle_read) (
      source, values, "fuzz.pickle", &result.cut, NULL, NULL, NULL, &result.error);
  g_assert_true (good == (result.error == NULL));
  if (result.error != NULL)
    g_assert_true (result.error->domain == STRIA_ERROR && result.error->message[0] != '\0');
  stria_values_to_json (values, stria_values_top (values), out, 10000);
  g_assert_cmpuint (out->len, <, 200000 + 10 * size);
  result.json = g_string_free (g_steal_pointer (&out), FALSE);
  stria_values_free (values);
  return result;
}

static void
clear_result (Result *result)
{
  g_hash_table_unref (result->client.ids);
  g_ptr_array_unref (result->client.texts);
  g_free (result->json);
  g_clear_error (&result->error);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const gsize blocks[] = { 1, 2, 5, 63 };
  gboolean           is_json = size > 0 && (data[0] == '{' || data[0] == '[');
  Result             whole;
  Result             parts;
  gsize              block;

  if (size == 0)
    return 0;
  /* Each block is handed over by a thread: few of them are enough for a long input. */
  block = MAX (blocks[data[size - 1] % G_N_ELEMENTS (blocks)], size / 24);
  whole = read_values (data, size, 1 << 20, is_json);
  parts = read_values (data, size, block, is_json);
  g_assert_cmpstr (whole.json, ==, parts.json);
  g_assert_cmpuint (whole.client.n_rows, ==, parts.client.n_rows);
  g_assert_cmpuint (whole.client.n_taken, ==, parts.client.n_taken);
  g_assert_cmpuint (whole.client.n_opaque, ==, parts.client.n_opaque);
  g_assert_cmpuint (whole.client.n_listed, ==, parts.client.n_listed);
  g_assert_cmpuint (whole.client.sum_listed, ==, parts.client.sum_listed);
  g_assert_cmpint (whole.cut, ==, parts.cut);
  g_assert_cmpint (whole.error != NULL, ==, parts.error != NULL);
  if (whole.error != NULL)
    g_assert_cmpint (whole.error->code, ==, parts.error->code);
  if (whole.error != NULL && !is_json)
    g_assert_cmpstr (whole.error->message, ==, parts.error->message);
  clear_result (&whole);
  clear_result (&parts);
  return 0;
}
