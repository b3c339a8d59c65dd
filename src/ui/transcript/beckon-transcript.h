/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "request/beckon-inbox.h"
#include "text/beckon-away-digest.h"
#include "ui/blocks/beckon-match-mark.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TRANSCRIPT (beckon_transcript_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTranscript, beckon_transcript, BECKON, TRANSCRIPT, AdwBin)

/** The most messages that have rows at a time. */
#define BECKON_TRANSCRIPT_MOST 160

/**
 * BeckonTranscript:
 *
 * The messages of a conversation, scrolled. It shows a window of them that moves as one scrolls, and follows the end only
 * while it is at the end. Properties, notified: `at-end` (boolean), `n-new` (uint: messages that came while it was not at the
 * end), `selecting` (boolean), `n-selected` (uint). Signals: `row-added` (widget): a message came to have a row; `earlier-
 * wanted`: somebody is about to read on before the first message of a conversation that has earlier ones; `edit`
 * (#BeckonMessage): the person wants to say something else; `quote` (string, Markdown). For its actions see beckon-transcript-
 * actions.h.
 */

/** @conversation: (nullable). */
void beckon_transcript_set_conversation (BeckonTranscript *self, BeckonInbox *inbox, BeckonConversation *conversation);

gboolean beckon_transcript_get_at_end (BeckonTranscript *self);

guint    beckon_transcript_get_n_new (BeckonTranscript *self);

/** Messages are being selected, and how many are. */
gboolean beckon_transcript_get_selecting (BeckonTranscript *self);
guint    beckon_transcript_get_n_selected (BeckonTranscript *self);
/** Whether each reply says what it used: at first they do not. */
void beckon_transcript_set_shows_usage (BeckonTranscript *self, gboolean shows_usage);

/** Goes to the end and follows it. */
void beckon_transcript_jump_to_end (BeckonTranscript *self);

/** Brings a message on screen. Returns its row, borrowed; %NULL if it is not in the conversation. */
GtkWidget *beckon_transcript_show_message (BeckonTranscript *self, BeckonMessage *message);

/** Shows text that was typed for a question, and did not become its answer, where the question stands. */
void beckon_transcript_set_unsent (BeckonTranscript *self, BeckonRequest *request, const char *text);

/** Says below the messages what was done while the person was away, until they write the next one. @digest: (transfer full). */
void beckon_transcript_show_absence (BeckonTranscript *self, BeckonAwayDigest *digest);

/** Brings what is marked in one of the rows on screen, with some of what is around it. */
void beckon_transcript_show_mark (BeckonTranscript *self, const BeckonMark *mark);

/** The first message that is on screen; %NULL if there is none. Borrowed. */
BeckonMessage *beckon_transcript_get_top_message (BeckonTranscript *self);

/** Reading after `earlier-wanted` failed; it is emitted again when a person scrolls on. */
void beckon_transcript_earlier_failed (BeckonTranscript *self);

/** The list of the rows. Borrowed. */
GtkWidget *beckon_transcript_get_rows (BeckonTranscript *self);

/**
 * Puts the focus on the last message. From there the arrows go from message to message and from version to version, Tab into
 * what a message holds, Ctrl+C copies it, E edits, R has it written again, Q quotes, T goes to its top, Space selects, Delete
 * deletes, and Escape, or Down at the end, activates `conversation.focus-composer`.
 */
void beckon_transcript_focus_last (BeckonTranscript *self);

/** How many messages have rows. */
guint beckon_transcript_get_n_rows (BeckonTranscript *self);

G_END_DECLS
