# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules that the rooms under src/ keep, as functions from a source tree to the lines that break them.

A room is a folder. It may include itself and every room to its left, never its neighbours in the same group. Libraries have
a room of their own too: what another room would have to know to use them is what it must not know.
"""

import re

# From left to right; a room of a group includes nothing of the others in it.
ORDER = [
    ["base"],
    ["net", "rpc", "domain"],
    ["oauth"],
    ["form"],
    ["request"],
    ["llm", "policy", "store", "settings", "markdown", "text", "tour", "attach", "git"],
    ["landing"],
    ["sandbox", "library"],
    ["tools"],
    ["mcp"],
    ["agent"],
    ["runtime"],
    ["dbus", "channels"],
    ["cli", "ui"],
]
# Policy judges by effects; the tools that compute them see its types, and nothing of the world's other rooms.
NARROWER = {
    "oauth": {"base", "net", "domain"},
    "form": {"base", "domain"},
    "landing": {"base", "domain", "policy", "git"},
    "sandbox": {"base", "net", "domain", "policy", "git", "landing"},
    "library": {"base", "domain", "form", "request", "store"},
    "tools": {"base", "net", "domain", "form", "request", "policy", "attach", "git", "landing", "sandbox"},
    "attach": {"base", "domain"},
    "git": {"base"},
    "markdown": {"base"},
    "text": {"base", "domain", "form", "request"},
}
# The folders within a room, from left to right; those of a group include nothing of each other.
FOLDERS = {
    "store": [["sqlite"], ["index", "repair"], ["db"], ["queries"], ["transfer"]],
    "ui": [["widgets"], ["desktop", "forms", "blocks"], ["cards"], ["transcript"], ["composer"], ["conversation"],
           ["waiting", "sidebar", "palette", "preferences"], ["window"], ["application"]],
}
# A pattern on the code of a line, the rooms that may have it, and what to say.
LIBRARIES = [
    (re.compile(r"^\s*#\s*include\s*[<\"](gtk|gdk(?!-pixbuf)|gsk|adwaita|gtksourceview)\b"), {"ui"}, "only the window knows GTK"),
    (re.compile(r"\b(gtk|gdk(?!_pixbuf)|adw|gtk_source)_[a-z]"), {"ui"}, "only the window knows GTK"),
    (re.compile(r"\bgdk_pixbuf_[a-z]"), {"attach", "ui"}, "pictures are decoded in one room"),
    (re.compile(r"^\s*#\s*include\s*[<\"]sqlite3"), {"store"}, "only the store knows SQLite"),
    (re.compile(r"\bsqlite3_[a-z]"), {"store"}, "only the store knows SQLite"),
    (re.compile(r"^\s*#\s*include\s*[<\"]git2\b"), {"git"}, "only one room knows libgit2"),
    (re.compile(r"^\s*#\s*include\s*[<\"]libsecret\b"), {"settings"}, "only the settings know the keyring"),
    (re.compile(r"^\s*#\s*include\s*[<\"]libsoup\b"),
     {"net", "oauth", "llm", "tour", "tools", "mcp", "channels"}, "HTTP has its rooms"),
    (re.compile(r"^\s*#\s*include\s*<(sys/socket|netinet/|arpa/|netdb|gio/gnetworking)"),
     {"net", "llm", "tour", "sandbox", "tools", "mcp", "channels"}, "sockets have their rooms"),
]
# The window must not parse, speak to a network or query by itself.
NOT_IN_UI = [
    (re.compile(r"^\s*#\s*include\s*[<\"]json-glib\b"), "the window parses nothing"),
    (re.compile(r"\b(json|soup)_[a-z_]+ \("), "the window parses nothing and speaks to no network"),
    (re.compile(r"\bg_socket_[a-z_]+ \("), "the window opens no socket"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
LICENSE = "/* SPDX-License-Identifier: GPL-3.0-or-later */"
LONGEST_LINE = 128
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
# A comment names its subject first; these words put it off.
EMPTY_WORDS = r"((?:What|Where|Who|Whatever|Whoever|It|One|Of|Nobody|Nothing|Somebody|Anybody)\b)"
EMPTY_COMMENT = re.compile(r"/\*[\s*]*" + EMPTY_WORDS)
EMPTY_DOCSTRING = re.compile(r'^[ \t]*"""' + EMPTY_WORDS, re.MULTILINE)

HALF_FREED = re.compile(r"\b(?:g_autofree|g_autoptr|g_auto|g_autolist)\b[^;=]*\w\s*\[")


def sources(source):
    return sorted(path for path in source.rglob("*") if path.suffix in (".c", ".h"))


def room_of(source, path):
    return path.relative_to(source).parts[0]


def folder_of(source, path):
    """The folder within a room; None in the room itself, where a program's main function is."""
    parts = path.relative_to(source).parts
    return parts[1] if len(parts) > 2 else None


