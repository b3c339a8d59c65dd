/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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
