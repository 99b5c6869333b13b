#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Exports a trace from the window: tables as CSV, a file each; a Chrome trace that reads back as what was
opened; and a picture. Prints TAP."""

import csv
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from model_compare import choose  # noqa: E402
from tap import Tap  # noqa: E402
from trace_compare import write_captures  # noqa: E402
from window import Window, xdotool  # noqa: E402

TABLES, CHROME, PICTURE = range(3)


def export(window, what, path, save):
    window.key('ctrl+shift+e')
    window.find('push button', 'Export…$')
    time.sleep(0.5)
    # From the button that has the keyboard to the first row, which opens
    if what:
        xdotool('key', 'Tab', 'Tab', 'space')
        time.sleep(0.5)
        for _ in range(what):
            xdotool('key', 'Down')
        xdotool('key', 'Return')
        time.sleep(0.5)
        window.shot('export-%d' % what)
    window.press('push button', 'Export…$')
    choose(window, path, save=save)


def rows(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file))


def check_tables(tap, window, out, source):
    export(window, TABLES, out, False)
    folder = os.path.join(out, 'before.pt.trace.json tables')
    window.wait(lambda: os.path.exists(os.path.join(folder, 'slices.csv')), 'the table')
    time.sleep(0.3)
    found = sorted((row['name'], row['category'], int(row['start_ns']), int(row['dur_ns']))
                   for row in rows(os.path.join(folder, 'slices.csv')))
    wanted = sorted((e['name'], e['cat'], e['ts'] * 1000, e['dur'] * 1000)
                    for e in source['traceEvents'])
    tap.equal(found, wanted, 'all slices in one table')
    tap.ok(window.wait_text('^Exported 20 events to slices.csv$'), 'how many is said')


def check_chrome(tap, window, out, source):
    path = os.path.join(out, 'again.json')
    export(window, CHROME, path, True)
    window.wait(lambda: os.path.exists(path), 'the trace')
    with open(path) as file:
        again = [e for e in json.load(file)['traceEvents'] if e['ph'] == 'X']
    tap.equal(sorted((e['name'], e['ts'], e['dur'], e['tid']) for e in again),
              sorted((e['name'], e['ts'], e['dur'], e['tid']) for e in source['traceEvents']),
              'a trace as it was opened')


def check_picture(tap, window, out):
    path = os.path.join(out, 'seen.png')
    export(window, PICTURE, path, True)
    window.wait_text('^Exported to seen.png$')
    with open(path, 'rb') as file:
        head = file.read(24)
    tap.ok(head[:8] == b'\x89PNG\r\n\x1a\n', 'a picture')
    tap.ok(int.from_bytes(head[16:20], 'big') > 1000, 'as wide as the timeline, twice')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    path = write_captures(os.path.join(out, 'home'))[0]
    with open(path) as file:
        source = json.load(file)
    try:
        window = Window(program, out, path)
        window.wait_text('^20 events')
        check_tables(tap, window, out, source)
        check_chrome(tap, window, out, source)
        check_picture(tap, window, out)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
