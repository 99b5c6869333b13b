/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-artifact.h"

enum
{
  PROP_0,
  PROP_PATH,
  PROP_NAME,
  PROP_KIND,
  PROP_STATE,
  PROP_REASON,
  PROP_SIZE,
  PROP_FRACTION,
  N_PROPS,
};

struct _StriaArtifact
{
  GObject  parent_instance;

  /* Set once, before anybody else sees the object */
  char    *path;
  char    *member;
  char    *name;
  guint64  size;
  gint64   mtime_ns;

  GMutex             lock;
  const char        *kind;  /* interned: readers keep the pointer without the lock */
  const char        *title; /* interned */
  StriaArtifactState state;
  char              *reason;
  const char        *digest;
  GPtrArray         *retired_digests; /* since readers may still hold the pointer */
  guint64            n_events;
  double             fraction;

  guint    changed; /* bit 1 << PROP_x: "notify" is due */
  GSource *source;  /* the idle source that will emit it; owned */
};

G_DEFINE_FINAL_TYPE (StriaArtifact, stria_artifact, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
emit_changed (StriaArtifact *self)
{
  guint changed;

  g_mutex_lock (&self->lock);
  changed = self->changed;
  self->changed = 0;
  g_mutex_unlock (&self->lock);

  g_object_freeze_notify (G_OBJECT (self));
  for (guint prop = PROP_0 + 1; prop < N_PROPS; prop++)
    {
      if (changed & (1u << prop))
        g_object_notify_by_pspec (G_OBJECT (self), properties[prop]);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

static gboolean
emit_changed_idle (gpointer data)
{
  g_autoptr (StriaArtifact) self = g_weak_ref_get (data);

  if (self != NULL)
    {
      g_mutex_lock (&self->lock);
      g_clear_pointer (&self->source, g_source_unref);
      g_mutex_unlock (&self->lock);
      emit_changed (self);
    }
  return G_SOURCE_REMOVE;
}

static void
weak_box_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* Takes the lock and leaves it unlocked. A source rather than g_main_context_invoke(), which would
 * run the handlers right here, on a worker, while nobody runs the main context; and a weak
 * reference, since then nobody will ever dispatch the source. */
static void
unlock_and_notify (StriaArtifact *self, guint changed)
{
  gboolean now = g_main_context_is_owner (g_main_context_default ());

  self->changed |= changed;
  if (!now && self->changed != 0 && self->source == NULL)
    {
      GWeakRef *box = g_new0 (GWeakRef, 1);

      g_weak_ref_init (box, self);
      self->source = g_idle_source_new ();
      g_source_set_priority (self->source, G_PRIORITY_DEFAULT);
      g_source_set_static_name (self->source, "[stria] artifact notify");
      g_source_set_callback (self->source, emit_changed_idle, box, weak_box_free);
      g_source_attach (self->source, NULL);
    }
  g_mutex_unlock (&self->lock);

  if (now)
    emit_changed (self);
}

static void
stria_artifact_finalize (GObject *object)
{
  StriaArtifact *self = STRIA_ARTIFACT (object);

  if (self->source != NULL)
    {
      g_source_destroy (self->source);
      g_source_unref (self->source);
    }
  g_free (self->path);
  g_free (self->member);
  g_free (self->name);
  g_free (self->reason);
  g_ptr_array_unref (self->retired_digests);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (stria_artifact_parent_class)->finalize (object);
}

static void
stria_artifact_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StriaArtifact *self = STRIA_ARTIFACT (object);

  switch (prop_id)
    {
    case PROP_PATH:
      g_value_set_string (value, self->path);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_KIND:
      g_value_set_string (value, stria_artifact_get_kind (self));
      break;
    case PROP_STATE:
      g_value_set_uint (value, stria_artifact_get_state (self));
      break;
    case PROP_REASON:
      g_value_take_string (value, stria_artifact_dup_reason (self));
      break;
    case PROP_SIZE:
      g_value_set_uint64 (value, self->size);
      break;
    case PROP_FRACTION:
      g_value_set_double (value, stria_artifact_get_fraction (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stria_artifact_class_init (StriaArtifactClass *klass)
{
  GObjectClass    *object_class = G_OBJECT_CLASS (klass);
  GParamFlags      flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->finalize = stria_artifact_finalize;
  object_class->get_property = stria_artifact_get_property;

  properties[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, flags);
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  properties[PROP_KIND] = g_param_spec_string ("kind", NULL, NULL, NULL, flags);
  properties[PROP_STATE] = g_param_spec_uint ("state", NULL, NULL, STRIA_ARTIFACT_WAITING,
                                              STRIA_ARTIFACT_CANCELLED, STRIA_ARTIFACT_WAITING,
                                              flags);
  properties[PROP_REASON] = g_param_spec_string ("reason", NULL, NULL, NULL, flags);
  properties[PROP_SIZE] = g_param_spec_uint64 ("size", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  properties[PROP_FRACTION] = g_param_spec_double ("fraction", NULL, NULL, 0, 1, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
stria_artifact_init (StriaArtifact *self)
{
  g_mutex_init (&self->lock);
  self->digest = "";
  self->retired_digests = g_ptr_array_new_with_free_func (g_free);
}

/**
 * stria_artifact_new:
 * @path: the file on disk
 * @member: (nullable): path inside it when it is an archive
 * @name: path relative to the capture's root, for people
 * @size: bytes on disk, or in the archive
 * @mtime_ns: nanoseconds since the epoch
 *
 * Returns: (transfer full): an artifact of state %STRIA_ARTIFACT_WAITING and no kind
 */
StriaArtifact *
stria_artifact_new (const char *path,
                    const char *member,
                    const char *name,
                    guint64     size,
                    gint64      mtime_ns)
{
  StriaArtifact *self;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  self = g_object_new (STRIA_TYPE_ARTIFACT, NULL);
  self->path = g_strdup (path);
  self->member = g_strdup (member);
  self->name = g_strdup (name);
  self->size = size;
  self->mtime_ns = mtime_ns;
  return self;
}

const char *
stria_artifact_get_path (StriaArtifact *self)
{
  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), NULL);

  return self->path;
}

/**
 * stria_artifact_get_member:
 *
 * Returns: (transfer none) (nullable): path inside the archive, or NULL for a plain file
 */
const char *
stria_artifact_get_member (StriaArtifact *self)
{
  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), NULL);

  return self->member;
}

const char *
stria_artifact_get_name (StriaArtifact *self)
{
  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), NULL);

  return self->name;
}

guint64
stria_artifact_get_size (StriaArtifact *self)
{
  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), 0);

  return self->size;
}

gint64
stria_artifact_get_mtime (StriaArtifact *self)
{
  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), 0);

  return self->mtime_ns;
}

