/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace-info.h"

G_BEGIN_DECLS

/* Where an event's name comes from, the surest first. */
typedef enum
{
  STRIA_NAME_INTERNED, /* a category of interned_data that maps the numbers of the file */
  STRIA_NAME_FILE,     /* a text of the event itself */
  STRIA_NAME_TABLE,    /* recovered table of numbers, for the version of the data */
  STRIA_NAME_TYPE,     /* recovered enum of the older field `type` */
  STRIA_NAME_NUMBER,   /* there is none: "event 11" */
} StriaNameSource;

typedef enum
{
  STRIA_EVENT_ROLE_NONE,
  STRIA_EVENT_ROLE_COPY_IN,  /* host to device */
  STRIA_EVENT_ROLE_COPY_OUT,
} StriaEventRole;

/**
 * StriaEventName:
 * @name: UTF-8; lives as long as the #StriaEventNames
 * @is_hardware: an event of the device, in the device's clock (documented list of names)
 *
 * What an event is called.
 */
typedef struct
{
  const char     *name;
  StriaNameSource source;
  gboolean        is_hardware;
  StriaEventRole  role;
} StriaEventName;

/**
 * StriaEventNames:
 *
 * Names of events. Numbers are not stable between versions of the runtime, so texts that the file
 * brings go before the table of numbers, and the table is used for versions that it names only.
 */
typedef struct _StriaEventNames StriaEventNames;

/* @info: (nullable) */
StriaEventNames *stria_event_names_new     (StriaTraceInfo *info);
void             stria_event_names_free    (StriaEventNames *self);
/* Tells a number that occurs (field event_type), before stria_event_names_settle() */
void             stria_event_names_seen    (StriaEventNames *self, guint32 number);
/* Chooses the category of interned texts that names events, if one does. */
void             stria_event_names_settle  (StriaEventNames *self);
/* The category that was chosen, or NULL */
const char      *stria_event_names_category (StriaEventNames *self);
/* Whether the table of numbers is for this version of the data */
gboolean         stria_event_names_has_table (StriaEventNames *self);
/* @type: field type; @hint: (nullable): field hint */
const StriaEventName *stria_event_names_get (StriaEventNames *self, guint32 number, guint32 type,
                                             const char *hint);
/* The interned text that attribute @key means with @value: that of the category with the
 * attribute's own name. NULL: none */
const char      *stria_event_names_resolve (StriaEventNames *self, const char *key,
                                            const char *value);
/* Stable, untranslated name ("interned") */
const char      *stria_name_source_id      (StriaNameSource source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaEventNames, stria_event_names_free)

G_END_DECLS
