/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent.h"
#include "domain/beckon-conversation.h"
#include "domain/beckon-profile.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_COMPOSER (beckon_composer_get_type ())
G_DECLARE_FINAL_TYPE (BeckonComposer, beckon_composer, BECKON, COMPOSER, AdwBin)

/**
 * BeckonComposer:
 *
 * Where messages are written; grows with them. Above it stands what is queued, below it in which folder, in what mode and with
 * which model is worked on. Enter sends, never while an input method composes. Signals: `send` (gboolean): the person wants to
 * send what stands in it, with %TRUE as a message whatever else it could be; `changed`: it was typed in; `up`: the up key, with
 * nothing written and nothing sent before, or with Ctrl; with nothing written or attached: `submit`, Ctrl+Enter, and `advance`,
 * Enter.
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

/**
 * Takes a drop from elsewhere: a #GdkFileList or a #GdkTexture; %FALSE if it is neither, or the draft is locked. A single
 * folder is worked in from then on: it activates `win.set-folder` (a URI).
 */
gboolean beckon_composer_take_drop (BeckonComposer *self, const GValue *value);

/**
 * beckon_composer_set_conversation:
 * @self: the composer
 * @conversation: (nullable): whose messages the up key brings back, what commands are about, and beneath whose folder files are
 *   found by their names
 */
void beckon_composer_set_conversation (BeckonComposer *self, BeckonConversation *conversation);

/**
 * beckon_composer_set_sources:
 * @self: the composer, once
 * @agent: (nullable): whose commands in files are listed
 * @profiles: (nullable): a #GListModel of #BeckonProfile that a command chooses from
 * @servers: (nullable): a #GListModel of #BeckonMcpService: their prompts are commands, their resources can be attached
 * @conversations: (nullable): a #GListModel of #BeckonConversation, from which recent folders are known
 */
void beckon_composer_set_sources (BeckonComposer *self, BeckonAgent *agent, GListModel *profiles, GListModel *servers,
                                  GListModel *conversations);

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

/** While a message is being stored it cannot be changed. What is typed meanwhile is kept for the next function. */
void beckon_composer_set_locked (BeckonComposer *self, gboolean locked);

/** Writes at the end what was typed while it was locked. */
void beckon_composer_write_typed_ahead (BeckonComposer *self);

/** (transfer full) (nullable): what was typed while it was locked, to be given back with the conversation it was meant for. */
char *beckon_composer_take_typed_ahead (BeckonComposer *self) G_GNUC_WARN_UNUSED_RESULT;
void  beckon_composer_give_typed_ahead (BeckonComposer *self, const char *text);

/** @placeholder: what the empty composer is for; “Message” stands there where it does not fit. */
void beckon_composer_set_placeholder (BeckonComposer *self, const char *placeholder);

/** Ctrl+Enter sends and Enter is a new line, instead of Enter and Shift+Enter. */
void     beckon_composer_set_needs_control (BeckonComposer *self, gboolean needs_control);
gboolean beckon_composer_get_needs_control (BeckonComposer *self);

/**
 * @hint: (nullable): what Enter will do with what stands in it; said below it.
 * @more: (nullable): what is said behind that where there is room for all of it.
 */
void beckon_composer_set_hint (BeckonComposer *self, const char *hint, const char *more);

/** Underlines words that are in no dictionary; %FALSE by default. */
void beckon_composer_set_checks_spelling (BeckonComposer *self, gboolean checks_spelling);
void beckon_composer_focus (BeckonComposer *self);

/**
 * Takes the focus, and the key that @controller is about, as if it had been pressed here. Whether the key was used.
 */
gboolean beckon_composer_take_key (BeckonComposer *composer, GtkEventControllerKey *controller);

G_END_DECLS
