/* SPDX-License-Identifier: Apache-2.0 */
/* What VGFs hold, alone or inside a program, as tables and as JSON. */
#include "config.h"

#include "cli-vgf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "cli-table.h"
#include "stria-fact-tables.h"
#include "stria-format.h"

#define N_CATEGORIES 4

/* Stable names; the last one is for numbers that the format does not have */
static const char *const category_names[N_CATEGORIES + 1]
    = { "input", "output", "intermediate", "constant", "unknown" };

typedef struct
{
  guint32 name;
  guint64 count;
} OperatorCount;

typedef struct
{
  StriaFacts                *facts;
  const char                *artifact;
  const StriaVgfRow         *vgf;
  const StriaVgfModuleRow   *modules;
  const StriaVgfSegmentRow  *segments;
  const StriaVgfResourceRow *resources;
  const StriaVgfConstantRow *constants;
  guint64 *operators; /* by segment */
  GArray  *counts;    /* of OperatorCount, most first */
  guint64  categories[N_CATEGORIES + 1];
  guint64  n_operators;
  guint64  n_labels;
  guint64  constant_bytes;
} Vgf;

static const char *
text (const Vgf *self, guint32 string)
{
  return stria_facts_text (self->facts, string);
}

static int
compare_counts (gconstpointer a, gconstpointer b, gpointer data)
{
  const OperatorCount *left = a;
  const OperatorCount *right = b;

  if (left->count != right->count)
    return left->count > right->count ? -1 : 1;
  return strcmp (stria_facts_text (data, left->name), stria_facts_text (data, right->name));
}

static void
count_operators (Vgf *self, guint32 number)
{
  g_autoptr (GHashTable)     places = g_hash_table_new (NULL, NULL);
  const StriaVgfOperatorRow *rows
      = STRIA_ROWS (self->facts, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR);
  const StriaVgfLabelRow *labels
      = STRIA_ROWS (self->facts, StriaVgfLabelRow, STRIA_TABLE_VGF_LABEL);

  self->operators = g_new0 (guint64, self->vgf->n_segments + 1);
  self->counts = g_array_new (FALSE, TRUE, sizeof (OperatorCount));
  for (gsize i = 0; i < stria_facts_size (self->facts, STRIA_TABLE_VGF_OPERATOR); i++)
    {
      guint place;

      if (rows[i].vgf != number)
        continue;
      self->n_operators++;
      if (rows[i].segment < self->vgf->n_segments)
        self->operators[rows[i].segment]++;
      place = GPOINTER_TO_UINT (g_hash_table_lookup (places, GUINT_TO_POINTER (rows[i].name + 1)));
      if (place == 0)
        {
          const OperatorCount fresh = { .name = rows[i].name };

          g_array_append_val (self->counts, fresh);
          place = self->counts->len;
          g_hash_table_insert (places, GUINT_TO_POINTER (rows[i].name + 1),
                               GUINT_TO_POINTER (place));
        }
      g_array_index (self->counts, OperatorCount, place - 1).count++;
    }
  for (gsize i = 0; i < stria_facts_size (self->facts, STRIA_TABLE_VGF_LABEL); i++)
    self->n_labels += rows[labels[i].operator_row].vgf == number;
  g_array_sort_with_data (self->counts, compare_counts, self->facts);
}

static void
vgf_init (Vgf *self, StriaFacts *facts, guint32 number, const char *artifact)
{
  const StriaVgfRow *vgf = STRIA_ROWS (facts, StriaVgfRow, STRIA_TABLE_VGF) + number;

  *self = (Vgf) {
    .facts = facts,
    .artifact = artifact,
    .vgf = vgf,
  };
#define RUN(member, Type, TABLE, first)                                  \
  if (stria_facts_size (facts, STRIA_TABLE_VGF_##TABLE) > 0)             \
  self->member = STRIA_ROWS (facts, Type, STRIA_TABLE_VGF_##TABLE) + vgf->first
  RUN (modules, StriaVgfModuleRow, MODULE, first_module);
  RUN (segments, StriaVgfSegmentRow, SEGMENT, first_segment);
  RUN (resources, StriaVgfResourceRow, RESOURCE, first_resource);
  RUN (constants, StriaVgfConstantRow, CONSTANT, first_constant);
#undef RUN
  for (guint32 i = 0; i < vgf->n_resources; i++)
    self->categories[MIN (self->resources[i].category, N_CATEGORIES)]++;
  for (guint32 i = 0; i < vgf->n_constants; i++)
    if (__builtin_add_overflow (self->constant_bytes, self->constants[i].size,
                                &self->constant_bytes))
      self->constant_bytes = G_MAXUINT64;
  count_operators (self, number);
}

static void
vgf_clear (Vgf *self)
{
  g_clear_pointer (&self->operators, g_free);
  g_clear_pointer (&self->counts, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Vgf, vgf_clear)

typedef void (*VgfFunc) (Vgf *self, gpointer data);

static void
for_each (StriaCapture *capture, VgfFunc func, gpointer data)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      g_autoptr (StriaFacts) facts = stria_capture_ref_facts (capture, i);
      const char *name = stria_artifact_get_name (stria_capture_get_artifact (capture, i));

      for (guint32 v = 0; facts != NULL && v < stria_facts_size (facts, STRIA_TABLE_VGF); v++)
        {
          g_auto (Vgf) self = { 0 };

          vgf_init (&self, facts, v, name);
          func (&self, data);
        }
    }
}

gboolean
cli_has_vgfs (StriaCapture *capture)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      g_autoptr (StriaFacts) facts = stria_capture_ref_facts (capture, i);

      if (facts != NULL && stria_facts_size (facts, STRIA_TABLE_VGF) > 0)
        return TRUE;
    }
  return FALSE;
}

