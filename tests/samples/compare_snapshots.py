#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what stria-cli says about real allocator snapshots with what CPython's pickle and another
replay of their events find.

    compare_snapshots.py STRIA_CLI SOURCE_ROOT [NAME...]

The snapshots are those of $STRIA_SAMPLES/pytorch-snapshot, or of ../shared/samples beside the source;
they are no part of the project, and without them the test is skipped. Prints TAP.
"""

import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))
sys.dont_write_bytecode = True

import replay  # noqa: E402
from stria_cli import Cli  # noqa: E402
from tap import Tap, skip_all  # noqa: E402


def random_steps(n_events):
    chance = random.Random(n_events)
    return sorted({0, n_events, *chance.sample(range(n_events + 1), min(1000, n_events + 1))})


def main():
    program, root, *names = sys.argv[1:]
    folder = os.environ.get('STRIA_SAMPLES') or os.path.join(root, '..', 'shared', 'samples')
    folder = os.path.join(folder, 'pytorch-snapshot')
    if not os.path.isdir(folder):
        skip_all('no sample snapshots at %s' % folder)
    tap = Tap()
    with tempfile.TemporaryDirectory() as cache:
        cli = Cli(program, cache)
        for file in sorted(os.listdir(folder)):
            title = file.replace('.pickle', '')
            if names and not any(n in file for n in names):
                continue
            try:
                replay.compare(tap, cli, os.path.join(folder, file), title, random_steps)
            except AssertionError as error:
                tap.ok(False, '%s: stria-cli' % title, error)
    tap.ok(tap.count > 0, 'snapshots were there')
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
