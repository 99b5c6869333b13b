/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-capture-merge.h"

/* Parts of a process, from top to bottom. */
enum
{
  SECTION_DEVICE,
  SECTION_SYSTEM,
  SECTION_FRAMEWORK,
  SECTION_HOST,
  SECTION_ALLOCATOR,
};

/* Lanes of the tables of a device profile are stacked in this order, whichever file has them. */
static const char *const device_tables[]
    = { "ExecutionInfo", "Error",  "DmaPacketAggregated", "DmaPacket",     "Instruction",
        "CoreBarriers",  "ActiveTime", "CcOp",            "CcInstruction", "Throttle",
        "DmaUsage",      "HbmUsage",   "PendingDma",      "PsumUsage",     "SbufUsage",
        "SemaphoreUpdate" };
static const char *const host_tables[]
    = { "CpuUsage", "HostMemUsage", "MemoryBandwidthPoint", "SystemProfileHbmUsage" };

/* Lanes that are one in all files of a table: they share a place in the order. */
typedef struct
{
  gint64 anchor; /* lanes that only later files have stand behind the one they follow there */
  guint64 place;
  guint artifact; /* the last one that had it, and when its lane begins */
  gint64 start_ns;
} Slot;

typedef struct
{
  guint artifact; /* the first one with lanes here */
  guint64 n;
} Bucket;

struct _StriaMerge
{
  StriaCaptureTree *tree;
  GPtrArray *artifacts;
  GArray *processes;
  GHashTable *numbers; /* identity -> number of the process + 1 */
  GHashTable *firsts;  /* title of a process of the tree -> its first artifact + 1 */
  GHashTable *slots;
  GHashTable *buckets;
  GArray *lanes; /* StriaMergeLane */
  const Slot *last;
  const Bucket *last_bucket;
  guint last_artifact;
};

/* -- the tree ------------------------------------------------------------------------------- */

/* The process that a group is in, or STRIA_NO_GROUP. */
static guint
process_above (StriaCaptureTree *tree, guint group)
{
  while (group != STRIA_NO_GROUP
         && stria_capture_tree_get (tree, group)->kind != STRIA_FILES_PROCESS)
    group = stria_capture_tree_get (tree, group)->parent;
  return group;
}

/* What system profiles name a process by, too. */
static char *
process_title (StriaCaptureTree *tree, guint process)
{
  const StriaFiles *group = stria_capture_tree_get (tree, process);
  const char *instance = stria_capture_tree_get (tree, group->parent)->title;

  return g_strdup_printf ("%s PID %" G_GINT64_FORMAT, instance, group->pid);
}

/* Exports of a device profile are called INSTANCE_pid_PID_nc_N_session_S (seen in public output).
 * What follows the process, or NULL. */
static const char *
named_after (StriaCaptureTree *tree, const StriaFiles *exported, guint process)
{
  const StriaFiles *group = stria_capture_tree_get (tree, process);
  g_autofree char *start
      = g_strdup_printf ("%s_pid_%" G_GINT64_FORMAT "_",
                         stria_capture_tree_get (tree, group->parent)->title, group->pid);

  return g_str_has_prefix (exported->title, start) ? exported->title + strlen (start) : NULL;
}

static guint
process_of_name (StriaCaptureTree *tree, const StriaFiles *exported)
{
  const StriaFiles *root = stria_capture_tree_get (tree, 0);

  for (guint n = 0; n < root->children->len; n++)
    {
      const StriaFiles *node
          = stria_capture_tree_get (tree, g_array_index (root->children, guint, n));

      if (node->kind != STRIA_FILES_NODE || !g_str_has_prefix (exported->title, node->title))
        continue;
      for (guint p = 0; p < node->children->len; p++)
        if (named_after (tree, exported, g_array_index (node->children, guint, p)) != NULL)
          return g_array_index (node->children, guint, p);
    }
  return STRIA_NO_GROUP;
}

/* The process of the tree that an artifact's group belongs to, or STRIA_NO_GROUP. */
static guint
process_of_group (StriaCaptureTree *tree, guint group)
{
  guint process = process_above (tree, group);

  if (process == STRIA_NO_GROUP && group != STRIA_NO_GROUP
      && stria_capture_tree_get (tree, group)->kind == STRIA_FILES_EXPORT)
    process = process_of_name (tree, stria_capture_tree_get (tree, group));
  return process;
}

/* -- names ---------------------------------------------------------------------------------- */

static gboolean
is_one_of (const char *table, gsize length, const char *const *names, guint n, guint *place)
{
  for (guint i = 0; i < n; i++)
    if (strlen (names[i]) == length && g_ascii_strncasecmp (names[i], table, length) == 0)
      {
        *place = i;
        return TRUE;
      }
  *place = n;
  return FALSE;
}

