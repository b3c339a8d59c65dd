/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "channels/beckon-channel-message.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
write_optional (BeckonJsonWriter *writer, const char *name, const char *text)
{
  if (text != NULL)
    beckon_json_writer_member_string (writer, name, text);
}

/* Writes what the store keeps of a message until it is handled: all but its id, its address and its context. Caller frees. */
static char *
channel_incoming_to_json (const BeckonChannelIncoming *incoming)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  write_optional (&writer, "name", incoming->name);
  write_optional (&writer, "text", incoming->text);
  write_optional (&writer, "code", incoming->code);
  write_optional (&writer, "button", incoming->button_message);
  write_optional (&writer, "quote", incoming->quote);
  write_optional (&writer, "context", incoming->context);
  beckon_json_writer_member_int (&writer, "at", incoming->at);
  beckon_json_writer_member_int (&writer, "number", incoming->number);
  beckon_json_writer_name (&writer, "files");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < incoming->attachments->len; i++)
    {
      const BeckonChannelAttachment *attachment = g_ptr_array_index (incoming->attachments, i);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "reference", attachment->reference);
      write_optional (&writer, "name", attachment->name);
      write_optional (&writer, "type", attachment->media_type);
      beckon_json_writer_member_int (&writer, "size", attachment->size);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&json), FALSE);
}

/* Pauses until the keyring or the store is tried again. */
#define FIRST_PAUSE_MS 1000
#define LONGEST_PAUSE_MS (60 * 1000)

/* A longer text of a stranger is no pairing code. */
#define LONGEST_CODE 64

typedef enum
{
  IDLE,
  CLAIMING,
  SERVED,
} Serving;

struct _BeckonChannel
{
  GObject parent_instance;

  BeckonStore *store;
  BeckonSecrets *secrets;
  BeckonClock *clock;
  BeckonChannelAccount *account;
  const BeckonChannelKind *kind; /* (nullable): this build has none of that name */
  BeckonChannelAdapter *adapter; /* (nullable) likewise */
  BeckonChannelOutbox *outbox;   /* (nullable) likewise */
  BeckonChannelHandler handler;
  gpointer handler_data;

  Serving serving;
  guint claim;               /* which one it is: what came of an earlier one counts no more */
  guint n_ahead;             /* changes of the account that the store does not have yet */
  guint n_keeping;           /* sign-ins that the keyring does not have yet */
  gboolean is_ahead;         /* likewise, of the message that is being handled */
  GCancellable *cancellable; /* (nullable): since it was claimed */
  char *problem;             /* (nullable): of the keyring or the store */
  guint failures;
  guint again;               /* a timeout of the clock */
  BeckonChannelState noted;  /* for other processes, since it was claimed */
  char *noted_problem;       /* (nullable) */

  GPtrArray *receiving;      /* (nullable): what is not stored yet */
  char *receiving_cursor;
  GPtrArray *inbound;        /* (nullable): what is being handled, the first first */
  gboolean is_listing;
  gboolean lists_again;
  gboolean is_handling;
};

G_DEFINE_FINAL_TYPE (BeckonChannel, beckon_channel, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  SIGNAL_SERVED,
  SIGNAL_UNSERVED,
  SIGNAL_STALE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
on_state_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    g_message ("the state of a channel could not be stored: %s", error->message);
}

