#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that come into the window by a hand, and conversations that leave it: test-dragging.py BUILD_ROOT. Runs on a display of its
own, with the window of another program beside Beckon's."""

import pathlib
import subprocess

import scenes
from scenes import Scene, driver, tap

OTHER = "Another Program"


def xdotool(*words):
    return subprocess.run(["xdotool", *words], stdout=subprocess.PIPE, text=True, check=True).stdout


class Other:
    """Another program's window at the right of the display. Use as a context."""

    def __init__(self, *arguments):
        self.command = [str(pathlib.Path(scenes.BUILD) / "tests/ui/driven/beckon-dragging"), *map(str, arguments)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "shown\n", "the other program has no window"
        width, _ = map(int, xdotool("getdisplaygeometry").split())
        self.window = xdotool("search", "--sync", "--onlyvisible", "--name", f"^{OTHER}$").split()[-1]
        xdotool("windowmove", "--sync", self.window, str(width - 140), "0", "windowraise", self.window)
        self.place = (width - 80, 60)
        return self

    def __exit__(self, *exception):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def middle(scene, **what):
    """Where a widget is on the display."""
    values = dict(line.split("=") for line in
                  xdotool("getwindowgeometry", "--shell", scene.window.x_window(driver.MAIN)).split())
    x, y = scene.window.find(**what).middle()
    return int(values["X"]) + x, int(values["Y"]) + y


def drag(start, end):
    """A hand moves in steps: a press that did not move yet is none that drags."""
    xdotool("mousemove", *map(str, start), "mousedown", "1")
    for step in range(1, 11):
        xdotool("mousemove", *(str(a + (b - a) * step // 10) for a, b in zip(start, end)))
    # Where it is let go is where both programs have agreed that it may be.
    for _ in range(20):
        xdotool("mousemove", str(end[0] + 1), str(end[1]), "mousemove", str(end[0]), str(end[1]))
    xdotool("mouseup", "1")


@tap.case("/ui/dragging/file-into-the-window")
def _():
    with Scene([{"text": "Read."}]) as scene:
        note = scene.home.folder / "note.txt"
        note.write_text("The number is 17.\n")
        place = middle(scene, role="text", name="Message")
        with Other("give", note) as other:
            drag(other.place, place)
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
            drag(row, other.place)
            path = pathlib.Path(other.process.stdout.readline().strip())
            assert path.suffix == ".md", path
            assert "It is **so**." in path.read_text(), path.read_text()


@tap.case("/ui/dragging/file-by-the-dialog")
def _():
    with Scene([{"text": "Read."}]) as scene:
        note = scene.home.folder / "note.txt"
        note.write_text("The number is 17.\n")
        scene.window.press(name="Attach files")
        scene.window.find(contains="_Attach", role="push button")
        scene.window.keys("Attach Files", "slash")
        xdotool("type", str(note)[1:])
        scene.window.press(contains="_Attach", role="push button")
        scene.window.find(name="Remove note.txt")


if __name__ == "__main__":
    scenes.main()
