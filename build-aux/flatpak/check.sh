#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Flatpak of what is committed, installs it, drives it in a window of its own, and takes it away again: check.sh.
# The runtime that the manifest names must be installed for this person; BECKON_FLATPAK_DOWNLOADS may name a folder with the
# archives of the modules, by their checksums, where they cannot be fetched. It leaves a repository, a bundle and a .flatpakref for
# that repository in build/flatpak; reference.sh URL [KEY] prints one for a repository elsewhere.
#
# Permissions (finish-args): the network for model servers and for tools that were let out; ipc, wayland, fallback-x11 and dri for
# the window; org.freedesktop.secrets for keys. No home and no host: folders come through the file chooser's portal, or by
# flatpak override --filesystem. Notifications and the background go through portals, which need nothing here. Commands cannot
# use bubblewrap there: src/sandbox/beckon-sandbox-portal.c has the portal start an instance with no permissions. A folder of the
# document portal cannot be handed on, so no commands run in it, and the call says so.
#
# The runtime lacks md4c, libqrencode, libarchive, poppler, libgit2 and libstrophe, which are modules, with as much of them as
# codes to scan, .zip, the text of PDFs, repositories and XMPP take.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

application=io.github.beckon.Beckon
manifest=build-aux/flatpak/$application.json

need_packages "$packages_to_test$packages_to_flatpak"

# value KEY: a text in the manifest; each stands on a line of its own.
value () {
  sed -n "s/^  \"$1\": \"\(.*\)\",$/\1/p" "$root/$manifest"
}

runtime=$(value runtime)//$(value runtime-version)
sdk=$(value sdk)//$(value runtime-version)
for needed in "$runtime" "$sdk"; do
  flatpak info "$needed" >/dev/null 2>&1 || fail "$needed is not installed. Run: flatpak install --user flathub $needed"
done

folder=$(build_folder flatpak)
mkdir -p "$folder"
rm -rf "$folder/source" "$folder/repo"
mkdir "$folder/source"
git -C "$root" archive HEAD | tar -x -C "$folder/source"
if [ -n "${BECKON_FLATPAK_DOWNLOADS:-}" ]; then
  mkdir -p "$folder/state/downloads"
  cp -R "$BECKON_FLATPAK_DOWNLOADS/." "$folder/state/downloads/"
fi

say 'Building.'
quietly "$folder/build.log" flatpak-builder --user --force-clean --disable-rofiles-fuse --disable-updates \
  --state-dir="$folder/state" --repo="$folder/repo" "$folder/out" "$folder/source/$manifest"
# Those of the modules are not ours to mend.
if grep -E '(^\.\.|/run/build/beckon)/(src|data)/.*warning:' "$folder/build.log" >&2; then
  fail 'The build has warnings.'
fi

say 'Making a bundle and a reference.'
flatpak build-bundle "$folder/repo" "$folder/$application.flatpak" "$application"
sh "$root/build-aux/flatpak/reference.sh" "file://$folder/repo" >"$folder/$application.flatpakref"

# Whatever happens, it does not stay installed.
remote=beckon-check-$$
# The traps call it.
# shellcheck disable=SC2317
clean () {
  flatpak --user uninstall -y --noninteractive "$application" >/dev/null 2>&1 || true
  flatpak --user remote-delete --force "$remote" >/dev/null 2>&1 || true
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

say 'Installing.'
flatpak --user remote-add --no-gpg-verify "$remote" "$folder/repo"
flatpak --user install -y --noninteractive "$remote" "$application" >"$folder/install.log"
FLATPAK_USER_DIR=${FLATPAK_USER_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/flatpak}
export FLATPAK_USER_DIR

say 'Driving it.'
status=0
"$root/tests/support/with-display" --keyring --service org.freedesktop.portal.Flatpak /usr/bin/python3 "$root/tests/ui/driven/flatpak.py" || status=1

say 'Taking it away.'
# Its data was in a home that is gone.
flatpak --user uninstall -y --noninteractive "$application" >>"$folder/install.log"
if flatpak info "$application" >/dev/null 2>&1; then
  fail 'It is still installed.'
fi

say 'Trying the bundle.'
flatpak --user install -y --noninteractive --bundle "$folder/$application.flatpak" >>"$folder/install.log"
flatpak run --command=beckonctl "$application" version || status=1
flatpak --user uninstall -y --noninteractive "$application" >>"$folder/install.log"

say 'Trying the reference.'
# What it says of the runtime would be fetched; here it is where the runtime came from.
origin=$(flatpak info --show-origin "$runtime")
address=$(flatpak remotes --columns=name,url | awk -v name="$origin" '$1 == name { print $2 }')
printf '[Flatpak Repo]\nTitle=%s\nUrl=%s\n' "$origin" "$address" >"$folder/runtime.flatpakrepo"
sed "s|^RuntimeRepo=.*|RuntimeRepo=file://$folder/runtime.flatpakrepo|" \
  "$folder/$application.flatpakref" >"$folder/trial.flatpakref"
flatpak --user install -y --noninteractive --from "$folder/trial.flatpakref" >>"$folder/install.log"
flatpak run --command=beckonctl "$application" version || status=1
flatpak --user uninstall -y --noninteractive "$application" >>"$folder/install.log"
exit "$status"
