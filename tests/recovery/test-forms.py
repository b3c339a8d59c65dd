#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Forms that a server asks for while its tool runs, answered around the death of the program that asked: the answer reaches the
server once, or the person hears that it can't be known. test-forms.py SERVER."""

import json
import os
import signal
import sqlite3
import subprocess
import sys

import world
import model as models
import tap
from world import World, wait

SERVER = sys.argv[1]
TEXT = "<forms>"
END = "Well done."
REVISIONS = {"2026-07-28": "modern", "2025-11-25": "old"}


class Scene:
    """A person whose terminal runs a tool that asks. Use as a context."""

    def __init__(self, revision, *words):
        replies = [{"calls": [{"call": "asker__ask", "id": "call_a", "arguments": {}}]}, {"text": END, "repeat": True}]
        self.world = World(os.environ["BECKON_TERMINAL"], os.environ["BECKON_MODEL"], replies)
        self.words = [REVISIONS[revision], *words]
        self.programs = []

    def __enter__(self):
        self.world.__enter__()
        self.world.add_profile()
        self.notes = self.world.folder / "notes"
        self.held = self.world.folder / "held"
        self.world.run("mcp", "add", "Asker", "--", sys.executable, "-u", SERVER, *self.words, f"notes={self.notes}",
                       f"holds-while={self.held}")
        self.terminal = self.world.start("chat")
        return self

    def __exit__(self, *exception):
        self.terminal.end()
        for program in self.programs:
            if program.poll() is None:
                program.kill()
            program.communicate()
        self.world.__exit__(*exception)

    @property
    def conversation(self):
        return self.world.store.conversation(TEXT)

    def ask(self):
        """The call is let run, and its form waits: the form's id."""
        self.terminal.type(TEXT)
        self.terminal.wait("1. ")
        self.terminal.wait("> ")
        self.terminal.type("1")
        self.terminal.wait("Which account?")
        return self.pending("form")[0][0]

    def pending(self, kind):
        def found():
            return [row for row in self.world.store.pending(self.conversation) if row[1] == kind]
        return wait(found, f"a request of the kind {kind}")

    def start(self, *arguments):
        program = subprocess.Popen([self.world.terminal, *arguments], env=self.world.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.programs.append(program)
        return program

    def answer_elsewhere(self, form):
        program = self.start("answer", form, "Ada")
        wait(lambda: self.state(form) == "answered", "the answer in the store")
        return program

    def state(self, form):
        return self.world.store.rows("SELECT state FROM request WHERE id = ?", form)[0][0]

    def is_delivered(self, form):
        return self.world.store.rows("SELECT delivered FROM request WHERE id = ?", form)[0][0] == 1

    def stop(self):
        self.terminal.process.send_signal(signal.SIGSTOP)

    def restart(self):
        self.terminal.kill()
        self.resume()

    def resume(self):
        self.terminal = self.world.start("chat", "--conversation", self.conversation)

    def received(self):
        """The answers that the server was given."""
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return [note for note in map(json.loads, lines) if "inputResponses" in note or note.get("responded")]

    def check_once(self, name="Ada"):
        wait(lambda: self.world.store.phase(self.conversation) == "complete", "the end of the run in the store")
        answers = [note["inputResponses"]["who"] for note in self.received()]
        assert answers == [{"action": "accept", "content": {"name": name}}], answers
        told = models.results_of(self.world.requests(TEXT)[-1])["call_a"]
        assert f'"name": "{name}"' in told, told
        assert self.world.store.pending(self.conversation) == []

    def check_unknown(self, n_received):
        """The person is asked what became of the call, and nothing is sent again."""
        outcome = self.pending("form")
        assert [json.loads(row[2]).get("form") for row in outcome] == ["outcome"], outcome
        assert len(self.received()) == n_received, self.received()
        self.terminal.wait("Interrupted: asker__ask")
        self.world.run("answer", outcome[0][0], "2")
        wait(lambda: self.world.store.phase(self.conversation) == "complete", "the end of the run in the store")
        assert len(self.received()) == n_received, self.received()


@tap.case("/recovery/forms/killed-before-the-answer")
def _():
    with Scene("2026-07-28") as it:
        form = it.ask()
        it.restart()
        it.terminal.wait("Which account?")
        assert [row[0] for row in it.pending("form")] == [form], "the same form is asked"
        it.terminal.type("Ada")
        it.terminal.wait(END)
        it.check_once()


@tap.case("/recovery/forms/shown-later")
def _():
    """A form and what became of it are said in the terminal, and still there in another process."""
    for revision in REVISIONS:
        with Scene(revision) as it:
            it.ask()
            it.terminal.type("Ada")
            it.terminal.wait("Asker asked: Which account? — You answered: ")
            it.terminal.wait(END)
            wait(lambda: it.world.store.phase(it.conversation) == "complete", "the end of the run in the store")
            it.terminal.kill()
            shown = it.start("show", it.conversation)
            said = shown.communicate()[0]
            assert "Asker asked: Which account? — You answered: name: Ada" in said, said


@tap.case("/recovery/forms/killed-between-answer-and-sending")
def _():
    with Scene("2026-07-28") as it:
        form = it.ask()
        it.stop()
        it.answer_elsewhere(form).kill()
        assert not it.is_delivered(form) and it.received() == []
        it.restart()
        it.terminal.wait(END)
        assert it.is_delivered(form)
        it.check_once()


@tap.case("/recovery/forms/killed-twice-between-answer-and-sending")
def _():
    with Scene("2026-07-28") as it:
        form = it.ask()
        it.stop()
        it.answer_elsewhere(form).kill()
        for _ in range(3):
            it.restart()
        it.terminal.wait(END)
        it.check_once()


@tap.case("/recovery/forms/killed-before-it-left")
def _():
    """The answer was noted to leave, and then the power was cut: whether it left can't be known."""
    with Scene("2026-07-28") as it:
        form = it.ask()
        it.stop()
        it.answer_elsewhere(form).kill()
        it.terminal.kill()
        connection = it.world.store.open("rw")
        connection.execute("UPDATE request SET delivered = 1 WHERE id = ?", (form,))
        connection.close()
        it.resume()
        it.check_unknown(0)


@tap.case("/recovery/forms/killed-before-the-result")
def _():
    with Scene("2026-07-28") as it:
        form = it.ask()
        it.held.touch()
        it.terminal.type("Ada")
        wait(it.received, "the answer at the server")
        assert it.is_delivered(form)
        it.terminal.kill()
        it.held.unlink()
        it.resume()
        it.check_unknown(1)


@tap.case("/recovery/forms/answered-here-sent-there")
def _():
    """A program answers, the other sends it and is killed: the first takes over, and sends nothing again."""
    with Scene("2026-07-28") as it:
        form = it.ask()
        it.held.touch()
        other = it.world.start("chat", "--conversation", it.conversation)
        try:
            other.wait("Which account?")
            other.type("Ada")
            wait(it.received, "the answer at the server")
            it.held.unlink()
            it.terminal.kill()
            it.terminal = other
            it.check_unknown(1)
        finally:
            other.end()
        assert it.state(form) == "answered"


@tap.case("/recovery/forms/answered-here-driven-there-and-killed")
def _():
    """A program answers what another one asks that no longer moves: it is carried out once, by whoever is left."""
    with Scene("2026-07-28") as it:
        form = it.ask()
        other = it.world.start("chat", "--conversation", it.conversation)
        try:
            other.wait("Which account?")
            it.stop()
            other.type("Ada")
            wait(lambda: it.state(form) == "answered", "the answer in the store")
            assert it.received() == []
            it.terminal.kill()
            it.terminal = other
            other.wait(END)
            it.check_once()
        finally:
            other.end()


@tap.case("/recovery/forms/declined")
def _():
    with Scene("2026-07-28") as it:
        form = it.ask()
        it.stop()
        program = it.start("answer", form, "--deny")
        wait(lambda: it.state(form) != "pending", "the answer in the store")
        program.kill()
        assert it.state(form) == "declined", it.state(form)
        it.restart()
        it.terminal.wait(END)
        assert [note["inputResponses"]["who"] for note in it.received()] == [{"action": "decline"}], it.received()


@tap.case("/recovery/forms/refused-after-the-kill")
def _():
    """Its call can't go on: the form goes with it, answered or not."""
    for is_answered in (False, True):
        with Scene("2026-07-28") as it:
            form = it.ask()
            if is_answered:
                it.stop()
                it.answer_elsewhere(form).kill()
            it.terminal.kill()
            it.world.run("mcp", "remove", "Asker")
            it.resume()
            it.terminal.wait(END)
            wait(lambda: it.state(form) == ("answered" if is_answered else "unavailable"), "the end of the form")
            wait(lambda: it.world.store.phase(it.conversation) == "complete", "the end of the run in the store")
            assert it.world.store.pending(it.conversation) == [] and it.received() == []


@tap.case("/recovery/forms/stopped-after-the-kill")
def _():
    with Scene("2026-07-28") as it:
        form = it.ask()
        it.restart()
        it.terminal.wait("Which account?")
        it.terminal.type("/stop")
        wait(lambda: it.world.store.phase(it.conversation) == "stopped", "the stop in the store")
        wait(lambda: it.state(form) == "cancelled", "the end of the form")
        assert it.received() == []


@tap.case("/recovery/forms/older-revision-is-unavailable")
def _():
    with Scene("2025-11-25") as it:
        form = it.ask()
        it.restart()
        wait(lambda: it.state(form) == "unavailable", "the end of the form")
        it.check_unknown(0)


@tap.case("/recovery/forms/older-revision-answered-after-the-kill")
def _():
    """The answer comes before the run is taken over: the server that asked is gone all the same."""
    for arguments in (("Ada",), ("--deny",)):
        with Scene("2025-11-25") as it:
            form = it.ask()
            it.terminal.kill()
            program = it.start("answer", form, *arguments)
            _, said = program.communicate(timeout=20)
            assert program.returncode != 0 and "ended" in said, said
            assert it.state(form) == "unavailable", it.state(form)
            it.resume()
            it.check_unknown(0)


@tap.case("/recovery/forms/older-revision-answered-elsewhere")
def _():
    """The server that asked is alive: the answer reaches it, from any program."""
    with Scene("2025-11-25") as it:
        form = it.ask()
        it.answer_elsewhere(form)
        it.terminal.wait(END)
        assert len(it.received()) == 1, it.received()


@tap.case("/recovery/forms/secret")
def _():
    """Text typed into a field that looks like a secret reaches the server and nothing else."""
    for revision in REVISIONS:
        with Scene(revision, "asks-secret") as it:
            form = it.ask()
            it.terminal.type("Ada")
            it.terminal.wait("(2 of 2)")
            it.terminal.wait("> ")
            it.terminal.type("canary-7f3a")
            it.terminal.wait("password: •")
            it.terminal.wait("> ")
            it.terminal.type("1")
            it.terminal.wait(END)
            wait(lambda: it.world.store.phase(it.conversation) == "complete", "the end of the run in the store")
            assert it.state(form) == "answered", it.state(form)
            notes = it.notes.read_text()
            assert "canary-7f3a" in notes, notes
            assert "canary" not in it.terminal.said, it.terminal.said
            told = json.dumps(it.world.requests(TEXT))
            assert "secret:password-" in told and "canary" not in told, told
            it.world.run("export", it.conversation, "-o", str(it.world.folder / "export.json"))
            assert "canary" not in (it.world.folder / "export.json").read_text()
            for path in it.world.folder.rglob("*"):
                if path.is_file() and path != it.notes:
                    assert b"canary-7f3a" not in path.read_bytes(), path


if __name__ == "__main__":
    sys.exit(tap.main([] if len(sys.argv) < 3 else sys.argv[2:]))
