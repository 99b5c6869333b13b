/* SPDX-License-Identifier: Apache-2.0 */
/* How records follow one another in the stream files of a system profile is unknown; it is found by
 * trying. */
#include "config.h"

#include "stria-pb-frames.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "neuron_trace.pb-c.h"
#include "stria-error.h"
#include "stria-load.h"

#define HOUR_NS ((guint64) 3600 * 1000000000)
/* Years 2015 and 2100 */
#define EPOCH_FROM_NS ((guint64) 1420070400 * 1000000000)
#define EPOCH_TO_NS ((guint64) 4102444800 * 1000000000)
#define ARENA_LIMIT ((gsize) 64 << 20)

/* Offsets behind a header that may stand before the records; the first is none. */
static const gsize begins[] = { 0, 4, 8, 16, 128 };

typedef struct
{
  StriaProtoSchema *schema;
  StriaStreamKind kind;
  const guint8 *data;
  gsize length;
  StriaTraceInfo *info;
  StriaProtoArena *arena;

  /* Of the candidate at hand */
  guint64 n_timed;
  guint64 n_inside;
  guint64 n_plausible;
  guint64 n_in_range;
  guint64 n_ranged;
} Trial;

typedef struct
{
  gsize offset;
  gsize n;
} Place;

/* -- records --------------------------------------------------------------------------------- */

static gboolean
is_device_clock (const Ntff__NtraceEvent *event)
{
  for (gsize i = 0; i < event->n_attributes; i++)
    if (g_strcmp0 (event->attributes[i]->key, "nc_timestamp_ns") == 0)
      return TRUE;
  return FALSE;
}

static void
look_at_time (Trial *self, guint64 time)
{
  guint64 begin = self->info != NULL ? self->info->session_begin_ns : 0;
  guint64 end = self->info != NULL ? self->info->session_end_ns : 0;

  self->n_timed++;
  self->n_plausible += time >= EPOCH_FROM_NS && time < EPOCH_TO_NS;
  if (begin == 0 || time < begin - MIN (begin, HOUR_NS))
    return;
  /* A session that was not closed has no end. */
  if (end >= begin && end < EPOCH_TO_NS ? time > end + HOUR_NS : time >= EPOCH_TO_NS)
    return;
  self->n_inside++;
}

static gboolean
look_at_event (Trial *self, const Ntff__NtraceEvent *event)
{
  if (event->timestamp == 0)
    return FALSE;
  /* Which clock hardware events are in is unknown: their times prove nothing. */
  if (!is_device_clock (event))
    look_at_time (self, event->timestamp);
  return TRUE;
}

static gboolean
look_at_cpu (Trial *self, const Ntff__CpuUtil *sample)
{
  guint32 cpus = self->info != NULL ? self->info->num_cpus : 0;

  if (sample->timestamp == 0 || !isfinite (sample->util))
    return FALSE;
  look_at_time (self, sample->timestamp);
  self->n_ranged++;
  self->n_in_range += sample->util >= 0 && sample->util <= 100.01f
                      && (cpus == 0 || sample->cpu_id < cpus);
  return TRUE;
}

static gboolean
look_at_memory (Trial *self, const Ntff__HostMemUsage *sample)
{
  if (sample->timestamp == 0)
    return FALSE;
  look_at_time (self, sample->timestamp);
  return TRUE;
}

const ProtobufCMessageDescriptor *
stria_stream_descriptor (StriaStreamKind kind)
{
  switch (kind)
    {
    case STRIA_STREAM_EVENTS:
      return &ntff__ntrace_event__descriptor;
    case STRIA_STREAM_CPU:
      return &ntff__cpu_util__descriptor;
    default:
      return &ntff__host_mem_usage__descriptor;
    }
}

