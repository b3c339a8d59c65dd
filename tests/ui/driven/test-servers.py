#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers of tools in the real window: added by what a README shows, tested, used and removed. Those of npm are fetched once by
build-aux/mcp-servers.sh; without npm, or without its registry at the first time, their cases are skipped. test-servers.py
BUILD_ROOT."""

import json
import os
import pathlib
import shutil
import subprocess

import scenes
from gi.repository import Gio, GLib
from scenes import Scene, driver, models, tap

APPLICATION = "io.github.beckon.Beckon"

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
        driver.wait(lambda: not driver.is_busy(scene.window.find(name="echo on everything server", role="panel")), "a card that listens")
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


if __name__ == "__main__":
    scenes.main()
