/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-fact-tables.h"

#define COLUMN(Row, member, kind) { #member, G_STRUCT_OFFSET (Row, member), STRIA_FACT_##kind, 0 }
#define REFERENCE(Row, member, table) \
  { #member, G_STRUCT_OFFSET (Row, member), STRIA_FACT_REF, STRIA_TABLE_##table }
/* The next column says how many. */
#define FIRST(Row, member, table) \
  { #member, G_STRUCT_OFFSET (Row, member), STRIA_FACT_FIRST, STRIA_TABLE_##table }

static const StriaFactColumn graph_columns[] = {
  COLUMN (StriaGraphRow, name, STRING),
  COLUMN (StriaGraphRow, method, STRING),
  COLUMN (StriaGraphRow, kind, U8),
  REFERENCE (StriaGraphRow, owner, VGF),
  FIRST (StriaGraphRow, first_group, GRAPH_GROUP),
  COLUMN (StriaGraphRow, n_groups, U32),
  FIRST (StriaGraphRow, first_node, GRAPH_NODE),
  COLUMN (StriaGraphRow, n_nodes, U32),
  FIRST (StriaGraphRow, first_edge, GRAPH_EDGE),
  COLUMN (StriaGraphRow, n_edges, U32),
};

static const StriaFactColumn graph_group_columns[] = {
  REFERENCE (StriaGraphGroupRow, graph, GRAPH),
  REFERENCE (StriaGraphGroupRow, parent, GRAPH_GROUP),
  COLUMN (StriaGraphGroupRow, id, STRING),
  COLUMN (StriaGraphGroupRow, label, STRING),
  COLUMN (StriaGraphGroupRow, kind, U8),
  FIRST (StriaGraphGroupRow, first_attr, GRAPH_ATTR),
  COLUMN (StriaGraphGroupRow, n_attrs, U32),
};

static const StriaFactColumn graph_node_columns[] = {
  REFERENCE (StriaGraphNodeRow, graph, GRAPH),
  REFERENCE (StriaGraphNodeRow, group, GRAPH_GROUP),
  COLUMN (StriaGraphNodeRow, id, STRING),
  COLUMN (StriaGraphNodeRow, label, STRING),
  COLUMN (StriaGraphNodeRow, kind, U8),
  COLUMN (StriaGraphNodeRow, key, I64),
  COLUMN (StriaGraphNodeRow, subgraph, STRING),
  COLUMN (StriaGraphNodeRow, file, STRING),
  COLUMN (StriaGraphNodeRow, line, U32),
  FIRST (StriaGraphNodeRow, first_attr, GRAPH_ATTR),
  COLUMN (StriaGraphNodeRow, n_attrs, U32),
  FIRST (StriaGraphNodeRow, first_input, GRAPH_PORT),
  COLUMN (StriaGraphNodeRow, n_inputs, U32),
  FIRST (StriaGraphNodeRow, first_output, GRAPH_PORT),
  COLUMN (StriaGraphNodeRow, n_outputs, U32),
};

static const StriaFactColumn graph_port_columns[] = {
  REFERENCE (StriaGraphPortRow, node, GRAPH_NODE),
  COLUMN (StriaGraphPortRow, id, STRING),
  COLUMN (StriaGraphPortRow, name, STRING),
  COLUMN (StriaGraphPortRow, type, STRING),
  FIRST (StriaGraphPortRow, first_attr, GRAPH_ATTR),
  COLUMN (StriaGraphPortRow, n_attrs, U32),
};

static const StriaFactColumn graph_edge_columns[] = {
  REFERENCE (StriaGraphEdgeRow, graph, GRAPH),
  REFERENCE (StriaGraphEdgeRow, source, GRAPH_NODE),
  REFERENCE (StriaGraphEdgeRow, source_port, GRAPH_PORT),
  REFERENCE (StriaGraphEdgeRow, target, GRAPH_NODE),
  REFERENCE (StriaGraphEdgeRow, target_port, GRAPH_PORT),
};

static const StriaFactColumn graph_attr_columns[] = {
  COLUMN (StriaGraphAttrRow, key, STRING),
  COLUMN (StriaGraphAttrRow, value, STRING),
};

static const StriaFactColumn dump_columns[] = {
  COLUMN (StriaDumpRow, version, U32),
  COLUMN (StriaDumpRow, size_prefixed, U8),
  COLUMN (StriaDumpRow, sha256, STRING),
};

static const StriaFactColumn dump_run_columns[] = {
  COLUMN (StriaDumpRunRow, name, STRING),
  COLUMN (StriaDumpRunRow, bundled_input, I32),
  FIRST (StriaDumpRunRow, first_event, DUMP_EVENT),
  COLUMN (StriaDumpRunRow, n_events, U32),
};

static const StriaFactColumn dump_event_columns[] = {
  REFERENCE (StriaDumpEventRow, run, DUMP_RUN),
  COLUMN (StriaDumpEventRow, order, U32),
  COLUMN (StriaDumpEventRow, kind, U8),
  COLUMN (StriaDumpEventRow, wrapped, U8),
  COLUMN (StriaDumpEventRow, chain, I32),
  COLUMN (StriaDumpEventRow, instruction, I32),
  COLUMN (StriaDumpEventRow, delegate_int, I32),
  COLUMN (StriaDumpEventRow, delegate_name, STRING),
  COLUMN (StriaDumpEventRow, name, STRING),
  COLUMN (StriaDumpEventRow, start, U64),
  COLUMN (StriaDumpEventRow, end, U64),
  COLUMN (StriaDumpEventRow, elapsed, U64),
  REFERENCE (StriaDumpEventRow, parent, DUMP_EVENT),
  COLUMN (StriaDumpEventRow, metadata_bytes, U32),
};

static const StriaFactColumn dump_allocator_columns[] = {
  REFERENCE (StriaDumpAllocatorRow, run, DUMP_RUN),
  COLUMN (StriaDumpAllocatorRow, name, STRING),
};

static const StriaFactColumn dump_allocation_columns[] = {
  REFERENCE (StriaDumpAllocationRow, run, DUMP_RUN),
  COLUMN (StriaDumpAllocationRow, order, U32),
  COLUMN (StriaDumpAllocationRow, allocator, I32),
  COLUMN (StriaDumpAllocationRow, size, U64),
};

static const StriaFactColumn dump_debug_columns[] = {
  REFERENCE (StriaDumpDebugRow, run, DUMP_RUN),
  COLUMN (StriaDumpDebugRow, order, U32),
  COLUMN (StriaDumpDebugRow, chain, I64),
  COLUMN (StriaDumpDebugRow, instruction, I32),
  COLUMN (StriaDumpDebugRow, delegate_int, I32),
  COLUMN (StriaDumpDebugRow, delegate_name, STRING),
  COLUMN (StriaDumpDebugRow, name, STRING),
  COLUMN (StriaDumpDebugRow, type, STRING),
  COLUMN (StriaDumpDebugRow, value, STRING),
  COLUMN (StriaDumpDebugRow, is_output, U8),
};

static const StriaFactColumn nx_payload_columns[] = {
  REFERENCE (StriaNxPayloadRow, event, DUMP_EVENT),
  REFERENCE (StriaNxPayloadRow, run, DUMP_RUN),
  COLUMN (StriaNxPayloadRow, instruction, I32),
  COLUMN (StriaNxPayloadRow, chain, I32),
  COLUMN (StriaNxPayloadRow, schema_version, I32),
  COLUMN (StriaNxPayloadRow, state, U8),
  COLUMN (StriaNxPayloadRow, code, STRING),
  COLUMN (StriaNxPayloadRow, reason, STRING),
  COLUMN (StriaNxPayloadRow, mode, I32),
  COLUMN (StriaNxPayloadRow, mode_assumed, U8),
  COLUMN (StriaNxPayloadRow, generation, U8),
  COLUMN (StriaNxPayloadRow, device_assumed, U8),
  COLUMN (StriaNxPayloadRow, device_name, STRING),
  COLUMN (StriaNxPayloadRow, vendor_id, U32),
  COLUMN (StriaNxPayloadRow, device_id, U32),
  COLUMN (StriaNxPayloadRow, driver_version, STRING),
  COLUMN (StriaNxPayloadRow, words_per_task, U32),
  COLUMN (StriaNxPayloadRow, layout_stated, U8),
  COLUMN (StriaNxPayloadRow, leading_blocks, U32),
  FIRST (StriaNxPayloadRow, first_segment, NX_SEGMENT),
  COLUMN (StriaNxPayloadRow, n_segments, U32),
};

static const StriaFactColumn nx_segment_columns[] = {
  REFERENCE (StriaNxSegmentRow, payload, NX_PAYLOAD),
  COLUMN (StriaNxSegmentRow, number, I64),
  COLUMN (StriaNxSegmentRow, is_graph, U8),
  COLUMN (StriaNxSegmentRow, state, U8),
  COLUMN (StriaNxSegmentRow, code, STRING),
  COLUMN (StriaNxSegmentRow, reason, STRING),
  COLUMN (StriaNxSegmentRow, bind_point, U8),
  COLUMN (StriaNxSegmentRow, host_visible, U8),
  COLUMN (StriaNxSegmentRow, host_coherent, U8),
  COLUMN (StriaNxSegmentRow, bind_point_reason, STRING),
  COLUMN (StriaNxSegmentRow, n_blocks, U32),
  COLUMN (StriaNxSegmentRow, last_block_tasks, U32),
  REFERENCE (StriaNxSegmentRow, relations, NX_SEGMENT),
  FIRST (StriaNxSegmentRow, first_stripe, NX_STRIPE),
  COLUMN (StriaNxSegmentRow, n_stripes, U32),
};

static const StriaFactColumn nx_blob_columns[] = {
  REFERENCE (StriaNxBlobRow, segment, NX_SEGMENT),
  COLUMN (StriaNxBlobRow, which, STRING),
  COLUMN (StriaNxBlobRow, available, U8),
  COLUMN (StriaNxBlobRow, is_text, U8),
  COLUMN (StriaNxBlobRow, vulkan_result, I32),
  COLUMN (StriaNxBlobRow, declared, U64),
  COLUMN (StriaNxBlobRow, decoded, U64),
  COLUMN (StriaNxBlobRow, reason, STRING),
};

static const StriaFactColumn nx_stripe_columns[] = {
  REFERENCE (StriaNxStripeRow, segment, NX_SEGMENT),
  COLUMN (StriaNxStripeRow, number, U32),
  COLUMN (StriaNxStripeRow, chain, STRING),
  COLUMN (StriaNxStripeRow, cascade, STRING),
  COLUMN (StriaNxStripeRow, placeholder, U8),
  COLUMN (StriaNxStripeRow, op_cycles, U64),
  COLUMN (StriaNxStripeRow, total_cycles, U64),
  COLUMN (StriaNxStripeRow, total_from_sum, U8),
  FIRST (StriaNxStripeRow, first_counter, NX_COUNTER),
  COLUMN (StriaNxStripeRow, n_counters, U32),
};

static const StriaFactColumn nx_counter_columns[] = {
  REFERENCE (StriaNxCounterRow, stripe, NX_STRIPE),
  COLUMN (StriaNxCounterRow, name, STRING),
  COLUMN (StriaNxCounterRow, value, U64),
};

static const StriaFactColumn nx_fused_columns[] = {
  REFERENCE (StriaNxFusedRow, segment, NX_SEGMENT),
  COLUMN (StriaNxFusedRow, chain, STRING),
  COLUMN (StriaNxFusedRow, fused, STRING),
};

static const StriaFactColumn nx_tosa_columns[] = {
  REFERENCE (StriaNxTosaRow, segment, NX_SEGMENT),
  COLUMN (StriaNxTosaRow, fused, STRING),
  COLUMN (StriaNxTosaRow, tosa, STRING),
  COLUMN (StriaNxTosaRow, type, STRING),
};

static const StriaFactColumn nx_label_columns[] = {
  REFERENCE (StriaNxLabelRow, segment, NX_SEGMENT),
  COLUMN (StriaNxLabelRow, tosa, STRING),
  COLUMN (StriaNxLabelRow, label, STRING),
};

static const StriaFactColumn program_columns[] = {
  COLUMN (StriaProgramRow, version, U32),
  COLUMN (StriaProgramRow, identifier, STRING),
  COLUMN (StriaProgramRow, has_header, U8),
  COLUMN (StriaProgramRow, header_length, U32),
  COLUMN (StriaProgramRow, program_size, U64),
  COLUMN (StriaProgramRow, segment_base, U64),
  COLUMN (StriaProgramRow, segment_data_size, U64),
  COLUMN (StriaProgramRow, file_size, U64),
  COLUMN (StriaProgramRow, sha256, STRING),
};

static const StriaFactColumn program_segment_columns[] = {
  COLUMN (StriaProgramSegmentRow, offset, U64),
  COLUMN (StriaProgramSegmentRow, size, U64),
  COLUMN (StriaProgramSegmentRow, in_file, U8),
};

static const StriaFactColumn program_plan_columns[] = {
  COLUMN (StriaProgramPlanRow, name, STRING),
  REFERENCE (StriaProgramPlanRow, graph, GRAPH),
  COLUMN (StriaProgramPlanRow, n_chains, U32),
  COLUMN (StriaProgramPlanRow, n_values, U32),
  COLUMN (StriaProgramPlanRow, n_inputs, U32),
  COLUMN (StriaProgramPlanRow, n_outputs, U32),
  COLUMN (StriaProgramPlanRow, encoded_in, STRING),
  COLUMN (StriaProgramPlanRow, encoded_out, STRING),
  FIRST (StriaProgramPlanRow, first_instruction, PROGRAM_INSTRUCTION),
  COLUMN (StriaProgramPlanRow, n_instructions, U32),
  FIRST (StriaProgramPlanRow, first_delegate, PROGRAM_DELEGATE),
  COLUMN (StriaProgramPlanRow, n_delegates, U32),
};

static const StriaFactColumn program_buffer_columns[] = {
  REFERENCE (StriaProgramBufferRow, plan, PROGRAM_PLAN),
  COLUMN (StriaProgramBufferRow, number, U32),
  COLUMN (StriaProgramBufferRow, size, I64),
  COLUMN (StriaProgramBufferRow, device, STRING),
};

static const StriaFactColumn program_operator_columns[] = {
  REFERENCE (StriaProgramOperatorRow, plan, PROGRAM_PLAN),
  COLUMN (StriaProgramOperatorRow, number, U32),
  COLUMN (StriaProgramOperatorRow, name, STRING),
  COLUMN (StriaProgramOperatorRow, overload, STRING),
};

static const StriaFactColumn program_instruction_columns[] = {
  REFERENCE (StriaProgramInstructionRow, plan, PROGRAM_PLAN),
  COLUMN (StriaProgramInstructionRow, chain, U32),
  COLUMN (StriaProgramInstructionRow, number, U32),
  COLUMN (StriaProgramInstructionRow, type, U8),
  COLUMN (StriaProgramInstructionRow, label, STRING),
  REFERENCE (StriaProgramInstructionRow, delegate, PROGRAM_DELEGATE),
  REFERENCE (StriaProgramInstructionRow, node, GRAPH_NODE),
  COLUMN (StriaProgramInstructionRow, args, STRING),
};

static const StriaFactColumn program_delegate_columns[] = {
  REFERENCE (StriaProgramDelegateRow, plan, PROGRAM_PLAN),
  COLUMN (StriaProgramDelegateRow, number, U32),
  COLUMN (StriaProgramDelegateRow, id, STRING),
  COLUMN (StriaProgramDelegateRow, location, U8),
  COLUMN (StriaProgramDelegateRow, index, U32),
  COLUMN (StriaProgramDelegateRow, offset, U64),
  COLUMN (StriaProgramDelegateRow, size, U64),
  COLUMN (StriaProgramDelegateRow, content, STRING),
  REFERENCE (StriaProgramDelegateRow, vgf, VGF),
  COLUMN (StriaProgramDelegateRow, error, STRING),
};

static const StriaFactColumn program_spec_columns[] = {
  REFERENCE (StriaProgramSpecRow, delegate, PROGRAM_DELEGATE),
  COLUMN (StriaProgramSpecRow, key, STRING),
  COLUMN (StriaProgramSpecRow, value, STRING),
  COLUMN (StriaProgramSpecRow, size, U32),
};

static const StriaFactColumn program_named_columns[] = {
  COLUMN (StriaProgramNamedRow, key, STRING),
  COLUMN (StriaProgramNamedRow, segment, U32),
};

static const StriaFactColumn vgf_columns[] = {
  REFERENCE (StriaVgfRow, delegate, PROGRAM_DELEGATE),
  COLUMN (StriaVgfRow, offset, U64),
  COLUMN (StriaVgfRow, size, U64),
  COLUMN (StriaVgfRow, major, U32),
  COLUMN (StriaVgfRow, minor, U32),
  COLUMN (StriaVgfRow, patch, U32),
  COLUMN (StriaVgfRow, vk_header, U32),
  COLUMN (StriaVgfRow, old_magic, U8),
  COLUMN (StriaVgfRow, legacy_constants, U8),
  FIRST (StriaVgfRow, first_module, VGF_MODULE),
  COLUMN (StriaVgfRow, n_modules, U32),
  FIRST (StriaVgfRow, first_segment, VGF_SEGMENT),
  COLUMN (StriaVgfRow, n_segments, U32),
  FIRST (StriaVgfRow, first_resource, VGF_RESOURCE),
  COLUMN (StriaVgfRow, n_resources, U32),
  FIRST (StriaVgfRow, first_constant, VGF_CONSTANT),
  COLUMN (StriaVgfRow, n_constants, U32),
  REFERENCE (StriaVgfRow, graph, GRAPH),
  COLUMN (StriaVgfRow, sha256, STRING),
};

static const StriaFactColumn vgf_module_columns[] = {
  REFERENCE (StriaVgfModuleRow, vgf, VGF),
  COLUMN (StriaVgfModuleRow, number, U32),
  COLUMN (StriaVgfModuleRow, type, U8),
  COLUMN (StriaVgfModuleRow, name, STRING),
  COLUMN (StriaVgfModuleRow, entry_point, STRING),
  COLUMN (StriaVgfModuleRow, code_type, STRING),
  COLUMN (StriaVgfModuleRow, code_size, U64),
  COLUMN (StriaVgfModuleRow, error, STRING),
};

static const StriaFactColumn vgf_segment_columns[] = {
  REFERENCE (StriaVgfSegmentRow, vgf, VGF),
  COLUMN (StriaVgfSegmentRow, number, U32),
  COLUMN (StriaVgfSegmentRow, type, U8),
  COLUMN (StriaVgfSegmentRow, name, STRING),
  COLUMN (StriaVgfSegmentRow, module, U32),
  COLUMN (StriaVgfSegmentRow, n_inputs, U32),
  COLUMN (StriaVgfSegmentRow, n_outputs, U32),
  COLUMN (StriaVgfSegmentRow, n_constants, U32),
  COLUMN (StriaVgfSegmentRow, dispatch, STRING),
};

static const StriaFactColumn vgf_resource_columns[] = {
  REFERENCE (StriaVgfResourceRow, vgf, VGF),
  COLUMN (StriaVgfResourceRow, number, U32),
  COLUMN (StriaVgfResourceRow, descriptor, STRING),
  COLUMN (StriaVgfResourceRow, format, STRING),
  COLUMN (StriaVgfResourceRow, category, U8),
  COLUMN (StriaVgfResourceRow, shape, STRING),
  COLUMN (StriaVgfResourceRow, strides, STRING),
  COLUMN (StriaVgfResourceRow, alias_group, U32),
};

static const StriaFactColumn vgf_constant_columns[] = {
  REFERENCE (StriaVgfConstantRow, vgf, VGF),
  COLUMN (StriaVgfConstantRow, number, U32),
  COLUMN (StriaVgfConstantRow, resource, U32),
  COLUMN (StriaVgfConstantRow, sparsity, I64),
  COLUMN (StriaVgfConstantRow, size, U64),
};

static const StriaFactColumn vgf_operator_columns[] = {
  REFERENCE (StriaVgfOperatorRow, vgf, VGF),
  COLUMN (StriaVgfOperatorRow, segment, U32),
  COLUMN (StriaVgfOperatorRow, spirv_id, U32),
  COLUMN (StriaVgfOperatorRow, number, I32),
  COLUMN (StriaVgfOperatorRow, name, STRING),
  REFERENCE (StriaVgfOperatorRow, node, GRAPH_NODE),
};

static const StriaFactColumn vgf_label_columns[] = {
  REFERENCE (StriaVgfLabelRow, operator_row, VGF_OPERATOR),
  COLUMN (StriaVgfLabelRow, label, STRING),
};

static const StriaFactColumn record_columns[] = {
  COLUMN (StriaRecordRow, has_export_graph_id, U8),
  COLUMN (StriaRecordRow, export_graph_id, I64),
  COLUMN (StriaRecordRow, schema_major, I64),
  COLUMN (StriaRecordRow, schema_minor, I64),
  COLUMN (StriaRecordRow, sha256, STRING),
};

static const StriaFactColumn record_member_columns[] = {
  COLUMN (StriaRecordMemberRow, name, STRING),
  COLUMN (StriaRecordMemberRow, kind, STRING),
  COLUMN (StriaRecordMemberRow, size, U64),
};

static const StriaFactColumn record_method_columns[] = {
  COLUMN (StriaRecordMethodRow, name, STRING),
  REFERENCE (StriaRecordMethodRow, graph, GRAPH),
  COLUMN (StriaRecordMethodRow, in_handle_map, U8),
  COLUMN (StriaRecordMethodRow, in_delegate_map, U8),
  COLUMN (StriaRecordMethodRow, in_outs_map, U8),
};

static const StriaFactColumn record_handle_columns[] = {
  REFERENCE (StriaRecordHandleRow, method, RECORD_METHOD),
  COLUMN (StriaRecordHandleRow, instruction, I64),
  COLUMN (StriaRecordHandleRow, handle, I64),
};

static const StriaFactColumn record_delegate_columns[] = {
  REFERENCE (StriaRecordDelegateRow, method, RECORD_METHOD),
  COLUMN (StriaRecordDelegateRow, instruction, I64),
  COLUMN (StriaRecordDelegateRow, name, STRING),
};

static const StriaFactColumn record_delegate_handle_columns[] = {
  REFERENCE (StriaRecordDelegateHandleRow, delegate, RECORD_DELEGATE),
  COLUMN (StriaRecordDelegateHandleRow, id, STRING),
  COLUMN (StriaRecordDelegateHandleRow, handle, I64),
};

static const StriaFactColumn record_outs_columns[] = {
  REFERENCE (StriaRecordOutsRow, method, RECORD_METHOD),
  COLUMN (StriaRecordOutsRow, instruction, I64),
  COLUMN (StriaRecordOutsRow, n_outs, I64),
};

#define TABLE(name, Row) { #name, sizeof (Row), G_N_ELEMENTS (name##_columns), name##_columns }

const StriaFactTable stria_fact_tables[STRIA_N_FACT_TABLES] = {
  [STRIA_TABLE_GRAPH] = TABLE (graph, StriaGraphRow),
  [STRIA_TABLE_GRAPH_GROUP] = TABLE (graph_group, StriaGraphGroupRow),
  [STRIA_TABLE_GRAPH_NODE] = TABLE (graph_node, StriaGraphNodeRow),
  [STRIA_TABLE_GRAPH_PORT] = TABLE (graph_port, StriaGraphPortRow),
  [STRIA_TABLE_GRAPH_EDGE] = TABLE (graph_edge, StriaGraphEdgeRow),
  [STRIA_TABLE_GRAPH_ATTR] = TABLE (graph_attr, StriaGraphAttrRow),
  [STRIA_TABLE_DUMP] = TABLE (dump, StriaDumpRow),
  [STRIA_TABLE_DUMP_RUN] = TABLE (dump_run, StriaDumpRunRow),
  [STRIA_TABLE_DUMP_EVENT] = TABLE (dump_event, StriaDumpEventRow),
  [STRIA_TABLE_DUMP_ALLOCATOR] = TABLE (dump_allocator, StriaDumpAllocatorRow),
  [STRIA_TABLE_DUMP_ALLOCATION] = TABLE (dump_allocation, StriaDumpAllocationRow),
  [STRIA_TABLE_DUMP_DEBUG] = TABLE (dump_debug, StriaDumpDebugRow),
  [STRIA_TABLE_NX_PAYLOAD] = TABLE (nx_payload, StriaNxPayloadRow),
  [STRIA_TABLE_NX_SEGMENT] = TABLE (nx_segment, StriaNxSegmentRow),
  [STRIA_TABLE_NX_BLOB] = TABLE (nx_blob, StriaNxBlobRow),
  [STRIA_TABLE_NX_STRIPE] = TABLE (nx_stripe, StriaNxStripeRow),
  [STRIA_TABLE_NX_COUNTER] = TABLE (nx_counter, StriaNxCounterRow),
  [STRIA_TABLE_NX_FUSED] = TABLE (nx_fused, StriaNxFusedRow),
  [STRIA_TABLE_NX_TOSA] = TABLE (nx_tosa, StriaNxTosaRow),
  [STRIA_TABLE_NX_LABEL] = TABLE (nx_label, StriaNxLabelRow),
  [STRIA_TABLE_PROGRAM] = TABLE (program, StriaProgramRow),
  [STRIA_TABLE_PROGRAM_SEGMENT] = TABLE (program_segment, StriaProgramSegmentRow),
  [STRIA_TABLE_PROGRAM_PLAN] = TABLE (program_plan, StriaProgramPlanRow),
  [STRIA_TABLE_PROGRAM_BUFFER] = TABLE (program_buffer, StriaProgramBufferRow),
  [STRIA_TABLE_PROGRAM_OPERATOR] = TABLE (program_operator, StriaProgramOperatorRow),
  [STRIA_TABLE_PROGRAM_INSTRUCTION] = TABLE (program_instruction, StriaProgramInstructionRow),
  [STRIA_TABLE_PROGRAM_DELEGATE] = TABLE (program_delegate, StriaProgramDelegateRow),
  [STRIA_TABLE_PROGRAM_SPEC] = TABLE (program_spec, StriaProgramSpecRow),
  [STRIA_TABLE_PROGRAM_NAMED] = TABLE (program_named, StriaProgramNamedRow),
  [STRIA_TABLE_VGF] = TABLE (vgf, StriaVgfRow),
  [STRIA_TABLE_VGF_MODULE] = TABLE (vgf_module, StriaVgfModuleRow),
  [STRIA_TABLE_VGF_SEGMENT] = TABLE (vgf_segment, StriaVgfSegmentRow),
  [STRIA_TABLE_VGF_RESOURCE] = TABLE (vgf_resource, StriaVgfResourceRow),
  [STRIA_TABLE_VGF_CONSTANT] = TABLE (vgf_constant, StriaVgfConstantRow),
  [STRIA_TABLE_VGF_OPERATOR] = TABLE (vgf_operator, StriaVgfOperatorRow),
  [STRIA_TABLE_VGF_LABEL] = TABLE (vgf_label, StriaVgfLabelRow),
  [STRIA_TABLE_RECORD] = TABLE (record, StriaRecordRow),
  [STRIA_TABLE_RECORD_MEMBER] = TABLE (record_member, StriaRecordMemberRow),
  [STRIA_TABLE_RECORD_METHOD] = TABLE (record_method, StriaRecordMethodRow),
  [STRIA_TABLE_RECORD_HANDLE] = TABLE (record_handle, StriaRecordHandleRow),
  [STRIA_TABLE_RECORD_DELEGATE] = TABLE (record_delegate, StriaRecordDelegateRow),
  [STRIA_TABLE_RECORD_DELEGATE_HANDLE] = TABLE (record_delegate_handle, StriaRecordDelegateHandleRow),
  [STRIA_TABLE_RECORD_OUTS] = TABLE (record_outs, StriaRecordOutsRow),
};
