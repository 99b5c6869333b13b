/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "stria-kept-file.h"
#include "stria-newest.h"
#include "stria-regions-private.h"

#include <glib/gi18n-lib.h>

StriaRegionRule *
stria_region_rule_new (StriaRegionKind kind, const char *name, const char *pattern)
{
  StriaRegionRule *self = g_new0 (StriaRegionRule, 1);

  self->kind = kind;
  self->name = g_strdup (name != NULL ? name : "");
  self->pattern = g_strdup (pattern != NULL ? pattern : "");
  self->type1 = g_strdup ("");
  self->type2 = g_strdup ("");
  return self;
}

StriaRegionRule *
stria_region_rule_copy (const StriaRegionRule *self)
{
  StriaRegionRule *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->pattern = g_strdup (self->pattern);
  copy->type1 = g_strdup (self->type1);
  copy->type2 = g_strdup (self->type2);
  return copy;
}

void
stria_region_rule_free (StriaRegionRule *self)
{
  g_free (self->name);
  g_free (self->pattern);
  g_free (self->type1);
  g_free (self->type2);
  g_free (self);
}

static void
region_clear (gpointer data)
{
  StriaRegion *self = data;

  g_free (self->name);
  g_free (self->busy);
}

static void
group_clear (gpointer data)
{
  g_free (((StriaRegionGroup *) data)->title);
}

static int
compare_regions (gconstpointer a, gconstpointer b)
{
  const StriaRegion *x = a;
  const StriaRegion *y = b;

  if (x->t0 != y->t0)
    return x->t0 < y->t0 ? -1 : 1;
  if (x->rule != y->rule)
    return x->rule < y->rule ? -1 : 1;
  return x->t1 > y->t1 ? -1 : x->t1 < y->t1;
}

StriaRegionSet *
stria_region_set_new (StriaTrace *trace, GPtrArray *rules, GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (StriaRegionSet) set = g_new0 (StriaRegionSet, 1);
  StriaRegionSearch search = { trace, set, cancellable };

  g_return_val_if_fail (trace != NULL && rules != NULL, NULL);

  set->regions = g_array_new (FALSE, FALSE, sizeof (StriaRegion));
  set->groups = g_array_new (FALSE, FALSE, sizeof (StriaRegionGroup));
  set->n_of_rule = g_array_new (FALSE, FALSE, sizeof (guint));
  set->absent = g_ptr_array_new_with_free_func (g_free);
  g_array_set_clear_func (set->regions, region_clear);
  g_array_set_clear_func (set->groups, group_clear);
  for (guint i = 0; i < rules->len; i++)
    {
      const guint none = 0;

      g_array_append_val (set->n_of_rule, none);
      g_ptr_array_add (set->absent, NULL);
      if (!stria_region_rule_find (&search, rules->pdata[i], i, error))
        return NULL;
      if (g_array_index (set->n_of_rule, guint, i) == 0 && set->absent->pdata[i] == NULL)
        set->absent->pdata[i] = g_strdup (_ ("Nothing matches"));
    }
  g_array_sort (set->regions, compare_regions);
  if (set->regions->len > 0 && !stria_region_measure (&search, error))
    return NULL;
  return g_steal_pointer (&set);
}

void
stria_region_set_free (StriaRegionSet *self)
{
  g_clear_pointer (&self->regions, g_array_unref);
  g_clear_pointer (&self->groups, g_array_unref);
  g_clear_pointer (&self->n_of_rule, g_array_unref);
  g_clear_pointer (&self->absent, g_ptr_array_unref);
  g_free (self);
}

gboolean
stria_region_value (const StriaRegion *region, int column, double *value)
{
  gint64 number;

  if (column == STRIA_REGION_DURATION)
    number = region->t1 - region->t0;
  else if (column == STRIA_REGION_COUNT)
    number = (gint64) region->count;
  else if (column == STRIA_REGION_BYTES)
    number = region->bytes;
  else
    number = region->busy != NULL ? region->busy[column] : -1;
  *value = (double) number;
  return number >= 0;
}

