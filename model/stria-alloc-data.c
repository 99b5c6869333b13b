/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-alloc-private.h"
#include "stria-color.h"

StriaSnapshotData *
stria_snapshot_data_new (guint32 artifact, StriaStrings *strings)
{
  StriaSnapshotData *self = g_new0 (StriaSnapshotData, 1);

  g_atomic_ref_count_init (&self->refs);
  self->artifact = artifact;
  self->strings = stria_strings_ref (strings);
  self->devices = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_allocator_free);
  return self;
}

StriaSnapshotData *
stria_snapshot_data_ref (StriaSnapshotData *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_snapshot_data_unref (StriaSnapshotData *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->devices);
  g_clear_pointer (&self->frames, g_array_unref);
  g_clear_pointer (&self->stack_begin, g_array_unref);
  g_clear_pointer (&self->stack_frames, g_array_unref);
  g_clear_pointer (&self->other, g_hash_table_unref);
  g_free (self->noise);
  g_free (self->stack_labels);
  g_free (self->frame_argb[0]);
  g_free (self->frame_argb[1]);
  g_free (self->settings);
  stria_strings_unref (self->strings);
  g_free (self);
}

/* Frames that are machinery (formats: A3.3). The reference viewer matches parts of names and so
 * hides "train_start" with "_start": whole names are matched here where they are whole. */
static gboolean
is_noise (const char *name, const char *filename)
{
  static const char *const parts_of_name[]
      = { "unwind::unwind", "CapturedTraceback::gather", "gather_with_cpp" };
  static const char *const whole_names[] = { "_start", "__libc_start_main", "__libc_start_call_main",
                                             "__libc_init_first", "__clone", "clone3",
                                             /* What the starts of threads are taken for where
                                              * libraries have no symbols of their own */
                                             "pthread_condattr_setpshared",
                                             "std::error_code::default_error_condition() const" };
  static const char *const name_prefixes[] = { "PyEval_", "_PyEval_", "PyObject_", "_PyObject_",
                                               "PyFunction_", "_PyFunction_" };
  static const char *const parts_of_file[]
      = { "core/boxing",          "/Register",           "/Redispatch",        "pythonrun.c",
          "Modules/main.c",       "Objects/call.c",      "Objects/methodobject.c",
          "pycore_ceval.h",       "ceval.c",             "cpython/abstract.h" };

  /* The interpreter's own functions, where only the symbol is known */
  if ((filename[0] == '\0' || strcmp (filename, "??") == 0)
      && (g_str_has_prefix (name, "Py") || g_str_has_prefix (name, "_Py")))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (parts_of_name); i++)
    if (strstr (name, parts_of_name[i]) != NULL)
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (whole_names); i++)
    if (strcmp (name, whole_names[i]) == 0)
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (name_prefixes); i++)
    if (g_str_has_prefix (name, name_prefixes[i]))
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (parts_of_file); i++)
    if (strstr (filename, parts_of_file[i]) != NULL)
      return TRUE;
  return FALSE;
}

static int
compare_devices (gconstpointer a, gconstpointer b)
{
  const StriaAllocator *x = *(StriaAllocator *const *) a, *y = *(StriaAllocator *const *) b;

  if (x->n_events != y->n_events)
    return x->n_events > y->n_events ? -1 : 1;
  if (x->is_host != y->is_host)
    return x->is_host - y->is_host;
  return x->device < y->device ? -1 : x->device > y->device;
}

void
stria_snapshot_data_finish (StriaSnapshotData *self, StriaNotices *notices, const char *file)
{
  self->noise = g_new0 (guint8, MAX (self->frames->len, 1));
  for (guint i = 0; i < self->frames->len; i++)
    {
      const StriaAllocFrame *frame = &g_array_index (self->frames, StriaAllocFrame, i);
      self->noise[i] = is_noise (stria_strings_get (self->strings, frame->name),
                                 stria_strings_get (self->strings, frame->filename));
    }
  self->stack_labels = g_new0 (guint32, self->stack_begin->len);
  for (guint i = 0; i < G_N_ELEMENTS (self->frame_argb); i++)
    self->frame_argb[i] = g_new0 (guint32, MAX (self->frames->len, 1));
  for (guint i = 0; i < self->devices->len; i++)
    stria_allocator_finish (self->devices->pdata[i], notices, file);
  g_ptr_array_sort (self->devices, compare_devices);
}

guint
stria_snapshot_get_n_devices (StriaSnapshotData *self)
{
  return self->devices->len;
}

StriaAllocator *
stria_snapshot_get_device (StriaSnapshotData *self, guint i)
{
  g_return_val_if_fail (i < self->devices->len, NULL);
  return self->devices->pdata[i];
}

const char *
stria_snapshot_get_settings (StriaSnapshotData *self)
{
  return self->settings;
}

GHashTable *
stria_snapshot_get_other (StriaSnapshotData *self)
{
  return self->other;
}

StriaStrings *
stria_snapshot_get_strings (StriaSnapshotData *self)
{
  return self->strings;
}

