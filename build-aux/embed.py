#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Write a text file as a C header with one string constant.

usage: embed.py INPUT OUTPUT NAME

C compilers need not take string literals of any length, so the text goes in as bytes.
"""

import sys


def main():
    source, target, name = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    if b"\0" in data:
        sys.exit(f"{source}: byte 0x00 at offset {data.index(0)}, expected text")
    lines = []
    for start in range(0, len(data), 16):
        lines.append("  " + " ".join(f"{byte}," for byte in data[start:start + 16]))
    with open(target, "w", encoding="ascii") as file:
        file.write("#pragma once\n\n")
        file.write(f"static const char {name}[] = {{\n")
        file.write("\n".join(lines))
        file.write("\n  0\n};\n")


main()
