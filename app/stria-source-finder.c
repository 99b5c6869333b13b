/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-finder.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "stria-archive.h"
#include "stria-format.h"

/* A folder with more is not one of sources; what was seen until then is used. */
#define MAX_FILES      500000
#define MAX_DEPTH      48
#define MAX_MATCHES    64
#define MAX_PARTS      256
/* Names in one folder: file name to the paths below the folder that end in it. */
typedef struct
{
  char       *folder; /* without links; or an archive */
  GHashTable *files;  /* (element-type utf8 GPtrArray(utf8)) */
  guint       n_files;
  GHashTable *members; /* of an archive: (element-type utf8 utf8): as shown -> as it calls them */
  char       *trouble; /* why the archive could not be read, or not to its end */
} Index;

/* What the user gave, and what was found in it so far. */
typedef struct
{
  GMutex     mutex; /* held while a folder is read */
  char     **folders;
  GPtrArray *indexes; /* Index, of the first folders */
} Folders;

struct _StriaSourceFinder
{
  GObject parent_instance;

  GMutex   mutex;
  Folders *folders; /* atomic box */
};

G_DEFINE_FINAL_TYPE (StriaSourceFinder, stria_source_finder, G_TYPE_OBJECT)

static void
index_free (gpointer data)
{
  Index *index = data;

  g_free (index->folder);
  g_hash_table_unref (index->files);
  g_clear_pointer (&index->members, g_hash_table_unref);
  g_free (index->trouble);
  g_free (index);
}

static void
match_free (gpointer data)
{
  g_free (((StriaSourceMatch *) data)->path);
  g_free (data);
}

static void
folders_clear (gpointer data)
{
  Folders *folders = data;

  g_strfreev (folders->folders);
  g_ptr_array_unref (folders->indexes);
  g_mutex_clear (&folders->mutex);
}

static void
folders_unref (Folders *folders)
{
  g_atomic_rc_box_release_full (folders, folders_clear);
}

/* Takes @paths. */
static Folders *
folders_new (char **paths)
{
  Folders *folders = g_atomic_rc_box_new0 (Folders);

  g_mutex_init (&folders->mutex);
  folders->folders = paths;
  folders->indexes = g_ptr_array_new_with_free_func (index_free);
  return folders;
}

/* A worker that reads the old ones goes on with them; nobody waits for it. */
static void
replace_folders (StriaSourceFinder *self, Folders *folders)
{
  Folders *old;

  g_mutex_lock (&self->mutex);
  old = self->folders;
  self->folders = folders;
  g_mutex_unlock (&self->mutex);
  folders_unref (old);
}

static Folders *
ref_folders (StriaSourceFinder *self)
{
  Folders *folders;

  g_mutex_lock (&self->mutex);
  folders = g_atomic_rc_box_acquire (self->folders);
  g_mutex_unlock (&self->mutex);
  return folders;
}

static void
stria_source_finder_finalize (GObject *object)
{
  StriaSourceFinder *self = STRIA_SOURCE_FINDER (object);

  folders_unref (self->folders);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (stria_source_finder_parent_class)->finalize (object);
}

static void
stria_source_finder_class_init (StriaSourceFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_source_finder_finalize;
}

static void
stria_source_finder_init (StriaSourceFinder *self)
{
  g_mutex_init (&self->mutex);
  self->folders = folders_new (g_new0 (char *, 1));
}

StriaSourceFinder *
stria_source_finder_new (void)
{
  return g_object_new (STRIA_TYPE_SOURCE_FINDER, NULL);
}

/**
 * stria_source_finder_set_folders:
 * @folders: absolute paths, others are left out; the files of the first ones come first
 */
void
stria_source_finder_set_folders (StriaSourceFinder *self, const char *const *folders)
{
  g_autoptr (GStrvBuilder) absolute = g_strv_builder_new ();

  g_return_if_fail (STRIA_IS_SOURCE_FINDER (self));

  for (guint i = 0; folders != NULL && folders[i] != NULL; i++)
    if (g_path_is_absolute (folders[i]))
      g_strv_builder_add (absolute, folders[i]);
  replace_folders (self, folders_new (g_strv_builder_end (absolute)));
}

/**
 * stria_source_finder_forget:
 *
 * Reads the folders anew when they are needed next.
 */
void
stria_source_finder_forget (StriaSourceFinder *self)
{
  Folders *folders;

  g_return_if_fail (STRIA_IS_SOURCE_FINDER (self));

  folders = ref_folders (self);
  replace_folders (self, folders_new (g_strdupv (folders->folders)));
  folders_unref (folders);
}

static void
add_file (Index *index, const char *name, const char *path)
{
  GPtrArray *paths = g_hash_table_lookup (index->files, name);

  if (paths == NULL)
    {
      paths = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (index->files, g_strdup (name), paths);
    }
  g_ptr_array_add (paths, g_strdup (path));
  index->n_files++;
}

