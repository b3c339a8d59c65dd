/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Telegram's Bot API against an emulator of it, with what goes wrong. Nothing here says that the real one does the same. */
#include "beckon-channel-fixture.h"
#include "beckon-telegram-emulator.h"

#include "base/beckon-json.h"
#include "channels/beckon-telegram-adapter.h"
#include "channels/beckon-telegram-api.h"

#include <string.h>

#define assert_has(text, part) g_assert_nonnull (strstr ((text), (part)))
#define assert_lacks(text, part) g_assert_null (strstr ((text), (part)))

typedef struct
{
  BeckonTelegramEmulator *emulator;
  BeckonChannelAdapter *adapter;
  BeckonClock *clock;
  GPtrArray *received; /* BeckonChannelIncoming */
  char *cursor;
  gboolean stores;
} Fixture;

/* All that was logged: no token is in it. */
static GString *logged;
static GMutex logged_lock;

static GLogWriterOutput
keep_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  g_mutex_lock (&logged_lock);
  for (gsize i = 0; i < n_fields; i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      g_string_append_printf (logged, "%s\n", (const char *) fields[i].value);
  g_mutex_unlock (&logged_lock);
  if ((level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) != 0)
    g_abort ();
  return G_LOG_WRITER_HANDLED;
}

static void
on_received (BeckonChannelAdapter *adapter, GPtrArray *messages, const char *cursor, gpointer user_data)
{
  Fixture *fixture = user_data;

  for (guint i = 0; i < messages->len; i++)
    g_ptr_array_add (fixture->received, beckon_channel_incoming_ref (g_ptr_array_index (messages, i)));
  g_free (fixture->cursor);
  fixture->cursor = g_strdup (cursor);
  if (fixture->stores)
    beckon_channel_adapter_stored (adapter, cursor);
}

static void
start (Fixture *fixture, const char *token, const char *cursor)
{
  g_autofree char *json
      = g_strdup_printf ("{\"server\":\"%s\"}", beckon_telegram_emulator_get_address (fixture->emulator));
  g_autoptr (JsonObject) config = beckon_json_parse_object (json, -1, NULL);
  const BeckonChannelStart how = { .config = config, .secret = token, .cursor = cursor };

  beckon_channel_adapter_start (fixture->adapter, &how);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->emulator = beckon_telegram_emulator_new ();
  fixture->clock = beckon_clock_new_manual (1700000000 * G_GINT64_CONSTANT (1000000));
  fixture->adapter = beckon_channel_kind_make_adapter (&beckon_telegram_kind);
  fixture->received = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_channel_incoming_unref);
  fixture->stores = TRUE;
  beckon_channel_adapter_set_clock (fixture->adapter, fixture->clock);
  g_signal_connect (fixture->adapter, "received", G_CALLBACK (on_received), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_channel_adapter_stop (fixture->adapter);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_object_unref (fixture->adapter);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  beckon_telegram_emulator_free (fixture->emulator);
  g_object_unref (fixture->clock);
  g_ptr_array_unref (fixture->received);
  g_free (fixture->cursor);
  assert_lacks (logged->str, "Secret_Part");
}

static void
start_connected (Fixture *fixture)
{
  start (fixture, BECKON_TELEGRAM_EMULATOR_TOKEN, NULL);
  beckon_agent_wait_until (beckon_channel_adapter_get_state (fixture->adapter) == BECKON_CHANNEL_CONNECTED);
  /* An answer that comes at once is followed by a pause. */
  beckon_clock_advance (fixture->clock, 1000);
  beckon_agent_wait_until (beckon_telegram_emulator_count (fixture->emulator, "getUpdates") == 2);
}

static const BeckonChannelIncoming *
wait_received (Fixture *fixture, guint n)
{
  beckon_agent_wait_until (fixture->received->len == n);
  return g_ptr_array_index (fixture->received, n - 1);
}

/* --- Receiving ---------------------------------------------------------------------------------------------------- */