static void
say_changed (BeckonChannel *self)
{
  BeckonChannelState state = beckon_channel_get_state (self);

  /* Other processes show it. An adapter that tries again may say that it connects, which is no news. */
  if (self->serving == SERVED
      && (state == BECKON_CHANNEL_CONNECTED || state == BECKON_CHANNEL_FAILED || state == BECKON_CHANNEL_SIGNED_OUT))
    {
      gboolean is_well = state == BECKON_CHANNEL_CONNECTED && beckon_channel_outbox_get_problem (self->outbox) == NULL;
      g_autofree char *problem = is_well ? NULL : beckon_channel_dup_words (self);

      if (state != self->noted || g_strcmp0 (problem, self->noted_problem) != 0)
        {
          BeckonBatch *batch;

          self->noted = state;
          g_free (self->noted_problem);
          self->noted_problem = g_strdup (problem);
          batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
          beckon_batch_set_channel_state (batch, self->account->id, beckon_channel_state_to_string (state), problem,
                                          beckon_clock_get_real_time (self->clock));
          beckon_store_commit_async (self->store, batch, NULL, on_state_stored, NULL);
        }
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
set_problem (BeckonChannel *self, const char *problem)
{
  if (g_strcmp0 (self->problem, problem) == 0)
    return;
  g_free (self->problem);
  self->problem = g_strdup (problem);
  say_changed (self);
}

static void
try_again (BeckonChannel *self, GSourceFunc function)
{
  beckon_clock_remove (self->clock, self->again);
  self->again = beckon_clock_add_timeout (
      self->clock, beckon_channel_backoff_ms (++self->failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), function, self);
}

/* --- What comes --------------------------------------------------------------------------------------------------- */

static gboolean
is_pairing (BeckonChannel *self, const BeckonChannelIncoming *incoming)
{
  if (self->account->pair_code == NULL || incoming->text == NULL || strlen (incoming->text) > LONGEST_CODE)
    return FALSE;
  /* Wrong codes count only while there is a good one. */
  return self->account->pair_until > beckon_clock_get_real_time (self->clock)
         || beckon_channel_account_match_code (self->account->pair_code, incoming->text);
}

static void take_inbound (BeckonChannel *self);
static void take_account (BeckonChannel *self, BeckonChannelAccount *account);

static void
forget_receiving (BeckonChannel *self)
{
  g_clear_pointer (&self->receiving, g_ptr_array_unref);
  g_clear_pointer (&self->receiving_cursor, g_free);
}

static gboolean store_received (gpointer user_data);

static void
on_received_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannel) self = user_data;
  g_autofree char *cursor = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_stored = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  if (self->receiving == NULL)
    return;
  if (!is_stored)
    {
      set_problem (self, error->message);
      try_again (self, store_received);
      return;
    }
  self->failures = 0;
  set_problem (self, NULL);
  cursor = g_steal_pointer (&self->receiving_cursor);
  forget_receiving (self);
  beckon_channel_end_change (self);
  beckon_channel_adapter_stored (self->adapter, cursor);
  take_inbound (self);
}

static gboolean
store_received (gpointer user_data)
{
  BeckonChannel *self = user_data;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  gint64 now = beckon_clock_get_real_time (self->clock);

  self->again = 0;
  for (guint i = 0; i < self->receiving->len; i++)
    {
      BeckonChannelIncoming *incoming = g_ptr_array_index (self->receiving, i);
      /* Strangers leave nothing but that a message came. */
      g_autofree char *body
          = (!incoming->is_group && (g_strcmp0 (incoming->address, self->account->address) == 0 || is_pairing (self, incoming)))
                ? channel_incoming_to_json (incoming)
                : NULL;
      g_autoptr (BeckonChannelInbound) inbound = beckon_channel_inbound_new (incoming->id, incoming->address, body, now);

      beckon_batch_receive_channel (batch, self->account->id, inbound, incoming->context);
    }
  beckon_batch_set_channel_cursor (batch, self->account->id, self->receiving_cursor);
  beckon_store_commit_async (self->store, batch, NULL, on_received_stored, g_object_ref (self));
  return G_SOURCE_REMOVE;
}

