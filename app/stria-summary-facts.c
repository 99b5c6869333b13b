/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-facts.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-details-rows.h"
#include "stria-fields.h"
#include "stria-format.h"
#include "stria-summary-cards.h"

#define MAX_DEVICES  16
#define MAX_MESSAGES 40

typedef struct
{
  const char *key;
  const char *title;
} Fact;

/* Keys of the profilers' own documents, in the order in which they are shown. */
static const Fact run_facts[] = {
  { "host_name", N_ ("Host") },
  { "username", N_ ("User") },
  { "traceName", N_ ("Trace") },
  { "trace_id", N_ ("Trace id") },
  { "group_trace_id", N_ ("Group trace id") },
  { NULL, NULL },
};
static const Fact distributed_facts[] = {
  { "backend", N_ ("Backend") },          { "rank", N_ ("Rank") },
  { "world_size", N_ ("World size") },    { "pg_count", N_ ("Process groups") },
  { "nccl_version", N_ ("NCCL version") }, { NULL, NULL },
};
static const Fact profiler_facts[] = {
  { "cuda_runtime_version", N_ ("CUDA runtime") },
  { "cuda_driver_version", N_ ("CUDA driver") },
  { "cupti_version", N_ ("CUPTI") },
  { "hip_runtime_version", N_ ("HIP runtime") },
  { "hip_driver_version", N_ ("HIP driver") },
  { "roctracer_version", N_ ("ROCtracer") },
  { "schemaVersion", N_ ("Schema version") },
  { "record_shapes", N_ ("Shapes recorded") },
  { "profile_memory", N_ ("Memory profiled") },
  { "with_stack", N_ ("Stacks recorded") },
  { "with_flops", N_ ("FLOPs estimated") },
  { "with_modules", N_ ("Modules recorded") },
  { NULL, NULL },
};
/* Known and shown elsewhere, or of no interest to people. "metadata" is where users put dumps of
 * their environment, with secrets in it: it is never shown. */
static const char *const other_keys[] = { "distributedInfo",
                                          "deviceProperties",
                                          "metadata",
                                          "displayTimeUnit",
                                          "baseTimeNanoseconds",
                                          "INFO",
                                          "WARNING",
                                          "ERROR",
                                          "@phases",
                                          "@categories",
                                          "@otherKeys",
                                          NULL };

static StriaField *
parse_meta (GHashTable *meta, const char *key)
{
  const char *text = g_hash_table_lookup (meta, key);

  return text != NULL ? stria_fields_parse (text, strlen (text)) : NULL;
}

static char *
fact_text (const char *key, const StriaField *field)
{
  static const char *const flags[] = { "record_shapes", "profile_memory", "with_stack",
                                       "with_flops",    "with_modules",   NULL };

  if (g_strv_contains (flags, key) && field->text != NULL)
    return g_strdup (g_str_equal (field->text, "0") || g_str_equal (field->text, "false")
                         ? _ ("no")
                         : _ ("yes"));
  return stria_field_display (field);
}

static guint
add_facts (GtkWidget *table, GHashTable *meta, const StriaField *object, const Fact *facts)
{
  guint n = 0;

  for (; facts->key != NULL; facts++)
    {
      g_autoptr (StriaField) parsed = NULL;
      const StriaField *field;
      g_autofree char *text = NULL;

      if (object != NULL)
        field = stria_field_get (object, facts->key);
      else
        field = parsed = parse_meta (meta, facts->key);
      if (field == NULL)
        continue;
      text = fact_text (facts->key, field);
      stria_details_table_add (table, _ (facts->title), text, facts->key);
      n++;
    }
  return n;
}

