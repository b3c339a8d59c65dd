/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `beckonctl channel` as a person uses it, with a real keyring and servers on this computer. */

#include "beckon-config.h"

#include "base/beckon-json.h"
#include "beckon-cli-fixture.h"
#include "domain/beckon-channel-account.h"
#include "beckon-telegram-emulator.h"
#include "beckon-wechat-emulator.h"

#include <signal.h>
#include <string.h>

#define run(...) beckon_cli_fixture_run (fixture, "", "channel", __VA_ARGS__, NULL)

static BeckonCliFixture *
fixture_new (void)
{
  BeckonCliFixture *fixture = beckon_cli_fixture_new_with_model ();

  fixture->has_bus = TRUE;
  return fixture;
}

static void
add_telegram (BeckonCliFixture *fixture, BeckonTelegramEmulator *emulator)
{
  g_autofree char *server = g_strconcat ("server=", beckon_telegram_emulator_get_address (emulator), NULL);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, BECKON_TELEGRAM_EMULATOR_TOKEN "\n", "channel", "add", "telegram", "Phone",
                                           "--set", server, "--token-from-stdin", NULL),
                   ==, 0);
  beckon_cli_assert_says (fixture->errors, "beckonctl channel pair Phone");
}

static char *
dup_code (const char *text)
{
  const char *dash = strchr (text, '-');

  g_assert_nonnull (dash);
  g_assert_cmpint (dash - text, >=, 4);
  return g_strndup (dash - 4, 9);
}

