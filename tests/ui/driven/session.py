# SPDX-License-Identifier: GPL-3.0-or-later
"""A desktop's session, played on the private bus: who holds up its end, who wants to go on without a window."""

import os
import pathlib

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
INHIBIT = """<node><interface name="org.freedesktop.portal.Inhibit">
  <method name="Inhibit"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="a{sv}" direction="in"/>
    <arg type="o" direction="out"/></method>
  <property name="version" type="u" access="read"/>
</interface></node>"""
REQUEST = """<node><interface name="org.freedesktop.portal.Request"><method name="Close"/></interface></node>"""
PORTAL = "org.freedesktop.portal.Desktop"
HANDLE = "/org/freedesktop/portal/desktop/request/1"


class Service:
    """An object with one interface, and every call of it."""

    def __init__(self, name, path, interface):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.calls = []
        self.objects = []
        self.export(path, interface)
        self.owner = Gio.bus_own_name_on_connection(self.bus, name, Gio.BusNameOwnerFlags.NONE, None, None)
        self.name = name
        driver.wait(self._is_there, name)

    def export(self, path, interface):
        info = Gio.DBusNodeInfo.new_for_xml(interface).interfaces[0]
        self.objects.append(self.bus.register_object(path, info, self._called, self._read, None))

    def ask_bus(self, method, arguments=None):
        return self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments, None,
                                  Gio.DBusCallFlags.NONE, -1, None).unpack()

    def _is_there(self):
        return self.ask_bus("NameHasOwner", GLib.Variant("(s)", (self.name,)))[0]

    def _called(self, _bus, _sender, _path, _interface, method, parameters, invocation):
        self.calls.append((method, parameters.unpack()))
        invocation.return_value(self.answer(method))

    def _read(self, _bus, _sender, _path, _interface, name):
        return GLib.Variant("u", 1) if name == "version" else GLib.Variant("b", True)

    def answer(self, method):
        raise NotImplementedError

    def wait(self, method):
        return driver.wait(lambda: [given for called, given in self.calls if called == method], "a call of " + method)[-1]

    def end(self):
        Gio.bus_unown_name(self.owner)
        for number in self.objects:
            self.bus.unregister_object(number)


class SessionManager(Service):
    def __init__(self):
        super().__init__("org.gnome.SessionManager", "/org/gnome/SessionManager", SESSION_MANAGER)

    def answer(self, method):
        if method == "Inhibit":
            return GLib.Variant("(u)", (7,))
        return GLib.Variant("(o)", ("/org/gnome/SessionManager/Client1",)) if method == "RegisterClient" else None


class Portal(Service):
    def __init__(self, interface=BACKGROUND):
        super().__init__(PORTAL, "/org/freedesktop/portal/desktop", interface)

    def answer(self, method):
        return None if method == "Close" else GLib.Variant("(o)", (HANDLE,))


class InhibitPortal(Portal):
    """GTK 4.24 asks it instead of the session's manager, where a file says that it can be started."""

    def __init__(self):
        self.file = pathlib.Path(os.environ["XDG_RUNTIME_DIR"]).parent / f"services/{PORTAL}.service"
        self.file.write_text(f"[D-BUS Service]\nName={PORTAL}\nExec=/bin/false\n")
        super().__init__(INHIBIT)
        self.export(HANDLE, REQUEST)
        self.ask_bus("ReloadConfig")

    def end(self):
        super().end()
        self.file.unlink()
        self.ask_bus("ReloadConfig")


class Holding:
    """The session's end, held up by whomever the toolkit tells."""

    def __init__(self):
        self.manager, self.portal = SessionManager(), InhibitPortal()

    def held(self):
        """The flags and the reason, each time."""
        told = [(given[3], given[2]) for called, given in self.manager.calls if called == "Inhibit"]
        return told + [(given[1], given[2]["reason"]) for called, given in self.portal.calls if called == "Inhibit"]

    def is_released(self):
        return ("Uninhibit", (7,)) in self.manager.calls or ("Close", ()) in self.portal.calls

    def end(self):
        self.manager.end()
        self.portal.end()
