/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-fact-tables.h"
#include "stria-graph.h"
#include "stria-notices.h"
#include "vgf-maker.h"

G_BEGIN_DECLS

/* Where the VGFs of tests are said to stand in their file */
#define VGF_BASE 4096

/* Result ids of the operators of vgf_reading_words() */
#define VGF_CONV    ID_FREE
#define VGF_RESCALE (ID_FREE + 1)

/* One VGF that was read */
typedef struct
{
  StriaFacts   *facts;
  StriaNotices *notices;
  StriaGraph   *graph; /* NULL if it has none */
  guint32       vgf;
} VgfReading;

/* Facts must hold together whatever the bytes are. */
gboolean           vgf_reading_read  (VgfReading *self, const guint8 *data, gsize length,
                                      GError **error);
/* Bytes that must be good */
void               vgf_reading_make  (VgfReading *self, const VgfMaker *maker);
void               vgf_reading_clear (VgfReading *self);
const StriaVgfRow *vgf_reading_row   (const VgfReading *self);
void               vgf_reading_assert_text (const VgfReading *self, guint32 string,
                                            const char *expected);
/* A node that must be there */
guint32            vgf_reading_find  (const VgfReading *self, const char *id);
/* The @k-th edge into @to must be from @from. */
void               vgf_reading_assert_edge (const VgfReading *self, const char *to, guint k,
                                            const char *from);

/* A CONV2D whose result a RESCALE takes; debug records if asked for. */
GArray            *vgf_reading_words (const char *name, gboolean with_records);
/* An input, a constant and an output, one segment of one module */
VgfMaker           vgf_reading_one   (const VgfMakerModule *module);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgfReading, vgf_reading_clear)

G_END_DECLS
