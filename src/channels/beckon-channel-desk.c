/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A message that came has one end: beckon_channel_desk_finish (). It stores that the message is handled together with
 * the reply, and only then the next one is looked at. If the process dies before, the message comes again. So what a message
 * does is stored with its end, too: the settlement of what it answers, and its place in a conversation's queue.
 */

#include "beckon-config.h"

#include "beckon-channel-desk-private.h"

#include "base/beckon-error.h"
#include "channels/beckon-channel-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (BeckonChannelDesk, beckon_channel_desk, G_TYPE_OBJECT)

static void
answering_free (gpointer data)
{
  BeckonChannelAnswering *answering = data;

  g_object_unref (answering->dialogue);
  g_free (answering);
}

BeckonChannelAccount *
beckon_channel_desk_get_account (BeckonChannelDesk *self)
{
  return beckon_channel_get_account (self->channel);
}

BeckonChannelOutbox *
beckon_channel_desk_get_outbox (BeckonChannelDesk *self)
{
  return beckon_channel_get_outbox (self->channel);
}

const BeckonChannelLimits *
beckon_channel_desk_get_limits (BeckonChannelDesk *self)
{
  return beckon_channel_adapter_get_limits (beckon_channel_get_adapter (self->channel));
}

BeckonChannelPost *
beckon_channel_desk_make_post (BeckonChannelDesk *self, const char *title, const char *text)
{
  return beckon_channel_post_new (beckon_channel_desk_get_account (self)->id,
                                  beckon_channel_desk_get_account (self)->address, title, text,
                                  beckon_clock_get_real_time (self->parts.clock));
}

BeckonChannelOffer
beckon_channel_desk_get_offer (BeckonChannelDesk *self, BeckonRequest *request)
{
  return beckon_channel_text_get_offer (request, beckon_channel_desk_get_account (self),
                                        beckon_channel_desk_get_limits (self));
}

gboolean
beckon_channel_desk_is_to_peer (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  return g_strcmp0 (post->address, beckon_channel_desk_get_account (self)->address) == 0;
}

BeckonChannelTurn *
beckon_channel_turn_new (BeckonChannelDesk *self)
{
  BeckonChannelTurn *turn = g_new (BeckonChannelTurn, 1);

  turn->desk = g_object_ref (self);
  turn->serial = self->serial;
  return turn;
}

void
beckon_channel_turn_free (BeckonChannelTurn *turn)
{
  g_object_unref (turn->desk);
  g_free (turn);
}

gboolean
beckon_channel_turn_is_on (const BeckonChannelTurn *turn)
{
  return turn->desk->inbound != NULL && turn->serial == turn->desk->serial;
}

/* --- Storing what leaves ------------------------------------------------------------------------------------------ */

BeckonChannelStoring *
beckon_channel_storing_new (BeckonChannelDesk *self)
{
  BeckonChannelStoring *storing = g_new0 (BeckonChannelStoring, 1);

  storing->desk = g_object_ref (self);
  storing->serial = self->serial;
  storing->posts = g_ptr_array_new_with_free_func ((GDestroyNotify)beckon_channel_post_free);
  return storing;
}

void
beckon_channel_storing_free (BeckonChannelStoring *storing)
{
  g_object_unref (storing->desk);
  g_ptr_array_unref (storing->posts);
  g_free (storing->request_id);
  g_free (storing);
}

void
beckon_channel_desk_end_message (BeckonChannelDesk *self)
{
  g_clear_pointer (&self->inbound, beckon_channel_inbound_free);
  g_clear_pointer (&self->incoming, beckon_channel_incoming_unref);
  if (self->is_open)
    beckon_channel_handled (self->channel);
}

static gboolean
is_handling (const BeckonChannelStoring *storing)
{
  return storing->desk->inbound != NULL && storing->serial == storing->desk->serial;
}

