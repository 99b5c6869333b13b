/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stria_json_append_text:
 * @json: JSON that is being written
 * @text: UTF-8; whether it is valid is not looked at
 * @length: bytes of it, or -1 for those up to its NUL
 *
 * Appends a text as JSON has it, with its quotes.
 */
void stria_json_append_text (GString *json, const char *text, gssize length);

G_END_DECLS
