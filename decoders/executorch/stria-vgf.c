/* SPDX-License-Identifier: Apache-2.0 */
/* VGF files: header and tables (spec 4.1 and 4.2). What the code of graph modules says is drawn by
 * stria-vgf-graph.c. */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-load.h"
#include "stria-vgf-private.h"
#include "stria-vulkan.h"
#include "stria-whole.h"

#define HEADER_SIZE    128
#define RAW_MARK       "CONST00" /* with its NUL */
#define RAW_HEAD       16        /* mark and count */
#define RAW_ENTRY      24
#define MAX_FILE       ((guint64) 4 << 30)
#define MAX_SIZES      64 /* of a shape, as text */
#define NO_ALIAS_GROUP G_MAXUINT32

/* "VGF1"; before that a number in its place [CODE] */
static const guint8 magic[4] = { 'V', 'G', 'F', '1' };
static const guint8 old_magic[4] = { 0xc3, 0xd2, 0xe1, 0xf0 };

/* Versions that are read: what [CODE] accepts below 0.5, from the oldest that was seen [RUN] on. */
#define OLDEST_MINOR 3
#define NEWEST_MINOR 4
#define NEWEST_PATCH 3

typedef struct
{
  guint64 offset, size;
} Range;

enum
{
  MODULES,
  SEQUENCE,
  RESOURCES,
  CONSTANTS,
  N_SECTIONS,
};

static const char *const category_names[] = { "INPUT", "OUTPUT", "INTERMEDIATE", "CONSTANT" };

const char *
stria_vgf_category_name (guint8 category)
{
  return category < G_N_ELEMENTS (category_names) ? category_names[category] : NULL;
}

static guint32
text_id (StriaFacts *facts, StriaFlatTable table, guint field)
{
  gsize       length;
  const char *text = stria_flat_string (table, field, &length);

  return stria_facts_intern (facts, text, (gssize) length);
}

/* What went wrong in one element of a list: a notice, and the list goes on.
 * @reason: (out) (optional): what it was. Returns: whether anything was */
static gboolean
take_fault (StriaVgfReader *self, StriaFlat *flat, const char *code, char **reason)
{
  g_autoptr (GError) error = NULL;
  gint64             offset = (gint64) flat->fault_at;

  if (stria_flat_forgive (flat, &error))
    return FALSE;
  stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, code, self->context->name,
                     offset, "%s", error->message);
  if (reason != NULL)
    *reason = g_strdup (error->message);
  return TRUE;
}

/* -- header --------------------------------------------------------------------------------- */

static gboolean
check_ranges (const StriaVgfReader *self, const Range *ranges, GError **error)
{
  for (guint i = 0; i < N_SECTIONS; i++)
    if (ranges[i].offset > self->length || ranges[i].size > self->length - ranges[i].offset)
      {
        g_set_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED,
                     _("%s: offset %" PRIu64 ": expected a section within the %" PRIu64
                       " bytes of the VGF, found %" PRIu64 " bytes from %" PRIu64 " on"),
                     self->context->name, self->base + 16 + i * 16, (guint64) self->length,
                     ranges[i].size, ranges[i].offset);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_version (StriaVgfReader *self, const StriaVgfRow *row, GError **error)
{
  if (row->major != 0 || row->minor < OLDEST_MINOR || row->minor > NEWEST_MINOR)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
                   _("%s: offset %" PRIu64 ": this VGF is of version %u.%u.%u; versions from 0.3 "
                     "to 0.4.3 can be read. Convert it with the model converter or updater of the "
                     "VGF tools"),
                   self->context->name, self->base + 8, row->major, row->minor, row->patch);
      return FALSE;
    }
  if (row->minor == NEWEST_MINOR && row->patch > NEWEST_PATCH)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_INFO, "vgf-version",
                       self->context->name, (gint64) self->base + 8,
                       _("This VGF is of version %u.%u.%u, newer than 0.4.3, which was the newest "
                         "one known; it was read as that"),
                       row->major, row->minor, row->patch);
  return TRUE;
}

