/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"
#include "domain/beckon-effort.h"
#include "domain/beckon-mode.h"
#include "domain/beckon-queue-item.h"
#include "domain/beckon-run-phase.h"

G_BEGIN_DECLS

/**
 * BeckonTitleSource:
 * @BECKON_TITLE_MESSAGE: the beginning of the first message
 * @BECKON_TITLE_MODEL: a model
 * @BECKON_TITLE_PERSON: a person, or a conversation it was made from; nobody else changes it then
 *
 * Where a title came from.
 */
typedef enum
{
  BECKON_TITLE_MESSAGE,
  BECKON_TITLE_MODEL,
  BECKON_TITLE_PERSON,
} BeckonTitleSource;

#define BECKON_TITLE_N_SOURCES (BECKON_TITLE_PERSON + 1)

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
 * `draft` (string, what stands in the composer; also notified when its files change), `pinned`, `archived`, `unread` (a run
 * ended by itself since a person looked), `temporary` (booleans), `folder` (string), `mode` (int, a #BeckonMode),
 * `effort` (int, a #BeckonEffort).
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

/** %TRUE while only its last messages are in the list; earlier ones come in front of them when somebody asks the library. */
gboolean beckon_conversation_get_has_earlier (BeckonConversation *conversation);
void     beckon_conversation_set_has_earlier (BeckonConversation *conversation, gboolean has_earlier);

gboolean       beckon_conversation_get_has_run (BeckonConversation *conversation);
BeckonRunPhase beckon_conversation_get_phase (BeckonConversation *conversation);
const char    *beckon_conversation_get_detail (BeckonConversation *conversation);
const char    *beckon_conversation_get_stored_detail (BeckonConversation *conversation);
gint64         beckon_conversation_get_retry_at (BeckonConversation *conversation);

/** Whether the last run failed because the server does not have the model. */
gboolean beckon_conversation_lacks_model (BeckonConversation *conversation);

/** Whether the last run failed because there is no key, or the server refuses it. */
gboolean beckon_conversation_lacks_key (BeckonConversation *conversation);

/** Sets phase, detail as it is stored and retry time together, so that no observer sees a mixture; also sets `has-run`. */
void beckon_conversation_set_phase (BeckonConversation *conversation, BeckonRunPhase phase, const char *detail,
                                    gint64 retry_at);

/** Has a run that is not over. */
gboolean beckon_conversation_is_busy (BeckonConversation *conversation);

guint beckon_conversation_get_waiting (BeckonConversation *conversation);
void  beckon_conversation_set_waiting (BeckonConversation *conversation, guint waiting);

/** Never %NULL. */
const char *beckon_conversation_get_draft (BeckonConversation *conversation);
void        beckon_conversation_set_draft (BeckonConversation *conversation, const char *draft);

/**
 * The draft's attachments: a #GListStore of #BeckonPart, files as in beckon-attachment.h. Empty until the conversation is
 * loaded. Borrowed.
 */
GListStore *beckon_conversation_get_files (BeckonConversation *conversation);

/**
 * The messages that are sent when the turn ends, or at the next round boundary: a #GListStore of #BeckonQueueItem, as they are
 * stored. Empty until the conversation is loaded. Borrowed; only #BeckonAgent and the library change it.
 */
GListStore *beckon_conversation_get_queue (BeckonConversation *conversation);

/** (nullable): borrowed. */
BeckonQueueItem *beckon_conversation_find_queued (BeckonConversation *conversation, const char *id);

/** Removes it from the list, if it is there. */
void beckon_conversation_forget_queued (BeckonConversation *conversation, const char *id);

/** No text and no attachments. */
gboolean beckon_conversation_has_empty_draft (BeckonConversation *conversation);

gboolean beckon_conversation_get_pinned (BeckonConversation *conversation);
void     beckon_conversation_set_pinned (BeckonConversation *conversation, gboolean pinned);

gboolean beckon_conversation_get_archived (BeckonConversation *conversation);
void     beckon_conversation_set_archived (BeckonConversation *conversation, gboolean archived);

/** A run that ends by itself while it is observed sets it, too. */
gboolean beckon_conversation_get_unread (BeckonConversation *conversation);
void     beckon_conversation_set_unread (BeckonConversation *conversation, gboolean unread);

/** When its person last saw it in a window, microseconds since the epoch; 0 for never. It never moves back. Not notified. */
gint64 beckon_conversation_get_seen_at (BeckonConversation *conversation);
void   beckon_conversation_set_seen_at (BeckonConversation *conversation, gint64 seen_at);

/** Kept in memory only, and gone when the program ends. Set before it is first stored. */
gboolean beckon_conversation_get_temporary (BeckonConversation *conversation);
void     beckon_conversation_set_temporary (BeckonConversation *conversation, gboolean temporary);

/** The working folder beneath which its tools work: an absolute path; %NULL until a person chose one. */
const char *beckon_conversation_get_folder (BeckonConversation *conversation);
void        beckon_conversation_set_folder (BeckonConversation *conversation, const char *folder);

/** How much is asked in it; %BECKON_MODE_DEFAULT until a person chose. */
BeckonMode beckon_conversation_get_mode (BeckonConversation *conversation);
void       beckon_conversation_set_mode (BeckonConversation *conversation, BeckonMode mode);

/** How much the model reasons in it; %BECKON_EFFORT_DEFAULT until a person chose. */
BeckonEffort beckon_conversation_get_effort (BeckonConversation *conversation);
void         beckon_conversation_set_effort (BeckonConversation *conversation, BeckonEffort effort);

/** Its title's source; %BECKON_TITLE_MESSAGE until a rename. Not notified. */
BeckonTitleSource beckon_conversation_get_title_source (BeckonConversation *conversation);
void              beckon_conversation_set_title_source (BeckonConversation *conversation, BeckonTitleSource source);

/** (nullable): the conversation it was branched from and the last message it has of it; both may be gone. Not notified. */
const char *beckon_conversation_get_origin_id (BeckonConversation *conversation);
const char *beckon_conversation_get_origin_message_id (BeckonConversation *conversation);
void        beckon_conversation_set_origin (BeckonConversation *conversation, const char *conversation_id,
                                            const char *message_id);

/** Its place in the order of the last writing, whatever the clock said; larger is later. Not notified. */
gint64 beckon_conversation_get_sequence (BeckonConversation *conversation);
void   beckon_conversation_set_sequence (BeckonConversation *conversation, gint64 sequence);

/** Changes whenever another branch is shown or a message is taken out or put back. Not notified. */
gint64 beckon_conversation_get_path (BeckonConversation *conversation);
void   beckon_conversation_set_path (BeckonConversation *conversation, gint64 path);

/** The word by which a source is stored. */
const char *beckon_title_source_to_string (BeckonTitleSource source);
gboolean    beckon_title_source_from_string (const char *word, BeckonTitleSource *source);

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

/** Replaces the message at @position and all behind it with (element-type BeckonMessage); those before it stay as they are. */
void beckon_conversation_replace_tail (BeckonConversation *conversation, guint position, GPtrArray *messages);

/** A reply is gone for good, and is no version of what takes its place. What is behind it follows what is before it. Nothing if
 *  it is not in the list. */
void beckon_conversation_drop_message (BeckonConversation *conversation, BeckonMessage *message);

/** Whether @message, which was in the list, was dropped, here or in another process. */
gboolean beckon_conversation_has_dropped (BeckonConversation *conversation, BeckonMessage *message);

/** The message at @position and all behind it are on a branch that is not shown any more: what is added next is another version
 *  of that message. */
void beckon_conversation_leave (BeckonConversation *conversation, guint position);

/** Finds its place in the list; %FALSE if not in it. */
gboolean beckon_conversation_find_position (BeckonConversation *conversation, const char *message_id, guint *position);

/** Puts (element-type BeckonMessage) in front, in their order; what comes after the first one that is there is left out. */
void beckon_conversation_prepend_messages (BeckonConversation *conversation, GPtrArray *messages);

/** Lets go of all but the last @n_kept messages, which are then earlier ones; they are read again when they are wanted. */
void beckon_conversation_forget_earlier (BeckonConversation *conversation, guint n_kept);

G_END_DECLS
