/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-match-query.h"

#include <string.h>

#include "stria-error.h"

struct _StriaMatchQuery
{
  GArray  *terms; /* StriaTerm */
  gboolean is_phrase;
};

static const struct
{
  const char    *name;
  StriaTermField field;
} fields[] = {
  { "name", STRIA_TERM_NAME },         { "category", STRIA_TERM_CATEGORY },
  { "cat", STRIA_TERM_CATEGORY },      { "lane", STRIA_TERM_LANE },
  { "thread", STRIA_TERM_LANE },       { "arg", STRIA_TERM_ARG },
  { "args", STRIA_TERM_ARG },
};

/* Longer ones first */
static const struct
{
  const char   *text;
  StriaTermTest test;
} tests[] = {
  { "<=", STRIA_TERM_LESS_EQUAL }, { ">=", STRIA_TERM_GREATER_EQUAL }, { "<", STRIA_TERM_LESS },
  { ">", STRIA_TERM_GREATER },     { "=", STRIA_TERM_HAS },
};

static void
term_clear (gpointer data)
{
  StriaTerm *term = data;

  g_free (term->key);
  g_free (term->text);
  g_clear_pointer (&term->regex, g_regex_unref);
}

/* End of an expression that begins at @p with a slash; NULL: it is no expression. */
static const char *
regex_end (const char *p)
{
  if (*p != '/')
    return NULL;
  for (const char *q = p + 1; *q != '\0'; q++)
    {
      if (*q == '\\' && q[1] != '\0')
        q++;
      else if (*q == '/' && q > p + 1 && (q[1] == '\0' || g_ascii_isspace (q[1])))
        return q;
    }
  return NULL;
}

/* Takes the value that begins at @p: an expression, a text in quotes, or a word. */
static const char *
take_value (const char *p, StriaTerm *term, gboolean *marked, GError **error)
{
  const char *end = regex_end (p);
  g_autofree char *text = NULL;

  if (end != NULL)
    {
      text = g_strndup (p + 1, (gsize) (end - p - 1));
      *marked = TRUE;
      term->regex = g_regex_new (text, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, error);
      return term->regex != NULL ? end + 1 : NULL;
    }
  if (*p == '"' && (end = strchr (p + 1, '"')) != NULL)
    {
      text = g_strndup (p + 1, (gsize) (end - p - 1));
      *marked = TRUE;
      end++;
    }
  else
    {
      for (end = p; *end != '\0' && !g_ascii_isspace (*end);)
        end++;
      text = g_strndup (p, (gsize) (end - p));
    }
  term->text = g_utf8_casefold (text, -1);
  if (*text != '\0')
    {
      char *rest = NULL;

      term->number = g_ascii_strtod (text, &rest);
      term->has_number = *rest == '\0' && rest != text;
    }
  return end;
}

/* "bytes>4096": the name of an argument and how its value is compared */
static const char *
take_key (const char *p, StriaTerm *term)
{
  const char *key = p;

  if (*p == '"' || *p == '/')
    return p;
  while (g_ascii_isalnum (*p) || *p == '_' || *p == '-' || *p == '.' || *p == ' ')
    {
      if (*p == ' ')
        return key;
      p++;
    }
  for (guint i = 0; i < G_N_ELEMENTS (tests) && p > key; i++)
    if (g_str_has_prefix (p, tests[i].text))
      {
        term->key = g_strndup (key, (gsize) (p - key));
        term->test = tests[i].test;
        return p + strlen (tests[i].text);
      }
  return key;
}

static const char *
take_term (const char *p, StriaTerm *term, gboolean *marked, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const gsize length = strlen (fields[i].name);

      if (g_ascii_strncasecmp (p, fields[i].name, length) != 0 || p[length] != ':'
          || p[length + 1] == '\0' || g_ascii_isspace (p[length + 1]))
        continue;
      term->field = fields[i].field;
      *marked = TRUE;
      p += length + 1;
      if (term->field == STRIA_TERM_ARG)
        p = take_key (p, term);
      break;
    }
  return take_value (p, term, marked, error);
}

