# SPDX-License-Identifier: Apache-2.0
"""The window as a screen reader has it, quickly: the whole tree is asked for in a few rounds of calls that do
not wait for each other. Walks through the views of a capture with keys; see Visitor."""

import os
import re
import sys
import tempfile
import time

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, Gio, GLib  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'gui'))

import pseudo  # noqa: E402
from window import Window, xdotool  # noqa: E402

ACCESSIBLE = 'org.a11y.atspi.Accessible'
NULL_PATH = '/org/a11y/atspi/null'
STATES = {1: 'active', 4: 'checked', 5: 'collapsed', 7: 'editable', 8: 'enabled', 9: 'expandable',
          10: 'expanded', 11: 'focusable', 12: 'focused', 20: 'pressed', 22: 'selectable',
          23: 'selected', 24: 'sensitive', 25: 'showing', 30: 'visible', 41: 'checkable'}


class Node:
    """One accessible: role, name, description, text (of labels and entries), value, states, box."""

    def __init__(self, bus, path, parent):
        self.bus, self.path, self.parent = bus, path, parent
        self.role = self.name = self.description = self.text = ''
        self.value = None
        self.states, self.box, self.children = set(), None, []
        self.interfaces, self.seen = [], False
        self.window = parent.window if parent is not None else None

    def __iter__(self):
        yield self
        for child in self.children:
            yield from child

    def ancestors(self):
        """From itself upwards"""
        node = self
        while node is not None:
            yield node
            node = node.parent

    def has_place(self):
        """Whether it may be seen: what slides in later waits beside the window."""
        if 'visible' not in self.states or self.box is None or self.box[2] <= 0 or self.box[3] <= 0:
            return False
        left, top, width, height = self.box
        whole = self.window.box if self.window is not None else None
        return (left + width > 0 and top + height > 0
                and (whole is None or self.window is self or left < whole[2] and top < whole[3] or self.pops_up()))

    def pops_up(self):
        """Menus may reach over the window."""
        return any(n.role in ('menu', 'dialog', 'alert') for n in self.ancestors())

    def overlaps(self, other):
        """Whether most of @other lies under this one"""
        if not self.has_place():
            return False
        ax, ay, aw, ah = self.box
        bx, by, bw, bh = other.box
        width = min(ax + aw, bx + bw) - max(ax, bx)
        height = min(ay + ah, by + bh) - max(ay, by)
        return width > 0 and height > 0 and width * height * 2 > bw * bh

    def __repr__(self):
        return '%s “%s”' % (self.role, self.name)


