/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "profile-maker.h"

#define INTERN(text) stria_facts_intern (self->facts, (text), -1)

void
maker_init (ProfileMaker *self)
{
  *self = (ProfileMaker){ .capture = stria_capture_new ("/made/by/hand") };
}

void
maker_clear (ProfileMaker *self)
{
  g_assert_null (self->sink);
  g_object_unref (self->capture);
}

void
maker_begin (ProfileMaker *self, const char *path, guint64 size)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (StriaArtifact) artifact = stria_artifact_new (path, NULL, name, size, 0);

  stria_capture_add_artifact (self->capture, artifact);
  self->sink = stria_capture_open_sink (self->capture, self->n_files);
  self->facts = self->sink->facts (self->sink);
  self->run = STRIA_NO_REF;
}

guint
maker_end (ProfileMaker *self)
{
  guint table;
  guint32 row;

  g_assert_true (stria_facts_check (self->facts, &table, &row));
  stria_capture_close_sink (self->capture, self->sink, TRUE);
  self->sink = NULL;
  self->facts = NULL;
  return self->n_files++;
}

void
maker_record (ProfileMaker *self)
{
  StriaRecordRow row = { .schema_major = 5, .schema_minor = 4, .sha256 = INTERN ("aa") };

  stria_facts_add (self->facts, STRIA_TABLE_RECORD, &row);
}

guint32
maker_method (ProfileMaker *self, const char *name, const MakerNode *nodes, guint n)
{
  StriaGraphBuilder *builder
      = stria_graph_builder_new (self->facts, STRIA_GRAPH_SOURCE, name, name);
  guint32 before
      = stria_graph_builder_node (builder, "x", "x", STRIA_NO_GROUP, STRIA_NODE_INPUT, -1);
  guint32 from = stria_graph_builder_output (builder, "0", "x", NULL);
  StriaRecordMethodRow row
      = { .name = INTERN (name), .in_handle_map = 1, .in_delegate_map = 1, .in_outs_map = 1 };

  for (guint i = 0; i <= n; i++)
    {
      guint32 node = stria_graph_builder_node (
          builder, i < n ? nodes[i].id : "output", i < n ? nodes[i].id : "output", STRIA_NO_GROUP,
          i < n ? STRIA_NODE_OPERATOR : STRIA_NODE_OUTPUT, i < n ? nodes[i].handle : -1);
      if (i < n && nodes[i].stack != NULL)
        stria_graph_builder_attr (builder, "stack_trace", nodes[i].stack);
      if (i < n && nodes[i].modules != NULL)
        stria_graph_builder_attr (builder, "nn_module_stack", nodes[i].modules);
      if (i < n && nodes[i].from_node != NULL)
        stria_graph_builder_attr (builder, "from_node", nodes[i].from_node);
      guint32 to = stria_graph_builder_input (builder, "0", "self", NULL);
      stria_graph_builder_edge (builder, before, from, node, to);
      before = node;
      if (i < n)
        from = stria_graph_builder_output (builder, "0", nodes[i].id, NULL);
    }
  row.graph = stria_graph_builder_finish (builder);
  return stria_facts_add (self->facts, STRIA_TABLE_RECORD_METHOD, &row);
}

void
maker_handle (ProfileMaker *self, guint32 method, gint64 instruction, gint64 handle)
{
  StriaRecordHandleRow row = { method, instruction, handle };

  stria_facts_add (self->facts, STRIA_TABLE_RECORD_HANDLE, &row);
}

guint32
maker_delegate (ProfileMaker *self, guint32 method, gint64 instruction, const char *name)
{
  StriaRecordDelegateRow row = { method, instruction, INTERN (name) };

  return stria_facts_add (self->facts, STRIA_TABLE_RECORD_DELEGATE, &row);
}

void
maker_delegate_handle (ProfileMaker *self, guint32 delegate, const char *id, gint64 handle)
{
  StriaRecordDelegateHandleRow row = { delegate, INTERN (id), handle };

  stria_facts_add (self->facts, STRIA_TABLE_RECORD_DELEGATE_HANDLE, &row);
}

void
maker_dump (ProfileMaker *self)
{
  StriaDumpRow row = { .size_prefixed = 1, .sha256 = INTERN ("bb") };

  stria_facts_add (self->facts, STRIA_TABLE_DUMP, &row);
}

void
maker_run (ProfileMaker *self, const char *name)
{
  StriaDumpRunRow row
      = { .name = INTERN (name),
          .bundled_input = -1,
          .first_event = (guint32) stria_facts_size (self->facts, STRIA_TABLE_DUMP_EVENT) };

  self->run = stria_facts_add (self->facts, STRIA_TABLE_DUMP_RUN, &row);
  self->order = 0;
}

