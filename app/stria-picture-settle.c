/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-picture-settle.h"

#include <sys/syscall.h>
#include <unistd.h>

#define LOOK_MS     20
/* Longer than what views wait for more input before they work */
#define LOOKS_QUIET 16

typedef struct
{
  GtkWidget    *widget;
  StriaBusyFunc is_busy;
  gpointer      data;
  gint64        end_us;
  gint64        frame;
  guint         quiet;
  gboolean      is_late;
  gboolean      is_done;
} Settle;

/* The state of a thread follows its name, which may hold any character: after the last bracket. */
static char
thread_state (const char *id)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%s/stat", id);
  g_autofree char *text = NULL;
  const char *end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 'X';
  end = strrchr (text, ')');
  return end != NULL && end[1] == ' ' ? end[2] : 'X';
}

/* Every kind of work is seen this way, whoever started it. Threads that wait sleep. */
static gboolean
a_thread_works (void)
{
  g_autofree char *self = g_strdup_printf ("%ld", (long) syscall (SYS_gettid));
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *id;

  while (tasks != NULL && (id = g_dir_read_name (tasks)) != NULL)
    {
      const char state = g_str_equal (id, self) ? 'S' : thread_state (id);

      if (state == 'R' || state == 'D')
        return TRUE;
    }
  return FALSE;
}

static gboolean
a_spinner_turns (GtkWidget *widget)
{
  if (!gtk_widget_get_mapped (widget))
    return FALSE;
  if (GTK_IS_SPINNER (widget) && gtk_spinner_get_spinning (GTK_SPINNER (widget)))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (a_spinner_turns (child))
      return TRUE;
  return FALSE;
}

static gboolean
look (gpointer user_data)
{
  Settle *settle = user_data;
  GdkFrameClock *clock = gtk_widget_get_frame_clock (settle->widget);
  const gint64 frame = clock != NULL ? gdk_frame_clock_get_frame_counter (clock) : -1;
  const gboolean is_quiet
      = frame >= 0 && frame == settle->frame && gtk_widget_get_mapped (settle->widget)
        && !g_main_context_pending (NULL)
        && (settle->is_busy == NULL || !settle->is_busy (settle->data)) && !a_thread_works ()
        && !a_spinner_turns (settle->widget);

  settle->frame = frame;
  settle->quiet = is_quiet ? settle->quiet + 1 : 0;
  settle->is_late = settle->quiet < LOOKS_QUIET && g_get_monotonic_time () > settle->end_us;
  settle->is_done = settle->is_late || settle->quiet >= LOOKS_QUIET;
  return settle->is_done ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

gboolean
stria_picture_settle (GtkWidget *widget, StriaBusyFunc is_busy, gpointer data, guint limit_s)
{
  Settle settle = { .widget = widget, .is_busy = is_busy, .data = data, .frame = -1 };

  g_return_val_if_fail (GTK_IS_WIDGET (widget), FALSE);

  settle.end_us = g_get_monotonic_time () + (gint64) limit_s * G_USEC_PER_SEC;
  /* After all else that is ready, so that what waits in the loop gets its turn first. */
  g_timeout_add_full (G_PRIORITY_LOW, LOOK_MS, look, &settle, NULL);
  while (!settle.is_done)
    g_main_context_iteration (NULL, TRUE);
  return !settle.is_late;
}
