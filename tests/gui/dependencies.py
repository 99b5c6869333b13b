#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Details of events in the window: what one waited for and what waits for it, the chain walked by keys with a
choice, all columns of a row, groups of lanes, arrows. Prints TAP."""

import json
import os
import shutil
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window  # noqa: E402


def slice_of(name, pid, tid, ts, dur, **args):
    return {'ph': 'X', 'cat': 'kernel' if pid == 0 else 'cuda_runtime', 'name': name, 'pid': pid,
            'tid': tid, 'ts': ts, 'dur': dur, 'args': args}


def arrow(number, pid, tid, ts, to_pid, to_tid, to_ts):
    flow = {'cat': 'ac2g', 'name': 'ac2g', 'id': number}
    return [dict(flow, ph='s', pid=pid, tid=tid, ts=ts),
            dict(flow, ph='f', bp='e', pid=to_pid, tid=to_tid, ts=to_ts)]


def trace():
    """One launch of two kernels, each of which another launch waits for."""
    events = [{'ph': 'M', 'name': 'process_labels', 'pid': 77, 'args': {'labels': 'CPU'}},
              {'ph': 'M', 'name': 'process_labels', 'pid': 0, 'args': {'labels': 'GPU 0'}},
              slice_of('launch both', 77, 1, 100, 20), slice_of('launch last', 77, 1, 400, 20),
              slice_of('kernel left', 0, 7, 150, 50), slice_of('kernel right', 0, 8, 160, 90),
              slice_of('kernel last', 0, 7, 450, 10)]
    events += arrow(1, 77, 1, 100, 0, 7, 150) + arrow(2, 77, 1, 100, 0, 8, 160)
    events += arrow(3, 0, 8, 160, 77, 1, 400) + arrow(4, 77, 1, 400, 0, 7, 450)
    return {'schemaVersion': 1, 'traceEvents': events}


def write_capture(folder):
    os.makedirs(os.path.join(folder, 'made@latest'))
    with open(os.path.join(folder, 'rank0.pt.trace.json'), 'w') as file:
        json.dump(trace(), file)
    shutil.copyfile(os.path.join(HERE, '..', 'fixtures', 'neuron-export', 'Instruction_0.parquet'),
                    os.path.join(folder, 'made@latest', 'Instruction_0.parquet'))


def by_name(window, name):
    """A part of the window by its name, whatever it is"""
    return window.wait(lambda: next((n for n in window.nodes() if n.name == name and window.is_shown(n)), None),
                       '“%s”' % name)


def select(window, name):
    window.key('ctrl+f')
    entry = window.find('entry', '^Search')
    entry.queryEditableText().setTextContents('')
    window.type(name)
    window.key('Return')
    window.wait_text('^%s$' % name)
    window.key('Escape')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    folder = os.path.join(out, 'home', 'capture')
    write_capture(folder)
    try:
        window = Window(program, out, folder)
        window.wait_text('Artifacts')
        window.key('alt+1')

        # One step, to both sides
        select(window, 'launch last')
        by_name(window, 'Dependencies').queryAction().doAction(0)
        tap.ok(window.wait_text('^Predecessors$'), 'a tab tells what an event waited for')
        tap.ok(window.wait_text('^150 µs gap$'), 'with the time from one end to the other start')
        tap.ok(window.wait_text('^launch$'), 'and the kind of the arrow')
        tap.ok(window.wait_text('^Why Not Sooner$'), 'and why it did not start sooner')
        tap.ok(window.wait_text(r'Of the 300 µs before it, along the 2 events'), 'along the chain that ended last')
        window.shot('dependencies')
        window.press('push button', '^kernel right$')
        tap.ok(window.wait_text('^30 µs gap$|^40 µs gap$'), 'a link leads to the event')

        # Along the arrows by keys, with a choice
        window.key('bracketleft')
        window.wait_text('^launch both$')
        window.key('bracketright')
        found = window.wait(lambda: [n for n in window.nodes() if n.name and 'kernel left' in n.name
                                     and 'thread 7' in n.name], 'a choice of two')
        tap.ok(found, 'where an arrow leads to several, the key asks which')
        window.shot('choice')
        window.key('Escape')
        tap.ok(window.wait_text('^Downstream$'), 'all that waits for it is listed')

        # Groups and arrows
        timeline = window.find('image', '^Timeline$')
        window.click(timeline, 400, window.box(timeline)[3] - 20)
        before = window.settled_shot('file')
        window.key('x')
        window.wait(lambda: window.settled_shot('arrows') != before, 'arrows')
        tap.ok(True, 'a key shows all arrows')
        window.key('x')
        window.wait(lambda: window.settled_shot('without') == before, 'no arrows')
        window.key('g', 'g')
        # What it says about that goes away by itself.
        time.sleep(6)
        tap.ok(window.settled_shot('groups') != before, 'a key groups the lanes')

        # The row that an instruction stands for
        by_name(window, 'Event').queryAction().doAction(0)
        select(window, 'MATMUL')
        tap.ok(window.wait_text('^Instruction, row '), 'an instruction stands for a row')
        tap.ok(window.wait_text('^Timing$') and window.wait_text('^Ids$'), 'its columns are in groups')
        # A value is called what its column is called: it is labelled by that.
        tap.ok('psum_read_bytes' not in window.texts(), 'those without a value are not there')
        by_name(window, 'Empty').queryAction().doAction(0)
        tap.ok(window.wait_text('^psum_read_bytes$'), 'but on demand')
        window.find('entry', 'Find columns').queryEditableText().setTextContents('psum')
        tap.ok(window.wait(lambda: 'Timing' not in window.texts(), 'fewer columns'), 'and can be filtered')
        tap.ok('psum_read_bytes' in window.texts(), 'by their names')
        window.shot('row')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
