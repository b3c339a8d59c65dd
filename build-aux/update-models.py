#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates data/models.json from the providers' own lists: update-models.py [--list PROVIDER=FILE]... [TABLE]

Anthropic, Gemini, Mistral and Moonshot are asked where their key is in the environment, OpenRouter (for prices and sight) and
models.dev (for who reads PDFs) always; with --list their answers are read from files and nobody is asked. Entries keep their patterns and their order, a model
without an entry is named, and a person decides on it."""

import argparse
import datetime
import fnmatch
import json
import os
import pathlib
import urllib.request

PROVIDERS = {
    "anthropic": ("https://api.anthropic.com/v1/models?limit=1000", "ANTHROPIC_API_KEY", "x-api-key"),
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000", "GEMINI_API_KEY", "x-goog-api-key"),
    "mistral": ("https://api.mistral.ai/v1/models", "MISTRAL_API_KEY", "Authorization"),
    "moonshot": ("https://api.moonshot.cn/v1/models", "MOONSHOT_API_KEY", "Authorization"),
    "models.dev": ("https://models.dev/api.json", None, None),
    "openrouter": ("https://openrouter.ai/api/v1/models", None, None),
}
LEVELS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
COUNTS = {"context": ("max_input_tokens", "inputTokenLimit", "max_context_length", "context_length"),
          "output": ("max_tokens", "outputTokenLimit")}


def fetch(provider):
    url, variable, header = PROVIDERS[provider]
    key = os.environ.get(variable) if variable else None
    if variable and not key:
        return None
    headers = {"anthropic-version": "2023-06-01"} if provider == "anthropic" else {}
    if header:
        headers[header] = f"Bearer {key}" if header == "Authorization" else key
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as answer:
        return json.load(answer)


def per_million(pricing, name):
    price = float(pricing.get(name, -1))
    return round(price * 1e6, 6) if price >= 0 else None


def read_facts(provider, model):
    """Reads the facts of a model in a list, as an entry has them. A gateway's window may be another than the maker's."""
    facts = {}
    if provider == "openrouter":
        pricing = model.get("pricing", {})
        prices = [per_million(pricing, name) for name in ("prompt", "input_cache_read", "completion")]
        if prices[0] and prices[2]:
            facts["prices"] = prices
        inputs = model.get("architecture", {}).get("input_modalities")
        return facts | ({"vision": "image" in inputs} if inputs else {})
    if provider == "models.dev":
        facts = {"pdf": "pdf" in model["modalities"]["input"]} if "modalities" in model else {}
        return facts | ({"temperature": False} if model.get("temperature") is False else {})
    for member, names in COUNTS.items():
        facts |= next(({member: model[name]} for name in names if model.get(name)), {})
    abilities = model.get("capabilities") or {}
    if "image_input" in abilities:
        facts["vision"] = abilities["image_input"]["supported"]
    elif "vision" in abilities:
        facts["vision"] = abilities["vision"]
    if "pdf_input" in abilities:
        facts["pdf"] = abilities["pdf_input"]["supported"]
    effort = abilities.get("effort") or {}
    levels = [level for level in LEVELS if isinstance(effort.get(level), dict) and effort[level]["supported"]]
    return facts | ({"effort": levels} if levels else {})


def list_makers(answer):
    """All of models.dev is by provider: gateways among them have other limits than the makers."""
    return [model for maker in ("anthropic", "openai", "google") for model in answer.get(maker, {}).get("models", {}).values()]


def find_entry(table, name):
    fits = (entry for entry in table["models"] for pattern in entry["patterns"] if fnmatch.fnmatchcase(name, pattern))
    return next(fits, None)


def update(table, lists):
    """The newest model that an entry stands for speaks for it. Yields the names of those that have none."""
    for provider, answer in lists.items():
        models = list_makers(answer) if provider == "models.dev" else answer.get("models") or answer.get("data")
        models.sort(key=lambda model: str(model.get("created_at") or model.get("created") or model.get("release_date") or ""))
        for model in models:
            name = (model.get("id") or model["name"]).split("/")[-1].lower()
            entry = find_entry(table, name)
            if entry is None:
                yield f"{provider}: {name}"
            elif provider == "openrouter" and any("*" in pattern for pattern in entry["patterns"]):
                continue
            else:
                entry |= read_facts(provider, model)


def write(table, path):
    entries = ",\n".join("    " + json.dumps(entry) for entry in table["models"])
    head = "".join(f"  {json.dumps(name)}: {json.dumps(table[name])},\n" for name in table if name != "models")
    path.write_text(f'{{\n{head}  "models": [\n{entries}\n  ]\n}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--list", action="append", metavar="PROVIDER=FILE")
    parser.add_argument("table", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent / "data" / "models.json")
    options = parser.parse_args()
    if options.list:
        pairs = (pair.split("=", 1) for pair in options.list)
        lists = {provider: json.loads(pathlib.Path(path).read_text()) for provider, path in pairs}
    else:
        lists = {provider: answer for provider in PROVIDERS if (answer := fetch(provider)) is not None}
    table = json.loads(options.table.read_text())
    for name in update(table, lists):
        print("no entry for", name)
    table["updated"] = datetime.date.today().isoformat()
    write(table, options.table)


if __name__ == "__main__":
    main()
