/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks that break, servers that restart, too much at once, and ends in every phase, with a real prosody on
 * loopback. */
#include "beckon-xmpp-case.h"

#include "channels/beckon-xmpp-wire.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* --- Breaks ------------------------------------------------------------------------------------------------------- */

/* A cut is nothing that anyone notices: what is written meanwhile comes, once, and what is sent arrives, once. */
static void
test_resume (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin_behind_network (&self);
  beckon_xmpp_case_write (&self, "a1", "before");
  beckon_xmpp_case_wait (&self, 1);
  beckon_cut_proxy_cut (self.network);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTING);
  beckon_xmpp_case_write (&self, "a2", "meanwhile");
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTED);
  beckon_xmpp_case_wait (&self, 2);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 1)->text, ==, "meanwhile");
  beckon_xmpp_case_wait_log (&self, "Sending[c2s]: <resumed");
  g_free (beckon_xmpp_case_send (&self, "after", NULL));
  beckon_prosody_wait (self.prosody, "<body>after</body>");
  beckon_xmpp_case_write (&self, "a3", "end");
  beckon_xmpp_case_wait (&self, 3);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 2)->text, ==, "end");
  beckon_xmpp_case_close (&self);
}

/* A message of which the server said nothing when the connection broke is sent again with the session, and its end is
 * told. */
static void
test_send_over_cut (void)
{
  BeckonXmppCase self;
  g_autoptr (BeckonChannelOutgoing) outgoing
      = beckon_channel_outgoing_new (NULL, BECKON_XMPP_ANNA, "A question", "over the cut");
  char *end = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin_behind_network (&self);
  g_free (beckon_xmpp_case_send (&self, "first", NULL));
  beckon_cut_proxy_hold_after (self.network, 0);
  beckon_channel_adapter_send_async (self.adapter, outgoing, NULL, beckon_xmpp_case_on_sent, &end);
  for (guint i = 0; i < 20; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10 * 1000);
    }
  g_assert_null (end);
  beckon_cut_proxy_cut (self.network);
  beckon_cut_proxy_hold_after (self.network, -1);
  beckon_xmpp_case_wait_end (&end);
  g_assert_cmpstr (end, ==, outgoing->id);
  beckon_prosody_wait (self.prosody, "<body>over the cut</body>");
  g_free (beckon_xmpp_case_send (&self, "last", NULL));
  beckon_prosody_wait (self.prosody, "<body>last</body>");
  g_assert_cmpuint (beckon_prosody_count (self.prosody, "<body>over the cut</body>"), ==, 1);
  g_assert_cmpuint (beckon_prosody_count (self.prosody, "<body>first</body>"), ==, 1);
  g_free (end);
  beckon_xmpp_case_close (&self);
}

/* A second cut finds counters that still hold, or is known not to. */
static void
test_resume_twice (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin_behind_network (&self);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *text = g_strdup_printf ("round %u", i);
      g_autofree char *id = beckon_xmpp_case_send (&self, text, NULL);
      g_autofree char *part = g_strdup_printf ("<body>%s</body>", text);

      g_assert_false (g_str_has_prefix (id, "! "));
      beckon_prosody_wait (self.prosody, part);
      beckon_xmpp_case_write (&self, text, text);
      beckon_xmpp_case_wait (&self, i + 1);
      beckon_cut_proxy_cut (self.network);
      beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTING);
      beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTED);
      g_assert_cmpuint (beckon_prosody_count (self.prosody, part), ==, 1);
    }
  g_assert_cmpuint (self.messages->len, ==, 3);
  g_assert_cmpuint (beckon_xmpp_case_count_log (&self, "Sending[c2s]: <resumed"), >=, 2);
  beckon_xmpp_case_close (&self);
}