static void
add_capture_card (GtkBox *left, StriaSession *session)
{
  StriaCapture *capture = stria_session_get_capture (session);
  StriaTrace *trace = stria_session_get_trace (session);
  GtkWidget *table = stria_details_table_new ();
  GtkWidget *body = stria_summary_card_new (left, _ ("Capture"), NULL);
  guint n = stria_capture_get_n_artifacts (capture);
  guint64 bytes = 0;
  g_autofree char *files = NULL;
  g_autofree char *size = NULL;
  g_autofree char *files_text = NULL;
  gint64 t0, t1, base;

  gtk_box_append (GTK_BOX (body), table);
  stria_details_table_add (table, _ ("Path"), stria_capture_get_path (capture), NULL);
  for (guint i = 0; i < n; i++)
    bytes += stria_artifact_get_size (stria_capture_get_artifact (capture, i));
  files = stria_format_count (n);
  size = stria_format_bytes ((gint64) bytes);
  files_text = g_strdup_printf (ngettext ("%s file, %s", "%s files, %s", n), files, size);
  stria_details_table_add (table, _ ("Size"), files_text, NULL);
  if (trace == NULL || stria_trace_get_n_events (trace) == 0)
    return;

  {
    g_autofree char *events = stria_format_count (stria_trace_get_n_events (trace));
    g_autofree char *lanes = stria_format_count (stria_trace_get_n_lanes (trace));
    g_autofree char *processes = stria_format_count (stria_trace_get_n_processes (trace));
    g_autofree char *names =
        stria_format_count (stria_strings_size (stria_trace_get_strings (trace)));

    stria_details_table_add (table, _ ("Events"), events, NULL);
    stria_details_table_add (table, _ ("Processes"), processes, NULL);
    stria_details_table_add (table, _ ("Lanes"), lanes,
                             _ ("Threads, streams, queues and counters"));
    stria_details_table_add (table, _ ("Distinct texts"), names, NULL);
  }
  if (stria_trace_get_range (trace, &t0, &t1))
    {
      g_autofree char *length = stria_format_time (t1 - t0, 1);
      gint64 v0, v1;

      stria_details_table_add (table, _ ("Length"), length, NULL);
      if (stria_trace_get_view_range (trace, &v0, &v1) && (v0 != t0 || v1 != t1))
        {
          g_autofree char *shown = stria_format_time (v1 - v0, 1);

          stria_details_table_add (table, _ ("Shown at first"), shown,
                                   _ ("The others lie far away: strays, or files with another "
                                      "clock"));
        }
      if (stria_trace_get_wall_base (trace, &base))
        {
          g_autofree char *start = stria_format_wall (base + t0, NULL);

          stria_details_table_add (table, _ ("Started"), start, NULL);
        }
    }
  {
    gsize n_flows;
    g_autofree char *flows = NULL;
    g_autofree char *unbound = stria_format_count (stria_trace_get_unbound_flows (trace));
    g_autofree char *text = NULL;

    stria_trace_get_flows (trace, &n_flows);
    flows = stria_format_count (n_flows);
    text = stria_trace_get_unbound_flows (trace) > 0
             ? g_strdup_printf (_ ("%s, and %s ends without a partner"), flows, unbound)
             : g_strdup (flows);
    stria_details_table_add (table, _ ("Flow arrows"), text, NULL);
  }
}

static void
add_distributed (GtkBox *left, GHashTable *meta)
{
  g_autoptr (StriaField) info = parse_meta (meta, "distributedInfo");
  StriaField *groups = stria_field_get (info, "pg_config");
  GtkWidget *table, *body;

  if (info == NULL || info->type != STRIA_FIELD_OBJECT || info->children->len == 0)
    return;
  table = stria_details_table_new ();
  body = stria_summary_card_new (left, _ ("Distributed Run"), NULL);
  gtk_box_append (GTK_BOX (body), table);
  add_facts (table, NULL, info, distributed_facts);
  if (groups != NULL)
    stria_details_table_add_widget (table, _ ("Groups"), stria_details_field_new (groups));
}

static void
add_devices (GtkBox *left, GHashTable *meta)
{
  g_autoptr (StriaField) devices = parse_meta (meta, "deviceProperties");

  if (devices == NULL || devices->type != STRIA_FIELD_ARRAY)
    return;
  for (guint i = 0; i < devices->children->len && i < MAX_DEVICES; i++)
    {
      const StriaField *device = g_ptr_array_index (devices->children, i);
      StriaField *name = stria_field_get (device, "name");
      StriaField *id = stria_field_get (device, "id");
      g_autofree char *title = NULL;
      GtkWidget *table, *body;

      if (device->type != STRIA_FIELD_OBJECT)
        continue;
      title = g_strdup_printf (_ ("Device %s"), id != NULL && id->text != NULL ? id->text : "");
      table = stria_details_table_new ();
      body = stria_summary_card_new (left, title, name != NULL ? name->text : NULL);
      gtk_box_append (GTK_BOX (body), table);
      for (guint j = 0; j < device->children->len; j++)
        {
          const StriaField *field = g_ptr_array_index (device->children, j);
          g_autofree char *text = NULL;

          if (field == name || field == id)
            continue;
          text = stria_field_display (field);
          stria_details_table_add (table, field->key, text, NULL);
        }
    }
}

