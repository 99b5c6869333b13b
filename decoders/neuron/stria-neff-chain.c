/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neff-chain.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-error.h"
#include "stria-neff-archive.h"
#include "stria-neff-private.h"
#include "stria-unpack.h"

/* Records of one program: each takes some 100 bytes */
#define MAX_RECORDS ((guint64) 32 << 20)
#define ARENA_LIMIT ((gsize) 2 << 30)
#define NO_ENGINE STRIA_NTFF_N_ENGINES

/* A file of a listing: a split one has several, numbered. */
typedef struct
{
  gint64 subgraph;
  guint engine;
  gint64 number; /* -1: it has none */
  guint first;
  guint n;
} Part;

struct _StriaNeffListing
{
  const StriaNeffChain *chain;
  gint64 subgraph;
  guint engine;
  GByteArray *opcodes; /* or NULL */
  GArray *parts;       /* Part, by number */
  guint n;
  gboolean is_odd;
};

struct _StriaNeffChain
{
  char *uuid;
  StriaNeffLevels *levels;
  GArray *parts;       /* Part, as they come */
  GPtrArray *listings; /* StriaNeffListing */
  gint64 last_subgraph;
  guint n_debug_files;
  guint64 n_left;
  guint n_members;
  StriaProtoSchema *schema;
};

static void
listing_free (gpointer data)
{
  StriaNeffListing *self = data;

  g_clear_pointer (&self->opcodes, g_byte_array_unref);
  g_array_unref (self->parts);
  g_free (self);
}

static void
chain_free (StriaNeffChain *self)
{
  g_free (self->uuid);
  stria_neff_levels_free (self->levels);
  g_array_unref (self->parts);
  g_ptr_array_unref (self->listings);
  g_clear_pointer (&self->schema, stria_proto_schema_unref);
  g_free (self);
}

static StriaNeffListing *
find_listing (const StriaNeffChain *self, gint64 subgraph, guint engine)
{
  for (guint i = 0; i < self->listings->len; i++)
    {
      StriaNeffListing *listing = self->listings->pdata[i];

      if (listing->subgraph == subgraph && listing->engine == engine)
        return listing;
    }
  return NULL;
}

static StriaNeffListing *
take_listing (StriaNeffChain *self, gint64 subgraph, guint engine)
{
  StriaNeffListing *listing = find_listing (self, subgraph, engine);

  if (listing != NULL)
    return listing;
  listing = g_new0 (StriaNeffListing, 1);
  listing->chain = self;
  listing->subgraph = subgraph;
  listing->engine = engine;
  listing->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_ptr_array_add (self->listings, listing);
  self->last_subgraph = MAX (self->last_subgraph, subgraph);
  return listing;
}

/* --- members ---------------------------------------------------------------------------------- */

static guint
engine_of (const char *shown)
{
  for (guint e = 0; shown != NULL && e < STRIA_NTFF_N_ENGINES; e++)
    if (g_str_equal (stria_ntff_engine_name (e), shown))
      return e;
  return NO_ENGINE;
}

/* The engine and the number in "debug_info_asm.pe.0.dbg" (recovered) */
static void
parse_name (const char *member, guint *engine, gint64 *number)
{
  static const struct
  {
    const char *word;
    guint engine;
  } words[] = {
    { "pe", STRIA_NTFF_PE },     { "act", STRIA_NTFF_ACT }, { "activation", STRIA_NTFF_ACT },
    { "pool", STRIA_NTFF_POOL }, { "dve", STRIA_NTFF_DVE }, { "sp", STRIA_NTFF_SP },
  };
  g_autofree char *base = g_path_get_basename (member);
  g_auto (GStrv) parts = g_strsplit (base, ".", 8);

  *number = -1;
  for (guint i = 1; parts[0] != NULL && parts[i] != NULL; i++)
    {
      guint64 value;

      if (g_ascii_string_to_unsigned (parts[i], 10, 0, 1 << 20, &value, NULL))
        *number = (gint64) value;
      for (guint w = 0; w < G_N_ELEMENTS (words); w++)
        if (g_ascii_strcasecmp (parts[i], words[w].word) == 0)
          *engine = words[w].engine;
    }
}

static StriaNeffLevel
level_of (const char *member, gboolean *is_known)
{
  static const char *const names[] = { "asm", "bir", "penguin", "hlo", "framework",
                                       "stack_frame_index" };
  const char *name = stria_neff_debug_level (member);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      {
        *is_known = TRUE;
        return (StriaNeffLevel) i;
      }
  *is_known = FALSE;
  return STRIA_NEFF_N_LEVELS;
}

