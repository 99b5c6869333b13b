#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Walks through the memory and source views of an allocator snapshot: views that are listed, drags
over the plot and its axis, and the way from a frame to its line. Prints TAP."""

import os
import pickle
import re
import shutil
import subprocess
import sys
import tarfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))

from heap import Heap  # noqa: E402
from make_snapshots import snapshot  # noqa: E402
from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402

LINE = 42
# From the lower edge, which the pane takes for itself, to the middle of the axis
RULER_Y = 16


def make(out):
    """A snapshot whose largest blocks come from two files: one lies where it says, the other in a
    folder that has to be named first."""
    here = os.path.join(out, 'home', 'here', 'cache.py')
    os.makedirs(os.path.dirname(here))
    lines = ['# line %d\n' % (i + 1) for i in range(90)]
    with open(here, 'w') as file:
        file.writelines(lines)
    checkout = os.path.join(out, 'home', 'checkout')
    os.makedirs(os.path.join(checkout, 'project', 'train'))
    shutil.copy(here, os.path.join(checkout, 'project', 'train', 'loop.py'))
    heap = Heap(7)
    stack = [{'name': 'cache_append', 'filename': here, 'line': LINE},
             {'name': 'train_step', 'filename': '/gone/project/train/loop.py', 'line': 7}]
    usual = heap.stack
    for _ in range(12):
        heap.run(40)
        heap.stack = lambda: stack
        heap.malloc(32 << 20)
        heap.stack = usual
    path = os.path.join(out, 'home', 'walk_snapshot.pickle')
    with open(path, 'wb') as file:
        pickle.dump(snapshot(heap), file)
    return path, here, checkout


def tabs(tap, window):
    names = [n.name for n in window.all('page tab', '.')]
    tap.ok('Timeline' not in names and {'Memory', 'Source', 'Summary'} <= set(names),
           'only views that have something are listed: %s' % ', '.join(names))
    twice = [n.name for n in window.nodes()
             if (w := (n.name or '').split()) and len(w) % 2 == 0
             and w[:len(w) // 2] == w[len(w) // 2:]]
    tap.ok(not twice, 'no name says the same twice', *twice)


def hold(window, node, x0, y0, x1, y1):
    window.move(node, x0, y0)
    xdotool('mousedown', 1)
    for i in range(1, 9):
        window.move(node, x0 + (x1 - x0) * i / 8, y0 + (y1 - y0) * i / 8)


def moment(window):
    return window.wait_text(r' of .* reserved · peak ').split(':')[0]


def drags(tap, window, plot):
    _, _, width, height = window.box(plot)
    y = height * 0.5
    window.move(plot, 4, 4)
    whole = window.settled_shot('memory-whole')

    hold(window, plot, width * 0.2, y, width * 0.4, y)
    tap.ok(window.settled_shot('memory-band') != whole, 'a drag over the plot shows its range')
    xdotool('key', 'Escape')  # --clearmodifiers would let go of the button
    xdotool('mouseup', 1)
    window.move(plot, 4, 4)
    tap.ok(window.settled_shot('memory-cancelled') == whole, 'Escape cancels it')

    window.drag(plot, width * 0.2, y, width * 0.4, y)
    window.move(plot, 4, 4)
    zoomed = window.settled_shot('memory-zoomed')
    tap.ok(zoomed != whole, 'a drag over the plot zooms')
    xdotool('keydown', 'shift')
    window.drag(plot, width * 0.3, y, width * 0.2, y)
    xdotool('keyup', 'shift')
    window.move(plot, 4, 4)
    tap.ok(window.settled_shot('memory-panned') != zoomed, 'a drag with Shift moves in time')
    window.key('BackSpace')
    tap.ok(window.settled_shot('memory-back') == whole, 'BackSpace goes back')


def through_time(tap, window, plot):
    window.press('page tab', '^Segment Map$')
    window.settled_shot('memory-map')
    _, _, width, height = window.box(plot)
    seen = set()
    window.move(plot, width * 0.15, height - RULER_Y)
    xdotool('mousedown', 1)
    for i in range(1, 7):
        window.move(plot, width * (0.15 + 0.07 * i), height - RULER_Y)
        window.wait(lambda: moment(window) not in seen, 'another moment')
        seen.add(moment(window))
    held = window.settled_shot('memory-dragged')
    xdotool('mouseup', 1)
    tap.ok(len(seen) == 6, 'a drag along the axis moves the moment at each step: %s'
           % ', '.join(sorted(seen)))
    window.move(plot, width * 0.3, height - RULER_Y)
    xdotool('click', 1)
    window.move(plot, 4, 4)
    tap.ok(window.settled_shot('memory-elsewhere') != held, 'and the segment map follows')
    before = moment(window)
    window.key('Right')
    window.wait(lambda: moment(window) != before, 'the next event')
    window.key('Left')
    window.wait(lambda: moment(window) == before, 'the event before')
    tap.ok(True, 'the arrow keys step from event to event')


def go_to_source(tap, window, plot, here):
    """The big blocks lie in the upper part of the plot: clicked until one of them is selected."""
    _, _, width, height = window.box(plot)
    for share in (0.5, 0.4, 0.6, 0.7, 0.3, 0.8):
        window.click(plot, width * 0.6, height * share)
        time.sleep(0.5)
        if window.all('push button', 'cache_append, '):
            break
    link = window.find('push button', 'cache_append, .*cache.py:%d' % LINE)
    tap.ok(link, 'a frame with a file is a link')
    link.queryAction().doAction(0)
    title = window.wait_text(re.escape('%s:%d' % (here, LINE)))
    tap.ok(title, 'which shows its line: %s' % title)
    text = window.wait(lambda: [n for n in window.nodes() if n.name == 'Source code'
                                and window.is_shown(n)], 'the text')[0].queryText()
    tap.ok(text.getText(0, -1).count('\n') == 90, 'the whole file is there')
    at = text.getText(0, text.caretOffset).count('\n') + 1
    tap.ok(at == LINE, 'the caret stands in line %d' % at)
    window.settled_shot('source')
    window.press('push button', 'Copy path and line')
    entry = window.find('entry', 'Filter files')
    window.click(entry, 60, 10)
    window.key('ctrl+v')
    # The whole place is in no path; without its line it is in one
    window.wait(lambda: not window.all('list item', r'\.py$'), 'no file for the place')
    window.key('BackSpace', 'BackSpace', 'BackSpace')
    window.wait(lambda: [n.name for n in window.all('list item', r'\.py$')] == ['here/cache.py'],
                'the file of the place')
    tap.ok(True, 'its place can be copied, and filters the list of files')


def drop_source(window, what, drag_source, shot):
    source = subprocess.Popen([drag_source, what], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        found = window.wait(lambda: subprocess.run(
            ['xdotool', 'search', '--onlyvisible', '--name', '^Drag Source$'],
            stdout=subprocess.PIPE).stdout.split(), 'the window to drag from')[0].decode()
        xdotool('windowmove', '--sync', window.id, 0, 0)
        xdotool('windowmove', '--sync', found, 1350, 850)
        time.sleep(0.5)
        xdotool('mousemove', 1430, 900)
        xdotool('mousedown', 1)
        for _ in range(10):
            xdotool('mousemove_relative', '--', 3, 2)
            time.sleep(0.05)
        for i in range(1, 11):
            xdotool('mousemove', 1430 - 63 * i, 900 - 50 * i)
            time.sleep(0.05)
        for _ in range(4):
            xdotool('mousemove_relative', '--', 3, 3)
            time.sleep(0.15)
        window.shot(shot)
        xdotool('mouseup', 1)
        window.wait_text('^' + re.escape(what))
    finally:
        source.terminate()
        source.wait()


def add_folder(tap, window, checkout, drag_source):
    window.key('ctrl+a')
    window.type('loop')
    item = window.find('list item', r'train/loop\.py')
    window.click(item, 30, 8)
    window.wait_text('^Not Found on This Computer$')
    tap.ok(window.wait_text(r'^/gone/project/train/loop\.py'), 'what was tried is said')
    tap.ok(window.find('push button', 'Add Source Folder'), 'and a folder can be added')
    window.settled_shot('source-missing')
    drop_source(window, checkout, drag_source, 'source-dropping')
    path = os.path.join(checkout, 'project', 'train', 'loop.py')
    tap.ok(window.wait_text('^' + re.escape(path)), 'a dropped folder of source is looked into')
    window.settled_shot('source-found')
    tap.ok('Drop to open' not in window.texts(), 'and nothing else is offered for it')


def add_archive(tap, window, checkout, drag_source):
    """The same source in an archive, once the folder is taken away."""
    archive = checkout + '.tar.gz'
    with tarfile.open(archive, 'w:gz') as out:
        out.add(os.path.join(checkout, 'project'), 'project')
    window.click(window.find('label', '^Source Folders$'), 20, 8)
    tap.ok(window.find('push button', 'Add Source Archive'), 'an archive can be added, too')
    window.settled_shot('source-folders')
    window.press('push button', 'Remove ' + re.escape(checkout))
    window.wait_text('^Not Found on This Computer$')
    window.key('Escape')
    drop_source(window, archive, drag_source, 'source-dropping-archive')
    tap.ok(window.wait_text('^' + re.escape(os.path.join(archive, 'project', 'train', 'loop.py'))),
           'a dropped archive of source is looked into')
    window.settled_shot('source-found-archive')


def main():
    program, out, drag_source = sys.argv[1:4]
    tap = Tap()
    window = None
    path, here, checkout = make(out)
    try:
        window = Window(program, out, path)
        plot = window.find('image', '^Memory over time$')
        window.wait_text(r' reserved · peak ')
        tabs(tap, window)
        drags(tap, window, plot)
        through_time(tap, window, plot)
        go_to_source(tap, window, plot, here)
        add_folder(tap, window, checkout, drag_source)
        add_archive(tap, window, checkout, drag_source)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
