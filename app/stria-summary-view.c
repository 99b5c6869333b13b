/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-view.h"

#include <glib/gi18n-lib.h>

#include "stria-details-rows.h"
#include "stria-error.h"
#include "stria-fields.h"
#include "stria-format.h"
#include "stria-stats.h"
#include "stria-summary-figures.h"
#include "stria-swatch.h"

#define MAX_DEVICES    16
#define MAX_CATEGORIES 60
#define MAX_MESSAGES   40

struct _StriaSummaryView
{
  GtkWidget parent_instance;

  StriaSession *session;
  GCancellable *cancellable;
  guint         artifact;
  gboolean      filling;

  GtkDropDown *artifact_drop_down;
  GtkBox      *figures;
  GtkBox      *left;
  GtkBox      *right;
  GtkWidget   *categories; /* body of their card */
};

G_DEFINE_FINAL_TYPE (StriaSummaryView, stria_summary_view, GTK_TYPE_WIDGET)

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

static GtkWidget *
card_new (GtkBox *column, const char *title, const char *note)
{
  GtkWidget *body;
  GtkWidget *section = stria_details_section_new (title, note, &body);

  gtk_widget_add_css_class (section, "card");
  gtk_widget_add_css_class (section, "summary-card");
  gtk_box_append (column, section);
  return body;
}

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
add_capture_card (StriaSummaryView *self)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  StriaTrace *trace = stria_session_get_trace (self->session);
  GtkWidget *table = stria_details_table_new ();
  GtkWidget *body = card_new (self->left, _ ("Capture"), NULL);
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
  if (trace == NULL)
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
                                   _ ("A few events lie far away from all others"));
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
add_distributed (StriaSummaryView *self, GHashTable *meta)
{
  g_autoptr (StriaField) info = parse_meta (meta, "distributedInfo");
  StriaField *groups = stria_field_get (info, "pg_config");
  GtkWidget *table, *body;

  if (info == NULL || info->type != STRIA_FIELD_OBJECT || info->children->len == 0)
    return;
  table = stria_details_table_new ();
  body = card_new (self->left, _ ("Distributed Run"), NULL);
  gtk_box_append (GTK_BOX (body), table);
  add_facts (table, NULL, info, distributed_facts);
  if (groups != NULL)
    stria_details_table_add_widget (table, _ ("Groups"), stria_details_field_new (groups));
}

static void
add_devices (StriaSummaryView *self, GHashTable *meta)
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
      body = card_new (self->left, title, name != NULL ? name->text : NULL);
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
add_phases (StriaSummaryView *self, GHashTable *meta)
{
  g_autoptr (StriaField) phases = parse_meta (meta, "@phases");
  GtkWidget *table;

  if (phases == NULL || phases->type != STRIA_FIELD_OBJECT || phases->children->len == 0)
    return;
  table = stria_details_table_new ();
  gtk_box_append (GTK_BOX (card_new (self->right, _ ("Records in the File"), NULL)), table);
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
add_others (StriaSummaryView *self, GHashTable *meta)
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
          gtk_box_append (GTK_BOX (card_new (self->left, _ ("Other Facts"), NULL)), table);
        }
      stria_details_table_add_widget (table, key, stria_details_field_new (field));
    }
}

static void
add_messages (StriaSummaryView *self, GHashTable *meta)
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
      body = card_new (self->left, titles[i], NULL);
      for (guint j = 0; j < field->children->len && j < MAX_MESSAGES; j++)
        {
          const StriaField *message = g_ptr_array_index (field->children, j);

          gtk_box_append (GTK_BOX (body), stria_details_field_new (message));
        }
    }
}

static void
add_meta (StriaSummaryView *self)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  g_autoptr (GHashTable) meta = NULL;
  GtkWidget *table;

  if (self->artifact >= stria_capture_get_n_artifacts (capture))
    return;
  meta = stria_capture_get_meta (capture, self->artifact);
  if (meta == NULL)
    return;

  table = g_object_ref_sink (stria_details_table_new ());
  if (add_facts (table, meta, NULL, run_facts) > 0)
    gtk_box_append (GTK_BOX (card_new (self->left, _ ("Run"), NULL)), table);
  g_object_unref (table);
  add_distributed (self, meta);
  table = g_object_ref_sink (stria_details_table_new ());
  if (add_facts (table, meta, NULL, profiler_facts) > 0)
    gtk_box_append (GTK_BOX (card_new (self->left, _ ("Profiler"), NULL)), table);
  g_object_unref (table);
  add_messages (self, meta);
  add_devices (self, meta);
  add_others (self, meta);
  add_phases (self, meta);
}

static void
stats_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  StriaTrace *trace = task_data;
  GError *error = NULL;
  StriaStats *stats;
  gint64 t0, t1;

  if (!stria_trace_get_range (trace, &t0, &t1))
    {
      g_task_return_new_error (task, STRIA_ERROR, STRIA_ERROR_EMPTY, "%s",
                               _ ("There are no events"));
      return;
    }
  stats = stria_stats_new (trace, NULL, 0, t0, t1, cancellable, &error);
  if (stats == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, stats, (GDestroyNotify) stria_stats_free);
}

static void
attach (GtkWidget *grid, const char *text, int column, int row, gboolean is_heading)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 1 ? 0 : 1);
  gtk_widget_add_css_class (label, is_heading ? "dim-label" : "numeric");
  if (is_heading)
    gtk_widget_add_css_class (label, "caption");
  if (column == 1)
    {
      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_set_tooltip_text (label, text);
    }
  gtk_grid_attach (GTK_GRID (grid), label, column, row, 1, 1);
}