/**
 * stria_artifact_get_kind:
 *
 * Returns: (transfer none) (nullable): stable short name of the decoder that takes it, or NULL.
 *   Valid for the life of the program. Any thread.
 */
const char *
stria_artifact_get_kind (StriaArtifact *self)
{
  const char *kind;

  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), NULL);

  g_mutex_lock (&self->lock);
  kind = self->kind;
  g_mutex_unlock (&self->lock);
  return kind;
}

/**
 * stria_artifact_get_title:
 *
 * Returns: (transfer none) (nullable): translated title of the kind, or NULL. Valid for the life of
 *   the program. Any thread.
 */
const char *
stria_artifact_get_title (StriaArtifact *self)
{
  const char *title;

  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), NULL);

  g_mutex_lock (&self->lock);
  title = self->title;
  g_mutex_unlock (&self->lock);
  return title;
}

/**
 * stria_artifact_set_kind:
 * @kind: (nullable): stable short name of a decoder
 * @title: (nullable): translated title of the kind
 *
 * Any thread.
 */
void
stria_artifact_set_kind (StriaArtifact *self, const char *kind, const char *title)
{
  guint changed = 0;

  g_return_if_fail (STRIA_IS_ARTIFACT (self));

  kind = g_intern_string (kind);
  title = g_intern_string (title);

  g_mutex_lock (&self->lock);
  if (self->kind != kind || self->title != title)
    changed = 1u << PROP_KIND;
  self->kind = kind;
  self->title = title;
  unlock_and_notify (self, changed);
}

StriaArtifactState
stria_artifact_get_state (StriaArtifact *self)
{
  StriaArtifactState state;

  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), STRIA_ARTIFACT_UNKNOWN);

  g_mutex_lock (&self->lock);
  state = self->state;
  g_mutex_unlock (&self->lock);
  return state;
}

/**
 * stria_artifact_dup_reason:
 *
 * Returns: (transfer full) (nullable): translated sentence that says why the artifact is in its
 *   state, or NULL. Any thread.
 */
