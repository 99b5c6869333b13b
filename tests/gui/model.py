#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Walks through the model of an ExecuTorch capture: from a source operator to its chain, to the
trace, to the compiler's operator and back, with the keyboard, with links and with the mouse; panes side by
side, table, counters, notes; a program alone. Prints TAP."""

import os
import re
import subprocess
import sys
import time

import pyatspi

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402

VIEWS = ('Source Model', 'segment_cascade_chain', 'ETRecord Chain Mapping', 'ETDump Backend Trace',
         'PTE - VGF Backend Hierarchy')
SIZE = (1560, 960)
# What a click or a key changes is there after this time, or there is a next one.
SETTLED_S = 0.15
# Of these a window has hundreds, and none holds others that matter to where it is.
LEAVES = ('label', 'push button', 'image', 'icon', 'separator', 'page tab')


class Seen(Window):
    """Only what is in sight: pages that are not shown have many widgets."""

    def __init__(self, *arguments, **options):
        self.hidden = set()
        super().__init__(*arguments, **options)

    def nodes(self, node=None):
        node = node or self.root
        yield node
        if self.role(node) not in LEAVES and node.name == 'Pane of graphs':
            self.hidden = set()
        for child in self.children(node):
            role = self.role(child)
            if role == 'page tab':
                if child.getState().contains(pyatspi.STATE_SELECTED):
                    self.hidden.discard(child.name)
                else:
                    self.hidden.add(child.name)
            elif role == 'panel' and child.name in self.hidden:
                continue
            box = self.box(child) if node is not self.root else None
            if box is None or box[2] > 0 or role == 'page tab':
                yield from self.nodes(child)


def details(window):
    """What the panel says, and its links"""
    # It stays the same while the window lives, and the whole has thousands of widgets.
    if not hasattr(window, 'panel'):
        window.panel = next(n for n in window.nodes() if n.name == 'Details of the selection')
    nodes = [n for n in window.nodes(window.panel)
             if window.role(n) in ('label', 'push button') and n.name]
    return ([n.name for n in nodes if window.role(n) == 'label'],
            {n.name: n for n in nodes if window.role(n) == 'push button'})


def wait_details(window, title):
    return window.wait(lambda: (d := details(window)) and d[0] and d[0][0] == title and d,
                       'the details of %s' % title)


def graphs(window):
    """Names of the graphs in sight"""
    return [n.name for n in window.each('image', '.') if n.name in VIEWS
            or n.name in ('Execution Plan', 'Exported Program', 'VGF')]


def go(window, link, title):
    labels, links = details(window)
    found = next((n for name, n in links.items() if name.startswith(link)), None)
    if found is None:
        raise AssertionError('no link %s among %s' % (link, list(links)))
    found.queryAction().doAction(0)
    return wait_details(window, title)


def press_key_until(window, key, condition, what, most=40):
    """A person presses a key again until what is wanted has the keyboard."""
    for _ in range(most):
        window.key(key)
        time.sleep(SETTLED_S)
        if condition():
            return
    raise AssertionError('%s never comes to %s but to %s' % (key, what, focused(window)))


def focused(window):
    return [(n.getRoleName(), n.name) for n in window.nodes()
            if n.getState().contains(pyatspi.STATE_FOCUSED)]


def has_focus(window, role, name, within=None):
    return any(n.getState().contains(pyatspi.STATE_FOCUSED)
               for n in window.each(role, name, within))


def first_look(tap, window):
    window.find('image', '^ETRecord Chain Mapping$')
    xdotool('windowsize', window.id, *SIZE)
    tap.equal(graphs(window), ['ETRecord Chain Mapping'], 'the chain mapping is shown first')
    tabs = {n.name for n in Window.nodes(window) if window.role(n) == 'page tab'}
    tap.ok(set(VIEWS) <= tabs, 'all five graphs are tabs by their names', tabs)
    tap.ok(window.wait_text(r'they are taken as ns'), 'a banner names what is assumed')
    for role, name in (('combo box', '^Method$'), ('combo box', '^Time unit$'),
                       ('combo box', '^Counter$'), ('combo box', '^Aggregation$'),
                       ('entry', '^Search the graph$'), ('push button', '^Fit the whole graph$'),
                       ('push button', '^Levels$'), ('push button', '^Isolate$'),
                       ('push button', '^Inputs$'), ('push button', '^Outputs$'),
                       ('push button', '^All graphs$')):
        tap.ok(window.find(role, name), '%s “%s” can be found' % (role, name.strip('^$')))
    nameless = [n for n in window.nodes() if window.role(n) == 'push button' and not n.name
                and window.is_shown(n)]
    tap.ok(not nameless, 'no button is without a name', nameless)
    tap.ok(window.wait_text(r'^Median \(P50\) of 3 executions$'),
           'the legend says aggregation and executions')
    window.settled_shot('mapping')


def by_links(tap, window):
    window.key('ctrl+f')
    window.find('entry', 'Search the graph')
    window.type('relu')
    window.key('Return')
    tap.ok(window.wait_text(r'^1 of 1 match$'), 'a search counts its matches')
    labels, links = wait_details(window, 'relu_1 · aten.relu.default')
    text = '\n'.join(labels)
    for wanted in ('Source operator', '3 Debug handle', '3 of 3 executions', '0.950001 ms Median',
                   '5 operators share this time', 'Corresponds to: Approximate',
                   'Corresponds to: As part of a partition'):
        tap.ok(wanted in text, 'its details say “%s”' % wanted, text)
    tap.ok(any(name.startswith('net.py:5') for name in links), 'and its line of Python',
           links.keys())
    area = window.find('image', '^ETRecord Chain Mapping$')
    window.wait(lambda: 'aten.relu.default' in (area.description or ''), 'what a reader hears')
    tap.ok('0.95 ms' in area.description, 'a reader hears it: %s' % area.description)
    window.settled_shot('operator')

    labels, links = go(window, 'segment_2/Chain 30', 'segment_2/Chain 30')
    tap.ok('223 cycles Median (P50)' in labels, 'its chain is a link, and says its cycles', labels)
    tap.equal(graphs(window), ['ETRecord Chain Mapping'], 'it stays where the chain is in sight')
    window.settled_shot('chain')
    go(window, 'Clamp 12', 'Clamp 12')
    tap.equal(graphs(window), ['ETDump Backend Trace'], 'an operator of the trace is gone to there')
    window.settled_shot('trace')
    labels, links = go(window, 'spirv-51', 'spirv-51 · CLAMP')
    tap.equal(graphs(window), ['PTE - VGF Backend Hierarchy'],
              'and the compiler’s in its hierarchy')
    tap.ok(any('not measured one by one' in t for t in labels),
           'a chain’s time is not said of its operators', labels)
    window.settled_shot('hierarchy')
    go(window, 'Clamp 12', 'Clamp 12')
    go(window, 'relu_1', 'relu_1 · aten.relu.default')
    tap.equal(graphs(window), ['Source Model'], 'and the source operator in the source')
    window.settled_shot('source')


def by_keyboard(tap, window):
    for title, shown in (('Clamp 12', 'ETDump Backend Trace'),
                         ('spirv-51 · CLAMP', 'PTE - VGF Backend Hierarchy')):
        window.key('alt+Left')
        wait_details(window, title)
        tap.equal(graphs(window), [shown], 'Alt+Left goes back to %s' % title)
    window.key('alt+Right')
    wait_details(window, 'Clamp 12')
    tap.ok(True, 'and Alt+Right forward again')
    press_key_until(window, 'F6', lambda: not has_focus(window, 'image', '.'), 'the details', 4)
    press_key_until(window, 'Tab', lambda: has_focus(window, 'push button', '^relu_1'),
                    'the link of the source operator')
    window.key('Return')
    wait_details(window, 'relu_1 · aten.relu.default')
    tap.equal(graphs(window), ['Source Model'], 'F6, Tab and Enter follow a link')
    tap.ok(has_focus(window, 'image', '^Source Model$'), 'and the keyboard is in that graph')


def side_by_side(tap, window):
    window.key('F7')
    window.wait(lambda: len(graphs(window)) == 2, 'two panes')
    tap.ok('Source Model' in graphs(window), 'F7 adds a pane: %s' % ', '.join(graphs(window)))
    other = next(name for name in graphs(window) if name != 'Source Model')
    tap.equal(other, 'segment_cascade_chain', 'with a graph that was not in sight')
    before = window.settled_shot('two-panes')
    window.key('F6', 'F6')
    press_key_until(window, 'F6', lambda: has_focus(window, 'image', '^Source Model$'),
                    'the first pane', 6)
    window.key('ctrl+f')
    window.type('neg')
    window.key('Return')
    wait_details(window, 'neg_1 · aten.neg.default')
    after = window.settled_shot('two-panes-other')
    half = len(before) // 2
    tap.ok(before[:half] != after[:half], 'the panes follow another selection')
    window.key('ctrl+F7')
    window.wait(lambda: len(graphs(window)) == 1, 'one pane')
    tap.ok(True, 'Ctrl+F7 closes a pane')


def show_graph(window, name):
    """Through the menu of all graphs, for which a tab may have no room."""
    button = window.find('push button', '^All graphs$')
    _, _, width, height = window.box(button)
    menu = button.parent  # the button that is clicked and its menu are parts of one
    clicked = 0

    def opened():
        nonlocal clicked
        item = next(window.each('menu item', '^%s$' % name, menu), None)
        # A click while the menu before it still fades does no more than put that one away.
        if item is None and time.monotonic() > clicked + 5:
            window.click(button, width / 2, height / 2)
            clicked = time.monotonic()
        return item

    window.wait(opened, 'the menu with %s' % name)
    press_key_until(window, 'Down', lambda: has_focus(window, 'menu item', '^%s$' % name, menu),
                    'the entry %s' % name)
    window.key('Return')
    return window.find('image', '^%s$' % name)


def by_mouse(tap, window):
    tab = window.find('page tab', '^segment_cascade_chain$')
    _, _, width, height = window.box(tab)
    window.click(tab, width / 2, height / 2)
    area = window.find('image', '^segment_cascade_chain$')
    window.settled_shot('chains')
    _, _, width, height = window.box(area)
    seen = set()
    for y in range(30, height, 24):
        for x in range(width * 3 // 10, width * 8 // 10, width // 10):
            if len(seen) > 2:
                break
            # Too far from the one before for a double click
            window.click(area, x, y)
            time.sleep(SETTLED_S)
            labels, _ = details(window)
            if labels and re.match(r'segment_\d(/(Cascade|Chain) \d+)?$', labels[0]):
                seen.add(labels[0])
    tap.ok(len(seen) > 2, 'clicks select chains, cascades and segments', seen)


def double_click_a_call(tap, window, shown, title):
    """Wherever in the plan the call is drawn"""
    area = pane = show_graph(window, 'Execution Plan')
    while pane.name != 'Pane of graphs':
        pane = pane.parent
    window.settled_shot('plan')
    _, _, width, height = window.box(area)
    window.key('ctrl+f')
    window.type('vgf')
    window.key('Return')
    window.wait(lambda: re.search('^1 of', ' '.join(t for t in window.texts() if 'match' in t)),
                'the call among the matches')
    window.settled_shot('call')
    for y in range(height // 2, height // 2 + 60, 8):
        for x in range(width // 2 - 40, width // 2 + 60, 30):
            window.move(area, x, y)
            xdotool('click', '--repeat', 2, '--delay', 60, 1)
            time.sleep(0.4)
            if any(window.each('image', '^%s$' % shown, pane)):
                tap.ok(True, title)
                return
    tap.ok(False, title, graphs(window))


def pages(tap, window):
    for name, role, what in (('Table', 'table', 'Figures of the model'),
                             ('Counters', 'list', 'Counters of the chains')):
        tab = window.find('page tab', '^%s$' % name)
        _, _, width, height = window.box(tab)
        window.click(tab, width / 2, height / 2)
        tap.ok(window.wait(lambda: [n for n in window.nodes() if n.name == what
                                    and window.is_shown(n)], what), 'the page “%s”' % name)
        tap.ok(window.wait_text(r'^segment_4/Chain 50$'), 'has the chains')
        window.settled_shot('page-' + name.lower())
    tab = window.find('page tab', '^Notes$')
    _, _, width, height = window.box(tab)
    window.click(tab, width / 2, height / 2)
    tap.ok(window.wait_text(r'The program matches the capture'), 'the notes say what was checked')
    window.settled_shot('page-notes')
    tab = window.find('page tab', '^Graphs$')
    window.click(tab, 10, 10)


def source_line(tap, window):
    labels, links = wait_details(window, 'relu_1 · aten.relu.default')
    links[next(name for name in links if name.startswith('net.py:5'))].queryAction().doAction(0)
    window.find('page tab', '^Source$')
    window.wait(lambda: not graphs(window), 'another view')
    tap.ok(True, 'the line of Python opens the source view')
    window.settled_shot('source-view')
    window.key('alt+5')
    window.wait(lambda: graphs(window), 'the graphs again')


def alone(tap, program, out, path):
    window = Seen(program, out, path, environment={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    window.find('image', '^Execution Plan$')
    xdotool('windowsize', window.id, *SIZE)
    tap.equal(graphs(window), ['Execution Plan'], 'a program alone opens with its plan')
    window.settled_shot('program-dark')
    double_click_a_call(tap, window, 'VGF', 'a double click on a call opens its VGF')
    window.settled_shot('vgf-dark')
    complaints = window.close()
    tap.ok(not complaints, 'nothing was complained about', *complaints[:10])


def dark(tap, program, out, path):
    window = Seen(program, out, path, environment={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    window.find('image', '^ETRecord Chain Mapping$')
    xdotool('windowsize', window.id, *SIZE)
    pixels = window.settled_shot('dark-mapping')
    tap.ok(sum(pixels[::97]) / len(pixels[::97]) < 90, 'a dark style is dark')
    for name in VIEWS:
        if name not in graphs(window):
            show_graph(window, name)
        window.settled_shot('dark-' + name.replace(' ', '-').lower())
    complaints = window.close()
    tap.ok(not complaints, 'nothing was complained about in the dark', *complaints[:10])


def main():
    program, out, root = sys.argv[1:4]
    tap = Tap()
    made = os.path.join(out, 'home', 'captures')
    subprocess.run([sys.executable, os.path.join(root, 'tests/fixtures/make_executorch.py'), made],
                   check=True, stdout=subprocess.DEVNULL)
    samples = os.environ.get('STRIA_SAMPLES', os.path.join(root, '..', 'shared', 'samples'))
    sample = os.path.join(samples, 'executorch', 'mobilenet_v2_vgf', 'input.pte')
    window = None
    try:
        window = Seen(program, out, os.path.join(made, 'base'))
        first_look(tap, window)
        by_links(tap, window)
        by_keyboard(tap, window)
        source_line(tap, window)
        side_by_side(tap, window)
        by_mouse(tap, window)
        double_click_a_call(tap, window, 'PTE - VGF Backend Hierarchy',
                            'a double click on a call opens it in the hierarchy')
        pages(tap, window)
        complaints = window.close()
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
        dark(tap, program, out, os.path.join(made, 'base'))
        if os.path.exists(sample):
            alone(tap, program, out, sample)
        else:
            tap.skip('a program alone', 'the samples are not here')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None and window.process.poll() is None:
            window.close()
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