static void
on_received (BeckonChannelAdapter *adapter, GPtrArray *messages, const char *cursor, BeckonChannel *self)
{
  self->n_ahead++;
  self->receiving = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_channel_incoming_unref);
  for (guint i = 0; i < messages->len; i++)
    {
      BeckonChannelIncoming *incoming = g_ptr_array_index (messages, i);

      g_ptr_array_add (self->receiving, beckon_channel_incoming_ref (incoming));

      /* The outbox need not wait until the list was read again. Whether it is news that the peer was heard, the store knows. */
      if (g_strcmp0 (incoming->address, self->account->address) == 0 && incoming->context != NULL)
        {
          g_autoptr (BeckonChannelAccount) account = beckon_channel_account_copy (self->account);

          g_free (account->context);
          account->context = g_strdup (incoming->context);
          take_account (self, account);
        }
    }
  self->receiving_cursor = g_strdup (cursor);
  store_received (self);
}

/* --- Handling it, one by one -------------------------------------------------------------------------------------- */

static void
handle_next (BeckonChannel *self)
{
  BeckonChannelInbound *inbound;
  g_autoptr (BeckonChannelIncoming) incoming = NULL;
  g_autoptr (JsonObject) object = NULL;
  JsonArray *files;

  if (self->is_handling || self->inbound == NULL || self->handler == NULL || self->serving != SERVED)
    return;
  if (self->inbound->len == 0)
    {
      g_clear_pointer (&self->inbound, g_ptr_array_unref);
      if (self->lists_again)
        take_inbound (self);
      return;
    }
  inbound = g_ptr_array_index (self->inbound, 0);
  /* The message again; empty where its body can't be read. */
  object = beckon_json_parse_object (inbound->body, -1, NULL);
  incoming = beckon_channel_incoming_new (inbound->message_id, inbound->address, beckon_json_get_string (object, "text"));

  incoming->name = g_strdup (beckon_json_get_string (object, "name"));
  incoming->code = g_strdup (beckon_json_get_string (object, "code"));
  incoming->button_message = g_strdup (beckon_json_get_string (object, "button"));
  incoming->quote = g_strdup (beckon_json_get_string (object, "quote"));
  incoming->context = g_strdup (beckon_json_get_string (object, "context"));
  incoming->at = beckon_json_get_int (object, "at", 0);
  incoming->number = beckon_json_get_int (object, "number", 0);
  files = beckon_json_get_array (object, "files");
  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonNode *node = json_array_get_element (files, i);
      JsonObject *file = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      const char *reference = beckon_json_get_string (file, "reference");

      if (reference != NULL)
        beckon_channel_incoming_add_attachment (incoming, reference, beckon_json_get_string (file, "name"),
                                                beckon_json_get_string (file, "type"), beckon_json_get_int (file, "size", -1));
    }
  self->is_handling = TRUE;
  self->handler (self, inbound, incoming, self->handler_data);
}

void
beckon_channel_handled (BeckonChannel *self)
{
  self->is_handling = FALSE;
  if (self->is_ahead)
    {
      self->is_ahead = FALSE;
      beckon_channel_note_stale (self);
    }
  if (self->inbound != NULL && self->inbound->len > 0)
    g_ptr_array_remove_index (self->inbound, 0);
  handle_next (self);
}

static void
on_inbound_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannel) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) listed = beckon_store_list_inbound_finish (BECKON_STORE (source), result, &error);

  self->is_listing = FALSE;
  if (listed == NULL || self->serving != SERVED)
    return;
  self->inbound = g_steal_pointer (&listed);
  handle_next (self);
}

static void
take_inbound (BeckonChannel *self)
{
  self->lists_again = self->is_listing || self->inbound != NULL;
  if (self->lists_again)
    return;
  self->is_listing = TRUE;
  beckon_store_list_inbound_async (self->store, self->account->id, NULL, on_inbound_listed, g_object_ref (self));
}

/* --- Serving ------------------------------------------------------------------------------------------------------ */

static void
channel_start (BeckonChannel *self, const char *secret)
{
  g_autoptr (JsonObject) config = beckon_json_parse_object (self->account->config, -1, NULL);
  const BeckonChannelStart how = { .config = config, .secret = secret, .cursor = self->account->cursor };

  self->failures = 0;
  set_problem (self, NULL);
  beckon_channel_adapter_start (self->adapter, &how);
}

static gboolean look_up_secret (gpointer user_data);

