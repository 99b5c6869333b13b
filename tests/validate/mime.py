#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The MIME types keep to their standard and compile, and files are told apart by them as the desktop
does it: made ones, real ones, and those that are none of ours.

usage: mime.py MERGED.xml
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures"))

import make_neffs  # noqa: E402
import make_ntff  # noqa: E402

from tap import APP_ID, Report, path, read  # noqa: E402

BASE = "/usr/share/mime/packages/freedesktop.org.xml"
ZIP_OF_RECORD = (b"PK\x03\x04\x14\0\0\0\0\0\0\0\x21\0" + bytes(12) + b"\x0b\0\0\0" + b"ETRECORD_V0")
NEFF = make_neffs.neff([("net.json", b"{}")])
NTFF = make_ntff.device()[0]
OCTETS = "application/octet-stream"
# Name, content, the type with the name, and the type where the name says nothing
FILES = (
    ("rank0.pt.trace.json", b'{\n  "schemaVersion": 1,\n', "pytorch-trace", "pytorch-trace"),
    ("rank0.pt.trace.json.gz", b"\x1f\x8b\x08", "pytorch-trace-compressed", "application/gzip"),
    ("chrome.trace.json", b'{"traceEvents": [', "trace-events", "trace-events"),
    ("chrome.trace.json.gz", b"\x1f\x8b\x08", "trace-events-compressed", "application/gzip"),
    ("trace.json", b'{"traceEvents": [', "application/json", "trace-events"),
    ("package.json", b'{"name": "x"}', "application/json", None),
    ("other.json.gz", b"\x1f\x8b\x08", "application/gzip", "application/gzip"),
    ("memory_snapshot_rank3.pickle", b"\x80\x04\x95\x0c\0\x01\0\0\0\0\0}\x94(\x8c\x08segments\x94",
     "pytorch-memory-snapshot", "pytorch-memory-snapshot"),
    ("weights.pkl", b"\x80\x04\x95\x0c\0\x01\0\0\0\0\0}\x94(\x8c\x06layers\x94", OCTETS, OCTETS),
    ("profile.ntff", NTFF, "neuron-ntff", "neuron-ntff"),
    ("profile_rank_0.ntff", b"\x06" + bytes(200), "neuron-ntff", OCTETS),
    ("graph.neff", NEFF, "neuron-neff", "neuron-neff"),
    ("ntrace.pb", b"\x12\x03abc\0", "neuron-system-profile", None),
    ("other.pb", b"\x12\x03abc\0", OCTETS, OCTETS),
    ("model.etrecord", ZIP_OF_RECORD, "executorch-etrecord", "executorch-etrecord"),
    ("etrecord.bin", ZIP_OF_RECORD, "executorch-etrecord", "executorch-etrecord"),
    ("other.zip", b"PK\x03\x04\x14\0\0\0\0\0\0\0\x21\0", "application/zip", "application/zip"),
    ("run.etdump", bytes(8) + b"ED00", "executorch-etdump", "executorch-etdump"),
    ("run.etdp", b"\x08\0\0\0ED00", "executorch-etdump", "executorch-etdump"),
    ("model.pte", b"\x30\0\0\0ET12eh00", "executorch-program", "executorch-program"),
    ("model.vgf", b"VGF1" + bytes(20), "vgf", "vgf"),
    ("older.vgf", b"\xc3\xd2\xe1\xf0" + bytes(20), "vgf", "vgf"),
)
SAMPLES = {".pickle": "pytorch-memory-snapshot", ".pte": "executorch-program",
           ".etdp": "executorch-etdump", ".vgf": "vgf"}
# Files of a folder, and whether it is a capture by its look
FOLDERS = (
    (["ntrace.pb", "trace_info.pb"], True),
    (["etrecord.bin", "etdump.etdp"], True),
    (["memory_snapshot.pickle"], True),
    (["notes.txt", "model.bin"], False),
)
TREE = """
import sys
from gi.repository import Gio
for name in sys.argv[1:]:
    print(' '.join(Gio.content_type_guess_for_tree(Gio.File.new_for_path(name))) or '-')
"""


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)


