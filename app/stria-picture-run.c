/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-picture-run.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "stria-bottom-panel.h"
#include "stria-busiest.h"
#include "stria-capture-page.h"
#include "stria-details.h"
#include "stria-error.h"
#include "stria-memory-view.h"
#include "stria-model-view.h"
#include "stria-operators-view.h"
#include "stria-picture-check.h"
#include "stria-picture-pages.h"
#include "stria-picture-settle.h"
#include "stria-profiles-view.h"
#include "stria-source-view.h"
#include "stria-summary-view.h"
#include "stria-tables-view.h"
#include "stria-timeline-page.h"
#include "stria-trace-compare-page.h"
#include "stria-view-registry.h"
#include "stria-widget-picture.h"

#define MAX_SIDE  16384
#define MAX_SCALE 4
#define READ_S    1800
#define WORK_S    120

struct _StriaPictureRun
{
  char    *folder;
  char    *away; /* (nullable): in place of the person's settings and data */
  char   **wanted; /* (nullable): ids of views, NULL = all */
  char   **others; /* (nullable): captures to compare with */
  int      width;
  int      height;
  int      scale;
  gboolean is_dark;

  StriaWindow *window;
  guint        n_drawn;
  guint        n_failed;
};

/* In the order in which they are drawn */
static const struct
{
  const char *id;
  const char *title;
  GType     (*get_type) (void);
} views[] = {
  { "timeline", N_ ("Timeline"), stria_timeline_page_get_type },
  { "model", N_ ("Model"), stria_model_view_get_type },
  { "memory", N_ ("Memory"), stria_memory_view_get_type },
  { "source", N_ ("Source"), stria_source_view_get_type },
  { "profiles", N_ ("Profiles"), stria_profiles_view_get_type },
  { "operators", N_ ("Operators"), stria_operators_view_get_type },
  { "tables", N_ ("Tables"), stria_tables_view_get_type },
  { "summary", N_ ("Summary"), stria_summary_view_get_type },
  { "compare", N_ ("Compare"), stria_trace_compare_page_get_type },
};

