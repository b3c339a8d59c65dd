/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The real `beckonctl channel serve`, killed between any two steps of a message that comes or leaves. Afterwards all is as if
 * it had not been: each task was begun once, each question was answered once, each result was told once. A message of which
 * nobody knows whether it was sent is sent again. */

#include "beckon-cli-fixture.h"
#include "beckon-telegram-emulator.h"
#include "beckon-wechat-emulator.h"
#ifdef WITH_XMPP
#include "beckon-xmpp-case.h"
#endif

#include <signal.h>
#include <sqlite3.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define USER 42
#define DEADLINE_US (40 * G_TIME_SPAN_SECOND)

typedef struct _World World;

/* A server and the phone at it. */
typedef struct
{
  void (*start) (World *world);
  void (*stop) (World *world);
  void (*write) (World *world, const char *text);
  GPtrArray *(*list_sent) (World *world); /* texts of what was sent and is no edit (transfer full) */
} Phone;

struct _World
{
  const Phone *phone;
  gpointer server;
  BeckonCliFixture *fixture;
  BeckonCliProcess *process; /* (nullable) */
  char *order;               /* the file with the word at which it is killed */
  guint n_tasks;
  gboolean is_late; /* questions are not waited for, and outlive their run */
};

#define wait_for(condition)                                                \
  G_STMT_START                                                             \
  {                                                                        \
    gint64 until = g_get_monotonic_time () + DEADLINE_US;                  \
    while (!(condition))                                                   \
      {                                                                    \
        if (g_get_monotonic_time () > until)                               \
          g_error ("It did not come to pass: %s", #condition);             \
        while (g_main_context_iteration (NULL, FALSE))                     \
          ;                                                                \
        g_usleep (5000);                                                   \
      }                                                                    \
  }                                                                        \
  G_STMT_END

/* --- The model ---------------------------------------------------------------------------------------------------- */

/* The model asks without waiting, and its next request fails: the run ends before its question does. */
static BeckonFixtureReply *
answer_late (const char *body, guint number, const char *id)
{
  g_autofree char *told = g_strdup_printf ("earlier question \\\"Which port for Late Task %u?\\\"", number);
  g_autofree char *words = NULL;

  if (strstr (body, told) != NULL)
    {
      words = g_strdup_printf ("Done with %u.", number);
      return beckon_fixture_reply_new_chat (words);
    }
  if (strstr (body, id) != NULL)
    return beckon_script_error (400, NULL, "no");
  words = g_strdup_printf ("{\"question\":\"Which port for Late Task %u?\",\"choices\":[\"8080\",\"9090\"],\"wait\":false}",
                           number);
  return beckon_script_call (id, "ask_user", words);
}

/* The model asks once in each task, and is done when it has its answer; a request that comes again gets the same. */
static BeckonFixtureReply *
on_model (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  const char *task = request->body != NULL ? g_strrstr (request->body, "Task ") : NULL;
  guint number = task != NULL ? (guint) g_ascii_strtoull (task + strlen ("Task "), NULL, 10) : 0;
  const char *result = g_strrstr (request->body, "\"role\":\"tool\"");
  g_autofree char *id = g_strdup_printf ("call_%u", number);
  g_autofree char *words = NULL;

  if (task != NULL && task - request->body > 5 && strncmp (task - 5, "Late ", 5) == 0)
    return answer_late (request->body, number, id);
  if (result != NULL && strstr (result, id) != NULL)
    {
      words = g_strdup_printf ("Done with %u.", number);
      return beckon_fixture_reply_new_chat (words);
    }
  words = g_strdup_printf ("{\"question\":\"Which port for Task %u?\",\"choices\":[\"8080\",\"9090\"]}", number);
  return beckon_script_call (id, "ask_user", words);
}

/* --- Phones ------------------------------------------------------------------------------------------------------- */

static void
start_telegram (World *world)
{
  g_autofree char *server = NULL;

  world->server = beckon_telegram_emulator_new ();
  server = g_strconcat ("server=", beckon_telegram_emulator_get_address (world->server), NULL);
  g_assert_cmpint (beckon_cli_fixture_run (world->fixture, BECKON_TELEGRAM_EMULATOR_TOKEN "\n", "channel", "add", "telegram",
                                           "Phone", "--set", server, "--token-from-stdin", NULL),
                   ==, 0);
}

static void
stop_telegram (World *world)
{
  beckon_telegram_emulator_free (world->server);
}

static void
write_telegram (World *world, const char *text)
{
  beckon_telegram_emulator_write (world->server, USER, text, NULL);
}

static GPtrArray *
list_telegram (World *world)
{
  GPtrArray *sent = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < beckon_telegram_emulator_count (world->server, "sendMessage"); i++)
    g_ptr_array_add (sent, beckon_telegram_emulator_dup_call (world->server, "sendMessage", i));
  return sent;
}

