/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-cache.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "stria-error.h"
#include "stria-locale.h"

/*
 * What stands in the folder: `<key>.stria` (finished stores), `<key>.png` (their thumbnails) and
 * `<key>.<pid>-<random>.part`, perhaps with a journal behind (`….part-journal`): stores that are
 * being written, locked by flock() for the life of their writer. Any number of processes use the
 * folder at once, so each file may be gone at the next call; and a user may have pointed
 * $STRIA_CACHE_DIR at a folder with other things in it, so nothing of another name is touched.
 */

#define KEY_LENGTH 64

typedef struct
{
  char      *key;
  GPtrArray *names; /* its files */
  guint64    bytes;
  gint64     opened_us; /* since the epoch */
  gboolean   has_store;
} CacheEntry;

typedef struct
{
  GHashTable *entries; /* key -> CacheEntry */
  GPtrArray  *parts;   /* paths of `.part` files and of their journals */
  guint64     bytes;   /* all of them */
} CacheList;

static void
cache_entry_free (gpointer data)
{
  CacheEntry *entry = data;

  g_free (entry->key);
  g_ptr_array_unref (entry->names);
  g_free (entry);
}

static void
cache_list_free (CacheList *list)
{
  g_hash_table_unref (list->entries);
  g_ptr_array_unref (list->parts);
  g_free (list);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CacheList, cache_list_free)

static gboolean
starts_with_key (const char *name)
{
  for (guint i = 0; i < KEY_LENGTH; i++)
    {
      if (!g_ascii_isxdigit (name[i]))
        return FALSE;
    }
  return name[KEY_LENGTH] == '.';
}

static gboolean
is_part (const char *name)
{
  const char *suffix = strstr (name, ".part");

  return suffix != NULL && (suffix[5] == '\0' || suffix[5] == '-');
}

/* A store is of a language: "KEY.stria" or "KEY.LANGUAGE.stria" */
static gboolean
is_store (const char *name)
{
  const char *rest = name + KEY_LENGTH;
  const gsize language = rest[0] == '.' ? strspn (rest + 1, STRIA_LOCALE_LETTERS) : 0;

  return g_str_equal (rest, ".stria") || (language > 0 && g_str_equal (rest + 1 + language, ".stria"));
}

static gint64
timespec_us (const struct timespec *time)
{
  return (gint64) time->tv_sec * G_USEC_PER_SEC + time->tv_nsec / 1000;
}

static void
list_add (CacheList *list, const char *name, const struct stat *st)
{
  const gboolean   store = is_store (name);
  g_autofree char *key = g_strndup (name, KEY_LENGTH);
  CacheEntry      *entry = g_hash_table_lookup (list->entries, key);
  gint64           opened_us = store ? timespec_us (&st->st_atim) : timespec_us (&st->st_mtim);

  if (entry == NULL)
    {
      entry = g_new0 (CacheEntry, 1);
      entry->key = g_steal_pointer (&key);
      entry->names = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (list->entries, entry->key, entry);
    }
  g_ptr_array_add (entry->names, g_strdup (name));
  entry->bytes += (guint64) st->st_size;
  if (store && entry->has_store)
    entry->opened_us = MAX (entry->opened_us, opened_us);
  else if (store || !entry->has_store)
    entry->opened_us = opened_us;
  entry->has_store |= store;
}

/* An absent folder is an empty one. */
static CacheList *
list_folder (const char *dir)
{
  CacheList      *list = g_new0 (CacheList, 1);
  g_autoptr (GDir) folder = g_dir_open (dir, 0, NULL);
  const char     *name;

  list->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, cache_entry_free);
  list->parts = g_ptr_array_new_with_free_func (g_free);

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = NULL;
      struct stat      st;

      if (!starts_with_key (name))
        continue;
      path = g_build_filename (dir, name, NULL);
      if (lstat (path, &st) != 0 || !S_ISREG (st.st_mode))
        continue;

      if (is_part (name + KEY_LENGTH))
        {
          g_ptr_array_add (list->parts, g_steal_pointer (&path));
          list->bytes += (guint64) st.st_size;
        }
      else if (is_store (name) || g_str_equal (name + KEY_LENGTH, ".png"))
        {
          list_add (list, name, &st);
          list->bytes += (guint64) st.st_size;
        }
    }
  return list;
}

/* Returns: bytes freed; 0 if somebody else was faster */
static guint64
remove_file (const char *path, GError **error)
{
  struct stat st;

  if (lstat (path, &st) != 0)
    return 0;
  if (unlink (path) == 0)
    return (guint64) st.st_size;
  if (errno != ENOENT)
    {
      int saved_errno = errno;

      g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
                   _ ("%s: cannot be removed from the cache: %s"), path,
                   g_strerror (saved_errno));
    }
  return 0;
}