/* A session that the server no longer has is made anew, and its counters begin anew. */
static void
test_lost_session (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin_behind_network (&self);
  g_free (beckon_xmpp_case_send (&self, "before", NULL));
  beckon_prosody_stop (self.prosody, FALSE);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTING);
  beckon_prosody_start (self.prosody);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTED);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *id = beckon_xmpp_case_send (&self, "after", NULL);

      g_assert_false (g_str_has_prefix (id, "! "));
    }
  beckon_xmpp_case_write (&self, "a1", "Hello");
  beckon_xmpp_case_wait (&self, 1);
  beckon_cut_proxy_cut (self.network);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTING);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTED);
  beckon_xmpp_case_write (&self, "a2", "Hello again");
  beckon_xmpp_case_wait (&self, 2);
  g_free (beckon_xmpp_case_send (&self, "last", NULL));
  beckon_prosody_wait (self.prosody, "<body>last</body>");
  g_assert_cmpuint (beckon_prosody_count (self.prosody, "<body>after</body>"), ==, 3);
  g_assert_cmpuint (beckon_prosody_count (self.prosody, "<body>before</body>"), ==, 0);
  beckon_xmpp_case_close (&self);
}

static void
test_server_restart (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_prosody_stop (self.prosody, TRUE);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTING);
  beckon_prosody_start (self.prosody);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTED);
  g_free (beckon_xmpp_case_send (&self, "back", NULL));
  beckon_prosody_wait (self.prosody, "<body>back</body>");
  beckon_xmpp_case_close (&self);
}

/* Messages that are not stored when the program ends come again. */
static void
test_unstored (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  self.holds = TRUE;
  beckon_xmpp_case_write (&self, "a1", "first");
  beckon_xmpp_case_write (&self, "a2", "second");
  beckon_xmpp_case_wait (&self, 1);
  beckon_channel_adapter_stored (self.adapter, NULL);
  beckon_xmpp_case_wait (&self, 2);
  beckon_channel_adapter_stop (self.adapter);
  g_ptr_array_set_size (self.messages, 0);
  self.holds = FALSE;
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_wait (&self, 1);
  while (g_strcmp0 (beckon_xmpp_case_get (&self, self.messages->len - 1)->text, "second") != 0)
    g_main_context_iteration (NULL, TRUE);
  beckon_xmpp_case_close (&self);
}

static void
test_offline (void)
{
  BeckonXmppCase self;
  gint64 before = g_get_real_time ();

  if (!beckon_xmpp_case_open (&self, "good",
                              "modules_enabled = { \"roster\", \"saslauth\", \"tls\", \"smacks\", \"offline\" }\n"))
    return;
  beckon_xmpp_case_write (&self, "a1", "while away");
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_wait (&self, 1);
  g_assert_cmpint (beckon_xmpp_case_get (&self, 0)->at, >=, before - G_TIME_SPAN_SECOND);
  g_assert_cmpint (beckon_xmpp_case_get (&self, 0)->at, <=, g_get_real_time ());
  beckon_xmpp_case_close (&self);
}

static void
test_no_management (void)
{
  BeckonXmppCase self;
  g_autofree char *id = NULL;

  if (!beckon_xmpp_case_open (&self, "good", "modules_disabled = { \"s2s\", \"smacks\" }\n"))
    return;
  beckon_xmpp_case_begin_behind_network (&self);
  id = beckon_xmpp_case_send (&self, "Hello", NULL);
  g_assert_false (g_str_has_prefix (id, "! "));
  beckon_prosody_wait (self.prosody, "<body>Hello</body>");
  beckon_cut_proxy_cut (self.network);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTING);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTED);
  beckon_xmpp_case_write (&self, "a1", "Hello");
  beckon_xmpp_case_wait (&self, 1);
  beckon_xmpp_case_close (&self);
}

static void
test_conflict (void)
{
  BeckonXmppCase self;
  BeckonXmppCase other = { 0 };

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_make_adapter (&other);
  beckon_xmpp_case_start_at (&other, self.prosody->port, BECKON_XMPP_PASSWORD);
  beckon_xmpp_case_wait_state (&other, BECKON_CHANNEL_CONNECTED);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTING);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTED);
  g_assert_cmpint (beckon_channel_adapter_get_state (other.adapter), ==, BECKON_CHANNEL_CONNECTED);
  g_object_unref (other.adapter);
  g_ptr_array_unref (other.messages);
  beckon_xmpp_case_close (&self);
}