static guint
section_of (const char *key, guint *rank)
{
  const char *table;
  gsize length;

  *rank = 0;
  if (g_str_has_prefix (key, STRIA_TABLE_LANE_KEY))
    table = key + strlen (STRIA_TABLE_LANE_KEY);
  else if (g_str_has_prefix (key, STRIA_DERIVED_LANE_KEY))
    table = key + strlen (STRIA_DERIVED_LANE_KEY);
  else
    return SECTION_FRAMEWORK;
  length = strcspn (table, "\x1f");
  if (is_one_of (table, length, host_tables, G_N_ELEMENTS (host_tables), rank))
    return SECTION_HOST;
  if (length == strlen ("SystemProfileEvents")
      && g_ascii_strncasecmp (table, "SystemProfileEvents", length) == 0)
    return SECTION_SYSTEM;
  is_one_of (table, length, device_tables, G_N_ELEMENTS (device_tables), rank);
  return SECTION_DEVICE;
}

/* Device profiles and exports of a process that have lanes. */
static GPtrArray *
profiles_of (StriaCaptureTree *tree, guint process)
{
  GPtrArray *found = g_ptr_array_new ();
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  const StriaFiles *root = stria_capture_tree_get (tree, 0);

  g_array_append_val (open, process);
  for (guint i = 0; i < open->len; i++)
    {
      StriaFiles *group = stria_capture_tree_get (tree, g_array_index (open, guint, i));

      if (group->kind == STRIA_FILES_EXPORT
          || (group->kind == STRIA_FILES_DEVICE && group->state != STRIA_FILES_IDLE
              && group->state != STRIA_FILES_REFUSED))
        g_ptr_array_add (found, group);
      g_array_append_vals (open, group->children->data, group->children->len);
    }
  for (guint i = 0; i < root->children->len; i++)
    {
      StriaFiles *group = stria_capture_tree_get (tree, g_array_index (root->children, guint, i));
      if (group->kind == STRIA_FILES_EXPORT && named_after (tree, group, process) != NULL)
        g_ptr_array_add (found, group);
    }
  return found;
}

static gint64
number_of (const StriaFiles *group, guint i)
{
  const gint64 numbers[]
      = { group->nc, group->instance_number, group->vnc, group->rank, group->session, group->exec };

  return numbers[i];
}

/* The numbers that a device profile does not share with the others of its process. */
static char *
device_name (GPtrArray *profiles, const StriaFiles *group)
{
  const char *const names[]
      = { "NC", _("device"), "VNC", _("rank"), _("session"), _("execution") };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gboolean differs = FALSE;

      for (guint p = 0; p < profiles->len; p++)
        {
          const StriaFiles *other = profiles->pdata[p];
          differs |= other->kind == STRIA_FILES_DEVICE
                     && number_of (other, i) != number_of (group, i);
        }
      if (differs && number_of (group, i) >= 0)
        g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT, text->len > 0 ? " " : "", names[i],
                                number_of (group, i));
    }
  if (text->len == 0)
    g_string_append (text, group->title);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* An export of a system profile says itself which processes it has. */
static gboolean
tree_has_process (StriaCaptureTree *tree, const char *key)
{
  const StriaFiles *root = stria_capture_tree_get (tree, 0);

  for (guint n = 0; n < root->children->len; n++)
    {
      const StriaFiles *node
          = stria_capture_tree_get (tree, g_array_index (root->children, guint, n));

      for (guint p = 0; node->kind == STRIA_FILES_NODE && p < node->children->len; p++)
        {
          g_autofree char *title = process_title (tree, g_array_index (node->children, guint, p));
          if (g_str_equal (title, key))
            return TRUE;
        }
    }
  return FALSE;
}

char *
stria_merge_lane_prefix (StriaCaptureTree *tree, guint artifact, const char *process_key,
                         const char *lane_key)
{
  guint group = tree != NULL ? stria_capture_tree_of (tree, artifact) : STRIA_NO_GROUP;
  guint process, rank, section = section_of (lane_key, &rank);
  const StriaFiles *files;
  const char *rest;
  g_autoptr (GPtrArray) profiles = NULL;

  if (group == STRIA_NO_GROUP)
    return NULL;
  files = stria_capture_tree_get (tree, group);
  process = process_of_group (tree, group);
  if (section == SECTION_SYSTEM || section == SECTION_HOST)
    return files->kind == STRIA_FILES_EXPORT
                   && (process != STRIA_NO_GROUP || tree_has_process (tree, process_key))
               ? g_strdup (_("export"))
               : NULL;
  if (section != SECTION_DEVICE || process == STRIA_NO_GROUP
      || (files->kind != STRIA_FILES_DEVICE && files->kind != STRIA_FILES_EXPORT))
    return NULL;
  profiles = profiles_of (tree, process);
  if (profiles->len < 2)
    return NULL;
  if (files->kind == STRIA_FILES_DEVICE)
    return device_name (profiles, files);
  rest = named_after (tree, files, process);
  return g_strdup_printf (_("export %s"), rest != NULL ? rest : files->title);
}

