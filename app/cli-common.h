/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include <gio/gio.h>

#include "cli-json.h"
#include "stria-capture.h"

G_BEGIN_DECLS

/**
 * CliExit:
 * @CLI_OK: all was read and done
 * @CLI_PARTIAL: an answer was given, and something of the capture could not be read as it stands
 *   (an unreadable artifact, or a notice that is a warning or an error)
 * @CLI_USAGE: the command line makes no sense
 * @CLI_UNOPENED: nothing of the capture could be opened
 * @CLI_CANCELLED: SIGINT or SIGTERM
 * @CLI_FAILED: the capture is there, and the answer could not be made or written
 * @CLI_WORSE: captures were compared, and one is worse than was allowed
 *
 * Exit codes, as the manual page has them.
 */
typedef enum
{
  CLI_OK,
  CLI_PARTIAL,
  CLI_USAGE,
  CLI_UNOPENED,
  CLI_CANCELLED,
  CLI_FAILED,
  CLI_WORSE,
} CliExit;

/* What all commands share. @rest: the arguments that are no options, set by cli_parse(). */
typedef struct
{
  const char   *command;
  GCancellable *cancellable;
  gboolean      json;
  gboolean      no_store;
  char        **pairs; /* of --pair */
  char        **rest;
  guint         n_rest;
} CliContext;

typedef struct
{
  const char *name;
  const char *parameters;
  const char *summary;
  CliExit   (*run) (CliContext *context, int argc, char **argv);
} CliCommand;

/* A capture that was read. */
typedef struct
{
  StriaCapture *capture;
  StriaTrace   *trace;
  gboolean      cached;
  gint64        picture_us; /* from the start to the complete picture */
  gint64        total_us;   /* to the finished store */
  CliExit       exit;       /* CLI_OK or CLI_PARTIAL */
} CliCapture;

typedef enum
{
  CLI_OPEN_DEFAULT = 0,
  CLI_OPEN_REIMPORT = 1 << 0, /* decode, whatever the cache has */
  CLI_OPEN_NO_STORE = 1 << 1, /* leave the cache alone */
  CLI_OPEN_SILENT = 1 << 2,   /* the caller says what could not be read */
} CliOpenFlags;

extern const CliCommand cli_command_info;
extern const CliCommand cli_command_import;
extern const CliCommand cli_command_query;
extern const CliCommand cli_command_stats;
extern const CliCommand cli_command_summary;
extern const CliCommand cli_command_memory;
extern const CliCommand cli_command_profile;
extern const CliCommand cli_command_graph;
extern const CliCommand cli_command_render;
extern const CliCommand cli_command_export;
extern const CliCommand cli_command_check;
extern const CliCommand cli_command_cache;

/* Reads the options of @entries and the common ones. FALSE after a usage error was told: then
 * return CLI_USAGE. @min_rest, @max_rest: how many arguments the command takes */
gboolean cli_parse       (CliContext *context, const CliCommand *command, int argc, char **argv,
                          const GOptionEntry *entries, guint min_rest, guint max_rest);
/* Says on standard error what is wrong with the command line. Returns: CLI_USAGE */
CliExit  cli_usage       (CliContext *context, const char *format, ...) G_GNUC_PRINTF (2, 3);
void     cli_warn        (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Says @error on standard error, and as an object on standard output with --json.
 * Returns: @exit, or CLI_CANCELLED if that is what @error says */
CliExit  cli_fail        (CliContext *context, CliExit exit, const GError *error);
/* Code of @error for machines: that of %STRIA_ERROR, "cancelled", else "failed" */
const char *cli_error_code (const GError *error);
/* Flushes @file. Returns: @exit, or CLI_FAILED after saying that it could not be written */
CliExit  cli_finish_file (CliContext *context, FILE *file, const char *name, CliExit exit);

/* Scans and imports @paths (NULL-terminated) as one capture. FALSE with @error. */
gboolean cli_import      (CliContext *context, const char *const *paths, CliOpenFlags flags,
                          CliCapture *out, GError **error);
/* As cli_import(), telling the error. Returns: CLI_OK or CLI_PARTIAL with @out filled, else what to
 * exit with */
CliExit  cli_open        (CliContext *context, const char *const *paths, CliOpenFlags flags,
                          CliCapture *out);
/* Whether @exit means that there is a capture to work on */
static inline gboolean
cli_is_open (CliExit exit)
{
  return exit == CLI_OK || exit == CLI_PARTIAL;
}
void     cli_capture_clear (CliCapture *capture);

/* What relative times count from: the start of the range that the window shows first. */
gint64   cli_origin      (StriaTrace *trace);
/* "12.5ms", "3us", "7" (nanoseconds), with or without a sign. Exact; FALSE if it is no time. */
gboolean cli_parse_time  (const char *text, gint64 *ns);
/* "A:B", where either may be left out; NULL is the whole of the range shown first. Relative to
 * cli_origin() unless @absolute. FALSE with %STRIA_ERROR_QUERY. */
gboolean cli_parse_range (const char *text, gboolean absolute, StriaTrace *trace, gint64 *t0,
                          gint64 *t1, GError **error);
/* "10G", "500M", "4096" */
gboolean cli_parse_bytes (const char *text, guint64 *bytes);

/* Whether the value of a fact about an artifact may be told. What is not known may be a dump of
 * somebody's environment, so of that only the key is. */
gboolean cli_is_public_meta (const char *key);
/* Name of a lane's kind for machines */
const char *cli_lane_kind_name (StriaLaneKind kind);
/* Translated */
const char *cli_state_title    (StriaArtifactState state);

/* A member "notices" of the open object; a table on standard output */
void     cli_json_notices  (CliJson *json, StriaNotices *notices);
void     cli_print_notices (StriaNotices *notices);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliCapture, cli_capture_clear)

G_END_DECLS
