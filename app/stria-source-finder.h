/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-source-text.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_FINDER (stria_source_finder_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceFinder, stria_source_finder, STRIA, SOURCE_FINDER, GObject)

/**
 * StriaSourceMatch:
 * @path: absolute, of a regular file, or of an archive and behind it what a member is called
 * @n_parts: how many parts of the path agree, counted from its end
 */
typedef struct
{
  char *path;
  guint n_parts;
} StriaSourceMatch;

/**
 * StriaSourceResult:
 * @matches: (element-type StriaSourceMatch): the best, all with the same number of agreeing parts,
 *   in the order of the folders
 * @tried: (element-type utf8): where was looked
 * @is_sure: one match, and more than its name alone agrees
 *
 * Where a file that a capture names may be on this computer.
 */
typedef struct
{
  GPtrArray *matches;
  GPtrArray *tried;
  gboolean   is_sure;
} StriaSourceResult;

/**
 * StriaSourceFinder:
 *
 * Finds the files that a capture names: at their own path, else in the folders that the user gave,
 * by the longest end of the path that agrees. In folders it neither follows links nor goes outside.
 * An archive (.tar.gz, .zip, ...) is as good as a folder; nothing of it is put on disk.
 * The names in a folder are read once, and again after stria_source_finder_forget(). Any thread.
 */
StriaSourceFinder *stria_source_finder_new         (void);
void               stria_source_finder_set_folders (StriaSourceFinder *self,
                                                    const char *const *folders);
void               stria_source_finder_forget      (StriaSourceFinder *self);
StriaSourceResult *stria_source_finder_find        (StriaSourceFinder *self, const char *path,
                                                    GCancellable *cancellable, GError **error);
void               stria_source_result_free        (StriaSourceResult *self);

/* Reads what a match leads to, also when it lies in an archive. Blocks; for a worker */
StriaSourceText   *stria_source_finder_read        (StriaSourceFinder *self, const char *path,
                                                    GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSourceResult, stria_source_result_free)

G_END_DECLS
