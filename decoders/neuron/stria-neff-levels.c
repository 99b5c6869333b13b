/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neff-levels.h"

#include <inttypes.h>
#include <string.h>

/* Records of one level that one instruction may come to; fusions are of some tens. */
#define MAX_SET 256

typedef struct
{
  guint64 id;
  gint64 subgraph;
  guint64 first_parent;
  guint32 n_parents;
  guint32 frame;
  guint16 index; /* call frames that @frame is one of, NO_INDEX: those of the program */
  guint8 parent_level;
  gboolean is_several; /* others of the same id say something else */
  const char *name;
} Record;

#define NO_INDEX G_MAXUINT16

typedef struct
{
  char **places; /* by frame, from 1: "file:line", or NULL */
  guint n;
} Index;

struct _StriaNeffLevels
{
  GArray *records[STRIA_NEFF_N_LEVELS]; /* Record; those above the listing sorted once sealed */
  GArray *parents;                      /* guint64 */
  GPtrArray *indexes;                   /* Index */
  guint n_shared;                       /* indexes in files of their own, and the last of them */
  guint shared;
  GStringChunk *names;
};

static void
index_free (gpointer data)
{
  Index *self = data;

  for (guint i = 0; i < self->n; i++)
    g_free (self->places[i]);
  g_free (self->places);
  g_free (self);
}

StriaNeffLevels *
stria_neff_levels_new (void)
{
  StriaNeffLevels *self = g_new0 (StriaNeffLevels, 1);

  for (guint i = 0; i < STRIA_NEFF_N_LEVELS; i++)
    self->records[i] = g_array_new (FALSE, FALSE, sizeof (Record));
  self->parents = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->indexes = g_ptr_array_new_with_free_func (index_free);
  self->names = g_string_chunk_new (1 << 16);
  return self;
}

void
stria_neff_levels_free (StriaNeffLevels *self)
{
  for (guint i = 0; i < STRIA_NEFF_N_LEVELS; i++)
    g_array_unref (self->records[i]);
  g_array_unref (self->parents);
  g_ptr_array_unref (self->indexes);
  g_string_chunk_free (self->names);
  g_free (self);
}

void
stria_neff_origin_clear (StriaNeffOrigin *self)
{
  g_clear_pointer (&self->frames, g_free);
  g_clear_pointer (&self->bir_place, g_free);
  g_clear_pointer (&self->frame_place, g_free);
}

/* --- taking ----------------------------------------------------------------------------------- */

