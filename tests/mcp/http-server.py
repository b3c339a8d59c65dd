#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server of tools behind an address that behaves as the path of the address says: http-server.py; prints its port.

/modern, /old: the revision. Further parts of the path are faults: /old/events/cut … /sse: a server of 2024-11-05, whose stream has
the answers and names another address.
"""

import http.server
import json
import queue
import sys
import threading

SEEN = []
CUT = set()
# More than the client parses at once.
LONG = 600000
LOCK = threading.Lock()
ANSWERED, FLOODED, NEVER = threading.Event(), threading.Event(), threading.Event()
OVERLAPS, REPLIED = threading.Event(), threading.Event()
ANSWERS = [0, 0]
STREAMS = []


def tool(name, properties=None):
    return {"name": name, "description": "Does it", "inputSchema": {"type": "object", "properties": properties or {}}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", kind="application/json", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if body or status != 202:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def begin_stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def tell_news(self):
        """The first stream ends at once, the next one stays."""
        self.begin_stream()
        self.wfile.write(b": here\n\n")
        self.wfile.flush()
        if self.path in CUT:
            NEVER.wait(60)
        CUT.add(self.path)

    def event(self, message, number=None):
        if number is not None:
            self.wfile.write(f"id: {number}\n".encode())
        self.wfile.write(b"data: " + json.dumps(message).encode() + b"\n\n")
        self.wfile.flush()

    def answer(self, message, result):
        whole = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        is_long = "long" in self.words and message["method"] == "tools/call"
        if is_long:
            result["_meta"] = {"rest": "x" * LONG}
        session = "s 1" if "odd-session" in self.words else "s" * 1025 if "long-session" in self.words else "s1"
        headers = [("Mcp-Session-Id", session)] if message["method"] == "initialize" and "session" in self.path else []
        if "events" in self.words and message["method"] == "tools/call":
            self.begin_stream()
            # Some servers begin with nothing but an id.
            self.wfile.write(b"id: 0\ndata:\n\n")
            if "cut" in self.words:
                return
            if "asks" in self.words:
                self.ask_in_stream(message)
            if "cut-once" in self.words and message["params"]["name"] + self.path not in CUT:
                CUT.add(message["params"]["name"] + self.path)
                return
            for number in range(1, 6 if is_long else 2):
                self.event({"jsonrpc": "2.0", "method": "notifications/progress",
                            "params": {"progressToken": message["params"]["_meta"]["progressToken"], "progress": number,
                                       "total": 9, "message": f"step {number}",
                                       "_meta": {"rest": "x" * LONG if is_long and number % 2 else ""}}}, 1)
            if "resumes" in self.words:
                self.wfile.write(b"retry: 10\n\n")
                type(self).held = whole
                return
            if "floods" in self.words:
                for i in range(5000):
                    self.event({"jsonrpc": "2.0", "id": f"ping {i}", "method": "ping"})
                ANSWERED.wait(10)
                FLOODED.set()
                whole["result"] = {"content": [{"type": "text", "text": f"{ANSWERS[1]} at once"}]}
            self.event(whole, 2)
        else:
            self.reply(200, json.dumps(whole).encode(), headers=headers)

    def ask_in_stream(self, message):
        """The first of two calls asks when the second one is there, too."""
        if message["params"]["name"] == "echo":
            OVERLAPS.wait(30)
            self.event({"jsonrpc": "2.0", "id": "form", "method": "elicitation/create",
                        "params": {"message": "Which?", "requestedSchema": {"type": "object", "properties": {}}}}, 1)
        else:
            OVERLAPS.set()
        REPLIED.wait(30)

    def serve_stream(self):
        if "no-stream" in self.words:
            self.reply(404)
            return
        stream = queue.Queue()
        with LOCK:
            STREAMS.append(stream)
            number = len(STREAMS) - 1
        self.begin_stream()
        own = f"/messages/{'/'.join(self.words[1:])}?stream={number}"
        elsewhere = "http://127.0.0.1:1/messages"
        endpoint = (elsewhere if "elsewhere" in self.words else "/" + "m" * 5000 if "long-endpoint" in self.words
                    else "http://user@" + self.headers["Host"] + own if "user-endpoint" in self.words
                    else "data:text/plain,x" if "odd-endpoint" in self.words else own)
        if "ends-at-once" in self.words:
            return
        if "silent" in self.words:
            self.event({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
            stream.get(timeout=60)
        self.wfile.write(f"event: endpoint\ndata: {endpoint}\n\n".encode())
        if "two-endpoints" in self.words:
            self.wfile.write(f"event: endpoint\ndata: {elsewhere}\n\n".encode())
        self.wfile.flush()
        while (text := stream.get(timeout=60)) is not None:
            self.wfile.write(b"event: message\ndata: " + text.encode() + b"\n\n")
            self.wfile.flush()

    def take_message(self, message):
        """The answer comes by the stream."""
        stream = STREAMS[int(self.path.split("stream=")[1])]
        method = message.get("method")
        results = {
            "initialize": {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "h", "version": "1"}},
            "tools/list": {"tools": [tool("echo"), tool("seen")]},
            "tools/call": {"content": [{"type": "text", "text": "hello"}]}}
        if "id" not in message or method is None:
            self.reply(202)
            return
        whole = {"jsonrpc": "2.0", "id": message["id"], "result": results[method]}
        if method == "tools/call" and message["params"]["name"] == "seen":
            whole["result"] = {"content": [{"type": "text", "text": "\n".join(SEEN)}]}
        elif method == "tools/call" and "refuses-post" in self.words[-1] + self.path:
            self.reply(500, b"Oops", "text/plain")
            return
        elif method == "tools/call" and "/ends" in self.path:
            self.reply(202)
            stream.put(None)
            return
        elif method == "tools/call" and "/huge" in self.path:
            stream.put("[" + " " * (9 * 1024 * 1024))
        elif method == "tools/call" and "/twice" in self.path:
            stream.put(json.dumps(whole))
        elif method == "tools/call" and "/other-ids" in self.path:
            for number in (None, 0, "x", 10 ** 6):
                stream.put(json.dumps({**whole, "id": number, "result": {"content": []}}))
        elif method == "tools/call" and "/floods" in self.path:
            for number in range(3000):
                stream.put(json.dumps({"jsonrpc": "2.0", "id": f"ping {number}", "method": "ping"}))
        elif method == "tools/call" and "/early" in self.path:
            # The answer is there before the message is said to be taken.
            stream.put(json.dumps(whole))
            threading.Event().wait(0.2)
            self.reply(202)
            return
        self.reply(202, b"Accepted", "text/plain")
        stream.put(json.dumps(whole))

    def do_GET(self):
        self.words = self.path.strip("/").split("/")
        if "sse" in self.words:
            self.serve_stream()
            return
        SEEN.append("GET " + (self.headers.get("Last-Event-ID") or ""))
        if "news" in self.words:
            self.tell_news()
            return
        if "resumes" in self.words and self.headers.get("Last-Event-ID") == "1":
            self.begin_stream()
            self.event(type(self).held, 2)
        else:
            self.reply(405)

    def do_DELETE(self):
        SEEN.append("DELETE " + (self.headers.get("Mcp-Session-Id") or ""))
        if "keeps" in self.path:
            NEVER.wait(60)
        self.reply(200)

    def reply_beside(self):
        """A response of HTTP that answers nothing, whatever was asked."""
        if "array" in self.words:
            self.reply(200, b"[]")
        elif "other" in self.words:
            self.reply(200, b'{"jsonrpc":"2.0","id":"of another","result":{}}')
        elif "empty" in self.words:
            self.reply(200)
        elif "accepted" in self.words:
            self.reply(202)
        elif "stream" in self.words:
            self.begin_stream()
            self.event({})
        else:
            self.reply(200, b"{}")

    def do_POST(self):
        self.words = self.path.strip("/").split("/")
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method = message.get("method")
        SEEN.append(f"{method} {self.headers.get('MCP-Protocol-Version')} {self.headers.get('Mcp-Session-Id')} "
                    f"{self.headers.get('Mcp-Method')} {self.headers.get('Mcp-Name')} {self.headers.get('Authorization')}")
        if method is None and "asks" in self.words:
            REPLIED.set()
        if method is None and "floods" in self.words:
            # An answer takes as long as all the others need to come.
            with LOCK:
                ANSWERS[0] += 1
                ANSWERS[1] = max(ANSWERS)
            ANSWERED.set()
            FLOODED.wait(10)
            with LOCK:
                ANSWERS[0] -= 1
            self.reply(202)
        elif "messages" in self.words:
            self.take_message(message)
        elif "sse" in self.words:
            self.reply(405 if "405" in self.words else 400 if "400" in self.words else 404, b"Cannot POST /sse", "text/plain")
        elif "no-answer" in self.words:
            self.reply_beside()
        elif "id" not in message or method is None:
            self.reply(202)
        elif method == "subscriptions/listen":
            self.tell_news()
        elif method == "server/discover" and "modern" in self.words:
            self.answer(message, {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                                  "capabilities": {"tools": {"listChanged": True} if "news" in self.words else {}},
                                  "ttlMs": 0, "cacheScope": "private"})
        elif method == "server/discover":
            # Unknown sessions, unknown revisions: servers of older revisions say 400 to all.
            self.reply(400, b"Bad Request: no valid session", "text/plain")
        elif method == "initialize":
            self.answer(message, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                                  "serverInfo": {"name": "h", "version": "1"}})
        elif method == "tools/list":
            self.answer(message, {"tools": [
                tool("echo"), tool("seen"), {**tool("again"), "annotations": {"idempotentHint": True}},
                {**tool("look"), "annotations": {"readOnlyHint": True}}]})
        elif message["params"]["name"] == "seen":
            self.answer(message, {"content": [{"type": "text", "text": "\n".join(SEEN)}]})
        elif "lost" in self.words:
            self.reply(404, b"{}")
        elif "broken" in self.words:
            self.reply(500, b"<html>Oops</html>", "text/html")
        elif "moved" in self.words:
            self.reply(307, headers=[("Location", "http://127.0.0.1:1/elsewhere")])
        elif "page" in self.words:
            self.reply(200, b"<html>Welcome</html>", "text/html")
        elif "half" in self.words:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"jsonrpc":"2.0",')
            self.close_connection = True
        elif "huge" in self.words:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.close_connection = True
            try:
                while True:
                    self.wfile.write(b" " * 1000000)
            except OSError:
                pass
        elif "refuses" in self.words:
            self.reply(400, json.dumps({"jsonrpc": "2.0", "id": message["id"],
                                        "error": {"code": -32602, "message": "Not with me"}}).encode())
        elif "waits" in self.words:
            threading.Event().wait(60)
        else:
            self.answer(message, {"content": [{"type": "text", "text": "hello"}]})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
