# SPDX-License-Identifier: GPL-3.0-or-later
"""The time it takes to find out what a command changed, and to bring that into the folder."""

import shutil
import statistics
import subprocess
import time

SAMPLES = 5
DEADLINE = 120


class Landings:
    """A folder that is made for each sample, and taken away behind it."""

    def __init__(self, bench_run):
        self.bench_run = bench_run
        self.memory = {}

    def take(self, kind, then=lambda folder: None):
        """Seconds of the survey and of the landing, and what then () made of the folder."""
        folder = self.bench_run.scratch / "landing"
        folder.mkdir()
        try:
            words = subprocess.run([self.bench_run.program("tests/bench/landing"), folder, kind], check=True, text=True,
                                   capture_output=True, timeout=DEADLINE).stdout.split()
            self.memory[kind] = max(self.memory.get(kind, 0), int(words[2]) / 1024)
            return float(words[0]), float(words[1]), then(folder / "folder")
        finally:
            shutil.rmtree(folder)

    def take_all(self, kind, then=lambda folder: None):
        """The median of each, after one that is thrown away."""
        self.take(kind, then)
        samples = [self.take(kind, then) for _ in range(SAMPLES)]
        return [statistics.median(column) if column[0] is not None else None for column in zip(*samples)]

    def measure_memory(self, kind):
        if kind not in self.memory:
            self.take(kind)
        return self.memory[kind]


def move(folder):
    """The time mv takes for what has just landed, until it is on the disk as well."""
    begin = time.monotonic()
    subprocess.run(["mv", folder / "build", folder.parent / "moved"], check=True)
    subprocess.run(["sync", folder, folder.parent], check=True)
    return time.monotonic() - begin


def register(bench, note):
    kept = {}

    def landings(bench_run):
        return kept.setdefault("landings", Landings(bench_run))

    @bench("landing-nothing", 1, "ms")
    def _(bench_run):
        """A command that changed nothing, in a folder of 10,000 files."""
        surveyed, landed, _ = landings(bench_run).take_all("nothing")
        return (surveyed + landed) * 1000

    @bench("landing-changed", 1, "s")
    def _(bench_run):
        """10,000 changed files of 1 KB."""
        surveyed, landed, _ = landings(bench_run).take_all("changed")
        note(f"found in {surveyed:.2f} s, landed in {landed:.2f} s")
        return surveyed + landed

    @bench("landing-made", 1.2, "times the floor")
    def _(bench_run):
        """A new folder of 100,000 files. Who lands it has found out before what is in it, which no mv does: that is told apart."""
        surveyed, landed, moved = landings(bench_run).take_all("made", move)
        note(f"landed in {landed * 1000:.1f} ms, mv and sync {moved * 1000:.1f} ms; found in {surveyed:.2f} s")
        return landed / moved

    @bench("landing-memory", 32, "MB")
    def _(bench_run):
        """The most that either of them takes."""
        used = {kind: landings(bench_run).measure_memory(kind) for kind in ("changed", "made")}
        note(", ".join(f"{kind} {memory:.1f} MB" for kind, memory in used.items()))
        return max(used.values())
