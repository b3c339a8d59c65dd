#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window and a terminal on the same conversation: test-both.py BUILD_ROOT. Runs on a display of its own.

BECKON_RACES says how many requests are raced for; with BECKON_RACE_KILLS one of the programs is killed each time."""

import concurrent.futures
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import world
import tap

try:
    import driver
except (ImportError, ValueError) as reason:
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)
import model as models

BUILD = pathlib.Path(sys.argv[1])
INSTALLATION = driver.Installation(os.environ["BECKON_WINDOW"], os.environ["BECKON_TERMINAL"], BUILD / "data")
APPROVAL = {"name": "write_note"}
OUTCOME = {"name": "Interrupted: write_note"}
QUESTION = {"name": "AI needs your decision"}
TEXT = "<both>"
END = "Well done."
# A person has to see by then that a program has died.
NOTICED = 5
RACES = int(os.environ.get("BECKON_RACES", "20"))
KILLS = "BECKON_RACE_KILLS" in os.environ
RANDOM = random.Random(16)


class Both:
    """A person with a model of the test's; the terminal works, and the window looks on."""

    def __init__(self, *calls):
        self.model = models.Model(os.environ["BECKON_MODEL"], [{"calls": list(calls)}, {"text": END, "repeat": True}])
        self.home = driver.Home(INSTALLATION, BECKON_API_KEY="test")
        self.terminal = None

    def __enter__(self):
        self.model.__enter__()
        self.home.__enter__()
        self.world = world.Place(self.home.folder, self.model)
        self.home.environment["BECKON_TEST_EFFECTS"] = str(self.world.effects_file)
        self.home.ctl("profile", "add", "Test", "--no-lookup", "--base-url", self.model.base_url, "--model", "test", "--use")
        return self

    def __exit__(self, *exception):
        if self.terminal is not None:
            self.terminal.end()
        self.home.__exit__(*exception)
        self.model.__exit__(*exception)

    def begin(self, *, held=False):
        environment = dict(self.home.environment, **({"BECKON_TEST_HELD": "1"} if held else {}))
        self.terminal = world.Terminal([INSTALLATION.terminal, "run", TEXT], environment)
        driver.wait(lambda: self.world.store.conversation(TEXT), "the conversation in the store")

    def look(self):
        self.window = self.home.start()
        self.window.find(contains=TEXT)

    def phase(self):
        return self.world.store.phase(self.world.store.conversation(TEXT))

    def wait_for_state(self, state):
        driver.wait(lambda: state in self.world.store.states(self.world.store.conversation(TEXT)).values(), state)

    def wait_for_card(self, **card):
        driver.wait(lambda: not driver.is_busy(self.window.find(**card)), "a card that listens")

    def effects(self):
        return len(self.world.effects(TEXT))

    def end_of_terminal(self, timeout=10):
        driver.wait(lambda: self.terminal.process.poll() is not None, "the end of the terminal's program", timeout)
        return self.terminal.process.returncode


def write():
    return {"call": "write_note", "id": "call_w", "arguments": {"n": TEXT}}


def read():
    return {"call": "read_note", "id": "call_r", "arguments": {"n": TEXT}}


@tap.case("/recovery/both/stop")
def _():
    with Both(read()) as it:
        it.begin(held=True)
        it.wait_for_state("started")
        it.look()
        began = time.monotonic()
        it.window.press(name="Stop")
        assert it.end_of_terminal() == 130
        print("# stopped after %.2f s" % (time.monotonic() - began))
        driver.wait(lambda: it.phase() == "stopped", "the stop in the store")
        it.window.gone(name="Stop")
        it.window.find(contains="Stopped")


@tap.case("/recovery/both/stop-what-does-not-respond")
def _():
    with Both(read()) as it:
        it.begin(held=True)
        it.wait_for_state("started")
        it.look()
        it.terminal.process.send_signal(signal.SIGSTOP)
        it.window.press(name="Stop")
        it.window.find(contains="isn't responding")
        assert it.phase() == "calling"
        it.terminal.kill()
        driver.wait(lambda: it.phase() == "stopped", "the stop in the store")
        it.window.find(contains="Stopped")


@tap.case("/recovery/both/stop-and-send")
def _():
    with Both(read()) as it:
        it.begin(held=True)
        it.wait_for_state("started")
        it.look()
        it.window.type("Something else", role="text", name="Message")
        it.window.press(name="Send message")
        it.window.find(name="Edit the queued message: Something else")
        it.window.press(name="Stop")
        assert it.end_of_terminal() == 130
        driver.wait(lambda: it.phase() == "stopped", "the stop in the store")
        it.window.press(name="Send now: Something else")
        it.window.find(contains=END)
        driver.wait(lambda: it.phase() == "complete", "the end of the next run")
        assert models.last_words(it.model.requests[-1]) == "Something else"