static void
on_stats (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSummaryView) self = user_data;
  gboolean stale = g_task_get_cancellable (G_TASK (result)) != self->cancellable;
  StriaTrace *trace = g_task_get_task_data (G_TASK (result));
  g_autoptr (StriaStats) stats = g_task_propagate_pointer (G_TASK (result), NULL);
  GtkWidget *grid, *child;
  double greatest = 0;

  if (stale || stats == NULL || self->categories == NULL)
    return;

  while ((child = gtk_widget_get_first_child (self->categories)) != NULL)
    gtk_box_remove (GTK_BOX (self->categories), child);
  grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  attach (grid, _ ("Category"), 1, 0, TRUE);
  attach (grid, _ ("Slices"), 2, 0, TRUE);
  attach (grid, _ ("Total"), 3, 0, TRUE);
  attach (grid, _ ("Self"), 4, 0, TRUE);
  if (stats->by_category->len > 0)
    greatest = (double) g_array_index (stats->by_category, StriaStatsRow, 0).total_ns;
  for (guint i = 0; i < stats->by_category->len && i < MAX_CATEGORIES; i++)
    {
      const StriaStatsRow *row = &g_array_index (stats->by_category, StriaStatsRow, i);
      const char *name = stria_trace_get_category (trace, row->key);
      g_autofree char *count = stria_format_count (row->count);
      g_autofree char *total = stria_format_duration (row->total_ns, 4);
      g_autofree char *self_time = stria_format_duration (row->self_ns, 4);
      GtkWidget *bar = stria_swatch_new_bar ();

      stria_swatch_set_name (STRIA_SWATCH (bar), name);
      stria_swatch_set_share (STRIA_SWATCH (bar),
                              greatest > 0 ? (double) row->total_ns / greatest : 0);
      gtk_grid_attach (GTK_GRID (grid), bar, 0, (int) i + 1, 1, 1);
      attach (grid, *name != '\0' ? name : _ ("(no category)"), 1, (int) i + 1, FALSE);
      attach (grid, count, 2, (int) i + 1, FALSE);
      attach (grid, total, 3, (int) i + 1, FALSE);
      attach (grid, self_time, 4, (int) i + 1, FALSE);
    }
  gtk_box_append (GTK_BOX (self->categories), grid);
}

static void
start_stats (StriaSummaryView *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autoptr (GTask) task = NULL;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (trace == NULL)
    return;
  self->cancellable = g_cancellable_new ();
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_stats, g_object_ref (self));
  g_task_set_source_tag (task, start_stats);
  g_task_set_task_data (task, stria_trace_ref (trace), (GDestroyNotify) stria_trace_unref);
  g_task_run_in_thread (task, stats_in_thread);
}

static void
clear_box (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

static void
fill_drop_down (StriaSummaryView *self)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  guint n = stria_capture_get_n_artifacts (capture);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (names,
                            stria_artifact_get_name (stria_capture_get_artifact (capture, i)));
  self->filling = TRUE;
  gtk_drop_down_set_model (self->artifact_drop_down, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->artifact_drop_down, self->artifact);
  gtk_widget_set_visible (GTK_WIDGET (self->artifact_drop_down), n > 1);
  self->filling = FALSE;
}

static void
update (StriaSummaryView *self)
{
  GtkWidget *label;

  self->categories = NULL;
  clear_box (self->left);
  clear_box (self->right);
  /* Off screen nobody looks at it, and a trace changes often while it is read. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;

  self->categories = card_new (self->right, _ ("Slices by Category"), NULL);
  label = gtk_label_new (stria_session_get_trace (self->session) != NULL ? _ ("Counting…")
                                                                         : _ ("No events yet"));
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (self->categories), label);
  add_capture_card (self);
  add_meta (self);
  start_stats (self);
}

static void
on_artifact_selected (StriaSummaryView *self)
{
  guint selected = gtk_drop_down_get_selected (self->artifact_drop_down);

  if (self->filling || selected == GTK_INVALID_LIST_POSITION || selected == self->artifact)
    return;
  self->artifact = selected;
  update (self);
}

static void
stria_summary_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_summary_view_parent_class)->map (widget);
  fill_drop_down (STRIA_SUMMARY_VIEW (widget));
  update (STRIA_SUMMARY_VIEW (widget));
}

static void
stria_summary_view_dispose (GObject *object)
{
  StriaSummaryView *self = STRIA_SUMMARY_VIEW (object);
  GtkWidget *child;

  self->categories = NULL;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (stria_summary_view_parent_class)->dispose (object);
}

static void
stria_summary_view_class_init (StriaSummaryViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_summary_view_dispose;
  widget_class->map = stria_summary_view_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-summary-view.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaSummaryView, artifact_drop_down);
  gtk_widget_class_bind_template_child (widget_class, StriaSummaryView, figures);
  gtk_widget_class_bind_template_child (widget_class, StriaSummaryView, left);
  gtk_widget_class_bind_template_child (widget_class, StriaSummaryView, right);
  gtk_widget_class_bind_template_callback (widget_class, on_artifact_selected);
}

static void
stria_summary_view_init (StriaSummaryView *self)
{
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->filling = FALSE;
}

/**
 * stria_summary_view_new:
 * @session: whose capture it is about
 *
 * Returns: (transfer full): the view
 */
GtkWidget *
stria_summary_view_new (StriaSession *session)
{
  StriaSummaryView *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = g_object_new (STRIA_TYPE_SUMMARY_VIEW, NULL);
  self->session = g_object_ref (session);
  gtk_box_append (self->figures, stria_summary_figures_view_new (session));
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
