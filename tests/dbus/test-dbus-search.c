/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conversations as GNOME Shell finds them: another program that calls over the bus. */

#include "beckon-dbus-fixture.h"

#include "dbus/beckon-search-provider.h"
#include "domain/beckon-link.h"

#include <string.h>

typedef struct
{
  BeckonDbusFixture *fixture;
  BeckonSearchProvider *provider;
  BeckonLink *link; /* (nullable): the last one activated */
  guint n_wanted;
  GVariant *reply; /* (nullable): of the last call */
} Desk;

static void
on_activated (Desk *desk, const BeckonLink *link)
{
  g_clear_pointer (&desk->link, beckon_link_free);
  desk->link = beckon_link_copy (link);
}

static void
on_wanted (Desk *desk)
{
  desk->n_wanted++;
}

static Desk *
desk_new (gboolean is_open)
{
  Desk *desk = g_new0 (Desk, 1);
  g_autoptr (GError) error = NULL;

  desk->fixture = beckon_dbus_fixture_new ();
  desk->provider = beckon_search_provider_new (NULL);
  g_signal_connect_swapped (desk->provider, "activated", G_CALLBACK (on_activated), desk);
  g_signal_connect_swapped (desk->provider, "wanted", G_CALLBACK (on_wanted), desk);
  beckon_search_provider_export (desk->provider, desk->fixture->connection, &error);
  g_assert_no_error (error);
  if (is_open)
    beckon_search_provider_set_runtime (desk->provider, desk->fixture->runtime);
  return desk;
}

static void
desk_free (Desk *desk)
{
  beckon_search_provider_withdraw (desk->provider);
  g_object_unref (desk->provider);
  beckon_dbus_fixture_free (desk->fixture);
  g_clear_pointer (&desk->link, beckon_link_free);
  g_clear_pointer (&desk->reply, g_variant_unref);
  g_free (desk);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Desk, desk_free)

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static void
begin (Desk *desk, const char *method, GVariant *parameters, GAsyncResult **answered)
{
  GDBusConnection *connection = desk->fixture->connection;

  g_dbus_connection_call (connection, g_dbus_connection_get_unique_name (connection), BECKON_SEARCH_PROVIDER_PATH,
                          BECKON_SEARCH_PROVIDER_INTERFACE, method, parameters, NULL, G_DBUS_CALL_FLAGS_NONE, 30000, NULL,
                          on_result, answered);
}

/* The reply is borrowed until the next call. */
static GVariant *
call (Desk *desk, const char *method, GVariant *parameters)
{
  g_autoptr (GAsyncResult) answered = NULL;
  g_autoptr (GError) error = NULL;

  begin (desk, method, parameters, &answered);
  beckon_agent_wait_until (answered != NULL);
  g_clear_pointer (&desk->reply, g_variant_unref);
  desk->reply = g_dbus_connection_call_finish (desk->fixture->connection, answered, &error);
  g_assert_no_error (error);
  return desk->reply;
}

static char **
search (Desk *desk, const char *word)
{
  const char *const words[] = { word, NULL };
  char **results;

  g_variant_get (call (desk, "GetInitialResultSet", g_variant_new ("(^as)", words)), "(^as)", &results);
  return results;
}

static BeckonConversation *
talk (Desk *desk, const char *asked, const char *said)
{
  BeckonConversation *conversation;

  beckon_fixture_server_queue (desk->fixture->server, beckon_fixture_reply_new_chat (said));
  conversation = beckon_dbus_fixture_send (desk->fixture, asked);
  beckon_agent_wait_until (beckon_conversation_get_phase (conversation) == BECKON_RUN_COMPLETE);
  return conversation;
}

/* The index is brought up to date when nobody waits. */
static char **
wait_for_results (Desk *desk, const char *word, guint n)
{
  char **results = NULL;

  beckon_agent_wait_until ((g_strfreev (results), results = search (desk, word)) != NULL && g_strv_length (results) == n);
  return results;
}

