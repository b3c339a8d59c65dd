#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers of tools in the real window: added by what a README shows, tested, used and removed. Those of npm are fetched once by
build-aux/mcp-servers.sh; without npm, or without its registry at the first time, their cases are skipped. test-servers.py
BUILD_ROOT."""

import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys

import scenes
from gi.repository import Gio, GLib
from scenes import Scene, driver, models, tap

APPLICATION = "io.github.beckon.Beckon"

MESSAGE = {"role": "text", "name": "Message"}
EVERYTHING = "@modelcontextprotocol/server-everything"
SERVER = pathlib.Path(__file__).resolve().parents[2] / "mcp" / "server.py"
INSTALL = pathlib.Path(os.environ["BECKON_MCP_INSTALL"])
SERVERS = pathlib.Path(os.environ["BECKON_MCP_SERVERS"])
ECHO = [
    {"user": "Echo it.", "calls": [{"call": "everything__echo", "id": "call_echo", "arguments": {"message": "ahoy"}}]},
    {"result": "Echo: ahoy", "text": "It came back."},
    {"user": "Again.", "text": "I no longer have that tool."},
]


def need_servers():
    """The folder with the servers, or a skip."""
    if not shutil.which("npx"):
        raise tap.Skip("npm is not installed")
    done = subprocess.run([str(INSTALL), str(SERVERS)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise tap.Skip("the servers can't be fetched from npm")
    return SERVERS


def readme(name, package, **more):
    """As the READMEs have it, but for the folder, so that npx takes what is there."""
    return json.dumps({"mcpServers": {name: {"command": "npx", "args": ["-y", package], "cwd": str(need_servers()), **more}}}, indent=2)


def act(action, target):
    """An action of the application, as a desktop would activate it."""
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        APPLICATION, "/" + APPLICATION.replace(".", "/"), "org.freedesktop.Application", "ActivateAction",
        GLib.Variant("(sava{sv})", (action, [target], {})), None, Gio.DBusCallFlags.NONE, -1, None)


def open_page(scene):
    scene.window.find(role="text", name="Message")
    act("preferences-at", GLib.Variant("(ss)", ("servers", "")))
    scene.window.find(name="Add a server")


def open_server(scene, name):
    scene.window.click("Preferences", name=name, role="list item")


def config_of(scene, name):
    """As it is saved."""
    return next(one["config"] for one in json.loads(scene.home.ctl("mcp", "list", "--json")) if one["name"] == name)


def add(scene, text):
    scene.window.press(name="Add a server")
    scene.window.type(text, role="text", name="JSON, Command Line or Address")
    scene.window.press(name="Add the server")


@tap.case("/ui/servers/everything")
def _():
    with Scene(ECHO) as scene:
        text = readme("everything", "@modelcontextprotocol/server-everything")
        open_page(scene)
        add(scene, text)
        scene.window.find(contains="Running · ")
        scene.window.find(name="Use Echo Tool")
        scene.window.keys("everything", "Escape")
        scene.window.keys("Preferences", "Escape")
        scene.send("Echo it.")
        driver.wait(lambda: not driver.is_busy(scene.window.find(contains="(echo) on everything", role="panel")), "a card that listens")
        scene.window.press(name="Run")
        scene.window.find(contains="It came back.")
        assert models.results_of(scene.requests(2))["call_echo"] == "Echo: ahoy"
        assert "everything__echo" in models.tools_of(scene.requests(2))
        open_page(scene)
        open_server(scene, "everything")
        scene.window.click("everything", name="Use Echo Tool")
        driver.wait(lambda: "echo" in config_of(scene, "everything").get("toolsOff", []), "a tool that is off")
        scene.window.press(name="Remove the server")
        scene.window.press(name="Remove", role="push button")
        scene.window.find(contains="everything removed")
        assert json.loads(scene.home.ctl("mcp", "list", "--json")) == []


def with_everything(scene):
    """Adds the server as a person does in the terminal, and opens the window."""
    scene.home.ctl("mcp", "add", "everything", "--directory", str(need_servers()), "--", "npx", "-y", EVERYTHING)
    scene.restart()
    scene.window.find(**MESSAGE)


def take(scene, name, *keys):
    """Takes what is suggested while a word is typed."""
    scene.window.click(driver.MAIN, **MESSAGE)
    scene.window.keys(driver.MAIN, *keys)
    scene.window.find(contains=name, role="list item")
    scene.window.keys(driver.MAIN, "Return")
    scene.window.gone(contains=name, role="list item")


@tap.case("/ui/servers/everything-prompt")
def _():
    need_servers()
    with Scene([{"text": "Done."}], opens=False) as scene:
        with_everything(scene)
        take(scene, "/everything:completable-prompt", "slash", "c", "o", "m", "p", "l", "e", "t", "a")
        scene.window.type("Sal", role="text", name="department")
        scene.window.gone(name="Marketing", role="push button")
        scene.window.press(name="Sales", role="push button")
        scene.window.type("", role="text", name="name")
        scene.window.press(name="Insert the prompt")
        scene.window.find(role="alert", contains="“name” is still empty.")
        scene.window.press(name="Eve", role="push button")
        scene.window.press(name="Insert the prompt")
        scene.window.find(role="alert", contains="This text is from everything.")
        scene.window.press(name="Send message")
        scene.window.find(contains="Done.")
        content = scene.requests(1)["messages"][-1]["content"]
        assert content == "Please promote Eve to the head of the Sales team.", content


@tap.case("/ui/servers/everything-resource")
def _():
    need_servers()
    with Scene([{"text": "Done."}], opens=False) as scene:
        with_everything(scene)
        take(scene, "architecture.md", "at", "a", "r", "c", "h")
        scene.window.find(name="Remove everything: architecture.md")
        scene.window.type("What is it?", **MESSAGE)
        scene.window.press(name="Send message")
        scene.window.find(contains="Done.")
        content = scene.requests(1)["messages"][-1]["content"]
        assert content.startswith('<attached-file name="everything: architecture.md">\n# '), content[:200]


@tap.case("/ui/servers/everything-template")
def _():
    need_servers()
    with Scene([{"text": "Done."}], opens=False) as scene:
        with_everything(scene)
        take(scene, "everything:demo://resource/dynamic/text/{resourceId}", "at", "d", "y", "n", "a", "m", "i", "c", "slash", "t")
        scene.window.find(contains="everything · Dynamic Text Resource")
        scene.window.type("4", role="text", name="resourceId")
        scene.window.press(name="Attach the resource")
        scene.window.find(name="Remove everything: 4")
        scene.window.type("What is it?", **MESSAGE)
        scene.window.press(name="Send message")
        scene.window.find(contains="Done.")
        content = scene.requests(1)["messages"][-1]["content"]
        assert content.startswith('<attached-file name="everything: 4">\nResource 4: This is a plaintext resource'), content[:200]


@tap.case("/ui/servers/everything-form")
def _():
    need_servers()
    asking = [{"user": "Ask.", "calls": [{"call": "everything__trigger-elicitation-request", "id": "call_ask", "arguments": {}}]},
              {"result": "User provided", "text": "It is known."}]
    with Scene(asking, opens=False) as scene:
        with_everything(scene)
        scene.send("Ask.")
        driver.wait(lambda: not driver.is_busy(scene.window.find(contains="on everything server", role="panel")), "a card that listens")
        scene.window.press(name="Run")
        scene.window.find(contains="Please provide inputs for the following fields:")
        scene.window.type("Ada Lovelace", role="text", name="String")
        driver.wait(lambda: not any(driver.is_busy(card) for card in scene.window.all(contains="everything", role="panel")), "a form that listens")
        scene.window.press(name="Review")
        scene.window.find(contains="This is sent to the server:")
        # The button says what it does next once the review stands; only from then on is the card busy for a moment.
        scene.window.find(name="Send", role="push button")
        driver.wait(lambda: not driver.is_busy(scene.window.find(name="everything asks", role="panel")), "a form that listens")
        scene.window.press(name="Send", role="push button")
        scene.window.find(contains="It is known.")
        told = models.results_of(scene.requests(2))["call_ask"]
        assert "Ada Lovelace" in told and "It was a dark and stormy night." in told, told


def add_rule(scene, server, tool):
    """A rule of the person's, as the store has it."""
    with sqlite3.connect(next(scene.home.folder.rglob("beckon.db"))) as connection:
        connection.execute("INSERT INTO rule (id, tool, server, verdict, created_at)"
                           " VALUES (lower (hex (randomblob (13))), ?, ?, 'allow', 1)", (tool, server))
    connection.close()


