#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The walls between folders, and what no file of the project may hold."""

import os
import re

from tap import Report, read, tree_files

# What the C files of a folder may not include, beside the headers of the folders above it.
FORBIDDEN_INCLUDES = {
    "model": r"gtk/|gdk/|gsk/|adwaita|libadwaita|cairo|pango|archive|zlib|yajl/|protobuf-c/"
             r"|google/|gtksourceview",
    "decoders": r"gtk/|gdk/|gsk/|adwaita|libadwaita|cairo|pango|sqlite3",
    "widgets": r"sqlite3|archive|zlib|zstd|yajl/|protobuf-c/|stdio_ext|fcntl|gio/gunix",
}
FOLDERS_BELOW = {
    "model": ("model",),
    "decoders": ("decoders", "model"),
    "widgets": ("widgets", "model"),
    "app": ("app", "widgets", "decoders", "model"),
}
OPENS_A_FILE = re.compile(
    r"\b(g_fopen|fopen|g_open|open|openat|mmap|g_mapped_file_new\w*|g_file_get_contents"
    r"|g_file_set_contents\w*|g_file_read\w*|g_file_load\w*|g_file_new_for_\w+|g_file_create\w*"
    r"|g_file_replace\w*|g_file_open_\w+|g_file_enumerate\w*|sqlite3_\w+) ?\(")
SQL = re.compile(r'"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA) ')

TEXT_WITH_LICENCE = (".c", ".h", ".py", ".sh", ".ui", ".xml", ".in", ".build", ".sql", ".svg",
                     ".css", ".yml", ".proto", ".1", ".po", ".txt")
LICENCE = "SPDX-" + "License-Identifier: Apache-2.0"
# Made by a program, or a list that a program reads
WITHOUT_LICENCE = ("LICENSE", "LINGUAS")

NOT_HERE = {
    "a path of somebody's machine": r"(?<![\w.])/(" + "work|root|home|Users" + r")/\w",
    "a package host": "|".join(name.replace("!", r"\.") for name in (
        "pypi!org", "pythonhosted!org", "registry!npmjs!org", "deb!debian!org", "crates!io",
        "proxy!golang!org", "ftp!debian!org", "archive!ubuntu!com", "conda!anaconda!org")),
}
BINARY = (".png", ".gz", ".zip", ".pickle", ".pkl", ".sqlite", ".tar", ".zst", ".bin", ".jpg")


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def main():
    report = Report()
    files = tree_files()
    sources = [name for name in files if name.endswith((".c", ".h"))]
    headers = {}
    for name in sources:
        if name.endswith(".h"):
            headers.setdefault(os.path.basename(name), name.split(os.sep)[0])

    for folder, below in FOLDERS_BELOW.items():
        problems = []
        mine = [name for name in sources if name.startswith(folder + os.sep)]
        if not mine:
            problems.append(f"{folder}/ has no C files")
        for name in mine:
            for number, line in enumerate(read(name).splitlines(), 1):
                found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
                if not found:
                    continue
                header = found[2]
                home = headers.get(os.path.basename(header)) if found[1] == '"' else None
                forbidden = FORBIDDEN_INCLUDES.get(folder)
                if home and home not in below:
                    problems.append(f"{name}:{number}: {folder}/ includes {header} of {home}/")
                elif not home and forbidden and re.match(forbidden, header):
                    problems.append(f"{name}:{number}: {folder}/ may not include {header}")
        report.check(f"{folder}/ includes only what is below it", problems)

    problems = []
    for name in sources:
        folder = name.split(os.sep)[0]
        if folder not in ("widgets", "decoders") or not name.endswith(".c"):
            continue
        for number, line in enumerate(without_comments(read(name)).splitlines(), 1):
            if folder == "widgets" and OPENS_A_FILE.search(line):
                problems.append(f"{name}:{number}: opens a file: {line.strip()}")
            if SQL.search(line):
                problems.append(f"{name}:{number}: speaks SQL: {line.strip()}")
    report.check("widgets/ opens no file, widgets/ and decoders/ speak no SQL", problems)

    problems = []
    for name in files:
        base = os.path.basename(name)
        if base in WITHOUT_LICENCE or name.startswith("tests" + os.sep + "fuzz" + os.sep + "corpus"):
            continue
        if name.endswith(TEXT_WITH_LICENCE) or name in ("dev", os.path.join(".ci", "run")):
            if LICENCE not in "\n".join(read(name).splitlines()[:12]):
                problems.append(f"{name}: no line {LICENCE} at the top")
    report.check("every source file names its licence", problems)

    for what, pattern in NOT_HERE.items():
        pattern = re.compile(pattern)
        problems = []
        for name in files:
            if name.endswith(BINARY) or "corpus" in name.split(os.sep):
                continue
            try:
                text = read(name)
            except UnicodeDecodeError:
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if pattern.search(line):
                    problems.append(f"{name}:{number}: {line.strip()[:120]}")
        report.check(f"no file holds {what}", problems)

    report.finish()


main()