void
stria_region_spread (const StriaRegionSet *set, guint rule, int column, StriaRegionSpread *spread)
{
  double sum = 0, squares = 0, value;

  *spread = (StriaRegionSpread){ 0 };
  for (guint i = 0; i < set->regions->len; i++)
    {
      const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);

      if ((rule != G_MAXUINT && region->rule != rule)
          || !stria_region_value (region, column, &value))
        continue;
      spread->min = spread->n == 0 ? value : MIN (spread->min, value);
      spread->max = spread->n == 0 ? value : MAX (spread->max, value);
      spread->n++;
      sum += value;
    }
  if (spread->n == 0)
    return;
  spread->mean = sum / spread->n;
  for (guint i = 0; i < set->regions->len; i++)
    {
      const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);

      if ((rule == G_MAXUINT || region->rule == rule)
          && stria_region_value (region, column, &value))
        squares += (value - spread->mean) * (value - spread->mean);
    }
  spread->deviation = sqrt (squares / spread->n);
}

static void
append_csv (GString *csv, const char *text)
{
  g_string_append_c (csv, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *p);
    }
  g_string_append_c (csv, '"');
}

char *
stria_region_set_to_csv (const StriaRegionSet *set, gint64 origin_ns)
{
  g_autoptr (GString) csv = g_string_new ("name,start_ns,duration_ns,slices,bytes");

  for (guint g = 0; g < set->groups->len; g++)
    {
      g_autofree char *title = g_strdup_printf (
          "busy_ns: %s", g_array_index (set->groups, StriaRegionGroup, g).title);

      g_string_append_c (csv, ',');
      append_csv (csv, title);
    }
  g_string_append (csv, "\r\n");
  for (guint i = 0; i < set->regions->len; i++)
    {
      const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);

      append_csv (csv, region->name);
      g_string_append_printf (csv,
                              ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GUINT64_FORMAT ",",
                              region->t0 - origin_ns, region->t1 - region->t0, region->count);
      if (region->bytes >= 0)
        g_string_append_printf (csv, "%" G_GINT64_FORMAT, region->bytes);
      for (guint g = 0; g < set->groups->len; g++)
        if (region->busy[g] >= 0)
          g_string_append_printf (csv, ",%" G_GINT64_FORMAT, region->busy[g]);
        else
          g_string_append_c (csv, ',');
      g_string_append (csv, "\r\n");
    }
  return g_string_free (g_steal_pointer (&csv), FALSE);
}

/* -- the object ------------------------------------------------------------------------------ */

struct _StriaRegions
{
  GObject parent_instance;

  StriaTrace     *trace;
  GPtrArray      *rules;
  StriaRegionSet *set;
  char           *error;
  StriaNewest    *search;
  StriaKeptFile  *file;
};

enum
{
  CHANGED,
  FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaRegions, stria_regions, G_TYPE_OBJECT)

typedef struct
{
  StriaTrace *trace;
  GPtrArray  *rules;
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  stria_trace_unref (self->trace);
  g_ptr_array_unref (self->rules);
  g_free (self);
}

static GPtrArray *
copy_rules (GPtrArray *rules)
{
  GPtrArray *copy = stria_region_rules_new ();

  for (guint i = 0; i < rules->len; i++)
    g_ptr_array_add (copy, stria_region_rule_copy (rules->pdata[i]));
  return copy;
}

static gpointer
prepare (GObject *owner)
{
  StriaRegions *self = STRIA_REGIONS (owner);
  Job *job;

  if (self->trace == NULL || self->rules->len == 0)
    return NULL;
  job = g_new0 (Job, 1);
  job->trace = stria_trace_ref (self->trace);
  job->rules = copy_rules (self->rules);
  return job;
}

static gpointer
run (gpointer question, GCancellable *cancellable, GError **error)
{
  const Job *job = question;

  return stria_region_set_new (job->trace, job->rules, cancellable, error);
}

static void
answer (GObject *owner, gpointer set, const GError *error)
{
  StriaRegions *self = STRIA_REGIONS (owner);

  g_clear_pointer (&self->set, stria_region_set_free);
  g_clear_pointer (&self->error, g_free);
  self->set = set;
  if (error != NULL)
    self->error = g_strdup (error->message);
  g_signal_emit (self, signals[CHANGED], 0);
}

static const StriaNewestFuncs search_funcs = {
  .prepare = prepare,
  .run = run,
  .answer = answer,
  .free_question = job_free,
  .free_answer = (GDestroyNotify) stria_region_set_free,
};

static void
search (StriaRegions *self)
{
  stria_newest_ask (self->search);
  if (stria_newest_is_busy (self->search))
    g_signal_emit (self, signals[CHANGED], 0);
}

/* -- the file -------------------------------------------------------------------------------- */

