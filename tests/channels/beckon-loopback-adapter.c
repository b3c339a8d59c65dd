/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-loopback-adapter.h"

#include "base/beckon-id.h"
#include "base/beckon-json.h"

#include <string.h>

#define BECKON_TYPE_LOOPBACK_ADAPTER (beckon_loopback_adapter_get_type ())
G_DECLARE_FINAL_TYPE (BeckonLoopbackAdapter, beckon_loopback_adapter, BECKON, LOOPBACK_ADAPTER, BeckonChannelAdapter)

struct _BeckonLoopbackAdapter
{
  BeckonChannelAdapter parent_instance;

  BeckonLoopbackHub *hub; /* (nullable): since the start */
  guint64 cursor;
  gboolean is_storing;
  guint poll;
  GList *sending; /* GTask: those that hang */
};

G_DEFINE_FINAL_TYPE (BeckonLoopbackAdapter, beckon_loopback_adapter, BECKON_TYPE_CHANNEL_ADAPTER)

static GHashTable *hubs;

/* --- The hub ------------------------------------------------------------------------------------------------------ */

static void
sent_free (gpointer data)
{
  BeckonLoopbackSent *sent = data;

  beckon_channel_outgoing_unref (sent->message);
  g_free (sent->remote_id);
  g_free (sent);
}

static void
hub_free (gpointer data)
{
  BeckonLoopbackHub *hub = data;

  g_assert_cmpuint (hub->adapters->len, ==, 0);
  g_ptr_array_unref (hub->inbox);
  g_ptr_array_unref (hub->sent);
  g_ptr_array_unref (hub->acknowledged);
  g_ptr_array_unref (hub->adapters);
  g_free (hub);
}

static BeckonLoopbackHub *
hub_new (void)
{
  BeckonLoopbackHub *hub = g_new0 (BeckonLoopbackHub, 1);

  hub->inbox = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_channel_incoming_unref);
  hub->sent = g_ptr_array_new_with_free_func (sent_free);
  hub->acknowledged = g_ptr_array_new_with_free_func (g_free);
  hub->adapters = g_ptr_array_new ();
  hub->limits = (BeckonChannelLimits){
    .max_characters = 4000,
    .max_choices = 20,
    .max_label = 40,
    .can_receive = TRUE,
    .can_edit = TRUE,
    .can_type = TRUE,
    .has_text = TRUE,
  };
  return hub;
}

BeckonLoopbackHub *
beckon_loopback_hub (const char *name)
{
  BeckonLoopbackHub *hub;

  if (hubs == NULL)
    hubs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, hub_free);
  hub = g_hash_table_lookup (hubs, name);
  if (hub == NULL)
    {
      hub = hub_new ();
      g_hash_table_insert (hubs, g_strdup (name), hub);
    }
  return hub;
}

void
beckon_loopback_clear (void)
{
  g_clear_pointer (&hubs, g_hash_table_unref);
}

static void look (BeckonLoopbackAdapter *self);

void
beckon_loopback_wake (BeckonLoopbackHub *hub)
{
  for (guint i = 0; i < hub->adapters->len; i++)
    look (g_ptr_array_index (hub->adapters, i));
}

void
beckon_loopback_take (BeckonLoopbackHub *hub, BeckonChannelIncoming *incoming)
{
  g_ptr_array_add (hub->inbox, incoming);
  beckon_loopback_wake (hub);
}

void
beckon_loopback_write (BeckonLoopbackHub *hub, const char *address, const char *text, const char *id)
{
  g_autofree char *own = id != NULL ? g_strdup (id) : beckon_id_new ();

  beckon_loopback_take (hub, beckon_channel_incoming_new (own, address, text));
}

void
beckon_loopback_press (BeckonLoopbackHub *hub, const char *address, guint nth, guint choice)
{
  const BeckonLoopbackSent *sent = beckon_loopback_get_sent (hub, nth);
  g_autofree char *id = beckon_id_new ();
  BeckonChannelIncoming *incoming = beckon_channel_incoming_new (id, address, NULL);
  const BeckonChannelChoice *button;

  g_assert_nonnull (sent);
  g_assert_cmpuint (choice, <, sent->message->choices->len);
  button = g_ptr_array_index (sent->message->choices, choice);
  incoming->code = g_strdup (button->code);
  incoming->button_message = g_strdup (sent->remote_id);
  beckon_loopback_take (hub, incoming);
}

