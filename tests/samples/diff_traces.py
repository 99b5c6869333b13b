#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What stria-cli diff says of two real traces, against SQL over the store of each and sums made here.

    diff_traces.py STRIA_CLI SOURCE_ROOT

The traces are those of $STRIA_SAMPLES/pytorch-trace, or of ../shared/samples beside the source; without
them the test is skipped. Prints TAP.
"""

import collections
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))
sys.dont_write_bytecode = True

from stria_cli import Cli  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

PAIR = ('hta-diff-control.json.gz', 'hta-diff-test.json.gz')
SLICES = 'SELECT name, category, ts, dur, pid, parent, id FROM named_slice'


def union(spans):
    """Nanoseconds that are covered at least once"""
    total, end = 0, None
    for a, b in sorted(spans):
        if end is None or a > end:
            total += b - a
            end = b
        elif b > end:
            total += b - end
            end = b
    return total


def sums(rows):
    """Count, total and self time by category and name, with nothing but loops"""
    out = collections.defaultdict(lambda: [0, 0, 0])
    by_id = {row[6]: row for row in rows}
    for name, category, ts, dur, _pid, parent, _id in rows:
        cell = out[(category or '', name)]
        cell[0] += 1
        cell[1] += dur
        cell[2] += dur
        if parent is not None:
            outer = by_id[parent]
            inside = min(ts + dur, outer[2] + outer[3]) - max(ts, outer[2])
            out[(outer[1] or '', outer[0])][2] -= max(inside, 0)
    return {key: tuple(cell) for key, cell in out.items()}


def device(rows):
    works = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, category, ts, dur, pid, _parent, _id in rows:
        if category == 'kernel':
            work = 'communication' if name.lower().startswith('nccl') else 'compute'
        elif category in ('gpu_memcpy', 'gpu_memset'):
            work = 'memcpy'
        else:
            continue
        works[pid][work].append((ts, ts + dur))
    out = collections.Counter()
    for spans in works.values():
        every = [span for work in spans.values() for span in work]
        out['device_span'] += max(b for _a, b in every) - min(a for a, _b in every)
        out['device_busy'] += union(every)
        for work in ('compute', 'communication', 'memcpy'):
            out[work] += union(spans[work])
        out['communication_exposed'] += union(spans['compute'] + spans['communication']) \
            - union(spans['compute'])
    out['device_idle'] = out['device_span'] - out['device_busy']
    return out


def check_rows(tap, found, naive):
    bad, seen = [], [set(), set()]
    for row in found['rows']:
        for k, cell in enumerate(row['captures']):
            if row['matched_by'] == 'name':
                expected = naive[k].get((row['category'], row['name']), (0, 0, 0))
                seen[k].add((row['category'], row['name']))
                if (cell['count'], cell['total_ns'], cell['self_ns']) != expected:
                    bad.append((row['name'], cell, expected))
    tap.equal(bad[:3], [], 'count, total and self time of every name')
    for k in (0, 1):
        merged = sum(row['captures'][k]['total_ns'] for row in found['rows']
                     if row['matched_by'] != 'name')
        rest = sum(v[1] for key, v in naive[k].items() if key not in seen[k])
        tap.equal(merged, rest, 'what was matched without numbers is all that is left of %d' % (k + 1))
    both = set(naive[0]) & set(naive[1])
    tap.equal(found['matched_by_name'], len(both), 'names that are the same')
    tap.ok(both <= seen[0] & seen[1], 'a name that both have is never matched otherwise')
    worse = [row['captures'][1]['difference'] for row in found['rows']]
    tap.equal(worse, sorted(worse, reverse=True), 'what got worse most stands first')
    states = [(row['name'], cell['state']) for row in found['rows'] for cell in row['captures'][1:]
              if (cell['state'] == 'new') != (row['captures'][0]['count'] == 0)
              or (cell['state'] == 'gone') != (cell['count'] == 0)]
    tap.equal(states, [], 'new and gone are what one capture has')


def main():
    program, root = sys.argv[1:3]
    folder = os.path.join(os.environ.get('STRIA_SAMPLES')
                          or os.path.join(root, '..', 'shared', 'samples'), 'pytorch-trace')
    if not os.path.isdir(folder):
        skip_all('no sample traces at %s' % folder)
    tap = Tap()
    paths = [os.path.join(folder, name) for name in PAIR]
    with tempfile.TemporaryDirectory() as cache:
        cli = Cli(program, cache)
        rows = [cli.query(path, SLICES) for path in paths]
        found = cli.json('diff', *paths, '--top', '0')
        check_rows(tap, found, [sums(r) for r in rows])
        figures = {figure['id']: figure for figure in found['summary'] if 'of' not in figure}
        devices = [device(r) for r in rows]
        for name in devices[0]:
            tap.equal(figures[name]['values'], [d[name] for d in devices], 'summary: ' + name)
            tap.equal(figures[name]['differences'], [0, devices[1][name] - devices[0][name]],
                      'difference: ' + name)
        steps = [[r[3] for r in of if r[0].startswith('ProfilerStep#') and r[1] == 'user_annotation']
                 for of in rows]
        tap.equal(figures['steps']['values'], [len(s) for s in steps], 'steps')
        tap.equal([round(v) for v in figures['step_mean']['values']],
                  [round(sum(s) / len(s)) for s in steps], 'mean step')
        for figure in found['summary']:
            if figure['id'] == 'category_count':
                tap.equal(figure['values'],
                          [sum((r[1] or '') == figure['of'] for r in of) for of in rows],
                          'slices of ' + figure['of'])

        swapped = cli.json('diff', *paths, '--top', '0', '--base', '2')
        tap.equal(sum(row['captures'][0]['difference'] for row in swapped['rows']),
                  -sum(row['captures'][1]['difference'] for row in found['rows']),
                  'from the other base all differences turn round')
        same = cli.json('diff', paths[0], paths[0], '--top', '0', '--fail-above', '0')
        tap.equal({row['captures'][1]['difference'] for row in same['rows']}, {0},
                  'a capture does not differ from itself')
        tap.equal(cli.run('diff', *paths, '--fail-above', '10').returncode, 6,
                  'what got worse is told by the exit status')
        tap.equal(cli.run('diff', *reversed(paths), '--fail-above', '10', '--at-least',
                          '100').returncode, 0, 'and what got better is not')
        tap.equal(cli.run('diff', paths[0]).returncode, 2, 'one is too few')
        tap.equal(cli.run('diff', *paths, '--base', '3').returncode, 2, 'a base must be there')
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
