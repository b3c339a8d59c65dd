# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs functions as TAP cases: `@case ("/ui/free-answer")` above each, `sys.exit (tap.main ())` at the end."""

import sys
import time
import traceback


class Skip(Exception):
    """Raised by a case that cannot be tried here, with the reason."""


_cases = []


def case(name):
    def register(function):
        _cases.append((name, function))
        return function

    return register


def _comment(text):
    for line in text.splitlines():
        print("# " + line)


def _run(number, name, function):
    started = time.monotonic()
    try:
        function()
    except Skip as reason:
        print(f"ok {number} {name} # SKIP {reason}")
        return True
    except Exception:  # A case fails by any exception, and the others still run.
        # Meson shows it there: of a failed program's output it prints only the cases.
        traceback.print_exc()
        print(f"not ok {number} {name}")
        return False
    print(f"ok {number} {name}")
    _comment("%.2f s" % (time.monotonic() - started))
    return True


def main(only=None):
    """Runs every case, or those whose name contains one of `only`; returns the exit status."""
    only = sys.argv[1:] if only is None else only
    chosen = [(name, function) for name, function in _cases if not only or any(part in name for part in only)]
    print(f"1..{len(chosen)}")
    results = []
    for number, (name, function) in enumerate(chosen, 1):
        results.append(_run(number, name, function))
        sys.stdout.flush()
    return 0 if all(results) else 1