/* What cannot be read of a member is told by the program's own decoder. */
static void
take_debug (StriaNeffChain *self, const char *member, gint64 subgraph, const guint8 *data,
            gsize length)
{
  /* In the message; 4 is the DMA engines. */
  static const guint engines[] = { NO_ENGINE,      STRIA_NTFF_PE,  STRIA_NTFF_ACT, STRIA_NTFF_POOL,
                                   NO_ENGINE,      STRIA_NTFF_DVE, STRIA_NTFF_SP };
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (ARENA_LIMIT);
  Neuroncc__DebugInfo__IrDebugInfo *info;
  gboolean is_known;
  StriaNeffLevel level = level_of (member, &is_known);
  Part part = { .subgraph = subgraph, .engine = NO_ENGINE };

  if (!is_known || stria_unpack_is_packed (data, length))
    return;
  info = stria_proto_unpack (self->schema, &neuroncc__debug_info__ir_debug_info__descriptor, arena,
                             data, length, STRIA_PROTO_DEFAULT, NULL, NULL);
  if (info == NULL)
    return;
  self->n_debug_files++;
  part.first = stria_neff_levels_add (self->levels, level, subgraph, info, &self->n_left);
  if (level != STRIA_NEFF_LEVEL_LISTING)
    return;
  part.n = (guint) MIN (info->n_instructions, G_MAXUINT32);
  parse_name (member, &part.engine, &part.number);
  if (info->has_engine_type && (guint) info->engine_type < G_N_ELEMENTS (engines)
      && engines[info->engine_type] != NO_ENGINE)
    part.engine = engines[info->engine_type];
  if (part.engine != NO_ENGINE && self->n_left > 0)
    g_array_append_val (self->parts, part);
}

static gboolean
on_member (StriaNeffArchive *archive, const char *name, gint64 size, gpointer user_data)
{
  StriaNeffChain *self = user_data;
  gint64 subgraph;
  const char *engine, *why;
  StriaNeffMemberKind kind = stria_neff_member_kind (name, &subgraph, &engine);
  g_autoptr (GByteArray) bytes = NULL;

  if (++self->n_members > STRIA_NEFF_MAX_MEMBERS)
    return FALSE;
  if (kind != STRIA_NEFF_DEBUG && kind != STRIA_NEFF_CODE)
    return TRUE;
  bytes = stria_neff_archive_read (
      archive, kind == STRIA_NEFF_DEBUG ? STRIA_NEFF_MAX_DEBUG : STRIA_NEFF_MAX_CODE, &why);
  if (bytes == NULL)
    return TRUE;
  if (kind == STRIA_NEFF_DEBUG)
    take_debug (self, name, subgraph, bytes->data, bytes->len);
  else if (engine_of (engine) != NO_ENGINE)
    {
      StriaNeffListing *listing = take_listing (self, subgraph, engine_of (engine));

      g_clear_pointer (&listing->opcodes, g_byte_array_unref);
      listing->opcodes = g_byte_array_new ();
      for (gsize at = 0; at + 64 <= bytes->len; at += 64)
        g_byte_array_append (listing->opcodes, bytes->data + at, 1);
    }
  return TRUE;
}

/* --- putting together ------------------------------------------------------------------------- */

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *left = a, *right = b;

  return left->number < right->number ? -1 : left->number > right->number;
}

/* Record i is of instruction i (recovered): the numbers of both have to be the same, and the parts
 * of a split file have to be all there. */
static void
settle (StriaNeffListing *self)
{
  guint n = self->parts->len;

  g_array_sort (self->parts, compare_parts);
  for (guint i = 0; i < n; i++)
    {
      const Part *part = &g_array_index (self->parts, Part, i);

      self->n += part->n;
      self->is_odd |= n > 1 && part->number != (gint64) i;
    }
  self->is_odd |= self->n > 0 && self->opcodes != NULL && self->opcodes->len != self->n;
  if (self->is_odd)
    self->n = 0;
}

static void
put_together (StriaNeffChain *self)
{
  gint64 last;

  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = &g_array_index (self->parts, Part, i);

      /* Ids of the BIR level begin with their subgraph (documented). */
      if (part->subgraph < 0)
        part->subgraph = stria_neff_levels_subgraph (self->levels, part->first, part->n);
      self->last_subgraph = MAX (self->last_subgraph, part->subgraph);
    }
  last = self->last_subgraph;
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = &g_array_index (self->parts, Part, i);

      /* Of which of several it would be is unknown. */
      if (part->subgraph < 0 && last > 0)
        continue;
      part->subgraph = MAX (part->subgraph, 0);
      g_array_append_val (take_listing (self, part->subgraph, part->engine)->parts, *part);
    }
  for (guint i = 0; i < self->listings->len; i++)
    settle (self->listings->pdata[i]);
  stria_neff_levels_seal (self->levels);
}

static StriaNeffChain *
chain_read (StriaArtifact *artifact, GCancellable *cancellable, GError **error)
{
  const char *name = stria_artifact_get_name (artifact);
  g_autoptr (StriaSource) source = stria_source_open_full (
      stria_artifact_get_path (artifact), stria_artifact_get_member (artifact), cancellable, error);
  StriaNeffArchive archive = { .source = source, .cancellable = cancellable };
  StriaNeffChain *self;

  if (source == NULL || !stria_neff_archive_open (&archive, name, error))
    return NULL;
  self = g_new0 (StriaNeffChain, 1);
  self->uuid = g_strdup (archive.header.uuid_text);
  self->levels = stria_neff_levels_new ();
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  self->listings = g_ptr_array_new_with_free_func (listing_free);
  self->n_left = MAX_RECORDS;
  self->schema = stria_proto_schema_get_default ();
  if (!stria_neff_archive_members (&archive, on_member, self, NULL)
      && g_error_matches (archive.error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, archive.error);
      chain_free (self);
      return NULL;
    }
  /* An archive that is cut has given what it had, and its own decoder says that it is cut. */
  g_clear_error (&archive.error);
  put_together (self);
  return self;
}

