# SPDX-License-Identifier: GPL-3.0-or-later
"""The window of another program beside Beckon's: something is dragged from it or to it, or it has the focus."""

import queue
import subprocess
import threading

import scenes
from scenes import driver

OTHER = "Another Program"


def xdotool(*words):
    return subprocess.run(["xdotool", *words], stdout=subprocess.PIPE, text=True, check=True).stdout


class Other:
    """Another program's window at the right of the display. Use as a context."""

    def __init__(self, *arguments):
        self.command = [str(scenes.BUILD / "tests/ui/driven/beckon-dragging"), *map(str, arguments)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()
        driver.wait(lambda: self.said() == "shown", "the window of the other program")
        width, _ = map(int, xdotool("getdisplaygeometry").split())
        self.window = xdotool("search", "--sync", "--onlyvisible", "--name", f"^{OTHER}$").split()[-1]
        xdotool("windowmove", "--sync", self.window, str(width - 140), "0", "windowraise", self.window)
        self.place = (width - 80, 60)
        return self

    def __exit__(self, *exception):
        self.process.stdin.close()
        self.process.wait()

    def read(self):
        with self.process.stdout as stdout:
            for line in stdout:
                self.lines.put(line.rstrip("\n"))

    def said(self):
        """Its next line, if there is one."""
        return None if self.lines.empty() else self.lines.get()
