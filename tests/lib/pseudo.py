# SPDX-License-Identifier: Apache-2.0
"""A language that is the source between ⟦ and ⟧: whatever of the program's own is shown without them never
went through gettext."""

import json
import os
import re
import subprocess

OPEN, CLOSE = '⟦', '⟧'
PUT_IN = re.compile(r"%(?:\d+\$)?[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j|t|q)?"
                    r"(?:<PRI\w+>|[diouxXeEfFgGcsp%])")
STRING = r'((?:"(?:[^"\\]|\\.)*"\n?)+)'
HEADER = '''msgid ""
msgstr ""
"Language: %s\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
'''


def words(text):
    """Two letters in a row are a word."""
    return re.findall(r'[^\W\d_]{2,}', text)


def marked(text):
    """Each piece between what is put in stands between marks of its own: what is put in has to be a message
    too, or data."""
    pieces = [text] if '="%' in text else PUT_IN.split(text)
    between = PUT_IN.findall(text) + ['']
    made = ''.join((OPEN + piece + CLOSE if words(piece) else piece) + more
                   for piece, more in zip(pieces, between))
    # Gettext wants line breaks at the ends to be the same.
    start = text[:len(text) - len(text.lstrip('\n'))]
    end = text[len(text.rstrip('\n')):]
    return start + (marked(text.strip('\n')) if start or end else made) + end


def string_of(entry, keyword):
    found = re.search(r'^%s %s' % (keyword, STRING), entry, re.MULTILINE)
    return found and ''.join(json.loads(line) for line in found[1].splitlines())


def write_catalogue(source, folder, language):
    """Makes the language @language below @folder of the messages of @source, a .po file. Returns their number."""
    with open(source, encoding='utf-8') as file:
        entries = file.read().split('\n\n')[1:]
    made = [HEADER % language]
    for entry in entries:
        text, plural, context = (string_of(entry, k) for k in ('msgid', 'msgid_plural', 'msgctxt'))
        if text is None:
            continue
        lines = ['msgctxt ' + json.dumps(context, ensure_ascii=False)] if context is not None else []
        lines.append('msgid ' + json.dumps(text, ensure_ascii=False))
        if plural is None:
            lines.append('msgstr ' + json.dumps(marked(text), ensure_ascii=False))
        else:
            lines.append('msgid_plural ' + json.dumps(plural, ensure_ascii=False))
            lines += ['msgstr[%d] %s' % (i, json.dumps(marked(form), ensure_ascii=False))
                      for i, form in enumerate((text, plural))]
        format_of = [line for line in entry.splitlines() if line.startswith('#,')]
        made.append('\n'.join(format_of + lines) + '\n')
    where = os.path.join(folder, language, 'LC_MESSAGES')
    os.makedirs(where, exist_ok=True)
    subprocess.run(['msgfmt', '-o', os.path.join(where, 'stria.mo'), '-'], check=True,
                   input='\n'.join(made), encoding='utf-8')
    return len(made) - 1


def unmarked(text):
    """What of @text stands in no message"""
    left, depth = '', 0
    for letter in text:
        depth += letter == OPEN
        if depth == 0:
            left += letter
        if letter == CLOSE and depth > 0:
            depth -= 1
            left += ' '
    return left
