# SPDX-License-Identifier: GPL-3.0-or-later
"""A case for each state of the two tables. Each is a generator: the part before its `yield` brings a conversation into the
state, then the program is killed and started again, and the part after the `yield` says what must become of it."""

from world import wait
import model as models

CASES = {}
QUESTION = "Which port?"
END = "Well done."


def case(table, state, stored=True, held=False, rounds=None, settings=(), options=()):
    """Registers the case of a state. One that is not `stored` lives in memory alone; `options` are the profile's."""
    def register(function):
        function.stored, function.held, function.rounds, function.settings = stored, held, rounds, settings
        function.options = options
        CASES[table, state] = function
        return function

    return register


# The model's words

def read(text):
    return {"call": "read_note", "id": "call_r", "arguments": {"n": text}}


def write(text):
    return {"call": "write_note", "id": "call_w", "arguments": {"n": text}}


def ask():
    return models.ask("call_q", QUESTION, "8080", "9090")


def well():
    return {"text": END}


def ending(finish):
    return {"steps": [{"text": "So far."}, {"finish": finish}, {"done": True}]}


# The outcome

def continue_with(scene, words, line="/continue"):
    """The end is said, and the conversation goes on from there."""
    scene.terminal.wait(words)
    scene.terminal.type(line)
    scene.terminal.wait(END)


def answer(scene, words, line):
    scene.terminal.wait(words)
    scene.terminal.type(line)


def history(request):
    """A request without the system's words: [(role, text)]."""
    return [(message["role"], message.get("content") or "") for message in request["messages"] if message["role"] != "system"]


def told(scene):
    return models.results_of(scene.last_request())


# The run

@case("run", "queued")
def _(scene):
    scene.replies(dict(well(), repeat=True))
    scene.hold_queued()
    yield
    scene.terminal.wait(END)
    scene.expect(history(scene.last_request()) == [("user", scene.text)], "the message is asked for anew")


@case("run", "requesting")
def _(scene):
    scene.replies({"steps": [{"hold": "never"}]}, well())
    scene.send()
    wait(lambda: len(scene.requests()) == 1, "the request")
    yield
    continue_with(scene, "The reply was cut off.")
    scene.expect(history(scene.last_request()) == [("user", scene.text)], "the same is asked for again")


@case("run", "retry-wait")
def _(scene):
    scene.replies({"status": 429, "headers": {"Retry-After": "50"}, "body": {"error": {"message": "Slow down"}}}, well())
    scene.send()
    yield
    continue_with(scene, "The reply was cut off.")
    scene.expect(len(scene.requests()) == 2, "one more request")


@case("run", "receiving")
def _(scene):
    scene.replies({"steps": [{"text": "Half a "}, {"drain": True}, {"text": "word"}, {"hold": "never"}]}, well())
    scene.send()
    scene.terminal.wait("Half a word")
    wait(lambda: "Half a word" in [text for _, _, _, text in scene.messages().values()], "the words in the store")
    yield
    scene.terminal.wait("The reply was cut off.")
    wait(lambda: "cut-off" in [status for _, _, status, text in scene.messages().values() if text == "Half a word"],
         "the mark of the half reply in the store")
    scene.terminal.type("/continue")
    scene.terminal.wait(END)
    scene.expect(history(scene.last_request()) == [("user", scene.text)], "the half reply is made anew")


@case("run", "calling", held=True)
def _(scene):
    scene.replies({"calls": [read(scene.text)]}, well())
    scene.send()
    wait(lambda: scene.effects("read_note") == 1, "the tool at work")
    yield
    scene.terminal.wait(END)
    scene.expect(scene.effects("read_note") == 2, "what only reads runs again")
    scene.expect(told(scene).get("call_r", "").startswith("read_note did"), "its result is told")


@case("run", "waiting")
def _(scene):
    scene.replies({"calls": [ask()]}, well())
    scene.send()
    scene.terminal.wait(QUESTION)
    scene.asked = scene.pending()
    yield
    scene.terminal.wait(QUESTION)
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same question, byte for byte")
    scene.terminal.type("2")
    scene.terminal.wait(END)
    scene.expect(told(scene) == {"call_q": "9090"}, f"the answer reaches its call: {told(scene)}")


