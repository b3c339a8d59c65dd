/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-agent-fixture.h"
#include "beckon-loopback-adapter.h"
#include "channels/beckon-channels.h"

G_BEGIN_DECLS

/**
 * BeckonChannelFixture:
 * @agent: a whole agent with a scripted model
 * @secrets: its keys
 * @channels: its channels, served
 * @hub: the messages of the first account, "Phone"
 *
 * A person with a phone beside an agent.
 */
typedef struct
{
  BeckonAgentFixture *agent;
  BeckonSecrets *secrets;
  BeckonChannels *channels;
  BeckonLoopbackHub *hub;
} BeckonChannelFixture;

/** With one account, "Phone", that "anna" is paired with. */
BeckonChannelFixture *beckon_channel_fixture_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_channel_fixture_free (BeckonChannelFixture *fixture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelFixture, beckon_channel_fixture_free)

/** Adds an account, whose hub has its name, that nobody is paired with. Borrowed. */
BeckonChannel *beckon_channel_fixture_add (BeckonChannelFixture *fixture, const char *name);

/** Stores an account again. @account: (transfer full) */
void beckon_channel_fixture_save (BeckonChannelFixture *fixture, BeckonChannelAccount *account);

/** Pairs @address, by its code. */
void beckon_channel_fixture_pair (BeckonChannelFixture *fixture, BeckonChannel *channel, const char *address);

/** The program ends and begins again. */
void beckon_channel_fixture_restart (BeckonChannelFixture *fixture);

/** Ends it, or begins it. */
void beckon_channel_fixture_stop (BeckonChannelFixture *fixture);
void beckon_channel_fixture_start (BeckonChannelFixture *fixture);

BeckonChannel *beckon_channel_fixture_get (BeckonChannelFixture *fixture, const char *name);

/** Waits until so many messages were sent or edited; the last. */
const BeckonChannelOutgoing *beckon_channel_fixture_wait_sent (BeckonChannelFixture *fixture, guint n);

/** The text of the @nth message that was sent or edited, from 0. Borrowed. */
const char *beckon_channel_fixture_get_text (BeckonChannelFixture *fixture, guint nth);

/** Waits until everything that came was handled and stored. */
void beckon_channel_fixture_settle (BeckonChannelFixture *fixture);

/** The model asks which port; waits until that was sent to the phone. */
BeckonRequest *beckon_channel_fixture_ask (BeckonChannelFixture *fixture);

/** The first value that @sql finds in the store. Caller frees. */
char *beckon_channel_fixture_dup_value (BeckonChannelFixture *fixture, const char *sql);

G_END_DECLS
