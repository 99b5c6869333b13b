/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-json-scan.h"
#include "stria-json-text.h"
#include "stria-pytorch-event.h"
#include "stria-pytorch-fields.h"

#define BATCH 512
#define THREAD_CACHE 64
#define MAX_THREAD_KEY 96
/* Times and ends of slices stay within, 146 years on both sides, so that no difference of two of them
 * leaves 64 bits. */
#define MAX_TIME_NS ((gint64) ((G_GUINT64_CONSTANT (1) << 62) - 1))

typedef struct
{
  guint8 length; /* 0: free */
  char key[MAX_THREAD_KEY];
  guint32 thread;
} CachedThread;

struct _StriaPytorchEvents
{
  StriaSink *sink;
  StriaNotices *notices;
  const char *file;
  guint64 seq;
  guint64 offset; /* of the current event */

  StriaEvent batch[BATCH];
  gsize n_batch;

  CachedThread threads[THREAD_CACHE];
  GString *scratch;
  guint32 unnamed;
  guint32 annotation;
  guint32 gpu_annotation;

  guint64 phases[256];
  guint64 *categories; /* by string id */
  gsize n_categories;
  guint64 duplicates;
  GHashTable *global_threads; /* identity that joins processes -> thread it was first seen on */
};

static guint32
intern (StriaPytorchEvents *self, StriaSpan span)
{
  StriaSpan text = stria_span_inside (span);

  if (G_LIKELY (!text.escaped))
    return self->sink->intern (self->sink, text.start, (gsize) (text.end - text.start));
  g_string_truncate (self->scratch, 0);
  stria_json_unescape (text.start, text.end, self->scratch);
  return self->sink->intern (self->sink, self->scratch->str, self->scratch->len);
}

static void
notice (StriaPytorchEvents *self, StriaSeverity severity, const char *code, const char *message)
{
  stria_notices_count (self->notices, severity, code, self->file, (gint64) self->offset, 1,
                       message);
}

/* A process or thread id as a key: numbers as they stand; strings without their quotes, unless they
 * look like a number and would be taken for one. */
static gsize
id_key (StriaPytorchEvents *self, StriaSpan span, char *key, gsize size)
{
  StriaSpan text = stria_span_inside (span);
  gsize length;
  double number;

  if (span.start == NULL)
    return 0;
  if (stria_span_is_string (span) && stria_json_double (text.start, text.end, &number))
    text = span;
  else if (text.escaped)
    {
      g_string_truncate (self->scratch, 0);
      stria_json_unescape (text.start, text.end, self->scratch);
      text.start = self->scratch->str;
      text.end = text.start + self->scratch->len;
    }
  length = MIN ((gsize) (text.end - text.start), size);
  memcpy (key, text.start, length);
  if (!stria_span_is_string (span) && length > 2 && key[length - 1] == '0'
      && key[length - 2] == '.')
    length -= 2; /* 7.0 is 7 */
  return length;
}

static guint32
process_of (StriaPytorchEvents *self, const StriaEventFields *f)
{
  char key[256];
  gsize length = id_key (self, f->pid, key, sizeof key);

  return self->sink->process (self->sink, key, length);
}

/* Dense number of the event's thread, through a cache keyed by the text of both ids: events of a
 * thread come in long runs. */
static guint32
thread_of (StriaPytorchEvents *self, const StriaEventFields *f)
{
  gsize pid_length = f->pid.start != NULL ? (gsize) (f->pid.end - f->pid.start) : 0;
  StriaSpan tid = f->tid.start != NULL ? f->tid : f->pid;
  gsize tid_length = tid.start != NULL ? (gsize) (tid.end - tid.start) : 0;
  gsize total = pid_length + 1 + tid_length;
  CachedThread *cached = NULL;
  char raw[MAX_THREAD_KEY];

  if (total <= MAX_THREAD_KEY)
    {
      guint hash = (guint) (pid_length * 7 + tid_length);
      if (pid_length > 0)
        memcpy (raw, f->pid.start, pid_length);
      raw[pid_length] = '\x1f';
      if (tid_length > 0)
        memcpy (raw + pid_length + 1, tid.start, tid_length);
      for (gsize i = total > 12 ? total - 12 : 0; i < total; i++)
        hash = hash * 31 + (guint8) raw[i];
      cached = &self->threads[hash % THREAD_CACHE];
      if (cached->length == total && memcmp (cached->key, raw, total) == 0)
        return cached->thread;
    }

  char key[256];
  guint32 process = process_of (self, f);
  gsize length = id_key (self, tid, key, sizeof key);
  guint32 thread = self->sink->thread (self->sink, process, key, length);

  if (cached != NULL)
    {
      memcpy (cached->key, raw, total);
      cached->length = (guint8) total;
      cached->thread = thread;
    }
  return thread;
}

