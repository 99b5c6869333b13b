/* SPDX-License-Identifier: Apache-2.0 */
/* What the details say of an event, section by section */
#include "config.h"

#include "stria-details-private.h"

#include <glib/gi18n-lib.h>

#include "stria-details-rows.h"
#include "stria-event-info.h"
#include "stria-format.h"
#include "stria-neuron-clock.h"
#include "stria-records.h"
#include "stria-row-card.h"
#include "stria-source-link.h"
#include "stria-swatch.h"

/* Of one kind of link, and frames of a stack, before "Show all" */
#define FIRST_LINKS  8
#define FIRST_FRAMES 16
/* Of a name, before it is cut */
#define MAX_NAME_BYTES 1000

static void
on_link_clicked (GtkButton *button, StriaDetails *self)
{
  const StriaRef *ref = g_object_get_data (G_OBJECT (button), "ref");

  stria_session_reveal (self->session, *ref);
}

static GtkWidget *
link_new (StriaDetails *self, StriaRef ref, const char *text, const char *note, const char *tooltip)
{
  g_autofree char *shown = stria_text_cut (text, MAX_NAME_BYTES);
  GtkWidget *button = stria_details_link_new (shown, note, text, tooltip);

  g_object_set_data_full (G_OBJECT (button), "ref", g_memdup2 (&ref, sizeof ref), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_link_clicked), self, 0);
  return button;
}

static void
on_show_all (GtkButton *button, GtkWidget *rest)
{
  gtk_widget_set_visible (rest, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (button), FALSE);
}

/* The box for the links behind the first few, which a button brings out. */
static GtkWidget *
rest_new (GtkBox *body, guint n_hidden)
{
  GtkWidget *rest = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *label = g_strdup_printf (ngettext ("Show %u more", "Show %u more", n_hidden),
                                            n_hidden);
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_visible (rest, FALSE);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "caption");
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_show_all), rest, 0);
  gtk_box_append (body, rest);
  gtk_box_append (body, button);
  return rest;
}

static char *
delta_text (gint64 delta_ns)
{
  g_autofree char *text = stria_format_duration (delta_ns, 4);

  return delta_ns > 0 ? g_strdup_printf ("+%s", text) : g_steal_pointer (&text);
}

void
stria_details_add_links (StriaDetails *self, StriaEventLinkKind kind, const char *title, guint n_all, guint64 id)
{
  GArray *links = self->info->links;
  g_autofree char *note = NULL;
  GtkWidget *section, *body;
  GtkBox *box;
  guint n = 0, shown = 0;

  for (guint i = 0; i < links->len; i++)
    if (g_array_index (links, StriaEventLink, i).kind == kind)
      n++;
  if (n == 0)
    return;

  n_all = MAX (n_all, n);
  if (id != 0)
    note = n_all > 1 ? g_strdup_printf ("%" G_GUINT64_FORMAT " · %u", id, n_all)
                     : g_strdup_printf ("%" G_GUINT64_FORMAT, id);
  else if (n_all > 1)
    note = g_strdup_printf ("%u", n_all);
  section = stria_details_section_new (title, note, &body);
  box = GTK_BOX (body);
  for (guint i = 0; i < links->len; i++)
    {
      const StriaEventLink *link = &g_array_index (links, StriaEventLink, i);
      g_autofree char *delta = NULL;
      g_autofree char *tooltip = NULL;
      g_autofree char *flow = NULL;
      g_autofree char *name = NULL;

      if (link->kind != kind)
        continue;
      if (shown++ == FIRST_LINKS && n > FIRST_LINKS + 1)
        box = GTK_BOX (rest_new (box, n - FIRST_LINKS));
      delta = delta_text (link->delta_ns);
      if (link->label != NULL && *link->label != '\0')
        flow = g_strdup_printf (link->backwards ? _ ("\nFlow “%s”, which ends before it starts")
                                                : _ ("\nFlow “%s”"),
                                link->label);
      name = stria_text_cut (link->name, MAX_NAME_BYTES);
      tooltip = g_strdup_printf ("%s\n%s · %s%s", name, link->lane, delta,
                                 flow != NULL ? flow : "");
      gtk_box_append (box, link_new (self, link->ref, link->name, delta, tooltip));
    }
  if (n_all > n)
    {
      g_autofree char *text = g_strdup_printf (ngettext ("and %u more event", "and %u more events",
                                                         n_all - n),
                                               n_all - n);
      GtkWidget *label = gtk_label_new (text);

      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_add_css_class (label, "caption");
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_box_append (GTK_BOX (body), label);
    }
  gtk_box_append (self->content, section);
}

