#include "stria-summary-rows.h"
