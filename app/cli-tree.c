/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-tree.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-common.h"
#include "cli-table.h"
#include "stria-format.h"
#include "stria-neuron-agreement.h"

static gboolean
has_types (StriaFilesKind kind)
{
  return kind == STRIA_FILES_CAPTURE || kind == STRIA_FILES_NODE || kind == STRIA_FILES_PROCESS
         || kind == STRIA_FILES_SESSION;
}

/* -- text ----------------------------------------------------------------------------------- */

static void
print_indent (guint depth)
{
  printf ("%*s", (int) depth * 2, "");
}

static void
print_title (StriaCaptureTree *tree, guint number, guint depth)
{
  const StriaFiles *group = stria_capture_tree_get (tree, number);
  g_autofree char *title = cli_printable (group->title);
  const struct
  {
    const char *name;
    gint64 value;
  } numbers[] = {
    { "NC", group->nc },
    { "VNC", group->vnc },
    { _ ("session"), group->session },
    { _ ("rank"), group->rank },
    { _ ("execution"), group->exec },
    { _ ("instance"), group->instance_number },
  };

  print_indent (depth);
  printf ("%s%s%s", stria_files_kind_title (group->kind), title[0] != '\0' ? " " : "", title);
  if (group->kind == STRIA_FILES_DEVICE)
    {
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        if (numbers[i].value >= 0)
          printf (", %s %" G_GINT64_FORMAT, numbers[i].name, numbers[i].value);
      printf (": %s", stria_files_state_title (group->state));
      if (group->rule != STRIA_PAIR_NONE)
        printf (" (%s)", stria_pair_rule_title (group->rule));
    }
  else if (has_types (group->kind))
    printf (": %s", stria_profile_types_title (stria_capture_tree_types (tree, number)));
  else if (group->n_alike > 1)
    {
      printf (": ");
      printf (g_dngettext (GETTEXT_PACKAGE, "%u file with the same bytes",
                           "%u files with the same bytes", group->n_alike),
              group->n_alike);
    }
  printf ("\n");
}

static void
print_reason (const char *code, const char *reason, const char *remedy, guint depth)
{
  g_autofree char *printable = reason != NULL ? cli_printable (reason) : NULL;

  if (reason == NULL)
    return;
  print_indent (depth);
  printf ("%s%s%s\n", code != NULL ? code : "", code != NULL ? ": " : "", printable);
  if (remedy == NULL)
    return;
  print_indent (depth + 1);
  printf ("→ %s\n", remedy);
}

static void
print_artifact (StriaArtifact *artifact, guint depth)
{
  g_autofree char *name = cli_printable (stria_artifact_get_name (artifact));
  g_autofree char *size = stria_format_bytes ((gint64) stria_artifact_get_size (artifact));

  print_indent (depth);
  printf ("%s · %s · %s · %s\n", name,
          stria_artifact_get_title (artifact) != NULL ? stria_artifact_get_title (artifact) : "?",
          size, cli_state_title (stria_artifact_get_state (artifact)));
}

static void
print_group (StriaCapture *capture, guint number, guint depth)
{
  StriaCaptureTree *tree = stria_capture_get_tree (capture);
  const StriaFiles *group = stria_capture_tree_get (tree, number);

  print_title (tree, number, depth);
  print_reason (group->code, group->reason, group->remedy, depth + 1);
  for (guint i = 0; i < stria_capture_tree_n_lacks (tree); i++)
    {
      const StriaLack *lack = stria_capture_tree_get_lack (tree, i);

      if (lack->group == number)
        print_reason (NULL, lack->reason, lack->remedy, depth + 1);
    }
  for (guint i = 0; i < group->artifacts->len; i++)
    print_artifact (
        stria_capture_get_artifact (capture, g_array_index (group->artifacts, guint, i)),
        depth + 1);
  for (guint i = 0; i < group->candidates->len; i++)
    {
      StriaArtifact *artifact
          = stria_capture_get_artifact (capture, g_array_index (group->candidates, guint, i));
      g_autofree char *name = cli_printable (stria_artifact_get_name (artifact));

      print_indent (depth + 1);
      printf (_ ("could be %s\n"), name);
    }
  for (guint i = 0; i < group->children->len; i++)
    print_group (capture, g_array_index (group->children, guint, i), depth + 1);
}

void
cli_print_tree (StriaCapture *capture)
{
  if (stria_capture_get_tree (capture) == NULL)
    return;
  printf ("\n%s\n", _ ("Processes and profiles"));
  print_group (capture, 0, 0);
}

/* -- JSON ----------------------------------------------------------------------------------- */

static void
json_names (CliJson *json, const char *key, StriaCapture *capture, GArray *artifacts)
{
  cli_json_begin_array (json, key);
  for (guint i = 0; i < artifacts->len; i++)
    cli_json_string (json, NULL,
                     stria_artifact_get_name (stria_capture_get_artifact (
                         capture, g_array_index (artifacts, guint, i))));
  cli_json_end_array (json);
}

static void
json_number (CliJson *json, const char *key, gint64 value)
{
  if (value >= 0)
    cli_json_int (json, key, value);
}

