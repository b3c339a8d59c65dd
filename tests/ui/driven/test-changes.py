#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The agent's changes in the real window: they are seen, kept in part, undone, and the folder is rewound. test-changes.py
BUILD_ROOT. Runs on a display of its own."""

import pathlib

import scenes
from scenes import Scene, driver, models, tap

WRITING = [
    {"user": "Hello.", "text": "Hi."},
    {"user": "Write it.", "calls": [
        {"call": "write_file", "id": "call_one", "arguments": {"path": "note.txt", "content": "This is the note.\n"}},
        {"call": "write_file", "id": "call_two", "arguments": {"path": "new.txt", "content": "This is new.\n"}}]},
    {"result": "new.txt", "text": "They are written."},
]
COMMAND = {"command": "sed -i s/teh/the/ note.txt; mkdir build; echo x > build/a; echo 'export A=b' > .envrc; echo made"}
RUNNING = [
    {"user": "Hello.", "text": "Hi."},
    {"user": "Make it.", "calls": [{"call": "run_command", "id": "call_make", "arguments": COMMAND}]},
    {"result": "made", "text": "It is made."},
]
PLANNING = [
    {"user": "Hello.", "text": "Hi."},
    {"user": "Plan it.", "calls": [{"call": "propose_plan", "id": "call_plan", "arguments": {
        "title": "Make", "steps": [{"id": "a", "tool": "run_command", "arguments": COMMAND}]}}]},
    {"result": "made", "text": "It is made as planned."},
]
TITLE = "Changed 1 file, made 2 files"


def begin(scene):
    """A conversation in a folder of its own, which holds a note."""
    folder = pathlib.Path(scene.home.folder) / "work" / "notes"
    folder.mkdir(parents=True)
    (folder / "note.txt").write_text("This is teh note.\n")
    scene.home.ctl("run", "--folder", str(folder), "Hello.")
    scene.restart()
    scene.window.find(contains="Hi.")
    return folder


def open_rewind(scene):
    """By keys alone: from the composer to the last message, the three before it, of which one says why the model reads all of
    the conversation again, the menu."""
    scene.window.keys(driver.MAIN, "ctrl+Up", "Up", "Up", "Up", "shift+F10")
    scene.window.press(role="menu item", contains="Rewind Folder to Here")
    scene.window.find(contains="Undoes what the agent changed")


@tap.case("/ui/changes/rewind")
def _():
    """Seen before it is done, done, and made undone."""
    with Scene(WRITING, opens=False, default_mode="outside") as scene:
        folder = begin(scene)
        note, new = folder / "note.txt", folder / "new.txt"
        scene.send("Write it.")
        scene.window.find(contains="They are written.")
        assert (note.read_text(), new.exists()) == ("This is the note.\n", True)
        open_rewind(scene)
        scene.window.find(contains="note.txt, Becomes what it was")
        scene.window.find(contains="new.txt, Is deleted: it was not there")
        assert new.exists(), "it was done before it was wanted"
        scene.window.press(role="push button", contains="Rewind")
        driver.wait(lambda: note.read_text() == "This is teh note.\n" and not new.exists(), "the folder as it was")
        undo, message = scene.window.find(role="push button", name="Undo"), scene.window.find(role="text", name="Message")
        driver.wait(lambda: undo.middle()[1] < message.middle()[1] - 24, "the toast above the composer")
        scene.window.press(role="push button", name="Undo")
        driver.wait(lambda: note.read_text() == "This is the note.\n" and new.exists(), "the folder as it became")
        driver.wait(lambda: scene.window.find(role="text", name="Message").has_state(driver.accessible.FOCUSED),
                    "the focus in the composer")


@tap.case("/ui/changes/rewind-toast-makes-room")
def _():
    """The agent's next question is not below the way back from a rewind."""
    with Scene([*WRITING, *RUNNING[1:]], opens=False, default_mode="outside") as scene:
        begin(scene)
        scene.send("Write it.")
        scene.window.find(contains="They are written.")
        open_rewind(scene)
        scene.window.press(role="push button", contains="Rewind")
        scene.window.find(role="push button", name="Undo")
        scene.send("Make it.")
        wait_for_changes(scene)
        driver.wait(lambda: not scene.window.has(role="push button", name="Undo"), "the end of the toast", 8)


