/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that every adapter does alike, by the one of the tests. */
#include "beckon-loopback-adapter.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <string.h>

typedef struct
{
  GPtrArray *texts;
  char *cursor;
  guint states;
} Heard;

static void
on_received (BeckonChannelAdapter *adapter, GPtrArray *messages, const char *cursor, gpointer user_data)
{
  Heard *heard = user_data;

  for (guint i = 0; i < messages->len; i++)
    g_ptr_array_add (heard->texts, g_strdup (((BeckonChannelIncoming *) g_ptr_array_index (messages, i))->text));
  g_free (heard->cursor);
  heard->cursor = g_strdup (cursor);
}

static void
on_state (BeckonChannelAdapter *adapter, gpointer user_data)
{
  ((Heard *) user_data)->states++;
}

static BeckonChannelAdapter *
make (Heard *heard, const char *cursor)
{
  BeckonChannelAdapter *adapter = beckon_channel_kind_make_adapter (&beckon_loopback_kind);
  g_autoptr (JsonObject) config = beckon_json_parse_object ("{\"hub\":\"one\"}", -1, NULL);
  const BeckonChannelStart start = { .config = config, .cursor = cursor };

  *heard = (Heard){ .texts = g_ptr_array_new_with_free_func (g_free) };
  g_signal_connect (adapter, "received", G_CALLBACK (on_received), heard);
  g_signal_connect (adapter, "state", G_CALLBACK (on_state), heard);
  beckon_channel_adapter_start (adapter, &start);
  return adapter;
}

static void
end (BeckonChannelAdapter *adapter, Heard *heard)
{
  g_object_unref (adapter);
  g_ptr_array_unref (heard->texts);
  g_free (heard->cursor);
  beckon_loopback_clear ();
}

/* Each wait is for one event that must come, or the test's timeout ends it. */
static void
wait_for (guint *count, guint least)
{
  while (*count < least)
    g_main_context_iteration (NULL, TRUE);
}

/* Members that an adapter has filled in are bounded before anybody sees it. */
static void
test_filled_in (void)
{
  Heard heard;
  BeckonChannelAdapter *adapter = make (&heard, NULL);
  g_autofree char *long_text = g_strnfill (BECKON_CHANNEL_TEXT_MAX + 10, 'x');
  BeckonChannelIncoming *incoming = beckon_channel_incoming_new ("1", "anna", long_text);
  g_autoptr (BeckonChannelIncoming) held = beckon_channel_incoming_ref (incoming);

  incoming->name = g_strdup (long_text);
  incoming->quote = g_strdup (long_text);
  incoming->context = g_strdup (long_text);
  beckon_channel_incoming_add_attachment (incoming, long_text, NULL, NULL, -1);
  beckon_channel_incoming_add_attachment (incoming, "file", NULL, NULL, -1);
  beckon_loopback_take (beckon_loopback_hub ("one"), incoming);
  while (heard.texts->len < 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (strlen (held->text), ==, BECKON_CHANNEL_TEXT_MAX);
  g_assert_cmpuint (strlen (held->name), ==, BECKON_CHANNEL_ID_MAX);
  g_assert_cmpuint (strlen (held->quote), ==, BECKON_CHANNEL_TEXT_MAX);
  g_assert_null (held->context);
  g_assert_cmpuint (held->attachments->len, ==, 1);
  end (adapter, &heard);
}

static void
test_receive (void)
{
  Heard heard;
  BeckonChannelAdapter *adapter = make (&heard, NULL);
  BeckonLoopbackHub *hub = beckon_loopback_hub ("one");

  g_assert_cmpint (beckon_channel_adapter_get_state (adapter), ==, BECKON_CHANNEL_CONNECTED);
  beckon_loopback_write (hub, "anna", "first", NULL);
  wait_for (&heard.texts->len, 1);
  g_assert_cmpstr (heard.cursor, ==, "1");

  /* The adapter asks for no more before that is stored. */
  beckon_loopback_write (hub, "anna", "second", NULL);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (heard.texts->len, ==, 1);
  beckon_channel_adapter_stored (adapter, heard.cursor);
  wait_for (&heard.texts->len, 2);
  g_assert_cmpstr (g_ptr_array_index (heard.texts, 1), ==, "second");
  end (adapter, &heard);
}

static void
test_unstored (void)
{
  Heard heard;
  BeckonChannelAdapter *adapter = make (&heard, NULL);

  beckon_loopback_write (beckon_loopback_hub ("one"), "anna", "first", NULL);
  wait_for (&heard.texts->len, 1);
  g_object_unref (adapter);
  g_ptr_array_unref (heard.texts);
  g_free (heard.cursor);

  adapter = make (&heard, NULL);
  wait_for (&heard.texts->len, 1);
  g_assert_cmpstr (g_ptr_array_index (heard.texts, 0), ==, "first");
  end (adapter, &heard);
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *id = beckon_channel_adapter_send_finish (BECKON_CHANNEL_ADAPTER (source), result, &error);
  char **end = user_data;

  *end = id != NULL ? g_steal_pointer (&id) : g_strdup (error->message);
}

static char *
send (BeckonChannelAdapter *adapter, GCancellable *cancellable, gboolean cancels)
{
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, "anna", "A question", "Which?");
  char *end = NULL;

  beckon_channel_outgoing_add_choice (outgoing, "This", "7k2m:0");
  beckon_channel_adapter_send_async (adapter, outgoing, cancellable, on_sent, &end);
  if (cancels)
    g_cancellable_cancel (cancellable);
  while (end == NULL)
    g_main_context_iteration (NULL, TRUE);
  return end;
}

