#include "stria-summary-work.h"
/* Tables of what took long, in stria-summary-neuron-tables.c */
/* Rules and bounds, in stria-summary-neuron-advice.c */
/* Cards of system profiles, in stria-summary-system.c */
/* Cards of a framework's trace, in stria-summary-trace.c */
