/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StriaNeuronName:
 * @hash: (nullable): the number that pairs a profile with its program, as text: it has up to 20 digits
 * @stem: the name without its ending and without what is said by the numbers below
 *
 * What the name of a Neuron file says, by the documented naming rules. Numbers are -1 where the name
 * does not say them.
 */
typedef struct
{
  char  *hash;
  char  *stem;
  gint64 instance_number; /* _instid_N */
  gint64 vnc;             /* logical core: _vnc_N */
  gint64 nc;              /* _nc_N */
  gint64 session;         /* _session_S */
  gint64 rank;            /* _rank_R: worker */
  gint64 exec;            /* _exec_N */
  gint64 pid;             /* of continuous profiling */
  gint64 model;           /* of continuous profiling */
} StriaNeuronName;

/* @name: a base name. FALSE: it ends neither in .ntff nor .neff */
gboolean stria_neuron_name_parse (const char *name, StriaNeuronName *out);
void     stria_neuron_name_clear (StriaNeuronName *self);

/* A folder `<instance>_pid_<pid>`. @instance: (out) (transfer full) */
gboolean stria_neuron_folder_process (const char *folder, char **instance, gint64 *pid);
/* A folder that is a session's start in nanoseconds since the epoch */
gboolean stria_neuron_folder_session (const char *folder, gint64 *start_ns);
/* Rank of `memory_snapshot_rank<R>.pickle` or `neuron_framework_trace_rank_<R>.json`; -1: none */
gint64   stria_neuron_framework_rank (const char *name);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaNeuronName, stria_neuron_name_clear)

G_END_DECLS
