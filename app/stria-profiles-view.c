/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profiles-view.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-profiles-findings.h"
#include "stria-retell.h"
#include "stria-wrap-box.h"

#define STRIA_TYPE_PROFILES_ITEM (stria_profiles_item_get_type ())
G_DECLARE_FINAL_TYPE (StriaProfilesItem, stria_profiles_item, STRIA, PROFILES_ITEM, GObject)

typedef enum
{
  ITEM_GROUP,
  ITEM_LACK,
  ITEM_FINDING,
  ITEM_ARTIFACT,
} ItemKind;

/* A row: a group, or one of its files, or something that it lacks or was found of it. */
struct _StriaProfilesItem
{
  GObject parent_instance;

  ItemKind kind;
  guint number; /* of the group, lack, finding or artifact */
};

G_DEFINE_FINAL_TYPE (StriaProfilesItem, stria_profiles_item, G_TYPE_OBJECT)

struct _StriaProfilesView
{
  GtkWidget parent_instance;

  StriaCapture *capture;
  StriaCaptureTree *tree; /* of the capture */
  GHashTable *stores;     /* GListStore of an open group -> the group's number */
  GPtrArray *findings;    /* StriaFinding, NULL until rows were looked at */
  GCancellable *cancellable;
  GtkWidget *window;
  GtkListView *list;
};

G_DEFINE_FINAL_TYPE (StriaProfilesView, stria_profiles_view, GTK_TYPE_WIDGET)

static void
stria_profiles_item_class_init (StriaProfilesItemClass *class)
{
}

static void
stria_profiles_item_init (StriaProfilesItem *self)
{
}

static StriaProfilesItem *
item_new (ItemKind kind, guint number)
{
  StriaProfilesItem *self = g_object_new (STRIA_TYPE_PROFILES_ITEM, NULL);

  self->kind = kind;
  self->number = number;
  return self;
}

/* -- the list ------------------------------------------------------------------------------- */

/* Findings of a group, or those that are parts of another finding. */
static void
add_findings (StriaProfilesView *self, GPtrArray *items, guint group, guint parent)
{
  for (guint i = 0; self->findings != NULL && i < self->findings->len; i++)
    {
      const StriaFinding *finding = self->findings->pdata[i];

      if (finding->parent == parent && (parent != G_MAXUINT || finding->group == group))
        g_ptr_array_add (items, item_new (ITEM_FINDING, i));
    }
}

static GPtrArray *
items_of (StriaProfilesView *self, guint number)
{
  const StriaFiles *group = stria_capture_tree_get (self->tree, number);
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < stria_capture_tree_n_lacks (self->tree); i++)
    if (stria_capture_tree_get_lack (self->tree, i)->group == number)
      g_ptr_array_add (items, item_new (ITEM_LACK, i));
  add_findings (self, items, number, G_MAXUINT);
  for (guint i = 0; i < group->children->len; i++)
    g_ptr_array_add (items, item_new (ITEM_GROUP, g_array_index (group->children, guint, i)));
  for (guint i = 0; i < group->artifacts->len; i++)
    g_ptr_array_add (items, item_new (ITEM_ARTIFACT, g_array_index (group->artifacts, guint, i)));
  return items;
}

static void
on_store_gone (gpointer user_data, GObject *store)
{
  StriaProfilesView *self = user_data;

  g_hash_table_remove (self->stores, store);
}

static GListModel *
create_children (gpointer object, gpointer user_data)
{
  StriaProfilesView *self = user_data;
  const StriaProfilesItem *item = object;
  g_autoptr (GPtrArray) items = NULL;
  GListStore *store;

  if (item->kind == ITEM_GROUP)
    items = items_of (self, item->number);
  else
    items = g_ptr_array_new_with_free_func (g_object_unref);
  if (item->kind == ITEM_FINDING)
    add_findings (self, items, 0, item->number);
  if (items->len == 0)
    return NULL;
  store = g_list_store_new (STRIA_TYPE_PROFILES_ITEM);
  g_list_store_splice (store, 0, 0, items->pdata, items->len);
  if (item->kind == ITEM_GROUP)
    {
      g_object_weak_ref (G_OBJECT (store), on_store_gone, self);
      g_hash_table_insert (self->stores, store, GUINT_TO_POINTER (item->number));
    }
  return G_LIST_MODEL (store);
}

