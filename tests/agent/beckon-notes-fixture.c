/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-notes-fixture.h"

BeckonNotesFixture *
beckon_notes_fixture_new (const char *change)
{
  BeckonNotesFixture *self = g_new0 (BeckonNotesFixture, 1);

  self->agent = beckon_agent_fixture_new ();
  self->read = beckon_test_tool_new ("read_note", TRUE);
  self->change = beckon_test_tool_new (change, FALSE);
  beckon_tool_registry_add (self->agent->tools, BECKON_TOOL (self->read));
  beckon_tool_registry_add (self->agent->tools, BECKON_TOOL (self->change));
  return self;
}

void
beckon_notes_fixture_free (BeckonNotesFixture *self)
{
  beckon_agent_fixture_free (self->agent);
  /* A look at a call may still be on its worker. */
  beckon_agent_wait_until (G_OBJECT (self->read)->ref_count == 1 && G_OBJECT (self->change)->ref_count == 1);
  g_assert_finalize_object (self->read);
  g_assert_finalize_object (self->change);
  g_free (self);
}