@tap.case("/ui/changes/rewind-keeps-what-you-changed")
def _():
    """A file that was changed since stays; with the conversation, the message is there to be sent again."""
    with Scene(WRITING, opens=False, default_mode="outside") as scene:
        folder = begin(scene)
        note, new = folder / "note.txt", folder / "new.txt"
        scene.send("Write it.")
        scene.window.find(contains="They are written.")
        note.write_text("Mine.\n")
        open_rewind(scene)
        scene.window.find(contains="1 stays as it is.")
        scene.window.click("Rewind Folder", role="check box", contains="Also Go Back in the Conversation")
        scene.window.press(role="push button", contains="Rewind")
        driver.wait(lambda: not new.exists(), "the new file gone")
        assert note.read_text() == "Mine.\n", note.read_text()
        driver.wait(lambda: scene.window.length(role="text", name="Message") == len("Write it."), "the message to be edited")


def wait_for_changes(scene):
    """A new card takes no input for a moment."""
    scene.window.find(contains=TITLE, role="panel")
    driver.wait(lambda: not any(driver.is_busy(node) for node in scene.window.all(contains=TITLE, role="panel")),
                "a card that listens")


@tap.case("/ui/changes/keep-undo-redo")
def _():
    """A command runs unasked and nothing of what it did is there before it is kept; what others run stays out by itself."""
    with Scene(RUNNING, opens=False) as scene:
        folder = begin(scene)
        note, made, planted = folder / "note.txt", folder / "build/a", folder / ".envrc"
        before = sorted(path.name for path in folder.iterdir())
        scene.send("Make it.")
        wait_for_changes(scene)
        scene.window.find(contains=".envrc, new, 1 line, direnv runs it")
        assert sorted(path.name for path in folder.iterdir()) == before, "something landed unseen"
        assert note.read_text() == "This is teh note.\n", note.read_text()
        scene.window.press(name="Keep 2 of 3")
        scene.window.find(contains="It is made.")
        assert (note.read_text(), made.read_text()) == ("This is the note.\n", "x\n")
        assert not planted.exists()
        told = models.results_of(scene.requests(3))["call_make"]
        assert ".envrc" in told, told
        scene.window.find(contains="left out 1 change")
        scene.window.press(name="Undo These Changes")
        driver.wait(lambda: note.read_text() == "This is teh note.\n" and not made.exists(), "the folder as it was")
        assert sorted(path.name for path in folder.iterdir()) == before
        scene.window.press(name="Redo These Changes")
        driver.wait(lambda: note.read_text() == "This is the note.\n" and made.exists(), "the folder as it became")
        assert not planted.exists()
        scene.window.find(name="Undo These Changes")


@tap.case("/ui/changes/mode-outside")
def _():
    """In the mode that asks least, what others run stays out by itself too, and the rest is not said to be there already."""
    with Scene(RUNNING, opens=False, default_mode="outside") as scene:
        folder = begin(scene)
        before = sorted(path.name for path in folder.iterdir())
        scene.send("Make it.")
        wait_for_changes(scene)
        scene.window.find(contains="note.txt, 1 line added, 1 removed, Will be kept")
        assert scene.window.find(name="Save the Other 2").has_state(driver.accessible.SENSITIVE), "the rest cannot be saved"
        assert not scene.window.all(role="check box", name="Keep note.txt"), "what is decided can be chosen"
        assert sorted(path.name for path in folder.iterdir()) == before, "something landed before the answer"
        scene.window.keys(driver.MAIN, "ctrl+j", "space")
        scene.window.press(name="Keep All")
        scene.window.find(contains="It is made.")
        assert (folder / ".envrc").read_text() == "export A=b\n"
        assert (folder / "note.txt").read_text() == "This is the note.\n"


@tap.case("/ui/changes/undo-keeps-what-you-changed")
def _():
    """A file that was changed since stays, and the card says so."""
    with Scene(RUNNING, opens=False) as scene:
        folder = begin(scene)
        note, made = folder / "note.txt", folder / "build/a"
        scene.send("Make it.")
        wait_for_changes(scene)
        scene.window.press(name="Keep 2 of 3")
        scene.window.find(contains="It is made.")
        note.write_text("Mine.\n")
        scene.window.press(name="Undo These Changes")
        driver.wait(lambda: not made.exists(), "the new file gone")
        scene.window.find(contains="Undone, except for 1 file that stays as it is")
        assert note.read_text() == "Mine.\n"