static void
test_receive (Fixture *fixture, gconstpointer data)
{
  const BeckonChannelIncoming *incoming;
  g_autofree char *poll = NULL;

  start_connected (fixture);
  poll = beckon_telegram_emulator_dup_call (fixture->emulator, "getUpdates", 1);
  assert_has (poll, "\"timeout\":50");
  assert_has (poll, "\"allowed_updates\":[\"message\",\"callback_query\"]");
  beckon_telegram_emulator_write (fixture->emulator, 42, "Hello", NULL);
  incoming = wait_received (fixture, 1);
  g_assert_cmpstr (incoming->address, ==, "42");
  g_assert_cmpstr (incoming->name, ==, "Anna");
  g_assert_cmpstr (incoming->text, ==, "Hello");
  g_assert_cmpint (incoming->at, ==, 1700000000 * G_GINT64_CONSTANT (1000000));
  g_assert_false (incoming->is_group);
  g_assert_cmpstr (fixture->cursor, ==, "1001");
}

/* The server may forget a message only once it is stored here. */
static void
test_confirm (Fixture *fixture, gconstpointer data)
{
  fixture->stores = FALSE;
  start_connected (fixture);
  beckon_telegram_emulator_write (fixture->emulator, 42, "Hello", NULL);
  wait_received (fixture, 1);
  beckon_clock_advance (fixture->clock, 60 * 1000);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (beckon_telegram_emulator_count_unconfirmed (fixture->emulator), ==, 1);
  beckon_channel_adapter_stored (fixture->adapter, fixture->cursor);
  beckon_agent_wait_until (beckon_telegram_emulator_count_unconfirmed (fixture->emulator) == 0);
}

static void
test_again (Fixture *fixture, gconstpointer data)
{
  fixture->stores = FALSE;
  start_connected (fixture);
  beckon_telegram_emulator_write (fixture->emulator, 42, "Hello", NULL);
  wait_received (fixture, 1);
  beckon_channel_adapter_stop (fixture->adapter);
  /* The next start goes on from the old cursor. */
  start (fixture, BECKON_TELEGRAM_EMULATOR_TOKEN, NULL);
  wait_received (fixture, 2);
  g_assert_cmpstr (((BeckonChannelIncoming *) g_ptr_array_index (fixture->received, 0))->id, ==,
                   ((BeckonChannelIncoming *) g_ptr_array_index (fixture->received, 1))->id);
}

static void
test_button (Fixture *fixture, gconstpointer data)
{
  const BeckonChannelIncoming *incoming;
  g_autofree char *told = NULL;

  start_connected (fixture);
  beckon_telegram_emulator_press (fixture->emulator, 42, 7, "abcdef:1");
  incoming = wait_received (fixture, 1);
  g_assert_cmpstr (incoming->code, ==, "abcdef:1");
  g_assert_cmpstr (incoming->button_message, ==, "7");
  beckon_channel_adapter_acknowledge (fixture->adapter, (BeckonChannelIncoming *) incoming, "Done");
  beckon_agent_wait_until (beckon_telegram_emulator_count (fixture->emulator, "answerCallbackQuery") == 1);
  told = beckon_telegram_emulator_dup_call (fixture->emulator, "answerCallbackQuery", 0);
  g_assert_cmpstr (told, ==, "{\"callback_query_id\":\"q7\",\"text\":\"Done\"}");
}

static const struct
{
  guint status;
  const char *body;
  BeckonChannelState state;
  const char *words;
} faults[] = {
  { 401, "{\"ok\":false,\"error_code\":401,\"description\":\"Unauthorized\"}", BECKON_CHANNEL_SIGNED_OUT, "token" },
  { 404, "{\"ok\":false,\"error_code\":404,\"description\":\"Not Found\"}", BECKON_CHANNEL_FAILED, "no bot" },
  { 409, "{\"ok\":false,\"error_code\":409,\"description\":\"Conflict: terminated by other getUpdates request\"}",
    BECKON_CHANNEL_FAILED, "Another program" },
  { 500, "{\"ok\":false,\"error_code\":500,\"description\":\"Internal\"}", BECKON_CHANNEL_FAILED, "has a problem" },
  { 200, "<html>Sign in to this network</html>", BECKON_CHANNEL_FAILED, "has a problem" },
  { 200, NULL, BECKON_CHANNEL_FAILED, "127.0.0.1" },
  { 429, "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests\",\"parameters\":{\"retry_after\":7}}",
    BECKON_CHANNEL_FAILED, "fewer" },
};