@tap.case("/ui/servers/accept-change")
def _():
    with Scene([], opens=False) as scene:
        changed = scene.home.folder / "changed"
        scene.home.ctl("mcp", "add", "Far", "--", sys.executable, "-u", str(SERVER), "old", f"changes-if={changed}")
        add_rule(scene, "Far", "far__echo")
        changed.write_text("")
        scene.home.ctl("mcp", "test", "Far")
        scene.restart()
        open_page(scene)
        open_server(scene, "Far")
        scene.window.find(contains="Changed: look at it before it is used again")
        scene.window.press(name="Accept the change of Say Again")
        scene.window.gone(contains="Changed: look at it before it is used again")
        scene.restart()
        open_page(scene)
        open_server(scene, "Far")
        scene.window.find(name="Use Say Again")
        assert not scene.window.has(contains="Changed: look at it before it is used again"), "it was accepted"


@tap.case("/ui/servers/left-out")
def _():
    """Tools that can't be used are named on the server's page, with the reason; a server without such says nothing."""
    with Scene([], opens=False) as scene:
        scene.home.ctl("mcp", "add", "Far", "--", sys.executable, "-u", str(SERVER), "old", "bad-tools")
        scene.home.ctl("mcp", "add", "Near", "--", sys.executable, "-u", str(SERVER), "old")
        scene.restart()
        open_page(scene)
        open_server(scene, "Far")
        scene.window.find(contains="“long”: its definition is longer than 128 KiB.")
        scene.window.keys("Far", "Escape")
        open_server(scene, "Near")
        scene.window.find(name="Use Say Again")
        assert not scene.window.has(name="Tools that can’t be used"), "all of them can be used"