/* --- Limits ------------------------------------------------------------------------------------------------------- */

#define FLOOD 500

static void
test_flood (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  self.holds = TRUE;
  for (guint i = 0; i < FLOOD; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      beckon_xmpp_case_write (&self, text, text);
    }
  for (guint i = 0; i < FLOOD; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      beckon_xmpp_case_wait (&self, i + 1);
      g_assert_cmpstr (beckon_xmpp_case_get (&self, i)->text, ==, text);
      g_assert_cmpuint (self.messages->len, ==, i + 1);
      beckon_channel_adapter_stored (self.adapter, NULL);
    }
  beckon_xmpp_case_close (&self);
}

static void
test_long (void)
{
  BeckonXmppCase self;
  g_autofree char *body = g_strnfill (200 * 1000, 'x');

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_write (&self, "a1", body);
  beckon_xmpp_case_write (&self, "a2", "short");
  beckon_xmpp_case_wait (&self, 2);
  g_assert_cmpuint (strlen (beckon_xmpp_case_get (&self, 0)->text), ==, BECKON_CHANNEL_TEXT_MAX);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 1)->text, ==, "short");
  beckon_xmpp_case_close (&self);
}

/* A server that sends without end is left. */
static void
test_endless (void)
{
  BeckonXmppCase self;
  g_autofree char *body = g_strnfill (6 * 1000 * 1000, 'x');

  if (!beckon_xmpp_case_open (&self, "good", "component_stanza_size_limit = 64 * 1024 * 1024\n"))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_write (&self, "a1", body);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTING);
  g_assert_cmpuint (self.messages->len, ==, 0);
  beckon_xmpp_case_close (&self);
}

/* --- Ends --------------------------------------------------------------------------------------------------------- */

/* The end of a sign-in or of a message, for which a stop must not wait, takes thirty seconds. */
#define LEAST_WAIT_US (20 * G_TIME_SPAN_SECOND)

static void
assert_stops (BeckonXmppCase *self)
{
  gint64 before = g_get_monotonic_time ();

  beckon_channel_adapter_stop (self->adapter);
  g_assert_cmpint (g_get_monotonic_time () - before, <, LEAST_WAIT_US);
  g_assert_cmpint (beckon_channel_adapter_get_state (self->adapter), ==, BECKON_CHANNEL_OFF);
}

/* The network stands still after so many of the server's bytes: before a word, in the handshake, while signing in. */
static void
test_stop_on_the_way (void)
{
  static const gint64 places[] = { 0, 1, 200, 600, 1200, 2000, 2600 };
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      guint before;

      self.network = beckon_cut_proxy_new (self.prosody->port);
      beckon_cut_proxy_hold_after (self.network, places[i]);
      beckon_xmpp_case_start_at (&self, beckon_cut_proxy_get_port (self.network), BECKON_XMPP_PASSWORD);
      before = beckon_cut_proxy_count (self.network);
      while (beckon_cut_proxy_count (self.network) < before + 2)
        g_main_context_iteration (NULL, TRUE);
      for (guint n = 0; n < 10; n++)
        {
          g_main_context_iteration (NULL, FALSE);
          g_usleep (10 * 1000);
        }
      assert_stops (&self);
      g_clear_pointer (&self.network, beckon_cut_proxy_free);
    }
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_close (&self);
}