static void
test_send (void)
{
  Heard heard;
  BeckonChannelAdapter *adapter = make (&heard, NULL);
  BeckonLoopbackHub *hub = beckon_loopback_hub ("one");
  g_autofree char *id = send (adapter, NULL, FALSE);
  g_autofree char *problem = NULL;

  g_assert_cmpstr (id, ==, "remote-0");
  g_assert_cmpstr (beckon_loopback_get_sent (hub, 0)->message->text, ==, "Which?");
  hub->failures = 1;
  hub->failure = BECKON_CHANNEL_ERROR_REFUSED;
  problem = send (adapter, NULL, FALSE);
  g_assert_cmpstr (problem, ==, "The hub says no.");
  g_assert_cmpuint (hub->sent->len, ==, 1);
  end (adapter, &heard);
}

static void
test_cancel_send (void)
{
  Heard heard;
  BeckonChannelAdapter *adapter = make (&heard, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *problem = NULL;

  beckon_loopback_hub ("one")->hangs = TRUE;
  problem = send (adapter, cancellable, TRUE);
  g_assert_nonnull (problem);
  g_assert_cmpuint (beckon_loopback_hub ("one")->sent->len, ==, 0);
  end (adapter, &heard);
}

static void
test_states (void)
{
  Heard heard;
  BeckonChannelAdapter *adapter = make (&heard, NULL);
  BeckonLoopbackHub *hub = beckon_loopback_hub ("one");

  g_assert_cmpuint (heard.states, ==, 1);
  beckon_loopback_wake (hub);
  g_assert_cmpuint (heard.states, ==, 1);
  hub->is_away = TRUE;
  beckon_loopback_wake (hub);
  g_assert_cmpuint (heard.states, ==, 2);
  g_assert_cmpstr (beckon_channel_adapter_get_problem (adapter), ==, "The hub is away.");
  beckon_channel_adapter_stop (adapter);
  g_assert_cmpint (beckon_channel_adapter_get_state (adapter), ==, BECKON_CHANNEL_OFF);
  g_assert_null (beckon_channel_adapter_get_problem (adapter));
  end (adapter, &heard);
}

static void
test_bounds (void)
{
  g_autofree char *long_text = g_strnfill (BECKON_CHANNEL_TEXT_MAX + 10, 'x');
  g_autofree char *wide = g_strconcat (long_text, NULL);
  g_autoptr (BeckonChannelIncoming) cut = NULL;
  g_autoptr (BeckonChannelIncoming) repaired = beckon_channel_incoming_new ("1", "anna", "a\xff" "b");

  /* A character of two bytes lies across the limit. */
  memcpy (wide + BECKON_CHANNEL_TEXT_MAX - 1, "\xc3\xa4", 2);
  cut = beckon_channel_incoming_new ("1", "anna", wide);
  g_assert_cmpuint (strlen (cut->text), ==, BECKON_CHANNEL_TEXT_MAX - 1);
  g_assert_cmpstr (repaired->text, ==, "a\357\277\275b");
  for (guint i = 0; i < 2 * BECKON_CHANNEL_MAX_ATTACHMENTS; i++)
    beckon_channel_incoming_add_attachment (repaired, "file", NULL, "image/png", 3);
  g_assert_cmpuint (repaired->attachments->len, ==, BECKON_CHANNEL_MAX_ATTACHMENTS);
}

static void
test_kind (void)
{
  g_autoptr (JsonObject) missing = beckon_json_parse_object ("{}", -1, NULL);
  g_autoptr (JsonObject) unknown = beckon_json_parse_object ("{\"hub\":\"one\",\"more\":\"x\"}", -1, NULL);
  g_autoptr (JsonObject) number = beckon_json_parse_object ("{\"hub\":1}", -1, NULL);
  g_autoptr (JsonObject) good = beckon_json_parse_object ("{\"hub\":\"one\"}", -1, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_channel_kind_check (&beckon_loopback_kind, missing, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_false (beckon_channel_kind_check (&beckon_loopback_kind, unknown, NULL));
  g_assert_false (beckon_channel_kind_check (&beckon_loopback_kind, number, NULL));
  g_assert_true (beckon_channel_kind_check (&beckon_loopback_kind, good, NULL));
  beckon_channel_kind_register (&beckon_loopback_kind);
  g_assert_true (beckon_channel_kind_find ("loopback") == &beckon_loopback_kind);
  g_assert_null (beckon_channel_kind_find ("pigeon"));
}

static void
test_backoff (void)
{
  for (guint i = 0; i < 100; i++)
    {
      g_assert_cmpuint (beckon_channel_backoff_ms (1, 1000, 60000), <=, 1000);
      g_assert_cmpuint (beckon_channel_backoff_ms (1, 1000, 60000), >=, 750);
      g_assert_cmpuint (beckon_channel_backoff_ms (3, 1000, 60000), >=, 3000);
      g_assert_cmpuint (beckon_channel_backoff_ms (G_MAXUINT, 1000, 60000), >=, 45000);
      g_assert_cmpuint (beckon_channel_backoff_ms (G_MAXUINT, 1000, 60000), <=, 60000);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/adapter/receive", test_receive);
  g_test_add_func ("/channels/adapter/unstored", test_unstored);
  g_test_add_func ("/channels/adapter/send", test_send);
  g_test_add_func ("/channels/adapter/cancel-send", test_cancel_send);
  g_test_add_func ("/channels/adapter/states", test_states);
  g_test_add_func ("/channels/adapter/bounds", test_bounds);
  g_test_add_func ("/channels/adapter/kind", test_kind);
  g_test_add_func ("/channels/adapter/backoff", test_backoff);
  g_test_add_func ("/channels/adapter/filled-in", test_filled_in);
  return g_test_run ();
}
