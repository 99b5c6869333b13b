#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The looks of a device trace in the window: what colours stand for and their legend, which lanes are
shown, box selection by keys, searches of several terms; and that what was chosen is kept. Prints TAP."""

import os
import shutil
import sys

import pyatspi

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window  # noqa: E402

EXPORT = os.path.join(HERE, '..', 'fixtures', 'neuron-export')


def focus(window, timeline):
    """A click on the ruler selects nothing."""
    _, _, width, _ = window.box(timeline)
    window.click(timeline, width * 0.6, 50)


def colors(tap, window):
    window.key('c')
    tap.ok(window.wait_text('^Operator$'), 'C colours by operator')
    window.key('c')
    tap.ok(window.wait_text('^Layer, 2 deep$'), 'C again colours by layer')
    window.key('l')
    text = window.wait_text(r'^layer_\d$')
    tap.ok(text, 'L shows what the colours stand for: %s' % text)
    tap.ok(window.wait_text('^no layer known$'), 'and that of some slices nothing is known')
    tap.ok(window.wait_text(r'^\d+(\.\d)?\u00a0%$'), 'with their shares')
    window.settled_shot('layers')
    window.key('c')
    tap.ok(window.wait_text('^MATMUL$'), 'by opcode the legend has opcodes')
    window.settled_shot('opcodes')


def lanes(tap, window):
    window.key('slash')
    window.type('scalar | gpsimd')
    text = window.wait_text(r'^\d+ of \d+$')
    shown, n = (int(word) for word in text.split(' of '))
    tap.ok(0 < shown < n, '/ and a word leave the lanes that have it: %s' % text)
    window.settled_shot('filtered')
    window.key('Escape')
    window.wait(lambda: not any(t == text for t in window.texts()), 'all lanes again')
    tap.ok(True, 'Escape shows all lanes again')


def search(tap, window):
    window.key('ctrl+f')
    window.find('entry', '^Search')
    window.type('arg:hbm_read_bytes>1000 name:/^MAT/')
    text = window.wait_text(r'^\d+ events?, 1 name')
    # Rows i with i % 10 == 0 are MATMUL, and of those every other has 2 * i bytes.
    wanted = len([i for i in range(1000) if i % 10 == 0 and i % 4 == 0 and 2 * i > 1000])
    tap.ok(text.startswith('%d events' % wanted), 'terms are joined: %s' % text)
    text = window.wait_text(r'summed, .* merged')
    tap.ok(text, 'durations are summed and merged: %s' % text)
    window.key('Return')
    text = window.wait_text(r'^1 of %d events' % wanted)
    tap.ok(text, 'the first is gone to')
    window.settled_shot('search')


def box(tap, window, timeline):
    window.key('Escape')
    focus(window, timeline)
    window.key('period', 'shift+Right')
    text = window.wait_text(r'\d+ slices?')
    tap.ok(text, 'Shift and Right make a box of the selected slice: %s' % text)
    window.key('shift+Down')
    window.settled_shot('box')
    window.key('v')
    button = window.wait(lambda: next((n for n in window.nodes() if n.name == 'Box selection'), None),
                         'the button of box selection')
    window.wait(lambda: not any(button.getState().contains(state)
                                for state in (pyatspi.STATE_CHECKED, pyatspi.STATE_PRESSED)),
                'it to come out')
    tap.ok(True, 'V turns box selection off')
    window.key('v')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    folder = os.path.join(out, 'home', 'capture')
    shutil.copytree(EXPORT, os.path.join(folder, 'made@latest'))
    try:
        window = Window(program, out, folder)
        window.wait_text('Artifacts')
        timeline = window.find('image', '^Timeline$')
        window.wait_text('^Name$')
        focus(window, timeline)
        colors(tap, window)
        lanes(tap, window)
        search(tap, window)
        box(tap, window, timeline)
        complaints = window.close()
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])

        window = Window(program, out, folder, environment={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
        tap.ok(window.wait_text('^Opcode$'), 'what was chosen is there again')
        tap.ok(window.wait_text('^MATMUL$'), 'with its legend')
        window.settled_shot('dark')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None and window.process.poll() is None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about at the end', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
