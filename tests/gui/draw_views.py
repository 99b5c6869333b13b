#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of every view: of the sample, of a made Neuron capture and of a made ExecuTorch capture. Each
view that a capture must have is among them, none is blank, and nothing is written elsewhere. Prints TAP.

    draw_views.py PROGRAM OUT_DIR SOURCE_ROOT
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib'), os.path.join(HERE, '..', 'fixtures')]

import make_executorch  # noqa: E402
import make_neuron_capture  # noqa: E402
from tap import Tap  # noqa: E402

TIMELINE = ['timeline', 'timeline-statistics', 'timeline-annotations', 'timeline-regions',
            'timeline-warnings', 'timeline-details-event', 'timeline-details-dependencies']
VIEWS = {
    'sample': TIMELINE + ['source', 'operators', 'tables', 'summary'],
    'neuron': TIMELINE + ['memory-allocator-%s' % page for page in ('stacks', 'map', 'events', 'settings')]
    + ['memory-neuron-%s' % page for page in ('sbuf', 'psum', 'hbm', 'tensors', 'report')]
    + ['profiles', 'operators', 'tables', 'summary'],
    'executorch': TIMELINE + ['model-table', 'model-counters', 'model-notes', 'tables', 'summary']
    + ['model-graphs-%d' % graph for graph in range(1, 6)],
}


def run(program, *arguments):
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)


def look(path):
    """(width and height as text, number of different colours)"""
    found = run('identify', '-format', '%w×%h %k', path)
    size, colours = found.stdout.split()
    return size, int(colours)


def files_of(folder):
    return {os.path.join(where, name) for where, _, names in os.walk(folder) for name in names}


def draw(tap, program, out, name, capture, *arguments):
    folder = os.path.join(out, name)
    home = files_of(os.path.join(out, 'home'))
    result = run(program, '--draw-views=' + folder, '--size=1000x700', *arguments, capture)
    tap.ok(result.returncode == 0, '%s: drawn' % name, result.stderr)
    complaints = [line for line in result.stderr.splitlines() if re.search('WARNING|CRITICAL', line)]
    tap.ok(not complaints, '%s: without a complaint' % name, *complaints[:5])
    listed = [line.split('\t') for line in result.stdout.splitlines()]
    tap.ok({line[0] for line in listed} == files_of(folder), '%s: each file is told of' % name)
    wrong = []
    for path, told, _title in listed:
        size, colours = look(path)
        if told != size or size != '1000×700':
            wrong.append('%s: told %s, is %s' % (path, told, size))
        if colours < 20:
            wrong.append('%s: blank' % path)
    tap.ok(listed and not wrong, '%s: %d pictures, none blank' % (name, len(listed)), *wrong)
    new = {path for path in files_of(os.path.join(out, 'home')) - home
           if not path.startswith((os.environ['STRIA_CACHE_DIR'], os.environ['XDG_CACHE_HOME']))}
    tap.ok(not new, '%s: nothing is written elsewhere' % name, *sorted(new)[:5])
    return [re.sub(r'^\d+-|\.png$', '', os.path.basename(line[0])) for line in listed]


def errors(tap, program, out, sample):
    for arguments, message in ((['--size=0x5'], 'is no size'), (['--view=nothing'], 'no view “nothing”'),
                               (['--scale=9'], 'not 9')):
        result = run(program, '--draw-views=' + os.path.join(out, 'never'), *arguments, sample)
        tap.ok(result.returncode == 2 and message in result.stderr, arguments[0] + ' is refused',
               result.stderr)
    result = run(program, '--draw-views=' + os.path.join(out, 'absent'), os.path.join(out, 'absent.json'))
    tap.ok(result.returncode == 1 and 'absent.json' in result.stderr, 'what is not there is told',
           result.stderr)


def main():
    program, out, root = sys.argv[1:4]
    tap = Tap()
    sample = os.path.join(root, 'data', 'sample', 'training-step.json.gz')
    captures = {'sample': sample, 'neuron': os.path.join(out, 'home', 'neuron'),
                'executorch': os.path.join(out, 'home', 'executorch')}
    make_neuron_capture.make(captures['neuron'])
    make_executorch.write(captures['executorch'], make_executorch.captures()['base'])
    for name, capture in captures.items():
        found = draw(tap, program, out, name, capture, *(['--dark'] if name == 'neuron' else []))
        missing = [view for view in VIEWS[name] if view not in found]
        tap.ok(not missing, '%s: every view that it has' % name, *missing, *found)
    found = draw(tap, program, out, 'some', sample, '--view=summary,operators')
    tap.ok(found == ['operators', 'summary'], '--view draws just those', *found)
    found = draw(tap, program, out, 'against', sample, '--view=compare', '--against', sample)
    tap.ok(found and found[0].startswith('compare'), '--against draws a comparison', *found)
    errors(tap, program, out, sample)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
