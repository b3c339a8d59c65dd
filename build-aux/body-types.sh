#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares what Beckon sends with what the providers' own libraries do: body-types.sh. Each body that the tests of the wire make
# is compiled as what the library's types say, and the compiler names what is missing, too much or of another type. Needs npm
# and its registry.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

need_packages "$packages_to_build$packages_to_test$(lines_of_missing_programs "$programs_to_test" | grep '^npm')"
folder=$(build_folder types)
configure "$folder" -Dui=false
build "$folder"
rm -rf "$folder/bodies"
mkdir -p "$folder/bodies"
# Not what a person wrote into a profile's own options, which goes out as it is.
quietly "$folder/bodies.log" env BECKON_BODIES="$folder/bodies" meson test -C "$folder" --no-rebuild \
  llm-anthropic llm-chat-encode llm-effort llm-gemini llm-images llm-ollama llm-openai llm-responses llm-search
cp "$root/tests/llm/types/bodies.mjs" "$folder"
cd "$folder"
[ -f package.json ] || quietly npm.log npm init -y
quietly npm.log npm install --ignore-scripts openai @anthropic-ai/sdk @google/genai ollama typescript
node bodies.mjs bodies
npx tsc --noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target es2022 bodies/*.ts
say 'All of them are what the libraries send.'
