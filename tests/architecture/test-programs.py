#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every program that tests and scripts call comes with a package of the lists: test-programs.py SOURCE_ROOT.

A machine that has more than a bare one hides what is missing from them."""

import functools
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import programs  # noqa: E402
import tap  # noqa: E402

ROOT = pathlib.Path(sys.argv[1]).resolve()
AUX = ROOT / "build-aux"
SETUP = (AUX / "setup.sh").read_text()
LISTS = dict(re.findall(r"^(packages_\w+|programs_\w+)='\n(.*?)^'$", SETUP, re.M | re.S))
# Started by scripts that have lists of their own; the two cases take a picture only for a folder that a person names.
BY_SCRIPTS = {name: {"packages_for_screenshots"}
              for name in ("gallery.py", "screenshots.py", "test-approval.py", "test-scenarios.py")}
BY_SCRIPTS["flatpak.py"] = {"packages_to_flatpak"}
# Words that a shell knows itself.
BUILTIN = set("""[ : . alias break cd command continue eval exec exit export false getopts hash kill printf echo pwd read
readonly return set sh shift test times trap true type ulimit umask unset wait local""".split())


TESTS = {"packages_to_build", "packages_to_test", "programs_to_test"}


class Calls:
    """Calls of files, held against the lists that they may use."""

    def __init__(self):
        self.programs, self.modules = [], []

    def add(self, path, words, modules, lists):
        where = path.relative_to(ROOT)
        self.programs += [(where, word, lists) for word in words - BUILTIN - programs.OPTIONAL if "/" not in word]
        self.modules += [(where, module, lists) for module in modules]

    def missing(self):
        """A program that is not here is missing only where all packages of its lists are."""
        found = []
        for calls, owners in ((self.programs, programs.owners_of_programs({word for _, word, _ in self.programs})),
                              (self.modules, programs.owners_of_modules({word for _, word, _ in self.modules}))):
            for where, word, lists in sorted(set(calls)):
                named, given = packages(lists)
                brought = programs.closure(named)
                if word in given or word not in owners or owners[word] & brought:
                    continue
                if owners[word] or not named - programs.installed()[0].keys():
                    found.append(f"{where}: {word} is in no list of {', '.join(lists)}")
        return found


@functools.cache
def packages(lists):
    """The Debian packages of these lists, and the programs that one of them has before the packages."""
    lines = [(name, line.split()) for name in lists for line in LISTS[name].splitlines()]
    given = {words[0] for name, words in lines if name.startswith("programs")}
    return frozenset(words[1 if name.startswith("programs") else 0] for name, words in lines), given


def need_dpkg():
    if not shutil.which("dpkg-query") or not shutil.which("shfmt"):
        raise tap.Skip("only Debian's packages and shfmt can tell")


def check(calls):
    found = calls.missing()
    assert not found, "\n".join(found)


@tap.case("/programs/scripts")
def _():
    need_dpkg()
    shared = programs.called_by_shell(AUX / "setup.sh")[1]
    calls = Calls()
    for script in sorted(AUX.glob("**/*.sh")):
        words, own = programs.called_by_shell(script)
        # One that names no list is started by a test.
        lists = set(re.findall(r"\$(packages_\w+|programs_\w+)", script.read_text())) & LISTS.keys() or TESTS
        if script.name != "setup.sh":
            calls.add(script, words - shared - own, (), tuple(sorted({"packages_to_build", *lists})))
    check(calls)


@tap.case("/programs/tests")
def _():
    need_dpkg()
    calls = Calls()
    scripts = [path for path in ROOT.glob("tests/**/*.py") if not path.is_relative_to(ROOT / "tests/bench")]
    local = {path.stem.replace("-", "_") for path in scripts}
    for path in scripts:
        words, modules = programs.called_by_python(path)
        calls.add(path, words, modules - local, tuple(sorted(TESTS | BY_SCRIPTS.get(path.name, set()))))
    for path in ROOT.glob("tests/**/*.c"):
        calls.add(path, programs.called_by_c(path), (), tuple(sorted(TESTS)))
    for path in ROOT.glob("tests/support/with-*"):
        words, own = programs.called_by_shell(path)
        calls.add(path, words - own, (), tuple(sorted(TESTS)))
    check(calls)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
