#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The MIME types compile, and files are told apart by them as the desktop does it.

usage: mime.py MERGED.xml
"""

import os
import shutil
import subprocess
import sys
import tempfile

from tap import APP_ID, Report, have

BASE = "/usr/share/mime/packages/freedesktop.org.xml"
ZIP_OF_RECORD = (b"PK\x03\x04\x14\0\0\0\0\0\0\0\x21\0" + bytes(12) + b"\x0b\0\0\0" + b"ETRECORD_V0")
SAMPLES = (
    ("rank0.pt.trace.json", b"{}", "application/x-pytorch-trace"),
    ("rank0.pt.trace.json.gz", b"\x1f\x8b\x08", "application/x-pytorch-trace-compressed"),
    ("no-name-1", b'{\n  "schemaVersion": 1,\n', "application/x-pytorch-trace"),
    ("no-name-2", b'{"traceEvents": [', "application/x-pytorch-trace"),
    ("package.json", b'{"name": "x"}', "application/json"),
    ("other.json.gz", b"\x1f\x8b\x08", "application/gzip"),
    ("rank0_memory_snapshot.pickle", b"\x80\x04}", "application/x-pytorch-memory-snapshot"),
    ("profile.ntff", b"\x06" + bytes(200), "application/x-neuron-ntff"),
    ("graph.neff", bytes(64), "application/x-neuron-neff"),
    ("model.etrecord", ZIP_OF_RECORD, "application/x-executorch-etrecord"),
    ("record-without-name", ZIP_OF_RECORD, "application/x-executorch-etrecord"),
    ("run.etdump", bytes(8) + b"ED00", "application/x-executorch-etdump"),
    ("run.etdp", bytes(4) + b"ED00", "application/x-executorch-etdump"),
    ("no-name-3", bytes(8) + b"ED00\x01", "application/x-executorch-etdump"),
    ("model.pte", bytes(4) + b"ET12", "application/x-executorch-program"),
    ("no-name-4", b"\x30\0\0\0ET12eh00", "application/x-executorch-program"),
    ("model.vgf", b"VGF1", "application/x-vgf"),
    ("no-name-5", b"VGF1" + bytes(20), "application/x-vgf"),
)


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)


def main():
    merged = sys.argv[1]
    report = Report()
    if have("xmllint"):
        done = run(["xmllint", "--noout", merged])
        report.check("xmllint", [done.stdout or "failed"] if done.returncode else [])
    else:
        report.skip("xmllint", "the program xmllint is not installed")

    with tempfile.TemporaryDirectory() as folder:
        mime = os.path.join(folder, "mime")
        os.makedirs(os.path.join(mime, "packages"))
        shutil.copy(merged, os.path.join(mime, "packages", APP_ID + ".xml"))
        if os.path.exists(BASE):
            shutil.copy(BASE, os.path.join(mime, "packages"))
        done = run(["update-mime-database", "-V", mime])
        complaints = [line for line in done.stdout.splitlines()
                      if APP_ID in line and "***" in line or "Unknown" in line]
        if done.returncode:
            complaints.append(f"exit status {done.returncode}: {done.stdout}")
        report.check("update-mime-database", complaints)

        problems = []
        env = dict(os.environ, XDG_DATA_HOME=folder, XDG_DATA_DIRS=folder)
        if os.path.exists(BASE) and have("gio"):
            for name, content, expected in SAMPLES:
                file = os.path.join(folder, name)
                with open(file, "wb") as out:
                    out.write(content)
                done = run(["gio", "info", "-a", "standard::content-type", file], env=env)
                found = [line.split(": ")[1] for line in done.stdout.splitlines()
                         if "standard::content-type: " in line]
                if found != [expected]:
                    problems.append(f"{name}: {found or done.stdout}, expected {expected}")
            report.check("files are told apart", problems)
        else:
            report.skip("files are told apart", "gio or the shared MIME database is not installed")
    report.finish()


main()
