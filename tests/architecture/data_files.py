# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of translations and installed data, as functions that return the lines that break them."""

import re
import subprocess

# A call with a text to translate, or a property, element or key that says so.
TRANSLATABLE = {
    ".c": re.compile(r"\b(_|N_|C_|NC_|Q_|ngettext|g_dgettext|g_dngettext|g_dpgettext2?) ?\("),
    ".h": re.compile(r"\b(_|N_|C_|NC_|Q_|ngettext) ?\("),
    ".ui": re.compile(r'\btranslatable="(yes|true|1)"'),
    ".desktop.in": re.compile(r"^Name=", re.MULTILINE),
    ".metainfo.xml.in": re.compile(r"<summary>"),
    ".gschema.xml": re.compile(r"<summary>"),
    ".gschema.xml.in": re.compile(r"<summary>"),
}
# A macro's own definition and comments hide words from the pattern.
NOT_CODE = re.compile(r"/\*.*?\*/|^\s*#\s*define[^\n]*|<!--.*?-->", re.DOTALL | re.MULTILINE)


def run(*command, cwd=None):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout.strip()


def listed(root):
    lines = (root / "po/POTFILES.in").read_text().splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def has_texts(path):
    for suffix, pattern in TRANSLATABLE.items():
        if path.name.endswith(suffix) and pattern.search(NOT_CODE.sub("", path.read_text())):
            return True
    return False


def unlisted(root):
    """Files with texts that POTFILES.in leaves out, lines of it that name nothing, and disorder."""
    names = listed(root)
    files = [path for folder in ("src", "data") for path in sorted((root / folder).rglob("*")) if path.is_file()]
    for path in files:
        name = str(path.relative_to(root))
        if name not in names and has_texts(path):
            yield f"po/POTFILES.in lacks {name}"
    for name in names:
        if not (root / name).is_file():
            yield f"po/POTFILES.in names {name}, which is not there"
    if names != sorted(names):
        yield "po/POTFILES.in is not sorted"
    if len(names) != len(set(names)):
        yield "po/POTFILES.in names a file twice"


def extract(root, pot):
    """Writes a template of all texts there are now."""
    status, output = run("xgettext", "--from-code=UTF-8", "--directory", str(root), "--files-from", str(root / "po/POTFILES.in"),
                         "--package-name=beckon", "--output", str(pot), "--keyword=_", "--keyword=N_", "--keyword=C_:1c,2",
                         "--keyword=NC_:1c,2", "--keyword=g_dcgettext:2", "--keyword=g_dngettext:2,3",
                         "--keyword=g_dpgettext2:2c,3", "--flag=g_strdup_printf:1:c-format",
                         "--flag=g_set_error:4:c-format", "--flag=g_dngettext:2:pass-c-format")
    assert status == 0, output
    assert "warning" not in output, output


def incomplete(po, pot, scratch):
    """The faults of a translation against a template: untranslated, fuzzy, and what msgfmt refuses."""
    merged = scratch / "merged.po"
    status, output = run("msgmerge", "--quiet", "--no-fuzzy-matching", "--output-file", str(merged), str(po), str(pot))
    if status != 0:
        yield output
        return
    for path in (po, merged):
        status, output = run("msgfmt", "--check", "--output-file=/dev/null", str(path))
        if status != 0:
            yield output
    for flag in ("--untranslated", "--only-fuzzy"):
        _, output = run("msgattrib", "--no-obsolete", flag, str(merged))
        for text in re.findall(r'^msgid ((?:".*"\n?)+)', output, re.MULTILINE):
            if text.strip() != '""':
                yield f"{po.name}: {flag.strip('-')}: {text.strip()}"


# A thing has one name: the word that is used, and those that were once used beside it.
TERMS = {"zh_CN": {"你": ["您"], "Agent": ["智能体"], "撤销": ["撤消"], "沙盒": ["沙箱"], "提供商": ["服务商", "供应商", "提供方"], "词元": ["令牌数"]}}


def wrong_terms(po):
    """Translated texts that name a thing otherwise than the others do, or raise their voice."""
    _, output = run("msgattrib", "--no-obsolete", "--no-wrap", str(po))
    for said, text in re.findall(r'^msgid (".*")\n(?:msgid_plural .*\n)?msgstr(?:\[0\])? (".*")$', output, re.MULTILINE):
        if ";" in said:
            continue  # search terms of the desktop file name things in every way
        for term, others in TERMS.get(po.stem, {}).items():
            for other in others:
                if other in text:
                    yield f"{po.name}: “{other}” is “{term}” elsewhere: {text}"
        if "！" in text or "!" in text.replace("!=", ""):
            yield f"{po.name}: an exclamation mark: {text}"


def malformed(paths):
    for path in paths:
        status, output = run("xmllint", "--noout", "--nonet", str(path))
        if status != 0:
            yield output


def shortcuts_astray(root):
    """Actions with keys that the shortcuts window leaves out, and those it names that have none."""
    source = (root / "src/ui/application/beckon-application.c").read_text()
    keyed = set(re.findall(r'\{ "([a-z.-]+)", \{ "[^}]+ \} \}', source))
    shown = set(re.findall(r'<property name="shown-action">([^<]+)</property>', (root / "data/ui/shortcuts.ui").read_text()))
    if len(keyed) < 10:
        yield "the keys of the actions were not found"
    for action in sorted(keyed - shown):
        yield f"data/ui/shortcuts.ui lacks {action}"
    for action in sorted(shown - keyed):
        yield f"data/ui/shortcuts.ui has {action}, which has no keys"