static const GOptionEntry options[] = {
  { "draw-views", 0, 0, G_OPTION_ARG_FILENAME, NULL,
    N_ ("Draw every view of the capture into PNG files, and exit"), N_ ("FOLDER") },
  { "view", 0, 0, G_OPTION_ARG_STRING, NULL,
    N_ ("Draw just these views: timeline, model, memory, source, profiles, operators, tables, "
        "summary, compare"),
    N_ ("ID,…") },
  { "size", 0, 0, G_OPTION_ARG_STRING, NULL, N_ ("Size of the window that is drawn"),
    N_ ("WIDTHxHEIGHT") },
  { "scale", 0, 0, G_OPTION_ARG_INT, NULL, N_ ("Pixels of a picture by pixel of the window"),
    N_ ("1…4") },
  { "dark", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Draw in dark colours"), NULL },
  { "light", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Draw in light colours, as without this"), NULL },
  { "against", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL,
    N_ ("Draw a comparison with this capture, too; may be given up to three times"),
    N_ ("CAPTURE") },
  { NULL },
};

const GOptionEntry *
stria_picture_run_options (void)
{
  return options;
}

/* -- options --------------------------------------------------------------------------------- */

static gboolean
fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (STRIA_ERROR, STRIA_ERROR_QUERY, format, arguments);
  va_end (arguments);
  return FALSE;
}

static gboolean
take_size (StriaPictureRun *self, const char *text, GError **error)
{
  char *end;
  const guint64 width = g_ascii_strtoull (text, &end, 10);
  const guint64 height = *end == 'x' ? g_ascii_strtoull (end + 1, &end, 10) : 0;

  if (*end != '\0' || width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE)
    return fail (error, _ ("“%s” is no size: two numbers of 1 to %d are expected, as in 1600x1000"),
                 text, MAX_SIDE);
  self->width = (int) width;
  self->height = (int) height;
  return TRUE;
}

static gboolean
is_view (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (g_str_equal (views[i].id, id))
      return TRUE;
  return FALSE;
}

static gboolean
take_views (StriaPictureRun *self, const char *text, GError **error)
{
  self->wanted = g_strsplit (text, ",", -1);
  for (guint i = 0; self->wanted[i] != NULL; i++)
    if (!is_view (self->wanted[i]))
      return fail (error, _ ("There is no view “%s”; see --help"), self->wanted[i]);
  return TRUE;
}

static gboolean
take_options (StriaPictureRun *self, GVariantDict *dict, GError **error)
{
  const char *text;

  if (g_variant_dict_lookup (dict, "size", "&s", &text) && !take_size (self, text, error))
    return FALSE;
  if (g_variant_dict_lookup (dict, "view", "&s", &text) && !take_views (self, text, error))
    return FALSE;
  g_variant_dict_lookup (dict, "scale", "i", &self->scale);
  if (self->scale < 1 || self->scale > MAX_SCALE)
    return fail (error, _ ("--scale is a number of 1 to %d, not %d"), MAX_SCALE, self->scale);
  g_variant_dict_lookup (dict, "dark", "b", &self->is_dark);
  g_variant_dict_lookup (dict, "against", "^aay", &self->others);
  return TRUE;
}

/* Pictures are the same for everyone, and a run leaves no trace among what a person keeps. */
static gboolean
go_away (StriaPictureRun *self, GError **error)
{
  self->away = g_dir_make_tmp ("stria-pictures-XXXXXX", error);
  if (self->away == NULL)
    return FALSE;
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_setenv ("XDG_DATA_HOME", self->away, TRUE);
  g_setenv ("XDG_CONFIG_HOME", self->away, TRUE);
  g_setenv ("XDG_STATE_HOME", self->away, TRUE);
  /* Nobody reads the screen of a picture, and the bus may not be there. */
  g_setenv ("GTK_A11Y", "none", TRUE);
  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  return TRUE;
}

StriaPictureRun *
stria_picture_run_new (GVariantDict *dict, GError **error)
{
  g_autoptr (StriaPictureRun) self = NULL;
  const char *folder;

  g_return_val_if_fail (dict != NULL, NULL);

  if (!g_variant_dict_lookup (dict, "draw-views", "^&ay", &folder))
    return NULL;
  self = g_new0 (StriaPictureRun, 1);
  self->folder = g_strdup (folder);
  self->width = 1600;
  self->height = 1000;
  self->scale = 1;
  if (!take_options (self, dict, error))
    return NULL;
  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      fail (error, _ ("%s: the folder can't be made: %s"), folder, g_strerror (errno));
      return NULL;
    }
  if (!go_away (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Links are not followed: just what lies in it goes. */
static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      remove_tree (inner);
    }
  g_remove (path);
}

void
stria_picture_run_free (StriaPictureRun *self)
{
  if (self == NULL)
    return;
  if (self->away != NULL)
    remove_tree (self->away);
  g_free (self->away);
  g_free (self->folder);
  g_strfreev (self->wanted);
  g_strfreev (self->others);
  g_free (self);
}

/* -- drawing --------------------------------------------------------------------------------- */

static StriaCapturePage *
page_of (StriaPictureRun *self)
{
  return STRIA_CAPTURE_PAGE (
      stria_picture_find (GTK_WIDGET (self->window), STRIA_TYPE_CAPTURE_PAGE, FALSE));
}

static gboolean
is_busy (gpointer data)
{
  StriaPictureRun *self = data;
  StriaCapturePage *page = page_of (self);

  if (page == NULL)
    return stria_window_is_used (self->window);
  return stria_capture_page_is_importing (page)
         || stria_session_is_searching (stria_capture_page_get_session (page));
}

static void
complain (StriaPictureRun *self, const char *text)
{
  g_printerr ("stria: %s\n", text);
  self->n_failed++;
}

/* What has been told stands in a picture for nobody, and before something that is looked at. */
static void
hide_toast (StriaPictureRun *self)
{
  const GType type = g_type_from_name ("AdwToastWidget");
  GtkWidget *toast
      = type != G_TYPE_INVALID ? stria_picture_find (GTK_WIDGET (self->window), type, TRUE) : NULL;

  if (toast != NULL)
    gtk_widget_set_visible (toast, FALSE);
}

/* The pointer lies somewhere, and whatever is below it would look touched. */
static void
forget_pointer (StriaPictureRun *self)
{
  cairo_region_t *nothing = cairo_region_create ();

  gdk_surface_set_input_region (gtk_native_get_surface (GTK_NATIVE (self->window)), nothing);
  cairo_region_destroy (nothing);
}

/* @name: of the file, without number; @title: for people */
static void
draw (StriaPictureRun *self, const char *name, const char *title)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *file = g_strdup_printf ("%02u-%s.png", self->n_drawn + 1, name);
  g_autofree char *path = g_build_filename (self->folder, file, NULL);
  int width, height;

  hide_toast (self);
  forget_pointer (self);
  if (!stria_picture_settle (GTK_WIDGET (self->window), is_busy, self, WORK_S))
    {
      g_autofree char *text = g_strdup_printf (
          _ ("%s: after %d seconds the view still works; drawn as it is"), path, WORK_S);

      complain (self, text);
    }
  stria_picture_check (GTK_WIDGET (self->window), name);
  if (!stria_widget_picture_save (GTK_WIDGET (self->window), self->scale, path, &width, &height,
                                  &error))
    {
      complain (self, error->message);
      return;
    }
  self->n_drawn++;
  g_print ("%s\t%d×%d\t%s\n", path, width, height, title);
}

