/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-artifact-list.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"

#define NO_BREAK_SPACE "\302\240"

struct _StriaArtifactList
{
  GtkWidget parent_instance;

  StriaCapture *capture;

  GtkListView *list_view;
  GtkLabel    *count_label;
  GtkWidget   *notices_button;
  GtkImage    *notices_icon;
  GtkLabel    *notices_label;
};

G_DEFINE_FINAL_TYPE (StriaArtifactList, stria_artifact_list, GTK_TYPE_WIDGET)

const char *
stria_artifact_state_icon (StriaArtifactState state)
{
  switch (state)
    {
    case STRIA_ARTIFACT_WAITING:
      return "content-loading-symbolic";
    case STRIA_ARTIFACT_IMPORTING:
      return "document-open-recent-symbolic";
    case STRIA_ARTIFACT_IMPORTED:
      return "emblem-ok-symbolic";
    case STRIA_ARTIFACT_EMPTY:
      return "list-remove-symbolic";
    case STRIA_ARTIFACT_UNREADABLE:
      return "dialog-error-symbolic";
    case STRIA_ARTIFACT_REFUSED:
      return "action-unavailable-symbolic";
    case STRIA_ARTIFACT_ALIKE:
      return "edit-copy-symbolic";
    case STRIA_ARTIFACT_CANCELLED:
      return "process-stop-symbolic";
    case STRIA_ARTIFACT_UNKNOWN:
    default:
      return "dialog-question-symbolic";
    }
}

const char *
stria_artifact_state_title (StriaArtifactState state)
{
  switch (state)
    {
    case STRIA_ARTIFACT_WAITING:
      return _ ("Waiting");
    case STRIA_ARTIFACT_IMPORTING:
      return _ ("Importing");
    case STRIA_ARTIFACT_IMPORTED:
      return _ ("Imported");
    case STRIA_ARTIFACT_EMPTY:
      return _ ("Empty");
    case STRIA_ARTIFACT_UNREADABLE:
      return _ ("Unreadable");
    case STRIA_ARTIFACT_REFUSED:
      return _ ("Refused");
    case STRIA_ARTIFACT_ALIKE:
      return _ ("Same as another file");
    case STRIA_ARTIFACT_CANCELLED:
      return _ ("Cancelled");
    case STRIA_ARTIFACT_UNKNOWN:
    default:
      return _ ("Unknown kind");
    }
}

typedef struct
{
  GtkImage *icon;
  GtkLabel *name;
  GtkLabel *facts;
  GtkLabel *reason;
} Row;

static void
fill_row (StriaArtifact *artifact, GParamSpec *pspec, GtkListItem *item)
{
  Row *row = g_object_get_data (G_OBJECT (item), "row");
  StriaArtifactState state = stria_artifact_get_state (artifact);
  const char *title = stria_artifact_get_title (artifact);
  const char *state_title = stria_artifact_state_title (state);
  g_autofree char *reason = stria_artifact_dup_reason (artifact);
  g_autofree char *size = stria_format_bytes ((gint64) stria_artifact_get_size (artifact));
  g_autoptr (GString) facts = g_string_new (NULL);
  g_autoptr (GString) figures = NULL;
  g_autofree char *tooltip = NULL;
  g_autofree char *path = NULL;
  GtkWidget *widget = gtk_list_item_get_child (item);

  gtk_image_set_from_icon_name (row->icon, stria_artifact_state_icon (state));
  for (guint i = STRIA_ARTIFACT_WAITING; i <= STRIA_ARTIFACT_CANCELLED; i++)
    gtk_widget_remove_css_class (GTK_WIDGET (row->icon), stria_artifact_state_name (i));
  gtk_widget_add_css_class (GTK_WIDGET (row->icon), stria_artifact_state_name (state));
  gtk_label_set_label (row->name, stria_artifact_get_name (artifact));

  if (state != STRIA_ARTIFACT_IMPORTED)
    g_string_append_printf (facts, "%s · ", state_title);
  if (title != NULL)
    g_string_append_printf (facts, "%s" NO_BREAK_SPACE "· ", title);
  figures = g_string_new (size);
  if (stria_artifact_get_n_events (artifact) > 0)
    {
      guint64 n = stria_artifact_get_n_events (artifact);
      g_autofree char *count = stria_format_count (n);

      g_string_append (figures, " · ");
      /* Flows are counted here too, so it is more than the events that are drawn. */
      g_string_append_printf (figures, ngettext ("%s record", "%s records", n), count);
    }
  /* A line does not break between a figure and its unit. */
  g_string_replace (figures, " ", NO_BREAK_SPACE, 0);
  g_string_replace (figures, "·" NO_BREAK_SPACE, "· ", 0);
  g_string_append (facts, figures->str);
  gtk_label_set_label (row->facts, facts->str);
  gtk_label_set_label (row->reason, reason != NULL ? reason : "");
  gtk_widget_set_visible (GTK_WIDGET (row->reason), reason != NULL && *reason != '\0');

  path = stria_artifact_get_member (artifact) != NULL
           ? g_strdup_printf ("%s → %s", stria_artifact_get_path (artifact),
                              stria_artifact_get_member (artifact))
           : g_strdup (stria_artifact_get_path (artifact));
  tooltip = g_strdup_printf ("%s\n%s%s%s", path, state_title, reason != NULL ? ": " : "",
                             reason != NULL ? reason : "");
  gtk_widget_set_tooltip_text (widget, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  state_title, -1);
}

