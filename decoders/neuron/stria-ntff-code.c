/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-private.h"

#include "stria-neuron-opcodes.h"

#define PC_BITS 20
#define PC_MASK ((1u << PC_BITS) - 1)
/* pcs that are looked at to settle where they count from, and the share that has to fit */
#define MAX_SAMPLES 65536
/* Sections of one engine that are looked into */
#define MAX_SECTIONS 256

typedef struct
{
  const guint8 *words;
  guint64 n_words;
  guint64 start_address;
  guint64 first; /* index from the engine's first instruction, by the difference of addresses */
  gboolean function;
} Section;

/* An edit of the runtime. What its offset counts in, the compiler's stream or the runtime's, is
 * unknown; that it counts instructions is inferred. */
typedef struct
{
  guint32 offset;
  guint32 count;
  guint32 type;
} Patch;

/* What the edits up to one came to */
typedef struct
{
  gint64 at;          /* in the runtime's stream */
  gint64 inserted_to; /* instructions before this one were put in */
  gint64 shift;       /* runtime minus compiler */
} Step;

struct _StriaNtffCode
{
  StriaNtffEngine engine;
  GArray *sections;
  GArray *patches;
  GArray *by_runtime;
  GArray *by_compiler;
  guint64 n_samples;
  guint64 n_zero;
  guint64 n_address;
  StriaNtffPcOrigin origin;
  const StriaNeffListing *listing; /* or NULL: see @gap */
  StriaNtffGap gap;
  gboolean same; /* the two origins cannot be told apart: they agree everywhere */
};

StriaNtffCode *
stria_ntff_code_new (StriaNtffEngine engine)
{
  StriaNtffCode *self = g_new0 (StriaNtffCode, 1);

  self->engine = engine;
  self->sections = g_array_new (FALSE, FALSE, sizeof (Section));
  self->patches = g_array_new (FALSE, FALSE, sizeof (Patch));
  return self;
}

void
stria_ntff_code_free (StriaNtffCode *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->sections);
  g_array_unref (self->patches);
  g_clear_pointer (&self->by_runtime, g_array_unref);
  g_clear_pointer (&self->by_compiler, g_array_unref);
  g_free (self);
}

void
stria_ntff_code_add (StriaNtffCode *self, const guint8 *words, guint64 n_words,
                     guint64 start_address, gboolean function)
{
  Section section = { words, n_words, start_address, 0, function };

  if (self->sections->len >= MAX_SECTIONS)
    return;
  if (self->sections->len > 0)
    {
      guint64 base = g_array_index (self->sections, Section, 0).start_address;

      section.first = start_address >= base ? (start_address - base) / STRIA_NTFF_WORD
                                            : G_MAXUINT64;
    }
  g_array_append_val (self->sections, section);
}

void
stria_ntff_code_patch (StriaNtffCode *self, guint32 offset, guint32 count, guint32 type)
{
  Patch patch = { offset, count, type };

  g_array_append_val (self->patches, patch);
}

static const guint8 *
word_by_zero (StriaNtffCode *self, guint32 pc, gboolean *function)
{
  for (guint i = 0; i < self->sections->len; i++)
    {
      const Section *section = &g_array_index (self->sections, Section, i);

      if (pc >= section->first && pc - section->first < section->n_words)
        {
          *function = section->function;
          return section->words + (pc - section->first) * STRIA_NTFF_WORD;
        }
    }
  return NULL;
}

/* Index into a section by the low bits of an address */
static guint32
address_index (const Section *section, guint32 pc)
{
  return (pc - (guint32)(section->start_address / STRIA_NTFF_WORD)) & PC_MASK;
}

static const guint8 *
word_by_address (StriaNtffCode *self, guint32 pc, gboolean *function)
{
  for (guint i = 0; i < self->sections->len; i++)
    {
      const Section *section = &g_array_index (self->sections, Section, i);
      guint32 index = address_index (section, pc);

      if (index < section->n_words)
        {
          *function = section->function;
          return section->words + (gsize)index * STRIA_NTFF_WORD;
        }
    }
  return NULL;
}

void
stria_ntff_code_sample (StriaNtffCode *self, guint32 pc)
{
  const guint8 *word;
  gboolean function;

  if (self->n_samples >= MAX_SAMPLES || self->sections->len == 0)
    return;
  self->n_samples++;
  word = word_by_zero (self, pc, &function);
  self->n_zero += word != NULL && stria_neuron_opcode_fits (word[0], self->engine);
  word = word_by_address (self, pc, &function);
  self->n_address += word != NULL && stria_neuron_opcode_fits (word[0], self->engine);
}

void
stria_ntff_code_samples (StriaNtffCode *self, guint64 *n, guint64 *zero, guint64 *address)
{
  *n = self->n_samples;
  *zero = self->n_zero;
  *address = self->n_address;
}

