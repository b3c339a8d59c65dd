#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries what Beckon's client does against a real server: wire-check.sh ADDRESS KIND MODEL. KIND is chat, responses, anthropic,
# gemini or ollama; the key, if the server wants one, is in the environment variable BECKON_WIRE_KEY. It makes about a dozen
# small requests, says of each thing whether it passes, fails (and why) or is not there, and exits with 1 if anything fails.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

if [ $# -ne 3 ]; then
  echo "usage: wire-check.sh ADDRESS chat|responses|anthropic|gemini|ollama MODEL" >&2
  exit 2
fi

need_packages "$packages_to_build"
folder=$(build_folder wire)
configure "$folder" -Dui=false
quietly "$folder/compile.log" ninja -C "$folder" tests/llm/wire-check
exec "$folder/tests/llm/wire-check" "$@"
