# SPDX-License-Identifier: GPL-3.0-or-later
"""Which programs and modules the tests and scripts call, and which packages bring them.

What is called is read from the syntax: of shell scripts by shfmt, of Python by its own parser, of C by the calls that start
processes. What brings it is asked of dpkg, so that no table here can age. A bare system has what is essential; everything else
has to be in a list of build-aux/setup.sh, or be what a package there depends on."""

import ast
import functools
import json
import os
import re
import shutil
import subprocess
import sys

# Looked for, and done without: the package programs of other distributions, and dash where there is another shell.
OPTIONAL = {"dnf", "pacman", "dash"}
# Functions of the scripts whose arguments, after so many, are a command.
COMMANDS_BEHIND = {"exec": 0, "command": 0, "env": 0, "sudo": 0, "as_root": 0, "quietly": 1, "inside": 1}
IN_C = re.compile(r'g_find_program_in_path \("([^"]+)"')


def called_by_shell(path):
    """The literal first words of simple commands, without functions of the scripts and words of the shell itself."""
    tree = json.loads(subprocess.run(["shfmt", "--to-json"], stdin=path.open(), stdout=subprocess.PIPE, check=True).stdout)
    words, functions = set(), set()

    def literal(word):
        parts = word.get("Parts", [])
        return parts[0].get("Value") if len(parts) == 1 and parts[0].get("Type") == "Lit" else None

    def walk(node):
        if isinstance(node, list):
            for each in node:
                walk(each)
        elif isinstance(node, dict):
            if node.get("Type") == "CallExpr" and node.get("Args"):
                at = 0
                while at < len(node["Args"]) and (name := literal(node["Args"][at])) and name[0] != "-" and "=" not in name:
                    words.add(name)
                    if name not in COMMANDS_BEHIND:
                        break
                    at += 1 + COMMANDS_BEHIND[name]
            if node.get("Type") == "FuncDecl":
                functions.add(node["Name"]["Value"])
            for each in node.values():
                walk(each)

    walk(tree)
    return words, functions


def called_by_python(path):
    """The programs that are started with a literal name, and the modules that are imported."""
    words, modules = set(), set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            modules.add(node.module)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Attribute):
            of, first = getattr(node.func.value, "id", None), node.args[0]
            if of == "subprocess" and isinstance(first, (ast.List, ast.Tuple)) and first.elts:
                first = first.elts[0]
            elif (of, node.func.attr) != ("shutil", "which"):
                continue
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                words.add(first.value)
    return words, {module.partition(".")[0] for module in modules}


def called_by_c(path):
    return set(IN_C.findall(path.read_text()))


@functools.cache
def installed():
    """Package -> what it depends on, a list of alternatives each; and whether a bare system has it."""
    form = "${Package}\t${db:Status-Status}\t${Essential}\t${Priority}\t${Pre-Depends}, ${Depends}\t${Provides}\n"
    lines = subprocess.run(["dpkg-query", "-W", "-f", form], stdout=subprocess.PIPE, text=True, check=True).stdout
    depends, bare, provided = {}, {"apt"}, {}
    for line in lines.splitlines():
        name, status, essential, priority, needs, provides = line.split("\t")
        if status != "installed":
            continue
        depends[name] = [[re.split(r"[ (:]", word.strip())[0] for word in need.split("|")] for need in needs.split(",") if need.strip()]
        if essential == "yes" or priority == "required":
            bare.add(name)
        for word in provides.split(","):
            provided.setdefault(re.split(r"[ (]", word.strip())[0], set()).add(name)
    return depends, bare, provided


def closure(names):
    """All that comes with the packages `names` of a system."""
    depends, bare, provided = installed()
    found, ahead = set(), [*names, *bare]
    while ahead:
        name = ahead.pop()
        if name in found:
            continue
        found.add(name)
        if name not in depends:
            ahead += provided.get(name, ())
        for alternatives in depends.get(name, []):
            ahead += [each for each in alternatives if each in depends or each in provided]
    return found


def owners(paths):
    """Path -> the packages that own the file, whichever of its two names dpkg knows it by: /bin is /usr/bin today."""
    asked = {each: path for path in paths for each in (path, path.removeprefix("/usr"), os.path.realpath(path))}
    told = subprocess.run(["dpkg-query", "-S", *asked], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False).stdout if asked else ""
    found = {path: set() for path in paths}
    for line in told.splitlines():
        packages, _, path = line.rpartition(": ")
        if not line.startswith("diversion ") and path in asked:
            found[asked[path]].update(re.sub(r":\w+", "", packages).split(", "))
    return found


def owners_of_programs(names):
    """Name -> the packages that bring the program; empty where it is not here, or only put in the way by somebody."""
    paths = {name: shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin") for name in names}
    found = owners([path for path in paths.values() if path])
    return {name: found.get(path, set()) for name, path in paths.items()}


def owners_of_modules(names):
    """The same of the modules that Python does not bring itself."""
    names = sorted(set(names) - sys.stdlib_module_names)
    code = "import importlib.util as u, sys\nfor n in sys.argv[1:]: s = u.find_spec(n); print(s.origin if s else '')"
    paths = subprocess.run(["/usr/bin/python3", "-c", code, *names], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    found = owners([path for path in paths if path])
    return {name: found.get(path, set()) for name, path in zip(names, paths)}
