/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A message that came has one end: beckon_channel_desk_finish (). It stores that the message is handled together with
 * the reply, and only then the next one is looked at. If the process dies before, the message comes again. So what a message
 * does is stored with its end, too: the settlement of what it answers, and its place in a conversation's queue.
 */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "channels/beckon-channel-desk.h"
#include "channels/beckon-channel-talk.h"
#include "channels/beckon-channel-text.h"
#include "request/beckon-approval-request.h"
#include "text/beckon-dialogue.h"
#include "text/beckon-plain-approval.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Shared by the files of the desk: the messages that come and what is stored with them, what is asked and how it ended, and
 * what lines and buttons do. */
/**
 * BeckonChannelAnswering:
 * @dialogue: takes the lines
 * @item: which part is next
 *
 * A request that is being answered.
 */
typedef struct
{
  BeckonDialogue *dialogue;
  guint item;
} BeckonChannelAnswering;

/*
 @channel: its account
 * @parts: the program
 * @talk: its conversation
 * @watched: (nullable): the conversation that a person looks at
 * @asked: (element-type utf8): by ids of requests that were sent, or are about to be, a #BeckonChannelOffer + 1: how much
 * @previewed: (element-type utf8): ids of requests whose preview is being made, or was tried, which is then the value
 * @dialogues: (element-type utf8 BeckonChannelAnswering): by the request's id, of those that are being answered
 * @is_open: the account is served here
 * @peer: (nullable): whom all this is with
 * @serial: of the message that is being handled: a message that is handled once more has another
 * @inbound: (nullable): the message that is being handled
 * @incoming: (nullable): the same
 */
struct _BeckonChannelDesk
{
  GObject parent_instance;

  BeckonChannel *channel;
  BeckonChannelParts parts;
  BeckonChannelTalk *talk;
  char *watched;
  GHashTable *asked;
  GHashTable *previewed;
  GHashTable *dialogues;
  gboolean is_open;
  char *peer;
  guint serial;
  BeckonChannelInbound *inbound;
  BeckonChannelIncoming *incoming;
};

/*
 @desk: the desk
 * @posts: (element-type BeckonChannelPost): go to the outbox once they are stored
 * @ends_message: the message that is being handled is handled then
 * @serial: of that
 * @pairs: whoever wrote it is paired then
 * @request_id: (nullable): is asked for the first time
 *
 * A transaction of the desk.
 */
typedef struct
{
  BeckonChannelDesk *desk;
  GPtrArray *posts;
  gboolean ends_message;
  guint serial;
  gboolean pairs;
  char *request_id;
} BeckonChannelStoring;

/*
 @desk: the desk; owned
 * @serial: of its message at the time
 * @otherwise: (nullable): what takes the line of the message if nothing is found
 *
 * A step of the handling of a message that goes on later.
 */
typedef struct
{
  BeckonChannelDesk *desk;
  guint serial;
  void (*otherwise) (BeckonChannelDesk *desk, const char *line);
} BeckonChannelTurn;

static void channel_turn_free (BeckonChannelTurn *turn);
static void channel_storing_free (BeckonChannelStoring *storing);
static void channel_desk_send_waiting (BeckonChannelDesk *self);
static void channel_desk_look_whether_settled (BeckonChannelDesk *self, const char *request_id);
static void channel_desk_look_at_asked (BeckonChannelDesk *self);
static void channel_desk_note_settled (BeckonInbox *inbox, BeckonRequest *request,
                                       const BeckonSettlement *settlement, BeckonChannelDesk *self);
static void channel_desk_note_sent (BeckonChannelOutbox *outbox, const BeckonChannelPost *post,
                                    BeckonChannelDesk *self);
static void channel_desk_press (BeckonChannelDesk *self);
static void channel_desk_take_line (BeckonChannelDesk *self, const char *line);
static void channel_desk_send_message (BeckonChannelDesk *self, const char *text, gboolean is_new,
                                       gboolean waits);
static const char *channel_desk_get_help (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelTurn, channel_turn_free)

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelStoring, channel_storing_free)

G_DEFINE_FINAL_TYPE (BeckonChannelDesk, beckon_channel_desk, G_TYPE_OBJECT)

static void
answering_free (gpointer data)
{
  BeckonChannelAnswering *answering = data;

  g_object_unref (answering->dialogue);
  g_free (answering);
}

static BeckonChannelAccount *
channel_desk_get_account (BeckonChannelDesk *self)
{
  return beckon_channel_get_account (self->channel);
}

static BeckonChannelOutbox *
channel_desk_get_outbox (BeckonChannelDesk *self)
{
  return beckon_channel_get_outbox (self->channel);
}

static const BeckonChannelLimits *
channel_desk_get_limits (BeckonChannelDesk *self)
{
  return beckon_channel_adapter_get_limits (beckon_channel_get_adapter (self->channel));
}

/* A message to whoever is paired. Caller owns. */
static BeckonChannelPost *
channel_desk_make_post (BeckonChannelDesk *self, const char *title, const char *text)
{
  return beckon_channel_post_new (channel_desk_get_account (self)->id,
                                  channel_desk_get_account (self)->address, title, text,
                                  beckon_clock_get_real_time (self->parts.clock));
}

/* How much of a request goes over its account. */
static BeckonChannelOffer
channel_desk_get_offer (BeckonChannelDesk *self, BeckonRequest *request)
{
  return beckon_channel_text_get_offer (request, channel_desk_get_account (self),
                                        channel_desk_get_limits (self));
}

/* Whether a post went to whoever is paired now. */
static gboolean
channel_desk_is_to_peer (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  return g_strcmp0 (post->address, channel_desk_get_account (self)->address) == 0;
}

static BeckonChannelTurn *
channel_turn_new (BeckonChannelDesk *self)
{
  BeckonChannelTurn *turn = g_new0 (BeckonChannelTurn, 1);

  turn->desk = g_object_ref (self);
  turn->serial = self->serial;
  return turn;
}

static void
channel_turn_free (BeckonChannelTurn *turn)
{
  g_object_unref (turn->desk);
  g_free (turn);
}

