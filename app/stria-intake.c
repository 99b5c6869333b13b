/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-intake.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "stria-archive.h"
#include "stria-scan.h"

/* Files of a folder that are looked at by name before it is looked into */
#define MOST_NAMES 4000
#define MOST_DEPTH 6
/* Of a text that is pasted */
#define MOST_TEXT  (1u << 20)
#define MOST_PATHS 4096

void
stria_intake_free (StriaIntake *self)
{
  g_strfreev (self->paths);
  g_free (self->what);
  g_free (self->reason);
  g_free (self);
}

/* "“trace.json”", or how many. Returns: (transfer full) */
static char *
name_paths (const char *const *paths)
{
  const guint n = g_strv_length ((char **) paths);
  g_autofree char *name = NULL;

  if (n != 1)
    return g_strdup_printf (ngettext ("%u file", "%u files", n), n);
  name = g_filename_display_basename (paths[0]);
  return g_strdup_printf (_ ("“%s”"), name);
}

char *
stria_intake_guess (const char *const *paths, gboolean has_capture)
{
  g_autofree char *name = name_paths (paths);

  /* Translators: files are held over the window; the name of one, or their number */
  return g_strdup_printf (has_capture ? _ ("Drop %s to add, compare or open")
                                      : _ ("Drop to open %s"),
                          name);
}

/* -- names ----------------------------------------------------------------------------------- */

static gboolean
ends_with_any (const char *name, const char *const *endings, guint n)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < n; i++)
    if (g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_source_name (const char *name)
{
  static const char *const endings[]
      = { ".py", ".pyi", ".c",  ".cc", ".cpp", ".cxx", ".cu",   ".cuh", ".h",  ".hh",  ".hpp",
          ".rs", ".go",  ".js", ".ts", ".java", ".kt", ".swift", ".m",  ".mm", ".jl", ".ipynb" };

  return ends_with_any (name, endings, G_N_ELEMENTS (endings));
}

/* Names that files of captures have; those of sources' own data are far rarer. */
static gboolean
is_capture_name (const char *name)
{
  static const char *const endings[]
      = { ".json", ".gz",     ".zst",  ".ntff", ".neff", ".pte", ".etdump", ".etdp", ".etrecord",
          ".vgf",  ".pickle", ".pkl",  ".parquet", ".zip", ".tar", ".tgz",  ".pb",   ".ntrace" };

  return ends_with_any (name, endings, G_N_ELEMENTS (endings));
}

typedef struct
{
  guint n_seen;
  guint n_sources;
  guint n_captures;
} Names;

static void
count_names (const char *path, guint depth, Names *names, GCancellable *cancellable)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      names->n_seen++;
      names->n_sources += is_source_name (path);
      names->n_captures += is_capture_name (path);
      return;
    }
  dir = depth < MOST_DEPTH ? g_dir_open (path, 0, NULL) : NULL;
  while (dir != NULL && names->n_seen < MOST_NAMES && !g_cancellable_is_cancelled (cancellable)
         && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = NULL;

      if (*name == '.')
        continue;
      child = g_build_filename (path, name, NULL);
      count_names (child, depth + 1, names, cancellable);
    }
}

static gboolean
is_below (const char *path, const char *folder)
{
  const gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static gboolean
are_open (const char *const *paths, const char *const *open_paths)
{
  for (guint i = 0; paths[i] != NULL; i++)
    {
      gboolean is_open = FALSE;

      for (guint j = 0; open_paths[j] != NULL && !is_open; j++)
        is_open = is_below (paths[i], open_paths[j]);
      if (!is_open)
        return FALSE;
    }
  return TRUE;
}

/* Whether all of @paths lie where the capture lies */
static gboolean
are_beside (const char *const *paths, const char *const *open_paths)
{
  g_autofree char *folder = g_path_get_dirname (open_paths[0]);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *own = g_path_get_dirname (paths[i]);

      if (!g_str_equal (own, folder))
        return FALSE;
    }
  return TRUE;
}

/* -- contents -------------------------------------------------------------------------------- */

/* What kinds of files a capture has, by what they are for */
enum
{
  HAS_TRACE = 1 << 0,
  HAS_SNAPSHOT = 1 << 1,
  HAS_NTFF = 1 << 2,
  HAS_NEFF = 1 << 3,
  HAS_NEURON = 1 << 4, /* tables, and what was recorded beside raw files */
  HAS_PTE = 1 << 5,
  HAS_ETDUMP = 1 << 6,
  HAS_ETRECORD = 1 << 7,
  HAS_VGF = 1 << 8,
};

