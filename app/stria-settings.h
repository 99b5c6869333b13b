/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-settings
 *
 * The program's preferences. Where the schema is not installed (a build that runs from its tree
 * without GSETTINGS_SCHEMA_DIR) the defaults hold and changes last as long as the program.
 * Main thread only.
 */

#define STRIA_SETTING_STYLE             "style"
#define STRIA_SETTING_PALETTE           "palette"
/* A text: a state of the timeline's action "lanes.color" */
#define STRIA_SETTING_COLOR_BY          "color-by"
#define STRIA_SETTING_TIME_UNIT         "time-unit"
#define STRIA_SETTING_SHOW_CYCLES       "show-cycles"
/* A text: a name, or empty */
#define STRIA_SETTING_TIME_ZONE         "time-zone"
#define STRIA_SETTING_TOUR_SEEN         "tour-seen"
#define STRIA_SETTING_CACHE_SIZE_GIB    "cache-size-gib"
#define STRIA_SETTING_CACHE_AGE_DAYS    "cache-age-days"
#define STRIA_SETTING_WINDOW_WIDTH      "window-width"
#define STRIA_SETTING_WINDOW_HEIGHT     "window-height"
#define STRIA_SETTING_WINDOW_MAXIMIZED  "window-maximized"
#define STRIA_SETTING_SIDEBAR_WIDTH     "sidebar-width"
#define STRIA_SETTING_SIDEBAR_VISIBLE   "sidebar-visible"
#define STRIA_SETTING_DETAILS_WIDTH     "details-width"
#define STRIA_SETTING_DETAILS_VISIBLE   "details-visible"
#define STRIA_SETTING_STATISTICS_HEIGHT "statistics-height"
/* A list of texts */
#define STRIA_SETTING_SOURCE_FOLDERS    "source-folders"
/* A list of texts, "rule=threshold" */
#define STRIA_SETTING_WARNING_LIMITS    "warning-limits"
/* A text: path of a FileDescriptorSet, or empty */
#define STRIA_SETTING_NEURON_PROTO_FILE "neuron-proto-file"
/* As stria_pane_tree_save() has them */
#define STRIA_SETTING_MODEL_PANES       "model-panes"

/* A text: how the window was laid out last, as stria_layout_to_text() has it, or empty */
#define STRIA_SETTING_LAYOUT            "layout"

/* An a{sas}: keys of actions, where they are not those that an action has at first */
#define STRIA_SETTING_KEYS              "keys"

typedef enum
{
  STRIA_STYLE_SYSTEM,
  STRIA_STYLE_LIGHT,
  STRIA_STYLE_DARK,
} StriaStyle;

/* Whole numbers, flags (0 or 1) and #StriaStyle alike, by key */
int  stria_settings_get (const char *key);
void stria_settings_set (const char *key, int value);
/* Lists of texts. Returns: (transfer full) */
char **stria_settings_get_list (const char *key);
void   stria_settings_set_list (const char *key, const char *const *values);
/* Texts, by key. Returns: (transfer full) */
char  *stria_settings_get_text (const char *key);
void   stria_settings_set_text (const char *key, const char *value);
/* Anything else. Returns: (transfer full) (nullable): NULL where no schema is installed */
GVariant *stria_settings_get_variant (const char *key);
/* @value: of the key's type; a floating one is taken */
void      stria_settings_set_variant (const char *key, GVariant *value);

G_END_DECLS
