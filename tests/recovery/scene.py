# SPDX-License-Identifier: GPL-3.0-or-later
"""A conversation that is killed and resumed: what a case needs to bring it there, and what must be true in the end."""

import os
import sqlite3
import time

from cases import CASES
from world import DEADLINE, VIOLATIONS, Late, World, faults_of_request, wait

OPEN = ("queued", "requesting", "retry-wait", "receiving", "calling", "waiting")
MAX_TRIES = 40


class Conversation:
    """A conversation in a world, as it can be seen from outside, and what must be true of it in the end."""

    def __init__(self, world, text):
        self.world, self.text = world, text

    def expect(self, holds, words):
        VIOLATIONS.check(holds, f"{self.text}: {words}")

    @property
    def conversation(self):
        return self.world.store.conversation(self.text)

    def messages(self):
        return self.world.store.messages(self.conversation)

    def calls(self):
        return self.world.store.calls(self.conversation)

    def pending(self):
        return self.world.store.pending(self.conversation)

    def requests(self):
        return self.world.requests(self.text)

    def last_request(self):
        return self.requests()[-1]

    def effects(self, tool=None):
        return len([name for name, _ in self.world.effects(self.text) if tool in (None, name)])

    def is_in(self, table, state):
        if table == "run":
            return self.world.store.phase(self.conversation) == state
        return state in self.world.store.states(self.conversation).values()

    def wait_for_the_end(self):
        wait(lambda: self.world.store.phase(self.conversation) not in OPEN, "the end of the run in the store")

    def check(self, before):
        """The numbers are those of the list of what must be true after every fault."""
        after = self.messages()
        for identifier, (seq, role, _, text) in before.items():
            kept = after.get(identifier, (None, None, None, ""))
            self.expect(kept[:2] == (seq, role) and kept[3].startswith(text), f"I1: {role} {text!r} was lost: {kept}")
        self.check_calls()
        for number, request in enumerate(self.requests()):
            faults = faults_of_request(request)
            self.expect(not faults, f"I4: request {number}: {faults}")
        self.expect(self.world.store.phase(self.conversation) == "complete", "I9: the end is no end")
        self.expect(self.pending() == [], "I9: something is still asked")

    def check_calls(self):
        store = self.world.store
        for call in self.calls():
            goes = store.goes(call["id"])
            ran = [arguments for tool, arguments in self.world.effects(self.text) if tool == call["tool"]]
            allowed = {call["arguments"]} | {arguments for arguments in goes if arguments}
            self.expect(call["state"] in ("done", "cancelled") and call["result"] is not None, f"I4: {call['tool']} is open")
            if call["read_only"]:
                continue
            self.expect(not ran or goes, f"I2: {call['tool']} ran undecided")
            self.expect(set(ran) <= allowed, f"I2: other bytes ran than were decided: {ran}, {allowed}")
            self.expect(len(ran) <= len(goes), f"I3: {call['tool']} ran {len(ran)} times, {len(goes)} times decided")


class Scene(Conversation):
    """A conversation in the terminal; the world is shared by all of the same state."""

    def __init__(self, world, table, state, number):
        self.marker = f"<{table}-{state}-{number}/"
        super().__init__(world, self.marker + ">")
        self.table, self.state, self.number = table, state, number
        self.case = CASES[table, state]
        self.terminal = None
        self.lock = None
        self.script = None

    # The steps of a case

    def replies(self, *replies):
        self.script = [dict(reply, conversation=self.marker) for reply in replies]

    def send(self):
        self.terminal = self.world.start("chat", held=self.case.held)
        self.terminal.type(self.text)
        wait(lambda: self.conversation, "the conversation in the store")

    def restart(self):
        self.terminal.kill()
        self.terminal = self.world.start("chat", "--conversation", self.conversation)

    def hold_queued(self):
        """A run is queued for less than a millisecond. Between two looks at it this holds the lock for writing, so that the
        program cannot go on when the look finds it there; should it be too late, another conversation is begun."""
        for attempt in range(MAX_TRIES):
            self.text = f"{self.marker}{attempt}>"
            self.terminal = self.world.start("chat")
            self.terminal.type(self.text)
            if self._catch_queued():
                return
            self.terminal.kill()
        raise Late("a run that is queued was never met")

    def _catch_queued(self):
        end = time.monotonic() + DEADLINE
        wait(lambda: self.world.store.path.exists(), "the store")
        connection = self.world.store.open("rw")
        connection.execute("PRAGMA busy_timeout = 0")
        while time.monotonic() < end:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                continue
            row = connection.execute("SELECT r.phase FROM run r JOIN message m ON m.conversation = r.conversation"
                                     " JOIN part p ON p.message = m.id WHERE p.text = ?", (self.text.encode(),)).fetchone()
            if row is not None and row[0] == "queued":
                self.lock = connection
                return True
            connection.execute("ROLLBACK")
            if row is not None:
                break
            time.sleep(0)
        connection.close()
        return False

    # From beginning to end

    def play(self):
        steps = self.case(self)
        next(steps)
        if self.case.stored:
            wait(lambda: self.is_in(self.table, self.state), f"{self.table} {self.state} in the store")
        self.terminal.kill()
        before = self.messages()
        if self.lock is not None:
            self.lock.close()
        self.terminal = self.world.start("chat", "--conversation", self.conversation)
        for _ in steps:
            pass
        self.wait_for_the_end()
        self.terminal.kill()
        self.check(before)


def play(table, state, repeat):
    """All of one state. What fails one time is told, and the others are still played."""
    case = CASES[table, state]
    scenes = [Scene(None, table, state, number) for number in range(repeat)]
    failures = []
    for scene in scenes:
        # The model's replies have to be known before it is started.
        collect(scene)
    replies = [reply for scene in scenes for reply in scene.script]
    with World(os.environ["BECKON_TERMINAL"], os.environ["BECKON_MODEL"], replies) as world:
        world.add_profile(*(["--rounds", str(case.rounds)] if case.rounds else []), *case.options)
        for key, value in case.settings:
            world.set(key, value)
        for scene in scenes:
            scene.world = world
            try:
                scene.play()
            except Exception as error:  # Whatever it was, the next one is played.
                failures.append(f"{scene.text}: {type(error).__name__}: {error}")
                VIOLATIONS.check(False, failures[-1])
            finally:
                if scene.terminal is not None:
                    scene.terminal.end()
                if scene.lock is not None:
                    scene.lock.close()
        VIOLATIONS.check(not world.store.check_whole(), f"{table} {state}: I8: {world.store.check_whole()}")
    assert not failures, failures


class Collected(Exception):
    pass


def collect(scene):
    """Takes a case's replies without playing it: they are the first thing it says."""
    take = scene.replies

    def stop(*replies):
        take(*replies)
        raise Collected

    scene.replies = stop
    try:
        next(scene.case(scene))
    except Collected:
        pass
    del scene.replies
