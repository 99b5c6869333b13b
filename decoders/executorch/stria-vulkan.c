/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the two Vulkan enumerations that a VGF holds as numbers (spec 4.2; numbers [DOC]). */
#include "config.h"

#include "stria-vulkan.h"

/* Most formats stand in runs: the same components in the same order of number types. */
static const char *const number_types[] = {
  "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "SRGB",
};
static const struct
{
  guint16     first;
  guint8      type; /* number type of the first: place in number_types */
  guint8      n;
  const char *last; /* instead of the last one's number type */
  const char *components;
  const char *suffix;
} runs[] = {
  { 9, 0, 7, NULL, "R8", "" },
  { 16, 0, 7, NULL, "R8G8", "" },
  { 23, 0, 7, NULL, "R8G8B8", "" },
  { 30, 0, 7, NULL, "B8G8R8", "" },
  { 37, 0, 7, NULL, "R8G8B8A8", "" },
  { 44, 0, 7, NULL, "B8G8R8A8", "" },
  { 51, 0, 7, NULL, "A8B8G8R8", "_PACK32" },
  { 58, 0, 6, NULL, "A2R10G10B10", "_PACK32" },
  { 64, 0, 6, NULL, "A2B10G10R10", "_PACK32" },
  { 70, 0, 7, "SFLOAT", "R16", "" },
  { 77, 0, 7, "SFLOAT", "R16G16", "" },
  { 84, 0, 7, "SFLOAT", "R16G16B16", "" },
  { 91, 0, 7, "SFLOAT", "R16G16B16A16", "" },
  { 98, 4, 3, "SFLOAT", "R32", "" },
  { 101, 4, 3, "SFLOAT", "R32G32", "" },
  { 104, 4, 3, "SFLOAT", "R32G32B32", "" },
  { 107, 4, 3, "SFLOAT", "R32G32B32A32", "" },
  { 110, 4, 3, "SFLOAT", "R64", "" },
  { 113, 4, 3, "SFLOAT", "R64G64", "" },
  { 116, 4, 3, "SFLOAT", "R64G64B64", "" },
  { 119, 4, 3, "SFLOAT", "R64G64B64A64", "" },
};

static const struct
{
  guint32     number;
  const char *name;
} single_formats[] = {
  { 0, "UNDEFINED" },
  { 1, "R4G4_UNORM_PACK8" },
  { 2, "R4G4B4A4_UNORM_PACK16" },
  { 3, "B4G4R4A4_UNORM_PACK16" },
  { 4, "R5G6B5_UNORM_PACK16" },
  { 5, "B5G6R5_UNORM_PACK16" },
  { 6, "R5G5B5A1_UNORM_PACK16" },
  { 7, "B5G5R5A1_UNORM_PACK16" },
  { 8, "A1R5G5B5_UNORM_PACK16" },
  { 122, "B10G11R11_UFLOAT_PACK32" },
  { 123, "E5B9G9R9_UFLOAT_PACK32" },
  { 124, "D16_UNORM" },
  { 125, "X8_D24_UNORM_PACK32" },
  { 126, "D32_SFLOAT" },
  { 127, "S8_UINT" },
  { 128, "D16_UNORM_S8_UINT" },
  { 129, "D24_UNORM_S8_UINT" },
  { 130, "D32_SFLOAT_S8_UINT" },
  { 1000460000, "R8_BOOL_ARM" },
}, descriptors[] = {
  { 0, "SAMPLER" },
  { 1, "COMBINED_IMAGE_SAMPLER" },
  { 2, "SAMPLED_IMAGE" },
  { 3, "STORAGE_IMAGE" },
  { 4, "UNIFORM_TEXEL_BUFFER" },
  { 5, "STORAGE_TEXEL_BUFFER" },
  { 6, "UNIFORM_BUFFER" },
  { 7, "STORAGE_BUFFER" },
  { 8, "UNIFORM_BUFFER_DYNAMIC" },
  { 9, "STORAGE_BUFFER_DYNAMIC" },
  { 10, "INPUT_ATTACHMENT" },
  { 1000138000, "INLINE_UNIFORM_BLOCK" },
  { 1000460000, "TENSOR_ARM" },
};

char *
stria_vulkan_format_name (guint32 format)
{
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    if (format >= runs[i].first && format < (guint32) runs[i].first + runs[i].n)
      {
        guint       k = format - runs[i].first;
        const char *type = number_types[runs[i].type + k];

        if (runs[i].last != NULL && k + 1 == runs[i].n)
          type = runs[i].last;
        return g_strdup_printf ("VK_FORMAT_%s_%s%s", runs[i].components, type, runs[i].suffix);
      }
  for (guint i = 0; i < G_N_ELEMENTS (single_formats); i++)
    if (single_formats[i].number == format)
      return g_strconcat ("VK_FORMAT_", single_formats[i].name, NULL);
  return g_strdup_printf ("%u", format);
}

char *
stria_vulkan_descriptor_name (guint32 type)
{
  for (guint i = 0; i < G_N_ELEMENTS (descriptors); i++)
    if (descriptors[i].number == type)
      return g_strconcat ("VK_DESCRIPTOR_TYPE_", descriptors[i].name, NULL);
  return g_strdup_printf ("%u", type);
}
