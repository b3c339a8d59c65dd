#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules, plans and overrides with servers' tools, with the real program: test-mcp-rules.py SERVER."""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / part) for part in ("recovery", "support", "ui/driven")]

import model as models  # noqa: E402
import tap  # noqa: E402
from world import World, wait  # noqa: E402

SERVER = sys.argv[1]
TEXT = "<rules>"
END = "Well done."


def call(tool, number=1, **arguments):
    return {"call": tool, "id": f"call_{number}", "arguments": arguments}


class Scene:
    """A person with a server of tools, and a model that calls those. Use as a context."""

    def __init__(self, *calls, servers=("Asker",), words=()):
        self.world = World(os.environ["BECKON_TERMINAL"], os.environ["BECKON_MODEL"],
                           [*({"calls": [one]} for one in calls), {"text": END, "repeat": True}])
        self.servers = servers
        self.words = words
        self.terminal = None

    def __enter__(self):
        self.world.__enter__()
        self.world.add_profile()
        for name in self.servers:
            self.world.run("mcp", "add", name, "--", sys.executable, "-u", SERVER, "modern", "one-page",
                           f"notes={self.notes(name)}", *(f"{word}={self.world.folder / word}" for word in self.words))
        return self

    def __exit__(self, *exception):
        if self.terminal is not None:
            self.terminal.end()
        self.world.__exit__(*exception)

    def notes(self, name):
        return self.world.folder / f"notes-{name}"

    def received(self, name="Asker"):
        """The names of the tools that a server was asked to run."""
        path = self.notes(name)
        return [json.loads(line)["name"] for line in path.read_text().splitlines()] if path.exists() else []

    def write(self, sql, *values):
        connection = self.world.store.open("rw")
        connection.execute(sql, values)
        connection.close()

    def add_rule(self, verdict, server, tool=None):
        self.write("INSERT INTO rule (id, tool, server, verdict, created_at) VALUES (lower (hex (randomblob (13))), ?, ?, ?, 1)",
                   tool, server, verdict)

    def override(self, tool, name, access, pinned=None, server="Asker"):
        self.write("INSERT INTO parameter (tool, server, name, access, pinned, changed_at) VALUES (?, ?, ?, ?, ?, 1)", tool,
                   server, name, access, pinned)

    def run(self):
        """A turn without a person."""
        try:
            self.world.run("run", TEXT)
        except Exception:  # It says by its status that something was refused.
            pass
        return self.told()

    def say(self, *arguments):
        """The output of a command."""
        return subprocess.run([self.world.terminal, *arguments], env=self.world.environment, stdout=subprocess.PIPE, check=True,
                              text=True).stdout

    def chat(self):
        self.terminal = self.world.start("chat")
        self.terminal.type(TEXT)

    def answer(self, words, line):
        self.terminal.wait(words)
        self.terminal.wait("> ")
        self.terminal.type(line)

    def told(self):
        return models.results_of(self.world.requests(TEXT)[-1])

    def rules(self):
        return [row[0] for row in self.world.store.rows("SELECT tool FROM rule")]

    def change(self):
        """The server changes its tools, and the program has seen that."""
        (self.world.folder / "changes-when").touch()
        wait(lambda: "evil.example" in self.world.store.rows("SELECT definitions FROM server_state")[0][0], "the change")


@tap.case("/mcp/rules/asked-before")
def _():
    """Earlier versions let a server ask the model, each time with a question to the person. What a store still has of that opens,
    and does nothing."""
    text = "The server Asker wants to ask your model this, and gets the answer. Allow it?\n\nQuestion\n```text\nA colour\n```"
    body = {"simple": False, "items": [{"question": text, "options": [{"label": "Don't Allow"}, {"label": "Allow"}],
                                        "multiple": False, "freeform": False, "secret": False}]}
    with Scene() as it:
        it.run()
        conversation = it.world.store.rows("SELECT id FROM conversation")[0][0]
        for number, state in enumerate(("pending", "answered", "cancelled")):
            it.write("INSERT INTO request (id, conversation, kind, body, state, asked_at, asked_by, waiter)"
                     " VALUES (?, ?, 'question', ?, ?, 1, ?, 'gone')", f"{number + 1:026}", conversation, json.dumps(body), state,
                     json.dumps({"kind": "server", "name": "Asker"}))
        for number, state in enumerate(("answered", "cancelled")):
            it.write("INSERT INTO settlement (request, state, front_end, actor, at) VALUES (?, ?, 'cli', 'you', 1)", f"{number + 2:026}",
                     state)
        assert "wants to ask your model" in it.say("questions")
        assert END in it.say("show", conversation)
        subprocess.run([it.world.terminal, "answer", f"{1:026}", "2"], env=it.world.environment, stderr=subprocess.DEVNULL, check=False)
        assert it.world.store.rows("SELECT state FROM request WHERE id LIKE '%1'")[0][0] != "pending"
        assert END in it.say("run", "--conversation", conversation, TEXT)
        assert it.received() == []


