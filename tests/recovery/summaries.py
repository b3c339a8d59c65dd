# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversations whose program is killed while the model summarizes them, because they have grown too long. The run is in
a state of the tables meanwhile; what is on its way is no message."""

import json

from cases import CASES, case, continue_with, well
from world import wait

SUMMARY = "summary"
WINDOW = 30000
# More than half of the window, beside what a request holds anyway.
LONG = "It was a bright cold day in April. " * 3000


def asked(scene):
    """All that the model was asked of this conversation, as text."""
    return [text for text in map(json.dumps, scene.world.model.requests) if scene.marker in text]


def texts(scene):
    return [text for _, _, _, text in scene.messages().values()]


@case(SUMMARY, "written", stored=False, options=("--context-window", str(WINDOW)))
def _(scene):
    scene.replies({"text": LONG + "The end."}, {"steps": [{"text": "Half a summ"}, {"drain": True}, {"hold": "never"}]},
                  {"text": f"THE-SUMMARY of {scene.marker}"}, well())
    scene.send()
    scene.terminal.wait("The end.")
    scene.terminal.type("More " + "of it. " * 300)
    wait(lambda: len(asked(scene)) == 2, "the request for a summary")
    scene.expect("You write summaries" in asked(scene)[1], "it is one for a summary")
    # The server may have the request before the store has the phase, and a run that is still queued there resumes by itself.
    wait(lambda: scene.is_in("run", "requesting"), "the request in the store")
    yield
    scene.expect(not any("Half a summ" in text for text in texts(scene)), "nothing of the half summary is kept")
    continue_with(scene, "The reply was cut off.")
    scene.expect(["You write summaries" in text for text in asked(scene)] == [False, True, True, False], "it is summarized anew")
    scene.expect("THE-SUMMARY" in asked(scene)[3] and LONG[:80] not in asked(scene)[3], "the summary goes to the model")
    scene.expect(any(LONG in text for text in texts(scene)), "what was summarized is still there")


SUMMARIES = [key for key in CASES if key[0] == SUMMARY]
