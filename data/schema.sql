-- SPDX-License-Identifier: Apache-2.0
-- The store of a capture: one SQLite database, written once and then only read.
-- Times are integers in nanoseconds on the capture's clock (artifact.shift_ns was added to what the
-- file says; wall time = time + meta 'wall_ns' where that is there). Sizes are integers in bytes.
-- PRAGMA application_id is 0x53545249 ("STRI"), PRAGMA user_version the version of this schema.

-- Facts about the whole store. Keys: 'complete' ('1'), 'program', 'path', 'n_events', 'start_ns',
-- 'end_ns', 'view_start_ns', 'view_end_ns', 'wall_ns', 'unbound_flows', 'overview' (BLOB of 32-bit
-- floats: busy share of equal parts of the view range).
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value                    -- text, integer or blob, by key
) WITHOUT ROWID;

-- The files the capture was made of, in the order of the scan.
CREATE TABLE artifact (
  id        INTEGER PRIMARY KEY, -- from 0
  name      TEXT NOT NULL,       -- relative to the capture's root
  kind      TEXT,                -- decoder's short name; NULL: none knows it
  title     TEXT,                -- decoder's title in the language of the import
  state     TEXT NOT NULL,       -- imported, empty, unreadable, unknown, cancelled
  reason    TEXT,                -- why it is unreadable or empty
  size      INTEGER NOT NULL,    -- bytes on disk
  mtime_ns  INTEGER NOT NULL,    -- nanoseconds since the epoch
  digest    TEXT NOT NULL,       -- SHA-256 of the first and last 64 KiB
  n_events  INTEGER NOT NULL,    -- events the decoder gave
  base_ns   INTEGER,             -- time since the epoch of the file's time 0; NULL: not stated
  shift_ns  INTEGER NOT NULL     -- added to the file's times to get the capture's
);

-- What an artifact says about itself: JSON text by key. Keys that begin with '@' are counts made by
-- the decoder ('@phases', '@categories': object of text -> number of events).
CREATE TABLE artifact_meta (
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  key      TEXT NOT NULL,
  value    TEXT NOT NULL,
  PRIMARY KEY (artifact, key)
) WITHOUT ROWID;

-- What was not as it should be, counted.
CREATE TABLE notice (
  code     TEXT NOT NULL,    -- stable short name
  severity TEXT NOT NULL,    -- info, warning, error
  file     TEXT NOT NULL,    -- artifact's base name
  offset   INTEGER NOT NULL, -- byte offset of the first case in the inflated text; -1: none
  count    INTEGER NOT NULL, -- number of cases
  message  TEXT NOT NULL     -- about the first case, in the language of the import
);

-- Each text once.
CREATE TABLE string (
  id       INTEGER PRIMARY KEY, -- from 0, which is the empty text
  text     TEXT NOT NULL,
  n_events INTEGER NOT NULL     -- slices and instants of this name
);

CREATE TABLE category (
  id   INTEGER PRIMARY KEY, -- from 0, which is none
  name TEXT NOT NULL
);

CREATE TABLE process (
  id         INTEGER PRIMARY KEY, -- from 0, in drawing order
  artifact   INTEGER NOT NULL REFERENCES artifact (id),
  key        TEXT NOT NULL,       -- process id as the file writes it
  name       TEXT,
  labels     TEXT,
  sort_index INTEGER NOT NULL
);

-- What the timeline stacks: a thread or stream, a counter, instants.
CREATE TABLE lane (
  id        INTEGER PRIMARY KEY, -- from 0, in drawing order
  process   INTEGER NOT NULL REFERENCES process (id),
  artifact  INTEGER NOT NULL REFERENCES artifact (id),
  kind      TEXT NOT NULL,    -- slices, annotations, overflow, async, instants, counter
  key       TEXT NOT NULL,    -- thread id as the file writes it
  name      TEXT NOT NULL,
  unit      TEXT,             -- of a counter; NULL: the file does not say
  n_rows    INTEGER NOT NULL, -- nesting depths
  n_events  INTEGER NOT NULL,
  first_id  INTEGER NOT NULL, -- id of its first event in slice, instant or sample
  start_ns  INTEGER NOT NULL,
  end_ns    INTEGER NOT NULL,
  min_value REAL,             -- counters
  max_value REAL,
  row_begin BLOB NOT NULL     -- n_rows + 1 little-endian 64-bit indices
);