/* The code goes to the phone as it is printed. */
static void
pair (BeckonCliFixture *fixture, BeckonTelegramEmulator *emulator)
{
  g_autoptr (BeckonCliProcess) process = beckon_cli_process_new_in_pipe (fixture, "channel", "pair", "Phone", NULL);
  g_autofree char *code = NULL;

  while (strchr (process->all->str, '\n') == NULL)
    beckon_cli_process_read (process);
  code = dup_code (process->all->str);
  beckon_telegram_emulator_write (emulator, 42, code, NULL);
  beckon_cli_process_wait (process, "Paired.");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

static JsonObject *
get_only (JsonNode *node)
{
  JsonArray *array = json_node_get_array (node);

  g_assert_cmpuint (json_array_get_length (array), ==, 1);
  return json_array_get_object_element (array, 0);
}

static void
assert_listed (BeckonCliFixture *fixture, const char *member, gboolean expected)
{
  g_autoptr (JsonNode) node = NULL;

  g_assert_cmpint (run ("list", "--json"), ==, 0);
  node = beckon_json_parse (fixture->output, -1, NULL);
  g_assert_nonnull (node);
  g_assert_cmpint (json_object_get_boolean_member (get_only (node), member), ==, expected);
}

static void
test_accounts (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonTelegramEmulator) emulator = beckon_telegram_emulator_new ();

  g_assert_cmpint (run ("list"), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
  g_assert_cmpint (run ("kinds"), ==, 0);
  beckon_cli_assert_says (fixture->output, "telegram\tTelegram");
  add_telegram (fixture, emulator);
  g_assert_null (strstr (fixture->output, "Secret"));
  g_assert_cmpint (run ("list"), ==, 0);
  beckon_cli_assert_says (fixture->output, "Phone\ttelegram\t");
  beckon_cli_assert_says (fixture->output, "\tnot paired\n");

  g_assert_cmpint (run ("set", "Phone", "--approvals", "on", "--quiet", "22:00-07:00"), ==, 0);
  assert_listed (fixture, "approvals", TRUE);
  g_assert_cmpint (run ("off", "Phone"), ==, 0);
  assert_listed (fixture, "on", FALSE);
  g_assert_cmpint (run ("pair", "Phone"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "beckonctl channel on");
  g_assert_cmpint (run ("on", "Phone"), ==, 0);
  assert_listed (fixture, "on", TRUE);
  g_assert_cmpint (run ("remove", "Phone"), ==, 0);
  g_assert_cmpint (run ("list"), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
}

static void
test_refusals (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonTelegramEmulator) emulator = beckon_telegram_emulator_new ();

  g_assert_cmpint (run ("add", "pigeon", "Phone"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "pigeon");
  g_assert_cmpint (run ("add", "telegram"), ==, 2);
  beckon_cli_assert_says (fixture->errors, "The channel's name is missing. “beckonctl channel --help” shows how it is used.");
  g_assert_cmpint (run ("frob"), ==, 2);
  beckon_cli_assert_says (fixture->errors, "“frob” is none of its commands.");
  g_assert_cmpint (run ("kinds", "--json"), ==, 2);
  beckon_cli_assert_says (fixture->errors, "Only “list” prints JSON.");
  g_assert_cmpint (run ("add", "telegram", "Phone"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "There is no token.");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "not a token\n", "channel", "add", "telegram", "Phone",
                                           "--token-from-stdin", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "This is not a bot token.");
#ifdef HAVE_XMPP
  g_assert_cmpint (run ("add", "xmpp", "Phone", "--set", "address=beckon@example.org"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "password");
#endif
  g_assert_cmpint (run ("test", "Phone"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Channel not found");
  add_telegram (fixture, emulator);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "1:x\n", "channel", "add", "telegram", "Phone", "--token-from-stdin", NULL),
                   ==, 1);
  beckon_cli_assert_says (fixture->errors, "already a channel");
  g_assert_cmpint (run ("set", "Phone", "--set", "colour=red"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "colour");
  g_assert_cmpint (run ("set", "Phone"), ==, 2);
  beckon_cli_assert_says (fixture->errors, "There is nothing to set.");
  g_assert_cmpint (run ("set", "Phone", "--folder", "/nonexistent"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Folder not found.");
  g_assert_cmpint (run ("set", "Phone", "--quiet", "late"), ==, 1);
  g_assert_cmpint (run ("set", "Phone", "--mode", "nothing"), ==, 1);
  g_assert_cmpint (run ("set", "Phone", "--profile", "Nobody"), ==, 1);
  g_assert_cmpint (run ("sign-in", "Phone"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "beckonctl channel set");
}

static void
test_pairing (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonTelegramEmulator) emulator = beckon_telegram_emulator_new ();
  g_autofree char *sent = NULL;

  add_telegram (fixture, emulator);
  g_assert_cmpint (run ("test", "Phone"), ==, 1);
  pair (fixture, emulator);
  assert_listed (fixture, "paired", TRUE);
  g_assert_cmpuint (beckon_telegram_emulator_count (emulator, "sendMessage"), ==, 1);
  g_assert_cmpint (run ("test", "Phone"), ==, 0);
  beckon_cli_assert_says (fixture->errors, "It works.");
  g_assert_cmpuint (beckon_telegram_emulator_count (emulator, "sendMessage"), ==, 2);
  g_assert_cmpint (run ("log", "Phone"), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
}

/* A code that was tried too often is void: the terminal says so, and another one pairs. */
static void
test_void_code (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonTelegramEmulator) emulator = beckon_telegram_emulator_new ();
  g_autoptr (BeckonCliProcess) process = NULL;

  add_telegram (fixture, emulator);
  process = beckon_cli_process_new_in_pipe (fixture, "channel", "pair", "Phone", NULL);
  beckon_cli_process_wait (process, "Send this code");
  for (guint i = 0; i < BECKON_CHANNEL_PAIR_TRIES; i++)
    beckon_telegram_emulator_write (emulator, 666, "ABCD1234", NULL);
  beckon_cli_process_wait (process, "This code is void");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 1);
  pair (fixture, emulator);
}

static void
answer (BeckonCliFixture *fixture, guint status)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, status, NULL, "application/json", "{}");
  beckon_fixture_server_queue (fixture->server, reply);
}

/* A channel by which messages only leave has no pairing, and refuses what is for a phone that answers. */
static void
test_push (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autofree char *address
      = g_strdup_printf ("address=http://127.0.0.1:%u/topic", beckon_fixture_server_get_port (fixture->server));

  g_assert_cmpint (run ("add", "push", "Ping", "--set", address), ==, 0);
  g_assert_cmpint (run ("list"), ==, 0);
  beckon_cli_assert_says (fixture->output, "Ping\tpush\t");
  g_assert_null (strstr (fixture->output, "paired"));
  g_assert_cmpint (run ("set", "Ping", "--approvals", "on"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Messages only leave by this channel");
  answer (fixture, 200);
  g_assert_cmpint (run ("test", "Ping"), ==, 0);
  beckon_cli_assert_says (fixture->errors, "It works.");
}

/* The first try that fails is told of, with its reason. */
static void
test_push_fails (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  gint64 begun = g_get_monotonic_time ();
  g_autofree char *address
      = g_strdup_printf ("address=http://127.0.0.1:%u/topic", beckon_fixture_server_get_port (fixture->server));

  g_assert_cmpint (run ("add", "push", "Ping", "--set", address), ==, 0);
  answer (fixture, 404);
  g_assert_cmpint (run ("test", "Ping"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "does not know this address");
  g_assert_cmpint (run ("set", "Ping", "--set", "address=http://127.0.0.1:9/topic"), ==, 0);
  g_assert_cmpint (run ("test", "Ping"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Nothing answers at 127.0.0.1");
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 50 * G_TIME_SPAN_SECOND);
}

/* The last word of the program that served is not about itself. */
static void
test_serve_fails (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonTelegramEmulator) emulator = beckon_telegram_emulator_new ();
  g_autoptr (BeckonCliProcess) process = NULL;

  add_telegram (fixture, emulator);
  beckon_telegram_emulator_fail (emulator, "getUpdates", 401,
                                 "{\"ok\":false,\"error_code\":401,\"description\":\"Unauthorized\"}", 1);
  process = beckon_cli_process_new_in_pipe (fixture, "channel", "serve", NULL);
  beckon_cli_process_wait (process, "does not take this token");
  kill (process->pid, SIGTERM);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  g_assert_null (strstr (process->all->str, "Not served"));
}

/* The program that serves tells the store a moment after it tells the terminal. */
static JsonObject *
wait_listed (BeckonCliFixture *fixture, const char *state)
{
  gint64 until = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;

  while (g_get_monotonic_time () < until)
    {
      g_autoptr (JsonNode) node = NULL;

      g_assert_cmpint (run ("list", "--json"), ==, 0);
      node = beckon_json_parse (fixture->output, -1, NULL);
      g_assert_nonnull (node);
      if (g_strcmp0 (beckon_json_get_string (get_only (node), "state"), state) == 0)
        return json_object_ref (get_only (node));
    }
  g_error ("the state is never %s", state);
}

static void
end (BeckonCliProcess *process)
{
  kill (process->pid, SIGTERM);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

/* How a channel is that another program serves, since when, and what last went wrong there. */
static void
test_state_elsewhere (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonTelegramEmulator) emulator = beckon_telegram_emulator_new ();
  g_autoptr (BeckonCliProcess) first = NULL;
  g_autoptr (BeckonCliProcess) second = NULL;
  g_autoptr (JsonObject) failing = NULL;
  g_autoptr (JsonObject) idle = NULL;
  g_autoptr (JsonObject) well = NULL;
  gint64 begun = g_get_real_time ();
  gint64 at;

  add_telegram (fixture, emulator);
  beckon_telegram_emulator_fail (emulator, "getUpdates", 401,
                                 "{\"ok\":false,\"error_code\":401,\"description\":\"Unauthorized\"}", 1);
  first = beckon_cli_process_new_in_pipe (fixture, "channel", "serve", NULL);
  failing = wait_listed (fixture, "signed-out");
  at = json_object_get_int_member (failing, "problem_at");
  beckon_cli_assert_says (beckon_json_get_string (failing, "problem"), "does not take this token");
  g_assert_cmpint (at, >=, begun);
  g_assert_cmpint (json_object_get_int_member (failing, "state_at"), ==, at);
  g_assert_cmpint (run ("list"), ==, 0);
  beckon_cli_assert_says (fixture->output, "Another window or terminal of Beckon serves it. Since ");
  beckon_cli_assert_says (fixture->output, "does not take this token");

  end (first);
  idle = wait_listed (fixture, NULL);
  g_assert_true (json_object_get_null_member (idle, "state_at"));
  g_assert_cmpint (json_object_get_int_member (idle, "problem_at"), ==, at);

  second = beckon_cli_process_new_in_pipe (fixture, "channel", "serve", NULL);
  well = wait_listed (fixture, "connected");
  g_assert_cmpint (json_object_get_int_member (well, "state_at"), >, at);
  g_assert_cmpint (json_object_get_int_member (well, "problem_at"), ==, at);
  g_assert_cmpint (run ("list"), ==, 0);
  beckon_cli_assert_says (fixture->output, "Connected, in another window or terminal of Beckon.");
  g_assert_null (strstr (fixture->output, "token"));
  end (second);
}

/* A bad token is told at once. */
static void
test_bad_token (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonTelegramEmulator) emulator = beckon_telegram_emulator_new ();

  add_telegram (fixture, emulator);
  beckon_telegram_emulator_fail (emulator, "getUpdates", 401,
                                 "{\"ok\":false,\"error_code\":401,\"description\":\"Unauthorized\"}", 1);
  g_assert_cmpint (run ("pair", "Phone"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "does not take this token");
}

/* A single process serves; another says so, and the first ends in order. */
static void
test_serve (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonTelegramEmulator) emulator = beckon_telegram_emulator_new ();
  g_autoptr (BeckonCliProcess) process = NULL;

  add_telegram (fixture, emulator);
  pair (fixture, emulator);
  process = beckon_cli_process_new_in_pipe (fixture, "channel", "serve", NULL);
  beckon_cli_process_wait (process, "Phone: Connected with Anna.");
  assert_listed (fixture, "served", TRUE);
  g_assert_cmpint (run ("test", "Phone"), ==, 1);
  beckon_cli_assert_says (fixture->errors, "serves this channel");
  kill (process->pid, SIGTERM);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  assert_listed (fixture, "served", FALSE);
}

static void
add_wechat (BeckonCliFixture *fixture, BeckonWechatEmulator *emulator)
{
  g_autofree char *server = g_strconcat ("server=", beckon_wechat_emulator_get_base (emulator), NULL);

  g_assert_cmpint (run ("add", "wechat", "Phone", "--set", server), ==, 0);
}

static void
assert_signed_in (BeckonCliFixture *fixture, BeckonWechatEmulator *emulator)
{
  g_autofree char *complaint = beckon_wechat_emulator_dup_complaint (emulator);
  g_autoptr (BeckonCliProcess) process = NULL;

  /* The sign-in is there for the next program. */
  process = beckon_cli_process_new_in_pipe (fixture, "channel", "serve", NULL);
  beckon_cli_process_wait (process, "Phone: Connected.");
  kill (process->pid, SIGTERM);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  g_assert_cmpstr (complaint, ==, NULL);
}

static void
test_sign_in (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonWechatEmulator) emulator = beckon_wechat_emulator_new ();
  g_autoptr (BeckonCliProcess) process = NULL;

  add_wechat (fixture, emulator);
  process = beckon_cli_process_new_in_pipe (fixture, "channel", "sign-in", "Phone", NULL);
#ifdef HAVE_QRENCODE
  beckon_cli_process_wait (process, "█");
#endif
  beckon_cli_process_wait (process, "Scan this code with the phone.");
  beckon_wechat_emulator_add_state (emulator, "scaned");
  beckon_cli_process_wait (process, "Confirm it on the phone.");
  beckon_wechat_emulator_add_state (emulator, "confirmed");
  beckon_cli_process_wait (process, "Connected.");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  assert_signed_in (fixture, emulator);
}

static void
test_sign_in_code (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonWechatEmulator) emulator = beckon_wechat_emulator_new ();
  g_autoptr (BeckonCliProcess) process = NULL;

  add_wechat (fixture, emulator);
  beckon_wechat_emulator_add_state (emulator, "scaned");
  beckon_wechat_emulator_add_state (emulator, "need_verifycode");
  process = beckon_cli_process_new_in_pipe (fixture, "channel", "sign-in", "Phone", NULL);
  beckon_cli_process_wait (process, "Enter the code that the phone shows:");
  beckon_cli_process_type (process, BECKON_WECHAT_EMULATOR_CODE);
  beckon_wechat_emulator_add_state (emulator, "confirmed");
  beckon_cli_process_wait (process, "Connected.");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  assert_signed_in (fixture, emulator);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/channel/accounts", test_accounts);
  g_test_add_func ("/cli/channel/refusals", test_refusals);
  g_test_add_func ("/cli/channel/pairing", test_pairing);
  g_test_add_func ("/cli/channel/void-code", test_void_code);
  g_test_add_func ("/cli/channel/bad-token", test_bad_token);
  g_test_add_func ("/cli/channel/push", test_push);
  g_test_add_func ("/cli/channel/push-fails", test_push_fails);
  g_test_add_func ("/cli/channel/serve-fails", test_serve_fails);
  g_test_add_func ("/cli/channel/state-elsewhere", test_state_elsewhere);
  g_test_add_func ("/cli/channel/serve", test_serve);
  g_test_add_func ("/cli/channel/sign-in", test_sign_in);
  g_test_add_func ("/cli/channel/sign-in-code", test_sign_in_code);
  return g_test_run ();
}
