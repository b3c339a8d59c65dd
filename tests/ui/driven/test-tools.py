#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools in the real window: what they are about to do is seen and decided, and what they did is undone. test-tools.py
BUILD_ROOT. Runs on a display of its own."""

import pathlib

import scenes
from scenes import Scene, driver, models, tap

EDIT = "call_edit"
REPLIES = [
    {"user": "Hello.", "text": "Hi."},
    {"user": "Mend it.", "calls": [{"call": "edit_file", "id": EDIT, "arguments":
                                    {"path": "note.txt", "old_text": "teh", "new_text": "the"}}]},
    {"result": "“note.txt” was changed", "text": "It is mended."},
    {"user": "And now?", "text": "I see that you undid it."},
]


def approve(scene, name):
    """A new card takes no input for a moment."""
    scene.window.find(contains="May the agent run " + name, role="panel")
    driver.wait(lambda: not any(driver.is_busy(node)
                                for node in scene.window.all(contains="May the agent run")), "a card that listens")
    scene.window.press(name="Run")


@tap.case("/ui/tools/edit-undone")
def _():
    with Scene(REPLIES) as scene:
        folder = pathlib.Path(scene.home.folder) / "work" / "notes"
        folder.mkdir(parents=True)
        note = folder / "note.txt"
        note.write_text("This is teh note.\n")
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        scene.restart()
        scene.window.find(contains="Hi.")
        scene.send("Mend it.")
        scene.window.find(contains="May the agent run edit_file", role="panel")
        assert note.read_text() == "This is teh note.\n", "it ran before it was allowed"
        approve(scene, "edit_file")
        scene.window.find(contains="It is mended.")
        assert note.read_text() == "This is the note.\n", note.read_text()
        scene.window.press(name="Undo This Change")
        driver.wait(lambda: note.read_text() == "This is teh note.\n", "the note as it was")
        scene.window.gone(name="Undo This Change")
        scene.send("And now?")
        scene.window.find(contains="I see that you undid it.")
        told = models.results_of(scene.requests(4))[EDIT]
        assert "undid this change" in told, told


if __name__ == "__main__":
    scenes.main()
