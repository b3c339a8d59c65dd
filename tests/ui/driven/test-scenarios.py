#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that a person changes in the real window before they run. test-scenarios.py BUILD_ROOT. Runs on a display of its own.
BECKON_PICTURES=FOLDER keeps a picture of each card."""

import os
import shutil
import sqlite3
import subprocess

import scenes
from scenes import Scene, driver, models, tap

QUERY = 'sqlite3 books.db "SELECT title FROM book WHERE stars >= 1 ORDER BY title LIMIT 100"'
NARROWER = 'sqlite3 books.db "SELECT title FROM book WHERE stars = 5 ORDER BY title LIMIT 2"'
BOOKS = [("Atlas", 5), ("Beacon", 2), ("Cinder", 5), ("Dune", 5), ("Ember", 3)]
REPLIES = [
    {"user": "Hello.", "text": "Ready."},
    {"user": "Which books are good?", "calls": [{"call": "run_command", "id": "call_query",
                                                 "arguments": {"command": QUERY}}]},
    {"user": "Where is the colour set?", "calls": [{"call": "run_command", "id": "call_search",
                                                    "arguments": {"command": "grep -rn colour .", "directory": "."}}]},
    {"result": "user changed", "text": "That is what came of it."},
]
CARD = {"name": "Run this command?", "role": "panel"}


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            raise tap.Skip(f"there is no {program} here")
    if subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], check=False,
                      stderr=subprocess.DEVNULL).returncode != 0:
        raise tap.Skip("bubblewrap cannot work here")


def keep_picture(scene, name):
    folder = os.environ.get("BECKON_PICTURES")
    if folder:
        window = scene.window.x_window(driver.MAIN)
        subprocess.run(["import", "-window", window, f"{folder}/{name}.png"], check=True)


def open_card(scene, folder, words):
    """A folder is chosen in the terminal, where no dialog is needed; the conversation goes on in the window."""
    scene.home.ctl("run", "--folder", str(folder), "--mode", "everything", "Hello.")
    scene.restart()
    scene.window.find(contains="Ready.")
    scene.send(words)
    card = scene.window.find(**CARD)
    driver.wait(lambda: not driver.is_busy(card), "a card that listens")


def run_edited(scene, call, command, picture):
    """Returns what the model is told of it. The person sees what ran, not what was proposed, and what came of it."""
    scene.window.press(name="Run edited")
    scene.window.find(contains="That is what came of it.")
    scene.window.find(contains=command, role="label")
    scene.window.press(contains="Ran ")
    scene.window.find(contains="Changed: command from")
    keep_picture(scene, picture)
    return models.results_of(scene.model.requests[-1])[call]


@tap.case("/ui/scenarios/a-query-whose-where-and-limit-are-changed")
def _():
    needs("sqlite3", "bwrap")
    with Scene(REPLIES, opens=False) as scene:
        folder = scene.home.folder / "library"
        folder.mkdir()
        with sqlite3.connect(folder / "books.db") as database:
            database.execute("CREATE TABLE book (title TEXT, stars INTEGER)")
            database.executemany("INSERT INTO book VALUES (?, ?)", BOOKS)
        database.close()
        open_card(scene, folder, "Which books are good?")
        scene.window.find(contains="stars >= 1")
        scene.window.press(name="Edit the call")
        scene.window.type(NARROWER, role="text", name="command")
        scene.window.find(contains="Changed: command from")
        keep_picture(scene, "query-edited")
        told = run_edited(scene, "call_query", "stars = 5", "query-answered")
        lines = told.splitlines()
        assert "Atlas" in lines and "Cinder" in lines, told
        assert not {"Beacon", "Dune", "Ember"} & set(lines), told
        assert "changed the arguments" in told and "stars = 5" in told, told
        assert len(scene.model.requests) == 3, "the changed query went round once"


@tap.case("/ui/scenarios/a-command-whose-arguments-and-folder-are-changed")
def _():
    needs("bwrap")
    with Scene(REPLIES, opens=False) as scene:
        folder = scene.home.folder / "project"
        (folder / "src").mkdir(parents=True)
        (folder / "notes.txt").write_text("colour outside\ncolor outside\n")
        (folder / "src" / "main.c").write_text("/* colour within */\n/* color within */\n")
        open_card(scene, folder, "Where is the colour set?")
        scene.window.press(name="Edit the call")
        scene.window.type("grep -rn color .", role="text", name="command")
        scene.window.type("src", role="text", name="directory")
        scene.window.find(contains="Changed: command from")
        scene.window.find(contains="directory")
        keep_picture(scene, "command-edited")
        told = run_edited(scene, "call_search", "color", "command-answered")
        assert "./main.c:2:/* color within */" in told, told
        assert "outside" not in told and "colour within" not in told, told


if __name__ == "__main__":
    scenes.main()