typedef struct
{
  BeckonChannel *channel;
  guint claim;
} Claim;

static void
claim_free (Claim *claim)
{
  g_object_unref (claim->channel);
  g_free (claim);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Claim, claim_free)

static Claim *
claim_new (BeckonChannel *self)
{
  Claim *claim = g_new (Claim, 1);

  claim->channel = g_object_ref (self);
  claim->claim = self->claim;
  return claim;
}

static gboolean
is_current (Claim *claim, Serving serving)
{
  return claim->claim == claim->channel->claim && claim->channel->serving == serving;
}

static void
channel_on_secret (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Claim) claim = user_data;
  BeckonChannel *self = claim->channel;
  g_autoptr (GError) error = NULL;
  g_autofree char *secret = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, &error);

  if (!is_current (claim, SERVED))
    return;
  if (error == NULL)
    channel_start (self, secret);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      set_problem (self, error->message);
      try_again (self, look_up_secret);
    }
}

static gboolean
look_up_secret (gpointer user_data)
{
  BeckonChannel *self = user_data;
  g_autoptr (JsonObject) config = beckon_json_parse_object (self->account->config, -1, NULL);
  g_autofree char *server = beckon_channel_adapter_dup_server (self->adapter, config);
  g_autofree char *id = beckon_channel_dup_secret_id (self->account);

  self->again = 0;
  if (self->kind->secret == NULL && !beckon_channel_adapter_has_sign_in (self->adapter))
    channel_start (self, NULL);
  else
    beckon_secrets_lookup_async (self->secrets, id, server, FALSE, self->cancellable, channel_on_secret, claim_new (self));
  return G_SOURCE_REMOVE;
}

static void
on_posts_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Claim) claim = user_data;
  BeckonChannel *self = claim->channel;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) posts = beckon_store_list_posts_finish (BECKON_STORE (source), result, &error);

  if (!is_current (claim, CLAIMING))
    return;
  if (posts == NULL)
    {
      set_problem (self, error->message);
      beckon_channel_unserve (self);
      return;
    }
  self->serving = SERVED;
  beckon_channel_outbox_load (self->outbox, self->account, posts);
  g_signal_emit (self, signals[SIGNAL_SERVED], 0);
  take_inbound (self);
  look_up_secret (self);
}

static void
on_claimed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Claim) claim = user_data;
  BeckonChannel *self = claim->channel;
  g_autoptr (GError) error = NULL;
  gboolean is_ours = beckon_store_claim_channel_finish (BECKON_STORE (source), result, &error);

  if (!is_current (claim, CLAIMING))
    return;
  if (is_ours)
    {
      beckon_store_list_posts_async (self->store, self->account->id, NULL, on_posts_listed, claim_new (self));
      return;
    }
  self->serving = IDLE;
  g_clear_object (&self->cancellable);
  set_problem (self, g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT) ? NULL : error->message);
}

void
beckon_channel_serve (BeckonChannel *self)
{
  if (self->serving != IDLE || self->adapter == NULL)
    return;
  self->serving = CLAIMING;
  self->claim++;
  self->noted = BECKON_CHANNEL_OFF;
  self->cancellable = g_cancellable_new ();
  beckon_store_claim_channel_async (self->store, self->account->id, NULL, on_claimed, claim_new (self));
}

void
beckon_channel_unserve (BeckonChannel *self)
{
  gboolean was_served;
  BeckonBatch *batch;

  if (self->serving == IDLE)
    return;
  was_served = self->serving == SERVED;
  self->serving = IDLE;
  self->n_ahead = 0;
  self->is_ahead = FALSE;
  beckon_clock_remove (self->clock, self->again);
  self->again = 0;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  beckon_channel_outbox_stop (self->outbox);
  beckon_channel_adapter_stop (self->adapter);
  forget_receiving (self);
  g_clear_pointer (&self->inbound, g_ptr_array_unref);
  g_clear_pointer (&self->problem, g_free);
  self->is_handling = FALSE;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_release_channel (batch, self->account->id);
  beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
  if (was_served)
    g_signal_emit (self, signals[SIGNAL_UNSERVED], 0);
  say_changed (self);
}

