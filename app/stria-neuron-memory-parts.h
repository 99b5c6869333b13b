/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-neuron-memory-view.h"

#include "stria-address-map.h"
#include "stria-neuron-memory.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_MEMORY_PAGE_SBUF,
  STRIA_MEMORY_PAGE_PSUM,
  STRIA_MEMORY_PAGE_HBM,
  STRIA_MEMORY_PAGE_TENSORS,
  STRIA_MEMORY_PAGE_REPORT,
  STRIA_MEMORY_N_PAGES,
} StriaMemoryPage;

struct _StriaNeuronMemoryView
{
  GtkWidget parent_instance;

  StriaSession      *session;
  StriaNeuronMemory *memory;      /* NULL: not read yet */
  GPtrArray         *tables;      /* StriaTable: that it is read from */
  GPtrArray         *subjects;    /* StriaNeuronProfile; the last may be of the system alone */
  GCancellable      *cancellable; /* of the reading */
  GCancellable      *seeking;     /* of who wrote a range, or of shares */
  guint              n_tables;    /* of the capture when it was read */
  gboolean           filling;
  gboolean           is_narrow;
  guint              turn_id;

  GtkWidget   *box;
  GtkStack    *pages;
  GtkWidget   *bar;
  GtkDropDown *subject_chooser;
  GtkDropDown *where_chooser;     /* core, or memory */
  GtkDropDown *partition_chooser;
  GtkDropDown *color_chooser;
  GtkWidget   *peak_button;
  GtkWidget   *fit_button;
  GtkSpinner  *spinner;
  GtkLabel    *note;
  GtkStack    *content;           /* "map", "tensors", "report", "status" */
  GtkWidget   *paned;
  GtkWidget   *map;
  GtkBox      *panel;
  GtkWidget   *status;
  GtkWidget   *tensors;
  GtkWidget   *report;
  GArray      *cores;             /* gint32, by row of the chooser, of SBUF */
  GArray      *partitions;        /* gint32 */
  GArray      *places;            /* guint: number of the fullness or stack, by row */
};

StriaMemoryPage stria_neuron_memory_view_page (StriaNeuronMemoryView *self);
/* Makes the bar and the note below it; the callbacks are told when another profile, core or memory,
 * or partition is chosen. */
void       stria_neuron_memory_bar_fill    (StriaNeuronMemoryView *self, GCallback on_subject,
                                            GCallback on_where, GCallback on_partition);
/* What is selected, or what there is, beside the map */
void       stria_neuron_memory_panel_fill  (StriaNeuronMemoryView *self);
/* Leads to the row that the selected range was written by. */
void       stria_neuron_memory_panel_seek  (StriaNeuronMemoryView *self);
/* Shows a tensor's first range. FALSE: none names it */
gboolean   stria_neuron_memory_view_reveal (StriaNeuronMemoryView *self, const char *tensor,
                                            gint32 core);

/* Returns: (transfer floating) */
GtkWidget *stria_memory_tensors_new      (StriaNeuronMemoryView *view);
void       stria_memory_tensors_set      (GtkWidget *tensors, StriaNeuronMemory *memory);
GtkWidget *stria_memory_report_new       (StriaNeuronMemory *memory);

G_END_DECLS
