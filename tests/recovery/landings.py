# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of a command whose program is killed: while it runs, while its changes wait for a person, behind the answer, while
they are landed, and while they are undone, made again or rewound. The commands are real, in a real sandbox; where there is
none these are not played."""

import shutil
import signal
import subprocess

from cases import CASES, END, case, history, told, well
from world import wait

LANDING = "landing"
KEEP = "k: keep"
CUT_OFF = "/continue tries again."
N_FILES = 900


def is_possible():
    return shutil.which("bwrap") is not None and subprocess.run(
        ["unshare", "--user", "--mount", "--map-root-user", "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0


def slowly():
    """The last reply of a model that takes its time: the program that is to be killed cannot have ended before."""
    return {"steps": [{"pause_ms": 500}, {"text": END}, {"finish": "stop"}, {"done": True}]}


def run(scene, command, *endings, **arguments):
    """The model runs a command in a folder of the scene's own. @endings: its replies to what came of it, one for each request."""
    arguments["command"] = command
    scene.replies({"calls": [{"call": "run_command", "id": "call_c", "arguments": arguments}]}, *(endings or [well()]))
    scene.work = scene.world.folder / f"work-{scene.state}-{scene.number}"
    scene.work.mkdir()
    for name in range(N_FILES if "f*" in command else 0):
        (scene.work / f"f{name}").write_text("one\n")
    (scene.work / "gate").write_text("")
    scene.terminal = scene.world.start("chat", "--folder", str(scene.work), *(["--mode", scene.mode] if hasattr(scene, "mode") else []))
    scene.terminal.type(scene.text)
    wait(lambda: scene.conversation, "the conversation in the store")


def rows(scene, sql):
    return scene.world.store.rows(sql, scene.conversation)


def landing(scene):
    """How far it is."""
    found = rows(scene, "SELECT l.state FROM message m JOIN call c ON c.message = m.id JOIN landing l ON l.call = c.id"
                        " WHERE m.conversation = ?")
    return found[0][0] if found else None


def is_made(scene, name="made.txt"):
    """Whether the command at work has made its file, on its view."""
    return any(list(scene.world.folder.glob(f"data/beckon/landings/{call['id']}/*/{name}")) for call in scene.calls())


def answers(scene):
    return len(rows(scene, "SELECT 1 FROM request r JOIN settlement s ON s.request = r.id WHERE r.conversation = ?"))


def finish(scene, words, is_news=False):
    # A kill that comes late meets the round behind the landing: its reply is cut off, and the person goes on. One that comes later
    # still meets a run that had ended, of which the next terminal says nothing.
    if scene.world.store.phase(scene.conversation) != "complete" and scene.terminal.wait(END, CUT_OFF) == CUT_OFF:
        scene.terminal.type("/continue")
        scene.terminal.wait(END)
    request = str(history(scene.last_request())) if is_news else told(scene).get("call_c", "")
    scene.expect(words in request, f"the model is told “{words}”: {request}")


@case(LANDING, "running", stored=False)
def _(scene):
    run(scene, "echo half >made.txt; echo begun; until grep -q go gate; do sleep 0.05; done")
    wait(lambda: scene.is_in("call", "started"), "the start in the store")
    wait(lambda: is_made(scene), "what it made, on its view")
    yield
    finish(scene, "Nothing that it changed is in the folder.")
    scene.expect(not (scene.work / "made.txt").exists(), "nothing of it is in the folder")
    scene.expect(answers(scene) == 0, "there was nothing to ask")


@case(LANDING, "landed-while-it-runs", stored=False)
def _(scene):
    """A command that is asked about has had landed what it made; the program ends while it runs, or while that is landing."""
    scene.mode = "outside"
    run(scene, "echo half >made.txt; until grep -q go gate; do sleep 0.05; done", timeout_seconds=4)
    wait(lambda: landing(scene) == "landed" if scene.number % 2 else landing(scene) in ("decided", "landed"), "the landing")
    yield
    finish(scene, "Some of what it changed was saved in the folder while it still ran.")
    scene.expect((scene.work / "made.txt").read_text() == "half\n", "what landed stays")
    scene.expect(landing(scene) == "landed", "it has landed")
    scene.world.run("undo", scene.calls()[0]["id"])
    scene.expect(not (scene.work / "made.txt").exists(), "its call undoes it")


@case(LANDING, "on-the-network", stored=False)
def _(scene):
    run(scene, "echo half >made.txt; until grep -q go gate; do sleep 0.05; done", network=True)
    scene.terminal.wait("Run this command?")
    scene.terminal.type("1")
    wait(lambda: is_made(scene), "what it made, on its view")
    yield
    # The folder has nothing of it, but somebody else may have heard of it.
    scene.terminal.wait("Interrupted: Run ")
    scene.expect(not (scene.work / "made.txt").exists(), "nothing of it is in the folder")
    scene.terminal.type("2")
    finish(scene, "The user skipped this call.")