const char *
stria_snapshot_get_string (StriaSnapshotData *self, guint32 id)
{
  return stria_strings_get (self->strings, id);
}

guint32
stria_snapshot_get_artifact (StriaSnapshotData *self)
{
  return self->artifact;
}

guint32
stria_snapshot_get_n_frames (StriaSnapshotData *self)
{
  return self->frames->len;
}

const StriaAllocFrame *
stria_snapshot_get_frame (StriaSnapshotData *self, guint32 frame)
{
  g_return_val_if_fail (frame < self->frames->len, NULL);
  return &g_array_index (self->frames, StriaAllocFrame, frame);
}

guint32
stria_snapshot_get_n_stacks (StriaSnapshotData *self)
{
  return self->stack_begin->len - 1;
}

const guint32 *
stria_snapshot_get_stack (StriaSnapshotData *self, guint32 stack, guint32 *n)
{
  *n = 0;
  if (stack >= stria_snapshot_get_n_stacks (self))
    return NULL;
  guint64 begin = g_array_index (self->stack_begin, guint64, stack);
  *n = (guint32) (g_array_index (self->stack_begin, guint64, stack + 1) - begin);
  return (const guint32 *) self->stack_frames->data + begin;
}

char *
stria_snapshot_frame_text (StriaSnapshotData *self, guint32 frame)
{
  const StriaAllocFrame *f = stria_snapshot_get_frame (self, frame);
  const char *name = stria_snapshot_get_string (self, f->name);
  const char *file = stria_snapshot_get_string (self, f->filename);

  /* C++ frames have no file: "??" and line 0 say nothing. */
  if (file[0] == '\0' || strcmp (file, "??") == 0)
    return g_strdup (name);
  if (f->line == STRIA_LINE_UNKNOWN)
    return g_strdup_printf ("%s:%s", file, name);
  return g_strdup_printf ("%s:%" G_GUINT64_FORMAT ":%s", file, f->line, name);
}

gboolean
stria_snapshot_frame_is_noise (StriaSnapshotData *self, guint32 frame)
{
  return frame < self->frames->len && self->noise[frame];
}

/* Operators that only make room for what another one needs. */
static gboolean
is_operator (const char *name)
{
  return g_str_has_prefix (name, "at::_ops::") && strstr (name, "::call(") != NULL
         && !g_str_has_prefix (name, "at::_ops::empty") && !g_str_has_prefix (name, "at::_ops::new_");
}

static gboolean
is_graph_node (const char *name)
{
  return g_str_has_prefix (name, "torch::autograd::") && strstr (name, "::apply(") != NULL;
}

/* A stack is known by its innermost line of Python: the frames inside it are the allocator's own and
 * the same for all. A backward pass runs without Python: it is known by the node of the graph, or by
 * the operator. Else by the innermost frame that is no noise. */
static guint32
find_label (StriaSnapshotData *self, guint32 stack)
{
  guint32 n, plain = G_MAXUINT32, node = G_MAXUINT32, operator = G_MAXUINT32;
  const guint32 *frames = stria_snapshot_get_stack (self, stack, &n);

  for (guint32 i = 0; i < n; i++)
    {
      const StriaAllocFrame *frame = &g_array_index (self->frames, StriaAllocFrame, frames[i]);
      if (self->noise[frames[i]])
        continue;
      if (g_str_has_suffix (stria_strings_get (self->strings, frame->filename), ".py"))
        return frames[i];
      if (plain == G_MAXUINT32)
        plain = frames[i];
      const char *name = stria_strings_get (self->strings, frame->name);
      if (node == G_MAXUINT32 && is_graph_node (name))
        node = frames[i];
      if (operator == G_MAXUINT32 && is_operator (name))
        operator = frames[i];
    }
  if (node != G_MAXUINT32)
    return node;
  if (operator != G_MAXUINT32)
    return operator;
  return plain != G_MAXUINT32 || n == 0 ? plain : frames[0];
}

guint32
stria_snapshot_stack_label (StriaSnapshotData *self, guint32 stack)
{
  guint32 known;

  if (stack >= stria_snapshot_get_n_stacks (self))
    return G_MAXUINT32;
  known = __atomic_load_n (&self->stack_labels[stack], __ATOMIC_RELAXED);
  if (known == 0)
    {
      known = find_label (self, stack) + 2;
      __atomic_store_n (&self->stack_labels[stack], known, __ATOMIC_RELAXED);
    }
  return known - 2;
}

guint32
stria_snapshot_frame_argb (StriaSnapshotData *self, guint32 frame, gboolean dark)
{
  guint32 *known = &self->frame_argb[dark ? 1 : 0][frame];
  const guint32 argb = stria_color_kept (known);
  g_autofree char *text = NULL;

  if (argb != 0)
    return argb;
  text = stria_snapshot_frame_text (self, frame);
  return stria_color_keep (known, stria_color_argb (stria_color_for_name (text, dark)));
}
