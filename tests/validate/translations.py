#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""po/POTFILES.in names every file with text for people, and the translations fit that text.

usage: translations.py            check
       translations.py --update   write po/POTFILES.in and bring po/*.po up to date
"""

import os
import re
import subprocess
import sys
import tempfile

from tap import Report, path, read, tree_files

FOLDERS = ("app", "data", "decoders", "model", "widgets")
IN_C = re.compile(r'\b(_|N_|C_|NC_|Q_|ngettext|dngettext|dgettext|g_dngettext|g_dpgettext2?'
                  r'|gettext) ?\(\s*"')
HEADER = "# SPDX-License-Identifier: Apache-2.0\n"
KEYWORDS = ["_", "N_", "C_:1c,2", "NC_:1c,2", "g_dcgettext:2", "g_dngettext:2,3",
            "g_dpgettext2:2c,3", "ngettext:1,2"]


def with_text():
    found = []
    for name in tree_files():
        if name.split(os.sep)[0] not in FOLDERS:
            continue
        if name.endswith((".desktop.in", ".metainfo.xml.in", ".gschema.xml")) \
                or re.search(r"Stria\.xml\.in$", name):
            found.append(name)
        elif name.endswith(".ui") and 'translatable="' in read(name):
            found.append(name)
        elif name.endswith((".c", ".h")) and IN_C.search(read(name)):
            found.append(name)
    return found


def listed():
    return [line.strip() for line in read("po/POTFILES.in").splitlines()
            if line.strip() and not line.startswith("#")]


def languages():
    return [line.strip() for line in read("po/LINGUAS").splitlines()
            if line.strip() and not line.startswith("#")]


def run(*command):
    return subprocess.run(command, cwd=path(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, env=dict(os.environ, LC_ALL="C.UTF-8"))


def extract(target):
    """Writes the template of all messages; returns a list of problems."""
    done = run("xgettext", "--from-code=UTF-8", "--package-name=stria", "--add-comments",
               "--files-from=po/POTFILES.in", "--sort-by-file", "--output=" + target,
               *("--keyword=" + keyword for keyword in KEYWORDS))
    return [done.stdout] if done.returncode else []


def cut_short(text):
    """Gettext reads a string up to a macro of GLib in its middle, and never finds it again. "10 %" at
    the end is a share."""
    return [f"{entry}\nis cut at a macro: use PRIu64 and its like of inttypes.h, which gettext knows"
            for entry in text.split("\n\n") if re.search(r'(?<!%)(?<!\d )%"\nmsg', entry)]


def count(text, pattern):
    found = re.search(r"(\d+) " + pattern, text)
    return int(found[1]) if found else 0


def check_language(report, language, template, folder):
    source = f"po/{language}.po"
    if not os.path.exists(path(source)):
        report.check(f"{language} fits the program", [f"{source} does not exist"])
        return
    done = run("msgfmt", "--check", "--output-file=/dev/null", source)
    report.check(f"{language} is well-formed", [done.stdout] if done.returncode else [])

    merged = os.path.join(folder, language + ".po")
    done = run("msgmerge", "--quiet", "--no-fuzzy-matching", "--output-file=" + merged, source,
               template)
    if done.returncode:
        report.check(f"{language} fits the program", [done.stdout])
        return
    done = run("msgfmt", "--statistics", "--output-file=/dev/null", merged)
    translated = count(done.stdout, "translated message")
    lacking = count(done.stdout, "untranslated message") + count(done.stdout, "fuzzy translation")
    problems = []
    if translated == 0 or lacking > 0:
        problems = [f"{source}: {translated} messages translated, {lacking} not"]
    print(f"# {language}: {translated} messages translated, {lacking} not")
    report.check(f"{language} fits the program", problems)


def update():
    with open(path("po/POTFILES.in"), "w", encoding="utf-8") as file:
        file.write(HEADER + "".join(name + "\n" for name in sorted(with_text())))
    with tempfile.TemporaryDirectory() as folder:
        template = os.path.join(folder, "stria.pot")
        problems = extract(template)
        if problems:
            sys.exit("".join(problems))
        for language in languages():
            done = run("msgmerge", "--quiet", "--update", "--backup=none", "--no-fuzzy-matching",
                       "--no-location", f"po/{language}.po", template)
            print(done.stdout, end="")
            print(language, run("msgfmt", "--statistics", "--output-file=/dev/null",
                                f"po/{language}.po").stdout, end="")


def main():
    if sys.argv[1:] == ["--update"]:
        update()
        return
    report = Report()
    expected = set(with_text())
    found = listed()
    problems = [f"{name} has text for people and is not listed" for name in sorted(expected - set(found))]
    problems += [f"{name} is listed and has no text or does not exist"
                 for name in sorted(set(found) - expected)]
    problems += [f"{name} is listed twice" for name in sorted(set(found)) if found.count(name) > 1]
    report.check("po/POTFILES.in is complete", problems)

    with tempfile.TemporaryDirectory() as folder:
        template = os.path.join(folder, "stria.pot")
        problems = extract(template)
        report.check("messages can be extracted", problems)
        if not problems:
            with open(template, encoding="utf-8") as file:
                report.check("messages are whole", cut_short(file.read()))
        for language in languages():
            check_language(report, language, template, folder)
    report.finish()


main()
