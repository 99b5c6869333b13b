/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "etdump-maker.h"

#include <string.h>

#include "stria-decoder.h"
#include "stria-error.h"

void
dump_maker_init (DumpMaker *self)
{
  self->maker = flat_maker_new ();
  self->root = flat_maker_table (self->maker);
  self->runs = flat_maker_list (self->maker);
  flat_maker_node (self->maker, self->root, 1, self->runs);
}

void
dump_maker_clear (DumpMaker *self)
{
  flat_maker_free (self->maker);
}

void
dump_maker_run (DumpMaker *self, const char *name)
{
  self->run = flat_maker_table (self->maker);
  self->events = flat_maker_list (self->maker);
  if (name != NULL)
    flat_maker_text (self->maker, self->run, 0, name);
  flat_maker_node (self->maker, self->run, 3, self->events);
  flat_maker_push (self->maker, self->runs, self->run);
}

void
dump_maker_add (DumpMaker *self, guint field, guint32 node)
{
  guint32 event = flat_maker_table (self->maker);

  flat_maker_node (self->maker, event, field, node);
  flat_maker_push (self->maker, self->events, event);
}

void
dump_maker_event (DumpMaker *self, const DumpEvent *event)
{
  FlatMaker *maker = self->maker;
  guint32 profile = flat_maker_table (maker);

  if (event->name != NULL)
    flat_maker_text (maker, profile, 0, event->name);
  if (event->chain != 0)
    flat_maker_i32 (maker, profile, 1, event->chain);
  if (event->instruction != -1)
    flat_maker_i32 (maker, profile, 2, event->instruction);
  if (event->delegate != 0)
    flat_maker_i32 (maker, profile, 3, event->delegate - 1);
  if (event->delegate_name != NULL)
    flat_maker_text (maker, profile, 4, event->delegate_name);
  if (event->metadata != NULL)
    flat_maker_node (maker, profile, 5,
                     flat_maker_vector (maker, event->metadata, strlen (event->metadata), 1));
  if (event->start != 0)
    flat_maker_u64 (maker, profile, 6, event->start);
  if (event->end != 0)
    flat_maker_u64 (maker, profile, 7, event->end);
  dump_maker_add (self, 0, profile);
}

void
dump_maker_allocation (DumpMaker *self, int allocator, guint64 size)
{
  guint32 node = flat_maker_table (self->maker);

  if (allocator != 0)
    flat_maker_i32 (self->maker, node, 0, allocator);
  flat_maker_u64 (self->maker, node, 1, size);
  dump_maker_add (self, 1, node);
}

GByteArray *
dump_maker_finish (DumpMaker *self, gboolean prefixed, GArray **borders)
{
  return flat_maker_finish (self->maker, self->root, "ED00", prefixed, borders);
}

void
dump_read_init (DumpRead *self, const guint8 *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, length);
  g_autoptr (StriaArtifact) artifact
      = stria_artifact_new ("/run.etdump", NULL, "run.etdump", length, 0);
  g_autoptr (StriaSource) source = NULL;
  const StriaDecoder *decoder = stria_decoder_by_kind ("etdump");
  StriaSink *sink;

  *self = (DumpRead) { .capture = stria_capture_new ("/run.etdump") };
  stria_capture_add_artifact (self->capture, artifact);
  StriaDecodeContext context = {
    .capture = self->capture,
    .name = "run.etdump",
    .notices = stria_capture_get_notices (self->capture),
  };
  source = stria_source_new_bytes ("run.etdump", bytes, &self->error);
  if (source == NULL)
    return;
  sink = stria_capture_open_sink (self->capture, 0);
  self->good = decoder->decode (source, sink, &context, &self->error);
  g_assert_true (self->good == (self->error == NULL));
  stria_capture_close_sink (self->capture, sink, TRUE);
  self->trace = stria_capture_ref_trace (self->capture);
  self->facts = stria_capture_ref_facts (self->capture, 0);
}

void
dump_read_clear (DumpRead *self)
{
  g_clear_pointer (&self->facts, stria_facts_unref);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_clear_error (&self->error);
  g_clear_object (&self->capture);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

gsize
dump_read_size (DumpRead *self, guint table)
{
  return self->facts != NULL ? stria_facts_size (self->facts, table) : 0;
}

const StriaDumpEventRow *
dump_read_event (DumpRead *self, guint32 row)
{
  g_assert_cmpuint (row, <, dump_read_size (self, STRIA_TABLE_DUMP_EVENT));
  return &STRIA_ROWS (self->facts, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT)[row];
}

const char *
dump_read_text (DumpRead *self, guint32 string)
{
  return stria_facts_text (self->facts, string);
}

guint64
dump_read_notices (DumpRead *self, const char *code)
{
  return stria_notices_total (stria_capture_get_notices (self->capture), code);
}
