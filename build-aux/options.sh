#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries every option of meson_options.txt, and the sanitizers, both ways: options.sh. Each time it is built, installed, and
# looked whether what the option is for is there, or is not. One folder serves for all, so that only what changes is compiled.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

need_packages "$packages_to_build$packages_to_test"

folder=$(build_folder options)
application=io.github.beckon.Beckon
mkdir -p "$folder"
tree=$folder/tree

# try OPTION…: what is not named is as it is by default, but for the tests, which cost the most.
try () {
  say "$*"
  if [ -f "$folder/build.ninja" ]; then
    quietly "$folder/setup.log" meson configure "$folder" -Dprofile=default -Ddocs=true -Dtests=false -Dui=true \
      -Dpdf=auto -Dqr=auto -Dxmpp=auto -Dbenchmarks=false -Db_sanitize=none -Db_lundef=true "$@"
  else
    quietly "$folder/setup.log" meson setup "$folder" "$root" -Dwerror=true -Doptimization=0 -Dtests=false "$@"
  fi
  build "$folder"
  rm -rf "$tree"
  quietly "$folder/install.log" env DESTDIR="$tree" meson install -C "$folder" --no-rebuild
}

# there PATTERN, missing PATTERN: of what is installed.
there () {
  [ -n "$(find "$tree" -path "*$1")" ] || fail "There is no $1."
}
missing () {
  [ -z "$(find "$tree" -path "*$1")" ] || fail "There is $1."
}

try -Ddocs=true
there /man1/beckonctl.1
there /bin/beckon
there "/$application.desktop"
missing "/$application.Devel.desktop"
[ ! -e "$folder/tests/base" ] || fail 'There are tests.'

try -Ddocs=false
missing /man1/beckonctl.1

try -Dpdf=enabled
there /beckon-pdf-text

try -Dpdf=disabled
missing /beckon-pdf-text

try -Dqr=enabled
ldd "$tree"/*/bin/beckonctl "$tree"/*/*/bin/beckonctl 2>/dev/null | grep -q libqrencode || fail 'It makes no QR codes.'

try -Dqr=disabled
! ldd "$tree"/*/bin/beckonctl "$tree"/*/*/bin/beckonctl 2>/dev/null | grep -q libqrencode || fail 'It makes QR codes.'

# Nothing that is installed by itself: the library is linked, or it is not.
try -Dxmpp=enabled
grep -q beckon-xmpp-wire "$folder/build.ninja" || fail 'There is no XMPP.'

try -Dxmpp=disabled
! grep -q beckon-xmpp-wire "$folder/build.ninja" || fail 'There is XMPP.'

try -Dui=false
missing /bin/beckon
there /bin/beckonctl

try -Dbenchmarks=true
[ -x "$folder/tests/bench/bench-server" ] || fail 'There are no benchmarks.'

try -Dui=false -Dtests=true
quietly "$folder/test.log" meson test -C "$folder" --no-rebuild --suite base --suite domain

# The sanitizers make the compiler warn of what they themselves put in.
try -Dui=false -Dtests=true -Dwerror=false -Db_sanitize=address,undefined -Db_lundef=false
quietly "$folder/test.log" env ASAN_OPTIONS=detect_leaks=0 meson test -C "$folder" --no-rebuild --suite base --suite domain

try -Dprofile=development
there "/$application.Devel.desktop"
missing "/$application.desktop"
there /bin/beckon
say 'Each option does what it is for.'
