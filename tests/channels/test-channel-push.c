/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notifications by HTTP, against a server of the suite with what goes wrong. */
#include "beckon-channel-fixture.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "beckon-fixture-server.h"
#include "channels/beckon-push-adapter.h"

#include <string.h>

#define TOKEN "tk_Secret_Part"
#define CONVERSATION "01HZY0000000000000000000AB"

#define assert_has(text, part) g_assert_nonnull (strstr ((text), (part)))
#define assert_lacks(text, part) g_assert_null (strstr ((text), (part)))

typedef struct
{
  BeckonFixtureServer *server;
  BeckonChannelAdapter *adapter;
} Fixture;

/* All that was logged: neither the token nor the topic is in it. */
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
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->server = beckon_fixture_server_new (0);
  fixture->adapter = beckon_channel_kind_make_adapter (&beckon_push_kind);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_channel_adapter_stop (fixture->adapter);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_finalize_object (fixture->adapter);
  beckon_fixture_server_free (fixture->server);
  assert_lacks (logged->str, "Secret_Part");
  assert_lacks (logged->str, "my-topic");
}

static char *
dup_config (BeckonFixtureServer *server, const char *more)
{
  return g_strdup_printf ("{\"address\":\"http://127.0.0.1:%u/my-topic\"%s}", beckon_fixture_server_get_port (server), more);
}

static void
start (Fixture *fixture, const char *more, const char *token)
{
  g_autofree char *json = dup_config (fixture->server, more);
  g_autoptr (JsonObject) config = beckon_json_parse_object (json, -1, NULL);
  const BeckonChannelStart how = { .config = config, .secret = token };

  beckon_channel_adapter_start (fixture->adapter, &how);
  g_assert_cmpint (beckon_channel_adapter_get_state (fixture->adapter), ==, BECKON_CHANNEL_CONNECTED);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult **
begin (Fixture *fixture, GAsyncResult **sent, GCancellable *cancellable)
{
  g_autoptr (BeckonChannelOutgoing) outgoing
      = beckon_channel_outgoing_new (NULL, "push", "The agent has a question", "The text, with a secret");

  outgoing->conversation_id = g_strdup (CONVERSATION);
  beckon_channel_adapter_send_async (fixture->adapter, outgoing, cancellable, keep_result, sent);
  return sent;
}

/* (nullable): what it was refused with. */
static GError *
end (Fixture *fixture, GAsyncResult **sent)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *id = NULL;
  GError *error = NULL;

  beckon_agent_wait_until (*sent != NULL);
  result = g_steal_pointer (sent);
  id = beckon_channel_adapter_send_finish (fixture->adapter, result, &error);
  g_assert_true ((id != NULL) == (error == NULL));
  return error;
}

static GError *
send (Fixture *fixture)
{
  GAsyncResult *sent = NULL;

  return end (fixture, begin (fixture, &sent, NULL));
}

static void
queue (BeckonFixtureServer *server, guint status, const char *headers)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, status, headers, "application/json", "{}");
  beckon_fixture_server_queue (server, reply);
}

static void
assert_header (const BeckonFixtureRequest *request, const char *name, const char *expected)
{
  g_autofree char *value = beckon_fixture_request_dup_header (request, name);

  g_assert_cmpstr (value, ==, expected);
}

/* --- What leaves -------------------------------------------------------------------------------------------------- */

static void
test_title (Fixture *fixture, gconstpointer data)
{
  const BeckonFixtureRequest *request;

  start (fixture, "", TOKEN);
  g_assert_false (beckon_channel_adapter_get_limits (fixture->adapter)->has_text);
  g_assert_false (beckon_channel_adapter_get_limits (fixture->adapter)->can_receive);
  g_assert_false (beckon_channel_adapter_get_limits (fixture->adapter)->can_edit);
  queue (fixture->server, 200, NULL);
  g_assert_no_error (send (fixture));
  request = beckon_fixture_server_get_request (fixture->server, 0);
  g_assert_cmpstr (request->method, ==, "POST");
  g_assert_cmpstr (request->path, ==, "/my-topic");
  g_assert_cmpstr (request->body, ==, "The agent has a question");
  assert_header (request, "Title", "Beckon");
  assert_header (request, "TTL", "86400");
  assert_header (request, "Authorization", "Bearer " TOKEN);
  assert_header (request, "Actions", "view, Show, beckon://conversation/" CONVERSATION);
  assert_lacks (request->head, "secret");
}

