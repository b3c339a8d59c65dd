#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of several programs at the same moment are carried out exactly once, and no program has to be started for it.

BECKON_RACES says how many requests are raced for in each case."""

import concurrent.futures
import os
import random
import signal
import subprocess
import sys
import time

import world
import tap
from world import World, wait

RACES = int(os.environ.get("BECKON_RACES", "40"))
# Most of the time they wait: for the lock, a disk, the model.
WORKERS = 3
END = "Well done."
ASKED = 10
CHAIN = 4
RANDOM = random.Random(int(os.environ.get("BECKON_RACE_SEED", "16")))


def write(number, step=0):
    return {"call": "write_note", "id": f"call_{step}", "arguments": {"n": f"<race-{number}>", "step": step}}


def say(number, **reply):
    return dict(reply, conversation=f"<race-{number}>")


def start(place, *arguments):
    return subprocess.Popen([place.terminal, *arguments], env=place.environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(program):
    return (*program.communicate(timeout=world.DEADLINE), program.returncode)


def ask(place, text, *options):
    """Begins a conversation that waits for a person, and that no program drives: (conversation, request)."""
    said = finish(start(place, "run", "--detach-on-ask", *options, text))
    assert said[-1] == ASKED, said
    conversation = place.store.conversation(text)
    return conversation, place.store.pending(conversation)[0][0]


def check_over(place, conversation, text, effects, said):
    """No program works on it any more: what is not done now will not be."""
    assert "-Message" not in str(said) and "-WARNING" not in str(said), said
    done = len(place.effects(text))
    phase = place.store.phase(conversation)
    assert (phase, done) == ("complete", effects), f"{text}: {phase}, done {done} times\n{said}"
    for call in place.store.calls(conversation):
        assert len(place.store.goes(call["id"])) <= 1, f"{text}: settled more than once"


def approve(place, number):
    text = f"<race-{number}>"
    conversation, request = ask(place, text)
    said = [finish(racer) for racer in [start(place, "answer", request, "--run") for _ in range(2 + number % 7)]]
    check_over(place, conversation, text, 1, said)
    assert 0 in [status for _, _, status in said], f"{text}: no program was told that it is answered: {said}"


def decide(place, number):
    """Some run it and some deny it, in a folder, of which more has to be known before the run goes on."""
    text = f"<race-{number}>"
    folder = place.folder / "work"
    folder.mkdir(exist_ok=True)
    conversation, request = ask(place, text, "--folder", str(folder))
    ways = [("--run",), ("--deny", "Not now")]
    said = [finish(racer) for racer in [start(place, "answer", request, *ways[n % 2]) for n in range(2 + number % 3)]]
    check_over(place, conversation, text, len(place.effects(text)), said)
    approved = [value for value, in place.store.rows("SELECT state FROM request WHERE id = ?", request)]
    assert approved in (["answered"], ["declined"]), f"{text}: {approved}"
    assert len(place.effects(text)) == (approved == ["answered"]), f"{text}: {approved}, {said}"


def reply(place, number):
    text = f"<race-{number}>"
    conversation, request = ask(place, text)
    said = [finish(racer) for racer in [start(place, "answer", request, str(n % 2 + 1)) for n in range(2 + number % 7)]]
    check_over(place, conversation, text, 0, said)


def reply_late(place, number):
    """The model did not wait: the one answer that counts is told to it once."""
    reply(place, number)
    conversation = place.store.conversation(f"<race-{number}>")
    told = [text for _, role, _, text in place.store.messages(conversation).values()
            if role == "user" and "earlier question" in text]
    assert len(told) == 1 and told[0].startswith("My answer to your earlier question"), f"<race-{number}>: {told}"


def pending_of(place, conversation):
    return next(iter(place.store.pending(conversation)), (None,))[0]


def answer_all(place, conversation, said):
    """A person among several who answer whatever they see, until nothing is left to answer."""
    before = None
    while place.store.phase(conversation) != "complete":
        request = pending_of(place, conversation)
        if request is None or request == before:
            if place.store.phase(conversation) not in ("calling", "waiting", "requesting", "receiving", "queued"):
                return
            if time.monotonic() > said["end"]:
                return
            time.sleep(0.002)
            continue
        before = request
        said[request, id(before)] = finish(start(place, "answer", request, "--run"))


def follow(place, number):
    """The end of one turn crosses with the answer to the next question."""
    text = f"<race-{number}>"
    conversation, _ = ask(place, text)
    said = {"end": time.monotonic() + world.DEADLINE / 2}
    with concurrent.futures.ThreadPoolExecutor(3) as people:
        for person in [people.submit(answer_all, place, conversation, said) for _ in range(3)]:
            person.result()
    check_over(place, conversation, text, CHAIN, said)


def kill_some(place, number):
    """A program is killed at any moment; the next start carries out what is left, and asks where it can't know."""
    text = f"<race-{number}>"
    conversation, request = ask(place, text)
    racers = [start(place, "answer", request, "--run") for _ in range(2 + number % 4)]
    time.sleep(RANDOM.uniform(0, 0.12))
    RANDOM.choice(racers).send_signal(signal.SIGKILL)
    said = [finish(racer) for racer in racers]
    for _ in range(6):
        if place.store.phase(conversation) == "complete":
            break
        left = place.store.pending(conversation)
        if not left:
            said.append(finish(start(place, "resume", conversation)))
        else:
            said.append(finish(start(place, "answer", left[0][0], "--run" if left[0][1] == "approval" else "--deny")))
    done = len(place.effects(text))
    call = place.store.calls(conversation)[0]
    assert place.store.phase(conversation) == "complete", f"{text}: {place.store.phase(conversation)} {said}"
    assert done <= len(place.store.goes(call["id"])), f"{text}: done {done} times {said}"
    # Killed in the moment in which it began, it was asked what became of it, and skipped.
    asked = place.store.rows("SELECT count(*) FROM request WHERE call = ? AND kind = 'form'", call["id"])[0][0]
    assert done == 1 or (done == 0 and asked == 1), f"{text}: done {done} times {said}"


