/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "stria-error.h"
#include "stria-json-text.h"
#include "stria-neuron-json-private.h"
#include "stria-neuron-json.h"

#define MAX_DEPTH 200
/* Bytes of one row, or of a member that is kept as JSON */
#define MAX_ROW (32 << 20)

/* -- the document ---------------------------------------------------------------------------- */

typedef enum
{
  AT_ROOT,   /* before the document */
  IN_ROOT,   /* among its members */
  IN_ROWS,   /* in the list of a member */
  IN_ROW,
  IN_INNER,  /* among the arguments of a row, which count as its own */
  IN_NESTED, /* a value of a row that is kept as JSON */
} State;

typedef struct
{
  StriaDecodeContext *context;
  StriaSink *sink;
  StriaNeuronEmitter *emitter;
  State state;
  State before; /* the nested value */
  guint depth;  /* containers open in the nested value */
  char *member; /* of the root */
  const NeuronJsonPlace *place;
  gboolean single; /* the member is one row, not a list */
  NeuronJsonTable *table;
  GHashTable *tables; /* name -> NeuronJsonTable */
  GPtrArray *in_order;
  NeuronJsonFetch *fetch;
  NeuronJsonRow row;
  guint column; /* of the value that comes */
  gboolean wants_inner;
  GString *nested;
  gboolean need_comma;
  guint64 n_rows;
  guint64 n_elements; /* of lists, which are no rows */
  GError *error;

  /* Instructions against the summary's time (documented in nanoseconds; one reader takes them for
   * more) */
  gint64 first_ns;
  gint64 last_ns;
  double total_time;
} Document;

static gboolean
go_on (Document *self)
{
  if (self->row.text->len <= MAX_ROW && self->nested->len <= MAX_ROW)
    return TRUE;
  self->error = g_error_new (STRIA_ERROR, STRIA_ERROR_LIMIT,
                             _("%s: expected rows of at most %d bytes, found a longer one"),
                             self->context->name, MAX_ROW);
  return FALSE;
}

static NeuronJsonTable *
open_table (Document *self, const char *name, const NeuronJsonName *names)
{
  NeuronJsonTable *table = g_hash_table_lookup (self->tables, name);

  if (table == NULL)
    {
      table = neuron_json_table_new (self->emitter, name, names);
      g_hash_table_insert (self->tables, (gpointer) neuron_json_table_name (table), table);
      g_ptr_array_add (self->in_order, table);
    }
  return table;
}

static guint
column_of (NeuronJsonTable *table, const char *name)
{
  return neuron_json_table_column (table, name, strlen (name));
}

/* Source and core of an event, which older exports say in one word: "nrt-nc-000", "framework-77" */
static void
add_source (Document *self)
{
  const NeuronJsonCell *group
      = neuron_json_row_find (&self->row, column_of (self->table, "group"));
  const NeuronJsonCell *name = neuron_json_row_find (&self->row, column_of (self->table, "name"));
  guint source = column_of (self->table, "trace_event_source");
  guint core = column_of (self->table, "nc_idx");
  g_autofree char *text = group != NULL && group->kind == NEURON_JSON_TEXT
                              ? g_strndup (self->row.text->str + group->offset, group->length)
                              : NULL;
  g_autofree char *title = name != NULL && name->kind == NEURON_JSON_TEXT
                               ? g_strndup (self->row.text->str + name->offset, name->length)
                               : g_strdup ("");
  const char *found = NULL;

  if (text != NULL && g_str_has_prefix (text, "nrt-nc-")
      && neuron_json_row_find (&self->row, core) == NULL && g_ascii_isdigit (text[7]))
    neuron_json_row_int (&self->row, core, g_ascii_strtoll (text + 7, NULL, 10));
  if (neuron_json_row_find (&self->row, source) != NULL)
    return;
  if (text != NULL && g_str_has_prefix (text, "framework"))
    found = "framework";
  else if (text != NULL && g_str_has_prefix (text, "nrt"))
    found = neuron_json_source_of (title);
  else if (text == NULL)
    found = neuron_json_source_of (title);
  if (found != NULL)
    neuron_json_row_text (&self->row, source, found, strlen (found), NEURON_JSON_TEXT);
}

static void
look_at_times (Document *self)
{
  gint64 start, duration, end;

  if (!neuron_json_cell_int (&self->row,
                             neuron_json_row_find (&self->row, column_of (self->table, "start_ts")),
                             &start))
    return;
  if (!neuron_json_cell_int (
          &self->row, neuron_json_row_find (&self->row, column_of (self->table, "duration_ns")),
          &duration)
      || __builtin_add_overflow (start, duration, &end))
    end = start;
  self->first_ns = MIN (self->first_ns, start);
  self->last_ns = MAX (self->last_ns, end);
}

