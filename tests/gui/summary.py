#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of a device profile in the window: of all of it, of what the timeline shows, of what is
selected; of one core and of all; with their formulas. Prints TAP."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))

import make_device_export as make  # noqa: E402
from tap import Tap  # noqa: E402
from window import Window  # noqa: E402


def union(spans):
    total, reached = 0, None
    for start, end in sorted(spans):
        if reached is None or start > reached:
            total, reached = total + end - start, end
        elif end > reached:
            total, reached = total + end - reached, end
    return total


def share(rows, engine, core):
    """As the page writes the share of the time in which an engine is active"""
    busy = union((r['start_ts'], r['start_ts'] + r['duration_ns']) for r in rows
                 if r['engine'] == engine and r['pcore_idx'] == core)
    return '%.1f' % (100 * busy / make.LENGTH)


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    folder = os.path.join(out, 'home', 'capture')
    rows = make.make(os.path.join(folder, 'made@latest'))
    try:
        window = Window(program, out, folder)
        window.wait_text('Artifacts')
        window.key('alt+2')
        tap.ok(window.wait_text('^Engine Activity$'), 'Alt+2 shows the figures')
        for engine in ('tensor', 'vector', 'scalar'):
            expected = share(rows['active'], engine, 0)
            tap.ok(window.wait_text('^%s.%% · .* %s$' % (expected.replace('.', r'\.'), engine.title())),
                   'of the first core, %s is active for %s %%' % (engine, expected))
        tap.ok(window.wait_text('^of 2.ms$'), 'of the time that the profile says')
        tap.ok(window.wait_text('^Transposes$'), 'a rule warns of transposes')
        tap.ok(window.wait_text('without any DMA'), 'bounds are sentences')
        value = window.find('label', r'^[0-9.]+.% · [0-9.]+.[mµ]s Tensor$')
        tap.ok('= union of ActiveTime' in (value.description or ''), 'a figure has its formula',
               value.description)
        window.press('push button', 'Copy as Text')
        window.shot('whole')

        # What the timeline shows
        window.key('alt+1')
        window.wait_text('Artifacts')
        window.key('w', 'w', 'w')
        window.key('alt+2')
        window.key('alt+v')
        tap.ok(window.wait_text(r'^[0-9.]+.[mµ]s, from .* to '), 'a part says which')
        tap.ok(window.wait_text('needs the whole time: which part needs which tensor is not told'),
               'what is not known of a part says why')
        window.shot('view')

        # What is selected: nothing yet
        window.key('alt+s')
        tap.ok(window.wait_text('^Nothing is selected'), 'without a selection, it says what to do')
        tap.ok(not window.all('label', '^Engine Activity$'), 'and shows no figures')
        window.key('alt+w')
        tap.ok(window.wait_text('^of 2.ms$'), 'and all of it again')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
