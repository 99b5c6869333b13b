/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-coloring-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Shares of its time that an instruction waited: upper bounds of the steps, and colours from "went
 * at once" to "did little but wait". */
static const struct
{
  double      up_to;
  const char *text;
  guint32     light;
  guint32     dark;
} stalls[STRIA_COLORING_N_STALLS] = {
  { 0.0, N_ ("no wait"), 0xff8fb8a8, 0xff3d6b5c },
  { 0.1, N_ ("waits up to 10 %"), 0xffd9cf7a, 0xff7d7533 },
  { 0.5, N_ ("waits 10 to 50 %"), 0xfff0b35a, 0xffb27a22 },
  { 0.9, N_ ("waits 50 to 90 %"), 0xffe8814a, 0xffc9602a },
  { 2.0, N_ ("waits over 90 %"), 0xffd1495b, 0xffd04a55 },
};

#define NEUTRAL_LIGHT 0xffc3c5cau
#define NEUTRAL_DARK  0xff5b5e66u

static Key *
key_at (StriaColoring *self, guint32 key)
{
  return &self->chunks[key / STRIA_COLORING_CHUNK][key % STRIA_COLORING_CHUNK];
}

static guint32
add_key (StriaColoring *self, const char *text, gsize length, guint32 light, guint32 dark)
{
  const guint32 key = self->n_keys;
  Key *k = NULL;

  if (key % STRIA_COLORING_CHUNK == 0)
    self->chunks[key / STRIA_COLORING_CHUNK] = g_new0 (Key, STRIA_COLORING_CHUNK);
  k = key_at (self, key);
  k->text = g_strndup (text, length);
  k->argb[0] = light;
  k->argb[1] = dark;
  g_hash_table_insert (self->by_text, k->text, GUINT_TO_POINTER (key));
  g_atomic_int_inc ((gint *) &self->n_keys);
  return key;
}

guint32
stria_coloring_key_for (StriaColoring *self, const char *text, gsize length)
{
  g_autofree char *copy = g_strndup (text, length);
  gpointer found = NULL;

  if (length == 0)
    return STRIA_COLOR_KEY_NONE;
  if (g_hash_table_lookup_extended (self->by_text, copy, NULL, &found))
    return GPOINTER_TO_UINT (found);
  if (self->n_keys >= STRIA_COLORING_MOST_KEYS)
    return STRIA_COLOR_KEY_NONE;
  return add_key (self, copy, length, stria_color_argb (stria_color_for_name (copy, FALSE)),
                  stria_color_argb (stria_color_for_name (copy, TRUE)));
}

guint32
stria_coloring_stall (gint64 wait, gint64 duration)
{
  double share = 0;

  if (wait > 0)
    share = (double) wait / ((double) wait + (double) MAX (duration, 0));
  for (guint i = 0; i < STRIA_COLORING_N_STALLS; i++)
    if (share <= stalls[i].up_to)
      return i + 1;
  return STRIA_COLORING_N_STALLS;
}

gsize
stria_coloring_layer (const char *path, gsize length, guint depth)
{
  gsize i = 0;

  if (depth == 0)
    return length;
  /* A slash in front begins the path and is no step of it. */
  while (i < length && path[i] == '/')
    i++;
  for (guint step = 0; i < length; i++)
    if (path[i] == '/' && ++step == depth)
      return i;
  return length;
}

const char *
stria_coloring_operator (const char *path, gsize *length)
{
  gsize end = *length;
  gsize begin = 0;

  while (end > 0 && path[end - 1] == '/')
    end--;
  begin = end;
  while (begin > 0 && path[begin - 1] != '/')
    begin--;
  *length = end - begin;
  return path + begin;
}

