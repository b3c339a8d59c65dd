#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that can be called from the composer in the real window: commands in files, prompts of a server, and its resources.
test-offers.py BUILD_ROOT. Runs on a display of its own."""

import pathlib
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
        stroke(scene, "at", "n", "u", "m", "b", "e", "r")
        scene.window.find(contains="papers:note://papers/{number}", role="list item")
        scene.window.keys(driver.MAIN, "Return")
        wait_for_length(scene, "@papers:note://papers/")
        scene.window.keys(driver.MAIN, "7")
        scene.window.find(name="papers:note://papers/7 Attach it from Papers", role="list item")
        scene.window.keys(driver.MAIN, "Return")
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


if __name__ == "__main__":
    scenes.main()
