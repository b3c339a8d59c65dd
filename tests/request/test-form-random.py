#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random forms of the allowed kind, judged by us and by another validator: test-form-random.py FORM_JUDGE."""

import json
import os
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support")]

import tap  # noqa: E402

JUDGE = sys.argv[1]
SCHEMAS = 500
ANSWERS = 8
WORDS = ["", " ", "a", "Ada", "ä😀", "two words", "a@b.example", "nobody", "2026-02-28", "2026-02-30", "x" * 40, "12"]
OPTIONS = ["red", "green", "blue", "a b", "é"]


def make_string(rng):
    schema = {"type": "string"}
    kind = rng.randrange(6)
    if kind == 0:
        schema["format"] = rng.choice(["email", "date"])
    elif kind == 1:
        schema["minLength"] = rng.randrange(4)
        schema["maxLength"] = schema["minLength"] + rng.randrange(30)
    elif kind == 2:
        schema["pattern"] = rng.choice(["^[a-z]+$", "a", "^.{2,5}$"])
    elif kind == 3:
        schema["enum"] = rng.sample(OPTIONS, rng.randrange(1, 5))
    elif kind == 4:
        schema["oneOf"] = [{"const": word, "title": word.upper()} for word in rng.sample(OPTIONS, rng.randrange(1, 5))]
    return schema


def make_number(rng):
    schema = {"type": rng.choice(["number", "integer"])}
    if rng.random() < 0.5:
        schema["minimum"] = rng.randrange(-5, 5)
    if rng.random() < 0.5:
        schema["maximum"] = rng.randrange(0, 20) + rng.choice([0, 0.5])
    return schema


def make_several(rng):
    words = rng.sample(OPTIONS, rng.randrange(1, 5))
    items = {"type": "string", "enum": words} if rng.random() < 0.5 else {"anyOf": [{"const": w, "title": w} for w in words]}
    schema = {"type": "array", "items": items}
    if rng.random() < 0.4:
        schema["minItems"] = rng.randrange(3)
    if rng.random() < 0.4:
        schema["maxItems"] = rng.randrange(1, 4)
    return schema


def make_field(rng):
    schema = rng.choice([make_string, make_string, make_number, make_several, lambda _: {"type": "boolean"}])(rng)
    if rng.random() < 0.3:
        schema["title"] = rng.choice(["A title", "Title \u202e", "标题"])
    if rng.random() < 0.3:
        schema["default"] = make_value(rng, schema)
    return schema


def make_value(rng, schema):
    if rng.random() < 0.1:
        return rng.choice([None, 1, "1", True, [], {}, "red", ["red"]])
    if "enum" in schema or "oneOf" in schema:
        return rng.choice(OPTIONS)
    if schema["type"] == "string":
        return rng.choice(WORDS)
    if schema["type"] == "boolean":
        return rng.random() < 0.5
    if schema["type"] == "array":
        # A form gives what is picked in the order of the schema.
        items = schema["items"]
        order = items["enum"] if "enum" in items else [choice["const"] for choice in items["anyOf"]]
        return sorted(rng.sample(OPTIONS, rng.randrange(4)), key=lambda word: order.index(word) if word in order else len(order))
    return rng.choice([rng.randrange(-8, 22), rng.randrange(-8, 22), 1.5, 3.0, 10**20, -0.25])


def make_form(rng):
    properties = {f"f{i}": make_field(rng) for i in range(rng.randrange(7))}
    required = [name for name in properties if rng.random() < 0.5]
    return {"type": "object", "properties": properties, "required": required}


def make_content(rng, schema):
    names = [name for name in schema["properties"] if name in schema["required"] or rng.random() < 0.6]
    if names and rng.random() < 0.1:
        names.remove(rng.choice(names))
    content = {name: make_value(rng, schema["properties"][name]) for name in names}
    if rng.random() < 0.05:
        content["stranger"] = 1
    return content


def is_blank(schema, value):
    """Required fields are refused when they are empty, whatever the schema says: servers were seen to take that."""
    if schema["type"] == "array":
        return value == []
    return schema["type"] == "string" and "enum" not in schema and "oneOf" not in schema and isinstance(value, str) and not value.strip()


@tap.case("/form-random/agrees")
def _():
    try:
        import jsonschema
    except ImportError:
        raise tap.Skip("python has no jsonschema") from None
    seed = int(os.environ.get("BECKON_SEED", random.randrange(2**32)))
    print(f"# BECKON_SEED={seed}")
    rng = random.Random(seed)
    cases = []
    for _ in range(SCHEMAS):
        schema = make_form(rng)
        strict = {**schema, "additionalProperties": False}
        validator = jsonschema.Draft202012Validator(strict, format_checker=jsonschema.FormatChecker(["email", "date"]))
        for _ in range(ANSWERS):
            content = make_content(rng, schema)
            blank = any(name in content and is_blank(schema["properties"][name], content[name]) for name in schema["required"])
            cases.append((schema, content, validator.is_valid(content) and not blank))
    lines = "".join(json.dumps({"params": {"message": "m", "requestedSchema": schema}, "content": content}) + "\n"
                    for schema, content, _ in cases)
    said = subprocess.run([JUDGE], input=lines, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    assert len(said) == 2 * len(cases), len(said)
    wrong = []
    for (schema, content, good), verdict, form in zip(cases, said[::2], said[1::2]):
        blank = any(isinstance(value, str) and not value.strip() for value in content.values())
        if (verdict == "good") != good or (form == "other" and not blank):
            wrong.append((verdict, form, good, schema, content))
    counted = sum(good for _, _, good in cases)
    print(f"# {len(cases)} answers, {counted} of them good")
    assert counted > len(cases) // 20, "hardly any of the answers is good"
    assert not wrong, "\n".join(json.dumps(case, ensure_ascii=False) for case in wrong[:5]) + f"\n{len(wrong)} of {len(cases)}"


sys.exit(tap.main(sys.argv[2:]))
