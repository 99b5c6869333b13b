#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Preferences that take effect at once in an open window (the unit of times), the pages of help,
and the tour. Prints TAP."""

import os
import sys
import time

import pyatspi

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window, xdotool  # noqa: E402


def focused(window):
    return next((n for n in window.nodes() if n.getState().contains(pyatspi.STATE_FOCUSED)), None)


def reach(window, role, name):
    """Tab until the keyboard is there"""
    widget = window.find(role, name)
    for _ in range(20):
        if widget.getState().contains(pyatspi.STATE_FOCUSED):
            return widget
        window.key('Tab')
        time.sleep(0.1)
    raise AssertionError('Tab never comes to “%s”' % name)


def lane_names(window, name):
    """Pixels of the names of the lanes, which tell how far they are scrolled"""
    x, y, _, height = window.box(window.find('image', '^Timeline$'))
    pixels = window.settled_shot(name)
    row = len(pixels) // int(xdotool('getwindowgeometry', '--shell', window.id).split('HEIGHT=')[1]
                             .split()[0])
    return [pixels[i * row + (x + 10) * 3:i * row + (x + 200) * 3]
            for i in range(y + 120, y + height)]


def unit(tap, window):
    """The third item of its row"""
    timeline = window.find('image', '^Timeline$')
    unmoved = lane_names(window, 'unmoved')
    window.wheel(timeline, 600, 500, 5, 3)
    before = window.wait(lambda: next((now for now in [lane_names(window, 'lanes')]
                                       if now != unmoved), None), 'other lanes in sight')
    window.key('ctrl+comma')
    window.find('label', '^Unit$')
    reach(window, 'combo box', r'^Unit\b')
    window.key('Return')
    time.sleep(0.5)
    window.key('Down', 'Down', 'Return')
    text = window.wait_text(r'events · 102.?\d+(\.\d+)? µs$')
    tap.ok(text, 'an open window tells times in the chosen unit at once: %s' % text)
    window.shot('preferences')
    window.key('Escape')
    window.wait(lambda: not window.all('label', '^Unit$'), 'the end of the preferences')
    tap.ok(lane_names(window, 'lanes-after') == before, 'the lanes stay where they were')


def shortcuts(tap, window):
    """What the window of shortcuts says of an action whose keys are others"""
    window.key('F1')
    title = window.wait(lambda: next((n for n in window.nodes()
                                      if n.name == 'Search names and arguments'
                                      and window.role(n) == 'label'), None), 'the shortcuts')
    names = [n.name for n in window.nodes(title.parent.parent) if window.role(n) == 'label']
    tap.ok('L' in names, 'the window of shortcuts has both keys: %s' % ' '.join(names))
    window.shot('shortcuts')
    window.key('Escape')


def keys(tap, window):
    """Other keys of one action, of which one is taken from another"""
    window.key('ctrl+comma')
    window.find('label', '^Unit$')
    window.key('alt+k')
    reach(window, 'entry', '^Search$')
    window.type('names and arg')
    window.wait(lambda: not window.all('list item', r'^Zoom in\b'), 'fewer rows')
    reach(window, 'list item', '^Search names and arguments')
    window.key('Return')
    window.find('push button', '^Press the new keys')
    window.key('ctrl+o')
    told = window.wait_text('is used by “Open files”')
    tap.ok(told, 'a key that something has is told of: %s' % told)
    window.key('l')
    window.find('push button', '^L$')
    window.wait_text('is used by “Legend of the colours”')
    window.shot('keys')
    window.press('push button', 'Add$')
    window.find('push button', 'Reset All$')
    window.key('Escape')
    window.wait(lambda: not window.all('push button', 'Reset All$'), 'the end of the preferences')
    button = window.find('push button', '^Search$')
    tap.ok('(Ctrl+F, L)' in button.description, 'the tooltip has both: %s' % button.description)
    window.key('l')
    window.wait(lambda: focused(window).getRoleName() in ('text', 'entry'), 'the search')
    tap.ok(True, 'the new key searches')
    window.type('l')
    window.wait(lambda: focused(window).queryText().characterCount == 1, 'the letter in the entry')
    tap.ok(True, 'where one writes, it is a letter')
    window.key('Escape')


def help_pages(tap, window):
    window.key('shift+F1')
    window.wait_text('^Lanes of|^Everything that happened, as lanes over time')
    tap.ok(True, 'Shift+F1 opens the page of the view')
    window.find('list item', '^Compare')
    entry = window.find('entry', '^Search the help$')
    window.key('ctrl+f')
    window.type('spilled')
    window.wait(lambda: not [n for n in window.each('list item', '^Layouts')], 'fewer pages')
    window.key('Return')
    tap.ok(window.wait_text('^Where tensors lay in the memories'), 'a search leads to the page')
    window.shot('help')
    window.key('Escape')
    return entry


def tour(tap, window):
    window.wait_text('^Open$')
    # A button that is pressed through the bus stays down for a moment.
    window.press('push button', 'Next$')
    time.sleep(0.7)
    window.press('push button', 'Next$')
    window.find('push button', 'Start$')
    tap.ok(True, 'the tour has three steps')
    window.shot('tour')
    window.key('Escape')
    window.wait(lambda: not list(window.each('push button', 'Start$')), 'the end of the tour')
    tap.ok(True, 'and Escape ends it')


def main():
    program, out, root = sys.argv[1:4]
    tap = Tap()
    window = None
    trace = os.path.join(root, 'data', 'sample', 'training-step.json.gz')
    try:
        window = Window(program, out, environment={'STRIA_NO_TOUR': ''})
        tour(tap, window)
        complaints = window.close()
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
        window = Window(program, out, trace)
        window.find('image', '^Timeline$')
        window.wait_text(r'events · 10\d\.\d+ ms')
        unit(tap, window)
        keys(tap, window)
        shortcuts(tap, window)
        help_pages(tap, window)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None and window.process.poll() is None:
            complaints = window.close()
            tap.ok(not complaints, 'and nothing', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
