#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the types of all templates for test-ui-templates.c, so that none can be forgotten: template-types.py GRESOURCE > HEADER"""

import pathlib
import re
import sys


def main(resources):
    resources = pathlib.Path(resources)
    names = []
    for file in re.findall(r"<file>(ui/[a-z-]+\.ui)</file>", resources.read_text(encoding="utf-8")):
        names += re.findall(r'<template class="(\w+)"', (resources.parent / file).read_text(encoding="utf-8"))
    functions = [re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower() + "_get_type" for name in sorted(names)]
    print("/* Generated from data/ui. */")
    print("#include <glib-object.h>")
    for function in functions:
        print(f"GType {function} (void);")
    print("static GType (*const template_types[]) (void) = {")
    for function in functions:
        print(f"  {function},")
    print("};")


if __name__ == "__main__":
    main(sys.argv[1])
