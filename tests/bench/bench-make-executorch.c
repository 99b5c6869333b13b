/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench-executorch.h"
#include "stria-error.h"

#define EVENTS_IN_RUN 1000
#define EVENT_BYTES   48 /* a table of Event and one of ProfileEvent */
#define N_KERNELS     64

/* Everything of a dump has its place before it is written: tables of one form, then the texts. */
typedef struct
{
  FILE *file;
  guint64 at;
  guint64 n_runs, n_events;
  guint64 runs, lists, events, texts; /* places */
  guint32 text_at[N_KERNELS + 3];
} Dump;

enum
{
  PROFILE_VTABLE = 12, /* of 8 fields */
  EVENT_VTABLE = PROFILE_VTABLE + 4 + 2 * 8,
  RUN_VTABLE = EVENT_VTABLE + 4 + 2 * 1,
  ROOT_VTABLE = RUN_VTABLE + 4 + 2 * 4,
  ROOT = ROOT_VTABLE + 4 + 2 * 2 + 2, /* on a multiple of 4 */
  RUN_LIST = ROOT + 12,
  RUN_BYTES = 12,
  LIST_BYTES = 4 + 4 * EVENTS_IN_RUN,
};

static void
put (Dump *self, guint64 value, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++)
    putc_unlocked ((int) (value >> (8 * i)) & 0xff, self->file);
  self->at += n_bytes;
}

static void
put_vtable (Dump *self, guint table, const guint *fields, guint n)
{
  put (self, 4 + 2 * n, 2);
  put (self, table, 2);
  for (guint i = 0; i < n; i++)
    put (self, fields[i], 2);
}

static void
put_offset (Dump *self, guint64 to)
{
  put (self, to - self->at, 4);
}

static void
put_text (Dump *self, const char *text)
{
  gsize length = strlen (text);

  put (self, length, 4);
  fwrite (text, 1, length + 1, self->file);
  self->at += length + 1;
  while (self->at % 4 != 0)
    put (self, 0, 1);
}

static void
put_head (Dump *self)
{
  static const guint profile[] = { 4, 8, 12, 0, 0, 0, 16, 24 };
  static const guint event[] = { 4 };
  static const guint run[] = { 4, 0, 0, 8 };
  static const guint root[] = { 0, 4 };

  put (self, self->texts + 4096 - 4, 4);
  put_offset (self, ROOT);
  fwrite ("ED00", 1, 4, self->file);
  self->at += 4;
  put_vtable (self, 32, profile, 8);
  put_vtable (self, 8, event, 1);
  put_vtable (self, RUN_BYTES, run, 4);
  put_vtable (self, 8, root, 2);
  while (self->at < ROOT)
    put (self, 0, 1);
  put (self, ROOT - ROOT_VTABLE, 4);
  put_offset (self, RUN_LIST);
  while (self->at < RUN_LIST)
    put (self, 0, 1);
  put (self, self->n_runs, 4);
  for (guint64 r = 0; r < self->n_runs; r++)
    put_offset (self, self->runs + r * RUN_BYTES);
  for (guint64 r = 0; r < self->n_runs; r++)
    {
      put (self, self->at - RUN_VTABLE, 4);
      put_offset (self, self->text_at[N_KERNELS]);
      put_offset (self, self->lists + r * LIST_BYTES);
    }
  for (guint64 r = 0; r < self->n_runs; r++)
    {
      put (self, EVENTS_IN_RUN, 4);
      for (guint64 i = 0; i < EVENTS_IN_RUN; i++)
        put_offset (self, self->events + (r * EVENTS_IN_RUN + i) * EVENT_BYTES);
    }
  while (self->at < self->events)
    put (self, 0, 1);
}

/* A kernel, the call around it, and at the end the execution around all. */
static void
put_event (Dump *self, guint64 number)
{
  guint64 run = number / EVENTS_IN_RUN, i = number % EVENTS_IN_RUN;
  guint64 begin = run * 100000000 + 1000, start = begin + i / 2 * 1000;
  guint text = i % 2 == 0 ? (guint) (i / 2 % N_KERNELS) : N_KERNELS + 1;
  gint32 chain = 0, instruction = (gint32) (i / 2);
  guint64 end = start + (i % 2 == 0 ? 400 : 500) + run % 100;

  if (i == EVENTS_IN_RUN - 1)
    {
      text = N_KERNELS + 2;
      chain = -1;
      instruction = 0;
      start = begin - 10;
    }
  put (self, self->at - EVENT_VTABLE, 4);
  put (self, 4, 4);
  put (self, self->at - PROFILE_VTABLE, 4);
  put_offset (self, self->text_at[text]);
  put (self, (guint32) chain, 4);
  put (self, (guint32) instruction, 4);
  put (self, start, 8);
  put (self, end, 8);
  put (self, 0, 8);
}

