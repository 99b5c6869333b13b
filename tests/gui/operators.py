#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Operators and tables in the window: the tree as picture and table, what stands out on the timeline,
and SQL that is wrong, right, and leads back to an event. Prints TAP."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402

SLICES = [
    ('run.py(3): main', 'python_function', 1, 0, 1000, {}),
    ('nn.Module: Net_0', 'python_function', 1, 100, 800, {}),
    ('nn.Module: Linear_0', 'python_function', 1, 200, 300, {}),
    ('aten::addmm', 'cpu_op', 1, 220, 100, {}),
    ('cudaLaunchKernel', 'cuda_runtime', 1, 230, 20, {'correlation': 41}),
    ('nn.Module: Linear_0', 'python_function', 1, 600, 100, {}),
    ('gemm', 'kernel', 7, 400, 250, {'correlation': 41, 'stream': 7}),
]


def write_trace(path):
    events = [{'ph': 'X', 'name': name, 'cat': category, 'pid': 1 if tid == 1 else 0, 'tid': tid, 'ts': ts,
               'dur': dur, 'args': args} for name, category, tid, ts, dur, args in SLICES]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        json.dump({'schemaVersion': 1, 'traceEvents': events}, file)


def label(window, name):
    return window.find('label', '^%s$' % name)


def operators(window, tap):
    window.key('alt+7')
    tap.ok(window.wait_text('^3 operators · 800'), 'Alt+7 shows the modules, and what they took')
    tap.ok(window.wait_text('^Linear_0$'), 'a module in a module')
    picture = window.find('image', '^Hierarchy; nothing is selected')
    window.click(picture, 40, 36)
    tap.ok(window.find('image', 'selected: Net_0\nTotal: 800'), 'a click on the picture selects')
    tap.ok(window.find('push button', '^4 events stand out'), 'and its events stand out')
    window.key('Down')
    tap.ok(window.find('image', 'selected: Linear_0\nTotal: 400'), 'down leads to what lies below')
    tap.ok(window.find('push button', '^3 events stand out'), 'with its own events')
    window.key('BackSpace')
    tap.ok(window.find('image', 'selected: All'), 'Backspace zooms out')
    window.shot('operators')

    entry = window.find('entry', '^Filter by name')
    window.click(entry, 60, 10)
    window.type('addmm')
    tap.ok(window.wait_text('^1 operator found'), 'a filter finds the operator')
    row = label(window, 'aten::addmm')
    window.move(row, 10, 6)
    xdotool('click', '--repeat', 2, '--delay', 80, 1)
    tap.ok(window.wait_text('^Enclosing Slices$'), 'a double click leads to the event on the timeline')
    window.shot('revealed')


def tables(window, tap):
    window.key('alt+8')
    entry = window.find('entry', '^Filter tables')
    window.click(entry, 60, 10)
    window.type('slice')
    window.click(label(window, 'slice'), 6, 6)
    tap.ok(window.wait_text('^%d rows · ' % len(SLICES)), 'a table of the store has its rows')
    text = window.find('text', '^SQL query')
    window.click(text, 200, 20)
    window.key('ctrl+a')
    window.type('SELECT id, lane, ts, dur, name(nam) FROM slice WHERE dur = 250')
    window.key('Escape', 'ctrl+Return')
    tap.ok(window.wait_text('no such column: nam'), 'what is wrong is said')
    window.shot('wrong')
    window.key('ctrl+a')
    window.type('SELECT id, lane, ts, dur, name(name) AS what FROM slice WHERE dur = 250000')
    window.key('Escape', 'ctrl+Return')
    tap.ok(window.wait_text('^1 row · '), 'and the mended query is answered')
    tap.ok(not window.all('label', 'no such column'), 'without a word of the error')
    window.shot('answer')
    row = label(window, 'gemm')
    window.move(row, 10, 6)
    xdotool('click', '--repeat', 2, '--delay', 80, 1)
    tap.ok(window.wait_text('^250.000 µs'), 'a row leads to its event')

    window.key('alt+8')
    window.click(label(window, 'Reports'), 4, 4)
    window.press('push button', '^Busy Lanes$')
    tap.ok(window.wait_text('^2 rows · .*Outermost slices'), 'a report says how to read it')
    window.shot('report')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    path = os.path.join(out, 'home', 'capture', 'made.pt.trace.json')
    write_trace(path)
    try:
        window = Window(program, out, path)
        window.wait_text('^7 events')
        operators(window, tap)
        tables(window, tap)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
