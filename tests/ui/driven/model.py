# SPDX-License-Identifier: GPL-3.0-or-later
"""The model that the window talks to: the fixture server, with a script of a test's. `beckon-fixture-server --help` has its format."""

import json
import pathlib
import subprocess
import tempfile
import urllib.request


def ask(identifier, question, *choices):
    return {"call": "ask_user", "id": identifier, "arguments": {"question": question, "choices": list(choices)}}


def results_of(request):
    """The results of its calls that the model gets, by the calls' ids."""
    return {message["tool_call_id"]: message["content"] for message in request["messages"] if message["role"] == "tool"}


def tools_of(request):
    return [tool["function"]["name"] for tool in request.get("tools", [])]


def last_words(request):
    """The person's last message."""
    content = [message["content"] for message in request["messages"] if message["role"] == "user"][-1]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


class Model:
    """Use as a context: `with Model (program, replies) as model`."""

    def __init__(self, program, replies):
        self.program = str(program)
        self.replies = replies

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        self.log = folder / "log"
        (folder / "script.json").write_text(json.dumps({"replies": self.replies}))
        self.process = subprocess.Popen([self.program, "--log", str(self.log), str(folder / "script.json")],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        self.base_url = self.address + "/v1"
        return self

    def __exit__(self, *exception):
        # It ends with its input.
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    @property
    def requests(self):
        """The bodies of all requests so far, in order."""
        whole = [line for line in self.log.read_text().splitlines(keepends=True) if line.endswith("\n")]
        requests = [json.loads(line) for line in whole]
        # Requests for facts about the model have none.
        return [request["body"] for request in requests if "body" in request]

    def release(self, gate):
        """Lets a reply go on that waits at a gate."""
        urllib.request.urlopen(f"{self.address}/_control/release/{gate}").close()
