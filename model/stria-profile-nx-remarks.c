/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
stria_profile_count_trouble (StriaProfile *self, GHashTable *troubles, guint8 state, guint32 code,
                             guint32 reason)
{
  static const char *const names[] = {
    [STRIA_NX_OK] = "nx",
    [STRIA_NX_UNAVAILABLE] = "nx-unavailable",
    [STRIA_NX_REJECTED] = "nx-rejected",
    [STRIA_NX_MALFORMED] = "nx-malformed",
  };
  const char *text = stria_facts_text (self->dump, reason);
  const char *short_name = stria_facts_text (self->dump, code);
  g_autofree char *key
      = g_strdup_printf ("%s\x1f%s", state < G_N_ELEMENTS (names) ? names[state] : "nx",
                         text[0] != '\0'         ? text
                         : short_name[0] != '\0' ? short_name
                                                 : _ ("no reason is given"));
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (troubles, key));

  g_hash_table_insert (troubles, g_steal_pointer (&key), GUINT_TO_POINTER (n + 1));
}

/* Several payloads with one reason make one warning. */
void
stria_profile_warn_of_payloads (StriaProfile *self, GHashTable *troubles)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (troubles), (GCompareFunc) strcmp);

  for (GList *l = keys; l != NULL; l = l->next)
    {
      g_auto (GStrv) parts = g_strsplit (l->data, "\x1f", 2);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (troubles, l->data));

      stria_profile_warn (self, parts[0],
                          g_dngettext (GETTEXT_PACKAGE, "%u set of NX statistics: %s",
                                       "%u sets of NX statistics: %s", n),
                          n, parts[1]);
    }
}

/* The number of executions by call that have usable statistics. */
void
stria_profile_warn_of_coverage (StriaProfile *self, GHashTable *seen)
{
  GHashTableIter iter;
  gpointer instruction, count;

  g_hash_table_iter_init (&iter, seen);
  while (g_hash_table_iter_next (&iter, &instruction, &count))
    if (GPOINTER_TO_UINT (count) < self->executions->len)
      stria_profile_warn (self, "payload-missing",
                          _ ("Instruction %d has usable statistics in %u of %u executions."),
                          GPOINTER_TO_INT (instruction), GPOINTER_TO_UINT (count),
                          self->executions->len);
}

void
stria_profile_state_settings (StriaProfile *self, const StriaNxPayloadRow *payload)
{
  const char *assumed = _ ("assumed");

  /* Which ones of those that contradict each other hold, nobody can tell. */
  if (g_str_equal (stria_facts_text (self->dump, payload->code), "settings-conflict"))
    {
      stria_profile_state (self, "statistics_settings", "%s", "conflicting");
      return;
    }

  if (payload->mode >= 0)
    stria_profile_state (self, "statistics_mode", payload->mode_assumed ? "%d (%s)" : "%d",
                         payload->mode, assumed);
  if (payload->generation > 0)
    stria_profile_state (self, "generation", payload->device_assumed ? "Mali-G%d (%s)" : "Mali-G%d",
                         payload->generation, assumed);
  if (stria_facts_text (self->dump, payload->device_name)[0] != '\0')
    stria_profile_state (self, "device", "%s", stria_facts_text (self->dump, payload->device_name));
  stria_profile_state (self, "payload_schema_version", "%d", payload->schema_version);
  if (payload->words_per_task > 0)
    stria_profile_state (self, "words_per_task", "%u", payload->words_per_task);
  stria_profile_state (self, "layout_source", "%s", payload->layout_stated ? "capture" : "table");
  if (payload->mode_assumed)
    stria_profile_assume (self, "nx-mode",
                          _ ("The statistics do not say their mode; they are read as mode 1."));
  if (payload->device_assumed)
    stria_profile_assume (self, "nx-device",
                          _ ("The statistics do not say their device; they are read as those of a "
                             "Mali-G2."));
}
