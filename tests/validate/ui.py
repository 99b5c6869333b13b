#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Templates are well-formed, bundled, and every control in them can be found by a screen reader."""

import os
import xml.etree.ElementTree as ElementTree

from tap import Report, path, read, tree_files

# Controls that show a picture only, and so have no name unless they are given one
NAMELESS = {"GtkButton", "GtkMenuButton", "GtkToggleButton"}


def has_name(element):
    for child in element:
        if child.tag == "property" and child.get("name") in (
                "label", "tooltip-text", "child", "action-name") and (child.text or len(child)):
            return True
        if child.tag == "accessibility":
            return True
        if child.tag == "child":
            return True
    return False


def main():
    report = Report()
    templates = [name for name in tree_files() if name.endswith(".ui")]
    report.check("there are templates", [] if templates else ["no .ui file in the tree"])

    problems = []
    for name in templates:
        try:
            root = ElementTree.parse(path(name)).getroot()
        except ElementTree.ParseError as error:
            problems.append(f"{name}: {error}")
            continue
        if root.tag != "interface":
            problems.append(f"{name}: the root is <{root.tag}>, expected <interface>")
        if root.get("domain") not in (None, "stria"):
            problems.append(f"{name}: domain {root.get('domain')}, expected stria")
        for element in root.iter("object"):
            if element.get("class") in NAMELESS and not has_name(element):
                problems.append(f"{name}: {element.get('class')} "
                                f"{element.get('id') or ''} has no name and no tooltip")
    report.check("templates are well-formed, their buttons have names", problems)

    bundled = set()
    problems = []
    lists = [name for name in tree_files() if name.endswith(".gresource.xml")]
    for name in lists:
        for file in ElementTree.parse(path(name)).getroot().iter("file"):
            bundled.add(os.path.join("data", file.text))
            if not os.path.exists(path("data", file.text)):
                problems.append(f"{name}: {file.text} does not exist")
    for name in templates:
        if name not in bundled:
            problems.append(f"{name}: in no .gresource.xml")
    report.check("what is bundled exists, and templates are bundled", problems)

    problems = []
    for name in tree_files():
        if name.endswith((".svg", ".xml", ".xml.in")):
            try:
                ElementTree.fromstring(read(name).encode())
            except ElementTree.ParseError as error:
                problems.append(f"{name}: {error}")
    report.check("XML files are well-formed", problems)
    report.finish()


main()
