# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree that a program shows screen readers, read over the accessibility bus (AT-SPI 2) itself.

A program's whole tree is one call away (org.a11y.atspi.Cache.GetItems), where a client library asks for each property of each
widget: a look at a window takes a hundredth of the time. A `Node` is a widget as it was at that look; what is done to it, and the
states that are asked of it later, are calls of their own.
"""

from gi.repository import Gio, GLib

PREFIX = "org.a11y.atspi."
ROOT = "/org/a11y/atspi/accessible/root"
# An answer that takes longer is a program that hangs.
PATIENCE = 10_000
# The borders and paddings around a button of a card, and how far from its end a widget is clicked, in pixels.
LOST, EDGE = 14, 4
# How deep a tree is that came at once; widgets that come and go while it is looked at are for the next look.
ROUNDS = 60

# Numbers of AtspiStateType and AtspiRole, which are the protocol's. Newer toolkits tell toggle buttons and switches from others.
ACTIVE, BUSY, CHECKED, FOCUSED, SENSITIVE, VISIBLE = 1, 3, 4, 12, 24, 30
STATUS_BAR = 54
ROLES = {0: "invalid", 2: "alert", 7: "check box", 8: "check menu item", 11: "combo box", 16: "dialog", 20: "filler", 23: "frame",
         26: "icon", 27: "image", 29: "label", 31: "list", 32: "list item", 33: "menu", 34: "menu bar", 35: "menu item", 37: "page tab",
         38: "page tab list", 39: "panel", 40: "password text", 41: "popup menu", 42: "progress bar", 43: "push button",
         44: "radio button", 45: "radio menu item", 48: "scroll bar", 49: "scroll pane", 50: "separator", 51: "slider", 52: "spin button",
         53: "split pane", 54: "status bar", 55: "table", 56: "table cell", 57: "table column header", 61: "text", 62: "push button",
         63: "tool bar", 64: "tool tip", 65: "tree", 66: "tree table", 67: "unknown", 69: "window", 73: "paragraph", 75: "application",
         79: "entry", 82: "document frame", 83: "heading", 85: "section", 88: "link", 90: "table row", 91: "tree item", 95: "document web",
         97: "comment", 98: "list box", 99: "panel", 100: "image map", 101: "notification", 102: "info bar", 103: "level bar",
         109: "article", 110: "landmark", 111: "log", 116: "static", 129: "push button",
         130: "check box"}


def _address():
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    return session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, PATIENCE, None).unpack()[0]


class Bus:
    """The accessibility bus, connected to when it is first needed."""

    connection = None

    @classmethod
    def call_packed(cls, name, path, method, *arguments):
        """Calls INTERFACE.METHOD and returns what it gives, packed. The first argument, if any, is the signature of the others."""
        if cls.connection is None:
            flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
            cls.connection = Gio.DBusConnection.new_for_address_sync(_address(), flags, None, None)
        interface, _, member = method.rpartition(".")
        given = GLib.Variant(arguments[0], arguments[1:]) if arguments else None
        return cls.connection.call_sync(name, path, interface, member, given, None, 0, PATIENCE, None)

    @classmethod
    def call(cls, name, path, method, *arguments):
        return cls.call_packed(name, path, method, *arguments).unpack()

    @classmethod
    def call_all(cls, name, paths, method):
        """Calls the same of many before the first has answered, and returns their answers by path."""
        interface, _, member = method.rpartition(".")
        answers = {}

        def answered(connection, result, path):
            try:
                answers[path] = connection.call_finish(result).unpack()[0]
            except GLib.Error:
                answers[path] = []  # it is gone by now

        for path in paths:
            cls.connection.call(name, path, interface, member, None, None, 0, PATIENCE, None, answered, path)
        while len(answers) < len(paths):
            GLib.MainContext.default().iteration(True)
        return answers

    @classmethod
    def subscribe(cls, name, member, callback):
        """Calls back with the path and the arguments of an event of a program, and returns what unsubscribe () takes."""
        cls.call("org.a11y.atspi.Registry", "/org/a11y/atspi/registry", PREFIX + "Registry.RegisterEvent", "(sass)", "object:", [], "")
        return cls.connection.signal_subscribe(name, PREFIX + "Event.Object", member, None, None, 0,
                                               lambda _bus, _from, path, _interface, _member, given: callback(path, given.unpack()))

    @classmethod
    def unsubscribe(cls, number):
        cls.connection.signal_unsubscribe(number)


def applications():
    """The programs on the bus."""
    for name, path in Bus.call(PREFIX + "Registry", ROOT, PREFIX + "Accessible.GetChildren")[0]:
        yield Application(name, path)


class Application:
    """A program's tree."""

    def __init__(self, name, path):
        self.bus_name = name
        self.path = path
        self.version = None
        self.looks = 0
        # Of each parent, what its children were known by, and their paths.
        self.children = {}
        # The items of the last look by their bytes: most are what they were, and to unpack one takes longer than all else.
        self.items = {}

    def call(self, path, method, *arguments):
        return Bus.call(self.bus_name, path, method, *arguments)

    def toolkit(self):
        """The version of its toolkit, as numbers."""
        if self.version is None:
            told = self.call(self.path, "org.freedesktop.DBus.Properties.Get", "(ss)", PREFIX + "Application", "Version")[0]
            self.version = [int(number) for number in told.split(".")[:2]]
        return self.version

    def get_process_id(self):
        return Bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID", "(s)",
                        self.bus_name)[0]

    def get_child_count(self):
        return len(self.call(self.path, PREFIX + "Accessible.GetChildren")[0])

    def look(self):
        """All that is shown now, by path. The toolkit makes up what it says of a widget when it is first asked for, and goes on
        saying it when the widget is hidden: who is a child of whom is asked of all parents of whom something has changed, all of
        them at once. Where one widget came for another that was there before, nothing has; so all are asked every few times."""
        self.looks += 1
        if self.looks % 4 == 0:
            self.children.clear()
        fresh = set()
        for _ in range(ROUNDS):
            nodes = {item[0][1]: Node(self, item) for item in self._items()}
            marks = self._marks(nodes)
            asked = [path for path, mark in marks.items() if not self._knows(path, mark, nodes, fresh)]
            if not asked:
                break
            fresh.update(asked)
            for path, given in Bus.call_all(self.bus_name, asked, PREFIX + "Accessible.GetChildren").items():
                self.children[path] = marks[path], [child for _, child in given]
        return self._shown(nodes)

    def _items(self):
        """All widgets that the toolkit knows of, each as the cache gives it."""
        packed = Bus.call_packed(self.bus_name, "/org/a11y/atspi/cache", PREFIX + "Cache.GetItems").get_child_value(0)
        known, self.items = self.items, {}
        for number in range(packed.n_children()):
            item = packed.get_child_value(number)
            data = item.get_data_as_bytes().get_data()
            self.items[data] = known[data] if data in known else item.unpack()
        return self.items.values()

    def _marks(self, nodes):
        """The changes of a parent's children, but for the first time that one comes for another."""
        marks = {path: [node.child_count] for path, node in nodes.items() if node.child_count or path == self.path}
        for node in nodes.values():
            if node.parent_path in marks:
                marks[node.parent_path].append((node.path, node.index))
        return marks

    def _knows(self, path, mark, nodes, fresh):
        if path not in self.children:
            return False
        known, children = self.children[path]
        return (path in fresh or known == mark) and all(child in nodes for child in children)

    def _shown(self, nodes):
        shown, waiting = {}, [nodes[self.path]]
        while waiting:
            node = waiting.pop()
            shown[node.path] = node
            node.nodes = shown
            _, children = self.children.get(node.path, (None, ()))
            node.children = [nodes[path] for path in children if path in nodes]
            waiting.extend(node.children)
            # What tells how things stand has no name with newer toolkits, only its text.
            if node.role == STATUS_BAR and not node.name and node.has("Text"):
                node.name = node.text()
        return shown

    def root(self, anew=False):
        """Its top; anew if whatever was asked before is asked again."""
        if anew:
            self.children.clear()
        return self.look()[self.path]

    def node(self, path):
        """The widget of a path as it is now, or None."""
        return self.look().get(path)


