/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the words of a SPIR-V module (spec 4.3). What constants and types say is in
 * stria-spirv-values.c. */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-load.h"
#include "stria-spirv.h"

/* Operand that holds the result id of an instruction, or -1: of those that are read. */
static int
result_operand (guint16 op)
{
  switch (op)
    {
    case STRIA_SPIRV_STRING:
    case STRIA_SPIRV_EXT_INST_IMPORT:
    case STRIA_SPIRV_TYPE_VOID:
    case STRIA_SPIRV_TYPE_BOOL:
    case STRIA_SPIRV_TYPE_INT:
    case STRIA_SPIRV_TYPE_FLOAT:
    case STRIA_SPIRV_TYPE_VECTOR:
    case STRIA_SPIRV_TYPE_ARRAY:
    case STRIA_SPIRV_TYPE_STRUCT:
    case STRIA_SPIRV_TYPE_POINTER:
    case STRIA_SPIRV_TYPE_TENSOR_ARM:
    case STRIA_SPIRV_TYPE_GRAPH_ARM:
      return 0;
    case STRIA_SPIRV_UNDEF:
    case STRIA_SPIRV_EXT_INST:
    case STRIA_SPIRV_CONSTANT_TRUE:
    case STRIA_SPIRV_CONSTANT_FALSE:
    case STRIA_SPIRV_CONSTANT:
    case STRIA_SPIRV_CONSTANT_COMPOSITE:
    case STRIA_SPIRV_CONSTANT_NULL:
    case STRIA_SPIRV_SPEC_CONSTANT_TRUE:
    case STRIA_SPIRV_SPEC_CONSTANT_FALSE:
    case STRIA_SPIRV_SPEC_CONSTANT:
    case STRIA_SPIRV_SPEC_CONSTANT_COMPOSITE:
    case STRIA_SPIRV_SPEC_CONSTANT_OP:
    case STRIA_SPIRV_VARIABLE:
    case STRIA_SPIRV_COMPOSITE_EXTRACT:
    case STRIA_SPIRV_GRAPH_CONSTANT_ARM:
    case STRIA_SPIRV_GRAPH_ARM:
    case STRIA_SPIRV_GRAPH_INPUT_ARM:
    case STRIA_SPIRV_CONSTANT_REPLICATE:
    case STRIA_SPIRV_SPEC_CONSTANT_REPLICATE:
      return 1;
    default:
      return -1;
    }
}

static guint32
get_word (const StriaSpirv *self, guint32 at)
{
  return stria_load32 (self->data + (gsize) at * 4);
}

/* Finds where the instructions end and which ids there are. */
static void
measure (StriaSpirv *self)
{
  guint32 at = STRIA_SPIRV_HEADER;
  guint32 most = 0;

  while (at < self->n_words)
    {
      guint32 word = get_word (self, at);
      guint16 op = (guint16) word;
      guint32 n = word >> 16;
      int     result = result_operand (op);

      if (n == 0 || n > self->n_words - at)
        {
          self->stopped_at = at;
          self->stopped = g_strdup_printf (
              _("expected an instruction of 1 to %u words, found a count of %u"),
              self->n_words - at, n);
          break;
        }
      if (result >= 0 && (guint32) result + 1 < n)
        {
          guint32 id = get_word (self, at + 1 + (guint32) result);

          if (id < self->bound && id <= STRIA_SPIRV_MAX_ID)
            most = MAX (most, id);
        }
      at += n;
    }
  self->end = at;
  self->n_ids = most + 1;
}

static void
index_ids (StriaSpirv *self)
{
  StriaSpirvInst inst;

  for (guint32 at = STRIA_SPIRV_HEADER; stria_spirv_read (self, at, &inst); at += inst.n)
    {
      int     result = result_operand (inst.op);
      guint32 id;

      if (result < 0)
        continue;
      id = stria_spirv_operand (self, &inst, (guint) result);
      if (id == 0 || id >= self->bound || id >= self->n_ids || self->defs[id] != 0)
        self->n_bad_ids++;
      else
        self->defs[id] = at;
    }
}