def allowed_folders(room, folder):
    """The folders that a file in @folder may include; None when the room has no such folder."""
    left = set()
    for group in FOLDERS[room]:
        if folder in group:
            return left | {folder}
        left.update(group)
    return None


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


def included_file(source, path, name):
    """Which file of ours an include in quotes reaches, however it is spelled; None when it is none."""
    for base in (path.parent, source):
        target = (base / name).resolve()
        if target.is_file() and source.resolve() in target.parents:
            return target
    return source.resolve() / name if allowed_rooms(name.split("/")[0]) and "/" in name else None


def broken_folders(source, path, target):
    """Says what is wrong with an arrow within a room; None when nothing is."""
    room = room_of(source, path)
    mine, other = folder_of(source, path), folder_of(source.resolve(), target)
    if room not in FOLDERS or mine is None:
        return None
    allowed = allowed_folders(room, mine)
    if allowed is None:
        return f"no such folder: {room}/{mine}"
    return f"{room}/{mine} may not include {room}/{other}" if other is not None and other not in allowed else None


def broken_arrows(source):
    for path in sources(source):
        room = room_of(source, path)
        allowed = allowed_rooms(room)
        if allowed is None:
            yield f"{path}: no such room: {room}"
            continue
        for number, line in enumerate(code_of(path.read_text()).splitlines(), 1):
            include = INCLUDE.match(line)
            target = include and included_file(source, path, include.group(2))
            if target is None:
                continue
            other = room_of(source.resolve(), target)
            if other not in allowed:
                yield f"{path}:{number}: {room} may not include {other}: {include.group(2)}"
            elif other == room:
                broken = broken_folders(source, path, target)
                if broken is not None:
                    yield f"{path}:{number}: {broken}: {include.group(2)}"


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


def loose_files(source):
    """Files of a room with folders that are in none of them."""
    for path in sources(source):
        if room_of(source, path) in FOLDERS and folder_of(source, path) is None and path.name != "main.c":
            yield f"{path}: {room_of(source, path)} keeps its files in folders"


def bare_headers(source):
    for path in sources(source):
        lines = path.read_text().splitlines()
        if not lines or lines[0] != LICENSE:
            yield f"{path}:1: the first line is not {LICENSE}"
        if path.suffix == ".h" and "#pragma once" not in lines:
            yield f"{path}: no #pragma once"


def say_empty(path, text, place, empty):
    number = text.count("\n", 0, place.start()) + 1
    return f"{path}:{number}: begin the comment with its subject, not with “{empty.group(1)}”"


def empty_beginnings(source):
    """Comments that begin with a word that hides their subject."""
    for path in sources(source):
        text = path.read_text()
        for match in COMMENT_OR_STRING.finditer(text):
            empty = EMPTY_COMMENT.match(match.group(0))
            if empty:
                yield say_empty(path, text, match, empty)
    for path in sorted(source.rglob("*.py")):
        text = path.read_text()
        for empty in EMPTY_DOCSTRING.finditer(text):
            yield say_empty(path, text, empty, empty)


def ragged_files(source):
    for path in sources(source):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE:
                yield f"{path}:{number}: {len(line)} columns"
            if UNFINISHED.search(line):
                yield f"{path}:{number}: unfinished: {line.strip()}"
            if line != line.rstrip() or "\t" in line:
                yield f"{path}:{number}: tab or trailing space"


def half_freed_arrays(source):
    """Arrays that a cleanup of their first element is set for: the others leak, or are not ended."""
    for path in sources(source):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if HALF_FREED.search(line):
                yield f"{path}:{number}: only the first element is freed"


def bare_sentences(source):
    """Translated sentences with a name in them that are not filled in by beckon_text_printf () and its kin: read from right to
    left, such a name is drawn the wrong way round. A terminal has its own rules."""
    for path in sources(source):
        if path.suffix != ".c" or room_of(source, path) == "cli" or folder_of(source, path) in BARE_FOLDERS:
            continue
        text = path.read_text()
        for begin in BARE_PRINTF.finditer(text):
            call = call_at(text, begin.end() - 1)
            if SENTENCE.search(call) and NAME_IN_SENTENCE.search(call):
                number = text.count("\n", 0, begin.start()) + 1
                yield f"{path}:{number}: fill the sentence in with beckon_text_printf () or its kin"


def call_at(text, opening):
    """Return the text in the parentheses that open there."""
    depth = 0
    for token in re.finditer(r"'(?:[^'\\]|\\.)'|\"(?:[^\"\\]|\\.)*\"|[()]", text[opening:]):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth == 0:
            return text[opening:opening + token.end()]
    return text[opening:]


BARE_FOLDERS = ()
BARE_PRINTF = re.compile(r"\b(?:g_strdup_printf|g_string_append_printf|g_string_printf|g_set_error|g_error_new) \(")
SENTENCE = re.compile(r"\b(?:_|C_|ngettext|g_dngettext|g_dpgettext2?) ?\(")
NAME_IN_SENTENCE = re.compile(r"%(?:\d+\$)?[\d.*]*s")
