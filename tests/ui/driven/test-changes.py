#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the agent changed in the real window: it is seen, kept in part, undone, and the folder is rewound. test-changes.py
BUILD_ROOT. Runs on a display of its own."""

import pathlib

import scenes
from scenes import Scene, driver, tap

WRITING = [
    {"user": "Hello.", "text": "Hi."},
    {"user": "Write it.", "calls": [
        {"call": "write_file", "id": "call_one", "arguments": {"path": "note.txt", "content": "This is the note.\n"}},
        {"call": "write_file", "id": "call_two", "arguments": {"path": "new.txt", "content": "This is new.\n"}}]},
    {"result": "new.txt", "text": "They are written."},
]


def begin(scene):
    """A conversation in a folder of its own, which holds a note."""
    folder = pathlib.Path(scene.home.folder) / "work" / "notes"
    folder.mkdir(parents=True)
    (folder / "note.txt").write_text("This is teh note.\n")
    scene.home.ctl("run", "--folder", str(folder), "Hello.")
    scene.restart()
    scene.window.find(contains="Hi.")
    return folder


def open_rewind(scene):
    """By keys alone: from the composer to the last message, the two before it, the menu."""
    scene.window.keys(driver.MAIN, "ctrl+Up", "Up", "Up", "shift+F10")
    scene.window.press(role="menu item", contains="Rewind Folder to Here")
    scene.window.find(contains="Undoes what the agent changed")


@tap.case("/ui/changes/rewind")
def _():
    """Seen before it is done, done, and made undone."""
    with Scene(WRITING, default_mode="outside") as scene:
        folder = begin(scene)
        note, new = folder / "note.txt", folder / "new.txt"
        scene.send("Write it.")
        scene.window.find(contains="They are written.")
        assert (note.read_text(), new.exists()) == ("This is the note.\n", True)
        open_rewind(scene)
        scene.window.find(contains="note.txt, Becomes what it was")
        scene.window.find(contains="new.txt, Is deleted: it was not there")
        assert new.exists(), "it was done before it was wanted"
        scene.window.press(role="push button", contains="Rewind")
        driver.wait(lambda: note.read_text() == "This is teh note.\n" and not new.exists(), "the folder as it was")
        scene.window.press(role="push button", contains="Undo")
        driver.wait(lambda: note.read_text() == "This is the note.\n" and new.exists(), "the folder as it became")


@tap.case("/ui/changes/rewind-keeps-what-you-changed")
def _():
    """A file that was changed since stays; with the conversation, the message is there to be sent again."""
    with Scene(WRITING, default_mode="outside") as scene:
        folder = begin(scene)
        note, new = folder / "note.txt", folder / "new.txt"
        scene.send("Write it.")
        scene.window.find(contains="They are written.")
        note.write_text("Mine.\n")
        open_rewind(scene)
        scene.window.find(contains="1 stays as it is.")
        scene.window.click("Rewind Folder", role="check box", contains="Also go back in the conversation")
        scene.window.press(role="push button", contains="Rewind")
        driver.wait(lambda: not new.exists(), "the new file gone")
        assert note.read_text() == "Mine.\n", note.read_text()
        driver.wait(lambda: scene.window.length(role="text", name="Message") == len("Write it."), "the message to be edited")


if __name__ == "__main__":
    scenes.main()