/* Identity of a flow or async event: a number is itself, a hexadecimal string is its number, any
 * other text gets a number of its own outside both. */
static guint64
identity (StriaPytorchEvents *self, StriaSpan span, guint64 space)
{
  StriaSpan text = stria_span_inside (span);
  guint64 value;

  if (span.start == NULL)
    return 0;
  if (stria_json_u64 (text.start, text.end, &value) && value < (G_GUINT64_CONSTANT (1) << 60))
    return space | value;
  if (stria_span_is_string (span) && text.end - text.start > 2 && text.end - text.start <= 17
      && text.start[0] == '0' && (text.start[1] == 'x' || text.start[1] == 'X'))
    {
      value = 0;
      for (const char *p = text.start + 2; p < text.end; p++)
        {
          if (!g_ascii_isxdigit (*p))
            goto other;
          value = value << 4 | (guint64) g_ascii_xdigit_value (*p);
        }
      if (value < (G_GUINT64_CONSTANT (1) << 60))
        return space | value;
    }
other:
  return space | (G_GUINT64_CONSTANT (1) << 60) | intern (self, span);
}

#define SPACE_LOCAL (G_GUINT64_CONSTANT (1) << 62)
#define SPACE_GLOBAL (G_GUINT64_CONSTANT (2) << 62)
#define SPACE_BIND (G_GUINT64_CONSTANT (3) << 62)

static guint64
async_identity (StriaPytorchEvents *self, const StriaEventFields *f)
{
  if (f->id_global.start != NULL)
    return identity (self, f->id_global, SPACE_GLOBAL);
  if (f->id_local.start != NULL)
    return identity (self, f->id_local, SPACE_LOCAL);
  return identity (self, f->id, 0);
}

/* Asynchronous events of one global id belong together whatever their processes are: all go where
 * the first one went. */
static guint32
global_thread (StriaPytorchEvents *self, const StriaEvent *event)
{
  gint64 key = (gint64) (event->id ^ (guint64) event->category << 32);
  gpointer known = g_hash_table_lookup (self->global_threads, &key);

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  g_hash_table_insert (self->global_threads, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (event->thread + 1));
  return event->thread;
}

static gboolean
get_time (StriaPytorchEvents *self, StriaSpan span, gint64 *ns)
{
  gboolean overflow;

  if (span.start == NULL || !stria_json_milli (span.start, span.end, ns, &overflow))
    return FALSE;
  if (overflow || *ns > MAX_TIME_NS || *ns < -MAX_TIME_NS)
    {
      *ns = *ns < 0 ? -MAX_TIME_NS : MAX_TIME_NS;
      notice (self, STRIA_SEVERITY_WARNING, "time-overflow",
              _("A time lies more than 146 years from 0; it was set to the nearest that does not"));
    }
  return TRUE;
}

static void
flush (StriaPytorchEvents *self)
{
  if (self->n_batch > 0)
    self->sink->events (self->sink, self->batch, self->n_batch);
  self->n_batch = 0;
}

static void
emit (StriaPytorchEvents *self, const StriaEvent *event)
{
  self->batch[self->n_batch++] = *event;
  if (self->n_batch == BATCH)
    flush (self);
}

