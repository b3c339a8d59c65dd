#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes pictures of every page and state of the real window, so that somebody can look at them:

    gallery.py BUILD FOLDER [--language en,zh,rtl] [--look light,dark,contrast,large] [--width 360,720,1400] [--scene WORD,…]

Pictures are called SCENE-WIDTH-LOOK-LANGUAGE.png. Beside them, sheets of what belongs together (ImageMagick's montage). What does
not get as narrow as it should is said. Run by build-aux/gallery.sh, on a display of its own."""

import argparse
import datetime
import json
import pathlib
import sqlite3
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import driver  # noqa: E402
import model as models  # noqa: E402
import phone  # noqa: E402
import pseudo  # noqa: E402
import sample  # noqa: E402
from gi.repository import Gio, GLib  # noqa: E402

APPLICATION = "io.github.beckon.Beckon"
LANGUAGES = {"en": "en", "zh": "zh_CN", "rtl": "he"}
# Newer toolkits take the language and its direction from the locale alone, where it is there.
LOCALES = {"en": "en_US.UTF-8", "zh": "zh_CN.UTF-8", "rtl": "he_IL.UTF-8"}
# GTK 4.24 leaves pixels of a text that moved where it was, unless all is drawn anew.
DRAWING = {"GSK_DEBUG": "full-redraw"}
# Each needs a process of its own where the toolkit reads it once: variables, dots per inch, and our colour scheme.
LOOKS = {
    "light": ("normal", {}, "96", "light"),
    "dark": ("normal", {}, "96", "dark"),
    "contrast": ("contrast", {"ADW_DEBUG_HIGH_CONTRAST": "1"}, "96", "light"),
    "contrastdark": ("contrast", {"ADW_DEBUG_HIGH_CONTRAST": "1"}, "96", "dark"),
    "large": ("large", {}, "192", "light"),
}
LOOKS_IN_A_ROW = 4
HEIGHTS = {360: 720, 720: 760, 1400: 860}
# What a GNOME desktop sets, new or old, and nothing that moves.
SETTINGS = """[Settings]
gtk-font-name=Adwaita Sans,Cantarell 11
gtk-decoration-layout=appmenu:close
gtk-cursor-blink=false
gtk-enable-animations=false
gtk-xft-antialias=1
gtk-xft-hinting=1
gtk-xft-hintstyle=hintslight
"""


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout


def screen():
    return subprocess.run(["import", "-window", "root", "rgb:-"], stdout=subprocess.PIPE, check=True).stdout


class Words:
    """A text of ours in the language of the pictures."""

    def __init__(self, path):
        import gettext
        self.catalogue = gettext.GNUTranslations(path.open("rb")) if path else gettext.NullTranslations()

    def __call__(self, text):
        return self.catalogue.gettext(text)


class Gallery:
    """A process of the program, in one language."""

    def __init__(self, wanted, home, model, words, language):
        self.wanted = wanted
        self.home = home
        self.model = model
        self.words = words
        self.language = language
        self.looks = []
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    # Doing

    def start(self):
        self.program = self.home.start()
        self.main = self.program.x_window(driver.MAIN)

    def act(self, action, target=None):
        """An action of the application, as a desktop would activate it."""
        self.bus.call_sync(APPLICATION, "/" + APPLICATION.replace(".", "/"), "org.freedesktop.Application", "ActivateAction",
                           GLib.Variant("(sava{sv})", (action, [target] if target else [], {})), None, Gio.DBusCallFlags.NONE,
                           -1, None)

    def open(self, link):
        self.bus.call_sync(APPLICATION, "/" + APPLICATION.replace(".", "/"), "org.freedesktop.Application", "Open",
                           GLib.Variant("(asa{sv})", ([link], {})), None, Gio.DBusCallFlags.NONE, -1, None)

    def keys(self, *keys, window=None):
        driver.type_keys("windowfocus", "--sync", window or self.main, "key", *keys)

    def type(self, text):
        run("xdotool", "type", text)

    def press(self, text, **what):
        # A mnemonic stands in brackets in Chinese.
        said = self.words(text)
        self.program.press(contains=said.split("_")[0] if "(_" in said else said.replace("_", ""), **what)

    def send(self, text):
        self.program.type(text, role="text", name=self.words("Message"))
        self.press("Send message")

    def press_around(self, text):
        """The button that a label is in: its own name says more."""
        node = self.program.find(role="label", name=self.words(text))
        while node.get_role_name() != "push button":
            node = node.nodes[node.parent_path]
        node.do(0)

    def x_windows(self):
        found = run("xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.program.process.pid), "--name", ".+").split()
        return sorted(set(found), key=int)

    def is_managed(self, window):
        """Neither a menu nor gone."""
        return "Override Redirect State: no" in run("xwininfo", "-id", window, "-stats")

    def count_sheets(self):
        return sum(len(driver.sheets(frame)) for frame in self.program.root.children)

    def new_window(self, opens):
        """The window in which a dialog is shown: its own, or the main one where it is a sheet."""
        before, sheets_before = self.x_windows(), self.count_sheets()

        def shown():
            windows = [one for one in self.x_windows() if one not in before and self.is_managed(one)]
            return windows[-1] if windows else self.main if self.count_sheets() > sheets_before else None

        opens()
        return driver.wait(shown, "another window")

    # Taking

    def resize(self, window, width, height):
        run("xdotool", "windowmove", window, "0", "0", "windowsize", window, str(width), str(height))

    def geometry(self, window):
        values = dict(line.split("=") for line in run("xdotool", "getwindowgeometry", "--shell", window).split())
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def at_rest(self):
        """Until several looks in a row are the same, and between them the program has answered: it had nothing else to do."""
        seen = []

        def same():
            self.program.application.get_child_count()
            seen.append(screen())
            return len(seen) >= LOOKS_IN_A_ROW and len(set(seen[-LOOKS_IN_A_ROW:])) == 1

        driver.wait(same, "a picture at rest")

    def fit(self, window, width):
        """Without a window manager, a window that is made narrow at once keeps the width it needed before its content took
        the narrow form."""
        self.resize(window, width, HEIGHTS[width])
        self.at_rest()
        if self.geometry(window)[0] > width:
            self.resize(window, width, HEIGHTS[width])
            self.at_rest()

    def wants(self, scene):
        return not self.wanted.scene or any(scene.startswith(word) for word in self.wanted.scene)

    def reaches(self, scene):
        """Whether it is wanted, or another that stands on it and is called after it."""
        return self.wants(scene) or any(word.startswith(scene + "-") for word in self.wanted.scene)

    def shoot(self, scene, window=None, widths=None, menu=None):
        """A picture of each width and look. A menu goes when the window changes, so it is opened for each of them."""
        if not self.wants(scene):
            return
        window = window or self.main
        for look in self.looks:
            self.home.set("color-scheme", LOOKS[look][3])
            for width in self.wanted.width if widths is None else widths:
                self.fit(window, width)
                if menu:
                    menu()
                    self.at_rest()
                has = self.geometry(window)
                if has[0] > width + 10:
                    print(f"{scene} {look} {self.language}: {has[0]} wide, not {width}", flush=True)
                path = self.wanted.folder / f"{scene}-{width}-{look}-{self.language}.png"
                run("import", "-window", "root", "-crop", f"{max(has[0], width)}x{HEIGHTS[width]}+0+0", "+repage", "-strip", str(path))
                if menu:
                    self.keys("Escape", window=window)

    def visit(self, name, conversation):
        if not self.reaches(name):
            return
        self.open("beckon://conversation/" + conversation)
        self.program.find(contains=sample.marks(self.language)[name])
        self.wait_for_cards()
        BEFORE.get(name, lambda *_: None)(self, conversation)
        self.shoot(name)
        AFTER.get(name, lambda _: None)(self)

    def wait_for_cards(self):
        driver.wait(lambda: not any(driver.is_busy(node) for node in self.program.all(role="panel")), "cards that listen")

    def window(self, name, opens):
        """A window that opens, is shown and goes."""
        if not self.wants(name):
            return
        window = self.new_window(opens)
        self.shoot(name, window)
        self.close(window)

    def close(self, window):
        if window == self.main:
            before = self.count_sheets()
            self.keys("Escape")
            driver.wait(lambda: self.count_sheets() < before, "the end of a sheet")
            return
        self.keys("Escape", window=window)
        try:
            driver.wait(lambda: window not in self.x_windows(), "the end of a window", 2)
        except AssertionError:
            self.keys("ctrl+w", window=window)
            driver.wait(lambda: window not in self.x_windows(), "the end of a window")

    def dialog(self, page, button, name, steps=None):
        """A window that is opened by a button, or a row, of a page of the preferences, and what is seen after each step in it."""
        def find():
            return next((node for node in self.program.each(name=self.words(button), anew=True)
                         if node.get_role_name() in ("list item", "push button")), None)

        def opens():
            # What is listed comes when it was read.
            node = driver.wait(find, f"“{button}” on a page")
            if node.get_role_name() == "list item":
                self.program.click(self.words("Preferences"), role="list item", name=node.name)
            else:
                self.program.press(role="push button", name=node.name)

        if not any(self.wants(scene) for scene in (name, *(steps or {}))):
            return
        # A click needs a row that is on the screen.
        self.resize(self.main, 1400, HEIGHTS[1400])
        preferences = self.new_window(lambda: self.act("preferences-at", GLib.Variant("(ss)", (page, ""))))
        window = self.new_window(opens)
        self.shoot(name, window)
        for scene, step in (steps or {}).items():
            step()
            self.shoot(scene, window)
        self.close(window)
        self.close(preferences)


MODES = {"landed": "outside", "away": "outside", "command": "everything"}
SERVER = HERE.parent.parent / "mcp/server.py"


def bring_instructions(home, language):
    """A folder that has something to say to the agent."""
    folder = home.folder / "Quay"
    skill = folder / ".agents/skills/tide-table"
    skill.mkdir(parents=True)
    (folder / "AGENTS.md").write_text(sample.TEXTS[language]["rules"])
    (skill / "SKILL.md").write_text("---\nname: tide-table\ndescription: Makes a tide table of a day\n---\nRead tides.txt.\n")
    return folder


def bring_logbook(home):
    """A folder that the agent works in while nobody looks."""
    folder = home.folder / "Logbook"
    folder.mkdir()
    (folder / "logbook.txt").write_text(sample.LOGBOOK)
    return folder


def add_server(home, language):
    """A server of tools that asks for a form."""
    path = home.folder / "form.json"
    path.write_text(json.dumps(sample.form(language)))
    home.ctl("mcp", "add", "Harbour", "--", sys.executable, "-u", str(SERVER), "modern", f"form={path}")


def prepare(home, texts, language="en"):
    """Everything that waits and was, made in the terminal; returns the conversations by their first words."""
    add_server(home, language)
    folders = {"trust": bring_instructions(home, language), "away": bring_logbook(home)}
    folder = home.folder / "Harbour"
    folder.mkdir()
    (folder / "opening-hours.txt").write_text("Monday to Friday, 9 to 17\n")
    (folder / "tides.txt").write_text("".join(f"tide {number}\n" for number in range(1, 50)))
    for name in "old.txt", "older.txt":
        (folder / name).write_text("What was.\n")
    for name in "ferry.txt", "north.txt", "south.txt", "pier":
        (folder / name).write_text(f"Of the {name.partition('.')[0]}.\n")
    for name, said in texts.items():
        command = [home.installation.terminal, "run", "--detach-on-ask", "--mode", MODES.get(name, "changes"), "--folder",
                   str(folders.get(name, folder)), said]
        subprocess.run(command, env=home.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    listed = json.loads(home.ctl("list", "--json"))
    return {name: next(one["id"] for one in listed["conversations"] if one["title"].startswith(said[:12])) for name, said in texts.items()}


def welcome(gallery):
    if gallery.wants("welcome"):
        gallery.start()
        gallery.program.find(contains=gallery.words("Take the Offline Tour"))
        gallery.shoot("welcome")
        gallery.program.end()


def landed(gallery):
    """A command's changes, file by file, and what it would be to go back."""
    def opens():
        gallery.keys("ctrl+Up", "Up", "Up", "Menu")
        gallery.press("Re_wind Folder to Here…", role="menu item")

    card = gallery.program.find(role="panel", contains="sed -i s/Friday")
    gallery.program.all(role="push button", within=card)[1].do(0)
    gallery.shoot("landed-files")
    gallery.window("landed-rewind", opens)


PDF = (b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
       b"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>\nendobj\n"
       b"4 0 obj\n<</Length 38>>stream\nBT /F1 24 Tf 72 720 Td (High water) Tj ET\nendstream\nendobj\n"
       b"5 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\ntrailer<</Size 6/Root 1 0 R>>\n%%EOF\n")


def attached(gallery):
    """A PDF for a model that gets its text."""
    if not gallery.wants("attached"):
        return
    path = gallery.home.folder / "tide tables.pdf"
    path.write_bytes(PDF)
    gallery.open(path.as_uri())
    gallery.program.find(contains="tide tables.pdf")
    gallery.shoot("attached")


def sources(gallery):
    """The sources of a reply, unfolded."""
    words = gallery.words.catalogue.ngettext("%u source", "%u sources", 3).replace("%u", "3")
    gallery.program.press(name=words)
    gallery.shoot("sources-unfolded")


def looks(gallery):
    """The calls that only looked, unfolded."""
    words = gallery.words.catalogue.ngettext("Looked at %u file", "Looked at %u files", 2).replace("%u", "2")
    gallery.program.press(contains=words, role="push button")
    gallery.shoot("tools-open")


def opened(gallery):
    """An approval with its form and its rules open, a queued message, and the card set aside."""
    for scene, button in {"edit-form": "Edit the call", "edit-always": "Always"}.items():
        gallery.program.press(name=gallery.words(button))
        gallery.shoot(scene)
    gallery.program.press(name=gallery.words("Always"))
    gallery.send(sample.TEXTS[gallery.language]["and"])
    gallery.program.gone(contains=sample.TEXTS[gallery.language]["and"], role="text", name=gallery.words("Message"))
    gallery.shoot("edit-queued")
    gallery.press("Set aside")
    gallery.shoot("edit-folded")
    gallery.keys("ctrl+j")


def asked(gallery):
    """The call of a server's tool is let run, and it asks for a form."""
    gallery.press("Run", role="push button")
    gallery.program.find(contains=sample.TEXTS[gallery.language]["form-message"])
    gallery.wait_for_cards()
    gallery.shoot("form-asked")


def answer(gallery, _):
    text = sample.TEXTS[gallery.language]
    gallery.program.press(name=text["deck"])
    gallery.program.find(contains=text["reserved"])


def answered(gallery):
    """The answer is changed."""
    gallery.window("answered-change", lambda: gallery.press("Change this answer"))


def is_waiting(home, conversation):
    listed = json.loads(home.ctl("list", "--json"))["conversations"]
    return any(one["id"] == conversation and one["waiting"] for one in listed)


def work_away(gallery, conversation):
    """The agent works while another conversation is shown, and stops at a question."""
    text = sample.TEXTS[gallery.language]
    gallery.send(text["away-more"])
    gallery.program.find(contains=text["away-begins"])
    gallery.act("new-conversation")
    gallery.program.gone(contains=text["away-begins"])
    gallery.model.release("away")
    driver.wait(lambda: is_waiting(gallery.home, conversation), "a question in a conversation that is not shown")
    gallery.open("beckon://conversation/" + conversation)
    gallery.program.find(contains=text["away-ask"])
    gallery.wait_for_cards()


def away(gallery):
    """The line of what was done in the meantime, unfolded."""
    words = gallery.words("While you were away: %s").split("%s")[0]
    gallery.program.press(contains=words, role="push button")
    gallery.program.find(contains="logbook.txt")
    gallery.shoot("away-open")


# What is done in a conversation before its picture is taken, and after.
BEFORE = {"answered": answer, "away": work_away}
AFTER = {"away": away, "answered": answered, "form": asked, "landed": landed, "sources": sources, "tools": looks, "edit": opened}


CHANNEL_SCENES = ("preferences-channels", "channel-shown", "channel-sign-in")


def make_copies(path):
    """The copies that the program would have made until yesterday."""
    for number, days in enumerate((3, 1)):
        day = datetime.date.today() - datetime.timedelta(days=days)
        with sqlite3.connect(path) as database, sqlite3.connect(path.parent / f"beckon-copy-{day}-{number}.db") as copy:
            database.backup(copy)
        copy.close()


def channels(gallery):
    """A channel that is paired, and one to sign in to with a code."""
    # A press takes its time, and is lost where the window gets another form before: what comes of it is waited for.
    def make_code():
        gallery.press("Make a pairing code")
        phone.find_code(gallery.program)

    def sign_in():
        gallery.press("Sign in to the channel")
        gallery.program.find(contains=gallery.words("Scan the code with the app on your phone."))

    def pair():
        telegram.say("write " + phone.find_code(gallery.program))
        gallery.program.find(contains="Anna")

    if not any(gallery.reaches(scene) for scene in CHANNEL_SCENES):
        return
    program = gallery.wanted.build / "tests/channels/phone-emulator"
    with phone.Phone(program, "telegram") as telegram, phone.Phone(program, "wechat") as wechat:
        phone.add(gallery.home, "telegram", "Anna’s phone", telegram.address)
        phone.add(gallery.home, "wechat", "Ben’s phone", wechat.address)
        gallery.start()
        gallery.program.find(role="text", name=gallery.words("Message"))
        gallery.window("preferences-channels", lambda: gallery.act("preferences-at", GLib.Variant("(ss)", ("channels", ""))))
        gallery.dialog("channels", "Anna’s phone", "channel-shown", {
            "channel-shown-code": make_code, "channel-shown-paired": pair})
        gallery.dialog("channels", "Ben’s phone", "channel-sign-in", {"channel-sign-in-code": sign_in})
        gallery.program.end()


def details(gallery):
    gallery.program.press(name=gallery.words("Conversation menu"), role="push button")
    gallery.press("De_tails", role="menu item")


def take(gallery, conversations):
    gallery.start()
    program = gallery.program
    program.find(role="text", name=gallery.words("Message"))
    gallery.act("new-conversation")
    gallery.shoot("empty")
    for name, conversation in conversations.items():
        gallery.visit(name, conversation)
    attached(gallery)
    gallery.open("beckon://conversation/" + conversations["markdown"])
    program.find(contains=sample.marks(gallery.language)["markdown"])
    gallery.shoot("menu-main", widths=[w for w in gallery.wanted.width if w > 360], menu=lambda: gallery.keys("F10"))
    for scene, button in {"conversation": "Conversation menu", "profile": "Profile", "folder": "Working folder: %s",
                          "mode": "Ask for changes"}.items():
        words = gallery.words(button).replace("%s", "")
        gallery.shoot("menu-" + scene, menu=lambda: program.press(contains=words, role="push button"))
    gallery.keys("ctrl+f")
    if gallery.wants("find"):
        gallery.type("a")
    gallery.shoot("find")
    gallery.keys("Escape")
    if gallery.wants("sidebar"):
        for width in [w for w in gallery.wanted.width if w == 360]:
            gallery.resize(gallery.main, width, HEIGHTS[width])
            gallery.at_rest()
            gallery.keys("F9")
            gallery.shoot("sidebar", widths=[width])
            gallery.keys("Escape")
    if gallery.wants("search"):
        gallery.resize(gallery.main, 1400, 860)
        gallery.keys("ctrl+shift+f")
        gallery.type("depth")
        program.find(contains="depth", role="list item")
        gallery.shoot("search", widths=[w for w in gallery.wanted.width if w > 360])
        gallery.keys("Escape", "Escape")
    if gallery.wants("waiting"):
        gallery.resize(gallery.main, 1400, 860)
        gallery.press_around("Waiting for You")
        gallery.at_rest()
        gallery.shoot("waiting")
    gallery.window("palette", lambda: gallery.keys("ctrl+k"))
    gallery.window("shortcuts", lambda: gallery.act("shortcuts"))
    gallery.window("about", lambda: gallery.act("about"))
    gallery.window("ask", lambda: gallery.act("ask"))
    for page in "credentials", "agent", "permissions", "tools", "servers", "appearance":
        gallery.window("preferences-" + page, lambda: gallery.act("preferences-at", GLib.Variant("(ss)", (page, ""))))
    gallery.dialog("credentials", "Add a profile", "profile")
    gallery.dialog("permissions", "Override an argument", "argument")
    gallery.dialog("servers", "Add a server", "server")
    gallery.dialog("servers", "Harbour", "server-shown")
    gallery.dialog("servers", "Take Over From Other Programs…", "import")
    gallery.dialog("channels", "Add a channel", "channel")
    if gallery.wants("details"):
        # Another page may have been shown in its place.
        gallery.open("beckon://conversation/" + conversations["markdown"])
        gallery.window("details", lambda: details(gallery))
    gallery.window("log", lambda: gallery.act("audit-log"))
    program.end()
    channels(gallery)
    if gallery.wants("repaired"):
        path = next((gallery.home.folder / "data").rglob("beckon.db"))
        make_copies(path)
        contents = path.read_bytes()
        path.write_bytes(bytes(100) + contents[100:])
        gallery.start()
        gallery.program.find(role="push button", contains=gallery.words("Open Yesterday’s Copy…"))
        gallery.shoot("repaired")
        if gallery.wants("repaired-copy"):
            gallery.resize(gallery.main, 1400, HEIGHTS[1400])
            gallery.press("Open Yesterday’s Copy…")
            gallery.at_rest()
            gallery.shoot("repaired-copy")
            gallery.keys("Escape")
        gallery.window("repaired-copies", lambda: gallery.act("preferences-at", GLib.Variant("(ss)", ("permissions", "Audit Log"))))
        gallery.program.end()
        path.write_bytes(contents)
    if gallery.wants("newer"):
        with sqlite3.connect(next((gallery.home.folder / "data").rglob("beckon.db"))) as database:
            database.execute("PRAGMA user_version = 9999")
        gallery.start()
        program = gallery.program
        gallery.at_rest()
        gallery.shoot("newer")
        program.end()


def catalogue(locale, language):
    if language == "rtl":
        pseudo.make(locale / "zh_CN/LC_MESSAGES/beckon.mo", locale / "he/LC_MESSAGES/beckon.mo")
    return Words(None if language == "en" else locale / LANGUAGES[language] / "LC_MESSAGES/beckon.mo")


def locale_of(language):
    known = run("locale", "-a").lower().split()
    return {"LC_ALL": LOCALES[language]} if LOCALES[language].lower().replace("-", "") in known else {}


def visit_all(wanted, language, looks):
    variables, dpi = LOOKS[looks[0]][1:3]
    variables = {**variables, **locale_of(language)}
    words = catalogue(wanted.build / "po", language)
    replies, texts = sample.script(language)
    with models.Model(wanted.build / "tests/fixtures/beckon-fixture-server", replies) as model, \
            driver.Home(driver.Installation.in_build(wanted.build), LANGUAGE=LANGUAGES[language], BECKON_API_KEY="test", **DRAWING, **variables) as home:
        run("xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi: " + dpi)
        (home.folder / "config/gtk-4.0").mkdir()
        (home.folder / "config/gtk-4.0/settings.ini").write_text(SETTINGS)
        gallery = Gallery(wanted, home, model, words, language)
        gallery.looks = looks
        welcome(gallery)
        home.ctl("profile", "add", "Harbour", "--no-lookup", "--base-url", model.base_url, "--model", "gpt-large", "--use")
        take(gallery, prepare(home, texts, language))


def sheets(wanted):
    """A picture of each scene and language, small, to see at one look what differs."""
    for language in wanted.language:
        scenes = {path.name.rsplit("-", 3)[0] for path in wanted.folder.glob(f"*-*-*-{language}.png") if not path.name.startswith("sheet")}
        for scene in sorted(scenes):
            files = sorted(wanted.folder.glob(f"{scene}-[0-9]*-*-{language}.png"))
            run("montage", *map(str, files), "-tile", "x2", "-geometry", "x600>+6+6", "-background", "#888",
                str(wanted.folder / f"sheet-{scene}-{language}.png"))


def words_of(text):
    return text.split(",")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--language", type=words_of, default=list(LANGUAGES))
    parser.add_argument("--look", type=words_of, default=list(LOOKS))
    parser.add_argument("--width", type=lambda text: [int(word) for word in text.split(",")], default=list(HEIGHTS))
    parser.add_argument("--scene", type=words_of, default=[])
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for language in wanted.language:
        for process in dict.fromkeys(LOOKS[look][0] for look in wanted.look):
            visit_all(wanted, language, [look for look in wanted.look if LOOKS[look][0] == process])
    sheets(wanted)


if __name__ == "__main__":
    main()