static guint32
add_event (ProfileMaker *self, StriaDumpEventRow *event, guint64 start, guint64 end)
{
  event->run = self->run;
  event->order = self->order++;
  event->delegate_int = -1;
  event->start = start;
  event->end = end;
  event->elapsed = end >= start ? end - start : G_MAXUINT64;
  event->parent = STRIA_NO_REF;
  STRIA_ROWS (self->facts, StriaDumpRunRow, STRIA_TABLE_DUMP_RUN)[self->run].n_events++;
  return stria_facts_add (self->facts, STRIA_TABLE_DUMP_EVENT, event);
}

guint32
maker_event (ProfileMaker *self, StriaDumpEventKind kind, gint32 instruction, const char *name,
             guint64 start, guint64 end)
{
  StriaDumpEventRow event = { .kind = (guint8) kind,
                              .chain = kind == STRIA_DUMP_FRAMEWORK ? -1 : 0,
                              .instruction = instruction,
                              .name = INTERN (name) };

  return add_event (self, &event, start, end);
}

guint32
maker_delegate_event (ProfileMaker *self, gint32 instruction, const char *id, guint64 start,
                      guint64 end)
{
  StriaDumpEventRow event = { .kind = STRIA_DUMP_DELEGATE,
                              .chain = instruction < 0 ? -1 : 0,
                              .instruction = MAX (instruction, 0),
                              .delegate_name = INTERN (id),
                              .name = INTERN (id) };

  return add_event (self, &event, start, end);
}

guint32
maker_payload (ProfileMaker *self, guint32 event, gint32 instruction)
{
  StriaNxPayloadRow row = {
    .event = event,
    .run = self->run,
    .instruction = instruction,
    .schema_version = 2,
    .mode = 0,
    .generation = 1,
    .device_name = INTERN ("Mali-G1"),
    .words_per_task = 16,
    .first_segment = (guint32) stria_facts_size (self->facts, STRIA_TABLE_NX_SEGMENT),
  };

  return stria_facts_add (self->facts, STRIA_TABLE_NX_PAYLOAD, &row);
}

guint32
maker_segment (ProfileMaker *self, guint32 payload, gint64 number, gboolean is_graph)
{
  StriaNxSegmentRow row = {
    .payload = payload,
    .number = number,
    .is_graph = is_graph != FALSE,
    .bind_point = 1,
    .host_visible = 1,
    .relations = STRIA_NO_REF,
    .first_stripe = (guint32) stria_facts_size (self->facts, STRIA_TABLE_NX_STRIPE),
  };

  STRIA_ROWS (self->facts, StriaNxPayloadRow, STRIA_TABLE_NX_PAYLOAD)[payload].n_segments++;
  return stria_facts_add (self->facts, STRIA_TABLE_NX_SEGMENT, &row);
}

void
maker_stripe (ProfileMaker *self, guint32 segment, guint32 number, const char *chain,
              const char *cascade, guint64 cycles)
{
  StriaNxCounterRow counter = { 0, INTERN ("section_0"), cycles };
  StriaNxStripeRow row = {
    .segment = segment,
    .number = number,
    .chain = INTERN (chain),
    .cascade = INTERN (cascade),
    .op_cycles = cycles,
    .total_cycles = cycles,
    .first_counter = (guint32) stria_facts_size (self->facts, STRIA_TABLE_NX_COUNTER),
    .n_counters = 1,
  };

  counter.stripe = stria_facts_add (self->facts, STRIA_TABLE_NX_STRIPE, &row);
  stria_facts_add (self->facts, STRIA_TABLE_NX_COUNTER, &counter);
  STRIA_ROWS (self->facts, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT)[segment].n_stripes++;
}

void
maker_relation (ProfileMaker *self, guint32 segment, const char *chain, const char *fused,
                const char *tosa, const char *type, const char *label)
{
  StriaNxFusedRow fused_row = { segment, INTERN (chain), INTERN (fused) };
  StriaNxTosaRow tosa_row = { segment, INTERN (fused), INTERN (tosa), INTERN (type) };
  StriaNxLabelRow label_row = { segment, INTERN (tosa), INTERN (label) };

  stria_facts_add (self->facts, STRIA_TABLE_NX_FUSED, &fused_row);
  stria_facts_add (self->facts, STRIA_TABLE_NX_TOSA, &tosa_row);
  stria_facts_add (self->facts, STRIA_TABLE_NX_LABEL, &label_row);
}

void
maker_program (ProfileMaker *self, guint64 size, const char *sha256)
{
  StriaProgramRow row
      = { .identifier = INTERN ("ET12"), .file_size = size, .sha256 = INTERN (sha256) };

  stria_facts_add (self->facts, STRIA_TABLE_PROGRAM, &row);
}

