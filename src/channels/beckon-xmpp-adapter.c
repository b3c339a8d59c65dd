/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-xmpp-adapter.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-id.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-xmpp-file.h"
#include "beckon-xmpp-reach.h"
#include "beckon-xmpp-wire.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FIRST_PAUSE_MS 1000
#define LONGEST_PAUSE_MS (5 * 60 * 1000)
/* Until a connection is signed in. */
#define SIGN_IN_MS (30 * 1000)
#define SEND_MS (30 * 1000)
/* How many addresses without a connection to the account are remembered in each list. */
#define MOST_ADDRESSES 256

#define RESOURCE "Beckon"

typedef struct
{
  GTask *task;
  guint64 number;
  guint timeout;
  gulong cancelled;
} Pending;

struct _BeckonXmppAdapter
{
  BeckonChannelAdapter parent_instance;

  char *account;
  char *resource;
  char *domain;
  char *host;   /* (nullable) */
  guint16 port; /* 0 for what DNS says */
  char *password;

  BeckonXmppWire *wire; /* (nullable) */
  GCancellable *reaching;
  guint timer; /* until the next try, or until this one is too late */
  guint failures;
  Pending *pending; /* (nullable) */

  GHashTable *contacts;  /* utf8: may see more than an answer */
  GHashTable *asking;    /* utf8: want to see whether the account is there */
  GHashTable *warned;    /* utf8: were told about encryption */
  GQueue waiting;        /* BeckonXmppIn: for the store, after the first */
  BeckonXmppIn *storing; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (BeckonXmppAdapter, beckon_xmpp_adapter, BECKON_TYPE_CHANNEL_ADAPTER)

static BeckonClock *
get_clock (BeckonXmppAdapter *self)
{
  return beckon_channel_adapter_get_clock (BECKON_CHANNEL_ADAPTER (self));
}

static void
xmpp_adapter_set_state (BeckonXmppAdapter *self, BeckonChannelState state, const char *problem)
{
  beckon_channel_adapter_set_state (BECKON_CHANNEL_ADAPTER (self), state, problem);
}

static gboolean
is_connected (BeckonXmppAdapter *self)
{
  return beckon_channel_adapter_get_state (BECKON_CHANNEL_ADAPTER (self)) == BECKON_CHANNEL_CONNECTED;
}

static void
clear_timer (BeckonXmppAdapter *self)
{
  beckon_clock_remove (get_clock (self), self->timer);
  self->timer = 0;
}

static void
set_timer (BeckonXmppAdapter *self, guint ms, GSourceFunc function)
{
  clear_timer (self);
  self->timer = beckon_clock_add_timeout (get_clock (self), ms, function, self);
}

static void
transmit (BeckonXmppAdapter *self, BeckonXmppOutKind kind, const char *to, const char *id, const char *refers)
{
  BeckonXmppOut *out = beckon_xmpp_out_new (kind, to, id);

  out->refers = g_strdup (refers);
  beckon_xmpp_wire_send (self->wire, out);
}

/* A stanza that nothing refers to. */
static void
transmit_note (BeckonXmppAdapter *self, BeckonXmppOutKind kind, const char *to, const char *refers)
{
  g_autofree char *id = beckon_id_new ();

  transmit (self, kind, to, id, refers);
}

/* --- What is being sent ------------------------------------------------------------------------------------------- */

static Pending *
take_pending (BeckonXmppAdapter *self)
{
  Pending *pending = g_steal_pointer (&self->pending);

  beckon_clock_remove (get_clock (self), pending->timeout);
  g_clear_signal_handler (&pending->cancelled, g_task_get_cancellable (pending->task));
  return pending;
}

static void
fail_pending (BeckonXmppAdapter *self, GError *error)
{
  g_autofree Pending *pending = take_pending (self);
  g_autoptr (GTask) task = pending->task;

  g_task_return_error (task, error);
}

static void
fail_late (BeckonXmppAdapter *self)
{
  if (self->pending != NULL)
    fail_pending (
        self, g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_LATE,
                                   _("The server did not confirm the message. It may have arrived all the same.")));
}

