/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-names.h"

#include <string.h>

/* Takes `_WORD_<digits>` off the end of @stem. */
static gboolean
take_number (char *stem, const char *word, gint64 *number)
{
  gsize length = strlen (stem), digits = 0, n = strlen (word);
  gint64 value = 0;

  while (digits < length && g_ascii_isdigit (stem[length - 1 - digits]))
    digits++;
  if (digits == 0 || digits > 18 || length < digits + n + 2)
    return FALSE;
  char *at = stem + length - digits - n - 2;
  if (at[0] != '_' || strncmp (at + 1, word, n) != 0 || at[1 + n] != '_')
    return FALSE;
  for (gsize i = length - digits; i < length; i++)
    value = value * 10 + (stem[i] - '0');
  *number = value;
  *at = '\0';
  return TRUE;
}

static gboolean
is_number (const char *text)
{
  gsize n = strspn (text, "0123456789");

  return n > 0 && text[n] == '\0';
}

/* `model_<id>_pid_<pid>_vnc_<vnc>_inst_<inst>_<yyyymmdd>_<hhmmss>` */
static gboolean
take_continuous (StriaNeuronName *self)
{
  g_autofree char *stem = g_strdup (self->stem);
  gsize length = strlen (stem);
  StriaNeuronName found = *self;

  if (length < 16 || stem[length - 7] != '_' || stem[length - 16] != '_'
      || strspn (stem + length - 6, "0123456789") != 6
      || strspn (stem + length - 15, "0123456789") != 8)
    return FALSE;
  stem[length - 16] = '\0';
  if (!take_number (stem, "inst", &found.instance_number) || !take_number (stem, "vnc", &found.vnc)
      || !take_number (stem, "pid", &found.pid) || !g_str_has_prefix (stem, "model_")
      || !is_number (stem + strlen ("model_")) || strlen (stem) > strlen ("model_") + 18)
    return FALSE;
  found.model = g_ascii_strtoll (stem + strlen ("model_"), NULL, 10);
  *self = found;
  return TRUE;
}

gboolean
stria_neuron_name_parse (const char *name, StriaNeuronName *out)
{
  gboolean is_profile = g_str_has_suffix (name, ".ntff");

  *out = (StriaNeuronName){ .instance_number = -1,
                            .vnc = -1,
                            .nc = -1,
                            .session = -1,
                            .rank = -1,
                            .exec = -1,
                            .pid = -1,
                            .model = -1 };
  if (!is_profile && !g_str_has_suffix (name, ".neff"))
    return FALSE;
  out->stem = g_strndup (name, strlen (name) - strlen (".ntff"));
  if (is_profile && take_continuous (out))
    return TRUE;
  if (is_profile)
    {
      take_number (out->stem, "exec", &out->exec);
      take_number (out->stem, "rank", &out->rank);
      if (take_number (out->stem, "session", &out->session))
        take_number (out->stem, "nc", &out->nc);
    }
  if (take_number (out->stem, "vnc", &out->vnc))
    take_number (out->stem, "instid", &out->instance_number);
  if (is_profile && is_number (out->stem))
    out->hash = g_strdup (out->stem);
  else if (!is_profile && g_str_has_prefix (out->stem, "neff_") && is_number (out->stem + 5))
    out->hash = g_strdup (out->stem + 5);
  else if (!is_profile && g_str_has_prefix (out->stem, "graph_") && out->stem[6] != '\0')
    out->hash = g_strdup (out->stem + 6);
  return TRUE;
}

void
stria_neuron_name_clear (StriaNeuronName *self)
{
  g_clear_pointer (&self->hash, g_free);
  g_clear_pointer (&self->stem, g_free);
}

gboolean
stria_neuron_folder_process (const char *folder, char **instance, gint64 *pid)
{
  g_autofree char *stem = g_strdup (folder);

  if (!take_number (stem, "pid", pid) || stem[0] == '\0')
    return FALSE;
  *instance = g_steal_pointer (&stem);
  return TRUE;
}

gboolean
stria_neuron_folder_session (const char *folder, gint64 *start_ns)
{
  gsize n = strlen (folder);

  /* Nanoseconds since the epoch have had 19 digits since 2001 and will until 2286. */
  if (!is_number (folder) || n != 19 || folder[0] < '1')
    return FALSE;
  *start_ns = g_ascii_strtoll (folder, NULL, 10);
  return TRUE;
}

gint64
stria_neuron_framework_rank (const char *name)
{
  static const char *const marks[]
      = { "memory_snapshot_rank_", "memory_snapshot_rank", "neuron_framework_trace_rank_" };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (g_str_has_prefix (name, marks[i]))
      {
        const char *digits = name + strlen (marks[i]);
        gsize n = strspn (digits, "0123456789");

        if (n > 0 && n < 18 && (digits[n] == '.' || digits[n] == '\0'))
          return g_ascii_strtoll (digits, NULL, 10);
      }
  return -1;
}
