/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "stria-importer.h"
#include "stria-locale.h"
#include "stria-scan.h"
#include "stria-thumbnail-picture.h"

/* A picture of a capture for file managers. They start it once a file, in a sandbox, and nobody
 * waits for what it says: it draws what it can within bounds, or nothing. */

#define SIZE_DEFAULT 256
#define SIZE_LEAST   16
#define SIZE_MOST    2048
/* Width to height, as file managers show pictures of wide things */
#define ASPECT       1.6
/* Width of the part of a window that a picture shows */
#define WIDTH_UNITS  560.0

/* Then what was read so far is drawn. */
#define READING_SECONDS 4
#define READING_BYTES   ((gsize) 768 << 20)
/* Then it ends without a picture. */
#define TOTAL_SECONDS   15
#define TOTAL_BYTES     ((rlim_t) 3 << 30)
#define LOOK_EVERY_US   (20 * 1000)

typedef struct
{
  StriaImporter *importer;
  GCancellable  *cancellable;
  gint           is_done;
  gboolean       is_read;
} Reading;

static void
give_up (int number)
{
  _exit (1);
}

/* What is wrong with a file is no message for anybody here, and what it takes has an end. */
static void
set_bounds (void)
{
  static const int ends[] = { SIGALRM, SIGABRT, SIGTRAP, SIGXCPU };
  struct rlimit none = { 0, 0 };
  struct rlimit data = { TOTAL_BYTES, TOTAL_BYTES };
  struct sigaction action = { .sa_handler = give_up };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    sigaction (ends[i], &action, NULL);
  setrlimit (RLIMIT_CORE, &none);
  setrlimit (RLIMIT_DATA, &data);
  alarm (TOTAL_SECONDS);
}

static GLogWriterOutput
say_nothing (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  return G_LOG_WRITER_HANDLED;
}

static gsize
resident_bytes (void)
{
  g_autofree char *text = NULL;
  guint64 pages = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    sscanf (text, "%*u %" G_GUINT64_FORMAT, &pages);
  return (gsize) pages * (gsize) sysconf (_SC_PAGESIZE);
}

static gpointer
read_in_thread (gpointer data)
{
  Reading *reading = data;

  reading->is_read = stria_importer_run (reading->importer, reading->cancellable, NULL);
  g_atomic_int_set (&reading->is_done, TRUE);
  return NULL;
}

/* TRUE: the reading has ended in time */
static gboolean
wait_for (Reading *reading)
{
  const gint64 end_us = g_get_monotonic_time () + READING_SECONDS * G_USEC_PER_SEC;

  while (!g_atomic_int_get (&reading->is_done))
    {
      if (g_get_monotonic_time () > end_us || resident_bytes () > READING_BYTES)
        return FALSE;
      g_usleep (LOOK_EVERY_US);
    }
  return TRUE;
}

static int
draw (const char *path, const char *output, int size)
{
  const char *paths[] = { path, NULL };
  const double width = size, height = MAX (1, (int) (size / ASPECT));
  const double scale = width / WIDTH_UNITS;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  StriaCapture *capture = stria_scan (paths, cancellable, NULL);
  Reading reading = { .cancellable = cancellable };
  cairo_surface_t *surface;
  cairo_t *cr;
  gboolean has_drawn;

  if (capture == NULL)
    return 1;
  reading.importer = stria_importer_new (capture);
  stria_importer_set_no_store (reading.importer, TRUE);
  stria_importer_set_reimport (reading.importer, TRUE);
  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width, (int) height);
  cr = cairo_create (surface);

  g_thread_unref (g_thread_new ("read", read_in_thread, &reading));
  if (wait_for (&reading))
    has_drawn = reading.is_read
                && stria_thumbnail_paint (cr, capture, scale, width, height, cancellable);
  else
    has_drawn = stria_thumbnail_paint_part (cr, capture, scale, width, height);

  /* What still reads is not waited for: the process ends with it. */
  _exit (has_drawn && cairo_status (cr) == CAIRO_STATUS_SUCCESS
                 && cairo_surface_write_to_png (surface, output) == CAIRO_STATUS_SUCCESS
             ? 0
             : 1);
}

int
main (int argc, char **argv)
{
  int size = SIZE_DEFAULT;
  g_auto (GStrv) rest = NULL;
  const GOptionEntry entries[] = {
    { "size", 's', 0, G_OPTION_ARG_INT, &size, N_ ("Pixels on the longer side (default 256)"),
      N_ ("PIXELS") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rest, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) options = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  stria_locale_init ();

  options = g_option_context_new (N_ ("CAPTURE PICTURE.png"));
  g_option_context_set_translation_domain (options, GETTEXT_PACKAGE);
  g_option_context_set_summary (options, N_ ("Draws a small picture of a capture."));
  g_option_context_add_main_entries (options, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (options, &argc, &argv, &error)
      || g_strv_length (rest != NULL ? rest : (char *[]){ NULL }) != 2
      || size < SIZE_LEAST || size > SIZE_MOST)
    {
      g_printerr ("stria-thumbnailer: %s\n",
                  error != NULL ? error->message
                                : _ ("expected -s PIXELS (16 to 2048) CAPTURE PICTURE.png"));
      return 2;
    }

  set_bounds ();
  g_log_set_writer_func (say_nothing, NULL, NULL);
  file = g_file_new_for_commandline_arg (rest[0]);
  path = g_file_get_path (file);
  return path != NULL ? draw (path, rest[1], size) : 1;
}
