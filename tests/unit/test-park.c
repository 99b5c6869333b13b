/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-builder.h"
#include "stria-table.h"

/* -- packed columns ------------------------------------------------------------------------- */

static void
check_pack (gconstpointer values, gsize size, gsize n, gsize most)
{
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  g_autofree guint8 *back = g_malloc (MAX (n * size, 1));
  guint8 before = 7;

  /* Behind an odd byte, as in a chunk of many columns */
  g_byte_array_append (packed, &before, 1);
  stria_column_pack (values, size, n, packed);
  g_assert_cmpuint (packed->len - 1, <=, most);
  g_assert_true (stria_column_unpack (packed->data + 1, packed->len - 1, size, n, back));
  g_assert_cmpmem (back, n * size, values, n * size);
  g_assert_false (stria_column_unpack (packed->data + 1, packed->len - 2, size, n, back));
  if (packed->len - 1 > 16)
    g_assert_false (stria_column_unpack (packed->data + 1, packed->len - 1, size, n - 1, back));
  packed->data[1] = 3;
  g_assert_false (stria_column_unpack (packed->data + 1, packed->len - 1, size, n, back));
}

static void
test_pack (void)
{
  enum { N = 1000 };
  gint64 wide[N];
  guint32 middle[N];
  guint16 small[N];
  static const gint64 spans[] = { 1, 200, 60000, 3000000000, G_MAXINT64 };

  for (guint s = 0; s < G_N_ELEMENTS (spans); s++)
    {
      static const gsize bytes[] = { 0, 1, 2, 4, 8 };

      for (guint i = 0; i < N; i++)
        wide[i] = G_MININT64 / 2
                  + (gint64) (((guint64) g_test_rand_int () << 31 ^ (guint64) g_test_rand_int ())
                              % (guint64) spans[s]);
      if (s > 0)
        {
          wide[3] = G_MININT64 / 2;
          wide[4] = G_MININT64 / 2 + spans[s] - 1;
        }
      check_pack (wide, 8, N, 16 + N * bytes[s]);
    }
  for (guint i = 0; i < N; i++)
    {
      middle[i] = G_MAXUINT32 - i % 7;
      small[i] = (guint16) (i * 77);
    }
  check_pack (middle, 4, N, 16 + N);
  check_pack (small, 2, N, 16 + N * 2);
  middle[0] = 0;
  check_pack (middle, 4, N, 16 + N * 4);
  check_pack (wide, 8, 0, 16);
}

/* -- lanes of tables are those of others ---------------------------------------------------- */

typedef void (*Shape) (StriaEvent *event, guint i);

static void
in_order (StriaEvent *event, guint i)
{
  event->ts_ns = (gint64) i * 100;
  event->dur_ns = 100 - i % 3;
}

/* What starts with one before it is longer: it must not stand in its row. */
static void
in_order_but_one (StriaEvent *event, guint i)
{
  in_order (event, i);
  if (i == 40000)
    {
      event->ts_ns -= 100;
      event->dur_ns = 0;
    }
  if (i == 39999)
    event->dur_ns = 0;
  if (i == 40001)
    event->ts_ns -= 200;
}

static void
nested (StriaEvent *event, guint i)
{
  event->ts_ns = (gint64) (i / 4) * 1000 + i % 4 * 10;
  event->dur_ns = 900 - i % 4 * 200;
}

static void
at_random (StriaEvent *event, guint i)
{
  event->ts_ns = g_test_rand_int_range (0, 4000000);
  event->dur_ns = g_test_rand_int_range (0, 3000);
  if (i % 5 == 0)
    event->flags = STRIA_EVENT_ANNOTATION;
}

static StriaBuilt *
build (const GArray *events, const char *key, StriaNotices *notices)
{
  g_autoptr (StriaSpill) spill = stria_spill_new ();
  StriaBuilder *builder = stria_builder_new (0, "made", notices);
  StriaSink *sink = stria_builder_get_sink (builder);
  guint32 process, thread;

  stria_builder_set_spill (builder, spill);
  for (guint i = 0; i < 12; i++)
    {
      char name[2] = { (char) ('a' + i), '\0' };

      g_assert_cmpuint (sink->intern (sink, name, 1), ==, i + 1);
    }
  process = sink->process (sink, "p", 1);
  thread = sink->thread (sink, process, key, strlen (key));
  g_assert_cmpuint (thread, ==, 0);
  sink->events (sink, (const StriaEvent *) (gpointer) events->data, events->len);
  return stria_builder_finish (builder);
}

