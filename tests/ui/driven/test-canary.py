#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A key is where it belongs and nowhere else: test-canary.py BUILD_ROOT. Runs on a display and with a keyring of its own.

A key that can be recognized is put into the keyring and used by the real programs, with a tool, with errors in which the server
repeats it, and with everything that can be logged. It must reach the server, and be found 0 times anywhere else.
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "support")]

import tap  # noqa: E402

try:
    import driver
except (ImportError, ValueError) as reason:
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)

BUILD = pathlib.Path(sys.argv[1])
INSTALLATION = driver.Installation.in_build(BUILD)
CANARY = "sk-canary-4f1d7c9e2b8a6035"
SENT = f"Bearer {CANARY}"


def chunk(**delta):
    return "data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}) + "\n\n"


def finish(reason):
    return "data: " + json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}) + "\n\ndata: [DONE]\n\n"


def call(name, **arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return chunk(tool_calls=[{"index": 0, "id": "call_1", "type": "function", "function": function}]) + finish("tool_calls")


class Server(http.server.ThreadingHTTPServer):
    """A model that repeats whatever key it was given in every complaint."""

    def __init__(self, replies):
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies = list(replies)
        self.keys = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def base_url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.keys.append(self.headers["Authorization"])
        status, body = self.server.replies.pop(0) if self.server.replies else complaint(401)
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/event-stream" if status == 200 else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


def complaint(status):
    return status, json.dumps({"error": {"message": f"You sent {SENT} and that is not right", "key": CANARY}})


def descendants(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in task.read_text().split():
                found += [int(child)] + descendants(int(child))
        except OSError:
            continue
    return found


def read(path):
    try:
        return pathlib.Path(path).read_bytes()
    except OSError:
        return b""


class Watch:
    """Looks at a process and all below it for as long as it runs."""

    def __init__(self, process, seen=None):
        self.process = process
        self.seen = seen
        self.children = set()
        self.bad = []

    def look(self):
        for pid in [self.process.pid] + descendants(self.process.pid):
            if pid != self.process.pid:
                self.children.add(pid)
                if self.seen and b"echo begin" in read(f"/proc/{pid}/cmdline"):
                    self.seen.write_text("seen")
            for name in ("cmdline", "environ"):
                if CANARY.encode() in read(f"/proc/{pid}/{name}"):
                    self.bad.append(f"/proc/{pid}/{name}: {read(f'/proc/{pid}/cmdline')}")

    def until_end(self):
        end = time.monotonic() + driver.DEADLINE
        while self.process.poll() is None:
            self.look()
            assert time.monotonic() < end, "the program did not end"
            time.sleep(0.002)


def files_with(folder, text):
    return [str(path) for path in pathlib.Path(folder).rglob("*") if path.is_file() and text.encode() in read(path)]


def expect_no_core(pid):
    limits = pathlib.Path(f"/proc/{pid}/limits").read_text()
    line = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    assert line.split()[4:6] == ["0", "0"], line
    # What cannot be dumped belongs to root, and portals could not see who calls them.
    assert os.stat(f"/proc/{pid}/environ").st_uid == os.getuid()


def run(home, name, *arguments, seen=None, **options):
    """Runs a command with all it can log, which is kept in files, and watches it. seen is written when its tool has been looked at."""
    with open(home.folder / f"{name}.out", "wb") as out, open(home.folder / f"{name}.err", "wb") as err:
        process = subprocess.Popen([INSTALLATION.terminal, *arguments], stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                   env=dict(home.environment, G_MESSAGES_DEBUG="all"), **options)
        watch = Watch(process, seen)
        watch.until_end()
    assert not watch.bad, watch.bad
    return watch


@tap.case("/canary/session")
def _():
    folder_call = call("run_command", command="echo begin; until [ -s seen ]; do :; done; env; cat /proc/self/environ")
    server = Server([(200, chunk(content="Hello") + finish("stop")), (200, folder_call), complaint(401), complaint(429),
                     complaint(400), complaint(500), complaint(500), complaint(500)])
    with driver.Home(INSTALLATION) as home:
        work = home.folder / "work"
        work.mkdir()
        # Changed in place, it is seen in the command's view of the folder too.
        (work / "seen").touch()
        subprocess.run([INSTALLATION.terminal, "profile", "add", "Test", "--no-lookup", "--base-url", server.base_url, "--model", "m", "--use",
                        "--key-from-stdin"], input=CANARY + "\n", text=True, env=home.environment, check=True,
                       stdout=subprocess.DEVNULL)
        run(home, "hello", "run", "Hello")
        assert server.keys == [SENT], server.keys
        tool = run(home, "tool", "run", "--folder", str(work), "--mode", "outside", "Do it", seen=work / "seen")
        for number in range(3):
            run(home, f"complaint-{number}", "run", "Again")
        identifier = home.ctl("list").split()[0]
        for form in ("json", "markdown"):
            run(home, f"export-{form}", "export", "--format", form, identifier)
        run(home, "show", "show", identifier)
        assert set(server.keys) == {SENT} and len(server.keys) >= 5, server.keys
        # Nothing was found because nothing was looked at: what should be there is.
        assert files_with(home.folder, "Hello"), "the conversation was not stored"
        assert (home.folder / "hello.err").stat().st_size + (home.folder / "hello.out").stat().st_size > 0
        assert files_with(os.environ["HOME"], CANARY) == [], files_with(os.environ["HOME"], CANARY)
        print(f"# {len(tool.children)} children, {len(server.keys)} requests")


@tap.case("/canary/window")
def _():
    server = Server([complaint(401), (200, chunk(content="It stands on a rock.") + finish("stop"))])
    with driver.Home(INSTALLATION) as home:
        subprocess.run([INSTALLATION.terminal, "profile", "add", "Test", "--no-lookup", "--base-url", server.base_url, "--model", "m", "--use",
                        "--key-from-stdin"], input=CANARY + "\n", text=True, env=home.environment, check=True,
                       stdout=subprocess.DEVNULL)
        window = home.start()
        expect_no_core(window.process.pid)
        watch = Watch(window.process)
        window.type("Where?", role="text", name="Message")
        window.press(name="Send message")
        window.find(contains="does not accept the key")
        watch.look()
        assert CANARY not in driver.describe(window.root)
        window.end()
        assert not watch.bad, watch.bad
        assert set(server.keys) == {SENT}, server.keys
        assert files_with(os.environ["HOME"], CANARY) == [], files_with(os.environ["HOME"], CANARY)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
