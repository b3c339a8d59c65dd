/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Receiving and sending over WeChat, with all that may go wrong. */
#include "test-wechat-support.h"

#include <string.h>

#define TOKEN BECKON_WECHAT_EMULATOR_TOKEN
#define USER BECKON_WECHAT_EMULATOR_USER

static BeckonChannelState
get_state (Wechat *wechat)
{
  return beckon_channel_adapter_get_state (wechat->adapter);
}

static void
set_up_polling (Wechat *wechat)
{
  wechat_set_up (wechat, TOKEN);
  wechat_advance_until (wechat, beckon_wechat_emulator_count_held (wechat->emulator) == 1);
  g_assert_cmpint (get_state (wechat), ==, BECKON_CHANNEL_CONNECTED);
}

static char *
dup_last_poll (Wechat *wechat)
{
  return beckon_wechat_emulator_dup_body (wechat->emulator, "getupdates", wechat_count (wechat, "getupdates") - 1);
}

/* --- Receiving ---------------------------------------------------------------------------------------------------- */

static void
test_receive (void)
{
  Wechat wechat;
  const BeckonChannelIncoming *message;
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;

  set_up_polling (&wechat);
  beckon_wechat_emulator_write (wechat.emulator, USER, "2个都要");
  wechat_advance_until (&wechat, wechat.messages->len == 1);
  message = wechat_get (&wechat, 0);
  g_assert_cmpstr (message->id, ==, "1");
  g_assert_cmpstr (message->address, ==, USER);
  g_assert_cmpstr (message->text, ==, "2个都要");
  g_assert_cmpstr (message->context, ==, "context-1");
  g_assert_cmpint (message->at, ==, G_GINT64_CONSTANT (1700000000000000));
  g_assert_false (message->is_group);
  wechat_advance_until (&wechat, wechat_count (&wechat, "getupdates") == 2);
  first = beckon_wechat_emulator_dup_body (wechat.emulator, "getupdates", 0);
  last = dup_last_poll (&wechat);
  g_assert_nonnull (strstr (first, "\"get_updates_buf\":\"\""));
  g_assert_nonnull (strstr (last, "\"get_updates_buf\":\"buf+1\""));
  wechat_tear_down (&wechat);
}

/* The end of the process between what came and what is stored: the same comes again, and the cursor did not move. */
static void
test_unstored (void)
{
  Wechat wechat;

  set_up_polling (&wechat);
  wechat.stores = FALSE;
  beckon_wechat_emulator_write (wechat.emulator, USER, "first");
  wechat_advance_until (&wechat, wechat.messages->len == 1);
  beckon_wechat_emulator_write (wechat.emulator, USER, "second");
  beckon_clock_advance (wechat.clock, 120 * 1000);
  wechat_settle ();
  g_assert_cmpuint (wechat_count (&wechat, "getupdates"), ==, 1);
  wechat_restart (&wechat, NULL);
  wechat_advance_until (&wechat, wechat.messages->len == 2);
  g_assert_cmpstr (wechat_get (&wechat, 0)->id, ==, "1");
  g_assert_cmpstr (wechat_get (&wechat, 1)->text, ==, "second");
  wechat_tear_down (&wechat);
}

static void
test_restart (void)
{
  Wechat wechat;

  set_up_polling (&wechat);
  beckon_wechat_emulator_write (wechat.emulator, USER, "first");
  wechat_advance_until (&wechat, wechat.messages->len == 1);
  wechat_restart (&wechat, wechat.cursor);
  beckon_wechat_emulator_write (wechat.emulator, USER, "second");
  wechat_advance_until (&wechat, wechat.messages->len == 1);
  g_assert_cmpstr (wechat_get (&wechat, 0)->text, ==, "second");
  wechat_wait (wechat_count (&wechat, "notifystart") == 2 && wechat_count (&wechat, "notifystop") == 1);
  wechat_tear_down (&wechat);
}

