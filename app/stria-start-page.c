/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-start-page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-capture-card.h"

struct _StriaStartPage
{
  GtkWidget parent_instance;

  GtkWidget   *recent_box;
  GtkFlowBox  *flow_box;
  GtkWidget   *search_entry;
  GtkDropDown *group_chooser;
  GtkWidget   *none_label;

  GPtrArray   *groups; /* Group, behind “All” */
  gboolean     filling;
};

/* What of the list is shown */
typedef struct
{
  enum
  {
    GROUP_PINNED,
    GROUP_FOLDER,
    GROUP_TAG,
  } kind;
  char *name;
} Group;

enum
{
  OPEN_PATHS,
  OPEN_WINDOW,
  REIMPORT_PATHS,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaStartPage, stria_start_page, GTK_TYPE_WIDGET)

static void
group_free (gpointer data)
{
  g_free (((Group *) data)->name);
  g_free (data);
}

/* -- which are shown ------------------------------------------------------------------------- */

static const Group *
chosen_group (StriaStartPage *self)
{
  const guint chosen = gtk_drop_down_get_selected (self->group_chooser);

  return chosen > 0 && chosen - 1 < self->groups->len ? self->groups->pdata[chosen - 1] : NULL;
}

static gboolean
is_in_group (const StriaRecentItem *item, const Group *group)
{
  if (group == NULL)
    return TRUE;
  switch (group->kind)
    {
    case GROUP_PINNED:
      return item->pinned;
    case GROUP_FOLDER:
      return g_strcmp0 (item->folder, group->name) == 0;
    case GROUP_TAG:
    default:
      return item->tags != NULL
             && g_strv_contains ((const char *const *) item->tags, group->name);
    }
}

static gboolean
filter_func (GtkFlowBoxChild *child, gpointer user_data)
{
  StriaStartPage *self = user_data;

  return is_in_group (stria_capture_card_get_item (GTK_WIDGET (child)), chosen_group (self))
         && stria_capture_card_has (GTK_WIDGET (child),
                                    gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
}

static void
on_filter (StriaStartPage *self)
{
  gboolean any = FALSE;

  if (self->filling)
    return;
  gtk_flow_box_invalidate_filter (self->flow_box);
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->flow_box));
       child != NULL && !any; child = gtk_widget_get_next_sibling (child))
    any = filter_func (GTK_FLOW_BOX_CHILD (child), self);
  gtk_widget_set_visible (self->none_label, !any);
}

static void
add_group (StriaStartPage *self, GtkStringList *titles, int kind, const char *name,
           const char *title)
{
  Group *group;

  for (guint i = 0; i < self->groups->len; i++)
    {
      group = self->groups->pdata[i];
      if ((int) group->kind == kind && g_strcmp0 (group->name, name) == 0)
        return;
    }
  group = g_new0 (Group, 1);
  group->kind = kind;
  group->name = g_strdup (name);
  g_ptr_array_add (self->groups, group);
  gtk_string_list_append (titles, title);
}

static void
fill_groups (StriaStartPage *self, GPtrArray *items)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  GtkStringObject *chosen = gtk_drop_down_get_selected_item (self->group_chooser);
  g_autofree char *before
      = chosen != NULL ? g_strdup (gtk_string_object_get_string (chosen)) : NULL;

  g_ptr_array_set_size (self->groups, 0);
  gtk_string_list_append (titles, _ ("All Captures"));
  for (guint i = 0; i < items->len; i++)
    if (((StriaRecentItem *) items->pdata[i])->pinned)
      add_group (self, titles, GROUP_PINNED, NULL, _ ("Pinned"));
  for (guint i = 0; i < items->len; i++)
    {
      const StriaRecentItem *item = items->pdata[i];
      g_autofree char *title
          = item->folder != NULL ? g_strdup_printf (_ ("Folder: %s"), item->folder) : NULL;

      if (title != NULL)
        add_group (self, titles, GROUP_FOLDER, item->folder, title);
    }
  for (guint i = 0; i < items->len; i++)
    {
      const StriaRecentItem *item = items->pdata[i];

      for (guint t = 0; item->tags != NULL && item->tags[t] != NULL; t++)
        {
          g_autofree char *title = g_strdup_printf (_ ("Tag: %s"), item->tags[t]);

          add_group (self, titles, GROUP_TAG, item->tags[t], title);
        }
    }
  gtk_drop_down_set_model (self->group_chooser, G_LIST_MODEL (titles));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (titles)); i++)
    if (g_strcmp0 (gtk_string_list_get_string (titles, i), before) == 0)
      gtk_drop_down_set_selected (self->group_chooser, i);
  gtk_widget_set_visible (GTK_WIDGET (self->group_chooser), self->groups->len > 0);
}

