/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-json-scan.h"
#include "stria-pytorch-event.h"
#include "stria-pytorch-trace.h"

/* Where the reader stands in the document. */
typedef enum
{
  AT_START,      /* before the opening brace or bracket */
  AT_TOP,        /* in the top-level object, before a key */
  AT_EVENTS,     /* in the array of events */
  AT_END,        /* behind the document */
  IN_LARGE,      /* inside a value that is too large to hold */
} Place;

typedef struct
{
  StriaSource *source;
  StriaSink *sink;
  StriaDecodeContext *context;
  StriaPytorchEvents *events;

  char *buffer;
  gsize capacity;
  gsize used;   /* bytes in the buffer */
  guint64 base; /* offset of the buffer in the text */

  Place place;
  Place after_large;
  StriaJsonSkip skip;
  gboolean is_array; /* the document is the array itself */
  gboolean has_events;
  gboolean resync; /* looking for the next event after a broken one */
  guint64 resync_from; /* no event begins before this offset; the text there is context */
  gboolean failed; /* not this format: @error says why */
  GString *other_keys;
} Reader;

/* Top-level values that are kept. Others may hold whatever a user put there, environments with keys
 * and tokens among it: only their names are. */
static const char *const kept_keys[] = {
  "schemaVersion", "deviceProperties", "distributedInfo", "record_shapes", "profile_memory",
  "with_stack", "with_flops", "with_modules", "cupti_version", "cuda_runtime_version",
  "cuda_driver_version", "roctracer_version", "hip_runtime_version", "hip_driver_version",
  "trace_id", "host_name", "displayTimeUnit", "baseTimeNanoseconds", "traceName", "INFO",
  "WARNING", "ERROR",
};

static void
notice (Reader *self, StriaSeverity severity, const char *code, guint64 offset, const char *message)
{
  stria_notices_count (self->context->notices, severity, code, self->context->name, (gint64) offset,
                       1, message);
}

/* Appends the next block of the source. FALSE at the end (or on an error, which is set). */
static gboolean
fill (Reader *self, gsize consumed, GError **error)
{
  const guint8 *data;
  gsize length;

  if (!stria_source_read (self->source, &data, &length, error) || length == 0)
    return FALSE;
  gsize left = self->used - consumed;
  if (left + length + STRIA_JSON_PADDING > self->capacity)
    {
      self->capacity = (left + length) * 3 / 2 + STRIA_JSON_PADDING;
      char *grown = g_malloc (self->capacity);
      memcpy (grown, self->buffer + consumed, left);
      g_free (self->buffer);
      self->buffer = grown;
    }
  else if (consumed > 0)
    memmove (self->buffer, self->buffer + consumed, left);
  memcpy (self->buffer + left, data, length);
  memset (self->buffer + left + length, 0, STRIA_JSON_PADDING);
  self->used = left + length;
  self->base += consumed;
  return TRUE;
}

static const char *
back_over_blanks (const char *begin, const char *p)
{
  while (p > begin && (p[-1] == ' ' || p[-1] == '\n' || p[-1] == '\r' || p[-1] == '\t'))
    p--;
  return p;
}

/* Whether the object at @p begins with a key of events. Writers that sort keys put arguments first,
 * and then "ph" and "name" may be far away. */
static gboolean
first_key_is_of_event (const char *p, const char *end)
{
  static const char *const keys[] = {
    "\"args\"", "\"bp\"", "\"cat\"", "\"dur\"", "\"id\"", "\"name\"", "\"ph\"", "\"pid\"", "\"s\"",
    "\"tid\"", "\"ts\"",
  };

  p = stria_json_blanks (p + 1, end);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gsize length = strlen (keys[i]);
      if ((gsize) (end - p) >= length && memcmp (p, keys[i], length) == 0)
        return TRUE;
    }
  return FALSE;
}

/* The next place from @p where an event begins, or NULL: an opening brace after a comma or bracket
 * with "ph" or "name" within 64 bytes, or one between events with a key of theirs in first place. */
static const char *
next_event (const char *begin, const char *p, const char *end)
{
  while (p < end && (p = memchr (p, '{', (gsize) (end - p))) != NULL)
    {
      const char *before = back_over_blanks (begin, p);
      gsize ahead = MIN ((gsize) (end - p), 64);
      if (before > begin && (before[-1] == ',' || before[-1] == '[')
          && (memmem (p, ahead, "\"ph\"", 4) != NULL || memmem (p, ahead, "\"name\"", 6) != NULL))
        return p;
      if (before > begin && before[-1] == ',')
        {
          const char *behind = back_over_blanks (begin, before - 1);
          if (behind > begin && behind[-1] == '}' && first_key_is_of_event (p, end))
            return p;
        }
      p++;
    }
  return NULL;
}