static void
on_page (const char *name, const char *title, gpointer data)
{
  draw (data, name, title);
}

static gboolean
is_wanted (StriaPictureRun *self, const char *id)
{
  return self->wanted == NULL || g_strv_contains ((const char *const *) self->wanted, id);
}

static gpointer
busiest_in_thread (gpointer trace)
{
  StriaRef ref = stria_busiest_event (trace);

  return g_memdup2 (&ref, sizeof ref);
}

static StriaRef
busiest_event (StriaPictureRun *self, StriaTrace *trace)
{
  GThread *thread = g_thread_new ("busiest", busiest_in_thread, trace);
  g_autofree StriaRef *ref = NULL;

  stria_picture_settle (GTK_WIDGET (self->window), NULL, NULL, WORK_S);
  ref = g_thread_join (thread);
  return *ref;
}

static GtkWidget *
mapped_details (StriaPictureRun *self)
{
  stria_picture_settle (GTK_WIDGET (self->window), is_busy, self, WORK_S);
  return stria_picture_find (GTK_WIDGET (self->window), STRIA_TYPE_DETAILS, TRUE);
}

static void
draw_details (StriaPictureRun *self, StriaSession *session, StriaTrace *trace, const char *title)
{
  const StriaRef ref = busiest_event (self, trace);
  g_autofree char *text = g_strdup_printf ("%s, %s", title, _ ("Details"));
  GtkWidget *details;
  gboolean is_asked_for;

  if (stria_ref_is_none (ref))
    return;
  stria_session_reveal (session, ref);
  details = mapped_details (self);
  /* Beside narrow timelines there is no room for them, until they are asked for. */
  is_asked_for = details == NULL;
  if (is_asked_for)
    gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-details", NULL);
  if (is_asked_for)
    details = mapped_details (self);
  if (details != NULL)
    stria_picture_each_page (details, "timeline-details", text, on_page, self);
  if (is_asked_for)
    gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-details", NULL);
  stria_session_select (session, STRIA_REF_NONE);
  stria_session_fit (session);
}

/* What stands below the timeline, with everything selected */
static void
draw_below (StriaPictureRun *self, StriaSession *session, StriaTrace *trace, const char *title)
{
  static const struct
  {
    const char *page;
    const char *title;
  } below[] = {
    { "statistics", N_ ("Selection") },
    { "annotations", N_ ("Annotations") },
    { "regions", N_ ("Regions") },
    { "warnings", N_ ("Warnings") },
  };
  GtkWidget *panel
      = stria_picture_find (GTK_WIDGET (self->window), STRIA_TYPE_BOTTOM_PANEL, FALSE);
  gint64 t0, t1;

  if (panel == NULL || !stria_trace_get_view_range (trace, &t0, &t1))
    return;
  stria_session_set_range (session, t0, t1, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (below); i++)
    {
      g_autofree char *name = g_strdup_printf ("timeline-%s", below[i].page);
      g_autofree char *text = g_strdup_printf ("%s, %s", title, _ (below[i].title));

      stria_bottom_panel_open (STRIA_BOTTOM_PANEL (panel), below[i].page);
      draw (self, name, text);
    }
  stria_bottom_panel_toggle (STRIA_BOTTOM_PANEL (panel));
  stria_session_clear_range (session);
}