void
stria_details_add_stack (StriaDetails *self)
{
  GArray *stack = self->info->stack;
  g_autofree char *note = NULL;
  GtkWidget *section, *body;
  GtkBox *box;

  if (stack->len == 0)
    return;
  note = g_strdup_printf ("%u", stack->len);
  section = stria_details_section_new (self->info->stack_is_python ? _ ("Call Stack")
                                                                   : _ ("Enclosing Slices"),
                                       note, &body);
  box = GTK_BOX (body);
  for (guint i = 0; i < stack->len; i++)
    {
      const StriaEventLink *frame = &g_array_index (stack, StriaEventLink, i);
      g_autofree char *name = stria_text_cut (frame->name, MAX_NAME_BYTES);
      g_autofree char *tooltip = g_strdup_printf ("%s\n%s", name, frame->lane);

      if (i == FIRST_FRAMES && stack->len > FIRST_FRAMES + 1)
        box = GTK_BOX (rest_new (box, stack->len - FIRST_FRAMES));
      gtk_box_append (box, link_new (self, frame->ref, frame->name, NULL, tooltip));
    }
  gtk_box_append (self->content, section);
}

static void
add_cycles (const StriaEventInfo *info, GtkWidget *table)
{
  const double cycles = (double) info->dur_ns * info->core_ghz;
  g_autofree char *text = NULL;
  g_autofree char *clock = NULL;
  g_autofree char *source = NULL;

  if (cycles <= 0)
    return;
  text = stria_format_count ((guint64) (cycles + 0.5));
  clock = stria_format_value (info->core_ghz, "GHz");
  source = g_strdup_printf (_ ("Duration times the clock of the core, %s (neuroncore_clock_freq)"),
                            clock);
  stria_details_table_add (table, _ ("Cycles"), text, source);
}

void
stria_details_add_times (StriaDetails *self, GtkWidget *table)
{
  const StriaEventInfo *info = self->info;
  gboolean wall = gtk_toggle_button_get_active (self->wall_button) && info->has_wall;
  g_autofree char *start = NULL;
  g_autofree char *exact = NULL;

  start = wall ? stria_format_wall (info->wall_ns, NULL) : stria_format_time (info->relative_ns, 1);
  exact = stria_format_ns (info->start_ns);
  stria_details_table_add (table, _ ("Start"), start, exact);

  if (info->dur_ns >= 0)
    {
      g_autofree char *dur = stria_format_time (info->dur_ns, 1);
      g_autofree char *dur_exact = stria_format_ns (info->dur_ns);
      g_autofree char *self_time = stria_format_time (info->self_ns, 1);
      g_autofree char *percent = NULL;
      g_autofree char *self_text = NULL;

      stria_details_table_add (table, _ ("Duration"), dur, dur_exact);
      add_cycles (info, table);
      percent = stria_format_percent (
          info->dur_ns > 0 ? (double) info->self_ns / (double) info->dur_ns : 0);
      /* Translators: a time and the part of the duration that it is */
      self_text = g_strdup_printf (_ ("%s (%s)"), self_time, percent);
      if (info->n_children > 0)
        stria_details_table_add (table, _ ("Self time"), self_text,
                                 _ ("Duration less that of its direct children"));
      if (info->flags & STRIA_EVENT_UNFINISHED)
        stria_details_table_add (table, _ ("Unfinished"), _ ("Has no end in the file"), NULL);
      if (info->flags & STRIA_EVENT_NEGATIVE_DUR)
        stria_details_table_add (table, _ ("Note"), _ ("Its duration in the file is below zero"),
                                 NULL);
      if (info->flags & STRIA_EVENT_CLAMPED)
        stria_details_table_add (table, _ ("Note"), _ ("Its time in the file is out of range"),
                                 NULL);
    }
  if (info->is_counter)
    {
      g_autofree char *value = stria_format_value (info->value, info->unit);

      stria_details_table_add (table, _ ("Value"), value, NULL);
    }
}

/* "12 MiB (3 blocks)". Returns: (transfer full) */
static char *
blocks_text (guint64 bytes, guint64 n)
{
  g_autofree char *size = stria_format_bytes ((gint64) bytes);
  g_autofree char *count = stria_format_count (n);

  /* Translators: a size, and how many blocks of memory it is */
  return g_strdup_printf (ngettext ("%s (%s block)", "%s (%s blocks)", n), size, count);
}

void
stria_details_add_allocations (StriaDetails *self, GtkWidget *table)
{
  const StriaAllocWindow *window = &self->info->allocations;
  g_autofree char *allocated = NULL, *alive = NULL;

  if (!self->info->has_allocations || window->n_allocated == 0)
    return;
  allocated = blocks_text (window->allocated_bytes, window->n_allocated);
  alive = blocks_text (window->alive_bytes, window->n_alive);
  stria_details_table_add (table, _ ("Allocated"), allocated,
                           _ ("By PyTorch's allocators while it ran, in any thread; the events of the "
                              "snapshot have whole microseconds"));
  stria_details_table_add (table, _ ("Alive at its end"), alive, NULL);
}

