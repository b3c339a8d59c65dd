#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A masked answer in the real window: the canary is found nowhere. test-secret.py BUILD_ROOT. Runs on a display of its own."""

import re
import sys

import scenes
from scenes import CARD, Scene, driver, models, tap

CANARY = "canary-7f3a 'quoted' äöü"
QUESTION = {"questions": [{"question": "The token of the photo service?", "header": "Photo token", "secret": True}]}
REPLIES = [
    {"user": "Log in.", "calls": [{"call": "ask_user", "id": "call_token", "arguments": QUESTION}]},
    {"result": "secret:photo-token-", "text": "I have a name for it."},
]


@tap.case("/ui/secret/canary")
def _():
    with Scene(REPLIES) as scene:
        scene.send("Log in.")
        scene.wait_for_card()
        scene.window.find(contains="goes into your keyring")
        scene.window.find(name="Show what is typed")
        scene.window.type(CANARY, name="Your thoughts")
        driver.wait(lambda: scene.window.length(name="Your thoughts") == len(CANARY), "the answer in the entry")
        scene.window.press(name="Send answer")
        scene.window.find(contains="I have a name for it.")
        scene.window.gone(**CARD)
        told = models.results_of(scene.requests(2))["call_token"]
        handle = re.search(r"secret:photo-token-[a-z0-9]{12}", told)[0]
        scene.window.find(contains=handle)
        assert not scene.window.has(contains="canary"), driver.describe(scene.window.root)
        assert "canary" not in scene.model.log.read_text(), "it is on the wire"
        assert not scene.home.has_stored("canary"), "it is in the store"
        listed = scene.home.ctl("list").split()[0]
        for form in "markdown", "json":
            exported = scene.home.ctl("export", "--format=" + form, listed)
            assert handle in exported and "canary" not in exported, exported


@tap.case("/ui/secret/no-draft")
def _():
    with Scene(REPLIES) as scene:
        scene.send("Log in.")
        scene.wait_for_card()
        scene.window.type(CANARY, name="Your thoughts")
        scene.window.act("card.ask-back", **CARD)
        scene.window.act("card.dismiss", **CARD)
        scene.window.gone(**CARD)
        scene.restart()
        scene.window.find(contains="Dismissed")
        assert not scene.home.has_stored("canary"), "it is in the store"


if __name__ == "__main__":
    scenes.main()