/* Puts what was found into the lists that are open; the others are made when they are opened. */
static void
show_findings (StriaProfilesView *self)
{
  GHashTableIter iter;
  gpointer store, number;

  g_hash_table_iter_init (&iter, self->stores);
  while (g_hash_table_iter_next (&iter, &store, &number))
    {
      g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
      guint at = 0;

      for (guint i = g_list_model_get_n_items (store); i > 0; i--)
        {
          g_autoptr (StriaProfilesItem) item = g_list_model_get_item (store, i - 1);

          if (item->kind == ITEM_FINDING)
            g_list_store_remove (store, i - 1);
          at += item->kind == ITEM_LACK;
        }
      add_findings (self, items, GPOINTER_TO_UINT (number), G_MAXUINT);
      g_list_store_splice (store, at, 0, items->pdata, items->len);
    }
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaProfilesView) self = user_data;
  gboolean stale = g_task_get_cancellable (G_TASK (result)) != self->cancellable;
  g_autoptr (GPtrArray) findings = stria_profiles_find_finish (result);

  if (stale || findings == NULL || self->tree == NULL)
    return;
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  self->findings = g_steal_pointer (&findings);
  show_findings (self);
}

static gboolean
is_read (StriaCapture *capture)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifactState state
          = stria_artifact_get_state (stria_capture_get_artifact (capture, i));

      if (state == STRIA_ARTIFACT_WAITING || state == STRIA_ARTIFACT_IMPORTING)
        return FALSE;
    }
  return TRUE;
}

/* Looks at the rows when they are all there, and when somebody looks at the view. */
static void
find (StriaProfilesView *self)
{
  if (self->tree == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)) || !is_read (self->capture))
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  stria_profiles_find (self->capture, self->cancellable, on_found, g_object_ref (self));
}

/* -- texts ---------------------------------------------------------------------------------- */

static const char *
icon_of (const StriaFiles *group)
{
  static const char *const icons[] = {
    [STRIA_FILES_CAPTURE] = "folder-symbolic",
    [STRIA_FILES_NODE] = "network-server-symbolic",
    [STRIA_FILES_PROCESS] = "system-run-symbolic",
    [STRIA_FILES_SESSION] = "document-open-recent-symbolic",
    [STRIA_FILES_DEVICE] = "media-record-symbolic",
    [STRIA_FILES_SYSTEM] = "view-continuous-symbolic",
    [STRIA_FILES_PROGRAMS] = "application-x-executable-symbolic",
    [STRIA_FILES_EXPORT] = "x-office-spreadsheet-symbolic",
    [STRIA_FILES_FRAMEWORK] = "view-list-symbolic",
    [STRIA_FILES_SOURCE] = "text-x-generic-symbolic",
    [STRIA_FILES_OTHER] = "folder-documents-symbolic",
  };

  return group->state == STRIA_FILES_REFUSED     ? "action-unavailable-symbolic"
         : group->state == STRIA_FILES_AMBIGUOUS ? "dialog-question-symbolic"
                                                 : icons[group->kind];
}

static void
append_number (GString *text, const char *name, gint64 value)
{
  if (value >= 0)
    g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT, text->len > 0 ? " · " : "", name,
                            value);
}

