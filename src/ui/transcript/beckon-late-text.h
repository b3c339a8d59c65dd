/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/** (nullable): the words for the person of a message that tells the model an answer it did not wait for; %NULL for every other
 *  message, and where the question is not loaded. Not made safe for display. Caller frees. */
char *beckon_late_text_describe (BeckonConversation *conversation, BeckonMessage *message) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
