#include "stria-bounds.h"
#include "stria-neuron-groups.h"
  g_test_add ("/neuron-window/" name, Fixture, NULL, set_up, func, tear_down)
