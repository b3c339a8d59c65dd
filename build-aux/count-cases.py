#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the cases of meson's test logs: count-cases.py TESTLOG.json…

A program that prints TAP holds many cases, each counts. One that failed without saying in which case (it crashed, ran out of
time, or left its plan unfinished) counts as one failure more, so that a good-looking list of cases never hides it.

What failed is told once more before the count, with the end of what it printed: whoever sees only the end of a long log still
learns what it was.
"""

import json
import re
import sys

CASE = re.compile(r"(not )?ok\b(?:[^#\\]|\\.)*(?:#\s*(skip|todo))?", re.IGNORECASE)
NOTHING = re.compile(r"1\.\.0\b")
BAD = {"FAIL", "ERROR", "TIMEOUT", "INTERRUPT", "UNEXPECTEDPASS"}
FAILED = re.compile(r"not ok\b|Bail out!|.*(?:ERROR|CRITICAL|WARNING|Sanitizer|AssertionError|Traceback)")
LINES_TOLD = 40


def count_output(text):
    passed = failed = skipped = 0
    for line in text.splitlines():
        case = CASE.match(line)
        if case and case.group(2) and case.group(2).lower() == "skip":
            skipped += 1
        elif case and case.group(1):
            failed += 1
        elif case:
            passed += 1
        elif NOTHING.match(line):
            skipped += 1
    return passed, failed, skipped


def count_test(test):
    passed, failed, skipped = count_output(test.get("stdout") or "")
    if test["result"] in BAD:
        return passed, max(failed, 1), skipped
    if passed + failed + skipped == 0:
        return (0, 0, 1) if test["result"] == "SKIP" else (1, 0, 0)
    return passed, failed, skipped


def tell_failure(test):
    """What a test that failed says of it: the lines that name a failure, then its last ones."""
    lines = ((test.get("stdout") or "") + "\n" + (test.get("stderr") or "")).splitlines()
    named = [line for line in lines if FAILED.match(line) and not line.startswith("ok ")]
    print("\n%s: %s" % (test.get("name", "a log that cannot be read"), test["result"]))
    for line in named[:LINES_TOLD] + ["…"] + lines[-LINES_TOLD:]:
        print("  " + line[:400])


def tests_of(path):
    """The tests of a log; a log that is not there is a run that did not happen, which is a failure too."""
    try:
        with open(path, encoding="utf-8") as log:
            return [json.loads(line) for line in log]
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return [{"result": "ERROR"}]


def main(paths):
    totals = [0, 0, 0]
    for path in paths:
        for test in tests_of(path):
            totals = [total + more for total, more in zip(totals, count_test(test))]
            if test["result"] in BAD:
                tell_failure(test)
    print("%d passed, %d failed, %d skipped" % tuple(totals))
    return 0 if totals[0] > 0 and totals[1] == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
