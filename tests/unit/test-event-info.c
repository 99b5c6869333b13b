/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to say about an event, against what was fed. */
#include "config.h"

#include "stria-event-info.h"

#include <json-glib/json-glib.h>

#include "trace-maker.h"

static void
test_all (void)
{
  g_autoptr (TraceMaker) maker = maker_new (2, 8);
  g_autoptr (StriaTrace) trace = NULL;
  guint n_children = 0, n_parents = 0, n_args = 0;

  maker_nested (maker, 0, 1000, 200000, 4, 4, 10);
  maker_nested (maker, 1, 1000, 200000, 3, 4, 10);
  trace = maker_finish (maker, TRUE);

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *columns = stria_lane_get_columns (lane);

      for (guint32 i = 0; i < columns->n; i++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (StriaEventInfo) info = stria_event_info_new (trace, (StriaRef){ l, i }, NULL,
                                                                  &error);
          const MakerSlice *slice;

          g_assert_no_error (error);
          slice = &g_array_index (maker->slices, MakerSlice, info->seq);
          g_assert_cmpuint (slice->seq, ==, info->seq);
          g_assert_cmpint (info->start_ns, ==, slice->ts);
          g_assert_cmpint (info->dur_ns, ==, slice->dur);
          g_assert_cmpint (info->self_ns, >=, 0);
          g_assert_cmpint (info->self_ns, <=, info->dur_ns);
          n_children += (guint) info->n_children;
          n_parents += !stria_ref_is_none (info->parent);
          g_assert_cmpuint (info->stack->len, ==, info->depth);
          if (info->stack->len > 0)
            g_assert_true (stria_ref_equal (g_array_index (info->stack, StriaEventLink, 0).ref,
                                            info->parent));
          if (info->seq % 3 == 0)
            {
              g_autofree char *expected = g_strdup_printf ("%u", info->seq);

              g_assert_cmpstr (stria_field_get (info->fields, "n")->text, ==, expected);
              n_args++;
            }
          else
            g_assert_null (info->args);
        }
    }
  g_assert_cmpuint (n_children, ==, n_parents);
  g_assert_cmpuint (n_children, >, 0);
  g_assert_cmpuint (n_args, ==, (maker->slices->len + 2) / 3);
}

static void
test_json (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 4);
  g_autoptr (StriaTrace) trace = NULL;
  g_autoptr (StriaEventInfo) info = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;
  g_autofree char *name = maker_name (2);
  JsonObject *object;

  maker_slice (maker, 0, 5000, 700, 2, 0);
  trace = maker_finish (maker, FALSE);
  info = stria_event_info_new (trace, (StriaRef){ 0, 0 }, NULL, &error);
  g_assert_no_error (error);
  json = stria_event_info_to_json (info);
  json_parser_load_from_data (parser, json, -1, &error);
  g_assert_no_error (error);
  object = json_node_get_object (json_parser_get_root (parser));
  g_assert_cmpstr (json_object_get_string_member (object, "name"), ==, name);
  g_assert_cmpint (json_object_get_int_member (object, "start_ns"), ==, 5000);
  g_assert_cmpint (json_object_get_int_member (object, "dur_ns"), ==, 700);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (object, "args"), "n"),
                   ==, 0);

  text = stria_event_info_to_text (info, FALSE);
  g_assert_nonnull (strstr (text, name));
  g_assert_nonnull (strstr (text, "700 ns"));
}

static void
test_absent (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 4);
  g_autoptr (StriaTrace) trace = NULL;
  g_autoptr (GError) error = NULL;

  maker_slice (maker, 0, 5000, 700, 2, 0);
  trace = maker_finish (maker, FALSE);
  g_assert_null (stria_event_info_new (trace, (StriaRef){ 77, 0 }, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_null (stria_event_info_new (trace, (StriaRef){ 0, 77 }, NULL, &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/event-info/all", test_all);
  g_test_add_func ("/event-info/json", test_json);
  g_test_add_func ("/event-info/absent", test_absent);
  return g_test_run ();
}
