/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <sys/resource.h>

#include <glib/gi18n-lib.h>

#include "cli-common.h"
#include "cli-json.h"
#include "stria-format.h"

/* Bytes that this process has held at once */
static gint64
peak_rss (void)
{
  struct rusage usage;

  if (getrusage (RUSAGE_SELF, &usage) != 0)
    return 0;
  return (gint64) usage.ru_maxrss * 1024;
}

static guint64
bytes_on_disk (StriaCapture *capture)
{
  guint64 bytes = 0;

  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact     *artifact = stria_capture_get_artifact (capture, i);
      StriaArtifactState state = stria_artifact_get_state (artifact);

      if (state == STRIA_ARTIFACT_IMPORTED || state == STRIA_ARTIFACT_EMPTY)
        bytes += stria_artifact_get_size (artifact);
    }
  return bytes;
}

static void
print_json (const CliCapture *open, const char *store)
{
  CliJson json;

  cli_json_init (&json, stdout, 1);
  cli_json_begin_object (&json, NULL);
  cli_json_string (&json, "key", stria_capture_get_key (open->capture));
  cli_json_string (&json, "store", store);
  cli_json_bool (&json, "cached", open->cached);
  cli_json_uint (&json, "bytes", bytes_on_disk (open->capture));
  cli_json_uint (&json, "events", stria_trace_get_n_events (open->trace));
  if (open->picture_us >= 0)
    cli_json_int (&json, "picture_us", open->picture_us);
  else
    cli_json_null (&json, "picture_us");
  cli_json_int (&json, "total_us", open->total_us);
  cli_json_int (&json, "peak_rss_bytes", peak_rss ());
  cli_json_begin_array (&json, "artifacts");
  for (guint i = 0; i < stria_capture_get_n_artifacts (open->capture); i++)
    {
      StriaArtifact   *artifact = stria_capture_get_artifact (open->capture, i);
      g_autofree char *reason = stria_artifact_dup_reason (artifact);

      cli_json_begin_object (&json, NULL);
      cli_json_string (&json, "name", stria_artifact_get_name (artifact));
      cli_json_string (&json, "state",
                       stria_artifact_state_name (stria_artifact_get_state (artifact)));
      cli_json_string (&json, "reason", reason);
      cli_json_end_object (&json);
    }
  cli_json_end_array (&json);
  cli_json_notices (&json, stria_capture_get_notices (open->capture));
  cli_json_end_object (&json);
  cli_json_finish (&json);
}

static void
print_rate (const char *label, guint64 bytes, guint64 events, gint64 us)
{
  double           seconds = MAX (us, 1) / 1e6;
  g_autofree char *time = stria_format_duration (us * 1000, 4);
  g_autofree char *byte_rate = stria_format_bytes ((gint64) (bytes / seconds));
  g_autofree char *event_rate = stria_format_count ((guint64) (events / seconds));

  /* Translators: label, time, bytes a second, events a second */
  printf (_ ("%s: %s (%s/s, %s events/s)\n"), label, time, byte_rate, event_rate);
}

static void
print_text (const CliCapture *open, const char *store)
{
  guint64          bytes = bytes_on_disk (open->capture);
  guint64          events = stria_trace_get_n_events (open->trace);
  g_autofree char *bytes_text = stria_format_bytes ((gint64) bytes);
  g_autofree char *events_text = stria_format_count (events);
  g_autofree char *memory = stria_format_bytes (peak_rss ());
  g_autofree char *time = stria_format_duration (open->total_us * 1000, 4);

  if (store != NULL)
    printf (_ ("Store: %s\n"), store);
  printf (_ ("Read: %s on disk, %s events\n"), bytes_text, events_text);
  if (open->cached)
    printf (_ ("Opened from the store in %s\n"), time);
  else
    {
      if (open->picture_us >= 0)
        print_rate (_ ("To the complete picture"), bytes, events, open->picture_us);
      print_rate (_ ("To the end"), bytes, events, open->total_us);
    }
  printf (_ ("Peak memory: %s\n"), memory);
  if (stria_notices_size (stria_capture_get_notices (open->capture)) > 0)
    cli_print_notices (stria_capture_get_notices (open->capture));
}

static CliExit
run_import (CliContext *context, int argc, char **argv)
{
  gboolean           force = FALSE;
  const GOptionEntry entries[] = {
    { "force", 'f', 0, G_OPTION_ARG_NONE, &force,
      N_ ("Read the files again even if the cache has their store"), NULL },
    { NULL },
  };
  g_auto (CliCapture) open = { 0 };
  g_autofree char    *store = NULL;
  CliExit             exit;

  if (!cli_parse (context, &cli_command_import, argc, argv, entries, 1, G_MAXUINT))
    return CLI_USAGE;
  exit = cli_open (context, (const char *const *) context->rest,
                   CLI_OPEN_SILENT | (force ? CLI_OPEN_REIMPORT : 0), &open);
  if (!cli_is_open (exit))
    return exit;

  store = stria_capture_dup_store_path (open.capture);
  if (context->json)
    print_json (&open, store);
  else
    print_text (&open, store);
  if (store == NULL && !context->no_store)
    {
      cli_warn (_ ("no store was written to the cache"));
      exit = CLI_FAILED;
    }
  return exit;
}

const CliCommand cli_command_import = {
  .name = "import",
  .parameters = N_ ("CAPTURE…"),
  .summary = N_ ("Read a capture into its store in the cache, and say how fast that was"),
  .run = run_import,
};