char *
stria_artifact_dup_reason (StriaArtifact *self)
{
  char *reason;

  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), NULL);

  g_mutex_lock (&self->lock);
  reason = g_strdup (self->reason);
  g_mutex_unlock (&self->lock);
  return reason;
}

/**
 * stria_artifact_set_state:
 * @state: the new state
 * @reason: (nullable): translated sentence that says why
 *
 * Any thread; handlers of "notify" run on the main context.
 */
void
stria_artifact_set_state (StriaArtifact *self, StriaArtifactState state, const char *reason)
{
  guint            changed = 0;
  g_autofree char *valid = NULL;

  g_return_if_fail (STRIA_IS_ARTIFACT (self));

  if (reason != NULL)
    valid = g_utf8_make_valid (reason, -1);

  g_mutex_lock (&self->lock);
  if (self->state != state)
    changed |= 1u << PROP_STATE;
  if (g_strcmp0 (self->reason, valid) != 0)
    changed |= 1u << PROP_REASON;
  self->state = state;
  g_free (self->reason);
  self->reason = g_steal_pointer (&valid);
  unlock_and_notify (self, changed);
}

/**
 * stria_artifact_get_digest:
 *
 * Returns: (transfer none): hexadecimal digest; empty until the scan has set it. Valid as long as
 *   the artifact. Any thread.
 */
const char *
stria_artifact_get_digest (StriaArtifact *self)
{
  const char *digest;

  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), NULL);

  g_mutex_lock (&self->lock);
  digest = self->digest;
  g_mutex_unlock (&self->lock);
  return digest;
}

void
stria_artifact_set_digest (StriaArtifact *self, const char *digest)
{
  char *copy;

  g_return_if_fail (STRIA_IS_ARTIFACT (self));
  g_return_if_fail (digest != NULL);

  copy = g_strdup (digest);

  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->retired_digests, copy);
  self->digest = copy;
  g_mutex_unlock (&self->lock);
}

guint64
stria_artifact_get_n_events (StriaArtifact *self)
{
  guint64 n;

  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), 0);

  g_mutex_lock (&self->lock);
  n = self->n_events;
  g_mutex_unlock (&self->lock);
  return n;
}

void
stria_artifact_set_n_events (StriaArtifact *self, guint64 n)
{
  g_return_if_fail (STRIA_IS_ARTIFACT (self));

  g_mutex_lock (&self->lock);
  self->n_events = n;
  g_mutex_unlock (&self->lock);
}

double
stria_artifact_get_fraction (StriaArtifact *self)
{
  double fraction;

  g_return_val_if_fail (STRIA_IS_ARTIFACT (self), 0);

  g_mutex_lock (&self->lock);
  fraction = self->fraction;
  g_mutex_unlock (&self->lock);
  return fraction;
}

/**
 * stria_artifact_set_fraction:
 * @fraction: how much of it has been read, 0..1; clamped
 *
 * Any thread; handlers of "notify::fraction" run on the main context.
 */
void
stria_artifact_set_fraction (StriaArtifact *self, double fraction)
{
  guint changed = 0;

  g_return_if_fail (STRIA_IS_ARTIFACT (self));

  fraction = CLAMP (fraction, 0.0, 1.0);

  g_mutex_lock (&self->lock);
  if (self->fraction != fraction)
    changed = 1u << PROP_FRACTION;
  self->fraction = fraction;
  unlock_and_notify (self, changed);
}

/**
 * stria_artifact_state_name:
 *
 * Returns: (transfer none): the stable, untranslated name of @state for machines
 */
const char *
stria_artifact_state_name (StriaArtifactState state)
{
  switch (state)
    {
    case STRIA_ARTIFACT_WAITING:
      return "waiting";
    case STRIA_ARTIFACT_IMPORTING:
      return "importing";
    case STRIA_ARTIFACT_IMPORTED:
      return "imported";
    case STRIA_ARTIFACT_EMPTY:
      return "empty";
    case STRIA_ARTIFACT_UNREADABLE:
      return "unreadable";
    case STRIA_ARTIFACT_REFUSED:
      return "refused";
    case STRIA_ARTIFACT_ALIKE:
      return "alike";
    case STRIA_ARTIFACT_CANCELLED:
      return "cancelled";
    case STRIA_ARTIFACT_UNKNOWN:
    default:
      return "unknown";
    }
}
