/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

/**
 * CliTable:
 *
 * Text in aligned columns. The first rows are kept until the widths are known; those after a few
 * hundred go out as they come. Control characters are made visible, so that no file can move the
 * cursor of a terminal; on a terminal the texts of the widest column are cut to fit.
 */
typedef struct _CliTable CliTable;

CliTable *cli_table_new     (FILE *file);
/* Prints what is left; frees. */
void      cli_table_finish  (CliTable *self);
/* @right: for numbers. All columns come before the first row. */
void      cli_table_column  (CliTable *self, const char *title, gboolean right);
/* For a column whose kind shows with its first value only */
void      cli_table_align_right (CliTable *self, guint column);
/* The cells of a row, one call each; the row is complete with its last cell. @text: (nullable) */
void      cli_table_cell    (CliTable *self, const char *text);
/* Takes @text. */
void      cli_table_take    (CliTable *self, char *text);
guint64   cli_table_n_rows  (CliTable *self);

/* One cell of a line of CSV (RFC 4180); @first: the first of its line */
void      cli_csv_cell      (FILE *file, gboolean first, const char *text, gsize length);

/* Returns: (transfer full): @text as valid UTF-8 without control characters */
char     *cli_printable     (const char *text);

G_END_DECLS
