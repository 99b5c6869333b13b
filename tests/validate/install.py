#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What `meson install` puts where.

usage: install.py BUILD_FOLDER
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import APP_ID, Report, read

EXPECTED = [
    "bin/stria",
    "bin/stria-cli",
    "bin/stria-thumbnailer",
    f"share/applications/{APP_ID}.desktop",
    "share/bash-completion/completions/stria",
    "share/bash-completion/completions/stria-cli",
    f"share/dbus-1/services/{APP_ID}.service",
    f"share/glib-2.0/schemas/{APP_ID}.gschema.xml",
    f"share/gnome-shell/search-providers/{APP_ID}.search-provider.ini",
    f"share/icons/hicolor/scalable/apps/{APP_ID}.svg",
    f"share/icons/hicolor/symbolic/apps/{APP_ID}-symbolic.svg",
    *(f"share/icons/hicolor/scalable/mimetypes/{APP_ID}-{kind}.svg" for kind in (
        "capture", "model", "profile", "program", "record", "snapshot", "trace")),
    "share/man/man1/stria-cli.1",
    "share/man/man1/stria.1",
    f"share/metainfo/{APP_ID}.metainfo.xml",
    f"share/mime/packages/{APP_ID}.xml",
    "share/stria/sample/training-step.json.gz",
    "share/stria/schema.sql",
    f"share/thumbnailers/{APP_ID}.thumbnailer",
]


def prefix_of(build):
    with open(os.path.join(build, "meson-info", "intro-buildoptions.json"),
              encoding="utf-8") as file:
        return next(o["value"] for o in json.load(file) if o["name"] == "prefix")


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)


def check_databases(report, share):
    """What a package's scripts do to the folder that it was installed into"""
    icons = os.path.join(share, "icons", "hicolor")
    shutil.copy("/usr/share/icons/hicolor/index.theme", icons)
    for made, *command in (
            ("mime/mime.cache", "update-mime-database", os.path.join(share, "mime")),
            ("applications/mimeinfo.cache", "update-desktop-database", "--quiet",
             os.path.join(share, "applications")),
            ("glib-2.0/schemas/gschemas.compiled", "glib-compile-schemas", "--strict",
             os.path.join(share, "glib-2.0", "schemas")),
            ("icons/hicolor/icon-theme.cache", "gtk4-update-icon-cache", "--quiet", icons)):
        done = run(*command)
        with open(os.path.join(share, made), "rb") as file:
            content = file.read()
        report.check(command[0], [done.stdout] * (done.returncode != 0) + [
            f"{made} has nothing of it"] * (b"stria" not in content.lower()))


def main():
    build = sys.argv[1]
    report = Report()
    languages = [line for line in read("po/LINGUAS").split("\n") if line and line[0] != "#"]
    expected = sorted(EXPECTED + [f"share/locale/{language}/LC_MESSAGES/stria.mo"
                                  for language in languages])
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet",
                               "--destdir", folder], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        report.check("meson install", [done.stdout] if done.returncode else [])
        top = folder + prefix_of(build)
        found = sorted(os.path.relpath(os.path.join(where, name), top)
                       for where, _, names in os.walk(folder) for name in names)
        problems = [f"missing: {name}" for name in expected if name not in found]
        problems += [f"not expected: {name}" for name in found if name not in expected]
        report.check("the installed files are the expected ones", problems)

        problems = []
        for name in ("bin/stria", "bin/stria-cli", "bin/stria-thumbnailer"):
            if not os.access(os.path.join(top, name), os.X_OK):
                problems.append(f"{name} cannot be executed")
        with open(os.path.join(top, f"share/applications/{APP_ID}.desktop"),
                  encoding="utf-8") as file:
            entry = file.read()
        for language in languages:
            if f"Comment[{language}]=" not in entry:
                problems.append(f"the desktop entry has no comment in {language}")
        for name in (f"dbus-1/services/{APP_ID}.service", f"thumbnailers/{APP_ID}.thumbnailer"):
            with open(os.path.join(top, "share", name), encoding="utf-8") as file:
                for program in re.findall(r"^(?:Try)?Exec=(\S+)", file.read(), re.M):
                    if not os.access(folder + program, os.X_OK):
                        problems.append(f"{name} starts {program}, which is not there")
        report.check("programs can be executed, the desktop entry is translated", problems)
        check_databases(report, os.path.join(top, "share"))
    report.finish()


main()
