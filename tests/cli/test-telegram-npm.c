/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A question over a Bot API that others wrote: npm's telegram-test-api. It knows no offsets and holds no polls, so that faults are
 * left to the emulator. BECKON_TELEGRAM_INSTALL puts it into BECKON_TELEGRAM_SERVER. */

#include "beckon-cli-fixture.h"

#include <libsoup/soup.h>
#include <signal.h>
#include <string.h>

#define TOKEN "123456:a-Token_of-the-suite"
#define DEADLINE_US (30 * G_TIME_SPAN_SECOND)

/* The bot's messages are not read by the person's client, so that the history keeps them. */
#define SCRIPT \
  "const Server = require ('telegram-test-api');" \
  "const server = new (Server.default || Server) ({ port: Number (process.argv[1]), host: '127.0.0.1' });" \
  "server.start ().then (() => console.log ('up'));"

typedef struct
{
  BeckonCliFixture *fixture;
  GSubprocess *node;
  SoupSession *session;
  char *address;
} World;

/* (nullable): why there is no such server. */
static const char *
install (void)
{
  const char *argv[] = { g_getenv ("BECKON_TELEGRAM_INSTALL"), g_getenv ("BECKON_TELEGRAM_SERVER"), NULL };
  g_autofree char *npm = g_find_program_in_path ("npm");
  g_autofree char *node = g_find_program_in_path ("node");
  int status = -1;

  if (npm == NULL || node == NULL)
    return "npm is not installed";
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                     NULL, &status, NULL)
      || status != 0)
    return "the server can't be fetched from npm";
  return NULL;
}

static guint16
find_port (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_socket_listener_close (listener);
  return port;
}

static void
start_server (World *world)
{
  g_autofree char *modules = g_build_filename (g_getenv ("BECKON_TELEGRAM_SERVER"), "node_modules", NULL);
  g_autofree char *port = g_strdup_printf ("%u", find_port ());
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GDataInputStream) output = NULL;
  g_autofree char *line = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_launcher_setenv (launcher, "NODE_PATH", modules, TRUE);
  world->node = g_subprocess_launcher_spawn (launcher, &error, "node", "-e", SCRIPT, port, NULL);
  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (world->node));
  line = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (line, ==, "up");
  world->address = g_strconcat ("http://127.0.0.1:", port, NULL);
}

/* Caller frees. */
static char *
post (World *world, const char *path, const char *json)
{
  g_autofree char *url = g_strconcat (world->address, path, NULL);
  g_autoptr (SoupMessage) message = soup_message_new ("POST", url);
  g_autoptr (GBytes) body = g_bytes_new (json, strlen (json));
  g_autoptr (GBytes) reply = NULL;
  g_autoptr (GError) error = NULL;

  soup_message_set_request_body_from_bytes (message, "application/json", body);
  reply = soup_session_send_and_read (world->session, message, NULL, &error);
  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (reply, NULL), g_bytes_get_size (reply));
}

#define PERSON "\"botToken\":\"" TOKEN "\",\"date\":1,\"from\":{\"id\":42,\"first_name\":\"Anna\",\"is_bot\":false}"
#define CHAT "\"chat\":{\"id\":42,\"type\":\"private\"}"

static void
write_phone (World *world, const char *text)
{
  g_autofree char *json = g_strdup_printf ("{" PERSON "," CHAT ",\"text\":\"%s\"}", text);
  g_autofree char *reply = post (world, "/sendMessage", json);

  g_assert_nonnull (strstr (reply, "\"ok\":true"));
}

static void
press (World *world, const char *data)
{
  g_autofree char *json = g_strdup_printf ("{" PERSON ",\"message\":{\"message_id\":1," CHAT "},\"data\":\"%s\"}", data);
  g_autofree char *reply = post (world, "/sendCallback", json);

  g_assert_nonnull (strstr (reply, "\"ok\":true"));
}

/* The history, once it has @words. Caller frees. */
static char *
wait_history (World *world, const char *words)
{
  gint64 until = g_get_monotonic_time () + DEADLINE_US;

  for (;;)
    {
      g_autofree char *history = post (world, "/getUpdatesHistory", "{\"token\":\"" TOKEN "\"}");

      if (strstr (history, words) != NULL)
        return g_steal_pointer (&history);
      if (g_get_monotonic_time () > until)
        g_error ("“%s” did not come: %s", words, history);
      g_usleep (20 * 1000);
    }
}

static void
add (World *world)
{
  g_autofree char *server = g_strconcat ("server=", world->address, NULL);

  g_assert_cmpint (beckon_cli_fixture_run (world->fixture, TOKEN "\n", "channel", "add", "telegram", "Phone", "--set", server,
                                           "--token-from-stdin", NULL),
                   ==, 0);
}

static void
pair (World *world)
{
  g_autoptr (BeckonCliProcess) process = beckon_cli_process_new_in_pipe (world->fixture, "channel", "pair", "Phone", NULL);
  g_autofree char *code = NULL;

  while (strchr (process->all->str, '\n') == NULL)
    beckon_cli_process_read (process);
  code = g_strndup (strchr (process->all->str, '-') - 4, 9);
  write_phone (world, code);
  beckon_cli_process_wait (process, "Paired.");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

static World *
world_new (void)
{
  World *world = g_new0 (World, 1);

  world->session = soup_session_new ();
  world->fixture = beckon_cli_fixture_new_with_model ();
  world->fixture->has_bus = TRUE;
  start_server (world);
  add (world);
  pair (world);
  return world;
}

static void
world_free (World *world)
{
  g_subprocess_force_exit (world->node);
  g_subprocess_wait (world->node, NULL, NULL);
  g_object_unref (world->node);
  g_object_unref (world->session);
  beckon_cli_fixture_free (world->fixture);
  g_free (world->address);
  g_free (world);
}

/* The code of the second button. */
static char *
dup_second (const char *history)
{
  const char *data = strstr (history, ":1\"}");
  const char *begin;

  g_assert_nonnull (data);
  begin = data;
  while (begin[-1] != '"')
    begin--;
  return g_strndup (begin, (gsize) (data - begin) + 2);
}

static void
test_round_trip (void)
{
  const char *missing = install ();
  World *world;
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *asked = NULL;
  g_autofree char *code = NULL;
  g_autofree char *closed = NULL;
  g_autofree char *done = NULL;

  if (missing != NULL)
    {
      g_test_skip (missing);
      return;
    }
  world = world_new ();
  beckon_cli_fixture_script (world->fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (world->fixture, beckon_fixture_reply_new_chat ("It is set"));
  process = beckon_cli_process_new_in_pipe (world->fixture, "channel", "serve", NULL);
  write_phone (world, "Set it up");
  asked = wait_history (world, "Which port?");
  code = dup_second (asked);
  press (world, code);
  closed = wait_history (world, "by the channel “Phone”");
  g_assert_nonnull (strstr (closed, "9090"));
  done = wait_history (world, "It is set");
  kill (process->pid, SIGTERM);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/telegram-npm/round-trip", test_round_trip);
  return g_test_run ();
}
