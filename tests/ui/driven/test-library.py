#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many conversations in the real window: test-library.py BUILD_ROOT. Runs on a display of its own."""

import json
import pathlib
import sys
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "support")]

import tap  # noqa: E402

try:
    import driver
except (ImportError, ValueError) as reason:
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)
import model as models  # noqa: E402

BUILD = pathlib.Path(sys.argv[1])
INSTALLATION = driver.Installation.in_build(BUILD)
SERVER = BUILD / "tests/fixtures/beckon-fixture-server"
SEARCH = "Search titles and messages"
FIND = "Find in conversation"
QUIT = {"contains": "Quit While the Agent Is Working"}


def held(gate):
    """A reply that begins and does not end before its gate is opened."""
    return {"user": f"Begin {gate}.", "steps": [{"text": f"Beginning {gate}"}, {"hold": gate}, {"text": ", and the end."},
                                                {"finish": "stop"}, {"done": True}]}


def document(title, *texts):
    """A conversation as an export has it, a person and the agent in turns."""
    at = int(time.time() * 1e6)
    messages = [{"id": str(uuid.uuid4()), "role": ("user", "assistant")[place % 2], "status": "complete",
                 "created_at": at + place, "input": 0, "output": 0, "cached": 0,
                 "parts": [{"kind": "text", "origin": None, "text": text}]} for place, text in enumerate(texts)]
    return {"format": "beckon-conversation", "version": 1,
            "conversation": {"id": str(uuid.uuid4()), "created_at": at, "updated_at": at, "title": title, "profile": None,
                             "draft": "", "pinned": False, "archived": False, "messages": messages, "requests": [],
                             "runs": []}}


class Scene:
    """A person with a model of the test's and some conversations, and the window open."""

    def __init__(self, *replies, conversations=()):
        self.model = models.Model(SERVER, list(replies))
        self.home = driver.Home(INSTALLATION, BECKON_API_KEY="test")
        self.conversations = conversations

    def __enter__(self):
        self.model.__enter__()
        self.home.__enter__()
        self.home.ctl("profile", "add", "Test", "--no-lookup", "--base-url", self.model.base_url, "--model", "test", "--use")
        for conversation in self.conversations:
            path = self.home.folder / "conversation.json"
            path.write_text(json.dumps(conversation))
            self.home.ctl("import", str(path))
        self.window = self.home.start()
        self.window.find(role="text", name="Message")
        return self

    def __exit__(self, *exception):
        self.home.__exit__(*exception)
        self.model.__exit__(*exception)

    def send(self, text):
        self.window.type(text, role="text", name="Message")
        self.window.press(name="Send message")

    def begin(self, gate):
        self.send(f"Begin {gate}.")
        self.window.find(contains=f"Beginning {gate}")

    def keys(self, *keys):
        self.window.keys(driver.MAIN, *keys)

    def show(self, title):
        self.window.click(driver.MAIN, role="list item", contains=title)
        self.shows(title)

    def shows(self, title):
        self.window.find(role="frame", contains=title)

    def choose(self, *items):
        """Opens the header's menu and takes what it offers."""
        self.window.press(role="push button", name="Conversation menu")
        for item in items:
            self.window.press(role="menu item", contains=item)

    def undo(self):
        self.window.press(role="push button", contains="Undo")

    def answer(self, button):
        """Presses a button of the question about quitting."""
        self.window.press(role="push button", contains=button, within=self.window.find(role="dialog", **QUIT))

    def row(self, **what):
        return self.window.find(role="list item", **what)

    def ended(self):
        driver.wait(lambda: self.window.process.poll() is not None, "the end of the program")
        assert self.window.process.returncode == 0, self.window.process.returncode


GARDEN = document("Garden", "What grows in the shade?", "Ferns and **hostas** do; 先部署再测试.")
KITCHEN = document("Kitchen", "How long do lentils cook?", "A lentil takes twenty minutes, a red lentil ten.")


