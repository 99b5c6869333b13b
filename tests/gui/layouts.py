#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Views beside and below each other: by keys and by mouse, resized, saved by name, found again by the
next window; a second timeline that goes along with the first. Prints TAP."""

import os
import subprocess
import sys
import time

import pyatspi

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))

from make_neuron_capture import make  # noqa: E402
from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402

# Settings that outlive the program
KEPT = {'GSETTINGS_BACKEND': 'keyfile'}
NAME = 'Mine, 1'
VIEWS = ('Timeline', 'Source', 'Memory', 'Tables', 'Second Timeline')
# What holds no panes, or has the name of a view itself
SKIPPED = ('page tab', 'page tab list', 'image', 'icon', 'label', 'toggle button', 'push button', 'list',
           'menu', 'menu item', 'table', 'text', 'entry', 'separator', 'tool bar', 'combo box')


class Docked(Window):
    def groups(self, node=None):
        """Panes that are seen: nothing else that has the name of a view holds other widgets"""
        for child in self.children(node or self.root):
            if self.role(child) in SKIPPED:
                continue
            if child.name in VIEWS and self.is_shown(child):
                yield child
            else:
                yield from self.groups(child)

    def panes(self):
        """Title -> box"""
        return {n.name: self.box(n) for n in self.groups()}

    def pane(self, name):
        return self.wait(lambda: next((n for n in self.groups() if n.name == name), None),
                         'the pane ' + name)

    def beside(self, left, right):
        panes = self.panes()
        a, b = panes.get(left), panes.get(right)
        return a and b and a[0] + a[2] <= b[0] and abs(a[1] - b[1]) < 4

    def below(self, upper, lower):
        panes = self.panes()
        a, b = panes.get(upper), panes.get(lower)
        return a and b and a[1] + a[3] <= b[1] and abs(a[0] - b[0]) < 4

    def tab(self, name):
        return self.find('page tab', '^%s$' % name)

    def pull(self, node, x, y, target, u, v):
        """Drags from a point of a widget to a point of a pane, and does not let go"""
        box, goal = self.box(node), self.panes()[target]
        to_x, to_y = goal[0] + goal[2] * u - box[0], goal[1] + goal[3] * v - box[1]
        self.move(node, x, y)
        xdotool('mousedown', 1)
        for i in range(1, 7):
            self.move(node, x + (to_x - x) * i / 6, y + (to_y - y) * i / 6)

    def choose(self, entry):
        """An entry of the menu of layouts"""
        self.key('ctrl+shift+l')
        node = self.find('menu item', entry)
        time.sleep(0.3)
        node.queryAction().doAction(0)

    def border(self):
        return self.find('separator', '^Border between panes$')


def has_keyboard(window, name):
    return window.find('image', '^%s$' % name).getState().contains(pyatspi.STATE_FOCUSED)


def by_keys(tap, window):
    window.tab('Source')
    window.settled_shot('first')
    window.key('alt+4')
    window.key('F8')
    window.wait(lambda: window.beside('Timeline', 'Source'), 'a pane on the right')
    tap.ok(True, 'F8 puts the view that is shown at the right, and the tabs show another')
    window.settled_shot('keys-right')
    left = window.panes()['Timeline'][2]
    border = window.border()
    x, y = window.box(border)[:2]
    frame = window.pane('Timeline').parent
    origin = window.box(frame)
    window.drag(frame, x - origin[0] + 2, y - origin[1] + 60, x - origin[0] + 122,
                y - origin[1] + 60)
    window.wait(lambda: abs(window.panes()['Timeline'][2] - left - 120) < 12, 'a wider pane')
    tap.ok(True, 'a border is dragged')
    wide = window.panes()['Timeline'][2]
    window.key('Left', 'Left')
    window.wait(lambda: window.panes()['Timeline'][2] < wide - 30, 'a narrower pane')
    tap.ok(True, 'arrow keys move a border')
    window.key('Return')
    window.wait(lambda: abs(window.panes()['Timeline'][2] - left) < 4, 'equal panes')
    tap.ok(True, 'Enter evens them out')
    window.key('ctrl+F6')
    window.wait(lambda: has_keyboard(window, 'Timeline'), 'the keyboard in the timeline')
    tap.ok(True, 'Ctrl+F6 puts the keyboard into the next pane')
    window.key('alt+4')
    time.sleep(0.5)
    window.key('ctrl+alt+Left')
    window.wait(lambda: window.beside('Source', 'Timeline'), 'the other order')
    tap.ok(True, 'Alt+4 goes to the pane, and Ctrl+Alt+Left moves it')
    window.key('ctrl+F8')
    window.wait(lambda: len(window.panes()) <= 1, 'one pane')
    tap.ok(window.tab('Source').getState().contains(pyatspi.STATE_SELECTED),
           'Ctrl+F8 puts it back into the tabs')


def by_mouse(tap, window):
    window.key('alt+1')
    window.settled_shot('mouse-first')
    tab = window.tab('Source')
    box = window.box(tab)
    # One pane has no header, and the view below the tabs is what is seen.
    timeline = window.find('image', '^Timeline$')
    goal = window.box(timeline)
    window.move(tab, box[2] / 2, box[3] / 2)
    xdotool('mousedown', 1)
    for i in range(1, 7):
        window.move(tab, box[2] / 2 + (goal[0] + goal[2] * 0.95 - box[0] - box[2] / 2) * i / 6,
                    box[3] / 2 + (goal[1] + goal[3] * 0.5 - box[1] - box[3] / 2) * i / 6)
    tap.ok(window.wait_text('^Open here$'), 'a tab that is dragged shows where it would lie')
    window.settled_shot('mouse-drop')
    xdotool('mouseup', 1)
    window.wait(lambda: window.beside('Timeline', 'Source'), 'a pane on the right')
    tap.ok(True, 'and lies there when it is dropped')

    before = window.panes()
    header = window.pane('Source')
    window.pull(header, 60, 12, 'Timeline', 0.5, 0.95)
    window.wait_text('^Move here$')
    # window.key() would let go of the button first
    xdotool('key', 'Escape')
    window.wait(lambda: 'Move here' not in window.texts(), 'no preview')
    xdotool('mouseup', 1)
    window.settled_shot('mouse-escape')
    tap.equal(window.panes(), before, 'Escape lets everything lie')
    window.pull(window.pane('Source'), 60, 12, 'Timeline', 0.5, 0.95)
    window.wait_text('^Move here$')
    xdotool('mouseup', 1)
    window.wait(lambda: window.below('Timeline', 'Source'), 'a pane below')
    tap.ok(True, 'a pane is dragged by its header')
    window.settled_shot('mouse-below')


def by_name(tap, window):
    window.choose('Save Layout As')
    window.find('dialog', '^Save Layout$')
    time.sleep(1)
    # Nobody but a window manager gives dialogs the keyboard.
    dialog = next(i for i in xdotool('search', '--onlyvisible', '--pid', window.process.pid).split()
                  if 'Save Layout' in xdotool('getwindowname', i))
    xdotool('windowfocus', '--sync', dialog)
    # Not through the bus: it asks for what is inside a dialog while that goes away.
    window.type(NAME)
    xdotool('key', 'Return')
    kept = os.path.join(os.environ['XDG_CONFIG_HOME'], 'stria', 'layouts.ini')
    window.wait(lambda: os.path.exists(kept), 'the file of layouts')
    time.sleep(1)
    xdotool('windowfocus', window.id)
    tap.ok(True, 'a layout is saved by name')
    window.key('ctrl+alt+0')
    window.wait(lambda: len(window.panes()) <= 1, 'one pane')
    window.choose('^%s$' % NAME)
    window.wait(lambda: window.below('Timeline', 'Source'), 'the layout')
    tap.ok(True, 'and comes back when it is chosen')


def rulers(window):
    """Pixels of both rulers, as they are seen"""
    picture = window.settled_shot('second-%d' % time.monotonic_ns())
    size = xdotool('getwindowgeometry', window.id).split('Geometry: ')[1].strip().split('x')
    width = int(size[0])
    left, top = window.origin()
    strips = []
    for name in ('^Timeline$', '^Second timeline$'):
        box = window.box(window.find('image', name))
        x, y = int(left) + box[0] + 260, int(top) + box[1]
        strips.append([picture[((y + row) * width + x) * 3:((y + row) * width + x + 400) * 3]
                       for row in range(2, 60)])
    return strips


def second(tap, window):
    window.choose('^Tabs$')
    window.wait(lambda: len(window.panes()) <= 1, 'one pane')
    window.key('ctrl+shift+t')
    window.wait(lambda: window.below('Timeline', 'Second Timeline'), 'a second timeline')
    tap.ok(True, 'Ctrl+Shift+T puts a second timeline below the first')
    first = window.find('image', '^Timeline$')
    window.move(first, 500, 150)
    before = rulers(window)
    tap.ok(before[0] == before[1], 'both show the same times, and the same pointer')
    xdotool('mousemove_relative', 60, 0)
    window.wheel(first, 560, 150, 4, 6, 'ctrl')
    after = rulers(window)
    tap.ok(after[0] != before[0], 'the first one is zoomed')
    tap.ok(after[0] == after[1], 'and the second one goes along')
    window.choose('^Details Below$')
    time.sleep(0.5)
    window.settled_shot('details-below')
    window.choose('^Details Below$')
    # It is written a little later.
    time.sleep(2)


def again(tap, program, out, path):
    window = Docked(program, out, path, environment=KEPT)
    xdotool('windowsize', window.id, 1500, 950)
    window.wait(lambda: window.below('Timeline', 'Second Timeline'), 'both timelines')
    tap.ok(True, 'the next window is laid out as the last one was')
    window.settled_shot('again')
    window.choose('^%s$' % NAME)
    window.wait(lambda: window.below('Timeline', 'Source'), 'the layout')
    tap.ok(True, 'and knows the saved layout')
    xdotool('windowsize', window.id, 700, 600)
    window.settled_shot('narrow')
    size = xdotool('getwindowgeometry', window.id)
    tap.ok('Geometry: 7' in size, 'panes do not make a narrow window wider', size)
    return window.close()


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    path = os.path.join(out, 'home', 'captures')
    os.makedirs(path)
    make(path)
    window = None
    try:
        window = Docked(program, out, path, environment=KEPT)
        xdotool('windowsize', window.id, 1500, 950)
        by_keys(tap, window)
        by_mouse(tap, window)
        by_name(tap, window)
        second(tap, window)
        complaints = window.close()
        complaints += again(tap, program, out, path)
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    except (AssertionError, StopIteration, KeyError, subprocess.CalledProcessError) as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None and window.process.poll() is None:
            window.close()
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
