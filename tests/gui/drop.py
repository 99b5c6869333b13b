#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Drops files from another program's window, with the pointer: on the start page, and on a capture, which
adds or compares them; and pastes them. Prints TAP."""

import os
import re
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


class Source:
    """Another program's window with files in it, at the lower right"""

    all = []

    def __init__(self, window, program, *arguments):
        self.process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        Source.all.append(self)
        found = window.wait(lambda: subprocess.run(
            ['xdotool', 'search', '--onlyvisible', '--pid', str(self.process.pid)],
            stdout=subprocess.PIPE).stdout.split(), 'the window to drag from')[0].decode()
        xdotool('windowmove', '--sync', window.id, 0, 0)
        xdotool('windowmove', '--sync', found, 1350, 850)
        time.sleep(0.5)

    def end(self):
        self.process.terminate()
        self.process.wait()


def hold(window, tap, words):
    """Over the window, until it says what will happen"""
    xdotool('mousemove', 1430, 900)
    xdotool('mousedown', 1)
    for _ in range(10):
        xdotool('mousemove_relative', '--', 3, 2)
        time.sleep(0.03)
    for i in range(1, 11):
        xdotool('mousemove', int(1430 - 930 * i / 10), int(900 - 500 * i / 10))
        time.sleep(0.03)

    def said():
        xdotool('mousemove_relative', '--', 2, 1)
        time.sleep(0.1)
        return next((t for t in window.texts() if re.search(words, t)), None)
    text = window.wait(said, 'what will happen: ' + words)
    tap.ok(text, 'before the drop the window says what it will do: %s' % text)
    window.shot('held')


def drop_start(window, tap, source_program, dropped):
    source = Source(window, source_program, dropped)
    hold(window, tap, r'^Open “a trace & 100 %\.json\.gz”$')
    xdotool('mouseup', 1)
    text = window.wait_text(r'events · 10\d\.\d+ ms')
    tap.ok(text, 'a dropped file opens: %s' % text)
    tap.ok(window.wait_text(r'a trace & 100 %\.json\.gz'), 'under its own name')
    source.end()


def drop_sources(window, tap, source_program, out):
    folder = os.path.join(out, 'home', 'code')
    os.makedirs(folder)
    with open(os.path.join(folder, 'train.py'), 'w', encoding='utf-8') as file:
        file.write('print("hello")\n' * 200)
    source = Source(window, source_program, folder)
    hold(window, tap, '^Look for source code in “code”$')
    xdotool('mouseup', 1)
    tap.ok(window.wait_text('Source code is looked for in “code”, too'),
           'a folder of source code is added')
    source.end()


def drop_second(window, tap, source_program, dropped, out):
    second = os.path.join(out, 'home', 'other', 'second.json.gz')
    os.makedirs(os.path.dirname(second))
    shutil.copy(dropped, second)
    source = Source(window, source_program, second)
    hold(window, tap, '^Compare “second.json.gz”, or add it to this capture$')
    xdotool('mouseup', 1)
    for name in ('Add to This Capture$', 'Open in New Window$', 'Cancel$'):
        window.find('push button', name)
    tap.ok(True, 'it asks what a second trace is')
    window.shot('asked')
    window.press('push button', 'Compare$')
    tap.ok(window.wait_text('^212 names are the same in all captures'), 'and compares it')
    source.end()
    return second


def paste(window, tap, source_program, second, out):
    timeline = window.find('page tab', '^Timeline$')
    timeline.queryAction().doAction(0)
    time.sleep(0.5)
    source = Source(window, source_program, '--copy-text', os.path.join(out, 'nowhere.json'))
    window.key('0')
    xdotool('windowfocus', '--sync', window.id)
    window.key('ctrl+v')
    tap.ok(window.wait_text('^Stria cannot read “nowhere.json”$'), 'what is not there is told')
    window.key('Escape')
    source.end()
    source = Source(window, source_program, '--copy', second)
    xdotool('windowfocus', '--sync', window.id)
    time.sleep(0.5)
    window.key('ctrl+v')
    window.press('push button', 'Add to This Capture$')
    text = window.wait_text(r'^12.?910 events')
    tap.ok(text, 'files that are pasted are added: %s' % text)
    window.press('push button', 'Undo$')
    tap.ok(window.wait_text(r'^6455 events'), 'and taken back')
    source.end()


def main():
    program, out, root, source_program = sys.argv[1:5]
    tap = Tap()
    window = None
    # A name that a list of files has to quote
    dropped = os.path.join(out, 'home', 'a trace & 100 %.json.gz')
    shutil.copy(os.path.join(root, 'data', 'sample', 'training-step.json.gz'), dropped)
    try:
        window = Window(program, out)
        window.find('push button', 'Open Files')
        drop_start(window, tap, source_program, dropped)
        drop_sources(window, tap, source_program, out)
        second = drop_second(window, tap, source_program, dropped, out)
        paste(window, tap, source_program, second, out)
        window.shot('dropped')
    except AssertionError as error:
        tap.ok(False, 'the drops go on', error)
    finally:
        for source in Source.all:
            source.end()
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
