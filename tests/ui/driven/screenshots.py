#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes pictures of the real window on the offline tour: screenshots.py PREFIX FOLDER.

Run by build-aux/screenshots.sh, on a display of its own.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import driver  # noqa: E402

# What is looked for and typed, by language; the first word of a file's name says which.
WORDS = {
    "en": {
        "tour": "Take the offline tour",
        "card": "AI needs your decision",
    },
    "zh": {
        "tour": "开始离线导览",
        "card": "AI 需要你的决策",
    },
}
LANGUAGES = {"en": "en", "zh": "zh_CN"}
WIDTHS = {"": (1100, 760), "narrow-": (360, 720), "wide-": (1400, 860)}


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
    subprocess.run(["import", "-window", window, "-strip", str(path)], check=True)
    print(path, flush=True)


# What a GNOME desktop sets, and a cursor that is the same in every picture.
SETTINGS = """[Settings]
gtk-font-name=Cantarell 11
gtk-decoration-layout=appmenu:close
gtk-cursor-blink=false
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


def take(installation, folder, language, scheme):
    words = WORDS[language]
    for prefix, size in WIDTHS.items():
        with driver.Home(installation, LANGUAGE=LANGUAGES[language], ADW_DEBUG_COLOR_SCHEME="prefer-" + scheme,
                         GTK_A11Y="atspi") as home:
            program = start(home, size)
            if not prefix:
                program.find(contains=words["tour"])
                shoot(program, folder / f"welcome-{scheme}-{language}.png")
            program.press(role="push button", contains=words["tour"])
            program.find(name=words["card"])
            shoot(program, folder / f"{prefix}question-{scheme}-{language}.png")


def main(prefix, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    installation = driver.Installation.in_prefix(prefix)
    for language in WORDS:
        for scheme in ("light", "dark"):
            take(installation, folder, language, scheme)


if __name__ == "__main__":
    main(*sys.argv[1:])
