/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-run.h"

#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-figures.h"

gboolean bench_as_json;
int bench_runs = 3;

Figures *
figures_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
}

static void
figures_add (Figures *figures, const char *name, double value)
{
  GArray *values = g_hash_table_lookup (figures, name);

  if (values == NULL)
    {
      values = g_array_new (FALSE, FALSE, sizeof (double));
      g_hash_table_insert (figures, g_strdup (name), values);
    }
  g_array_append_val (values, value);
}

double
median (Figures *figures, const char *name)
{
  GArray *values = g_hash_table_lookup (figures, name);

  if (values == NULL)
    return -1;
  return percentile (values, 0.5);
}

gboolean
run_job (Figures *figures, const char *job, const char *argument)
{
  int fds[2];
  struct rusage usage;
  int status;
  pid_t pid;
  char line[256];
  FILE *lines;

  if (pipe (fds) != 0)
    return FALSE;
  pid = fork ();
  if (pid == 0)
    {
      dup2 (fds[1], STDOUT_FILENO);
      close (fds[0]);
      close (fds[1]);
      execl ("/proc/self/exe", "stria-bench", "--job", job, argument, NULL);
      _exit (127);
    }
  close (fds[1]);
  lines = fdopen (fds[0], "r");
  while (pid > 0 && fgets (line, sizeof line, lines) != NULL)
    {
      char *blank = strchr (line, ' ');

      if (blank == NULL)
        continue;
      *blank = '\0';
      figures_add (figures, line, g_ascii_strtod (blank + 1, NULL));
    }
  fclose (lines);
  if (pid < 0 || wait4 (pid, &status, 0, &usage) != pid || status != 0)
    {
      fprintf (stderr, "stria-bench: job %s of %s failed\n", job, argument);
      return FALSE;
    }
  figures_add (figures, "peak_mb", (double) usage.ru_maxrss * 1024 / 1e6);
  figures_add (figures, "processor_s",
               (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                 + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
  return TRUE;
}

Figures *
run_jobs (const char *job, const char *argument)
{
  g_autoptr (GHashTable) figures = figures_new ();

  for (int i = 0; i < bench_runs; i++)
    if (!run_job (figures, job, argument))
      return NULL;
  return g_steal_pointer (&figures);
}

gboolean
run_all (const char *argument, ...)
{
  gboolean good = TRUE;
  const char *job;
  va_list jobs;

  va_start (jobs, argument);
  while (good && (job = va_arg (jobs, const char *)) != NULL)
    good = (*va_arg (jobs, Figures **) = run_jobs (job, argument)) != NULL;
  va_end (jobs);
  return good;
}

gboolean
report_failure (const GError *error)
{
  fprintf (stderr, "stria-bench: %s\n", error->message);
  return FALSE;
}

/* -- output ----------------------------------------------------------------------------------- */

static gboolean json_first = TRUE;

void
print_number (const char *section, const char *name, double value, const char *unit,
              const char *aim)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (bench_as_json)
    {
      printf ("%s\n  \"%s/%s\": %s", json_first ? "{" : ",", section, name,
              g_ascii_formatd (text, sizeof text, "%.6g", value));
      json_first = FALSE;
      return;
    }
  printf ("  %-34s %12s %-6s %s\n", name,
          g_ascii_formatd (text, sizeof text, value >= 100 ? "%.0f" : "%.3g", value), unit, aim);
}

void
print_section (const char *title)
{
  if (!bench_as_json)
    printf ("\n%s\n", title);
  fflush (stdout);
}
