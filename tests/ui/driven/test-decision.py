#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Decisions in the real window, by the keyboard alone and by the pointer alone; keys and clicks are counted.
test-decision.py BUILD_ROOT. Runs on a display of its own."""

import subprocess

import scenes
from deciding import DOCK, MESSAGE, Scene
from scenes import driver, models, tap

STILL = ["Message", "Attach files", "Send message", "Conversation menu", "Show sidebar", "Working folder", "Ask for changes",
         "Profile"]


def write(*paths):
    return [{"call": "write_file", "id": f"call_{path[0]}", "arguments": {"path": path, "content": path}} for path in paths]


def writing(*paths):
    return [{"user": "Hello.", "text": "Ready."}, {"user": "Write.", "calls": write(*paths)}, {"result": "", "text": "All done."}]


def read(folder):
    return sorted(path.name for path in folder.iterdir())


@tap.case("/ui/decision/one-call-one-key")
def _():
    with Scene(writing("a.txt")) as scene:
        folder = scene.begin()
        scene.ask()
        assert scene.has_focus(**MESSAGE), "the card took the focus"
        scene.press("ctrl+Return")
        scene.window.find(contains="All done.")
        assert read(folder) == ["a.txt"] and scene.keys == 1
        scene.window.gone(**DOCK)


@tap.case("/ui/decision/a-held-key-runs-one-call")
def _():
    with Scene(writing("a.txt", "b.txt")) as scene:
        folder = scene.begin()
        scene.ask()
        subprocess.run(["xdotool", "keydown", "ctrl", "keydown", "Return"], check=True)
        driver.wait(lambda: (folder / "a.txt").exists(), "the first file")
        scene.listens()
        subprocess.run(["xdotool", "keyup", "Return", "keyup", "ctrl"], check=True)
        # Behind all that the keyboard has sent: the composer has the letter, and the second call still waits.
        scene.press("x")
        driver.wait(lambda: scene.window.length(**MESSAGE) == 1, "the letter in the composer")
        assert read(folder) == ["a.txt"], "a held key ran a second call"
        scene.press("BackSpace")
        driver.wait(lambda: scene.window.length(**MESSAGE) == 0, "an empty composer")
        scene.press("ctrl+Return")
        scene.window.find(contains="All done.")
        assert read(folder) == ["a.txt", "b.txt"]


@tap.case("/ui/decision/text-in-the-composer-approves-nothing")
def _():
    with Scene(writing("a.txt")) as scene:
        folder = scene.begin()
        scene.ask()
        scene.press("x", "ctrl+Return")
        scene.window.find(**DOCK)
        assert not read(folder), "a message approved a call"
        assert not scene.home.has_stored("approved")


@tap.case("/ui/decision/edit-and-deny-by-key")
def _():
    with Scene(writing("a.txt", "b.txt", "c.txt")) as scene:
        folder = scene.begin()
        scene.ask()
        scene.listens("1 of 3")
        scene.press("alt+Down")
        scene.listens("2 of 3")
        scene.press("alt+Up")
        scene.listens("1 of 3")
        scene.press("ctrl+d")
        scene.window.find(role="text", name="Reason for denying")
        scene.press("n", "o", "Return")
        scene.listens("1 of 2")
        assert scene.has_focus(**MESSAGE), "the focus is not where one writes"
        scene.press("ctrl+e")
        scene.wait_focus("the focus in the card", **DOCK)
        scene.listens("1 of 2")
        scene.press("ctrl+j", "ctrl+Return")
        scene.window.gone(name="1 of 2")
        scene.window.find(name="Write c.txt", role="panel")
        scene.window.gone(name="Write b.txt", role="panel")
        scene.listens()
        scene.press("ctrl+Return")
        scene.window.find(contains="All done.")
        assert read(folder) == ["b.txt", "c.txt"]
        told = models.results_of(scene.model.requests[-1])
        assert "no" in told["call_a"] and "denied" in told["call_a"], told


@tap.case("/ui/decision/escape-folds-and-declines-nothing")
def _():
    with Scene(writing("a.txt")) as scene:
        folder = scene.begin()
        scene.ask()
        scene.press("Escape")
        scene.window.find(role="push button", contains="Waiting for you:")
        scene.press("ctrl+Return")
        assert scene.has_focus(**MESSAGE)
        scene.press("ctrl+j")
        scene.wait_focus("the focus in the card", **DOCK)
        scene.listens()
        assert not read(folder), "a folded card was approved"
        scene.press("ctrl+Return")
        scene.window.find(contains="All done.")
        assert read(folder) == ["a.txt"]


@tap.case("/ui/decision/to-the-card-and-back")
def _():
    """The key is there from the first moment: while nothing waits it is about the composer."""
    with Scene([{"user": "Hello.", "text": "Ready."},
                {"user": "Paint.", "steps": [{"hold": "paint"}, models.ask("call_1", "Which colour?", "Red", "Green"),
                                             {"finish": "tool_calls"}, {"done": True}]}]) as scene:
        scene.begin()
        scene.window.type("Paint.", **MESSAGE)
        scene.to_front()
        scene.window.press(name="Send message")
        driver.wait(lambda: len(scene.model.requests) == 2, "the request")
        scene.press("ctrl+j")
        assert scene.has_focus(**MESSAGE)
        scene.model.release("paint")
        scene.listens()
        scene.press("ctrl+j")
        scene.wait_focus("the focus in the card", **DOCK)
        scene.press("ctrl+j")
        scene.wait_focus("the focus in the composer", **MESSAGE)
        scene.keys = 0
        scene.press("ctrl+j", "2")
        scene.window.find(contains="Answer: Green")
        assert scene.keys == 2


@tap.case("/ui/decision/three-questions-by-pointer")
def _():
    several = [{"user": "Hello.", "text": "Ready."}, {"user": "Paint.", "calls": [
        models.ask("call_1", "Which colour?", "Red", "Green"), models.ask("call_2", "Which brush?", "Wide", "Thin"),
        models.ask("call_3", "Which day?", "Today", "Tomorrow")]}, {"result": "Today", "text": "All done."}]
    with Scene(several) as scene:
        scene.begin()
        scene.ask("Paint.")
        for position, answer in (("1 of 3", "Green"), ("1 of 2", "Thin"), (None, "Today")):
            scene.listens(position)
            scene.click(role="push button", name=answer)
            scene.window.find(contains=f"Answer: {answer}")
        scene.window.find(contains="All done.")
        assert scene.clicks == 3, scene.clicks


@tap.case("/ui/decision/masked-where-one-writes")
def _():
    """A masked answer that is begun in the composer goes on in its entry, and is never written down."""
    token = {"call": "ask_user", "id": "call_1", "arguments": {"questions": [{"question": "Which token?", "secret": True}]}}
    with Scene([{"user": "Hello.", "text": "Ready."}, {"user": "Send.", "calls": [token]}, {"result": "", "text": "All done."}]) as scene:
        scene.begin()
        scene.ask("Send.")
        assert scene.has_focus(**MESSAGE), "the card took the focus"
        subprocess.run(["xdotool", "type", "sesame77"], check=True)
        driver.wait(lambda: scene.window.length(role="text", name="Your thoughts") == 8, "the token in the masked entry")
        assert scene.window.length(**MESSAGE) == 0 and not scene.home.has_stored("sesame")
        scene.press("Return")
        scene.window.find(contains="All done.")
        assert "secret:" in models.results_of(scene.model.requests[-1])["call_1"]
        assert not scene.home.has_stored("sesame"), "a secret was written down"


@tap.case("/ui/decision/message-begun-before-a-masked-question")
def _():
    token = {"call": "ask_user", "id": "call_1", "arguments": {"questions": [{"question": "Which token?", "secret": True}]}}
    with Scene([{"user": "Hello.", "text": "Ready."},
                {"user": "Send.", "steps": [{"hold": "send"}, token, {"finish": "tool_calls"}, {"done": True}]}]) as scene:
        scene.begin()
        scene.window.type("Send.", **MESSAGE)
        scene.to_front()
        scene.window.press(name="Send message")
        driver.wait(lambda: len(scene.model.requests) == 2, "the request")
        driver.wait(lambda: scene.window.length(**MESSAGE) == 0, "an empty composer")
        scene.press("a", "n", "d")
        driver.wait(lambda: scene.home.has_stored("and"), "the draft")
        scene.model.release("send")
        scene.listens()
        scene.press("x")
        driver.wait(lambda: scene.window.length(**MESSAGE) == 4, "the letter behind the others")
        assert scene.has_focus(**MESSAGE)


@tap.case("/ui/decision/a-command-and-a-page")
def _():
    """A card says where a command works, once, and nothing of the folder for a call that has nothing to do with it."""
    calls = [{"call": "run_command", "id": "call_1", "arguments": {"command": "date"}},
             {"call": "fetch_url", "id": "call_2", "arguments": {"url": "https://example.org/"}}]
    with Scene([{"user": "Hello.", "text": "Ready."}, {"user": "Look.", "calls": calls}], default_mode="everything") as scene:
        scene.begin()
        scene.ask("Look.")
        card = scene.window.find(role="panel", name="Run this command?")
        assert scene.window.has(name="in ~/letters", within=card)
        assert not scene.window.has(contains="Touches", within=card)
        height = card.extents()[3]
        print(f"# the card of date is {height} px high", flush=True)
        assert height <= 140
        scene.press("alt+Down")
        card = scene.window.find(role="panel", name="Fetch example.org")
        assert not scene.window.has(contains="in ~/", within=card)


@tap.case("/ui/decision/always-by-keyboard")
def _():
    """The choices of Always… are the next key."""
    with Scene(writing("a.txt")) as scene:
        folder = scene.begin()
        scene.ask()
        scene.press("ctrl+j")
        scene.wait_focus("Run", role="push button", name="Run")
        scene.press("Tab")
        scene.wait_focus("Always", role="push button", name="Always")
        scene.press("Return")
        scene.window.place_at_rest(role="push button", contains="In this conversation: ")
        scene.press("Tab")
        scene.wait_focus("the first choice", role="push button", name="In this conversation: Change ~/letters/a.txt")
        scene.press("Tab", "Tab")
        scene.wait_focus("a wider one", role="push button", contains="everything in")
        scene.press("Return")
        scene.window.find(contains="All done.")
        assert read(folder) == ["a.txt"]


@tap.case("/ui/decision/details-of-what-was-edited")
def _():
    """Details that are unfolded at the end stay in sight as they grow, and show nothing that was written for the model."""
    long = {"call": "write_file", "id": "call_a", "arguments": {"path": "a.txt", "content": "A line of it.\n" * 400}}
    with Scene([{"user": "Hello.", "text": "Ready."}, {"user": "Write.", "calls": [long]}, {"result": "", "text": "All done."}]) as scene:
        folder = scene.begin()
        scene.ask()
        scene.press("ctrl+e")
        scene.window.type("b.txt", role="text", name="path")
        scene.window.find(role="panel", name="Write b.txt")
        scene.press("ctrl+j")
        scene.wait_focus("the composer", **MESSAGE)

        def presses_run():
            """A key while what changed is looked at anew decides nothing, and the first one after it shows the end."""
            if not (folder / "b.txt").exists() and scene.window.has(role="push button", name="Run edited"):
                scene.window.place_at_rest(role="push button", name="Run edited")
                scene.press("ctrl+Return")
            return (folder / "b.txt").exists()

        driver.wait(presses_run, "the file")
        scene.window.find(contains="All done.")
        told = models.results_of(scene.model.requests[-1])["call_a"]
        assert told.startswith("The user changed the arguments"), told
        scene.window.press(name="Wrote b.txt, done", role="push button")
        scene.window.find(name="Result")
        texts = [node.text() for node in scene.window.all(name="Code", role="text")]
        assert any("was made" in text for text in texts), texts
        assert not any("The user changed" in text for text in texts)
        toggle = scene.window.place_at_rest(name="Wrote b.txt, done", role="push button")
        assert toggle[1] > 47, "what was pressed was pushed away"


def wait_page(scene):
    """The next page of a card takes nothing for a moment, as a card that has just come."""
    driver.wait(lambda: not any(driver.is_busy(node) for _, node in driver.walk(scene.window.find(**DOCK))), "a page that listens")


@tap.case("/ui/decision/several-by-number")
def _():
    """A tab says that its question has an answer, however that came."""
    colour = {"question": "Which colour?", "header": "Colour", "options": ["Red", "Green"]}
    day = {"question": "Which day?", "header": "Day", "options": ["Today", "Tomorrow"]}
    both = {"call": "ask_user", "id": "call_1", "arguments": {"questions": [colour, day]}}
    with Scene([{"user": "Hello.", "text": "Ready."}, {"user": "Paint.", "calls": [both]}, {"result": "", "text": "All done."}]) as scene:
        scene.begin()
        scene.ask("Paint.")
        scene.press("2", "Return")
        scene.window.find(role="page tab", name="Colour ✓")
        scene.window.place_at_rest(role="radio button", name="Today")
        wait_page(scene)
        scene.press("1", "Return")
        scene.window.find(role="page tab", name="Day ✓")
        scene.window.place_at_rest(role="push button", name="Send answers")
        scene.window.find(role="status bar", name="Ctrl+⏎ sends the answers")
        wait_page(scene)
        scene.press("ctrl+Return")
        scene.window.find(contains="All done.")
        assert scene.keys == 5, scene.keys
        told = models.results_of(scene.model.requests[-1])["call_1"]
        assert "Green" in told and "Today" in told, told


@tap.case("/ui/decision/answered-in-the-terminal")
def _():
    """The card that somebody else decided goes, and says so; the one in its place takes nothing that was meant for the first."""
    two = [{"user": "Hello.", "text": "Ready."}, {"user": "Paint.", "calls": [
        models.ask("call_1", "Which colour?", "Red", "Green"), models.ask("call_2", "Which brush?", "Wide", "Thin")]},
           {"result": "Thin", "text": "All done."}]
    with Scene(two) as scene:
        scene.begin()
        scene.ask("Paint.")
        scene.listens("1 of 2")
        scene.press("ctrl+j")
        scene.wait_focus("the focus in the card", **DOCK)
        scene.home.ctl("answer", scene.home.ctl("questions").split()[0], "1")
        scene.window.find(contains="Answer: Red")
        scene.window.gone(name="1 of 2")
        scene.wait_focus("the focus in the composer", **MESSAGE)
        scene.window.find(contains="“Which colour?” was answered by ")
        scene.listens()
        scene.press("ctrl+j", "2")
        scene.window.find(contains="All done.")
        scene.window.find(contains="Answer: Thin")
        assert not scene.window.has(contains="was answered by "), "old news is still told"


@tap.case("/ui/decision/nothing-moves")
def _():
    """Header and composer are where they were when a turn begins, while it waits, and when it ends."""
    with Scene(writing("a.txt")) as scene:
        scene.begin()

        def places():
            found = {name: scene.window.first(anew=True, name=name) or
                     scene.window.first(role="push button", contains=name) for name in STILL}
            assert all(found.values()), found
            return {name: node.middle() for name, node in found.items()}

        before = places()
        scene.ask()
        driver.wait(lambda: places() == before, f"the places of before, while a card waits: {before} {places()}", 5)
        scene.press("ctrl+Return")
        scene.window.find(contains="All done.")
        scene.window.gone(**DOCK)
        driver.wait(lambda: places() == before, f"the places of before, at the end: {before} {places()}", 5)


@tap.case("/ui/decision/written-wherever-one-is")
def _():
    """Letters that nothing else has a use for are written in the composer; a card keeps its own."""
    with Scene([{"user": "Hello.", "text": "Ready."}, {"user": "go on", "text": "All done."}]) as scene:
        scene.begin()
        scene.press("shift+F6")
        scene.wait_focus("the messages", name="Messages", role="scroll pane")
        subprocess.run(["xdotool", "type", "go on"], check=True)
        driver.wait(lambda: scene.window.length(**MESSAGE) == 5, "the letters in the composer")
        scene.wait_focus("the composer", **MESSAGE)
        scene.press("Return")
        scene.window.find(contains="All done.")


@tap.case("/ui/decision/mode-by-keyboard")
def _():
    """The menu opens at the mode that is chosen, and a message is written next."""
    with Scene([{"user": "Hello.", "text": "Ready."}]) as scene:
        scene.begin()
        scene.window.click(driver.MAIN, role="push button", name="Ask for changes")
        scene.window.place_at_rest(role="menu item", contains="Ask for changes")
        scene.press("Up")
        scene.wait_focus("the stricter mode", role="menu item", contains="Ask for everything")
        scene.press("Return")
        scene.window.find(role="push button", name="Ask for everything")
        scene.wait_focus("the composer", **MESSAGE)


@tap.case("/ui/decision/a-typed-path")
def _():
    """A path is typed at once, and one that is refused is there to be corrected."""
    with Scene([{"user": "Hello.", "text": "Ready."}]) as scene:
        scene.begin()
        (scene.home.folder / "sails").mkdir()
        path = {"role": "text", "name": "Path of a folder"}
        scene.window.click(driver.MAIN, contains="Working folder: ")
        scene.wait_focus("the last folder", role="push button", name="~/letters")
        subprocess.run(["xdotool", "type", "~/sail"], check=True)
        driver.wait(lambda: scene.window.length(**path) == 6, "the path")
        scene.press("Return")
        scene.window.find(contains="is not a folder")
        scene.wait_focus("the composer", **MESSAGE)
        scene.window.click(driver.MAIN, contains="Working folder: ")
        scene.wait_focus("the path that was refused", **path)
        scene.press("s", "Return")
        scene.window.find(role="push button", name="Working folder: ~/sails")


@tap.case("/ui/decision/from-region-to-region")
def _():
    with Scene(writing("a.txt")) as scene:
        scene.begin()
        scene.ask()
        regions = [("the sidebar", {"name": "Conversations"}), ("the messages", {"name": "Messages", "role": "scroll pane"}),
                   ("the dock", DOCK), ("the composer", MESSAGE)]
        for words, what in regions:
            scene.press("F6")
            scene.wait_focus(words, **what)
        for words, what in reversed(regions[:-1]):
            scene.press("shift+F6")
            scene.wait_focus(words, **what)


@tap.case("/ui/decision/tab-leaves-the-messages")
def _():
    """However many there are, a few keys lead from the first of what holds them to the composer."""
    with Scene([{"user": "Hello.", "text": "Ready."}, *({"user": f"Number {n}.", "text": f"Reply {n}."} for n in range(6))]) as scene:
        scene.begin()
        for number in range(6):
            scene.window.type(f"Number {number}.", **MESSAGE)
            scene.window.press(name="Send message")
            scene.window.find(contains=f"Reply {number}.")
        scene.to_front()
        scene.press("shift+F6")
        scene.wait_focus("the messages", name="Messages", role="scroll pane")
        scene.keys = 0
        while not scene.has_focus(**MESSAGE):
            scene.press("Tab")
            assert scene.keys < 12, "Tab does not leave the messages"
        print(f"# {scene.keys} keys", flush=True)


if __name__ == "__main__":
    scenes.main()
