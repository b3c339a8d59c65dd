#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes of requests are known to themselves and to tables, and each rule can fail: test-requests.py SOURCE_ROOT."""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import requests  # noqa: E402
import tap  # noqa: E402

SOURCE = pathlib.Path(sys.argv[1]).resolve() / "src"


def expect_none(rule):
    broken = list(rule(SOURCE))
    assert not broken, "\n" + "\n".join(broken)


def expect_broken(rule, code, count, name="ui/beckon-a.c"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True)
        path.write_text(code)
        broken = list(rule(pathlib.Path(folder)))
        assert len(broken) == count, broken


def function(*lines):
    return "void\na (void)\n{\n" + "".join(f"  {line}\n" for line in lines) + "}\n\n"


@tap.case("/architecture/requests/no-switch-outside-of-classes")
def _():
    expect_none(requests.request_switches)


@tap.case("/architecture/requests/settlements-travel")
def _():
    expect_none(requests.settlements_built_again)


@tap.case("/architecture/requests/can-fail/switches")
def _():
    rule = requests.request_switches
    plan = "if (BECKON_IS_PLAN_REQUEST (r)) b ();"
    question = "if (BECKON_IS_QUESTION_REQUEST (r)) c ();"
    asked = "if (beckon_request_get_question (r) != NULL) c ();"
    expect_broken(rule, function(plan) + function(question), 0)
    expect_broken(rule, function(question, asked), 0)
    expect_broken(rule, function(plan, "else", question), 1)
    expect_broken(rule, function(plan, asked), 1)
    expect_broken(rule, function("if (G_OBJECT_TYPE (r) == BECKON_TYPE_OUTCOME_REQUEST) d ();", asked), 1)
    expect_broken(rule, function(plan, "/* and BECKON_IS_QUESTION_REQUEST (r) */"), 0)
    expect_broken(rule, "static const T t[] = { { BECKON_TYPE_PLAN_REQUEST, a }, { BECKON_TYPE_OUTCOME_REQUEST, b } };\n", 0)
    expect_broken(rule, function("write (beckon_request_get_kind_name (r));"), 0)
    expect_broken(rule, function('if (g_str_equal (beckon_request_get_kind_name (r), "plan")) b ();'), 1)


@tap.case("/architecture/requests/can-fail/settlements")
def _():
    rule = requests.settlements_built_again
    built = function("s = beckon_settlement_new (request, answer, name, actor, at);")
    expect_broken(rule, built, 1)
    expect_broken(rule, built, 0, "request/beckon-inbox-settle.c")
    expect_broken(rule, function("/* beckon_settlement_new () */"), 0)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