/* A doubled message has the id that it had: whoever stores it knows it by that. */
static void
test_duplicate (void)
{
  Wechat wechat;

  set_up_polling (&wechat);
  beckon_wechat_emulator_write (wechat.emulator, USER, "first");
  wechat_advance_until (&wechat, wechat.messages->len == 1);
  beckon_wechat_emulator_repeat (wechat.emulator, 1);
  wechat_advance_until (&wechat, wechat.messages->len == 2);
  g_assert_cmpstr (wechat_get (&wechat, 0)->id, ==, wechat_get (&wechat, 1)->id);
  wechat_tear_down (&wechat);
}

static void
deliver (Wechat *wechat, const char *members, const char *items)
{
  g_autofree char *message = g_strdup_printf ("{\"from_user_id\":\"" USER "\",\"message_type\":1,%s,\"item_list\":[%s]}", members, items);

  beckon_wechat_emulator_deliver (wechat->emulator, message);
}

static const BeckonChannelIncoming *
receive (Wechat *wechat, const char *members, const char *items)
{
  guint n = wechat->messages->len;

  deliver (wechat, members, items);
  wechat_advance_until (wechat, wechat->messages->len == n + 1);
  return wechat_get (wechat, n);
}

#define TEXT(text) "{\"type\":1,\"text_item\":{\"text\":\"" text "\"}}"

static void
test_ids (void)
{
  Wechat wechat;

  set_up_polling (&wechat);
  g_assert_cmpstr (receive (&wechat, "\"message_id\":9223372036854775808", TEXT ("a"))->id, ==, "9223372036854775808");
  g_assert_cmpstr (receive (&wechat, "\"message_id\":\"18446744073709551615\"", TEXT ("b"))->id, ==, "18446744073709551615");
  g_assert_cmpstr (receive (&wechat, "\"message_id\":0,\"client_id\":\"c-1\"", TEXT ("c"))->id, ==, "client-c-1");
  g_assert_cmpstr (receive (&wechat, "\"create_time_ms\":5,\"seq\":3", TEXT ("d"))->id, ==, "at-5-3");
  g_assert_cmpstr (receive (&wechat, "\"message_id\":1e30,\"seq\":4", TEXT ("e"))->id, ==, "at-0-4");
  wechat_tear_down (&wechat);
}

static void
test_items (void)
{
  Wechat wechat;
  const BeckonChannelIncoming *message;
  const BeckonChannelAttachment *file;

  set_up_polling (&wechat);
  message = receive (&wechat, "\"message_id\":1", "{\"type\":3,\"voice_item\":{\"text\":\"选2\",\"playtime\":900}}");
  g_assert_cmpstr (message->text, ==, "选2");
  g_assert_cmpuint (message->attachments->len, ==, 0);
  message = receive (&wechat, "\"message_id\":2", TEXT ("one") "," TEXT ("two"));
  g_assert_cmpstr (message->text, ==, "one\ntwo");
  message = receive (&wechat, "\"message_id\":3",
                     "{\"type\":1,\"text_item\":{\"text\":\"no\"},\"ref_msg\":{\"title\":\"t\",\"message_item\":" TEXT ("Which \\\"colour\\\"?") "}}");
  g_assert_cmpstr (message->quote, ==, "Which \"colour\"?");
  message = receive (&wechat, "\"message_id\":4",
                     "{\"type\":1,\"text_item\":{\"text\":\"no\"},\"ref_msg\":{\"svr_id\":\"18446744073709551601\"}}");
  g_assert_cmpstr (message->quote, ==, "18446744073709551601");
  message = receive (&wechat, "\"message_id\":5",
                     "{\"type\":4,\"file_item\":{\"file_name\":\"a.pdf\",\"len\":\"1234\",\"media\":{\"aes_key\":\"k\"}}},"
                     "{\"type\":2,\"image_item\":{}},{\"type\":3,\"voice_item\":{}}");
  g_assert_cmpuint (message->attachments->len, ==, 3);
  file = g_ptr_array_index (message->attachments, 0);
  g_assert_cmpstr (file->name, ==, "a.pdf");
  g_assert_cmpint (file->size, ==, 1234);
  g_assert_cmpstr (((BeckonChannelAttachment *) g_ptr_array_index (message->attachments, 1))->media_type, ==, "image/*");
  wechat_tear_down (&wechat);
}

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_null (beckon_channel_adapter_fetch_finish (BECKON_CHANNEL_ADAPTER (source), result, user_data));
}