def die(how):
    """The window goes on as its next start would, by itself."""
    with Both(write()) as it:
        it.begin(held=True)
        it.terminal.wait("◇ ")
        it.terminal.wait("write_note")
        it.terminal.type("1")
        it.wait_for_state("started")
        it.look()
        began = time.monotonic()
        it.terminal.process.send_signal(how)
        it.end_of_terminal()
        if how == signal.SIGKILL:
            it.wait_for_card(**OUTCOME)
            it.window.press(name="Skip this call")
            it.window.find(contains=END)
            assert it.effects() == 1
        else:
            assert it.terminal.process.returncode == 130
            it.window.find(contains="Stopped")
        took = time.monotonic() - began
        print("# shown after %.2f s" % took)
        it.window.gone(name="Stop")
        assert it.phase() == ("complete" if how == signal.SIGKILL else "stopped"), it.phase()


for _how in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP):
    tap.case("/recovery/both/" + _how.name.lower())(lambda how=_how: die(how))


@tap.case("/recovery/both/question-of-a-dead-terminal")
def _():
    with Both(models.ask("call_q", "Which port?", "8080", "9090")) as it:
        it.begin()
        it.terminal.wait("Which port?")
        it.look()
        it.wait_for_card(**QUESTION)
        it.terminal.kill()
        it.window.press(name="9090")
        it.window.find(contains=END)
        driver.wait(lambda: it.phase() == "complete", "the end in the store")
        assert models.results_of(it.model.requests[-1]) == {"call_q": "9090"}


@tap.case("/recovery/both/approval-given-in-the-window")
def _():
    with Both(write()) as it:
        subprocess.run([INSTALLATION.terminal, "run", "--detach-on-ask", TEXT], env=it.home.environment,
                       stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        it.look()
        it.wait_for_card(**APPROVAL)
        it.window.press(name="Run")
        it.window.find(contains=END)
        asked = it.world.store.rows("SELECT count(*) FROM request")[0][0]
        assert (asked, it.effects()) == (1, 1), (asked, it.effects())


@tap.case("/recovery/both/approval-given-while-the-terminal-dies")
def _():
    with Both(write()) as it:
        it.begin()
        it.terminal.wait("◇ ")
        it.terminal.wait("write_note")
        it.look()
        it.wait_for_card(**APPROVAL)
        it.terminal.process.send_signal(signal.SIGSTOP)
        it.window.press(name="Run")
        driver.wait(lambda: it.world.store.rows("SELECT 1 FROM settlement"), "the answer in the store")
        it.terminal.kill()
        it.window.find(contains=END)
        asked = it.world.store.rows("SELECT count(*) FROM request")[0][0]
        assert (asked, it.effects()) == (1, 1), (asked, it.effects())


def approve_everywhere(it, number):
    """Several terminals and other programs on the bus answer at once, while the window looks on."""
    text = f"<race-{number}>"
    environment = it.home.environment
    subprocess.run([INSTALLATION.terminal, "run", "--detach-on-ask", text], env=environment, stdout=subprocess.DEVNULL,
                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    conversation = it.world.store.conversation(text)
    request = it.world.store.pending(conversation)[0][0]
    terminal = [INSTALLATION.terminal, "answer", request, "--run"]
    program = ["gdbus", "call", "--session", "--dest", "io.github.beckon.Beckon.Questions", "--object-path",
               "/io/github/beckon/Beckon/Questions", "--method", "io.github.beckon.Beckon.Questions1.Reply", request,
               '{"kind":"approved"}']
    commands = [program if n % 3 == 0 and shutil.which("gdbus") else terminal for n in range(2 + number % 7)]
    RANDOM.shuffle(commands)
    racers = [subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True) for command in commands]
    if KILLS:
        time.sleep(RANDOM.uniform(0, 0.12))
        RANDOM.choice(racers).kill()
    said = [(*racer.communicate(timeout=world.DEADLINE), racer.returncode) for racer in racers]
    try:
        world.wait(lambda: it.world.store.phase(conversation) == "complete" or it.world.store.pending(conversation), "the end")
    except world.Late:
        pass
    done = len(it.world.effects(text))
    asked = it.world.store.pending(conversation)
    # The killed one was carrying it out: what became of it is asked, or the reply to it is cut off, and nothing ran twice.
    if KILLS and (asked or it.world.store.phase(conversation) == "cut-off"):
        assert done <= 1, f"{text}: done {done} times"
        return
    assert (it.world.store.phase(conversation), done) == ("complete", 1), \
        f"{text}: {it.world.store.phase(conversation)}, done {done} times: {said}"


@tap.case("/recovery/both/races")
def _():
    replies = []
    for number in range(RACES):
        text = f"<race-{number}>"
        replies += [{"conversation": text, "calls": [{"call": "write_note", "id": "call_w", "arguments": {"n": text}}]},
                    {"conversation": text, "text": END, "repeat": True}]
    with Both() as it:
        it.model.__exit__(None, None, None)
        it.model = models.Model(os.environ["BECKON_MODEL"], replies).__enter__()
        it.home.ctl("profile", "add", "Races", "--no-lookup", "--base-url", it.model.base_url, "--model", "test", "--use")
        it.home.set("dbus-answer-approvals", "true")
        it.window = it.home.start()
        it.window.find(role="text", name="Message")
        failures = []
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            for future in [pool.submit(approve_everywhere, it, number) for number in range(RACES)]:
                if future.exception() is not None:
                    failures.append(str(future.exception()))
        print(f"# {RACES} approvals, 2 to 8 programs each beside the window: {RACES - len(failures)} carried out once")
        assert not failures, "\n".join(failures)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
