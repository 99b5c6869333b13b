/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * FlatMaker:
 *
 * Writes FlatBuffers for tests; shares nothing with the reader. Nodes are tables, vectors and
 * strings; they are named by numbers, may be used more than once, and are laid out when the buffer
 * is finished: each behind what points to it.
 */
typedef struct _FlatMaker FlatMaker;

FlatMaker *flat_maker_new  (void);
void       flat_maker_free (FlatMaker *self);

guint32 flat_maker_table  (FlatMaker *self);
guint32 flat_maker_string (FlatMaker *self, const char *text);
/* A vector of @n numbers of @size bytes each, little endian as they stand in memory */
guint32 flat_maker_vector (FlatMaker *self, gconstpointer data, guint32 n, guint size);
/* A vector of nodes, empty at first */
guint32 flat_maker_list   (FlatMaker *self);
void    flat_maker_push   (FlatMaker *self, guint32 list, guint32 node);

/* Fields of a table */
void flat_maker_u8   (FlatMaker *self, guint32 table, guint field, guint8 value);
void flat_maker_u16  (FlatMaker *self, guint32 table, guint field, guint16 value);
void flat_maker_u32  (FlatMaker *self, guint32 table, guint field, guint32 value);
void flat_maker_i32  (FlatMaker *self, guint32 table, guint field, gint32 value);
void flat_maker_u64  (FlatMaker *self, guint32 table, guint field, guint64 value);
void flat_maker_i64  (FlatMaker *self, guint32 table, guint field, gint64 value);
void flat_maker_f32  (FlatMaker *self, guint32 table, guint field, float value);
void flat_maker_f64  (FlatMaker *self, guint32 table, guint field, double value);
void flat_maker_node (FlatMaker *self, guint32 table, guint field, guint32 node);
/* Those that are most often wanted */
void flat_maker_text (FlatMaker *self, guint32 table, guint field, const char *text);

/**
 * flat_maker_finish:
 * @identifier: (nullable): four characters
 * @prefixed: whether the length stands in front
 * @borders: (out) (optional) (transfer full) (element-type guint32): where each vtable, table,
 *   vector and string begins
 *
 * Returns: (transfer full): the buffer
 */
GByteArray *flat_maker_finish (FlatMaker *self, guint32 root, const char *identifier,
                               gboolean prefixed, GArray **borders);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlatMaker, flat_maker_free)

G_END_DECLS
