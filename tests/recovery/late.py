# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions that the model does not wait for, in programs that are killed before the question is answered, between the answer and
the message it becomes, and behind that. The run is in a state of the tables meanwhile."""

from cases import CASES, END, QUESTION, case, continue_with, history, read, well
from world import wait

LATE = "late"
REST = "The rest is done."
ANSWER = f"My answer to your earlier question \"{QUESTION}\":\n9090"
CANCELLED = f"About your earlier question \"{QUESTION}\":\nThe user did not answer; the operation was cancelled"


def ask():
    return {"call": "ask_user", "id": "call_q",
            "arguments": {"question": QUESTION, "choices": ["8080", "9090"], "wait": False}}


def rest():
    return {"text": REST}


def held():
    return {"steps": [{"text": "Half a "}, {"drain": True}, {"text": "word"}, {"hold": "never"}]}


def expect_own_lines(scene, *texts):
    """Words of the agent are not written behind the question's prompt. The prompt before that was answered already, by a line
    that may have been typed before it stood there."""
    said = scene.terminal.said.partition(QUESTION)[2]
    for text in texts:
        scene.expect("> " + text not in said, f"“{text}” behind a prompt: {scene.terminal.said}")


def wait_for_reply(scene):
    """The question may come between its words."""
    scene.terminal.wait("Half a")
    scene.terminal.wait("word")
    expect_own_lines(scene, "Half a", "word")


def begin_reply(scene, *later):
    """The model has asked and goes on with a reply that does not end."""
    scene.replies({"calls": [ask()]}, held(), *later)
    scene.send()
    wait_for_reply(scene)


def hold_reply(scene, *later):
    begin_reply(scene, *later)
    wait(lambda: scene.is_in("run", "receiving"), "the reply in the store")
    scene.asked = scene.pending()


def told_answers(scene, request):
    """The answers that a request told, each as often as it did."""
    words = "\n".join(content for role, content in history(request) if role == "user")
    return [text for text in (ANSWER, CANCELLED) for _ in range(words.count(text))]


def states(scene):
    return [row["state"] for row in scene.world.store.rows("SELECT state FROM request WHERE conversation = ?",
                                                           scene.conversation)]


def expect_told(scene, expected):
    """A message for each in the store, and in the last request."""
    stored = [text for _, role, _, text in scene.messages().values() if role == "user" and "earlier question" in text]
    scene.expect(stored == expected, f"the messages of answers: {stored}, not {expected}")
    told = told_answers(scene, scene.last_request())
    scene.expect(told == expected, f"the model was told {told}, not {expected}")


def expect_open_behind_run(scene):
    """The run was cut off, and its question is asked as it was."""
    scene.terminal.wait("The reply was cut off.")
    scene.terminal.wait(QUESTION)
    scene.terminal.wait("Your answer resumes it")
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same question, byte for byte")
    scene.expect(len(scene.requests()) == 2, "the model is asked nothing before there is an answer")


def settle_by_hand(scene):
    scene.terminal.wait(QUESTION)
    scene.terminal.type("2")
    wait(lambda: states(scene) == ["answered"], "the answer in the store")


@case(LATE, "resting", stored=False)
def _(scene):
    scene.replies({"calls": [ask()]}, rest(), well())
    scene.send()
    scene.terminal.wait(REST)
    expect_own_lines(scene, REST)
    scene.terminal.wait("It now waits for your answer.")
    wait(lambda: scene.is_in("run", "waiting"), "the run that waits, in the store")
    scene.asked = scene.pending()
    yield
    scene.terminal.wait(QUESTION)
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same question, byte for byte")
    scene.expect(len(scene.requests()) == 2, "the model is asked nothing before there is an answer")
    scene.terminal.type("2")
    scene.terminal.wait(END)
    expect_told(scene, [ANSWER])


@case(LATE, "at-work", stored=False, held=True)
def _(scene):
    scene.replies({"calls": [ask(), read(scene.text)]}, rest(), well())
    scene.send()
    wait(lambda: scene.effects("read_note") == 1, "the tool at work")
    scene.asked = scene.pending()
    yield
    scene.terminal.wait(REST)
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same question, byte for byte")
    if QUESTION not in scene.terminal.said:
        scene.terminal.wait(QUESTION)
    scene.terminal.type("2")
    scene.terminal.wait(END)
    expect_told(scene, [ANSWER])


@case(LATE, "answered-at-work", stored=False, held=True)
def _(scene):
    scene.replies({"calls": [ask(), read(scene.text)]}, well())
    scene.send()
    settle_by_hand(scene)
    wait(lambda: scene.effects("read_note") == 1, "the tool at work")
    yield
    scene.terminal.wait(END)
    scene.expect(scene.effects("read_note") == 2, "what only reads runs again")
    expect_told(scene, [ANSWER])


@case(LATE, "answered-while-receiving", stored=False)
def _(scene):
    begin_reply(scene, well())
    if QUESTION not in scene.terminal.said:
        scene.terminal.wait(QUESTION)
    scene.terminal.type("2")
    wait(lambda: states(scene) == ["answered"], "the answer in the store")
    yield
    continue_with(scene, "The reply was cut off.")
    expect_told(scene, [ANSWER])


@case(LATE, "receiving", stored=False)
def _(scene):
    hold_reply(scene, well())
    yield
    expect_open_behind_run(scene)
    scene.terminal.type("2")
    scene.terminal.wait(END)
    expect_told(scene, [ANSWER])


@case(LATE, "receiving-then-continued", stored=False)
def _(scene):
    hold_reply(scene, rest(), well())
    yield
    expect_open_behind_run(scene)
    scene.terminal.type("/continue")
    scene.terminal.wait(REST)
    scene.expect(scene.pending() == scene.asked, "the same question beside the run that was resumed")
    scene.terminal.type("2")
    scene.terminal.wait(END)
    expect_told(scene, [ANSWER])


@case(LATE, "answered-behind-run", stored=False)
def _(scene):
    hold_reply(scene, {"steps": [{"hold": "never"}]}, well())
    scene.restart()
    expect_open_behind_run(scene)
    scene.terminal.type("2")
    wait(lambda: len(scene.requests()) == 3, "the request that tells it")
    wait(lambda: scene.is_in("run", "requesting"), "the request in the store")
    yield
    continue_with(scene, "The reply was cut off.")
    expect_told(scene, [ANSWER])


@case(LATE, "terminated", stored=False)
def _(scene):
    begin_reply(scene, well())
    scene.asked = scene.pending()
    scene.terminal.process.terminate()
    wait(lambda: scene.terminal.process.poll() is not None, "the end of the program")
    yield
    expect_open_behind_run(scene)
    scene.terminal.type("2")
    scene.terminal.wait(END)
    expect_told(scene, [ANSWER])


@case(LATE, "stopped", stored=False)
def _(scene):
    begin_reply(scene, well())
    scene.terminal.interrupt()
    scene.terminal.wait("Stopped.")
    wait(lambda: states(scene) == ["cancelled"], "the end of the question with the stop")
    yield
    continue_with(scene, "Stopped.")
    expect_told(scene, [CANCELLED])


@case(LATE, "told", stored=False)
def _(scene):
    scene.replies({"calls": [ask()]}, rest(), {"steps": [{"hold": "never"}]}, well())
    scene.send()
    scene.terminal.wait(REST)
    if QUESTION not in scene.terminal.said:
        scene.terminal.wait(QUESTION)
    scene.terminal.type("2")
    wait(lambda: len(scene.requests()) == 3, "the request that tells it")
    wait(lambda: scene.is_in("run", "requesting"), "the request in the store")
    yield
    continue_with(scene, "The reply was cut off.")
    expect_told(scene, [ANSWER])


LATES = [key for key in CASES if key[0] == LATE]
