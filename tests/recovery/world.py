# SPDX-License-Identifier: GPL-3.0-or-later
"""The world of a test that kills programs: a model, a person's home, the store as anybody can read it, and what must be true."""

import codecs
import fcntl
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "ui/driven"), str(HERE.parent / "support")]

import model as models  # noqa: E402

DEADLINE = float(os.environ.get("BECKON_RECOVERY_DEADLINE", "90"))


class Late(Exception):
    """Something that was waited for did not come."""


def wait(condition, what):
    """Polls a condition until it holds, and returns its value."""
    end = time.monotonic() + DEADLINE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Late("this did not come: " + what)
        time.sleep(0.004)


def read_tables(program):
    """The states of both tables, as the program's own words: {"run": {word: marks}, "call": {…}}."""
    tables = {}
    for line in subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        table, word, *marks = line.split()
        tables.setdefault(table, {})[word] = marks
    return tables


class Violations:
    """The violations that were found, over all cases."""

    def __init__(self):
        self.lock = threading.Lock()
        self.kills = 0
        self.checks = 0
        self.found = []

    def killed(self):
        with self.lock:
            self.kills += 1

    def check(self, holds, words):
        with self.lock:
            self.checks += 1
            if not holds:
                self.found.append(words)
        return holds


VIOLATIONS = Violations()


class Store:
    """The store's file, read as any other program can, without a word to the one that has it open."""

    def __init__(self, folder):
        self.path = folder / "data/beckon/beckon.db"

    def open(self, mode="ro"):
        connection = sqlite3.connect(f"file:{self.path}?mode={mode}", uri=True, timeout=10, isolation_level=None)
        connection.row_factory = sqlite3.Row
        return connection

    def rows(self, sql, *values):
        if not self.path.exists():
            return []
        connection = self.open()
        try:
            return connection.execute(sql, values).fetchall()
        except sqlite3.OperationalError:
            # The store is about to be made.
            return []
        finally:
            connection.close()

    def conversation(self, text):
        """The id of the conversation that begins with a text."""
        rows = self.rows("SELECT m.conversation FROM message m JOIN part p ON p.message = m.id WHERE m.seq = 0 AND p.text = ?",
                         text.encode())
        return rows[0][0] if rows else None

    def phase(self, conversation):
        rows = self.rows("SELECT phase FROM run WHERE conversation = ? ORDER BY number DESC LIMIT 1", conversation)
        return rows[0][0] if rows else None

    def calls(self, conversation):
        return self.rows("SELECT c.*, r.text AS result FROM message m JOIN part p ON p.message = m.id JOIN call c ON c.id = p.call"
                         " LEFT JOIN part r ON r.call = c.id AND r.kind = 'result'"
                         " WHERE m.conversation = ? AND p.kind = 'call' ORDER BY m.seq, p.place", conversation)

    def states(self, conversation):
        return {row["tool"]: row["state"] for row in self.calls(conversation)}

    def pending(self, conversation):
        """The id, kind and body of each request, oldest first."""
        return [tuple(row) for row in self.rows("SELECT id, kind, body FROM request WHERE conversation = ? AND state = 'pending'"
                                                " ORDER BY asked_at, id", conversation)]

    def messages(self, conversation):
        """Every message with its words: {id: (seq, role, status, text)}."""
        messages = {}
        for row in self.rows("SELECT id, seq, role, status FROM message WHERE conversation = ? ORDER BY seq", conversation):
            parts = self.rows("SELECT id, text FROM part WHERE message = ? AND kind = 'text' ORDER BY place", row["id"])
            chunks = {part["id"]: self.rows("SELECT text FROM chunk WHERE part = ? ORDER BY seq", part["id"]) for part in parts}
            text = b"".join(part["text"] + b"".join(chunk[0] for chunk in chunks[part["id"]]) for part in parts)
            messages[row["id"]] = (row["seq"], row["role"], row["status"], text.decode())
        return messages

    def goes(self, call):
        """How often a person let a call run: (arguments that they put in place, or None), one each."""
        rows = self.rows("SELECT s.answer, s.arguments FROM request r JOIN settlement s ON s.request = r.id WHERE r.call = ?", call)
        return [row["arguments"] for row in rows
                if row["answer"] and json.loads(row["answer"])["kind"] in ("approved", "approved-edited", "retry")]

    def check_whole(self):
        """The faults of the file; nothing, if it is well."""
        connection = self.open()
        try:
            integrity = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
        finally:
            connection.close()
        return ([] if integrity == ["ok"] else integrity) + [tuple(row) for row in orphans]


