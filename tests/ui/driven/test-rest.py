#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cards that change, and keys that stay down, while they are decided; and calls that only looked, folded and unfolded.
test-rest.py BUILD_ROOT. Runs on a display of its own."""

import json
import subprocess

import scenes
from deciding import DOCK, MESSAGE, Scene
from scenes import driver, tap

LETTERS = [{"call": "write_file", "id": f"call_{name}", "arguments": {"path": f"{name}.txt", "content": name}} for name in "abc"]
WRITING = [{"user": "Hello.", "text": "Ready."}, {"user": "Write.", "calls": LETTERS}, {"result": "", "text": "All done."}]
LOOKS = [{"call": "read_file", "id": f"call_{name}", "arguments": {"path": f"{name}.txt"}} for name in "abc"]
LOOKING = [{"user": "Hello.", "text": "Ready."}, {"user": "Look.", "calls": LOOKS}, {"result": "", "text": "All seen."}]

MOVING = [{"user": "Hello.", "text": "Ready."},
          {"user": "Move it.", "calls": [{"call": "edit_file", "id": "call_edit", "arguments":
                                          {"path": "notes.txt", "old_text": "Friday", "new_text": "Monday"}}]},
          {"result": "was changed", "text": "It is moved."}]


def read(folder):
    return sorted(path.name for path in folder.iterdir())


@tap.case("/ui/rest/of-a-list-that-changed")
def _():
    """A call is denied in the terminal while the list is open: what runs is what is listed then, after its moment."""
    with Scene(WRITING) as scene:
        folder = scene.begin()
        scene.ask()
        scene.listens("1 of 3")
        scene.window.press(name="Run the Rest · 3…")
        scene.window.find(role="push button", name="Run 3")
        waiting = json.loads(scene.home.ctl("questions", "--json"))
        requests = waiting if isinstance(waiting, list) else waiting["questions"]
        (denied,) = [one["id"] for one in requests if "b.txt" in json.dumps(one)]
        scene.home.ctl("reject", denied, "Not this one.")
        scene.window.find(role="push button", name="Run 2")
        scene.listens("1 of 2")
        scene.window.press(role="push button", name="Run 2")
        scene.window.find(contains="All done.")
        assert read(folder) == ["a.txt", "c.txt"], read(folder)


@tap.case("/ui/rest/a-held-enter-runs-one-call")
def _():
    """The focus leaves the card for the composer, where a held Enter neither sends, nor queues, nor approves."""
    with Scene(WRITING) as scene:
        folder = scene.begin()
        scene.ask()
        scene.press("ctrl+j")
        scene.wait_focus("the focus on Run", role="push button", name="Run")
        subprocess.run(["xdotool", "keydown", "Return"], check=True)
        driver.wait(lambda: (folder / "a.txt").exists(), "the first file")
        scene.listens("1 of 2")
        subprocess.run(["xdotool", "keyup", "Return"], check=True)
        scene.wait_focus("the focus where one writes", **MESSAGE)
        scene.press("x")
        driver.wait(lambda: scene.window.length(**MESSAGE) == 1, "the letter in the composer")
        assert read(folder) == ["a.txt"], "a held key ran a second call"
        assert len(scene.model.requests) == 2, "a held key sent a message"
        assert not scene.window.has(contains="Send Now"), "a held key queued a message"


@tap.case("/ui/rest/a-small-difference-runs-with-one-key")
def _():
    """The text has its height only after its first layout, and is not cut for that."""
    with Scene(MOVING) as scene:
        folder = scene.begin()
        (folder / "notes.txt").write_text("Plan\nDeadline: Friday\nBudget: 200\n")
        scene.ask("Move it.")
        driver.wait(lambda: not scene.window.has(name="Full height"), "a card that is whole")
        scene.press("ctrl+Return")
        scene.window.find(contains="It is moved.")
        assert scene.keys == 1 and "Monday" in (folder / "notes.txt").read_text()


@tap.case("/ui/rest/looks-fold-and-unfold")
def _():
    with Scene(LOOKING) as scene:
        folder = scene.begin()
        for name in "abc":
            (folder / f"{name}.txt").write_text(name)
        scene.window.type("Look.", **MESSAGE)
        scene.window.press(name="Send message")
        scene.window.find(contains="All seen.")
        fold = {"role": "push button", "contains": "Looked at 3 files"}
        scene.window.find(**fold)
        assert not scene.window.has(contains="Read a.txt"), "what was only looked at is not folded"
        scene.to_front()
        scene.click(**fold)
        for name in "abc":
            scene.window.find(contains=f"Read {name}.txt")
        scene.window.press(**fold)
        scene.window.gone(contains="Read a.txt")
        scene.restart()
        scene.window.find(**fold)
        assert not scene.window.has(contains="Read a.txt") and not scene.window.has(**DOCK)


if __name__ == "__main__":
    scenes.main()