-- Ids of slice, instant and sample are of one sequence: lane.first_id + index in the lane's columns.
-- Lanes whose key begins with 'table' and the character 0x1f were made from a table that the file brought
-- along: their events have no rows here, as they are rows of that table.
CREATE TABLE slice (
  id          INTEGER PRIMARY KEY,
  lane        INTEGER NOT NULL REFERENCES lane (id),
  ts          INTEGER NOT NULL, -- start, ns
  dur         INTEGER NOT NULL, -- ns, as measured (drawing may clip what outlasts its parent)
  name        INTEGER NOT NULL REFERENCES string (id),
  category    INTEGER NOT NULL REFERENCES category (id),
  depth       INTEGER NOT NULL, -- row in the lane
  parent      INTEGER,          -- id of the enclosing slice
  correlation INTEGER,          -- launch and what it launched share it
  external_id INTEGER,          -- operator and its launches share it
  python_id   INTEGER,          -- Python call id
  seq         INTEGER NOT NULL, -- number of the event in its file
  flags       INTEGER NOT NULL, -- 8 negative, 16 unfinished, 32 clamped, 64 annotation, 128 exact
  args        INTEGER           -- reference for args (artifact, ref)
);

CREATE TABLE instant (
  id       INTEGER PRIMARY KEY,
  lane     INTEGER NOT NULL REFERENCES lane (id),
  ts       INTEGER NOT NULL, -- ns
  name     INTEGER NOT NULL REFERENCES string (id),
  category INTEGER NOT NULL REFERENCES category (id),
  seq      INTEGER NOT NULL,
  flags    INTEGER NOT NULL, -- 1 of a process, 2 of everything
  args     INTEGER
);

CREATE TABLE sample (
  id    INTEGER PRIMARY KEY,
  lane  INTEGER NOT NULL REFERENCES lane (id),
  ts    INTEGER NOT NULL, -- ns
  value REAL NOT NULL,    -- in lane.unit
  seq   INTEGER NOT NULL
);

-- Arrows between slices, both ends bound.
CREATE TABLE arrow (
  id        INTEGER PRIMARY KEY,
  from_id   INTEGER NOT NULL REFERENCES slice (id),
  to_id     INTEGER NOT NULL REFERENCES slice (id),
  name      INTEGER NOT NULL REFERENCES string (id),
  category  INTEGER NOT NULL REFERENCES category (id),
  backwards INTEGER NOT NULL -- 1: the end starts before the start (clock skew)
);

-- Tables of rows that a file brought along, under the names of its own schema (Instruction,
-- DmaPacket, SystemProfileEvents, ...). Stria's queries see each as an SQL table of that name, with the
-- rows of all artifacts and a hidden column "artifact"; the bytes of a chunk are laid out as
-- model/stria-table-chunk.c says.
CREATE TABLE data_table (
  id       INTEGER PRIMARY KEY, -- from 0
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  name     TEXT NOT NULL,
  n_rows   INTEGER NOT NULL
);

CREATE TABLE data_column (
  data_table INTEGER NOT NULL REFERENCES data_table (id),
  number     INTEGER NOT NULL, -- from 0
  name       TEXT NOT NULL,
  type       TEXT NOT NULL,    -- int, real, bool, text
  unit       TEXT NOT NULL,    -- ns, B, ...; '' for none
  note       TEXT,             -- what it means, or how sure its unit is
  PRIMARY KEY (data_table, number)
) WITHOUT ROWID;

-- At most 65536 rows of one column. id = data_table << 40 | column << 24 | chunk.
CREATE TABLE data_chunk (
  id      INTEGER PRIMARY KEY,
  n_rows  INTEGER NOT NULL,
  n_nulls INTEGER NOT NULL, -- rows without a value
  min     INTEGER,          -- smallest value of an integer column
  max     INTEGER,
  data    BLOB NOT NULL
);

-- Argument texts: zstd frames of records (32-bit seq, 32-bit length, text; little endian).
CREATE TABLE args_chunk (
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  chunk    INTEGER NOT NULL,
  data     BLOB NOT NULL,
  PRIMARY KEY (artifact, chunk)
);

