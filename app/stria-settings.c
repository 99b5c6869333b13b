/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-settings.h"

static struct
{
  const char *key;
  int         value;
} fallback[] = {
  { STRIA_SETTING_STYLE, STRIA_STYLE_SYSTEM },
  { STRIA_SETTING_PALETTE, 0 },
  { STRIA_SETTING_TIME_UNIT, 0 },
  { STRIA_SETTING_SHOW_CYCLES, FALSE },
  { STRIA_SETTING_TOUR_SEEN, FALSE },
  { STRIA_SETTING_CACHE_SIZE_GIB, 10 },
  { STRIA_SETTING_CACHE_AGE_DAYS, 90 },
  { STRIA_SETTING_WINDOW_WIDTH, 1280 },
  { STRIA_SETTING_WINDOW_HEIGHT, 800 },
  { STRIA_SETTING_WINDOW_MAXIMIZED, FALSE },
  { STRIA_SETTING_SIDEBAR_WIDTH, 240 },
  { STRIA_SETTING_SIDEBAR_VISIBLE, TRUE },
  { STRIA_SETTING_DETAILS_WIDTH, 310 },
  { STRIA_SETTING_DETAILS_VISIBLE, TRUE },
  { STRIA_SETTING_STATISTICS_HEIGHT, 260 },
};

/* g_settings_new() aborts where the schema, or a key that an older schema lacks, is not there. */
static GSettings *
get_settings (const char *key)
{
  static gsize once;
  static GSettings *settings;

  if (g_once_init_enter (&once))
    {
      GSettingsSchemaSource *source = g_settings_schema_source_get_default ();

      if (source != NULL)
        {
          g_autoptr (GSettingsSchema) schema =
              g_settings_schema_source_lookup (source, APP_ID, TRUE);

          if (schema != NULL)
            settings = g_settings_new_full (schema, NULL, NULL);
        }
      g_once_init_leave (&once, 1);
    }

  if (settings != NULL)
    {
      g_autoptr (GSettingsSchema) schema = NULL;

      g_object_get (settings, "settings-schema", &schema, NULL);
      if (g_settings_schema_has_key (schema, key))
        return settings;
    }
  return NULL;
}

static int *
get_fallback (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (fallback); i++)
    if (g_str_equal (fallback[i].key, key))
      return &fallback[i].value;
  g_assert_not_reached ();
}

/**
 * stria_settings_get:
 * @key: one of the STRIA_SETTING_ names
 *
 * Returns: the value of a preference
 */
int
stria_settings_get (const char *key)
{
  GSettings *settings = get_settings (key);
  g_autoptr (GVariant) value = NULL;

  if (settings == NULL)
    return *get_fallback (key);

  value = g_settings_get_value (settings, key);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return g_variant_get_boolean (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32))
    return (int) g_variant_get_uint32 (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT32))
    return g_variant_get_int32 (value);
  return g_settings_get_enum (settings, key);
}

/**
 * stria_settings_set:
 * @key: one of the STRIA_SETTING_ names
 * @value: the new value; one outside the range of the schema is not taken
 */
void
stria_settings_set (const char *key, int value)
{
  GSettings *settings = get_settings (key);
  g_autoptr (GVariant) old = NULL;

  if (settings == NULL)
    {
      *get_fallback (key) = value;
      return;
    }

  old = g_settings_get_value (settings, key);
  if (g_variant_is_of_type (old, G_VARIANT_TYPE_BOOLEAN))
    g_settings_set_boolean (settings, key, value != 0);
  else if (g_variant_is_of_type (old, G_VARIANT_TYPE_STRING))
    g_settings_set_enum (settings, key, value);
  else
    {
      g_autoptr (GVariant) changed =
        g_variant_ref_sink (g_variant_is_of_type (old, G_VARIANT_TYPE_UINT32)
                              ? g_variant_new_uint32 ((guint32) MAX (value, 0))
                              : g_variant_new_int32 (value));
      g_autoptr (GSettingsSchema) schema = NULL;
      g_autoptr (GSettingsSchemaKey) schema_key = NULL;

      g_object_get (settings, "settings-schema", &schema, NULL);
      schema_key = g_settings_schema_get_key (schema, key);
      if (g_settings_schema_key_range_check (schema_key, changed))
        g_settings_set_value (settings, key, changed);
    }
}

