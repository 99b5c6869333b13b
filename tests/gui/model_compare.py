#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two captures of a made model in the window: side by side, moving together, partners of
what is selected, the table's differences, and back to the panes that were; exports pictures, a page
and figures. Prints TAP."""

import copy
import csv
import io
import json
import os
import re
import statistics
import sys
import time
import xml.etree.ElementTree

import pyatspi

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))

import make_executorch  # noqa: E402
from model import SIZE, Seen, graphs, press_key_until, show_graph  # noqa: E402
from page import Page  # noqa: E402
from tap import Tap  # noqa: E402
from window import xdotool  # noqa: E402

HINT = r'^Select a node or a group to see what changed of it\.$'
# What the second capture counts of the chains: stripe 1 of chain 30 slower, chain 50 faster
SLOWER = [150, 350, 270]
FASTER = [700, 700, 900]


def write_captures(folder):
    """The end-to-end fixture, and the same with other figures and another operator at the end."""
    base = make_executorch.captures()['base']
    stripes = copy.deepcopy(make_executorch.STRIPES)
    make_executorch.write(os.path.join(folder, 'before'), base)
    make_executorch.STRIPES[2][1][0]['nx_active'] = SLOWER
    make_executorch.STRIPES[4][0][0]['nx_active'] = FASTER
    last = make_executorch.NODES[-1]
    make_executorch.NODES[-1] = ('found', 98, 'aten.clone.default') + last[3:]
    make_executorch.write(os.path.join(folder, 'after'), make_executorch.captures()['base'])
    make_executorch.NODES[-1] = last
    figures = stripes, copy.deepcopy(make_executorch.STRIPES)
    make_executorch.STRIPES.update(stripes)
    return figures


def medians(stripes):
    """[fixture] chain -> median over the executions of its total cycles: of a task those in which
    the NX was active, or where that is not counted, all that is; summed over tasks and stripes"""
    found = {}
    for segment, of in make_executorch.RELATIONS.items():
        for stripe, (chain, _) in of.items():
            total = found.setdefault('segment_%d/Chain %s' % (segment, chain), [0, 0, 0])
            for task in stripes[segment][stripe]:
                for i in range(3):
                    total[i] += task['nx_active'][i] if 'nx_active' in task else sum(
                        values[i] for values in task.values())
    return {chain: statistics.median(runs) for chain, runs in found.items()}


def choose(window, path, save=False):
    """In the chooser that comes up: a path is typed, which the slash begins."""
    window.wait(lambda: [n for n in window.root if n.getRoleName() != 'frame'
                         and re.search('^Open Folder|^Export|^Save', n.name)], 'the chooser')
    time.sleep(0.7)
    if save:
        xdotool('key', 'ctrl+a')
    xdotool('type', '--delay', '15', path)
    time.sleep(0.4)
    xdotool('key', 'Return')


def visible(window, name):
    return [n for n in window.nodes() if n.name == name and window.is_shown(n)]


def in_pane(node):
    """Whether it is of the panes that wait until the comparison ends"""
    while node is not None and node.name != 'Pane of graphs':
        node = node.parent
    return node is not None


def sides(window):
    """The two areas, from left to right"""
    found = [n for n in window.all('image', '.') if n.name in
             ('Source Model', 'segment_cascade_chain', 'ETRecord Chain Mapping')
             and not in_pane(n)]
    return sorted(found, key=lambda n: window.box(n)[0])


def status(window):
    return next((t for t in window.texts() if re.search(r', then |is only in|corresponds to it|was '
                                                        r'not measured|name of something', t)), '')


def compare(tap, window, made):
    show_graph(window, 'segment_cascade_chain')
    window.settled_shot('before')
    window.key('ctrl+d')
    window.press('push button', 'Folder…$')
    choose(window, os.path.join(made, 'after'))
    window.wait_text(HINT)
    tap.ok(window.wait_text(r'^First: before · forward · 3 executions$'), 'the first by its name')
    tap.ok(window.wait_text(r'^Second: after · forward · 3 executions$'), 'and the second')
    tap.equal(len(sides(window)), 2, 'the graph that was looked at, twice')
    tap.ok(window.wait_text(r'^Median \(P50\) of 3 against 3 executions$'),
           'the legend says aggregation and executions of both')
    tap.ok(window.wait_text(r'slower$') and window.wait_text(r'^faster'), 'and what colours mean')
    tap.ok(window.wait_text(r'only here, or not measured'), 'and hatching')
    window.settled_shot('compared')


def partners(tap, window, first, second):
    window.key('ctrl+f')
    window.type('Chain 30')
    window.key('Return')
    name = 'segment_2/Chain 30'
    text = window.wait(lambda: name in status(window) and status(window), 'what changed of it')
    a, b = first[name], second[name]
    wanted = '%s: total_cycles of %d cycles, then %d cycles: +%d cycles (+%.1f %%)' % (
        name, a, b, b - a, (b - a) / a * 100)
    tap.equal(text, wanted, 'the figures of both, and the difference')
    left, right = sides(window)
    tap.ok(window.wait(lambda: 'Chain 30' in (left.description or '')
                       and 'Chain 30' in (right.description or ''), 'both selected'),
           'its partner is selected too')
    tap.ok('+%.1f %%' % ((b - a) / a * 100) in right.description, 'a reader hears what changed',
           right.description)
    window.settled_shot('partner')


def together(tap, window):
    left, right = sides(window)
    before = window.settled_shot('together-0')
    box = window.box(left)
    window.wheel(left, box[2] / 2, box[3] / 2, 4, 3, 'ctrl')
    after = window.settled_shot('together-1')
    row = SIZE[0] * 3
    split = window.box(right)[0]

    def half(pixels, x0, x1):
        return [pixels[y * row + x0 * 3:y * row + x1 * 3] for y in range(320, 800, 7)]
    tap.ok(half(before, split + 20, split + 300) != half(after, split + 20, split + 300),
           'what zooms one side zooms the other')
    window.key('ctrl+l')
    window.wheel(left, box[2] / 2, box[3] / 2, 5, 3, 'ctrl')
    alone = window.settled_shot('together-2')
    tap.ok(half(alone, split + 20, split + 300) == half(after, split + 20, split + 300),
           'Ctrl+L lets them move alone')
    window.key('ctrl+l')
    window.settled_shot('together-3')


def only_here(tap, window):
    """The operators that only one of the two has"""
    chooser = window.find('combo box', '^Compared graph$')
    _, _, width, height = window.box(chooser)
    window.click(chooser, width / 2, height / 2)
    time.sleep(0.5)
    window.key('Home', 'Return')
    window.wait(lambda: [n.name for n in sides(window)] == ['Source Model'] * 2, 'the source twice')
    window.settled_shot('source')
    left, right = sides(window)
    window.click(left, 200, window.box(left)[3] - 30)
    window.key('ctrl+f')
    window.type('lost')
    window.key('Return')
    text = window.wait(lambda: 'lost' in status(window) and status(window), 'where it is')
    tap.ok(re.search(r'lost.* is only in the first capture$', text), 'what is gone says so', text)
    tap.ok('only here' in (left.description or ''), 'on its box too', left.description)
    tap.ok('Nothing' in (right.description or '') or 'lost' not in right.description,
           'and nothing else is selected', right.description)
    window.settled_shot('only-here')


def table(tap, window, first, second, out):
    tab = window.find('page tab', '^Table$')
    window.click(tab, 10, 10)
    window.wait(lambda: visible(window, 'Differences between the captures'), 'the table')
    tap.ok(window.wait_text(r'^segment_4/Chain 50$'), 'has the chains')
    window.settled_shot('table')
    path = os.path.join(out, 'chains.csv')
    window.press('push button', '^Save as CSV$')
    choose(window, path, save=True)
    window.wait(lambda: os.path.exists(path) and os.path.getsize(path) > 0, 'the file')
    with open(path, newline='', encoding='utf-8') as file:
        rows = {row['id']: row for row in csv.DictReader(io.StringIO(file.read()))}
    for name in first:
        row = rows['chain/' + name.replace('Chain ', '')]
        wanted = [first[name], second[name], second[name] - first[name]]
        tap.equal([float(row[key] or 'nan') for key in ('first', 'second', 'difference')], wanted,
                  'first, second and difference of %s' % name)
        if first[name]:
            tap.equal(round(float(row['ratio']), 9), round(second[name] / first[name], 9),
                      'and the ratio')
    found = [t for t in window.texts() if re.match(r'segment_\d/Chain', t)]
    by = sorted((n for n in first), key=lambda n: first[n] - second[n])
    tap.equal(found[:1], by[:1], 'the slowest change is first')
    heading = next(n for n in window.nodes() if n.name == 'Difference' and window.is_shown(n))
    _, _, width, height = window.box(heading)
    window.click(heading, width / 2, height / 2)
    window.wait(lambda: [t for t in window.texts() if re.match(r'segment_\d/Chain', t)] != found,
                'another order')
    tap.ok(True, 'a click on a heading sorts')
    tab = window.find('page tab', '^Graphs$')
    window.click(tab, 10, 10)


def whole(path):
    """Whether it is there and grows no more"""
    size = os.path.getsize(path) if os.path.exists(path) else 0
    time.sleep(0.3)
    return size > 0 and os.path.getsize(path) == size


def export(window, entry, path, result):
    """@entry: of the menu, from 0; a path typed into the chooser, until @result is there"""
    window.key('ctrl+e')
    time.sleep(0.7)
    window.key(*['Down'] * entry, 'Return')
    choose(window, path, save=result == path)
    window.wait(lambda: whole(result), result)
    with open(result, 'rb') as file:
        return file.read()


def exports(tap, window, out):
    for entry, name, magic in ((0, 'whole.png', b'\x89PNG'), (2, 'whole.pdf', b'%PDF'),
                               (4, 'visible.svg', b'<?xml')):
        path = os.path.join(out, 'export-' + name)
        content = export(window, entry, path, path)
        tap.ok(content.startswith(magic), '%s is what its name says' % name, content[:5])
    tap.ok(xml.etree.ElementTree.fromstring(content).tag.endswith('svg'), 'and whole')
    path = os.path.join(out, 'export-figures.json')
    profile = json.loads(export(window, 7, path, path))
    tap.equal((profile['schema_version'], profile['extensions']['stria']['set']),
              ('1.2.0', 'before'), 'figures as JSON')
    folder = os.path.join(out, 'pages')
    os.makedirs(folder, exist_ok=True)
    page = os.path.join(folder, 'before views', 'index.html')
    text = export(window, 6, folder, page).decode()
    tap.equal(Page(text).problems, [], 'a folder with a page, which is well-formed')
    tap.ok('<svg class="counters"' in text, 'and has the counters')
    window.wait_text('is written$')
    tap.ok([n for n in window.nodes() if 'Open Folder' in (n.name or '')],
           'the window offers its folder')
    window.shot('toast')


def ends(tap, window):
    window.press('push button', '^End Comparison$')
    window.wait(lambda: graphs(window) == ['segment_cascade_chain'], 'the panes that were')
    tap.ok(True, 'the end brings the panes back as they were')
    tap.ok(window.wait_text(r'^Median \(P50\) of 3 executions$'), 'and their legend')
    window.settled_shot('ended')


def recent(tap, window, made):
    """What was opened before is offered; what is no capture of a model is told in a banner"""
    other = os.path.join(made, 'nothing')
    os.makedirs(other, exist_ok=True)
    with open(os.path.join(other, 'trace.json'), 'w', encoding='utf-8') as file:
        json.dump({'traceEvents': [{'ph': 'X', 'name': 'a', 'ts': 1, 'dur': 2, 'pid': 1,
                                    'tid': 1}]}, file)
    window.key('ctrl+d')
    window.press('push button', 'Folder…$')
    choose(window, other)
    tap.ok(window.wait_text('could not be compared: There is no ExecuTorch file'),
           'a capture of something else is refused, and why')
    window.settled_shot('refused')
    tap.equal(graphs(window), ['segment_cascade_chain'], 'and the panes stay')
    window.press('push button', '^Close$|^Close the banner$')


def dark(tap, program, out, made):
    window = Seen(program, out, os.path.join(made, 'after'),
                  environment={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    window.find('image', '^ETRecord Chain Mapping$')
    xdotool('windowsize', window.id, 1000, 700)
    window.key('ctrl+d')
    window.wait_text('^before$')
    tap.ok(True, 'what was opened last is offered')
    window.settled_shot('dark-dialog')
    dialog = next(n for n in window.root if n.getRoleName() == 'dialog')
    press_key_until(window, 'Tab', lambda: [
        n for n in window.nodes(dialog) if n.getRoleName() == 'list item'
        and n.getState().contains(pyatspi.STATE_FOCUSED)], 'its row', 8)
    window.key('Return')
    window.wait_text(HINT)
    pixels = window.settled_shot('dark-compared')
    tap.ok(sum(pixels[::97]) / len(pixels[::97]) < 90, 'a dark style is dark')
    complaints = window.close()
    tap.ok(not complaints, 'nothing was complained about in the dark', *complaints[:10])


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    made = os.path.join(out, 'home', 'captures')
    first, second = map(medians, write_captures(made))
    window = None
    try:
        window = Seen(program, out, os.path.join(made, 'before'))
        window.find('image', '^ETRecord Chain Mapping$')
        xdotool('windowsize', window.id, *SIZE)
        compare(tap, window, made)
        partners(tap, window, first, second)
        together(tap, window)
        table(tap, window, first, second, out)
        only_here(tap, window)
        exports(tap, window, out)
        ends(tap, window)
        recent(tap, window, made)
        complaints = window.close()
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
        dark(tap, program, out, made)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None and window.process.poll() is None:
            window.close()
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
