/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of an event for the eye. A document model of the usual kind would put numbers
 * through int64 or double, and traces hold identifiers beyond both; it would also refuse the bare
 * NaN that profilers write. So the text of each scalar is kept. */
#include "config.h"

#include "stria-fields.h"

#include <string.h>

#include "stria-format.h"
#include "stria-json-text.h"

typedef struct
{
  const char *p;
  const char *end;
  guint       depth;
  guint       n_values;
} Reader;

static StriaField *read_value (Reader *reader);

static void
skip_blanks (Reader *reader)
{
  while (reader->p < reader->end && strchr (" \t\r\n", *reader->p) != NULL && *reader->p != '\0')
    reader->p++;
}

static gboolean
take (Reader *reader, char c)
{
  skip_blanks (reader);
  if (reader->p >= reader->end || *reader->p != c)
    return FALSE;
  reader->p++;
  return TRUE;
}

static gboolean
read_hex4 (Reader *reader, gunichar *value)
{
  *value = 0;
  if (reader->end - reader->p < 4)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (reader->p[i]);

      if (digit < 0)
        return FALSE;
      *value = *value * 16 + (gunichar) digit;
    }
  reader->p += 4;
  return TRUE;
}

static gboolean
read_escape (Reader *reader, GString *out)
{
  static const char from[] = "bfnrt";
  static const char to[] = "\b\f\n\r\t";
  const char *which;
  gunichar c, low;

  if (reader->p >= reader->end)
    return FALSE;
  if (*reader->p != 'u')
    {
      which = *reader->p != '\0' ? strchr (from, *reader->p) : NULL;
      g_string_append_c (out, which != NULL ? to[which - from] : *reader->p);
      reader->p++;
      return TRUE;
    }

  reader->p++;
  if (!read_hex4 (reader, &c))
    return FALSE;
  if (c >= 0xd800 && c < 0xdc00 && reader->end - reader->p >= 6 && reader->p[0] == '\\' &&
      reader->p[1] == 'u')
    {
      const char *before = reader->p;

      reader->p += 2;
      if (read_hex4 (reader, &low) && low >= 0xdc00 && low < 0xe000)
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
      else
        reader->p = before;
    }
  if ((c >= 0xd800 && c < 0xe000) || c == 0)
    c = 0xfffd;
  g_string_append_unichar (out, c);
  return TRUE;
}

static char *
read_string (Reader *reader)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (!take (reader, '"'))
    return NULL;
  while (reader->p < reader->end && *reader->p != '"')
    {
      if (*reader->p == '\\')
        {
          reader->p++;
          if (!read_escape (reader, out))
            return NULL;
        }
      else
        {
          const char *start = reader->p;

          while (reader->p < reader->end && *reader->p != '"' && *reader->p != '\\')
            reader->p++;
          g_string_append_len (out, start, reader->p - start);
        }
    }
  if (reader->p >= reader->end)
    return NULL;
  reader->p++;
  return g_utf8_make_valid (out->str, (gssize) out->len);
}

static StriaField *
read_container (Reader *reader, StriaFieldType type)
{
  g_autoptr (StriaField) field = g_new0 (StriaField, 1);
  char close = type == STRIA_FIELD_OBJECT ? '}' : ']';

  field->type = type;
  field->children = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_field_free);
  if (++reader->depth > STRIA_FIELDS_MAX_DEPTH)
    return NULL;

  while (!take (reader, close))
    {
      g_autofree char *key = NULL;
      StriaField *child;

      if (field->children->len > 0 && !take (reader, ','))
        return NULL;
      if (field->children->len > 0 && take (reader, close))
        break;
      if (type == STRIA_FIELD_OBJECT)
        {
          key = read_string (reader);
          if (key == NULL || !take (reader, ':'))
            return NULL;
        }
      child = read_value (reader);
      if (child == NULL)
        return NULL;
      child->key = g_steal_pointer (&key);
      g_ptr_array_add (field->children, child);
    }
  reader->depth--;
  return g_steal_pointer (&field);
}

