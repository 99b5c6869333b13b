/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-wire.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "cli-table.h"
#include "stria-wire-view.h"

static char *
types_text (guint types)
{
  static const StriaWireType all[]
      = { STRIA_WIRE_VARINT, STRIA_WIRE_FIXED64, STRIA_WIRE_BYTES, STRIA_WIRE_FIXED32 };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if ((types & 1u << all[i]) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "+" : "",
                              stria_wire_type_name (all[i]));
  return g_string_free (text, FALSE);
}

static void
json_line (CliJson *json, const StriaWireLine *line)
{
  g_autofree char *types = types_text (line->types);

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "path", line->path);
  cli_json_string (json, "name", line->name);
  cli_json_string (json, "message", line->message);
  cli_json_string (json, "type", types);
  cli_json_bool (json, "is_message", line->is_message);
  cli_json_uint (json, "count", line->count);
  cli_json_uint (json, "bytes", line->bytes);
  cli_json_uint (json, "least", line->least);
  cli_json_uint (json, "most", line->most);
  cli_json_uint (json, "mismatched", line->mismatched);
  if (line->values != NULL)
    {
      cli_json_begin_array (json, "values");
      for (guint i = 0; i < line->values->len; i++)
        cli_json_trace_text (json, NULL, line->values->pdata[i], strlen (line->values->pdata[i]));
      cli_json_end_array (json);
    }
  cli_json_end_object (json);
}

static void
json_view (CliJson *json, const StriaWireView *view)
{
  cli_json_begin_object (json, "wire");
  cli_json_string (json, "form", stria_wire_form_name (view->form));
  cli_json_string (json, "message", view->message);
  cli_json_string (json, "definitions", view->schema);
  cli_json_uint (json, "version", view->version);
  cli_json_uint (json, "messages", view->n_messages);
  cli_json_uint (json, "message_bytes", view->message_bytes);
  cli_json_uint (json, "other_bytes", view->other_bytes);
  cli_json_string (json, "fault", view->fault);
  if (view->fault != NULL)
    cli_json_uint (json, "fault_at", view->fault_at);
  cli_json_uint (json, "left_out", view->n_left_out);
  cli_json_begin_array (json, "fields");
  for (guint i = 0; i < view->lines->len; i++)
    json_line (json, view->lines->pdata[i]);
  cli_json_end_array (json);
  cli_json_end_object (json);
}

static char *
form_text (const StriaWireView *view)
{
  switch (view->form)
    {
    case STRIA_WIRE_FORM_NTFF:
      return g_strdup_printf (_ ("a header of version %u, one message, and bytes behind it"),
                              view->version);
    case STRIA_WIRE_FORM_VARINT:
      return g_strdup (_ ("messages, each behind its length as a varint"));
    case STRIA_WIRE_FORM_U32:
      return g_strdup (_ ("messages, each behind its length in four bytes"));
    case STRIA_WIRE_FORM_U64:
      return g_strdup (_ ("messages, each behind its length in eight bytes"));
    case STRIA_WIRE_FORM_MESSAGE:
      return g_strdup (_ ("one message"));
    case STRIA_WIRE_FORM_NONE:
    default:
      return g_strdup (_ ("no messages, as far as can be told; this is what is read of the bytes"));
    }
}

static void
print_line (CliTable *table, const StriaWireLine *line, gboolean values)
{
  g_autofree char *types = types_text (line->types);
  g_autofree char *name = line->name != NULL ? cli_printable (line->name) : NULL;

  cli_table_cell (table, line->path);
  cli_table_cell (table, name != NULL ? name : _ ("not known"));
  cli_table_cell (table, line->is_message ? _ ("message") : types);
  cli_table_take (table, g_strdup_printf ("%" PRIu64, line->count));
  cli_table_take (table, g_strdup_printf ("%" PRIu64, line->bytes));
  cli_table_take (table, line->least == line->most
                             ? g_strdup_printf ("%" PRIu64, line->most)
                             : g_strdup_printf ("%" PRIu64 "–%" PRIu64, line->least, line->most));
  cli_table_take (table, line->mismatched > 0
                             ? g_strdup_printf (_ ("%" PRIu64 " of another type"), line->mismatched)
                             : NULL);
  if (values)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint i = 0; line->values != NULL && i < line->values->len; i++)
        g_string_append_printf (text, "%s%s", i > 0 ? " " : "", (char *) line->values->pdata[i]);
      cli_table_take (table, cli_printable (text->str));
    }
}

static void
print_view (const StriaWireView *view, gboolean values)
{
  g_autofree char *form = form_text (view);
  g_autofree char *message = cli_printable (view->message != NULL ? view->message : "");
  g_autofree char *schema = view->schema != NULL ? cli_printable (view->schema) : NULL;
  CliTable *table;

  /* Translators: how the bytes of a file are messages */
  printf (_ ("  Wire view: %s\n"), form);
  if (view->message != NULL)
    printf (_ ("  Names: %s of %s\n"), message,
            schema != NULL ? schema : _ ("the recovered definitions"));
  printf (_ ("  %" PRIu64 " bytes of messages, %" PRIu64 " others\n"), view->message_bytes,
          view->other_bytes);
  if (view->fault != NULL)
    printf (_ ("  At byte %" PRIu64 ": %s\n"), view->fault_at, view->fault);

  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Path"), FALSE);
  cli_table_column (table, _ ("Name"), FALSE);
  cli_table_column (table, _ ("Type"), FALSE);
  cli_table_column (table, _ ("Count"), TRUE);
  cli_table_column (table, _ ("Bytes"), TRUE);
  cli_table_column (table, _ ("Size"), TRUE);
  cli_table_column (table, _ ("Remark"), FALSE);
  if (values)
    cli_table_column (table, _ ("Values"), FALSE);
  for (guint i = 0; i < view->lines->len; i++)
    print_line (table, view->lines->pdata[i], values);
  cli_table_finish (table);
  if (view->n_left_out > 0)
    printf (_ ("  %" PRIu64 " fields more were left out\n"), view->n_left_out);
}

gboolean
cli_wire (CliJson *json, const char *path, gboolean values, GCancellable *cancellable,
          GError **error)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_get_default ();
  g_autoptr (StriaWireView) view
      = stria_wire_view_new_file (schema, path, values, cancellable, error);

  if (view == NULL)
    return FALSE;
  if (json != NULL)
    json_view (json, view);
  else
    print_view (view, values);
  return TRUE;
}
