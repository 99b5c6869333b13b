/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-tables.h"

#include <glib/gi18n-lib.h>

#include "cli-table.h"
#include "stria-format.h"
#include "stria-table.h"

static const char *const type_names[] = { "int", "real", "bool", "text" };

void
cli_print_tables (StriaCapture *capture)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);
  CliTable             *out;

  if (tables->len == 0)
    return;
  printf ("\n%s\n", _ ("Tables"));
  out = cli_table_new (stdout);
  cli_table_column (out, _ ("Table"), FALSE);
  cli_table_column (out, _ ("Rows"), TRUE);
  cli_table_column (out, _ ("Columns"), TRUE);
  cli_table_column (out, _ ("Artifact"), FALSE);
  for (guint i = 0; i < tables->len; i++)
    {
      StriaTable    *table = tables->pdata[i];
      StriaArtifact *artifact
          = stria_capture_get_artifact (capture, stria_table_get_artifact (table));

      cli_table_take (out, cli_printable (stria_table_get_name (table)));
      cli_table_take (out, stria_format_count (stria_table_get_n_rows (table)));
      cli_table_take (out, stria_format_count (stria_table_get_n_columns (table)));
      cli_table_take (out, cli_printable (stria_artifact_get_name (artifact)));
    }
  cli_table_finish (out);
}

void
cli_json_tables (CliJson *json, StriaCapture *capture)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);

  if (tables->len == 0)
    return;
  cli_json_begin_array (json, "tables");
  for (guint i = 0; i < tables->len; i++)
    {
      StriaTable *table = tables->pdata[i];

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "name", stria_table_get_name (table));
      cli_json_uint (json, "artifact", stria_table_get_artifact (table));
      cli_json_uint (json, "rows", stria_table_get_n_rows (table));
      cli_json_begin_array (json, "columns");
      for (guint c = 0; c < stria_table_get_n_columns (table); c++)
        {
          const StriaColumnInfo *info = stria_table_get_column (table, c);

          cli_json_begin_object (json, NULL);
          cli_json_string (json, "name", info->name);
          cli_json_string (json, "type", type_names[info->type]);
          if (info->unit != NULL && info->unit[0] != '\0')
            cli_json_string (json, "unit", info->unit);
          if (info->note != NULL && info->note[0] != '\0')
            cli_json_string (json, "note", info->note);
          cli_json_end_object (json);
        }
      cli_json_end_array (json);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}