/* A person who sends a picture is told that it cannot be read. */
static void
test_picture (void)
{
  Wechat wechat;
  g_autoptr (GError) error = NULL;
  const BeckonChannelIncoming *message;

  set_up_polling (&wechat);
  message = receive (&wechat, "\"message_id\":1", "{\"type\":2,\"image_item\":{\"media\":{\"full_url\":\"https://x/\"}}}");
  beckon_channel_adapter_fetch_async (wechat.adapter, g_ptr_array_index (message->attachments, 0), NULL, on_fetched, &error);
  wechat_wait (error != NULL);
  g_assert_error (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED);
  wechat_tear_down (&wechat);
}

static void
test_ignored (void)
{
  Wechat wechat;

  set_up_polling (&wechat);
  deliver (&wechat, "\"message_id\":1,\"group_id\":\"g\"", TEXT ("group"));
  deliver (&wechat, "\"message_id\":2,\"message_state\":1", TEXT ("half"));
  deliver (&wechat, "\"message_id\":3", "{\"type\":11,\"tool_call_start_item\":{}}");
  deliver (&wechat, "\"message_id\":4", "");
  beckon_wechat_emulator_deliver (wechat.emulator, "{\"from_user_id\":\"7@im.bot\",\"message_type\":2,\"message_id\":5,\"item_list\":[" TEXT ("own") "]}");
  beckon_wechat_emulator_deliver (wechat.emulator, "7");
  beckon_wechat_emulator_deliver (wechat.emulator, "{\"from_user_id\":7,\"item_list\":{}}");
  beckon_wechat_emulator_write (wechat.emulator, USER, "mine");
  wechat_advance_until (&wechat, wechat.messages->len > 0);
  g_assert_cmpuint (wechat.messages->len, ==, 1);
  g_assert_cmpstr (wechat_get (&wechat, 0)->text, ==, "mine");
  g_assert_cmpstr (wechat.cursor, ==, "buf+8");
  wechat_tear_down (&wechat);
}

/* --- Polls -------------------------------------------------------------------------------------------------------- */

static void
test_timeout (void)
{
  Wechat wechat;

  set_up_polling (&wechat);
  beckon_clock_advance (wechat.clock, 34 * 1000);
  wechat_settle ();
  g_assert_cmpuint (wechat_count (&wechat, "getupdates"), ==, 1);
  beckon_clock_advance (wechat.clock, 1000);
  wechat_advance_until (&wechat, wechat_count (&wechat, "getupdates") == 2);
  g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_CONNECTED);
  wechat_tear_down (&wechat);
}

static void
expect_poll_of (gint64 says_ms, guint seconds)
{
  Wechat wechat;
  guint polls;

  set_up_polling (&wechat);
  beckon_wechat_emulator_set_poll_ms (wechat.emulator, says_ms);
  beckon_wechat_emulator_write (wechat.emulator, USER, "wakes it");
  wechat_advance_until (&wechat, wechat_count (&wechat, "getupdates") == 2);
  wechat_wait (beckon_wechat_emulator_count_held (wechat.emulator) == 1);
  polls = wechat_count (&wechat, "getupdates");
  beckon_clock_advance (wechat.clock, (seconds - 1) * 1000);
  wechat_settle ();
  g_assert_cmpuint (wechat_count (&wechat, "getupdates"), ==, polls);
  beckon_clock_advance (wechat.clock, 1000);
  wechat_advance_until (&wechat, wechat_count (&wechat, "getupdates") == polls + 1);
  wechat_tear_down (&wechat);
}

