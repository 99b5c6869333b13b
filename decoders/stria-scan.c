/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-scan.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-choices.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-pair.h"
#include "stria-peek.h"
#include "stria-proto.h"
#include "stria-unpack.h"
#include "stria-walk.h"

/* Looking at a file mostly waits for its disk. */
#define MAX_THREADS 8

/* What one file came to: itself, or the members of an archive. */
typedef struct
{
  const StriaFound *file;
  GPtrArray *artifacts; /* of StriaArtifact */
  GHashTable *identities; /* StriaArtifact -> StriaIdentity; NULL until there is one */
  StriaNotices *notices;
  GCancellable *cancellable;
  gint *n_members; /* of all archives together, atomic */
  char *archive_digest;
} Look;

static void
look_free (gpointer data)
{
  Look *self = data;

  g_clear_pointer (&self->artifacts, g_ptr_array_unref);
  g_clear_pointer (&self->identities, g_hash_table_unref);
  g_free (self->archive_digest);
  g_free (self);
}

/* Read by other numbers, a file is another one. */
static void
set_digest (StriaArtifact *artifact, const char *digest)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_get_default ();
  const char *definitions = stria_proto_schema_get_digest (schema);
  g_autofree char *both = NULL, *sum = NULL;

  if (definitions != NULL && g_str_has_prefix (stria_artifact_get_kind (artifact), "neuron-"))
    {
      both = g_strconcat (digest, definitions, NULL);
      sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, both, -1);
    }
  stria_artifact_set_digest (artifact, sum != NULL ? sum : digest);
}

static const char *
title_of (const StriaDecoder *decoder)
{
  return g_dgettext (GETTEXT_PACKAGE, decoder->title);
}

static StriaArtifact *
add_artifact (Look *look, const char *member, const char *name, guint64 size, gint64 mtime_ns)
{
  StriaArtifact *artifact = stria_artifact_new (look->file->path, member, name, size, mtime_ns);

  g_ptr_array_add (look->artifacts, artifact);
  return artifact;
}

/* What pairs the artifact with others, from its first bytes, or from more of them where they say more.
 * Of a member more is not read: all before it would have to be inflated again. */
static void
identify (Look *look, StriaArtifact *artifact, const guint8 *head, gsize length, gboolean whole,
          guint64 size)
{
  const char *kind = stria_artifact_get_kind (artifact);
  StriaIdentity *identity = stria_identity_read (kind, head, length, whole, size);

  if (identity != NULL && !whole && stria_artifact_get_member (artifact) == NULL
      && stria_identity_wants_more (identity))
    {
      g_autoptr (GBytes) more = stria_source_head (stria_artifact_get_path (artifact), NULL,
                                                   STRIA_IDENTITY_BYTES, &whole, NULL);

      if (more != NULL)
        {
          stria_identity_free (identity);
          identity = stria_identity_read (kind, g_bytes_get_data (more, NULL),
                                          g_bytes_get_size (more), whole, size);
        }
    }
  if (identity == NULL)
    return;
  if (look->identities == NULL)
    look->identities = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) stria_identity_free);
  g_hash_table_insert (look->identities, artifact, identity);
}

static gboolean
on_member (const StriaArchiveEntry *entry, gpointer user_data)
{
  Look *look = user_data;
  g_autofree char *name = g_strconcat (look->file->name, "/", entry->label, NULL);
  g_autofree char *base = g_path_get_basename (entry->label);
  g_autofree guint8 *inflated = NULL;
  const guint8 *head = entry->head;
  gsize length = entry->head_length;
  gboolean whole = entry->whole;
  StriaArtifact *artifact;
  const StriaDecoder *decoder;

  /* What tar puts beside a file of macOS, and what a folder walk would not show either */
  if (base[0] == '.')
    return TRUE;
  if (g_atomic_int_add (look->n_members, 1) >= STRIA_SCAN_MAX_FILES)
    {
      stria_notices_add (look->notices, STRIA_SEVERITY_WARNING, "scan-files-cap", look->file->name,
                         -1,
                         _("The archives have more than %d members; the others were left out. Open "
                           "a single archive."),
                         STRIA_SCAN_MAX_FILES);
      return FALSE;
    }

  artifact = add_artifact (look, entry->member, name, entry->size, entry->mtime_ns);
  if (entry->encrypted)
    {
      stria_artifact_set_state (artifact, STRIA_ARTIFACT_UNREADABLE,
                                _("It is encrypted; extract it with its password and open the "
                                  "file"));
      return TRUE;
    }

  if (stria_unpack_is_packed (entry->head, entry->head_length))
    head = inflated = stria_peek_inflate (entry->head, entry->head_length, entry->whole, &length,
                                          &whole);
  decoder = stria_decoder_probe (base, head, length, whole, NULL);
  if (decoder != NULL)
    {
      g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

      /* The tail of a member can't be had without inflating all of it; the ends of the archive
       * stand in for it. */
      g_checksum_update (sum, (const guchar *) look->archive_digest, -1);
      g_checksum_update (sum, entry->head, entry->head_length);
      stria_artifact_set_kind (artifact, decoder->kind, title_of (decoder));
      set_digest (artifact, g_checksum_get_string (sum));
      identify (look, artifact, head, length, whole, whole || inflated == NULL ? entry->size : 0);
    }
  if (entry->head_length == 0 && entry->whole)
    stria_artifact_set_state (artifact, STRIA_ARTIFACT_EMPTY, _("It has no bytes"));
  else if (decoder == NULL)
    stria_artifact_set_state (artifact, STRIA_ARTIFACT_UNKNOWN, NULL);
  return TRUE;
}

