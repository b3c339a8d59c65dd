#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the tarball of what is committed, and builds and tries it where nothing else is: dist.sh [SUITE…]. Without suites
# those of the rooms that need no display are run. Its path is printed.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

need_packages "$packages_to_build$packages_to_test"
[ $# -gt 0 ] || set -- base domain request policy store settings text tools

folder=$(build_folder dist)
mkdir -p "$folder"
[ -f "$folder/build.ninja" ] || quietly "$folder/setup.log" meson setup "$folder" "$root"
quietly "$folder/dist.log" meson dist -C "$folder" --no-tests --formats xztar --allow-dirty
tarball=$(find "$folder/meson-dist" -name '*.tar.xz' | sort | tail -n 1)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tar -xf "$tarball" -C "$work"
source=$(find "$work" -mindepth 1 -maxdepth 1 -type d)
suites=
for suite in "$@"; do
  suites="$suites --suite $suite"
done

say 'Building what is in it.'
# As deep as the folders of developers are, so that a compiler cache knows it.
quietly "$folder/build.log" meson setup "$source/build/try" "$source" -Dwerror=true -Doptimization=0
quietly "$folder/build.log" ninja -C "$source/build/try"
say 'Trying it.'
# shellcheck disable=SC2086
quietly "$folder/test.log" meson test -C "$source/build/try" --no-rebuild $suites
grep -E '^(Ok|Fail|Skipped):' "$folder/test.log" >&2
printf '%s\n' "$tarball"
