/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-lane-groups.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "stria-table.h"

/* -- what a lane is of ----------------------------------------------------------------------- */

/* The digits behind @word in @text, or -1 */
static int
number_behind (const char *text, const char *word)
{
  const char *found = strstr (text, word);
  guint64 number;

  if (found == NULL || !g_ascii_isdigit (found[strlen (word)]))
    return -1;
  number = g_ascii_strtoull (found + strlen (word), NULL, 10);
  return number < 1 << 20 ? (int) number : -1;
}

static char *
digits_behind (const char *text, const char *word)
{
  const char *found = strstr (text, word);
  gsize n;

  if (found == NULL)
    return NULL;
  found += strlen (word);
  n = strspn (found, "0123456789");
  return n > 0 ? g_strndup (found, n) : NULL;
}

static void
take (char **field, char *text)
{
  if (text == NULL)
    return;
  g_free (*field);
  *field = text;
}

/* "i-0abc PID 12", "NC 4, i-0abc, PID 12" and "model_i-0abc_pid_12_nc_4_session_7" are how
 * processes of a Neuron capture are called. */
static void
read_process (StriaLanePlace *self, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ", ", 4);
  const char *pid = strstr (name, " PID ");
  const char *path = strstr (name, "_pid_");

  if (path != NULL)
    {
      const char *instance = g_strrstr_len (name, path - name, "i-");

      take (&self->pid, digits_behind (path, "_pid_"));
      self->nc = number_behind (path, "_nc_");
      if (instance != NULL && (instance == name || instance[-1] == '_'))
        take (&self->instance, g_strndup (instance, (gsize) (path - instance)));
      return;
    }
  if (parts[0] != NULL && parts[1] == NULL && pid != NULL)
    {
      take (&self->instance, g_strndup (name, (gsize) (pid - name)));
      take (&self->pid, g_strdup (pid + strlen (" PID ")));
      return;
    }
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (g_str_has_prefix (parts[i], "NC "))
        self->nc = number_behind (parts[i], "NC ");
      else if (g_str_has_prefix (parts[i], "PID "))
        take (&self->pid, g_strdup (parts[i] + strlen ("PID ")));
      else if (parts[1] != NULL || g_str_has_prefix (parts[i], "i-"))
        take (&self->instance, g_strdup (parts[i]));
    }
}

/* Lanes of the events of a system profile; @key is what they are told apart by. */
static void
read_events (StriaLanePlace *self, const char *key)
{
  self->source = "";
  if (g_str_has_prefix (key, "neuron_hw"))
    {
      self->source = "neuron_hw";
      self->is_device = TRUE;
      self->nc = number_behind (key, " NC");
      self->core = number_behind (key, ":");
    }
  else if (g_str_has_prefix (key, "neuron_rt"))
    {
      self->source = "neuron_rt";
      self->nc = number_behind (key, " NC ");
    }
  else if (g_str_has_prefix (key, "framework"))
    self->source = "framework";
  if (g_str_has_prefix (key, "framework stream "))
    take (&self->stream, g_strdup (key + strlen ("framework stream ")));
  if (strstr (key, " TID ") != NULL)
    take (&self->tid, g_strdup (strstr (key, " TID ") + strlen (" TID ")));
}

/* Samples have keys of numbers: column, instance, and what tells them apart. */
static int
last_number (const char *key)
{
  const char *last = strrchr (key, '\x1f');

  last = last != NULL ? last + 1 : key;
  return g_ascii_isdigit (*last) ? atoi (last) : -1;
}

/* Files that the capture was sorted into say it by their place and name. */
static void
read_tree (StriaLanePlace *self, StriaTrace *trace, StriaLane *lane)
{
  StriaCaptureTree *tree = stria_trace_get_tree (trace);
  const guint group
      = tree != NULL ? stria_capture_tree_of (tree, stria_lane_get_artifact (lane))
                     : STRIA_NO_GROUP;
  const StriaFiles *files;

  if (group == STRIA_NO_GROUP)
    return;
  files = stria_capture_tree_get (tree, group);
  if (files->kind != STRIA_FILES_DEVICE && files->kind != STRIA_FILES_EXPORT)
    return;
  if (files->pid >= 0 && self->pid[0] == '\0')
    take (&self->pid, g_strdup_printf ("%" G_GINT64_FORMAT, files->pid));
  /* A number of the process counts its cores from 0, as the system profile does. */
  if (self->nc == STRIA_NO_CORE && files->nc >= 0 && files->nc < G_MAXINT)
    self->nc = (int) files->nc;
  else if (self->nc == STRIA_NO_CORE && files->vnc >= 0 && files->vnc < G_MAXINT)
    self->nc = (int) files->vnc;
}

