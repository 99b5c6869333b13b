/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-annotations.h"
#include "stria-regions.h"
#include "stria-session.h"
#include "stria-warnings.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-session-marks
 *
 * What is marked on the time of a session's capture. Made when first asked for, and kept by the
 * session; regions and warnings follow its trace. Main thread only. All return (transfer none).
 */
StriaAnnotations *stria_session_get_annotations (StriaSession *session);
StriaRegions     *stria_session_get_regions     (StriaSession *session);
StriaWarnings    *stria_session_get_warnings    (StriaSession *session);

G_END_DECLS