/* Ids count from 1, 0 is none (documented). */
static Index *
index_new (const Neuroncc__DebugInfo__DebugInfoStackFrameIndex *from)
{
  Index *self = g_new0 (Index, 1);

  self->n = (guint) MIN (from->n_stack_frames, G_MAXUINT32);
  self->places = g_new0 (char *, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    {
      guint64 at = (guint64) from->stack_frames[i]->file_location_id, file;
      gint64 line;

      if (at == 0 || at > from->n_file_locations)
        continue;
      file = (guint64) from->file_locations[at - 1]->file_name_id;
      line = (gint64) from->file_locations[at - 1]->line;
      if (file == 0 || file > from->n_file_names || from->file_names[file - 1][0] == '\0'
          || line <= 0)
        continue;
      self->places[i] = g_strdup_printf ("%s:%" PRId64, from->file_names[file - 1], line);
    }
  return self;
}

/* The level whose ids a file's parents are: the next one, unless the file names another's. */
static guint8
parent_level (StriaNeffLevel level, const char *parent)
{
  static const struct
  {
    const char *word;
    StriaNeffLevel level;
  } words[] = {
    { "backend", STRIA_NEFF_LEVEL_BIR },     { "penguin", STRIA_NEFF_LEVEL_PENGUIN },
    { "hlo", STRIA_NEFF_LEVEL_HLO },         { "framework", STRIA_NEFF_LEVEL_FRAMEWORK },
    { "pttf", STRIA_NEFF_LEVEL_FRAMEWORK },
  };
  const char *at = parent != NULL ? strstr (parent, "debug_info") : NULL;

  for (guint i = 0; at != NULL && i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (at + MIN (strlen (at), strlen ("debug_info_")), words[i].word)
        && words[i].level > level)
      return (guint8) words[i].level;
  return (guint8) (level + 1);
}

guint
stria_neff_levels_add (StriaNeffLevels *self, StriaNeffLevel level, gint64 subgraph,
                       const Neuroncc__DebugInfo__IrDebugInfo *info, guint64 *n_left)
{
  GArray *records = level < STRIA_NEFF_N_LEVELS ? self->records[level] : NULL;
  guint first = records != NULL ? records->len : 0;
  guint16 index = NO_INDEX;

  if (info->stack_frame_index != NULL && self->indexes->len < NO_INDEX)
    {
      index = (guint16) self->indexes->len;
      g_ptr_array_add (self->indexes, index_new (info->stack_frame_index));
      self->n_shared += records == NULL;
      if (records == NULL)
        self->shared = index;
    }
  for (size_t i = 0; records != NULL && i < info->n_instructions && *n_left > 0; i++, --*n_left)
    {
      const Neuroncc__DebugInfo__InstructionDebugInfo *from = info->instructions[i];
      Record record = {
        .id = from->id,
        .subgraph = subgraph,
        .first_parent = self->parents->len,
        .n_parents = (guint32) MIN (from->n_parent_ids, MAX_SET),
        .frame = (guint32) MIN (from->stack_frame_id, G_MAXUINT32),
        .index = index,
        .parent_level = parent_level (level, info->parent_debug_info_filename),
      };

      if (level != STRIA_NEFF_LEVEL_LISTING && from->name != NULL && from->name[0] != '\0')
        record.name = g_string_chunk_insert_const (self->names, from->name);
      if (record.n_parents > 0)
        g_array_append_vals (self->parents, from->parent_ids, record.n_parents);
      g_array_append_val (records, record);
    }
  return first;
}

static int
compare_records (gconstpointer a, gconstpointer b)
{
  const Record *left = a, *right = b;

  if (left->subgraph != right->subgraph)
    return left->subgraph < right->subgraph ? -1 : 1;
  return left->id < right->id ? -1 : left->id > right->id;
}

static gboolean
is_same (const StriaNeffLevels *self, const Record *a, const Record *b)
{
  const guint64 *parents = (const guint64 *) self->parents->data;

  return a->name == b->name && a->frame == b->frame && a->index == b->index
         && a->n_parents == b->n_parents && a->parent_level == b->parent_level
         && (a->n_parents == 0
             || memcmp (parents + a->first_parent, parents + b->first_parent,
                        a->n_parents * sizeof *parents)
                    == 0);
}

void
stria_neff_levels_seal (StriaNeffLevels *self)
{
  for (guint level = STRIA_NEFF_LEVEL_BIR; level < STRIA_NEFF_N_LEVELS; level++)
    {
      GArray *records = self->records[level];
      guint kept = 0;

      g_array_sort (records, compare_records);
      for (guint i = 0; i < records->len; i++)
        {
          Record *record = &g_array_index (records, Record, i);
          Record *before = kept > 0 ? &g_array_index (records, Record, kept - 1) : NULL;

          if (before != NULL && compare_records (before, record) == 0)
            before->is_several |= !is_same (self, before, record);
          else
            g_array_index (records, Record, kept++) = *record;
        }
      g_array_set_size (records, kept);
    }
}

guint64
stria_neff_levels_size (const StriaNeffLevels *self)
{
  guint64 n = self->indexes->len;

  for (guint level = STRIA_NEFF_LEVEL_BIR; level < STRIA_NEFF_N_LEVELS; level++)
    n += self->records[level]->len;
  return n;
}

gint64
stria_neff_levels_subgraph (const StriaNeffLevels *self, guint first, guint n)
{
  gint64 subgraph = -1;

  for (guint i = first; i < first + n; i++)
    {
      const Record *record = &g_array_index (self->records[0], Record, i);

      for (guint p = 0; p < record->n_parents; p++)
        {
          guint64 id = g_array_index (self->parents, guint64, record->first_parent + p);
          gint64 mine = (gint64) (id >> 48);

          if (subgraph >= 0 && subgraph != mine)
            return -1;
          subgraph = mine;
        }
    }
  return subgraph;
}

/* --- finding ---------------------------------------------------------------------------------- */

static const Record *
find_in (const GArray *records, gint64 subgraph, guint64 id)
{
  Record wanted = { .id = id, .subgraph = subgraph };
  guint at;

  if (!g_array_binary_search ((GArray *) records, &wanted, compare_records, &at))
    return NULL;
  return &g_array_index (records, Record, at);
}

/* Of two records of one id that differ, neither is taken. */
static const Record *
find_record (const StriaNeffLevels *self, guint level, gint64 subgraph, guint64 id)
{
  const Record *record = find_in (self->records[level], subgraph, id);

  if (record == NULL && subgraph >= 0)
    record = find_in (self->records[level], -1, id);
  return record != NULL && !record->is_several ? record : NULL;
}

static void
add_to_set (GPtrArray *set, const Record *record)
{
  if (set->len < MAX_SET && !g_ptr_array_find (set, record, NULL))
    g_ptr_array_add (set, (gpointer) record);
}

/* Frames count in the file's own index, else in the one that is a file of its own, or the only one
 * that the program has. */
static const char *
place_of (const StriaNeffLevels *self, const Record *record)
{
  guint index = record->index != NO_INDEX ? record->index : self->n_shared == 1 ? self->shared : 0;
  const Index *frames;

  if (record->frame == 0
      || (record->index == NO_INDEX && self->n_shared != 1 && self->indexes->len != 1))
    return NULL;
  frames = self->indexes->pdata[index];
  return record->frame <= frames->n ? frames->places[record->frame - 1] : NULL;
}

/* "[4, 7]" as exports write such lists. @place: (out): of all of them, or NULL */
static char *
frames_of (const StriaNeffLevels *self, const GPtrArray *set, const char **place)
{
  g_autoptr (GString) text = g_string_new ("[");
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean is_several = FALSE;

  *place = NULL;
  for (guint i = 0; i < set->len; i++)
    {
      const Record *record = set->pdata[i];
      const char *mine = place_of (self, record);
      gboolean is_known = record->frame == 0;

      for (guint k = 0; k < seen->len; k++)
        is_known |= g_array_index (seen, guint32, k) == record->frame;
      if (mine != NULL)
        {
          is_several |= *place != NULL && !g_str_equal (*place, mine);
          *place = mine;
        }
      if (is_known)
        continue;
      g_string_append_printf (text, "%s%u", seen->len > 0 ? ", " : "", record->frame);
      g_array_append_val (seen, record->frame);
    }
  if (is_several)
    *place = NULL;
  if (seen->len == 0)
    return NULL;
  g_string_append_c (text, ']');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
take_step (const GPtrArray *set, StriaNeffStep *out)
{
  out->n = set->len;
  for (guint i = 0; i < set->len; i++)
    {
      const Record *record = set->pdata[i];

      if (i == 0)
        {
          out->id = record->id;
          out->name = record->name;
        }
      else if (out->name != record->name)
        out->name = NULL;
    }
}

gboolean
stria_neff_levels_find (const StriaNeffLevels *self, gint64 subgraph, guint number,
                        StriaNeffOrigin *out)
{
  GPtrArray *sets[STRIA_NEFF_N_LEVELS];
  gboolean any = FALSE;

  *out = (StriaNeffOrigin){ 0 };
  for (guint i = 0; i < STRIA_NEFF_N_LEVELS; i++)
    sets[i] = g_ptr_array_new ();
  g_ptr_array_add (sets[0], &g_array_index (self->records[0], Record, number));
  for (guint level = 0; level < STRIA_NEFF_N_LEVELS; level++)
    {
      for (guint i = 0; i < sets[level]->len && level + 1 < STRIA_NEFF_N_LEVELS; i++)
        {
          const Record *record = sets[level]->pdata[i];

          for (guint p = 0; p < record->n_parents; p++)
            {
              guint64 id = g_array_index (self->parents, guint64, record->first_parent + p);
              const Record *parent = find_record (self, record->parent_level, subgraph, id);

              if (parent != NULL)
                add_to_set (sets[record->parent_level], parent);
            }
        }
      if (level == STRIA_NEFF_LEVEL_LISTING)
        continue;
      take_step (sets[level], &out->steps[level]);
      any |= sets[level]->len > 0;
      if (out->frames == NULL)
        {
          const char *place;

          out->frames = frames_of (self, sets[level], &place);
          out->frame_place = g_strdup (place);
          if (level == STRIA_NEFF_LEVEL_BIR)
            out->bir_place = g_strdup (place);
        }
    }
  for (guint i = 0; i < STRIA_NEFF_N_LEVELS; i++)
    g_ptr_array_unref (sets[i]);
  return any;
}
