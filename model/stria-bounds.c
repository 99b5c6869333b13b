#include "stria-bounds.h"