/* A conversation is one result, however often it holds the words; its place is that of the best. */
static void
test_results (void)
{
  g_autoptr (Desk) desk = desk_new (TRUE);
  BeckonConversation *first = talk (desk, "Where is the lighthouse?", "The lighthouse is on the rock.");
  g_autofree char *start = g_strconcat (beckon_conversation_get_id (first), "/", NULL);
  g_auto (GStrv) results = NULL;
  g_auto (GStrv) none = NULL;
  g_auto (GStrv) narrowed = NULL;
  g_autoptr (GVariantIter) metas = NULL;
  g_autoptr (GVariant) meta = NULL;
  const char *const words[] = { "lighthouse", "rock", NULL };
  const char *text;

  talk (desk, "Something else", "Nothing of it");
  results = wait_for_results (desk, "lighthouse", 1);
  g_assert_true (g_str_has_prefix (results[0], start));
  none = search (desk, "submarine");
  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_variant_get (call (desk, "GetSubsearchResultSet", g_variant_new ("(^as^as)", results, words)), "(^as)", &narrowed);
  g_assert_cmpuint (g_strv_length (narrowed), ==, 1);

  g_variant_get (call (desk, "GetResultMetas", g_variant_new ("(^as)", narrowed)), "(aa{sv})", &metas);
  g_assert_cmpuint (g_variant_iter_n_children (metas), ==, 1);
  meta = g_variant_iter_next_value (metas);
  g_assert_true (g_variant_lookup (meta, "id", "&s", &text));
  g_assert_cmpstr (text, ==, narrowed[0]);
  g_assert_true (g_variant_lookup (meta, "name", "&s", &text));
  g_assert_cmpstr (text, ==, "Where is the lighthouse?");
  g_assert_true (g_variant_lookup (meta, "description", "&s", &text));
  g_assert_nonnull (strstr (text, "rock"));
}

/* Results of a process that has ended are still named; what is gone is named by nothing. */
static void
test_unknown_results (void)
{
  g_autoptr (Desk) desk = desk_new (TRUE);
  BeckonConversation *conversation = talk (desk, "Where is the lighthouse?", "On the rock.");
  g_autofree char *earlier = g_strconcat (beckon_conversation_get_id (conversation), "/m", NULL);
  const char *const ids[] = { earlier, "gone/", NULL };
  g_autoptr (GVariantIter) metas = NULL;
  const char *const expected[] = { "Where is the lighthouse?", "" };

  g_variant_get (call (desk, "GetResultMetas", g_variant_new ("(^as)", ids)), "(aa{sv})", &metas);
  g_assert_cmpuint (g_variant_iter_n_children (metas), ==, G_N_ELEMENTS (expected));
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (GVariant) meta = g_variant_iter_next_value (metas);
      const char *name;

      g_assert_true (g_variant_lookup (meta, "name", "&s", &name));
      g_assert_cmpstr (name, ==, expected[i]);
    }
}

static void
test_activation (void)
{
  g_autoptr (Desk) desk = desk_new (TRUE);
  const char *const words[] = { "two", "words", NULL };

  call (desk, "ActivateResult", g_variant_new ("(s^asu)", "a/b", words, 0));
  g_assert_cmpint (desk->link->kind, ==, BECKON_LINK_CONVERSATION);
  g_assert_cmpstr (desk->link->conversation_id, ==, "a");
  g_assert_cmpstr (desk->link->message_id, ==, "b");
  g_assert_cmpstr (desk->link->text, ==, "two words");

  call (desk, "ActivateResult", g_variant_new ("(s^asu)", "a/", words, 0));
  g_assert_null (desk->link->message_id);

  call (desk, "LaunchSearch", g_variant_new ("(^asu)", words, 0));
  g_assert_cmpint (desk->link->kind, ==, BECKON_LINK_SEARCH);
  g_assert_cmpstr (desk->link->text, ==, "two words");
}

/* A call starts the program; it is answered once the history is open. */
static void
test_waits_for_runtime (void)
{
  g_autoptr (Desk) desk = desk_new (FALSE);
  const char *const words[] = { "lighthouse", NULL };
  g_autoptr (GAsyncResult) answered = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  begin (desk, "GetInitialResultSet", g_variant_new ("(^as)", words), &answered);
  beckon_agent_wait_until (desk->n_wanted == 1);
  g_assert_true (beckon_search_provider_is_wanted (desk->provider));
  beckon_search_provider_set_runtime (desk->provider, desk->fixture->runtime);
  beckon_agent_wait_until (answered != NULL);
  reply = g_dbus_connection_call_finish (desk->fixture->connection, answered, &error);
  g_assert_no_error (error);
  g_assert_false (beckon_search_provider_is_wanted (desk->provider));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/dbus/search/results", test_results);
  g_test_add_func ("/dbus/search/unknown-results", test_unknown_results);
  g_test_add_func ("/dbus/search/activation", test_activation);
  g_test_add_func ("/dbus/search/waits-for-runtime", test_waits_for_runtime);

  return g_test_run ();
}