static StriaField *
read_word (Reader *reader)
{
  g_autoptr (StriaField) field = g_new0 (StriaField, 1);
  const char *start = reader->p;

  while (reader->p < reader->end && (g_ascii_isalnum (*reader->p) || strchr ("+-._", *reader->p)) &&
         *reader->p != '\0')
    reader->p++;
  if (reader->p == start)
    return NULL;
  field->text = g_strndup (start, (gsize) (reader->p - start));
  if (g_str_equal (field->text, "null"))
    field->type = STRIA_FIELD_NULL;
  else if (g_str_equal (field->text, "true") || g_str_equal (field->text, "false"))
    field->type = STRIA_FIELD_BOOLEAN;
  else
    field->type = STRIA_FIELD_NUMBER;
  return g_steal_pointer (&field);
}

static StriaField *
read_value (Reader *reader)
{
  StriaField *field;

  skip_blanks (reader);
  if (reader->p >= reader->end || ++reader->n_values > STRIA_FIELDS_MAX_VALUES)
    return NULL;
  switch (*reader->p)
    {
    case '{':
      reader->p++;
      return read_container (reader, STRIA_FIELD_OBJECT);
    case '[':
      reader->p++;
      return read_container (reader, STRIA_FIELD_ARRAY);
    case '"':
      field = g_new0 (StriaField, 1);
      field->type = STRIA_FIELD_STRING;
      field->text = read_string (reader);
      if (field->text == NULL)
        g_clear_pointer (&field, stria_field_free);
      return field;
    default:
      return read_word (reader);
    }
}

/**
 * stria_fields_parse:
 * @text: JSON text of any origin; need not be UTF-8
 * @length: its bytes
 *
 * Returns: (transfer full) (nullable): the value, or NULL if @text is not one whole value within
 *   the limits; it is then shown as it is
 */
StriaField *
stria_fields_parse (const char *text, gsize length)
{
  Reader reader = { text, text + length, 0, 0 };
  g_autoptr (StriaField) field = read_value (&reader);

  skip_blanks (&reader);
  if (field == NULL || reader.p < reader.end)
    return NULL;
  return g_steal_pointer (&field);
}

void
stria_field_free (StriaField *field)
{
  if (field == NULL)
    return;
  g_free (field->key);
  g_free (field->text);
  g_clear_pointer (&field->children, g_ptr_array_unref);
  g_free (field);
}

/**
 * stria_field_get:
 * @object: (nullable): a field of any type
 * @key: name of a member
 *
 * Returns: (transfer none) (nullable): the last member of that name, or NULL
 */
StriaField *
stria_field_get (const StriaField *object, const char *key)
{
  if (object == NULL || object->type != STRIA_FIELD_OBJECT)
    return NULL;
  for (guint i = object->children->len; i > 0; i--)
    {
      StriaField *child = g_ptr_array_index (object->children, i - 1);

      if (g_str_equal (child->key, key))
        return child;
    }
  return NULL;
}

static gboolean
write_field (const StriaField *field, GString *out, int indent, gsize max_length)
{
  gboolean is_object = field->type == STRIA_FIELD_OBJECT;

  if (field->children == NULL)
    {
      /* An empty text would vanish between its neighbours. */
      if (field->type == STRIA_FIELD_STRING && *field->text == '\0')
        g_string_append (out, "\"\"");
      else
        g_string_append (out, field->text);
      return max_length == 0 || out->len <= max_length;
    }

  g_string_append_c (out, is_object ? '{' : '[');
  for (guint i = 0; i < field->children->len; i++)
    {
      const StriaField *child = g_ptr_array_index (field->children, i);

      if (indent >= 0)
        g_string_append_printf (out, "%s\n%*s", i > 0 ? "," : "", (indent + 1) * 2, "");
      else if (i > 0)
        g_string_append (out, ", ");
      if (child->key != NULL)
        g_string_append_printf (out, "%s: ", child->key);

      if (indent >= 0 && child->children != NULL)
        {
          g_autofree char *line = stria_field_inline (child, 60);

          if (line != NULL)
            g_string_append (out, line);
          else
            write_field (child, out, indent + 1, 0);
        }
      else if (!write_field (child, out, -1, max_length))
        return FALSE;
    }
  if (indent >= 0 && field->children->len > 0)
    g_string_append_printf (out, "\n%*s", indent * 2, "");
  g_string_append_c (out, is_object ? '}' : ']');
  return max_length == 0 || out->len <= max_length;
}

char *
stria_field_inline (const StriaField *field, gsize max_length)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (!write_field (field, out, -1, max_length))
    return NULL;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