const guint8 *
stria_ntff_code_word (StriaNtffCode *self, guint32 pc, gboolean *function)
{
  switch (self->origin)
    {
    case STRIA_NTFF_PC_ZERO:
    case STRIA_NTFF_PC_BOTH:
      return word_by_zero (self, pc, function);
    case STRIA_NTFF_PC_ADDRESS:
      return word_by_address (self, pc, function);
    case STRIA_NTFF_PC_UNKNOWN:
    default:
      return NULL;
    }
}

static int
compare_patches (gconstpointer a, gconstpointer b)
{
  const Patch *left = a, *right = b;

  return left->offset < right->offset ? -1 : left->offset > right->offset;
}

/* Where each edit lies in the runtime's stream, with offsets that count in that one or in the
 * compiler's */
static GArray *
walk_patches (const GArray *patches, gboolean in_runtime)
{
  GArray *steps = g_array_sized_new (FALSE, FALSE, sizeof (Step), patches->len);
  Step step = { 0 };

  for (guint i = 0; i < patches->len; i++)
    {
      const Patch *patch = &g_array_index (patches, Patch, i);

      step.at = in_runtime ? (gint64)patch->offset : (gint64)patch->offset + step.shift;
      if (patch->type == NTFF__INSTRUCTION_PATCH_TYPE__INSTRUCTION_PATCH_TYPE_INSERT)
        {
          step.inserted_to = MAX (step.inserted_to, step.at + patch->count);
          step.shift += patch->count;
        }
      else if (patch->type == NTFF__INSTRUCTION_PATCH_TYPE__INSTRUCTION_PATCH_TYPE_DELETE)
        step.shift -= patch->count;
      g_array_append_val (steps, step);
    }
  return steps;
}

/* FALSE: the runtime put the instruction in. */
static gboolean
undo_patches (const GArray *steps, gint64 index, gint64 *out)
{
  guint low = 0, high = steps->len;
  const Step *step;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (steps, Step, middle).at <= index)
        low = middle + 1;
      else
        high = middle;
    }
  *out = index;
  if (low == 0)
    return TRUE;
  step = &g_array_index (steps, Step, low - 1);
  *out = index - step->shift;
  return index >= step->inserted_to && *out >= 0;
}

StriaNtffPcOrigin
stria_ntff_code_settle (StriaNtffCode *self)
{
  double needed = 0.95 * (double)self->n_samples;
  gboolean zero = self->n_samples > 0 && (double)self->n_zero >= needed;
  gboolean address = self->n_samples > 0 && (double)self->n_address >= needed;

  g_array_sort (self->patches, compare_patches);
  self->by_runtime = walk_patches (self->patches, TRUE);
  self->by_compiler = walk_patches (self->patches, FALSE);
  self->same = self->sections->len > 0;
  for (guint i = 0; i < self->sections->len; i++)
    {
      const Section *section = &g_array_index (self->sections, Section, i);

      self->same &= (section->first & PC_MASK)
                    == (section->start_address / STRIA_NTFF_WORD & PC_MASK);
    }
  if (zero && address && self->same)
    self->origin = STRIA_NTFF_PC_BOTH;
  else if (zero && (!address || self->n_zero > self->n_address))
    self->origin = STRIA_NTFF_PC_ZERO;
  else if (address && (!zero || self->n_address > self->n_zero))
    self->origin = STRIA_NTFF_PC_ADDRESS;
  else
    self->origin = STRIA_NTFF_PC_UNKNOWN;
  return self->origin;
}

StriaNtffPcOrigin
stria_ntff_code_origin (const StriaNtffCode *self)
{
  return self->origin;
}

gboolean
stria_ntff_code_compiler_pc (StriaNtffCode *self, guint32 pc, guint32 *out)
{
  gint64 index = pc, by_runtime = 0, by_compiler = 0;

  if (self->origin == STRIA_NTFF_PC_UNKNOWN || self->sections->len == 0)
    return FALSE;
  if (self->origin == STRIA_NTFF_PC_ADDRESS)
    index = address_index (&g_array_index (self->sections, Section, 0), pc);
  /* Where the two readings of an edit's offset differ, neither is taken. */
  if (!undo_patches (self->by_runtime, index, &by_runtime)
      || !undo_patches (self->by_compiler, index, &by_compiler) || by_runtime != by_compiler
      || by_runtime > G_MAXUINT32)
    return FALSE;
  *out = (guint32)by_runtime;
  return TRUE;
}

/* Instructions that the runtime puts in the place of the compiler's pseudo instructions are others.
 */
static gboolean
is_pseudo (guint8 opcode)
{
  const char *shown = stria_neuron_opcode_shown (opcode);

  return shown != NULL && g_str_has_prefix (shown, "PSEUDO");
}

