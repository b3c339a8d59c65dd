#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to answer in the real window: masked, from the list of all that waits, and once more. test-card.py BUILD_ROOT. Runs on a
display of its own."""

import json
import re
import subprocess
import sys

import scenes
from scenes import CARD, Scene, driver, models, tap

CANARY = "canary-7f3a 'quoted' äöü"
QUESTION = {"questions": [{"question": "The token of the photo service?", "header": "Photo token", "secret": True}]}
REPLIES = [
    {"user": "Log in.", "calls": [{"call": "ask_user", "id": "call_token", "arguments": QUESTION}]},
    {"result": "secret:photo-token-", "text": "I have a name for it."},
]


COLOUR = "call_colour"


def painting(*answers):
    return [
        {"user": "Paint the door.", "calls": [models.ask(COLOUR, "Which colour should the door have?", "Green", "Blue")]},
        *({"result": answer, "text": "So it is: " + answer} for answer in answers),
    ]


@tap.case("/ui/secret/canary")
def _():
    with Scene(REPLIES) as scene:
        scene.send("Log in.")
        scene.wait_for_card()
        scene.window.find(contains="is stored in the keyring")
        scene.window.find(name="Show what is typed")
        scene.window.type(CANARY, name="Your thoughts")
        driver.wait(lambda: scene.window.length(name="Your thoughts") == len(CANARY), "the answer in the entry")
        scene.window.press(name="Send answer")
        scene.window.find(contains="I have a name for it.")
        scene.window.gone(**CARD)
        told = models.results_of(scene.requests(2))["call_token"]
        handle = re.search(r"secret:photo-token-[a-z0-9]{12}", told)[0]
        scene.window.find(contains=handle)
        assert not scene.window.has(contains="canary"), driver.describe(scene.window.root)
        assert "canary" not in scene.model.log.read_text(), "it is on the wire"
        assert not scene.home.has_stored("canary"), "it is in the store"
        listed = scene.home.ctl("list").split()[0]
        for form in "markdown", "json":
            exported = scene.home.ctl("export", "--format=" + form, listed)
            assert handle in exported and "canary" not in exported, exported


def ask_in(scene, folder, text):
    """From a terminal that leaves with the question."""
    done = subprocess.run([scene.home.installation.terminal, "run", "--detach-on-ask", "--folder", folder, text],
                          env=scene.home.environment, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 10, done
    return json.loads(done.stdout.splitlines()[-1])


def open_conversation(scene, request):
    scene.home.run(scene.home.installation.window, "beckon://conversation/" + request["conversation"]["id"])
    scene.wait_for_card()


@tap.case("/ui/answers/last-time")
def _():
    """The same question in its folder shows the last answer and proposes it, answers nothing, and forgets it on demand."""
    def asking(user, call):
        return {"user": user, "calls": [models.ask(call, "Which colour should the door have?", "Green", "Blue")]}

    with Scene([asking("Paint it.", "call_1"), {"result": "Blue", "text": "So it is."}, asking("And this.", "call_2"),
                {"result": "Blue", "text": "Like the other."}, asking("And that.", "call_3")]) as scene:
        folder = scene.home.folder / "project"
        folder.mkdir()
        first = ask_in(scene, folder, "Paint it.")
        assert "last" not in first, first
        scene.home.ctl("answer", first["id"], "Blue")
        second = ask_in(scene, folder, "And this.")
        open_conversation(scene, second)
        scene.window.find(contains="Last time: Blue")
        assert json.loads(scene.home.ctl("questions", "--json"))["questions"][0]["state"] == "pending"
        scene.window.press(name="Send answer")
        scene.window.find(contains="Like the other.")

        scenes.open_preferences(scene, "permissions")
        scene.window.find(contains="1 answer. ")
        scene.window.press(name="Forget your earlier answers")
        scene.window.press(name="Forget", role="push button")
        scene.window.find(contains="0 answers. ")
        scene.window.keys("Preferences", "Escape")
        third = ask_in(scene, folder, "And that.")
        assert "last" not in third, third
        open_conversation(scene, third)
        assert not scene.window.has(contains="Last time"), driver.describe(scene.window.root)


@tap.case("/ui/secret/no-draft")
def _():
    with Scene(REPLIES) as scene:
        scene.send("Log in.")
        scene.wait_for_card()
        scene.window.type(CANARY, name="Your thoughts")
        scene.window.act("card.ask-back", **CARD)
        scene.window.act("card.dismiss", **CARD)
        scene.window.gone(**CARD)
        scene.restart()
        scene.window.find(contains="Dismissed")
        assert not scene.home.has_stored("canary"), "it is in the store"


@tap.case("/ui/question/answered-from-the-list-of-all-that-waits")
def _():
    with Scene(painting("Green")) as scene:
        scene.send("Paint the door.")
        scene.wait_for_card()
        scene.window.press(name="Waiting for you: 1 question")
        scene.window.find(contains="Open Paint the door.")
        scene.wait_for_card()
        scene.window.press(name="Green")
        scene.window.find(contains="Nothing Is Waiting for You")
        assert models.results_of(scene.requests(2)) == {COLOUR: "Green"}, scene.model.requests


LATE = {"question": "Which colour should the door have?", "choices": ["Green", "Blue"], "wait": False}


def sanding():
    return [
        {"user": "Paint the door.", "calls": [{"call": "ask_user", "id": COLOUR, "arguments": LATE}]},
        {"result": "you go on meanwhile",
         "steps": [{"text": "I sand "}, {"drain": True}, {"hold": "sanded"}, {"text": "it."}, {"finish": "stop"}, {"done": True}]},
        {"user": "My answer to your earlier question", "text": "So it is done."},
    ]


def assert_told_once(scene):
    scene.window.find(contains="So it is done.")
    scene.window.gone(**CARD)
    scene.window.find(contains="Answer to “Which colour should the door have?”: Green")
    words = [message["content"] for message in scene.requests(3)["messages"] if message["role"] == "user"]
    assert words[1:] == ["My answer to your earlier question \"Which colour should the door have?\":\nGreen"], words
    assert len(scene.model.requests) == 3, scene.model.requests


@tap.case("/ui/question/answered-while-the-agent-works")
def _():
    with Scene(sanding()) as scene:
        scene.send("Paint the door.")
        scene.window.find(contains="I sand")
        scene.wait_for_card()
        scene.window.find(contains="The agent goes on meanwhile.")
        scene.window.press(name="Green")
        scene.window.gone(**CARD)
        assert len(scene.model.requests) == 2, "the reply that comes is not disturbed"
        scene.model.release("sanded")
        assert_told_once(scene)


@tap.case("/ui/question/answered-when-the-agent-is-done-but-for-it")
def _():
    with Scene(sanding()) as scene:
        scene.send("Paint the door.")
        scene.window.find(contains="I sand")
        scene.model.release("sanded")
        scene.window.find(contains="I sand it.")
        scene.wait_for_card()
        # The program ends and begins again: the run still waits.
        scene.restart()
        scene.wait_for_card()
        assert len(scene.model.requests) == 2, scene.model.requests
        scene.window.press(name="Green")
        assert_told_once(scene)


@tap.case("/ui/question/change-this-answer")
def _():
    with Scene(painting("Green", "Blue")) as scene:
        scene.send("Paint the door.")
        scene.wait_for_card()
        scene.window.press(name="Green")
        scene.window.find(contains="So it is: Green")
        # Looking at the question again makes nothing.
        scene.window.press(name="Change this answer")
        scene.window.find(contains="Your new answer starts a branch")
        scene.window.keys("Change Answer", "Escape")
        scene.window.gone(contains="Your new answer starts a branch")
        told = scene.home.ctl("list")
        assert len(told.strip().splitlines()) == 1, told
        scene.window.press(name="Change this answer")
        scene.wait_for_card()
        scene.window.press(name="Blue")
        assert models.results_of(scene.requests(3)) == {COLOUR: "Blue"}, scene.model.requests[2]
        scene.window.find(contains="So it is: Blue")
        assert not scene.window.has(contains="So it is: Green"), driver.describe(scene.window.root)
        told = scene.home.ctl("list")
        assert len(told.strip().splitlines()) == 2, told


if __name__ == "__main__":
    scenes.main()
