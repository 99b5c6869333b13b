#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Count tests and end with the line "N passed, N failed, N skipped".

usage: summary.py [--steps FILE] [LABEL=]TESTLOG.json...

TESTLOG.json is what `meson test` leaves in meson-logs: a JSON object a line. A program that speaks
TAP counts as the tests it reports, any other as one. FILE has lines "pass NAME" and "fail NAME".
What failed and what was skipped, and why, is printed before the last line. The exit status is 1 if
a test failed or none passed.
"""

import argparse
import json
import os
import re
import sys

TAP_TEST = re.compile(r"^(not )?ok\b *(\d+)? *(?:- *)?([^#]*)(?:# *(\w+) *(.*))?$")
TAP_PLAN = re.compile(r"^1\.\.(\d+)(?: *# *SKIP\b *(.*))?", re.IGNORECASE)


class Count:
    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []

    def add_tap(self, program, output):
        """Returns False if the output is not TAP."""
        seen = failed = 0
        plan = None
        for line in output.splitlines():
            found = TAP_PLAN.match(line)
            if found:
                plan = int(found[1])
                if plan == 0:
                    self.skipped.append((program, found[2] or "no reason given"))
                continue
            found = TAP_TEST.match(line)
            if not found:
                continue
            seen += 1
            name = f"{program} {found[3].strip()}".strip()
            directive = (found[4] or "").upper()
            if directive == "SKIP":
                self.skipped.append((name, found[5] or "no reason given"))
            elif directive == "TODO" or not found[1]:
                self.passed += 1
            else:
                failed += 1
                self.failed.append((name, "not ok"))
        if seen == 0 and plan is None:
            return False
        if plan is not None and seen < plan:
            self.failed.append((program, f"ended after {seen} of {plan} tests"))
        elif plan is None:
            self.failed.append((program, f"ended after {seen} tests, without a plan"))
        return True

    def add_program(self, label, entry):
        # Meson writes "project:suite / name"
        program = re.sub(r"^[^/:]*:", "", entry["name"])
        if label:
            program = f"{label} {program}"
        result = entry["result"]
        output = entry.get("stdout") or ""
        failures = len(self.failed)
        if not self.add_tap(program, output):
            if result in ("OK", "EXPECTEDFAIL"):
                self.passed += 1
            elif result == "SKIP":
                reason = output.strip().splitlines()
                self.skipped.append((program, reason[-1] if reason else "no reason given"))
        if result not in ("OK", "EXPECTEDFAIL", "SKIP") and len(self.failed) == failures:
            self.failed.append((program, f"{result.lower()}, exit status {entry.get('returncode')}"))

    def add_log(self, argument):
        label, _, path = argument.rpartition("=")
        if not os.path.exists(path):
            self.failed.append((path, "no such file: its tests did not run"))
            return
        with open(path, encoding="utf-8") as file:
            for line in file:
                self.add_program(label, json.loads(line))

    def add_steps(self, path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                verdict, _, name = line.rstrip("\n").partition(" ")
                if verdict == "pass":
                    self.passed += 1
                else:
                    self.failed.append((name, "see above"))

    def finish(self):
        for name, reason in self.skipped:
            print(f"skipped {name}: {reason}")
        for name, reason in self.failed:
            print(f"failed {name}: {reason}")
        print(f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped")
        return 1 if self.failed or not self.passed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps")
    parser.add_argument("logs", nargs="*")
    args = parser.parse_args()
    count = Count()
    if args.steps:
        count.add_steps(args.steps)
    for log in args.logs:
        count.add_log(log)
    return count.finish()


sys.exit(main())
