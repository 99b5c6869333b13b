#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The list of captures on the start page: what is in the cache, pinned first, folders and tags, search,
and out of the cache with the files kept. Prints TAP."""

import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from trace_compare import remember, write_captures  # noqa: E402
from window import Window  # noqa: E402


def recent():
    with open(os.path.join(os.environ['XDG_DATA_HOME'], 'stria', 'recent.json')) as file:
        return {item['title'].split('.')[0]: item for item in json.load(file)}


def titles(window):
    known = ('before', 'after', 'third')
    found = [(window.box(n)[1], window.box(n)[0], n.name.split('.')[0])
             for n in window.each('label', r'\.pt\.trace\.json$') if n.name.split('.')[0] in known]
    return [name for _y, _x, name in sorted(found)]


def open_and_leave(window, tap):
    window.wait_text('^not in the cache|not in the cache$')
    tap.equal(titles(window), ['before', 'after', 'third'], 'captures in the order of the list')
    window.press('push button', '^Pin “third')
    tap.ok(window.wait(lambda: titles(window)[:1] == ['third'], 'the pinned one first'),
           'what is pinned stands first')
    tap.ok(recent()['third'].get('pinned') == 1, 'and is kept')


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    paths = write_captures(os.path.join(out, 'home'))
    remember(paths)
    data = recent()
    data['after'].update(folder='Nightly', tags=['fast', 'a100'])
    with open(os.path.join(os.environ['XDG_DATA_HOME'], 'stria', 'recent.json'), 'w') as file:
        json.dump(list(data.values()), file)
    try:
        window = Window(program, out)
        open_and_leave(window, tap)
        tap.ok(window.wait_text('^Nightly · fast, a100$'), 'folder and tags of a capture')
        window.settled_shot('captures')
        window.click(window.find('entry', '^Search the captures'), 60, 12)
        window.type('a100')
        # What is left moves up to where the first one was.
        card = window.find('label', r'^after\.pt')
        tap.ok(window.wait(lambda: window.box(card)[0] < 200, 'one capture'), 'the search finds tags')
        window.type('zzz')
        tap.ok(window.wait_text('^No capture in this list is like that$'), 'and says when nothing is')
        window.key('Escape')
        window.press('push button', '^Clear$')
        tap.ok(window.wait(lambda: sorted(recent()) == ['after', 'third'], 'the list to be cleared'),
               'clearing keeps what is pinned, in a folder or tagged')
        window.close()
        window = Window(program, out, paths[1])
        window.wait(lambda: recent()['after'].get('key') and os.path.exists(os.path.join(
            os.environ['STRIA_CACHE_DIR'], recent()['after']['key'] + '.stria')), 'its store')
        tap.equal((recent()['after'].get('folder'), recent()['after'].get('tags')),
                  ('Nightly', ['fast', 'a100']), 'opening keeps folder and tags')
        window.close()
        window = Window(program, out)
        tap.ok(window.wait_text(r'B in the cache$'), 'what is in the cache has its size')
        time.sleep(0.5)
        window.settled_shot('stored')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