static gboolean
on_send_late (gpointer user_data)
{
  BeckonXmppAdapter *self = user_data;

  self->pending->timeout = 0;
  fail_late (self);
  return G_SOURCE_REMOVE;
}

static void
on_send_cancelled (GCancellable *cancellable, gpointer user_data)
{
  BeckonXmppAdapter *self = user_data;

  if (self->pending != NULL)
    fail_pending (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Sending was cancelled"));
}

static const char *
get_remote_id (const BeckonChannelOutgoing *outgoing)
{
  return outgoing->edits != NULL ? outgoing->edits : outgoing->id;
}

static void
on_accepted (guint64 number, gpointer user_data)
{
  BeckonXmppAdapter *self = user_data;
  g_autofree Pending *pending = NULL;
  g_autoptr (GTask) task = NULL;

  if (self->pending == NULL || self->pending->number > number)
    return;
  pending = take_pending (self);
  task = pending->task;
  g_task_return_pointer (task, g_strdup (get_remote_id (g_task_get_task_data (task))), g_free);
}

static GError *
make_bounce_error (const char *condition)
{
  static const char *const blocked[]
      = { "not-acceptable", "forbidden", "not-authorized", "policy-violation", "not-allowed", NULL };
  static const char *const limited[] = { "resource-constraint", NULL };

  if (condition != NULL && g_strv_contains (blocked, condition))
    return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_BLOCKED,
                                _("The other side does not accept messages from this account."));
  if (condition != NULL && g_strv_contains (limited, condition))
    return beckon_channel_error_new_limited (0, _("The server wants fewer messages. Trying again later."));
  return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED,
                              _("The server could not deliver the message to this address."));
}

/* --- Contacts ----------------------------------------------------------------------------------------------------- */

static gboolean
xmpp_adapter_remember (GHashTable *addresses, const char *address)
{
  if (g_hash_table_contains (addresses, address) || g_hash_table_size (addresses) >= MOST_ADDRESSES)
    return FALSE;
  g_hash_table_add (addresses, g_strdup (address));
  return TRUE;
}

static void
xmpp_forget (BeckonChannelAdapter *adapter, const char *address)
{
  BeckonXmppAdapter *self = BECKON_XMPP_ADAPTER (adapter);

  g_hash_table_remove (self->contacts, address);
  g_hash_table_remove (self->asking, address);
  g_hash_table_remove (self->warned, address);
  transmit_note (self, BECKON_XMPP_OUT_FORGET, address, NULL);
}

static gboolean
is_contact (BeckonXmppAdapter *self, const char *from)
{
  g_autofree char *address = beckon_xmpp_dup_bare (from);

  return g_hash_table_contains (self->contacts, address);
}

/* --- Messages that come ------------------------------------------------------------------------------------------- */

static BeckonChannelIncoming *
make_incoming (const BeckonXmppIn *in)
{
  g_autofree char *address = beckon_xmpp_dup_bare (in->from);
  g_autofree char *id = NULL;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *files = in->files != NULL ? g_strjoinv ("\n", in->files) : g_strdup ("");
  const char *parts[] = { address, in->id, in->body != NULL ? in->body : "", files };
  BeckonChannelIncoming *incoming;

  /* Clients may begin to count again when they start: what is written tells two messages apart. */
  if (in->server_id != NULL && strlen (in->server_id) <= BECKON_CHANNEL_ID_MAX)
    id = g_strdup (in->server_id);
  else if (in->id == NULL)
    id = beckon_id_new ();
  else
    {
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        g_checksum_update (sum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);
      id = g_strdup (g_checksum_get_string (sum));
    }
  incoming = beckon_channel_incoming_new (id, address, in->body);
  incoming->at = in->at;
  if (in->reply_to != NULL && strlen (in->reply_to) <= BECKON_CHANNEL_ID_MAX)
    incoming->quote = g_strdup (in->reply_to);
  for (guint i = 0; in->files != NULL && in->files[i] != NULL; i++)
    {
      g_autofree char *name = beckon_xmpp_file_dup_name (in->files[i]);

      beckon_channel_incoming_add_attachment (incoming, in->files[i], name, NULL, -1);
    }
  return incoming;
}

