/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "stria-cache.h"
#include "stria-error.h"
#include "stria-scan.h"

typedef struct
{
  guint64 device;
  guint64 inode;
} Identity;

/* A folder, met or still to be entered */
typedef struct Frame
{
  const struct Frame *parent;
  Identity identity;
  guint depth;
  char *path;
  char *name;
} Frame;

typedef struct
{
  GPtrArray *found;
  GHashTable *folders; /* Identity of each folder that was entered */
  GPtrArray *frames;   /* every Frame, to free */
  GQueue links;        /* Frames that a link leads to: entered last, so that what lies in the tree
                          itself is met under its own name */
  StriaNotices *notices;
  GCancellable *cancellable;
  Identity cache;
  gboolean full;
} Walk;

static guint
identity_hash (gconstpointer key)
{
  const Identity *id = key;

  return g_int64_hash (&id->inode) ^ (guint) id->device;
}

static gboolean
identity_equal (gconstpointer a, gconstpointer b)
{
  const Identity *x = a;
  const Identity *y = b;

  return x->inode == y->inode && x->device == y->device;
}

static void
found_free (gpointer data)
{
  StriaFound *self = data;

  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

static void
frame_free (gpointer data)
{
  Frame *self = data;

  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

static Frame *
frame_new (Walk *walk, const Frame *parent, const char *path, const char *name,
           const struct stat *info)
{
  Frame *self = g_new0 (Frame, 1);

  self->parent = parent;
  self->identity = (Identity) { info->st_dev, info->st_ino };
  self->depth = parent != NULL ? parent->depth + 1 : 0;
  self->path = g_strdup (path);
  self->name = g_strdup (name);
  g_ptr_array_add (walk->frames, self);
  return self;
}

static void
add_found (Walk *walk, const char *path, const char *name, const struct stat *info, gboolean linked,
           gboolean named)
{
  StriaFound *file;

  if (walk->found->len >= STRIA_SCAN_MAX_FILES)
    {
      walk->full = TRUE;
      stria_notices_add (walk->notices, STRIA_SEVERITY_WARNING, "scan-files-cap", "", -1,
                         _("There are more than %d files; the others were left out. Open a smaller "
                           "folder."),
                         STRIA_SCAN_MAX_FILES);
      return;
    }
  file = g_new0 (StriaFound, 1);
  file->path = g_strdup (path);
  file->name = g_strdup (name);
  file->linked = linked;
  file->named = named;
  file->size = MAX (info->st_size, 0);
  file->mtime_ns = info->st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info->st_mtim.tv_nsec;
  file->device = info->st_dev;
  file->inode = info->st_ino;
  g_ptr_array_add (walk->found, file);
}

/* Whether the folder may be entered; a notice says why not. */
static gboolean
may_enter (Walk *walk, const Frame *frame)
{
  const char *name = frame->name;

  for (const Frame *above = frame->parent; above != NULL; above = above->parent)
    if (identity_equal (&above->identity, &frame->identity))
      {
        stria_notices_add (walk->notices, STRIA_SEVERITY_INFO, "scan-loop", name, -1,
                           _("%s leads back to a folder that it lies in; it was not entered again"),
                           name);
        return FALSE;
      }
  if (g_hash_table_contains (walk->folders, &frame->identity))
    {
      stria_notices_add (walk->notices, STRIA_SEVERITY_INFO, "scan-duplicate-folder", name, -1,
                         _("%s is a folder that was already met under another name"), name);
      return FALSE;
    }
  if (frame->depth > STRIA_SCAN_MAX_DEPTH)
    {
      stria_notices_add (walk->notices, STRIA_SEVERITY_WARNING, "scan-depth-cap", name, -1,
                         _("%s lies more than %d folders deep and was left out"), name,
                         STRIA_SCAN_MAX_DEPTH);
      return FALSE;
    }
  return TRUE;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  return stria_walk_compare (*(const char *const *) a, *(const char *const *) b);
}

static gboolean walk_folder (Walk *walk, const Frame *frame, GError **error);

/* As walk_folder(); a folder that can't be read is a notice. */
static void
walk_below (Walk *walk, const Frame *frame)
{
  g_autoptr (GError) error = NULL;

  if (!walk_folder (walk, frame, &error))
    stria_notices_add (walk->notices, STRIA_SEVERITY_WARNING, "scan-folder-unreadable", frame->name,
                       -1, "%s", error->message);
}

static gboolean
walk_folder (Walk *walk, const Frame *frame, GError **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_free);
  struct dirent *entry;
  int fd;
  DIR *folder;

  if (identity_equal (&frame->identity, &walk->cache) || !may_enter (walk, frame))
    return TRUE;

  fd = open (frame->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  folder = fd >= 0 ? fdopendir (fd) : NULL;
  if (folder == NULL)
    {
      int number = errno;
      g_autofree char *shown = g_filename_display_name (frame->path);

      if (fd >= 0)
        close (fd);
      g_set_error (error, STRIA_ERROR,
                   number == EACCES || number == EPERM ? STRIA_ERROR_PERMISSION
                                                       : STRIA_ERROR_FAILED,
                   _("%s: the folder can’t be read: %s"), shown, g_strerror (number));
      return FALSE;
    }
  g_hash_table_add (walk->folders, g_memdup2 (&frame->identity, sizeof frame->identity));

  while ((entry = readdir (folder)) != NULL && entries->len <= STRIA_SCAN_MAX_FILES)
    if (entry->d_name[0] != '.')
      g_ptr_array_add (entries, g_strdup (entry->d_name));
  g_ptr_array_sort (entries, compare_entries);

  for (guint i = 0; i < entries->len && !walk->full; i++)
    {
      const char *base = g_ptr_array_index (entries, i);
      g_autofree char *child = g_build_filename (frame->path, base, NULL);
      g_autofree char *shown = g_filename_display_name (base);
      g_autofree char *name = *frame->name != '\0' ? g_strconcat (frame->name, "/", shown, NULL)
                                                   : g_strdup (shown);
      struct stat info;
      gboolean linked;

      if (g_cancellable_is_cancelled (walk->cancellable))
        break;
      if (fstatat (dirfd (folder), base, &info, AT_SYMLINK_NOFOLLOW) < 0)
        continue;
      linked = S_ISLNK (info.st_mode);
      if (linked && fstatat (dirfd (folder), base, &info, 0) < 0)
        stria_notices_add (walk->notices, STRIA_SEVERITY_INFO, "scan-dead-link", name, -1,
                           _("%s is a link that leads nowhere: %s"), name, g_strerror (errno));
      else if (!S_ISDIR (info.st_mode))
        add_found (walk, child, name, &info, linked, FALSE);
      else if (linked)
        g_queue_push_tail (&walk->links, frame_new (walk, frame, child, name, &info));
      else
        walk_below (walk, frame_new (walk, frame, child, name, &info));
    }
  closedir (folder);
  return TRUE;
}

/* Path of @path below @root, "" for @root itself */
static char *
relative_name (const char *path, const char *root)
{
  gsize length = strlen (root);
  const char *rest;

  if (g_str_has_prefix (path, root) && (path[length] == '/' || path[length] == '\0'))
    rest = path + length;
  else if (strcmp (root, "/") == 0)
    rest = path;
  else
    return g_filename_display_basename (path);
  while (*rest == '/')
    rest++;
  return g_filename_display_name (rest);
}

static int
compare_found (gconstpointer a, gconstpointer b)
{
  const StriaFound *x = *(StriaFound *const *) a;
  const StriaFound *y = *(StriaFound *const *) b;

  return stria_walk_compare (x->name, y->name);
}

/* A file under several names (hard or symbolic links, or named twice) is kept under its own name
 * if that is among them, else under the first. */
static void
drop_duplicates (Walk *walk)
{
  g_autoptr (GHashTable) kept = g_hash_table_new_full (identity_hash, identity_equal, g_free, NULL);
  g_autoptr (GPtrArray) all = g_steal_pointer (&walk->found);

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < all->len; i++)
      {
        StriaFound *file = g_ptr_array_index (all, i);
        Identity id = { file->device, file->inode };
        StriaFound *first;

        if (file->linked != (pass == 1))
          continue;
        first = g_hash_table_lookup (kept, &id);
        if (first == NULL)
          g_hash_table_insert (kept, g_memdup2 (&id, sizeof id), file);
        else
          stria_notices_add (walk->notices, STRIA_SEVERITY_INFO, "scan-duplicate", file->name, -1,
                             _("%s is the same file as %s and is read once"), file->name,
                             first->name);
      }

  walk->found = g_ptr_array_new_with_free_func (found_free);
  for (guint i = 0; i < all->len; i++)
    {
      StriaFound *file = g_ptr_array_index (all, i);
      Identity id = { file->device, file->inode };

      if (g_hash_table_lookup (kept, &id) == file)
        g_ptr_array_add (walk->found, file);
      else
        found_free (file);
    }
  g_ptr_array_set_free_func (all, NULL);
}

GPtrArray *
stria_walk (const char *const *paths, const char *root, StriaNotices *notices,
            GCancellable *cancellable, GError **error)
{
  Walk walk = { 0 };
  g_autoptr (GError) first_error = NULL;
  g_autofree char *cache_dir = stria_cache_dir ();
  struct stat info;
  guint seen = 0;

  walk.found = g_ptr_array_new_with_free_func (found_free);
  walk.folders = g_hash_table_new_full (identity_hash, identity_equal, g_free, NULL);
  walk.frames = g_ptr_array_new_with_free_func (frame_free);
  walk.notices = notices;
  walk.cancellable = cancellable;
  if (cache_dir != NULL && stat (cache_dir, &info) == 0)
    walk.cache = (Identity) { info.st_dev, info.st_ino };

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (GError) local = NULL;
      g_autofree char *path = g_canonicalize_filename (paths[i], NULL);
      g_autofree char *name = relative_name (path, root);

      if (stat (path, &info) < 0)
        {
          int number = errno;
          g_autofree char *shown = g_filename_display_name (paths[i]);

          if (number == ENOENT || number == ENOTDIR)
            g_set_error (&local, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                         _("%s: there is no such file or folder"), shown);
          else
            g_set_error (&local, STRIA_ERROR,
                         number == EACCES ? STRIA_ERROR_PERMISSION : STRIA_ERROR_FAILED,
                         _("%s: can’t be looked at: %s"), shown, g_strerror (number));
        }
      else if (S_ISDIR (info.st_mode))
        {
          if (walk_folder (&walk, frame_new (&walk, NULL, path, name, &info), &local))
            seen++;
        }
      else
        {
          add_found (&walk, path, name, &info, FALSE, TRUE);
          seen++;
        }
      if (local != NULL)
        {
          stria_notices_add (notices, STRIA_SEVERITY_ERROR, "scan-unreadable", name, -1, "%s",
                             local->message);
          if (first_error == NULL)
            first_error = g_steal_pointer (&local);
        }
    }

  while (!g_queue_is_empty (&walk.links) && !walk.full)
    walk_below (&walk, g_queue_pop_head (&walk.links));

  g_queue_clear (&walk.links);
  g_ptr_array_unref (walk.frames);
  g_hash_table_unref (walk.folders);
  g_ptr_array_sort (walk.found, compare_found);
  drop_duplicates (&walk);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    g_clear_pointer (&walk.found, g_ptr_array_unref);
  else if (seen == 0 && first_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&first_error));
      g_clear_pointer (&walk.found, g_ptr_array_unref);
    }
  return walk.found;
}

