/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-text.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "stria-format.h"

/* A function of C++ without its arguments and the namespaces that say nothing. */
static char *
short_name (const char *name)
{
  static const char *const dull[] = { "torch::autograd::generated::", "torch::autograd::", "at::_ops::",
                                      "at::native::", "c10::cuda::CUDACachingAllocator::Native::" };
  const char *arguments;

  if (strstr (name, "::") == NULL)
    return g_strdup (name);
  for (guint i = 0; i < G_N_ELEMENTS (dull); i++)
    if (g_str_has_prefix (name, dull[i]))
      {
        name += strlen (dull[i]);
        break;
      }
  arguments = strstr (name, "(anonymous namespace)::");
  if (arguments != NULL)
    name = arguments + strlen ("(anonymous namespace)::");
  arguments = strchr (name, '(');
  if (arguments == NULL || arguments == name)
    return g_strdup (name);
  return g_strndup (name, (gsize) (arguments - name));
}

char *
stria_alloc_frame_short (StriaSnapshotData *snapshot, guint32 frame)
{
  const StriaAllocFrame *f;
  const char *file, *slash;
  g_autofree char *name = NULL;

  if (frame >= stria_snapshot_get_n_frames (snapshot))
    return g_strdup (_ ("no stack recorded"));
  f = stria_snapshot_get_frame (snapshot, frame);
  file = stria_snapshot_get_string (snapshot, f->filename);
  slash = strrchr (file, '/');
  name = short_name (stria_snapshot_get_string (snapshot, f->name));
  if (*file == '\0' || strcmp (file, "??") == 0)
    return g_steal_pointer (&name);
  if (f->line == STRIA_LINE_UNKNOWN || f->line == 0)
    return g_strdup_printf ("%s %s", slash != NULL ? slash + 1 : file, name);
  return g_strdup_printf ("%s:%" G_GUINT64_FORMAT " %s", slash != NULL ? slash + 1 : file, f->line,
                          name);
}

char *
stria_alloc_function_short (StriaSnapshotData *snapshot, guint32 name, guint32 filename)
{
  const char *file = stria_snapshot_get_string (snapshot, filename);
  const char *slash = strrchr (file, '/');
  g_autofree char *function = short_name (stria_snapshot_get_string (snapshot, name));

  if (*file == '\0' || strcmp (file, "??") == 0)
    return g_steal_pointer (&function);
  return g_strdup_printf ("%s %s", slash != NULL ? slash + 1 : file, function);
}

char *
stria_alloc_stack_short (StriaSnapshotData *snapshot, guint32 stack)
{
  return stria_alloc_frame_short (snapshot, stria_snapshot_stack_label (snapshot, stack));
}

char *
stria_alloc_address_text (guint64 address, guint32 version)
{
  /* Translators: an address, and how many blocks were freed there before */
  return version > 0 ? g_strdup_printf (_ ("0x%" PRIx64 ", version %u"), address, version)
                     : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
}

char *
stria_alloc_exact_bytes (guint64 bytes)
{
  g_autofree char *size = stria_format_bytes ((gint64) MIN (bytes, G_MAXINT64));
  g_autofree char *count = stria_format_count (bytes);

  if (bytes < 1024)
    return g_steal_pointer (&size);
  /* Translators: a size with its unit, then the exact number of bytes */
  return g_strdup_printf (_ ("%s (%s bytes)"), size, count);
}

char *
stria_alloc_step_text (StriaAllocator *allocator, guint32 step)
{
  if (stria_allocator_has_times (allocator))
    return stria_format_time ((stria_allocator_step_time_us (allocator, step)
                               - stria_allocator_step_time_us (allocator, 0))
                                  * 1000,
                              1000);
  return stria_format_count (step);
}

char *
stria_alloc_stream_text (StriaAllocator *allocator, guint16 stream)
{
  guint64 handle = stria_allocator_get_stream (allocator, stream);

  if (handle == 0)
    return g_strdup (_ ("0 (default)"));
  return g_strdup_printf ("%u (0x%" G_GINT64_MODIFIER "x)", stream, handle);
}

