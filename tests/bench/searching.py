# SPDX-License-Identifier: GPL-3.0-or-later
"""The time in which a folder is searched and listed, beside the programs that others use for it."""

import json
import random
import shutil
import statistics
import subprocess
import time

SAMPLES = 7
MEGABYTES = 60
FILES = 5_000
MANY = 200_000
PATTERNS = ("not_in_there", "struct [a-z]+_last_one", "in[t]\\s+none_of_them")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def write_source(folder):
    """Files as in a large repository: lines of words, some of them empty."""
    chance = random.Random(7)
    words = ["".join(chance.choices(LETTERS, k=chance.randint(2, 11))) for _ in range(20_000)]
    lines = ["" if chance.random() < 0.15 else "\t" + " ".join(chance.choices(words, k=chance.randint(1, 9)))
             for _ in range(20_000)]
    each = MEGABYTES * 1_000_000 // FILES
    for number in range(FILES):
        path = folder / f"part{number % 97}" / f"file{number}.c"
        path.parent.mkdir(parents=True, exist_ok=True)
        text, size = [], 0
        while size < each:
            text.append(chance.choice(lines))
            size += len(text[-1]) + 1
        path.write_text("\n".join(text))
    (folder / ".gitignore").write_text("*.o\n/build/\n*~\n" + "".join(f"/tool-{number}\n" for number in range(200)))
    subprocess.run(["git", "init", "-q", folder], check=True)
    subprocess.run(["git", "-C", folder, "add", "."], check=True)


def write_many(folder):
    for number in range(MANY):
        path = folder / f"{number // 1000}"
        if number % 1000 == 0:
            path.mkdir(parents=True)
        (path / f"{number}").touch()


def take(bench_run, folder, kind, arguments):
    done = subprocess.run([bench_run.program("tests/bench/search-folder"), folder, kind, json.dumps(arguments)], check=True,
                          text=True, stdout=subprocess.PIPE)
    seconds, _, result = done.stdout.partition("\n")
    if "time was up" in result:
        raise RuntimeError("it gave up: " + result)
    return float(seconds)


def take_peer(words, folder):
    begin = time.monotonic()
    subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, check=False)
    return time.monotonic() - begin


def in_turns(*samples):
    """The median of each, taken in turns, after one that is thrown away."""
    rows = [[sample() for sample in samples] for _ in range(SAMPLES + 1)][1:]
    return [statistics.median(column) for column in zip(*rows)]


def register(bench, note):
    @bench("search", 3, "times ripgrep")
    def _(bench_run):
        """A pattern that is nowhere, in 60 MB of source: the worst of three."""
        if shutil.which("rg") is None:
            raise RuntimeError("there is no rg")
        folder = bench_run.scratch / "search"
        write_source(folder)
        worst = 0
        for pattern in PATTERNS:
            ours, theirs, git = in_turns(lambda: take(bench_run, folder, "search", {"pattern": pattern}),
                                         lambda: take_peer(["rg", "-c", pattern], folder),
                                         lambda: take_peer(["git", "grep", "-cP", pattern], folder))
            note(f"{pattern}: {ours * 1000:.0f} ms, rg {theirs * 1000:.0f} ms, git grep {git * 1000:.0f} ms")
            worst = max(worst, ours / theirs)
        shutil.rmtree(folder)
        return worst

    @bench("list", 3, "times ripgrep")
    def _(bench_run):
        """All of 200,000 files, looked through for a name that none has."""
        folder = bench_run.scratch / "list"
        write_many(folder)
        ours, theirs = in_turns(lambda: take(bench_run, folder, "list", {"pattern": "*.none"}),
                                lambda: take_peer(["rg", "--files", "--sort", "path", "-g", "*.none"], folder))
        note(f"{ours * 1000:.0f} ms, rg {theirs * 1000:.0f} ms")
        shutil.rmtree(folder)
        return ours / theirs
