/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-dbus-fixture.h"

#include "domain/beckon-request-error.h"

#include <signal.h>
#include <string.h>

/* Four surfaces at once: the window and a notification in this process, another program on the bus, and a terminal with a
 * store of its own. */

#define CONVERSATIONS 50
#define CALLS 4
#define RACES 20

typedef enum
{
  WINDOW,
  NOTIFICATION,
  BUS,
  TERMINAL,
  N_SURFACES,
} Surface;

typedef struct
{
  BeckonDbusFixture *fixture;
  BeckonAgentFixture *terminal;
  GDBusConnection *program;
  guint under_way;
  guint won;
  guint lost;
} Surfaces;

static void
count (Surfaces *surfaces, gboolean won, gboolean too_late)
{
  g_assert_true (won || too_late);
  surfaces->won += won;
  surfaces->lost += !won;
  surfaces->under_way--;
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  gboolean won = beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error);

  count (user_data, won, g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED));
}

static void
on_replied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  g_autofree char *name = error != NULL ? g_dbus_error_get_remote_error (error) : NULL;

  count (user_data, reply != NULL, g_strcmp0 (name, BECKON_QUESTIONS_ERROR ("AlreadySettled")) == 0);
}

static void
answer (Surfaces *surfaces, Surface surface, const char *id, const char *text)
{
  g_autofree char *json = g_strdup_printf ("{\"kind\":\"question\",\"items\":[{\"text\":\"%s\"}]}", text);
  g_autoptr (BeckonAnswer) typed = beckon_script_type (text);
  BeckonInbox *inbox = beckon_runtime_get_inbox (surfaces->fixture->runtime);

  surfaces->under_way++;
  if (surface == BUS)
    g_dbus_connection_call (surfaces->program, BECKON_QUESTIONS_NAME, BECKON_QUESTIONS_PATH, BECKON_QUESTIONS_INTERFACE,
                            "Reply", g_variant_new ("(ss)", id, json), NULL, G_DBUS_CALL_FLAGS_NONE, 60 * 1000, NULL,
                            on_replied, surfaces);
  else if (surface == TERMINAL)
    beckon_inbox_settle_async (surfaces->terminal->inbox, id, typed, "terminal", NULL, NULL, on_settled, surfaces);
  else
    beckon_inbox_settle_async (inbox, id, typed, surface == WINDOW ? "window" : "notification", NULL, NULL, on_settled,
                               surfaces);
}

/* Asks once in every conversation, with several calls; then it has heard enough. */
static BeckonFixtureReply *
ask_first (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  static const BeckonScriptCall calls[CALLS] = {
    { "c1", "ask_user", "{\"question\":\"One?\"}" },
    { "c2", "ask_user", "{\"question\":\"Two?\"}" },
    { "c3", "ask_user", "{\"question\":\"Three?\"}" },
    { "c4", "ask_user", "{\"question\":\"Four?\"}" },
  };

  if (strstr (request->body, "\"tool_call_id\"") != NULL)
    return beckon_fixture_reply_new_chat ("Done");
  return beckon_script_calls (NULL, calls, CALLS, "tool_calls");
}

static void
surfaces_open (Surfaces *surfaces, BeckonDbusFixture *fixture)
{
  g_autofree char *address = NULL;
  g_autoptr (GError) error = NULL;

  surfaces->fixture = fixture;
  surfaces->terminal = beckon_agent_fixture_new_over (fixture->directory, NULL);
  address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_assert_no_error (error);
  surfaces->program = g_dbus_connection_new_for_address_sync (
      address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
      &error);
  g_assert_no_error (error);
}

static void
surfaces_close (Surfaces *surfaces)
{
  g_dbus_connection_close_sync (surfaces->program, NULL, NULL);
  g_clear_object (&surfaces->program);
  beckon_agent_fixture_free (surfaces->terminal);
}

static gboolean
are_complete (GPtrArray *conversations)
{
  for (guint i = 0; i < conversations->len; i++)
    if (beckon_conversation_get_phase (g_ptr_array_index (conversations, i)) != BECKON_RUN_COMPLETE)
      return FALSE;

  return TRUE;
}

/* Every call of every conversation has the answer to its own question. */
static void
assert_uncrossed (BeckonConversation *conversation)
{
  BeckonMessage *message = beckon_conversation_get_message (conversation, 1);

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));
      BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));
      g_autofree char *expected = g_strconcat ("for ", beckon_request_get_id (request), NULL);

      g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_ANSWERED);
      g_assert_cmpstr (beckon_tool_call_get_result (call), ==, expected);
    }
}

/* 200 questions of 50 conversations, in any order, from all four: none is lost, doubled, or given to another. */
static void
test_many (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (fixture->runtime));
  g_autoptr (GPtrArray) conversations = g_ptr_array_new ();
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  Surfaces surfaces = { 0 };

  beckon_fixture_server_set_handler (fixture->server, ask_first, NULL);
  surfaces_open (&surfaces, fixture);
  for (guint i = 0; i < CONVERSATIONS; i++)
    g_ptr_array_add (conversations, beckon_dbus_fixture_send (fixture, "Hello"));
  beckon_dbus_fixture_wait_pending (fixture, CONVERSATIONS * CALLS);

  for (guint i = 0; i < CONVERSATIONS * CALLS; i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);

      g_ptr_array_insert (ids, g_test_rand_int_range (0, (gint32) ids->len + 1), g_strdup (beckon_request_get_id (request)));
    }
  for (guint i = 0; i < ids->len; i++)
    {
      g_autofree char *text = g_strconcat ("for ", (char *) g_ptr_array_index (ids, i), NULL);

      answer (&surfaces, (Surface) g_test_rand_int_range (0, N_SURFACES), g_ptr_array_index (ids, i), text);
    }

  beckon_agent_wait_until (surfaces.under_way == 0 && are_complete (conversations));
  g_assert_cmpuint (surfaces.won, ==, CONVERSATIONS * CALLS);
  g_assert_cmpuint (g_list_model_get_n_items (inbox), ==, 0);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2 * CONVERSATIONS);
  for (guint i = 0; i < conversations->len; i++)
    assert_uncrossed (g_ptr_array_index (conversations, i));
  surfaces_close (&surfaces);
}

/* All four answer one question at once: one of them wins, and the model hears it once. */
static void
test_one_winner (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  Surfaces surfaces = { 0 };

  surfaces_open (&surfaces, fixture);
  for (guint i = 0; i < RACES; i++)
    {
      g_autoptr (BeckonRequest) request = g_object_ref (beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1")));
      BeckonConversation *conversation = beckon_library_lookup (beckon_runtime_get_library (fixture->runtime),
                                                                beckon_request_get_conversation_id (request));
      guint first = (guint) g_test_rand_int_range (0, N_SURFACES);

      beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
      surfaces.won = surfaces.lost = 0;
      for (guint j = 0; j < N_SURFACES; j++)
        answer (&surfaces, (Surface) ((first + j) % N_SURFACES), beckon_request_get_id (request), "7070");
      beckon_agent_wait_until (surfaces.under_way == 0
                               && beckon_conversation_get_phase (conversation) == BECKON_RUN_COMPLETE);
      g_assert_cmpuint (surfaces.won, ==, 1);
      g_assert_cmpuint (surfaces.lost, ==, N_SURFACES - 1);
      g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2 * (i + 1));
    }
  surfaces_close (&surfaces);
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dbus/race/many", test_many);
  g_test_add_func ("/dbus/race/one-winner", test_one_winner);
  return g_test_run ();
}
