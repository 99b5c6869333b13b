#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Source beside the timeline: what lines took, the stack of a selected event and its steps, events of
chosen lines, a search for them, finding in a file and going to a line. Prints TAP."""

import json
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window  # noqa: E402

SLICES = [
    ('app/run.py(3): main', 'python_function', 1, 0, 1000, {}),
    ('app/net.py(9): walk', 'python_function', 1, 100, 600, {}),
    ('aten::mm', 'cpu_op', 1, 120, 80, {}),
    ('cudaLaunchKernel', 'cuda_runtime', 1, 130, 20, {'correlation': 41}),
    ('app/net.py(9): walk', 'python_function', 1, 250, 200, {}),
    ('app/net.py(20): leaf', 'python_function', 1, 300, 50, {}),
    ('gemm', 'kernel', 7, 400, 250, {'correlation': 41, 'stream': 7}),
    ('lonely', 'cpu_op', 2, 1200, 100, {}),
]


def write_capture(folder):
    events = [{'ph': 'X', 'name': name, 'cat': category, 'pid': 0 if tid == 7 else 1, 'tid': tid, 'ts': ts,
               'dur': dur, 'args': args} for name, category, tid, ts, dur, args in SLICES]
    os.makedirs(os.path.join(folder, 'app'))
    with open(os.path.join(folder, 'made.pt.trace.json'), 'w') as file:
        json.dump({'schemaVersion': 1, 'traceEvents': events}, file)
    lines = {'run.py': {3: 'def main():'}, 'net.py': {9: 'def walk(depth):', 20: 'def moved():'}}
    for name, defs in lines.items():
        with open(os.path.join(folder, 'app', name), 'w') as file:
            file.write(''.join('%s\n' % defs.get(i, '    total = %d' % i) for i in range(1, 61)))


def code(window):
    return window.wait(lambda: [n for n in window.nodes() if n.name == 'Source code'
                                and window.is_shown(n)], 'the text')[0]


def caret(window):
    text = code(window).queryText()
    return text.getText(0, text.caretOffset).count('\n') + 1


def values(window):
    return [(n.name, n.description) for n in window.all('list item', r'\.py$')]


def heat(window, tap):
    window.key('alt+4')
    window.wait(lambda: len(values(window)) == 2, 'the files')
    tap.equal(values(window), [('app/run.py', '1 ms'), ('app/net.py', '850 µs')], 'files, the hottest first')
    window.click(window.find('label', '^Lines$'), 10, 6)
    names = window.wait(lambda: [(n.name, n.description) for n in window.all('list item', '^(main|walk|leaf)$')],
                        'the lines')
    tap.equal(names, [('main', 'app/run.py:3, 1 ms'), ('walk', 'app/net.py:9, 800 µs'),
                      ('leaf', 'app/net.py:20, 50 µs')], 'and lines with their functions')
    window.click(window.find('list item', '^walk$'), 30, 8)
    tap.ok(window.wait_text(r'app/net\.py:9$'), 'a line of the list is shown')
    tap.ok(window.wait_text('^Line 9: 800 µs, '), 'with what it took')
    tap.ok(window.wait_text(r'^net\.py:9: 2 events, 800 µs in total, 600 µs busy'), 'its events stand out')
    tap.ok(window.wait_text('^1 function is not where'), 'a function that moved is doubted')
    window.settled_shot('heat')


def choose(window, tap):
    window.key('Escape')
    window.wait(lambda: not [t for t in window.texts() if t.startswith('net.py:9: ')], 'no bar any more')
    tap.ok(True, 'Escape ends that')
    window.key('ctrl+i')
    window.find('entry', '^Go to line')
    window.type('20')
    window.key('Return')
    tap.ok(window.wait(lambda: caret(window) == 20, 'line 20'), 'Ctrl+I goes to a line')
    window.key('Down')
    tap.ok(window.wait_text(r'^net\.py:21: no event names it; the next above is line 20, leaf'),
           'a line without events says where the next is')
    window.key('shift+Up', 'shift+Up')
    tap.ok(window.wait_text(r'^net\.py:19–20: 1 event, 50 µs in total'), 'selected lines have their events')
    window.press('push button', '^Select as Search$')
    tap.ok(window.wait_text('^1 event, 1 name · 50'), 'and a search that finds as many')
    window.key('Escape')


def find(window, tap):
    window.click(code(window), 200, 60)
    window.key('ctrl+f')
    window.find('entry', '^Find in this file')
    window.type('total = 3')
    first = window.wait_text(r'^\d+ of 11$')
    tap.ok(first, 'Ctrl+F finds in the file')
    window.key('Return')
    tap.ok(window.wait_text('^%d of 11$' % (int(first.split()[0]) % 11 + 1)), 'Return goes on')
    window.key('Escape')
    window.wait(lambda: not window.all('entry', '^Find in this file'), 'no entry any more')


def follow(window, tap):
    window.key('alt+1', 'ctrl+f')
    window.find('entry', '^Search events').queryEditableText().setTextContents('')
    window.type('gemm')
    window.wait_text('^(1 of )?1 event')
    window.key('Return')
    window.wait_text('^1 of 1 event')
    window.key('Escape', 'alt+4')
    tap.ok(window.wait_text('^gemm · 2 frames$'), 'a kernel has the stack of the call that launched it')
    tap.ok(window.wait_text(r'app/net\.py:9$'), 'whose innermost line is shown')
    window.click(code(window), 200, 60)
    window.key('alt+Down')
    tap.ok(window.wait_text(r'app/run\.py:3$'), 'Alt+Down leads to the caller')
    window.settled_shot('stack')
    window.key('alt+Up')
    tap.ok(window.wait_text(r'app/net\.py:9$'), 'Alt+Up back')
    window.key('alt+1', 'ctrl+f')
    window.find('entry', '^Search events').queryEditableText().setTextContents('')
    window.type('lonely')
    window.wait_text('^(1 of )?1 event')
    window.key('Return')
    window.wait_text('^1 of 1 event')
    window.key('Escape', 'alt+4')
    tap.ok(window.wait_text('^No function of Python was running around it'), 'what has no line says why')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    folder = os.path.join(out, 'home', 'capture')
    write_capture(folder)
    try:
        window = Window(program, out, folder)
        window.wait_text('^8 events')
        heat(window, tap)
        choose(window, tap)
        find(window, tap)
        follow(window, tap)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