@case("run", "asked", settings=(("ask-user-flow", "end-turn"),))
def _(scene):
    scene.replies({"calls": [ask()]}, well())
    scene.send()
    scene.terminal.wait(QUESTION)
    scene.asked = scene.pending()
    yield
    scene.terminal.wait(QUESTION)
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same question, byte for byte")
    scene.terminal.type("2")
    scene.terminal.wait(END)
    scene.expect("waiting_for_user" in told(scene).get("call_q", ""), f"its turn ended with it: {told(scene)}")
    scene.expect(history(scene.last_request())[-1] == ("user", "9090"), "the answer is the next message")


@case("run", "complete")
def _(scene):
    scene.replies({"text": "Fine."}, well())
    scene.send()
    scene.terminal.wait("Fine.")
    yield
    continue_with(scene, "> ", "And more")
    scene.expect(history(scene.last_request()) == [("user", scene.text), ("assistant", "Fine."), ("user", "And more")],
                 "the history is sent")


@case("run", "stopped")
def _(scene):
    scene.replies({"steps": [{"text": "Half a word"}, {"hold": "never"}]}, well())
    scene.send()
    scene.terminal.wait("Half a word")
    scene.terminal.interrupt()
    scene.terminal.wait("Stopped.")
    yield
    continue_with(scene, "Stopped.")
    scene.expect(history(scene.last_request())[1:2] == [("assistant", "Half a word")], "what came is in the history")


@case("run", "dismissed")
def _(scene):
    scene.replies({"calls": [ask()]}, well())
    scene.send()
    answer(scene, QUESTION, "/dismiss")
    scene.terminal.wait("You dismissed the question")
    yield
    continue_with(scene, "You dismissed the question")
    scene.expect(told(scene) == {"call_q": "The user dismissed this question"}, f"it is told: {told(scene)}")


@case("run", "failed")
def _(scene):
    scene.replies({"status": 400, "body": {"error": {"message": "It is raining"}}}, well())
    scene.send()
    scene.terminal.wait("It is raining")
    yield
    scene.terminal.wait("It is raining")
    continue_with(scene, "/continue tries again.")


@case("run", "cut-off")
def _(scene):
    scene.replies(*[{"steps": [{"text": "Half a word"}, {"close": True}]}] * 3, well())
    scene.send()
    scene.terminal.wait("The reply was cut off.")
    yield
    continue_with(scene, "The reply was cut off.")
    scene.expect(history(scene.last_request()) == [("user", scene.text)], "the half reply is made anew")


@case("run", "length")
def _(scene):
    scene.replies(ending("length"), well())
    scene.send()
    scene.terminal.wait("output limit")
    yield
    continue_with(scene, "output limit")


@case("run", "round-limit", rounds=1)
def _(scene):
    scene.replies({"calls": [read(scene.text)]}, well())
    scene.send()
    scene.terminal.wait("limit of model calls")
    yield
    continue_with(scene, "limit of model calls")
    scene.expect(scene.effects("read_note") == 1, "nothing runs again")


@case("run", "refused")
def _(scene):
    scene.replies(ending("refusal"), well())
    scene.send()
    scene.terminal.wait("The model refused.")
    yield
    continue_with(scene, "The model refused.", "Something else")


@case("run", "filtered")
def _(scene):
    scene.replies(ending("content_filter"), well())
    scene.send()
    scene.terminal.wait("content filter")
    yield
    continue_with(scene, "content filter", "Something else")


@case("run", "paused")
def _(scene):
    scene.replies(ending("pause_turn"), well())
    scene.send()
    scene.terminal.wait("paused the reply")
    yield
    continue_with(scene, "paused the reply")


# The call

@case("call", "proposed", stored=False)
def _(scene):
    begun = {"call": "write_note", "id": "call_w", "arguments": "{\"n\":"}
    scene.replies({"steps": [{"text": "I write."}, begun, {"hold": "never"}]}, well())
    scene.send()
    scene.terminal.wait("I write.")
    wait(lambda: "I write." in [text for _, _, _, text in scene.messages().values()], "the words in the store")
    # Whole or not, it is nothing before the reply has ended: it was never stored.
    scene.expect(scene.calls() == [], "a call that is being received is not stored")
    yield
    continue_with(scene, "The reply was cut off.")
    scene.expect(scene.calls() == [] and scene.effects() == 0, "it is dropped with its message")


