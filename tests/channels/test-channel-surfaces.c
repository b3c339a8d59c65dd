/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that can answer a question answers it at once: three phones, the window, another program on the bus, another
 * process's store, and `beckonctl answer`. One is first, and every other one says who. */
#include "beckon-dbus-fixture.h"
#include "beckon-loopback-adapter.h"
#include "beckon-tree.h"
#include "channels/beckon-channels.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define N_PHONES 3
#define N_RACES (g_test_slow () ? 1000 : 60)
#define N_LATE_RACES (g_test_slow () ? 200 : 14)
#define SAID "already answered by"

typedef enum
{
  PHONE,
  TABLET,
  WATCH,
  WINDOW,
  BUS,
  PROCESS,
  TERMINAL,
  N_SURFACES,
} Surface;

/* As the store calls them. */
static const char *const front_ends[N_SURFACES]
    = { "loopback: Phone", "loopback: Tablet", "loopback: Watch", "window", "dbus", "process", "terminal" };
static const char *const names[N_PHONES] = { "Phone", "Tablet", "Watch" };

typedef struct
{
  BeckonDbusFixture *fixture;
  BeckonConversation *conversation;
  BeckonChannels *channels;
  BeckonAgentFixture *process;
  GDBusConnection *program;
  char *home;
  guint under_way;
  char *said[N_SURFACES]; /* (nullable): "" of the one that was first */
  guint won[N_SURFACES];
} World;

typedef struct
{
  World *world;
  Surface surface;
} Answering;

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

/* @said: (transfer full): why not; "" if it was first */
static void
note_said (Answering *answering, char *said)
{
  World *world = answering->world;

  g_assert_null (world->said[answering->surface]);
  world->said[answering->surface] = said;
  world->under_way--;
  g_free (answering);
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error);
  note_said (user_data, g_strdup (error != NULL ? error->message : ""));
}

static void
on_replied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  note_said (user_data, g_strdup (reply == NULL ? error->message : ""));
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GSubprocess *process = G_SUBPROCESS (source);
  g_autofree char *errors = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_communicate_utf8_finish (process, result, NULL, &errors, &error);
  g_assert_no_error (error);
  note_said (user_data, g_subprocess_get_exit_status (process) != 0 ? g_steal_pointer (&errors) : g_strdup (""));
  g_object_unref (process);
}

