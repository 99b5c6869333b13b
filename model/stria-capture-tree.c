/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-tree.h"

#include <glib/gi18n-lib.h>

struct _StriaCaptureTree
{
  gatomicrefcount refs;
  GPtrArray *groups;    /* StriaFiles */
  GPtrArray *lacks;     /* StriaLack */
  GHashTable *by_title; /* parent, kind and title -> number + 1 */
  GHashTable *of;       /* artifact -> number + 1; made when first asked for */
  GMutex mutex;         /* guards @of */
};

static void
group_free (gpointer data)
{
  StriaFiles *group = data;

  g_free (group->title);
  g_free (group->code);
  g_free (group->reason);
  g_free (group->remedy);
  g_array_unref (group->children);
  g_array_unref (group->artifacts);
  g_array_unref (group->candidates);
  g_free (group);
}

static void
lack_free (gpointer data)
{
  StriaLack *lack = data;

  g_free (lack->code);
  g_free (lack->reason);
  g_free (lack->remedy);
  g_free (lack);
}

StriaCaptureTree *
stria_capture_tree_new (void)
{
  StriaCaptureTree *self = g_new0 (StriaCaptureTree, 1);

  g_atomic_ref_count_init (&self->refs);
  self->groups = g_ptr_array_new_with_free_func (group_free);
  self->lacks = g_ptr_array_new_with_free_func (lack_free);
  self->by_title = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&self->mutex);
  return self;
}

