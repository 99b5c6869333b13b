#include "stria-activity.h"
