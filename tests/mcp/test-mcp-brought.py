#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers that a folder brings, from the question about them to the first request, with the real program:
test-mcp-brought.py SERVER."""

import json
import os
import pathlib
import shutil
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / part) for part in ("recovery", "support", "ui/driven")]

import tap  # noqa: E402
from world import World, wait  # noqa: E402

SERVER = sys.argv[1]
TEXT = "<brought>"
END = "Well done."
STARTING = "Starting the folder’s servers"


class Scene:
    """A person whose folder brings a server that lists its tools when it may. Use as a context."""

    def __init__(self, *replies):
        self.world = World(os.environ["BECKON_TERMINAL"], os.environ["BECKON_MODEL"], [*replies, {"text": END, "repeat": True}])
        self.terminal = None

    def __enter__(self):
        self.world.__enter__()
        self.world.add_profile()
        self.work = self.world.folder / "work"
        self.work.mkdir()
        shutil.copy(SERVER, self.work / "server.py")
        self.bring()
        return self

    def __exit__(self, *exception):
        if self.terminal is not None:
            self.terminal.end()
        self.world.__exit__(*exception)

    def bring(self, *words, **more):
        entry = {"command": sys.executable, "args": ["-u", "server.py", "old", "one-page", "lists-when=go", *words], **more}
        (self.work / ".mcp.json").write_text(json.dumps({"mcpServers": {"papers": entry}}))

    def let_list(self):
        (self.work / "go").touch()

    def chat(self):
        self.terminal = self.world.start("chat", "--folder", str(self.work))
        self.terminal.type(TEXT)

    def accept(self):
        self.terminal.wait("server of tools")
        self.terminal.wait("> ")
        self.terminal.type("1")

    def tools(self, number):
        """The tools of a request to the model."""
        return [tool["function"]["name"] for tool in self.world.requests(TEXT)[number].get("tools", [])]


def sleeps_in(folder):
    """Whether a process there has come to its sleep."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cmdline").read_bytes().startswith(b"sleep\0") and os.readlink(process / "cwd") == str(folder):
                return True
        except OSError:  # It has ended, or is another user's.
            pass
    return False


@tap.case("/mcp/brought/first-turn")
def _():
    """The first request after the answer has the tools, however long the server takes to list them."""
    with Scene() as it:
        it.chat()
        it.accept()
        it.terminal.wait(STARTING)
        assert it.world.requests(TEXT) == []
        it.let_list()
        it.terminal.wait(END)
        assert "papers__echo" in it.tools(0), it.tools(0)


@tap.case("/mcp/brought/reach")
def _():
    """The question says what a server may do, and what it may no longer do once its program changes."""
    with Scene() as it:
        it.let_list()
        it.chat()
        it.terminal.wait(f"Runs in a sandbox: can read {it.work} but change nothing, and has no network.")
        it.terminal.wait("> ")
        it.terminal.type("1")
        it.terminal.wait(END)
        it.terminal.end()
        it.world.run("mcp", "set", "papers", "--write")
        it.bring("banner")
        it.chat()
        it.terminal.wait("You allowed it more before. That ends")
        it.terminal.wait("> ")
        it.terminal.type("1")
        it.terminal.wait(END)
        config = json.loads(it.world.store.rows("SELECT config FROM server")[0][0])
        assert "banner" in config["arguments"] and "write" not in config, config


@tap.case("/mcp/brought/permission-changed")
def _():
    """A question that waits while only a permission changes is asked anew, with what holds now."""
    with Scene() as it:
        it.let_list()
        it.chat()
        it.accept()
        it.terminal.wait(END)
        it.terminal.end()
        (it.work / "AGENTS.md").write_text("Be short.")
        it.chat()
        it.terminal.wait("but change nothing")
        it.terminal.wait("> ")
        it.terminal.kill()
        it.world.run("mcp", "set", "papers", "--write")
        [waiting] = it.world.store.rows("SELECT id, conversation FROM request WHERE state = 'pending'")
        it.terminal = it.world.start("resume", waiting["conversation"])
        it.terminal.wait(f"can read and change {it.work} directly")
        it.terminal.wait("> ")
        it.terminal.type("1")
        it.terminal.wait(END)
        assert it.world.store.rows("SELECT state FROM request WHERE id = ?", waiting["id"])[0]["state"] == "cancelled"
        assert "papers__echo" in it.tools(-1), it.tools(-1)


@tap.case("/mcp/brought/fetches")
def _():
    """A server that its program would fetch, without the network: nothing waits for it, now or the next time, and why is said."""
    with Scene() as it:
        (it.work / "npx").write_text("#!/bin/sh\necho 'npm error code EAI_AGAIN' >&2\nexec sleep 1000\n")
        (it.work / "npx").chmod(0o755)
        (it.work / ".mcp.json").write_text(json.dumps({"mcpServers": {"papers": {"command": "./npx", "args": ["-y", "some-server"]}}}))
        for number in range(2):
            began = time.monotonic()
            it.chat()
            if number == 0:
                it.accept()
            it.terminal.wait("npx needs the network")
            it.terminal.wait("beckonctl mcp set papers --network")
            it.terminal.wait(END)
            assert time.monotonic() - began < 15, "it was waited for"
            wait(lambda: sleeps_in(it.work), "the end of what npx says")
            it.terminal.type("/quit")
            assert it.terminal.process.wait(30) == 0
        log = it.world.store.rows("SELECT log FROM server_state")[0][0]
        assert "EAI_AGAIN" in log and "Ended by Beckon" in log, log


@tap.case("/mcp/brought/stopped")
def _():
    """A stop ends the wait, and the next turn has the tools."""
    with Scene() as it:
        it.chat()
        it.accept()
        it.terminal.wait(STARTING)
        it.terminal.interrupt()
        it.terminal.wait("Stopped")
        assert it.world.requests(TEXT) == []
        it.let_list()
        it.terminal.type("Again")
        it.terminal.wait(END)
        assert "papers__echo" in it.tools(0), it.tools(0)


@tap.case("/mcp/brought/missing")
def _():
    """The question says which values a server lacks; one that has a default lacks none. Such a server does not start."""
    with Scene() as it:
        it.bring("${input:shop}", "--user=<user name>", env={"API_KEY": "YOUR_API_KEY", "SIZE": "${SIZE:-3}"})
        it.chat()
        it.terminal.wait("Values are missing: ${input:shop}, <user name>, YOUR_API_KEY. This server is not used")
        it.terminal.wait("> ")
        it.terminal.type("1")
        it.terminal.wait(END)
        assert not [name for name in it.tools(0) if name.startswith("papers")]


@tap.case("/mcp/brought/fails")
def _():
    """A server that can't be started holds nothing up, is told of once, and the next turn does not try it again."""
    with Scene() as it:
        it.bring("dies-at-start")
        it.chat()
        it.accept()
        it.terminal.wait("server “papers” is not used: ")
        it.terminal.wait("beckonctl mcp log")
        it.terminal.wait(END)
        it.terminal.type("Again")
        it.terminal.wait(END)
        assert it.terminal.said.count("is not used: ") == 1, it.terminal.said
        assert it.terminal.said.count(STARTING) == 1, it.terminal.said
        assert not [name for name in it.tools(0) if name.startswith("papers")]


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
