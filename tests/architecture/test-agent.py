#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The room of the agent keeps its rules, and each rule can fail: test-agent.py SOURCE_ROOT."""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import agent  # noqa: E402
import tap  # noqa: E402

SOURCE = pathlib.Path(sys.argv[1]).resolve() / "src"


def expect_none(rule):
    broken = list(rule(SOURCE))
    assert not broken, "\n" + "\n".join(broken)


def expect_broken(rule, files, count):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / "agent" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        broken = list(rule(pathlib.Path(folder)))
    assert len(broken) == count, broken


@tap.case("/architecture/agent/no-circles")
def _():
    expect_none(agent.circles)


@tap.case("/architecture/agent/round-knows-no-run")
def _():
    graph = agent.arrows(SOURCE)
    seen, left = set(), ["beckon-round"]
    while left:
        module = left.pop()
        seen.add(module)
        left.extend(graph[module] - seen)
    assert "beckon-prompt-prefix" in seen and "beckon-tries" in seen, seen
    assert "beckon-run" not in seen and "beckon-agent" not in seen, seen


@tap.case("/architecture/agent/structures-are-closed")
def _():
    expect_none(agent.open_structures)
    expect_none(agent.missing_structures)


@tap.case("/architecture/agent/calls-know-no-run")
def _():
    graph = agent.arrows(SOURCE)
    seen, left = set(), ["beckon-call-steps", "beckon-turn", "beckon-call-stop", "beckon-call-recovery"]
    while left:
        module = left.pop()
        seen.add(module)
        left.extend(graph[module] - seen)
    assert "beckon-call-landing" in seen and "beckon-call-batch" in seen, seen
    assert not seen & {"beckon-run", "beckon-run-row", "beckon-agent"}, seen


@tap.case("/architecture/agent/phase-is-written-once")
def _():
    expect_none(agent.foreign_phase_writers)
    assert list(agent.phase_writers(SOURCE))


@tap.case("/architecture/agent/calls-start-in-one-place")
def _():
    expect_none(agent.calls_elsewhere)
    expect_none(agent.calls_nowhere)


@tap.case("/architecture/agent/can-fail")
def _():
    one_way = {"beckon-a.h": "", "beckon-b.h": '#include "beckon-a.h"\n', "beckon-run.c": '#include "agent/beckon-b.h"\n'}
    expect_broken(agent.circles, one_way, 0)
    expect_broken(agent.circles, one_way | {"beckon-a.c": '#include "beckon-b.h"\n'}, 1)
    expect_broken(agent.circles, {"beckon-agent-x.c": '#include "beckon-a.h"\n', "beckon-a.h": '#include "beckon-agent.h"\n',
                                  "beckon-agent.h": ""}, 1)
    expect_broken(agent.circles, {"beckon-run.c": '#include "beckon-run.h"\n', "beckon-run.h": ""}, 0)
    expect_broken(agent.open_structures, {"beckon-run.c": "struct _BeckonRun\n{\n  int a;\n};\n"}, 0)
    expect_broken(agent.open_structures, {"beckon-run.h": "typedef struct _BeckonRun BeckonRun;\nstruct _BeckonRun *run;\n"}, 0)
    expect_broken(agent.open_structures, {"beckon-run-x.h": "struct _BeckonRun\n{\n  int a;\n};\n"}, 1)
    expect_broken(agent.open_structures, {"beckon-run-x.h": "typedef struct {\n  int a;\n} BeckonTurn;\n"}, 1)
    expect_broken(agent.missing_structures, {"beckon-run.c": "struct _BeckonRun\n{\n  int a;\n};\n"}, len(agent.CLOSED) - 1)
    writes = "  record->phase = BECKON_RUN_FAILED;\n"
    expect_broken(agent.foreign_phase_writers, {"beckon-run-row.c": "set_phase (void)\n{\n" + writes}, 0)
    expect_broken(agent.foreign_phase_writers, {"beckon-run-row.c": "move (void)\n{\n" + writes}, 1)
    expect_broken(agent.foreign_phase_writers, {"beckon-run-x.c": "set_phase (void)\n{\n  f (&run->record->phase);\n"}, 1)
    expect_broken(agent.foreign_phase_writers, {"beckon-run-x.c": "  if (run->record->phase == BECKON_RUN_FAILED)\n"}, 0)
    expect_broken(agent.calls_elsewhere, {"beckon-tool-executor.c": "  beckon_tool_run_async (tool);\n"}, 0)
    expect_broken(agent.calls_elsewhere, {"beckon-run-x.c": "  beckon_tool_run_async (tool);\n  executor->begin (run);\n"}, 2)
    expect_broken(agent.calls_elsewhere, {"beckon-run-x.c": "  if (beckon_tool_check (tool, &context, NULL))\n"}, 1)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
