/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signing in to WeChat by a code, in each state that the server knows of it. */
#include "test-wechat-support.h"

#include "base/beckon-json.h"

#include <string.h>

static BeckonChannelPrompt
get_prompt (Wechat *wechat, const char **text)
{
  return beckon_channel_adapter_get_prompt (wechat->adapter, text);
}

static BeckonChannelState
get_state (Wechat *wechat)
{
  return beckon_channel_adapter_get_state (wechat->adapter);
}

static void
begin (Wechat *wechat)
{
  g_autoptr (JsonObject) config = beckon_json_parse_object (wechat->config, -1, NULL);

  beckon_channel_adapter_sign_in (wechat->adapter, config);
}

static void
test_confirmed (void)
{
  Wechat wechat;
  const char *text;
  g_autoptr (JsonObject) config = NULL;
  g_autofree char *id = NULL;

  wechat_set_up (&wechat, NULL);
  g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_SIGNED_OUT);
  begin (&wechat);
  wechat_wait (get_prompt (&wechat, &text) == BECKON_CHANNEL_PROMPT_QR);
  g_assert_cmpstr (text, ==, "https://liteapp.weixin.qq.com/q/1");
  beckon_wechat_emulator_add_state (wechat.emulator, "wait");
  beckon_wechat_emulator_add_state (wechat.emulator, "scaned");
  wechat_advance_until (&wechat, get_prompt (&wechat, NULL) == BECKON_CHANNEL_PROMPT_SCANNED);
  beckon_wechat_emulator_add_state (wechat.emulator, "confirmed");
  wechat_advance_until (&wechat, wechat.secret != NULL);
  g_assert_cmpstr (wechat.secret, ==, BECKON_WECHAT_EMULATOR_TOKEN);
  config = beckon_json_parse_object (wechat.config, -1, NULL);
  g_assert_cmpstr (beckon_json_get_string (config, "base"), ==, beckon_wechat_emulator_get_base (wechat.emulator));
  g_assert_cmpstr (beckon_json_get_string (config, "bot"), ==, BECKON_WECHAT_EMULATOR_BOT);
  g_assert_cmpstr (beckon_json_get_string (config, "user"), ==, BECKON_WECHAT_EMULATOR_USER);
  g_assert_true (beckon_channel_kind_check (&beckon_wechat_kind, config, NULL));

  /* The adapter goes on by itself: one message each way. */
  wechat_wait (get_state (&wechat) == BECKON_CHANNEL_CONNECTED);
  beckon_wechat_emulator_write (wechat.emulator, BECKON_WECHAT_EMULATOR_USER, "hello");
  wechat_advance_until (&wechat, wechat.messages->len == 1);
  g_assert_cmpstr (wechat_get (&wechat, 0)->text, ==, "hello");
  id = wechat_send (&wechat, "Which colour?", wechat_get (&wechat, 0)->context, NULL);
  g_assert_cmpstr (id, ==, "18446744073709551601");
  wechat_tear_down (&wechat);
}

static void
test_code (void)
{
  Wechat wechat;
  const char *text;
  g_autofree char *first = NULL;

  wechat_set_up (&wechat, NULL);
  begin (&wechat);
  for (guint i = 0; i < 3; i++)
    beckon_wechat_emulator_add_state (wechat.emulator, "need_verifycode");
  wechat_wait (get_prompt (&wechat, &text) == BECKON_CHANNEL_PROMPT_CODE);
  first = g_strdup (text);

  /* The server is not asked while the person looks at the phone. */
  g_assert_cmpuint (wechat_count (&wechat, "get_qrcode_status"), ==, 1);
  beckon_channel_adapter_enter (wechat.adapter, "");
  beckon_channel_adapter_enter (wechat.adapter, "1234");
  g_assert_cmpint (get_prompt (&wechat, NULL), ==, BECKON_CHANNEL_PROMPT_NONE);
  wechat_wait (get_prompt (&wechat, &text) == BECKON_CHANNEL_PROMPT_CODE);
  g_assert_cmpstr (text, !=, first);
  beckon_channel_adapter_enter (wechat.adapter, " " BECKON_WECHAT_EMULATOR_CODE "\n");
  wechat_wait (get_prompt (&wechat, NULL) == BECKON_CHANNEL_PROMPT_SCANNED);
  beckon_wechat_emulator_add_state (wechat.emulator, "confirmed");
  wechat_advance_until (&wechat, wechat.secret != NULL);
  wechat_tear_down (&wechat);
}

static void
expect_failure (const char *state, guint codes)
{
  Wechat wechat;

  wechat_set_up (&wechat, NULL);
  begin (&wechat);
  for (guint i = 0; i < codes; i++)
    beckon_wechat_emulator_add_state (wechat.emulator, state);
  wechat_advance_until (&wechat, get_state (&wechat) == BECKON_CHANNEL_SIGNED_OUT);
  g_assert_cmpuint (wechat_count (&wechat, "get_bot_qrcode"), ==, codes);
  g_assert_nonnull (beckon_channel_adapter_get_problem (wechat.adapter));
  g_assert_null (wechat.secret);
  wechat_tear_down (&wechat);
}