/**
 * stria_spirv_init:
 * @data: the words; must outlive @self
 * @n_words: how many there are
 * @error: %STRIA_ERROR_TRUNCATED without a whole header, %STRIA_ERROR_BAD_MAGIC if it is none,
 *   %STRIA_ERROR_LIMIT for more words than can be counted. Messages name the word, not the file.
 *
 * Finds the instructions and ids of a module. One that is cut short inside is no error: what was
 * there before can be read, and @stopped says why not more.
 *
 * Returns: whether it begins like a module; if not, @self needs no clearing
 */
gboolean
stria_spirv_init (StriaSpirv *self, const guint8 *data, gsize n_words, GError **error)
{
  guint32 magic;

  memset (self, 0, sizeof *self);
  if (n_words > G_MAXUINT32 / 4)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _("SPIR-V: expected at most %u words, found %" PRIu64), G_MAXUINT32 / 4,
                   (guint64) n_words);
      return FALSE;
    }
  if (n_words < STRIA_SPIRV_HEADER)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED,
                   ngettext ("SPIR-V: expected a header of 5 words, found %u word",
                             "SPIR-V: expected a header of 5 words, found %u words",
                             (guint) n_words),
                   (guint) n_words);
      return FALSE;
    }
  self->data = data;
  self->n_words = (guint32) n_words;
  magic = get_word (self, 0);
  if (magic != STRIA_SPIRV_MAGIC)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                   _("SPIR-V: expected 0x%08x in word 0, found 0x%08x"), STRIA_SPIRV_MAGIC, magic);
      return FALSE;
    }
  self->version = get_word (self, 1);
  self->bound = get_word (self, 3);
  measure (self);
  self->defs = g_new0 (guint32, self->n_ids);
  index_ids (self);
  return TRUE;
}

void
stria_spirv_clear (StriaSpirv *self)
{
  g_clear_pointer (&self->stopped, g_free);
  g_clear_pointer (&self->defs, g_free);
}

gboolean
stria_spirv_read (const StriaSpirv *self, guint32 at, StriaSpirvInst *inst)
{
  guint32 word;

  if (at >= self->end)
    return FALSE;
  word = get_word (self, at);
  *inst = (StriaSpirvInst) { .at = at, .op = (guint16) word, .n = (guint16) (word >> 16) };
  return TRUE;
}

guint32
stria_spirv_operand (const StriaSpirv *self, const StriaSpirvInst *inst, guint i)
{
  return i + 1 < inst->n ? get_word (self, inst->at + 1 + i) : 0;
}

const char *
stria_spirv_text (const StriaSpirv *self, const StriaSpirvInst *inst, guint i, guint *next)
{
  const char *text;
  const char *end;
  gsize       length;

  if (i + 1 >= inst->n)
    return NULL;
  text = (const char *) self->data + ((gsize) inst->at + 1 + i) * 4;
  length = (gsize) (inst->n - 1 - i) * 4;
  end = memchr (text, '\0', length);
  if (end == NULL)
    return NULL;
  if (next != NULL)
    *next = i + (guint) (end - text) / 4 + 1;
  return text;
}

gboolean
stria_spirv_find (const StriaSpirv *self, guint32 id, StriaSpirvInst *inst)
{
  return id < self->n_ids && self->defs[id] != 0 && stria_spirv_read (self, self->defs[id], inst);
}

guint32
stria_spirv_type_of (const StriaSpirv *self, guint32 id)
{
  StriaSpirvInst inst;

  if (!stria_spirv_find (self, id, &inst) || result_operand (inst.op) != 1)
    return 0;
  return stria_spirv_operand (self, &inst, 0);
}

const char *
stria_spirv_string (const StriaSpirv *self, guint32 id)
{
  StriaSpirvInst inst;

  if (!stria_spirv_find (self, id, &inst) || inst.op != STRIA_SPIRV_STRING)
    return NULL;
  return stria_spirv_text (self, &inst, 1, NULL);
}