/* Whether the bytes are a message of the kind; if so, what its values say is counted. */
static gboolean
look (Trial *self, StriaFrames *frames, gsize offset, gsize n)
{
  StriaProtoReport report = { 0 };
  gpointer message;

  stria_proto_arena_reset (self->arena);
  message = stria_proto_unpack (self->schema, stria_stream_descriptor (self->kind), self->arena,
                                self->data + offset, n, STRIA_PROTO_DEFAULT, &report, NULL);
  if (message == NULL || report.n_mismatched > 0 || report.n_broken > 0)
    return FALSE;
  frames->n_unknown += report.n_unknown;
  switch (self->kind)
    {
    case STRIA_STREAM_EVENTS:
      return look_at_event (self, message);
    case STRIA_STREAM_CPU:
      return look_at_cpu (self, message);
    default:
      return look_at_memory (self, message);
    }
}

/* -- one candidate --------------------------------------------------------------------------- */

static gboolean
too_many (guint64 failed, guint64 checked)
{
  return failed * 64 > checked + 64;
}

static StriaVerdict
most_of (guint64 part, guint64 whole)
{
  return whole == 0 ? STRIA_VERDICT_UNKNOWN
         : part >= whole - part ? STRIA_VERDICT_YES : STRIA_VERDICT_NO;
}

static void
look_at_tail (Trial *self, StriaFrames *frames, const Place *ring)
{
  guint64 n = frames->n_records > STRIA_FRAME_HEAD
              ? MIN (frames->n_records - STRIA_FRAME_HEAD, STRIA_FRAME_TAIL) : 0;
  guint64 failed = 0;

  for (guint64 i = 0; i < n; i++)
    failed += !look (self, frames, ring[i].offset, ring[i].n);
  frames->n_checked += n;
  frames->n_failed += failed;
  if (too_many (failed, n))
    frames->fields = STRIA_VERDICT_NO;
}

/* Walks all of the file. What is wrong from some place on leaves the records before it. */
static void
walk (Trial *self, StriaFrames *frames)
{
  g_autofree Place *ring = g_new0 (Place, STRIA_FRAME_TAIL);
  StriaFrameWalk it;
  StriaFrameStep step;
  guint64 good_records = 0;
  gsize good_end = frames->begin;
  gsize offset, n;

  stria_frame_walk_init (&it, self->schema, self->kind, frames, self->data, self->length);
  while ((step = stria_frame_walk_next (&it, &offset, &n)) == STRIA_FRAME_RECORD)
    {
      if (frames->n_records < STRIA_FRAME_HEAD)
        {
          frames->n_checked++;
          if (!look (self, frames, offset, n))
            {
              if (frames->n_failed++ == 0)
                {
                  good_records = frames->n_records;
                  good_end = frames->end;
                }
              if (frames->n_records == 0 || too_many (frames->n_failed, frames->n_checked))
                break;
            }
        }
      else
        {
          ring[frames->n_records % STRIA_FRAME_TAIL].offset = offset;
          ring[frames->n_records % STRIA_FRAME_TAIL].n = n;
        }
      frames->n_records++;
      frames->end = it.at;
    }

  frames->fields = STRIA_VERDICT_YES;
  frames->truncated = step == STRIA_FRAME_CUT;
  frames->exact = step == STRIA_FRAME_END ? STRIA_VERDICT_YES : STRIA_VERDICT_PART;
  /* A last record that is cut behind one of its fields looks whole. */
  if (step == STRIA_FRAME_END && frames->framing == STRIA_FRAMING_BARE && frames->n_failed == 1
      && frames->n_records > 1 && good_records == frames->n_records - 1)
    {
      frames->truncated = TRUE;
      frames->exact = STRIA_VERDICT_PART;
    }
  if (frames->n_failed > 0 && frames->exact != STRIA_VERDICT_YES)
    {
      frames->n_records = good_records;
      frames->end = good_end;
      frames->n_failed = 0;
    }
  look_at_tail (self, frames, ring);
  if (frames->n_failed > 0 && frames->fields == STRIA_VERDICT_YES)
    frames->fields = STRIA_VERDICT_PART;
  if (frames->n_records == 0)
    frames->exact = frames->fields = STRIA_VERDICT_NO;
  /* Bytes without records between them are of the known fields or they are nothing. */
  if (frames->framing == STRIA_FRAMING_BARE && frames->n_unknown > 0)
    frames->fields = STRIA_VERDICT_NO;
}

