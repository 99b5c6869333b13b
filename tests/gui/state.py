#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What is looked at is found again, even if the program is killed: visible range, selection, lanes,
filter; a file that is damaged is put aside. Prints TAP."""

import glob
import os
import re
import signal
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window  # noqa: E402


def kept():
    """What is in the one file of the state, by key"""
    files = glob.glob(os.path.join(os.environ['XDG_STATE_HOME'], 'stria', 'captures', '*.ini'))
    if len(files) != 1:
        return {}
    with open(files[0], encoding='utf-8') as file:
        return dict(re.findall(r'^([a-z-]+)=(.*)$', file.read(), re.M))


def opened(program, out, trace):
    window = Window(program, out, trace)
    timeline = window.find('image', '^Timeline$')
    window.wait_text(r'events · 10\d\.\d+ ms')
    return window, timeline


def rest(window, timeline):
    _, _, width, height = window.box(timeline)
    window.move(timeline, width - 5, height - 5)
    return window.settled_shot('state')


def leave(tap, window, timeline):
    """Zooms, selects and filters, then the program is killed."""
    _, _, width, height = window.box(timeline)
    window.click(timeline, width * 0.5, height * 0.5)
    window.key('0', 'w', 'w', 'w', 'd')
    window.click(timeline, width * 0.6, 120)
    window.key('c')
    window.wait(lambda: 'event-lane' in kept() and 'view-start-ns' in kept(), 'the file of the state')
    window.key('slash')
    window.type('stream')
    window.wait_text('^2 of 14$')
    window.wait(lambda: kept().get('filter') == 'stream', 'the filter in the file')
    tap.ok(True, 'what is looked at is written a little later')
    # What else keeps files writes within the same time.
    time.sleep(1)
    picture = rest(window, timeline)
    state = kept()
    window.process.send_signal(signal.SIGKILL)
    window.process.wait()
    window.close()
    return state, picture


def left_at_once(tap, window, timeline):
    """Asked to end right after changes, the program has written them before it does."""
    before = kept()
    _, _, width, height = window.box(timeline)
    window.click(timeline, width * 0.5, height - 5)
    window.key('0', 'w', 'w')
    window.key('F8')
    window.find('push button', '^Close the pane$')
    window.process.send_signal(signal.SIGTERM)
    tap.equal(window.process.wait(), 0, 'asked to end, it ends well')
    tap.ok(kept().get('view-start-ns') not in (None, before.get('view-start-ns')),
           'and what was changed just before is kept')
    window.close()


def main():
    program, out, root = sys.argv[1:4]
    tap = Tap()
    window = None
    trace = os.path.join(root, 'data', 'sample', 'training-step.json.gz')
    try:
        window, timeline = opened(program, out, trace)
        state, _ = leave(tap, window, timeline)
        window, timeline = opened(program, out, trace)
        name = window.wait(lambda: timeline.description, 'the selected event')
        tap.ok(name, 'after a kill the selected event is found again: %s' % name)
        tap.ok(window.wait_text('^2 of 14$'), 'and what lanes were filtered for')
        window.shot('found')
        window.key('c')
        window.wait(lambda: kept(), 'the file')
        # Moving on from where one was: a small step leads to a place near the old one.
        _, _, width, height = window.box(timeline)
        window.click(timeline, width * 0.5, height - 5)
        window.key('a')
        after = window.wait(lambda: kept() if kept().get('view-start-ns') != state['view-start-ns']
                            else None, 'another view in the file')
        length = int(state['view-end-ns']) - int(state['view-start-ns'])
        tap.equal(int(after['view-end-ns']) - int(after['view-start-ns']), length,
                  'the visible range had its length')
        tap.ok(abs(int(after['view-start-ns']) - int(state['view-start-ns'])) < length,
               'and its place')
        complaints = window.close()
        tap.ok(not complaints, 'nothing was complained about', *complaints[:10])

        window, timeline = opened(program, out, trace)
        window.wait(lambda: timeline.description, 'the selected event')
        left_at_once(tap, window, timeline)

        path = glob.glob(os.path.join(os.environ['XDG_STATE_HOME'], 'stria', 'captures', '*.ini'))[0]
        layout = glob.glob(os.path.join(os.environ['XDG_CONFIG_HOME'], 'stria', 'windows', '*'))[0]
        with open(layout, 'wb') as file:
            file.write(b'no layout')
        with open(path, 'wb') as file:
            file.write(b'\xff\x00[Looked at\nversion=' + b'9' * 100)
        window, timeline = opened(program, out, trace)
        window.wait(lambda: os.path.exists(path + '.bad'), 'the damaged file put aside')
        with open(path + '.bad', 'rb') as file:
            tap.ok(file.read().startswith(b'\xff'), 'a damaged file is put aside')
        window.wait(lambda: os.path.exists(layout + '.bad'), 'the damaged layout put aside')
        tap.ok(window.wait_text(r'^Put aside as .*\.bad'), 'and told of')
        complaints = window.close()
        window = None
        tap.ok(not complaints, 'and the capture opens', *complaints[:10])
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None and window.process.poll() is None:
            window.close()
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
