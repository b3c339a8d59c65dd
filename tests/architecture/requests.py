# SPDX-License-Identifier: GPL-3.0-or-later
"""Differences between classes of requests are in the classes, and in one table per room: rules that read the code.

A function that knows two classes is a switch in disguise: it has to be found and changed when there is a new class.
"""

import re

import rooms

NAMES = re.compile(r"\bBECKON_(?:IS|TYPE)_(QUESTION|APPROVAL|PLAN|OUTCOME|CHANGES|FORM)_REQUEST\b")
# Functions that give something for one class alone.
OF_CLASS = {
    "question": "QUESTION", "changes": "CHANGES", "details": "APPROVAL", "reason": "APPROVAL",
    "started_at": "OUTCOME", "can_verify": "OUTCOME",
}
ACCESSOR = re.compile(r"\bbeckon_request_get_(%s) \(" % "|".join(OF_CLASS))
COMPARED = re.compile(r"(?:==|!=|\b(?:strcmp|g_strcmp0|g_str_equal|g_strv_contains) \()[^;]*\bbeckon_request_get_kind_name \("
                      r"|\bbeckon_request_get_kind_name \([^;]*(?:==|!=)")
BUILT = re.compile(r"\bbeckon_settlement_new \(")
# The files that end a request, and derive its effects there; all others are told.
BUILDERS = {"beckon-settlement.c", "beckon-settlement.h", "beckon-inbox-settle.c", "beckon-call-stop.c",
            "beckon-end-conversation.c"}


def functions(text):
    """Pairs of a line number and the text of a function's body, of code without comments."""
    begin = None
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if line == "{":
            begin = number
        elif line == "}" and begin is not None:
            yield begin, "\n".join(lines[begin:number])
            begin = None


def request_switches(source):
    for path in rooms.sources(source):
        text = path.read_text()
        if "REQUEST" not in text and "beckon_request_" not in text:
            continue
        for number, body in functions(rooms.code_of(text)):
            known = set(NAMES.findall(body)) | {OF_CLASS[name] for name in ACCESSOR.findall(body)}
            if len(known) > 1:
                yield f"{path}:{number}: a function knows {' and '.join(sorted(known))}; see BeckonRequestClass"
            if COMPARED.search(body):
                yield f"{path}:{number}: the name of a kind is for the store and for D-Bus, and is compared with nothing"


def settlements_built_again(source):
    for path in rooms.sources(source):
        if path.name not in BUILDERS and BUILT.search(rooms.code_of(path.read_text())):
            yield f"{path}: a settlement comes with the signal that tells of it"
