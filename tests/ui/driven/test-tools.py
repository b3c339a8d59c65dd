#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools in the real window: what they are about to do is seen and decided, and what they did is undone. test-tools.py
BUILD_ROOT. Runs on a display of its own."""

import json
import pathlib
import struct
import zlib

import scenes
from scenes import Scene, driver, models, tap

EDIT = "call_edit"
REPLIES = [
    {"user": "Hello.", "text": "Hi."},
    {"user": "Mend it.", "calls": [{"call": "edit_file", "id": EDIT, "arguments":
                                    {"path": "note.txt", "old_text": "teh", "new_text": "the"}}]},
    {"result": "“note.txt” was changed", "text": "It is mended."},
    {"user": "And now?", "text": "I see that you undid it."},
]
LOOKING = [
    {"user": "Hello.", "text": "Hi."},
    {"user": "Plot it.", "calls": [{"call": "read_file", "id": "call_plot", "arguments": {"path": "plot.png"}}]},
    {"user": "came with the results", "text": "It rises."},
]
PLANNING = [
    {"user": "Hello.", "text": "Hi."},
    {"user": "Plan it.", "calls": [{"call": "propose_plan", "id": "call_plan", "arguments": {
        "title": "Look", "steps": [{"id": "a", "tool": "read_file", "arguments": {"path": "plot.png"}}]}}]},
    {"user": "came with the results", "text": "It rises as planned."},
]

WAITING = {"command": "echo it began; until grep -q go gate; do sleep 0.1; done; echo it ended"}
STREAMING = [
    {"user": "Hello.", "text": "Hi."},
    {"user": "Run it.", "calls": [{"call": "run_command", "id": "call_run", "arguments": WAITING}]},
    {"result": "it ended", "text": "It ran."},
    {"user": "Plan it.", "calls": [{"call": "propose_plan", "id": "call_plan", "arguments": {
        "title": "Wait", "steps": [{"id": "a", "tool": "run_command", "arguments": WAITING}]}}]},
    {"result": "it ended", "text": "It ran as planned."},
]


def approve(scene, name):
    """A new card takes no input for a moment. A plan's row has the name as well, behind its number."""
    def listens():
        cards = [node for node in scene.window.all(contains=name, role="panel") if not node.name[0].isdigit()]
        return cards and not any(driver.is_busy(card) for card in cards)

    driver.wait(listens, "a card that listens")
    scene.window.press(name="Run")


@tap.case("/ui/tools/edit-undone")
def _():
    with Scene(REPLIES, opens=False) as scene:
        folder = pathlib.Path(scene.home.folder) / "work" / "notes"
        folder.mkdir(parents=True)
        note = folder / "note.txt"
        note.write_text("This is teh note.\n")
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        scene.restart()
        scene.window.find(contains="Hi.")
        scene.send("Mend it.")
        scene.window.find(name="Edit note.txt", role="panel")
        assert note.read_text() == "This is teh note.\n", "it ran before it was allowed"
        approve(scene, "Edit note.txt")
        scene.window.find(contains="It is mended.")
        assert note.read_text() == "This is the note.\n", note.read_text()
        scene.window.press(name="Undo This Change")
        driver.wait(lambda: note.read_text() == "This is teh note.\n", "the note as it was")
        scene.window.gone(name="Undo This Change")
        scene.send("And now?")
        scene.window.find(contains="I see that you undid it.")
        told = json.dumps(scene.requests(4), ensure_ascii=False)
        assert "as they were before them: edit_file note.txt." in told, told


def png(width, height):
    """A picture of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x35\x84\xe4" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def plot_is_shown(scene):
    """A picture is on screen without a click on the card, as large as it is."""
    def has_its_size():
        plot = scene.window.find(name="Picture: plot.png")
        _, _, width, height = plot.call("Component.GetExtents", "(u)", 1)[0]
        return width >= 120 and height >= 80

    driver.wait(has_its_size, "the plot in its size")


@tap.case("/ui/tools/picture-is-shown")
def _():
    """A picture that a tool reads is seen by the model and by the person, also after a restart."""
    with Scene(LOOKING, opens=False) as scene:
        folder = pathlib.Path(scene.home.folder) / "work" / "plots"
        folder.mkdir(parents=True)
        (folder / "plot.png").write_bytes(png(120, 80))
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        scene.restart()
        scene.window.find(contains="Hi.")
        scene.send("Plot it.")
        scene.window.find(contains="It rises.")
        plot_is_shown(scene)
        messages = scene.requests(3)["messages"]
        assert "“plot.png” is a picture (image/png, 120 × 80 pixels)" in models.results_of(scene.requests(3))["call_plot"]
        assert messages[-1]["content"][1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR"), messages[-1]
        scene.restart()
        scene.window.find(contains="It rises.")
        plot_is_shown(scene)


@tap.case("/ui/tools/picture-of-a-step-is-shown")
def _():
    with Scene(PLANNING, opens=False) as scene:
        folder = pathlib.Path(scene.home.folder) / "work" / "plots"
        folder.mkdir(parents=True)
        (folder / "plot.png").write_bytes(png(120, 80))
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        scene.restart()
        scene.window.find(contains="Hi.")
        scene.send("Plan it.")
        scenes.accept_plan(scene.window)
        scene.window.find(contains="It rises as planned.")
        plot_is_shown(scene)


def watch(scene, go):
    """Its output is there while it runs, and it ends only when the test has seen that."""
    driver.wait(lambda: any(node.text().strip() == "it began" for node in scene.window.all(name="Code", role="text")),
                "what the command put out while it runs")
    go.write_text("go")


@tap.case("/ui/tools/live-output")
def _():
    """A command's output is seen while it runs, in a call of the model's as in a step of a plan."""
    with Scene(STREAMING, opens=False) as scene:
        folder = pathlib.Path(scene.home.folder) / "work" / "waiting"
        folder.mkdir(parents=True)
        go = folder / "gate"
        go.touch()
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        scene.restart()
        scene.window.find(contains="Hi.")
        scene.send("Run it.")
        watch(scene, go)
        scene.window.find(contains="It ran.")
        go.write_text("")
        scene.send("Plan it.")
        scenes.accept_plan(scene.window)
        watch(scene, go)
        scene.window.find(contains="It ran as planned.")


if __name__ == "__main__":
    scenes.main()
