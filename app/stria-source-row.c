/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-row.h"

struct _StriaSourceRow
{
  GObject parent_instance;

  char  *name;
  char  *note;
  char  *path;
  guint  line;
  double value;
};

G_DEFINE_FINAL_TYPE (StriaSourceRow, stria_source_row, G_TYPE_OBJECT)

static void
stria_source_row_finalize (GObject *object)
{
  StriaSourceRow *self = STRIA_SOURCE_ROW (object);

  g_free (self->name);
  g_free (self->note);
  g_free (self->path);
  G_OBJECT_CLASS (stria_source_row_parent_class)->finalize (object);
}

static void
stria_source_row_class_init (StriaSourceRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_source_row_finalize;
}

static void
stria_source_row_init (StriaSourceRow *self)
{
}

StriaSourceRow *
stria_source_row_new (const char *name, const char *note, const char *path, guint line,
                      double value)
{
  StriaSourceRow *self = g_object_new (STRIA_TYPE_SOURCE_ROW, NULL);

  self->name = g_strdup (name);
  self->note = g_strdup (note);
  self->path = g_strdup (path);
  self->line = line;
  self->value = value;
  return self;
}

const char *
stria_source_row_get_name (StriaSourceRow *self)
{
  return self->name;
}

const char *
stria_source_row_get_note (StriaSourceRow *self)
{
  return self->note;
}

const char *
stria_source_row_get_path (StriaSourceRow *self)
{
  return self->path;
}

guint
stria_source_row_get_line (StriaSourceRow *self)
{
  return self->line;
}

double
stria_source_row_get_value (StriaSourceRow *self)
{
  return self->value;
}