class Node:
    """A widget as it was when its program's tree was looked at."""

    def __init__(self, application, item):
        (_, self.path), _, (_, self.parent_path), self.index, self.child_count, *rest = item
        interfaces, self.name, self.role, self.description, states = rest
        self.application = application
        self.interfaces = [interface.removeprefix(PREFIX) for interface in interfaces]
        self.states = states[0] | states[1] << 32
        self.children = []
        self.nodes = {}

    def call(self, method, *arguments):
        return self.application.call(self.path, PREFIX + method, *arguments)

    def get(self, interface, name):
        return self.application.call(self.path, "org.freedesktop.DBus.Properties.Get", "(ss)", PREFIX + interface, name)[0]

    def has(self, interface):
        return interface in self.interfaces

    def was(self, state):
        """Whether it had a state at the look it is from."""
        return bool(self.states >> state & 1)

    def has_state(self, state):
        """Whether it has a state now."""
        low, high = self.call("Accessible.GetState")[0]
        return bool((low | high << 32) >> state & 1)

    def now(self):
        """The same widget at a new look, or None."""
        return self.application.node(self.path)

    def get_role_name(self):
        return ROLES.get(self.role, str(self.role))

    def place(self):
        """Its place among others of the same name: its way from the root, as indices."""
        path, node = [], self
        while node is not None and node.path != self.application.path:
            path.append(node.index)
            node = self.nodes.get(node.parent_path)
        return tuple(reversed(path))

    # Doing

    def count_actions(self):
        return self.get("Action", "NActions") if self.has("Action") else 0

    def actions(self):
        """The names of what it does."""
        return [name for name, _, _ in self.call("Action.GetActions")[0]] if self.has("Action") else []

    def do(self, index):
        return self.call("Action.DoAction", "(i)", index)[0]

    def set_text(self, text):
        return self.call("EditableText.SetTextContents", "(s)", text)[0]

    def text(self):
        return self.call("Text.GetText", "(ii)", 0, -1)[0]

    def count_characters(self):
        return self.get("Text", "CharacterCount")

    def extents(self):
        return self.call("Component.GetExtents", "(u)", 1)[0]

    def is_placed(self):
        """Whether it has a place in its window: what is on a page that is not shown has no size."""
        return min(self.extents()[2:]) > 0

    def middle(self):
        """About its middle in its window, in pixels."""
        x, y, width, height = self.extents()
        return x + width // 2 + self.lost(width), y + height // 2 + self.lost(height)

    def lost(self, size):
        """How far it is beyond the place that is told. GTK adds up the places of all that it is in; from 4.24 on it does so
        without their borders and paddings, which no client is told. Up to twice that is met, or none, as long as it is larger."""
        return min(LOST, max(size // 2 - EDGE, 0)) if self.application.toolkit() >= [4, 23] else 0