static void
check_column (const StriaColumns *a, const StriaColumns *b, guint column)
{
  gsize size;
  void **x = stria_columns_get ((StriaColumns *) a, column, &size);
  void **y = stria_columns_get ((StriaColumns *) b, column, &size);

  g_assert_cmpint (*x == NULL, ==, *y == NULL);
  if (*x != NULL)
    g_assert_cmpmem (*x, a->n * size, *y, b->n * size);
}

static void
check_bodies (StriaLaneBody *parked, StriaLaneBody *plain, guint64 at_least)
{
  g_autoptr (StriaLane) lane = stria_lane_new (parked, 0, 0, 0);
  g_autoptr (StriaLane) other = stria_lane_new (plain, 0, 0, 0);

  g_assert_true (stria_lane_is_loaded (other));
  if (plain->n_events > at_least)
    g_assert_nonnull (parked->park);
  g_assert_cmpint (parked->kind, ==, plain->kind);
  g_assert_cmpuint (parked->n_events, ==, plain->n_events);
  g_assert_cmpint (parked->start_ns, ==, plain->start_ns);
  g_assert_cmpint (parked->end_ns, ==, plain->end_ns);
  g_assert_cmpfloat (parked->min_value, ==, plain->min_value);
  g_assert_cmpfloat (parked->max_value, ==, plain->max_value);
  g_assert_cmpmem (parked->row_begin, (parked->n_rows + 1) * sizeof (guint64), plain->row_begin,
                   (plain->n_rows + 1) * sizeof (guint64));
  g_assert_true (stria_lane_load (lane, NULL, NULL));
  for (guint c = 0; c < STRIA_N_COLUMNS; c++)
    check_column (&parked->columns, &plain->columns, c);
}

/* @kind: of the events; every tenth of 65,000 has an arrow to it if @flows */
static void
check_shape (Shape shape, StriaEventKind kind, gboolean flows)
{
  g_autoptr (StriaNotices) notices = stria_notices_new ();
  g_autoptr (GArray) events = g_array_new (FALSE, TRUE, sizeof (StriaEvent));
  const guint n = 65000;
  StriaBuilt *parked, *plain;
  guint64 names = 0;

  for (guint i = 0; i < n; i++)
    {
      StriaEvent event = { .args = STRIA_NO_ARGS, .kind = (guint8) kind, .seq = i,
                           .name = i % 12 + 1, .category = i % 3 };

      shape (&event, i);
      if (kind == STRIA_EVENT_INSTANT)
        event.dur_ns = 0;
      if (kind == STRIA_EVENT_COUNTER)
        {
          event.name = 1;
          event.value = g_test_rand_double ();
        }
      g_array_append_val (events, event);
      if (flows && i % 10 == 0)
        {
          StriaEvent flow = { .args = STRIA_NO_ARGS, .seq = i, .ts_ns = event.ts_ns, .name = 2,
                              .id = i / 20 + 1,
                              .kind = i % 20 == 0 ? STRIA_EVENT_FLOW_START : STRIA_EVENT_FLOW_END };

          g_array_append_val (events, flow);
        }
    }
  parked = build (events, STRIA_TABLE_LANE_KEY "Instruction\x1fx", notices);
  plain = build (events, "x", notices);
  g_assert_cmpuint (parked->lanes->len, ==, plain->lanes->len);
  for (guint i = 0; i < plain->lanes->len; i++)
    {
      const StriaBuiltLane *a = &g_array_index (parked->lanes, StriaBuiltLane, i);
      const StriaBuiltLane *b = &g_array_index (plain->lanes, StriaBuiltLane, i);

      g_assert_cmpint (a->is_counted, ==, kind == STRIA_EVENT_SLICE);
      check_bodies (a->body, b->body, flows ? n : 0);
    }
  for (guint i = 0; i < parked->n_by_name->len; i++)
    names += g_array_index (parked->n_by_name, guint64, i);
  g_assert_cmpuint (names, ==, kind == STRIA_EVENT_COUNTER ? 0 : n);
  g_assert_cmpuint (parked->flows->len, ==, plain->flows->len);
  g_assert_cmpint (parked->flows->len > n / 40, ==, flows);
  for (guint i = 0; i < plain->flows->len; i++)
    {
      const StriaBuiltFlow *a = &g_array_index (parked->flows, StriaBuiltFlow, i);
      const StriaBuiltFlow *b = &g_array_index (plain->flows, StriaBuiltFlow, i);

      g_assert_true (stria_ref_equal (a->from, b->from) && stria_ref_equal (a->to, b->to));
    }
  stria_built_free (parked);
  stria_built_free (plain);
}

