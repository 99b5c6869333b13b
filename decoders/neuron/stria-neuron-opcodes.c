/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-opcodes.h"

/* Number and name in the instruction set: recovered from compiler 2.24.5133. What is shown: TRUE
 * where the vendor's documents spell it so (which number it belongs to is inferred by name), else
 * made from the recovered name (inferred). */
static const struct
{
  guint8 opcode;
  gboolean spelled;
  const char *shown;
  const char *name;
} opcodes[] = {
  { 0x01, TRUE, "LDWEIGHTS", "Ldweights" },
  { 0x02, TRUE, "MATMUL", "Matmul" },
  { 0x03, FALSE, "PE_REG_WRITE", "PeRegWrite" },
  { 0x04, FALSE, "WEIGHT_MASK", "WeightMask" },
  { 0x05, FALSE, "WEIGHT_SHIFT", "WeightShift" },
  { 0x06, FALSE, "LDTAGS", "Ldtags" },
  { 0x07, FALSE, "MATMUL_SPARSE", "MatmulSparse" },
  { 0x08, FALSE, "PE_MANAGE_SEED", "PeManageSeed" },
  { 0x09, FALSE, "LDWEIGHTS_MX", "LdweightsMX" },
  { 0x0A, FALSE, "MATMUL_MX", "MatmulMX" },
  { 0x21, TRUE, "ACTIVATE", "Activate" },
  { 0x22, TRUE, "ACTIVATE_QUANTIZE", "ActivateQuantize" },
  { 0x23, FALSE, "ACTIVATION_TABLE_LOAD", "ActivationTableLoad" },
  { 0x24, FALSE, "ACTIVATION_READ_ACCUMULATOR", "ActivationReadAccumulator" },
  { 0x25, FALSE, "ACTIVATE2", "Activate2" },
  { 0x30, FALSE, "EXPONENTIAL", "Exponential" },
  { 0x41, TRUE, "TENSOR_TENSOR", "TensorTensorArithOp" },
  { 0x42, FALSE, "TENSOR_REDUCE_ARITH_OP", "TensorReduceArithOp" },
  { 0x43, FALSE, "TENSOR_SCALAR_ARITH_OP", "TensorScalarArithOp" },
  { 0x44, FALSE, "TENSOR_SCALAR_PTR_ARITH_OP", "TensorScalarPtrArithOp" },
  { 0x45, FALSE, "POOL", "Pool" },
  { 0x46, FALSE, "COPY", "Copy" },
  { 0x47, FALSE, "CAST", "Cast" },
  { 0x48, FALSE, "RECIPROCAL", "Reciprocal" },
  { 0x49, FALSE, "MEMSET", "Memset" },
  { 0x4A, FALSE, "REG_LOAD", "RegLoad" },
  { 0x4B, FALSE, "REG_STORE", "RegStore" },
  { 0x4C, FALSE, "REG_SHUFFLE", "RegShuffle" },
  { 0x4D, FALSE, "RNG", "Rng" },
  { 0x4E, FALSE, "TENSOR_CUMULATIVE_ARITH_OP", "TensorCumulativeArithOp" },
  { 0x4F, FALSE, "TENSOR_SCALAR_PTR_MULTI_ARITH", "TensorScalarPtrMultiArith" },
  { 0x51, FALSE, "TENSOR_TENSOR_BITVEC_OP", "TensorTensorBitvecOp" },
  { 0x52, FALSE, "TENSOR_REDUCE_BITVEC_OP", "TensorReduceBitvecOp" },
  { 0x53, FALSE, "TENSOR_SCALAR_BITVEC_OP", "TensorScalarBitvecOp" },
  { 0x54, FALSE, "TENSOR_SCALAR_PTR_BITVEC_OP", "TensorScalarPtrBitvecOp" },
  { 0x58, FALSE, "MAX_POOL_SELECT", "MaxPoolSelect" },
  { 0x5E, FALSE, "TENSOR_CUMULATIVE_BITVEC_OP", "TensorCumulativeBitvecOp" },
  { 0x5F, FALSE, "TENSOR_SCALAR_PTR_MULTI_BITVEC", "TensorScalarPtrMultiBitvec" },
  { 0x60, FALSE, "BATCH_NORM_STATS", "BatchNormStats" },
  { 0x61, FALSE, "BATCH_NORM_STATS2", "BatchNormStats2" },
  { 0x62, FALSE, "BATCH_NORM_AGGREGATE", "BatchNormAggregate" },
  { 0x63, FALSE, "BATCH_NORM_GRAD_ACCUMULATE", "BatchNormGradAccumulate" },
  { 0x64, FALSE, "BATCH_NORM_PARAM_LOAD", "BatchNormParamLoad" },
  { 0x65, FALSE, "BATCH_NORM_BACK_PROP", "BatchNormBackProp" },
  { 0x66, FALSE, "LOAD_PARAMETER_RAM", "LoadParameterRam" },
  { 0x67, FALSE, "POOL_BUFFER_LOAD", "PoolBufferLoad" },
  { 0x68, FALSE, "GATHER", "Gather" },
  { 0x69, FALSE, "LOAD_MASK_SELECT", "LoadMaskSelect" },
  { 0x6A, FALSE, "STREAM_SHUFFLE", "StreamShuffle" },
  { 0x6B, FALSE, "STREAM_TRANSPOSE", "StreamTranspose" },
  { 0x6C, FALSE, "MAX8", "Max8" },
  { 0x6D, FALSE, "MATCH_VALUE_LOAD", "MatchValueLoad" },
  { 0x6E, FALSE, "FIND_INDEX8", "FindIndex8" },
  { 0x6F, FALSE, "MATCH_REPLACE8", "MatchReplace8" },
  { 0x70, FALSE, "TENSOR_SCALAR_IMM_LD_ARITH", "TensorScalarImmLdArith" },
  { 0x71, FALSE, "TENSOR_SCALAR_IMM_LD_BITVEC", "TensorScalarImmLdBitvec" },
  { 0x72, FALSE, "COPY_PREDICATED", "CopyPredicated" },
  { 0x73, FALSE, "ROI_ALIGN", "RoiAlign" },
  { 0x74, FALSE, "TENSOR_SCALAR_ADDR", "TensorScalarAddr" },
  { 0x76, FALSE, "RAND", "Rand" },
  { 0x77, FALSE, "RAND_GET_STATE", "RandGetState" },
  { 0x78, FALSE, "RAND_SET_STATE", "RandSetState" },
  { 0x79, FALSE, "EMBEDDING_UPDATE", "EmbeddingUpdate" },
  { 0x7A, FALSE, "LOAD_POOL_ARGUMENT", "LoadPoolArgument" },
  { 0x7B, FALSE, "TENSOR_DEQUANTIZE", "TensorDequantize" },
  { 0x7C, FALSE, "CROSS_LANE_REDUCE_ARITH", "CrossLaneReduceArith" },
  { 0x7D, FALSE, "CROSS_LANE_REDUCE_BITVEC", "CrossLaneReduceBitvec" },
  { 0x7E, FALSE, "IOTA", "Iota" },
  { 0x7F, FALSE, "DROPOUT", "Dropout" },
  { 0x81, FALSE, "JPEG_DECODE", "JpegDecode" },
  { 0x82, FALSE, "TRANSPOSE_BATCH_NORM_STATS2", "TransposeBatchNormStats2" },
  { 0x83, FALSE, "TRANSPOSE_TENSOR_REDUCE_ARITH_OP", "TransposeTensorReduceArithOp" },
  { 0x84, FALSE, "TRANSPOSE_TENSOR_REDUCE_BITVEC_OP", "TransposeTensorReduceBitvecOp" },
  { 0x85, FALSE, "CUSTOM_OP_HEADER", "CustomOpHeader" },
  { 0x86, FALSE, "CUSTOM_OP_PAYLOAD", "CustomOpPayload" },
  { 0x8E, FALSE, "BATCH_NORM_PARAM_LOAD2", "BatchNormParamLoad2" },
  { 0x92, FALSE, "TENSOR_SCALAR_AFFINE_SELECT", "TensorScalarAffineSelect" },
  { 0x93, FALSE, "TRANSPOSE_TENSOR_SCALAR_ARITH_OP", "TransposeTensorScalarArithOp" },
  { 0x94, FALSE, "BATCH_NORM_GRAD_ACCUMULATE2", "BatchNormGradAccumulate2" },
  { 0x95, TRUE, "MODIFY_POOL_CONFIG", "ModifyPoolConfig" },
  { 0x96, FALSE, "SORT", "Sort" },
  { 0x98, FALSE, "TENSOR_SCALAR_SELECT", "TensorScalarSelect" },
  { 0x99, FALSE, "CAST_PREDICATED", "CastPredicated" },
  { 0x9A, FALSE, "TENSOR_SCALAR_CACHE_REDUCE", "TensorScalarCacheReduce" },
  { 0x9B, FALSE, "DVE_READ_ACCUMULATOR", "DveReadAccumulator" },
  { 0x9C, FALSE, "TENSOR_REDUCE_RANGE_CHECK", "TensorReduceRangeCheck" },
  { 0x9D, FALSE, "SCALAR_TENSOR_TENSOR_ARITH", "ScalarTensorTensorArith" },
  { 0x9E, FALSE, "SCALAR_TENSOR_TENSOR_BITVEC", "ScalarTensorTensorBitvec" },
  { 0x9F, FALSE, "ENGINE_NOP", "EngineNop" },
  { 0xA0, TRUE, "EVENT_SEMAPHORE", "EventSemaphore" },
  { 0xA1, FALSE, "HALT", "Halt" },
  { 0xA2, TRUE, "DRAIN", "Drain" },
  { 0xA3, FALSE, "INSTRUCTION_FLUSH", "InstructionFlush" },
  { 0xA4, TRUE, "NOP", "Nop" },
  { 0xA5, TRUE, "WRITE", "Write" },
  { 0xA6, TRUE, "NOTIFY", "Notify" },
  { 0xA7, FALSE, "MOVE", "Move" },
  { 0xA8, FALSE, "ALU_OP", "AluOp" },
  { 0xA9, TRUE, "COMPARE_BRANCH", "CompareBranch" },
  { 0xAA, TRUE, "TENSOR_LOAD", "TensorLoad" },
  { 0xAB, FALSE, "TENSOR_STORE", "TensorStore" },
  { 0xB0, TRUE, "EVENT_SEMAPHORE_RANGE_CLEAR", "EventSemaphoreRangeClear" },
  { 0xB1, TRUE, "SET_ORDERING_MODE", "SetOrderingMode" },
  { 0xB2, FALSE, "MOVE_SHAPE", "MoveShape" },
  { 0xB3, FALSE, "POLL_SEM", "PollSem" },
  { 0xB4, FALSE, "TEST_EVENT_SEM", "TestEventSem" },
  { 0xB5, FALSE, "BRANCH_PREFETCH_HINT", "BranchPrefetchHint" },
  { 0xB7, FALSE, "UCODE_CONFIG", "UcodeConfig" },
  { 0xB8, FALSE, "DMA_MEMCPY", "DMAMemcpy" },
  { 0xBB, FALSE, "DMA_INDIRECT", "DmaIndirect" },
  { 0xBC, FALSE, "RANGE_SELECT", "RangeSelect" },
  { 0xBD, FALSE, "DMA_TRANSPOSE", "DmaTranspose" },
  { 0xBE, FALSE, "GET_SEQUENCE_BOUNDS", "GetSequenceBounds" },
  { 0xBF, FALSE, "SB2SB_COLLECTIVE", "Sb2sbCollective" },
  { 0xC1, TRUE, "PSEUDO_DMA_TRIGGER", "PseudoDMATrigger" },
  { 0xC2, FALSE, "PSEUDO_DMA_REARM", "PseudoDMARearm" },
  { 0xC3, FALSE, "PSEUDO_DMA_BARRIER", "PseudoDMABarrier" },
  { 0xC4, FALSE, "PSEUDO_DMA_MEMCPY_FULL_IND", "PseudoDMAMemcpyFullInd" },
  { 0xC5, FALSE, "PSEUDO_SEMAPHORE_SET", "PseudoSemaphoreSet" },
  { 0xC6, FALSE, "PSEUDO_LOAD_ACT_FUNC_SET", "PseudoLoadActFuncSet" },
  { 0xC7, FALSE, "PSEUDO_TRIGGER_ALL_REDUCE", "PseudoTriggerAllReduce" },
  { 0xC8, FALSE, "PSEUDO_TRIGGER_COLLECTIVE", "PseudoTriggerCollective" },
  { 0xC9, FALSE, "PSEUDO_READ_VAR_ADDR", "PseudoReadVarAddr" },
  { 0xCA, FALSE, "PSEUDO_EMBEDDING_UPDATE", "PseudoEmbeddingUpdate" },
  { 0xCB, FALSE, "PSEUDO_SEND_RECV", "PseudoSendRecv" },
  { 0xCC, FALSE, "PSEUDO_BRANCH_LABEL", "PseudoBranchLabel" },
  { 0xCD, FALSE, "PSEUDO_TENSOR_STORE", "PseudoTensorStore" },
  { 0xCE, FALSE, "PSEUDO_TENSOR_LOAD", "PseudoTensorLoad" },
  { 0xCF, FALSE, "PSEUDO_DMA_SWAP_QUEUE_SET", "PseudoDMASwapQueueSet" },
  { 0xD0, FALSE, "PSEUDO_SET_RNG_SEED", "PseudoSetRngSeed" },
  { 0xD1, FALSE, "PSEUDO_FUNCTION_BEGIN", "PseudoFunctionBegin" },
  { 0xD2, FALSE, "PSEUDO_FUNCTION_RETURN", "PseudoFunctionReturn" },
  { 0xD3, FALSE, "PSEUDO_FUNCTION_CALL", "PseudoFunctionCall" },
  { 0xD4, FALSE, "PSEUDO_DMA_DIRECT2D", "PseudoDmaDirect2d" },
  { 0xD5, FALSE, "PSEUDO_SYNC_BARRIER", "PseudoSyncBarrier" },
  { 0xD6, FALSE, "PSEUDO_RANGE_CHECK", "PseudoRangeCheck" },
  { 0xD7, FALSE, "PSEUDO_JPEG_DECODE", "PseudoJpegDecode" },
  { 0xD8, TRUE, "PSEUDO_CORE_BARRIER", "PseudoCoreBarrier" },
  { 0xD9, TRUE, "PSEUDO_TRIGGER_COLLECTIVE_2", "PseudoTriggerCollective2" },
  { 0xDA, FALSE, "PSEUDO_EXTENSION", "PseudoExtension" },
  { 0xDB, FALSE, "PSEUDO_CUR_PROCESSING_RANK_ID", "PseudoCurProcessingRankID" },
  { 0xDC, FALSE, "PSEUDO_GID_LOAD", "PseudoGidLoad" },
  { 0xDD, FALSE, "PSEUDO_BRANCH_PREFETCH_HINT", "PseudoBranchPrefetchHint" },
  { 0xDE, FALSE, "PSEUDO_TENSOR_COMPLETION", "PseudoTensorCompletion" },
  { 0xDF, FALSE, "PSEUDO_INST", "PseudoInst" },
  { 0xE0, FALSE, "SPARSITY_COMPRESS", "SparsityCompress" },
  { 0xE1, FALSE, "SPARSITY_COMPRESS_TAG", "SparsityCompressTag" },
  { 0xE2, FALSE, "RAND2", "Rand2" },
  { 0xE3, FALSE, "QUANTIZE_MX", "QuantizeMX" },
  { 0xE4, FALSE, "CONV_LUT_LOAD", "ConvLutLoad" },
  { 0xE5, FALSE, "TENSOR_TENSOR_SCAN_ARITH", "TensorTensorScanArith" },
  { 0xE6, FALSE, "TENSOR_SCALAR_CACHE_CUMULATIVE", "TensorScalarCacheCumulative" },
  { 0xE7, FALSE, "INDIRECT_COPY", "IndirectCopy" },
  { 0xE8, FALSE, "COPY_PREDICATED_SCALAR", "CopyPredicatedScalar" },
  { 0xE9, FALSE, "DVE_READ_INDICES", "DveReadIndices" },
  { 0xEA, FALSE, "SELECT_REDUCE", "SelectReduce" },
  { 0xEB, FALSE, "HINT", "Hint" },
  { 0xF0, FALSE, "EXTENDED_INST", "ExtendedInst" },
  { 0xF1, FALSE, "DMA_GATHER_TRANSPOSE", "DmaGatherTranspose" },
  { 0xF2, FALSE, "NONZERO_WITH_COUNT", "NonzeroWithCount" },
  { 0xFF, FALSE, "INVALID", "Invalid" },
};

