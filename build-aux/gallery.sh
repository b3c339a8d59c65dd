#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gallery.sh FOLDER [OPTION…]: builds Beckon and takes pictures of every page and state of the window into FOLDER, for somebody to
# look at: in three widths, light, dark, with high contrast and with text twice as large, in English, Chinese and a language that
# is read from right to left. `--scene question,plan` and the like take some of them only; `--help` says more.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

[ $# -gt 0 ] || fail 'usage: gallery.sh FOLDER [OPTION…]'
need_packages "$packages_to_build$packages_to_test$packages_for_screenshots"
folder=$(build_folder gallery)
configure "$folder" -Dlocaledir="$folder/po"
quietly "$folder/compile.log" ninja -C "$folder" src/ui/beckon src/cli/beckonctl tests/fixtures/beckon-fixture-server \
  tests/channels/phone-emulator src/attach/beckon-pdf-text src/sandbox/beckon-confine data/gschemas.compiled po/zh_CN/LC_MESSAGES/beckon.mo
mkdir -p "$folder/share/icons/hicolor/scalable/apps"
cp "$root"/data/icons/*Beckon.svg "$folder/share/icons/hicolor/scalable/apps"
export XDG_DATA_DIRS="$folder/share:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
export BECKON_LIBEXECDIR="$folder/src/attach:$folder/src/sandbox"
export BECKON_DISPLAY_SIZE=1600x1000
exec "$root/tests/support/with-display" --keyring /usr/bin/python3 "$root/tests/ui/driven/gallery.py" "$folder" "$@"
