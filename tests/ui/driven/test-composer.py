#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The composer in the real window: files come into it and arrive at the model. test-composer.py BUILD_ROOT. Runs
on a display of its own."""

import base64

import pasting
import scenes
from scenes import Scene, driver, tap

from gi.repository import Gio, GLib  # noqa: E402

MESSAGE = {"role": "text", "name": "Message"}


def paste(scene, media_type, path):
    """Another program's copied text."""
    with pasting.Clipboard(scenes.BUILD, media_type, path):
        scene.window.click(driver.MAIN, **MESSAGE)
        scene.window.keys(driver.MAIN, "ctrl+v")
        return scene.window.find(contains="Remove ")


def images_of(request):
    """All that the model got to see, as bytes."""
    found = []
    for message in request["messages"]:
        for part in message["content"] if isinstance(message["content"], list) else []:
            if part["type"] == "image_url":
                kind, data = part["image_url"]["url"].split(",", 1)
                found.append((kind, base64.b64decode(data)))
    return found


@tap.case("/ui/composer/picture")
def _():
    with Scene([{"user": "What is it?", "text": "A slope."}, {"text": "Nothing is attached now."}]) as scene:
        picture = pasting.png(scene.home.folder / "slope.png")
        paste(scene, "image/png", picture)
        scene.window.press(name="Remove Picture.png")
        scene.window.gone(name="Remove Picture.png")
        paste(scene, "image/png", picture)
        scene.send("What is it?")
        scene.window.find(contains="A slope.")
        scene.window.gone(name="Remove Picture.png")
        scene.window.find(name="Picture: Picture.png")
        images = images_of(scene.requests(1))
        assert len(images) == 1, images
        kind, data = images[0]
        assert kind == "data:image/png;base64" and data.startswith(b"\x89PNG"), kind
        scene.send("And now?")
        scene.window.find(contains="Nothing is attached now.")
        assert len(images_of(scene.requests(2))) == 1, "the picture belongs to the first message alone"


@tap.case("/ui/composer/files")
def _():
    with Scene([{"text": "Read."}]) as scene:
        note = scene.home.folder / "note.txt"
        note.write_text("The number is 17.\n")
        uris = scene.home.folder / "uris"
        uris.write_text(f"{note.as_uri()}\r\n{(scene.home.folder / 'none.txt').as_uri()}\r\n")
        paste(scene, "text/uri-list", uris)
        scene.window.find(role="alert", contains="“none.txt” is not attached.")
        scene.window.press(name="Send message")
        scene.window.find(contains="Read.")
        scene.window.find(name="Attached file: note.txt")
        content = scene.requests(1)["messages"][-1]["content"]
        assert content == '<attached-file name="note.txt">\nThe number is 17.\n\n</attached-file>\n\n', content
        scene.window.press(name="Attached file: note.txt")
        scene.window.find(name="Save a copy")


def stroke(scene, *keys):
    """Keys for the composer, as a hand types them."""
    scene.window.click(driver.MAIN, **MESSAGE)
    scene.window.keys(driver.MAIN, *keys)


@tap.case("/ui/composer/draft-survives")
def _():
    with Scene([{"text": "Seen."}]) as scene:
        paste(scene, "image/png", pasting.png(scene.home.folder / "slope.png"))
        scene.window.type("What is it?", **MESSAGE)
        driver.wait(lambda: scene.home.has_stored("file:Picture.png") and scene.home.has_stored("What is it?"),
                    "the draft on the disk")
        scene.restart()
        scene.window.find(name="Remove Picture.png")
        driver.wait(lambda: scene.window.length(**MESSAGE) == len("What is it?"), "the draft's text")
        scene.window.press(name="Send message")
        scene.window.find(contains="Seen.")
        assert len(images_of(scene.requests(1))) == 1
        scene.restart()
        scene.window.find(name="Picture: Picture.png")
        assert not scene.window.has(name="Remove Picture.png"), "what was sent is a draft again"