int
stria_walk_compare (const char *a, const char *b)
{
  const guint8 *x = (const guint8 *) a;
  const guint8 *y = (const guint8 *) b;

  while (*x != 0 && *y != 0)
    {
      if (g_ascii_isdigit (*x) && g_ascii_isdigit (*y))
        {
          const guint8 *x_end;
          const guint8 *y_end;
          int order;

          while (*x == '0' && g_ascii_isdigit (x[1]))
            x++;
          while (*y == '0' && g_ascii_isdigit (y[1]))
            y++;
          for (x_end = x; g_ascii_isdigit (*x_end); x_end++)
            ;
          for (y_end = y; g_ascii_isdigit (*y_end); y_end++)
            ;
          /* Without leading zeros the longer number is the larger one. */
          if (x_end - x != y_end - y)
            return x_end - x < y_end - y ? -1 : 1;
          order = memcmp (x, y, x_end - x);
          if (order != 0)
            return order;
          x = x_end;
          y = y_end;
        }
      else if (*x != *y)
        {
          guint8 p = *x == '/' ? 1 : *x;
          guint8 q = *y == '/' ? 1 : *y;

          return p < q ? -1 : 1;
        }
      else
        {
          x++;
          y++;
        }
    }
  if (*x != *y)
    return *x == 0 ? -1 : 1;
  return strcmp (a, b);
}
