/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-json-text.h"

#include <string.h>

void
stria_json_append_text (GString *json, const char *text, gssize length)
{
  gsize n = length < 0 ? strlen (text) : (gsize) length, done = 0;

  g_string_append_c (json, '"');
  for (gsize i = 0; i < n; i++)
    {
      guchar c = (guchar) text[i];

      if (c >= 0x20 && c != '"' && c != '\\')
        continue;
      g_string_append_len (json, text + done, (gssize) (i - done));
      done = i + 1;
      if (c < 0x20)
        g_string_append_printf (json, "\\u%04x", c);
      else
        {
          g_string_append_c (json, '\\');
          g_string_append_c (json, (char) c);
        }
    }
  if (done < n)
    g_string_append_len (json, text + done, (gssize) (n - done));
  g_string_append_c (json, '"');
}
