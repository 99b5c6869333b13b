/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli-common.h"
#include "cli-diff.h"
#include "stria-locale.h"

static const CliCommand *const commands[] = {
  &cli_command_info,   &cli_command_import, &cli_command_query, &cli_command_stats,
  &cli_command_summary,
  &cli_command_memory, &cli_command_profile, &cli_command_graph, &cli_command_render,
  &cli_command_export, &cli_command_check, &cli_command_cache, &cli_command_diff,
};

/* All other threads have the signals blocked. The first one asks for a clean end, which leaves no
 * half-written file behind; who sends a second one does not want to wait. */
static gpointer
wait_for_signals (gpointer data)
{
  GCancellable *cancellable = data;
  sigset_t      signals;
  int           number;

  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGTERM);
  for (guint n = 0; sigwait (&signals, &number) == 0; n++)
    {
      if (n > 0)
        _exit (CLI_CANCELLED);
      g_cancellable_cancel (cancellable);
    }
  return NULL;
}

static void
catch_signals (GCancellable *cancellable)
{
  sigset_t signals;

  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGTERM);
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  g_thread_unref (g_thread_new ("signals", wait_for_signals, cancellable));
}

static void
print_help (void)
{
  fputs (_ ("Usage: stria-cli COMMAND [OPTION…] …\n"
            "\n"
            "Looks at profiles of accelerators without a window.\n"
            "\n"
            "Commands:\n"),
         stdout);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    printf ("  %-8s %s\n", commands[i]->name, _ (commands[i]->summary));
  fputs (_ ("\n"
            "“stria-cli COMMAND --help” tells about one. CAPTURE is a file, a folder or an archive;\n"
            "several of them are read as one capture.\n"),
         stdout);
}

int
main (int argc, char **argv)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  CliContext               context = { .cancellable = cancellable };
  CliExit                  exit = CLI_USAGE;
  const char              *name = argc > 1 ? argv[1] : NULL;
  gboolean                 found = FALSE;

  stria_locale_init ();

  if (name == NULL)
    return (int) cli_usage (&context, _ ("which command?"));
  if (g_str_equal (name, "--help") || g_str_equal (name, "-h") || g_str_equal (name, "help"))
    {
      print_help ();
      return (int) cli_finish_file (&context, stdout, _ ("standard output"), CLI_OK);
    }
  if (g_str_equal (name, "--version"))
    {
      printf ("stria-cli %s\n", VERSION);
      return (int) cli_finish_file (&context, stdout, _ ("standard output"), CLI_OK);
    }

  catch_signals (cancellable);
  for (gsize i = 0; i < G_N_ELEMENTS (commands) && !found; i++)
    {
      g_autofree char *program = NULL;

      if (!g_str_equal (commands[i]->name, name))
        continue;
      found = TRUE;
      program = g_strdup_printf ("stria-cli %s", name);
      g_set_prgname (program);
      exit = commands[i]->run (&context, argc - 1, argv + 1);
      exit = cli_finish_file (&context, stdout, _ ("standard output"), exit);
    }
  if (!found)
    exit = cli_usage (&context, _ ("there is no command “%s”"), name);

  g_strfreev (context.rest);
  g_strfreev (context.pairs);
  return (int) exit;
}
