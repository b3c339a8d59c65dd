# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of pending questions, and how fast answers over D-Bus come through. A host without a window serves the bus; a
caller, another program, knows nothing but the published interface."""

import os
import pathlib
import shutil
import statistics
import subprocess
import time

PENDING = 200
AT_ONCE = 50
LISTED = 1_000
GROUP = 20
SAMPLES = 5
REST_S = 5
DEADLINE = 120
ROUNDS = 11
# As between the questions of answer-latency, whose floor this shares.
PAUSE = 0.4


class Program:
    """A program that takes a line and says a line."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        if not words:
            raise RuntimeError(f"{self.process.args[0]} is gone")
        return words

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Asking:
    """A host with an empty history, and a caller; `with` ends both."""

    def __init__(self, bench_run):
        self.bench_run, self.server = bench_run, bench_run.server
        self.pending = 0

    def __enter__(self):
        # Its profile is chosen as a setting, and nobody keeps settings on a private bus.
        home = dict(self.bench_run.home("questions"), GSETTINGS_BACKEND="memory")
        shutil.rmtree(home["XDG_DATA_HOME"])
        os.mkdir(home["XDG_DATA_HOME"])
        self.host = Program([self.bench_run.program("tests/bench/questions-host"), self.server.url("v1")], home)
        self.caller = Program([self.bench_run.program("tests/bench/questions-caller")], home)
        return self

    def __exit__(self, *_):
        self.caller.close()
        self.host.close()

    @property
    def pid(self):
        return self.host.process.pid

    def ask(self, conversations, order, each=1):
        self.pending += conversations * each
        self.host.tell(f"send {conversations} {self.pending} {order}")

    def list(self, count):
        """Lists until there are so many; returns how long the last time took, in ms."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            words = self.caller.tell("list")
            if int(words[1]) == count:
                return int(words[2]) / 1000
            time.sleep(0.01)
        raise RuntimeError(f"there are {words[1]} pending, not {count}")

    def reply(self, order, count):
        """Answers all that were listed; returns how long it took until the last request began, in µs, and its size."""
        mark = self.server.mark()
        begin = int(self.caller.tell("reply")[1])
        self.server.wait("request", mark, order, count)
        requests = [words for words in self.server.lines[mark:] if words[0] == "request" and words[-1] == order]
        self.pending -= count
        return max(int(words[1]) for words in requests) - begin, requests[-1][2]


def cpu_ms(pid):
    """The processor time of every thread of it, to the nanosecond."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()) / 1e6


def questions_memory(bench_run, note, private_kb):
    with Asking(bench_run) as asking:
        asking.ask(GROUP, bench_run.ask_order(1))
        before = private_kb(asking.pid)
        asking.ask(PENDING, bench_run.ask_order(1))
        after = private_kb(asking.pid)
    note(f"{before / 1024:.1f} MB with {GROUP} conversations that wait, {after / 1024:.1f} MB with {PENDING} more")
    return (after - before) / PENDING


def questions_cpu(bench_run, note):
    with Asking(bench_run) as asking:
        asking.ask(PENDING, bench_run.ask_order(1))
        # What their coming set off is over.
        time.sleep(REST_S)
        before = cpu_ms(asking.pid)
        time.sleep(REST_S)
        used = cpu_ms(asking.pid) - before
    note(f"{used:.2f} ms of CPU in {REST_S} s, {PENDING} conversations waiting")
    return used / REST_S


def questions_list(bench_run, note):
    with Asking(bench_run) as asking:
        for _ in range(LISTED // GROUP // 10):
            asking.ask(10, bench_run.group_order(GROUP), GROUP)
        times = [asking.list(LISTED) for _ in range(SAMPLES + 1)][1:]
    note(f"{LISTED:,} in {LISTED // GROUP} conversations: {min(times):.1f} to {max(times):.1f} ms")
    return statistics.median(times)


def answers_at_once(bench_run, note):
    times = []
    with Asking(bench_run) as asking:
        for _ in range(SAMPLES + 1):
            order = bench_run.ask_order(1)
            asking.ask(AT_ONCE, order)
            asking.list(AT_ONCE)
            time.sleep(PAUSE)
            times.append(asking.reply(order, AT_ONCE)[0] / 1000)
            asking.list(0)
    times = times[1:]
    note(f"{AT_ONCE} conversations answered over D-Bus at once, the last request: {min(times):.0f} to {max(times):.0f} ms")
    return statistics.median(times)


def answer_in_turn(bench_run, asking, floor=None):
    """Answers a conversation of questions, and the floor's beside it; returns the pairs in ms and the requests' sizes."""
    order, pairs = bench_run.ask_order(ROUNDS), []
    mark = asking.server.mark()
    asking.ask(1, order)
    sizes = [asking.server.wait("request", mark, order)[2]]
    for count in range(ROUNDS):
        asking.list(1)
        time.sleep(PAUSE if floor else 0)
        ours, size = asking.reply(order, 1)
        asking.pending = 0
        sizes.append(size)
        if floor:
            time.sleep(PAUSE)
            pair = ours / 1000, floor.answer()[0] / 1000
            # The first answer of a process is its warm-up.
            if count > 0:
                pairs.append(pair)
    asking.list(0)
    return pairs, sizes


def answer_dbus(bench_run, note, ask_floor):
    times = []
    with Asking(bench_run) as asking:
        sizes = answer_in_turn(bench_run, asking)[1]
        for _ in range(SAMPLES):
            floor = ask_floor(bench_run, sizes)
            times += answer_in_turn(bench_run, asking, floor)[0]
            floor.terminal.close()
    ours, floor_time = (statistics.median(pair[which] for pair in times) for which in (0, 1))
    note(f"Reply over D-Bus {ours:.2f} ms, one commit and one POST {floor_time:.2f} ms, {len(times)} answers each")
    return ours / floor_time


def register(bench, note, private_kb, ask_floor):
    @bench("questions-memory", 50, "kB a pending question")
    def _(bench_run):
        return questions_memory(bench_run, note, private_kb)

    @bench("questions-cpu", 1, "ms of CPU a second while 200 wait")
    def _(bench_run):
        return questions_cpu(bench_run, note)

    @bench("questions-list", 50, "ms for 1,000 over D-Bus")
    def _(bench_run):
        return questions_list(bench_run, note)

    @bench("answer-dbus", 2)
    def _(bench_run):
        """Reply over D-Bus, which returns when the answer is on the disk, to the first byte of the request that carries it."""
        return answer_dbus(bench_run, note, ask_floor)

    @bench("answers-at-once", 100, "ms until the last of 50 goes on")
    def _(bench_run):
        return answers_at_once(bench_run, note)
