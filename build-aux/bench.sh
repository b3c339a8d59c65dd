#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Gets what is missing, builds with optimisation, and measures Beckon against floor programs: bench.sh [NAME…].
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

need_packages "$packages_to_build$packages_to_bench"
folder=$(build_folder bench)
configure "$folder" -Dbuildtype=release -Dbenchmarks=true -Dtests=false
build "$folder"
exec "$root/tests/support/with-display" python3 "$root/tests/bench/bench.py" "$folder" "$@"
