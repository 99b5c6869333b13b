/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "source-fixtures.h"

#include <ftw.h>
#include <stdio.h>

static int
remove_one (const char *path, const struct stat *info, int kind, struct FTW *where)
{
  return remove (path);
}

char *
source_fixtures_make (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("stria-sources-XXXXXX", &error);
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "fixtures", "make-sources.py", NULL);
  const char *argv[] = { "/usr/bin/python3", script, folder, NULL };
  int status = 0;

  g_assert_no_error (error);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);
  return folder;
}

void
source_fixtures_remove (const char *folder)
{
  nftw (folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