static void
end_row (Document *self)
{
  const char *name = neuron_json_table_name (self->table);

  if (self->single && self->place == NULL
      && neuron_json_row_find (&self->row, column_of (self->table, "total_time")) != NULL)
    {
      /* Summaries by the names of their profiles (seen in public code) */
      NeuronJsonTable *summary = open_table (self, "Summary", NULL);
      GArray *cells = self->row.cells;

      /* The columns of this row were told by a table of its own. */
      for (guint i = 0; i < cells->len; i++)
        {
          NeuronJsonCell *cell = &g_array_index (cells, NeuronJsonCell, i);
          cell->column = neuron_json_table_alias (self->table, summary, cell->column);
        }
      neuron_json_row_text (&self->row, column_of (summary, "profile"), self->member,
                            strlen (self->member), NEURON_JSON_TEXT);
      self->table = summary;
      name = "Summary";
    }
  if (g_str_equal (name, "Instruction"))
    look_at_times (self);
  else if (g_str_equal (name, "Summary"))
    {
      const NeuronJsonCell *cell
          = neuron_json_row_find (&self->row, column_of (self->table, "total_time"));
      double total;

      if (neuron_json_cell_real (&self->row, cell, &total))
        self->total_time = total;
    }
  if (self->fetch != NULL && self->place != NULL && g_str_equal (self->place->key, "events"))
    neuron_json_fetch_add (self->fetch, self->table, &self->row);
  else
    {
      if (self->place != NULL && self->place->is_events)
        add_source (self);
      if (self->row.cells->len > 0)
        neuron_json_table_add (self->table, &self->row);
    }
  self->n_rows++;
  g_array_set_size (self->row.cells, 0);
  g_string_truncate (self->row.text, 0);
}

/* -- what yajl says -------------------------------------------------------------------------- */

static void
nested_comma (Document *self)
{
  if (self->need_comma)
    g_string_append_c (self->nested, ',');
  self->need_comma = TRUE;
}

static int
take_value (Document *self, const char *text, gsize length, NeuronJsonKind kind)
{
  switch (self->state)
    {
    case IN_ROW:
    case IN_INNER:
      if (self->wants_inner && self->state == IN_ROW)
        self->column = column_of (self->table, "args");
      if (kind == NEURON_JSON_INT)
        neuron_json_row_number (&self->row, self->column, text, length);
      else
        neuron_json_row_text (&self->row, self->column, text, length, kind);
      break;
    case IN_NESTED:
      nested_comma (self);
      if (kind == NEURON_JSON_TEXT)
        stria_json_append_text (self->nested, text, (gssize) length);
      else
        g_string_append_len (self->nested, text, (gssize) length);
      break;
    case IN_ROOT:
      /* A lone value beside the lists is a fact about the whole. */
      if (self->member != NULL && kind != NEURON_JSON_NULL && length < 4096)
        {
          g_autofree char *key = g_strconcat ("neuron_", self->member, NULL);
          g_autoptr (GString) json = g_string_new (NULL);

          if (kind == NEURON_JSON_TEXT)
            stria_json_append_text (json, text, (gssize) length);
          else
            g_string_append_len (json, text, (gssize) length);
          self->sink->meta (self->sink, key, json->str, json->len);
        }
      break;
    default:
      self->n_elements++;
      break;
    }
  return go_on (self);
}

static int
on_null (void *data)
{
  return take_value (data, "null", 4, NEURON_JSON_NULL);
}

static int
on_boolean (void *data, int value)
{
  return take_value (data, value ? "true" : "false", value ? 4 : 5, NEURON_JSON_BOOL);
}

static int
on_number (void *data, const char *digits, size_t length)
{
  return take_value (data, digits, length, NEURON_JSON_INT);
}

static int
on_string (void *data, const unsigned char *text, size_t length)
{
  return take_value (data, (const char *) text, length, NEURON_JSON_TEXT);
}

static void
begin_rows (Document *self, gboolean single)
{
  const char *name;

  self->place = neuron_json_place (self->member);
  self->single = single;
  name = self->place != NULL ? self->place->table : self->member;
  if (self->place != NULL && g_str_equal (self->place->key, "events"))
    {
      if (self->fetch == NULL)
        self->fetch = neuron_json_fetch_new (self->emitter);
      name = "\x1f" "events"; /* only tells the columns apart */
    }
  self->table = open_table (self, name, self->place != NULL ? self->place->names : NULL);
}

static int
begin_nested (Document *self, char bracket)
{
  if (self->state == IN_NESTED)
    nested_comma (self);
  else
    {
      self->before = self->state;
      self->depth = 0;
      g_string_truncate (self->nested, 0);
    }
  self->state = IN_NESTED;
  self->need_comma = FALSE;
  g_string_append_c (self->nested, bracket);
  if (++self->depth > MAX_DEPTH)
    {
      self->error = g_error_new (STRIA_ERROR, STRIA_ERROR_LIMIT,
                                 _("%s: expected at most %d levels, found more"),
                                 self->context->name, MAX_DEPTH);
      return 0;
    }
  return go_on (self);
}

