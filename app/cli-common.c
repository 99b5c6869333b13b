/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-common.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli-json.h"
#include "cli-table.h"
#include "stria-cache.h"
#include "stria-error.h"
#include "stria-format.h"
#include "stria-importer.h"
#include "stria-proto.h"
#include "stria-scan.h"
#include "stria-settings.h"

#define PROGRESS_INTERVAL_US (100 * 1000)
/* Faults of a capture told on standard error */
#define MAX_TOLD 10

typedef struct
{
  StriaImporter *importer;
  GMutex         lock;
  GCond          cond;
  gboolean       done;
} Progress;

static const char exit_codes[]
    = N_ ("Exit codes:\n"
          "  0  all was read and done\n"
          "  1  an answer was given, but something of the capture could not be read as it stands\n"
          "  2  the command line makes no sense\n"
          "  3  nothing of the capture could be opened\n"
          "  4  interrupted\n"
          "  5  the answer could not be made or written");

/**
 * cli_parse:
 * @entries: (nullable) (array zero-terminated=1): options of the command
 * @min_rest: least number of arguments that are no options
 * @max_rest: greatest number, G_MAXUINT for any
 */
gboolean
cli_parse (CliContext         *context,
           const CliCommand   *command,
           int                 argc,
           char              **argv,
           const GOptionEntry *entries,
           guint               min_rest,
           guint               max_rest)
{
  g_autofree char *definitions = NULL;
  const GOptionEntry common[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &context->json, N_ ("Print JSON"), NULL },
    { "pair", 0, 0, G_OPTION_ARG_STRING_ARRAY, &context->pairs,
      N_ ("Take this program for this device profile where several could be meant"),
      N_ ("NTFF=NEFF") },
    { "proto", 0, 0, G_OPTION_ARG_FILENAME, &definitions,
      N_ ("Take the numbers of Neuron's messages from this FileDescriptorSet"), N_ ("FILE") },
    { "no-store", 0, 0, G_OPTION_ARG_NONE, &context->no_store,
      N_ ("Neither look into the cache nor write to it"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &context->rest, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) options = g_option_context_new (command->parameters);
  g_autoptr (GError)         error = NULL;

  context->command = command->name;
  g_option_context_set_translation_domain (options, GETTEXT_PACKAGE);
  g_option_context_set_summary (options, command->summary);
  g_option_context_set_description (options, exit_codes);
  if (entries != NULL)
    g_option_context_add_main_entries (options, entries, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (options, common, GETTEXT_PACKAGE);

  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      cli_usage (context, "%s", error->message);
      return FALSE;
    }

  if (definitions != NULL)
    {
      g_autoptr (StriaProtoSchema) schema = stria_proto_schema_new_file (definitions, &error);

      if (schema == NULL)
        {
          cli_usage (context, "%s", error->message);
          return FALSE;
        }
      stria_proto_schema_set_default (schema);
    }

  context->n_rest = context->rest == NULL ? 0 : g_strv_length (context->rest);
  if (context->n_rest < min_rest)
    {
      cli_usage (context, _ ("something is missing: %s"), _ (command->parameters));
      return FALSE;
    }
  if (context->n_rest > max_rest)
    {
      cli_usage (context, _ ("one argument too many: “%s”"), context->rest[max_rest]);
      return FALSE;
    }
  return TRUE;
}

/* Nothing that a file may hold reaches the terminal unseen. */
static void
print_message (const char *message)
{
  g_autofree char *printable = cli_printable (message);

  fprintf (stderr, "stria-cli: %s\n", printable);
}

void
cli_warn (const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list          args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  print_message (message);
}

CliExit
cli_usage (CliContext *context, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list          args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  print_message (message);
  if (context->command != NULL)
    fprintf (stderr, _ ("“stria-cli %s --help” tells more.\n"), context->command);
  else
    fprintf (stderr, _ ("“stria-cli --help” tells more.\n"));
  return CLI_USAGE;
}

const char *
cli_error_code (const GError *error)
{
  if (error->domain == STRIA_ERROR)
    return stria_error_code_name (error->code);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return "cancelled";
  return "failed";
}

CliExit
cli_fail (CliContext *context, CliExit exit, const GError *error)
{
  print_message (error->message);
  if (context->json)
    {
      CliJson json;

      cli_json_init (&json, stdout, 1);
      cli_json_begin_object (&json, NULL);
      cli_json_begin_object (&json, "error");
      cli_json_string (&json, "code", cli_error_code (error));
      cli_json_string (&json, "message", error->message);
      cli_json_end_object (&json);
      cli_json_end_object (&json);
      cli_json_finish (&json);
    }
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? CLI_CANCELLED : exit;
}

CliExit
cli_finish_file (CliContext *context, FILE *file, const char *name, CliExit exit)
{
  if (fflush (file) == 0 && !ferror (file))
    return exit;
  cli_warn (_ ("%s: cannot be written: %s"), name, g_strerror (errno));
  return CLI_FAILED;
}

static gpointer
show_progress (gpointer data)
{
  Progress *progress = data;

  g_mutex_lock (&progress->lock);
  while (!progress->done)
    {
      StriaImportProgress now;
      g_autofree char    *bytes = NULL;
      g_autofree char    *events = NULL;

      if (g_cond_wait_until (&progress->cond, &progress->lock,
                             g_get_monotonic_time () + PROGRESS_INTERVAL_US))
        continue;
      stria_importer_get_progress (progress->importer, &now);
      bytes = stria_format_bytes ((gint64) now.bytes_done);
      events = stria_format_count (now.events);
      fprintf (stderr, "\r\033[K%3d %%  %s  ", (int) (now.fraction * 100), bytes);
      fprintf (stderr, now.phase == STRIA_IMPORT_STORING ? _ ("%s events, storing")
                                                         : _ ("%s events"),
               events);
      fflush (stderr);
    }
  fputs ("\r\033[K", stderr);
  g_mutex_unlock (&progress->lock);
  return NULL;
}

static gboolean
run_with_progress (StriaImporter *importer, GCancellable *cancellable, GError **error)
{
  Progress progress = { .importer = importer };
  GThread *thread;
  gboolean done;

  if (!isatty (STDERR_FILENO))
    return stria_importer_run (importer, cancellable, error);

  g_mutex_init (&progress.lock);
  g_cond_init (&progress.cond);
  thread = g_thread_new ("progress", show_progress, &progress);

  done = stria_importer_run (importer, cancellable, error);

  g_mutex_lock (&progress.lock);
  progress.done = TRUE;
  g_cond_signal (&progress.cond);
  g_mutex_unlock (&progress.lock);
  g_thread_join (thread);
  g_mutex_clear (&progress.lock);
  g_cond_clear (&progress.cond);
  return done;
}

/* Files of no known kind are no failure: a folder may hold anything. Nor is a store that could not
 * be kept one of reading. */
static gboolean
is_fault (const StriaNotice *notice)
{
  return notice->severity > STRIA_SEVERITY_INFO && !g_str_equal (notice->code, "store-not-written");
}

static CliExit
judge (StriaCapture *capture)
{
  g_autoptr (GPtrArray) notices = stria_notices_list (stria_capture_get_notices (capture));

  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);

      if (stria_artifact_get_state (artifact) == STRIA_ARTIFACT_UNREADABLE)
        return CLI_PARTIAL;
    }
  for (guint i = 0; i < notices->len; i++)
    {
      if (is_fault (g_ptr_array_index (notices, i)))
        return CLI_PARTIAL;
    }
  return CLI_OK;
}