/* What stands beside a group's name. */
static char *
facts_of (StriaProfilesView *self, guint number)
{
  const StriaFiles *group = stria_capture_tree_get (self->tree, number);
  g_autoptr (GString) text = g_string_new (NULL);

  append_number (text, "NC", group->nc);
  append_number (text, "VNC", group->vnc);
  append_number (text, _ ("session"), group->session);
  append_number (text, _ ("rank"), group->rank);
  append_number (text, _ ("execution"), group->exec);
  if (group->kind == STRIA_FILES_DEVICE)
    {
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "",
                              stria_files_state_title (group->state));
      if (group->rule != STRIA_PAIR_NONE)
        g_string_append_printf (text, " · %s", stria_pair_rule_title (group->rule));
    }
  else if (group->kind <= STRIA_FILES_SESSION)
    g_string_append (text,
                     stria_profile_types_title (stria_capture_tree_types (self->tree, number)));
  else if (group->n_alike > 1)
    g_string_append_printf (text,
                            g_dngettext (GETTEXT_PACKAGE, "%u file with the same bytes",
                                         "%u files with the same bytes", group->n_alike),
                            group->n_alike);
  else
    g_string_append_printf (
        text, g_dngettext (GETTEXT_PACKAGE, "%u file", "%u files", group->artifacts->len),
        group->artifacts->len);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
title_of (const StriaFiles *group)
{
  return group->title[0] != '\0'
             ? g_strdup_printf ("%s %s", stria_files_kind_title (group->kind), group->title)
             : g_strdup (stria_files_kind_title (group->kind));
}

/* -- rows ----------------------------------------------------------------------------------- */

typedef struct
{
  GtkImage *icon;
  GtkLabel *title;
  GtkLabel *facts;
  GtkLabel *reason;
  StriaWrapBox *choice; /* a button for each program that could be meant */
} Row;

static GtkWidget *
label_new (const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static void
on_setup (StriaProfilesView *self, GtkListItem *list_item)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  Row *row = g_new0 (Row, 1);

  row->icon = GTK_IMAGE (gtk_image_new ());
  row->title = GTK_LABEL (label_new (NULL));
  row->facts = GTK_LABEL (label_new ("dim-label"));
  row->reason = GTK_LABEL (label_new ("caption"));
  row->choice = STRIA_WRAP_BOX (stria_wrap_box_new (6, 6));
  gtk_widget_set_valign (GTK_WIDGET (row->icon), GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->icon), GTK_ACCESSIBLE_PROPERTY_LABEL, "",
                                  -1);
  gtk_box_append (GTK_BOX (texts), GTK_WIDGET (row->title));
  gtk_box_append (GTK_BOX (texts), GTK_WIDGET (row->facts));
  gtk_box_append (GTK_BOX (texts), GTK_WIDGET (row->reason));
  gtk_box_append (GTK_BOX (texts), GTK_WIDGET (row->choice));
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (row->icon));
  gtk_box_append (GTK_BOX (line), texts);
  gtk_widget_set_margin_top (line, 3);
  gtk_widget_set_margin_bottom (line, 3);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), line);
  gtk_list_item_set_child (list_item, expander);
  g_object_set_data_full (G_OBJECT (list_item), "row", row, g_free);
}

static void
set_label (GtkLabel *label, const char *text)
{
  gtk_label_set_label (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && text[0] != '\0');
}

static void
on_choose (GtkButton *button, gpointer user_data)
{
  const char *profile = g_object_get_data (G_OBJECT (button), "profile");
  const char *program = g_object_get_data (G_OBJECT (button), "program");

  gtk_widget_activate_action (GTK_WIDGET (button), "win.choose-program", "(ss)", profile, program);
}

/* @program: "": the choice is taken back */
static void
add_choice (Row *row, StriaArtifact *profile, const char *program, const char *title,
            const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_label (title);

  gtk_widget_set_tooltip_text (button, tooltip);
  g_object_set_data_full (G_OBJECT (button), "profile",
                          g_strdup (stria_artifact_get_name (profile)), g_free);
  g_object_set_data_full (G_OBJECT (button), "program", g_strdup (program), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (on_choose), NULL);
  stria_wrap_box_append (row->choice, button);
}