static void
test_fault (Fixture *fixture, gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);

  beckon_telegram_emulator_fail (fixture->emulator, "getUpdates", faults[i].status, faults[i].body, 1);
  start (fixture, BECKON_TELEGRAM_EMULATOR_TOKEN, NULL);
  beckon_agent_wait_until (beckon_channel_adapter_get_state (fixture->adapter) == faults[i].state);
  assert_has (beckon_channel_adapter_get_problem (fixture->adapter), faults[i].words);
  assert_lacks (beckon_channel_adapter_get_problem (fixture->adapter), "Secret_Part");
  if (faults[i].state == BECKON_CHANNEL_SIGNED_OUT)
    {
      beckon_clock_advance (fixture->clock, 60 * 60 * 1000);
      g_assert_cmpuint (beckon_telegram_emulator_count (fixture->emulator, "getUpdates"), ==, 1);
      return;
    }
  /* Not before the pause is over. */
  beckon_clock_advance (fixture->clock, faults[i].status == 429 ? 6900 : 1400);
  g_assert_cmpuint (beckon_telegram_emulator_count (fixture->emulator, "getUpdates"), ==, 1);
  beckon_clock_advance (fixture->clock, 1000);
  beckon_agent_wait_until (beckon_channel_adapter_get_state (fixture->adapter) == BECKON_CHANNEL_CONNECTED);
}

static void
test_no_token (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = { NULL, "", "abc", "123:", ":abc", "123:a/../b", "123:abc?x=1", "123:a b" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      start (fixture, wrong[i], NULL);
      g_assert_cmpint (beckon_channel_adapter_get_state (fixture->adapter), ==, BECKON_CHANNEL_SIGNED_OUT);
      beckon_channel_adapter_stop (fixture->adapter);
    }
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;
  char *id = beckon_channel_adapter_send_finish (BECKON_CHANNEL_ADAPTER (source), result, &error);
  gpointer *end = user_data;

  end[0] = id;
  end[1] = error;
}

static char *
send (Fixture *fixture, const char *text, const char *edits, GError **error)
{
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, "42", "A question", text);
  gpointer end[2] = { NULL };

  outgoing->edits = g_strdup (edits);
  if (edits == NULL)
    {
      beckon_channel_outgoing_add_choice (outgoing, "Run", "abcdefghijklmnopqrst:0");
      beckon_channel_outgoing_add_choice (outgoing, "Deny", "abcdefghijklmnopqrst:1");
    }
  beckon_channel_adapter_send_async (fixture->adapter, outgoing, NULL, on_sent, end);
  beckon_agent_wait_until (end[0] != NULL || end[1] != NULL);
  if (end[1] != NULL)
    g_propagate_error (error, end[1]);
  return end[0];
}

static void
test_send (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = NULL;
  g_autofree char *same = NULL;
  g_autofree char *body = NULL;
  g_autofree char *edit = NULL;

  start_connected (fixture);
  id = send (fixture, "Which “port”?", NULL, NULL);
  g_assert_cmpstr (id, ==, "1");
  body = beckon_telegram_emulator_dup_call (fixture->emulator, "sendMessage", 0);
  g_assert_cmpstr (body, ==,
                   "{\"chat_id\":42,\"text\":\"Which “port”?\",\"link_preview_options\":{\"is_disabled\":true},"
                   "\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"Run\",\"callback_data\":\"abcdefghijklmnopqrst:0\"}],"
                   "[{\"text\":\"Deny\",\"callback_data\":\"abcdefghijklmnopqrst:1\"}]]}}");
  same = send (fixture, "Settled", id, NULL);
  g_assert_cmpstr (same, ==, "1");
  edit = beckon_telegram_emulator_dup_call (fixture->emulator, "editMessageText", 0);
  assert_has (edit, "\"message_id\":1,");
  assert_has (edit, "\"inline_keyboard\":[]");
}

