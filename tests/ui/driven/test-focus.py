#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window without a pointer and without eyes: every control is reached with Tab, none keeps the focus, each has a name and a
role, and what happens is said: test-focus.py BUILD_ROOT. Runs on a display of its own."""

import subprocess

import scenes
from scenes import accessible, driver, tap
from scenes import Scene

REPLIES = [{"user": "What grows in the shade?", "text": "Ferns do."},
           {"user": "Sail.", "calls": [scenes.models.ask("call_harbour", "Which harbour?", "North", "South")]},
           {"result": "North", "text": "North it is."},
           {"user": "Break.", "status": 400, "body": "{\"error\":{\"message\":\"It does not work.\"}}"}]

PAGES = ["Credentials", "Agent", "Tools", "Servers", "Channels", "Permissions", "Appearance"]


class Ears:
    """The toolkit's words for a screen reader: an alert that says something else than before."""

    def __init__(self, window):
        self.application = window.application
        self.heard = []
        self.number = accessible.Bus.subscribe(self.application.bus_name, "PropertyChange", self._happened)

    def _happened(self, path, given):
        if given[0] == "accessible-name":
            node = self.application.node(path)
            if node and node.get_role_name() == "alert":
                self.heard.append(node.name)

    def wait(self, words):
        driver.wait(lambda: any(words in name for name in self.heard), f"{words} to be said: {self.heard}")

    def end(self):
        accessible.Bus.unsubscribe(self.number)


class Walk:
    """Goes through a window with Tab until it is where it began. The toolkit tells where the focus is: to look for it in the whole
    tree at every step would take minutes."""

    def __init__(self, window, title):
        self.window = window
        self.x_window = window.x_window(title)
        self.at = None
        self.steps = 0
        self.number = accessible.Bus.subscribe(window.application.bus_name, "StateChanged", self._moved)
        # Where it is before the first key is not known: what has the focus may not have said so.
        self.is_known = False
        subprocess.run(["xdotool", "windowfocus", "--sync", self.x_window], check=True)
        driver.wait(lambda: any(frame.was(accessible.ACTIVE) for frame in window.windows()), "a window with the focus")

    def _moved(self, path, given):
        if given[0] == "focused" and given[1]:
            self.at = self.window.application.node(path)
            self.steps += 1

    def end(self):
        accessible.Bus.unsubscribe(self.number)

    def place(self, node):
        return node.place() if node else None

    def press(self, key):
        before, last = self.steps, self.at
        driver.type_keys("key", key)
        try:
            driver.wait(lambda: self.steps > before, "the focus to go on", 2)
        except AssertionError:
            self.at = self.search()
        if self.is_known and self.steps == before and self.place(self.at) == self.place(last):
            raise AssertionError(f"{key} keeps the focus on {self.at.name if self.at else None!r}")
        self.is_known = True
        return self.at

    def search(self):
        """Not every widget says that it has the focus: libadwaita's rows in which one writes do not, and nobody else has it then."""
        for frame in self.window.windows():
            for _, node in driver.walk(frame):
                if node.was(accessible.FOCUSED) and frame.was(accessible.ACTIVE):
                    return node
        return None

    def go(self, most=120):
        """The controls on the way, in order."""
        places, seen = [], []
        for _ in range(most):
            node = self.press("Tab")
            if node is None:
                continue
            if self.place(node) in places:
                return seen[places.index(self.place(node)):]
            places.append(self.place(node))
            seen.append(node)
        raise AssertionError(f"there is no end: {[node.name for node in seen]}")


def nameless(nodes):
    return [(node.get_role_name(), node.name) for node in nodes
            if not node.name.strip() or node.name.startswith(driver.PIECES) or node.get_role_name() in ("unknown", "invalid")]


def check(window, title, expected=()):
    walk = Walk(window, title)
    seen = walk.go()
    names = [node.name for node in seen]
    print(f"# {title}: {len(seen)} stops: {names}", flush=True)
    assert not nameless(seen), nameless(seen)
    for name in expected:
        assert any(name in reached for reached in names), f"{name} is not reached: {names}"
    # And back: no control lets Shift+Tab pass that Tab stopped at.
    walk.press("shift+Tab")
    walk.end()
    return names


@tap.case("/ui/focus/conversation")
def _():
    with Scene(REPLIES) as scene:
        scene.send("What grows in the shade?")
        scene.window.find(contains="Ferns do.")
        check(scene.window, driver.MAIN, ["New conversation", "Main menu", "Search conversations", "Show sidebar",
                                                "No working folder", "Profile", "Conversation menu", "Message"])


@tap.case("/ui/focus/card")
def _():
    with Scene(REPLIES) as scene:
        scene.send("Sail.")
        scene.wait_for_card()
        check(scene.window, driver.MAIN, ["North", "Your thoughts", "Stop", "Message"])


