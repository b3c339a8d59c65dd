# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules that the rooms under src/ keep, as functions from a source tree to the lines that break them.

A room is a folder. It may include itself and every room to its left, never its neighbours in the same group. Libraries have
a room of their own too: what another room would have to know to use them is what it must not know.
"""

import re

# From left to right; a room of a group includes nothing of the others in it.
ORDER = [
    ["base"],
    ["domain"],
    ["request"],
    ["llm", "policy", "store", "settings", "markdown", "text", "tour", "attach"],
    ["landing"],
    ["tools"],
    ["mcp"],
    ["agent"],
    ["runtime"],
    ["dbus", "channels"],
    ["cli", "ui"],
]
# Policy judges by effects; the tools that compute them see its types, and nothing of the world's other rooms.
NARROWER = {
    "landing": {"base", "domain", "policy"},
    "tools": {"base", "domain", "request", "policy", "attach", "landing"},
    "attach": {"base", "domain"},
    "markdown": {"base"},
    "text": {"base", "domain", "request"},
}
# A pattern on the code of a line, the rooms that may have it, and what to say.
LIBRARIES = [
    (re.compile(r"^\s*#\s*include\s*[<\"](gtk|gdk(?!-pixbuf)|gsk|adwaita|gtksourceview)\b"), {"ui"}, "only the window knows GTK"),
    (re.compile(r"\b(gtk|gdk(?!_pixbuf)|adw|gtk_source)_[a-z]"), {"ui"}, "only the window knows GTK"),
    (re.compile(r"\bgdk_pixbuf_[a-z]"), {"attach", "ui"}, "pictures are decoded in one room"),
    (re.compile(r"^\s*#\s*include\s*[<\"]sqlite3"), {"store"}, "only the store knows SQLite"),
    (re.compile(r"\bsqlite3_[a-z]"), {"store"}, "only the store knows SQLite"),
    (re.compile(r"^\s*#\s*include\s*[<\"]libsecret\b"), {"settings"}, "only the settings know the keyring"),
    (re.compile(r"^\s*#\s*include\s*[<\"]libsoup\b"), {"llm", "tour", "tools", "mcp", "channels"}, "HTTP has its rooms"),
    (re.compile(r"^\s*#\s*include\s*<(sys/socket|netinet/|arpa/|netdb|gio/gnetworking)"),
     {"llm", "tour", "tools", "mcp", "channels"}, "sockets have their rooms"),
]
# What the window must not do by itself: parse, speak to a network, query.
NOT_IN_UI = [
    (re.compile(r"^\s*#\s*include\s*[<\"]json-glib\b"), "the window parses nothing"),
    (re.compile(r"\b(json|soup)_[a-z_]+ \("), "the window parses nothing and speaks to no network"),
    (re.compile(r"\bg_socket_[a-z_]+ \("), "the window opens no socket"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
LICENSE = "/* SPDX-License-Identifier: GPL-3.0-or-later */"
LONGEST_LINE = 128
# A limit that cuts thoughts apart does harm; a file of this length usually holds a second class.
LONGEST_FILE = 1000
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def sources(source):
    return sorted(path for path in source.rglob("*") if path.suffix in (".c", ".h"))


def room_of(source, path):
    return path.relative_to(source).parts[0]


def allowed_rooms(room):
    left = set()
    for group in ORDER:
        if room in group:
            return NARROWER.get(room, left) | {room}
        left.update(group)
    return None


def code_of(text):
    """The text with comments and strings blanked, lines kept; an include's own quotes stay."""
    def blank(match):
        line_start = text.rfind("\n", 0, match.start()) + 1
        if text[match.start()] == '"' and text[line_start:match.start()].lstrip().startswith("#"):
            return match.group(0)
        return re.sub(r"[^\n]", " ", match.group(0))

    return COMMENT_OR_STRING.sub(blank, text)


def included_room(source, path, name):
    """Which room an include in quotes reaches, however it is spelled; None when it is no file of ours."""
    for base in (path.parent, source):
        target = (base / name).resolve()
        if target.is_file() and source.resolve() in target.parents:
            return room_of(source.resolve(), target)
    first = name.split("/")[0]
    return first if allowed_rooms(first) and "/" in name else None


def broken_arrows(source):
    for path in sources(source):
        room = room_of(source, path)
        allowed = allowed_rooms(room)
        if allowed is None:
            yield f"{path}: no such room: {room}"
            continue
        for number, line in enumerate(code_of(path.read_text()).splitlines(), 1):
            include = INCLUDE.match(line)
            target = include and included_room(source, path, include.group(2))
            if target and target not in allowed:
                yield f"{path}:{number}: {room} may not include {target}: {include.group(2)}"


def misplaced_libraries(source):
    for path in sources(source):
        room = room_of(source, path)
        for number, line in enumerate(code_of(path.read_text()).splitlines(), 1):
            for pattern, rooms, why in LIBRARIES:
                if room not in rooms and pattern.search(line):
                    yield f"{path}:{number}: {why}: {line.strip()}"
            for pattern, why in NOT_IN_UI:
                if room == "ui" and pattern.search(line):
                    yield f"{path}:{number}: {why}: {line.strip()}"


def bare_headers(source):
    for path in sources(source):
        lines = path.read_text().splitlines()
        if not lines or lines[0] != LICENSE:
            yield f"{path}:1: the first line is not {LICENSE}"
        if path.suffix == ".h" and "#pragma once" not in lines:
            yield f"{path}: no #pragma once"


def ragged_files(source):
    for path in sources(source):
        lines = path.read_text().splitlines()
        if len(lines) > LONGEST_FILE:
            yield f"{path}: {len(lines)} lines; look for the second concern"
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE:
                yield f"{path}:{number}: {len(line)} columns"
            if UNFINISHED.search(line):
                yield f"{path}:{number}: unfinished: {line.strip()}"
            if line != line.rstrip() or "\t" in line:
                yield f"{path}:{number}: tab or trailing space"
