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


@tap.case("/architecture/agent/no-host-tables")
def _():
    expect_none(agent.host_tables)


@tap.case("/architecture/agent/structures-are-closed")
def _():
    expect_none(agent.open_structures)
    expect_none(agent.missing_structures)


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
    table = "typedef struct\n{\n  void (*step) (gpointer run);\n  void (*fail) (gpointer run,\n                const char *detail);\n} "
    expect_broken(agent.host_tables, {"beckon-run-x.h": table + "BeckonRunHost;\n"}, 2)
    expect_broken(agent.host_tables, {"beckon-run-x.h": table + "BeckonCallExecutor;\n"}, 0)
    expect_broken(agent.host_tables, {"beckon-run-x.c": table.replace("typedef struct", "struct _BeckonRunX") + ";\n"}, 2)
    expect_broken(agent.host_tables, {"beckon-hook.h": table.replace("typedef struct", "struct _BeckonHookInterface") + ";\n"}, 0)
    expect_broken(agent.host_tables, {"beckon-run-x.h": "typedef void (*BeckonWritten) (gpointer run);\n"}, 0)
    expect_broken(agent.open_structures, {"beckon-run.c": "struct _BeckonRun\n{\n  int a;\n};\n"}, 0)
    expect_broken(agent.open_structures, {"beckon-run.h": "typedef struct _BeckonRun BeckonRun;\nstruct _BeckonRun *run;\n"}, 0)
    expect_broken(agent.open_structures, {"beckon-run-x.h": "struct _BeckonRun\n{\n  int a;\n};\n"}, 1)
    expect_broken(agent.open_structures, {"beckon-run-x.h": "typedef struct {\n  int a;\n} BeckonTurn;\n"}, 1)
    expect_broken(agent.missing_structures, {"beckon-run.c": "struct _BeckonRun\n{\n  int a;\n};\n"}, len(agent.CLOSED) - 1)
    writes = "  record->phase = BECKON_RUN_FAILED;\n"
    expect_broken(agent.foreign_phase_writers, {"beckon-run.c": "run_set_phase (void)\n{\n" + writes}, 0)
    expect_broken(agent.foreign_phase_writers, {"beckon-run.c": "move (void)\n{\n" + writes}, 1)
    expect_broken(agent.foreign_phase_writers, {"beckon-run-x.c": "set_phase (void)\n{\n  f (&run->record->phase);\n"}, 1)
    expect_broken(agent.foreign_phase_writers, {"beckon-run-x.c": "  if (run->record->phase == BECKON_RUN_FAILED)\n"}, 0)
    expect_broken(agent.calls_elsewhere, {"beckon-tool-executor.c": "  beckon_tool_run_async (tool);\n"}, 0)
    expect_broken(agent.calls_elsewhere, {"beckon-run-x.c": "  beckon_tool_run_async (tool);\n  executor->begin (run);\n"}, 2)
    expect_broken(agent.calls_elsewhere, {"beckon-run-x.c": "  if (beckon_tool_check (tool, &context, NULL))\n"}, 1)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
