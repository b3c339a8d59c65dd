#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A link in the real window: what it shows, and that it does nothing else."""

import json

import scenes
from scenes import driver, tap

SAID = "The lighthouse is on the rock."


def follow(scene, link):
    """As a browser does: a second program, which hands over to the one that runs."""
    scene.home.run(scene.home.installation.window, link)


def shows(window, text):
    """A text view's text reads empty on the bus; its length does not."""
    driver.wait(lambda: window.length(role="text", name="Message") == len(text), f"“{text}” in the composer")


@tap.case("/ui/link/new")
def _():
    with scenes.Scene([]) as scene:
        scene.window.find(role="text", name="Message")
        follow(scene, "beckon://new?text=Paint+the+door")
        shows(scene.window, "Paint the door")
        follow(scene, "beckon://new?text=Or+the+gate")
        shows(scene.window, "Or the gate")
        assert scene.model.requests == [], "a link sends nothing"


@tap.case("/ui/link/conversation")
def _():
    with scenes.Scene([{"user": "Where?", "text": SAID}]) as scene:
        scene.send("Where?")
        scene.window.find(contains=SAID)
        place = json.loads(scene.home.ctl("list", "--json"))["conversations"][0]["id"]
        scene.window.press(name="New conversation")
        scene.window.gone(contains=SAID, role="label")
        follow(scene, f"beckon://conversation/{place}")
        scene.window.find(contains=SAID, role="label")


@tap.case("/ui/link/search")
def _():
    with scenes.Scene([{"user": "Where?", "text": SAID}]) as scene:
        scene.send("Where?")
        scene.window.find(contains=SAID)
        follow(scene, "beckon://search?text=lighthouse")
        scene.window.find(contains="rock", role="list item")


@tap.case("/ui/link/refused")
def _():
    with scenes.Scene([]) as scene:
        scene.window.find(role="text", name="Message")
        follow(scene, "beckon://send?text=Hello")
        scene.window.find(contains="This link leads nowhere")
        assert scene.window.length(role="text", name="Message") == 0
        assert scene.model.requests == []


if __name__ == "__main__":
    scenes.main()
