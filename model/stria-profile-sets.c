/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  ROLE_RECORD,
  ROLE_DUMP,
  ROLE_PROGRAM,
  ROLE_VGF,
  N_ROLES,
  ROLE_NONE = N_ROLES,
} Role;

/* An artifact that can be in a set. */
typedef struct
{
  guint artifact;
  Role role;
  char *folder;
  char *stem; /* name without endings */
  gboolean used;
} Candidate;

static void
candidate_free (gpointer data)
{
  Candidate *self = data;

  g_free (self->folder);
  g_free (self->stem);
  g_free (self);
}

void
stria_profile_set_free (StriaProfileSet *set)
{
  g_free (set->name);
  g_free (set);
}

static Role
role_of (const StriaFacts *facts)
{
  if (stria_facts_size (facts, STRIA_TABLE_RECORD) > 0)
    return ROLE_RECORD;
  if (stria_facts_size (facts, STRIA_TABLE_DUMP) > 0)
    return ROLE_DUMP;
  if (stria_facts_size (facts, STRIA_TABLE_PROGRAM) > 0)
    return ROLE_PROGRAM;
  if (stria_facts_size (facts, STRIA_TABLE_VGF) > 0)
    return ROLE_VGF;
  return ROLE_NONE;
}

static GPtrArray *
find_candidates (StriaCapture *capture)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (candidate_free);

  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      g_autoptr (StriaFacts) facts = stria_capture_ref_facts (capture, i);
      Role role = facts != NULL ? role_of (facts) : ROLE_NONE;

      if (role == ROLE_NONE)
        continue;
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);
      const char *path = stria_artifact_get_path (artifact);
      const char *member = stria_artifact_get_member (artifact);
      g_autofree char *full
          = member != NULL ? g_build_filename (path, member, NULL) : g_strdup (path);
      Candidate *candidate = g_new0 (Candidate, 1);
      candidate->artifact = i;
      candidate->role = role;
      candidate->folder = g_path_get_dirname (full);
      candidate->stem = g_path_get_basename (full);
      /* "model.pte" and "model.etdp.gz" are of one stem. */
      char *dot = strchr (candidate->stem + 1, '.');
      if (dot != NULL)
        *dot = '\0';
      g_ptr_array_add (all, candidate);
    }
  return all;
}

static guint
count_role (GPtrArray *all, Role role)
{
  guint n = 0;

  for (guint i = 0; i < all->len; i++)
    n += ((Candidate *) all->pdata[i])->role == role;
  return n;
}

/* The partner of @anchor in @role: the one of the same folder and stem, else the only one in the
 * folder, else, for the only @anchor, the only one of the capture. *@n says how many could be
 * meant. */
static Candidate *
find_partner (GPtrArray *all, const Candidate *anchor, Role role, guint *n)
{
  guint n_levels = count_role (all, anchor->role) == 1 ? 3 : 2;

  *n = 0;
  for (guint level = 0; level < n_levels; level++)
    {
      Candidate *found = NULL;

      *n = 0;
      for (guint i = 0; i < all->len; i++)
        {
          Candidate *other = all->pdata[i];

          if (other->role != role || (level < 2 && !g_str_equal (other->folder, anchor->folder))
              || (level < 1 && !g_str_equal (other->stem, anchor->stem)))
            continue;
          found = other;
          *n += 1;
        }
      if (*n == 1)
        return found;
      if (*n > 1)
        return NULL;
    }
  return NULL;
}

static guint *
member_of_set (StriaProfileSet *set, Role role)
{
  switch (role)
    {
    case ROLE_RECORD:
      return &set->record;
    case ROLE_DUMP:
      return &set->dump;
    case ROLE_PROGRAM:
      return &set->program;
    case ROLE_VGF:
    case N_ROLES:
    default:
      return &set->vgf;
    }
}