static guint64
remove_entry (const char *dir, const CacheEntry *entry, GError **error)
{
  guint64 freed = 0;

  for (guint i = 0; i < entry->names->len; i++)
    {
      const char      *name = g_ptr_array_index (entry->names, i);
      g_autofree char *path = g_strconcat (dir, "/", name, NULL);

      freed += remove_file (path, error != NULL && *error == NULL && is_store (name) ? error : NULL);
    }
  return freed;
}

/* The writer holds the lock as long as it lives, however it dies. */
static guint64
remove_if_abandoned (const char *path)
{
  const char      *suffix = strstr (strrchr (path, '/'), ".part");
  g_autofree char *part = g_strndup (path, (gsize) (suffix - path) + strlen (".part"));
  guint64          freed = 0;
  int              fd = open (part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

  if (fd < 0)
    return errno == ENOENT ? remove_file (path, NULL) : 0;
  if (flock (fd, LOCK_EX | LOCK_NB) == 0)
    freed = remove_file (path, NULL);
  close (fd);
  return freed;
}

static int
compare_opened (gconstpointer a, gconstpointer b)
{
  const CacheEntry *x = *(const CacheEntry *const *) a;
  const CacheEntry *y = *(const CacheEntry *const *) b;

  if (x->opened_us != y->opened_us)
    return x->opened_us < y->opened_us ? -1 : 1;
  return strcmp (x->key, y->key);
}

/**
 * stria_cache_dir:
 *
 * Returns: (transfer full) (type filename): the folder of finished stores, which may not be there
 *   yet
 */
char *
stria_cache_dir (void)
{
  const char *dir = g_getenv ("STRIA_CACHE_DIR");

  if (dir != NULL && dir[0] != '\0')
    return g_canonicalize_filename (dir, NULL);
  return g_build_filename (g_get_user_cache_dir (), "stria", NULL);
}

/**
 * stria_cache_path:
 * @key: key of a capture
 * @suffix: ".png"
 *
 * Returns: (transfer full) (type filename): where that file of the capture stands, or will
 */
char *
stria_cache_path (const char *key, const char *suffix)
{
  g_autofree char *dir = stria_cache_dir ();

  g_return_val_if_fail (key != NULL, NULL);
  g_return_val_if_fail (suffix != NULL, NULL);

  return g_strconcat (dir, "/", key, suffix, NULL);
}

/**
 * stria_cache_store_path:
 * @key: key of a capture
 *
 * A store has names of lanes and notices in the language of the one who read the capture, so that each
 * language has stores of its own.
 *
 * Returns: (transfer full) (type filename): where the store of the capture stands, or will
 */
char *
stria_cache_store_path (const char *key)
{
  g_autofree char *language = stria_locale_language ();
  g_autofree char *suffix = language[0] != '\0' ? g_strconcat (".", language, ".stria", NULL)
                                                : g_strdup (".stria");

  return stria_cache_path (key, suffix);
}

/**
 * stria_cache_touch:
 * @key: key of a capture
 *
 * Notes that the store of @key was opened now. The time of access is set by hand since file systems
 * are often mounted so that reading does not set it.
 */
void
stria_cache_touch (const char *key)
{
  g_autofree char      *path = stria_cache_store_path (key);
  const struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, { .tv_nsec = UTIME_OMIT } };

  if (path != NULL && utimensat (AT_FDCWD, path, times, 0) != 0 && errno != ENOENT)
    g_debug ("%s: no time of access: %s", path, g_strerror (errno));
}

/**
 * stria_cache_open_part:
 * @key: key of a capture
 * @lock_fd: (out): open file that holds the lock
 *
 * Makes the cache's folder and a new, empty, locked file in it for a store to be written to. Rename
 * it to stria_cache_store_path() when it is finished, or remove it; then close @lock_fd.
 *
 * Returns: (transfer full) (type filename): path of the file, or NULL with %STRIA_ERROR_STORE
 */
char *
stria_cache_open_part (const char *key, int *lock_fd, GError **error)
{
  g_autofree char *dir = stria_cache_dir ();
  g_autofree char *path = NULL;

  g_return_val_if_fail (key != NULL, NULL);
  g_return_val_if_fail (lock_fd != NULL, NULL);

  *lock_fd = -1;
  if (g_mkdir_with_parents (dir, 0700) != 0)
    {
      int saved_errno = errno;

      g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
                   _ ("%s: the cache folder cannot be made: %s"), dir, g_strerror (saved_errno));
      return NULL;
    }

  for (guint attempt = 0; attempt < 100; attempt++)
    {
      struct stat opened;
      struct stat named;
      int         fd;

      g_free (path);
      path = g_strdup_printf ("%s/%s.%d-%08x.part", dir, key, (int) getpid (), g_random_int ());
      fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
      if (fd < 0 && errno == EEXIST)
        continue;
      if (fd < 0)
        {
          int saved_errno = errno;

          g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
                       _ ("%s: the store cannot be made: %s"), path, g_strerror (saved_errno));
          return NULL;
        }

      /* Between the two calls an eviction may have taken the file for an abandoned one. Where the
       * file system knows no locks, an eviction gets none either and leaves the file alone. */
      if ((flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
          && fstat (fd, &opened) == 0 && stat (path, &named) == 0
          && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
        {
          *lock_fd = fd;
          return g_steal_pointer (&path);
        }
      close (fd);
      unlink (path);
    }

  g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
               _ ("%s: each file made for the store was removed at once by somebody else"), dir);
  return NULL;
}

