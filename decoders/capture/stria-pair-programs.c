/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pair-private.h"

#include <string.h>

#include <glib/gi18n-lib.h>

static void
append (GHashTable *lists, const char *key, guint number)
{
  GArray *list = g_hash_table_lookup (lists, key);

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (lists, g_strdup (key), list);
    }
  g_array_append_val (list, number);
}

/* Programs that are the same bytes are one: what counts is the content, not how many copies a job's
 * processes left. */
void
stria_pair_index_programs (StriaPairing *self)
{
  g_autoptr (GHashTable) contents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->by_uuid
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  self->by_folder
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < self->n_members; i++)
    {
      StriaMember *member = &self->members[i];
      g_autofree char *content = NULL;
      gpointer known;

      if (member->role != STRIA_ROLE_NEFF)
        continue;
      content
          = g_strdup_printf ("%" G_GUINT64_FORMAT " %s", stria_artifact_get_size (member->artifact),
                             stria_artifact_get_digest (member->artifact));
      member->alike = i;
      member->n_alike = 1;
      append (self->by_folder, member->folder, i);
      known = g_hash_table_lookup (contents, content);
      if (known != NULL && stria_artifact_get_digest (member->artifact)[0] != '\0')
        {
          member->alike = GPOINTER_TO_UINT (known) - 1;
          self->members[member->alike].n_alike++;
          continue;
        }
      g_hash_table_insert (contents, g_steal_pointer (&content), GUINT_TO_POINTER (i + 1));
      if (member->identity != NULL && member->identity->neff != NULL
          && member->identity->neff->uuid_text[0] != '\0')
        append (self->by_uuid, member->identity->neff->uuid_text, i);
    }
}

/* Some writers may put a UUID as text: 32 hexadecimal characters where 16 bytes are expected. */
static char *
normal_uuid (const char *uuid)
{
  gsize n = uuid != NULL ? strlen (uuid) : 0;
  g_autoptr (GString) text = g_string_new (NULL);

  if (n == 0 || strspn (uuid, "0") == n)
    return NULL;
  if (n != 64)
    return g_strdup (uuid);
  for (gsize i = 0; i < n; i += 2)
    {
      int byte = g_ascii_xdigit_value (uuid[i]) * 16 + g_ascii_xdigit_value (uuid[i + 1]);

      if (byte < 0 || byte > 127 || !g_ascii_isxdigit ((char) byte))
        return g_strdup (uuid);
      g_string_append_c (text, g_ascii_tolower ((char) byte));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Of several programs with one UUID the one in the profile's own folder is meant. */
static const guint *
find_uuid (StriaPairing *self, const StriaMember *member, const char *uuid)
{
  g_autofree char *normal = normal_uuid (uuid);
  GArray *list = normal != NULL ? g_hash_table_lookup (self->by_uuid, normal) : NULL;

  if (list == NULL)
    return NULL;
  for (guint i = 0; i < list->len; i++)
    if (g_str_equal (self->members[g_array_index (list, guint, i)].folder, member->folder))
      return &g_array_index (list, guint, i);
  return &g_array_index (list, guint, 0);
}

static void
use (StriaPairing *self, StriaFiles *group, guint program)
{
  guint artifact = self->members[program].number;

  for (guint i = 0; i < group->artifacts->len; i++)
    if (g_array_index (group->artifacts, guint, i) == artifact)
      return;
  g_array_append_val (group->artifacts, artifact);
  self->members[program].is_used = TRUE;
  self->members[self->members[program].alike].is_used = TRUE;
}

/* Programs where a capture puts them: in the profile's folder, in `neffs` beside it or beside the
 * folder above, and in the folder above. */
static GArray *
near (StriaPairing *self, const StriaMember *member)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *above = g_path_get_dirname (member->folder);
  g_autofree char *top = g_path_get_dirname (above);
  g_autofree char *places[] = {
    g_strdup (member->folder),
    g_build_filename (member->folder, "neffs", NULL),
    g_build_filename (above, "neffs", NULL),
    g_build_filename (top, "neffs", NULL),
    g_strdup (above),
  };

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      GArray *list = g_hash_table_lookup (self->by_folder, places[p]);

      if (list != NULL)
        g_array_append_vals (found, list->data, list->len);
      if (p > 0)
        g_clear_pointer (&places[p], g_free);
    }
  return found;
}