def play(function, *script, races=RACES):
    failures = []
    replies = [line for number in range(races) for line in [one(number) for one in script]]
    with World(os.environ["BECKON_TERMINAL"], os.environ["BECKON_MODEL"], replies) as place:
        place.add_profile()
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            for future in [pool.submit(function, place, number) for number in range(races)]:
                error = future.exception()
                if error is not None:
                    failures.append(f"{type(error).__name__}: {error}")
        assert not place.store.check_whole()
    print(f"# {races} raced for, {races - len(failures)} carried out")
    assert not failures, "\n".join(failures)


def end(number):
    return say(number, text=END, repeat=True)


@tap.case("/recovery/race/approvals")
def _():
    play(approve, lambda number: say(number, calls=[write(number)]), end)


@tap.case("/recovery/race/approvals-in-a-folder")
def _():
    play(decide, lambda number: say(number, calls=[write(number)]), end, races=max(RACES // 4, 3))


@tap.case("/recovery/race/questions")
def _():
    question = world.models.ask("call_q", "Which port?", "8080", "9090")
    play(reply, lambda number: say(number, calls=[question]), end)


@tap.case("/recovery/race/questions-not-waited-for")
def _():
    question = {"call": "ask_user", "id": "call_q",
                "arguments": {"question": "Which port?", "choices": ["8080", "9090"], "wait": False}}
    play(reply_late, lambda number: say(number, calls=[question]), lambda number: say(number, text="The rest is done."), end)


@tap.case("/recovery/race/one-after-another")
def _():
    play(follow, *[lambda number, step=step: say(number, calls=[write(number, step)]) for step in range(CHAIN)], end)


@tap.case("/recovery/race/kills")
def _():
    play(kill_some, lambda number: say(number, calls=[write(number)]), end)


if __name__ == "__main__":
    sys.exit(tap.main())
