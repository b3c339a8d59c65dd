#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""No room grows unseen: test-size.py SOURCE_ROOT holds src against size.ini."""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import size  # noqa: E402
import tap  # noqa: E402

SOURCE = pathlib.Path(sys.argv[1]).resolve() / "src"


@tap.case("/architecture/size")
def _():
    broken = list(size.grown(size.measure(SOURCE), size.read(HERE / "size.ini")))
    assert not broken, "\n" + "\n".join(broken)


@tap.case("/architecture/size/can-fail")
def _():
    with tempfile.TemporaryDirectory() as folder:
        room = pathlib.Path(folder) / "base"
        room.mkdir()
        (room / "a.c").write_text('/* One\n * comment. */\nvoid\na (void)\n{\n  b ("/* no comment */");\n}\n\nint x;\n')
        (room / "a.h").write_text("void a (void);\n")
        sizes = size.measure(pathlib.Path(folder))
        assert sizes == {"base": (7, 1)}, sizes
        assert not list(size.grown(sizes, {"base": (7, 1)}))
        assert len(list(size.grown(sizes, {"base": (6, 1)}))) == 1
        assert len(list(size.grown(sizes, {"base": (7, 0)}))) == 1
        assert len(list(size.grown(sizes, {"other": (9, 9)}))) == 2


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[2:]))