/* Messages go to the store one at a time, and are confirmed one by one. The server may forget dropped ones too. */
static void
give_next (BeckonXmppAdapter *self)
{
  while (self->storing == NULL && !g_queue_is_empty (&self->waiting))
    {
      g_autoptr (BeckonXmppIn) in = g_queue_pop_head (&self->waiting);

      if (!in->is_encrypted && (in->body != NULL || in->files != NULL) && strlen (in->from) <= BECKON_CHANNEL_ID_MAX
          && strchr (in->from, '@') != NULL)
        {
          g_autoptr (GPtrArray) messages = NULL;

          self->storing = g_steal_pointer (&in);
          messages = g_ptr_array_new_with_free_func ((GDestroyNotify)beckon_channel_incoming_unref);
          g_ptr_array_add (messages, make_incoming (self->storing));
          beckon_channel_adapter_receive (BECKON_CHANNEL_ADAPTER (self), messages, NULL);
          continue;
        }
      if (in->is_encrypted)
        {
          g_autofree char *address = beckon_xmpp_dup_bare (in->from);
          g_autofree char *id = beckon_id_new ();

          if (g_hash_table_contains (self->contacts, address) && xmpp_adapter_remember (self->warned, address))
            {
              BeckonXmppOut *out = beckon_xmpp_out_new (BECKON_XMPP_OUT_CHAT, address, id);

              out->body = g_strdup (_("Beckon can't read encrypted messages. Turn OMEMO off for this chat."));
              beckon_xmpp_wire_send (self->wire, out);
            }
        }
      beckon_xmpp_wire_stored (self->wire);
    }
}

static BeckonXmppIn *
copy_in (const BeckonXmppIn *in)
{
  BeckonXmppIn *copy = beckon_xmpp_in_new (in->kind, in->from);

  copy->id = g_strdup (in->id);
  copy->server_id = g_strdup (in->server_id);
  copy->body = g_strdup (in->body);
  copy->files = g_strdupv (in->files);
  copy->reply_to = g_strdup (in->reply_to);
  copy->at = in->at;
  copy->is_encrypted = in->is_encrypted;
  copy->wants_receipt = in->wants_receipt;
  copy->is_markable = in->is_markable;
  return copy;
}

