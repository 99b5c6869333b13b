/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-view-registry.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-memory-view.h"
#include "stria-model-view.h"
#include "stria-operators-view.h"
#include "stria-profiles-view.h"
#include "stria-source-view.h"
#include "stria-summary-view.h"
#include "stria-tables-view.h"
#include "stria-timeline-page.h"
#include "stria-trace-compare-page.h"

static gboolean
has_events (StriaCapture *capture)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);

  return trace != NULL && stria_trace_get_n_events (trace) > 0;
}

/* Views that are there from when they are revealed on */
static gboolean
is_asked_for (StriaCapture *capture)
{
  return FALSE;
}

static const StriaView views[] = {
  {
      .id = "timeline",
      .title = N_ ("Timeline"),
      .icon_name = "view-continuous-symbolic",
      .create = stria_timeline_page_new,
      .has_data = has_events,
      .absence =
          N_ ("No event could be read from this capture. The timeline shows traces of the PyTorch "
              "profiler: files named “*.pt.trace.json” or “*.pt.trace.json.gz”, written by "
              "torch.profiler.tensorboard_trace_handler() or export_chrome_trace()."),
      .shows_events = TRUE,
  },
  {
      .id = "model",
      .title = N_ ("Model"),
      .icon_name = "network-workgroup-symbolic",
      .create = stria_model_view_new,
      .has_data = stria_model_view_has_data,
      .leads = stria_model_view_has_graphs,
  },
  {
      .id = "memory",
      .title = N_ ("Memory"),
      .icon_name = "drive-harddisk-solidstate-symbolic",
      .create = stria_memory_view_new,
      .has_data = stria_memory_view_has_data,
  },
  {
      .id = "source",
      .title = N_ ("Source"),
      .icon_name = "text-x-generic-symbolic",
      .create = stria_source_view_new,
      .has_data = stria_source_view_has_data,
  },
  {
      .id = "profiles",
      .title = N_ ("Profiles"),
      .icon_name = "network-server-symbolic",
      .create = stria_profiles_view_new,
      .has_data = stria_profiles_view_has_data,
  },
  {
      .id = "operators",
      .title = N_ ("Operators"),
      .icon_name = "view-list-bullet-symbolic",
      .create = stria_operators_view_new,
      .has_data = stria_operators_view_has_data,
  },
  {
      .id = "tables",
      .title = N_ ("Tables"),
      .icon_name = "view-grid-symbolic",
      .create = stria_tables_view_new,
      .has_data = stria_tables_view_has_data,
  },
  {
      .id = "summary",
      .title = N_ ("Summary"),
      .icon_name = "power-profile-performance-symbolic",
      .create = stria_summary_view_new,
  },
  {
      .id = "timeline2",
      .title = N_ ("Second Timeline"),
      .icon_name = "view-continuous-symbolic",
      .create = stria_timeline_page_new_second,
      .has_data = has_events,
      .shows_events = TRUE,
      .beside_only = TRUE,
  },
  {
      .id = "compare",
      .title = N_ ("Compare"),
      .icon_name = "view-dual-symbolic",
      .create = stria_trace_compare_page_new,
      .has_data = is_asked_for,
  },
};

/* The stack of a view and of what is said in its absence, wherever it stands */
static GtkStack *
content_of (GtkStack *stack, const char *id)
{
  GtkWidget *page = gtk_stack_get_child_by_name (stack, id);

  return page != NULL ? g_object_get_data (G_OBJECT (page), "content") : NULL;
}

static GtkWidget *
content_new (const StriaView *view)
{
  GtkWidget *content = gtk_stack_new ();
  GtkWidget *absent = adw_status_page_new ();
  g_autofree char *markup = NULL;

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (absent), view->icon_name);
  adw_status_page_set_title (ADW_STATUS_PAGE (absent), _ ("Nothing to Show Here"));
  if (view->absence != NULL)
    {
      markup = g_markup_escape_text (_ (view->absence), -1);
      adw_status_page_set_description (ADW_STATUS_PAGE (absent), markup);
    }
  gtk_stack_add_named (GTK_STACK (content), absent, "absent");
  return content;
}

static void
fill (GtkStack *content, const StriaView *view, StriaSession *session)
{
  gtk_stack_add_named (content, view->create (session), "view");
  gtk_stack_set_visible_child_name (content, "view");
}

void
stria_views_add (GtkStack *stack, StriaSession *session)
{
  g_object_set_data_full (G_OBJECT (stack), "session", g_object_ref (session), g_object_unref);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkWidget *page = adw_bin_new ();
      GtkWidget *content = content_new (&views[i]);
      GtkStackPage *in_stack;

      adw_bin_set_child (ADW_BIN (page), content);
      g_object_set_data_full (G_OBJECT (page), "content", g_object_ref (content), g_object_unref);
      if (!views[i].beside_only)
        fill (GTK_STACK (content), &views[i], session);
      in_stack = gtk_stack_add_titled (stack, page, views[i].id, _ (views[i].title));
      gtk_stack_page_set_icon_name (in_stack, views[i].icon_name);
      gtk_stack_page_set_visible (in_stack, !views[i].beside_only);
    }
}

