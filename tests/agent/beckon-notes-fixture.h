/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

G_BEGIN_DECLS

/** An agent that has, beside its own tools, one that reads notes and one that changes them. */
typedef struct
{
  BeckonAgentFixture *agent;
  BeckonTestTool *read;
  BeckonTestTool *change;
} BeckonNotesFixture;

/** Makes one whose tools are `read_note` and what @change is called. */
BeckonNotesFixture *beckon_notes_fixture_new (const char *change);
void beckon_notes_fixture_free (BeckonNotesFixture *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonNotesFixture, beckon_notes_fixture_free)

G_END_DECLS
