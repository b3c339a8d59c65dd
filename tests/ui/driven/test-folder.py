#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instructions that a folder brings, in the real window: asked about before they count, also when the program is killed meanwhile.
test-folder.py BUILD_ROOT. Runs on a display of its own."""

import pathlib

import scenes
from scenes import Scene, driver, tap

REPLIES = [{"user": "Hello.", "text": "Hi."}, {"user": "Write.", "text": "Colour."}, {"user": "Again.", "text": "Color."}]


def wait_for_card(scene, title):
    """A new card takes no input for a moment."""
    def listens():
        cards = scene.window.all(name=title, role="panel")
        return cards and not any(driver.is_busy(card) for card in cards)

    driver.wait(listens, "a card that listens")


@tap.case("/ui/folder/allowed-after-a-kill")


def _():
    with Scene(REPLIES, opens=False) as scene:
        folder = pathlib.Path(scene.home.folder) / "work" / "letters"
        folder.mkdir(parents=True)
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        (folder / "AGENTS.md").write_text("Write British English.\n")
        scene.restart()
        scene.window.find(contains="Hi.")
        scene.send("Write.")
        wait_for_card(scene, "Use what “letters” brings for the agent?")
        assert len(scene.model.requests) == 1, "it was sent before it was allowed"
        scene.restart()
        wait_for_card(scene, "Use what “letters” brings for the agent?")
        scene.window.press(name="Use what the folder brings")
        scene.window.find(contains="Colour.")
        assert "Write British English." in str(scene.requests(2)), scene.requests(2)

        (folder / "AGENTS.md").write_text("Write American English.\n")
        scene.send("Again.")
        wait_for_card(scene, "Use what changed in “letters”?")
        scene.window.press(name="Don’t use what the folder brings")
        scene.window.find(contains="Color.")
        assert "American" not in str(scene.requests(3)), scene.requests(3)


if __name__ == "__main__":
    scenes.main()