static gboolean
read_header (StriaVgfReader *self, StriaVgfRow *row, Range *ranges, GError **error)
{
  const guint8 *data = self->data;

  if (self->length < HEADER_SIZE)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED,
                   _("%s: offset %" PRIu64 ": expected a VGF header of %d bytes, found %" PRIu64),
                   self->context->name, self->base, HEADER_SIZE, (guint64) self->length);
      return FALSE;
    }
  row->old_magic = memcmp (data, old_magic, 4) == 0;
  if (!row->old_magic && memcmp (data, magic, 4) != 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                   _("%s: offset %" PRIu64 ": expected “VGF1” or bytes c3 d2 e1 f0, found bytes "
                     "%02x %02x %02x %02x"),
                   self->context->name, self->base, data[0], data[1], data[2], data[3]);
      return FALSE;
    }
  row->vk_header = data[4] | (guint32) data[5] << 8;
  row->major = data[8];
  row->minor = data[9];
  row->patch = data[10];
  for (guint i = 0; i < N_SECTIONS; i++)
    {
      guint64 pair[2];

      memcpy (pair, data + 16 + i * 16, sizeof pair);
      ranges[i] = (Range) { GUINT64_FROM_LE (pair[0]), GUINT64_FROM_LE (pair[1]) };
    }
  return check_version (self, row, error) && check_ranges (self, ranges, error);
}

static StriaFlatTable
open_table (StriaVgfReader *self, StriaFlat *flat, const Range *range)
{
  stria_flat_init (flat, self->context->name, self->data + range->offset, range->size,
                   self->base + range->offset);
  return stria_flat_root (flat, NULL);
}

/* -- modules -------------------------------------------------------------------------------- */

/* Finds the words of a module and says why there are none that can be listed. */
static char *
find_code (StriaFlatTable module, StriaVgfModuleRow *row, StriaFacts *facts, StriaVgfCode *code)
{
  static const char *const names[] = { "SPIR-V", "GLSL", "HLSL" };
  guint8                   type = stria_flat_u8 (module, 3, 0);
  StriaFlatTable           held = stria_flat_table (module, 4);

  row->code_type = type >= 1 && type <= 3
                       ? stria_facts_intern (facts, names[type - 1], -1)
                       : stria_facts_intern_printf (facts, "%u", type);
  if (type == 1)
    {
      StriaFlatVector words = stria_flat_vector (held, 0, 4);

      row->code_size = (guint64) words.n * 4;
      code->words = stria_flat_bytes (words);
      code->n_words = words.n;
      return words.n == 0 ? g_strdup (_("It holds no code")) : NULL;
    }
  if (type == 2 || type == 3)
    {
      gsize length;

      stria_flat_string (held, 0, &length);
      row->code_size = length;
    }
  return g_strdup (_("Only SPIR-V is listed"));
}

/* Whether the code is SPIR-V to its end. */
static char *
check_code (const StriaVgfCode *code)
{
  g_autoptr (GError)       error = NULL;
  g_auto (StriaSpirv)      spirv = { 0 };

  if (!stria_spirv_init (&spirv, code->words, code->n_words, &error))
    return g_strdup (error->message);
  if (spirv.stopped != NULL)
    return g_strdup_printf (_("SPIR-V: word %u: %s; what stands behind it is not listed"),
                            spirv.stopped_at, spirv.stopped);
  return NULL;
}

static void
add_module (StriaVgfReader *self, guint32 number)
{
  StriaFlatTable    module = stria_flat_at_table (self->module_list, number);
  StriaVgfModuleRow row = {
    .vgf = self->vgf,
    .number = number,
    .type = stria_flat_u8 (module, 0, 0),
    .name = text_id (self->facts, module, 1),
    .entry_point = text_id (self->facts, module, 2),
  };
  StriaVgfCode      code = { 0 };
  g_autofree char  *reason = find_code (module, &row, self->facts, &code);
  g_autofree char  *fault = NULL;

  if (take_fault (self, &self->modules, "vgf-module", &fault))
    code = (StriaVgfCode) { 0 };
  else if (reason == NULL)
    {
      reason = check_code (&code);
      if (reason != NULL)
        stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "vgf-spirv",
                           self->context->name,
                           (gint64) (self->base + (guint64) (code.words - self->data)),
                           _("Module %u of the VGF: %s"), number, reason);
    }
  row.error = stria_facts_intern (self->facts, fault != NULL ? fault : reason, -1);
  g_array_append_val (self->codes, code);
  stria_facts_add (self->facts, STRIA_TABLE_VGF_MODULE, &row);
}

