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
  flags       INTEGER NOT NULL, -- 8 negative duration, 16 unfinished, 32 clamped, 64 annotation
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
CREATE TABLE flow (
  id        INTEGER PRIMARY KEY,
  from_id   INTEGER NOT NULL REFERENCES slice (id),
  to_id     INTEGER NOT NULL REFERENCES slice (id),
  name      INTEGER NOT NULL REFERENCES string (id),
  category  INTEGER NOT NULL REFERENCES category (id),
  backwards INTEGER NOT NULL -- 1: the end starts before the start (clock skew)
);

-- Argument texts: zstd frames of records (32-bit seq, 32-bit length, text; little endian).
CREATE TABLE args_chunk (
  artifact INTEGER NOT NULL REFERENCES artifact (id),
  chunk    INTEGER NOT NULL,
  data     BLOB NOT NULL,
  PRIMARY KEY (artifact, chunk)
);

-- What is drawn, as it stands in memory: little-endian arrays of at most 65536 elements.
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
