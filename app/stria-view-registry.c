/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-view-registry.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-memory-view.h"
#include "stria-summary-view.h"
#include "stria-timeline.h"

static gboolean
has_events (StriaCapture *capture)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);

  return trace != NULL && stria_trace_get_n_events (trace) > 0;
}

static const StriaView views[] = {
  {
      .id = "timeline",
      .title = N_ ("Timeline"),
      .icon_name = "view-continuous-symbolic",
      .create = stria_timeline_new,
      .has_data = has_events,
      .absence =
          N_ ("No event could be read from this capture. The timeline shows traces of the PyTorch "
              "profiler: files named “*.pt.trace.json” or “*.pt.trace.json.gz”, written by "
              "torch.profiler.tensorboard_trace_handler() or export_chrome_trace()."),
      .shows_events = TRUE,
  },
  {
      .id = "memory",
      .title = N_ ("Memory"),
      .icon_name = "drive-harddisk-solidstate-symbolic",
      .create = stria_memory_view_new,
      .has_data = stria_memory_view_has_data,
      .is_extra = TRUE,
  },
  {
      .id = "summary",
      .title = N_ ("Summary"),
      .icon_name = "view-list-symbolic",
      .create = stria_summary_view_new,
  },
};

void
stria_views_add (GtkStack *stack, StriaSession *session)
{
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkWidget *page = gtk_stack_new ();
      GtkWidget *absent = adw_status_page_new ();
      g_autofree char *markup = NULL;

      adw_status_page_set_icon_name (ADW_STATUS_PAGE (absent), views[i].icon_name);
      adw_status_page_set_title (ADW_STATUS_PAGE (absent), _ ("Nothing to Show Here"));
      if (views[i].absence != NULL)
        {
          markup = g_markup_escape_text (_ (views[i].absence), -1);
          adw_status_page_set_description (ADW_STATUS_PAGE (absent), markup);
        }
      gtk_stack_add_named (GTK_STACK (page), views[i].create (session), "view");
      gtk_stack_add_named (GTK_STACK (page), absent, "absent");
      gtk_stack_add_titled (stack, page, views[i].id, _ (views[i].title));
    }
}

/* What was opened may have nothing for the first view, and something for another one. */
static void
leave_empty_first (GtkStack *stack, StriaCapture *capture)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (stack), views[0].id) != 0
      || views[0].has_data (capture))
    return;
  for (guint i = 1; i < G_N_ELEMENTS (views); i++)
    if (views[i].has_data != NULL && views[i].has_data (capture))
      {
        gtk_stack_set_visible_child_name (stack, views[i].id);
        return;
      }
}

void
stria_views_update (GtkStack *stack, StriaCapture *capture, gboolean is_read)
{
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkWidget *page = gtk_stack_get_child_by_name (stack, views[i].id);
      gboolean has_data = views[i].has_data == NULL || views[i].has_data (capture);

      gtk_stack_set_visible_child_name (GTK_STACK (page),
                                        is_read && !has_data ? "absent" : "view");
      gtk_stack_page_set_visible (gtk_stack_get_page (stack, page),
                                  !views[i].is_extra || has_data);
    }
  if (is_read)
    leave_empty_first (stack, capture);
}

gboolean
stria_views_show_events (GtkStack *stack)
{
  const char *id = gtk_stack_get_visible_child_name (stack);

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (g_strcmp0 (views[i].id, id) == 0)
      return views[i].shows_events;
  return FALSE;
}
