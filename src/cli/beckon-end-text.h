/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/** The exit status of a program whose run ended as that of @conversation did. */
int beckon_end_text_get_exit_status (BeckonConversation *conversation);

/**
 * beckon_end_text_describe:
 * @phase: how it ended
 * @detail: (nullable): what goes with it
 * @id: (nullable): the conversation, where the program ends with the run; %NULL where something can be typed then
 *
 * Returns: (transfer full) (nullable): how a run ended, in words, with what can be done then; %NULL for a plain end
 */
char *beckon_end_text_describe (BeckonRunPhase phase, const char *detail, const char *id);

/** (transfer full) (nullable): how a person gives @conversation the model or the key that it lacks. @profile: (nullable) */
char *beckon_end_text_dup_remedy (BeckonConversation *conversation, BeckonProfile *profile) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_unasked_list:
 * @call: a call that is over
 *
 * Lists what came up about a server of tools while @call ran, which a person would have decided or filled in, and which ended
 * because there was no person to ask. For programs without one.
 *
 * Returns: (transfer full) (array zero-terminated=1): for each the question and why it was not answered, translated, safe to
 *   print in a terminal; free with g_strfreev()
 */
char **beckon_unasked_list (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