static void
note_stored (BeckonChannelStoring *storing, gboolean is_stored, const GError *error)
{
  BeckonChannelDesk *self = storing->desk;

  if (!is_stored)
    g_message ("a message of a channel could not be stored: %s", error->message);
  if (is_stored && storing->pairs && is_handling (storing))
    {
      /* The next message need not wait until the list was read again. */
      g_autoptr (BeckonChannelAccount) account = beckon_channel_account_copy (beckon_channel_desk_get_account (self));

      g_free (account->address);
      account->address = g_strdup (self->inbound->address);
      g_free (account->peer_name);
      account->peer_name = g_strdup (self->incoming->name != NULL ? self->incoming->name : "");
      g_free (account->context);
      account->context = g_strdup (self->incoming->context);
      account->heard_at = beckon_clock_get_real_time (self->parts.clock);
      account->pair_until = 0;
      g_clear_pointer (&account->conversation_id, g_free);
      beckon_channel_set_account (self->channel, account);
    }
  for (guint i = 0; is_stored && self->is_open && i < storing->posts->len; i++)
    beckon_channel_outbox_take (beckon_channel_desk_get_outbox (self),
                                beckon_channel_post_copy (g_ptr_array_index (storing->posts, i)));
  if (storing->request_id != NULL && !is_stored)
    g_hash_table_remove (self->asked, storing->request_id);
  else if (storing->request_id != NULL && self->is_open)
    beckon_channel_desk_look_whether_settled (self, storing->request_id);
  if (storing->ends_message && is_handling (storing))
    beckon_channel_desk_end_message (self);
}

static void
desk_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelStoring) storing = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_stored = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  note_stored (storing, is_stored, error);
}

void
beckon_channel_storing_add (BeckonChannelStoring *storing, BeckonBatch *batch, BeckonChannelPost *post)
{
  beckon_batch_put_channel_post (batch, post);
  g_ptr_array_add (storing->posts, post);
}

static void
add_reply_to (BeckonChannelDesk *self,
              BeckonChannelStoring *storing,
              BeckonBatch *batch,
              const char *address,
              const char *text)
{
  g_auto (GStrv) pieces = beckon_channel_text_split (text, beckon_channel_desk_get_limits (self));

  for (guint i = 0; pieces[i] != NULL; i++)
    {
      BeckonChannelPost *post
          = beckon_channel_post_new (beckon_channel_desk_get_account (self)->id, address, _ ("Beckon replies"), pieces[i],
                                     beckon_clock_get_real_time (self->parts.clock));

      post->is_asked_for = TRUE;
      post->is_to_stranger = g_strcmp0 (address, beckon_channel_desk_get_account (self)->address) != 0;
      beckon_channel_storing_add (storing, batch, post);
    }
}

void
beckon_channel_storing_add_reply (BeckonChannelDesk *self,
                                  BeckonChannelStoring *storing,
                                  BeckonBatch *batch,
                                  const char *text)
{
  add_reply_to (self, storing, batch, beckon_channel_desk_get_account (self)->address, text);
}

void
beckon_channel_storing_commit (BeckonChannelDesk *self, BeckonBatch *batch, BeckonChannelStoring *storing)
{
  beckon_store_commit_async (self->parts.store, batch, NULL, desk_on_stored, storing);
}

/* --- The end of a message ----------------------------------------------------------------------------------------- */

static void
acknowledge (BeckonChannelDesk *self, const char *text)
{
  if (self->incoming->code != NULL)
    beckon_channel_adapter_acknowledge (beckon_channel_get_adapter (self->channel), self->incoming, text);
}

/* @text: (nullable): what the person is told; @storing, @batch: (transfer full) (nullable): with what else. */
void
beckon_channel_desk_finish_with (BeckonChannelDesk *self,
                                 const char *text,
                                 BeckonChannelStoring *storing,
                                 BeckonBatch *batch)
{
  /* The account is no longer served here: the message comes again where it is. */
  if (self->inbound == NULL)
    {
      g_clear_pointer (&storing, beckon_channel_storing_free);
      g_clear_pointer (&batch, beckon_batch_free);
      return;
    }
  if (storing == NULL)
    storing = beckon_channel_storing_new (self);
  if (batch == NULL)
    batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  acknowledge (self, text);
  storing->ends_message = TRUE;
  beckon_batch_end_inbound (batch, beckon_channel_desk_get_account (self)->id, self->inbound->message_id);
  if (text != NULL && *text != '\0' && beckon_channel_desk_get_account (self)->address != NULL)
    beckon_channel_storing_add_reply (self, storing, batch, text);
  beckon_channel_storing_commit (self, batch, storing);
}

void
beckon_channel_desk_note_answered (BeckonChannelDesk *self)
{
  acknowledge (self, NULL);
  beckon_channel_desk_end_message (self);
}

void
beckon_channel_desk_finish (BeckonChannelDesk *self, const char *text)
{
  beckon_channel_desk_finish_with (self, text, NULL, NULL);
}

/* --- Pairing ------------------------------------------------------------------------------------------------------ */

static void
on_pairing_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonChannelStoring *storing = user_data;
  g_autoptr (BeckonChannelDesk) self = g_object_ref (storing->desk);

  desk_on_stored (source, result, storing);
  if (self->is_open)
    beckon_channel_note_stale (self->channel);
}