/* Whether that message is still being handled: the account may have been served anew since. */
static gboolean
channel_turn_is_on (const BeckonChannelTurn *turn)
{
  return turn->desk->inbound != NULL && turn->serial == turn->desk->serial;
}

/* --- Storing what leaves ------------------------------------------------------------------------------------------ */

static BeckonChannelStoring *
channel_storing_new (BeckonChannelDesk *self)
{
  BeckonChannelStoring *storing = g_new0 (BeckonChannelStoring, 1);

  storing->desk = g_object_ref (self);
  storing->serial = self->serial;
  storing->posts = g_ptr_array_new_with_free_func ((GDestroyNotify)beckon_channel_post_free);
  return storing;
}

static void
channel_storing_free (BeckonChannelStoring *storing)
{
  g_object_unref (storing->desk);
  g_ptr_array_unref (storing->posts);
  g_free (storing->request_id);
  g_free (storing);
}

/* The same where that it is handled was stored already, and nothing else is to be done. */
static void
channel_desk_end_message (BeckonChannelDesk *self)
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
      g_autoptr (BeckonChannelAccount) account = beckon_channel_account_copy (channel_desk_get_account (self));

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
    beckon_channel_outbox_take (channel_desk_get_outbox (self),
                                beckon_channel_post_copy (g_ptr_array_index (storing->posts, i)));
  if (storing->request_id != NULL && !is_stored)
    g_hash_table_remove (self->asked, storing->request_id);
  else if (storing->request_id != NULL && self->is_open)
    channel_desk_look_whether_settled (self, storing->request_id);
  if (storing->ends_message && is_handling (storing))
    channel_desk_end_message (self);
}

static void
desk_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelStoring) storing = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_stored = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  note_stored (storing, is_stored, error);
}

static void
channel_storing_add (BeckonChannelStoring *storing, BeckonBatch *batch, BeckonChannelPost *post)
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
  g_auto (GStrv) pieces = beckon_channel_text_split (text, channel_desk_get_limits (self));

  for (guint i = 0; pieces[i] != NULL; i++)
    {
      BeckonChannelPost *post
          = beckon_channel_post_new (channel_desk_get_account (self)->id, address, _("Beckon replies"), pieces[i],
                                     beckon_clock_get_real_time (self->parts.clock));

      post->is_asked_for = TRUE;
      post->is_to_stranger = g_strcmp0 (address, channel_desk_get_account (self)->address) != 0;
      channel_storing_add (storing, batch, post);
    }
}

/* A text for whoever wrote. */
static void
channel_storing_add_reply (BeckonChannelDesk *self,
                           BeckonChannelStoring *storing,
                           BeckonBatch *batch,
                           const char *text)
{
  add_reply_to (self, storing, batch, channel_desk_get_account (self)->address, text);
}

/* @batch, @storing: (transfer full) */
static void
channel_storing_commit (BeckonChannelDesk *self, BeckonBatch *batch, BeckonChannelStoring *storing)
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
static void
channel_desk_finish_with (BeckonChannelDesk *self,
                          const char *text,
                          BeckonChannelStoring *storing,
                          BeckonBatch *batch)
{
  /* The account is no longer served here: the message comes again where it is. */
  if (self->inbound == NULL)
    {
      g_clear_pointer (&storing, channel_storing_free);
      g_clear_pointer (&batch, beckon_batch_free);
      return;
    }
  if (storing == NULL)
    storing = channel_storing_new (self);
  if (batch == NULL)
    batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  acknowledge (self, text);
  storing->ends_message = TRUE;
  beckon_batch_end_inbound (batch, channel_desk_get_account (self)->id, self->inbound->message_id);
  if (text != NULL && *text != '\0' && channel_desk_get_account (self)->address != NULL)
    channel_storing_add_reply (self, storing, batch, text);
  channel_storing_commit (self, batch, storing);
}

