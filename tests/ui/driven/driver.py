# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts programs and drives their windows through the accessibility bus, the way a screen reader's user would.

Widgets are found by role and accessible name. Nothing here sleeps for a time that something is hoped to take: every step waits
until what it needs is there, or fails at a deadline with a picture of the tree that was there instead.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

# Warnings are fatal in the programs under test, and nowhere else.
G_DEBUG = os.environ.pop("G_DEBUG", "")

from gi.repository import GLib  # noqa: E402

import accessible  # noqa: E402

DEADLINE = float(os.environ.get("BECKON_UI_DEADLINE", "30"))
# As many questions in a row find a widget in the same place: a third of a second, at least.
TIMES_AT_REST = 15
SCHEMA = "io.github.beckon.Beckon"
# The main window's title follows its conversation.
MAIN = ".*"


def wait(condition, what, timeout=None):
    """Polls a condition until it holds, and returns its value."""
    end = time.monotonic() + (DEADLINE if timeout is None else timeout)
    while True:
        while GLib.MainContext.default().iteration(False):
            pass
        try:
            value = condition()
        except GLib.Error:
            value = None
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError("this did not come: " + what)
        time.sleep(0.02)


def walk(node, hidden=False, depth=0):
    """All widgets below a node that are on the screen, or all there are."""
    if node is None:
        return
    yield depth, node
    for child in node.children:
        if hidden or child.was(accessible.VISIBLE):
            yield from walk(child, hidden, depth + 1)


def type_keys(*command):
    """Runs xdotool. A newer one holds Alt for a function key that it is told by its name, so it is told their codes."""
    codes = {f"F{number}": str(66 + number if number <= 10 else 84 + number) for number in range(1, 13)}
    subprocess.run(["xdotool", *("+".join(codes.get(key, key) for key in word.split("+")) for word in command)], check=True)


