/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-reports.h"

#include <glib/gi18n-lib.h>

static const StriaReport reports[] = {
  {
      .id = "tensors",
      .title = N_ ("Tensors"),
      .note = N_ ("The tensors that the program declares, and what was loaded of each. Loads are "
                  "summed from the transfers that name the tensor; repeat is bytes loaded ÷ size."),
      .needs = "TensorInfo DmaPacketAggregated.variable DmaPacketAggregated.transfer_bytes",
      .sql = "WITH loads AS MATERIALIZED (\n"
             "  SELECT variable, count(*) AS dma_count, sum(transfer_bytes) AS loaded_bytes,\n"
             "         avg(transfer_bytes) AS mean_bytes\n"
             "  FROM DmaPacketAggregated GROUP BY variable)\n"
             "SELECT t.variable_name, t.type, t.format, t.shape, t.size AS size_bytes, t.node,\n"
             "       t.pcore_idx, l.mean_bytes AS load_to_sbuf_avg_size_bytes,\n"
             "       l.loaded_bytes AS load_to_sbuf_total_size_bytes,\n"
             "       l.dma_count AS load_to_sbuf_dma_count,\n"
             "       1.0 * l.loaded_bytes / nullif(t.size, 0) AS repeat_factor\n"
             "FROM TensorInfo AS t LEFT JOIN loads AS l ON l.variable = t.variable_name\n"
             "ORDER BY t.size DESC",
  },
  {
      .id = "tensors-declared",
      .title = N_ ("Tensors as Declared"),
      .note = N_ ("The tensors that the program declares. Copy a name into the search to find its "
                  "transfers."),
      .needs = "TensorInfo",
      .sql = "SELECT * FROM TensorInfo ORDER BY size DESC",
  },
  {
      .id = "quality",
      .title = N_ ("Is the Data Good?"),
      .note = N_ ("How many instructions say which line of source they are of. None: the program "
                  "was compiled without debug information."),
      .needs = "Instruction.bir_debug_info_source_location",
      .sql = "SELECT count(*) AS instructions,\n"
             "       count(nullif(bir_debug_info_source_location, '')) AS with_source,\n"
             "       100.0 * count(nullif(bir_debug_info_source_location, '')) / count(*)\n"
             "         AS with_source_percent\n"
             "FROM Instruction",
  },
  {
      .id = "warnings",
      .title = N_ ("Warnings of the Profile"),
      .note = N_ ("What went wrong while the profile was made"),
      .needs = "Warning",
      .sql = "SELECT * FROM Warning",
  },
  {
      .id = "opcodes",
      .title = N_ ("Where Did the Time Go?"),
      .note = N_ ("By engine and opcode. Engines run side by side: times of different engines must "
                  "not be added up."),
      .needs = "Instruction.engine Instruction.opcode Instruction.duration_ns",
      .sql = "SELECT engine, opcode, count(*) AS instructions, sum(duration_ns) AS total_ns,\n"
             "       avg(duration_ns) AS mean_ns, max(duration_ns) AS longest_ns\n"
             "FROM Instruction GROUP BY engine, opcode ORDER BY total_ns DESC",
  },
  {
      .id = "waits",
      .title = N_ ("Who Waits the Longest?"),
      .note = N_ ("Time from ready to issue until the semaphore allowed it, by engine and opcode"),
      .needs = "Instruction.evt_wait_time_ns",
      .sql = "SELECT engine, opcode, count(evt_wait_time_ns) AS waits,\n"
             "       sum(evt_wait_time_ns) AS waited_ns, max(evt_wait_time_ns) AS longest_ns\n"
             "FROM Instruction WHERE evt_wait_time_ns > 0\n"
             "GROUP BY engine, opcode ORDER BY waited_ns DESC",
  },
  {
      .id = "engines",
      .title = N_ ("Which Engine Is the Bottleneck?"),
      .note = N_ ("Busy time of each engine, overlaps merged and waits left out"),
      .needs = "ActiveTime.engine ActiveTime.duration_ns",
      .sql = "SELECT engine, pcore_idx, sum(duration_ns) AS busy_ns, count(*) AS spans,\n"
             "       100.0 * sum(duration_ns) / (SELECT max(end_ts) - min(start_ts) FROM ActiveTime)\n"
             "         AS busy_percent\n"
             "FROM ActiveTime GROUP BY engine, pcore_idx ORDER BY busy_ns DESC",
  },
  {
      .id = "hot-lines",
      .title = N_ ("Hot Lines of Kernels"),
      .note = N_ ("The ten lines of NKI source on which engines spent the most time"),
      .needs = "Instruction.nki_source_location",
      .sql = "SELECT nki_source_location AS line, engine, opcode, count(*) AS instructions,\n"
             "       sum(duration_ns) AS total_ns\n"
             "FROM Instruction WHERE nki_source_location <> ''\n"
             "GROUP BY 1, 2, 3 ORDER BY total_ns DESC LIMIT 10",
  },
  {
      .id = "overlap",
      .title = N_ ("Do Weight Loads Overlap Matmuls?"),
      .note = N_ ("Pairs of one BIR instruction: whether its weights are loaded before, after or "
                  "while its matmul runs"),
      .needs = "Instruction.bir_id Instruction.opcode",
      .sql = "WITH m AS MATERIALIZED (SELECT bir_id, start_ts, end_ts FROM Instruction\n"
             "                        WHERE opcode = 'MATMUL' AND bir_id <> ''),\n"
             "     l AS MATERIALIZED (SELECT bir_id, start_ts, end_ts FROM Instruction\n"
             "                        WHERE opcode = 'LDWEIGHTS' AND bir_id <> '')\n"
             "SELECT CASE WHEN l.end_ts <= m.start_ts THEN 'before'\n"
             "            WHEN l.start_ts >= m.end_ts THEN 'after' ELSE 'overlap' END AS weights,\n"
             "       count(*) AS pairs,\n"
             "       sum(max(0, min(l.end_ts, m.end_ts) - max(l.start_ts, m.start_ts)))\n"
             "         AS overlap_ns\n"
             "FROM l JOIN m ON l.bir_id = m.bir_id GROUP BY 1 ORDER BY 2 DESC",
  },
  {
      .id = "traffic",
      .title = N_ ("Excess Traffic"),
      .note = N_ ("Bytes moved for each tensor ÷ its size: 1 is each byte once. Spills go through "
                  "memory called VIRTUAL."),
      .needs = "DmaPacketAggregated.variable DmaPacketAggregated.transfer_bytes TensorInfo.size",
      .sql = "WITH size AS MATERIALIZED (SELECT variable_name, max(size) AS size\n"
             "                           FROM TensorInfo GROUP BY 1)\n"
             "SELECT d.variable, sum(d.transfer_bytes) AS moved_bytes, s.size AS size_bytes,\n"
             "       1.0 * sum(d.transfer_bytes) / nullif(s.size, 0) AS times,\n"
             "       sum(CASE WHEN d.source LIKE '%VIRTUAL%' OR d.dest LIKE '%VIRTUAL%'\n"
             "                THEN d.transfer_bytes ELSE 0 END) AS spilled_bytes\n"
             "FROM DmaPacketAggregated AS d LEFT JOIN size AS s ON s.variable_name = d.variable\n"
             "GROUP BY d.variable ORDER BY moved_bytes DESC",
  },
  {
      .id = "loads",
      .title = N_ ("Who Loads What?"),
      .note = N_ ("Lines of source whose instructions started transfers of inputs, by tensor"),
      .needs = "Instruction.nki_source_location Instruction.id Flow DmaPacketAggregated.source",
      .sql = "WITH i AS MATERIALIZED (SELECT id, nki_source_location AS line FROM Instruction\n"
             "                        WHERE nki_source_location <> ''),\n"
             "     f AS MATERIALIZED (SELECT in_id, out_id FROM Flow WHERE in_table = 'Instruction'\n"
             "                        AND out_table = 'DmaPacketAggregated'),\n"
             "     d AS MATERIALIZED (SELECT id, variable, transfer_bytes FROM DmaPacketAggregated\n"
             "                        WHERE source LIKE '%INPUT%')\n"
             "SELECT i.line, d.variable, count(*) AS transfers,\n"
             "       sum(d.transfer_bytes) AS loaded_bytes\n"
             "FROM f JOIN i ON i.id = f.in_id JOIN d ON d.id = f.out_id\n"
             "GROUP BY 1, 2 ORDER BY loaded_bytes DESC",
  },
  {
      .id = "small-transfers",
      .title = N_ ("Small Transfers"),
      .note = N_ ("By queue; the documented aim is 32768 bytes a transfer on average"),
      .needs = "DmaPacketAggregated.queue_name DmaPacketAggregated.transfer_bytes",
      .sql = "SELECT queue_name, count(*) AS transfers, avg(transfer_bytes) AS mean_bytes,\n"
             "       sum(transfer_bytes) AS total_bytes,\n"
             "       100.0 * sum(transfer_bytes < 4096) / count(*) AS below_4096_percent\n"
             "FROM DmaPacketAggregated GROUP BY queue_name ORDER BY mean_bytes",
  },
  {
      .id = "names",
      .title = N_ ("Slices by Name"),
      .note = N_ ("Count and times of the slices of the timeline that no table brought along"),
      .needs = "slice",
      .sql = "SELECT name(s.name) AS name, c.name AS category, count(*) AS slices,\n"
             "       sum(s.dur) AS total_ns, avg(s.dur) AS mean_ns, max(s.dur) AS longest_ns\n"
             "FROM slice AS s JOIN category AS c ON c.id = s.category\n"
             "GROUP BY s.name, s.category ORDER BY total_ns DESC",
  },
  {
      .id = "longest",
      .title = N_ ("Longest Slices"),
      .note = N_ ("Double click a row to see it on the timeline"),
      .needs = "slice",
      .sql = "SELECT s.id, s.lane, s.ts, s.dur AS dur_ns, name(s.name) AS name, l.name AS lane_name\n"
             "FROM slice AS s JOIN lane AS l ON l.id = s.lane ORDER BY s.dur DESC LIMIT 1000",
  },
  {
      .id = "launches",
      .title = N_ ("Delay of Launches"),
      .note = N_ ("From the end of the call that launched something to its begin, by what ran"),
      .needs = "arrow",
      .sql = "SELECT name(t.name) AS ran, count(*) AS launches, sum(t.dur) AS ran_ns,\n"
             "       avg(t.ts - f.ts - f.dur) AS mean_delay_ns,\n"
             "       max(t.ts - f.ts - f.dur) AS longest_ns\n"
             "FROM arrow AS a JOIN slice AS f ON f.id = a.from_id JOIN slice AS t ON t.id = a.to_id\n"
             "GROUP BY t.name ORDER BY launches DESC",
  },
  {
      .id = "lanes",
      .title = N_ ("Busy Lanes"),
      .note = N_ ("Outermost slices of each lane"),
      .needs = "slice",
      .sql = "SELECT l.name AS lane, count(*) AS slices, sum(s.dur) AS busy_ns,\n"
             "       100.0 * sum(s.dur) / nullif(max(s.ts + s.dur) - min(s.ts), 0) AS busy_percent\n"
             "FROM slice AS s JOIN lane AS l ON l.id = s.lane WHERE s.depth = 0\n"
             "GROUP BY s.lane ORDER BY busy_ns DESC",
  },
  {
      .id = "columns",
      .title = N_ ("Tables and Columns"),
      .note = N_ ("What the tables of the files have, with units"),
      .needs = "data_column",
      .sql = "SELECT t.name AS table_name, c.name AS column_name, c.type, c.unit, c.note,\n"
             "       t.n_rows, a.name AS file\n"
             "FROM data_column AS c JOIN data_table AS t ON t.id = c.data_table\n"
             "JOIN artifact AS a ON a.id = t.artifact ORDER BY t.name, c.number",
  },
};

const StriaReport *
stria_reports (guint *n)
{
  *n = G_N_ELEMENTS (reports);
  return reports;
}

gboolean
stria_report_can (const StriaReport *report, StriaReportHas has, gpointer user_data, char **missing)
{
  g_auto (GStrv) needs = g_strsplit (report->needs, " ", -1);

  for (guint i = 0; needs[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (needs[i], ".", 2);

      if (has (parts[0], parts[1], user_data))
        continue;
      if (missing != NULL)
        *missing = g_strdup (needs[i]);
      return FALSE;
    }
  return TRUE;
}