static void
test_expired (void)
{
  expect_failure ("expired", 3);
}

static void
test_blocked (void)
{
  expect_failure ("verify_code_blocked", 3);
}

static void
test_new_code (void)
{
  Wechat wechat;
  const char *text;

  wechat_set_up (&wechat, NULL);
  begin (&wechat);
  beckon_wechat_emulator_add_state (wechat.emulator, "expired");
  wechat_advance_until (&wechat, get_prompt (&wechat, &text) == BECKON_CHANNEL_PROMPT_QR && g_str_has_suffix (text, "/2"));
  beckon_wechat_emulator_add_state (wechat.emulator, "confirmed");
  wechat_advance_until (&wechat, wechat.secret != NULL);
  wechat_tear_down (&wechat);
}

static void
test_redirect (void)
{
  Wechat wechat;
  g_autofree char *host = NULL;

  wechat_set_up (&wechat, NULL);
  begin (&wechat);
  beckon_wechat_emulator_add_state (wechat.emulator, "redirect");
  wechat_wait (get_prompt (&wechat, NULL) == BECKON_CHANNEL_PROMPT_SCANNED);
  beckon_wechat_emulator_add_state (wechat.emulator, "confirmed");
  wechat_advance_until (&wechat, wechat.secret != NULL);
  g_assert_cmpuint (wechat_count (&wechat, "get_qrcode_status"), ==, 2);
  host = beckon_wechat_emulator_dup_host (wechat.emulator, "get_qrcode_status");
  g_assert_true (g_str_has_prefix (host, "localhost:"));
  wechat_tear_down (&wechat);
}

/* An account that is bound already has its token here, and the server is told of it. */
static void
test_bound (void)
{
  Wechat wechat;
  g_autofree char *body = NULL;

  wechat_set_up (&wechat, BECKON_WECHAT_EMULATOR_TOKEN);
  begin (&wechat);
  g_clear_pointer (&wechat.secret, g_free);
  beckon_wechat_emulator_add_state (wechat.emulator, "binded_redirect");
  wechat_advance_until (&wechat, wechat.secret != NULL);
  g_assert_cmpstr (wechat.secret, ==, BECKON_WECHAT_EMULATOR_TOKEN);
  body = beckon_wechat_emulator_dup_body (wechat.emulator, "get_bot_qrcode", 0);
  g_assert_nonnull (strstr (body, BECKON_WECHAT_EMULATOR_TOKEN));
  wechat_wait (get_state (&wechat) == BECKON_CHANNEL_CONNECTED);
  wechat_tear_down (&wechat);
}

static void
test_bound_elsewhere (void)
{
  expect_failure ("binded_redirect", 1);
}

static void
test_too_long (void)
{
  Wechat wechat;

  wechat_set_up (&wechat, NULL);
  begin (&wechat);
  wechat_wait (get_prompt (&wechat, NULL) == BECKON_CHANNEL_PROMPT_QR);
  beckon_clock_advance (wechat.clock, 479 * 1000);
  wechat_settle ();
  g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_SIGNING_IN);
  beckon_clock_advance (wechat.clock, 2 * 1000);
  wechat_wait (get_state (&wechat) == BECKON_CHANNEL_SIGNED_OUT);
  g_assert_null (wechat.secret);
  wechat_tear_down (&wechat);
}

/* A look that the server does not answer in 35 seconds is another one a second later. */
static void
test_held (void)
{
  Wechat wechat;

  wechat_set_up (&wechat, NULL);
  begin (&wechat);
  wechat_wait (beckon_wechat_emulator_count_held (wechat.emulator) == 1);
  beckon_clock_advance (wechat.clock, 35 * 1000);
  wechat_settle ();
  g_assert_cmpuint (wechat_count (&wechat, "get_qrcode_status"), ==, 1);
  wechat_advance_until (&wechat, wechat_count (&wechat, "get_qrcode_status") == 2);
  g_assert_cmpint (get_prompt (&wechat, NULL), ==, BECKON_CHANNEL_PROMPT_QR);
  wechat_tear_down (&wechat);
}

static void
test_faults (void)
{
  static const int codes[] = { 500, 524, -1, BECKON_WECHAT_EMULATOR_CUT };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      Wechat wechat;

      wechat_set_up (&wechat, NULL);
      beckon_wechat_emulator_fail (wechat.emulator, "get_qrcode_status", 0, 3, codes[i]);
      beckon_wechat_emulator_add_state (wechat.emulator, "confirmed");
      begin (&wechat);
      wechat_advance_until (&wechat, wechat.secret != NULL);
      g_assert_cmpuint (wechat_count (&wechat, "get_qrcode_status"), ==, 4);
      wechat_tear_down (&wechat);
    }
}

