#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`meson install` puts everything in its place, where it works: test-install.py SOURCE_ROOT BUILD_ROOT."""

import atexit
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support")]

import tap  # noqa: E402

ROOT = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
NAME = "io.github.beckon.Beckon"
PAGE = "share/man/man1/beckonctl.1"


def run(*command, **variables):
    done = subprocess.run(command, env=dict(os.environ, **variables), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    assert done.returncode == 0, f"{command}: {done.stdout}"
    return done.stdout


def option(name):
    options = json.loads((BUILD / "meson-info/intro-buildoptions.json").read_text())
    return next(entry["value"] for entry in options if entry["name"] == name)


class Tree:
    """The installed files, below a folder that is not their prefix."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, self.folder, True)
        run("meson", "install", "-C", str(BUILD), "--no-rebuild", "--destdir", str(self.folder))
        self.root = self.folder / option("prefix").lstrip("/")
        self.identity = NAME + (".Devel" if option("profile") == "development" else "")

    def __getitem__(self, name):
        path = self.root / name.replace(NAME + ".", self.identity + ".", 1)
        return path if path.is_file() else self.root / name

    def programs(self):
        """The environment in which the installed programs are found first."""
        return {"PATH": f"{self.root / option('bindir')}:{os.environ['PATH']}",
                "GSETTINGS_SCHEMA_DIR": str(self.root / "share/glib-2.0/schemas"), "GSETTINGS_BACKEND": "memory",
                "XDG_DATA_HOME": str(self.folder / "data"), "HOME": str(self.folder)}


TREE = Tree()


@tap.case("/install/files")
def _():
    names = [
        f"share/applications/{NAME}.desktop", f"share/metainfo/{NAME}.metainfo.xml",
        f"share/icons/hicolor/scalable/apps/{NAME}.svg", f"share/icons/hicolor/symbolic/apps/{NAME}-symbolic.svg",
        f"share/glib-2.0/schemas/{NAME}.gschema.xml", f"share/dbus-1/services/{NAME}.service",
        f"share/dbus-1/services/{NAME}.Questions.service", f"share/dbus-1/interfaces/{NAME}.Questions1.xml",
        f"share/gnome-shell/search-providers/{NAME}.search-provider.ini", "share/locale/zh_CN/LC_MESSAGES/beckon.mo",
        "share/bash-completion/completions/beckonctl", "share/zsh/site-functions/_beckonctl",
        "share/fish/vendor_completions.d/beckonctl.fish", f"share/beckon/{NAME}.Run1.schema.json",
    ]
    missing = [name for name in names if not TREE[name].is_file() and not TREE[name.replace("-symbolic", "")].is_file()]
    assert not missing, missing


@tap.case("/install/desktop-file-names-what-is-there")
def _():
    lines = TREE[f"share/applications/{NAME}.desktop"].read_text().splitlines()
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    assert (TREE.root / option("bindir") / values["Exec"].split()[0]).is_file(), values["Exec"]
    assert list(TREE.root.glob(f"share/icons/hicolor/scalable/apps/{values['Icon']}.svg")), values["Icon"]
    assert "x-scheme-handler/beckon" in values["MimeType"]


@tap.case("/install/search-provider-names-what-is-served")
def _():
    text = TREE[f"share/gnome-shell/search-providers/{NAME}.search-provider.ini"].read_text()
    path = re.search(r"^ObjectPath=(.*)$", text, re.M).group(1)
    assert f'"{path}"' in (ROOT / "src/dbus/beckon-search-provider.h").read_text(), path
    assert f"BusName={TREE.identity}\n" in text, text


@tap.case("/install/speaks-chinese")
def _():
    said = run("msgunfmt", str(TREE["share/locale/zh_CN/LC_MESSAGES/beckon.mo"]))
    assert "对话" in said, said[:200]


@tap.case("/install/manual-names-every-command")
def _():
    if not TREE[PAGE].is_file():
        raise tap.Skip("built without the manual pages")
    page = TREE[PAGE].read_text().replace("\\-", "-")
    text = run("beckonctl", "--help", LC_ALL="C.UTF-8", LANGUAGE="C", **TREE.programs())
    commands = re.findall(r"^  ([a-z]+) ", text, re.M)
    assert len(commands) > 10, text
    missing = [name for name in commands if not re.search(rf"^\.SS {name}\b", page, re.M)]
    assert not missing, missing
    assert "\\fB--detach-on-ask\\fR" in page
    assert "@" not in re.sub(r"\S+@\S+\.\S+|@[a-z]+/\S+", "", page), "something was not filled in"


def complete(*words):
    script = (f'source "{TREE["share/bash-completion/completions/beckonctl"]}"; compopt () {{ :; }}; COMP_WORDS=("$@"); '
              'COMP_CWORD=$(($# - 1)); _beckonctl; printf "%s\\n" "${COMPREPLY[@]}"')
    return [line.strip() for line in run("bash", "-c", script, "bash", "beckonctl", *words, **TREE.programs()).splitlines()]


def complete_in_fish(line):
    script = f'source "{TREE["share/fish/vendor_completions.d/beckonctl.fish"]}"; complete -C "{line}"'
    return [found.split("\t")[0] for found in run("fish", "--no-config", "-c", script, **TREE.programs()).splitlines()]


@tap.case("/install/completes-in-bash")
def _():
    assert complete("ques") == ["questions"], complete("ques")
    assert "--detach-on-ask" in complete("run", "--")
    assert complete("profile", "use", "off") == ["Offline\\ tour"], complete("profile", "use", "off")
    assert complete("profile", "use", "Offline\\ t") == ["Offline\\ tour"]
    assert complete("run", "-p", "'O") == ["Offline\\ tour"]
    assert complete("run", "--profile", "=", "O") == ["Offline\\ tour"]
    assert complete("run", "--mode", "=", "o") == ["outside"]
    assert complete("profile", "set", "--kind", "a") == ["anthropic"]
    assert "--detach-on-ask" in complete("run", "--") and "--profile=" in complete("run", "--")
    assert "decode" in complete("debug", "")


@tap.case("/install/completes-in-fish")
def _():
    if shutil.which("fish") is None:
        raise tap.Skip("fish is not installed")
    assert complete_in_fish("beckonctl ques") == ["questions"], complete_in_fish("beckonctl ques")
    assert complete_in_fish("beckonctl profile use Off") == ["Offline tour"], complete_in_fish("beckonctl profile use Off")
    assert complete_in_fish("beckonctl run -p Off") == ["Offline tour"], complete_in_fish("beckonctl run -p Off")
    assert complete_in_fish("beckonctl run --mode out") == ["outside"], complete_in_fish("beckonctl run --mode out")


@tap.case("/install/completions-are-well-formed")
def _():
    shells = [("zsh", "share/zsh/site-functions/_beckonctl"), ("fish", "share/fish/vendor_completions.d/beckonctl.fish")]
    there = [(shell, name) for shell, name in shells if shutil.which(shell)]
    if not there:
        raise tap.Skip("neither zsh nor fish is installed")
    for shell, name in there:
        run(shell, "-n", str(TREE[name]))


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[3:]))