/* -- segments ------------------------------------------------------------------------------- */

/* "[1, 3, 224, 224]"; 0 if there are none. */
static guint32
list_id (StriaFacts *facts, StriaFlatVector list, gboolean wide)
{
  g_autoptr (GString) text = NULL;

  if (list.n == 0)
    return 0;
  text = g_string_new ("[");
  for (guint32 i = 0; i < list.n; i++)
    {
      if (i > 0)
        g_string_append (text, ", ");
      if (i == MAX_SIZES)
        {
          g_string_append (text, "…");
          break;
        }
      if (wide)
        g_string_append_printf (text, "%" PRId64, stria_flat_at_i64 (list, i));
      else
        g_string_append_printf (text, "%u", stria_flat_at_u32 (list, i));
    }
  g_string_append_c (text, ']');
  return stria_facts_intern (facts, text->str, (gssize) text->len);
}

static void
add_segment (StriaVgfReader *self, guint32 number)
{
  StriaFlatTable     segment = stria_flat_at_table (self->segment_list, number);
  StriaVgfSegmentRow row = {
    .vgf = self->vgf,
    .number = number,
    .type = stria_flat_u8 (segment, 0, 0),
    .name = text_id (self->facts, segment, 1),
    .module = stria_flat_u32 (segment, 2, 0),
    .n_inputs = stria_flat_vector (segment, STRIA_VGF_SEGMENT_INPUTS, 4).n,
    .n_outputs = stria_flat_vector (segment, STRIA_VGF_SEGMENT_OUTPUTS, 4).n,
    .n_constants = stria_flat_vector (segment, STRIA_VGF_SEGMENT_CONSTANTS, 4).n,
    .dispatch = list_id (self->facts, stria_flat_vector (segment, 7, 4), FALSE),
  };

  take_fault (self, &self->sequence, "vgf-segment", NULL);
  stria_facts_add (self->facts, STRIA_TABLE_VGF_SEGMENT, &row);
}

/* -- resources ------------------------------------------------------------------------------ */

static void
add_resource (StriaVgfReader *self, guint32 number)
{
  StriaFlatTable      entry = stria_flat_at_table (self->resource_list, number);
  StriaFlatTable      description = stria_flat_table (entry, 3);
  guint32             type = stria_flat_u32 (entry, 0, STRIA_VULKAN_NO_DESCRIPTOR);
  g_autofree char    *descriptor = type == STRIA_VULKAN_NO_DESCRIPTOR
                                       ? NULL
                                       : stria_vulkan_descriptor_name (type);
  g_autofree char    *format = stria_vulkan_format_name (stria_flat_u32 (entry, 1, 0));
  StriaVgfResourceRow row = {
    .vgf = self->vgf,
    .number = number,
    .descriptor = stria_facts_intern (self->facts, descriptor, -1),
    .format = stria_facts_intern (self->facts, format, -1),
    .category = stria_flat_u8 (entry, 2, 0),
    .shape = list_id (self->facts, stria_flat_vector (description, 0, 8), TRUE),
    .strides = list_id (self->facts, stria_flat_vector (description, 1, 8), TRUE),
    .alias_group = stria_flat_u32 (entry, 6, NO_ALIAS_GROUP),
  };

  if (!take_fault (self, &self->resources, "vgf-resource", NULL)
      && stria_vgf_category_name (row.category) == NULL)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "vgf-resource",
                       self->context->name, (gint64) stria_flat_offset (entry),
                       _("Resource %u of the VGF: expected a category from 0 to 3, found %u"),
                       number, row.category);
  stria_facts_add (self->facts, STRIA_TABLE_VGF_RESOURCE, &row);
}

/* -- constants ------------------------------------------------------------------------------ */