/* A stranger's message ends without a word. */
static void
end_unsaid (BeckonChannelDesk *self, BeckonBatch *batch)
{
  BeckonChannelStoring *storing = beckon_channel_storing_new (self);

  beckon_batch_end_inbound (batch, beckon_channel_desk_get_account (self)->id, self->inbound->message_id);
  storing->ends_message = TRUE;
  beckon_store_commit_async (self->parts.store, batch, NULL, on_pairing_stored, storing);
}

/* The store knows better than the account that was read some time ago whether the code still counts. */
static void
on_paired (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelStoring) storing = user_data;
  BeckonChannelDesk *self = storing->desk;
  g_autoptr (GError) error = NULL;
  gboolean is_paired = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND) && is_handling (storing))
    {
      end_unsaid (self, beckon_batch_new (BECKON_DURABILITY_NORMAL));
      return;
    }
  note_stored (storing, is_paired, error);
  if (self->is_open)
    beckon_channel_note_stale (self->channel);
}

static void
pair (BeckonChannelDesk *self)
{
  BeckonChannelAccount *account = beckon_channel_desk_get_account (self);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonChannelStoring *storing = beckon_channel_storing_new (self);
  gint64 now = beckon_clock_get_real_time (self->parts.clock);
  g_autofree char *text = NULL;

  beckon_batch_pair_channel (batch, account->id, account->pair_code, self->inbound->address, self->incoming->name, now);
  beckon_batch_hear_channel (batch, account->id, self->inbound->address, self->incoming->context, now);
  beckon_batch_end_inbound (batch, account->id, self->inbound->message_id);
  text = g_strconcat (_ ("You are paired with Beckon."), "\n\n", beckon_channel_desk_get_help (), NULL);
  add_reply_to (self, storing, batch, self->inbound->address, text);
  storing->ends_message = TRUE;
  storing->pairs = TRUE;
  beckon_store_commit_async (self->parts.store, batch, NULL, on_paired, storing);
}

/* Only somebody who was told the code can have it. */
static void
say_void (BeckonChannelDesk *self)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  BeckonChannelStoring *storing = beckon_channel_storing_new (self);

  add_reply_to (self, storing, batch, self->inbound->address,
                _ ("This code was used, or has expired. Make a new one on the computer, and send that."));
  beckon_channel_desk_finish_with (self, NULL, storing, batch);
}