static gsize
place_of (guint8 opcode)
{
  static gsize ready;
  static guint8 places[256]; /* 0: none, else place + 1 */

  if (g_once_init_enter (&ready))
    {
      for (guint i = 0; i < G_N_ELEMENTS (opcodes); i++)
        places[opcodes[i].opcode] = (guint8)(i + 1);
      g_once_init_leave (&ready, 1);
    }
  return places[opcode];
}

G_STATIC_ASSERT (G_N_ELEMENTS (opcodes) < 256);

const char *
stria_neuron_opcode_shown (guint8 opcode)
{
  gsize place = place_of (opcode);

  return place > 0 ? opcodes[place - 1].shown : NULL;
}

const char *
stria_neuron_opcode_name (guint8 opcode)
{
  gsize place = place_of (opcode);

  return place > 0 ? opcodes[place - 1].name : NULL;
}

gboolean
stria_neuron_opcode_is_spelled (guint8 opcode)
{
  gsize place = place_of (opcode);

  return place > 0 && opcodes[place - 1].spelled;
}

/* By the ranges of the numbers (inferred from the names in them) */
gboolean
stria_neuron_opcode_fits (guint8 opcode, StriaNtffEngine engine)
{
  if (place_of (opcode) == 0)
    return FALSE;
  switch (opcode >> 4)
    {
    case 0x0:
      return engine == STRIA_NTFF_PE;
    case 0x2:
      return engine == STRIA_NTFF_ACT;
    case 0x4:
    case 0x5:
    case 0x6:
    case 0x7:
    case 0x8:
    case 0x9:
    case 0xE:
      return engine == STRIA_NTFF_DVE || engine == STRIA_NTFF_POOL;
    default:
      return TRUE;
    }
}
