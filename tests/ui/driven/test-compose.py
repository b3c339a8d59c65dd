#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Enter where messages are written, in the real window, by the keyboard: it queues, steers and answers; and folders, by the pointer.
Keys and clicks are counted. test-compose.py BUILD_ROOT. Runs on a display of its own."""

import scenes
from scenes import Scene, driver, models, tap

MESSAGE = {"role": "text", "name": "Message"}


def held(user, gate, *steps):
    """A reply that waits in its middle, and then goes on with steps."""
    return {"user": user, "steps": [{"text": f"Beginning {gate}"}, {"hold": gate}, *(steps or [{"finish": "stop"}]), {"done": True}]}


def working(user, gate):
    """A turn of two rounds."""
    return held(user, gate, {"call": "get_current_time", "id": "call_time", "arguments": {}}, {"finish": "tool_calls"})


def words_of(request):
    """All that the person said, in order."""
    return [message["content"] for message in request["messages"] if message["role"] == "user"]


class Keys(Scene):
    """Counts what the hands do."""
    count = 0

    def type_and(self, text, *keys):
        """Typing is not counted, but for the keys."""
        self.window.type(text, **MESSAGE)
        self.press(*keys)

    def press(self, *keys):
        self.window.keys(driver.MAIN, *keys)
        self.count += len(keys)

    def empty(self):
        driver.wait(lambda: self.window.length(**MESSAGE) == 0, "nothing in the composer")


@tap.case("/ui/compose/queued-with-one-key")
def _():
    with Keys([held("Paint the door.", "door"), {"user": "And the wall.", "text": "Painted."}]) as scene:
        scene.send("Paint the door.")
        scene.window.find(contains="Beginning door")
        scene.type_and("And the wall.", "Return")
        assert scene.count == 1
        scene.window.find(name="Send now: And the wall.")
        scene.empty()
        assert len(scene.model.requests) == 1
        scene.model.release("door")
        assert words_of(scene.requests(2)) == ["Paint the door.", "And the wall."]
        scene.window.find(contains="Painted.")
        scene.window.gone(name="Send now: And the wall.")


@tap.case("/ui/compose/steered-with-one-more")
def _():
    with Keys([working("Paint the door.", "door"), {"user": "In green, please.", "text": "In green."}]) as scene:
        scene.send("Paint the door.")
        scene.window.find(contains="Beginning door")
        scene.type_and("In green, please.", "Return")
        scene.window.find(name="Send now: In green, please.")
        scene.empty()
        scene.press("Return")
        assert scene.count == 2
        scene.window.find(name="With the next step")
        scene.model.release("door")
        request = scene.requests(2)
        assert [message["role"] for message in request["messages"]][-3:] == ["assistant", "tool", "user"], request["messages"]
        assert words_of(request) == ["Paint the door.", "In green, please."]
        scene.window.find(contains="In green.")
        scene.window.gone(name="Remove the queued message: In green, please.")
        assert len(scene.model.requests) == 2, "the run was stopped, or began anew"


@tap.case("/ui/compose/nothing-is-lost")
def _():
    with Keys([held("Paint the door.", "door"), {"user": "And the wall.", "text": "Painted."},
               {"user": "And the roof.", "text": "Tarred."}]) as scene:
        scene.send("Paint the door.")
        scene.window.find(contains="Beginning door")
        scene.type_and("And the wall.", "Return")
        scene.window.find(name="Send now: And the wall.")
        scene.empty()
        scene.type_and("And the roof.", "Return")
        scene.window.find(name="Send now: And the roof.")
        scene.empty()
        scene.window.type("A draft", **MESSAGE)
        driver.wait(lambda: scene.home.has_stored("A draft"), "the draft on the disk")
        scene.restart()
        scene.window.find(name="Send now: And the wall.")
        scene.window.find(name="Send now: And the roof.")
        driver.wait(lambda: scene.window.length(**MESSAGE) == len("A draft"), "the draft")
        scene.window.press(name="Send now: And the wall.")
        scene.window.find(contains="Painted.")
        # The turn ended, so the next one went by itself.
        scene.window.find(contains="Tarred.")
        assert words_of(scene.requests(3))[-2:] == ["And the wall.", "And the roof."]
        assert scene.window.length(**MESSAGE) == len("A draft")


@tap.case("/ui/compose/edited")
def _():
    with Keys([held("Paint the door.", "door"), {"user": "And the wall, too.", "text": "Painted."}]) as scene:
        scene.send("Paint the door.")
        scene.window.find(contains="Beginning door")
        scene.type_and("And the wall", "Return")
        scene.window.press(name="Edit the queued message: And the wall")
        driver.wait(lambda: scene.window.length(**MESSAGE) == len("And the wall"), "its text")
        scene.window.gone(name="Send now: And the wall")
        scene.type_and("And the wall, too.", "Return")
        scene.window.find(name="Send now: And the wall, too.")
        scene.model.release("door")
        assert words_of(scene.requests(2)) == ["Paint the door.", "And the wall, too."]
        scene.window.find(contains="Painted.")


@tap.case("/ui/compose/answered-with-two-keys")
def _():
    with Keys([{"user": "Paint the door.", "calls": [models.ask("call", "Which colour?", "Red", "Green")]},
               {"result": "Green", "text": "It is green now."}]) as scene:
        scene.send("Paint the door.")
        scene.wait_for_card()
        scene.press("2")
        scene.window.find(contains="answers 2: Green")
        scene.press("Return")
        assert scene.count == 2
        scene.window.find(contains="It is green now.")
        assert "Green" in models.results_of(scene.requests(2))["call"]
        assert words_of(scene.requests(2)) == ["Paint the door."]


@tap.case("/ui/compose/folders")
def _():
    replies = [{"user": said, "text": text} for said, text in (("Hello.", "One."), ("Hello.", "Two."), ("Begin.", "Three."),
                                                               ("Begin there.", "Four."))]
    with Keys(replies, opens=False) as scene:
        folders = [scene.home.folder / name for name in ("garden", "harbour")]
        for folder in folders:
            folder.mkdir()
            scene.home.ctl("run", "--folder", str(folder), "Hello.")
        scene.restart()
        scene.window.find(name="Working folder: ~/harbour")
        scene.window.keys(driver.MAIN, "ctrl+n")
        # In the last one without a click.
        scene.send("Begin.")
        scene.window.find(contains="Three.")
        assert str(folders[1]) in str(scene.requests(3)["messages"][0]), scene.requests(3)["messages"][0]
        # In a recent one with two.
        scene.window.keys(driver.MAIN, "ctrl+n")
        scene.window.click(driver.MAIN, name="Working folder: ~/harbour")
        scene.window.press(name="~/garden", role="push button")
        scene.window.find(name="Working folder: ~/garden")
        scene.send("Begin there.")
        scene.window.find(contains="Four.")
        assert str(folders[0]) in str(scene.requests(4)["messages"][0])


if __name__ == "__main__":
    scenes.main()
