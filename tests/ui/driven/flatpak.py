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
import time

HERE = pathlib.Path(__file__).resolve().parent
# Within a Flatpak settings are kept in a file.
os.environ.pop("GSETTINGS_BACKEND", None)
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "support")]

import driver  # noqa: E402
import tap  # noqa: E402

APPLICATION = "io.github.beckon.Beckon"
CARD = {"name": "AI needs your decision"}
KEY = "a-key-that-only-the-keyring-has"


class Program(driver.Program):
    """Within a Flatpak a program has another number than the one it was started by."""

    def is_mine(self, application):
        return application.root().name in ("beckon", APPLICATION) and application.get_child_count() > 0

    def kill(self):
        subprocess.run(["flatpak", "kill", APPLICATION], check=False)
        self.process.wait(20)


def ctl(*arguments, given=None):
    command = ["flatpak", "run", "--command=beckonctl", APPLICATION, *arguments]
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True).stdout


class Model(http.server.BaseHTTPRequestHandler):
    """Runs the command that it is told to, and says what came of it; otherwise it says one word. Remembers what it was sent."""

    keys = []
    requests = []

    def reply(self, message):
        text = message["content"] if isinstance(message["content"], str) else message["content"][-1]["text"]
        if message["role"] == "tool":
            return {"content": "Result: " + text}, "stop"
        if not text.startswith("Run: "):
            return {"content": "Reached"}, "stop"
        arguments = json.dumps({"command": text.removeprefix("Run: ")})
        call = {"index": 0, "id": "call_run", "type": "function",
                "function": {"name": "run_command", "arguments": arguments}}
        return {"tool_calls": [call]}, "tool_calls"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(request)
        self.keys.append(self.headers["Authorization"])
        delta, reason = self.reply(request["messages"][-1])
        chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        body = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


SERVER = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
ADDRESS = f"http://127.0.0.1:{SERVER.server_address[1]}/v1"
HOME = pathlib.Path(os.environ["HOME"])


def make_pdf(words):
    """A page whose words are in the encoding of a Chinese font that is not in the file: a table must say what they mean."""
    text = words.encode("gbk").hex()
    stream = f"BT /F1 24 Tf 72 720 Td <{text}> Tj ET"
    objects = ["<</Type/Catalog/Pages 2 0 R>>",
               "<</Type/Pages/Kids[3 0 R]/Count 1>>",
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
               f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
               "<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/GBK-EUC-H/DescendantFonts[6 0 R]>>",
               "<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/FontDescriptor 7 0 R"
               "/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>>>",
               "<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800"
               "/Descent -200/CapHeight 700/StemV 80>>"]
    pdf, places = "%PDF-1.4\n", ""
    for number, body in enumerate(objects, 1):
        places += f"{len(pdf):010d} 00000 n \n"
        pdf += f"{number} 0 obj\n{body}\nendobj\n"
    count = len(objects) + 1
    pdf += (f"xref\n0 {count}\n0000000000 65535 f \n{places}trailer<</Size {count}/Root 1 0 R>>\n"
            f"startxref\n{len(pdf)}\n%%EOF\n")
    return pdf.encode("ascii")


def approve(window):
    """A new card takes no input for a moment."""
    panel = {"name": "Run this command?", "role": "panel"}
    window.find(**panel)
    driver.wait(lambda: not any(driver.is_busy(node) for node in window.all(**panel)),
                "a card that listens")
    window.press(name="Run")


def run(window, command):
    """The model's result of it."""
    window.type("Run: " + command, role="text", name="Message")
    window.press(name="Send message")
    approve(window)


def is_running(words):
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if words in path.read_bytes():
                return True
        except OSError:
            pass
    return False