static gint64
count_said (const Trial *self)
{
  static const StriaTraceFileRole roles[]
      = { STRIA_TRACE_ROLE_EVENTS, STRIA_TRACE_ROLE_CPU, STRIA_TRACE_ROLE_MEMORY };
  const StriaTraceFile *file
      = self->info != NULL ? stria_trace_info_file (self->info, roles[self->kind]) : NULL;

  return file != NULL && file->n_events > 0 ? file->n_events : 0;
}

/* Whether so many records are no chance: those of a file that they do not fill, and those behind bytes
 * that are taken for a header, of which only the device profiles' first byte is known. */
static gboolean
is_enough (const Trial *self, const StriaFrames *frames)
{
  if (frames->begin > 0 && frames->count != STRIA_VERDICT_YES && self->data[0] != 6)
    return FALSE;
  if (frames->exact == STRIA_VERDICT_YES)
    return TRUE;
  if (frames->begin > 0 || frames->session != STRIA_VERDICT_YES)
    return frames->truncated && frames->n_records >= 4;
  return frames->n_records >= 2;
}

static void
judge (Trial *self, StriaFrames *frames)
{
  gint64 said = count_said (self);
  gboolean has_session = self->info != NULL && self->info->session_begin_ns > 0;

  frames->session = has_session ? most_of (self->n_inside, self->n_timed) : STRIA_VERDICT_UNKNOWN;
  frames->plausible = !has_session
                      && most_of (self->n_plausible, self->n_timed) == STRIA_VERDICT_YES;
  frames->range = most_of (self->n_in_range, self->n_ranged);
  if (frames->range == STRIA_VERDICT_YES && self->n_in_range < self->n_ranged)
    frames->range = STRIA_VERDICT_NO;
  if (said > 0 && frames->n_records == (guint64) said)
    frames->count = STRIA_VERDICT_YES;
  else if (said > 0 && (frames->exact == STRIA_VERDICT_YES || frames->n_records > (guint64) said))
    frames->count = STRIA_VERDICT_NO;

  frames->score = (frames->exact == STRIA_VERDICT_YES ? 4 : frames->truncated ? 3 : 1)
                  + (frames->fields == STRIA_VERDICT_YES ? 4 : 2) - (frames->n_unknown > 0)
                  + 3 * (frames->session == STRIA_VERDICT_YES) + frames->plausible
                  + 3 * (frames->count == STRIA_VERDICT_YES)
                  + 2 * (frames->range == STRIA_VERDICT_YES)
                  - 2 * (frames->range == STRIA_VERDICT_NO);
  if (frames->exact == STRIA_VERDICT_NO || frames->fields == STRIA_VERDICT_NO)
    frames->score = 0;
  else if (!is_enough (self, frames))
    frames->accepted = FALSE;
  else if (frames->framing == STRIA_FRAMING_BARE)
    frames->accepted = frames->session == STRIA_VERDICT_YES
                       && (frames->count == STRIA_VERDICT_YES
                           || frames->range == STRIA_VERDICT_YES);
  else
    frames->accepted = frames->session == STRIA_VERDICT_YES
                       || frames->count == STRIA_VERDICT_YES || frames->plausible;
}

static guint32
first_field (const Trial *self, gsize begin)
{
  guint64 tag;
  guint taken = stria_load_varint (self->data + begin, self->length - begin, &tag);

  return taken > 0 && (tag & 7) == STRIA_WIRE_BYTES && tag >> 3 > 0 && tag >> 3 < (1u << 29)
         ? (guint32) (tag >> 3) : 0;
}