def is_popup(window):
    """Whether an X window is a menu, or the tooltip that comes below a pointer that rests."""
    told = subprocess.run(["xwininfo", "-id", window, "-stats"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return "Override Redirect State: yes" in told.stdout


def is_busy(node):
    return node.has_state(accessible.BUSY)


# What the toolkit's own pieces are called when nobody named them.
PIECES = ("Gtk", "Adw")


def describe(node, hidden=False):
    """The screen, without what only holds it together."""
    return "\n".join(" " * depth + f"[{widget.get_role_name()}] {widget.name!r} {widget.description!r}"
                     for depth, widget in walk(node, hidden) if widget.name and not widget.name.startswith(PIECES))


def has_role(node, role):
    """Whether it is that. A sheet with buttons, which newer versions of libadwaita have for a dialog, is an alert; what is
    announced is one with nothing in it. Newer versions of GTK tell the field of a password from others."""
    own = node.get_role_name()
    return (own == role or (role == "dialog" and own == "alert" and len(node.children) > 0)
            or (role == "text" and own == "password text"))


def sheets(frame):
    """The dialogs within a window."""
    return [node for depth, node in walk(frame) if depth > 0 and node.get_role_name() == "dialog"]


class Program:
    """A started program with a window."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, env=environment, start_new_session=True)
        try:
            self.application = wait(self._on_bus, f"{command[0]} on the accessibility bus")
        except AssertionError:
            self.end()
            raise

    def _on_bus(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the program ended with {self.process.returncode}")
        return next((application for application in accessible.applications() if self.is_mine(application)), None)

    def is_mine(self, application):
        return application.get_process_id() == self.process.pid and application.get_child_count() > 0

    # Looking

    @property
    def root(self):
        """All of it, as it is now."""
        return self.application.root()

    def windows(self):
        """Its windows, the dialogs among them: newer versions of libadwaita have those as sheets within a window."""
        frames = self.root.children
        return frames + [sheet for frame in frames for sheet in sheets(frame)]

    def each(self, role=None, name=None, contains=None, within=None, hidden=False, anew=False):
        """All that fits, in order. What is announced to screen readers repeats what is shown, and is found only by its role, `alert`."""
        for _, node in walk(within.now() if within else self.application.root(anew), hidden):
            if ((name is None or node.name == name) and (contains is None or contains in node.name)
                    and (has_role(node, role) if role else node.get_role_name() != "alert")):
                yield node

    def all(self, **what):
        return list(self.each(**what))

    def first(self, **what):
        return next(self.each(**what), None)

    def has(self, **what):
        return self.first(anew=True, **what) is not None

    def find(self, timeout=None, **what):
        """The first widget that fits, once there is one."""
        try:
            return wait(lambda: self.first(**what), f"widget {what}", timeout)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{describe(self.root)}") from None

    def gone(self, **what):
        """Returns when no widget fits any more."""
        try:
            wait(lambda: not self.has(**what), f"the end of widget {what}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{describe(self.root)}") from None

    # Doing

    def press(self, **what):
        """Presses a button, once it is there and takes input."""
        def pressed():
            for node in self.all(**what):
                if node.was(accessible.SENSITIVE):
                    # A newer menu button leaves it to the toggle button in it, which has its name.
                    for _, part in walk(node):
                        if part.name == node.name and part.count_actions() > 0:
                            return part.do(0)
            return False

        try:
            wait(pressed, f"a press of {what}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{describe(self.root)}") from None

    def act(self, action, **what):
        """Performs a widget's action by its name, such as "card.dismiss"; what its menu offers to a hand."""
        def acted():
            for node in self.all(**what):
                for index, called in enumerate(node.actions()):
                    if called in (action, action.split(".")[-1]):
                        return node.do(index)
            return False

        try:
            wait(acted, f"action {action} of {what}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{describe(self.root)}") from None

    def type(self, text, **what):
        """Replaces what a field holds."""
        def typed():
            for node in self.all(**what):
                if node.was(accessible.SENSITIVE) and node.has("EditableText"):
                    return node.set_text(text)
            return False

        try:
            wait(typed, f"typing into {what}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{describe(self.root)}") from None

    def length(self, **what):
        """How many characters a field holds; their text reads as empty at the oldest GTK there is to work with."""
        return self.find(**what).count_characters()

    def x_window(self, title):
        """The X window whose title is like that, or which has a sheet that is called so."""
        def search():
            around = [frame for frame in self.root.children if title in [sheet.name for sheet in sheets(frame)]]
            name = re.escape(around[0].name) if around else title
            return subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.process.pid), "--name",
                                   f"^{name}$"], stdout=subprocess.PIPE, text=True, check=False).stdout.split()

        found = wait(search, f"a window called {title}")
        return next((one for one in reversed(found) if len(found) == 1 or not is_popup(one)), found[-1])

    def keys(self, title, *keys):
        """Types keys into a window; there is no window manager, so the focus is set first."""
        type_keys("windowfocus", "--sync", self.x_window(title), "key", *keys)

    def place_at_rest(self, **what):
        """The middle of a widget, once it has one and stays there: a page that comes in has no layout yet, rows move up, and on a
        busy machine a frame in which they do takes its time. Its place alone is asked for again, until a look at everything finds
        it there, too: another widget may have come for it."""
        places, node = [], None

        def look():
            nonlocal node
            node = next((node for node in self.each(anew=True, **what) if node.is_placed()), None)
            places.append(node.middle() if node is not None else None)

        def rests():
            nonlocal node
            try:
                if node is None:
                    look()
                else:
                    places.append(node.middle())
                if not places[-1] or min(places[-1]) <= 0:
                    node = None
                    return None
                if len(places) < TIMES_AT_REST or len(set(places[-TIMES_AT_REST:])) > 1:
                    return None
                look()
            except GLib.Error:  # it is gone
                node = None
                return None
            return places[-1] if places[-1] == places[-2] else None

        return wait(rests, f"a widget at rest {what}")

    def click(self, title, **what):
        """Clicks on the middle of a widget: what has no action of its own, such as a switch."""
        x, y = self.place_at_rest(**what)
        subprocess.run(["xdotool", "mousemove", "--window", self.x_window(title), str(x), str(y), "click", "1"], check=True)

    # Ending

    def kill(self):
        """Ends it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()


class Installation:
    """The places of the programs and the schema."""

    def __init__(self, window, terminal, schemas):
        self.window = str(window)
        self.terminal = str(terminal)
        self.schemas = str(schemas)

    @classmethod
    def in_build(cls, folder):
        folder = pathlib.Path(folder)
        return cls(folder / "src/ui/beckon", folder / "src/cli/beckonctl", folder / "data")

    @classmethod
    def in_prefix(cls, folder):
        folder = pathlib.Path(folder)
        return cls(folder / "bin/beckon", folder / "bin/beckonctl", folder / "share/glib-2.0/schemas")


class Home:
    """A fresh person: data, settings and what was started for them. Use as a context."""

    def __init__(self, installation, **variables):
        self.installation = installation
        self.variables = variables
        self.programs = []

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="person-", dir=os.environ["HOME"]))
        self.environment = dict(os.environ, G_DEBUG=G_DEBUG, GSETTINGS_BACKEND="keyfile", HOME=str(self.folder),
                                GSETTINGS_SCHEMA_DIR=self.installation.schemas, **self.variables)
        for variable, name in (("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"),
                               ("XDG_STATE_HOME", "state")):
            (self.folder / name).mkdir()
            self.environment[variable] = str(self.folder / name)
        # A script has no reply to spare for a title.
        settings = self.folder / "config/glib-2.0/settings"
        settings.mkdir(parents=True)
        (settings / "keyfile").write_text("[io/github/beckon/Beckon]\nname-conversations=false\n")
        return self

    def __exit__(self, *exception):
        for program in self.programs:
            program.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *arguments):
        """Starts the window."""
        program = Program([self.installation.window, *arguments], self.environment)
        self.programs.append(program)
        return program

    def run(self, *command):
        """Runs a command to its end as this person, and returns what it printed."""
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, text=True, check=True).stdout

    def ctl(self, *arguments):
        return self.run(self.installation.terminal, *arguments)

    def set(self, key, value):
        self.run("gsettings", "set", SCHEMA, key, value)

    def get(self, key):
        return self.run("gsettings", "get", SCHEMA, key).strip()

    def has_stored(self, text):
        """Whether a text has reached the disk, wherever the store put it."""
        return any(text.encode() in path.read_bytes() for path in (self.folder / "data").rglob("*") if path.is_file())
