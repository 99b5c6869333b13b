#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what stria-cli says about a real ETDump against the values that are known of it.

    compare_etdump.py STRIA_CLI SOURCE_ROOT

The dump is executorch/tutorial.etdp of $STRIA_SAMPLES, or of ../shared/samples beside the source;
it is no part of the project, and without it the test is skipped. Prints TAP.
"""

import hashlib
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))
sys.dont_write_bytecode = True

from stria_cli import Cli  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

FRAMEWORK, KERNEL, OPERATOR_CALL = 0, 1, 2

# Operator, ticks of the kernel, ticks of OPERATOR_CALL, in order of the instructions
INSTRUCTIONS = [
    ('convolution', 544783, 546816),
    ('relu', 8394, 8855),
    ('max_pool2d_with_indices', 50326, 51197),
    ('convolution', 1031719, 1032230),
    ('relu', 971, 1152),
    ('max_pool2d_with_indices', 14081, 14291),
    ('permute_copy', 153501, 154003),
    ('addmm', 40962, 41973),
    ('relu', 151, 351),
    ('permute_copy', 32911, 33281),
    ('addmm', 7191, 7351),
    ('relu', 100, 260),
    ('permute_copy', 3305, 3475),
    ('addmm', 691, 841),
]
METHOD_EXECUTE = 1898821
LOAD = [('Method::init', 22484), ('Program::load_method', 24857)]

EVENTS = """
SELECT r.row AS run, rn.text AS run_name, e."order", e.kind, e.chain, e.instruction, e.delegate_int,
       n.text AS name, e.elapsed, e.end - e.start AS ticks, e.wrapped, e.metadata_bytes,
       p.kind AS parent_kind, p.instruction AS parent_instruction, dn.text AS delegate_name
FROM dump_event e
JOIN dump_run r ON r.row = e.run AND r.artifact = e.artifact
JOIN fact_string rn ON rn.id = r.name AND rn.artifact = e.artifact
JOIN fact_string n ON n.id = e.name AND n.artifact = e.artifact
LEFT JOIN fact_string dn ON dn.id = e.delegate_name AND dn.artifact = e.artifact
LEFT JOIN dump_event p ON p.row = e.parent AND p.artifact = e.artifact
ORDER BY e.row
"""


def expected_events():
    rows = []
    for order, (name, ticks) in enumerate(LOAD):
        inside = (FRAMEWORK, 0) if order == 0 else (None, None)
        rows.append((0, 'Default', order, FRAMEWORK, -1, 0, -1, name, ticks, ticks, 0, 0,
                     *inside, ''))
    for number, (operator, kernel, call) in enumerate(INSTRUCTIONS):
        name = 'native_call_%s.out' % operator
        rows.append((1, 'Execute', 2 * number, KERNEL, 0, number, -1, name, kernel, kernel, 0, 0,
                     OPERATOR_CALL, number, ''))
        rows.append((1, 'Execute', 2 * number + 1, OPERATOR_CALL, 0, number, -1, 'OPERATOR_CALL',
                     call, call, 0, 0, FRAMEWORK, 0, ''))
    rows.append((1, 'Execute', 2 * len(INSTRUCTIONS), FRAMEWORK, -1, 0, -1, 'Method::execute',
                 METHOD_EXECUTE, METHOD_EXECUTE, 0, 0, None, None, ''))
    return rows


def check(tap, cli, path):
    with open(path, 'rb') as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    tap.equal(cli.query(path, 'SELECT version, size_prefixed, s.text FROM dump d '
                              'JOIN fact_string s ON s.id = d.sha256 AND s.artifact = d.artifact'),
              [(0, 1, digest)], 'version, size prefix and digest')
    tap.equal(cli.query(path, 'SELECT s.text, bundled_input, first_event, n_events FROM dump_run r '
                              'JOIN fact_string s ON s.id = r.name AND s.artifact = r.artifact '
                              'ORDER BY r.row'),
              [('Default', -1, 0, 2), ('Execute', -1, 2, 29)], 'runs')
    found = cli.query(path, EVENTS)
    expected = expected_events()
    tap.equal(len(found), len(expected), 'number of events')
    for row, wanted in zip(found, expected):
        tap.equal(row, wanted, 'run %s, event %d: %s' % (wanted[1], wanted[2], wanted[7]))
    calls = sum(row[8] for row in found if row[3] == OPERATOR_CALL)
    kernels = sum(row[8] for row in found if row[3] == KERNEL)
    tap.equal(calls, 1896076, 'sum of OPERATOR_CALL')
    tap.ok(kernels < calls < METHOD_EXECUTE < calls + kernels,
           'calls hold their kernels, and Method::execute holds the calls')
    for table in ('dump_allocator', 'dump_allocation', 'dump_debug', 'nx_payload'):
        tap.equal(cli.query(path, 'SELECT count(*) FROM %s' % table), [(0,)], 'no rows of ' + table)


def check_info(tap, cli, path):
    info = cli.json('info', path)
    artifact = info['artifacts'][0]
    tap.equal([artifact['kind'], artifact['state'], artifact['events']], ['etdump', 'imported', 31],
              'what the artifact is')
    tap.equal({k: v for k, v in artifact['metadata'].items() if k.startswith('etdump')},
              {'etdump_version': 0, 'etdump_runs': 2, 'etdump_profile_events': 31,
               'etdump_allocation_events': 0, 'etdump_debug_events': 0,
               'etdump_time_unit': 'ticks'}, 'metadata')
    tap.equal([[lane['name'], lane['rows'], lane['events']] for lane in info['lanes']],
              [['Default', 2, 2], ['Execute', 3, 29]], 'lanes')
    tap.equal(info['notices'], [], 'no notices')


def main():
    program, root = sys.argv[1:3]
    folder = os.environ.get('STRIA_SAMPLES') or os.path.join(root, '..', 'shared', 'samples')
    path = os.path.join(folder, 'executorch', 'tutorial.etdp')
    if not os.path.isfile(path):
        skip_all('no sample ETDump at %s' % path)
    tap = Tap()
    with tempfile.TemporaryDirectory() as cache:
        cli = Cli(program, cache)
        check(tap, cli, path)
        check_info(tap, cli, path)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