char *
stria_alloc_pool_text (StriaAllocator *allocator, guint16 pool)
{
  guint64 id = stria_allocator_get_pool (allocator, pool);

  if (id == STRIA_NO_POOL)
    return g_strdup (_ ("not known"));
  if (id == 0)
    return g_strdup (_ ("default"));
  return g_strdup_printf (_ ("private (%u, %u)"), (guint) (id >> 32), (guint) (id & G_MAXUINT32));
}

char *
stria_alloc_private_pool_text (StriaAllocator *allocator, guint pool, guint32 step)
{
  StriaPrivatePool band;
  guint64 id;
  g_autofree char *bytes = NULL;

  stria_allocator_get_private_pool (allocator, pool, step, &band);
  id = stria_allocator_get_pool (allocator, band.pool);
  bytes = stria_format_bytes ((gint64) band.height);
  /* Translators: the two numbers of a pool, the number of a stream, bytes */
  return g_strdup_printf (_ ("Pool (%u, %u) · stream %u · %s"), (guint) (id >> 32),
                          (guint) (id & G_MAXUINT32), band.stream, bytes);
}

char *
stria_alloc_lifetime_text (StriaAllocator *allocator, const StriaElement *element)
{
  g_autofree char *steps = NULL;
  g_autofree char *time = NULL;
  guint32 birth = element->birth == STRIA_NO_EVENT ? 0 : element->birth;
  guint32 death = element->death == STRIA_NO_EVENT ? stria_allocator_get_n_events (allocator)
                                                   : element->death;
  guint32 lived = death - MIN (birth, death);

  steps = stria_format_count (lived);
  if (!stria_allocator_has_times (allocator) || stria_allocator_get_n_events (allocator) == 0)
    return g_strdup_printf (ngettext ("%s action", "%s actions", lived), steps);
  time = stria_format_duration ((stria_allocator_step_time_us (
                                     allocator, MIN (death + 1,
                                                     stria_allocator_get_n_events (allocator)))
                                 - stria_allocator_step_time_us (
                                     allocator, element->birth == STRIA_NO_EVENT ? 0 : birth + 1))
                                    * 1000,
                                4);
  /* Translators: a duration, and a number of allocator actions */
  return g_strdup_printf (ngettext ("%s, %s action", "%s, %s actions", lived), time, steps);
}

const char *
stria_alloc_element_state (const StriaElement *element, guint32 step)
{
  if (element->birth != STRIA_NO_EVENT && element->birth >= step)
    return _ ("not yet allocated");
  if (element->death != STRIA_NO_EVENT && element->death < step)
    return _ ("freed");
  if (element->request != STRIA_NO_EVENT && element->request < step)
    return _ ("waiting for its free to complete");
  return _ ("allocated");
}

const char *
stria_alloc_action_title (StriaAllocAction action)
{
  static const char *const titles[STRIA_N_ALLOC_ACTIONS] = {
    [STRIA_ALLOC_ALLOC] = N_ ("Allocate"),
    [STRIA_ALLOC_FREE_REQUESTED] = N_ ("Free requested"),
    [STRIA_ALLOC_FREE_COMPLETED] = N_ ("Free completed"),
    [STRIA_ALLOC_SEGMENT_ALLOC] = N_ ("Segment allocated"),
    [STRIA_ALLOC_SEGMENT_FREE] = N_ ("Segment freed"),
    [STRIA_ALLOC_SEGMENT_MAP] = N_ ("Segment mapped"),
    [STRIA_ALLOC_SEGMENT_UNMAP] = N_ ("Segment unmapped"),
    [STRIA_ALLOC_SNAPSHOT] = N_ ("Snapshot"),
    [STRIA_ALLOC_OOM] = N_ ("Out of memory"),
    [STRIA_ALLOC_ANNOTATE] = N_ ("Annotation"),
    [STRIA_ALLOC_USER_DEFINED] = N_ ("User mark"),
    [STRIA_ALLOC_OTHER] = N_ ("Other"),
  };

  return action < STRIA_N_ALLOC_ACTIONS ? _ (titles[action]) : "?";
}
