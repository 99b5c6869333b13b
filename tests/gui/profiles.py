#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The tree of a Neuron capture in the window: what is refused says why, what is missing says what brings
it, and of two programs one is chosen with a click. Prints TAP."""

import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))

import make_neffs as make  # noqa: E402
from tap import Tap  # noqa: E402
from window import Window  # noqa: E402


def profile(uuid=b''):
    """A device profile of version 6 with a message that has a name and a UUID and no more."""
    message = make.chunk(1, 'made') + (make.chunk(2, uuid) if uuid else b'')
    return bytes([6]) + struct.pack('<Q', len(message)) + bytes(119) + message


def write_capture(folder):
    files = {
        'i-0a_pid_7/neff_1.neff': make.neff([('a', b'1')], uuid=b'\x11' * 16),
        'i-0a_pid_7/1_instid_0_vnc_0.ntff': profile(b'\x11' * 16),
        'i-0a_pid_7/1_instid_0_vnc_1.ntff': b'',
        'i-0b_pid_8/neff_2.neff': make.neff([('a', b'2')], uuid=b'\x22' * 16),
        'i-0b_pid_8/2_instid_0_vnc_0.ntff': profile(b'\x33' * 16),
        'a-run/first.neff': make.neff([('a', b'3')], uuid=b'\x44' * 16),
        'a-run/second.neff': make.neff([('a', b'4')], uuid=b'\x55' * 16),
        'a-run/profile_rank_3.ntff': profile(),
        'src/model.py': b'def forward(x):\n    return x\n',
    }
    with open(os.path.join(HERE, '..', 'fixtures', 'neuron-export', 'Instruction_0.parquet'), 'rb') as file:
        files['made@latest/Instruction_0.parquet'] = file.read()
    for name, data in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(data)


def main():
    program, out = sys.argv[1:3]
    tap = Tap()
    window = None
    folder = os.path.join(out, 'home', 'capture')
    write_capture(folder)
    try:
        window = Window(program, out, folder)
        window.wait_text('Artifacts')
        window.key('alt+6')
        tap.ok(window.wait_text('^Node i-0a$'), 'Alt+6 shows the tree')
        tap.ok(window.wait_text('^Process 7$'), 'a process by its folder')
        tap.ok(window.wait_text('by the UUID in both files'), 'a profile found its program')
        tap.ok(window.wait_text('^ERROR_PROCESS_INCOMPLETE: neff_2.neff is of another compilation'),
               'another compilation is refused, with the documented code')
        tap.ok(window.wait_text('nothing ran on it'), 'a core that did not run says so')
        tap.ok(window.wait_text('NEURON_RT_INSPECT_SYSTEM_PROFILE=1'), 'what is missing says what brings it')
        tap.ok(window.wait_text('which of 2 programs'), 'two programs could be meant')
        window.shot('profiles')
        window.press('push button', '^a-run/second.neff$')
        tap.ok(window.wait_text('Artifacts'), 'choosing one reads the capture again')
        window.key('alt+6')
        text = window.wait_text('as chosen')
        tap.ok('rank 3' in text, 'and it is as chosen: %s' % text)
        tap.ok(not window.all('push button', '^a-run/first.neff$'), 'with nothing left to choose')
        window.shot('chosen')
        window.press('push button', '^Take the Choice Back$')
        tap.ok(window.wait_text('Artifacts'), 'the choice is taken back')
        window.key('alt+6')
        tap.ok(window.wait_text('which of 2 programs'), 'and it is asked again')
        window.click(window.find('list', '^Processes and profiles'), 300, 10)
        window.key('End')
        tap.ok(window.wait_text('^Of 600 instructions, 60 .10.0 %. say their line of source and 200'),
               'what the rows of an export lack is told')
        window.shot('quality')

        # From an instruction to the line of source that lies in the capture
        window.key('alt+1')
        window.key('ctrl+f')
        window.find('entry', '^Search')
        window.type('MATMUL')
        window.key('Return')
        window.press('push button', r'^src/model\.py:1')
        tap.ok(window.wait_text(r'capture/src/model\.py:1$'), 'a slice leads to its line of source')
        window.shot('source')
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        if window is not None:
            complaints = window.close()
            tap.ok(not complaints, 'nothing was complained about', *complaints[:10])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