static void
start_wechat (World *world)
{
  g_autofree char *server = NULL;

  world->server = beckon_wechat_emulator_new ();
  server = g_strconcat ("server=", beckon_wechat_emulator_get_base (world->server), NULL);
  g_assert_cmpint (beckon_cli_fixture_run (world->fixture, BECKON_WECHAT_EMULATOR_TOKEN "\n", "channel", "add", "wechat",
                                           "Phone", "--set", server, "--token-from-stdin", NULL),
                   ==, 0);
}

static void
stop_wechat (World *world)
{
  g_autofree char *complaint = beckon_wechat_emulator_dup_complaint (world->server);

  g_assert_cmpstr (complaint, ==, NULL);
  beckon_wechat_emulator_free (world->server);
}

static void
write_wechat (World *world, const char *text)
{
  beckon_wechat_emulator_set_time (world->server, g_get_real_time () / 1000);
  beckon_wechat_emulator_write (world->server, BECKON_WECHAT_EMULATOR_USER, text);
}

static GPtrArray *
list_wechat (World *world)
{
  GPtrArray *sent = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < beckon_wechat_emulator_count_sent (world->server); i++)
    g_ptr_array_add (sent, beckon_wechat_emulator_dup_sent (world->server, i));
  return sent;
}

static const Phone telegram = { start_telegram, stop_telegram, write_telegram, list_telegram };
static const Phone wechat = { start_wechat, stop_wechat, write_wechat, list_wechat };

#ifdef WITH_XMPP
static void
start_xmpp (World *world)
{
  g_autofree char *port = NULL;

  world->server = beckon_prosody_new ("good", NULL);
  port = g_strdup_printf ("port=%u", ((BeckonProsody *) world->server)->port);
  g_assert_cmpint (beckon_cli_fixture_run (world->fixture, BECKON_XMPP_PASSWORD "\n", "channel", "add", "xmpp", "Phone",
                                           "--set", "address=" BECKON_XMPP_ACCOUNT, "--set", "host=127.0.0.1", "--set", port,
                                           "--token-from-stdin", NULL),
                   ==, 0);
}

static void
stop_xmpp (World *world)
{
  beckon_prosody_free (world->server);
}

static void
write_xmpp (World *world, const char *text)
{
  static guint n;

  beckon_prosody_say (world->server,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "/phone' to='" BECKON_XMPP_ACCOUNT
                      "' id='m%u'><body>%s</body></message>",
                      ++n, text);
}

/* Corrections take the place of a message. */
static GPtrArray *
list_xmpp (World *world)
{
  g_auto (GStrv) parts = g_strsplit (((BeckonProsody *) world->server)->said->str, "<message", -1);
  GPtrArray *sent = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 1; i < g_strv_length (parts); i++)
    if (strstr (parts[i], "urn:xmpp:message-correct:0") == NULL)
      g_ptr_array_add (sent, g_strdup (parts[i]));
  return sent;
}

static const Phone xmpp = { start_xmpp, stop_xmpp, write_xmpp, list_xmpp };
#endif

/* How many messages say it. */
static guint
count_said (World *world, const char *words)
{
  g_autoptr (GPtrArray) sent = world->phone->list_sent (world);
  guint n = 0;

  for (guint i = 0; i < sent->len; i++)
    n += strstr (g_ptr_array_index (sent, i), words) != NULL;
  return n;
}

