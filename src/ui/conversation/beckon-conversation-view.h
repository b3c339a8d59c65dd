/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent.h"
#include "beckon-dock.h"
#include "domain/beckon-conversation.h"
#include "request/beckon-inbox.h"
#include "text/beckon-away-digest.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CONVERSATION_VIEW (beckon_conversation_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonConversationView, beckon_conversation_view, BECKON, CONVERSATION_VIEW, AdwBin)

/**
 * BeckonConversationView:
 *
 * One conversation: its messages, what waits in it, and the composer. It answers through the inbox, and leaves what needs an
 * agent or the store to whoever holds it, by signals: `send` (text): send this, then call beckon_conversation_view_sent();
 * `edit` (conversation, message id, text): this is what the message is to say instead, with
 * beckon_conversation_view_list_files(), then the same; `draft` (text): what stands in the composer; `continue`; `stop`;
 * `queue` (conversation, text): the same as `send` while the agent works; `earlier-wanted` (conversation): see
 * beckon_library_open_earlier_async(). Widget actions of the same meaning:
 * `conversation.continue`, `conversation.stop`, `conversation.focus-composer`, `conversation.show-card`.
 */
GtkWidget *beckon_conversation_view_new (BeckonInbox *inbox) G_GNUC_WARN_UNUSED_RESULT;

/** @conversation: (nullable): a loaded one. Takes the composer's text from its draft. */
void                beckon_conversation_view_set_conversation (BeckonConversationView *self,
                                                               BeckonConversation *conversation);
BeckonConversation *beckon_conversation_view_get_conversation (BeckonConversationView *self);

/**
 * beckon_conversation_view_sent:
 * @self: the view
 * @conversation: whose `send`, `queue` or `edit` is over; it need not be on screen
 * @error: (nullable): without one the composer is emptied, or the edit ends; with one the text stays
 *
 * Returns: (transfer full) (nullable): words that were typed ahead for a conversation that is no longer on screen, to be added
 *   to its draft
 */
char *beckon_conversation_view_sent (BeckonConversationView *self, BeckonConversation *conversation,
                                     const GError *error) G_GNUC_WARN_UNUSED_RESULT;

/** While the composer's text is about to become another one, nothing can be typed in it. */
void beckon_conversation_view_set_locked (BeckonConversationView *self, gboolean locked);

/** Lists the draft's attachments: (element-type BeckonPart) (transfer full). */
GPtrArray *beckon_conversation_view_list_files (BeckonConversationView *self) G_GNUC_WARN_UNUSED_RESULT;

/** Whether Ctrl+Enter sends, whether the spelling is checked, and whether each reply says what it used. */
void beckon_conversation_view_set_options (BeckonConversationView *self, gboolean needs_control, gboolean checks_spelling,
                                           gboolean shows_usage);

/** For the composer: see beckon_composer_set_sources(). What was begun in recent folders is known from @conversations, too. */
void beckon_conversation_view_set_sources (BeckonConversationView *self, BeckonAgent *agent, GListModel *profiles,
                                           GListModel *servers, GListModel *conversations);

/** @profile: (nullable): whose model the next message goes to; see beckon_composer_set_profile(). */
void beckon_conversation_view_set_profile (BeckonConversationView *self, BeckonProfile *profile);
/** How high the composer is at the bottom, with the room around it. */
int beckon_conversation_view_measure_composer (BeckonConversationView *self);

void beckon_conversation_view_focus_composer (BeckonConversationView *self);

/** Lets the person find something in it. @step: 0 to type what, 1 or -1 to go to the next match or the one before. */
void beckon_conversation_view_find (BeckonConversationView *self, int step);

/** Brings one of its messages on screen and into focus. @words: (nullable): what is marked in it. */
void beckon_conversation_view_show_message (BeckonConversationView *self, const char *message_id, const char *words);

/** Says below its messages what was done while the person was away. @digest: (transfer full). */
void beckon_conversation_view_show_absence (BeckonConversationView *self, BeckonAwayDigest *digest);

/** Brings a waiting card on screen and into focus. @request_id: (nullable): whose; the one that is docked. */
void beckon_conversation_view_show_card (BeckonConversationView *self, const char *request_id);

/** Its dock. Borrowed. */
BeckonDock *beckon_conversation_view_get_dock (BeckonConversationView *self);

/**
 * beckon_conversation_view_step_region:
 * @self: the view
 * @step: 1 or -1
 *
 * Moves the focus to the next or previous one of messages, dock and composer; into the first or last one from outside.
 *
 * Returns: %FALSE at the end: the focus stays
 */
gboolean beckon_conversation_view_step_region (BeckonConversationView *self, int step);

/** Puts the focus into the docked card, or from there back to the composer. */
void beckon_conversation_view_toggle_dock (BeckonConversationView *self);

/** Reading after `earlier-wanted` failed; it is emitted again when a person scrolls on. */
void beckon_conversation_view_earlier_failed (BeckonConversationView *self);

/** Shows the conversation's draft as it is by now, which was written in another window. */
void beckon_conversation_view_follow_draft (BeckonConversationView *self);

/** Puts the words of a message into the composer, to be sent as another version of it. */
void beckon_conversation_view_edit_message (BeckonConversationView *self, BeckonMessage *message);

G_END_DECLS