/* The end of the message that is being handled. @text: (nullable): for the person. */
static void
channel_desk_finish (BeckonChannelDesk *self, const char *text)
{
  channel_desk_finish_with (self, text, NULL, NULL);
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
  BeckonChannelStoring *storing = channel_storing_new (self);

  beckon_batch_end_inbound (batch, channel_desk_get_account (self)->id, self->inbound->message_id);
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
  BeckonChannelAccount *account = channel_desk_get_account (self);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonChannelStoring *storing = channel_storing_new (self);
  gint64 now = beckon_clock_get_real_time (self->parts.clock);
  g_autofree char *text = NULL;

  beckon_batch_pair_channel (batch, account->id, account->pair_code, self->inbound->address, self->incoming->name, now);
  beckon_batch_hear_channel (batch, account->id, self->inbound->address, self->incoming->context, now);
  beckon_batch_end_inbound (batch, account->id, self->inbound->message_id);
  text = g_strconcat (_("You are paired with Beckon."), "\n\n", channel_desk_get_help (), NULL);
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
  BeckonChannelStoring *storing = channel_storing_new (self);

  add_reply_to (self, storing, batch, self->inbound->address,
                _("This code was used, or has expired. Make a new one on the computer, and send that."));
  channel_desk_finish_with (self, NULL, storing, batch);
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
  if (g_strcmp0 (inbound->address, channel_desk_get_account (self)->address) != 0)
    {
      const BeckonChannelAccount *account = channel_desk_get_account (self);
      gboolean is_good = account->pair_code != NULL && account->pair_until > beckon_clock_get_real_time (self->parts.clock);
      BeckonBatch *batch;

      /* Other strangers get no word. */
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
  else if (incoming->code != NULL)
    channel_desk_press (self);
  else if (*line != '\0')
    channel_desk_take_line (self, line);
  else if (incoming->attachments->len > 0)
    channel_desk_send_message (self, "", FALSE, FALSE);
  else
    channel_desk_finish (self, _("Beckon reads texts, pictures and files."));
}

/* --- Beginning and end -------------------------------------------------------------------------------------------- */

static void
note_peer (BeckonChannelDesk *self)
{
  const char *address = channel_desk_get_account (self)->address;
  BeckonChannelOutbox *outbox;
  g_autoptr (GPtrArray) asking = NULL;

  if (g_strcmp0 (self->peer, address) == 0)
    return;
  g_free (self->peer);
  self->peer = g_strdup (address);
  /* The end of what was asked is stored with the pairing. */
  outbox = channel_desk_get_outbox (self);
  asking = beckon_channel_outbox_list_asking (outbox, NULL);
  for (guint i = 0; i < asking->len; i++)
    if (!channel_desk_is_to_peer (self, g_ptr_array_index (asking, i)))
      beckon_channel_outbox_close (outbox, g_ptr_array_index (asking, i));
  g_hash_table_remove_all (self->asked);
  g_hash_table_remove_all (self->dialogues);
}

static void
on_served (BeckonChannel *channel, BeckonChannelDesk *self)
{
  self->is_open = TRUE;
  note_peer (self);
  channel_desk_look_at_asked (self);
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
    channel_desk_send_waiting (self);
}

static void
desk_on_inbox_changed (BeckonChannelDesk *self)
{
  if (beckon_channel_get_state (self->channel) == BECKON_CHANNEL_CONNECTED || g_hash_table_size (self->asked) > 0)
    channel_desk_send_waiting (self);
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

  if (!self->is_open || channel_desk_get_account (self)->address == NULL)
    return FALSE;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  storing = channel_storing_new (self);
  channel_storing_add_reply (self, storing, batch, text);
  channel_storing_commit (self, batch, storing);
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
  g_signal_connect_object (beckon_channel_get_outbox (channel), "sent", G_CALLBACK (channel_desk_note_sent),
                           self, 0);
  g_signal_connect_object (parts->inbox, "settled", G_CALLBACK (channel_desk_note_settled), self, 0);
  g_signal_connect_object (parts->inbox, "items-changed", G_CALLBACK (desk_on_inbox_changed), self, G_CONNECT_SWAPPED);
  return self;
}

/* --- What waits is sent ------------------------------------------------------------------------------------------- */

static BeckonChannelPost *
make_asking (BeckonChannelDesk *self, BeckonRequest *request, guint item, BeckonChannelOffer offer, const char *text)
{
  BeckonChannelPost *post = channel_desk_make_post (self, beckon_channel_text_get_title (request), text);

  post->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
  post->request_id = g_strdup (beckon_request_get_id (request));
  post->item = item;
  /* Only what was shown can be answered. */
  if (offer == BECKON_CHANNEL_OFFER_WHOLE)
    {
      post->code = beckon_channel_post_make_code ();
      post->choices = beckon_channel_text_format_choices (request, item, channel_desk_get_limits (self));
    }
  return post;
}

/* The last piece has the buttons. */
static void
channel_desk_add_question (BeckonChannelDesk *self,
                           BeckonChannelStoring *storing,
                           BeckonBatch *batch,
                           BeckonRequest *request,
                           guint item,
                           gboolean is_asked_for)
{
  BeckonChannelOffer offer = channel_desk_get_offer (self, request);
  g_autofree char *text = beckon_channel_text_format (request, item, offer);
  g_auto (GStrv) pieces = beckon_channel_text_split (text, channel_desk_get_limits (self));

  for (guint i = 0; pieces[i] != NULL; i++)
    {
      BeckonChannelPost *post
          = pieces[i + 1] == NULL
                ? make_asking (self, request, item, offer, pieces[i])
                : channel_desk_make_post (self, beckon_channel_text_get_title (request), pieces[i]);

      post->is_asked_for = is_asked_for;
      if (pieces[i + 1] != NULL)
        {
          /* A leading piece goes with its question, but the end is not shown in it. */
          post->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
          post->request_id = g_strdup (beckon_request_get_id (request));
          post->is_closed = TRUE;
        }
      channel_storing_add (storing, batch, post);
    }
}

/* @offer: at least so much of it. */
static gboolean
was_asked (BeckonChannelDesk *self, const char *request_id, BeckonChannelOffer offer)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->asked, request_id)) > (guint)offer;
}

/* TRUE if it is new. */
static gboolean
note_asked (BeckonChannelDesk *self, const char *request_id, BeckonChannelOffer offer)
{
  gboolean is_new = !was_asked (self, request_id, BECKON_CHANNEL_OFFER_NOTICE);

  if (!was_asked (self, request_id, offer))
    g_hash_table_insert (self->asked, g_strdup (request_id), GUINT_TO_POINTER ((guint)offer + 1));
  return is_new;
}

/* An approval that is asked about once its preview is there. */
typedef struct
{
  BeckonChannelDesk *desk; /* (owned) */
  BeckonRequest *request;  /* (owned) */
} Previewing;

static void
channel_desk_asking_on_previewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Previewing *previewing = user_data;
  g_autoptr (BeckonCallPreview) preview
    = beckon_call_previewer_preview_finish (BECKON_CALL_PREVIEWER (source), result, NULL);

  if (preview != NULL)
    beckon_request_set_preview (previewing->request, preview);
  g_hash_table_insert (previewing->desk->previewed, g_strdup (beckon_request_get_id (previewing->request)),
                       GINT_TO_POINTER (TRUE));
  channel_desk_send_waiting (previewing->desk);
  g_object_unref (previewing->request);
  g_object_unref (previewing->desk);
  g_free (previewing);
}

/* Whether @request can be sent as it is shown elsewhere; if not, it is sent once it can. */
static gboolean
is_prepared (BeckonChannelDesk *self, BeckonRequest *request)
{
  BeckonCallPreviewer *previewer = beckon_inbox_get_previewer (self->parts.inbox);
  const char *id = beckon_request_get_id (request);
  gpointer is_tried = NULL;
  Previewing *previewing;

  if (!channel_desk_get_account (self)->approves || !beckon_plain_approval_has_preview (request, previewer)
      || beckon_request_get_preview (request) != NULL)
    return TRUE;
  if (g_hash_table_lookup_extended (self->previewed, id, NULL, &is_tried))
    return is_tried != NULL;
  g_hash_table_insert (self->previewed, g_strdup (id), NULL);
  previewing = g_new (Previewing, 1);
  previewing->desk = g_object_ref (self);
  previewing->request = g_object_ref (request);
  beckon_call_previewer_preview_async (previewer, request, beckon_request_get_arguments (request), NULL,
                                       channel_desk_asking_on_previewed,
                                       previewing);
  return FALSE;
}