static guint32
add_vgf (ProfileMaker *self, guint32 delegate, const char *method)
{
  static const struct
  {
    guint32 segment, id;
    const char *name;
  } operators[] = { { 0, 504, "CONV2D" }, { 0, 505, "RESCALE" }, { 1, 601, "ADD" } };
  StriaVgfRow row
      = { .delegate = delegate,
          .minor = 4,
          .first_segment = (guint32) stria_facts_size (self->facts, STRIA_TABLE_VGF_SEGMENT),
          .n_segments = 2,
          .graph = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH) };
  guint32 vgf = stria_facts_add (self->facts, STRIA_TABLE_VGF, &row);
  StriaGraphBuilder *builder
      = stria_graph_builder_new (self->facts, STRIA_GRAPH_VGF, "vgf", method);
  guint32 first = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_NODE);
  guint32 before
      = stria_graph_builder_node (builder, "mrt_0", "in", STRIA_NO_GROUP, STRIA_NODE_INPUT, -1);

  for (guint i = 0; i < 2; i++)
    {
      StriaVgfSegmentRow segment = {
        .vgf = vgf, .number = i, .type = 1, .name = INTERN (i == 0 ? "graph_segment_0" : "")
      };

      stria_facts_add (self->facts, STRIA_TABLE_VGF_SEGMENT, &segment);
    }
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    {
      guint32 node
          = stria_graph_builder_node (builder, operators[i].name, operators[i].name, STRIA_NO_GROUP,
                                      STRIA_NODE_OPERATOR, operators[i].id);
      StriaVgfOperatorRow op = { .vgf = vgf,
                                 .segment = operators[i].segment,
                                 .spirv_id = operators[i].id,
                                 .name = INTERN (operators[i].name),
                                 .node = first + node };

      stria_facts_add (self->facts, STRIA_TABLE_VGF_OPERATOR, &op);
      stria_graph_builder_edge (builder, before, STRIA_NO_REF, node, STRIA_NO_REF);
      before = node;
    }
  guint32 out
      = stria_graph_builder_node (builder, "mrt_1", "out", STRIA_NO_GROUP, STRIA_NODE_OUTPUT, -1);
  stria_graph_builder_edge (builder, before, STRIA_NO_REF, out, STRIA_NO_REF);
  g_assert_cmpuint (stria_graph_builder_finish (builder), ==, row.graph);
  return vgf;
}

guint32
maker_plan (ProfileMaker *self, const char *name, const char *const *labels, guint n)
{
  StriaGraphBuilder *builder = stria_graph_builder_new (self->facts, STRIA_GRAPH_PLAN, name, name);
  guint32 first_node = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_NODE);
  StriaProgramPlanRow plan = {
    .name = INTERN (name),
    .n_chains = 1,
    .n_inputs = 1,
    .n_outputs = 1,
    .first_instruction = (guint32) stria_facts_size (self->facts, STRIA_TABLE_PROGRAM_INSTRUCTION),
    .n_instructions = n,
    .first_delegate = (guint32) stria_facts_size (self->facts, STRIA_TABLE_PROGRAM_DELEGATE),
  };
  guint32 number;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("%s_0_%u", name, i);

      stria_graph_builder_node (
          builder, id, labels[i], STRIA_NO_GROUP,
          g_str_has_suffix (labels[i], "Backend") ? STRIA_NODE_DELEGATE : STRIA_NODE_OPERATOR, i);
      if (i > 0)
        stria_graph_builder_edge (builder, i - 1, STRIA_NO_REF, i, STRIA_NO_REF);
    }
  plan.graph = stria_graph_builder_finish (builder);
  number = (guint32) stria_facts_size (self->facts, STRIA_TABLE_PROGRAM_PLAN);
  for (guint i = 0; i < n; i++)
    {
      StriaProgramInstructionRow row = { .plan = number,
                                         .number = i,
                                         .type = STRIA_INSTRUCTION_KERNEL,
                                         .label = INTERN (labels[i]),
                                         .delegate = STRIA_NO_REF,
                                         .node = first_node + i };

      if (g_str_has_suffix (labels[i], "Backend"))
        {
          StriaProgramDelegateRow delegate = {
            .plan = number, .number = plan.n_delegates, .id = row.label, .vgf = STRIA_NO_REF
          };

          row.type = STRIA_INSTRUCTION_DELEGATE;
          row.delegate = stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_DELEGATE, &delegate);
          plan.n_delegates++;
          if (g_str_equal (labels[i], "VgfBackend"))
            {
              guint32 vgf = add_vgf (self, row.delegate, name);

              STRIA_ROWS (self->facts, StriaProgramDelegateRow, STRIA_TABLE_PROGRAM_DELEGATE)
              [row.delegate].vgf = vgf;
            }
        }
      stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_INSTRUCTION, &row);
    }
  return stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_PLAN, &plan);
}
