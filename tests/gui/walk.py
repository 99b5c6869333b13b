#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the sample from the start page and does what a person does with it: finds the controls,
searches, selects, zooms, takes statistics of a range, turns dark. Prints TAP."""

import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'samples'))

import reader  # noqa: E402
from tap import Tap  # noqa: E402
from window import Window  # noqa: E402

SAMPLE = 'data/sample/training-step.json.gz'


def differ(a, b):
    """Share of bytes that differ between two pictures of the same size"""
    if len(a) != len(b):
        return 1.0
    return sum(x != y for x, y in zip(a[::7], b[::7])) / max(1, len(a[::7]))


def brightness(pixels):
    return sum(pixels[::97]) / max(1, len(pixels[::97]))


def start_page(tap, window):
    for name in ('Open Files', 'Open Folder', 'Try the Sample'):
        tap.ok(window.find('push button', name), 'the start page has “%s”' % name)
    window.shot('start-page')
    window.press('push button', 'Try the Sample')
    timeline = window.find('image', '^Timeline$')
    window.wait_text(r'events · 10\d\.\d+ ms')
    tap.ok(timeline, 'the sample opens')
    return timeline


def controls(tap, window):
    for role, name in (('push button', '^Search$'), ('push button', '^Details$'),
                       ('push button', '^Artifacts$'), ('push button', '^Main menu$'),
                       ('page tab', '^Timeline$'), ('page tab', '^Summary$')):
        tap.ok(window.find(role, name), '%s “%s” can be found by its name' % (role, name.strip('^$')))
    nameless = [n for n in window.nodes() if n.getRoleName() == 'push button' and not n.name
                and window.is_shown(n)]
    tap.ok(not nameless, 'no button is without a name', nameless)


def search(tap, window, root):
    trace = reader.Trace(os.path.join(root, SAMPLE))
    count = sum('allreduce' in slice_[0].lower() for slice_ in trace.slices)
    window.key('ctrl+f')
    window.find('entry', 'Search events')
    window.type('allreduce')
    text = window.wait_text(r'^(\d+ of )?%d events' % count)
    tap.ok(text, 'a search counts its matches: %s' % text)
    window.key('Return')
    text = window.wait_text(r'^\d+ of %d events' % count)
    tap.ok(text, 'the first match is gone to: %s' % text)
    window.wait_text(r'^ncclDevKernel_AllReduce')
    tap.ok(True, 'and its name stands in the details')
    window.settled_shot('search')
    window.key('Escape')


def select(tap, window, timeline):
    """The outermost frame fills the width of its row, wherever that stands."""
    _, _, width, height = window.box(timeline)
    window.click(timeline, width * 0.6, height - 30)
    window.key('0')
    window.wheel(timeline, width * 0.6, height * 0.5, 4, 40)
    window.settled_shot('whole')
    wanted = 'train.py(163): <module>'
    for y in range(100, min(height, 400), 6):
        window.click(timeline, width * 0.5, y)
        if any(wanted == t for t in window.texts()):
            break
    tap.ok(wanted in window.wait_text(re.escape(wanted)), 'a click selects the slice under it')
    window.wait(lambda: wanted in (timeline.description or ''), 'a description of the selection')
    tap.ok(True, 'and a screen reader hears of it: %s' % timeline.description)
    return y


def zoom(tap, window, timeline):
    _, _, width, height = window.box(timeline)
    window.move(timeline, width + 100, height - 5)  # away, so that nothing is hovered
    before = window.settled_shot('before-zoom')
    window.wheel(timeline, width * 0.6, height * 0.5, 4, 6, 'ctrl')
    window.move(timeline, width + 100, height - 5)
    after = window.settled_shot('zoomed')
    tap.ok(differ(before, after) > 0.02, 'Ctrl and the wheel zoom')
    window.key('w', 'w', 'd')
    keyed = window.settled_shot('zoomed-by-keys')
    tap.ok(differ(after, keyed) > 0.01, 'the keys zoom and pan')
    window.key('0')
    whole = window.settled_shot('whole-again')
    tap.ok(differ(before, whole) < 0.02, '0 shows all again')


def statistics(tap, window, timeline, y):
    _, _, width, _ = window.box(timeline)
    window.drag(timeline, width * 0.4, y, width * 0.8, y + 30)
    window.wait(lambda: [n for n in window.nodes() if n.name == 'Statistics of the selected range'
                         and window.is_shown(n)], 'the statistics')
    text = window.wait_text(r'\d+ slices')
    tap.ok(text, 'a drag over the lanes shows the statistics of the range: %s' % text)
    window.settled_shot('statistics')


def summary(tap, window):
    window.key('alt+2')
    tap.ok(window.find('table', 'Facts about the capture'), 'Alt+2 shows the summary')
    window.settled_shot('summary')
    window.key('alt+1')
    window.find('image', '^Timeline$')
    # Which view was shown is kept a moment after it was chosen.
    time.sleep(2)


def main():
    program, out, root = sys.argv[1:4]
    tap = Tap()
    window = None
    try:
        window = Window(program, out, environment={'STRIA_DATA_DIR': os.path.join(root, 'data')})
        timeline = start_page(tap, window)
        controls(tap, window)
        search(tap, window, root)
        y = select(tap, window, timeline)
        zoom(tap, window, timeline)
        statistics(tap, window, timeline, y)
        summary(tap, window)
        complaints = window.close()
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])

        window = Window(program, out, os.path.join(root, SAMPLE),
                        environment={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
        window.wait_text(r'events · 10\d\.\d+ ms')
        window.find('image', '^Timeline$')
        tap.ok(brightness(window.settled_shot('dark')) < 90, 'a dark style is dark')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None and window.process.poll() is None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about at the end', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