static void
start_large (Reader *self, Place after)
{
  self->skip = (StriaJsonSkip){ 0 };
  self->after_large = after;
  self->place = IN_LARGE;
}

static void
keep_meta (Reader *self, const char *key, gsize key_length, const char *value, const char *end)
{
  g_autofree char *name = g_utf8_make_valid (key, (gssize) key_length);

  for (guint i = 0; i < G_N_ELEMENTS (kept_keys); i++)
    if (g_str_equal (name, kept_keys[i]))
      {
        if ((gsize) (end - value) <= STRIA_TRACE_MAX_META)
          self->sink->meta (self->sink, name, value, (gsize) (end - value));
        if (g_str_equal (name, "baseTimeNanoseconds"))
          {
            gint64 milli;
            guint64 base;
            gboolean overflow;
            if (stria_json_u64 (value, end, &base) && base <= G_MAXINT64)
              self->sink->base_time (self->sink, (gint64) base);
            else if (stria_json_milli (value, end, &milli, &overflow) && !overflow)
              self->sink->base_time (self->sink, milli / 1000);
          }
        return;
      }
  if (self->other_keys->len < 4096)
    g_string_append_printf (self->other_keys, "%s%s", self->other_keys->len > 0 ? "\n" : "", name);
}

/* Reads what stands whole in [p, end); @final: there is no more text. Returns how far it came. */
static const char *
read_some (Reader *self, const char *p, const char *end, gboolean final, GError **error)
{
  const char *begin = self->buffer;
#define OFFSET(at) (self->base + (guint64) ((at) - begin))

  while (p < end)
    {
      if (self->place == IN_LARGE)
        {
          const char *behind = stria_json_skip_some (&self->skip, p, end);
          if (behind == NULL)
            return end;
          p = behind;
          self->place = self->after_large;
          continue;
        }
      if (self->resync)
        {
          if (self->resync_from > OFFSET (p))
            p = begin + (self->resync_from - self->base);
          const char *found = next_event (begin, p, end);
          if (found == NULL)
            {
              /* Keep what a border could still be made of. */
              if (final)
                {
                  const char *last = back_over_blanks (p, end);
                  if (last > p && last[-1] == (self->is_array ? ']' : '}'))
                    {
                      self->resync = FALSE;
                      self->place = AT_END;
                    }
                  return end;
                }
              self->resync_from = MAX (self->resync_from, OFFSET (end) - MIN (64, end - p));
              return end - begin > 128 ? end - 128 : begin;
            }
          if (!final && end - found < 64)
            {
              self->resync_from = OFFSET (found);
              return found - begin > 64 ? found - 64 : begin;
            }
          self->resync = FALSE;
          p = found;
          continue;
        }
      p = stria_json_blanks (p, end);
      if (p >= end)
        return p;

      switch (self->place)
        {
        case AT_START:
          if (end - p < 3 && !final)
            return p;
          if (end - p >= 3 && memcmp (p, "\xef\xbb\xbf", 3) == 0)
            {
              p += 3;
              continue;
            }
          if (*p == '[')
            {
              self->is_array = self->has_events = TRUE;
              self->place = AT_EVENTS;
            }
          else if (*p == '{')
            self->place = AT_TOP;
          else
            {
              g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                           _("%s: not a Chrome trace: “{” or “[” expected at offset %"
                             PRIu64 ", found byte 0x%02x"),
                           self->context->name, OFFSET (p), (guint8) *p);
              self->failed = TRUE;
              return p;
            }
          p++;
          break;

        case AT_TOP:
          if (*p == ',')
            {
              p++;
              break;
            }
          if (*p == '}')
            {
              self->place = AT_END;
              p++;
              break;
            }
          if (*p != '"')
            {
              if (!self->has_events)
                {
                  g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                               _("%s: not JSON: a key expected at offset %" PRIu64
                                 ", found byte 0x%02x"),
                               self->context->name, OFFSET (p), (guint8) *p);
                  self->failed = TRUE;
                  return p;
                }
              notice (self, STRIA_SEVERITY_WARNING, "document-malformed", OFFSET (p),
                      _("The document is not JSON behind its events; the rest was left out"));
              self->place = AT_END;
              return end;
            }
          {
            gboolean escaped = FALSE;
            const char *key = p + 1, *key_end = stria_json_string_end (key, end, &escaped);
            const char *value;

            if (key_end == NULL)
              return p;
            value = stria_json_blanks (key_end + 1, end);
            if (value < end && *value == ':')
              value = stria_json_blanks (value + 1, end);
            else if (value < end)
              {
                p = value; /* no value: try what follows as a key */
                break;
              }
            if (value >= end)
              return p;
            if (key_end - key == 11 && memcmp (key, "traceEvents", 11) == 0 && *value == '[')
              {
                self->place = AT_EVENTS;
                self->has_events = TRUE;
                p = value + 1;
                break;
              }
            const char *value_end = stria_json_skip_value (value, end);
            if (value_end == NULL)
              {
                if ((gsize) (end - p) > STRIA_TRACE_MAX_EVENT)
                  {
                    start_large (self, AT_TOP);
                    p = value;
                    break;
                  }
                return p;
              }
            keep_meta (self, key, (gsize) (key_end - key), value, value_end);
            p = value_end;
          }
          break;

        case AT_EVENTS:
          if (*p == ',')
            {
              p++;
              break;
            }
          if (*p == ']')
            {
              self->place = self->is_array ? AT_END : AT_TOP;
              p++;
              break;
            }
          if (*p == '{')
            {
              const char *stop;
              StriaEventResult result
                  = stria_pytorch_events_read (self->events, p, end, OFFSET (p), &stop);

              if (result == STRIA_EVENT_READ)
                {
                  p = stop;
                  break;
                }
              if (result == STRIA_EVENT_CUT && !final)
                {
                  if ((gsize) (end - p) <= STRIA_TRACE_MAX_EVENT)
                    return p;
                  notice (self, STRIA_SEVERITY_WARNING, "event-too-large", OFFSET (p),
                          _("An event is longer than 16 MiB; it was left out"));
                  stria_pytorch_events_lost (self->events);
                  start_large (self, AT_EVENTS);
                  break;
                }
              if (result == STRIA_EVENT_CUT)
                {
                  /* The text ends here: either it was cut, or a quote too many swallowed the rest
                   * and there are more events behind. */
                  const char *found = next_event (begin, p + 1, end);
                  if (found == NULL)
                    return p;
                  stop = p + 1;
                }
              notice (self, STRIA_SEVERITY_WARNING, "event-malformed", OFFSET (stop),
                      _("An event is not JSON; it was left out"));
              stria_pytorch_events_lost (self->events);
              self->resync = TRUE;
              p = MAX (p + 1, stop);
              self->resync_from = OFFSET (p);
              break;
            }
          if (*p == '}')
            {
              notice (self, STRIA_SEVERITY_WARNING, "document-malformed", OFFSET (p),
                      _("A closing brace too many among the events"));
              p++;
              break;
            }
          {
            const char *value_end = stria_json_skip_value (p, end);
            if (value_end == NULL && !final)
              {
                if ((gsize) (end - p) <= STRIA_TRACE_MAX_EVENT)
                  return p;
                start_large (self, AT_EVENTS);
                break;
              }
            notice (self, STRIA_SEVERITY_WARNING, "event-not-object", OFFSET (p),
                    _("Something that is no object stands among the events; it was left out"));
            p = value_end != NULL && value_end > p ? value_end : p + 1;
          }
          break;

        case AT_END:
          notice (self, STRIA_SEVERITY_WARNING, "trailing-data", OFFSET (p),
                  _("There is more text behind the document; it was left out (several documents in "
                    "one file are not a trace)"));
          return end;

        case IN_LARGE:
        default:
          g_assert_not_reached ();
        }
    }
  return p;
