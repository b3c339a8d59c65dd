#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a Debian package of what is committed: debian.sh [FOLDER]. The package is put into FOLDER, or into build/debian, and its
# path is printed. Gets what is missing; run lintian on it if you like.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

have dpkg-query || fail 'This makes packages for Debian and its kin, on one of them.'
need_packages "$packages_to_build$packages_to_package"

target=${1:-$(build_folder debian)}
mkdir -p "$target"
target=$(CDPATH='' cd -- "$target" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" "$root/meson.build")
stamp=$(git -C "$root" log -1 --format=%ct)
mkdir "$work/beckon-$version"
git -C "$root" archive HEAD | tar -x -C "$work/beckon-$version"
cd "$work/beckon-$version"
cp -R build-aux/debian debian
cat >debian/changelog <<END
beckon ($version) unstable; urgency=medium

  * As it stands in the sources.

 -- The Beckon contributors <beckon@beckon.invalid>  $(LC_ALL=C date -u -R -d "@$stamp")
END

say 'Building the package.'
SOURCE_DATE_EPOCH=$stamp quietly "$target/build.log" dpkg-buildpackage -b -us -uc
for package in "$work"/*.deb; do
  case $package in
    *-dbgsym_*) ;;
    *)
      mv "$package" "$target/"
      printf '%s\n' "$target/${package##*/}"
      ;;
  esac
done