static void
test_text (Fixture *fixture, gconstpointer data)
{
  const BeckonFixtureRequest *request;

  start (fixture, ",\"text\":\"on\"", NULL);
  g_assert_true (beckon_channel_adapter_get_limits (fixture->adapter)->has_text);
  queue (fixture->server, 200, NULL);
  g_assert_no_error (send (fixture));
  request = beckon_fixture_server_get_request (fixture->server, 0);
  g_assert_cmpstr (request->body, ==, "The text, with a secret");
  assert_header (request, "Authorization", NULL);
}

/* --- What goes wrong ---------------------------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  guint status;
  const char *headers;
  int code;
  guint pause_s;
} faults[] = {
  { "401", 401, NULL, BECKON_CHANNEL_ERROR_SIGN_IN, 0 },
  { "403", 403, NULL, BECKON_CHANNEL_ERROR_SIGN_IN, 0 },
  { "404", 404, NULL, BECKON_CHANNEL_ERROR_REFUSED, 0 },
  { "410", 410, NULL, BECKON_CHANNEL_ERROR_REFUSED, 0 },
  { "413", 413, NULL, BECKON_CHANNEL_ERROR_REFUSED, 0 },
  { "429", 429, NULL, BECKON_CHANNEL_ERROR_LIMITED, 0 },
  { "429-after", 429, "Retry-After: 17\r\n", BECKON_CHANNEL_ERROR_LIMITED, 17 },
  { "500", 500, NULL, BECKON_CHANNEL_ERROR_NETWORK, 0 },
  { "507", 507, NULL, BECKON_CHANNEL_ERROR_NETWORK, 0 },
  { "elsewhere", 302, "Location: http://127.0.0.1:1/\r\n", BECKON_CHANNEL_ERROR_REFUSED, 0 },
};

static void
test_fault (Fixture *fixture, gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;

  start (fixture, "", TOKEN);
  queue (fixture->server, faults[i].status, faults[i].headers);
  error = send (fixture);
  g_assert_error (error, BECKON_CHANNEL_ERROR, faults[i].code);
  g_assert_cmpuint (beckon_channel_error_get_pause_s (error), ==, faults[i].pause_s);
  assert_lacks (error->message, "my-topic");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  g_assert_cmpint (beckon_channel_adapter_get_state (fixture->adapter), ==,
                   faults[i].code == BECKON_CHANNEL_ERROR_SIGN_IN ? BECKON_CHANNEL_SIGNED_OUT : BECKON_CHANNEL_CONNECTED);
}

static void
test_closed (Fixture *fixture, gconstpointer data)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  g_autoptr (GError) error = NULL;

  beckon_fixture_reply_add_close (reply);
  start (fixture, "", TOKEN);
  beckon_fixture_server_queue (fixture->server, reply);
  error = send (fixture);
  g_assert_error (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_NETWORK);
  assert_lacks (error->message, "my-topic");
}

static void
hold (Fixture *fixture)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_hold (reply, "gate");
  beckon_fixture_server_queue (fixture->server, reply);
}

/* Both the sender's own wish and the end of the adapter end it at once. */
static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GAsyncResult *sent = NULL;

  start (fixture, "", TOKEN);
  hold (fixture);
  begin (fixture, &sent, cancellable);
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->server, "gate") == 1);
  if (data != NULL)
    beckon_channel_adapter_stop (fixture->adapter);
  else
    g_cancellable_cancel (cancellable);
  error = end (fixture, &sent);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  beckon_fixture_server_release (fixture->server, "gate");
}

/* --- Settings ----------------------------------------------------------------------------------------------------- */