gboolean
beckon_channel_is_keeping (BeckonChannel *self)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL (self), FALSE);

  return self->n_keeping > 0 || self->n_ahead > 0;
}

gboolean
beckon_channel_is_served (BeckonChannel *self)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL (self), FALSE);

  return self->serving == SERVED;
}

/* --- For people --------------------------------------------------------------------------------------------------- */

BeckonChannelState
beckon_channel_get_state (BeckonChannel *self)
{
  BeckonChannelState state;

  g_return_val_if_fail (BECKON_IS_CHANNEL (self), BECKON_CHANNEL_OFF);

  state = self->adapter != NULL ? beckon_channel_adapter_get_state (self->adapter) : BECKON_CHANNEL_OFF;
  return self->problem != NULL ? BECKON_CHANNEL_FAILED
         : self->serving == SERVED && state == BECKON_CHANNEL_OFF ? BECKON_CHANNEL_CONNECTING : state;
}

static char *
say_connected (BeckonChannel *self)
{
  const char *problem = beckon_channel_outbox_get_problem (self->outbox);
  g_autofree char *peer = beckon_text_for_display (self->account->peer_name, -1, BECKON_TEXT_EXACT);

  if (self->kind->is_one_way)
    {
      /* A channel by which messages only leave has no connection: before the first one nothing is known. */
      if (problem != NULL)
        return beckon_text_printf (_("The last message could not be sent: %s"), problem);
      return g_strdup (beckon_channel_outbox_has_sent (self->outbox) ? _("The last message was sent.")
                       : _("Ready. A test tells whether it works."));
    }
  if (problem != NULL)
    return beckon_text_printf (_("Connected, but something could not be sent: %s"), problem);
  if (self->account->address == NULL)
    return g_strdup (_("Connected. Pair it with your phone next."));
  return *peer != '\0' ? beckon_text_printf (_("Connected with %s."), peer) : g_strdup (_("Connected."));
}

/* Another process does, and has told how it is. */
static char *
say_held (const BeckonChannelAccount *account)
{
  const char *connected = beckon_channel_state_to_string (BECKON_CHANNEL_CONNECTED);
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (account->problem_at / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;
  g_autofree char *since = local != NULL ? g_date_time_format (local, "%F %H:%M") : g_strdup ("?");
  g_autofree char *problem = beckon_text_for_display (account->problem, -1, BECKON_TEXT_PROSE);

  if (g_strcmp0 (account->state, connected) == 0)
    return g_strdup (_("Connected, in another window or terminal of Beckon."));
  if (account->state == NULL || *problem == '\0')
    return g_strdup (_("Another window or terminal of Beckon serves it."));
  /* Translators: a date and time, and what does not work, in a sentence of its own */
  return beckon_text_printf (_("Another window or terminal of Beckon serves it. Since %1$s: %2$s"), since, problem);
}

char *
beckon_channel_dup_words (BeckonChannel *self)
{
  const char *problem;

  g_return_val_if_fail (BECKON_IS_CHANNEL (self), NULL);

  if (self->problem != NULL)
    return g_strdup (self->problem);
  if (self->serving != SERVED)
    {
      if (self->kind == NULL)
        return beckon_text_printf (_("This build of Beckon has no channels of the kind “%s”."), self->account->kind);
      if (!self->account->is_on)
        return g_strdup (_("Off."));
      if (self->account->is_held)
        return say_held (self->account);
      return g_strdup (_("Not served: open Beckon, or run “beckonctl channel serve”."));
    }
  problem = beckon_channel_adapter_get_problem (self->adapter);
  switch (beckon_channel_adapter_get_state (self->adapter))
    {
    case BECKON_CHANNEL_CONNECTED:
      return say_connected (self);
    case BECKON_CHANNEL_SIGNED_OUT:
      return g_strdup (problem != NULL ? problem : _("Signed out. Sign in again."));
    case BECKON_CHANNEL_SIGNING_IN:
      return g_strdup (_("Signing in…"));
    case BECKON_CHANNEL_FAILED:
      return g_strdup (problem != NULL ? problem : _("It can't be reached. It is tried again."));
    case BECKON_CHANNEL_OFF:
    case BECKON_CHANNEL_CONNECTING:
    default:
      return g_strdup (_("Connecting…"));
    }
}

char *
beckon_channel_dup_secret_id (const BeckonChannelAccount *account)
{
  g_return_val_if_fail (account != NULL && account->id != NULL, NULL);

  return g_strconcat ("channel:", account->id, NULL);
}

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
on_signed_in_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannel) self = user_data;
  g_autoptr (GError) error = NULL;

  self->n_keeping--;
  if (!beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error))
    set_problem (self, error->message);
  else
    say_changed (self);
}