static void
on_received (const BeckonXmppIn *in, gpointer user_data)
{
  g_autoptr (BeckonXmppAdapter) self = g_object_ref (user_data);

  switch (in->kind)
    {
    case BECKON_XMPP_IN_CHAT:
      g_queue_push_tail (&self->waiting, copy_in (in));
      give_next (self);
      break;
    case BECKON_XMPP_IN_BOUNCE:
      /* A refusal by the account's own server comes before it confirms that it has the message. */
      {
        const BeckonChannelOutgoing *outgoing = self->pending != NULL ? g_task_get_task_data (self->pending->task) : NULL;

        if (outgoing != NULL && g_strcmp0 (outgoing->id, in->id) == 0)
          fail_pending (self, make_bounce_error (in->condition));
      }
      break;
    case BECKON_XMPP_IN_SUBSCRIBE:
      /* Senders who are answered may see whether the account is there; all others do not learn that it exists. */
      {
        g_autofree char *address = beckon_xmpp_dup_bare (in->from);

        if (g_hash_table_contains (self->contacts, address))
          transmit_note (self, BECKON_XMPP_OUT_SUBSCRIBED, address, NULL);
        else
          xmpp_adapter_remember (self->asking, address);
      }
      break;
    case BECKON_XMPP_IN_CONTACTS:
      for (char **each = in->contacts; *each != NULL; each++)
        if (!g_hash_table_contains (self->contacts, *each)
            && g_hash_table_size (self->contacts) < BECKON_XMPP_MAX_CONTACTS)
          g_hash_table_add (self->contacts, g_strdup (*each));
      if (in->id != NULL)
        transmit (self, BECKON_XMPP_OUT_DONE, NULL, in->id, NULL);
      break;
    case BECKON_XMPP_IN_QUERY:
      {
        gboolean is_allowed = *in->from == '\0' || strchr (in->from, '@') == NULL || is_contact (self, in->from);
        BeckonXmppOutKind kind = BECKON_XMPP_OUT_UNAVAILABLE;

        if (is_allowed && g_strcmp0 (in->query, BECKON_XMPP_NS_INFO) == 0)
          kind = BECKON_XMPP_OUT_FEATURES;
        else if (is_allowed && g_strcmp0 (in->query, BECKON_XMPP_NS_PING) == 0)
          kind = BECKON_XMPP_OUT_DONE;
        transmit (self, kind, in->from, in->id, in->node);
      }
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
xmpp_stored (BeckonChannelAdapter *adapter, const char *cursor)
{
  BeckonXmppAdapter *self = BECKON_XMPP_ADAPTER (adapter);
  g_autoptr (BeckonXmppIn) in = g_steal_pointer (&self->storing);

  if (in == NULL)
    return;
  beckon_xmpp_wire_stored (self->wire);

  if (in->id != NULL && is_contact (self, in->from))
    {
      if (in->wants_receipt)
        transmit_note (self, BECKON_XMPP_OUT_RECEIPT, in->from, in->id);
      if (in->is_markable)
        transmit_note (self, BECKON_XMPP_OUT_DISPLAYED, in->from, in->id);
    }

  give_next (self);
}

/* --- The connection ----------------------------------------------------------------------------------------------- */

static void reach (BeckonXmppAdapter *self);

static gboolean
xmpp_adapter_on_pause_over (gpointer user_data)
{
  BeckonXmppAdapter *self = user_data;

  self->timer = 0;
  reach (self);
  return G_SOURCE_REMOVE;
}

static void
try_later (BeckonXmppAdapter *self)
{
  set_timer (self, beckon_channel_backoff_ms (++self->failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), xmpp_adapter_on_pause_over);
}

static void
xmpp_adapter_fail (BeckonXmppAdapter *self, const char *problem)
{
  try_later (self);
  xmpp_adapter_set_state (self, BECKON_CHANNEL_FAILED, problem);
}

static gboolean
on_sign_in_late (gpointer user_data)
{
  BeckonXmppAdapter *self = user_data;

  self->timer = 0;
  beckon_xmpp_wire_cut (self->wire);
  return G_SOURCE_REMOVE;
}

static void
on_reached (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonXmppAdapter) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInetSocketAddress) address = beckon_xmpp_reach_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->reaching);
  if (address != NULL)
    {
      g_autofree char *host = g_inet_address_to_string (g_inet_socket_address_get_address (address));
      guint16 port = g_inet_socket_address_get_port (address);
      g_autofree char *full = g_strdup_printf ("%s/%s", self->account, self->resource);

      set_timer (self, SIGN_IN_MS, on_sign_in_late);
      beckon_xmpp_wire_connect (self->wire, full, self->password, host, port, port == BECKON_XMPP_TLS_PORT);
    }
  else
    xmpp_adapter_fail (self, error->message);
}

static void
reach (BeckonXmppAdapter *self)
{
  self->reaching = g_cancellable_new ();
  beckon_xmpp_reach_async (self->domain, self->host, self->port, self->reaching, on_reached, g_object_ref (self));
}

static void
on_online (gboolean is_resumed, gpointer user_data)
{
  g_autoptr (BeckonXmppAdapter) self = g_object_ref (user_data);

  clear_timer (self);
  self->failures = 0;
  if (!is_resumed)
    {
      transmit (self, BECKON_XMPP_OUT_CONTACTS, NULL, NULL, NULL);
      transmit_note (self, BECKON_XMPP_OUT_PRESENCE, NULL, NULL);
      fail_late (self);
    }
  if (self->wire != NULL)
    xmpp_adapter_set_state (self, BECKON_CHANNEL_CONNECTED, NULL);
}