static void
put_texts (Dump *self, gboolean measure)
{
  static const char *const last[] = { "Execute", "OPERATOR_CALL", "Method::execute" };

  for (guint i = 0; i < G_N_ELEMENTS (self->text_at); i++)
    {
      g_autofree char *text = i < N_KERNELS ? g_strdup_printf ("native_call_operator_%02u.out", i)
                                            : g_strdup (last[i - N_KERNELS]);

      if (!measure)
        put_text (self, text);
      else if (i + 1 < G_N_ELEMENTS (self->text_at))
        self->text_at[i + 1]
            = (guint32) (self->text_at[i] + 4 + ((strlen (text) + 1 + 3) & ~(gsize) 3));
    }
}

static gboolean
close_file (FILE *file, const char *path, GError **error)
{
  gboolean good = !ferror (file);

  if (fclose (file) == 0 && good)
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
  return FALSE;
}

static FILE *
open_file (const char *path, GError **error)
{
  FILE *file = fopen (path, "wb");

  if (file == NULL)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
  return file;
}

gboolean
bench_make_dump (const char *path, guint64 n_events, GError **error)
{
  Dump self = { 0 };

  self.n_runs = MAX (n_events / EVENTS_IN_RUN, 1);
  self.n_events = self.n_runs * EVENTS_IN_RUN;
  self.runs = RUN_LIST + 4 + 4 * self.n_runs;
  self.lists = self.runs + self.n_runs * RUN_BYTES;
  self.events = (self.lists + self.n_runs * LIST_BYTES + 7) & ~G_GUINT64_CONSTANT (7);
  self.texts = self.events + self.n_events * EVENT_BYTES;
  self.text_at[0] = (guint32) self.texts;
  put_texts (&self, TRUE);
  self.file = open_file (path, error);
  if (self.file == NULL)
    return FALSE;
  put_head (&self);
  for (guint64 i = 0; i < self.n_events; i++)
    put_event (&self, i);
  put_texts (&self, FALSE);
  while (self.at < self.texts + 4096)
    put (&self, 0, 1);
  return close_file (self.file, path, error);
}

/* -- a record --------------------------------------------------------------------------------- */

static void
append_node (GString *text, guint64 i)
{
  g_string_append_printf (
      text,
      "{\"name\": \"op_%" G_GUINT64_FORMAT "\", \"target\": \"executorch.exir.dialects.edge._ops."
      "aten.operator_%02u.default\", \"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": "
      "{\"name\": \"%s%" G_GUINT64_FORMAT "\"}}}, {\"name\": \"other\", \"arg\": {\"as_tensor\": "
      "{\"name\": \"%s%" G_GUINT64_FORMAT "\"}}}, {\"name\": \"dim\", \"arg\": {\"as_ints\": "
      "[0, 2, 3, 1]}}, {\"name\": \"alpha\", \"arg\": {\"as_float\": 0.018455125391483307}}], "
      "\"outputs\": [{\"as_tensor\": {\"name\": \"op_%" G_GUINT64_FORMAT "\"}}], \"metadata\": {",
      i, (guint) (i % 40), i > 0 ? "op_" : "x", i > 0 ? i - 1 : 0, i > 7 ? "op_" : "x",
      i > 7 ? i - 7 : 0, i);
  g_string_append_printf (
      text,
      "\"stack_trace\": \"  File \\\"/src/models/net.py\\\", line %u, in forward\\n    x = "
      "self.block%u(x)\\n  File \\\"/src/models/block.py\\\", line %u, in forward\\n    return "
      "self.act(self.conv(x))\\n\", \"nn_module_stack\": \"L__self__,,net.Net;L__self___block%u,"
      "block%u,block.Block;L__self___block%u_conv,block%u.conv,torch.nn.modules.conv.Conv2d\", ",
      (guint) (i % 900 + 10), (guint) (i % 500), (guint) (i % 60 + 5), (guint) (i % 500),
      (guint) (i % 500), (guint) (i % 500), (guint) (i % 500));
  g_string_append_printf (
      text,
      "\"source_fn_stack\": \"conv2d_%" G_GUINT64_FORMAT ",torch.nn.functional.conv2d\", "
      "\"torch_fn\": \"conv2d_1;builtin_function_or_method.conv2d\", \"debug_handle\": \"%"
      G_GUINT64_FORMAT "\", \"from_node\": \"[{\\\"name\\\": \\\"op_%" G_GUINT64_FORMAT
      "\\\", \\\"target\\\": \\\"aten.operator.default\\\", \\\"graph_id\\\": 139642004402688, "
      "\\\"pass_name\\\": \\\"ExportedProgram.module().unlift()\\\", \\\"action\\\": \\\"CREATE"
      "\\\", \\\"from_node\\\": []}]\"}}",
      i, i + 1, i);
}

