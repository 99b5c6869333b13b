/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-ring.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-neuron-opcodes.h"

/* What was found is kept for the next execution of the same instruction. */
#define N_KNOWN 4096

enum
{
  O_OPCODE, O_RAW_BIR, O_BIR, O_BIR_NAME, O_RAW_PENGUIN, O_RAW_HLO, O_HLO, O_RAW_FRAMEWORK, O_LAYER,
  O_FRAMES, O_BIR_PLACE, O_PLACE, N_COLUMNS,
};
G_STATIC_ASSERT (N_COLUMNS == STRIA_NTFF_N_ORIGIN_COLUMNS);

typedef struct
{
  const StriaNeffListing *listing; /* NULL: empty */
  guint32 compiler_pc;
  gboolean is_found;
  StriaNeffOrigin origin;
} Known;

struct _StriaNtffOrigins
{
  StriaNtffFile *file;
  GPtrArray *chains; /* StriaNeffChain */
  gboolean by_uid;   /* the capture has several programs, or may lack some: only uids tell which */
  guint n_unreadable;
  Known known[N_KNOWN];
  guint64 n_instructions;
  guint64 n_gaps[STRIA_NTFF_N_GAPS];
};

/* --- programs --------------------------------------------------------------------------------- */

/* The group of the profile, if the capture has one */
static const StriaFiles *
find_group (StriaNtffFile *file)
{
  StriaCapture *capture = file->context->capture;
  StriaCaptureTree *tree = capture != NULL ? stria_capture_get_tree (capture) : NULL;
  guint group = tree != NULL ? stria_capture_tree_of (tree, file->context->artifact)
                             : STRIA_NO_GROUP;
  const StriaFiles *files = group != STRIA_NO_GROUP ? stria_capture_tree_get (tree, group) : NULL;

  return files != NULL && files->kind == STRIA_FILES_DEVICE && files->artifacts->len > 0
                 && g_array_index (files->artifacts, guint, 0) == file->context->artifact
             ? files
             : NULL;
}

StriaNtffOrigins *
stria_ntff_origins_new (StriaNtffFile *file, GError **error)
{
  StriaNtffOrigins *self = g_new0 (StriaNtffOrigins, 1);
  const StriaFiles *group = find_group (file);

  self->file = file;
  self->chains = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_neff_chain_unref);
  self->by_uid = group != NULL && group->rule == STRIA_PAIR_EXECUTION;
  for (guint i = 1; group != NULL && i < group->artifacts->len; i++)
    {
      g_autoptr (GError) local = NULL;
      guint artifact = g_array_index (group->artifacts, guint, i);
      StriaNeffChain *chain = stria_neff_chain_open (file->context->capture, artifact,
                                                     file->context->cancellable, &local);

      if (chain != NULL)
        {
          g_ptr_array_add (self->chains, chain);
          continue;
        }
      if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          g_ptr_array_unref (self->chains);
          g_free (self);
          return NULL;
        }
      /* Why is told where it is read as a program. */
      self->n_unreadable++;
    }
  self->by_uid |= self->chains->len > 1;
  return self;
}

/* 16 bytes, or a text of 32 digits; both have been seen to be likely. */
static gboolean
is_uid (const char *uid, const char *uuid)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (uid == NULL || uuid[0] == '\0')
    return FALSE;
  if (g_str_equal (uid, uuid))
    return TRUE;
  for (const char *at = uid; g_ascii_isxdigit (at[0]) && g_ascii_isxdigit (at[1]); at += 2)
    {
      char c = (char) (g_ascii_xdigit_value (at[0]) << 4 | g_ascii_xdigit_value (at[1]));

      if (c != '-')
        g_string_append_c (text, c);
    }
  return g_ascii_strcasecmp (text->str, uuid) == 0;
}

static const StriaNeffChain *
find_chain (StriaNtffOrigins *self, const StriaNtffGraph *graph)
{
  for (guint i = 0; i < self->chains->len; i++)
    if (is_uid (graph->uid, stria_neff_chain_get_uuid (self->chains->pdata[i])))
      return self->chains->pdata[i];
  return !self->by_uid && self->chains->len == 1 ? self->chains->pdata[0] : NULL;
}