static void
add_choices (StriaProfilesView *self, Row *row, const StriaFiles *group)
{
  StriaArtifact *profile;

  stria_wrap_box_clear (row->choice);
  gtk_widget_set_visible (GTK_WIDGET (row->choice), FALSE);
  if (group == NULL || group->artifacts->len == 0
      || (group->candidates->len == 0 && group->rule != STRIA_PAIR_CHOICE))
    return;
  gtk_widget_set_visible (GTK_WIDGET (row->choice), TRUE);
  profile = stria_capture_get_artifact (self->capture, g_array_index (group->artifacts, guint, 0));
  if (group->rule == STRIA_PAIR_CHOICE)
    add_choice (row, profile, "", _ ("Take the Choice Back"),
                _ ("Forget which program was chosen for this profile"));
  for (guint i = 0; i < MIN (group->candidates->len, 8); i++)
    {
      StriaArtifact *program
          = stria_capture_get_artifact (self->capture, g_array_index (group->candidates, guint, i));
      const char *name = stria_artifact_get_name (program);
      g_autofree char *tooltip = g_strdup_printf (
          _ ("Take %s as the program of this profile, now and whenever it is opened"), name);

      add_choice (row, profile, name, name, tooltip);
    }
}

static void
bind_group (StriaProfilesView *self, Row *row, guint number)
{
  const StriaFiles *group = stria_capture_tree_get (self->tree, number);
  g_autofree char *title = title_of (group);
  g_autofree char *facts = facts_of (self, number);
  g_autoptr (GString) reason = g_string_new (NULL);

  if (group->code != NULL)
    g_string_append_printf (reason, "%s: ", group->code);
  if (group->reason != NULL)
    g_string_append (reason, group->reason);
  if (group->remedy != NULL)
    g_string_append_printf (reason, "\n→ %s", group->remedy);
  gtk_image_set_from_icon_name (row->icon, icon_of (group));
  set_label (row->title, title);
  set_label (row->facts, facts);
  set_label (row->reason, reason->str);
  add_choices (self, row, group);
}

static void
bind_lack (StriaProfilesView *self, Row *row, guint number)
{
  const StriaLack *lack = stria_capture_tree_get_lack (self->tree, number);
  g_autofree char *remedy = lack->remedy != NULL ? g_strdup_printf ("→ %s", lack->remedy) : NULL;

  gtk_image_set_from_icon_name (row->icon, "dialog-information-symbolic");
  set_label (row->title, lack->reason);
  set_label (row->facts, NULL);
  set_label (row->reason, remedy);
  add_choices (self, row, NULL);
}

static void
bind_finding (StriaProfilesView *self, Row *row, guint number)
{
  const StriaFinding *finding = self->findings->pdata[number];

  gtk_image_set_from_icon_name (row->icon, finding->icon);
  set_label (row->title, finding->title);
  set_label (row->facts, finding->facts);
  set_label (row->reason, finding->remedy);
  gtk_widget_set_tooltip_text (GTK_WIDGET (row->title), finding->tooltip);
  gtk_widget_set_tooltip_text (GTK_WIDGET (row->facts), finding->tooltip);
  add_choices (self, row, NULL);
}

static void
bind_artifact (StriaProfilesView *self, Row *row, guint number)
{
  StriaArtifact *artifact = stria_capture_get_artifact (self->capture, number);
  const char *title = stria_artifact_get_title (artifact);
  g_autofree char *size = stria_format_bytes ((gint64) stria_artifact_get_size (artifact));
  g_autofree char *facts
      = title != NULL ? g_strdup_printf ("%s · %s", title, size) : g_strdup (size);
  g_autofree char *reason = stria_artifact_dup_reason (artifact);

  gtk_image_set_from_icon_name (row->icon, "text-x-generic-symbolic");
  set_label (row->title, stria_artifact_get_name (artifact));
  set_label (row->facts, facts);
  set_label (row->reason, reason);
  add_choices (self, row, NULL);
}

