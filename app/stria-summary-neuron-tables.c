#include "stria-summary-neuron.h"
#include "stria-summary-cards.h"
