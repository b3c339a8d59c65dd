# SPDX-License-Identifier: GPL-3.0-or-later
"""A model that a test writes as a function: from the request it gets to what it says.

It is a real HTTP server on the loopback interface that streams chat completions. `say` and `ask` make the pieces of a reply;
`hold` stops it in the middle until the test releases it.
"""

import http.server
import json
import threading


def say(text):
    return {"delta": {"content": text}}


def call(identifier, name, arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"delta": {"tool_calls": [{"index": 0, "id": identifier, "type": "function", "function": function}]},
            "finish": "tool_calls"}


def ask(identifier, question, *choices):
    return call(identifier, "ask_user", {"question": question, "choices": list(choices)})


def hold(event):
    return {"hold": event}


def results_of(request):
    """What the model is told about its calls, by the calls' ids."""
    return {message["tool_call_id"]: message["content"] for message in request["messages"] if message["role"] == "tool"}


def tools_of(request):
    return [tool["function"]["name"] for tool in request.get("tools", [])]


def last_words(request):
    """What the person said last."""
    content = [message["content"] for message in request["messages"] if message["role"] == "user"][-1]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        pieces = self.server.model.take(request)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            self._stream(pieces)
        except (BrokenPipeError, ConnectionResetError):
            # The program was stopped or killed: that is what a test wanted.
            self.close_connection = True

    def _stream(self, pieces):
        reason = "stop"
        for piece in pieces:
            if "hold" in piece:
                piece["hold"].wait()
                continue
            reason = piece.get("finish", reason)
            self._event(self._chunk(piece["delta"], None))
        self._event(self._chunk({}, reason))
        self._event("[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    @staticmethod
    def _chunk(delta, reason):
        return json.dumps({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": "test",
                           "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})

    def _event(self, payload):
        data = f"data: {payload}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def log_message(self, *arguments):
        pass


class Model:
    """Use as a context: `with Model (reply) as model`, where reply (request) returns a list of pieces."""

    def __init__(self, reply):
        self.reply = reply
        self.requests = []

    def take(self, request):
        self.requests.append(request)
        return self.reply(request)

    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.model = self
        self.base_url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exception):
        self.server.shutdown()
        self.server.server_close()
