/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-export-table.h"

#include <glib/gi18n-lib.h>

#include "cli-json.h"
#include "cli-target.h"
#include "stria-error.h"
#include "stria-table-writer.h"

static gboolean
find_tables (StriaCapture *capture, const char *name, GPtrArray *tables, GPtrArray *artifacts,
             GError **error)
{
  g_autoptr (GPtrArray) all = stria_capture_get_tables (capture);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < all->len; i++)
    {
      const char *other = stria_table_get_name (all->pdata[i]);

      if (g_ascii_strcasecmp (other, name) == 0)
        {
          StriaArtifact *artifact
              = stria_capture_get_artifact (capture, stria_table_get_artifact (all->pdata[i]));

          g_ptr_array_add (tables, stria_table_ref (all->pdata[i]));
          g_ptr_array_add (artifacts, (gpointer) stria_artifact_get_name (artifact));
        }
      if (g_hash_table_add (told, (gpointer) other))
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", other);
    }
  if (tables->len > 0)
    return TRUE;
  if (names->len > 0)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                 _ ("There is no table “%s” in the capture; there are: %s"), name, names->str);
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY, _ ("The capture has no tables of its own"));
  return FALSE;
}

static void
tell (CliContext *context, const char *format, const char *path, const char *table, guint64 n_rows)
{
  CliJson json;

  if (!context->json || path == NULL)
    return;
  cli_json_init (&json, stdout, 1);
  cli_json_begin_object (&json, NULL);
  cli_json_string (&json, "format", format);
  cli_json_string (&json, "path", path);
  cli_json_string (&json, "table", table);
  cli_json_uint (&json, "rows", n_rows);
  cli_json_end_object (&json);
  cli_json_finish (&json);
}

CliExit
cli_export_table (CliContext *context, const char *table, const char *format, const char *output)
{
  g_auto (CliCapture) open = { 0 };
  g_autoptr (GError)  error = NULL;
  g_autoptr (GPtrArray) tables
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
  g_autoptr (GPtrArray) artifacts = g_ptr_array_new ();
  StriaTableFormat   kind;
  CliTarget          target = { 0 };
  guint64            n_rows = 0;
  CliExit            exit;
  gboolean           done;

  if (!stria_table_format_parse (format, &kind))
    return cli_usage (context, _ ("--table needs --format parquet, csv or json"));
  exit = cli_open (context, (const char *const *) context->rest, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  if (!find_tables (open.capture, table, tables, artifacts, &error))
    return cli_fail (context, CLI_USAGE, error);

  done = cli_target_open (&target, output, &error);
  if (done)
    {
      done = stria_table_write (tables, (const char *const *) artifacts->pdata, kind,
                                output != NULL ? output : table, target.file, &n_rows,
                                context->cancellable, &error);
      done = cli_target_close (&target, done, done ? &error : NULL) && done;
    }
  if (done)
    {
      tell (context, format, output, stria_table_get_name (tables->pdata[0]), n_rows);
      return exit;
    }
  if (output == NULL)
    context->json = FALSE;
  return cli_fail (context, CLI_FAILED, error);
}