@tap.case("/ui/changes/keys-and-draft")
def _():
    """Without a pointer, and what was unchecked is so after a crash."""
    with Scene(RUNNING, opens=False) as scene:
        folder = begin(scene)
        scene.send("Make it.")
        wait_for_changes(scene)
        scene.window.find(name="Keep 2 of 3")
        scene.window.keys(driver.MAIN, "ctrl+j", "space")
        scene.window.find(name="Keep All")
        driver.wait(lambda: scene.home.has_stored('"draft":"changes"'), "the draft in the store")
        scene.restart()
        wait_for_changes(scene)
        scene.window.find(name="Keep All")
        scene.window.keys(driver.MAIN, "ctrl+j", "ctrl+Return")
        scene.window.find(contains="It is made.")
        assert (folder / ".envrc").read_text() == "export A=b\n"


@tap.case("/ui/changes/composer-keeps")
def _():
    """Ctrl+Enter in the empty composer is about the card, with text about the text; the buttons are there with a long difference."""
    lines = "; ".join(f"sed -i {line}s/$/x/ long.txt" for line in (1, 20, 40, 60, 80))
    running = [WRITING[0], {"user": "Make it.", "calls": [
        {"call": "run_command", "id": "call_long", "arguments": {"command": lines + "; echo made"}}]}, RUNNING[2]]
    with Scene(running, opens=False) as scene:
        folder = begin(scene)
        long = folder / "long.txt"
        long.write_text("line\n" * 90)
        scene.send("Make it.")
        scene.window.find(contains="Changed 1 file", role="panel")
        driver.wait(lambda: not any(driver.is_busy(node) for node in scene.window.all(contains="Changed 1 file", role="panel")),
                    "a card that listens")
        scene.window.find(name="Keep part 5")
        keep, message = scene.window.find(name="Keep All"), scene.window.find(role="text", name="Message")
        driver.wait(lambda: 0 < keep.middle()[1] < message.middle()[1], "the buttons above the composer")
        scene.window.type("Wait.", role="text", name="Message")
        scene.window.keys(driver.MAIN, "ctrl+Return")
        scene.window.find(name="Edit the queued message: Wait.")
        assert "x" not in long.read_text(), "text in the composer approved something"
        scene.window.press(name="Remove the queued message: Wait.")
        scene.window.gone(name="Edit the queued message: Wait.")
        driver.wait(lambda: scene.window.length(role="text", name="Message") == 0, "an empty composer")
        scene.window.keys(driver.MAIN, "ctrl+Return")
        scene.window.find(contains="It is made.")
        assert long.read_text().count("x") == 5


@tap.case("/ui/changes/background")
def _():
    """A command that the turn leaves running has a clock; kept, it outlives the turn, and its Stop saves what it made."""
    serving = [WRITING[0], {"user": "Serve it.", "calls": [{"call": "run_command", "id": "call_serve", "arguments": {
        "command": "echo one >made.txt; exec sleep 1000", "background": True}}]},
        {"result": "[It goes on in the background as output:1", "steps": [{"text": "It serves"}, {"hold": "serves"}, {"text": " well."},
                                                                         {"finish": "stop"}, {"done": True}]}]
    with Scene(serving, opens=False, default_mode="outside") as scene:
        folder = begin(scene)
        scene.send("Serve it.")
        scene.window.find(contains="running in the background, 0:")
        scene.window.press(role="push button", name="Keep Running")
        scene.window.gone(role="push button", name="Keep Running")
        scene.model.release("serves")
        scene.window.find(contains="It serves well.")
        scene.window.find(contains="Running in the background…")
        assert not (folder / "made.txt").exists(), "it ended with the turn"
        scene.window.press(role="push button", name="Stop Command")
        driver.wait(lambda: (folder / "made.txt").exists(), "what it made")
        scene.window.gone(contains="running in the background")
        scene.window.find(name="Undo These Changes")