static void
read_table (StriaLanePlace *self, const char *key, const char *process)
{
  g_auto (GStrv) parts = g_strsplit (key, "\x1f", 3);
  const char *table = parts[0];
  const char *rest = parts[1] != NULL ? key + strlen (table) + 1 : "";

  if (g_str_has_prefix (table, "SystemProfileEvents"))
    {
      read_events (self, rest);
      return;
    }
  if (g_str_equal (table, "MemoryBandwidthPoint"))
    self->nc = last_number (rest);
  if (g_str_equal (table, "CpuUsage") || g_str_equal (table, "HostMemUsage")
      || g_str_equal (table, "SystemProfileHbmUsage")
      || g_str_equal (table, "MemoryBandwidthPoint"))
    {
      self->source = "samples";
      self->is_device = g_str_equal (table, "SystemProfileHbmUsage");
      if (self->instance[0] == '\0')
        take (&self->instance, g_strdup (process));
      return;
    }
  self->source = "device profile";
  self->is_device = TRUE;
  self->core = last_number (rest);
}

/* A trace of PyTorch: processes are called by their ids and have labels ("CPU", "GPU 0"). */
static void
read_trace (StriaLanePlace *self, const StriaProcess *process, StriaLane *lane)
{
  static const char *const devices[] = { "GPU", "NPU", "TPU", "XPU", "HPU", "MTIA", "NeuronCore" };
  const char *name = stria_lane_get_name (lane);

  for (guint i = 0; process->labels != NULL && i < G_N_ELEMENTS (devices); i++)
    self->is_device = self->is_device || g_str_has_prefix (process->labels, devices[i]);
  if (self->is_device)
    self->nc = number_behind (process->labels, " ");
  if (process->key[0] != '\0' && strspn (process->key, "0123456789") == strlen (process->key)
      && !self->is_device)
    take (&self->pid, g_strdup (process->key));
  if (g_str_has_prefix (name, "stream "))
    take (&self->stream, g_strdup (name + strlen ("stream ")));
  else if (!self->is_device && stria_lane_get_kind (lane) != STRIA_LANE_COUNTER)
    take (&self->tid, g_strdup (stria_lane_get_key (lane)));
}

/**
 * stria_lane_place_init:
 * @self: (out caller-allocates): cleared with stria_lane_place_clear()
 * @lane: number of a lane, loaded or not
 */
void
stria_lane_place_init (StriaLanePlace *self, StriaTrace *trace, guint32 lane)
{
  StriaLane *of = stria_trace_get_lane (trace, lane);
  const StriaProcess *process = stria_trace_get_process (trace, stria_lane_get_process (of));
  const char *name = process->name != NULL && process->name[0] != '\0' ? process->name
                                                                       : process->key;
  const char *key = stria_lane_get_key (of);

  *self = (StriaLanePlace){ .instance = g_strdup (""), .pid = g_strdup (""), .source = "",
                            .tid = g_strdup (""), .stream = g_strdup (""), .nc = STRIA_NO_CORE,
                            .core = STRIA_NO_CORE };
  if (!g_str_has_prefix (key, STRIA_TABLE_LANE_KEY))
    {
      read_trace (self, process, of);
      return;
    }
  read_process (self, name);
  read_table (self, key + strlen (STRIA_TABLE_LANE_KEY), name);
  if (g_str_equal (self->source, "device profile"))
    read_tree (self, trace, of);
}

void
stria_lane_place_clear (StriaLanePlace *self)
{
  g_clear_pointer (&self->instance, g_free);
  g_clear_pointer (&self->pid, g_free);
  g_clear_pointer (&self->tid, g_free);
  g_clear_pointer (&self->stream, g_free);
}

/* -- groups ---------------------------------------------------------------------------------- */

static const struct
{
  const char *word;
  const char *title;
} groupings[STRIA_N_GROUPINGS] = {
  [STRIA_GROUPING_FILE] = { "file", N_ ("As in the File") },
  [STRIA_GROUPING_SOURCE] = { "source", N_ ("By Instance, Process and Source") },
  [STRIA_GROUPING_DEVICE] = { "device", N_ ("Host and Devices") },
  [STRIA_GROUPING_CORE] = { "core", N_ ("By NeuronCore") },
  [STRIA_GROUPING_THREAD] = { "thread", N_ ("By Thread Id") },
  [STRIA_GROUPING_PROCESS] = { "process", N_ ("By Process Id") },
  [STRIA_GROUPING_INSTANCE] = { "instance", N_ ("By Instance") },
};

