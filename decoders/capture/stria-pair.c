/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pair-private.h"

#include <string.h>

#include <glib/gi18n-lib.h>

static StriaRole
role_of (StriaArtifact *artifact, const char *base)
{
  static const struct
  {
    const char *kind;
    StriaRole role;
  } kinds[] = {
    { "neuron-ntff", STRIA_ROLE_NTFF },
    { "neuron-neff", STRIA_ROLE_NEFF },
    { "neuron-trace-info", STRIA_ROLE_TRACE_INFO },
    { "neuron-ntrace", STRIA_ROLE_NTRACE },
    { "neuron-cpu-util", STRIA_ROLE_CPU },
    { "neuron-host-mem", STRIA_ROLE_MEMORY },
    { "neuron-parquet", STRIA_ROLE_PARQUET },
    { "neuron-json", STRIA_ROLE_JSON },
    { "neuron-csv", STRIA_ROLE_PARQUET },
    { "pytorch-trace", STRIA_ROLE_FRAMEWORK },
    { "pytorch-snapshot", STRIA_ROLE_SNAPSHOT },
    { "pytorch-snapshot-json", STRIA_ROLE_SNAPSHOT },
  };
  const char *kind = stria_artifact_get_kind (artifact);

  for (guint i = 0; kind != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kind, kinds[i].kind))
      return kinds[i].role;
  if (kind == NULL && stria_artifact_get_size (artifact) == 0 && g_str_has_suffix (base, ".ntff"))
    return STRIA_ROLE_NTFF;
  if (kind == NULL && (g_str_has_suffix (base, ".py") || g_str_has_suffix (base, ".tar.gz")))
    return STRIA_ROLE_SOURCE;
  return STRIA_ROLE_OTHER;
}

/* Folder and name of an artifact as one path; an archive counts as a folder. */
static char *
place_of (StriaArtifact *artifact)
{
  const char *member = stria_artifact_get_member (artifact);

  return member != NULL ? g_build_filename (stria_artifact_get_path (artifact), member, NULL)
                        : g_strdup (stria_artifact_get_path (artifact));
}

static gboolean
names_process (const StriaIdentity *identity)
{
  return identity != NULL
         && ((identity->info != NULL && identity->info->instance_id != NULL
              && identity->info->pid > 0)
             || (identity->ntff != NULL && identity->ntff->instance_id != NULL
                 && identity->ntff->has_pid));
}

static void
read_members (StriaPairing *self, GPtrArray *identities)
{
  self->n_members = stria_capture_get_n_artifacts (self->capture);
  self->members = g_new0 (StriaMember, MAX (self->n_members, 1));
  self->said = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < self->n_members; i++)
    {
      StriaMember *member = &self->members[i];

      member->number = i;
      member->artifact = stria_capture_get_artifact (self->capture, i);
      member->place = place_of (member->artifact);
      member->folder = g_path_get_dirname (member->place);
      member->base
          = strrchr (member->place, '/') != NULL ? strrchr (member->place, '/') + 1 : member->place;
      member->role = role_of (member->artifact, member->base);
      member->identity = i < identities->len ? identities->pdata[i] : NULL;
      if (member->role == STRIA_ROLE_NTFF || member->role == STRIA_ROLE_NEFF)
        {
          if (!stria_neuron_name_parse (member->base, &member->name))
            member->name.stem = g_strdup (member->base);
        }
      if (names_process (member->identity) && !g_hash_table_contains (self->said, member->folder))
        g_hash_table_insert (self->said, member->folder, GUINT_TO_POINTER (i + 1));
    }
}

