#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several windows, the small one, files, and what the desktop is told: test-windows.py BUILD_ROOT. On a display of its own."""

import contextlib
import json
import os
import sqlite3
import subprocess
import uuid
import zipfile

import accessible
import desktop
import scenes
import session
from scenes import driver, tap
from scenes import Scene

HELLO = {"user": "Hello there, my friend.", "text": "Hello yourself."}
AGAIN = {"user": "And again.", "text": "Again it is."}


def held(user, gate):
    return {"user": user, "steps": [{"text": f"Beginning {gate}"}, {"hold": gate}, {"text": ", and the end."}, {"finish": "stop"},
                                    {"done": True}]}


class Windows(Scene):
    """With a way to speak of each window."""

    def frames(self, count):
        def found():
            frames = [node for node in self.window.windows() if self.window.first(within=node, name="New conversation")]
            return frames if len(frames) == count else None

        return driver.wait(found, f"{count} windows")

    def x_windows(self):
        """The main windows, the last one that came last."""
        said = subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.window.process.pid), "--name", ".+"],
                              stdout=subprocess.PIPE, text=True, check=False).stdout.split()
        return sorted(set(said), key=int)

    def keys(self, window, *keys):
        driver.type_keys("windowfocus", "--sync", window, "key", *keys)

    def has_focus(self, title, **what):
        """Whether the focus is in what fits of the window called so."""
        frame = next((node for node in self.window.windows() if node.name == title), None)
        return any(node.was(accessible.FOCUSED) for node in self.window.each(within=frame, **what)) if frame else False

    def opened(self, title):
        """The X window in which a dialog is now: its own, or the one that it is a sheet of."""
        driver.wait(lambda: title in [node.name for node in self.window.windows()], title)
        return self.window.x_window(title)

    def closed(self, title):
        driver.wait(lambda: title not in [node.name for node in self.window.windows()], f"the end of {title}")

    def width(self, window):
        said = subprocess.run(["xdotool", "getwindowgeometry", "--shell", window], stdout=subprocess.PIPE, text=True, check=True)
        return int(dict(line.split("=") for line in said.stdout.split())["WIDTH"])

    def drawn_width(self):
        """As the program itself knows it, of the only window."""
        return self.window.windows()[0].call("Component.GetExtents", "(u)", 1)[0][2]


@tap.case("/ui/windows/narrow-in-one-step")
def _():
    with Windows([held("Hello there, my friend.", "gate")]) as scene:
        scene.send("Hello there, my friend.")
        scene.window.find(contains="Beginning gate")
        scene.window.find(role="push button", name="Stop")
        (window,) = scene.x_windows()
        for width in 1300, 360, 720, 360:
            # The window's shadow is five pixels on each side here. The program is told first and draws then: only when it has
            # done so it may be told again, or its own wish comes after that.
            subprocess.run(["xdotool", "windowsize", window, str(width + 10), "700"], check=True)
            driver.wait(lambda: abs(scene.drawn_width() - width) <= 10 and abs(scene.width(window) - width) <= 10,
                        f"{width} pixels: {scene.width(window)}")
        scene.model.release("gate")


RULE = "INSERT INTO rule (id, tool, arguments, verdict, created_at) VALUES (?, 'run_command', ?, 'allow', 1710000000000000)"


@tap.case("/ui/windows/permissions-are-left-by-key")
def _():
    with Windows([]) as scene:
        scene.window.end()
        with contextlib.closing(sqlite3.connect(scene.home.folder / "data/beckon/beckon.db")) as database, database:
            database.executemany(RULE, [(f"01M7ZRULE000000000000000{i}", json.dumps({"command": f"git {i}"})) for i in "AB"])
        scene.window = scene.home.start()
        scene.window.find(role="text", name="Message")
        (window,) = scene.x_windows()
        scene.keys(window, "ctrl+comma")
        preferences = scene.opened("Preferences")
        scene.window.click("Preferences", role="list item", name="Permissions")
        for rule in "BA":
            scene.window.find(contains=f"git {rule}")
            scene.window.click("Preferences", role="push button", name="Delete rule")
            scene.window.gone(contains=f"git {rule}")
        scene.keys(preferences, "Escape")
        scene.closed("Preferences")