static gboolean
has_data (guint i, StriaCapture *capture)
{
  return !views[i].beside_only && views[i].has_data != NULL && views[i].has_data (capture);
}

/* The first view whose data there is, else the first of all. */
static guint
first_with_data (StriaCapture *capture)
{
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (has_data (i, capture))
      return i;
  return 0;
}

void
stria_views_update (GtkStack *stack, StriaCapture *capture, gboolean is_read)
{
  const guint first = first_with_data (capture);
  const char *visible = gtk_stack_get_visible_child_name (stack);
  const gboolean may_lead
      = is_read && g_strcmp0 (visible, views[0].id) == 0
        && g_object_get_data (G_OBJECT (stack), "read") == NULL;
  guint leader = G_MAXUINT;
  gboolean is_away = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkWidget *page = gtk_stack_get_child_by_name (stack, views[i].id);
      const gboolean has = (views[i].has_data == NULL && !views[i].beside_only)
                           || has_data (i, capture);
      const gboolean is_listed = has || i == first || (i == 0 && !is_read)
                                 || g_object_get_data (G_OBJECT (page), "revealed") != NULL;

      if (!views[i].beside_only)
        gtk_stack_set_visible_child_name (content_of (stack, views[i].id),
                                          is_read && !has && i == 0 ? "absent" : "view");
      gtk_stack_page_set_visible (gtk_stack_get_page (stack, page), is_listed);
      is_away = is_away || (!is_listed && g_strcmp0 (visible, views[i].id) == 0);
      if (may_lead && leader == G_MAXUINT && views[i].leads != NULL && views[i].leads (capture))
        leader = i;
    }
  /* Once: afterwards it is the person who chooses. */
  if (is_read)
    g_object_set_data (G_OBJECT (stack), "read", GINT_TO_POINTER (TRUE));
  if (leader != G_MAXUINT)
    gtk_stack_set_visible_child_name (stack, views[leader].id);
  else if (is_away)
    gtk_stack_set_visible_child_name (stack, views[first].id);
}

gboolean
stria_views_is_listed (GtkStack *stack, const char *id)
{
  GtkWidget *page = gtk_stack_get_child_by_name (stack, id);

  return page != NULL && gtk_stack_page_get_visible (gtk_stack_get_page (stack, page));
}

GtkWidget *
stria_views_get (GtkStack *stack, const char *id)
{
  GtkStack *content = content_of (stack, id);

  return content != NULL ? gtk_stack_get_child_by_name (content, "view") : NULL;
}

static void
list_for_good (GtkStack *stack, GtkWidget *page)
{
  g_object_set_data (G_OBJECT (page), "revealed", GINT_TO_POINTER (TRUE));
  gtk_stack_page_set_visible (gtk_stack_get_page (stack, page), TRUE);
}

GtkWidget *
stria_views_reveal (GtkStack *stack, const char *id)
{
  GtkWidget *page = gtk_stack_get_child_by_name (stack, id);

  g_return_val_if_fail (page != NULL, NULL);

  list_for_good (stack, page);
  gtk_stack_set_visible_child (stack, page);
  return stria_views_get (stack, id);
}

const StriaView *
stria_views_nth (guint i)
{
  return i < G_N_ELEMENTS (views) ? &views[i] : NULL;
}

const StriaView *
stria_views_find (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (g_strcmp0 (views[i].id, id) == 0)
      return &views[i];
  return NULL;
}

gboolean
stria_views_can_show (GtkStack *stack, const char *id)
{
  const StriaView *view = stria_views_find (id);
  StriaSession *session = g_object_get_data (G_OBJECT (stack), "session");

  if (view == NULL)
    return FALSE;
  return view->beside_only ? view->has_data (stria_session_get_capture (session))
                           : stria_views_is_listed (stack, id);
}

GtkWidget *
stria_views_take (GtkStack *stack, const char *id)
{
  GtkWidget *page = gtk_stack_get_child_by_name (stack, id);
  const StriaView *view = stria_views_find (id);
  GtkWidget *content;

  if (page == NULL || view == NULL || stria_views_is_out (stack, id))
    return NULL;
  content = g_object_ref (GTK_WIDGET (content_of (stack, id)));
  if (view->beside_only)
    {
      if (stria_views_get (stack, id) == NULL)
        fill (GTK_STACK (content), view, g_object_get_data (G_OBJECT (stack), "session"));
      list_for_good (stack, page);
    }
  adw_bin_set_child (ADW_BIN (page), NULL);
  return content;
}

void
stria_views_put_back (GtkStack *stack, const char *id, GtkWidget *content)
{
  GtkWidget *page = gtk_stack_get_child_by_name (stack, id);

  g_return_if_fail (page != NULL && gtk_widget_get_parent (content) == NULL);

  adw_bin_set_child (ADW_BIN (page), content);
  if (!stria_views_find (id)->beside_only)
    return;
  g_object_set_data (G_OBJECT (page), "revealed", NULL);
  gtk_stack_page_set_visible (gtk_stack_get_page (stack, page), FALSE);
}

gboolean
stria_views_is_out (GtkStack *stack, const char *id)
{
  GtkWidget *page = gtk_stack_get_child_by_name (stack, id);

  return page != NULL && adw_bin_get_child (ADW_BIN (page)) == NULL;
}
