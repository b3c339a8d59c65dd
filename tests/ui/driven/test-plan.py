#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan in the real window: a step is inserted, one is skipped and two are swapped before it runs; then it is carried out step
by step, over a death of the program. test-plan.py BUILD_ROOT. Runs on a display of its own. BECKON_PICTURES=FOLDER
keeps pictures of it."""

import contextlib
import json
import os
import pathlib
import sys

import scenes
import screenshots
from scenes import Scene, driver, models, tap

CALL = "call_plan"


def step(identifier, zone):
    return {"id": identifier, "tool": "get_current_time", "arguments": {"timezone": zone}}


PLAN = {
    "title": "What time is it elsewhere?",
    "steps": [step("utc", "UTC"), step("berlin", "Europe/Berlin"), step("shanghai", "Asia/Shanghai"),
              step("tokyo", "Asia/Tokyo")],
}
REPLIES = [
    {"user": "Plan it.", "calls": [{"call": "propose_plan", "id": CALL, "arguments": PLAN}]},
    {"result": "status", "text": "That was all."},
]


def keep(window, name):
    """A picture for whoever asks for them; what is printed of it is not the test's."""
    folder = os.environ.get("BECKON_PICTURES")
    if folder:
        with contextlib.redirect_stdout(sys.stderr):
            screenshots.shoot(window, pathlib.Path(folder) / name)


def row(scene, words):
    return {"contains": words, "within": scene.window.find(name="Plan: " + PLAN["title"]), "role": "panel"}


def propose(scene):
    scene.send("Plan it.")
    card = {"name": "Plan: " + PLAN["title"], "role": "panel"}
    driver.wait(lambda: not driver.is_busy(scene.window.find(**card)), "a card that listens")


def run_step(scene, zone):
    """The step that is next is named, with its approval; a new card takes no input for a moment."""
    scene.window.find(contains=f"get_current_time {zone} Waiting for you")
    scene.window.find(contains="Look at the clock", role="panel")
    driver.wait(lambda: not any(driver.is_busy(node)
                                for node in scene.window.all(contains="Look at the clock", role="panel")), "a card that listens")
    scene.window.press(name="Run")


@tap.case("/ui/plan/inserted-skipped-swapped")
def _():
    with Scene(REPLIES) as scene:
        propose(scene)
        window = scene.window
        keep(window, "plan-proposed.png")
        window.act("step.insert", **row(scene, "1. Look at the clock get_current_time"))
        window.type("get_current_time", name="Tool of the step")
        window.type('{"timezone":"Africa/Nairobi"}', name="Arguments of the step")
        window.press(name="Apply to the step")
        window.find(contains="2. Look at the clock get_current_time Africa/Nairobi")
        window.press(name="Skip step 3")
        window.find(contains="3. Look at the clock get_current_time Europe/Berlin Skipped")
        window.act("step.down", **row(scene, "4. Look at the clock get_current_time"))
        window.find(contains="5. Look at the clock get_current_time Asia/Shanghai")
        # A mark is a pause, whatever the plan did before it.
        for words in ("1. Look at the clock get_current_time", "2. Look at the clock get_current_time",
                      "4. Look at the clock get_current_time", "5. Look at the clock get_current_time"):
            window.act("step.pause", **row(scene, words))
        keep(window, "plan-changed.png")
        scenes.accept_plan(window)
        run_step(scene, "UTC")
        window.find(contains="1. Look at the clock get_current_time UTC Done")
        window.find(contains="Waiting for you")
        # What it ran with and what came of it, on the card of its call.
        window.press(contains="Looked at the clock, done")
        window.find(name="Result")
        shown = [node.text() for node in window.all(name="Code", role="text")]
        assert any("(UTC)" in text for text in shown), shown
        keep(window, "plan-running.png")

        # Killed at a pause: what is done stays done, what waits waits.
        scene.restart()
        window = scene.window
        window.find(contains="1. Look at the clock get_current_time UTC Done")
        run_step(scene, "Africa/Nairobi")
        window.find(contains="2. Look at the clock get_current_time Africa/Nairobi Done")
        run_step(scene, "Asia/Tokyo")
        window.find(contains="4. Look at the clock get_current_time Asia/Tokyo Done")
        run_step(scene, "Asia/Shanghai")
        window.find(contains="That was all.")
        keep(window, "plan-over.png")

        told = json.loads(models.results_of(scene.requests(2))[CALL])
        assert told["status"] == "completed", told
        assert [entry["status"] for entry in told["steps"]] == ["completed", "completed", "skipped", "completed", "completed"], told
        changes = told["changed_by_the_user"]
        assert changes["inserted"][0]["after"] == "utc", changes
        assert changes["skipped"] == ["berlin"], changes
        assert changes["order"] == ["utc", "berlin", "tokyo", "shanghai"], changes