/* --- shared ----------------------------------------------------------------------------------- */

typedef struct
{
  StriaCapture *capture; /* for its address only */
  guint artifact;
  guint n_users;
  GMutex mutex; /* held while it is read */
  StriaNeffChain *chain;
} Shared;

static GMutex shared_mutex;
static GPtrArray *shared;

/* Under the mutex */
static void
release (Shared *self)
{
  if (--self->n_users > 0)
    return;
  g_ptr_array_remove_fast (shared, self);
  g_clear_pointer (&self->chain, chain_free);
  g_mutex_clear (&self->mutex);
  g_free (self);
  if (shared->len == 0)
    g_clear_pointer (&shared, g_ptr_array_unref);
}

static Shared *
hold (StriaCapture *capture, guint artifact)
{
  Shared *self = NULL;

  g_mutex_lock (&shared_mutex);
  if (shared == NULL)
    shared = g_ptr_array_new ();
  for (guint i = 0; i < shared->len && self == NULL; i++)
    {
      Shared *other = shared->pdata[i];

      if (other->capture == capture && other->artifact == artifact)
        self = other;
    }
  if (self == NULL)
    {
      self = g_new0 (Shared, 1);
      self->capture = capture;
      self->artifact = artifact;
      g_mutex_init (&self->mutex);
      g_ptr_array_add (shared, self);
    }
  self->n_users++;
  g_mutex_unlock (&shared_mutex);
  return self;
}

StriaNeffChain *
stria_neff_chain_open (StriaCapture *capture, guint artifact, GCancellable *cancellable,
                       GError **error)
{
  Shared *self = hold (capture, artifact);
  StriaNeffChain *chain;

  g_mutex_lock (&self->mutex);
  if (self->chain == NULL)
    g_atomic_pointer_set (
        &self->chain,
        chain_read (stria_capture_get_artifact (capture, artifact), cancellable, error));
  chain = self->chain;
  g_mutex_unlock (&self->mutex);
  if (chain == NULL)
    {
      g_mutex_lock (&shared_mutex);
      release (self);
      g_mutex_unlock (&shared_mutex);
    }
  return chain;
}

void
stria_neff_chain_unref (StriaNeffChain *chain)
{
  g_mutex_lock (&shared_mutex);
  for (guint i = 0; i < shared->len; i++)
    if (g_atomic_pointer_get (&((Shared *) shared->pdata[i])->chain) == chain)
      {
        release (shared->pdata[i]);
        break;
      }
  g_mutex_unlock (&shared_mutex);
}

/* --- asking ----------------------------------------------------------------------------------- */

const char *
stria_neff_chain_get_uuid (const StriaNeffChain *self)
{
  return self->uuid;
}

gboolean
stria_neff_chain_has_debug (const StriaNeffChain *self)
{
  return self->n_debug_files > 0;
}

/* "sg00" of a graph's name is what its folder is called; else core n has subgraph n (documented).
 */
const StriaNeffListing *
stria_neff_chain_listing (const StriaNeffChain *self, const char *graph, guint pcore,
                          StriaNtffEngine engine)
{
  g_autofree char *path = g_strconcat (graph != NULL ? graph : "", "/", NULL);
  const char *ignored;
  gint64 subgraph;

  stria_neff_member_kind (path, &subgraph, &ignored);
  return find_listing (self, subgraph >= 0 ? subgraph : pcore, engine);
}

const guint8 *
stria_neff_listing_opcodes (const StriaNeffListing *self, gsize *n)
{
  *n = self->opcodes != NULL ? self->opcodes->len : 0;
  return self->opcodes != NULL ? self->opcodes->data : NULL;
}

guint
stria_neff_listing_size (const StriaNeffListing *self)
{
  return self->n;
}

gboolean
stria_neff_listing_is_odd (const StriaNeffListing *self)
{
  return self->is_odd;
}

gboolean
stria_neff_listing_find (const StriaNeffListing *self, guint32 compiler_pc, StriaNeffOrigin *out)
{
  *out = (StriaNeffOrigin){ 0 };
  if (compiler_pc >= self->n)
    return FALSE;
  for (guint i = 0; i < self->parts->len; i++)
    {
      const Part *part = &g_array_index (self->parts, Part, i);

      if (compiler_pc < part->n)
        return stria_neff_levels_find (self->chain->levels, self->subgraph,
                                       part->first + compiler_pc, out);
      compiler_pc -= part->n;
    }
  return FALSE;
}
