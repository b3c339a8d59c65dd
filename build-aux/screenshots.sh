#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds Beckon and takes the pictures of data/screenshots: the real window on the offline tour, light and dark, English and
# Chinese, narrow and wide. Another folder may be given.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

need_packages "$packages_to_build$packages_to_test$packages_for_screenshots"
folder=$(build_folder run)
build_to_run "$folder"
export XDG_DATA_DIRS="$folder/root/share:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
export BECKON_DISPLAY_SIZE=1600x1000
exec "$root/tests/support/with-display" /usr/bin/python3 "$root/tests/ui/driven/screenshots.py" "$folder/root" \
  "${1:-$root/data/screenshots}"
