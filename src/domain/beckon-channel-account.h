/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mode.h"

#include <glib-object.h>
#include <glib.h>

G_BEGIN_DECLS

/** The most characters of an account's name. */
#define BECKON_CHANNEL_NAME_MAX 64

/** Characters of a pairing code, how long it is good for, and how many wrong ones end it. */
#define BECKON_CHANNEL_PAIR_LENGTH 8
#define BECKON_CHANNEL_PAIR_S (10 * 60)
#define BECKON_CHANNEL_PAIR_TRIES 5

/**
 * BeckonChannelAccount:
 * @id: (nullable): its own id; %NULL until it is stored
 * @kind: the name of its kind, such as "telegram"
 * @name: as a person knows it
 * @config: settings of its kind: a JSON object
 * @profile_id: (nullable): of the conversations that begin here; %NULL is the default one
 * @folder: (nullable): where they work: an absolute path
 * @mode: how much is asked in them; never less than before changes
 * @is_on: whether it is to be reached
 * @approves: whether calls may be approved here
 * @quiet_from: the minute of the day from which nothing is sent that was not asked for
 * @quiet_to: the minute of the day until which; the same as @quiet_from where there are no quiet hours
 * @created_at: microseconds since the epoch
 * @cursor: (nullable): where to go on receiving
 * @is_held: another process that lives drives it
 * @is_ours: this process drives it
 * @address: (nullable): who is paired with it
 * @peer_name: (nullable): what they call themselves; untrusted
 * @paired_at: microseconds since the epoch
 * @conversation_id: (nullable): what their messages go to
 * @context: (nullable): see #BeckonChannelIncoming
 * @heard_at: when they last wrote, microseconds since the epoch; 0 for never
 * @told_id: (nullable): the message of the conversation that was told of last
 * @pair_code: (nullable): the code that pairs, or did; %NULL after too many wrong ones, too
 * @pair_until: until when, microseconds since the epoch; 0 once it was used
 * @parted: (nullable): who was paired until now, and has to be forgotten by the server
 * @state: (nullable): how it is in the process that drives it: the word of a #BeckonChannelState; %NULL where none does
 * @state_at: since when, microseconds since the epoch
 * @problem: (nullable): what last went wrong in the process that drives it or that last did, in words for people
 * @problem_at: microseconds since the epoch
 *
 * An account of a text channel as a person set it up, and what is known of it. Immutable once it is shared; counted by
 * references; any thread.
 */
typedef struct
{
  char *id;
  char *kind;
  char *name;
  char *config;
  char *profile_id;
  char *folder;
  BeckonMode mode;
  gboolean is_on;
  gboolean approves;
  guint quiet_from;
  guint quiet_to;
  gint64 created_at;

  char *cursor;
  gboolean is_held;
  gboolean is_ours;
  char *address;
  char *peer_name;
  gint64 paired_at;
  char *conversation_id;
  char *context;
  gint64 heard_at;
  char *told_id;
  char *pair_code;
  gint64 pair_until;
  char *parted;
  char *state;
  gint64 state_at;
  char *problem;
  gint64 problem_at;
} BeckonChannelAccount;

#define BECKON_TYPE_CHANNEL_ACCOUNT (beckon_channel_account_get_type ())
GType beckon_channel_account_get_type (void) G_GNUC_CONST;

/** (transfer full): an account that is on, with nothing else in it, to be filled before it is shared. */
BeckonChannelAccount *beckon_channel_account_new (const char *kind, const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): another one with the same in it, to be changed before it is shared. */
BeckonChannelAccount *beckon_channel_account_copy (const BeckonChannelAccount *account) G_GNUC_WARN_UNUSED_RESULT;
BeckonChannelAccount *beckon_channel_account_ref (BeckonChannelAccount *account);
void                  beckon_channel_account_unref (BeckonChannelAccount *account);

/** %FALSE with %BECKON_ERROR_INVALID, in words to be shown, if @account can't be stored. Its kind checks its settings. */
gboolean beckon_channel_account_check (const BeckonChannelAccount *account, GError **error);

/** Names the place of answers given here: "telegram: Phone". Caller frees. */
char *beckon_channel_account_dup_front_end (const BeckonChannelAccount *account) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @now, microseconds since the epoch, is in its quiet hours. @until: (out): when they end; any thread. */
gboolean beckon_channel_account_is_quiet (const BeckonChannelAccount *account, gint64 now, gint64 *until);

