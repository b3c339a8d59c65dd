#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test.sh: gets what is missing, builds with warnings as errors, runs the whole suite, then all but the window again with the
# sanitizers. test.sh quick: what takes less than a minute, for each commit. Either ends with `N passed, N failed, N skipped`,
# which counts cases, not programs.
set -eu
case ${1:-} in
  '' | quick) ;;
  *)
    echo 'usage: test.sh [quick]' >&2
    exit 2
    ;;
esac
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

if [ -z "${BECKON_FIXTURES:-}" ] && [ -d "$root/../shared/fixtures" ]; then
  BECKON_FIXTURES=$(CDPATH='' cd -- "$root/../shared/fixtures" && pwd)
  export BECKON_FIXTURES
fi

# LeakSanitizer traces its own process, which containers and debuggers may forbid: it then fails whatever is run.
leaks_can_be_detected () {
  printf 'int main (void) { return 0; }\n' >"$1/leak-probe.c"
  cc -fsanitize=address -o "$1/leak-probe" "$1/leak-probe.c" >/dev/null 2>&1 &&
    ASAN_OPTIONS=detect_leaks=1 "$1/leak-probe" >/dev/null 2>&1
}

# Most tests wait for half of their time: for a disk, a timer, another program.
cores=$(getconf _NPROCESSORS_ONLN)
export MESON_TESTTHREADS="${MESON_TESTTHREADS:-$((2 * cores))}"

if [ "${1:-}" = quick ]; then
  say 'This builds Beckon, once some minutes, and then tests for a minute.'
else
  say 'This builds Beckon twice and runs its tests twice: about an hour with two cores, and less with more.'
fi
need_packages "$packages_to_build$packages_to_test$(lines_of_missing_programs "$programs_to_test")"

# Programs that a test kills leave their temporary folders: all of them are in one, which goes with the suite. Tests that become
# somebody else use it too.
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/beckon-suite-XXXXXX")
chmod 1777 "$TMPDIR"
export TMPDIR
trap 'chmod -R u+rwX "$TMPDIR"; rm -rf "$TMPDIR"' EXIT
trap 'exit 1' HUP INT TERM

plain=$(build_folder test)
say 'Building with warnings as errors.'
configure "$plain" -Dwerror=true
build "$plain"
if [ "${1:-}" = quick ]; then
  say 'Running the quick tests.'
  rm -f "$plain/meson-logs/"testlog*.json
  status=0
  meson test -C "$plain" --no-rebuild --setup quick --print-errorlogs || status=1
  python3 "$root/build-aux/count-cases.py" "$plain/meson-logs/testlog-quick.json" || status=1
  exit "$status"
fi
# Limits on time are for what hangs; they are set for a quiet machine, and not every machine is.
say 'Running the suite.'
rm -f "$plain/meson-logs/"testlog*.json
status=0
meson test -C "$plain" --no-rebuild --print-errorlogs --timeout-multiplier 3 || status=1

sanitized=$(build_folder test-sanitized)
say 'Building all but the window with AddressSanitizer and UBSan.'
# The sanitizers make the compiler warn of what they themselves put in; the plain build has no warnings.
configure "$sanitized" -Dui=false -Db_sanitize=address,undefined -Db_lundef=false
build "$sanitized"
leaks=0
if leaks_can_be_detected "$sanitized"; then
  leaks=1
else
  say 'LeakSanitizer cannot work here; leaks are not looked for.'
fi
export ASAN_OPTIONS="detect_leaks=$leaks:strict_string_checks=1:detect_stack_use_after_return=1:abort_on_error=1"
export UBSAN_OPTIONS='print_stacktrace=1:halt_on_error=1:abort_on_error=1'
export LSAN_OPTIONS="suppressions='$root/tests/support/leaks.supp':print_suppressions=0"
say 'Running it again with the sanitizers.'
rm -f "$sanitized/meson-logs/"testlog*.json
meson test -C "$sanitized" --no-rebuild --print-errorlogs --no-suite architecture --no-suite once --timeout-multiplier 6 \
  --wrap="'$root/tests/support/with-leaks'" || status=1

python3 "$root/build-aux/count-cases.py" "$plain/meson-logs/testlog.json" "$sanitized/meson-logs/testlog-with-leaks.json" ||
  status=1
exit "$status"