static const struct
{
  const char *method;
  guint status;
  const char *description;
  BeckonChannelError code;
} refusals[] = {
  { "sendMessage", 400, "Bad Request: message is too long", BECKON_CHANNEL_ERROR_REFUSED },
  { "sendMessage", 400, "Bad Request: chat not found", BECKON_CHANNEL_ERROR_BLOCKED },
  { "sendMessage", 403, "Forbidden: bot was blocked by the user", BECKON_CHANNEL_ERROR_BLOCKED },
  { "sendMessage", 401, "Unauthorized", BECKON_CHANNEL_ERROR_SIGN_IN },
  { "sendMessage", 502, "Bad Gateway", BECKON_CHANNEL_ERROR_NETWORK },
  { "editMessageText", 400, "Bad Request: message to edit not found", BECKON_CHANNEL_ERROR_GONE },
};

static void
test_refusal (Fixture *fixture, gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *body = g_strdup_printf ("{\"ok\":false,\"error_code\":%u,\"description\":\"%s\"}", refusals[i].status,
                                           refusals[i].description);
  g_autoptr (GError) error = NULL;

  start_connected (fixture);
  beckon_telegram_emulator_fail (fixture->emulator, refusals[i].method, refusals[i].status, body, 1);
  g_assert_null (send (fixture, "Text", refusals[i].method[0] == 'e' ? "1" : NULL, &error));
  g_assert_error (error, BECKON_CHANNEL_ERROR, (int) refusals[i].code);
  assert_lacks (error->message, "Secret_Part");
}

static void
test_same_text (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = NULL;

  start_connected (fixture);
  beckon_telegram_emulator_fail (fixture->emulator, "editMessageText", 400,
                                 "{\"ok\":false,\"error_code\":400,"
                                 "\"description\":\"Bad Request: message is not modified\"}", 1);
  id = send (fixture, "Text", "9", NULL);
  g_assert_cmpstr (id, ==, "9");
}

static void
test_retry_after (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  start_connected (fixture);
  beckon_telegram_emulator_fail (fixture->emulator, "sendMessage", 429,
                                 "{\"ok\":false,\"error_code\":429,\"parameters\":{\"retry_after\":33}}", 1);
  g_assert_null (send (fixture, "Text", NULL, &error));
  g_assert_error (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_LIMITED);
  g_assert_cmpuint (beckon_channel_error_get_pause_s (error), ==, 33);
}

static void
test_stop_sending (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, "42", "A question", "Text");
  gpointer end[2] = { NULL };

  start_connected (fixture);
  beckon_channel_adapter_send_async (fixture->adapter, outgoing, NULL, on_sent, end);
  beckon_channel_adapter_stop (fixture->adapter);
  beckon_agent_wait_until (end[0] != NULL || end[1] != NULL);
  g_assert_error ((GError *) end[1], G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_error_free (end[1]);
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;
  GBytes *bytes = beckon_channel_adapter_fetch_finish (BECKON_CHANNEL_ADAPTER (source), result, &error);
  gpointer *end = user_data;

  end[0] = bytes;
  end[1] = error;
}

static GBytes *
fetch (Fixture *fixture, const BeckonChannelIncoming *incoming)
{
  gpointer end[2] = { NULL };

  g_assert_cmpuint (incoming->attachments->len, ==, 1);
  beckon_channel_adapter_fetch_async (fixture->adapter, g_ptr_array_index (incoming->attachments, 0), NULL, on_fetched, end);
  beckon_agent_wait_until (end[0] != NULL || end[1] != NULL);
  if (end[1] != NULL)
    g_assert_error ((GError *) end[1], BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_GONE);
  g_clear_pointer ((GError **) &end[1], g_error_free);
  return end[0];
}

