/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-session-marks.h"

#define KEY "stria-session-marks"
/* While a capture is being read its trace is another every moment; looking through it can wait. */
#define DELAY_MS 400

typedef struct
{
  StriaSession     *session; /* owns this */
  StriaAnnotations *annotations;
  StriaRegions     *regions;
  StriaWarnings    *warnings;
  guint             timeout;
} Marks;

static void
marks_free (gpointer data)
{
  Marks *self = data;

  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->regions != NULL)
    stria_regions_set_trace (self->regions, NULL);
  if (self->warnings != NULL)
    stria_warnings_set_trace (self->warnings, NULL);
  g_clear_object (&self->annotations);
  g_clear_object (&self->regions);
  g_clear_object (&self->warnings);
  g_free (self);
}

static gboolean
on_timeout (gpointer data)
{
  Marks *self = data;
  StriaTrace *trace = stria_session_get_trace (self->session);

  self->timeout = 0;
  if (self->regions != NULL)
    stria_regions_set_trace (self->regions, trace);
  if (self->warnings != NULL)
    stria_warnings_set_trace (self->warnings, trace);
  return G_SOURCE_REMOVE;
}

static void
look_soon (Marks *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add (DELAY_MS, on_timeout, self);
}

static void
on_trace_changed (StriaSession *session, gpointer data)
{
  look_soon (data);
}

static Marks *
marks_of (StriaSession *session)
{
  Marks *self = g_object_get_data (G_OBJECT (session), KEY);

  if (self != NULL)
    return self;
  self = g_new0 (Marks, 1);
  self->session = session;
  g_signal_connect (session, "trace-changed", G_CALLBACK (on_trace_changed), self);
  g_object_set_data_full (G_OBJECT (session), KEY, self, marks_free);
  return self;
}

StriaAnnotations *
stria_session_get_annotations (StriaSession *session)
{
  Marks *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = marks_of (session);
  if (self->annotations == NULL)
    self->annotations = stria_annotations_get (stria_session_get_capture (session));
  return self->annotations;
}

StriaRegions *
stria_session_get_regions (StriaSession *session)
{
  Marks *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = marks_of (session);
  if (self->regions == NULL)
    {
      StriaCapture *capture = stria_session_get_capture (session);
      g_autofree char *identity = stria_annotations_identity (capture);
      g_autofree char *name = g_strconcat (identity, ".json", NULL);
      g_autofree char *path
          = g_build_filename (g_get_user_data_dir (), "stria", "regions", name, NULL);

      self->regions = stria_regions_new (path);
      look_soon (self);
    }
  return self->regions;
}

StriaWarnings *
stria_session_get_warnings (StriaSession *session)
{
  Marks *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = marks_of (session);
  if (self->warnings == NULL)
    {
      self->warnings = stria_warnings_new (stria_session_get_capture (session));
      look_soon (self);
    }
  return self->warnings;
}
