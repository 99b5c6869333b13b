/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* Of a trace_info.pb that is read beside a data file. */
#define STRIA_TRACE_INFO_MAX_BYTES ((gsize) 64 << 20)
/* Interned texts and file descriptors that are kept; more are counted only. */
#define STRIA_TRACE_INFO_MAX_ITEMS (1u << 20)

/* What a data file holds: recovered enum ntrace_message_type. */
typedef enum
{
  STRIA_TRACE_FILE_GENERIC,
  STRIA_TRACE_FILE_EVENTS,
  STRIA_TRACE_FILE_CPU,
  STRIA_TRACE_FILE_MEMORY,
} StriaTraceFileType;

/* Where the descriptor stood. */
typedef enum
{
  STRIA_TRACE_ROLE_EVENTS,  /* ntrace_events */
  STRIA_TRACE_ROLE_CPU,     /* host_stats.cpu_util_measurements */
  STRIA_TRACE_ROLE_MEMORY,  /* host_stats.mem_usage_measurements */
  STRIA_TRACE_ROLE_PROFILE, /* collected_profiles: an .ntff */
} StriaTraceFileRole;

/**
 * StriaTraceFile:
 * @filename: as recorded (a base name or a path of the machine that made it), "" if not recorded
 * @type: a #StriaTraceFileType
 * @n_events: messages in the file as recorded
 * @session_id: 0 if not recorded
 */
typedef struct
{
  char              *filename;
  StriaTraceFileRole role;
  guint32            type;
  gint32             n_events;
  guint32            session_id;
} StriaTraceFile;

/* Texts of one category of interned_data; what the categories are is unknown. */
typedef struct
{
  char       *category;
  GHashTable *texts; /* guint64 -> char, g_int64_hash */
} StriaTraceTexts;

/**
 * StriaTraceInfo:
 *
 * What a trace_info.pb (a message `ntrace_info`, recovered schema) says of the capture of one
 * process. Numbers that are not recorded are 0 and texts NULL, as proto3 has it.
 */
typedef struct
{
  gatomicrefcount refs;
  guint32   arch; /* recovered enum neff_arch: 0..3 */
  gint32    pid;
  char     *instance_id;
  char     *instance_ip;
  char     *instance_type;
  char     *instance_hostname;
  guint32   session_id;
  guint32   data_version;
  guint64   session_begin_ns; /* epoch; session_init_timestamp_ns */
  guint64   session_end_ns;   /* session_close_timestamp_ns */
  guint64   total_events;     /* system_trace_total_event_count */
  guint32   logical_nc_size;

  gboolean  has_ultraserver;
  guint64   ultraserver_id;
  guint32   ultraserver_type;
  guint32   ultraserver_size;
  guint32   ultraserver_index; /* of the instance */

  gboolean  has_host;
  guint32   num_cpus;
  char     *cpu_name;
  guint64   mem_capacity;
  float     cpu_sample_period; /* unit unknown */
  float     mem_sample_period;

  GPtrArray *files;            /* of StriaTraceFile, in the order of the message */
  GPtrArray *texts;            /* of StriaTraceTexts */

  guint64   n_inline_events;   /* events that stand in the message itself (older direct API) */
  guint64   n_unknown_fields;  /* with numbers that the recovered schema does not have */
  guint32   n_known_fields;    /* at the top */
  gboolean  is_cut;            /* the bytes ended inside the message */
} StriaTraceInfo;

StriaTraceInfo *stria_trace_info_ref   (StriaTraceInfo *self);
void            stria_trace_info_unref (StriaTraceInfo *self);

/**
 * stria_trace_info_peek:
 * @bytes: a trace_info.pb, or its beginning
 * @length: how many
 * @whole: whether that is all of it; if not, what was read up to the end is returned
 *
 * Takes only what the recovered schema allows: a known field of another wire type, or a length that
 * leads out of its message, refuses the whole.
 *
 * Returns: (transfer full) (nullable): NULL with @error if the bytes are no such message
 */
StriaTraceInfo *stria_trace_info_peek  (gconstpointer bytes, gsize length, gboolean whole,
                                        GError **error);
/* The first descriptor of that role, or NULL */
const StriaTraceFile *stria_trace_info_file (StriaTraceInfo *self, StriaTraceFileRole role);

/**
 * stria_trace_info_beside:
 *
 * The trace_info.pb that lies in the folder of the context's artifact, among the artifacts of its
 * capture. Reads at most %STRIA_TRACE_INFO_MAX_BYTES of it.
 *
 * Returns: (transfer full) (nullable): NULL if there is none, or if it can't be read
 */
StriaTraceInfo *stria_trace_info_beside (StriaDecodeContext *context);

/* The names that a folder `<instance>_pid_<pid>` in a path gives (documented). FALSE: there is none.
 * @instance: (out) (transfer full) */
gboolean        stria_neuron_path_process (const char *path, char **instance, gint64 *pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTraceInfo, stria_trace_info_unref)

G_END_DECLS
