#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures Beckon against floor programs, in one run and by the same means: bench.py BUILD_FOLDER [NAME…].

Every figure is the median of several samples after one that is thrown away, and prints one line:
`bench NAME = VALUE UNIT, goal <= GOAL: holds` or `: falls short`. Lines with # tell what it was made of.
"""

import json
import os
import pathlib
import pty
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

import history
import landing
import markdown
import questions
import searching

SAMPLES = 5
DEADLINE = 120
KEY = "bench"
PROFILE = "bench"
RATE = 500
FAST_RATE = 4000
# What a hundred runs stream at once.
RUNS = 100
RUN_TOKENS = 1000
RUN_RATE = 100
BULK_MB = 200
# What a person takes at least to read a question: both programs are as cold after it as they are in life.
PAUSE = 0.4
ROUNDS = 11
# How long the end of a stream is held back, in which memory is looked at.
HOLD_MS = 1000
# Servers of tools that a person has set up.
SERVERS = 10

BENCHES = {}


def bench(name, goal, unit="times the floor"):
    def register(function):
        BENCHES[name] = (goal, unit, function)
        return function

    return register


def note(text):
    print("# " + text, flush=True)


def private_kb(pid):
    """The memory that would be free again if the process went."""
    total = 0
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(("Private_Clean:", "Private_Dirty:")):
            total += int(line.split()[1])
    return total


def wait_for(condition, what, pause=0.002):
    end = time.monotonic() + DEADLINE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise RuntimeError("nothing came of: " + what)
        time.sleep(pause)


class Server:
    """The program that all others talk to, and what it saw."""

    def __init__(self, build):
        self.lines = []
        self.news = threading.Condition()
        self.process = subprocess.Popen([build / "tests/bench/bench-server"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line.split())
                self.news.notify_all()

    def url(self, order=""):
        return f"http://127.0.0.1:{self.port}/{order}"

    def mark(self):
        with self.news:
            return len(self.lines)

    def wait(self, kind, mark, order, count=1):
        """The words of the count-th line of a kind about an order, since the mark."""
        def seen():
            found = [words for words in self.lines[mark:] if words[0] == kind and words[-1] == order]
            return found[count - 1] if len(found) >= count else None

        with self.news:
            if not self.news.wait_for(seen, DEADLINE):
                raise RuntimeError(f"the server saw no {kind} of {order}")
            return seen()

    def close(self):
        self.process.terminate()
        self.process.wait()


class Bench:
    """The places of programs, and a home for each of them."""

    def __init__(self, build):
        self.build = build
        self.scratch = build / "scratch"
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        self.server = Server(build)
        self.orders = 0
        self.homes = {}

    def program(self, name):
        return str(self.build / name)

    def home(self, name):
        """The environment of a home that is kept between the samples of one bench: they are warm starts."""
        if name not in self.homes:
            # What a person has: their settings come from where they do on this system.
            self.homes[name] = environment = dict(os.environ, BECKON_API_KEY=KEY,
                                                  GSETTINGS_SCHEMA_DIR=str(self.build / "data"))
            del environment["GSETTINGS_BACKEND"]
            for variable, folder in (("HOME", ""), ("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config"),
                                     ("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state")):
                path = self.scratch / name / folder
                path.mkdir(parents=True, exist_ok=True)
                environment[variable] = str(path)
        return self.homes[name]

    def used_home(self, name):
        """A home in which Beckon knows a model and has talked to it."""
        known = name in self.homes
        environment = self.home(name)
        if not known:
            for command in (self.beckonctl("profile", "add", PROFILE, "--no-lookup", "--base-url", self.server.url("v1"), "--model",
                                           "bench"), self.run_command(self.stream_order(20, 0))):
                subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        return environment

    def stream_order(self, tokens, rate, hold=0):
        """An order of its own for every sample, so that the server's lines tell them apart."""
        self.orders += 1
        return f"bench-stream-{tokens}-{rate}-{hold}-{self.orders}"

    def ask_order(self, rounds):
        self.orders += 1
        return f"bench-ask-{rounds}-{self.orders}"

    def bulk_order(self, megabytes):
        self.orders += 1
        return f"bench-bulk-{megabytes}-{self.orders}"

    def group_order(self, calls):
        self.orders += 1
        return f"bench-group-{calls}-{self.orders}"

    def beckonctl(self, *arguments):
        return [self.program("src/cli/beckonctl"), *arguments]

    def run_command(self, order):
        return self.beckonctl("run", "--profile", PROFILE, order)

    def floor_command(self, order, size):
        return [self.program("tests/bench/floor-stream"), self.server.url(order), size]

    def close(self):
        self.server.close()
        shutil.rmtree(self.scratch, ignore_errors=True)


