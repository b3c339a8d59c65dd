/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question of a run, asked and answered over WeChat: the whole way, with the store, a keyring and a server on loopback. */
#include "beckon-channel-fixture.h"
#include "beckon-wechat-emulator.h"

#include "channels/beckon-channel-kind.h"

#include <string.h>

typedef struct
{
  BeckonChannelFixture *fixture;
  BeckonWechatEmulator *emulator;
  BeckonChannel *channel;
} World;

/* The clock goes on while nothing else does. */
#define advance_until(world, condition)                                            \
  G_STMT_START                                                                     \
  {                                                                                \
    gint64 until = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;              \
    while (!(condition))                                                           \
      {                                                                            \
        g_assert_cmpint (g_get_monotonic_time (), <, until);                       \
        if (!g_main_context_iteration (NULL, FALSE))                               \
          {                                                                        \
            g_usleep (1000);                                                       \
            beckon_clock_advance ((world)->fixture->agent->clock, 100);            \
          }                                                                        \
      }                                                                            \
  }                                                                                \
  G_STMT_END

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
add_account (World *world)
{
  g_autoptr (BeckonChannelAccount) account = beckon_channel_account_new ("wechat", "WeChat");
  GAsyncResult *saved = NULL;
  g_autoptr (GError) error = NULL;

  g_free (account->config);
  account->config = beckon_channel_config_set_value (NULL, "server", beckon_wechat_emulator_get_base (world->emulator));
  beckon_channels_save_async (world->fixture->channels, account, BECKON_WECHAT_EMULATOR_TOKEN, NULL, keep_result, &saved);
  advance_until (world, saved != NULL);
  world->channel = beckon_channels_save_finish (world->fixture->channels, saved, &error);
  g_assert_no_error (error);
  g_object_unref (saved);
  advance_until (world, beckon_channel_get_state (world->channel) == BECKON_CHANNEL_CONNECTED);
}

static void
pair (World *world)
{
  GAsyncResult *made = NULL;
  g_autofree char *code = NULL;

  beckon_channels_pair_async (world->fixture->channels, world->channel, NULL, keep_result, &made);
  advance_until (world, made != NULL);
  code = beckon_channels_pair_finish (world->fixture->channels, made, NULL);
  g_object_unref (made);
  beckon_wechat_emulator_write (world->emulator, BECKON_WECHAT_EMULATOR_USER, code);
  advance_until (world, beckon_channel_get_account (world->channel)->address != NULL);
  advance_until (world, beckon_wechat_emulator_count_sent (world->emulator) == 1);
}

static void
set_up (World *world)
{
  world->fixture = beckon_channel_fixture_new ();
  world->emulator = beckon_wechat_emulator_new ();
  beckon_wechat_emulator_set_time (world->emulator, 0);
  add_account (world);
  pair (world);
}

static void
tear_down (World *world)
{
  g_autofree char *complaint = NULL;

  beckon_channel_fixture_free (world->fixture);
  complaint = beckon_wechat_emulator_dup_complaint (world->emulator);
  g_assert_cmpstr (complaint, ==, NULL);
  beckon_wechat_emulator_free (world->emulator);
}

static char *
wait_for_question (World *world)
{
  advance_until (world, beckon_wechat_emulator_count_sent (world->emulator) == 2);
  return beckon_wechat_emulator_dup_sent (world->emulator, 1);
}

/* Numbers as they are typed on a phone there; anything else is the answer itself. */
static void
test_answers (void)
{
  static const struct
  {
    const char *typed;
    const char *expected;
  } cases[] = {
    { "２", "9090" },
    { "选2", "9090" },
    { "2个都要", "2个都要" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      World world;
      g_autofree char *asked = NULL;
      g_autofree char *body = NULL;
      g_autofree char *result = NULL;

      set_up (&world);
      beckon_channel_fixture_ask (world.fixture);
      asked = wait_for_question (&world);
      g_assert_nonnull (strstr (asked, "Which port?\n1. 8080\n2. 9090"));
      body = beckon_wechat_emulator_dup_body (world.emulator, "sendmessage", 1);
      g_assert_nonnull (strstr (body, "\"context_token\":\"context-1\""));
      beckon_wechat_emulator_write (world.emulator, BECKON_WECHAT_EMULATOR_USER, cases[i].typed);
      advance_until (&world, beckon_fixture_server_count_requests (world.fixture->agent->server) == 2);
      result = beckon_agent_dup_result (beckon_fixture_server_get_request (world.fixture->agent->server, 1), "call_7");
      g_assert_nonnull (strstr (result, cases[i].expected));
      tear_down (&world);
    }
}

/* A message that comes twice is answered once. */
static void
test_duplicate (void)
{
  World world;
  g_autofree char *asked = NULL;
  g_autofree char *count = NULL;

  set_up (&world);
  beckon_channel_fixture_ask (world.fixture);
  asked = wait_for_question (&world);
  beckon_wechat_emulator_write (world.emulator, BECKON_WECHAT_EMULATOR_USER, "1");
  beckon_wechat_emulator_repeat (world.emulator, 1);
  advance_until (&world, beckon_fixture_server_count_requests (world.fixture->agent->server) == 2);
  beckon_channel_fixture_settle (world.fixture);
  count = beckon_channel_fixture_dup_value (world.fixture, "SELECT count (*) FROM channel_inbound WHERE message = '2'");
  g_assert_cmpstr (count, ==, "1");
  tear_down (&world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/wechat/desk/answers", test_answers);
  g_test_add_func ("/channels/wechat/desk/duplicate", test_duplicate);
  return g_test_run ();
}
