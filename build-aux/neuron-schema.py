#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Write the published schema of Neuron profiles as C tables.

usage: neuron-schema.py INPUT OUTPUT
"""

import json
import sys

TYPES = {"int": "INT", "real": "REAL", "bool": "BOOL", "text": "TEXT"}


def string(text):
    return json.dumps(text, ensure_ascii=False)


def main():
    source, target = sys.argv[1:]
    tables = []
    version = None
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            if line.startswith("version "):
                version = line.split()[1]
                continue
            words, bar, note = line.partition("|")
            words = words.split()
            if not bar or len(words) != (3 if line.startswith(" ") else 2):
                sys.exit(f"{source}:{number}: expected NAME TYPE UNIT | NOTE, found {line!r}")
            if not line.startswith(" "):
                tables.append((words[0], words[1], note.strip(), []))
                continue
            name, kind, unit = words
            required = not kind.endswith("?")
            kind = kind.rstrip("?")
            is_list = kind.endswith("[]")
            cell = "TEXT" if is_list else TYPES[kind]
            tables[-1][3].append((name, cell, is_list, required, "" if unit == "-" else unit,
                                  note.strip()))
    with open(target, "w", encoding="utf-8") as file:
        file.write("#pragma once\n\n")
        for name, _, _, columns in tables:
            file.write(f"static const StriaNeuronColumn columns_of_{name}[] = {{\n")
            for column, cell, is_list, required, unit, note in columns:
                file.write(f"  {{ {string(column)}, STRIA_CELL_{cell}, {int(is_list)}, "
                           f"{int(required)}, {string(unit)}, {string(note)} }},\n")
            file.write("};\n")
        file.write("static const StriaNeuronTable neuron_tables[] = {\n")
        for name, kind, note, columns in tables:
            file.write(f"  {{ {string(name)}, {string(kind)}, {string(note)}, {len(columns)}, "
                       f"columns_of_{name} }},\n")
        file.write("};\n")
        file.write(f"#define STRIA_NEURON_SCHEMA_VERSION_TEXT {string(version)}\n")


main()
