# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reply costs in the window while it streams, and a large one when it is opened."""

import pathlib
import statistics
import subprocess

TOKENS = 20_000
RATE = 400
FAST_RATE = 4000
RUNS = 5
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


def stream(bench_run, tokens, rate):
    return take(bench_run, "stream", order(bench_run, tokens, rate))


def register(bench, note):
    def streams(bench_run):
        """Five replies at the pace of a fast model; they are taken once for all benches."""
        if not hasattr(bench_run, "markdown_streams"):
            stream(bench_run, 200, RATE)
            bench_run.markdown_streams = [stream(bench_run, TOKENS, RATE) for _ in range(RUNS)]
            bench_run.markdown_bare = take(bench_run, "bare")
        return bench_run.markdown_streams

    def median(bench_run, name):
        return statistics.median(figures[name] for figures in streams(bench_run))

    @bench("markdown-cpu", 4, f"s of processor time for {TOKENS:,} tokens of Markdown at {RATE} a second")
    def _(bench_run):
        return median(bench_run, "cpu")

    @bench("markdown-gap", 32, "ms, the longest time in which the main loop did not turn")
    def _(bench_run):
        """Less a bare window's. What the loop was busy for at most is told too: it does not depend on other programs."""
        gap, bare = median(bench_run, "gap"), bench_run.markdown_bare
        note(f"the loop was busy for at most {median(bench_run, 'busy'):.1f} ms; a bare window's gap is {bare['gap']:.1f} ms")
        return max(gap - bare["gap"], 0)

    @bench("markdown-gap-p99", 16, "ms, the 99th percentile")
    def _(bench_run):
        return max(median(bench_run, "p99") - bench_run.markdown_bare["p99"], 0) if streams(bench_run) else 0

    @bench("markdown-memory", 30, f"MB of its own after {TOKENS:,} tokens")
    def _(bench_run):
        return median(bench_run, "memory")

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