const StriaNeffListing *
stria_ntff_origins_listing (StriaNtffOrigins *self, const StriaNtffGraph *graph,
                            StriaNtffEngine engine, StriaNtffGap *gap)
{
  const StriaNeffChain *chain = find_chain (self, graph);
  const StriaNeffListing *listing;

  *gap = STRIA_NTFF_GAP_NONE;
  if (chain == NULL)
    {
      *gap = self->n_unreadable > 0 ? STRIA_NTFF_GAP_UNREADABLE : STRIA_NTFF_GAP_PROGRAM;
      return NULL;
    }
  listing = stria_neff_chain_listing (chain, graph->info->name, graph->pcore, engine);
  if (listing == NULL || stria_neff_listing_size (listing) == 0)
    *gap = !stria_neff_chain_has_debug (chain)                            ? STRIA_NTFF_GAP_DEBUG
           : listing != NULL && stria_neff_listing_is_odd (listing) ? STRIA_NTFF_GAP_DIFFERS
                                                                    : STRIA_NTFF_GAP_LISTING;
  return listing;
}

/* --- cells ------------------------------------------------------------------------------------ */

static const Known *
find_origin (StriaNtffOrigins *self, const StriaNeffListing *listing, guint32 compiler_pc)
{
  Known *known
      = &self->known[((GPOINTER_TO_SIZE (listing) >> 4) * 31 + compiler_pc) % N_KNOWN];

  if (known->listing != listing || known->compiler_pc != compiler_pc)
    {
      stria_neff_origin_clear (&known->origin);
      known->listing = listing;
      known->compiler_pc = compiler_pc;
      known->is_found = stria_neff_listing_find (listing, compiler_pc, &known->origin);
    }
  return known;
}

static void
put_text (StriaNeuronRows *rows, guint column, const char *text)
{
  if (text != NULL)
    stria_neuron_rows_text (rows, column, text, -1);
}

/* Only a single record has an id to show, and a column cannot hold all names of several: where
 * those differ, none is picked. */
static void
put_step (StriaNeuronRows *rows, guint id, guint name, const StriaNeffStep *step)
{
  if (step->n == 1)
    stria_neuron_rows_int (rows, id, (gint64) step->id);
  if (name != id)
    put_text (rows, name, step->name);
}

/* Documented: subgraph and instruction, "sg0000:218805". How one with a function is written is
 * not. */
static void
put_bir_id (StriaNeuronRows *rows, guint column, const StriaNeffStep *step)
{
  char text[40];

  if (step->n != 1 || (step->id >> 32 & 0xFFFF) != 0)
    return;
  g_snprintf (text, sizeof text, "sg%04u:%u", (guint) (step->id >> 48), (guint) step->id);
  stria_neuron_rows_text (rows, column, text, -1);
}

static void
put_opcode (StriaNeuronRows *rows, guint column, guint8 opcode)
{
  const char *shown = stria_neuron_opcode_shown (opcode);
  char number[8];

  g_snprintf (number, sizeof number, "0x%02X", opcode);
  stria_neuron_rows_text (rows, column, shown != NULL ? shown : number, -1);
}

/* Columns that are not here, because what they are made of is not published: penguin_id (how its
 * number is written), hlo_attrs, and of NKI kernels kernel_instruction_name and nki_source_location
 * (the keys of kernel_debug_info.json, and under which names attributes of the BIR level have a
 * file and a line). */
static StriaNtffGap
put_origin (StriaNeuronRows *rows, guint first, const Known *known)
{
  const StriaNeffOrigin *origin = &known->origin;
  const StriaNeffStep *steps = origin->steps;

  if (!known->is_found)
    return STRIA_NTFF_GAP_NAMES;
  put_step (rows, first + O_RAW_BIR, first + O_BIR_NAME, &steps[STRIA_NEFF_LEVEL_BIR]);
  put_bir_id (rows, first + O_BIR, &steps[STRIA_NEFF_LEVEL_BIR]);
  put_step (rows, first + O_RAW_PENGUIN, first + O_RAW_PENGUIN, &steps[STRIA_NEFF_LEVEL_PENGUIN]);
  put_step (rows, first + O_RAW_HLO, first + O_HLO, &steps[STRIA_NEFF_LEVEL_HLO]);
  put_step (rows, first + O_RAW_FRAMEWORK, first + O_LAYER, &steps[STRIA_NEFF_LEVEL_FRAMEWORK]);
  put_text (rows, first + O_FRAMES, origin->frames);
  put_text (rows, first + O_BIR_PLACE, origin->bir_place);
  put_text (rows, first + O_PLACE, origin->frame_place);
  if (steps[STRIA_NEFF_LEVEL_FRAMEWORK].name == NULL)
    return STRIA_NTFF_GAP_NAMES;
  return origin->frame_place == NULL ? STRIA_NTFF_GAP_FRAMES : STRIA_NTFF_GAP_NONE;
}

