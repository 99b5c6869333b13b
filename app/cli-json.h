/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

#define CLI_JSON_MAX_DEPTH 16

/**
 * CliJson:
 *
 * Writes JSON to a file as it comes, so that a million rows need no memory. Containers down to
 * @line_depth put each member on a line of its own, deeper ones stand in one line. In all calls
 * @key is the member's name, or NULL inside an array.
 */
typedef struct
{
  FILE    *file;
  GString *buffer;
  guint    depth;
  guint    line_depth;
  gboolean has_members[CLI_JSON_MAX_DEPTH];
} CliJson;

void cli_json_init         (CliJson *json, FILE *file, guint line_depth);
/* Ends the last line and flushes. */
void cli_json_finish       (CliJson *json);

void cli_json_begin_object (CliJson *json, const char *key);
void cli_json_end_object   (CliJson *json);
void cli_json_begin_array  (CliJson *json, const char *key);
void cli_json_end_array    (CliJson *json);

/* @value: (nullable): NULL gives null; bytes that are not UTF-8 are repaired */
void cli_json_string       (CliJson *json, const char *key, const char *value);
void cli_json_text         (CliJson *json, const char *key, const char *value, gsize length);
void cli_json_int          (CliJson *json, const char *key, gint64 value);
void cli_json_uint         (CliJson *json, const char *key, guint64 value);
/* What is not a number gives null. */
void cli_json_double       (CliJson *json, const char *key, double value);
void cli_json_bool         (CliJson *json, const char *key, gboolean value);
void cli_json_null         (CliJson *json, const char *key);
/* Nanoseconds as microseconds with three decimals, digit by digit */
void cli_json_us           (CliJson *json, const char *key, gint64 ns);
/* @text is JSON as a trace holds it. Space between its parts goes. What strict readers refuse is
 * mended on the way: NaN and Infinity become strings, commas before a closing bracket go, control
 * characters in strings are escaped, bad UTF-8 is replaced. */
void cli_json_trace_text   (CliJson *json, const char *key, const char *text, gsize length);
/* Returns: (transfer full): the same as a text */
char *cli_json_compact     (const char *text);

G_END_DECLS
