#include "stria-summary-figures.h"
#include "stria-summary-cards.h"
#include "stria-summary-neuron.h"
#include "stria-summary-work.h"