-- What is drawn: 16384 elements of a column (the rest in the last chunk), less what they have in common:
-- byte 0 is the number of bytes an element (0, 1, 2, 4 or 8), bytes 8 to 15 what is added to each,
-- the elements follow; all little-endian. Of less than 8 bytes an element, the sum is cut to its size.
-- id = lane << 32 | column << 24 | chunk. Columns: 0 start, 1 dur, 2 value, 3 name, 4 category,
-- 5 flags, 6 seq, 7 parent, 8 args, 9 correlation, 10 external, 11 python.
CREATE TABLE column_chunk (
  id   INTEGER PRIMARY KEY,
  data BLOB NOT NULL
);

-- Allocator snapshots. A device is (artifact, device, is_host); ids of events and elements count from
-- 0 in it. Addresses are unsigned 64-bit numbers in a signed column: those of 2^63 and above show as
-- negative. A stack is frames of alloc_frame, innermost first.
CREATE TABLE alloc_device (
  artifact   INTEGER NOT NULL REFERENCES artifact (id),
  device     INTEGER NOT NULL, -- ordinal
  is_host    INTEGER NOT NULL, -- 1: pinned host memory
  n_events   INTEGER NOT NULL,
  n_elements INTEGER NOT NULL,
  streams    BLOB NOT NULL,    -- raw handles by ordinal, little-endian 64-bit
  pools      BLOB NOT NULL,    -- pool ids by ordinal: first << 32 | second; all bits: not known
  PRIMARY KEY (artifact, is_host, device)
) WITHOUT ROWID;

CREATE TABLE alloc_frame (
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  id       INTEGER NOT NULL,
  name     INTEGER NOT NULL REFERENCES string (id),
  filename INTEGER NOT NULL REFERENCES string (id),
  line     INTEGER,          -- NULL: not known
  extra    INTEGER NOT NULL, -- string: other keys as JSON; 0: none
  PRIMARY KEY (artifact, id)
) WITHOUT ROWID;

CREATE TABLE alloc_stack (
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  id       INTEGER NOT NULL,
  frames   BLOB NOT NULL,    -- little-endian 32-bit frame ids
  PRIMARY KEY (artifact, id)
) WITHOUT ROWID;

CREATE TABLE alloc_action (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL -- as the format writes it
);

CREATE TABLE alloc_event (
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  device   INTEGER NOT NULL,
  is_host  INTEGER NOT NULL,
  id       INTEGER NOT NULL,
  action   INTEGER NOT NULL REFERENCES alloc_action (id),
  address  INTEGER NOT NULL,
  size     INTEGER NOT NULL, -- bytes; alloc and free: as requested
  stream   INTEGER NOT NULL, -- raw handle
  pool     INTEGER,          -- first << 32 | second; NULL: not known
  time_us  INTEGER,          -- microseconds since the epoch; NULL: not recorded
  stack    INTEGER,          -- alloc_stack
  element  INTEGER,          -- alloc_element that it is about
  metadata INTEGER           -- string: user metadata
);

-- Lives of blocks. birth, request and death are events; NULL: before the first, or none.
CREATE TABLE alloc_element (
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  device   INTEGER NOT NULL,
  is_host  INTEGER NOT NULL,
  id       INTEGER NOT NULL, -- stacking order
  address  INTEGER NOT NULL,
  size     INTEGER NOT NULL, -- bytes, as requested
  rounded  INTEGER,          -- bytes it takes in its segment; NULL: not known
  birth    INTEGER,
  request  INTEGER,          -- of its free
  death    INTEGER,
  stack    INTEGER,
  stream   INTEGER NOT NULL, -- raw handle
  pool     INTEGER,
  version  INTEGER NOT NULL, -- how often its address was freed before
  flags    INTEGER NOT NULL  -- 1 held by the snapshot, 2 freed only, 4 alive at the end
);

-- The snapshot itself.
CREATE TABLE alloc_segment (
  artifact       INTEGER NOT NULL REFERENCES artifact (id),
  device         INTEGER NOT NULL,
  is_host        INTEGER NOT NULL,
  id             INTEGER NOT NULL, -- place in the file
  address        INTEGER,          -- NULL: the file has none
  total_size     INTEGER NOT NULL, -- bytes
  allocated_size INTEGER NOT NULL,
  active_size    INTEGER NOT NULL,
  requested_size INTEGER NOT NULL,
  stream         INTEGER NOT NULL,
  pool           INTEGER,
  type           INTEGER NOT NULL, -- string: small, large
  stack          INTEGER,
  is_expandable  INTEGER NOT NULL,
  first_block    INTEGER NOT NULL, -- in alloc_block
  n_blocks       INTEGER NOT NULL
);