@tap.case("/ui/plan/room-for-the-step")
def _():
    """A step that waits has the room: how the plan runs is in its menu."""
    with Scene(REPLIES) as scene:
        propose(scene)
        window = scene.window
        assert window.has(role="combo box", name="When a step fails")
        window.act("step.pause", **row(scene, "1. Look at the clock get_current_time"))
        scenes.accept_plan(window)
        window.find(contains="Waiting for you")
        window.gone(role="combo box", name="When a step fails")
        assert not window.has(name="Accepted")
        window.act("plan.settings", contains="Plan: ", role="panel")
        window.find(role="combo box", name="When a step fails")
        window.find(role="push button", name="Replan")


def click_step(scene, words):
    """Clicks on what a step says; until the card is at rest it may not be there any more where it was."""
    def clicked():
        scene.window.click(driver.MAIN, contains=words, role="label")
        return scene.window.find(**row(scene, words)).has_state(driver.accessible.FOCUSED)

    driver.wait(clicked, "the focus on the step")


@tap.case("/ui/plan/keys-move-what-was-clicked")
def _():
    with Scene(REPLIES) as scene:
        propose(scene)
        window = scene.window
        click_step(scene, "Asia/Shanghai")
        window.keys(driver.MAIN, "alt+Up")
        window.find(**row(scene, "2. Look at the clock get_current_time Asia/Shanghai"))
        click_step(scene, "Asia/Tokyo")
        window.keys(driver.MAIN, "alt+Up")
        window.find(**row(scene, "3. Look at the clock get_current_time Asia/Tokyo"))
        window.find(**row(scene, "2. Look at the clock get_current_time Asia/Shanghai"))


@tap.case("/ui/plan/a-step-that-is-not-added-after-all")
def _():
    with Scene(REPLIES) as scene:
        propose(scene)
        scene.window.press(name="Add a step")
        scene.window.find(name="Tool of the step")
        scene.window.keys(driver.MAIN, "Escape")
        scene.window.gone(name="Tool of the step")
        scene.window.find(**row(scene, "4. Look at the clock get_current_time Asia/Tokyo"))


@tap.case("/ui/plan/draft-and-dismissal")
def _():
    with Scene(REPLIES) as scene:
        propose(scene)
        scene.window.press(name="Delete step 2")
        scene.window.gone(contains="Europe/Berlin")
        driver.wait(lambda: scene.home.has_stored('"UTC"},"status":"pending"},{"id":"shanghai"'), "the draft in the store")
        scene.restart()
        scene.window.find(name="Plan: " + PLAN["title"])
        driver.wait(lambda: not driver.is_busy(scene.window.find(name="Plan: " + PLAN["title"], role="panel")), "a card that listens")
        assert not scene.window.has(contains="Europe/Berlin"), driver.describe(scene.window.root)
        scene.window.press(name="Dismiss the plan")
        told = models.results_of(scene.requests(2))[CALL]
        assert "did not accept" in told, told


scenes.main()
