#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares captures of traces in the window: timelines above each other that move together, what got
slower first, new and gone, the base changed, and timelines from an event. Prints TAP.

With two paths behind the others those are compared, and only pictures are made of it."""

import json
import os
import re
import sys
import time

import pyatspi

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402


def event(name, category, thread, ts, dur):
    return {'ph': 'X', 'name': name, 'cat': category, 'pid': 1, 'tid': thread, 'ts': ts, 'dur': dur}


def write_trace(path, start, steps, step_us, kernels):
    """Microseconds; @kernels: (name, duration) of each step"""
    events = []
    for step in range(steps):
        t = start + step * step_us
        events.append(event('ProfilerStep#%d' % (step + 3), 'user_annotation', 10, t, step_us - 10))
        events.append(event('aten::mm', 'cpu_op', 10, t + 20, 100))
        at = t + 150
        for name, dur in kernels:
            events.append(event(name, 'kernel', 7, at, dur))
            at += dur + 5
    with open(path, 'w') as file:
        json.dump({'schemaVersion': 1, 'traceEvents': events}, file)


def write_captures(folder):
    paths = [os.path.join(folder, name + '.pt.trace.json') for name in ('before', 'after', 'third')]
    write_trace(paths[0], 1000, 4, 1000, [('gemm<4>', 100), ('old_kernel', 50), ('softmax', 80)])
    write_trace(paths[1], 700000, 4, 1500,
                [('gemm<8>', 300), ('new_kernel', 40), ('softmax', 60)])
    write_trace(paths[2], 5000, 5, 1200, [('gemm<4>', 110), ('softmax', 90)])
    return paths


def remember(paths):
    """As the list of recent captures has them"""
    folder = os.path.join(os.environ['XDG_DATA_HOME'], 'stria')
    os.makedirs(folder, exist_ok=True)
    items = [{'uris': ['file://' + path], 'title': os.path.basename(path), 'opened_us': i + 1}
             for i, path in enumerate(paths)]
    with open(os.path.join(folder, 'recent.json'), 'w') as file:
        json.dump(items, file)


def add(window, name):
    """One of the recent captures, which the window's own is not among"""
    window.key('ctrl+d')
    rows = window.wait(lambda: [n.name for n in window.each('list item', '.')], 'recent captures')
    assert not any('before' in row for row in rows), 'it is not compared with itself'
    window.find('list item', name)
    time.sleep(0.5)
    for _ in range(next(i for i, row in enumerate(rows) if re.search(name, row))):
        xdotool('key', 'Down')
    xdotool('key', 'Return')


def press_last(window, name):
    """Views of the window have names that tables have as well."""
    found = [n for n in window.nodes() if n.name == name and window.is_shown(n)
             and window.role(n) in ('toggle button', 'radio button', 'push button', 'page tab')]
    found[-1].queryAction().doAction(0)


def names(window):
    """Names of the table from top to bottom, by where they stand"""
    known = ('gemm<>', 'gemm<4>', 'gemm<8>', 'old_kernel', 'new_kernel', 'softmax', 'aten::mm')
    found = [(window.box(n)[1], n.name) for n in window.each('label', '.') if n.name in known]
    return [name for _y, name in sorted(found)]


def walk(tap, window):
    window.wait_text('^Timeline$')
    add(window, '^after')
    tap.ok(window.wait_text(r'^1 · base$'), 'the capture of the window is the base')
    tap.ok(window.wait_text(r'matched without numbers'), 'how names were matched is said')
    tap.ok(window.wait(lambda: names(window)[:1] == ['gemm<>'] and names(window),
                       'the table'), 'what got worse most stands first')
    texts = window.texts()
    tap.ok('+800 µs' in texts, 'by 4 times 200 µs', texts)
    tap.ok('+200.0 %' in texts, 'which is three times as much')
    tap.ok('new' in texts and 'gone' in texts, 'new and gone are marked')
    window.settled_shot('compared')

    press_last(window, 'Summary')
    tap.ok(window.wait_text('^Device busy$'), 'figures of the whole')
    tap.ok(window.wait_text('^Communication not hidden$'), 'and of what devices did')
    window.settled_shot('summary')
    press_last(window, 'Operators')

    window.press('push button', '^Make Base$')
    tap.ok(window.wait(lambda: '−800 µs' in window.texts(), 'the other base'),
           'from the other base it got better')
    add(window, '^third')
    tap.ok(window.wait_text('^Difference #3$'), 'a third one has columns of its own')
    window.settled_shot('three')
    window.press('push button', 'Compare without this one')
    tap.ok(window.wait(lambda: not window.all('label', '^Difference #3$'), 'two again'),
           'and goes away again')


def from_event(tap, window):
    """Timelines count from an event that all captures have: the first of a name that is clicked."""
    window.click(window.find('combo box', 'How timelines move together'), 40, 14)
    time.sleep(0.6)
    xdotool('key', 'Down', 'Down', 'Down', 'Return')
    tap.ok(window.wait_text('^Select an event or a name'), 'the mode of events asks for one')
    window.click(window.find('label', '^softmax$'), 20, 8)
    tap.ok(window.wait_text('^of 4: softmax$'), 'and counts from what is clicked')
    window.settled_shot('event')


def other_unit(tap, window):
    """Preferences change how times are told; what is compared stays."""
    window.key('ctrl+comma')
    row = window.find('combo box', r'^Unit\b')
    for _ in range(20):
        if row.getState().contains(pyatspi.STATE_FOCUSED):
            break
        window.key('Tab')
        time.sleep(0.1)
    window.key('Return')
    time.sleep(0.5)
    window.key('Down', 'Return')
    tap.ok(window.wait(lambda: [t for t in window.texts() if re.search(r'^\+200.000.ns$', t)],
                       'nanoseconds'), 'the table tells times in the unit that was chosen')
    window.key('Escape')
    tap.ok(window.wait_text(r'^of 4: softmax$'), 'and the comparison is as it was')
    window.settled_shot('unit')


def look(window, paths):
    window.wait_text('^Timeline$')
    add(window, re.escape(os.path.basename(paths[1])))
    window.wait_text(r'matched without numbers')
    time.sleep(2)
    window.settled_shot('real')
    xdotool('windowsize', '--sync', window.id, 700, 900)
    time.sleep(1)
    window.settled_shot('real-narrow')
    xdotool('windowsize', '--sync', window.id, 1500, 950)
    time.sleep(1)
    press_last(window, 'Summary')
    time.sleep(1)
    window.settled_shot('real-summary')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    paths = sys.argv[3:5] or write_captures(os.path.join(out, 'home'))
    remember(paths)
    try:
        window = Window(program, out, paths[0])
        xdotool('windowsize', '--sync', window.id, 1500, 950)
        if len(sys.argv) > 4:
            look(window, paths)
        else:
            walk(tap, window)
            from_event(tap, window)
            other_unit(tap, window)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
