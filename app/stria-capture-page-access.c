/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-page-access.h"

#include <glib/gi18n-lib.h>

#include "stria-capture-page-private.h"
#include "stria-model-view.h"
#include "stria-source-folders.h"
#include "stria-trace-compare-page.h"
#include "stria-view-registry.h"

GtkWidget *
stria_capture_page_get_view (StriaCapturePage *self, const char *id)
{
  g_return_val_if_fail (STRIA_IS_CAPTURE_PAGE (self), NULL);

  return stria_views_get (self->view_stack, id);
}

const char *
stria_capture_page_shown (StriaCapturePage *self)
{
  GtkWidget *view;

  g_return_val_if_fail (STRIA_IS_CAPTURE_PAGE (self), NULL);

  view = stria_dock_get_view (self->dock);
  for (guint i = 0; stria_views_nth (i) != NULL; i++)
    if (view != NULL && stria_views_get (self->view_stack, stria_views_nth (i)->id) == view)
      return stria_views_nth (i)->id;
  return gtk_stack_get_visible_child_name (self->view_stack);
}

gboolean
stria_capture_page_compare_with (StriaCapturePage *self, const char *const *paths,
                                 const char **why)
{
  StriaTrace *trace;

  g_return_val_if_fail (STRIA_IS_CAPTURE_PAGE (self), FALSE);

  trace = stria_session_get_trace (self->session);
  *why = NULL;
  if (stria_model_view_has_graphs (self->capture))
    stria_model_view_compare_with (
        STRIA_MODEL_VIEW (stria_views_reveal (self->view_stack, "model")), paths);
  else if (trace != NULL && stria_trace_get_n_events (trace) > 0)
    stria_trace_compare_page_add (
        STRIA_TRACE_COMPARE_PAGE (stria_views_reveal (self->view_stack, "compare")), paths);
  else
    *why = _ ("This capture has no events to compare");
  return *why == NULL;
}

static GtkWidget *
find_folders (GtkWidget *widget)
{
  GtkWidget *found = STRIA_IS_SOURCE_FOLDERS (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_folders (child);
  return found;
}

gboolean
stria_capture_page_add_sources (StriaCapturePage *self, const char *const *paths)
{
  GtkWidget *view;
  GtkWidget *folders;

  g_return_val_if_fail (STRIA_IS_CAPTURE_PAGE (self), FALSE);

  view = stria_views_get (self->view_stack, "source");
  folders = view != NULL ? find_folders (view) : NULL;
  return folders != NULL && stria_source_folders_add (STRIA_SOURCE_FOLDERS (folders), paths);
}