@case("call", "awaiting")
def _(scene):
    scene.replies({"calls": [write(scene.text)]}, well())
    scene.send()
    scene.terminal.wait("◇ write_note")
    scene.asked = scene.pending()
    yield
    scene.terminal.wait("◇ write_note")
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same card, byte for byte")
    scene.expect(scene.effects() == 0, "nothing ran by itself")
    scene.terminal.type("1")
    scene.terminal.wait(END)
    scene.expect(scene.effects("write_note") == 1, "it ran once")
    scene.expect(told(scene).get("call_w", "").startswith("write_note did"), "its result is told")


@case("call", "decided")
def _(scene):
    # A question of its batch is open: what changes something waits for it, whatever was decided.
    scene.replies({"calls": [write(scene.text), ask()]}, well())
    scene.send()
    answer(scene, "◇ write_note", "1")
    scene.terminal.wait(QUESTION)
    yield
    scene.terminal.wait(QUESTION)
    scene.expect(scene.effects() == 0, "nothing ran by itself")
    scene.terminal.type("1")
    scene.terminal.wait("had not started when the program ended")
    scene.expect(scene.effects() == 0, "nothing ran by itself after the answer")
    scene.terminal.type("1")
    scene.terminal.wait(END)
    scene.expect(scene.effects("write_note") == 1, "it ran once")
    results = told(scene)
    scene.expect(list(results) == ["call_w", "call_q"] and results["call_q"] == "8080", f"both are told, in order: {results}")


def settle_unknown(scene):
    """Look, retry and skip take turns."""
    scene.terminal.wait("Interrupted: write_note")
    scene.terminal.wait("Whether it took effect is not known.")
    pending = scene.pending()
    scene.expect(len(pending) == 1 and pending[0][1] == "form", f"one form: {pending}")
    scene.expect(scene.effects("write_note") == 1, "it was not run again by itself")
    line, runs, result = (("The note is there", 1, "The user looked at what became of it and says: The note is there"),
                          ("1", 2, "write_note did"),
                          ("2", 1, "whether it took effect is not known. It was not run again."))[scene.number % 3]
    scene.terminal.type(line)
    scene.terminal.wait(END)
    scene.expect(scene.effects("write_note") == runs, f"it ran {runs} times in all")
    scene.expect(result in told(scene).get("call_w", ""), f"the model is told: {told(scene)}")


def start_writing(scene):
    scene.replies({"calls": [write(scene.text)]}, well())
    scene.send()
    answer(scene, "◇ write_note", "1")
    wait(lambda: scene.effects("write_note") == 1, "the tool at work")


@case("call", "started", held=True)
def _(scene):
    start_writing(scene)
    yield
    settle_unknown(scene)


@case("call", "unknown", held=True)
def _(scene):
    start_writing(scene)
    scene.restart()
    scene.terminal.wait("Interrupted: write_note")
    scene.asked = scene.pending()
    yield
    scene.expect(scene.pending() == scene.asked, "the same card, byte for byte")
    settle_unknown(scene)


@case("call", "done")
def _(scene):
    scene.replies({"calls": [read(scene.text)]}, {"steps": [{"hold": "never"}]}, well())
    scene.send()
    wait(lambda: len(scene.requests()) == 2, "the next round")
    yield
    continue_with(scene, "The reply was cut off.")
    scene.expect(scene.effects("read_note") == 1, "what is done is not done again")
    scene.expect(list(told(scene)) == ["call_r"], "its result is told once")


@case("call", "cancelled", held=True)
def _(scene):
    scene.replies({"calls": [write(scene.text)]}, well())
    scene.send()
    answer(scene, "◇ write_note", "1")
    wait(lambda: scene.effects("write_note") == 1, "the tool at work")
    scene.terminal.interrupt()
    scene.terminal.wait("Stopped.")
    yield
    continue_with(scene, "Stopped.")
    scene.expect(scene.effects("write_note") == 1, "it is not run again")
    scene.expect("Whether it took effect is not known." in told(scene).get("call_w", ""), f"the model is told: {told(scene)}")