static void
test_poll_ms (void)
{
  expect_poll_of (50000, 50);
  expect_poll_of (5000, 5);
  /* Out of bounds. */
  expect_poll_of (G_MAXINT64, 120);
  expect_poll_of (-1, 35);
}

/* A server that holds nothing is asked once a second. */
static void
test_no_hold (void)
{
  Wechat wechat;

  wechat_set_up (&wechat, TOKEN);
  beckon_wechat_emulator_set_hold (wechat.emulator, FALSE);
  wechat_advance_until (&wechat, wechat_count (&wechat, "getupdates") == 2);
  for (guint i = 0; i < 200; i++)
    {
      wechat_settle ();
      g_usleep (100);
    }
  g_assert_cmpuint (wechat_count (&wechat, "getupdates"), <=, 3);
  wechat_tear_down (&wechat);
}

/* The server is asked nothing for so long, and then something. */
static void
expect_pause (Wechat *wechat, guint milliseconds)
{
  guint polls = wechat_count (wechat, "getupdates");

  beckon_clock_advance (wechat->clock, milliseconds - 1);
  for (guint i = 0; i < 20; i++)
    {
      wechat_settle ();
      g_usleep (100);
    }
  g_assert_cmpuint (wechat_count (wechat, "getupdates"), ==, polls);
  beckon_clock_advance (wechat->clock, 1);
  wechat_wait (wechat_count (wechat, "getupdates") == polls + 1);
}

static void
test_faults (void)
{
  static const int codes[] = { 500, 524, 404, -1, -2, BECKON_WECHAT_EMULATOR_CUT };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      Wechat wechat;
      gint64 asked_at;

      set_up_polling (&wechat);
      beckon_wechat_emulator_fail (wechat.emulator, "getupdates", 0, 4, codes[i]);
      wechat_wait (get_state (&wechat) == BECKON_CHANNEL_CONNECTING);

      /* Two seconds twice, and then half a minute. */
      expect_pause (&wechat, 2000);
      asked_at = beckon_clock_get_monotonic_time (wechat.clock);
      wechat_advance_until (&wechat, wechat_count (&wechat, "getupdates") == 3);
      g_assert_cmpint (beckon_clock_get_monotonic_time (wechat.clock) - asked_at, >=, 2 * G_TIME_SPAN_SECOND);
      wechat_wait (get_state (&wechat) == BECKON_CHANNEL_FAILED);
      g_assert_nonnull (beckon_channel_adapter_get_problem (wechat.adapter));
      expect_pause (&wechat, 30000);
      beckon_wechat_emulator_write (wechat.emulator, USER, "still there");
      wechat_advance_until (&wechat, wechat.messages->len == 1);
      g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_CONNECTED);
      g_assert_null (beckon_channel_adapter_get_problem (wechat.adapter));
      wechat_tear_down (&wechat);
    }
}

/* -14: nothing more is asked before somebody signs in again. */
static void
test_stale (void)
{
  Wechat wechat;
  guint polls;

  set_up_polling (&wechat);
  beckon_wechat_emulator_fail (wechat.emulator, "getupdates", 0, G_MAXUINT, -14);
  wechat_wait (get_state (&wechat) == BECKON_CHANNEL_SIGNED_OUT);
  g_assert_nonnull (strstr (beckon_channel_adapter_get_problem (wechat.adapter), "Scan"));
  polls = wechat_count (&wechat, "getupdates");
  beckon_clock_advance (wechat.clock, 3600 * 1000);
  wechat_settle ();
  g_assert_cmpuint (wechat_count (&wechat, "getupdates"), ==, polls);
  wechat_tear_down (&wechat);
}

