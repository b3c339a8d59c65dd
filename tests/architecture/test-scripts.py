#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts of build-aux do as they say, with a made-up distribution: test-scripts.py SOURCE_ROOT."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import tap  # noqa: E402

ROOT = pathlib.Path(sys.argv[1]).resolve()
AUX = ROOT / "build-aux"
SCRIPTS = [*sorted(AUX.glob("*.sh")), ROOT / ".ci/run", *sorted((ROOT / "tests/support").glob("with-*"))]
# The scripts may use these of a system; a made-up one has them and its own package programs.
TOOLS = ("sh", "awk", "sort", "tr", "cut", "cat", "cksum", "dirname", "find", "printf", "env", "mkdir")


class System:
    """A PATH with chosen programs in it, each of which writes down how it was called."""

    def __init__(self, folder, user=1000):
        self.folder = pathlib.Path(folder)
        self.log = self.folder / "log"
        self.log.write_text("")
        for name in TOOLS:
            (self.folder / name).symlink_to(shutil.which(name))
        self.add("id", f"echo {user}")

    def add(self, name, body="", logs=False):
        path = self.folder / name
        record = f'printf "%s\\n" "{name} $*" >>"{self.log}"\n' if logs else ""
        path.write_text(f"#!/bin/sh\n{record}{body}\n")
        path.chmod(0o755)

    def call(self, commands):
        return subprocess.run(["sh", "-eu", "-c", f'root="{ROOT}"; . "{AUX}/setup.sh"; {commands}'], check=False, text=True,
                              env={"PATH": str(self.folder), "HOME": str(self.folder)}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)

    def calls(self):
        return self.log.read_text().splitlines()


NEED = "need_packages 'aa-dev aa-devel aa why one\nbb bb-f bb-a why two\n'"


def debian(folder, installed, user=1000):
    system = System(folder, user)
    system.add("dpkg-query", "\n".join(f"echo {name} installed" for name in installed), logs=True)
    system.add("apt-get", logs=True)
    system.add("sudo", 'exec "$@"', logs=True)
    return system


@tap.case("/scripts/parse-as-posix-shell")
def _():
    shell = shutil.which("dash") or "sh"
    for script in SCRIPTS:
        subprocess.run([shell, "-n", str(script)], check=True)


