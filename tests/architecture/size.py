#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How large the rooms are: code lines (neither blank nor comment) and functions. size.py SOURCE_ROOT prints what size.ini holds."""

import pathlib
import re
import sys

PLAIN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
# By the layout: a name at the beginning of a line, below its type, and the brace at the beginning of one, too.
FUNCTION = re.compile(r"^[A-Za-z_]\w* \((?:[^;{}]*)\)\n\{$", re.M)


def strip(text):
    return PLAIN.sub(lambda match: "\n" * match[0].count("\n") if match[0][0] == "/" else '""', text)


def measure(source):
    """By room: code lines of its C files and headers, and functions of its C files."""
    sizes = {}
    for path in sorted(source.rglob("*.[ch]")):
        parts = path.relative_to(source).parts
        code = strip(path.read_text(errors="replace"))
        lines, functions = sizes.get(parts[0] if len(parts) > 1 else ".", (0, 0))
        lines += sum(1 for line in code.split("\n") if line.strip())
        functions += len(FUNCTION.findall(code)) if path.suffix == ".c" else 0
        sizes[parts[0] if len(parts) > 1 else "."] = (lines, functions)
    return sizes


def read(path):
    limits = {}
    for line in path.read_text().splitlines():
        if match := re.fullmatch(r"(\S+) = (\d+) (\d+)(?:  # .*)?", line):
            limits[match[1]] = (int(match[2]), int(match[3]))
        elif line.strip() and not line.startswith("#"):
            raise ValueError(f"size.ini: this is no room with two figures: {line}")
    return limits


def grown(sizes, limits):
    for room, (lines, functions) in sizes.items():
        at_most = limits.get(room, (0, 0))
        if lines > at_most[0] or functions > at_most[1]:
            yield (f"{room}: {lines} code lines and {functions} functions, of at most {at_most[0]} and {at_most[1]}. Take "
                   f"something away, or raise the figures in tests/architecture/size.ini with the reason behind them.")
    for room in limits.keys() - sizes.keys():
        yield f"{room}: there is no such room any more. Take it out of tests/architecture/size.ini."


if __name__ == "__main__":
    for name, (lines, functions) in measure(pathlib.Path(sys.argv[1]) / "src").items():
        print(f"{name} = {lines} {functions}")
