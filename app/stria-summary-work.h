#include "stria-activity.h"
#include "stria-bounds.h"
#include "stria-neuron-groups.h"
#include "stria-neuron-system-summary.h"
