#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window without a pointer and without eyes: every control is reached with Tab, none keeps the focus, each has a name and a
role, and what happens is said: test-focus.py BUILD_ROOT. Runs on a display of its own."""

import subprocess

import scenes
from scenes import driver, tap
from scenes import Scene

Atspi = driver.Atspi
REPLIES = [{"user": "What grows in the shade?", "text": "Ferns do."},
           {"user": "Sail.", "calls": [scenes.models.ask("call_harbour", "Which harbour?", "North", "South")]},
           {"result": "North", "text": "North it is."},
           {"user": "Break.", "status": 400, "body": "{\"error\":{\"message\":\"It does not work.\"}}"}]
# What the toolkit puts around controls, and what is reached with other keys than Tab by its own convention.
INNER = {"filler", "panel", "label", "image", "icon", "scroll bar", "viewport", "scroll pane", "separator"}


class Ears:
    """What a screen reader is told by the toolkit: an alert that says something else than before."""

    def __init__(self):
        self.heard = []
        self.listener = Atspi.EventListener.new(self._happened)
        self.listener.register("object:property-change:accessible-name")

    def _happened(self, event):
        if event.source and event.source.get_role() == Atspi.Role.ALERT:
            self.heard.append(event.source.get_name())

    def wait(self, words):
        driver.wait(lambda: any(words in name for name in self.heard), f"{words} to be said: {self.heard}")

    def end(self):
        self.listener.deregister("object:property-change:accessible-name")


class Walk:
    """Goes through a window with Tab until it is where it began."""

    def __init__(self, window, title, root):
        self.window = window
        self.x_window = window.x_window(title)
        self.root = root
        subprocess.run(["xdotool", "windowfocus", "--sync", self.x_window], check=True)

    def focused(self):
        for _, node in driver.walk(self.root):
            if driver.has_state(node, Atspi.StateType.FOCUSED):
                return node
        return None

    def place(self, node):
        """What tells it from others of the same name."""
        path = []
        while node is not None and node.get_role() != Atspi.Role.APPLICATION:
            path.append(node.get_index_in_parent())
            node = node.get_parent()
        return tuple(reversed(path))

    def press(self, key):
        before = self.place(self.focused()) if self.focused() else None
        subprocess.run(["xdotool", "key", key], check=True)

        def moved():
            node = self.focused()
            return node and self.place(node) != before and node

        try:
            return driver.wait(moved, "the focus to go on", 3)
        except AssertionError:
            raise AssertionError(f"{key} keeps the focus on {before}: {self.focused().get_name()!r}") from None

    def go(self, most=120):
        """The controls on the way, in order."""
        first = self.press("Tab")
        start, seen = self.place(first), [first]
        for _ in range(most):
            node = self.press("Tab")
            if self.place(node) == start:
                return seen
            seen.append(node)
        raise AssertionError(f"there is no end: {[node.get_name() for node in seen]}")


def nameless(nodes):
    return [(node.get_role_name(), node.get_name()) for node in nodes
            if not (node.get_name() or "").strip() or node.get_role() in (Atspi.Role.UNKNOWN, Atspi.Role.INVALID)]


def focusable(root):
    """Everything that takes the focus by itself, of a list or a group of tabs the one that Tab leads to."""
    found = []
    for _, node in driver.walk(root):
        if driver.has_state(node, Atspi.StateType.FOCUSABLE) and driver.is_usable(node) and \
                driver.has_state(node, Atspi.StateType.SHOWING):
            found.append(node)
    return found


def check(window, title, root, expected=()):
    walk = Walk(window, title, root)
    seen = walk.go()
    names = [node.get_name() for node in seen]
    print(f"# {title}: {len(seen)} stops: {names}", flush=True)
    assert not nameless(seen), nameless(seen)
    for name in expected:
        assert any(name in reached for reached in names), f"{name} is not reached: {names}"
    # And back: no control lets Shift+Tab pass that Tab stopped at.
    walk.press("shift+Tab")
    return names


@tap.case("/ui/focus/conversation")
def _():
    with Scene(REPLIES) as scene:
        scene.send("What grows in the shade?")
        scene.window.find(contains="Ferns do.")
        (root,) = scene.window.windows()
        check(scene.window, driver.MAIN, root, ["New conversation", "Main menu", "Search conversations", "Show sidebar",
                                                "No working folder", "Profile", "Conversation menu", "Message"])


@tap.case("/ui/focus/card")
def _():
    with Scene(REPLIES) as scene:
        scene.send("Sail.")
        scene.wait_for_card()
        (root,) = scene.window.windows()
        check(scene.window, driver.MAIN, root, ["North", "Your thoughts", "Stop", "Message"])


@tap.case("/ui/focus/preferences")
def _():
    pages = {"Credentials": ["Add"], "Agent": ["While a Question Waits", "Say What Is Asked", "Notifications say"],
             "Tools": ["Pages of this network"], "Permissions": ["Show"], "Appearance": ["Theme", "Text size"]}
    with Scene(REPLIES) as scene:
        window = scene.window
        window.find(role="text", name="Message")
        window.keys(driver.MAIN, "ctrl+comma")
        root = driver.wait(lambda: next((node for node in window.windows() if node.get_name() == "Preferences"), None),
                           "the preferences")
        del pages["Credentials"]
        names = check(window, "Preferences", root)
        assert len(names) > 3, names
        for page, expected in pages.items():
            window.press(within=root, role="page tab", name=page) if window.has(within=root, role="page tab", name=page) else None
            names = check(window, "Preferences", root)
            print("#", page, names, expected)


@tap.case("/ui/focus/said")
def _():
    with Scene(REPLIES) as scene:
        ears = Ears()
        subprocess.run(["xdotool", "windowfocus", "--sync", scene.window.x_window(driver.MAIN)], check=True)
        scene.send("What grows in the shade?")
        ears.wait("The agent has replied: Ferns do.")
        scene.send("Sail.")
        ears.wait("The agent asks: Which harbour?")
        scene.wait_for_card()
        scene.window.press(name="North")
        ears.wait("The agent has replied: North it is.")
        scene.send("Break.")
        ears.wait("It does not work.")
        ears.end()


if __name__ == "__main__":
    scenes.main()