CREATE TABLE alloc_block (
  artifact       INTEGER NOT NULL REFERENCES artifact (id),
  device         INTEGER NOT NULL,
  is_host        INTEGER NOT NULL,
  id             INTEGER NOT NULL,
  address        INTEGER NOT NULL,
  size           INTEGER NOT NULL, -- bytes, rounded
  requested_size INTEGER NOT NULL, -- bytes; stale in inactive blocks
  state          INTEGER NOT NULL, -- 0 allocated, 1 pending free, 2 inactive, 3 other
  stack          INTEGER
);

CREATE TABLE alloc_annotation (
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  device   INTEGER NOT NULL,
  time_us  INTEGER,
  name     INTEGER NOT NULL REFERENCES string (id),
  stage    INTEGER NOT NULL, -- 1 start, 2 end, 0 neither
  metadata INTEGER NOT NULL  -- string: other keys as JSON; 0: none
);

-- '@settings' is the allocator's settings; other keys are those of the file that are not known. JSON.
CREATE TABLE alloc_text (
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  key      TEXT NOT NULL,
  value    TEXT NOT NULL,
  PRIMARY KEY (artifact, key)
) WITHOUT ROWID;

-- Event columns as they stand in memory, little-endian, at most 16777216 elements a row. Columns:
-- 0 action, 1 stage, 2 address, 3 size, 4 extra, 5 stream, 6 pool, 7 time_us, 8 stack, 9 metadata,
-- 10 context, 11 category, 12 forward, 13 label. A column that is not there holds nothing but zeros.
CREATE TABLE alloc_column (
  artifact INTEGER NOT NULL,
  is_host  INTEGER NOT NULL,
  device   INTEGER NOT NULL,
  number   INTEGER NOT NULL,
  chunk    INTEGER NOT NULL,
  data     BLOB NOT NULL,
  PRIMARY KEY (artifact, is_host, device, number, chunk)
);

-- Facts: what ExecuTorch artifacts say. Rows count from 0 in each artifact and table; a
-- column described as a row holds such a number, NULL for none; texts are ids of fact_string.
-- Unsigned 64-bit numbers stand in signed columns: those of 2^63 and above show as negative.
CREATE TABLE fact_string (
  artifact INTEGER NOT NULL,
  id       INTEGER NOT NULL,
  text     TEXT NOT NULL,
  PRIMARY KEY (artifact, id)
) WITHOUT ROWID;