static char *
xmpp_adapter_describe (BeckonXmppAdapter *self, BeckonXmppFault fault, const char *detail)
{
  const char *name = self->host != NULL ? self->host : self->domain;

  switch (fault)
    {
    case BECKON_XMPP_FAULT_UNREACHED:
    case BECKON_XMPP_FAULT_LOST:
      return beckon_text_printf (_("The connection to %s broke off. Trying again."), name);
    case BECKON_XMPP_FAULT_PLAIN:
      return beckon_text_printf (_("%s does not encrypt its connections. Beckon signs in over TLS only."), name);
    case BECKON_XMPP_FAULT_CERTIFICATE:
      return beckon_text_printf (_("The connection to %s is not secure: its certificate was refused (%s)."), name,
                                 detail);
    case BECKON_XMPP_FAULT_PASSWORD:
      return beckon_text_printf (_("%s does not accept this address and password. Check both."), self->domain);
    case BECKON_XMPP_FAULT_SIGN_IN:
      return beckon_text_printf (_("Signing in to %s does not work now. Trying again."), self->domain);
    case BECKON_XMPP_FAULT_HOST:
      return beckon_text_printf (_("This server does not serve %s. Check the address and the server."), self->domain);
    case BECKON_XMPP_FAULT_CONFLICT:
    case BECKON_XMPP_FAULT_CLOSED:
      return beckon_text_printf (_("%s ended the connection. Trying again."), name);
    case BECKON_XMPP_FAULT_LARGE:
      return beckon_text_printf (_("%s sent too much at once. Trying again."), name);
    default:
      g_return_val_if_reached (NULL);
    }
}

static void
xmpp_adapter_on_ended (BeckonXmppFault fault, const char *detail, gboolean can_resume, gpointer user_data)
{
  g_autoptr (BeckonXmppAdapter) self = g_object_ref (user_data);
  g_autofree char *problem = xmpp_adapter_describe (self, fault, detail);

  clear_timer (self);
  if (!can_resume)
    fail_late (self);
  if (self->wire != NULL)
    {
      /* A connection that worked is made again before anyone is told that it does not. */
      if (fault == BECKON_XMPP_FAULT_CONFLICT)
        {
          /* Another client that calls itself the same would end this connection again and again. */
          g_free (self->resource);
          self->resource = g_strdup_printf ("%s-%04x", RESOURCE, g_random_int_range (0, 0x10000));
        }
      if (fault == BECKON_XMPP_FAULT_PASSWORD)
        {
          xmpp_adapter_set_state (self, BECKON_CHANNEL_SIGNED_OUT, problem);
          return;
        }
      if (!is_connected (self))
        {
          xmpp_adapter_fail (self, problem);
          return;
        }
      try_later (self);
      xmpp_adapter_set_state (self, BECKON_CHANNEL_CONNECTING, NULL);
    }
}

static const BeckonXmppHandler handler = { on_online, on_received, on_accepted, xmpp_adapter_on_ended };

/* --- The interface ------------------------------------------------------------------------------------------------ */

/* Servers take at least 10,000 bytes at once, in which some characters are written as five. */
static const BeckonChannelLimits *
xmpp_get_limits (BeckonChannelAdapter *adapter)
{
  static const BeckonChannelLimits limits = {
    .max_characters = 6000,
    .max_bytes = 8000,
    .interval_ms = 300,
    .can_receive = TRUE,
    .can_edit = TRUE,
    .can_type = TRUE,
    .has_text = TRUE,
  };

  return &limits;
}

/* The certificate is the domain's, wherever its server is. The keyring tells servers apart by addresses of the web. */
static char *
xmpp_dup_server (BeckonChannelAdapter *adapter, JsonObject *config)
{
  const char *address = beckon_json_get_string (config, "address");
  g_autofree char *domain = address != NULL ? beckon_xmpp_dup_domain (address) : NULL;

  return g_strdup_printf ("https://%s:%u", domain != NULL ? domain : "", BECKON_XMPP_PORT);
}

/* A member that is there and not empty; borrowed. (nullable) */
static const char *
get_entered (JsonObject *config, const char *key)
{
  const char *text = beckon_json_get_string (config, key);

  return text != NULL && *text != '\0' ? text : NULL;
}

static guint16
read_port (const char *text)
{
  guint64 port = 0;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT16, &port, NULL))
    return 0;
  return (guint16)port;
}

