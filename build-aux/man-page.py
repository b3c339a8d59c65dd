#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills a manual page: man-page.py TEMPLATE VERSION [PROGRAM]. The commands of PROGRAM are described by what it says of itself
with --help, so that the page is never behind the program."""

import os
import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"^  (?:(-\w), )?(--[\w-]+)(?:=(\S+))?\s+(.*)$")
COMMAND = re.compile(r"^  ([a-z]+)\s+(.*)$")


def ask(program, *words):
    environment = dict(os.environ, LANGUAGE="C", LC_ALL="C.UTF-8")
    done = subprocess.run([program, *words, "--help"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.stdout or done.stderr


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("“", "\\(lq").replace("”", "\\(rq")
    return re.sub(r"^([.'])", r"\\&\1", text)


def describe_option(match):
    short, name, value, words = match.groups()
    names = ", ".join(f"\\fB{escape(word)}\\fR" for word in (short, name) if word)
    return [".TP", names + (f"=\\fI{escape(value)}\\fR" if value else ""), escape(words)]


def describe_command(program, words, summary):
    """Its usage, what it does, and its options; or, for one that has commands itself, those."""
    name, text = " ".join(words), ask(program, *words)
    if "COMMAND" in text.splitlines()[0]:
        return describe_commands(program, *words)
    usage = re.search(rf"{name}(.*)", text)
    arguments = usage.group(1).replace("[OPTION…]", "").strip() if usage else ""
    said = re.search(r"\n\n(\S[^\n]*)\n\nHelp Options", text)
    lines = [".SS " + escape(f"{name} {arguments}".strip()), escape((said.group(1) if said else summary).rstrip(".") + ".")]
    for line in text.splitlines():
        match = OPTION.match(line)
        if match and match.group(2) != "--help":
            lines += describe_option(match)
    return lines


def describe_commands(program, *words):
    lines = []
    for line in ask(program, *words).splitlines():
        match = COMMAND.match(line)
        if match:
            lines += describe_command(program, [*words, match.group(1)], match.group(2))
    return lines


def main(template, version, program=None):
    page = pathlib.Path(template).read_text().replace("@version@", version)
    if program:
        page = page.replace("@commands@", "\n".join(describe_commands(program)))
    sys.stdout.write(page)


if __name__ == "__main__":
    main(*sys.argv[1:])