@tap.case("/ui/focus/sidebar-is-one-stop")
def _():
    """Tab goes into the conversations and out of them, however many there are; the arrows go through them."""
    with Scene(REPLIES[:1] * 6) as scene:
        for _ in range(6):
            scene.home.ctl("run", "What grows in the shade?")
        scene.restart()
        scene.window.find(role="text", name="Message")
        walk = Walk(scene.window, driver.MAIN)
        seen = walk.go()
        rows = [node.name for node in seen if node.get_role_name() == "list item" and "What grows" in node.name]
        assert len(rows) == 1, rows
        walk.end()


def check_pages(window):
    """The list of pages is a single stop, and the arrow keys go from one to the next."""
    walk = Walk(window, "Preferences")
    driver.wait(lambda: PAGES[0] in walk.press("Tab").name, f"the row of {PAGES[0]}", 30)
    for page in PAGES[1:]:
        node = walk.press("Down")
        assert page in node.name, f"{page} is not reached, but {node.name}"
    walk.end()


@tap.case("/ui/focus/preferences")
def _():
    """The first page and the way to the others; /ui/reach/preferences goes through all of them."""
    with Scene(REPLIES) as scene:
        window = scene.window
        window.find(role="text", name="Message")
        window.keys(driver.MAIN, "ctrl+comma")
        root = driver.wait(lambda: next((node for node in window.windows() if node.name == "Preferences"), None),
                           "the preferences")
        window.find(within=root, contains="Add a profile")
        expected = ["Add a profile", "Offline tour", "Decide Together With the Agent", PAGES[0]]
        check(window, "Preferences", expected)
        check_pages(window)


@tap.case("/ui/focus/said")
def _():
    with Scene(REPLIES) as scene:
        ears = Ears(scene.window)
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


# What goes when it is pressed, and how the window gets there. Each leaves the focus to the composer, by the pointer and by a key.
HELD = {"user": "Paint the door.", "steps": [{"text": "Beginning door"}, {"hold": "door"}, {"text": "."}, {"finish": "stop"},
                                              {"done": True}]}


def begin_slow(scene):
    scene.send("Paint the door.")
    scene.window.find(contains="Beginning door")


def begin_queued(scene):
    begin_slow(scene)
    scene.window.type("And the wall.", role="text", name="Message")
    scene.window.keys(driver.MAIN, "Return")
    scene.window.find(name="Remove the queued message: And the wall.")


def begin_card(scene):
    scene.send("Sail.")
    scene.wait_for_card()


def begin_failed(scene):
    scene.send("Break.")
    scene.window.find(name="Retry")


VANISHING = {
    "stop": ("Stop", begin_slow),
    "queued": ("Remove the queued message: And the wall.", begin_queued),
    "choice": ("North", begin_card),
    "again": ("Retry", begin_failed),
}


def press_by_key(scene, name):
    walk = Walk(scene.window, driver.MAIN)
    driver.wait(lambda: (walk.press("Tab") or scene.window.root).name == name, f"the focus on {name}", 60)
    walk.end()
    driver.type_keys("key", "space")


def check_vanishing(name, begin, by_key):
    with Scene([HELD, *REPLIES[1:]]) as scene:
        begin(scene)
        if by_key:
            press_by_key(scene, name)
        else:
            scene.window.click(driver.MAIN, name=name)
        scene.window.gone(name=name)
        driver.wait(lambda: scene.window.find(role="text", name="Message").has_state(accessible.FOCUSED),
                    f"the focus in the composer after {name}")
        title = scene.window.windows()[0].name
        driver.type_keys("type", "please go on")
        driver.wait(lambda: scene.window.length(role="text", name="Message") == len("please go on"), "the words in the composer")
        assert scene.window.windows()[0].name == title, "another conversation"


def focuses(window, **what):
    return driver.wait(lambda: window.find(**what).has_state(accessible.FOCUSED), f"the focus in {what}")


@tap.case("/ui/focus/menus")
def _():
    """Escape in a menu that the pointer opened gives the focus back to where it was, and the next click counts."""
    with Scene(REPLIES) as scene:
        window = scene.window
        window.click(driver.MAIN, role="text", name="Message")
        focuses(window, role="text", name="Message")
        for menu, inside in (("Main menu", "New Window"), ("No working folder", "Path of a folder")):
            window.click(driver.MAIN, contains=menu)
            focuses(window, name=inside)
            driver.type_keys("key", "Escape")
            focuses(window, role="text", name="Message")
        window.click(driver.MAIN, name="Search conversations")
        focuses(window, name="Search titles and messages")


for label, (control, starts) in VANISHING.items():
    for is_key in (False, True):
        tap.case(f"/ui/focus/vanishing/{label}/{'key' if is_key else 'pointer'}")(
            lambda control=control, starts=starts, is_key=is_key: check_vanishing(control, starts, is_key))


if __name__ == "__main__":
    scenes.main()