@tap.case("/ui/library/search-and-find")
def _():
    with Scene(conversations=[GARDEN, KITCHEN]) as scene:
        window = scene.window
        scene.keys("ctrl+shift+F")
        window.type("部署", name=SEARCH)
        window.find(role="list item", contains="先部署再测试")
        scene.keys("Return")
        scene.shows("Garden")
        window.type("zebra", name=SEARCH)
        window.find(role="label", name="Nothing Found")
        scene.keys("ctrl+shift+F")
        window.type("lent", name=SEARCH)
        window.find(role="list item", contains="red lentil")
        scene.keys("Return")
        scene.shows("Kitchen")
        scene.keys("ctrl+f")
        window.type("LENTIL", name=FIND)
        window.find(contains="1 of 3")
        scene.keys("Return", "ctrl+g", "shift+Return")
        window.find(contains="2 of 3")
        scene.keys("Escape")
        window.find(role="text", name="Message")


@tap.case("/ui/library/archive-and-delete-with-a-way-back")
def _():
    with Scene(conversations=[GARDEN, KITCHEN]) as scene:
        scene.shows("Kitchen")
        scene.choose("Archive")
        scene.shows("Garden")
        scene.undo()
        scene.shows("Kitchen")
        scene.choose("Delete")
        scene.shows("Garden")
        assert '"Kitchen"' not in scene.home.ctl("list", "--json")
        scene.undo()
        scene.shows("Kitchen")
        driver.wait(lambda: '"Kitchen"' in scene.home.ctl("list", "--json"), "the conversation in the store again")
        scene.window.find(contains="A lentil takes twenty minutes")
        # By its key too, wherever the focus is, but in a text that is being typed.
        scene.choose("Delete")
        scene.shows("Garden")
        scene.keys("ctrl+z")
        scene.shows("Kitchen")
        scene.choose("Delete")
        scene.shows("Garden")
        scene.window.type("Sow the beans", role="text", name="Message")
        scene.window.find(role="push button", contains="Undo")
        scene.window.click(driver.MAIN, role="text", name="Message")
        scene.keys("x", "ctrl+z")
        scene.shows("Garden")
        assert '"Kitchen"' not in scene.home.ctl("list", "--json")
        # Nor is it for what a dialog covers, be the field empty that has the focus.
        scene.undo()
        scene.shows("Kitchen")
        scene.choose("Delete")
        scene.shows("Garden")
        scene.keys("ctrl+comma")
        driver.wait(lambda: "Preferences" in [node.name for node in scene.window.windows()], "the preferences")
        scene.window.keys("Preferences", "ctrl+f")
        driver.wait(lambda: (node := scene.window.first(role="entry", name="Search")) and any(
            part.was(driver.accessible.FOCUSED) for _, part in driver.walk(node)), "the focus in the search")
        scene.window.keys("Preferences", "ctrl+z", "Escape", "Escape")
        driver.wait(lambda: "Preferences" not in [node.name for node in scene.window.windows()], "the end of the preferences")
        scene.window.find(role="push button", contains="Undo")
        assert '"Kitchen"' not in scene.home.ctl("list", "--json")
        # By the key of the list as well, which a text keeps for itself.
        scene.undo()
        scene.shows("Kitchen")
        scene.window.click(driver.MAIN, role="text", name="Message")
        scene.keys("Delete", "F6")
        driver.wait(lambda: (node := scene.window.first(name="Conversations")) and any(
            part.was(driver.accessible.FOCUSED) for _, part in driver.walk(node)), "the focus in the sidebar")
        scene.keys("Delete")
        scene.shows("Garden")
        scene.undo()
        scene.shows("Kitchen")


