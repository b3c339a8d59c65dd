/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "llm/beckon-codec.h"

G_BEGIN_DECLS

/**
 * beckon_compaction_choose:
 * @messages: (element-type BeckonMessage): what a model is told, see beckon_context_list()
 * @keep: how many tokens of the end are to stay as they are; more if the model has not read so much of it yet
 *
 * Returns: how many of the first messages a summary is to stand for; 0 when there is nothing that it could save
 */
guint beckon_compaction_choose (GPtrArray *messages, gint64 keep);

/** Whether a request of @budget tokens can hold anything of the messages beside the instructions. Pure. */
gboolean beckon_compaction_has_room (gint64 budget);

/**
 * beckon_compaction_new_request:
 * @profile: who writes the summary
 * @messages: (element-type BeckonMessage): as above
 * @n: how many of them
 * @budget: how many tokens the request may have
 * @most: and its summary
 * @now: microseconds since the epoch
 *
 * Returns: (transfer full): a request without tools; what does not fit is shortened, and the oldest left out
 */
BeckonLlmRequest *beckon_compaction_new_request (BeckonProfile *profile, GPtrArray *messages, guint n, gint64 budget,
                                                 gint64 most, gint64 now) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_compaction_quote:
 * @conversation: a conversation, all of it loaded
 * @through: place of the last message that the summary stands for
 * @most: how many tokens it may have; above that calls that were only allowed are left out first, then ends of all that is
 *   quoted, then what is oldest but for the very first
 *
 * What must not be put into other words: what the person decided and answered, with what was quoted before, and what the
 * person wrote.
 *
 * Returns: (transfer full): text; empty when there is nothing
 */
char *beckon_compaction_quote (BeckonConversation *conversation, gint64 through, gint64 most) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