/* -- text ------------------------------------------------------------------------------------- */

static void
print_head (const Vgf *self)
{
  g_autofree char *name = cli_printable (self->artifact);
  g_autofree char *size = stria_format_bytes ((gint64) MIN (self->vgf->size, G_MAXINT64));
  g_autofree char *offset = stria_format_count (self->vgf->offset);
  g_autofree char *constants = stria_format_count (self->vgf->n_constants);
  g_autofree char *bytes = stria_format_bytes ((gint64) MIN (self->constant_bytes, G_MAXINT64));

  printf ("\n");
  /* Translators: file, version, size, offset in the file */
  printf (_ ("VGF in %s: version %u.%u.%u, %s at offset %s\n"), name, self->vgf->major,
          self->vgf->minor, self->vgf->patch, size, offset);
  if (self->vgf->legacy_constants)
    printf (_ ("Constants in the form used before 0.4: %s, %s\n"), constants, bytes);
  else
    printf (_ ("Constants: %s, %s\n"), constants, bytes);
}

static void
print_segments (const Vgf *self)
{
  CliTable *table;

  printf ("\n%s\n", _ ("Segments"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Number"), TRUE);
  cli_table_column (table, _ ("Name"), FALSE);
  cli_table_column (table, _ ("Kind"), FALSE);
  cli_table_column (table, _ ("Module"), TRUE);
  cli_table_column (table, _ ("Inputs"), TRUE);
  cli_table_column (table, _ ("Outputs"), TRUE);
  cli_table_column (table, _ ("Constants"), TRUE);
  cli_table_column (table, _ ("Operators"), TRUE);
  for (guint32 i = 0; i < self->vgf->n_segments; i++)
    {
      const StriaVgfSegmentRow *row = &self->segments[i];

      cli_table_take (table, stria_format_count (row->number));
      cli_table_cell (table, text (self, row->name));
      cli_table_cell (table, row->type == 1 ? _ ("graph") : _ ("compute"));
      cli_table_take (table, stria_format_count (row->module));
      cli_table_take (table, stria_format_count (row->n_inputs));
      cli_table_take (table, stria_format_count (row->n_outputs));
      cli_table_take (table, stria_format_count (row->n_constants));
      cli_table_take (table, stria_format_count (self->operators[i]));
    }
  cli_table_finish (table);
}

static void
print_modules (const Vgf *self)
{
  CliTable *table;

  printf ("\n%s\n", _ ("Modules"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Number"), TRUE);
  cli_table_column (table, _ ("Name"), FALSE);
  cli_table_column (table, _ ("Kind"), FALSE);
  cli_table_column (table, _ ("Code"), FALSE);
  cli_table_column (table, _ ("Size"), TRUE);
  cli_table_column (table, _ ("Not listed because"), FALSE);
  for (guint32 i = 0; i < self->vgf->n_modules; i++)
    {
      const StriaVgfModuleRow *row = &self->modules[i];

      cli_table_take (table, stria_format_count (row->number));
      cli_table_cell (table, text (self, row->name));
      cli_table_cell (table, row->type == 1 ? _ ("graph") : _ ("compute"));
      cli_table_cell (table, text (self, row->code_type));
      cli_table_take (table, stria_format_bytes ((gint64) MIN (row->code_size, G_MAXINT64)));
      cli_table_cell (table, text (self, row->error));
    }
  cli_table_finish (table);
}

static void
print_resources (const Vgf *self)
{
  const char *const names[N_CATEGORIES + 1]
      = { _ ("input"), _ ("output"), _ ("intermediate"), _ ("constant"), _ ("unknown") };
  CliTable *table;

  printf ("\n%s\n", _ ("Resources"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Category"), FALSE);
  cli_table_column (table, _ ("Resources"), TRUE);
  for (guint c = 0; c <= N_CATEGORIES; c++)
    if (self->categories[c] > 0)
      {
        cli_table_cell (table, names[c]);
        cli_table_take (table, stria_format_count (self->categories[c]));
      }
  cli_table_finish (table);
}

static void
print_operators (const Vgf *self)
{
  CliTable *table;

  if (self->counts->len == 0)
    return;
  printf ("\n%s\n", _ ("TOSA operators"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Operator"), FALSE);
  cli_table_column (table, _ ("Count"), TRUE);
  for (guint i = 0; i < self->counts->len; i++)
    {
      const OperatorCount *count = &g_array_index (self->counts, OperatorCount, i);

      cli_table_cell (table, text (self, count->name));
      cli_table_take (table, stria_format_count (count->count));
    }
  cli_table_finish (table);
}

static void
print_one (Vgf *self, gpointer data)
{
  print_head (self);
  print_segments (self);
  print_modules (self);
  print_resources (self);
  print_operators (self);
}

void
cli_print_vgfs (StriaCapture *capture)
{
  for_each (capture, print_one, NULL);
}

/* -- JSON ------------------------------------------------------------------------------------- */

static void
json_modules (CliJson *json, const Vgf *self)
{
  cli_json_begin_array (json, "modules");
  for (guint32 i = 0; i < self->vgf->n_modules; i++)
    {
      const StriaVgfModuleRow *row = &self->modules[i];

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "name", text (self, row->name));
      cli_json_string (json, "entry_point", text (self, row->entry_point));
      cli_json_string (json, "kind", row->type == 1 ? "graph" : "compute");
      cli_json_string (json, "code", text (self, row->code_type));
      cli_json_uint (json, "bytes", row->code_size);
      cli_json_string (json, "error", row->error == 0 ? NULL : text (self, row->error));
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static void
json_segments (CliJson *json, const Vgf *self)
{
  cli_json_begin_array (json, "segments");
  for (guint32 i = 0; i < self->vgf->n_segments; i++)
    {
      const StriaVgfSegmentRow *row = &self->segments[i];

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "name", text (self, row->name));
      cli_json_string (json, "kind", row->type == 1 ? "graph" : "compute");
      cli_json_uint (json, "module", row->module);
      cli_json_uint (json, "inputs", row->n_inputs);
      cli_json_uint (json, "outputs", row->n_outputs);
      cli_json_uint (json, "constants", row->n_constants);
      cli_json_uint (json, "operators", self->operators[i]);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static void
json_one (Vgf *self, gpointer data)
{
  CliJson           *json = data;
  const StriaVgfRow *vgf = self->vgf;
  g_autofree char   *version = g_strdup_printf ("%u.%u.%u", vgf->major, vgf->minor, vgf->patch);

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "artifact", self->artifact);
  cli_json_bool (json, "in_program", vgf->delegate != STRIA_NO_REF);
  cli_json_string (json, "version", version);
  cli_json_uint (json, "vulkan_header", vgf->vk_header);
  cli_json_uint (json, "offset", vgf->offset);
  cli_json_uint (json, "bytes", vgf->size);
  cli_json_string (json, "sha256", vgf->sha256 == 0 ? NULL : text (self, vgf->sha256));
  cli_json_bool (json, "old_magic", vgf->old_magic);
  cli_json_bool (json, "legacy_constants", vgf->legacy_constants);
  json_modules (json, self);
  json_segments (json, self);
  cli_json_begin_object (json, "resources");
  for (guint c = 0; c <= N_CATEGORIES; c++)
    if (c < N_CATEGORIES || self->categories[c] > 0)
      cli_json_uint (json, category_names[c], self->categories[c]);
  cli_json_end_object (json);
  cli_json_uint (json, "constants", vgf->n_constants);
  cli_json_uint (json, "constant_bytes", self->constant_bytes);
  cli_json_begin_object (json, "operators");
  for (guint i = 0; i < self->counts->len; i++)
    {
      const OperatorCount *count = &g_array_index (self->counts, OperatorCount, i);

      cli_json_uint (json, text (self, count->name), count->count);
    }
  cli_json_end_object (json);
  cli_json_uint (json, "named_operators", self->n_labels);
  cli_json_end_object (json);
}

void
cli_json_vgfs (CliJson *json, StriaCapture *capture)
{
  cli_json_begin_array (json, "vgfs");
  for_each (capture, json_one, json);
  cli_json_end_array (json);
}
