#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes HTML's named characters as C: all names and what they mean, sorted, one behind the other, and where each begins."""

import html.entities
import sys

names = sorted((name[:-1], text) for name, text in html.entities.html5.items() if name.endswith(";"))
place = 0
places = []
lines = []
for name, text in names:
    places.append(place)
    escaped = "".join(f"\\{byte:03o}" for byte in text.encode())
    lines.append(f'  "{name}\\0" "{escaped}\\0"')
    place += len(name) + len(text.encode()) + 2

with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write("/* Made by make-entities.py. */\n#pragma once\n\n#include <glib.h>\n\nstatic const char entity_texts[] =\n")
    out.write("\n".join(lines) + ";\n\nstatic const guint16 entity_places[] = {\n")
    out.write("".join(f"  {place},\n" for place in places) + "};\n")