@tap.case("/ui/composer/names-commands-history")
def _():
    with Scene([{"text": "First."}, {"text": "Second."}, {"text": "Third."}], opens=False) as scene:
        folder = scene.home.folder / "work" / "notes"
        folder.mkdir(parents=True)
        (folder / "summary.txt").write_text("17")
        scene.home.ctl("run", "--folder", str(folder), "Hello.")
        scene.restart()
        scene.window.find(contains="First.")
        stroke(scene, "at", "s", "u", "m")
        scene.window.find(name="summary.txt", role="list item")
        scene.window.keys(driver.MAIN, "Return")
        scene.window.gone(name="summary.txt", role="list item")
        scene.window.press(name="Send message")
        scene.window.find(contains="Second.")
        assert scene.requests(2)["messages"][-1]["content"] == "summary.txt", scene.requests(2)["messages"][-1]
        stroke(scene, "Up", "Up")
        driver.wait(lambda: scene.window.length(**MESSAGE) == len("Hello."), "the first message once more")
        scene.window.press(name="Send message")
        scene.window.find(contains="Third.")
        assert scene.requests(3)["messages"][-1]["content"] == "Hello."
        stroke(scene, "slash", "o", "u", "t", "s")
        scene.window.find(contains="/ask-outside")
        scene.window.keys(driver.MAIN, "Return")
        scene.window.gone(contains="/ask-outside")
        driver.wait(lambda: scene.home.has_stored("outside"), "the mode on the disk")
        assert scene.window.length(**MESSAGE) == 0


PORTAL = """<node>
  <interface name="org.freedesktop.portal.Screenshot">
    <method name="Screenshot">
      <arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/>
    </method>
    <property name="version" type="u" access="read"/>
  </interface>
</node>"""


class Portal:
    """A desktop that takes pictures of the screen. Use as a context."""

    def __init__(self, answers):
        self.answers = list(answers)

    def __enter__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        interface = Gio.DBusNodeInfo.new_for_xml(PORTAL).interfaces[0]
        self.object = self.bus.register_object("/org/freedesktop/portal/desktop", interface, self.call, self.get, None)
        self.name = Gio.bus_own_name_on_connection(self.bus, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE,
                                                   None, None)
        return self

    def __exit__(self, *exception):
        Gio.bus_unown_name(self.name)
        self.bus.unregister_object(self.object)

    def get(self, *_):
        return GLib.Variant("u", 2)

    def call(self, bus, sender, path, interface, method, parameters, invocation):
        token = parameters.unpack()[1]["handle_token"]
        request = f"/org/freedesktop/portal/desktop/request/{sender[1:].replace('.', '_')}/{token}"
        response, uri = self.answers.pop(0)
        invocation.return_value(GLib.Variant("(o)", (request,)))
        bus.emit_signal(sender, request, "org.freedesktop.portal.Request", "Response",
                        GLib.Variant("(ua{sv})", (response, {"uri": GLib.Variant("s", uri)} if uri else {})))


@tap.case("/ui/composer/screenshot")
def _():
    with Scene([{"text": "Seen."}]) as scene:
        scene.window.find(**MESSAGE)
        assert not scene.window.has(name="Attach a picture of the screen"), "there is no portal yet"
        picture = pasting.png(scene.home.folder / "screen.png")
        with Portal([(1, None), (2, None), (0, picture.as_uri())]) as portal:
            scene.window.press(name="Attach a picture of the screen")
            driver.wait(lambda: len(portal.answers) == 2, "the refusal")
            scene.window.press(name="Attach a picture of the screen")
            scene.window.find(role="alert", contains="did not take a picture")
            scene.window.press(name="Attach a picture of the screen")
            scene.window.find(name="Remove screen.png")
        scene.window.gone(name="Attach a picture of the screen")
        scene.window.press(name="Send message")
        scene.window.find(contains="Seen.")
        assert len(images_of(scene.requests(1))) == 1


if __name__ == "__main__":
    scenes.main()
