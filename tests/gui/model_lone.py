#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A program, a VGF or a record alone, from the command line and dropped on the window; what the
choosers, the search, the outline, the table and a narrow window make of it. All
values are those that the fixtures were made with. Prints TAP."""

import csv
import os
import re
import subprocess
import sys
import time

from pyatspi import STATE_FOCUSED

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib'), os.path.join(HERE, '..', 'fixtures')]

import make_executorch as made  # noqa: E402
from drop import drag  # noqa: E402
from executorch_figures import part_cycles, parts, runtime  # noqa: E402
from model import SIZE, Seen, show_graph  # noqa: E402
from tap import Tap  # noqa: E402
from window import xdotool  # noqa: E402

FIGURES = 'Figures of the model'
LEGEND = 'Legend of the colours'
ALL = range(len(made.DELEGATE_1))
CHAINS = {'segment_%d/Chain %s' % (segment, chain): part_cycles(segment, stripes, ALL)
          for segment in made.STRIPES for chain, stripes in parts(segment, 0).items()}


class Parts(Seen):
    """Looks into parts of the window that stay: the whole has thousands of widgets."""

    def __init__(self, *arguments, **options):
        self.parts = {}
        super().__init__(*arguments, **options)

    def part(self, name):
        if name not in self.parts:
            self.parts[name] = self.wait(
                lambda: next((n for n in self.nodes() if n.name == name), None), name)
        return self.parts[name]

    def words(self, part):
        return [n.name for n in self.nodes(part) if self.role(n) == 'label' and n.name]

    def wait_words(self, part, pattern):
        return self.wait(lambda: [t for t in self.words(part) if re.search(pattern, t)],
                         '“%s” in %s' % (pattern, part.name))[0]


def details(window):
    """What the panel says, and its links"""
    nodes = [n for n in window.nodes(window.part('Details of the selection')) if n.name]
    return ([n.name for n in nodes if window.role(n) == 'label'],
            {n.name: n for n in nodes if window.role(n) == 'push button'})


def wait_details(window, title):
    return window.wait(lambda: (d := details(window)) and d[0] and d[0][0] == title and d,
                       'the details of %s' % title)


def act(node):
    node.queryAction().doAction(0)


def sized(window, name):
    area = window.find('image', '^%s$' % re.escape(name))
    xdotool('windowsize', window.id, *SIZE)
    return area


def say(tap, window, area, pattern, title):
    """What a reader hears of the graph"""
    found = window.wait(lambda: re.search(pattern, area.description or '') and area.description,
                        '“%s” of the graph' % pattern)
    tap.ok(found, '%s: %s' % (title, found))


def search(window, text, wanted):
    """Returns: what the count says"""
    if not hasattr(window, 'entry'):
        window.entry = window.find('entry', '^Search the graph$')
    window.entry.queryEditableText().setTextContents(text)
    return window.wait_words(window.entry.parent, '^%s$' % wanted)


def next_match(window, button='Next match'):
    act(next(n for n in window.entry.parent if n.name == button))


# -- Files alone ----------------------------------------------------------------------------------

def isolated(tap, window, area, few, all_of_them):
    """Neighbours alone, by the menu; Escape brings the rest back."""
    button = next(n for n in window.nodes()
                  if window.role(n) == 'push button' and n.name == 'Isolate')
    box = window.box(button)
    window.click(button, box[2] / 2, box[3] / 2)
    item = window.find('menu item', '^1 Step Up and Down$')
    time.sleep(0.5)
    box = window.box(item)
    window.click(item, box[2] / 2, box[3] / 2)
    window.wait(lambda: not window.all('menu item', '^1 Step Up and Down$'), 'the menu to close')
    # Beside all boxes: nothing is selected then, and the description is of the graph.
    window.click(area, 12, window.box(area)[3] / 2)
    say(tap, window, area, few, 'a step up and down from relu_1')
    window.key('Escape')
    say(tap, window, area, all_of_them, 'Escape brings all back')


def lone(tap, program, out, path, shown, nodes, row):
    """@row: what a search for “clamp” or the like finds, and what its details say"""
    window = Parts(program, out, path)
    area = sized(window, shown)
    say(tap, window, area, nodes, '%s alone' % os.path.basename(path))
    needle, count, title = row
    search(window, needle, count)
    next_match(window)
    tap.ok(window.wait(lambda: title in '\n'.join(details(window)[0]), title),
           'a search for “%s” selects “%s”' % (needle, title))
    window.settled_shot('lone-' + os.path.splitext(path)[1][1:])
    if title == 'relu_1':
        isolated(tap, window, area, r'(?m)\b%d nodes, 3 of them shown$' % TOTAL, nodes)
    complaints = window.close()
    tap.ok(not complaints, 'nothing was complained about', *complaints[:10])


def dropped(tap, program, out, drag_source, path):
    window = Parts(program, out)
    source = None
    try:
        window.find('push button', 'Open Files')
        source = subprocess.Popen([drag_source, path], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        found = window.wait(lambda: subprocess.run(
            ['xdotool', 'search', '--onlyvisible', '--name', '^Drag Source$'],
            stdout=subprocess.PIPE).stdout.split(), 'the window to drag from')[0].decode()
        xdotool('windowmove', '--sync', window.id, 0, 0)
        xdotool('windowmove', '--sync', found, 1350, 850)
        time.sleep(0.5)
        drag(1430, 900, 500, 400)
        tap.ok(window.find('image', '^VGF$'), 'a VGF that is dropped opens')
    finally:
        if source is not None:
            source.terminate()
            source.wait()
    complaints = window.close()
    tap.ok(not complaints, 'nothing was complained about', *complaints[:10])


# -- The record, the dump and the program of one model --------------------------------------------

def until(window, act_once, condition, what):
    """A list that is just closing takes a click for itself: a person clicks again."""
    for _ in range(20):
        act_once()
        for _ in range(10):
            if condition():
                return
            time.sleep(0.2)
    raise AssertionError('waited in vain for %s' % what)


def unselect(window, area):
    """A click beside everything gives the graph the keyboard, and Escape ends the selection"""
    until(window, lambda: (window.click(area, 5, 5), window.key('Escape')),
          lambda: 'Slowest chains' in details(window)[0], 'nothing to be selected')


def slowest(tap, window):
    """Before anything is selected, the panel says what is slow and where that comes from."""
    labels, links = details(window)
    order = sorted(CHAINS, key=lambda name: -CHAINS[name]['total_cycles']['p50'])
    found = [name for name in links if name.startswith('segment_')]
    tap.equal([name.split(',')[0] for name in found[:2]], order[:2],
              'the slowest chains are first in the details')
    tap.ok('%g cycles' % CHAINS[order[0]]['total_cycles']['p50'] in found[0], 'with their cycles',
           found)
    tap.ok(any(name.startswith('net.py:4') for name in links),
           'and the line of Python of the slowest', list(links))
    act(links[found[0]])
    wait_details(window, order[0])
    tap.ok(True, 'a link goes there')
    unselect(window, window.find('image', '^ETRecord Chain Mapping$'))


def choose(window, chooser, steps):
    """Takes the entry @steps below the chosen one"""
    button = window.part(chooser)

    def is_open():
        return any(window.role(n) == 'list item' and n.getState().contains(STATE_FOCUSED)
                   for n in window.nodes(button))

    until(window, lambda: window.click(button, 20, 12), is_open, 'the list of “%s”' % chooser)
    for _ in range(abs(steps)):
        window.key('Down' if steps > 0 else 'Up')
        time.sleep(0.1)
    window.key('Return')
    window.wait(lambda: not is_open(), 'the end of the list')
    time.sleep(0.5)


def link_of(window, start):
    return window.wait(lambda: [name for name in details(window)[1] if name.startswith(start)],
                       'a link %s' % start)[0]


def choosers(tap, window):
    chain = 'segment_4/Chain 50'
    of = CHAINS[chain]['total_cycles']
    for steps, key, title in ((1, 'mean', 'Mean'), (2, 'max', 'Max'),
                              (-3, 'p50', r'Median \(P50\)')):
        choose(window, 'Aggregation', steps)
        window.wait_words(window.part(LEGEND), '^%s of 3 executions$' % title)
        tap.ok('%g cycles' % of[key] in link_of(window, chain),
               'the aggregation “%s” is that of %s: %g' % (title, chain, of[key]),
               link_of(window, chain))
    choose(window, 'Counter', 2)
    window.wait_words(window.part(LEGEND), '^op_cycles$')
    best = max(CHAINS, key=lambda name: CHAINS[name]['op_cycles']['p50'])
    tap.ok('%g cycles' % CHAINS[best]['op_cycles']['p50'] in link_of(window, best),
           'another counter, with its own figures')
    choose(window, 'Counter', -2)
    window.wait_words(window.part(LEGEND), '^total_cycles$')
    choose(window, 'Time unit', 1)
    wanted = runtime(made.DELEGATE_1)['runtime']['p50'] * 1000
    tap.ok(window.wait_words(window.part(LEGEND), '^%d ms$' % round(wanted)),
           'ticks of µs are a thousand times as long')
    choose(window, 'Time unit', -1)
    window.wait_words(window.part(LEGEND), r'^0\.95 ms$')


def searches(tap, window):
    show_graph(window, 'Source Model')
    convolutions = [row for row in made.NODES if 'convolution' in row[2]]
    of_four = [row for row in made.NODES if row[1] == 4]
    for what, text, wanted in (
            ('name', 'odd_1', 1), ('type', 'aten.convolution', len(convolutions)),
            ('attribute', 'debug_handle:4', len(of_four)),
            ('handle', '99', 1), ('group', 'features.1', 1), ('no', 'nothing-like-it', 0)):
        count = search(window, text, r'%d match(es)?' % wanted)
        tap.ok(count, 'a search by %s, “%s”: %s' % (what, text, count))
    search(window, 'debug_handle:4', '2 matches')
    names = ['%s · %s' % (row[0], row[2]) for row in of_four]
    for button, count, name in (('Next match', 1, names[0]), ('Next match', 2, names[1]),
                                ('Next match', 1, names[0]), ('Previous match', 2, names[1])):
        next_match(window, button)
        window.wait_words(window.entry.parent, '^%d of 2 matches$' % count)
        wait_details(window, name)
        tap.ok(True, '“%s” comes to %s' % (button, name))


def outline(tap, window):
    act(window.part('Outline'))
    listed = window.find('list', '^Nodes of the graph$')
    window.wait_text('^features$')
    entry = window.find('entry', '^Filter the outline$')
    entry.queryEditableText().setTextContents('quant')
    wanted = sorted(row[2] for row in made.NODES if 'quant' in row[2])
    found = window.wait(lambda: sorted(
        n.name for n in window.nodes(listed) if window.role(n) == 'label'
        and n.name.startswith('quantized')) == wanted, 'what is filtered')
    tap.ok(found, 'the outline shows what its filter lets through: %s' % ', '.join(wanted))
    entry.queryEditableText().setTextContents('')
    act(window.part('Outline'))


def table(tap, window, out):
    tab = window.find('page tab', '^Table$')
    _, _, width, height = window.box(tab)
    window.click(tab, width / 2, height / 2)
    window.wait_words(window.part(FIGURES), '^segment_4/Chain 50$')
    entry = window.find('entry', '^Filter the table$')
    entry.queryEditableText().setTextContents('Chain 3')
    window.wait(lambda: 'segment_4/Chain 50' not in window.words(window.part(FIGURES)),
                'fewer rows')
    path = os.path.join(out, 'chains.csv')
    act(window.find('push button', '^Save as CSV$'))
    window.wait(lambda: [n for n in window.root if n.getRoleName() != 'frame'
                         and n.name.startswith('Save')], 'the chooser')
    time.sleep(0.7)
    xdotool('key', 'ctrl+a')
    xdotool('type', '--delay', '15', path)
    time.sleep(0.4)
    xdotool('key', 'Return')
    window.wait(lambda: os.path.exists(path) and os.path.getsize(path) > 0, path)
    with open(path, encoding='utf-8', newline='') as file:
        rows = {row['name']: row for row in csv.DictReader(file)}
    wanted = {name: of for name, of in CHAINS.items() if 'Chain 3' in name}
    tap.ok({name.split('/')[1] for name in wanted} <= {name.split('/')[-1] for name in rows}
           and not any('50' in name for name in rows),
           'the CSV has the rows that the filter lets through', list(rows))
    for name, of in wanted.items():
        row = next(row for key, row in rows.items() if key.endswith(name.split('/')[1]))
        found = {key: float(row[key]) for key in ('p50', 'mean', 'min', 'max', 'sum')}
        tap.ok(all(abs(found[key] - of['total_cycles'][key]) < 1e-6 for key in found),
               'with the figures of %s' % name, found, of['total_cycles'])
        tap.equal((row['metric'], row['unit'], row['samples'], row['executions']),
                  ('total_cycles', 'cycles', '3', '3'), 'their metric, unit and coverage')


def narrow(tap, window):
    """Everything stays in reach of a window that is not wide."""
    tab = window.find('page tab', '^Graphs$')
    window.click(tab, 10, 10)
    xdotool('windowsize', window.id, 600, 900)
    window.settled_shot('narrow')
    width = int(re.search(r'Geometry: (\d+)x', xdotool('getwindowgeometry', window.id))[1])
    tap.ok(width <= 600, 'a window may be 600 pixels wide', width)
    for role, name in (('combo box', '^Aggregation$'), ('combo box', '^Counter$'),
                       ('push button', '^Compare$'), ('label', '^not measured$')):
        box = window.box(window.find(role, name))
        tap.ok(box[0] >= 0 and box[0] + box[2] <= 600, '%s is in sight' % name.strip('^$'), box)


def other_method(tap, window):
    choose(window, 'Method', 1)
    say(tap, window, window.find('image', '^Source Model$'),
        r'\b%d nodes' % (len(made.OTHER_NODES) + 3), 'the other method has its own operators')


def main():
    program, out, root, drag_source = sys.argv[1:5]
    tap = Tap()
    folder = os.path.join(out, 'home', 'captures')
    base = made.captures()['base']
    made.write(os.path.join(folder, 'base'), base)
    made.write(folder, {'lone.pte': base['model.pte'], 'lone.etrecord': base['model.etrecord'],
                        'lone.vgf': made.vgf()})
    window = None
    try:
        for name, shown, nodes, row in LONE:
            lone(tap, program, out, os.path.join(folder, name), shown, nodes, row)
        dropped(tap, program, out, drag_source, os.path.join(folder, 'lone.vgf'))
        window = Parts(program, out, os.path.join(folder, 'base'))
        sized(window, 'ETRecord Chain Mapping')
        slowest(tap, window)
        choosers(tap, window)
        searches(tap, window)
        outline(tap, window)
        table(tap, window, out)
        narrow(tap, window)
        other_method(tap, window)
        complaints = window.close()
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    except (AssertionError, StopIteration, KeyError) as error:
        tap.ok(False, 'the walk goes on', repr(error))
    finally:
        if window is not None and window.process.poll() is None:
            window.close()
    return tap.done()


# A graph has an input, an output and a weight besides; weights are hidden at first
TOTAL = len(made.NODES) + 3
ALL_BUT_A_WEIGHT = r'(?m)\b%d nodes, %d of them shown$' % (TOTAL, TOTAL - 1)
# file, graph that is shown first, nodes of it, search: text, count, what is selected
LONE = [
    # its instructions, the inputs and the outputs
    ('lone.pte', 'Execution Plan', r'\b5 nodes', ('dequant', '1 match', 'dequantize')),
    ('lone.vgf', 'VGF', r'\b\d+ nodes', ('negate', '3 matches', 'spirv-54')),
    ('lone.etrecord', 'Source Model', ALL_BUT_A_WEIGHT,
     ('relu', '1 match', 'relu_1')),
]


if __name__ == '__main__':
    sys.exit(main())