static void
tell_faults (StriaCapture *capture)
{
  g_autoptr (GPtrArray) notices = stria_notices_list (stria_capture_get_notices (capture));
  guint                 told = 0;

  for (guint i = 0; i < stria_capture_get_n_artifacts (capture) && told < MAX_TOLD; i++)
    {
      StriaArtifact   *artifact = stria_capture_get_artifact (capture, i);
      g_autofree char *reason = stria_artifact_dup_reason (artifact);

      if (stria_artifact_get_state (artifact) != STRIA_ARTIFACT_UNREADABLE)
        continue;
      cli_warn ("%s: %s", stria_artifact_get_name (artifact),
                reason != NULL ? reason : _ ("cannot be read"));
      told++;
    }
  for (guint i = 0; i < notices->len && told < MAX_TOLD; i++)
    {
      const StriaNotice *notice = g_ptr_array_index (notices, i);

      /* These were told above. */
      if (notice->severity == STRIA_SEVERITY_INFO
          || g_str_equal (notice->code, "artifact-unreadable"))
        continue;
      if (notice->file[0] != '\0')
        cli_warn ("%s: %s (%" G_GUINT64_FORMAT "×)", notice->file, notice->message, notice->count);
      else
        cli_warn ("%s", notice->message);
      told++;
    }
  if (told == MAX_TOLD)
    cli_warn (_ ("there may be more; “stria-cli info” tells all"));
}