@tap.case("/ui/windows/shortcuts")
def _():
    with Windows([]) as scene:
        (window,) = scene.x_windows()
        scene.keys(window, "ctrl+question")
        row = scene.window.find(role="list item", name="Search conversations")
        assert row.description == "Shift+Ctrl+F", row.description
        shortcuts = scene.opened("Keyboard Shortcuts")
        # Narrower than the toolkit's own one can be.
        subprocess.run(["xdotool", "windowsize", shortcuts, "370", "600"], check=True)
        driver.wait(lambda: abs(scene.width(shortcuts) - 360) <= 10, f"360 pixels: {scene.width(shortcuts)}")
        # Keys that come before the first focus of a window lose what they focus to it.
        driver.wait(lambda: scene.has_focus("Keyboard Shortcuts"), "the first focus")
        scene.keys(shortcuts, "ctrl+f")
        driver.wait(lambda: scene.has_focus("Keyboard Shortcuts", role="entry", name="Search"), "the focus in the search")
        scene.window.type("quote", name="Search", role="entry")
        scene.window.find(role="list item", name="Quote the message")
        scene.keys(shortcuts, "Escape")
        scene.window.find(role="list item", name="Search conversations")
        # The second comes while what one typed into fades out.
        scene.keys(shortcuts, "ctrl+f")
        driver.wait(lambda: scene.has_focus("Keyboard Shortcuts", role="entry", name="Search"), "the focus in the search again")
        scene.keys(shortcuts, "Escape", "Escape")
        scene.closed("Keyboard Shortcuts")
        for keys, title in (("ctrl+question", "Keyboard Shortcuts"), ("ctrl+comma", "Preferences")):
            scene.keys(window, keys)
            dialog = scene.opened(title)
            driver.wait(lambda: scene.has_focus(title), "the first focus")
            scene.keys(dialog, "ctrl+w")
            scene.closed(title)
            assert scene.x_windows() == [window]


@tap.case("/ui/windows/a-touch-beside-an-editor")
def _():
    """Newer versions of libadwaita have it at the bottom of a narrow window, and a click above it closes a sheet."""
    with Windows([]) as scene:
        scene.window.find(role="text", name="Message")
        (window,) = scene.x_windows()
        subprocess.run(["xdotool", "windowsize", window, "370", "700"], check=True)
        driver.wait(lambda: abs(scene.width(window) - 360) <= 10, f"360 pixels: {scene.width(window)}")
        scene.keys(window, "ctrl+comma")
        scene.opened("Preferences")
        scene.window.press(role="push button", contains="Add a profile")
        editor = scene.opened("Profile")
        subprocess.run(["xdotool", "mousemove", "--window", editor, "180", "30", "click", "1"], check=True)
        scene.keys(editor, "Escape")
        scene.closed("Profile")
        scene.opened("Preferences")


@tap.case("/ui/windows/about")
def _():
    """A link of GTK's own in its legal page would end the program here, read by a screen reader, when the window goes."""
    with Scene([]) as scene:
        scene.window.press(name="Main menu")
        scene.window.press(name="About Beckon")
        scene.window.find(name="Legal")
        scene.window.click("About", role="list item", name="Legal")
        scene.window.find(contains="no warranty")
        scene.window.keys("About", "Escape", "Escape")
        scene.window.gone(name="Legal")
        scene.window.press(name="Main menu")
        scene.window.find(name="About Beckon")


@tap.case("/ui/windows/size-is-kept")
def _():
    with Windows([]) as scene:
        scene.window.find(role="text", name="Message")
        (window,) = scene.x_windows()
        subprocess.run(["xdotool", "windowsize", window, "910", "650"], check=True)
        driver.wait(lambda: abs(scene.drawn_width() - 900) <= 10, "900 pixels")
        scene.keys(window, "F9")
        scene.keys(window, "ctrl+q")
        driver.wait(lambda: scene.window.process.poll() == 0, "the end of the program")
        assert scene.home.get("sidebar-visible") == "false"
        scene.window = scene.home.start()
        scene.window.find(role="text", name="Message")
        driver.wait(lambda: abs(scene.drawn_width() - 900) <= 10, f"the same size: {scene.drawn_width()}")
        (window,) = scene.x_windows()
        # Shown and hidden again, it is where it was when the program ends.
        scene.keys(window, "F9", "F9", "ctrl+q")
        driver.wait(lambda: scene.window.process.poll() == 0, "the end of the program")
        assert scene.home.get("sidebar-visible") == "false"


@tap.case("/ui/windows/one-conversation-in-two")
def _():
    with Windows([HELLO, AGAIN]) as scene:
        scene.send("Hello there, my friend.")
        scene.window.find(contains="Hello yourself.")
        scene.window.press(role="push button", name="Conversation menu")
        scene.window.press(role="menu item", contains="New Window")
        one, two = scene.frames(2)
        for frame in one, two:
            scene.window.find(within=frame, contains="Hello yourself.")
        # What is written in one of them stands in both, and so does what comes of it.
        scene.window.type("And again.", within=two, role="text", name="Message")
        driver.wait(lambda: scene.window.length(within=one, role="text", name="Message") == len("And again."), "the same draft")
        scene.window.press(within=two, name="Send message")
        for frame in one, two:
            scene.window.find(within=frame, contains="Again it is.")
        driver.wait(lambda: scene.window.length(within=one, role="text", name="Message") == 0, "an empty draft")
        # One of them goes, and the other stays with its conversation.
        scene.keys(scene.x_windows()[-1], "ctrl+w")
        (frame,) = scene.frames(1)
        scene.window.find(within=frame, contains="Again it is.")
        scene.keys(scene.x_windows()[0], "ctrl+shift+n")
        scene.frames(2)
        scene.keys(scene.x_windows()[-1], "ctrl+q")
        driver.wait(lambda: scene.window.process.poll() == 0, "the end of the program")