static const char *
phase_title (const char *letter)
{
  switch (*letter)
    {
    case 'X':
      return _ ("Complete slices");
    case 'B':
      return _ ("Begins of slices");
    case 'E':
      return _ ("Ends of slices");
    case 'i':
    case 'I':
    case 'R':
      return _ ("Instants");
    case 'C':
      return _ ("Counter samples");
    case 'b':
    case 'S':
      return _ ("Begins of async slices");
    case 'e':
    case 'F':
      return _ ("Ends of async slices");
    case 'n':
    case 'T':
    case 'p':
      return _ ("Async instants");
    case 's':
      return _ ("Flow starts");
    case 't':
      return _ ("Flow steps");
    case 'f':
      return _ ("Flow ends");
    case 'M':
      return _ ("Metadata");
    default:
      return _ ("Of another kind");
    }
}

/* What the file holds before anything is made of it. */
static void
add_phases (GtkBox *right, GHashTable *meta)
{
  g_autoptr (StriaField) phases = parse_meta (meta, "@phases");
  GtkWidget *table;

  if (phases == NULL || phases->type != STRIA_FIELD_OBJECT || phases->children->len == 0)
    return;
  table = stria_details_table_new ();
  gtk_box_append (GTK_BOX (stria_summary_card_new (right, _ ("Records in the File"), NULL)), table);
  for (guint i = 0; i < phases->children->len; i++)
    {
      const StriaField *phase = g_ptr_array_index (phases->children, i);
      guint64 n = phase->text != NULL ? g_ascii_strtoull (phase->text, NULL, 10) : 0;
      g_autofree char *count = stria_format_count (n);
      g_autofree char *title = g_strdup_printf ("%s (%s)", phase_title (phase->key), phase->key);

      stria_details_table_add (table, title, count, NULL);
    }
}

static gboolean
is_fact (const Fact *facts, const char *key)
{
  for (; facts->key != NULL; facts++)
    if (g_str_equal (facts->key, key))
      return TRUE;
  return FALSE;
}

static gboolean
looks_secret (const char *key)
{
  static const char *const words[] = { "token", "secret", "password", "credential", "api_key",
                                       "apikey", "environ" };
  g_autofree char *lower = g_ascii_strdown (key, -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
add_others (GtkBox *left, GHashTable *meta)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (meta), (GCompareFunc) g_strcmp0);
  GtkWidget *table = NULL;

  for (GList *l = keys; l != NULL; l = l->next)
    {
      const char *key = l->data;
      g_autoptr (StriaField) field = NULL;

      if (g_strv_contains (other_keys, key) || is_fact (run_facts, key) ||
          is_fact (profiler_facts, key) || looks_secret (key))
        continue;
      field = parse_meta (meta, key);
      if (field == NULL)
        continue;
      if (table == NULL)
        {
          table = stria_details_table_new ();
          gtk_box_append (GTK_BOX (stria_summary_card_new (left, _ ("Other Facts"), NULL)), table);
        }
      stria_details_table_add_widget (table, key, stria_details_field_new (field));
    }
}

static void
add_messages (GtkBox *left, GHashTable *meta)
{
  static const char *const keys[] = { "ERROR", "WARNING", "INFO" };
  const char *titles[] = { _ ("Errors of the Profiler"), _ ("Warnings of the Profiler"),
                           _ ("Messages of the Profiler") };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (StriaField) field = parse_meta (meta, keys[i]);
      GtkWidget *body;

      if (field == NULL || field->type != STRIA_FIELD_ARRAY || field->children->len == 0)
        continue;
      body = stria_summary_card_new (left, titles[i], NULL);
      for (guint j = 0; j < field->children->len && j < MAX_MESSAGES; j++)
        {
          const StriaField *message = g_ptr_array_index (field->children, j);

          gtk_box_append (GTK_BOX (body), stria_details_field_new (message));
        }
    }
}

void
stria_summary_facts_fill (GtkBox *left, GtkBox *right, StriaSession *session, guint artifact)
{
  StriaCapture *capture = stria_session_get_capture (session);
  g_autoptr (GHashTable) meta = NULL;
  GtkWidget *table;

  add_capture_card (left, session);
  if (artifact >= stria_capture_get_n_artifacts (capture))
    return;
  meta = stria_capture_get_meta (capture, artifact);
  if (meta == NULL)
    return;

  table = g_object_ref_sink (stria_details_table_new ());
  if (add_facts (table, meta, NULL, run_facts) > 0)
    gtk_box_append (GTK_BOX (stria_summary_card_new (left, _ ("Run"), NULL)), table);
  g_object_unref (table);
  add_distributed (left, meta);
  table = g_object_ref_sink (stria_details_table_new ());
  if (add_facts (table, meta, NULL, profiler_facts) > 0)
    gtk_box_append (GTK_BOX (stria_summary_card_new (left, _ ("Profiler"), NULL)), table);
  g_object_unref (table);
  add_messages (left, meta);
  add_devices (left, meta);
  add_others (left, meta);
  add_phases (right, meta);
}
