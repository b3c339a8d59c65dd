#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of a difference that a person leaves out, through to what is written. test-hunks.py BUILD_ROOT. Runs on a display of its
own."""

import scenes
from deciding import DOCK, Scene
from scenes import driver, models, tap

CANARY = "canary-4b1d"
BEFORE = [f"line {number}" for number in range(1, 21)]
STEPS = 12
FIRST, LAST = ({"name": f"Include part {number}", "role": "check box"} for number in (1, 2))


def changed(*lines):
    """The text with those lines changed."""
    return "".join(f"{line} changed\n" if number in lines else line + "\n" for number, line in enumerate(BEFORE, 1))


QUESTION = {"questions": [{"question": "The token?", "header": "Token", "secret": True}]}
WRITE = {"call": "write_file", "id": "call_write", "arguments": {"path": "notes.txt", "content": changed(1, 20)}}
REPLIES = [
    {"user": "Hello.", "text": "Ready."},
    {"user": "Log in.", "calls": [{"call": "ask_user", "id": "call_token", "arguments": QUESTION}]},
    {"result": "secret:token-", "text": "I have a name for it."},
    {"user": "Write.", "calls": [WRITE]},
    {"result": "", "text": "All done."},
]


class Parts(Scene):
    def __init__(self):
        super().__init__(REPLIES)

    def begin(self):
        folder = super().begin()
        self.notes = folder / "notes.txt"
        self.notes.write_text(changed())

    def ask(self):
        super().ask()
        self.card = self.window.find(name="Write notes.txt", role="panel")

    def needs_places(self):
        """GTK 4.24 leaves what is around a widget's content out of where it says that the widget is: a check box, in a card that has
        its content away from its border, would begin where the card does, and the pointer would miss it."""
        if self.left(self.window.find(**FIRST)) <= self.left(self.card):
            raise tap.Skip("this GTK does not say where its widgets are")

    def left(self, node):
        return node.call("Component.GetExtents", "(u)", 1)[0][0]

    def told(self):
        return models.results_of(self.model.requests[-1])["call_write"]

    def is_checked(self, **part):
        return self.window.find(**part).has_state(driver.accessible.CHECKED)

    def runs(self):
        """The key, or the click, before this ran the call."""
        self.window.find(contains="All done.")
        self.window.gone(**DOCK)


@tap.case("/ui/hunks/left-out-by-the-keyboard")
def _():
    with Parts() as scene:
        scene.begin()
        scene.ask()
        scene.window.find(**LAST)
        scene.press("ctrl+j")
        scene.wait_focus("the focus in the card", **DOCK)
        for _ in range(STEPS):
            if scene.has_focus(**LAST):
                break
            scene.press("shift+Tab")
        scene.wait_focus("the focus on the second part", **LAST)
        scene.press("space")
        scene.window.find(role="push button", name="Run edited")
        assert scene.is_checked(**FIRST) and not scene.is_checked(**LAST)
        scene.press("ctrl+Return")
        scene.runs()
        assert scene.notes.read_text() == changed(1), scene.notes.read_text()
        assert "changed the arguments" in scene.told(), scene.told()


@tap.case("/ui/hunks/left-out-by-the-pointer")
def _():
    with Parts() as scene:
        scene.begin()
        scene.ask()
        scene.needs_places()
        scene.click(**FIRST)
        scene.window.find(role="push button", name="Run edited")
        scene.click(**FIRST)
        scene.window.find(role="push button", name="Run")
        scene.click(**FIRST)
        scene.click(role="push button", name="Run edited")
        scene.runs()
        assert scene.clicks == 4 and scene.notes.read_text() == changed(20), scene.notes.read_text()


@tap.case("/ui/hunks/the-last-of-them-stays")
def _():
    with Parts() as scene:
        scene.begin()
        scene.ask()
        scene.needs_places()
        scene.click(**FIRST)
        scene.window.find(role="push button", name="Run edited")
        scene.click(**LAST)
        driver.wait(lambda: scene.is_checked(**FIRST) and scene.is_checked(**LAST), "all parts, for nothing can't run")
        scene.window.find(role="push button", name="Run")
        scene.press("ctrl+Return")
        scene.runs()
        assert scene.notes.read_text() == changed(1, 20), scene.notes.read_text()


@tap.case("/ui/hunks/the-file-changes-while-parts-are-chosen")
def _():
    """The difference is made anew, of what is chosen, and what somebody else wrote can be left alone."""
    with Parts() as scene:
        scene.begin()
        scene.ask()
        scene.needs_places()
        scene.click(**FIRST)
        scene.window.find(role="push button", name="Run edited")
        lines = changed().splitlines(keepends=True)
        scene.notes.write_text("".join(lines[:9] + ["added by another\n"] + lines[9:]))
        scene.window.find(contains="+1 −2", role="alert")
        driver.wait(lambda: scene.is_checked(**FIRST) and scene.is_checked(**LAST), "parts that are new")
        driver.wait(lambda: not driver.is_busy(scene.window.find(**DOCK)), "a card that listens")
        scene.click(**FIRST)
        driver.wait(lambda: not scene.is_checked(**FIRST), "the other's line, left alone")
        scene.press("ctrl+Return")
        scene.runs()
        lines[19] = "line 20 changed\n"
        assert scene.notes.read_text() == "".join(lines[:9] + ["added by another\n"] + lines[9:]), scene.notes.read_text()


@tap.case("/ui/hunks/a-masked-secret")
def _():
    """The file's text would become an argument, which is stored and told: nothing can be left out, and no secret is seen."""
    with Parts() as scene:
        scene.begin()
        scene.window.type("Log in.", role="text", name="Message")
        scene.window.press(name="Send message")
        scene.window.find(**scenes.CARD)
        scene.wait_for_card()
        scene.window.type(CANARY, name="Your thoughts")
        driver.wait(lambda: scene.window.length(name="Your thoughts") == len(CANARY), "the answer in the entry")
        scene.window.press(name="Send answer")
        scene.window.find(contains="I have a name for it.")
        scene.window.gone(**DOCK)
        scene.notes.write_text(changed().replace("line 1\n", CANARY + "\n"))
        scene.ask()
        scene.window.find(contains="+2 −2", role="alert")
        assert not scene.window.has(role="check box", contains="Include part"), "parts of it could be left out"
        assert not scene.window.has(contains=CANARY), driver.describe(scene.window.root)
        scene.press("ctrl+Return")
        scene.runs()
        assert scene.notes.read_text() == changed(1, 20), scene.notes.read_text()
        assert CANARY not in scene.model.log.read_text(), "it is on the wire"
        assert not scene.home.has_stored(CANARY), "it is in the store"


if __name__ == "__main__":
    scenes.main()
