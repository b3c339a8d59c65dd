#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The terminal program is killed in every state that the tables name, in the middle of a plan, of a summary and of a landing, five
times each, and started again."""

import concurrent.futures
import os
import sys

import world
import scene
from cases import CASES
from landings import LANDING, LANDINGS
from late import LATES
from plans import PLANS
from summaries import SUMMARIES

import tap

REPEAT = int(os.environ.get("BECKON_RECOVERY_REPEAT", "5"))
# Most of the time they wait: for a terminal, a disk, a model.
WORKERS = 4
TABLES = world.read_tables(os.environ["BECKON_TABLES"])
ONLY = sys.argv[1:]
STATES = [(table, state) for table, states in TABLES.items() for state in states]


def main():
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        futures = {key: pool.submit(scene.play, *key, REPEAT) for key in [*STATES, *PLANS, *SUMMARIES, *LATES, *LANDINGS]
                   if key in CASES and (not ONLY or "/".join(key) in ONLY)}

        @tap.case("/recovery/tables")
        def _():
            told = {key for key in CASES if key[0] != LANDING} - set(PLANS) - set(SUMMARIES) - set(LATES)
            assert set(STATES) == told, f"without a case, or of no table: {set(STATES) ^ told}"

        for key, future in futures.items():
            tap.case("/recovery/" + "/".join(key))(future.result)

        @tap.case("/recovery/violations")
        def _():
            found = world.VIOLATIONS.found
            print(f"# states: {len(TABLES['run'])} of the run, {len(TABLES['call'])} of the call, "
                  f"{len(PLANS)} of a plan, {len(SUMMARIES)} of a summary, {len(LATES)} of a question that is not waited for, "
                  f"{len(LANDINGS)} of a landing, {REPEAT} times each; "
                  f"kills: {world.VIOLATIONS.kills}; checks: {world.VIOLATIONS.checks}")
            print("\n".join("# " + line for words in found for line in words.splitlines()))
            print(f"# violations: {len(found)}")
            assert not found, found

        return tap.main([])


if __name__ == "__main__":
    sys.exit(main())