@tap.case("/ui/windows/ask")
def _():
    with Windows([HELLO]) as scene:
        scene.home.run(scene.home.installation.window, "--ask", "Hello", "there,", "my", "friend.")
        scene.frames(2)
        driver.wait(lambda: any(scene.width(window) < 500 for window in scene.x_windows()), "a small window")
        small = next(window for window in scene.x_windows() if scene.width(window) < 500)
        assert not scene.model.requests, "it was sent by itself"
        driver.wait(lambda: scene.home.has_stored("Hello there, my friend."), "the words in the composer")
        scene.keys(small, "Return")
        scene.window.find(contains="Hello yourself.")
        width = scene.home.get("window-width")
        scene.keys(small, "ctrl+w")
        scene.frames(1)
        assert scene.home.get("window-width") == width, "the small window's size was kept"
    with Windows([HELLO]) as scene:
        scene.window.kill()
        scene.window = scene.home.start("--ask", "One", "thing")
        driver.wait(lambda: scene.window.length(role="text", name="Message") == len("One thing"), "the words in the composer")


@tap.case("/ui/windows/files")
def _():
    with Windows([HELLO]) as scene:
        scene.send("Hello there, my friend.")
        scene.window.find(contains="Hello yourself.")
        exported = scene.home.ctl("export", "--format=json", scene.home.ctl("list").split()[0])
        history = scene.home.folder / "history.json"
        history.write_text(exported)
        notes = scene.home.folder / "notes.txt"
        notes.write_text("Seven herons by the weir.\n")
        scene.home.run(scene.home.installation.window, str(notes))
        scene.window.find(contains="notes.txt")
        assert len(scene.model.requests) == 1, "a file was sent by itself"
        scene.home.run(scene.home.installation.window, str(history))
        scene.window.press(role="push button", contains="Import")
        scene.window.find(contains="1 was already here")
        known = len(scene.home.ctl("list").splitlines())
        other = json.loads(exported)
        other["conversation"]["id"] = str(uuid.uuid4())
        archive = scene.home.folder / "history.zip"
        with zipfile.ZipFile(archive, "w") as packed:
            packed.writestr("conversations.json", json.dumps(other))
        scene.window.press(role="push button", contains="Close", within=scene.window.find(role="dialog", contains="Nothing Imported"))
        scene.home.run(scene.home.installation.window, str(archive))
        scene.window.press(role="push button", contains="Import")
        scene.window.find(contains="1 conversation imported")
        driver.wait(lambda: len(scene.home.ctl("list").splitlines()) == known + 1, "the imported conversation")
        scene.home.run(scene.home.installation.window, str(scene.home.folder / "nothing.txt"))
        scene.window.find(contains="was not opened")


@tap.case("/ui/windows/help")
def _():
    with Windows([]) as scene:
        said = scene.home.run(scene.home.installation.window, "--help")
        for word in "--ask", "--new-window", "--version", "beckon://conversation/ID", "beckonctl", "FILE":
            assert word in said, said


@tap.case("/ui/windows/inhibit")
def _():
    holding = session.Holding()
    call = {"call": "run_command", "id": "call_wait", "arguments": {"command": "until grep -q go gate; do sleep 0.1; done"}}
    with Windows([{"user": "Hello.", "text": "Hi."}, {"user": "Wait for it.", "calls": [call]},
                  {"result": "", "text": "It came."}]) as scene:
        folder = scene.home.folder / "work"
        folder.mkdir()
        (folder / "gate").touch()
        scene.home.ctl("run", "--folder", str(folder), "--mode", "everything", "Hello.")
        scene.restart()
        scene.window.find(contains="Hi.")
        scene.send("Wait for it.")
        card = scene.window.find(name="Run this command?", role="panel")
        driver.wait(lambda: not driver.is_busy(card), "a card that listens")
        assert not holding.held(), "waiting for a person held up the session"
        scene.window.press(within=card, name="Run")
        driver.wait(holding.held, "the session's end held up")
        assert holding.held() == [(1 | 4, "A tool of an agent is running")], holding.held()
        (folder / "gate").write_text("go")
        driver.wait(holding.is_released, "the session released")
    holding.end()


@tap.case("/ui/windows/background")
def _():
    portal = session.Portal()
    shown = desktop.Freedesktop()
    with Windows([held("Hello there, my friend.", "gate")]) as scene:
        scene.send("Hello there, my friend.")
        scene.window.find(contains="Beginning gate")
        (window,) = scene.x_windows()
        scene.keys(window, "ctrl+q")
        scene.window.press(role="push button", contains="Keep Running")
        _, options = portal.wait("RequestBackground")
        assert options == {"reason": "Agents keep working", "autostart": False}, options
        driver.wait(lambda: not scene.window.windows(), "the end of the window")
        driver.wait(lambda: [one.title for one in shown.shown.values()] == ["Beckon Keeps Running"], "a notification")
        scene.model.release("gate")
        driver.wait(lambda: not shown.shown, "the end of the notification")
        driver.wait(lambda: scene.window.process.poll() == 0, "the end of the program, whose work is done")
    portal.end()


if __name__ == "__main__":
    scenes.main()
