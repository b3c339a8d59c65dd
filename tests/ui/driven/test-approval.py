#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A call whose arguments a person changes in the real window before it runs. test-approval.py BUILD_ROOT. Runs on a display of
its own. BECKON_PICTURES=FOLDER keeps a picture of the card."""

import os
import subprocess

import scenes
from scenes import Scene, driver, models, tap

DRAFT = "Dear colleagues,\n\nit is required that all of you return the forms by Friday at the latest. Forms that come later " \
        "will not be considered under any circumstances."
WARMER = "Dear all,\n\nplease send us the forms by Friday. Thank you."
REPLIES = [
    {"user": "Hello.", "text": "Ready."},
    {"user": "Write the letter.", "calls": [{"call": "write_file", "id": "call_letter",
                                             "arguments": {"path": "letter.txt", "content": DRAFT}}]},
    {"result": "user changed", "text": "The letter is written as you want it."},
    {"result": "Not today.", "text": "Then not."},
]
CARD = {"name": "Write letter.txt", "role": "panel"}

# More than there are controls in a card.
STEPS = 30


def keep_picture(scene, name):
    folder = os.environ.get("BECKON_PICTURES")
    if folder:
        window = scene.window.x_window(driver.MAIN)
        subprocess.run(["import", "-window", window, f"{folder}/{name}.png"], check=True)


def open_card(scene, folder):
    """A folder is chosen in the terminal, where no dialog is needed; the conversation goes on in the window."""
    folder.mkdir()
    scene.home.ctl("run", "--folder", str(folder), "Hello.")
    scene.restart()
    scene.window.find(contains="Ready.")
    scene.send("Write the letter.")
    card = scene.window.find(**CARD)
    driver.wait(lambda: not driver.is_busy(card), "a card that listens")


def run_seen(scene, **what):
    """Another difference is seen for a moment before it can be run."""
    button = scene.window.find(**what)
    driver.wait(lambda: button.has_state(driver.accessible.SENSITIVE), "the difference")
    driver.wait(lambda: not driver.is_busy(scene.window.find(**CARD)), "a card that listens")
    scene.window.press(**what)


@tap.case("/ui/approval/a-draft-whose-tone-and-length-are-changed")
def _():
    with Scene(REPLIES, opens=False) as scene:
        folder = scene.home.folder / "letters"
        open_card(scene, folder)
        scene.window.find(contains="letter.txt")
        assert not scene.window.has(name="Run edited"), "nothing is edited yet"
        assert not scene.window.has(role="text", name="content"), "the form is open"
        scene.window.press(name="Edit the call")
        scene.window.type(WARMER, role="text", name="content")
        scene.window.find(contains="Changed: content from Dear colleagues,")
        keep_picture(scene, "draft-edited")
        run_seen(scene, name="Run edited")
        scene.window.find(contains="as you want it")
        assert (folder / "letter.txt").read_text() == WARMER
        told = models.results_of(scene.model.requests[-1])["call_letter"]
        assert "changed the arguments" in told, told
        assert DRAFT not in told, told


def is_focused(scene, **what):
    return scene.window.find(**what).has_state(driver.accessible.FOCUSED)


def go_to(scene, **what):
    """Back from where one writes, by the keys: newer toolkits tell of places some pixels beside what is there."""
    for _ in range(STEPS):
        scene.window.keys(driver.MAIN, "shift+Tab")
        try:
            driver.wait(lambda: is_focused(scene, **what), "the focus", 0.3)
            return
        except AssertionError:
            continue
    raise AssertionError(f"the keys do not lead to {what}")


@tap.case("/ui/approval/the-keys-undo-in-a-field")
def _():
    with Scene(REPLIES, opens=False) as scene:
        open_card(scene, scene.home.folder / "letters")
        scene.window.press(name="Edit the call")
        go_to(scene, role="text", name="path")
        scene.window.keys(driver.MAIN, "End", "x")
        scene.window.find(name="Run edited")
        scene.window.keys(driver.MAIN, "ctrl+z")
        scene.window.gone(name="Run edited")
        scene.window.keys(driver.MAIN, "ctrl+shift+z")
        scene.window.find(name="Run edited")


@tap.case("/ui/approval/the-focus-goes-on-to-where-one-writes")
def _():
    with Scene(REPLIES, opens=False) as scene:
        open_card(scene, scene.home.folder / "letters")
        go_to(scene, role="push button", name="Run")
        scene.window.keys(driver.MAIN, "Return")
        driver.wait(lambda: is_focused(scene, role="text", name="Message"), "the focus where one writes")


@tap.case("/ui/approval/denied-where-all-that-waits-is-listed")
def _():
    with Scene(REPLIES, opens=False) as scene:
        folder = scene.home.folder / "letters"
        open_card(scene, folder)
        scene.window.press(contains="Waiting for you: ", role="push button")
        scene.window.find(name="Waiting for You", role="frame")
        entry = scene.window.find(role="panel", name="Hello.")
        scene.window.press(name="Deny", within=entry)
        scene.window.type("Not today.", name="Reason for denying", within=entry)
        scene.window.press(name="Deny this call", within=entry)
        scene.window.find(contains="Nothing Is Waiting for You")
        # The conversation is behind this page, and what happens there is announced.
        scene.window.find(contains="Then not.", role="alert")
        assert not (folder / "letter.txt").exists(), "it ran"
        assert "Not today." in models.results_of(scene.model.requests[-1])["call_letter"]


@tap.case("/ui/approval/an-edit-comes-back-after-a-kill")
def _():
    with Scene(REPLIES, opens=False) as scene:
        folder = scene.home.folder / "letters"
        open_card(scene, folder)
        scene.window.press(name="Edit the call")
        scene.window.type(WARMER, role="text", name="content")
        driver.wait(lambda: scene.home.has_stored("please send us"), "the draft in the store")
        scene.restart()
        scene.window.find(name="Run edited")
        assert not (folder / "letter.txt").exists(), "it ran by itself"
        scene.window.press(name="Back to the whole proposal")
        scene.window.gone(name="Run edited")


EDIT = {"path": "notes.txt", "old_text": "Friday", "new_text": "Monday", "replace_all": True}
DIFFERENCE = [
    {"user": "Hello.", "text": "Ready."},
    {"user": "Move it.", "calls": [{"call": "edit_file", "id": "call_edit", "arguments": EDIT}]},
    {"result": "was changed", "text": "It is moved."},
]


@tap.case("/ui/approval/the-difference-is-seen-before-it-is-written")
def _():
    """No click is needed. When the file changes while the card waits the difference is another one, and that runs."""
    with Scene(DIFFERENCE, opens=False) as scene:
        folder = scene.home.folder / "plan"
        folder.mkdir()
        notes = folder / "notes.txt"
        notes.write_text("Plan\nDeadline: Friday\n")
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        scene.restart()
        scene.window.find(contains="Ready.")
        scene.send("Move it.")
        card = scene.window.find(name="Edit notes.txt", role="panel")
        scene.window.find(name="What it would change", within=card)
        scene.window.find(contains="+1 −1", role="alert", within=card)
        assert notes.read_text() == "Plan\nDeadline: Friday\n", "it was written before anyone decided"
        keep_picture(scene, "difference")
        notes.write_text("Plan\nDeadline: Friday\nParty: Friday\n")
        scene.window.find(contains="+2 −2", role="alert", within=card)
        driver.wait(lambda: not driver.is_busy(card), "a card that listens")
        scene.window.press(name="Run", within=card)
        scene.window.find(contains="It is moved.")
        assert notes.read_text() == "Plan\nDeadline: Monday\nParty: Monday\n", notes.read_text()
        assert len(scene.model.requests) == 3, "it was asked about again"


LETTERS = {"a.txt": "One", "b.txt": "Two", "c.txt": "Three"}
SEVERAL = [
    {"user": "Hello.", "text": "Ready."},
    {"user": "Write the letter.", "calls": [{"call": "write_file", "id": f"call_{path[0]}",
                                             "arguments": {"path": path, "content": text}}
                                            for path, text in LETTERS.items()]},
    {"result": "user changed", "text": "Two are written."},
]


DOCK = {"name": "Waiting for You", "role": "panel"}


def listens(scene, position):
    """The deck shows that card, and its moment is over."""
    scene.window.find(name=position)
    dock = scene.window.find(**DOCK)
    driver.wait(lambda: not driver.is_busy(dock), "a card that listens")


@tap.case("/ui/approval/several-calls-are-one-deck")
def _():
    with Scene(SEVERAL, opens=False) as scene:
        folder = scene.home.folder / "letters"
        folder.mkdir()
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        scene.restart()
        scene.window.find(contains="Ready.")
        scene.send("Write the letter.")
        listens(scene, "1 of 3")
        keep_picture(scene, "deck")
        scene.window.press(name="Next card")
        listens(scene, "2 of 3")
        scene.window.keys(driver.MAIN, "ctrl+d")
        # The window came to the front by that: for a moment nothing is taken.
        listens(scene, "2 of 3")
        scene.window.keys(driver.MAIN, "Return")
        listens(scene, "2 of 2")
        scene.window.keys(driver.MAIN, "ctrl+e")
        scene.window.type("Four", role="text", name="content")
        driver.wait(lambda: scene.home.has_stored("Four"), "the draft in the store")
        scene.restart()
        listens(scene, "1 of 2")
        scene.window.press(name="Run the Rest · 2…")
        scene.window.find(contains="Four")
        listens(scene, "1 of 2")
        scene.window.press(name="Run 2")
        scene.window.find(contains="Two are written.")
        assert (folder / "a.txt").read_text() == "One"
        assert not (folder / "b.txt").exists(), "a denied call ran"
        assert (folder / "c.txt").read_text() == "Four"
        told = models.results_of(scene.model.requests[-1])
        assert "denied" in told["call_b"] and "changed the arguments" in told["call_c"], told


if __name__ == "__main__":
    scenes.main()
