/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-sample.h"

#define SAMPLE "sample/training-step.json.gz"

static char *
in_folder (const char *folder, const char *below)
{
  g_autofree char *path = NULL;

  if (folder == NULL)
    return NULL;
  path = g_build_filename (folder, below, SAMPLE, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_canonicalize_filename (path, NULL) : NULL;
}

char *
stria_sample_path (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  char *path = in_folder (g_getenv ("STRIA_DATA_DIR"), "");

  if (path == NULL)
    path = in_folder (PKGDATADIR, "");
  if (path == NULL)
    path = in_folder (folder, "../../data");
  return path;
}