def paired(take, samples=SAMPLES, warm=False):
    """take () returns what beckon and the floor took; the medians of each, and their ratio. The first is thrown away."""
    if not warm:
        take()
    pairs = [take() for _ in range(samples)]
    ours = statistics.median(pair[0] for pair in pairs)
    floor = statistics.median(pair[1] for pair in pairs)
    return ours, floor, ours / floor


def spawn(command, environment, output=None):
    """Starts a program by the shortest way; returns its pid and when it began in µs."""
    null = os.open(os.devnull, os.O_RDWR)
    out = null if output is None else output
    begin = time.monotonic_ns() // 1000
    pid = os.posix_spawnp(command[0], command, environment, file_actions=[
        (os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, out, 1)])
    os.close(null)
    return pid, begin


def reap(pid):
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(f"a program measured failed: {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


# The window


def watch_window(bench_run, command, environment):
    # What a program says is for when it fails: on a private bus there is nobody to keep its settings.
    with (bench_run.scratch / "window.log").open("w+") as log:
        watcher = subprocess.Popen([bench_run.program("tests/bench/watch-window"), *command], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        frame = watcher.stdout.readline().split()
        idle = watcher.stdout.readline().split()
        log.seek(0)
        if not frame or not idle:
            raise RuntimeError(f"no window came of {command}: {log.read()}")
    memory = private_kb(int(idle[1]))
    watcher.stdin.close()
    watcher.wait()
    return int(frame[1]) / 1000, memory / 1024


def window_samples(bench_run):
    if not hasattr(bench_run, "windows"):
        samples = []
        used, bare = bench_run.used_home("window"), bench_run.home("floor-window")
        for _ in range(SAMPLES + 5):
            ours = watch_window(bench_run, [bench_run.program("src/ui/beckon")], used)
            floor = watch_window(bench_run, [bench_run.program("tests/bench/floor-window")], bare)
            samples.append((ours, floor))
        bench_run.windows = samples[1:]
    return bench_run.windows


def window_ratio(bench_run, index, unit):
    ours = statistics.median(sample[0][index] for sample in window_samples(bench_run))
    floor = statistics.median(sample[1][index] for sample in window_samples(bench_run))
    note(f"beckon {ours:.1f} {unit}, a bare AdwApplicationWindow {floor:.1f} {unit}")
    return ours / floor


@bench("window-start", 1.3)
def _(bench_run):
    """exec to the first mapped frame."""
    return window_ratio(bench_run, 0, "ms")


def used_home_with_servers(bench_run, name):
    """A used home with servers of tools, each of which was started once, so that its tools are known."""
    known = name in bench_run.homes
    environment = bench_run.used_home(name)
    server = str(pathlib.Path(__file__).resolve().parents[1] / "mcp/server.py")
    for number in range(0 if known else SERVERS):
        subprocess.run(bench_run.beckonctl("mcp", "add", f"server {number}", "--", sys.executable, server, "modern"),
                       env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return environment


@bench("window-start-servers", 1.05, "times the same without servers")
def _(bench_run):
    """exec to the first mapped frame with ten servers set up, beside none: they start when they are needed."""
    without, servers = bench_run.used_home("window"), used_home_with_servers(bench_run, "window-servers")
    command = [bench_run.program("src/ui/beckon")]

    def take():
        return watch_window(bench_run, command, servers), watch_window(bench_run, command, without)

    take()
    samples = [take() for _ in range(SAMPLES + 4)]
    ours, floor = (statistics.median(sample[i][0] for sample in samples) for i in (0, 1))
    memory = [statistics.median(sample[i][1] for sample in samples) for i in (0, 1)]
    note(f"{SERVERS} servers {ours:.1f} ms and {memory[0]:.1f} MB, none {floor:.1f} ms and {memory[1]:.1f} MB")
    return ours / floor


@bench("window-memory", 1.3)
def _(bench_run):
    """Private memory of an idle window."""
    return window_ratio(bench_run, 1, "MB")


@bench("window-memory-open", 1.5)
def _(bench_run):
    """The same with a conversation of 1,000 messages open in it."""
    home = bench_run.home("window-open")
    folder = pathlib.Path(home["XDG_DATA_HOME"]) / "beckon"
    subprocess.run([bench_run.program("tests/bench/history-scroll"), folder, "1000", "english"], env=home, check=True)
    listed = subprocess.run(bench_run.beckonctl("list", "--json"), env=home, check=True, capture_output=True,
                            text=True).stdout
    link = "beckon://conversation/" + json.loads(listed)["conversations"][0]["id"]
    samples = [watch_window(bench_run, [bench_run.program("src/ui/beckon"), link], home)[1] for _ in range(SAMPLES + 1)][1:]
    floor = statistics.median(sample[1][1] for sample in window_samples(bench_run))
    note(f"beckon {statistics.median(samples):.1f} MB, a bare AdwApplicationWindow {floor:.1f} MB")
    return statistics.median(samples) / floor


# The terminal


@bench("run-start", 3)
def _(bench_run):
    """exec to the first request at the server."""
    used, bare = bench_run.used_home("run"), bench_run.home("floor-run")

    def first_request(command, environment, order):
        mark = bench_run.server.mark()
        pid, begin = spawn(command, environment)
        request = bench_run.server.wait("request", mark, order)
        reap(pid)
        return (int(request[1]) - begin) / 1000, request[2]

    def take():
        order = bench_run.stream_order(1, 0)
        ours, size = first_request(bench_run.run_command(order), used, order)
        order = bench_run.stream_order(1, 0)
        floor, _ = first_request(bench_run.floor_command(order, size), bare, order)
        return ours, floor

    ours, floor, ratio = paired(take, 15)
    note(f"beckonctl {ours:.1f} ms, the least libsoup program {floor:.1f} ms")
    return ratio


class Terminal:
    """A program at a pseudo-terminal, whose output is read so that it never waits."""

    def __init__(self, command, environment):
        self.output = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            while True:
                self.output += os.read(self.fd, 65536)
        except OSError:
            pass

    def expect(self, text):
        wait_for(lambda: text in self.output, f"{text!r} in {self.output[-2000:]!r}")

    def type(self, line):
        """Returns when it was typed, in µs."""
        begin = time.monotonic_ns() // 1000
        os.write(self.fd, line.encode() + b"\n")
        return begin

    def close(self):
        try:
            os.kill(self.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        os.close(self.fd)


class Asked:
    """A program at a terminal that is asked again and again; the server says when an answer has come through."""

    def __init__(self, bench_run, command, environment, order):
        self.server, self.order, self.mark = bench_run.server, order, bench_run.server.mark()
        self.terminal = Terminal(command, environment)
        self.requests = 0

    def next_request(self):
        self.requests += 1
        return self.server.wait("request", self.mark, self.order, self.requests)

    def answer(self):
        """Returns how long it took, in µs, and how large the request was."""
        begin = self.terminal.type("2")
        request = self.next_request()
        return int(request[1]) - begin, request[2]


def ask_beckonctl(bench_run):
    order = bench_run.ask_order(ROUNDS)
    asked = Asked(bench_run, bench_run.beckonctl("chat", "--profile", PROFILE), bench_run.used_home("answer"), order)
    asked.terminal.type(order)
    size = asked.next_request()[2]
    return asked, size


def ask_floor(bench_run, sizes):
    order = bench_run.ask_order(ROUNDS)
    command = [bench_run.program("tests/bench/floor-answer"), bench_run.server.url(order),
               str(bench_run.scratch / "floor-answer.db"), *sizes]
    asked = Asked(bench_run, command, bench_run.home("floor-answer"), order)
    asked.next_request()
    return asked


def learn_sizes(bench_run):
    """A conversation of which only the sizes of its requests are kept."""
    asked, size = ask_beckonctl(bench_run)
    sizes = [size]
    for count in range(1, ROUNDS + 1):
        asked.terminal.expect(b"Which one, %d?" % count)
        sizes.append(asked.answer()[1])
    asked.terminal.expect(b"Thanks.")
    asked.terminal.close()
    return sizes


@bench("answer-latency", 1.5)
def _(bench_run):
    """An answer typed to the first byte of the request that carries it, at the server. Both programs live side by side and
    take turns, so that each meets the same disk."""
    sizes = learn_sizes(bench_run)
    times = []
    for _ in range(SAMPLES):
        asked, floor = ask_beckonctl(bench_run)[0], ask_floor(bench_run, sizes)
        for count in range(1, ROUNDS + 1):
            asked.terminal.expect(b"Which one, %d?" % count)
            time.sleep(PAUSE)
            ours = asked.answer()[0]
            time.sleep(PAUSE)
            pair = ours / 1000, floor.answer()[0] / 1000
            # The first answer of a process is its warm-up.
            if count > 1:
                times.append(pair)
        asked.terminal.expect(b"Thanks.")
        asked.terminal.close()
        floor.terminal.close()

    ours, floor_time = (statistics.median(pair[which] for pair in times) for which in (0, 1))
    note(f"beckonctl {ours:.2f} ms, one commit and one POST {floor_time:.2f} ms, {len(times)} answers each")
    return ours / floor_time


# Streams


class Stream:
    """A program reading one stream: its CPU time, and its private memory when the last word was out."""

    def __init__(self, bench_run, tokens, rate, ours):
        self.server = bench_run.server
        self.order = bench_run.stream_order(tokens, rate, HOLD_MS)
        self.mark = self.server.mark()
        command = bench_run.run_command(self.order) if ours else bench_run.floor_command(self.order, "1000")
        self.pid, _ = spawn(command, bench_run.used_home("stream") if ours else bench_run.home("floor-stream"))
        self.error = None
        # Several streams run side by side, and each has its own moment at which it is looked at.
        self.watcher = threading.Thread(target=self._watch, daemon=True)
        self.watcher.start()

    def _watch(self):
        try:
            self.server.wait("streamed", self.mark, self.order)
            time.sleep(HOLD_MS / 2000)
            self.memory = private_kb(self.pid) / 1024
            self.cpu = reap(self.pid)
        except (RuntimeError, OSError) as error:
            self.error = error

    def finish(self):
        self.watcher.join()
        if self.error is not None:
            raise self.error
        return self


@bench("token-cpu", 1.5)
def _(bench_run):
    """Marginal CPU time of a token at 500 a second, from 2,000 to 20,000. The four streams of a sample run side by side:
    each is asleep nearly all the time, and what else the machine does is the same for all."""
    note(f"{SAMPLES} times 40 s at {RATE} tokens a second")
    for ours in (True, False):
        Stream(bench_run, 200, RATE, ours).finish()

    def take():
        streams = [Stream(bench_run, tokens, RATE, ours) for ours in (True, False) for tokens in (2000, 20000)]
        costs = [stream.finish().cpu for stream in streams]
        return (costs[1] - costs[0]) / 18000 * 1e6, (costs[3] - costs[2]) / 18000 * 1e6

    ours, floor, ratio = paired(take, warm=True)
    note(f"beckonctl {ours:.1f} µs a token, libsoup and json-glib {floor:.1f} µs")
    return ratio


@bench("run-memory", 6, "MB above the floor")
def _(bench_run):
    """Private memory at the end of 20,000 tokens. Each program runs alone: a page that two of them share is private to none."""
    ours, floor, _ = paired(lambda: tuple(Stream(bench_run, 20000, FAST_RATE, ours).finish().memory for ours in (True, False)))
    note(f"beckonctl {ours:.1f} MB, libsoup and json-glib {floor:.1f} MB")
    return ours - floor


@bench("token-linear", 1.1, "times the cost of a token in a shorter reply")
def _(bench_run):
    """Whether a token costs the same in 80,000 as in 8,000. Start-up is taken off both."""
    def take():
        short, long, start = (Stream(bench_run, tokens, FAST_RATE, True).finish().cpu for tokens in (8000, 80000, 1))
        return (long - start) / 80000 * 1e6, (short - start) / 8000 * 1e6

    long, short, ratio = paired(take)
    note(f"{long:.1f} µs a token in 80,000, {short:.1f} µs in 8,000, at {FAST_RATE} a second")
    return ratio


@bench("stream-200mb", 2, "times the CPU time of curl")
def _(bench_run):
    """A reply of 200 MB in chunks of 16 kB, as fast as it is taken: received, decoded and counted, or only received."""
    environment = bench_run.home("bulk")

    def cpu(*command):
        pid, _ = spawn(list(command), environment)
        return reap(pid)

    def take():
        order = bench_run.bulk_order(BULK_MB)
        ours = cpu(bench_run.program("tests/bench/provider-stream"), bench_run.server.url("v1"), order)
        order = bench_run.bulk_order(BULK_MB)
        return ours, cpu("curl", "-s", "-o", "/dev/null", "-d", "{}", bench_run.server.url(order))

    ours, floor, ratio = paired(take)
    note(f"our provider {ours:.2f} s, curl {floor:.2f} s of CPU for {BULK_MB} MB")
    return ratio


class Runs:
    """A process that runs agents, a group after the other."""

    def __init__(self, bench_run):
        self.bench_run = bench_run
        # It sets the model of its runs as a setting, which nobody keeps on a bus without dconf: the tour would answer.
        environment = dict(bench_run.home("runs"), GSETTINGS_BACKEND="memory")
        self.process = subprocess.Popen([bench_run.program("tests/bench/runs-many"), bench_run.server.url("v1")],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def begin(self, count, hold=0):
        self.order, self.mark, self.count = self.bench_run.stream_order(RUN_TOKENS, RUN_RATE, hold), self.bench_run.server.mark(), count
        self.process.stdin.write(f"run {count} {self.order}\n")
        self.process.stdin.flush()

    def finish(self):
        """The CPU time of the group, and how long each of its runs took."""
        cpu = self.process.stdout.readline().split()
        times = self.process.stdout.readline().split()
        return float(cpu[1]), [float(word) for word in times[1:]]

    def memory(self):
        return private_kb(self.process.pid)

    def run(self, count):
        self.begin(count)
        return self.finish()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def take_runs(bench_run):
    """A run, then a hundred at once, in turns; kept for the three figures that are made of it."""
    if not hasattr(bench_run, "runs"):
        runs = Runs(bench_run)
        runs.run(1)
        samples, memories = [], []
        before = runs.memory()
        for _ in range(3):
            alone = statistics.median(runs.run(1)[0] for _ in range(3))
            runs.begin(RUNS, HOLD_MS)
            bench_run.server.wait("streamed", runs.mark, runs.order, RUNS)
            time.sleep(HOLD_MS / 4000)
            memories.append((runs.memory() - before) / 1024 / RUNS)
            cpu, times = runs.finish()
            samples.append((cpu / alone, max(times) / statistics.median(times)))
            note(f"{RUNS} runs of {RUN_TOKENS} tokens at {RUN_RATE} a second: {cpu:.2f} s of CPU, one alone {alone:.4f} s; "
                 f"the median took {statistics.median(times):.2f} s, the last {max(times):.2f} s")
        runs.close()
        # What the first group left free the others use again: theirs would be too good.
        bench_run.runs = [*(statistics.median(column) for column in zip(*samples)), memories[0]]
    return bench_run.runs


@bench("runs-100-cpu", 110, "times the CPU time of one run")
def _(bench_run):
    return take_runs(bench_run)[0]


@bench("runs-100-memory", 1, "MB of private memory a run")
def _(bench_run):
    """At the end of all their replies, over what there was before."""
    return take_runs(bench_run)[2]


@bench("runs-100-last", 1.2, "times as long as the median run")
def _(bench_run):
    return take_runs(bench_run)[1]


history.register(bench, note)
landing.register(bench, note)
searching.register(bench, note)
markdown.register(bench, note)
@bench("policy-decision", 20, "µs with 1,000 rules")
def _(bench_run):
    """The cost of one decision, the dearest of four kinds of calls."""
    output = subprocess.run([bench_run.program("tests/bench/policy-decision")], capture_output=True, text=True, check=True,
                            timeout=DEADLINE).stdout
    costs = {name: float(cost) for name, cost in (line.split() for line in output.splitlines())}
    note(", ".join(f"{name} {cost:.1f} µs" for name, cost in costs.items()))
    return max(costs.values())


questions.register(bench, note, private_kb, ask_floor)


# Programs that measure themselves and print their own line.


def own_benches(build):
    return {path.name[len("bench-"):]: path for path in sorted((build / "tests/bench").glob("bench-*"))
            if path.is_file() and os.access(path, os.X_OK) and path.name != "bench-server"}


def report(name, value, unit, goal):
    verdict = "holds" if value <= goal else "falls short"
    print(f"bench {name} = {value:.2f} {unit}, goal <= {goal:g}: {verdict}", flush=True)
    return value <= goal


def main(build, names):
    own = own_benches(build)
    known = [*BENCHES, *own]
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no such bench: {' '.join(unknown)}; there are: {' '.join(known)}", file=sys.stderr)
        return 2
    os.environ.setdefault("BECKON_LIBEXECDIR", f"{build}/src/attach:{build}/src/sandbox")
    # A core file of a program under measurement would cost more than it tells.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bench_run = Bench(build)
    held = True
    try:
        for name in names or known:
            begin = time.monotonic()
            if name in own:
                done = subprocess.run([own[name]], env=bench_run.home(name), check=False)
                held = done.returncode == 0 and held
                note(f"{name} took {time.monotonic() - begin:.0f} s")
                continue
            goal, unit, function = BENCHES[name]
            try:
                held = report(name, function(bench_run), unit, goal) and held
            except (RuntimeError, OSError, ValueError, subprocess.SubprocessError) as error:
                note(f"{name}: {error}")
                held = False
            note(f"{name} took {time.monotonic() - begin:.0f} s")
    finally:
        bench_run.close()
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]))
