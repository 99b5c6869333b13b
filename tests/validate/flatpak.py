#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The Flatpak manifest: flatpak-builder reads it and knows every word of it, it asks for no files and
no network, each source of it is pinned by its content, and nothing that Stria is built with is
missing."""

import json
import re
import subprocess

from tap import APP_ID, Report, path, read

MANIFEST = f"flatpak/{APP_ID}.yml"
ALLOWED = {"--share=ipc", "--socket=wayland", "--socket=fallback-x11", "--device=dri"}
# What GNOME's runtime is made of
RUNTIME = {"cairo", "cairo-pdf", "cairo-svg", "gio-2.0", "gio-unix-2.0", "glib-2.0", "gobject-2.0",
           "gtk4", "gtksourceview-5", "json-glib-1.0", "libadwaita-1", "libzstd", "m", "pangocairo",
           "sqlite3", "threads", "zlib"}
# Names of pkg-config to modules of the manifest
MODULES = {"libarchive": "libarchive", "libbrotlidec": "brotli", "liblz4": "lz4",
           "libprotobuf-c": "protobuf-c", "nettle": "nettle", "snappy": "snappy", "yajl": "yajl"}


def keys(value, found):
    """Every name that stands before a colon in what was parsed"""
    if isinstance(value, dict):
        for key, inner in value.items():
            found.add(key)
            keys(inner, found)
    elif isinstance(value, list):
        for inner in value:
            keys(inner, found)
    return found


def check_sources(report, manifest):
    problems = []
    for module in manifest["modules"]:
        for source in module["sources"]:
            kind = source["type"]
            if kind == "archive":
                if not re.fullmatch(r"[0-9a-f]{64}", source.get("sha256", "")):
                    problems.append(f"{module['name']}: no sha256")
                if not source["url"].startswith("https://"):
                    problems.append(f"{module['name']}: {source['url']}")
            elif kind != "dir" or module is not manifest["modules"][-1]:
                problems.append(f"{module['name']}: a source of type {kind}")
    report.check("each source is pinned by its content", problems)


def check_dependencies(report, manifest):
    modules = [module["name"] for module in manifest["modules"]]
    build = read("meson.build")
    needed = set(re.findall(r"\b(?:dependency|find_library)\('([^']+)'", build))
    problems = [] if len(needed) > 15 else [f"only {len(needed)} dependencies in meson.build"]
    for name in sorted(needed - RUNTIME):
        if MODULES.get(name) not in modules:
            problems.append(f"{name} is neither in the runtime nor a module")
    for module in set(modules) - set(MODULES.values()) - {"protobuf", modules[-1]}:
        problems.append(f"nothing needs {module}")
    report.check("each dependency is there, and no more", problems)


def main():
    report = Report()
    done = subprocess.run(["flatpak-builder", "--show-manifest", path(MANIFEST)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    report.check("flatpak-builder reads it", [done.stderr] if done.returncode else [])
    if done.returncode:
        report.finish()
    manifest = json.loads(done.stdout)

    # A word that it does not know is left out silently.
    written = set(re.findall(r"^[ -]*([a-z][a-z0-9-]*):(?: |$)", read(MANIFEST), re.M))
    report.check("it knows each word of it", [
        f"{word} is not known" for word in sorted(written - keys(manifest, set()))])
    report.check("it asks for no files and no network", [
        f"asks for {word}" for word in manifest["finish-args"] if word not in ALLOWED])
    report.check("its names are those of the program", [
        f"{key} is {manifest.get(key)}" for key, value in (
            ("id", APP_ID), ("command", "stria"), ("runtime", "org.gnome.Platform"),
            ("sdk", "org.gnome.Sdk")) if manifest.get(key) != value])
    check_sources(report, manifest)
    check_dependencies(report, manifest)
    report.finish()


main()