static void
on_bind (StriaProfilesView *self, GtkListItem *list_item)
{
  GtkTreeListRow *tree_row = gtk_list_item_get_item (list_item);
  g_autoptr (StriaProfilesItem) item = gtk_tree_list_row_get_item (tree_row);
  Row *row = g_object_get_data (G_OBJECT (list_item), "row");
  GtkWidget *expander = gtk_list_item_get_child (list_item);
  g_autofree char *name = NULL;

  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), tree_row);
  /* Rows have several lines: the arrow belongs to the first. */
  for (GtkWidget *child = gtk_widget_get_first_child (expander); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (child != gtk_tree_expander_get_child (GTK_TREE_EXPANDER (expander)))
      gtk_widget_set_valign (child, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (GTK_WIDGET (row->facts), NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (row->title), NULL);
  if (item->kind == ITEM_LACK)
    bind_lack (self, row, item->number);
  else if (item->kind == ITEM_FINDING)
    bind_finding (self, row, item->number);
  else if (item->kind == ITEM_ARTIFACT)
    bind_artifact (self, row, item->number);
  else
    bind_group (self, row, item->number);
  name = g_strdup_printf ("%s, %s", gtk_label_get_label (row->title),
                          gtk_label_get_label (row->facts));
  gtk_accessible_update_property (GTK_ACCESSIBLE (expander), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
}

/* -- the view ------------------------------------------------------------------------------- */

/* Opens what one look can take in: nodes and processes, and profiles while they are few. */
static void
open_rows (GtkTreeListModel *model)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)) && i < 60; i++)
    {
      g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (model, i);

      if (gtk_tree_list_row_get_depth (row) < 3)
        gtk_tree_list_row_set_expanded (row, TRUE);
    }
}

static void
stria_profiles_view_dispose (GObject *object)
{
  StriaProfilesView *self = STRIA_PROFILES_VIEW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->window, gtk_widget_unparent);
  if (self->stores != NULL)
    {
      GHashTableIter iter;
      gpointer store;

      g_hash_table_iter_init (&iter, self->stores);
      while (g_hash_table_iter_next (&iter, &store, NULL))
        g_object_weak_unref (store, on_store_gone, self);
      g_clear_pointer (&self->stores, g_hash_table_unref);
    }
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  g_clear_pointer (&self->tree, stria_capture_tree_unref);
  g_clear_object (&self->capture);
  G_OBJECT_CLASS (stria_profiles_view_parent_class)->dispose (object);
}

static void
stria_profiles_view_class_init (StriaProfilesViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = stria_profiles_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_profiles_view_init (StriaProfilesView *self)
{
  self->stores = g_hash_table_new (NULL, NULL);
}

static void
fill (StriaProfilesView *self)
{
  GListStore *root = g_list_store_new (STRIA_TYPE_PROFILES_ITEM);
  g_autoptr (StriaProfilesItem) item = item_new (ITEM_GROUP, 0);
  GtkTreeListModel *model;
  g_autoptr (GtkSelectionModel) selection = NULL;
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_list_store_append (root, item);
  model = gtk_tree_list_model_new (G_LIST_MODEL (root), FALSE, FALSE, create_children, self, NULL);
  open_rows (model);
  selection = GTK_SELECTION_MODEL (gtk_single_selection_new (NULL));
  gtk_single_selection_set_autoselect (GTK_SINGLE_SELECTION (selection), FALSE);
  gtk_single_selection_set_model (GTK_SINGLE_SELECTION (selection), G_LIST_MODEL (model));
  g_object_unref (model);
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, G_CONNECT_SWAPPED);
  self->list = GTK_LIST_VIEW (gtk_list_view_new (g_object_ref (selection), factory));
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Processes and profiles of the capture"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->window), GTK_WIDGET (self->list));
}

GtkWidget *
stria_profiles_view_new (StriaSession *session)
{
  StriaProfilesView *self = g_object_new (STRIA_TYPE_PROFILES_VIEW, NULL);
  StriaCaptureTree *tree = stria_capture_get_tree (stria_session_get_capture (session));

  self->capture = g_object_ref (stria_session_get_capture (session));
  self->window = gtk_scrolled_window_new ();
  gtk_widget_set_parent (self->window, GTK_WIDGET (self));
  if (tree != NULL)
    {
      self->tree = stria_capture_tree_ref (tree);
      fill (self);
      g_signal_connect_object (session, "trace-changed", G_CALLBACK (find), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect (self, "map", G_CALLBACK (find), NULL);
      stria_retell_connect (self, G_CALLBACK (show_findings));
    }
  return GTK_WIDGET (self);
}

gboolean
stria_profiles_view_has_data (StriaCapture *capture)
{
  return stria_capture_get_tree (capture) != NULL;
}
