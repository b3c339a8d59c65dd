#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rooms of src/ keep their rules, and each rule can fail: test-rooms.py SOURCE_ROOT."""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import rooms  # noqa: E402
import tap  # noqa: E402

SOURCE = pathlib.Path(sys.argv[1]).resolve() / "src"
HEADER = rooms.LICENSE + "\n#pragma once\n"
C = rooms.LICENSE + "\n"


def expect_none(rule):
    broken = list(rule(SOURCE))
    assert not broken, "\n" + "\n".join(broken)


def broken_in(rule, files):
    """The lines of a made-up tree that break a rule."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return [line.replace(folder + "/", "") for line in rule(pathlib.Path(folder))]


def expect_broken(rule, files, count):
    broken = broken_in(rule, files)
    assert len(broken) == count, broken


@tap.case("/architecture/sources-are-there")
def _():
    assert len(rooms.sources(SOURCE)) > 20


@tap.case("/architecture/arrows-point-left")
def _():
    expect_none(rooms.broken_arrows)


@tap.case("/architecture/files-are-in-folders")
def _():
    expect_none(rooms.loose_files)


@tap.case("/architecture/libraries-stay-in-their-rooms")
def _():
    expect_none(rooms.misplaced_libraries)


@tap.case("/architecture/license-and-pragma-once")
def _():
    expect_none(rooms.bare_headers)


@tap.case("/architecture/files-are-neat")
def _():
    expect_none(rooms.ragged_files)


@tap.case("/architecture/comments-begin-with-their-subject")
def _():
    broken = [*rooms.empty_beginnings(SOURCE), *rooms.empty_beginnings(SOURCE.parent / "tests")]
    assert not broken, "\n" + "\n".join(broken)


@tap.case("/architecture/arrays-are-freed-whole")
def _():
    broken = [*rooms.half_freed_arrays(SOURCE), *rooms.half_freed_arrays(SOURCE.parent / "tests")]
    assert not broken, "\n" + "\n".join(broken)


@tap.case("/architecture/sentences-isolate-names")
def _():
    expect_none(rooms.bare_sentences)


@tap.case("/architecture/can-fail/arrows")
def _():
    left = {"base/beckon-a.h": HEADER, "agent/beckon-b.h": HEADER + '#include "base/beckon-a.h"\n#include "beckon-b.h"\n'}
    expect_broken(rooms.broken_arrows, left, 0)
    right = {"agent/beckon-b.h": HEADER, "base/beckon-a.c": C + '#include "agent/beckon-b.h"\n'}
    expect_broken(rooms.broken_arrows, right, 1)
    roundabout = {"agent/beckon-b.h": HEADER, "base/beckon-a.c": C + '  #  include "../agent/beckon-b.h"\n'}
    expect_broken(rooms.broken_arrows, roundabout, 1)
    angled = {"agent/beckon-b.h": HEADER, "base/beckon-a.c": C + "#include <agent/beckon-b.h>\n"}
    expect_broken(rooms.broken_arrows, angled, 1)
    neighbour = {"store/beckon-b.h": HEADER, "llm/beckon-a.c": C + '#include "store/beckon-b.h"\n'}
    expect_broken(rooms.broken_arrows, neighbour, 1)
    absent = {"base/beckon-a.c": C + '#include "ui/beckon-not-written-yet.h"\n'}
    expect_broken(rooms.broken_arrows, absent, 1)
    in_comment = {"agent/beckon-b.h": HEADER, "base/beckon-a.c": C + '/*\n#include "agent/beckon-b.h"\n*/\n'}
    expect_broken(rooms.broken_arrows, in_comment, 0)
    expect_broken(rooms.broken_arrows, {"attic/beckon-a.c": C}, 1)


@tap.case("/architecture/can-fail/folders")
def _():
    left = {"ui/widgets/beckon-a.h": HEADER, "ui/cards/beckon-b.h": HEADER + '#include "ui/widgets/beckon-a.h"\n'}
    expect_broken(rooms.broken_arrows, left, 0)
    right = {"ui/cards/beckon-b.h": HEADER, "ui/widgets/beckon-a.c": C + '#include "ui/cards/beckon-b.h"\n'}
    expect_broken(rooms.broken_arrows, right, 1)
    roundabout = {"ui/cards/beckon-b.h": HEADER, "ui/widgets/beckon-a.c": C + '#include "../cards/beckon-b.h"\n'}
    expect_broken(rooms.broken_arrows, roundabout, 1)
    neighbour = {"store/index/beckon-b.h": HEADER, "store/repair/beckon-a.c": C + '#include "store/index/beckon-b.h"\n'}
    expect_broken(rooms.broken_arrows, neighbour, 1)
    unknown = {"store/db/beckon-b.h": HEADER, "store/attic/beckon-a.c": C + '#include "store/db/beckon-b.h"\n'}
    expect_broken(rooms.broken_arrows, unknown, 1)
    expect_broken(rooms.loose_files, {"ui/beckon-a.c": C, "store/beckon-b.c": C, "ui/main.c": C, "base/beckon-c.c": C}, 2)


@tap.case("/architecture/can-fail/libraries")
def _():
    rule = rooms.misplaced_libraries
    expect_broken(rule, {"ui/a.c": C + "#include <gtk/gtk.h>\nvoid a (void) { gtk_init (); }\n"}, 0)
    expect_broken(rule, {"agent/a.c": C + "#include <gtk/gtk.h>\n"}, 1)
    expect_broken(rule, {"agent/a.c": C + "#include <adwaita.h>\n"}, 1)
    expect_broken(rule, {"cli/a.c": C + "void a (void) { gtk_init (); }\n"}, 1)
    expect_broken(rule, {"store/a.c": C + "#include <sqlite3.h>\n"}, 0)
    expect_broken(rule, {"runtime/a.c": C + "#include <sqlite3.h>\n"}, 1)
    for include in ("sqlite3.h", "libsoup/soup.h", "json-glib/json-glib.h", "sys/socket.h"):
        expect_broken(rule, {"ui/a.c": C + f"#include <{include}>\n"}, 1)
    expect_broken(rule, {"ui/a.c": C + "void a (void) { json_parser_new (); }\n"}, 1)
    expect_broken(rule, {"ui/a.c": C + '/* not json_parser_new () */ const char *a = "sqlite3_open (";\n'}, 0)


@tap.case("/architecture/can-fail/files")
def _():
    expect_broken(rooms.bare_headers, {"base/a.h": HEADER, "base/a.c": C}, 0)
    expect_broken(rooms.bare_headers, {"base/a.h": rooms.LICENSE + "\n", "base/a.c": "int a;\n"}, 2)
    expect_broken(rooms.bare_headers, {"base/a.c": ""}, 1)
    expect_broken(rooms.ragged_files, {"base/a.c": C + "int a;\n"}, 0)
    expect_broken(rooms.ragged_files, {"base/a.c": C + "/* %s */\n" % ("a" * 128)}, 1)
    expect_broken(rooms.ragged_files, {"base/a.c": C + "\tint a; \n/* FIXME */\n"}, 2)


@tap.case("/architecture/can-fail/arrays")
def _():
    expect_broken(rooms.half_freed_arrays, {"base/a.c": C + "  g_autofree char *one = two[3];\n  g_auto (GStrv) names = NULL;\n"}, 0)
    expect_broken(rooms.half_freed_arrays, {"base/a.c": C + "  g_autofree char *all[3] = { NULL };\n  g_auto (GStrv) both[2];\n"}, 2)


@tap.case("/architecture/can-fail/sentences")
def _():
    rule = rooms.bare_sentences
    expect_broken(rule, {"ui/a.c": C + 'char *a = g_strdup_printf (_("In (%s)"), f (")"));\n'}, 1)
    expect_broken(rule, {"base/a.c": C + 'g_set_error (e, A, B,\n  ngettext ("%u %1$s", "x", n), n, s);\n'}, 1)
    expect_broken(rule, {"ui/a.c": C + 'char *a = beckon_text_printf (_("In %s"), b), *c = g_strdup_printf ("%s", d);\n'}, 0)
    expect_broken(rule, {"ui/a.c": C + 'char *a = g_strdup_printf (_("%u times"), b);\n', "cli/a.c": C + 'p = g_strdup_printf (_("%s"), b);\n'}, 0)


@tap.case("/architecture/can-fail/comments")
def _():
    rule = rooms.empty_beginnings
    fine = '/* The one that is left. */ const char *a = "/* What */"; /* Once. */\n'
    expect_broken(rule, {"base/a.c": C + fine, "ui/widgets/a.c": C + "/* Ones and zeros. Nobody waits. */\n"}, 0)
    expect_broken(rule, {"base/a.c": C + "/* What is left. */\n/** One line. */\nint a; /* It's here */\n"}, 3)
    expect_broken(rule, {"ui/widgets/a.h": HEADER + "/**\n * Of a widget.\n */\n"}, 1)
    expect_broken(rule, {"base/a.py": '"""Once."""\n\ndef a():\n    """What is left."""\n    b = """What"""\n'}, 1)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
