#include "stria-neuron-system-summary.h"
#include "stria-summary-rows.h"
