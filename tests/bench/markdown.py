# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of a reply in the window while it streams, and a large one when it is opened."""

import pathlib
import statistics
import subprocess

TOKENS = 20_000
RATE = 400
FAST_RATE = 4000
RUNS = {"stream": 3, "watch": 5}
LENGTHS = (2_000, 8_000, 20_000, 80_000)


def take(bench_run, *arguments):
    """The figures that the program prints, one a line."""
    environment = bench_run.used_home("markdown")
    folder = pathlib.Path(environment["XDG_DATA_HOME"]) / "beckon"
    done = subprocess.run([bench_run.program("tests/bench/markdown-window"), folder, *arguments], stdout=subprocess.PIPE,
                          text=True, check=True, env=environment)
    return {word: float(rest) for word, _, rest in (line.partition(" ") for line in done.stdout.splitlines())}


def order(bench_run, tokens, rate):
    bench_run.orders += 1
    return f"bench-markdown-{tokens}-{rate}-500-{bench_run.orders}"


def stream(bench_run, tokens, rate, how="stream"):
    return take(bench_run, how, order(bench_run, tokens, rate))


def register(bench, note):
    def replies(bench_run, how):
        """Replies at the pace of a fast model; they are taken once for all benches."""
        if not hasattr(bench_run, "markdown_" + how):
            stream(bench_run, 200, RATE)
            setattr(bench_run, "markdown_" + how, [stream(bench_run, TOKENS, RATE, how) for _ in range(RUNS[how])])
        return getattr(bench_run, "markdown_" + how)

    def median(bench_run, how, name):
        return statistics.median(figures[name] for figures in replies(bench_run, how))

    def bare(bench_run):
        if not hasattr(bench_run, "markdown_bare"):
            bench_run.markdown_bare = take(bench_run, "bare")
        return bench_run.markdown_bare

    @bench("markdown-cpu", 4, f"s of processor time for {TOKENS:,} tokens of Markdown at {RATE} a second")
    def _(bench_run):
        return median(bench_run, "stream", "cpu")

    @bench("markdown-memory", 30, f"MB of its own after {TOKENS:,} tokens")
    def _(bench_run):
        return median(bench_run, "stream", "memory")

    @bench("markdown-gap", 32, "ms, the longest time in which the main loop did not turn")
    def _(bench_run):
        """Less a bare window's. What the loop was busy for at most is told too: it does not depend on other programs."""
        gap, floor = median(bench_run, "watch", "gap"), bare(bench_run)["gap"]
        note(f"busy for at most {median(bench_run, 'watch', 'busy'):.1f} ms; a bare window's longest gap is {floor:.1f} ms")
        return max(gap - floor, 0)

    @bench("markdown-gap-p99", 16, "ms, the 99th percentile")
    def _(bench_run):
        return max(median(bench_run, "watch", "p99") - bare(bench_run)["p99"], 0)

    @bench("markdown-linear", 1.1, "times the processor time of a token in a shorter reply")
    def _(bench_run):
        """Each length against the one before it, start-up taken off; the worst of the three."""
        def cost(tokens):
            return statistics.median(stream(bench_run, tokens, FAST_RATE)["cpu"] for _ in range(3))

        start = cost(1)
        costs = {tokens: (cost(tokens) - start) / tokens * 1e6 for tokens in LENGTHS}
        note(", ".join(f"{tokens:,}: {value:.0f} µs a token" for tokens, value in costs.items()) + f", at {FAST_RATE} a second")
        return max(costs[long] / costs[short] for short, long in zip(LENGTHS, LENGTHS[1:]))

    @bench("open-1mb", 50, "ms, the longest gap while a message of 1 MB opens")
    def _(bench_run):
        runs = [take(bench_run, "open") for _ in range(3)]
        figures = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
        note(f"all of it is there after {figures['whole']:.0f} ms and {figures['cpu']:.1f} s of processor time, with "
             f"{figures['memory']:.0f} MB; the loop was busy for at most {figures['busy']:.1f} ms")
        return figures["gap"]
