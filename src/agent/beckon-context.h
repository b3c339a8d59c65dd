/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/**
 * beckon_context_list:
 * @conversation: a conversation, all of it loaded
 *
 * What a model is to be told of a conversation: where there is a summary, its text as a message of the person's, and the
 * messages after those that it stands for; else all. Beckon's own notes are left out, and so is a reply at the end that was
 * cut off or failed before it called anything, because it is about to be made anew.
 *
 * Returns: (transfer full) (element-type BeckonMessage): not repaired yet
 */
GPtrArray *beckon_context_list (BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/** Place of the last message that a summary stands for; -1 without one. */
gint64 beckon_context_get_summarized (BeckonConversation *conversation);

/**
 * beckon_context_cut_results:
 * @messages: (element-type BeckonMessage): what is to be sent; messages that change are replaced by copies
 * @too_many: how many tokens too many there are, as estimated
 * @n_recent: how many of the last messages stay whole
 *
 * Shortens results of tools, the oldest first and without their pictures, until enough was saved. Says in each of them what is
 * missing.
 *
 * Returns: how many tokens were saved
 */
gint64 beckon_context_cut_results (GPtrArray *messages, gint64 too_many, guint n_recent);

/** Shortens in the middle, likewise, every result that has more than @most bytes: one of them alone may be too much. */
void beckon_context_bound_results (GPtrArray *messages, gsize most);

/**
 * beckon_context_bound_images:
 * @messages: as above
 * @takes_images: whether the model takes any
 *
 * Leaves out pictures of results, the oldest first, until there are as many as a provider takes at once. Says so in each.
 */
void beckon_context_bound_images (GPtrArray *messages, gboolean takes_images);

G_END_DECLS
