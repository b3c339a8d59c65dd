#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The names that a screen reader says, on every page: test-names.py BUILD_ROOT. Runs on a display of its own.

A control without a name is read as "button" and no more; one that has a label of its own and is labelled by its row is read
twice. Both are looked for in the whole tree of every page, with something of every kind in it."""

import scenes
from scenes import BUILD, INSTALLATION, SERVER, driver, models, tap
import gallery as galleries
import sample
from gi.repository import Gio, GLib

# The parts that a composite of the toolkit's is made of carry the composite's name or none: it is the composite that is read.
COMPOSITES = ("combo box", "spin button", "entry", "text", "push button", "toggle button")
CONTROLS = ("push button", "toggle button", "check box", "radio button", "combo box", "spin button", "entry", "text", "password text",
            "list item", "menu item", "check menu item", "radio menu item", "link", "slider", "page tab", "dialog", "frame")
# Numbers of AtspiRelationType and AtspiStateType.
LABELLED_BY, FOCUSABLE = 2, 11
PAGES = "credentials", "agent", "permissions", "tools", "servers", "appearance"


def is_doubled(name):
    """Whether a name is some words, and then the same words again."""
    words = name.casefold().split()
    half = len(words) // 2
    return len(words) > 1 and len(words) % 2 == 0 and words[:half] == words[half:]


def is_within(node, role):
    while node is not None and node.get_role_name() != role:
        node = node.nodes.get(node.parent_path)
    return node is not None


def labels_of(node):
    """The names of what a widget is labelled by."""
    for relation, targets in node.call("Accessible.GetRelationSet")[0]:
        if relation == LABELLED_BY:
            yield from (node.nodes[path].name for _, path in targets if path in node.nodes)




def fault(node, parent):
    if not node.name.strip():
        # What is chosen in a combo row is a list of one line.
        if node.get_role_name() == "list item" and is_within(node, "combo box"):
            return None
        if parent is not None and parent.get_role_name() in COMPOSITES and parent.name.strip():
            return None
        return "has no name"
    if is_doubled(node.name):
        return "is named twice"
    labels = " ".join(labels_of(node)).strip()
    if labels and labels != node.name.strip() and (node.name.startswith(labels) or node.name.endswith(labels)):
        return "has a label of its own beside the one it is labelled by"
    return None


class Walk:
    """Return the faults by page. A fault that several pages share is said once."""

    def __init__(self, window):
        self.window = window
        self.faults = {}
        self.seen = 0

    def look(self, page):
        root = self.window.application.root(anew=True)
        for frame in root.children:
            for _, node in driver.walk(frame):
                self._judge(node, page)

    def _judge(self, node, page):
        role = node.get_role_name()
        # A list in a text has rows that are read, and never stood on.
        if role not in CONTROLS or role == "list item" and not node.was(FOCUSABLE):
            return
        self.seen += 1
        wrong = fault(node, node.nodes.get(node.parent_path))
        if wrong:
            self.faults.setdefault((role, node.name, wrong, "" if node.name.strip() else self._way(node)), page)

    def _way(self, node):
        """Describe the place of a widget without a name: its contents and its parents."""
        inside = [part.name for _, part in driver.walk(node, hidden=True) if part.name.strip()][:4]
        around = []
        while node is not None and len(around) < 4:
            around.append(node.name or node.get_role_name())
            node = node.nodes.get(node.parent_path)
        return f"with {inside} in " + " < ".join(around[1:])

    def end(self, at_least):
        said = "\n".join(f"{page}: {role} {name!r} {wrong} {way}" for (role, name, wrong, way), page in sorted(self.faults.items()))
        assert not self.faults, f"{len(self.faults)} controls\n{said}"
        assert self.seen >= at_least, f"only {self.seen} controls were looked at"


class Person:
    """A window with one of everything, and how its pages are opened."""

    def __enter__(self):
        replies, texts = sample.script("en")
        self.model = models.Model(SERVER, replies)
        self.model.__enter__()
        self.home = driver.Home(INSTALLATION, BECKON_API_KEY="test")
        self.home.__enter__()
        self.home.ctl("profile", "add", "Harbour", "--base-url", self.model.base_url, "--model", "gpt-large", "--use")
        self.conversations = galleries.prepare(self.home, texts)
        self.window = self.home.start()
        self.window.find(role="text", name="Message")
        self.walk = Walk(self.window)
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        return self

    def __exit__(self, *exception):
        self.home.__exit__(*exception)
        self.model.__exit__(*exception)

    def call(self, method, signature, *arguments):
        path = "/" + galleries.APPLICATION.replace(".", "/")
        self.bus.call_sync(galleries.APPLICATION, path, "org.freedesktop.Application", method, GLib.Variant(signature, arguments), None,
                           Gio.DBusCallFlags.NONE, -1, None)

    def open(self, link):
        self.call("Open", "(asa{sv})", [link], {})

    def act(self, action, target=None):
        self.call("ActivateAction", "(sava{sv})", action, [target] if target else [], {})

    def frame(self, title):
        return driver.wait(lambda: next((node for node in self.window.windows() if node.name == title), None), f"the window {title}")

    def close(self, title, frame):
        self.window.keys(title, "Escape")
        driver.wait(lambda: frame.now() is None or title not in [node.name for node in self.window.windows()], f"the end of {title}")

    def dialog(self, title, opens):
        """A window that opens, is looked at and goes."""
        opens()
        frame = self.frame(title)
        self.walk.look(title)
        self.close(title, frame)

    def preferences(self, page, inner=None, **button):
        """A page of the preferences, and a window that is opened from there."""
        self.act("preferences-at", GLib.Variant("(ss)", (page, "")))
        frame = self.frame("Preferences")
        self.walk.look("preferences, " + page)
        if inner:
            self.dialog(inner, lambda: self.window.press(within=frame, **button))
        self.close("Preferences", frame)


@tap.case("/ui/names/welcome")
def _():
    with driver.Home(INSTALLATION) as home:
        window = home.start()
        window.find(role="push button", contains="Take the Offline Tour")
        walk = Walk(window)
        walk.look("welcome")
        walk.end(5)


@tap.case("/ui/names/conversations")
def _():
    with Person() as person:
        for name, conversation in person.conversations.items():
            person.open("beckon://conversation/" + conversation)
            person.window.find(contains=sample.marks("en")[name])
            person.walk.look(name)
        person.walk.end(100)


@tap.case("/ui/names/windows")
def _():
    with Person() as person:
        person.dialog("Go To", lambda: person.window.keys(driver.MAIN, "ctrl+k"))
        person.dialog("Audit Log", lambda: person.act("audit-log"))
        person.dialog("Keyboard Shortcuts", lambda: person.act("shortcuts"))
        person.walk.end(50)


@tap.case("/ui/names/preferences")
def _():
    with Person() as person:
        for page in PAGES:
            person.preferences(page)
        person.preferences("credentials", "Profile", name="Add a profile")
        person.preferences("credentials", "Profile", name="Edit Harbour")
        person.preferences("permissions", "Argument Override", name="Override an argument")
        person.preferences("servers", "Add a Server", name="Add a server")
        person.walk.end(200)


@tap.case("/ui/names/window")
def _():
    with Person() as person:
        window = person.window
        window.press(name="Conversation menu", role="push button")
        window.find(role="menu item")
        person.walk.look("conversation menu")
        window.keys(driver.MAIN, "Escape")
        window.gone(role="menu item")
        window.keys(driver.MAIN, "F10")
        window.find(role="menu item", contains="Preferences")
        person.walk.look("main menu")
        window.keys(driver.MAIN, "Escape")
        window.gone(role="menu item")
        window.keys(driver.MAIN, "ctrl+f")
        window.find(name="Find in conversation")
        person.walk.look("find")
        window.keys(driver.MAIN, "Escape", "ctrl+shift+f")
        window.find(contains="Search")
        person.walk.look("search")
        window.keys(driver.MAIN, "Escape")
        window.press(name="Conversation menu", role="push button")
        window.press(role="menu item", contains="Details")
        person.frame("Conversation Details")
        person.walk.look("details")
        window.keys("Conversation Details", "Escape")
        window.press(name="Conversation menu", role="push button")
        window.press(role="menu item", contains="Delete")
        window.find(role="push button", contains="Undo")
        person.walk.look("a toast")
        node = window.find(role="label", name="Waiting for You")
        while node.get_role_name() != "push button":
            node = node.nodes[node.parent_path]
        node.do(0)
        window.find(role="label", contains="Book the ferry")
        person.walk.look("waiting")
        person.walk.end(100)


if __name__ == "__main__":
    assert BUILD
    scenes.main()