/* Sends what waits and was not sent. */
static void
channel_desk_send_waiting (BeckonChannelDesk *self)
{
  GListModel *inbox = G_LIST_MODEL (self->parts.inbox);

  for (guint i = 0; self->is_open && i < g_list_model_get_n_items (inbox); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);
      /* Temporary conversations leave no trace, and a phone's chat is one. */
      const char *id = beckon_request_get_conversation_id (request);
      BeckonConversation *conversation = id != NULL ? beckon_library_lookup (self->parts.library, id) : NULL;

      if (channel_desk_get_account (self)->address != NULL
          && !was_asked (self, beckon_request_get_id (request), channel_desk_get_offer (self, request))
          && (conversation == NULL || !beckon_conversation_get_temporary (conversation))
          && (self->watched == NULL || g_strcmp0 (id, self->watched) != 0) && is_prepared (self, request))
        {
          BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
          BeckonChannelStoring *storing = channel_storing_new (self);

          note_asked (self, beckon_request_get_id (request), channel_desk_get_offer (self, request));
          storing->request_id = g_strdup (beckon_request_get_id (request));
          channel_desk_add_question (self, storing, batch, request, 0, FALSE);
          channel_storing_commit (self, batch, storing);
        }
    }
}

/* --- What ended says so ------------------------------------------------------------------------------------------- */

/* The question itself says it, where messages can be edited; else a line does. */
static void
add_end (BeckonChannelDesk *self,
         BeckonChannelStoring *storing,
         BeckonBatch *batch,
         const BeckonChannelPost *asked,
         BeckonRequest *request,
         gboolean is_last)
{
  gboolean edits
      = channel_desk_get_limits (self)->can_edit && asked->remote_id != NULL && *asked->remote_id != '\0';
  BeckonChannelOffer offer
      = asked->code != NULL ? channel_desk_get_offer (self, request) : BECKON_CHANNEL_OFFER_NOTICE;
  g_autofree char *end = beckon_channel_text_format_end (request, offer);
  g_autofree char *whole = g_strconcat (asked->text, "\n\n", end, NULL);
  g_auto (GStrv) pieces = beckon_channel_text_split (edits ? whole : end, channel_desk_get_limits (self));
  BeckonChannelPost *post;
  g_autofree char *here = NULL;

  if ((!edits && !is_last) || !channel_desk_is_to_peer (self, asked))
    return;
  if (pieces[1] != NULL)
    {
      g_strfreev (pieces);
      pieces = beckon_channel_text_split (end, channel_desk_get_limits (self));
    }
  post = channel_desk_make_post (self, _("That is settled"), pieces[0]);
  post->conversation_id = g_strdup (asked->conversation_id);
  post->edits = edits ? g_strdup (asked->remote_id) : NULL;
  here = beckon_channel_account_dup_front_end (channel_desk_get_account (self));
  post->is_asked_for = g_strcmp0 (beckon_request_get_front_end (request), here) == 0;
  channel_storing_add (storing, batch, post);
}

/* Posts that were not sent yet are not sent at all. */
static void
channel_desk_close_asking (BeckonChannelDesk *self, BeckonRequest *request)
{
  g_autoptr (GPtrArray) asking
      = beckon_channel_outbox_list_asking (channel_desk_get_outbox (self), beckon_request_get_id (request));
  BeckonBatch *batch;
  BeckonChannelStoring *storing;

  g_hash_table_remove (self->dialogues, beckon_request_get_id (request));
  if (asking->len == 0)
    return;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  storing = channel_storing_new (self);
  for (guint i = 0; i < asking->len; i++)
    {
      g_autoptr (BeckonChannelPost) post = beckon_channel_post_copy (g_ptr_array_index (asking, i));
      BeckonChannelPostState state = post->state;

      post->is_closed = TRUE;
      if (state == BECKON_CHANNEL_POST_QUEUED)
        post->state = BECKON_CHANNEL_POST_FAILED;
      beckon_batch_put_channel_post (batch, post);
      if (state == BECKON_CHANNEL_POST_SENT)
        add_end (self, storing, batch, post, request, i + 1 == asking->len);
      beckon_channel_outbox_close (channel_desk_get_outbox (self), g_ptr_array_index (asking, i));
    }
  channel_storing_commit (self, batch, storing);
}

/* A request may have been settled while its message was being stored. */
static void
on_settled_meanwhile (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelDesk) self = user_data;
  g_autoptr (BeckonRequest) request = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, NULL);

  if (request != NULL && self->is_open && beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
    channel_desk_close_asking (self, request);
}

/* The same, if it is settled. */
static void
channel_desk_look_whether_settled (BeckonChannelDesk *self, const char *request_id)
{
  if (beckon_inbox_lookup (self->parts.inbox, request_id) == NULL)
    beckon_request_store_lookup_async (BECKON_REQUEST_STORE (self->parts.store), request_id, NULL, on_settled_meanwhile,
                                       g_object_ref (self));
}

static void
channel_desk_note_settled (BeckonInbox *inbox,
                           BeckonRequest *request,
                           const BeckonSettlement *settlement,
                           BeckonChannelDesk *self)
{
  if (self->is_open)
    channel_desk_close_asking (self, request);
}

static void
on_late_end (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelStoring) storing = user_data;
  BeckonChannelDesk *self = storing->desk;
  g_autoptr (BeckonRequest) request = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, NULL);
  g_autoptr (GPtrArray) asked = g_steal_pointer (&storing->posts);
  BeckonBatch *batch;

  storing->posts = g_ptr_array_new_with_free_func ((GDestroyNotify)beckon_channel_post_free);
  if (request == NULL || !self->is_open || channel_desk_get_account (self)->address == NULL
      || beckon_request_get_state (request) == BECKON_REQUEST_PENDING
      || !channel_desk_is_to_peer (self, g_ptr_array_index (asked, 0)))
    return;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  add_end (self, storing, batch, g_ptr_array_index (asked, 0), request, TRUE);
  channel_storing_commit (self, batch, g_steal_pointer (&storing));
}