const char *
stria_grouping_title (StriaGrouping grouping)
{
  return _ (groupings[grouping].title);
}

const char *
stria_grouping_word (StriaGrouping grouping)
{
  return groupings[grouping].word;
}

StriaGrouping
stria_grouping_parse (const char *word)
{
  for (guint i = 0; i < STRIA_N_GROUPINGS; i++)
    if (g_strcmp0 (groupings[i].word, word) == 0)
      return (StriaGrouping) i;
  return STRIA_GROUPING_FILE;
}

/* A group as it is found. @rank: its place; groups of one rank stand as they were found. */
typedef struct
{
  char   *key;
  char   *title;
  guint64 rank;
  guint   found;
} Group;

#define LAST_RANK (G_MAXUINT64 - 1)

/* "a / b / c" of those that say anything. Returns: (transfer full) */
static char *
path_of (const char *a, const char *b, const char *c)
{
  const char *parts[4] = { NULL };
  guint n = 0;

  if (a[0] != '\0')
    parts[n++] = a;
  if (b[0] != '\0')
    parts[n++] = b;
  if (c[0] != '\0')
    parts[n++] = c;
  return g_strjoinv (" / ", (char **) parts);
}

static char *
pid_text (const StriaLanePlace *place)
{
  return place->pid[0] != '\0' ? g_strdup_printf ("PID %s", place->pid) : g_strdup ("");
}

static void
by_source (const StriaLanePlace *place, StriaTrace *trace, StriaLane *lane, Group *group)
{
  g_autofree char *pid = pid_text (place);

  /* Each of them is a process of the trace already, and its name says more than its parts. */
  if (place->source[0] == '\0' || g_str_equal (place->source, "device profile"))
    {
      group->title = stria_trace_process_title (trace, stria_lane_get_process (lane));
      group->key = g_strdup_printf ("process\x1f%s", group->title);
      return;
    }
  group->title = path_of (place->instance, pid, place->source);
  group->key = g_strdup_printf ("%s\x1f%s\x1f%s", place->instance, pid, place->source);
}

static void
by_core (const StriaLanePlace *place, Group *group)
{
  if (place->nc == STRIA_NO_CORE)
    {
      group->title = g_strdup (_ ("Of no single core"));
      group->key = g_strdup ("");
      group->rank = LAST_RANK;
      return;
    }
  g_autofree char *core = g_strdup_printf (place->source[0] != '\0' ? _ ("NeuronCore %d")
                                                                    : _ ("Device %d"),
                                           place->nc);
  group->title = path_of (place->instance, core, "");
  group->key = g_strdup_printf ("%s\x1f%d\x1f%d", place->instance, place->nc,
                                place->source[0] != '\0');
  group->rank = (guint64) place->nc;
}

static void
by_thread (const StriaLanePlace *place, Group *group)
{
  g_autofree char *pid = pid_text (place);
  g_autofree char *tid = NULL;

  if (place->tid[0] == '\0' && place->stream[0] == '\0')
    {
      group->title = g_strdup (_ ("Of no single thread"));
      group->key = g_strdup ("");
      group->rank = LAST_RANK;
      return;
    }
  tid = place->tid[0] != '\0' ? g_strdup_printf ("TID %s", place->tid)
                              : g_strdup_printf (_ ("stream %s"), place->stream);
  group->title = path_of (place->instance, pid, tid);
  group->key = g_strdup_printf ("%s\x1f%s\x1f%s\x1f%s", place->instance, pid, place->tid,
                                place->stream);
}

static void
by_text (const StriaLanePlace *place, const char *text, const char *title, const char *without,
         Group *group)
{
  if (text[0] == '\0')
    {
      group->title = g_strdup (without);
      group->key = g_strdup ("");
      group->rank = LAST_RANK;
      return;
    }
  group->title = g_strdup (title);
  group->key = g_strdup_printf ("%s\x1f%s", text, title);
}

