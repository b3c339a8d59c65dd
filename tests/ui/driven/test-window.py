#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real window, from a prompt to what the model is told: test-window.py BUILD_ROOT. Runs on a display of its own."""

import scenes
from scenes import CARD, INSTALLATION, driver, models, tap

QUESTION = "Which colour should the door have?"
CALL = "call_colour"
DISMISSED = "The user dismissed this question"


def asking(*answers):
    """Asks once; repeats an answer that it is told, if it is one of these; says one word to anything else."""
    return [
        {"user": "Paint the door.", "calls": [models.ask(CALL, QUESTION, "Red", "Green", "Blue")]},
        *({"result": answer, "text": "So it is: " + answer} for answer in answers),
        {"user": "Once more.", "text": "Well."},
        {"user": "And the window?", "text": "White."},
    ]


class Scene(scenes.Scene):
    """The same, with a door to be painted."""

    def ask(self):
        self.send("Paint the door.")
        self.wait_for_card()

    def expect_answered(self, answer, in_history=None):
        """The model was told, its next words are there, and the question is history."""
        told = models.results_of(self.requests(2))
        assert told == {CALL: answer}, told
        self.window.find(contains="So it is: " + answer)
        self.window.gone(**CARD)
        self.window.find(contains=f"Question: {QUESTION} Answer: {in_history or answer}")
        assert len(self.model.requests) == 2, self.model.requests


@tap.case("/ui/question/second-choice")
def _():
    with Scene(asking("Green")) as scene:
        scene.ask()
        scene.window.press(name="Green")
        scene.expect_answered("Green")


@tap.case("/ui/question/free-answer")
def _():
    answer = "The one it had before"
    with Scene(asking(answer)) as scene:
        scene.ask()
        scene.window.type(answer, name="Your thoughts")
        scene.window.press(name="Send answer")
        scene.expect_answered(answer)


@tap.case("/ui/question/dismissal-offers-to-continue")
def _():
    with Scene(asking(DISMISSED)) as scene:
        scene.ask()
        scene.window.act("card.dismiss", **CARD)
        scene.window.gone(**CARD)
        scene.window.find(role="push button", name="Continue")
        assert len(scene.model.requests) == 1, scene.model.requests
        scene.window.press(name="Continue")
        assert models.results_of(scene.requests(2)) == {CALL: DISMISSED}, scene.model.requests[1]
        scene.window.find(contains="So it is: " + DISMISSED)


@tap.case("/ui/question/stop-while-it-waits")
def _():
    with Scene(asking()) as scene:
        scene.ask()
        scene.window.press(name="Stop")
        scene.window.gone(**CARD)
        scene.window.find(contains="Stopped.")
        assert len(scene.model.requests) == 1, scene.model.requests
        scene.send("Once more.")
        told = models.results_of(scene.requests(2))
        assert list(told) == [CALL] and told[CALL], told
        assert models.last_words(scene.model.requests[1]) == "Once more."
        scene.window.find(name="Well.")


@tap.case("/ui/question/kill-while-it-waits")
def _():
    draft = "Something between"
    with Scene(asking("Green — " + draft)) as scene:
        scene.ask()
        scene.window.type(draft, name="Your thoughts")
        driver.wait(lambda: scene.window.length(name="Your thoughts") == len(draft), "the draft in the entry")
        driver.wait(lambda: scene.home.has_stored(draft), "the draft on the disk")
        scene.restart()
        scene.wait_for_card()
        driver.wait(lambda: scene.window.length(name="Your thoughts") == len(draft), "the draft after the start")
        # What was typed beside a choice goes along with it.
        scene.window.press(name="Green")
        scene.expect_answered("Green — " + draft, "Green, " + draft)


@tap.case("/ui/question/history-after-a-restart")
def _():
    with Scene(asking("Blue")) as scene:
        scene.ask()
        scene.window.press(name="Blue")
        scene.expect_answered("Blue")
        scene.restart()
        scene.expect_answered("Blue")


@tap.case("/ui/stop/while-it-writes")
def _():
    story = [{"text": "Once upon a time"}, {"hold": "story"}, {"text": " it went on."}, {"finish": "stop"}, {"done": True}]
    with Scene([{"steps": story}]) as scene:
        scene.send("Tell me a story.")
        scene.window.find(contains="Once upon a time")
        scene.window.press(name="Stop")
        scene.window.find(contains="Stopped")
        scene.model.release("story")
        scene.window.find(contains="Once upon a time")
        assert not scene.window.has(contains="it went on"), driver.describe(scene.window.root)
        assert len(scene.model.requests) == 1, scene.model.requests


@tap.case("/ui/tour/from-the-first-start")
def _():
    with driver.Home(INSTALLATION) as home:
        window = home.start()
        window.press(role="push button", contains="Take the Offline Tour")
        driver.wait(lambda: not driver.is_busy(window.find(**CARD)), "a card that listens")
        window.press(name="Files and folders")
        window.find(contains="You picked Files and folders")
        window.gone(**CARD)
        window.find(contains="Answer: Files and folders")
        window.find(contains="get_current_time")
        scenes.accept_plan(window)
        window.find(contains="What comes next")


@tap.case("/ui/ask-user/switched-off-by-gsettings")
def _():
    with Scene(asking("Red")) as scene:
        scene.ask()
        scene.window.press(name="Red")
        scene.expect_answered("Red")
        scene.home.set("enable-ask-user", "false")
        scene.send("And the window?")
        assert "ask_user" in models.tools_of(scene.requests(1))
        assert "ask_user" not in models.tools_of(scene.requests(3))
        scene.window.find(name="White.")


@tap.case("/ui/ask-user/switched-off-in-preferences")
def _():
    switch = {"role": "check box", "contains": "Decide Together With the Agent"}
    with Scene(asking()) as scene:
        scene.window.find(name="Send message")
        scene.window.keys(driver.MAIN, "ctrl+comma")
        scene.window.click("Preferences", **switch)
        driver.wait(lambda: scene.home.get("enable-ask-user") == "false", "the setting")
        # The key opens no second window over the first.
        scene.window.keys("Preferences", "ctrl+comma")
        scene.window.keys("Preferences", "Escape")
        scene.window.gone(**switch)
        scene.send("And the window?")
        assert "ask_user" not in models.tools_of(scene.requests(1))
        scene.window.find(name="White.")


if __name__ == "__main__":
    scenes.main()
