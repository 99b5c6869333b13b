/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-work.h"

#include <glib/gi18n-lib.h>

#include "stria-error.h"

StriaSummaryRequest *
stria_summary_request_copy (const StriaSummaryRequest *self)
{
  StriaSummaryRequest *copy = g_memdup2 (self, sizeof *self);

  g_object_ref (copy->capture);
  if (copy->trace != NULL)
    stria_trace_ref (copy->trace);
  if (copy->lanes != NULL)
    g_array_ref (copy->lanes);
  return copy;
}

void
stria_summary_request_free (StriaSummaryRequest *self)
{
  g_clear_object (&self->capture);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_clear_pointer (&self->lanes, g_array_unref);
  g_free (self);
}

static StriaSummaryScope *
make_scope (const StriaSummaryRequest *request, GPtrArray *tables, gint64 core,
            GCancellable *cancellable, GError **error)
{
  const guint32 *lanes = request->lanes != NULL ? (const guint32 *) request->lanes->data : NULL;

  return stria_summary_scope_new (tables, request->trace,
                                  request->has_range ? &request->t0 : NULL,
                                  request->has_range ? &request->t1 : NULL, lanes,
                                  request->lanes != NULL ? request->lanes->len : 0, core,
                                  cancellable, error);
}

static gboolean
make_device (StriaSummaryFigures *self, const StriaSummaryRequest *request,
             GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) tables
      = stria_neuron_summary_tables (request->capture, request->artifact);
  g_autoptr (StriaSummaryScope) scope = NULL;

  self->cores = stria_neuron_summary_cores (tables, cancellable, error);
  if (self->cores == NULL)
    return FALSE;
  /* The figures of one core are what is published; a profile of one needs no choice. */
  self->core = self->cores->len < 2   ? -1
               : request->core == -2 ? g_array_index (self->cores, gint64, 0)
                                     : request->core;
  scope = make_scope (request, tables, self->core, cancellable, error);
  if (scope == NULL)
    return FALSE;
  scope->lists_missing = TRUE;
  self->is_part = scope->has_window || scope->has_lanes;
  self->metrics = stria_neuron_summary_of (tables, scope, cancellable, error);
  if (self->metrics == NULL)
    return FALSE;
  self->groups = stria_neuron_groups_new (tables, scope, cancellable, error);
  if (self->groups == NULL)
    return FALSE;
  self->insights = stria_neuron_insights (self->metrics, self->groups);
  stria_bounds_make (self->metrics, &self->bounds);
  return TRUE;
}

static gboolean
make_trace (StriaSummaryFigures *self, const StriaSummaryRequest *request,
            GCancellable *cancellable, GError **error)
{
  gint64 t0 = request->t0, t1 = request->t1;

  if (request->trace == NULL
      || (!request->has_range && !stria_trace_get_range (request->trace, &t0, &t1)))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY, "%s", _ ("There are no events"));
      return FALSE;
    }
  self->trace = stria_trace_ref (request->trace);
  self->is_part = request->has_range;
  self->activity = stria_activity_new (
      request->trace, request->lanes != NULL ? (const guint32 *) request->lanes->data : NULL,
      request->lanes != NULL ? request->lanes->len : 0, t0, t1, cancellable, error);
  return self->activity != NULL;
}

static gboolean
make_system (StriaSummaryFigures *self, const StriaSummaryRequest *request,
             GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) tables = stria_system_summary_tables (request->capture);
  g_autoptr (StriaSummaryScope) scope = make_scope (request, tables, -1, cancellable, error);

  if (scope == NULL)
    return FALSE;
  self->is_part = stria_summary_scope_is_part (scope);
  self->system = stria_system_summary_new (request->capture, scope, cancellable, error);
  return self->system != NULL;
}

StriaSummaryFigures *
stria_summary_figures_make (const StriaSummaryRequest *request, GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (StriaSummaryFigures) self = g_new0 (StriaSummaryFigures, 1);
  gboolean ok;

  self->subject = request->subject;
  self->core = -1;
  switch (request->subject)
    {
    case STRIA_SUMMARY_DEVICE:
      ok = make_device (self, request, cancellable, error);
      break;
    case STRIA_SUMMARY_SYSTEM:
      ok = make_system (self, request, cancellable, error);
      break;
    case STRIA_SUMMARY_TRACE:
    default:
      ok = make_trace (self, request, cancellable, error);
      break;
    }
  return ok ? g_steal_pointer (&self) : NULL;
}

void
stria_summary_figures_free (StriaSummaryFigures *self)
{
  g_clear_pointer (&self->cores, g_array_unref);
  g_clear_pointer (&self->metrics, g_array_unref);
  g_clear_pointer (&self->groups, stria_neuron_groups_free);
  g_clear_pointer (&self->insights, g_ptr_array_unref);
  g_clear_pointer (&self->activity, stria_activity_free);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_clear_pointer (&self->system, stria_system_summary_free);
  g_free (self);
}
