/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli-common.h"
#include "cli-json.h"
#include "stria-cache.h"
#include "stria-format.h"
#include "stria-settings.h"

static CliExit
run_cache (CliContext *context, int argc, char **argv)
{
  gboolean           usage = FALSE;
  gboolean           clear = FALSE;
  gboolean           evict = FALSE;
  g_autofree char   *max_size = NULL;
  int                max_age = -1;
  const GOptionEntry entries[] = {
    { "usage", 0, 0, G_OPTION_ARG_NONE, &usage, N_ ("Say what is in it (default)"), NULL },
    { "clear", 0, 0, G_OPTION_ARG_NONE, &clear, N_ ("Remove all stores"), NULL },
    { "evict", 0, 0, G_OPTION_ARG_NONE, &evict,
      N_ ("Remove leftovers of killed imports, then what is too old or too much"), NULL },
    { "max-size", 0, 0, G_OPTION_ARG_STRING, &max_size,
      N_ ("What may stay, as 500M; 0 for no limit (default: as in the preferences)"), N_ ("SIZE") },
    { "max-age", 0, 0, G_OPTION_ARG_INT, &max_age,
      N_ ("Remove stores not opened for so long; 0 for no limit (default: as in the preferences)"), N_ ("DAYS") },
    { NULL },
  };
  g_autoptr (GError) error = NULL;
  g_autofree char   *dir = NULL;
  guint64            max_bytes = (guint64) stria_settings_get (STRIA_SETTING_CACHE_SIZE_GIB) << 30;
  guint64            freed = 0;
  guint64            bytes;
  guint              n_stores;

  if (!cli_parse (context, &cli_command_cache, argc, argv, entries, 0, 0))
    return CLI_USAGE;
  if (clear && evict)
    return cli_usage (context, _ ("--clear and --evict are two things; take one"));
  if (!evict && (max_size != NULL || max_age != -1))
    return cli_usage (context, _ ("--max-size and --max-age belong to --evict"));
  if (max_size != NULL && !cli_parse_bytes (max_size, &max_bytes))
    return cli_usage (context, _ ("“%s” is no size; expected one as 500M or 10G"), max_size);
  if (max_age < -1)
    return cli_usage (context, _ ("--max-age takes a number from 0"));
  if (max_age == -1)
    max_age = stria_settings_get (STRIA_SETTING_CACHE_AGE_DAYS);

  bytes = stria_cache_usage (NULL);
  if (clear && !stria_cache_clear (&error))
    return cli_fail (context, CLI_FAILED, error);
  if (evict)
    stria_cache_evict (max_bytes, (guint) max_age, NULL);
  dir = stria_cache_dir ();
  freed = bytes;
  bytes = stria_cache_usage (&n_stores);
  freed -= MIN (freed, bytes);

  if (context->json)
    {
      CliJson json;

      cli_json_init (&json, stdout, 1);
      cli_json_begin_object (&json, NULL);
      cli_json_string (&json, "path", dir);
      cli_json_uint (&json, "stores", n_stores);
      cli_json_uint (&json, "bytes", bytes);
      cli_json_uint (&json, "freed_bytes", freed);
      cli_json_end_object (&json);
      cli_json_finish (&json);
    }
  else
    {
      g_autofree char *bytes_text = stria_format_bytes ((gint64) bytes);
      g_autofree char *freed_text = stria_format_bytes ((gint64) freed);

      printf (ngettext ("%s: %u store, %s\n", "%s: %u stores, %s\n", n_stores), dir, n_stores,
              bytes_text);
      if (clear || evict)
        printf (_ ("Freed: %s\n"), freed_text);
    }
  return CLI_OK;
}

const CliCommand cli_command_cache = {
  .name = "cache",
  .parameters = N_ ("[--usage|--clear|--evict]"),
  .summary = N_ ("Look after the folder of stores"),
  .run = run_cache,
};
