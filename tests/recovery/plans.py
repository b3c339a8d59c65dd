# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans whose program is killed in the middle. Their steps are calls that no message holds, so that they are
no states of the tables; they are played as the cases of these are."""

from cases import CASES, END, answer, case, told, well
from world import wait

PLAN = "plan"


def propose(text):
    steps = [{"id": name, "tool": "write_note", "arguments": {"n": f"{text} {name}"}} for name in ("one", "two")]
    return {"call": "propose_plan", "id": "call_p", "arguments": {"title": "Two notes", "steps": steps}}


def steps_run(scene):
    """The steps that ran, in order, as often as they did."""
    return [arguments.split()[-1].rstrip('"}') for _, arguments in scene.world.effects(scene.text)]


def begin(scene):
    scene.replies({"calls": [propose(scene.text)]}, well())
    scene.send()
    scene.terminal.wait("Accept and run")


def allow(scene, number):
    answer(scene, f"Step {number} of 2 of the plan", "1")


def finish(scene, expected):
    scene.terminal.wait(END)
    scene.expect(steps_run(scene) == expected, f"what ran: {steps_run(scene)}, not {expected}")
    result = told(scene).get("call_p", "")
    scene.expect('"status":"completed"' in result, f"the model is told how it ended: {result}")


def settled_steps(scene):
    """How often a person let a step run."""
    return len(scene.world.store.rows(
        "SELECT 1 FROM step t JOIN request r ON r.call = t.call JOIN settlement s ON s.request = r.id"
        " WHERE r.conversation = ?", scene.conversation))


@case(PLAN, "proposed", stored=False)
def _(scene):
    begin(scene)
    scene.asked = scene.pending()
    yield
    scene.terminal.wait("Accept and run")
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same plan, byte for byte")
    scene.expect(steps_run(scene) == [], "nothing of it runs before it is accepted")
    scene.terminal.type("1")
    allow(scene, 1)
    allow(scene, 2)
    finish(scene, ["one", "two"])


@case(PLAN, "between-steps", stored=False)
def _(scene):
    begin(scene)
    scene.terminal.type("1")
    allow(scene, 1)
    scene.terminal.wait("Step 2 of 2 of the plan")
    scene.asked = scene.pending()
    yield
    scene.terminal.wait("Step 2 of 2 of the plan")
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same step is asked for, byte for byte")
    scene.expect(steps_run(scene) == ["one"], "what is done is not done again")
    scene.terminal.type("1")
    finish(scene, ["one", "two"])
    scene.expect(settled_steps(scene) == 2, "each step was decided once")


@case(PLAN, "step-at-work", stored=False, held=True)
def _(scene):
    begin(scene)
    scene.terminal.type("1")
    allow(scene, 1)
    wait(lambda: steps_run(scene) == ["one"], "the step at work")
    yield
    scene.terminal.wait("Interrupted: write_note")
    scene.expect(steps_run(scene) == ["one"], "it was not run again by itself")
    scene.terminal.type("The note is there")
    allow(scene, 2)
    finish(scene, ["one", "two"])


PLANS = [key for key in CASES if key[0] == PLAN]