/* A question that ended while it was on its way. */
static void
channel_desk_note_sent (BeckonChannelOutbox *outbox, const BeckonChannelPost *post, BeckonChannelDesk *self)
{
  BeckonChannelStoring *storing;

  if (!self->is_open || post->request_id == NULL || !post->is_closed)
    return;
  storing = channel_storing_new (self);
  g_ptr_array_add (storing->posts, beckon_channel_post_copy (post));
  beckon_request_store_lookup_async (BECKON_REQUEST_STORE (self->parts.store), post->request_id, NULL, on_late_end,
                                     storing);
}

/* Answers that were given while no process served the account. */
static void
channel_desk_look_at_asked (BeckonChannelDesk *self)
{
  g_autoptr (GPtrArray) asking = beckon_channel_outbox_list_asking (channel_desk_get_outbox (self), NULL);

  for (guint i = 0; i < asking->len; i++)
    {
      const BeckonChannelPost *post = g_ptr_array_index (asking, i);

      if (channel_desk_is_to_peer (self, post)
          && note_asked (self, post->request_id,
                         post->code != NULL ? BECKON_CHANNEL_OFFER_WHOLE : BECKON_CHANNEL_OFFER_NOTICE))
        channel_desk_look_whether_settled (self, post->request_id);
    }
}

/* More than this is not listed in one message. */
#define MOST_LISTED 20

/* How long it may take until a person has read on the phone that a question is over. */
#define TOLD_WITHIN_US (10 * G_USEC_PER_SEC)

/* --- Answers ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  BeckonChannelTurn *turn;
  char *conversation_id;
} Settling;

static void
desk_answers_on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Settling *settling = user_data;
  BeckonChannelDesk *self = settling->turn->desk;
  g_autoptr (GError) error = NULL;

  if (beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error) && self->is_open)
    beckon_channel_talk_follow (self->talk, settling->conversation_id);
  if (channel_turn_is_on (settling->turn) && error == NULL)
    {
      acknowledge (self, NULL);
      channel_desk_end_message (self);
    }
  else if (channel_turn_is_on (settling->turn))
    channel_desk_finish (self, error->message);
  g_free (settling->conversation_id);
  channel_turn_free (settling->turn);
  g_free (settling);
}

static void
desk_answers_settle (BeckonChannelDesk *self, BeckonRequest *request, BeckonAnswer *answer)
{
  BeckonChannelAccount *account = channel_desk_get_account (self);
  g_autofree char *front_end = beckon_channel_account_dup_front_end (account);
  g_autofree char *shown = beckon_text_for_display (account->peer_name, -1, BECKON_TEXT_EXACT);
  Settling *settling;
  g_autoptr (GError) error = NULL;

  if (!beckon_channel_text_check_answer (request, answer, &error))
    {
      channel_desk_finish (self, error->message);
      return;
    }
  settling = g_new (Settling, 1);
  settling->turn = channel_turn_new (self);
  settling->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
  beckon_inbox_settle_by_message_async (self->parts.inbox, beckon_request_get_id (request), answer, front_end,
                                        *shown != '\0' ? shown : account->address, account->id, self->inbound->message_id,
                                        NULL, desk_answers_on_answered, settling);
}

/* Requests that can be answered here were sent whole. */
static BeckonChannelAnswering *
begin_answering (BeckonChannelDesk *self, BeckonRequest *request)
{
  BeckonChannelAnswering *answering = g_new0 (BeckonChannelAnswering, 1);
  g_autoptr (GPtrArray) pending = g_ptr_array_new ();

  g_ptr_array_add (pending, request);
  answering->dialogue = beckon_dialogue_new (FALSE);
  beckon_dialogue_follow (answering->dialogue, pending);
  beckon_dialogue_mark_shown (answering->dialogue);
  g_hash_table_insert (self->dialogues, g_strdup (beckon_request_get_id (request)), answering);
  return answering;
}

/* A later part was asked, so that the first ones were answered; only memory had those answers. */
static gboolean
is_half_answered (BeckonChannelDesk *self, BeckonRequest *request)
{
  g_autoptr (GPtrArray) asking
      = beckon_channel_outbox_list_asking (channel_desk_get_outbox (self), beckon_request_get_id (request));

  for (guint i = 0; i < asking->len; i++)
    if (((const BeckonChannelPost *)g_ptr_array_index (asking, i))->item > 0)
      return TRUE;
  return FALSE;
}

static void
desk_answers_stop (BeckonChannelDesk *self, BeckonConversation *conversation)
{
  if (conversation == NULL || !beckon_conversation_is_busy (conversation))
    {
      channel_desk_finish (self, _("Nothing is running."));
      return;
    }
  beckon_agent_stop (self->parts.agent, conversation);
  channel_desk_finish (self, _("The run is being stopped."));
}

/* A request that is answered line by line; @item: which part the line is for, -1 for the one whose turn it is. */
static void
desk_answers_answer (BeckonChannelDesk *self, BeckonRequest *request, int item, const char *line)
{
  BeckonChannelAnswering *answering = g_hash_table_lookup (self->dialogues, beckon_request_get_id (request));
  g_auto (BeckonDialogueReply) reply = { 0 };

  if (answering == NULL && item != 0 && is_half_answered (self, request))
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
      BeckonChannelStoring *storing = channel_storing_new (self);

      begin_answering (self, request);
      channel_storing_add_reply (
   self, storing, batch,
   _("Beckon was started anew since, and no longer has your answer to the first part. Answer it once more."));
      channel_desk_add_question (self, storing, batch, request, 0, TRUE);
      channel_desk_finish_with (self, NULL, storing, batch);

      return;
    }
  if (answering == NULL)
    answering = begin_answering (self, request);
  if (item >= 0 && (guint)item != answering->item)
    {
      channel_desk_finish (self, (guint)item < answering->item ? _("You have answered this part already.")
                           : _("Answer the parts before this one first."));
      return;
    }
  switch (beckon_dialogue_take_line (answering->dialogue, line, &reply))
    {
    case BECKON_DIALOGUE_ANSWERED:
      g_object_ref (request);
      answering->item = 0;
      desk_answers_settle (self, request, ((BeckonDialogueAnswer *)g_ptr_array_index (reply.answers, 0))->answer);
      g_object_unref (request);
      break;
    case BECKON_DIALOGUE_STOP:
      {
        const char *id = beckon_request_get_conversation_id (request);

        desk_answers_stop (self, id != NULL ? beckon_library_lookup (self->parts.library, id) : NULL);
      }
      break;
    case BECKON_DIALOGUE_MORE:
      if (reply.message == NULL)
        {
          BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
          BeckonChannelStoring *storing = channel_storing_new (self);

          answering->item++;
          channel_desk_add_question (self, storing, batch, request, answering->item, TRUE);
          channel_desk_finish_with (self, NULL, storing, batch);
        }
      else
        channel_desk_finish (self, reply.message);
      break;
    case BECKON_DIALOGUE_STATUS:
    case BECKON_DIALOGUE_FOLDER:
    default:
      channel_desk_finish (self, reply.message);
      break;
    }
}