/* Where no schema is installed */
static struct
{
  const char *key;
  char      **values;
} fallback_lists[] = {
  { STRIA_SETTING_SOURCE_FOLDERS, NULL },
  { STRIA_SETTING_MODEL_PANES, NULL },
  { STRIA_SETTING_WARNING_LIMITS, NULL },
};

static char ***
get_fallback_list (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (fallback_lists); i++)
    if (g_str_equal (fallback_lists[i].key, key))
      return &fallback_lists[i].values;
  g_assert_not_reached ();
}

/**
 * stria_settings_get_list:
 * @key: one of the names of lists: %STRIA_SETTING_SOURCE_FOLDERS and others
 *
 * Returns: (transfer full): the list, which may be empty
 */
char **
stria_settings_get_list (const char *key)
{
  GSettings *settings = get_settings (key);

  if (settings != NULL)
    return g_settings_get_strv (settings, key);
  return *get_fallback_list (key) != NULL ? g_strdupv (*get_fallback_list (key))
                                          : g_new0 (char *, 1);
}

/**
 * stria_settings_set_list:
 * @key: one of the names of lists: %STRIA_SETTING_SOURCE_FOLDERS and others
 * @values: the new list
 */
void
stria_settings_set_list (const char *key, const char *const *values)
{
  GSettings *settings = get_settings (key);

  if (settings != NULL)
    {
      g_settings_set_strv (settings, key, values);
      return;
    }
  g_strfreev (*get_fallback_list (key));
  *get_fallback_list (key) = g_strdupv ((char **) values);
}

/* Where no schema is installed */
static struct
{
  const char *key;
  char       *value;
} fallback_texts[] = {
  { STRIA_SETTING_NEURON_PROTO_FILE, NULL },
  { STRIA_SETTING_COLOR_BY, NULL },
  { STRIA_SETTING_TIME_ZONE, NULL },
  { STRIA_SETTING_LAYOUT, NULL },
};

static char **
get_fallback_text (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (fallback_texts); i++)
    if (g_str_equal (fallback_texts[i].key, key))
      return &fallback_texts[i].value;
  g_assert_not_reached ();
}

/**
 * stria_settings_get_text:
 * @key: one of the names of texts: %STRIA_SETTING_NEURON_PROTO_FILE and others
 *
 * Returns: (transfer full): the text, which may be empty
 */
char *
stria_settings_get_text (const char *key)
{
  GSettings *settings = get_settings (key);

  if (settings != NULL)
    return g_settings_get_string (settings, key);
  return g_strdup (*get_fallback_text (key) != NULL ? *get_fallback_text (key) : "");
}

/**
 * stria_settings_set_text:
 * @key: one of the names of texts: %STRIA_SETTING_NEURON_PROTO_FILE and others
 * @value: the new text
 */
void
stria_settings_set_text (const char *key, const char *value)
{
  GSettings *settings = get_settings (key);

  if (settings != NULL)
    {
      g_settings_set_string (settings, key, value);
      return;
    }
  g_free (*get_fallback_text (key));
  *get_fallback_text (key) = g_strdup (value);
}

/**
 * stria_settings_get_variant:
 * @key: the name of a preference that is neither number, list nor text: %STRIA_SETTING_KEYS
 *
 * Returns: (transfer full) (nullable): its value, NULL where no schema is installed
 */
GVariant *
stria_settings_get_variant (const char *key)
{
  GSettings *settings = get_settings (key);

  return settings != NULL ? g_settings_get_value (settings, key) : NULL;
}

/**
 * stria_settings_set_variant:
 * @key: the name of a preference that is neither number, list nor text: %STRIA_SETTING_KEYS
 * @value: the new value, of the type of the key; a floating one is taken
 */
void
stria_settings_set_variant (const char *key, GVariant *value)
{
  g_autoptr (GVariant) own = g_variant_ref_sink (value);
  GSettings *settings = get_settings (key);

  if (settings != NULL)
    g_settings_set_value (settings, key, own);
}
