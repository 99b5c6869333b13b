/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-common.h"
#include "cli-json.h"
#include "cli-table.h"
#include "stria-error.h"
#include "stria-format.h"
#include "stria-query.h"

typedef enum
{
  FORMAT_TABLE,
  FORMAT_CSV,
  FORMAT_JSON,
} Format;

typedef struct
{
  Format    format;
  CliTable *table;
  CliJson   json;
} Output;

/* Returns: (transfer full): a value as people read it; exact */
static char *
value_text (const StriaValue *value)
{
  switch (value->type)
    {
    case STRIA_VALUE_INT:
      return g_strdup_printf ("%" G_GINT64_FORMAT, value->integer);
    case STRIA_VALUE_REAL:
      return stria_format_c_double (value->real);
    case STRIA_VALUE_TEXT:
      return g_strndup (value->text, value->length);
    case STRIA_VALUE_BLOB:
      return g_strdup_printf (_ ("(%zu bytes)"), value->length);
    case STRIA_VALUE_NULL:
    default:
      return NULL;
    }
}

static char *
blob_hex (const StriaValue *value)
{
  static const char digits[] = "0123456789abcdef";
  char             *hex = g_malloc (2 * value->length + 1);

  for (gsize i = 0; i < value->length; i++)
    {
      hex[2 * i] = digits[(guchar) value->text[i] >> 4];
      hex[2 * i + 1] = digits[(guchar) value->text[i] & 15];
    }
  hex[2 * value->length] = '\0';
  return hex;
}

static void
csv_value (gboolean first, const StriaValue *value)
{
  g_autofree char *text = value->type == STRIA_VALUE_BLOB ? blob_hex (value) : value_text (value);

  if (value->type == STRIA_VALUE_TEXT)
    cli_csv_cell (stdout, first, value->text, value->length);
  else
    cli_csv_cell (stdout, first, text == NULL ? "" : text, text == NULL ? 0 : strlen (text));
}

static void
json_value (CliJson *json, const char *column, const StriaValue *value)
{
  g_autofree char *hex = NULL;

  switch (value->type)
    {
    case STRIA_VALUE_INT:
      cli_json_int (json, column, value->integer);
      break;
    case STRIA_VALUE_REAL:
      cli_json_double (json, column, value->real);
      break;
    case STRIA_VALUE_TEXT:
      cli_json_text (json, column, value->text, value->length);
      break;
    case STRIA_VALUE_BLOB:
      hex = blob_hex (value);
      cli_json_string (json, column, hex);
      break;
    case STRIA_VALUE_NULL:
    default:
      cli_json_null (json, column);
    }
}

static void
print_head (Output *output, guint n_columns, const char *const *columns)
{
  for (guint i = 0; i < n_columns && output->format == FORMAT_CSV; i++)
    cli_csv_cell (stdout, i == 0, columns[i], strlen (columns[i]));
  if (output->format == FORMAT_CSV)
    fputs ("\r\n", stdout);

  /* Whether a column holds numbers is known with its values only. */
  for (guint i = 0; i < n_columns && output->format == FORMAT_TABLE; i++)
    cli_table_column (output->table, columns[i], FALSE);
}

static gboolean
print_row (guint              n_columns,
           const char *const *columns,
           const StriaValue  *values,
           gpointer           user_data)
{
  Output *output = user_data;

  if (values == NULL)
    {
      print_head (output, n_columns, columns);
      return TRUE;
    }

  switch (output->format)
    {
    case FORMAT_CSV:
      for (guint i = 0; i < n_columns; i++)
        csv_value (i == 0, &values[i]);
      fputs ("\r\n", stdout);
      break;
    case FORMAT_JSON:
      cli_json_begin_object (&output->json, NULL);
      for (guint i = 0; i < n_columns; i++)
        json_value (&output->json, columns[i], &values[i]);
      cli_json_end_object (&output->json);
      break;
    case FORMAT_TABLE:
    default:
      for (guint i = 0; i < n_columns; i++)
        {
          if (values[i].type == STRIA_VALUE_INT || values[i].type == STRIA_VALUE_REAL)
            cli_table_align_right (output->table, i);
          cli_table_take (output->table, value_text (&values[i]));
        }
    }
  return !ferror (stdout);
}

static gboolean
parse_format (const char *text, gboolean json, Format *format)
{
  *format = json ? FORMAT_JSON : FORMAT_TABLE;
  if (text == NULL)
    return TRUE;
  if (g_str_equal (text, "table"))
    *format = FORMAT_TABLE;
  else if (g_str_equal (text, "csv"))
    *format = FORMAT_CSV;
  else if (g_str_equal (text, "json"))
    *format = FORMAT_JSON;
  else
    return FALSE;
  return TRUE;
}

/* A store of the cache may be named instead of a capture.
 * Returns: (transfer full): path of the store, or NULL with what to exit with in @exit */
static char *
find_store (CliContext *context, const char *name, CliExit *exit)
{
  const char *const   paths[] = { name, NULL };
  g_auto (CliCapture) open = { 0 };
  char               *store;

  *exit = CLI_OK;
  if (g_str_has_suffix (name, ".stria") && g_file_test (name, G_FILE_TEST_IS_REGULAR))
    return g_strdup (name);

  *exit = cli_open (context, paths, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (*exit))
    return NULL;
  store = stria_capture_dup_store_path (open.capture);
  if (store == NULL)
    {
      g_autoptr (GError) error
          = g_error_new (STRIA_ERROR, STRIA_ERROR_STORE,
                         _ ("%s: no store could be written to the cache, so there is nothing to "
                            "query"),
                         name);

      *exit = cli_fail (context, CLI_FAILED, error);
    }
  return store;
}

static CliExit
run_query (CliContext *context, int argc, char **argv)
{
  g_autofree char   *format = NULL;
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &format, N_ ("table (default), csv or json"),
      N_ ("FORMAT") },
    { NULL },
  };
  g_autoptr (GError) error = NULL;
  g_autofree char   *store = NULL;
  Output             output = { 0 };
  CliExit            exit;
  gboolean           done;

  if (!cli_parse (context, &cli_command_query, argc, argv, entries, 2, 2))
    return CLI_USAGE;
  if (!parse_format (format, context->json, &output.format))
    return cli_usage (context, _ ("“%s” is no format; there are table, csv and json"), format);
  if (context->no_store)
    return cli_usage (context, _ ("a query needs the store; --no-store makes none"));
  context->json = output.format == FORMAT_JSON;

  store = find_store (context, context->rest[0], &exit);
  if (store == NULL)
    return exit;

  if (output.format == FORMAT_JSON)
    {
      cli_json_init (&output.json, stdout, 1);
      cli_json_begin_array (&output.json, NULL);
    }
  else if (output.format == FORMAT_TABLE)
    output.table = cli_table_new (stdout);

  done = stria_query (store, context->rest[1], print_row, &output, context->cancellable, &error);

  if (output.format == FORMAT_JSON)
    {
      cli_json_end_array (&output.json);
      cli_json_finish (&output.json);
    }
  else if (output.format == FORMAT_TABLE)
    cli_table_finish (output.table);
  if (!done)
    {
      /* The rows so far are out; an error object behind them would spoil the JSON. */
      context->json = FALSE;
      return cli_fail (context, CLI_FAILED, error);
    }
  return exit;
}

const CliCommand cli_command_query = {
  .name = "query",
  .parameters = N_ ("CAPTURE SQL"),
  .summary = N_ ("Ask the store of a capture in SQL"),
  .run = run_query,
};
