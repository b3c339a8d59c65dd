#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Signing in to a server of tools in the real window, with a keyring and a browser of the test's: test-sign-in.py BUILD_ROOT."""

import contextlib
import json
import subprocess

import scenes
import signing
from gi.repository import Gio, GLib
from scenes import Scene, driver, tap

APPLICATION = "io.github.beckon.Beckon"
WANTED = "The server wants you to sign in"
TOOL = {"name": "Use Say Ahoy"}


@contextlib.contextmanager
def signed_up(*options, secret="", browses=True):
    """A person who has such a server, and its page open: the server, the scene, and the browser if they have one."""
    with signing.Server() as server, Scene([], opens=False) as scene:
        browser = signing.Browser(scene.home) if browses else None
        subprocess.run([scene.home.installation.terminal, "mcp", "add", "far", "--url", server.address, "--no-test", *options],
                       env=scene.home.environment, input=secret, text=True, check=True)
        scene.restart()
        open_server(scene)
        try:
            yield server, scene, browser
        finally:
            scene.home.ctl("mcp", "remove", "far")


def open_server(scene):
    """Shows the page of the server."""
    scene.window.find(role="text", name="Message")
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        APPLICATION, "/" + APPLICATION.replace(".", "/"), "org.freedesktop.Application", "ActivateAction",
        GLib.Variant("(sava{sv})", ("preferences-at", [GLib.Variant("(ss)", ("servers", ""))], {})), None, Gio.DBusCallFlags.NONE, -1, None)
    scene.window.click("Preferences", name="far", role="list item")
    scene.window.find(name="Test the server")


def shows(scene, words):
    scene.window.find(contains=words)


@tap.case("/ui/sign-in/in-and-out")
def _():
    with signed_up() as (server, scene, browser):
        shows(scene, "Not signed in. Not every server needs it.")
        scene.window.press(name="Test the server")
        shows(scene, WANTED)
        assert browser.pages() == [], "nothing is opened without a click"
        scene.window.press(name="Sign in to the server")
        scene.window.find(**TOOL)
        shows(scene, "Signed in")
        shows(scene, "Running · ")
        assert len(browser.pages()) == 1 and browser.pages()[0].startswith(server.root + "/authorize?"), browser.pages()
        assert server.faults == [] and server.grants == ["authorization_code"], (server.faults, server.grants)

        # Another start has it from the keyring.
        scene.restart()
        open_server(scene)
        shows(scene, "Signed in")
        scene.window.press(name="Sign out of the server")
        scene.window.find(name="Sign in to the server")
        scene.window.press(name="Test the server")
        shows(scene, WANTED)
        scene.restart()
        open_server(scene)
        scene.window.find(name="Sign in to the server")
        assert len(browser.pages()) == 1 and len(server.tokens) == 1


if __name__ == "__main__":
    scenes.main()
