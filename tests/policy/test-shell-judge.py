#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random command lines, read by Beckon and by shfmt. What Beckon understands, shfmt must read as the same commands, as a
POSIX shell and as bash. What Beckon refuses is asked for, and needs no judge.

test-shell-judge.py TEST-SHELL SHFMT"""

import json
import random
import subprocess
import sys

SEED = 20240527
LINES = 600
PIECES = ["ls", "rm", "-l", "x", "a b", "'a b'", '"c d"', "'", '"', "\\ ", "\\", "$", "$x", "`", "(", ")", "{", "}", "{}", ";",
          "&", "&&", "|", "||", "!", ">", ">>", "<", "2>", ">&", "1", "2>&1", "*", "?", "~", "#", "=", "A=b", "+=", "[", "]",
          "if", "then", "fi", "do", "time", "[[", "，部署", "\t", "-", "--", ".", "/", "%", "@", ":", ",", "..", "^"]


def words_of_ours(answer):
    if answer == "-":
        return None
    commands = []
    for command in answer.split("\x1e"):
        counts, *words = command.split("\x1f")
        commands.append((*map(int, counts.split()), words))
    return commands


def unquote(raw):
    """A literal part keeps its backslashes in shfmt's tree."""
    out, i = "", 0
    while i < len(raw):
        if raw[i] == "\\" and i + 1 < len(raw):
            i += 1
        out += raw[i]
        i += 1
    return out


def unquote_double(raw):
    out, i = "", 0
    while i < len(raw):
        if raw[i] == "\\" and i + 1 < len(raw) and raw[i + 1] in '$`"\\':
            i += 1
        out += raw[i]
        i += 1
    return out


def word_text(word):
    text = ""
    for part in word["Parts"]:
        if part["Type"] == "Lit":
            text += unquote(part["Value"])
        elif part["Type"] == "SglQuoted":
            text += part.get("Value", "")
        elif part["Type"] == "DblQuoted":
            for inner in part.get("Parts") or []:
                if inner["Type"] != "Lit":
                    return None
                text += unquote_double(inner["Value"])
        else:
            return None
    return text


def collect(node, commands):
    """The simple commands of a tree, in the order of the line."""
    if isinstance(node, list):
        for each in node:
            collect(each, commands)
        return
    if not isinstance(node, dict):
        return
    command = node.get("Cmd")
    redirections = len(node.get("Redirs") or [])
    if command is None and "Redirs" in node:
        commands.append((0, redirections, []))
        return
    if isinstance(command, dict) and command["Type"] == "CallExpr":
        commands.append((len(command.get("Assigns") or []), redirections, [word_text(w) for w in command.get("Args") or []]))
        return
    if isinstance(command, dict):
        for key in ("X", "Y", "Stmts"):
            collect(command.get(key), commands)
        if command["Type"] not in ("BinaryCmd", "Subshell", "Block"):
            commands.append((0, 0, [None]))
    if redirections:
        commands.append((0, redirections, []))
    collect(node.get("Stmts"), commands)


def words_of_judge(shfmt, language, line):
    done = subprocess.run([shfmt, "-ln", language, "--to-json"], input=line, capture_output=True, text=True)
    if done.returncode != 0:
        return None
    commands = []
    collect(json.loads(done.stdout), commands)
    return commands


def random_lines():
    rng = random.Random(SEED)
    lines = []
    for _ in range(LINES):
        pieces = []
        for _ in range(rng.randint(1, 9)):
            pieces.append(rng.choice(PIECES if rng.random() < 0.5 else ["ls", "x", "-l", ";", "&&", "'q'", ">", "|"]))
            pieces.append(rng.choice(["", " ", " ", " "]))
        lines.append("".join(pieces))
    return lines


def main():
    test_shell, shfmt = sys.argv[1:]
    lines = random_lines()
    answers = subprocess.run([test_shell, "--words"], input="\n".join(lines) + "\n", capture_output=True, text=True,
                             check=True).stdout.split("\n")
    understood = 0
    wrong = []
    for line, answer in zip(lines, answers):
        ours = words_of_ours(answer)
        if ours is None:
            continue
        understood += 1
        for language in ("posix", "bash"):
            theirs = words_of_judge(shfmt, language, line)
            if theirs != ours:
                wrong.append(f"{line!r} as {language}: {ours} but shfmt says {theirs}")
    print("1..2")
    print(f"{'ok' if not wrong else 'not ok'} 1 - {understood} lines of {LINES} understood, as shfmt reads them")
    for each in wrong[:20]:
        print("#", each)
    print(f"{'ok' if understood > LINES // 5 else 'not ok'} 2 - enough lines are understood to judge")
    return 0


sys.exit(main())