@tap.case("/ui/changes/new-folder-is-looked-into")
def _():
    """A folder that stands for all in it can be unfolded before it lands, and afterwards."""
    def look():
        scene.window.press(role="push button", contains="build/, new folder, 1200 files")
        driver.wait(lambda: any("build/charts/chart-aaa" in node.text() and "… and 200 more" in node.text()
                                for node in scene.window.all(name="Code", role="text")), "the files in the folder")

    command = "mkdir -p build/charts; seq 1200 | split -a 3 -l 1 - build/charts/chart-; echo made"
    running = [WRITING[0], {"user": "Make it.", "calls": [
        {"call": "run_command", "id": "call_many", "arguments": {"command": command}}]}, RUNNING[2]]
    with Scene(running, opens=False) as scene:
        folder = begin(scene)
        scene.send("Make it.")
        scene.window.find(contains="Made 1200 files in build/", role="panel")
        look()
        assert not (folder / "build").exists(), "looking landed it"
        scene.window.click(driver.MAIN, name="Keep build/", role="check box")
        scene.window.press(name="Keep All")
        scene.window.find(contains="It is made.")
        scene.window.press(name="Made 1200 files in build/")
        look()


@tap.case("/ui/changes/conflict")
def _():
    """A file that is edited while the card waits stays, which is said before the answer and after it."""
    with Scene(RUNNING, opens=False) as scene:
        folder = begin(scene)
        note = folder / "note.txt"
        scene.send("Make it.")
        wait_for_changes(scene)
        note.write_text("Mine.\n")
        scene.window.keys(driver.MAIN, "ctrl+j")
        scene.window.find(contains="note.txt, 1 line added, 1 removed, Changed in the folder meanwhile")
        scene.window.find(role="alert", contains="1 file was changed in the folder meanwhile.")
        scene.window.press(name="Keep 2 of 3")
        scene.window.find(contains="It is made.")
        assert note.read_text() == "Mine.\n"
        scene.window.find(contains="left out 1 change; 1 change was not kept: the file was changed in the folder meanwhile")


@tap.case("/ui/changes/copies-are-deleted")
def _():
    """Copies for an undo are measured, and go when the person wants that; what landed stays."""
    with Scene(RUNNING, opens=False) as scene:
        folder = begin(scene)
        scene.send("Make it.")
        wait_for_changes(scene)
        scene.window.press(name="Keep 2 of 3")
        scene.window.find(contains="It is made.")
        scene.window.find(name="Undo These Changes")
        landings = pathlib.Path(scene.home.folder) / "data/beckon/landings"
        assert list(landings.iterdir()), "nothing is kept"
        scene.window.keys(driver.MAIN, "ctrl+comma")
        scene.window.click("Preferences", role="list item", name="Permissions")
        scene.window.press(role="push button", contains="Delete the copies for undo")
        scene.window.press(role="push button", name="Delete")
        driver.wait(lambda: not list(landings.iterdir()), "the copies gone")
        scene.window.gone(name="Undo These Changes")
        assert (folder / "note.txt").read_text() == "This is the note.\n"
        scene.window.click("Preferences", role="list item", contains="Audit Log")
        driver.wait(lambda: "Audit Log" in [window.name for window in scene.window.windows()], "the audit log")


@tap.case("/ui/changes/step-of-a-plan")
def _():
    """A step's changes are asked about below its row."""
    with Scene(PLANNING, opens=False) as scene:
        folder = begin(scene)
        scene.send("Plan it.")
        scenes.accept_plan(scene.window)
        wait_for_changes(scene)
        assert not (folder / "build").exists()
        scene.window.press(name="Keep 2 of 3")
        scene.window.find(contains="It is made as planned.")
        assert (folder / "build/a").exists() and not (folder / ".envrc").exists()
        scene.window.find(contains="left out 1 change")


@tap.case("/ui/changes/leave-out")
def _():
    with Scene(RUNNING, opens=False) as scene:
        folder = begin(scene)
        before = sorted(path.name for path in folder.iterdir())
        scene.send("Make it.")
        wait_for_changes(scene)
        scene.window.keys(driver.MAIN, "ctrl+j", "ctrl+d")
        scene.window.type("Not here.", name="Why it is left out")
        scene.window.press(name="Leave All Out")
        scene.window.find(contains="It is made.")
        told = models.results_of(scene.requests(3))["call_make"]
        assert "Not here." in told, told
        assert sorted(path.name for path in folder.iterdir()) == before
        assert (folder / "note.txt").read_text() == "This is teh note.\n"


if __name__ == "__main__":
    scenes.main()
