/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-records.h"

G_BEGIN_DECLS

#define BENCH_DEVICE_LANES  64
#define BENCH_DEVICE_FLOWS  11000 /* some begin or end between slices */
#define BENCH_DEVICE_LAYERS 80
#define BENCH_DEVICE_OPS    420
#define BENCH_DEVICE_NAMES  2000 /* with those of layers and operators */

/* Eight cores with eight engines and queues each: layers, operators in them, and instructions, with
 * the rows that colours are taken from; usage as counters; arrows between instructions.
 * Returns: number of slices, at least @n */
guint64 bench_device_feed (StriaSink *sink, guint64 n);

G_END_DECLS
