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
        browser = signing.Browser(scene.home) if browses else signing.hide_browsers(scene.home)
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

        # The server takes it no more; whoever signs in again is known there.
        server.tokens.append("token-of-another")
        scene.window.press(name="Test the server")
        shows(scene, WANTED)
        scene.window.press(name="Sign in to the server")
        scene.window.find(name="Sign out of the server")
        shows(scene, "Running · ")
        assert server.registered == ["client-1"] and len(browser.pages()) == 2, (server.registered, browser.pages())

        # Another start has it from the keyring.
        scene.restart()
        open_server(scene)
        shows(scene, "Signed in")
        scene.window.press(name="Sign out of the server")
        scene.window.find(name="Sign in to the server")
        assert server.revoked == [server.tokens[-1]], server.revoked
        scene.window.press(name="Test the server")
        shows(scene, WANTED)
        scene.restart()
        open_server(scene)
        scene.window.find(name="Sign in to the server")
        assert len(browser.pages()) == 2 and server.faults == [], server.faults


def lock_keyring():
    """Locks it, and returns how it is unlocked without a prompt: with the password that a test's keyring has. A session of it ends
    with the connection."""
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(interface, method, parameters, reply):
        return bus.call_sync("org.freedesktop.secrets", "/org/freedesktop/secrets", interface, method, parameters,
                             GLib.VariantType(reply), Gio.DBusCallFlags.NONE, -1, None).unpack()

    secrets = "org.freedesktop.Secret.Service"
    collection = call(secrets, "ReadAlias", GLib.Variant("(s)", ("default",)), "(o)")[0]
    call(secrets, "Lock", GLib.Variant("(ao)", ([collection],)), "(aoo)")

    def unlock():
        session = call(secrets, "OpenSession", GLib.Variant("(sv)", ("plain", GLib.Variant("s", ""))), "(vo)")[1]
        call("org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "UnlockWithMasterPassword",
             GLib.Variant("(o(oayays))", (collection, (session, b"", b"password", "text/plain"))), "()")

    return unlock


@tap.case("/ui/sign-in/locked")
def _():
    with signed_up() as (server, scene, browser):
        scene.window.press(name="Sign in to the server")
        scene.window.find(name="Sign out of the server")
        unlock = lock_keyring()
        scene.restart()
        open_server(scene)
        shows(scene, "The keyring that holds the sign-in is locked")
        unlock()
        scene.window.press(name="Unlock the keyring")
        scene.window.find(name="Sign out of the server")
        assert len(browser.pages()) == 1 and server.faults == [], server.faults


@tap.case("/ui/sign-in/stopped")
def _():
    with signed_up() as (server, scene, browser):
        server.says = "nothing"
        scene.window.press(name="Sign in to the server")
        shows(scene, "Waiting for the browser…")
        driver.wait(browser.pages, "the page in the browser")
        scene.window.press(name="Stop signing in")
        scene.window.find(name="Sign in to the server")
        server.says = "no"
        scene.window.press(name="Sign in to the server")
        shows(scene, "refused the sign-in (access_denied).")
        scene.window.find(name="Sign in to the server")
        assert server.tokens == [] and server.faults == []


@tap.case("/ui/sign-in/no-browser")
def _():
    with signed_up(browses=False) as (server, scene, _browser):
        scene.window.press(name="Sign in to the server")
        shows(scene, "The browser did not open")
        scene.window.find(name="Copy Address")
        scene.window.press(name="Stop signing in")
        scene.window.gone(name="Copy Address")
        assert server.tokens == []


def login_of(scene):
    """As it is saved."""
    return json.loads(scene.home.ctl("mcp", "list", "--json"))[0]["config"].get("login", {})


def open_sign_in(scene):
    """Edits the server, and opens the group with what is entered for its sign-in; its page has a row of that name, too."""
    scene.window.press(name="Edit the server")
    editor = driver.wait(lambda: next((one for one in scene.window.windows() if one.name == "Server"), None), "the editor")
    scene.window.click("Server", within=editor, name="Sign-In", role="list item")
    scene.window.place_at_rest(within=editor, name="Client ID", role="text")


def save(scene):
    scene.window.press(name="Save the server")


@tap.case("/ui/sign-in/client")
def _():
    with signed_up() as (server, scene, browser):
        open_sign_in(scene)
        scene.window.type("robot", role="text", name="Client ID")
        save(scene)
        shows(scene, "You, in the browser, as the client “robot”")
        assert login_of(scene) == {"flow": "person", "clientId": "robot"}
        open_sign_in(scene)
        scene.window.type("hunter2-k3x9q", role="text", name="Client Secret")
        save(scene)
        scene.window.find(role="alert", contains="so that the secret goes to no other one")
        scene.window.type(server.root, role="text", name="Authorization Server (address)")
        save(scene)
        shows(scene, f"At {server.root} only")
        assert login_of(scene) == {"flow": "person", "clientId": "robot", "issuer": server.root, "hasClientSecret": True}
        assert not scene.home.has_stored("hunter2-k3x9q")

        # The secret is not entered twice.
        open_sign_in(scene)
        scene.window.type("read", role="text", name="Permissions to Ask For")
        save(scene)
        shows(scene, "With the permissions read")
        assert login_of(scene)["hasClientSecret"] is True
        assert browser.pages() == [] and server.faults == [], server.faults


if __name__ == "__main__":
    scenes.main()