static void
on_config_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannel) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    g_message ("the settings of a channel could not be stored: %s", error->message);
  beckon_channel_end_change (self);
}

static void
channel_on_signed_in (BeckonChannelAdapter *adapter, const char *secret, const char *config, BeckonChannel *self)
{
  g_autofree char *id = beckon_channel_dup_secret_id (self->account);
  g_autoptr (JsonObject) object = NULL;
  g_autofree char *server = NULL;

  self->n_keeping++;
  if (config != NULL)
    {
      g_autoptr (BeckonChannelAccount) account = beckon_channel_account_copy (self->account);
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      g_free (account->config);
      account->config = g_strdup (config);
      beckon_batch_put_channel (batch, account);
      beckon_store_commit_async (self->store, batch, NULL, on_config_stored, g_object_ref (self));
      beckon_channel_begin_change (self, account);
    }
  object = beckon_json_parse_object (self->account->config, -1, NULL);
  server = beckon_channel_adapter_dup_server (self->adapter, object);
  beckon_secrets_store_async (self->secrets, id, server, self->account->name, secret, NULL, on_signed_in_stored,
                              g_object_ref (self));
}

static void
on_parted_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannel) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    g_message ("who left a channel could not be stored: %s", error->message);
  beckon_channel_end_change (self);
}

/* The server forgets whoever was paired, as soon as it can be told. Told twice, it does no harm. */
static void
part (BeckonChannel *self)
{
  g_autoptr (BeckonChannelAccount) account = NULL;
  BeckonBatch *batch;

  if (self->account->parted == NULL || self->serving != SERVED
      || beckon_channel_adapter_get_state (self->adapter) != BECKON_CHANNEL_CONNECTED)
    return;
  beckon_channel_adapter_forget (self->adapter, self->account->parted);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_forget_parted (batch, self->account->id, self->account->parted);
  account = beckon_channel_account_copy (self->account);
  g_clear_pointer (&account->parted, g_free);
  beckon_store_commit_async (self->store, batch, NULL, on_parted_stored, g_object_ref (self));
  beckon_channel_begin_change (self, account);
}

static void
on_state (BeckonChannelAdapter *adapter, BeckonChannel *self)
{
  part (self);
  beckon_channel_outbox_wake (self->outbox);
  say_changed (self);
}

BeckonChannelAccount *
beckon_channel_get_account (BeckonChannel *self)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL (self), NULL);

  return self->account;
}

BeckonChannelAdapter *
beckon_channel_get_adapter (BeckonChannel *self)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL (self), NULL);

  return self->adapter;
}

BeckonChannelOutbox *
beckon_channel_get_outbox (BeckonChannel *self)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL (self), NULL);

  return self->outbox;
}

static void
take_account (BeckonChannel *self, BeckonChannelAccount *account)
{
  beckon_channel_account_ref (account);
  beckon_channel_account_unref (self->account);
  self->account = account;
  if (self->serving == SERVED)
    beckon_channel_outbox_set_account (self->outbox, account);
  say_changed (self);
  part (self);
}

