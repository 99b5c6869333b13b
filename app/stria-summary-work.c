#include "stria-summary-work.h"
