#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Annotations, regions and warnings in the window, by mouse and by keys: added, named, moved, deleted,
undone and found again after the program has ended; a rule that finds steps; a threshold. Prints TAP."""

import glob
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402


def event(category, name, pid, tid, start, duration, **args):
    return {'ph': 'X', 'cat': category, 'name': name, 'pid': pid, 'tid': tid, 'ts': start,
            'dur': duration, 'args': args}


def write_trace(path):
    """Four steps of a host and a device; between the kernels of each the device idles for 300 µs, and
    once for 900."""
    events = []
    for i in range(4):
        start = 1000 * i
        events += [
            event('user_annotation', 'ProfilerStep#%d' % i, 1, 1, start, 900),
            event('cpu_op', 'aten::mm', 1, 1, start + 50, 600),
            event('kernel', 'gemm', 0, 7, start + 100, 300 if i else 100),
            event('kernel', 'gemm', 0, 7, start + 700, 200),
            event('cuda_runtime', 'cudaDeviceSynchronize', 1, 1, start + 700, 150),
        ]
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'schemaVersion': 1, 'traceEvents': events}, file)


def stored(out):
    found = glob.glob(os.path.join(out, 'home', 'data', 'stria', 'annotations', '*.json'))
    if not found:
        return []
    with open(found[0], encoding='utf-8') as file:
        return json.load(file)['annotations']


def walk_annotations(tap, window, out):
    timeline = window.find('image', '^Timeline$')
    window.move(timeline, 600, 200)
    window.key('b')
    # The field hangs on a drawn widget, whose children a screen reader is not shown.
    window.wait(lambda: len(stored(out)) == 1, 'the marker on the disk')
    time.sleep(0.5)
    window.type('first')
    window.key('Return')
    window.wait(lambda: [a['name'] for a in stored(out)] == ['first'], 'the name on the disk')
    tap.ok(True, 'B marks the moment under the pointer, and asks its name')
    before = stored(out)[0]
    tap.ok(before['start_ns'] == before['end_ns'], 'which has no duration')

    window.drag(timeline, 602, 72, 700, 72)
    after = window.wait(lambda: stored(out)[0]['start_ns'] != before['start_ns'] and stored(out)[0],
                        'the moved marker')
    tap.ok(after['start_ns'] > before['start_ns'], 'dragged by its flag it moves')
    window.key('ctrl+z')
    window.wait(lambda: stored(out)[0]['start_ns'] == before['start_ns'], 'the move undone')
    tap.ok(True, 'Ctrl+Z takes it back')

    window.drag(timeline, 400, 200, 500, 200)
    window.wait_text(' slices? ')
    window.key('shift+b')
    both = window.wait(lambda: len(stored(out)) == 2 and stored(out), 'the range on the disk')
    time.sleep(0.5)
    window.key('Return')
    tap.ok(both[0]['end_ns'] > both[0]['start_ns'], 'Shift+B marks the selected range')
    window.key('F7')
    window.press('push button', '^Annotations \\(2\\)$')
    window.shot('annotations')


def walk_panel(tap, window, out):
    timeline = window.find('image', '^Timeline$')
    window.click(timeline, 602, 72)
    text = window.wait_text('^Range 1 \u2192 first: .*5 slices')
    tap.ok('gemm' in text,
           'a click on the flag selects it, and the panel says what lies before it: %s' % text)
    window.click(timeline, 602, 72)
    window.key('Delete')
    window.wait(lambda: len(stored(out)) == 1, 'one annotation less')
    window.key('ctrl+z')
    window.wait(lambda: len(stored(out)) == 2, 'it is back')
    tap.ok(True, 'Delete deletes, and Ctrl+Z brings it back')


def walk_regions(tap, window):
    window.press('push button', '^Regions')
    button = window.find('push button', '^Add Rule')
    left, top = window.origin()
    box = window.box(button)
    xdotool('mousemove', '--window', window.id, int(left + box[0] + 20), int(top + box[1] + 8))
    xdotool('click', 1)
    window.find('push button', 'Find Regions')
    window.key('Tab')
    window.type('/^ProfilerStep#[0-9]$/')
    window.key('Return')
    window.find('push button', '^Regions \\(4\\)$')
    tap.ok(True, 'a rule finds the steps')
    tap.ok(window.wait_text('^900 \u00b5s$'), 'and says how long they last')
    tap.ok(window.wait_text('^Standard deviation$'), 'and how far they differ')
    window.shot('regions')


def walk_chart(tap, window):
    window.press('push button', '^Chart$')
    chart = window.find('image', '^Durations of regions')
    window.click(chart, 300, 10)
    window.key('Right')
    window.find('image', '^Durations of regions; selected: .*ProfilerStep.*: 900 µs$')
    window.shot('chart')
    window.key('Down')
    window.key('Return')
    tap.ok(window.find('image', '^Durations of regions; selected: .*ProfilerStep.*: 900 µs$'),
           'a chart shows how their durations are spread, and its points are reached by keys')
    window.press('push button', '^Chart$')


def open_sets(window, x, y, role, name):
    """Opens the list of sets. A click while the list before still fades only closes that."""
    for _ in range(8):
        xdotool('mousemove', '--window', window.id, x, y)
        xdotool('click', 1)
        end = time.monotonic() + 4
        while time.monotonic() < end:
            try:
                found = next(window.each(role, name), None)
            except (LookupError, RuntimeError):
                found = None
            if found is not None:
                return found
            time.sleep(0.2)
    raise AssertionError('the list of sets does not open')


def walk_sets(tap, window, out):
    window.press('push button', '^Annotations \\(2\\)$')
    button = window.find('push button', '^Sets')
    left, top = window.origin()
    box = window.box(button)
    x, y = int(left + box[0] + 20), int(top + box[1] + 8)
    open_sets(window, x, y, 'label', '^No sets are kept')
    window.type('Before')
    window.key('Return')
    window.find('push button', 'Delete the set .Before. for good')
    window.shot('sets')
    window.key('Escape')
    window.find('push button', '^Annotations \\(2\\)$')
    window.press('push button', '^Annotate the selected range')
    window.wait(lambda: len(stored(out)) == 3, 'one annotation more')
    open_sets(window, x, y, 'push button', 'Put the set .Before. in place')
    window.press('push button', 'Put the set .Before. in place')
    window.wait(lambda: len(stored(out)) == 2, 'both of the set')
    tap.ok(True, 'a set of annotations is kept by name and loaded again')


def walk_warnings(tap, window):
    window.press('push button', '^Warnings \\(')
    tap.ok(window.wait_text('^Nothing ran on the device for 500 \u00b5s$'), 'gaps of the device are found')
    window.shot('warnings')
    window.key('Escape', 'Escape', 'Escape')
    timeline = window.find('image', '^Timeline$')
    window.click(timeline, 400, 400)
    window.key('u')
    tap.ok(window.wait_text('\u00b5s .* slices? '), 'U selects the next of them')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    trace = os.path.join(out, 'home', 'made.json')
    write_trace(trace)
    try:
        window = Window(program, out, trace)
        window.wait_text('^Event$')
        window.find('push button', '^Annotations, regions and warnings$')
        walk_annotations(tap, window, out)
        walk_panel(tap, window, out)
        walk_regions(tap, window)
        walk_chart(tap, window)
        walk_sets(tap, window, out)
        walk_warnings(tap, window)
        complaints = window.close()
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
        window = Window(program, out, trace)
        window.find('image', '^Timeline$')
        window.key('F7')
        window.find('push button', '^Annotations \\(2\\)$')
        tap.ok(True, 'the annotations are there the next time')
        window.find('push button', '^Regions \\(4\\)$')
        tap.ok(True, 'and so are the rules, and what they find')
        window.shot('again')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
