#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that come into the window by a hand, and conversations that leave it: test-dragging.py BUILD_ROOT. Runs on a display of its
own, with the window of another program beside Beckon's."""

import json
import pathlib

import scenes
from neighbour import Other, xdotool
from pasting import Clipboard
from scenes import Scene, driver, tap


def middle(scene, **what):
    """A widget's place on the display."""
    values = dict(line.split("=") for line in
                  xdotool("getwindowgeometry", "--shell", scene.window.x_window(driver.MAIN)).split())
    x, y = scene.window.find(**what).middle()
    return int(values["X"]) + x, int(values["Y"]) + y


def drag(start, end, other):
    """A hand moves in steps: a press that did not move yet is none that drags."""
    xdotool("mousemove", *map(str, start), "mousedown", "1")
    for step in range(1, 11):
        xdotool("mousemove", *(str(a + (b - a) * step // 10) for a, b in zip(start, end)))

    def agreed():
        xdotool("mousemove", str(end[0] + 1), str(end[1]), "mousemove", str(end[0]), str(end[1]))
        return other.said() == "agreed"

    # It is let go where both programs have agreed that it may be.
    driver.wait(agreed, "a place to let go")
    xdotool("mouseup", "1")


@tap.case("/ui/dragging/file-into-the-window")
def _():
    with Scene([{"text": "Read."}]) as scene:
        note = scene.home.folder / "note.txt"
        note.write_text("The number is 17.\n")
        place = middle(scene, role="text", name="Message")
        with Other("give", note) as other:
            drag(other.place, place, other)
            scene.window.find(name="Remove note.txt")
        scene.window.press(name="Send message")
        scene.window.find(contains="Read.")
        assert "The number is 17." in scene.requests(1)["messages"][-1]["content"], scene.requests(1)


@tap.case("/ui/dragging/conversation-out-of-the-list")
def _():
    with Scene([{"user": "Say it.", "text": "It is **so**."}]) as scene:
        scene.send("Say it.")
        scene.window.find(contains="It is so.")
        row = middle(scene, contains="Say it.", role="list item")
        with Other("take") as other:
            drag(row, other.place, other)
            path = pathlib.Path(driver.wait(other.said, "a file"))
            assert path.suffix == ".md", path
            assert "It is **so**." in path.read_text(), path.read_text()


@tap.case("/ui/dragging/file-by-the-dialog")
def _():
    with Scene([{"text": "Read."}]) as scene:
        note = scene.home.folder / "note.txt"
        note.write_text("The number is 17.\n")
        scene.window.press(name="Attach files")
        dialog = scene.window.find(name="Attach Files")
        scene.window.find(contains="Attach", role="push button", within=dialog)
        (scene.home.folder / "path").write_text(str(note))

        def holds_path():
            return any(entry.count_characters() == len(str(note))
                       for entry in scene.window.all(role="text", within=dialog))

        # Typed, each letter would be completed, and what is looked up for it could come after the next one.
        with Clipboard(scenes.BUILD, "text/plain;charset=utf-8", scene.home.folder / "path"):
            scene.window.keys("Attach Files", "ctrl+l", "ctrl+a", "ctrl+v")
            driver.wait(holds_path, "the path in the dialog")
        scene.window.keys("Attach Files", "Return")
        scene.window.find(name="Remove note.txt")


@tap.case("/ui/dragging/folder-onto-its-button")
def _():
    """A folder is not attached: the conversation works in it from then on."""
    with Scene([{"text": "Read."}]) as scene:
        folder = scene.home.folder / "Harbour"
        folder.mkdir()
        (folder / "note.txt").write_text("The number is 17.\n")
        place = middle(scene, role="push button", name="No working folder")
        with Other("give", folder) as other:
            drag(other.place, place, other)
            scene.window.find(role="push button", name="Working folder: ~/Harbour")
        assert not scene.window.has(contains="Remove "), "it was attached"
        scene.send("What is there?")
        scene.window.find(contains="Read.")
        assert str(folder) in json.dumps(scene.requests(1), ensure_ascii=False), scene.requests(1)


if __name__ == "__main__":
    scenes.main()
