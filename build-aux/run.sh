#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Gets what is missing, builds Beckon and starts it. Arguments go to the program.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

# Whether a window could open: a socket that is there, or a display on another machine, which only trying tells.
has_display () {
  case ${WAYLAND_DISPLAY:-} in
    '') ;;
    /*) [ -S "$WAYLAND_DISPLAY" ] && return 0 ;;
    *) [ -S "${XDG_RUNTIME_DIR:-/nowhere}/$WAYLAND_DISPLAY" ] && return 0 ;;
  esac
  case ${DISPLAY:-} in
    '') return 1 ;;
    :* | unix:*)
      number=${DISPLAY#*:}
      number=${number%%.*}
      [ -S "/tmp/.X11-unix/X$number" ] || grep -qs "@/tmp/.X11-unix/X$number\$" /proc/net/unix
      ;;
    *) return 0 ;;
  esac
}

need_packages "$packages_to_build"
folder=$(build_folder run)
build_to_run "$folder"

export XDG_DATA_DIRS="$folder/root/share:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
export GSETTINGS_SCHEMA_DIR="$folder/root/share/glib-2.0/schemas"
if [ -t 2 ]; then
  say "For a terminal: GSETTINGS_SCHEMA_DIR='$GSETTINGS_SCHEMA_DIR' '$folder/root/bin/beckonctl' --help"
fi
if has_display; then
  exec "$folder/root/bin/beckon" "$@"
fi
say 'There is no display here, so this is the terminal chat of Beckon.'
exec "$folder/root/bin/beckonctl" chat "$@"