static void
find_group (StriaTrace *trace, guint32 lane, StriaGrouping grouping, Group *group)
{
  g_auto (StriaLanePlace) place = { 0 };
  g_autofree char *pid = NULL;
  g_autofree char *process = NULL;

  stria_lane_place_init (&place, trace, lane);
  pid = pid_text (&place);
  switch (grouping)
    {
    case STRIA_GROUPING_SOURCE:
      by_source (&place, trace, stria_trace_get_lane (trace, lane), group);
      break;
    case STRIA_GROUPING_DEVICE:
      group->title = g_strdup (place.is_device ? _ ("Devices") : _ ("Host"));
      group->key = g_strdup (place.is_device ? "device" : "host");
      group->rank = place.is_device;
      break;
    case STRIA_GROUPING_CORE:
      by_core (&place, group);
      break;
    case STRIA_GROUPING_THREAD:
      by_thread (&place, group);
      break;
    case STRIA_GROUPING_PROCESS:
      process = path_of (place.instance, pid, "");
      by_text (&place, place.pid, process, _ ("Of no single process"), group);
      break;
    default:
      by_text (&place, place.instance, place.instance, _ ("Of no named instance"), group);
      break;
    }
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const Group *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->found < y->found ? -1 : x->found > y->found;
}

static void
clear_group (gpointer data)
{
  Group *group = data;

  g_free (group->key);
  g_free (group->title);
}

/* The processes of the file are the groups, also those that have no lane. */
static StriaLaneGroups *
groups_of_file (StriaTrace *trace)
{
  StriaLaneGroups *self = g_new0 (StriaLaneGroups, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->n_groups = stria_trace_get_n_processes (trace);
  self->n_lanes = stria_trace_get_n_lanes (trace);
  self->keys = g_new0 (char *, self->n_groups + 1);
  self->group_of = g_new (guint32, self->n_lanes + 1);
  for (guint i = 0; i < self->n_groups; i++)
    {
      const StriaProcess *process = stria_trace_get_process (trace, i);

      self->keys[i] = g_strdup_printf ("%s\x1f%u", process->key != NULL ? process->key : "",
                                       process->artifact);
    }
  for (guint32 i = 0; i < self->n_lanes; i++)
    self->group_of[i] = stria_lane_get_process (stria_trace_get_lane (trace, i));
  return self;
}

/**
 * stria_lane_groups_new:
 * @trace: a trace, whose lanes need not be loaded
 * @grouping: how its lanes are grouped
 *
 * Returns: (transfer full): the groups
 */
StriaLaneGroups *
stria_lane_groups_new (StriaTrace *trace, StriaGrouping grouping)
{
  StriaLaneGroups *self;
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_autoptr (GHashTable) by_key = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint32 *place = NULL;

  if (grouping == STRIA_GROUPING_FILE)
    return groups_of_file (trace);
  self = g_new0 (StriaLaneGroups, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->n_lanes = stria_trace_get_n_lanes (trace);
  self->group_of = g_new (guint32, self->n_lanes + 1);
  g_array_set_clear_func (groups, clear_group);
  for (guint32 i = 0; i < self->n_lanes; i++)
    {
      Group group = { .found = groups->len };
      gpointer known;

      find_group (trace, i, grouping, &group);
      if (g_hash_table_lookup_extended (by_key, group.key, NULL, &known))
        {
          clear_group (&group);
          self->group_of[i] = GPOINTER_TO_UINT (known);
          continue;
        }
      g_hash_table_insert (by_key, group.key, GUINT_TO_POINTER (groups->len));
      self->group_of[i] = groups->len;
      g_array_append_val (groups, group);
    }
  g_array_sort (groups, compare_groups);
  self->n_groups = groups->len;
  self->titles = g_new0 (char *, self->n_groups + 1);
  self->keys = g_new0 (char *, self->n_groups + 1);
  place = g_new (guint32, self->n_groups + 1);
  for (guint i = 0; i < self->n_groups; i++)
    {
      Group *group = &g_array_index (groups, Group, i);

      self->titles[i] = g_steal_pointer (&group->title);
      self->keys[i] = g_strdup (group->key);
      place[group->found] = i;
    }
  for (guint32 i = 0; i < self->n_lanes; i++)
    self->group_of[i] = place[self->group_of[i]];
  return self;
}

StriaLaneGroups *
stria_lane_groups_ref (StriaLaneGroups *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
stria_lane_groups_unref (StriaLaneGroups *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_strfreev (self->titles);
  g_strfreev (self->keys);
  g_free (self->group_of);
  g_free (self);
}

gboolean
stria_grouping_divides (StriaTrace *trace, StriaGrouping grouping)
{
  g_autoptr (StriaLaneGroups) groups = stria_lane_groups_new (trace, grouping);

  return groups->n_groups > 1;
}
