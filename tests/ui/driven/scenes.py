# SPDX-License-Identifier: GPL-3.0-or-later
"""All that the tests of the real window share: where things are, and a person with a model of the test's. BUILD_ROOT is the first
argument of whichever test imports it."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "support")]

import tap  # noqa: E402

try:
    import accessible
    import driver
except (ImportError, ValueError) as reason:
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)
import model as models  # noqa: E402
from gi.repository import Gio, GLib  # noqa: E402

BUILD = pathlib.Path(sys.argv[1])
INSTALLATION = driver.Installation.in_build(BUILD)
SERVER = BUILD / "tests/fixtures/beckon-fixture-server"
APPLICATION = "io.github.beckon.Beckon"
CARD = {"name": "AI needs your decision"}


class Scene:
    """A person with a model of the test's, and the window open on it, unless that opens later, by restart(). Settings are there
    before it starts."""

    def __init__(self, replies, opens=True, **settings):
        self.settings, self.opens = settings, opens
        self.model = models.Model(SERVER, replies)
        self.home = driver.Home(INSTALLATION, BECKON_API_KEY="test")

    def __enter__(self):
        self.model.__enter__()
        self.home.__enter__()
        self.home.ctl("profile", "add", "Test", "--no-lookup", "--base-url", self.model.base_url, "--model", "test", "--use")
        for key, value in self.settings.items():
            self.home.set(key.replace("_", "-"), value)
        self.window = self.home.start() if self.opens else None
        return self

    def __exit__(self, *exception):
        self.home.__exit__(*exception)
        self.model.__exit__(*exception)

    def send(self, text):
        self.window.type(text, role="text", name="Message")
        self.window.press(name="Send message")

    def wait_for_card(self):
        """A new card takes no input for a moment, so that no click meant for something else answers it."""
        driver.wait(lambda: not driver.is_busy(self.window.find(**CARD)), "a card that listens")

    def requests(self, count):
        driver.wait(lambda: len(self.model.requests) >= count, f"request {count} at the model")
        return self.model.requests[count - 1]

    def restart(self):
        if self.window is not None:
            self.window.kill()
        self.window = self.home.start()


def open_preferences(scene, page):
    """A page of the preferences, as a desktop would activate the action that shows it."""
    scene.window.find(role="text", name="Message")
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        APPLICATION, "/" + APPLICATION.replace(".", "/"), "org.freedesktop.Application", "ActivateAction",
        GLib.Variant("(sava{sv})", ("preferences-at", [GLib.Variant("(ss)", (page, ""))], {})), None, Gio.DBusCallFlags.NONE, -1, None)


def accept_plan(window):
    """Accepts the plan that is proposed: a new card takes no input for a moment, and the first press shows steps out of sight."""
    def listens():
        cards = window.all(contains="Plan: ", role="panel")
        return cards and not any(driver.is_busy(card) for card in cards)

    driver.wait(listens, "a plan that listens")
    window.press(name="Accept and run the plan")
    if window.has(contains="Press again to accept the plan"):
        driver.wait(listens, "a plan that listens")
        window.press(name="Accept and run the plan")


def main():
    sys.exit(tap.main(sys.argv[2:]))
