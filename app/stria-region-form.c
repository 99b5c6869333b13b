/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-region-form.h"

#include <glib/gi18n-lib.h>

/* Choices of the first row; several may be of one kind. */
static const struct
{
  const char     *title;
  StriaRegionKind kind;
  const char     *pattern; /* to begin with */
  const char     *hint;
} choices[] = {
  { N_ ("Slices by name"), STRIA_REGION_NAME, "",
    N_ ("A region for each slice with this name. “*” and “?” stand for anything, /…/ is a regular "
        "expression. One inside another counts once.") },
  { N_ ("Steps of the profiler"), STRIA_REGION_NAME, "ProfilerStep#*",
    N_ ("A region for each step that the PyTorch profiler was told of") },
  { N_ ("Layers"), STRIA_REGION_LAYER, "",
    N_ ("A region from the first to the last instruction of each layer, by the path in "
        "Instruction.layer: a pattern is matched with each part of the path (“layers.*”), and of a "
        "regular expression what it matches tells the layers apart (/layer_[0-9]+/)") },
  { N_ ("Modules of a model"), STRIA_REGION_NAME, "nn.Module: *",
    N_ ("A region for each call of a torch.nn module, recorded with with_modules or with_stack; "
        "write "
        "the name of a layer’s class to compare its repeats") },
  { N_ ("Kernels"), STRIA_REGION_KERNEL, "",
    N_ ("A region for each run of a GPU kernel, or for each call of an NKI kernel, by its "
        "outermost "
        "function") },
  { N_ ("Collectives"), STRIA_REGION_COLLECTIVE, "",
    N_ ("A region from the start of a collective of type 1 to the start of the next one of type "
        "2. The "
        "first “Offset” of them are left out, then every “Stride”-th is taken, “Count” at most (0: "
        "all).") },
};

struct _StriaRegionForm
{
  GtkWidget parent_instance;

  GtkWidget *grid;
  GtkWidget *choice;
  GtkLabel  *hint;
  GtkWidget *name;
  GtkWidget *pattern;
  GtkWidget *type1;
  GtkWidget *type2;
  GtkWidget *offset;
  GtkWidget *stride;
  GtkWidget *count;
  GPtrArray *of_collectives; /* widgets */
};

enum
{
  ADD,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaRegionForm, stria_region_form, GTK_TYPE_WIDGET)

static guint
chosen (StriaRegionForm *self)
{
  return MIN (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice)),
              G_N_ELEMENTS (choices) - 1);
}

static void
on_choice (StriaRegionForm *self)
{
  const guint i = chosen (self);

  gtk_editable_set_text (GTK_EDITABLE (self->pattern), choices[i].pattern);
  gtk_label_set_label (self->hint, _ (choices[i].hint));
  for (guint w = 0; w < self->of_collectives->len; w++)
    gtk_widget_set_visible (self->of_collectives->pdata[w],
                            choices[i].kind == STRIA_REGION_COLLECTIVE);
}

static void
on_add (StriaRegionForm *self)
{
  g_signal_emit (self, signals[ADD], 0);
}

static void
stria_region_form_dispose (GObject *object)
{
  StriaRegionForm *self = STRIA_REGION_FORM (object);

  g_clear_pointer (&self->grid, gtk_widget_unparent);
  g_clear_pointer (&self->of_collectives, g_ptr_array_unref);
  G_OBJECT_CLASS (stria_region_form_parent_class)->dispose (object);
}

static void
stria_region_form_class_init (StriaRegionFormClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_region_form_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[ADD] = g_signal_new ("add", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 0);
}

/* A row of the form; returns @field */
static GtkWidget *
add_row (StriaRegionForm *self, int row, const char *title, GtkWidget *field, gboolean collectives)
{
  GtkWidget *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_hexpand (field, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (field), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), field, 1, row, 1, 1);
  if (collectives)
    {
      g_ptr_array_add (self->of_collectives, label);
      g_ptr_array_add (self->of_collectives, field);
    }
  return field;
}

static GtkWidget *
entry_new (StriaRegionForm *self, const char *placeholder)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), placeholder);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (on_add), self);
  return entry;
}