stria_field_pretty (const StriaField *field)
{
  g_autoptr (GString) out = g_string_new (NULL);

  write_field (field, out, 0, 0);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gboolean
is_json_number (const char *text)
{
  const char *p = text + (*text == '-');

  if (!g_ascii_isdigit (*p) || (*p == '0' && g_ascii_isdigit (p[1])))
    return FALSE;
  while (g_ascii_isdigit (*p))
    p++;
  if (*p == '.')
    {
      if (!g_ascii_isdigit (*++p))
        return FALSE;
      while (g_ascii_isdigit (*p))
        p++;
    }
  if (*p == 'e' || *p == 'E')
    {
      p += p[1] == '+' || p[1] == '-' ? 2 : 1;
      if (!g_ascii_isdigit (*p))
        return FALSE;
      while (g_ascii_isdigit (*p))
        p++;
    }
  return *p == '\0';
}

static void
write_json (const StriaField *field, GString *out)
{
  switch (field->type)
    {
    case STRIA_FIELD_STRING:
      stria_json_append_text (out, field->text, -1);
      break;
    case STRIA_FIELD_BOOLEAN:
      g_string_append (out, field->text);
      break;
    case STRIA_FIELD_NUMBER:
      g_string_append (out, is_json_number (field->text) ? field->text : "null");
      break;
    case STRIA_FIELD_ARRAY:
    case STRIA_FIELD_OBJECT:
      g_string_append_c (out, field->type == STRIA_FIELD_OBJECT ? '{' : '[');
      for (guint i = 0; i < field->children->len; i++)
        {
          const StriaField *child = g_ptr_array_index (field->children, i);

          if (i > 0)
            g_string_append_c (out, ',');
          if (child->key != NULL)
            {
              stria_json_append_text (out, child->key, -1);
              g_string_append_c (out, ':');
            }
          write_json (child, out);
        }
      g_string_append_c (out, field->type == STRIA_FIELD_OBJECT ? '}' : ']');
      break;
    case STRIA_FIELD_NULL:
    default:
      g_string_append (out, "null");
      break;
    }
}

char *
stria_field_to_json (const StriaField *field)
{
  GString *out = g_string_new (NULL);

  write_json (field, out);
  return g_string_free (out, FALSE);
}

static gboolean
in_list (const char *const *list, const char *text)
{
  return g_strv_contains (list, text);
}

char *
stria_field_display (const StriaField *field)
{
  /* Terms of the profilers' own argument names. */
  static const char *const bytes[] = { "bytes",
                                       "Bytes",
                                       "shared memory",
                                       "Total Allocated",
                                       "Total Reserved",
                                       "totalGlobalMem",
                                       "sharedMemPerBlock",
                                       "sharedMemPerMultiprocessor",
                                       "sharedMemPerBlockOptin",
                                       "maxSharedMemoryPerMultiProcessor",
                                       "maxMemAllocSize",
                                       "localMemSize",
                                       NULL };
  static const char *const counts[] = { "In msg nelems",       "Out msg nelems", "nelems",
                                        "regsPerBlock",        "regsPerMultiprocessor",
                                        "maxThreadsPerBlock",  "maxThreadsPerMultiprocessor",
                                        NULL };
  char *end;
  gint64 value;

  if (field->type == STRIA_FIELD_NUMBER && field->key != NULL &&
      (in_list (bytes, field->key) || in_list (counts, field->key)))
    {
      value = g_ascii_strtoll (field->text, &end, 10);
      if (*end == '\0' && value != G_MAXINT64 && value != G_MININT64)
        {
          g_autofree char *short_text = NULL;

          if (in_list (counts, field->key))
            return value >= 0 ? stria_format_count ((guint64) value) : g_strdup (field->text);
          if (value > -1024 && value < 1024)
            return stria_format_bytes (value);
          short_text = stria_format_bytes (value);
          return g_strdup_printf ("%s (%s)", short_text, field->text);
        }
    }
  return stria_field_inline (field, 0);
}

char *
stria_text_cut (const char *text, gsize max_bytes)
{
  g_autofree char *head = NULL;

  if (strnlen (text, max_bytes + 1) <= max_bytes)
    return g_strdup (text);
  head = g_strndup (text, (gsize) (g_utf8_find_prev_char (text, text + max_bytes) - text));
  return g_strdup_printf ("%s…", head);
}
