/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "stria-json-text.h"
#include "stria-values-private.h"

static void
append_json (StriaValues *self, StriaDatum value, GString *out, gsize max, guint depth)
{
  gsize n;
  double real;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  value = stria_values_resolve (self, value);
  if (depth > 32 || out->len > max)
    {
      g_string_append (out, "\"…\"");
      return;
    }
  switch (stria_datum_kind (value))
    {
    case STRIA_VALUE_KIND_NIL:
    case STRIA_VALUE_KIND_MARK:
    default:
      g_string_append (out, "null");
      break;
    case STRIA_VALUE_KIND_BOOL:
      g_string_append (out, stria_datum_payload (value) ? "true" : "false");
      break;
    case STRIA_VALUE_KIND_INT:
      g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64) value >> 4);
      break;
    case STRIA_VALUE_KIND_BIG:
      {
        const StriaBig *big = &g_array_index (self->bigs, StriaBig, stria_datum_payload (value));
        if (big->high == 0)
          g_string_append_printf (out, "%" G_GUINT64_FORMAT, big->low);
        else if (big->high == -1 && (gint64) big->low < 0)
          g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64) big->low);
        else
          g_string_append_printf (out, "\"0x%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x\"",
                                  (guint64) big->high, big->low);
        break;
      }
    case STRIA_VALUE_KIND_REAL:
      real = g_array_index (self->reals, double, stria_datum_payload (value));
      if (isfinite (real))
        g_string_append (out, g_ascii_dtostr (digits, sizeof digits, real));
      else
        g_string_append (out, "null");
      break;
    case STRIA_VALUE_KIND_STRING:
    case STRIA_VALUE_KIND_OPAQUE:
      stria_json_append_text (out,
                              self->client->text (self->data,
                                                  (guint32) stria_datum_payload (value)), -1);
      break;
    case STRIA_VALUE_KIND_PAIR:
      g_string_append_printf (out, "[%u, %u]", (guint) (stria_datum_payload (value) >> 29),
                              (guint) (stria_datum_payload (value) & (STRIA_PAIR_MEMBER_MAX - 1)));
      break;
    case STRIA_VALUE_KIND_ROW:
      g_string_append (out, "\"(row)\"");
      break;
    case STRIA_VALUE_KIND_LIST:
      {
        const StriaDatum *items = stria_values_list (self, value, &n);
        g_string_append_c (out, '[');
        for (gsize i = 0; i < n && out->len <= max; i++)
          {
            if (i > 0)
              g_string_append (out, ", ");
            append_json (self, items[i], out, max, depth + 1);
          }
        g_string_append_c (out, ']');
        break;
      }
    case STRIA_VALUE_KIND_DICT:
      {
        const StriaDatumPair *pairs = stria_values_dict (self, value, &n);
        g_string_append_c (out, '{');
        for (gsize i = 0; i < n && out->len <= max; i++)
          {
            if (i > 0)
              g_string_append (out, ", ");
            StriaValueKind key_kind = stria_datum_kind (pairs[i].key);
            if (key_kind == STRIA_VALUE_KIND_STRING)
              append_json (self, pairs[i].key, out, max, depth + 1);
            /* A key in a key would double its quotes' backslashes each time. */
            else if (key_kind == STRIA_VALUE_KIND_LIST || key_kind == STRIA_VALUE_KIND_DICT)
              g_string_append (out, "\"…\"");
            else
              {
                g_autoptr (GString) key = g_string_new (NULL);
                append_json (self, pairs[i].key, key, 256, depth + 1);
                stria_json_append_text (out, key->str, -1);
              }
            g_string_append (out, ": ");
            append_json (self, pairs[i].value, out, max, depth + 1);
          }
        g_string_append_c (out, '}');
        break;
      }
    }
}

void
stria_values_to_json (StriaValues *self, StriaDatum value, GString *out, gsize max)
{
  append_json (self, value, out, max, 0);
}