static void
test_file (Fixture *fixture, gconstpointer data)
{
  const BeckonChannelIncoming *incoming;
  g_autoptr (GBytes) bytes = NULL;

  start_connected (fixture);
  beckon_telegram_emulator_set_file (fixture->emulator, "photos/file_1.jpg", "PICTURE");
  beckon_telegram_emulator_write (fixture->emulator, 42, NULL,
                                  "\"caption\":\"Look\",\"photo\":[{\"file_id\":\"small\",\"file_size\":10},"
                                  "{\"file_id\":\"large\",\"file_size\":100}]");
  incoming = wait_received (fixture, 1);
  g_assert_cmpstr (incoming->text, ==, "Look");
  g_assert_cmpstr (((BeckonChannelAttachment *) g_ptr_array_index (incoming->attachments, 0))->reference, ==, "large");
  bytes = fetch (fixture, incoming);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "PICTURE", 7);

  /* No path leads anywhere else. */
  beckon_telegram_emulator_set_file (fixture->emulator, "../getMe", "NO");
  g_assert_null (fetch (fixture, incoming));
}

static void
test_nonsense (void)
{
  static const char *const updates[] = {
    "{}", "[1,null,\"x\",[]]", "[{\"update_id\":5}]", "[{\"update_id\":5,\"message\":{}}]",
    "[{\"update_id\":5,\"message\":{\"chat\":{\"id\":\"42\"},\"from\":{}}}]",
    "[{\"update_id\":5,\"callback_query\":{\"id\":\"q\",\"data\":\"x\"}}]",
    "[{\"update_id\":5,\"message\":{\"chat\":{\"id\":1},\"from\":{\"id\":1,\"is_bot\":true},\"text\":\"x\"}}]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (updates); i++)
    {
      g_autoptr (JsonNode) node = beckon_json_parse (updates[i], -1, NULL);
      gint64 next = 0;
      g_autoptr (GPtrArray) messages = beckon_telegram_read_updates (node, &next);

      g_assert_cmpuint (messages->len, ==, 0);
      g_assert_cmpint (next, ==, i < 2 ? 0 : 6);
    }
}

static void
test_group (void)
{
  g_autoptr (JsonNode) node = beckon_json_parse ("[{\"update_id\":5,\"message\":{\"chat\":{\"id\":-7,\"type\":\"group\"},"
                                                 "\"from\":{\"id\":42},\"text\":\"1\"}}]", -1, NULL);
  gint64 next = 0;
  g_autoptr (GPtrArray) messages = beckon_telegram_read_updates (node, &next);

  g_assert_cmpuint (messages->len, ==, 1);
  g_assert_true (((BeckonChannelIncoming *) g_ptr_array_index (messages, 0))->is_group);
}

/* A server may begin to count anew. */
static void
test_counted_anew (void)
{
  g_autoptr (JsonNode) node = beckon_json_parse ("[{\"update_id\":5,\"message\":{\"chat\":{\"id\":42,\"type\":\"private\"},"
                                                 "\"from\":{\"id\":42},\"text\":\"1\"}}]", -1, NULL);
  gint64 next = 1000;
  g_autoptr (GPtrArray) messages = beckon_telegram_read_updates (node, &next);

  g_assert_cmpuint (messages->len, ==, 1);
  g_assert_cmpint (next, ==, 6);
}

/* --- All of it ---------------------------------------------------------------------------------------------------- */

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static char *
dup_code (const char *body)
{
  const char *data = strstr (body, "\"callback_data\":\"");

  g_assert_nonnull (data);
  data += strlen ("\"callback_data\":\"");
  return g_strndup (data, strcspn (data, "\""));
}

static void
add_account (BeckonChannelFixture *fixture, BeckonTelegramEmulator *emulator)
{
  BeckonChannelAccount *account = beckon_channel_account_new ("telegram", "Bot");
  g_autofree char *secret_id = NULL;

  account->id = g_strdup ("01TELEGRAM0000000000000000");
  g_free (account->config);
  account->config = g_strdup_printf ("{\"server\":\"%s\"}", beckon_telegram_emulator_get_address (emulator));
  secret_id = beckon_channel_dup_secret_id (account);
  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, secret_id, beckon_telegram_emulator_get_address (emulator),
                                                 BECKON_TELEGRAM_EMULATOR_TOKEN, NULL));
  beckon_channel_fixture_save (fixture, account);
}

