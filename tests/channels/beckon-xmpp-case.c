/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-xmpp-case.h"

#include <string.h>

static void
on_received (BeckonChannelAdapter *adapter, GPtrArray *messages, const char *cursor, gpointer user_data)
{
  BeckonXmppCase *self = user_data;

  for (guint i = 0; i < messages->len; i++)
    g_ptr_array_add (self->messages, beckon_channel_incoming_ref (g_ptr_array_index (messages, i)));
  if (!self->holds)
    beckon_channel_adapter_stored (adapter, cursor);
}

BeckonChannelIncoming *
beckon_xmpp_case_get (BeckonXmppCase *self, guint nth)
{
  return g_ptr_array_index (self->messages, nth);
}

/* Each wait is for one event that must come, or the test's timeout ends it. */
void
beckon_xmpp_case_wait (BeckonXmppCase *self, guint n)
{
  while (self->messages->len < n)
    g_main_context_iteration (NULL, TRUE);
}

void
beckon_xmpp_case_wait_state (BeckonXmppCase *self, BeckonChannelState state)
{
  while (beckon_channel_adapter_get_state (self->adapter) != state)
    g_main_context_iteration (NULL, TRUE);
}

void
beckon_xmpp_case_start_at (BeckonXmppCase *self, guint16 port, const char *password)
{
  g_autoptr (JsonObject) config = json_object_new ();
  g_autofree char *text = g_strdup_printf ("%u", port);
  const BeckonChannelStart start = { .config = config, .secret = password };

  json_object_set_string_member (config, "address", BECKON_XMPP_ACCOUNT);
  json_object_set_string_member (config, "host", "127.0.0.1");
  json_object_set_string_member (config, "port", text);
  g_assert_true (beckon_channel_kind_check (&beckon_xmpp_kind, config, NULL));
  beckon_channel_adapter_start (self->adapter, &start);
}

void
beckon_xmpp_case_make_adapter (BeckonXmppCase *self)
{
  self->adapter = beckon_channel_kind_make_adapter (&beckon_xmpp_kind);
  self->messages = g_ptr_array_new_with_free_func ((GDestroyNotify)beckon_channel_incoming_unref);
  g_signal_connect (self->adapter, "received", G_CALLBACK (on_received), self);
}

gboolean
beckon_xmpp_case_open (BeckonXmppCase *self, const char *certificate, const char *options)
{
  *self = (BeckonXmppCase){ 0 };
  if (!beckon_prosody_can_run ())
    return FALSE;
  self->prosody = beckon_prosody_new (certificate, options);
  beckon_xmpp_case_make_adapter (self);
  return TRUE;
}

void
beckon_xmpp_case_begin (BeckonXmppCase *self)
{
  beckon_xmpp_case_start_at (self, self->prosody->port, BECKON_XMPP_PASSWORD);
  beckon_xmpp_case_wait_state (self, BECKON_CHANNEL_CONNECTED);
}

void
beckon_xmpp_case_begin_behind_network (BeckonXmppCase *self)
{
  self->network = beckon_cut_proxy_new (self->prosody->port);
  beckon_xmpp_case_start_at (self, beckon_cut_proxy_get_port (self->network), BECKON_XMPP_PASSWORD);
  beckon_xmpp_case_wait_state (self, BECKON_CHANNEL_CONNECTED);
}

void
beckon_xmpp_case_close (BeckonXmppCase *self)
{
  g_object_unref (self->adapter);
  g_ptr_array_unref (self->messages);
  g_clear_pointer (&self->network, beckon_cut_proxy_free);
  beckon_prosody_free (self->prosody);
}

void
beckon_xmpp_case_assert_problem (BeckonXmppCase *self, const char *part)
{
  const char *problem = beckon_channel_adapter_get_problem (self->adapter);

  g_assert_nonnull (problem);
  if (strstr (problem, part) == NULL)
    g_error ("“%s” says nothing of “%s”", problem, part);
}

void
beckon_xmpp_case_on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *id = beckon_channel_adapter_send_finish (BECKON_CHANNEL_ADAPTER (source), result, &error);
  char **end = user_data;

  *end = id != NULL ? g_steal_pointer (&id) : g_strconcat ("! ", error->message, NULL);
}

char *
beckon_xmpp_case_wait_end (char **end)
{
  while (*end == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *end;
}

/* The message's id, or "! " and the error. */
char *
beckon_xmpp_case_send (BeckonXmppCase *self, const char *text, const char *edits)
{
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, BECKON_XMPP_ANNA, "A question", text);
  char *end = NULL;

  outgoing->edits = g_strdup (edits);
  beckon_channel_adapter_send_async (self->adapter, outgoing, NULL, beckon_xmpp_case_on_sent, &end);
  return beckon_xmpp_case_wait_end (&end);
}

void
beckon_xmpp_case_write (BeckonXmppCase *self, const char *id, const char *body)
{
  beckon_prosody_say (self->prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "/phone' to='" BECKON_XMPP_ACCOUNT
                      "' id='%s'><body>%s</body></message>",
                      id, body);
}

void
beckon_xmpp_case_ask_receipt (BeckonXmppCase *self, const char *id)
{
  beckon_prosody_say (self->prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "/phone' to='" BECKON_XMPP_ACCOUNT
                      "' id='%s'><body>Hi</body>"
                      "<request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/></message>",
                      id);
}

void
beckon_xmpp_case_wait_log (BeckonXmppCase *self, const char *part)
{
  for (;;)
    {
      g_autofree char *log = beckon_prosody_dup_log (self->prosody);

      if (strstr (log, part) != NULL)
        return;
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10 * 1000);
    }
}

guint
beckon_xmpp_case_count_log (BeckonXmppCase *self, const char *part)
{
  g_autofree char *log = beckon_prosody_dup_log (self->prosody);
  guint n = 0;

  for (const char *at = strstr (log, part); at != NULL; at = strstr (at + 1, part))
    n++;
  return n;
}
