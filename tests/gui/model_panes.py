#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Panes of graphs: dragged beside and below each other, moved with keys, resized, and found again by
the next window. Prints TAP."""

import os
import subprocess
import sys
import time

import pyatspi

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from model import VIEWS, Seen  # noqa: E402
from tap import Tap  # noqa: E402
from window import xdotool  # noqa: E402

# Wide enough for the tabs of three graphs in half of it
SIZE = (2360, 960)
MAPPING = 'ETRecord Chain Mapping'
TRACE = 'ETDump Backend Trace'
FOURTH = 'Source Model'
THIRD = 'segment_cascade_chain'
# Settings that outlive the program
KEPT = {'GSETTINGS_BACKEND': 'keyfile'}


class Panes(Seen):
    """Looks only into the panes: the whole window has thousands of widgets."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.panes = self.wait(lambda: [n for n in self.nodes() if n.name == 'Pane of graphs'],
                               'a pane')[0].parent

    def inside(self, node=None):
        """Tabs, graphs and borders that are in sight"""
        for child in node or self.panes:
            role = child.getRoleName()
            box = self.box(child)
            if role == 'page tab' and child.getState().contains(pyatspi.STATE_SELECTED):
                self.chosen = child.name
            if role == 'panel' and box is None and child.name != self.chosen:
                continue  # a page behind another
            if box is not None and box[2] == 0:
                continue
            if role in ('page tab', 'image', 'separator', 'label'):
                yield child
            elif role not in ('push button', 'entry', 'menu', 'toggle button', 'text'):
                yield from self.inside(child)

    def places(self):
        """Graph -> its box"""
        return {n.name: self.box(n) for n in self.inside()
                if n.getRoleName() == 'image' and n.name in VIEWS}

    def words(self):
        return [n.name for n in self.inside() if n.getRoleName() == 'label']


def place(window, name):
    return window.wait(lambda: window.places().get(name), 'the graph %s' % name)


def tab_of(window, shown, name):
    """The tab of a graph in the pane that shows another"""
    left, top, width, _ = place(window, shown)
    tabs = [n for n in window.inside() if n.getRoleName() == 'page tab' and n.name == name
            and left <= window.box(n)[0] < left + width and window.box(n)[1] < top]
    # Panes above it have such a tab, too.
    return max(tabs, key=lambda n: window.box(n)[1])


def drop(window, tab, target, u, v):
    """Drags a tab to a point of a graph, and looks at what is shown before it lets go"""
    box, goal = window.box(tab), place(window, target)
    window.move(tab, box[2] / 2, box[3] / 2)
    xdotool('mousedown', 1)
    steps = 6
    x, y = goal[0] + goal[2] * u - box[0], goal[1] + goal[3] * v - box[1]
    for i in range(1, steps + 1):
        window.move(tab, box[2] / 2 + (x - box[2] / 2) * i / steps,
                    box[3] / 2 + (y - box[3] / 2) * i / steps)


def let_go():
    xdotool('mouseup', 1)


def beside(window, left, right):
    places = window.places()
    a, b = places.get(left), places.get(right)
    return a and b and a[0] + a[2] <= b[0] and abs(a[1] - b[1]) < 60


def below(window, upper, lower):
    places = window.places()
    a, b = places.get(upper), places.get(lower)
    return a and b and a[1] + a[3] <= b[1] and abs(a[0] - b[0]) < 60


def has_keyboard(window, name):
    return any(n.name == name and n.getState().contains(pyatspi.STATE_FOCUSED)
               for n in window.inside() if n.getRoleName() == 'image')


def first(window, shown):
    window.find('image', '^%s$' % shown)
    xdotool('windowsize', window.id, *SIZE)
    window.settled_shot('panes-first')