/* Takes @fd. Links are left alone: they may lead outside, or round and round. */
static void
walk (Index *index, int fd, const char *below, guint depth, GCancellable *cancellable)
{
  DIR *folder = fdopendir (fd);
  struct dirent *entry;

  if (folder == NULL)
    {
      close (fd);
      return;
    }
  while (index->n_files < MAX_FILES && !g_cancellable_is_cancelled (cancellable)
         && (entry = readdir (folder)) != NULL)
    {
      g_autofree char *path = NULL;
      unsigned char type = entry->d_type;

      if (entry->d_name[0] == '.')
        continue;
      if (type == DT_UNKNOWN)
        {
          struct stat info;

          if (fstatat (dirfd (folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
          type = S_ISDIR (info.st_mode) ? DT_DIR : S_ISREG (info.st_mode) ? DT_REG : DT_UNKNOWN;
        }
      if (type != DT_DIR && type != DT_REG)
        continue;
      path = *below != '\0' ? g_build_filename (below, entry->d_name, NULL)
                            : g_strdup (entry->d_name);
      if (type == DT_REG)
        add_file (index, entry->d_name, path);
      else if (depth < MAX_DEPTH)
        {
          const int inner = openat (dirfd (folder), entry->d_name,
                                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

          if (inner >= 0)
            walk (index, inner, path, depth + 1, cancellable);
        }
    }
  closedir (folder);
}

static gboolean
on_member (const StriaArchiveEntry *entry, gpointer user_data)
{
  Index *index = user_data;
  const char *name = strrchr (entry->label, '/');

  if (entry->label[0] == '.' || strstr (entry->label, "/.") != NULL || entry->encrypted
      || g_hash_table_contains (index->members, entry->label))
    return TRUE;
  g_hash_table_insert (index->members, g_strdup (entry->label), g_strdup (entry->member));
  add_file (index, name != NULL ? name + 1 : entry->label, entry->label);
  return index->n_files < MAX_FILES;
}

/* What could be listed of a damaged one is used. */
static void
list_archive (Index *index, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  index->members = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!stria_archive_list (index->folder, 0, cancellable, on_member, index, &error))
    index->trouble = g_strdup (error->message);
}

static gboolean
is_regular (const char *path)
{
  struct stat info;

  return stat (path, &info) == 0 && S_ISREG (info.st_mode);
}

static Index *
index_new (const char *folder, GCancellable *cancellable)
{
  g_autofree char *real = realpath (folder, NULL);
  const gboolean is_archive = real != NULL && is_regular (real);
  Index *index;
  int fd = -1;

  if (real == NULL)
    return NULL;
  if (!is_archive)
    fd = open (real, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && !is_archive)
    return NULL;
  index = g_new0 (Index, 1);
  index->folder = g_strdup (real);
  index->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) g_ptr_array_unref);
  if (is_archive)
    list_archive (index, cancellable);
  else
    walk (index, fd, "", 0, cancellable);
  return index;
}

/* Parts of a path of any system, without "." and what goes up. Empty if there is no name. */
static GPtrArray *
split (const char *path)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) all = g_strsplit_set (path, "/\\", MAX_PARTS);

  for (guint i = 0; all[i] != NULL; i++)
    if (g_str_equal (all[i], ".."))
      g_ptr_array_set_size (parts, 0);
    else if (*all[i] != '\0' && !g_str_equal (all[i], "."))
      g_ptr_array_add (parts, g_strdup (all[i]));
  return parts;
}

static guint
count_agreeing (const GPtrArray *wanted, const char *path)
{
  g_autoptr (GPtrArray) parts = split (path);
  guint n = 0;

  while (n < wanted->len && n < parts->len
         && g_str_equal (wanted->pdata[wanted->len - 1 - n], parts->pdata[parts->len - 1 - n]))
    n++;
  return n;
}

static void
add_match (StriaSourceResult *result, const char *path, guint n_parts)
{
  StriaSourceMatch *match;

  if (result->matches->len > 0)
    {
      match = g_ptr_array_index (result->matches, 0);
      if (n_parts < match->n_parts)
        return;
      if (n_parts > match->n_parts)
        g_ptr_array_set_size (result->matches, 0);
    }
  if (result->matches->len >= MAX_MATCHES)
    return;
  for (guint i = 0; i < result->matches->len; i++)
    {
      match = g_ptr_array_index (result->matches, i);
      if (g_str_equal (match->path, path))
        return;
    }
  match = g_new0 (StriaSourceMatch, 1);
  match->path = g_strdup (path);
  match->n_parts = n_parts;
  g_ptr_array_add (result->matches, match);
}

static void
look_into (const Index *index, const GPtrArray *wanted, StriaSourceResult *result)
{
  GPtrArray *paths = g_hash_table_lookup (index->files, wanted->pdata[wanted->len - 1]);

  for (guint i = 0; paths != NULL && i < paths->len; i++)
    {
      g_autofree char *path = g_build_filename (index->folder, paths->pdata[i], NULL);

      if (index->members != NULL || is_regular (path))
        add_match (result, path, count_agreeing (wanted, path));
    }
}

