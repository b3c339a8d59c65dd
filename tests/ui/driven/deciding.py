# SPDX-License-Identifier: GPL-3.0-or-later
"""A person who decides in the real window: a conversation with a folder, keys and clicks that are counted, and the dock."""

import subprocess

import scenes
from scenes import accessible, driver

DOCK = {"name": "Waiting for You", "role": "panel"}
MESSAGE = {"role": "text", "name": "Message"}


class Scene(scenes.Scene):
    """A person whose keys and clicks are counted, in a conversation with a folder."""

    def __init__(self, replies, **settings):
        super().__init__(replies, opens=False, **settings)
        self.keys = self.clicks = 0

    def begin(self):
        folder = self.home.folder / "letters"
        folder.mkdir()
        self.home.ctl("run", "--folder", str(folder), "Hello.")
        self.restart()
        self.window.find(contains="Ready.")
        self.to_front()
        return folder

    def to_front(self):
        """A window that comes to the front takes no decision for a moment: here that is over before the first key."""
        subprocess.run(["xdotool", "windowfocus", "--sync", self.window.x_window(driver.MAIN)], check=True)
        driver.wait(lambda: any(frame.was(accessible.ACTIVE) for frame in self.window.windows()), "a window with the focus")

    def press(self, *keys):
        self.keys += len(keys)
        for key in keys:
            driver.type_keys("key", key)

    def click(self, **what):
        self.clicks += 1
        self.window.click(driver.MAIN, **what)

    def listens(self, position=None):
        """The dock shows a card, that one of the deck if @position says which, and its moment is over."""
        if position is not None:
            self.window.find(name=position)

        def ready():
            """A difference that has just come is seen for a moment as well; questions and plans have none."""
            dock = self.window.first(anew=True, **DOCK)
            if dock is None or driver.is_busy(dock):
                return False
            run = self.window.first(role="push button", name="Run", within=dock)
            return run.has_state(driver.accessible.SENSITIVE) if run is not None else self.window.has(name="AI needs your decision")

        driver.wait(ready, "a card that listens")
        # A call runs once it was drawn, which a busy machine takes its time for.
        if self.window.has(role="push button", name="Run"):
            self.window.place_at_rest(role="push button", name="Run")

    def ask(self, text="Write."):
        self.window.type(text, **MESSAGE)
        self.to_front()
        self.window.press(name="Send message")
        self.window.find(**DOCK)
        self.listens()

    def has_focus(self, **what):
        root = self.window.first(**what)
        return root is not None and any(node.was(accessible.FOCUSED) for _, node in driver.walk(root))

    def wait_focus(self, words, **what):
        driver.wait(lambda: self.has_focus(**what), words)
