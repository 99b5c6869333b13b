/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-json-scan.h"
#include "stria-pytorch-fields.h"

static StriaSpan *
field_for_key (StriaEventFields *f, const char *key, gsize length)
{
  switch (length)
    {
    case 1:
      return key[0] == 's' ? &f->scope : NULL;
    case 2:
      if (key[0] == 'p' && key[1] == 'h')
        return &f->ph;
      if (key[0] == 't' && key[1] == 's')
        return &f->ts;
      if (key[0] == 'i' && key[1] == 'd')
        return &f->id;
      return key[0] == 'b' && key[1] == 'p' ? &f->bp : NULL;
    case 3:
      if (memcmp (key, "cat", 3) == 0)
        return &f->cat;
      if (memcmp (key, "pid", 3) == 0)
        return &f->pid;
      if (memcmp (key, "tid", 3) == 0)
        return &f->tid;
      return memcmp (key, "dur", 3) == 0 ? &f->dur : NULL;
    case 4:
      if (memcmp (key, "name", 4) == 0)
        return &f->name;
      return memcmp (key, "args", 4) == 0 ? &f->args : NULL;
    case 5:
      return memcmp (key, "scope", 5) == 0 ? &f->async_scope : NULL;
    case 7:
      if (memcmp (key, "bind_id", 7) == 0)
        return &f->bind_id;
      return memcmp (key, "flow_in", 7) == 0 ? &f->flow_in : NULL;
    case 8:
      return memcmp (key, "flow_out", 8) == 0 ? &f->flow_out : NULL;
    default:
      return NULL;
    }
}

static StriaSpan *
field_for_arg (StriaEventFields *f, const char *key, gsize length)
{
  if (length == 11)
    {
      if (memcmp (key, "correlation", 11) == 0)
        return &f->correlation;
      if (memcmp (key, "External id", 11) == 0 || memcmp (key, "external id", 11) == 0)
        return &f->external;
    }
  else if (length == 9 && memcmp (key, "Python id", 9) == 0)
    return &f->python;
  return NULL;
}

static StriaSpan *
field_for_id2 (StriaEventFields *f, const char *key, gsize length)
{
  if (length == 5 && memcmp (key, "local", 5) == 0)
    return &f->id_local;
  if (length == 6 && memcmp (key, "global", 6) == 0)
    return &f->id_global;
  return NULL;
}

typedef StriaSpan *(*FieldFunc) (StriaEventFields *fields, const char *key, gsize length);

/* Walks the keys of the object at @p. @stop: behind it, or where it broke or was cut. */
static StriaEventResult
walk_object (StriaEventFields *fields, FieldFunc field_for, gboolean top, guint64 *duplicates,
             const char *p, const char *end, const char **stop)
{
  p = stria_json_blanks (p + 1, end);
  while (p < end && *p != '}')
    {
      StriaSpan key = { 0 }, value = { 0 };

      if (*p == ',') /* also a comma too many */
        {
          p = stria_json_blanks (p + 1, end);
          continue;
        }
      if (*p != '"')
        goto broken;
      key.start = p + 1;
      key.end = stria_json_string_end (key.start, end, &key.escaped);
      if (key.end == NULL)
        goto cut;
      p = stria_json_blanks (key.end + 1, end);
      if (p >= end)
        goto cut;
      if (*p != ':')
        goto broken;
      value.start = p = stria_json_blanks (p + 1, end);
      if (p >= end)
        goto cut;

      gsize length = (gsize) (key.end - key.start);
      gboolean is_args = top && length == 4 && memcmp (key.start, "args", 4) == 0;
      gboolean is_id2 = top && length == 3 && memcmp (key.start, "id2", 3) == 0;
      if ((is_args || is_id2) && *p == '{')
        {
          StriaEventResult result = walk_object (fields, is_args ? field_for_arg : field_for_id2,
                                                 FALSE, duplicates, p, end, &p);
          if (result != STRIA_EVENT_READ)
            {
              *stop = p;
              return result;
            }
          value.end = p;
        }
      else if (*p == '"')
        {
          const char *close = stria_json_string_end (p + 1, end, &value.escaped);
          if (close == NULL)
            goto cut;
          value.end = p = close + 1;
        }
      else if (*p == ',' || *p == '}' || *p == ']' || *p == ':')
        goto broken;
      else
        {
          p = stria_json_skip_value (p, end);
          if (p == NULL)
            goto cut;
          value.end = p;
        }

      StriaSpan *field = field_for (fields, key.start, length);
      if (field != NULL)
        {
          if (field->start != NULL)
            (*duplicates)++;
          *field = value; /* the last one wins */
        }
      p = stria_json_blanks (p, end);
      if (p >= end)
        goto cut;
      if (*p != ',' && *p != '}')
        goto broken;
    }
  if (p >= end)
    goto cut;
  *stop = p + 1;
  return STRIA_EVENT_READ;

broken:
  *stop = p;
  return STRIA_EVENT_BROKEN;
cut:
  *stop = end;
  return STRIA_EVENT_CUT;
}

StriaEventResult
stria_event_fields_read (StriaEventFields *fields, const char *p, const char *end,
                         guint64 *duplicates, const char **stop)
{
  return walk_object (fields, field_for_key, TRUE, duplicates, p, end, stop);
}