CREATE TABLE graph (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  name INTEGER NOT NULL, -- string; stable: "forward"
  method INTEGER NOT NULL, -- string; method it belongs to, or 0
  kind INTEGER NOT NULL, -- StriaGraphKind
  owner INTEGER, -- row; of a VGF graph the row of `vgf`; else none
  first_group INTEGER NOT NULL,
  n_groups INTEGER NOT NULL,
  first_node INTEGER NOT NULL,
  n_nodes INTEGER NOT NULL,
  first_edge INTEGER NOT NULL,
  n_edges INTEGER NOT NULL,
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE graph_group (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  graph INTEGER, -- row
  parent INTEGER, -- row; graph_group, or none
  id INTEGER NOT NULL, -- string; stable: path of labels joined by "/"
  label INTEGER NOT NULL, -- string
  kind INTEGER NOT NULL, -- StriaGroupKind
  first_attr INTEGER NOT NULL,
  n_attrs INTEGER NOT NULL,
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE graph_node (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  graph INTEGER, -- row
  "group" INTEGER, -- row; graph_group, or none
  id INTEGER NOT NULL, -- string; stable, unique in the graph
  label INTEGER NOT NULL, -- string
  kind INTEGER NOT NULL, -- StriaNodeKind
  "key" INTEGER NOT NULL,
    -- source: debug handle; plan: chain << 32 | instruction; VGF: segment << 32 | SPIR-V result id
    -- (segment 0: the id itself); else, or
    -- none: -1
  subgraph INTEGER NOT NULL, -- string; name of a graph that this node stands for, or 0
  file INTEGER NOT NULL, -- string; source file of the innermost frame that is the user's, or 0
  line INTEGER NOT NULL, -- from 1; 0: not known
  first_attr INTEGER NOT NULL,
  n_attrs INTEGER NOT NULL,
  first_input INTEGER NOT NULL, -- graph_port
  n_inputs INTEGER NOT NULL, -- graph_port
  first_output INTEGER NOT NULL, -- graph_port
  n_outputs INTEGER NOT NULL, -- graph_port
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

-- Inputs and outputs of a node.
CREATE TABLE graph_port (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  node INTEGER, -- row
  id INTEGER NOT NULL, -- string; as the format numbers or names it
  name INTEGER NOT NULL, -- string; of the parameter or the tensor, or 0
  type INTEGER NOT NULL, -- string; shape and element type for people: "1×3×224×224 int8", or 0
  first_attr INTEGER NOT NULL,
  n_attrs INTEGER NOT NULL,
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE graph_edge (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  graph INTEGER, -- row
  source INTEGER, -- row; graph_node
  source_port INTEGER, -- row; graph_port, or none
  target INTEGER, -- row; graph_node
  target_port INTEGER, -- row; graph_port, or none
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE graph_attr (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  "key" INTEGER NOT NULL, -- string
  value INTEGER NOT NULL, -- string
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE dump (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  version INTEGER NOT NULL,
  size_prefixed INTEGER NOT NULL,
  sha256 INTEGER NOT NULL, -- string; of the whole file, hexadecimal
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE dump_run (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  name INTEGER NOT NULL, -- string
  bundled_input INTEGER NOT NULL, -- -1: none
  first_event INTEGER NOT NULL,
  n_events INTEGER NOT NULL,
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

-- Times are ticks as written; the file has no unit.
CREATE TABLE dump_event (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  run INTEGER, -- row
  "order" INTEGER NOT NULL, -- place in the run's list, from 0, all kinds of events counted
  kind INTEGER NOT NULL, -- StriaDumpEventKind
  wrapped INTEGER NOT NULL, -- 1: end before start, elapsed by the 32-bit rule
  chain INTEGER NOT NULL, -- -1: outside an instruction
  instruction INTEGER NOT NULL,
  delegate_int INTEGER NOT NULL, -- -1: none
  delegate_name INTEGER NOT NULL, -- string; string delegate id, or 0
  name INTEGER NOT NULL, -- string
  start INTEGER NOT NULL, -- ticks
  end INTEGER NOT NULL, -- ticks
  elapsed INTEGER NOT NULL, -- ticks; G_MAXUINT64: cannot be told (end before start, beyond 32 bits)
  parent INTEGER, -- row; dump_event around it in time, of the same run, or none
  metadata_bytes INTEGER NOT NULL, -- length of its delegate metadata
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE dump_allocator (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  run INTEGER, -- row
  name INTEGER NOT NULL, -- string
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE dump_allocation (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  run INTEGER, -- row
  "order" INTEGER NOT NULL,
  allocator INTEGER NOT NULL, -- place in the run's allocators
  size INTEGER NOT NULL, -- bytes
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

-- Values that a debug run logged: listed, not read.
CREATE TABLE dump_debug (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  run INTEGER, -- row
  "order" INTEGER NOT NULL,
  chain INTEGER NOT NULL,
  instruction INTEGER NOT NULL,
  delegate_int INTEGER NOT NULL,
  delegate_name INTEGER NOT NULL, -- string
  name INTEGER NOT NULL, -- string
  type INTEGER NOT NULL, -- string; Tensor, TensorList, Int, ...
  value INTEGER NOT NULL, -- string; scalar as text; tensor: element type, sizes and offset as text
  is_output INTEGER NOT NULL, -- 1: output of the method
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE nx_payload (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  event INTEGER, -- row; dump_event that carried it
  run INTEGER, -- row
  instruction INTEGER NOT NULL, -- the delegate call
  chain INTEGER NOT NULL,
  schema_version INTEGER NOT NULL,
  state INTEGER NOT NULL, -- StriaNxState
  code INTEGER NOT NULL,
    -- string; stable short name of why it is not OK: "mode0-64-words", ..., or 0
  reason INTEGER NOT NULL, -- string; sentence; 0 if OK
  mode INTEGER NOT NULL, -- 0, 1; -1: not known
  mode_assumed INTEGER NOT NULL,
  generation INTEGER NOT NULL, -- 1 Mali-G1, 2 Mali-G2, 0 not known
  device_assumed INTEGER NOT NULL,
  device_name INTEGER NOT NULL, -- string
  vendor_id INTEGER NOT NULL,
  device_id INTEGER NOT NULL,
  driver_version INTEGER NOT NULL, -- string
  words_per_task INTEGER NOT NULL, -- 0: not known
  layout_stated INTEGER NOT NULL, -- 1: the payload's own layout, 0: the table's
  leading_blocks INTEGER NOT NULL,
  first_segment INTEGER NOT NULL, -- nx_segment
  n_segments INTEGER NOT NULL, -- nx_segment
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE nx_segment (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  payload INTEGER, -- row
  number INTEGER NOT NULL, -- segment_id
  is_graph INTEGER NOT NULL, -- is_data_graph_pipeline
  state INTEGER NOT NULL, -- StriaNxState
  code INTEGER NOT NULL, -- string
  reason INTEGER NOT NULL, -- string
  bind_point INTEGER NOT NULL,
  host_visible INTEGER NOT NULL,
  host_coherent INTEGER NOT NULL,
  bind_point_reason INTEGER NOT NULL, -- string
  n_blocks INTEGER NOT NULL, -- in statistics_memory
  last_block_tasks INTEGER NOT NULL, -- tasks of the last one, less than a whole block's if short
  relations INTEGER,
    -- row; nx_segment whose nx_fused, nx_tosa, nx_label rows hold for it (the debug database is
    -- the same in each execution), or none
  first_stripe INTEGER NOT NULL,
  n_stripes INTEGER NOT NULL,
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE nx_blob (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  segment INTEGER, -- row
  which INTEGER NOT NULL, -- string; "debug_database", "statistics_info", "statistics_memory"
  available INTEGER NOT NULL,
  is_text INTEGER NOT NULL,
  vulkan_result INTEGER NOT NULL,
  declared INTEGER NOT NULL, -- bytes
  decoded INTEGER NOT NULL, -- bytes
  reason INTEGER NOT NULL, -- string
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

-- A measured row of a segment: counters summed over the tasks of one block.
CREATE TABLE nx_stripe (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  segment INTEGER, -- row
  number INTEGER NOT NULL, -- stripe index = block number
  chain INTEGER NOT NULL, -- string; ids of the debug database, or stable placeholders
  cascade INTEGER NOT NULL, -- string; ids of the debug database, or stable placeholders
  placeholder INTEGER NOT NULL, -- 1: not in the debug database
  op_cycles INTEGER NOT NULL, -- cycles
  total_cycles INTEGER NOT NULL, -- cycles
  total_from_sum INTEGER NOT NULL,
    -- 1: total_cycles is the sum of the named counters (nx_active was 0)
  first_counter INTEGER NOT NULL,
  n_counters INTEGER NOT NULL,
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE nx_counter (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  stripe INTEGER, -- row
  name INTEGER NOT NULL, -- string; as the hardware names it
  value INTEGER NOT NULL, -- cycles
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

-- chain -> fused operations -> TOSA operations -> labels, as the debug database says
CREATE TABLE nx_fused (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  segment INTEGER, -- row
  chain INTEGER NOT NULL, -- string
  fused INTEGER NOT NULL, -- string
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE nx_tosa (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  segment INTEGER, -- row
  fused INTEGER NOT NULL, -- string
  tosa INTEGER NOT NULL, -- string
  type INTEGER NOT NULL, -- string; tosa_op
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE nx_label (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  segment INTEGER, -- row
  tosa INTEGER NOT NULL, -- string
  label INTEGER NOT NULL, -- string
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE program (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  version INTEGER NOT NULL,
  identifier INTEGER NOT NULL, -- string; "ET12"
  has_header INTEGER NOT NULL, -- extended header
  header_length INTEGER NOT NULL,
  program_size INTEGER NOT NULL, -- bytes; 0 without a header
  segment_base INTEGER NOT NULL, -- bytes; 0 without a header
  segment_data_size INTEGER NOT NULL, -- bytes; 0 without a header
  file_size INTEGER NOT NULL, -- bytes
  sha256 INTEGER NOT NULL, -- string
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE program_segment (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  offset INTEGER NOT NULL, -- bytes; offset from the segment base
  size INTEGER NOT NULL, -- bytes; offset from the segment base
  in_file INTEGER NOT NULL, -- 0: reaches outside the file
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE program_plan (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  name INTEGER NOT NULL, -- string; the method
  graph INTEGER, -- row; graph
  n_chains INTEGER NOT NULL,
  n_values INTEGER NOT NULL,
  n_inputs INTEGER NOT NULL,
  n_outputs INTEGER NOT NULL,
  encoded_in INTEGER NOT NULL, -- string
  encoded_out INTEGER NOT NULL, -- string
  first_instruction INTEGER NOT NULL,
  n_instructions INTEGER NOT NULL,
  first_delegate INTEGER NOT NULL,
  n_delegates INTEGER NOT NULL,
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE program_buffer (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  plan INTEGER, -- row
  number INTEGER NOT NULL,
  size INTEGER NOT NULL, -- bytes, of memory planned for values that are not constant
  device INTEGER NOT NULL, -- string; "CPU", "CUDA:0", or 0: not said
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE program_operator (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  plan INTEGER, -- row
  number INTEGER NOT NULL,
  name INTEGER NOT NULL, -- string
  overload INTEGER NOT NULL, -- string
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE program_instruction (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  plan INTEGER, -- row
  chain INTEGER NOT NULL,
  number INTEGER NOT NULL,
  type INTEGER NOT NULL, -- StriaInstructionType, the format's own numbers
  label INTEGER NOT NULL, -- string; operator name, delegate id or the type's name
  delegate INTEGER, -- row; program_delegate, or none
  node INTEGER, -- row; graph_node
  args INTEGER NOT NULL, -- string; value numbers as text, "[0, 2, 3]"
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE program_delegate (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  plan INTEGER, -- row
  number INTEGER NOT NULL,
  id INTEGER NOT NULL, -- string; "VgfBackend"
  location INTEGER NOT NULL, -- 0 inline, 1 segment
  "index" INTEGER NOT NULL, -- of the inline data or the segment
  offset INTEGER NOT NULL, -- bytes of the blob in the file; size 0: none or outside
  size INTEGER NOT NULL, -- bytes of the blob in the file; size 0: none or outside
  content INTEGER NOT NULL, -- string; what the blob begins with: "VGF", "Vela", or 0: not known
  vgf INTEGER, -- row; vgf, or none
  error INTEGER NOT NULL, -- string; why its VGF could not be read, or 0
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE program_spec (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  delegate INTEGER, -- row
  "key" INTEGER NOT NULL, -- string
  value INTEGER NOT NULL, -- string; text, or "0x..." where it is none (at most 64 bytes of it)
  size INTEGER NOT NULL, -- bytes
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE program_named (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  "key" INTEGER NOT NULL, -- string
  segment INTEGER NOT NULL, -- number of a program_segment
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE vgf (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  delegate INTEGER, -- row; program_delegate that holds it, or none: a file of its own
  offset INTEGER NOT NULL, -- bytes, in the file
  size INTEGER NOT NULL, -- bytes, in the file
  major INTEGER NOT NULL,
  minor INTEGER NOT NULL,
  patch INTEGER NOT NULL,
  vk_header INTEGER NOT NULL, -- Vulkan header version of the encoder
  old_magic INTEGER NOT NULL,
  legacy_constants INTEGER NOT NULL,
  first_module INTEGER NOT NULL,
  n_modules INTEGER NOT NULL,
  first_segment INTEGER NOT NULL,
  n_segments INTEGER NOT NULL,
  first_resource INTEGER NOT NULL,
  n_resources INTEGER NOT NULL,
  first_constant INTEGER NOT NULL,
  n_constants INTEGER NOT NULL,
  graph INTEGER, -- row; graph
  sha256 INTEGER NOT NULL, -- string; of a file of its own, else 0
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE vgf_module (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  vgf INTEGER, -- row
  number INTEGER NOT NULL,
  type INTEGER NOT NULL, -- 0 compute, 1 graph
  name INTEGER NOT NULL, -- string
  entry_point INTEGER NOT NULL, -- string
  code_type INTEGER NOT NULL, -- string; "SPIR-V", "GLSL", "HLSL"
  code_size INTEGER NOT NULL, -- bytes
  error INTEGER NOT NULL, -- string; why its code could not be listed, or 0
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE vgf_segment (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  vgf INTEGER, -- row
  number INTEGER NOT NULL,
  type INTEGER NOT NULL, -- 0 compute, 1 graph
  name INTEGER NOT NULL, -- string
  module INTEGER NOT NULL, -- number of a module of the VGF
  n_inputs INTEGER NOT NULL,
  n_outputs INTEGER NOT NULL,
  n_constants INTEGER NOT NULL,
  dispatch INTEGER NOT NULL, -- string; "[1, 1, 1]", or 0
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE vgf_resource (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  vgf INTEGER, -- row
  number INTEGER NOT NULL,
  descriptor INTEGER NOT NULL, -- string; Vulkan name, or the number
  format INTEGER NOT NULL, -- string; Vulkan name, or the number
  category INTEGER NOT NULL, -- 0 input, 1 output, 2 intermediate, 3 constant
  shape INTEGER NOT NULL, -- string; "[1, 3, 224, 224]"
  strides INTEGER NOT NULL, -- string; "[1, 3, 224, 224]"
  alias_group INTEGER NOT NULL, -- G_MAXUINT32: none
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE vgf_constant (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  vgf INTEGER, -- row
  number INTEGER NOT NULL,
  resource INTEGER NOT NULL, -- number of a resource of the VGF
  sparsity INTEGER NOT NULL, -- dimension, -1: dense
  size INTEGER NOT NULL, -- bytes
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

-- A TOSA operator of a graph segment
CREATE TABLE vgf_operator (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  vgf INTEGER, -- row
  segment INTEGER NOT NULL, -- number of the segment
  spirv_id INTEGER NOT NULL, -- result id
  number INTEGER NOT NULL, -- of the TOSA instruction
  name INTEGER NOT NULL, -- string; "CONV2D"
  node INTEGER, -- row; graph_node
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

-- Debug name of an operator
CREATE TABLE vgf_label (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  operator_row INTEGER, -- row; vgf_operator
  label INTEGER NOT NULL, -- string
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE record (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  has_export_graph_id INTEGER NOT NULL,
  export_graph_id INTEGER NOT NULL,
  schema_major INTEGER NOT NULL, -- -1: not said
  schema_minor INTEGER NOT NULL, -- -1: not said
  sha256 INTEGER NOT NULL, -- string
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE record_member (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  name INTEGER NOT NULL, -- string
  kind INTEGER NOT NULL, -- string; "identifier", "program", "map", "tensors", "unknown", ...
  size INTEGER NOT NULL, -- bytes, inflated
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE record_method (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  name INTEGER NOT NULL, -- string
  graph INTEGER, -- row; its edge program, or none
  in_handle_map INTEGER NOT NULL, -- whether each map has the method
  in_delegate_map INTEGER NOT NULL, -- whether each map has the method
  in_outs_map INTEGER NOT NULL, -- whether each map has the method
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE record_handle (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  method INTEGER, -- row; record_method
  instruction INTEGER NOT NULL,
  handle INTEGER NOT NULL, -- debug handle
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE record_delegate (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  method INTEGER, -- row; record_method
  instruction INTEGER NOT NULL,
  name INTEGER NOT NULL, -- string; backend
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE record_delegate_handle (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  delegate INTEGER, -- row; record_delegate
  id INTEGER NOT NULL, -- string; delegate's own debug id, as text
  handle INTEGER NOT NULL,
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

CREATE TABLE record_outs (
  artifact INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  method INTEGER, -- row; record_method
  instruction INTEGER NOT NULL,
  n_outs INTEGER NOT NULL,
  PRIMARY KEY (artifact, "row")
) WITHOUT ROWID;

-- For people's queries: names in place of ids. The argument text of a row is
-- args (artifact_id, args_ref), a function that the program and stria-cli add to SQL.
CREATE VIEW named_slice AS
SELECT s.id, a.name AS artifact, p.key AS pid, p.name AS process, l.key AS tid, l.name AS thread,
       l.kind AS lane_kind, n.text AS name, c.name AS category, s.ts, s.dur, s.depth, s.parent,
       s.correlation, s.external_id, s.python_id, s.seq, s.flags, l.artifact AS artifact_id,
       s.args AS args_ref
FROM slice s
JOIN lane l ON l.id = s.lane
JOIN process p ON p.id = l.process
JOIN artifact a ON a.id = l.artifact
JOIN string n ON n.id = s.name
JOIN category c ON c.id = s.category;