def faults_of_request(body):
    """The faults of the calls of a request's history; nothing, if each has exactly one result, in order."""
    faults, open_calls, seen = [], [], set()
    for message in body["messages"]:
        if message["role"] == "tool":
            if not open_calls or open_calls.pop(0) != message["tool_call_id"]:
                faults.append("a result out of order: " + message["tool_call_id"])
            continue
        faults += ["no result: " + call for call in open_calls]
        open_calls = [call["id"] for call in message.get("tool_calls") or []]
        faults += ["twice: " + call for call in open_calls if call in seen]
        seen.update(open_calls)
    return faults + ["no result: " + call for call in open_calls]


class Place:
    """A person's home, and what can be seen of it from outside."""

    def __init__(self, folder, model):
        self.folder = folder
        self.model = model
        self.effects_file = folder / "effects"
        self.effects_file.touch()
        self.store = Store(folder)

    def effects(self, marker):
        """The calls that the tools of a case carried out: [(tool, arguments)]."""
        lines = [tuple(line.split(" ", 1)) for line in self.effects_file.read_text().splitlines()]
        return [(tool, arguments) for tool, arguments in lines if marker in arguments]

    def requests(self, text):
        """The bodies of the requests of the conversation that begins with a text."""
        return [body for body in self.model.requests
                if any(message["role"] == "user" and message["content"].startswith(text) for message in body["messages"])]


class World(Place):
    """A person with a model of the test's, and a terminal. Use as a context."""

    def __init__(self, terminal, server, replies):
        self.terminal = terminal
        self.model = models.Model(server, replies)

    def __enter__(self):
        super().__init__(pathlib.Path(tempfile.mkdtemp(prefix="beckon-recovery-")), self.model.__enter__())
        gone = ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "http_proxy", "https_proxy", "BECKON_TEST_HELD")
        self.environment = {name: value for name, value in os.environ.items() if name not in gone}
        self.environment.update(HOME=str(self.folder), XDG_DATA_HOME=str(self.folder / "data"), NO_COLOR="1", TERM="xterm",
                                XDG_CONFIG_HOME=str(self.folder / "config"), XDG_CACHE_HOME=str(self.folder / "cache"),
                                GSETTINGS_BACKEND="keyfile", BECKON_API_KEY="test",
                                BECKON_TEST_EFFECTS=str(self.effects_file))
        return self

    def __exit__(self, *exception):
        self.model.__exit__(*exception)
        shutil.rmtree(self.folder, ignore_errors=True)

    def add_profile(self, *arguments):
        self.run("profile", "add", "Test", "--no-lookup", "--base-url", self.model.base_url, "--model", "test", "--use", *arguments)

    def run(self, *arguments):
        subprocess.run([self.terminal, *arguments], env=self.environment, stdout=subprocess.DEVNULL, check=True)

    def set(self, key, value):
        subprocess.run(["gsettings", "set", "io.github.beckon.Beckon", key, value], env=self.environment, check=True)

    def start(self, *arguments, held=False):
        environment = dict(self.environment, **({"BECKON_TEST_HELD": "1"} if held else {}))
        return Terminal([self.terminal, *arguments], environment)


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, command, environment):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
        self.master = master
        self.said = ""
        self.seen = 0
        self.news = threading.Condition()
        self.process = subprocess.Popen(command, env=environment, stdin=slave, stdout=slave, stderr=slave,
                                        start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.is_closed = False
        self.reader = threading.Thread(target=self._read_all, daemon=True)
        self.reader.start()

    def _read_all(self):
        """A terminal reads all the time: a program that nobody reads from is held up by what it echoes."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while not self.is_closed:
            if not select.select([self.master], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            with self.news:
                self.said += decoder.decode(data)
                self.news.notify_all()

    def _read(self, timeout):
        with self.news:
            self.news.wait(timeout)

    def wait(self, *choices):
        """Reads until one of the choices was said, after what the last wait waited for; returns that one."""
        end = time.monotonic() + DEADLINE
        while not any(words in self.said[self.seen:] for words in choices):
            self._read(0.05)
            if time.monotonic() > end or self.process.poll() is not None:
                raise Late(f"“{'” or “'.join(choices)}” was not said, but:\n{self.said}")
        found = next(words for words in choices if words in self.said[self.seen:])
        self.seen = self.said.index(found, self.seen) + len(found)
        return found

    def type(self, line):
        """At a prompt: what is typed before it answers no card."""
        end = time.monotonic() + DEADLINE
        while not self.said.endswith("> "):
            self._read(0.05)
            if time.monotonic() > end:
                raise Late(f"A prompt was not there, but:\n{self.said}")
        os.write(self.master, (line + "\n").encode())

    def _close(self):
        self.is_closed = True
        self.reader.join()
        os.close(self.master)

    def interrupt(self):
        os.write(self.master, b"\x03")

    def kill(self):
        """Ends it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        VIOLATIONS.killed()
        self._close()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            self._close()
