/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-decoder.h"

#include "executorch/stria-etdump.h"
#include "executorch/stria-etrecord.h"
#include "executorch/stria-pte.h"
#include "executorch/stria-vgf.h"
#include "neuron/stria-neff.h"
#include "neuron/stria-neuron-csv.h"
#include "neuron/stria-neuron-system.h"
#include "neuron/stria-ntff.h"
#include "neuron/stria-neuron-json.h"
#include "neuron/stria-neuron-parquet.h"
#include "pytorch/stria-pytorch-trace.h"
#include "pytorch/stria-snapshot.h"

static const StriaDecoder *const decoders[] = {
  &stria_pytorch_trace_decoder,
  &stria_snapshot_decoder,
  &stria_snapshot_json_decoder,
  &stria_etrecord_decoder,
  &stria_etdump_decoder,
  &stria_pte_decoder,
  &stria_vgf_decoder,
  &stria_neff_decoder,
  &stria_ntff_decoder,
  &stria_neuron_trace_info_decoder,
  &stria_neuron_ntrace_decoder,
  &stria_neuron_cpu_decoder,
  &stria_neuron_memory_decoder,
  &stria_neuron_parquet_decoder,
  &stria_neuron_json_decoder,
  &stria_neuron_csv_decoder,
  &stria_perfetto_decoder,
  NULL,
};

/**
 * stria_decoders:
 *
 * Returns: (transfer none) (array zero-terminated=1): every decoder; the order settles a draw
 *   between two that are equally sure
 */
const StriaDecoder *const *
stria_decoders (void)
{
  return decoders;
}

/**
 * stria_decoder_by_kind:
 * @kind: (nullable): stable short name
 *
 * Returns: (transfer none) (nullable): the decoder of that name
 */
const StriaDecoder *
stria_decoder_by_kind (const char *kind)
{
  for (guint i = 0; kind != NULL && decoders[i] != NULL; i++)
    if (g_str_equal (decoders[i]->kind, kind))
      return decoders[i];
  return NULL;
}

/**
 * stria_decoder_probe:
 * @name: base name of the file
 * @head: its first bytes, inflated
 * @length: how many
 * @whole: whether @head is all of it
 * @confidence: (out) (nullable): 0..100
 *
 * Returns: (transfer none) (nullable): the surest decoder, NULL if none claims it at all
 */
const StriaDecoder *
stria_decoder_probe (const char *name, const guint8 *head, gsize length, gboolean whole,
                     guint *confidence)
{
  const StriaDecoder *best = NULL;
  guint most = 0;

  for (guint i = 0; decoders[i] != NULL; i++)
    {
      guint sure = decoders[i]->probe (name, head, length, whole);

      if (sure > most)
        {
          most = sure;
          best = decoders[i];
        }
    }
  if (confidence != NULL)
    *confidence = most;
  return best;
}
