#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of the real window when its files are in trouble: test-health.py BUILD_ROOT. Runs on a display of its own."""

import datetime
import errno
import pathlib
import re
import sqlite3
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "support")]

import tap  # noqa: E402

try:
    import driver
except (ImportError, ValueError) as reason:
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)
import faults  # noqa: E402
import model as models  # noqa: E402

BUILD = pathlib.Path(sys.argv[1])
INSTALLATION = driver.Installation.in_build(BUILD)
SERVER = BUILD / "tests/fixtures/beckon-fixture-server"
MODULE = BUILD / "tests/support/beckon-faults.so"
FOLDER = "data/beckon"
PAGE = 4096
TEXTS = """SELECT text || coalesce ((SELECT group_concat (text, '') FROM (SELECT text FROM chunk WHERE part = p.id ORDER BY seq)), '')
           FROM part p WHERE kind = 'text' ORDER BY id"""


class Scene:
    """A person with a model of the test's and a history, whose window can be made to fail."""

    def __init__(self, replies):
        self.model = models.Model(SERVER, replies)
        self.home = driver.Home(INSTALLATION, BECKON_API_KEY="test")

    def __enter__(self):
        self.model.__enter__()
        self.home.__enter__()
        self.folder = self.home.folder / FOLDER
        self.home.ctl("profile", "add", "Test", "--no-lookup", "--base-url", self.model.base_url, "--model", "test", "--use")
        self.home.ctl("run", "Remember the lighthouse.")
        self.faults = faults.Faults(MODULE, self.home.folder)
        self.home.environment.update(self.faults.variables)
        return self

    def __exit__(self, *exception):
        self.home.__exit__(*exception)
        self.model.__exit__(*exception)

    def fail(self, calls, error):
        self.faults.set(calls, error, str(self.folder))

    def start(self):
        self.window = self.home.start()

    def send(self, text):
        self.window.type(text, role="text", name="Message")
        self.window.press(name="Send message")

    def banner(self, text):
        return self.window.find(role="alert", contains=text)

    def without_page(self, table):
        """The bytes of the history without the first page of a table."""
        path = self.folder / "beckon.db"
        with sqlite3.connect(path) as database:
            page = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
        data = path.read_bytes()
        return data[: (page - 1) * PAGE] + bytes(PAGE) + data[page * PAGE :]

    def copy_of_yesterday(self):
        """Makes the copy that the program would have made."""
        day = datetime.date.today() - datetime.timedelta(days=1)
        path = self.folder / f"beckon-copy-{day}-1.db"
        with sqlite3.connect(self.folder / "beckon.db") as database, sqlite3.connect(path) as copy:
            database.backup(copy)
        copy.close()
        return path

    def expect_whole(self):
        with sqlite3.connect(self.folder / "beckon.db") as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            return [row[0].decode() if isinstance(row[0], bytes) else row[0] for row in database.execute(TEXTS)]


def first():
    return {"user": "Remember the lighthouse.", "text": "It stands on a rock."}


@tap.case("/health/read-only")
def _():
    with Scene([first(), {"user": "And the sea?", "text": "Grey."}]) as scene:
        scene.fail(faults.ANY_CHANGE, errno.EROFS)
        scene.start()
        scene.banner("can only be read")
        scene.window.find(contains="It stands on a rock.")
        scene.send("And the sea?")
        scene.banner("cannot be opened or written")
        assert len(scene.model.requests) == 1, scene.model.requests
        scene.window.end()
        scene.faults.clear()
        assert scene.expect_whole() == ["Remember the lighthouse.", "It stands on a rock."]


@tap.case("/health/disk-full")
def _():
    story = [{"text": "It begins"}, {"hold": "story"}, {"text": " and it ends."}, {"finish": "stop"}, {"done": True}]
    with Scene([first(), {"user": "Tell me more.", "steps": story}, {"user": "And the sea?", "text": "Grey."}]) as scene:
        scene.start()
        scene.send("Tell me more.")
        scene.window.find(contains="It begins")
        driver.wait(lambda: scene.home.has_stored("It begins"), "the beginning on the disk")
        scene.fail(faults.WRITE, errno.ENOSPC)
        scene.model.release("story")
        scene.window.find(contains="It begins and it ends.")
        scene.banner("The disk is full")
        scene.banner("kept in memory")
        assert not scene.home.has_stored(" and it ends.")
        # What is about to happen is refused, and what was typed stays.
        scene.send("And the sea?")
        scene.banner("The disk is full. Make room and try again.")
        assert len(scene.model.requests) == 2, scene.model.requests
        driver.wait(lambda: scene.window.length(name="Message") == len("And the sea?"), "the text in the composer")
        # There is room again, and nobody has to do anything.
        scene.faults.clear()
        scene.window.gone(role="alert", contains="The disk is full, so")
        scene.window.press(name="Send message")
        scene.window.find(contains="Grey.")
        scene.window.end()
        assert scene.expect_whole()[2:] == ["Tell me more.", "It begins and it ends.", "And the sea?", "Grey."]


