# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of a long history: benches of the store and of the window, in a store that is made once and kept."""

import hashlib
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

CONVERSATIONS = 10_000
MESSAGES = 1_000_000
LONGEST = 10_000
MEMORY = pathlib.Path("/dev/shm")
SOURCE = pathlib.Path(__file__).resolve().parents[2]
# What the store that is kept depends on.
MAKERS = ["src/store/sqlite/beckon-schema.c", "src/store/index/beckon-search-index.c", "src/store/index/beckon-search-text.c",
          "tests/bench/history-fill.c", "tests/bench/history-words.c"]
SIZE = f"{MESSAGES:,} messages of 200 bytes in {CONVERSATIONS:,} conversations"


def fingerprint():
    digest = hashlib.sha256()
    for name in MAKERS:
        digest.update((SOURCE / name).read_bytes())
    return digest.hexdigest()[:16]


class Histories:
    """Stores by their size. Who writes to one gets a copy."""

    def __init__(self, bench_run, note):
        self.bench_run, self.note = bench_run, note
        # Beside what is thrown away after a run.
        self.folder = bench_run.build / "histories"
        self.copies = 0
        self.figures = {}

    def get(self, conversations, messages, longest):
        made_by = fingerprint()
        kept = self.folder / f"{conversations}-{messages}-{longest}-{made_by}"
        if kept.is_dir():
            return kept
        for old in self.folder.glob("*"):
            if not old.name.endswith(made_by):
                shutil.rmtree(old)
        # In memory, where nothing has to reach a disk in between.
        place = MEMORY if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > messages * 4000 else self.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        making = pathlib.Path(tempfile.mkdtemp(prefix="beckon-history-", dir=place))
        begin = time.monotonic()
        subprocess.run([self.bench_run.program("tests/bench/history-fill"), making, str(conversations), str(messages),
                        str(longest)], check=True)
        shutil.move(making, self.folder / "made")
        (self.folder / "made").rename(kept)
        self.note(f"made a store of {messages:,} messages in {conversations:,} conversations in "
                  f"{time.monotonic() - begin:.0f} s; it is kept in {self.folder}")
        return kept

    def large(self):
        return self.get(CONVERSATIONS, MESSAGES, LONGEST)

    def small(self):
        return self.get(10, 1000, 100)

    def copy(self, kept, target=None):
        if target is None:
            self.copies += 1
            target = self.bench_run.scratch / f"history-{self.copies}"
        shutil.rmtree(target, ignore_errors=True)
        # Where the file system can, this costs nothing.
        subprocess.run(["cp", "-r", "--reflink=auto", kept, target], check=True)
        return target

    def run(self, name, *arguments):
        """The figures that one of the programs prints; they are taken once."""
        if name not in self.figures:
            self.figures[name] = self.take(f"history-{name}", *arguments)
        return self.figures[name]

    def take(self, program, *arguments):
        """The figures that a program prints, one a line; lines of `kind` are for the reader."""
        done = subprocess.run([self.bench_run.program(f"tests/bench/{program}"), *map(str, arguments)],
                              stdout=subprocess.PIPE, text=True, check=True, env=self.bench_run.home("history"))
        figures = {}
        for line in done.stdout.splitlines():
            word, _, rest = line.partition(" ")
            if word == "kind":
                self.note(rest)
            else:
                figures[word] = float(rest)
        return figures


def histories(bench_run, note):
    if not hasattr(bench_run, "histories"):
        bench_run.histories = Histories(bench_run, note)
    return bench_run.histories