/**
 * stria_cache_usage:
 * @n_stores: (out) (optional): number of finished stores
 *
 * Returns: bytes of all that is in the cache
 */
guint64
stria_cache_usage (guint *n_stores)
{
  g_autofree char      *dir = stria_cache_dir ();
  g_autoptr (CacheList) list = list_folder (dir);
  GHashTableIter        iter;
  gpointer              entry;

  if (n_stores != NULL)
    {
      *n_stores = 0;
      g_hash_table_iter_init (&iter, list->entries);
      while (g_hash_table_iter_next (&iter, NULL, &entry))
        *n_stores += ((CacheEntry *) entry)->has_store ? 1 : 0;
    }
  return list->bytes;
}

/**
 * stria_cache_evict:
 * @max_bytes: what the cache may hold; 0 = no limit
 * @max_age_days: stores not opened for longer go; 0 = no limit
 * @keep_key: (nullable): key of a capture that stays in any case
 *
 * Removes what killed imports left, then what is too old, then the least recently opened stores
 * until @max_bytes hold. A store that a process has open stays readable to it. Any thread.
 *
 * Returns: bytes freed
 */
guint64
stria_cache_evict (guint64 max_bytes, guint max_age_days, const char *keep_key)
{
  g_autofree char      *dir = stria_cache_dir ();
  g_autoptr (CacheList) list = list_folder (dir);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  GHashTableIter        iter;
  gpointer              value;
  guint64               freed = 0;
  guint64               left = list->bytes;
  gint64                oldest_us = G_MININT64;

  for (guint i = 0; i < list->parts->len; i++)
    freed += remove_if_abandoned (g_ptr_array_index (list->parts, i));
  left -= MIN (left, freed);

  if (max_age_days != 0)
    oldest_us = g_get_real_time () - (gint64) max_age_days * G_TIME_SPAN_DAY;

  g_hash_table_iter_init (&iter, list->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (order, value);
  g_ptr_array_sort (order, compare_opened);
  for (guint i = 0; i < order->len; i++)
    {
      const CacheEntry *entry = g_ptr_array_index (order, i);
      guint64           bytes;

      if (g_strcmp0 (entry->key, keep_key) == 0)
        continue;
      if (entry->opened_us >= oldest_us && (max_bytes == 0 || left <= max_bytes))
        continue;
      bytes = remove_entry (dir, entry, NULL);
      freed += bytes;
      left -= MIN (left, bytes);
    }
  return freed;
}

/**
 * stria_cache_clear:
 *
 * Removes all but what a running import is writing.
 *
 * Returns: FALSE with the first %STRIA_ERROR_STORE if something could not be removed; the rest is
 *   removed all the same
 */
gboolean
stria_cache_clear (GError **error)
{
  g_autofree char      *dir = stria_cache_dir ();
  g_autoptr (CacheList) list = list_folder (dir);
  g_autoptr (GError)    first = NULL;
  GHashTableIter        iter;
  gpointer              entry;

  for (guint i = 0; i < list->parts->len; i++)
    remove_if_abandoned (g_ptr_array_index (list->parts, i));

  g_hash_table_iter_init (&iter, list->entries);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    remove_entry (dir, entry, first == NULL ? &first : NULL);

  if (first != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return FALSE;
    }
  return TRUE;
}

guint64
stria_cache_store_bytes (const char *key)
{
  g_autofree char *dir = stria_cache_dir ();
  g_autoptr (GDir) folder = g_dir_open (dir, 0, NULL);
  const char      *name;
  guint64          bytes = 0;
  gboolean         has_store = FALSE;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = NULL;
      struct stat      st;

      if (!starts_with_key (name) || strncmp (name, key, KEY_LENGTH) != 0
          || is_part (name + KEY_LENGTH))
        continue;
      path = g_build_filename (dir, name, NULL);
      if (lstat (path, &st) != 0 || !S_ISREG (st.st_mode))
        continue;
      bytes += (guint64) st.st_size;
      has_store |= is_store (name);
    }
  /* A picture alone is no store. */
  return has_store ? bytes : 0;
}

gboolean
stria_cache_remove (const char *key, GError **error)
{
  g_autofree char      *dir = stria_cache_dir ();
  g_autoptr (CacheList) list = list_folder (dir);
  const CacheEntry     *entry = g_hash_table_lookup (list->entries, key);
  g_autoptr (GError)    failed = NULL;

  if (entry != NULL)
    remove_entry (dir, entry, &failed);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}
