/* SPDX-License-Identifier: Apache-2.0 */
/* The published schema is there as a whole: 52 tables, 656 columns. */
#include "config.h"

#include <string.h>

#include "stria-neuron-schema.h"

static void
test_counts (void)
{
  static const char *const types[] = { "INT", "REAL", "BOOL", "TEXT" };
  const StriaNeuronTable *tables;
  guint n_tables, n_columns = 0, n_lists = 0, of_type[4] = { 0 };

  tables = stria_neuron_schema (&n_tables);
  g_assert_cmpuint (n_tables, ==, 52);
  for (guint t = 0; t < n_tables; t++)
    {
      g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

      if (t > 0)
        g_assert_cmpstr (tables[t - 1].name, <, tables[t].name);
      g_assert_cmpuint (strlen (tables[t].note), >, 0);
      for (guint c = 0; c < tables[t].n_columns; c++)
        {
          const StriaNeuronColumn *column = &tables[t].columns[c];

          g_assert_true (g_hash_table_add (names, (gpointer) column->name));
          n_lists += column->is_list;
          of_type[column->type]++;
          g_assert_nonnull (column->unit);
          g_assert_nonnull (column->note);
          if (g_str_has_suffix (column->name, "_ns") && column->type == STRIA_CELL_INT)
            g_assert_cmpstr (column->unit, ==, "ns");
          if (g_str_has_suffix (column->name, "_ts") && column->type == STRIA_CELL_INT)
            g_assert_cmpstr (column->unit, ==, "ns");
        }
      n_columns += tables[t].n_columns;
    }
  g_assert_cmpuint (n_columns, ==, 656);
  /* Four levels with three lists each, flow_id, and two of what is never in a file */
  g_assert_cmpuint (n_lists, ==, 4 * 3 + 1 + 2);
  for (guint i = 0; i < 4; i++)
    g_test_message ("%s %u", types[i], of_type[i]);
  g_assert_cmpuint (of_type[STRIA_CELL_BOOL], ==, 5);
}

static void
test_find (void)
{
  const StriaNeuronTable *table = stria_neuron_schema_table ("instruction_12");

  g_assert_nonnull (table);
  g_assert_cmpstr (table->name, ==, "Instruction");
  g_assert_cmpuint (table->n_columns, ==, 55);
  g_assert_cmpstr (stria_neuron_schema_column (table, "EVT_WAIT_TIME_NS")->unit, ==, "ns");
  g_assert_false (stria_neuron_schema_column (table, "evt_wait_time_ns")->required);
  g_assert_true (stria_neuron_schema_column (table, "start_ts")->required);
  g_assert_null (stria_neuron_schema_column (table, "start"));
  g_assert_null (stria_neuron_schema_column (NULL, "start_ts"));
  g_assert_null (stria_neuron_schema_table ("Instruction_"));
  g_assert_null (stria_neuron_schema_table ("Instructions"));
  g_assert_null (stria_neuron_schema_table (""));
  g_assert_null (stria_neuron_schema_table ("_1"));
  table = stria_neuron_schema_table ("SystemProfileEvents");
  g_assert_true (stria_neuron_schema_column (table, "flow_id")->is_list);
  g_assert_cmpint (stria_neuron_schema_column (table, "flow_id")->type, ==, STRIA_CELL_TEXT);
  g_assert_cmpstr (stria_neuron_schema_version (), ==, "7.4.0");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/neuron-schema/counts", test_counts);
  g_test_add_func ("/neuron-schema/find", test_find);
  return g_test_run ();
}