static void
xmpp_start (BeckonChannelAdapter *adapter, const BeckonChannelStart *start)
{
  BeckonXmppAdapter *self = BECKON_XMPP_ADAPTER (adapter);

  self->account = g_strdup (get_entered (start->config, "address"));
  self->domain = beckon_xmpp_dup_domain (self->account);
  self->resource = g_strdup (RESOURCE);
  self->host = g_strdup (get_entered (start->config, "host"));
  self->port = read_port (get_entered (start->config, "port"));
  self->password = g_strdup (start->secret);
  self->failures = 0;

  if (self->password == NULL || *self->password == '\0')
    {
      xmpp_adapter_set_state (self, BECKON_CHANNEL_SIGNED_OUT, _("The password is missing. Enter it to connect."));
      return;
    }
  self->wire = beckon_xmpp_wire_new (&handler, self);
  xmpp_adapter_set_state (self, BECKON_CHANNEL_CONNECTING, NULL);
  reach (self);
}

static void
xmpp_stop (BeckonChannelAdapter *adapter)
{
  BeckonXmppAdapter *self = BECKON_XMPP_ADAPTER (adapter);

  clear_timer (self);
  if (self->reaching != NULL)
    g_cancellable_cancel (self->reaching);
  g_clear_object (&self->reaching);
  g_clear_pointer (&self->wire, beckon_xmpp_wire_close);

  g_queue_clear_full (&self->waiting, (GDestroyNotify)beckon_xmpp_in_free);
  g_clear_pointer (&self->storing, beckon_xmpp_in_free);
  g_hash_table_remove_all (self->contacts);
  g_hash_table_remove_all (self->asking);
  g_hash_table_remove_all (self->warned);

  g_clear_pointer (&self->account, g_free);
  g_clear_pointer (&self->domain, g_free);
  g_clear_pointer (&self->resource, g_free);
  g_clear_pointer (&self->host, g_free);
  g_clear_pointer (&self->password, beckon_wipe);

  if (self->pending != NULL)
    fail_pending (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "The adapter was stopped"));
}

static void
begin_sending (BeckonXmppAdapter *self, GTask *task)
{
  const BeckonChannelOutgoing *outgoing = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  BeckonXmppOut *out = beckon_xmpp_out_new (BECKON_XMPP_OUT_CHAT, outgoing->address, outgoing->id);

  out->body = g_strdup (outgoing->text);
  out->refers = g_strdup (outgoing->edits);

  if (xmpp_adapter_remember (self->contacts, outgoing->address))
    {
      if (g_hash_table_remove (self->asking, outgoing->address))
        transmit_note (self, BECKON_XMPP_OUT_SUBSCRIBED, outgoing->address, NULL);
      transmit_note (self, BECKON_XMPP_OUT_SUBSCRIBE, outgoing->address, NULL);
    }

  self->pending = g_new0 (Pending, 1);
  self->pending->task = g_object_ref (task);
  self->pending->number = beckon_xmpp_wire_send (self->wire, out);
  self->pending->timeout = beckon_clock_add_timeout (get_clock (self), SEND_MS, on_send_late, self);
  if (cancellable != NULL)
    self->pending->cancelled = g_signal_connect (cancellable, "cancelled", G_CALLBACK (on_send_cancelled), self);
}

static void
xmpp_send_async (BeckonChannelAdapter *adapter,
                 BeckonChannelOutgoing *outgoing,
                 GCancellable *cancellable,
                 GAsyncReadyCallback callback,
                 gpointer user_data)
{
  BeckonXmppAdapter *self = BECKON_XMPP_ADAPTER (adapter);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, xmpp_send_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, beckon_channel_outgoing_ref (outgoing), (GDestroyNotify)beckon_channel_outgoing_unref);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (!is_connected (self) || self->pending != NULL)
    g_task_return_new_error (task, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_NETWORK, "%s",
                             _("There is no connection to the XMPP server now."));
  else
    begin_sending (self, task);
}

static BECKON_FINISH_POINTER (char *, xmpp_send, BeckonChannelAdapter)

/* --- Files -------------------------------------------------------------------------------------------------------- */

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GBytes *bytes = beckon_xmpp_file_fetch_finish (result, &error);

  if (bytes != NULL)
    g_task_return_pointer (task, bytes, (GDestroyNotify)g_bytes_unref);
  else
    g_task_return_error (task, error);
}