def background(scene, *endings):
    """A command in the background; another one behind it, or what else @endings say."""
    scene.mode = "outside" if endings else "changes"
    scene.sleep = 1_000_000 + scene.number + 1000 * len(scene.state)
    run(scene, f"echo half >made.txt; exec sleep {scene.sleep}", *(endings or [well()]), background=True)


def sleeps(scene):
    return subprocess.run(["pgrep", "-f", f"^sleep {scene.sleep}$"], check=False, stdout=subprocess.DEVNULL).returncode == 0


@case(LANDING, "in-the-background", stored=False)
def _(scene):
    next_call = {"call": "run_command", "id": "call_d", "arguments": {"command": "touch begun; until grep -q go gate; do sleep 0.05; done"}}
    background(scene, {"calls": [next_call]}, well())
    wait(lambda: is_made(scene, "begun") and sleeps(scene), "the next command")
    yield
    # It goes on to read how the command began.
    finish(scene, "The program ended while this ran in the background", is_news=True)
    scene.expect("It goes on in the background" in told(scene)["call_c"], f"what it read stays: {told(scene)}")
    wait(lambda: not sleeps(scene), "its end with its program")
    scene.expect("Nothing that it changed is in the folder." in told(scene)["call_d"], f"the next one is over: {told(scene)}")
    scene.expect(not (scene.work / "made.txt").exists(), "nothing of it is in the folder")


@case(LANDING, "asked-for-more-beside-the-background", stored=False)
def _(scene):
    """The reply behind the command has not begun, so that its call is of the last message."""
    background(scene, {"steps": [{"hold": "never"}]}, well())
    wait(lambda: len(scene.requests()) == 2 and is_made(scene) and sleeps(scene), "the request, and what the command made")
    wait(lambda: scene.is_in("run", "requesting"), "the request in the store")
    yield
    # It goes on to read how the command began.
    finish(scene, "The program ended while this ran in the background", is_news=True)
    scene.expect("It goes on in the background" in told(scene)["call_c"], f"what it read stays: {told(scene)}")
    wait(lambda: not sleeps(scene), "its end with its program")
    scene.expect(not (scene.work / "made.txt").exists(), "nothing of it is in the folder")
    scene.world.run("list")
    scene.expect(not is_made(scene), "its place is gone")


@case(LANDING, "waiting-behind-the-last-reply", stored=False)
def _(scene):
    """The turn waits for what becomes of the changes of a command that ran in the background."""
    background(scene)
    scene.terminal.wait(KEEP)
    scene.asked = scene.pending()
    yield
    scene.terminal.wait(KEEP)
    scene.expect(scene.pending() == scene.asked and len(scene.asked) == 1, "the same changes, byte for byte")
    scene.terminal.type("k")
    scene.wait_for_the_end()
    scene.expect((scene.work / "made.txt").read_text() == "half\n", "what was said holds")
    scene.expect(not sleeps(scene), "it ended with its turn")


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


@case(LANDING, "waiting-in-a-closed-terminal", stored=False)
def _(scene):
    run(scene, "echo new >made.txt; echo said")
    scene.terminal.wait(KEEP)
    asked = scene.pending()
    scene.terminal.process.send_signal((signal.SIGTERM, signal.SIGHUP)[scene.number % 2])
    wait(lambda: scene.terminal.process.poll() is not None, "the end of the program")
    scene.expect(scene.pending() == asked and len(asked) == 1, "the question survives its terminal")
    scene.restart()
    yield
    scene.terminal.wait(KEEP)
    scene.expect(scene.pending() == asked, "the same changes, byte for byte")
    scene.terminal.type("k")
    finish(scene, "Made in the folder: made.txt.")


@case(LANDING, "answered", stored=False)
def _(scene):
    run(scene, "for f in f*; do echo two >>$f; done", slowly(), slowly())
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
    run(scene, "for f in f*; do echo two >>$f; done; echo new >made.txt", slowly(), slowly())
    scene.terminal.wait(KEEP)
    scene.terminal.type("k")
    wait(lambda: landing(scene) in ("decided", "landed"), "the plan in the store")
    yield
    finish(scene, "Changed in the folder: f0,")
    changed = [path for path in scene.work.glob("f*") if path.read_text() == "one\ntwo\n"]
    scene.expect(len(changed) == N_FILES, f"all of it landed, once: {len(changed)}")
    scene.expect((scene.work / "made.txt").read_text() == "new\n", "what was made landed")
    scene.expect(answers(scene) == 1 and landing(scene) == "landed", "it was asked once, and is done")


# A half-done folder is whole again when the next program of any kind has started

def lock(scene):
    """Locks the store for writing from now on."""
    scene.lock = scene.world.store.open("rw")
    scene.lock.execute("PRAGMA busy_timeout = 10000")
    scene.lock.execute("BEGIN IMMEDIATE")


def unlock(scene):
    scene.lock.close()
    scene.lock = None


def count(scene, words):
    return len([path for path in scene.work.glob("f*") if path.read_text() == words])


def land(scene, command):
    """All of it is in the folder, and the conversation is over."""
    run(scene, command)
    scene.terminal.wait(KEEP)
    scene.terminal.type("k")
    scene.terminal.wait(END)
    scene.wait_for_the_end()


