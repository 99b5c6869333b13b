#include "stria-share-chart.h"
