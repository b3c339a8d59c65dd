#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs where something is missing, old, or somebody else's: each ends in words that a person can act upon.
test-odd-places.py BUILD_ROOT. Runs on a display of its own, with no keyring."""

import contextlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys

import scenes
from scenes import CARD, INSTALLATION, driver, tap

OLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "store/older"
GIB = 1 << 30
NOBODY = 65534
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>{}</cachedir></fontconfig>"""


def ctl(home, *arguments, before=(), given="", status=0):
    """The terminal's output, in both streams."""
    done = subprocess.run([*before, INSTALLATION.terminal, *arguments], env=home.environment, input=given,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert done.returncode == status, f"{arguments}: {done.returncode}, {done.stdout}"
    return done.stdout


def start(home, *before):
    """The window, by a command that puts itself in its place."""
    program = driver.Program([*before, INSTALLATION.window], home.environment)
    home.programs.append(program)
    return program


def take_tour(window):
    window.press(role="push button", contains="Take the Offline Tour")
    window.find(**CARD)
    driver.wait(lambda: not driver.is_busy(window.find(**CARD)), "a card that listens")
    window.press(name="Files and folders")
    window.find(contains="Answer: Files and folders")


@tap.case("/odd/empty-account")
def _():
    with driver.Home(INSTALLATION) as home:
        for name in ("data", "config", "cache", "state"):
            shutil.rmtree(home.folder / name)
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            del home.environment[variable]
        assert ctl(home, "list") == ""
        take_tour(start(home))
        folder = home.folder / ".local/share/beckon"
        assert folder.stat().st_mode & 0o077 == 0, "others can read the history"


def restore(home, dump):
    folder = home.folder / "data/beckon"
    folder.mkdir(mode=0o700)
    with contextlib.closing(sqlite3.connect(folder / "beckon.db")) as database:
        database.executescript(dump.read_text())
    return folder / "beckon.db"


@tap.case("/odd/older-versions")
def _():
    dumps = sorted(OLDER.glob("version-*.sql"))
    assert len(dumps) >= 4, dumps
    for dump in dumps:
        with driver.Home(INSTALLATION) as home:
            with contextlib.closing(sqlite3.connect(restore(home, dump))) as database:
                title, = database.execute("SELECT title FROM conversation ORDER BY updated_at DESC LIMIT 1").fetchone()
            if dump == dumps[0]:
                window = start(home)
                window.find(contains="Which port should it use?")
                window.end()
            assert title in ctl(home, "list"), f"{dump}: {title}"


@tap.case("/odd/newer-version")
def _():
    with driver.Home(INSTALLATION) as home:
        path = restore(home, OLDER / "version-1.sql")
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA user_version = 99")
        before = path.read_bytes()
        start(home).find(contains="written by a newer version of Beckon")
        said = ctl(home, "list", status=1)
        assert "newer version" in said and len(said.splitlines()) == 1, said
        assert path.read_bytes() == before, "it was changed"


@tap.case("/odd/two-users")
def _():
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        raise tap.Skip("only the administrator can be somebody else")
    ids = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    with driver.Home(INSTALLATION) as mine, driver.Home(INSTALLATION) as theirs:
        if subprocess.run([*ids, INSTALLATION.terminal, "--help"], env=mine.environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode != 0:
            raise tap.Skip("others cannot reach the build")
        for path in [theirs.folder, *theirs.folder.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
        os.chmod(pathlib.Path(os.environ["HOME"]).parent, 0o711)
        os.chmod(os.environ["HOME"], 0o711)
        window = start(mine)
        take_tour(window)
        ctl(theirs, "profile", "use", "tour", before=ids)
        assert ctl(theirs, "list", before=ids) == "", "they see my conversations"
        said = ctl(theirs, "run", "--detach-on-ask", "Show me around.", before=ids, status=10)
        assert "question" in said, said
        database = mine.folder / "data/beckon/beckon.db"
        read = subprocess.run([*ids, "cat", database], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert read.returncode != 0, "they can read my history"
        assert len(ctl(mine, "list").splitlines()) == 1, ctl(mine, "list")


def read_only(folder):
    """A command that puts the next one where a folder cannot be written."""
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    root = [] if os.geteuid() == 0 else ["--map-root-user"]
    before = ["unshare", "--mount", *root, "sh", "-c", script, str(folder)]
    if subprocess.run([*before, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        raise tap.Skip("nothing can be mounted here")
    return before


@tap.case("/odd/read-only-home")
def _():
    with driver.Home(INSTALLATION) as home:
        before = read_only(home.folder)
        start(home, *before).find(contains="cannot be")
        said = ctl(home, "run", "Hello.", before=before, status=1)
        assert "cannot be" in said, said


@tap.case("/odd/read-only-home-with-a-history")
def _():
    with driver.Home(INSTALLATION) as home:
        database = restore(home, OLDER / "version-1.sql")
        ctl(home, "list")
        database.with_name("beckon.db-wal").unlink(missing_ok=True)
        database.with_name("beckon.db-shm").unlink(missing_ok=True)
        before = read_only(home.folder)
        start(home, *before).find(contains="can only be read")
        assert "Which port should it use?" in ctl(home, "list", before=before)


@tap.case("/odd/no-bus")
def _():
    with driver.Home(INSTALLATION) as home:
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={home.folder}/nothing"
        said = ctl(home, "run", "--detach-on-ask", "-p", "tour", "Show me around.", status=10)
        assert "question" in said, said
        # Without a bus nobody can look into a window but through its picture: it is there, and it stays.
        home.environment.update(G_DEBUG="", GTK_A11Y="none")
        process = subprocess.Popen([INSTALLATION.window], env=home.environment, start_new_session=True)
        try:
            driver.wait(lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(process.pid)],
                                               stdout=subprocess.PIPE).stdout.strip(), "a window")
            assert process.poll() is None, process.returncode
        finally:
            process.kill()
            process.wait()


@tap.case("/odd/no-keyring")
def _():
    with driver.Home(INSTALLATION) as home:
        said = ctl(home, "profile", "add", "Test", "--no-lookup", "--base-url", "http://127.0.0.1:9/v1", "--model", "test", "--key-from-stdin",
                   given="key\n", status=1)
        assert "keyring" in said, said
        assert "Test" not in ctl(home, "profile", "list")


@tap.case("/odd/no-chinese-letters")
def _():
    with driver.Home(INSTALLATION) as home:
        (home.folder / "fonts.conf").write_text(FONTS.format(home.folder / "cache/fonts"))
        home.environment.update(FONTCONFIG_FILE=str(home.folder / "fonts.conf"), LANGUAGE="zh_CN", LC_ALL="C.UTF-8")
        restore(home, OLDER / "version-1.sql")
        start(home).find(contains="应该部署到哪里？")


@contextlib.contextmanager
def group_of(size):
    """A control group with so much memory, and the file that takes processes into it."""
    for root, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        group = pathlib.Path(root) / f"beckon-test-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            if (group / limit).exists():
                (group / limit).write_text(str(size))
                yield group / "cgroup.procs"
                return
        finally:
            # What has just ended may still be counted.
            driver.wait(lambda: not (group / "cgroup.procs").read_text(), "an empty group")
            group.rmdir()
    raise tap.Skip("memory cannot be bounded here")


@tap.case("/odd/one-gibibyte")
def _():
    with group_of(GIB) as group, driver.Home(INSTALLATION) as home:
        restore(home, OLDER / "version-1.sql")
        window = start(home, "sh", "-c", 'echo $$ >"$0" && exec "$@"', str(group))
        window.find(contains="Which port should it use?")
        window.type("Show me around.", role="text", name="Message")
        window.end()


if __name__ == "__main__":
    scenes.main()