static void
read_metadata (StriaPytorchEvents *self, const StriaEventFields *f)
{
  static const struct
  {
    const char *name;
    const char *key;
    StriaThreadField field;
  } known[] = {
    { "process_name", "\"name\"", STRIA_FIELD_PROCESS_NAME },
    { "process_labels", "\"labels\"", STRIA_FIELD_PROCESS_LABELS },
    { "process_sort_index", "\"sort_index\"", STRIA_FIELD_PROCESS_SORT },
    { "thread_name", "\"name\"", STRIA_FIELD_THREAD_NAME },
    { "thread_sort_index", "\"sort_index\"", STRIA_FIELD_THREAD_SORT },
  };
  StriaSpan name = stria_span_inside (f->name);

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (!stria_span_is (name, known[i].name) || f->args.start == NULL)
        continue;
      const char *at = memmem (f->args.start, (gsize) (f->args.end - f->args.start), known[i].key,
                               strlen (known[i].key));
      if (at == NULL)
        return;
      at = stria_json_blanks (at + strlen (known[i].key), f->args.end);
      if (at >= f->args.end || *at != ':')
        return;
      StriaSpan value = { stria_json_blanks (at + 1, f->args.end), NULL, FALSE };
      if (value.start >= f->args.end)
        return;
      if (*value.start == '"')
        {
          const char *close
              = stria_json_string_end (value.start + 1, f->args.end, &value.escaped);
          value.end = close != NULL ? close + 1 : NULL;
        }
      else
        value.end = stria_json_skip_value (value.start, f->args.end);
      if (value.end == NULL)
        return;

      gboolean of_thread = known[i].field == STRIA_FIELD_THREAD_NAME
                           || known[i].field == STRIA_FIELD_THREAD_SORT;
      guint32 process = of_thread ? 0 : process_of (self, f);
      guint32 thread = of_thread ? thread_of (self, f) : 0;
      if (known[i].field == STRIA_FIELD_PROCESS_SORT || known[i].field == STRIA_FIELD_THREAD_SORT)
        {
          gint64 milli;
          gboolean overflow;
          if (stria_json_milli (value.start, value.end, &milli, &overflow))
            self->sink->set_sort (self->sink, known[i].field, process, thread, milli / 1000);
        }
      else
        self->sink->set_name (self->sink, known[i].field, process, thread, intern (self, value));
      return;
    }
}

static void
read_counter (StriaPytorchEvents *self, const StriaEventFields *f, StriaEvent *event)
{
  const char *p, *end = f->args.end;
  gboolean any = FALSE;

  if (f->args.start == NULL || *f->args.start != '{')
    {
      notice (self, STRIA_SEVERITY_WARNING, "counter-no-value",
              _("A counter event has no values; it was left out"));
      return;
    }
  if (f->id.start != NULL)
    {
      /* One track an id: the id becomes part of the name. */
      StriaSpan name = stria_span_inside (f->name), id = stria_span_inside (f->id);
      g_autofree char *text = g_strdup_printf (
          "%.*s [%.*s]", (int) MIN (name.end - name.start, 4096),
          name.start != NULL ? name.start : "",
          (int) MIN (id.end - id.start, 256), id.start);
      event->name = self->sink->intern (self->sink, text, strlen (text));
    }
  p = stria_json_blanks (f->args.start + 1, end);
  while (p < end && *p == '"')
    {
      StriaSpan key = { p, NULL, FALSE }, value = { 0 };
      const char *close = stria_json_string_end (p + 1, end, &key.escaped);
      if (close == NULL)
        break;
      key.end = close + 1;
      p = stria_json_blanks (key.end, end);
      if (p >= end || *p != ':')
        break;
      value.start = stria_json_blanks (p + 1, end);
      value.end = stria_json_skip_value (value.start, end);
      if (value.end == NULL)
        break;
      if (stria_json_double (value.start, value.end, &event->value))
        {
          event->extra = intern (self, key);
          emit (self, event);
          any = TRUE;
        }
      p = stria_json_blanks (value.end, end);
      if (p < end && *p == ',')
        p = stria_json_blanks (p + 1, end);
    }
  if (!any)
    notice (self, STRIA_SEVERITY_WARNING, "counter-no-value",
            _("A counter event has no values; it was left out"));
}

