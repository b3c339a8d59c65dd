# SPDX-License-Identifier: GPL-3.0-or-later
"""A server of notifications, played on the private bus: each keeps what it is sent, and activates as a click would. GNOME's way
and everybody else's."""

import driver
from gi.repository import Gio, GLib

APPLICATION = "io.github.beckon.Beckon"
GNOME = """<node><interface name="org.gtk.Notifications">
  <method name="AddNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
  </method>
  <method name="RemoveNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
</interface></node>"""
FREEDESKTOP = """<node><interface name="org.freedesktop.Notifications">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/><arg type="s" direction="out"/></method>
  <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>"""


class Notification:
    """All that a person sees of one: `title`, `body`, `buttons`."""

    def __init__(self, title, body, buttons):
        self.title = title
        self.body = body
        self.buttons = buttons

    def __str__(self):
        return f"{self.title}: {self.body} {self.buttons}"


class Desktop:
    """Shown ones, by id; only ever grows in `seen`."""

    def __init__(self, name, path, interface):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.name = name
        self.path = path
        self.clear()
        self.object = self.bus.register_object(path, Gio.DBusNodeInfo.new_for_xml(interface).interfaces[0], self._called,
                                               None, None)
        self.owner = Gio.bus_own_name_on_connection(self.bus, name, Gio.BusNameOwnerFlags.NONE, None, None)

    def clear(self):
        self.shown = {}
        self.seen = []

    def _add(self, identifier, notification):
        self.shown[identifier] = notification
        self.seen.append(identifier)

    def wait(self, title=None):
        """The notification that is shown now, or that with a title."""
        return driver.wait(lambda: [one for one in self.shown.values() if title in (None, one.title)], "a notification")[-1]

    def find(self, body):
        return driver.wait(lambda: [one for one in self.shown.values() if one.body == body], "a notification: " + body)[-1]


class Gnome(Desktop):
    def __init__(self):
        super().__init__("org.gtk.Notifications", "/org/gtk/Notifications", GNOME)

    def _called(self, _bus, _sender, _path, _interface, method, parameters, invocation):
        values = parameters.unpack()
        assert values[0] == APPLICATION, values
        if method == "AddNotification":
            given = parameters.get_child_value(2)
            buttons = given.lookup_value("buttons", None)
            one = Notification(self._text(given, "title"), self._text(given, "body"),
                               [button["label"] for button in buttons] if buttons else [])
            one.given = given
            self._add(values[1], one)
        else:
            self.shown.pop(values[1], None)
        invocation.return_value(None)

    def _text(self, given, key):
        value = given.lookup_value(key, None)
        return value.get_string() if value else ""

    def _activate(self, action, target):
        assert action.startswith("app."), action
        parameters = GLib.Variant("(sava{sv})", (action[4:], [target] if target is not None else [], {}))
        self.bus.call(APPLICATION, "/" + APPLICATION.replace(".", "/"), "org.freedesktop.Application", "ActivateAction",
                      parameters, None, Gio.DBusCallFlags.NONE, -1, None, None)

    def press(self, label):
        for button in self.wait().given.lookup_value("buttons", None):
            if button["label"] == label:
                self._activate(button["action"], GLib.Variant("(ss)", button["target"]))
                return
        raise AssertionError("there is no button " + label)

    def open(self, notification=None):
        given = (notification or self.wait()).given
        self._activate(given.lookup_value("default-action", None).get_string(), given.lookup_value("default-action-target", None))


class Freedesktop(Desktop):
    def __init__(self, *capabilities):
        self.capabilities = capabilities
        super().__init__("org.freedesktop.Notifications", "/org/freedesktop/Notifications", FREEDESKTOP)

    def _called(self, _bus, sender, _path, _interface, method, parameters, invocation):
        if method == "GetCapabilities":
            invocation.return_value(GLib.Variant("(as)", (self.capabilities,)))
        elif method == "GetServerInformation":
            invocation.return_value(GLib.Variant("(ssss)", ("Test", "Test", "1", "1.2")))
        elif method == "Notify":
            _name, replaces, _icon, title, body, actions, _hints, _timeout = parameters.unpack()
            identifier = replaces or len(self.seen) + 1
            one = Notification(title, body, [label for name, label in zip(actions[::2], actions[1::2]) if name != "default"])
            one.actions = dict(zip(actions[1::2], actions[::2]))
            one.identifier = identifier
            one.sender = sender
            self._add(identifier, one)
            invocation.return_value(GLib.Variant("(u)", (identifier,)))
        else:
            self.shown.pop(parameters.unpack()[0], None)
            invocation.return_value(None)

    def _invoke(self, notification, action):
        self.bus.emit_signal(notification.sender, self.path, self.name, "ActionInvoked",
                             GLib.Variant("(us)", (notification.identifier, action)))
        self.shown.pop(notification.identifier, None)
        self.bus.emit_signal(notification.sender, self.path, self.name, "NotificationClosed",
                             GLib.Variant("(uu)", (notification.identifier, 2)))

    def press(self, label):
        notification = self.wait()
        self._invoke(notification, notification.actions[label])

    def open(self, notification=None):
        self._invoke(notification or self.wait(), "default")
