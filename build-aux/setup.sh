# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced: the lists are used, and the root set, by whoever sources it.
# shellcheck disable=SC2034,SC2154
#
# Sourced by the scripts beside it, which set `root` to the project's folder. Knows what Beckon needs from the
# distribution, gets what is missing, and says where builds go. Nothing here takes time when nothing is missing.

# Lines of: Debian, Fedora and Arch package, then why. The first list builds and runs, the second one tests.
packages_to_build='
build-essential        gcc                      base-devel           a C compiler
meson                  meson                    meson                describes the build
ninja-build            ninja-build              ninja                runs the build
pkg-config             pkgconf-pkg-config       pkgconf              finds the libraries
gettext                gettext                  gettext              translations
libglib2.0-dev         glib2-devel              glib2-devel          main loop, tasks, settings
libgtk-4-dev           gtk4-devel               gtk4                 the window
libadwaita-1-dev       libadwaita-devel         libadwaita           the window'\''s GNOME look
libgtksourceview-5-dev gtksourceview5-devel     gtksourceview5       code in messages
libsoup-3.0-dev        libsoup3-devel           libsoup3             HTTP
glib-networking        glib-networking          glib-networking      TLS for HTTP
ca-certificates        ca-certificates          ca-certificates      whom TLS trusts
libjson-glib-dev       json-glib-devel          json-glib            JSON
libsqlite3-dev         sqlite-devel             sqlite               the store
libarchive-dev         libarchive-devel         libarchive           reads exports that come as .zip
libsecret-1-dev        libsecret-devel          libsecret            keys in the keyring
libseccomp-dev         libseccomp-devel         libseccomp           restricts what commands may call
libxml2-dev            libxml2-devel            libxml2              reads web pages
libgit2-dev            libgit2-devel            libgit2              reads repositories
libpoppler-glib-dev    poppler-glib-devel       poppler-glib         takes the text out of a PDF
libstrophe-dev         libstrophe-devel         libstrophe           speaks XMPP
poppler-data           poppler-data             poppler-data         what Chinese fonts in a PDF mean
bubblewrap             bubblewrap               bubblewrap           keeps commands away from the rest
libqrencode-dev        qrencode-devel           qrencode             codes that a phone scans
libmd4c-dev            md4c-devel               md4c                 Markdown
libreadline-dev        readline-devel           readline             lines typed in a terminal
desktop-file-utils     desktop-file-utils       desktop-file-utils   registers the application
libxml2-utils          libxml2                  libxml2              checks the window templates
adwaita-icon-theme     adwaita-icon-theme       adwaita-icon-theme   icons
librsvg2-common        librsvg2                 librsvg              draws the icons
libgtk-4-bin           gtk4-devel               gtk4                 makes pictures of the icons
'
packages_to_test='
python3                python3                  python               runs the checks
python3-gi             python3-gobject          python-gobject       drives the window in tests
at-spi2-core           at-spi2-core             at-spi2-core         the accessibility bus
dbus                   dbus-daemon              dbus                 a private bus for tests
xvfb                   xorg-x11-server-Xvfb     xorg-server-xvfb     a private display for tests
xdotool                xdotool                  xdotool              keys in tests
gnome-keyring          gnome-keyring            gnome-keyring        a private keyring for tests
sqlite3                sqlite                   sqlite               holds a sample database
appstream              appstream                appstream            checks the metainfo
shfmt                  shfmt                    shfmt                a second opinion on commands
shellcheck             ShellCheck               shellcheck           checks the scripts
nodejs                 nodejs                   nodejs               an HTTP/2 server for a test
libenchant-2-2         enchant2                 enchant              spelling in the message box
hunspell-en-us         hunspell-en-US           hunspell-en_us       words for it
fish                   fish                     fish                 tries what completes in a shell
tzdata                 tzdata                   tzdata               time zones of the world
python3-venv           python3                  python               tool chains that commands run: Python
cmake                  cmake                    cmake                CMake
bindfs                 bindfs                   bindfs               a file system that knows no flags
git                    git                      git                  what it says of a guarded folder
direnv                 direnv                   direnv               what it runs of a folder that commands worked in
prosody                prosody                  prosody              an XMPP server for a test
openssl                openssl                  openssl              certificates for it
tmux                   tmux                     tmux                 a terminal for the next
profanity              profanity                profanity            another XMPP client
x11-utils              xorg-x11-utils           xorg-xwininfo        says whether a window is there
python3-jsonschema     python3-jsonschema       python-jsonschema    a second opinion on JSON
vim-tiny               vim-minimal              vim                  what an editor runs of one
fonts-dejavu-core      dejavu-sans-fonts        ttf-dejavu           letters on the private display
'
# Behind the program, which may be there without the package: tool chains that commands run in tests.
programs_to_test='
npm   npm                  npm                       npm          tool chains that commands run: Node
javac default-jdk-headless java-latest-openjdk-devel jdk-openjdk  Java
mvn   maven                maven                     maven        Maven
cargo cargo                cargo                     rust         Rust
go    golang-go            golang                    go           Go
'
packages_to_bench='
curl                   curl                     curl                 what a stream costs at least
xvfb                   xorg-x11-server-Xvfb     xorg-server-xvfb     a private display
dbus                   dbus-daemon              dbus                 a private bus
python3                python3                  python               runs and compares the programs
fonts-dejavu-core      dejavu-sans-fonts        ttf-dejavu           letters on the private display
ripgrep                ripgrep                  ripgrep              what a search is measured by
git                    git                      git                  likewise
'
packages_to_flatpak='
flatpak                flatpak                  flatpak              installs and runs it
flatpak-builder        flatpak-builder          flatpak-builder      builds it
elfutils               elfutils                 elfutils             takes debugging data apart
git                    git                      git                  says what is committed
'
packages_to_package='
debhelper              debhelper                debhelper            makes the package
dpkg-dev               dpkg-dev                 dpkg                 describes the package
git                    git                      git                  says what is committed
'
packages_for_fresh='
debootstrap            debootstrap              debootstrap          makes a bare system
git                    git                      git                  clones the project into it
'
packages_for_screenshots='
imagemagick            ImageMagick              imagemagick          takes the pictures
x11-utils              xprop                    xorg-xprop           larger letters
fonts-cantarell        abattis-cantarell-fonts  cantarell-fonts      the letters of GNOME
fonts-noto-cjk         google-noto-sans-cjk-fonts noto-fonts-cjk     Chinese letters
'
modules_to_build='gtk4 libadwaita-1 gtksourceview-5 libsoup-3.0 json-glib-1.0 sqlite3 libarchive libsecret-1 libseccomp libxml-2.0 libqrencode md4c readline'

