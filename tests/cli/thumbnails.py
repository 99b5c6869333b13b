#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures for file managers: of files of every kind, of the size that was asked for, with something
in them; nothing at all of what has no picture. Prints TAP.

usage: thumbnails.py STRIA_THUMBNAILER
"""

import os
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(HERE, '..', 'lib'), os.path.join(HERE, '..', 'fixtures')]

import make_executorch  # noqa: E402
import make_neuron_capture  # noqa: E402
import make_ntff  # noqa: E402
from tap import Tap  # noqa: E402


def pixels(path):
    """Width, height and the set of colours of a PNG of eight bits a channel"""
    with open(path, 'rb') as file:
        data = file.read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n', 'no PNG'
    at, packed = 8, b''
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IHDR':
            width, height, depth, colour = struct.unpack('>IIBB', data[at + 8:at + 18])
        elif kind == b'IDAT':
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    assert depth == 8 and colour in (2, 6), (depth, colour)
    step = 3 if colour == 2 else 4
    raw, stride, above, colours = zlib.decompress(packed), width * step, None, set()
    above = bytearray(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:][:stride])
        for x in range(stride):
            a = row[x - step] if x >= step else 0
            c = above[x - step] if x >= step else 0
            b = above[x]
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[x] = row[x] + (0, a, b, (a + b) // 2, paeth)[kind] & 255
        colours.update(bytes(row[x:x + 3]) for x in range(0, stride, step))
        above = row
    return width, height, colours


def thumbnail(program, path, picture, *options):
    return subprocess.run([program, *options, path, picture], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False,
                          env=dict(os.environ, XDG_CACHE_HOME='/nowhere', STRIA_CACHE_DIR='/nowhere'))


def check_picture(tap, title, program, folder, path, size=256):
    picture = os.path.join(folder, 'picture.png')
    done = thumbnail(program, path, picture, '-s', str(size))
    if not tap.ok(done.returncode == 0 and not done.stdout, title, done.returncode, done.stdout):
        return
    width, height, colours = pixels(picture)
    tap.equal((width, height), (size, int(size / 1.6)), title + ': its size')
    tap.ok(len(colours) > 5, title + ': something is in it', '%d colours' % len(colours))
    os.remove(picture)


def check_none(tap, title, program, folder, path):
    picture = os.path.join(folder, 'picture.png')
    done = thumbnail(program, path, picture)
    tap.equal((done.returncode, done.stdout, os.path.exists(picture)), (1, b'', False), title)


def make_files(folder):
    files = {'trace': os.path.join(ROOT, 'data', 'sample', 'training-step.json.gz')}

    def write(kind, data):
        files[kind] = os.path.join(folder, kind)
        with open(files[kind], 'wb') as file:
            file.write(data)

    # Sandboxes hand files over under names of their own.
    write('profile', make_ntff.device()[0])
    write('record', make_executorch.record())
    write('program', make_executorch.program())
    write('model', make_executorch.vgf())
    write('dump', make_executorch.dump(make_executorch.payloads()))
    files['folder'] = os.path.join(folder, 'capture')
    make_neuron_capture.make(files['folder'])
    samples = os.environ.get('STRIA_SAMPLES') or os.path.join(ROOT, '..', 'shared', 'samples')
    for where, _, names in os.walk(samples):
        for name in sorted(names):
            if name.endswith(('.json.gz', '.pickle', '.pte', '.etdp', '.vgf')):
                files['sample ' + name] = os.path.join(where, name)
    return files


def main():
    program = os.path.abspath(sys.argv[1])
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        for kind, path in make_files(folder).items():
            check_picture(tap, 'of a ' + kind, program, folder, path)
        sample = os.path.join(ROOT, 'data', 'sample', 'training-step.json.gz')
        for size in (16, 128, 512):
            check_picture(tap, 'of %d pixels' % size, program, folder, sample, size)
        text = os.path.join(folder, 'notes.txt')
        with open(text, 'w', encoding='utf-8') as file:
            file.write('nothing\n')
        check_none(tap, 'none of a text', program, folder, text)
        check_none(tap, 'none of what is not there', program, folder, text + '.gone')
        cut = os.path.join(folder, 'cut.pt.trace.json')
        with open(cut, 'w', encoding='utf-8') as file:
            file.write('{"schemaVersion": 1, "traceEvents": [')
        check_none(tap, 'none of a trace that was cut before its first event', program, folder, cut)
        done = thumbnail(program, sample, os.path.join(folder, 'picture.png'), '-s', '0')
        tap.equal(done.returncode, 2, 'a size that is none')
    return tap.done()


sys.exit(main())
