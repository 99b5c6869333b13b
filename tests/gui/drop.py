#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Drops a file on the start page, from another program's window and with the pointer. Prints TAP."""

import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402


def drag(from_x, from_y, to_x, to_y):
    """As a hand does it: a press, some way, a rest over the target, some more, and let go."""
    xdotool('mousemove', from_x, from_y)
    xdotool('mousedown', 1)
    for _ in range(10):
        xdotool('mousemove_relative', '--', 3, 2)
        time.sleep(0.05)
    for i in range(1, 11):
        xdotool('mousemove', int(from_x + (to_x - from_x) * i / 10),
                int(from_y + (to_y - from_y) * i / 10))
        time.sleep(0.05)
    for _ in range(4):
        xdotool('mousemove_relative', '--', 3, 3)
        time.sleep(0.15)
    xdotool('mouseup', 1)


def main():
    program, out, root, source_program = sys.argv[1:5]
    tap = Tap()
    window = source = None
    # A name that a list of files has to quote
    dropped = os.path.join(out, 'home', 'a trace & 100 %.json.gz')
    shutil.copy(os.path.join(root, 'data', 'sample', 'training-step.json.gz'), dropped)
    try:
        window = Window(program, out)
        window.find('push button', 'Open Files')
        source = subprocess.Popen([source_program, dropped], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        found = window.wait(lambda: subprocess.run(
            ['xdotool', 'search', '--onlyvisible', '--name', '^Drag Source$'],
            stdout=subprocess.PIPE).stdout.split(), 'the window to drag from')[0].decode()
        xdotool('windowmove', '--sync', window.id, 0, 0)
        xdotool('windowmove', '--sync', found, 1350, 850)
        time.sleep(0.5)
        drag(1430, 900, 500, 400)
        text = window.wait_text(r'events · 10\d\.\d+ ms')
        tap.ok(text, 'a dropped file opens: %s' % text)
        tap.ok(window.wait_text(r'a trace & 100 %\.json\.gz'), 'under its own name')
        window.shot('dropped')
    except AssertionError as error:
        tap.ok(False, 'the drop goes on', error)
    finally:
        if source is not None:
            source.terminate()
            source.wait()
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
