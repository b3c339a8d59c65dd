#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window is killed while a question waits, in the middle of a reply and while a tool runs: test-window.py BUILD_ROOT. Runs on
a display of its own."""

import os
import pathlib
import sys

import world
import scene
import tap

try:
    import driver
except (ImportError, ValueError) as reason:
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)
import model as models

BUILD = pathlib.Path(sys.argv[1])
INSTALLATION = driver.Installation(os.environ["BECKON_WINDOW"], os.environ["BECKON_TERMINAL"], BUILD / "data")
QUESTION = {"name": "AI needs your decision"}
APPROVAL = {"name": "write_note"}
OUTCOME = {"name": "Interrupted: write_note"}
ENTRY = {"name": "Your thoughts"}
END = "Well done."


class Scene(scene.Conversation):
    """A person with a model of the test's, and the window open on it."""

    def __init__(self, text, *replies):
        super().__init__(None, text)
        self.model = models.Model(os.environ["BECKON_MODEL"], [*replies, {"text": END}])
        self.home = driver.Home(INSTALLATION, BECKON_API_KEY="test")

    def __enter__(self):
        self.model.__enter__()
        self.home.__enter__()
        self.world = world.Place(self.home.folder, self.model)
        self.home.environment["BECKON_TEST_EFFECTS"] = str(self.world.effects_file)
        self.home.ctl("profile", "add", "Test", "--no-lookup", "--base-url", self.model.base_url, "--model", "test", "--use")
        self.home.environment["BECKON_TEST_HELD"] = "1"
        self.window = self.home.start()
        self.window.type(self.text, role="text", name="Message")
        self.window.press(name="Send message")
        return self

    def __exit__(self, *exception):
        self.home.__exit__(*exception)
        self.model.__exit__(*exception)

    def wait_for_card(self, **card):
        driver.wait(lambda: not driver.is_busy(self.window.find(**card)), "a card that listens")

    def wait_for_state(self, table, state):
        driver.wait(lambda: self.is_in(table, state), f"{table} {state} in the store")

    def kill(self):
        self.window.kill()
        world.VIOLATIONS.killed()
        self.before = self.messages()
        self.asked = self.pending()
        del self.home.environment["BECKON_TEST_HELD"]
        self.window = self.home.start()

    def finish(self):
        """The end is on the screen and in the store, and all is as it must be."""
        self.window.find(contains=END)
        driver.wait(lambda: self.world.store.phase(self.conversation) == "complete", "the end in the store")
        self.window.kill()
        world.VIOLATIONS.killed()
        self.check(self.before)
        self.expect(not self.world.store.check_whole(), "I8: the file is damaged")
        # Read once all is over, so that what fails names everything that was found.
        assert not world.VIOLATIONS.found, world.VIOLATIONS.found

    def told(self):
        return models.results_of(self.last_request())


@tap.case("/recovery/window/question-with-half-an-answer")
def _():
    draft = "Neither of th"
    with Scene("<question>", {"calls": [models.ask("call_q", "Which port?", "8080", "9090")]}) as it:
        it.wait_for_card(**QUESTION)
        it.window.type(draft, **ENTRY)
        driver.wait(lambda: it.home.has_stored(draft), "the draft on the disk")
        it.wait_for_state("run", "waiting")
        it.kill()
        it.wait_for_card(**QUESTION)
        it.expect(it.pending() == it.asked, "the same card, byte for byte")
        driver.wait(lambda: it.window.length(**ENTRY) == len(draft), "the draft after the start")
        it.window.press(name="Send answer")
        it.window.find(contains=END)
        it.expect(it.told() == {"call_q": draft}, f"the answer reaches its call: {it.told()}")
        it.finish()


@tap.case("/recovery/window/middle-of-a-reply")
def _():
    half = {"steps": [{"text": "Half a "}, {"drain": True}, {"text": "word"}, {"hold": "never"}]}
    with Scene("<half>", half) as it:
        it.window.find(contains="Half a word")
        driver.wait(lambda: "Half a word" in [text for _, _, _, text in it.messages().values()], "the words in the store")
        it.kill()
        it.window.find(contains="Half a word")
        it.window.find(contains="The reply was cut off.")
        it.window.press(name="Retry")
        it.finish()


@tap.case("/recovery/window/question-that-is-not-waited-for")
def _():
    ask = {"call": "ask_user", "id": "call_q",
           "arguments": {"question": "Which port?", "choices": ["8080", "9090"], "wait": False}}
    half = {"steps": [{"text": "Half a "}, {"drain": True}, {"text": "word"}, {"hold": "never"}]}
    with Scene("<late>", {"calls": [ask]}, half) as it:
        it.window.find(contains="Half a word")
        it.wait_for_card(**QUESTION)
        it.window.find(name="The agent goes on meanwhile.")
        driver.wait(lambda: "Half a word" in [text for _, _, _, text in it.messages().values()], "the words in the store")
        it.kill()
        it.window.find(contains="The reply was cut off.")
        it.wait_for_card(**QUESTION)
        it.window.find(name="Your answer resumes the agent.")
        it.expect(it.pending() == it.asked and len(it.asked) == 1, "the same card, byte for byte")
        it.window.press(name="9090")
        it.window.find(contains=END)
        words = [text for _, role, _, text in it.messages().values() if role == "user" and "earlier question" in text]
        it.expect(words == ["My answer to your earlier question \"Which port?\":\n9090"], f"the answer is told once: {words}")
        it.finish()


def settle_unknown(answer, runs, result):
    with Scene(f"<{answer.__name__}>", {"calls": [{"call": "write_note", "id": "call_w",
                                                   "arguments": {"n": f"<{answer.__name__}>"}}]}) as it:
        it.wait_for_card(**APPROVAL)
        it.window.press(name="Run")
        it.wait_for_state("call", "started")
        driver.wait(lambda: it.effects("write_note") == 1, "the tool at work")
        it.kill()
        it.wait_for_card(**OUTCOME)
        it.expect([kind for _, kind, _ in it.pending()] == ["form"], f"one form: {it.pending()}")
        it.expect(it.effects("write_note") == 1, "it was not run again by itself")
        answer(it.window)
        it.window.find(contains=END)
        it.expect(it.effects("write_note") == runs, f"it ran {runs} times in all")
        it.expect(result in it.told().get("call_w", ""), f"the model is told: {it.told()}")
        it.finish()


@tap.case("/recovery/window/tool-looked")
def _():
    def look(window):
        window.type("The note is there", name="What you found")
        window.press(name="Tell the agent what you found")

    settle_unknown(look, 1, "The user looked at what became of it and says: The note is there")


@tap.case("/recovery/window/tool-again")
def _():
    def retry(window):
        window.press(name="Run again")

    settle_unknown(retry, 2, "write_note did")


@tap.case("/recovery/window/violations")
def _():
    print(f"# states: 3; kills: {world.VIOLATIONS.kills}; checks: {world.VIOLATIONS.checks}")
    print(f"# violations: {len(world.VIOLATIONS.found)}")
    assert not world.VIOLATIONS.found, world.VIOLATIONS.found


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