static void
run_terminal (World *world, const char *id, Answering *answering)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autofree char *data = g_build_filename (world->home, "data", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_subprocess_launcher_setenv (launcher, "HOME", world->home, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_DATA_HOME", data, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("BECKONCTL"), "answer", id, "1", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8_async (process, NULL, NULL, on_ended, answering);
}

/* The message with the buttons that was sent last. */
static guint
find_asked (BeckonLoopbackHub *hub)
{
  for (guint i = hub->sent->len; i > 0; i--)
    if (beckon_loopback_get_sent (hub, i - 1)->message->choices->len > 0)
      return i - 1;
  g_assert_not_reached ();
}

static void
press (Surface surface)
{
  BeckonLoopbackHub *hub = beckon_loopback_hub (names[surface]);

  beckon_loopback_press (hub, "anna", find_asked (hub), surface % 2);
}

static void
answer_from (World *world, Surface surface, const char *id)
{
  g_autoptr (BeckonAnswer) answer = beckon_script_pick ("8080");
  g_autofree char *json = beckon_answer_to_json (answer);
  BeckonInbox *inbox
      = surface == PROCESS ? world->process->inbox : beckon_runtime_get_inbox (world->fixture->runtime);
  Answering *answering;

  if (surface < N_PHONES)
    {
      press (surface);
      return;
    }
  answering = g_new (Answering, 1);
  *answering = (Answering){ world, surface };
  world->under_way++;
  if (surface == TERMINAL)
    run_terminal (world, id, answering);
  else if (surface == BUS)
    g_dbus_connection_call (world->program, BECKON_QUESTIONS_NAME, BECKON_QUESTIONS_PATH, BECKON_QUESTIONS_INTERFACE,
                            "Reply", g_variant_new ("(ss)", id, json), NULL, G_DBUS_CALL_FLAGS_NONE, 60 * 1000, NULL,
                            on_replied, answering);
  else
    beckon_inbox_settle_async (inbox, id, answer, front_ends[surface], "anna", NULL, on_settled, answering);
}

/* --- What everybody says ------------------------------------------------------------------------------------------ */

/* The phone's question has become one that says who answered. */
static gboolean
has_said (Surface phone)
{
  BeckonLoopbackHub *hub = beckon_loopback_hub (names[phone]);
  const BeckonLoopbackSent *asked = beckon_loopback_get_sent (hub, find_asked (hub));

  for (guint i = 0; i < hub->sent->len; i++)
    {
      const BeckonLoopbackSent *sent = beckon_loopback_get_sent (hub, i);

      if (g_strcmp0 (sent->message->edits, asked->remote_id) == 0 && strstr (sent->message->text, SAID) != NULL)
        return TRUE;
    }
  return FALSE;
}

static gboolean
have_all_said (void)
{
  return has_said (PHONE) && has_said (TABLET) && has_said (WATCH);
}

static Surface
find_winner (BeckonRequest *request)
{
  for (guint i = 0; i < N_SURFACES; i++)
    if (g_strcmp0 (beckon_request_get_front_end (request), front_ends[i]) == 0)
      return i;
  g_error ("“%s” answered", beckon_request_get_front_end (request));
}

static void
check_said (World *world, Surface winner)
{
  for (guint i = WINDOW; i < N_SURFACES; i++)
    {
      if (i == winner)
        g_assert_cmpstr (world->said[i], ==, "");
      else if (strstr (world->said[i], SAID) == NULL)
        g_error ("“%s” was first, and “%s” says “%s”", front_ends[winner], front_ends[i], world->said[i]);
      g_clear_pointer (&world->said[i], g_free);
    }
  world->won[winner]++;
}

/* --- A race ------------------------------------------------------------------------------------------------------- */

static void
shuffle (Surface *surfaces)
{
  for (guint i = N_SURFACES; i > 1; i--)
    {
      guint j = (guint) g_test_rand_int_range (0, (gint32) i);
      Surface kept = surfaces[i - 1];

      surfaces[i - 1] = surfaces[j];
      surfaces[j] = kept;
    }
}

static gboolean
were_all_asked (void)
{
  for (guint i = 0; i < N_PHONES; i++)
    {
      BeckonLoopbackHub *hub = beckon_loopback_hub (names[i]);

      if (hub->sent->len == 0 || beckon_loopback_get_sent (hub, hub->sent->len - 1)->message->choices->len == 0)
        return FALSE;
    }
  return TRUE;
}

static void
forget_sent (void)
{
  for (guint i = 0; i < N_PHONES; i++)
    g_ptr_array_set_size (beckon_loopback_hub (names[i])->sent, 0);
}

static BeckonRequest *
ask (World *world)
{
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (world->fixture->runtime));

  beckon_fixture_server_queue (world->fixture->server, beckon_script_ask ("call_7"));
  beckon_fixture_server_queue (world->fixture->server, beckon_fixture_reply_new_chat ("Done"));
  beckon_dbus_fixture_send_in (world->fixture, world->conversation, "Set it up");
  beckon_dbus_fixture_wait_pending (world->fixture, 1);
  beckon_agent_wait_until (were_all_asked ());
  return g_list_model_get_item (inbox, 0);
}

/* The model does not wait for the answer, and its run fails. */
static BeckonFixtureReply *
on_late_model (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  if (strstr (request->body, "My answer to your earlier question") != NULL)
    return beckon_fixture_reply_new_chat ("Done");
  if (strstr (request->body, "\"role\":\"tool\"") != NULL)
    return beckon_script_error (400, NULL, "no");
  return beckon_script_call ("call_7", "ask_user",
                             "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\"],\"wait\":false}");
}

