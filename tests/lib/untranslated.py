# SPDX-License-Identifier: Apache-2.0
"""Whether what is shown is the language of pseudo.py, in which each message stands between ⟦ and ⟧: a word
without them must be data of the capture, a name that is the same in every language, or GTK's."""

import gzip
import os
import re

import pseudo

# Of GTK, GLib and libadwaita, which have no such language: names of keys and sizes, and their own buttons
FOREIGN = {'Ctrl', 'Shift', 'Alt', 'Tab', 'Return', 'Escape', 'Page', 'Up', 'Down', 'Left', 'Right', 'Home',
           'End', 'Delete', 'Backspace', 'Space', 'Plus', 'Minus', 'Enter', 'bytes', 'byte',
           'kB', 'MB', 'GB', 'KiB', 'MiB', 'GiB', 'ns', 'µs', 'ms', 'Stria', 'stria'}
FOREIGN_TEXTS = {'Close the window', 'Minimize the window', 'Maximize the window', 'Restore the window',
                 'Close', 'Minimize', 'Maximize', 'Expand', 'Next tab', 'Previous tab', 'Menu',
                 'Preferences'}
# Names of Arm's for a graph and for what it consists of, and keys of what is known of a profile
NAMES = {'ETRecord', 'Chain', 'Mapping', 'payloads', 'executions'}
# Identifiers (of columns, types, environment variables, engines) and hashes are the same in every language, and
# formulas are written with them. What has no name of its own, GTK calls by its type: that is another test.
IDENTIFIER = re.compile(r'^= .*|\w*_\w*|\b[A-Z]+[a-z]+[A-Z]\w*|\b[A-Z]{2,}\d*\b|\b[0-9a-f]{16,}\b',
                        re.MULTILINE)


def words_of_file(path):
    with open(path, 'rb') as file:
        data = file.read()
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    found = set(re.findall(r'[^\W\d_]{2,}', data.decode('utf-8', 'ignore')))
    for encoding in ('utf-16-le', 'latin-1'):
        found |= set(re.findall(r'[^\W\d_]{2,}', data.decode(encoding, 'ignore')))
    return found


def words_of(capture):
    """What a capture and the names of its files say"""
    known = set()
    files = [capture] if os.path.isfile(capture) else \
        [os.path.join(where, name) for where, _, names in os.walk(capture) for name in names]
    for path in files:
        known |= words_of_file(path)
    for path in files + [capture]:
        known |= set(pseudo.words(path))
    return known


class Language:
    """What may be said of @capture without a message. @schema: files with names of tables and columns"""

    def __init__(self, capture, *schema):
        self.known = words_of(capture) | FOREIGN | NAMES
        for path in schema:
            self.known |= words_of_file(path)
        self.told = 0  # texts that came through gettext

    def problems(self, nodes):
        found = set()
        for node in nodes:
            for text in (node.name, node.description, node.text):
                self.told += pseudo.OPEN in text
                if text in FOREIGN_TEXTS:
                    continue
                left = IDENTIFIER.sub(' ', pseudo.unmarked(text.replace('(None)', '')))  # GTK's
                foreign = [word for word in pseudo.words(left) if word not in self.known]
                if foreign:
                    found.add('%s: %s of “%s”' % (node.role, ', '.join(foreign), text[:200]))
        return sorted(found)
