#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Coming back to a conversation that worked: what was done, asked and changed in the meantime. test-away.py BUILD_ROOT. Runs on a
display of its own."""

import pathlib

import scenes
from neighbour import Other
from scenes import Scene, driver, models, tap

AWAY = {"contains": "While you were away: ", "role": "push button"}


def held(user, gate, *calls):
    return {"user": user, "steps": [{"text": f"Beginning {gate}"}, {"hold": gate}, *calls, {"finish": "tool_calls"}, {"done": True}]}


def write(identifier, path, content):
    return {"call": "write_file", "id": identifier, "arguments": {"path": path, "content": content}}


WORKING = [
    {"user": "Hello.", "text": "Hi."},
    held("Write it.", "one", write("call_one", "note.txt", "This is the note.\n"), write("call_two", "new.txt", "One.\nTwo.\n")),
    {"result": "new.txt", "text": "They are written."},
    held("And a command.", "two", {"call": "run_command", "id": "call_make", "arguments": {
        "command": "echo more >> note.txt; mkdir build; echo x > build/a; echo made"}}),
    {"result": "made", "text": "It is made."},
    held("Ask me.", "three", models.ask("call_ask", "Which colour?", "Red", "Blue")),
]


def begin(scene):
    """A conversation in a folder of its own, which holds a note, seen in the window."""
    folder = pathlib.Path(scene.home.folder) / "work" / "notes"
    folder.mkdir(parents=True)
    (folder / "note.txt").write_text("This is teh note.\n")
    scene.home.ctl("run", "--folder", str(folder), "Hello.")
    scene.restart()
    scene.window.keys(driver.MAIN, "Escape")
    scene.window.find(contains="Hi.")
    return folder


def go_away(scene, text, gate):
    """The agent begins to work, and the person turns to another conversation."""
    scene.send(text)
    scene.window.find(contains=f"Beginning {gate}")
    scene.window.keys(driver.MAIN, "ctrl+n")
    scene.window.gone(contains=f"Beginning {gate}")
    scene.model.release(gate)


def come_back(scene, mark="unread"):
    scene.window.find(role="list item", contains=f"Hello., {mark}")
    scene.window.click(driver.MAIN, role="list item", contains="Hello.")
    scene.window.find(contains="Hi.")


def work_away(scene):
    folder = begin(scene)
    go_away(scene, "Write it.", "one")
    come_back(scene)
    scene.window.find(contains="They are written.")
    return folder, folder / "note.txt", folder / "new.txt"


@tap.case("/ui/away/told-and-undone-by-file")
def _():
    """Each change has its lines and its undo; once seen it is not told again."""
    with Scene(WORKING, opens=False, default_mode="outside") as scene:
        _folder, note, new = work_away(scene)
        line = scene.window.find(**AWAY)
        assert line.name == "While you were away: 2 tool calls · 2 files changed", line.name
        assert not scene.window.has(name="Undo note.txt"), "it is open by itself"
        scene.window.press(**AWAY)
        scene.window.find(contains="note.txt  +1 −1")
        scene.window.find(contains="new.txt  new, 2 lines")
        scene.window.press(role="push button", name="Undo note.txt")
        driver.wait(lambda: note.read_text() == "This is teh note.\n", "the note as it was")
        scene.window.gone(role="push button", name="Undo note.txt")
        assert new.exists(), "more was undone than was wanted"
        scene.window.keys(driver.MAIN, "ctrl+n")
        scene.window.gone(contains="They are written.")
        scene.window.click(driver.MAIN, role="list item", contains="Hello.")
        scene.window.find(contains="They are written.")
        assert not scene.window.has(**AWAY), "it is told again"


@tap.case("/ui/away/the-whole-undone")
def _():
    """All of it at once, with a way back; and the next message ends it."""
    with Scene(WORKING, opens=False, default_mode="outside") as scene:
        folder, note, new = work_away(scene)
        scene.window.press(**AWAY)
        scene.window.press(role="push button", name="Undo all changes made while you were away")
        driver.wait(lambda: note.read_text() == "This is teh note.\n" and not new.exists(), "the folder as it was")
        scene.window.press(role="push button", name="Undo")
        driver.wait(lambda: note.read_text() == "This is the note.\n" and new.exists(), "the folder as it became")
        go_away(scene, "And a command.", "two")
        come_back(scene)
        scene.window.find(contains="It is made.")
        line = scene.window.find(**AWAY)
        assert line.name == "While you were away: 1 tool call · 2 files changed", line.name
        scene.window.press(**AWAY)
        scene.window.find(contains="build/a")
        scene.window.press(role="push button", contains="Undo Ran echo more")
        driver.wait(lambda: note.read_text() == "This is the note.\n" and not (folder / "build").exists(), "the command undone")


@tap.case("/ui/away/asked")
def _():
    with Scene(WORKING, opens=False, default_mode="outside") as scene:
        begin(scene)
        go_away(scene, "Ask me.", "three")
        come_back(scene, "waiting for you")
        line = scene.window.find(**AWAY)
        assert line.name == "While you were away: asked you 1 time", line.name
        scene.window.press(**AWAY)
        scene.window.find(contains="Which colour? — waiting for you")


@tap.case("/ui/away/another-program-had-the-focus")
def _():
    """The conversation stays on screen, and the person works in another program."""
    with Scene(WORKING, opens=False, default_mode="outside") as scene:
        begin(scene)
        scene.send("Write it.")
        scene.window.find(contains="Beginning one")
        with Other("take") as other:
            driver.type_keys("windowfocus", "--sync", other.window)
            scene.window.find(role="push button", name="Stop")
            scene.model.release("one")
            scene.window.find(contains="They are written.")
            assert not scene.window.has(**AWAY), "it is told to nobody"
        scene.window.keys(driver.MAIN, "Escape")
        scene.window.find(**AWAY)


@tap.case("/ui/away/quiet-while-looking")
def _():
    """The line tells nothing of what was seen, not after a new start either."""
    with Scene(WORKING, opens=False, default_mode="outside") as scene:
        begin(scene)
        scene.send("Write it.")
        scene.window.find(contains="Beginning one")
        scene.model.release("one")
        scene.window.find(contains="They are written.")
        assert not scene.window.has(**AWAY), "it was seen"
        scene.window.keys(driver.MAIN, "ctrl+n")
        scene.window.gone(contains="They are written.")
        scene.window.click(driver.MAIN, role="list item", contains="Hello.")
        scene.window.find(contains="They are written.")
        assert not scene.window.has(**AWAY), "it was seen"
        scene.restart()
        scene.window.find(contains="They are written.")
        assert not scene.window.has(**AWAY), "it was seen before the restart"


if __name__ == "__main__":
    scenes.main()
