/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-target.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"

static gboolean
set_target_error (const CliTarget *target, int saved_errno, GError **error)
{
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: cannot be written: %s"),
               target->name, g_strerror (saved_errno));
  return FALSE;
}

gboolean
cli_target_open (CliTarget *target, const char *path, GError **error)
{
  struct stat st;
  int         fd;

  *target = (CliTarget){ .file = stdout, .name = _ ("standard output"), .path = path };
  if (path == NULL)
    return TRUE;

  target->name = path;
  if (stat (path, &st) == 0 && !S_ISREG (st.st_mode))
    target->file = fopen (path, "we");
  else
    {
      target->temporary = g_strconcat (path, ".XXXXXX", NULL);
      fd = g_mkstemp_full (target->temporary, O_RDWR | O_CLOEXEC, 0666);
      target->file = fd < 0 ? NULL : fdopen (fd, "w");
      if (fd >= 0 && target->file == NULL)
        close (fd);
    }
  if (target->file == NULL)
    {
      set_target_error (target, errno, error);
      g_clear_pointer (&target->temporary, g_free);
      return FALSE;
    }
  return TRUE;
}

gboolean
cli_target_close (CliTarget *target, gboolean keep, GError **error)
{
  gboolean written = fflush (target->file) == 0 && !ferror (target->file);
  int      saved_errno = errno;

  if (target->path != NULL && fclose (target->file) != 0 && written)
    {
      written = FALSE;
      saved_errno = errno;
    }
  if (target->temporary != NULL)
    {
      if (written && keep && rename (target->temporary, target->path) != 0)
        {
          written = FALSE;
          saved_errno = errno;
        }
      if (!written || !keep)
        unlink (target->temporary);
      g_clear_pointer (&target->temporary, g_free);
    }
  return written || !keep || set_target_error (target, saved_errno, error);
}
