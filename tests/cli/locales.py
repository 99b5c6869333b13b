#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What machines read is the same whatever language a person has; what people read is in theirs. Run with
a German locale that is made for it: a comma stands before decimals there. Prints TAP.

    locales.py STRIA-CLI
"""

import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib'), os.path.join(HERE, '..', 'fixtures')]

import make_executorch  # noqa: E402
import make_neuron_capture  # noqa: E402
from made_locale import make_locale  # noqa: E402
from stria_cli import Cli  # noqa: E402
from tap import Tap  # noqa: E402

SAMPLE = os.path.join(HERE, '..', '..', 'data', 'sample', 'training-step.json.gz')
SQL = 'SELECT name, 0.5 AS half, ts / 3.0 AS third FROM slice WHERE dur > 1.5 ORDER BY ts, name LIMIT 50'


def jobs(folder):
    """(title, arguments) of what is written for machines"""
    neuron, model = os.path.join(folder, 'neuron'), os.path.join(folder, 'executorch')
    make_neuron_capture.make(neuron)
    make_executorch.write(model, make_executorch.captures()['base'])
    return [
        ('info', ('info', '--json', '--no-store', SAMPLE)),
        ('statistics as JSON', ('stats', '--json', '-n', '0', SAMPLE)),
        ('statistics as CSV', ('stats', '--format=csv', '-n', '0', SAMPLE)),
        ('statistics of a range with a point', ('stats', '--json', '--range=1.5ms:20.25ms', SAMPLE)),
        ('a query as JSON', ('query', '--json', SAMPLE, SQL)),
        ('a query as CSV', ('query', '--format=csv', SAMPLE, SQL)),
        ('events as JSON', ('export', '--format=json', SAMPLE)),
        ('events as CSV', ('export', '--format=csv', SAMPLE)),
        ('a trace for other viewers', ('export', '--format=perfetto', SAMPLE)),
        ('a summary', ('summary', '--json', SAMPLE)),
        ('a summary of devices', ('summary', '--json', neuron)),
        ('what a capture holds', ('info', '--json', '--no-store', neuron)),
        ('memory', ('memory', '--json', neuron)),
        ('a model', ('profile', '--json', model)),
    ]


def without_times(text):
    """How long reading took is never the same twice, and notices are written for people."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    if isinstance(found, dict):
        for key in ('import', 'notices', 'store'):
            found.pop(key, None)
    return found


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        german = make_locale('de_DE', os.path.join(folder, 'locales'))
        if german is None:
            print('1..0 # SKIP no localedef, or no source of de_DE')
            return 0
        here = Cli(sys.argv[1], os.path.join(folder, 'here'))
        there = Cli(sys.argv[1], os.path.join(folder, 'there'))
        # Numbers of the locale, without its translations: messages of files are a part of the output.
        there.environment.update(german, LANGUAGE='en')
        shown = there.run('stats', '-n', '3', SAMPLE, check=(0,)).stdout.decode()
        tap.ok(',' in shown and '.' not in shown.split('\n')[2].split()[-1],
               'tables for people have their comma', shown)
        shown = there.run('info', SAMPLE, check=(0,)).stdout.decode()
        tap.ok('01.01.2026 00:40:17,853220000' in shown, 'and dates and times are as one writes them there', shown)
        for title, arguments in jobs(folder):
            expected = here.run(*arguments)
            found = there.run(*arguments)
            if tap.ok(expected.returncode == found.returncode and len(expected.stdout) > 1
                      and without_times(found.stdout) == without_times(expected.stdout),
                      title + ' is the same in German', found.stderr.decode()):
                continue
            for one, other in zip(expected.stdout.decode().splitlines(),
                                  found.stdout.decode().splitlines()):
                if one != other:
                    tap.say('expected %.300s\nfound    %.300s' % (one, other))
                    break
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