static void
append_tensor (GString *text, const char *prefix, guint64 i)
{
  g_string_append_printf (
      text,
      "\"%s%" G_GUINT64_FORMAT "\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 1}, {\"as_int\": 32}, "
      "{\"as_int\": 112}, {\"as_int\": 112}], \"requires_grad\": false, \"device\": {\"type\": "
      "\"cpu\"}, \"strides\": [{\"as_int\": 401408}, {\"as_int\": 12544}, {\"as_int\": 112}, "
      "{\"as_int\": 1}], \"storage_offset\": {\"as_int\": 0}, \"layout\": 7}",
      prefix, i);
}

static GString *
program_text (guint64 n_nodes)
{
  GString *text = g_string_new ("{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": "
                                "{\"name\": \"x0\"}}], \"outputs\": [{\"as_tensor\": {\"name\": ");

  g_string_append_printf (text, "\"op_%" G_GUINT64_FORMAT "\"}}], \"nodes\": [", n_nodes - 1);
  for (guint64 i = 0; i < n_nodes; i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      append_node (text, i);
    }
  g_string_append (text, "], \"tensor_values\": {");
  append_tensor (text, "x", 0);
  for (guint64 i = 0; i < n_nodes; i++)
    {
      g_string_append (text, ", ");
      append_tensor (text, "op_", i);
    }
  g_string_append (text,
                   "}, \"sym_int_values\": {}, \"sym_bool_values\": {}, "
                   "\"is_single_tensor_return\": false, \"custom_obj_values\": {}}, \"signature\": "
                   "{\"input_specs\": [{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": "
                   "\"x0\"}}}}], \"output_specs\": []}, \"module_call_graph\": []}, "
                   "\"opset_version\": {\"aten\": 10}, \"range_constraints\": {}, "
                   "\"schema_version\": {\"major\": 5, \"minor\": 4}, \"verifiers\": [], "
                   "\"dialect\": \"EDGE\"}");
  return text;
}

static gboolean
add_member (struct archive *zip, const char *name, const char *data, gsize length)
{
  struct archive_entry *entry = archive_entry_new ();
  gboolean good;

  archive_entry_set_pathname (entry, name);
  archive_entry_set_size (entry, (gint64) length);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0644);
  good = archive_write_header (zip, entry) == ARCHIVE_OK
         && archive_write_data (zip, data, length) == (la_ssize_t) length;
  archive_entry_free (entry);
  return good;
}

gboolean
bench_make_record (const char *path, const char *json_path, guint64 n_nodes, GError **error)
{
  g_autoptr (GString) text = program_text (n_nodes);
  g_autoptr (GString) map = g_string_new ("{\"forward\": {");
  struct archive *zip = archive_write_new ();
  gboolean good;

  for (guint64 i = 0; i < n_nodes; i++)
    g_string_append_printf (map, "%s\"%" G_GUINT64_FORMAT "\": %" G_GUINT64_FORMAT,
                            i > 0 ? ", " : "", i, i + 1);
  g_string_append (map, "}}");
  archive_write_set_format_zip (zip);
  archive_write_set_options (zip, "zip:compression=store");
  good = archive_write_open_filename (zip, path) == ARCHIVE_OK
         && add_member (zip, "ETRECORD_V0", "", 0)
         && add_member (zip, "edge_dialect_exported_program/forward", text->str, text->len)
         && add_member (zip, "debug_handle_map", map->str, map->len)
         && add_member (zip, "delegate_map", "{\"forward\": {}}", 15)
         && archive_write_close (zip) == ARCHIVE_OK;
  if (!good)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: %s", path,
                 archive_error_string (zip));
  archive_write_free (zip);
  return good && g_file_set_contents (json_path, text->str, (gssize) text->len, error);
}
