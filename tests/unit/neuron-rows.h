/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-neuron-emitter.h"

/* Rows of a table given as text: names, then cells with "|" between them, "-" for no value */
void add_rows (StriaNeuronEmitter *emitter, const char *table, const char *names,
               const char *const *lines);

#define ROWS(...) ((const char *const[]){ __VA_ARGS__, NULL })
