/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-picture-pages.h"

#include <stdlib.h>

/* One way to switch: the pages of a stack that has a switcher, or of a notebook */
typedef struct
{
  GtkWidget *pages;   /* GtkStack or GtkNotebook */
  char      *current; /* name of the page that is shown */
} Switch;

typedef struct
{
  GtkWidget  *view;
  GHashTable *seen;   /* "address:page" of what was shown */
  GArray     *found;  /* Switch: on the screen now, in the order of reading */
  GArray     *before; /* Switch: as they were when they came on the screen */
} Walk;

GtkWidget *
stria_picture_find (GtkWidget *widget, GType type, gboolean is_mapped)
{
  if (is_mapped && !gtk_widget_get_mapped (widget))
    return NULL;
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = stria_picture_find (child, type, is_mapped);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
switch_clear (gpointer data)
{
  g_free (((Switch *) data)->current);
}

static GArray *
switches_new (void)
{
  GArray *switches = g_array_new (FALSE, FALSE, sizeof (Switch));

  g_array_set_clear_func (switches, switch_clear);
  return switches;
}

static void
find_switches (Walk *walk, GtkWidget *widget)
{
  Switch found = { NULL };

  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_STACK_SWITCHER (widget))
    {
      found.pages = GTK_WIDGET (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (widget)));
      found.current = found.pages != NULL
                          ? g_strdup (gtk_stack_get_visible_child_name (GTK_STACK (found.pages)))
                          : NULL;
    }
  else if (GTK_IS_NOTEBOOK (widget))
    {
      found.pages = widget;
      found.current
          = g_strdup_printf ("%d", gtk_notebook_get_current_page (GTK_NOTEBOOK (widget)) + 1);
    }
  if (found.current != NULL)
    g_array_append_val (walk->found, found);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_switches (walk, child);
}

static void
look (Walk *walk)
{
  g_array_set_size (walk->found, 0);
  find_switches (walk, walk->view);
}

static char *
key_of (GtkWidget *pages, const char *page)
{
  return g_strdup_printf ("%p:%s", (void *) pages, page);
}

/* TRUE the first time */
static gboolean
see (Walk *walk, GtkWidget *pages, const char *page)
{
  return g_hash_table_add (walk->seen, key_of (pages, page));
}

static gboolean
step_stack (Walk *walk, GtkStack *stack)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (stack);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (pages), i);
      GtkStackPage *page = GTK_STACK_PAGE (item);
      const char *name = gtk_stack_page_get_name (page);

      if (name == NULL || !gtk_stack_page_get_visible (page)
          || !see (walk, GTK_WIDGET (stack), name))
        continue;
      gtk_stack_set_visible_child_name (stack, name);
      return TRUE;
    }
  return FALSE;
}

static gboolean
step_notebook (Walk *walk, GtkNotebook *notebook)
{
  for (int i = 0; i < gtk_notebook_get_n_pages (notebook); i++)
    {
      GtkWidget *tab
          = gtk_notebook_get_tab_label (notebook, gtk_notebook_get_nth_page (notebook, i));
      g_autofree char *name = g_strdup_printf ("%d", i + 1);

      if (tab == NULL || !gtk_widget_is_sensitive (tab) || !gtk_widget_get_visible (tab)
          || !see (walk, GTK_WIDGET (notebook), name))
        continue;
      gtk_notebook_set_current_page (notebook, i);
      return TRUE;
    }
  return FALSE;
}

/* The innermost first, so that all pages in a page come before the next page. */
static gboolean
step (Walk *walk)
{
  for (guint i = walk->found->len; i > 0; i--)
    {
      GtkWidget *pages = g_array_index (walk->found, Switch, i - 1).pages;

      if (GTK_IS_STACK (pages) ? step_stack (walk, GTK_STACK (pages))
                               : step_notebook (walk, GTK_NOTEBOOK (pages)))
        return TRUE;
    }
  return FALSE;
}

static const char *
title_of (const Switch *at)
{
  GtkNotebook *notebook;
  GtkWidget *tab;

  if (GTK_IS_STACK (at->pages))
    return gtk_stack_page_get_title (gtk_stack_get_page (
        GTK_STACK (at->pages), gtk_stack_get_visible_child (GTK_STACK (at->pages))));
  notebook = GTK_NOTEBOOK (at->pages);
  tab = gtk_notebook_get_tab_label (
      notebook, gtk_notebook_get_nth_page (notebook, gtk_notebook_get_current_page (notebook)));
  return GTK_IS_LABEL (tab) ? gtk_label_get_label (GTK_LABEL (tab)) : at->current;
}

/* All that is on the screen now is seen by one picture. */
static void
tell (Walk *walk, const char *name, const char *title, StriaPictureFunc func, gpointer data)
{
  g_autoptr (GString) names = g_string_new (name);
  g_autoptr (GString) titles = g_string_new (title);

  for (guint i = 0; i < walk->found->len; i++)
    {
      const Switch *at = &g_array_index (walk->found, Switch, i);
      const char *text = title_of (at);

      see (walk, at->pages, at->current);
      g_string_append_printf (names, "-%s", at->current);
      g_string_append_printf (titles, ", %s", text != NULL ? text : at->current);
    }
  func (names->str, titles->str, data);
}

static void
remember (Walk *walk)
{
  for (guint i = 0; i < walk->found->len; i++)
    {
      Switch at = g_array_index (walk->found, Switch, i);
      gboolean is_known = FALSE;

      for (guint k = 0; k < walk->before->len; k++)
        is_known = is_known || g_array_index (walk->before, Switch, k).pages == at.pages;
      if (is_known)
        continue;
      at.current = g_strdup (at.current);
      g_array_append_val (walk->before, at);
    }
}

static void
go_back (Walk *walk)
{
  for (guint i = 0; i < walk->before->len; i++)
    {
      const Switch *at = &g_array_index (walk->before, Switch, i);

      if (GTK_IS_STACK (at->pages))
        gtk_stack_set_visible_child_name (GTK_STACK (at->pages), at->current);
      else
        gtk_notebook_set_current_page (GTK_NOTEBOOK (at->pages), atoi (at->current) - 1);
    }
}

void
stria_picture_each_page (GtkWidget *view, const char *name, const char *title,
                         StriaPictureFunc func, gpointer data)
{
  Walk walk = { .view = view };

  g_return_if_fail (GTK_IS_WIDGET (view));

  walk.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  walk.found = switches_new ();
  walk.before = switches_new ();
  do
    {
      look (&walk);
      tell (&walk, name, title, func, data);
      remember (&walk);
    }
  while (step (&walk));
  go_back (&walk);
  g_array_unref (walk.before);
  g_array_unref (walk.found);
  g_hash_table_unref (walk.seen);
}
