#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every fuzz target, or those that are named, with the sanitizers: fuzz.sh [SECONDS [NAME…]]. SECONDS are for each, 60
# without. What ends a target is kept in build/fuzz/failures; the target takes such a file as an argument.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

seconds=${1:-60}
case $seconds in
  '' | *[!0-9]*)
    echo "usage: fuzz.sh [SECONDS [NAME…]]" >&2
    exit 2
    ;;
esac
[ $# -eq 0 ] || shift

need_packages "$packages_to_build"
folder=$(build_folder fuzz)
configure "$folder" -Dui=false -Db_sanitize=address,undefined -Db_lundef=false
if [ $# -eq 0 ]; then
  for path in "$root"/tests/fuzz/fuzz-*.c; do
    name=${path##*/fuzz-}
    set -- "$@" "${name%.c}"
  done
fi
targets=
for name; do
  targets="$targets tests/fuzz/fuzz-$name"
done
# shellcheck disable=SC2086
quietly "$folder/compile.log" ninja -C "$folder" $targets

export ASAN_OPTIONS='detect_leaks=0:strict_string_checks=1:detect_stack_use_after_return=1:abort_on_error=1'
export UBSAN_OPTIONS='print_stacktrace=1:halt_on_error=1:abort_on_error=1'
export BECKON_FUZZ_SECONDS="$seconds" BECKON_SEED="${BECKON_SEED:-random}"
export G_TEST_SRCDIR="$root/tests" G_TEST_BUILDDIR="$folder/tests" G_DEBUG=fatal-warnings LC_ALL=C.UTF-8
export TMPDIR="$folder/failures"
mkdir -p "$TMPDIR"
status=0
for name; do
  say "Trying $name for $seconds s."
  "$folder/tests/fuzz/fuzz-$name" || status=1
done
exit "$status"