const BeckonLoopbackSent *
beckon_loopback_get_sent (BeckonLoopbackHub *hub, guint nth)
{
  return nth < hub->sent->len ? g_ptr_array_index (hub->sent, nth) : NULL;
}

/* --- The adapter -------------------------------------------------------------------------------------------------- */

static gboolean
on_poll (gpointer user_data)
{
  BeckonLoopbackAdapter *self = user_data;
  g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_channel_incoming_unref);
  g_autofree char *cursor = g_strdup_printf ("%u", self->hub->inbox->len);

  self->poll = 0;
  for (guint i = (guint) self->cursor; i < self->hub->inbox->len; i++)
    g_ptr_array_add (messages, beckon_channel_incoming_ref (g_ptr_array_index (self->hub->inbox, i)));
  self->is_storing = TRUE;
  beckon_channel_adapter_receive (BECKON_CHANNEL_ADAPTER (self), messages, cursor);
  return G_SOURCE_REMOVE;
}

static void
look (BeckonLoopbackAdapter *self)
{
  if (self->hub->is_away)
    beckon_channel_adapter_set_state (BECKON_CHANNEL_ADAPTER (self), BECKON_CHANNEL_FAILED, "The hub is away.");
  else
    beckon_channel_adapter_set_state (BECKON_CHANNEL_ADAPTER (self), BECKON_CHANNEL_CONNECTED, NULL);
  if (!self->hub->is_away && !self->is_storing && self->poll == 0 && self->hub->inbox->len > self->cursor)
    self->poll = g_idle_add (on_poll, self);
}

static const BeckonChannelLimits *
loopback_get_limits (BeckonChannelAdapter *adapter)
{
  static const BeckonChannelLimits before = { .can_receive = TRUE };
  BeckonLoopbackAdapter *self = BECKON_LOOPBACK_ADAPTER (adapter);

  return self->hub != NULL ? &self->hub->limits : &before;
}

static char *
loopback_dup_server (BeckonChannelAdapter *adapter, JsonObject *config)
{
  return g_strdup ("https://loopback.invalid");
}

static void
loopback_start (BeckonChannelAdapter *adapter, const BeckonChannelStart *start)
{
  BeckonLoopbackAdapter *self = BECKON_LOOPBACK_ADAPTER (adapter);

  self->hub = beckon_loopback_hub (beckon_json_get_string (start->config, "hub"));
  self->cursor = start->cursor != NULL ? g_ascii_strtoull (start->cursor, NULL, 10) : 0;
  self->is_storing = FALSE;
  g_ptr_array_add (self->hub->adapters, self);
  look (self);
}

static void
loopback_stop (BeckonChannelAdapter *adapter)
{
  BeckonLoopbackAdapter *self = BECKON_LOOPBACK_ADAPTER (adapter);
  g_autolist (GTask) sending = g_steal_pointer (&self->sending);

  g_clear_handle_id (&self->poll, g_source_remove);
  g_ptr_array_remove (self->hub->adapters, self);
  for (GList *each = sending; each != NULL; each = each->next)
    g_task_return_new_error (each->data, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The adapter was stopped");
}

static void
loopback_stored (BeckonChannelAdapter *adapter, const char *cursor)
{
  BeckonLoopbackAdapter *self = BECKON_LOOPBACK_ADAPTER (adapter);

  self->is_storing = FALSE;
  self->cursor = g_ascii_strtoull (cursor, NULL, 10);
  look (self);
}

static const char *
deliver (BeckonLoopbackHub *hub, BeckonChannelOutgoing *outgoing)
{
  BeckonLoopbackSent *sent = g_new (BeckonLoopbackSent, 1);

  sent->message = beckon_channel_outgoing_ref (outgoing);
  sent->remote_id = outgoing->edits != NULL ? g_strdup (outgoing->edits) : g_strdup_printf ("remote-%u", hub->sent->len);
  g_ptr_array_add (hub->sent, sent);
  return sent->remote_id;
}

static void
fail (GTask *task, BeckonLoopbackHub *hub)
{
  if (hub->failure == BECKON_CHANNEL_ERROR_LIMITED)
    g_task_return_error (task, beckon_channel_error_new_limited (hub->pause_s, "Too fast."));
  else
    g_task_return_new_error (task, BECKON_CHANNEL_ERROR, (int) hub->failure, "The hub says no.");
}

static void
on_hung_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;
  BeckonLoopbackAdapter *self = g_task_get_source_object (task);

  if (g_list_find (self->sending, task) == NULL)
    return;
  self->sending = g_list_remove (self->sending, task);
  g_task_return_error_if_cancelled (task);
  g_object_unref (task);
}