/* FALSE: the bytes there do not allow it to be tried */
static gboolean
attempt (Trial *self, StriaFraming framing, gsize begin, StriaFrames *frames)
{
  *frames = (StriaFrames) { .framing = framing, .begin = begin, .end = begin };
  if (begin >= self->length)
    return FALSE;
  if (framing == STRIA_FRAMING_WRAPPED)
    {
      frames->field = first_field (self, begin);
      if (frames->field == 0)
        return FALSE;
    }
  if (framing == STRIA_FRAMING_INFO && self->kind != STRIA_STREAM_EVENTS)
    return FALSE;
  self->n_timed = self->n_inside = self->n_plausible = 0;
  self->n_in_range = self->n_ranged = 0;
  walk (self, frames);
  judge (self, frames);
  return TRUE;
}

/* -- all of them ----------------------------------------------------------------------------- */

/* The same messages at the same places are no ambiguity. */
static gboolean
is_same (const StriaFrames *a, const StriaFrames *b)
{
  return (a->framing == STRIA_FRAMING_WRAPPED && b->framing == STRIA_FRAMING_INFO)
         || (b->framing == STRIA_FRAMING_WRAPPED && a->framing == STRIA_FRAMING_INFO);
}

static gboolean
choose (const GArray *tried, StriaFrames *chosen, const StriaFrames **rival)
{
  const StriaFrames *best = NULL;

  *rival = NULL;
  for (guint i = 0; i < tried->len; i++)
    {
      const StriaFrames *frames = &g_array_index (tried, StriaFrames, i);

      if (!frames->accepted || (best != NULL && frames->score < best->score))
        continue;
      if (best != NULL && frames->score == best->score)
        {
          if (!is_same (best, frames))
            *rival = frames;
          continue;
        }
      best = frames;
      *rival = NULL;
    }
  if (best != NULL)
    *chosen = *best;
  return best != NULL;
}

static void
set_refusal (const GArray *tried, const char *name, GError **error)
{
  const StriaFrames *best = NULL;
  g_autofree char *id = NULL;

  for (guint i = 0; i < tried->len; i++)
    {
      const StriaFrames *frames = &g_array_index (tried, StriaFrames, i);

      if (frames->score > 0 && (best == NULL || frames->score > best->score))
        best = frames;
    }
  if (best == NULL)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _("%s: offset 0: expected messages of a system profile in one of %u framings, "
                     "found none in any of them"),
                   name, tried->len);
      return;
    }
  id = stria_frames_id (best);
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
               _("%s: offset %" PRIu64 ": expected messages whose times or number agree with a "
                 "trace_info.pb beside the file, found %" PRIu64 " that can be read (%s, score "
                 "%d) and nothing that confirms them; the wire view shows the fields"),
               name, (guint64) best->begin, best->n_records, id, best->score);
}

gboolean
stria_frames_detect (StriaProtoSchema *schema, StriaStreamKind kind, const guint8 *data,
                     gsize length, StriaTraceInfo *info, const char *name, StriaFrames *chosen,
                     GArray *all, GError **error)
{
  g_autoptr (GArray) tried = g_array_new (FALSE, FALSE, sizeof (StriaFrames));
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (ARENA_LIMIT);
  const StriaFrames *rival = NULL;
  gboolean found = FALSE;
  Trial trial = {
    .schema = schema, .kind = kind, .data = data, .length = length, .info = info, .arena = arena,
  };

  /* Behind a header only when nothing fits at the first byte: records that begin later fit, too. */
  for (guint i = 0; i < G_N_ELEMENTS (begins) && !found; i++)
    {
      for (guint framing = 0; framing < STRIA_N_FRAMINGS; framing++)
        {
          StriaFrames frames;

          if (attempt (&trial, framing, begins[i], &frames))
            g_array_append_val (tried, frames);
        }
      if (i == 0 || i + 1 == G_N_ELEMENTS (begins))
        found = choose (tried, chosen, &rival);
    }
  if (all != NULL)
    g_array_append_vals (all, tried->data, tried->len);
  if (!found)
    {
      set_refusal (tried, name, error);
      return FALSE;
    }
  if (rival != NULL)
    {
      g_autofree char *a = stria_frames_id (chosen);
      g_autofree char *b = stria_frames_id (rival);

      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _("%s: offset 0: expected one framing of the messages, found two that fit "
                     "equally well (%s and %s, score %d); the wire view shows the fields"),
                   name, a, b, chosen->score);
      return FALSE;
    }
  return TRUE;
}

