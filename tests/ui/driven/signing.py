# SPDX-License-Identifier: GPL-3.0-or-later
"""A server of tools that wants to be signed in to, its authorization server beside it, and a browser that a desktop file names: what
a person has who signs in."""

import base64
import hashlib
import http.server
import json
import os
import pathlib
import stat
import sys
import threading
import urllib.parse

from gi.repository import Gio

# It goes where it is sent, as one does whose person says yes, and writes down where it was.
BROWSER = """#!{python}
import sys, urllib.request
with open({seen!r}, "a", encoding="utf-8") as seen:
    seen.write(sys.argv[1] + "\\n")
urllib.request.build_opener(urllib.request.ProxyHandler({{}})).open(sys.argv[1], timeout=30).read()
"""


class Browser:
    """The browser of a person's desktop, which is not started before somebody opens a page."""

    def __init__(self, home):
        self.seen = home.folder / "seen"
        self.seen.write_text("")
        program = home.folder / "browser"
        program.write_text(BROWSER.format(python=sys.executable, seen=str(self.seen)))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        applications = pathlib.Path(home.environment["XDG_DATA_HOME"]) / "applications"
        applications.mkdir(exist_ok=True)
        (applications / "scripted-browser.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=Scripted\nExec={program} %u\nMimeType=x-scheme-handler/http;x-scheme-handler/https;\n")
        (pathlib.Path(home.environment["XDG_CONFIG_HOME"]) / "mimeapps.list").write_text(
            "[Default Applications]\nx-scheme-handler/http=scripted-browser.desktop\nx-scheme-handler/https=scripted-browser.desktop\n")

    def pages(self):
        return self.seen.read_text().split()


def hide_browsers(home):
    """Hides what this machine has for pages, so that what is installed decides nothing: a hidden entry of a name hides the system's."""
    applications = pathlib.Path(home.environment["XDG_DATA_HOME"]) / "applications"
    applications.mkdir(exist_ok=True)
    for kind in ("x-scheme-handler/http", "x-scheme-handler/https"):
        for browser in Gio.AppInfo.get_all_for_type(kind):
            (applications / browser.get_id()).write_text("[Desktop Entry]\nType=Application\nName=Hidden\nHidden=true\n")


class Server(http.server.ThreadingHTTPServer):
    """Both servers in one. `says` is what the person says on its page: yes, no, or nothing at all, which leads nowhere."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.root = f"http://127.0.0.1:{self.server_port}"
        self.address = self.root + "/mcp"
        self.says = "yes"
        self.lock = threading.Lock()
        self.registered, self.codes, self.tokens, self.faults, self.grants, self.revoked = [], {}, [], [], [], []

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_exception):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_arguments):
        pass

    def reply(self, status, value=None, **headers):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, header in headers.items():
            self.send_header(name.replace("_", "-"), header)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def fault(self, code, words):
        self.server.faults.append(words)
        self.reply(400, {"error": code})

    # What it says of itself

    def do_GET(self):
        place, _, query = self.path.partition("?")
        if place == "/.well-known/oauth-protected-resource/mcp":
            self.reply(200, {"resource": self.server.address, "authorization_servers": [self.server.root], "scopes_supported": ["read"]})
        elif place == "/.well-known/oauth-authorization-server":
            root = self.server.root
            self.reply(200, {"issuer": root, "authorization_endpoint": root + "/authorize", "token_endpoint": root + "/token",
                             "registration_endpoint": root + "/register", "revocation_endpoint": root + "/revoke",
                             "code_challenge_methods_supported": ["S256"],
                             "token_endpoint_auth_methods_supported": ["none", "client_secret_basic"]})
        elif place == "/authorize":
            self.authorize(dict(urllib.parse.parse_qsl(query)))
        else:
            self.reply(404)

    def authorize(self, asked):
        """The page on which the person says yes or no."""
        if (asked.get("client_id") not in self.server.registered or asked.get("code_challenge_method") != "S256"
                or asked.get("resource") != self.server.address or not asked["redirect_uri"].startswith("http://127.0.0.1:")):
            self.fault("invalid_request", self.path)
            return
        if self.server.says == "nothing":
            self.reply(200, {})
            return
        answer = {"state": asked["state"], "error": "access_denied"}
        if self.server.says == "yes":
            answer = {"state": asked["state"], "code": os.urandom(8).hex()}
            self.server.codes[answer["code"]] = asked
        self.reply(302, Location=asked["redirect_uri"] + "?" + urllib.parse.urlencode(answer))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/register":
            self.server.registered.append(f"client-{len(self.server.registered) + 1}")
            self.reply(201, {"client_id": self.server.registered[-1], "token_endpoint_auth_method": "none"})
        elif self.path == "/token":
            self.give_token(dict(urllib.parse.parse_qsl(body.decode())))
        elif self.path == "/revoke":
            self.server.revoked.append(dict(urllib.parse.parse_qsl(body.decode())).get("token"))
            self.reply(200)
        elif self.path == "/mcp":
            self.serve(json.loads(body))
        else:
            self.reply(404)

    def give_token(self, form):
        self.server.grants.append(form.get("grant_type"))
        if not self.is_good(form):
            self.fault("invalid_grant", str(form))
            return
        self.server.tokens.append(f"token-{len(self.server.tokens) + 1}")
        self.reply(200, {"access_token": self.server.tokens[-1], "token_type": "Bearer", "expires_in": 3600})

    def is_good(self, form):
        if form.get("resource") != self.server.address:
            return False
        if form.get("grant_type") == "client_credentials":
            return self.headers["Authorization"] == "Basic " + base64.b64encode(b"robot:hunter2-k3x9q").decode()
        asked = self.server.codes.pop(form.get("code"), None)
        digest = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        return asked is not None and asked["code_challenge"] == digest and asked["redirect_uri"] == form.get("redirect_uri")

    # The tools

    def serve(self, message):
        if not self.server.tokens or self.headers["Authorization"] != "Bearer " + self.server.tokens[-1]:
            self.reply(401, {}, WWW_Authenticate='Bearer scope="read"')
            return
        results = {
            "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "far", "version": "1"}},
            "tools/list": {"tools": [{"name": "ahoy", "title": "Say Ahoy", "description": "Says it", "inputSchema": {"type": "object"}}]},
        }
        if "id" not in message:
            self.reply(202)
        elif message["method"] in results:
            self.reply(200, {"jsonrpc": "2.0", "id": message["id"], "result": results[message["method"]]})
        else:
            self.reply(200, {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no such method"}})