static void
look_into_archive (Look *look, StriaPeek *peek)
{
  const StriaFound *file = look->file;
  g_autoptr (GError) error = NULL;
  gboolean good;

  look->archive_digest = stria_peek_digest (peek);
  good = stria_archive_list (file->path, STRIA_PEEK_BYTES, look->cancellable, on_member, look,
                             &error);
  if (!good && look->artifacts->len > 0)
    stria_notices_add (look->notices, STRIA_SEVERITY_WARNING, "archive-damaged", file->name, -1,
                       "%s", error->message);
  else if (!good)
    stria_artifact_set_state (add_artifact (look, NULL, file->name, file->size, file->mtime_ns),
                              STRIA_ARTIFACT_UNREADABLE, error->message);
  else if (look->artifacts->len == 0)
    stria_artifact_set_state (add_artifact (look, NULL, file->name, file->size, file->mtime_ns),
                              STRIA_ARTIFACT_EMPTY, _("The archive has no files"));
}

static void
look_at_empty (Look *look, const char *base)
{
  const StriaFound *file = look->file;
  StriaArtifact *artifact = add_artifact (look, NULL, file->name, 0, file->mtime_ns);
  const StriaDecoder *decoder = stria_decoder_probe (base, (const guint8 *) "", 0, TRUE, NULL);

  if (decoder != NULL)
    stria_artifact_set_kind (artifact, decoder->kind, title_of (decoder));
  stria_artifact_set_state (artifact, STRIA_ARTIFACT_EMPTY, _("It has no bytes"));
}

static void
look_at (gpointer data, gpointer user_data)
{
  Look *look = data;
  const StriaFound *file = look->file;
  g_auto (StriaPeek) peek = { .fd = -1 };
  g_autofree char *base = g_path_get_basename (file->name);
  g_autoptr (GError) error = NULL;
  const StriaDecoder *decoder;
  StriaArtifact *artifact;
  gboolean is_archive;

  if (g_cancellable_is_cancelled (look->cancellable))
    return;
  if (!stria_peek_file (&peek, file->path, &error))
    {
      if (g_error_matches (error, STRIA_ERROR, STRIA_ERROR_EMPTY))
        look_at_empty (look, base);
      else
        {
          stria_artifact_set_state (add_artifact (look, NULL, file->name, file->size,
                                                  file->mtime_ns),
                                    STRIA_ARTIFACT_UNREADABLE, error->message);
          stria_notices_add (look->notices, STRIA_SEVERITY_WARNING, "scan-unreadable", file->name,
                             -1, "%s", error->message);
        }
      return;
    }

  decoder = stria_decoder_probe (base, peek.head, peek.head_length, peek.whole, NULL);
  /* Many formats are zips inside (wheels, office documents, saved tensors): in a folder only what
   * is called an archive is opened, but what a person names is. */
  is_archive = peek.archive != STRIA_ARCHIVE_NONE &&
               (stria_archive_is_named (base) ||
                (file->named && peek.archive != STRIA_ARCHIVE_PACKED));
  if (decoder == NULL && is_archive)
    {
      look_into_archive (look, &peek);
      return;
    }

  artifact = add_artifact (look, NULL, file->name, peek.size, peek.mtime_ns);
  if (decoder != NULL)
    {
      g_autofree char *digest = stria_peek_digest (&peek);

      stria_artifact_set_kind (artifact, decoder->kind, title_of (decoder));
      set_digest (artifact, digest);
      identify (look, artifact, peek.head, peek.head_length, peek.whole,
                peek.inflated == NULL ? peek.size : 0);
    }
  else
    stria_artifact_set_state (artifact, STRIA_ARTIFACT_UNKNOWN, NULL);
}

