#include "stria-neuron-groups.h"
#include "stria-summary-rows.h"
