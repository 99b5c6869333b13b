#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every view of a trace, a Neuron and an ExecuTorch capture as a screen reader has it: each control has a
name, each drawing says what it shows and what is selected, and Tab leads to all of them and round. All of
that in a language in which a text shows that it came through gettext: no visible string is untranslatable.
Prints TAP."""

import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))

import make_executorch  # noqa: E402
import make_neuron_capture  # noqa: E402
import pseudo  # noqa: E402
from accessible import Visitor, plain  # noqa: E402
from tap import Tap  # noqa: E402
from untranslated import Language  # noqa: E402

CONTROLS = ('push button', 'toggle button', 'entry', 'combo box', 'check box', 'spin button', 'slider',
            'menu item', 'page tab', 'list', 'table', 'tree table', 'list item', 'table row', 'image')
# Arrows lead through these, and Tab to one of what is in them.
WITH_ARROWS = ('page tab list', 'list', 'table', 'tree table', 'menu', 'menu bar', 'tool bar', 'combo box',
               'panel of tabs')
# GTK's name of a widget that has none
TYPE_NAME = re.compile(r'^(Gtk|Adw|Stria)[A-Z]\w*$')
DOUBLED = re.compile(r'^(\w.*) \1$')
# GTK leaves these to the keys of the desktop.
OF_THE_WINDOW = ('Minimize', 'Maximize', 'Restore', 'Close')
# Views, and pages of them, that Tab is tried in
WITH_TAB = ('Timeline', 'Source', 'Memory', 'Memory: Events', 'Memory: Neuron', 'Memory: Neuron: Report', 'Operators',
            'Tables', 'Summary', 'Profiles', 'Model')
# Tab is pressed so often that it must have come round.
ROUND = 80
# A language that nobody speaks, of those that ISO 639 keeps for private use
LANGUAGE = 'qaa'


def is_nameless(node):
    name = node.name.strip()
    return not name or TYPE_NAME.match(name) or DOUBLED.match(name.replace('_', ''))


def is_decoration(node):
    """A symbol beside its text, a box that only flows; GTK says what stands beside a check box twice"""
    return node.role in ('check box', 'panel') or 'focusable' not in node.states and (node.role == 'image' and node.name == ''
                                               or node.name == 'GtkFlowBox')


def is_of_toast(node):
    """The cross of a toast, which libadwaita gives no name: it stands over the window, in nothing else"""
    return node.name == 'GtkButton' and all(n.role in ('application', 'frame', 'filler', 'panel')
                                            and (is_nameless(n) or n.role in ('application', 'frame'))
                                            for n in list(node.ancestors())[1:])


def nameless(root):
    """Controls that say nothing of themselves. A control within another one is told with it."""
    return [node for node in root if is_nameless(node) and not is_decoration(node) and not is_of_toast(node)
            and (node.role in CONTROLS or 'focusable' in node.states and node.role != 'scroll pane')]


def silent(root):
    """Drawings that have the keyboard and do not tell what they show"""
    return [node for node in root if node.role == 'image' and 'focusable' in node.states
            and not node.description.strip()]


def path_of(node):
    return '%r: ' % node + ' > '.join('%s “%s”' % (n.role, n.name) for n in reversed(list(node.ancestors()))
                      if not is_nameless(n))[-300:]


def tabbed(visitor):
    """What Tab leads to, in its order"""
    return visitor.bus.focus_events(lambda: visitor.window.key(*['Tab'] * ROUND))


def unreached(root, paths):
    """Controls that Tab does not lead to, and that do not stand among others that arrows lead to"""
    met = set(paths)
    missed = []
    for node in root:
        if 'focusable' not in node.states or 'sensitive' not in node.states:
            continue
        if node.role not in CONTROLS or node.path in met or node.name in OF_THE_WINDOW:
            continue
        around = list(node.ancestors())[1:]
        if any(n.role in WITH_ARROWS for n in around) or any(n.path in met for n in node):
            continue
        if 'sensitive' not in around[0].states:
            continue
        missed.append(node)
    return missed


def check(tap, kind, name, root):
    bad = nameless(root)
    tap.ok(not bad, '%s, %s: every control has a name' % (kind, name), *map(path_of, bad))
    bad = silent(root)
    tap.ok(not bad, '%s, %s: every drawing says what it shows' % (kind, name), *map(path_of, bad))


def check_tab(tap, visitor, kind, name, root):
    paths = tabbed(visitor)
    # It may begin in what is left for good, as an empty window is.
    comes_round = len(paths) > 10 and paths[-1] in paths[:-1] and len(set(paths)) > 3
    tap.ok(comes_round, '%s, %s: Tab comes round' % (kind, name), paths[-5:])
    missed = unreached(root, paths)
    tap.ok(not missed, '%s, %s: Tab leads to every control' % (kind, name), *map(path_of, missed))


def drawing(visitor, name):
    return next((n for n in visitor.tree() if n.role == 'image' and plain(n.name).startswith(name)), None)


def told(visitor, name, pattern):
    """What the drawing of that name says as soon as it is like @pattern"""
    def look():
        node = drawing(visitor, name)
        text = plain(node.name + '\n' + node.description) if node is not None else ''
        return text if re.search(pattern, text) else None

    return visitor.wait(look, '“%s” that says “%s”' % (name, pattern))


def select_by_keys(tap, visitor):
    """The search finds an event, keys go on from it: the timeline says which one that is."""
    window = visitor.window
    window.key('alt+1', 'ctrl+f')
    visitor.wait(lambda: [n for n in visitor.tree() if plain(n.name) == 'Search events'], 'the search')
    window.type('allreduce')
    visitor.wait(lambda: [n for n in visitor.tree() if re.search(r'\d+ events', plain(n.name))], 'matches')
    window.key('Return')
    text = told(visitor, 'Timeline', 'AllReduce')
    tap.ok(re.search(r'starts at .*lasts .*, in .*\n1 of \d', text) or re.search(r'\d+ of \d+ in the lane', text),
           'the timeline tells name, times, lane and which of how many', text)
    tap.ok('In sight: ' in text and 'As a table: ' in text, 'and what is seen, and where its table is', text)
    place = re.search(r'(\d+) of \d+ in the lane', text)
    window.key('Escape')
    visitor.wait(lambda: 'focused' in drawing(visitor, 'Timeline').states, 'the keyboard in the timeline')
    window.key('period')
    after = told(visitor, 'Timeline', r'\b%d of \d+ in the lane' % (int(place[1]) + 1))
    tap.ok(after != text, 'a key leads to the next one, and it is told: %s' % after.split('\n')[1])


def tab_to(visitor, is_wanted, what):
    """Presses Tab until what has the keyboard is wanted"""
    def look():
        visitor.window.key('Tab')
        return next((n for n in visitor.tree() if 'focused' in n.states and is_wanted(n)), None)

    return visitor.wait(look, what)


def sort_by_keys(tap, visitor):
    """Headings of tables cannot have the keyboard: a menu sorts rows."""
    def names():
        # Names of rows are those of their labels: the first one is the operator.
        return [plain(n.name) for n in visitor.settled() if plain(n.name).startswith('aten::') and ' ' in n.name]

    visitor.window.key('alt+7')
    visitor.settled()
    tab_to(visitor, lambda n: any(plain(m.name) == 'Operators and their figures' for m in n.ancestors()),
           'the keyboard in the table')
    before = names()
    visitor.window.key('ctrl+shift+s')
    visitor.wait(lambda: not [n for n in visitor.tree() if 'focused' in n.states], 'the menu')
    visitor.window.key('Home', 'Return')
    after = visitor.wait(lambda: [n for n in [names()] if n != before], 'another order')[0]
    tap.ok(len(before) > 3 and after == sorted(after), 'rows are sorted by keys', before[:3], after[:3])


def flame_by_keys(tap, visitor):
    """Keys lead through the flame graph, which says where they are."""
    visitor.window.key('alt+3')
    allocator = visitor.wait(lambda: [n for n in visitor.tree() if n.role == 'page tab'
                                      and plain(n.name) == 'PyTorch Allocator'], 'the allocator')
    visitor.click(allocator[0])
    stacks = visitor.wait(lambda: [n for n in visitor.tree() if n.role == 'page tab'
                                   and plain(n.name) == 'Stacks'], 'the stacks')
    visitor.click(stacks[0])
    text = told(visitor, 'Flame graph', 'All live blocks')
    tab_to(visitor, lambda n: plain(n.name).startswith('Flame graph'), 'the keyboard in the flame graph')
    visitor.window.key('Down')
    after = told(visitor, 'Flame graph', 'no stack recorded')
    tap.ok(after != text and re.search(r'bytes\) in \d+ blocks', after), 'the flame graph tells what keys lead to', after)


def check_language(tap, kind, name, root, language):
    if name == 'help':
        return  # a language without a help has the one in English
    problems = language.problems(root)
    tap.ok(not problems, '%s, %s: nothing is untranslatable' % (kind, name), *problems)


def walk(tap, program, out, root, kind, capture, tabbed_views, selections=()):
    # Names of tables and columns are the store's in every language.
    language = Language(capture, *(os.path.join(root, 'data', name)
                                   for name in ('schema.sql', 'neuron-schema.txt')))
    visitor = Visitor(program, capture, {'LANGUAGE': LANGUAGE,
                                         'STRIA_LOCALE_DIR': os.path.join(out, 'home', 'locale')}, out)
    try:
        for name, tree in visitor.views(with_panels=kind == 'trace'):
            name = plain(name)
            if name != 'shortcuts':  # a window of GTK's own
                check(tap, kind, name, tree)
            check_language(tap, kind, name, tree, language)
            if name in WITH_TAB and name not in tabbed_views:
                tabbed_views.add(name)
                check_tab(tap, visitor, kind, name, tree)
        tap.ok(language.told > 100, '%s: %u texts came through gettext' % (kind, language.told))
        for select in selections:
            select(tap, visitor)
    except AssertionError as error:
        tap.ok(False, '%s: the walk goes on' % kind, error)
    finally:
        # GTK's own window of keys has such labels.
        complaints = [line for line in visitor.close() if 'reported min width' not in line]
        tap.ok(not complaints, '%s: nothing was complained about' % kind, *complaints[:10])


def main():
    program, out, root = sys.argv[1:4]
    tap = Tap()
    tabbed_views = set()
    pseudo.write_catalogue(os.path.join(root, 'po', 'de.po'), os.path.join(out, 'home', 'locale'), LANGUAGE)
    made = os.path.join(out, 'home', 'made')
    neuron, executorch = os.path.join(made, 'neuron'), os.path.join(made, 'executorch')
    make_neuron_capture.make(neuron)
    make_executorch.write(executorch, make_executorch.captures()['base'])
    walk(tap, program, out, root, 'trace', os.path.join(root, 'data', 'sample', 'training-step.json.gz'),
         tabbed_views, (select_by_keys, sort_by_keys))
    walk(tap, program, out, root, 'Neuron', neuron, tabbed_views, (flame_by_keys,))
    walk(tap, program, out, root, 'ExecuTorch', executorch, tabbed_views)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
