#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages in the real window: one is edited and sent again, a reply is written again, versions are gone
through, messages are deleted and put back, selected, copied and quoted. test-messages.py BUILD_ROOT. Runs on a display of its own."""

import subprocess

import scenes
from scenes import Scene, driver, tap

MESSAGE = {"role": "text", "name": "Message"}
REPLIES = [{"text": "The first reply."}, {"text": "The second reply."}, {"text": "The third reply."}]


def talk(scene):
    scene.send("One?")
    scene.window.find(contains="The first reply.")
    wait_idle(scene)


def wait_idle(scene):
    scene.window.find(name="Send message")
    scene.window.gone(name="Stop")


def near(scene, author):
    """The pointer comes near the first message of an author: its buttons are there."""
    scene.window.click(driver.MAIN, role="panel", name=author)


def history(request):
    return [(message["role"], message["content"]) for message in request["messages"] if message["role"] != "system"]


@tap.case("/ui/messages/edit-and-resend")
def _():
    with Scene(REPLIES) as scene:
        talk(scene)
        near(scene, "You")
        scene.window.press(name="Edit and Resend")
        driver.wait(lambda: scene.window.length(**MESSAGE) == len("One?"), "the message in the composer")
        scene.window.type("Uno?", **MESSAGE)
        scene.window.press(name="Send the edited message")
        scene.window.find(contains="The second reply.")
        scene.window.gone(role="label", contains="The first reply.")
        assert history(scene.requests(2)) == [("user", "Uno?")], history(scene.requests(2))
        scene.window.find(name="Version 2 of 2")
        wait_idle(scene)
        scene.window.press(name="Previous Version")
        scene.window.find(contains="The first reply.")
        scene.window.gone(role="label", contains="The second reply.")
        scene.window.press(name="Next Version")
        scene.window.find(contains="The second reply.")


def turn_wheel(button, *held):
    """The pointer's place; up is button 4."""
    keys = [word for key in held for word in ("keydown", key)]
    released = [word for key in held for word in ("keyup", key)]
    subprocess.run(["xdotool", *keys, "click", "--repeat", "3", str(button), *released], check=True)


@tap.case("/ui/messages/the-wheel-over-code-and-a-table")
def _():
    wide = "wide " * 80
    table = "| Basin | Depth |\n|---|---|\n| North | 8 m |\n"
    above = "".join(f"Line {n}.\n\n" for n in range(60))
    with Scene([{"text": f"{above}```\n{wide}\nlast of the code\n```\n\n{table}\nThe end."}]) as scene:
        scene.send("Show me.")
        scene.window.find(contains="The end.")
        wait_idle(scene)
        for over in {"role": "text", "name": "Code"}, {"role": "label", "name": "North"}:
            scene.window.click(driver.MAIN, **over)
            before = scene.window.find(**over).middle()
            turn_wheel(4)
            driver.wait(lambda: scene.window.find(**over).middle()[1] > before[1], f"what is above {over}")
            turn_wheel(5)
            driver.wait(lambda: scene.window.find(**over).middle()[1] == before[1], "the end again")


LINKS = ("Read [the guide](https://guide.example/a) and [the notes](https://notes.example/b).\n\n"
         "| Page |\n|---|\n| [a table](https://table.example/c) |\n\n"
         f"[{'All of this paragraph. ' * 30}](https://whole.example/d)")


def leads(scene):
    """Return the address of the link that the keyboard is at, or None."""
    said = "Link to "
    return next((node.description.removeprefix(said) for node in scene.window.each(role="label", anew=True)
                 if node.description.startswith(said)), None)


def walk_to_link(scene, key, address):
    for _ in range(40):
        scene.window.keys(driver.MAIN, key)
        try:
            return driver.wait(lambda: leads(scene) == address, f"the link to {address}", 0.5)
        except AssertionError:
            continue
    raise AssertionError(f"{key} does not come to {address}\n{driver.describe(scene.window.root)}")


def cancel_link(scene, address):
    """The address is shown before it is gone to, and it is not gone to."""
    scene.window.find(name=address, role="label")
    dialog = next(window for window in scene.window.windows()
                  if any(node.name == "Open Link?" for _, node in driver.walk(window)))
    scene.window.press(name="Cancel", within=dialog)
    scene.window.gone(name=address, role="label")


