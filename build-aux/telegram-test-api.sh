#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Puts a server of Telegram's Bot API that others wrote into a folder, for the suite: telegram-test-api.sh FOLDER. Its version is
# fixed. Needs npm and its registry, once: what is there already is left alone.
set -eu
folder=$1
version=4.2.1
stamp=$folder/installed-$version
[ -e "$stamp" ] && exit 0
mkdir -p "$folder"
# Two tests may want it at once.
exec 9>"$folder/lock"
flock 9
[ -e "$stamp" ] && exit 0
cd "$folder"
printf '{"name":"servers","private":true}\n' >package.json
npm install --ignore-scripts --no-audit --no-fund --fetch-retries=0 --fetch-timeout=60000 "telegram-test-api@$version"
: >"$stamp"