static void
hang (BeckonLoopbackAdapter *self, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  self->sending = g_list_append (self->sending, g_object_ref (task));
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (on_hung_cancelled), task, 0);
}

static void
loopback_send_async (BeckonChannelAdapter *adapter, BeckonChannelOutgoing *outgoing, GCancellable *cancellable,
                     GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonLoopbackAdapter *self = BECKON_LOOPBACK_ADAPTER (adapter);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, loopback_send_async);
  if (self->hub->hangs)
    hang (self, task);
  else if (self->hub->failures > 0)
    {
      self->hub->failures--;
      if (self->hub->loses_answer)
        deliver (self->hub, outgoing);
      fail (task, self->hub);
    }
  else
    g_task_return_pointer (task, g_strdup (deliver (self->hub, outgoing)), g_free);
}

static char *
loopback_send_finish (BeckonChannelAdapter *adapter, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, adapter), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
loopback_type (BeckonChannelAdapter *adapter, const char *address, const char *context, gboolean is_typing)
{
  BECKON_LOOPBACK_ADAPTER (adapter)->hub->typing += is_typing;
}

static void
loopback_acknowledge (BeckonChannelAdapter *adapter, BeckonChannelIncoming *incoming, const char *text)
{
  g_ptr_array_add (BECKON_LOOPBACK_ADAPTER (adapter)->hub->acknowledged, g_strdup (text != NULL ? text : ""));
}

/* The reference is the text of the file. */
static void
loopback_fetch_async (BeckonChannelAdapter *adapter, const BeckonChannelAttachment *attachment, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonLoopbackAdapter *self = BECKON_LOOPBACK_ADAPTER (adapter);
  g_autoptr (GTask) task = g_task_new (adapter, cancellable, callback, user_data);

  g_task_set_source_tag (task, loopback_fetch_async);
  self->hub->fetched++;
  if (self->hub->hangs_files)
    {
      hang (self, task);
      return;
    }
  g_task_return_pointer (task, g_bytes_new (attachment->reference, strlen (attachment->reference)),
                         (GDestroyNotify) g_bytes_unref);
}

static GBytes *
loopback_fetch_finish (BeckonChannelAdapter *adapter, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, adapter), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
beckon_loopback_adapter_dispose (GObject *object)
{
  beckon_channel_adapter_stop (BECKON_CHANNEL_ADAPTER (object));
  G_OBJECT_CLASS (beckon_loopback_adapter_parent_class)->dispose (object);
}

static void
beckon_loopback_adapter_class_init (BeckonLoopbackAdapterClass *klass)
{
  BeckonChannelAdapterClass *adapter = BECKON_CHANNEL_ADAPTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_loopback_adapter_dispose;
  adapter->get_limits = loopback_get_limits;
  adapter->dup_server = loopback_dup_server;
  adapter->start = loopback_start;
  adapter->stop = loopback_stop;
  adapter->stored = loopback_stored;
  adapter->send_async = loopback_send_async;
  adapter->send_finish = loopback_send_finish;
  adapter->type = loopback_type;
  adapter->acknowledge = loopback_acknowledge;
  adapter->fetch_async = loopback_fetch_async;
  adapter->fetch_finish = loopback_fetch_finish;
}

static void
beckon_loopback_adapter_init (BeckonLoopbackAdapter *self)
{
}

static const BeckonChannelField fields[] = { { "hub", "Hub", NULL, TRUE }, { NULL } };

const BeckonChannelKind beckon_loopback_kind = {
  .name = "loopback",
  .title = "Loopback",
  .get_type = beckon_loopback_adapter_get_type,
  .fields = fields,
};