void
beckon_channel_set_account (BeckonChannel *self, BeckonChannelAccount *account)
{
  self->is_ahead = self->is_handling;
  take_account (self, account);
}

void
beckon_channel_begin_change (BeckonChannel *self, BeckonChannelAccount *account)
{
  g_return_if_fail (account != NULL && strcmp (account->id, self->account->id) == 0);

  self->n_ahead++;
  take_account (self, account);
}

void
beckon_channel_end_change (BeckonChannel *self)
{
  if (self->n_ahead > 0)
    self->n_ahead--;
  beckon_channel_note_stale (self);
}

gboolean
beckon_channel_take_listed (BeckonChannel *self, BeckonChannelAccount *account)
{
  g_return_val_if_fail (account != NULL && strcmp (account->id, self->account->id) == 0, FALSE);

  if (self->n_ahead > 0 || self->is_ahead)
    return FALSE;
  take_account (self, account);
  return TRUE;
}

void
beckon_channel_note_stale (BeckonChannel *self)
{
  g_signal_emit (self, signals[SIGNAL_STALE], 0);
}

void
beckon_channel_set_handler (BeckonChannel *self, BeckonChannelHandler handler, gpointer user_data)
{
  self->handler = handler;
  self->handler_data = user_data;
}

static void
beckon_channel_dispose (GObject *object)
{
  BeckonChannel *self = BECKON_CHANNEL (object);

  if (self->account != NULL)
    beckon_channel_unserve (self);
  g_clear_object (&self->outbox);
  g_clear_object (&self->adapter);
  g_clear_object (&self->store);
  g_clear_object (&self->secrets);
  g_clear_object (&self->clock);
  G_OBJECT_CLASS (beckon_channel_parent_class)->dispose (object);
}

static void
beckon_channel_finalize (GObject *object)
{
  BeckonChannel *self = BECKON_CHANNEL (object);

  beckon_channel_account_unref (self->account);
  g_free (self->problem);
  g_free (self->noted_problem);
  forget_receiving (self);
  G_OBJECT_CLASS (beckon_channel_parent_class)->finalize (object);
}

static void
beckon_channel_class_init (BeckonChannelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_channel_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_channel_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", BECKON_TYPE_CHANNEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
  signals[SIGNAL_SERVED] = g_signal_new ("served", BECKON_TYPE_CHANNEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  signals[SIGNAL_UNSERVED] = g_signal_new ("unserved", BECKON_TYPE_CHANNEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 0);
  signals[SIGNAL_STALE] = g_signal_new ("stale", BECKON_TYPE_CHANNEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
}

static void
beckon_channel_init (BeckonChannel *self)
{
}

BeckonChannel *
beckon_channel_new (BeckonStore *store, BeckonSecrets *secrets, BeckonClock *clock, BeckonChannelAccount *account)
{
  BeckonChannel *self;

  self = g_object_new (BECKON_TYPE_CHANNEL, NULL);
  self->store = g_object_ref (store);
  self->secrets = g_object_ref (secrets);
  self->clock = g_object_ref (clock);
  self->account = beckon_channel_account_ref (account);
  self->kind = beckon_channel_kind_find (account->kind);
  if (self->kind != NULL)
    {
      self->adapter = beckon_channel_kind_make_adapter (self->kind);
      beckon_channel_adapter_set_clock (self->adapter, self->clock);
      self->outbox = beckon_channel_outbox_new (self->store, self->adapter, self->clock);
      g_signal_connect_object (self->outbox, "sent", G_CALLBACK (say_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->outbox, "failed", G_CALLBACK (say_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->adapter, "received", G_CALLBACK (on_received), self, 0);
      g_signal_connect_object (self->adapter, "state", G_CALLBACK (on_state), self, 0);
      g_signal_connect_object (self->adapter, "signed-in", G_CALLBACK (channel_on_signed_in), self, 0);
    }
  return self;
}