StriaMatchQuery *
stria_match_query_new (const char *text, GError **error)
{
  g_autoptr (StriaMatchQuery) self = g_new0 (StriaMatchQuery, 1);
  gboolean marked = FALSE;
  const char *p = text;

  self->terms = g_array_new (FALSE, TRUE, sizeof (StriaTerm));
  g_array_set_clear_func (self->terms, term_clear);
  for (;;)
    {
      StriaTerm term = { 0 };
      g_autoptr (GError) why = NULL;

      while (g_ascii_isspace (*p))
        p++;
      if (*p == '\0')
        break;
      if (self->terms->len > 0 && g_str_has_prefix (p, "AND") && g_ascii_isspace (p[3]))
        {
          marked = TRUE;
          p += 3;
          continue;
        }
      p = take_term (p, &term, &marked, &why);
      if (p == NULL)
        {
          term_clear (&term);
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY, "%s", why->message);
          return NULL;
        }
      g_array_append_val (self->terms, term);
    }
  self->is_phrase = !marked;
  if (self->is_phrase)
    {
      StriaTerm term = { .text = g_utf8_casefold (text, -1) };

      g_array_set_size (self->terms, 0);
      if (*text != '\0')
        g_array_append_val (self->terms, term);
      else
        term_clear (&term);
    }
  return g_steal_pointer (&self);
}

void
stria_match_query_free (StriaMatchQuery *self)
{
  g_clear_pointer (&self->terms, g_array_unref);
  g_free (self);
}

const StriaTerm *
stria_match_query_get_terms (StriaMatchQuery *self, guint *n)
{
  *n = self->terms->len;
  return (const StriaTerm *) (gpointer) self->terms->data;
}

gboolean
stria_match_query_is_phrase (StriaMatchQuery *self)
{
  return self->is_phrase;
}

gboolean
stria_match_query_needs_events (StriaMatchQuery *self)
{
  for (guint i = 0; i < self->terms->len; i++)
    {
      const StriaTermField field = g_array_index (self->terms, StriaTerm, i).field;

      if (field != STRIA_TERM_ANY && field != STRIA_TERM_NAME)
        return TRUE;
    }
  return FALSE;
}

gboolean
stria_term_has (const StriaTerm *self, const char *text)
{
  g_autofree char *folded = NULL;

  if (self->test != STRIA_TERM_HAS)
    {
      char *end = NULL;
      const double number = g_ascii_strtod (text, &end);

      return end != text && stria_term_has_number (self, number);
    }
  if (self->regex != NULL)
    return g_regex_match (self->regex, text, 0, NULL);
  folded = g_utf8_casefold (text, -1);
  return strstr (folded, self->text) != NULL;
}

gboolean
stria_term_has_number (const StriaTerm *self, double number)
{
  if (!self->has_number)
    return FALSE;
  switch (self->test)
    {
    case STRIA_TERM_LESS:
      return number < self->number;
    case STRIA_TERM_LESS_EQUAL:
      return number <= self->number;
    case STRIA_TERM_GREATER:
      return number > self->number;
    case STRIA_TERM_GREATER_EQUAL:
      return number >= self->number;
    case STRIA_TERM_HAS:
    default:
      return number == self->number;
    }
}

/* Length of the value that begins at @p: a text in quotes, or up to what ends a member. */
static gsize
value_length (const char *p)
{
  gsize n = 0;
  guint depth = 0;

  if (*p == '"')
    {
      for (n = 1; p[n] != '\0' && p[n] != '"'; n++)
        if (p[n] == '\\' && p[n + 1] != '\0')
          n++;
      return p[n] == '"' ? n + 1 : n;
    }
  for (; p[n] != '\0'; n++)
    {
      if (depth == 0 && (p[n] == ',' || p[n] == '}' || p[n] == ']'))
        break;
      if (p[n] == '[' || p[n] == '{')
        depth++;
      else if (p[n] == ']' || p[n] == '}')
        depth--;
    }
  return n;
}

gboolean
stria_term_has_json (const StriaTerm *self, const char *json)
{
  g_autofree char *quoted = NULL;

  if (self->key == NULL)
    return stria_term_has (self, json);
  quoted = g_strdup_printf ("\"%s\"", self->key);
  for (const char *p = strstr (json, quoted); p != NULL; p = strstr (p + 1, quoted))
    {
      const char *value = p + strlen (quoted);
      g_autofree char *text = NULL;
      gsize length = 0;

      while (g_ascii_isspace (*value))
        value++;
      if (*value++ != ':')
        continue;
      while (g_ascii_isspace (*value))
        value++;
      length = value_length (value);
      if (*value == '"' && length >= 2)
        text = g_strndup (value + 1, length - 2);
      else
        text = g_strndup (value, length);
      g_strstrip (text);
      if (self->has_number && *value != '"' && self->regex == NULL)
        {
          char *end = NULL;
          const double number = g_ascii_strtod (text, &end);

          if (end != text && *end == '\0')
            {
              if (stria_term_has_number (self, number))
                return TRUE;
              continue;
            }
        }
      if (stria_term_has (self, text))
        return TRUE;
    }
  return FALSE;
}