/* As the window does it after an import, with the same preferences. */
static void
evict (StriaCapture *capture)
{
  guint64 max_bytes = (guint64) stria_settings_get (STRIA_SETTING_CACHE_SIZE_GIB) << 30;
  guint   max_age_days = (guint) stria_settings_get (STRIA_SETTING_CACHE_AGE_DAYS);

  stria_cache_evict (max_bytes, max_age_days, stria_capture_get_key (capture));
}

/* --pair NTFF=NEFF: names as `info` prints them; without NEFF, what was chosen is taken back. NULL with
 * @error if one is not of that form. */
static GHashTable *
pair_choices (CliContext *context, GError **error)
{
  g_autoptr (GHashTable) choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (gsize i = 0; context->pairs != NULL && context->pairs[i] != NULL; i++)
    {
      const char *mark = strchr (context->pairs[i], '=');

      if (mark == NULL || mark == context->pairs[i])
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                       _ ("--pair %s: expected the names of a .ntff and a .neff with = between them"),
                       context->pairs[i]);
          return NULL;
        }
      g_hash_table_insert (choices,
                           g_strndup (context->pairs[i], (gsize) (mark - context->pairs[i])),
                           g_strdup (mark + 1));
    }
  return g_steal_pointer (&choices);
}

gboolean
cli_import (CliContext        *context,
            const char *const *paths,
            CliOpenFlags       flags,
            CliCapture        *out,
            GError           **error)
{
  g_autoptr (StriaCapture)  capture = NULL;
  g_autoptr (StriaImporter) importer = NULL;
  g_autoptr (GHashTable)    choices = NULL;
  gint64                    start_us;

  *out = (CliCapture){ .picture_us = -1 };
  start_us = g_get_monotonic_time ();
  choices = pair_choices (context, error);
  if (choices == NULL)
    return FALSE;
  capture = stria_scan_paired (paths, choices, context->cancellable, error);
  if (capture == NULL)
    return FALSE;

  importer = stria_importer_new (capture);
  if (context->no_store)
    flags |= CLI_OPEN_NO_STORE;
  stria_importer_set_no_store (importer, (flags & CLI_OPEN_NO_STORE) != 0);
  stria_importer_set_reimport (importer, (flags & (CLI_OPEN_REIMPORT | CLI_OPEN_NO_STORE)) != 0);
  if (!run_with_progress (importer, context->cancellable, error))
    return FALSE;

  out->total_us = g_get_monotonic_time () - start_us;
  out->picture_us = stria_importer_get_picture_us (importer);
  out->cached = stria_importer_was_cached (importer);
  out->trace = stria_capture_ref_trace (capture);
  if (!out->cached && (flags & CLI_OPEN_NO_STORE) == 0)
    evict (capture);
  out->exit = judge (capture);
  if ((flags & CLI_OPEN_SILENT) == 0)
    tell_faults (capture);
  out->capture = g_steal_pointer (&capture);
  return TRUE;
}

CliExit
cli_open (CliContext *context, const char *const *paths, CliOpenFlags flags, CliCapture *out)
{
  g_autoptr (GError) error = NULL;

  if (!cli_import (context, paths, flags, out, &error))
    return cli_fail (context, CLI_UNOPENED, error);
  return out->exit;
}

void
cli_capture_clear (CliCapture *capture)
{
  g_clear_pointer (&capture->trace, stria_trace_unref);
  g_clear_object (&capture->capture);
}

gint64
cli_origin (StriaTrace *trace)
{
  gint64 start_ns = 0;
  gint64 end_ns;

  stria_trace_get_view_range (trace, &start_ns, &end_ns);
  return start_ns;
}

