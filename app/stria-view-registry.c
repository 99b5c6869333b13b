/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-view-registry.h"

#include <glib/gi18n-lib.h>

#include "stria-summary-view.h"
#include "stria-timeline.h"

static gboolean
has_events (StriaCapture *capture)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);

  return trace != NULL && stria_trace_get_n_events (trace) > 0;
}

static const StriaView views[] = {
  {
      .id = "timeline",
      .title = N_ ("Timeline"),
      .icon_name = "view-continuous-symbolic",
      .create = stria_timeline_new,
      .has_data = has_events,
      .absence =
          N_ ("No event could be read from this capture. The timeline shows traces of the PyTorch "
              "profiler: files named “*.pt.trace.json” or “*.pt.trace.json.gz”, written by "
              "torch.profiler.tensorboard_trace_handler() or export_chrome_trace()."),
      .shows_events = TRUE,
  },
  {
      .id = "summary",
      .title = N_ ("Summary"),
      .icon_name = "view-list-symbolic",
      .create = stria_summary_view_new,
  },
};

const StriaView *
stria_views (guint *n_views)
{
  *n_views = G_N_ELEMENTS (views);
  return views;
}
