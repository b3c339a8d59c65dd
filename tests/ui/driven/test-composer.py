#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where messages are written, in the real window: files come into it and arrive at the model. test-composer.py BUILD_ROOT. Runs
on a display of its own."""

import base64

import pasting
import scenes
from scenes import Scene, driver, tap

MESSAGE = {"role": "text", "name": "Message"}


def paste(scene, media_type, path):
    """What another program has copied."""
    with pasting.Clipboard(scenes.BUILD, media_type, path):
        scene.window.click(driver.MAIN, **MESSAGE)
        scene.window.keys(driver.MAIN, "ctrl+v")
        return scene.window.find(contains="Remove ")


def images_of(request):
    """What the model got to see, as bytes."""
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
        scene.window.find(contains="“none.txt” is not attached.")
        scene.window.press(name="Send message")
        scene.window.find(contains="Read.")
        scene.window.find(name="Attached file: note.txt")
        content = scene.requests(1)["messages"][-1]["content"]
        assert content == '<attached-file name="note.txt">\nThe number is 17.\n\n</attached-file>\n\n', content
        scene.window.press(name="Attached file: note.txt")
        scene.window.find(name="Save a copy")


if __name__ == "__main__":
    scenes.main()
