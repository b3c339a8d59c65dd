#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes pictures of the real window on the offline tour: screenshots.py PREFIX FOLDER.

Run by build-aux/screenshots.sh, on a display of its own.
"""

import itertools
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import driver  # noqa: E402

# What is looked for, by language.
WORDS = {
    "en": {"tour": "Take the Offline Tour", "card": "AI needs your decision", "choice": "Files and folders",
           "end": "What time is it elsewhere?", "accept": "Accept and run the plan", "approval": "Look at the clock"},
    "zh": {"tour": "开始离线导览", "card": "AI 需要你的决策", "choice": "文件和文件夹", "end": "别处现在几点？",
           "accept": "接受并执行计划", "approval": "查看时间"},
}
LANGUAGES = {"en": "en", "zh": "zh_CN"}
SIZES = {"": (1100, 760), "narrow-": (360, 720), "wide-": (1400, 860)}
# Taken once by day and once by night.
ALSO = {("light", "en"), ("dark", "zh")}


def picture(window):
    return subprocess.run(["import", "-window", window, "rgb:-"], stdout=subprocess.PIPE, check=True).stdout


def shoot(program, path):
    """Takes the picture once two looks in a row are the same: what slides or fades has then come to rest."""
    window = program.x_window(driver.MAIN)
    seen = [None]

    def at_rest():
        before, seen[0] = seen[0], picture(window)
        return before == seen[0]

    driver.wait(at_rest, "a picture at rest")
    subprocess.run(["import", "-window", window, "-strip", "+dither", "-colors", "255", "PNG8:" + str(path)], check=True)
    print(path, flush=True)


# What a GNOME desktop sets, and nothing that moves.
SETTINGS = """[Settings]
gtk-font-name=Cantarell 11
gtk-decoration-layout=appmenu:close
gtk-cursor-blink=false
gtk-enable-animations=false
gtk-xft-antialias=1
gtk-xft-hinting=1
gtk-xft-hintstyle=hintslight
"""


def start(home, size):
    folder = home.folder / "config/gtk-4.0"
    folder.mkdir()
    (folder / "settings.ini").write_text(SETTINGS)
    home.set("window-width", str(size[0]))
    home.set("window-height", str(size[1]))
    return home.start()


def listens(program, words):
    """A card that has just come takes no input for a moment."""
    driver.wait(lambda: not any(driver.is_busy(card)
                                for card in program.all(contains=words, role="panel")), "a card that listens")


def take(home, folder, size, scheme, language):
    words = WORDS[language]
    program = start(home, SIZES[size])

    def shot(scene):
        shoot(program, folder / f"{size}{scene}-{scheme}-{language}.png")

    also = not size and (scheme, language) in ALSO
    if also:
        program.find(contains=words["tour"])
        shot("welcome")
    program.press(role="push button", contains=words["tour"])
    card = program.find(name=words["card"])
    driver.wait(lambda: not driver.is_busy(card), "a card that listens")
    shot("question")
    if also:
        program.press(name=words["choice"])
        program.find(contains=words["end"])
        shot("answered")
        listens(program, words["end"])
        program.act("step.pause", contains="get_current_time", role="panel")
        program.press(name=words["accept"])
        approval = program.find(name=words["approval"], role="panel")
        driver.wait(lambda: not driver.is_busy(approval), "an approval that listens")
        shot("approval")


def main(prefix, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    installation = driver.Installation.in_prefix(prefix)
    for size, scheme, language in itertools.product(SIZES, ("light", "dark"), WORDS):
        with driver.Home(installation, LANGUAGE=LANGUAGES[language], ADW_DEBUG_COLOR_SCHEME="prefer-" + scheme) as home:
            take(home, folder, size, scheme, language)


if __name__ == "__main__":
    main(*sys.argv[1:])