static int
end_nested (Document *self, char bracket)
{
  g_string_append_c (self->nested, bracket);
  self->need_comma = TRUE;
  if (--self->depth > 0)
    return go_on (self);
  self->state = self->before;
  if (self->state == IN_ROW || self->state == IN_INNER)
    neuron_json_row_text (&self->row, self->column, self->nested->str, self->nested->len,
                          NEURON_JSON_NESTED);
  else
    self->n_elements++;
  g_string_truncate (self->nested, 0);
  return go_on (self);
}

static int
on_start_map (void *data)
{
  Document *self = data;

  switch (self->state)
    {
    case AT_ROOT:
      self->state = IN_ROOT;
      return 1;
    case IN_ROOT:
      begin_rows (self, TRUE);
      self->state = IN_ROW;
      return 1;
    case IN_ROWS:
      self->state = IN_ROW;
      return 1;
    case IN_ROW:
      if (self->wants_inner)
        {
          self->wants_inner = FALSE;
          self->state = IN_INNER;
          return 1;
        }
      return begin_nested (self, '{');
    default:
      return begin_nested (self, '{');
    }
}

static int
on_map_key (void *data, const unsigned char *key, size_t length)
{
  Document *self = data;

  if (self->state == IN_NESTED)
    {
      nested_comma (self);
      stria_json_append_text (self->nested, (const char *) key, (gssize) length);
      g_string_append_c (self->nested, ':');
      self->need_comma = FALSE;
    }
  else if (self->state == IN_ROOT)
    {
      g_free (self->member);
      self->member = g_utf8_make_valid ((const char *) key, (gssize) MIN (length, 4096));
    }
  else
    {
      /* Newer events have some of their members under "args" (seen in public code). */
      self->wants_inner = self->state == IN_ROW && self->place != NULL
                          && self->place->is_events && length == 4
                          && memcmp (key, "args", 4) == 0;
      if (!self->wants_inner)
        self->column
            = neuron_json_table_column (self->table, (const char *) key, MIN (length, 4096));
    }
  return 1;
}

static int
on_end_map (void *data)
{
  Document *self = data;

  switch (self->state)
    {
    case IN_NESTED:
      return end_nested (self, '}');
    case IN_INNER:
      self->state = IN_ROW;
      return 1;
    case IN_ROW:
      end_row (self);
      self->state = self->single ? IN_ROOT : IN_ROWS;
      return 1;
    default:
      self->state = AT_ROOT;
      return 1;
    }
}

static int
on_start_array (void *data)
{
  Document *self = data;

  if (self->state == AT_ROOT)
    {
      /* A bare list of summaries */
      g_free (self->member);
      self->member = g_strdup ("summary");
    }
  else if (self->state != IN_ROOT)
    {
      if (self->wants_inner && self->state == IN_ROW)
        self->column = column_of (self->table, "args");
      return begin_nested (self, '[');
    }
  begin_rows (self, FALSE);
  self->state = IN_ROWS;
  return 1;
}

static int
on_end_array (void *data)
{
  Document *self = data;

  if (self->state == IN_NESTED)
    return end_nested (self, ']');
  self->state = IN_ROOT;
  return 1;
}

static const yajl_callbacks callbacks = {
  .yajl_null = on_null,
  .yajl_boolean = on_boolean,
  .yajl_number = on_number,
  .yajl_string = on_string,
  .yajl_start_map = on_start_map,
  .yajl_map_key = on_map_key,
  .yajl_end_map = on_end_map,
  .yajl_start_array = on_start_array,
  .yajl_end_array = on_end_array,
};

/* -- the decoder ----------------------------------------------------------------------------- */

static void
set_syntax_error (Document *self, yajl_handle handle, guint64 offset)
{
  if (self->error == NULL)
    self->error = g_error_new (STRIA_ERROR, STRIA_ERROR_MALFORMED,
                               _("%s, byte %" PRIu64 ": expected JSON, found something else"),
                               self->context->name, offset + yajl_get_bytes_consumed (handle));
}

