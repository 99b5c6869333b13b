#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The Flatpak manifest parses, asks for little, and every source of it is pinned."""

import json
import re
import subprocess

from tap import APP_ID, Report, have, path, read

MANIFEST = f"flatpak/{APP_ID}.yml"
ALLOWED = {"--share=ipc", "--socket=wayland", "--socket=fallback-x11", "--device=dri",
           "--filesystem=host:ro", "--filesystem=home:ro"}


def main():
    report = Report()
    text = read(MANIFEST)
    problems = []
    if not re.search(rf"^(app-)?id: {re.escape(APP_ID)}$", text, re.M):
        problems.append("its id is not that of the application")
    for found in re.findall(r"^ *- (--[^\s#]+)", text.split("modules:")[0], re.M):
        if found not in ALLOWED:
            problems.append(f"asks for {found}")
    report.check("the manifest asks for no more than it needs", problems)

    problems = []
    for block in re.split(r"^ *- type: ", text.split("modules:")[1], flags=re.M)[1:]:
        kind = block.split()[0]
        wanted = {"git": r"^ +tag: \S+", "archive": r"^ +sha256: [0-9a-f]{64}$",
                  "dir": r"^ +path: \.\.$"}.get(kind)
        if wanted is None:
            problems.append(f"unknown kind of source {kind}")
        elif not re.search(wanted, block, re.M):
            problems.append(f"a source of type {kind} is not pinned")
    report.check("every source is pinned", problems)

    if have("flatpak-builder"):
        done = subprocess.run(["flatpak-builder", "--show-manifest", path(MANIFEST)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        problems = [done.stderr] if done.returncode else []
        if not problems and json.loads(done.stdout).get("id", APP_ID) != APP_ID:
            problems = ["flatpak-builder reads another id"]
        report.check("flatpak-builder parses it", problems)
    else:
        report.skip("flatpak-builder parses it", "the program flatpak-builder is not installed")
    report.finish()


main()