static void
test_stale_at_start (void)
{
  Wechat wechat;

  wechat_set_up (&wechat, TOKEN);
  wechat_advance_until (&wechat, get_state (&wechat) == BECKON_CHANNEL_CONNECTED);
  beckon_wechat_emulator_fail (wechat.emulator, "notifystart", 0, 1, -14);
  wechat_restart (&wechat, NULL);
  wechat_wait (get_state (&wechat) == BECKON_CHANNEL_SIGNED_OUT);
  wechat_tear_down (&wechat);
}

/* A notice that is not taken does not keep messages away. */
static void
test_unannounced (void)
{
  Wechat wechat;

  wechat_set_up (&wechat, TOKEN);
  beckon_wechat_emulator_fail (wechat.emulator, "notifystart", 0, 2, 500);
  wechat_restart (&wechat, NULL);
  beckon_wechat_emulator_write (wechat.emulator, USER, "hello");
  wechat_advance_until (&wechat, wechat.messages->len == 1);
  g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_CONNECTED);
  wechat_tear_down (&wechat);
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

static void
test_send (void)
{
  Wechat wechat;
  g_autofree char *id = NULL;
  g_autofree char *text = NULL;
  g_autofree char *body = NULL;

  set_up_polling (&wechat);
  id = wechat_send (&wechat, "❓ Which?\n1. This\n2. \"That\"", "context-9", NULL);
  g_assert_cmpstr (id, ==, "18446744073709551601");
  text = beckon_wechat_emulator_dup_sent (wechat.emulator, 0);
  g_assert_cmpstr (text, ==, "❓ Which?\n1. This\n2. \"That\"");
  body = beckon_wechat_emulator_dup_body (wechat.emulator, "sendmessage", 0);
  g_assert_nonnull (strstr (body, "\"context_token\":\"context-9\""));
  wechat_tear_down (&wechat);
}

static void
expect_send_error (Wechat *wechat, int code, BeckonChannelError expected, guint pause_s)
{
  g_autoptr (GError) error = NULL;

  if (code != 0)
    beckon_wechat_emulator_fail (wechat->emulator, "sendmessage", 0, 1, code);
  g_assert_null (wechat_send (wechat, "text that is in no error", NULL, &error));
  g_assert_error (error, BECKON_CHANNEL_ERROR, (int) expected);
  g_assert_cmpuint (beckon_channel_error_get_pause_s (error), ==, pause_s);
  g_assert_null (strstr (error->message, "text that"));
}

static void
test_send_errors (void)
{
  Wechat wechat;

  set_up_polling (&wechat);
  expect_send_error (&wechat, 500, BECKON_CHANNEL_ERROR_NETWORK, 0);
  expect_send_error (&wechat, 524, BECKON_CHANNEL_ERROR_LATE, 0);
  expect_send_error (&wechat, 413, BECKON_CHANNEL_ERROR_REFUSED, 0);
  expect_send_error (&wechat, -7, BECKON_CHANNEL_ERROR_REFUSED, 0);
  beckon_wechat_emulator_fail (wechat.emulator, "sendmessage", 0, 1, BECKON_WECHAT_EMULATOR_CUT);
  expect_send_error (&wechat, 0, BECKON_CHANNEL_ERROR_NETWORK, 0);
  expect_send_error (&wechat, -14, BECKON_CHANNEL_ERROR_SIGN_IN, 0);
  g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_SIGNED_OUT);
  expect_send_error (&wechat, 0, BECKON_CHANNEL_ERROR_SIGN_IN, 0);
  wechat_tear_down (&wechat);
}