static StriaProfileSet *
make_set (StriaCapture *capture, GPtrArray *all, Candidate *anchor, gboolean tell)
{
  StriaProfileSet *set = g_new (StriaProfileSet, 1);
  const char *name
      = stria_artifact_get_name (stria_capture_get_artifact (capture, anchor->artifact));

  *set = (StriaProfileSet){ NULL, STRIA_NO_REF, STRIA_NO_REF, STRIA_NO_REF, STRIA_NO_REF };
  set->name = g_strdup (name);
  *member_of_set (set, anchor->role) = anchor->artifact;
  anchor->used = TRUE;
  for (Role role = ROLE_RECORD; role < N_ROLES; role++)
    {
      guint n;

      /* A dump says what ran, so each one has a set; nobody else's partner is a dump. */
      if (role == anchor->role || role == ROLE_DUMP)
        continue;
      Candidate *partner = find_partner (all, anchor, role, &n);
      if (partner != NULL)
        {
          *member_of_set (set, role) = partner->artifact;
          partner->used = TRUE;
        }
      else if (n > 1 && tell)
        {
          static const char *const codes[] = { "profile-several-records", NULL,
                                               "profile-several-programs", "profile-several-vgf" };

          stria_notices_add (stria_capture_get_notices (capture), STRIA_SEVERITY_INFO, codes[role],
                             name, -1,
                             _ ("%u files could belong to it and none has its name, so it is shown "
                                "without one"),
                             n);
        }
    }
  return set;
}

/* Several sets of one folder are told apart by their files; else the stem is short and enough. */
static void
name_sets (StriaCapture *capture, GPtrArray *sets)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < sets->len; i++)
    {
      StriaProfileSet *set = sets->pdata[i];

      if (sets->len == 1 && set->name != NULL)
        {
          g_free (set->name);
          set->name = g_strdup (stria_capture_get_title (capture));
        }
      for (guint n = 2; g_hash_table_contains (seen, set->name); n++)
        {
          g_autofree char *old = g_steal_pointer (&set->name);

          set->name = g_strdup_printf ("%s #%u", old, n);
        }
      g_hash_table_add (seen, g_strdup (set->name));
    }
}

GPtrArray *
stria_profile_sets (StriaCapture *capture)
{
  static const Role anchors[] = { ROLE_DUMP, ROLE_RECORD, ROLE_PROGRAM, ROLE_VGF };
  GPtrArray *sets = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_profile_set_free);
  g_autoptr (GPtrArray) all = find_candidates (capture);
  StriaNotices *notices = stria_capture_get_notices (capture);
  /* Asked again, the same cases would be counted again. */
  gboolean tell = stria_notices_total (notices, "profile-several-records") == 0
                  && stria_notices_total (notices, "profile-several-programs") == 0
                  && stria_notices_total (notices, "profile-several-vgf") == 0;

  for (guint a = 0; a < G_N_ELEMENTS (anchors); a++)
    for (guint i = 0; i < all->len; i++)
      {
        Candidate *candidate = all->pdata[i];

        if (candidate->role == anchors[a] && !candidate->used)
          g_ptr_array_add (sets, make_set (capture, all, candidate, tell));
      }
  name_sets (capture, sets);
  return sets;
}

char **
stria_profile_methods (StriaCapture *capture, const StriaProfileSet *set)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  gboolean of_record = set->record != STRIA_NO_REF;
  guint artifact = of_record ? set->record : set->program;
  guint table = of_record ? STRIA_TABLE_RECORD_METHOD : STRIA_TABLE_PROGRAM_PLAN;
  g_autoptr (StriaFacts) facts
      = artifact != STRIA_NO_REF ? stria_capture_ref_facts (capture, artifact) : NULL;
  gsize n = facts != NULL ? stria_facts_size (facts, table) : 0;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < n; i++)
    {
      guint32 name
          = of_record ? STRIA_ROWS (facts, StriaRecordMethodRow, STRIA_TABLE_RECORD_METHOD)[i].name
                      : STRIA_ROWS (facts, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN)[i].name;

      if (g_hash_table_add (seen, GUINT_TO_POINTER (name)))
        g_strv_builder_add (builder, stria_facts_text (facts, name));
    }
  return g_strv_builder_end (builder);
}
