#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""From an instruction of a raw device profile to its line of source, which lies in an archive of the
capture. Prints TAP."""

import io
import os
import sys
import tarfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))

import make_neuron_chain as chain  # noqa: E402
from make_neuron_capture import write  # noqa: E402
from tap import Tap  # noqa: E402
from window import Window  # noqa: E402


def sources():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w:gz') as tar:
        for name in ('repo/src/kernel.py', 'repo/src/other.py'):
            data = b''.join(b'# %s, line %d\n' % (name.encode(), i + 1) for i in range(60))
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    folder = os.path.join(out, 'home', 'capture')
    write(folder, '7_instid_0_vnc_0.ntff', chain.profile())
    write(folder, 'neff_7.neff', chain.program())
    write(folder, 'sources.tar.gz', sources())
    try:
        window = Window(program, out, folder)
        window.wait_text('Artifacts')
        window.key('ctrl+f')
        window.find('entry', 'Search events')
        window.type('NOP')
        window.wait_text(r'^(\d+ of )?3 events')
        window.key('Return')
        window.wait_text(r'^1 of 3 events')
        link = window.find('push button', r'/src/kernel\.py:7')
        tap.ok(link, 'an instruction of the sync engine has its line')
        window.settled_shot('instruction')
        link.queryAction().doAction(0)
        title = window.wait_text(r'sources\.tar\.gz/repo/src/kernel\.py:7$')
        tap.ok(title, 'which is shown from the archive in the capture: %s' % title)
        text = window.wait(lambda: [n for n in window.nodes() if n.name == 'Source code'
                                    and window.is_shown(n)], 'the text')[0].queryText()
        tap.ok(text.getText(0, text.caretOffset).count('\n') + 1 == 7, 'the caret stands in line 7')
        tap.ok('repo/src/kernel.py, line 7' in text.getText(0, -1), 'of the right file')
        window.settled_shot('instruction-source')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
