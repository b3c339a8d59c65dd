# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts programs and drives their windows through the accessibility bus, the way a screen reader's user would.

Widgets are found by role and accessible name. Nothing here sleeps for a time that something is hoped to take: every step waits
until what it needs is there, or fails at a deadline with a picture of the tree that was there instead.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

# Warnings are fatal in the programs under test; the accessibility library's own, about widgets that go, must not end the test.
G_DEBUG = os.environ.pop("G_DEBUG", "")

import gi  # noqa: E402

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

DEADLINE = float(os.environ.get("BECKON_UI_DEADLINE", "30"))
SCHEMA = "io.github.beckon.Beckon"
# The main window's title follows its conversation.
MAIN = ".*"
# Trees are asked for anew at every look: what a program says later must not be hidden by what it said before.
FRESH = Atspi.Cache.NONE


# The library complains of every program that starts while it looks.
GLib.log_set_handler("dbind", GLib.LogLevelFlags.LEVEL_WARNING, lambda *_: None, None)


NEWER_ROLES = {"grouping": "panel", "button": "push button"}


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
    if node is None or depth > 60:
        return
    yield depth, node
    try:
        count = node.get_child_count()
    except GLib.Error:
        return
    for index in range(count):
        try:
            child = node.get_child_at_index(index)
            if child is None or not (hidden or is_showing(child)):
                continue
        except GLib.Error:
            continue
        yield from walk(child, hidden, depth + 1)


def role_of(node):
    """As GTK 4.8 says it; newer ones have a name of its own for some."""
    name = node.get_role_name()
    return NEWER_ROLES.get(name, name)


def has_state(node, state):
    return node.get_state_set().contains(state)


def is_showing(node):
    return has_state(node, Atspi.StateType.VISIBLE)


def is_usable(node):
    return has_state(node, Atspi.StateType.SENSITIVE)


# What the toolkit's own pieces are called when nobody named them.
PIECES = ("Gtk", "Adw")


def describe(node, hidden=False):
    """What is on the screen, without what only holds it together."""
    lines = []
    for depth, widget in walk(node, hidden):
        try:
            name = widget.get_name() or ""
            if name and not name.startswith(PIECES):
                lines.append(" " * depth + f"[{widget.get_role_name()}] {name!r} {widget.get_description()!r}")
        except GLib.Error as error:
            lines.append(" " * depth + "gone: " + error.message)
    return "\n".join(lines)


class Program:
    """A started program with a window."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, env=environment, start_new_session=True)
        try:
            self.root = wait(self._on_bus, f"{command[0]} on the accessibility bus")
        except AssertionError:
            self.end()
            raise

    def _on_bus(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the program ended with {self.process.returncode}")
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(index)
            if application and application.get_process_id() == self.process.pid and application.get_child_count() > 0:
                application.set_cache_mask(FRESH)
                return application
        return None

    # Looking

    def windows(self):
        """Its windows, the dialogs among them: quicker than a search for something in them."""
        return [node for index in range(self.root.get_child_count()) if (node := self.root.get_child_at_index(index))]

    def each(self, role=None, name=None, contains=None, within=None, hidden=False):
        """What fits, as it is come upon: every property that is looked at is a call to the other process. What is announced to
        screen readers repeats what is shown, and is found only by its role, `alert`."""
        for _, node in walk(within or self.root, hidden):
            try:
                label = node.get_name() or ""
                if ((name is None or label == name) and (contains is None or contains in label)
                        and (role_of(node) == role if role else role_of(node) != "alert")):
                    yield node
            except GLib.Error:
                continue

    def all(self, **what):
        return list(self.each(**what))

    def first(self, **what):
        return next(self.each(**what), None)

    def has(self, **what):
        return self.first(**what) is not None

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
                if is_usable(node) and node.get_action_iface() and Atspi.Action.get_n_actions(node) > 0:
                    return Atspi.Action.do_action(node, 0)
            return False

        try:
            wait(pressed, f"a press of {what}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{describe(self.root)}") from None

    def act(self, action, **what):
        """Performs a widget's action by its name, such as "card.dismiss"; what its menu offers to a hand."""
        def acted():
            for node in self.all(**what):
                for index in range(Atspi.Action.get_n_actions(node) if node.get_action_iface() else 0):
                    if Atspi.Action.get_action_name(node, index) in (action, action.split(".")[-1]):
                        return Atspi.Action.do_action(node, index)
            return False

        try:
            wait(acted, f"action {action} of {what}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{describe(self.root)}") from None

    def type(self, text, **what):
        """Replaces what a field holds."""
        def typed():
            for node in self.all(**what):
                if is_usable(node) and node.get_editable_text_iface():
                    return Atspi.EditableText.set_text_contents(node, text)
            return False

        try:
            wait(typed, f"typing into {what}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{describe(self.root)}") from None

    def length(self, **what):
        """How many characters a field holds; their text reads as empty at the oldest GTK there is to work with."""
        return Atspi.Text.get_character_count(self.find(**what))

    def x_window(self, title):
        """The X window whose title is like that."""
        def search():
            return subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.process.pid), "--name",
                                   f"^{title}$"], stdout=subprocess.PIPE, text=True, check=False).stdout.split()

        return wait(search, f"a window called {title}")[-1]

    def keys(self, title, *keys):
        """Types keys into a window; there is no window manager, so the focus is set first."""
        subprocess.run(["xdotool", "windowfocus", "--sync", self.x_window(title), "key", *keys], check=True)

    def click(self, title, **what):
        """Clicks on the middle of a widget: what has no action of its own, such as a switch."""
        extents = Atspi.Component.get_extents(self.find(**what), Atspi.CoordType.WINDOW)
        subprocess.run(["xdotool", "mousemove", "--sync", "--window", self.x_window(title), str(extents.x + extents.width // 2),
                        str(extents.y + extents.height // 2), "click", "1"], check=True)

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
    """Where the programs and the schema are."""

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
