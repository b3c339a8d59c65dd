#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives the installed Flatpak as a newcomer would. Run by build-aux/flatpak/check.sh, on a display and a bus of its own."""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "support")]

import driver  # noqa: E402
import tap  # noqa: E402

APPLICATION = "io.github.beckon.Beckon"
CARD = {"name": "AI needs your decision"}
KEY = "a-key-that-only-the-keyring-has"


class Program(driver.Program):
    """Within a Flatpak a program has another number than the one it was started by."""

    def _on_bus(self):
        desktop = driver.Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(index)
            if application and application.get_name() in ("beckon", APPLICATION) and application.get_child_count() > 0:
                application.set_cache_mask(driver.FRESH)
                return application
        return None

    def kill(self):
        subprocess.run(["flatpak", "kill", APPLICATION], check=False)
        self.process.wait(20)


def ctl(*arguments, given=None):
    command = ["flatpak", "run", "--command=beckonctl", APPLICATION, *arguments]
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True).stdout


class Model(http.server.BaseHTTPRequestHandler):
    """Says one word, and remembers the key it was asked with."""

    keys = []

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.keys.append(self.headers["Authorization"])
        chunk = {"choices": [{"index": 0, "delta": {"content": "Reached"}, "finish_reason": "stop"}]}
        body = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@tap.case("/flatpak/question")
def _():
    window = Program(["flatpak", "run", APPLICATION], dict(os.environ))
    try:
        window.press(role="push button", contains="Take the offline tour")
        card = window.find(**CARD)
        window.kill()
        window = Program(["flatpak", "run", APPLICATION], dict(os.environ))
        card = window.find(**CARD)
        driver.wait(lambda: not driver.has_state(card, driver.Atspi.StateType.BUSY), "a card that listens")
        window.press(name="Files and folders")
        window.find(contains="Answer: Files and folders")
    finally:
        window.kill()


@tap.case("/flatpak/key")
def _():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    ctl("profile", "add", "Test", "--base-url", address, "--model", "test", "--key-from-stdin", "--use", given=KEY + "\n")
    assert "Reached" in ctl("run", "Say a word.")
    server.shutdown()
    assert Model.keys == ["Bearer " + KEY], Model.keys
    folder = pathlib.Path(os.environ["HOME"]) / ".var/app" / APPLICATION
    assert folder.is_dir(), "its data is not where a Flatpak's is"
    holding = [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert not holding, f"the key is in {holding}"


@tap.case("/flatpak/sees-no-home")
def _():
    secret = pathlib.Path(os.environ["HOME"]) / "not-for-agents"
    secret.write_text("secret")
    command = ["flatpak", "run", "--command=cat", APPLICATION, str(secret)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode != 0 and "secret" not in done.stdout, done.stdout


if __name__ == "__main__":
    sys.exit(tap.main())