static void
on_setup (StriaArtifactList *self, GtkListItem *item)
{
  Row *row = g_new0 (Row, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);

  row->icon = GTK_IMAGE (gtk_image_new ());
  gtk_widget_set_valign (GTK_WIDGET (row->icon), GTK_ALIGN_START);
  gtk_widget_add_css_class (GTK_WIDGET (row->icon), "artifact-state");
  row->name = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (row->name, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (row->name, 0);
  row->facts = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (row->facts, TRUE);
  gtk_label_set_xalign (row->facts, 0);
  gtk_widget_add_css_class (GTK_WIDGET (row->facts), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (row->facts), "dim-label");
  row->reason = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (row->reason, TRUE);
  gtk_label_set_wrap_mode (row->reason, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (row->reason, 6);
  gtk_label_set_ellipsize (row->reason, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (row->reason, 0);
  gtk_widget_add_css_class (GTK_WIDGET (row->reason), "caption");

  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), GTK_WIDGET (row->name));
  gtk_box_append (GTK_BOX (texts), GTK_WIDGET (row->facts));
  gtk_box_append (GTK_BOX (texts), GTK_WIDGET (row->reason));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (row->icon));
  gtk_box_append (GTK_BOX (box), texts);
  gtk_list_item_set_child (item, box);
  g_object_set_data_full (G_OBJECT (item), "row", row, g_free);
}

static void
on_bind (StriaArtifactList *self, GtkListItem *item)
{
  StriaArtifact *artifact = gtk_list_item_get_item (item);

  g_signal_connect_object (artifact, "notify", G_CALLBACK (fill_row), item, 0);
  fill_row (artifact, NULL, item);
}

static void
on_unbind (StriaArtifactList *self, GtkListItem *item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), fill_row, item);
}

static void
stria_artifact_list_dispose (GObject *object)
{
  StriaArtifactList *self = STRIA_ARTIFACT_LIST (object);
  GtkWidget *child;

  g_clear_object (&self->capture);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (stria_artifact_list_parent_class)->dispose (object);
}

static void
stria_artifact_list_class_init (StriaArtifactListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_artifact_list_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-artifact-list.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaArtifactList, list_view);
  gtk_widget_class_bind_template_child (widget_class, StriaArtifactList, count_label);
  gtk_widget_class_bind_template_child (widget_class, StriaArtifactList, notices_button);
  gtk_widget_class_bind_template_child (widget_class, StriaArtifactList, notices_icon);
  gtk_widget_class_bind_template_child (widget_class, StriaArtifactList, notices_label);
  gtk_widget_class_bind_template_callback (widget_class, on_setup);
  gtk_widget_class_bind_template_callback (widget_class, on_bind);
  gtk_widget_class_bind_template_callback (widget_class, on_unbind);
}

static void
stria_artifact_list_init (StriaArtifactList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * stria_artifact_list_new:
 * @capture: whose artifacts are listed
 *
 * Returns: (transfer full): the list
 */
GtkWidget *
stria_artifact_list_new (StriaCapture *capture)
{
  g_autoptr (GtkNoSelection) selection = NULL;
  StriaArtifactList *self;

  g_return_val_if_fail (STRIA_IS_CAPTURE (capture), NULL);

  self = g_object_new (STRIA_TYPE_ARTIFACT_LIST, NULL);
  self->capture = g_object_ref (capture);
  selection = gtk_no_selection_new (g_object_ref (stria_capture_get_artifacts (capture)));
  gtk_list_view_set_model (self->list_view, GTK_SELECTION_MODEL (selection));
  stria_artifact_list_refresh (self);
  return GTK_WIDGET (self);
}

void
stria_artifact_list_refresh (StriaArtifactList *self)
{
  guint n, n_notices;
  guint64 bytes = 0;
  g_autofree char *count = NULL;
  g_autofree char *size = NULL;
  g_autofree char *notices = NULL;

  g_return_if_fail (STRIA_IS_ARTIFACT_LIST (self));

  n = stria_capture_get_n_artifacts (self->capture);
  for (guint i = 0; i < n; i++)
    bytes += stria_artifact_get_size (stria_capture_get_artifact (self->capture, i));
  size = stria_format_bytes ((gint64) bytes);
  count = g_strdup_printf ("%u · %s", n, size);
  gtk_label_set_label (self->count_label, count);

  n_notices = stria_notices_size (stria_capture_get_notices (self->capture));
  notices = g_strdup_printf (ngettext ("%u notice", "%u notices", n_notices), n_notices);
  gtk_label_set_label (self->notices_label, notices);
  gtk_widget_set_visible (self->notices_button, n_notices > 0);
  if (n_notices > 0)
    {
      g_autoptr (GPtrArray) list = stria_notices_list (stria_capture_get_notices (self->capture));
      const StriaNotice *worst = g_ptr_array_index (list, 0);

      gtk_image_set_from_icon_name (self->notices_icon, worst->severity == STRIA_SEVERITY_ERROR
                                                            ? "dialog-error-symbolic"
                                                        : worst->severity == STRIA_SEVERITY_WARNING
                                                            ? "dialog-warning-symbolic"
                                                            : "dialog-information-symbolic");
    }
}