static void
draw_view (StriaPictureRun *self, guint i)
{
  GtkWidget *window = GTK_WIDGET (self->window);
  StriaSession *session = stria_capture_page_get_session (page_of (self));
  StriaTrace *trace;
  GtkWidget *view;

  gtk_widget_activate_action (window, "win.show-view", "s", views[i].id);
  stria_picture_settle (window, is_busy, self, WORK_S);
  view = stria_picture_find (window, views[i].get_type (), TRUE);
  if (view == NULL)
    return;
  stria_picture_each_page (view, views[i].id, _ (views[i].title), on_page, self);
  trace = stria_session_get_trace (session);
  if (i > 0 || trace == NULL || stria_trace_get_n_events (trace) == 0)
    return;
  draw_below (self, session, trace, _ (views[i].title));
  draw_details (self, session, trace, _ (views[i].title));
}

static void
draw_comparison (StriaPictureRun *self)
{
  GtkWidget *page = stria_picture_find (GTK_WIDGET (self->window),
                                        STRIA_TYPE_TRACE_COMPARE_PAGE, FALSE);
  GtkWidget *tab = page != NULL ? gtk_widget_get_parent (page) : NULL;
  GtkWidget *tabs
      = tab != NULL ? gtk_widget_get_ancestor (gtk_widget_get_parent (tab), GTK_TYPE_STACK) : NULL;

  /* It is listed when somebody asks for it. */
  if (tabs != NULL && self->others != NULL)
    stria_views_reveal (GTK_STACK (tabs), "compare");
  for (guint i = 0; page != NULL && self->others != NULL && self->others[i] != NULL; i++)
    {
      g_autofree char *path = g_canonicalize_filename (self->others[i], NULL);
      const char *paths[] = { path, NULL };

      stria_trace_compare_page_add (STRIA_TRACE_COMPARE_PAGE (page), paths);
    }
}

/* What the window says in place of a capture. Returns: (transfer full) (nullable) */
static char *
dup_message (StriaPictureRun *self)
{
  GtkWidget *status
      = stria_picture_find (GTK_WIDGET (self->window), ADW_TYPE_STATUS_PAGE, TRUE);

  return status != NULL
             ? g_strdup (adw_status_page_get_description (ADW_STATUS_PAGE (status)))
             : NULL;
}

static void
draw_capture (StriaPictureRun *self)
{
  if (page_of (self) == NULL)
    {
      g_autofree char *message = dup_message (self);

      complain (self, message != NULL ? message : _ ("the capture was not opened"));
      return;
    }
  draw_comparison (self);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (is_wanted (self, views[i].id))
      draw_view (self, i);
  if (self->n_drawn == 0 && self->n_failed == 0)
    complain (self, _ ("the capture has none of these views"));
}

/* The frame that is drawn around a window by the program itself is part of the size asked for, and
 * not of the picture. */
static void
make_room (StriaPictureRun *self)
{
  GtkWidget *window = GTK_WIDGET (self->window);

  gtk_window_set_default_size (GTK_WINDOW (window),
                               2 * self->width - gtk_widget_get_width (window),
                               2 * self->height - gtk_widget_get_height (window));
}

int
stria_picture_run (StriaPictureRun *self, GtkApplication *application, const char *const *paths,
                   const StriaTarget *target)
{
  g_return_val_if_fail (self != NULL, 1);

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink",
                FALSE, NULL);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      self->is_dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                                    : ADW_COLOR_SCHEME_FORCE_LIGHT);
  self->window = stria_window_new (application);
  gtk_window_unmaximize (GTK_WINDOW (self->window));
  gtk_window_set_default_size (GTK_WINDOW (self->window), self->width, self->height);
  if (paths[0] != NULL)
    stria_window_open (self->window, paths, target);
  gtk_window_present (GTK_WINDOW (self->window));
  if (!stria_picture_settle (GTK_WIDGET (self->window), is_busy, self, READ_S))
    complain (self, _ ("the capture is still being read; drawn as far as it is"));
  make_room (self);
  if (paths[0] == NULL)
    draw (self, "start", _ ("Start"));
  else
    draw_capture (self);
  gtk_window_destroy (GTK_WINDOW (self->window));
  return self->n_failed > 0 ? 1 : 0;
}