@tap.case("/ui/library/copies-and-names")
def _():
    with Scene(conversations=[KITCHEN]) as scene:
        window = scene.window
        scene.show("Kitchen")
        scene.choose("Duplicate")
        scene.row(contains="Kitchen (copy)")
        scene.shows("Kitchen (copy)")
        scene.keys("F2")
        window.type("Pantry", name="Title")
        window.press(role="push button", contains="Rename")
        scene.shows("Pantry")
        # From a message, by keys alone: the last one, the one before it, its menu.
        scene.keys("ctrl+Up", "Up", "shift+F10")
        window.press(role="menu item", contains="Branch from Here")
        driver.wait(lambda: len(json.loads(scene.home.ctl("list", "--json"))["conversations"]) == 3, "the branch in the store")
        window.gone(contains="A lentil takes twenty minutes")
        window.find(contains="How long do lentils cook?")


@tap.case("/ui/library/temporary-leaves-nothing")
def _():
    with Scene({"user": "A secret thing.", "text": "Nothing of this stays."}) as scene:
        scene.keys("ctrl+shift+t")
        scene.window.find(contains="Temporary conversation")
        scene.row(contains="temporary")
        scene.send("A secret thing.")
        scene.window.find(contains="Nothing of this stays.")
        scene.keys("ctrl+q")
        scene.ended()
        assert not scene.home.has_stored("A secret thing."), "it is on the disk"
        assert not scene.home.has_stored("Nothing of this stays."), "it is on the disk"


@tap.case("/ui/library/runs-go-on-elsewhere")
def _():
    with Scene(held("one"), held("two"), conversations=[GARDEN]) as scene:
        scene.keys("ctrl+n")
        scene.begin("one")
        scene.keys("ctrl+n")
        scene.begin("two")
        scene.row(contains="Begin one., working")
        scene.row(contains="Begin two., working")
        scene.model.release("one")
        scene.row(contains="Begin one., unread")
        scene.show("Begin one")
        scene.row(name="Begin one.")
        scene.window.find(contains="and the end.")
        scene.show("Begin two")
        scene.keys("ctrl+shift+Escape")
        scene.row(name="Begin two.")
        scene.keys("ctrl+q")
        scene.ended()


@tap.case("/ui/library/quitting-asks-only-where-something-is-lost")
def _():
    with Scene(held("story"), {"user": "Ask me.", "calls": [models.ask("call", "Which one?", "This", "That")]}) as scene:
        scene.begin("story")
        scene.keys("ctrl+q")
        scene.window.find(contains="will be interrupted")
        scene.answer("Cancel")
        scene.window.gone(**QUIT)
        scene.window.find(contains="Beginning story")
        scene.keys("ctrl+q")
        scene.answer("Quit")
        scene.ended()

        scene.window = scene.home.start()
        scene.row(contains="interrupted")
        scene.keys("ctrl+n")
        scene.send("Ask me.")
        scene.window.find(name="AI needs your decision")
        scene.keys("ctrl+q")
        scene.ended()


@tap.case("/ui/library/what-ends-while-quitting-is-asked-about")
def _():
    with Scene(held("story")) as scene:
        scene.begin("story")
        scene.keys("ctrl+q")
        dialog = scene.window.find(role="dialog", **QUIT)
        scene.model.release("story")
        scene.window.find(contains="The Agent Has Finished")
        scene.window.find(contains="Nothing is running now", within=dialog)
        scene.window.press(role="push button", contains="Quit", within=dialog)
        scene.ended()


@tap.case("/ui/library/delete-all-data")
def _():
    with Scene(conversations=[GARDEN]) as scene:
        window = scene.window
        window.press(role="push button", name="Main menu")
        window.press(role="menu item", contains="Delete All Data")
        dialog = window.find(role="dialog", name="Delete All Data?")
        window.find(contains="every conversation with its messages", within=dialog)
        window.press(role="push button", contains="Delete Everything", within=dialog)
        window.find(contains="Take the Offline Tour")
        assert not scene.home.has_stored("hostas"), "it is on the disk"
        scene.keys("ctrl+q")
        scene.ended()


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
