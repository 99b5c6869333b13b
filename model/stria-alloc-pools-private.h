/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-alloc-private.h"

G_BEGIN_DECLS

#define NO_ENVELOPE G_MAXUINT32

/* A private pool of one stream. */
typedef struct
{
  guint16 pool; /* ordinals */
  guint16 stream;
  GArray *live;     /* StriaStepValue: requested bytes */
  GArray *reserved; /* StriaStepValue */
  GArray *height;   /* StriaStepValue: the most of both so far */
} Envelope;

G_END_DECLS