static void
read_duration (StriaPytorchEvents *self, const StriaEventFields *f, StriaEvent *event)
{
  gboolean overflow = FALSE;

  event->dur_ns = 0;
  if (f->dur.start == NULL)
    {
      notice (self, STRIA_SEVERITY_WARNING, "duration-missing",
              _("A complete event has no duration; it is taken as 0"));
      return;
    }
  if (!stria_json_milli (f->dur.start, f->dur.end, &event->dur_ns, &overflow))
    {
      event->dur_ns = 0;
      notice (self, STRIA_SEVERITY_WARNING, "duration-not-a-number",
              _("A duration is not a number; it is taken as 0"));
    }
  else if (event->dur_ns < 0)
    {
      event->dur_ns = 0;
      event->flags |= STRIA_EVENT_NEGATIVE_DUR;
      notice (self, STRIA_SEVERITY_WARNING, "duration-negative",
              _("A duration is negative; it is taken as 0"));
    }
  else if (overflow || event->dur_ns > MAX_TIME_NS
           || event->ts_ns > MAX_TIME_NS - event->dur_ns)
    {
      /* A difference of unsigned times that wrapped round: there is no true length to show. */
      event->dur_ns = 0;
      event->flags |= STRIA_EVENT_CLAMPED;
      notice (self, STRIA_SEVERITY_WARNING, "duration-overflow",
              _("A duration ends more than 146 years from 0; it is taken as 0"));
    }
}

static void
read_slice_keys (const StriaEventFields *f, StriaEvent *event)
{
  guint64 key;

  if (f->correlation.start != NULL
      && stria_json_u64 (f->correlation.start, f->correlation.end, &key))
    event->correlation = key;
  if (f->external.start != NULL && stria_json_u64 (f->external.start, f->external.end, &key))
    event->external = key;
  if (f->python.start != NULL && stria_json_u64 (f->python.start, f->python.end, &key))
    event->id = key;
}

static gboolean
is_true (StriaSpan span)
{
  return stria_span_is (span, "1") || stria_span_is (stria_span_inside (span), "true");
}

/* Flow marks of the newer kind, on the slice itself. */
static void
read_bound_flow (StriaPytorchEvents *self, const StriaEventFields *f, const StriaEvent *slice)
{
  gboolean in = is_true (f->flow_in), out = is_true (f->flow_out);
  StriaEvent flow = *slice;

  if (!in && !out)
    return;
  flow.kind = in && out ? STRIA_EVENT_FLOW_STEP : out ? STRIA_EVENT_FLOW_START
                                                      : STRIA_EVENT_FLOW_END;
  flow.id = identity (self, f->bind_id, SPACE_BIND);
  flow.name = flow.category = 0;
  flow.correlation = flow.external = 0;
  flow.args = STRIA_NO_ARGS;
  flow.flags = STRIA_EVENT_BIND_ENCLOSING;
  flow.seq = slice->seq + 1; /* directly behind its slice */
  emit (self, &flow);
}

static void
count_category (StriaPytorchEvents *self, guint32 category)
{
  if (category >= self->n_categories)
    {
      gsize n = MAX ((gsize) category + 1, self->n_categories * 2);
      self->categories = g_renew (guint64, self->categories, n);
      memset (self->categories + self->n_categories, 0,
              (n - self->n_categories) * sizeof *self->categories);
      self->n_categories = n;
    }
  self->categories[category]++;
}

/* What is known and not drawn: counted under a name of its own. */
static void
leave_out (StriaPytorchEvents *self, char phase)
{
  g_autofree char *code = NULL;

  switch (phase)
    {
    case 'N':
    case 'O':
    case 'D':
      notice (self, STRIA_SEVERITY_INFO, "phase-object", _("Object events are counted, not drawn"));
      break;
    case 'P':
      notice (self, STRIA_SEVERITY_INFO, "phase-sample",
              _("CPU sample events are counted, not drawn"));
      break;
    case 'V':
    case 'v':
      notice (self, STRIA_SEVERITY_INFO, "phase-memory-dump",
              _("Memory dump events are counted, not drawn"));
      break;
    case 'c':
      notice (self, STRIA_SEVERITY_INFO, "phase-clock-sync",
              _("Clock synchronisation events are counted, not drawn"));
      break;
    case '(':
    case ')':
      notice (self, STRIA_SEVERITY_INFO, "phase-context",
              _("Context events are counted, not drawn"));
      break;
    default:
      code = g_ascii_isprint (phase) ? g_strdup_printf ("phase-unknown-%c", phase)
                                     : g_strdup ("phase-unknown");
      stria_notices_add (self->notices, STRIA_SEVERITY_WARNING, code, self->file,
                         (gint64) self->offset,
                         _("Events of the unknown phase “%c” were left out"),
                         g_ascii_isprint (phase) ? phase : '?');
      break;
    }
}