@tap.case("/scripts/shellcheck")
def _():
    if shutil.which("shellcheck") is None:
        raise tap.Skip("shellcheck is not installed")
    done = subprocess.run(["shellcheck", "-x", *map(str, SCRIPTS)], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stdout


@tap.case("/scripts/set-up/nothing-missing")
def _():
    with tempfile.TemporaryDirectory() as folder:
        system = debian(folder, ["aa-dev", "bb"])
        done = system.call(NEED)
        assert done.returncode == 0 and done.stdout == "", done
        assert system.calls() == ["dpkg-query -W -f ${Package} ${db:Status-Status}\\n aa-dev bb"], system.calls()


@tap.case("/scripts/set-up/installs-what-is-missing")
def _():
    with tempfile.TemporaryDirectory() as folder:
        system = debian(folder, ["bb"])
        done = system.call(NEED)
        assert done.returncode == 0, done
        assert "aa-dev" in done.stdout and "why one" in done.stdout and "why two" not in done.stdout, done.stdout
        called = [call for call in system.calls() if call.startswith("apt-get")]
        assert called[0].startswith("apt-get update") and called[1].endswith(" aa-dev"), called
        assert sum(call.startswith("sudo") for call in system.calls()) == 2, system.calls()


@tap.case("/scripts/set-up/root-needs-no-sudo")
def _():
    with tempfile.TemporaryDirectory() as folder:
        system = debian(folder, [], user=0)
        assert system.call(NEED).returncode == 0
        assert not [call for call in system.calls() if call.startswith("sudo")], system.calls()


@tap.case("/scripts/set-up/says-when-it-cannot")
def _():
    with tempfile.TemporaryDirectory() as folder:
        system = debian(folder, [])
        (pathlib.Path(folder) / "sudo").unlink()
        done = system.call(NEED)
        assert done.returncode != 0 and "As root, run:" in done.stdout, done
        assert not [call for call in system.calls() if call.startswith("apt-get")], system.calls()


@tap.case("/scripts/set-up/other-distributions-get-a-list")
def _():
    for manager, expected in (("dnf", "sudo dnf install aa-devel bb-f"), ("pacman", "sudo pacman -S --needed aa bb-a")):
        with tempfile.TemporaryDirectory() as folder:
            system = System(folder)
            system.add(manager, logs=True)
            done = system.call(NEED)
            assert done.returncode == 1 and expected in done.stdout, done
            assert system.calls() == [], system.calls()


@tap.case("/scripts/build-folder-is-ones-own")
def _():
    with tempfile.TemporaryDirectory(prefix="a b ") as folder:
        checkout = pathlib.Path(folder) / "check out"
        checkout.mkdir()
        command = f'root="{checkout}"; . "{AUX}/setup.sh"; build_folder run'
        environment = dict(os.environ, HOME=folder, XDG_CACHE_HOME=folder + "/cache")

        def answer():
            done = subprocess.run(["sh", "-eu", "-c", command], env=environment, stdout=subprocess.PIPE, text=True, check=True)
            return done.stdout.strip()

        assert answer() == str(checkout / "build/run"), answer()
        if os.geteuid() == 0:
            os.chown(checkout, 65534, 65534)
            assert answer().startswith(folder + "/cache/beckon/build-run-"), answer()


@tap.case("/scripts/configurations")
def _():
    """Names that a folder of the tests defines are not there where only the benchmarks are built."""
    for options in ["-Dbenchmarks=true", "-Dtests=false"], ["-Dtests=false"]:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["meson", "setup", "-Dui=false", *options, folder, str(ROOT)], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
        assert done.returncode == 0, done.stdout


def count(tests):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as log:
        log.writelines(json.dumps(test) + "\n" for test in tests)
        log.flush()
        done = subprocess.run([sys.executable, str(AUX / "count-cases.py"), log.name], stdout=subprocess.PIPE, text=True,
                              check=False)
        told, _, counted = done.stdout.strip().rpartition("\n")
        return counted, done.returncode, *([told] if told else [])


@tap.case("/scripts/count-cases")
def _():
    good = {"result": "OK", "stdout": "TAP version 13\n# random seed\n1..3\nok 1 /a\nok 2 /b # SKIP none\nok 3 /c # odd skip\n"}
    assert count([good]) == ("2 passed, 0 failed, 1 skipped", 0), count([good])
    bad = {"result": "FAIL", "stdout": "1..2\nnot ok 1 /a\nok 2 /b\n"}
    assert count([good, bad])[:2] == ("3 passed, 1 failed, 1 skipped", 1)
    crashed = {"result": "ERROR", "stdout": "1..2\nok 1 /a\n"}
    assert count([crashed])[:2] == ("1 passed, 1 failed, 0 skipped", 1)
    assert count([{"result": "TIMEOUT", "stdout": None}])[:2] == ("0 passed, 1 failed, 0 skipped", 1)
    assert count([{"result": "SKIP", "stdout": "1..0 # SKIP no display\n"}]) == ("0 passed, 0 failed, 1 skipped", 1)
    assert count([{"result": "OK"}]) == ("1 passed, 0 failed, 0 skipped", 0)
    assert count([]) == ("0 passed, 0 failed, 0 skipped", 1)
    # What failed stands right before the count, its own lines first, the noise before them left out.
    noisy = {"name": "a / b", "result": "FAIL", "stdout": "not ok 7 /a/c - odd\n" + "ok 1 /x\n" * 900, "stderr": "the end\n"}
    told = count([good, noisy])[2]
    assert told.startswith("a / b: FAIL\n  not ok 7 /a/c - odd\n") and told.endswith("the end"), told
    assert len(told.splitlines()) < 50, told
    done = subprocess.run([sys.executable, str(AUX / "count-cases.py"), "/nowhere"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    assert done.stdout.endswith("\n0 passed, 1 failed, 0 skipped\n") and done.returncode == 1, done


@tap.case("/scripts/update-models")
def _():
    """The lists of the providers, in their forms, change what the table says and nothing else of it."""
    table = {"about": "A table", "updated": "2020-01-01", "models": [
        {"patterns": ["claude-x-1*"], "context": 1, "prices": [1, None, 2]},
        {"patterns": ["gemini-x"], "output": 1, "vision": True},
        {"patterns": ["old"], "context": 7}]}
    anthropic = {"data": [
        {"id": "claude-x-1-2026", "created_at": "2026-01-01T00:00:00Z", "max_input_tokens": 20, "max_tokens": 10,
         "capabilities": {"effort": {"supported": True, "low": {"supported": True}, "max": {"supported": False}},
                          "image_input": {"supported": True}, "pdf_input": {"supported": False}}},
        {"id": "claude-x-1-2025", "created_at": "2025-01-01T00:00:00Z", "max_input_tokens": 5},
        {"id": "claude-y"}]}
    gemini = {"models": [{"name": "models/gemini-x", "inputTokenLimit": 30, "outputTokenLimit": 3}]}
    openrouter = {"data": [{"id": "google/gemini-x", "context_length": 99, "architecture": {"input_modalities": ["text"]},
                            "pricing": {"prompt": "0.000003", "completion": "0.00001"}}]}
    models_dev = {"google": {"models": {"gemini-x": {"id": "gemini-x", "modalities": {"input": ["text", "pdf"]},
                                                   "temperature": False}}},
                  "gateway": {"models": {"gemini-x": {"id": "gemini-x", "modalities": {"input": ["text"]}}}}}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "models.json"
        path.write_text(json.dumps(table))
        command = [sys.executable, str(AUX / "update-models.py"), str(path)]
        for name, answer in {"anthropic": anthropic, "gemini": gemini, "openrouter": openrouter,
                             "models.dev": models_dev}.items():
            (pathlib.Path(folder) / name).write_text(json.dumps(answer))
            command += ["--list", f"{name}={folder}/{name}"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        updated = json.loads(path.read_text())
    assert done.stdout == "no entry for anthropic: claude-y\n", done.stdout
    assert updated.pop("updated") > "2026", updated
    assert updated == {"about": "A table", "models": [
        {"patterns": ["claude-x-1*"], "context": 20, "prices": [1, None, 2], "output": 10, "vision": True, "pdf": False,
         "effort": ["low"]},
        {"patterns": ["gemini-x"], "output": 3, "vision": False, "context": 30, "prices": [3.0, None, 10.0],
         "pdf": True, "temperature": False},
        {"patterns": ["old"], "context": 7}]}, updated


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