#undef OFFSET
}

/* What the end of the text says about it. */
static void
check_end (Reader *self, const char *p, const char *end)
{
  guint64 offset = self->base + (guint64) (p - self->buffer);

  if (self->place == AT_END || self->failed)
    return;
  if (p < end || self->place == IN_LARGE || self->resync)
    notice (self, STRIA_SEVERITY_WARNING, "truncated", offset,
            _("The text ends in the middle of a value; everything before it was read"));
  else if (!self->is_array)
    notice (self, STRIA_SEVERITY_WARNING, "truncated", offset,
            _("The document is not closed; it was probably cut, and what is there was read"));
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  Reader self = {
    .source = source,
    .sink = sink,
    .context = context,
    .events = stria_pytorch_events_new (sink, context->notices, context->name),
    .other_keys = g_string_new (NULL),
  };
  GError *read_error = NULL;
  gsize consumed = 0;
  gboolean more = TRUE, cancelled = FALSE;

  self.capacity = STRIA_SOURCE_BLOCK * 2;
  self.buffer = g_malloc0 (self.capacity);
  while (more && !self.failed)
    {
      more = fill (&self, consumed, &read_error);
      if (!more && consumed > 0)
        {
          memmove (self.buffer, self.buffer + consumed, self.used - consumed);
          self.used -= consumed;
          self.base += consumed;
          memset (self.buffer + self.used, 0, STRIA_JSON_PADDING);
        }
      const char *end = self.buffer + self.used;
      const char *p = read_some (&self, self.buffer, end, !more, error);
      consumed = (gsize) (p - self.buffer);
      if (!more && read_error == NULL)
        check_end (&self, p, end);
      if (context->progress != NULL)
        context->progress (self.base + consumed, stria_pytorch_events_count (self.events),
                           context->user_data);
      if (g_cancellable_is_cancelled (context->cancellable))
        {
          cancelled = TRUE;
          break;
        }
    }

  guint64 n_events = stria_pytorch_events_count (self.events);
  if (self.other_keys->len > 0)
    {
      g_autoptr (GString) json = g_string_new ("[");
      g_auto (GStrv) names = g_strsplit (self.other_keys->str, "\n", -1);
      for (guint i = 0; names[i] != NULL; i++)
        {
          g_autofree char *escaped = g_strescape (names[i], NULL);
          g_string_append_printf (json, "%s\"%s\"", i > 0 ? ", " : "", escaped);
        }
      g_string_append_c (json, ']');
      sink->meta (sink, "@otherKeys", json->str, json->len);
    }
  stria_pytorch_events_finish (self.events);
  g_string_free (self.other_keys, TRUE);
  g_free (self.buffer);

  if (cancelled)
    {
      g_clear_error (&read_error);
      g_clear_error (error);
      g_cancellable_set_error_if_cancelled (context->cancellable, error);
      return FALSE;
    }
  if (self.failed)
    {
      g_clear_error (&read_error);
      return FALSE;
    }
  if (read_error != NULL)
    {
      if (n_events == 0)
        {
          g_propagate_error (error, read_error);
          return FALSE;
        }
      stria_notices_add (context->notices, STRIA_SEVERITY_WARNING,
                         g_error_matches (read_error, STRIA_ERROR, STRIA_ERROR_TRUNCATED)
                             ? "truncated"
                             : "damaged",
                         context->name, (gint64) (self.base + consumed), "%s",
                         read_error->message);
      g_clear_error (&read_error);
    }
  if (!self.has_events)
    {
      g_set_error (error, STRIA_ERROR,
                   self.place == AT_START ? STRIA_ERROR_EMPTY : STRIA_ERROR_BAD_MAGIC,
                   self.place == AT_START
                       ? _("%s: the file has no text")
                       : _("%s: JSON without a “traceEvents” array: not a Chrome trace (an execution "
                           "trace, perhaps, or the output of another tool)"),
                   context->name);
      return FALSE;
    }
  return TRUE;
}

