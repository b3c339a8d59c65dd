/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"
#include "domain/beckon-run-phase.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CONVERSATION (beckon_conversation_get_type ())
G_DECLARE_FINAL_TYPE (BeckonConversation, beckon_conversation, BECKON, CONVERSATION, GObject)

/**
 * BeckonConversation:
 *
 * A conversation, a #GListModel of its #BeckonMessage once they were loaded. One object per conversation and process:
 * the run that drives it and every view of it share it. Main thread. Properties, each notified: `title`, `updated-at`
 * (int64), `profile-id`, `loaded` (boolean), `phase` (int, the #BeckonRunPhase of its last run), `has-run` (boolean:
 * there was a run at all), `detail` (string: what goes with the phase, such as the reason of a failure or the name of the
 * tool that runs), `retry-at` (int64, microseconds since the epoch, with retry-wait), `waiting` (uint, pending requests),
 * `draft` (string, what stands in the composer).
 */

BeckonConversation *beckon_conversation_new (const char *id, gint64 created_at) G_GNUC_WARN_UNUSED_RESULT;

const char *beckon_conversation_get_id (BeckonConversation *conversation);
gint64      beckon_conversation_get_created_at (BeckonConversation *conversation);

/** Never %NULL; empty until it has one. */
const char *beckon_conversation_get_title (BeckonConversation *conversation);
void        beckon_conversation_set_title (BeckonConversation *conversation, const char *title);

gint64 beckon_conversation_get_updated_at (BeckonConversation *conversation);
void   beckon_conversation_set_updated_at (BeckonConversation *conversation, gint64 updated_at);

/** %NULL: the default profile. */
const char *beckon_conversation_get_profile_id (BeckonConversation *conversation);
void        beckon_conversation_set_profile_id (BeckonConversation *conversation, const char *profile_id);

gboolean beckon_conversation_get_loaded (BeckonConversation *conversation);
void     beckon_conversation_set_loaded (BeckonConversation *conversation, gboolean loaded);

gboolean       beckon_conversation_get_has_run (BeckonConversation *conversation);
BeckonRunPhase beckon_conversation_get_phase (BeckonConversation *conversation);
const char    *beckon_conversation_get_detail (BeckonConversation *conversation);
gint64         beckon_conversation_get_retry_at (BeckonConversation *conversation);

/** Sets phase, detail and retry time together, so that no observer sees a mixture; also sets `has-run`. */
void beckon_conversation_set_phase (BeckonConversation *conversation, BeckonRunPhase phase, const char *detail,
                                    gint64 retry_at);

/** Has a run that is not over. */
gboolean beckon_conversation_is_busy (BeckonConversation *conversation);

guint beckon_conversation_get_waiting (BeckonConversation *conversation);
void  beckon_conversation_set_waiting (BeckonConversation *conversation, guint waiting);

/** Never %NULL. */
const char *beckon_conversation_get_draft (BeckonConversation *conversation);
void        beckon_conversation_set_draft (BeckonConversation *conversation, const char *draft);

/** Borrowed. */
guint          beckon_conversation_get_n_messages (BeckonConversation *conversation);
BeckonMessage *beckon_conversation_get_message (BeckonConversation *conversation, guint index);
BeckonMessage *beckon_conversation_find_message (BeckonConversation *conversation, const char *message_id);

/** Finds a call by our id in any message; %NULL if there is none. Borrowed. */
BeckonToolCall *beckon_conversation_find_call (BeckonConversation *conversation, const char *call_id);

/** The `seq` of the message that would be added next. */
gint64 beckon_conversation_get_next_seq (BeckonConversation *conversation);

/** Adds at the end, gives it the next `seq` if it has none. */
void beckon_conversation_add_message (BeckonConversation *conversation, BeckonMessage *message);

/** Replaces all messages at once, as loading does. */
void beckon_conversation_set_messages (BeckonConversation *conversation, GPtrArray *messages);

G_END_DECLS