def begin(scene, path, words, *arguments):
    """Undoes, and is killed when the file, one of many, is as it is to be."""
    number = scene.number
    process = subprocess.Popen([scene.world.terminal, "undo", *arguments], env=scene.world.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        if number == 4:
            wait(lambda: scene.world.store.rows("SELECT 1 FROM undoing") or process.poll() is not None, "the note in the store")
            lock(scene)
        wait(lambda: path.read_text() == words or process.poll() is not None, "one file")
        if number == 4:
            wait(lambda: count(scene, words) == N_FILES or process.poll() is not None, "all files")
    finally:
        process.kill()
        process.wait()
        if number == 4:
            unlock(scene)


def victim(scene):
    return sorted(scene.work.glob("f*"))[scene.number * N_FILES // 5]


def whole(scene, words):
    scene.world.run("list")
    scene.expect(count(scene, words) == N_FILES, f"every file is as it is to be: {count(scene, words)}")
    scene.expect(not scene.world.store.rows("SELECT 1 FROM undoing"), "nothing is noted any more")


@case(LANDING, "landed-unnoted", stored=False)
def _(scene):
    run(scene, "for f in f*; do echo two >>$f; done", slowly(), slowly())
    scene.terminal.wait(KEEP)
    scene.terminal.type("k")
    wait(lambda: landing(scene) in ("decided", "landed"), "the plan in the store")
    lock(scene)
    wait(lambda: count(scene, "one\ntwo\n") > scene.number * N_FILES // 5, "some of it in the folder")
    if scene.number == 4:
        wait(lambda: count(scene, "one\ntwo\n") == N_FILES, "all of it in the folder")
    scene.terminal.kill()
    unlock(scene)
    whole(scene, "one\ntwo\n")
    scene.expect(landing(scene) == "landed", "it has landed")
    scene.world.run("undo", scene.calls()[0]["id"])
    scene.expect(count(scene, "one\n") == N_FILES, "it can be undone before its run is resumed")
    scene.world.run("undo", "--redo", scene.calls()[0]["id"])
    scene.terminal = scene.world.start("chat", "--conversation", scene.conversation)
    yield
    finish(scene, "Changed in the folder: f0,")
    scene.expect(count(scene, "one\ntwo\n") == N_FILES, "it stays")
    scene.expect(answers(scene) == 1, "it was asked once")


@case(LANDING, "undoing", stored=False)
def _(scene):
    land(scene, "for f in f*; do echo two >>$f; done")
    begin(scene, victim(scene), "one\n", scene.calls()[0]["id"])
    whole(scene, "one\n")
    scene.expect(landing(scene) == "undone", "it is undone")
    scene.world.run("undo", "--redo", scene.calls()[0]["id"])
    scene.expect(count(scene, "one\ntwo\n") == N_FILES, "it can be made again")
    yield


@case(LANDING, "redoing", stored=False)
def _(scene):
    land(scene, "for f in f*; do echo two >>$f; done")
    scene.world.run("undo", scene.calls()[0]["id"])
    begin(scene, victim(scene), "one\ntwo\n", "--redo", scene.calls()[0]["id"])
    whole(scene, "one\ntwo\n")
    scene.expect(landing(scene) == "landed", "it has landed again")
    scene.world.run("undo", scene.calls()[0]["id"])
    scene.expect(count(scene, "one\n") == N_FILES, "it can be undone again")
    yield


@case(LANDING, "rewinding", stored=False)
def _(scene):
    """A command, a file tool behind it, and the command again: one of the three is being undone."""
    command = {"call": "run_command", "id": "call_c", "arguments": {"command": "for f in f*; do echo two >>$f; done"}}
    file = {"call": "write_file", "id": "call_w", "arguments": {"path": "note.txt", "content": "new\n"}}
    scene.replies({"calls": [command]}, {"calls": [file]}, {"calls": [dict(command, id="call_d")]}, well())
    scene.work = scene.world.folder / f"work-{scene.state}-{scene.number}"
    scene.work.mkdir()
    for name in range(N_FILES):
        (scene.work / f"f{name}").write_text("one\n")
    (scene.work / "note.txt").write_text("old\n")
    scene.terminal = scene.world.start("run", "--mode", "outside", "--folder", str(scene.work), scene.text)
    wait(lambda: scene.conversation, "the conversation in the store")
    scene.terminal.wait(END)
    scene.wait_for_the_end()
    # The last command first, then the first one; between them the file.
    begin(scene, victim(scene), ("one\ntwo\n", "one\n")[scene.number % 2], "--turn", scene.conversation)
    whole(scene, "one\n")
    scene.expect((scene.work / "note.txt").read_text() == "old\n", "the file is as it was")
    scene.world.run("undo", "--redo", "--turn", scene.conversation)
    scene.expect(count(scene, "one\ntwo\ntwo\n") == N_FILES, "all of it can be made again")
    scene.expect((scene.work / "note.txt").read_text() == "new\n", "the file too")
    yield


LANDINGS = [key for key in CASES if key[0] == LANDING] if is_possible() else []