static void
answer_if_pending (BeckonChannelDesk *self, const char *request_id, int item, const char *line)
{
  BeckonRequest *request = beckon_inbox_lookup (self->parts.inbox, request_id);

  if (request != NULL && channel_desk_get_offer (self, request) == BECKON_CHANNEL_OFFER_WHOLE)
    desk_answers_answer (self, request, item, line);
  else if (request != NULL)
    channel_desk_finish (self, _("This is answered on the desktop."));
  else
    channel_desk_finish (self, _("This is no longer open."));
}

/* --- Buttons, and codes of what is over --------------------------------------------------------------------------- */

static void
on_over_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTurn) turn = user_data;
  BeckonChannelDesk *self = turn->desk;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) request
      = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);
  g_autoptr (GError) settled = NULL;

  if (!channel_turn_is_on (turn))
    return;
  if (request == NULL)
    channel_desk_finish (self, error->message);
  else if (beckon_request_check_pending (request, &settled))
    channel_desk_finish (self, _("This is being stored. Try again in a moment."));
  else
    channel_desk_finish (self, settled->message);
}

/* Says who answered, where and when. */
static void
tell_over (BeckonChannelDesk *self, const char *request_id)
{
  beckon_request_store_lookup_async (BECKON_REQUEST_STORE (self->parts.store), request_id, NULL, on_over_read,
                                     channel_turn_new (self));
}

/* The number of a button of @post. */
static gboolean
parse_choice (BeckonChannelDesk *self, const BeckonChannelPost *post, guint *choice)
{
  const char *code = self->incoming->code;
  gsize length = post->code != NULL ? strlen (post->code) : 0;
  guint64 number;

  if (length == 0 || strncmp (code, post->code, length) != 0 || code[length] != ':'
      || !g_ascii_string_to_unsigned (code + length + 1, 10, 0, 1000, &number, NULL))
    return FALSE;
  *choice = (guint)number;
  return TRUE;
}

/* (nullable): one that asks whoever wrote. */
static BeckonChannelPost *
find_finish (BeckonChannelDesk *self, GObject *source, GAsyncResult *result, GError **error)
{
  g_autoptr (BeckonChannelPost) post = beckon_store_find_post_finish (BECKON_STORE (source), result, error);

  return post != NULL && post->request_id != NULL && channel_desk_is_to_peer (self, post) ? g_steal_pointer (&post)
                                                                                                   : NULL;
}

static void
on_button_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTurn) turn = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelPost) post = find_finish (turn->desk, source, result, &error);

  if (!channel_turn_is_on (turn))
    return;
  if (post != NULL)
    {
      BeckonChannelDesk *self = turn->desk;
      guint choice;
      g_autofree char *line = NULL;

      if (beckon_inbox_lookup (self->parts.inbox, post->request_id) == NULL)
        {
          tell_over (self, post->request_id);
          return;
        }
      if (!parse_choice (self, post, &choice))
        {
          channel_desk_finish (self, _("This button is not known."));
          return;
        }
      /* With its dot it is no label. */
      line = g_strdup_printf ("%u.", choice + 1);
      answer_if_pending (self, post->request_id, (int) post->item, line);
    }
  else
    channel_desk_finish (turn->desk, error != NULL ? error->message : _("This button is not known any more."));
}

/* The message that is being handled is a button, a line, or files for the conversation. */
static void
channel_desk_press (BeckonChannelDesk *self)
{
  g_auto (GStrv) parts = g_strsplit (self->incoming->code, ":", 2);

  beckon_store_find_post_async (self->parts.store, channel_desk_get_account (self)->id,
                                parts[0] != NULL ? parts[0] : "", NULL, on_button_found, channel_turn_new (self));
}

/* A line that begins as a code does, though nothing with it waits: it may be late. (nullable) */
static char *
dup_stale_code (const char *line)
{
  gsize length = *line == '#' ? 1 : 0;
  gsize begin = length;

  while (g_ascii_isalnum (line[length]))
    length++;
  if (length - begin != BECKON_PLAIN_CODE_LENGTH
      || (line[length] != '\0' && line[length] != ':' && line[length] != ' '))
    return NULL;
  return g_ascii_strdown (line + begin, BECKON_PLAIN_CODE_LENGTH);
}

/* --- Lines -------------------------------------------------------------------------------------------------------- */

static char *
desk_answers_dup_line (BeckonChannelDesk *self)
{
  return g_strstrip (g_strdup (self->incoming->text != NULL ? self->incoming->text : ""));
}

/* A post that showed its request to the one who is paired now; notices do not. */
static gboolean
is_shown (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  return post->state == BECKON_CHANNEL_POST_SENT && post->code != NULL && channel_desk_is_to_peer (self, post);
}

/* Requests that were sent, wait, and can be answered here. (transfer container) */
static GPtrArray *
list_open (BeckonChannelDesk *self)
{
  g_autoptr (GPtrArray) asking = beckon_channel_outbox_list_asking (channel_desk_get_outbox (self), NULL);
  GPtrArray *open = g_ptr_array_new ();

  for (guint i = 0; i < asking->len; i++)
    {
      const BeckonChannelPost *post = g_ptr_array_index (asking, i);
      BeckonRequest *request = beckon_inbox_lookup (self->parts.inbox, post->request_id);

      if (request != NULL && is_shown (self, post) && !g_ptr_array_find (open, request, NULL)
          && channel_desk_get_offer (self, request) == BECKON_CHANNEL_OFFER_WHOLE)
        g_ptr_array_add (open, request);
    }
  return open;
}