static void
pairing_clear (StriaPairing *self)
{
  g_clear_pointer (&self->said, g_hash_table_unref);
  for (guint i = 0; i < self->n_members; i++)
    {
      g_free (self->members[i].place);
      g_free (self->members[i].folder);
      stria_neuron_name_clear (&self->members[i].name);
    }
  g_free (self->members);
  g_clear_pointer (&self->by_uuid, g_hash_table_unref);
  g_clear_pointer (&self->by_folder, g_hash_table_unref);
  g_clear_pointer (&self->tree, stria_capture_tree_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaPairing, pairing_clear)

static guint
find_or_add (StriaCaptureTree *tree, guint parent, StriaFilesKind kind, const char *title)
{
  guint group = stria_capture_tree_find (tree, parent, kind, title);

  return group != STRIA_NO_GROUP ? group : stria_capture_tree_add (tree, parent, kind, title);
}

static guint
process_group (StriaPairing *self, const char *instance, gint64 pid)
{
  g_autofree char *title = g_strdup_printf ("%" G_GINT64_FORMAT, pid);
  guint node = find_or_add (self->tree, 0, STRIA_FILES_NODE, instance);
  guint process = find_or_add (self->tree, node, STRIA_FILES_PROCESS, title);

  stria_capture_tree_get (self->tree, process)->pid = pid;
  return process;
}

/* The instance and process that a folder belongs to by what the files in it say. */
static gboolean
said_process (StriaPairing *self, const char *folder, const char **instance, gint64 *pid)
{
  gpointer known = g_hash_table_lookup (self->said, folder);
  const StriaIdentity *identity;

  if (known == NULL)
    return FALSE;
  identity = self->members[GPOINTER_TO_UINT (known) - 1].identity;
  *instance = identity->info != NULL ? identity->info->instance_id : identity->ntff->instance_id;
  *pid = identity->info != NULL ? identity->info->pid : (gint64) identity->ntff->pid;
  return TRUE;
}

/* Node, process and session by the folder's names, the innermost first; else by what files in it
 * say; else the capture itself. */
static guint
group_of_folder (StriaPairing *self, const char *folder)
{
  g_auto (GStrv) parts = g_strsplit (folder, "/", -1);
  guint n = g_strv_length (parts);
  const char *said = NULL;
  gint64 pid, start;

  for (guint i = n; i > 0; i--)
    {
      g_autofree char *instance = NULL;

      if (!stria_neuron_folder_process (parts[i - 1], &instance, &pid))
        continue;
      guint group = process_group (self, instance, pid);
      return i < n && stria_neuron_folder_session (parts[i], &start)
                 ? find_or_add (self->tree, group, STRIA_FILES_SESSION, parts[i])
                 : group;
    }
  if (said_process (self, folder, &said, &pid))
    return process_group (self, said, pid);
  return 0;
}

static gboolean
is_neuron (StriaRole role)
{
  return role >= STRIA_ROLE_NTFF && role <= STRIA_ROLE_JSON;
}

/* The group of an export: its folder's name, or its own if it is one file. */
static guint
export_group (StriaPairing *self, const StriaMember *member)
{
  g_autofree char *folder = g_path_get_basename (member->folder);
  char *at = strstr (folder, "@latest");

  if (member->role == STRIA_ROLE_JSON)
    return stria_capture_tree_add (self->tree, member->group, STRIA_FILES_EXPORT, member->base);
  if (at != NULL)
    *at = '\0';
  return find_or_add (self->tree, member->group, STRIA_FILES_EXPORT, folder);
}

static void
put (StriaPairing *self, const StriaMember *member, guint group)
{
  g_array_append_val (stria_capture_tree_get (self->tree, group)->artifacts, member->number);
}

static void
place_member (StriaPairing *self, StriaMember *member)
{
  g_autofree char *folder = NULL;
  guint group;

  switch (member->role)
    {
    case STRIA_ROLE_NTFF:
      group = stria_capture_tree_add (self->tree, member->group, STRIA_FILES_DEVICE, member->base);
      stria_pair_device (self, member, group);
      return;
    case STRIA_ROLE_TRACE_INFO:
    case STRIA_ROLE_NTRACE:
    case STRIA_ROLE_CPU:
    case STRIA_ROLE_MEMORY:
      folder = g_path_get_basename (member->folder);
      put (self, member, find_or_add (self->tree, member->group, STRIA_FILES_SYSTEM, folder));
      return;
    case STRIA_ROLE_PARQUET:
    case STRIA_ROLE_JSON:
      put (self, member, export_group (self, member));
      return;
    case STRIA_ROLE_FRAMEWORK:
    case STRIA_ROLE_SNAPSHOT:
      group
          = stria_capture_tree_add (self->tree, member->group, STRIA_FILES_FRAMEWORK, member->base);
      stria_capture_tree_get (self->tree, group)->rank = stria_neuron_framework_rank (member->base);
      put (self, member, group);
      return;
    case STRIA_ROLE_SOURCE:
      put (self, member, find_or_add (self->tree, member->group, STRIA_FILES_SOURCE, ""));
      return;
    case STRIA_ROLE_NEFF:
      return;
    case STRIA_ROLE_NONE:
    case STRIA_ROLE_OTHER:
    default:
      put (self, member, find_or_add (self->tree, member->group, STRIA_FILES_OTHER, ""));
    }
}

/* Programs that no profile ran, one entry a content; copies of one are told by their number. */
static void
place_programs (StriaPairing *self)
{
  for (guint i = 0; i < self->n_members; i++)
    {
      StriaMember *member = &self->members[i];
      StriaFiles *group;

      if (member->role != STRIA_ROLE_NEFF)
        continue;
      if (member->alike != i)
        {
          const StriaMember *first = &self->members[member->alike];
          g_autofree char *reason = g_strdup_printf (_ ("The same bytes as %s"),
                                                     stria_artifact_get_name (first->artifact));

          stria_artifact_set_state (member->artifact, STRIA_ARTIFACT_ALIKE, reason);
          continue;
        }
      if (member->is_used && member->n_alike == 1)
        continue;
      group = stria_capture_tree_get (
          self->tree,
          stria_capture_tree_add (self->tree, member->group, STRIA_FILES_PROGRAMS, member->base));
      group->n_alike = member->n_alike;
      if (!member->is_used)
        group->reason = g_strdup (_ ("No device profile here ran it"));
      for (guint k = i; group->artifacts->len < member->n_alike && k < self->n_members; k++)
        if (self->members[k].role == STRIA_ROLE_NEFF && self->members[k].alike == i)
          g_array_append_val (group->artifacts, self->members[k].number);
    }
}

StriaCaptureTree *
stria_pair (StriaCapture *capture, GPtrArray *identities, GHashTable *choices)
{
  g_auto (StriaPairing) self = { .capture = capture, .choices = choices };
  g_autoptr (GHashTable) folders = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean any = FALSE;

  read_members (&self, identities);
  for (guint i = 0; i < self.n_members; i++)
    any |= is_neuron (self.members[i].role);
  if (!any)
    return NULL;

  self.tree = stria_capture_tree_new ();
  stria_capture_tree_add (self.tree, STRIA_NO_GROUP, STRIA_FILES_CAPTURE,
                          stria_capture_get_title (capture));
  for (guint i = 0; i < self.n_members; i++)
    {
      gpointer known;

      if (!g_hash_table_lookup_extended (folders, self.members[i].folder, NULL, &known))
        {
          known = GUINT_TO_POINTER (group_of_folder (&self, self.members[i].folder));
          g_hash_table_insert (folders, self.members[i].folder, known);
        }
      self.members[i].group = GPOINTER_TO_UINT (known);
    }
  stria_pair_index_programs (&self);
  for (guint i = 0; i < self.n_members; i++)
    place_member (&self, &self.members[i]);
  place_programs (&self);
  stria_pair_find_lacks (&self);
  return g_steal_pointer (&self.tree);
}
