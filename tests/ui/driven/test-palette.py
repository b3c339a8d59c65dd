#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The palette, by keys alone: test-palette.py BUILD_ROOT. Runs on a display of its own."""

import scenes
from scenes import accessible, driver, tap
from scenes import Scene

ENTRY = "Go to a conversation, command or setting"
PALETTE = "Go To"
REPLIES = [{"user": "What grows in the shade?", "text": "Ferns do."}, {"user": "How long do lentils cook?", "text": "Twenty **minutes**."},
           {"user": "Sail.", "calls": [scenes.models.ask("call_harbour", "Which harbour?", "North", "South")]}]


class Palette:
    """The palette, opened by its keys."""

    def __init__(self, scene):
        self.window = scene.window
        # A window that opens has nothing to go to yet.
        self.window.find(role="text", name="Message")
        self.window.keys(driver.MAIN, "ctrl+k")
        self.root = driver.wait(self._window, "the palette")
        self.find(role="entry", name=ENTRY)

    def _window(self):
        return next((node for node in self.window.windows() if node.name == PALETTE), None)

    def find(self, **what):
        """Looks in the palette alone: the window behind it has a thousand times as much."""
        return self.window.find(within=self.root, **what)

    def keys(self, *keys):
        self.window.keys(PALETTE, *keys)

    def type(self, text):
        self.window.type(text, within=self.root, role="entry", name=ENTRY)

    def said(self, words):
        """The words read out while the focus stays in the entry."""
        self.find(role="alert", contains=words)

    def gone(self):
        driver.wait(lambda: self._window() is None, "the end of the palette")


@tap.case("/ui/palette/conversations")
def _():
    with Scene(REPLIES) as scene:
        window = scene.window
        scene.send("What grows in the shade?")
        window.find(contains="Ferns do.")
        window.keys(driver.MAIN, "ctrl+n")
        window.gone(contains="Ferns do.")
        scene.send("How long do lentils cook?")
        window.find(contains="Twenty minutes.")
        palette = Palette(scene)
        palette.find(role="list item", contains="What grows in the shade?, Conversation")
        # A few letters of its title are enough.
        palette.type("grshade")
        palette.said("What grows in the shade?, Conversation, 1 of")
        palette.keys("Return")
        palette.gone()
        window.find(contains="Ferns do.")
        # What stands in a message is found by the store.
        palette = Palette(scene)
        palette.type("twenty minutes")
        hit = palette.find(role="list item", contains="How long do lentils cook?, Message")
        assert "Twenty minutes." in hit.name, hit.name
        palette.keys("Return")
        palette.gone()
        window.find(role="frame", contains="How long do lentils cook?")


@tap.case("/ui/palette/keys")
def _():
    with Scene(REPLIES) as scene:
        palette = Palette(scene)
        palette.said("New Conversation, Command, 1 of")
        palette.keys("Down")
        palette.said("New Window, Command, 2 of")
        palette.keys("Up", "Up")
        palette.said("Quit, Command")
        palette.keys("Page_Up")
        palette.keys("Escape")
        palette.gone()
        palette = Palette(scene)
        palette.keys("ctrl+k")
        palette.gone()
        palette = Palette(scene)
        palette.type("no such thing at all")
        palette.find(contains="Nothing Found")
        palette.keys("Escape")
        palette.gone()


@tap.case("/ui/palette/commands")
def _():
    with Scene(REPLIES) as scene:
        window = scene.window
        palette = Palette(scene)
        palette.type("shortc")
        palette.said("Keyboard Shortcuts, Command, 1 of")
        palette.keys("Return")
        palette.gone()
        window.find(contains="Choose by number")
        window.keys("Keyboard Shortcuts", "Escape")
        window.gone(contains="Choose by number")
        # What was chosen comes first from then on.
        palette = Palette(scene)
        palette.said("Keyboard Shortcuts, Command, 1 of")
        palette.keys("Escape")
        palette.gone()
        assert "app.shortcuts" in scene.home.get("palette-recent"), scene.home.get("palette-recent")


@tap.case("/ui/palette/settings")
def _():
    with Scene(REPLIES) as scene:
        window = scene.window
        palette = Palette(scene)
        palette.type("theme")
        palette.said("Theme, Setting, Appearance")
        palette.keys("Return")
        palette.gone()
        row = window.find(role="combo box", name="Theme")
        # No window manager hands on the focus of the palette's window.
        driver.type_keys("windowfocus", "--sync", window.x_window("Preferences"))
        driver.wait(lambda: row.has_state(accessible.FOCUSED), "the focus on the setting")


@tap.case("/ui/palette/requests")
def _():
    with Scene(REPLIES) as scene:
        window = scene.window
        scene.send("Sail.")
        window.find(contains="Which harbour?")
        window.keys(driver.MAIN, "ctrl+n")
        window.gone(contains="Which harbour?")
        palette = Palette(scene)
        palette.said("Which harbour?, Waiting for you, Sail., 1 of")
        palette.keys("Return")
        palette.gone()
        window.find(**scenes.CARD)


if __name__ == "__main__":
    scenes.main()