static BeckonRequest *
find_by_code (GPtrArray *open, const char *line, const char **rest)
{
  for (guint i = 0; i < open->len; i++)
    if ((*rest = beckon_plain_text_match_code (g_ptr_array_index (open, i), line)) != NULL)
      return g_ptr_array_index (open, i);
  return NULL;
}

/* The person replied to the message that asks. */
static BeckonRequest *
find_by_quote (BeckonChannelDesk *self, GPtrArray *open)
{
  g_autoptr (GPtrArray) asking = beckon_channel_outbox_list_asking (channel_desk_get_outbox (self), NULL);

  for (guint i = 0; self->incoming->quote != NULL && i < asking->len; i++)
    {
      const BeckonChannelPost *post = g_ptr_array_index (asking, i);
      BeckonRequest *request = beckon_inbox_lookup (self->parts.inbox, post->request_id);

      /* Some servers say which message is replied to, others what it says. */
      if (is_shown (self, post)
          && (g_strcmp0 (post->remote_id, self->incoming->quote) == 0
              || strcmp (post->text, self->incoming->quote) == 0)
          && g_ptr_array_find (open, request, NULL))
        return request;
    }
  return NULL;
}

static char *
format_waiting (BeckonChannelDesk *self, const char *heading)
{
  g_autoptr (GPtrArray) open = list_open (self);
  g_autoptr (GString) text = g_string_new (heading);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->parts.inbox));

  for (guint i = 0; i < MIN (open->len, MOST_LISTED); i++)
    {
      BeckonRequest *request = g_ptr_array_index (open, i);
      g_autofree char *code = beckon_plain_text_dup_code (request);
      g_autofree char *whole = beckon_plain_text_format (request, 0);
      g_auto (GStrv) lines = g_strsplit (whole, "\n", 2);
      g_autofree char *shown = beckon_text_shorten (lines[0], 120);

      g_string_append_printf (text, "\n[%s] %s", code, shown);
    }
  if (n > open->len)
    {
      g_string_append_c (text, '\n');
      beckon_text_append (
          text,
          g_dngettext (GETTEXT_PACKAGE, "%u more waits on the desktop.", "%u more wait on the desktop.", n - open->len),
          n - open->len);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
on_message_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTurn) turn = user_data;
  BeckonChannelDesk *self = turn->desk;
  g_autoptr (GError) error = NULL;
  g_autofree char *told = beckon_channel_talk_send_finish (BECKON_CHANNEL_TALK (source), result, &error);
  BeckonBatch *batch;
  BeckonChannelStoring *storing;

  if (!channel_turn_is_on (turn))
    return;
  if (told == NULL)
    {
      channel_desk_finish (self, error->message);
      return;
    }
  if (*told == '\0')
    {
      channel_desk_end_message (self);
      return;
    }
  /* That it is handled was stored with it. */
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  storing = channel_storing_new (self);
  storing->ends_message = TRUE;
  channel_storing_add_reply (self, storing, batch, told);
  channel_storing_commit (self, batch, storing);
}

static void
channel_desk_send_message (BeckonChannelDesk *self, const char *text, gboolean is_new, gboolean waits)
{
  beckon_channel_talk_send_async (self->talk, self->inbound, self->incoming, text, is_new, waits, on_message_sent,
                                  channel_turn_new (self));
}

/* How to use it; translated, static. */
static const char *
channel_desk_get_help (void)
{
  return _("Write what you want done. Questions of the agent come here; reply with a number or with your own words.\n"
           "/status: what goes on, and what waits\n"
           "/stop: stop the run\n"
           "/new: begin another conversation\n"
           "/after and a text: send it when this turn ends\n"
           "/skip, /choose, /dismiss: skip a question, leave it to the agent, or dismiss it");
}

/* (nullable): the rest of @line if it begins with @command. */
static const char *
match_command (const char *line, const char *command)
{
  gsize length = strlen (command);

  if (strncmp (line, command, length) != 0 || (line[length] != '\0' && !g_ascii_isspace (line[length])))
    return NULL;
  line += length;
  while (g_ascii_isspace (*line))
    line++;
  return line;
}

/* Commands that need no question. */
static gboolean
take_command (BeckonChannelDesk *self, const char *line)
{
  const char *rest;

  if (match_command (line, "/status") != NULL || match_command (line, "/list") != NULL)
    {
      g_autofree char *status = beckon_channel_talk_dup_status (self->talk);
      g_autofree char *text = format_waiting (self, status);

      channel_desk_finish (self, text);
    }
  else if (match_command (line, "/help") != NULL || match_command (line, "/start") != NULL)
    channel_desk_finish (self, channel_desk_get_help ());
  else if (match_command (line, "/stop") != NULL)
    desk_answers_stop (self, beckon_channel_talk_get_conversation (self->talk));
  else if ((rest = match_command (line, "/new")) != NULL && *rest == '\0')
    {
      g_autoptr (BeckonChannelAccount) account = beckon_channel_account_copy (channel_desk_get_account (self));
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      g_clear_pointer (&account->conversation_id, g_free);
      beckon_batch_set_channel_conversation (batch, account->id, NULL);
      beckon_channel_set_account (self->channel, account);
      channel_desk_finish_with (self, _("Your next message begins a new conversation."), NULL, batch);
    }
  else if (rest != NULL)
    channel_desk_send_message (self, rest, TRUE, FALSE);
  else if ((rest = match_command (line, "/after")) != NULL && *rest != '\0')
    channel_desk_send_message (self, rest, FALSE, TRUE);
  else
    return FALSE;
  return TRUE;
}

/* A line that may be for the only question that waits. */
typedef struct
{
  BeckonChannelTurn *turn;
  char *request_id;
  char *line;
} Unnamed;

static void
unnamed_free (Unnamed *unnamed)
{
  channel_turn_free (unnamed->turn);
  g_free (unnamed->request_id);
  g_free (unnamed->line);
  g_free (unnamed);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Unnamed, unnamed_free)

static void
tell_codes (BeckonChannelDesk *self)
{
  g_autofree char *text = format_waiting (self, _("Begin your reply with the code of what it is for:"));

  channel_desk_finish (self, text);
}

