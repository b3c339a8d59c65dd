/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "domain/beckon-profile.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * BeckonComposerWay:
 * @BECKON_COMPOSER_ANSWER: it is the answer to what is asked
 * @BECKON_COMPOSER_LATER: it is sent once the agent is done
 * @BECKON_COMPOSER_DISMISS: what is asked is dismissed, then it is sent
 * @BECKON_COMPOSER_STOP: the agent is stopped, then it is sent
 *
 * What can be done with a message that cannot be sent now.
 */
typedef enum
{
  BECKON_COMPOSER_ANSWER,
  BECKON_COMPOSER_LATER,
  BECKON_COMPOSER_DISMISS,
  BECKON_COMPOSER_STOP,
} BeckonComposerWay;

#define BECKON_TYPE_COMPOSER (beckon_composer_get_type ())
G_DECLARE_FINAL_TYPE (BeckonComposer, beckon_composer, BECKON, COMPOSER, AdwBin)

/**
 * BeckonComposer:
 *
 * Where messages are written; grows with them. Enter sends, never while an input method composes. Signals: `send`: the person
 * wants to send what stands in it; `changed`: it was typed in; `way` (int, a #BeckonComposerWay): what was chosen of what
 * beckon_composer_offer() offered; `cancelled`: a message that waits is not to be sent after all; `up`: the up key, with
 * nothing written and nothing sent before, or with Ctrl; `submit`: Ctrl+Enter with nothing written or attached.
 */

/** The text without the space around it; %NULL if blank. Caller frees. */
char *beckon_composer_dup_text (BeckonComposer *self);

/** Whether there is anything to send: a text, or files alone. */
gboolean beckon_composer_has_something (BeckonComposer *self);

/**
 * beckon_composer_set_files:
 * @self: the composer
 * @files: (nullable): a #GListStore of #BeckonPart, which is the draft's: what is attached comes into it
 */
void beckon_composer_set_files (BeckonComposer *self, GListStore *files);

/** Takes a drop from elsewhere: a #GdkFileList or a #GdkTexture; %FALSE if it is neither, or the draft is locked. */
gboolean beckon_composer_take_drop (BeckonComposer *self, const GValue *value);

/**
 * beckon_composer_set_conversation:
 * @self: the composer
 * @conversation: (nullable): whose messages the up key brings back, what commands are about, and beneath whose folder files are
 *   found by their names
 */
void beckon_composer_set_conversation (BeckonComposer *self, BeckonConversation *conversation);

/** @profiles: (nullable): a #GListModel of #BeckonProfile that a command chooses from. */
void beckon_composer_set_profiles (BeckonComposer *self, GListModel *profiles);

/** @conversations: a #GListModel of #BeckonConversation, from which recent folders are known. */
void beckon_composer_set_conversations (BeckonComposer *self, GListModel *conversations);

/** @profile: (nullable): whose model it is written to; when that is known not to see pictures, it is said beside them. */
void beckon_composer_set_profile (BeckonComposer *self, BeckonProfile *profile);

/** Lists attachments: (element-type BeckonPart) (transfer full). */
GPtrArray *beckon_composer_list_files (BeckonComposer *self) G_GNUC_WARN_UNUSED_RESULT;

/** Adds @markdown as a quotation behind what stands there, and lets the person write below it. */
void beckon_composer_quote (BeckonComposer *self, const char *markdown);

/**
 * beckon_composer_begin_edit:
 * @self: the composer
 * @text: of an earlier message
 * @files: (nullable) (element-type BeckonPart): what is attached to it
 *
 * Lets the person write an earlier message anew, below a line that says so. What stood there comes back when the edit ends; the
 * line's button ends it, too. `send` is emitted as ever, `changed` is not.
 *
 * Returns: %FALSE while something is being sent: nothing changes then
 */
gboolean beckon_composer_begin_edit (BeckonComposer *self, const char *text, GPtrArray *files);
gboolean beckon_composer_is_editing (BeckonComposer *self);

/** Puts back what stood there; nothing happens when nothing is edited. */
void beckon_composer_end_edit (BeckonComposer *self);

/** The text as it stands. Caller frees. */
char *beckon_composer_dup_draft (BeckonComposer *self);

/** Replaces the text without emitting `changed`. */
void beckon_composer_set_text (BeckonComposer *self, const char *text);

/** Shows @reason and asks what to do with the text. Where nothing can be dismissed the agent can be stopped. */
void beckon_composer_offer (BeckonComposer *self, const char *reason, gboolean can_answer, gboolean can_dismiss);

/** Shows that the text waits to be sent; it can be taken back, not changed. */
void beckon_composer_set_queued (BeckonComposer *self, gboolean queued);

/** Withdraws any offer or queued text. */
void beckon_composer_withdraw (BeckonComposer *self);

/** While a message is being stored it cannot be changed. */
void beckon_composer_set_locked (BeckonComposer *self, gboolean locked);
void beckon_composer_set_placeholder (BeckonComposer *self, const char *placeholder);

/** Ctrl+Enter sends and Enter is a new line, instead of Enter and Shift+Enter. */
void beckon_composer_set_needs_control (BeckonComposer *self, gboolean needs_control);

/** Underlines words that are in no dictionary; %FALSE by default. */
void beckon_composer_set_checks_spelling (BeckonComposer *self, gboolean checks_spelling);
void beckon_composer_focus (BeckonComposer *self);

G_END_DECLS
