#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Puts the servers of tools that the suite drives into a folder: mcp-servers.sh FOLDER. Their versions are fixed. Needs npm and its
# registry, once: what is there already is left alone.
set -eu
folder=$1
version=2026.8.31
stamp=$folder/installed-$version
[ -e "$stamp" ] && exit 0
mkdir -p "$folder"
# Two tests may want them at once.
exec 9>"$folder/lock"
flock 9
[ -e "$stamp" ] && exit 0
cd "$folder"
printf '{"name":"servers","private":true}\n' >package.json
npm install --ignore-scripts --no-audit --no-fund --fetch-retries=0 --fetch-timeout=60000 \
  "@modelcontextprotocol/server-everything@$version" "@modelcontextprotocol/server-filesystem@$version" \
  "@modelcontextprotocol/server-memory@$version"
: >"$stamp"