void
stria_ntff_origins_put (StriaNtffOrigins *self, StriaNeuronRows *rows, guint first_column,
                        const StriaNtffCode *code, gint64 compiler_pc)
{
  StriaNtffGap gap = STRIA_NTFF_GAP_PC;
  const StriaNeffListing *listing
      = code != NULL ? stria_ntff_code_listing (code, &gap) : NULL;

  self->n_instructions++;
  if (listing != NULL && compiler_pc >= 0)
    {
      gsize n;
      const guint8 *opcodes = stria_neff_listing_opcodes (listing, &n);

      if (opcodes != NULL && (gsize) compiler_pc < n)
        put_opcode (rows, first_column + O_OPCODE, opcodes[compiler_pc]);
      if (gap == STRIA_NTFF_GAP_NONE)
        gap = put_origin (rows, first_column, find_origin (self, listing, (guint32) compiler_pc));
    }
  else if (gap == STRIA_NTFF_GAP_NONE)
    gap = STRIA_NTFF_GAP_PC;
  self->n_gaps[gap] += gap != STRIA_NTFF_GAP_NONE;
}

/* --- what is missing -------------------------------------------------------------------------- */

static const char *
gap_text (StriaNtffGap gap)
{
  switch (gap)
    {
    case STRIA_NTFF_GAP_PROGRAM:
      return _ ("its program (.neff) is not in the capture: set TORCH_NEURONX_NEFF_CACHE_DIR (or "
                "neff_cache_dir) when capturing, or copy the .neff files into the folder");
    case STRIA_NTFF_GAP_UNREADABLE:
      return _ ("its program (.neff) cannot be read");
    case STRIA_NTFF_GAP_DEBUG:
      return _ ("the program has no debug information: compile with NEURON_FRAMEWORK_DEBUG=1, "
                "XLA_IR_DEBUG=1 and XLA_HLO_DEBUG=1");
    case STRIA_NTFF_GAP_LISTING:
      return _ ("the program's debug information has no list by instruction, and how else the "
                "vendor joins the two is not published; an export to Parquet has the names");
    case STRIA_NTFF_GAP_DIFFERS:
      return _ ("the program's instructions or its list of them are not those that ran; an export "
                "to Parquet has the names");
    case STRIA_NTFF_GAP_PC:
      return _ ("their place in the compiled program is not known: they are the runtime's, of a "
                "function section, or of no known program");
    case STRIA_NTFF_GAP_NAMES:
      return _ ("the debug information leads to no layer, or to several: NEURON_FRAMEWORK_DEBUG=1 "
                "and XLA_IR_DEBUG=1 bring layers");
    case STRIA_NTFF_GAP_FRAMES:
      return _ ("the debug information leads to no source line, or to several: XLA_HLO_DEBUG=1 "
                "brings lines. Those of NKI kernels are in a form that is not published; compile "
                "with NKI_DEBUG_INFO=True and export to Parquet");
    case STRIA_NTFF_GAP_NONE:
    case STRIA_NTFF_N_GAPS:
    default:
      return "";
    }
}

static void
tell (StriaNtffOrigins *self)
{
  StriaDecodeContext *context = self->file->context;
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 n = 0;

  for (guint i = 0; i < STRIA_NTFF_N_GAPS; i++)
    n += self->n_gaps[i];
  if (n == 0)
    return;
  g_string_append_printf (
      text,
      g_dngettext (GETTEXT_PACKAGE,
                   "%" PRIu64 " of %" PRIu64 " instruction lacks its layer or source line",
                   "%" PRIu64 " of %" PRIu64 " instructions lack their layer or source line",
                   self->n_instructions),
      n, self->n_instructions);
  for (guint i = 0; i < STRIA_NTFF_N_GAPS; i++)
    if (self->n_gaps[i] > 0)
      {
        g_string_append (text, "; ");
        /* Translators: a number of instructions, and why they have no names */
        g_string_append_printf (text, _ ("%" PRIu64 ": %s"), self->n_gaps[i], gap_text (i));
      }
  stria_notices_count (context->notices, STRIA_SEVERITY_INFO, "neuron-no-names", context->name, -1,
                       n, text->str);
}

void
stria_ntff_origins_free (StriaNtffOrigins *self)
{
  tell (self);
  for (guint i = 0; i < N_KNOWN; i++)
    stria_neff_origin_clear (&self->known[i].origin);
  g_ptr_array_unref (self->chains);
  g_free (self);
}