/* Programs of @list whose name belongs to the profile's by @rule. */
static GArray *
named_alike (StriaPairing *self, const StriaMember *member, GArray *list, StriaPairRule rule)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < list->len; i++)
    {
      guint number = g_array_index (list, guint, i);
      const StriaNeuronName *name = &self->members[number].name;
      gboolean alike
          = rule == STRIA_PAIR_HASH
                ? member->name.hash != NULL && g_strcmp0 (member->name.hash, name->hash) == 0
                      && (name->vnc < 0 || member->name.vnc < 0 || name->vnc == member->name.vnc)
            : rule == STRIA_PAIR_STEM ? g_strcmp0 (member->name.stem, name->stem) == 0
                                      : TRUE;
      if (alike)
        g_array_append_val (found, number);
    }
  return found;
}

static gboolean
is_one_content (StriaPairing *self, GArray *list)
{
  for (guint i = 1; i < list->len; i++)
    if (self->members[g_array_index (list, guint, i)].alike
        != self->members[g_array_index (list, guint, 0)].alike)
      return FALSE;
  return list->len > 0;
}

static void
refuse (StriaFiles *group, StriaMember *member, const char *reason, const char *remedy)
{
  group->state = STRIA_FILES_REFUSED;
  group->code = g_strdup ("ERROR_PROCESS_INCOMPLETE");
  group->reason = g_strdup (reason);
  group->remedy = g_strdup (remedy);
  stria_artifact_set_state (member->artifact, STRIA_ARTIFACT_REFUSED, reason);
}

/* By the UUIDs of what ran: a session's profile has many programs. FALSE: it names none. */
static gboolean
pair_executions (StriaPairing *self, StriaMember *member, StriaFiles *group)
{
  const StriaNtffPeek *ntff = member->identity->ntff;
  GPtrArray *lists[] = { ntff->execution_uids, ntff->node_uids };
  guint named = 0, missing = 0;

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; lists[l] != NULL && i < lists[l]->len; i++)
      {
        const guint *program = find_uuid (self, member, lists[l]->pdata[i]);
        g_autofree char *normal = normal_uuid (lists[l]->pdata[i]);

        if (normal == NULL)
          continue;
        named++;
        if (program != NULL)
          use (self, group, *program);
        else if (l == 0)
          missing++;
      }
  if (group->artifacts->len <= 1)
    return FALSE;
  group->rule = STRIA_PAIR_EXECUTION;
  if (missing > 0)
    {
      group->state = STRIA_FILES_PARTIAL;
      group->reason = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%u of the %u programs that it names is not in the capture",
                       "%u of the %u programs that it names are not in the capture", missing),
          missing, named);
    }
  return TRUE;
}

static gboolean
pair_choice (StriaPairing *self, StriaMember *member, StriaFiles *group)
{
  const char *choice
      = self->choices != NULL
            ? g_hash_table_lookup (self->choices, stria_artifact_get_name (member->artifact))
            : NULL;

  for (guint i = 0; choice != NULL && i < self->n_members; i++)
    if (self->members[i].role == STRIA_ROLE_NEFF
        && g_str_equal (stria_artifact_get_name (self->members[i].artifact), choice))
      {
        g_autofree char *both
            = g_strconcat (stria_artifact_get_digest (member->artifact), " ", choice, NULL);
        g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, both, -1);

        use (self, group, i);
        group->rule = STRIA_PAIR_CHOICE;
        /* A store that was made with another program is not this capture's. */
        stria_artifact_set_digest (member->artifact, digest);
        return TRUE;
      }
  return FALSE;
}

/* By names, where the profile has no UUID to go by. */
static void
pair_names (StriaPairing *self, StriaMember *member, StriaFiles *group, GArray *programs)
{
  static const StriaPairRule rules[] = { STRIA_PAIR_HASH, STRIA_PAIR_STEM, STRIA_PAIR_ONLY };

  for (guint r = 0; r < G_N_ELEMENTS (rules); r++)
    {
      g_autoptr (GArray) found = named_alike (self, member, programs, rules[r]);

      if (found->len == 0)
        continue;
      if (is_one_content (self, found))
        {
          use (self, group, g_array_index (found, guint, 0));
          group->rule = rules[r];
          return;
        }
      group->state = STRIA_FILES_AMBIGUOUS;
      for (guint i = 0; i < found->len; i++)
        g_array_append_val (group->candidates,
                            self->members[g_array_index (found, guint, i)].number);
      group->reason = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "Neither UUID nor name says which of %u program it ran",
                       "Neither UUID nor name says which of %u programs it ran", found->len),
          found->len);
      return;
    }
}

