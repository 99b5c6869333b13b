/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-importer.h"

G_BEGIN_DECLS

/* What an import tells people. Both return (transfer full). */
char *stria_import_describe_progress (const StriaImportProgress *progress);
/* Why nothing could be read: the reason of each artifact, or that of @error if they have none */
char *stria_import_describe_failure  (StriaCapture *capture, const GError *error);

G_END_DECLS
