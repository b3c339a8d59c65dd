/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mode.h"

#include <glib-object.h>

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

G_END_DECLS