/* Other strangers get no word. */
static void
take_stranger (BeckonChannelDesk *self)
{
  const BeckonChannelAccount *account = beckon_channel_desk_get_account (self);
  gboolean is_good = account->pair_code != NULL && account->pair_until > beckon_clock_get_real_time (self->parts.clock);
  BeckonBatch *batch;

  if (beckon_channel_account_match_code (account->pair_code, self->incoming->text))
    {
      is_good ? pair (self) : say_void (self);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  if (is_good && self->incoming->text != NULL)
    beckon_batch_miss_pairing (batch, account->id);
  end_unsaid (self, batch);
}

static void
on_message (BeckonChannel *channel,
            const BeckonChannelInbound *inbound,
            BeckonChannelIncoming *incoming,
            gpointer user_data)
{
  BeckonChannelDesk *self = user_data;
  g_autofree char *line = NULL;

  self->serial++;
  self->inbound = beckon_channel_inbound_copy (inbound);
  self->incoming = beckon_channel_incoming_ref (incoming);
  line = g_strstrip (g_strdup (incoming->text != NULL ? incoming->text : ""));
  if (g_strcmp0 (inbound->address, beckon_channel_desk_get_account (self)->address) != 0)
    take_stranger (self);
  else if (incoming->code != NULL)
    beckon_channel_desk_press (self);
  else if (*line != '\0')
    beckon_channel_desk_take_line (self, line);
  else if (incoming->attachments->len > 0)
    beckon_channel_desk_send_message (self, "", FALSE, FALSE);
  else
    beckon_channel_desk_finish (self, _ ("Beckon reads texts, pictures and files."));
}

/* --- Beginning and end -------------------------------------------------------------------------------------------- */

static void
note_peer (BeckonChannelDesk *self)
{
  const char *address = beckon_channel_desk_get_account (self)->address;

  if (g_strcmp0 (self->peer, address) == 0)
    return;
  g_free (self->peer);
  self->peer = g_strdup (address);
  beckon_channel_desk_forget_asked (self);
}

static void
on_served (BeckonChannel *channel, BeckonChannelDesk *self)
{
  self->is_open = TRUE;
  note_peer (self);
  beckon_channel_desk_look_at_asked (self);
  beckon_channel_talk_begin (self->talk);
}

static void
on_unserved (BeckonChannel *channel, BeckonChannelDesk *self)
{
  self->is_open = FALSE;
  beckon_channel_talk_end (self->talk);
  g_hash_table_remove_all (self->asked);
  g_hash_table_remove_all (self->dialogues);
  g_clear_pointer (&self->inbound, beckon_channel_inbound_free);
  g_clear_pointer (&self->incoming, beckon_channel_incoming_unref);
}

/* Which way a question is asked depends on what the adapter can do, and some know that only once they are connected. */
static void
desk_on_changed (BeckonChannel *channel, BeckonChannelDesk *self)
{
  if (self->is_open)
    note_peer (self);
  if (self->is_open && beckon_channel_get_state (channel) == BECKON_CHANNEL_CONNECTED)
    beckon_channel_desk_send_waiting (self);
}

static void
desk_on_inbox_changed (BeckonChannelDesk *self)
{
  if (beckon_channel_get_state (self->channel) == BECKON_CHANNEL_CONNECTED || g_hash_table_size (self->asked) > 0)
    beckon_channel_desk_send_waiting (self);
}

void
beckon_channel_desk_set_watched (BeckonChannelDesk *self, const char *conversation_id)
{
  if (g_strcmp0 (self->watched, conversation_id) == 0)
    return;
  g_free (self->watched);
  self->watched = g_strdup (conversation_id);
  beckon_channel_talk_set_watched (self->talk, conversation_id);
  desk_on_changed (self->channel, self);
}

gboolean
beckon_channel_desk_send_test (BeckonChannelDesk *self, const char *text)
{
  BeckonBatch *batch;
  BeckonChannelStoring *storing;

  if (!self->is_open || beckon_channel_desk_get_account (self)->address == NULL)
    return FALSE;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  storing = beckon_channel_storing_new (self);
  beckon_channel_storing_add_reply (self, storing, batch, text);
  beckon_channel_storing_commit (self, batch, storing);
  return TRUE;
}

static void
beckon_channel_desk_dispose (GObject *object)
{
  BeckonChannelDesk *self = BECKON_CHANNEL_DESK (object);

  if (self->channel != NULL)
    beckon_channel_set_handler (self->channel, NULL, NULL);
  g_clear_object (&self->talk);
  g_clear_object (&self->channel);
  G_OBJECT_CLASS (beckon_channel_desk_parent_class)->dispose (object);
}

static void
beckon_channel_desk_finalize (GObject *object)
{
  BeckonChannelDesk *self = BECKON_CHANNEL_DESK (object);

  g_free (self->watched);
  g_free (self->peer);
  g_hash_table_unref (self->asked);
  g_hash_table_unref (self->previewed);
  g_hash_table_unref (self->dialogues);
  g_clear_pointer (&self->inbound, beckon_channel_inbound_free);
  g_clear_pointer (&self->incoming, beckon_channel_incoming_unref);
  G_OBJECT_CLASS (beckon_channel_desk_parent_class)->finalize (object);
}

static void
beckon_channel_desk_class_init (BeckonChannelDeskClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_channel_desk_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_channel_desk_finalize;
}

static void
beckon_channel_desk_init (BeckonChannelDesk *self)
{
  self->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->previewed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->dialogues = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, answering_free);
}

BeckonChannelDesk *
beckon_channel_desk_new (BeckonChannel *channel, const BeckonChannelParts *parts)
{
  BeckonChannelDesk *self;

  self = g_object_new (BECKON_TYPE_CHANNEL_DESK, NULL);
  self->channel = g_object_ref (channel);
  self->parts = *parts;
  self->talk = beckon_channel_talk_new (channel, parts);
  beckon_channel_set_handler (channel, on_message, self);
  g_signal_connect_object (channel, "served", G_CALLBACK (on_served), self, 0);
  g_signal_connect_object (channel, "unserved", G_CALLBACK (on_unserved), self, 0);
  g_signal_connect_object (channel, "changed", G_CALLBACK (desk_on_changed), self, 0);
  g_signal_connect_object (beckon_channel_get_outbox (channel), "sent", G_CALLBACK (beckon_channel_desk_note_sent),
                           self, 0);
  g_signal_connect_object (parts->inbox, "settled", G_CALLBACK (beckon_channel_desk_note_settled), self, 0);
  g_signal_connect_object (parts->inbox, "items-changed", G_CALLBACK (desk_on_inbox_changed), self, G_CONNECT_SWAPPED);
  return self;
}
