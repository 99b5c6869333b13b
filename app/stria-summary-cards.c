#include "stria-summary-cards.h"
#include "stria-share-chart.h"
