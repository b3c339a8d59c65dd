#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real window, from a prompt to what the model is told: test-window.py BUILD_ROOT. Runs on a display of its own."""

import pathlib
import sys

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
CARD = {"name": "AI needs your decision"}
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


class Scene:
    """A person with a model of the test's, and the window open on it."""

    def __init__(self, replies):
        self.model = models.Model(SERVER, replies)
        self.home = driver.Home(INSTALLATION, BECKON_API_KEY="test")

    def __enter__(self):
        self.model.__enter__()
        self.home.__enter__()
        self.home.ctl("profile", "add", "Test", "--base-url", self.model.base_url, "--model", "test", "--use")
        self.window = self.home.start()
        return self

    def __exit__(self, *exception):
        self.home.__exit__(*exception)
        self.model.__exit__(*exception)

    def send(self, text):
        self.window.type(text, role="text", name="Message")
        self.window.press(name="Send message")

    def ask(self):
        self.send("Paint the door.")
        self.wait_for_card()

    def wait_for_card(self):
        """A new card takes no input for a moment, so that no click meant for something else answers it."""
        driver.wait(lambda: not driver.has_state(self.window.find(**CARD), driver.Atspi.StateType.BUSY), "a card that listens")

    def requests(self, count):
        driver.wait(lambda: len(self.model.requests) >= count, f"request {count} at the model")
        return self.model.requests[count - 1]

    def restart(self):
        self.window.kill()
        self.window = self.home.start()

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
        window.press(role="push button", contains="Take the offline tour")
        driver.wait(lambda: not driver.has_state(window.find(**CARD), driver.Atspi.StateType.BUSY), "a card that listens")
        window.press(name="Files and folders")
        window.find(contains="You picked Files and folders")
        window.gone(**CARD)
        window.find(contains="Answer: Files and folders")
        window.find(contains="get_current_time")
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
    switch = {"role": "check box", "contains": "Decide together with the agent"}
    with Scene(asking()) as scene:
        scene.window.find(name="Send message")
        scene.window.keys(driver.MAIN, "ctrl+comma")
        scene.window.click("Preferences", **switch)
        driver.wait(lambda: scene.home.get("enable-ask-user") == "false", "the setting")
        scene.window.keys("Preferences", "Escape")
        scene.window.gone(**switch)
        scene.send("And the window?")
        assert "ask_user" not in models.tools_of(scene.requests(1))
        scene.window.find(name="White.")


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