@tap.case("/mcp/rules/nobody")
def _():
    with Scene(call("asker__echo", text="a")) as it:
        assert "a" != it.run()["call_1"], it.told()
        assert it.received() == []


@tap.case("/mcp/rules/allowed-by-server")
def _():
    with Scene(call("asker__echo", text="a"), call("asker__structured", 2)) as it:
        it.add_rule("allow", "Asker")
        told = it.run()
        assert told["call_1"] == "a" and "21" in told["call_2"], told
        assert it.received() == ["echo", "structured"]


@tap.case("/mcp/rules/started-again")
def _():
    """Another process carries a turn on, with a server of its own: the model is told what that can't know."""
    with Scene(call("asker__echo", text="a"), call("asker__structured", 2), call("asker__echo", 3, text="b")) as it:
        it.add_rule("allow", "Asker", "asker__echo")
        assert subprocess.run([it.world.terminal, "run", "--detach-on-ask", TEXT], env=it.world.environment,
                              stdout=subprocess.DEVNULL).returncode == 10
        [waiting] = it.world.store.rows("SELECT id FROM request WHERE state = 'pending'")
        it.world.run("answer", "--run", waiting[0])
        told = it.told()
        assert told["call_1"] == "a" and told["call_3"] == "b", told
        assert "21" in told["call_2"] and "was started again" in told["call_2"], told


@tap.case("/mcp/rules/denied-by-server")
def _():
    with Scene(call("asker__echo", text="a")) as it:
        it.add_rule("allow", "Asker", "asker__echo")
        it.add_rule("deny", "Asker")
        told = it.run()
        assert "rule" in told["call_1"], told
        assert it.received() == []


@tap.case("/mcp/rules/one-tool-denied")
def _():
    with Scene(call("asker__echo", text="a"), call("asker__structured", 2)) as it:
        it.add_rule("allow", "Asker")
        it.add_rule("deny", "Asker", "asker__structured")
        told = it.run()
        assert told["call_1"] == "a" and "21" not in told["call_2"], told
        assert it.received() == ["echo"]


@tap.case("/mcp/rules/another-server")
def _():
    """A rule for a server holds for no other, and for no built-in tool."""
    with Scene(call("other__echo", text="a"), call("write_file", 2, path="a.txt", content="a"), servers=("Asker", "Other")) as it:
        it.add_rule("allow", "Asker")
        told = it.run()
        assert told["call_1"] != "a", told
        assert it.received("Other") == [] and it.received() == []


@tap.case("/mcp/rules/plan")
def _():
    """Steps of a server, one of which has the other's result in its arguments."""
    steps = [{"id": "one", "tool": "asker__echo", "arguments": {"text": "first"}},
             {"id": "two", "tool": "asker__echo", "arguments": {"text": "after {{step.one.result}}"}}]
    with Scene(call("propose_plan", title="Say it twice", steps=steps)) as it:
        it.chat()
        it.answer("Accept and run", "1")
        it.answer("Step 1 of 2 of the plan", "1")
        it.terminal.wait("Step 2 of 2 of the plan")
        it.answer("after first", "1")
        it.terminal.wait(END)
        told = it.told()["call_1"]
        assert '"status":"completed"' in told and "after first" in told, told
        assert it.received() == ["echo", "echo"]


@tap.case("/mcp/rules/plan-denied")
def _():
    """A step that a rule denies does not reach the server."""
    steps = [{"id": "one", "tool": "asker__echo", "arguments": {"text": "first"}}]
    with Scene(call("propose_plan", title="Say it", steps=steps)) as it:
        it.add_rule("deny", "Asker")
        it.chat()
        it.terminal.wait("Accept and run", END)
        if END not in it.terminal.said:
            it.terminal.type("1")
            it.terminal.wait(END)
        assert it.received() == []


