# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of what a command changed whose program is killed: while it runs, while its changes wait for a person, behind the
answer, and while they are landed. The commands are real, in a real sandbox; where there is none these are not played."""

import shutil
import subprocess

from cases import CASES, END, case, told, well
from world import wait

LANDING = "landing"
KEEP = "k: keep all"
N_FILES = 900


def is_possible():
    return shutil.which("bwrap") is not None and subprocess.run(
        ["unshare", "--user", "--mount", "--map-root-user", "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0


def run(scene, command, **arguments):
    """The model runs a command in a folder of the scene's own."""
    arguments["command"] = command
    scene.replies({"calls": [{"call": "run_command", "id": "call_c", "arguments": arguments}]}, well())
    scene.work = scene.world.folder / f"work-{scene.state}-{scene.number}"
    scene.work.mkdir()
    for name in range(N_FILES if "f*" in command else 0):
        (scene.work / f"f{name}").write_text("one\n")
    (scene.work / "gate").write_text("")
    scene.terminal = scene.world.start("chat", "--folder", str(scene.work))
    scene.terminal.type(scene.text)
    wait(lambda: scene.conversation, "the conversation in the store")


def rows(scene, sql):
    return scene.world.store.rows(sql, scene.conversation)


def landing(scene):
    """How far it is."""
    found = rows(scene, "SELECT l.state FROM message m JOIN call c ON c.message = m.id JOIN landing l ON l.call = c.id"
                        " WHERE m.conversation = ?")
    return found[0][0] if found else None


def is_made(scene):
    """Whether the command at work has made its file, on its view."""
    return any(list(scene.world.folder.glob(f"data/beckon/landings/{call['id']}/*/made.txt")) for call in scene.calls())


def answers(scene):
    return len(rows(scene, "SELECT 1 FROM request r JOIN settlement s ON s.request = r.id WHERE r.conversation = ?"))


def finish(scene, words):
    scene.terminal.wait(END)
    scene.expect(words in told(scene).get("call_c", ""), f"the model is told “{words}”: {told(scene)}")


@case(LANDING, "running", stored=False)
def _(scene):
    run(scene, "echo half >made.txt; echo begun; until grep -q go gate; do sleep 0.05; done")
    wait(lambda: scene.is_in("call", "started"), "the start in the store")
    wait(lambda: is_made(scene), "what it made, on its view")
    yield
    finish(scene, "Nothing that it changed is in the folder.")
    scene.expect(not (scene.work / "made.txt").exists(), "nothing of it is in the folder")
    scene.expect(answers(scene) == 0, "there was nothing to ask")


@case(LANDING, "on-the-network", stored=False)
def _(scene):
    run(scene, "echo half >made.txt; until grep -q go gate; do sleep 0.05; done", network=True)
    scene.terminal.wait("About to run run_command")
    scene.terminal.type("1")
    wait(lambda: is_made(scene), "what it made, on its view")
    yield
    # Nothing is in the folder, but somebody else may have heard of it.
    scene.terminal.wait("Interrupted: run_command")
    scene.expect(not (scene.work / "made.txt").exists(), "nothing of it is in the folder")
    scene.terminal.type("2")
    finish(scene, "The user skipped this call.")


@case(LANDING, "waiting", stored=False)
def _(scene):
    run(scene, "echo new >made.txt; echo said")
    scene.terminal.wait(KEEP)
    scene.asked = scene.pending()
    yield
    scene.terminal.wait(KEEP)
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same changes, byte for byte")
    scene.expect(not (scene.work / "made.txt").exists(), "nothing landed by itself")
    scene.terminal.type(("k", "n")[scene.number % 2])
    finish(scene, ("Made in the folder: made.txt.", "Left out by the user: made.txt.")[scene.number % 2])
    scene.expect((scene.work / "made.txt").exists() == (scene.number % 2 == 0), "what was said holds")
    scene.expect("said\n" in told(scene)["call_c"], "what it put out is told")


@case(LANDING, "answered", stored=False)
def _(scene):
    run(scene, "for f in f*; do echo two >>$f; done")
    scene.terminal.wait(KEEP)
    scene.terminal.type("k")
    wait(lambda: answers(scene) == 1, "the answer in the store")
    yield
    finish(scene, "Changed in the folder: f0,")
    changed = [path for path in scene.work.glob("f*") if path.read_text() == "one\ntwo\n"]
    scene.expect(len(changed) == N_FILES, f"all of it landed, once: {len(changed)}")
    scene.expect(answers(scene) == 1, "it was asked once")


@case(LANDING, "decided", stored=False)
def _(scene):
    run(scene, "for f in f*; do echo two >>$f; done; echo new >made.txt")
    scene.terminal.wait(KEEP)
    scene.terminal.type("k")
    wait(lambda: landing(scene) in ("decided", "landed"), "the plan in the store")
    yield
    finish(scene, "Changed in the folder: f0,")
    changed = [path for path in scene.work.glob("f*") if path.read_text() == "one\ntwo\n"]
    scene.expect(len(changed) == N_FILES, f"all of it landed, once: {len(changed)}")
    scene.expect((scene.work / "made.txt").read_text() == "new\n", "what was made landed")
    scene.expect(answers(scene) == 1 and landing(scene) == "landed", "it was asked once, and is done")


LANDINGS = [key for key in CASES if key[0] == LANDING] if is_possible() else []