static gboolean
parse (Document *self, StriaSource *source, GError **error)
{
  yajl_handle handle = yajl_alloc (&callbacks, NULL, self);
  StriaDecodeContext *context = self->context;
  guint64 offset = 0;
  gboolean ok = TRUE;

  yajl_config (handle, yajl_dont_validate_strings, 1);
  while (ok && self->error == NULL)
    {
      const guint8 *data;
      gsize length;

      if (g_cancellable_set_error_if_cancelled (context->cancellable, error))
        {
          ok = FALSE;
          break;
        }
      if (!stria_source_read (source, &data, &length, &self->error) || length == 0)
        break;
      if (yajl_parse (handle, data, length) != yajl_status_ok)
        set_syntax_error (self, handle, offset);
      offset += length;
      if (context->progress != NULL)
        context->progress (offset, self->n_rows, context->user_data);
    }
  if (ok && self->error == NULL && yajl_complete_parse (handle) != yajl_status_ok)
    self->error = g_error_new (STRIA_ERROR, STRIA_ERROR_TRUNCATED,
                               _("%s: expected more JSON behind byte %" PRIu64 ", found the end"),
                               context->name, offset);
  yajl_free (handle);
  return ok;
}

/* Times are documented as nanoseconds; one public reader takes them for microseconds. The summary's
 * seconds tell which of the two fits. */
static void
compare_times (Document *self)
{
  double span = self->last_ns > self->first_ns ? (double) self->last_ns - (double) self->first_ns
                                               : 0;
  double total = self->total_time * 1e9;

  if (!(total > 0) || !(span > 0))
    return;
  if (span > total * 1.05)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "neuron-time-unit",
                       self->context->name, -1,
                       _("Instructions span %.9g s if times are nanoseconds, as documented; the "
                         "summary says %.9g s"),
                       span / 1e9, self->total_time);
  else if (span * 1000 <= total * 1.05 && span * 1000 > total * 0.5)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "neuron-time-unit",
                       self->context->name, -1,
                       _("Instructions span %.9g s if times are nanoseconds, as documented; as "
                         "microseconds they would fit the summary's %.9g s. They are shown as "
                         "nanoseconds"),
                       span / 1e9, self->total_time);
}

static void
finish_tables (Document *self)
{
  guint64 n_stops = 0, n_starts = 0;

  if (self->fetch != NULL)
    neuron_json_fetch_free (self->fetch, &n_stops, &n_starts);
  g_hash_table_unref (self->tables);
  g_ptr_array_unref (self->in_order);
  if (n_stops > 0)
    stria_notices_count (self->context->notices, STRIA_SEVERITY_WARNING,
                         "neuron-stop-without-start", self->context->name, -1, n_stops,
                         _("An event stops that did not start; it was left out"));
  if (n_starts > 0)
    stria_notices_count (self->context->notices, STRIA_SEVERITY_INFO, "neuron-start-without-stop",
                         self->context->name, -1, n_starts,
                         _("An event starts and does not stop; it has no length"));
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_autofree char *title = g_strdup (context->name);
  Document self = {
    .context = context,
    .sink = sink,
    .row = { g_array_new (FALSE, FALSE, sizeof (NeuronJsonCell)), g_string_new (NULL) },
    .nested = g_string_new (NULL),
    .first_ns = G_MAXINT64,
    .last_ns = G_MININT64,
  };
  gboolean ok;

  if (g_str_has_suffix (title, ".json"))
    title[strlen (title) - 5] = '\0';
  self.emitter = stria_neuron_emitter_new (sink, title);
  self.tables = g_hash_table_new (g_str_hash, g_str_equal);
  self.in_order = g_ptr_array_new_with_free_func ((GDestroyNotify) neuron_json_table_free);
  ok = parse (&self, source, error);
  finish_tables (&self);
  stria_neuron_emitter_free (self.emitter);
  compare_times (&self);
  if (ok && self.error != NULL)
    {
      if (self.n_rows == 0 || g_error_matches (self.error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&self.error));
          ok = FALSE;
        }
      else
        stria_notices_add (context->notices, STRIA_SEVERITY_ERROR, "neuron-json", context->name, -1,
                           "%s", self.error->message);
    }
  g_clear_error (&self.error);
  g_array_unref (self.row.cells);
  g_string_free (self.row.text, TRUE);
  g_string_free (self.nested, TRUE);
  g_free (self.member);
  return ok;
}

const StriaDecoder stria_neuron_json_decoder = {
  .kind = "neuron-json",
  .title = N_ ("Neuron profile as JSON"),
  .probe = neuron_json_probe,
  .decode = decode,
};

static gboolean
decode_perfetto (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
               _("%s: a Perfetto trace, which is not read; the same profile as Parquet has more in "
                 "it (neuron-explorer view --output-format parquet)"),
               context->name);
  return FALSE;
}

static guint
probe_perfetto (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  gboolean named
      = g_str_has_suffix (lower, ".pftrace") || g_str_has_suffix (lower, ".perfetto-trace");

  /* Packets are field 1 of the whole message. */
  return named && length > 0 && head[0] == 0x0a ? 90 : 0;
}

const StriaDecoder stria_perfetto_decoder = {
  .kind = "perfetto",
  .title = N_ ("Perfetto trace"),
  .probe = probe_perfetto,
  .decode = decode_perfetto,
};
