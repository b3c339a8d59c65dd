/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-wechat-support.h"

#include "base/beckon-json.h"

gboolean
wechat_tick (gpointer unused)
{
  return G_SOURCE_CONTINUE;
}

static void
on_received (BeckonChannelAdapter *adapter, GPtrArray *messages, const char *cursor, gpointer user_data)
{
  Wechat *wechat = user_data;

  for (guint i = 0; i < messages->len; i++)
    g_ptr_array_add (wechat->messages, beckon_channel_incoming_ref (g_ptr_array_index (messages, i)));
  if (cursor != NULL)
    {
      g_free (wechat->cursor);
      wechat->cursor = g_strdup (cursor);
    }
  if (wechat->stores)
    beckon_channel_adapter_stored (adapter, cursor);
}

static void
on_signed_in (BeckonChannelAdapter *adapter, const char *secret, const char *config, gpointer user_data)
{
  Wechat *wechat = user_data;

  g_free (wechat->secret);
  g_free (wechat->config);
  wechat->secret = g_strdup (secret);
  wechat->config = g_strdup (config);
}

static void
start (Wechat *wechat, const char *cursor)
{
  g_autoptr (JsonObject) config = beckon_json_parse_object (wechat->config, -1, NULL);
  const BeckonChannelStart start = { .config = config, .secret = wechat->secret, .cursor = cursor };

  wechat->adapter = beckon_channel_kind_make_adapter (&beckon_wechat_kind);
  beckon_channel_adapter_set_clock (wechat->adapter, wechat->clock);
  g_signal_connect (wechat->adapter, "received", G_CALLBACK (on_received), wechat);
  g_signal_connect (wechat->adapter, "signed-in", G_CALLBACK (on_signed_in), wechat);
  beckon_channel_adapter_start (wechat->adapter, &start);
}

void
wechat_set_up (Wechat *wechat, const char *secret)
{
  *wechat = (Wechat){ .emulator = beckon_wechat_emulator_new (), .stores = TRUE };
  wechat->clock = beckon_clock_new_manual (G_GINT64_CONSTANT (1700000000000000));
  wechat->messages = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_channel_incoming_unref);
  wechat->config = g_strdup_printf ("{\"server\":\"%s\"}", beckon_wechat_emulator_get_base (wechat->emulator));
  wechat->secret = g_strdup (secret);
  start (wechat, NULL);
}

void
wechat_restart (Wechat *wechat, const char *cursor)
{
  g_autofree char *place = g_strdup (cursor);

  g_object_unref (wechat->adapter);
  g_ptr_array_set_size (wechat->messages, 0);
  start (wechat, place);
}

void
wechat_tear_down (Wechat *wechat)
{
  g_autofree char *complaint = NULL;

  g_object_unref (wechat->adapter);
  wechat_settle ();
  complaint = beckon_wechat_emulator_dup_complaint (wechat->emulator);
  g_assert_cmpstr (complaint, ==, NULL);
  beckon_wechat_emulator_free (wechat->emulator);
  wechat_settle ();
  g_object_unref (wechat->clock);
  g_ptr_array_unref (wechat->messages);
  g_free (wechat->cursor);
  g_free (wechat->secret);
  g_free (wechat->config);
}

void
wechat_settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

typedef struct
{
  char *id;
  GError *error;
} Sent;

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Sent *sent = user_data;

  sent->id = beckon_channel_adapter_send_finish (BECKON_CHANNEL_ADAPTER (source), result, &sent->error);
}

char *
wechat_send (Wechat *wechat, const char *text, const char *context, GError **error)
{
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, BECKON_WECHAT_EMULATOR_USER, "A question", text);
  Sent sent = { 0 };

  outgoing->context = g_strdup (context);
  beckon_channel_adapter_send_async (wechat->adapter, outgoing, NULL, on_sent, &sent);
  wechat_wait (sent.id != NULL || sent.error != NULL);
  if (sent.error != NULL)
    g_propagate_error (error, sent.error);
  return sent.id;
}

const BeckonChannelIncoming *
wechat_get (Wechat *wechat, guint nth)
{
  return g_ptr_array_index (wechat->messages, nth);
}

guint
wechat_count (Wechat *wechat, const char *operation)
{
  return beckon_wechat_emulator_count (wechat->emulator, operation);
}