static void
test_settings (void)
{
  static const struct
  {
    const char *config;
    gboolean is_good;
  } cases[] = {
    { "{\"address\":\"https://ntfy.example/topic\"}", TRUE },
    { "{\"address\":\"https://ntfy.example/up123?up=1\",\"text\":\"off\"}", TRUE },
    { "{\"address\":\"https://ntfy.example/topic\",\"text\":\"on\"}", TRUE },
    { "{\"address\":\"https://ntfy.example/topic\",\"text\":\"yes\"}", FALSE },
    { "{\"address\":\"http://ntfy.example/topic\"}", FALSE },
    { "{\"address\":\"https://anna:pw@ntfy.example/topic\"}", FALSE },
    { "{\"address\":\"https://ntfy.example/topic?a#b\"}", FALSE },
    { "{\"address\":\"\"}", FALSE },
    { "{}", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonObject) config = beckon_json_parse_object (cases[i].config, -1, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (beckon_channel_kind_check (&beckon_push_kind, config, &error), ==, cases[i].is_good);
      if (!cases[i].is_good)
        g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

/* A topic is as good as a password: the keyring names the server alone. */
static void
test_server (void)
{
  g_autoptr (BeckonChannelAdapter) adapter = beckon_channel_kind_make_adapter (&beckon_push_kind);
  g_autoptr (JsonObject) config = beckon_json_parse_object ("{\"address\":\"https://ntfy.example:8443/up1?up=1\"}", -1, NULL);
  g_autofree char *server = beckon_channel_adapter_dup_server (adapter, config);

  g_assert_cmpstr (server, ==, "https://ntfy.example:8443");
}

/* --- With an agent ------------------------------------------------------------------------------------------------ */

static void
ask (BeckonChannelFixture *fixture)
{
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture->agent, 1);
}

/* Messages that were made more than thirty days ago. */
static guint
count_old (BeckonChannelFixture *fixture)
{
  gint64 then = beckon_clock_get_real_time (fixture->agent->clock) - 30 * G_TIME_SPAN_DAY;
  g_autofree char *sql = g_strdup_printf ("SELECT count (*) FROM channel_message WHERE channel LIKE '01PUSH%%' AND made_at < %"
                                          G_GINT64_FORMAT, then);
  g_autofree char *value = beckon_channel_fixture_dup_value (fixture, sql);

  return (guint) atoi (value);
}

/* The question is told without a word of it, and a failure is tried again after a pause. */
static void
test_question (void)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannelAccount *account = beckon_channel_account_new ("push", "Push");
  g_autofree char *address = g_strdup_printf ("http://127.0.0.1:%u", beckon_fixture_server_get_port (server));
  g_autofree char *secret_id = NULL;

  account->id = g_strdup ("01PUSH00000000000000000000");
  secret_id = beckon_channel_dup_secret_id (account);
  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, secret_id, address, TOKEN, NULL));
  g_free (account->config);
  account->config = dup_config (server, "");
  queue (server, 500, NULL);
  queue (server, 200, NULL);
  beckon_channel_fixture_save (fixture, account);
  g_assert_cmpstr (beckon_channel_get_account (beckon_channel_fixture_get (fixture, "Push"))->address, ==, "push");
  ask (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (server) == 1);
  while (beckon_fixture_server_count_requests (server) < 2)
    {
      beckon_channel_fixture_settle (fixture);
      beckon_clock_advance (fixture->agent->clock, 1000);
    }
  g_assert_cmpstr (beckon_fixture_server_get_request (server, 0)->body, ==, "The agent has a question");
  g_assert_cmpstr (beckon_fixture_server_get_request (server, 1)->body, ==, "The agent has a question");
  assert_header (beckon_fixture_server_get_request (server, 1), "Authorization", "Bearer " TOKEN);
  assert_has (beckon_fixture_server_get_request (server, 1)->head, "beckon://conversation/");
  beckon_agent_fixture_stop (fixture->agent);

  /* Messages are not kept for ever, though nobody writes back here. */
  beckon_clock_advance (fixture->agent->clock, 16 * 24 * 60 * 60 * 1000);
  beckon_clock_advance (fixture->agent->clock, 16 * 24 * 60 * 60 * 1000);
  g_assert_cmpuint (count_old (fixture), >, 0);
  queue (server, 200, NULL);
  ask (fixture);
  beckon_agent_wait_until ((beckon_clock_advance (fixture->agent->clock, 1000), count_old (fixture) == 0));
  beckon_agent_fixture_stop (fixture->agent);
}

int
main (int argc, char **argv)
{
  logged = g_string_new (NULL);
  g_log_set_writer_func (keep_log, NULL, NULL);
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/channels/push/title", Fixture, NULL, set_up, test_title, tear_down);
  g_test_add ("/channels/push/text", Fixture, NULL, set_up, test_text, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *path = g_strconcat ("/channels/push/fault/", faults[i].name, NULL);

      g_test_add (path, Fixture, GUINT_TO_POINTER (i), set_up, test_fault, tear_down);
    }
  g_test_add ("/channels/push/closed", Fixture, NULL, set_up, test_closed, tear_down);
  g_test_add ("/channels/push/cancel/by-sender", Fixture, NULL, set_up, test_cancel, tear_down);
  g_test_add ("/channels/push/cancel/by-stop", Fixture, GUINT_TO_POINTER (1), set_up, test_cancel, tear_down);
  g_test_add_func ("/channels/push/settings", test_settings);
  g_test_add_func ("/channels/push/server", test_server);
  g_test_add_func ("/channels/push/question", test_question);
  return g_test_run ();
}