say () {
  printf '%s\n' "$*" >&2
}

fail () {
  say "$*"
  exit 1
}

have () {
  command -v "$1" >/dev/null 2>&1
}

# The lines of a list whose Debian package is not installed. One call answers for all of them.
missing_lines () {
  wanted=$(printf '%s\n' "$1" | awk 'NF { print $1 }' | sort -u)
  # The names hold no spaces and no patterns: they are meant to be split.
  # shellcheck disable=SC2086
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $wanted 2>/dev/null || true)
  printf '%s\n%s\n' "$installed" "$1" |
    awk 'NF == 2 { if ($2 == "installed") have[$1] = 1; next } NF && !have[$1] && !said[$1]++'
}

as_root () {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

install_on_debian () {
  lines=$(missing_lines "$1")
  [ -n "$lines" ] || return 0
  say 'Beckon needs these packages from your distribution:'
  printf '%s\n' "$lines" | awk '{ name = $1; $1 = $2 = $3 = ""; sub(/^ +/, ""); printf "  %-24s %s\n", name, $0 }' >&2
  names=$(printf '%s\n' "$lines" | awk '{ print $1 }')
  if [ "$(id -u)" -ne 0 ] && ! have sudo; then
    say 'This needs root, and sudo is not installed. As root, run:'
    say '  apt-get update'
    # shellcheck disable=SC2086
    fail "  apt-get install --no-install-recommends" $names
  fi
  as_root apt-get update -q >&2 || fail 'The package lists could not be fetched.'
  # shellcheck disable=SC2086
  apt-get install --print-uris -y -q --no-install-recommends $names 2>/dev/null |
    awk '/^\047/ { n++; bytes += $3 } END { if (n) printf "%d packages with what they stand on, %d MB to fetch.\n", n, bytes / 1e6 }' >&2
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $names >&2 ||
    fail 'The packages could not be installed.'
}

# Elsewhere nothing is installed by a script: what is there decides whether to go on.
check_elsewhere () {
  # shellcheck disable=SC2086
  if have meson && have ninja && have msgfmt && have pkg-config && pkg-config --exists $modules_to_build; then
    return 0
  fi
  if have dnf; then
    installer='sudo dnf install' column=2
  elif have pacman; then
    installer='sudo pacman -S --needed' column=3
  else
    installer='Install these, or what your distribution calls them:' column=1
  fi
  say 'Beckon needs packages from your distribution. This script installs them on Debian only; here, run:'
  say "  $installer $(printf '%s\n' "$1" | awk -v c="$column" 'NF { print $c }' | sort -u | tr '\n' ' ')"
  exit 1
}

# Lines of a list with programs in front whose program is not there, as need_packages takes them.
lines_of_missing_programs () {
  printf '%s\n' "$1" | while read -r program line; do
    if [ -n "$program" ] && ! have "$program"; then
      printf '%s\n' "$line"
    fi
  done
}

# need_packages LIST: returns when everything in the list is there.
need_packages () {
  if have dpkg-query && have apt-get; then
    install_on_debian "$1"
  else
    check_elsewhere "$1"
  fi
}

# build_folder NAME: prints where this person may build: in the project, or in their cache where that is not theirs.
build_folder () {
  mine="$root/build/$1"
  nearest=$mine
  while [ ! -e "$nearest" ]; do
    nearest=$(dirname "$nearest")
  done
  if [ -w "$nearest" ] && [ -z "$(find "$nearest" -maxdepth 0 ! -user "$(id -u)")" ]; then
    printf '%s\n' "$mine"
  else
    # Different checkouts of one person must not meet in the cache.
    printf '%s/beckon/build-%s-%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}" "$1" "$(printf '%s' "$root" | cksum | cut -d ' ' -f 1)"
  fi
}

# quietly LOG COMMAND…: shows what a command said only when it failed.
quietly () {
  log=$1
  shift
  "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    fail "This failed: $*"
  }
}