static const struct
{
  const char *kind;
  guint       has;
} kinds[] = {
  { "pytorch-trace", HAS_TRACE },       { "perfetto", HAS_TRACE },
  { "pytorch-snapshot", HAS_SNAPSHOT }, { "pytorch-snapshot-json", HAS_SNAPSHOT },
  { "neuron-ntff", HAS_NTFF },          { "neuron-neff", HAS_NEFF },
  { "pte", HAS_PTE },                   { "etdump", HAS_ETDUMP },
  { "etrecord", HAS_ETRECORD },         { "vgf", HAS_VGF },
};

static guint
kinds_of (StriaCapture *capture)
{
  guint has = 0;

  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);
      const char *kind = stria_artifact_get_kind (artifact);
      guint own = HAS_NEURON;

      if (kind == NULL || stria_artifact_get_state (artifact) == STRIA_ARTIFACT_UNKNOWN)
        continue;
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        if (g_str_equal (kind, kinds[k].kind))
          own = kinds[k].has;
      has |= own;
    }
  return has;
}

/* What a capture that has @open lacks, and @brought is all of. Returns: (nullable): text to translate */
static const char *
missing_part (guint open, guint brought)
{
  const guint model = HAS_PTE | HAS_ETDUMP | HAS_ETRECORD | HAS_VGF;
  const struct
  {
    guint       part;
    guint       of;
    const char *text;
  } parts[] = {
    { HAS_NEFF, HAS_NTFF | HAS_NEURON, N_ ("Add the program of these profiles: %s") },
    { HAS_NTFF, HAS_NEFF, N_ ("Add profiles of this program: %s") },
    { HAS_PTE, model, N_ ("Add the program of this model: %s") },
    { HAS_ETDUMP, model, N_ ("Add the measurements of this model: %s") },
    { HAS_ETRECORD, model, N_ ("Add the record of this model: %s") },
    { HAS_VGF, model, N_ ("Add the graph of this model: %s") },
    { HAS_SNAPSHOT, HAS_TRACE, N_ ("Add the memory snapshot: %s") },
    { HAS_TRACE, HAS_SNAPSHOT, N_ ("Add the trace of this memory: %s") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (brought == parts[i].part && (open & brought) == 0 && (open & parts[i].of) != 0)
      return parts[i].text;
  return NULL;
}

/* @format: with one "%s" for what was brought */
static void
say (StriaIntake *self, StriaIntakeVerdict verdict, const char *format)
{
  g_autofree char *name = name_paths ((const char *const *) self->paths);
  const char *place = strstr (format, "%s");

  self->verdict = verdict;
  g_free (self->what);
  self->what = place != NULL ? g_strdup_printf ("%.*s%s%s", (int) (place - format), format, name,
                                                place + 2)
                             : g_strdup (format);
}

static void
refuse (StriaIntake *self, const char *reason)
{
  g_free (self->reason);
  self->reason = g_strdup (reason);
  say (self, STRIA_INTAKE_REFUSED, _ ("Stria cannot read %s"));
}

/* The first path that is not there. Returns: (transfer full) (nullable) */
static char *
find_missing (const char *const *paths)
{
  for (guint i = 0; paths[i] != NULL; i++)
    {
      GStatBuf info;
      g_autofree char *shown = NULL;

      if (g_stat (paths[i], &info) == 0)
        continue;
      shown = g_filename_display_name (paths[i]);
      return g_strdup_printf ("%s: %s", shown, g_strerror (errno));
    }
  return NULL;
}

/* Archives whose names of members are those of source code */
static gboolean
are_archives (const char *const *paths)
{
  for (guint i = 0; paths[i] != NULL; i++)
    if (!stria_archive_is_named (paths[i]))
      return FALSE;
  return TRUE;
}

static gboolean
has_source_members (StriaCapture *capture)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    if (is_source_name (stria_artifact_get_name (stria_capture_get_artifact (capture, i))))
      return TRUE;
  return FALSE;
}

static void
judge (StriaIntake *self, StriaCapture *found, StriaCapture *capture,
       const char *const *open_paths, gboolean has_sources)
{
  const char *const *paths = (const char *const *) self->paths;
  const guint brought = kinds_of (found);
  const guint open = capture != NULL ? kinds_of (capture) : 0;
  const char *part = missing_part (open, brought);

  if (brought == 0 && capture != NULL
      && (has_sources || (are_archives (paths) && has_source_members (found))))
    say (self, STRIA_INTAKE_SOURCES, _ ("Look for source code in %s"));
  else if (brought == 0)
    refuse (self, _ ("It holds nothing of a kind that Stria knows."));
  else if (capture == NULL)
    say (self, STRIA_INTAKE_OPEN, _ ("Open %s"));
  else if (part != NULL)
    say (self, STRIA_INTAKE_ADD, _ (part));
  else
    {
      self->may_compare = (brought & open & ~(guint) (HAS_NEFF | HAS_SNAPSHOT)) != 0;
      self->same_folder = are_beside (paths, open_paths);
      say (self, STRIA_INTAKE_ASK,
           self->may_compare ? _ ("Compare %s, or add it to this capture")
                             : _ ("Add %s to this capture, or open it"));
    }
}

StriaIntake *
stria_intake_look (const char *const *paths, StriaCapture *capture,
                   const char *const *open_paths, GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaIntake) self = g_new0 (StriaIntake, 1);
  g_autofree char *missing = find_missing (paths);
  g_autoptr (StriaCapture) found = NULL;
  g_autoptr (GError) own = NULL;
  Names names = { 0 };

  self->paths = g_strdupv ((char **) paths);
  if (missing != NULL)
    {
      refuse (self, missing);
      return g_steal_pointer (&self);
    }
  if (capture != NULL && are_open (paths, open_paths))
    {
      say (self, STRIA_INTAKE_ALREADY, _ ("%s is part of this capture already"));
      return g_steal_pointer (&self);
    }
  for (guint i = 0; paths[i] != NULL; i++)
    count_names (paths[i], 0, &names, cancellable);
  if (capture != NULL && names.n_sources > 0 && names.n_captures * 20 < names.n_sources)
    {
      say (self, STRIA_INTAKE_SOURCES, _ ("Look for source code in %s"));
      return g_steal_pointer (&self);
    }
  found = stria_scan (paths, cancellable, &own);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (found == NULL)
    refuse (self, own->message);
  else
    judge (self, found, capture, open_paths, names.n_sources > 0);
  return g_steal_pointer (&self);
}