/* Servers that count whole seconds say when the second began. */
static gint64
get_written_at (BeckonChannelDesk *self)
{
  gint64 at = self->incoming->at;

  if (at <= 0)
    return self->inbound->at;
  return MIN (at % G_USEC_PER_SEC == 0 ? at + G_USEC_PER_SEC - 1 : at, self->inbound->at);
}

/* The message was written before @post was there to be read. */
static gboolean
is_from_before (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  guint64 number;

  if (self->incoming->number > 0 && post->remote_id != NULL
      && g_ascii_string_to_unsigned (post->remote_id, 10, 0, G_MAXUINT64, &number, NULL))
    return (guint64)self->incoming->number < number;
  return get_written_at (self) < post->sent_at;
}

static void
on_overtaken_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Unnamed) unnamed = user_data;
  BeckonChannelDesk *self = unnamed->turn->desk;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelPost) post = beckon_store_find_post_finish (BECKON_STORE (source), result, &error);

  if (!channel_turn_is_on (unnamed->turn))
    return;
  if (error != NULL)
    channel_desk_finish (self, error->message);
  else if (post != NULL)
    tell_codes (self);
  else
    answer_if_pending (self, unnamed->request_id, -1, unnamed->line);
}

/* A line that names nothing, or nothing that is known. What must be named is not taken to be meant. */
static void
take_unnamed (BeckonChannelDesk *self, const char *line)
{
  g_autoptr (GPtrArray) open = list_open (self);
  g_autofree char *text = NULL;

  if (open->len == 0 || self->incoming->attachments->len > 0)
    {
      static const char *const of_questions[] = { "/skip", "/choose", "/dismiss", "/ask", "/deny", "/replan", "/after" };

      /* A line that is about nothing that waits here. */
      for (guint i = 0; i < G_N_ELEMENTS (of_questions); i++)
        if (match_command (line, of_questions[i]) != NULL)
          {
            channel_desk_finish (self, _("Nothing that can be answered here waits."));
            return;
          }
      channel_desk_send_message (self, line, FALSE, FALSE);
    }
  else if (open->len == 1 && self->incoming->quote == NULL
           && !beckon_channel_text_is_named (g_ptr_array_index (open, 0)))
    {
      BeckonRequest *request = g_ptr_array_index (open, 0);
      g_autofree char *here = beckon_channel_account_dup_front_end (channel_desk_get_account (self));
      /* The part that is asked now, and that it was shown before the message was written. */
      g_autoptr (GPtrArray) asking
          = beckon_channel_outbox_list_asking (channel_desk_get_outbox (self), beckon_request_get_id (request));
      const BeckonChannelPost *last = asking->len > 0 ? g_ptr_array_index (asking, asking->len - 1) : NULL;

      /* The only question that waits is meant if no other one could be: one that ended elsewhere a moment ago was on the phone,
       * and its answer may have been on the way. */
      if (last != NULL && is_shown (self, last) && !is_from_before (self, last))
        {
          Unnamed *unnamed = g_new (Unnamed, 1);

          unnamed->turn = channel_turn_new (self);
          unnamed->request_id = g_strdup (beckon_request_get_id (request));
          unnamed->line = g_strdup (line);
          beckon_store_find_overtaken_post_async (self->parts.store, channel_desk_get_account (self)->id,
                                                  beckon_request_get_id (request), get_written_at (self) - TOLD_WITHIN_US, here,
                                                  NULL, on_overtaken_found, unnamed);
        }
      else
        tell_codes (self);
    }
  else if (open->len == 1)
    tell_codes (self);
  else
    {
      text = format_waiting (self, _("Several questions wait. Begin your reply with the code of one:"));
      channel_desk_finish (self, text);
    }
}

/* A post whose request is over, or was never shown here. */
static void
take_found (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  BeckonRequest *request = beckon_inbox_lookup (self->parts.inbox, post->request_id);
  g_autoptr (GPtrArray) open = list_open (self);

  if (request == NULL)
    tell_over (self, post->request_id);
  else if (!g_ptr_array_find (open, request, NULL))
    channel_desk_finish (self, _("This is answered on the desktop."));
  else
    tell_codes (self);
}

/* A line may name what is over, by a code or by the message that it replies to. */
static void
on_named_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTurn) turn = user_data;
  BeckonChannelDesk *self = turn->desk;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelPost) post = find_finish (self, source, result, &error);
  g_autofree char *line = NULL;

  if (!channel_turn_is_on (turn))
    return;
  line = desk_answers_dup_line (self);
  if (error != NULL)
    channel_desk_finish (self, error->message);
  else if (post != NULL)
    take_found (self, post);
  else
    turn->otherwise (self, line);
}

static void
take_without_code (BeckonChannelDesk *self, const char *line)
{
  g_autoptr (GPtrArray) open = list_open (self);
  BeckonRequest *request = find_by_quote (self, open);

  if (request != NULL)
    desk_answers_answer (self, request, -1, line);
  else if (self->incoming->quote != NULL)
    {
      BeckonChannelTurn *turn = channel_turn_new (self);

      turn->otherwise = take_unnamed;
      beckon_store_find_quoted_post_async (self->parts.store, channel_desk_get_account (self)->id, self->incoming->quote, NULL,
                                           on_named_found, turn);
    }
  else
    take_unnamed (self, line);
}

/* A line's own words come first: a code, even of what is over, then the message that it replies to. */
static void
channel_desk_take_line (BeckonChannelDesk *self, const char *line)
{
  g_autoptr (GPtrArray) open = list_open (self);
  const char *rest = NULL;
  BeckonRequest *request = find_by_code (open, line, &rest);
  g_autofree char *stale = NULL;

  if (request != NULL)
    {
      desk_answers_answer (self, request, -1, rest);
      return;
    }
  if (take_command (self, line))
    return;
  stale = dup_stale_code (line);
  if (stale != NULL)
    {
      BeckonChannelTurn *turn = channel_turn_new (self);

      turn->otherwise = take_without_code;
      beckon_store_find_post_async (self->parts.store, channel_desk_get_account (self)->id, stale, NULL, on_named_found, turn);
    }
  else
    take_without_code (self, line);
}