# configure FOLDER OPTION…: sets a build folder up, or again when the options are others than last time.
configure () {
  folder=$1
  shift
  mkdir -p "$folder"
  options=$(printf '%s\n' "$@")
  if [ -f "$folder/build.ninja" ]; then
    [ "$(cat "$folder/beckon-options" 2>/dev/null)" = "$options" ] && return 0
    quietly "$folder/setup.log" meson setup --wipe "$@" "$folder" "$root"
  else
    quietly "$folder/setup.log" meson setup "$@" "$folder" "$root"
  fi
  printf '%s\n' "$options" >"$folder/beckon-options"
}

# build FOLDER: compiles. How far it is stands in one line of a terminal, and elsewhere in a line now and then.
build () {
  if [ -t 2 ]; then
    end='\r'
  else
    end='\n'
  fi
  rm -f "$1/compile.failed"
  { NINJA_STATUS='[%f/%t] ' ninja -C "$1" 2>&1 || : >"$1/compile.failed"; } | tee "$1/compile.log" |
    awk -v end="$end" -F '[][/]' '
      function tell() { printf "  %s of %s steps" (end == "\n" ? "" : " \033[K") end, done, all >"/dev/stderr"; fflush("/dev/stderr") }
      /^\[[0-9]+\/[0-9]+\]/ {
        done = $2; all = $3
        if (end == "\r" || int(10 * done / all) > said) { said = int(10 * done / all); tell() }
      }
      END { if (all && end == "\r") printf "\n" >"/dev/stderr" }'
  if [ -e "$1/compile.failed" ]; then
    grep -v '^\[' "$1/compile.log" >&2
    fail 'The build failed.'
  fi
}

# build_to_run FOLDER: builds, and installs into FOLDER/root: schemas, translations and icons are then found there the way
# they will be anywhere.
build_to_run () {
  [ -f "$1/build.ninja" ] || say "Building Beckon for the first time; with $(getconf _NPROCESSORS_ONLN) cores that takes some minutes."
  configure "$1" -Dprefix="$1/root" -Dbindir=bin -Dlibdir=lib -Ddatadir=share -Dlocaledir=share/locale -Dtests=false
  build "$1"
  grep -q 'no work to do' "$1/compile.log" && [ -e "$1/install.log" ] &&
    [ -z "$(find "$root/data" "$root/po" -newer "$1/install.log")" ] && return 0
  quietly "$1/install.log.new" meson install -C "$1" --no-rebuild --only-changed
  mv "$1/install.log.new" "$1/install.log"
}