@tap.case("/mcp/rules/changed-while-asked")
def _():
    """A tool that its server changes while the card is there is shown again, and not run as it was not seen."""
    with Scene(call("asker__echo", text="first"), call("asker__echo", 2, text="second"), words=("changes-when",)) as it:
        it.chat()
        it.answer("first", "1")
        it.terminal.wait("second")
        it.terminal.wait("> ")
        it.change()
        it.terminal.type("1")
        it.terminal.wait("The server has changed this tool since you were asked.")
        assert it.received() == ["echo"], it.received()
        it.terminal.wait("> ")
        it.terminal.type("1")
        it.terminal.wait(END)
        assert it.told()["call_2"] == "second" and it.received() == ["echo", "echo"], it.told()


@tap.case("/mcp/rules/changed-while-away")
def _():
    """The same when the program was gone meanwhile."""
    with Scene(call("asker__echo", text="first"), words=("changes-when",)) as it:
        it.chat()
        it.terminal.wait("first")
        it.terminal.wait("> ")
        it.terminal.end()
        (it.world.folder / "changes-when").touch()
        it.world.run("mcp", "test", "Asker")
        it.change()
        it.terminal = it.world.start("chat", "--conversation", it.world.store.conversation(TEXT))
        it.answer("first", "1")
        it.terminal.wait("The server has changed this tool since you were asked.")
        assert it.received() == [], it.received()


@tap.case("/mcp/rules/always-while-changed")
def _():
    """A rule that is chosen for a tool as it was is none for what the server has made of it; chosen again, it is one."""
    calls = [call("asker__echo", number, text=text) for number, text in enumerate(("first", "second", "third", "fourth"), 1)]
    with Scene(*calls, words=("changes-when",)) as it:
        it.chat()
        it.answer("first", "1")
        it.terminal.wait("second")
        it.terminal.wait("> ")
        it.change()
        it.terminal.type("/always 1")
        it.terminal.wait("The rule that you chose is not saved.")
        wait(lambda: it.rules() == [], "no rule")
        it.terminal.wait("> ")
        it.terminal.type("1")
        it.terminal.wait("third")
        it.terminal.wait("> ")
        assert it.received() == ["echo"] * 2, it.received()
        it.terminal.type("/always 1")
        it.terminal.wait(END)
        assert it.received() == ["echo"] * 4 and it.rules() == ["asker__echo"], (it.received(), it.rules())


@tap.case("/mcp/rules/always-while-changed-and-away")
def _():
    """The same when the program was gone between the answer and the start."""
    with Scene(call("asker__echo", text="first"), words=("changes-when",)) as it:
        it.chat()
        it.terminal.wait("first")
        it.terminal.wait("> ")
        it.terminal.end()
        (it.world.folder / "changes-when").touch()
        it.world.run("mcp", "test", "Asker")
        it.change()
        it.terminal = it.world.start("chat", "--conversation", it.world.store.conversation(TEXT))
        it.answer("first", "/here 1")
        it.terminal.wait("The rule that you chose is not saved.")
        wait(lambda: it.rules() == [], "no rule")
        assert it.received() == [], it.received()


@tap.case("/mcp/rules/dropped-and-asks")
def _():
    """A server that drops the tool which it runs is still who asks, by the rules for servers."""
    with Scene(call("asker__ask"), words=("changes-when", "asks-when")) as it:
        it.chat()
        it.answer("ask", "1")
        wait(lambda: it.received() == ["ask"], "the call")
        it.change()
        (it.world.folder / "asks-when").touch()
        it.terminal.wait("Which account?")
        asked = it.world.store.rows("SELECT asked_by FROM request WHERE kind = 'form'")[0][0]
        assert "Asker" in asked and "asker__ask" not in asked, asked


@tap.case("/mcp/rules/pinned")
def _():
    """A value that the person fixed goes to the server, whatever the model proposed."""
    with Scene(call("asker__echo", text="the model's")) as it:
        it.override("asker__echo", "text", "editable", '"always this"')
        it.add_rule("allow", "Asker")
        told = it.run()
        assert "always this" in told["call_1"] and "the model's" not in told["call_1"], told


@tap.case("/mcp/rules/hidden")
def _():
    """A hidden argument is not offered to be seen, and what was fixed for another server's tool does not hold."""
    with Scene(call("asker__echo", text="shown"), call("other__echo", 2, text="shown"), servers=("Asker", "Other")) as it:
        it.override("asker__echo", "text", "hidden", '"fixed"')
        it.add_rule("allow", "Asker")
        it.add_rule("allow", "Other")
        told = it.run()
        assert "shown" not in told["call_1"] and told["call_2"] == "shown", told
        wait(lambda: it.received() == ["echo"] and it.received("Other") == ["echo"], "both calls")


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
