/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as a pickle, or as JSON, in one block and in small ones, which must come to the
 * same: the same values, the same rows, the same error. */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-pickle.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* A client that makes rows of dicts with three keys, and takes lists of rows. */
typedef struct
{
  GHashTable *ids;
  GPtrArray  *texts;
  guint64     n_rows;
  guint64     n_taken;
  guint64     n_opaque;
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

static StriaDatum
dict (gpointer data, StriaDatum under, const StriaDatumPair *pairs, gsize n)
{
  Client *self = data;

  if (n != 3)
    return 0;
  return stria_datum (STRIA_VALUE_KIND_ROW, self->n_rows++);
}

static gboolean
append (gpointer data, guint64 list, const StriaDatum *items, gsize n)
{
  Client *self = data;

  for (gsize i = 0; i < n; i++)
    if (stria_datum_kind (items[i]) != STRIA_VALUE_KIND_ROW)
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
  const StriaValuesClient functions = { intern, text, dict, append, opaque };
  Result                  result = {
    .client = { g_hash_table_new_full (g_str_hash, g_str_equal, NULL, NULL),
                g_ptr_array_new_with_free_func (g_free), 0, 0, 0 },
  };
  g_autoptr (GBytes)      bytes = g_bytes_new_static (data, size);
  g_autoptr (StriaSource) source = stria_source_new_bytes ("fuzz.pickle", bytes, &result.error);
  g_autoptr (GString)     out = g_string_new (NULL);
  StriaValues            *values;
  gboolean                good;

  if (source == NULL)
    return result;
  stria_source_set_block_size (source, block);
  values = stria_values_new (&functions, &result.client);
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
