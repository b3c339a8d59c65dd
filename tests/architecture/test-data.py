#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations are whole and data files are valid, and the checks can fail: test-data.py SOURCE_ROOT BUILD_ROOT."""

import json
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import data_files  # noqa: E402
import tap  # noqa: E402

ROOT = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
APPLICATION = "io.github.beckon.Beckon"


def expect_none(broken):
    broken = list(broken)
    assert not broken, "\n" + "\n".join(broken)


def scratch():
    return tempfile.TemporaryDirectory()


def tool(name):
    if shutil.which(name) is None:
        raise tap.Skip(f"{name} is not installed")
    return name


def expect_valid(*command):
    tool(command[0])
    status, output = data_files.run(*command)
    assert status == 0, output


def built(name):
    path = BUILD / "data" / name
    assert path.is_file(), f"{path} was not built"
    return str(path)


@tap.case("/data/potfiles-is-complete")
def _():
    expect_none(data_files.unlisted(ROOT))


@tap.case("/data/translations-are-complete")
def _():
    tool("xgettext")
    languages = (ROOT / "po/LINGUAS").read_text().split()
    assert "zh_CN" in languages
    with scratch() as folder:
        pot = pathlib.Path(folder) / "all.pot"
        data_files.extract(ROOT, pot)
        for language in languages:
            expect_none(data_files.incomplete(ROOT / f"po/{language}.po", pot, pathlib.Path(folder)))


@tap.case("/data/translations-use-one-word-for-one-thing")
def _():
    tool("msgattrib")
    for path in sorted((ROOT / "po").glob("*.po")):
        expect_none(data_files.wrong_terms(path))


@tap.case("/data/shortcuts-are-shown")
def _():
    expect_none(data_files.shortcuts_astray(ROOT))


@tap.case("/data/templates-are-well-formed")
def _():
    tool("xmllint")
    paths = sorted((ROOT / "data").rglob("*.ui")) + sorted((ROOT / "data").rglob("*.xml*"))
    assert paths
    expect_none(data_files.malformed(paths))


@tap.case("/data/desktop-file")
def _():
    expect_valid("desktop-file-validate", built(APPLICATION + ".desktop"))


@tap.case("/data/metainfo")
def _():
    status, output = data_files.run(tool("appstreamcli"), "validate", "--no-net", "--pedantic", "--explain",
                                    built(APPLICATION + ".metainfo.xml"))
    # The id has capitals, like those of all GNOME applications; before 1.0 AppStream knew no <developer>.
    remarks = re.findall(r"^[A-Z]: \S+: (.*)$", output, re.MULTILINE)
    expected = ("cid-contains-uppercase-letter ", "unknown-tag developer")
    assert status == 0 and all(remark.startswith(expected) for remark in remarks), output


@tap.case("/data/settings-schema")
def _():
    with scratch() as folder:
        for path in list((ROOT / "data").glob("*.gschema.xml")) + list((BUILD / "data").glob("*.gschema.xml")):
            shutil.copy(path, folder)
        assert list(pathlib.Path(folder).iterdir()), "there is no schema"
        expect_valid("glib-compile-schemas", "--strict", "--dry-run", folder)


@tap.case("/data/bus-service")
def _():
    for name in (APPLICATION, APPLICATION + ".Questions"):
        lines = pathlib.Path(built(name + ".service")).read_text().splitlines()
        assert lines[0] == "[D-BUS Service]", lines
        assert f"Name={name}" in lines, lines
        assert any(line.startswith("Exec=/") and line.endswith("--gapplication-service") for line in lines), lines


@tap.case("/data/questions-schema")
def _():
    schema = json.loads((ROOT / f"data/{APPLICATION}.Questions1.schema.json").read_text())
    assert set(schema["$defs"]) >= {"request", "answer", "run"}
    refs = re.findall(r"\"\$ref\": \"#/\$defs/(\w+)\"", json.dumps(schema))
    assert refs and set(refs) <= set(schema["$defs"]), refs


@tap.case("/data/can-fail/potfiles")
def _():
    with scratch() as folder:
        root = pathlib.Path(folder)
        for name in ("po", "src/ui", "data/ui"):
            (root / name).mkdir(parents=True)
        (root / "src/ui/a.c").write_text('char *a = _("text");\n')
        (root / "src/ui/b.c").write_text('/* _("text") */ int b = c_ (1);\n')
        (root / "data/ui/c.ui").write_text('<property name="label" translatable="yes">text</property>\n')
        (root / "po/POTFILES.in").write_text("data/ui/c.ui\nsrc/ui/a.c\n")
        expect_none(data_files.unlisted(root))
        (root / "po/POTFILES.in").write_text("src/ui/gone.c\n")
        assert len(list(data_files.unlisted(root))) == 3
        (root / "po/POTFILES.in").write_text("src/ui/a.c\ndata/ui/c.ui\n")
        assert list(data_files.unlisted(root)) == ["po/POTFILES.in is not sorted"]


@tap.case("/data/can-fail/translations")
def _():
    tool("xgettext")
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: zh_CN\\n"\n\n'
    with scratch() as folder:
        root = pathlib.Path(folder)
        for name in ("po", "src"):
            (root / name).mkdir()
        (root / "src/a.c").write_text('char *a = _("text"), *b = _("%d files");\n')
        (root / "po/POTFILES.in").write_text("src/a.c\n")
        data_files.extract(root, root / "a.pot")

        def lacking(body):
            (root / "zh_CN.po").write_text(head + body)
            return list(data_files.incomplete(root / "zh_CN.po", root / "a.pot", root))

        whole = 'msgid "text"\nmsgstr "a"\n\n#, c-format\nmsgid "%d files"\nmsgstr "%d"\n'
        assert lacking(whole) == []
        assert len(lacking('msgid "text"\nmsgstr "a"\n')) == 1
        assert len(lacking("#, fuzzy\n" + whole)) == 1
        assert lacking(whole.replace('msgstr "%d"', 'msgstr "%s"'))


@tap.case("/data/can-fail/terms")
def _():
    tool("msgattrib")
    with scratch() as folder:
        path = pathlib.Path(folder) / "zh_CN.po"
        head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        path.write_text(head + 'msgid "You"\nmsgstr "你"\n')
        expect_none(data_files.wrong_terms(path))
        path.write_text(head + 'msgid "You"\nmsgstr "您"\n\nmsgid "Done"\nmsgstr "好了！"\n')
        assert len(list(data_files.wrong_terms(path))) == 2


@tap.case("/data/can-fail/templates")
def _():
    tool("xmllint")
    with scratch() as folder:
        path = pathlib.Path(folder) / "a.ui"
        path.write_text("<interface/>")
        expect_none(data_files.malformed([path]))
        path.write_text("<interface>")
        assert list(data_files.malformed([path]))


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[3:]))