def register(bench, note):
    def searched(bench_run):
        known = histories(bench_run, note)
        return known.run("search", known.large())

    @bench("search-median", 50, f"ms among {SIZE}")
    def _(bench_run):
        """Words typed to ranked hits, on threads of their own; the kinds of queries are told above the line."""
        return searched(bench_run)["median"]

    @bench("search-p95", 150, f"ms among {SIZE}")
    def _(bench_run):
        """The same queries. What the main loop was held up at most meanwhile is noted."""
        figures = searched(bench_run)
        note(f"the main loop was never held up for more than {figures['gap']:.1f} ms")
        return figures["p95"]

    def appended(bench_run):
        known = histories(bench_run, note)
        if "append" not in known.figures:
            samples = known.copy(known.small()), known.copy(known.large())
            figures = known.run("append", *samples)
            note(f"an added message: {figures['small']:.3f} ms among 1,000, {figures['large']:.3f} ms among {SIZE}, "
                 f"longest {figures['longest']:.1f} ms")
            for sample in samples:
                shutil.rmtree(sample)
        return known.figures["append"]

    @bench("append-growth", 1.5, f"times the time among 1,000, among {SIZE}")
    def _(bench_run):
        """A message added and committed, in turns to a short history and to a long one."""
        figures = appended(bench_run)
        return figures["large"] / figures["small"]

    @bench("append-p99", 5, f"ms among {SIZE}")
    def _(bench_run):
        return appended(bench_run)["p99"]

    def settled(bench_run):
        known = histories(bench_run, note)
        if "settle" not in known.figures:
            runs, floors = [], []
            for index in range(5):
                known.figures.pop("settle", None)
                runs.append(known.run("settle", bench_run.scratch / f"settle-{index}", 4, 1000))
                floors.append(known.take("floor-settle", bench_run.scratch / "floor-settle", 4, 1000))
            known.figures["settle"] = {"wrong": max(abs(run["winners"] - 1000) for run in runs),
                                       "p99": statistics.median(run["p99"] for run in runs),
                                       "floor": statistics.median(floor["p99"] for floor in floors)}
            note(f"five times 4 processes and 1,000 requests, p99 {' '.join('%.1f' % run['p99'] for run in runs)} ms, "
                 f"median {statistics.median(run['median'] for run in runs):.2f} ms")
            note(f"a page written and synced for each request, in turns with that, p99 "
                 f"{' '.join('%.1f' % floor['p99'] for floor in floors)} ms")
        return known.figures["settle"]

    @bench("settle-winners", 0, "requests with other than one winner among 1,000 that four processes settle")
    def _(bench_run):
        return settled(bench_run)["wrong"]

    @bench("settle-p99", 5, "ms, four processes settling the same 1,000 requests")
    def _(bench_run):
        return settled(bench_run)["p99"]

    @bench("settle-floor", 1.5, "times the p99 of four processes that write and sync a page for each request")
    def _(bench_run):
        """The disk's part of settle-p99: where a sync takes longer than five milliseconds, nothing can be faster."""
        return settled(bench_run)["p99"] / settled(bench_run)["floor"]

    def opened(bench_run):
        known = histories(bench_run, note)
        if "window" not in known.figures:
            sample = known.copy(known.large())
            figures = known.run("window", sample, "open")
            shutil.rmtree(sample)
            note(f"a conversation of {LONGEST:,} messages {figures['open']:.0f} ms, one of about 100 "
                 f"{figures['short']:.0f} ms; of its own the process then had {figures['memory']:.2f} and "
                 f"{figures['short-memory']:.2f} MB more; {figures['loaded']:.0f} messages were read")
        return known.figures["window"]

    @bench("open-longest", 150, f"ms to the first picture, {LONGEST:,} messages among {SIZE}")
    def _(bench_run):
        return opened(bench_run)["open"]

    @bench("open-memory", 2, f"MB more than for about 100 messages, {LONGEST:,} messages")
    def _(bench_run):
        figures = opened(bench_run)
        return figures["memory"] - figures["short-memory"]

    @bench("start-growth", 1.2, f"times the start with an empty store, {SIZE}")
    def _(bench_run):
        """From the program's first line to the first picture with the history there, in turns on both."""
        known = histories(bench_run, note)
        sample, empty = known.copy(known.large()), bench_run.scratch / "history-empty"
        empty.mkdir(exist_ok=True)
        times = {sample: [], empty: []}
        # The first of each makes what is there at every other start.
        for _ in range(8):
            for folder in times:
                known.figures.pop("window", None)
                times[folder].append(known.run("window", folder, "start")["usable"])
        known.figures.pop("window", None)
        shutil.rmtree(sample)
        note(f"usable after {statistics.median(times[sample][1:]):.0f} ms, with an empty store "
             f"{statistics.median(times[empty][1:]):.0f} ms")
        return statistics.median(one / other for one, other in zip(times[sample][1:], times[empty][1:]))

    def scrolled(bench_run):
        known = histories(bench_run, note)
        if "scroll" not in known.figures:
            folder = bench_run.scratch / "history-scroll"
            folder.mkdir()
            known.take("history-scroll", folder, LONGEST)
            runs = [known.take("history-scroll", folder, "scroll") for _ in range(3)]
            figures = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
            note(f"gaps up {' '.join('%.1f' % run['up'] for run in runs)} ms in {figures['up-frames']:.0f} frames, down "
                 f"{' '.join('%.1f' % run['down'] for run in runs)} ms; 99 of 100 turns within {figures['up-p99']:.1f} and "
                 f"{figures['down-p99']:.1f} ms; then the process had {figures['memory']:.1f} MB more")
            figures.update(known.take("history-scroll", folder, "switch"))
            note(f"switching took {figures['slowest']:.1f} ms at most")
            known.figures["scroll"] = figures
        return known.figures["scroll"]

    @bench("scroll-gap", 50, f"ms, {LONGEST:,} messages of mixed Markdown scrolled end to end and back")
    def _(bench_run):
        """The longest time in which the main loop did not turn, at nearly a page a frame; the median of three."""
        figures = scrolled(bench_run)
        return max(figures["up"], figures["down"])

    @bench("scroll-memory", 30, f"MB more once {LONGEST:,} messages were scrolled through")
    def _(bench_run):
        return scrolled(bench_run)["memory"]

    @bench("switch", 100, "ms from one conversation of 1,000 messages to the other, to its first picture")
    def _(bench_run):
        return scrolled(bench_run)["switch"]

    @bench("write-gap", 16, f"ms beyond a bare window's, 1,000 messages a second written by another process, {SIZE}")
    def _(bench_run):
        known = histories(bench_run, note)
        gaps, bare, written = [], [], []
        for _ in range(5):
            sample = known.copy(known.large())
            known.figures.pop("window", None)
            figures = known.run("window", sample, "gap")
            gaps.append(figures["gap"])
            written.append(figures["written"])
            known.figures.pop("window", None)
            bare.append(known.run("window", sample, "bare")["gap"])
            known.figures.pop("window", None)
            shutil.rmtree(sample)
        note(f"gaps {' '.join('%.1f' % gap for gap in gaps)} ms, of a bare window {' '.join('%.1f' % gap for gap in bare)} "
             f"ms; at least {min(written):.0f} messages written in 6 s")
        return statistics.median(gaps) - statistics.median(bare)