/* The question is open behind its run. */
static BeckonRequest *
ask_late (World *world)
{
  BeckonRuntime *runtime = world->fixture->runtime;

  g_object_unref (world->conversation);
  world->conversation = g_object_ref (beckon_library_create (beckon_runtime_get_library (runtime)));
  beckon_dbus_fixture_send_in (world->fixture, world->conversation, "Set it up");
  beckon_dbus_fixture_wait_pending (world->fixture, 1);
  beckon_agent_wait_until (were_all_asked ());
  beckon_agent_wait_until (beckon_conversation_get_phase (world->conversation) == BECKON_RUN_FAILED);
  return g_list_model_get_item (G_LIST_MODEL (beckon_runtime_get_inbox (runtime)), 0);
}

/* The answer is a message once, in whichever process its run was. */
static void
check_told (World *world, guint nth)
{
  g_autofree char *path = g_build_filename (world->fixture->directory, "beckon.db", NULL);
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  int n = 0;

  g_assert_cmpint (sqlite3_open_v2 (path, &database, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
  sqlite3_busy_timeout (database, 10000);
  g_assert_cmpint (sqlite3_prepare_v2 (database, "SELECT count (*) FROM part WHERE origin LIKE 'answer:%'", -1, &statement, NULL),
                   ==, SQLITE_OK);
  beckon_agent_wait_until (sqlite3_reset (statement) == SQLITE_OK && sqlite3_step (statement) == SQLITE_ROW
                           && (n = sqlite3_column_int (statement, 0)) > (int) nth);
  g_assert_cmpint (n, ==, (int) nth + 1);
  sqlite3_finalize (statement);
  sqlite3_close (database);
}

/* A process needs longer to begin, and a phone's message longer to be read, than the others to answer: sometimes they are waited
 * for. */
static void
race_once (World *world, guint nth, BeckonRequest *request)
{
  Surface surfaces[N_SURFACES] = { PHONE, TABLET, WATCH, WINDOW, BUS, PROCESS, TERMINAL };
  const char *id = beckon_request_get_id (request);

  shuffle (surfaces);
  for (guint i = 0; i < N_SURFACES; i++)
    {
      answer_from (world, surfaces[i], id);
      if (surfaces[i] == TERMINAL && nth % 3 == 0)
        beckon_agent_wait_until (world->said[TERMINAL] != NULL);
      if (i == 0 && surfaces[i] < N_PHONES && nth % 3 == 1)
        beckon_agent_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
    }
  beckon_agent_wait_until (world->under_way == 0 && have_all_said ());
  beckon_agent_wait_until (!beckon_conversation_is_busy (world->conversation));
  beckon_agent_wait_until (beckon_loopback_hub ("Phone")->sent->len >= 1);
  check_said (world, find_winner (request));
  beckon_agent_fixture_settle ();
  forget_sent ();
}

/* --- The world ---------------------------------------------------------------------------------------------------- */

static void
add_phone (World *world, const char *name)
{
  g_autoptr (BeckonChannelAccount) account = beckon_channel_account_new ("loopback", name);
  GAsyncResult *result = NULL;
  BeckonChannel *channel;
  g_autofree char *code = NULL;

  g_free (account->config);
  account->config = g_strdup_printf ("{\"hub\":\"%s\"}", name);
  beckon_channels_save_async (world->channels, account, NULL, NULL, keep_result, &result);
  beckon_agent_wait_until (result != NULL);
  channel = beckon_channels_save_finish (world->channels, result, NULL);
  g_clear_object (&result);
  beckon_agent_wait_until (beckon_channel_get_state (channel) == BECKON_CHANNEL_CONNECTED);
  beckon_channels_pair_async (world->channels, channel, NULL, keep_result, &result);
  beckon_agent_wait_until (result != NULL);
  code = beckon_channels_pair_finish (world->channels, result, NULL);
  g_clear_object (&result);
  beckon_loopback_write (beckon_loopback_hub (name), "anna", code, NULL);
  beckon_agent_wait_until (beckon_loopback_hub (name)->sent->len == 1);
}

static void
open_channels (World *world)
{
  GAsyncResult *loaded = NULL;

  beckon_channel_kind_register (&beckon_loopback_kind);
  world->channels = beckon_channels_new_of (world->fixture->runtime);
  beckon_channels_load_async (world->channels, NULL, keep_result, &loaded);
  beckon_agent_wait_until (loaded != NULL);
  g_assert_true (beckon_channels_load_finish (world->channels, loaded, NULL));
  g_object_unref (loaded);
  beckon_channels_set_serving (world->channels, TRUE);
  for (guint i = 0; i < N_PHONES; i++)
    add_phone (world, names[i]);
  forget_sent ();
}

/* The terminal's data are ours. */
static void
make_home (World *world)
{
  g_autofree char *data = NULL;
  g_autofree char *place = NULL;

  world->home = g_dir_make_tmp ("beckon-home-XXXXXX", NULL);
  data = g_build_filename (world->home, "data", NULL);
  place = g_build_filename (data, "beckon", NULL);
  g_assert_cmpint (g_mkdir (data, 0700), ==, 0);
  g_assert_cmpint (symlink (world->fixture->directory, place), ==, 0);
}

static void
open_world (World *world)
{
  g_autofree char *address = NULL;
  g_autoptr (GError) error = NULL;

  world->fixture = beckon_dbus_fixture_new ();
  world->conversation = g_object_ref (beckon_library_create (beckon_runtime_get_library (world->fixture->runtime)));
  world->process = beckon_agent_fixture_new_over (world->fixture->directory, NULL);
  address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_assert_no_error (error);
  world->program = g_dbus_connection_new_for_address_sync (
      address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
      &error);
  g_assert_no_error (error);
  make_home (world);
  open_channels (world);
}

static void
close_world (World *world)
{
  beckon_channels_set_serving (world->channels, FALSE);
  beckon_agent_fixture_settle ();
  g_clear_object (&world->channels);
  g_clear_object (&world->conversation);
  g_dbus_connection_close_sync (world->program, NULL, NULL);
  g_clear_object (&world->program);
  beckon_agent_fixture_free (world->process);
  beckon_dbus_fixture_free (world->fixture);
  beckon_loopback_clear ();
  beckon_tree_remove (world->home);
  g_free (world->home);
}

static void
test_surfaces (void)
{
  World world = { 0 };
  gint64 began = g_get_monotonic_time ();

  open_world (&world);
  for (guint i = 0; i < (guint) N_RACES; i++)
    {
      g_autoptr (BeckonRequest) request = ask (&world);

      race_once (&world, i, request);
    }
  for (guint i = 0; i < N_SURFACES; i++)
    g_test_message ("%s was first %u times", front_ends[i], world.won[i]);
  g_test_message ("%u races in %.1f s", (guint) N_RACES, (double) (g_get_monotonic_time () - began) / G_USEC_PER_SEC);
  close_world (&world);
}

/* The same for a question that is open behind its run: whoever is first begins the run that tells it. */
static void
test_late_surfaces (void)
{
  World world = { 0 };

  open_world (&world);
  /* The other process has no model of its own, and leaves the run to the window. */
  beckon_agent_detach (world.process->agent);
  beckon_agent_set_adopts (beckon_runtime_get_agent (world.fixture->runtime), TRUE);
  beckon_fixture_server_set_handler (world.fixture->server, on_late_model, NULL);
  for (guint i = 0; i < (guint) N_LATE_RACES; i++)
    {
      g_autoptr (BeckonRequest) request = ask_late (&world);

      race_once (&world, i, request);
      check_told (&world, i);
    }
  for (guint i = 0; i < N_SURFACES; i++)
    g_test_message ("%s was first %u times", front_ends[i], world.won[i]);
  close_world (&world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/surfaces/asked", test_surfaces);
  g_test_add_func ("/channels/surfaces/behind-run", test_late_surfaces);
  return g_test_run ();
}
