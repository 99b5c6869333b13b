/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "flat-maker.h"
#include "stria-capture.h"
#include "stria-fact-tables.h"

G_BEGIN_DECLS

/* A profile event; members that are 0 or -1 where the format has such a default are left out. */
typedef struct
{
  const char *name;
  int         chain;
  int         instruction;
  int         delegate; /* 0: none, else the id + 1 */
  const char *delegate_name;
  const char *metadata;
  guint64     start, end;
} DumpEvent;

/**
 * DumpMaker:
 *
 * An ETDump that is being written.
 */
typedef struct
{
  FlatMaker *maker;
  guint32    root;
  guint32    runs;
  guint32    run;    /* the last one */
  guint32    events; /* of the last run */
} DumpMaker;

void       dump_maker_init   (DumpMaker *self);
void       dump_maker_clear  (DumpMaker *self);
void       dump_maker_run    (DumpMaker *self, const char *name);
void       dump_maker_event  (DumpMaker *self, const DumpEvent *event);
/* An event whose field @field is the table @node: 0 profile, 1 allocation, 2 debug event */
void       dump_maker_add    (DumpMaker *self, guint field, guint32 node);
void       dump_maker_allocation (DumpMaker *self, int allocator, guint64 size);
GByteArray *dump_maker_finish (DumpMaker *self, gboolean prefixed, GArray **borders);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DumpMaker, dump_maker_clear)

/* What was read. */
typedef struct
{
  StriaCapture *capture;
  StriaFacts   *facts;
  StriaTrace   *trace;
  GError       *error;
  gboolean      good;
} DumpRead;

void                     dump_read_init   (DumpRead *self, const guint8 *data, gsize length);
void                     dump_read_clear  (DumpRead *self);
gsize                    dump_read_size   (DumpRead *self, guint table);
const StriaDumpEventRow *dump_read_event  (DumpRead *self, guint32 row);
const char              *dump_read_text   (DumpRead *self, guint32 string);
guint64                  dump_read_notices (DumpRead *self, const char *code);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DumpRead, dump_read_clear)

G_END_DECLS