StriaCaptureTree *
stria_capture_tree_ref (StriaCaptureTree *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_capture_tree_unref (StriaCaptureTree *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->lacks);
  g_hash_table_unref (self->by_title);
  g_clear_pointer (&self->of, g_hash_table_unref);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static char *
title_key (guint parent, StriaFilesKind kind, const char *title)
{
  return g_strdup_printf ("%u\x1f%d\x1f%s", parent, (int) kind, title);
}

guint
stria_capture_tree_add (StriaCaptureTree *self,
                        guint parent,
                        StriaFilesKind kind,
                        const char *title)
{
  StriaFiles *group = g_new0 (StriaFiles, 1);
  char *key = title_key (parent, kind, title);
  guint number = self->groups->len;

  group->kind = kind;
  group->parent = parent;
  group->title = g_strdup (title);
  group->children = g_array_new (FALSE, FALSE, sizeof (guint));
  group->artifacts = g_array_new (FALSE, FALSE, sizeof (guint));
  group->candidates = g_array_new (FALSE, FALSE, sizeof (guint));
  group->pid = group->nc = group->vnc = group->session = group->rank = group->exec
      = group->instance_number = -1;
  g_ptr_array_add (self->groups, group);
  if (parent != STRIA_NO_GROUP)
    g_array_append_val (stria_capture_tree_get (self, parent)->children, number);
  if (!g_hash_table_contains (self->by_title, key))
    g_hash_table_insert (self->by_title, key, GUINT_TO_POINTER (number + 1));
  else
    g_free (key);
  return number;
}

guint
stria_capture_tree_size (StriaCaptureTree *self)
{
  return self->groups->len;
}

StriaFiles *
stria_capture_tree_get (StriaCaptureTree *self, guint group)
{
  return self->groups->pdata[group];
}

guint
stria_capture_tree_find (StriaCaptureTree *self,
                         guint parent,
                         StriaFilesKind kind,
                         const char *title)
{
  g_autofree char *key = title_key (parent, kind, title);
  gpointer known = g_hash_table_lookup (self->by_title, key);

  return known != NULL ? GPOINTER_TO_UINT (known) - 1 : STRIA_NO_GROUP;
}

guint
stria_capture_tree_of (StriaCaptureTree *self, guint artifact)
{
  gpointer known;

  g_mutex_lock (&self->mutex);
  if (self->of == NULL)
    {
      self->of = g_hash_table_new (NULL, NULL);
      for (guint g = 0; g < self->groups->len; g++)
        {
          const StriaFiles *group = self->groups->pdata[g];

          for (guint i = 0; i < group->artifacts->len; i++)
            {
              gpointer key = GUINT_TO_POINTER (g_array_index (group->artifacts, guint, i));
              if (!g_hash_table_contains (self->of, key))
                g_hash_table_insert (self->of, key, GUINT_TO_POINTER (g + 1));
            }
        }
    }
  known = g_hash_table_lookup (self->of, GUINT_TO_POINTER (artifact));
  g_mutex_unlock (&self->mutex);
  return known != NULL ? GPOINTER_TO_UINT (known) - 1 : STRIA_NO_GROUP;
}

void
stria_capture_tree_add_lack (
    StriaCaptureTree *self, guint group, const char *code, const char *reason, const char *remedy)
{
  StriaLack *lack = g_new0 (StriaLack, 1);

  lack->group = group;
  lack->code = g_strdup (code);
  lack->reason = g_strdup (reason);
  lack->remedy = g_strdup (remedy);
  g_ptr_array_add (self->lacks, lack);
}

guint
stria_capture_tree_n_lacks (StriaCaptureTree *self)
{
  return self->lacks->len;
}

const StriaLack *
stria_capture_tree_get_lack (StriaCaptureTree *self, guint i)
{
  return self->lacks->pdata[i];
}

StriaProfileTypes
stria_capture_tree_types (StriaCaptureTree *self, guint group)
{
  const StriaFiles *at = self->groups->pdata[group];
  StriaProfileTypes types = 0;

  if (at->kind == STRIA_FILES_SYSTEM && at->state != STRIA_FILES_REFUSED)
    types |= STRIA_PROFILE_SYSTEM;
  if (at->kind == STRIA_FILES_DEVICE && at->state != STRIA_FILES_REFUSED
      && at->state != STRIA_FILES_IDLE)
    types |= STRIA_PROFILE_DEVICE;
  for (guint i = 0; i < at->children->len; i++)
    types |= stria_capture_tree_types (self, g_array_index (at->children, guint, i));
  return types;
}

static const struct
{
  const char *name;
  const char *title;
} kinds[] = {
  [STRIA_FILES_CAPTURE] = { "capture", N_("Capture") },
  [STRIA_FILES_NODE] = { "node", N_("Node") },
  [STRIA_FILES_PROCESS] = { "process", N_("Process") },
  [STRIA_FILES_SESSION] = { "session", N_("Session") },
  [STRIA_FILES_DEVICE] = { "device", N_("Device profile") },
  [STRIA_FILES_SYSTEM] = { "system", N_("System profile") },
  [STRIA_FILES_PROGRAMS] = { "programs", N_("Programs") },
  [STRIA_FILES_EXPORT] = { "export", N_("Processed profile") },
  [STRIA_FILES_FRAMEWORK] = { "framework", N_("Framework") },
  [STRIA_FILES_SOURCE] = { "source", N_("Source code") },
  [STRIA_FILES_OTHER] = { "other", N_("Other files") },
}, states[] = {
  [STRIA_FILES_COMPLETE] = { "complete", N_("complete") },
  [STRIA_FILES_PARTIAL] = { "partial", N_("partial") },
  [STRIA_FILES_IDLE] = { "idle", N_("did not run") },
  [STRIA_FILES_AMBIGUOUS] = { "ambiguous", N_("to be chosen") },
  [STRIA_FILES_REFUSED] = { "refused", N_("refused") },
}, rules[] = {
  [STRIA_PAIR_NONE] = { "none", N_("no program") },
  [STRIA_PAIR_UUID] = { "uuid", N_("by the UUID in both files") },
  [STRIA_PAIR_EXECUTION] = { "execution", N_("by the UUIDs of its executions") },
  [STRIA_PAIR_CHOICE] = { "choice", N_("as chosen") },
  [STRIA_PAIR_HASH] = { "hash", N_("by the number in both names") },
  [STRIA_PAIR_STEM] = { "stem", N_("by the same name") },
  [STRIA_PAIR_ONLY] = { "only", N_("the only program beside it") },
};

const char *
stria_files_kind_name (StriaFilesKind kind)
{
  return kinds[kind].name;
}

const char *
stria_files_kind_title (StriaFilesKind kind)
{
  return _ (kinds[kind].title);
}

const char *
stria_files_state_name (StriaFilesState state)
{
  return states[state].name;
}

const char *
stria_files_state_title (StriaFilesState state)
{
  return _ (states[state].title);
}

/* By what it can show: nothing, device, system, both */
static const char *const types_names[] = { "none", "device", "system", "system + device" };
static const char *const types_titles[] = { N_ ("no raw profile"), N_ ("device profile only"),
                                            N_ ("system profile only"),
                                            N_ ("system and device profile") };

const char *
stria_profile_types_name (StriaProfileTypes types)
{
  return types_names[types & (STRIA_PROFILE_DEVICE | STRIA_PROFILE_SYSTEM)];
}

const char *
stria_profile_types_title (StriaProfileTypes types)
{
  return _ (types_titles[types & (STRIA_PROFILE_DEVICE | STRIA_PROFILE_SYSTEM)]);
}

const char *
stria_pair_rule_name (StriaPairRule rule)
{
  return rules[rule].name;
}

const char *
stria_pair_rule_title (StriaPairRule rule)
{
  return _ (rules[rule].title);
}
