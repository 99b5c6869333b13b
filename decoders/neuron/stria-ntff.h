/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* A device profile (.ntff) of the Neuron profiler. */
extern const StriaDecoder stria_ntff_decoder;

typedef enum
{
  STRIA_NTFF_NOT,      /* none of these */
  STRIA_NTFF_EMPTY,    /* no bytes: a core that did not run; documented as normal */
  STRIA_NTFF_V6,       /* header of version 6, and the message behind it could be read */
  STRIA_NTFF_OLDER,    /* header of version 1..5, or a bare message: see @version, @bare */
  STRIA_NTFF_NEWER,    /* the header's shape, of a version that is not known */
  STRIA_NTFF_DAMAGED,  /* header of a known version, but the message is not there or is not one */
  STRIA_NTFF_SYSTEM,   /* a system profile's message (trace_info.pb) under another name */
} StriaNtffShape;

/**
 * StriaNtffPeek:
 * @shape: what the bytes are; all that follows is 0 or empty for other than V6, OLDER and NEWER
 * @version: format version of the header; 0 for a bare message
 * @bare: there is no header, the message begins at the first byte
 * @message_offset: where the ntff_info message begins
 * @message_length: its length in bytes
 * @name: ntff_info.name, or NULL
 * @uuid: (nullable): ntff_info.uuid in lower-case hexadecimal
 * @node_uids: (element-type utf8): neff_node_info.uid of each node that has one, in hexadecimal
 * @execution_uids: (element-type utf8): uid of each entry of the execution timeline, one a uid,
 *   in order of first appearance
 * @n_executions: entries of the execution timeline
 * @n_graphs: cores' graphs over all nodes
 * @n_session_rings: rings that belong to the session and to no node
 * @instance_id, @instance_type: or NULL
 * @has_pid, @has_start_nc, @has_session_id: whether the file says these
 * @n_records: notification records by the sizes that the message states
 * @partial: the message is longer than what was looked at; lists may be short
 *
 * What identifies a device profile, for pairing it with programs and processes.
 */
typedef struct
{
  StriaNtffShape shape;
  guint          version;
  gboolean       bare;
  guint64        message_offset;
  guint64        message_length;
  char          *name;
  char          *uuid;
  GPtrArray     *node_uids;
  GPtrArray     *execution_uids;
  guint64        n_executions;
  guint64        n_graphs;
  guint64        n_session_rings;
  char          *instance_id;
  char          *instance_type;
  guint64        pid;
  gint64         start_nc;
  guint64        session_id;
  gint64         profile_start_time; /* ns since the epoch, 0: not said */
  gboolean       has_pid;
  gboolean       has_start_nc;
  gboolean       has_session_id;
  guint64        n_records;
  gboolean       partial;
} StriaNtffPeek;

/**
 * stria_ntff_peek:
 * @data: the first bytes of a file, inflated; the first 1 MiB says all that is needed in practice
 * @length: how many
 * @size: length of the whole file, inflated; 0 if it is not known
 * @out: (out caller-allocates): cleared with stria_ntff_peek_clear(), whatever the answer
 *
 * Reads the identity of a device profile from its first bytes; allocates little and reads no blob.
 *
 * Returns: whether the bytes are a device profile: shape EMPTY, V6, OLDER or NEWER
 */
gboolean stria_ntff_peek       (const guint8 *data, gsize length, guint64 size, StriaNtffPeek *out);
void     stria_ntff_peek_clear (StriaNtffPeek *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaNtffPeek, stria_ntff_peek_clear)

G_END_DECLS