static void
stria_region_form_init (StriaRegionForm *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  GtkWidget *add = gtk_button_new_with_mnemonic (_ ("_Find Regions"));

  self->of_collectives = g_ptr_array_new ();
  self->grid = gtk_grid_new ();
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 9);
  gtk_widget_set_margin_top (self->grid, 6);
  gtk_widget_set_margin_bottom (self->grid, 6);
  gtk_widget_set_margin_start (self->grid, 6);
  gtk_widget_set_margin_end (self->grid, 6);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    gtk_string_list_append (titles, _ (choices[i].title));
  self->choice = add_row (self, 0, _ ("Regions of"),
                          gtk_drop_down_new (g_object_ref (G_LIST_MODEL (titles)), NULL), FALSE);
  self->pattern
      = add_row (self, 1, _ ("Pattern"), entry_new (self, _ ("* or /expression/")), FALSE);
  self->type1 = add_row (self, 2, _ ("Type 1"), entry_new (self, "AllGather*"), TRUE);
  self->type2 = add_row (self, 3, _ ("Type 2"), entry_new (self, "ReduceScatter*"), TRUE);
  self->offset
      = add_row (self, 4, _ ("Offset"), gtk_spin_button_new_with_range (0, 1e6, 1), TRUE);
  self->stride
      = add_row (self, 5, _ ("Stride"), gtk_spin_button_new_with_range (1, 1e6, 1), TRUE);
  self->count = add_row (self, 6, _ ("Count"), gtk_spin_button_new_with_range (0, 1e6, 1), TRUE);
  self->name = add_row (self, 7, _ ("Name"), entry_new (self, _ ("as what matches")), FALSE);
  self->hint = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->hint, TRUE);
  gtk_label_set_max_width_chars (self->hint, 46);
  gtk_label_set_width_chars (self->hint, 40);
  gtk_label_set_xalign (self->hint, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->hint), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->hint), "dim-label");
  gtk_grid_attach (GTK_GRID (self->grid), GTK_WIDGET (self->hint), 0, 8, 2, 1);
  gtk_widget_add_css_class (add, "suggested-action");
  gtk_widget_set_halign (add, GTK_ALIGN_END);
  gtk_grid_attach (GTK_GRID (self->grid), add, 1, 9, 1, 1);
  g_signal_connect_swapped (add, "clicked", G_CALLBACK (on_add), self);
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (on_choice), self);
  on_choice (self);
}

GtkWidget *
stria_region_form_new (void)
{
  return g_object_new (STRIA_TYPE_REGION_FORM, NULL);
}

static char *
text_of (GtkWidget *entry)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
}

static guint
number_of (GtkWidget *spin)
{
  return (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin));
}

StriaRegionRule *
stria_region_form_get_rule (StriaRegionForm *self)
{
  const StriaRegionKind kind = choices[chosen (self)].kind;
  g_autofree char *name = text_of (self->name);
  g_autofree char *pattern = text_of (self->pattern);
  StriaRegionRule *rule = stria_region_rule_new (kind, name, pattern);

  if (kind != STRIA_REGION_COLLECTIVE)
    return rule;
  g_free (rule->type1);
  g_free (rule->type2);
  rule->type1 = text_of (self->type1);
  rule->type2 = text_of (self->type2);
  rule->offset = number_of (self->offset);
  rule->stride = number_of (self->stride);
  rule->count = number_of (self->count);
  return rule;
}

char *
stria_region_form_describe (const StriaRegionRule *rule)
{
  static const char *const kinds[STRIA_REGION_N_KINDS]
      = { N_ ("Slices"), N_ ("Layers"), N_ ("Collectives"), N_ ("Kernels") };
  const char *kind = _ (kinds[rule->kind]);

  if (rule->kind == STRIA_REGION_COLLECTIVE && (rule->type1[0] != '\0' || rule->type2[0] != '\0'))
    return g_strdup_printf ("%s: %s \xe2\x86\x92 %s", kind,
                            rule->type1[0] != '\0' ? rule->type1 : "*",
                            rule->type2[0] != '\0'   ? rule->type2
                            : rule->type1[0] != '\0' ? rule->type1
                                                     : "*");
  return g_strdup_printf ("%s: %s", kind, rule->pattern[0] != '\0' ? rule->pattern : "*");
}