/* -- what is done with them ------------------------------------------------------------------ */

static void
on_child_activated (StriaStartPage *self, GtkFlowBoxChild *child)
{
  g_signal_emit (self, signals[OPEN_PATHS], 0,
                 stria_capture_card_get_item (GTK_WIDGET (child))->paths);
}

static void
on_clear (StriaStartPage *self)
{
  stria_recent_clear ();
  stria_start_page_refresh (self);
}

static gboolean
on_refresh_idle (gpointer user_data)
{
  stria_start_page_refresh (user_data);
  return G_SOURCE_REMOVE;
}

/* The card that asks for it goes away with it. */
static void
refresh_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_refresh_idle, g_object_ref (widget),
                   g_object_unref);
}

static void
paths_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_auto (GStrv) paths = g_variant_dup_bytestring_array (parameter, NULL);

  g_signal_emit (widget,
                 signals[g_str_equal (name, "captures.reimport") ? REIMPORT_PATHS : OPEN_WINDOW], 0,
                 paths);
}

static void
stria_start_page_map (GtkWidget *widget)
{
  stria_start_page_refresh (STRIA_START_PAGE (widget));
  GTK_WIDGET_CLASS (stria_start_page_parent_class)->map (widget);
}

static void
stria_start_page_dispose (GObject *object)
{
  StriaStartPage *self = STRIA_START_PAGE (object);
  GtkWidget *child;

  self->filling = TRUE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->groups, g_ptr_array_unref);
  G_OBJECT_CLASS (stria_start_page_parent_class)->dispose (object);
}

static void
stria_start_page_class_init (StriaStartPageClass *klass)
{
  static const char *const names[N_SIGNALS] = { [OPEN_PATHS] = "open-paths",
                                                [OPEN_WINDOW] = "open-window",
                                                [REIMPORT_PATHS] = "reimport-paths" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_start_page_dispose;
  widget_class->map = stria_start_page_map;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRV);
  gtk_widget_class_install_action (widget_class, "captures.refresh", NULL, refresh_action);
  gtk_widget_class_install_action (widget_class, "captures.open-window", "aay", paths_action);
  gtk_widget_class_install_action (widget_class, "captures.reimport", "aay", paths_action);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaStartPage, recent_box);
  gtk_widget_class_bind_template_child (widget_class, StriaStartPage, flow_box);
  gtk_widget_class_bind_template_child (widget_class, StriaStartPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, StriaStartPage, group_chooser);
  gtk_widget_class_bind_template_child (widget_class, StriaStartPage, none_label);
  gtk_widget_class_bind_template_callback (widget_class, on_clear);
  gtk_widget_class_bind_template_callback (widget_class, on_filter);
  gtk_widget_class_bind_template_callback (widget_class, on_child_activated);
}

static void
stria_start_page_init (StriaStartPage *self)
{
  self->groups = g_ptr_array_new_with_free_func (group_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_flow_box_set_filter_func (self->flow_box, filter_func, self, NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (stria_start_page_refresh), self, G_CONNECT_SWAPPED);
}

GtkWidget *
stria_start_page_new (void)
{
  return g_object_new (STRIA_TYPE_START_PAGE, NULL);
}

void
stria_start_page_refresh (StriaStartPage *self)
{
  g_autoptr (GPtrArray) items = NULL;
  GtkWidget *child;

  g_return_if_fail (STRIA_IS_START_PAGE (self));

  self->filling = TRUE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->flow_box))) != NULL)
    gtk_flow_box_remove (self->flow_box, child);
  items = stria_recent_list ();
  fill_groups (self, items);
  for (guint pinned = 0; pinned < 2; pinned++)
    for (guint i = 0; i < items->len; i++)
      if (((StriaRecentItem *) items->pdata[i])->pinned == (pinned == 0))
        gtk_flow_box_append (self->flow_box, stria_capture_card_new (items->pdata[i]));
  gtk_widget_set_visible (self->recent_box, items->len > 0);
  self->filling = FALSE;
  on_filter (self);
}

void
stria_start_page_search (GtkWidget *within, const char *words)
{
  if (STRIA_IS_START_PAGE (within))
    {
      gtk_editable_set_text (GTK_EDITABLE (STRIA_START_PAGE (within)->search_entry), words);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (within); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    stria_start_page_search (child, words);
}