static void
test_stop_at_work (void)
{
  BeckonXmppCase self;
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, BECKON_XMPP_ANNA, "A question", "Hi");
  char *end = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_start_at (&self, self.prosody->port, BECKON_XMPP_PASSWORD);
  assert_stops (&self);
  beckon_xmpp_case_begin (&self);
  assert_stops (&self);
  beckon_xmpp_case_begin (&self);
  self.holds = TRUE;
  beckon_xmpp_case_write (&self, "a1", "Hello");
  beckon_xmpp_case_wait (&self, 1);
  beckon_channel_adapter_send_async (self.adapter, outgoing, NULL, beckon_xmpp_case_on_sent, &end);
  assert_stops (&self);
  beckon_xmpp_case_wait_end (&end);
  g_assert_cmpstr (end, ==, "! The adapter was stopped");
  g_free (end);
  beckon_xmpp_case_close (&self);
}

static void
test_cancel (void)
{
  BeckonXmppCase self;
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, BECKON_XMPP_ANNA, "A question", "Hi");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  char *end = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin_behind_network (&self);
  beckon_cut_proxy_hold_after (self.network, 0);
  beckon_channel_adapter_send_async (self.adapter, outgoing, cancellable, beckon_xmpp_case_on_sent, &end);
  g_cancellable_cancel (cancellable);
  beckon_xmpp_case_wait_end (&end);
  g_assert_cmpstr (end, ==, "! Sending was cancelled");
  g_free (end);
  beckon_cut_proxy_hold_after (self.network, -1);
  g_free (beckon_xmpp_case_send (&self, "next", NULL));
  beckon_prosody_wait (self.prosody, "<body>next</body>");
  beckon_xmpp_case_close (&self);
}

static void
test_late (void)
{
  BeckonXmppCase self;
  g_autoptr (BeckonClock) clock = beckon_clock_new_manual (g_get_real_time ());
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, BECKON_XMPP_ANNA, "A question", "Hi");
  char *end = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_channel_adapter_set_clock (self.adapter, clock);
  beckon_xmpp_case_begin_behind_network (&self);
  beckon_cut_proxy_hold_after (self.network, 0);
  beckon_channel_adapter_send_async (self.adapter, outgoing, NULL, beckon_xmpp_case_on_sent, &end);
  beckon_clock_advance (clock, 60 * 1000);
  beckon_xmpp_case_wait_end (&end);
  g_assert_cmpstr (end, ==, "! The server did not confirm the message. It may have arrived all the same.");
  g_free (end);

  /* So is a sign-in that does not end. */
  beckon_channel_adapter_stop (self.adapter);
  beckon_cut_proxy_cut (self.network);
  beckon_cut_proxy_hold_after (self.network, 600);
  beckon_xmpp_case_start_at (&self, beckon_cut_proxy_get_port (self.network), BECKON_XMPP_PASSWORD);
  while (beckon_channel_adapter_get_state (self.adapter) != BECKON_CHANNEL_FAILED)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10 * 1000);
      beckon_clock_advance (clock, 100);
    }
  beckon_xmpp_case_close (&self);
}