/* -2 after some: the pauses grow by minutes, up to a quarter of an hour, until one is taken again. */
static void
test_limited (void)
{
  static const guint pauses[] = { 60, 120, 240, 480, 900, 900 };
  Wechat wechat;
  g_autofree char *first = NULL;
  g_autofree char *later = NULL;

  set_up_polling (&wechat);
  beckon_wechat_emulator_fail (wechat.emulator, "sendmessage", 1, G_N_ELEMENTS (pauses), -2);
  first = wechat_send (&wechat, "one", NULL, NULL);
  g_assert_nonnull (first);
  for (guint i = 0; i < G_N_ELEMENTS (pauses); i++)
    expect_send_error (&wechat, 0, BECKON_CHANNEL_ERROR_LIMITED, pauses[i]);
  later = wechat_send (&wechat, "two", NULL, NULL);
  g_assert_nonnull (later);
  expect_send_error (&wechat, -2, BECKON_CHANNEL_ERROR_LIMITED, 60);
  g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_CONNECTED);
  wechat_tear_down (&wechat);
}

static void
on_cancelled_send (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_null (beckon_channel_adapter_send_finish (BECKON_CHANNEL_ADAPTER (source), result, user_data));
}

static void
expect_cancelled (gboolean stops)
{
  Wechat wechat;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, USER, "A question", "Which?");

  set_up_polling (&wechat);
  beckon_channel_adapter_send_async (wechat.adapter, outgoing, cancellable, on_cancelled_send, &error);
  if (stops)
    beckon_channel_adapter_stop (wechat.adapter);
  else
    g_cancellable_cancel (cancellable);
  wechat_wait (error != NULL);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wechat_tear_down (&wechat);
}

static void
test_cancel_send (void)
{
  expect_cancelled (FALSE);
  expect_cancelled (TRUE);
}

static void
test_limits (void)
{
  Wechat wechat;
  const BeckonChannelLimits *limits;

  wechat_set_up (&wechat, NULL);
  limits = beckon_channel_adapter_get_limits (wechat.adapter);
  g_assert_cmpuint (limits->max_characters, ==, 4000);
  g_assert_cmpuint (limits->max_bytes, <, 16 * 1024);
  g_assert_cmpuint (limits->interval_ms, >=, 1000);
  g_assert_cmpuint (limits->replies, ==, 10);
  g_assert_cmpuint (limits->window_s, ==, 24 * 60 * 60);
  wechat_tear_down (&wechat);
}

/* --- Typing ------------------------------------------------------------------------------------------------------- */

static void
type (Wechat *wechat, gboolean is_typing)
{
  guint n = wechat_count (wechat, "sendtyping");

  beckon_channel_adapter_type (wechat->adapter, USER, "context-1", is_typing);
  wechat_wait (wechat_count (wechat, "sendtyping") == n + 1);
  wechat_settle ();
}

static void
test_typing (void)
{
  Wechat wechat;
  g_autofree char *config = NULL;
  g_autofree char *on = NULL;
  g_autofree char *off = NULL;

  set_up_polling (&wechat);
  /* An end without a beginning has nothing to take back. */
  beckon_channel_adapter_type (wechat.adapter, USER, NULL, FALSE);
  type (&wechat, TRUE);
  type (&wechat, FALSE);
  g_assert_cmpuint (wechat_count (&wechat, "getconfig"), ==, 1);
  config = beckon_wechat_emulator_dup_body (wechat.emulator, "getconfig", 0);
  g_assert_nonnull (strstr (config, "\"context_token\":\"context-1\""));
  on = beckon_wechat_emulator_dup_body (wechat.emulator, "sendtyping", 0);
  off = beckon_wechat_emulator_dup_body (wechat.emulator, "sendtyping", 1);
  g_assert_nonnull (strstr (on, "\"status\":1"));
  g_assert_nonnull (strstr (off, "\"status\":2"));
  wechat_tear_down (&wechat);
}

/* A ticket is asked for again after a day. */
static void
test_ticket (void)
{
  Wechat wechat;

  set_up_polling (&wechat);
  type (&wechat, TRUE);
  for (guint i = 0; i < 24; i++)
    {
      beckon_clock_advance (wechat.clock, 60 * 60 * 1000);
      wechat_settle ();
    }
  wechat_wait (get_state (&wechat) == BECKON_CHANNEL_CONNECTED);
  type (&wechat, TRUE);
  g_assert_cmpuint (wechat_count (&wechat, "getconfig"), ==, 2);
  wechat_tear_down (&wechat);
}