static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  const char *text = (const char *) head, *end = text + length;
  const char *p = text;
  g_autofree char *lower = g_ascii_strdown (name, -1);
  gboolean named = strstr (lower, "trace") != NULL && strstr (lower, ".json") != NULL;

  if (head == NULL || length == 0)
    return 0;
  if (length >= 3 && memcmp (p, "\xef\xbb\xbf", 3) == 0)
    p += 3;
  p = stria_json_blanks (p, end);
  if (p >= end)
    return 0;
  if (*p == '{')
    {
      if (memmem (p, (gsize) (end - p), "\"traceEvents\"", 13) != NULL)
        return 95;
      if (whole)
        return named ? 10 : 0;
      /* Metadata can be longer than what was looked at. */
      if (memmem (p, (gsize) (end - p), "\"schemaVersion\"", 15) != NULL
          || memmem (p, (gsize) (end - p), "\"deviceProperties\"", 18) != NULL
          || memmem (p, (gsize) (end - p), "\"distributedInfo\"", 17) != NULL)
        return 80;
      return named ? 50 : 0;
    }
  if (*p == '[')
    {
      gsize ahead = MIN ((gsize) (end - p), 4096);
      p = stria_json_blanks (p + 1, end);
      while (p < end && (*p == ',' || *p == ' ' || *p == '\n'))
        p++;
      if (p < end && *p == '{' && memmem (p, MIN (ahead, (gsize) (end - p)), "\"ph\"", 4) != NULL)
        return 90;
      if (p < end && *p == ']' && named)
        return 40;
    }
  return 0;
}

const StriaDecoder stria_pytorch_trace_decoder = {
  .kind = "pytorch-trace",
  .title = N_ ("PyTorch trace"),
  .probe = probe,
  .decode = decode,
};