@tap.case("/flatpak/question")
def _():
    window = Program(["flatpak", "run", APPLICATION], dict(os.environ))
    try:
        window.press(role="push button", contains="Take the")
        card = window.find(**CARD)
        window.kill()
        window = Program(["flatpak", "run", APPLICATION], dict(os.environ))
        card = window.find(**CARD)
        driver.wait(lambda: not driver.is_busy(card), "a card that listens")
        window.press(name="Files and folders")
        window.find(contains="Answer: Files and folders")
    finally:
        window.kill()


@tap.case("/flatpak/key")
def _():
    ctl("profile", "add", "Test", "--no-lookup", "--base-url", ADDRESS, "--model", "test", "--key-from-stdin", "--use", given=KEY + "\n")
    assert "Reached" in ctl("run", "Say a word.")
    assert Model.keys == ["Bearer " + KEY], Model.keys
    folder = HOME / ".var/app" / APPLICATION
    assert folder.is_dir(), "its data is not where a Flatpak's is"
    holding = [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert not holding, f"the key is in {holding}"


@tap.case("/flatpak/pdf")
def _():
    """Its reader is within, with the tables for Chinese."""
    file = HOME / "report.pdf"
    file.write_bytes(make_pdf("数字是十七"))
    before = len(Model.requests)
    subprocess.run(["flatpak", "run", f"--filesystem={file}:ro", "--command=beckonctl", APPLICATION,
                    "run", "--attach", str(file), "What does it say?"], stdout=subprocess.DEVNULL, check=True)
    sent = json.dumps(Model.requests[before:], ensure_ascii=False)
    assert "数字是十七" in sent, sent


@tap.case("/flatpak/sees-no-home")
def _():
    secret = HOME / "not-for-agents"
    secret.write_text("secret")
    command = ["flatpak", "run", "--command=cat", APPLICATION, str(secret)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode != 0 and "secret" not in done.stdout, done.stdout


@tap.case("/flatpak/sandbox")
def _():
    folder = HOME / "work"
    folder.mkdir()
    subprocess.run(["flatpak", "override", "--user", f"--filesystem={folder}", APPLICATION], check=True)
    ctl("run", "--folder", str(folder), "Hello.")
    window = Program(["flatpak", "run", APPLICATION], dict(os.environ))
    try:
        window.find(contains="Reached")
        run(window, "pwd; echo hello > made; id -un")
        window.find(contains=f"Result: {folder}")
        assert (folder / "made").read_text() == "hello\n"
        hidden = HOME / ".var/app" / APPLICATION / "data"
        assert (hidden / "beckon").is_dir(), "the history is elsewhere"
        port = SERVER.server_address[1]
        run(window, f"ls {hidden} && echo seen > s1; ls {HOME}/not-for-agents && echo seen > s2; echo x > .envrc && echo seen > s3; "
                    f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}' && echo seen > s4; ls /run/flatpak/bus && echo seen > s5; "
                    "echo tried > tried")
        driver.wait((folder / "tried").exists, "an end of the trials")
        window.find(contains="tried > tried")
        assert not list(folder.glob("s?")), f"the sandbox lets through {list (folder.glob ('s?'))}"
        assert not (folder / ".envrc").exists()
        stop(window)
    finally:
        window.kill()
        subprocess.run(["flatpak", "override", "--user", "--reset", APPLICATION], check=True)


def stop(window):
    """All of it is gone within two seconds, and nothing of it outlives the window."""
    run(window, "(setsid sleep 98765 &); trap '' TERM; sleep 98765")
    driver.wait(lambda: is_running(b"98765"), "a command that runs")
    window.press(name="Stop")
    begun = time.monotonic()
    driver.wait(lambda: not is_running(b"98765"), "its end", 2)
    print(f"# stopped after {time.monotonic() - begun:.2f} s", flush=True)
    run(window, "sleep 87654")
    driver.wait(lambda: is_running(b"87654"), "a command that runs")
    window.kill()
    driver.wait(lambda: not is_running(b"87654"), "its end", 2)


if __name__ == "__main__":
    threading.Thread(target=SERVER.serve_forever, daemon=True).start()
    sys.exit(tap.main())
