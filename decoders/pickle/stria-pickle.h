/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"
#include "stria-values.h"

G_BEGIN_DECLS

/**
 * stria_pickle_read:
 * @source: the bytes of a pickle of protocol 2 to 5
 * @values: the machine it drives
 * @name: base name for messages
 * @cut: (out): TRUE when the bytes end before STOP; what was whole has been given
 * @progress: (nullable): called once a block
 *
 * Reads a pickle as data (formats: pytorch-formats A1). No class is looked up and no code is run:
 * the few constructors that only wrap data give that data, all others an opaque value with their
 * name. Bytes behind STOP are legal and left.
 *
 * Returns: FALSE with @error when the pickle is malformed, beyond a cap, of another protocol, or
 * the read was cancelled; what was whole before that has been given to the client
 */
gboolean stria_pickle_read (StriaSource *source, StriaValues *values, const char *name,
                            gboolean *cut, GCancellable *cancellable,
                            void (*progress) (guint64 bytes, gpointer data), gpointer data,
                            GError **error);
/* The same for JSON text, objects as dicts and arrays as lists. */
gboolean stria_json_read_values (StriaSource *source, StriaValues *values, const char *name,
                                 gboolean *cut, GCancellable *cancellable,
                                 void (*progress) (guint64 bytes, gpointer data), gpointer data,
                                 GError **error);

/* Whether @head begins like a pickle of protocol 2 to 5. */
gboolean stria_pickle_sniff (const guint8 *head, gsize length);

G_END_DECLS
