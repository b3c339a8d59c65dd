#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published schema of events, and real events, as another validator sees them: test-run-schema.py SOURCE_ROOT PROGRAM."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support")]

import tap  # noqa: E402

ROOT = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = sys.argv[2]
CASES = ("events", "events-asked", "events-late", "events-failed", "events-replaced", "events-usage")
SCHEMA = json.loads((ROOT / "data/io.github.beckon.Beckon.Run1.schema.json").read_text())


def is_valid(events):
    """Return the findings of `jsonschema` about a list of events. The schema keeps its id inside the list's, so that its references hold."""
    with tempfile.TemporaryDirectory() as folder:
        schema, instance = pathlib.Path(folder, "schema.json"), pathlib.Path(folder, "events.json")
        schema.write_text(json.dumps({"$schema": SCHEMA["$schema"], "type": "array", "items": SCHEMA}))
        instance.write_text(json.dumps(events))
        done = subprocess.run(["jsonschema", "-i", str(instance), str(schema)], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return done.returncode == 0, done.stdout


def record():
    """Lists of events that the real program printed, by test."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = [word for name in CASES for word in ("-p", "/cli/scripts/" + name)]
        subprocess.run([PROGRAM, *chosen], check=True, env=dict(os.environ, BECKON_EVENTS=folder), stdout=subprocess.DEVNULL)
        return {path.stem: [json.loads(line) for line in path.read_text().splitlines()] for path in pathlib.Path(folder).iterdir()}


def needs_validator():
    if shutil.which("jsonschema") is None:
        raise tap.Skip("no jsonschema program is installed")


@tap.case("/run-schema/real-events")
def _():
    needs_validator()
    recorded = record()
    assert set(recorded) == set(CASES), set(recorded)
    good, said = is_valid([event for events in recorded.values() for event in events])
    assert good, said
    seen = {event["type"] for events in recorded.values() for event in events}
    assert seen >= {"start", "text", "call", "result", "request", "answer", "wait", "replaced", "end"}, seen


@tap.case("/run-schema/can-fail")
def _():
    needs_validator()
    for event in ({"type": "start", "version": 2, "conversation": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "at": "2026-01-01T00:00:00Z"},
                  {"type": "end", "status": "0", "at": "2026-01-01T00:00:00Z", "text": ""},
                  {"type": "text", "text": "without its message"}, {"type": "nonsense"}, {}):
        assert not is_valid([event])[0], event


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[3:]))