void
stria_details_add_place (StriaDetails *self, GtkWidget *table)
{
  const StriaEventInfo *info = self->info;

  stria_details_table_add (table, _ ("Thread"), info->lane, NULL);
  stria_details_table_add (table, _ ("Process"), info->process, NULL);
  if (info->dur_ns >= 0)
    {
      g_autofree char *depth = g_strdup_printf ("%u", info->depth);

      stria_details_table_add (table, _ ("Depth"), depth, NULL);
    }
  if (!stria_ref_is_none (info->parent))
    stria_details_table_add_widget (table, _ ("Parent"),
                                    link_new (self, info->parent, info->parent_name, NULL, NULL));
  if (info->n_children > 0)
    {
      g_autofree char *count = stria_format_count (info->n_children);
      g_autofree char *text = g_strdup_printf (ngettext ("%s slice", "%s slices", info->n_children),
                                               count);
      GtkWidget *button = stria_details_link_new (text, NULL, NULL, _ ("Go to the first child"));

      g_object_set_data_full (G_OBJECT (button), "ref",
                              g_memdup2 (&info->first_child, sizeof (StriaRef)), g_free);
      g_signal_connect_object (button, "clicked", G_CALLBACK (on_link_clicked), self, 0);
      stria_details_table_add_widget (table, _ ("Children"), button);
    }
}

void
stria_details_add_args (StriaDetails *self)
{
  const StriaEventInfo *info = self->info;
  GtkWidget *section, *body;

  if (info->args_error != NULL)
    {
      section = stria_details_section_new (_ ("Arguments"), NULL, &body);
      gtk_box_append (GTK_BOX (body), gtk_label_new (info->args_error));
      gtk_box_append (self->content, section);
    }
  if (info->row != NULL)
    {
      stria_row_card_set_row (STRIA_ROW_CARD (self->row_card), info->row);
      gtk_box_append (self->content, self->row_card);
      return;
    }
  if (info->args == NULL || (info->fields != NULL && info->fields->children != NULL &&
                             info->fields->children->len == 0))
    return;

  section = stria_details_section_new (_ ("Arguments"), NULL, &body);
  if (info->fields != NULL && info->fields->type == STRIA_FIELD_OBJECT)
    {
      GtkWidget *table = stria_details_table_new ();

      for (guint i = 0; i < info->fields->children->len; i++)
        {
          const StriaField *field = g_ptr_array_index (info->fields->children, i);

          stria_details_table_add_widget (table, *field->key != '\0' ? field->key : _ ("(no name)"),
                                          stria_details_field_new (field));
        }
      gtk_box_append (GTK_BOX (body), table);
    }
  else
    {
      /* Not an object, or damaged: shown as it stands in the file. */
      g_autofree char *text = stria_event_info_dup_args (info);
      StriaField raw = { .text = text, .type = STRIA_FIELD_STRING };

      gtk_box_append (GTK_BOX (body), stria_details_field_new (&raw));
    }
  gtk_box_append (self->content, section);
}

void
stria_details_add_title (StriaDetails *self)
{
  const StriaEventInfo *info = self->info;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *swatch = stria_swatch_new ();
  g_autofree char *name = stria_text_cut (info->name, MAX_NAME_BYTES);
  GtkWidget *label = gtk_label_new (*name != '\0' ? name : _ ("(no name)"));

  stria_swatch_set_name (STRIA_SWATCH (swatch), info->name);
  gtk_widget_set_valign (swatch, GTK_ALIGN_START);
  gtk_widget_set_margin_top (swatch, 3);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_lines (GTK_LABEL (label), 8);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_focusable (label, FALSE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_tooltip_text (label, name);
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (self->content, box);

  if (info->category != NULL && *info->category != '\0')
    {
      GtkWidget *category = gtk_label_new (info->category);

      gtk_widget_set_halign (category, GTK_ALIGN_START);
      gtk_widget_add_css_class (category, "category");
      gtk_widget_set_tooltip_text (category, _ ("Category"));
      gtk_box_append (self->content, category);
    }
}

/* Instructions of an accelerator say it in columns of their row. */
void
stria_details_add_instruction_source (StriaDetails *self)
{
  /* The last is made from a raw profile's program: often the same place as the one before. */
  static const char *const keys[] = { "nki_source_location", "bir_debug_info_source_location",
                                      "stack_source_location" };
  const char *before = NULL;
  const StriaField *fields = self->info->fields;
  GtkWidget *body = NULL;

  if (fields == NULL || fields->type != STRIA_FIELD_OBJECT)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const StriaField *field = stria_field_get (fields, keys[i]);
      g_autofree char *path = NULL;
      guint line;

      if (field == NULL || field->type != STRIA_FIELD_STRING
          || g_strcmp0 (field->text, before) == 0
          || !stria_source_parse_place (field->text, &path, &line))
        continue;
      if (body == NULL)
        gtk_box_append (self->content, stria_details_section_new (_ ("Source"), NULL, &body));
      gtk_box_append (GTK_BOX (body), stria_source_link_new (field->text, keys[i], path, line));
      before = field->text;
    }
}

/* Functions of Python say where they are in their names. */
void
stria_details_add_source (StriaDetails *self)
{
  g_autofree char *path = NULL;
  g_autofree char *place = NULL;
  const char *function;
  GtkWidget *section, *body;
  guint line;

  if (!stria_source_parse_name (self->info->name, &path, &line, &function))
    return;
  section = stria_details_section_new (_ ("Source"), NULL, &body);
  place = stria_source_text (path, line);
  gtk_box_append (GTK_BOX (body), stria_source_link_new (function, place, path, line));
  gtk_box_append (self->content, section);
}