static void
test_whole (void)
{
  g_autoptr (BeckonTelegramEmulator) emulator = beckon_telegram_emulator_new ();
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannel *channel;
  GAsyncResult *made = NULL;
  g_autofree char *pairing = NULL;
  g_autofree char *asked = NULL;
  g_autofree char *code = NULL;
  g_autofree char *closed = NULL;

  add_account (fixture, emulator);
  channel = beckon_channel_fixture_get (fixture, "Bot");
  beckon_agent_wait_until (beckon_channel_get_state (channel) == BECKON_CHANNEL_CONNECTED);
  beckon_channels_pair_async (fixture->channels, channel, NULL, keep_result, &made);
  beckon_agent_wait_until (made != NULL);
  pairing = beckon_channels_pair_finish (fixture->channels, made, NULL);
  g_object_unref (made);
  beckon_telegram_emulator_write (emulator, 42, pairing, NULL);
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_agent_wait_until (beckon_telegram_emulator_count (emulator, "sendMessage") == 1);

  beckon_channel_fixture_settle (fixture);
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_channel_fixture_ask (fixture);
  beckon_agent_wait_until (beckon_telegram_emulator_count (emulator, "sendMessage") == 2);
  asked = beckon_telegram_emulator_dup_call (emulator, "sendMessage", 1);
  assert_has (asked, "Which port?");
  code = dup_code (asked);
  beckon_telegram_emulator_press (emulator, 42, 2, code);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  beckon_agent_wait_until (beckon_telegram_emulator_count (emulator, "answerCallbackQuery") == 1);
  beckon_channel_fixture_settle (fixture);
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_agent_wait_until (beckon_telegram_emulator_count (emulator, "editMessageText") == 1);
  closed = beckon_telegram_emulator_dup_call (emulator, "editMessageText", 0);
  assert_has (closed, "by the channel “Bot”");
  /* The other channel says it, too. */
  assert_has (beckon_loopback_get_sent (fixture->hub, 1)->message->text, "by the channel “Bot”");
  beckon_channel_fixture_settle (fixture);
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_agent_wait_until (beckon_telegram_emulator_count (emulator, "sendMessage") == 3);
  g_assert_cmpuint (beckon_telegram_emulator_count_unconfirmed (emulator), ==, 0);
}

#define ADD(name, function) \
  g_test_add ("/channels/telegram/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  logged = g_string_new (NULL);
  g_log_set_writer_func (keep_log, NULL, NULL);
  g_test_init (&argc, &argv, NULL);
  ADD ("receive", test_receive);
  ADD ("confirm", test_confirm);
  ADD ("again", test_again);
  ADD ("button", test_button);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *name = g_strdup_printf ("/channels/telegram/fault/%u", i);

      g_test_add (name, Fixture, GUINT_TO_POINTER (i), set_up, test_fault, tear_down);
    }
  ADD ("no-token", test_no_token);
  ADD ("send", test_send);
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autofree char *name = g_strdup_printf ("/channels/telegram/refusal/%u", i);

      g_test_add (name, Fixture, GUINT_TO_POINTER (i), set_up, test_refusal, tear_down);
    }
  ADD ("same-text", test_same_text);
  ADD ("retry-after", test_retry_after);
  ADD ("stop-sending", test_stop_sending);
  ADD ("file", test_file);
  g_test_add_func ("/channels/telegram/nonsense", test_nonsense);
  g_test_add_func ("/channels/telegram/group", test_group);
  g_test_add_func ("/channels/telegram/counted-anew", test_counted_anew);
  g_test_add_func ("/channels/telegram/whole", test_whole);
  return g_test_run ();
}