static const char *
absent_remedy (void)
{
  return _ ("Set TORCH_NEURONX_NEFF_CACHE_DIR (or neff_cache_dir) when capturing, or copy the "
            ".neff files "
            "into the folder");
}

void
stria_pair_device (StriaPairing *self, StriaMember *member, guint number)
{
  StriaFiles *group = stria_capture_tree_get (self->tree, number);
  const StriaNtffPeek *ntff = member->identity != NULL ? member->identity->ntff : NULL;
  g_autofree char *uuid = ntff != NULL ? normal_uuid (ntff->uuid) : NULL;
  g_autoptr (GArray) programs = near (self, member);
  const guint *program;

  g_array_append_val (group->artifacts, member->number);
  group->nc = member->name.nc;
  group->vnc = member->name.vnc;
  group->session = member->name.session;
  group->rank = member->name.rank;
  group->exec = member->name.exec;
  group->instance_number = member->name.instance_number;
  if (ntff != NULL && ntff->has_pid)
    group->pid = (gint64) ntff->pid;
  if (ntff != NULL && group->nc < 0 && ntff->has_start_nc)
    group->nc = ntff->start_nc;

  if (stria_artifact_get_state (member->artifact) == STRIA_ARTIFACT_EMPTY)
    {
      group->state = STRIA_FILES_IDLE;
      group->reason = g_strdup (_ ("The core was set up, and nothing ran on it"));
      stria_artifact_set_state (member->artifact, STRIA_ARTIFACT_EMPTY, group->reason);
      return;
    }
  if (ntff != NULL && ntff->shape == STRIA_NTFF_SYSTEM)
    {
      refuse (group, member, _ ("It is a system profile's message under another name"), NULL);
      return;
    }
  if (pair_choice (self, member, group))
    return;
  program = find_uuid (self, member, uuid);
  if (program != NULL)
    {
      use (self, group, *program);
      group->rule = STRIA_PAIR_UUID;
      return;
    }
  if (ntff != NULL && pair_executions (self, member, group))
    return;
  if (uuid == NULL)
    pair_names (self, member, group, programs);
  if (group->rule != STRIA_PAIR_NONE || group->state == STRIA_FILES_AMBIGUOUS)
    return;

  /* A file that a person opens by itself is opened; names from its program are what is missing. */
  if (self->n_members == 1)
    {
      group->state = STRIA_FILES_PARTIAL;
      group->reason
          = g_strdup (_ ("Its program (.neff) is not here: no names of layers, tensors or source "
                         "lines"));
      group->remedy = g_strdup (absent_remedy ());
      return;
    }
  if (uuid != NULL)
    {
      g_autoptr (GArray) alike = named_alike (self, member, programs, STRIA_PAIR_HASH);
      g_autofree char *reason = NULL;

      if (alike->len == 0)
        {
          g_clear_pointer (&alike, g_array_unref);
          alike = named_alike (self, member, programs, STRIA_PAIR_STEM);
        }
      if (alike->len == 0 && programs->len == 1)
        g_array_append_vals (alike, programs->data, 1);
      if (alike->len > 0)
        {
          const StriaMember *other = &self->members[g_array_index (alike, guint, 0)];
          const char *their = other->identity != NULL && other->identity->neff != NULL
                                      && other->identity->neff->uuid_text[0] != '\0'
                                  ? other->identity->neff->uuid_text
                                  : _ ("none");

          reason
              = g_strdup_printf (_ ("%s is of another compilation: the profile's UUID is %s, the "
                                    "program's %s"),
                                 other->base, uuid, their);
          refuse (group, member, reason, _ ("Copy the .neff that this capture ran"));
          return;
        }
      reason = g_strdup_printf (_ ("Its program is not in the capture (UUID %s)"), uuid);
      refuse (group, member, reason, absent_remedy ());
      return;
    }
  refuse (group, member, _ ("Its program (.neff) is not in the capture"), absent_remedy ());
}