static gboolean
agrees (StriaNtffCode *self, const guint8 *opcodes, gsize n)
{
  const Section *section = &g_array_index (self->sections, Section, 0);
  guint64 base
      = self->origin == STRIA_NTFF_PC_ADDRESS ? section->start_address / STRIA_NTFF_WORD : 0;
  guint64 n_same = 0, n_compared = 0;

  for (guint64 i = 0; i < MIN (section->n_words, MAX_SAMPLES); i++)
    {
      guint32 compiler_pc;

      if (!stria_ntff_code_compiler_pc (self, (guint32) ((base + i) & PC_MASK), &compiler_pc)
          || compiler_pc >= n || is_pseudo (opcodes[compiler_pc]))
        continue;
      n_compared++;
      n_same += opcodes[compiler_pc] == section->words[i * STRIA_NTFF_WORD];
    }
  return n_same >= n_compared - n_compared / 20;
}

void
stria_ntff_code_set_listing (StriaNtffCode *self, const StriaNeffListing *listing,
                             StriaNtffGap gap)
{
  const guint8 *opcodes;
  gsize n;

  self->listing = listing;
  self->gap = gap;
  if (listing == NULL || self->sections->len == 0 || self->origin == STRIA_NTFF_PC_UNKNOWN)
    return;
  opcodes = stria_neff_listing_opcodes (listing, &n);
  if (opcodes != NULL && !agrees (self, opcodes, n))
    {
      self->listing = NULL;
      self->gap = STRIA_NTFF_GAP_DIFFERS;
    }
}

const StriaNeffListing *
stria_ntff_code_listing (const StriaNtffCode *self, StriaNtffGap *gap)
{
  *gap = self->gap;
  return self->listing;
}

guint64
stria_ntff_code_n_words (StriaNtffCode *self)
{
  guint64 n = 0;

  for (guint i = 0; i < self->sections->len; i++)
    n += g_array_index (self->sections, Section, i).n_words;
  return n;
}

/* --- operands --------------------------------------------------------------------------------- */

static guint32
word_value (const guint8 *word)
{
  return stria_load32 (word + 8);
}

/* Waits are written with a dollar (documented in examples). */
static gboolean
put_wait (GString *text, const guint8 *word)
{
  static const char *const signs[] = { "==", "<", "<=", ">", ">=" };
  guint mode = word[4];

  if (mode == 0)
    return TRUE;
  if (mode >= 1 && mode <= 5)
    g_string_append_printf (text, "$S[%u]%s%u", word[5], signs[mode - 1], word_value (word));
  else if (stria_ntff_wait_name (mode) != NULL)
    g_string_append_printf (text, "$E[%u] %s", word[5], stria_ntff_wait_name (mode));
  else
    g_string_append_printf (text, "wait_mode=%u", mode);
  return stria_ntff_wait_name (mode) != NULL;
}

static gboolean
put_update (GString *text, const guint8 *word)
{
  const char *operation = NULL, *timing = NULL;
  gboolean known = stria_ntff_update_name (word[6], &operation, &timing);

  if (word[6] == 0)
    return TRUE;
  if (text->len > 0)
    g_string_append_c (text, ' ');
  if (!known)
    {
      g_string_append_printf (text, "update_mode=%u", word[6]);
      return FALSE;
    }
  if (g_str_equal (operation, "sem_inc"))
    g_string_append_printf (text, "S[%u]++", word[7]);
  else if (g_str_equal (operation, "sem_dec"))
    g_string_append_printf (text, "S[%u]--", word[7]);
  else if (g_str_equal (operation, "sem_add_imm"))
    g_string_append_printf (text, "S[%u]+=%u", word[7], word_value (word));
  else if (g_str_equal (operation, "sem_sub_imm"))
    g_string_append_printf (text, "S[%u]-=%u", word[7], word_value (word));
  else if (g_str_equal (operation, "sem_wr_imm"))
    g_string_append_printf (text, "S[%u]=%u", word[7], word_value (word));
  else
    g_string_append_printf (text, "E[%u] %s", word[7], operation);
  g_string_append_printf (text, "@%s", timing);
  return TRUE;
}

gboolean
stria_ntff_operands (const guint8 *word, char *text, gsize size)
{
  g_autoptr (GString) out = g_string_sized_new (64);
  gboolean wait = put_wait (out, word), update = put_update (out, word);

  g_strlcpy (text, out->str, size);
  return wait && update;
}

void
stria_ntff_code_foreach (StriaNtffCode *self, StriaNtffWordFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->sections->len; i++)
    {
      const Section *section = &g_array_index (self->sections, Section, i);

      for (guint64 w = 0; w < section->n_words; w++)
        func (section->words + w * STRIA_NTFF_WORD, section->start_address + w * STRIA_NTFF_WORD,
              section->function, user_data);
    }
}
