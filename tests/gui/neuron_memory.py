#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The memories of a Neuron capture in the window: the map of SBUF by keys and mouse, its panel against sums
over every byte, PSUM, HBM with its peak, tensors, the report, and the way to the timeline. Prints TAP."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))

import make_device_export as make  # noqa: E402
from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402


def kib(size):
    return ('%.4g' % (size / 1024)).replace('.', r'\.') + '.KiB'


def peak(ranges):
    """Ranges of the fixture never overlap at one time, so that sums of sizes are enough."""
    return max(sum(r['end_address'] - r['start_address'] + 1 for r in ranges
                   if r['start_ts'] <= at < r['end_ts']) for at in {r['start_ts'] for r in ranges})


def choose(window, page):
    window.click(window.find('page tab', '^%s$' % page), 12, 8)


def sbuf(tap, window, rows):
    shown = [r for r in rows['ranges'] if r['partition'] == 0 and r['pcore_idx'] == 0]
    picture = window.find('image', '^Device memory over time')
    tap.ok(window.wait_text(r'^%d\b' % len(shown)), 'the panel counts the ranges of a partition')
    text = window.wait_text('^%s at ' % kib(peak(shown)))
    tap.ok(text, 'and has their peak: %s' % text)
    _, _, width, height = window.box(picture)
    window.click(picture, width - 3, height - 3)
    window.key('Right')
    first = min(shown, key=lambda r: r['start_ts'])
    tap.ok(window.wait_text(r'^0x%x \(%d B\)' % (first['end_address'], first['end_address'])),
           'Right selects the first range')
    tap.ok('occupied from' in picture.description, 'which is told to screen readers', picture.description)
    window.key('w', 'w', 'shift+w', 'Up')
    window.shot('zoomed')
    window.drag(picture, width * 0.4, height * 0.3, width * 0.6, height * 0.6)
    window.key('BackSpace', 'f', 'Escape')
    tap.ok(window.wait_text('^This Partition$'), 'Escape selects nothing')
    return first


def to_timeline(tap, window, first):
    window.key('Right', 'Return')
    window.wait_text('^Instruction' if first['opcode'] else '^DmaPacketAggregated')
    tap.ok(True, 'Return leads to what wrote the range, on the timeline')
    window.shot('timeline')
    window.key('alt+3')


def samples(tap, window, rows):
    choose(window, 'PSUM')
    most = max(r['bank_3_util_percent'] for r in rows['psum'] if r['pcore_idx'] == 0)
    tap.ok(window.wait_text('^%.1f.%%' % most), 'bank 3 was so full: %.1f %%' % most)
    tap.ok(window.wait_text('no table of what occupies PSUM'), 'why there are no addresses is said')
    choose(window, 'HBM')
    most = max(r['total_bytes'] for r in rows['hbm']) / (1 << 20)
    text = window.wait_text('^%s.MiB' % ('%.4g' % most).replace('.', r'\.'))
    tap.ok(text, 'HBM has its peak: %s' % text)
    tap.ok(window.wait_text('of no category$'), 'what is of no category is not hidden')
    window.shot('hbm')


def tensors(tap, window):
    choose(window, 'Tensors')
    tap.ok(window.wait_text('^9 tensors$'), 'tensors by core, declared ones once')
    window.shot('tensors')
    cell = window.find('label', '^scores$')
    window.move(cell, 8, 6)
    xdotool('click', '--repeat', 2, '--delay', 80, 1)
    tap.ok(window.wait_text('^tensor_name$'), 'a double click shows its first range')
    choose(window, 'Report')
    tap.ok(window.wait_text('^Spills and Reloads$'), 'the report')
    value = window.find('label', '^Bytes spilled$')
    tap.ok('dest has VIRTUAL' in (value.description or ''), 'figures have their formulas',
           value.description)
    window.shot('report')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    folder = os.path.join(out, 'home', 'capture')
    rows = make.make(os.path.join(folder, 'made@latest'), os.path.join(folder, 'system'))
    try:
        window = Window(program, out, folder)
        window.wait_text('Artifacts')
        window.key('alt+3')
        first = sbuf(tap, window, rows)
        to_timeline(tap, window, first)
        samples(tap, window, rows)
        tensors(tap, window)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
