#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Notifications, from the question to the answer: test-notifications.py BUILD_ROOT. What shows them is played by this test, on
the private bus, as the desktop's own does it: it keeps what it is sent, and activates as a click would."""

import ctypes
import subprocess

import scenes
from scenes import CARD, INSTALLATION, driver, models, tap
from gi.repository import Gio, GLib

APPLICATION = "io.github.beckon.Beckon"
QUESTION = "Which colour should the door have?"
CALL = "call_colour"
INTERFACE = """<node><interface name="org.gtk.Notifications">
  <method name="AddNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
  </method>
  <method name="RemoveNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
</interface></node>"""


class Desktop:
    """What is shown, by id; only ever grows in `seen`."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.shown = {}
        self.seen = []
        info = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        self.bus.register_object("/org/gtk/Notifications", info, self._called, None, None)
        Gio.bus_own_name_on_connection(self.bus, "org.gtk.Notifications", Gio.BusNameOwnerFlags.NONE, None, None)

    def _called(self, _bus, _sender, _path, _interface, method, parameters, invocation):
        values = parameters.unpack()
        assert values[0] == APPLICATION, values
        if method == "AddNotification":
            self.shown[values[1]] = parameters.get_child_value(2)
            self.seen.append(values[1])
        else:
            self.shown.pop(values[1], None)
        invocation.return_value(None)

    def wait(self):
        """The notification that is shown now."""
        return driver.wait(lambda: list(self.shown.values()), "a notification")[-1]

    def activate(self, action, target):
        assert action.startswith("app."), action
        parameters = GLib.Variant("(sava{sv})", (action[4:], [target] if target is not None else [], {}))
        self.bus.call(APPLICATION, "/" + APPLICATION.replace(".", "/"), "org.freedesktop.Application", "ActivateAction",
                      parameters, None, Gio.DBusCallFlags.NONE, -1, None, None)

    def press(self, label):
        for button in self.wait().lookup_value("buttons", None):
            if button["label"] == label:
                self.activate(button["action"], GLib.Variant("(ss)", button["target"]))
                return
        raise AssertionError("there is no button " + label)

    def open(self):
        notification = self.wait()
        target = notification.lookup_value("default-action-target", None)
        self.activate(notification.lookup_value("default-action", None).get_string(), target)


DESKTOP = Desktop()


def asking(*choices):
    return [
        {"user": "Paint the door.", "calls": [models.ask(CALL, QUESTION, *choices)]},
        *({"result": answer, "text": "So it is: " + answer} for answer in choices),
    ]


class Scene(scenes.Scene):
    def __enter__(self):
        DESKTOP.shown.clear()
        DESKTOP.seen.clear()
        super().__enter__()
        self.window.find(role="text", name="Message")
        driver.wait(self._look_away, "the window to lose the focus")
        return self

    def _look_away(self):
        """There is no window manager, so nothing else would take the focus from a window."""
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        display = ctypes.c_void_p(x11.XOpenDisplay(None))
        x11.XSetInputFocus(display, ctypes.c_ulong(0), 0, ctypes.c_ulong(0))
        x11.XCloseDisplay(display)
        return not driver.has_state(self.window.all(role="frame")[0], driver.Atspi.StateType.ACTIVE)


def text_of(notification, key):
    value = notification.lookup_value(key, None)
    return value.get_string() if value else ""


@tap.case("/ui/notification/choice")
def _():
    with Scene(asking("Red", "Green", "Blue")) as scene:
        scene.send("Paint the door.")
        notification = DESKTOP.wait()
        assert text_of(notification, "body") == QUESTION, notification
        assert text_of(notification, "title") == "Paint the door.", notification
        labels = [button["label"] for button in notification.lookup_value("buttons", None)]
        assert labels == ["Red", "Green", "Blue"], labels
        DESKTOP.press("Green")
        assert models.results_of(scene.requests(2)) == {CALL: "Green"}, scene.model.requests[1]
        driver.wait(lambda: not DESKTOP.shown, "the end of the notification")
        assert len(DESKTOP.seen) == 1, DESKTOP.seen
        scene.window.find(contains=f"Question: {QUESTION} Answer: Green")


@tap.case("/ui/notification/more-than-three")
def _():
    with Scene(asking("Red", "Green", "Blue", "White")) as scene:
        scene.send("Paint the door.")
        assert DESKTOP.wait().lookup_value("buttons", None) is None
        scene.window.press(name="White")
        driver.wait(lambda: not DESKTOP.shown, "the end of the notification")
        assert models.results_of(scene.requests(2)) == {CALL: "White"}, scene.model.requests[1]


@tap.case("/ui/notification/opens-the-card")
def _():
    with Scene(asking("Red", "Green")) as scene:
        scene.send("Paint the door.")
        DESKTOP.wait()
        scene.wait_for_card()
        scene.window.press(name="New conversation")
        scene.window.gone(**CARD)
        DESKTOP.open()
        scene.window.find(**CARD)
        assert DESKTOP.shown, "it is withdrawn when it is settled"


@tap.case("/ui/notification/without-details")
def _():
    with Scene(asking("Red", "Green")) as scene:
        scene.home.set("notification-details", "false")
        scene.send("Paint the door.")
        notification = DESKTOP.wait()
        assert "door" not in str(notification) and QUESTION not in str(notification), notification
        assert notification.lookup_value("buttons", None) is None


@tap.case("/ui/notification/not-while-looked-at")
def _():
    with Scene(asking("Red", "Green")) as scene:
        scene.window.keys(driver.MAIN, "shift")
        driver.wait(lambda: scene.window.all(role="frame") and driver.has_state(
            scene.window.all(role="frame")[0], driver.Atspi.StateType.ACTIVE), "the window's focus")
        scene.send("Paint the door.")
        scene.wait_for_card()
        assert not DESKTOP.seen, DESKTOP.seen


@tap.case("/ui/notification/without-a-window")
def _():
    DESKTOP.shown.clear()
    model = models.Model(scenes.SERVER, asking("Red", "Green"))
    with model, driver.Home(INSTALLATION, BECKON_API_KEY="test") as home:
        home.ctl("profile", "add", "Test", "--base-url", model.base_url, "--model", "test", "--use")
        service = subprocess.Popen([INSTALLATION.window, "--gapplication-service"], env=home.environment)
        try:
            home.run("gdbus", "wait", "--session", "--timeout", "20", APPLICATION + ".Questions")
            home.run("gdbus", "call", "--session", "--dest", APPLICATION + ".Questions", "--object-path",
                     "/io/github/beckon/Beckon/Questions", "--method", APPLICATION + ".Questions1.List")
            asked = subprocess.run([INSTALLATION.terminal, "run", "--detach-on-ask", "Paint the door."],
                                   env=home.environment, stdout=subprocess.PIPE, text=True, check=False)
            assert asked.returncode == 10, asked
            DESKTOP.press("Red")
            driver.wait(lambda: len(model.requests) >= 2, "the model to be told")
            assert models.results_of(model.requests[1]) == {CALL: "Red"}, model.requests[1]
            driver.wait(lambda: not DESKTOP.shown, "the end of the notification")
        finally:
            service.terminate()
            service.wait(20)


scenes.main()