@tap.case("/ui/messages/links")
def _():
    """With keys and pointer, read by a screen reader all the while: each look at the window asks for every accessible there is,
    which ends a program whose label went away with a link of GTK's own."""
    with Scene([{"text": LINKS}, {"text": "No link here."}]) as scene:
        scene.send("Where?")
        scene.window.find(contains="the guide")
        wait_idle(scene)
        for address in "whole.example/d", "table.example/c", "notes.example/b", "guide.example/a":
            walk_to_link(scene, "shift+Tab", f"https://{address}")
        walk_to_link(scene, "Tab", "https://notes.example/b")
        scene.window.keys(driver.MAIN, "Return")
        cancel_link(scene, "https://notes.example/b")
        walk_to_link(scene, "Tab", "https://table.example/c")
        scene.window.keys(driver.MAIN, "Menu")
        scene.window.press(contains="Copy Address")
        scene.window.click(driver.MAIN, **MESSAGE)
        scene.window.keys(driver.MAIN, "ctrl+v")
        driver.wait(lambda: scene.window.length(**MESSAGE) == len("https://table.example/c"), "the address in the composer")
        scene.window.click(driver.MAIN, contains="All of this paragraph", role="label")
        cancel_link(scene, "https://whole.example/d")
        scene.window.click(driver.MAIN, name="Page", role="label")
        scene.window.press(name="Message Menu")
        scene.window.press(name="Delete Message")
        scene.window.gone(role="label", contains="the guide")
        scene.send("And now?")
        scene.window.find(contains="No link here.")


@tap.case("/ui/messages/write-again")
def _():
    with Scene(REPLIES) as scene:
        talk(scene)
        near(scene, "Agent")
        scene.window.press(name="Write Again")
        scene.window.find(contains="The second reply.")
        assert history(scene.requests(2)) == [("user", "One?")], history(scene.requests(2))
        wait_idle(scene)
        scene.window.find(name="Version 2 of 2")
        scene.window.press(name="Previous Version")
        scene.window.find(contains="The first reply.")
        scene.send("More?")
        scene.window.find(contains="The third reply.")
        assert history(scene.requests(3)) == [("user", "One?"), ("assistant", "The first reply."), ("user", "More?")]


@tap.case("/ui/messages/delete-and-undo")
def _():
    with Scene(REPLIES) as scene:
        talk(scene)
        scene.send("Two?")
        scene.window.find(contains="The second reply.")
        wait_idle(scene)
        near(scene, "Agent")
        scene.window.press(name="Message Menu")
        scene.window.press(name="Delete Message")
        scene.window.gone(role="label", contains="The first reply.")
        scene.window.find(contains="1 message deleted")
        scene.window.press(role="push button", contains="Undo")
        scene.window.find(contains="The first reply.")
        scene.window.find(contains="The second reply.")


@tap.case("/ui/messages/select-copy-quote")
def _():
    with Scene(REPLIES) as scene:
        talk(scene)
        near(scene, "Agent")
        scene.window.press(name="Message Menu")
        scene.window.press(name="Select Messages")
        scene.window.find(contains="1 message selected")
        scene.window.click(driver.MAIN, role="panel", name="You")
        scene.window.find(contains="2 messages selected")
        scene.window.press(name="Copy as Plain Text")
        scene.window.gone(contains="messages selected")
        scene.window.click(driver.MAIN, **MESSAGE)
        scene.window.keys(driver.MAIN, "ctrl+v")
        driver.wait(lambda: scene.window.length(**MESSAGE) == len("One?\n\nThe first reply."), "what was copied")
        scene.window.type("", **MESSAGE)

        near(scene, "Agent")
        scene.window.press(name="Message Menu")
        scene.window.press(name="Quote")
        driver.wait(lambda: scene.window.length(**MESSAGE) >= len("> One?\n"), "the quotation")


@tap.case("/ui/messages/not-while-asked")
def _():
    with Scene([{"text": "Ready."}, {"calls": [scenes.models.ask("a", "Which port?", "8080", "9090")]}, {"text": "Done."}]) as scene:
        scene.send("Hello")
        scene.window.find(contains="Ready.")
        wait_idle(scene)
        scene.send("Set it up")
        scene.window.find(contains="Which port?")
        near(scene, "Agent")
        scene.window.press(name="Write Again")
        scene.window.find(role="alert", contains="The agent is still working here.")
        assert scene.window.has(contains="Which port?")


if __name__ == "__main__":
    scenes.main()