guint64
stria_frames_probe (StriaProtoSchema *schema, StriaStreamKind kind, const guint8 *data,
                    gsize length, gboolean whole)
{
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (ARENA_LIMIT);
  guint64 most = 0;
  Trial trial = {
    .schema = schema, .kind = kind, .data = data, .length = length, .arena = arena,
  };

  for (guint i = 0; i < G_N_ELEMENTS (begins) && most == 0; i++)
    for (guint framing = 0; framing < STRIA_N_FRAMINGS; framing++)
      {
        StriaFrames frames;

        if (!attempt (&trial, framing, begins[i], &frames) || frames.score == 0
            || !frames.plausible || frames.n_unknown > 0 || frames.range == STRIA_VERDICT_NO)
          continue;
        /* The head of a file that goes on ends inside a record. */
        if (frames.exact == STRIA_VERDICT_YES || (!whole && frames.truncated))
          most = MAX (most, frames.n_records);
      }
  return most;
}

/* -- what to say of it ----------------------------------------------------------------------- */

const char *
stria_framing_title (StriaFraming framing)
{
  switch (framing)
    {
    case STRIA_FRAMING_VARINT:
      return _("a varint with the length before each message");
    case STRIA_FRAMING_U32:
      return _("four bytes with the length before each message");
    case STRIA_FRAMING_U64:
      return _("eight bytes with the length before each message");
    case STRIA_FRAMING_WRAPPED:
      return _("one message with a repeated field");
    case STRIA_FRAMING_INFO:
      return _("one message of the session with its events");
    default:
      return _("messages with nothing between them");
    }
}

char *
stria_frames_id (const StriaFrames *self)
{
  static const char *const ids[] = { "F1", "F2", "F3", "F4", "F4", "F5" };

  return g_strconcat (self->begin > 0 ? "F6+" : "", ids[self->framing], NULL);
}

guint
stria_frames_passed (const StriaFrames *self, guint *n_made)
{
  const StriaVerdict verdicts[]
      = { self->exact, self->fields, self->session, self->count, self->range };
  guint passed = 0;

  *n_made = 0;
  for (guint i = 0; i < G_N_ELEMENTS (verdicts); i++)
    {
      *n_made += verdicts[i] != STRIA_VERDICT_UNKNOWN;
      passed += verdicts[i] == STRIA_VERDICT_YES;
    }
  return passed;
}

static void
append_json (GString *json, const StriaFrames *self)
{
  static const char *const verdicts[] = { "unknown", "no", "part", "yes" };
  g_autofree char *id = stria_frames_id (self);

  g_string_append_printf (
      json,
      "\"framing\":\"%s\",\"offset\":%" PRIu64 ",\"end\":%" PRIu64 ",\"field\":%" PRIu32
      ",\"records\":%" PRIu64 ",\"score\":%d,\"accepted\":%s,\"exact\":\"%s\",\"fields\":\"%s\","
      "\"session\":\"%s\",\"count\":\"%s\",\"range\":\"%s\",\"plausible\":%s,\"truncated\":%s",
      id, (guint64) self->begin, (guint64) self->end, self->field, self->n_records, self->score,
      self->accepted ? "true" : "false", verdicts[self->exact], verdicts[self->fields],
      verdicts[self->session], verdicts[self->count], verdicts[self->range],
      self->plausible ? "true" : "false", self->truncated ? "true" : "false");
}

char *
stria_frames_to_json (const StriaFrames *chosen, const GArray *all)
{
  GString *json = g_string_new ("{");

  append_json (json, chosen);
  g_string_append (json, ",\"tried\":[");
  for (guint i = 0; i < all->len; i++)
    {
      g_string_append (json, i > 0 ? ",{" : "{");
      append_json (json, &g_array_index (all, StriaFrames, i));
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]}");
  return g_string_free (json, FALSE);
}
