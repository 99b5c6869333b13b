#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Walks through one graph with keys, pointer and search. Prints TAP."""

import os
import re
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402

# What the host says of the widget
STATE = re.compile(r'^boxes (\d+), zoom ([\d.]+), at (-?\d+) (-?\d+), box (-?\d+) (-?\d+), '
                   r'laid out \d+, selected (\d+): (.*)$')


class Graph:
    def __init__(self, window):
        self.window = window
        self.area = window.find('image', '^Graph$')

    def state(self):
        for text in self.window.texts():
            match = STATE.match(text)
            if match:
                return match
        return None

    def get(self, number):
        return self.window.wait(self.state, 'a graph that is laid out')[number]

    boxes = property(lambda self: int(self.get(1)))
    zoom = property(lambda self: float(self.get(2)))
    place = property(lambda self: (int(self.get(3)), int(self.get(4))))
    box = property(lambda self: (int(self.get(5)), int(self.get(6))))
    n_selected = property(lambda self: int(self.get(7)))
    selected = property(lambda self: self.get(8))

    def wait(self, condition, what):
        self.window.wait(lambda: condition(self), what)

    def rest(self, name):
        """Where it is when nothing moves any more"""
        return self.window.settled_shot(name)

    def described(self):
        return self.area.description


def keys(tap, window, graph):
    window.key('Home')
    graph.wait(lambda g: g.selected == 'op_0', 'the first node')
    tap.ok('input' in graph.described() and '1×64×64×8 int8' in graph.described(),
           'the first node is read out: %s' % graph.described())
    window.key('Right')
    graph.wait(lambda g: g.selected == 'features/block0', 'what comes next')
    tap.ok('group block0' in graph.described() and 'closed' in graph.described(),
           'what comes next is a closed group: %s' % graph.described())
    before = graph.boxes
    window.key('Return')
    graph.wait(lambda g: g.boxes == before + 11, 'its nodes')
    tap.ok('open' in graph.described(), 'Enter opens it')
    graph.rest('graph-open')
    window.key('shift+Down')
    graph.wait(lambda g: g.selected == 'op_1', 'the first node in it')
    window.key('Right')
    graph.wait(lambda g: g.selected == 'op_2', 'the node behind it')
    window.key('Left', 'Left')
    graph.wait(lambda g: g.selected == 'op_0', 'the way back')
    tap.ok(True, 'arrows walk along the wires, into the group and out of it')
    window.key('Right', 'shift+Left')
    graph.wait(lambda g: g.boxes == before and g.selected == 'features/block0',
               'the group closed again')
    tap.ok(True, 'Shift+Left closes the group around a node')
    window.key('End')
    graph.wait(lambda g: g.selected == 'op_79', 'the last node')
    window.key('bracketleft')
    traced = graph.rest('graph-traced')
    window.key('bracketleft')
    tap.ok(graph.rest('graph-untraced') != traced, 'a key lets all inputs of it stand out')
    window.key('Escape')
    graph.wait(lambda g: g.selected == 'nothing', 'nothing')
    tap.ok(True, 'Escape selects nothing')


def views(tap, window, graph):
    window.key('space')
    graph.rest('graph-whole')
    whole = graph.zoom
    window.key('plus')
    graph.wait(lambda g: g.zoom > whole * 1.3, 'a larger scale')
    window.key('0')
    graph.wait(lambda g: g.zoom == 1, 'scale 1')
    _, _, width, height = window.box(graph.area)
    graph.rest('graph-100')
    x0, y0 = graph.place
    window.drag(graph.area, width * 0.5, height * 0.3, width * 0.5 - 200, height * 0.3)
    graph.wait(lambda g: abs(g.place[0] - x0 - 200) < 30, 'another place')
    tap.ok(True, 'a drag moves the graph')
    window.wheel(graph.area, width / 2, height / 2, 4, 2, 'ctrl')
    graph.wait(lambda g: g.zoom > 1.5, 'a larger scale')
    tap.ok(True, 'Ctrl and the wheel zoom')
    window.key('f')
    graph.rest('graph-fit')
    tap.ok(abs(graph.zoom - whole) < 0.001, 'F shows the whole graph')
    xdotool('keydown', 'shift')
    window.drag(graph.area, 2, 2, width - 3, height - 3)
    xdotool('keyup', 'shift')
    graph.wait(lambda g: g.n_selected == 80, 'all nodes')
    tap.ok(True, 'a drag with Shift selects what it covers')
    window.key('Escape')
    graph.wait(lambda g: g.n_selected == 0, 'nothing')
    xdotool('keydown', 'ctrl')
    window.drag(graph.area, width * 0.45, height * 0.45, width * 0.55, height * 0.55)
    xdotool('keyup', 'ctrl')
    graph.wait(lambda g: g.zoom > whole * 2, 'what the rectangle covered')
    tap.ok(True, 'a drag with Ctrl shows what it covers')


def clicks(tap, window, graph):
    window.key('0', 'Home', 'Right')
    graph.wait(lambda g: g.selected == 'features/block0', 'the first group')
    graph.rest('graph-to-click')
    before = graph.boxes
    x, y = graph.box
    window.key('Escape')
    graph.wait(lambda g: g.selected == 'nothing', 'nothing')
    window.click(graph.area, x + 60, y + 20)
    graph.wait(lambda g: g.selected == 'features/block0', 'the group that was clicked')
    tap.ok(graph.boxes == before, 'a click selects a group')
    time.sleep(1)  # not a double click with the next one
    window.click(graph.area, x + 10, y + 22)
    graph.wait(lambda g: g.boxes == before + 11, 'the open group')
    tap.ok(True, 'a click on its arrow opens it')
    graph.rest('graph-clicked')
    after = graph.box
    tap.ok(abs(after[0] - x) <= 1 and abs(after[1] - y) <= 1,
           'and it stays where it is: %r, %r' % ((x, y), after))
    time.sleep(1)
    window.click(graph.area, x + 60, y + 12)
    window.click(graph.area, x + 60, y + 12)
    graph.wait(lambda g: g.boxes == before, 'a closed group')
    tap.ok(True, 'a double click on its title closes it')


def search(tap, window, graph):
    entry = window.find('entry', '^Search$')
    window.click(entry, 60, 10)
    window.type('features conv2d')
    count = window.wait_text(r'^[1-9]\d* matches$')
    tap.ok(int(count.split()[0]) == 8, 'words narrow each other: %s' % count)
    window.key('Return')
    window.wait_text('^match 1$')
    graph.wait(lambda g: g.selected == 'op_7', 'the first match')
    graph.rest('graph-match')
    tap.ok(graph.zoom >= 0.5, 'it is revealed at a scale at which it can be read')
    window.key('Return')
    graph.wait(lambda g: g.selected == 'op_14', 'the second match')
    tap.ok('conv2d' in graph.described() and 'in features/block1' in graph.described(),
           'the next one is said: %s' % graph.described())
    graph.rest('graph-match-2')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    try:
        window = Window(program, out, '--level', '1')
        graph = Graph(window)
        tap.ok(graph.boxes < 80, 'the graph opens folded: %d boxes' % graph.boxes)
        graph.rest('graph-first')
        keys(tap, window, graph)
        views(tap, window, graph)
        clicks(tap, window, graph)
        search(tap, window, graph)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
