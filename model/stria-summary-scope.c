#include "stria-summary-scope.h"
