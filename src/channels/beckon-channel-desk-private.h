/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-desk.h"
#include "channels/beckon-channel-talk.h"
#include "channels/beckon-channel-text.h"
#include "text/beckon-dialogue.h"

G_BEGIN_DECLS

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

/**
 * BeckonChannelDesk:
 * @channel: its account
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

/**
 * BeckonChannelStoring:
 * @desk: the desk
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

/**
 * BeckonChannelTurn:
 * @desk: the desk; owned
 * @serial: of its message at the time
 *
 * A step of the handling of a message that goes on later.
 */
typedef struct
{
  BeckonChannelDesk *desk;
  guint serial;
} BeckonChannelTurn;

BeckonChannelTurn *beckon_channel_turn_new (BeckonChannelDesk *self) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_channel_turn_free (BeckonChannelTurn *turn);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelTurn, beckon_channel_turn_free)

/** Whether that message is still being handled: the account may have been served anew since. */
gboolean beckon_channel_turn_is_on (const BeckonChannelTurn *turn);

BeckonChannelStoring *beckon_channel_storing_new (BeckonChannelDesk *self) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_channel_storing_free (BeckonChannelStoring *storing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelStoring, beckon_channel_storing_free)

/** @post: (transfer full): goes to the outbox, too. */
void beckon_channel_storing_add (BeckonChannelStoring *storing, BeckonBatch *batch, BeckonChannelPost *post);

/** A text for whoever wrote. */
void beckon_channel_storing_add_reply (BeckonChannelDesk *self, BeckonChannelStoring *storing, BeckonBatch *batch,
                                       const char *text);

/** @batch, @storing: (transfer full) */
void beckon_channel_storing_commit (BeckonChannelDesk *self, BeckonBatch *batch, BeckonChannelStoring *storing);

BeckonChannelAccount      *beckon_channel_desk_get_account (BeckonChannelDesk *self);
BeckonChannelOutbox       *beckon_channel_desk_get_outbox (BeckonChannelDesk *self);
const BeckonChannelLimits *beckon_channel_desk_get_limits (BeckonChannelDesk *self);

/** How much of a request goes over its account. */
BeckonChannelOffer beckon_channel_desk_get_offer (BeckonChannelDesk *self, BeckonRequest *request);

/** A message to whoever is paired. Caller owns. */
BeckonChannelPost *beckon_channel_desk_make_post (BeckonChannelDesk *self, const char *title,
                                                  const char *text) G_GNUC_WARN_UNUSED_RESULT;

/** The end of the message that is being handled. @text: (nullable): for the person. */
void beckon_channel_desk_finish (BeckonChannelDesk *self, const char *text);

/** The same with more to store. @storing, @batch: (transfer full) (nullable) */
void beckon_channel_desk_finish_with (BeckonChannelDesk *self, const char *text, BeckonChannelStoring *storing,
                                      BeckonBatch *batch);

/** The same for one that answered: that it is handled was stored with the settlement. */
void beckon_channel_desk_note_answered (BeckonChannelDesk *self);

/** The same where that it is handled was stored already, and nothing else is to be done. */
void beckon_channel_desk_end_message (BeckonChannelDesk *self);

/** Whether a post went to whoever is paired now. */
gboolean beckon_channel_desk_is_to_peer (BeckonChannelDesk *self, const BeckonChannelPost *post);

/** Ends all that was asked of a person who is no longer paired: whoever is now does not answer it. */
void beckon_channel_desk_forget_asked (BeckonChannelDesk *self);

/** Sends what waits and was not sent. */
void beckon_channel_desk_send_waiting (BeckonChannelDesk *self);

/** Adds the messages that ask a part of a request. */
void beckon_channel_desk_add_question (BeckonChannelDesk *self, BeckonChannelStoring *storing, BeckonBatch *batch,
                                       BeckonRequest *request, guint item, gboolean is_asked_for);

/** Says in the messages that asked how a request ended. */
void beckon_channel_desk_close_asking (BeckonChannelDesk *self, BeckonRequest *request);

/** The same, if it is settled. */
void beckon_channel_desk_look_whether_settled (BeckonChannelDesk *self, const char *request_id);

/** The same for all that the outbox begins with. */
void beckon_channel_desk_look_at_asked (BeckonChannelDesk *self);

void beckon_channel_desk_note_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement,
                                       BeckonChannelDesk *self);
void beckon_channel_desk_note_sent (BeckonChannelOutbox *outbox, const BeckonChannelPost *post, BeckonChannelDesk *self);

/** The message that is being handled is a button, a line, or files for the conversation. */
void beckon_channel_desk_press (BeckonChannelDesk *self);
void beckon_channel_desk_take_line (BeckonChannelDesk *self, const char *line);
void beckon_channel_desk_send_message (BeckonChannelDesk *self, const char *text, gboolean is_new, gboolean waits);

/** How to use it; translated, static. */
const char *beckon_channel_desk_get_help (void);

G_END_DECLS