static void
test_slices (void)
{
  check_shape (in_order, STRIA_EVENT_SLICE, FALSE);
  check_shape (in_order_but_one, STRIA_EVENT_SLICE, FALSE);
  check_shape (nested, STRIA_EVENT_SLICE, FALSE);
  check_shape (at_random, STRIA_EVENT_SLICE, FALSE);
}

static void
test_arrows (void)
{
  check_shape (in_order, STRIA_EVENT_SLICE, TRUE);
  check_shape (nested, STRIA_EVENT_SLICE, TRUE);
}

static void
test_samples (void)
{
  check_shape (in_order, STRIA_EVENT_COUNTER, FALSE);
  check_shape (at_random, STRIA_EVENT_COUNTER, FALSE);
  check_shape (in_order, STRIA_EVENT_INSTANT, FALSE);
  check_shape (at_random, STRIA_EVENT_INSTANT, FALSE);
}

/* Names, times and the store's chunks are the capture's own after a lane was taken into it. */
static void
test_translate (void)
{
  g_autoptr (StriaSpill) spill = stria_spill_new ();
  g_autoptr (StriaPark) park = stria_park_new (spill);
  const guint n = STRIA_PACK_EVENTS + 5;
  g_autofree gint64 *start = g_new (gint64, n);
  g_autofree guint32 *name = g_new (guint32, n);
  g_autofree guint16 *category = g_new0 (guint16, n);
  const guint32 names[] = { 50, 40, 30 };
  const guint16 categories[] = { 9 };
  StriaColumns columns = { .n = n, .start = start, .name = name, .category = category }, back = { 0 };

  for (guint i = 0; i < n; i++)
    {
      start[i] = -5 + (gint64) i * 3;
      name[i] = i % 4; /* 3 is none */
    }
  stria_park_add (park, &columns, 0, STRIA_PACK_EVENTS);
  stria_park_add (park, &columns, STRIA_PACK_EVENTS, 5);
  stria_park_translate (park, names, 3, categories, 1);
  stria_park_shift (park, 1000);
  g_assert_cmpint (stria_park_first_after (park, 995), ==, 998);
  g_assert_cmpint (stria_park_first_after (park, G_MAXINT64 - 1), ==, G_MAXINT64);
  g_assert_true (stria_park_load (park, &back, NULL, NULL));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (back.start[i], ==, start[i] + 1000);
      g_assert_cmpuint (back.name[i], ==, i % 4 < 3 ? names[i % 4] : 0);
      g_assert_cmpuint (back.category[i], ==, 9);
    }
  for (guint c = 0; c < STRIA_N_COLUMNS; c++)
    {
      g_autoptr (GBytes) chunk = stria_park_get_chunk (park, c, 1, NULL);
      gsize size;
      const guint8 *all = *stria_columns_get (&back, c, &size);
      guint64 five[5];

      g_assert_cmpint (chunk != NULL, ==, all != NULL);
      if (chunk == NULL)
        continue;
      g_assert_true (stria_column_unpack (g_bytes_get_data (chunk, NULL), g_bytes_get_size (chunk),
                                          size, 5, five));
      g_assert_cmpmem (five, 5 * size, all + STRIA_PACK_EVENTS * size, 5 * size);
    }
  stria_columns_clear (&back);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/park/pack", test_pack);
  g_test_add_func ("/park/slices", test_slices);
  g_test_add_func ("/park/arrows", test_arrows);
  g_test_add_func ("/park/samples", test_samples);
  g_test_add_func ("/park/translate", test_translate);
  return g_test_run ();
}