static char *
file_text (GObject *owner)
{
  GPtrArray *rules = STRIA_REGIONS (owner)->rules;

  return rules->len > 0 ? stria_region_rules_write (rules) : NULL;
}

static gpointer
parse_file (const char *text, gsize length, const char *path, GError **error)
{
  return stria_region_rules_read (text, length, path, error);
}

static void
on_file_read (GObject *owner, gpointer parsed)
{
  StriaRegions *self = STRIA_REGIONS (owner);
  g_autoptr (GPtrArray) rules = parsed;

  for (guint i = 0; i < rules->len && self->rules->len < STRIA_REGIONS_MAX_RULES; i++)
    g_ptr_array_add (self->rules, stria_region_rule_copy (rules->pdata[i]));
  search (self);
}

static void
on_file_failed (GObject *owner, const char *message)
{
  g_signal_emit (owner, signals[FAILED], 0, message);
}

static const StriaKeptFuncs file_funcs = {
  .text = file_text,
  .parse = parse_file,
  .read = on_file_read,
  .failed = on_file_failed,
  .free_parsed = (GDestroyNotify) g_ptr_array_unref,
};

static void
rules_changed (StriaRegions *self)
{
  if (self->file != NULL)
    stria_kept_file_changed (self->file);
  search (self);
}

static void
stria_regions_finalize (GObject *object)
{
  StriaRegions *self = STRIA_REGIONS (object);

  g_clear_pointer (&self->set, stria_region_set_free);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_ptr_array_unref (self->rules);
  g_clear_pointer (&self->search, stria_newest_free);
  g_clear_pointer (&self->file, stria_kept_file_free);
  g_free (self->error);
  G_OBJECT_CLASS (stria_regions_parent_class)->finalize (object);
}

static void
stria_regions_class_init (StriaRegionsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_regions_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
stria_regions_init (StriaRegions *self)
{
  self->rules = stria_region_rules_new ();
  self->search = stria_newest_new (G_OBJECT (self), &search_funcs);
}

StriaRegions *
stria_regions_new (const char *path)
{
  StriaRegions *self = g_object_new (STRIA_TYPE_REGIONS, NULL);

  if (path != NULL)
    self->file = stria_kept_file_new (path, G_OBJECT (self), &file_funcs);
  return self;
}

void
stria_regions_set_trace (StriaRegions *self, StriaTrace *trace)
{
  g_return_if_fail (STRIA_IS_REGIONS (self));

  if (trace == self->trace)
    return;
  g_clear_pointer (&self->trace, stria_trace_unref);
  self->trace = trace != NULL ? stria_trace_ref (trace) : NULL;
  search (self);
}

gboolean
stria_regions_add_rule (StriaRegions *self, StriaRegionRule *rule)
{
  g_return_val_if_fail (STRIA_IS_REGIONS (self) && rule != NULL, FALSE);

  if (self->rules->len >= STRIA_REGIONS_MAX_RULES)
    {
      stria_region_rule_free (rule);
      return FALSE;
    }
  g_ptr_array_add (self->rules, rule);
  rules_changed (self);
  return TRUE;
}

void
stria_regions_remove_rule (StriaRegions *self, guint i)
{
  g_return_if_fail (STRIA_IS_REGIONS (self) && i < self->rules->len);

  g_ptr_array_remove_index (self->rules, i);
  /* What is shown names rules by number. */
  g_clear_pointer (&self->set, stria_region_set_free);
  rules_changed (self);
}

GPtrArray *
stria_regions_get_rules (StriaRegions *self)
{
  g_return_val_if_fail (STRIA_IS_REGIONS (self), NULL);

  return self->rules;
}

const StriaRegionSet *
stria_regions_get (StriaRegions *self)
{
  g_return_val_if_fail (STRIA_IS_REGIONS (self), NULL);

  return self->set;
}

gboolean
stria_regions_is_busy (StriaRegions *self)
{
  g_return_val_if_fail (STRIA_IS_REGIONS (self), FALSE);

  return stria_newest_is_busy (self->search);
}

const char *
stria_regions_get_error (StriaRegions *self)
{
  g_return_val_if_fail (STRIA_IS_REGIONS (self), NULL);

  return self->error;
}

void
stria_regions_flush (StriaRegions *self)
{
  g_return_if_fail (STRIA_IS_REGIONS (self));

  if (self->file != NULL)
    stria_kept_file_flush (self->file);
}
