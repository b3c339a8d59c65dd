#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints a .flatpakref, by which `flatpak install --from FILE` finds Beckon in a repository: reference.sh URL [KEY-FILE].
set -eu
url=${1:?where the repository is}

cat <<END
[Flatpak Ref]
Name=io.github.beckon.Beckon
Branch=master
Title=Beckon
IsRuntime=false
Url=$url
RuntimeRepo=https://dl.flathub.org/repo/flathub.flatpakrepo
END
[ -z "${2:-}" ] || printf 'GPGKey=%s\n' "$(base64 -w 0 <"$2")"
