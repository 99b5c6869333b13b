#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Opens a trace and a snapshot of the same process: the allocator's memory stands under the lanes when
asked for, on their axis, and says what a chosen moment holds. Prints TAP."""

import json
import os
import pickle
import re
import shutil
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))

from heap import EPOCH_US, Heap  # noqa: E402
from make_snapshots import snapshot  # noqa: E402
from tap import Tap  # noqa: E402
from window import Window  # noqa: E402


def make(out):
    folder = os.path.join(out, 'capture')
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    heap = Heap(8, said={'pool_id': True})
    heap.run(500, pools=((0, 0), (1, 0)))
    with open(os.path.join(folder, 'walk_snapshot.pickle'), 'wb') as file:
        pickle.dump(snapshot(heap), file)
    times = [e['time_us'] for e in heap.events]
    length = times[-1] - times[0]
    events = [{'ph': 'X', 'name': 'op', 'pid': 1, 'tid': 1, 'dur': length / 10,
               'ts': times[0] - EPOCH_US - length / 4 + i * length / 8} for i in range(12)]
    with open(os.path.join(folder, 'walk.pt.trace.json'), 'w') as file:
        json.dump({'baseTimeNanoseconds': EPOCH_US * 1000, 'traceEvents': events}, file)
    return folder


def bytes_at(window, plot, share):
    """What is said of the moment that far into the plot: after a click on it."""
    _, _, width, height = window.box(plot)
    window.click(plot, width * share, height - 40)
    return window.wait_text(r'ms: .* requested of .* reserved')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    try:
        window = Window(program, out, make(out))
        timeline = window.find('image', '^Timeline$')
        window.find('push button', '^Memory$')
        _, _, _, before = window.box(timeline)
        window.move(timeline, 500, before - 40)
        window.click(timeline, 500, before - 40)
        window.key('shift+m')
        window.wait(lambda: window.box(timeline)[3] < before - 100, 'the plot under the lanes')
        plot = window.find('image', '^Memory over time$')
        tap.ok(True, 'a key shows memory under the lanes')
        left, _, width, _ = window.box(plot)
        tap.equal((left, width), (window.box(timeline)[0], window.box(timeline)[2]),
                  'it is as wide as they are')
        said = [bytes_at(window, plot, share) for share in (0.5, 0.7)]
        at = [float(re.match(r'[\d.]+', text).group()) for text in said]
        tap.ok(at[0] < at[1], 'a click says what the moment holds: %s; %s' % tuple(said))
        window.settled_shot('shared-axis')
        window.wheel(plot, width * 0.6, 60, 4, 5, 'ctrl')
        window.settled_shot('shared-axis-zoomed')
        again = bytes_at(window, plot, 0.5), bytes_at(window, plot, 0.7)
        near = [float(re.match(r'[\d.]+', text).group()) for text in again]
        tap.ok(near[1] - near[0] < (at[1] - at[0]) * 0.7,
               'zoomed, the same way along it is less time: %s; %s' % again)
        window.press('push button', '^Memory$')
        window.wait(lambda: window.box(timeline)[3] == before, 'the lanes as before')
        tap.ok(True, 'and the button takes it away')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
