#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The model as a screen reader has it: found, read and followed over AT-SPI alone, without a pointer
and without a key. All values are those that the fixture was made with. Prints TAP."""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib'), os.path.join(HERE, '..', 'fixtures')]

import make_executorch as made  # noqa: E402
from executorch_figures import part_cycles, parts, runtime  # noqa: E402
from model import SIZE, Seen, details, graphs, wait_details  # noqa: E402
from tap import Tap  # noqa: E402
from window import xdotool  # noqa: E402

ALL = range(len(made.DELEGATE_1))


def number(value):
    """As the window writes it"""
    return ('%.10g' % value)


def act(node):
    node.queryAction().doAction(0)


def find_node(window, text):
    """With the search: a text is put into it and its button pressed"""
    entry = window.find('entry', '^Search the graph$')
    entry.queryEditableText().setTextContents(text)
    window.wait_text(r'^\d+ match(es)?$')
    act(window.find('push button', '^Next match$'))


def link(window, start):
    """The link of the details that begins so"""
    _, links = details(window)
    for name, node in links.items():
        if name.startswith(start):
            return name, node
    raise AssertionError('no link %s among %s' % (start, list(links)))


def follow(tap, window, start, title, words):
    name, node = link(window, start)
    missing = [word for word in words if word not in name]
    tap.ok(not missing, 'a link says where it goes: %s' % name, missing)
    act(node)
    return wait_details(window, title)


def from_node_to_chain(tap, window):
    find_node(window, 'relu')
    labels, _ = wait_details(window, 'relu_1 · aten.relu.default')
    wanted = runtime(made.DELEGATE_1)['runtime']
    text = '\n'.join(labels)
    for name, key in (('Median (P50)', 'p50'), ('Mean', 'mean'), ('Min', 'min'),
                      ('Max', 'max')):
        found = re.search(r'^([\d.]+) ms %s$' % re.escape(name), text, re.M)
        tap.ok(found and abs(float(found[1]) - wanted[key]) < 5e-7 * max(1, wanted[key]),
               'its %s is read with its unit' % name, text, wanted)
    area = window.find('image', '^ETRecord Chain Mapping$')
    described = window.wait(lambda: 'relu' in (area.description or '') and area.description,
                            'what is selected')
    for part in ('aten.relu.default', '0.95 ms', '1 input', '1 output', 'in segment_2'):
        tap.ok(part in described, 'the graph says “%s” of it' % part, described)

    cycles = part_cycles(2, parts(2, 0)['30'], ALL)['total_cycles']
    labels, _ = follow(tap, window, 'segment_2/Chain 30', 'segment_2/Chain 30',
                       ('Chain', 'total_cycles', 'Median (P50)',
                        '%s cycles' % number(cycles['p50']), 'link: '))
    text = '\n'.join(labels)
    for name, key in (('Median (P50)', 'p50'), ('Mean', 'mean'), ('Min', 'min'),
                      ('Max', 'max')):
        found = re.search(r'^([\d.]+) cycles %s$' % re.escape(name), text, re.M)
        tap.ok(found and abs(float(found[1]) - cycles[key]) < 0.05,
               'the chain’s %s is read with its unit' % name, text, cycles)


def to_other_views_and_back(tap, window):
    labels, _ = follow(tap, window, 'Clamp 12', 'Clamp 12', ('Trace operator',))
    tap.equal(graphs(window), ['ETDump Backend Trace'], 'a link leads into another view')
    follow(tap, window, 'spirv-51', 'spirv-51 · CLAMP', ('Compiler operator', 'link: Exact'))
    tap.equal(graphs(window), ['PTE - VGF Backend Hierarchy'], 'and on into the next')
    for title, shown in (('Clamp 12', 'ETDump Backend Trace'),
                         ('segment_2/Chain 30', None),
                         ('relu_1 · aten.relu.default', None)):
        act(window.find('push button', '^Previous selection$'))
        wait_details(window, title)
        if shown is not None:
            tap.equal(graphs(window), [shown], 'the button back leads to %s' % title)
    tap.ok(True, 'and back to the operator at last')


def in_the_timeline(tap, window):
    follow(tap, window, 'segment_2/Chain 30', 'segment_2/Chain 30', ('Chain',))
    slowest = max(range(len(made.DELEGATE_1)), key=lambda i: made.DELEGATE_1[i])
    _, links = details(window)
    executions = [name for name in links if name.startswith('Execution ')]
    tap.equal(len(executions), len(made.DELEGATE_1), 'each execution of its call is a link')
    name = next(n for n in executions if n.startswith('Execution %d' % (slowest + 1)))
    act(links[name])
    tap.ok(window.wait_text('^DELEGATE_CALL$'), 'it leads to the slice of the call')
    longest = '%.3f' % (made.DELEGATE_1[slowest] / 1e6)
    window.wait_text(r'^%s\D?000 ms Duration$' % re.escape(longest))
    window.settled_shot('reader-timeline')
    tap.ok(True, 'of that execution, with its time')
    back = window.wait(lambda: window.all('push button', r'^VgfBackend$'),
                       'the way back')[-1]
    act(back)
    window.wait(lambda: [n for n in window.nodes() if n.name == 'Details of the selection'],
                'the model again')
    labels, _ = window.wait(lambda: (d := details(window)) and d[0] and d, 'details')
    window.wait(lambda: 'instruction/1' in '\n'.join(details(window)[0]), 'the call')
    tap.ok(True, 'and from the slice back to the call in the model: %s' % labels[0])


def in_the_table(tap, window):
    act(window.find('page tab', '^Table$'))
    table = window.wait(lambda: [n for n in window.nodes() if n.name == 'Figures of the model'
                                 and window.is_shown(n)], 'the table')[0]
    cells = [n.name for n in window.nodes(table) if window.role(n) == 'label' and n.name]
    expected = {}
    for segment in made.RELATIONS:
        for chain, stripes in parts(segment, 0).items():
            expected['segment_%d/Chain %s' % (segment, chain)] = part_cycles(
                segment, stripes, ALL)['total_cycles']
    for name, cycles in expected.items():
        at = cells.index(name)
        row = cells[at:at + 12]
        tap.ok(number(cycles['p50']) in row and number(cycles['max']) in row,
               '%s has its figures in its row' % name, row, cycles)


def main():
    program, out, root = sys.argv[1:4]
    tap = Tap()
    captures = os.path.join(out, 'home', 'captures')
    subprocess.run([sys.executable, os.path.join(root, 'tests/fixtures/make_executorch.py'),
                    captures], check=True, stdout=subprocess.DEVNULL)
    window = None
    try:
        window = Seen(program, out, os.path.join(captures, 'base'))
        window.find('image', '^ETRecord Chain Mapping$')
        xdotool('windowsize', window.id, *SIZE)
        from_node_to_chain(tap, window)
        to_other_views_and_back(tap, window)
        in_the_timeline(tap, window)
        in_the_table(tap, window)
        complaints = window.close()
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    except (AssertionError, ValueError) as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None and window.process.poll() is None:
            window.close()
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
