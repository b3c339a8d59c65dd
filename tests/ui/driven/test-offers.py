#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that can be called from the composer in the real window: commands in files, prompts of a server, and its resources.
test-offers.py BUILD_ROOT. Runs on a display of its own."""

import json
import pathlib
import shutil
import subprocess
import sys

import scenes
from scenes import Scene, driver, tap

MESSAGE = {"role": "text", "name": "Message"}
SERVER = pathlib.Path(__file__).resolve().parents[2] / "mcp" / "server.py"


class Papers(Scene):
    """A window with a server that has prompts and resources."""

    def __init__(self, replies):
        super().__init__(replies, opens=False)

    def __enter__(self):
        super().__enter__()
        self.home.ctl("mcp", "add", "Papers", "--", sys.executable, "-u", str(SERVER), "old", "prompts", "resources")
        self.restart()
        self.window.find(**MESSAGE)
        return self


def letters(text):
    """The keys that a text is typed with."""
    return [{"@": "at", ":": "colon", "/": "slash", "{": "braceleft"}.get(letter, letter) for letter in text]


def stroke(scene, *keys):
    """Keys for the composer, as a hand types them."""
    scene.window.click(driver.MAIN, **MESSAGE)
    scene.window.keys(driver.MAIN, *keys)


def take(scene, name, *keys):
    """Takes what is suggested while a word is typed."""
    stroke(scene, *keys)
    scene.window.find(contains=name, role="list item")
    scene.window.keys(driver.MAIN, "Return")
    scene.window.gone(contains=name, role="list item")


def last_content(scene, count):
    return scene.requests(count)["messages"][-1]["content"]


def wait_for_length(scene, text):
    driver.wait(lambda: scene.window.length(**MESSAGE) == len(text), f"a text as long as {text!r}")


@tap.case("/ui/offers/prompt")
def _():
    with Papers([{"text": "Read."}, {"text": "Read again."}]) as scene:
        take(scene, "/papers:tides", "slash", "t", "i", "d")
        scene.window.find(contains="Papers · tides")
        scene.window.press(name="Insert the prompt")
        scene.window.find(role="alert", contains="“harbour” is still empty.")
        scene.window.type("ha", role="text", name="harbour")
        scene.window.gone(name="Bergen", role="push button")
        scene.window.press(name="Hamburg", role="push button")
        scene.window.gone(name="Hamburg", role="push button")
        scene.window.press(name="Insert the prompt")
        scene.window.gone(contains="Papers · tides")
        scene.window.find(role="alert", contains="This text is from Papers.")
        wait_for_length(scene, '{"harbour": "Hamburg"}')
        assert len(scene.model.requests) == 0, "a text of a server was sent by itself"
        scene.window.press(name="Send message")
        scene.window.find(contains="Read.")
        assert last_content(scene, 1) == '{"harbour": "Hamburg"}', last_content(scene, 1)
        scene.send("/papers:tides harbour=Bergen day=today")
        wait_for_length(scene, '{"day": "today", "harbour": "Bergen"}')
        scene.window.press(name="Send message")
        scene.window.find(contains="Read again.")
        assert last_content(scene, 2) == '{"day": "today", "harbour": "Bergen"}', last_content(scene, 2)


@tap.case("/ui/offers/prompt-refused")
def _():
    with Papers([{"text": "Read."}]) as scene:
        scene.send("/papers:tides harbour=nowhere")
        scene.window.find(role="alert", contains="No such harbour")
        scene.window.press(name="Cancel the prompt")
        scene.window.gone(contains="Papers · tides")
        wait_for_length(scene, "/papers:tides harbour=nowhere")
        scene.send("/papers:none at all")
        scene.window.find(contains="Read.")
        assert last_content(scene, 1) == "/papers:none at all", last_content(scene, 1)


@tap.case("/ui/offers/resources")
def _():
    with Papers([{"text": "Read."}]) as scene:
        take(scene, "papers:note://papers/hello.txt", "at", "g", "r", "e", "e", "t")
        scene.window.find(name="Remove Papers: hello.txt")
        take(scene, "papers:note://papers/7 Attach it from Papers", *letters("@papers:note://papers/7"))
        scene.window.find(name="Remove Papers: 7")
        take(scene, "papers:note://papers/huge", "at", "h", "u", "g", "e")
        scene.window.find(role="alert", contains="The resource is too large.")
        scene.window.type("What do they say?", **MESSAGE)
        scene.window.press(name="Send message")
        scene.window.find(contains="Read.")
        content = last_content(scene, 1)
        assert '<attached-file name="Papers: hello.txt">\nThis is note://papers/hello.txt\n' in content, content
        assert '<attached-file name="Papers: 7">\nThis is note://papers/7\n' in content, content
        assert content.endswith("What do they say?") and "huge" not in content, content
        scene.window.find(name="Attached file: Papers: hello.txt")


@tap.case("/ui/offers/template")
def _():
    with Papers([{"text": "Read."}]) as scene:
        take(scene, "papers:note://papers/{room}/{number}{?page,lines} On a Shelf", *letters("@shelf"))
        scene.window.find(contains="Papers · On a Shelf")
        wait_for_length(scene, "")
        scene.window.press(name="Attach the resource")
        scene.window.find(role="alert", contains="“room” is still empty.")
        scene.window.type("hi", role="text", name="room")
        scene.window.gone(name="Harbours", role="push button")
        scene.window.press(name="History", role="push button")
        scene.window.gone(name="History", role="push button")
        scene.window.click(driver.MAIN, role="text", name="number")
        scene.window.press(name="7 of History", role="push button")
        scene.window.type("a&b", role="text", name="lines (optional)")
        scene.window.press(name="Attach the resource")
        scene.window.gone(contains="Papers · On a Shelf")
        scene.window.find(name="Remove Papers: 7 of History")
        take(scene, "papers:note://papers/{=odd}", *letters("@odd"))
        scene.window.find(role="alert", contains="“{=odd}” in this address can't be filled in.")
        take(scene, "papers:note://papers/{number} A Paper", *letters("@papers/{n"))
        scene.window.press(name="Cancel attaching the resource")
        scene.window.gone(contains="Papers · A Paper")
        scene.window.type("What does it say?", **MESSAGE)
        scene.window.press(name="Send message")
        scene.window.find(contains="Read.")
        content = last_content(scene, 1)
        assert "This is note://papers/History/7%20of%20History?lines=a%26b\n" in content, content
        assert content.count("<attached-file") == 1, content


@tap.case("/ui/offers/own-commands")
def _():
    with Scene([{"text": "Mended."}], opens=False) as scene:
        commands = scene.home.folder / "data/beckon/commands"
        commands.mkdir(parents=True)
        (commands / "mend.md").write_text("---\ndescription: Mends what is broken\n---\nMend $1 at once.\n")
        scene.restart()
        take(scene, "/mend", "slash", "m", "e", "n")
        wait_for_length(scene, "/mend ")
        scene.window.keys(driver.MAIN, "i", "t")
        scene.window.press(name="Send message")
        scene.window.find(contains="Mended.")
        assert last_content(scene, 1) == "Mend it at once.", last_content(scene, 1)


def write_servers(folder, *words):
    """A folder that brings a server of tools."""
    shutil.copy(SERVER, folder / "server.py")
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {
        "papers": {"command": "python3", "args": ["-u", "server.py", "old", *words], "env": {"PAPERS_HOME": "here"}}}}))


def decide(scene, heading, button):
    """Answers the card of a folder, which takes no input for a moment."""
    driver.wait(lambda: not driver.is_busy(scene.window.find(contains=heading, role="panel")), "a card that listens")
    scene.window.press(name=button)
    scene.window.gone(contains=heading, role="panel")


def server_of(scene):
    return json.loads(scene.home.ctl("mcp", "list", "--json"))


@tap.case("/ui/offers/folder")
def _():
    replies = [{"user": "Hello.", "text": "Hi."}, {"user": "Begin.", "text": "Begun."},
               {"user": "Echo.", "calls": [{"call": "papers__echo", "id": "call_echo", "arguments": {"text": "ahoy"}}]},
               {"result": "ahoy", "text": "It came back."}, {"user": "Go on.", "text": "Without it."}]
    with Scene(replies, opens=False) as scene:
        folder = scene.home.folder / "work" / "notes"
        folder.mkdir(parents=True)
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        write_servers(folder)
        scene.restart()
        scene.window.find(contains="Hi.")
        scene.send("Begin.")
        scene.window.find(contains="papers: server of tools, python3 -u server.py old")
        scene.window.find(contains=f"can read {folder} but change nothing, and has no network.")
        assert server_of(scene) == [], "a server was there before it was accepted"
        decide(scene, "Use what “notes” brings", "Use what the folder brings")
        scene.window.find(contains="Begun.")
        driver.wait(lambda: [one for one in server_of(scene) if one.get("tools")], "the tools of the server")
        config = server_of(scene)[0]["config"]
        assert config["folder"] == str(folder) and config["sandbox"] and not (config.get("network") or config.get("write")), config
        scene.send("Echo.")
        driver.wait(lambda: not driver.is_busy(scene.window.find(contains="on papers server", role="panel")), "a card that listens")
        scene.window.press(name="Run")
        scene.window.find(contains="It came back.")
        write_servers(folder, "banner")
        scene.send("Go on.")
        scene.window.find(contains="papers: server of tools, python3 -u server.py old banner, changed")
        decide(scene, "Use what changed in “notes”", "Don’t use what the folder brings")
        scene.window.find(contains="Without it.")
        driver.wait(lambda: server_of(scene)[0]["config"].get("suspended"), "a server that is not used")


if __name__ == "__main__":
    scenes.main()