static void
take_event (StriaPytorchEvents *self, const StriaEventFields *f)
{
  StriaSpan ph = stria_span_inside (f->ph);
  char phase = ph.start != NULL && ph.end > ph.start ? *ph.start : '\0';
  StriaEvent event = { .args = STRIA_NO_ARGS, .seq = (guint32) (self->seq & G_MAXUINT32) };

  if (phase == '\0')
    {
      notice (self, STRIA_SEVERITY_WARNING, "event-no-phase",
              _("An event has no phase (“ph”); it was left out"));
      return;
    }
  self->phases[(guint8) phase]++;
  event.category = f->cat.start != NULL ? intern (self, f->cat) : 0;
  count_category (self, event.category);
  if (phase == 'M')
    {
      read_metadata (self, f);
      return;
    }
  if (strchr ("XBEiIRCbneSTpFstf", phase) == NULL)
    {
      leave_out (self, phase);
      return;
    }
  if (!get_time (self, f->ts, &event.ts_ns))
    {
      notice (self, STRIA_SEVERITY_WARNING, "event-no-time",
              _("An event has no time (“ts”); it was left out"));
      return;
    }
  event.thread = thread_of (self, f);
  if (f->name.start != NULL)
    event.name = intern (self, f->name);
  else if (phase != 'E' && phase != 'e' && phase != 'F')
    {
      if (self->unnamed == 0)
        self->unnamed = self->sink->intern (self->sink, "[No name]", 9);
      event.name = self->unnamed;
    }
  gboolean draws = strchr ("XBEiIRCbneSTpF", phase) != NULL;
  if (draws && f->args.start != NULL && f->args.end - f->args.start > 2)
    event.args = self->sink->args (self->sink, event.seq, f->args.start,
                                   (gsize) (f->args.end - f->args.start));

  switch (phase)
    {
    case 'X':
      event.kind = STRIA_EVENT_SLICE;
      read_duration (self, f, &event);
      read_slice_keys (f, &event);
      if (event.category == self->annotation || event.category == self->gpu_annotation)
        event.flags |= STRIA_EVENT_ANNOTATION;
      emit (self, &event);
      if (f->bind_id.start != NULL)
        read_bound_flow (self, f, &event);
      break;
    case 'B':
    case 'E':
      event.kind = phase == 'B' ? STRIA_EVENT_BEGIN : STRIA_EVENT_END;
      read_slice_keys (f, &event);
      emit (self, &event);
      break;
    case 'i':
    case 'I':
    case 'R':
      event.kind = STRIA_EVENT_INSTANT;
      if (f->scope.start != NULL)
        {
          StriaSpan scope = stria_span_inside (f->scope);
          if (stria_span_is (scope, "g"))
            event.flags |= STRIA_EVENT_SCOPE_GLOBAL;
          else if (stria_span_is (scope, "p"))
            event.flags |= STRIA_EVENT_SCOPE_PROCESS;
        }
      emit (self, &event);
      break;
    case 'C':
      event.kind = STRIA_EVENT_COUNTER;
      read_counter (self, f, &event);
      break;
    case 'T':
      if (f->dur.start != NULL) /* a thread state, which has a length */
        {
          event.kind = STRIA_EVENT_SLICE;
          read_duration (self, f, &event);
          emit (self, &event);
          break;
        }
      G_GNUC_FALLTHROUGH;
    case 'b':
    case 'n':
    case 'e':
    case 'S':
    case 'p':
    case 'F':
      if (f->id.start == NULL && f->id_local.start == NULL && f->id_global.start == NULL)
        {
          notice (self, STRIA_SEVERITY_WARNING, "async-no-id",
                  _("An asynchronous event has no id; it was left out"));
          break;
        }
      event.id = async_identity (self, f);
      if (f->async_scope.start != NULL)
        event.id ^= (guint64) intern (self, f->async_scope) << 32;
      if (f->id_global.start != NULL)
        event.thread = global_thread (self, &event);
      event.kind = phase == 'b' || phase == 'S'   ? STRIA_EVENT_ASYNC_BEGIN
                   : phase == 'e' || phase == 'F' ? STRIA_EVENT_ASYNC_END
                                                  : STRIA_EVENT_ASYNC_INSTANT;
      emit (self, &event);
      break;
    case 's':
    case 't':
    case 'f':
      event.kind = phase == 's'   ? STRIA_EVENT_FLOW_START
                   : phase == 't' ? STRIA_EVENT_FLOW_STEP
                                  : STRIA_EVENT_FLOW_END;
      if (f->id.start == NULL && f->id_local.start == NULL && f->id_global.start == NULL)
        {
          notice (self, STRIA_SEVERITY_WARNING, "flow-no-id",
                  _("A flow event has no id; it was left out"));
          break;
        }
      event.id = async_identity (self, f);
      if (phase != 'f' || stria_span_is (stria_span_inside (f->bp), "e"))
        event.flags |= STRIA_EVENT_BIND_ENCLOSING;
      emit (self, &event);
      break;
    default:
      g_assert_not_reached ();
    }
}