@tap.case("/ui/servers/model")
def _():
    """Instructions are switched where a server is edited."""
    with Scene([], opens=False) as scene:
        scene.home.ctl("mcp", "add", "Far", "--", sys.executable, "-u", str(SERVER), "old")
        assert not config_of(scene, "Far").get("ignoreInstructions")
        scene.restart()
        open_page(scene)
        open_server(scene, "Far")
        scene.window.press(name="Edit the server")
        scene.window.click("Server", name="Pass On Its Instructions", role="list item")
        scene.window.press(name="Save the server")
        driver.wait(lambda: config_of(scene, "Far").get("ignoreInstructions"), "the switch in the store")


@tap.case("/ui/servers/take-over")
def _():
    with Scene([], opens=False) as scene:
        settings = scene.home.folder / ".cursor"
        settings.mkdir()
        (settings / "mcp.json").write_text(json.dumps({"mcpServers": {
            "Far": {"command": sys.executable, "args": ["-u", str(SERVER), "old"]}}}))
        scene.restart()
        open_page(scene)
        scene.window.click("Preferences", name="Take Over From Other Programs…", role="list item")
        scene.window.press(name="Add Far")
        scene.window.press(name="Add the server")
        scene.window.find(name="Added")
        assert [one["name"] for one in json.loads(scene.home.ctl("mcp", "list", "--json"))] == ["Far"]


if __name__ == "__main__":
    scenes.main()
