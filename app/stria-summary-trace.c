#include "stria-summary-neuron.h"
#include "stria-share-chart.h"
#include "stria-summary-cards.h"