/* An engine is the same on both cores: lanes of tables by the first part of their key. */
static guint32
lane_key (StriaColoring *self, StriaLane *lane)
{
  const char *key = stria_lane_table_key (lane);
  const char *name = stria_lane_get_name (lane);
  gsize length = strcspn (key, "\x1f");

  if (*key == '\0' || length == 0 || stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    return stria_coloring_key_for (self, name, strlen (name));
  return stria_coloring_key_for (self, key, length);
}

static void
make_fixed_keys (StriaColoring *self)
{
  const guint32 n = stria_trace_get_n_lanes (self->trace);

  if (self->by == STRIA_COLOR_BY_LANE)
    {
      self->fixed = g_new (guint32, n + 1);
      for (guint32 i = 0; i < n; i++)
        self->fixed[i] = lane_key (self, stria_trace_get_lane (self->trace, i));
    }
  if (self->by == STRIA_COLOR_BY_CATEGORY)
    {
      const guint32 n_categories = stria_trace_get_n_categories (self->trace);

      self->categories = g_new (guint32, n_categories + 1);
      for (guint32 i = 0; i < n_categories; i++)
        {
          const char *text = stria_trace_get_category (self->trace, i);

          self->categories[i] = stria_coloring_key_for (self, text, strlen (text));
        }
    }
  if (self->by == STRIA_COLOR_BY_STALL)
    for (guint i = 0; i < STRIA_COLORING_N_STALLS; i++)
      add_key (self, _ (stalls[i].text), strlen (_ (stalls[i].text)), stalls[i].light,
               stalls[i].dark);
}

/**
 * stria_coloring_new:
 * @by: anything but %STRIA_COLOR_BY_NAME, which needs no keys
 *
 * Returns: (transfer full): a colouring; that by lane or category is complete
 */
StriaColoring *
stria_coloring_new (StriaTrace *trace, StriaColorBy by, guint depth)
{
  StriaColoring *self = g_new0 (StriaColoring, 1);

  g_atomic_ref_count_init (&self->refs);
  self->trace = stria_trace_ref (trace);
  self->by = by;
  self->depth = depth;
  self->by_text = g_hash_table_new (g_str_hash, g_str_equal);
  self->n_lanes = stria_trace_get_n_lanes (trace);
  self->lane_source = g_new0 (ColorSource *, self->n_lanes + 1);
  self->lane_events = g_new0 (guint32 *, self->n_lanes + 1);
  self->sources = g_ptr_array_new_with_free_func (stria_coloring_source_free);
  add_key (self, "", 0, NEUTRAL_LIGHT, NEUTRAL_DARK);
  make_fixed_keys (self);
  stria_coloring_find_sources (self);
  self->loaded = self->sources->len == 0 && by != STRIA_COLOR_BY_OPERATOR;
  return self;
}

StriaColoring *
stria_coloring_ref (StriaColoring *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_coloring_unref (StriaColoring *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_hash_table_unref (self->by_text);
  for (guint32 i = 0; i < self->n_keys; i++)
    g_free (key_at (self, i)->text);
  for (guint i = 0; i < G_N_ELEMENTS (self->chunks); i++)
    g_free (self->chunks[i]);
  for (guint32 i = 0; i < self->n_lanes; i++)
    g_free (self->lane_events[i]);
  g_free (self->lane_events);
  g_free (self->lane_source);
  g_ptr_array_unref (self->sources);
  g_free (self->fixed);
  g_free (self->categories);
  stria_trace_unref (self->trace);
  g_free (self);
}

StriaColorBy
stria_coloring_get_by (StriaColoring *self)
{
  return self->by;
}

guint
stria_coloring_get_depth (StriaColoring *self)
{
  return self->depth;
}

StriaTrace *
stria_coloring_get_trace (StriaColoring *self)
{
  return self->trace;
}

gboolean
stria_coloring_is_loaded (StriaColoring *self)
{
  return g_atomic_int_get (&self->loaded);
}

void
stria_coloring_lane (StriaColoring *self, guint32 lane, StriaColorLane *out)
{
  *out = (StriaColorLane){ .fixed = STRIA_COLOR_KEY_NONE };
  if (lane >= self->n_lanes)
    return;
  if (self->fixed != NULL)
    out->fixed = self->fixed[lane];
  out->categories = self->categories;
  out->events = g_atomic_pointer_get (&self->lane_events[lane]);
  if (self->lane_source[lane] != NULL)
    {
      out->rows = g_atomic_pointer_get (&self->lane_source[lane]->keys);
      out->n_rows = self->lane_source[lane]->n_rows;
    }
}

guint32
stria_coloring_argb (StriaColoring *self, guint32 key, gboolean dark)
{
  if (key >= (guint32) g_atomic_int_get ((gint *) &self->n_keys))
    key = STRIA_COLOR_KEY_NONE;
  return key_at (self, key)->argb[dark ? 1 : 0];
}

const char *
stria_coloring_text (StriaColoring *self, guint32 key)
{
  if (key >= (guint32) g_atomic_int_get ((gint *) &self->n_keys))
    return "";
  return key_at (self, key)->text;
}

guint32
stria_coloring_n_keys (StriaColoring *self)
{
  return (guint32) g_atomic_int_get ((gint *) &self->n_keys);
}