static void
test_no_code (void)
{
  Wechat wechat;

  wechat_set_up (&wechat, NULL);
  beckon_wechat_emulator_fail (wechat.emulator, "get_bot_qrcode", 0, 1, 500);
  begin (&wechat);
  wechat_wait (get_state (&wechat) == BECKON_CHANNEL_SIGNED_OUT);
  g_assert_nonnull (strstr (beckon_channel_adapter_get_problem (wechat.adapter), "500"));
  wechat_tear_down (&wechat);
}

static void
test_stop (void)
{
  Wechat wechat;

  wechat_set_up (&wechat, NULL);
  begin (&wechat);
  wechat_wait (get_prompt (&wechat, NULL) == BECKON_CHANNEL_PROMPT_QR);
  beckon_channel_adapter_stop (wechat.adapter);
  g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_OFF);
  beckon_wechat_emulator_add_state (wechat.emulator, "confirmed");
  wechat_settle ();
  beckon_clock_advance (wechat.clock, 500 * 1000);
  wechat_settle ();
  g_assert_null (wechat.secret);
  g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_OFF);
  wechat_tear_down (&wechat);
}

/* Another bot has received nothing of what this one has. */
static void
test_other_bot (void)
{
  Wechat wechat;

  wechat_set_up (&wechat, NULL);
  wechat_restart (&wechat, "buf+7");
  begin (&wechat);
  beckon_wechat_emulator_add_state (wechat.emulator, "confirmed");
  wechat_advance_until (&wechat, wechat.secret != NULL && get_state (&wechat) == BECKON_CHANNEL_CONNECTED);
  g_assert_cmpstr (wechat.cursor, ==, "");
  wechat_advance_until (&wechat, wechat_count (&wechat, "getupdates") == 1);
  wechat_tear_down (&wechat);
}

/* Messages of before are on the way to the store: nothing else is received until they are there. */
static void
test_while_storing (void)
{
  Wechat wechat;
  g_autofree char *before = NULL;

  wechat_set_up (&wechat, BECKON_WECHAT_EMULATOR_TOKEN);
  wechat.stores = FALSE;
  beckon_wechat_emulator_write (wechat.emulator, BECKON_WECHAT_EMULATOR_USER, "Hello");
  wechat_advance_until (&wechat, wechat.messages->len == 1);
  before = g_strdup (wechat.cursor);
  g_clear_pointer (&wechat.secret, g_free);
  begin (&wechat);
  beckon_wechat_emulator_add_state (wechat.emulator, "confirmed");
  wechat_advance_until (&wechat, wechat.secret != NULL && wechat_count (&wechat, "notifystart") == 2);
  wechat_advance_until (&wechat, get_state (&wechat) == BECKON_CHANNEL_CONNECTED);
  beckon_clock_advance (wechat.clock, 5000);
  wechat_settle ();
  g_assert_cmpuint (wechat_count (&wechat, "getupdates"), ==, 1);
  g_assert_cmpstr (wechat.cursor, ==, before);

  /* Then what the other bot had received is forgotten, and the next poll begins. */
  wechat.stores = TRUE;
  beckon_channel_adapter_stored (wechat.adapter, before);
  g_assert_cmpstr (wechat.cursor, ==, "");
  wechat_advance_until (&wechat, wechat_count (&wechat, "getupdates") >= 2);
  wechat_tear_down (&wechat);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/wechat/sign-in/confirmed", test_confirmed);
  g_test_add_func ("/channels/wechat/sign-in/code", test_code);
  g_test_add_func ("/channels/wechat/sign-in/expired", test_expired);
  g_test_add_func ("/channels/wechat/sign-in/blocked", test_blocked);
  g_test_add_func ("/channels/wechat/sign-in/new-code", test_new_code);
  g_test_add_func ("/channels/wechat/sign-in/redirect", test_redirect);
  g_test_add_func ("/channels/wechat/sign-in/bound", test_bound);
  g_test_add_func ("/channels/wechat/sign-in/bound-elsewhere", test_bound_elsewhere);
  g_test_add_func ("/channels/wechat/sign-in/too-long", test_too_long);
  g_test_add_func ("/channels/wechat/sign-in/held", test_held);
  g_test_add_func ("/channels/wechat/sign-in/faults", test_faults);
  g_test_add_func ("/channels/wechat/sign-in/no-code", test_no_code);
  g_test_add_func ("/channels/wechat/sign-in/stop", test_stop);
  g_test_add_func ("/channels/wechat/sign-in/other-bot", test_other_bot);
  g_test_add_func ("/channels/wechat/sign-in/while-storing", test_while_storing);
  return g_test_run ();
}
