#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs a walk through the real window on a display, a bus and settings of its own:
#   run.sh WALK.py PROGRAM OUT_DIR SOURCE_ROOT [ARGUMENT...]
# Exit code 77 where the tools for it are missing.
set -eu

for tool in dbus-run-session Xvfb xdotool import convert; do
  if ! command -v "$tool" >/dev/null; then
    echo "1..0 # SKIP $tool is not installed"
    exit 77
  fi
done
if ! /usr/bin/python3 -c 'import pyatspi' 2>/dev/null; then
  echo "1..0 # SKIP the Python module pyatspi is not installed"
  exit 77
fi

out=$3
rm -rf "$out"
mkdir -p "$out/home"
export HOME="$out/home" XDG_CACHE_HOME="$out/home/cache" XDG_CONFIG_HOME="$out/home/config"
export XDG_DATA_HOME="$out/home/data" XDG_RUNTIME_DIR="$out/home/run" STRIA_CACHE_DIR="$out/home/stria"
export GSK_RENDERER=cairo GDK_BACKEND=x11 GTK_A11Y=atspi GSETTINGS_BACKEND=memory LC_ALL=C.UTF-8
export XDG_STATE_HOME="$out/home/state" STRIA_NO_TOUR=1
export NO_AT_BRIDGE=0 PYTHONDONTWRITEBYTECODE=1
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS || true
mkdir -m 700 "$XDG_RUNTIME_DIR"
# A picture with a blinking cursor in it never comes to rest.
mkdir -p "$XDG_CONFIG_HOME/gtk-4.0"
printf '[Settings]\ngtk-cursor-blink=0\n' > "$XDG_CONFIG_HOME/gtk-4.0/settings.ini"

# The server picks a free display itself: xvfb-run -a takes one twice when two are started at once.
# It must not start over when its last client leaves: the bus launcher comes and goes while the
# program connects.
Xvfb -displayfd 3 -screen 0 "${STRIA_SCREEN:-1600x1000}x24" -nolisten tcp -noreset 3>"$out/display" >/dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT INT TERM
tries=0
while [ ! -s "$out/display" ]; do
  tries=$((tries + 1))
  if [ $tries -gt 600 ] || ! kill -0 $server 2>/dev/null; then
    echo "Bail out! the X server does not start"
    exit 1
  fi
  sleep 0.1
done
DISPLAY=:$(cat "$out/display")
export DISPLAY
until xdotool getdisplaygeometry >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ $tries -gt 600 ]; then
    echo "Bail out! the X server does not answer"
    exit 1
  fi
  sleep 0.1
done

status=0
dbus-run-session -- sh -c '
  launcher=/usr/libexec/at-spi-bus-launcher
  if [ -x $launcher ]; then
    $launcher --launch-immediately >/dev/null 2>&1 &
  fi
  exec /usr/bin/python3 "$@" 2>"$0"
' "$out/walk.err" "$@" || status=$?
exit $status