/* -- processes ------------------------------------------------------------------------------ */

StriaMerge *
stria_merge_new (StriaCaptureTree *tree, GPtrArray *artifacts, GArray *processes)
{
  StriaMerge *self = g_new0 (StriaMerge, 1);

  self->artifacts = g_ptr_array_ref (artifacts);
  self->processes = g_array_ref (processes);
  self->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->firsts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->slots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->buckets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->lanes = g_array_new (FALSE, FALSE, sizeof (StriaMergeLane));
  if (tree == NULL)
    return self;
  self->tree = stria_capture_tree_ref (tree);
  for (guint a = 0; a < artifacts->len; a++)
    {
      guint process = process_above (tree, stria_capture_tree_of (tree, a));
      g_autofree char *title
          = process != STRIA_NO_GROUP ? process_title (tree, process) : NULL;

      if (title != NULL && !g_hash_table_contains (self->firsts, title))
        g_hash_table_insert (self->firsts, g_steal_pointer (&title), GUINT_TO_POINTER (a + 1));
    }
  return self;
}

void
stria_merge_free (StriaMerge *self)
{
  for (guint i = 0; i < self->lanes->len; i++)
    stria_lane_body_unref (g_array_index (self->lanes, StriaMergeLane, i).body);
  g_array_unref (self->lanes);
  g_hash_table_unref (self->slots);
  g_hash_table_unref (self->buckets);
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->firsts);
  g_array_unref (self->processes);
  g_ptr_array_unref (self->artifacts);
  g_clear_pointer (&self->tree, stria_capture_tree_unref);
  g_free (self);
}

static guint32
add_process (StriaMerge *self, const StriaProcess *process, const char *title, guint artifact)
{
  StriaProcess copy = *process;

  copy.key = g_strdup (title != NULL ? title : process->key);
  copy.name = g_strdup (title != NULL ? title : process->name);
  copy.labels = g_strdup (title != NULL ? NULL : process->labels);
  copy.artifact = artifact;
  g_array_append_val (self->processes, copy);
  return self->processes->len - 1;
}

/* The process that the tree has under @title, or that a system profile names by it. */
static guint32
titled_process (StriaMerge *self, const StriaProcess *process, const char *title)
{
  gpointer first = g_hash_table_lookup (self->firsts, title);
  gpointer known = g_hash_table_lookup (self->numbers, title);
  StriaProcess *into;

  if (known == NULL)
    {
      guint artifact = first != NULL ? GPOINTER_TO_UINT (first) - 1 : process->artifact;

      known = GUINT_TO_POINTER (add_process (self, process, title, artifact) + 1);
      g_hash_table_insert (self->numbers, g_strdup (title), known);
    }
  into = &g_array_index (self->processes, StriaProcess, GPOINTER_TO_UINT (known) - 1);
  into->sort_index = MIN (into->sort_index, process->sort_index);
  return GPOINTER_TO_UINT (known) - 1;
}

/* Processes of one name in the files of one group are one. */
static guint32
grouped_process (StriaMerge *self, const StriaProcess *process, guint group)
{
  g_autofree char *identity = g_strdup_printf ("\x1f%u\x1f%s", group, process->key);
  gpointer known = g_hash_table_lookup (self->numbers, identity);

  if (known == NULL)
    {
      const GArray *files = stria_capture_tree_get (self->tree, group)->artifacts;
      guint artifact = files->len > 0 ? g_array_index (files, guint, 0) : process->artifact;

      known = GUINT_TO_POINTER (add_process (self, process, NULL, artifact) + 1);
      g_hash_table_insert (self->numbers, g_steal_pointer (&identity), known);
    }
  return GPOINTER_TO_UINT (known) - 1;
}

/* "INSTANCE PID NUMBER", which system profiles name processes by */
static gboolean
names_process (const char *key)
{
  const char *mark = strstr (key, " PID ");

  return mark != NULL && mark > key && strchr (key, ',') == NULL && g_ascii_isdigit (mark[5]);
}

