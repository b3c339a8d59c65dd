# SPDX-License-Identifier: GPL-3.0-or-later
"""A desktop's session, played on the private bus: who holds up its end, who wants to go on without a window."""

import driver
from gi.repository import Gio, GLib

SESSION_MANAGER = """<node><interface name="org.gnome.SessionManager">
  <method name="Inhibit"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="u" direction="in"/><arg type="u" direction="out"/></method>
  <method name="Uninhibit"><arg type="u" direction="in"/></method>
  <method name="RegisterClient"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
  <property name="SessionIsActive" type="b" access="read"/>
</interface></node>"""
BACKGROUND = """<node><interface name="org.freedesktop.portal.Background">
  <method name="RequestBackground"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/>
  </method>
</interface></node>"""


class Service:
    """An object with one interface, and every call of it."""

    def __init__(self, name, path, interface):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.calls = []
        self.object = self.bus.register_object(path, Gio.DBusNodeInfo.new_for_xml(interface).interfaces[0], self._called,
                                               lambda *_: GLib.Variant("b", True), None)
        self.owner = Gio.bus_own_name_on_connection(self.bus, name, Gio.BusNameOwnerFlags.NONE, None, None)
        self.name = name
        driver.wait(self._is_there, name)

    def _is_there(self):
        return self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                                  GLib.Variant("(s)", (self.name,)), None, Gio.DBusCallFlags.NONE, -1, None).unpack()[0]

    def _called(self, _bus, _sender, _path, _interface, method, parameters, invocation):
        self.calls.append((method, parameters.unpack()))
        invocation.return_value(self.answer(method))

    def answer(self, method):
        raise NotImplementedError

    def wait(self, method):
        return driver.wait(lambda: [given for called, given in self.calls if called == method], "a call of " + method)[-1]

    def end(self):
        Gio.bus_unown_name(self.owner)
        self.bus.unregister_object(self.object)


class SessionManager(Service):
    def __init__(self):
        super().__init__("org.gnome.SessionManager", "/org/gnome/SessionManager", SESSION_MANAGER)

    def answer(self, method):
        if method == "Inhibit":
            return GLib.Variant("(u)", (7,))
        return GLib.Variant("(o)", ("/org/gnome/SessionManager/Client1",)) if method == "RegisterClient" else None


class Portal(Service):
    def __init__(self):
        super().__init__("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", BACKGROUND)

    def answer(self, method):
        return GLib.Variant("(o)", ("/org/freedesktop/portal/desktop/request/1",))