def by_drag(tap, window):
    drop(window, tab_of(window, MAPPING, TRACE), MAPPING, 0.9, 0.5)
    tap.ok(window.wait(lambda: 'New pane' in window.words(), 'a preview'),
           'where it would lie is shown')
    window.settled_shot('panes-drop')
    let_go()
    window.wait(lambda: beside(window, MAPPING, TRACE), 'a pane on the right')
    tap.equal(sorted(window.places()), sorted([MAPPING, TRACE]),
              'a tab dropped on the right side is a pane there, and the old one keeps its graph')
    window.settled_shot('panes-right')

    drop(window, tab_of(window, MAPPING, THIRD), TRACE, 0.5, 0.9)
    let_go()
    window.wait(lambda: below(window, TRACE, THIRD), 'a pane below')
    tap.ok(beside(window, MAPPING, TRACE), 'one dropped at the bottom lies below that pane alone')
    window.settled_shot('panes-below')

    drop(window, tab_of(window, THIRD, THIRD), MAPPING, 0.05, 0.5)
    tap.ok(window.wait(lambda: 'Move here' in window.words(), 'a preview'),
           'the tab in sight takes its pane along')
    let_go()
    window.wait(lambda: beside(window, THIRD, MAPPING), 'the pane on the left')
    tap.ok(beside(window, MAPPING, TRACE), 'and the order is another')
    window.settled_shot('panes-moved')

    drop(window, tab_of(window, THIRD, THIRD), TRACE, 0.5, 0.5)
    tap.ok(window.wait(lambda: 'Change places' in window.words(), 'a preview'),
           'in the middle they change places')
    let_go()
    window.wait(lambda: beside(window, TRACE, MAPPING) and beside(window, MAPPING, THIRD),
                'the other places')
    tap.ok(True, 'as was said')

    before = window.places()
    drop(window, tab_of(window, THIRD, THIRD), TRACE, 0.5, 0.05)
    window.wait(lambda: 'Move here' in window.words(), 'a preview')
    # window.key() would let go of the button first
    xdotool('key', 'Escape')
    window.wait(lambda: 'Move here' not in window.words(), 'no preview')
    let_go()
    window.settled_shot('panes-escape')
    tap.equal(window.places(), before,
              'Escape lets everything lie')


def by_keyboard(tap, window):
    for _ in range(8):
        if has_keyboard(window, THIRD):
            break
        window.key('F6')
        time.sleep(0.2)
    window.key('alt+shift+Left')
    window.wait(lambda: beside(window, THIRD, MAPPING), 'another order')
    tap.ok(has_keyboard(window, THIRD),
           'Alt+Shift+Left changes places, and the keyboard stays in the pane')
    window.key('alt+shift+Down')
    window.wait(lambda: below(window, TRACE, THIRD), 'a pane below all')
    tap.ok(place(window, THIRD)[2] > place(window, TRACE)[2] * 1.5,
           'Alt+Shift+Down puts it below all of them, where none is below it')
    window.key('shift+F7')
    window.wait(lambda: below(window, THIRD, FOURTH), 'a pane below')
    tap.equal(len(window.places()), 4, 'Shift+F7 adds one below')
    window.key('F7')
    window.settled_shot('panes-four')
    tap.equal(len(window.places()), 4, 'four is the most')
    window.key('ctrl+F7')
    window.wait(lambda: len(window.places()) == 3, 'three panes')
    window.settled_shot('panes-three')
    borders = [n for n in window.inside() if n.name == 'Border between panes']
    tap.equal(len(borders), 2, 'borders lie between panes')
    top = place(window, THIRD)[1]
    # From the panes, since a border moves while it is dragged
    left, upper, width, height = window.box(borders[0])
    origin = window.box(window.panes)
    x, y = left + width / 2 - origin[0], upper + height / 2 - origin[1]
    window.drag(window.panes, x, y, x, y + 40)
    window.wait(lambda: abs(place(window, THIRD)[1] - top - 40) < 12, 'another place of the border')
    tap.ok(True, 'a border is dragged')
    window.settled_shot('panes-border')
    top = place(window, THIRD)[1]
    window.key('Up', 'Up', 'Up')
    window.wait(lambda: place(window, THIRD)[1] <= top - 20, 'a larger pane')
    tap.ok(True, 'arrow keys move a border')
    window.settled_shot('panes-kept')
    return window.places()


def again(tap, program, out, path, before):
    window = Panes(program, out, path, environment=KEPT)
    window.find('image', '^%s$' % THIRD)
    xdotool('windowsize', window.id, *SIZE)
    window.settled_shot('panes-again')
    tap.equal(sorted(window.places()), sorted(before), 'the next window shows the same graphs')
    places = window.places()
    tap.ok(all(abs(a - b) < 4 for name in before for a, b in zip(before[name], places[name])),
           'where they were', before, places)
    window.key('ctrl+F7', 'ctrl+F7')
    window.wait(lambda: len(window.places()) == 1, 'one pane')
    return window.close()


def main():
    program, out, root = sys.argv[1:4]
    tap = Tap()
    made = os.path.join(out, 'home', 'captures')
    subprocess.run([sys.executable, os.path.join(root, 'tests/fixtures/make_executorch.py'), made],
                   check=True, stdout=subprocess.DEVNULL)
    path = os.path.join(made, 'base')
    window = None
    try:
        window = Panes(program, out, path, environment=KEPT)
        first(window, MAPPING)
        by_drag(tap, window)
        before = by_keyboard(tap, window)
        complaints = window.close()
        complaints += again(tap, program, out, path, before)
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    except (AssertionError, StopIteration, KeyError) as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None and window.process.poll() is None:
            window.close()
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
