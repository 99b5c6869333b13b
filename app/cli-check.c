/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli-common.h"
#include "cli-json.h"
#include "cli-table.h"
#include "cli-wire.h"
#include "stria-error.h"
#include "stria-format.h"

typedef struct
{
  gboolean wanted;
  gboolean values;
} WireOptions;

typedef enum
{
  VERDICT_SOUND,
  VERDICT_FAULTY,   /* read, with warnings or errors */
  VERDICT_UNREADABLE,
} Verdict;

static const char *
verdict_name (Verdict verdict)
{
  static const char *const names[] = { "sound", "faulty", "unreadable" };

  return names[verdict];
}

static const char *
verdict_title (Verdict verdict)
{
  switch (verdict)
    {
    case VERDICT_SOUND:
      return _ ("sound");
    case VERDICT_FAULTY:
      return _ ("read, with faults");
    case VERDICT_UNREADABLE:
    default:
      return _ ("cannot be read");
    }
}

static void
json_file (CliJson *json, const char *path, Verdict verdict, StriaCapture *capture,
           const GError *error, const WireOptions *wire, GCancellable *cancellable)
{
  cli_json_begin_object (json, NULL);
  cli_json_string (json, "path", path);
  cli_json_string (json, "verdict", verdict_name (verdict));
  if (error != NULL)
    {
      cli_json_begin_object (json, "error");
      cli_json_string (json, "code", cli_error_code (error));
      cli_json_string (json, "message", error->message);
      cli_json_end_object (json);
    }
  if (capture != NULL)
    {
      cli_json_begin_array (json, "artifacts");
      for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
        {
          StriaArtifact   *artifact = stria_capture_get_artifact (capture, i);
          g_autofree char *reason = stria_artifact_dup_reason (artifact);

          cli_json_begin_object (json, NULL);
          cli_json_string (json, "name", stria_artifact_get_name (artifact));
          cli_json_string (json, "kind", stria_artifact_get_kind (artifact));
          cli_json_string (json, "state",
                           stria_artifact_state_name (stria_artifact_get_state (artifact)));
          cli_json_string (json, "reason", reason);
          cli_json_uint (json, "events", stria_artifact_get_n_events (artifact));
          cli_json_end_object (json);
        }
      cli_json_end_array (json);
      cli_json_notices (json, stria_capture_get_notices (capture));
    }
  if (wire->wanted)
    cli_wire (json, path, wire->values, cancellable, NULL);
  cli_json_end_object (json);
}

static void
print_artifact (StriaArtifact *artifact)
{
  g_autofree char *reason = stria_artifact_dup_reason (artifact);
  g_autofree char *name = cli_printable (stria_artifact_get_name (artifact));
  g_autofree char *printable = cli_printable (reason == NULL ? "" : reason);
  const char      *title = cli_state_title (stria_artifact_get_state (artifact));

  if (reason != NULL)
    printf ("  %s: %s: %s\n", name, title, printable);
  else
    printf ("  %s: %s\n", name, title);
}

static void
print_file (const char *path, Verdict verdict, StriaCapture *capture, const GError *error)
{
  g_autofree char *printable = cli_printable (path);

  printf ("%s: %s\n", printable, verdict_title (verdict));
  if (error != NULL)
    {
      g_autofree char *message = cli_printable (error->message);

      printf ("  %s: %s\n", cli_error_code (error), message);
    }
  if (capture == NULL)
    return;
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);

      if (stria_artifact_get_state (artifact) != STRIA_ARTIFACT_IMPORTED)
        print_artifact (artifact);
    }
  if (stria_notices_size (stria_capture_get_notices (capture)) > 0)
    cli_print_notices (stria_capture_get_notices (capture));
}

static CliExit
run_check (CliContext *context, int argc, char **argv)
{
  guint       n_unreadable = 0;
  guint       n_faulty = 0;
  CliJson     json;
  WireOptions wire = { FALSE, FALSE };
  const GOptionEntry entries[] = {
    { "wire", 0, 0, G_OPTION_ARG_NONE, &wire.wanted,
      N_ ("List the protobuf fields of each file by path, type, count and size, without values"),
      NULL },
    { "values", 0, 0, G_OPTION_ARG_NONE, &wire.values,
      N_ ("With --wire: show some of the values, too"), NULL },
    { NULL },
  };

  if (!cli_parse (context, &cli_command_check, argc, argv, entries, 1, G_MAXUINT))
    return CLI_USAGE;
  if (wire.values && !wire.wanted)
    return cli_usage (context, _ ("--values needs --wire"));

  if (context->json)
    {
      cli_json_init (&json, stdout, 3);
      cli_json_begin_object (&json, NULL);
      cli_json_begin_array (&json, "files");
    }
  for (guint i = 0; i < context->n_rest && !g_cancellable_is_cancelled (context->cancellable); i++)
    {
      const char *const   paths[] = { context->rest[i], NULL };
      g_auto (CliCapture) open = { 0 };
      g_autoptr (GError)  error = NULL;
      Verdict             verdict = VERDICT_UNREADABLE;

      if (cli_import (context, paths, CLI_OPEN_NO_STORE | CLI_OPEN_SILENT, &open, &error))
        verdict = open.exit == CLI_OK ? VERDICT_SOUND : VERDICT_FAULTY;
      else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        break;
      n_unreadable += verdict == VERDICT_UNREADABLE;
      n_faulty += verdict == VERDICT_FAULTY;
      if (context->json)
        json_file (&json, context->rest[i], verdict, open.capture, error, &wire,
                   context->cancellable);
      else
        print_file (context->rest[i], verdict, open.capture, error);
      if (wire.wanted && !context->json)
        {
          g_autoptr (GError) unread = NULL;

          /* What could not be opened was said above. */
          if (!cli_wire (NULL, context->rest[i], wire.values, context->cancellable, &unread)
              && error == NULL)
            cli_warn ("%s", unread->message);
        }
    }
  if (context->json)
    {
      cli_json_end_array (&json);
      cli_json_end_object (&json);
      cli_json_finish (&json);
    }

  if (g_cancellable_is_cancelled (context->cancellable))
    return CLI_CANCELLED;
  if (n_unreadable == context->n_rest)
    return CLI_UNOPENED;
  return n_unreadable + n_faulty > 0 ? CLI_PARTIAL : CLI_OK;
}

const CliCommand cli_command_check = {
  .name = "check",
  .parameters = N_ ("FILE…"),
  .summary = N_ ("Read files, and say what is wrong with each and where"),
  .run = run_check,
};