static void
add_constant (StriaVgfReader *self, guint32 number, guint32 resource, gint64 sparsity, guint64 size,
              guint64 offset)
{
  StriaVgfConstantRow row = {
    .vgf = self->vgf,
    .number = number,
    .resource = resource,
    .sparsity = sparsity,
    .size = size,
  };

  if (resource >= self->resource_list.n)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "vgf-constant",
                       self->context->name, (gint64) offset,
                       _("Constant %u of the VGF: expected a resource below %u, found %u"), number,
                       self->resource_list.n, resource);
  stria_facts_add (self->facts, STRIA_TABLE_VGF_CONSTANT, &row);
}

static void
add_raw_constants (StriaVgfReader *self, const Range *range)
{
  const guint8 *section = self->data + range->offset;
  guint64       at = self->base + range->offset;
  guint64       room = (range->size - RAW_HEAD) / RAW_ENTRY;
  guint64       count = stria_load64 (section + 8);
  guint64       payload;

  if (count > room)
    {
      stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "vgf-constant",
                         self->context->name, (gint64) at + 8,
                         _("Constants of the VGF: expected at most %" PRIu64
                           " in a section of %" PRIu64 " bytes, found a count of %" PRIu64),
                         room, range->size, count);
      count = room;
    }
  payload = range->size - RAW_HEAD - count * RAW_ENTRY;
  for (guint64 i = 0; i < count && i < STRIA_NO_REF - 1; i++)
    {
      const guint8 *entry = section + RAW_HEAD + i * RAW_ENTRY;
      guint64       size = stria_load64 (entry + 8);
      guint64       offset = stria_load64 (entry + 16);
      guint64       entry_at = at + RAW_HEAD + i * RAW_ENTRY;

      if (offset > payload || size > payload - offset)
        stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "vgf-constant",
                           self->context->name, (gint64) entry_at,
                           _("Constant %" PRIu64 " of the VGF: expected it within the %" PRIu64
                             " bytes of the payload, found %" PRIu64 " bytes from %" PRIu64 " on"),
                           i, payload, size, offset);
      add_constant (self, (guint32) i, stria_load32 (entry), (gint32) stria_load32 (entry + 4), size,
                    entry_at);
    }
}

static void
add_legacy_constants (StriaVgfReader *self, const Range *range)
{
  StriaFlat       flat;
  StriaFlatVector list = stria_flat_vector (open_table (self, &flat, range), 0, 4);

  for (guint32 i = 0; i < list.n && !stria_flat_failed (&flat); i++)
    {
      StriaFlatTable held = stria_flat_at_table (list, i);
      guint32        resource = stria_flat_u32 (held, 0, 0);
      gint64         sparsity = stria_flat_i64 (held, 1, -1);
      guint64        size = stria_flat_vector (held, 2, 1).n;
      guint64        offset = stria_flat_offset (held);

      take_fault (self, &flat, "vgf-constant", NULL);
      add_constant (self, i, resource, sparsity, size, offset);
    }
  take_fault (self, &flat, "vgf-constant", NULL);
  stria_flat_clear (&flat);
}

/* -- all ------------------------------------------------------------------------------------ */

static guint32
table_size (StriaVgfReader *self, guint table)
{
  return (guint32) stria_facts_size (self->facts, table);
}

