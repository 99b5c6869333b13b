# SPDX-License-Identifier: Apache-2.0
"""The little that the checks in this folder share: a TAP report and the list of source files."""

import os
import shutil
import sys

ROOT = os.environ.get("STRIA_SOURCE_ROOT") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
APP_ID = "io.github.stria.Stria"


class Report:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def check(self, name, problems):
        """One test: it passes if the list of problems is empty."""
        self.count += 1
        if problems:
            self.failed += 1
            for problem in problems:
                for line in str(problem).splitlines():
                    print(f"# {line}")
        print(f"{'not ok' if problems else 'ok'} {self.count} - {name}", flush=True)

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}", flush=True)

    def finish(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)


def path(*parts):
    return os.path.join(ROOT, *parts)


def read(name):
    with open(path(name), encoding="utf-8") as file:
        return file.read()


def tree_files():
    """All files of the project by their name below ROOT, without builds and what Git keeps."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        if folder == ROOT:
            folders[:] = [f for f in folders if f not in (".git", "build")
                          and (f == "build-aux" or not f.startswith("build-"))]
        folders[:] = sorted(f for f in folders if f not in ("__pycache__", ".cache"))
        for name in sorted(names):
            if not name.endswith((".pyc", "~", ".swp")) and name != ".git":
                found.append(os.path.relpath(os.path.join(folder, name), ROOT))
    return found


def have(program):
    return shutil.which(program) is not None