static void
xmpp_fetch_async (BeckonChannelAdapter *adapter,
                  const BeckonChannelAttachment *attachment,
                  GCancellable *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer user_data)
{
  BeckonXmppAdapter *self = BECKON_XMPP_ADAPTER (adapter);
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, xmpp_fetch_async);
  beckon_xmpp_file_fetch_async (attachment->reference, self->domain, self->host, cancellable, on_fetched, task);
}

static BECKON_FINISH_POINTER (GBytes *, xmpp_fetch, BeckonChannelAdapter)

static void
xmpp_type (BeckonChannelAdapter *adapter, const char *address, const char *context, gboolean is_typing)
{
  BeckonXmppAdapter *self = BECKON_XMPP_ADAPTER (adapter);

  transmit_note (self, is_typing ? BECKON_XMPP_OUT_COMPOSING : BECKON_XMPP_OUT_ACTIVE, address, NULL);
}

static void
beckon_xmpp_adapter_dispose (GObject *object)
{
  beckon_channel_adapter_stop (BECKON_CHANNEL_ADAPTER (object));
  G_OBJECT_CLASS (beckon_xmpp_adapter_parent_class)->dispose (object);
}

static void
beckon_xmpp_adapter_finalize (GObject *object)
{
  BeckonXmppAdapter *self = BECKON_XMPP_ADAPTER (object);

  g_hash_table_unref (self->contacts);
  g_hash_table_unref (self->asking);
  g_hash_table_unref (self->warned);
  G_OBJECT_CLASS (beckon_xmpp_adapter_parent_class)->finalize (object);
}

static void
beckon_xmpp_adapter_class_init (BeckonXmppAdapterClass *klass)
{
  BeckonChannelAdapterClass *adapter = BECKON_CHANNEL_ADAPTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_xmpp_adapter_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_xmpp_adapter_finalize;
  adapter->get_limits = xmpp_get_limits;
  adapter->dup_server = xmpp_dup_server;
  adapter->start = xmpp_start;
  adapter->stop = xmpp_stop;
  adapter->stored = xmpp_stored;
  adapter->send_async = xmpp_send_async;
  adapter->send_finish = xmpp_send_finish;
  adapter->type = xmpp_type;
  adapter->fetch_async = xmpp_fetch_async;
  adapter->fetch_finish = xmpp_fetch_finish;
  adapter->forget = xmpp_forget;
}

static void
beckon_xmpp_adapter_init (BeckonXmppAdapter *self)
{
  self->contacts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->asking = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->warned = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_queue_init (&self->waiting);
}

/* --- The kind ----------------------------------------------------------------------------------------------------- */

static gboolean
xmpp_adapter_check (JsonObject *config, GError **error)
{
  const char *address = get_entered (config, "address");
  const char *host = get_entered (config, "host");
  const char *port = get_entered (config, "port");

  if (!beckon_xmpp_is_account (address))
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("“%s” is no XMPP address. Enter one like beckon@example.org."), address);
  else if (host != NULL && strpbrk (host, " /@\t\r\n") != NULL)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("“%s” is no server. Enter its name alone, or nothing."), host);
  else if (port != NULL && read_port (port) == 0)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("“%s” is no port. Enter a number up to 65535, or nothing."), port);
  else
    return TRUE;
  return FALSE;
}

static const BeckonChannelField fields[] = {
  { "address", N_("Address"), "beckon@example.org", TRUE },
  { "host", N_("Server"), N_("Found by the address"), FALSE },
  { "port", N_("Port"), "5222", FALSE },
  { NULL },
};

static gboolean
check_password (const char *password, GError **error)
{
  if (password != NULL && *password != '\0')
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The password of the account is missing."));
  return FALSE;
}

const BeckonChannelKind beckon_xmpp_kind = {
  .name = "xmpp",
  .title = "XMPP",
  .note = N_("Give Beckon an account of its own. Turn end-to-end encryption (OMEMO) off for the chat: Beckon can't "
             "read it. The server can read the messages."),
  .secret = N_("Password"),
  .check_secret = check_password,
  .get_type = beckon_xmpp_adapter_get_type,
  .fields = fields,
  .check = xmpp_adapter_check,
};
