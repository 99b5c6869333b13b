#include "stria-neuron-groups.h"