/* --- The store ---------------------------------------------------------------------------------------------------- */

static char *
dup_value (World *world, const char *sql)
{
  g_autofree char *folder = beckon_cli_fixture_dup_data_directory (world->fixture);
  g_autofree char *path = g_build_filename (folder, "beckon.db", NULL);
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  char *value;

  g_assert_cmpint (sqlite3_open_v2 (path, &database, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
  sqlite3_busy_timeout (database, 10000);
  g_assert_cmpint (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  value = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (database);
  return value;
}

static gint64
get_number (World *world, const char *sql)
{
  g_autofree char *value = dup_value (world, sql);

  return g_ascii_strtoll (value, NULL, 10);
}

static gboolean
is_at_rest (World *world)
{
  return get_number (world, "SELECT (SELECT count (*) FROM channel_message WHERE state IN ('queued', 'sending'))"
                            " + (SELECT count (*) FROM channel_inbound WHERE body IS NOT NULL)"
                            " + (SELECT count (*) FROM run WHERE open) + (SELECT count (*) FROM queued_message)")
         == 0;
}

/* --- The program -------------------------------------------------------------------------------------------------- */

static void
serve (World *world)
{
  g_clear_pointer (&world->process, beckon_cli_process_free);
  world->process = beckon_cli_process_new_in_pipe (world->fixture, "channel", "serve", NULL);
}

static void
arm (World *world, const char *point)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (world->order, point, -1, &error);
  g_assert_no_error (error);
}

static void
expect_killed (World *world)
{
  g_assert_cmpint (beckon_cli_process_finish (world->process), ==, -SIGKILL);
  g_unlink (world->order);
  serve (world);
}

static void
pair (World *world)
{
  g_autoptr (BeckonCliProcess) process = beckon_cli_process_new_in_pipe (world->fixture, "channel", "pair", "Phone", NULL);
  g_autofree char *code = NULL;

  beckon_cli_process_wait (process, "Send this code");
  code = dup_value (world, "SELECT pair_code FROM channel");
  world->phone->write (world, code);
  beckon_cli_process_wait (process, "Paired.");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

static World *
world_new (const Phone *phone)
{
  World *world = g_new0 (World, 1);

  world->phone = phone;
  world->order = g_strdup (g_getenv ("BECKON_KILL_AT"));
  world->fixture = beckon_cli_fixture_new_with_model ();
  world->fixture->has_bus = TRUE;
  beckon_fixture_server_set_handler (world->fixture->server, on_model, NULL);
  phone->start (world);
  pair (world);
  serve (world);
  return world;
}

static void
world_free (World *world)
{
  kill (world->process->pid, SIGTERM);
  g_assert_cmpint (beckon_cli_process_finish (world->process), ==, 0);
  beckon_cli_process_free (world->process);
  world->phone->stop (world);
  beckon_cli_fixture_free (world->fixture);
  g_free (world->order);
  g_free (world);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (World, world_free)

/* --- One task ----------------------------------------------------------------------------------------------------- */

/* @copies: a message of which nobody knows whether it was sent may come twice */
static void
assert_said (World *world, const char *words, guint copies)
{
  guint n = count_said (world, words);

  g_assert_cmpuint (n, >=, 1);
  g_assert_cmpuint (n, <=, copies);
}

static void
assert_once (World *world, gint64 n_tasks)
{
  g_assert_cmpint (get_number (world, "SELECT count (*) FROM message WHERE role = 'user'"), ==,
                   world->is_late ? 2 * n_tasks : n_tasks);
  g_assert_cmpint (get_number (world, "SELECT count (*) FROM request"), ==, n_tasks);
  g_assert_cmpint (get_number (world, "SELECT count (*) FROM settlement WHERE state = 'answered' AND front_end LIKE '%: Phone'"),
                   ==, n_tasks);
  g_assert_cmpint (get_number (world, "SELECT count (*) FROM conversation"), ==, 1);
  g_assert_cmpuint (count_said (world, "Begin your reply"), ==, 0);
  g_assert_cmpuint (count_said (world, "no longer open"), ==, 0);
}

/* @point: where it is killed; @answers: in the handling of the answer, not of the task */
static void
carry_out (World *world, const char *point, gboolean answers)
{
  guint number = ++world->n_tasks;
  g_autofree char *task = g_strdup_printf ("%sTask %u", world->is_late ? "Late " : "", number);
  g_autofree char *question = g_strdup_printf ("Which port for %s?", task);
  g_autofree char *done = g_strdup_printf ("Done with %u.", number);
  gboolean is_unsure = strcmp (point, "sent") == 0;

  g_test_message ("%s: killed at “%s” of the %s", task, point, answers ? "answer" : "task");
  if (!answers)
    arm (world, point);
  world->phone->write (world, task);
  if (!answers)
    expect_killed (world);
  wait_for (count_said (world, question) >= 1);
  if (world->is_late)
    wait_for (get_number (world, "SELECT count (*) FROM run WHERE phase = 'failed'") == (gint64)number);
  wait_for (get_number (world, "SELECT count (*) FROM channel_message WHERE state IN ('queued', 'sending')") == 0);
  if (answers)
    arm (world, point);
  world->phone->write (world, "2");
  if (answers)
    expect_killed (world);
  wait_for (count_said (world, done) >= 1);
  wait_for (is_at_rest (world));
  assert_said (world, question, !answers && is_unsure ? 2 : 1);
  assert_said (world, done, answers && is_unsure ? 2 : 1);
  assert_once (world, number);
}

static const char *const of_tasks[] = { "received", "stored", "queued", "handled", "taken", "sending", "sent" };
static const char *const of_answers[] = { "received", "stored", "settled", "handled", "taken", "sending", "sent" };

/* Without a server of its kind the case was skipped. */
static gboolean
can_run (const Phone *phone)
{
#ifdef WITH_XMPP
  return phone != &xmpp || beckon_prosody_can_run ();
#else
  return TRUE;
#endif
}

static void
test_tasks (gconstpointer phone)
{
  g_autoptr (World) world = NULL;

  if (!can_run (phone))
    return;
  world = world_new (phone);
  for (guint i = 0; i < G_N_ELEMENTS (of_tasks); i++)
    carry_out (world, of_tasks[i], FALSE);
}

static void
test_answers (gconstpointer phone)
{
  g_autoptr (World) world = NULL;

  if (!can_run (phone))
    return;
  world = world_new (phone);
  for (guint i = 0; i < G_N_ELEMENTS (of_answers); i++)
    carry_out (world, of_answers[i], TRUE);
}

/* A question that outlived its run is answered once, and its answer begins one run and is told once, wherever the program is
 * killed meanwhile. */
static void
test_late (gconstpointer phone)
{
  g_autoptr (World) world = NULL;

  if (!can_run (phone))
    return;
  world = world_new (phone);
  world->is_late = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (of_answers); i++)
    {
      carry_out (world, of_answers[i], TRUE);
      g_assert_cmpint (get_number (world, "SELECT count (*) FROM run"), ==, 2 * ((gint64)i + 1));
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *order = g_strdup_printf ("%s/beckon-kill-at-%d", g_get_tmp_dir (), (int) getpid ());

  /* Before there is a thread. */
  g_setenv ("BECKON_KILL_AT", order, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/recovery/channels/telegram/tasks", &telegram, test_tasks);
  g_test_add_data_func ("/recovery/channels/telegram/answers", &telegram, test_answers);
  g_test_add_data_func ("/recovery/channels/telegram/late", &telegram, test_late);
  g_test_add_data_func ("/recovery/channels/wechat/tasks", &wechat, test_tasks);
  g_test_add_data_func ("/recovery/channels/wechat/answers", &wechat, test_answers);
  g_test_add_data_func ("/recovery/channels/wechat/late", &wechat, test_late);
#ifdef WITH_XMPP
  g_test_add_data_func ("/recovery/channels/xmpp/tasks", &xmpp, test_tasks);
  g_test_add_data_func ("/recovery/channels/xmpp/answers", &xmpp, test_answers);
  g_test_add_data_func ("/recovery/channels/xmpp/late", &xmpp, test_late);
#endif
  return g_test_run ();
}