/* -- on a worker ----------------------------------------------------------------------------- */

typedef struct
{
  char        **paths;
  char        **open_paths;
  StriaCapture *capture;
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;

  g_strfreev (look->paths);
  g_strfreev (look->open_paths);
  g_clear_object (&look->capture);
  g_free (look);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Look *look = task_data;
  GError *error = NULL;
  StriaIntake *intake
      = stria_intake_look ((const char *const *) look->paths, look->capture,
                           (const char *const *) look->open_paths, cancellable, &error);

  if (intake == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, intake, (GDestroyNotify) stria_intake_free);
}

void
stria_intake_look_async (const char *const *paths, StriaCapture *capture,
                         const char *const *open_paths, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Look *look = g_new0 (Look, 1);

  look->paths = g_strdupv ((char **) paths);
  look->open_paths = g_strdupv ((char **) open_paths);
  g_set_object (&look->capture, capture);
  g_task_set_source_tag (task, stria_intake_look_async);
  g_task_set_task_data (task, look, look_free);
  g_task_run_in_thread (task, look_in_thread);
}

StriaIntake *
stria_intake_look_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* -- texts ----------------------------------------------------------------------------------- */

/* Returns: (transfer full) (nullable): NULL: it is no path */
static char *
path_of_line (char *line)
{
  const gsize length = strlen (line);

  if (length >= 2 && (line[0] == '"' || line[0] == '\'') && line[length - 1] == line[0])
    {
      line[length - 1] = '\0';
      line++;
    }
  if (g_ascii_strncasecmp (line, "file:", 5) == 0)
    return g_filename_from_uri (line, NULL, NULL);
  if (line[0] == '~' && line[1] == '/')
    return g_build_filename (g_get_home_dir (), line + 2, NULL);
  return g_path_is_absolute (line) ? g_strdup (line) : NULL;
}

char **
stria_intake_paths_of_text (const char *text)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  if (strlen (text) > MOST_TEXT)
    return NULL;
  lines = g_strsplit (text, "\n", MOST_PATHS + 2);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *path = NULL;

      g_strstrip (lines[i]);
      /* Comments of lists of URIs; and what file managers put before theirs */
      if (lines[i][0] == '\0' || lines[i][0] == '#'
          || (n == 0 && (g_str_equal (lines[i], "copy") || g_str_equal (lines[i], "cut"))))
        continue;
      path = path_of_line (lines[i]);
      if (path == NULL || ++n > MOST_PATHS)
        return NULL;
      g_strv_builder_add (paths, path);
    }
  return n > 0 ? g_strv_builder_end (paths) : NULL;
}