/* The folder that everything lies in: the one folder or file itself if there is but one. */
static char *
common_root (const char *const *paths, char **root)
{
  g_autofree char *common = g_canonicalize_filename (paths[0], NULL);

  if (paths[1] == NULL)
    {
      *root = g_file_test (common, G_FILE_TEST_IS_DIR) ? g_strdup (common)
                                                       : g_path_get_dirname (common);
      return g_steal_pointer (&common);
    }
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *path = g_canonicalize_filename (paths[i], NULL);
      g_autofree char *folder = g_path_get_dirname (path);

      if (i == 0)
        {
          g_free (common);
          common = g_strdup (folder);
        }
      while (strcmp (common, "/") != 0)
        {
          gsize length = strlen (common);

          if (strncmp (folder, common, length) == 0 &&
              (folder[length] == '/' || folder[length] == '\0'))
            break;
          *strrchr (common, '/') = '\0';
          if (*common == '\0')
            {
              g_free (common);
              common = g_strdup ("/");
            }
        }
    }
  *root = g_strdup (common);
  return g_steal_pointer (&common);
}

static int
compare_artifacts (gconstpointer a, gconstpointer b)
{
  return stria_walk_compare (stria_artifact_get_name (*(StriaArtifact *const *) a),
                             stria_artifact_get_name (*(StriaArtifact *const *) b));
}

/* The tree of a Neuron capture, if it is one. */
static void
pair (StriaCapture *capture, GPtrArray *looks, GHashTable *choices)
{
  g_autoptr (GPtrArray) identities = g_ptr_array_new ();
  g_autoptr (StriaCaptureTree) tree = NULL;
  g_autoptr (GHashTable) all = stria_choices_recall (capture, choices);

  for (guint i = 0; i < looks->len; i++)
    {
      const Look *look = g_ptr_array_index (looks, i);

      for (guint k = 0; k < look->artifacts->len; k++)
        g_ptr_array_add (identities,
                         look->identities != NULL
                             ? g_hash_table_lookup (look->identities,
                                                    g_ptr_array_index (look->artifacts, k))
                             : NULL);
    }
  tree = stria_pair (capture, identities, all);
  stria_capture_set_tree (capture, tree);
  stria_choices_remember (capture, choices);
}

StriaCapture *
stria_scan (const char *const *paths, GCancellable *cancellable, GError **error)
{
  return stria_scan_paired (paths, NULL, cancellable, error);
}

StriaCapture *
stria_scan_paired (const char *const *paths, GHashTable *choices, GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (StriaCapture) capture = NULL;
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GPtrArray) looks = g_ptr_array_new_with_free_func (look_free);
  g_autofree char *root = NULL;
  g_autofree char *path = NULL;
  GThreadPool *pool;
  gint n_members = 0;

  g_return_val_if_fail (paths != NULL, NULL);

  if (paths[0] == NULL)
    {
      g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                           _("No file or folder was named"));
      return NULL;
    }
  path = common_root (paths, &root);
  capture = stria_capture_new (path);
  files = stria_walk (paths, root, stria_capture_get_notices (capture), cancellable, error);
  if (files == NULL)
    return NULL;

  pool = g_thread_pool_new (look_at, NULL, MAX_THREADS, FALSE, NULL);
  for (guint i = 0; i < files->len; i++)
    {
      Look *look = g_new0 (Look, 1);

      look->file = g_ptr_array_index (files, i);
      look->artifacts = g_ptr_array_new_with_free_func (g_object_unref);
      look->notices = stria_capture_get_notices (capture);
      look->cancellable = cancellable;
      look->n_members = &n_members;
      g_ptr_array_add (looks, look);
      g_thread_pool_push (pool, look, NULL);
    }
  g_thread_pool_free (pool, FALSE, TRUE);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;

  /* One path that is there and can't be read: its reason is the answer. */
  if (looks->len == 1 && paths[1] == NULL)
    {
      Look *look = g_ptr_array_index (looks, 0);
      StriaArtifact *only = look->artifacts->len == 1 ? g_ptr_array_index (look->artifacts, 0)
                                                      : NULL;

      if (look->file->named && only != NULL && stria_artifact_get_member (only) == NULL &&
          stria_artifact_get_state (only) == STRIA_ARTIFACT_UNREADABLE)
        {
          StriaPeek peek;
          gboolean readable = stria_peek_file (&peek, look->file->path, error);

          stria_peek_clear (&peek);
          if (!readable)
            return NULL;
        }
    }

  for (guint i = 0; i < looks->len; i++)
    {
      Look *look = g_ptr_array_index (looks, i);

      g_ptr_array_sort (look->artifacts, compare_artifacts);
      for (guint k = 0; k < look->artifacts->len; k++)
        stria_capture_add_artifact (capture, g_ptr_array_index (look->artifacts, k));
    }
  pair (capture, looks, choices);
  return g_steal_pointer (&capture);
}
