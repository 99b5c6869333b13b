/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profiles-findings.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-neuron-agreement.h"
#include "stria-neuron-quality.h"

static void
finding_free (gpointer data)
{
  StriaFinding *self = data;

  g_free (self->title);
  g_free (self->facts);
  g_free (self->remedy);
  g_free (self->tooltip);
  g_free (self);
}

static StriaFinding *
finding_new (GPtrArray *all, guint group, guint parent, const char *icon, char *title)
{
  StriaFinding *self = g_new0 (StriaFinding, 1);

  self->group = group;
  self->parent = parent;
  self->icon = icon;
  self->title = title;
  g_ptr_array_add (all, self);
  return self;
}

static void
add_quality (GPtrArray *all, StriaCapture *capture, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) rows = stria_neuron_quality (capture, cancellable);

  for (guint i = 0; i < rows->len; i++)
    {
      const StriaQuality *row = rows->pdata[i];
      guint group = row->artifact == G_MAXUINT
                        ? 0
                        : stria_capture_tree_of (stria_capture_get_tree (capture), row->artifact);
      StriaFinding *finding = finding_new (
          all, group == STRIA_NO_GROUP ? 0 : group, G_MAXUINT,
          row->severity == STRIA_SEVERITY_INFO ? "dialog-information-symbolic"
                                               : "dialog-warning-symbolic",
          g_strdup (row->text));

      if (row->remedy != NULL)
        finding->remedy = g_strdup_printf ("→ %s", row->remedy);
      finding->tooltip = g_strdup (row->source);
    }
}

static gboolean
agrees (const StriaAgreement *row)
{
  return row->n_raw == row->n_exported && row->span_raw_ns == row->span_exported_ns;
}

/* Of numbers of instructions */
static char *
difference (guint64 raw, guint64 exported)
{
  g_autofree char *count
      = stria_format_count (exported > raw ? exported - raw : raw - exported);

  if (raw == exported)
    return g_strdup (_ ("the same"));
  if (exported > raw)
    return g_strdup_printf (_ ("%s more in the export"), count);
  return g_strdup_printf (_ ("%s fewer in the export"), count);
}

static void
add_engine (GPtrArray *all, const StriaAgreement *row, guint parent)
{
  g_autofree char *raw = stria_format_count (row->n_raw);
  g_autofree char *exported = stria_format_count (row->n_exported);
  g_autofree char *change = difference (row->n_raw, row->n_exported);
  g_autofree char *engine = g_strdup (row->engine[0] != '\0' ? row->engine : _ ("no engine"));
  StriaFinding *finding;

  engine[0] = g_ascii_toupper (engine[0]);
  finding = finding_new (all, row->exported_group, parent,
                         agrees (row) ? "emblem-ok-symbolic" : "dialog-warning-symbolic",
                         g_strdup_printf ("%s: %s", engine, change));
  finding->facts = g_strdup_printf (_ ("Instructions: %s raw, %s exported"), raw, exported);
  finding->tooltip = g_strdup (_ ("Rows of Instruction of this engine in each of the two"));
}

/* The engines of a pair are those before its whole. */
static void
add_pair (GPtrArray *all, GPtrArray *rows, guint first, guint whole)
{
  const StriaAgreement *row = rows->pdata[whole];
  g_autofree char *raw = stria_format_count (row->n_raw);
  g_autofree char *exported = stria_format_count (row->n_exported);
  g_autofree char *raw_time = stria_format_duration (row->span_raw_ns, 6);
  g_autofree char *exported_time = stria_format_duration (row->span_exported_ns, 6);
  gboolean same = agrees (row);
  guint number = all->len;
  StriaFinding *finding;

  for (guint i = first; i < whole; i++)
    same &= agrees (rows->pdata[i]);
  finding = finding_new (
      all, row->exported_group, G_MAXUINT, same ? "emblem-ok-symbolic" : "dialog-warning-symbolic",
      g_strdup_printf (same ? _ ("Agrees with %s") : _ ("Differs from %s"), row->raw));
  finding->facts = g_strdup_printf (
      _ ("Instructions: %s raw, %s exported · time: %s raw, %s exported"), raw, exported, raw_time,
      exported_time);
  if (!row->by_name)
    finding->remedy = g_strdup (_ ("Both are the only ones here; no name says that one was made from "
                                   "the other"));
  else if (!same)
    finding->remedy
        = g_strdup (_ ("→ Trust the export: the raw format is recovered and not published. “stria-cli "
                       "check FILE --wire” makes a report without the data"));
  finding->tooltip = g_strdup (_ ("Rows of Instruction in each of the two, and the time from its first "
                                  "start to its last end"));
  for (guint i = first; i < whole; i++)
    add_engine (all, rows->pdata[i], number);
}

static void
find_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  StriaCapture *capture = task_data;
  GPtrArray *all = g_ptr_array_new_with_free_func (finding_free);
  g_autoptr (GPtrArray) rows = stria_neuron_agreement (capture, cancellable);
  guint first = 0;

  for (guint i = 0; i < rows->len; i++)
    if (((StriaAgreement *) rows->pdata[i])->engine == NULL)
      {
        add_pair (all, rows, first, i);
        first = i + 1;
      }
  add_quality (all, capture, cancellable);
  g_task_return_pointer (task, all, (GDestroyNotify) g_ptr_array_unref);
}

void
stria_profiles_find (StriaCapture *capture, GCancellable *cancellable, GAsyncReadyCallback callback,
                     gpointer user_data)
{
  /* Not the source object: a task, and that with it, may die on its worker. */
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, stria_profiles_find);
  g_task_set_task_data (task, g_object_ref (capture), g_object_unref);
  g_task_run_in_thread (task, find_in_thread);
}

GPtrArray *
stria_profiles_find_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