class Bus:
    """Calls to the accessibility bus, many at once."""

    def __init__(self):
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address, = session.call_sync('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', None,
                                     None, Gio.DBusCallFlags.NONE, -1, None).unpack()
        flags = (Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
                 | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        self.parents = {}
        self.connection = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)

    def calls(self, wanted):
        """@wanted: (node, interface, method, arguments or None). Answers in that order, None for an error."""
        answers = [None] * len(wanted)
        loop = GLib.MainLoop.new(GLib.MainContext.get_thread_default(), False)
        open_calls = len(wanted)

        def done(connection, result, i):
            nonlocal open_calls
            try:
                answers[i] = connection.call_finish(result).unpack()
            except GLib.Error:
                pass
            open_calls -= 1
            if open_calls == 0:
                loop.quit()

        for i, (node, interface, method, arguments) in enumerate(wanted):
            self.connection.call(node.bus, node.path, interface, method, arguments, None,
                                 Gio.DBusCallFlags.NONE, 60000, None, done, i)
        if wanted:
            loop.run()
        return answers

    def focus_events(self, act):
        """Paths of what got the keyboard while @act() ran and a little after"""
        paths = []
        context = GLib.MainContext.default()

        def told(_connection, _sender, path, _interface, _signal, parameters):
            if parameters.unpack()[:2] == ('focused', 1):
                paths.append(path)

        number = self.connection.signal_subscribe(None, 'org.a11y.atspi.Event.Object', 'StateChanged', None,
                                                  None, Gio.DBusSignalFlags.NONE, told)
        act()
        quiet = time.monotonic() + 1
        seen = 0
        while time.monotonic() < quiet:
            context.iteration(False)
            if len(paths) != seen:
                seen, quiet = len(paths), time.monotonic() + 1
            time.sleep(0.005)
        self.connection.signal_unsubscribe(number)
        return paths

    def applications(self):
        desktop = Node('org.a11y.atspi.Registry', '/org/a11y/atspi/accessible/root', None)
        (found,), = self.calls([(desktop, ACCESSIBLE, 'GetChildren', None)])
        return [Node(bus, path, None) for bus, path in found]

    def application(self, name):
        for node in self.applications():
            answer, = self.calls([(node, 'org.freedesktop.DBus.Properties', 'Get',
                                   GLib.Variant('(ss)', (ACCESSIBLE, 'Name')))])
            if answer and answer[0] == name:
                return node
        return None

    def fill(self, nodes):
        """Asks for all of @nodes, and sets their children."""
        get_all = GLib.Variant('(s)', (ACCESSIBLE,))
        extents = GLib.Variant('(u)', (1,))
        wanted = []
        for node in nodes:
            wanted += [(node, 'org.freedesktop.DBus.Properties', 'GetAll', get_all),
                       (node, ACCESSIBLE, 'GetRole', None), (node, ACCESSIBLE, 'GetState', None),
                       (node, ACCESSIBLE, 'GetInterfaces', None), (node, ACCESSIBLE, 'GetChildren', None),
                       (node, 'org.a11y.atspi.Component', 'GetExtents', extents)]
        answers = self.calls(wanted)
        self.parents.update((node.path, node.parent.path) for node in nodes if node.parent is not None)
        for i, node in enumerate(nodes):
            properties, role, state, interfaces, children, box = answers[i * 6:i * 6 + 6]
            if properties:
                node.name = properties[0].get('Name', '')
                node.description = properties[0].get('Description', '')
            node.role = Atspi.role_get_name(Atspi.Role(role[0])) if role else ''
            bits = state[0][0] | state[0][1] << 32 if state else 0
            node.states = {name for bit, name in STATES.items() if bits >> bit & 1}
            node.box = box[0] if box else None
            node.interfaces = interfaces[0] if interfaces else []
            node.children = [Node(bus, path, node) for bus, path in (children[0] if children else ())
                             if path != NULL_PATH]
        self.fill_texts(nodes)

    def fill_texts(self, nodes):
        with_text = [n for n in nodes if 'org.a11y.atspi.Text' in n.interfaces]
        with_value = [n for n in nodes if 'org.a11y.atspi.Value' in n.interfaces]
        whole = GLib.Variant('(ii)', (0, -1))
        value = GLib.Variant('(s)', ('org.a11y.atspi.Value',))
        answers = self.calls(
            [(n, 'org.a11y.atspi.Text', 'GetText', whole) for n in with_text]
            + [(n, 'org.freedesktop.DBus.Properties', 'GetAll', value) for n in with_value])
        for node, answer in zip(with_text, answers):
            node.text = answer[0] if answer else ''
        for node, answer in zip(with_value, answers[len(with_text):]):
            node.value = answer[0] if answer else None

    def tree(self, application):
        """What is in sight of @application, level by level. GTK tells of what is hidden, but not of what is on
        a page that is not shown: that is not what the pointer would meet at its place."""
        self.fill([application])
        level = application.children
        for node in level:
            node.window = node
        unknown = []
        while level:
            self.fill(level)
            level = [node for node in level if node.parent is application or node.has_place()]
            unknown += self.drop_covered(level)
            for node in level:
                node.seen = True
            level = [child for node in level for child in node.children]
        # What was never asked for is not yet there to be met.
        self.drop_covered(unknown)
        for node in list(application):
            node.children = [child for child in node.children if child.seen]
        return application

    def drop_covered(self, level):
        """Takes out of @level those at whose place something else of their parent's is seen. Returns those of
        which that is not known."""
        asked = []
        for node in level:
            if node.parent.window is not None and any(n is not node and n.overlaps(node)
                                                      for n in node.parent.children):
                x, y, width, height = node.box
                asked += [(node, (x + width * i // 8, y + height * j // 8)) for i in (1, 4, 7)
                          for j in (1, 4, 7)]
        answers = self.calls([(node.window, 'org.a11y.atspi.Component', 'GetAccessibleAtPoint',
                               GLib.Variant('(iiu)', (*point, 1))) for node, point in asked])
        met = {}
        for (node, _point), answer in zip(asked, answers):
            met.setdefault(node, set()).add(answer[0][1] if answer else NULL_PATH)
        unknown = []
        for node, paths in met.items():
            if paths == {NULL_PATH}:
                unknown.append(node)
            elif not any(self.is_within(node, path) for path in paths):
                level.remove(node)
                node.seen = False
        return unknown

    def is_within(self, node, path):
        met = set()
        while path not in (node.path, NULL_PATH) and path not in met:
            met.add(path)
            if path not in self.parents:
                answer, = self.calls([(Node(node.bus, path, None), 'org.freedesktop.DBus.Properties', 'Get',
                                       GLib.Variant('(ss)', (ACCESSIBLE, 'Parent')))])
                self.parents[path] = answer[0][1] if answer else NULL_PATH
            path = self.parents[path]
        return path == node.path


def plain(name):
    """A name in the language that pseudo.py makes, without its marks: those of English have none."""
    return name.replace(pseudo.OPEN, '').replace(pseudo.CLOSE, '')


class Visitor:
    """The program with a capture (or None: the start page), and the views that it has."""

    def __init__(self, program, capture, env=None, out=None):
        self.out = out or tempfile.mkdtemp(prefix='stria-views-')
        arguments = [capture] if capture else []
        self.window = Window(program, self.out, *arguments, environment=env)
        self.bus = Bus()
        self.wait = self.window.wait
        self.application = self.wait(lambda: self.bus.application('stria'), 'the program on the bus')
        self.has_capture = capture is not None
        self.visited = set()
        if capture:
            self.wait(lambda: self.tabs(), 'the tabs of the views')

    def tree(self):
        """What is in sight now; of several windows only the active one"""
        application = self.bus.tree(Node(self.application.bus, self.application.path, None))
        active = [node for node in application.children if 'active' in node.states]
        application.children = active or application.children
        return application

    def settled(self):
        """The tree when two in a row are alike, and nothing in it is busy"""
        before = None

        def look():
            nonlocal before
            root = self.tree()
            now = [(n.role, n.name, n.description, n.text, n.box) for n in root]
            same, before = now == before, now
            busy = any(plain(n.name).startswith('Looking Through') for n in root)
            return root if same and not busy else None

        return self.wait(look, 'the view to come to rest')

    def tabs(self, name='^Views of the capture$'):
        return [tab for list_ in self.tree() if list_.role == 'page tab list'
                and re.search(name, plain(list_.name)) for tab in list_ if tab.role == 'page tab']

    def click(self, node):
        x, y, width, height = node.box
        left, top = self.window.origin()
        xdotool('mousemove', '--window', self.window.id, int(left + x + width / 2),
                int(top + y + height / 2), 'click', 1)

    def views(self, with_panels=True):
        """(name, root of the tree) of each view and its pages; with the panels, the menu, the dialogs if
        @with_panels"""
        if not self.has_capture:
            yield 'start page', self.settled()
        for name, key in [(tab.name, re.search(r'Alt\+\d', tab.description)) for tab in
                          (self.tabs() if self.has_capture else ())]:
            self.window.key((key.group() if key else name).lower())
            self.wait(lambda: [t for t in self.tabs() if t.name == name and 'selected' in t.states],
                      'the view %s' % name)
            root = self.settled()
            yield name, root
            yield from self.pages(name, root)
        if with_panels and self.has_capture:
            yield from self.panels()
        if with_panels:
            yield from self.dialogs()

    def pages(self, view, root):
        """The pages that a view's own tabs lead to"""
        # Innermost ones first: tabs of the outer ones take them out of sight.
        lists = [[t for t in n if t.role == 'page tab'] for n in root
                 if n.role == 'page tab list' and plain(n.name) != 'Views of the capture']
        lists = [tabs for tabs in lists if tuple(t.name for t in tabs) not in self.visited]
        self.visited.update(tuple(t.name for t in tabs) for tabs in lists)
        for tabs in reversed(lists):
            for tab in [t for t in tabs if 'selected' not in t.states]:
                self.click(tab)
                name, root = '%s: %s' % (view, tab.name), self.settled()
                yield name, root
                yield from self.pages(name, root)

    def panels(self):
        self.window.key('alt+1')
        for name, key in (('artifacts', 'F9'), ('details', 'shift+F9'), ('search', 'ctrl+f')):
            self.window.key(key)
            yield name, self.settled()
            self.window.key('Escape' if name == 'search' else key)
        self.settled()
        self.window.key('alt+1', 'F7')
        root = self.settled()
        for title in ('Annotations', 'Regions', 'Warnings'):
            tab = next((n for n in root if n.role in ('push button', 'toggle button')
                        and plain(n.name).startswith(title) and ',' not in n.name), None)
            if tab is not None:
                self.click(tab)
                yield 'panel: ' + title, self.settled()
        self.window.key('F7')

    def dialogs(self):
        for name, key in (('menu', 'F10'), ('preferences', 'ctrl+comma'), ('shortcuts', 'F1'),
                          ('help', 'shift+F1')):
            self.settled()
            windows = self.windows()
            self.window.key(key)
            if name != 'menu':
                self.wait(lambda: len(self.windows()) > len(windows), 'the window “%s”' % name)
            yield name, self.settled()
            self.window.key('Escape')
            self.wait(lambda: self.windows() == windows, 'the end of “%s”' % name)

    def windows(self):
        (children,), = self.bus.calls([(self.application, ACCESSIBLE, 'GetChildren', None)])
        return children

    def close(self):
        """Ends the program. Returns what was complained about."""
        return self.window.close()
