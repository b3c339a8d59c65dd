#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text channels in the real window: added, paired, tested, failing and removed, with phones and services that are played by the
suite's own emulators. test-channels.py BUILD_ROOT. Runs on a display and with a keyring of its own."""

import json
import os
import subprocess

import desktop
import phone as phones
import scenes
from scenes import Scene, driver, tap

DESKTOP = desktop.Gnome()


def new_phone(kind):
    return phones.Phone(os.environ["BECKON_PHONE"], kind)


def open_page(scene):
    scenes.open_preferences(scene, "channels")
    scene.window.find(name="Add a channel")


def choose_kind(scene, name):
    """By keys, from the one that is chosen at first."""
    kinds = [line.split("\t")[1] for line in scene.home.ctl("channel", "kinds").splitlines() if not line.startswith("\t")]
    scene.window.click("Add a Channel", role="combo box", name="Kind")
    scene.window.find(role="label", name=name)
    scene.window.keys("Add a Channel", *["Down"] * kinds.index(name), "Return")


def add(scene, kind, *fields):
    scene.window.press(name="Add a channel")
    choose_kind(scene, kind)
    scene.window.find(contains=fields[0][0])
    scene.window.type("Phone", role="text", name="Name")
    for name, text in fields:
        scene.window.type(text, role="text", contains=name)
    scene.window.press(name="Add the channel")
    scene.window.gone(name="Add the channel")
    scene.window.find(name="Test the channel")


def state(scene, words):
    scene.window.find(contains=words)


def pair(scene, phone):
    scene.window.press(name="Make a pairing code")
    code = phones.find_code(scene.window)
    phone.say(f"write {code}")
    scene.window.find(contains="Connected with Anna.")
    scene.window.gone(name=code)


def channels(scene):
    return json.loads(scene.home.ctl("channel", "list", "--json"))


@tap.case("/ui/channels/telegram")
def _():
    """From adding to removing, with a token that is no longer good in between."""
    with new_phone("telegram") as phone, Scene([{"user": "How are you?", "text": "I am well."}]) as scene:
        DESKTOP.clear()
        open_page(scene)
        add(scene, "Telegram", ("Address of the Bot API", phone.address), ("Token", phones.TOKEN))
        state(scene, "Telegram · Connected. Pair it with your phone next.")
        pair(scene, phone)
        scene.window.press(name="Test the channel")
        scene.window.find(contains="It works.")
        phone.wait_sent("This is a test from Beckon. It works.")
        phone.say("write How are you?")
        phone.wait_sent("I am well.")
        one = channels(scene)[0]
        assert (one["state"], one["paired"], one["served"]) == ("connected", True, True), one

        phone.say("fail getUpdates 401 1")
        phone.say("write Wake up")
        state(scene, "does not take this token")
        notification = DESKTOP.wait("“Phone” does not work")
        assert "does not take this token" in notification.body, notification
        assert notification.buttons == ["Preferences"], notification
        assert phones.TOKEN not in str(notification)
        driver.wait(lambda: channels(scene)[0]["state"] == "signed-out", "the state in the store")
        assert "does not take this token" in channels(scene)[0]["problem"]

        scene.window.press(name="Edit the channel")
        scene.window.type(phones.TOKEN, role="text", contains="Token")
        scene.window.click("Channel", name="Save the channel", role="push button")
        scene.window.find(contains="Connected with Anna.")
        driver.wait(lambda: not DESKTOP.shown, "the end of the notification")
        assert len(DESKTOP.seen) == 1, "it is told once"

        scene.window.press(name="Remove the channel")
        scene.window.press(name="Remove", role="push button")
        scene.window.find(contains="Phone removed")
        scene.window.find(name="No channels yet.")
        assert channels(scene) == []


@tap.case("/ui/channels/elsewhere")
def _():
    """A channel that a terminal serves says in the window how it is there."""
    with new_phone("telegram") as phone, Scene([], opens=False) as scene:
        phones.add(scene.home, "telegram", "Phone", phone.address)
        phone.say("fail getUpdates 401 1")
        server = subprocess.Popen([scene.home.installation.terminal, "channel", "serve"], env=scene.home.environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            driver.wait(lambda: channels(scene)[0]["state"] == "signed-out", "the state in the store")
            scene.restart()
            open_page(scene)
            state(scene, "Another window or terminal of Beckon serves it. Since ")
            state(scene, "does not take this token")
        finally:
            server.terminate()
            server.wait()


@tap.case("/ui/channels/wechat-sign-in")
def _():
    """By a QR code, with a number that the phone shows."""
    with new_phone("wechat") as phone, Scene([]) as scene:
        open_page(scene)
        add(scene, "WeChat", ("WeChat’s own", phone.address))
        state(scene, "WeChat · Scan a code with WeChat to sign in.")
        scene.window.press(name="Sign in to the channel")
        scene.window.find(contains="on your phone.")
        phone.say("state scaned")
        scene.window.find(contains="Scanned. Confirm it on the phone.")
        phone.say("state need_verifycode")
        scene.window.click("Phone", role="text", name="Code on the Phone")
        scene.window.keys("Phone", "4", "7", "1", "1", "Return")
        phone.say("state confirmed")
        scene.window.find(contains="Connected. Pair it with your phone next.")
        scene.window.gone(contains="on your phone.")
        driver.wait(lambda: channels(scene)[0]["state"] == "connected", "the state in the store")


if __name__ == "__main__":
    scenes.main()
