/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-regions.h"
#include "stria-spread-chart.h"

G_BEGIN_DECLS

/* Shows how the durations of the regions that were found are spread; there have to be some. Points are
 * known by the number of their region. */
void stria_regions_chart_fill (StriaSpreadChart *chart, StriaRegions *regions);

G_END_DECLS