@tap.case("/health/damaged")
def _():
    with Scene([first(), {"user": "And the sea?", "text": "Grey."}]) as scene:
        path = scene.folder / "beckon.db"
        damaged = scene.without_page("note")
        path.write_bytes(damaged)
        (scene.folder / "damaged").touch()
        scene.start()
        scene.banner("has been repaired. Carried over: messages: 2, conversations: 1.")
        kept = list(scene.folder.glob("beckon-damaged-*.db"))
        assert [file.read_bytes() for file in kept] == [damaged], kept
        scene.banner(kept[0].name)
        scene.window.find(contains="It stands on a rock.")
        scene.send("And the sea?")
        scene.window.find(contains="Grey.")
        scene.window.end()
        # It stays until somebody has read it.
        scene.start()
        scene.banner("has been repaired")
        scene.window.press(within=scene.banner("has been repaired"), name="Dismiss notice")
        scene.window.gone(role="alert", contains="has been repaired")
        scene.window.end()
        assert sorted(scene.expect_whole()) == sorted(["Remember the lighthouse.", "It stands on a rock.", "And the sea?", "Grey."])


def open_copy(scene, button, **where):
    scene.window.press(role="push button", contains=button, **where)
    dialog = scene.window.find(role="dialog", contains="Open the Copy From")
    scene.window.find(contains="added or changed since then", within=dialog)
    scene.window.find(contains=str(scene.folder), within=dialog)
    scene.window.press(role="push button", name="Open Copy", within=dialog)
    scene.banner("Your history is now the copy")


@tap.case("/health/copy-in-place-of-a-damaged-history")
def _():
    with Scene([first(), {"user": "And the sea?", "text": "Grey."}]) as scene:
        scene.copy_of_yesterday()
        path = scene.folder / "beckon.db"
        path.write_bytes(bytes(100) + path.read_bytes()[100:])
        scene.start()
        repaired = scene.banner("nothing in it could be read")
        open_copy(scene, "Open Yesterday’s Copy", within=repaired)
        assert len(list(scene.folder.glob("beckon-damaged-*.db"))) == 1
        kept = list(scene.folder.glob("beckon-replaced-*.db"))
        assert len(kept) == 1, kept
        scene.banner(kept[0].name)
        scene.window.find(contains="It stands on a rock.")
        scene.send("And the sea?")
        scene.window.find(contains="Grey.")
        scene.window.press(within=scene.banner("is now the copy"), name="Dismiss notice")
        scene.window.end()
        assert scene.expect_whole() == ["Remember the lighthouse.", "It stands on a rock.", "And the sea?", "Grey."]


@tap.case("/health/copy-in-preferences")
def _():
    with Scene([first(), {"user": "And the sea?", "text": "Grey."}]) as scene:
        scene.copy_of_yesterday()
        scene.start()
        scene.send("And the sea?")
        scene.window.find(contains="Grey.")
        scene.window.keys(driver.MAIN, "ctrl+comma")
        scene.window.click("Preferences", role="list item", name="Permissions")
        scene.window.find(name="Yesterday")
        scene.window.find(contains="1 conversation, ")
        open_copy(scene, "Open the copy: Yesterday")
        scene.window.find(contains="It stands on a rock.")
        scene.window.end()
        assert scene.expect_whole() == ["Remember the lighthouse.", "It stands on a rock."]


@tap.case("/health/newer-version")
def _():
    with Scene([first()]) as scene:
        with sqlite3.connect(scene.folder / "beckon.db") as database:
            database.execute("PRAGMA user_version = 9999")
        scene.start()
        scene.window.find(contains="written by a newer version of Beckon")
        scene.window.keys(driver.MAIN, "ctrl+n")
        assert not scene.window.has(name="Send message"), driver.describe(scene.window.root)
        scene.window.end()
        assert scene.expect_whole() == ["Remember the lighthouse.", "It stands on a rock."]


@tap.case("/health/broken-off-starts")
def _():
    with Scene([first()]) as scene:
        settings = scene.home.folder / "config/glib-2.0/settings/keyfile"
        for count in range(1, 4):
            process = subprocess.Popen([INSTALLATION.window], env=scene.home.environment)
            driver.wait(lambda: re.search(rf"unfinished-starts=(uint32 )?{count}\b", settings.read_text()), f"start {count}")
            process.kill()
            process.wait()
        # Nothing is taken up by itself: neither the profile nor the conversation that was open.
        scene.start()
        scene.banner("no profile is selected")
        scene.window.find(contains="No profile")
        assert not scene.window.has(contains="It stands on a rock."), driver.describe(scene.window.root)
        driver.wait(lambda: scene.home.get("unfinished-starts") == "uint32 0", "the start to stand")
        assert scene.home.get("default-profile") == "''"
        scene.window.press(within=scene.banner("no profile is selected"), name="Dismiss notice")
        scene.window.gone(role="alert", contains="no profile is selected")
        scene.window.end()
        # It stays so, and is said once.
        scene.start()
        scene.window.find(contains="It stands on a rock.")
        assert not scene.window.has(role="alert", contains="no profile is selected")
        assert scene.home.get("default-profile") == "''"


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