StriaPytorchEvents *
stria_pytorch_events_new (StriaSink *sink, StriaNotices *notices, const char *file)
{
  StriaPytorchEvents *self = g_new0 (StriaPytorchEvents, 1);

  self->sink = sink;
  self->notices = notices;
  self->file = file;
  self->scratch = g_string_new (NULL);
  self->global_threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->annotation = sink->intern (sink, "user_annotation", 15);
  self->gpu_annotation = sink->intern (sink, "gpu_user_annotation", 19);
  return self;
}

StriaEventResult
stria_pytorch_events_read (StriaPytorchEvents *self, const char *p, const char *end, guint64 offset,
                           const char **stop)
{
  StriaEventFields fields = { 0 };
  StriaEventResult result
      = stria_event_fields_read (&fields, p, end, &self->duplicates, stop);

  if (result != STRIA_EVENT_READ)
    return result;
  self->offset = offset;
  /* An empty event is what some writers leave behind a trailing comma. */
  if (*stop - p > 2 && stria_json_blanks (p + 1, *stop) < *stop - 1)
    {
      take_event (self, &fields);
      self->seq++;
    }
  return STRIA_EVENT_READ;
}

void
stria_pytorch_events_lost (StriaPytorchEvents *self)
{
  self->seq++;
}

guint64
stria_pytorch_events_count (StriaPytorchEvents *self)
{
  return self->seq;
}

static void
append_json_key (GString *out, const char *text)
{
  if (out->len > 1)
    g_string_append (out, ", ");
  stria_json_append_text (out, text, -1);
  g_string_append (out, ": ");
}

void
stria_pytorch_events_finish (StriaPytorchEvents *self)
{
  g_autoptr (GString) phases = g_string_new ("{"), categories = g_string_new ("{");

  flush (self);
  for (guint i = 0; i < 256; i++)
    if (self->phases[i] > 0)
      {
        char text[3] = { i < 0x80 ? (char) i : '?', '\0' };
        append_json_key (phases, text);
        g_string_append_printf (phases, "%" G_GUINT64_FORMAT, self->phases[i]);
      }
  g_string_append_c (phases, '}');
  self->sink->meta (self->sink, "@phases", phases->str, phases->len);

  for (gsize id = 0; id < self->n_categories; id++)
    if (self->categories[id] > 0)
      {
        append_json_key (categories, self->sink->text (self->sink, (guint32) id));
        g_string_append_printf (categories, "%" G_GUINT64_FORMAT, self->categories[id]);
      }
  g_string_append_c (categories, '}');
  self->sink->meta (self->sink, "@categories", categories->str, categories->len);

  if (self->duplicates > 0)
    stria_notices_count (self->notices, STRIA_SEVERITY_INFO, "duplicate-key", self->file, -1,
                         self->duplicates,
                         _("An event has a key twice; the last one counts"));
  g_string_free (self->scratch, TRUE);
  g_hash_table_unref (self->global_threads);
  g_free (self->categories);
  g_free (self);
}