guint32
stria_merge_process (StriaMerge *self, const StriaProcess *process)
{
  guint group = self->tree != NULL ? stria_capture_tree_of (self->tree, process->artifact)
                                   : STRIA_NO_GROUP;
  const char *kind = stria_artifact_get_kind (self->artifacts->pdata[process->artifact]);
  gboolean is_neuron = kind != NULL && g_str_has_prefix (kind, "neuron-");
  g_autofree char *title = NULL, *pid = NULL;
  guint above;

  if (group == STRIA_NO_GROUP)
    return add_process (self, process, NULL, process->artifact);
  if (is_neuron && names_process (process->key))
    return titled_process (self, process, process->key);
  above = process_of_group (self->tree, group);
  if (above == STRIA_NO_GROUP)
    return is_neuron ? grouped_process (self, process, group)
                     : add_process (self, process, NULL, process->artifact);
  title = process_title (self->tree, above);
  pid = g_strdup_printf ("%" G_GINT64_FORMAT, stria_capture_tree_get (self->tree, above)->pid);
  /* Traces of a framework have processes of their own, for streams and the like. */
  if (is_neuron || g_str_equal (process->key, pid))
    return titled_process (self, process, title);
  return add_process (self, process, NULL, process->artifact);
}

guint32
stria_merge_process_of (StriaMerge *self, guint artifact)
{
  guint above = self->tree != NULL
                    ? process_above (self->tree, stria_capture_tree_of (self->tree, artifact))
                    : STRIA_NO_GROUP;
  const StriaProcess empty = { .artifact = artifact };
  g_autofree char *title = NULL;

  if (above == STRIA_NO_GROUP)
    return G_MAXUINT32;
  title = process_title (self->tree, above);
  return titled_process (self, &empty, title);
}

/* -- lanes ---------------------------------------------------------------------------------- */

static const Slot *
find_slot (StriaMerge *self, const StriaMergeLane *lane)
{
  g_autofree char *where = g_strdup_printf ("%u\x1f%u\x1f%u\x1f%u", lane->process, lane->section,
                                            lane->group, lane->rank);
  g_autofree char *key
      = g_strdup_printf ("%s\x1f%d\x1f%s", where, (int) lane->body->kind, lane->body->key);
  Bucket *bucket = g_hash_table_lookup (self->buckets, where);
  Slot *slot = g_hash_table_lookup (self->slots, key);

  if (bucket == NULL)
    {
      bucket = g_new0 (Bucket, 1);
      bucket->artifact = lane->artifact;
      g_hash_table_insert (self->buckets, g_steal_pointer (&where), bucket);
    }
  if (slot == NULL)
    {
      gboolean follows
          = self->last_bucket == bucket && self->last_artifact == lane->artifact;

      slot = g_new0 (Slot, 1);
      slot->artifact = G_MAXUINT;
      slot->place = bucket->n++;
      slot->anchor = bucket->artifact == lane->artifact ? (gint64) slot->place
                     : follows                          ? self->last->anchor
                                                        : -1;
      g_hash_table_insert (self->slots, g_steal_pointer (&key), slot);
    }
  /* Several lanes of one key in a file (slices that overlap) stay together. */
  if (slot->artifact != lane->artifact)
    slot->start_ns = lane->body->start_ns;
  slot->artifact = lane->artifact;
  self->last = slot;
  self->last_bucket = bucket;
  self->last_artifact = lane->artifact;
  return slot;
}

void
stria_merge_lane (StriaMerge *self, StriaLaneBody *body, guint32 process, guint artifact,
                  guint32 lane)
{
  StriaMergeLane added = { .body = stria_lane_body_ref (body),
                           .process = process,
                           .artifact = artifact,
                           .lane = lane };
  const char *kind = stria_artifact_get_kind (self->artifacts->pdata[artifact]);

  if (self->tree != NULL)
    {
      const Slot *slot;

      added.section = section_of (body->key, &added.rank);
      if (kind != NULL && g_str_has_prefix (kind, "pytorch-snapshot"))
        added.section = SECTION_ALLOCATOR;
      added.group = stria_capture_tree_of (self->tree, artifact);
      slot = find_slot (self, &added);
      added.anchor = slot->anchor;
      added.place = slot->place;
      added.start_ns = slot->start_ns;
    }
  g_array_append_val (self->lanes, added);
}

#define ORDER(a, b) \
  if ((a) != (b)) \
  return (a) < (b) ? -1 : 1

static int
compare_lanes (gconstpointer a, gconstpointer b)
{
  const StriaMergeLane *x = a, *y = b;

  ORDER (x->process, y->process);
  ORDER (x->section, y->section);
  ORDER (x->group, y->group);
  ORDER (x->rank, y->rank);
  ORDER (x->anchor, y->anchor);
  ORDER (x->place, y->place);
  ORDER (x->start_ns, y->start_ns);
  ORDER (x->artifact, y->artifact);
  ORDER (x->lane, y->lane);
  return 0;
}

const StriaMergeLane *
stria_merge_finish (StriaMerge *self, guint *n)
{
  if (self->tree != NULL)
    g_array_sort (self->lanes, compare_lanes);
  *n = self->lanes->len;
  return (const StriaMergeLane *) (gconstpointer) self->lanes->data;
}