/* A ticket that is refused is forgotten, and nothing else comes of it. */
static void
test_typing_fails (void)
{
  Wechat wechat;

  set_up_polling (&wechat);
  beckon_wechat_emulator_fail (wechat.emulator, "sendtyping", 0, 1, -2);
  type (&wechat, TRUE);
  g_assert_cmpint (get_state (&wechat), ==, BECKON_CHANNEL_CONNECTED);
  wechat_advance_until (&wechat, (beckon_channel_adapter_type (wechat.adapter, USER, NULL, TRUE), wechat_count (&wechat, "getconfig") == 2));
  wechat_tear_down (&wechat);
}

/* --- Settings ----------------------------------------------------------------------------------------------------- */

static void
expect_settings (const char *json, gboolean are_good)
{
  g_autoptr (JsonNode) node = json_from_string (json, NULL);

  g_assert_cmpint (beckon_channel_kind_check (&beckon_wechat_kind, json_node_get_object (node), NULL), ==, are_good);
}

static void
test_settings (void)
{
  g_assert_true (beckon_channel_kind_find ("wechat") == &beckon_wechat_kind);
  expect_settings ("{}", TRUE);
  expect_settings ("{\"server\":\"https://example.com/x/\"}", TRUE);
  expect_settings ("{\"server\":\"http://127.0.0.1:80/\"}", TRUE);
  expect_settings ("{\"server\":\"http://example.com/\"}", FALSE);
  expect_settings ("{\"server\":\"https://a:b@example.com/\"}", FALSE);
  expect_settings ("{\"server\":\"https://example.com/?q\"}", FALSE);
  expect_settings ("{\"server\":\"example.com\"}", FALSE);
  /* Another computer cannot make this one talk to itself. */
  expect_settings ("{\"base\":\"http://127.0.0.1:80/\"}", FALSE);
  expect_settings ("{\"base\":\"https://example.com\"}", TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/wechat/receive", test_receive);
  g_test_add_func ("/channels/wechat/unstored", test_unstored);
  g_test_add_func ("/channels/wechat/restart", test_restart);
  g_test_add_func ("/channels/wechat/duplicate", test_duplicate);
  g_test_add_func ("/channels/wechat/ids", test_ids);
  g_test_add_func ("/channels/wechat/items", test_items);
  g_test_add_func ("/channels/wechat/picture", test_picture);
  g_test_add_func ("/channels/wechat/ignored", test_ignored);
  g_test_add_func ("/channels/wechat/timeout", test_timeout);
  g_test_add_func ("/channels/wechat/poll-ms", test_poll_ms);
  g_test_add_func ("/channels/wechat/no-hold", test_no_hold);
  g_test_add_func ("/channels/wechat/faults", test_faults);
  g_test_add_func ("/channels/wechat/stale", test_stale);
  g_test_add_func ("/channels/wechat/stale-at-start", test_stale_at_start);
  g_test_add_func ("/channels/wechat/unannounced", test_unannounced);
  g_test_add_func ("/channels/wechat/send", test_send);
  g_test_add_func ("/channels/wechat/send-errors", test_send_errors);
  g_test_add_func ("/channels/wechat/limited", test_limited);
  g_test_add_func ("/channels/wechat/cancel-send", test_cancel_send);
  g_test_add_func ("/channels/wechat/limits", test_limits);
  g_test_add_func ("/channels/wechat/typing", test_typing);
  g_test_add_func ("/channels/wechat/ticket", test_ticket);
  g_test_add_func ("/channels/wechat/typing-fails", test_typing_fails);
  g_test_add_func ("/channels/wechat/settings", test_settings);
  return g_test_run ();
}
