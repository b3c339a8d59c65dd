# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules within src/agent: no host tables, closed structures, one writer of a run's phase."""

import re

import rooms

# Tables of functions that have several implementations. One with a single implementation hides who calls whom.
KINDS = {"BeckonCallExecutor", "BeckonHookInterface"}
FUNCTION_MEMBER = re.compile(r"^  \w.*\(\*\w+\) \(")
# Objects that alone may write their state: the structure is defined in the class's own .c file, so that no other sees a field.
CLOSED = ("BeckonRun", "BeckonRunPreparation", "BeckonTurn", "BeckonRound", "BeckonCallBatch", "BeckonCallSurvey",
          "BeckonCallStanding", "BeckonEndTurn", "BeckonTries", "BeckonReply", "BeckonPromptPrefix")
HOME = {"BeckonCallStanding": "beckon-call-steps.c"}
STRUCTURE = re.compile(r"^struct _(\w+)\s*\{?$|^}\s*(\w+);")
# The phase of a run's row, however its row is reached. A row that is made for another run is no run.
PHASE_WRITTEN = re.compile(r"\b(?:record|ended|moved)->phase\s*=[^=]|&[\w>-]*\b(?:record|ended|moved)->phase\b")
# A branch begins with a row of its own.
OTHER_ROWS = {"beckon-ask-again.c"}
FUNCTION = re.compile(r"^(\w+) \(")
PHASE_WRITER = ("beckon-run.c", "run_set_phase")


def host_tables(source):
    """Every member of a structure that is a function, except in a table that says what kind of thing something is."""
    for path in rooms.sources(source):
        if rooms.room_of(source, path) != "agent":
            continue
        found, head, last = [], "", ""
        for number, line in enumerate(rooms.code_of(path.read_text()).splitlines(), 1):
            if line == "{":
                found, head = [], last
            elif FUNCTION_MEMBER.match(line):
                found.append(f"{path}:{number}: the run's files call each other by name: {line.strip()}")
            elif line.startswith("}"):
                if not KINDS & set(re.findall(r"[A-Za-z]\w*", line + head.replace("_", " "))):
                    yield from found
                found = []
            last = line


def home_of(name):
    return HOME.get(name) or re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower() + ".c"


def structures(source):
    """Every definition of a closed structure, with its class, file and line."""
    for path in rooms.sources(source):
        if rooms.room_of(source, path) != "agent":
            continue
        for number, line in enumerate(rooms.code_of(path.read_text()).splitlines(), 1):
            found = STRUCTURE.search(line)
            name = found and (found.group(1) or found.group(2))
            if name in CLOSED:
                yield name, path, number


def open_structures(source):
    for name, path, number in structures(source):
        if path.name != home_of(name):
            yield f"{path}:{number}: the fields of {name} are seen in {home_of(name)} alone"


def missing_structures(source):
    known = {name for name, _, _ in structures(source)}
    for name in CLOSED:
        if name not in known:
            yield f"{name}: no structure found in {home_of(name)}"


def phase_writers(source):
    """Every line that writes the phase of a run, with the file and the function that it is in."""
    for path in rooms.sources(source):
        if rooms.room_of(source, path) != "agent" or path.name in OTHER_ROWS:
            continue
        function = None
        for number, line in enumerate(rooms.code_of(path.read_text()).splitlines(), 1):
            begins = FUNCTION.match(line)
            function = begins.group(1) if begins else function
            if PHASE_WRITTEN.search(line):
                yield path, number, function, line.strip()


def foreign_phase_writers(source):
    for path, number, function, line in phase_writers(source):
        if (path.name, function) != PHASE_WRITER:
            yield f"{path}:{number}: the phase is written by {PHASE_WRITER[1]}() of {PHASE_WRITER[0]}: {line}"


# How a call comes to run, and how it is looked at: each step is made in one file. Tools are looked at on the main loop only when
# a person edits a plan.
CALLED_IN = {
    r"\bbeckon_tool_run_async \(": {"beckon-tool-executor.c"},
    r"\bbeckon_tool_executor\b|\bbeckon_plan_executor\b": {"beckon-tool-executor.c", "beckon-plan-executor.c"},
    r"->begin \(": {"beckon-call-steps.c"},
    r"\bBECKON_CALL_EVENT_STARTED\b": {"beckon-call-steps.c"},
    r"\bBECKON_CALL_EVENT_ALLOWED\b": {"beckon-call-decision.c"},
    r"\bbeckon_batch_use_permit \(": {"beckon-call-steps.c"},
    r"\bbeckon_tool_(?:check|get_effects) \(": {"beckon-call-survey.c", "beckon-call-stop.c", "beckon-rule-simulation.c", "beckon-agent-inbox.c"},
}


def calls_elsewhere(source):
    for path in rooms.sources(source):
        if rooms.room_of(source, path) != "agent" or path.suffix != ".c":
            continue
        for number, line in enumerate(rooms.code_of(path.read_text()).splitlines(), 1):
            for call, files in CALLED_IN.items():
                if path.name not in files and re.search(call, line):
                    yield f"{path}:{number}: only in {', '.join(sorted(files))}: {line.strip()}"


def calls_nowhere(source):
    text = {path.name: rooms.code_of(path.read_text()) for path in rooms.sources(source)}
    for call, files in CALLED_IN.items():
        for name in sorted(files):
            if not re.search(call, text.get(name, "")):
                yield f"{name}: no longer calls {call}"
