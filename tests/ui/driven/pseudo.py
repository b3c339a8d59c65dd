# SPDX-License-Identifier: GPL-3.0-or-later
"""A language that nobody speaks: every text of ours in Hebrew letters, a third longer than it was, and so read from right to left.
What still stands in Latin letters then was never to be translated, or was forgotten."""

import re
import struct

LETTERS = "אבגדהוזחטיכלמנסעפצקרשת"
# What the program reads, and not the person.
KEPT = re.compile(r"%(?:\d+\$)?[-+ #0']*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z|j|t|q)?[a-zA-Z%]|%'?d|<[^<>]+>|&\w+;|\{\w*\}|https?://\S+|"
                  r"beckon(?:ctl)?\S*|\\.|[A-Z]{2,}")
DATES = ("%A", "%B", "%H:%M", "%e", "%Y", "%b")


def _letter(found):
    return LETTERS[(ord(found[0].lower()) - ord("a")) % len(LETTERS)]


def _text(text):
    """Longer by a third, as other languages are; no word is."""
    said = re.sub("[A-Za-z]", _letter, text)
    words = re.findall("[א-ת]+", said)
    more = words[:(len(words) + 1) // 3] if len("".join(words)) > 8 else []
    return " ".join([said.rstrip(), *more]) + said[len(said.rstrip()):]


def translate(text):
    if any(mark in text for mark in DATES) and not re.search("[a-z]{3}", text):
        return text
    parts, at = [], 0
    for kept in KEPT.finditer(text):
        parts += [_text(text[at:kept.start()]), kept[0]]
        at = kept.end()
    return "".join(parts + [_text(text[at:])])


def _read(path):
    """The strings of a compiled catalogue, each with its plural."""
    data = path.read_bytes()
    _, _, count, originals = struct.unpack("<4I", data[:16])
    for index in range(count):
        length, offset = struct.unpack("<2I", data[originals + 8 * index:originals + 8 * index + 8])
        yield data[offset:offset + length].decode()


def make(catalogue, path):
    """Writes the catalogue of the language, with the strings of another one's."""
    entries = {"": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"}
    for original in _read(catalogue):
        if original:
            forms = original.split("\x04")[-1].split("\0")
            entries[original] = "\0".join(map(translate, forms))
    originals = [text.encode() for text in sorted(entries, key=str.encode)]
    translations = [entries[text.decode()].encode() for text in originals]
    tables, texts, at = [], b"", 28 + 16 * len(originals)
    for strings in originals, translations:
        for text in strings:
            tables.append(struct.pack("<2I", len(text), at + len(texts)))
            texts += text + b"\0"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<7I", 0x950412de, 0, len(originals), 28, 28 + 8 * len(originals), 0, 0) + b"".join(tables) + texts)
