#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What happens to the cache when imports are killed, interrupted or run at once, and eviction.
Prints TAP.

    stores.py STRIA_CLI
"""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.dont_write_bytecode = True

import pseudo  # noqa: E402
import traces  # noqa: E402
from stria_cli import Cli  # noqa: E402
from tap import Tap  # noqa: E402

SLICES = 200000
STORE = re.compile(r'^[0-9a-f]{64}\.stria$')


class Place:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.cache = os.path.join(folder, 'cache')
        self.cli = Cli(program, self.cache)

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *arguments):
        return subprocess.Popen([self.program, *arguments], env=self.cli.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def cached(self, suffix=''):
        if not os.path.isdir(self.cache):
            return []
        return sorted(name for name in os.listdir(self.cache) if name.endswith(suffix))


def wait_for_part(place, process):
    """Until a store is being written. False if the import was over before that was seen."""
    while process.poll() is None:
        if place.cached('.part'):
            return True
        time.sleep(0.001)
    return False


def check_store(tap, place, capture, n, title):
    tap.equal(place.cli.query(capture, 'SELECT count (*), count (args), max (ts) FROM slice'),
              [(n, n, (n - 1) * 2000 + (n - 1) % 1000)], '%s: a full store' % title)
    names = place.cached()
    tap.ok(len(names) == 1 and STORE.match(names[0]), '%s: no leftovers' % title, names)
    database = sqlite3.connect('file:%s?mode=ro' % os.path.join(place.cache, names[0]), uri=True)
    tap.equal(database.execute('PRAGMA integrity_check').fetchall(), [('ok',)],
              '%s: sound for another reader' % title)
    database.close()


def test_killed(tap, place, large):
    killed = 0
    for delay in (0.0, 0.02, 0.1):
        process = place.start('import', '--force', large)
        if wait_for_part(place, process):
            time.sleep(delay)
            process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        tap.ok(process.returncode in (0, -signal.SIGKILL), 'killed %.2f s into the store' % delay)
        for name in place.cached('.stria'):
            tap.equal(place.cli.query(os.path.join(place.cache, name),
                                      'SELECT count (*) FROM slice'), [(SLICES,)],
                      'what looks finished is')
    tap.ok(killed > 0, 'an import was killed while it wrote')

    process = place.start('import', '--force', large)
    process.kill()
    process.communicate()
    done = place.cli.json('import', '--force', large, check=[0])
    tap.equal((done['cached'], done['events']), (False, SLICES), 'imported after the killed ones')
    check_store(tap, place, large, SLICES, 'after killed imports')
    tap.equal(place.cli.json('import', large, check=[0])['cached'], True, 'and kept')


def test_interrupted(tap, place, large):
    place.cli.run('cache', '--clear', check=[0])
    for number in (signal.SIGINT, signal.SIGTERM):
        process = place.start('import', large)
        seen = wait_for_part(place, process)
        process.send_signal(number)
        output, message = process.communicate()
        if seen and process.returncode != 0:
            tap.ok(process.returncode == 4 and message.startswith(b'stria-cli: ') and not output,
                   '%s ends an import cleanly' % number.name, process.returncode, message)
            tap.equal(place.cached(), [], '%s leaves nothing' % number.name)
        else:
            tap.skip('%s ends an import cleanly' % number.name, 'it was faster')
        place.cli.run('cache', '--clear', check=[0])

    place.cli.run('import', large, check=[0])
    process = place.start('query', large, 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL '
                                          'SELECT x + 1 FROM c) SELECT count (*) FROM c')
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    process.communicate()
    tap.equal(process.returncode, 4, 'SIGINT ends an endless query')


def test_at_once(tap, place, large):
    place.cli.run('cache', '--clear', check=[0])
    processes = [place.start('import', '--json', large) for _ in range(2)]
    for process in processes:
        output, message = process.communicate()
        tap.ok(process.returncode == 0 and b'"events": %d' % SLICES in output,
               'two imports at once', process.returncode, message)
    check_store(tap, place, large, SLICES, 'two at once')

    # One writes while others evict and clear
    process = place.start('import', '--force', large)
    while process.poll() is None:
        place.cli.run('cache', '--evict', '--max-size', '1K', check=[0])
        place.cli.run('cache', '--clear', check=[0])
    output, message = process.communicate()
    tap.ok(process.returncode == 0 and b'Store: ' in output, 'an import while others clear the cache',
           process.returncode, message)


def test_damaged(tap, place):
    capture = traces.write_large(place.path('small.json'), 100)
    store = place.cli.json('import', capture, check=[0])['store']
    for title, damage in (('cut', lambda data: data[:len(data) // 2]),
                          ('empty', lambda data: b''),
                          ('noise', lambda data: bytes(range(256)) * 100)):
        with open(store, 'rb') as file:
            data = file.read()
        with open(store, 'wb') as file:
            file.write(damage(data))
        done = place.cli.run('query', store, 'SELECT count (*) FROM slice')
        tap.ok(done.returncode == 5 and done.stderr, 'a damaged store as such is an error: %s' % title,
               done)
        tap.equal(place.cli.query(capture, 'SELECT count (*) FROM slice'), [(100,)],
                  'a damaged store is made again: %s' % title)

    time.sleep(0.01)
    traces.write_large(capture, 50)
    tap.equal(place.cli.query(capture, 'SELECT count (*) FROM slice'), [(50,)],
              'a changed file is read again')


def test_eviction(tap, place):
    place.cli.run('cache', '--clear', check=[0])
    stores = []
    for i in range(3):
        capture = traces.write_large(place.path('e%d.json' % i), 1000)
        stores.append(place.cli.json('import', capture, check=[0])['store'])
    day = 24 * 3600
    for age, store in zip((30, 20, 10), stores):
        now = time.time()
        os.utime(store, (now - age * day, now))
    usage = place.cli.json('cache', check=[0])
    tap.equal((usage['stores'], usage['bytes'], usage['path']),
              (3, sum(map(os.path.getsize, stores)), os.path.realpath(place.cache)), 'usage')

    place.cli.run('info', place.path('e0.json'), check=[0])
    tap.ok(time.time() - os.stat(stores[0]).st_atime < day, 'opening a store is noted')
    limit = str(usage['bytes'] - 1)
    left = place.cli.json('cache', '--evict', '--max-size', limit, check=[0])
    tap.equal((left['stores'], [os.path.exists(store) for store in stores]),
              (2, [True, False, True]), 'the least recently opened store goes first')
    tap.equal(left['freed_bytes'], usage['bytes'] - left['bytes'], 'what was freed')
    place.cli.run('cache', '--evict', '--max-age', '5', check=[0])
    tap.equal([os.path.exists(store) for store in stores], [True, False, False],
              'stores that were not opened for long go')

    key = os.path.basename(stores[0])[:64]
    others = ['notes.txt', 'x.stria', key[:-1] + '.stria', key + '.stria.bak']
    leftovers = [key + '.1234-00000000.part', key + '.1234-00000000.part-journal']
    for name in others + leftovers:
        with open(os.path.join(place.cache, name), 'w', encoding='ascii') as file:
            file.write('something')
    place.cli.run('cache', '--evict', check=[0])
    tap.equal([name for name in leftovers if name in place.cached()], [], 'leftovers go')
    tap.ok(os.path.exists(stores[0]), 'a store in use stays')
    with open(os.path.join(place.cache, key + '.png'), 'w', encoding='ascii') as file:
        file.write('picture')
    place.cli.run('cache', '--clear', check=[0])
    tap.equal(place.cached(), sorted(others), 'clearing leaves what is not ours')


def test_languages(tap, place):
    """Names that the program gives are of the language in which a capture was read."""
    place.cli.run('cache', '--clear', check=[0])
    capture = place.path('languages.json')
    traces.write(capture)
    locale = place.path('locale')
    pseudo.write_catalogue(os.path.join(HERE, '..', '..', 'po', 'de.po'), locale, 'qaa')
    other = Cli(place.program, place.cache)
    other.environment.update(LANGUAGE='qaa', STRIA_LOCALE_DIR=locale)
    for round_ in range(2):
        for cli, sign in ((place.cli, 'thread'), (other, pseudo.OPEN + 'thread')):
            tap.equal(cli.json('import', capture, check=[0])['cached'], round_ > 0,
                      'read once in each language')
            names = [name for name, in cli.query(capture, 'SELECT name FROM lane')]
            tap.ok(any(name.startswith(sign) for name in names), 'lanes have names of that language', names)
    tap.equal([name[64:] for name in place.cached()], ['.qaa.stria', '.stria'], 'a store for each')
    place.cli.run('cache', '--clear', check=[0])
    tap.equal(place.cached(), [], 'and both can be removed')


def test_no_store(tap, place):
    capture = traces.write_large(place.path('none.json'), 10)
    place.cli.run('cache', '--clear', check=[0])
    before = place.cached()
    place.cli.run('info', '--no-store', capture, check=[0])
    place.cli.run('check', capture, check=[0])
    tap.equal(place.cached(), before, '--no-store and check leave the cache alone')
    if os.geteuid() != 0:
        os.chmod(place.cache, 0o500)
        tap.equal(place.cli.run('info', capture).returncode, 0, 'a cache without rights: info works')
        tap.equal(place.cli.run('import', capture).returncode, 5, 'and import says so')
        os.chmod(place.cache, 0o700)
    blocked = Cli(place.program, os.path.join(capture, 'cache'))
    tap.equal(blocked.run('info', capture).returncode, 0, 'no cache can be made: info works')
    tap.equal(blocked.run('import', capture).returncode, 5, 'and import says so')
    tap.equal(blocked.run('query', capture, 'SELECT 1').returncode, 5, 'and query says so')


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        large = traces.write_large(os.path.join(folder, 'large.json'), SLICES)
        place = Place(sys.argv[1], folder)
        for test, arguments in ((test_killed, (large,)), (test_interrupted, (large,)),
                                (test_at_once, (large,)), (test_damaged, ()), (test_languages, ()),
                                (test_eviction, ()), (test_no_store, ())):
            try:
                test(tap, place, *arguments)
            except AssertionError as error:
                tap.ok(False, test.__name__, error)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