/* Called with the mutex held. NULL if cancelled. */
static Index *
get_index (Folders *folders, guint i, GCancellable *cancellable)
{
  if (i >= folders->indexes->len)
    {
      Index *index = index_new (folders->folders[i], cancellable);

      /* A folder that is gone keeps its place */
      if (index == NULL)
        {
          index = g_new0 (Index, 1);
          index->folder = g_strdup (folders->folders[i]);
          index->files = g_hash_table_new (g_str_hash, g_str_equal);
        }
      /* Half read would be remembered as whole */
      if (g_cancellable_is_cancelled (cancellable))
        {
          index_free (index);
          return NULL;
        }
      g_ptr_array_add (folders->indexes, index);
    }
  return folders->indexes->pdata[i];
}

static void
look_into_folders (Folders *folders, const GPtrArray *wanted, StriaSourceResult *result,
                   GCancellable *cancellable)
{
  const char *name = wanted->pdata[wanted->len - 1];

  g_mutex_lock (&folders->mutex);
  for (guint i = 0; folders->folders[i] != NULL; i++)
    {
      const Index *index = get_index (folders, i, cancellable);
      g_autofree char *tried = NULL;

      if (index == NULL)
        break;
      tried = g_build_filename (folders->folders[i], "…", name, NULL);
      if (index->n_files >= MAX_FILES)
        {
          g_autofree char *count = stria_format_count (MAX_FILES);

          /* Translators: a path, a number */
          g_ptr_array_add (result->tried,
                           g_strdup_printf (_ ("%s (the first %s files)"), tried, count));
        }
      else if (index->trouble != NULL)
        g_ptr_array_add (result->tried, g_strdup_printf ("%s (%s)", tried, index->trouble));
      else
        g_ptr_array_add (result->tried, g_steal_pointer (&tried));
      look_into (index, wanted, result);
    }
  g_mutex_unlock (&folders->mutex);
}

/**
 * stria_source_finder_find:
 * @path: as the capture says it
 *
 * Returns: (transfer full): where it may be; no match is an answer too. NULL if cancelled
 */
StriaSourceResult *
stria_source_finder_find (StriaSourceFinder *self, const char *path, GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (StriaSourceResult) result = NULL;
  g_autoptr (GPtrArray) wanted = NULL;

  g_return_val_if_fail (STRIA_IS_SOURCE_FINDER (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  result = g_new0 (StriaSourceResult, 1);
  result->matches = g_ptr_array_new_with_free_func (match_free);
  result->tried = g_ptr_array_new_with_free_func (g_free);
  if (g_path_is_absolute (path))
    {
      g_ptr_array_add (result->tried, g_strdup (path));
      if (is_regular (path))
        {
          add_match (result, path, G_MAXUINT);
          result->is_sure = TRUE;
          return g_steal_pointer (&result);
        }
    }
  wanted = split (path);
  if (wanted->len > 0)
    {
      Folders *folders = ref_folders (self);

      look_into_folders (folders, wanted, result, cancellable);
      folders_unref (folders);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (result->matches->len == 1)
    {
      const StriaSourceMatch *match = g_ptr_array_index (result->matches, 0);

      result->is_sure = match->n_parts > 1 || wanted->len == 1;
    }
  return g_steal_pointer (&result);
}

void
stria_source_result_free (StriaSourceResult *self)
{
  g_clear_pointer (&self->matches, g_ptr_array_unref);
  g_clear_pointer (&self->tried, g_ptr_array_unref);
  g_free (self);
}

/* Called with the mutex held. FALSE: the path is no archive's. */
static gboolean
find_member (Folders *folders, const char *path, char **archive, char **member)
{
  for (guint i = 0; i < folders->indexes->len; i++)
    {
      const Index *index = folders->indexes->pdata[i];
      const gsize length = strlen (index->folder);
      const char *found;

      if (index->members == NULL || !g_str_has_prefix (path, index->folder) || path[length] != '/')
        continue;
      found = g_hash_table_lookup (index->members, path + length + 1);
      if (found == NULL)
        continue;
      *archive = g_strdup (index->folder);
      *member = g_strdup (found);
      return TRUE;
    }
  return FALSE;
}

/**
 * stria_source_finder_read:
 * @path: of a match
 *
 * Returns: (transfer full): what is in the file
 */
StriaSourceText *
stria_source_finder_read (StriaSourceFinder *self, const char *path, GCancellable *cancellable,
                          GError **error)
{
  g_autofree char *archive = NULL;
  g_autofree char *member = NULL;
  Folders *folders;
  gboolean is_member;

  g_return_val_if_fail (STRIA_IS_SOURCE_FINDER (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  folders = ref_folders (self);
  g_mutex_lock (&folders->mutex);
  is_member = find_member (folders, path, &archive, &member);
  g_mutex_unlock (&folders->mutex);
  folders_unref (folders);
  return is_member ? stria_source_text_read_member (archive, member, path, cancellable, error)
                   : stria_source_text_read (path, cancellable, error);
}
