/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli-common.h"
#include "cli-json.h"
#include "cli-table.h"
#include "stria-format.h"

static const char *
severity_title (StriaSeverity severity)
{
  switch (severity)
    {
    case STRIA_SEVERITY_INFO:
      return _ ("info");
    case STRIA_SEVERITY_WARNING:
      return _ ("warning");
    case STRIA_SEVERITY_ERROR:
    default:
      return _ ("error");
    }
}

const char *
cli_state_title (StriaArtifactState state)
{
  switch (state)
    {
    case STRIA_ARTIFACT_WAITING:
      return _ ("not read");
    case STRIA_ARTIFACT_IMPORTING:
      return _ ("being read");
    case STRIA_ARTIFACT_IMPORTED:
      return _ ("imported");
    case STRIA_ARTIFACT_EMPTY:
      return _ ("empty");
    case STRIA_ARTIFACT_UNREADABLE:
      return _ ("unreadable");
    case STRIA_ARTIFACT_REFUSED:
      return _ ("refused");
    case STRIA_ARTIFACT_ALIKE:
      return _ ("same as another");
    case STRIA_ARTIFACT_CANCELLED:
      return _ ("cancelled");
    case STRIA_ARTIFACT_UNKNOWN:
    default:
      return _ ("unknown kind");
    }
}

void
cli_json_notices (CliJson *json, StriaNotices *notices)
{
  g_autoptr (GPtrArray) list = stria_notices_list (notices);

  cli_json_begin_array (json, "notices");
  for (guint i = 0; i < list->len; i++)
    {
      const StriaNotice *notice = g_ptr_array_index (list, i);

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "code", notice->code);
      cli_json_string (json, "severity", stria_severity_name (notice->severity));
      cli_json_string (json, "file", notice->file);
      if (notice->offset >= 0)
        cli_json_int (json, "offset", notice->offset);
      else
        cli_json_null (json, "offset");
      cli_json_uint (json, "count", notice->count);
      cli_json_string (json, "message", notice->message);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

void
cli_print_notices (StriaNotices *notices)
{
  g_autoptr (GPtrArray) list = stria_notices_list (notices);
  CliTable             *table = cli_table_new (stdout);

  cli_table_column (table, _ ("Severity"), FALSE);
  cli_table_column (table, _ ("Code"), FALSE);
  cli_table_column (table, _ ("File"), FALSE);
  cli_table_column (table, _ ("Offset"), TRUE);
  cli_table_column (table, _ ("Cases"), TRUE);
  cli_table_column (table, _ ("First case"), FALSE);
  for (guint i = 0; i < list->len; i++)
    {
      const StriaNotice *notice = g_ptr_array_index (list, i);

      cli_table_cell (table, severity_title (notice->severity));
      cli_table_cell (table, notice->code);
      cli_table_cell (table, notice->file);
      cli_table_take (table, notice->offset < 0
                                 ? g_strdup ("")
                                 : g_strdup_printf ("%" G_GINT64_FORMAT, notice->offset));
      cli_table_take (table, stria_format_count (notice->count));
      cli_table_cell (table, notice->message);
    }
  cli_table_finish (table);
}