/** A code to pair with, of letters and digits that are not mistaken for each other. Caller frees. */
char *beckon_channel_account_make_code (void) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @text is @code as a person types it: any case, blanks and dashes within; O, I and L count as the digits. In a time
 *  that does not tell how much of it is right. */
gboolean beckon_channel_account_match_code (const char *code, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelAccount, beckon_channel_account_unref)

/**
 * BeckonChannelInbound:
 * @message_id: of the account's server
 * @address: from whom
 * @body: (nullable): what came, as JSON, until it was handled; %NULL for what only has to be known again
 * @target_id: the id of the conversation's message that this becomes, if it becomes one
 * @at: microseconds since the epoch
 *
 * A message that came, as it is stored with the cursor.
 */
typedef struct
{
  char *message_id;
  char *address;
  char *body;
  char *target_id;
  gint64 at;
} BeckonChannelInbound;

BeckonChannelInbound *beckon_channel_inbound_new (const char *message_id, const char *address, const char *body,
                                                  gint64 at) G_GNUC_WARN_UNUSED_RESULT;
BeckonChannelInbound *beckon_channel_inbound_copy (const BeckonChannelInbound *inbound) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_channel_inbound_free (BeckonChannelInbound *inbound);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelInbound, beckon_channel_inbound_free)

/** Characters of the code of a post: with a choice's number it fits a button. */
#define BECKON_CHANNEL_POST_CODE_LENGTH 20

/**
 * BeckonChannelPostState:
 * @BECKON_CHANNEL_POST_QUEUED: it waits for its turn, its time, or the network
 * @BECKON_CHANNEL_POST_SENDING: it is being sent; after a restart nobody knows whether it was
 * @BECKON_CHANNEL_POST_SENT: it was sent
 * @BECKON_CHANNEL_POST_FAILED: it will not be sent
 */
typedef enum
{
  BECKON_CHANNEL_POST_QUEUED,
  BECKON_CHANNEL_POST_SENDING,
  BECKON_CHANNEL_POST_SENT,
  BECKON_CHANNEL_POST_FAILED,
} BeckonChannelPostState;

#define BECKON_CHANNEL_POST_N_STATES (BECKON_CHANNEL_POST_FAILED + 1)

/**
 * BeckonChannelPost:
 * @id: a ULID, the same at each try
 * @channel_id: of the account
 * @address: to whom
 * @conversation_id: (nullable): what it tells of; with that it is deleted
 * @request_id: (nullable): what it asks
 * @item: which of the request's questions
 * @code: (nullable): a code for its buttons, used once
 * @title: one line without content
 * @text: the text
 * @choices: (nullable): labels of its buttons, a JSON array
 * @edits: (nullable): the id of the post that this takes the place of
 * @remote_id: (nullable): what the server calls it, once it was sent
 * @state: how far it is
 * @is_asked_for: somebody waits for it: no quiet hours
 * @is_to_stranger: it goes to an address that nobody is paired with, while this process lives; not stored
 * @is_closed: of one that asks: it shows the end of its request, or need not
 * @tries: how often it was tried
 * @next_at: not before that, microseconds since the epoch
 * @made_at: microseconds since the epoch
 * @sent_at: when it was handed to the server last, microseconds since the epoch; 0 if it never was
 *
 * A message that leaves, as it is stored before it does. Main thread.
 */
typedef struct
{
  char *id;
  char *channel_id;
  char *address;
  char *conversation_id;
  char *request_id;
  guint item;
  char *code;
  char *title;
  char *text;
  char *choices;
  char *edits;
  char *remote_id;
  BeckonChannelPostState state;
  gboolean is_asked_for;
  gboolean is_to_stranger;
  gboolean is_closed;
  guint tries;
  gint64 next_at;
  gint64 made_at;
  gint64 sent_at;
} BeckonChannelPost;

/** (transfer full): a queued one with an id. */
BeckonChannelPost *beckon_channel_post_new (const char *channel_id, const char *address, const char *title, const char *text,
                                            gint64 made_at) G_GNUC_WARN_UNUSED_RESULT;
BeckonChannelPost *beckon_channel_post_copy (const BeckonChannelPost *post) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_channel_post_free (BeckonChannelPost *post);

/** A code that nobody guesses: for what asks. Caller frees. */
char *beckon_channel_post_make_code (void) G_GNUC_WARN_UNUSED_RESULT;

/** The word by which a state is stored; static. */
const char *beckon_channel_post_state_to_string (BeckonChannelPostState state);
gboolean    beckon_channel_post_state_from_string (const char *word, BeckonChannelPostState *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelPost, beckon_channel_post_free)

G_END_DECLS