/* --- The wire ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint online;
  guint received;
} Counts;

static void
on_wire_online (gboolean is_resumed, gpointer user_data)
{
  ((Counts *)user_data)->online++;
}

static void
on_wire_received (const BeckonXmppIn *in, gpointer user_data)
{
  if (in->kind == BECKON_XMPP_IN_CHAT)
    ((Counts *)user_data)->received++;
}

static void
on_wire_accepted (guint64 number, gpointer user_data)
{
}

static void
on_wire_ended (BeckonXmppFault fault, const char *detail, gboolean can_resume, gpointer user_data)
{
  g_error ("the connection ended: %d", fault);
}

static gboolean
on_pause_over (gpointer user_data)
{
  *(gboolean *)user_data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
turn (guint ms)
{
  gboolean is_over = FALSE;

  g_timeout_add (ms, on_pause_over, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

/* A slow store leaves messages on the server: nothing more is read, however long it takes. */
static void
test_backpressure (void)
{
  static const BeckonXmppHandler handler = { on_wire_online, on_wire_received, on_wire_accepted, on_wire_ended };
  Counts counts = { 0 };
  BeckonXmppCase self;
  BeckonXmppWire *wire;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  wire = beckon_xmpp_wire_new (&handler, &counts);
  beckon_xmpp_wire_connect (wire, BECKON_XMPP_ACCOUNT "/test", BECKON_XMPP_PASSWORD, "127.0.0.1", self.prosody->port,
                            FALSE);
  while (counts.online == 0)
    g_main_context_iteration (NULL, TRUE);
  beckon_xmpp_wire_send (wire, beckon_xmpp_out_new (BECKON_XMPP_OUT_PRESENCE, NULL, NULL));
  beckon_xmpp_case_wait_log (&self, "<presence");
  for (guint i = 0; i < 4 * BECKON_XMPP_MAX_UNSTORED; i++)
    {
      g_autofree char *id = g_strdup_printf ("a%u", i);

      beckon_xmpp_case_write (&self, id, "Hello");
    }
  while (counts.received == 0)
    g_main_context_iteration (NULL, TRUE);
  turn (300);
  g_assert_cmpuint (counts.received, <=, BECKON_XMPP_MAX_UNSTORED);
  for (guint i = 0; i < 4 * BECKON_XMPP_MAX_UNSTORED; i++)
    {
      while (counts.received <= i)
        g_main_context_iteration (NULL, TRUE);
      beckon_xmpp_wire_stored (wire);
    }
  g_assert_cmpuint (counts.received, ==, 4 * BECKON_XMPP_MAX_UNSTORED);
  beckon_xmpp_wire_close (wire);
  beckon_xmpp_case_close (&self);
}

static glong
get_resident_kib (void)
{
  g_autofree char *status = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  line = strstr (status, "RssAnon:");
  return line != NULL ? strtol (line + strlen ("RssAnon:"), NULL, 10) : 0;
}

/* A connection that has nothing to do does nothing. */
static void
test_idle (void)
{
  BeckonXmppCase self;
  struct rusage before;
  struct rusage after;
  glong resident;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  resident = get_resident_kib ();
  beckon_xmpp_case_begin (&self);
  turn (500);
  getrusage (RUSAGE_SELF, &before);
  turn (3000);
  getrusage (RUSAGE_SELF, &after);
  g_test_message (
      "wakes in 3 s: %ld, processor: %ld µs, memory: %ld KiB", after.ru_nvcsw - before.ru_nvcsw,
      (after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1000000
          + after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec - before.ru_stime.tv_usec,
      get_resident_kib () - resident);
  g_assert_cmpint (after.ru_nvcsw - before.ru_nvcsw, <, 20);
  beckon_xmpp_case_close (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/xmpp/resume", test_resume);
  g_test_add_func ("/channels/xmpp/send-over-cut", test_send_over_cut);
  g_test_add_func ("/channels/xmpp/resume-twice", test_resume_twice);
  g_test_add_func ("/channels/xmpp/lost-session", test_lost_session);
  g_test_add_func ("/channels/xmpp/server-restart", test_server_restart);
  g_test_add_func ("/channels/xmpp/unstored", test_unstored);
  g_test_add_func ("/channels/xmpp/offline", test_offline);
  g_test_add_func ("/channels/xmpp/no-management", test_no_management);
  g_test_add_func ("/channels/xmpp/conflict", test_conflict);
  g_test_add_func ("/channels/xmpp/flood", test_flood);
  g_test_add_func ("/channels/xmpp/long", test_long);
  g_test_add_func ("/channels/xmpp/endless", test_endless);
  g_test_add_func ("/channels/xmpp/stop-on-the-way", test_stop_on_the_way);
  g_test_add_func ("/channels/xmpp/stop-at-work", test_stop_at_work);
  g_test_add_func ("/channels/xmpp/cancel", test_cancel);
  g_test_add_func ("/channels/xmpp/late", test_late);
  g_test_add_func ("/channels/xmpp/backpressure", test_backpressure);
  g_test_add_func ("/channels/xmpp/idle", test_idle);
  return g_test_run ();
}
