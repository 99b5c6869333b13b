#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Write the numbers of Neuron's runtime events as a C table.

usage: neuron-events.py INPUT OUTPUT
"""

import json
import sys


def main():
    source, target = sys.argv[1:]
    versions = ()
    rows = []
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split()
            if not words or line.startswith("#"):
                continue
            if words[0] == "versions":
                versions = [int(word) for word in words[1:]]
                continue
            if len(words) != 4 or words[2] not in ("sw", "hw"):
                sys.exit(f"{source}:{number}: expected NUMBER NAME sw|hw SHOWN, found {line!r}")
            for version in versions:
                rows.append((version, int(words[0]), words[1], words[2] == "hw",
                             words[1].lower() if words[3] == "-" else words[3]))
    with open(target, "w", encoding="utf-8") as file:
        file.write("#pragma once\n\n#include <glib.h>\n\n"
                   "static const struct\n{\n  guint32 version;\n  guint32 number;\n"
                   "  const char *name;\n  gboolean is_hardware;\n  const char *shown;\n"
                   "} neuron_events[] = {\n")
        for version, number, name, hardware, shown in sorted(rows):
            file.write(f"  {{ {version}, {number}, {json.dumps(name)}, {int(hardware)}, "
                       f"{json.dumps(shown)} }},\n")
        file.write("};\n")


main()