/* Rows of modules, segments, resources and constants; each in one run, at its number. */
static void
add_rows (StriaVgfReader *self, StriaVgfRow *row, const Range *constants)
{
  self->vgf = stria_facts_add (self->facts, STRIA_TABLE_VGF, row);
  row->first_module = table_size (self, STRIA_TABLE_VGF_MODULE);
  for (guint32 i = 0; i < self->module_list.n && !stria_flat_failed (&self->modules); i++)
    add_module (self, i);
  row->n_modules = table_size (self, STRIA_TABLE_VGF_MODULE) - row->first_module;
  row->first_segment = table_size (self, STRIA_TABLE_VGF_SEGMENT);
  for (guint32 i = 0; i < self->segment_list.n && !stria_flat_failed (&self->sequence); i++)
    add_segment (self, i);
  row->n_segments = table_size (self, STRIA_TABLE_VGF_SEGMENT) - row->first_segment;
  row->first_resource = table_size (self, STRIA_TABLE_VGF_RESOURCE);
  for (guint32 i = 0; i < self->resource_list.n && !stria_flat_failed (&self->resources); i++)
    add_resource (self, i);
  row->n_resources = table_size (self, STRIA_TABLE_VGF_RESOURCE) - row->first_resource;
  row->first_constant = table_size (self, STRIA_TABLE_VGF_CONSTANT);
  if (constants->size >= RAW_HEAD
      && memcmp (self->data + constants->offset, RAW_MARK, sizeof RAW_MARK) == 0)
    add_raw_constants (self, constants);
  else if (constants->size > 0)
    {
      row->legacy_constants = TRUE;
      add_legacy_constants (self, constants);
    }
  row->n_constants = table_size (self, STRIA_TABLE_VGF_CONSTANT) - row->first_constant;
  STRIA_ROWS (self->facts, StriaVgfRow, STRIA_TABLE_VGF)[self->vgf] = *row;
}

static gboolean
open_tables (StriaVgfReader *self, const Range *ranges, GError **error)
{
  self->module_list
      = stria_flat_vector (open_table (self, &self->modules, &ranges[MODULES]), 0, 4);
  self->sequence_root = open_table (self, &self->sequence, &ranges[SEQUENCE]);
  self->segment_list = stria_flat_vector (self->sequence_root, 0, 4);
  self->resource_list
      = stria_flat_vector (open_table (self, &self->resources, &ranges[RESOURCES]), 0, 4);
  return stria_flat_check (&self->modules, error) && stria_flat_check (&self->sequence, error)
         && stria_flat_check (&self->resources, error);
}

gboolean
stria_vgf_read (StriaFacts *facts, const char *graph_name, const char *method, guint32 delegate,
                const guint8 *data, gsize length, guint64 base, StriaDecodeContext *context,
                guint32 *vgf, GError **error)
{
  StriaVgfReader self = {
    .facts = facts,
    .context = context,
    .data = data,
    .length = length,
    .base = base,
  };
  StriaVgfRow row = {
    .delegate = delegate,
    .offset = base,
    .size = length,
    .graph = STRIA_NO_REF,
  };
  Range       ranges[N_SECTIONS];
  gboolean    good = FALSE;

  if (!read_header (&self, &row, ranges, error))
    return FALSE;
  self.codes = g_array_new (FALSE, FALSE, sizeof (StriaVgfCode));
  if (open_tables (&self, ranges, error))
    {
      guint32 graph;

      add_rows (&self, &row, &ranges[CONSTANTS]);
      *vgf = self.vgf;
      good = stria_vgf_make_graph (&self, graph_name, method, &graph, error);
      STRIA_ROWS (facts, StriaVgfRow, STRIA_TABLE_VGF)[self.vgf].graph = graph;
    }
  stria_flat_clear (&self.modules);
  stria_flat_clear (&self.sequence);
  stria_flat_clear (&self.resources);
  g_array_unref (self.codes);
  return good;
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_autofree char   *sha256 = NULL;
  g_autoptr (GBytes) bytes = stria_whole_read (source, MAX_FILE, context, &sha256, error);
  StriaFacts        *facts;
  const guint8      *data;
  gsize              length;
  guint32            vgf;

  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &length);
  facts = sink->facts (sink);
  if (!stria_vgf_read (facts, "main", NULL, STRIA_NO_REF, data, length, 0, context, &vgf, error))
    return FALSE;
  STRIA_ROWS (facts, StriaVgfRow, STRIA_TABLE_VGF)[vgf].sha256
      = stria_facts_intern (facts, sha256, -1);
  return TRUE;
}

/* A header of another version is claimed too: the version's own message says more than none. */
static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  if (head == NULL || length < 4)
    return 0;
  if (memcmp (head, magic, 4) == 0 || memcmp (head, old_magic, 4) == 0)
    return 95;
  return 0;
}

const StriaDecoder stria_vgf_decoder = {
  .kind = "vgf",
  .title = N_ ("VGF"),
  .probe = probe,
  .decode = decode,
};
