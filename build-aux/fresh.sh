#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# fresh.sh [root|user]... [run|test]...: what a person meets who has nothing yet. Makes a bare Debian of its own, clones what is
# committed into it, and runs the README's two commands there: as root below /root, and as a user who has sudo. Without words
# all of it is done. Prints what each command asked for and fetched, and fails when one of them does.
#
# A chroot forbids the user namespaces that the sandbox of commands stands on; so the system becomes the root of a mount
# namespace, and of a process namespace, so that nothing is left running. BECKON_FRESH_SUITE and BECKON_FRESH_MIRROR name
# another Debian and where it comes from.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=build-aux/setup.sh
. "$root/build-aux/setup.sh"

users='' commands=''
for word in "$@"; do
  case $word in
    root | user) users="$users $word" ;;
    run | test) commands="$commands $word" ;;
    *)
      echo 'usage: fresh.sh [root|user]... [run|test]...' >&2
      exit 2
      ;;
  esac
done
[ "$(id -u)" -eq 0 ] || fail 'Only root can make another system. Run this script with sudo.'
need_packages "$packages_for_fresh"

suite=${BECKON_FRESH_SUITE:-bookworm}
mirror=${BECKON_FRESH_MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d "${TMPDIR:-/tmp}/beckon-fresh-XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' HUP INT TERM

# inside SYSTEM COMMAND...: runs it with the system as the root, in namespaces that end with it.
inside () {
  # The words are for the shell inside.
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child --propagation private sh -eu -c '
    system=$1
    shift
    mount --bind "$system" "$system"
    mount -t proc proc "$system/proc"
    mount --rbind /sys "$system/sys"
    mount --rbind /dev "$system/dev"
    mount -t tmpfs -o mode=755 run "$system/run"
    cd "$system"
    mkdir -p outside
    pivot_root . outside
    umount -l /outside
    rmdir /outside
    cd /
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
      ${http_proxy:+http_proxy="$http_proxy"} "$@"
  ' sh "$@"
}

# make_system FOLDER: a bare system without services, with a clone of the project for root and for a user who has sudo.
make_system () {
  cp -a "$work/bare" "$1"
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  printf '127.0.0.1 localhost\n' >"$1/etc/hosts"
  printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
  chmod +x "$1/usr/sbin/policy-rc.d"
  quietly "$work/log" git clone --no-hardlinks "$root" "$1/root/beckon"
  if [ "$2" = user ]; then
    quietly "$work/log" inside "$1" sh -eu -c '
      apt-get update
      apt-get install -y --no-install-recommends sudo
      useradd --create-home --shell /bin/bash somebody
      echo "somebody ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/somebody
      mv /root/beckon /home/somebody/beckon
      chown -R somebody: /home/somebody/beckon'
  fi
}

# try SYSTEM WHO COMMAND: runs build-aux/COMMAND.sh, and tells in a line how that went. Its output is kept until the next.
try () {
  begun=$(date +%s)
  status=0
  case $2 in
    root) inside "$1" env HOME=/root sh -c "cd /root/beckon && exec sh build-aux/$3.sh" </dev/null >"$work/log" 2>&1 || status=$? ;;
    user)
      inside "$1" setpriv --reuid=somebody --regid=somebody --init-groups env HOME=/home/somebody USER=somebody \
        sh -c "cd ~/beckon && exec sh build-aux/$3.sh" </dev/null >"$work/log" 2>&1 || status=$?
      ;;
  esac
  asked=$(sed -n '/^Beckon needs these packages/,/^[^ ]/p' "$work/log" | grep -c '^  ' || true)
  fetched=$(sed -n 's/^Need to get \([0-9.,]*[/0-9.,]* *[kMG]*B\).*/\1/p' "$work/log" | paste -s -d + -)
  counted=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$work/log" | tail -n 1 || true)
  printf 'as %s, %s.sh: status %s after %s s, %s packages asked for, %s fetched%s\n' "$2" "$3" "$status" \
    "$(($(date +%s) - begun))" "$asked" "${fetched:-nothing}" "${counted:+, $counted}"
  [ "$status" -eq 0 ] && return 0
  tail -n "${BECKON_FRESH_LINES:-200}" "$work/log" >&2
  return 1
}

say "Making a bare Debian $suite."
quietly "$work/log" debootstrap --variant=minbase "$suite" "$work/bare" "$mirror"
failed=0
for user in ${users:-root user}; do
  make_system "$work/$user" "$user"
  for command in ${commands:-run test}; do
    say "Running $command.sh as $user."
    try "$work/$user" "$user" "$command" || failed=1
  done
  rm -rf --one-file-system "${work:?}/$user"
done
exit "$failed"
