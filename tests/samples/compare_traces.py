#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what stria-cli says about real traces with what another reader finds in them.

    compare_traces.py STRIA_CLI SOURCE_ROOT [NAME...]
    compare_traces.py STRIA_CLI SOURCE_ROOT --bundled

The traces are those of $STRIA_SAMPLES/pytorch-trace, or of ../shared/samples beside the source; they
are no part of the project, and without them the test is skipped. --bundled takes the sample that comes
with Stria in their place, and looks whether it is what its script writes. Prints TAP.
"""

import collections
import gzip
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))
sys.dont_write_bytecode = True

import reader  # noqa: E402
from stria_cli import Cli  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

# What a child may outlast its parent by and still stand inside it, for clocks are rounded
TOLERANCE_NS = 2000

SLICES = ('SELECT name, ts, dur, pid, tid, category, lane_kind, id, parent, depth, python_id '
          'FROM named_slice ORDER BY id')


class Row(collections.namedtuple('Row', 'name ts dur pid tid category kind id parent depth python')):
    @property
    def end(self):
        return self.ts + self.dur


def samples_folder(root):
    folder = os.environ.get('STRIA_SAMPLES') or os.path.join(root, '..', 'shared', 'samples')
    folder = os.path.join(folder, 'pytorch-trace')
    if not os.path.isdir(folder):
        skip_all('no sample traces at %s' % folder)
    return folder


def check_counts(tap, name, trace, info):
    artifact = info['artifacts'][0]
    tap.equal(artifact['phases'], dict(trace.phases), '%s: events by phase' % name)
    tap.equal(artifact['categories'], dict(trace.categories), '%s: events by category' % name)
    tap.equal({c['name']: c['duration_ns'] for c in info['categories'] if c['slices']},
              dict(trace.durations), '%s: nanoseconds by category' % name)
    tap.equal((info['events']['slices'], info['events']['instants'], info['events']['samples']),
              (len(trace.slices), trace.instants, trace.samples),
              '%s: slices, instants, samples' % name)
    tap.equal(info['flows']['bound'] + 0, trace.arrows(), '%s: arrows' % name)
    tap.equal(artifact['state'], 'imported', '%s: state' % name)
    tap.equal([n['code'] for n in info['notices'] if n['severity'] != 'info'], [],
              '%s: nothing to complain about in a sound file' % name)


def check_slices(tap, name, trace, rows):
    found = collections.Counter(row[:6] for row in rows)
    expected = collections.Counter(slice_[:6] for slice_ in trace.slices)
    lost = expected - found
    added = found - expected
    tap.ok(not lost and not added, '%s: every slice with its name, times, ids and category' % name,
           'lost: %s' % list(lost.items())[:5], 'added: %s' % list(added.items())[:5])
    tap.equal(collections.Counter((row.pid, row.tid) for row in rows),
              collections.Counter(slice_[3:5] for slice_ in trace.slices),
              '%s: slices by thread' % name)


def check_nesting(tap, name, rows):
    """A slice lies in its parent, but for the tolerance; those that do not are in other lanes."""
    by_id = {row.id: row for row in rows}
    outside = [row for row in rows if row.parent is not None and
               (row.ts < by_id[row.parent].ts or row.end - by_id[row.parent].end > TOLERANCE_NS)]
    over = sum(row.parent is not None and row.end > by_id[row.parent].end for row in rows)
    apart = collections.Counter(row.kind for row in rows if row.kind != 'slices')
    tap.ok(not outside, '%s: slices lie in their parents' % name, outside[:5])
    tap.say('%s: %d slices outlast their parent within the tolerance, apart: %s' % (
        name, over, dict(apart)))
    return over, sum(apart.values())


def violations(slices):
    """How many slices of a thread partly overlap one that is open, exactly, without a tolerance."""
    threads = collections.defaultdict(list)
    for number, (_, ts, dur, pid, tid, *_) in enumerate(slices):
        threads[(pid, tid)].append((ts, -dur, number))
    count = 0
    for events in threads.values():
        events.sort()
        open_ends = []
        for ts, negative, _ in events:
            while open_ends and open_ends[-1] <= ts:
                open_ends.pop()
            if open_ends and ts - negative > open_ends[-1]:
                count += 1
            else:
                open_ends.append(ts - negative)
    return count


def check_python(tap, name, trace, rows):
    """The enclosing slices of a Python frame hold the caller that the file names."""
    by_id = {row.id: row for row in rows}
    parent_of = {}
    for slice_ in trace.slices:
        args = slice_[6]
        if slice_[5] == 'python_function' and args.get('Python parent id') is not None:
            parent_of[args['Python id']] = args['Python parent id']
    lane_of = {row.python: row.kind for row in rows if row.python}
    broken, apart, cut = [], 0, 0
    for row in rows:
        wanted = parent_of.get(row.python)
        if wanted is None:
            continue
        if wanted not in lane_of:
            cut += 1
            continue
        if row.kind != 'slices' or lane_of[wanted] != 'slices':
            apart += 1
            continue
        up = row.parent
        while up is not None and by_id[up].python != wanted:
            up = by_id[up].parent
        if up is None:
            broken.append(row)
    tap.ok(not broken, '%s: Python frames stand in their callers' % name, broken[:5])
    tap.ok(apart <= 2, '%s: but for two that partly overlap' % name, apart)
    tap.say('%s: %d frames, %d with a caller outside of the file, %d apart' % (
        name, len(parent_of), cut, apart))


def compare(tap, cli, path):
    name = os.path.basename(path).replace('.json.gz', '')
    trace = reader.Trace(path)
    info = cli.json('info', path)
    check_counts(tap, name, trace, info)
    shift = cli.query(path, 'SELECT shift_ns FROM artifact')[0][0]
    rows = []
    for row in cli.query(path, SLICES):
        row = Row(*row)
        rows.append(row._replace(ts=row.ts - shift))
    check_slices(tap, name, trace, rows)
    over, apart = check_nesting(tap, name, rows)
    if name == 'hta-ns-resolution':
        tap.equal(violations(trace.slices), 0, '%s: sound for an exact reader' % name)
        tap.equal((over, apart), (0, 0), '%s: no nesting violation' % name)
    if any(slice_[5] == 'python_function' for slice_ in trace.slices):
        check_python(tap, name, trace, rows)


def check_bundled(tap, root):
    """The bundled sample is what its script writes, and small."""
    folder = os.path.join(root, 'data', 'sample')
    sys.path.insert(0, folder)
    import make_sample
    path = os.path.join(folder, 'training-step.json.gz')
    with gzip.open(path) as file:
        tap.ok(file.read() == make_sample.build()[0], 'the sample is what make_sample.py writes')
    tap.ok(os.path.getsize(path) < 300_000, 'the sample is small')
    return [path]


def traces(root, names):
    folder = samples_folder(root)
    return [os.path.join(folder, file) for file in sorted(os.listdir(folder))
            if file.endswith('.json.gz') and (not names or any(n in file for n in names))]


def main():
    program, root, *names = sys.argv[1:]
    tap = Tap()
    paths = check_bundled(tap, root) if names == ['--bundled'] else traces(root, names)
    with tempfile.TemporaryDirectory() as cache:
        cli = Cli(program, cache)
        for path in paths:
            try:
                compare(tap, cli, path)
            except AssertionError as error:
                tap.ok(False, '%s: stria-cli' % path, error)
    tap.ok(tap.count > 0, 'traces were there')
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
