# SPDX-License-Identifier: Apache-2.0
"""The program as a person with a keyboard, a mouse and a screen reader has it: widgets are found by
role and name, what is drawn is reached with xdotool."""

import os
import re
import subprocess
import time

import pyatspi

# How long a walk waits for what must come. Not a measure: it only ends a test that would hang.
PATIENCE = 120

# What GTK itself says under a test's conditions
HARMLESS = re.compile(r'Screen coordinates not supported|Failed to set fd limit|dconf|'
                      r'Unable to acquire the address of the accessibility bus|libEGL|MESA|'
                      r'Theme parsing|portal')

# The most frequent ones. Every question goes over the bus.
CHILDLESS = ('label', 'icon', 'separator')


def xdotool(*arguments):
    return subprocess.run(['xdotool', *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()


class Window:
    def __init__(self, program, out, *arguments, environment=None):
        self.out = out
        self.log = open(os.path.join(out, 'stria.err'), 'ab')
        self.process = subprocess.Popen([program, *arguments], stderr=self.log,
                                        env=dict(os.environ, **(environment or {})))
        self.root = self.wait(self.find_application, 'the program on the accessibility bus')
        self.id = self.wait(self.find_window, 'the window')
        xdotool('windowfocus', '--sync', self.id)

    def find_application(self):
        for application in pyatspi.Registry.getDesktop(0):
            if application is not None and application.name == 'stria':
                return application
        return None

    def find_window(self):
        try:
            found = xdotool('search', '--onlyvisible', '--pid', self.process.pid).split()
        except subprocess.CalledProcessError:
            return None
        sizes = []
        for window in found:
            size = re.search(r'Geometry: (\d+)x(\d+)', xdotool('getwindowgeometry', window))
            sizes.append((int(size[1]) * int(size[2]), window))
        return max(sizes)[1] if sizes and max(sizes)[0] > 10000 else None

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                value = condition()
            except (LookupError, RuntimeError):  # a widget went away while it was looked at
                value = None
            except Exception as error:  # pyatspi passes on what the bus says
                if type(error).__module__ not in ('gi._error', 'gi.repository.GLib'):
                    raise
                value = None
            if value:
                return value
            if self.process.poll() is not None:
                raise AssertionError('stria ended with %d before %s' % (self.process.returncode, what))
            if time.monotonic() > end:
                self.shot('missing')
                raise AssertionError('waited in vain for %s' % what)
            time.sleep(0.1)

    @classmethod
    def children(cls, node):
        if cls.role(node) in CHILDLESS:
            return
        for i in range(node.childCount):
            child = node.get_child_at_index(i)
            if child is not None:
                yield child

    @staticmethod
    def role(node):
        """It never changes, and is asked for once."""
        if not hasattr(node, 'walk_role'):
            node.walk_role = node.getRoleName()
        return node.walk_role

    def nodes(self, node=None):
        node = node or self.root
        yield node
        for child in self.children(node):
            yield from self.nodes(child)

    def each(self, role, name, within=None):
        """Widgets that are to be seen, by role and a regular expression of the name"""
        pattern = re.compile(name)
        return (n for n in self.nodes(within)
                if self.role(n) == role and pattern.search(n.name or '') and self.is_shown(n))

    def all(self, role, name):
        return list(self.each(role, name))

    @staticmethod
    def is_shown(node):
        states = node.getState()
        if not (states.contains(pyatspi.STATE_SHOWING) or states.contains(pyatspi.STATE_VISIBLE)):
            return False
        box = Window.box(node)
        return box is not None and box[2] > 0 and box[3] > 0

    @staticmethod
    def box(node):
        try:
            extents = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        except NotImplementedError:
            return None
        return extents.x, extents.y, extents.width, extents.height

    def find(self, role, name, within=None):
        """The first of them, as soon as there is one"""
        return self.wait(lambda: next(self.each(role, name, within), None),
                         '%s “%s”' % (role, name))

    def press(self, role, name):
        self.find(role, name).queryAction().doAction(0)

    def texts(self):
        return [n.name for n in self.each('label', '.')]

    def wait_text(self, pattern):
        return self.wait(lambda: next((t for t in (n.name for n in self.each('label', '.'))
                                       if re.search(pattern, t or '')), None),
                         'a label “%s”' % pattern)

    def origin(self):
        """Where the window's content begins in the X window: shadows and borders lie around it."""
        size = re.search(r'Geometry: (\d+)x(\d+)', xdotool('getwindowgeometry', self.id))
        frame = self.box(next(n for n in self.root if n.getRoleName() == 'frame'))
        return (int(size[1]) - frame[2]) / 2, (int(size[2]) - frame[3]) / 2

    def move(self, node, x, y):
        """@x, @y: from the top left of the widget"""
        left, top = self.origin()
        box = self.box(node)
        xdotool('mousemove', '--window', self.id, int(left + box[0] + x), int(top + box[1] + y))
        time.sleep(0.05)

    def click(self, node, x, y):
        self.move(node, x, y)
        xdotool('click', 1)

    def drag(self, node, x0, y0, x1, y1):
        self.move(node, x0, y0)
        xdotool('mousedown', 1)
        for i in range(1, 9):
            self.move(node, x0 + (x1 - x0) * i / 8, y0 + (y1 - y0) * i / 8)
        xdotool('mouseup', 1)

    def wheel(self, node, x, y, button, times, modifier=None):
        self.move(node, x, y)
        if modifier:
            xdotool('keydown', modifier)
        for _ in range(times):
            xdotool('click', button)
        if modifier:
            xdotool('keyup', modifier)

    def key(self, *keys):
        xdotool('key', '--clearmodifiers', *keys)

    def type(self, text):
        xdotool('type', '--delay', '20', text)

    def shot(self, name):
        """A picture of the window, as it is just now; returns its path."""
        path = os.path.join(self.out, name + '.png')
        subprocess.run(['import', '-window', self.id if self.id else 'root', path], check=True)
        return path

    def settled_shot(self, name):
        """A picture when two in a row are alike; returns its pixels."""
        before = None
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            picture = subprocess.run(['import', '-window', self.id, '-depth', '8', 'ppm:-'],
                                     check=True, stdout=subprocess.PIPE).stdout
            pixels = picture.split(b'\n', 3)[3]
            if pixels == before:
                subprocess.run(['convert', '-quality', '15', 'ppm:-',
                                os.path.join(self.out, name + '.png')], check=True, input=picture)
                return pixels
            before = pixels
            time.sleep(0.3)
        raise AssertionError('the picture never comes to rest')

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()
        with open(os.path.join(self.out, 'stria.err'), errors='replace') as log:
            return [line for line in log.read().splitlines()
                    if re.search(r'WARNING|CRITICAL|ERROR|Sanitizer|runtime error', line)
                    and not HARMLESS.search(line)]


Window.id = None
