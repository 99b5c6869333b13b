#include "stria-activity.h"
#include "stria-summary-rows.h"