def full(name):
    return name if name is None or "/" in name else "application/x-" + name


def type_of(file, env):
    done = run(["gio", "info", "-a", "standard::content-type", file], env=env)
    found = re.search(r"standard::content-type: (\S+)", done.stdout)
    return found[1] if found else done.stdout


def write(folder, name, content):
    file = os.path.join(folder, name)
    with open(file, "wb") as out:
        out.write(content)
    return file


def wrong(file, expected, env):
    found = type_of(file, env)
    return [] if expected is None or found == full(expected) else [
        f"{os.path.basename(file)}: {found}, expected {full(expected)}"]


def check_standard(report, merged, folder):
    """The definition stands at the top of the desktop's own database."""
    with open(BASE, encoding="utf-8") as file:
        definition = re.search(r"<!DOCTYPE mime-info \[(.*?)\n\]>", file.read(), re.S)[1]
    dtd = write(folder, "mime.dtd", definition.encode())
    done = run(["xmllint", "--noout", "--dtdvalid", dtd, merged])
    report.check("the file keeps to its definition", [done.stdout] if done.returncode else [])


def check_files(report, folder, env):
    problems = []
    for i, (name, content, named, nameless) in enumerate(FILES):
        problems += wrong(write(folder, name, content), named, env)
        problems += wrong(write(folder, f"nameless-{i}", content), nameless, env)
    report.check("made files are told apart, by name and without one", problems)

    samples = os.environ.get("STRIA_SAMPLES") or path("..", "shared", "samples")
    if not os.path.isdir(samples):
        report.skip("real files are told apart", "no samples beside the source tree")
        return
    problems = []
    for where, _, names in os.walk(samples):
        for name in names:
            expected = SAMPLES.get(os.path.splitext(name)[1])
            if expected:
                link = os.path.join(folder, f"link-{len(os.listdir(folder))}")
                os.symlink(os.path.join(where, name), link)
                problems += wrong(link, expected, env)
    report.check("real files are told apart without their names", problems)


def check_folders(report, folder, env):
    folders = []
    for i, (names, _) in enumerate(FOLDERS):
        folders.append(os.path.join(folder, f"folder-{i}"))
        os.mkdir(folders[-1])
        for name in names:
            write(folders[-1], name, b"x")
    done = run(["/usr/bin/python3", "-c", TREE, *folders], env=env)
    expected = ["x-content/x-stria-capture" if is_capture else "-" for _, is_capture in FOLDERS]
    report.check("folders that are captures are seen to be", []
                 if done.stdout.split("\n")[:len(folders)] == expected else [done.stdout])


def check_icons(report, merged):
    with open(merged, encoding="utf-8") as file:
        icons = set(re.findall(r'<icon name="([^"]+)"', file.read()))
    build = read("data/meson.build")
    report.check("types have pictures", [
        f"{icon}: no such picture" for icon in icons
        if not os.path.exists(path("data/icons/mimetypes", icon + ".svg"))]
        + ([] if "icons/mimetypes" in build else ["pictures are not installed"]))


def main():
    merged = os.path.abspath(sys.argv[1])
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        check_standard(report, merged, folder)
        packages = os.path.join(folder, "mime", "packages")
        os.makedirs(packages)
        shutil.copy(merged, os.path.join(packages, APP_ID + ".xml"))
        shutil.copy(BASE, packages)
        done = run(["update-mime-database", "-V", os.path.join(folder, "mime")])
        complaints = [line for line in done.stdout.splitlines()
                      if APP_ID in line and "***" in line or "Unknown" in line]
        if done.returncode:
            complaints.append(f"exit status {done.returncode}: {done.stdout}")
        report.check("update-mime-database", complaints)

        env = dict(os.environ, XDG_DATA_HOME=folder, XDG_DATA_DIRS="/nowhere")
        files = os.path.join(folder, "files")
        os.mkdir(files)
        check_files(report, files, env)
        check_folders(report, files, env)
    check_icons(report, merged)
    report.finish()


main()
