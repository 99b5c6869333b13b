/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define STRIA_VULKAN_NO_DESCRIPTOR G_MAXUINT32

/* Names as Vulkan's headers write them, or the number as text for one that is not known here.
 * Returns: (transfer full): "VK_FORMAT_R8_SINT", "VK_DESCRIPTOR_TYPE_TENSOR_ARM" */
char *stria_vulkan_format_name     (guint32 format);
char *stria_vulkan_descriptor_name (guint32 type);

G_END_DECLS
