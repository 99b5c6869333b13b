#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A Flatpak of Stria without the network: from libraries of this Debian in place of GNOME's runtime,
# and of what `meson install` puts into /app. It shows that the sandbox, the exported files and the
# names on the bus fit; what the manifest's modules build is not tried by it.
#
#   flatpak/try-local.sh FOLDER     writes FOLDER/repo and installs it for this folder only
#   flatpak/try-local.sh FOLDER run [--command=stria-cli] io.github.stria.Stria [ARGUMENT...]
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "$0")")")
id=io.github.stria.Stria
branch=$(sed -n "s/^runtime-version: '\(.*\)'/\1/p" "$root/flatpak/$id.yml")
arch=$(flatpak --default-arch)
folder=$(realpath -m "${1:?a folder is missing}")
shift
export FLATPAK_USER_DIR=$folder/installed

if [ "${1:-}" = run ]; then
  shift
  exec flatpak --user run "$@"
fi

mkdir -p "$folder"
rm -rf "$folder/runtime" "$folder/app" "$folder/repo" "$folder/installed" "$folder/build"

# Every file of a package and of what it needs, but its documentation
files_of () {
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
    --no-replaces --no-enhances "$@" | grep '^[a-z0-9]' | sort -u |
    while read -r package; do dpkg-query -L "$package" 2>/dev/null || true; done |
    grep -E '^/(usr|lib|lib64|bin|sbin)/' | grep -vE '^/usr/share/(doc|man|locale|info)/' |
    sed -E 's,^/(lib|lib64|bin|sbin)/,/usr/\1/,' | sort -u
}

mkdir -p "$folder/runtime/usr/etc" "$folder/runtime/files"
files_of libgtk-4-1 libadwaita-1-0 libgtksourceview-5-0 libjson-glib-1.0-0 libyajl2 libprotobuf-c1 \
  libarchive13 libzstd1 libsnappy1v5 liblz4-1 libbrotli1 libnettle8 libsqlite3-0 bash coreutils \
  libc-bin librsvg2-common adwaita-icon-theme fonts-cantarell fonts-dejavu-core fontconfig-config |
  while read -r file; do [ -d "$file" ] && [ ! -L "$file" ] || printf '%s\0' "${file#/}"; done |
  tar -C / --null --no-recursion --ignore-failed-read -T - -cf - 2>/dev/null |
  tar -C "$folder/runtime" -xf -
cp -rL /etc/fonts "$folder/runtime/usr/etc/"
# What is made when packages are set up
for name in glib-2.0/schemas/gschemas.compiled mime; do
  cp -r "/usr/share/$name" "$folder/runtime/usr/share/${name%mime}"
done
cp /usr/lib/*/gdk-pixbuf-2.0/*/loaders.cache "$folder/runtime$(echo /usr/lib/*/gdk-pixbuf-2.0/*/)"
[ -e "$folder/runtime/usr/bin/sh" ] || ln -s bash "$folder/runtime/usr/bin/sh"
printf '[Runtime]\nname=%s\nruntime=%s\nsdk=%s\n' org.gnome.Platform \
  "org.gnome.Platform/$arch/$branch" "org.gnome.Sdk/$arch/$branch" >"$folder/runtime/metadata"
flatpak build-export --runtime "$folder/repo" "$folder/runtime" "$branch"

flatpak --user remote-add --no-gpg-verify local "$folder/repo"
flatpak --user install -y --noninteractive local "org.gnome.Platform//$branch"

mkdir -p "$folder/app/files" "$folder/app/var"
printf '[Application]\nname=%s\nruntime=%s\nsdk=%s\n' "$id" \
  "org.gnome.Platform/$arch/$branch" "org.gnome.Sdk/$arch/$branch" >"$folder/app/metadata"
build=${STRIA_BUILD:-$folder/build}
if [ ! -f "$build/build.ninja" ]; then
  meson setup "$build" "$root" --prefix=/app --libdir=lib --buildtype=release -Dbench=false
fi
ninja -C "$build"
meson install -C "$build" --no-rebuild --quiet --destdir "$folder/staged"
cp -a "$folder/staged/app/." "$folder/app/files/"
rm -rf "$folder/staged"
glib-compile-schemas "$folder/app/files/share/glib-2.0/schemas"

mapfile -t arguments < <(/usr/bin/python3 -c '
import json, subprocess, sys
manifest = json.loads(subprocess.check_output(["flatpak-builder", "--show-manifest", sys.argv[1]]))
print("--command=" + manifest["command"])
print("\n".join(manifest["finish-args"]))' "$root/flatpak/$id.yml")
flatpak build-finish "$folder/app" "${arguments[@]}"
flatpak build-export "$folder/repo" "$folder/app"
flatpak build-update-repo "$folder/repo"
flatpak --user install -y --noninteractive local "$id"
find "$FLATPAK_USER_DIR/exports/share" -name "*$id*" | sort
