#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every view from right to left, with text twice as large, and in high contrast: nothing stands out of
what it is in, and no control's text is cut. Prints TAP.

    looks.py PROGRAM OUT_DIR SOURCE_ROOT
"""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib'), os.path.join(HERE, '..', 'fixtures')]

import make_neuron_capture  # noqa: E402
from made_locale import make_locale  # noqa: E402
from tap import Tap  # noqa: E402

MODES = {
    'right-to-left': 'right-to-left, 100 %, usual contrast',
    'large': 'left-to-right, 200 %, usual contrast',
    'contrast': 'left-to-right, 100 %, high contrast',
}


def environment(mode, out):
    """(nullable): of a program in that mode"""
    env = dict(os.environ, STRIA_PICTURE_CHECK='1')
    if mode == 'right-to-left':
        made = make_locale('he_IL', os.path.join(out, 'locales'))
        return made and dict(env, **made)
    if mode == 'large':
        # Where a desktop says how large text is, for programs without one
        path = os.path.join(out, 'large.resources')
        with open(path, 'w') as file:
            file.write('Xft.dpi: 192\n')
        return dict(env, XENVIRONMENT=path)
    return dict(env, ADW_DEBUG_HIGH_CONTRAST='1')


def look(tap, program, out, mode, name, capture, *arguments):
    env = environment(mode, out)
    if env is None:
        tap.count += 1
        print('ok %d - %s, %s # SKIP no localedef, or no source of he_IL' % (tap.count, name, mode))
        return
    result = subprocess.run([program, '--draw-views=' + os.path.join(out, mode, name),
                             '--size=1200x800', *arguments, capture], env=env, universal_newlines=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = result.stderr.splitlines()
    seen = [line for line in lines if line.startswith('looked at: ')]
    drawn = result.stdout.splitlines()
    tap.ok(result.returncode == 0 and drawn and len(seen) == len(drawn),
           '%s, %s: each view is drawn and looked at' % (name, mode), *lines[-5:])
    wrong = [line for line in seen if not line.endswith(': ' + MODES[mode])]
    tap.ok(not wrong, '%s, %s: it looks so' % (name, mode), *wrong[:3])
    found = [line for line in lines if line.startswith('look: ')]
    tap.ok(not found, '%s, %s: nothing is cut' % (name, mode), *found[:20])


def main():
    program, out, root = sys.argv[1:4]
    tap = Tap()
    sample = os.path.join(root, 'data', 'sample', 'training-step.json.gz')
    neuron = os.path.join(out, 'home', 'neuron')
    shutil.rmtree(neuron, ignore_errors=True)
    make_neuron_capture.make(neuron)
    for mode in ('right-to-left', 'large'):
        look(tap, program, out, mode, 'sample', sample)
        look(tap, program, out, mode, 'neuron', neuron, '--view=memory,profiles,tables,summary')
    look(tap, program, out, 'contrast', 'sample', sample, '--view=operators,summary')
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