static void
json_group (CliJson *json, StriaCapture *capture, guint number)
{
  StriaCaptureTree *tree = stria_capture_get_tree (capture);
  const StriaFiles *group = stria_capture_tree_get (tree, number);

  cli_json_begin_object (json, NULL);
  cli_json_uint (json, "id", number);
  if (group->parent != STRIA_NO_GROUP)
    cli_json_uint (json, "parent", group->parent);
  else
    cli_json_null (json, "parent");
  cli_json_string (json, "kind", stria_files_kind_name (group->kind));
  cli_json_string (json, "title", group->title);
  cli_json_string (json, "state", stria_files_state_name (group->state));
  if (has_types (group->kind))
    cli_json_string (json, "types", stria_profile_types_name (stria_capture_tree_types (tree, number)));
  if (group->kind == STRIA_FILES_DEVICE)
    cli_json_string (json, "rule", stria_pair_rule_name (group->rule));
  cli_json_string (json, "code", group->code);
  cli_json_string (json, "reason", group->reason);
  cli_json_string (json, "remedy", group->remedy);
  json_number (json, "pid", group->pid);
  json_number (json, "nc", group->nc);
  json_number (json, "vnc", group->vnc);
  json_number (json, "session", group->session);
  json_number (json, "rank", group->rank);
  json_number (json, "exec", group->exec);
  json_number (json, "instance_number", group->instance_number);
  if (group->n_alike > 0)
    cli_json_uint (json, "n_alike", group->n_alike);
  json_names (json, "artifacts", capture, group->artifacts);
  json_names (json, "candidates", capture, group->candidates);
  cli_json_end_object (json);
}

void
cli_json_tree (CliJson *json, StriaCapture *capture)
{
  StriaCaptureTree *tree = stria_capture_get_tree (capture);

  if (tree == NULL)
    {
      cli_json_null (json, "tree");
      return;
    }
  cli_json_begin_object (json, "tree");
  cli_json_begin_array (json, "groups");
  for (guint g = 0; g < stria_capture_tree_size (tree); g++)
    json_group (json, capture, g);
  cli_json_end_array (json);
  cli_json_begin_array (json, "lacks");
  for (guint i = 0; i < stria_capture_tree_n_lacks (tree); i++)
    {
      const StriaLack *lack = stria_capture_tree_get_lack (tree, i);

      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "group", lack->group);
      cli_json_string (json, "code", lack->code);
      cli_json_string (json, "reason", lack->reason);
      cli_json_string (json, "remedy", lack->remedy);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_end_object (json);
}

/* -- agreement ------------------------------------------------------------------------------ */

void
cli_print_agreement (StriaCapture *capture)
{
  g_autoptr (GPtrArray) all = stria_neuron_agreement (capture, NULL);
  CliTable *table;

  if (all->len == 0)
    return;
  printf ("\n%s\n", _ ("Exports beside the raw files that they were made from"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Export"), FALSE);
  cli_table_column (table, _ ("Raw file"), FALSE);
  cli_table_column (table, _ ("Engine"), FALSE);
  cli_table_column (table, _ ("Instructions, raw"), TRUE);
  cli_table_column (table, _ ("Instructions, export"), TRUE);
  cli_table_column (table, _ ("Time, raw"), TRUE);
  cli_table_column (table, _ ("Time, export"), TRUE);
  cli_table_column (table, "", FALSE);
  for (guint i = 0; i < all->len; i++)
    {
      const StriaAgreement *row = all->pdata[i];
      gboolean is_whole = row->engine == NULL;

      cli_table_cell (table, row->exported);
      cli_table_cell (table, row->raw);
      cli_table_cell (table, is_whole ? _ ("(all)") : row->engine);
      cli_table_take (table, stria_format_count (row->n_raw));
      cli_table_take (table, stria_format_count (row->n_exported));
      cli_table_take (table,
                      is_whole ? stria_format_duration (row->span_raw_ns, 6) : g_strdup (""));
      cli_table_take (table,
                      is_whole ? stria_format_duration (row->span_exported_ns, 6) : g_strdup (""));
      cli_table_cell (table,
                      row->n_raw == row->n_exported && row->span_raw_ns == row->span_exported_ns
                          ? _ ("the same")
                          : _ ("differs"));
    }
  cli_table_finish (table);
}

void
cli_json_agreement (CliJson *json, StriaCapture *capture)
{
  g_autoptr (GPtrArray) all = stria_neuron_agreement (capture, NULL);

  cli_json_begin_array (json, "agreement");
  for (guint i = 0; i < all->len; i++)
    {
      const StriaAgreement *row = all->pdata[i];

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "export", row->exported);
      cli_json_string (json, "raw", row->raw);
      cli_json_bool (json, "by_name", row->by_name);
      cli_json_string (json, "engine", row->engine);
      cli_json_uint (json, "raw_instructions", row->n_raw);
      cli_json_uint (json, "export_instructions", row->n_exported);
      if (row->engine == NULL)
        {
          cli_json_int (json, "raw_ns", row->span_raw_ns);
          cli_json_int (json, "export_ns", row->span_exported_ns);
        }
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}
