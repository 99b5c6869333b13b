#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The help: each page in each language that Stria speaks, built alike, with links and pictures that
exist, and all of it among the resources."""

import os
import re

from tap import Report, path, read

HELP = "data/help"
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)]+)\)")


def languages():
    spoken = [line.strip() for line in read("po/LINGUAS").splitlines()]
    return ["C"] + [line for line in spoken if line and not line.startswith("#")]


def pages():
    return sorted(name for name in os.listdir(path(HELP, "C")) if name.endswith(".md"))


def skeleton(text):
    """What kind each block of a page is, in their order; a table's row by its number of cells."""
    blocks = []
    for line in re.sub(r"<!--.*?-->", "", text, flags=re.S).splitlines():
        if line.startswith("#"):
            blocks.append("heading %d" % (len(line) - len(line.lstrip("#"))))
        elif PICTURE.match(line):
            blocks.append("picture " + PICTURE.match(line)[2])
        elif line.startswith("|"):
            blocks.append("row of %d" % (line.count("|") - 1))
        elif re.match(r"[-*] ", line):
            blocks.append("item")
        elif line.strip() and (not blocks or blocks[-1] != "text"):
            blocks.append("text")
        elif not line.strip() and blocks and blocks[-1] == "text":
            blocks.append("")
    return [block for block in blocks if block]


def check_page(language, name, resources):
    place = f"{HELP}/{language}/{name}"
    if not os.path.exists(path(place)):
        return [f"{place} does not exist"]
    text = read(place)
    problems = []
    if f">{place[len('data/'):]}<" not in resources:
        problems.append(f"{place} is not in data/stria.gresource.xml")
    if not text.startswith("<!-- SPDX-License-Identifier: Apache-2.0 -->"):
        problems.append(f"{place} does not begin with its licence")
    for told, picture in PICTURE.findall(text):
        if not told.strip():
            problems.append(f"{place}: {picture} has no text for those who do not see it")
        if not os.path.exists(path(HELP, "pictures", picture)):
            problems.append(f"{place}: there is no picture {picture}")
    for target in LINK.findall(text):
        if not re.match(r"[a-z]+:", target) and target + ".md" not in pages():
            problems.append(f"{place}: there is no page {target}")
    for star in re.findall(r"(?<![*\n])\*(?![*\s])[^*\n]*\*(?!\*)", re.sub(r"`[^`]*`", "", text)):
        problems.append(f"{place}: {star} would be shown with its stars")
    if language != "C":
        source = read(f"{HELP}/C/{name}")
        if skeleton(text) != skeleton(source):
            problems.append(f"{place} is not built like its source: {skeleton(text)} instead of "
                            f"{skeleton(source)}")
        if sorted(LINK.findall(text)) != sorted(LINK.findall(source)):
            problems.append(f"{place} leads elsewhere than its source")
        if text == source:
            problems.append(f"{place} is not translated")
    return problems


def main():
    report = Report()
    resources = read("data/stria.gresource.xml")
    for language in languages():
        problems = [problem for name in pages() for problem in check_page(language, name, resources)]
        surplus = set(os.listdir(path(HELP, language))) - set(pages()) \
            if os.path.isdir(path(HELP, language)) else set()
        problems += [f"{HELP}/{language}/{name} has no source" for name in sorted(surplus)]
        report.check(f"the help speaks {language}", problems)
    shown = {picture for name in pages() for _, picture in PICTURE.findall(read(f"{HELP}/C/{name}"))}
    unused = set(os.listdir(path(HELP, "pictures"))) - shown
    report.check("each picture is shown", [f"{name} is shown nowhere" for name in sorted(unused)])
    report.finish()


main()