/* Digits of "12.5" times @unit, exactly; what is below a nanosecond must be zero. */
static gboolean
scale_digits (const char *text, const char *end, gint64 unit, guint64 *value)
{
  gboolean has_digit = FALSE;
  guint64  total = 0;

  for (; text < end && g_ascii_isdigit (*text); text++, has_digit = TRUE)
    {
      if (__builtin_mul_overflow (total, (guint64) 10, &total)
          || __builtin_add_overflow (total, (guint64) g_ascii_digit_value (*text), &total))
        return FALSE;
    }
  if (__builtin_mul_overflow (total, (guint64) unit, &total))
    return FALSE;

  if (text < end && *text == '.')
    {
      guint64 place = (guint64) unit;

      for (text++; text < end && g_ascii_isdigit (*text); text++, has_digit = TRUE)
        {
          guint64 digit = (guint64) g_ascii_digit_value (*text);

          if (place % 10 != 0 && digit != 0)
            return FALSE;
          place /= 10;
          if (__builtin_add_overflow (total, digit * place, &total))
            return FALSE;
        }
    }
  *value = total;
  return has_digit && text == end;
}

gboolean
cli_parse_time (const char *text, gint64 *ns)
{
  static const struct
  {
    const char *suffix;
    gint64      ns;
  } units[] = {
    { "ns", 1 },
    { "us", 1000 },
    { "µs", 1000 },
    { "μs", 1000 },
    { "ms", 1000 * 1000 },
    { "min", G_GINT64_CONSTANT (60) * 1000 * 1000 * 1000 },
    { "s", G_GINT64_CONSTANT (1000) * 1000 * 1000 },
    { "", 1 },
  };
  gboolean    negative = *text == '-';
  const char *digits = negative || *text == '+' ? text + 1 : text;
  gsize       length = strlen (digits);
  guint64     value;

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      const char *end = digits + length - MIN (length, strlen (units[i].suffix));

      if (!g_str_equal (end, units[i].suffix))
        continue;
      while (end > digits && end[-1] == ' ')
        end--;
      if (!scale_digits (digits, end, units[i].ns, &value) || value > (guint64) G_MAXINT64)
        return FALSE;
      *ns = negative ? -(gint64) value : (gint64) value;
      return TRUE;
    }
  return FALSE;
}

static gboolean
parse_edge (const char *text, gboolean absolute, gint64 origin, gint64 fallback, gint64 *ns,
            GError **error)
{
  *ns = fallback;
  if (*text == '\0')
    return TRUE;
  if (cli_parse_time (text, ns) && (absolute || !__builtin_add_overflow (*ns, origin, ns)))
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
               _ ("“%s” is no time; expected a number of ns, or one with us, ms, s or min behind"),
               text);
  return FALSE;
}

gboolean
cli_parse_range (const char *text,
                 gboolean    absolute,
                 StriaTrace *trace,
                 gint64     *t0,
                 gint64     *t1,
                 GError    **error)
{
  g_auto (GStrv) edges = NULL;
  gint64         start_ns = 0;
  gint64         end_ns = 1;

  stria_trace_get_view_range (trace, &start_ns, &end_ns);
  /* All events at one moment still need a range to be seen in. */
  if (end_ns <= start_ns && __builtin_add_overflow (start_ns, (gint64) 100, &end_ns))
    {
      end_ns = start_ns;
      start_ns -= 100;
    }
  *t0 = start_ns;
  *t1 = end_ns;
  if (text == NULL)
    return TRUE;

  edges = g_strsplit (text, ":", -1);
  if (g_strv_length (edges) != 2)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   _ ("“%s” is no range; expected two times with a colon between, as 1ms:2.5ms"),
                   text);
      return FALSE;
    }
  if (!parse_edge (edges[0], absolute, start_ns, start_ns, t0, error)
      || !parse_edge (edges[1], absolute, start_ns, end_ns, t1, error))
    return FALSE;
  if (*t0 >= *t1)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   _ ("The range “%s” ends before it starts, or outside the capture"), text);
      return FALSE;
    }
  return TRUE;
}

gboolean
cli_parse_bytes (const char *text, guint64 *bytes)
{
  static const char units[] = "KMGT";
  const char       *unit;
  char             *end;
  guint64           value;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  errno = 0;
  value = g_ascii_strtoull (text, &end, 10);
  if (errno != 0)
    return FALSE;

  unit = *end == '\0' ? NULL : strchr (units, g_ascii_toupper (*end));
  if (unit != NULL)
    {
      guint shift = 10 * ((guint) (unit - units) + 1);

      if (value > (G_MAXUINT64 >> shift))
        return FALSE;
      value <<= shift;
      end++;
    }
  *bytes = value;
  return *end == '\0' || g_ascii_strcasecmp (end, "iB") == 0 || g_ascii_strcasecmp (end, "B") == 0;
}

