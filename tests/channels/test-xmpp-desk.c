/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question of a run, answered over XMPP: a whole agent, a real keyring, a real server. */
#include "beckon-channel-fixture.h"
#include "beckon-xmpp-case.h"

#include <string.h>

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **)user_data = g_object_ref (result);
}

static BeckonChannel *
add_account (BeckonChannelFixture *fixture, BeckonProsody *prosody)
{
  g_autoptr (BeckonChannelAccount) account = beckon_channel_account_new ("xmpp", "Jabber");
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;
  BeckonChannel *channel;

  g_free (account->config);
  account->config = g_strdup_printf ("{\"address\":\"" BECKON_XMPP_ACCOUNT "\",\"host\":\"127.0.0.1\",\"port\":\"%u\"}",
                                     prosody->port);
  beckon_channels_save_async (fixture->channels, account, BECKON_XMPP_PASSWORD, NULL, keep_result, &saved);
  beckon_agent_wait_until (saved != NULL);
  channel = beckon_channels_save_finish (fixture->channels, saved, &error);
  g_assert_no_error (error);
  beckon_agent_wait_until (beckon_channel_get_state (channel) == BECKON_CHANNEL_CONNECTED);
  return channel;
}

static void
write_line (BeckonProsody *prosody, const char *id, const char *line)
{
  beckon_prosody_say (prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "/phone' to='" BECKON_XMPP_ACCOUNT
                      "' id='%s'><body>%s</body></message>",
                      id, line);
}

static void
pair (BeckonChannelFixture *fixture, BeckonChannel *channel, BeckonProsody *prosody)
{
  g_autoptr (GAsyncResult) made = NULL;
  g_autofree char *code = NULL;

  beckon_channels_pair_async (fixture->channels, channel, NULL, keep_result, &made);
  beckon_agent_wait_until (made != NULL);
  code = beckon_channels_pair_finish (fixture->channels, made, NULL);
  write_line (prosody, "p1", code);
  beckon_agent_wait_until (g_strcmp0 (beckon_channel_get_account (channel)->address, BECKON_XMPP_ANNA) == 0);
  beckon_prosody_wait (prosody, "<body>");
  beckon_prosody_clear (prosody);
}

/* The agent's clock stands still, and messages keep a distance: it is moved until @part came. */
static void
wait_said (BeckonChannelFixture *fixture, BeckonProsody *prosody, const char *part)
{
  while (strstr (prosody->said->str, part) == NULL)
    {
      beckon_clock_advance (fixture->agent->clock, 20);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5 * 1000);
    }
}

/* The question comes with its choices, the answer goes back, and the question says how it ended. */
static void
test_answer (void)
{
  g_autoptr (BeckonChannelFixture) fixture = NULL;
  g_autoptr (BeckonRequest) request = NULL;
  BeckonProsody *prosody;

  if (!beckon_prosody_can_run ())
    return;
  prosody = beckon_prosody_new ("good", NULL);
  fixture = beckon_channel_fixture_new ();
  pair (fixture, add_account (fixture, prosody), prosody);
  request = g_object_ref (beckon_channel_fixture_ask (fixture));
  wait_said (fixture, prosody, "Which port?\n1. 8080\n2. 9090");
  write_line (prosody, "a1", "2");
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_request_get_front_end (request), ==, "xmpp: Jabber");
  g_assert_cmpstr (beckon_request_get_actor (request), ==, BECKON_XMPP_ANNA);
  wait_said (fixture, prosody, "urn:xmpp:message-correct:0");
  wait_said (fixture, prosody, "by the channel “Jabber”");
  beckon_prosody_free (prosody);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/xmpp/answer", test_answer);
  return g_test_run ();
}
